//! How the lanes of a wave are carried out.
//!
//! What is done for each lane is written once ([`Lower::each_lane`]), and what lanes tell each other goes through three things: a value that every
//! lane hands out and any may read ([`Lower::publish`], [`Lower::fetch`]), a truth of every lane gathered to a mask ([`Lower::ballot`]), and a
//! single lane's word ([`Lower::one_lane`]).
//!
//! - *Serial*: an invocation is a wave, and what is done for each lane is a loop. Registers lie in the record. It needs nothing of the device.
//! - *Workgroup*: an invocation is a lane, a workgroup is a wave. Registers are variables; what lanes tell each other passes through
//!   workgroup memory, with barriers which all lanes reach, since they are always in the same block.
//! - *Subgroup*: a subgroup is a wave. Where it is smaller than the wave, each invocation has several lanes, in *slots*: lane `n` is slot `n / size`
//!   of invocation `n % size`, so that what is done for each lane is done for `size` lanes at once, slot by slot. Registers are variables
//!   with a word for each slot. Truths are gathered by the device's own ballots, and values pass through workgroup memory with a barrier of
//!   the subgroup, so that lanes may read them in any flow.
//!
//! A barrier may be a place where a driver suspends invocations, so that there are few. What lanes hand out is written to one of two memories in turn:
//! who still reads one has not come to the next barrier, and only behind that is it written again. Ballots take three in turn, since bits are
//! gathered in a memory that is clear: each clears the next one's.

mod device;

pub use device::Lack;

use super::alg::{Truth, Word};
use super::fault::Fault;
use super::lower::{Helper, Lower};
use super::module::{Id, instructions, is};
use super::state;
use crate::isa::sem::Alg;
use rspirv::spirv::{Capability, Op, StorageClass};
use std::cell::{Cell, RefCell};

/// How lanes are carried out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Model {
    /// A subgroup is a wave; an invocation has one lane or several.
    Subgroup,
    /// An invocation is a lane, a workgroup a wave.
    Workgroup,
    /// An invocation is a wave.
    Serial,
}

impl Model {
    /// Every model, the fastest first.
    pub const ALL: [Model; 3] = [Model::Subgroup, Model::Workgroup, Model::Serial];

    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Model::Serial => "serial",
            Model::Workgroup => "workgroup",
            Model::Subgroup => "subgroup",
        }
    }
}

/// A lane while something is done for it.
#[derive(Clone, Copy, Debug)]
pub struct Lane {
    /// Its number.
    pub number: Word,
    /// Which of its invocation's lanes it is.
    pub slot: Word,
    /// Whether EXEC has it.
    pub active: Truth,
}

/// What lanes hand each other, in workgroup memory but for the serial model.
#[derive(Default)]
pub(super) struct Exchange {
    /// The memories of values, each for two turns.
    values: RefCell<Vec<Id>>,
    /// Whose turn it is: a variable, and what it was at the last exchange.
    turn: Cell<Id>,
    now: Cell<Option<Word>>,
    /// Masks of three turns, and whose turn it is.
    ballots: Cell<Id>,
    ballot: Cell<Id>,
    /// The words of scalar accesses, for two turns.
    scalars: Cell<Id>,
    /// The lane that failed first, and why; then the lowest lane that failed, for two turns.
    faults: Cell<Id>,
}

impl Exchange {
    /// Whether an access may fail in a lane.
    pub(super) fn faults(&self) -> bool {
        self.faults.get() != 0
    }
}

const VOTE: Helper = Helper { name: "vote", results: 1, body: vote };
const VOTED: Helper = Helper { name: "voted", results: 1, body: voted };
const HAND: Helper = Helper { name: "hand", results: 1, body: hand };
const TAKE: Helper = Helper { name: "take", results: 1, body: take };
const TELL: Helper = Helper { name: "tell", results: 1, body: tell };
const TOLD: Helper = Helper { name: "told", results: TELLS, body: told };
const FAIL: Helper = Helper { name: "fail", results: 1, body: fail };
const FAILED: Helper = Helper { name: "failed", results: 1, body: failed };

