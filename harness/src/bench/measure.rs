//! The runs: each row and pattern on an engine.

use crate::common;
use crate::engines::{Device, Name, Opened};
use crate::run::Limits;
use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use wavediff::case::wave_size;
use wavediff::emu::engine::Clocked;
use wavediff::engine::Engine;
use wavediff::isa::Target;
use wavediff::isa::row::Inst;
use wavediff::timing::Machine;
use wavediff::timing::bench::{Cost, Measures, Meter, cost};
use wavediff::timing::probe::pattern::Pattern;
use wavediff::timing::probe::{Kind, Probe, Reason};

/// How costs are measured.
pub struct How<'a> {
    /// The device, where it is one.
    pub device: &'a Device,
    /// On the emulator, what they cost the host.
    pub host: bool,
    /// Repetitions where time is measured.
    pub runs: u32,
}

/// A row with its two probes.
pub type Row = (&'static Inst, [Option<Result<Probe, Reason>>; 2]);

/// What was measured on an engine.
pub struct Run {
    /// The processor.
    pub target: Target,
    /// The engine, in words.
    pub engine: String,
    /// Whether by the clock of the model; otherwise in nanoseconds.
    pub clocks: bool,
    /// Rows.
    pub lines: Vec<Line>,
    /// Patterns, with what each costs.
    pub patterns: Vec<(Pattern, Result<Cost, Missing>)>,
}

impl Run {
    /// What costs are counted in.
    pub fn unit(&self) -> &'static str {
        if self.clocks { "clocks" } else { "ns" }
    }

    /// Lanes of a wave.
    pub fn lanes(&self) -> u32 {
        wave_size(self.target)
    }

    /// All costs, or why there are none.
    pub fn costs(&self) -> impl Iterator<Item = Result<&Cost, &Missing>> {
        let rows = self.lines.iter().flat_map(|line| &line.costs).map(|cost| cost.as_ref().map(|(cost, _)| cost));
        rows.chain(self.patterns.iter().map(|(_, cost)| cost.as_ref()))
    }
}

/// What is known of a row.
pub struct Line {
    /// The row.
    pub row: &'static Inst,
    /// Its name on the processor.
    pub name: &'static str,
    /// By [`Kind`].
    pub costs: [Found; 2],
}

/// A cost, with the partner of a chain, or why there is none.
pub type Found = Result<(Cost, Option<&'static Inst>), Missing>;

/// Why there is no cost.
pub enum Missing {
    /// It can not be measured in this way.
    Reason(&'static str),
    /// A run failed.
    Failed(String),
}

impl Missing {
    /// In words.
    pub fn text(&self) -> &str {
        match self {
            Missing::Reason(why) => why,
            Missing::Failed(why) => why,
        }
    }
}

/// Why there are no rates of a translation.
const SAME: &str = "the device's compiler leaves out copies that compute the same";

/// One thing to measure.
#[derive(Clone, Copy)]
enum Piece<'a> {
    Row(&'a Row),
    Pattern(&'a Pattern),
}

/// What came of it.
enum Done {
    Row(Line),
    Pattern(Pattern, Result<Cost, Missing>),
}

/// Measures all rows and patterns on an engine.
pub fn measure(how: &How<'_>, name: &Name, target: Target, rows: &[Row], patterns: &[Pattern]) -> Result<Run> {
    let pieces: Vec<Piece<'_>> = rows.iter().map(Piece::Row).chain(patterns.iter().map(Piece::Pattern)).collect();
    let bar = ProgressBar::new(pieces.len() as u64);
    bar.set_style(ProgressStyle::with_template("{pos} of {len}  {wide_bar}  {eta}")?);
    let limits = Limits { threads: Some(1), ..Limits::default() };
    let translated = matches!(name, Name::Vulkan(_));
    let one = |piece: Piece<'_>, engine: &dyn Engine, meter: Meter| {
        let run = |case: &_| engine.run(case, target);
        let cost = |program: &dyn Measures, kind: Kind| {
            if translated && kind == Kind::Rate {
                return Err(Missing::Reason(SAME));
            }
            cost(program, meter, &run).map_err(|problem| Missing::Failed(problem.to_string()))
        };
        let done = match piece {
            Piece::Row((row, probes)) => {
                let costs = probes.each_ref().map(|probe| match probe {
                    None => Err(Missing::Reason("there is no probe")),
                    Some(Err(reason)) => Err(Missing::Reason(reason.text())),
                    Some(Ok(probe)) => Ok((cost(probe, probe.kind)?, probe.partner())),
                });
                Done::Row(Line { row, name: row.name_in(target.generation()), costs })
            }
            Piece::Pattern(pattern) => Done::Pattern(pattern.clone(), cost(pattern, pattern.kind)),
        };
        bar.inc(1);
        done
    };
    let clocks = *name == Name::Emu && !how.host;
    let (done, engine) = if clocks {
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..common::cores() {
                scope.spawn(|| {
                    let clocked = Clocked::new(limits.emulator(false), 0);
                    loop {
                        let n = next.fetch_add(1, Ordering::Relaxed);
                        let Some(piece) = pieces.get(n) else { break };
                        let piece = one(*piece, &clocked, Meter::Clock);
                        done.lock().unwrap_or_else(PoisonError::into_inner).push((n, piece));
                    }
                });
            }
        });
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_by_key(|(n, _)| *n);
        let done: Vec<Done> = done.into_iter().map(|(_, piece)| piece).collect();
        (done, format!("emu ({})", Machine::of(target.arch).name))
    } else {
        let opened = Opened::open(name, how.device, &limits, false)?;
        let engine = opened.engine();
        let meter = Meter::Time { runs: how.runs };
        let done = pieces.iter().map(|piece| one(*piece, engine, meter)).collect();
        (done, if how.host { "emu, this host".to_owned() } else { engine.name().to_owned() })
    };
    bar.finish_and_clear();
    let mut run = Run { target, engine, clocks, lines: Vec::new(), patterns: Vec::new() };
    for piece in done {
        match piece {
            Done::Row(line) => run.lines.push(line),
            Done::Pattern(pattern, cost) => run.patterns.push((pattern, cost)),
        }
    }
    Ok(run)
}
