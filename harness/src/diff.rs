//! `wavediff diff`: cases and kernels on two engines, and where what they leave differs first.
//!
//! Each program is compared with itself, run by two engines; programs are never compared with each other. What both engines leave alike may still be
//! chance: where the emulator is one of them it runs a program whose groups have several waves in other [orders](wavediff::engine::order) too, and what
//! comes out otherwise there is a race.

use crate::common::{self, AnyArch, Paint};
use crate::engines::{self, Device, Name, Opened, Purpose};
use crate::r600;
use crate::run::{self, Limits, kernel::Launch};
use crate::tell;
use crate::timing;
use crate::timing::compare::{Recorded, compare};
use anyhow::Result;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::process::ExitCode;
use wavediff::emu::engine::{Clocked, Emulator, WaveRace};
use wavediff::engine::compare::{Difference, kernels, outcomes};
use wavediff::engine::order::Order;
use wavediff::engine::stage::kernel::run_kernel;
use wavediff::engine::{Engine, EngineError, Outcome, Status};
use wavediff::engine::{KernelError, KernelOutcome, Options, Runner};

/// Run on two engines and compare
#[derive(clap::Args)]
#[command(
    about = "Run cases or a kernel on two engines and say where what they leave differs first",
    after_help = "Each program is run by both engines, and what the one leaves is compared with what the other leaves; programs are not compared with each other.
All of a wave's registers, memory, LDS, messages and traps are compared, to the bit unless a case expects a value by another rule; of kernels the buffers.

The emulator also tries other orders of lanes where something differs, and other orders of waves wherever a group has several. A difference that the order
decides says so; a program that both engines leave alike, and the emulator not in another order of waves, is a race: --reverse, --reverse-waves, --slice and
--shuffle run it in that order. A program without a race is not proved to have none. Missing waits and hazards are not looked for (`wavediff scan` lists
what is not).

With --timing it is the clocks that are compared, by the model that `wavediff run --timing` runs on: of each instruction with those of a recorded run of the
same program.

