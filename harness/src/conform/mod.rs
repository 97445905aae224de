//! `wavediff conform`: suites of cases on the emulator and on every other engine there is.
//!
//! A [selection](selection) says which cases run, in which units, for each [engine that is compared](compared); for each unit there is one piece of
//! [work](pool), which a worker process does; what comes back is a line of the [journal](crate::journal). Everything that is printed or written at the end
//! is made from the journal.

mod again;
mod clocks;
pub mod compared;
mod emulated;
mod expected;
mod failures;
pub mod pool;
mod progress;
pub mod selection;
pub mod task;

use crate::common::{self, NotCompared, Usage};
use crate::files;
use crate::journal::{self, End, EngineInfo, Header, Journal, Line, Wanted};
use crate::report;
use crate::report::verdict::Verdict;
use crate::shard::Shard;
use crate::tell;
use anyhow::Result;
pub use compared::{Compared, engines_of, vulkan};
use expected::Expected;
use failures::Failures;
pub use selection::Selection;
use selection::{About, Chosen, Planned, work};
use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use wavediff::suite::Suite;

/// Check engines against each other
#[derive(clap::Args)]
#[command(
    about = "Run suites of cases on the emulator and every other engine there is, and compare",
    after_help = "Suites: alu, modes, lanes, matrix, control, memory, lds, export, image (one instruction with many inputs each, made from the rows), cases and kernels (files
of tests/cases/pass and shaders, where they are), random (whole programs). Without any all run. A device gets a sample if nothing else is said, which
takes two minutes on two cores: every row of every suite once on some processor, every encoding on every processor, and as much more as there is time
for; --seed chooses another one, --all runs everything.

The emulator is compared with each other engine: Vulkan devices, and recordings of runs on devices (`golden`). Work is done in processes of their
own: a driver that crashes or hangs costs one case. A case counts as compared if both engines left something: not if it is unsupported, left out by
a list, or lost with its engine, whatever a list says of it. The journal (--jsonl) has every result; a run that was stopped or killed goes on with
--resume, and --jsonl does not write over it. CI systems' variables (CI_NODE_INDEX, SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX) choose a shard. Options may stand in a file, one a
line: `wavediff conform @ci.options`.

Examples:
  wavediff conform
  wavediff conform alu modes --arch gfx600,gfx1100 --engines emu,vulkan
  wavediff conform --all --jsonl run.jsonl --html run.html
  wavediff conform --all --resume run.jsonl
  wavediff conform --all --shard 2/8 --jsonl part2.jsonl
  wavediff conform --filter 'v_(add|sub)_f32' --all --engines emu,vulkan:llvmpipe
  wavediff conform --case alu/gfx1100-w32/v_add_f32_e64:7
  wavediff conform --require vulkan --max-fail 100 --md summary.md
  wavediff conform --timing golden/timing/gfx906-mi50.json --within 5 --html clocks.html

Exit codes: 0 nothing differs, 1 something does, 2 the command line is wrong, 3 nothing was compared, or not with what --require names."
)]
pub struct Args {
    #[command(flatten)]
    pub selection: Selection,
    /// The emulator and what it is compared with: emu, vulkan[:DEVICE], native[:DEVICE], golden [default: what there is]
    #[arg(long, value_delimiter = ',')]
    engines: Vec<String>,
    /// Fail where this engine is missing or compares nothing: vulkan, native, golden
    #[arg(long, value_delimiter = ',', value_parser = ["vulkan", "native", "golden"])]
    require: Vec<String>,
    /// Print the names of the cases that would run, and run nothing
    #[arg(long)]
    list: bool,
    /// Stop after so many cases that are not as expected
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_fail: Option<u64>,
    /// The K-th of N parts of the work
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
    /// Where recordings are, or the folder of one
    #[arg(long, value_name = "DIR", default_value = "golden/recorded")]
    golden: PathBuf,
    /// In place of values, what instructions cost by the clock of the model beside what a file of `bench --json` has
    #[arg(long, value_name = "FILE", conflicts_with_all = ["suites", "all", "every", "sample", "case", "engines", "require", "list", "shard", "resume", "failures", "update_expect"])]
    timing: Vec<PathBuf>,
    /// How far from what was recorded a cost may be, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 5.0, requires = "timing")]
    within: f64,
    /// Write the journal
    #[arg(long, value_name = "FILE")]
    jsonl: Option<PathBuf>,
    /// Write the journal over a file that is there
    #[arg(long, requires = "jsonl")]
    force: bool,
    /// Go on with a journal: what it has is not run again
    #[arg(long, value_name = "FILE", conflicts_with = "jsonl")]
    resume: Option<PathBuf>,
    /// Write a report that a browser shows
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write a report for CI systems
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write a summary in Markdown, for merge requests
    #[arg(long, value_name = "FILE")]
    md: Option<PathBuf>,
    /// Write a case file for each instruction and random program that differs, for `bisect` and `reduce`
    #[arg(long, value_name = "DIR")]
    failures: Option<PathBuf>,
    /// Folder of the lists of known failures
    #[arg(long, value_name = "DIR", default_value = EXPECT)]
    expect: PathBuf,
    /// Rewrite these lists from what came of the run; the reasons are then to be filled in
    #[arg(long)]
    update_expect: bool,
}

