//! What a run says on the terminal when it ends: a table by suite, processor and engine, and what a reader wants to know next.

use super::tally::{self, Counts, Group, KINDS, Key, Tally};
use super::text::{counted, number, seconds, table, when};
use super::verdict::Verdict;
use crate::common::Paint;
use crate::journal::{CaseResult, Header, Journal, Shown, Unit};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use wavediff::engine::Status;

/// Lines of the table beyond which processors that are all well share one.
const LONG: usize = 40;
/// Reasons, units and cases that are named.
const SHOWN: usize = 10;
/// Units that are named as the slowest.
const SLOWEST: usize = 5;
/// Differences of a case that are shown.
const DIFFERENCES: usize = 4;

/// The summary of a run.
pub fn print(journal: &Journal) -> String {
    print_with(journal, &[])
}

/// The summary, and where the rest of it is.
pub fn print_with(journal: &Journal, files: &[&Path]) -> String {
    let paint = Paint::stdout();
    let tally = Tally::of(journal);
    let mut out = format!("{}\n", comparisons(journal, paint));
    for line in covered(journal) {
        let _ = writeln!(out, "{line}");
    }
    let _ = write!(out, "\n{}", groups(&tally, paint));
    push_reasons(&mut out, journal, Status::Unsupported.name(), "unsupported, by reason");
    push_reasons(&mut out, journal, crate::expect::EXPECTED, "failed as expected, by reason");
    let slowest = tally::slowest(journal, SLOWEST);
    if slowest.len() > 1 {
        out.push_str("\nslowest units\n");
        let row =
            |u: &&Unit| vec![format!("  {}", u.unit), tally.engine(tally.key(u).engine).to_owned(), seconds(u.seconds)];
        let rows: Vec<Vec<String>> = slowest.iter().map(row).collect();
        out.push_str(&without_heading(&table(&["", "", ""], 2.., &rows, |_, _, cell| cell)));
    }
    push_failures(&mut out, journal, &tally, paint);
    if !journal.header.left_out.is_empty() {
        out.push_str("\nleft out\n");
        for what in &journal.header.left_out {
            let _ = writeln!(out, "  {what}");
        }
    }
    let _ = write!(out, "\n{}", verdict(journal, &tally.all.counts, paint));
    for file in files {
        let _ = writeln!(out, "full report: {}", file.display());
    }
    out
}

/// What was compared with what, and how many cases.
pub fn comparisons(journal: &Journal, paint: Paint) -> String {
    let compared = tally::compared(journal);
    if compared.values().all(|cases| *cases == 0) {
        return paint.red("nothing was compared");
    }
    let reference = journal.header.engines.first().map_or("emu", |engine| engine.name.as_str());
    let with =
        |(engine, cases): (&&str, &u64)| format!("{reference} with {}, {}", in_words(engine), counted(*cases, "case"));
    let all: Vec<String> = compared.iter().map(with).collect();
    let is_device = |engine: &str| matches!(tally::kind_of_engine(engine), "vulkan" | "native");
    let devices = compared.iter().any(|(engine, cases)| is_device(engine) && *cases > 0);
    let mut out = format!("compared: {}", all.join("; "));
    if !devices && compared.keys().any(|engine| engine.starts_with("golden:")) {
        out.push_str(
            "\nno device ran: a recording tells whether the emulator is what it was, not whether a device agrees",
        );
    }
    out
}

/// An engine as the other side of a comparison.
pub fn in_words(engine: &str) -> String {
    match engine.strip_prefix("golden:") {
        Some(name) => format!("the recording {name}"),
        None if engine == "emu again" => "itself, as was asked for".to_owned(),
        None => engine.to_owned(),
    }
}

/// How many of all rows were compared and how many of all forms are in the plan. The first line is of the engine with which most rows were compared;
/// each with which fewer were has a line of its own.
pub fn covered(journal: &Journal) -> Vec<String> {
    let coverage = &journal.header.coverage;
    if coverage.is_empty() {
        return Vec::new();
    }
    let all: usize = coverage.iter().map(|suite| suite.rows.len()).sum();
    let missing = tally::missing_rows(journal).into_iter();
    let mut engines: Vec<(usize, &str)> =
        missing.map(|(engine, rows)| (all - rows.iter().map(Vec::len).sum::<usize>(), engine)).collect();
    engines.sort_by_key(|(rows, _)| Reverse(*rows));
    let most = engines.first().map_or(0, |(rows, _)| *rows);
    let rows = |rows: usize| format!("rows {} of {}", number(rows as u64), number(all as u64));
    let forms: u64 = coverage.iter().map(|suite| suite.forms).sum();
    let missing: u64 = coverage.iter().map(|suite| suite.missing_forms.len() as u64).sum();
    let percent = (forms - missing.min(forms)) * 100 / forms.max(1);
    let mut lines = vec![format!("{}, forms {percent}%", rows(most))];
    let fewer = engines.iter().filter(|(there, _)| *there < most);
    lines.extend(fewer.map(|(there, engine)| format!("{} with {}", rows(*there), in_words(engine))));
    lines
}

