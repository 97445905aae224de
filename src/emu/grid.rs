//! A dispatch on the host: its groups, on as many threads as there are.
//!
//! Groups are handed out in order, one at a time; a thread keeps its waves and uses them again. What a group does to memory
//! it shares with the others is seen by them at once. The first trap, in the order of the groups, ends the run.
//!
//! Groups of a program in which they may have to wait for each other ([`across`](crate::engine::across)) run in turns on one thread.

use super::across::Shared;
use super::group::{self, Drive, Group, Sent};
use super::plan::Plan;
use super::wave::{Spare, Wave};
use crate::case::Export;
use crate::engine::barrier::Split;
use crate::engine::dispatch::{Dispatch, FillLds, MAX_EXPORTS, MAX_MESSAGES, too_many_exports, too_many_messages};
use crate::engine::order::Order;
use crate::engine::{Cause, Stop};
use crate::memory::lds::Lds;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// How many steps of waves take about as long as to start a thread.
const SHORT: u64 = 4096;

/// Looks at the waves of a group when it has ended.
pub type Finish<'a> = dyn Fn([u32; 3], &[Wave], &Group<'_>) + Sync + 'a;

/// Makes the loop of a thread, which has this number.
pub type MakeDrive<'a> = dyn Fn(u32) -> Box<Drive<'a>> + Sync + 'a;

/// Where a run lets others in. All of it may be left out.
#[derive(Default)]
pub struct Hooks<'a> {
    /// The first contents of LDS; zeroes without it.
    pub lds: Option<&'a FillLds<'a>>,
    /// Called when a group has ended, also by a trap.
    pub finish: Option<&'a Finish<'a>>,
    /// The loop; the bare one without it.
    pub drive: Option<&'a MakeDrive<'a>>,
    /// Keeps the waves of every group as they end.
    pub keep: bool,
    /// Where waves come from and go to.
    pub spare: Option<&'a Spare>,
}

/// What came of a group.
#[derive(Default)]
pub struct Done {
    /// The group.
    pub group: [u32; 3],
    /// Its waves, where they were to be kept or one trapped.
    pub waves: Vec<Wave>,
    /// The local data share, where the waves were to be kept.
    pub lds: Vec<u32>,
    /// What was sent.
    pub messages: Vec<Sent>,
    /// What was exported.
    pub exports: Vec<Export>,
    /// The wave that trapped, and why.
    pub trap: Option<(u32, Cause)>,
}

/// What came of a run.
#[derive(Default)]
pub struct Finished {
    /// Groups that are worth mentioning: kept ones, those that sent messages or exported, and the first that trapped.
    pub groups: Vec<Done>,
    /// Instructions executed by all waves.
    pub steps: u64,
}

/// Runs a dispatch of a program that was planned, and lets others in.
///
/// # Panics
/// Never, unless a thread of the run panicked.
#[must_use]
pub fn run<'d>(dispatch: &Dispatch<'d>, plan: &Plan<'d>, hooks: &Hooks<'d>) -> Finished {
    let shared = plan.program.across.then(|| Shared::new(dispatch.memory));
    let running = Running { dispatch, plan, hooks, shared: shared.as_ref() };
    match &shared {
        None => running.go(),
        Some(shared) => {
            let finished = running.in_turns(shared);
            shared.close(dispatch);
            finished
        }
    }
}

/// Runs a dispatch, and keeps all its waves.
///
/// # Panics
/// As [`run`].
#[must_use]
pub fn run_all(dispatch: &Dispatch<'_>) -> Finished {
    run(dispatch, &Plan::new(dispatch.program), &Hooks { keep: true, ..Hooks::default() })
}

/// A run on its way.
pub(super) struct Running<'a, 'd> {
    /// What is run.
    pub dispatch: &'a Dispatch<'d>,
    /// Its program.
    pub plan: &'a Plan<'d>,
    /// Who is let in.
    pub hooks: &'a Hooks<'d>,
    /// What groups share beside memory.
    pub shared: Option<&'a Shared>,
}

/// What has come of a run's groups so far, whichever thread they ran on.
pub(super) struct Ledger {
    stop_at: AtomicU64,
    done: Mutex<Vec<(u64, Done)>>,
    steps: AtomicU64,
    sent: AtomicUsize,
    exported: AtomicUsize,
}

impl Ledger {
    /// Of so many groups.
    pub fn new(groups: u64) -> Ledger {
        Ledger {
            stop_at: AtomicU64::new(groups),
            done: Mutex::new(Vec::new()),
            steps: AtomicU64::new(0),
            sent: AtomicUsize::new(0),
            exported: AtomicUsize::new(0),
        }
    }

    /// Whether a group need not run: it stands behind the last, or behind one that trapped.
    pub fn is_over(&self, n: u64) -> bool {
        n >= self.stop_at.load(Ordering::Relaxed)
    }

