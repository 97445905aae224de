//! Bits to forms: two table look-ups, then a check of the bits that must be fixed and of the fields that do not take every value.

use super::{Reason, families};
use crate::isa::form::{Allow, Form, Kind, NO_BIT, Slot, Table};
use crate::isa::table::{NO_FORM, Quick};

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
    let group = &table.groups[(first >> 23) as usize];
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
    let quick = &table.quick[usize::from(index)];
    if quick.by_family {
        let Some((check, _)) = families::functions(form.row.family) else { return Err(Reason::NoEncoding) };
        return check(&table.target, form, words).map(|len| Decoded { form, len });
    }
    let mut len = quick.words;
    if words.len() < usize::from(len) {
        return Err(Reason::Truncated);
    }
    let all = [first, second, if len > 2 { words[2] } else { 0 }, 0];
    let mut wrong = (first ^ quick.base[0]) & quick.must[0];
    if len > 1 {
        wrong |= (second ^ quick.base[1]) & quick.must[1];
        if len > 2 {
            wrong |= (all[2] ^ quick.base[2]) & quick.must[2];
        }
    }
    if wrong != 0 {
        return Err(Reason::Reserved(form.row.name));
    }
    for &(bit, set, mask) in quick.limits.iter().take(usize::from(quick.limit_count)) {
        let value = all[usize::from(bit >> 5) & 3] >> (bit & 31) & u32::from(mask);
        if table.sets[usize::from(set)][(value >> 6) as usize & 7] >> (value & 63) & 1 == 0 {
            return Err(Reason::BadField(form.row.name));
        }
    }
    if usize::from(quick.limit_count) > quick.limits.len() && !rest_in_limits(table, form, &all) {
        return Err(Reason::BadField(form.row.name));
    }
    if quick.has_literal || asks_literal(quick, &all) {
        len += 1;
        if words.len() < usize::from(len) {
            return Err(Reason::Truncated);
        }
    }
    Ok(Decoded { form, len })
}

/// Checks the limits that have no room in the quick record, and the scalar sources of SDWA.
#[cold]
fn rest_in_limits(table: &Table, form: &Form, words: &[u32; 4]) -> bool {
    form.slots.iter().all(|slot| scalar_sdwa_source(table, slot, words))
        && form.limits.iter().skip(6).all(|limit| {
            let value = (words[usize::from(limit.word) & 3] >> limit.shift) & u32::from(limit.mask);
            table.sets[usize::from(limit.set as u8)][(value >> 6) as usize & 7] >> (value & 63) & 1 != 0
        })
}

/// Whether a source of SDWA, where it is one whose bit says that it is scalar, names a register or constant that it takes.
fn scalar_sdwa_source(table: &Table, slot: &Slot, words: &[u32; 4]) -> bool {
    let Kind::SdwaSource(scalar) = slot.kind else { return true };
    if scalar.get(words) == 0 {
        return true;
    }
    let code = slot.span.get(words) as u16;
    let wanted = if matches!(code, 128..=208 | 240..=248) { Allow::INLINE } else { Allow::SGPR };
    !matches!(code, 254 | 255) && slot.allow.contains(wanted) && !table.regs.get(code, 1).is_empty()
}

/// Whether a source field holds the code of a literal constant.
#[inline(always)]
fn asks_literal(quick: &Quick, words: &[u32; 4]) -> bool {
    for &position in &quick.literals {
        if position == NO_BIT {
            return false;
        }
        let bit = position & 0x7f;
        let mask = if position & 0x80 == 0 { 0x1ff } else { 0xff };
        if words[usize::from(bit >> 5) & 3] >> (bit & 31) & mask == 0xff {
            return true;
        }
    }
    false
}

#[cold]
fn no_form(table: &Table, first: u32, second: u32) -> Reason {
    let group = &table.groups[(first >> 23) as usize];
    if group.first == 0 {
        return Reason::NoEncoding;
    }
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
