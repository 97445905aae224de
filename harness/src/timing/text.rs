//! A timed run for people.

use super::{clocks, each, executed, group, heading, place, reasons, share};
use crate::common::Paint;
use crate::report::text::{number, table};
use std::fmt::Write as _;
use wavediff::program::Program;
use wavediff::timing::{Report, WaveTime};

/// Waves that are shown.
const WAVES: usize = 16;
/// An instruction that takes so much of all, in percent, is one that counts.
const MUCH: f64 = 10.0;

/// The run in all, its waves, its instructions.
pub fn text(report: &Report, program: &Program, paint: Paint) -> String {
    let mut out = String::new();
    push_all(&mut out, report);
    push_waves(&mut out, report, paint);
    push_instructions(&mut out, report, program, paint);
    out
}

fn push_all(out: &mut String, report: &Report) {
    let rows = [
        ("clocks", report.clocks),
        ("compute units", report.units.into()),
        ("waves", report.all_waves),
        ("waves of a SIMD", report.occupancy.into()),
    ];
    let rows = rows.map(|(what, n)| vec![what.to_owned(), number(n)]);
    let text = table(&["", ""], 1.., &rows, |_, _, cell| cell);
    out.push_str(text.split_once('\n').map_or("", |(_, rest)| rest));
}

fn push_waves(out: &mut String, report: &Report, paint: Paint) {
    if report.waves.is_empty() {
        return;
    }
    let row = |wave: &WaveTime| {
        let numbers = [wave.wave.into(), wave.unit.into(), wave.simd.into(), wave.begin, wave.end, wave.instructions];
        std::iter::once(group(wave.group)).chain(numbers.map(number)).collect()
    };
    let rows: Vec<Vec<String>> = report.waves.iter().take(WAVES).map(row).collect();
    let paint = heading(paint);
    let head = ["group", "wave", "unit", "SIMD", "begin", "end", "instructions"];
    let _ = write!(out, "\n{}", table(&head, 1.., &rows, |line, _, cell| paint(line, cell)));
    let more = report.all_waves.saturating_sub(rows.len() as u64);
    if more > 0 {
        let _ = writeln!(out, "and {} more", number(more));
    }
}

fn push_instructions(out: &mut String, report: &Report, program: &Program, paint: Paint) {
    let all = clocks(report);
    let (mut rows, mut much) = (Vec::new(), Vec::new());
    for (step, time) in executed(report) {
        let part = share(time.clocks, all);
        much.push(part >= MUCH);
        rows.push(vec![
            place(step),
            program.text(step),
            number(time.count),
            number(time.clocks),
            format!("{part:.1}%"),
            format!("{:.1}", each(time)),
            reasons(time),
        ]);
    }
    if rows.is_empty() {
        return;
    }
    let heading = heading(paint);
    let head = ["pc", "instruction", "count", "clocks", "share", "each", "waited for"];
    let text = table(&head, 2..6, &rows, |line, _, cell| match line.checked_sub(1) {
        Some(n) if much[n] => paint.bold(&cell),
        _ => heading(line, cell),
    });
    let _ = write!(out, "\n{text}");
}
