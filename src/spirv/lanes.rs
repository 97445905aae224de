//! How the lanes of a wave are carried out.
//!
//! What is done for each lane is written once ([`Lower::each_lane`]), and what lanes tell each other goes through three things: a value that every
//! lane hands out and any may read ([`Lower::publish`], [`Lower::fetch`]), a truth of every lane gathered to a mask ([`Lower::ballot`]), and a
//! single lane's word ([`Lower::one_lane`]).
//!
//! - *Serial*: an invocation is a wave, and what is done for each lane is a loop. Registers lie in the record. It needs nothing of the device.
//! - *Workgroup*: an invocation is a lane, a workgroup is a wave. Registers are variables; what lanes tell each other passes through
//!   workgroup memory, between barriers which all lanes reach, since they are always in the same block.

use super::alg::{Truth, Word};
use super::fault::Fault;
use super::lower::Lower;
use super::module::Id;
use crate::isa::sem::Alg;
use rspirv::spirv::{Op, StorageClass};

/// How lanes are carried out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Model {
    /// An invocation is a wave.
    Serial,
    /// An invocation is a lane, a workgroup a wave.
    Workgroup,
}

impl Model {
    /// Every model.
    pub const ALL: [Model; 2] = [Model::Serial, Model::Workgroup];

    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Model::Serial => "serial",
            Model::Workgroup => "workgroup",
        }
    }
}

/// A lane while something is done for it.
#[derive(Clone, Copy, Debug)]
pub struct Lane {
    /// Its number.
    pub number: Word,
    /// Whether EXEC has it.
    pub active: Truth,
}

