//! What the memory families share: registers, fixed bits, the cache policy.

use crate::disasm::operand::numbered;
use crate::disasm::{Held, Reason};
use crate::isa::Target;
use crate::isa::form::Form;
use crate::isa::format::Span;
use crate::isa::memory;
use crate::isa::regs::{Names, ttmp_base};
use crate::isa::symbols::cpol;

/// Refuses what a field holds.
#[inline]
pub(super) fn require(target: &Target, form: &Form, words: &[u32], field: Span, good: bool) -> Result<(), Reason> {
    if good { Ok(()) } else { Err(bad(target, form, words, field)) }
}

/// A field holds what it may not.
#[cold]
pub(super) fn bad(target: &Target, form: &Form, words: &[u32], field: Span) -> Reason {
    Reason::BadField { row: form.row.name, held: Held::of(target, form, words, field) }
}

/// Appends the text of a scalar register tuple.
#[inline]
pub(super) fn scalar(target: &Target, code: u32, dwords: u8, out: &mut Vec<u8>) {
    if dwords <= 2 {
        Names::of(target).get(code as u16, dwords).push(out);
        return;
    }
    let base = u32::from(ttmp_base(target.generation()));
    if code >= base {
        numbered("ttmp", code - base, dwords, out);
    } else {
        numbered("s", code, dwords, out);
    }
}

/// Appends a vector or accumulation register tuple.
#[inline]
pub(super) fn vector(number: u32, dwords: u8, acc: bool, out: &mut Vec<u8>) {
    numbered(if acc { "a" } else { "v" }, number, dwords, out);
}

/// Appends the cache policy.
#[inline]
pub(super) fn policy(target: &Target, form: &Form, words: &[u32], returns: bool, out: &mut Vec<u8>) {
    let value = form.memory.policy(words);
    if value != 0 {
        cpol::print(value, memory::usage(form, returns), target, out);
    }
}

/// Appends `offset:N` where the offset is not 0.
#[inline]
pub(super) fn offset(form: &Form, words: &[u32], out: &mut Vec<u8>) {
    let value = form.memory.offset.get(words);
    if value != 0 {
        out.extend_from_slice(b" offset:");
        let value = if memory::is_signed(form) {
            i64::from(memory::extend(value, form.memory.offset.width))
        } else {
            i64::from(value)
        };
        crate::isa::text::push_dec(out, value);
    }
}

/// Appends the separator before the operand with this index.
#[inline]
pub(super) fn separate(index: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(if index == 0 { b" " } else { b", " });
}
