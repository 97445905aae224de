//! What an instruction costs on an engine, by its [probe](super::probe): how the time of a program grows with its copies.
//!
//! The time of a program is that of its clock, where its engine has one that means something, or the time that the device or host took for all
//! of it. Of the slopes between several lengths the median is taken, so that what a program costs beside its copies does not count, and neither
//! does a single length that was disturbed.
//!
//! What the [model](super::model) must give back is said by its table ([`expected`]): on the emulator under the clock both are equal, for every
//! row.

use super::machine::Machine;
use super::op::{Kind as Goes, Op};
use super::probe::{Kind, Probe, ROUNDS, clocks};
use crate::case::{Case, CaseError, Outcome};
use crate::engine::EngineError;
use crate::isa::row::Inst;
use crate::program::Program;
use std::fmt;

/// Numbers of copies. The least fills what is queued.
pub const LENGTHS: [u32; 3] = [24, 48, 96];

/// Rounds of a program whose time is taken.
pub const MANY_ROUNDS: u16 = 516;

/// How the time of a program is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meter {
    /// By the clock that the program reads.
    Clock,
    /// By the time that more rounds of it take, in nanoseconds: what was compiled or loaded before the first does not count. Of so many runs
    /// the one that took least counts.
    Time {
        /// Repetitions.
        runs: u32,
    },
}

/// What an instruction costs.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    /// Clocks or nanoseconds of an instruction; of a chain with a partner, of both.
    pub each: f64,
    /// The least and the largest slope.
    pub spread: (f64, f64),
}

/// Why there is no cost.
#[derive(Debug)]
pub enum Problem {
    /// The program is no case.
    Case(CaseError),
    /// The engine did not run it.
    Engine(EngineError),
    /// It ended early, or left no clocks.
    Nothing,
    /// More copies took no more time.
    Flat,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Case(error) => error.fmt(f),
            Problem::Engine(error) => error.fmt(f),
            Problem::Nothing => f.write_str("the program left no clocks"),
            Problem::Flat => {
                f.write_str("more copies take no more time: they are left out, or lost in what runs differ by")
            }
        }
    }
}

impl std::error::Error for Problem {}

/// A program that can have any number of copies and rounds, and leaves its clocks in [`CLOCKS`](super::probe::CLOCKS).
pub trait Measures {
    /// The program.
    ///
    /// # Errors
    /// As [`Case::parse`].
    fn program(&self, copies: u32, rounds: u16) -> Result<Case, CaseError>;

    /// The numbers of copies whose slopes count.
    fn lengths(&self) -> &[u32] {
        &LENGTHS
    }

    /// How often each copy is executed in a round.
    fn times(&self) -> u32 {
        1
    }

    /// Rounds that are enough where time is measured.
    fn many_rounds(&self) -> u16 {
        MANY_ROUNDS
    }
}

impl Measures for Probe {
    fn program(&self, copies: u32, rounds: u16) -> Result<Case, CaseError> {
        self.rounds(copies, rounds)
    }
}

/// Runs a program.
type Run<'a> = &'a dyn Fn(&Case) -> Result<Outcome, EngineError>;

/// Measures with a program.
///
/// # Errors
/// A run fails.
pub fn cost(program: &dyn Measures, meter: Meter, run: Run<'_>) -> Result<Cost, Problem> {
    let mut times = Vec::new();
    for n in program.lengths() {
        let time = match meter {
            Meter::Clock => {
                let case = program.program(*n, ROUNDS).map_err(Problem::Case)?;
                clocks(&run(&case).map_err(Problem::Engine)?).ok_or(Problem::Nothing)? as f64
            }
            Meter::Time { runs } => {
                let rounds = [ROUNDS, program.many_rounds()];
                let [few, many] = rounds.map(|rounds| least(program, *n, rounds, runs, run));
                (many? - few?) * 1e9 / f64::from(rounds[1] - rounds[0])
            }
        };
        times.push((*n, time));
    }
    let mut slopes = Vec::new();
    for (i, (few, less)) in times.iter().enumerate() {
        for (many, more) in &times[i + 1..] {
            slopes.push((more - less) / f64::from(many - few) / f64::from(program.times()));
        }
    }
    slopes.sort_by(f64::total_cmp);
    let (least, most) = slopes.first().zip(slopes.last()).ok_or(Problem::Nothing)?;
    let each = slopes[slopes.len() / 2];
    // A clock may say that something is free; time only says so where it is lost in noise.
    if each <= 0.0 && meter != Meter::Clock {
        return Err(Problem::Flat);
    }
    Ok(Cost { each, spread: (*least, *most) })
}

/// The least time of some runs.
fn least(program: &dyn Measures, n: u32, rounds: u16, runs: u32, run: Run<'_>) -> Result<f64, Problem> {
    let case = program.program(n, rounds).map_err(Problem::Case)?;
    let mut least = f64::INFINITY;
    for _ in 0..runs.max(1) {
        let outcome = run(&case).map_err(Problem::Engine)?;
        if outcome.trap.is_some() {
            return Err(Problem::Nothing);
        }
        least = least.min(outcome.stats.seconds);
    }
    Ok(least)
}

/// What the model's table has for a probe: the clocks of the unit, or what the results take that it waits for; nothing for what goes to no unit.
#[must_use]
pub fn expected(probe: &Probe) -> Option<f64> {
    let machine = Machine::of(probe.target.arch);
    let case = probe.case(1).ok()?;
    let program = case.program(probe.target).ok()?;
    let program = Program::new(program.target, &program.words(), 0);
    let mut ops = Vec::new();
    let mut at = 0;
    while let Some(step) = program.steps.get(at as usize) {
        ops.push((step.row, Op::of(&program, step, machine)));
        at = step.next;
    }
    let find = |row: &'static Inst| {
        let is = |of: Option<&'static Inst>| of.is_some_and(|of| std::ptr::eq(of, row));
        ops.iter().find(|(of, _)| is(*of)).map(|(_, op)| op)
    };
    // The row of a dual instruction is that of its first half.
    let dual = || ops.iter().find(|(row, _)| row.is_some_and(|row| row.name.starts_with("v_dual_"))).map(|(_, op)| op);
    let op = find(probe.row).or_else(dual)?;
    if !matches!(op.kind, Goes::Vector | Goes::Scalar) {
        return None;
    }
    let latency = f64::from(op.figure.latency);
    Some(match probe.kind {
        Kind::Rate => {
            let clocks = f64::from(op.figure.clocks.max(machine.interval.into()));
            probe.spread().map_or(clocks, |copies| clocks.max(latency / f64::from(copies)))
        }
        Kind::Latency => latency + probe.partner().and_then(find).map_or(0.0, |op| f64::from(op.figure.latency)),
    })
}
