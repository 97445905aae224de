//! Expectations: what is known to go wrong on an engine, a line each with its reason.
//!
//! ```text
//! golden/expect/vulkan-llvmpipe-fails.txt     cases that do not pass
//! golden/expect/vulkan-llvmpipe-flakes.txt    cases that pass now and then
//! golden/expect/vulkan-llvmpipe-skips.txt     cases that are not run at all
//! ```
//!
//! A line is `case<TAB>reason`; `*` in the case stands for anything, `#` begins a remark. A file is for every engine whose [slug] begins with its
//! name: `vulkan-fails.txt` is for all devices, `vulkan-llvmpipe-llvm-15-0-6-256-bits-fails.txt` for one version of one driver.
//!
//! Lists can only shrink by themselves: a line that says too much is an error. Of an exact name that is so if its unit ran and the case passed (an
//! unexpected pass) or does not exist; of a pattern, if a whole run had no case that it excused. A case that passes under a pattern is no news: patterns
//! are for families of which some members fail. A flake need not show itself in every run; its line must only name a case that there is.
//! A reason that begins with `TODO` is one that `--update-expect` left for a person to write.

mod file;
mod update;

use crate::journal::{CaseResult, Unit, status};
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

/// The lists of one engine, and what of them was needed.
#[derive(Debug, Default)]
pub struct Expectations {
    slug: String,
    lists: Vec<List>,
    /// Lines by the exact name of their case: list and line.
    exact: BTreeMap<String, (usize, usize)>,
    /// Lines with a `*`.
    patterns: Vec<(usize, usize)>,
    /// Lines that excused something, or that name what there is.
    used: HashSet<(usize, usize)>,
    /// Units that were looked at.
    seen: BTreeSet<String>,
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
            if case.contains('*') {
                self.patterns.push((at, n));
            } else if let Some((other, line)) = self.exact.insert(case.clone(), (at, n)) {
                let first = if other == at { &list } else { &self.lists[other] };
                anyhow::bail!("{}: `{case}` is listed twice, here and in {}", list.place(n), first.place(line));
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

    /// The line for a case; an exact name goes before patterns.
    fn find(&self, case: &str, wanted: impl Fn(About) -> bool) -> Option<(usize, usize)> {
        let exact = self.exact.get(case).copied().filter(|at| wanted(self.lists[at.0].about));
        exact.or_else(|| {
            let fits = |at: &&(usize, usize)| wanted(self.lists[at.0].about) && matches(self.entry(**at).0, case);
            self.patterns.iter().find(fits).copied()
        })
    }

    /// Why a case is not to be run.
    pub fn skip(&mut self, case: &str) -> Option<String> {
        let at = self.find(case, |about| about == About::Skips)?;
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
        let Some(at) = self.find(&result.case, wanted).filter(|_| excusable) else { return };
        self.used.insert(at);
        if result.status != EXPECTED {
            result.reason = format!("{}: {}", result.status, self.entry(at).1);
            EXPECTED.clone_into(&mut result.status);
        }
    }

    /// Looks at a unit: what is excused, and what is listed and passes. `row_of` knows the row of every case of the unit, whatever came of it.
    pub fn unit(&mut self, unit: &mut Unit, row_of: impl Fn(&str) -> Option<String>) {
        self.seen.insert(unit.unit.clone());
        for n in 0..unit.results.len() {
            let result = &mut unit.results[n];
            let before = result.status.clone();
            self.apply(result);
            if result.status() == Some(Status::Unsupported) {
                // It may be one that was left out by a list, in this run or in an earlier one.
                let _ = self.skip(&result.case);
            }
            let (row, after, count) = (result.row.clone(), result.status.clone(), result.count);
            if before != after {
                shift(unit, &row, &before, &after, count);
            }
        }
        let failing: HashSet<String> = unit.results.iter().map(|r| r.case.clone()).collect();
        let mine: Vec<(String, (usize, usize))> = self
            .exact
            .range(unit.unit.clone()..)
            .take_while(|(case, _)| case.starts_with(&unit.unit))
            .map(|(case, at)| (case.clone(), *at))
            .collect();
        for (case, at) in mine {
            // A name that no case has stays unused.
            let Some(row) = row_of(&case) else { continue };
            match self.lists[at.0].about {
                About::Flakes => {
                    self.used.insert(at);
                }
                About::Fails if !failing.contains(&case) && !failing.contains(instruction(&case)) => {
                    self.used.insert(at);
                    shift(unit, &row, Status::Pass.name(), Status::UnexpectedPass.name(), 1);
                    let (status, reason) = (Status::UnexpectedPass.name().to_owned(), self.entry(at).1);
                    let reason = format!("{} says that it fails: {reason}", self.lists[at.0].place(at.1));
                    unit.results.push(CaseResult {
                        text: row.clone(),
                        case,
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

    fn unused(&self, at: (usize, usize), whole: bool) -> bool {
        let (case, _) = self.entry(at);
        if self.used.contains(&at) {
            return false;
        }
        match case.split_once('*') {
            // Which cases passed is not in a journal: a pattern for flakes is good if a unit could have had such a case.
            Some((start, _)) if self.lists[at.0].about == About::Flakes => {
                whole && !self.seen.iter().any(|unit| unit.starts_with(start) || start.starts_with(unit.as_str()))
            }
            Some(_) => whole,
            None => whole || self.seen.iter().any(|unit| is_of(case, unit)),
        }
    }
}

/// Whether a case is one of a unit: its name goes on where the unit's ends.
fn is_of(case: &str, unit: &str) -> bool {
    case.strip_prefix(unit).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
}

/// The instruction of a case, `alu/gfx1100-w64/0012:3` of `...:3.7`: what is unsupported is so with all its inputs, and said once.
fn instruction(case: &str) -> &str {
    case.rsplit_once('.').map_or(case, |(instruction, _)| instruction)
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
