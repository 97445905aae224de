//! A run as one HTML file that asks nothing of a network: the summary as it is, the matrix and the failures as JSON for the script beside it.
//!
//! What a reader without scripts needs is in the page: verdict, provenance, charts, tables. The two lists that may have tens of thousands of lines are drawn
//! by `html/page.js` for as much of them as is on the screen. All text goes through [`text::escape`](super::text::escape) on its
//! way into the page, or through [`text::script`](super::text::script) into the JSON, from where the script only ever sets it as text. How a page begins and
//! ends is the [`shell`] of other pages as well.

mod charts;
mod data;
pub mod shell;

use super::summary;
use super::tally::{self, KINDS, Tally};
use super::text::{command, counted, escape, number, seconds, when};
use super::verdict::Verdict;
use crate::common::Paint;
use crate::files;
use crate::journal::Journal;
use anyhow::Result;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use wavediff::engine::Status;

/// Units that are named as the slowest.
const SLOWEST: usize = 12;
/// Reasons that are named.
const REASONS: usize = 60;

/// Writes the file.
pub fn write(journal: &Journal, path: &Path) -> Result<()> {
    files::write(path, page(journal)?.as_bytes())
}

/// The text of the file.
pub fn page(journal: &Journal) -> Result<String> {
    let tally = Tally::of(journal);
    let data = serde_json::to_string(&data::Data::of(journal, &tally))?;
    let verdict = Verdict::of(journal);
    let state = match verdict {
        Verdict::Bad => "bad",
        // Of a run that came to its end units may be missing all the same, if lines of the journal are damaged.
        Verdict::Good if summary::incomplete(journal).is_none() => "good",
        _ => "warn",
    };
    let title = verdict.words(&tally.all.counts);
    let mut out = String::with_capacity(data.len() + (64 << 10));
    out.push_str(&shell::head(&format!("wavediff: {title}"), include_str!("html/page.css")));
    let _ = writeln!(
        out,
        "<body>\n<header class=\"top {state}\"><div class=\"wide\">\n<p class=\"name\">wavediff conformance</p>"
    );
    let _ = writeln!(
        out,
        "<h1>{}</h1>\n<p class=\"sub\">{}</p>\n</div></header>",
        escape(&title),
        escape(&subtitle(journal, &tally))
    );
    out.push_str(
        "<nav><div class=\"wide\"><a href=\"#summary\">Summary</a><a href=\"#matrix\">Matrix</a>\
         <a href=\"#failures\">Failures</a><a href=\"#unsupported\">Unsupported</a><a href=\"#run\">Run</a></div></nav>\n\
         <main class=\"wide\">\n",
    );
    if let Some(text) = summary::incomplete(journal) {
        let _ = writeln!(out, "<p class=\"note\">{}</p>", escape(&text));
    }
    push_summary(&mut out, &tally);
    out.push_str(include_str!("html/lists.html"));
    push_unsupported(&mut out, journal, &tally);
    push_run(&mut out, journal, &tally);
    out.push_str("</main>\n");
    out.push_str(&shell::foot(&data, include_str!("html/page.js")));
    Ok(out)
}

fn subtitle(journal: &Journal, tally: &Tally) -> String {
    let header = &journal.header;
    let mut parts = vec![when(header.began)];
    if let Some(end) = &journal.end {
        parts.push(seconds(end.seconds));
    }
    parts.push(counted(tally.suites.len() as u64, "suite"));
    parts.push(counted(tally.processors.len() as u64, "target"));
    parts.extend((0..tally.engines.len()).map(|at| tally.engine(at).to_owned()));
    parts.extend(header.shard.map(|[k, n]| format!("shard {k}/{n}")));
    parts.push(format!("version {}", header.version));
    parts.join(" · ")
}

