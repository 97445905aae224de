//! `wavediff conform`: suites of cases on the emulator and on every other engine there is.
//!
//! The [plan](wavediff::suite::Plan) gives units; for each unit and each other engine there is one piece of [work](pool), which a worker process does; what
//! comes back is a line of the [journal](crate::journal). Everything that is printed or written at the end is made from the journal.

mod expected;
pub mod pool;
pub mod task;

use crate::common::{self, Usage};
use crate::engines::{self, Lanes, Name};
use crate::journal::{self, End, EngineInfo, FORMAT, Header, Journal, Line, Writer};
use crate::recording::Recording;
use crate::report;
use crate::shard::Shard;
use crate::worker::Request;
use anyhow::{Context, Result, bail};
use expected::Expected;
use indicatif::{ProgressBar, ProgressStyle};
use pool::Work;
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use task::{Against, Numbers, Task};
use wavediff::engine::Status;
use wavediff::isa::Arch;
use wavediff::suite::judge::Digests;
use wavediff::suite::stage::Place;
use wavediff::suite::{Content, Plan, Suite, Unit};

/// Check engines against each other
#[derive(clap::Args)]
#[command(
    about = "Run suites of cases on the emulator and every other engine there is, and compare",
    after_help = "Suites: alu, modes, lanes, matrix, control, memory, lds (one instruction with many inputs each, made from the rows), cases and kernels (files
of tests/cases/pass and shaders, where they are), random (whole programs). Without any all run; without --all a sample of their units does,
which takes a minute or two on two cores.

The emulator is compared with each other engine: Vulkan devices, recordings of runs on devices (`golden`), or, without any of both, itself. Work
is done in processes of their own: a driver that crashes or hangs costs one case. The journal (--jsonl) has every result; a run that was
stopped or killed goes on with --resume. CI systems' variables (CI_NODE_INDEX, SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX) choose a shard.

Examples:
  wavediff conform
  wavediff conform alu modes --arch gfx600,gfx1100 --engines emu,vulkan
  wavediff conform --all --jsonl run.jsonl --html run.html
  wavediff conform --all --resume run.jsonl
  wavediff conform --all --shard 2/8 --jsonl part2.jsonl
  wavediff conform --filter 'v_(add|sub)_f32' --all --engines emu,vulkan:llvmpipe

Exit codes: 0 nothing differs, 1 something does, 2 the command line is wrong."
)]
pub struct Args {
    #[command(flatten)]
    pub selection: Selection,
    /// The emulator and what it is compared with: emu, vulkan[:DEVICE], golden [default: what there is]
    #[arg(long, value_delimiter = ',')]
    engines: Vec<String>,
    /// The K-th of N parts of the work
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
    /// Where recordings are
    #[arg(long, value_name = "DIR", default_value = "golden/recorded")]
    golden: PathBuf,
    /// Write the journal
    #[arg(long, value_name = "FILE")]
    jsonl: Option<PathBuf>,
    /// Go on with a journal: what it has is not run again
    #[arg(long, value_name = "FILE", conflicts_with = "jsonl")]
    resume: Option<PathBuf>,
    /// Write a report that a browser shows
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write a report for CI systems
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write a case file for each instruction that differs, for `bisect` and `reduce`
    #[arg(long, value_name = "DIR")]
    failures: Option<PathBuf>,
    /// Where the lists of what is known to fail are
    #[arg(long, value_name = "DIR", default_value = "golden/expect")]
    expect: PathBuf,
    /// Rewrite these lists from what came of the run; the reasons are then to be filled in
    #[arg(long)]
    update_expect: bool,
}

/// What is run, and how.
#[derive(clap::Args, Debug, Default)]
pub struct Selection {
    /// Suites [default: all]
    #[arg(value_parser = suite)]
    suites: Vec<Suite>,
    /// Processors [default: one of each generation]
    #[arg(long, value_delimiter = ',', value_parser = common::arch)]
    arch: Vec<&'static Arch>,
    /// The Vulkan device: its number, a part of its name, or its uuid
    #[arg(long)]
    device: Option<String>,
    /// How the lanes of a wave are laid over a Vulkan device
    #[arg(long, value_enum, default_value_t)]
    lanes: Lanes,
    /// Load Vulkan's validation layer: what it says is a failure
    #[arg(long)]
    validate: bool,
    /// Every unit, and more instructions of each form
    #[arg(long)]
    all: bool,
    /// One of so many units [default: 1 with --all, else a sample that suits the engines]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    every: Option<u32>,
    /// Inputs of an instruction
    #[arg(long, value_name = "N", default_value_t = INPUTS, value_parser = clap::value_parser!(u32).range(1..=4096))]
    inputs: u32,
    /// Only units and instructions whose name matches: alu/gfx1100-w32/0003, v_add_f32
    #[arg(long, value_name = "RE")]
    filter: Option<Regex>,
    /// What chance starts from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Worker processes [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// How long a unit may take, in seconds
    #[arg(long, value_name = "S", default_value_t = TIMEOUT)]
    timeout: u64,
}

