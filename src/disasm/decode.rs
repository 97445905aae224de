//! Bits to forms: two table look-ups, then a check of the bits that must be fixed and of the fields that do not take every value.

use super::{Reason, families};
use crate::isa::form::{Form, FormFlags, NO_FORM, Table};

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
#[inline]
pub fn decode<'t>(table: &'t Table, words: &[u32]) -> Result<Decoded<'t>, Reason> {
    let Some(&first) = words.first() else { return Err(Reason::Truncated) };
    let group = &table.groups[usize::from(table.prefix[(first >> 23) as usize])];
    let second = words.get(1).copied().unwrap_or(0);
    let entry = &table.opcodes[group.entry(first, second)];
    let index = match group.markers {
        0 => entry.base,
        m => {
            let src0 = if m == 1 { first } else { second } & 0x1ff;
            match src0 {
                0xf9 if entry.sdwa != NO_FORM => entry.sdwa,
                0xfa if entry.dpp != NO_FORM => entry.dpp,
                0xe9 | 0xea if entry.dpp8 != NO_FORM => entry.dpp8,
                _ => entry.base,
            }
        }
    };
    if index == NO_FORM {
        return Err(no_form(table, first, second));
    }
    let form = &table.forms[usize::from(index)];
    if let Some((check, _)) = families::functions(form.row.family) {
        return check(&table.target, form, words).map(|len| Decoded { form, len });
    }
    let mut len = form.words;
    if words.len() < usize::from(len) {
        return Err(Reason::Truncated);
    }
    let mut wrong = (first ^ form.base[0]) & form.must[0];
    if len > 1 {
        wrong |= (second ^ form.base[1]) & form.must[1];
        if len > 2 {
            wrong |= (words[2] ^ form.base[2]) & form.must[2];
        }
    }
    if wrong != 0 {
        return Err(Reason::Reserved(form.row.name));
    }
    for limit in &form.limits {
        let value = (words[usize::from(limit.word)] >> limit.shift) & u32::from(limit.mask);
        if table.sets[usize::from(limit.set)][(value >> 6) as usize] >> (value & 63) & 1 == 0 {
            return Err(Reason::BadField(form.row.name));
        }
    }
    if form.flags.intersects(FormFlags::HAS_LITERAL | FormFlags::MAY_LITERAL) {
        let asked = |&(word, shift): &(u8, u8)| {
            let field = words[usize::from(word)] >> shift;
            field & 0xff == 0xff && (!form.is_wide_field(word, shift) || field & 0x100 == 0)
        };
        if form.flags.contains(FormFlags::HAS_LITERAL) || form.literals.iter().any(asked) {
            len += 1;
            if words.len() < usize::from(len) {
                return Err(Reason::Truncated);
            }
        }
    }
    Ok(Decoded { form, len })
}

#[cold]
fn no_form(table: &Table, first: u32, second: u32) -> Reason {
    let at = usize::from(table.prefix[(first >> 23) as usize]);
    if at == 0 {
        return Reason::NoEncoding;
    }
    let group = &table.groups[at];
    let entry = &table.opcodes[group.entry(first, second)];
    for index in [entry.base, entry.sdwa, entry.dpp, entry.dpp8] {
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
