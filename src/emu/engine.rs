//! The emulator as an engine: cases and kernels go in, outcomes come out.
//!
//! A [`Case`] becomes a [`Program`], guest memory with its buffers, and a [dispatch](super::dispatch) whose waves start with the case's registers
//! (`case`). A kernel of a code object comes as a [launch](super::launch), which knows the same things from another source
//! (`kernel`). Both run in one way: groups on threads, each wave in the bare loop, or in a loop of the caller's that
//! looks at every step; a watchdog interrupts either. What a wave leaves is copied out when its group ends ([`Wanted`]), and what is not wanted is
//! not copied, so that a dispatch of a million waves needs no more of them at once than there are threads. How much memory all of
//! it takes is added up before the run ([`room`](crate::engine::room)).

mod case;
mod keep;
mod kernel;

pub(crate) use case::BASE;
pub use case::run_case;
pub(crate) use keep::Keeper;
pub use keep::{Reported, Wanted, state};
pub use kernel::{KernelError, KernelOutcome, program, run_kernel};

use super::coverage;
use super::dispatch::{Dispatch, Done, Hooks};
use super::order::{Order, Turns};
use super::plan::Program;
use super::run::{self, Drive, Group, Limits};
use super::traced::{self, Counter};
use super::trap::{Cause, Stop, TrapKind};
use super::wave::Wave;
use crate::case::Case;
use crate::engine::compare::Difference;
use crate::engine::{
    self, Engine, EngineError, Message, Observed, Outcome, Stats, Support, Trap, Unsupported, WaveState,
};
use crate::isa::Target;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How many threads groups are spread over.
    pub threads: usize,
    /// The order of waves and lanes.
    pub order: Order,
    /// Instructions of one wave; over what a case says.
    pub budget: Option<u64>,
    /// After how many ticks every wave is paused: see [`Limits::pause`]. What came of the run then holds the states of all waves, and
    /// waves and groups behind a trap run as well.
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

/// Makes the loop of a thread: something that runs a wave until it stops. It gets the number of the thread.
pub type Loop<'a> = dyn Fn(u32) -> Box<Drive<'a>> + Sync + 'a;

/// The emulator.
#[derive(Clone, Copy, Debug, Default)]
pub struct Emulator {
    /// How to run.
    pub options: Options,
}

impl Engine for Emulator {
    fn name(&self) -> &str {
        "emu"
    }

    fn supports(&self, case: &Case, target: Target) -> Support {
        let Ok(program) = case.program(target) else { return Support::Exact };
        support(&Program::plan(program.target, &program.words(), BASE))
    }

    fn run(&self, case: &Case, target: Target) -> Result<Outcome, EngineError> {
        self.run_case(case, target, None)
    }
}

impl Emulator {
    /// Where a run leaves something else when lanes come in another order.
    ///
    /// # Errors
    /// A run fails.
    pub fn races<O, E>(
        &self,
        run: impl Fn(Emulator) -> Result<O, E>,
        compare: impl Fn(&O, &O) -> Vec<Difference>,
    ) -> Result<Vec<Difference>, E> {
        let usual = run(*self)?;
        let mut races = Vec::new();
        for turns in Turns::OTHERS {
            let order = Order { turns, ..self.options.order };
            races.extend(compare(&usual, &run(Emulator { options: Options { order, ..self.options } })?));
        }
        Ok(races)
    }

    /// The first of other orders of waves in which a run leaves something else, and what. `left` is what it leaves in the usual one.
    ///
    /// # Errors
    /// A run fails.
    pub fn wave_races<O, E>(
        &self,
        left: &O,
        run: impl Fn(Emulator) -> Result<O, E>,
        compare: impl Fn(&O, &O) -> Vec<Difference>,
    ) -> Result<Option<WaveRace>, E> {
        for order in Order::OTHER_WAVES {
            let order = Order { turns: self.options.order.turns, ..order };
            let differences = compare(left, &run(Emulator { options: Options { order, ..self.options } })?);
            if !differences.is_empty() {
                return Ok(Some((order, differences)));
            }
        }
        Ok(None)
    }
}

/// Another order of waves, and what a run leaves otherwise in it.
pub type WaveRace = (Order, Vec<Difference>);

/// What carries out the dispatch of a case or kernel when everything stands ready: the loops here, or a device.
pub trait Runner {
    /// Runs it.
    ///
    /// # Errors
    /// The runner cannot do it, or fails. What the program does wrong is [`Ran::trap`].
    fn run(&self, job: &Job<'_>) -> Result<Ran, EngineError>;

    /// How many bytes it takes while it runs, beside what is kept and the memory of the guest, which has so many.
    fn working(&self, dispatch: &Dispatch<'_>, guest: u64) -> u64 {
        let _ = guest;
        let threads = dispatch.count().min(dispatch.threads.max(1) as u64);
        let group = u64::from(dispatch.waves) * Wave::bytes(dispatch.program) + u64::from(dispatch.lds);
        threads.saturating_mul(group)
    }
}

/// A dispatch that is ready.
pub struct Job<'a> {
    /// The waves and what they run on.
    pub dispatch: &'a Dispatch<'a>,
    /// The first contents of LDS.
    pub lds: Option<&'a super::dispatch::FillLds<'a>>,
    /// What is worth keeping of waves and of LDS.
    pub keep: Wanted<'a>,
    /// How long all of it may take.
    pub timeout: Option<Duration>,
}

impl Runner for Emulator {
    fn run(&self, job: &Job<'_>) -> Result<Ran, EngineError> {
        Ok(self.go(job.dispatch, job.lds, job.keep, job.timeout, None))
    }
}

