//! `gpr_idx(SRC0,DST)`: which operands `s_set_gpr_idx_on` and `s_set_gpr_idx_mode` index; gfx8 and gfx9.

use super::{Symbol, sym};
use crate::isa::arch::{Target, Variants};
use crate::isa::text::{push_hex, push_str};

/// The operands; the number is the bit.
#[rustfmt::skip]
pub static MODES: &[Symbol] = &[
    sym("SRC0", 0, Variants::all()),
    sym("SRC1", 1, Variants::all()),
    sym("SRC2", 2, Variants::all()),
    sym("DST",  3, Variants::all()),
];

/// Appends `gpr_idx(..)`, or a hexadecimal number where there are other bits; the assembler does not take that one back.
pub fn print(value: u32, _target: &Target, out: &mut Vec<u8>) {
    if value > 15 {
        push_hex(out, u64::from(value));
        return;
    }
    push_str(out, "gpr_idx(");
    let mut comma = false;
    for mode in MODES.iter().filter(|m| value >> m.value & 1 != 0) {
        if comma {
            out.push(b',');
        }
        comma = true;
        push_str(out, mode.name);
    }
    out.push(b')');
}
