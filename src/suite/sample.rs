//! Which entries of a plan a sample has: as many different ones as a time allows.
//!
//! First every row of every suite, once, on one of the processors that have it; then for every processor each of its encodings that is still missing; then
//! forms that are nowhere yet; then others. Which one of several is taken is a matter of the seed, so that runs with other seeds see others. A device's
//! compiler takes nearly all the time, and what an entry costs it depends on its suite.
//!
//! A row whose entry is plain says nothing of modifiers. Signs and absolute values of VOP3 are seen often enough, since hundreds of rows have them; the
//! modifiers of packed halves belong to a few. So in the end each of these is there once for each type of packed operand, whatever the time.

use super::Suite;
use super::digest::Digest;
use super::plan::{Entry, Item};
use crate::disasm;
use crate::isa::form::{Mod, NO_BIT, Table};
use crate::isa::operand::Ty;
use std::collections::{BTreeMap, HashSet};
use std::hash::Hash;

/// What compiling and running an entry takes on Mesa's CPU device, in milliseconds of one core: measured, and rounded up.
#[must_use]
pub fn cost(suite: Suite) -> u64 {
    match suite {
        Suite::Alu | Suite::Control => 20,
        Suite::Lanes | Suite::Export => 25,
        Suite::Modes => 30,
        Suite::Lds => 90,
        Suite::Memory => 240,
        Suite::Matrix => 1000,
        Suite::Image => 1500,
        Suite::Cases => 150,
        Suite::Kernels | Suite::Random => 500,
    }
}

/// The numbers of the entries that a sample has, in their order: at least those of the first two steps, and others up to so many milliseconds of one core.
#[must_use]
pub fn choose(entries: &[Entry], seed: u64, millis: u64) -> Vec<usize> {
    let turn: Vec<u64> = entries.iter().map(|entry| turn(seed, entry)).collect();
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_key(|n| (turn[*n], *n));
    let mut sample = Sample { entries, chosen: vec![false; entries.len()], spent: 0 };
    // These are there whatever they cost.
    sample.each_once(&order, u64::MAX, |entry| (entry.suite, entry.row.clone()));
    sample
        .each_once(&order, u64::MAX, |entry| (entry.suite, entry.on.name(), entry.on.lanes(), entry.encoding.clone()));
    sample.each_once(&order, millis, |entry| (entry.suite, entry.form().to_owned()));
    sample.each_once(&order, millis, Entry::path);
    sample.each_new(&order, u64::MAX, halves);
    let chosen = sample.chosen.into_iter().enumerate().filter(|(_, chosen)| *chosen);
    chosen.map(|(n, _)| n).collect()
}

/// One of so many entries, whatever else there is.
#[must_use]
pub fn every(entries: &[Entry], every: u32) -> Vec<usize> {
    let taken = |entry: &Entry| (turn(0, entry) >> 32).is_multiple_of(u64::from(every.max(1)));
    entries.iter().enumerate().filter(|(_, entry)| taken(entry)).map(|(n, _)| n).collect()
}

/// A random number that an entry has for a seed, whatever else is planned.
fn turn(seed: u64, entry: &Entry) -> u64 {
    let mut digest = Digest::default();
    digest.word(seed);
    digest.bytes(entry.path().as_bytes());
    digest.value().wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

struct Sample<'e> {
    entries: &'e [Entry],
    chosen: Vec<bool>,
    spent: u64,
}

impl Sample<'_> {
    /// Takes one entry of each kind of which there is none yet, while there is time.
    fn each_once<K: Eq + Hash>(&mut self, order: &[usize], millis: u64, kind: impl Fn(&Entry) -> K) {
        self.each_new(order, millis, |entry| vec![kind(entry)]);
    }

    /// Takes each entry of a kind of which there is none yet, where an entry may be of several, while there is time.
    fn each_new<K: Eq + Hash>(&mut self, order: &[usize], millis: u64, kinds: impl Fn(&Entry) -> Vec<K>) {
        let chosen = self.entries.iter().zip(&self.chosen).filter(|(_, chosen)| **chosen);
        let mut there: HashSet<K> = chosen.flat_map(|(entry, _)| kinds(entry)).collect();
        for n in order {
            let entry = &self.entries[*n];
            let cost = cost(entry.suite);
            if self.spent.saturating_add(cost) > millis {
                continue;
            }
            let kinds = kinds(entry);
            if kinds.iter().any(|kind| !there.contains(kind)) {
                there.extend(kinds);
                self.chosen[*n] = true;
                self.spent += cost;
            }
        }
    }
}