/// The emulator with another loop.
struct Loops<'a, 'l> {
    emulator: &'a Emulator,
    make: Option<&'a Loop<'l>>,
}

impl Runner for Loops<'_, '_> {
    fn run(&self, job: &Job<'_>) -> Result<Ran, EngineError> {
        Ok(self.emulator.go(job.dispatch, job.lds, job.keep, job.timeout, self.make))
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

/// What a run hands back.
#[derive(Default)]
pub struct Ran {
    /// The waves, by group.
    pub waves: Vec<WaveState>,
    /// What is looked at, where no more was wanted.
    pub observed: Option<Observed>,
    /// LDS of the groups.
    pub lds: Vec<engine::Memory>,
    /// What was sent.
    pub messages: Vec<Message>,
    /// The first trap.
    pub trap: Option<Trap>,
    /// What was executed.
    pub stats: Stats,
}

impl Emulator {
    /// Runs a dispatch. `keep` says which registers and whether LDS are worth keeping, `present` which waves a group has.
    fn go(
        &self,
        dispatch: &Dispatch<'_>,
        lds: Option<&super::dispatch::FillLds<'_>>,
        keep: Wanted<'_>,
        timeout: Option<Duration>,
        make: Option<&Loop<'_>>,
    ) -> Ran {
        let sum = Mutex::new(Stats::default());
        let keeper = Keeper::new(keep, dispatch);
        let paused = AtomicU32::new(0);
        let start = Instant::now();
        let deadline = timeout.and_then(|t| Some((start.checked_add(t)?, t)));
        let drive = |thread| -> Box<Drive<'_>> {
            let inner: Box<Drive<'_>> = match make {
                Some(make) => make(thread),
                None if self.options.stats => {
                    let mut counter = Counter::new(&sum);
                    Box::new(move |w, g, l| traced::wave(w, g, l, &mut counter))
                }
                None => Box::new(run::wave),
            };
            match deadline {
                Some((deadline, timeout)) => watched(inner, deadline, timeout),
                None => inner,
            }
        };
        let finish = |id: [u32; 3], waves: &[Wave], group: &Group<'_>| {
            let still = waves.iter().filter(|w| w.stop == Some(Stop::Paused)).count();
            paused.fetch_add(still as u32, Ordering::Relaxed);
            keeper.put(dispatch.number(id), id, waves.iter(), group.lds.words());
        };
        let keeps = !matches!(keep, Wanted::Nothing);
        let finished = dispatch.run_with(&Hooks { lds, finish: keeps.then_some(&finish as _), drive: Some(&drive) });
        let seconds = start.elapsed().as_secs_f64();
        let trapped = finished.groups.iter().find(|done| done.trap.is_some());
        let mut stats = sum.into_inner().unwrap_or_else(PoisonError::into_inner);
        stats.wave_instructions = finished.steps;
        stats.paused = paused.into_inner();
        stats.seconds = seconds;
        let mut ran = Ran {
            messages: finished.groups.iter().flat_map(messages).collect(),
            trap: trapped.and_then(|done| name_trap(dispatch.program, done)),
            stats,
            ..Ran::default()
        };
        // What ran behind the first trap did so by chance.
        let last =
            trapped.filter(|_| dispatch.limits.pause.is_none()).map(|done| (dispatch.number(done.group), done.group));
        keeper.end(last, &mut ran);
        ran
    }
}

/// Steps between two looks at the clock.
const CHUNK: u64 = 1 << 20;

/// A loop that stops waves when the time is over.
fn watched<'a>(mut inner: Box<Drive<'a>>, deadline: Instant, timeout: Duration) -> Box<Drive<'a>> {
    Box::new(move |wave, group, limits| {
        loop {
            if Instant::now() >= deadline {
                run::trap(wave, TrapKind::Watchdog(timeout));
                return;
            }
            let some = wave.steps.saturating_add(CHUNK).min(limits.instructions);
            inner(wave, group, Limits { instructions: some, ..limits });
            let stopped =
                matches!(&wave.stop, Some(Stop::Trap(cause)) if matches!(cause.kind, TrapKind::Budget { .. }));
            if !stopped || some == limits.instructions {
                return;
            }
        }
    })
}

/// What a group sent, in the order of its waves.
fn messages(done: &Done) -> Vec<Message> {
    let mut sent = done.messages.clone();
    sent.sort_by_key(|sent| sent.wave);
    let message = |sent: run::Sent| Message {
        group: done.group,
        wave: sent.wave,
        pc: u64::from(sent.at) * 4,
        message: sent.message as u16,
        m0: sent.m0,
    };
    sent.into_iter().map(message).collect()
}

/// The trap of a group, with its place.
fn name_trap(program: &Program, done: &Done) -> Option<Trap> {
    let (index, Cause { kind, lane, address }) = done.trap.clone()?;
    // Where the messages became too many the waves are gone, and it was the last message.
    let wave = done.waves.iter().find(|w| w.index == index).map(|wave| wave.pc);
    let at = wave.or_else(|| done.messages.last().map(|sent| sent.at))?;
    let pc = u64::from(at) * 4;
    Some(Trap { kind, group: done.group, wave: index, pc, instruction: program.text(at), lane, address })
}

/// An instruction that cannot be executed is no outcome.
fn refuse(ran: &Ran) -> Result<(), EngineError> {
    match &ran.trap {
        Some(Trap { kind: TrapKind::Unsupported { needs }, instruction, .. }) => {
            Err(Unsupported { instruction: instruction.clone(), needs: needs.clone() }.into())
        }
        _ => Ok(()),
    }
}
