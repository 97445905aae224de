//! `wavediff fuzz`: random programs on two engines.
//!
//! Threads take [pools](wavediff::fuzz) in turn and run each on engines of their own, so that one driver compiles while another runs. What
//! is in a pool follows from the seed and from the pools before it, never from who ran them when.

mod isolate;
mod report;

use crate::common::{self, AnyArch, Mode, NotCompared, usage};
use crate::engines::{self, Device, Name, Opened, Size};
use crate::files;
use crate::r600;
use crate::run::Limits;
use crate::shard::Shard;
use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use isolate::Failure;
use report::Summary;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use wavediff::engine::ground::Ground;
use wavediff::fuzz::{Fuzzer, Profile, Round, refusal};
use wavediff::isa::{Arch, Target};
use wavediff::native::admits;
use wavediff::program::Program;

/// Run random programs on two engines
#[derive(clap::Args)]
#[command(
    about = "Run random programs on two engines and say which instructions differ",
    after_help = "Programs are made from the rows of the processor, what was tried least first. They end, and mean one thing, because of how they are made.
Thousands share a piece of machine code and take their own ways through it with registers of their own. A program that ends differently
becomes a straight case, which is reduced to the least that shows the difference, and differences are grouped by the instruction that is to
blame. Where it ends differently only behind a store whose lanes meet, it has a race: it is counted, and shown no further. Ctrl-C ends a run
with its summary. With native one pool runs at a time, in one dispatch of the card.

The same seed makes the same programs, whatever the number of threads; without a difference the exit code is 0.

Examples:
  wavediff fuzz --arch gfx1100
  wavediff fuzz --arch gfx600 --profile alu --time 10m --corpus found
  wavediff fuzz --arch gfx1100 --engines emu,vulkan:llvmpipe --seed 7 --cases 100000 --shard 2/3 --json
  wavediff fuzz --arch rv770 --cases 10000 --corpus found
  wavediff gpu --chip navi31 -- wavediff fuzz --arch gfx1100 --engines emu,native

Exit codes: 0 no difference, 1 a difference or an engine that failed, 2 the command line is wrong, 3 nothing was compared."
)]
pub struct Args {
    /// The processor
    #[arg(long, value_parser = common::any_arch)]
    arch: AnyArch,
    #[command(flatten)]
    mode: Mode,
    /// Two engines
    #[arg(long, value_delimiter = ',', value_parser = engines::name, default_value = "emu,vulkan")]
    engines: Vec<Name>,
    /// Seed of the random programs
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How long: 90s, 10m, 8h [default: 60s, unless --cases is given]
    #[arg(long, value_parser = duration)]
    pub time: Option<Duration>,
    /// How many programs
    #[arg(long, value_name = "N")]
    pub cases: Option<u64>,
    /// What programs are made of: alu, memory, lanes, control, image, export, all
    #[arg(long, value_parser = profiles, default_value = "all")]
    profile: Profiles,
    /// Write programs that differ to this folder, as cases
    #[arg(long, value_name = "DIR")]
    pub corpus: Option<PathBuf>,
    /// Only a part of the programs: K from 1 to N
    #[arg(long, value_name = "K/N", default_value = "1/1")]
    pub shard: Shard,
    /// Programs that share a piece of machine code
    #[arg(long, value_name = "N", default_value_t = 8192, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    share: u32,
    /// How many are tried at a time [default: one for each core; 1 with native]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub jobs: Option<u32>,
    /// Print what was found as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub device: Device,
}

/// The profiles that were asked for.
#[derive(Clone, Debug)]
struct Profiles(Vec<Profile>);

fn profiles(text: &str) -> Result<Profiles, String> {
    if text == "all" { Ok(Profiles(Profile::ALL.to_vec())) } else { text.parse().map(|one| Profiles(vec![one])) }
}

fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(['s', 'm', 'h']);
    let unit = match &text[digits.len()..] {
        "" | "s" => 1,
        "m" => 60,
        "h" => 3600,
        _ => 0,
    };
    let seconds = digits.parse::<u64>().ok().and_then(|n| n.checked_mul(unit)).filter(|n| *n > 0);
    seconds.map(Duration::from_secs).ok_or_else(|| "write seconds, minutes or hours, as 90s, 10m, 8h".to_owned())
}

