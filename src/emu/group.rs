//! Waves and groups at work.
//!
//! A wave runs until it ends, traps or waits at a barrier. The waves of a group take turns on one thread; when all that are left wait, the barrier
//! opens. Ended waves no longer count. Waves and lanes come in the order of their numbers, or in [another](crate::engine::order).
//!
//! From gfx12 on a barrier is [two things](crate::engine::barrier): waves say that they have come, and wait until all have. A wave that waits for what nobody will
//! say any more traps.

use super::across::Shared;
use super::plan::{Plan, Step};
use super::traced;
use super::wave::Wave;
use crate::case::Export;
use crate::engine::barrier::Split;
use crate::engine::dispatch::Limits;
use crate::engine::order::{Order, Turns};
use crate::engine::{Cause, Stop, TrapKind};
use crate::fault;
use crate::launch::Apertures;
use crate::memory::guest::Memory;
use crate::memory::lds::Lds;
use crate::program::{Program, STOP, coverage};

/// What the waves of a group share.
pub struct Group<'a> {
    /// What they execute.
    pub program: &'a Program,
    /// Its steps, ready to be executed.
    pub steps: &'a [Step],
    /// Guest memory.
    pub memory: &'a Memory,
    /// Nobody else is in it.
    pub alone: bool,
    /// The local data share.
    pub lds: Lds,
    /// What was sent: wave, message, M0.
    pub messages: Vec<Sent>,
    /// What was exported.
    pub exports: Vec<Export>,
    /// How many waves the group has.
    pub waves: u32,
    /// Where the group stands in the grid.
    pub id: [u32; 3],
    /// Its number among all groups, in the order in which they begin.
    pub number: u64,
    /// Where shared memory and scratch appear in the flat address space.
    pub apertures: Apertures,
    /// Bytes of scratch memory that a lane has.
    pub scratch_per_lane: u32,
    /// In which order the lanes of a memory instruction come.
    pub turns: Turns,
    /// Its barrier from gfx12 on.
    pub split: Option<Split>,
    /// How many of its waves have not ended.
    pub live: u32,
    /// What it shares with all groups; nothing where it runs by itself.
    pub shared: Option<&'a Shared>,
}

impl<'a> Group<'a> {
    /// A group of one wave, without scratch memory.
    #[must_use]
    pub fn of_one(plan: &'a Plan<'_>, memory: &'a Memory, lds: Lds) -> Group<'a> {
        Group {
            program: plan.program,
            steps: &plan.bound.steps,
            memory,
            alone: false,
            lds,
            messages: Vec::new(),
            exports: Vec::new(),
            waves: 1,
            id: [0; 3],
            number: 0,
            apertures: Apertures::default(),
            scratch_per_lane: 0,
            turns: Turns::default(),
            split: None,
            live: 1,
            shared: None,
        }
    }

    /// A wave has ended.
    pub(super) fn ends(&mut self) {
        self.live = self.live.saturating_sub(1);
        if let Some(split) = &mut self.split {
            split.check(self.live);
        }
    }
}

/// A message of `s_sendmsg`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    /// The wave's number in the group.
    pub wave: u32,
    /// The message with its operation and stream, as encoded.
    pub message: u32,
    /// M0 at that time.
    pub m0: u32,
    /// The step that sent it.
    pub at: u32,
}

/// Where a wave stops, in steps, and whether it is paused there rather than trapped.
#[must_use]
pub(super) fn end(limits: Limits, wave: &Wave) -> (u64, bool) {
    let pause = limits.pause.map_or(u64::MAX, |ticks| ticks.saturating_sub(wave.idle));
    let instructions = limits.instructions.min(fault::budget());
    (instructions.min(pause), pause <= instructions)
}

