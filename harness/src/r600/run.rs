//! `run`: cases of R600 and R700.

use crate::asm;
use crate::common::{self, Usage};
use crate::run::case::{complain, together};
use crate::run::{Args, show};
use crate::tell;
use anyhow::Result;
use serde_json::{Value, json};
use std::fmt::Write as _;
use wavediff::case::CaseError;
use wavediff::engine::{Engine, EngineError, Status};
use wavediff::isa::r600::Machine;
use wavediff::isa::types::Ty;
use wavediff::r600::case::check::Came;
use wavediff::r600::case::{Case, Mismatch, Place, verdict};
use wavediff::r600::emu::Outcome;

/// More mismatches are counted, not shown.
const SHOWN: usize = 20;

/// What came of one machine.
struct Report {
    machine: Machine,
    status: Status,
    reason: Option<String>,
    mismatches: Vec<Mismatch>,
    /// Nothing where the engine did not run it.
    came: Option<Came>,
    observed: Vec<show::Observed>,
}

/// Runs a case for its machines, and prints what came of it. Nothing: its text has errors, and they have been told.
pub fn on_machines(args: &Args, file: &str, mut case: Case, engine: &dyn Engine<Case>) -> Result<Option<Vec<Status>>> {
    for text in &args.show {
        let observe = wavediff::r600::case::Observe::parse(text).map_err(|e| Usage(format!("--show {e}")))?;
        case.observe.retain(|known| known.place != observe.place);
        case.observe.push(observe);
    }
    let mut reports = Vec::new();
    for machine in super::machines(&case, args.arch)? {
        asm::show(&case.warnings(machine));
        match one(&case, machine, engine) {
            Ok(report) => reports.push(report),
            Err(error) => {
                tell!("{file}: on {}", machine.name());
                complain(&error)?;
                return Ok(None);
            }
        }
    }
    let text = if args.json { as_json(&case, &reports) } else { print(&case, &reports, args.stats) };
    common::print(&text)?;
    Ok(Some(reports.iter().map(|report| report.status).collect()))
}

fn one(case: &Case, machine: Machine, engine: &dyn Engine<Case>) -> Result<Report, CaseError> {
    let came = match engine.run(case, machine) {
        Ok(came) => came,
        Err(EngineError::Case(error)) => return Err(error),
        Err(error) => {
            let (status, reason) = (error.status(), Some(error.to_string()));
            return Ok(Report { machine, status, reason, mismatches: Vec::new(), came: None, observed: Vec::new() });
        }
    };
    let mismatches = case.check(machine, &came)?;
    let status = verdict(&mismatches);
    let observed = came.as_ref().map_or_else(|_| Vec::new(), |outcome| observe(case, machine, outcome));
    Ok(Report { machine, status, reason: None, mismatches, came: Some(came), observed })
}

/// Everything that a case looks at.
fn observe(case: &Case, machine: Machine, outcome: &Outcome) -> Vec<show::Observed> {
    let mut all = Vec::new();
    for (place, ty) in case.observed(machine) {
        for element in place.elements().each() {
            lanes(&place.only(element), ty, element, case.lanes as usize, outcome, &mut all);
        }
    }
    all
}

/// The lanes of an element, or its only value; lanes that wrote nothing leave gaps.
fn lanes(place: &Place, ty: Ty, element: usize, count: usize, outcome: &Outcome, all: &mut Vec<show::Observed>) {
    let name = place.to_string();
    if !place.is_per_lane() {
        let bits = place.left(outcome, 0, element).into_iter().collect();
        all.push(show::Observed::words(name, ty, bits));
        return;
    }
    let written: Vec<(u32, u64)> =
        (0..count).filter_map(|lane| Some((lane as u32, place.left(outcome, lane, element)? & ty.mask()))).collect();
    for run in written.chunk_by(|a, b| a.0 + 1 == b.0) {
        let bits = run.iter().map(|(_, word)| *word).collect();
        all.push(show::Observed::lanes_from(name.clone(), ty, run[0].0, bits));
    }
}

fn print(case: &Case, reports: &[Report], stats: bool) -> String {
    let all = reports.iter().map(|report| (report.machine.name().to_owned(), report.status, body(report, stats)));
    together(&case.name, all)
}

fn body(report: &Report, stats: bool) -> String {
    let mut out = String::new();
    if let Some(reason) = &report.reason {
        let _ = writeln!(out, "  {reason}");
    }
    for mismatch in report.mismatches.iter().take(SHOWN) {
        let _ = writeln!(out, "  {mismatch}");
    }
    if report.mismatches.len() > SHOWN {
        let _ = writeln!(out, "  and {} more", report.mismatches.len() - SHOWN);
    }
    match &report.came {
        Some(Err(error)) if report.mismatches.is_empty() => {
            let _ = writeln!(out, "  trap as expected: {error}");
        }
        Some(Ok(outcome)) if stats => {
            let _ = writeln!(out, "  {} instructions of control flow, groups and fetches", outcome.steps);
        }
        _ => {}
    }
    show::table(&mut out, &report.observed);
    out
}

fn as_json(case: &Case, reports: &[Report]) -> String {
    let run = |report: &Report| {
        let mut all = json!({"arch": report.machine.name(), "lanes": case.lanes, "status": report.status.name()});
        if let Some(reason) = &report.reason {
            all["reason"] = json!(reason);
        }
        match &report.came {
            Some(Err(error)) => {
                all["trap"] = json!({
                    "kind": error.fault.name(), "what": error.fault.to_string(), "at": error.at, "fetch": error.fetch,
                });
            }
            Some(Ok(outcome)) => all["stats"] = json!({"steps": outcome.steps}),
            None => {}
        }
        all["mismatches"] = report.mismatches.iter().map(|m| json!(m.to_string())).collect();
        all["observed"] = report.observed.iter().map(show::Observed::json).collect();
        all
    };
    let runs: Vec<Value> = reports.iter().map(run).collect();
    format!("{}\n", json!({"case": case.name, "runs": runs}))
}