/// Inputs of an instruction, where nothing else is said.
const INPUTS: u32 = 16;
/// Instructions of a form beside the plain one; and where everything runs.
const MIXED: u32 = 1;
const MIXED_ALL: u32 = 3;
/// How long a unit may take, in seconds.
const TIMEOUT: u64 = 180;
/// Programs by chance for each processor and wave size.
const PROGRAMS: u32 = 32;
/// One processor of each generation, and gfx7.
const ARCHS: &[&str] = &["gfx600", "gfx700", "gfx803", "gfx900", "gfx90a", "gfx1030", "gfx1100", "gfx1200"];

/// Whether the numbers are those of `--all`.
fn is_all(numbers: Numbers) -> bool {
    numbers.mixed != MIXED
}

fn suite(name: &str) -> Result<Suite, String> {
    Suite::find(name).ok_or_else(|| {
        let names: Vec<&str> = Suite::ALL.iter().map(|suite| suite.name()).collect();
        format!("suites are {}", names.join(", "))
    })
}

/// An engine that the emulator is compared with.
pub struct Compared {
    /// What stands in the journal.
    pub info: EngineInfo,
    /// What workers are told.
    pub against: Against,
    /// What was recorded, if it is a recording.
    pub recording: Option<Recording>,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    let start = Instant::now();
    let (compared, left_out) = engines_of(args)?;
    let slow = compared.iter().any(|compared| matches!(compared.against, Against::Vulkan { .. }));
    let plan = args.selection.plan(slow);
    let shard = match args.shard {
        Some(shard) => Some(shard),
        None => Shard::of_environment(|name| std::env::var(name).ok()).map_err(Usage)?,
    };
    args.html.iter().chain(&args.junit).try_for_each(|path| common::writable(path))?;
    let mut units = args.selection.units(&plan);
    if units.is_empty() {
        return common::usage("nothing is chosen: no unit and no instruction has a name that --filter matches");
    }
    let mut number = 0..;
    units.retain(|_| shard.is_none_or(|shard| number.next().is_some_and(|n: usize| shard.takes(n))));
    let header = header(&plan, args, shard, &units, &compared, left_out);
    let mut known = Journal { header: header.clone(), ..Journal::default() };
    let mut writer = match (&args.resume, &args.jsonl) {
        (Some(path), _) => {
            known = Journal::read(path)?;
            if known.header.shard != header.shard {
                let named =
                    |shard: Option<[u32; 2]>| shard.map_or("all".to_owned(), |[k, n]| format!("part {k} of {n}"));
                let (had, has) = (named(known.header.shard), named(header.shard));
                bail!("{} is of {had}, and this run is of {has}; see --shard", path.display());
            }
            if known.header.plan != header.plan || known.header.engines != header.engines {
                bail!(
                    "{} is of another run: suites, processors, engines, numbers or files are not the same",
                    path.display()
                );
            }
            Some(Writer::resume(path, known.whole, &header)?)
        }
        (None, Some(path)) => Some(Writer::create(path, &header)?),
        (None, None) => None,
    };
    let mut expected = Expected::load(args, &compared, &units)?;
    known.units.iter_mut().for_each(|line| expected.look_at(line));
    let done: HashSet<(&str, &str)> =
        known.units.iter().map(|line| (line.unit.as_str(), line.engine.as_str())).collect();
    let mut work = work(&plan, &units, &compared);
    work.retain(|one| !done.contains(&(one.unit.name.as_str(), one.engine.as_str())));
    let mut lines = expected.leave_out(&mut work);
    let stop = Arc::new(AtomicBool::new(false));
    common::listen(&stop)?;
    let mut put = |mut line: journal::Unit| {
        expected.look_at(&mut line);
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
    if let Some(folder) = &args.failures {
        keep_failures(folder, &known, &units)?;
    }
    let whole = args.selection.is_whole() && shard.is_none() && !stop.load(Ordering::Relaxed);
    let listed = expected.judge(args, &known, whole)?;
    finish(args, &known, listed)
}

/// Writes the cases that differ to a folder: one for each instruction, of its first input that does.
fn keep_failures(folder: &Path, journal: &Journal, units: &[Unit]) -> Result<()> {
    let units: HashMap<&str, &Unit> = units.iter().map(|unit| (unit.name.as_str(), unit)).collect();
    let mut kept = HashSet::new();
    for result in journal.units.iter().flat_map(|line| &line.results).filter(|r| r.status() == Some(Status::Fail)) {
        let Some((name, case)) = result.case.rsplit_once(':') else { continue };
        let Some(Content::Singles(batch)) = units.get(name).map(|unit| &unit.content) else { continue };
        let Some((single, input)) = case.split_once('.') else { continue };
        let (Ok(single), Ok(input)) = (single.parse(), input.parse()) else { continue };
        if !kept.insert((name, single)) {
            continue;
        }
        if let Some(case) = batch.case(Place { single, input }) {
            std::fs::create_dir_all(folder).with_context(|| format!("{} can not be made", folder.display()))?;
            let path = folder.join(format!("{}-{single}.{input}.s", name.replace('/', "-")));
            common::write(Some(&path), case.to_string().as_bytes())?;
        }
    }
    Ok(())
}

/// Prints the summary and writes the reports. `listed` says whether the lists are as they should be.
fn finish(args: &Args, journal: &Journal, listed: bool) -> Result<ExitCode> {
    let mut files: Vec<&Path> = Vec::new();
    if let Some(path) = &args.html {
        report::html::write(journal, path)?;
        files.push(path);
    }
    if let Some(path) = &args.junit {
        report::junit::write(journal, path)?;
        files.push(path);
    }
    files.extend(args.jsonl.iter().chain(&args.resume).map(PathBuf::as_path));
    common::write(None, report::summary::print_with(journal, &files).as_bytes())?;
    let bad = journal
        .units
        .iter()
        .flat_map(|unit| unit.rows.values().flat_map(BTreeMap::keys))
        .any(|name| report::tally::is_bad(name));
    Ok(ExitCode::from(u8::from(bad || !listed || journal.end.as_ref().is_none_or(|end| end.interrupted))))
}

fn progress(units: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} units, {elapsed} of about {duration}");
    ProgressBar::new(units).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// The engines that the emulator is compared with, and what is left out.
pub fn engines_of(args: &Args) -> Result<(Vec<Compared>, Vec<String>)> {
    let (mut all, mut left_out) = (Vec::new(), Vec::new());
    let asked = |name: &str| args.engines.iter().any(|engine| engine == name);
    for name in &args.engines {
        if name != "golden" {
            engines::name(name).map_err(Usage)?;
        }
    }
    let mut devices: Vec<Option<String>> = args
        .engines
        .iter()
        .filter_map(|name| match engines::name(name) {
            Ok(Name::Vulkan(device)) => Some(device.or_else(|| args.selection.device.clone())),
            _ => None,
        })
        .collect();
    if let Some(twice) = args.engines.iter().enumerate().find(|(n, name)| args.engines[..*n].contains(name)) {
        return common::usage(format!("--engines names {} twice", twice.1));
    }
    let open = args.engines.is_empty();
    if open {
        devices.push(args.selection.device.clone());
    }
    for device in devices {
        match vulkan(device.clone(), &args.selection) {
            Ok(compared) => all.push(compared),
            Err(reason) if open && args.selection.device.is_none() => left_out.push(format!(
                "Vulkan: {reason}; `apt install libvulkan1 mesa-vulkan-drivers` brings a device that is the CPU"
            )),
            Err(reason) => return Err(Usage(format!("{reason}; `wavediff devices` says more")).into()),
        }
    }
    if open || asked("golden") {
        let recordings = Recording::all(&args.golden)?;
        if recordings.is_empty() {
            let reason = format!("recordings: there are none in {}", args.golden.display());
            if !open {
                return Err(Usage(reason).into());
            }
            left_out.push(reason);
        }
        all.extend(recordings.into_iter().map(|recording| Compared {
            info: EngineInfo { name: format!("golden:{}", recording.name), driver: recording.driver.clone() },
            against: Against::Golden(None),
            recording: Some(recording),
        }));
    }
    if all.is_empty() {
        all.push(Compared {
            info: EngineInfo { name: "emu again".to_owned(), driver: String::new() },
            against: Against::Itself,
            recording: None,
        });
    }
    Ok((all, left_out))
}

/// How long drivers may take to load.
const PATIENCE: Duration = Duration::from_secs(60);

/// A Vulkan device, asked for in a process of its own.
pub fn vulkan(device: Option<String>, args: &Selection) -> Result<Compared, String> {
    let answer = Request::Devices.ask(PATIENCE).map_err(|lost| lost.to_string())?;
    let found: serde_json::Value = serde_json::from_slice(&answer).map_err(|e| e.to_string())?;
    for key in ["absent", "failure"] {
        if let Some(reason) = found[key].as_str() {
            return Err(reason.to_owned());
        }
    }
    let devices = found["devices"].as_array().map(Vec::as_slice).unwrap_or_default();
    let chosen = match &device {
        None => devices.first(),
        Some(wanted) => devices.iter().find(|d| {
            d["index"].as_u64().is_some_and(|index| wanted.parse() == Ok(index))
                || d["name"].as_str().is_some_and(|name| name.to_lowercase().contains(&wanted.to_lowercase()))
                || d["uuid"].as_str() == Some(wanted)
        }),
    };
    let Some(chosen) = chosen else { return Err(format!("no device is called {}", device.unwrap_or_default())) };
    let driver = |key: &str| chosen["driver"][key].as_str().unwrap_or_default();
    let model = match args.lanes {
        Lanes::Auto => String::new(),
        lanes => format!(" {}", lanes.model().name()),
    };
    Ok(Compared {
        info: EngineInfo {
            name: format!("vulkan:{}{model}", chosen["name"].as_str().unwrap_or_default()),
            driver: [driver("name"), driver("info")].join(" ").trim().to_owned(),
        },
        against: Against::Vulkan { device, lanes: args.lanes, validate: args.validate },
        recording: None,
    })
}

/// How many units one is taken of where not all run: a device's compiler takes its time.
const SAMPLE: u32 = 96;

impl Selection {
    /// Everything that a recording has.
    pub fn of_recording(recording: &Recording, jobs: Option<u16>) -> Selection {
        let parts = |n: usize| recording.units.keys().filter_map(move |unit| unit.split('/').nth(n));
        let names: BTreeSet<&str> = parts(1).filter_map(|group| group.split('-').next()).collect();
        let suites: BTreeSet<Suite> = parts(0).filter_map(Suite::find).collect();
        Selection {
            suites: suites.into_iter().collect(),
            arch: names.into_iter().filter_map(Arch::find).collect(),
            every: Some(1),
            inputs: recording.numbers.inputs,
            seed: recording.numbers.seed,
            // The other density; see [`Selection::plan`].
            all: is_all(recording.numbers),
            jobs,
            timeout: TIMEOUT,
            ..Selection::default()
        }
    }

