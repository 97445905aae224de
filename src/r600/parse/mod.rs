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

use super::print::{SELECTS, TEMPORARIES, UNKNOWN};
use super::text::{Line, Parsed, fault, integer, meant, set};
use crate::isa::format::Span;
use crate::isa::r600::{Class, Machine, Place, Row};
use std::ops::Range;

/// The class and opcode that a name means, and its row if there is one.
pub(super) type Named = (Class, u32, Option<&'static Row>);

/// What a name means in this place.
pub(super) fn find(machine: Machine, place: Place, name: &str) -> Option<Named> {
    if let Some(row) = machine.named(place, name) {
        return Some((row.class, row.code(machine)?, Some(row)));
    }
    UNKNOWN.iter().filter(|(class, _)| class.place() == place).find_map(|(class, prefix)| {
        let head = name.get(..prefix.len()).filter(|head| head.eq_ignore_ascii_case(prefix))?;
        let code = integer(&name[head.len()..])?;
        Some((*class, code, machine.row(*class, code)))
    })
}

/// Whether two opcodes are of one row: which it is says all of it.
fn same(a: Option<&'static Row>, b: Option<&'static Row>) -> bool {
    a.map(std::ptr::from_ref) == b.map(std::ptr::from_ref)
}

/// The instruction that a name means, or what it may have meant.
pub(super) fn lookup(machine: Machine, place: Place, line: &mut Line<'_>) -> Parsed<Named> {
    let start = line.here();
    let name = line.word();
    match find(machine, place, name) {
        Some(found) => Ok(found),
        None => {
            let what = match place {
                Place::Flow => "control-flow instruction",
                Place::Alu => "ALU instruction",
                Place::Fetch => "fetch",
            };
            let hint = meant(name, machine.names(place));
            fault(line.since(start), format!("`{name}` is no {what} of {}{hint}", machine.name()))
        }
    }
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
    let start = line.here();
    let word = line.word();
    register_of(line, start, word)
}

/// `R5`, if that is next.
#[inline]
fn plain_register(line: &mut Line<'_>) -> Parsed<Option<u32>> {
    match line.register() {
        Some(number) if number > 127 => {
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
    if number > 127 {
        return fault(line.since(start), TOO_MANY);
    }
    Ok((number, index))
}
