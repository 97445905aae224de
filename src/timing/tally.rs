//! What is written down while the waves of a compute unit run.

use super::report::{Event, Moment, Report, StepTime, WaveTime, Why};
use super::wave::{NO_STEP, Reason, Wave};

/// A report on its way.
pub(super) struct Tally {
    pub(super) report: Report,
    /// The number of the compute unit.
    unit: u32,
    /// How many events more are kept.
    room: usize,
    /// Whether nothing is counted now.
    is_mute: bool,
    /// Whether what instructions take is kept beside, and what they took.
    listens: bool,
    told: Vec<Told>,
    /// What an instruction takes that waits for nothing.
    interval: u64,
}

/// What an instruction took.
#[derive(Clone)]
pub(super) struct Told {
    pub(super) step: u32,
    pub(super) start: u64,
    pub(super) clocks: u64,
    pub(super) waits: [Option<(Why, u64)>; 2],
    /// The instruction whose result it waited for.
    pub(super) on: Option<u32>,
}

impl Told {
    #[cold]
    fn new(wave: &Wave, step: u32, start: u64, clocks: u64, waited: u64, reason: Reason) -> Told {
        let slept = wave.slept.min(waited);
        let waited = waited - slept;
        let waits = [Some((Why::Asleep, slept)), reason.why.map(|why| (why, waited))];
        Told { step, start, clocks, waits, on: (reason.on != NO_STEP && waited != 0).then_some(reason.on) }
    }
}

/// When an instruction is issued, starts, and is done.
#[derive(Clone, Copy)]
pub(super) struct When {
    pub(super) issue: u64,
    pub(super) start: u64,
    pub(super) done: u64,
}

impl Tally {
    /// Of so many instructions, on a compute unit; nothing has run yet.
    pub(super) fn new(steps: usize, unit: u32, events: usize, interval: u8) -> Tally {
        let report = Report { units: 1, steps: vec![StepTime::default(); steps], ..Report::default() };
        Tally {
            report,
            unit,
            room: events,
            is_mute: false,
            listens: false,
            told: Vec::new(),
            interval: interval.into(),
        }
    }

    /// Counts an instruction of a wave which starts, and keeps it as an event. For what reason it waited is asked where it did.
    #[inline(always)]
    pub(super) fn tell(&mut self, wave: &mut Wave, step: u32, when: When, reason: impl Fn(&Wave) -> Reason) {
        let clocks = when.start.saturating_sub(wave.last);
        wave.last = wave.last.max(when.start);
        let mut waited = clocks.saturating_sub(self.interval);
        if self.listens {
            self.told.push(Told::new(wave, step, when.start, clocks, waited, reason(wave)));
        }
        if self.is_mute {
            wave.slept = 0;
            return;
        }
        let time = &mut self.report.steps[step as usize];
        time.count += 1;
        time.clocks += clocks;
        if waited != 0 {
            let slept = wave.slept.min(waited);
            waited -= slept;
            time.waits[Why::Asleep as usize] += slept;
            let reason = reason(wave);
            if let Some(why) = reason.why
                && waited != 0
            {
                time.waits[why as usize] += waited;
                if reason.on != NO_STEP {
                    time.waits_for(reason.on, Moment::new(self.unit, when.start, wave.simd));
                }
            }
        }
        wave.slept = 0;
        if self.room != 0 {
            self.room -= 1;
            self.keep(wave, step, when, reason(wave), waited);
        }
    }

    #[cold]
    fn keep(&mut self, wave: &Wave, step: u32, when: When, reason: Reason, waited: u64) {
        self.report.events.push(Event {
            group: wave.group,
            wave: wave.number,
            step,
            issue: when.issue,
            start: when.start,
            done: when.done,
            why: reason.why.map(|why| (why, waited as u32)).filter(|(_, n)| *n != 0),
            on: (reason.on != NO_STEP).then_some(reason.on),
        });
    }

    /// Whether events are kept.
    pub(super) fn keeps_events(&self) -> bool {
        self.room != 0
    }

    /// Whether what instructions take is counted from now on, as it is at first, and whether it is kept beside.
    pub(super) fn listen(&mut self, counts: bool, keeps: bool) {
        (self.is_mute, self.listens) = (!counts, keeps);
    }

    /// What was kept since the last time.
    pub(super) fn told(&mut self) -> &mut Vec<Told> {
        &mut self.told
    }

    /// Keeps, too, what the instruction takes that a wave asks for now.
    pub(super) fn foretell(&mut self, wave: &Wave, now: u64) {
        let clocks = now.saturating_sub(wave.last);
        let waited = clocks.saturating_sub(self.interval);
        self.told.push(Told::new(wave, wave.step, now, clocks, waited, wave.front.held(now)));
    }

    /// A wave has ended.
    pub(super) fn end(&mut self, wave: &Wave) {
        let report = &mut self.report;
        report.all_waves += 1;
        if report.waves.len() < Report::WAVES {
            report.waves.push(WaveTime {
                group: wave.group,
                wave: wave.number,
                unit: self.unit,
                simd: wave.simd as u32,
                begin: wave.begin,
                end: wave.last + 1,
                arrived: wave.drained.max(wave.last + 1),
                instructions: wave.instructions,
            });
        }
        report.clocks = report.clocks.max(wave.last + 1).max(wave.drained);
    }
}
