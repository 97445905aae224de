//! `wavediff bisect`: the first executed instruction in which two engines differ.

mod sequence;
mod show;
pub mod step;

use crate::common::{self, AnyArch, Paint};
use crate::engines::{self, Device, Name, Opened};
use crate::golden::traces;
use crate::r600;
use crate::run::{self, Limits, kernel::Launch};
use crate::trace::{self, Which};
use anyhow::{Result, bail};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use wavediff::bisect::{Line, OfCase, Side, Subject, Verdict, find, find_between, lines};
use wavediff::case::Case;
use wavediff::engine::compare::{Difference, outcomes};
use wavediff::engine::{EngineError, Outcome};
use wavediff::isa::Target;

/// Find the instruction in which two engines differ
#[derive(clap::Args)]
#[command(
    about = "Find the first executed instruction in which two engines differ",
    after_help = "Every wave runs a prefix of its instructions and is paused; the states of both engines are compared as a whole, and a binary search finds the
step in which they come apart. Printed are the instruction, the line it stands in, what it read, and what each engine made of it.
The differences that count are those of the registers of one wave where --wave names it, and all where it does not.

Several cases run one behind the other on the same engines. The first one that differs is taken, and if it does not differ alone, the fewest
cases are found that must run before it.

The second engine may be what one has left: `golden:FILE` is a trace that `wavediff golden trace` has made of the case.

With -o the guilty instruction is written as a case of its own: what it read, the memory that it touched, and what the first engine says it should leave.
So a kernel becomes a case, which `wavediff run`, `diff` and `reduce` take.

