//! What a difference is: what must stay while a case gets smaller.

use crate::bisect::Found;
use crate::engines::{self, Opened};
use std::fmt;
use wavediff::bisect::{OfCase, Verdict as Bisected, find};
use wavediff::case::Case;
use wavediff::emu::engine::Emulator;
use wavediff::engine::Options;
use wavediff::engine::compare::{Difference, outcomes};
use wavediff::engine::{Engine, EngineError, TrapKind};
use wavediff::isa::Target;
use wavediff::reduce::Verdict;

/// Where a difference lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A trap on one side, or another one.
    Trap,
    /// Where the program goes on.
    Flow,
    /// Registers.
    Registers,
    /// Buffers and LDS.
    Memory,
    /// What the program sent, or how many waves there are.
    Other,
}

impl Class {
    /// For people and programs.
    pub fn name(self) -> &'static str {
        match self {
            Class::Trap => "trap",
            Class::Flow => "flow",
            Class::Registers => "registers",
            Class::Memory => "memory",
            Class::Other => "other",
        }
    }

    /// What differences are about: the first of the list above that is among them.
    fn of(differences: &[Difference]) -> Option<Class> {
        let one = |d: &Difference| match (&d.place[..], d.wave) {
            ("trap", _) => Class::Trap,
            ("pc", _) => Class::Flow,
            ("messages" | "waves", _) => Class::Other,
            (_, Some(_)) => Class::Registers,
            (_, None) => Class::Memory,
        };
        differences.iter().map(one).min_by_key(|class| *class as u8)
    }
}

/// How two engines come apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Before the first instruction.
    Start,
    /// Behind an instruction.
    Step,
    /// Only if the program runs as a whole.
    Whole,
}

/// What a difference is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// How they come apart.
    pub when: When,
    /// The row of the instruction that did it, where one did.
    pub row: Option<&'static str>,
    /// Where the difference lies.
    pub class: Class,
}

impl Kind {
    /// Whether it is the same difference: where a wave goes on, and what traps there, is one thing.
    fn is_like(&self, other: &Kind) -> bool {
        let flow = |class: Class| matches!(class, Class::Trap | Class::Flow);
        let class = self.class == other.class || flow(self.class) && flow(other.class);
        self.when == other.when && self.row == other.row && class
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.when, self.row) {
            (When::Start, _) => write!(f, "{} before the first instruction", self.class.name()),
            (When::Whole, _) => write!(f, "{} of the program as a whole", self.class.name()),
            (When::Step, Some(row)) => write!(f, "{} behind {row}", self.class.name()),
            (When::Step, None) => write!(f, "{} behind what is no instruction", self.class.name()),
        }
    }
}

/// The kind of what was found; none where nothing differs.
pub fn kind(found: &Found) -> Option<Kind> {
    let (when, row, differences) = match found {
        Found::Equal | Found::Alike | Found::Step(Bisected::Equal) => return None,
        Found::Step(Bisected::Start(differences)) => (When::Start, None, differences),
        Found::Whole(differences) => (When::Whole, None, differences),
        Found::Step(Bisected::At(at)) => (When::Step, at.1.row.map(|row| row.name), &at.0.differences),
    };
    Some(Kind { when, row, class: Class::of(differences)? })
}

/// Instructions that a wave of a candidate may take: smaller cases do not run longer.
const BUDGET: u64 = 1 << 20;

/// Whether two engines still differ in this way.
///
/// A candidate that does not run to an end is worth nothing, and neither is one that an engine cannot run.
pub fn still(case: &Case, target: Target, [a, b]: [&Opened; 2], kind: &Kind) -> Result<Verdict, EngineError> {
    let quick = Emulator { options: Options { budget: case.budget.or(Some(BUDGET)), ..Options::default() } };
    match quick.run(case, target) {
        Ok(outcome) if outcome.trap.as_ref().is_some_and(|t| endless(&t.kind)) => return Ok(Verdict::Lost),
        Ok(_) => {}
        Err(error) => return lost(error),
    }
    let case = &engines::on_ground_of([a, b], case, target)?;
    let found = match kind.when {
        When::Whole => a.engine().run(case, target).and_then(|x| {
            let differences = outcomes(case, target, &x, &b.engine().run(case, target)?);
            Ok(if differences.is_empty() { Found::Equal } else { Found::Whole(differences) })
        }),
        When::Start | When::Step => {
            let engines = [(a.runner(), a.options()), (b.runner(), b.options())];
            find(&OfCase { case, target }, engines, &|_| true).map(Found::Step)
        }
    };
    match found {
        Ok(found) => {
            let kept = self::kind(&found).is_some_and(|found| found.is_like(kind));
            Ok(if kept { Verdict::Kept } else { Verdict::Lost })
        }
        Err(error) => lost(error),
    }
}

fn endless(kind: &TrapKind) -> bool {
    matches!(kind, TrapKind::Budget { .. } | TrapKind::Watchdog(_) | TrapKind::Deadlock { .. })
}

/// An error that is the candidate's own fault.
fn lost(error: EngineError) -> Result<Verdict, EngineError> {
    match error {
        EngineError::Case(_) | EngineError::Unsupported(_) | EngineError::Timeout(_) => Ok(Verdict::Lost),
        other => Err(other),
    }
}
