//! `wavediff reduce`: the smallest case in which two engines still differ in the same way.

mod finish;
mod journal;
mod kind;

pub use finish::finished;
pub use kind::{Kind, kind, still};

use crate::bisect::step::OfKernel;
use crate::bisect::{self, Found};
use crate::common::{self, AnyArch, Paint};
use crate::engines::{self, Device, Name, Opened};
use crate::r600;
use crate::run::{self, Limits, kernel::Launch};
use crate::tell;
use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use journal::Journal;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use wavediff::bisect::Verdict as Bisected;
use wavediff::case::Case;
use wavediff::engine::EngineError;
use wavediff::isa::Target;
use wavediff::reduce::{Verdict, instructions, reduce_many, transplant};

/// Make a case smaller that shows a difference
#[derive(clap::Args)]
#[command(
    about = "Find the smallest case in which two engines still differ in the same way",
    after_help = "Of a kernel the guilty instruction alone is taken, with the registers and the memory that it met, and reduced as a case.

What must stay is the row of the instruction that `wavediff bisect` names, and the kind of the difference: registers, memory, a trap. First
the guilty instruction is tried alone, in the state that it met; then instructions, waves, registers, buffers, modes and lanes are
dropped as long as the difference stays, and numbers made simple. The result is a case for tests/cases that expects what the first engine says.

Answers are kept in OUT.reduce until the end; --resume takes them from there. Without -o the result goes to standard output, and nothing is kept.

Examples:
  wavediff reduce big.s -o small.s
  wavediff reduce big.s --arch gfx1100 --engines emu,vulkan:llvmpipe -o small.s --jobs 4
  wavediff reduce big.s -o small.s --resume
  wavediff reduce saxpy.co -o small.s --grid 1024 --group 64 --arg in:x.bin --arg inout:y.bin:z.bin --arg f32:2 --arg u32:1024

Exit codes: 0 there is a smaller case, 1 nothing differs, or the input has errors, 2 the command line is wrong."
)]
pub struct Args {
    /// A case (text), or a code object (ELF)
    pub file: String,
    /// Two engines
    #[arg(long, value_delimiter = ',', value_parser = engines::name, default_value = "emu,vulkan")]
    engines: Vec<Name>,
    /// The processor [default: the first one on which they differ]
    #[arg(long, value_parser = common::any_arch)]
    pub arch: Option<AnyArch>,
    /// Where to write the case [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Candidates checked side by side
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    jobs: u32,
    /// Go on with the answers of an earlier call
    #[arg(long, requires = "output")]
    resume: bool,
    /// Print what came of it as JSON, on standard error if the case goes to standard output
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

/// What a reduction came to.
pub struct Reduced {
    /// The case, with what it expects.
    pub case: Case,
    /// What differs in it.
    pub kind: Kind,
    /// Candidates that were checked.
    pub checks: u64,
}

/// Reduces a case in which two engines differ; nothing if they do not. Each pair of engines checks a candidate at a time; `answers` are asked before
/// each check, and told after it.
pub fn of_case(
    case: &Case,
    target: Target,
    pairs: &mut [[Opened; 2]],
    answers: &mut dyn Answers,
) -> Result<Option<Reduced>, EngineError> {
    let Some(pair) = pairs.first() else { return Ok(None) };
    let found = bisect::of_case(case, target, [&pair[0], &pair[1]], None)?;
    let Some(kind) = kind(&found) else { return Ok(None) };
    let mut start = case.clone();
    if let Found::Step(Bisected::At(at)) = &found
        && let Some(alone) = transplant(case, target, &at.0, &at.1)
        && still(&alone, target, [&pair[0], &pair[1]], &kind)? == Verdict::Kept
    {
        start = alone;
    }
    from_start(&start, case, target, kind, pairs, answers)
}

/// Reduces a case that is known to differ in this way; `origin` is what it was made of.
fn from_start(
    start: &Case,
    origin: &Case,
    target: Target,
    kind: Kind,
    pairs: &mut [[Opened; 2]],
    answers: &mut dyn Answers,
) -> Result<Option<Reduced>, EngineError> {
    let width = pairs.len();
    let mut check = |cases: &[Case]| -> Result<Vec<Verdict>, EngineError> {
        let mut verdicts: Vec<Option<Verdict>> = cases.iter().map(|case| answers.known(case)).collect();
        let open: Vec<usize> = (0..cases.len()).filter(|n| verdicts[*n].is_none()).collect();
        let asked = |n: usize, pair: &mut [Opened; 2]| still(&cases[n], target, [&pair[0], &pair[1]], &kind);
        let new: Vec<Result<Verdict, EngineError>> = if let ([n], [pair, ..]) = (&open[..], &mut *pairs) {
            vec![asked(*n, pair)]
        } else {
            std::thread::scope(|scope| {
                let asked = &asked;
                let shares = open.iter().zip(pairs.iter_mut());
                let threads: Vec<_> = shares.map(|(n, pair)| scope.spawn(move || asked(*n, pair))).collect();
                let lost = || EngineError::Crash {
                    device: "host".to_owned(),
                    doing: "checking a candidate",
                    reason: "a thread panicked".to_owned(),
                };
                threads.into_iter().map(|t| t.join().unwrap_or_else(|_| Err(lost()))).collect()
            })
        };
        for (n, verdict) in open.into_iter().zip(new) {
            let verdict = verdict?;
            answers.tell(&cases[n], verdict);
            verdicts[n] = Some(verdict);
        }
        Ok(verdicts.into_iter().map(|v| v.unwrap_or(Verdict::Lost)).collect())
    };
    let reduced = reduce_many(start, target, width, &mut check)?;
    let Some(pair) = pairs.first() else { return Ok(None) };
    let case = finished(&reduced.case, origin, target, [&pair[0], &pair[1]], &kind)?;
    Ok(Some(Reduced { case, kind, checks: reduced.checks }))
}

/// Whoever keeps answers, or wants to see them.
pub trait Answers {
    /// What is known of a candidate.
    fn known(&mut self, _: &Case) -> Option<Verdict> {
        None
    }
    /// What came of a check.
    fn tell(&mut self, _: &Case, _: Verdict) {}
}

/// A journal, and a line that shows how it goes, where somebody sees it.
struct Watched {
    journal: Option<Journal>,
    bar: ProgressBar,
    smallest: usize,
}

impl Answers for Watched {
    fn known(&mut self, case: &Case) -> Option<Verdict> {
        self.journal.as_ref().and_then(|journal| journal.known(case))
    }