impl Lower<'_> {
    /// Does something for each lane, active or not.
    pub(super) fn each_lane<T>(&self, body: impl FnOnce(Lane) -> T) -> T {
        let mut exec = self.exec();
        if self.options.lanes == 64 && self.has(Fault::ExecHalvesSwapped) {
            exec = (exec.1, exec.0);
        }
        self.lanes_of(exec, body)
    }

    fn lanes_of<T>(&self, exec: (Word, Word), body: impl FnOnce(Lane) -> T) -> T {
        let m = &self.m;
        match self.options.model {
            Model::Workgroup => {
                let number = self.own_lane();
                body(Lane { number, active: self.bit_of(exec, number) })
            }
            Model::Serial => {
                let k = self.alg(Word::Known(0));
                let counter = m.variable(m.int());
                m.store(counter, m.constant(0));
                let [header, inside, cont, exit] = [(); 4].map(|()| m.id());
                m.branch(header);
                m.label(header);
                m.effect(Op::LoopMerge, &[exit, cont, DONT_UNROLL]);
                m.branch(inside);
                m.label(inside);
                let number = Word::Id(m.load(counter));
                let result = body(Lane { number, active: self.bit_of(exec, number) });
                m.branch(cont);
                m.label(cont);
                let next = k.add(number, k.w(1));
                m.store(counter, k.id(next));
                let more = k.truth_id(k.lt_u(next, k.w(self.options.lanes)));
                m.effect(Op::BranchConditional, &[more, header, exit]);
                m.label(exit);
                result
            }
        }
    }

    /// Does something for each lane that gives a truth; gives the mask of them.
    pub(super) fn ballot(&self, body: impl FnOnce(Lane) -> Truth) -> (Word, Word) {
        let m = &self.m;
        let k = self.alg(Word::Known(0));
        let upper = self.options.lanes == 64;
        match self.options.model {
            Model::Serial => {
                let masks = [(); 2].map(|()| m.variable(m.int()));
                for mask in masks {
                    m.store(mask, m.constant(0));
                }
                self.each_lane(|lane| {
                    let bit = k.shl(k.bit(body(lane)), lane.number);
                    let low = k.lt_u(lane.number, k.w(32));
                    for (mask, mine) in masks.into_iter().zip([low, k.negate(low)]) {
                        let old = Word::Id(m.load(mask));
                        m.store(mask, k.id(k.or(old, k.sel(mine, bit, k.w(0)))));
                    }
                });
                (Word::Id(m.load(masks[0])), if upper { Word::Id(m.load(masks[1])) } else { Word::Known(0) })
            }
            Model::Workgroup => {
                let shared = self.ballot_memory();
                let lane = self.each_lane(|lane| lane);
                let word = |n: Id| m.chain(StorageClass::Workgroup, shared, &[n]);
                let half = k.shri(lane.number, 5);
                // Nobody reads the last mask any more.
                self.barrier();
                self.when(k.eq(k.mask(lane.number, 31), k.w(0)), || m.store(word(k.id(half)), m.constant(0)));
                self.barrier();
                let c = body(lane);
                self.when(c, || {
                    let bit = k.shl(k.w(1), lane.number);
                    let operands = [word(k.id(half)), m.constant(WORKGROUP), m.constant(RELAXED), k.id(bit)];
                    m.word_op(Op::AtomicOr, &operands);
                });
                self.barrier();
                let low = Word::Id(m.load(word(m.constant(0))));
                (low, if upper { Word::Id(m.load(word(m.constant(1)))) } else { Word::Known(0) })
            }
        }
    }

    fn ballot_memory(&self) -> Id {
        if self.ballots.get() == 0 {
            let m = &self.m;
            self.ballots.set(m.global(StorageClass::Workgroup, m.array(m.int(), 2)));
        }
        self.ballots.get()
    }

    /// The memory in which lanes hand out value `n`.
    fn exchange_memory(&self, n: usize) -> Id {
        let m = &self.m;
        let mut all = self.exchange.borrow_mut();
        while all.len() <= n {
            let array = m.array(m.int(), 64);
            all.push(match self.options.model {
                Model::Serial => m.variable(array),
                Model::Workgroup => m.global(StorageClass::Workgroup, array),
            });
        }
        all[n]
    }

    fn exchange_word(&self, n: usize, lane: Word) -> Id {
        let class = match self.options.model {
            Model::Serial => StorageClass::Function,
            Model::Workgroup => StorageClass::Workgroup,
        };
        let memory = self.exchange_memory(n);
        self.m.chain(class, memory, &[self.alg(Word::Known(0)).id(lane)])
    }

    /// Every lane hands out some values; any may [fetch](Lower::fetch) them until the next time.
    pub(super) fn publish(&self, body: impl FnOnce(Lane) -> Vec<Word>) {
        let k = self.alg(Word::Known(0));
        self.barrier();
        self.each_lane(|lane| {
            for (n, v) in body(lane).into_iter().enumerate() {
                self.m.store(self.exchange_word(n, lane.number), k.id(v));
            }
        });
        self.barrier();
    }

    /// What a lane has handed out as value `n`.
    pub(super) fn fetch(&self, n: usize, lane: Word) -> Word {
        Word::Id(self.m.load(self.exchange_word(n, lane)))
    }

    /// The word of one lane of a register, for all.
    pub(super) fn one_lane(&self, at: u32, lane: Word) -> Word {
        match self.options.model {
            Model::Serial => self.v(at, Lane { number: lane, active: Truth::Known(true) }),
            Model::Workgroup => {
                self.publish(|own| vec![self.v(at, own)]);
                self.fetch(0, lane)
            }
        }
    }

    /// What lanes wrote before, all see behind it.
    pub(super) fn barrier(&self) {
        if self.options.model == Model::Workgroup {
            let m = &self.m;
            m.effect(Op::ControlBarrier, &[m.constant(WORKGROUP), m.constant(WORKGROUP), m.constant(EVERYTHING)]);
        }
    }
}

/// A loop that drivers had better leave alone: its body, with the float functions in it, may be thousands of instructions.
pub(super) const DONT_UNROLL: u32 = 2;
/// The scope of a workgroup.
pub(super) const WORKGROUP: u32 = 2;
/// The scope of a device.
pub(super) const DEVICE: u32 = 1;
/// No order.
pub(super) const RELAXED: u32 = 0;
/// Acquire and release, of storage buffers and workgroup memory.
const EVERYTHING: u32 = 0x8 | 0x40 | 0x100;
