//! `bisect` and `reduce`: cases of R600 and R700.

use super::{engine, machines, read};
use crate::bisect::Args;
use crate::common::{self, Paint, usage};
use crate::engines::Name;
use crate::files;
use crate::run::case::complain;
use crate::{reduce, tell};
use anyhow::{Result, bail};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::Instant;
use wavediff::engine::compare::Difference;
use wavediff::engine::{Engine, EngineError};
use wavediff::isa::r600::Machine;
use wavediff::r600::bisect::{Found, find, instructions};
use wavediff::r600::case::Case;
use wavediff::r600::reduce::reduce as smallest;

/// Differences that are shown.
const SHOWN: usize = 8;

/// What an engine does not run: text with errors has been told.
fn refused(case: &Case, machine: Machine, error: EngineError) -> Result<ExitCode> {
    match error {
        EngineError::Case(error) => complain(&error).map(|()| ExitCode::from(1)),
        error => bail!("{}: {}: {error}", case.name, machine.name()),
    }
}

/// Bisects a case.
pub fn run(args: &Args, file: &str, bytes: &[u8], names: [&Name; 2]) -> Result<ExitCode> {
    if args.files.len() > 1 {
        return usage(format!("`{file}` is a case of R600, and stands alone"));
    }
    let Some(case) = read(file, bytes, args.reading)? else { return Ok(ExitCode::from(1)) };
    let [a, b] = names.map(|name| engine(name, &args.device, &args.limits));
    let (a, b) = (a?, b?);
    let mut equal = Vec::new();
    for machine in machines(&case, args.arch)? {
        match find(&case, machine, [&*a, &*b]) {
            Ok(Found::Equal) => equal.push(machine.name()),
            Ok(found) => {
                let title = format!("{}: {}", case.name, machine.name());
                put(args.json, &title, [a.name(), b.name()], &found)?;
                if let (Some(output), Found::At(point)) = (&args.output, &found) {
                    let Some(alone) = &point.alone else {
                        bail!("{title}: the instruction differs only with what ran before it: no case shows it alone")
                    };
                    files::write(output, alone.to_string().as_bytes())?;
                }
                return Ok(ExitCode::from(1));
            }
            Err(error) => return refused(&case, machine, error),
        }
    }
    put(args.json, &format!("{}: {}", case.name, equal.join(", ")), [a.name(), b.name()], &Found::Equal)?;
    Ok(ExitCode::SUCCESS)
}

fn put(as_json: bool, title: &str, names: [&str; 2], found: &Found) -> Result<()> {
    common::print(&if as_json { json_of(title, names, found) } else { text(title, names, found) })
}

fn text(title: &str, [a, b]: [&str; 2], found: &Found) -> String {
    let paint = Paint::stdout();
    let mut out = String::new();
    let list = |out: &mut String, differences: &[Difference]| {
        for difference in differences.iter().take(SHOWN) {
            let _ = writeln!(out, "  {}", difference.show(a, b));
        }
        if differences.len() > SHOWN {
            let _ = writeln!(out, "  and {} more", differences.len() - SHOWN);
        }
    };
    match found {
        Found::Equal => {
            let _ = writeln!(out, "{title}: {} on {a} and {b}", paint.bold("equal"));
        }
        Found::Whole(differences) => {
            let _ = writeln!(out, "{title}: {} at the end, and behind no instruction before", paint.red("differs"));
            list(&mut out, differences);
        }
        Found::At(point) => {
            let number = point.number;
            let _ = writeln!(
                out,
                "{title}: {} at {}, instruction {number} of control flow",
                paint.red("differs"),
                point.place()
            );
            for line in point.text.lines() {
                let _ = writeln!(out, "    {}", line.trim());
            }
            list(&mut out, &point.differences);
        }
    }
    out
}

fn json_of(title: &str, engines: [&str; 2], found: &Found) -> String {
    let values = |d: &Difference| d.text.clone().unwrap_or_else(|| d.values.map(|v| format!("{v:#x}")));
    let list = |all: &[Difference]| -> Vec<Value> {
        all.iter().map(|d| json!({"place": d.place, "lane": d.lane, "values": values(d)})).collect()
    };
    let mut all = match found {
        Found::Equal => json!({"status": "equal"}),
        Found::Whole(differences) => json!({"status": "whole", "differences": list(differences)}),
        Found::At(point) => json!({
            "status": "at", "number": point.number, "at": point.at, "fetch": point.fetch, "group": point.group,
            "instruction": point.text.trim(), "differences": list(&point.differences),
        }),
    };
    all["name"] = json!(title);
    all["engines"] = json!(engines);
    format!("{all}\n")
}

/// Reduces a case.
pub fn reduced(args: &reduce::Args, bytes: &[u8], names: [&Name; 2]) -> Result<ExitCode> {
    let Some(case) = read(&args.file, bytes, args.reading)? else { return Ok(ExitCode::from(1)) };
    let [a, b] = names.map(|name| engine(name, &args.device, &args.limits));
    let (a, b): (Box<dyn Engine<Case>>, Box<dyn Engine<Case>>) = (a?, b?);
    let start = Instant::now();
    for machine in machines(&case, args.arch)? {
        let mut checks = 0;
        match smallest(&case, machine, [&*a, &*b], &mut |_| checks += 1) {
            Ok(None) => {}
            Ok(Some(small)) => {
                common::write(args.output.as_deref(), small.to_string().as_bytes())?;
                let sizes = [instructions(&case, machine), instructions(&small, machine)];
                let seconds = start.elapsed().as_secs_f64();
                if args.json {
                    tell!(
                        "{}",
                        json!({"case": case.name, "instructions": sizes, "checks": checks, "seconds": seconds})
                    );
                } else {
                    let [from, to] = sizes;
                    tell!("{}: {from} instructions to {to}, {checks} candidates, {seconds:.1} s", case.name);
                }
                return Ok(ExitCode::SUCCESS);
            }
            Err(error) => return refused(&case, machine, error),
        }
    }
    tell!("{}: {}: the engines do not differ", case.name, Paint::stderr().yellow("nothing to reduce"));
    Ok(ExitCode::from(1))
}
