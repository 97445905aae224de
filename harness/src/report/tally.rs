//! Counts over a journal: how many cases have which status, by suite, processor and engine, and the lists that every report shows.

use crate::expect::EXPECTED;
use crate::journal::{CaseResult, Journal, Unit, status};
use std::collections::{BTreeMap, BTreeSet};
use wavediff::engine::Status;

/// How many kinds of verdicts there are: every [`Status`], what was expected to fail, and what this program does not know.
pub const KINDS: usize = Status::ALL.len() + 2;

/// Cases that went wrong as a list says.
const LISTED: usize = KINDS - 2;
/// Cases with a status of another version of the program.
const UNKNOWN: usize = KINDS - 1;

/// The names of the kinds, in the order of reports.
pub fn names() -> [&'static str; KINDS] {
    let mut names = ["unknown"; KINDS];
    for (name, status) in names.iter_mut().zip(Status::ALL) {
        *name = status.name();
    }
    names[LISTED] = EXPECTED;
    names
}

/// What the head of a column of counts says.
pub fn heading(kind: usize) -> &'static str {
    match names()[kind] {
        "pass" => "passed",
        "fail" => "failed",
        "trap" => "trapped",
        "crash" => "crashed",
        "timeout" => "timed out",
        "flake" => "flaky",
        "unexpected-pass" => "unexpected pass",
        other => other,
    }
}

/// The kind of a status in a journal.
pub fn kind(name: &str) -> usize {
    names().iter().position(|n| *n == name).unwrap_or(UNKNOWN)
}

/// Whether a case with this status makes a run fail. What is not known is not trusted.
pub fn is_bad(name: &str) -> bool {
    match status(name) {
        Some(status) => status.is_bad(),
        None => name != EXPECTED,
    }
}

/// How many cases of a unit make a run fail.
pub fn bad_of(unit: &Unit) -> u64 {
    unit.rows.values().flatten().filter(|(status, _)| is_bad(status)).map(|(_, count)| count).sum()
}

/// Whether a case with this status was compared with something. An engine that refused it, went down with it or did not come back left nothing that
/// could be, and what a list leaves out is unsupported too. What is not known is not trusted.
fn is_compared(name: &str) -> bool {
    match status(name) {
        Some(Status::Pass | Status::Fail | Status::Trap | Status::Flake | Status::UnexpectedPass) => true,
        Some(Status::Unsupported | Status::Crash | Status::Timeout) | None => false,
    }
}

/// The status that a case had before a list excused it: its reason begins with it since.
fn before_excused(result: &CaseResult) -> &str {
    result.reason.split_once(": ").map_or(EXPECTED, |(status, _)| status)
}

/// Rows of a unit with how many of their cases were compared. Those that a list excused are counted by what they were before.
fn compared_of<'u>(unit: &'u Unit) -> impl Iterator<Item = (&'u str, u64)> {
    let of_row = |(row, counts): (&'u String, &'u BTreeMap<String, u64>)| {
        counts.iter().map(move |(status, cases)| (row.as_str(), status.as_str(), *cases))
    };
    let excused = unit.results.iter().filter(|result| result.status == EXPECTED);
    let excused = excused.map(|result| (result.row.as_str(), before_excused(result), result.count));
    let compared = unit.rows.iter().flat_map(of_row).chain(excused);
    compared.filter(|(_, status, cases)| is_compared(status) && *cases > 0).map(|(row, _, cases)| (row, cases))
}

/// The kind of an engine, as `--require` has it: `vulkan` of `vulkan:llvmpipe (LLVM 15.0.6, 256 bits)`.
pub fn kind_of_engine(engine: &str) -> &str {
    engine.split_once(':').map_or(engine, |(kind, _)| kind)
}

/// How many cases were compared, by engine.
pub fn compared(journal: &Journal) -> BTreeMap<&str, u64> {
    let mut all: BTreeMap<&str, u64> = BTreeMap::new();
    for engine in journal.header.engines.iter().skip(1) {
        all.entry(&engine.name).or_default();
    }
    for unit in &journal.units {
        *all.entry(&unit.engine).or_default() += compared_of(unit).map(|(_, cases)| cases).sum::<u64>();
    }
    all
}

/// The rows of which no case was compared, by engine, for each suite that the header has the rows of. Of each engine, since what one compared says
/// nothing of another.
pub fn missing_rows(journal: &Journal) -> BTreeMap<&str, Vec<Vec<&str>>> {
    let mut there: BTreeSet<(&str, &str, &str)> = BTreeSet::new();
    for unit in &journal.units {
        there.extend(compared_of(unit).map(|(row, _)| (unit.engine.as_str(), unit.suite.as_str(), row)));
    }
    let mut all: BTreeMap<&str, Vec<Vec<&str>>> = BTreeMap::new();
    for engine in compared(journal).into_keys() {
        for suite in &journal.header.coverage {
            let rows = suite.rows.iter().map(String::as_str);
            let missing = rows.filter(|row| !there.contains(&(engine, suite.suite.as_str(), *row))).collect();
            all.entry(engine).or_default().push(missing);
        }
    }
    all
}

/// Cases by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts(pub [u64; KINDS]);

impl Counts {
    /// Counts cases.
    pub fn add(&mut self, status: &str, count: u64) {
        self.0[kind(status)] += count;
    }

