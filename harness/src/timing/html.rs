//! A timed run as one HTML file: a timeline of the waves beside the listing of the program.
//!
//! The listing and the numbers are in the page for readers without scripts; the timeline is drawn by `html/timeline.js` from JSON, for as much of it as
//! is on the screen. Events are numbers in one list a wave, so that a hundred thousand of them are no burden. A fragment of the page's address,
//! `#step=N` or `#step=N&bar=K`, picks an instruction by the number of its first word, and its execution number K in the order of the lanes.

mod data;
mod listing;

use super::{clocks, group, left_out};
use crate::report::html::shell;
use crate::report::text::{escape, number};
use data::Data;
use std::fmt::Write as _;
use wavediff::program::Program;
use wavediff::timing::Report;

/// Waves in the table of a page without scripts.
const WAVES: usize = 64;

/// The text of the file.
pub fn html(report: &Report, program: &Program, title: &str) -> String {
    let data = Data::of(report, program);
    let mut out = shell::head(&format!("wavediff: {title}"), include_str!("html/timeline.css"));
    let _ = writeln!(
        out,
        "<body>\n<header class=\"top\"><div class=\"wide\">\n<p class=\"name\">wavediff timing</p>\n<h1>{}</h1>\n\
         <p class=\"sub\">{}</p>\n</div></header>\n<main class=\"wide\">",
        escape(title),
        escape(program.target.arch.name)
    );
    push_tiles(&mut out, report);
    if let Some(text) = left_out(report) {
        let _ = writeln!(out, "<p class=\"note\">{text}.</p>");
    }
    out.push_str(include_str!("html/timeline.html"));
    listing::push(&mut out, report, program, &data);
    out.push_str("</div>\n");
    push_waves(&mut out, report);
    out.push_str("</main>\n");
    out.push_str(&shell::foot(&data.json(), include_str!("html/timeline.js")));
    out
}

fn push_tiles(out: &mut String, report: &Report) {
    let instructions = report.steps.iter().map(|time| time.count).sum();
    out.push_str("<div class=\"tiles\">\n");
    for (n, what) in [
        (report.clocks, "clocks"),
        (report.units.into(), "compute units with work"),
        (report.all_waves, "waves"),
        (report.occupancy.into(), "waves of a SIMD at most"),
        (instructions, "instructions executed"),
        (clocks(report), "clocks of all waves"),
    ] {
        let _ = writeln!(out, "<div class=\"tile\"><b>{}</b><span>{what}</span></div>", number(n));
    }
    out.push_str("</div>\n");
}

/// What the timeline would show, for readers without scripts.
fn push_waves(out: &mut String, report: &Report) {
    out.push_str(
        "<noscript><style>#timeline, .time { display: none; } .panes { display: block; height: auto; }</style>\n<p class=\"note\">The timeline needs scripts.</p>\n\
         <h2>Waves</h2>\n<div class=\"card scroll\"><table class=\"plain\"><thead><tr><th>group<th class=\"n\">wave\
         <th class=\"n\">unit<th class=\"n\">SIMD<th class=\"n\">begin<th class=\"n\">end<th class=\"n\">instructions</thead><tbody>\n",
    );
    for wave in report.waves.iter().take(WAVES) {
        let numbers = [wave.wave.into(), wave.unit.into(), wave.simd.into(), wave.begin, wave.end, wave.instructions];
        let cells = numbers.map(|n| format!("<td class=\"n\">{}", number(n))).concat();
        let _ = writeln!(out, "<tr><td>{}{cells}</tr>", group(wave.group));
    }
    out.push_str("</tbody></table></div>\n");
    let more = report.all_waves.saturating_sub(report.waves.len().min(WAVES) as u64);
    if more > 0 {
        let _ = writeln!(out, "<p class=\"empty\">and {} more</p>", number(more));
    }
    out.push_str("</noscript>\n");
}
