//! Instructions of the ALU: slot, name, destination, sources, modifiers.

use super::source::{Notes, element, source, use_index};
use super::{checked, lookup, number, opcode_field, register_of, unknown};
use crate::isa::r600::format::{alu_op2, alu_op2_r700};
use crate::isa::r600::{Chip, Class, Machine, Place, Units};
use crate::r600::print::{SCALAR_SWIZZLES, SELECTS, VECTOR_SWIZZLES};
use crate::r600::program::{Inst, Slot};
use crate::r600::text::{Fault, Line, Modifier, Parsed, fault, set};

/// An ALU instruction as it was read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::r600) struct AluText {
    pub inst: Inst<2>,
    /// The letter before it.
    pub slot: Option<Slot>,
    /// The group does not end with it, though nothing follows.
    pub open: bool,
    /// Whether a bank swizzle was given.
    pub swizzled: bool,
}

/// `x: MUL R0.x, R1.x, R2.x`
pub(in crate::r600) fn alu(machine: Machine, line: &mut Line<'_>, notes: &mut Notes) -> Parsed<AluText> {
    let slot = match line.peek().to_ascii_lowercase() {
        b'x' => Some(Slot::X),
        b'y' => Some(Slot::Y),
        b'z' => Some(Slot::Z),
        b'w' => Some(Slot::W),
        b't' => Some(Slot::T),
        b'?' => None,
        _ => {
            let start = line.pos();
            return fault(start..start + 1, "expected a slot: x, y, z, w or t");
        }
    };
    line.bump(1);
    line.expect(b':')?;
    let name_at = line.here();
    let named @ (class, code, row) = lookup(machine, Place::Alu, line)?;
    let name_span = line.since(name_at);
    let three = class == Class::Op3;
    let code_field = opcode_field(machine, class);
    let mut words = [0; 2];
    set(&mut words, code_field, code, name_span.clone())?;
    let Some(inst) = checked(words, named, || Inst::alu(machine, words)) else {
        return fault(name_span, "this opcode is not of this class");
    };
    let format = inst.format(machine);
    let scaled = match (line.ahead(0), line.ahead(1)) {
        (b'*', b'2') => 1,
        (b'*', b'4') => 2,
        (b'/', b'2') => 3,
        _ => 0,
    };
    if scaled != 0 {
        line.bump(2);
        match (three, machine.chip) {
            (false, Chip::R600) => alu_op2::OMOD.set(&mut words, scaled),
            (false, Chip::R700) => alu_op2_r700::OMOD.set(&mut words, scaled),
            (true, _) => {
                return fault(line.since(name_at), "an instruction with three sources has no output modifier");
            }
        }
    }
    let (mut open, mut swizzled) = (false, false);
    let mut index = None;
    destination(line, three, slot, &mut words, &mut index)?;
    let sources = row.map_or(if three { 3 } else { 2 }, |row| usize::from(row.sources));
    for n in 0..sources {
        line.expect(b',')?;
        source(line, n, three, &mut words, &mut index, notes)?;
    }
    while let Some(Modifier { start, word, upper, call }) = line.modifier(format, &mut words)? {
        match (upper.as_str(), call) {
            ("CLAMP", false) => alu_op2::CLAMP.set(&mut words, 1),
            ("LAST", false) => alu_op2::LAST.set(&mut words, 1),
            ("CONT", false) => open = true,
            ("PRED_ZERO", false) => alu_op2::PRED_SEL.set(&mut words, 2),
            ("PRED_ONE", false) => alu_op2::PRED_SEL.set(&mut words, 3),
            ("PRED_SEL", true) => number(line, &mut words, alu_op2::PRED_SEL, 0)?,
            ("UPDATE_EXEC_MASK", false) if !three => alu_op2::UPDATE_EXECUTE_MASK.set(&mut words, 1),
            ("UPDATE_PRED", false) if !three => alu_op2::UPDATE_PRED.set(&mut words, 1),
            ("BANK_SWIZZLE", true) => {
                swizzled = true;
                number(line, &mut words, alu_op2::BANK_SWIZZLE, 0)?;
            }
            (name, false) => {
                let vector = VECTOR_SWIZZLES.iter().position(|known| *known == name);
                let scalar = SCALAR_SWIZZLES.iter().position(|known| *known == name);
                let Some(swizzle) = vector.or(scalar) else { return unknown(line, start, word, ALU_WORDS) };
                if slot.is_some_and(|slot| (slot == Slot::T) != scalar.is_some()) {
                    let message =
                        format!("{name} is a swizzle of {}", if scalar.is_some() { "slot t" } else { "vector slots" });
                    notes.warning = Some(Box::new(Fault { span: line.since(start), message }));
                }
                swizzled = true;
                alu_op2::BANK_SWIZZLE.set(&mut words, swizzle as u32);
            }
            _ => return unknown(line, start, word, ALU_WORDS),
        }
        if call {
            line.expect(b')')?;
        }
    }
    if let Some(row) = row {
        let units = row.units(machine.chip);
        let wrong = match (units, slot) {
            (Units::Trans, Some(Slot::X | Slot::Y | Slot::Z | Slot::W)) => Some("only slot t can do it"),
            (Units::Vector | Units::Reduction, Some(Slot::T)) => Some("slot t can not do it"),
            _ => None,
        };
        if let Some(wrong) = wrong {
            return fault(name_span, format!("{} on {}: {wrong}", row.name, machine.name()));
        }
    }
    // A field that was written by its name may be that of the opcode.
    let inst = if code_field.get(&words) == code { Inst { words, ..inst } } else { Inst::alu(machine, words) };
    Ok(AluText { inst, slot, open, swizzled })
}

