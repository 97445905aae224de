//! Families whose operands depend on each other: memory, images, exports.

mod buffer;
mod export;
mod flat;
mod image;
mod memory;
mod smem;

use super::error::AsmResult;
use super::operand::Parsed;
use crate::isa::Target;
use crate::isa::form::Form;
use crate::isa::row::Family;

/// Encodes the operands and modifiers of a form: gives the number of words.
pub(super) type Encode = fn(&Target, &Form, &Parsed, &mut [u32; 5]) -> AsmResult<u8>;

/// The encoder of a family, where its forms are not made of independent places.
pub(super) fn encoder(family: Family) -> Option<Encode> {
    match family {
        Family::Smem => Some(smem::encode),
        Family::Mubuf | Family::Mtbuf => Some(buffer::encode),
        Family::Flat | Family::Global | Family::Scratch => Some(flat::encode),
        Family::Mimg => Some(image::encode),
        Family::Exp => Some(export::encode),
        _ => None,
    }
}
