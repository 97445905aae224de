//! What a SIMD has done once it does again in the same way, and the [model](super::model) need not find out twice.
//!
//! As long as its waves do what they do by themselves (`Op::by_itself`), what happens on a SIMD follows from its state alone: from
//! where its waves are, and from the clocks that they and its units wait for, as seen from now. So a *passage*, from a state to the next
//! instruction of which the model has to ask, is kept with the state that it began with. Where a SIMD is in that state once more, as in
//! a loop, it takes the state behind the passage, and what the passage took is counted as often as it was taken.
//!
//! A SIMD sets off for a passage and is at its end when that clock has come, if nothing else comes between: a barrier that opens, a wave that is
//! added. Then what happens up to there is found out event by event.

use super::report::{Report, StepTime};
use super::simd::Simd;
use super::state;
use super::tally::Told;
use super::wave::{Code, Wave};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// Clocks that a passage may take; a wave issues no more instructions in it.
pub(super) const LONGEST: u64 = 1 << 12;

/// Instructions of a wave for which it is not worth while to look for one.
pub(super) const SHORTEST: u32 = 8;

/// Words that all passages may have together: 8 MiB.
const ROOM: usize = 1 << 20;

/// So many passages that were never taken again, one after the other, and none is kept for so many chances.
const MISSES: u32 = 32;
const REST: u32 = 1 << 9;

/// What a compute unit remembers.
#[derive(Default)]
pub(super) struct Recall {
    passages: Vec<Passage>,
    by_state: HashMap<Rc<[u64]>, usize>,
    words: usize,
    /// The state that is looked for.
    state: Vec<u64>,
    misses: u32,
    rest: u32,
}

/// What a SIMD did from one state to another one.
struct Passage {
    before: Rc<[u64]>,
    after: Box<[u64]>,
    /// Clocks between them.
    clocks: u64,
    /// What each wave issued and started.
    progress: Box<[Progress]>,
    steps: Box<[Took]>,
    /// How often it was taken again, and the clock and the SIMD of the last time.
    taken: u64,
    latest: (u64, usize),
    /// The passage that was taken behind it.
    then: usize,
}

/// What an instruction took in a passage.
struct Took {
    step: u32,
    time: StepTime,
    /// The last result that it waited for, by the clock of its start.
    last: Option<(u64, u32)>,
}

/// Instructions that a wave has issued, and vector instructions that it has started.
#[derive(Clone, Copy)]
pub(super) struct Progress {
    issued: u64,
    started: u32,
}

impl Progress {
    pub(super) fn of(wave: &Wave) -> Progress {
        Progress { issued: wave.instructions, started: wave.started }
    }

    fn put(self, wave: &mut Wave) {
        (wave.instructions, wave.started) = (self.issued, self.started);
    }
}

impl Recall {
    /// Whether nothing is looked for now.
    pub(super) fn rests(&mut self) -> bool {
        let rests = self.rest != 0;
        self.rest = self.rest.saturating_sub(1);
        rests
    }

    /// The passage from the state that a SIMD is in.
    pub(super) fn find(&mut self, simd: &mut Simd, waves: &mut [Wave], code: Code<'_>) -> Option<usize> {
        let from = simd.next;
        self.state.clear();
        state::write(simd, waves, code, from, &mut self.state);
        state::write_circumstances(simd, waves, from, &mut self.state);
        let expected = self.passages.get(simd.last).map(|last| last.then);
        let is_it = |at: &usize| self.passages.get(*at).is_some_and(|passage| *passage.before == *self.state);
        let found = expected.filter(is_it).or_else(|| self.by_state.get(&*self.state).copied());
        self.misses = if found.is_some() { 0 } else { self.misses + 1 };
        if self.misses >= MISSES {
            (self.misses, self.rest) = (MISSES * 3 / 4, REST);
        }
        found
    }

    /// Whether there is room for no more passages.
    pub(super) fn is_full(&self) -> bool {
        self.words > ROOM
    }