Examples:
  wavediff bisect add.s
  wavediff bisect saxpy.co -o step.s --grid 1024 --group 64 --arg in:x.bin --arg inout:y.bin:z.bin --arg f32:2 --arg u32:1024
  wavediff bisect loop.s --arch gfx1100 --engines emu,vulkan:llvmpipe
  wavediff bisect barrier.s --wave 0:1 --json
  wavediff bisect loop.s --engines emu,golden:loop.trace
  wavediff bisect tests/cases/pass/*.s --arch gfx1100
  wavediff bisect saxpy.co --grid 1024 --group 64 --arg in:x.bin --arg inout:y.bin:z.bin --arg f32:2 --arg u32:1024

Exit codes: 0 no difference, 1 a difference, or the input has errors, 2 the command line is wrong."
)]
pub struct Args {
    /// A case (text), or a code object (ELF); of several cases the first that differs, and those that must run before it
    #[arg(required = true)]
    pub files: Vec<String>,
    /// Two engines; the second may be golden:FILE, a trace of the case
    #[arg(long, value_delimiter = ',', value_parser = other, default_value = "emu,vulkan")]
    engines: Vec<Other>,
    /// The processor of a case [default: the first one on which they differ]
    #[arg(long, value_parser = common::any_arch)]
    pub arch: Option<AnyArch>,
    /// The wave that counts: GROUP:WAVE or just its number in the first group; GROUP is X[,Y,Z]; or `all`
    #[arg(long, value_name = "WAVE", value_parser = trace::wave, default_value = "all")]
    wave: Which,
    /// Write the guilty instruction to a file, as a case
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Print what was found as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub device: Device,
    #[command(flatten)]
    pub limits: Limits,
    #[command(flatten)]
    pub reading: run::case::Reading,
    #[command(flatten)]
    launch: Launch,
}

/// What is compared: an engine, or a trace.
#[derive(Clone, Debug)]
enum Other {
    Engine(Name),
    Golden(PathBuf),
}

fn other(text: &str) -> Result<Other, String> {
    match text.strip_prefix("golden:") {
        Some(path) if !path.is_empty() => Ok(Other::Golden(path.into())),
        _ => engines::name(text).map(Other::Engine),
    }
}

/// What came of a search.
pub enum Found {
    /// Nothing differs.
    Equal,
    /// What they leave does not differ; nobody looked in between.
    Alike,
    /// Something differs, and this is where it begins.
    Step(Verdict),
    /// What the program leaves differs, but not if it is run step by step: a driver took several instructions together.
    Whole(Vec<Difference>),
}

/// Compares two engines over a case, instruction by instruction. Only one wave counts where one is named.
pub fn of_case(
    case: &Case,
    target: Target,
    engines: [&Opened; 2],
    wave: Option<([u32; 3], u32)>,
) -> Result<Found, EngineError> {
    let case = &engines::on_ground_of(engines, case, target)?;
    let found = of(&OfCase { case, target }, engines, wave)?;
    let Found::Equal = found else { return Ok(found) };
    let left = left(&OfCase { case, target }, engines)?;
    let differences = outcomes(case, target, &left[0], &left[1]);
    Ok(if differences.is_empty() || wave.is_some() { Found::Equal } else { Found::Whole(differences) })
}

/// What the engines leave.
fn left(subject: &dyn Subject, [a, b]: [&Opened; 2]) -> Result<[Outcome; 2], EngineError> {
    Ok([subject.run(a.runner(), a.options())?, subject.run(b.runner(), b.options())?])
}

/// The same for anything that runs, without what differs only as a whole.
pub fn of(subject: &dyn Subject, engines: [&Opened; 2], wave: Option<([u32; 3], u32)>) -> Result<Found, EngineError> {
    Ok(match find(subject, engines.map(|e| (e.runner(), e.options())), &counts(wave))? {
        Verdict::Equal => Found::Equal,
        found => Found::Step(found),
    })
}

/// Which differences count.
fn counts(wave: Option<([u32; 3], u32)>) -> impl Fn(&Difference) -> bool {
    move |d| wave.is_none() || d.wave == wave
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    let (a, b) = match &args.engines[..] {
        [Other::Engine(a), Other::Engine(b)] => (a, b),
        [Other::Engine(a), Other::Golden(trace)] => return with_trace(args, a, trace),
        _ => return common::usage("--engines wants two, as emu,vulkan, and only the second may be golden:FILE"),
    };
    args.device.check([a, b])?;
    if args.output.is_some() && args.files.len() > 1 {
        return common::usage("-o writes the instruction of one case or kernel; of several, name the one that differs");
    }
    let open = || -> Result<[Opened; 2]> {
        let open = |name: &Name| Opened::open(name, &args.device, &args.limits, false);
        Ok([open(a)?, open(b)?])
    };
    let mut cases = Vec::new();
    for file in &args.files {
        let bytes = common::read(file)?;
        if let Some(object) = run::source::object(file, &bytes, args.launch.is_given(), args.reading)? {
            if args.files.len() > 1 {
                return common::usage(format!("`{file}` is a code object, and stands alone"));
            }
            let engines = open()?;
            return kernel(args, &object, [&engines[0], &engines[1]]);
        }
        if args.launch.is_given() {
            return common::usage(run::kernel::no_object(file));
        }
        if r600::is_case(&bytes) {
            return r600::bisect::run(args, file, &bytes, [a, b]);
        }
        let Some(case) = run::case::read(file, bytes, args.reading)? else { return Ok(ExitCode::from(1)) };
        cases.push(case);
    }
    match &cases[..] {
        [case] => one(args, case, &open()?),
        several => sequence::run(args, several, &open),
    }
}

/// A case on an engine, compared with a trace of it.
fn with_trace(args: &Args, engine: &Name, path: &Path) -> Result<ExitCode> {
    let [file] = &args.files[..] else { return common::usage("a trace is of one case") };
    if args.output.is_some() {
        return common::usage("-o runs the case on both engines, and a trace is none");
    }
    let Some(case) = run::case::read(file, common::read(file)?, args.reading)? else { return Ok(ExitCode::from(1)) };
    let (head, target, mut trace) = traces::load(path, &case, &run::case::targets(&case, args.arch)?)?;
    let opened = Opened::open(engine, &args.device, &args.limits, false)?;
    let subject = OfCase { case: &case, target };
    has_wave(&subject, &opened, args.wave)?;
    let options = opened.options();
    let mut side = Side { subject: &subject, runner: opened.runner(), options: *options };
    let found = match find_between(&subject, options, [&mut side, &mut trace], &counts(args.wave.0)) {
        Ok(Verdict::Equal) => Found::Equal,
        Ok(found) => Found::Step(found),
        Err(error) => return refused(&case, target, error),
    };
    let title = format!("{}: {}", case.name, run::case::target_name(target));
    let golden = format!("golden {}", head.engine);
    put(args, &title, [opened.engine().name(), &golden], &found, &lines(&case, target))?;
    Ok(ExitCode::from(u8::from(!matches!(found, Found::Equal))))
}

/// A case that comes alone.
fn one(args: &Args, case: &Case, engines: &[Opened; 2]) -> Result<ExitCode> {
    let engines = [&engines[0], &engines[1]];
    let names = engines.map(|e| e.engine().name());
    let mut equal = Vec::new();
    for target in run::case::targets(case, args.arch)? {
        has_wave(&OfCase { case, target }, engines[0], args.wave)?;
        match of_case(case, target, engines, args.wave.0) {
            Ok(Found::Equal) => equal.push(run::case::target_name(target)),
            Ok(found) => {
                let title = format!("{}: {}", case.name, run::case::target_name(target));
                put(args, &title, names, &found, &lines(case, target))?;
                if let Some(output) = &args.output {
                    step::write(output, &step::of_case(case, target, &found), target, engines, &found)?;
                }
                return Ok(ExitCode::from(1));
            }
            Err(error) => return refused(case, target, error),
        }
    }
    put(args, &format!("{}: {}", case.name, equal.join(", ")), names, &Found::Equal, &[])?;
    Ok(ExitCode::SUCCESS)
}

/// Refuses a wave that the case does not have. A run that is refused for another reason is none of its business.
fn has_wave(subject: &dyn Subject, engine: &Opened, wave: Which) -> Result<()> {
    let Some((group, number)) = wave.0 else { return Ok(()) };
    let found = subject.run(engine.runner(), engine.options());
    if found.is_ok_and(|outcome| outcome.wave(group, number).is_none()) {
        return trace::no_wave((group, number));
    }
    Ok(())
}

/// A case that an engine does not run.
fn refused(case: &Case, target: Target, error: EngineError) -> Result<ExitCode> {
    match error {
        EngineError::Case(error) => {
            run::case::complain(&error)?;
            Ok(ExitCode::from(1))
        }
        error => bail!("{}: {}: {error}", case.name, run::case::target_name(target)),
    }
}

fn kernel(args: &Args, bytes: &[u8], engines: [&Opened; 2]) -> Result<ExitCode> {
    let file = args.files.first().map_or("", String::as_str);
    let kernel = step::OfKernel::new(&args.launch, file, bytes, engines)?;
    let found = of(&kernel.subject(), engines, args.wave.0)?;
    put(args, &kernel.title, engines.map(|e| e.engine().name()), &found, &[])?;
    if let Some(output) = args.output.as_ref().filter(|_| !matches!(found, Found::Equal)) {
        let case = kernel.step(&found);
        step::write(output, &case, kernel.target, engines, &found)?;
    }
    Ok(ExitCode::from(u8::from(!matches!(found, Found::Equal))))
}

fn put(args: &Args, title: &str, names: [&str; 2], found: &Found, lines: &[Line]) -> Result<()> {
    let text = if args.json {
        let mut all: Value = show::json(found, lines);
        all["name"] = json!(title);
        all["engines"] = json!(names);
        format!("{all}\n")
    } else {
        show::text(title, names, found, lines, Paint::stdout())
    };
    common::print(&text)
}
