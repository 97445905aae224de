//! How a timed run is shown: as [tables](text()) for people, as [JSON](json()) for programs, as a [page](html()) with a timeline.
//!
//! All three say the same. An instruction is named by its place in bytes from the start of the program, as traces name it, and its
//! share is that of the clocks of all instructions: waves run beside each other, so that these are more than the run took.

pub mod compare;
mod html;
mod json;
mod kind;
#[cfg(test)]
mod tests;
mod text;

pub use html::html;
pub use json::json;
pub use text::text;

use crate::common::{self, Paint};
use crate::report::text::number;
use anyhow::Result;
use std::path::Path;
use wavediff::emu::engine::Took;
use wavediff::timing::{Report, StepTime, Why};

/// Writes the page of a run.
pub fn save(file: &str, took: &Took, title: &str) -> Result<()> {
    common::write(Some(Path::new(file)), html(&took.report, &took.program, title).as_bytes())
}

/// Instructions that were executed: the numbers of their first words with what they took, in the order of the program.
fn executed(report: &Report) -> impl Iterator<Item = (u32, &StepTime)> {
    (0..).zip(&report.steps).filter(|(_, time)| time.count > 0)
}

/// The clocks of all instructions of all waves.
fn clocks(report: &Report) -> u64 {
    report.steps.iter().map(|time| time.clocks).sum()
}

/// What part of something is, in percent.
fn share(part: u64, of: u64) -> f64 {
    if of > 0 { 100.0 * part as f64 / of as f64 } else { 0.0 }
}

/// The clocks of one execution.
fn each(time: &StepTime) -> f64 {
    time.clocks as f64 / time.count.max(1) as f64
}

/// What an instruction waited for, the longest first.
fn waits(time: &StepTime) -> Vec<(Why, u64)> {
    let mut all: Vec<(Why, u64)> = Why::ALL.into_iter().zip(time.waits).filter(|(_, clocks)| *clocks > 0).collect();
    all.sort_by_key(|(why, clocks)| (std::cmp::Reverse(*clocks), *why));
    all
}

/// The reason that another instruction is named with: its result, or the counter that told of it.
fn named(waits: &[(Why, u64)]) -> Option<Why> {
    let there = |why: &Why| waits.iter().any(|(other, _)| other == why);
    [Why::Dependency, Why::Counter].into_iter().find(there)
}

/// `dependency 40 on 000010, unit 3`
fn reasons(time: &StepTime) -> String {
    let waits = waits(time);
    let named = named(&waits);
    let one = |(why, clocks): &(Why, u64)| {
        let on = time.on.filter(|_| Some(*why) == named).map(|on| format!(" on {}", place(on)));
        format!("{} {}{}", why.name(), number(*clocks), on.unwrap_or_default())
    };
    waits.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Paints the heading of a table.
pub fn heading(paint: Paint) -> impl Fn(usize, String) -> String {
    move |line, cell| if line == 0 { paint.bold(&cell) } else { cell }
}

/// Where an instruction stands.
fn place(step: u32) -> String {
    format!("{:06x}", pc(step))
}

/// The same in bytes from the start of the program.
fn pc(step: u32) -> u64 {
    u64::from(step) * 4
}

/// `0,0,0`
fn group([x, y, z]: [u32; 3]) -> String {
    format!("{x},{y},{z}")
}

/// What is not among the events.
fn left_out(report: &Report) -> Option<String> {
    let n = report.left_out;
    let (s, are) = if n == 1 { ("", "is") } else { ("s", "are") };
    (n > 0).then(|| format!("{} further instruction{s} {are} counted and not drawn", number(n)))
}