/// What the threads share.
struct Work {
    fuzzers: Vec<Fuzzer>,
    /// Pools that were handed out, run or not.
    pools: u64,
    summary: Summary,
    /// No use to go on.
    broken: Option<anyhow::Error>,
}

/// Pools which engines may fail in, one after the other, before that is no use.
const FAILURES: u32 = 3;

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    let [a, b] = &args.engines[..] else { return usage("--engines wants two, as emu,vulkan") };
    args.device.check([a, b])?;
    let arch = match args.arch {
        AnyArch::Gcn(arch) => arch,
        AnyArch::R600(machine) => {
            if args.profile.0.len() != Profile::ALL.len() || args.mode.is_given() {
                return usage("--profile, --wave and --mattr are for GCN and RDNA");
            }
            return r600::fuzz::run(args, machine, [a, b]);
        }
    };
    let target = whole(args.mode.target(arch)?);
    let is_card = |name: &&Name| matches!(name, Name::Native(_));
    let card = [a, b].iter().any(is_card);
    if card && args.jobs.is_some_and(|jobs| jobs > 1) {
        return usage(
            "a card's driver gives memory at an address once: --jobs with native is 1; --shard deals out to processes",
        );
    }
    if let Some(folder) = &args.corpus {
        std::fs::create_dir_all(folder).with_context(|| format!("`{}` can not be made", folder.display()))?;
    }
    let jobs = if card { 1 } else { args.jobs.map_or_else(common::cores, |n| n as usize) };
    let limits = Limits { threads: Some(1), ..Limits::default() };
    let open = |name: &Name| {
        let mut opened = Opened::open(name, &args.device, &limits, false)?;
        opened.suit(args.device.lanes, Size::Short);
        anyhow::Ok(opened)
    };
    let engines = (0..jobs).map(|_| Ok([open(a)?, open(b)?])).collect::<Result<Vec<_>>>()?;
    let of_both = engines.first().map_or(&[][..], |pair| pair);
    let names = of_both.iter().map(|one| one.engine().name().to_owned()).collect();
    let cards: Vec<&'static Arch> = of_both.iter().filter_map(Opened::card).collect();
    let translated = [a, b].into_iter().any(|name| matches!(name, Name::Vulkan(_)));
    let refused = refusal(target, translated.then(|| args.device.lanes.model()));
    let refuses = |words: &[u32]| refused(words).or_else(|| not_admitted(&cards, target, words));
    let ground = if card { Ground::of_driver(target.arch) } else { Ground::usual(target.arch) };
    let start = Instant::now();
    let mut fuzzers: Vec<_> =
        args.profile.0.iter().map(|profile| Fuzzer::new(target, *profile, args.seed, &refuses)).collect();
    // What a processor has not is no part of everything.
    if fuzzers.len() > 1 {
        fuzzers.retain(|fuzzer| fuzzer.coverage.possible() > 0 || !fuzzer.coverage.left_out().is_empty());
    }
    // Where nothing can be tried, pools would be empty for as long as there is time.
    let engines = if fuzzers.iter().all(|fuzzer| fuzzer.coverage.possible() == 0) { Vec::new() } else { engines };
    let stop = Arc::new(AtomicBool::new(false));
    common::listen(&stop)?;
    let work = Mutex::new(Work { fuzzers, pools: 0, summary: Summary::new(target, names, args), broken: None });
    let time = args.time.or(args.cases.is_none().then_some(Duration::from_secs(60)));
    let bar = progress(time, args.cases);
    std::thread::scope(|scope| {
        for pair in engines {
            let (work, bar, stop) = (&work, &bar, &*stop);
            scope.spawn(move || {
                let mut worker = Worker { args, target, ground, pair, start, time, stop, failed: 0 };
                while let Some(done) = worker.one(work, &refuses) {
                    let position = if time.is_some() { start.elapsed().as_secs() } else { done };
                    bar.set_position(position);
                }
            });
        }
    });
    bar.finish_and_clear();
    let work = work.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut summary = work.summary;
    summary.seconds = start.elapsed().as_secs_f64();
    let coverage: Vec<_> = work.fuzzers.iter().map(|fuzzer| (fuzzer.profile(), &fuzzer.coverage)).collect();
    let text = if args.json { summary.json(&coverage) } else { summary.text(&coverage) };
    common::print(&text)?;
    match work.broken {
        Some(error) => Err(error),
        None if summary.ran_nothing() => Err(NotCompared("no program ran on both engines".to_owned()).into()),
        None => Ok(ExitCode::from(u8::from(summary.differ()))),
    }
}