/// What an instruction does for a lane is written for every slot if it has no more words than this, and no loops or calls; else there is a loop around it.
pub(super) const SMALL: usize = 160;
/// Words that are told at once.
const TELLS: u32 = 4;
/// Words that a scalar access may give.
const SCALARS: u32 = 32;
/// Words that lanes tell each other of a fault: the lane, then the words of the fault.
pub(super) const FAULT: u32 = 5;

impl Lower<'_> {
    /// Does something for each lane, active or not.
    pub(super) fn each_lane<T>(&self, mut body: impl FnMut(Lane) -> T) -> T {
        let exec = || {
            let mut exec = self.exec();
            if self.first_alone.get() {
                let k = self.alg(Word::Known(0));
                exec = k.and_d(exec, k.sub_d(k.d(0), exec));
            }
            if self.options.lanes == 64 && self.has(Fault::ExecHalvesSwapped) { (exec.1, exec.0) } else { exec }
        };
        // Of several lanes all look at what EXEC was before the first one did anything.
        let early = if self.slots() == 1 { None } else { Some(exec()) };
        self.each_slot(|number, slot| {
            let known = if let Word::Known(slot) = slot { self.active.borrow().get(&slot).copied() } else { None };
            let active = known.unwrap_or_else(|| {
                // Of a slot it is known beforehand which half it is in.
                let at = if self.slots() == 1 { number } else { self.first_of(slot) };
                let low = self.alg(number).lt_u(at, Word::Known(32));
                self.bit_in_half(early.unwrap_or_else(exec), low, number)
            });
            if let (0, Word::Known(slot)) = (self.depth.get(), slot) {
                self.active.borrow_mut().insert(slot, active);
            }
            body(Lane { number, slot, active })
        })
    }

    /// Does something for each lane that takes part: where lanes come one by one the others are skipped, else the body minds EXEC.
    pub(super) fn each_active(&self, mut body: impl FnMut(Lane)) {
        // Skipping would hide that EXEC is not minded.
        let faulty = self.has(Fault::ExecIgnored) || self.has(Fault::MaskNotAnded);
        if self.options.model != Model::Serial || faulty {
            return self.each_lane(body);
        }
        self.each_lane(|lane| self.when(lane.active, || body(Lane { active: Truth::Known(true), ..lane })));
    }

    /// How many lanes an invocation has.
    pub(super) fn slots(&self) -> u32 {
        match self.options.model {
            Model::Serial => self.options.lanes,
            Model::Workgroup => 1,
            Model::Subgroup => self.options.lanes / self.options.subgroup,
        }
    }

    /// Does something for each lane of the invocation, by its number and slot, whatever EXEC says.
    pub(super) fn each_slot<T>(&self, mut body: impl FnMut(Word, Word) -> T) -> T {
        let m = &self.m;
        let mut at = |slot: Word| body(self.lane_in(slot), slot);
        let slots = self.slots();
        if self.options.model == Model::Serial || slots > 1 && self.small.get() == 0 {
            return self.each_below(slots, at);
        }
        let mark = m.mark();
        let first = at(Word::Known(0));
        if slots == 1 {
            return first;
        }
        let loops = |inst: &[u32]| is(inst, Op::FunctionCall) || is(inst, Op::LoopMerge);
        let written = m.look(mark);
        let much = written.len() > self.small.get() || instructions(&written).any(loops);
        drop(written);
        if much {
            m.take(mark);
            self.active.borrow_mut().clear();
            return self.each_below(slots, at);
        }
        (1..slots).map(|slot| at(Word::Known(slot))).fold(first, |_, last| last)
    }

    /// The number of the invocation's lane in a slot.
    fn lane_in(&self, slot: Word) -> Word {
        match self.options.model {
            Model::Serial => slot,
            Model::Workgroup => self.own_lane(),
            Model::Subgroup => self.alg(Word::Known(0)).add(self.first_of(slot), self.own_lane()),
        }
    }

    /// The lowest lane of a slot.
    fn first_of(&self, slot: Word) -> Word {
        let k = self.alg(Word::Known(0));
        match self.options.model {
            Model::Serial => slot,
            Model::Workgroup => k.w(0),
            Model::Subgroup => k.mul(slot, k.w(self.options.subgroup)),
        }
    }

    /// The lanes of a slot for which a truth holds, counted from the first of the slot.
    pub(super) fn votes(&self, c: Truth) -> (Word, Word) {
        let (m, k) = (&self.m, self.alg(Word::Known(0)));
        m.capability(Capability::GroupNonUniformBallot);
        let votes = m.op(Op::GroupNonUniformBallot, m.quad(), &[m.constant(SUBGROUP), k.truth_id(c)]);
        let word = |n: u32| Word::Id(m.word_op(Op::CompositeExtract, &[votes, n]));
        (word(0), if self.options.subgroup == 64 { word(1) } else { k.w(0) })
    }

    /// What one invocation of the subgroup has, for all of them. Only where all are.
    pub(super) fn shuffled(&self, v: Word, from: Word) -> Word {
        let (m, k) = (&self.m, self.alg(Word::Known(0)));
        let Word::Id(id) = v else { return v };
        m.capability(Capability::GroupNonUniformShuffle);
        Word::Id(m.word_op(Op::GroupNonUniformShuffle, &[m.constant(SUBGROUP), id, k.id(from)]))
    }

    /// Does something for each number below another, in a loop of the device.
    pub(super) fn each_below<T>(&self, end: u32, body: impl FnOnce(Word) -> T) -> T {
        let (m, k) = (&self.m, self.alg(Word::Known(0)));
        let counter = m.variable(m.int());
        m.store(counter, m.constant(0));
        let [header, inside, cont, exit] = [(); 4].map(|()| m.id());
        m.branch(header);
        m.label(header);
        m.effect(Op::LoopMerge, &[exit, cont, DONT_UNROLL]);
        m.branch(inside);
        m.label(inside);
        let number = Word::Id(m.load(counter));
        let result = self.inside(|| body(number));
        m.branch(cont);
        m.label(cont);
        let next = k.add(number, k.w(1));
        m.store(counter, k.id(next));
        let more = k.truth_id(k.lt_u(next, k.w(end)));
        m.effect(Op::BranchConditional, &[more, header, exit]);
        m.label(exit);
        result
    }

    /// Does something for each lane that takes part, which gives a truth, false in others; gives the mask of them.
    pub(super) fn ballot(&self, mut body: impl FnMut(Lane) -> Truth) -> (Word, Word) {
        let m = &self.m;
        let k = self.alg(Word::Known(0));
        let upper = self.options.lanes == 64;
        match self.options.model {
            Model::Subgroup if self.slots() == 1 => self.votes(self.each_lane(body)),
            Model::Serial => {
                let mask = m.variable(m.array(m.int(), 2));
                let half = |n: Word| m.chain(StorageClass::Function, mask, &[k.id(n)]);
                for n in 0..2 {
                    m.store(half(k.w(n)), m.constant(0));
                }
                self.each_active(|lane| {
                    let bit = k.shl(k.bit(body(lane)), lane.number);
                    let half = half(k.shri(lane.number, 5));
                    m.store(half, k.id(k.or(Word::Id(m.load(half)), bit)));
                });
                let half = |n: u32| Word::Id(m.load(half(k.w(n))));
                (half(0), if upper { half(1) } else { Word::Known(0) })
            }
            Model::Subgroup => {
                let masks = [(); 2].map(|()| m.variable(m.int()));
                for mask in masks {
                    m.store(mask, m.constant(0));
                }
                self.each_lane(|lane| {
                    let c = body(lane);
                    let first = self.first_of(lane.slot);
                    let bits = k.shl(self.votes(c).0, first);
                    let low = k.lt_u(first, k.w(32));
                    for (mask, mine) in masks.into_iter().zip([low, k.negate(low)]) {
                        let old = Word::Id(m.load(mask));
                        m.store(mask, k.id(k.or(old, k.sel(mine, bits, k.w(0)))));
                    }
                });
                (Word::Id(m.load(masks[0])), if upper { Word::Id(m.load(masks[1])) } else { Word::Known(0) })
            }
            Model::Workgroup => {
                let lane = self.each_lane(|lane| lane);
                let c = body(lane);
                let (turn, next) = self.take_turn(&self.exchange.ballot, 3);
                self.call(VOTE, 0, &[turn, next, lane.number, k.bit(c)]);
                self.barrier();
                let half = |n: u32| self.call(VOTED, n, &[turn])[0];
                (half(0), if upper { half(1) } else { Word::Known(0) })
            }
        }
    }

    /// Whose turn it is among so many, and whose it is next.
    fn take_turn(&self, variable: &Cell<Id>, of: u32) -> (Word, Word) {
        let (m, k) = (&self.m, self.alg(Word::Known(0)));
        if variable.get() == 0 {
            variable.set(m.variable(m.int()));
        }
        let turn = Word::Id(m.load(variable.get()));
        let next = k.sel(k.eq(turn, k.w(of - 1)), k.w(0), k.add(turn, k.w(1)));
        m.store(variable.get(), k.id(next));
        (turn, next)
    }

    /// Before the first block: memories are clear, nobody has failed.
    pub(super) fn begin_exchange(&self) {
        let (m, k) = (&self.m, self.alg(Word::Known(0)));
        let Exchange { turn, ballot, ballots, faults, .. } = &self.exchange;
        for variable in [turn, ballot].into_iter().filter(|v| v.get() != 0) {
            m.store(variable.get(), m.constant(0));
        }
        if ballots.get() == 0 && faults.get() == 0 {
            return;
        }
        self.when(k.eq(self.own_lane(), k.w(0)), || {
            let clear = |memory: Id, n: u32, v: u32| {
                m.store(m.chain(StorageClass::Workgroup, memory, &[m.constant(n)]), m.constant(v));
            };
            if faults.get() != 0 {
                (0..2).for_each(|turn| clear(faults.get(), FAULT + turn, state::NO_LANE));
            }
            if ballots.get() != 0 {
                (0..2 * 3).for_each(|n| clear(ballots.get(), n, 0));
            }
        });
        self.barrier();
    }

    fn workgroup_words(&self, cell: &Cell<Id>, words: u32) -> Id {
        if cell.get() == 0 {
            let m = &self.m;
            cell.set(m.global(StorageClass::Workgroup, m.array(m.int(), words)));
        }
        cell.get()
    }

    /// A word of a memory of the workgroup.
    fn shared_word(&self, cell: &Cell<Id>, words: u32, at: Word) -> Id {
        let memory = self.workgroup_words(cell, words);
        self.m.chain(StorageClass::Workgroup, memory, &[self.alg(Word::Known(0)).id(at)])
    }

    /// The memory in which lanes hand out value `n`.
    fn exchange_memory(&self, n: usize) -> Id {
        let m = &self.m;
        let mut all = self.exchange.values.borrow_mut();
        while all.len() <= n {
            all.push(match self.options.model {
                Model::Serial => m.variable(m.array(m.int(), 64)),
                Model::Workgroup | Model::Subgroup => m.global(StorageClass::Workgroup, m.array(m.int(), 2 * 64)),
            });
        }
        all[n]
    }

    fn exchange_word(&self, n: usize, at: Word) -> Id {
        let class = match self.options.model {
            Model::Serial => StorageClass::Function,
            Model::Workgroup | Model::Subgroup => StorageClass::Workgroup,
        };
        let memory = self.exchange_memory(n);
        self.m.chain(class, memory, &[self.alg(Word::Known(0)).id(at)])
    }

    /// Every lane hands out some values; any may [fetch](Lower::fetch) them until the next time.
    pub(super) fn publish(&self, mut body: impl FnMut(Lane) -> Vec<Word>) {
        let k = self.alg(Word::Known(0));
        if self.options.model == Model::Serial {
            return self.each_lane(|lane| {
                for (n, v) in body(lane).into_iter().enumerate() {
                    self.m.store(self.exchange_word(n, lane.number), k.id(v));
                }
            });
        }
        let turn = self.take_turn(&self.exchange.turn, 2).0;
        self.exchange.now.set(Some(turn));
        self.each_lane(|lane| {
            for (n, v) in (0..).zip(body(lane)) {
                self.call(HAND, n, &[turn, lane.number, v]);
            }
        });
        self.barrier();
    }

    /// What a lane has handed out as value `n`.
    pub(super) fn fetch(&self, n: usize, lane: Word) -> Word {
        match self.exchange.now.get() {
            Some(turn) if self.options.model != Model::Serial => self.call(TAKE, n as u32, &[turn, lane])[0],
            _ => Word::Id(self.m.load(self.exchange_word(n, lane))),
        }
    }

    /// Words that lanes have read from memory, as lane 0 has them: another wave may have changed it meanwhile.
    pub(super) fn agreed(&self, words: &[Word]) -> Vec<Word> {
        let k = self.alg(Word::Known(0));
        match self.options.model {
            Model::Serial => return words.to_vec(),
            Model::Subgroup => return words.iter().map(|v| self.shuffled(*v, k.w(0))).collect(),
            Model::Workgroup => {}
        }
        let turn = self.take_turn(&self.exchange.turn, 2).0;
        let place = |n: usize| k.add(k.mul(turn, k.w(SCALARS)), k.w(n as u32 * TELLS));
        let chunks = || words.chunks(TELLS as usize).enumerate();
        for (n, chunk) in chunks() {
            let mut args = vec![place(n), self.own_lane()];
            args.extend((0..TELLS as usize).map(|n| chunk.get(n).copied().unwrap_or(k.w(0))));
            self.call(TELL, 0, &args);
        }
        self.barrier();
        let told = |(n, chunk): (usize, &[Word])| self.call(TOLD, 0, &[place(n)])[..chunk.len()].to_vec();
        chunks().flat_map(told).collect()
    }

    /// The words that lane 0 has found, while the others did nothing.
    pub(super) fn told_by_first(&self, body: impl FnOnce() -> Vec<Word>) -> Vec<Word> {
        let (m, k) = (&self.m, self.alg(Word::Known(0)));
        let mut words = Vec::new();
        let turn = k.mul(self.take_turn(&self.exchange.turn, 2).0, k.w(SCALARS));
        let place = |n: u32| self.shared_word(&self.exchange.scalars, 2 * SCALARS, k.add(turn, k.w(n)));
        self.when(k.eq(self.own_lane(), k.w(0)), || {
            words = body();
            for (n, v) in (0..SCALARS).zip(&words) {
                if let Word::Id(v) = v {
                    m.store(place(n), *v);
                }
            }
        });
        self.barrier();
        (0..)
            .zip(words)
            .map(|(n, v)| match v {
                Word::Known(_) => v,
                Word::Id(_) => Word::Id(m.load(place(n))),
            })
            .collect()
    }

    /// The lowest lane for which a condition holds, or [`state::NO_LANE`]; there was none before.
    pub(super) fn first_to_fail(&self, c: Truth) -> Word {
        let k = self.alg(Word::Known(0));
        // Who has looked goes on, and may fail again before others have looked.
        let turn = self.take_turn(&self.exchange.turn, 2).0;
        self.call(FAIL, 0, &[turn, k.bit(c), self.own_lane()]);
        self.barrier();
        self.call(FAILED, 0, &[turn])[0]
    }

    /// Word `n` of a fault: 0 is the lane.
    pub(super) fn word_of_fault(&self, n: u32) -> Id {
        self.shared_word(&self.exchange.faults, FAULT + 2, Word::Known(n))
    }

    /// The lowest lane that failed in a turn.
    fn lowest_failed(&self, turn: Word) -> Id {
        let at = self.alg(Word::Known(0)).add(turn, Word::Known(FAULT));
        self.shared_word(&self.exchange.faults, FAULT + 2, at)
    }

    /// The word of one lane of the first source, for all.
    pub(super) fn one_lane(&self, at: u32, lane: Word) -> Word {
        let active = Truth::Known(true);
        match self.options.model {
            Model::Serial => self.source(0, at, 0, Lane { number: lane, slot: lane, active }),
            Model::Subgroup => {
                let k = self.alg(Word::Known(0));
                let slot =
                    if self.slots() == 1 { k.w(0) } else { k.shri(lane, self.options.subgroup.trailing_zeros()) };
                let from = k.mask(lane, self.options.subgroup - 1);
                self.shuffled(self.source(0, at, 0, Lane { number: lane, slot, active }), from)
            }
            Model::Workgroup => {
                self.publish(|own| vec![self.source(0, at, 0, own)]);
                self.fetch(0, lane)
            }
        }
    }

    /// What lanes wrote before, all see behind it.
    pub(super) fn barrier(&self) {
        let scope = match self.options.model {
            Model::Serial => return,
            Model::Workgroup => WORKGROUP,
            Model::Subgroup => SUBGROUP,
        };
        let m = &self.m;
        m.effect(Op::ControlBarrier, &[m.constant(scope), m.constant(scope), m.constant(EVERYTHING)]);
    }
}

