//! What was found, for people and for programs.

use super::Found;
use crate::common::Paint;
use crate::explain::manual;
use crate::trace;
use serde_json::{Value as Json, json};
use std::fmt::Write as _;
use wavediff::bisect::{Culprit, Line, Point, Value, Verdict};
use wavediff::engine::compare::Difference;

/// Lanes and places that are shown; the others are counted.
const SHOWN: usize = 8;

/// As text.
pub fn text(title: &str, names: [&str; 2], found: &Found, lines: &[Line], paint: Paint) -> String {
    let mut out = String::new();
    let [a, b] = names;
    match found {
        Found::Equal | Found::Step(Verdict::Equal) => {
            let _ = writeln!(out, "{title}: {} on {a} and {b}, instruction by instruction", paint.bold("equal"));
        }
        Found::Alike => {
            let _ = writeln!(out, "{title}: {} on {a} and {b} in what they leave", paint.bold("equal"));
        }
        Found::Step(Verdict::Start(differences)) => {
            let _ = writeln!(out, "{title}: {} before the first instruction: none did it", paint.red("differs"));
            list(&mut out, names, differences);
        }
        Found::Whole(differences) => {
            let _ = writeln!(
                out,
                "{title}: {} as a whole, and is equal step by step: instructions were taken together",
                paint.red("differs")
            );
            list(&mut out, names, differences);
        }
        Found::Step(Verdict::At(at)) => step(&mut out, title, names, at, lines, paint),
    }
    out
}

fn list(out: &mut String, [a, b]: [&str; 2], differences: &[Difference]) {
    for difference in differences.iter().take(SHOWN) {
        let _ = writeln!(out, "  {}", difference.show(a, b));
    }
    if differences.len() > SHOWN {
        let _ = writeln!(out, "  and {} more", differences.len() - SHOWN);
    }
}

/// The line that a place belongs to.
fn line_of(lines: &[Line], pc: u64) -> Option<&Line> {
    lines.iter().rev().find(|line| line.pc <= pc)
}

fn step(out: &mut String, title: &str, names: [&str; 2], at: &(Point, Culprit), lines: &[Line], paint: Paint) {
    let (point, culprit) = at;
    let [x, y, z] = culprit.group;
    let _ = writeln!(
        out,
        "{title}: {} first behind instruction {} of group ({x}, {y}, {z}) wave {}",
        paint.red("differs"),
        culprit.number,
        culprit.wave
    );
    let words: Vec<String> = culprit.words.iter().map(|w| format!("{w:08X}")).collect();
    let _ = writeln!(out, "  {}  // {:06x}: {}", paint.bold(&culprit.text), culprit.pc, words.join(" "));
    if let Some(line) = line_of(lines, culprit.pc) {
        let _ = writeln!(out, "  line {}: {}", line.number, line.text);
    }
    if let Some(row) = culprit.row {
        let _ = writeln!(out, "  manual: {}, {}", manual(row.family), row.name);
    }
    if let Some(formula) = &culprit.formula {
        let _ = writeln!(out, "  formula: {} of {}", formula.text, formula.sources.join(", "));
    } else if let Some(words) = culprit.row.and_then(wavediff::isa::words::words) {
        let _ = writeln!(out, "  in words: {words}");
    }
    let _ = writeln!(out, "  exec {:#x}", culprit.exec);
    if !culprit.reads.is_empty() {
        let _ = writeln!(out, "  it read, in lanes that differ:");
    }
    let lanes = lanes(culprit);
    trace::items(out, '<', &culprit.reads, lanes);
    values(out, names, &culprit.values);
    if culprit.race {
        let _ =
            writeln!(out, "  the order of lanes decides: in another one the emulator leaves something else there too");
    }
    if !point.steady {
        let _ = writeln!(out, "  a second run did not show the same: this depends on chance, or on the order of waves");
    }
}

/// The lanes in which anything differs; all where none is named.
fn lanes(culprit: &Culprit) -> u64 {
    let mask = culprit.values.iter().filter_map(|v| v.lane).fold(0, |mask, lane| mask | 1 << (lane & 63));
    if mask == 0 { u64::MAX } else { mask }
}

