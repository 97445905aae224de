//! What a program needs: its instructions with how well they are executed, the registers that it names, and what of the machine it uses.
//!
//! The program is read from its beginning, one instruction behind the other, reached or not; words that are no instructions are counted. Registers
//! that are reached through M0 are not seen.

use super::{Fidelity, instructions};
use crate::emu::plan::Program;
use crate::emu::traced::record::{Registers, registers};
use crate::isa::form::{Form, Variant};
use crate::isa::row::{Family, Traits};
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
    let (row, name) = (form.row, form.row.name);
    let family = match row.family {
        Family::Smem => Some("scalar memory"),
        Family::Ds => Some("local memory"),
        Family::Mubuf => Some("buffers"),
        Family::Mtbuf => Some("typed buffers"),
        Family::Flat => Some("flat addresses"),
        Family::Global => Some("global addresses"),
        Family::Scratch => Some("scratch"),
        Family::Vop3p => Some("packed math"),
        Family::Vopd => Some("dual instructions"),
        _ => super::later(row),
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
    for (part, feature) in FEATURES {
        if name.contains(part) {
            all.insert(feature);
        }
    }
}

/// Parts of names, and what they mean.
#[rustfmt::skip]
static FEATURES: &[(&str, &str)] = &[
    ("_f64", "f64"), ("_f16", "f16"), ("_bf16", "bf16"), ("_fp8", "fp8"), ("_bf8", "fp8"),
    ("wmma", "matrix instructions"), ("mfma", "matrix instructions"), ("smfmac", "matrix instructions"),
    ("v_dot", "dot products"),
    ("readlane", "lane operations"), ("writelane", "lane operations"), ("readfirstlane", "lane operations"), ("permlane", "lane operations"),
    ("permute", "lane operations"), ("swizzle", "lane operations"),
    ("s_barrier", "barriers"), ("s_sendmsg", "messages"), ("s_trap", "traps"),
    ("s_swappc", "calls"), ("s_call", "calls"), ("s_setpc", "calls"),
    ("s_setreg", "hardware registers"), ("s_getreg", "hardware registers"), ("s_round_mode", "hardware registers"),
    ("s_denorm_mode", "hardware registers"),
    ("movrel", "relative registers"), ("gpr_idx", "relative registers"),
    ("_fork", "forks"), ("subvector", "subvector loops"), ("s_memtime", "clocks"), ("s_memrealtime", "clocks"),
];