/// Turn, next turn, lane, its truth: gathers a mask.
fn vote(l: &Lower<'_>, _: u32, a: &[Word]) -> Vec<Word> {
    let (m, k) = (&l.m, l.alg(Word::Known(0)));
    let half = k.shri(a[2], 5);
    let word = |turn: Word| l.shared_word(&l.exchange.ballots, 2 * 3, k.add(k.shli(turn, 1), half));
    l.when(k.nz(a[3]), || {
        let bit = k.shl(k.w(1), a[2]);
        let operands = [word(a[0]), m.constant(WORKGROUP), m.constant(RELAXED), k.id(bit)];
        m.word_op(Op::AtomicOr, &operands);
    });
    l.when(k.eq(k.mask(a[2], 31), k.w(0)), || m.store(word(a[1]), m.constant(0)));
    vec![k.w(0)]
}

/// Turn: half of the mask.
fn voted(l: &Lower<'_>, half: u32, a: &[Word]) -> Vec<Word> {
    let k = l.alg(Word::Known(0));
    let at = k.add(k.shli(a[0], 1), k.w(half));
    vec![Word::Id(l.m.load(l.shared_word(&l.exchange.ballots, 2 * 3, at)))]
}

/// The word of a lane in the memories of values.
fn of_lane(l: &Lower<'_>, n: u32, turn: Word, lane: Word) -> Id {
    let k = l.alg(Word::Known(0));
    l.exchange_word(n as usize, k.add(k.shli(turn, 6), lane))
}