/// Where lists of known failures are, if nothing else is said.
const EXPECT: &str = "golden/expect";

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    let written = args.jsonl.iter().chain(&args.resume).chain(&args.html).chain(&args.junit).chain(&args.md);
    files::distinct(written.map(PathBuf::as_path))?;
    if !args.timing.is_empty() {
        return clocks::run(args);
    }
    let start = Instant::now();
    if args.list {
        return list(args);
    }
    let (compared, left_out) = engines_of(args)?;
    let chosen = args.selection.choose(compared.iter().any(Compared::is_slow))?;
    let shard = match args.shard {
        Some(shard) => Some(shard),
        None => Shard::of_environment(|name| std::env::var(name).ok()).map_err(Usage)?,
    };
    args.html.iter().chain(&args.junit).chain(&args.md).try_for_each(|path| files::writable(path))?;
    let mut number = 0..;
    let mut planned: Vec<(&Compared, Vec<Planned>)> =
        compared.iter().map(|compared| (compared, args.selection.planned(&chosen, compared))).collect();
    let whole = chosen.about(&planned);
    for (_, units) in &mut planned {
        units.retain(|_| shard.is_none_or(|shard| number.next().is_some_and(|n: usize| shard.takes(n))));
    }
    let header = header(&chosen, whole, shard, &planned, left_out);
    let wanted = Wanted { new: args.jsonl.as_deref(), force: args.force, resume: args.resume.as_deref() };
    let names = planned.iter().flat_map(|(_, units)| units.iter().map(|planned| planned.unit.name.as_str()));
    let (mut writer, mut known) = journal::open(wanted, &header, names)?;
    let mut expected = Expected::load(args, &planned)?;
    let mut failures = Failures::new(args, &planned);
    known.units.iter_mut().for_each(|line| expected.look_at(line));
    known.units.iter_mut().try_for_each(|line| failures.complete(line))?;
    let done: HashSet<(&str, &str)> =
        known.units.iter().map(|line| (line.unit.as_str(), line.engine.as_str())).collect();
    let mut work = work(&planned, false);
    work.retain(|one| !done.contains(&(one.unit.name.as_str(), one.engine.as_str())));
    let mut lines = expected.leave_out(&mut work);
    let stop = Arc::new(AtomicBool::new(false));
    common::listen(&stop)?;
    let mut bad = 0;
    let mut put = |mut line: journal::Unit| {
        expected.look_at(&mut line);
        failures.complete(&mut line)?;
        bad += report::tally::bad_of(&line);
        if args.max_fail.is_some_and(|most| bad >= most) && !stop.swap(true, Ordering::Relaxed) {
            tell!("stopped: {bad} cases are not as expected (--max-fail)");
        }
        if let Some(writer) = &mut writer {
            writer.line(&Line::Unit(line.clone()))?;
        }
        known.units.push(line);
        Ok(())
    };
    lines.drain(..).try_for_each(&mut put)?;
    args.selection.work(&work, &stop, |line, _| put(line))?;
    let end = End { interrupted: stop.load(Ordering::Relaxed), seconds: start.elapsed().as_secs_f64() };
    if let Some(writer) = &mut writer {
        writer.line(&Line::End(end.clone()))?;
    }
    known.end = Some(end);
    let whole = args.selection.is_whole() && shard.is_none() && !stop.load(Ordering::Relaxed);
    let listed = expected.judge(args, &known, whole)?;
    finish(args, &known, listed)
}