    fn tell(&mut self, case: &Case, verdict: Verdict) {
        if let Some(journal) = &mut self.journal {
            journal.tell(case, verdict);
        }
        if verdict == Verdict::Kept {
            self.smallest = instructions(case);
        }
        self.bar.inc(1);
        self.bar.set_message(format!("{} instructions", self.smallest));
    }
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    let [a, b] = &args.engines[..] else { return common::usage("--engines wants two, as emu,vulkan") };
    args.device.check([a, b])?;
    let bytes = common::read(&args.file)?;
    if let Some(object) = run::source::object(&args.file, &bytes, args.launch.is_given(), args.reading)? {
        return kernel(args, &object, [a, b]);
    }
    if args.launch.is_given() {
        return common::usage(run::kernel::no_object(&args.file));
    }
    if r600::is_case(&bytes) {
        return r600::bisect::reduced(args, &bytes, [a, b]);
    }
    let Some(case) = run::case::read(&args.file, bytes, args.reading)? else { return Ok(ExitCode::from(1)) };
    let open = |name: &Name| Opened::open(name, &args.device, &args.limits, false);
    let mut pairs = (0..args.jobs).map(|_| Ok([open(a)?, open(b)?])).collect::<Result<Vec<_>>>()?;
    let start = std::time::Instant::now();
    for target in run::case::targets(&case, args.arch)? {
        let mut watched = watched(args, &case, target)?;
        let found = of_case(&case, target, &mut pairs, &mut watched);
        watched.bar.finish_and_clear();
        match found {
            Ok(None) => {}
            Ok(Some(reduced)) => {
                common::write(args.output.as_deref(), reduced.case.to_string().as_bytes())?;
                if let Some(journal) = watched.journal {
                    journal.done();
                }
                report(args, &case, &reduced, start.elapsed().as_secs_f64())?;
                return Ok(ExitCode::SUCCESS);
            }
            Err(EngineError::Case(error)) => {
                run::case::complain(&error)?;
                return Ok(ExitCode::from(1));
            }
            Err(error) => bail!("{}: {}: {error}", case.name, run::case::target_name(target)),
        }
        if let Some(journal) = watched.journal {
            journal.done();
        }
    }
    tell!("{}: {}: the engines do not differ", case.name, Paint::stderr().yellow("nothing to reduce"));
    Ok(ExitCode::from(1))
}

/// Reduces the guilty instruction of a kernel.
fn kernel(args: &Args, bytes: &[u8], [a, b]: [&Name; 2]) -> Result<ExitCode> {
    if args.arch.is_some() {
        return common::usage("a code object names its processor itself; --arch is for cases");
    }
    let open = |name: &Name| Opened::open(name, &args.device, &args.limits, false);
    let mut pairs = (0..args.jobs).map(|_| Ok([open(a)?, open(b)?])).collect::<Result<Vec<_>>>()?;
    let start = std::time::Instant::now();
    let Some(pair) = pairs.first() else { bail!("no engines") };
    let engines = [&pair[0], &pair[1]];
    let of_kernel = OfKernel::new(&args.launch, &args.file, bytes, engines)?;
    let (target, title) = (of_kernel.target, of_kernel.title.clone());
    let found = bisect::of(&of_kernel.subject(), engines, None)?;
    let Some(kind) = kind(&found) else {
        tell!("{title}: {}: the engines do not differ", Paint::stderr().yellow("nothing to reduce"));
        return Ok(ExitCode::from(1));
    };
    let alone = match of_kernel.step(&found) {
        Ok(alone) => alone,
        Err(reason) => bail!("{title}: differs in {kind}, which no case shows: {reason}"),
    };
    if still(&alone, target, engines, &kind)? != Verdict::Kept {
        bail!("{title}: differs in {kind}, but not in the instruction alone; `wavediff bisect` says more");
    }
    let mut watched = watched(args, &alone, target)?;
    let found = from_start(&alone, &alone, target, kind, &mut pairs, &mut watched);
    watched.bar.finish_and_clear();
    let Some(reduced) = found? else { bail!("{title}: nothing is left of the difference") };
    common::write(args.output.as_deref(), reduced.case.to_string().as_bytes())?;
    if let Some(journal) = watched.journal {
        journal.done();
    }
    report(args, &alone, &reduced, start.elapsed().as_secs_f64())?;
    Ok(ExitCode::SUCCESS)
}

fn watched(args: &Args, case: &Case, target: Target) -> Result<Watched> {
    let path = |out: &Path| {
        let mut name = out.as_os_str().to_owned();
        name.push(".reduce");
        PathBuf::from(name)
    };
    // What the answers depend on beside the candidate.
    let about = format!("{} {:?} {:?} {case}", run::case::target_name(target), args.engines, args.device.lanes);
    let journal = match args.output.as_deref().filter(|out| *out != Path::new("-")).map(path) {
        Some(path) => Some(Journal::open(&path, &about, args.resume).with_context(|| format!("`{}`", path.display()))?),
        None => None,
    };
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed_precise} {pos} checked, {msg}") {
        bar.set_style(style);
    }
    Ok(Watched { journal, bar, smallest: instructions(case) })
}

fn report(args: &Args, case: &Case, reduced: &Reduced, seconds: f64) -> Result<()> {
    let sizes = [instructions(case), instructions(&reduced.case)];
    let to = args.output.as_ref().map(|path| path.display().to_string());
    if args.json {
        let all = json!({
            "case": case.name, "output": to, "kind": reduced.kind.class.name(), "row": reduced.kind.row,
            "instructions": sizes, "checks": reduced.checks, "seconds": seconds,
        });
        // Where the case goes to standard output, this does not.
        if args.output.as_deref().is_some_and(|path| path != Path::new("-")) {
            return common::write(None, format!("{all}\n").as_bytes());
        }
        tell!("{all}");
        return Ok(());
    }
    tell!(
        "{}: {} instructions to {}, {}, {} candidates, {seconds:.1} s",
        case.name,
        sizes[0],
        sizes[1],
        reduced.kind,
        reduced.checks
    );
    Ok(())
}
