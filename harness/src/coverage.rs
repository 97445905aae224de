//! `wavediff isa --coverage`: which rows an engine executes.

use crate::engines::{Lanes, Name};
use crate::explain::push_table;
use crate::isa::Format;
use serde_json::{Value, json};
use std::fmt::Write as _;
use wavediff::case::wave_size;
use wavediff::isa::{Arch, Target};
use wavediff::native::needs::Needs;
use wavediff::program::coverage::{self, Counts, Covered, Fidelity};
use wavediff::spirv::engine::{SEVERAL, missing};

/// The coverage of a processor as text. For a device, a row is executed if it has a translation.
pub fn show(arch: &'static Arch, engine: &Name, lanes: Lanes, format: Format, all: bool) -> String {
    let target = Target::new(arch);
    let rows = match engine {
        Name::Emu => coverage::of(target),
        Name::Native(_) => {
            coverage::of_engine(target, &|program| Needs::of(program, &[0]).err().map(|missing| missing.needs))
        }
        Name::Vulkan(_) => coverage::of_engine(target, &|program| {
            let needs = missing(program, lanes.model(), wave_size(program.target), SEVERAL);
            needs.into_iter().next().map(|missing| missing.needs)
        }),
    };
    match format {
        Format::Csv => csv(&rows),
        Format::Json => as_json(arch, &rows),
        Format::Table => table(arch, &rows, all),
    }
}

/// The word for it, and what there is to say.
fn standing(row: &Covered) -> (&'static str, String) {
    match row.fidelity {
        Fidelity::Exact => ("executed", String::new()),
        Fidelity::Approximate(rule) => ("approximate", rule.text.to_owned()),
        Fidelity::Unsupported(reason) => {
            ("unsupported", row.missing.first().map_or(reason, |missing| &missing.needs).to_owned())
        }
    }
}

/// A cell of CSV.
fn cell(text: &str) -> String {
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

fn csv(rows: &[Covered]) -> String {
    let mut out = String::from("family,mnemonic,status,reason\n");
    for row in rows {
        let (word, reason) = standing(row);
        let _ = writeln!(out, "{},{},{word},{}", row.family(), row.name, cell(&reason));
    }
    out
}

fn as_json(arch: &Arch, rows: &[Covered]) -> String {
    let counts = Counts::of(rows);
    let row = |row: &Covered| {
        let (word, reason) = standing(row);
        let mut all = json!({"family": row.family(), "mnemonic": row.name, "status": word});
        if !reason.is_empty() {
            all["reason"] = json!(reason);
        }
        if let Fidelity::Approximate(rule) = row.fidelity {
            all["ulp"] = json!(rule.ulp);
        }
        if !row.missing.is_empty() {
            let examples: Vec<&String> = row.missing.iter().map(|missing| &missing.example).collect();
            all["missing"] = json!(examples);
        }
        all
    };
    let list: Vec<Value> = rows.iter().map(row).collect();
    let all = json!({
        "processor": arch.name, "rows": counts.all(), "executed": counts.executed(), "approximate": counts.approximate,
        "unsupported": counts.unsupported, "list": list,
    });
    format!("{all:#}\n")
}

fn table(arch: &Arch, rows: &[Covered], all: bool) -> String {
    let counts = Counts::of(rows);
    let mut out = String::new();
    let share = 100.0 * counts.executed() as f64 / counts.all().max(1) as f64;
    let _ = writeln!(
        out,
        "{}: {} rows; {} executed, {} of them approximate on hardware; {} unsupported ({share:.1}% executed)",
        arch.name,
        counts.all(),
        counts.executed(),
        counts.approximate,
        counts.unsupported
    );
    for (word, title) in [
        ("unsupported", "unsupported"),
        ("approximate", "approximate on hardware, correctly rounded here"),
        ("executed", "executed to the bit"),
    ] {
        let mut lines: Vec<[String; 3]> = Vec::new();
        for row in rows {
            let (mine, reason) = standing(row);
            if mine != word || word == "executed" && !all {
                continue;
            }
            let example = row.missing.first().map_or(String::new(), |missing| format!(" (`{}`)", missing.example));
            let example = if word == "unsupported" { example } else { String::new() };
            lines.push([format!("  {}", row.family()), row.name.to_owned(), reason + &example]);
        }
        if !lines.is_empty() {
            let _ = writeln!(out, "\n{title}: {}", lines.len());
            push_table(&mut out, &lines);
        }
    }
    out
}
