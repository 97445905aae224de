//! `wavediff report diff`: what passes in one run and not in another.
//!
//! Runs of the same plan are compared case by case: a case without a result in a unit that ran has passed. Names of cases mean something only within a
//! plan, so that other runs are compared by rows: how many cases of a row went wrong on a processor. Engines are the same if their names are; a driver
//! of another version has another name, so what stands in brackets is left away where that finds a partner.

use super::tally::{self, Counts};
use crate::journal::{Journal, Unit};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use wavediff::engine::Status;

/// Something that is not as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The case, or the row with its processor.
    pub name: String,
    /// The instruction.
    pub text: String,
    /// The engine of the second run.
    pub engine: String,
    /// What it was and what it is.
    pub statuses: [String; 2],
    /// `Greater` is for the worse.
    pub worse: Ordering,
}

/// Two runs, compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// What was the case or row by row: `case` or `row`.
    pub by: &'static str,
    /// Those for the worse first.
    pub changes: Vec<Change>,
    /// Cases or rows that are as they were.
    pub same: u64,
    /// Engines that are not called the same.
    pub paired: Vec<[String; 2]>,
    /// Units or rows that only one run has.
    pub only: [Vec<String>; 2],
}

impl Found {
    /// Whether anything is worse. Of the same plan, what is not there any more is.
    pub fn is_worse(&self) -> bool {
        self.count(Ordering::Greater) > 0 || (self.by == "case" && !self.only[0].is_empty())
    }

    /// How many changes there are in a direction.
    pub fn count(&self, worse: Ordering) -> usize {
        self.changes.iter().filter(|c| c.worse == worse).count()
    }
}

/// How bad a status is: passed, not run or excused, bad.
fn rank(status: &str) -> u8 {
    match status {
        "pass" => 0,
        status if tally::is_bad(status) => 2,
        _ => 1,
    }
}

/// Compares two runs.
pub fn diff(a: &Journal, b: &Journal) -> Found {
    let partners = partners(a, b);
    let mut found = if a.header.plan == b.header.plan && a.header.seed == b.header.seed {
        by_case(a, b, &partners)
    } else {
        by_row(a, b, &partners)
    };
    found.paired = partners.into_iter().filter(|(a, b)| a != b).map(|(a, b)| [a, b]).collect();
    found.changes.sort_by(|a, b| b.worse.cmp(&a.worse).then_with(|| (&a.name, &a.engine).cmp(&(&b.name, &b.engine))));
    found
}

/// For each engine of the first run the one of the second.
fn partners(a: &Journal, b: &Journal) -> BTreeMap<String, String> {
    let names = |j: &Journal| j.units.iter().map(|u| u.engine.clone()).collect::<BTreeSet<_>>();
    let (mut a, mut b) = (names(a), names(b));
    let mut all: BTreeMap<String, String> = a.intersection(&b).map(|n| (n.clone(), n.clone())).collect();
    let device = |name: &str| name.split(" (").next().unwrap_or(name).to_owned();
    let kind = |name: &str| tally::kind_of_engine(name).to_owned();
    // The same device first, then the only two of a kind.
    for same in [&device as &dyn Fn(&str) -> String, &kind] {
        a.retain(|n| !all.contains_key(n));
        b.retain(|n| !all.values().any(|v| v == n));
        for name in &a {
            let of =
                |names: &BTreeSet<String>| names.iter().filter(|n| same(n) == same(name)).cloned().collect::<Vec<_>>();
            if let ([_], [partner]) = (&of(&a)[..], &of(&b)[..]) {
                all.insert(name.clone(), partner.clone());
            }
        }
    }
    all
}

/// What came of a case: its text and its status.
type Results<'a> = BTreeMap<&'a str, (&'a str, &'a str)>;

fn results(unit: &Unit) -> Results<'_> {
    unit.results.iter().map(|r| (r.case.as_str(), (r.text.as_str(), r.status.as_str()))).collect()
}

