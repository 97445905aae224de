//! What came of it: for people and for machines.

use super::Args;
use super::isolate::{Failure, Looked};
use crate::common::Paint;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use wavediff::case::wave_size;
use wavediff::engine::EngineError;
use wavediff::fuzz::{Coverage, Profile, Round, VERSION};
use wavediff::isa::Target;

/// What was run and found.
pub struct Summary {
    target: Target,
    engines: Vec<String>,
    seed: u64,
    pub programs: u64,
    /// Programs that were handed out.
    pub promised: u64,
    pools: u64,
    instructions: u64,
    differing: BTreeMap<&'static str, Vec<Failure>>,
    /// Programs that differ by a race of their own.
    races: u64,
    /// Pools in which an engine failed, and how.
    lost: Vec<(u64, String)>,
    pub seconds: f64,
}

/// Pairs without a program that are named.
const SHOWN: usize = 8;

impl Summary {
    pub fn new(target: Target, engines: Vec<String>, args: &Args) -> Summary {
        Summary {
            target,
            engines,
            seed: args.seed,
            programs: 0,
            promised: 0,
            pools: 0,
            instructions: 0,
            differing: BTreeMap::new(),
            races: 0,
            lost: Vec::new(),
            seconds: 0.0,
        }
    }

    /// Takes in what came of a pool.
    pub fn add(&mut self, round: &Round, looked: Looked) {
        self.pools += 1;
        self.programs += round.waves() as u64;
        self.instructions += (0..round.waves()).map(|wave| round.walk(wave).len() as u64).sum::<u64>();
        self.races += looked.races;
        for failure in looked.failures {
            self.differing.entry(failure.guilty).or_default().push(failure);
        }
    }

    /// An engine failed in a pool.
    pub fn lose(&mut self, pool: u64, error: &EngineError) {
        self.lost.push((pool, error.to_string()));
    }

    pub fn differ(&self) -> bool {
        !self.differing.is_empty() || !self.lost.is_empty()
    }

    /// No program ran, and no engine failed.
    pub fn ran_nothing(&self) -> bool {
        self.programs == 0 && self.lost.is_empty()
    }

    fn speed(&self) -> f64 {
        self.programs as f64 / self.seconds.max(1e-3)
    }

    pub fn text(&self, coverage: &[(Profile, &Coverage)]) -> String {
        let paint = Paint::stdout();
        let mut out = String::new();
        let engines = self.engines.join(" and ");
        let _ = writeln!(
            out,
            "fuzz {VERSION}, seed {}: {} wave{} on {engines}\n{} programs of {} pools in {:.1} s: {:.0} programs/s, {} instructions tried",
            self.seed,
            self.target.arch.name,
            wave_size(self.target),
            self.programs,
            self.pools,
            self.seconds,
            self.speed(),
            self.instructions
        );
        for (profile, coverage) in coverage {
            let (reached, possible) = (coverage.reached(), coverage.possible());
            let percent = 100.0 * reached as f64 / possible.max(1) as f64;
            let _ = writeln!(
                out,
                "{profile}: {reached} of {possible} pairs of source and operand kind ({percent:.1} %), {} combinations with modifiers and values",
                coverage.combinations()
            );
            let open: Vec<String> =
                coverage.open().map(|p| format!("{}.{} {}", p.row, p.source, p.operand.name())).collect();
            if !open.is_empty() && open.len() <= possible / 5 {
                let more = if open.len() > SHOWN { format!(" and {} more", open.len() - SHOWN) } else { String::new() };
                let _ = writeln!(out, "    not reached: {}{more}", open[..open.len().min(SHOWN)].join(", "));
            }
            for (reason, rows) in coverage.left_out() {
                let _ = writeln!(out, "    left out, needs {reason}: {} rows", rows.len());
            }
        }
        for (row, failures) in &self.differing {
            let Some(first) = failures.first() else { continue };
            let alone = if first.alone { "" } else { " (not alone)" };
            let _ = writeln!(
                out,
                "{} {row}: {} programs{alone}, first: {}",
                paint.red("differs"),
                failures.len(),
                first.what
            );
            for line in first.case.body.text.lines() {
                let _ = writeln!(out, "    {line}");
            }
        }
        if self.races > 0 {
            let _ =
                writeln!(out, "{} programs leave what the order of lanes decides (a race, no difference)", self.races);
        }
        for (pool, why) in &self.lost {
            let _ = writeln!(out, "{} pool {pool}: {why}", paint.red("lost"));
        }
        let _ = match self.differing.len() {
            0 if self.programs == 0 => Ok(()),
            0 => writeln!(out, "{}", paint.bold("no difference")),
            n => writeln!(out, "{n} rows differ"),
        };
        out
    }

    pub fn json(&self, coverage: &[(Profile, &Coverage)]) -> String {
        let profiles = coverage.iter().map(|(profile, coverage)| {
            let left_out: BTreeMap<&String, Vec<&&str>> =
                coverage.left_out().iter().map(|(reason, rows)| (reason, rows.iter().collect())).collect();
            json!({
                "profile": profile.name(), "reached": coverage.reached(), "possible": coverage.possible(),
                "combinations": coverage.combinations(), "left_out": left_out,
            })
        });
        let differing = self.differing.iter().flat_map(|(row, failures)| {
            failures.iter().map(move |f| {
                json!({
                    "row": row, "pool": f.pool, "wave": f.wave, "what": f.what, "alone": f.alone,
                    "body": f.case.body.text, "name": f.name(self.seed),
                })
            })
        });
        let all = json!({
            "version": VERSION, "seed": self.seed, "arch": self.target.arch.name, "wave": wave_size(self.target),
            "engines": self.engines, "programs": self.programs, "pools": self.pools, "instructions": self.instructions,
            "races": self.races, "seconds": self.seconds, "programs_per_second": self.speed(), "coverage": profiles.collect::<Vec<Value>>(),
            "differences": differing.collect::<Vec<Value>>(),
            "lost": self.lost.iter().map(|(pool, why)| json!({ "pool": pool, "reason": why })).collect::<Vec<Value>>(),
        });
        format!("{all}\n")
    }
}
