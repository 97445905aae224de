//! What is written down while the waves of a compute unit run.

use super::report::{Event, Report, StepTime, WaveTime, Why};
use super::wave::{NO_STEP, Reason, Wave};

/// A report on its way.
pub(super) struct Tally {
    pub(super) report: Report,
    /// When what each instruction waited for last was written down, and of which SIMD: these do not come in order.
    latest: Vec<(u64, usize)>,
    /// The number of the compute unit.
    unit: u32,
    /// How many events more are kept.
    room: usize,
    /// What an instruction takes that waits for nothing.
    interval: u64,
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
        Tally { report, latest: vec![(0, 0); steps], unit, room: events, interval: interval.into() }
    }

    /// Counts an instruction of a wave which starts, and keeps it as an event. For what reason it waited is asked where it did.
    #[inline(always)]
    pub(super) fn tell(&mut self, wave: &mut Wave, step: u32, when: When, reason: impl Fn(&Wave) -> Reason) {
        let clocks = when.start.saturating_sub(wave.last);
        wave.last = wave.last.max(when.start);
        let mut waited = clocks.saturating_sub(self.interval);
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
                let latest = &mut self.latest[step as usize];
                if reason.on != NO_STEP && (when.start, wave.simd) >= *latest {
                    *latest = (when.start, wave.simd);
                    time.on = Some(reason.on);
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

    /// What has been written down.
    pub(super) fn report(mut self) -> Report {
        let all: u64 = self.report.steps.iter().map(|time| time.count).sum();
        self.report.left_out = all - self.report.events.len() as u64;
        self.report
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
