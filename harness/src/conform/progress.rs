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
        if self.bar.is_hidden() && self.last.elapsed() >= BEAT {
            self.last = Instant::now();
            tell!("{}", self.line());
        }
    }

    fn line(&self) -> String {
        format!("{} of {} units after {} s", self.done, self.units, self.start.elapsed().as_secs())
    }

    /// The run is over.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