/// Prints what would run.
fn list(args: &Args) -> Result<ExitCode> {
    let (compared, _) = engines_of(args)?;
    let chosen = args.selection.choose(compared.iter().any(Compared::is_slow))?;
    let (mut out, mut seen) = (String::new(), HashSet::new());
    for planned in compared.iter().flat_map(|compared| args.selection.planned(&chosen, compared)) {
        for (case, _) in planned.cases() {
            if seen.insert(case.clone()) {
                let _ = writeln!(out, "{case}");
            }
        }
    }
    common::print(&out)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes a journal as a report.
type WriteReport = fn(&Journal, &Path) -> Result<()>;

/// Prints the summary and writes the reports. `listed` says whether the lists are as they should be.
fn finish(args: &Args, journal: &Journal, listed: bool) -> Result<ExitCode> {
    let mut files: Vec<&Path> = Vec::new();
    let reports: [(_, WriteReport); 3] =
        [(&args.html, report::html::write), (&args.junit, report::junit::write), (&args.md, report::markdown::write)];
    for (path, write) in reports {
        if let Some(path) = path {
            write(journal, path)?;
            files.push(path);
        }
    }
    files.extend(args.jsonl.iter().chain(&args.resume).map(PathBuf::as_path));
    common::print(&report::summary::print_with(journal, &files))?;
    let verdict = Verdict::of(journal);
    if matches!(verdict, Verdict::Bad | Verdict::Stopped) || !listed {
        return Ok(ExitCode::from(1));
    }
    // That an engine could be opened is not yet that anything was compared with it: what another one compared is no substitute. (A recording may have
    // nothing of what was chosen, if another has.)
    let compared = report::tally::compared(journal);
    for kind in &args.require {
        let of_kind = compared.iter().filter(|(engine, _)| report::tally::kind_of_engine(engine) == kind);
        let (some, none): (Vec<_>, Vec<_>) = of_kind.partition(|(_, cases)| **cases > 0);
        let had_work = |engine: &&str| journal.units.iter().any(|unit| unit.engine == *engine);
        if let Some((engine, _)) = none.iter().find(|(engine, _)| some.is_empty() || had_work(engine)) {
            return Err(NotCompared(format!("--require {kind}: {engine} has no case that was compared")).into());
        }
    }
    Ok(if verdict == Verdict::Good { ExitCode::SUCCESS } else { ExitCode::from(common::NOT_COMPARED) })
}

fn header(
    chosen: &Chosen,
    whole: About,
    shard: Option<Shard>,
    planned: &[(&Compared, Vec<Planned>)],
    mut left_out: Vec<String>,
) -> Header {
    let plan = &chosen.plan;
    for suite in [Suite::Cases, Suite::Kernels] {
        if plan.suites.contains(&suite) && !plan.files.iter().any(|(of, _)| *of == suite) {
            left_out.push(format!("{suite}: the files are not here; start the program in the project's folder"));
        }
    }
    for (compared, _) in planned {
        let stale = compared.recording.iter().flat_map(|recording| &recording.units).filter(|unit| unit.stale).count();
        if stale > 0 {
            left_out
                .push(format!("{}: {stale} units are made of other cases now: record them again", compared.info.name));
        }
    }
    if planned.iter().any(|(compared, _)| compared.recording.is_none()) {
        left_out.extend(chosen.left_out.clone());
    }
    let emu = EngineInfo { name: "emu".to_owned(), driver: String::new() };
    Header {
        plan: whole.digest,
        units: planned.iter().map(|(_, units)| units.len() as u64).sum(),
        suites: plan.suites.iter().map(|suite| suite.name().to_owned()).collect(),
        archs: plan.processors().map(str::to_owned).collect(),
        engines: std::iter::once(emu).chain(planned.iter().map(|(compared, _)| compared.info.clone())).collect(),
        seed: plan.seed,
        shard: shard.map(|shard| [shard.number, shard.of]),
        coverage: whole.coverage,
        left_out,
        ..Header::begun()
    }
}
