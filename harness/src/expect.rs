//! Expectations: what is known to go wrong on an engine, a line each with its reason.
//!
//! ```text
//! golden/expect/vulkan-llvmpipe-fails.txt     cases that do not pass
//! golden/expect/vulkan-llvmpipe-flakes.txt    cases that pass now and then
//! golden/expect/vulkan-llvmpipe-skips.txt     cases that are not run at all
//! ```
//!
//! A line is `name<TAB>reason`; `#` begins a remark. A name is that of a row, `v_sin_f32`, or of a case: `alu/gfx900-w64/v_sin_f32_e64~3fa2:7`, without the `:7`
//! for all its inputs; `*` in it stands for anything. A file is for every engine whose [slug] begins with its
//! name: `vulkan-fails.txt` is for all devices, `vulkan-llvmpipe-llvm-15-0-6-256-bits-fails.txt` for one version of one driver.
//!
//! Lists can only shrink by themselves: a line that says too much is an error. Of the exact name of a case that is so if it ran and passed with every
//! input that is named (an unexpected pass); of a row or a pattern, if a whole run had no case that it excused. A case that passes under one of these is no
//! news: they are for families of which some members fail. A flake need not show itself in every run; its line must only name a case that there is.
//! A reason that begins with `TODO` is one that `--update-expect` left for a person to write.

mod file;
mod update;

use crate::common::Paint;
use crate::conform::pool::without_input;
use crate::journal::{CaseResult, Unit, status};
use crate::tell;
use anyhow::Result;
use file::{Line, List};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;
use wavediff::engine::Status;

/// The status, in a journal, of a case that went wrong as a list says.
pub const EXPECTED: &str = "expected";

/// What `--update-expect` writes for a person to replace.
pub const TODO: &str = "TODO: why";

/// What a list is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum About {
    /// Cases that do not pass.
    Fails,
    /// Cases that pass now and then.
    Flakes,
    /// Cases that are not run.
    Skips,
}

impl About {
    const ALL: [About; 3] = [About::Fails, About::Flakes, About::Skips];

    fn name(self) -> &'static str {
        match self {
            About::Fails => "fails",
            About::Flakes => "flakes",
            About::Skips => "skips",
        }
    }
}

/// Something a person has to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// `golden/expect/emu-fails.txt:3: ...`
    pub text: String,
    /// It fails the run; what does not is a reminder.
    pub error: bool,
}

impl Problem {
    /// Tells it on the terminal.
    pub fn tell(&self) {
        let paint = Paint::stderr();
        let word = if self.error { paint.red("error") } else { paint.yellow("note") };
        tell!("{word}: {}", self.text);
    }
}

/// The lists of one engine, and what of them was needed.
#[derive(Debug, Default)]
pub struct Expectations {
    slug: String,
    lists: Vec<List>,
    /// All lines by their names: list and line.
    names: BTreeMap<String, (usize, usize)>,
    /// Lines by the exact name of their case: list and line.
    exact: BTreeMap<String, (usize, usize)>,
    /// Lines for a family: a row, or a name with a `*`.
    patterns: Vec<(usize, usize)>,
    /// Lines that excused something, or that name what there is.
    used: HashSet<(usize, usize)>,
    /// Cases that were looked at, without inputs.
    seen: BTreeSet<String>,
    /// The rows of units that were looked at, and where their names are: `alu/gfx900-w64/`.
    rows: BTreeSet<String>,
    groups: BTreeSet<String>,
}

