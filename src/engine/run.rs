//! What carries out a dispatch: who does it, how, and what comes back.

use super::dispatch::{Dispatch, FillLds};
use super::keep::Wanted;
use super::order::Order;
use super::{EngineError, Memory, Message, Observed, Stats, Trap, TrapKind, Unsupported, WaveState};
use crate::case::Export;
use std::time::Duration;

/// How to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How many threads groups are spread over.
    pub threads: usize,
    /// The order of waves and lanes.
    pub order: Order,
    /// Instructions of one wave; over what a case says.
    pub budget: Option<u64>,
    /// After how many ticks every wave is paused: see [`Limits::pause`](super::dispatch::Limits::pause). What came of the run
    /// then holds the states of all waves, and waves and groups behind a trap run as well.
    pub pause: Option<u64>,
    /// How long the whole run may take; over what a case says. Nothing: [`TIMEOUT`] for cases, no limit for kernels.
    pub timeout: Option<Duration>,
    /// Counts instructions by family, and lanes: every step is looked at.
    pub stats: bool,
    /// What of the waves of a case its outcome holds.
    pub keep: Keep,
    /// Bytes of memory that a run may take; nothing: half of what the machine has left.
    pub memory: Option<u64>,
}

/// What of the waves of a case its outcome holds. Where waves are paused it is always everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// All registers and all local memory: to compare engines.
    #[default]
    Everything,
    /// What the case observes and expects: to check it.
    Observed,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            threads: 1,
            order: Order::default(),
            budget: None,
            pause: None,
            timeout: None,
            stats: false,
            keep: Keep::default(),
            memory: None,
        }
    }
}

/// Instructions of one wave of a case, where nothing else is said.
pub const BUDGET: u64 = 100_000_000;
/// How long a case may take, where nothing else is said.
pub const TIMEOUT: Duration = Duration::from_secs(60);

/// What carries out the dispatch of a case or kernel when everything stands ready: the loops of the emulator, or a device.
pub trait Runner {
    /// Runs it.
    ///
    /// # Errors
    /// The runner cannot do it, or fails. What the program does wrong is [`Ran::trap`].
    fn run(&self, job: &Job<'_>) -> Result<Ran, EngineError>;

    /// How many bytes it takes while it runs, beside what is kept and the memory of the guest, which has so many.
    fn working(&self, dispatch: &Dispatch<'_>, guest: u64) -> u64;
}

/// A dispatch that is ready.
pub struct Job<'a> {
    /// The waves and what they run on.
    pub dispatch: &'a Dispatch<'a>,
    /// The first contents of LDS.
    pub lds: Option<&'a FillLds<'a>>,
    /// What is worth keeping of waves and of LDS.
    pub keep: Wanted<'a>,
    /// How long all of it may take.
    pub timeout: Option<Duration>,
}

/// What a run hands back.
#[derive(Default)]
pub struct Ran {
    /// The waves, by group.
    pub waves: Vec<WaveState>,
    /// What is looked at, where no more was wanted.
    pub observed: Option<Observed>,
    /// LDS of the groups.
    pub lds: Vec<Memory>,
    /// What was sent.
    pub messages: Vec<Message>,
    /// What was exported.
    pub exports: Vec<Export>,
    /// The first trap.
    pub trap: Option<Trap>,
    /// What was executed.
    pub stats: Stats,
}

impl Ran {
    /// An instruction that cannot be executed is no outcome.
    ///
    /// # Errors
    /// The run ended at one.
    pub fn supported(self) -> Result<Ran, EngineError> {
        match &self.trap {
            Some(Trap { kind: TrapKind::Unsupported { needs }, instruction, .. }) => {
                Err(Unsupported { instruction: instruction.clone(), needs: needs.clone() }.into())
            }
            _ => Ok(self),
        }
    }
}
