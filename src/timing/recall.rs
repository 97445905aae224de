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
//! Where a wave is at a barrier, which may cut the passage when it opens, there is a state always.
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
use std::sync::{Mutex, MutexGuard, PoisonError};

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
        let mut recall = locked(&self.recalls).pop().or_else(|| locked(&SPARE).pop()).unwrap_or_default();
        let done = work(&mut recall);
        locked(&self.recalls).push(recall);
        done
    }
}

impl Drop for Known {
    fn drop(&mut self) {
        let recalls = self.recalls.get_mut().unwrap_or_else(PoisonError::into_inner);
        let mut spare = locked(&SPARE);
        let room = SPARES.saturating_sub(spare.len());
        spare.extend(recalls.drain(..).filter(Recall::is_small).take(room).map(Recall::emptied));
    }
}

/// Those of programs that are gone, with nothing in them. What is remembered of the next program goes where theirs was: to ask the host for memory
/// costs more than to write it.
static SPARE: Mutex<Vec<Recall>> = Mutex::new(Vec::new());

/// So many are kept, of those that are no larger than is made at once where there are many passages.
const SPARES: usize = 4;

fn locked(recalls: &Mutex<Vec<Recall>>) -> MutexGuard<'_, Vec<Recall>> {
    recalls.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the compute units of a thread remember.
#[derive(Default)]
pub struct Recall {
    passages: Vec<Passage>,
    by_state: HashMap<u64, u32, BuildHasherDefault<Mixed>>,
    /// Of all passages, one behind the other: the answers that led there, their states, each behind the number of its words, what their waves
    /// did, and what that took.
    trails: Vec<u64>,
    states: Vec<u32>,
    moved: Vec<Moved>,
    took: Vec<Took>,
    waits: Vec<(Why, u64)>,
    /// Ways on from passages that have more than one.
    ways: Vec<Way>,
    /// Trails that led to new ones.
    new_trails: Vec<u64>,
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
    /// What it takes.
    clocks: u32,
    /// The instruction that a wave asks for at its end, and the place of that wave; nobody's where all wait at barriers.
    step: u32,
    place: u8,
    /// How many passages without a state come one behind the other up to this one.
    links: u8,
    /// How many waves did something, and where what they did begins; and where what that took begins, up to that of the next passage.
    movers: u8,
    moved: u32,
    took: u32,
    begins: Begin,
    /// The way on that was met first, which leads to the others.
    way: Way,
    /// How often it was taken since that was told last, the clock of the last time, and there on which SIMD of which unit.
    taken: u64,
    latest: u64,
    on: On,
}

impl Passage {
    /// Where what its waves did stands.
    #[inline]
    fn moved(&self) -> Range<usize> {
        let start = self.moved as usize;
        start..start + usize::from(self.movers)
    }
}

/// At which state a passage begins.
#[derive(Clone, Copy)]
pub(super) enum Begin {
    /// At one that is kept from here on.
    State(u32),
    /// At that of another passage, of which it is a part.
    Of(u32),
    /// Behind another passage, for the answer that leads from there.
    Behind(u32),
}

/// Where a passage leads for an answer.
#[derive(Clone, Copy)]
struct Way {
    answer: Answer,
    next: u32,
    /// Another one of the same passage.
    other: u32,
}

impl Way {
    /// Where none leads.
    const NONE: Way = Way { answer: Answer::NONE, next: NO_WAY, other: NO_WAY };
}

/// No number of a passage or a way.
const NO_WAY: u32 = u32::MAX;

/// Nobody's place.
const NOBODY: u8 = u8::MAX;

/// A SIMD of a unit, in the order of units.
#[derive(Clone, Copy, Default)]
struct On(u32);

impl On {
    fn new(unit: u32, simd: usize) -> On {
        On(unit << 8 | simd as u32)
    }

    fn at(self, clock: u64) -> Moment {
        Moment::new(self.0 >> 8, clock, self.0 as usize & 0xff)
    }
}

/// What came of an instruction that was asked for, or of a barrier, and after how many clocks the result is there, or the barrier opens.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Answer {
    came: u32,
    pub(super) after: u32,
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

impl Answer {
    /// None: no way has it.
    const NONE: Answer = Answer { came: u32::MAX, after: u32::MAX };

    /// An answer, in two words. Some do not fit.
    #[inline]
    pub(super) fn new(came: Came, after: u64) -> Option<Answer> {
        let (kind, what) = match came {
            Came::Went(Went::To { step, taken: false }) => (0, step.into()),
            Came::Went(Went::To { step, taken: true }) => (1, step.into()),
            Came::Went(Went::Barrier(step)) => (2, step.into()),
            Came::Went(Went::Ended) => (3, 0),
            Came::Cut => (4, 0),
            Came::Opened(places) => (5, places),
        };
        let fits = what < 1 << 29 && after < u32::MAX.into();
        fits.then_some(Answer { came: (what as u32) << 3 | kind, after: after as u32 })
    }