Examples:
  wavediff diff add.s
  wavediff diff O0.co O2.co --grid 64 --group 64 --arg out:z.bin:256     each on both engines
  wavediff diff barrier.s --engines emu,emu                              nothing but the orders
  wavediff diff tests/cases/pass/*.s --arch gfx1100 --engines emu,vulkan:llvmpipe
  wavediff diff saxpy.co --grid 1024 --group 64 --arg in:x.bin --arg inout:y.bin:z.bin --arg f32:2 --arg u32:1024

  wavediff run mul.s --arch gfx1100 --timing --json > before.json
  wavediff diff mul.s --arch gfx1100 --timing before.json --within 10

Exit codes: 0 no difference, 1 a difference, a race, or the input has errors, 2 the command line is wrong."
)]
pub struct Args {
    /// Cases (text), or a code object (ELF)
    #[arg(required = true)]
    files: Vec<String>,
    /// Two engines
    #[arg(long, value_delimiter = ',', value_parser = engines::name, default_value = "emu,vulkan")]
    engines: Vec<Name>,
    /// The processor of a case [default: all that it is for]
    #[arg(long, value_parser = common::any_arch)]
    arch: Option<AnyArch>,
    /// Print what was found as JSON
    #[arg(long)]
    json: bool,
    /// Compare the clocks of each instruction with those that `run --timing --json` wrote here
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "isolate"])]
    timing: Option<String>,
    /// How far from what was recorded clocks may be, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0, requires = "timing")]
    within: f64,
    #[command(flatten)]
    device: Device,
    /// Try no other orders of lanes and waves
    #[arg(long)]
    no_orders: bool,
    /// Run cases in processes of their own, one for each engine: one that crashes, hangs or takes too much memory is what came of a run
    #[arg(long)]
    isolate: bool,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    reading: run::case::Reading,
    #[command(flatten)]
    launch: Launch,
}

/// What came of one comparison.
struct Found {
    name: String,
    verdict: Verdict,
    reason: Option<String>,
    differences: Vec<Difference>,
    races: Races,
}

/// How a comparison ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Equal,
    Differs,
    /// Equal, and otherwise in another order of waves.
    Race,
    /// There are no two outcomes.
    NotRun(Status),
}

impl Verdict {
    /// In JSON.
    fn name(self) -> &'static str {
        match self {
            Verdict::Equal => Status::Pass.name(),
            Verdict::Differs => Status::Fail.name(),
            Verdict::Race => "race",
            Verdict::NotRun(status) => status.name(),
        }
    }
}

/// Where the emulator leaves other values in other orders.
#[derive(Default)]
struct Races {
    /// Of lanes.
    lanes: Vec<Difference>,
    /// Of waves, and which one it was.
    waves: Option<WaveRace>,
    /// Whether orders of waves were tried.
    tried: bool,
}

impl Races {
    /// What decides a difference, in words.
    fn decides(&self, difference: &Difference) -> Option<&'static str> {
        let by_waves = self.waves.as_ref().is_some_and(|(_, differences)| difference.is_among(differences));
        match (difference.is_among(&self.lanes), by_waves) {
            (true, _) => Some("the order of lanes decides"),
            (_, true) => Some("the order of waves decides"),
            _ => None,
        }
    }
}

/// Differences that are shown of one comparison; the first one says most.
const SHOWN: usize = 4;

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    if let Some(recorded) = &args.timing {
        return clocks(args, &Recorded::read(recorded)?);
    }
    let [a, b] = &args.engines[..] else { return common::usage("--engines wants two, as emu,vulkan") };
    args.device.check([a, b])?;
    let open = |name: &Name| engines::engine(name, &args.device, &args.limits, Purpose::default(), args.isolate);
    let (a_name, b_name) = (a, b);
    let (a, b) = (open(a)?, open(b)?);
    let (mut found, mut others, mut groups) = (Vec::new(), 0, None);
    for file in &args.files {
        let bytes = common::read(file)?;
        if let Some(object) = run::source::object(file, &bytes, args.launch.is_given(), args.reading)? {
            if args.isolate {
                return common::usage(run::ISOLATED);
            }
            let open = |name: &Name| Opened::open(name, &args.device, &args.limits, false);
            found.push(kernel(args, file, &object, &open(a_name)?, &open(b_name)?)?);
            continue;
        }
        if r600::is_case(&bytes) {
            match vliw(args, file, &bytes, [a_name, b_name], &mut groups)? {
                Some(more) if more.is_empty() => others += 1,
                Some(more) => found.extend(more),
                None => return Ok(ExitCode::from(1)),
            }
            continue;
        }
        let Some(case) = run::case::read(file, bytes, args.reading)? else { return Ok(ExitCode::from(1)) };
        // Of several files those that are for the processor.
        if args.files.len() > 1 && args.arch.is_some_and(|arch| !arch.gcn().is_some_and(|arch| case.isa.contains(arch)))
        {
            others += 1;
            continue;
        }
        for target in run::case::targets(&case, args.arch)? {
            let name = format!("{}: {}", case.name, run::case::target_name(target));
            let moved = engines::on_common_ground([a_name, b_name], &case, target);
            let case = match moved {
                Ok(case) => case,
                Err(error) => {
                    run::case::complain(&error)?;
                    return Ok(ExitCode::from(1));
                }
            };
            let ran = a.run(&case, target).and_then(|x| Ok((x, b.run(&case, target)?)));
            found.push(match ran {
                Ok((x, y)) => {
                    let compare = |x: &Outcome, y: &Outcome| outcomes(&case, target, x, y);
                    let run = |e: Emulator| Ok(Engine::run(&e, &case, target)?);
                    let several = x.waves.iter().any(|wave| wave.index > 0);
                    judged(args, name, compare(&x, &y), several, &run, &compare, |o| o.trap.is_some())?
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
        tell!("{others} of {} files are not for {}", args.files.len(), arch.name());
    }
    let names = [a.name(), b.name()];
    let text = if args.json { print_json(names, &found) } else { print(names, &found) };
    common::print(&text)?;
    let fine = |verdict| matches!(verdict, Verdict::Equal | Verdict::NotRun(Status::Unsupported));
    let bad = found.iter().any(|f| !fine(f.verdict));
    Ok(ExitCode::from(u8::from(bad)))
}

/// Compares clocks with those of a recording.
fn clocks(args: &Args, recorded: &Recorded) -> Result<ExitCode> {
    let clocked = Clocked::new(args.limits.emulator(false), 0);
    let mut alike = true;
    let mut told = |name: &str| match clocked.took().and_then(|took| compare(&took, recorded, args.within)) {
        Some(compared) => {
            alike &= compared.is_alike();
            common::print(&format!("{name}\n{}", timing::compare::text(&compared, args.within)))
        }
        None => {
            alike = false;
            common::print(&format!("{name}: no run of this processor and size of waves was recorded\n"))
        }
    };
    for file in &args.files {
        let bytes = common::read(file)?;
        if let Some(object) = run::source::object(file, &bytes, args.launch.is_given(), args.reading)? {
            let options = &clocked.emulator.options;
            let (loaded, mut dispatch) = run::kernel::prepare(&args.launch, file, &object, options.threads)?;
            run_kernel(&clocked, options, &loaded, &mut dispatch)?;
            told(&format!("{file}: {}", dispatch.kernel().name))?;
            continue;
        }
        if r600::is_case(&bytes) {
            return common::usage("--timing is for cases of GCN and RDNA: of R600's clocks nothing is known here");
        }
        let Some(case) = run::case::read(file, bytes, args.reading)? else { return Ok(ExitCode::from(1)) };
        for target in run::case::targets(&case, args.arch)? {
            let name = format!("{}: {}", case.name, run::case::target_name(target));
            match Engine::run(&clocked, &case, target) {
                Ok(_) => told(&name)?,
                Err(EngineError::Case(error)) => {
                    run::case::complain(&error)?;
                    return Ok(ExitCode::from(1));
                }
                Err(error) => anyhow::bail!("{name}: {error}"),
            }
        }
    }
    Ok(ExitCode::from(u8::from(!alike)))
}

/// Two engines for R600 and R700, opened with the first case of theirs.
type Pair = [Box<dyn Engine<r600::Case>>; 2];

/// What came of a case of R600 or R700: nothing of one for other machines, where there are several files. None: it has errors, and they have been told.
fn vliw(
    args: &Args,
    file: &str,
    bytes: &[u8],
    names: [&Name; 2],
    opened: &mut Option<Pair>,
) -> Result<Option<Vec<Found>>> {
    let Some(case) = r600::read(file, bytes, args.reading)? else { return Ok(None) };
    let asked_for = |arch: AnyArch| arch.r600().is_some_and(|machine| case.machines.contains(&machine));
    if args.files.len() > 1 && !args.arch.is_none_or(asked_for) {
        return Ok(Some(Vec::new()));
    }
    if args.isolate {
        return common::usage("--isolate is for cases of GCN and RDNA");
    }
    let pair = match opened.take() {
        Some(pair) => pair,
        None => {
            let [a, b] = names.map(|name| r600::engine(name, &args.device, &args.limits));
            [a?, b?]
        }
    };
    let [a, b] = opened.insert(pair);
    let mut all = Vec::new();
    for machine in r600::machines(&case, args.arch)? {
        let name = format!("{}: {}", case.name, machine.name());
        let Some(came) = r600::diff::on_two(&case, machine, [&**a, &**b])? else { return Ok(None) };
        all.push(match came {
            Ok(differences) => {
                let verdict = if differences.is_empty() { Verdict::Equal } else { Verdict::Differs };
                Found { name, verdict, reason: None, differences, races: Races::default() }
            }
            Err(error) => failed(name, &error),
        });
    }
    Ok(Some(all))
}

/// What came of a comparison; the emulator tells what other orders change. A run that traps leaves behind it whatever had been done by then, so that
/// the order of its waves says nothing.
fn judged<O>(
    args: &Args,
    name: String,
    differences: Vec<Difference>,
    several_waves: bool,
    run: &dyn Fn(Emulator) -> Result<O>,
    compare: &dyn Fn(&O, &O) -> Vec<Difference>,
    traps: impl Fn(&O) -> bool,
) -> Result<Found> {
    let emulator = args.limits.emulator(false);
    let tries = args.engines.contains(&Name::Emu) && !args.no_orders;
    let mut races = Races::default();
    if tries && !differences.is_empty() {
        races.lanes = emulator.races(run, compare)?;
    }
    if tries && several_waves {
        let left = run(emulator)?;
        if !traps(&left) {
            races.tried = true;
            races.waves = emulator.wave_races(&left, run, compare)?;
        }
    }
    let verdict = match (differences.is_empty(), &races.waves) {
        (true, None) => Verdict::Equal,
        (true, Some(_)) => Verdict::Race,
        (false, _) => Verdict::Differs,
    };
    Ok(Found { name, verdict, reason: None, differences, races })
}

fn failed(name: String, error: &EngineError) -> Found {
    let verdict = Verdict::NotRun(error.status());
    Found { name, verdict, reason: Some(error.to_string()), differences: Vec::new(), races: Races::default() }
}

fn kernel(args: &Args, file: &str, bytes: &[u8], a: &Opened, b: &Opened) -> Result<Found> {
    let run = |runner: &dyn Runner, options: &Options| {
        let (loaded, mut dispatch) = run::kernel::prepare(&args.launch, file, bytes, options.threads)?;
        let name = format!("{file}: {}", dispatch.kernel().name);
        let several = dispatch.geometry().full_waves() > 1;
        anyhow::Ok((name, several, run_kernel(runner, options, &loaded, &mut dispatch)))
    };
    let mut outcomes = Vec::new();
    let (mut name, mut several) = (file.to_owned(), false);
    for engine in [a, b] {
        let (kernel, waves, ran) = run(engine.runner(), engine.options())?;
        (name, several) = (kernel, waves);
        match ran {
            Ok(outcome) => outcomes.push(outcome),
            Err(KernelError::Engine(error)) => return Ok(failed(name, &error)),
            Err(error) => return Err(error.into()),
        }
    }
    let again = |e: Emulator| anyhow::Ok(run(&e, &e.options)?.2?);
    let differences = kernels(&outcomes[0], &outcomes[1]);
    judged(args, name, differences, several, &again, &kernels, |o: &KernelOutcome| o.trap.is_some())
}

fn print([a, b]: [&str; 2], found: &[Found]) -> String {
    let paint = Paint::stdout();
    let mut out = String::new();
    for one in found {
        let word = match one.verdict {
            Verdict::Equal => paint.bold("equal"),
            Verdict::Differs => paint.red("differs"),
            Verdict::Race => paint.red("race"),
            Verdict::NotRun(status) => paint.yellow(status.name()),
        };
        let _ = writeln!(out, "{}: {word}", one.name);
        if let Some(reason) = &one.reason {
            let _ = writeln!(out, "  {reason}");
        }
        let list = |out: &mut String, differences: &[Difference], names: [&str; 2]| {
            for difference in differences.iter().take(SHOWN) {
                let decides = one.races.decides(difference).filter(|_| one.verdict == Verdict::Differs);
                let decides = decides.map_or(String::new(), |words| format!("; {words}"));
                let _ = writeln!(out, "  {}{decides}", difference.show(names[0], names[1]));
            }
            if differences.len() > SHOWN {
                let _ = writeln!(out, "  and {} more", differences.len() - SHOWN);
            }
        };
        list(&mut out, &one.differences, [a, b]);
        if let (Verdict::Race, Some((order, differences))) = (one.verdict, &one.races.waves) {
            let _ = writeln!(out, "  {a} and {b} leave the same by chance: the order of waves decides ({order})");
            list(&mut out, differences, ["in order", &order.to_string()]);
        }
    }
    let count = |verdict: Verdict| found.iter().filter(|f| f.verdict == verdict).count();
    let (equal, differ, races) = (count(Verdict::Equal), count(Verdict::Differs), count(Verdict::Race));
    let race = if races > 0 { format!("{races} with a race, ") } else { String::new() };
    let what = if found.len() == 1 { "one program, compared" } else { "each program compared" };
    let rest = found.len() - equal - differ - races;
    let _ = writeln!(out, "{what} on {a} and {b}: {equal} equal, {differ} differ, {race}{rest} not run");
    if found.len() > 1 {
        out.push_str("(each with itself on the two engines; the programs are not compared with each other)\n");
    }
    if found.iter().any(|f| f.races.tried) {
        let _ = writeln!(out, "(groups of several waves also in {} other orders of them)", Order::OTHER_WAVES.len());
    }
    out
}

fn print_json(engines: [&str; 2], found: &[Found]) -> String {
    let values = |d: &Difference| d.text.clone().unwrap_or_else(|| d.values.map(|v| format!("{v:#x}")));
    let one = |f: &Found| {
        let differences: Vec<Value> = f
            .differences
            .iter()
            .map(|d| {
                let race = f.races.decides(d);
                json!({"place": d.place, "wave": d.wave, "lane": d.lane, "values": values(d), "race": race.is_some()})
            })
            .collect();
        let mut all = json!({"name": f.name, "status": f.verdict.name(), "differences": differences});
        if let Some((order, differences)) = &f.races.waves {
            let places: Vec<Value> = differences
                .iter()
                .map(|d| json!({"place": d.place, "wave": d.wave, "lane": d.lane, "values": values(d)}))
                .collect();
            all["wave_race"] = json!({"order": order.to_string(), "differences": places});
        }
        if let Some(reason) = &f.reason {
            all["reason"] = json!(reason);
        }
        all
    };
    format!("{}\n", json!({"engines": engines, "runs": found.iter().map(one).collect::<Vec<_>>()}))
}
