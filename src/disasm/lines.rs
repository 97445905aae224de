//! Plain instructions as lines: a mnemonic and operands, each from a table.
//!
//! A listing prints the same forms again and again, and most of what stands in their places is a register without signs; most of their
//! modifiers are not there. So a form becomes a *line* once it is proved: its mnemonic, for each place which table has the texts of its codes,
//! and what all other bits are where no modifier and no sign has a text. An instruction whose codes are all known to be read back ([`super::known`]) is written
//! at once ([`Lines::known`]): nothing is left to prove of it. What a line does not know (a literal, a sign, a modifier) is
//! printed and proved, or has a template ([`super::template`]).
//!
//! `tests/shapes.rs` holds lines against the printer.

use super::Decoded;
use super::known::{Known, MOST, NOWHERE, UNKNOWN};
use super::shape::may_reduce;
use crate::isa::form::{Allow, Form, Kind, Mod, ModSlot, NO_BIT, Slot, Table};
use crate::isa::operand::Ty;
use crate::isa::row::Traits;
use crate::isa::table::pair;
use crate::isa::text::Short;
use std::sync::Arc;

/// The lines of a table.
pub(super) struct Lines {
    table: &'static Table,
    texts: Texts,
    /// Of each form which line it has.
    numbers: Vec<u16>,
    lines: Vec<Line>,
    known: Known,
}

/// The number of a line that is not made yet.
const NOT_YET: u16 = 0;
/// The number of the line of a form that is none.
const NEVER: u16 = 1;

/// The texts of operand codes, by [`Words`].
pub(super) type Texts = Arc<[[Short<16>; 512]; 3]>;

/// A line of a listing while it is written.
pub(super) type Row = [u8; 384];

/// Which table of texts has those of a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Words {
    /// None: the table is empty.
    None,
    /// One register.
    One,
    /// Two.
    Two,
}

/// What is between two operands, and behind the last one until it is cut.
const COMMA: &str = ", ";
/// The code of `vcc`.
const VCC: u16 = 106;
/// Most places of a line.
const PLACES: usize = 5;

/// A form whose text is its name and its operands one after the other, in two cache lines.
#[repr(align(64))]
struct Line {
    /// The name, with the blank behind it.
    name: Short,
    places: [Place; PLACES],
    /// The bits of the first two words that are not those of operands ...
    fixed: u64,
    /// ... and what they are where modifiers and signs have no text.
    bits: u64,
    /// How much of the text is too much: what is behind the last operand.
    cut: u8,
    /// What the line costs besides its places, as [`Known`] counts.
    cost: u8,
}

/// A place of a line.
#[derive(Clone, Copy)]
struct Place {
    /// The first bit of the field.
    shift: u8,
    words: Words,
    /// How it is read, as a number of [`Known`].
    reading: u8,
    /// The bits of the field.
    mask: u16,
    /// What makes a code of a number.
    above: u16,
}

/// A place that is not there.
const NO_PLACE: Place = Place { shift: 0, words: Words::None, reading: NOWHERE, mask: 0, above: 0 };

/// A line that no instruction is.
const NO_LINE: Line = Line { name: Short::EMPTY, places: [NO_PLACE; PLACES], fixed: 0, bits: 1, cut: 0, cost: UNKNOWN };

impl Lines {
    /// No line is made yet.
    pub(super) fn new(table: &'static Table, texts: &Texts) -> Lines {
        let numbers = vec![NOT_YET; table.forms.len()];
        Lines { table, texts: texts.clone(), numbers, lines: vec![NO_LINE, NO_LINE], known: Known::new() }
    }

    /// Writes the text of an instruction behind the first byte of a row, if it is known that it is read back, and gives where it ends.
    ///
    /// Nothing depends on the number of operands: places that a line has not have empty texts, which cost nothing.
    #[inline(always)]
    pub(super) fn known(&self, number: u16, both: u64, row: &mut Row) -> Option<usize> {
        let line = self.lines.get(usize::from(*self.numbers.get(usize::from(number))?))?;
        if both & line.fixed != line.bits {
            return None;
        }
        let mut at = line.name.put(row, 1);
        let mut cost = line.cost;
        for place in &line.places {
            let code = usize::from(place.code(both)) & 0x1ff;
            cost += self.known.costs[usize::from(place.reading)][code];
            at = self.texts[place.words as usize][code].put(row, at);
        }
        (cost <= MOST).then_some(at - usize::from(line.cut))
    }

    /// Learns from an instruction whose text was proved.
    #[inline]
    pub(super) fn learn(&mut self, decoded: &Decoded<'_>, words: &[u32]) {
        if self.numbers.get(self.table.number(decoded.form)).is_some_and(|number| *number != NEVER) {
            self.learn_line(decoded.form, pair(words[0], words.get(1).copied().unwrap_or(0)));
        }
    }

