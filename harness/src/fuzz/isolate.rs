//! From waves that differ to cases that show it alone.

use crate::engines::{self, Opened};
use crate::reduce::{self, Answers};
use wavediff::case::Case;
use wavediff::engine::compare::outcomes;
use wavediff::fuzz::{Finding, Round, VERSION};
use wavediff::isa::Target;

/// A program that differs.
pub struct Failure {
    /// The pool and the wave in it.
    pub pool: u64,
    pub wave: usize,
    pub arch: &'static str,
    /// What differed in the pool.
    pub what: String,
    /// The row that is to blame: as bisection has it, else that of the last instruction that it takes.
    pub guilty: &'static str,
    /// The program on its own, reduced where that went well.
    pub case: Case,
    /// Whether it differs on its own too.
    pub alone: bool,
}

impl Failure {
    /// A name by processor, seed, pool and wave.
    pub fn name(&self, seed: u64) -> String {
        format!("{}_seed{seed}_pool{}_wave{}_{}", self.arch, self.pool, self.wave, self.guilty)
    }
}

/// Failures of a pool that are looked into; more would be the same ones over and over.
const MOST: usize = 6;

/// Cases of what was found: the shortest walks first, and of walks with an instruction that is guilty already no others.
pub fn failures(round: &Round, found: &[Finding], target: Target, pair: &mut [Opened; 2]) -> Vec<Failure> {
    let mut found: Vec<&Finding> = found.iter().collect();
    found.sort_by_key(|finding| (round.walk(finding.wave).len(), finding.wave));
    let mut all: Vec<Failure> = Vec::new();
    for finding in found {
        let walk = round.walk(finding.wave);
        if all.len() == MOST || all.iter().any(|failure| walk.contains(&failure.guilty)) {
            continue;
        }
        let mut failure = isolate(round, finding, &walk, target, pair);
        if failure.alone {
            shrink(&mut failure, target, pair);
        }
        all.push(failure);
    }
    all
}

/// The shortest beginning of a walk that differs.
fn isolate(round: &Round, finding: &Finding, walk: &[&'static str], target: Target, pair: &[Opened; 2]) -> Failure {
    let differs = |case: &Case| {
        let moved = engines::on_ground_of([&pair[0], &pair[1]], case, target);
        let case = moved.as_ref().unwrap_or(case);
        let [a, b] = pair.each_ref().map(|one| one.engine().run(case, target));
        match (a, b) {
            (Ok(a), Ok(b)) => !outcomes(case, target, &a, &b).is_empty(),
            (Ok(_), Err(_)) | (Err(_), Ok(_)) => true,
            (Err(_), Err(_)) => false,
        }
    };
    let shortest = (1..=walk.len()).find(|n| differs(&round.case(finding.wave, *n)));
    let length = shortest.unwrap_or(walk.len());
    let mut case = round.case(finding.wave, length);
    case.remarks = vec![
        format!("Made by fuzz {VERSION}: pool {} wave {}.", round.pool.number, finding.wave),
        format!("In the pool: {}", finding.what),
    ];
    if shortest.is_none() {
        case.remarks.push("It does not differ alone.".to_owned());
    }
    Failure {
        pool: round.pool.number,
        wave: finding.wave,
        arch: target.arch.name,
        what: finding.what.clone(),
        guilty: walk.get(length.saturating_sub(1)).copied().unwrap_or_default(),
        case,
        alone: shortest.is_some(),
    }
}

/// Nobody looks at the answers on the way.
struct Unseen;

impl Answers for Unseen {}

/// Reduces a case that differs; an engine that fails meanwhile leaves it as it is.
fn shrink(failure: &mut Failure, target: Target, pair: &mut [Opened; 2]) {
    if let Ok(Some(reduced)) = reduce::of_case(&failure.case, target, std::slice::from_mut(pair), &mut Unseen) {
        let remarks = std::mem::take(&mut failure.case.remarks);
        failure.case = reduced.case;
        failure.case.remarks.splice(0..0, remarks);
        failure.guilty = reduced.kind.row.unwrap_or(failure.guilty);
    }
}
