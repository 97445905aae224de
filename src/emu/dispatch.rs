//! A grid of groups, on as many threads as there are.
//!
//! Groups are handed out in order, one at a time; a thread keeps its waves and uses them again. What a group does to memory it shares with the
//! others is seen by them at once. The first trap, in the order of the groups, ends the run.

use super::order::Order;
use super::plan::Program;
use super::run::{self, Apertures, Drive, Group, Limits, MAX_MESSAGES, Sent};
use super::trap::{Cause, Stop};
use super::wave::Wave;
use crate::memory::guest::Memory;
use crate::memory::lds::Lds;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

/// What to run.
pub struct Dispatch<'a> {
    /// The code.
    pub program: &'a Program,
    /// Guest memory.
    pub memory: &'a Memory,
    /// Groups in each dimension.
    pub groups: [u32; 3],
    /// Waves of a group.
    pub waves: u32,
    /// Lanes of a wave: 32 or 64.
    pub lanes: u32,
    /// Bytes of the local data share of a group.
    pub lds: u32,
    /// Where shared memory and scratch appear in the flat address space.
    pub apertures: Apertures,
    /// Bytes of scratch memory that a lane has.
    pub scratch_per_lane: u32,
    /// Limits of each wave.
    pub limits: Limits,
    /// The order of waves and lanes.
    pub order: Order,
    /// How many threads.
    pub threads: usize,
    /// Keeps the waves of every group as they end.
    pub keep: bool,
    /// Gives a wave its first state.
    pub setup: &'a Setup<'a>,
}

/// Gives a wave its first state: the group, the wave's number in it, the wave. A wave which the group lacks, being a partial one, is
/// ended here ([`Stop::End`]).
pub type Setup<'a> = dyn Fn([u32; 3], u32, &mut Wave) + Sync + 'a;

/// Gives the local data share of a group its first contents.
pub type FillLds<'a> = dyn Fn([u32; 3], &mut [u32]) + Sync + 'a;

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
    /// The wave that trapped, and why.
    pub trap: Option<(u32, Cause)>,
}

/// What came of a run.
#[derive(Default)]
pub struct Finished {
    /// Groups that are worth mentioning: kept ones, those that sent messages, and the first that trapped.
    pub groups: Vec<Done>,
    /// Instructions executed by all waves.
    pub steps: u64,
}

impl Dispatch<'_> {
    /// How many groups there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.groups.iter().map(|n| u64::from(*n)).product()
    }

    /// The group with a number.
    #[must_use]
    pub fn group(&self, n: u64) -> [u32; 3] {
        let [x, y, _] = self.groups.map(u64::from);
        [(n % x) as u32, (n / x % y) as u32, (n / x / y) as u32]
    }

    /// The number of a group.
    #[must_use]
    pub fn number(&self, [gx, gy, gz]: [u32; 3]) -> u64 {
        let [x, y, _] = self.groups.map(u64::from);
        (u64::from(gz) * y + u64::from(gy)) * x + u64::from(gx)
    }

    /// Runs everything.
    ///
    /// # Panics
    /// Never, unless a thread of the run panicked.
    #[must_use]
    pub fn run(&self) -> Finished {
        self.run_with(&Hooks::default())
    }

    /// Runs everything, and lets others in.
    ///
    /// # Panics
    /// Never, unless a thread of the run panicked.
    #[must_use]
    pub fn run_with(&self, hooks: &Hooks<'_>) -> Finished {
        let thread = AtomicU32::new(0);
        let next = AtomicU64::new(0);
        let stop_at = AtomicU64::new(self.count());
        let done = Mutex::new(Vec::new());
        let steps = AtomicU64::new(0);
        let sent = AtomicUsize::new(0);
        let work = || {
            let mut waves: Vec<Wave> = Vec::new();
            let mut mine = 0;
            let thread = thread.fetch_add(1, Ordering::Relaxed);
            let mut drive: Box<Drive<'_>> = hooks.drive.map_or_else(|| Box::new(run::wave) as _, |make| make(thread));
            loop {
                let n = next.fetch_add(1, Ordering::Relaxed);
                if n >= stop_at.load(Ordering::Relaxed) {
                    break;
                }
                let result = self.one(n, thread, &mut waves, hooks, &mut *drive);
                mine += result.1;
                let mut result = result.0;
                let before = sent.fetch_add(result.messages.len(), Ordering::Relaxed);
                if before + result.messages.len() > MAX_MESSAGES
                    && result.trap.is_none()
                    && let Some(last) = result.messages.last()
                {
                    // Its waves have gone their way; that they were too many is what came of the run.
                    result.trap = Some((last.wave, run::too_many_messages().into()));
                }
                if result.trap.is_some() && self.limits.pause.is_none() {
                    // Groups behind this one need not run; those before it are running or done.
                    stop_at.fetch_min(n, Ordering::Relaxed);
                }
                if self.keep || result.trap.is_some() || !result.messages.is_empty() {
                    done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((n, result));
                }
            }
            steps.fetch_add(mine, Ordering::Relaxed);
        };
        let threads = self.threads.clamp(1, self.count().min(1024) as usize + 1);
        if threads == 1 {
            work();
        } else {
            std::thread::scope(|scope| {
                for _ in 0..threads {
                    scope.spawn(work);
                }
            });
        }
        let mut groups = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        groups.sort_by_key(|(n, _)| *n);
        // What ran behind the first trap did so by chance.
        let last = stop_at.load(Ordering::Relaxed);
        groups.retain(|(n, _)| *n <= last);
        Finished { groups: groups.into_iter().map(|(_, done)| done).collect(), steps: steps.load(Ordering::Relaxed) }
    }

    /// Runs one group; gives what came of it and how many instructions it took.
    fn one(&self, n: u64, thread: u32, waves: &mut Vec<Wave>, hooks: &Hooks<'_>, drive: &mut Drive<'_>) -> (Done, u64) {
        let id = self.group(n);
        waves.truncate(self.waves as usize);
        for wave in waves.iter_mut() {
            wave.reset(self.program);
        }
        while waves.len() < self.waves as usize {
            waves.push(Wave::new(self.program, self.lanes));
        }
        for (wave, index) in waves.iter_mut().zip(0..) {
            wave.index = index;
            wave.thread = thread;
            wave.set_apertures(self.apertures.shared, self.apertures.private);
            (self.setup)(id, index, wave);
        }
        let mut group = Group {
            program: self.program,
            memory: self.memory,
            lds: Lds::new(self.lds),
            messages: Vec::new(),
            waves: self.waves,
            id,
            apertures: self.apertures,
            scratch_per_lane: self.scratch_per_lane,
            turns: self.order.turns,
        };
        if let Some(fill) = hooks.lds {
            fill(id, group.lds.words_mut());
        }
        let shuffle = self.order.shuffle.map(|seed| seed ^ n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let trapped = run::group(waves, &mut group, self.limits, Order { shuffle, ..self.order }, drive);
        if let Some(finish) = hooks.finish {
            finish(id, waves, &group);
        }
        let steps = waves.iter().map(|w| w.steps).sum();
        let mut done = Done { group: id, messages: group.messages, ..Done::default() };
        if let Some(index) = trapped
            && let Some(Stop::Trap(cause)) = waves.iter().find(|w| w.index == index).and_then(|w| w.stop.clone())
        {
            done.trap = Some((index, *cause));
        }
        if self.keep || done.trap.is_some() {
            done.waves = std::mem::take(waves);
            done.lds = group.lds.words().to_vec();
        }
        (done, steps)
    }
}
