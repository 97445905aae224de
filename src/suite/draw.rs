//! Which instructions of a processor belong to a suite of singles.
//!
//! Every form of every row gives its plain instruction and some with random operands and modifiers ([`instructions`]). What the emulator does not
//! execute is left out, and so is what would not go on behind itself, apart from branches: those skip one instruction that tells.
//!
//! A single is called what it is: `v_add_f32_e64`, and where a mnemonic has several, all but the first have a digest of their words behind it,
//! `v_add_f32_e64~3fa2`. Its inputs follow from its name. So neither a name nor what it stands for changes when a row is added.

use super::Suite;
use super::addresses::has_room;
use super::digest::Digest;
use super::images;
use crate::disasm;
use crate::isa::does::{Control, Does, Lanes};
use crate::isa::form::{Form, Kind, Mod, NO_BIT, Table, Variant};
use crate::isa::operand::Part;
use crate::isa::row::Family;
use crate::isa::rules;
use crate::isa::{Gen, Target};
use crate::laws::{Density, instructions};
use crate::program::Program;
use std::collections::HashSet;

/// One instruction of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Single {
    /// What it is called among those of its suite, processor and wave size: `v_add_f32_e64~3fa2`.
    pub name: String,
    /// The words of the instruction, and of what it may skip.
    pub words: Vec<u32>,
    /// The name of its row.
    pub row: &'static str,
    /// Its inputs follow from this, which follows from its name.
    pub number: u32,
}

impl Single {
    /// A single by its name and its words; nothing if these are no instruction.
    #[must_use]
    pub fn new(target: Target, name: String, words: Vec<u32>) -> Option<Single> {
        let row = Program::new(target, &words, 0).steps.first()?.row?.name;
        Some(Single::of_row(name, words, row))
    }

    fn of_row(name: String, words: Vec<u32>, row: &'static str) -> Single {
        let number = Digest::of_bytes(name.as_bytes()) as u32;
        Single { name, words, row, number }
    }

    /// The mnemonic: its name without the digest of its words.
    #[must_use]
    pub fn form(&self) -> &str {
        self.name.split('~').next().unwrap_or_default()
    }
}

/// Gives the words of a suite their names.
#[derive(Default)]
struct Names(HashSet<String>);

impl Names {
    /// The first of a mnemonic is called that; of the others as many digits of the digest are taken as tell it from those before.
    fn give(&mut self, mnemonic: &str, words: &[u32]) -> String {
        let digits = format!("{:016x}", of(words));
        let longer = (4..=digits.len()).map(|n| format!("{mnemonic}~{}", &digits[..n]));
        let mut names = std::iter::once(mnemonic.to_owned()).chain(longer);
        names.find(|name| self.0.insert(name.clone())).unwrap_or_default()
    }
}

/// A digest of the words of an instruction.
fn of(words: &[u32]) -> u64 {
    Digest::of_words(words.iter().map(|word| u64::from(*word)))
}

/// The suite of the singles of a form; nothing for what a wave alone does not show.
#[must_use]
pub fn suite_of(form: &Form) -> Option<Suite> {
    use Family::*;
    let crosses = match form.row.does {
        Does::Lanes(Lanes::Interpolate(_)) => false,
        Does::Lanes(lanes) => lanes.crosses() || lanes == Lanes::SwapRelative,
        _ => rules::counts_lanes(form.row),
    };
    Some(match (form.row.family, form.row.does) {
        _ if crosses || matches!(form.variant, Variant::Dpp | Variant::Dpp8) => Suite::Lanes,
        // What groups share one group alone does not show.
        (_, Does::Across(_)) => return None,
        (Vop3p, Does::Product(_)) | (Mai, _) => Suite::Matrix,
        (_, Does::Control(Control::Branch(_) | Control::ForkToRegister | Control::ForkToLabel | Control::Join)) => {
            Suite::Control
        }
        (Sop1 | Sop2 | Sopk | Sopc | Sopp | Vop1 | Vop2 | Vopc | Vop3 | Vop3p | Vopd | Vinterp, _) => Suite::Alu,
        (Ds, _) => Suite::Lds,
        (Vintrp | Vop3Interp | Ldsdir | Exp, _) => Suite::Export,
        (Smem | Mubuf | Mtbuf | Flat | Global | Scratch, _) => Suite::Memory,
        (Mimg, _) => Suite::Image,
    })
}

/// Whether MODE can change what a form gives: where an operand is a float.
fn minds_modes(form: &Form) -> bool {
    suite_of(form) == Some(Suite::Alu) && form.slots.iter().any(|slot| slot.ty.is_float())
}

/// The singles of a suite: for each form the plain instruction and so many random ones.
#[must_use]
pub fn singles(target: Target, suite: Suite, mixed: usize) -> Vec<Single> {
    singles_of(target, suite, mixed, false)
}

/// Singles on the global data share, which are in no suite: what one leaves there the next one finds.
#[must_use]
pub fn global_singles(target: Target, mixed: usize) -> Vec<Single> {
    singles_of(target, Suite::Lds, mixed, true)
}

