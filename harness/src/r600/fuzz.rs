//! `fuzz`: random programs of R600 and R700 on two engines.
//!
//! A program follows from the seed and its number alone, and runs with several inputs, each a case of its own. One that differs is
//! reduced and told.

use super::engine;
use crate::common::{self, NOT_COMPARED, Paint};
use crate::engines::Name;
use crate::files;
use crate::fuzz::Args;
use crate::run::Limits;
use anyhow::{Context, Result};
use indicatif::ProgressBar;
use serde_json::json;
use std::fmt::Write as _;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use wavediff::engine::EngineError;
use wavediff::isa::r600::Machine;
use wavediff::r600::bisect::{Pair, compare};
use wavediff::r600::case::Case;
use wavediff::r600::random::{self, VERSION};
use wavediff::r600::reduce::reduce;
use wavediff::suite::plan::program_seed;

/// Programs that may be lost to an engine before that is no use.
const FAILURES: usize = 8;

/// What came of it.
#[derive(Default)]
struct Summary {
    programs: u64,
    /// Those that an engine does not run, each with the reason.
    refused: Vec<String>,
    /// Those in which an engine failed.
    lost: Vec<String>,
    /// Those that differ, reduced.
    differing: Vec<Case>,
}

/// What came of a program.
enum Tried {
    Equal,
    /// It differs; this is the least that does.
    Differs(Box<Case>),
    Refused(String),
    Lost(String),
}

/// Runs a program on two engines; a difference is reduced at once, while the others go on.
fn try_one(case: &Case, machine: Machine, pair: Pair<'_>) -> Tried {
    let lost = |error: EngineError| match error {
        EngineError::Unsupported(why) => Tried::Refused(why.needs),
        error => Tried::Lost(format!("{}: {error}", case.name)),
    };
    match compare(case, machine, pair) {
        Ok(differences) if differences.is_empty() => Tried::Equal,
        Ok(_) => match reduce(case, machine, pair, &mut |_| {}) {
            Ok(small) => Tried::Differs(Box::new(small.unwrap_or_else(|| case.clone()))),
            Err(error) => lost(error),
        },
        Err(error) => lost(error),
    }
}

/// Runs programs until the time is over, or so many are done.
pub fn run(args: &Args, machine: Machine, [a, b]: [&Name; 2]) -> Result<ExitCode> {
    if let Some(folder) = &args.corpus {
        std::fs::create_dir_all(folder).with_context(|| format!("`{}` can not be made", folder.display()))?;
    }
    let limits = Limits { threads: Some(1), ..Limits::default() };
    let open = |name: &Name| engine(name, &args.device, &limits);
    let names = [a, b].map(ToString::to_string);
    let stop = Arc::new(AtomicBool::new(false));
    common::listen(&stop)?;
    let (start, next) = (Instant::now(), AtomicU64::new(0));
    let time = args.time.or(args.cases.is_none().then_some(Duration::from_secs(60)));
    let bar = ProgressBar::new_spinner();
    let summary = Mutex::new(Summary::default());
    let jobs = args.jobs.map_or_else(common::cores, |n| n as usize);
    let ended: Vec<Result<()>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs)
            .map(|_| {
                scope.spawn(|| -> Result<()> {
                    let engines = [open(a)?, open(b)?];
                    let pair = [&*engines[0], &*engines[1]];
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let inputs = u64::from(random::INPUTS);
                        let left = args.cases.map_or(inputs, |cases| cases.saturating_sub(number * inputs).min(inputs));
                        let late = time.is_some_and(|time| start.elapsed() >= time);
                        if late || left == 0 || stop.load(Ordering::Relaxed) {
                            return Ok(());
                        }
                        if !args.shard.takes(number as usize) {
                            continue;
                        }
                        let seed = program_seed(args.seed, number as u32);
                        for input in 0..left as u32 {
                            let case = random::case(machine, seed, input);
                            let tried = try_one(&case, machine, pair);
                            let mut summary = summary.lock().unwrap_or_else(PoisonError::into_inner);
                            bar.inc(1);
                            let goes_on = matches!(tried, Tried::Equal);
                            summary.take(tried, &case);
                            if summary.lost.len() >= FAILURES {
                                stop.store(true, Ordering::Relaxed);
                            }
                            // Another input of a program that differs would say the same.
                            if !goes_on {
                                break;
                            }
                        }
                    }
                })
            })
            .collect();
        let gone = || Err(anyhow::anyhow!("a thread panicked"));
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| gone())).collect()
    });
    bar.finish_and_clear();
    ended.into_iter().collect::<Result<()>>()?;
    let summary = summary.into_inner().unwrap_or_else(PoisonError::into_inner);
    for case in &summary.differing {
        if let Some(folder) = &args.corpus {
            files::write(
                &folder.join(format!("{}.s", case.name.replace(['/', ':'], "-"))),
                case.to_string().as_bytes(),
            )?;
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    common::print(&summary.show(args, machine, &names, seconds))?;
    if !summary.differing.is_empty() || !summary.lost.is_empty() {
        return Ok(ExitCode::from(1));
    }
    Ok(if summary.programs == 0 { ExitCode::from(NOT_COMPARED) } else { ExitCode::SUCCESS })
}

impl Summary {
    fn take(&mut self, tried: Tried, case: &Case) {
        match tried {
            Tried::Equal => self.programs += 1,
            Tried::Differs(small) => {
                self.programs += 1;
                self.differing.push(Case { name: case.name.clone(), ..*small });
            }
            Tried::Refused(needs) => self.refused.push(needs),
            Tried::Lost(why) => self.lost.push(why),
        }
    }

    fn show(&self, args: &Args, machine: Machine, engines: &[String; 2], seconds: f64) -> String {
        if args.json {
            let cases: Vec<String> = self.differing.iter().map(ToString::to_string).collect();
            let all = json!({
                "version": VERSION, "seed": args.seed, "arch": machine.name(), "engines": engines,
                "programs": self.programs, "refused": self.refused.len(), "lost": self.lost, "differing": cases,
                "seconds": seconds,
            });
            return format!("{all}\n");
        }
        let (paint, mut out) = (Paint::stdout(), String::new());
        let rate = self.programs as f64 / seconds.max(1e-3);
        let _ = writeln!(
            out,
            "fuzz {VERSION}, seed {}: {} on {}\n{} programs in {seconds:.1} s: {rate:.0} programs/s",
            args.seed,
            machine.name(),
            engines.join(" and "),
            self.programs
        );
        let mut refused = self.refused.clone();
        refused.sort();
        for why in refused.chunk_by(|a, b| a == b) {
            let _ = writeln!(out, "{} programs not run, needs {}", why.len(), why[0]);
        }
        for why in &self.lost {
            let _ = writeln!(out, "{} {why}", paint.red("lost"));
        }
        for case in &self.differing {
            let _ = writeln!(out, "{} {}", paint.red("differs"), case.name);
            for line in case.body.text.lines() {
                let _ = writeln!(out, "    {line}");
            }
        }
        let _ = writeln!(out, "{} differ", self.differing.len());
        out
    }
}
