//! Texts of registers and constants.

use crate::asm::inline_of_word;
use crate::isa::form::Table;
use crate::isa::operand::Ty;
use crate::isa::text::{push_hex, push_udec};
use crate::isa::{Gen, regs};

/// Appends a register of a bank with numbers: `v5`, `v[5:6]`.
#[inline]
pub fn numbered(letter: &str, n: u32, dwords: u8, out: &mut Vec<u8>) {
    out.extend_from_slice(letter.as_bytes());
    if dwords == 1 {
        push_udec(out, u64::from(n));
    } else {
        out.push(b'[');
        push_udec(out, u64::from(n));
        out.push(b':');
        push_udec(out, u64::from(n) + u64::from(dwords) - 1);
        out.push(b']');
    }
}

/// Appends a vector register or range.
#[inline]
pub fn vgpr(n: u32, dwords: u8, out: &mut Vec<u8>) {
    numbered("v", n, dwords, out);
}

/// Appends a scalar operand below 256: register, special register or inline constant.
#[inline]
pub fn scalar(table: &Table, code: u16, dwords: u8, out: &mut Vec<u8>) {
    if dwords <= 2 {
        table.regs.get(code, dwords).push(out);
        return;
    }
    let g = table.target.generation();
    let base = regs::ttmp_base(g);
    if (base..base + regs::ttmp_count(g)).contains(&code) {
        numbered("ttmp", u32::from(code - base), dwords, out);
    } else {
        numbered("s", u32::from(code), dwords, out);
    }
}

/// Appends a literal constant. Where the plain number would be taken for an inline constant, or would not fit, it is written as
/// `lit(...)`: LLVM's text prints the number alone, which does not assemble to the same bytes.
pub fn literal(generation: Gen, ty: Ty, word: u32, out: &mut Vec<u8>) {
    let too_wide = ty.is_16() && word > 0xffff;
    if too_wide || inline_of_word(ty, word, generation >= Gen::Gfx8).is_some() {
        out.extend_from_slice(b"lit(");
        push_hex(out, u64::from(word));
        out.push(b')');
    } else {
        push_hex(out, u64::from(word));
    }
}