fn singles_of(target: Target, suite: Suite, mixed: usize, global: bool) -> Vec<Single> {
    let target = Program::new(target, &[], 0).target;
    let table = Table::of(target);
    let belongs = |form: &&Form| match suite {
        Suite::Modes => minds_modes(form),
        _ => suite_of(form) == Some(suite),
    };
    let draws = if mixed <= ALL { DRAWN } else { 8 * mixed };
    // There are few matrix instructions, and each has many modifiers: signs of either operand, a type for each part.
    let mixed = if suite == Suite::Matrix { 4 * mixed } else { mixed };
    let (mut all, mut names, mut seen) = (Vec::new(), Names::default(), HashSet::new());
    for form in table.forms.iter().filter(belongs) {
        for mut words in drawn(table, form, mixed, draws) {
            if !of(&words).is_multiple_of(HIGH) {
                lower(table, form, &mut words);
            }
            if let Some(gds) = form.mods.iter().find(|m| global && m.id == Mod::Gds) {
                gds.span.set(&mut words, 1);
            }
            let program = Program::new(target, &words, 0);
            let step = &program.steps[0];
            let skips = suite == Suite::Control;
            // A number in the instruction that is no format, or none that can be stored, says nothing of the row; nor does a descriptor where the stage
            // puts none, which has a random format.
            let formless = step.memory.as_ref().is_some_and(|access| match &access.format {
                _ if form.row.family == Family::Mimg => !images::has_room(access),
                _ if matches!(form.row.family, Family::Mubuf | Family::Mtbuf) && !has_room(access.base) => true,
                Some(Ok(format)) => matches!(form.row.does, Does::Store(_)) && format.store([0; 4]).is_err(),
                Some(Err(_)) => true,
                None => false,
            });
            // One wave has nobody to wait for.
            if !step.executes
                || program.across != global
                || formless
                || step.breaks_flow() != skips
                || !seen.insert(words.clone())
            {
                continue;
            }
            all.push(Single::of_row(names.give(form.name, &words), words, form.row.name));
        }
    }
    all
}

/// One of so many instructions may name any vector register; the others name low ones, since waves with few registers are done far sooner.
const HIGH: u64 = 8;

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

/// The same instruction with ordinary registers where it names some of the machine's and its trap handler's: trap temporaries,
/// their addresses, the XNACK mask. A program on a card neither sets nor reads those.
#[must_use]
pub fn for_programs(target: Target, words: &[u32]) -> Vec<u32> {
    let target = Program::new(target, &[], 0).target;
    let table = Table::of(target);
    let Ok(decoded) = disasm::executed(table, words).map(|executed| executed.decoded) else { return words.to_vec() };
    let form = decoded.form;
    let first = if matches!(target.generation(), Gen::Gfx8 | Gen::Gfx9) { XNACK } else { HANDLER };
    let mut tamed = words.to_vec();
    for slot in &form.slots {
        let scale = match slot.kind {
            Kind::Memory(Part::Sbase) => 2,
            Kind::Memory(Part::Rsrc) if slot.span.bits() < 7 => 4,
            Kind::SdwaSource(scalar) if scalar.get(words) == 0 => continue,
            Kind::Source | Kind::Sgpr | Kind::SdwaSource(_) | Kind::SdwaSdst(_) => 1,
            Kind::Memory(Part::Rsrc | Part::Soffset | Part::Saddr | Part::Sdata) => 1,
            _ => continue,
        };
        let code = slot.span.get(&tamed) * scale;
        if (first..M0).contains(&code) {
            // What begins at a multiple of four begins at one again.
            slot.span.set(&mut tamed, (code - XNACK) / scale);
        }
    }
    let same = |decoded: disasm::Decoded<'_>| std::ptr::eq(decoded.form, form);
    if disasm::decode(table, &tamed).is_ok_and(same) { tamed } else { words.to_vec() }
}

/// The first codes of registers that only the machine sets, and of those that its trap handler has; what follows them.
const XNACK: u32 = 104;
const HANDLER: u32 = 108;
const M0: u32 = 124;

/// The code of the first vector register, as a source; destinations have no such bit.
const VECTOR: u32 = 256;

/// The most instructions of a form, beside the plain one, that suites have, and how many are drawn for any number up to that: so the few are among the
/// many. Who wants more gets others.
const ALL: usize = 3;
const DRAWN: usize = 24;

/// The plain instruction of a form, and the last ones that are made, which are random.
fn drawn(table: &Table, form: &Form, mixed: usize, drawn: usize) -> Vec<Vec<u32>> {
    let mut all: Vec<Vec<u32>> = Vec::new();
    instructions(form, Density { full: false, mixed: drawn, seed: 7 }, &mut |words| {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::Arch;

    /// Names are unique, say what they are, and mean the same where more of each form is drawn.
    #[test]
    fn names_are_what_they_are() {
        for (arch, suite) in [("gfx900", Suite::Alu), ("gfx1100", Suite::Memory), ("gfx1200", Suite::Lanes)] {
            let target = Target::new(Arch::find(arch).expect("a processor"));
            let [few, many] = [1, 3].map(|mixed| singles(target, suite, mixed));
            assert!(few.len() < many.len(), "{arch} {suite}");
            for all in [&few, &many] {
                let names: HashSet<&str> = all.iter().map(|single| single.name.as_str()).collect();
                assert_eq!(names.len(), all.len(), "{arch} {suite}");
            }
            for single in &few {
                let same = many.iter().find(|other| other.name == single.name);
                assert_eq!(same, Some(single), "{arch} {suite}");
                let again = Single::new(target, single.name.clone(), single.words.clone());
                assert_eq!(again.as_ref(), Some(single), "{arch} {suite}: what a worker makes of name and words");
            }
        }
    }

    /// The plain instruction is called by its mnemonic alone, and a digest tells apart what shares one.
    #[test]
    fn what_shares_a_mnemonic_has_digests() {
        let mut names = Names::default();
        let given: Vec<String> =
            [[1, 2], [3, 4], [3, 4]].iter().map(|words| names.give("v_add_f32_e64", words)).collect();
        assert_eq!(given[0], "v_add_f32_e64");
        assert!(given[1].starts_with("v_add_f32_e64~") && given[1].len() == given[0].len() + 5, "{given:?}");
        assert!(given[2].starts_with(&given[1]) && given[2].len() == given[1].len() + 1, "one digit more: {given:?}");
    }
}