    /// Whether a trap ended the run of so many groups.
    pub fn is_stopped(&self, groups: u64) -> bool {
        self.stop_at.load(Ordering::Relaxed) < groups
    }

    /// Takes in what came of a group.
    pub fn put(&self, running: &Running<'_, '_>, n: u64, mut result: Done, steps: u64) {
        self.steps.fetch_add(steps, Ordering::Relaxed);
        // Most groups send nothing, and leave what the threads share alone.
        let passes = |sum: &AtomicUsize, more: usize, most: usize| {
            more > 0 && sum.fetch_add(more, Ordering::Relaxed) + more > most
        };
        let sent = passes(&self.sent, result.messages.len(), MAX_MESSAGES);
        let exported = passes(&self.exported, result.exports.len(), MAX_EXPORTS);
        // Its waves have gone their way; that they were too many is what came of the run.
        if result.trap.is_none() {
            let last = result.messages.last().filter(|_| sent);
            let sent = last.map(|last| (last.wave, too_many_messages().into()));
            let last = result.exports.last().filter(|_| exported);
            result.trap = sent.or(last.map(|last| (last.wave, too_many_exports().into())));
        }
        if result.trap.is_some() && running.dispatch.limits.pause.is_none() {
            // Groups behind this one need not run; those before it are running or done.
            self.stop_at.fetch_min(n, Ordering::Relaxed);
        }
        if running.hooks.keep || result.trap.is_some() || !result.messages.is_empty() || !result.exports.is_empty() {
            self.done.lock().unwrap_or_else(PoisonError::into_inner).push((n, result));
        }
    }

    /// What came of the run.
    pub fn close(self) -> Finished {
        let mut groups = self.done.into_inner().unwrap_or_else(PoisonError::into_inner);
        groups.sort_by_key(|(n, _)| *n);
        // What ran behind the first trap did so by chance.
        let last = self.stop_at.into_inner();
        groups.retain(|(n, _)| *n <= last);
        Finished { groups: groups.into_iter().map(|(_, done)| done).collect(), steps: self.steps.into_inner() }
    }
}

