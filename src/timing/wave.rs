//! What the [model](super::model) knows of a wave and of a SIMD.

use super::op::{COUNTERS, PORTS, REGISTERS};
use super::report::Why;
use std::collections::VecDeque;

/// Never.
pub(super) const NEVER: u64 = u64::MAX;

/// What was waited for, if anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reason {
    pub(super) why: Option<Why>,
    /// The instruction whose result it was, or none.
    pub(super) on: u32,
}

impl Reason {
    pub(super) const NONE: Reason = Reason { why: None, on: NO_STEP };

    /// Something that is no result of an instruction.
    #[inline]
    pub(super) fn of(why: Why) -> Reason {
        Reason { why: Some(why), on: NO_STEP }
    }

    /// A result.
    #[inline]
    pub(super) fn result(on: u32) -> Reason {
        Reason { why: Some(Why::Dependency), on }
    }
}

/// No instruction.
pub(super) const NO_STEP: u32 = u32::MAX;

/// A vector instruction between its issue and its start.
pub(super) struct Entry {
    pub(super) step: u32,
    pub(super) issue: u64,
}

/// Where a wave is with its next instruction: at which clock it can be issued, if its port is free, and why not before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Front {
    pub(super) at: u64,
    pub(super) reason: Reason,
}

impl Front {
    /// It is issued just now, or waits at a barrier, or has ended.
    pub(super) const NOWHERE: Front = Front { at: NEVER, reason: Reason::NONE };

    /// When it can be issued follows from the next start of a vector instruction: the queue is full, or a register comes from it.
    #[inline]
    pub(super) fn behind(why: Why) -> Front {
        Front { at: NEVER, reason: Reason::of(why) }
    }

    /// What it is behind, if it is.
    #[inline]
    pub(super) fn is_behind(self) -> Option<Why> {
        if self.at == NEVER { self.reason.why } else { None }
    }

    /// Puts it off, where something is there later only.
    #[inline]
    pub(super) fn wait(&mut self, until: u64, reason: Reason) {
        if until > self.at {
            *self = Front { at: until, reason };
        }
    }
}

/// A register of a wave.
#[derive(Clone, Copy)]
pub(super) struct Register {
    /// When its value is there.
    pub(super) ready: u64,
    /// The instruction that writes it.
    pub(super) writer: u32,
    /// The number of the vector instruction that will write it, if it has not started.
    pub(super) pending: u32,
}

/// What a SIMD knows of one of its waves: enough to find out whose turn it is.
#[derive(Clone, Copy)]
pub(super) struct Due {
    pub(super) slot: usize,
    /// When its next instruction can be issued, as far as itself is concerned, through which port, and whether the vector unit is to be free.
    pub(super) front: u64,
    pub(super) port: u8,
    pub(super) unit: bool,
    /// When the head of its queue leaves it, and whether that goes to the transcendental unit.
    pub(super) head: u64,
    pub(super) transcendental: bool,
}

/// What `s_delay_alu` said of a dependence of the instruction after so many; number 0 is none.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Delay {
    pub(super) skip: u8,
    pub(super) id: u8,
}

impl Delay {
    pub(super) const NONE: Delay = Delay { skip: 0, id: 0 };

    /// As it is for the next instruction.
    #[inline]
    pub(super) fn next(self) -> Delay {
        if self.skip == 0 { Delay::NONE } else { Delay { skip: self.skip - 1, ..self } }
    }
}

/// A wave.
pub(super) struct Wave {
    pub(super) group: [u32; 3],
    pub(super) number: u32,
    pub(super) simd: usize,
    /// Its place on the SIMD.
    pub(super) place: usize,
    pub(super) begin: u64,
    /// Its next instruction.
    pub(super) step: u32,
    /// The clock from which on that may be issued, and why not before.
    pub(super) base: u64,
    pub(super) base_why: Reason,
    pub(super) front: Front,
    /// When the head of the queue leaves it, a clock before its start, and what it waited for.
    pub(super) head: u64,
    pub(super) head_why: Reason,
    /// How much later it leaves because the SIMD slept.
    pub(super) slept: u64,
    pub(super) queue: VecDeque<Entry>,
    /// Vector instructions that were issued and started.
    pub(super) issued: u32,
    pub(super) started: u32,
    /// The first issue and the first start of a vector instruction, and the last start.
    pub(super) first_issue: Option<u64>,
    pub(super) first_start: Option<u64>,
    pub(super) last_vector: u64,
    /// When the results of all that has started are there.
    pub(super) results: u64,
    pub(super) registers: Box<[Register; REGISTERS]>,
    /// When what is outstanding comes back, by counter.
    pub(super) outstanding: [VecDeque<u64>; COUNTERS],
    /// The last issues of vector, transcendental and scalar instructions, the newest first.
    pub(super) vectors: [u64; 4],
    pub(super) transcendentals: [u64; 3],
    pub(super) scalars: [u64; 3],
    /// What `s_delay_alu` said: for the instruction after so many.
    pub(super) delays: [Delay; 2],
    /// Whether the instruction before is a vector instruction.
    pub(super) behind_vector: bool,
    /// Whether it waits at a barrier, and has ended.
    pub(super) at_barrier: bool,
    pub(super) ended: bool,
    /// The start of its last instruction: clocks are counted from there.
    pub(super) last: u64,
    /// When all that it sent has arrived.
    pub(super) drained: u64,
    pub(super) instructions: u64,
}

