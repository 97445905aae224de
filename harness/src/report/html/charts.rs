//! Charts as SVG in the page: status and time by suite, the longest bar for the largest suite. Colours are classes, so that they follow the page's light and dark.

use crate::report::tally::{self, Counts, KINDS, Tally};
use crate::report::text::{escape, number, seconds};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Widths of a chart: names, bars, numbers.
const NAMES: f64 = 84.0;
const BARS: f64 = 350.0;
const NUMBERS: f64 = 166.0;
/// Heights of a line and of its bar.
const LINE: f64 = 26.0;
const BAR: f64 = 14.0;
/// What little there is of something must be seen beside a million of something else.
const LEAST: f64 = 4.0;

fn open(out: &mut String, title: &str, lines: usize) {
    let (width, height) = (NAMES + BARS + NUMBERS, LINE * lines.max(1) as f64 + 4.0);
    let _ = writeln!(
        out,
        "<figure class=\"card\"><figcaption>{title}</figcaption>\n<svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{title}\">"
    );
}

/// The parts of a bar as widths: at least [`LEAST`] each, and not more than there is in all.
fn widths(parts: &[f64], room: f64) -> Vec<f64> {
    let sum: f64 = parts.iter().sum();
    if sum <= 0.0 {
        return vec![0.0; parts.len()];
    }
    let wanted: Vec<f64> = parts.iter().map(|p| if *p > 0.0 { (p / sum * room).max(LEAST) } else { 0.0 }).collect();
    let (over, most) = (wanted.iter().sum::<f64>() - room, wanted.iter().copied().fold(0.0, f64::max));
    // What the small ones take more than their share is the largest one's to give.
    let mut given = false;
    let give = |w: f64| {
        let gives = w == most && !std::mem::replace(&mut given, true);
        if gives { (w - over).max(LEAST) } else { w }
    };
    wanted.into_iter().map(give).collect()
}

/// A bar of parts with their classes and what a pointer is told, with a name before and a number behind it.
fn push_bar(out: &mut String, line: usize, name: &str, room: f64, parts: &[(String, f64, String)], number: &str) {
    let y = LINE * line as f64 + 4.0;
    let base = y + BAR - 2.5;
    let _ = writeln!(out, "<text class=\"name\" x=\"{}\" y=\"{base}\">{}</text>", NAMES - 8.0, escape(name));
    let mut x = NAMES;
    for ((class, _, title), width) in parts.iter().zip(widths(&parts.iter().map(|p| p.1).collect::<Vec<_>>(), room)) {
        if width > 0.0 {
            let _ = writeln!(
                out,
                "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y}\" width=\"{:.1}\" height=\"{BAR}\"><title>{}</title></rect>",
                (width - 1.0).max(1.0),
                escape(title)
            );
        }
        x += width;
    }
    let _ = writeln!(out, "<text x=\"{:.1}\" y=\"{base}\">{}</text>", (x + 6.0).max(NAMES + 6.0), escape(number));
}

/// Cases of each suite by status.
pub fn push_status(out: &mut String, tally: &Tally) {
    let mut suites: BTreeMap<usize, Counts> = BTreeMap::new();
    for (key, group) in &tally.groups {
        suites.entry(key.suite).or_default().join(&group.counts);
    }
    let most = suites.values().map(Counts::cases).max().unwrap_or(0);
    open(out, "Cases by suite", suites.len());
    for (line, (suite, counts)) in suites.iter().enumerate() {
        let name = tally.suites.get(*suite).map_or("", String::as_str);
        let part = |kind: usize| {
            let status = tally::names()[kind];
            (format!("s-{status}"), counts.0[kind] as f64, format!("{name}: {} {status}", number(counts.0[kind])))
        };
        let parts: Vec<_> = (0..KINDS).map(part).collect();
        let bad = counts.bad();
        let text =
            if bad > 0 { format!("{} bad of {}", number(bad), number(counts.cases())) } else { number(counts.cases()) };
        // Bars are as long as their suites are large, beside each other; each part of a small one is still to be seen.
        let seen = LEAST * parts.iter().filter(|part| part.1 > 0.0).count() as f64;
        let room = (counts.cases() as f64 / most.max(1) as f64 * BARS).max(seen);
        push_bar(out, line, name, room, &parts, &text);
    }
    out.push_str("</svg>\n<p class=\"legend\">");
    for (kind, status) in tally::names().iter().enumerate().filter(|(kind, _)| tally.all.counts.0[*kind] > 0) {
        let _ = write!(out, "<span><i class=\"s-{status}\"></i>{}</span>", tally::heading(kind));
    }
    out.push_str("</p></figure>\n");
}

/// Time of each suite by engine.
pub fn push_time(out: &mut String, tally: &Tally) {
    let mut suites: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for (key, group) in &tally.groups {
        let all = suites.entry(key.suite).or_insert_with(|| vec![0.0; tally.engines.len() + 1]);
        all[key.engine.min(tally.engines.len())] += group.seconds;
    }
    let most = suites.values().map(|all| all.iter().sum::<f64>()).fold(0.0, f64::max);
    open(out, "Time by suite", suites.len());
    for (line, (suite, times)) in suites.iter().enumerate() {
        let name = tally.suites.get(*suite).map_or("", String::as_str);
        let sum: f64 = times.iter().sum();
        let part = |(engine, time): (usize, &f64)| {
            (format!("e-{}", engine % 6), *time, format!("{name} on {}: {}", tally.engine(engine), seconds(*time)))
        };
        let parts: Vec<_> = times.iter().enumerate().map(part).collect();
        let room = if most > 0.0 { (sum / most * BARS).max(LEAST) } else { 0.0 };
        push_bar(out, line, name, room, &parts, &seconds(sum));
    }
    out.push_str("</svg>\n<p class=\"legend\">");
    for engine in 0..tally.engines.len() {
        let _ = write!(out, "<span><i class=\"e-{}\"></i>{}</span>", engine % 6, escape(tally.engine(engine)));
    }
    out.push_str("</p></figure>\n");
}
