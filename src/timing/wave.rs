//! What the [model](super::model) knows of a wave: its place in the program, its registers, and what it has sent.
//!
//! A wave has a *front*, its next instruction and the clock at which that can be issued, and a *head*, the vector instruction
//! of its queue that starts next. Both are found out from what the wave knows by itself; whose turn it is, its SIMD finds out
//! from those of all its waves.

use super::machine::{Machine, Queue};
use super::model::Went;
use super::op::{COUNTERS, Kind, Op, Ops};
use super::report::Why;
use std::collections::VecDeque;

/// What waves execute, and on which machine.
#[derive(Clone, Copy)]
pub(super) struct Code<'p> {
    pub(super) machine: &'static Machine,
    pub(super) ops: &'p [Op],
    /// How many registers instructions name, and whether one asks for delays.
    pub(super) registers: usize,
    pub(super) delays: bool,
    /// Whether vector instructions are queued, and how. Without a queue these are zeroes.
    pub(super) queued: bool,
    pub(super) queue: Queue,
}

impl<'p> Code<'p> {
    pub(super) fn new(machine: &'static Machine, ops: &'p Ops) -> Code<'p> {
        Code {
            machine,
            ops,
            registers: ops.registers,
            delays: ops.iter().any(|op| matches!(op.kind, Kind::Delay(_))),
            queued: machine.queue.is_some(),
            queue: machine.queue.unwrap_or(Queue::NONE),
        }
    }
}

/// Instructions of a counter that may be outstanding.
const OUTSTANDING: usize = 63;

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
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) step: u32,
    pub(super) issue: u64,
}

/// The queue of a wave's vector instructions: a ring.
pub(super) struct Pending {
    entries: [Entry; Pending::ROOM],
    first: u8,
    len: u8,
}

impl Pending {
    /// A power of two; no machine has a deeper queue.
    const ROOM: usize = 16;

