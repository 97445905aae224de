//! The texts of many instructions, from tables.
//!
//! [`print()`] looks at each place and each modifier of a form. A listing prints the same forms again and again, and most of what stands
//! in their places is a register without signs, most of their modifiers are not there. So a form becomes a *line* once: its mnemonic,
//! for each place which table has the texts of its codes, and the values of the modifiers that have no text. What a line does not know
//! (a literal, a negated register, a modifier) the printer adds, place by place; forms that are no lines it prints whole.
//!
//! `tests/shapes.rs` holds lines against the printer.

use super::Decoded;
use super::print::{MOST_BYTES, Printer, print};
use crate::isa::form::{Allow, Form, Kind, Mod, ModSlot, NO_BIT, Slot, Table};
use crate::isa::operand::Ty;
use crate::isa::row::Traits;
use crate::isa::table::pair;
use crate::isa::text::Short;
use std::sync::Arc;

/// The lines of a table, each made when it is asked for.
pub struct Lines {
    table: &'static Table,
    texts: Texts,
    lines: Vec<Option<Box<Line>>>,
}

/// The texts of operand codes, by [`Words`].
pub(super) type Texts = Arc<[[Short; 512]; 3]>;

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

/// A form whose text is its name and its operands one after the other.
struct Line {
    /// The name, with the blank behind it.
    name: Short,
    places: [Place; PLACES],
    count: u8,
    /// The bits of the modifiers in the first two words ...
    mods: u64,
    /// ... and what they are where no modifier has a text.
    silent: u64,
    /// Whether a modifier has a text always.
    spoken: bool,
}

/// A place of a line.
#[derive(Clone, Copy)]
struct Place {
    /// The first bit of the field.
    shift: u8,
    words: Words,
    /// The bits of the field.
    mask: u16,
    /// What makes a code of a number.
    above: u16,
    /// The bits that change the text: signs, halves.
    signs: u64,
}

/// A form that the printer prints whole.
const NO_LINE: Line = Line {
    name: Short::EMPTY,
    places: [Place { shift: 0, words: Words::None, mask: 0, above: 0, signs: 0 }; PLACES],
    count: 0,
    mods: 0,
    silent: 0,
    spoken: false,
};

impl Lines {
    /// No line is made yet.
    pub(super) fn new(table: &'static Table, texts: &Texts) -> Lines {
        Lines { table, texts: texts.clone(), lines: table.forms.iter().map(|_| None).collect() }
    }

    /// Appends the text of an instruction of this table: what [`print()`] appends.
    #[inline]
    pub(super) fn print(&mut self, decoded: &Decoded<'_>, words: &[u32], out: &mut Vec<u8>) {
        let form = decoded.form;
        let Some(line) = self.lines.get_mut(self.table.number(form)) else { return };
        let line = line.get_or_insert_with(|| Box::new(Line::new(self.table, form)));
        if line.name.is_empty() {
            return print(self.table, decoded, words, out);
        }
        out.reserve(MOST_BYTES);
        line.name.push(out);
        let both = pair(words[0], words.get(1).copied().unwrap_or(0));
        for (at, place) in line.places[..usize::from(line.count)].iter().enumerate() {
            let code = (both >> (place.shift & 63)) as u16 & place.mask | place.above;
            let text = &self.texts[place.words as usize][usize::from(code) & 0x1ff];
            if text.is_empty() || both & place.signs != 0 {
                Printer::new(self.table, decoded, words, out).place(&form.slots[at]);
                out.extend_from_slice(COMMA.as_bytes());
            } else {
                text.push(out);
            }
        }
        if line.count > 0 {
            out.truncate(out.len() - COMMA.len());
        }
        if line.spoken || both & line.mods != line.silent {
            let mut printer = Printer::new(self.table, decoded, words, out);
            form.mods.iter().for_each(|m| printer.modifier(*m));
        }
    }
}

