//! The first executed instruction in which two engines differ.
//!
//! Every wave of a run executes a prefix of its instructions and is paused ([`Limits::pause`](crate::engine::dispatch::Limits::pause)); then the states of
//! both sides are compared as a whole: registers of all waves, LDS, buffers, messages, traps. States that have come to differ are taken to stay different, so
//! that a binary search over the length of the prefix finds the first step that matters: before it the states are equal, behind it they
//! are not. From one prefix to the next a wave executes one instruction at most, also where it waited at a barrier.
//!
//! - [`Prefixes`] is a side: anything that knows the state after a prefix. [`Side`] is an engine with a [`Subject`], which is a case or a kernel;
//!   [`Trace`] is what was recorded of one.
//! - [`search`] finds the prefix, and knows nothing of instructions.
//! - [`blame`] says which instruction of which wave it was, with what it read, on the emulator.
//! - [`find`] does all of it.
//! - [`sequence`] is for cases that differ only behind others.
//!
//! Programs whose waves talk to each other without barriers may be told apart by their order alone; [`Point::steady`] says whether a second look
//! showed the same.

mod blame;
pub(crate) mod ddmin;
mod lines;
mod sequence;
mod subject;
mod trace;

pub use blame::{Culprit, Value, blame};
pub use lines::{Line, is_code, lines};
pub use sequence::{Needs, sequence};
pub use subject::{Kernel, OfCase, Side, Subject};
pub use trace::Trace;

use crate::engine::compare::{Difference, states};
use crate::engine::{EngineError, Outcome};
use crate::engine::{Options, Runner};

/// One side: what knows the state after a prefix.
pub trait Prefixes {
    /// The state when every wave has been paused after so many ticks, or has stopped before; `u64::MAX` runs to the end.
    ///
    /// # Errors
    /// There is no such state: the engine cannot run the program, or fails.
    fn after(&mut self, ticks: u64) -> Result<Outcome, EngineError>;
}

/// What a search came to.
#[derive(Clone, Debug)]
pub enum Search {
    /// Nothing differs up to the end.
    Equal,
    /// The states differ before the first instruction.
    Start(Vec<Difference>),
    /// They are equal, and after one step more they are not.
    At(Box<Point>),
}

/// The step in which states come apart.
#[derive(Clone, Debug)]
pub struct Point {
    /// After so many ticks they differ; after one less they are equal.
    pub tick: u64,
    /// What differs then.
    pub differences: Vec<Difference>,
    /// The state before, on both sides.
    pub before: Outcome,
    /// The states after, by side.
    pub after: [Outcome; 2],
    /// Whether all this was so a second time.
    pub steady: bool,
}

/// Finds the step in which two sides come apart. The first one says how long the run is. Only differences that `counts` says yes to are looked at.
///
/// # Errors
/// A side has no state where one is needed.
pub fn search(
    first: &mut dyn Prefixes,
    second: &mut dyn Prefixes,
    counts: &dyn Fn(&Difference) -> bool,
) -> Result<Search, EngineError> {
    let mut look = |ticks: u64| -> Result<(Vec<Difference>, [Outcome; 2]), EngineError> {
        let sides = [first.after(ticks)?, second.after(ticks)?];
        let mut found = states(&sides[0], &sides[1]);
        found.retain(|d| counts(d));
        Ok((found, sides))
    };
    let (at_start, [mut before, _]) = look(0)?;
    if !at_start.is_empty() {
        return Ok(Search::Start(at_start));
    }
    // Prefixes grow until they differ or the first side has nothing more to do: the second one may never come to an end if it went astray.
    let (mut low, mut high) = (0, SHORT);
    let (mut differences, mut after) = loop {
        let (differences, sides) = look(high)?;
        if !differences.is_empty() {
            break (differences, sides);
        }
        if sides[0].stats.paused == 0 || high > LONG {
            return Ok(Search::Equal);
        }
        [before, _] = sides;
        (low, high) = (high, high * 4);
    };
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        let (found, sides) = look(middle)?;
        if found.is_empty() {
            low = middle;
            [before, _] = sides;
        } else {
            (high, differences, after) = (middle, found, sides);
        }
    }
    let steady = look(low)?.0.is_empty() && look(high)?.0 == differences;
    Ok(Search::At(Box::new(Point { tick: high, differences, before, after, steady })))
}