fn by_case(a: &Journal, b: &Journal, partners: &BTreeMap<String, String>) -> Found {
    let mut found = Found { by: "case", ..Found::default() };
    let mut theirs: BTreeMap<(&str, &str), &Unit> = BTreeMap::new();
    for unit in &b.units {
        theirs.insert((&unit.unit, &unit.engine), unit);
    }
    for before in &a.units {
        let partner = partners.get(&before.engine).map_or("", String::as_str);
        let Some(after) = theirs.remove(&(before.unit.as_str(), partner)) else {
            found.only[0].push(format!("{} on {}", before.unit, before.engine));
            continue;
        };
        let (old, new) = (results(before), results(after));
        let cases: BTreeSet<&str> = old.keys().chain(new.keys()).copied().collect();
        let mut changed = 0;
        for case in cases {
            let status = |results: &Results<'_>| results.get(case).map_or("pass", |r| r.1).to_owned();
            let statuses = [status(&old), status(&new)];
            if statuses[0] == statuses[1] {
                continue;
            }
            changed += 1;
            let text = new.get(case).or_else(|| old.get(case)).map_or("", |r| r.0).to_owned();
            let worse = rank(&statuses[1]).cmp(&rank(&statuses[0]));
            found.changes.push(Change { name: case.to_owned(), text, engine: after.engine.clone(), statuses, worse });
        }
        found.same += after.cases().saturating_sub(changed);
    }
    found.only[1] = theirs.into_keys().map(|(unit, engine)| format!("{unit} on {engine}")).collect();
    found
}

/// Rows with their suite, processor and engine.
type Rows = BTreeMap<(String, String), Counts>;

fn rows(journal: &Journal, engine: impl Fn(&str) -> Option<String>) -> Rows {
    let mut all = Rows::new();
    for unit in &journal.units {
        let Some(engine) = engine(&unit.engine) else { continue };
        for (row, counts) in &unit.rows {
            let name = format!("{}/{}-w{}/{row}", unit.suite, unit.arch, unit.lanes);
            let sum = all.entry((name, engine.clone())).or_default();
            counts.iter().for_each(|(status, n)| sum.add(status, *n));
        }
    }
    all
}

/// `3 fail, 1 unsupported`: what of a row did not pass, as its status.
fn standing(counts: &Counts) -> String {
    let pass = tally::kind(Status::Pass.name());
    let parts = tally::names().into_iter().zip(counts.0).enumerate().filter(|(kind, (_, n))| *kind != pass && *n > 0);
    let parts: Vec<String> = parts.map(|(_, (name, n))| format!("{n} {name}")).collect();
    if parts.is_empty() { "pass".to_owned() } else { format!("{} of {}", parts.join(", "), counts.cases()) }
}

/// How bad a row is: first what share of its cases is bad, then what share did not pass at all.
fn order(a: &Counts, b: &Counts) -> Ordering {
    let share = |n: u64, of: &Counts| n as f64 / of.cases().max(1) as f64;
    let not = |c: &Counts| share(c.cases() - c.of(Status::Pass), c);
    share(a.bad(), a).total_cmp(&share(b.bad(), b)).then_with(|| not(a).total_cmp(&not(b)))
}

fn by_row(a: &Journal, b: &Journal, partners: &BTreeMap<String, String>) -> Found {
    let mut found = Found { by: "row", ..Found::default() };
    let before = rows(a, |engine| Some(partners.get(engine).cloned().unwrap_or_else(|| engine.to_owned())));
    let mut after = rows(b, |engine| Some(engine.to_owned()));
    for ((name, engine), old) in before {
        let Some(new) = after.remove(&(name.clone(), engine.clone())) else {
            found.only[0].push(format!("{name} on {engine}"));
            continue;
        };
        let worse = order(&new, &old);
        if worse == Ordering::Equal {
            found.same += 1;
            continue;
        }
        let statuses = [standing(&old), standing(&new)];
        found.changes.push(Change { name, text: String::new(), engine, statuses, worse });
    }
    found.only[1] = after.into_keys().map(|(name, engine)| format!("{name} on {engine}")).collect();
    found
}
