//! Every vector row has a step; and no vector instruction panics, whatever its words and registers are.

use super::machine::{MACHINES, Machine};
use proptest::prelude::*;
use std::collections::BTreeSet;
use wavediff::disasm;
use wavediff::isa::form::{Form, Table};
use wavediff::isa::row::Family;
use wavediff::laws::{Chance, Density, instructions};
use wavediff::program::Program;

/// The families whose rows are listed.
fn is_vector(family: Family) -> bool {
    use Family::*;
    matches!(family, Vop1 | Vop2 | Vop3 | Vopc | Vop3p | Vopd | Mai | Vinterp)
}

/// The table that programs of a machine are decoded with.
pub fn table(machine: Machine) -> &'static Table {
    Table::of(Program::new(machine.target(), &[], 0).target)
}

/// Words of a form that decode as it.
fn example(table: &Table, form: &Form) -> Option<Vec<u32>> {
    let mut found = None;
    instructions(form, Density { full: false, mixed: 0, seed: 0 }, &mut |words| {
        let is = found.is_none() && disasm::decode(table, words).is_ok_and(|d| std::ptr::eq(d.form, form));
        if is {
            found = Some(words.to_vec());
        }
    });
    found
}

#[test]
fn every_vector_row_has_a_step() {
    let mut missing = BTreeSet::new();
    for machine in MACHINES {
        let table = table(machine);
        for form in table.forms.iter().filter(|form| is_vector(form.row.family)) {
            let words = example(table, form).unwrap_or_else(|| panic!("{machine:?}: no words of {}", form.name));
            if !Program::new(machine.target(), &words, 0).steps[0].executes {
                missing.insert(format!("{} {:?} on {} ({})", form.name, form.variant, machine.name, machine.lanes));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

/// Words of a vector form, each field at random; several tries.
fn random(table: &Table, chance: &mut Chance) -> Option<Vec<u32>> {
    let vector: Vec<&Form> = table.forms.iter().filter(|form| is_vector(form.row.family)).collect();
    for _ in 0..50 {
        let words = filled(table, vector[chance.below(vector.len())], chance);
        if words.is_some() {
            return words;
        }
    }
    None
}

/// Words of a form, each field at random.
pub fn filled(table: &Table, form: &Form, chance: &mut Chance) -> Option<Vec<u32>> {
    let mut words: Vec<u32> =
        (0..3).map(|i| form.base[i] | chance.next_u64() as u32 & form.known[i] & !form.must[i]).collect();
    words.extend([chance.next_u64() as u32, 0]);
    let len = disasm::decode(table, &words).ok()?.len;
    words.truncate(usize::from(len));
    Some(words)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn no_vector_instruction_panics(seed: u64, number in 0..MACHINES.len()) {
        let machine = MACHINES[number];
        let table = table(machine);
        let mut chance = Chance::new(seed);
        let mut words: Vec<u32> = Vec::new();
        // On older processors the modes may be set on the way.
        let setters: &[&str] = match machine.name {
            "gfx803" | "gfx900" | "gfx908" | "gfx90a" | "gfx940" | "gfx942" => &["s_set_gpr_idx_on s0, 15"],
            "gfx600" | "gfx700" => &["s_setvskip s0, 3"],
            _ => &[],
        };
        if seed & 1 != 0 {
            words.extend(machine.words(setters));
        }
        for _ in 0..20 {
            words.extend(random(table, &mut chance).unwrap_or_default());
        }
        machine.run_words(&words, |wave| {
            for cell in &wave.file[..wavediff::emu::wave::file::CONSTANTS as usize] {
                cell.set(chance.next_u64() as u32);
            }
            for word in &mut wave.s[..128] {
                *word = chance.next_u64() as u32;
            }
            let mode = chance.next_u64() as u32 & 0x3ff;
            wave.set_mode(mode);
        });
    }
}
