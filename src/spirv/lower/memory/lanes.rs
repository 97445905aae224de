//! The lanes of a memory instruction: in order, up to the first that fails.
//!
//! An access is in two parts. The first finds out whether the lane fails, and may load; the second writes registers and memory. The wave stops
//! at the lowest lane that fails; what the lanes below it do is done. *Serial*: each lane does both parts before the next one begins. *Workgroup*:
//! all lanes do the first part, tell each other the lowest that failed, and the lanes up to it do the second; barriers before and behind
//! what is written keep the instructions of a wave in order. *Subgroup*: so do the lanes of each slot, slot by slot, until one has failed.

use super::Lower;
use crate::isa::sem::Alg;
use crate::program::Step;
use crate::spirv::alg::{Pair, Truth, Word};
use crate::spirv::fault::Fault as Planted;
use crate::spirv::lanes::{FAULT, Lane, Model};
use crate::spirv::module::Id;
use crate::spirv::state::{self, head, status};

/// What fails in a lane, if anything.
#[derive(Clone, Copy)]
pub(super) struct Fault {
    pub(super) failed: Truth,
    /// See [`state::trap`].
    pub(super) kind: Word,
    pub(super) address: Pair,
    pub(super) detail: Word,
}

impl Fault {
    /// Nothing fails.
    pub(super) const NONE: Fault = Fault {
        failed: Truth::Known(false),
        kind: Word::Known(0),
        address: (Word::Known(0), Word::Known(0)),
        detail: Word::Known(0),
    };

    fn words(&self) -> [Word; 4] {
        [self.kind, self.address.0, self.address.1, self.detail]
    }
}