fn values(out: &mut String, [a, b]: [&str; 2], all: &[Value]) {
    let mut places = all.chunk_by(|x, y| x.place == y.place);
    for same in places.by_ref().take(SHOWN) {
        let mut shown = 0;
        for same in same.chunk_by(|x, y| x.bits == y.bits && x.lane.map(|n| n + 1) == y.lane) {
            shown += 1;
            if shown > SHOWN {
                break;
            }
            let (first, last) = (&same[0], &same[same.len() - 1]);
            let lanes = match (first.lane, last.lane) {
                (Some(x), Some(y)) if x == y => format!(" lane {x}"),
                (Some(x), Some(y)) => format!(" lanes {x}-{y}"),
                _ => String::new(),
            };
            let [x, y] = match &first.text {
                Some(text) => text.clone(),
                None => first.bits.map(|bits| one(first, bits)),
            };
            let apart = first.ty.ulps(first.bits[0], first.bits[1]).filter(|_| first.text.is_none());
            let apart = apart.map_or(String::new(), |n| format!(", {n} ulp apart"));
            let _ = writeln!(out, "    > {}{lanes}: {a} {x}, {b} {y}{apart}", first.place);
        }
        if shown > SHOWN {
            let _ = writeln!(out, "    > {}: {} lanes in all", same[0].place, same.len());
        }
    }
    let more = places.count();
    if more > 0 {
        let _ = writeln!(out, "    > and {more} more places");
    }
}

/// A value in hex and in its type.
fn one(value: &Value, bits: u64) -> String {
    let wide = if bits > value.ty.mask() { format!("{bits:#x}") } else { value.ty.hex(bits) };
    format!("{wide} ({} {})", value.ty, value.ty.show(bits))
}

/// As JSON.
pub fn json(found: &Found, lines: &[Line]) -> Json {
    let plain = |d: &Difference| json!({"place": d.place, "wave": d.wave, "lane": d.lane, "values": d.values.map(|v| format!("{v:#x}"))});
    let list = |all: &[Difference]| -> Json { all.iter().map(plain).collect() };
    match found {
        Found::Equal | Found::Alike | Found::Step(Verdict::Equal) => json!({"found": "equal"}),
        Found::Step(Verdict::Start(differences)) => json!({"found": "start", "differences": list(differences)}),
        Found::Whole(differences) => json!({"found": "whole", "differences": list(differences)}),
        Found::Step(Verdict::At(at)) => {
            let (point, culprit) = &**at;
            let line = line_of(lines, culprit.pc).map(|line| json!({"number": line.number, "text": line.text}));
            let reads: Vec<Json> = culprit.reads.iter().map(trace::item_json).collect();
            json!({
                "found": "instruction", "steady": point.steady, "race": culprit.race,
                "group": culprit.group, "wave": culprit.wave, "number": culprit.number, "pc": culprit.pc,
                "words": culprit.words.iter().map(|w| format!("{w:#010x}")).collect::<Vec<_>>(),
                "instruction": culprit.text, "row": culprit.row.map(|row| row.name), "line": line,
                "formula": culprit.formula.as_ref().map(|f| json!({"sources": f.sources, "text": f.text})),
                "exec": format!("{:#x}", culprit.exec), "reads": reads,
                "values": culprit.values.iter().map(value_json).collect::<Vec<_>>(),
                "differences": list(&point.differences),
            })
        }
    }
}

fn value_json(value: &Value) -> Json {
    let mut all = json!({"place": value.place, "lane": value.lane});
    match &value.text {
        Some(text) => all["text"] = json!(text),
        None => {
            all["type"] = json!(value.ty.name());
            all["bits"] = json!(value.bits.map(|bits| format!("{bits:#x}")));
            all["values"] = json!(value.bits.map(|bits| value.ty.show(bits)));
            all["ulps"] = json!(value.ty.ulps(value.bits[0], value.bits[1]));
        }
    }
    all
}
