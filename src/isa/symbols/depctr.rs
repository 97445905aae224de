//! `depctr_va_vdst(0) depctr_sa_sdst(0)`: the counters of `s_waitcnt_depctr`, which gfx12 calls `s_wait_alu`.
//!
//! A field at its default waits for nothing and is not printed, unless all are. An immediate with other bits set is
//! printed as a number, so every value has its text.

use crate::isa::arch::{Target, Variants};
use crate::isa::text::{push_hex, push_str, push_udec};

/// A field of the immediate; its default is its largest value.
#[derive(Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// Its first bit.
    pub shift: u32,
    /// Its largest value, which is also its default.
    pub max: u32,
    /// Where it exists.
    pub on: Variants,
}

const ALL: Variants = Variants::all();
const FROM_103: Variants = Variants::G1030.union(Variants::G11).union(Variants::G12);

/// The fields in the order in which they are printed.
#[rustfmt::skip]
pub static FIELDS: [Field; 7] = [
    Field { name: "depctr_hold_cnt", shift: 7,  max: 1,  on: FROM_103 },
    Field { name: "depctr_sa_sdst",  shift: 0,  max: 1,  on: ALL },
    Field { name: "depctr_va_vdst",  shift: 12, max: 15, on: ALL },
    Field { name: "depctr_va_sdst",  shift: 9,  max: 7,  on: ALL },
    Field { name: "depctr_va_ssrc",  shift: 8,  max: 1,  on: ALL },
    Field { name: "depctr_va_vcc",   shift: 1,  max: 1,  on: ALL },
    Field { name: "depctr_vm_vsrc",  shift: 2,  max: 7,  on: ALL },
];

/// The immediate with every field at its default: all the bits that belong to fields.
#[must_use]
pub fn default(target: &Target) -> u32 {
    FIELDS.iter().filter(|f| target.is(f.on)).fold(0, |imm, f| imm | f.max << f.shift)
}

/// Appends the fields that wait, all of them where none does, or a hexadecimal number.
pub fn print(value: u32, target: &Target, out: &mut Vec<u8>) {
    let default = default(target);
    if value & !default != 0 {
        push_hex(out, u64::from(value));
        return;
    }
    let mut space = false;
    for field in FIELDS.iter().filter(|f| target.is(f.on)) {
        let n = value >> field.shift & field.max;
        if n != field.max || value == default {
            if space {
                out.push(b' ');
            }
            space = true;
            push_str(out, field.name);
            out.push(b'(');
            push_udec(out, u64::from(n));
            out.push(b')');
        }
    }
}
