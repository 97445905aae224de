//! `wavediff fuzz`: programs by chance on two engines.
//!
//! Threads take [pools](wavediff::fuzz) in turn and run each on engines of their own, so that one driver compiles while another runs. What
//! is in a pool follows from the seed and from the pools before it, never from who ran them when.

mod isolate;
mod report;

use crate::common::{self, Mode, usage};
use crate::engines::{self, Device, Name, Opened};
use crate::run::Limits;
use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use isolate::Failure;
use report::Summary;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use wavediff::fuzz::{Fuzzer, Profile, Round, refusal};
use wavediff::isa::{Arch, Target};

/// Run programs by chance on two engines
#[derive(clap::Args)]
#[command(
    about = "Run programs by chance on two engines and say which instructions differ",
    after_help = "Programs are made from the rows of the processor, what was tried least first. They end, and mean one thing, because of how they are made.
Thousands share a piece of machine code and take their own ways through it with registers of their own. A program that ends differently
becomes a straight case, with as few instructions as show the difference, and differences are grouped by the last of these.

The same seed makes the same programs, whatever the number of threads; without a difference the exit code is 0.

Examples:
  wavediff fuzz --arch gfx1100
  wavediff fuzz --arch gfx600 --profile alu --time 10m --corpus found
  wavediff fuzz --arch gfx1100 --engines emu,vulkan:llvmpipe --seed 7 --cases 100000 --shard 2/3 --json

Exit codes: 0 no difference, 1 a difference, 2 the command line is wrong."
)]
pub struct Args {
    /// The processor
    #[arg(long, value_parser = common::arch)]
    arch: &'static Arch,
    #[command(flatten)]
    mode: Mode,
    /// Two engines
    #[arg(long, value_delimiter = ',', value_parser = engines::name, default_value = "emu,vulkan")]
    engines: Vec<Name>,
    /// What chance begins with
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How long: 90s, 10m, 8h [default: 60s, unless --cases is given]
    #[arg(long, value_parser = duration)]
    time: Option<Duration>,
    /// How many programs
    #[arg(long, value_name = "N")]
    cases: Option<u64>,
    /// What programs are made of: alu, memory, lanes, control, all
    #[arg(long, value_parser = profiles, default_value = "all")]
    profile: Profiles,
    /// Write programs that differ to this folder, as cases
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// Only a part of the programs: K from 1 to N
    #[arg(long, value_name = "K/N", default_value = "1/1", value_parser = shard)]
    shard: Shard,
    /// Programs that share a piece of machine code
    #[arg(long, value_name = "N", default_value_t = 8192, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    share: u32,
    /// How many are tried at a time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    jobs: Option<u32>,
    /// Print what was found as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    device: Device,
}

/// The profiles that were asked for.
#[derive(Clone, Debug)]
struct Profiles(Vec<Profile>);

fn profiles(text: &str) -> Result<Profiles, String> {
    if text == "all" { Ok(Profiles(Profile::ALL.to_vec())) } else { text.parse().map(|one| Profiles(vec![one])) }
}

/// Which pools are run.
#[derive(Clone, Copy, Debug)]
struct Shard {
    first: u64,
    step: u64,
}

