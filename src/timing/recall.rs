//! What a SIMD has done once it does again in the same way, and the [model](super::model) need not find out twice.
//!
//! Between two instructions of which the model has to ask, what happens on a SIMD follows from its state alone: from where its waves are, and
//! from the clocks that they and its units wait for, as seen from now. Which state is behind the one that was asked of follows from the
//! answer: where the wave goes on, and after how many clocks its result is there. So a *passage*, from behind one such
//! instruction to the next, is kept with the state that it began with, and with those that followed it, by answer.
//!
//! A SIMD that comes to a state once more sets off: it goes from passage to passage, and no state is written down. Only what its waves
//! have issued and what they have sent is counted, for others see that. When an answer is new or something comes between, as a wave
//! that is added, its state is made again from that at the beginning of the passage.
//!
//! A new passage behind other new ones, to which nothing like it has led before, is kept without its state: it is found by the answer that
//! leads there and not by where waves and units stand, and its beginning is made again from the last one that has a state, answer by answer.
//! It gets a state where that had to be. So loops are found the third time round and not the second, and what never comes again costs less.
//!
//! Where all waves of a SIMD wait at barriers nobody asks any more, and a passage that ends there goes on when a barrier opens. One that opens
//! before a passage is at its end cuts it: the part in front of that is a passage, too.

use super::machine::Machine;
use super::model::Went;
use super::op::{Kind, Op, Ops};
use super::report::{Moment, Report, StepTime, Why};
use super::simd::Simd;
use super::state;
use super::tally::Told;
use super::traffic::Caches;
use super::wave::{Code, NEVER, NO_STEP, Wave};
use crate::program::Program;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Clocks that a passage may take up to an instruction that is asked for; a wave issues no more instructions in it.
pub(super) const LONGEST: u64 = 1 << 16;

/// Bytes that all passages may have together.
const ROOM: usize = 64 << 20;

/// So many passages more may be made than were taken again; and how long none is made when there were more, at first.
const CREDIT: u32 = 1 << 14;
const REST: u32 = 1 << 12;

/// What is known of a program under the clock: its instructions, and what compute units remember of them, those of each thread for
/// themselves. It is of no run: who launches a program again goes on with that.
pub struct Known {
    /// The instructions.
    pub ops: Ops,
    recalls: Mutex<Vec<Recall>>,
}

impl Known {
    /// Of a program on a machine.
    #[must_use]
    pub fn of(program: &Program, machine: &Machine) -> Known {
        Known { ops: Ops::of(program, machine), recalls: Mutex::default() }
    }

    /// Works with what is remembered, which nobody else has then.
    pub fn with<T>(&self, work: impl FnOnce(&mut Recall) -> T) -> T {
        let recalls = || self.recalls.lock().unwrap_or_else(PoisonError::into_inner);
        let mut recall = recalls().pop().unwrap_or_default();
        let done = work(&mut recall);
        recalls().push(recall);
        done
    }
}

/// What the compute units of a thread remember.
#[derive(Default)]
pub struct Recall {
    passages: Vec<Passage>,
    by_state: HashMap<u64, u32, BuildHasherDefault<Mixed>>,
    /// Of all passages, one behind the other: their states, what their waves did, and what that took.
    states: Vec<u32>,
    moved: Vec<Moved>,
    took: Vec<Took>,
    waits: Vec<(Why, u64)>,
    /// How many passages come behind others that have more than one.
    edges: usize,
    /// Trails that led to new ones.
    trails: Vec<u64>,
    /// Those that were taken since that was told last; and the number of the unit that takes them.
    taken: Vec<u32>,
    unit: u32,
    /// The caches of the unit that was there last: new ones would take pages of the host's memory.
    caches: Option<Caches>,
    /// The state that is looked for, what finds it, and what waves had done then.
    state: Vec<u32>,
    hash: u64,
    before: Vec<Progress>,
    /// Passages that were made and not taken again since there was a reason to rest; how long that takes, and would the next time.
    debt: u32,
    rest: u32,
    next_rest: u32,
}