fn push_summary(out: &mut String, tally: &Tally) {
    let counts = &tally.all.counts;
    let always = [Status::Pass, Status::Fail, Status::Unsupported, Status::Flake].map(|s| tally::kind(s.name()));
    let kinds: Vec<usize> = (0..KINDS).filter(|k| counts.0[*k] > 0 || always.contains(k)).collect();
    out.push_str("<section id=\"summary\">\n<div class=\"tiles\">\n");
    let _ = writeln!(out, "<div class=\"tile\"><b>{}</b><span>cases</span></div>", number(counts.cases()));
    for kind in &kinds {
        let zero = if counts.0[*kind] == 0 { " zero" } else { "" };
        let name = tally::names()[*kind];
        let _ = writeln!(
            out,
            "<div class=\"tile s-{name}{zero}\"><b>{}</b><span>{}</span></div>",
            number(counts.0[*kind]),
            tally::heading(*kind)
        );
    }
    out.push_str("</div>\n<div class=\"charts\">\n");
    charts::push_status(out, tally);
    charts::push_time(out, tally);
    out.push_str("</div>\n<details class=\"card\"");
    out.push_str(if tally.groups.len() <= 24 { " open>" } else { ">" });
    let _ = writeln!(
        out,
        "<summary>By suite, processor and engine <small>{}</small></summary>",
        counted(tally.groups.len() as u64, "line")
    );
    out.push_str(
        "<div class=\"scroll\"><table class=\"plain\"><thead><tr><th>suite<th>processor<th>engine<th class=\"n\">cases",
    );
    for kind in &kinds {
        let _ = write!(out, "<th class=\"n\">{}", tally::heading(*kind));
    }
    out.push_str("<th class=\"n\">time</thead><tbody>\n");
    for (key, group) in &tally.groups {
        let state = if group.counts.bad() > 0 { " class=\"bad\"" } else { "" };
        let _ = write!(
            out,
            "<tr{state}><td>{}<td>{}<td>{}<td class=\"n\">{}",
            escape(&tally.suites[key.suite]),
            escape(&tally.processor(key.processor)),
            escape(tally.engine(key.engine)),
            number(group.counts.cases())
        );
        for kind in &kinds {
            let _ = match group.counts.0[*kind] {
                0 => write!(out, "<td class=\"n zero\">–"),
                n => write!(out, "<td class=\"n t-{}\">{}", tally::names()[*kind], number(n)),
            };
        }
        let _ = writeln!(out, "<td class=\"n\">{}</tr>", seconds(group.seconds));
    }
    out.push_str("</tbody></table></div></details>\n</section>\n");
}

fn push_unsupported(out: &mut String, journal: &Journal, tally: &Tally) {
    out.push_str("<section id=\"unsupported\">\n<h2>Unsupported, by reason</h2>\n");
    let all = tally::reasons(journal, Status::Unsupported.name());
    if all.is_empty() {
        out.push_str("<p class=\"empty\">Every case ran.</p>\n</section>\n");
        return;
    }
    out.push_str("<div class=\"card scroll\"><table class=\"plain\"><thead><tr><th>reason<th class=\"n\">cases<th class=\"n\">rows<th>of them<th>processors<th>engines</thead><tbody>\n");
    let short = |name: &String| {
        let at = tally.engines.iter().position(|engine| engine == name);
        at.map_or(name.as_str(), |at| tally.engine(at)).to_owned()
    };
    let engines = |names: &BTreeSet<String>| names.iter().map(short).collect::<BTreeSet<_>>();
    for (text, reason) in all.iter().take(REASONS) {
        let list = |names: &BTreeSet<String>, most: usize| {
            let first: Vec<&str> = names.iter().take(most).map(String::as_str).collect();
            let more = if names.len() > most { format!(" and {} more", names.len() - most) } else { String::new() };
            escape(&(first.join(", ") + &more))
        };
        let text = if text.is_empty() { "no reason given" } else { text };
        let _ = writeln!(
            out,
            "<tr><td>{}<td class=\"n\">{}<td class=\"n\">{}<td class=\"mono\">{}<td>{}<td>{}</tr>",
            escape(text),
            number(reason.cases),
            number(reason.rows.len() as u64),
            list(&reason.rows, 4),
            list(&reason.processors, 9),
            list(&engines(&reason.engines), 3)
        );
    }
    out.push_str("</tbody></table></div>\n");
    if all.len() > REASONS {
        let _ = writeln!(out, "<p class=\"empty\">and {} more</p>", all.len() - REASONS);
    }
    out.push_str("</section>\n");
}