/// Which modifiers of packed halves an entry has otherwise than the plain instruction, each with the types of packed sources.
fn halves(entry: &Entry) -> Vec<(Suite, Mod, Ty)> {
    let Item::Single(single) = &entry.item else { return Vec::new() };
    let Some(target) = entry.on.target() else { return Vec::new() };
    let Ok(decoded) = disasm::decode(Table::of(target), &single.words) else { return Vec::new() };
    let form = decoded.form;
    let mut all = Vec::new();
    for m in &form.mods {
        let plain = match m.id {
            Mod::OpSelHi => m.span.max(),
            Mod::OpSel | Mod::NegLo | Mod::NegHi => 0,
            _ => continue,
        };
        if m.span.get(&single.words) != plain {
            let packed = form.slots.iter().filter(|slot| slot.source != NO_BIT && slot.ty.is_pair());
            all.extend(packed.map(|slot| (entry.suite, m.id, slot.ty)));
        }
    }
    all
}

/// How much of what there is some entries have, by suite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Rows: the names of all, and whether they are chosen.
    pub rows: BTreeMap<String, bool>,
    /// Forms, likewise.
    pub forms: BTreeMap<String, bool>,
}

/// What of all entries those cover of which `there` says so, by their whole names.
#[must_use]
pub fn coverage(all: &[Entry], there: impl Fn(&str) -> bool) -> BTreeMap<Suite, Coverage> {
    let mut coverage: BTreeMap<Suite, Coverage> = BTreeMap::new();
    for entry in all {
        let suite = coverage.entry(entry.suite).or_default();
        let there = there(&entry.path());
        *suite.rows.entry(entry.row.clone()).or_default() |= there;
        *suite.forms.entry(entry.form().to_owned()).or_default() |= there;
    }
    coverage
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::Arch;
    use crate::suite::Plan;
    use std::collections::BTreeSet;

    fn entries() -> Vec<Entry> {
        let archs = ["gfx700", "gfx1100"].map(|name| Arch::find(name).expect("a processor")).to_vec();
        let suites = vec![Suite::Alu, Suite::Lanes, Suite::Memory, Suite::Random];
        Plan { suites, archs, machines: Vec::new(), mixed: 1, inputs: 8, seed: 1, programs: 4, files: Vec::new() }
            .entries()
    }

    #[test]
    fn every_row_and_every_encoding_is_there_whatever_the_time() {
        let all = entries();
        let chosen: Vec<&Entry> = choose(&all, 1, 0).into_iter().map(|n| &all[n]).collect();
        let rows = |entries: &mut dyn Iterator<Item = &Entry>| -> BTreeSet<(Suite, String)> {
            entries.map(|entry| (entry.suite, entry.row.clone())).collect()
        };
        assert_eq!(rows(&mut chosen.iter().copied()), rows(&mut all.iter()));
        let encodings = |entries: &mut dyn Iterator<Item = &Entry>| -> BTreeSet<_> {
            entries.map(|entry| (entry.suite, entry.on.name(), entry.on.lanes(), entry.encoding.clone())).collect()
        };
        assert_eq!(encodings(&mut chosen.iter().copied()), encodings(&mut all.iter()));
        // Not much more than one of each row: the rest is a matter of time.
        let rows = rows(&mut all.iter()).len();
        assert!(chosen.len() < rows + 200, "{} of {rows} rows", chosen.len());
        let names: BTreeSet<String> = chosen.iter().map(|entry| entry.path()).collect();
        let covered = coverage(&all, |name| names.contains(name));
        assert!(covered.values().all(|suite| suite.rows.values().all(|there| *there)));
        assert!(covered[&Suite::Alu].forms.values().any(|there| !there));
    }

    #[test]
    fn time_is_spent_and_the_seed_decides() {
        let all = entries();
        let cost = |chosen: &[usize]| chosen.iter().map(|n| cost(all[*n].suite)).sum::<u64>();
        let (few, many) = (choose(&all, 1, 0), choose(&all, 1, 400_000));
        assert!(cost(&few) < 400_000 && (399_000..=400_000).contains(&cost(&many)), "{} {}", cost(&few), cost(&many));
        assert!(few.iter().all(|n| many.binary_search(n).is_ok()), "more time adds to what is there");
        assert_eq!(choose(&all, 1, 0), few);
        let other: BTreeSet<usize> = choose(&all, 2, 0).into_iter().collect();
        let same = few.iter().filter(|n| other.contains(n)).count();
        assert!(same < few.len() / 2, "{same} of {} are in the sample of another seed too", few.len());
    }

    #[test]
    fn one_of_so_many_is_about_that() {
        let all = entries();
        let some = every(&all, 8).len();
        assert!((all.len() / 10..all.len() / 6).contains(&some), "{some} of {}", all.len());
        assert_eq!(every(&all, 1).len(), all.len());
    }
}