/// The name of an engine as part of a file's name: lower case letters, digits, and dashes for the rest.
#[must_use]
pub fn slug(engine: &str) -> String {
    let mut slug = String::new();
    for c in engine.chars() {
        if c.is_ascii_alphanumeric() {
            slug.push(c.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.truncate(slug.trim_end_matches('-').len());
    slug
}

/// The slug without what devices say in brackets, which is versions more often than not.
fn short_slug(engine: &str) -> String {
    slug(engine.split(" (").next().unwrap_or(engine))
}

/// Whether a text is what a pattern says: `*` is anything, nothing too.
#[must_use]
pub fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.len() >= last.len() && rest.ends_with(last)
}

impl Expectations {
    /// Reads the lists of an engine. A folder that is not there has none.
    pub fn load(folder: &Path, engine: &str) -> Result<Expectations> {
        let mut all = Expectations { slug: short_slug(engine), ..Expectations::default() };
        for list in file::load(folder, &slug(engine))? {
            all.push(list)?;
        }
        Ok(all)
    }

    fn push(&mut self, list: List) -> Result<()> {
        let at = self.lists.len();
        for (n, line) in list.lines.iter().enumerate() {
            let Line::Entry { case, .. } = line else { continue };
            if let Some((other, line)) = self.names.insert(case.clone(), (at, n)) {
                let first = if other == at { &list } else { &self.lists[other] };
                anyhow::bail!("{}: `{case}` is listed twice, here and in {}", list.place(n), first.place(line));
            }
            if is_family(case) {
                self.patterns.push((at, n));
            } else {
                self.exact.insert(case.clone(), (at, n));
            }
        }
        self.lists.push(list);
        Ok(())
    }

    fn entry(&self, (list, line): (usize, usize)) -> (&str, &str) {
        match &self.lists[list].lines[line] {
            Line::Entry { case, reason } => (case, reason),
            Line::Other(_) => ("", ""),
        }
    }

    /// The line for a case of a row; an exact name goes before families.
    fn find(&self, (case, row): (&str, &str), wanted: impl Fn(About) -> bool) -> Option<(usize, usize)> {
        let wanted = |at: &(usize, usize)| wanted(self.lists[at.0].about);
        let exact =
            [case, without_input(case)].into_iter().find_map(|name| self.exact.get(name).copied().filter(wanted));
        exact.or_else(|| {
            let fits = |at: &&(usize, usize)| wanted(at) && is_of(self.entry(**at).0, case, row);
            self.patterns.iter().find(fits).copied()
        })
    }

    /// Why a case is not to be run.
    pub fn skip(&mut self, case: &str, row: &str) -> Option<String> {
        let at = self.find((case, row), |about| about == About::Skips)?;
        self.used.insert(at);
        Some(self.entry(at).1.to_owned())
    }

    /// Looks at a case that did not pass: if a list excuses it, its status is [`EXPECTED`] and its reason the list's. What was excused in an earlier run,
    /// of which this one is the continuation, counts as used too.
    pub fn apply(&mut self, result: &mut CaseResult) {
        let verdict = result.status();
        let excusable = verdict.is_some_and(|s| s.is_bad() && s != Status::UnexpectedPass) || result.status == EXPECTED;
        // A case on the list of failures that passes at times is a flake, and not what the list says.
        let flaky = verdict == Some(Status::Flake);
        let wanted = |about| about == About::Flakes || (about == About::Fails && !flaky);
        let Some(at) = self.find((&result.case, &result.row), wanted).filter(|_| excusable) else { return };
        self.used.insert(at);
        if result.status != EXPECTED {
            result.reason = format!("{}: {}", result.status, self.entry(at).1);
            EXPECTED.clone_into(&mut result.status);
        }
    }

    /// Looks at a unit: what is excused, and what is listed and passes. `cases` are those that ran, without inputs, with their rows.
    pub fn unit(&mut self, unit: &mut Unit, cases: &[(String, String)]) {
        self.seen.extend(cases.iter().map(|(case, _)| case.clone()));
        self.rows.extend(unit.rows.keys().cloned());
        self.groups.extend(unit.unit.rsplit_once('/').map(|(group, _)| format!("{group}/")));
        for n in 0..unit.results.len() {
            let result = &mut unit.results[n];
            let before = result.status.clone();
            self.apply(result);
            if result.status() == Some(Status::Unsupported) {
                // It may be one that was left out by a list, in this run or in an earlier one.
                let (case, row) = (result.case.clone(), result.row.clone());
                let _ = self.skip(&case, &row);
            }
            let result = &unit.results[n];
            let (row, after, count) = (result.row.clone(), result.status.clone(), result.count);
            if before != after {
                shift(unit, &row, &before, &after, count);
            }
        }
        for (case, row) in cases {
            self.listed(unit, case, row);
        }
    }

    /// Looks at the lines that name a case, or one of its inputs.
    fn listed(&mut self, unit: &mut Unit, case: &str, row: &str) {
        let mine = self.exact.range(case.to_owned()..).take_while(|(name, _)| name.starts_with(case));
        let mine: Vec<_> =
            mine.filter(|(name, _)| without_input(name) == case).map(|(n, at)| (n.clone(), *at)).collect();
        for (name, at) in mine {
            // What is unsupported, or fails as a whole, is so with all its inputs, and said once.
            let fails =
                |r: &CaseResult| r.case == name || r.case == case || (name == case && without_input(&r.case) == case);
            match self.lists[at.0].about {
                About::Flakes => {
                    self.used.insert(at);
                }
                About::Fails if !unit.results.iter().any(fails) => {
                    self.used.insert(at);
                    shift(unit, row, Status::Pass.name(), Status::UnexpectedPass.name(), 1);
                    let (status, reason) = (Status::UnexpectedPass.name().to_owned(), self.entry(at).1);
                    let reason = format!("{} says that it fails: {reason}", self.lists[at.0].place(at.1));
                    let (text, row) = (row.to_owned(), row.to_owned());
                    unit.results.push(CaseResult {
                        text,
                        case: name,
                        row,
                        status,
                        reason,
                        count: 1,
                        ..CaseResult::default()
                    });
                }
                About::Fails | About::Skips => {}
            }
        }
    }

    /// What is wrong with the lists after a run. A run is whole if it had every unit of the suites, with no filter: only then can a pattern be called unused.
    /// In CI a reason that nobody wrote is an error.
    #[must_use]
    pub fn problems(&self, whole: bool, ci: bool) -> Vec<Problem> {
        let mut all = Vec::new();
        for at in self.entries() {
            let (case, reason) = self.entry(at);
            let place = self.lists[at.0].place(at.1);
            if self.unused(at, whole) {
                let text = match self.lists[at.0].about {
                    About::Fails => format!("{place}: `{case}` excuses nothing; take it out"),
                    About::Flakes | About::Skips => format!("{place}: `{case}` is no case; take it out"),
                };
                all.push(Problem { text, error: true });
            }
            if reason.starts_with("TODO") {
                all.push(Problem { text: format!("{place}: `{case}` has no reason yet"), error: ci });
            }
        }
        all
    }

    /// Patterns that nothing needed, as errors: what only all shards together can know.
    #[must_use]
    pub fn patterns_unused(&self, whole: bool) -> Vec<String> {
        let unused = self.patterns.iter().filter(|at| self.unused(**at, whole));
        unused
            .map(|at| format!("{}: `{}` excuses nothing; take it out", self.lists[at.0].place(at.1), self.entry(*at).0))
            .collect()
    }

    fn entries(&self) -> impl Iterator<Item = (usize, usize)> {
        let lines = |(at, list): (usize, &List)| (0..list.lines.len()).map(move |n| (at, n));
        let all = self.lists.iter().enumerate().flat_map(lines);
        all.filter(|(list, n)| matches!(self.lists[*list].lines[*n], Line::Entry { .. }))
    }

    fn could_run(&self, family: &str) -> bool {
        if !family.contains('/') {
            return self.rows.iter().any(|row| matches(family, row));
        }
        let start = family.split('*').next().unwrap_or_default();
        self.groups.iter().any(|group| group.starts_with(start) || start.starts_with(group.as_str()))
    }

    fn unused(&self, at: (usize, usize), whole: bool) -> bool {
        let (case, _) = self.entry(at);
        if self.used.contains(&at) {
            return false;
        }
        match is_family(case) {
            // Which cases passed is not in a journal: a family of flakes is good if such a case could have run.
            true if self.lists[at.0].about == About::Flakes => whole && !self.could_run(case),
            true => whole,
            false => whole || self.seen.contains(without_input(case)),
        }
    }
}

/// Whether a name stands for more than one case: a row, or a pattern.
fn is_family(name: &str) -> bool {
    name.contains('*') || !name.contains('/')
}

/// Whether a case of a row is one that a family names.
fn is_of(family: &str, case: &str, row: &str) -> bool {
    if family.contains('/') { matches(family, case) } else { matches(family, row) }
}

/// Counts cases of a row under another status.
fn shift(unit: &mut Unit, row: &str, from: &str, to: &str, count: u64) {
    let counts = unit.rows.entry(row.to_owned()).or_default();
    if let Some(n) = counts.get_mut(from) {
        *n = n.saturating_sub(count);
        if *n == 0 {
            counts.remove(from);
        }
    }
    *counts.entry(to.to_owned()).or_default() += count;
}

/// Whether a case that did not pass belongs on a list, and on which.
fn belongs(result: &CaseResult) -> Option<About> {
    match status(&result.status)? {
        Status::Flake => Some(About::Flakes),
        status if status.is_bad() && status != Status::UnexpectedPass => Some(About::Fails),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
