//! `wavediff diff`: cases and kernels on two engines, and where what they leave differs first.

use crate::common::{self, Paint};
use crate::engines::{self, Device, Name, Opened};
use crate::run::{self, Limits, kernel::Launch};
use anyhow::Result;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::process::ExitCode;
use wavediff::emu::engine::{Emulator, KernelError, Options, Runner, run_kernel};
use wavediff::engine::compare::{Difference, kernels, outcomes};
use wavediff::engine::{Engine, EngineError, Outcome, Status};
use wavediff::isa::Arch;

/// Run on two engines and compare
#[derive(clap::Args)]
#[command(
    about = "Run cases or a kernel on two engines and say where what they leave differs first",
    after_help = "All of a wave's registers, memory, LDS, messages and traps are compared, to the bit unless a case expects a value by another rule.
Where the order of lanes decides, as in stores to one address, the difference says so: the emulator itself leaves other values in other orders (--reverse).

Examples:
  wavediff diff add.s
  wavediff diff tests/cases/pass/*.s --arch gfx1100 --engines emu,vulkan:llvmpipe
  wavediff diff saxpy.co --grid 1024 --group 64 --arg in:x.bin --arg inout:y.bin:z.bin --arg f32:2 --arg u32:1024

Exit codes: 0 no difference, 1 a difference, or the input has errors, 2 the command line is wrong."
)]
pub struct Args {
    /// Cases (text), or a code object (ELF)
    #[arg(required = true)]
    files: Vec<String>,
    /// Two engines
    #[arg(long, value_delimiter = ',', value_parser = engines::name, default_value = "emu,vulkan")]
    engines: Vec<Name>,
    /// The processor of a case [default: all that it is for]
    #[arg(long, value_parser = common::arch)]
    arch: Option<&'static Arch>,
    /// Print what was found as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    device: Device,
    /// Run cases on a device in a process of its own: a driver that crashes or hangs is what came of a run
    #[arg(long)]
    isolate: bool,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    launch: Launch,
}

/// What came of one comparison.
struct Found {
    name: String,
    status: Status,
    reason: Option<String>,
    differences: Vec<Difference>,
    /// Where the emulator leaves other values when lanes come in another order.
    races: Vec<Difference>,
}

impl Found {
    fn is_race(&self, difference: &Difference) -> bool {
        difference.is_among(&self.races)
    }
}

/// Differences that are shown of one comparison; the first one says most.
const SHOWN: usize = 4;

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    let [a, b] = &args.engines[..] else { return common::usage("--engines wants two, as emu,vulkan") };
    args.device.check([a, b])?;
    let open = |name: &Name| engines::engine(name, &args.device, &args.limits, false, args.isolate);
    let (a_name, b_name) = (a, b);
    let (a, b) = (open(a)?, open(b)?);
    let (mut found, mut others) = (Vec::new(), 0);
    for file in &args.files {
        let bytes = common::read(file)?;
        if bytes.starts_with(b"\x7fELF") {
            if args.isolate {
                return common::usage(run::ISOLATED);
            }
            let open = |name: &Name| Opened::open(name, &args.device, &args.limits, false);
            found.push(kernel(args, file, &bytes, &open(a_name)?, &open(b_name)?)?);
            continue;
        }
        let Some(case) = run::case::read(file, bytes)? else { return Ok(ExitCode::from(1)) };
        // Of several files those that are for the processor.
        if args.files.len() > 1 && args.arch.is_some_and(|arch| !case.isa.contains(arch)) {
            others += 1;
            continue;
        }
        for target in run::case::targets(&case, args.arch)? {
            let name = format!("{}: {}", case.name, run::case::target_name(target));
            let ran = a.run(&case, target).and_then(|x| Ok((x, b.run(&case, target)?)));
            found.push(match ran {
                Ok((x, y)) => {
                    let compare = |x: &Outcome, y: &Outcome| outcomes(&case, target, x, y);
                    let races = |e: Emulator| Ok(e.races(|e| Engine::run(&e, &case, target), compare)?);
                    judged(args, name, compare(&x, &y), races)?
                }
                Err(EngineError::Case(error)) => {
                    run::case::complain(&error)?;
                    return Ok(ExitCode::from(1));
                }
                Err(error @ EngineError::Absent { .. }) => return common::usage(error.to_string()),
                Err(error) => failed(name, &error),
            });
        }
    }
    if let (Some(arch), true) = (args.arch, others > 0) {
        eprintln!("{others} of {} files are not for {}", args.files.len(), arch.name);
    }
    let names = [a.name(), b.name()];
    let text = if args.json { print_json(names, &found) } else { print(names, &found) };
    common::write(None, text.as_bytes())?;
    let bad = found.iter().any(|f| !matches!(f.status, Status::Pass | Status::Unsupported));
    Ok(ExitCode::from(u8::from(bad)))
}

/// What came of a comparison with the emulator, which tells what the order of lanes changes.
fn judged(
    args: &Args,
    name: String,
    differences: Vec<Difference>,
    races: impl FnOnce(Emulator) -> Result<Vec<Difference>>,
) -> Result<Found> {
    let equal = differences.is_empty();
    let races =
        if !equal && args.engines.contains(&Name::Emu) { races(args.limits.emulator(false))? } else { Vec::new() };
    let status = if equal { Status::Pass } else { Status::Fail };
    Ok(Found { name, status, reason: None, differences, races })
}

fn failed(name: String, error: &EngineError) -> Found {
    Found { name, status: error.status(), reason: Some(error.to_string()), differences: Vec::new(), races: Vec::new() }
}

fn kernel(args: &Args, file: &str, bytes: &[u8], a: &Opened, b: &Opened) -> Result<Found> {
    let run = |runner: &dyn Runner, options: &Options| {
        let (loaded, mut dispatch) = run::kernel::prepare(&args.launch, file, bytes, options.threads)?;
        let name = format!("{file}: {}", dispatch.kernel().name);
        anyhow::Ok((name, run_kernel(runner, options, &loaded, &mut dispatch)))
    };
    let mut outcomes = Vec::new();
    let mut name = file.to_owned();
    for engine in [a, b] {
        let (kernel, ran) = run(engine.runner(), engine.options())?;
        name = kernel;
        match ran {
            Ok(outcome) => outcomes.push(outcome),
            Err(KernelError::Engine(error)) => return Ok(failed(name, &error)),
            Err(error) => return Err(error.into()),
        }
    }
    let races = |e: Emulator| e.races(|e| anyhow::Ok(run(&e, &e.options)?.1?), kernels);
    judged(args, name, kernels(&outcomes[0], &outcomes[1]), races)
}

fn print([a, b]: [&str; 2], found: &[Found]) -> String {
    let paint = Paint::stdout();
    let mut out = String::new();
    for one in found {
        let word = match one.status {
            Status::Pass => paint.bold("equal"),
            Status::Fail => paint.red("differs"),
            status => paint.yellow(status.name()),
        };
        let _ = writeln!(out, "{}: {word}", one.name);
        if let Some(reason) = &one.reason {
            let _ = writeln!(out, "  {reason}");
        }
        for difference in one.differences.iter().take(SHOWN) {
            let race = if one.is_race(difference) { "; the order of lanes decides" } else { "" };
            let _ = writeln!(out, "  {}{race}", difference.show(a, b));
        }
        if one.differences.len() > SHOWN {
            let _ = writeln!(out, "  and {} more", one.differences.len() - SHOWN);
        }
    }
    let count = |status: Status| found.iter().filter(|f| f.status == status).count();
    let (equal, differ) = (count(Status::Pass), count(Status::Fail));
    let _ = writeln!(out, "{a} and {b}: {equal} equal, {differ} differ, {} not run", found.len() - equal - differ);
    out
}

fn print_json(engines: [&str; 2], found: &[Found]) -> String {
    let values = |d: &Difference| d.text.clone().unwrap_or_else(|| d.values.map(|v| format!("{v:#x}")));
    let one = |f: &Found| {
        let differences: Vec<Value> = f
            .differences
            .iter()
            .map(|d| json!({"place": d.place, "wave": d.wave, "lane": d.lane, "values": values(d), "race": f.is_race(d)}))
            .collect();
        let mut all = json!({"name": f.name, "status": f.status.name(), "differences": differences});
        if let Some(reason) = &f.reason {
            all["reason"] = json!(reason);
        }
        all
    };
    format!("{}\n", json!({"engines": engines, "runs": found.iter().map(one).collect::<Vec<_>>()}))
}