fn push_run(out: &mut String, journal: &Journal, tally: &Tally) {
    let header = &journal.header;
    out.push_str(
        "<section id=\"run\">\n<h2>Run</h2>\n<div class=\"pair\">\n<div class=\"card\"><h3>Provenance</h3><dl>\n",
    );
    let mut row = |name: &str, value: &str| {
        let _ = writeln!(out, "<dt>{}<dd>{}", escape(name), escape(value));
    };
    row("version", &header.version);
    row("began", &when(header.began));
    match &journal.end {
        Some(end) => {
            row("took", &format!("{}{}", seconds(end.seconds), if end.interrupted { ", stopped" } else { "" }))
        }
        None => row("took", "it was cut off"),
    }
    row("plan", &header.plan);
    row("seed", &header.seed.to_string());
    if let Some([k, n]) = header.shard {
        row("shard", &format!("{k} of {n}"));
    }
    row("units", &format!("{} of {}", number(tally::units(journal)), number(header.units)));
    row("suites", &header.suites.join(", "));
    row("processors", &header.archs.join(", "));
    for (n, engine) in header.engines.iter().enumerate() {
        let driver = if engine.driver.is_empty() { String::new() } else { format!(" — {}", engine.driver) };
        row(if n == 0 { "reference" } else { "engine" }, &format!("{}{driver}", engine.name));
    }
    for what in &header.left_out {
        row("left out", what);
    }
    let line = escape(&command(&header.command));
    row("compared", &summary::comparisons(journal, Paint::never()));
    for line in summary::covered(journal) {
        row("covered", &line);
    }
    let _ = writeln!(out, "</dl>\n<div class=\"again\"><code>{line}</code><button data-copy>Copy</button></div></div>");
    missing(out, journal);
    out.push_str("<div class=\"card\"><h3>Slowest units</h3><div class=\"scroll\"><table class=\"plain\"><tbody>\n");
    for unit in tally::slowest(journal, SLOWEST) {
        let _ = writeln!(
            out,
            "<tr><td class=\"mono\">{}<td>{}<td class=\"n\">{}<td class=\"n\">{}</tr>",
            escape(&unit.unit),
            escape(tally.engine(tally.key(unit).engine)),
            counted(unit.cases(), "case"),
            seconds(unit.seconds)
        );
    }
    out.push_str("</tbody></table></div></div>\n</div>\n</section>\n");
}

/// What of the suites was not seen: rows of which no case was compared, for each engine where they are not the same with all, and forms of which none
/// was planned. Folded up, for there may be many.
fn missing(out: &mut String, journal: &Journal) {
    let missing = tally::missing_rows(journal);
    let mut list = |what: String, names: &[&str]| {
        if !names.is_empty() {
            let names = escape(&names.join(" "));
            let _ = writeln!(
                out,
                "<details class=\"card\"><summary>{}</summary><code>{names}</code></details>",
                escape(&what)
            );
        }
    };
    for (n, suite) in journal.header.coverage.iter().enumerate() {
        let lists: Vec<(&str, &[&str])> = missing.iter().map(|(engine, suites)| (*engine, &suites[n][..])).collect();
        let same = lists.windows(2).all(|two| two[0].1 == two[1].1);
        for &(engine, rows) in lists.iter().take(if same { 1 } else { lists.len() }) {
            let with = if same { String::new() } else { format!(" with {}", summary::in_words(engine)) };
            list(format!("{}: {} not compared{with}", suite.suite, counted(rows.len() as u64, "row")), rows);
        }
        let forms: Vec<&str> = suite.missing_forms.iter().map(String::as_str).collect();
        list(format!("{}: {} of {} not in the plan", suite.suite, forms.len(), counted(suite.forms, "form")), &forms);
    }
}