    pub(super) const EMPTY: Pending =
        Pending { entries: [Entry { step: 0, issue: 0 }; Pending::ROOM], first: 0, len: 0 };

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len.into()
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline]
    pub(super) fn first(&self) -> Option<Entry> {
        (self.len != 0).then(|| self.entries[usize::from(self.first) % Pending::ROOM])
    }

    #[inline]
    pub(super) fn push(&mut self, entry: Entry) {
        self.entries[usize::from(self.first + self.len) % Pending::ROOM] = entry;
        self.len += 1;
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<Entry> {
        let first = self.first()?;
        self.first = (self.first + 1) % Pending::ROOM as u8;
        self.len -= 1;
        Some(first)
    }

    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// Has so many entries from now on, whatever they are.
    pub(super) fn resize(&mut self, len: usize) {
        self.len = len.min(Pending::ROOM) as u8;
    }

    /// One of them, from the first one on.
    #[inline]
    pub(super) fn entry(&mut self, at: usize) -> &mut Entry {
        &mut self.entries[(usize::from(self.first) + at) % Pending::ROOM]
    }
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

    /// Why it is issued no earlier than now.
    #[inline]
    pub(super) fn held(self, now: u64) -> Reason {
        match self {
            Front { at, .. } if at < now => Reason::of(Why::Unit),
            Front { at: NEVER, .. } => Reason::NONE,
            Front { reason, .. } => reason,
        }
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

impl Register {
    /// One that nobody has to wait for.
    pub(super) const FREE: Register = Register { ready: 0, writer: NO_STEP, pending: 0 };
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
    /// Whether it goes to the transcendental unit.
    pub(super) head_transcendental: bool,
    /// How much later it leaves because the SIMD slept.
    pub(super) slept: u64,
    pub(super) queue: Pending,
    /// Vector instructions that were issued and started.
    pub(super) issued: u32,
    pub(super) started: u32,
    /// From which issue on its vector instructions take no clock more on their way, once there was one.
    pub(super) warm: u64,
    /// No instruction starts earlier that reads vector registers.
    pub(super) reads_from: u64,
    /// The last start of a vector instruction.
    pub(super) last_vector: u64,
    /// When the results of all that has started are there.
    pub(super) results: u64,
    pub(super) registers: Box<[Register]>,
    /// When what is outstanding comes back, by counter.
    pub(super) outstanding: [VecDeque<u64>; COUNTERS],
    /// The clocks behind the last issues: of vector instructions by the last bits of their numbers, of transcendental ones the
    /// newest first, and of a scalar one.
    pub(super) vectors: [u64; 4],
    pub(super) transcendentals: [u64; 3],
    pub(super) scalar: u64,
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
    pub(super) fn new(
        code: Code<'_>,
        (group, number): ([u32; 3], u32),
        (simd, place): (usize, usize),
        now: u64,
        step: u32,
    ) -> Wave {
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
            head_transcendental: false,
            slept: 0,
            queue: Pending::EMPTY,
            issued: 0,
            started: 0,
            warm: NEVER,
            reads_from: 0,
            last_vector: 0,
            results: 0,
            registers: vec![Register::FREE; code.registers].into(),
            outstanding: Default::default(),
            vectors: [0; 4],
            transcendentals: [0; 3],
            scalar: 0,
            delays: [Delay::NONE; 2],
            behind_vector: false,
            at_barrier: false,
            ended: false,
            last: now,
            drained: now,
            instructions: 0,
        }
    }

    /// Its next instruction; nothing where there is no code.
    #[inline]
    pub(super) fn op<'p>(&self, code: Code<'p>) -> Option<&'p Op> {
        code.ops.get(self.step as usize)
    }

    /// When its next instruction can be issued, as far as itself is concerned.
    #[inline(always)]
    pub(super) fn front(&self, code: Code<'_>) -> Front {
        if self.ended || self.at_barrier {
            return Front::NOWHERE;
        }
        let mut front = Front { at: self.base, reason: self.base_why };
        let Some(op) = self.op(code) else { return Front { reason: Reason::NONE, ..front } };
        if self.delays != [Delay::NONE; 2] {
            for delay in self.delays.iter().filter(|delay| delay.skip == 0) {
                front.wait(self.delayed(code.machine, delay.id.into()), Reason::of(Why::Asked));
            }
        }
        match op.kind {
            Kind::Vector if code.queued => {
                if self.queue.len() >= usize::from(code.queue.depth) {
                    return Front::behind(Why::Queue);
                }
                // What the queue will write is waited for there, and so are vector registers.
                for Register { ready, writer, pending } in op.scalars().iter().map(|n| self.register(*n)) {
                    if *pending <= self.started {
                        front.wait(*ready, Reason::result(*writer));
                    }
                }
            }
            Kind::Wait(waits) => {
                for (counter, n) in waits.counters() {
                    front.wait(left(&self.outstanding[counter], n), Reason::of(Why::Counter));
                }
                if let Some(n) = waits.vector {
                    if self.issued - self.started > u32::from(n) {
                        return Front::behind(Why::Counter);
                    }
                    if n == 0 {
                        front.wait(self.results, Reason::of(Why::Counter));
                    }
                }
            }
            Kind::Nop(n) | Kind::Sleep(n) => {
                let unit = if matches!(op.kind, Kind::Nop(_)) { u64::from(code.machine.interval) } else { 1 };
                let behind = if self.behind_vector { u64::from(code.machine.nop) } else { 0 };
                front.wait(self.base + u64::from(n) * unit + behind, Reason::of(Why::Asked));
                if front.reason.why.is_none() {
                    front.reason = Reason::of(Why::Asked);
                }
            }
            Kind::Delay(_) | Kind::Immediate | Kind::Barrier | Kind::End => {}
            _ => {
                if self.started != self.issued {
                    let mut both = op.reads.iter().chain(op.writes.iter());
                    if both.any(|n| self.register(*n).pending > self.started) {
                        return Front::behind(Why::Dependency);
                    }
                }
                for Register { ready, writer, .. } in op.reads.iter().map(|n| self.register(*n)) {
                    front.wait(*ready, Reason::result(*writer));
                }
                for counter in &op.counts {
                    front.wait(left(&self.outstanding[*counter as usize], OUTSTANDING), Reason::of(Why::Counter));
                }
            }
        }
        front
    }

    /// No earlier than at this clock it issues an instruction that it does not do by itself, or ends.
    pub(super) fn asks_from(&self, code: Code<'_>, limit: u64) -> u64 {
        if self.at_barrier {
            return NEVER;
        }
        if self.ended {
            return 0;
        }
        let more = self.op(code).map_or(0, |op| u64::from(op.run)).min(limit.saturating_sub(self.instructions));
        self.base + more * u64::from(code.machine.interval)
    }

    /// Whether it has ended, and its last instruction has started.
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.ended && self.queue.is_empty()
    }

    #[inline]
    fn register(&self, n: u16) -> &Register {
        &self.registers[usize::from(n)]
    }

    /// When `s_delay_alu` lets an instruction go on that depends on an earlier one, by the number of the dependence.
    fn delayed(&self, machine: &Machine, id: u32) -> u64 {
        let delay = u64::from(machine.delay);
        let (behind, delay) = match id {
            1..=4 => (self.vectors[self.issued.wrapping_sub(id) as usize % self.vectors.len()], delay),
            5..=7 => (self.transcendentals[id as usize - 5], 2 * delay),
            9..=11 => (self.scalar, u64::from(id - 8)),
            _ => (0, 0),
        };
        if behind == 0 { 0 } else { behind - 1 + delay }
    }

    /// Its next instruction is issued. What it writes is there at `done`, but for what goes through the queue.
    #[inline(always)]
    pub(super) fn issue(&mut self, code: Code<'_>, op: &Op, now: u64, done: u64) {
        self.instructions += 1;
        self.base = now + u64::from(op.interval);
        self.base_why = Reason::NONE;
        self.behind_vector = op.kind == Kind::Vector;
        if self.delays != [Delay::NONE; 2] {
            self.delays = self.delays.map(Delay::next);
        }
        match op.kind {
            Kind::Vector => {
                self.vectors[self.issued as usize % self.vectors.len()] = now + 1;
                if op.transcendental {
                    self.transcendentals.rotate_right(1);
                    self.transcendentals[0] = now + 1;
                }
                self.issued += 1;
                self.warm = self.warm.min(now + u64::from(code.queue.warm_up));
                if code.queued {
                    op.announces().iter().for_each(|n| self.registers[usize::from(*n)].pending = self.issued);
                    self.queue.push(Entry { step: self.step, issue: now });
                }
            }
            Kind::Scalar | Kind::Branch => {
                self.scalar = now + 1;
                for n in op.writes.iter() {
                    self.registers[usize::from(*n)] = Register { ready: done, writer: self.step, pending: 0 };
                }
            }
            Kind::Delay(imm) => self.delays = delays(imm),
            _ => {}
        }
    }

    /// Moves the counters of an instruction that is issued now, and is done later.
    pub(super) fn count(&mut self, op: &Op, now: u64, done: u64) {
        for counter in &op.counts {
            let outstanding = &mut self.outstanding[*counter as usize];
            while outstanding.front().is_some_and(|at| *at <= now) {
                outstanding.pop_front();
            }
            // Vector memory and the local data share answer in order; of scalar memory a program can only wait for all.
            let last = outstanding.back().copied().unwrap_or(0);
            outstanding.push_back(done.max(last));
            self.drained = self.drained.max(done);
        }
    }

    /// It goes where the instruction led that was issued just now.
    #[inline(always)]
    pub(super) fn go(&mut self, went: Went, machine: &Machine, now: u64) {
        match went {
            Went::To { step, taken } => {
                self.step = step;
                if taken {
                    self.base = now + u64::from(machine.taken);
                    self.base_why = Reason::of(Why::Fetch);
                }
            }
            Went::Barrier(step) => {
                self.step = step;
                self.at_barrier = true;
            }
            Went::Ended => self.ended = true,
        }
    }

    /// A vector instruction starts: when its result is there.
    #[inline(always)]
    pub(super) fn start(&mut self, code: Code<'_>, op: &Op, step: u32, start: u64) -> u64 {
        let done = op.done(start);
        if self.started == 0 {
            self.reads_from = start + u64::from(code.queue.first);
        }
        self.started += 1;
        self.last_vector = start;
        self.results = self.results.max(done);
        for n in op.writes.iter() {
            let register = &mut self.registers[usize::from(*n)];
            (register.ready, register.writer) = (done, step);
        }
        done
    }

    /// Finds out when the head of its queue leaves it, as far as itself is concerned.
    #[inline(always)]
    pub(super) fn find_head(&mut self, code: Code<'_>) {
        let Some(entry) = self.queue.first() else {
            self.head = NEVER;
            return;
        };
        let op = &code.ops[entry.step as usize];
        let mut why = Reason::of(Why::Pipeline);
        let mut start = entry.issue + u64::from(code.queue.constant);
        if op.reads_vectors {
            let cold = u64::from(entry.issue < self.warm);
            start = (entry.issue + u64::from(code.queue.vector) + cold).max(self.reads_from);
        }
        if self.last_vector + 1 >= start {
            (start, why) = (self.last_vector + 1, Reason::NONE);
        }
        for Register { ready, writer, .. } in op.reads.iter().map(|n| self.register(*n)) {
            if *ready > start {
                (start, why) = (*ready, Reason::result(*writer));
            }
        }
        self.head = start - 1;
        self.head_why = why;
        self.head_transcendental = op.transcendental;
    }
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