impl<'a> Running<'a, '_> {
    fn go(&self) -> Finished {
        let Running { dispatch, hooks, .. } = *self;
        let thread = AtomicU32::new(0);
        let next = AtomicU64::new(0);
        let ledger = Ledger::new(dispatch.count());
        // `ready` is told of each group that is about to run.
        let work = |ready: &mut dyn FnMut(&[Wave])| {
            let mut waves: Vec<Wave> = Vec::new();
            let thread = thread.fetch_add(1, Ordering::Relaxed);
            let mut drive: Box<Drive<'_>> = hooks.drive.map_or_else(|| Box::new(group::wave) as _, |make| make(thread));
            loop {
                let n = next.fetch_add(1, Ordering::Relaxed);
                if ledger.is_over(n) {
                    break;
                }
                let mut group = self.begin(n, thread, &mut waves);
                ready(&waves);
                let trapped = group::run(&mut waves, &mut group, dispatch.limits, self.order(n), &mut *drive);
                let (done, steps) = self.end(group, &mut waves, trapped);
                ledger.put(self, n, done, steps);
            }
            if let Some(spare) = hooks.spare {
                spare.put(waves);
            }
        };
        std::thread::scope(|scope| {
            // This thread is one of them. The others come when it has a group to run, by whose waves it can be told how much there is to do.
            let mut others = dispatch.threads.clamp(1, dispatch.count().clamp(1, 1024) as usize) - 1;
            work(&mut |waves| {
                let others = std::mem::take(&mut others);
                if others > 0 && !self.is_short(waves) {
                    (0..others).for_each(|_| _ = scope.spawn(|| work(&mut |_| ())));
                }
            });
        });
        ledger.close()
    }

    /// Whether all of the dispatch takes less time than to start a thread, as far as the waves of a group show: it has few steps, each taken once.
    /// Who shuffles waves wants to see what else may come of it, and gets threads.
    fn is_short(&self, waves: &[Wave]) -> bool {
        if self.dispatch.order.shuffle.is_some() {
            return false;
        }
        let steps = |wave: &Wave| Some(u64::from(self.plan.most_steps(wave.pc)?));
        let group: Option<u64> = waves.iter().map(steps).sum();
        group.is_some_and(|group| group.saturating_mul(self.dispatch.count()) <= SHORT)
    }

    /// The order of a group's waves.
    fn order(&self, n: u64) -> Order {
        let shuffle = self.dispatch.order.shuffle.map(|seed| seed ^ n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        Order { shuffle, ..self.dispatch.order }
    }

    /// Runs groups that may wait for each other.
    fn in_turns(&self, shared: &Shared) -> Finished {
        let Running { dispatch, hooks, .. } = *self;
        let ledger = Ledger::new(dispatch.count());
        let mut drive: Box<Drive<'_>> = hooks.drive.map_or_else(|| Box::new(group::wave) as _, |make| make(0));
        let mut spare: Vec<Vec<Wave>> = Vec::new();
        // Those who wait.
        let mut parked: BTreeMap<u64, (Group<'_>, Vec<Wave>)> = BTreeMap::new();
        let mut next = 0;
        loop {
            let gone = shared.first_gone(|n| parked.contains_key(&n));
            let (n, (mut group, mut waves)) = match gone.and_then(|n| parked.remove_entry(&n)) {
                Some(parked) => parked,
                None if ledger.is_over(next) => break,
                None => {
                    let mut waves = spare.pop().unwrap_or_default();
                    let group = self.begin(next, 0, &mut waves);
                    next += 1;
                    (next - 1, (group, waves))
                }
            };
            let trapped = group::run(&mut waves, &mut group, dispatch.limits, self.order(n), &mut *drive);
            if trapped.is_none() && waves.iter().any(|wave| wave.stop == Some(Stop::Queued)) {
                parked.insert(n, (group, waves));
                continue;
            }
            let over = trapped.is_some() && dispatch.limits.pause.is_none();
            self.close(n, group, waves, trapped, &ledger, &mut spare);
            if over {
                break;
            }
        }
        // Nobody lets go of those who still wait: that is a trap where it is the first one, and the waves of no other group could do so.
        let mut stuck = !ledger.is_stopped(dispatch.count());
        for (n, (group, mut waves)) in parked {
            let trapped = if stuck { group::deadlock(&mut waves, &Stop::Queued) } else { None };
            stuck &= trapped.is_none() || dispatch.limits.pause.is_some();
            self.close(n, group, waves, trapped, &ledger, &mut spare);
        }
        if let Some(kept) = hooks.spare {
            spare.into_iter().for_each(|waves| kept.put(waves));
        }
        ledger.close()
    }

    /// Takes in what came of a group, and its waves for the next one.
    fn close(
        &self,
        n: u64,
        group: Group<'_>,
        mut waves: Vec<Wave>,
        trapped: Option<u32>,
        ledger: &Ledger,
        spare: &mut Vec<Vec<Wave>>,
    ) {
        let (done, steps) = self.end(group, &mut waves, trapped);
        ledger.put(self, n, done, steps);
        spare.push(waves);
    }

    /// A group with its waves, ready to run. Waves that are there are used again.
    pub fn begin(&self, n: u64, thread: u32, waves: &mut Vec<Wave>) -> Group<'a> {
        let Running { dispatch, plan, hooks, shared } = *self;
        let id = dispatch.group(n);
        waves.truncate(dispatch.waves as usize);
        for wave in waves.iter_mut() {
            wave.reset(plan.program);
        }
        while waves.len() < dispatch.waves as usize {
            let new = || Wave::new(plan, dispatch.lanes);
            waves.push(hooks.spare.map_or_else(new, |spare| spare.wave(plan, dispatch.lanes)));
        }
        for (wave, index) in waves.iter_mut().zip(0..) {
            wave.index = index;
            wave.thread = thread;
            wave.set_apertures(dispatch.apertures.shared, dispatch.apertures.private);
            (dispatch.setup)(id, index, wave);
            wave.begin(plan);
        }
        let mut group = Group {
            program: plan.program,
            steps: &plan.bound.steps,
            memory: dispatch.memory,
            alone: dispatch.alone && (dispatch.threads <= 1 || dispatch.count() == 1),
            lds: Lds::new(dispatch.lds),
            messages: Vec::new(),
            exports: Vec::new(),
            waves: dispatch.waves,
            id,
            number: n,
            apertures: dispatch.apertures,
            scratch_per_lane: dispatch.scratch_per_lane,
            turns: dispatch.order.turns,
            split: Split::of(plan.program, dispatch.waves),
            live: waves.iter().filter(|wave| wave.stop != Some(Stop::End)).count() as u32,
            shared,
        };
        if let Some(fill) = hooks.lds {
            fill(id, group.lds.words_mut());
        }
        group
    }

    /// What came of a group that has run, one of whose waves may have trapped, and how many instructions it took.
    pub fn end(&self, group: Group<'_>, waves: &mut Vec<Wave>, trapped: Option<u32>) -> (Done, u64) {
        let hooks = self.hooks;
        waves.iter_mut().for_each(Wave::settle);
        if let Some(finish) = hooks.finish {
            finish(group.id, waves, &group);
        }
        let steps = waves.iter().map(|w| w.steps).sum();
        let mut done = Done { group: group.id, messages: group.messages, exports: group.exports, ..Done::default() };
        if let Some(index) = trapped
            && let Some(Stop::Trap(cause)) = waves.iter().find(|w| w.index == index).and_then(|w| w.stop.clone())
        {
            done.trap = Some((index, *cause));
        }
        if hooks.keep || done.trap.is_some() {
            done.waves = std::mem::take(waves);
            done.lds = group.lds.words().to_vec();
        }
        (done, steps)
    }
}