/// Runs a wave until it stops.
pub fn wave(wave: &mut Wave, group: &mut Group<'_>, limits: Limits) {
    if group.turns != Turns::default() || group.program.handler.is_some() {
        return traced::wave(wave, group, limits, &mut ());
    }
    let (program, steps) = (group.program, group.steps);
    let mut pc = wave.pc;
    let (end, pauses) = end(limits, wave);
    let mut left = end.saturating_sub(wave.steps);
    let before = left;
    wave.stop = None;
    let mut at = pc;
    while left != 0 {
        // There is no step at STOP either.
        let Some(step) = steps.get(pc as usize) else { break };
        at = pc;
        left -= 1;
        pc = step.execute(wave, group);
    }
    if pc == STOP && before != 0 {
        // A trap stays at its instruction; a barrier and the end leave it behind.
        match steps.get(at as usize) {
            Some(step) if !matches!(wave.stop, Some(Stop::Trap(_)) | None) => pc = step.next,
            _ => pc = at,
        }
        if wave.stop.is_none() {
            leave(wave, program.address_of(STOP));
        }
    } else if left != 0 {
        leave(wave, program.address_of(pc));
    }
    wave.pc = pc;
    wave.steps += before - left;
    if left == 0 && wave.stop.is_none() {
        if pauses {
            wave.stop = Some(Stop::Paused);
        } else {
            trap(wave, TrapKind::Budget { limit: limits.instructions });
        }
    }
}

/// What runs a wave until it stops: [`wave`], or a loop that looks at every step.
pub type Drive<'d> = dyn FnMut(&mut Wave, &mut Group<'_>, Limits) + 'd;

/// Runs the waves of a group to their ends, until one traps, or until all that are left wait for waves of other groups: gives the number of one
/// that trapped. Waves that have ended before do not take part.
///
/// Where waves are paused, the others go on behind a trap as well, each as far as it comes: what is compared then must not depend on which wave
/// ran first. A barrier stays closed as long as a wave is paused or has trapped in front of it.
pub fn run(
    waves: &mut [Wave],
    group: &mut Group<'_>,
    limits: Limits,
    turns: Order,
    drive: &mut Drive<'_>,
) -> Option<u32> {
    let mut order: Vec<usize> = (0..waves.len()).collect();
    if turns.waves.down {
        order.reverse();
    }
    let mut seed = turns.shuffle;
    let_go(waves, group);
    loop {
        if let Some(seed) = &mut seed {
            permute(&mut order, seed);
        }
        let mut running: Vec<usize> = order.iter().copied().filter(|i| waves[*i].stop.is_none()).collect();
        while !running.is_empty() {
            let mut trapped = None;
            running.retain(|i| {
                // Behind a trap nobody runs.
                if trapped.is_some() {
                    return false;
                }
                let w = &mut waves[*i];
                let goes_on = turn(w, group, limits, turns.waves.slice, drive);
                if w.stop == Some(Stop::End) {
                    group.ends();
                }
                if matches!(w.stop, Some(Stop::Trap(_))) && limits.pause.is_none() {
                    trapped = Some(w.index);
                }
                goes_on
            });
            if trapped.is_some() {
                return trapped;
            }
        }
        // Both, for a barrier may open for those who were let go.
        let gone = let_go(waves, group);
        if !(open(waves, group, limits) || gone) {
            return waves.iter().filter(|w| matches!(w.stop, Some(Stop::Trap(_)))).map(|w| w.index).min();
        }
    }
}

/// Takes waves out of the queues that they were let out of; whether there are any.
fn let_go(waves: &mut [Wave], group: &Group<'_>) -> bool {
    let Some(shared) = group.shared else { return false };
    let mut any = false;
    for wave in waves.iter_mut().filter(|w| w.stop == Some(Stop::Queued)) {
        if let Some(gift) = shared.let_go((group.number, wave.index)) {
            if let Some(gift) = gift {
                gift.give(wave);
            }
            wave.stop = None;
            any = true;
        }
    }
    any
}