    /// Whether everything runs that there is: then a line of a list that nothing needed is one too many.
    fn is_whole(&self) -> bool {
        self.all && self.suites.is_empty() && self.arch.is_empty() && self.every.is_none() && self.filter.is_none()
    }

    /// The device that is asked for.
    pub fn device(&self) -> Option<String> {
        self.device.clone()
    }

    /// The plan; devices take their time to compile, so that only a sample of its units runs on them if nothing else is said.
    pub fn plan(&self, slow: bool) -> Plan {
        let every = self.every.unwrap_or(if self.all || !slow || self.filter.is_some() { 1 } else { SAMPLE });
        let archs = match &self.arch[..] {
            [] => ARCHS.iter().filter_map(|name| Arch::find(name)).collect(),
            archs => archs.to_vec(),
        };
        let suites = if self.suites.is_empty() { Suite::ALL.to_vec() } else { self.suites.clone() };
        let mixed = if self.all { MIXED_ALL } else { MIXED };
        Plan { suites, archs, mixed, inputs: self.inputs, every, seed: self.seed, programs: PROGRAMS, files: files() }
    }

    /// The units of a plan that the filter wants.
    pub fn units(&self, plan: &Plan) -> Vec<Unit> {
        let mut all = plan.units();
        if let Some(filter) = &self.filter {
            let within = |unit: &Unit| match &unit.content {
                Content::Singles(batch) => batch.singles.iter().any(|single| filter.is_match(single.row)),
                _ => false,
            };
            all.retain(|unit| filter.is_match(&unit.name) || within(unit));
        }
        all
    }

