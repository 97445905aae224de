//! Signs of life of a long run: a bar on a terminal, elsewhere a line a minute.

use crate::tell;
use indicatif::{ProgressBar, ProgressStyle};
use std::time::{Duration, Instant};

/// How often a line is written where there is no terminal.
const BEAT: Duration = Duration::from_secs(60);

/// The progress of a run of so many units.
pub struct Progress {
    bar: ProgressBar,
    units: usize,
    done: usize,
    start: Instant,
    last: Instant,
}

impl Progress {
    /// Begins.
    pub fn new(units: usize) -> Progress {
        let style = ProgressStyle::with_template("{bar:40} {pos}/{len} units, {elapsed} of about {duration}");
        let bar = ProgressBar::new(units as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Progress { bar, units, done: 0, start: Instant::now(), last: Instant::now() }
    }

    /// A unit is done.
    pub fn done(&mut self) {
        self.done += 1;
        self.bar.inc(1);
        self.waiting();
    }

    /// Some time went by.
    pub fn waiting(&mut self) {
        if let Some(line) = self.beat(Instant::now()) {
            tell!("{line}");
        }
    }

    /// The line for where there is no bar, if it is time for one.
    fn beat(&mut self, now: Instant) -> Option<String> {
        if !self.bar.is_hidden() || now.duration_since(self.last) < BEAT {
            return None;
        }
        self.last = now;
        Some(format!("{} of {} units after {} s", self.done, self.units, now.duration_since(self.start).as_secs()))
    }

    /// The run is over.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indicatif::ProgressDrawTarget;

    #[test]
    fn a_line_comes_once_in_a_beat() {
        let mut progress = Progress::new(7);
        progress.bar.set_draw_target(ProgressDrawTarget::hidden());
        let start = progress.start;
        let mut after = |seconds: u64, done: usize| {
            progress.done = done;
            progress.beat(start + Duration::from_secs(seconds))
        };
        assert_eq!(after(59, 1), None);
        assert_eq!(after(61, 2).as_deref(), Some("2 of 7 units after 61 s"));
        assert_eq!(after(62, 3), None, "the line was there a second ago");
        assert_eq!(after(120, 4), None);
        assert_eq!(after(121, 5).as_deref(), Some("5 of 7 units after 121 s"));
        assert_eq!(after(600, 7).as_deref(), Some("7 of 7 units after 600 s"));
    }
}