    /// Keeps the passage that a SIMD has made from the state that was looked for last, and takes it back there.
    pub(super) fn keep(&mut self, simd: &mut Simd, waves: &mut [Wave], code: Code<'_>, made: Made) -> usize {
        let Made { from, now, before, told } = made;
        let mut after = Vec::with_capacity(self.state.len());
        state::write(simd, waves, code, now, &mut after);
        let mut steps = BTreeMap::<u32, Took>::new();
        for Told { step, start, clocks, waits, on } in told {
            let Took { time, last, .. } =
                steps.entry(step).or_insert(Took { step, time: StepTime::default(), last: None });
            time.count += 1;
            time.clocks += clocks;
            waits.into_iter().flatten().for_each(|(why, clocks)| time.waits[why as usize] += clocks);
            if let Some(on) = on {
                *last = (*last).max(Some((start - from, on)));
            }
        }
        let progress = simd.waves.iter().zip(&before).map(|(due, before)| {
            let now = Progress::of(&waves[due.slot]);
            Progress { issued: now.issued - before.issued, started: now.started - before.started }
        });
        let progress = progress.collect();
        for (due, before) in simd.waves.iter().zip(&before) {
            before.put(&mut waves[due.slot]);
        }
        state::put(simd, waves, code, from, &self.state);
        let before: Rc<[u64]> = self.state.as_slice().into();
        let steps: Box<[Took]> = steps.into_values().collect();
        self.words += before.len() + after.len() + size_of_val(&*steps) / size_of::<u64>();
        self.by_state.insert(Rc::clone(&before), self.passages.len());
        self.passages.push(Passage {
            before,
            after: after.into(),
            clocks: now - from,
            progress,
            steps,
            taken: 0,
            latest: (0, 0),
            then: 0,
        });
        self.passages.len() - 1
    }

    /// What a passage takes.
    pub(super) fn clocks(&self, at: usize) -> u64 {
        self.passages[at].clocks
    }

    /// A SIMD comes to the end of a passage that it has been on since a clock.
    pub(super) fn take(
        &mut self,
        at: usize,
        from: u64,
        number: usize,
        simd: &mut Simd,
        waves: &mut [Wave],
        code: Code<'_>,
    ) {
        let passage = &mut self.passages[at];
        for (due, more) in simd.waves.iter().zip(&passage.progress) {
            let wave = &mut waves[due.slot];
            Progress { issued: wave.instructions + more.issued, started: wave.started + more.started }.put(wave);
        }
        passage.taken += 1;
        passage.latest = passage.latest.max((from, number));
        state::put(simd, waves, code, from + passage.clocks, &passage.after);
        if let Some(last) = self.passages.get_mut(simd.last) {
            last.then = at;
        }
        simd.last = at;
    }

    /// Adds what passages took to a report. It has noted when it was that an instruction waited for a result last.
    pub(super) fn tell(&self, report: &mut Report, latest: &mut [(u64, usize)]) {
        for passage in self.passages.iter().filter(|passage| passage.taken != 0) {
            for Took { step, time, last } in &passage.steps {
                let all = &mut report.steps[*step as usize];
                report.recalled += time.count * passage.taken;
                all.count += time.count * passage.taken;
                all.clocks += time.clocks * passage.taken;
                all.waits.iter_mut().zip(time.waits).for_each(|(all, one)| *all += one * passage.taken);
                if let Some((clock, on)) = last {
                    let (from, simd) = passage.latest;
                    let latest = &mut latest[*step as usize];
                    if (from + clock, simd) >= *latest {
                        *latest = (from + clock, simd);
                        all.on = Some(*on);
                    }
                }
            }
        }
    }
}

/// A passage that was made just now.
pub(super) struct Made {
    pub(super) from: u64,
    pub(super) now: u64,
    /// What each wave had done before.
    pub(super) before: Vec<Progress>,
    pub(super) told: Vec<Told>,
}
