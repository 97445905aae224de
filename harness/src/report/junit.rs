//! JUnit XML, as GitLab, GitHub and Jenkins read it: a test suite for each suite, processor and engine, and in it a test for each row.
//!
//! A row with a bad case is a failure (an error, if the engine went down), with its first cases and both their values as text. A row that has no case
//! that ran is skipped. Tests are rows and not cases, since viewers do not stand hundreds of thousands of tests.

use super::tally::{self, Key, Tally};
use super::text::{escape, number, timestamp};
use crate::files;
use crate::journal::{CaseResult, Journal};
use anyhow::Result;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use wavediff::engine::Status;

/// Cases of a row that are told.
const TOLD: usize = 8;

/// Writes the file.
pub fn write(journal: &Journal, path: &Path) -> Result<()> {
    files::write(path, text(journal).as_bytes())
}

/// What came of a row.
#[derive(Default)]
struct Row<'a> {
    counts: tally::Counts,
    results: Vec<&'a CaseResult>,
}

/// The text of the file.
pub fn text(journal: &Journal) -> String {
    let tally = Tally::of(journal);
    let mut suites: BTreeMap<Key, BTreeMap<&str, Row<'_>>> = BTreeMap::new();
    for unit in &journal.units {
        let rows = suites.entry(tally.key(unit)).or_default();
        for (row, counts) in &unit.rows {
            let sum = &mut rows.entry(row).or_default().counts;
            counts.iter().for_each(|(status, n)| sum.add(status, *n));
        }
        for result in &unit.results {
            rows.entry(&result.row).or_default().results.push(result);
        }
    }
    let mut body = String::new();
    let mut sums = [0; 4];
    for (key, rows) in &suites {
        let name =
            format!("{} {} {}", tally.suites[key.suite], tally.processor(key.processor), tally.engines[key.engine]);
        let class = format!("{}.{}", tally.suites[key.suite], tally.processor(key.processor).replace(' ', "-"));
        let class = format!("{class}.{}", tally.engine(key.engine));
        let seconds = tally.groups.get(key).map_or(0.0, |group| group.seconds);
        let mut tests = String::new();
        let mut counts = [rows.len(), 0, 0, 0];
        for (row, found) in rows {
            let _ = write!(tests, "    <testcase name=\"{}\" classname=\"{}\"", escape(row), escape(&class));
            match test(found) {
                None => tests.push_str("/>\n"),
                Some((kind, inner)) => {
                    counts[kind] += 1;
                    let _ = writeln!(tests, ">\n{inner}    </testcase>");
                }
            }
        }
        let head = attributes(&name, counts, seconds);
        let began = timestamp(journal.header.began);
        let _ = writeln!(
            body,
            "  <testsuite {head} timestamp=\"{began}\">\n{}{tests}  </testsuite>",
            properties(journal, &tally, *key)
        );
        sums.iter_mut().zip(counts).for_each(|(sum, n)| *sum += n);
    }
    let seconds = journal.end.as_ref().map_or(tally.all.seconds, |end| end.seconds);
    let head = attributes("wavediff conform", sums, seconds);
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {head}>\n{body}</testsuites>\n")
}

/// On what the tests of a suite ran: the engine, its driver, the plan, so that a viewer can tell two runs apart.
fn properties(journal: &Journal, tally: &Tally, key: Key) -> String {
    let header = &journal.header;
    let engine = &tally.engines[key.engine];
    let driver = header.engines.iter().find(|info| info.name == *engine).map_or("", |info| info.driver.as_str());
    let seed = header.seed.to_string();
    let all = [
        ("engine", engine.as_str()),
        ("driver", driver),
        ("wavediff", header.version.as_str()),
        ("plan", header.plan.as_str()),
        ("seed", seed.as_str()),
    ];
    let line = |(name, value): (&str, &str)| format!("      <property name=\"{name}\" value=\"{}\"/>\n", escape(value));
    let lines: String = all.into_iter().filter(|(_, value)| !value.is_empty()).map(line).collect();
    format!("    <properties>\n{lines}    </properties>\n")
}

fn attributes(name: &str, [tests, failures, errors, skipped]: [usize; 4], seconds: f64) -> String {
    let name = escape(name);
    format!(
        "name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\" time=\"{seconds:.3}\""
    )
}

/// What is in a test, and in which of its suite's counts it is; nothing if it passed.
fn test(row: &Row<'_>) -> Option<(usize, String)> {
    let bad: Vec<&CaseResult> = row.results.iter().copied().filter(|r| tally::is_bad(&r.status)).collect();
    let (cases, wrong) = (row.counts.cases(), row.counts.bad());
    if wrong > 0 {
        let down = [Status::Crash, Status::Timeout].iter().any(|s| row.counts.of(*s) > 0);
        let (kind, element) = if down { (2, "error") } else { (1, "failure") };
        let kinds: Vec<&str> = tally::names()
            .iter()
            .zip(row.counts.0)
            .filter(|(n, c)| *c > 0 && tally::is_bad(n))
            .map(|(n, _)| *n)
            .collect();
        let mut told: String = bad.iter().take(TOLD).map(|r| tell(r)).collect();
        if bad.len() > TOLD {
            let _ = writeln!(told, "and {} more", bad.len() - TOLD);
        }
        let message = format!("{} of {} cases: {}", number(wrong), number(cases), kinds.join(", "));
        let (message, told) = (escape(&message), escape(&told));
        let text = format!("      <{element} type=\"{}\" message=\"{message}\">{told}</{element}>\n", kinds.join(" "));
        return Some((kind, text));
    }
    let unsupported = row.counts.of(Status::Unsupported);
    let listed = row.counts.0[tally::kind(crate::expect::EXPECTED)];
    if cases > 0 && unsupported + listed == cases {
        let reason = row.results.first().map_or("", |r| r.reason.as_str());
        return Some((3, format!("      <skipped message=\"{}\"/>\n", escape(reason))));
    }
    None
}

/// A case as text.
fn tell(result: &CaseResult) -> String {
    let mut out = format!("{} {}: {}\n", result.status, result.case, result.text);
    if !result.reason.is_empty() {
        let _ = writeln!(out, "  {}", result.reason);
    }
    for line in &result.inputs {
        let _ = writeln!(out, "  {line}");
    }
    for d in &result.differences {
        let apart = if d.apart.is_empty() { String::new() } else { format!(", {} apart", d.apart) };
        let _ = writeln!(out, "  {}: expected {}, got {}{apart}", d.place, d.expected, d.got);
    }
    for line in [&result.again, &result.file].into_iter().filter(|line| !line.is_empty()) {
        let _ = writeln!(out, "  {line}");
    }
    out
}