    /// Has work done by workers, with a progress bar.
    pub fn work(
        &self,
        work: &[Work<'_>],
        stop: &AtomicBool,
        mut each: impl FnMut(journal::Unit, Digests) -> Result<()>,
    ) -> Result<()> {
        let jobs = self.jobs.map_or_else(common::cores, usize::from);
        let progress = progress(work.len() as u64);
        let done = pool::run(work, jobs, Duration::from_secs(self.timeout), stop, |line, digests| {
            progress.inc(1);
            each(line, digests)
        });
        progress.finish_and_clear();
        done
    }
}

/// The files of the suites of files, where the program is started beside them.
fn files() -> Vec<(Suite, PathBuf)> {
    let mut all = Vec::new();
    for (suite, folder) in [(Suite::Cases, "tests/cases/pass"), (Suite::Kernels, "shaders")] {
        collect(Path::new(folder), suite, &mut all);
    }
    all.sort();
    all
}

fn collect(folder: &Path, suite: Suite, all: &mut Vec<(Suite, PathBuf)>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, suite, all);
        } else if path.extension().is_some_and(|end| end == "s") {
            all.push((suite, path));
        }
    }
}

fn header(
    plan: &Plan,
    args: &Args,
    shard: Option<Shard>,
    units: &[Unit],
    compared: &[Compared],
    mut left_out: Vec<String>,
) -> Header {
    for suite in [Suite::Cases, Suite::Kernels] {
        if plan.suites.contains(&suite) && !plan.files.iter().any(|(of, _)| *of == suite) {
            left_out.push(format!("{suite}: the files are not here; start the program in the project's folder"));
        }
    }
    if plan.every > 1 {
        left_out
            .push(format!("all but one of {} units of each suite of instructions; --all runs every one", plan.every));
    }
    let emu = EngineInfo { name: "emu".to_owned(), driver: String::new() };
    let filter = args.selection.filter.as_ref().map_or("", Regex::as_str);
    Header {
        format: FORMAT,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        plan: format!("{}{}", plan.digest(), if filter.is_empty() { String::new() } else { format!(" /{filter}/") }),
        units: units.len() as u64,
        suites: plan.suites.iter().map(|suite| suite.name().to_owned()).collect(),
        archs: plan.archs.iter().map(|arch| arch.name.to_owned()).collect(),
        engines: std::iter::once(emu).chain(compared.iter().map(|compared| compared.info.clone())).collect(),
        seed: plan.seed,
        shard: shard.map(|shard| [shard.number, shard.of]),
        began: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
        command: std::env::args().collect(),
        left_out,
    }
}