/// The tables of texts for a processor.
pub(super) fn texts(table: &Table) -> Texts {
    let of = |dwords: u8| -> [Short; 512] {
        std::array::from_fn(|code| {
            let text = match (code, dwords) {
                (..256, _) => table.regs.get(code as u16, dwords).as_str().to_owned(),
                (_, 1) => table.regs.vector((code - 256) as u8).as_str().to_owned(),
                (511, _) => String::new(),
                _ => format!("v[{}:{}]", code - 256, code - 255),
            };
            Short::new(&if text.is_empty() { text } else { text + COMMA })
        })
    };
    Arc::new([[Short::EMPTY; 512], of(1), of(2)])
}

impl Line {
    fn new(table: &Table, form: &Form) -> Line {
        Line::of(table, form).unwrap_or(NO_LINE)
    }

    /// The line of a form, where it is one.
    fn of(table: &Table, form: &Form) -> Option<Line> {
        let mixed = |slot: &Slot| matches!(slot.kind, Kind::OptImm | Kind::Dual(_) | Kind::Memory(_));
        if form.row.family.is_joint() || form.slots.len() > PLACES || form.slots.iter().any(mixed) {
            return None;
        }
        let name = format!("{}{}", form.name, if form.slots.is_empty() { "" } else { " " });
        if name.len() > Short::MOST {
            return None;
        }
        let mut line = Line { name: Short::new(&name), count: form.slots.len() as u8, ..NO_LINE };
        for (place, slot) in line.places.iter_mut().zip(&form.slots) {
            *place = Place::new(table, slot);
        }
        for m in &form.mods {
            let mut bits = [0; 2];
            if m.span.lo + m.span.width > 64 || m.span.width2 != 0 && m.span.lo2 + m.span.width2 > 64 {
                line.spoken = true;
                continue;
            }
            m.span.set(&mut bits, u32::MAX);
            line.mods |= pair(bits[0], bits[1]);
            match silent(form, *m) {
                Some(value) => {
                    let mut bits = [0; 2];
                    m.span.set(&mut bits, value);
                    line.silent |= pair(bits[0], bits[1]);
                }
                None => line.spoken = true,
            }
        }
        Some(line)
    }
}

impl Place {
    /// A place; without texts where codes do not say all of it.
    fn new(table: &Table, slot: &Slot) -> Place {
        let span = slot.span;
        let mut place = NO_LINE.places[0];
        let bits = [slot.neg, slot.abs, slot.sext, slot.half, slot.acc];
        let short = (1..=9).contains(&span.width) && span.width2 == 0 && span.lo + span.width <= 64;
        let agpr = slot.acc == NO_BIT && !slot.allow.contains(Allow::VGPR) && slot.allow.contains(Allow::AGPR);
        if slot.kind == Kind::Vcc {
            return Place { words: if table.target.wave64() { Words::Two } else { Words::One }, above: VCC, ..place };
        }
        // Halves have a suffix always.
        if !short || slot.half != NO_BIT || agpr || bits.iter().any(|bit| *bit != NO_BIT && *bit >= 64) {
            return place;
        }
        let words = match slot.ty {
            Ty::Mask if table.target.wave32() => Words::One,
            Ty::Mask => Words::Two,
            Ty::F64x(_) => return place,
            ty if ty.dwords() == 1 => Words::One,
            Ty::B64 | Ty::F64 => Words::Two,
            // Constants are those of one element.
            ty if ty.dwords() == 2 && slot.kind != Kind::Source => Words::Two,
            _ => return place,
        };
        let above = match slot.kind {
            Kind::Source | Kind::Sgpr => 0,
            Kind::Vgpr => 256,
            _ => return place,
        };
        place.words = words;
        place.above = above;
        place.shift = span.lo;
        place.mask = span.max() as u16;
        place.signs = bits.iter().filter(|bit| **bit != NO_BIT).fold(0, |all, bit| all | 1 << bit);
        place
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
