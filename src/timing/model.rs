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
use super::op::{Kind, Op, VECTORS};
use super::report::{Event, Report, StepTime, WaveTime, Why};
use super::traffic::{Caches, Traffic};
use super::wave::{Delay, Due, Entry, Front, NEVER, NO_STEP, Reason, Register, Simd, Wave, delays, left, push};

/// Instructions of a counter that may be outstanding.
const OUTSTANDING: usize = 63;

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
    /// How many events are kept.
    events: usize,
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
    /// One without waves, which keeps so many events.
    #[must_use]
    pub fn new(machine: &'static Machine, ops: &'p [Op], number: u32, events: usize) -> ComputeUnit<'p> {
        ComputeUnit {
            machine,
            ops,
            number,
            now: 0,
            simds: vec![Simd::EMPTY; usize::from(machine.simds)],
            waves: Vec::new(),
            free: Vec::new(),
            lds: 0,
            memory: 0,
            scalar: 0,
            caches: Caches::new(machine.paths),
            report: Report { steps: vec![StepTime::default(); ops.len()], ..Report::default() },
            events,
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
        let place = self.simds[simd].waves.len();
        let wave = Wave::new((group, number), (simd, place), self.now, step);
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
        let due = Due { slot, front: NEVER, port: 0, unit: false, head: NEVER, transcendental: false };
        self.simds[simd].waves.push(due);
        self.report.occupancy = self.report.occupancy.max(self.simds[simd].waves.len() as u32);
        self.look_ahead(slot);
        slot
    }

    /// The wave whose instruction is issued next; nothing where all have ended or wait for each other. What happens before is done here.
    pub fn next_issue(&mut self) -> Option<usize> {
        loop {
            let mut simds = self.simds.iter();
            let mut simd = simds.next()?;
            for other in simds {
                if other.next < simd.next {
                    simd = other;
                }
            }
            if simd.next == NEVER {
                return None;
            }
            let slot = simd.turn;
            self.now = self.now.max(simd.next);
            if !simd.issues {
                self.leave_queue(slot);
            } else if !self.oversleeps(slot) {
                return Some(slot);
            }
        }
    }

    /// Tells the SIMD of a wave where that is now.
    #[inline]
    fn note(&mut self, slot: usize) {
        let wave = &self.waves[slot];
        let Some(due) = self.simds[wave.simd].waves.get_mut(wave.place) else { return };
        let op = self.ops.get(wave.step as usize);
        due.front = wave.front.at;
        due.port = op.map_or(0, |op| op.port);
        due.unit = self.machine.queue.is_none() && op.is_some_and(|op| op.kind == Kind::Vector);
        due.head = wave.head;
        due.transcendental = wave.queue.front().is_some_and(|entry| self.ops[entry.step as usize].transcendental);
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
            for due in &mut self.simds[simd].waves {
                let wave = &mut self.waves[due.slot];
                let Front { at, reason } = &mut wave.front;
                if *at > start && *at != NEVER && reason.why == Some(Why::Asked) {
                    *at += wake;
                    due.front = *at;
                }
            }
            self.note(slot);
        } else {
            self.start(slot, start);
        }
        self.simds[simd].settle(self.now);
    }

    /// Whether a start finds its SIMD asleep.
    fn is_asleep(&self, simd: usize, slot: usize, start: u64, queue: Queue) -> bool {
        let of = &self.simds[simd];
        // The end of a wave keeps nobody awake.
        let ends = |wave: &Wave| self.ops.get(wave.step as usize).is_none_or(|op| op.kind == Kind::End);
        let issued = |due: &Due| due.front <= start && !ends(&self.waves[due.slot]);
        of.active + u64::from(queue.sleep.after) < start
            && self.waves[slot].front != Front::behind(Why::Queue)
            && !of.waves.iter().any(issued)
    }

    /// Whether `s_nop` counts some clocks less because the instruction before it left the unit while the SIMD slept.
    fn oversleeps(&mut self, slot: usize) -> bool {
        let wave = &mut self.waves[slot];
        let simd = &mut self.simds[wave.simd];
        let due = wave.front.at;
        let (Some(queue), Some(leaves), true) = (self.machine.queue, simd.leaves, due != NEVER) else { return false };
        let counts = self.ops.get(wave.step as usize).is_some_and(|op| matches!(op.kind, Kind::Nop(_)));
        if !counts || leaves >= due || simd.active + u64::from(queue.sleep.after) >= leaves {
            return false;
        }
        simd.leaves = None;
        wave.front.at = due + u64::from(queue.sleep.wake);
        let simd = wave.simd;
        self.note(slot);
        self.simds[simd].settle(self.now);
        true
    }

    /// The head of a queue starts, and what waited for that can be issued.
    fn start(&mut self, slot: usize, start: u64) {
        let Some(Entry { step, issue }) = self.waves[slot].queue.pop_front() else { return };
        let why = self.waves[slot].head_why;
        self.execute(slot, (step, issue, start), why);
        self.find_head(slot);
        if let Some(why) = self.waves[slot].front.is_behind() {
            let mut front = self.front(&self.waves[slot]);
            front.wait(self.now, Reason::of(why));
            self.waves[slot].front = front;
        }
        self.note(slot);
        if self.waves[slot].ended && self.waves[slot].queue.is_empty() {
            self.end(slot);
        }
    }

    /// A vector instruction starts that was issued at a clock.
    #[inline]
    fn execute(&mut self, slot: usize, (step, issue, start): (u32, u64, u64), why: Reason) {
        let wave = &mut self.waves[slot];
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
            let register = &mut wave.registers[usize::from(*register)];
            (register.ready, register.writer) = (done, step);
        }
        self.tell(slot, step, issue, start, done, why);
    }

    /// Finds out when the head of a queue leaves it, as far as its own wave is concerned.
    fn find_head(&mut self, slot: usize) {
        let wave = &mut self.waves[slot];
        let (Some(entry), Some(queue)) = (wave.queue.front(), self.machine.queue) else {
            wave.head = NEVER;
            return;
        };
        let op = &self.ops[entry.step as usize];
        let mut why = Reason::of(Why::Pipeline);
        let mut start = entry.issue + u64::from(queue.constant);
        if op.reads_vectors {
            let warm = wave.first_issue.is_some_and(|first| entry.issue - first >= u64::from(queue.warm_up));
            start = entry.issue + u64::from(queue.vector) + u64::from(!warm);
            if let Some(first) = wave.first_start {
                start = start.max(first + u64::from(queue.first));
            }
        }
        if wave.last_vector + 1 >= start {
            (start, why) = (wave.last_vector + 1, Reason::NONE);
        }
        for register in &op.reads {
            let Register { ready, writer, .. } = wave.registers[usize::from(*register)];
            if ready > start {
                (start, why) = (ready, Reason::result(writer));
            }
        }
        wave.head = start - 1;
        wave.head_why = why;
    }

    /// Finds out when the next instruction of a wave can be issued, and brings its SIMD up to date.
    fn look_ahead(&mut self, slot: usize) {
        let front = self.front(&self.waves[slot]);
        self.waves[slot].front = front;
        self.note(slot);
        self.simds[self.waves[slot].simd].settle(self.now);
    }

    /// When the next instruction of a wave can be issued, as far as the wave is concerned.
    #[inline(always)]
    fn front(&self, wave: &Wave) -> Front {
        if wave.ended || wave.at_barrier {
            return Front::NOWHERE;
        }
        let Some(op) = self.ops.get(wave.step as usize) else { return Front { at: wave.base, reason: Reason::NONE } };
        let queued = self.machine.queue.is_some();
        let mut front = Front { at: wave.base, reason: wave.base_why };
        if wave.delays != [Delay::NONE; 2] {
            for delay in wave.delays.iter().filter(|delay| delay.skip == 0) {
                front.wait(self.delayed(wave, delay.id.into()), Reason::of(Why::Asked));
            }
        }
        let register = |n: &u16| &wave.registers[usize::from(*n)];
        match op.kind {
            Kind::Vector if queued => {
                // What the queue will write is waited for there.
                for Register { ready, writer, pending } in op.reads.iter().filter(|n| **n < VECTORS).map(register) {
                    if *pending <= wave.started {
                        front.wait(*ready, Reason::result(*writer));
                    }
                }
                if self.machine.queue.is_some_and(|queue| wave.queue.len() >= usize::from(queue.depth)) {
                    return Front::behind(Why::Queue);
                }
            }
            Kind::Wait(waits) => {
                for (counter, n) in waits.counters() {
                    front.wait(left(&wave.outstanding[counter], n), Reason::of(Why::Counter));
                }
                if let Some(n) = waits.vector {
                    if wave.issued - wave.started > u32::from(n) {
                        return Front::behind(Why::Counter);
                    }
                    if n == 0 {
                        front.wait(wave.results, Reason::of(Why::Counter));
                    }
                }
            }
            Kind::Nop(n) | Kind::Sleep(n) => {
                let unit = if matches!(op.kind, Kind::Nop(_)) { u64::from(self.machine.interval) } else { 1 };
                let behind = if wave.behind_vector { u64::from(self.machine.nop) } else { 0 };
                front.wait(wave.base + u64::from(n) * unit + behind, Reason::of(Why::Asked));
                if front.reason.why.is_none() {
                    front.reason = Reason::of(Why::Asked);
                }
            }
            Kind::Delay(_) | Kind::Immediate | Kind::Barrier | Kind::End => {}
            _ => {
                let pending = |n: &u16| register(n).pending > wave.started;
                if queued && (op.reads.iter().any(pending) || op.writes.iter().any(pending)) {
                    return Front::behind(Why::Dependency);
                }
                for Register { ready, writer, .. } in op.reads.iter().map(register) {
                    front.wait(*ready, Reason::result(*writer));
                }
                for counter in &op.counts {
                    front.wait(left(&wave.outstanding[*counter as usize], OUTSTANDING), Reason::of(Why::Counter));
                }
            }
        }
        front
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
            Front { at, .. } if at < now => Reason::of(Why::Unit),
            Front { at: NEVER, .. } => Reason::NONE,
            Front { reason, .. } => reason,
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
        wave.base_why = Reason::NONE;
        wave.behind_vector = op.kind == Kind::Vector;
        if wave.delays != [Delay::NONE; 2] {
            wave.delays = wave.delays.map(Delay::next);
        }
        let clocks = u64::from(op.figure.clocks);
        let mut done = now + u64::from(op.figure.latency);
        let mut port = interval;
        match op.kind {
            Kind::Vector => {
                push(&mut wave.vectors, now + 1);
                if op.transcendental {
                    push(&mut wave.transcendentals, now + 1);
                }
                wave.issued += 1;
                wave.first_issue.get_or_insert(now);
                if self.machine.queue.is_some() {
                    op.writes.iter().for_each(|n| wave.registers[usize::from(*n)].pending = wave.issued);
                    wave.queue.push_back(Entry { step, issue: now });
                } else {
                    wave.base = now + clocks.max(interval);
                }
            }
            Kind::Scalar | Kind::Branch => {
                push(&mut wave.scalars, now + 1);
                port = interval.max(clocks);
                for n in &op.writes {
                    wave.registers[usize::from(*n)] = Register { ready: done, writer: step, pending: 0 };
                }
            }
            Kind::Delay(imm) => wave.delays = delays(imm),
            Kind::Lds => {
                let turns = traffic.turns().max(1);
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
                    wave.base_why = Reason::of(Why::Fetch);
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
            self.execute(slot, (step, now, now), why);
            if ended {
                self.end(slot);
            }
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
            wave.base_why = Reason::of(Why::Barrier);
            self.look_ahead(*slot);
        }
    }

    /// A wave executes no more, because another one of its group trapped.
    pub fn drop(&mut self, slot: usize) {
        let wave = &mut self.waves[slot];
        if !wave.ended {
            (wave.ended, wave.front, wave.head) = (true, Front::NOWHERE, NEVER);
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
        let (simd, place) = (wave.simd, wave.place);
        self.waves[slot].place = usize::MAX;
        self.simds[simd].waves.remove(place);
        for due in &self.simds[simd].waves[place..] {
            self.waves[due.slot].place -= 1;
        }
        self.free.push(slot);
        self.simds[simd].settle(self.now);
    }

    /// Counts an instruction which starts, and keeps it as an event.
    #[inline]
    fn tell(&mut self, slot: usize, step: u32, issue: u64, start: u64, done: u64, reason: Reason) {
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
        let on = (reason.on != NO_STEP).then_some(reason.on);
        if let Some(why) = reason.why
            && waited != 0
        {
            time.waits[why as usize] += waited;
            time.on = on.or(time.on);
        }
        if self.report.events.len() >= self.events {
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
            why: reason.why.map(|why| (why, waited as u32)).filter(|(_, n)| *n != 0),
            on,
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
