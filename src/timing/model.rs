//! A compute unit at work, clock by clock.
//!
//! Each SIMD issues, in a clock, an instruction of one wave through each of its ports. What is issued goes to its unit at once, but for
//! vector instructions where the machine has a [queue](super::machine::Queue) of them for each wave: there they start later, in order, when their
//! registers are there and the unit is free. So a wave has a *front*, its next instruction and the clock at which it can be issued, and a
//! *head*, the instruction of its queue that starts next. The model goes from event to event, whichever comes first.
//!
//! It executes nothing. Whoever does asks for the [next](ComputeUnit::next_issue) issue, executes that instruction, and says what it
//! [did](ComputeUnit::issue): where in memory it went, and which instruction follows.

use super::machine::{Machine, Queue};
use super::op::{COUNTERS, Kind, Op, PORTS, REGISTERS, VECTORS};
use super::report::{Event, Report, StepTime, WaveTime, Why};
use super::traffic::{Caches, Traffic};
use std::collections::VecDeque;

/// Never.
const NEVER: u64 = u64::MAX;

/// Instructions of a counter that may be outstanding.
const OUTSTANDING: usize = 63;

/// What a wait was for: the reason, and the instruction whose result was waited for.
type Reason = (Why, Option<u32>);

/// A vector instruction between its issue and its start.
struct Entry {
    step: u32,
    issue: u64,
}

/// Where a wave is with its next instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Front {
    /// It can be issued at this clock, if its port is free.
    At(u64, Option<Reason>),
    /// When it can be issued follows from the next start of a vector instruction: the queue is full, or a register comes from it.
    Behind(Why),
    /// It is issued just now, or waits at a barrier, or has ended.
    Nowhere,
}

/// A wave.
struct Wave {
    group: [u32; 3],
    number: u32,
    simd: usize,
    begin: u64,
    /// Its next instruction.
    step: u32,
    /// The clock from which on that may be issued, and why not before.
    base: u64,
    base_why: Option<Why>,
    front: Front,
    /// When the head of the queue leaves it, a clock before its start, and what it waited for.
    head: u64,
    head_why: Option<Reason>,
    /// How much later it leaves because the SIMD slept.
    slept: u64,
    queue: VecDeque<Entry>,
    /// Vector instructions that were issued and started.
    issued: u32,
    started: u32,
    /// The first issue and the first start of a vector instruction, and the last start.
    first_issue: Option<u64>,
    first_start: Option<u64>,
    last_vector: u64,
    /// When the results of all that has started are there.
    results: u64,
    /// When each register is there, who writes it, and the number of the vector instruction which will, if it has not started.
    ready: Box<[u64; REGISTERS]>,
    writer: Box<[u32; REGISTERS]>,
    pending: Box<[u32; REGISTERS]>,
    /// When what is outstanding comes back, by counter.
    outstanding: [VecDeque<u64>; COUNTERS],
    /// The last issues of vector, transcendental and scalar instructions, the newest first.
    vectors: [u64; 4],
    transcendentals: [u64; 3],
    scalars: [u64; 3],
    /// What `s_delay_alu` said: for the instruction after so many.
    delays: [Option<(u8, u32)>; 2],
    /// Whether the instruction before is a vector instruction.
    behind_vector: bool,
    /// Whether it waits at a barrier, and has ended.
    at_barrier: bool,
    ended: bool,
    /// The start of its last instruction: clocks are counted from there.
    last: u64,
    /// When all that it sent has arrived.
    drained: u64,
    instructions: u64,
}

/// A SIMD.
#[derive(Clone, Default)]
struct Simd {
    waves: Vec<usize>,
    /// From when on each port is free.
    ports: [u64; PORTS],
    /// From when on the vector unit is, and the transcendental one beside it.
    vector: u64,
    transcendental: u64,
    /// The last issue or start.
    active: u64,
    /// When the instruction that started last leaves the unit, until it has.
    leaves: Option<u64>,
    /// When something happens next, as far as it is known.
    next: u64,
}