/// What a SIMD did from one state up to the next instruction that is asked for.
struct Passage {
    /// What it takes, and the wave that asks at its end, by its place, for which instruction; nobody where all wait at barriers.
    clocks: u64,
    asks: Option<(u32, u32)>,
    /// What is known of the state at its beginning.
    begins: Begin,
    /// The last four answers that led here, if the passages behind them were made one behind the other, and how many of those have no state.
    trail: u64,
    links: u16,
    /// Its parts of what all have.
    moved: Part,
    took: Part,
    /// How often it was taken since that was told last, and the last time.
    taken: u64,
    latest: Moment,
    /// The passages behind it: the first one that was met, and others.
    first: Option<(Answer, u32)>,
    others: Vec<(Answer, u32)>,
}

/// At which state a passage begins.
#[derive(Clone, Copy)]
pub(super) enum Begin {
    /// At one that is kept.
    State(Part),
    /// At that of another passage, of which it is a part.
    Of(u32),
    /// Behind another passage, for the answer that leads from there.
    Behind(u32),
}

/// A part of what all passages have.
#[derive(Clone, Copy)]
pub(super) struct Part {
    start: u32,
    end: u32,
}

impl Part {
    fn new(start: usize, end: usize) -> Part {
        Part { start: start as u32, end: end as u32 }
    }

    #[inline]
    fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// What came of an instruction that was asked for, or of a barrier.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) came: Came,
    /// After how many clocks the result is there, or the barrier opens.
    pub(super) after: u64,
}

/// What came.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Came {
    Went(Went),
    /// A barrier that opens comes before something happens at a clock.
    Cut,
    /// The waves in these places go on.
    Opened(u64),
}

/// So many passages without a state come one behind the other.
const LINKS: u16 = 48;

/// How many trails are remembered.
const TRAILS: usize = 1 << 12;

/// Passages of a program that has many.
const MANY: u32 = 1 << 10;

/// Answers that are kept of a passage.
const ANSWERS: usize = 16;

/// What a wave did in a passage, by its place.
struct Moved {
    place: u32,
    progress: Progress,
}

/// What an instruction took in a passage.
struct Took {
    step: u32,
    count: u32,
    clocks: u64,
    waits: Part,
    /// The last result that it waited for, and the clock of its start.
    on: u32,
    start: u32,
}

/// Instructions that a wave has issued, and vector instructions that it has started.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Progress {
    pub(super) issued: u32,
    pub(super) started: u32,
}

impl Progress {
    const NONE: Progress = Progress { issued: 0, started: 0 };

    /// An instruction that was asked for.
    pub(super) fn asked(op: &Op, code: Code<'_>) -> Progress {
        Progress { issued: 1, started: u32::from(op.kind == Kind::Vector && !code.queued) }
    }

    /// What a wave has done, but for all of its instructions if they are many.
    fn of(wave: &Wave) -> Progress {
        Progress { issued: wave.instructions as u32, started: wave.started }
    }

    fn since(self, before: Progress) -> Progress {
        Progress { issued: self.issued.wrapping_sub(before.issued), started: self.started.wrapping_sub(before.started) }
    }

    #[inline]
    pub(super) fn add(self, wave: &mut Wave) {
        wave.instructions += u64::from(self.issued);
        wave.started = wave.started.wrapping_add(self.started);
    }

    pub(super) fn take_back(self, wave: &mut Wave) {
        wave.instructions -= u64::from(self.issued);
        wave.started = wave.started.wrapping_sub(self.started);
    }
}

/// A SIMD on its way.
#[derive(Clone, Copy)]
pub(super) struct Flight {
    pub(super) passage: usize,
    /// Since when it is on this passage.
    pub(super) from: u64,
    /// Whether its waves are at the end of that already, for it was not known before; and whether what they did is counted.
    pub(super) is_ahead: bool,
    pub(super) is_counted: bool,
    /// Whether one of its waves has not many instructions left.
    pub(super) is_near: bool,
}

