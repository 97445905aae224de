//! The tables for programs.

use super::measure::{Missing, Run};
use super::text::shown;
use serde_json::{Value, json};
use std::fmt::Write as _;
use wavediff::timing::bench::Cost;
use wavediff::timing::probe::Kind;
use wavediff::timing::{Machine, Unit};

/// What was measured on an engine.
pub fn json(run: &Run) -> Value {
    let machine = Machine::of(run.target.arch);
    let of = |cost: Result<&Cost, &Missing>, with: Option<&str>| match cost {
        Ok(cost) => json!({ "each": cost.each, "least": cost.spread.0, "most": cost.spread.1, "with": with }),
        Err(why) => json!({ "none": why.text(), "failed": matches!(why, Missing::Failed(_)) }),
    };
    let rows = run.lines.iter().map(|line| {
        let goes = Unit::of(line.row);
        let figure = goes.filter(|_| run.clocks).map(|unit| machine.figure(unit));
        let [rate, latency] = line.costs.each_ref().map(|cost| match cost {
            Ok((cost, partner)) => of(Ok(cost), partner.map(|row| row.name_in(run.target.generation()))),
            Err(why) => of(Err(why), None),
        });
        json!({
            "instruction": line.name, "unit": goes.map(Unit::name),
            "rate_from": figure.map(|figure| figure.clocks_from.name()),
            "latency_from": figure.map(|figure| figure.latency_from.name()),
            "rate": rate, "latency": latency,
        })
    });
    let patterns = run.patterns.iter().map(|(pattern, cost)| {
        let what = if pattern.kind == Kind::Rate { "rate" } else { "latency" };
        json!({
            "instruction": pattern.name, "unit": pattern.group.name(),
            "bytes": pattern.bytes, what: of(cost.as_ref(), None),
        })
    });
    json!({
        "arch": run.target.arch.name, "lanes": run.lanes(), "engine": run.engine, "in": run.unit(),
        "wavediff": env!("CARGO_PKG_VERSION"), "rows": rows.chain(patterns).collect::<Vec<_>>(),
    })
}

/// A line for each row and pattern of each engine. Texts stand in quotation marks.
pub fn csv(all: &Value) -> String {
    let mut out = "arch,lanes,engine,in,instruction,unit,rate,latency,bytes,with,why_not\n".to_owned();
    let quoted =
        |value: &Value| value.as_str().map_or(String::new(), |text| format!("\"{}\"", text.replace('"', "\"\"")));
    let number = |value: &Value| value.as_f64().map_or(String::new(), shown);
    for run in all.as_array().into_iter().flatten() {
        for row in run["rows"].as_array().into_iter().flatten() {
            let why = [&row["rate"]["none"], &row["latency"]["none"]].into_iter().find(|why| why.is_string());
            let cells = [
                quoted(&run["arch"]),
                run["lanes"].to_string(),
                quoted(&run["engine"]),
                quoted(&run["in"]),
                quoted(&row["instruction"]),
                quoted(&row["unit"]),
                number(&row["rate"]["each"]),
                number(&row["latency"]["each"]),
                number(&row["bytes"]),
                quoted(&row["latency"]["with"]),
                why.map_or(String::new(), quoted),
            ];
            let _ = writeln!(out, "{}", cells.join(","));
        }
    }
    out
}
