//! Loops that look at every step.
//!
//! [`super::group::wave`] is bare. The loop here executes the same steps one at a time and shows each to a [`Watch`] before and after: for
//! statistics ([`Counter`]) and traces ([`record`]). It also knows another order of lanes ([`execute`]).

mod operands;
pub mod record;

use super::group::{Group, end, leave, trap};
use super::plan::Step;
use super::traps;
use super::wave::Wave;
use crate::engine::dispatch::Limits;
use crate::engine::order::Turns;
use crate::engine::{Stats, Stop, TrapKind};
use crate::isa::row::Family;
use crate::program::{Flags, STOP};
use std::sync::{Mutex, PoisonError};

/// Looks at steps.
pub trait Watch {
    /// Before a step.
    fn before(&mut self, wave: &Wave, step: &Step, group: &Group<'_>);

    /// After it, also if it trapped.
    fn after(&mut self, wave: &Wave, step: &Step, group: &Group<'_>);
}

/// Runs a wave until it stops, as [`super::group::wave`] does.
pub fn wave(wave: &mut Wave, group: &mut Group<'_>, limits: Limits, watch: &mut dyn Watch) {
    let program = group.program;
    wave.stop = None;
    let (end, pauses) = end(limits, wave);
    while wave.stop.is_none() {
        if wave.steps >= end {
            if pauses {
                wave.stop = Some(Stop::Paused);
                return;
            }
            trap(wave, TrapKind::Budget { limit: limits.instructions });
            return;
        }
        let Some(step) = group.steps.get(wave.pc as usize) else {
            leave(wave, program.address_of(wave.pc));
            return;
        };
        watch.before(wave, step, group);
        let next = execute(wave, step, group);
        wave.steps += 1;
        if next != STOP {
            wave.pc = next;
        } else if wave.stop.is_none() {
            leave(wave, program.address_of(STOP));
        } else if !matches!(wave.stop, Some(Stop::Trap(_))) {
            wave.pc = step.next;
        }
        watch.after(wave, step, group);
    }
}

/// Nobody looks.
impl Watch for () {
    fn before(&mut self, _: &Wave, _: &Step, _: &Group<'_>) {}

    fn after(&mut self, _: &Wave, _: &Step, _: &Group<'_>) {}
}

/// Executes a step, with the exceptions that enter a trap handler; where lanes come in another [order](crate::engine::order), a
/// memory instruction for each lane alone.
pub(super) fn execute(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    if group.program.handler.is_some() {
        return traps::guarded(wave, step, group);
    }
    in_turns(wave, step, group)
}

/// As [`execute`], whether there is a trap handler or not.
pub(super) fn in_turns(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let exec = wave.exec();
    let takes_turns = |family| family != Family::Smem;
    let alone = step.memory.as_ref().is_some_and(|access| !access.flags.contains(Flags::TOGETHER));
    if group.turns == Turns::default() || exec == 0 || !alone || !step.family().is_some_and(takes_turns) {
        return step.execute(wave, group);
    }
    let mut next = step.next;
    for lane in group.turns.of(exec) {
        wave.set_exec(1 << lane);
        next = step.execute(wave, group);
        if next == STOP {
            break;
        }
    }
    wave.set_exec(exec);
    next
}

/// Counts what one thread executes, and adds it to the sum of all when it is dropped.
pub struct Counter<'a> {
    families: [u64; 32],
    lanes: u64,
    sum: &'a Mutex<Stats>,
    list: [Option<Family>; 32],
}

impl<'a> Counter<'a> {
    /// Nothing counted yet.
    #[must_use]
    pub fn new(sum: &'a Mutex<Stats>) -> Counter<'a> {
        Counter { families: [0; 32], lanes: 0, sum, list: [None; 32] }
    }
}

/// Whether an instruction works on lanes.
fn is_vector(family: Family) -> bool {
    use Family::*;
    !matches!(family, Sop1 | Sop2 | Sopk | Sopc | Sopp | Smem)
}

impl Watch for Counter<'_> {
    fn before(&mut self, wave: &Wave, step: &Step, _: &Group<'_>) {
        let Some(family) = step.family() else { return };
        self.families[family as usize & 31] += 1;
        self.list[family as usize & 31] = Some(family);
        if is_vector(family) {
            self.lanes += u64::from(wave.exec().count_ones());
        }
    }

    fn after(&mut self, _: &Wave, _: &Step, _: &Group<'_>) {}
}

impl Drop for Counter<'_> {
    fn drop(&mut self) {
        let mut stats = Stats { lane_operations: self.lanes, ..Stats::default() };
        for (family, count) in self.list.iter().zip(self.families) {
            family.iter().for_each(|family| stats.count(*family, count));
        }
        self.sum.lock().unwrap_or_else(PoisonError::into_inner).merge(&stats);
    }
}