fn without_heading(table: &str) -> String {
    table.split_once('\n').map_or("", |(_, rest)| rest).to_owned()
}

/// Which kinds have a column: those that always have one, and those that occur.
fn columns(counts: &Counts) -> Vec<usize> {
    let always = [Status::Pass, Status::Fail, Status::Unsupported, Status::Flake].map(|s| tally::kind(s.name()));
    (0..KINDS).filter(|k| counts.0[*k] > 0 || always.contains(k)).collect()
}

/// Lines of the table: groups with what stands in their first three columns.
fn lines(tally: &Tally) -> Vec<([String; 3], Group)> {
    let name = |key: &Key, processor: String| {
        [tally.suites.get(key.suite).cloned().unwrap_or_default(), processor, tally.engine(key.engine).to_owned()]
    };
    if tally.groups.len() <= LONG {
        return tally.groups.iter().map(|(key, group)| (name(key, tally.processor(key.processor)), *group)).collect();
    }
    // Those with something bad keep lines of their own, the others of a suite and an engine share one.
    let mut shared: BTreeMap<(usize, usize), (u32, Group)> = BTreeMap::new();
    let mut lines: Vec<(Key, String, Group)> = Vec::new();
    for (key, group) in &tally.groups {
        if group.counts.bad() > 0 {
            lines.push((*key, tally.processor(key.processor), *group));
        } else {
            let (n, sum) = shared.entry((key.suite, key.engine)).or_default();
            *n += 1;
            sum.counts.join(&group.counts);
            sum.seconds += group.seconds;
        }
    }
    for ((suite, engine), (n, group)) in shared {
        let key = Key { suite, processor: usize::MAX, engine };
        let other = lines.iter().any(|(k, ..)| (k.suite, k.engine) == (suite, engine));
        lines.push((
            key,
            format!("{n}{} {}", if other { " other" } else { "" }, if n == 1 { "target" } else { "targets" }),
            group,
        ));
    }
    lines.sort_by_key(|(key, ..)| (key.suite, key.engine, key.processor));
    lines.into_iter().map(|(key, processor, group)| (name(&key, processor), group)).collect()
}

fn groups(tally: &Tally, paint: Paint) -> String {
    let kinds = columns(&tally.all.counts);
    let mut head = vec!["suite", "processor", "engine", "cases"];
    head.extend(kinds.iter().map(|k| tally::heading(*k)));
    head.push("time");
    let row = |first: [String; 3], group: &Group| {
        let mut row = first.to_vec();
        row.push(number(group.counts.cases()));
        row.extend(kinds.iter().map(|k| match group.counts.0[*k] {
            0 => "-".to_owned(),
            n => number(n),
        }));
        row.push(seconds(group.seconds));
        row
    };
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut last = String::new();
    for (mut first, group) in lines(tally) {
        // A suite is named where it begins.
        if first[0] == last {
            first[0].clear();
        } else {
            last.clone_from(&first[0]);
        }
        rows.push(row(first, &group));
    }
    if rows.len() != 1 {
        rows.push(row(["all".to_owned(), String::new(), String::new()], &tally.all));
    }
    let end = rows.len();
    table(&head, 3.., &rows, |line, column, cell| match (line, column.checked_sub(4).and_then(|c| kinds.get(c))) {
        (0, _) => paint.bold(&cell),
        (_, Some(kind)) if cell.trim() != "-" && tally::is_bad(tally::names()[*kind]) => paint.red(&cell),
        (_, Some(kind)) if cell.trim() != "-" && *kind == tally::kind("unsupported") => paint.yellow(&cell),
        (line, _) if line == end => paint.bold(&cell),
        _ => cell,
    })
}

fn push_reasons(out: &mut String, journal: &Journal, status: &str, title: &str) {
    let all = tally::reasons(journal, status);
    if all.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{title}");
    let rows: Vec<Vec<String>> = all
        .iter()
        .take(SHOWN)
        .map(|(text, reason)| {
            let rows: Vec<&str> = reason.rows.iter().take(3).map(String::as_str).collect();
            let more = if reason.rows.len() > rows.len() {
                format!(" and {} more", reason.rows.len() - rows.len())
            } else {
                String::new()
            };
            let text = if text.is_empty() { "no reason given" } else { text };
            vec![format!("  {text}"), format!("{}{more}", rows.join(", ")), number(reason.cases)]
        })
        .collect();
    out.push_str(&without_heading(&table(&["", "", ""], 2.., &rows, |_, _, cell| cell)));
    if all.len() > SHOWN {
        let _ = writeln!(out, "  and {} more reasons", all.len() - SHOWN);
    }
}

