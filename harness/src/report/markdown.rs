//! A run as Markdown: what a bot writes under a merge request.

use super::summary::{comparisons, covered, incomplete};
use super::tally::{self, Tally};
use super::text::{number, seconds};
use super::verdict::Verdict;
use crate::common::Paint;
use crate::journal::Journal;
use anyhow::Result;
use std::fmt::Write as _;
use std::path::Path;
use wavediff::engine::Status;

/// Cases that are told.
const TOLD: usize = 10;

/// Writes the file.
pub fn write(journal: &Journal, path: &Path) -> Result<()> {
    crate::files::write(path, text(journal).as_bytes())
}

/// The text of the file.
pub fn text(journal: &Journal) -> String {
    let tally = Tally::of(journal);
    let verdict = Verdict::of(journal);
    let mark = match verdict {
        Verdict::Bad => "❌",
        Verdict::NotCompared | Verdict::Stopped => "⚠️",
        Verdict::Good => "✅",
    };
    let words = verdict.words(&tally.all.counts);
    let mut out = format!("### wavediff conform: {mark} {words}\n\n{}\n", cell(&comparisons(journal, Paint::never())));
    for line in covered(journal).into_iter().chain(incomplete(journal)) {
        let _ = writeln!(out, "\n{}", cell(&line));
    }
    let _ = write!(
        out,
        "\n| suite | engine | cases | passed | not as expected | unsupported | time |\n|---|---|--:|--:|--:|--:|--:|\n"
    );
    let mut lines = std::collections::BTreeMap::<(usize, usize), tally::Group>::new();
    for (key, group) in &tally.groups {
        let line = lines.entry((key.suite, key.engine)).or_default();
        line.counts.join(&group.counts);
        line.seconds += group.seconds;
    }
    for ((suite, engine), group) in lines {
        let counts = &group.counts;
        let of = |status| number(counts.of(status));
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} |",
            tally.suites[suite],
            cell(tally.engine(engine)),
            number(counts.cases()),
            of(Status::Pass),
            number(counts.bad()),
            of(Status::Unsupported),
            seconds(group.seconds)
        );
    }
    let failures: Vec<_> = tally::results(journal).filter(|(_, result)| tally::is_bad(&result.status)).collect();
    if !failures.is_empty() {
        let _ = write!(out, "\n| case | instruction | | place | expected | got |\n|---|---|---|---|---|---|\n");
    }
    for (_, result) in failures.iter().take(TOLD) {
        let (place, expected, got) = match result.differences.first() {
            Some(shown) => (shown.place.as_str(), shown.expected.as_str(), shown.got.as_str()),
            None => (result.reason.as_str(), "", ""),
        };
        let cells = [&result.case, &result.text, &result.status, place, expected, got].map(cell);
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    }
    if failures.len() > TOLD {
        let _ = writeln!(out, "\nand {} more", number((failures.len() - TOLD) as u64));
    }
    out
}

/// A text in a table: nothing in it may end a cell or begin markup.
fn cell(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '|' | '*' | '_' | '`' | '<' | '>' | '[' | ']' | '\\' | '~' | '#' => out.extend(['\\', c]),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::{CaseResult, End, EngineInfo, Header, Unit};

    /// Only a run that compared something and came to its end gets a green mark.
    #[test]
    fn the_mark_is_that_of_the_verdict() {
        let engines = ["emu", "vulkan:card"].map(|name| EngineInfo { name: name.to_owned(), driver: String::new() });
        let header = Header { engines: engines.to_vec(), units: 1, ..Header::default() };
        let first = |status, end| {
            let mut unit = Unit { engine: "vulkan:card".to_owned(), ..Unit::default() };
            unit.add("v_add_f32", status, 2);
            let text = text(&Journal { header: header.clone(), units: vec![unit], end, ..Journal::default() });
            text.lines().next().unwrap_or_default().replace("### wavediff conform: ", "")
        };
        let ended = || Some(End::default());
        assert_eq!(first(Status::Pass, ended()), "✅ nothing bad in 2 cases");
        assert_eq!(first(Status::Pass, None), "⚠️ nothing bad so far in 2 cases");
        assert_eq!(first(Status::Unsupported, ended()), "⚠️ nothing was compared");
        assert_eq!(first(Status::Crash, ended()), "❌ 2 of 2 cases not as expected");
    }

    /// A name with markup in it stays what it is, and a run that compared nothing does not look well.
    #[test]
    fn markup_is_text_and_nothing_is_no_success() {
        let engines = ["emu", "vulkan:a|b"].map(|name| EngineInfo { name: name.to_owned(), driver: String::new() });
        let header = Header { engines: engines.to_vec(), suites: vec!["alu".to_owned()], ..Header::default() };
        let mut journal = Journal { header, ..Journal::default() };
        assert!(text(&journal).contains("nothing was compared"));
        let mut unit = Unit { suite: "alu".to_owned(), engine: "vulkan:a|b".to_owned(), ..Unit::default() };
        unit.add("v_add_f32", Status::Fail, 1);
        let (case, status) = ("alu/gfx900-w64/v_add_f32_e32:1".to_owned(), "fail".to_owned());
        let instruction = "v_add_f32 v0, |v1|, v2".to_owned();
        unit.results.push(CaseResult { case, status, text: instruction, count: 1, ..CaseResult::default() });
        journal.units.push(unit);
        let text = text(&journal);
        assert!(text.contains("1 of 1 case not as expected"), "{text}");
        assert!(text.contains(r"v\_add\_f32 v0, \|v1\|, v2"), "{text}");
        let table: Vec<&str> = text.lines().filter(|line| line.starts_with("| alu")).collect();
        assert_eq!(table.iter().map(|line| line.replace(r"\|", "").matches('|').count()).collect::<Vec<_>>(), [8, 7]);
    }
}