/// Turn, lane, value.
fn hand(l: &Lower<'_>, n: u32, a: &[Word]) -> Vec<Word> {
    l.m.store(of_lane(l, n, a[0], a[1]), l.alg(Word::Known(0)).id(a[2]));
    vec![Word::Known(0)]
}

/// Turn, lane: its value.
fn take(l: &Lower<'_>, n: u32, a: &[Word]) -> Vec<Word> {
    vec![Word::Id(l.m.load(of_lane(l, n, a[0], a[1])))]
}

/// The first word, lane, values: lane 0 writes them.
fn tell(l: &Lower<'_>, _: u32, a: &[Word]) -> Vec<Word> {
    let k = l.alg(Word::Known(0));
    l.when(k.eq(a[1], k.w(0)), || {
        for (n, v) in (0..).zip(&a[2..]) {
            l.m.store(l.shared_word(&l.exchange.scalars, 2 * SCALARS, k.add(a[0], k.w(n))), k.id(*v));
        }
    });
    vec![k.w(0)]
}

/// The first word: values.
fn told(l: &Lower<'_>, _: u32, a: &[Word]) -> Vec<Word> {
    let k = l.alg(Word::Known(0));
    let word = |n: u32| l.shared_word(&l.exchange.scalars, 2 * SCALARS, k.add(a[0], k.w(n)));
    (0..TELLS).map(|n| Word::Id(l.m.load(word(n)))).collect()
}