/// The work: every unit on every engine.
pub fn work<'u>(plan: &Plan, units: &'u [Unit], compared: &[Compared]) -> Vec<Work<'u>> {
    let numbers = Numbers { mixed: plan.mixed, inputs: plan.inputs, seed: plan.seed, programs: plan.programs };
    let one = |unit: &'u Unit, compared: &Compared| {
        let against = match &compared.recording {
            // What was not recorded can not be compared.
            Some(recording) => Against::Golden(Some(recorded(recording, numbers, unit)?)),
            None => compared.against.clone(),
        };
        let task = Task {
            unit: unit.name.clone(),
            suite: unit.suite.name().to_owned(),
            arch: unit.target.arch.name.to_owned(),
            lanes: unit.lanes,
            plan: numbers,
            file: match &unit.content {
                Content::File(path) => Some(path.clone()),
                _ => None,
            },
            only: None,
            against,
        };
        Some(Work { unit, task, engine: compared.info.name.clone(), left_out: Vec::new() })
    };
    compared.iter().flat_map(|compared| units.iter().filter_map(move |unit| one(unit, compared))).collect()
}

/// What was recorded of a unit, if it was made of the same.
fn recorded(recording: &Recording, numbers: Numbers, unit: &Unit) -> Option<Digests> {
    let found = recording.units.get(&unit.name).filter(|found| found.made_of == unit.digest())?;
    (recording.numbers == numbers || !unit.suite.is_of_singles()).then(|| found.digests.clone())
}
