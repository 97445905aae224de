//! Bits to forms: two table look-ups, then a check of the bits that must be fixed and of the fields that do not take every value.

use super::{Held, Reason, families};
use crate::isa::form::{Form, Table};
use crate::isa::format::Span;
use crate::isa::limits::Limit;
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
    let (number, len) = number_and_length(table, words)?;
    Ok(Decoded { form: &table.forms[usize::from(number)], len })
}

/// The number of the form of an instruction, and its words.
#[inline(always)]
pub(super) fn number_and_length(table: &Table, words: &[u32]) -> Result<(u16, u8), Reason> {
    let (first, second) = match *words {
        [first, second, ..] => (first, second),
        [first] => (first, 0),
        [] => return Err(Reason::Truncated),
    };
    let both = pair(first, second);
    let index = table.number_at(both);
    let (Some(form), Some(quick)) = (table.forms.get(usize::from(index)), table.quick.get(usize::from(index))) else {
        return Err(no_form(table, first, second));
    };
    let mut len = quick.words;
    if words.len() < usize::from(len) {
        return Err(Reason::Truncated);
    }
    let third = if len > 2 { words[2] } else { 0 };
    if (both ^ quick.base) & quick.must | u64::from((third ^ quick.base2) & quick.must2) != 0 {
        return Err(reserved(table, form, words));
    }
    if !in_limits(table, quick, both, third) {
        return Err(bad_field(table, form, words));
    }
    if let Some((check, _)) = quick.joint.and_then(families::functions) {
        return check(&table.target, form, words).map(|len| (index, len));
    }
    if quick.asks_literal(both) {
        len += 1;
        if words.len() < usize::from(len) {
            return Err(Reason::Truncated);
        }
    }
    Ok((index, len))
}

/// The form that the first words ask for, whatever their other fields hold.
pub(super) fn form_at<'t>(table: &'t Table, words: &[u32]) -> Option<&'t Form> {
    let first = *words.first()?;
    let both = pair(first, words.get(1).copied().unwrap_or(0));
    table.forms.get(usize::from(table.number_at(both)))
}

/// Whether every field with limits holds a value that it takes.
#[inline(always)]
fn in_limits(table: &Table, quick: &Quick, both: u64, third: u32) -> bool {
    let inside = |bit: u8, set: u8| {
        let value = if bit < 64 { both } else { u64::from(third) } >> (bit & 63);
        table.sets[usize::from(set)][(value >> 6) as usize & 7] >> (value & 63) & 1 != 0
    };
    // Few forms have more than these; where there are fewer, the others take every value. So nothing depends on how many there are.
    let [first @ .., _, _] = &quick.limits;
    if !first.iter().fold(true, |all, &(bit, set)| all & inside(bit, set)) {
        return false;
    }
    for &(bit, set) in quick.limits.iter().take(usize::from(quick.limit_count)).skip(first.len()) {
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
fn reserved(table: &Table, form: &Form, words: &[u32]) -> Reason {
    let word = |i: usize| words.get(i).filter(|_| i < usize::from(form.words)).copied();
    let wrong = std::array::from_fn(|i| word(i).map_or(0, |word| (word ^ form.base[i]) & form.must[i]));
    Reason::Reserved { row: form.row.name, held: Held::of_bits(&table.target, form, words, wrong) }
}

#[cold]
fn bad_field(table: &Table, form: &Form, words: &[u32]) -> Reason {
    let outside = |limit: &&Limit| {
        let bit = |at: u8| words[usize::from(at / 32)] >> (at % 32);
        let value = (bit(limit.bit) & 0x1ff) as usize;
        let holds = limit.only_if.is_none_or(|only_if| bit(only_if) & 1 != 0);
        holds && table.sets[usize::from(limit.set)][value >> 6] >> (value & 63) & 1 == 0
    };
    let bit = form.limits.iter().find(outside).map_or(0, |limit| limit.bit);
    Reason::BadField { row: form.row.name, held: Held::of(&table.target, form, words, Span::new(bit, bit)) }
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
