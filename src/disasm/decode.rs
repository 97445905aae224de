//! Bits to forms: two table look-ups, then a check of the bits that must be fixed and of the fields that do not take every value.

use super::{Reason, families};
use crate::fault::planted;
use crate::isa::Gen;
use crate::isa::form::{Form, Table};
use crate::isa::row::Family;
use crate::isa::table::{NO_FORM, Quick, pair};

/// A decoded instruction: its form and its length. The operands stay in the words.
#[derive(Clone, Copy)]
pub struct Decoded<'t> {
    /// The form.
    pub form: &'t Form,
    /// Words of the instruction.
    pub len: u8,
}

/// Decodes the instruction at the beginning of `words`.
///
/// # Errors
/// Why the bits are no instruction.
#[inline(always)]
pub fn decode<'t>(table: &'t Table, words: &[u32]) -> Result<Decoded<'t>, Reason> {
    let (first, second) = match *words {
        [first, second, ..] => (first, second),
        [first] => (first, 0),
        [] => return Err(Reason::Truncated),
    };
    let both = pair(first, second);
    let group = &table.groups[(first >> 23) as usize];
    let index = table.opcodes[group.entry(both)][group.variant(both)];
    let (Some(form), Some(quick)) = (table.forms.get(usize::from(index)), table.quick.get(usize::from(index))) else {
        return Err(no_form(table, first, second));
    };
    let mut len = quick.words;
    if words.len() < usize::from(len) {
        return Err(Reason::Truncated);
    }
    let third = if len > 2 { words[2] } else { 0 };
    if (both ^ quick.base) & quick.must | u64::from((third ^ quick.base2) & quick.must2) != 0 {
        return Err(reserved(form));
    }
    if !in_limits(table, quick, both, third) {
        return Err(bad_field(form));
    }
    if let Some((check, _)) = quick.joint.and_then(families::functions) {
        return check(&table.target, form, words).map(|len| Decoded { form, len });
    }
    if quick.asks_literal(both) {
        len += 1;
        if words.len() < usize::from(len) {
            return Err(Reason::Truncated);
        }
    }
    Ok(Decoded { form, len })
}

/// The first words as the hardware reads them: bits that mean nothing to the instruction are as its form has them.
///
/// [`decode`] refuses an instruction with such bits, for no text says them; what executes code looks past them.
#[must_use]
pub fn as_executed(table: &Table, words: &[u32]) -> [u32; 3] {
    let mut read: [u32; 3] = std::array::from_fn(|i| words.get(i).copied().unwrap_or(0));
    let both = pair(read[0], read[1]);
    let group = &table.groups[(read[0] >> 23) as usize];
    let index = table.opcodes[group.entry(both)][group.variant(both)];
    if let Some(form) = table.forms.get(usize::from(index)) {
        // The upper bit of a flat offset, which the other instructions of its format have as a sign.
        let sign = form.row.family == Family::Flat && table.target.generation() == Gen::Gfx10 && planted!(FlatOffset12);
        let kept = if sign { 1 << 11 } else { 0 };
        let fixed = form.base.iter().zip(form.must.iter().map(|must| must & !kept));
        for (word, (base, must)) in read.iter_mut().zip(fixed).take(usize::from(form.words)) {
            *word = *word & !must | base & must;
        }
    }
    read
}

/// Whether every field with limits holds a value that it takes.
#[inline(always)]
fn in_limits(table: &Table, quick: &Quick, both: u64, third: u32) -> bool {
    let inside = |bit: u8, set: u8| {
        let value = if bit < 64 { both } else { u64::from(third) } >> (bit & 63);
        table.sets[usize::from(set)][(value >> 6) as usize & 7] >> (value & 63) & 1 != 0
    };
    for &(bit, set) in quick.limits.iter().take(usize::from(quick.limit_count)) {
        if !inside(bit, set) {
            return false;
        }
    }
    for &(bit, set, only_if) in quick.conditional.iter().take(usize::from(quick.conditional_count)) {
        if both >> (only_if & 63) & 1 != 0 && !inside(bit, set) {
            return false;
        }
    }
    true
}

#[cold]
fn reserved(form: &Form) -> Reason {
    Reason::Reserved(form.row.name)
}

#[cold]
fn bad_field(form: &Form) -> Reason {
    Reason::BadField(form.row.name)
}

#[cold]
fn no_form(table: &Table, first: u32, second: u32) -> Reason {
    let group = &table.groups[(first >> 23) as usize];
    if group.first == 0 {
        return Reason::NoEncoding;
    }
    for index in table.opcodes[group.entry(pair(first, second))] {
        if index != NO_FORM {
            return Reason::NoForm(table.forms[usize::from(index)].row.name);
        }
    }
    let format = table.forms.iter().map(|f| f.format).find(|f| first & f.mask == f.fixed);
    match format {
        Some(f) if f.op.width != 0 => Reason::NoOpcode { format: f.name, opcode: f.op.get(&[first, second]) },
        _ => Reason::NoEncoding,
    }
}
