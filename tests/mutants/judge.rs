//! Who notices a mutant: the tests that meet what is wrong are run with it, the best evidence
//! first, quick ones before slow ones.

use crate::evidence::{Evidence, Kind};
use crate::golden::is_kept;
use crate::programs::{Ended, Program};
use crate::record::Record;
use std::collections::BTreeMap;
use std::time::Duration;
use wavediff::fault::{MUTANT, Mutant};

/// The test that noticed a mutant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Noticed {
    pub kind: Kind,
    pub program: &'static str,
    pub trial: String,
}

/// Tests, and how to run them.
pub struct Judge<'a> {
    pub programs: &'a [Program],
    pub record: &'a Record,
}

/// How long the tests of a process take together without a mistake, in milliseconds, round by round.
/// What a minute of tests that meet a mistake does not notice, the rest of that program's tests
/// hardly will: they are left out, for mistakes in what all kernels of the corpus execute.
const ROUNDS: [u64; 3] = [300, 3_000, 60_000];
/// What a process may take beyond what its tests took without a mistake, tenfold.
const GRACE: Duration = Duration::from_secs(5);

/// What is recorded where a mutant is met.
pub fn item(mutant: &Mutant) -> String {
    match mutant {
        Mutant::Row { .. } => format!("row\t{mutant}"),
        Mutant::Meaning { of, .. } => format!("meaning\t{of}"),
        Mutant::Mistake(mistake) => format!("mistake\t{}", mistake.name()),
        Mutant::Above(_) => format!("mistake\t{mutant}"),
    }
}

impl Judge<'_> {
    /// The best evidence against a mutant.
    pub fn judge(&self, mutant: &Mutant) -> Option<Noticed> {
        let met = self.record.of(&item(mutant));
        Kind::ALL.into_iter().find_map(|kind| self.by(kind, met, mutant))
    }

    /// The best evidence that meets what is wrong.
    pub fn met(&self, mutant: &Mutant) -> Option<Noticed> {
        let of = |number: &u32| {
            let trial = &self.record.trials[*number as usize];
            let program = self.programs[trial.program].name;
            let kind = Evidence::of(program, &trial.name)?.kind;
            Some(Noticed { kind, program, trial: trial.name.clone() })
        };
        self.record.of(&item(mutant)).iter().filter_map(of).min_by_key(|one| one.kind)
    }

    /// A test of a kind that notices it.
    fn by(&self, kind: Kind, met: &[u32], mutant: &Mutant) -> Option<Noticed> {
        let name = mutant.to_string();
        let mut by_program: BTreeMap<usize, Vec<(u64, &str)>> = BTreeMap::new();
        for number in met {
            let trial = &self.record.trials[*number as usize];
            let evidence = Evidence::of(self.programs[trial.program].name, &trial.name);
            if evidence.is_some_and(|evidence| evidence.kind == kind) {
                by_program.entry(trial.program).or_default().push((trial.millis, &trial.name));
            }
        }
        for trials in by_program.values_mut() {
            trials.sort_unstable();
            trials.reverse();
        }
        for most in ROUNDS {
            for (program, trials) in &mut by_program {
                let mut some = Vec::new();
                let mut sum = 0;
                while let Some((millis, name)) = trials.pop() {
                    some.push(name);
                    sum += millis;
                    if sum >= most {
                        break;
                    }
                }
                let program = &self.programs[*program];
                if !some.is_empty() && fails(program, &some, &name, sum) {
                    // Which of them is of interest where it is run again.
                    let trial = if is_kept(mutant) { first(program, &some, &name, sum) } else { String::new() };
                    return Some(Noticed { kind, program: program.name, trial });
                }
            }
        }
        None
    }
}

/// Whether tests notice a mutant: one of them fails, or does not end, where without it they do.
pub fn fails(program: &Program, trials: &[&str], mutant: &str, millis: u64) -> bool {
    let most = GRACE + Duration::from_millis(millis.saturating_mul(10));
    match program.run(trials, &[(MUTANT, mutant)], most) {
        Ended::Passed => false,
        Ended::Failed => true,
        Ended::Hung => program.run(trials, &[], most) == Ended::Passed,
    }
}

/// The first of the tests that notices it.
fn first(program: &Program, trials: &[&str], mutant: &str, millis: u64) -> String {
    let mut rest = trials;
    while rest.len() > 1 {
        let (front, back) = rest.split_at(rest.len() / 2);
        rest = if fails(program, front, mutant, millis) { front } else { back };
    }
    rest[0].to_owned()
}
