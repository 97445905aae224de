//! What a run comes to: what every report begins with, and what decides the exit code of `conform`.
//!
//! A run is good only if something was [compared](tally::compared). One whose cases were all refused, left out by a list, or lost with their engine
//! has shown nothing; and one that did not come to its end has not shown all that it was to show.

use super::tally::{self, Counts};
use super::text::{counted, number};
use crate::journal::Journal;

/// What a run comes to. Of several that fit it is the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Cases are not as expected.
    Bad,
    /// Nothing was compared.
    NotCompared,
    /// It was stopped or cut off, and nothing was bad up to there.
    Stopped,
    /// It came to its end, and nothing is bad.
    Good,
}

impl Verdict {
    /// The verdict on a run.
    pub fn of(journal: &Journal) -> Verdict {
        if journal.units.iter().any(|unit| tally::bad_of(unit) > 0) {
            Verdict::Bad
        } else if tally::compared(journal).values().all(|cases| *cases == 0) {
            Verdict::NotCompared
        } else if journal.end.as_ref().is_none_or(|end| end.interrupted) {
            Verdict::Stopped
        } else {
            Verdict::Good
        }
    }

    /// In words, with the counts of all cases of the run: `nothing bad in 12 cases`.
    pub fn words(self, counts: &Counts) -> String {
        let cases = counted(counts.cases(), "case");
        match self {
            Verdict::Bad => format!("{} of {cases} not as expected", number(counts.bad())),
            Verdict::NotCompared => "nothing was compared".to_owned(),
            Verdict::Stopped => format!("nothing bad so far in {cases}"),
            Verdict::Good => format!("nothing bad in {cases}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::{End, EngineInfo, Header, Unit};
    use wavediff::engine::Status;

    /// A run with one case of each status.
    fn run(statuses: &[Status], end: Option<End>) -> Journal {
        let engines = ["emu", "vulkan:card"].map(|name| EngineInfo { name: name.to_owned(), driver: String::new() });
        let mut unit = Unit { engine: "vulkan:card".to_owned(), ..Unit::default() };
        statuses.iter().for_each(|status| unit.add("v_add_f32", *status, 1));
        let header = Header { engines: engines.to_vec(), units: 1, ..Header::default() };
        Journal { header, units: vec![unit], end, ..Journal::default() }
    }

    #[test]
    fn a_run_is_good_if_it_ended_and_compared_something() {
        use Status::{Crash, Fail, Pass, Timeout, Unsupported};
        let ended = || Some(End { interrupted: false, seconds: 1.0 });
        let stopped = || Some(End { interrupted: true, seconds: 1.0 });
        let runs: [(&[Status], Option<End>, Verdict); 9] = [
            (&[Pass, Unsupported], ended(), Verdict::Good),
            (&[Pass, Unsupported], stopped(), Verdict::Stopped),
            (&[Pass, Unsupported], None, Verdict::Stopped),
            (&[Unsupported], ended(), Verdict::NotCompared),
            (&[Unsupported], None, Verdict::NotCompared),
            (&[], ended(), Verdict::NotCompared),
            (&[Pass, Fail], None, Verdict::Bad),
            (&[Unsupported, Crash], ended(), Verdict::Bad),
            (&[Timeout], ended(), Verdict::Bad),
        ];
        for (statuses, end, verdict) in runs {
            assert_eq!(Verdict::of(&run(statuses, end.clone())), verdict, "{statuses:?} {end:?}");
        }
    }

    /// Without a unit, or with an engine that is only in the header, nothing was compared either.
    #[test]
    fn an_engine_without_units_compared_nothing() {
        let mut journal = run(&[Status::Pass], Some(End::default()));
        assert_eq!(Verdict::of(&journal), Verdict::Good);
        journal.units.clear();
        assert_eq!(Verdict::of(&journal), Verdict::NotCompared);
        assert_eq!(Verdict::of(&Journal::default()), Verdict::NotCompared);
    }
}