impl Lower<'_> {
    /// The first of two faults.
    pub(super) fn first_fault(&self, a: Fault, b: Fault) -> Fault {
        let k = self.alg(Word::Known(0));
        if a.failed == Truth::Known(false) {
            return b;
        }
        if b.failed == Truth::Known(false) {
            return a;
        }
        Fault {
            failed: k.either(a.failed, b.failed),
            kind: k.sel(a.failed, a.kind, b.kind),
            address: k.sel_d(a.failed, a.address, b.address),
            detail: k.sel(a.failed, a.detail, b.detail),
        }
    }

    /// Does an access in each active lane. `act` gets whether the lane takes part: it is active, and none below it failed.
    pub(super) fn in_lanes<P>(
        &self,
        step: &Step,
        writes: bool,
        probe: impl FnMut(Lane) -> (P, Fault),
        act: impl FnMut(Lane, P, Truth),
    ) {
        match self.options.model {
            Model::Workgroup => self.together(step, writes, probe, act),
            Model::Serial | Model::Subgroup => self.by_slots(step, writes, probe, act),
        }
    }

    fn together<P>(
        &self,
        step: &Step,
        writes: bool,
        mut probe: impl FnMut(Lane) -> (P, Fault),
        mut act: impl FnMut(Lane, P, Truth),
    ) {
        let (m, k) = (&self.m, self.alg(Word::Known(0)));
        let lane = self.each_lane(|lane| lane);
        let (probed, fault) = probe(lane);
        if fault.failed == Truth::Known(false) {
            if writes {
                self.barrier();
            }
            let goes = if writes && self.has(Planted::StoreExecIgnored) { Truth::Known(true) } else { lane.active };
            act(lane, probed, goes);
            if writes {
                self.barrier();
            }
            return;
        }
        let first = self.first_to_fail(k.both(lane.active, fault.failed));
        act(lane, probed, k.both(lane.active, k.negate(k.lt_u(first, lane.number))));
        if writes {
            self.barrier();
        }
        self.leave_if(k.negate(k.eq(first, k.w(state::NO_LANE))), || {
            self.when(k.eq(first, lane.number), || {
                for (n, v) in (0..).zip([lane.number].into_iter().chain(fault.words())) {
                    m.store(self.word_of_fault(n), k.id(v));
                }
            });
            self.lane_fails(step);
        });
    }

    fn by_slots<P>(
        &self,
        step: &Step,
        writes: bool,
        mut probe: impl FnMut(Lane) -> (P, Fault),
        mut act: impl FnMut(Lane, P, Truth),
    ) {
        let k = self.alg(Word::Known(0));
        let serial = self.options.model == Model::Serial;
        let failed = self.var(k.w(0));
        let noted: Vec<Id> = (0..FAULT).map(|_| self.m.variable(self.m.int())).collect();
        let mut may_fail = false;
        if writes {
            self.barrier();
        }
        self.each_lane(|lane| {
            let before = if self.slots() == 1 { Truth::Known(false) } else { k.nz(self.get(failed)) };
            let on = k.negate(before);
            // A loop over lanes has nothing to do for one that is not active.
            let (on, lane) = if serial {
                (k.both(on, lane.active), Lane { active: Truth::Known(true), ..lane })
            } else {
                (on, lane)
            };
            self.when(on, || {
                let (probed, fault) = probe(lane);
                let ignored = writes && self.has(Planted::StoreExecIgnored);
                let mut goes = if ignored { Truth::Known(true) } else { lane.active };
                if fault.failed != Truth::Known(false) {
                    may_fail = true;
                    let fails = k.both(lane.active, fault.failed);
                    let first = self.lowest_in_slot(fails);
                    self.when(first.map_or(fails, |(any, _)| any), || {
                        let of_first = |v: Word| first.map_or(v, |(_, first)| self.shuffled(v, first));
                        self.put(failed, k.w(1));
                        self.put(noted[0], of_first(lane.number));
                        for (to, v) in noted[1..].iter().zip(fault.words()) {
                            self.put(*to, of_first(v));
                        }
                    });
                    if let Some((_, first)) = first {
                        goes = k.both(lane.active, k.negate(k.lt_u(first, self.own_lane())));
                    }
                }
                act(lane, probed, goes);
            });
        });
        if writes {
            self.barrier();
        }
        if may_fail {
            self.leave_if(k.nz(self.get(failed)), || {
                let words: Vec<Word> = noted.iter().map(|id| self.get(*id)).collect();
                self.stop_at(step, &words);
            });
        }
    }

    /// Whether a truth holds in a lane of the slot, and in which first, counted from the first of the slot; nothing where a slot is one lane.
    fn lowest_in_slot(&self, c: Truth) -> Option<(Truth, Word)> {
        if self.options.model == Model::Serial {
            return None;
        }
        let k = self.alg(Word::Known(0));
        let votes = self.votes(c);
        let any = k.nz_d(votes);
        Some((any, k.sel(any, k.ctz_d(votes), k.w(state::NO_LANE))))
    }

    /// The case in which the wave stops for a fault that a lane has written down.
    pub(in crate::spirv::lower) fn stop_for_lane(&self) {
        self.barrier();
        let words: Vec<Word> = (0..FAULT).map(|n| Word::Id(self.m.load(self.word_of_fault(n)))).collect();
        self.note_fault(&words);
        self.set_cell(head::STATUS, Word::Known(status::TRAPPED));
        self.m.branch(self.out.get());
    }

    /// Stops the wave at a step. The words are the lane and those of the fault.
    fn stop_at(&self, step: &Step, words: &[Word]) {
        self.note_fault(words);
        self.stop(status::TRAPPED, step.at);
    }

    fn note_fault(&self, words: &[Word]) {
        let cells = [head::LANE, head::TRAP, head::ADDRESS, head::ADDRESS + 1, head::DETAIL];
        for (cell, v) in cells.into_iter().zip(words) {
            self.set_cell(cell, *v);
        }
    }

    /// Stops the wave if there is a fault that all lanes know of.
    pub(super) fn stop_for(&self, step: &Step, fault: &Fault, lane: Word) {
        if fault.failed == Truth::Known(false) {
            return;
        }
        self.leave_if(fault.failed, || {
            let mut words = vec![lane];
            words.extend(fault.words());
            self.stop_at(step, &words);
        });
    }

    /// Does something for one lane after the other, where that matters: results of atomics come in the order of lanes.
    pub(super) fn in_turn(&self, lane: Lane, takes_part: Truth, ordered: bool, body: impl FnOnce(Truth)) {
        if self.options.model == Model::Serial || !ordered {
            return body(takes_part);
        }
        let k = self.alg(Word::Known(0));
        let (exec, own) = match self.options.model {
            // The lanes of other slots have their turns at other times.
            Model::Subgroup => (self.votes(lane.active), self.own_lane()),
            _ => (self.exec(), lane.number),
        };
        let left = [self.var(exec.0), self.var(exec.1)];
        self.repeat(|| {
            let now = (self.get(left[0]), self.get(left[1]));
            let turn = if self.has(Planted::LanesReversed) { k.sub(k.w(63), k.ctz_d(now)) } else { k.ctz_d(now) };
            let mine = k.eq(turn, own);
            self.when(k.both(mine, takes_part), || body(Truth::Known(true)));
            self.barrier();
            let rest = k.and_d(now, k.sub_d(now, k.d(1)));
            self.put(left[0], rest.0);
            self.put(left[1], rest.1);
            k.nz_d(rest)
        });
    }

    /// Does something once for the wave; all lanes get the words.
    pub(super) fn once(&self, body: impl FnOnce() -> Vec<Word>) -> Vec<Word> {
        if self.options.model == Model::Serial {
            return body();
        }
        self.told_by_first(body)
    }

    /// The words of a fault for [`Lower::once`].
    pub(super) fn told(&self, fault: &Fault) -> Vec<Word> {
        let mut words = vec![self.alg(Word::Known(0)).bit(fault.failed)];
        words.extend(fault.words());
        words
    }

    /// The fault that was told, and the words behind it.
    pub(super) fn heard<'w>(&self, words: &'w [Word]) -> (Fault, &'w [Word]) {
        let k = self.alg(Word::Known(0));
        let fault = Fault { failed: k.nz(words[0]), kind: words[1], address: (words[2], words[3]), detail: words[4] };
        (fault, &words[5..])
    }
}
