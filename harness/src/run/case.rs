//! Cases: each target is run and checked, and targets with the same result are told together.

use super::{Args, show, source};
use crate::asm;
use crate::common::{self, AnyArch, Paint, Usage, usage};
use crate::engines::{self, Purpose};
use crate::files;
use crate::r600;
use crate::tell;
use crate::timing;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::process::ExitCode;
use wavediff::case::{Case, CaseError, Mismatch, Observe, Reach, check, wave_size};
use wavediff::emu::engine::{Clocked, Took};
use wavediff::engine::Keep;
use wavediff::engine::{Engine, EngineError, Outcome, Status};
use wavediff::isa::Target;

/// What a case may read, or the assembly of a kernel.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub struct Reading {
    /// Let a case, or the assembly of a kernel, read files outside of its own folder
    #[arg(long)]
    allow_files: bool,
}

impl Reading {
    /// Which files may be read.
    pub fn reach(self) -> Reach {
        if self.allow_files { Reach::Anywhere } else { Reach::Folder }
    }
}

/// Reads a case; its errors are shown.
pub fn read(name: &str, bytes: Vec<u8>, reading: Reading) -> Result<Option<Case>> {
    if bytes.len() as u64 > files::TEXT {
        bail!(
            "`{name}` is no code object (ELF), and too large for a case, which has at most {} MiB",
            files::TEXT >> 20
        );
    }
    let text = String::from_utf8(bytes)
        .ok()
        .with_context(|| format!("`{name}` is neither a case (text) nor a code object (ELF)"))?;
    let shown = if name == "-" { "<stdin>" } else { name };
    match Case::parse(&text, shown) {
        Ok(mut case) => {
            case.reach = reading.reach();
            Ok(Some(case))
        }
        Err(error) => {
            complain(&error)?;
            Ok(None)
        }
    }
}

/// Shows what is wrong with a case: in its text with the place, anything else as an error.
pub fn complain(error: &CaseError) -> Result<()> {
    match error {
        CaseError::Text(diagnostics) => {
            asm::show(diagnostics);
            Ok(())
        }
        _ => bail!("{error}"),
    }
}

/// The targets to run for.
pub fn targets(case: &Case, arch: Option<AnyArch>) -> Result<Vec<Target>> {
    let arch = match arch {
        Some(AnyArch::Gcn(arch)) => Some(arch),
        Some(AnyArch::R600(machine)) => bail!("`{}` is not for {}", case.name, machine.name()),
        None => None,
    };
    let all = case.targets();
    let chosen: Vec<Target> =
        all.iter().copied().filter(|t| arch.is_none_or(|arch| arch.name == t.arch.name)).collect();
    match (chosen.is_empty(), arch) {
        (false, _) => Ok(chosen),
        (true, Some(arch)) => bail!("`{}` is not for {} (isa: {})", case.name, arch.name, case.isa),
        (true, None) => bail!("`{}` is for no processor (isa: {})", case.name, case.isa),
    }
}

/// How a target is called: `gfx1100 wave32`.
pub fn target_name(target: Target) -> String {
    if target.arch.has_wave32() {
        format!("{} wave{}", target.arch.name, wave_size(target))
    } else {
        target.arch.name.to_owned()
    }
}

/// What came of one target.
struct Report {
    target: Target,
    status: Status,
    reason: Option<String>,
    mismatches: Vec<Mismatch>,
    outcome: Outcome,
    observed: Vec<show::Observed>,
    took: Option<Took>,
}

/// What came of a file.
enum Ran {
    Statuses(Vec<Status>),
    /// Its text has errors, and they have been told.
    Broken,
    /// It is for other processors than the one that is asked for.
    Other,
}

/// What runs cases: an engine for each family, opened with the first case of it.
struct Engines<'a> {
    args: &'a Args,
    waves: Option<Box<dyn Engine>>,
    groups: Option<Box<dyn Engine<r600::Case>>>,
}