/// The first cases that are bad, with both values. One of each row comes before a second one of any.
fn push_failures(out: &mut String, journal: &Journal, tally: &Tally, paint: Paint) {
    let bad: Vec<(&Unit, &CaseResult)> = tally::results(journal).filter(|(_, r)| tally::is_bad(&r.status)).collect();
    if bad.is_empty() {
        return;
    }
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut order: Vec<(usize, usize)> = Vec::new();
    for (n, (_, result)) in bad.iter().enumerate() {
        let turn = seen.entry(&result.row).or_default();
        order.push((*turn, n));
        *turn += 1;
    }
    order.sort_unstable();
    let rows = seen.len() as u64;
    let _ = writeln!(
        out,
        "\nfirst of {} that {} not as expected, in {}",
        counted(bad.len() as u64, "case"),
        if bad.len() == 1 { "is" } else { "are" },
        counted(rows, "row")
    );
    let reference = journal.header.engines.first().map_or("expected", |e| e.name.as_str());
    for (unit, result) in order.iter().take(SHOWN).map(|(_, n)| bad[*n]) {
        let _ = writeln!(out, "  {}  {}  {}", paint.red(&result.status), result.case, paint.bold(&result.text));
        let engine = tally.engine(tally.key(unit).engine);
        let _ = writeln!(out, "      {} w{}, {engine}", unit.arch, unit.lanes);
        if !result.reason.is_empty() {
            let _ = writeln!(out, "      {}", result.reason);
        }
        for line in &result.inputs {
            let _ = writeln!(out, "      {line}");
        }
        let values = result.differences.iter().take(DIFFERENCES);
        let row = |d: &Shown| vec![format!("      {}", d.place), d.expected.clone(), d.got.clone(), d.apart.clone()];
        let rows: Vec<Vec<String>> = values.map(row).collect();
        if !rows.is_empty() {
            out.push_str(&table(&["", reference, engine, ""], 4.., &rows, |_, _, cell| cell));
        }
        if result.differences.len() > DIFFERENCES {
            let _ = writeln!(out, "      and {} more", result.differences.len() - DIFFERENCES);
        }
        for line in [&result.again, &result.file].into_iter().filter(|line| !line.is_empty()) {
            let _ = writeln!(out, "      {line}");
        }
    }
    if bad.len() > SHOWN {
        let _ = writeln!(out, "  and {} more", number((bad.len() - SHOWN) as u64));
    }
}

/// The last word: how many cases, on what, and whether that is all.
fn verdict(journal: &Journal, counts: &Counts, paint: Paint) -> String {
    let header = &journal.header;
    let verdict = Verdict::of(journal);
    let words = verdict.words(counts);
    let words = match verdict {
        Verdict::Bad => paint.red(&words),
        Verdict::NotCompared | Verdict::Stopped => paint.yellow(&words),
        Verdict::Good => paint.bold(&words),
    };
    let mut out = format!("{words}{}\n", parts(counts));
    if let Some(text) = incomplete(journal) {
        let _ = writeln!(out, "{}", paint.yellow(&text));
    }
    let _ = writeln!(out, "{}", provenance(header));
    out
}

/// `: 3 passed, 1 failed`; nothing where there is no case.
fn parts(counts: &Counts) -> String {
    let parts: Vec<String> = (0..KINDS)
        .filter(|k| counts.0[*k] > 0)
        .map(|k| format!("{} {}", number(counts.0[k]), tally::heading(k)))
        .collect();
    if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) }
}

/// Why a run is not all of what it was to be.
pub fn incomplete(journal: &Journal) -> Option<String> {
    let (done, all) = (tally::units(journal), journal.header.units);
    let part = format!("{} of {} units are done", number(done), number(all));
    match &journal.end {
        None => Some(format!("the run was cut off: {part}; `wavediff conform --resume` goes on")),
        Some(end) if end.interrupted => {
            Some(format!("the run was stopped: {part}; `wavediff conform --resume` goes on"))
        }
        Some(_) if done < all => Some(part),
        Some(_) => None,
    }
}

fn provenance(header: &Header) -> String {
    let shard = header.shard.map_or(String::new(), |[k, n]| format!(", shard {k}/{n}"));
    format!("wavediff {}, plan {}, seed {}{shard}, {}", header.version, header.plan, header.seed, when(header.began))
}