/// The first prefix that is tried.
const SHORT: u64 = 64;
/// Longer prefixes are not tried: the records of waves count no further.
const LONG: u64 = 1 << 29;

/// What came of a comparison, instruction by instruction.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Nothing differs.
    Equal,
    /// Something differs before the first instruction: no instruction did it.
    Start(Vec<Difference>),
    /// An instruction did it.
    At(Box<(Point, Culprit)>),
}

/// Compares two engines over a subject, instruction by instruction.
///
/// # Errors
/// An engine cannot run it, or fails.
pub fn find(
    subject: &dyn Subject,
    engines: [(&dyn Runner, &Options); 2],
    counts: &dyn Fn(&Difference) -> bool,
) -> Result<Verdict, EngineError> {
    let [mut a, mut b] = engines.map(|(runner, options)| Side { subject, runner, options: *options });
    find_between(subject, engines[0].1, [&mut a, &mut b], counts)
}

/// The same for any two sides that have run the subject. `options` are those of the first one.
///
/// # Errors
/// A side has no state where one is needed.
pub fn find_between(
    subject: &dyn Subject,
    options: &Options,
    [a, b]: [&mut dyn Prefixes; 2],
    counts: &dyn Fn(&Difference) -> bool,
) -> Result<Verdict, EngineError> {
    match search(a, b, counts)? {
        Search::Equal => Ok(Verdict::Equal),
        Search::Start(differences) => Ok(Verdict::Start(differences)),
        Search::At(point) => {
            let culprit = blame(subject, options, &point)?;
            Ok(Verdict::At(Box::new((*point, culprit))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Stats, WaveState};

    /// A counter that is one too high from a tick on.
    struct Counts {
        end: u64,
        wrong: u64,
        probes: u32,
    }

    impl Prefixes for Counts {
        fn after(&mut self, ticks: u64) -> Result<Outcome, EngineError> {
            self.probes += 1;
            let n = ticks.min(self.end);
            let wave = WaveState { m0: n as u32 + u32::from(n >= self.wrong), wave_size: 64, ..WaveState::default() };
            let stats = Stats { paused: u32::from(ticks < self.end), ..Stats::default() };
            Ok(Outcome { waves: vec![wave], stats, ..Outcome::default() })
        }
    }

    fn found(end: u64, wrong: u64) -> (Search, u32) {
        let mut right = Counts { end, wrong: u64::MAX, probes: 0 };
        let mut other = Counts { end, wrong, probes: 0 };
        let found = search(&mut right, &mut other, &|_| true).expect("states");
        (found, right.probes)
    }

    #[test]
    fn every_place_is_found() {
        for end in [1, 2, 3, 63, 64, 65, 200] {
            for wrong in 1..=end {
                let (Search::At(point), _) = found(end, wrong) else { panic!("{wrong} of {end}: no point") };
                assert_eq!((point.tick, point.before.waves[0].m0), (wrong, wrong as u32 - 1));
                assert!(point.steady);
            }
            assert!(matches!(found(end, end + 1).0, Search::Equal));
            assert!(matches!(found(end, 0).0, Search::Start(_)));
        }
        let (_, probes) = found(1_000_000, 777_777);
        assert!(probes < 40, "{probes} probes");
    }

    #[test]
    fn what_does_not_count_is_no_difference() {
        let mut right = Counts { end: 9, wrong: u64::MAX, probes: 0 };
        let mut other = Counts { end: 9, wrong: 4, probes: 0 };
        let found = search(&mut right, &mut other, &|d| d.place != "m0").expect("states");
        assert!(matches!(found, Search::Equal));
    }
}