/// Opens the barrier, if it can be opened, for those who wait there: all that have not ended, or on gfx12 those whose signals are complete.
/// There a wave that waits for nobody traps.
fn open(waves: &mut [Wave], group: &Group<'_>, limits: Limits) -> bool {
    let waits = |w: &Wave| w.stop == Some(Stop::Barrier);
    if !waves.iter().any(waits) {
        return false;
    }
    let held = waves.iter().any(|w| matches!(w.stop, Some(Stop::Trap(_) | Stop::Paused | Stop::Queued)));
    // Nobody runs: who has not ended waits here, and has passed as often as the others.
    let complete = |w: &Wave| group.split.is_none_or(|split| w.passed < split.completed);
    let opens = !held && waves.iter().filter(|w| waits(w)).all(complete);
    if !opens {
        if !held && group.split.is_some() {
            deadlock(waves, &Stop::Barrier);
        }
        return false;
    }
    if limits.pause.is_some() {
        let last = waves.iter().filter(|w| waits(w)).map(|w| w.steps + w.idle).max().unwrap_or(0);
        waves.iter_mut().filter(|w| waits(w)).for_each(|w| w.idle = last - w.steps);
    }
    for w in waves.iter_mut().filter(|w| waits(w)) {
        w.passed = group.split.map_or(0, |split| split.completed);
        w.stop = None;
    }
    true
}

/// Nobody lets go of those who wait: a trap of the first wave with this stop, a barrier or a queue. Gives its number.
pub(super) fn deadlock(waves: &mut [Wave], at: &Stop) -> Option<u32> {
    let waiting = waves.iter().filter(|w| matches!(w.stop, Some(Stop::Queued | Stop::Barrier))).count() as u32;
    let all = waves.len() as u32;
    let wave = waves.iter_mut().find(|w| w.stop.as_ref() == Some(at))?;
    trap(wave, TrapKind::Deadlock { waiting, waves: all });
    // It stands behind its instruction: those of the wave sync have two words.
    wave.pc = wave.pc.saturating_sub(if *at == Stop::Queued { 2 } else { 1 });
    Some(wave.index)
}

/// Gives a wave its turn, of so many instructions at most; says whether it has not come to a stop by then.
fn turn(wave: &mut Wave, group: &mut Group<'_>, limits: Limits, slice: Option<u64>, drive: &mut Drive<'_>) -> bool {
    let end = slice.map_or(u64::MAX, |steps| wave.steps.saturating_add(steps.max(1)));
    if end >= limits.instructions {
        drive(wave, group, limits);
        return false;
    }
    drive(wave, group, Limits { instructions: end, ..limits });
    let spent = matches!(&wave.stop, Some(Stop::Trap(cause)) if matches!(cause.kind, TrapKind::Budget { .. }));
    let goes_on = spent && wave.steps >= end;
    if goes_on {
        wave.stop = None;
    }
    goes_on
}

/// Shuffles by Fisher and Yates with a multiplicative generator.
fn permute(order: &mut [usize], seed: &mut u64) {
    for i in (1..order.len()).rev() {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        order.swap(i, (*seed >> 33) as usize % (i + 1));
    }
}

/// Stops the wave with a trap.
pub fn trap(wave: &mut Wave, cause: impl Into<Cause>) -> u32 {
    wave.stop = Some(Stop::Trap(Box::new(cause.into())));
    STOP
}

/// Stops the wave, which asks for what there is not.
pub fn refuse(wave: &mut Wave, needs: &str) -> u32 {
    trap(wave, TrapKind::Unsupported { needs: needs.to_owned() })
}

/// Stops the wave, which wants to go on where there is no code.
pub fn leave(wave: &mut Wave, address: u64) -> u32 {
    trap(wave, Cause { kind: TrapKind::BadPc, lane: None, address: Some(address) })
}

/// A word that is no instruction; `s_code_end`, which stands behind the last one.
pub fn illegal(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let program = group.program;
    match program.executed(step.at) {
        Err(reason) => trap(wave, TrapKind::IllegalInstruction(reason)),
        Ok(_) => leave(wave, program.address_of(step.at)),
    }
}

/// An instruction that the emulator does not execute.
pub fn unsupported(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    refuse(wave, coverage::needs_at(group.program, step.at))
}

/// A step whose sources are computed on demand.
pub fn refreshed(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    wave.refresh();
    step.inner.run(wave, step, group)
}