    fn learn_line(&mut self, form: &Form, both: u64) {
        let number = &mut self.numbers[self.table.number(form)];
        if *number == NOT_YET {
            let made = Line::new(self.table, form, &mut self.known);
            *number = if made.is_some() { self.lines.len() as u16 } else { NEVER };
            self.lines.extend(made);
        }
        let line = &self.lines[usize::from(*number)];
        let places = line.places.iter().filter(|place| place.reading != NOWHERE);
        let told = |place: &Place| !self.texts[place.words as usize][usize::from(place.code(both)) & 0x1ff].is_empty();
        if both & line.fixed == line.bits && places.clone().all(told) {
            places.for_each(|place| self.known.learn(place.reading, place.code(both) & !place.above, place.above));
        }
    }
}

/// The tables of texts for a processor.
pub(super) fn texts(table: &Table) -> Texts {
    let of = |dwords: u8| -> [Short<16>; 512] {
        std::array::from_fn(|code| {
            let text = match (code, dwords) {
                (..256, _) => table.regs.get(code as u16, dwords).as_str().to_owned(),
                (_, 1) => table.regs.vector((code - 256) as u8).as_str().to_owned(),
                (511, _) => String::new(),
                _ => format!("v[{}:{}]", code - 256, code - 255),
            };
            let text = if text.is_empty() { text } else { text + COMMA };
            // The longest names of special registers have no place here.
            if text.len() > Short::<16>::MOST { Short::EMPTY } else { Short::new(&text) }
        })
    };
    Arc::new([[Short::EMPTY; 512], of(1), of(2)])
}

impl Line {
    /// The line of a form, where it is one: its name leads to it first, nothing compares its operands, and no modifier has a text always.
    fn new(table: &Table, form: &Form, known: &mut Known) -> Option<Line> {
        let name = format!("{}{}", form.name, if form.slots.is_empty() { "" } else { " " });
        let long = form.words > 2 || form.slots.len() > PLACES || name.len() > Short::<32>::MOST;
        if form.row.family.is_joint() || long {
            return None;
        }
        let cut = if form.slots.is_empty() { 0 } else { COMMA.len() as u8 };
        let mut line = Line { name: Short::new(&name), cut, cost: Known::besides(form), ..NO_LINE };
        // Everything but the operands is as the assembler writes it, also what nothing uses; and the modifiers are silent.
        let mut words = [form.base[0], form.base[1]];
        for m in &form.mods {
            m.span.set(&mut words, silent(form, *m)?);
        }
        line.fixed = u64::MAX >> (64 - 32 * form.words);
        for (place, slot) in line.places.iter_mut().zip(&form.slots) {
            *place = Place::new(table, slot)?;
            place.reading = known.number(&table.target, form, slot)?;
            line.fixed &= !(u64::from(place.mask) << place.shift);
        }
        line.bits = pair(words[0], words[1]) & line.fixed;
        may_reduce(table, form).then_some(line)
    }
}

impl Place {
    /// The code of the operand.
    #[inline(always)]
    fn code(&self, both: u64) -> u16 {
        (both >> (self.shift & 63)) as u16 & self.mask | self.above
    }

    /// A place, where codes say all of it.
    fn new(table: &Table, slot: &Slot) -> Option<Place> {
        let span = slot.span;
        if slot.kind == Kind::Vcc {
            let words = if table.target.wave64() { Words::Two } else { Words::One };
            return Some(Place { words, above: VCC, ..NO_PLACE });
        }
        let short = (1..=9).contains(&span.width) && span.width2 == 0 && span.lo + span.width <= 64;
        let agpr = slot.acc == NO_BIT && !slot.allow.contains(Allow::VGPR) && slot.allow.contains(Allow::AGPR);
        // Halves have a suffix always.
        if !short || slot.half != NO_BIT || agpr {
            return None;
        }
        let words = match slot.ty {
            Ty::Mask if table.target.wave32() => Words::One,
            Ty::Mask => Words::Two,
            Ty::F64x(_) => return None,
            ty if ty.dwords() == 1 => Words::One,
            Ty::B64 | Ty::F64 => Words::Two,
            // Constants are those of one element.
            ty if ty.dwords() == 2 && slot.kind != Kind::Source => Words::Two,
            _ => return None,
        };
        let above = match slot.kind {
            Kind::Source | Kind::Sgpr => 0,
            Kind::Vgpr => 256,
            _ => return None,
        };
        Some(Place { shift: span.lo, words, mask: span.max() as u16, above, ..NO_PLACE })
    }
}

/// The value of a modifier that has no text, if there is one.
fn silent(form: &Form, m: ModSlot) -> Option<u32> {
    match m.id {
        Mod::OpSelHi if !form.row.traits.contains(Traits::MIX) => Some(m.span.max()),
        Mod::DppCtrl | Mod::Dpp8 | Mod::RowMask | Mod::BankMask | Mod::DstSel | Mod::Src0Sel | Mod::Src1Sel => None,
        Mod::DstUnused | Mod::WaitExp | Mod::WaitVdst | Mod::WaitVaVdst | Mod::WaitVmVsrc => None,
        _ => Some(0),
    }
}
