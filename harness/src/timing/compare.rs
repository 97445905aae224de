//! Clocks of instructions beside those of an earlier run, which `run --timing --json` wrote.

use super::{each, executed, heading, pc};
use crate::common::{self, Paint};
use crate::report::text::{number, table};
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::collections::HashMap;
use std::fmt::Write as _;
use wavediff::case::wave_size;
use wavediff::emu::engine::Took;

/// How a cost stands to an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Near enough.
    Alike,
    /// It takes longer.
    Slower,
    /// It takes less.
    Faster,
}

impl Verdict {
    /// Of two costs, one of which may be so many percent from the other.
    pub fn of(now: f64, then: f64, within: f64) -> Verdict {
        match () {
            () if (now - then).abs() <= then.abs() * within / 100.0 => Verdict::Alike,
            () if now > then => Verdict::Slower,
            () => Verdict::Faster,
        }
    }

    /// In tables, where the usual is not told.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Alike => "",
            Verdict::Slower => "slower",
            Verdict::Faster => "faster",
        }
    }
}

/// What was recorded.
pub struct Recorded {
    runs: Vec<Value>,
}

impl Recorded {
    /// Reads what `run --timing --json` wrote, of one program or several.
    ///
    /// # Errors
    /// It is something else, or has no clocks.
    pub fn read(file: &str) -> Result<Recorded> {
        let bytes = common::read(file)?;
        let mut runs = Vec::new();
        for value in serde_json::Deserializer::from_slice(&bytes).into_iter::<Value>() {
            let value = value.with_context(|| format!("{file} is not what run --timing --json writes"))?;
            let of_case = value["runs"].as_array().into_iter().flatten();
            runs.extend(of_case.chain([&value]).map(|run| &run["timing"]).filter(|run| run.is_object()).cloned());
        }
        ensure!(!runs.is_empty(), "{file} has no clocks: run --timing --json writes them");
        Ok(Recorded { runs })
    }
}

/// What a comparison found.
pub struct Compared {
    /// Instructions, in the order of the program: place, text, clocks of an execution now and then.
    pub lines: Vec<(u64, String, [f64; 2], Verdict)>,
    /// Clocks of the whole run, now and then.
    pub clocks: [u64; 2],
    /// Instructions that only one of them executed.
    pub alone: usize,
}

impl Compared {
    /// Whether something was compared, and all of it is near enough.
    pub fn is_alike(&self) -> bool {
        !self.lines.is_empty() && self.lines.iter().all(|(.., verdict)| *verdict == Verdict::Alike)
    }
}

/// Compares a run with the one of those recorded that is for the same processor and size of waves and has the most of its instructions in
/// the same places; nothing where there is none.
pub fn compare(took: &Took, recorded: &Recorded, within: f64) -> Option<Compared> {
    let program = &took.program;
    let now: HashMap<u64, (String, f64)> =
        executed(&took.report).map(|(step, time)| (pc(step), (program.text(step), each(time)))).collect();
    let then = |run: &Value| -> HashMap<u64, (String, f64)> {
        let all = run["instructions"].as_array().into_iter().flatten();
        let one = |one: &Value| {
            Some((one["pc"].as_u64()?, (one["text"].as_str()?.to_owned(), one["clocks_per_execution"].as_f64()?)))
        };
        all.filter_map(one).collect()
    };
    let here = |run: &&Value| run["arch"] == program.target.arch.name && run["lanes"] == wave_size(program.target);
    let alike = |then: &HashMap<u64, (String, f64)>| {
        now.iter().filter(|(pc, (text, _))| then.get(pc).is_some_and(|(other, _)| other == text)).count()
    };
    let runs = recorded.runs.iter().filter(here).map(|run| (run, then(run)));
    let (run, then) = runs.max_by_key(|(_, then)| alike(then))?;
    let both = alike(&then);
    let mut lines: Vec<_> = now
        .iter()
        .filter_map(|(pc, (text, now))| {
            let (_, then) = then.get(pc).filter(|(other, _)| other == text)?;
            Some((*pc, text.clone(), [*now, *then], Verdict::of(*now, *then, within)))
        })
        .collect();
    lines.sort_by_key(|(pc, ..)| *pc);
    let alone = now.len() + then.len() - 2 * both;
    Some(Compared { lines, clocks: [took.report.clocks, run["clocks"].as_u64().unwrap_or(0)], alone })
}

/// What was found, for people.
pub fn text(compared: &Compared, within: f64) -> String {
    let rows: Vec<Vec<String>> = compared
        .lines
        .iter()
        .filter(|(.., verdict)| *verdict != Verdict::Alike)
        .map(|(pc, text, [now, then], verdict)| {
            let ratio = format!("{:.3}", now / then);
            let cells = [format!("{pc:06x}"), text.clone(), format!("{now:.1}"), format!("{then:.1}"), ratio];
            cells.into_iter().chain([verdict.word().to_owned()]).collect()
        })
        .collect();
    let mut out = String::new();
    if !rows.is_empty() {
        let paint = heading(Paint::stdout());
        let columns = ["pc", "instruction", "now", "recorded", "ratio", ""];
        out = table(&columns, 2..5, &rows, |line, _, cell| paint(line, cell));
    }
    let count = |wanted| compared.lines.iter().filter(|(.., verdict)| *verdict == wanted).count();
    let [now, then] = compared.clocks.map(number);
    let _ = writeln!(
        out,
        "{} instructions compared: {} slower, {} faster, by more than {within} %; {now} clocks, recorded {then}",
        compared.lines.len(),
        count(Verdict::Slower),
        count(Verdict::Faster)
    );
    if compared.alone > 0 {
        let _ = writeln!(out, "{} instructions were executed by one of them only", compared.alone);
    }
    out
}