impl Flight {
    /// On a passage since a clock.
    pub(super) fn new(passage: usize, from: u64) -> Flight {
        Flight { passage, from, is_ahead: false, is_counted: false, is_near: false }
    }
}

/// Numbers that are mixed already are found by themselves.
#[derive(Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64((*byte).into()));
    }

    fn write_u64(&mut self, mixed: u64) {
        self.0 = self.0.rotate_left(8) ^ mixed;
    }
}

/// What a state is found by.
fn mixed(state: &[u32]) -> u64 {
    let mix = |hash: u64, word: u64| (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    let (four, rest) = state.as_chunks::<4>();
    // Two at a time, of which neither waits for the other.
    let mut both = [state.len() as u64, 0];
    for [a, b, c, d] in four {
        both[0] = mix(both[0], u64::from(*a) << 32 | u64::from(*b));
        both[1] = mix(both[1], u64::from(*c) << 32 | u64::from(*d));
    }
    rest.iter().fold(mix(both[0], both[1]), |hash, word| mix(hash, u64::from(*word)))
}

impl Recall {
    /// A compute unit begins, with caches that are as at the beginning.
    pub(super) fn begin(&mut self, unit: u32, machine: &Machine) -> Caches {
        self.unit = unit;
        let mut caches = self.caches.take().unwrap_or_else(|| Caches::new(machine.paths));
        caches.clear();
        caches
    }

    /// A compute unit ends, and leaves its caches for the next one.
    pub(super) fn end(&mut self, caches: Caches) {
        self.caches = Some(caches);
    }

    /// Whether nothing is looked for now.
    pub(super) fn rests(&mut self) -> bool {
        let rests = self.rest != 0;
        self.rest = self.rest.saturating_sub(1);
        rests
    }

    /// The passage from the state that a SIMD is in, which comes behind another one; if there is none, whether to make one.
    pub(super) fn find(
        &mut self,
        simd: &mut Simd,
        waves: &mut [Wave],
        code: Code<'_>,
        now: u64,
        behind: Option<(usize, Answer)>,
    ) -> Result<usize, Unknown> {
        self.state.clear();
        if !state::write(simd, waves, code, now, &mut self.state) {
            return Err(Unknown::Stays);
        }
        self.hash = mixed(&self.state);
        let is_it = |at: &u32| match self.passages[*at as usize].begins {
            Begin::State(part) => self.states[part.range()] == *self.state,
            Begin::Of(_) | Begin::Behind(_) => false,
        };
        let known = self.by_state.get(&self.hash).copied();
        if let Some(found) = known.filter(is_it) {
            if let Some((last, answer)) = behind {
                self.follow(last, answer, found);
            }
            return Ok(found as usize);
        }
        self.note_new(simd, waves);
        Err(if self.is_full() { Unknown::Stays } else { Unknown::New })
    }

    /// Whether the passage behind one that was made just now is made without a state, to which a trail leads.
    pub(super) fn is_link(&mut self, last: usize, trail: u64, simd: &Simd, waves: &[Wave]) -> bool {
        if trail >> 48 == 0 {
            return false;
        }
        self.trails.resize(TRAILS, 0);
        let known = &mut self.trails[mixed(&[trail as u32, (trail >> 32) as u32]) as usize % TRAILS];
        let is_known = std::mem::replace(known, trail) == trail;
        let Passage { links, others, .. } = &self.passages[last];
        if is_known || *links >= LINKS || others.len() >= ANSWERS || self.is_full() {
            return false;
        }
        self.note_new(simd, waves);
        true
    }

    /// A passage is not known: notes that, and what waves have done.
    fn note_new(&mut self, simd: &Simd, waves: &[Wave]) {
        self.debt += 1;
        if self.debt > CREDIT {
            self.next_rest = self.next_rest.max(REST).saturating_mul(2);
            (self.debt, self.rest) = (CREDIT / 2, self.next_rest);
        }
        self.note(simd, waves);
    }

    /// Notes what waves have done.
    pub(super) fn note(&mut self, simd: &Simd, waves: &[Wave]) {
        self.before.clear();
        self.before.extend(simd.waves.iter().map(|due| Progress::of(&waves[due.slot])));
    }

    /// What waves have done since it was noted has not happened.
    pub(super) fn undo(&self, simd: &Simd, waves: &mut [Wave]) {
        for (due, before) in simd.waves.iter().zip(&self.before) {
            let wave = &mut waves[due.slot];
            Progress::of(wave).since(*before).take_back(wave);
        }
    }

    /// Puts a SIMD into the state that was looked for.
    pub(super) fn put_looked_for(&self, from: u64, simd: &mut Simd, waves: &mut [Wave], code: Code<'_>) {
        state::put(simd, waves, code, from, &self.state);
    }

    /// Puts a SIMD into one that is kept.
    pub(super) fn put(&self, kept: Part, from: u64, simd: &mut Simd, waves: &mut [Wave], code: Code<'_>) {
        state::put(simd, waves, code, from, &self.states[kept.range()]);
    }

    /// Whether there is room for no more passages.
    pub(super) fn is_full(&self) -> bool {
        let bytes = self.passages.len() * size_of::<Passage>()
            + self.by_state.len() * size_of::<[u64; 3]>()
            + self.edges * size_of::<(Answer, u32)>()
            + size_of_val(&*self.states)
            + size_of_val(&*self.moved)
            + size_of_val(&*self.took)
            + size_of_val(&*self.waits);
        bytes > ROOM
    }

    /// What has grown so far may go on for long. Where it will be costs nothing before it is there; moving it does.
    fn has_many(&mut self) {
        let (each, share) = (size_of::<Passage>(), ROOM / 4);
        self.passages.reserve(share / each);
        self.states.reserve(share / size_of::<u32>());
        self.took.reserve(share / size_of::<Took>());
        self.waits.reserve(share / 2 / size_of::<(Why, u64)>());
        self.moved.reserve(share / 8 / size_of::<Moved>());
    }

    /// A passage comes behind another one for an answer.
    fn follow(&mut self, last: usize, answer: Answer, next: u32) {
        let Passage { first, others, .. } = &mut self.passages[last];
        if first.is_none() {
            *first = Some((answer, next));
        } else if others.len() < ANSWERS {
            others.push((answer, next));
            self.edges += 1;
        }
    }

    /// Keeps what a SIMD has done since a clock as a passage: from the state that was looked for, or the part of one that was cut.
    pub(super) fn keep(
        &mut self,
        simd: &Simd,
        waves: &[Wave],
        made: Made<'_>,
        behind: Option<(usize, Answer)>,
    ) -> usize {
        let Made { from, now, asks, told, begins, trail } = made;
        let moved = self.moved.len();
        for (place, (due, before)) in (0..).zip(simd.waves.iter().zip(&self.before)) {
            let progress = Progress::of(&waves[due.slot]).since(*before);
            if progress != Progress::NONE {
                self.moved.push(Moved { place, progress });
            }
        }
        let took = self.took.len();
        told.sort_by_key(|told| told.step);
        for all in told.chunk_by(|a, b| a.step == b.step) {
            let waits = self.waits.len();
            for (why, clocks) in all.iter().flat_map(|told| told.waits).flatten().filter(|(_, clocks)| *clocks != 0) {
                match self.waits[waits..].iter_mut().find(|(known, _)| *known == why) {
                    Some((_, all)) => *all += clocks,
                    None => self.waits.push((why, clocks)),
                }
            }
            let waited = all.iter().filter_map(|told| Some(((told.start - from) as u32, told.on?)));
            let (start, on) = waited.max().unwrap_or((0, NO_STEP));
            self.took.push(Took {
                step: all[0].step,
                count: all.len() as u32,
                clocks: all.iter().map(|told| told.clocks).sum(),
                waits: Part::new(waits, self.waits.len()),
                on,
                start,
            });
        }
        let number = self.passages.len() as u32;
        let begins = begins.unwrap_or_else(|| self.state_of(number));
        if number == MANY {
            self.has_many();
        }
        let links = match begins {
            Begin::State(_) => 0,
            Begin::Of(other) => self.passages[other as usize].links,
            Begin::Behind(last) => self.passages[last as usize].links + 1,
        };
        self.passages.push(Passage {
            clocks: now - from,
            asks,
            begins,
            trail,
            links,
            moved: Part::new(moved, self.moved.len()),
            took: Part::new(took, self.took.len()),
            taken: 0,
            latest: Moment::default(),
            first: None,
            others: Vec::new(),
        });
        told.clear();
        if let Some((last, answer)) = behind {
            self.follow(last, answer, number);
        }
        number as usize
    }

    /// Whether a wave asks at the end of a passage.
    pub(super) fn asks(&self, flight: Flight) -> bool {
        self.passages[flight.passage].asks.is_some()
    }

    /// Whether all that happens on a passage, at the end of which all waves wait, happens before a clock.
    pub(super) fn is_over(&self, flight: Flight, until: u64) -> bool {
        !self.asks(flight) && flight.from + self.passages[flight.passage].clocks < until
    }

    /// When a wave asks on a passage that a SIMD is on since a clock.
    #[inline]
    pub(super) fn asks_at(&self, Flight { passage, from, .. }: Flight) -> u64 {
        let Passage { clocks, asks, .. } = &self.passages[passage];
        if asks.is_some() { from + clocks } else { NEVER }
    }

    /// The passage behind one, for an answer.
    #[inline]
    pub(super) fn behind(&mut self, at: usize, answer: Answer) -> Option<usize> {
        let Passage { first, others, .. } = &self.passages[at];
        let mut known = first.iter().chain(others);
        let (_, next) = known.find(|(known, _)| *known == answer)?;
        (self.debt, self.next_rest) = (self.debt.saturating_sub(1), 0);
        Some(*next as usize)
    }

    /// A SIMD comes to the end of its passage: gives the wave that asks, if one does. From so many instructions on, waves have not many left.
    #[inline]
    pub(super) fn land(&mut self, number: usize, simd: &mut Simd, waves: &mut [Wave], far: u64) -> Option<usize> {
        let flight = simd.flight.as_mut()?;
        let passage = &mut self.passages[flight.passage];
        if passage.taken == 0 {
            self.taken.push(flight.passage as u32);
        }
        passage.taken += 1;
        passage.latest = passage.latest.max(Moment::new(self.unit, flight.from, number));
        flight.is_counted = true;
        for Moved { place, progress } in &self.moved[passage.moved.range()] {
            let wave = &mut waves[simd.waves[*place as usize].slot];
            if !flight.is_ahead {
                progress.add(wave);
            }
            flight.is_near |= wave.instructions > far;
        }
        let (place, step) = passage.asks?;
        let slot = simd.waves[place as usize].slot;
        waves[slot].step = step;
        Some(slot)
    }

    /// What waves did on a passage has not happened.
    pub(super) fn take_back(&self, passage: usize, simd: &Simd, waves: &mut [Wave]) {
        for Moved { place, progress } in &self.moved[self.passages[passage].moved.range()] {
            progress.take_back(&mut waves[simd.waves[*place as usize].slot]);
        }
    }

    /// A SIMD is where a passage begins, which took it a long way: from now on its state is kept, too.
    pub(super) fn arrive(&mut self, passage: usize, from: u64, simd: &mut Simd, waves: &mut [Wave], code: Code<'_>) {
        let at = match self.begins(passage) {
            Begin::Of(whole) => whole as usize,
            _ => passage,
        };
        self.state.clear();
        if !matches!(self.begins(at), Begin::Behind(_))
            || self.is_full()
            || !state::write(simd, waves, code, from, &mut self.state)
        {
            return;
        }
        self.hash = mixed(&self.state);
        self.passages[at].begins = self.state_of(at as u32);
    }

    /// The state that was looked for is kept, as that at which a passage begins.
    fn state_of(&mut self, passage: u32) -> Begin {
        let start = self.states.len();
        self.states.extend_from_slice(&self.state);
        self.by_state.entry(self.hash).or_insert(passage);
        Begin::State(Part::new(start, self.states.len()))
    }

    /// How a passage begins.
    pub(super) fn begins(&self, passage: usize) -> Begin {
        self.passages[passage].begins
    }

    /// The trail to behind a passage: each answer is sixteen bits of it that are not zero.
    pub(super) fn trail(&self, last: usize, answer: Answer) -> u64 {
        let Passage { clocks, asks, trail, .. } = self.passages[last];
        let (place, step) = asks.unwrap_or((0, NO_STEP));
        let came = mixed(&[place, step, clocks as u32, answer.after as u32]);
        trail << 16 | came >> 48 | 1
    }

    /// How a passage led to another one.
    pub(super) fn leads(&self, last: usize, next: usize) -> Option<Led> {
        let Passage { first, others, .. } = &self.passages[last];
        let (answer, _) = first.iter().chain(others).find(|(_, at)| *at as usize == next)?;
        Some(self.led(last, *answer))
    }

    /// How a passage leads to what comes for an answer.
    pub(super) fn led(&self, last: usize, answer: Answer) -> Led {
        let Passage { clocks, asks, begins, .. } = self.passages[last];
        let (place, step) = asks.unwrap_or((0, NO_STEP));
        let after = if matches!(answer.came, Came::Opened(_)) { answer.after } else { clocks };
        let until = match begins {
            Begin::Of(whole) => self.leads(whole as usize, last).map(|cut| cut.answer.after),
            _ => None,
        };
        Led { place, step, after, until, answer }
    }

    /// What the passages took that units have taken since that was told last, of so many instructions.
    #[must_use]
    pub fn tell(&mut self, steps: usize) -> Report {
        let mut report = Report { steps: vec![StepTime::default(); steps], ..Report::default() };
        for at in self.taken.drain(..) {
            let passage = &mut self.passages[at as usize];
            let (latest, taken) = (std::mem::take(&mut passage.latest), std::mem::take(&mut passage.taken));
            for Took { step, count, clocks, waits, on, start } in &self.took[passage.took.range()] {
                let count = u64::from(*count) * taken;
                let all = &mut report.steps[*step as usize];
                report.recalled += count;
                all.count += count;
                all.clocks += clocks * taken;
                self.waits[waits.range()].iter().for_each(|(why, clocks)| all.waits[*why as usize] += clocks * taken);
                if *on != NO_STEP {
                    all.waits_for(*on, latest.later(*start));
                }
            }
        }
        report
    }
}

/// How one passage led to another.
#[derive(Clone, Copy)]
pub(super) struct Led {
    /// The wave that asked at its end, and for which instruction.
    pub(super) place: u32,
    pub(super) step: u32,
    /// After how many clocks the other one began; and before which nothing more happened, if it was cut.
    pub(super) after: u64,
    pub(super) until: Option<u64>,
    pub(super) answer: Answer,
}

/// Why there is no passage: it could be made now, or not.
pub(super) enum Unknown {
    New,
    Stays,
}

/// A passage that was made just now.
pub(super) struct Made<'a> {
    pub(super) from: u64,
    pub(super) now: u64,
    /// The wave that asks, by its place, and for which instruction.
    pub(super) asks: Option<(u32, u32)>,
    pub(super) told: &'a mut Vec<Told>,
    /// How it begins, if not in the state that was looked for.
    pub(super) begins: Option<Begin>,
    /// The answers that led there.
    pub(super) trail: u64,
}
