//! One random instruction of a form, with an operand of a kind in one of its places.
//!
//! As in [`laws`](crate::laws), fields are set and the decoder refuses what is no instruction. But registers stay among those that programs
//! of a pool use, and what stands in each place is known afterwards.

use super::operand::{self, Operand};
use super::{export, image, memory};
use crate::disasm;
use crate::isa::Gen;
use crate::isa::examples::modifier_values;
use crate::isa::form::{Form, Kind, Mod, NO_BIT, Slot, Table, Variant};
use crate::isa::format::Span;
use crate::isa::operand::{Symbol, Ty};
use crate::laws::Chance;

/// Words enough for any instruction and a literal.
pub(super) const WORDS: usize = 8;

/// What stands in the place of a source.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The row; the second one of a dual instruction has a name of its own.
    pub row: &'static str,
    /// Which source it is.
    pub source: u8,
    /// What it is.
    pub operand: Operand,
    /// The code; a vector register counts from 256.
    pub code: u32,
    /// How it is read.
    pub ty: Ty,
    /// The class of a literal.
    pub class: u8,
    /// Which modifiers it has.
    pub bits: u8,
}

/// An instruction.
#[derive(Clone, Debug)]
pub(super) struct Drawn {
    /// What must stand in front of it.
    pub before: Vec<u32>,
    pub words: Vec<u32>,
    pub row: &'static str,
    /// Format and variant, which tell the forms of a row apart.
    pub shape: (&'static str, Variant),
    pub places: Vec<Place>,
    /// Which modifiers are not as usual, a bit each.
    pub modifiers: u64,
}

/// The row that a place belongs to, and which of its sources it is: nothing where it is a destination.
pub(super) fn source(form: &Form, at: usize) -> Option<(&'static str, u8)> {
    if memory::takes(form) {
        return memory::source(form, at);
    }
    if image::takes(form) {
        return image::source(form, at);
    }
    if export::takes(form) {
        return export::source(form, at);
    }
    let slot = &form.slots[at];
    if slot.source == NO_BIT && slot.kind != Kind::Literal {
        return None;
    }
    let row = form.slots[..at].iter().rev().find_map(|slot| match slot.kind {
        Kind::Dual(name) => Some(name),
        _ => None,
    });
    let number = if slot.kind == Kind::Literal { 3 } else { slot.source };
    Some((row.unwrap_or(form.row.name), number))
}

/// The kinds of operands that a place may hold.
pub(super) fn kinds(form: &Form, at: usize) -> Vec<Operand> {
    match form {
        _ if memory::takes(form) => memory::kinds(form, &form.slots[at]),
        _ if image::takes(form) || export::takes(form) => vec![Operand::Vector],
        _ => operand::kinds(&form.slots[at]),
    }
}

/// An instruction of a form. `forced` says what a place must hold.
pub(super) fn draw(
    table: &'static Table,
    form: &Form,
    forced: Option<(usize, Operand)>,
    chance: &mut Chance,
) -> Option<Drawn> {
    if memory::takes(form) {
        return memory::draw(table, form, forced, chance);
    }
    if image::takes(form) {
        return image::draw(table, form, chance);
    }
    if export::takes(form) {
        return export::draw(table, form, chance);
    }
    let mut words = [0u32; WORDS];
    words[..3].copy_from_slice(&form.base);
    let generation = table.target.generation();
    let (literal, class) = operand::literal(chance);
    words[usize::from(form.words)] = literal;
    let mut places = Vec::new();
    let plain = chance.below(3) == 0;
    for (at, slot) in form.slots.iter().enumerate() {
        let mut bits = 0;
        for (n, bit) in [slot.neg, slot.abs, slot.sext, slot.half].into_iter().enumerate() {
            if bit != NO_BIT && !plain && chance.below(3) == 0 {
                Span::new(bit, bit).set(&mut words, 1);
                bits |= 1 << n;
            }
        }
        let wanted = forced.filter(|(place, _)| *place == at).map(|(_, kind)| kind);
        let wide = u32::from(if slot.ty == Ty::Mask && table.target.wave32() { 1 } else { slot.ty.dwords() });
        let Some((row, source)) = source(form, at) else {
            target(form, slot, wide, generation, &mut words, chance)?;
            continue;
        };
        let kinds = operand::kinds(slot);
        let Some(kind) = wanted.or_else(|| usual(&kinds, chance)) else {
            target(form, slot, wide, generation, &mut words, chance)?;
            continue;
        };
        let code = operand::code(kind, generation, wide, chance);
        match slot.kind {
            Kind::Literal => {}
            Kind::SdwaSource(scalar) => {
                slot.span.set(&mut words, code & 0xff);
                scalar.set(&mut words, u32::from(code < 256));
            }
            Kind::Vgpr => set_register(slot, &mut words, code & 0xff),
            _ => {
                if code > slot.span.max() {
                    return None;
                }
                slot.span.set(&mut words, code);
            }
        }
        places.push(Place { row, source, operand: kind, code, ty: slot.ty, class, bits });
    }
    let mut modifiers = 0;
    for m in &form.mods {
        let values = modifier_values(m.id, m.span);
        // Masks of rows and banks are usually full; others are off.
        let n = if plain || chance.below(2) == 0 { 0 } else { chance.below(values.len()) };
        let Some(value) = values.get(n) else { continue };
        m.span.set(&mut words, *value);
        modifiers |= u64::from(n != 0) << (m.id as u8);
        if m.id == Mod::DppCtrl && values.len() > 1 {
            m.span.set(&mut words, values[chance.below(values.len())]);
        }
    }
    let decoded = disasm::decode(table, &words).ok().filter(|decoded| std::ptr::eq(decoded.form, form))?;
    disasm::executed(table, &words).ok()?;
    // A place may be read otherwise than it was written: halves that overlap, dual places.
    let words = words[..usize::from(decoded.len)].to_vec();
    Some(Drawn {
        before: Vec::new(),
        words,
        row: form.row.name,
        shape: (form.format.name, form.variant),
        places,
        modifiers,
    })
}

/// A kind for a place of which nothing is wanted: mostly a vector register, where it may be one.
fn usual(kinds: &[Operand], chance: &mut Chance) -> Option<Operand> {
    if kinds.contains(&Operand::Vector) && chance.below(8) != 0 {
        return Some(Operand::Vector);
    }
    kinds.get(chance.below(kinds.len())).copied()
}

/// The field of a vector register; the lowest bit of the second destination of a dual instruction is not written.
fn set_register(slot: &Slot, words: &mut [u32], register: u32) {
    let value = if slot.kind == Kind::DualVdst && slot.span.bits() < 8 { register / 2 } else { register };
    // The highest bit may be the half.
    if slot.half != NO_BIT && slot.half == slot.span.lo + 7 {
        Span::new(slot.span.lo + 6, slot.span.lo).set(words, value);
    } else {
        slot.span.set(words, value);
    }
}

/// A destination, or an immediate.
fn target(form: &Form, slot: &Slot, wide: u32, g: Gen, words: &mut [u32], chance: &mut Chance) -> Option<()> {
    let any = chance.next_u64() as u32;
    let value = match slot.kind {
        Kind::Vgpr | Kind::DualVdst => {
            set_register(slot, words, operand::vector(wide, chance));
            return Some(());
        }
        Kind::Source if slot.span.bits() >= 9 => 256 + operand::vector(wide, chance),
        Kind::Sgpr | Kind::Source => operand::destination(g, wide, chance),
        Kind::SdwaSdst(scalar) => {
            let to = operand::destination(g, wide, chance);
            scalar.set(words, u32::from(to != 106));
            if to == 106 { 0 } else { to }
        }
        Kind::Symbolic(Symbol::Hwreg) => hwreg(form.row.name, chance),
        Kind::Target | Kind::Memory(_) | Kind::Attr(_) | Kind::InterpSlot | Kind::Message | Kind::Barrier => {
            return None;
        }
        Kind::Symbolic(_) | Kind::Simm | Kind::Uimm | Kind::PlainImm | Kind::OptImm => {
            [any, any & 0x3f, any | 0xffff_ff00, 1, 0x8000, 0x7fff][chance.below(6)]
        }
        Kind::SdwaSource(_) | Kind::Vcc | Kind::Word { .. } | Kind::Literal | Kind::Dual(_) => return Some(()),
    };
    if slot.span.width != 0 {
        slot.span.set(words, value & slot.span.max());
    }
    Some(())
}

/// A field of a hardware register that means the same at all times: of MODE, what floats look at; of STATUS, to read.
fn hwreg(row: &str, chance: &mut Chance) -> u32 {
    const MODE: u32 = 1;
    const FLOATS: usize = 10;
    if row.starts_with("s_getreg") {
        let width = chance.below(16) as u32;
        return MODE | (chance.below(16) as u32) << 6 | width << 11;
    }
    let first = chance.below(FLOATS);
    let width = chance.below(FLOATS - first) as u32;
    MODE | (first as u32) << 6 | width << 11
}
