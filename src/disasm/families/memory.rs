//! What the memory families share: registers, fixed bits, the cache policy.

use crate::disasm::Reason;
use crate::disasm::operand::numbered;
use crate::isa::form::Form;
use crate::isa::memory;
use crate::isa::regs::{Names, sgpr_count, ttmp_base, ttmp_count};
use crate::isa::symbols::cpol;
use crate::isa::{Target, Variants};

/// Checks length and fixed bits.
#[inline]
pub(super) fn fixed(form: &Form, words: &[u32]) -> Result<(), Reason> {
    let len = usize::from(form.words);
    if words.len() < len {
        return Err(Reason::Truncated);
    }
    let wrong = (0..len).fold(0, |wrong, i| wrong | (words[i] ^ form.base[i]) & form.must[i]);
    if wrong != 0 { Err(reserved(form)) } else { Ok(()) }
}

/// Bits are set that must not be.
#[cold]
pub(super) fn reserved(form: &Form) -> Reason {
    Reason::Reserved(form.row.name)
}

/// Refuses a value of a field.
#[inline]
pub(super) fn require(form: &Form, good: bool) -> Result<(), Reason> {
    if good { Ok(()) } else { Err(bad(form)) }
}

#[cold]
fn bad(form: &Form) -> Reason {
    Reason::BadField(form.row.name)
}

/// Whether a code names a scalar register tuple of `dwords` registers.
#[inline]
pub(super) fn is_scalar(target: &Target, code: u32, dwords: u8) -> bool {
    if code >= 128 {
        return false;
    }
    if dwords <= 2 {
        return !Names::of(target).get(code as u16, dwords).is_empty();
    }
    let g = target.generation();
    let (base, count) = (u32::from(ttmp_base(g)), u32::from(ttmp_count(g)));
    let last = code + u32::from(dwords) - 1;
    code.is_multiple_of(4) && (last < u32::from(sgpr_count(g)) || code >= base && last < base + count)
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

/// Whether a number names a vector register tuple of `dwords` registers.
#[inline]
pub(super) fn is_vector(target: &Target, number: u32, dwords: u8) -> bool {
    number + u32::from(dwords) <= 256 && (dwords == 1 || number.is_multiple_of(2) || !target.is(Variants::CDNA2))
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