    /// Counts all that another one has.
    pub fn join(&mut self, other: &Counts) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine += theirs;
        }
    }

    /// All cases.
    pub fn cases(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The cases of a status.
    pub fn of(&self, status: Status) -> u64 {
        self.0[kind(status.name())]
    }

    /// Those that make a run fail.
    pub fn bad(&self) -> u64 {
        names().iter().zip(self.0).filter(|(name, _)| is_bad(name)).map(|(_, n)| n).sum()
    }
}

/// Cases that belong together in a report. Numbers are places in [`Tally`]'s lists, which are in the order of the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    pub suite: usize,
    pub processor: usize,
    pub engine: usize,
}

/// What came of a [`Key`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Group {
    pub counts: Counts,
    pub seconds: f64,
}

/// All that is counted in a journal.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub suites: Vec<String>,
    /// A processor and its lanes.
    pub processors: Vec<(String, u32)>,
    /// Engines as units name them.
    pub engines: Vec<String>,
    pub groups: BTreeMap<Key, Group>,
    pub all: Group,
}

/// The place of something in a list.
fn place<T: PartialEq>(list: &[T], wanted: &T) -> usize {
    list.iter().position(|one| one == wanted).unwrap_or(list.len())
}

impl Tally {
    /// Counts a journal.
    pub fn of(journal: &Journal) -> Tally {
        let header = &journal.header;
        let distinct = |names: BTreeSet<String>, order: Vec<&String>| {
            let mut names: Vec<String> = names.into_iter().collect();
            // Those that the header does not name come last, sorted.
            names.sort_by_key(|name| place(&order, &name));
            names
        };
        let arch = |unit: &Unit| (place(&header.archs, &unit.arch), unit.arch.clone(), unit.lanes);
        let processors: BTreeSet<_> = journal.units.iter().map(arch).collect();
        let mut tally = Tally {
            suites: distinct(journal.units.iter().map(|u| u.suite.clone()).collect(), header.suites.iter().collect()),
            processors: processors.into_iter().map(|(_, name, lanes)| (name, lanes)).collect(),
            engines: distinct(
                journal.units.iter().map(|u| u.engine.clone()).collect(),
                header.engines.iter().map(|e| &e.name).collect(),
            ),
            ..Tally::default()
        };
        for unit in &journal.units {
            let mut group = Group { seconds: unit.seconds, ..Group::default() };
            for (status, count) in unit.rows.values().flatten() {
                group.counts.add(status, *count);
            }
            let key = tally.key(unit);
            for sum in [tally.groups.entry(key).or_default(), &mut tally.all] {
                sum.counts.join(&group.counts);
                sum.seconds += group.seconds;
            }
        }
        tally
    }

    /// Where a unit belongs.
    pub fn key(&self, unit: &Unit) -> Key {
        Key {
            suite: place(&self.suites, &unit.suite),
            processor: place(&self.processors, &(unit.arch.clone(), unit.lanes)),
            engine: place(&self.engines, &unit.engine),
        }
    }

    /// `gfx1100 w64`
    pub fn processor(&self, at: usize) -> String {
        self.processors.get(at).map_or_else(String::new, |(name, lanes)| format!("{name} w{lanes}"))
    }

    /// The name of an engine without what devices say in brackets, where that is enough to tell it from the others.
    pub fn engine(&self, at: usize) -> &str {
        let Some(name) = self.engines.get(at) else { return "" };
        let cut = |name: &str| name.find(" (").unwrap_or(name.len());
        let mine = &name[..cut(name)];
        if self.engines.iter().filter(|other| &other[..cut(other)] == mine).count() == 1 { mine } else { name }
    }
}

/// Cases of one reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reason {
    pub cases: u64,
    pub rows: BTreeSet<String>,
    pub processors: BTreeSet<String>,
    pub engines: BTreeSet<String>,
}

/// Cases of a status by their reason, most first.
pub fn reasons(journal: &Journal, status: &str) -> Vec<(String, Reason)> {
    let mut all: BTreeMap<&str, Reason> = BTreeMap::new();
    for (unit, result) in results(journal).filter(|(_, r)| r.status == status) {
        let reason = all.entry(&result.reason).or_default();
        reason.cases += result.count;
        reason.rows.insert(result.row.clone());
        reason.processors.insert(unit.arch.clone());
        reason.engines.insert(unit.engine.clone());
    }
    let mut all: Vec<_> = all.into_iter().map(|(text, reason)| (text.to_owned(), reason)).collect();
    all.sort_by(|a, b| b.1.cases.cmp(&a.1.cases).then_with(|| a.0.cmp(&b.0)));
    all
}

/// All results with their units.
pub fn results(journal: &Journal) -> impl Iterator<Item = (&Unit, &CaseResult)> {
    journal.units.iter().flat_map(|unit| unit.results.iter().map(move |result| (unit, result)))
}

/// The units that took longest.
pub fn slowest(journal: &Journal, count: usize) -> Vec<&Unit> {
    let mut units: Vec<&Unit> = journal.units.iter().collect();
    units.sort_by(|a, b| b.seconds.total_cmp(&a.seconds).then_with(|| a.unit.cmp(&b.unit)));
    units.truncate(count);
    units
}

/// How many units there are, each counted for every engine that ran it.
pub fn units(journal: &Journal) -> u64 {
    journal.units.iter().map(|u| (&u.engine, &u.unit)).collect::<BTreeSet<_>>().len() as u64
}