impl Wave {
    /// One that begins at a clock, on a SIMD and in a place there.
    pub(super) fn new((group, number): ([u32; 3], u32), (simd, place): (usize, usize), now: u64, step: u32) -> Wave {
        Wave {
            group,
            number,
            simd,
            place,
            begin: now,
            step,
            base: now,
            base_why: Reason::NONE,
            front: Front::NOWHERE,
            head: NEVER,
            head_why: Reason::NONE,
            slept: 0,
            queue: VecDeque::new(),
            issued: 0,
            started: 0,
            first_issue: None,
            first_start: None,
            last_vector: 0,
            results: 0,
            registers: Box::new([Register { ready: 0, writer: u32::MAX, pending: 0 }; REGISTERS]),
            outstanding: Default::default(),
            vectors: [0; 4],
            transcendentals: [0; 3],
            scalars: [0; 3],
            delays: [Delay::NONE; 2],
            behind_vector: false,
            at_barrier: false,
            ended: false,
            last: now,
            drained: now,
            instructions: 0,
        }
    }
}

/// A SIMD.
#[derive(Clone)]
pub(super) struct Simd {
    pub(super) waves: Vec<Due>,
    /// From when on each port is free.
    pub(super) ports: [u64; PORTS],
    /// From when on the vector unit is, and the transcendental one beside it.
    pub(super) vector: u64,
    pub(super) transcendental: u64,
    /// The last issue or start.
    pub(super) active: u64,
    /// When the instruction that started last leaves the unit, until it has.
    pub(super) leaves: Option<u64>,
    /// When something happens next, to which wave, and whether its instruction is issued or one leaves its queue.
    pub(super) next: u64,
    pub(super) turn: usize,
    pub(super) issues: bool,
}

impl Simd {
    /// One without waves.
    pub(super) const EMPTY: Simd = Simd {
        waves: Vec::new(),
        ports: [0; PORTS],
        vector: 0,
        transcendental: 0,
        active: 0,
        leaves: None,
        next: NEVER,
        turn: 0,
        issues: false,
    };

    /// Finds out what happens on it next. What leaves a queue comes before what is issued in the same clock, for which it makes
    /// room; of several waves, the one that has waited longest is first.
    #[inline]
    pub(super) fn settle(&mut self, now: u64) {
        let (mut leaves, mut issues) = ((NEVER, NEVER, 0), (NEVER, NEVER, 0));
        for due in &self.waves {
            if due.head != NEVER {
                let unit = if due.transcendental { self.vector.max(self.transcendental) } else { self.vector };
                let at = due.head.max(unit.saturating_sub(1)).max(now);
                if (at, due.head) < (leaves.0, leaves.1) {
                    leaves = (at, due.head, due.slot);
                }
            }
            if due.front != NEVER {
                let unit = if due.unit { self.vector } else { 0 };
                let at = due.front.max(self.ports[usize::from(due.port)]).max(unit).max(now);
                if (at, due.front) < (issues.0, issues.1) {
                    issues = (at, due.front, due.slot);
                }
            }
        }
        self.issues = issues.0 < leaves.0;
        (self.next, _, self.turn) = if self.issues { issues } else { leaves };
    }
}

/// The new value first, the oldest lost.
#[inline]
pub(super) fn push<const N: usize>(all: &mut [u64; N], value: u64) {
    all.rotate_right(1);
    all[0] = value;
}

/// When no more than so many are outstanding, of those that come back in order.
#[inline]
pub(super) fn left(outstanding: &VecDeque<u64>, n: usize) -> u64 {
    outstanding.len().checked_sub(n + 1).and_then(|last| outstanding.get(last)).copied().unwrap_or(0)
}

/// What `s_delay_alu` says: for the next instruction, and for that or one behind it.
pub(super) fn delays(imm: u32) -> [Delay; 2] {
    let (first, skip, second) = (imm & 15, imm >> 4 & 7, imm >> 7 & 15);
    let second = if second == 0 { Delay::NONE } else { Delay { skip: skip as u8, id: second as u8 } };
    [Delay { skip: 0, id: first as u8 }, second]
}