impl<'a> Engines<'a> {
    fn new(args: &'a Args) -> Engines<'a> {
        Engines { args, waves: None, groups: None }
    }

    /// Runs the case of a file. One that is for other processors is passed over where it is one of several.
    fn run(&mut self, file: &str, bytes: Vec<u8>, several: bool) -> Result<Ran> {
        let args = self.args;
        let passed = |is_for: &dyn Fn(AnyArch) -> bool| several && args.arch.is_some_and(|arch| !is_for(arch));
        let statuses = if r600::is_case(&bytes) {
            if args.isolate {
                return usage("--isolate is for cases of GCN and RDNA");
            }
            if args.timing {
                return usage("--timing is for cases of GCN and RDNA: of R600's clocks nothing is known here");
            }
            let Some(case) = r600::read(file, &bytes, args.reading)? else { return Ok(Ran::Broken) };
            if passed(&|arch| arch.r600().is_some_and(|machine| case.machines.contains(&machine))) {
                return Ok(Ran::Other);
            }
            let engine = match self.groups.take() {
                Some(engine) => engine,
                None => r600::engine(&args.engine, &args.device, &args.limits)?,
            };
            r600::run::on_machines(args, file, case, &**self.groups.insert(engine))?
        } else {
            let Some(case) = read(file, bytes, args.reading)? else { return Ok(Ran::Broken) };
            if passed(&|arch| arch.gcn().is_some_and(|arch| case.isa.contains(arch))) {
                return Ok(Ran::Other);
            }
            if let Some(mut clocked) = args.clocked() {
                clocked.emulator.options.keep = Keep::Observed;
                let statuses = on_targets(args, file, case, &clocked, Some(&clocked))?;
                return Ok(statuses.map_or(Ran::Broken, Ran::Statuses));
            }
            let purpose = Purpose { stats: args.stats, keep: Keep::Observed };
            let engine = match self.waves.take() {
                Some(engine) => engine,
                None => engines::engine(&args.engine, &args.device, &args.limits, purpose, args.isolate)?,
            };
            on_targets(args, file, case, &**self.waves.insert(engine), None)?
        };
        Ok(statuses.map_or(Ran::Broken, Ran::Statuses))
    }
}

/// Runs a case.
pub fn run(args: &Args, file: &str, bytes: Vec<u8>) -> Result<ExitCode> {
    let Ran::Statuses(statuses) = Engines::new(args).run(file, bytes, false)? else { return Ok(ExitCode::from(1)) };
    Ok(ExitCode::from(code(&statuses)))
}

/// Runs the cases of several files, of which those count that are for the processor that is asked for. A case with errors is told, and the others run.
pub fn run_all(args: &Args, names: &[String]) -> Result<ExitCode> {
    let mut engines = Engines::new(args);
    let (mut statuses, mut broken, mut others) = (Vec::new(), 0, 0);
    for file in names {
        let bytes = common::read(file)?;
        if source::object(file, &bytes, false, args.reading)?.is_some() {
            return usage(format!("`{file}` is a code object; of several files only cases run"));
        }
        match engines.run(file, bytes, true)? {
            Ran::Statuses(found) => statuses.extend(found),
            Ran::Broken => broken += 1,
            Ran::Other => others += 1,
        }
    }
    if let (Some(arch), true) = (args.arch, others == names.len()) {
        bail!("none of the {others} cases is for {}", arch.name());
    }
    tell!("{}", total(&statuses, broken, others));
    Ok(ExitCode::from(code(&statuses).max(u8::from(broken > 0))))
}

/// How many runs ended how, in words.
fn total(statuses: &[Status], broken: usize, others: usize) -> String {
    let count = |status: &Status| statuses.iter().filter(|one| *one == status).count();
    let mut all: Vec<String> = vec![format!("{} runs", statuses.len())];
    all.extend(
        Status::ALL
            .iter()
            .map(|status| (count(status), status.name()))
            .filter(|(n, _)| *n > 0)
            .map(|(n, name)| format!("{n} {name}")),
    );
    all.extend((broken > 0).then(|| format!("{broken} files with errors")));
    all.extend((others > 0).then(|| format!("{others} files for other processors")));
    all.join(", ")
}

/// Runs a case for its targets, and prints what came of it. Nothing: its text has errors, and they have been told.
fn on_targets(
    args: &Args,
    file: &str,
    mut case: Case,
    engine: &dyn Engine,
    clock: Option<&Clocked>,
) -> Result<Option<Vec<Status>>> {
    for text in &args.show {
        let observe = Observe::parse(text, case.buffers.iter().map(|b| b.name.as_str())).map_err(|e| {
            let names: Vec<&str> = case.buffers.iter().map(|b| b.name.as_str()).collect();
            let names = if names.is_empty() { String::new() } else { format!("; buffers: {}", names.join(", ")) };
            Usage(format!("--show {e}{names}"))
        })?;
        case.observe.retain(|known| known.place != observe.place);
        case.observe.push(observe);
    }
    let mut reports = Vec::new();
    for target in targets(&case, args.arch)? {
        let moved = engines::on_common_ground([&args.engine], &case, target);
        match moved.and_then(|case| one(&case, target, engine, clock)) {
            Ok(report) => reports.push(report),
            Err(error) => {
                // Text that does not assemble here will hardly do so elsewhere.
                tell!("{file}: on {}", target_name(target));
                complain(&error)?;
                return Ok(None);
            }
        }
    }
    if let Some(page) = &args.html {
        let [Report { took: Some(took), .. }] = &reports[..] else {
            return usage("--html draws one run: name the processor with --arch");
        };
        timing::save(page, took, file)?;
    }
    let text = if args.json { print_json(&case, &reports) } else { print(&case, &reports, args.stats) };
    common::print(&text)?;
    Ok(Some(reports.iter().map(|report| report.status).collect()))
}

/// What the program ends with after such runs.
fn code(statuses: &[Status]) -> u8 {
    let code = |status: &Status| match status {
        Status::Pass => 0,
        Status::Trap | Status::Timeout => 2,
        _ => 1,
    };
    statuses.iter().map(code).max().unwrap_or(0)
}

fn one(case: &Case, target: Target, engine: &dyn Engine, clock: Option<&Clocked>) -> Result<Report, CaseError> {
    let outcome = match engine.run(case, target) {
        Ok(outcome) => outcome,
        Err(EngineError::Case(error)) => return Err(error),
        Err(error) => {
            return Ok(Report {
                target,
                status: error.status(),
                reason: Some(error.to_string()),
                mismatches: Vec::new(),
                outcome: Outcome::default(),
                observed: Vec::new(),
                took: None,
            });
        }
    };
    let initial = case.initial(target)?;
    let mismatches = initial.check(&outcome)?;
    let observed = show::observe(&initial, &outcome);
    let status = check::verdict(&mismatches);
    let took = clock.and_then(Clocked::took);
    Ok(Report { target, status, reason: None, mismatches, outcome, observed, took })
}

/// More mismatches are counted, not shown.
const SHOWN: usize = 20;

fn print(case: &Case, reports: &[Report], stats: bool) -> String {
    let all = reports.iter().map(|report| (target_name(report.target), report.status, body(report, stats)));
    together(&case.name, all)
}

/// What came of a case on each processor, with its status: those of which the same came are told together.
pub fn together(case: &str, all: impl Iterator<Item = (String, Status, String)>) -> String {
    let paint = Paint::stdout();
    let mut groups: Vec<(Vec<String>, Status, String)> = Vec::new();
    for (name, of_one, body) in all {
        match groups.iter_mut().find(|(_, status, text)| *status == of_one && *text == body) {
            Some((names, ..)) => names.push(name),
            None => groups.push((vec![name], of_one, body)),
        }
    }
    let mut out = String::new();
    for (names, status, body) in groups {
        let word = match status {
            Status::Pass => paint.bold(status.name()),
            Status::Unsupported => paint.yellow(status.name()),
            _ => paint.red(status.name()),
        };
        let _ = writeln!(out, "{case}: {}: {word}", names.join(", "));
        out.push_str(&body);
    }
    out
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
    if let (Some(trap), true) = (&report.outcome.trap, report.mismatches.is_empty()) {
        let _ = writeln!(out, "  trap as expected: {trap}");
    }
    show::table(&mut out, &report.observed);
    for message in &report.outcome.messages {
        let _ = writeln!(out, "  {}", show::message(message));
    }
    for export in &report.outcome.exports {
        let _ = writeln!(out, "  {export}");
    }
    if let Some(took) = &report.took {
        out.push_str(&timing::text(&took.report, &took.program, Paint::stdout()));
    }
    if stats {
        show::stats(&mut out, &report.outcome.stats);
    }
    out
}

fn print_json(case: &Case, reports: &[Report]) -> String {
    let run = |report: &Report| {
        let mut all = json!({
            "arch": report.target.arch.name,
            "wave": wave_size(report.target),
            "status": report.status.name(),
        });
        if let Some(reason) = &report.reason {
            all["reason"] = json!(reason);
        }
        if let Some(trap) = &report.outcome.trap {
            all["trap"] = show::trap_json(trap);
        }
        all["mismatches"] = report.mismatches.iter().map(|m| json!(m.to_string())).collect();
        all["observed"] = report.observed.iter().map(show::Observed::json).collect();
        all["messages"] = report.outcome.messages.iter().map(show::message_json).collect();
        all["exports"] = report.outcome.exports.iter().map(show::export_json).collect();
        all["stats"] = show::stats_json(&report.outcome.stats);
        if let Some(took) = &report.took {
            all["timing"] = timing::json(&took.report, &took.program);
        }
        all
    };
    let runs: Vec<Value> = reports.iter().map(run).collect();
    format!("{}\n", json!({"case": case.name, "runs": runs}))
}
