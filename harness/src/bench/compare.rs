//! Costs beside those of an earlier run, which `--json` wrote.

use super::text::shown;
use crate::common::{self, Paint, Usage};
use crate::report::text::table;
use crate::timing::compare::Verdict;
use crate::timing::heading;
use anyhow::{Context, Result};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::path::Path;

/// What was recorded.
pub struct Recorded {
    file: String,
    runs: Vec<Value>,
}

/// Reads a file of `--json`.
pub fn read(file: &Path) -> Result<Recorded> {
    let bytes = common::read(&file.to_string_lossy())?;
    let name = file.display().to_string();
    let runs = serde_json::from_slice(&bytes).with_context(|| format!("{name} is not what bench --json writes"))?;
    Ok(Recorded { file: name, runs })
}

impl Recorded {
    /// The runs.
    pub fn runs(&self) -> &[Value] {
        &self.runs
    }
}

/// The costs of a run by instruction and kind.
pub fn costs(run: &Value) -> impl Iterator<Item = ((&str, &'static str), f64)> {
    run["rows"].as_array().into_iter().flatten().flat_map(|row| {
        ["rate", "latency"].into_iter().filter_map(|kind| {
            let each = row[kind]["each"].as_f64()?;
            Some(((row["instruction"].as_str()?, kind), each))
        })
    })
}

/// Adds a table of costs that are not as recorded, of all with `list`. Says whether everything is within so many percent.
pub fn push(out: &mut String, run: &Value, recorded: &Recorded, within: f64, list: bool) -> Result<bool> {
    let alike = |other: &&Value| ["arch", "lanes", "in"].iter().all(|key| other[key] == run[key]);
    let of_engine = recorded.runs.iter().filter(alike).find(|other| other["engine"] == run["engine"]);
    let Some(before) = of_engine.or_else(|| recorded.runs.iter().find(alike)) else {
        let (arch, lanes, unit) = (text(&run["arch"]), &run["lanes"], text(&run["in"]));
        let lacks = format!("{} has no run of {arch}, waves of {lanes} lanes, in {unit}", recorded.file);
        return Err(Usage(lacks).into());
    };
    let then: HashMap<_, _> = costs(before).collect();
    let mut rows = Vec::new();
    let (mut compared, mut slower, mut faster, mut new) = (0, 0, 0, 0);
    for (key @ (name, kind), now) in costs(run) {
        let Some(then) = then.get(&key).copied() else {
            new += 1;
            continue;
        };
        compared += 1;
        let ratio = if now == then { 1.0 } else { now / then };
        let verdict = Verdict::of(now, then, within);
        slower += u32::from(verdict == Verdict::Slower);
        faster += u32::from(verdict == Verdict::Faster);
        if list || verdict != Verdict::Alike {
            let cells = [name, kind, &shown(now), &shown(then), &format!("{ratio:.3}"), verdict.word()];
            rows.push(cells.map(str::to_owned).to_vec());
        }
    }
    let measured: HashSet<_> = costs(run).map(|(key, _)| key).collect();
    let gone = then.keys().filter(|key| !measured.contains(*key)).count();
    let (arch, unit) = (text(&run["arch"]), text(&run["in"]));
    let _ = writeln!(
        out,
        "{arch}, {} beside {} of {}, in {unit}",
        text(&run["engine"]),
        text(&before["engine"]),
        recorded.file
    );
    if !rows.is_empty() {
        let paint = heading(Paint::stdout());
        let columns = ["instruction", "what", "now", "recorded", "ratio", ""];
        let table = table(&columns, 2..5, &rows, |line, _, cell| paint(line, cell));
        let _ = write!(out, "\n{table}\n");
    }
    let _ = writeln!(out, "{compared} costs compared: {slower} slower, {faster} faster, by more than {within} %");
    if new + gone > 0 {
        let _ = writeln!(out, "{new} were not recorded, {gone} of those recorded are not measured here");
    }
    Ok(compared > 0 && slower + faster == 0)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("?")
}
