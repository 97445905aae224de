//! Which instructions of a processor belong to a suite of singles.
//!
//! Every form of every row gives its plain instruction and some with operands and modifiers by chance ([`instructions`]). What the emulator does not
//! execute is left out, and so is what would not go on behind itself, apart from branches: those skip one instruction that tells.

use super::Suite;
use crate::disasm;
use crate::emu::plan::Program;
use crate::isa::Target;
use crate::isa::form::{Form, Kind, NO_BIT, Table, Variant};
use crate::isa::operand::Part;
use crate::isa::row::Family;
use crate::laws::{Density, instructions};
use crate::spirv::cfg::{Flow, flow};

/// One instruction of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Single {
    /// The words of the instruction, and of what it may skip.
    pub words: Vec<u32>,
    /// The name of its row.
    pub row: &'static str,
    /// Which one of its suite and processor it is: its inputs follow from that.
    pub number: u32,
}

/// The suite of the singles of a form; nothing for what has none, as images.
#[must_use]
pub fn suite_of(form: &Form) -> Option<Suite> {
    use Family::*;
    let name = form.row.name;
    let crosses = matches!(form.variant, Variant::Dpp | Variant::Dpp8)
        || ["v_readlane", "v_readfirstlane", "v_writelane", "v_permlane", "v_swaprel", "v_mbcnt"]
            .iter()
            .any(|p| name.starts_with(p))
        || ["ds_swizzle_b32", "ds_permute_b32", "ds_bpermute_b32", "ds_bpermute_fi_b32"].contains(&name);
    Some(match form.row.family {
        _ if crosses => Suite::Lanes,
        Vop3p if ["v_wmma", "v_swmmac", "v_mfma", "v_smfmac"].iter().any(|p| name.starts_with(p)) => Suite::Matrix,
        Mai => Suite::Matrix,
        Sop1 | Sop2 | Sopk | Sopc | Sopp if name.starts_with("s_cbranch") || name == "s_branch" => Suite::Control,
        Sop1 | Sop2 | Sopk | Sopc | Sopp | Vop1 | Vop2 | Vopc | Vop3 | Vop3p | Vopd | Vinterp => Suite::Alu,
        Ds => Suite::Lds,
        Smem | Mubuf | Mtbuf | Flat | Global | Scratch => Suite::Memory,
        _ => return None,
    })
}

/// Whether MODE can change what a form gives: where an operand is a float.
fn minds_modes(form: &Form) -> bool {
    suite_of(form) == Some(Suite::Alu) && form.slots.iter().any(|slot| slot.ty.is_float())
}

/// The singles of a suite: for each form the plain instruction and so many by chance.
#[must_use]
pub fn singles(target: Target, suite: Suite, mixed: usize) -> Vec<Single> {
    let target = Program::plan(target, &[], 0).target;
    let table = Table::of(target);
    let belongs = |form: &&Form| match suite {
        Suite::Modes => minds_modes(form),
        _ => suite_of(form) == Some(suite),
    };
    // There are few matrix instructions, and each has many modifiers: signs of either operand, a type for each part.
    let mixed = if suite == Suite::Matrix { 4 * mixed } else { mixed };
    let mut all = Vec::new();
    for form in table.forms.iter().filter(belongs) {
        for mut words in drawn(table, form, mixed) {
            if all.len() % HIGH != 0 {
                lower(table, form, &mut words);
            }
            let program = Program::plan(target, &words, 0);
            let step = &program.steps[0];
            let skips = suite == Suite::Control;
            if !step.executes || (flow(step) == Flow::Breaks) != skips {
                continue;
            }
            all.push(Single { words, row: form.row.name, number: all.len() as u32 });
        }
    }
    all
}

/// One of so many instructions may name any vector register; the others name low ones, since waves with few registers are done far sooner.
const HIGH: usize = 8;

/// Lets an instruction name low vector registers only, where that is possible: what is far apart stays apart, even stays even.
fn lower(table: &Table, form: &Form, words: &mut [u32]) {
    let before = words.to_vec();
    for slot in &form.slots {
        let code = slot.span.get(words);
        let is_register = match slot.kind {
            Kind::Source => slot.span.bits() >= 9 && code >= VECTOR,
            Kind::SdwaSource(scalar) => scalar.get(words) == 0,
            Kind::Vgpr | Kind::DualVdst | Kind::Memory(Part::Vdst | Part::Data | Part::Data1 | Part::Addr) => true,
            _ => false,
        };
        if is_register {
            // The highest bit may say which half of a register is meant.
            let has_half = slot.half != NO_BIT && slot.half == slot.span.lo + 7;
            let kept = code & if has_half { VECTOR | 0x80 } else { VECTOR };
            let number = code ^ kept;
            let low = number / 32 * 4 + number % 4;
            slot.span.set(words, kept | low);
        }
    }
    let same = |decoded: disasm::Decoded<'_>| std::ptr::eq(decoded.form, form);
    if !disasm::decode(table, words).is_ok_and(same) {
        words.copy_from_slice(&before);
    }
}

/// The code of the first vector register, as a source; destinations have no such bit.
const VECTOR: u32 = 256;

/// The plain instruction of a form, and the last ones that are made, which are by chance.
fn drawn(table: &Table, form: &Form, mixed: usize) -> Vec<Vec<u32>> {
    let mut all: Vec<Vec<u32>> = Vec::new();
    instructions(form, Density { full: false, mixed: mixed * 8, seed: 7 }, &mut |words| {
        let mut words = words.to_vec();
        let mut behind = None;
        for slot in form.slots.iter().filter(|slot| slot.kind == Kind::Target) {
            slot.span.set(&mut words, 1);
            behind = marker(table);
        }
        if let Ok(decoded) = disasm::decode(table, &words)
            && std::ptr::eq(decoded.form, form)
            && disasm::executed(table, &words).is_ok()
        {
            words.truncate(usize::from(decoded.len));
            words.extend(behind);
            all.push(words);
        }
    });
    if all.is_empty() {
        return all;
    }
    let mut rest = all.split_off(1);
    rest.reverse();
    rest.truncate(mixed);
    all.extend(rest);
    all.dedup();
    all
}

/// `s_not_b32 s0, s0`, which is seen where it was not skipped.
fn marker(table: &Table) -> Option<u32> {
    table.forms.iter().find(|form| form.row.name == "s_not_b32").map(|form| form.base[0])
}
