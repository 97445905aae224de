//! What every engine has in common: cases go in, outcomes come out.
//!
//! An [`Engine`] runs a [`Case`] for one target and hands back an [`Outcome`]: the state of every wave at its end, the memory it
//! left behind, and how it came to an end. The CPU emulator, the translation to SPIR-V, a card and a recorded outcome are engines
//! alike; whoever compares them sees nothing else of them.
//!
//! Three things can go wrong, and they are three types:
//!
//! - the *program* does something it must not do: a [`Trap`], a value inside the outcome, beside the state at that moment;
//! - the engine cannot do exactly what the program asks: [`Unsupported`], a skip with a reason, never a silent difference;
//! - the *tool* fails (a device is lost, a file is missing): any other [`EngineError`].
//!
//! A verdict on a run is a [`Status`]; [`Case::check`](crate::case::Case::check) finds the mismatches that make it a `Fail`.
//!
//! How much of the state an outcome holds is the caller's choice: whole states of all waves, which is what comparing engines takes, or only what the case looks
//! at ([`Observed`]), which is what checking it takes. What a run would need is added up before it begins ([`room`]).
//!
//! What cases and kernels have in common before and behind a run is here too: they are [staged](stage) into a [dispatch]
//! of waves whose [registers] are set, which a [`Runner`] carries out, and what is wanted of the waves is [kept](keep).
//!
//! State is kept as bits. A `WaveState` holds 64 lanes whatever the wave size; in waves of 32 lanes the upper half is zero and
//! compared by nobody. Program counters are byte offsets from the start of the program's text, so that they mean the same in every engine.

pub mod across;
pub mod barrier;
pub mod compare;
pub mod dispatch;
pub mod ground;
pub mod isolate;
pub mod keep;
pub mod order;
pub mod registers;
pub mod room;
pub mod run;
pub mod stage;
mod stop;
pub mod token;
pub mod wire;

pub use crate::case::{Columns, Memory, Message, Observed, Outcome, State, Stats, Status, Trap, TrapKind, WaveState};
pub use crate::memory::guest::Access;
pub use run::{Job, Keep, Options, Ran, Runner};
pub use stage::kernel::{KernelError, KernelOutcome};
pub use stop::{Cause, Stop};

use crate::case::{Case, CaseError};
use crate::isa::Target;
use crate::program::{Program, coverage};
use room::Bytes;
use std::time::Duration;

/// What engines run: cases of one family of machines.
pub trait Subject {
    /// What a run is for: a processor with its wave size, a machine.
    type Target: Copy;
    /// What a run leaves.
    type Outcome;
}

impl Subject for Case {
    type Target = Target;
    type Outcome = Outcome;
}

/// Something that runs cases: those of GCN and RDNA, if nothing else is said.
pub trait Engine<S: Subject = Case> {
    /// How it is called on the command line and in reports: `emu`, `vulkan:llvmpipe`.
    fn name(&self) -> &str;

    /// Whether it can run a case, and how well: asked before a run, without running anything.
    fn supports(&self, case: &S, target: S::Target) -> Support;

    /// Runs a case for one target.
    ///
    /// # Errors
    /// [`EngineError::Unsupported`] if the engine cannot do exactly what the case asks; anything else is a failure of the tool. What the
    /// program does wrong is no error, but [`Outcome::trap`].
    fn run(&self, case: &S, target: S::Target) -> Result<S::Outcome, EngineError>;
}

/// How well an engine can run a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Support {
    /// To the bit, as far as the case's own rules ask.
    Exact,
    /// It runs, but these instructions may differ within a bound.
    Approximate(Vec<Unsupported>),
    /// It does not run, because of these.
    No(Vec<Unsupported>),
}

impl Support {
    /// Whether a run makes sense.
    #[must_use]
    pub fn runs(&self) -> bool {
        !matches!(self, Support::No(_))
    }

    /// What is missing; nothing where the engine is exact.
    #[must_use]
    pub fn reasons(&self) -> &[Unsupported] {
        match self {
            Support::Exact => &[],
            Support::Approximate(reasons) | Support::No(reasons) => reasons,
        }
    }
}

/// How well a program is executed: by its instructions one behind the other, whether they are reached or not.
#[must_use]
pub fn support(program: &Program) -> Support {
    let (mut missing, mut near) = (Vec::new(), Vec::new());
    for (_, form, fidelity) in coverage::instructions(program) {
        let instruction = form.row.name_in(program.target.generation()).to_owned();
        match fidelity {
            coverage::Fidelity::Exact => {}
            coverage::Fidelity::Approximate(rule) => {
                near.push(Unsupported { instruction, needs: rule.text.to_owned() });
            }
            coverage::Fidelity::Unsupported(needs) => {
                missing.push(Unsupported { instruction, needs: needs.to_owned() });
            }
        }
    }
    for list in [&mut missing, &mut near] {
        list.sort_by(|a, b| a.instruction.cmp(&b.instruction));
        list.dedup();
    }
    match (missing.is_empty(), near.is_empty()) {
        (true, true) => Support::Exact,
        (true, false) => Support::Approximate(near),
        (false, _) => Support::No(missing),
    }
}

/// What an engine cannot do, and what it would need for it. Skips are counted by `needs`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("`{instruction}` needs {needs}")]
pub struct Unsupported {
    /// The instruction, as text; the line of the header where it is no instruction.
    pub instruction: String,
    /// The missing thing, in a few fixed words: `shaderInt64`, `images`, `f32 denormals`.
    pub needs: String,
}

/// Why there is no outcome.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The engine cannot do what the case asks: a skip, not a failure.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// The case does not fit the target: it does not assemble, or a file it names is missing.
    #[error(transparent)]
    Case(#[from] CaseError),
    /// There is no such engine or device here.
    #[error("{device} is not there: {reason}")]
    Absent {
        /// What was asked for.
        device: String,
        /// Why it is not there.
        reason: String,
    },
    /// The engine did not come back in time.
    #[error("no answer within {0:?}")]
    Timeout(Duration),
    /// The run would need more memory than it may have: known before it begins.
    #[error("the run needs {} of memory, most of it for {most}, and may have {} (--memory)", Bytes(*.needs), Bytes(*.limit))]
    Memory {
        /// Bytes that it would need.
        needs: u64,
        /// Bytes that it may have.
        limit: u64,
        /// The largest part of them: `the state of 524288 waves`.
        most: String,
    },
    /// The engine or its device went down with the run.
    #[error("{device} failed while {doing}: {reason}")]
    Crash {
        /// The engine or device.
        device: String,
        /// `creating the pipeline`
        doing: &'static str,
        /// What the layer below said.
        reason: String,
    },
}

impl EngineError {
    /// The verdict on a run which ended like this.
    #[must_use]
    pub fn status(&self) -> Status {
        match self {
            EngineError::Unsupported(_) | EngineError::Absent { .. } | EngineError::Memory { .. } => {
                Status::Unsupported
            }
            EngineError::Timeout(_) => Status::Timeout,
            EngineError::Crash { .. } => Status::Crash,
            EngineError::Case(_) => Status::Fail,
        }
    }
}
