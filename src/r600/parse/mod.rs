//! Text of single instructions to words: what [`print`](super::print) prints, read back.
//!
//! Names of instructions, registers and selects are the same everywhere; [`flow`], [`fetch`] and [`alu`] have the rest, and [`source`]
//! the sources of the ALU.

mod alu;
mod fetch;
mod flow;
mod source;

pub(super) use alu::{AluText, alu};
pub(super) use fetch::fetch;
pub(super) use flow::{FlowText, flow, set_count};
pub(super) use source::{Literal, Notes};

use super::print::{SELECTS, TEMPORARIES, UNKNOWN};
use super::program::Inst;
use super::text::{LAST_REGISTER, Line, Parsed, fault, integer, meant, set};
use crate::isa::format::Span;
use crate::isa::r600::format::{alu_op2, alu_op2_r700, alu_op3, cf, cf_alu, tex};
use crate::isa::r600::{Chip, Class, Machine, Place, Row};
use std::ops::Range;

/// The class and opcode that a name means, and its row if there is one.
pub(super) type Named = (Class, u32, Option<&'static Row>);

/// What a name means in this place.
#[inline]
pub(super) fn find(machine: Machine, place: Place, name: &str) -> Option<Named> {
    match machine.named(place, name) {
        Some(row) => Some((row.class, row.code(machine)?, Some(row))),
        None => unnamed(machine, place, name),
    }
}

/// What the name of an opcode without an instruction means, as `CF_77`.
fn unnamed(machine: Machine, place: Place, name: &str) -> Option<Named> {
    UNKNOWN.iter().filter(|(class, _)| class.place() == place).find_map(|(class, prefix)| {
        let head = name.get(..prefix.len()).filter(|head| head.eq_ignore_ascii_case(prefix))?;
        let code = integer(&name[head.len()..])?;
        Some((*class, code, machine.row(*class, code)))
    })
}

/// Where the opcode of an instruction stands.
fn opcode_field(machine: Machine, class: Class) -> Span {
    match (class, machine.chip) {
        (Class::Cf | Class::Export, _) => cf::CF_INST,
        (Class::CfAlu, _) => cf_alu::CF_INST,
        (Class::Op2, Chip::R600) => alu_op2::ALU_INST,
        (Class::Op2, Chip::R700) => alu_op2_r700::ALU_INST,
        (Class::Op3, _) => alu_op3::ALU_INST,
        (Class::Tex | Class::Vtx, _) => tex::TEX_INST,
    }
}

/// The instruction of words with an opcode and nothing else, if it is what its name says: one without a row has any
/// number in its name, which may be the opcode of another class.
fn checked(words: [u32; 2], (class, _, row): Named, made: impl FnOnce() -> Inst<2>) -> Option<Inst<2>> {
    if row.is_some() {
        return Some(Inst { words, class, row });
    }
    Some(made()).filter(|made| made.class == class && made.row.is_none())
}

/// The instruction that a name means, or what it may have meant.
#[inline]
pub(super) fn lookup(machine: Machine, place: Place, line: &mut Line<'_>) -> Parsed<Named> {
    let start = line.here();
    let name = line.word();
    match find(machine, place, name) {
        Some(found) => Ok(found),
        None => not_there(machine, place, name, line.since(start)),
    }
}

#[cold]
fn not_there<T>(machine: Machine, place: Place, name: &str, span: Range<usize>) -> Parsed<T> {
    let what = match place {
        Place::Flow => "control-flow instruction",
        Place::Alu => "ALU instruction",
        Place::Fetch => "fetch",
    };
    let hint = meant(name, machine.names(place));
    fault(span, format!("`{name}` is no {what} of {}{hint}", machine.name()))
}

/// Something that is no modifier.
fn unknown<T>(line: &mut Line<'_>, start: usize, word: &str, words: &[&str]) -> Parsed<T> {
    if word.is_empty() {
        return fault(start..start + 1, "expected a modifier");
    }
    let hint = meant(word, words.iter().copied());
    line.set_pos(start + word.len());
    fault(start..start + word.len(), format!("`{word}` is no modifier here{hint}"))
}

/// A number, stored less `minus`.
fn number(line: &mut Line<'_>, words: &mut [u32], field: Span, minus: u32) -> Parsed<()> {
    let at = line.here();
    let value = line.integer()?;
    let span = line.since(at);
    match value.checked_sub(minus) {
        Some(stored) if stored <= field.max() => field.set(words, stored),
        _ => return fault(span, format!("{value} does not fit: {minus} to {} do", field.max() + minus)),
    }
    Ok(())
}

fn choice(line: &mut Line<'_>, words: &mut [u32], field: Span, names: &[&str], what: &str) -> Parsed<()> {
    let at = line.here();
    let value = line.choice(names, what)?;
    set(words, field, value, line.since(at))
}

/// An index that must be aL, as the bit that says so.
fn loop_index(index: Option<u32>, words: &mut [u32], field: Span, span: Range<usize>) -> Parsed<()> {
    match index {
        None => Ok(()),
        Some(4) => {
            field.set(words, 1);
            Ok(())
        }
        Some(_) => fault(span, "outside of ALU clauses the index is aL"),
    }
}

/// `.xy01`: four selects, or the first `count` of them.
fn selects(line: &mut Line<'_>, count: usize) -> Parsed<[u32; 4]> {
    line.expect(b'.')?;
    let start = line.here();
    let mut selects = [0; 4];
    for select in selects.iter_mut().take(count) {
        let letter = line.ahead(0).to_ascii_lowercase();
        let Some(found) = SELECTS.iter().position(|known| *known == letter) else {
            return fault(line.since(start), format!("expected {count} of x, y, z, w, 0, 1 and _"));
        };
        *select = found as u32;
        line.bump(1);
    }
    Ok(selects)
}

/// `R5`, `T1`, `R[5+aL]`: the number, and the index.
fn register(line: &mut Line<'_>) -> Parsed<(u32, Option<u32>)> {
    if let Some(number) = plain_register(line)? {
        return Ok((number, None));
    }
    let start = line.here();
    let word = line.word();
    register_of(line, start, word)
}

/// `R5` or `T1`, if that is next.
#[inline]
fn plain_register(line: &mut Line<'_>) -> Parsed<Option<u32>> {
    match line.register() {
        Some(number) if number > LAST_REGISTER => {
            // `R` and three digits.
            let end = line.since(0).end;
            fault(end.saturating_sub(4)..end, TOO_MANY)
        }
        number => Ok(number),
    }
}

const TOO_MANY: &str = "registers are R0 to R127";

fn register_of(line: &mut Line<'_>, start: usize, word: &str) -> Parsed<(u32, Option<u32>)> {
    let (number, index) = match word.as_bytes() {
        [b'R' | b'r'] if line.ahead(0) == b'[' => line.bracket()?,
        [b'R' | b'r', ..] if let Some(number) = integer(&word[1..]) => (number, None),
        [b'T' | b't', ..] if let Some(number) = integer(&word[1..]).filter(|number| *number < 4) => {
            (TEMPORARIES + number, None)
        }
        _ => return fault(line.since(start), format!("`{word}` is no register; there are R0 to R127, and T0 to T3")),
    };
    if number > LAST_REGISTER {
        return fault(line.since(start), TOO_MANY);
    }
    Ok((number, index))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::r600::ROWS;

    /// What [`checked`] takes as given.
    #[test]
    fn the_opcode_of_a_row_is_of_its_class() {
        for name in ["r600", "rv770", "r600-manual", "rv770-manual"] {
            let machine = Machine::find(name).expect("a machine");
            for row in ROWS {
                let Some(code) = row.code(machine) else { continue };
                let mut words = [0; 2];
                opcode_field(machine, row.class).set(&mut words, code);
                let made = match row.class.place() {
                    Place::Flow => Inst::flow(machine, words),
                    Place::Alu => Inst::alu(machine, words),
                    Place::Fetch => continue,
                };
                assert_eq!(made.class, row.class, "{} on {name}", row.name);
                assert!(made.row.is_some_and(|made| std::ptr::eq(made, row)), "{} on {name}", row.name);
            }
        }
    }
}
