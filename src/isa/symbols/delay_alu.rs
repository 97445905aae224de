//! `instid0(VALU_DEP_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)`: the dependences of `s_delay_alu`, from gfx11.
//!
//! Bits 3:0 are `instid0`, 6:4 `instskip`, 10:7 `instid1`. A zero field is not printed, the bits above never; a reserved
//! value is printed as a comment, which nothing reads back.

use super::{Symbol, sym};
use crate::isa::arch::{Target, Variants};
use crate::isa::text::push_str;

const ALL: Variants = Variants::all();

/// What an instruction depends on: the row is the number.
#[rustfmt::skip]
pub static INST_IDS: &[Symbol] = &[
    sym("NO_DEP",             0, ALL),
    sym("VALU_DEP_1",         1, ALL),
    sym("VALU_DEP_2",         2, ALL),
    sym("VALU_DEP_3",         3, ALL),
    sym("VALU_DEP_4",         4, ALL),
    sym("TRANS32_DEP_1",      5, ALL),
    sym("TRANS32_DEP_2",      6, ALL),
    sym("TRANS32_DEP_3",      7, ALL),
    sym("FMA_ACCUM_CYCLE_1",  8, ALL),
    sym("SALU_CYCLE_1",       9, ALL),
    sym("SALU_CYCLE_2",      10, ALL),
    sym("SALU_CYCLE_3",      11, ALL),
];

/// Which instruction `instid1` is about: the row is the number.
#[rustfmt::skip]
pub static INST_SKIPS: &[Symbol] = &[
    sym("SAME",   0, ALL),
    sym("NEXT",   1, ALL),
    sym("SKIP_1", 2, ALL),
    sym("SKIP_2", 3, ALL),
    sym("SKIP_3", 4, ALL),
    sym("SKIP_4", 5, ALL),
];

/// A field of the immediate.
#[derive(Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// Its first bit.
    pub shift: u32,
    /// Its bits, shifted down.
    pub mask: u32,
    /// The names of its values.
    pub values: &'static [Symbol],
    /// What is printed for a reserved value.
    reserved: &'static str,
}

/// The fields in the order in which they are printed.
#[rustfmt::skip]
pub static FIELDS: [Field; 3] = [
    Field { name: "instid0",  shift: 0, mask: 15, values: INST_IDS,   reserved: "/* invalid instid value */" },
    Field { name: "instskip", shift: 4, mask: 7,  values: INST_SKIPS, reserved: "/* invalid instskip value */" },
    Field { name: "instid1",  shift: 7, mask: 15, values: INST_IDS,   reserved: "/* invalid instid value */" },
];

/// Whether the text of a value says all of it: both dependences and the skip are known, and no other bit is set.
#[must_use]
pub fn is_exact(value: u32) -> bool {
    value >> 11 == 0 && value & 15 < 12 && value >> 7 & 15 < 12 && value >> 4 & 7 < 6
}

/// Appends the fields that are not zero, `0` if there are none.
pub fn print(value: u32, _target: &Target, out: &mut Vec<u8>) {
    let mut any = false;
    for field in &FIELDS {
        let n = value >> field.shift & field.mask;
        if n != 0 {
            if any {
                push_str(out, " | ");
            }
            any = true;
            push_str(out, field.name);
            out.push(b'(');
            push_str(out, field.values.get(n as usize).map_or(field.reserved, |row| row.name));
            out.push(b')');
        }
    }
    if !any {
        out.push(b'0');
    }
}