fn shard(text: &str) -> Result<Shard, String> {
    let parsed = text.split_once('/').and_then(|(k, n)| Some((k.parse::<u64>().ok()?, n.parse::<u64>().ok()?)));
    match parsed {
        Some((k, n)) if (1..=n).contains(&k) => Ok(Shard { first: k - 1, step: n }),
        _ => Err("write K/N with K from 1 to N, as 1/3".to_owned()),
    }
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
    /// An engine failed.
    broken: Option<anyhow::Error>,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    let [a, b] = &args.engines[..] else { return usage("--engines wants two, as emu,vulkan") };
    let target = whole(args.mode.target(args.arch)?);
    let device = [a, b].into_iter().any(|name| matches!(name, Name::Vulkan(_)));
    let refuses = refusal(target, device.then(|| args.device.lanes.model()));
    if let Some(folder) = &args.corpus {
        std::fs::create_dir_all(folder).with_context(|| format!("`{}` can not be made", folder.display()))?;
    }
    let jobs = args.jobs.map_or_else(common::cores, |n| n as usize);
    let limits = Limits { shuffle: None, threads: Some(1), budget: None, timeout: None };
    let open = |name: &Name| Opened::open(name, &args.device, &limits, false);
    let engines = (0..jobs).map(|_| Ok((open(a)?, open(b)?))).collect::<Result<Vec<_>>>()?;
    let names = engines
        .first()
        .map_or_else(Vec::new, |(a, b)| vec![a.engine().name().to_owned(), b.engine().name().to_owned()]);
    let start = Instant::now();
    let fuzzers = args.profile.0.iter().map(|profile| Fuzzer::new(target, *profile, args.seed, &refuses)).collect();
    let work = Mutex::new(Work { fuzzers, pools: 0, summary: Summary::new(target, names, args), broken: None });
    let time = args.time.or(args.cases.is_none().then_some(Duration::from_secs(60)));
    let bar = progress(time, args.cases);
    std::thread::scope(|scope| {
        for (a, b) in engines {
            let (work, bar) = (&work, &bar);
            scope.spawn(move || {
                let worker = Worker { args, target, engines: [&a, &b], start, time };
                while let Some(done) = worker.one(work, &refuses) {
                    let position = if time.is_some() { start.elapsed().as_secs() } else { done };
                    bar.set_position(position);
                }
            });
        }
    });
    bar.finish_and_clear();
    let work = work.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = work.broken {
        return Err(error);
    }
    let mut summary = work.summary;
    summary.seconds = start.elapsed().as_secs_f64();
    let coverage: Vec<_> = work.fuzzers.iter().map(|fuzzer| (fuzzer.profile(), &fuzzer.coverage)).collect();
    let text = if args.json { summary.json(&coverage) } else { summary.text(&coverage) };
    common::write(None, text.as_bytes())?;
    Ok(ExitCode::from(u8::from(summary.differ())))
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
    engines: [&'a Opened; 2],
    start: Instant,
    time: Option<Duration>,
}

impl Worker<'_> {
    /// Takes the next pool and runs it; gives how many programs there were, and nothing when it is over.
    fn one(&self, work: &Mutex<Work>, refuses: &dyn Fn(&[u32]) -> Option<String>) -> Option<u64> {
        let lock = || work.lock().unwrap_or_else(PoisonError::into_inner);
        let (pool, which, programs) = {
            let mut work = lock();
            let late = self.time.is_some_and(|time| self.start.elapsed() >= time);
            let enough = self.args.cases.is_some_and(|cases| work.summary.promised >= cases);
            if late || enough || work.broken.is_some() {
                return None;
            }
            let number = work.pools;
            work.pools += 1;
            let which = (number % work.fuzzers.len() as u64) as usize;
            let pool = work.fuzzers[which].pool(refuses);
            let turn = number / work.fuzzers.len() as u64;
            if turn % self.args.shard.step != self.args.shard.first {
                return Some(work.summary.programs);
            }
            let left = self.args.cases.map_or(u64::MAX, |cases| cases - work.summary.promised);
            let programs = (work.fuzzers[which].waves(self.args.share as usize) as u64).min(left);
            work.summary.promised += programs;
            (pool, which, programs)
        };
        let round = Round::new(pool, programs as usize, self.args.seed);
        let [a, b] = self.engines;
        let found = round.run(a.runner(), b.runner());
        let failures = match found {
            Ok(found) => isolate::failures(&round, &found, self.target, [a.engine(), b.engine()]),
            Err(error) => {
                lock().broken = Some(error.into());
                return None;
            }
        };
        let written = self.args.corpus.as_ref().map(|folder| write(folder, self.args.seed, &failures));
        let mut work = lock();
        if let Some(Err(error)) = written {
            work.broken = Some(error);
            return None;
        }
        round.note(&mut work.fuzzers[which].coverage);
        work.summary.add(&round, failures);
        Some(work.summary.programs)
    }
}

/// Writes failures as cases, each under the names of its seed, pool and wave.
fn write(folder: &Path, seed: u64, failures: &[Failure]) -> Result<()> {
    for failure in failures {
        let path = folder.join(format!("{}.s", failure.name(seed)));
        std::fs::write(&path, failure.case.to_string())
            .with_context(|| format!("`{}` can not be written", path.display()))?;
    }
    Ok(())
}
