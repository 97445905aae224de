//! How a guide calls a row.

use crate::pseudocode::Guide;
use wavediff::isa::Gen;
use wavediff::isa::row::Inst;

/// The row's name in the guide.
pub fn guide_name(guide: Guide, row: &Inst) -> String {
    let generation = match guide {
        Guide::SouthernIslands => Gen::Gfx6,
        Guide::Rdna3 | Guide::Rdna3Later => Gen::Gfx11,
        Guide::Rdna4 => Gen::Gfx12,
        Guide::Cdna4 => Gen::Gfx9,
    };
    row.name_in(generation).to_ascii_uppercase()
}
