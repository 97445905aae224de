//! The tables for people.

use super::measure::{Found, Run};
use crate::common::Paint;
use crate::report::text::table;
use crate::tell;
use crate::timing::heading;
use std::fmt::Write as _;
use wavediff::timing::probe::Kind;
use wavediff::timing::{Machine, Unit};

/// A number as it is shown: whole ones whole.
pub fn shown(each: f64) -> String {
    if (each - each.round()).abs() < 0.005 { format!("{each:.0}") } else { format!("{each:.2}") }
}

/// Adds what was measured on an engine; `list` names what was not, too.
pub fn push(out: &mut String, run: &Run, list: bool) {
    let heading = heading(Paint::stdout());
    let mut reasons = Reasons::default();
    let mut rows = Vec::new();
    for line in &run.lines {
        for (what, cost) in ["rate", "latency"].iter().zip(&line.costs) {
            if let Err(why) = cost {
                reasons.add(format!("no {what}: {}", why.text()), line.name);
            }
        }
        if line.costs.iter().all(Result::is_err) {
            continue;
        }
        let goes = Unit::of(line.row);
        let unit = goes.map_or("", Unit::name).to_owned();
        let mut row = vec![line.name.to_owned(), of(run, &line.costs[0]), of(run, &line.costs[1]), unit];
        row.extend(run.clocks.then(|| goes.map_or(String::new(), |unit| from(run, unit))));
        rows.push(row);
    }
    let mut patterns = Vec::new();
    for (pattern, cost) in &run.patterns {
        match cost {
            Err(why) => reasons.add(format!("not measured: {}", why.text()), &pattern.name),
            Ok(cost) => {
                let bytes = (pattern.bytes > 0).then(|| shown(f64::from(pattern.bytes) / cost.each));
                let what = if pattern.kind == Kind::Rate { "rate" } else { "latency" };
                patterns.push(vec![
                    pattern.name.clone(),
                    pattern.group.name().to_owned(),
                    what.to_owned(),
                    shown(cost.each),
                    bytes.unwrap_or_default(),
                ]);
            }
        }
    }
    let (arch, unit) = (run.target.arch.name, run.unit());
    let _ = writeln!(out, "{arch} on {}, waves of {} lanes, in {unit}", run.engine, run.lanes());
    if !rows.is_empty() {
        let columns = ["instruction", "rate", "latency", "unit", "figures from"];
        let columns = &columns[..if run.clocks { 5 } else { 4 }];
        let _ = write!(out, "\n{}", table(columns, 1..2, &rows, |line, _, cell| heading(line, cell)));
    }
    if !patterns.is_empty() {
        let each = if run.clocks { "bytes a clock" } else { "bytes a ns" };
        let columns = ["pattern", "of", "what", unit, each];
        let _ = write!(out, "\n{}", table(&columns, 3.., &patterns, |line, _, cell| heading(line, cell)));
    }
    reasons.push(out, list);
    if !run.clocks && run.engine.starts_with("vulkan") {
        tell!(
            "note: these are the device's prices for the translation, not those of the instructions on AMD's hardware"
        );
    }
}

/// A cost, with the partner of a chain.
fn of(run: &Run, cost: &Found) -> String {
    match cost {
        Ok((cost, None)) => shown(cost.each),
        Ok((cost, Some(partner))) => format!("{} + {}", shown(cost.each), partner.name_in(run.target.generation())),
        Err(_) => "-".to_owned(),
    }
}

/// Where the model has the figures of a unit from.
fn from(run: &Run, unit: Unit) -> String {
    let figure = Machine::of(run.target.arch).figure(unit);
    match (figure.clocks_from.name(), figure.latency_from.name()) {
        (clocks, latency) if clocks == latency => clocks.to_owned(),
        (clocks, latency) => format!("{clocks}, {latency}"),
    }
}

/// What was not measured, by reason.
#[derive(Default)]
struct Reasons<'a>(Vec<(String, Vec<&'a str>)>);

impl<'a> Reasons<'a> {
    fn add(&mut self, why: String, name: &'a str) {
        match self.0.iter_mut().find(|(known, _)| *known == why) {
            Some((_, names)) => names.push(name),
            None => self.0.push((why, vec![name])),
        }
    }

    fn push(&self, out: &mut String, list: bool) {
        if !self.0.is_empty() {
            out.push('\n');
        }
        for (why, names) in &self.0 {
            let list = if list { format!(": {}", names.join(" ")) } else { String::new() };
            let _ = writeln!(out, "{:>5}  {why}{list}", names.len());
        }
    }
}
