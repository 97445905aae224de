//! Families whose operands depend on each other: memory, images, exports.

mod buffer;
mod export;
mod flat;
mod image;
mod memory;
mod smem;

use super::Reason;
use crate::isa::Target;
use crate::isa::form::Form;
use crate::isa::format::Span;
use crate::isa::row::Family;

/// Checks the words of a form, and gives their number.
pub(super) type Check = fn(&Target, &Form, &[u32]) -> Result<u8, Reason>;
/// Prints what stands behind the mnemonic.
pub(super) type Print = fn(&Target, &Form, &[u32], &mut Vec<u8>);
/// Names the fields that these words make idle: the hardware looks past them.
pub(super) type Idle = fn(&Target, &Form, &[u32], &mut dyn FnMut(Span));

/// The functions of a family, where its forms are not made of independent places.
#[inline]
pub(super) fn functions(family: Family) -> Option<(Check, Print)> {
    match family {
        Family::Smem => Some((smem::check, smem::print)),
        Family::Mubuf | Family::Mtbuf => Some((buffer::check, buffer::print)),
        Family::Flat | Family::Global | Family::Scratch => Some((flat::check, flat::print)),
        Family::Mimg => Some((image::check, image::print)),
        Family::Exp => Some((export::check, export::print)),
        _ => None,
    }
}

/// How a family says which fields are idle, where its other fields decide that.
pub(super) fn idle(family: Family) -> Option<Idle> {
    match family {
        Family::Smem => Some(smem::idle),
        Family::Mubuf | Family::Mtbuf => Some(buffer::idle),
        Family::Flat | Family::Global | Family::Scratch => Some(flat::idle),
        _ => None,
    }
}
