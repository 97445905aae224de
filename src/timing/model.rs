//! A compute unit at work, clock by clock.
//!
//! Each SIMD issues, in a clock, an instruction of one wave through each of its ports. What is issued goes to its unit at once, but for
//! vector instructions where the machine has a [queue](super::machine::Queue) of them for each wave: there they start later, in order, when their
//! registers are there and the unit is free. So a wave has a *front*, its next instruction and the clock at which it can be issued, and a
//! *head*, the instruction of its queue that starts next. The model goes from event to event, whichever comes first.
//!
//! It executes nothing. Whoever does asks for the [next](ComputeUnit::next_issue) issue, executes that instruction, and says what it
//! [did](ComputeUnit::issue): where in memory it went, and which instruction follows. What a wave does [by itself](Op::by_itself), as most
//! arithmetic, is issued without asking; [how many](ComputeUnit::issued) instructions that were, the wave is told before it executes the next
//! one.

use super::machine::Machine;
use super::op::{Kind, Op, Ops};
use super::recall::{Answer, Begin, Came, Flight, LONGEST, Led, Made, Progress, Recall, Unknown};
use super::report::{Report, Why};
use super::simd::{Due, Simd};
use super::tally::{Tally, When};
use super::traffic::{Caches, Traffic, bits_of};
use super::wave::{Code, Front, NEVER, Reason, Wave};

/// A compute unit.
pub struct ComputeUnit<'p> {
    code: Code<'p>,
    now: u64,
    simds: Vec<Simd>,
    waves: Vec<Wave>,
    free: Vec<usize>,
    /// From when on the paths that all SIMDs share are free.
    lds: u64,
    memory: u64,
    scalar: u64,
    caches: Caches,
    tally: Tally,
    recall: &'p mut Recall,
    /// How many instructions a wave may issue without asking; and up to how many it cannot come to that in two passages.
    limit: u64,
    far: u64,
    /// Before this clock no wave asks.
    quiet: u64,
    /// How often a SIMD had its turn since that was found out, or since a wave has asked; and whose turn that was.
    turns: usize,
    turn: usize,
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

impl Went {
    /// To the instruction behind one.
    #[inline]
    fn behind(op: &Op) -> Went {
        Went::To { step: op.next, taken: false }
    }
}