/// A compute unit.
pub struct ComputeUnit<'p> {
    machine: &'static Machine,
    ops: &'p [Op],
    number: u32,
    now: u64,
    simds: Vec<Simd>,
    waves: Vec<Wave>,
    free: Vec<usize>,
    /// From when on the paths that all SIMDs share are free.
    lds: u64,
    memory: u64,
    scalar: u64,
    caches: Caches,
    report: Report,
}

/// What an instruction did when it was executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Went {
    /// To the instruction behind it, or to another.
    To {
        /// The number of its first word.
        step: u32,
        /// It was a branch, and taken.
        taken: bool,
    },
    /// To a barrier; behind it the wave goes on here.
    Barrier(u32),
    /// Nowhere: the wave has ended, or trapped.
    Ended,
}

impl<'p> ComputeUnit<'p> {
    /// One without waves.
    #[must_use]
    pub fn new(machine: &'static Machine, ops: &'p [Op], number: u32) -> ComputeUnit<'p> {
        ComputeUnit {
            machine,
            ops,
            number,
            now: 0,
            simds: vec![Simd { next: NEVER, ..Simd::default() }; usize::from(machine.simds)],
            waves: Vec::new(),
            free: Vec::new(),
            lds: 0,
            memory: 0,
            scalar: 0,
            caches: Caches::new(machine.paths),
            report: Report { steps: vec![StepTime::default(); ops.len()], ..Report::default() },
        }
    }

    /// The clock.
    #[must_use]
    pub fn now(&self) -> u64 {
        self.now
    }

    /// Waves of all its SIMDs.
    #[must_use]
    pub fn resident(&self) -> usize {
        self.simds.iter().map(|simd| simd.waves.len()).sum()
    }

    /// Puts a wave on the SIMD that has the fewest, to begin with an instruction; gives its number.
    pub fn add(&mut self, group: [u32; 3], number: u32, step: u32) -> usize {
        let simd = (0..self.simds.len()).min_by_key(|n| self.simds[*n].waves.len()).unwrap_or(0);
        let wave = Wave {
            group,
            number,
            simd,
            begin: self.now,
            step,
            base: self.now,
            base_why: None,
            front: Front::Nowhere,
            head: NEVER,
            head_why: None,
            slept: 0,
            queue: VecDeque::new(),
            issued: 0,
            started: 0,
            first_issue: None,
            first_start: None,
            last_vector: 0,
            results: 0,
            ready: Box::new([0; REGISTERS]),
            writer: Box::new([u32::MAX; REGISTERS]),
            pending: Box::new([0; REGISTERS]),
            outstanding: Default::default(),
            vectors: [0; 4],
            transcendentals: [0; 3],
            scalars: [0; 3],
            delays: [None; 2],
            behind_vector: false,
            at_barrier: false,
            ended: false,
            last: self.now,
            drained: self.now,
            instructions: 0,
        };
        let slot = match self.free.pop() {
            Some(slot) => {
                self.waves[slot] = wave;
                slot
            }
            None => {
                self.waves.push(wave);
                self.waves.len() - 1
            }
        };
        self.simds[simd].waves.push(slot);
        self.report.occupancy = self.report.occupancy.max(self.simds[simd].waves.len() as u32);
        self.look_ahead(slot);
        slot
    }

    /// The wave whose instruction is issued next; nothing where all have ended or wait for each other. What happens before is done here.
    pub fn next_issue(&mut self) -> Option<usize> {
        loop {
            let (at, simd) = self.simds.iter().map(|simd| simd.next).zip(0..).min()?;
            if at == NEVER {
                return None;
            }
            self.now = self.now.max(at);
            // What leaves a queue makes room for what is issued in the same clock.
            if let Some(slot) = self.leaving(simd) {
                self.leave_queue(slot);
                continue;
            }
            if let Some(slot) = self.issuing(simd) {
                if !self.oversleeps(slot) {
                    return Some(slot);
                }
                continue;
            }
            // Nothing is left to do at this clock: a port or unit was taken meanwhile.
            self.settle(simd);
        }
    }

    /// The wave whose queue an instruction leaves now: of several, the one that has waited longest.
    fn leaving(&self, simd: usize) -> Option<usize> {
        let ready = |slot: &usize| self.leaves(*slot) <= self.now;
        self.simds[simd].waves.iter().copied().filter(ready).min_by_key(|slot| self.waves[*slot].head)
    }

    /// The wave whose front is issued now.
    fn issuing(&self, simd: usize) -> Option<usize> {
        let ready = |slot: &usize| self.issues(*slot) <= self.now;
        let key = |slot: &usize| match self.waves[*slot].front {
            Front::At(at, _) => at,
            _ => NEVER,
        };
        self.simds[simd].waves.iter().copied().filter(ready).min_by_key(key)
    }

    /// When the head of a queue can leave it.
    fn leaves(&self, slot: usize) -> u64 {
        let wave = &self.waves[slot];
        let Some(entry) = wave.queue.front() else { return NEVER };
        let simd = &self.simds[wave.simd];
        let unit = if self.ops[entry.step as usize].transcendental {
            simd.vector.max(simd.transcendental)
        } else {
            simd.vector
        };
        wave.head.max(unit.saturating_sub(1))
    }

    /// When the front of a wave can be issued.
    fn issues(&self, slot: usize) -> u64 {
        let wave = &self.waves[slot];
        let Front::At(at, _) = wave.front else { return NEVER };
        let Some(op) = self.ops.get(wave.step as usize) else { return at };
        let simd = &self.simds[wave.simd];
        let unit = if op.kind == Kind::Vector && self.machine.queue.is_none() { simd.vector } else { 0 };
        at.max(simd.ports[usize::from(op.port)]).max(unit)
    }

    /// Finds out when something happens on a SIMD next.
    fn settle(&mut self, simd: usize) {
        let next = self.simds[simd].waves.iter().map(|slot| self.issues(*slot).min(self.leaves(*slot))).min();
        self.simds[simd].next = next.unwrap_or(NEVER);
    }

    /// The head of a queue leaves it, unless it finds the SIMD asleep.
    fn leave_queue(&mut self, slot: usize) {
        let Some(queue) = self.machine.queue else { return };
        let (simd, start) = (self.waves[slot].simd, self.now + 1);
        if self.is_asleep(simd, slot, start, queue) {
            let wake = u64::from(queue.sleep.wake);
            self.waves[slot].head = self.now + wake;
            self.waves[slot].slept += wake;
            self.simds[simd].active = start + wake;
            // What counts clocks does not count these.
            for at in self.simds[simd].waves.clone() {
                let wave = &mut self.waves[at];
                if let Front::At(due, why @ Some((Why::Asked, _))) = wave.front
                    && due > start
                {
                    wave.front = Front::At(due + wake, why);
                }
            }
        } else {
            self.start(slot, start);
        }
        self.settle(simd);
    }

    /// Whether a start finds its SIMD asleep.
    fn is_asleep(&self, simd: usize, slot: usize, start: u64, queue: Queue) -> bool {
        let of = &self.simds[simd];
        // The end of a wave keeps nobody awake.
        let ends = |wave: &Wave| self.ops.get(wave.step as usize).is_none_or(|op| op.kind == Kind::End);
        let issued = |at: &usize| {
            let wave = &self.waves[*at];
            matches!(wave.front, Front::At(due, _) if due <= start) && !ends(wave)
        };
        of.active + u64::from(queue.sleep.after) < start
            && self.waves[slot].front != Front::Behind(Why::Queue)
            && !of.waves.iter().any(issued)
    }

    /// Whether `s_nop` counts some clocks less because the instruction before it left the unit while the SIMD slept.
    fn oversleeps(&mut self, slot: usize) -> bool {
        let wave = &mut self.waves[slot];
        let simd = &mut self.simds[wave.simd];
        let (Some(queue), Some(leaves), Front::At(due, why)) = (self.machine.queue, simd.leaves, wave.front) else {
            return false;
        };
        let counts = self.ops.get(wave.step as usize).is_some_and(|op| matches!(op.kind, Kind::Nop(_)));
        if !counts || leaves >= due || simd.active + u64::from(queue.sleep.after) >= leaves {
            return false;
        }
        simd.leaves = None;
        wave.front = Front::At(due + u64::from(queue.sleep.wake), why);
        let simd = wave.simd;
        self.settle(simd);
        true
    }

    /// A vector instruction starts.
    fn start(&mut self, slot: usize, start: u64) {
        let wave = &mut self.waves[slot];
        let Some(Entry { step, issue }) = wave.queue.pop_front() else { return };
        let op = &self.ops[step as usize];
        let simd = &mut self.simds[wave.simd];
        simd.vector = start + u64::from(op.passes);
        if op.transcendental {
            simd.transcendental = start + u64::from(op.figure.clocks);
        }
        simd.active = simd.active.max(start);
        simd.leaves = self.machine.queue.map(|queue| start + u64::from(queue.sleep.leave));
        let done = start + u64::from(op.figure.latency);
        wave.started += 1;
        wave.first_start.get_or_insert(start);
        wave.last_vector = start;
        wave.results = wave.results.max(done);
        for register in &op.writes {
            let at = usize::from(*register);
            wave.ready[at] = done;
            wave.writer[at] = step;
        }
        let why = wave.head_why;
        self.tell(slot, step, issue, start, done, why);
        self.find_head(slot);
        if let Front::Behind(reason) = self.waves[slot].front {
            self.look_ahead(slot);
            let now = self.now;
            if let Front::At(at, _) = &self.waves[slot].front
                && *at < now
            {
                self.waves[slot].front = Front::At(now, Some((reason, None)));
            }
        }
        if self.waves[slot].ended && self.waves[slot].queue.is_empty() {
            self.end(slot);
        }
    }

    /// Finds out when the head of a queue leaves it, as far as its own wave is concerned.
    fn find_head(&mut self, slot: usize) {
        let wave = &mut self.waves[slot];
        let (Some(entry), Some(queue)) = (wave.queue.front(), self.machine.queue) else {
            wave.head = NEVER;
            return;
        };
        let op = &self.ops[entry.step as usize];
        let mut why = Some((Why::Pipeline, None));
        let mut start = entry.issue + u64::from(queue.constant);
        if op.reads_vectors {
            let warm = wave.first_issue.is_some_and(|first| entry.issue - first >= u64::from(queue.warm_up));
            start = entry.issue + u64::from(queue.vector) + u64::from(!warm);
            if let Some(first) = wave.first_start {
                start = start.max(first + u64::from(queue.first));
            }
        }
        if wave.last_vector + 1 >= start {
            (start, why) = (wave.last_vector + 1, None);
        }
        for register in &op.reads {
            let at = usize::from(*register);
            if wave.ready[at] > start {
                (start, why) = (wave.ready[at], Some((Why::Dependency, Some(wave.writer[at]))));
            }
        }
        wave.head = start - 1;
        wave.head_why = why;
    }

    /// Finds out when the next instruction of a wave can be issued, and brings its SIMD up to date.
    fn look_ahead(&mut self, slot: usize) {
        let front = self.front(&self.waves[slot]);
        self.waves[slot].front = front;
        self.settle(self.waves[slot].simd);
    }

    /// When the next instruction of a wave can be issued, as far as the wave is concerned.
    fn front(&self, wave: &Wave) -> Front {
        if wave.ended || wave.at_barrier {
            return Front::Nowhere;
        }
        let Some(op) = self.ops.get(wave.step as usize) else { return Front::At(wave.base, None) };
        let queued = self.machine.queue.is_some();
        let mut at = wave.base;
        let mut why = wave.base_why.map(|why| (why, None));
        let mut wait = |until: u64, reason: Why, on: Option<u32>| {
            if until > at {
                (at, why) = (until, Some((reason, on)));
            }
        };
        for (_, id) in wave.delays.iter().flatten().filter(|(skip, _)| *skip == 0) {
            wait(self.delayed(wave, *id), Why::Asked, None);
        }
        match &op.kind {
            Kind::Vector if queued => {
                // What the queue will write is waited for there.
                for register in
                    op.reads.iter().filter(|n| **n < VECTORS && wave.pending[usize::from(**n)] <= wave.started)
                {
                    let n = usize::from(*register);
                    wait(wave.ready[n], Why::Dependency, Some(wave.writer[n]));
                }
                if self.machine.queue.is_some_and(|queue| wave.queue.len() >= usize::from(queue.depth)) {
                    return Front::Behind(Why::Queue);
                }
            }
            Kind::Wait { counters, vector } => {
                for (counter, n) in counters {
                    wait(left(&wave.outstanding[*counter as usize], *n as usize), Why::Counter, None);
                }
                if let Some(n) = vector {
                    if wave.issued - wave.started > *n {
                        return Front::Behind(Why::Counter);
                    }
                    if *n == 0 {
                        wait(wave.results, Why::Counter, None);
                    }
                }
            }
            Kind::Nop(n) | Kind::Sleep(n) => {
                let unit = if matches!(op.kind, Kind::Nop(_)) { u64::from(self.machine.interval) } else { 1 };
                let behind = if wave.behind_vector { u64::from(self.machine.nop) } else { 0 };
                wait(wave.base + u64::from(*n) * unit + behind, Why::Asked, None);
                return Front::At(at, why.or(Some((Why::Asked, None))));
            }
            Kind::Delay(_) | Kind::Immediate | Kind::Barrier | Kind::End => {}
            _ => {
                for register in op.reads.iter().chain(&op.writes) {
                    if wave.pending[usize::from(*register)] > wave.started {
                        return Front::Behind(Why::Dependency);
                    }
                }
                for register in &op.reads {
                    let n = usize::from(*register);
                    wait(wave.ready[n], Why::Dependency, Some(wave.writer[n]));
                }
                for counter in &op.counts {
                    wait(left(&wave.outstanding[*counter as usize], OUTSTANDING), Why::Counter, None);
                }
            }
        }
        Front::At(at, why)
    }

    /// When `s_delay_alu` lets an instruction go on that depends on an earlier one, by the number of the dependence.
    fn delayed(&self, wave: &Wave, id: u32) -> u64 {
        let last = |issues: &[u64], n: u32| issues.get(n as usize).copied().filter(|at| *at != 0);
        let delay = u64::from(self.machine.delay);
        let at = match id {
            1..=4 => last(&wave.vectors, id - 1).map(|at| at - 1 + delay),
            5..=7 => last(&wave.transcendentals, id - 5).map(|at| at - 1 + 2 * delay),
            9..=11 => last(&wave.scalars, 0).map(|at| at - 1 + u64::from(id - 8)),
            _ => None,
        };
        at.unwrap_or(0)
    }

    /// Says what the wave did whose instruction is issued now.
    pub fn issue(&mut self, slot: usize, went: Went, traffic: &mut Traffic) {
        let now = self.now;
        let wave = &mut self.waves[slot];
        let step = wave.step;
        let simd = wave.simd;
        let why = match wave.front {
            Front::At(at, _) if at < now => Some((Why::Unit, None)),
            Front::At(_, why) => why,
            _ => None,
        };
        let Some(op) = self.ops.get(step as usize) else {
            // There is no code, and nothing is issued.
            wave.ended = true;
            if wave.queue.is_empty() {
                self.end(slot);
            }
            self.look_ahead(slot);
            return;
        };
        let interval = u64::from(self.machine.interval);
        wave.instructions += 1;
        wave.base = now + interval;
        wave.base_why = None;
        wave.behind_vector = op.kind == Kind::Vector;
        for delay in &mut wave.delays {
            *delay = delay.and_then(|(skip, id)| Some((skip.checked_sub(1)?, id)));
        }
        let clocks = u64::from(op.figure.clocks);
        let mut done = now + u64::from(op.figure.latency);
        let mut port = interval;
        match &op.kind {
            Kind::Vector => {
                push(&mut wave.vectors, now + 1);
                if op.transcendental {
                    push(&mut wave.transcendentals, now + 1);
                }
                wave.issued += 1;
                wave.first_issue.get_or_insert(now);
                if self.machine.queue.is_some() {
                    op.writes.iter().for_each(|n| wave.pending[usize::from(*n)] = wave.issued);
                } else {
                    self.simds[simd].vector = now + clocks;
                    wave.base = now + clocks.max(interval);
                }
                wave.queue.push_back(Entry { step, issue: now });
            }
            Kind::Scalar | Kind::Branch => {
                push(&mut wave.scalars, now + 1);
                port = interval.max(clocks);
                for register in &op.writes {
                    let n = usize::from(*register);
                    wave.ready[n] = done;
                    wave.writer[n] = step;
                    wave.pending[n] = 0;
                }
            }
            Kind::Delay(imm) => wave.delays = delays(*imm),
            Kind::Lds => {
                let turns = traffic.turns(self.machine.paths.banks).max(1);
                let begin = self.lds.max(now);
                self.lds = begin + turns;
                done = begin + turns - 1 + u64::from(op.figure.latency);
            }
            Kind::Memory { .. } => {
                let begin = self.memory.max(now);
                let clocks = traffic.clocks(self.machine.paths.bandwidth);
                self.memory = begin + clocks;
                done = self.caches.vector(traffic, begin) + clocks - 1;
            }
            Kind::ScalarMemory => {
                let begin = self.scalar.max(now);
                self.scalar = begin + 1;
                done = self.caches.scalar(traffic, begin);
            }
            Kind::Message => done = now + u64::from(self.machine.paths.export),
            _ => {}
        }
        for counter in &op.counts {
            let outstanding = &mut wave.outstanding[*counter as usize];
            while outstanding.front().is_some_and(|at| *at <= now) {
                outstanding.pop_front();
            }
            // Vector memory and the local data share answer in order; of scalar memory a program can only wait for all.
            let last = outstanding.back().copied().unwrap_or(0);
            outstanding.push_back(done.max(last));
            wave.drained = wave.drained.max(done);
        }
        match went {
            Went::To { step, taken } => {
                wave.step = step;
                if taken {
                    wave.base = now + u64::from(self.machine.taken);
                    wave.base_why = Some(Why::Fetch);
                }
            }
            Went::Barrier(step) => {
                wave.step = step;
                wave.at_barrier = true;
            }
            Went::Ended => wave.ended = true,
        }
        let (ended, vector) = (wave.ended, op.kind == Kind::Vector);
        let port_of = usize::from(op.port);
        let of = &mut self.simds[simd];
        of.ports[port_of] = now + port;
        if op.kind != Kind::End {
            of.active = of.active.max(now);
        }
        if vector && self.machine.queue.is_none() {
            self.waves[slot].head_why = why;
            self.start(slot, now);
        } else if vector {
            if self.waves[slot].queue.len() == 1 {
                self.find_head(slot);
            }
        } else {
            self.tell(slot, step, now, now, done, why);
            if ended && self.waves[slot].queue.is_empty() {
                self.end(slot);
            }
        }
        self.look_ahead(slot);
    }

    /// The waves of a barrier go on.
    pub fn release(&mut self, slots: &[usize]) {
        for slot in slots {
            let wave = &mut self.waves[*slot];
            wave.at_barrier = false;
            wave.base = wave.base.max(self.now + u64::from(self.machine.barrier));
            wave.base_why = Some(Why::Barrier);
            self.look_ahead(*slot);
        }
    }

    /// A wave executes no more, because another one of its group trapped.
    pub fn drop(&mut self, slot: usize) {
        let wave = &mut self.waves[slot];
        if !wave.ended {
            (wave.ended, wave.front, wave.head) = (true, Front::Nowhere, NEVER);
            wave.queue.clear();
            self.end(slot);
        }
    }

    /// A wave has ended and its last instruction has started: its place is free.
    fn end(&mut self, slot: usize) {
        let wave = &self.waves[slot];
        self.report.all_waves += 1;
        if self.report.waves.len() < Report::WAVES {
            self.report.waves.push(WaveTime {
                group: wave.group,
                wave: wave.number,
                unit: self.number,
                simd: wave.simd as u32,
                begin: wave.begin,
                end: wave.last + 1,
                arrived: wave.drained.max(wave.last + 1),
                instructions: wave.instructions,
            });
        }
        self.report.clocks = self.report.clocks.max(wave.last + 1).max(wave.drained);
        let simd = wave.simd;
        self.simds[simd].waves.retain(|at| *at != slot);
        self.free.push(slot);
        self.settle(simd);
    }

    /// Counts an instruction which starts, and keeps it as an event.
    fn tell(&mut self, slot: usize, step: u32, issue: u64, start: u64, done: u64, why: Option<Reason>) {
        let wave = &mut self.waves[slot];
        let clocks = start.saturating_sub(wave.last);
        wave.last = wave.last.max(start);
        let waited = clocks.saturating_sub(u64::from(self.machine.interval));
        let slept = std::mem::take(&mut wave.slept).min(waited);
        let waited = waited - slept;
        let time = &mut self.report.steps[step as usize];
        time.count += 1;
        time.clocks += clocks;
        time.waits[Why::Asleep as usize] += slept;
        if let Some((why, on)) = why
            && waited != 0
        {
            time.waits[why as usize] += waited;
            time.on = on.or(time.on);
        }
        if self.report.events.len() >= Report::EVENTS {
            self.report.left_out += 1;
            return;
        }
        self.report.events.push(Event {
            group: wave.group,
            wave: wave.number,
            step,
            issue,
            start,
            done,
            why: why.map(|(why, _)| (why, waited as u32)).filter(|(_, n)| *n != 0),
            on: why.and_then(|(_, on)| on),
        });
    }

    /// What the run took.
    #[must_use]
    pub fn report(mut self) -> Report {
        // A wave that trapped leaves what it had queued behind.
        for slot in 0..self.waves.len() {
            if !self.free.contains(&slot) {
                self.end(slot);
            }
        }
        self.report.units = 1;
        self.report
    }
}

/// The new value first, the oldest lost.
fn push<const N: usize>(all: &mut [u64; N], value: u64) {
    all.rotate_right(1);
    all[0] = value;
}

/// When no more than so many are outstanding, of those that come back in order.
fn left(outstanding: &VecDeque<u64>, n: usize) -> u64 {
    outstanding.len().checked_sub(n + 1).and_then(|last| outstanding.get(last)).copied().unwrap_or(0)
}

/// What `s_delay_alu` says: for the next instruction, and for that or one behind it.
fn delays(imm: u32) -> [Option<(u8, u32)>; 2] {
    let (first, skip, second) = (imm & 15, imm >> 4 & 7, imm >> 7 & 15);
    [(first != 0).then_some((0, first)), (second != 0).then_some((skip as u8, second))]
}
