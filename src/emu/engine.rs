//! The emulator as an engine: cases and kernels go in, outcomes come out.
//!
//! They are [staged](crate::engine::stage) into a [dispatch](crate::engine::dispatch) as for every engine. The emulator [plans](super::plan) its program
//! and runs its groups on threads, each wave in the bare loop, or in a loop of the caller's that looks at every step; a
//! watchdog interrupts either. What a wave leaves is copied out when its group ends
//! ([`Wanted`]), and what is not wanted is not copied, so that a dispatch of a million waves needs no more of them at once than
//! there are threads.

use super::grid::{self, Done, Hooks};
use super::group::{self, Drive, Group};
use super::plan::Plan;
use super::timed;
use super::traced::{self, Counter};
use super::wave::{Spare, Wave};
use crate::case::{Case, Export, wave_size};
use crate::engine::compare::{Difference, outcomes};
use crate::engine::dispatch::{Dispatch, FillLds, Limits, too_many_exports};
use crate::engine::keep::{Keeper, Wanted};
use crate::engine::order::{Order, Turns};
use crate::engine::stage::case::{BASE, run_case};
use crate::engine::stage::kernel::run_kernel;
use crate::engine::{
    Cause, Engine, EngineError, Job, KernelError, KernelOutcome, Message, Options, Outcome, Ran, Runner, Stats, Stop,
    Support, Trap, TrapKind, support,
};
use crate::isa::Target;
use crate::launch::{self, Loaded};
use crate::program::Program;
use crate::timing::Report;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

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
        support(&Program::new(program.target, &program.words(), BASE))
    }

    fn run(&self, case: &Case, target: Target) -> Result<Outcome, EngineError> {
        self.run_case(case, target, None)
    }
}

impl Emulator {
    /// Runs a case, with another loop where one is given.
    ///
    /// # Errors
    /// As [`Engine::run`].
    pub fn run_case(&self, case: &Case, target: Target, make: Option<&Loop<'_>>) -> Result<Outcome, EngineError> {
        run_case(&Loops { emulator: self, way: make.map_or(Way::Usual, Way::Loop) }, &self.options, case, target)
    }

    /// Runs a kernel, with another loop where one is given. The memory of the dispatch is moved out of it.
    ///
    /// # Errors
    /// As [`run_kernel`].
    pub fn run_kernel(
        &self,
        loaded: &Loaded,
        launch: &mut launch::Dispatch,
        make: Option<&Loop<'_>>,
    ) -> Result<KernelOutcome, KernelError> {
        run_kernel(&Loops { emulator: self, way: make.map_or(Way::Usual, Way::Loop) }, &self.options, loaded, launch)
    }

    /// Where a run leaves something else when lanes come in another order.
    ///
    /// # Errors
    /// A run fails.
    pub fn races<O, E>(
        &self,
        run: impl Fn(Emulator) -> Result<O, E>,
        compare: impl Fn(&O, &O) -> Vec<Difference>,
    ) -> Result<Vec<Difference>, E> {
        self.races_in(Turns::OTHERS, &run(*self)?, run, compare)
    }

    /// Where a run leaves something else in some orders of lanes. `left` is what it leaves in the usual one.
    fn races_in<O, E>(
        &self,
        orders: impl IntoIterator<Item = Turns>,
        left: &O,
        run: impl Fn(Emulator) -> Result<O, E>,
        compare: impl Fn(&O, &O) -> Vec<Difference>,
    ) -> Result<Vec<Difference>, E> {
        let mut races = Vec::new();
        for turns in orders {
            let order = Order { turns, ..self.options.order };
            races.extend(compare(left, &run(Emulator { options: Options { order, ..self.options } })?));
        }
        Ok(races)
    }

    /// Whether all these places are decided by the order of lanes or waves: a random program, which has races like any
    /// other mistake, then says nothing about the engine that left something else there. `left` is what the case leaves in the usual order.
    #[must_use]
    pub fn order_decides(&self, case: &Case, target: Target, left: &Outcome, differences: &[Difference]) -> bool {
        let compare = |x: &Outcome, y: &Outcome| outcomes(case, target, x, y);
        let run = |emulator: Emulator| Engine::run(&emulator, case, target);
        let lanes = self.races_in(Turns::all(wave_size(target)), left, run, compare).unwrap_or_default();
        let waves = self.wave_races(left, run, compare).ok().flatten().map_or(Vec::new(), |(_, races)| races);
        differences.iter().all(|difference| difference.is_among(&lanes) || difference.is_among(&waves))
    }

