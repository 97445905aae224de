//! Runs: vector instructions one behind the other that lanes go through without waiting for each other.
//!
//! Where an invocation has several lanes, what is done for each of them is a loop. Arithmetic of one lane looks at no other lane, and at scalar
//! registers that no lane writes; so one loop carries each lane through several instructions, and what it has in registers between them need
//! not be loaded again. A run ends behind an instruction that writes a mask, since that is complete only when all lanes have given their bit,
//! and before whatever is no plain arithmetic.

use super::super::lanes::SMALL;
use super::Lower;
use super::vector::Operation;
use crate::isa::does::{Control, Does, Lanes};
use crate::isa::row::Family;
use crate::isa::sem::Alg;
use crate::program::Step;
use crate::program::place::slot;
use std::collections::BTreeSet;

/// Instructions that a run has at most: what it holds has to fit somewhere.
const LONGEST: usize = 32;

/// An instruction that lanes go through.
pub(super) struct Member<'p> {
    /// Its number, where the module is still to say it.
    pub(super) line: Option<u32>,
    /// What it does.
    pub(super) operations: Vec<Operation<'p>>,
}

/// A run, and what stands among its instructions and does nothing.
pub(super) struct Run<'p> {
    pub(super) members: Vec<Member<'p>>,
    /// All its steps.
    pub(super) steps: u32,
    /// The step behind it.
    pub(super) next: u32,
}

impl Member<'_> {
    /// The operation that a mask is of.
    fn first(&self) -> &Operation<'_> {
        &self.operations[0]
    }

    fn writes_mask(&self) -> bool {
        let first = self.first();
        first.step.mask_dst != slot::SINK as u32 || first.post().exec
    }
}

/// A step as a member of a run, if it can be one.
fn member(at: u32, step: &Step) -> Option<Member<'_>> {
    use Family::{Vop1, Vop2, Vop3, Vop3p, Vopc, Vopd};
    let row = step.row?;
    let plain = step.executes
        && matches!(row.family, Vop1 | Vop2 | Vop3 | Vop3p | Vopc | Vopd)
        && step.meaning.is_some()
        && step.moves.is_none()
        && row.does != Does::Lanes(Lanes::ScalarFunction);
    let operations = plain.then(|| Operation::all(step).ok())??;
    let alone = operations.iter().all(Operation::stays_in_its_lane);
    alone.then_some(Member { line: Some(at), operations })
}

/// Whether a step is no more than a word to the hardware.
fn does_nothing(step: &Step) -> bool {
    use Family::{Sop1, Sopk, Sopp};
    step.row.is_some_and(|row| {
        let signals = row.does == Does::Control(Control::BarrierSignal { asks_first: false });
        step.executes && (signals || matches!(row.does, Does::Idle(_))) && matches!(row.family, Sop1 | Sopk | Sopp)
    })
}

impl<'p> Lower<'p> {
    /// The run that begins at a step, as long as no block begins in it; none where an invocation has one lane, and there is nothing to go through.
    pub(super) fn run_from(&self, first: u32, leaders: &BTreeSet<u32>) -> Option<Run<'p>> {
        let mut run = Run { members: Vec::new(), steps: 0, next: first };
        let more = |run: &Run<'_>| {
            let ended = run.members.last().is_some_and(Member::writes_mask);
            !ended && run.members.len() < LONGEST && (run.steps == 0 || !leaders.contains(&run.next))
        };
        while self.slots() > 1 && more(&run) {
            let Some(step) = self.program.steps.get(run.next as usize) else { break };
            match member(run.next, step) {
                Some(member) => run.members.push(member),
                None if !run.members.is_empty() && does_nothing(step) => {}
                None => break,
            }
            run.steps += 1;
            run.next = step.next;
        }
        (!run.members.is_empty()).then_some(run)
    }

    /// Carries all lanes through some instructions, the last of which may write a mask.
    pub(super) fn go_through(&self, members: &[Member<'_>]) {
        let Some(last) = members.last() else { return };
        let calls = members.iter().flat_map(|member| &member.operations).any(Operation::calls);
        self.small.set(if calls { 0 } else { SMALL * members.len() });
        let one = |lane| {
            members.iter().fold(None, |_, member| {
                if let Some(line) = member.line {
                    self.line(line);
                }
                Some(self.operate(&member.operations, lane))
            })
        };
        if last.writes_mask() {
            let mask = self.ballot(|lane| one(lane).unwrap_or(self.alg(lane.number).c(false)));
            if last.first().step.mask_dst != slot::SINK as u32 {
                self.set_mask(last.first().step.mask_dst, mask);
            }
            if last.first().post().exec {
                self.set_mask(slot::EXEC as u32, mask);
            }
        } else {
            self.each_active(|lane| {
                one(lane);
            });
        }
        self.small.set(SMALL);
    }
}