    /// What came.
    pub(super) fn came(self) -> Came {
        let what = self.came >> 3;
        match self.came & 7 {
            kind @ (0 | 1) => Came::Went(Went::To { step: what, taken: kind == 1 }),
            2 => Came::Went(Went::Barrier(what)),
            3 => Came::Went(Went::Ended),
            4 => Came::Cut,
            _ => Came::Opened(what.into()),
        }
    }
}

/// So many passages without a state come one behind the other.
const LINKS: u8 = 48;

/// How many trails are remembered.
const TRAILS: usize = 1 << 12;

/// So many bits of a trail are an answer's.
const TRACK: u32 = 4;

/// Passages of a program that has many.
const MANY: u32 = 1 << 10;

/// Ways on that are kept of a passage.
const WAYS: usize = 17;

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
    /// Where its waits begin.
    waits: u32,
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
    /// Whether it has not much more room than [one with many passages](Recall::has_many) at least.
    fn is_small(&self) -> bool {
        let most = |each: usize| ROOM / 4 / each;
        self.passages.capacity() <= most(size_of::<Passage>())
            && self.states.capacity() <= most(size_of::<u32>())
            && self.took.capacity() <= most(size_of::<Took>())
    }

    /// One that knows nothing, where this one was.
    fn emptied(self) -> Recall {
        let Recall {
            mut passages, mut by_state, mut trails, mut states, mut moved, mut took, mut waits, mut ways, ..
        } = self;
        passages.clear();
        by_state.clear();
        trails.clear();
        states.clear();
        moved.clear();
        took.clear();
        waits.clear();
        ways.clear();
        Recall { passages, by_state, trails, states, moved, took, waits, ways, ..Recall::default() }
    }

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
            Begin::State(start) => *self.kept(start) == *self.state,
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
        if simd.waves.iter().any(|due| waves[due.slot].at_barrier) {
            return false;
        }
        self.new_trails.resize(TRAILS, 0);
        let known = &mut self.new_trails[mixed(&[trail as u32, (trail >> 32) as u32]) as usize % TRAILS];
        let is_known = std::mem::replace(known, trail) == trail;
        if is_known || self.passages[last].links >= LINKS || self.ways(last).nth(WAYS - 1).is_some() || self.is_full() {
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
    pub(super) fn put(&self, start: u32, from: u64, simd: &mut Simd, waves: &mut [Wave], code: Code<'_>) {
        state::put(simd, waves, code, from, self.kept(start));
    }

    /// A state that is kept.
    fn kept(&self, start: u32) -> &[u32] {
        let start = start as usize + 1;
        &self.states[start..start + self.states[start - 1] as usize]
    }

    /// Whether there is room for no more passages.
    pub(super) fn is_full(&self) -> bool {
        let bytes = self.by_state.len() * size_of::<[u64; 3]>()
            + size_of_val(&*self.passages)
            + size_of_val(&*self.ways)
            + size_of_val(&*self.trails)
            + size_of_val(&*self.states)
            + size_of_val(&*self.moved)
            + size_of_val(&*self.took)
            + size_of_val(&*self.waits);
        bytes > ROOM
    }

    /// What has grown so far may go on for long. Where it will be costs nothing before it is there; moving it does.
    fn has_many(&mut self) {
        let share = ROOM / 8;
        self.passages.reserve(share / size_of::<Passage>());
        self.states.reserve(share / size_of::<u32>());
        self.took.reserve(share / size_of::<Took>());
        self.waits.reserve(share / 4 / size_of::<(Why, u64)>());
        self.trails.reserve(share / 8 / size_of::<u64>());
        self.moved.reserve(share / 8 / size_of::<Moved>());
    }

    /// The ways on from a passage.
    #[inline]
    fn ways(&self, at: usize) -> impl Iterator<Item = Way> {
        let is_one = |way: &Way| way.next != NO_WAY;
        let other = |way: &Way| self.ways.get(way.other as usize).copied();
        std::iter::successors(Some(self.passages[at].way).filter(is_one), other)
    }

    /// A passage comes behind another one for an answer.
    fn follow(&mut self, last: usize, answer: Answer, next: u32) {
        let known = self.ways(last).count();
        let way = &mut self.passages[last].way;
        if known == 0 {
            (way.answer, way.next) = (answer, next);
        } else if known < WAYS {
            self.ways.push(Way { answer, next, other: way.other });
            way.other = self.ways.len() as u32 - 1;
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
                waits: waits as u32,
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
        let (place, step) = asks.map_or((NOBODY, NO_STEP), |(place, step)| (place as u8, step));
        self.passages.push(Passage {
            clocks: (now - from) as u32,
            step,
            place,
            links,
            movers: (self.moved.len() - moved) as u8,
            moved: moved as u32,
            took: took as u32,
            begins,
            way: Way::NONE,
            taken: 0,
            latest: 0,
            on: On::default(),
        });
        self.trails.push(trail);
        told.clear();
        if let Some((last, answer)) = behind {
            self.follow(last, answer, number);
        }
        number as usize
    }

    /// Whether a wave asks at the end of a passage.
    pub(super) fn asks(&self, flight: Flight) -> bool {
        self.passages[flight.passage].place != NOBODY
    }

    /// Whether all that happens on a passage, at the end of which all waves wait, happens before a clock.
    pub(super) fn is_over(&self, flight: Flight, until: u64) -> bool {
        !self.asks(flight) && flight.from + u64::from(self.passages[flight.passage].clocks) < until
    }

    /// When a wave asks on a passage that a SIMD is on since a clock.
    #[inline]
    pub(super) fn asks_at(&self, Flight { passage, from, .. }: Flight) -> u64 {
        let Passage { clocks, place, .. } = self.passages[passage];
        if place == NOBODY { NEVER } else { from + u64::from(clocks) }
    }

    /// The passage behind one, for an answer.
    #[inline]
    pub(super) fn behind(&mut self, at: usize, answer: Answer) -> Option<usize> {
        let way = self.ways(at).find(|way| way.answer == answer)?;
        (self.debt, self.next_rest) = (self.debt.saturating_sub(1), 0);
        Some(way.next as usize)
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
        let on = On::new(self.unit, number);
        if passage.on.at(passage.latest) <= on.at(flight.from) {
            (passage.on, passage.latest) = (on, flight.from);
        }
        flight.is_counted = true;
        for Moved { place, progress } in &self.moved[passage.moved()] {
            let wave = &mut waves[simd.waves[*place as usize].slot];
            if !flight.is_ahead {
                progress.add(wave);
            }
            flight.is_near |= wave.instructions > far;
        }
        let Passage { place, step, .. } = *passage;
        let slot = simd.waves.get(usize::from(place))?.slot;
        waves[slot].step = step;
        Some(slot)
    }

    /// What waves did on a passage has not happened.
    pub(super) fn take_back(&self, passage: usize, simd: &Simd, waves: &mut [Wave]) {
        for Moved { place, progress } in &self.moved[self.passages[passage].moved()] {
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
        let start = self.states.len() as u32;
        self.states.push(self.state.len() as u32);
        self.states.extend_from_slice(&self.state);
        self.by_state.entry(self.hash).or_insert(passage);
        Begin::State(start)
    }

    /// How a passage begins.
    pub(super) fn begins(&self, passage: usize) -> Begin {
        self.passages[passage].begins
    }

    /// The trail to behind a passage: the last sixteen answers, some bits of each, or the state behind which they came.
    pub(super) fn trail(&self, last: usize, answer: Answer) -> u64 {
        let Passage { clocks, place, step, .. } = self.passages[last];
        let came = mixed(&[place.into(), step, clocks, answer.came, answer.after]);
        self.trails[last] << TRACK | came >> (u64::BITS - TRACK)
    }

    /// The trail to a state that was looked for, and is new.
    pub(super) fn trail_to_new(&self) -> u64 {
        self.hash
    }

    /// How a passage led to another one.
    pub(super) fn leads(&self, last: usize, next: usize) -> Option<Led> {
        let way = self.ways(last).find(|way| way.next as usize == next)?;
        Some(self.led(last, way.answer))
    }

    /// How a passage leads to what comes for an answer.
    pub(super) fn led(&self, last: usize, answer: Answer) -> Led {
        let Passage { clocks, place, step, begins, .. } = self.passages[last];
        let after = if matches!(answer.came(), Came::Opened(_)) { answer.after } else { clocks };
        let until = match begins {
            Begin::Of(whole) => self.leads(whole as usize, last).map(|cut| cut.answer.after.into()),
            _ => None,
        };
        Led { place: place.into(), step, after: after.into(), until, answer }
    }

    /// What the passages took that units have taken since that was told last, of so many instructions.
    #[must_use]
    pub fn tell(&mut self, steps: usize) -> Report {
        let mut report = Report { steps: vec![StepTime::default(); steps], ..Report::default() };
        for at in std::mem::take(&mut self.taken) {
            let end = self.passages.get(at as usize + 1).map_or(self.took.len(), |next| next.took as usize);
            let passage = &mut self.passages[at as usize];
            let (latest, taken) = (passage.on.at(passage.latest), passage.taken);
            (passage.taken, passage.latest, passage.on) = (0, 0, On::default());
            for at in passage.took as usize..end {
                let Took { step, count, clocks, waits, on, start } = &self.took[at];
                let count = u64::from(*count) * taken;
                let all = &mut report.steps[*step as usize];
                report.recalled += count;
                all.count += count;
                all.clocks += clocks * taken;
                let end = self.took.get(at + 1).map_or(self.waits.len(), |next| next.waits as usize);
                let waits = &self.waits[*waits as usize..end];
                waits.iter().for_each(|(why, clocks)| all.waits[*why as usize] += clocks * taken);
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
