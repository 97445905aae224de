//! `p10`, `attr3.x`: the operands of interpolation.
//!
//! The attribute and its channel are one value, `attribute << 2 | channel`: so they lie in the VINTRP words.

use super::{Symbol, sym};
use crate::isa::arch::{Target, Variants};
use crate::isa::text::{push_str, push_udec};

/// Parameters of the plane equation, for `v_interp_mov_f32`: the row is the number.
#[rustfmt::skip]
pub static SLOTS: &[Symbol] = &[
    sym("p10", 0, Variants::all()),
    sym("p20", 1, Variants::all()),
    sym("p0",  2, Variants::all()),
];

/// The largest attribute that may be written. LLVM takes 32, one more than there are.
pub const MAX_ATTR: u32 = 32;

/// The channels of an attribute.
pub const CHANNELS: [u8; 4] = *b"xyzw";

/// Appends the name of a slot, `invalid_param_N` where it has none; the assembler does not take that one back.
pub fn print_slot(value: u32, _target: &Target, out: &mut Vec<u8>) {
    match SLOTS.get(value as usize) {
        Some(row) => push_str(out, row.name),
        None => {
            push_str(out, "invalid_param_");
            push_udec(out, u64::from(value));
        }
    }
}

/// Appends an attribute and its channel.
pub fn print_attr(value: u32, _target: &Target, out: &mut Vec<u8>) {
    push_str(out, "attr");
    push_udec(out, u64::from(value >> 2));
    out.push(b'.');
    out.push(CHANNELS[(value & 3) as usize]);
}
