//! `dst_sel:BYTE_0 dst_unused:UNUSED_PAD`: the parts of registers in SDWA, gfx8 to gfx10.
//!
//! The fields have room for reserved values (7, and 3): LLVM's disassembler does not take them, and they are printed as
//! numbers here.

use super::{Symbol, sym};
use crate::isa::arch::{Target, Variants};
use crate::isa::text::{push_str, push_udec};

const ALL: Variants = Variants::all();

/// Parts of a register: `dst_sel`, `src0_sel`, `src1_sel`. The row is the number.
#[rustfmt::skip]
pub static SELECTORS: &[Symbol] = &[
    sym("BYTE_0", 0, ALL),
    sym("BYTE_1", 1, ALL),
    sym("BYTE_2", 2, ALL),
    sym("BYTE_3", 3, ALL),
    sym("WORD_0", 4, ALL),
    sym("WORD_1", 5, ALL),
    sym("DWORD",  6, ALL),
];

/// What becomes of the rest of the destination: `dst_unused`. The row is the number.
#[rustfmt::skip]
pub static UNUSED: &[Symbol] = &[
    sym("UNUSED_PAD",      0, ALL),
    sym("UNUSED_SEXT",     1, ALL),
    sym("UNUSED_PRESERVE", 2, ALL),
];

/// The selector that is meant where none is written.
pub const DEFAULT_SEL: u32 = 6;
/// The `dst_unused` that is meant where none is written.
pub const DEFAULT_UNUSED: u32 = 2;

fn print_row(table: &[Symbol], value: u32, out: &mut Vec<u8>) {
    match table.get(value as usize) {
        Some(row) => push_str(out, row.name),
        None => push_udec(out, u64::from(value)),
    }
}

/// Appends the name of a selector.
pub fn print_sel(value: u32, _target: &Target, out: &mut Vec<u8>) {
    print_row(SELECTORS, value, out);
}

/// Appends the name of a `dst_unused`.
pub fn print_unused(value: u32, _target: &Target, out: &mut Vec<u8>) {
    print_row(UNUSED, value, out);
}
