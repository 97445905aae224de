//! `SQ_RSRC_IMG_2D`: the dimension of an image instruction, from gfx10.

use super::{Symbol, sym};
use crate::isa::arch::{Target, Variants};
use crate::isa::text::push_str;

/// What LLVM prints before a name; it need not be written.
pub const PREFIX: &str = "SQ_RSRC_IMG_";

const ALL: Variants = Variants::all();

/// The dimensions: the row is the number.
#[rustfmt::skip]
pub static DIMS: &[Symbol] = &[
    sym("1D",            0, ALL),
    sym("2D",            1, ALL),
    sym("3D",            2, ALL),
    sym("CUBE",          3, ALL),
    sym("1D_ARRAY",      4, ALL),
    sym("2D_ARRAY",      5, ALL),
    sym("2D_MSAA",       6, ALL),
    sym("2D_MSAA_ARRAY", 7, ALL),
];

/// Whether the dimension has samples: what `image_msaa_load` asks for.
#[must_use]
pub const fn is_msaa(value: u32) -> bool {
    matches!(value, 6 | 7)
}

/// Appends the name; every value of the three bits has one.
pub fn print(value: u32, _target: &Target, out: &mut Vec<u8>) {
    push_str(out, PREFIX);
    push_str(out, DIMS[(value & 7) as usize].name);
}