const ALU_WORDS: &[&str] = &[
    "CLAMP",
    "LAST",
    "CONT",
    "PRED_ZERO",
    "PRED_ONE",
    "PRED_SEL",
    "UPDATE_EXEC_MASK",
    "UPDATE_PRED",
    "BANK_SWIZZLE",
    "VEC_012",
    "VEC_021",
    "VEC_120",
    "VEC_102",
    "VEC_201",
    "VEC_210",
    "SCL_210",
    "SCL_122",
    "SCL_212",
    "SCL_221",
];

/// `R1.x`, `____`, `__.y`, `__R1.x`, `R[1+AR.x].x`
fn destination(
    line: &mut Line<'_>,
    three: bool,
    slot: Option<Slot>,
    words: &mut [u32; 2],
    index: &mut Option<u32>,
) -> Parsed<()> {
    let start = line.here();
    // Most are plain registers.
    if matches!(line.ahead(0) | 0x20, b'r' | b't')
        && let Some((gpr, elem)) = line.operand()
    {
        if !three {
            alu_op2::WRITE_MASK.set(words, 1);
        }
        alu_op2::DST_GPR.set(words, gpr);
        return destination_element(line, start, slot, elem, words);
    }
    let word = line.word();
    let masked = word.strip_prefix("__");
    if masked.is_some() && three {
        return fault(
            line.since(start),
            "an instruction with three sources has no write mask; name a register that is free",
        );
    }
    if masked == Some("__") {
        let own = slot.filter(|slot| *slot != Slot::T).map_or(0, |slot| slot as u32);
        alu_op2::DST_ELEM.set(words, own);
        return Ok(());
    }
    if !three && masked.is_none() {
        alu_op2::WRITE_MASK.set(words, 1);
    }
    if masked != Some("") {
        let (gpr, found) = register_of(line, start, masked.unwrap_or(word))?;
        alu_op2::DST_GPR.set(words, gpr);
        if let Some(mode) = found {
            alu_op2::DST_REL.set(words, 1);
            use_index(words, index, mode, line.since(start))?;
        }
    }
    let elem = element(line)?;
    destination_element(line, start, slot, elem, words)
}

/// The element of a destination that begins at `start`.
#[inline]
fn destination_element(
    line: &Line<'_>,
    start: usize,
    slot: Option<Slot>,
    elem: u32,
    words: &mut [u32; 2],
) -> Parsed<()> {
    if let Some(slot) = slot.filter(|slot| *slot != Slot::T && *slot != Slot::vector(elem)) {
        let (slot, letter) = (slot.letter(), char::from(SELECTS[elem as usize]));
        return fault(line.since(start), format!("slot {slot} writes element {slot}, not {letter}"));
    }
    alu_op2::DST_ELEM.set(words, elem);
    Ok(())
}