    /// Whether a case leaves something else in any other order of lanes.
    #[must_use]
    pub fn lanes_race(&self, case: &Case, target: Target) -> bool {
        let run = |turns| {
            let order = Order { turns, ..self.options.order };
            Engine::run(&Emulator { options: Options { order, ..self.options } }, case, target).ok()
        };
        let usual = run(self.options.order.turns);
        let other = |left: Option<Outcome>| match (&usual, left) {
            (Some(usual), Some(left)) => !outcomes(case, target, usual, &left).is_empty(),
            (usual, left) => usual.is_some() != left.is_some(),
        };
        Turns::all(wave_size(target)).any(|turns| other(run(turns)))
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

impl Runner for Emulator {
    fn run(&self, job: &Job<'_>) -> Result<Ran, EngineError> {
        Ok(self.go(job.dispatch, job.lds, job.keep, job.timeout, Way::Usual, &Plan::new(job.dispatch.program), None))
    }

    fn working(&self, dispatch: &Dispatch<'_>, _: u64) -> u64 {
        // Groups that run in turns are all there at once.
        let most = if dispatch.program.across { u64::MAX } else { dispatch.threads.max(1) as u64 };
        let threads = dispatch.count().min(most);
        let group = u64::from(dispatch.waves) * Wave::bytes(dispatch.program) + u64::from(dispatch.lds);
        threads.saturating_mul(group)
    }
}

/// How groups are run.
#[derive(Clone, Copy)]
enum Way<'a, 'l> {
    /// By the bare loop, or by the one that counts.
    Usual,
    /// By a loop of the caller's.
    Loop(&'a Loop<'l>),
    /// Under the clock.
    Timed(&'a Clocked),
}

/// The emulator under the [clock](timed): an engine and a runner as the emulator is, which also knows what its last run took.
#[derive(Default)]
pub struct Clocked {
    /// The emulator.
    pub emulator: Emulator,
    /// How many events of each compute unit are kept: see [`Report::events`].
    pub events: usize,
    took: Mutex<Option<Took>>,
}

/// What a run under the clock took, and the program that it is about.
pub struct Took {
    /// What it took.
    pub report: Report,
    /// The program.
    pub program: Program,
}

impl Clocked {
    /// An emulator under the clock, which keeps so many [events](Report::events) of each compute unit.
    #[must_use]
    pub fn new(emulator: Emulator, events: usize) -> Clocked {
        Clocked { emulator, events, took: Mutex::default() }
    }

    /// What the last run took, which is told once; nothing where none came to run.
    #[must_use]
    pub fn took(&self) -> Option<Took> {
        self.took.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn loops(&self) -> Loops<'_, '_> {
        Loops { emulator: &self.emulator, way: Way::Timed(self) }
    }
}

impl Engine for Clocked {
    fn name(&self) -> &str {
        self.emulator.name()
    }

    fn supports(&self, case: &Case, target: Target) -> Support {
        self.emulator.supports(case, target)
    }

    fn run(&self, case: &Case, target: Target) -> Result<Outcome, EngineError> {
        run_case(&self.loops(), &self.emulator.options, case, target)
    }
}

impl Runner for Clocked {
    fn run(&self, job: &Job<'_>) -> Result<Ran, EngineError> {
        Runner::run(&self.loops(), job)
    }

    fn working(&self, dispatch: &Dispatch<'_>, guest: u64) -> u64 {
        self.emulator.working(dispatch, guest)
    }
}

/// The emulator in another way.
struct Loops<'a, 'l> {
    emulator: &'a Emulator,
    way: Way<'a, 'l>,
}

impl Runner for Loops<'_, '_> {
    fn run(&self, job: &Job<'_>) -> Result<Ran, EngineError> {
        let plan = Plan::new(job.dispatch.program);
        Ok(self.emulator.go(job.dispatch, job.lds, job.keep, job.timeout, self.way, &plan, None))
    }

    fn working(&self, dispatch: &Dispatch<'_>, guest: u64) -> u64 {
        self.emulator.working(dispatch, guest)
    }
}

impl Emulator {
    /// Runs a job whose program was planned before, with waves of earlier runs.
    #[must_use]
    pub fn run_planned(&self, job: &Job<'_>, plan: &Plan<'_>, spare: &Spare) -> Ran {
        self.go(job.dispatch, job.lds, job.keep, job.timeout, Way::Usual, plan, Some(spare))
    }

    /// Runs a dispatch. `keep` says which registers and whether LDS are worth keeping, `present` which waves a group has.
    #[allow(clippy::too_many_arguments, reason = "the parts of a job, and what a run may do without")]
    fn go(
        &self,
        dispatch: &Dispatch<'_>,
        lds: Option<&FillLds<'_>>,
        keep: Wanted<'_>,
        timeout: Option<Duration>,
        way: Way<'_, '_>,
        plan: &Plan<'_>,
        spare: Option<&Spare>,
    ) -> Ran {
        let sum = Mutex::new(Stats::default());
        let keeper = Keeper::new(keep, dispatch);
        let paused = AtomicU32::new(0);
        let start = Instant::now();
        let deadline = timeout.and_then(|t| Some((start.checked_add(t)?, t)));
        let drive = |thread| -> Box<Drive<'_>> {
            let inner: Box<Drive<'_>> = match way {
                Way::Loop(make) => make(thread),
                _ if self.options.stats => {
                    let mut counter = Counter::new(&sum);
                    Box::new(move |w, g, l| traced::wave(w, g, l, &mut counter))
                }
                _ => Box::new(group::wave),
            };
            match deadline {
                Some((deadline, timeout)) => watched(inner, deadline, timeout),
                None => inner,
            }
        };
        let finish = |id: [u32; 3], waves: &[Wave], group: &Group<'_>| {
            let still = waves.iter().filter(|w| w.stop == Some(Stop::Paused)).count();
            paused.fetch_add(still as u32, Ordering::Relaxed);
            keeper.put(dispatch.number(id), id, waves.iter().map(|w| &**w), group.lds.words());
        };
        let keeps = !matches!(keep, Wanted::Nothing);
        let finish = keeps.then_some(&finish as _);
        let hooks = Hooks { lds, finish, drive: Some(&drive), keep: false, spare };
        let finished = match way {
            Way::Timed(clocked) => {
                let (finished, report) = timed::run(dispatch, plan, &hooks, deadline, clocked.events);
                let Program { target, words, base, .. } = plan.program;
                let program = Program::new(*target, words, *base);
                *clocked.took.lock().unwrap_or_else(PoisonError::into_inner) = Some(Took { report, program });
                finished
            }
            _ => grid::run(dispatch, plan, &hooks),
        };
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
        ran.exports = finished.groups.into_iter().flat_map(exports).collect();
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
                group::trap(wave, TrapKind::Watchdog(timeout));
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
    let message = |sent: group::Sent| Message {
        group: done.group,
        wave: sent.wave,
        pc: u64::from(sent.at) * 4,
        message: sent.message as u16,
        m0: sent.m0,
    };
    sent.into_iter().map(message).collect()
}

/// What a group exported, in the order of its waves.
fn exports(mut done: Done) -> Vec<Export> {
    done.exports.sort_by_key(|export| export.wave);
    done.exports
}

/// The trap of a group, with its place.
fn name_trap(program: &Program, done: &Done) -> Option<Trap> {
    let (index, Cause { kind, lane, address }) = done.trap.clone()?;
    // Where messages or exports became too many the waves are gone, and it was the last one.
    let wave = done.waves.iter().find(|w| w.index == index).map(|wave| wave.pc);
    let sent = || match kind == too_many_exports() {
        true => done.exports.last().map(|export| (export.pc / 4) as u32),
        false => done.messages.last().map(|sent| sent.at),
    };
    let at = wave.or_else(sent)?;
    let pc = u64::from(at) * 4;
    Some(Trap { kind, group: done.group, wave: index, pc, instruction: program.text(at), lane, address })
}