/// Why an instruction does not run on a card.
fn not_admitted(cards: &[&'static Arch], target: Target, words: &[u32]) -> Option<String> {
    let program = Program::new(target, words, 0);
    cards.iter().find_map(|card| admits(card, &program, &[0]).err()).map(|missing| missing.needs)
}

/// The target with its wave size said, so that a case can say it too.
fn whole(target: Target) -> Target {
    target.wave(wavediff::case::wave_size(target)).unwrap_or(target)
}

fn progress(time: Option<Duration>, cases: Option<u64>) -> ProgressBar {
    let (total, unit) = time.map_or((cases.unwrap_or(0), "programs"), |time| (time.as_secs(), "s"));
    let bar = ProgressBar::new(total);
    if let Ok(style) = ProgressStyle::with_template(&format!("{{bar:40}} {{pos}} of {{len}} {unit} {{msg}}")) {
        bar.set_style(style);
    }
    bar
}

/// One thread.
struct Worker<'a> {
    args: &'a Args,
    target: Target,
    ground: Ground,
    pair: [Opened; 2],
    start: Instant,
    time: Option<Duration>,
    stop: &'a AtomicBool,
    /// Pools in which an engine failed, since the last one in which none did.
    failed: u32,
}

impl Worker<'_> {
    /// Takes the next pool and runs it; gives how many programs there were, and nothing when it is over.
    fn one(&mut self, work: &Mutex<Work>, refuses: &dyn Fn(&[u32]) -> Option<String>) -> Option<u64> {
        let lock = || work.lock().unwrap_or_else(PoisonError::into_inner);
        let (pool, which, programs) = {
            let mut work = lock();
            let late = self.time.is_some_and(|time| self.start.elapsed() >= time);
            let enough = self.args.cases.is_some_and(|cases| work.summary.promised >= cases);
            if late || enough || work.broken.is_some() || self.stop.load(Ordering::Relaxed) {
                return None;
            }
            let number = work.pools;
            work.pools += 1;
            let which = (number % work.fuzzers.len() as u64) as usize;
            let pool = work.fuzzers[which].pool(refuses);
            let turn = number / work.fuzzers.len() as u64;
            if !self.args.shard.takes(turn as usize) {
                return Some(work.summary.programs);
            }
            let left = self.args.cases.map_or(u64::MAX, |cases| cases - work.summary.promised);
            let programs = (work.fuzzers[which].waves(self.args.share as usize) as u64).min(left);
            work.summary.promised += programs;
            (pool, which, programs)
        };
        let mut round = Round::new(pool, programs as usize, self.args.seed);
        round.ground = self.ground;
        let found = round.run(self.pair[0].runner(), self.pair[1].runner());
        let looked = match found {
            Ok(found) => isolate::failures(&round, &found, self.target, &mut self.pair),
            Err(error) => {
                self.failed += 1;
                let mut work = lock();
                work.summary.lose(round.pool.number, &error);
                if self.failed == FAILURES {
                    work.broken = Some(error.into());
                    return None;
                }
                return Some(work.summary.programs);
            }
        };
        self.failed = 0;
        let written = self.args.corpus.as_ref().map(|folder| write(folder, self.args.seed, &looked.failures));
        let mut work = lock();
        if let Some(Err(error)) = written {
            work.broken = Some(error);
            return None;
        }
        round.note(&mut work.fuzzers[which].coverage);
        work.summary.add(&round, looked);
        Some(work.summary.programs)
    }
}

/// Writes failures as cases, each under the names of its seed, pool and wave.
fn write(folder: &Path, seed: u64, failures: &[Failure]) -> Result<()> {
    for failure in failures {
        let path = folder.join(format!("{}.s", failure.name(seed)));
        files::write(&path, failure.case.to_string().as_bytes())?;
    }
    Ok(())
}
