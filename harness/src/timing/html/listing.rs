//! The listing beside the timeline: instructions that were executed, those between them, and how the clocks of each were spent.

use super::data::{Data, number_of};
use crate::report::text::{escape, number};
use crate::timing::kind::Kind;
use crate::timing::{clocks, each, place, reasons, share, waits};
use std::fmt::Write as _;
use wavediff::program::Program;
use wavediff::timing::{Report, StepTime};

/// Instructions in a row which did not run and are shown all the same; more are counted.
const BETWEEN: usize = 12;

/// Appends it.
pub fn push(out: &mut String, report: &Report, program: &Program, data: &Data) {
    out.push_str(
        "<div class=\"card list scroll\" id=\"l-box\"><table class=\"plain\"><thead><tr><th>pc<th>instruction<th class=\"n\">count\
         <th class=\"n\">clocks<th class=\"n\">each<th class=\"n\">share<th><th>waited for</thead><tbody id=\"l-body\">\n",
    );
    let all = Shares { of: clocks(report), most: report.steps.iter().map(|time| time.clocks).max().unwrap_or(0) };
    let nothing = StepTime::default();
    let mut behind = None;
    for step in data.steps() {
        if let Some(first) = behind {
            push_between(out, program, first, step);
        }
        let time = report.steps.get(step as usize).unwrap_or(&nothing);
        push_row(out, program, data, step, time, &all);
        behind = Some(next(program, step));
    }
    out.push_str("</tbody></table></div>\n");
}

/// The instruction behind another one.
fn next(program: &Program, step: u32) -> u32 {
    program.steps.get(step as usize).map_or(step + 1, |s| s.next.max(step + 1))
}

/// Instructions that did not run.
fn push_between(out: &mut String, program: &Program, first: u32, end: u32) {
    let all: Vec<u32> =
        std::iter::successors(Some(first), |step| Some(next(program, *step))).take_while(|step| *step < end).collect();
    if all.len() > BETWEEN {
        let _ = writeln!(
            out,
            "<tr class=\"not\"><td><td colspan=\"7\">{} instructions were not executed</tr>",
            number(all.len() as u64)
        );
        return;
    }
    for step in all {
        let text = escape(&program.text(step));
        let _ = writeln!(
            out,
            "<tr class=\"not\"><td class=\"mono\">{}<td class=\"mono\">{text}<td colspan=\"6\"></tr>",
            place(step)
        );
    }
}

/// What shares are shares of, and the clocks that have the longest bar.
struct Shares {
    of: u64,
    most: u64,
}

fn push_row(out: &mut String, program: &Program, data: &Data, step: u32, time: &StepTime, all: &Shares) {
    let kind = number_of(Kind::of(program, step));
    let _ = write!(
        out,
        "<tr data-n=\"{}\" tabindex=\"0\"><td class=\"mono\">{}<td class=\"mono\"><i class=\"k{kind}\"></i>{}",
        data.number(step).unwrap_or_default(),
        place(step),
        escape(&program.text(step))
    );
    let _ = write!(out, "<td class=\"n\">{}<td class=\"n\">{}", number(time.count), number(time.clocks));
    let _ = write!(
        out,
        "<td class=\"n\">{:.1}<td class=\"n\">{:.1}%<td><span class=\"share\">",
        each(time),
        share(time.clocks, all.of)
    );
    let waits = waits(time);
    let working = time.clocks.saturating_sub(waits.iter().map(|(_, clocks)| clocks).sum());
    let parts = waits.iter().map(|(why, clocks)| (format!("w{}", *why as usize), *clocks));
    for (class, clocks) in std::iter::once((format!("k{kind}"), working)).chain(parts).filter(|(_, clocks)| *clocks > 0)
    {
        let _ = write!(out, "<b class=\"{class}\" style=\"width:{:.2}%\"></b>", share(clocks, all.most));
    }
    let _ = writeln!(out, "</span><td>{}</tr>", escape(&reasons(time)));
}