/// Turn, whether it fails, lane.
fn fail(l: &Lower<'_>, _: u32, a: &[Word]) -> Vec<Word> {
    let (m, k) = (&l.m, l.alg(Word::Known(0)));
    l.when(k.nz(a[1]), || {
        let operands = [l.lowest_failed(a[0]), m.constant(WORKGROUP), m.constant(RELAXED), k.id(a[2])];
        m.word_op(Op::AtomicUMin, &operands);
    });
    vec![k.w(0)]
}

/// Turn: the lowest lane that failed.
fn failed(l: &Lower<'_>, _: u32, a: &[Word]) -> Vec<Word> {
    vec![Word::Id(l.m.load(l.lowest_failed(a[0])))]
}

/// A loop that drivers had better leave alone: its body, with the float functions in it, may be thousands of instructions.
pub(crate) const DONT_UNROLL: u32 = 2;
/// The scope of a workgroup.
pub(crate) const WORKGROUP: u32 = 2;
/// The scope of a subgroup.
const SUBGROUP: u32 = 3;
/// The scope of a device.
pub(super) const DEVICE: u32 = 1;
/// No order.
pub(crate) const RELAXED: u32 = 0;
/// Acquire and release, of storage buffers and workgroup memory.
pub(crate) const EVERYTHING: u32 = 0x8 | 0x40 | 0x100;
