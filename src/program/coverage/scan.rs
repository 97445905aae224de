//! What a program needs: its instructions with how well they are executed, the registers that it names, and what of the machine it uses.
//!
//! The program is read from its beginning, one instruction behind the other, reached or not; words that are no instructions are counted. Registers
//! that are reached through M0 are not seen.

use super::{Fidelity, instructions};
use crate::isa::does::{Control, Does, Lanes};
use crate::isa::form::{Form, Variant};
use crate::isa::row::{Family, Inst, Traits};
use crate::isa::rules;
use crate::program::Program;
use crate::program::named::{Registers, registers};
use std::collections::{BTreeMap, BTreeSet};

/// An instruction of a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Opcode {
    /// Its name, without the suffix of its encoding.
    pub name: &'static str,
    /// The name of its family.
    pub family: &'static str,
    /// How often it stands there.
    pub count: usize,
    /// Where it stands first, in bytes from the start of the text.
    pub first: u64,
    /// How well it is executed.
    pub fidelity: Fidelity,
}

/// What a program needs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Needs {
    /// Its instructions: what is not executed first, then what is approximate, by name.
    pub opcodes: Vec<Opcode>,
    /// Words that are no instruction.
    pub none: usize,
    /// One past the highest registers that it names.
    pub registers: Registers,
    /// What of the machine it uses, in a few fixed words.
    pub features: BTreeSet<&'static str>,
}

/// What a program needs.
#[must_use]
pub fn scan(program: &Program) -> Needs {
    let mut needs = Needs::default();
    let mut opcodes: BTreeMap<(u8, &'static str, &'static str), Opcode> = BTreeMap::new();
    let generation = program.target.generation();
    let mut read = 0;
    for (at, form, fidelity) in instructions(program) {
        let order = match fidelity {
            Fidelity::Unsupported(_) => 0,
            Fidelity::Approximate(_) => 1,
            Fidelity::Exact => 2,
        };
        let (name, family) = (form.row.name_in(generation), super::family_name(form.row.family));
        let first = u64::from(at) * 4;
        let fresh = Opcode { name, family, count: 0, first, fidelity };
        opcodes.entry((order, name, family)).or_insert(fresh).count += 1;
        needs.registers.include(registers(&program.text(at), &program.target));
        features(form, &mut needs.features);
        let end = program.steps.get(at as usize).map_or(at + 1, |step| step.next);
        read += end.saturating_sub(at) as usize;
    }
    needs.none = program.words.len().saturating_sub(read);
    needs.opcodes = opcodes.into_values().collect();
    needs
}

/// What an instruction uses.
fn features(form: &Form, all: &mut BTreeSet<&'static str>) {
    let row = form.row;
    let family = match row.family {
        Family::Smem => Some("scalar memory"),
        Family::Ds => Some("local memory"),
        Family::Mubuf => Some("buffers"),
        Family::Mtbuf => Some("typed buffers"),
        Family::Flat => Some("flat addresses"),
        Family::Global => Some("global addresses"),
        Family::Scratch => Some("scratch"),
        Family::Mimg if matches!(row.does, Does::Ray(_)) => Some("ray tracing"),
        Family::Mimg => Some("images"),
        Family::Vop3p => Some("packed math"),
        Family::Vopd => Some("dual instructions"),
        _ => None,
    };
    all.extend(family);
    all.extend(match form.variant {
        Variant::Base => None,
        Variant::Sdwa => Some("SDWA"),
        Variant::Dpp => Some("DPP"),
        Variant::Dpp8 => Some("DPP8"),
    });
    if row.traits.contains(Traits::ATOMIC) {
        all.insert("atomics");
    }
    all.extend(rules::number_formats(row));
    all.extend(done(row));
}

/// What it takes to do what a row does.
fn done(row: &Inst) -> Option<&'static str> {
    use Control::*;
    match row.does {
        Does::Product(_) => Some("matrix instructions"),
        Does::Stack(_) => Some("ray tracing"),
        Does::Across(_) => Some("global wave sync"),
        does if does.is_relative() => Some("relative registers"),
        Does::Lanes(Lanes::Interpolate(_) | Lanes::Parameter(_) | Lanes::Direct) => Some("interpolation"),
        Does::Lanes(lanes) => lanes.crosses().then_some("lane operations"),
        Does::Clock => Some("clocks"),
        Does::Control(control) => match control {
            Barrier | BarrierSignal { .. } | BarrierState | BarrierLeave => Some("barriers"),
            Send | SendAndHalt | SendReturn { .. } => Some("messages"),
            Trap | TrapReturn => Some("traps"),
            SetPc | SwapPc | Call => Some("calls"),
            SetReg | GetReg | RoundMode | DenormMode => Some("hardware registers"),
            GprIndexOn | GprIndexOff | GprIndex | GprIndexMode => Some("relative registers"),
            ForkToRegister | ForkToLabel | Join => Some("forks"),
            SubvectorBegin | SubvectorEnd => Some("subvector loops"),
            // Relative ones are dealt with.
            MoveRelativeSource { .. } | MoveRelativeDestination { .. } | MoveRelativeBoth => None,
            End | Halt | CodeEnd | Branch(_) | GetPc | SetVskip => None,
        },
        _ => None,
    }
}