impl<'p> ComputeUnit<'p> {
    /// One without waves, which keeps so many events. A wave executes no more instructions than a limit says. What is remembered is of
    /// units with the same instructions and machine.
    #[must_use]
    pub fn new(
        machine: &'static Machine,
        ops: &'p Ops,
        number: u32,
        events: usize,
        limit: u64,
        recall: &'p mut Recall,
    ) -> ComputeUnit<'p> {
        let caches = recall.begin(number, machine);
        ComputeUnit {
            code: Code::new(machine, ops),
            now: 0,
            simds: vec![Simd::EMPTY; usize::from(machine.simds)],
            waves: Vec::new(),
            free: Vec::new(),
            lds: 0,
            memory: 0,
            scalar: 0,
            caches,
            tally: Tally::new(ops.len(), number, events, machine.interval),
            recall,
            limit,
            far: limit.saturating_sub(2 * LONGEST),
            quiet: 0,
            turns: 0,
            turn: 0,
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

    /// How many instructions a wave has issued.
    #[must_use]
    pub fn issued(&mut self, slot: usize) -> u64 {
        let simd = self.waves[slot].simd;
        if self.simds[simd].flight.is_some_and(|flight| !flight.is_counted) {
            self.ground(simd);
        }
        self.waves[slot].instructions
    }

    /// Puts a wave on the SIMD that has the fewest, to begin with an instruction; gives its number.
    pub fn add(&mut self, group: [u32; 3], number: u32, step: u32) -> usize {
        let simd = (0..self.simds.len()).min_by_key(|n| self.simds[*n].waves.len()).unwrap_or(0);
        self.ground(simd);
        let place = self.simds[simd].waves.len();
        let wave = Wave::new(self.code, (group, number), (simd, place), self.now, step);
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
        self.simds[simd].waves.push(Due::new(slot));
        let report = &mut self.tally.report;
        report.occupancy = report.occupancy.max(self.simds[simd].waves.len() as u32);
        self.look_ahead(slot);
        slot
    }

    /// The wave whose instruction is issued next; nothing where all have ended or wait for each other. What happens before is
    /// done here, and so is what waves [do by themselves](Op::by_itself): their instructions are issued without asking.
    pub fn next_issue(&mut self) -> Option<usize> {
        loop {
            let (simd, until) = self.first()?;
            if self.simds[simd].flight.is_some() {
                self.now = self.simds[simd].next;
                (self.turns, self.turn) = (0, simd);
                return self.recall.land(simd, &mut self.simds[simd], &mut self.waves, self.far);
            } else if self.simds[simd].next < self.quiet {
                let quiet = std::mem::take(&mut self.quiet);
                (0..self.simds.len()).for_each(|simd| _ = self.run(simd, quiet));
            } else if let Some(slot) = self.run(simd, until) {
                (self.turns, self.turn) = (0, simd);
                return Some(slot);
            } else {
                self.turns += 1;
                if self.turns > self.simds.len() {
                    (self.turns, self.quiet) = (0, self.quiet_until());
                }
            }
        }
    }

    /// A clock before which no wave asks. Until then the SIMDs have nothing to do with each other, and may run one after the other;
    /// but events are kept in order, and so are the ends of waves.
    fn quiet_until(&self) -> u64 {
        if self.tally.keeps_events() {
            return self.now;
        }
        let asks = |due: &Due| self.waves[due.slot].asks_from(self.code, self.limit);
        let first = |simd: &Simd| match simd.flight {
            Some(_) => Some(simd.next),
            None => simd.waves.iter().map(asks).min(),
        };
        self.simds.iter().filter_map(first).min().unwrap_or(self.now)
    }

    /// The SIMD on which something happens first, and the clock from which on it is another one's turn.
    #[inline(always)]
    fn first(&self) -> Option<(usize, u64)> {
        // Clocks above numbers: in the same clock, those in front come first. Nothing here is guessed wrong by the host's branches.
        let (mut first, mut second) = (NEVER, NEVER);
        for (number, simd) in self.simds.iter().enumerate() {
            let turn = if simd.next == NEVER { NEVER } else { simd.next << 8 | number as u64 };
            second = second.min(first.max(turn));
            first = first.min(turn);
        }
        let number = first & 0xff;
        let until = if second == NEVER { NEVER } else { (second >> 8) + u64::from(second & 0xff > number) };
        (first != NEVER).then_some((number as usize, until))
    }

    /// A SIMD at the end of its passage goes on to the next one, if it has been there with this answer.
    fn goes_on(&mut self, number: usize, answer: Answer) -> bool {
        let simd = &mut self.simds[number];
        let Some(flight) = &mut simd.flight else { return false };
        if flight.is_near || answer.came() == Came::Went(Went::Ended) {
            return false;
        }
        let Some(passage) = self.recall.behind(flight.passage, answer) else { return false };
        *flight = Flight::new(passage, self.now);
        simd.next = self.recall.asks_at(*flight);
        true
    }

    /// Something came on a SIMD just now: looks whether it has been there before. Else it goes ahead to the end of a new passage. Whether the
    /// one that it comes from was made just now, too, is said by `is_new`.
    fn look_back(&mut self, number: usize, behind: Option<(usize, Answer)>, is_new: bool) {
        let simd = &mut self.simds[number];
        let may_go = |due: &Due| {
            let wave = &self.waves[due.slot];
            !wave.ended && wave.instructions <= self.far
        };
        if self.tally.keeps_events() || self.recall.rests() || !simd.waves.iter().all(may_go) {
            return;
        }
        let from = self.now;
        let new = behind.filter(|_| is_new);
        let trail = new.map(|(last, answer)| self.recall.trail(last, answer));
        let is_link =
            new.zip(trail).is_some_and(|((last, _), trail)| self.recall.is_link(last, trail, simd, &self.waves));
        let link = new.filter(|_| is_link);
        let found = match link {
            Some(_) => Err(Unknown::New),
            None => self.recall.find(simd, &mut self.waves, self.code, from, behind),
        };
        let flight = match found {
            Ok(passage) => Flight::new(passage, from),
            Err(Unknown::Stays) => return,
            Err(Unknown::New) => {
                self.tally.listen(false, true);
                let asks = self.run(number, from + LONGEST);
                self.tally.listen(true, false);
                let now = std::mem::replace(&mut self.now, from);
                let simd = &mut self.simds[number];
                if asks.is_none() && simd.next != NEVER {
                    self.tally.told().clear();
                    self.recall.undo(simd, &mut self.waves);
                    return match link {
                        Some((last, answer)) => self.put_behind(number, last, self.recall.led(last, answer), from),
                        None => self.recall.put_looked_for(from, simd, &mut self.waves, self.code),
                    };
                }
                let asks = asks.map(|slot| {
                    let wave = &self.waves[slot];
                    if wave.op(self.code).is_some_and(|op| op.kind != Kind::Vector || !self.code.queued) {
                        self.tally.foretell(wave, now);
                    }
                    (wave.place as u32, wave.step)
                });
                let begins = link.map(|(last, _)| Begin::Behind(last as u32));
                let trail = trail.unwrap_or_else(|| self.recall.trail_to_new());
                let made = Made { from, now, asks, told: self.tally.told(), begins, trail };
                let passage = self.recall.keep(simd, &self.waves, made, behind);
                Flight { is_ahead: true, ..Flight::new(passage, from) }
            }
        };
        let simd = &mut self.simds[number];
        simd.flight = Some(flight);
        simd.next = self.recall.asks_at(flight);
    }

    /// What has happened on a SIMD since the beginning of its passage is found out event by event. Gives the passage if it was at its end.
    fn ground(&mut self, number: usize) -> Option<usize> {
        let flight = self.simds[number].flight.take()?;
        let now = self.now;
        if !flight.is_counted {
            self.go_back(number, flight);
            self.run(number, self.until(number));
            self.now = now;
            return None;
        }
        if !flight.is_ahead {
            self.go_back(number, flight);
            self.tally.listen(false, false);
            self.run(number, if self.recall.asks(flight) { NEVER } else { self.until(number) });
            self.tally.listen(true, false);
            self.now = now;
        }
        Some(flight.passage)
    }

    /// A SIMD is again where its passage begins.
    fn go_back(&mut self, number: usize, flight: Flight) {
        if flight.is_ahead || flight.is_counted {
            self.recall.take_back(flight.passage, &self.simds[number], &mut self.waves);
        }
        self.put_at(number, flight.passage, flight.from);
        self.recall.arrive(flight.passage, flight.from, &mut self.simds[number], &mut self.waves, self.code);
        self.recall.note(&self.simds[number], &self.waves);
    }

    /// Puts a SIMD where a passage begins. It has done, and counted, what led there.
    fn put_at(&mut self, number: usize, passage: usize, from: u64) {
        match self.recall.begins(passage) {
            Begin::State(kept) => self.recall.put(kept, from, &mut self.simds[number], &mut self.waves, self.code),
            Begin::Of(whole) => self.put_at(number, whole as usize, from),
            Begin::Behind(last) => {
                if let Some(led) = self.recall.leads(last as usize, passage) {
                    self.put_behind(number, last as usize, led, from);
                }
            }
        }
    }

    /// Puts a SIMD behind the end of a passage, where another one begins: it goes there once more from the beginning of that.
    fn put_behind(&mut self, number: usize, last: usize, led: Led, from: u64) {
        let simd = &self.simds[number];
        self.recall.take_back(last, simd, &mut self.waves);
        if let Came::Went(_) = led.answer.came() {
            let op = &self.code.ops[led.step as usize];
            Progress::asked(op, self.code).take_back(&mut self.waves[simd.waves[led.place as usize].slot]);
        }
        let begin = from - led.after;
        self.put_at(number, last, begin);
        self.tally.listen(false, false);
        let now = self.now;
        let asks = self.run(number, led.until.map_or(NEVER, |clocks| begin + clocks));
        self.now = from;
        match led.answer.came() {
            Came::Opened(places) => self.go_on(number, places),
            Came::Went(went) => {
                if let Some((slot, op)) = asks.and_then(|slot| Some((slot, self.waves[slot].op(self.code)?))) {
                    let done = from + u64::from(led.answer.after);
                    self.waves[slot].count(op, from, done);
                    self.send(slot, op, done, went);
                }
            }
            Came::Cut => {}
        }
        self.now = now;
        self.tally.listen(true, false);
    }

    /// Before which clock all has happened on a SIMD: in the same clock, those in front come first.
    fn until(&self, number: usize) -> u64 {
        self.now + u64::from(number < self.turn)
    }

    /// What a SIMD did since the beginning of its passage is a passage, too. It is on that one then, if it is known; if it was made just now, gives
    /// it.
    fn cut(&mut self, number: usize) -> Option<usize> {
        let until = self.until(number);
        let flight = self.simds[number].flight?;
        let Some(cut) = Answer::new(Came::Cut, until - flight.from) else { return self.ground(number) };
        if let Some(passage) = self.recall.behind(flight.passage, cut) {
            self.simds[number].flight = Some(Flight::new(passage, flight.from));
            return None;
        }
        if self.recall.is_full() {
            return self.ground(number);
        }
        self.simds[number].flight = None;
        let (from, now) = (flight.from, self.now);
        self.go_back(number, flight);
        self.tally.listen(true, true);
        self.run(number, until);
        self.tally.listen(true, false);
        self.now = now;
        let begins = Some(Begin::Of(flight.passage as u32));
        let trail = self.recall.trail(flight.passage, cut);
        let made = Made { from, now, asks: None, told: self.tally.told(), begins, trail };
        Some(self.recall.keep(&self.simds[number], &self.waves, made, Some((flight.passage, cut))))
    }

    /// What happens on a SIMD before a clock, up to the issue of an instruction that a wave does not do by itself: gives that wave.
    fn run(&mut self, number: usize, until: u64) -> Option<usize> {
        loop {
            let simd = &self.simds[number];
            if simd.next >= until {
                return None;
            }
            self.now = simd.next;
            if let [due] = simd.waves[..]
                && self.run_ahead(due.slot, until)
            {
                continue;
            }
            let simd = &self.simds[number];
            if simd.starts.at() <= simd.issues.at() {
                self.leave_queue(simd.waves[simd.starts.place()].slot);
            } else {
                let slot = simd.waves[simd.issues.place()].slot;
                let Some(op) = self.waves[slot].op(self.code) else { return Some(slot) };
                if !op.goes_at_once {
                    if self.code.queued && matches!(op.kind, Kind::Nop(_)) && self.oversleeps(slot) {
                        continue;
                    }
                    if !op.by_itself {
                        return Some(slot);
                    }
                }
                if self.waves[slot].instructions >= self.limit {
                    return Some(slot);
                }
                self.send(slot, op, op.done(self.now), Went::behind(op));
            }
        }
    }

    /// The only wave of a SIMD goes on by itself, as long as nothing happens elsewhere before: says whether it did.
    #[inline(always)]
    fn run_ahead(&mut self, slot: usize, until: u64) -> bool {
        let (limit, mut now, mut goes) = (self.limit, self.now, false);
        let mut place = self.place(slot);
        let sleep = place.code.queue.sleep;
        while let Some(op) = place.wave.op(place.code) {
            let issue = place.simd.issued_at(place.wave.front.at, op.port).max(now);
            let leave = place.leaves_at().max(now);
            if issue.min(leave) >= until {
                break;
            }
            if leave <= issue {
                // It may have gone to sleep.
                if place.simd.active + u64::from(sleep.after) <= leave {
                    break;
                }
                now = leave;
                place.start(now);
            } else {
                if !op.goes_at_once || place.wave.instructions >= limit {
                    break;
                }
                now = issue;
                place.issue(op, now, op.done(now), Went::behind(op));
            }
            goes = true;
        }
        if !goes {
            return false;
        }
        place.simd.note_front(place.wave, place.code);
        place.simd.note_head(place.wave);
        place.simd.settle(now);
        let over = place.wave.is_over();
        self.now = now;
        if over {
            self.end(slot);
        }
        true
    }

    /// A wave on its SIMD.
    #[inline(always)]
    fn place(&mut self, slot: usize) -> Place<'_, 'p> {
        let wave = &mut self.waves[slot];
        Place { code: self.code, simd: &mut self.simds[wave.simd], wave, tally: &mut self.tally }
    }

    /// The head of a queue leaves it, unless it finds the SIMD asleep.
    fn leave_queue(&mut self, slot: usize) {
        let now = self.now;
        if self.is_asleep(slot, now + 1) {
            return self.wake(slot, self.code.queue.sleep.wake.into());
        }
        let mut place = self.place(slot);
        let was_behind = place.wave.front.is_behind().is_some();
        place.start(now);
        place.simd.note_head(place.wave);
        place.simd.settle_starts(now);
        if was_behind {
            place.simd.note_front(place.wave, place.code);
            place.simd.settle_issue(place.wave.place, now);
        }
        if place.wave.is_over() {
            self.end(slot);
        }
    }

    /// A SIMD wakes for the head of a queue, which leaves it so much later.
    fn wake(&mut self, slot: usize, clocks: u64) {
        let start = self.now + 1;
        let wave = &mut self.waves[slot];
        wave.head = self.now + clocks;
        wave.slept += clocks;
        let simd = &mut self.simds[wave.simd];
        simd.active = start + clocks;
        simd.note_head(wave);
        // What counts clocks does not count these.
        for place in 0..simd.waves.len() {
            let wave = &mut self.waves[simd.waves[place].slot];
            let Front { at, reason } = &mut wave.front;
            if *at > start && *at != NEVER && reason.why == Some(Why::Asked) {
                *at += clocks;
                simd.note_front(wave, self.code);
            }
        }
        simd.settle(self.now);
    }

    /// Whether a start finds its SIMD asleep.
    #[inline(always)]
    fn is_asleep(&self, slot: usize, start: u64) -> bool {
        let wave = &self.waves[slot];
        let simd = &self.simds[wave.simd];
        // The end of a wave keeps nobody awake.
        let ends = |wave: &Wave| wave.op(self.code).is_none_or(|op| op.kind == Kind::End);
        let issued = |due: &Due| due.front.clock() <= start && !ends(&self.waves[due.slot]);
        simd.active + u64::from(self.code.queue.sleep.after) < start
            && wave.front != Front::behind(Why::Queue)
            && !simd.waves.iter().any(issued)
    }

    /// Whether `s_nop` counts some clocks less because the instruction before it left the unit while the SIMD slept.
    fn oversleeps(&mut self, slot: usize) -> bool {
        let now = self.now;
        let Place { code, wave, simd, .. } = self.place(slot);
        let sleep = code.queue.sleep;
        if simd.leaves >= wave.front.at || simd.active + u64::from(sleep.after) >= simd.leaves {
            return false;
        }
        simd.leaves = NEVER;
        wave.front.at += u64::from(sleep.wake);
        simd.note_front(wave, code);
        simd.settle_issues(now);
        true
    }

    /// Finds out when the next instruction of a wave can be issued, and brings its SIMD up to date.
    fn look_ahead(&mut self, slot: usize) {
        let now = self.now;
        let Place { code, wave, simd, .. } = self.place(slot);
        wave.front = wave.front(code);
        simd.note_front(wave, code);
        simd.settle_issues(now);
    }

    /// Says what the wave did whose instruction is issued now.
    pub fn issue(&mut self, slot: usize, went: Went, traffic: &mut Traffic) {
        let number = self.waves[slot].simd;
        let Some(op) = self.waves[slot].op(self.code) else {
            // There is no code, and nothing is issued.
            self.ground(number);
            let wave = &mut self.waves[slot];
            wave.ended = true;
            return if wave.is_over() { self.end(slot) } else { self.look_ahead(slot) };
        };
        let done = self.arrival(op, traffic);
        let answer = Answer::new(Came::Went(went), done.wrapping_sub(self.now));
        if answer.is_some_and(|answer| self.goes_on(number, answer)) {
            let wave = &mut self.waves[slot];
            wave.count(op, self.now, done);
            Progress::asked(op, self.code).add(wave);
            wave.at_barrier = matches!(went, Went::Barrier(_));
            return;
        }
        let is_new = self.simds[number].flight.is_some_and(|flight| flight.is_ahead);
        let last = self.ground(number);
        self.waves[slot].count(op, self.now, done);
        // It was told as a part of the passage.
        self.tally.listen(last.is_none(), false);
        self.send(slot, op, done, went);
        self.tally.listen(true, false);
        if went != Went::Ended {
            self.look_back(number, last.zip(answer), is_new);
        }
    }

    /// When the result of an instruction is there that is issued now, or what it sends has arrived. It takes its place on
    /// the paths that all SIMDs share.
    fn arrival(&mut self, op: &Op, traffic: &mut Traffic) -> u64 {
        let (now, paths) = (self.now, &self.code.machine.paths);
        match op.kind {
            Kind::Lds => {
                let turns = traffic.turns().max(1);
                let begin = self.lds.max(now);
                self.lds = begin + turns;
                op.done(begin + turns - 1)
            }
            Kind::Memory { .. } => {
                let begin = self.memory.max(now);
                let clocks = traffic.clocks(paths.bandwidth);
                self.memory = begin + clocks;
                self.caches.vector(traffic, begin) + clocks - 1
            }
            Kind::ScalarMemory => {
                let begin = self.scalar.max(now);
                self.scalar = begin + 1;
                self.caches.scalar(traffic, begin)
            }
            Kind::Message => now + u64::from(paths.export),
            _ => op.done(now),
        }
    }

    /// An instruction of a wave is issued, and its SIMD brought up to date.
    #[inline(always)]
    fn send(&mut self, slot: usize, op: &Op, done: u64, went: Went) {
        let now = self.now;
        let mut place = self.place(slot);
        let waits = place.wave.head != NEVER;
        place.issue(op, now, done, went);
        if !waits && place.wave.head != NEVER {
            place.simd.note_head(place.wave);
            place.simd.settle_start(place.wave.place, now);
        }
        if place.wave.is_over() {
            return self.end(slot);
        }
        place.simd.note_front(place.wave, place.code);
        place.simd.settle_issues(now);
    }

    /// The waves of a barrier go on.
    pub fn release(&mut self, slots: &[usize]) {
        for number in 0..self.simds.len() {
            let places = slots.iter().map(|slot| &self.waves[*slot]).filter(|wave| wave.simd == number);
            let places = places.fold(0u64, |places, wave| places | 1 << wave.place);
            if places != 0 {
                self.open(number, places);
            }
        }
    }

    /// A barrier opens for the waves in some places of a SIMD.
    fn open(&mut self, number: usize, places: u64) {
        let flight = self.simds[number].flight;
        let is_over = flight.is_some_and(|flight| self.recall.is_over(flight, self.until(number)));
        let mut last = if is_over { None } else { self.cut(number) };
        let is_new = last.is_some() || self.simds[number].flight.is_some_and(|flight| flight.is_ahead);
        let answer = flight.and_then(|flight| Answer::new(Came::Opened(places), self.now - flight.from));
        if flight.is_some() && last.is_none() {
            self.recall.land(number, &mut self.simds[number], &mut self.waves, self.far);
            if answer.is_some_and(|answer| self.goes_on(number, answer)) {
                let waves = &self.simds[number].waves;
                bits_of(places).for_each(|place| self.waves[waves[place].slot].at_barrier = false);
                return;
            }
            last = self.ground(number);
        }
        self.go_on(number, places);
        self.look_back(number, last.zip(answer), is_new);
    }

    /// Waves in some places of a SIMD go on behind their barrier.
    fn go_on(&mut self, number: usize, places: u64) {
        for place in bits_of(places) {
            let slot = self.simds[number].waves[place].slot;
            let wave = &mut self.waves[slot];
            wave.at_barrier = false;
            wave.base = wave.base.max(self.now + u64::from(self.code.machine.barrier));
            wave.base_why = Reason::of(Why::Barrier);
            self.look_ahead(slot);
        }
    }

    /// A wave executes no more, because another one of its group trapped.
    pub fn drop(&mut self, slot: usize) {
        let wave = &self.waves[slot];
        if !wave.ended {
            self.ground(wave.simd);
            let wave = &mut self.waves[slot];
            (wave.ended, wave.front, wave.head) = (true, Front::NOWHERE, NEVER);
            wave.queue.clear();
            self.end(slot);
        }
    }

    /// A wave has ended and its last instruction has started: its place is free.
    fn end(&mut self, slot: usize) {
        let wave = &mut self.waves[slot];
        self.tally.end(wave);
        let (simd, place) = (&mut self.simds[wave.simd], wave.place);
        wave.place = usize::MAX;
        simd.waves.remove(place);
        for at in place..simd.waves.len() {
            let wave = &mut self.waves[simd.waves[at].slot];
            wave.place = at;
            simd.note_front(wave, self.code);
            simd.note_head(wave);
        }
        self.free.push(slot);
        simd.settle(self.now);
    }

    /// What the run took, but for what is [remembered](Recall::tell).
    #[must_use]
    pub fn report(mut self) -> Report {
        // Who waits for ever was on the way to that.
        for number in 0..self.simds.len() {
            if self.simds[number].flight.is_some() {
                self.ground(number);
                self.run(number, NEVER);
            }
        }
        // A wave that trapped leaves what it had queued behind.
        for slot in 0..self.waves.len() {
            if !self.free.contains(&slot) {
                self.end(slot);
            }
        }
        self.recall.end(self.caches);
        self.tally.report
    }
}

/// A wave on its SIMD: what its instructions touch when they are issued and when they start.
struct Place<'a, 'p> {
    code: Code<'p>,
    simd: &'a mut Simd,
    wave: &'a mut Wave,
    tally: &'a mut Tally,
}

impl Place<'_, '_> {
    /// The next instruction of the wave is issued: it goes to its unit or to the queue.
    #[inline(always)]
    fn issue(&mut self, op: &Op, now: u64, done: u64, went: Went) {
        let (code, step) = (self.code, self.wave.step);
        let why = |wave: &Wave| wave.front.held(now);
        self.wave.issue(code, op, now, done);
        self.wave.go(went, code.machine, now);
        self.simd.issue(op, now);
        match op.kind {
            Kind::Vector if !code.queued => self.execute(op, step, now, now, why),
            Kind::Vector => {
                if self.wave.queue.len() == 1 {
                    self.wave.find_head(code);
                }
            }
            _ => self.tally.tell(self.wave, step, When { issue: now, start: now, done }, why),
        }
        self.wave.front = self.wave.front(code);
    }

    /// When the head of the queue leaves it.
    #[inline(always)]
    fn leaves_at(&self) -> u64 {
        let Wave { head, head_transcendental, .. } = *self.wave;
        if head == NEVER { NEVER } else { self.simd.leaves_at(head, head_transcendental) }
    }

    /// The head of the queue leaves it, and what waited for that can be issued.
    #[inline(always)]
    fn start(&mut self, now: u64) {
        let Some(entry) = self.wave.queue.pop() else { return };
        let op = &self.code.ops[entry.step as usize];
        self.execute(op, entry.step, entry.issue, now + 1, |wave| wave.head_why);
        self.wave.find_head(self.code);
        if let Some(why) = self.wave.front.is_behind() {
            self.wave.front = self.wave.front(self.code);
            self.wave.front.wait(now, Reason::of(why));
        }
    }

    /// A vector instruction starts that was issued before.
    #[inline(always)]
    fn execute(&mut self, op: &Op, step: u32, issue: u64, start: u64, why: impl Fn(&Wave) -> Reason) {
        self.simd.start(self.code, op, start);
        let done = self.wave.start(self.code, op, step, start);
        self.tally.tell(self.wave, step, When { issue, start, done }, why);
    }
}
