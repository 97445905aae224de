//! From waves that differ to cases that show it alone.

use crate::engines::{self, Opened};
use crate::reduce::{self, Answers};
use wavediff::case::Case;
use wavediff::emu::engine::Emulator;
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

/// Programs with a race that are looked into: each is run in many orders of lanes.
const MOST_RACES: u64 = 32;

/// What came of the waves of a pool that differ.
#[derive(Default)]
pub struct Looked {
    pub failures: Vec<Failure>,
    /// Programs that differ behind a store whose lanes meet, and not before: who wins is nobody's to say.
    pub races: u64,
}

/// Cases of what was found: the shortest walks first, and of walks with an instruction that is guilty already no others.
pub fn failures(round: &Round, found: &[Finding], target: Target, pair: &mut [Opened; 2]) -> Looked {
    let mut found: Vec<&Finding> = found.iter().collect();
    found.sort_by_key(|finding| (round.walk(finding.wave).len(), finding.wave));
    let mut looked = Looked::default();
    for finding in found {
        let walk = round.walk(finding.wave);
        let Looked { failures, races } = &mut looked;
        let known = failures.iter().any(|failure| walk.contains(&failure.guilty));
        if known || failures.len() == MOST || *races == MOST_RACES {
            continue;
        }
        match isolate(round, finding, &walk, target, pair) {
            None => *races += 1,
            Some(mut failure) => {
                if failure.alone {
                    shrink(&mut failure, target, pair);
                }
                failures.push(failure);
            }
        }
    }
    looked
}

/// Whether two engines differ on a case.
fn differs(case: &Case, target: Target, pair: &[Opened; 2]) -> bool {
    let moved = engines::on_ground_of([&pair[0], &pair[1]], case, target);
    let case = moved.as_ref().unwrap_or(case);
    let [a, b] = pair.each_ref().map(|one| one.engine().run(case, target));
    match (a, b) {
        (Ok(a), Ok(b)) => !outcomes(case, target, &a, &b).is_empty(),
        (Ok(_), Err(_)) | (Err(_), Ok(_)) => true,
        (Err(_), Err(_)) => false,
    }
}

/// The shortest beginning of a walk that differs; nothing where that is behind a race.
fn isolate(
    round: &Round,
    finding: &Finding,
    walk: &[&'static str],
    target: Target,
    pair: &[Opened; 2],
) -> Option<Failure> {
    let emulator = Emulator::default();
    let race = (1..=walk.len()).find(|n| emulator.lanes_race(&round.case(finding.wave, *n), target));
    let calm = race.map_or(walk.len(), |n| n - 1);
    let differs = |n: usize| differs(&round.case(finding.wave, n), target, pair);
    if race.is_some() && (calm == 0 || !differs(calm)) {
        return None;
    }
    let shortest = (1..=calm).find(|n| differs(*n));
    let length = shortest.unwrap_or(walk.len());
    let mut case = round.case(finding.wave, length);
    case.remarks = vec![
        format!("Made by fuzz {VERSION}: pool {} wave {}.", round.pool.number, finding.wave),
        format!("In the pool: {}", finding.what),
    ];
    if shortest.is_none() {
        case.remarks.push("It does not differ alone.".to_owned());
    }
    Some(Failure {
        pool: round.pool.number,
        wave: finding.wave,
        arch: target.arch.name,
        what: finding.what.clone(),
        guilty: walk.get(length.saturating_sub(1)).copied().unwrap_or_default(),
        case,
        alone: shortest.is_some(),
    })
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

#[cfg(test)]
mod tests {
    use super::*;
    use wavediff::engine::Options;
    use wavediff::engine::order::{Order, Turns};
    use wavediff::fuzz::{Fuzzer, Profile, refusal};
    use wavediff::isa::Arch;

    /// An engine whose lanes come in another order differs where lanes of a store meet, and that is nobody's fault.
    #[test]
    fn where_lanes_meet_there_is_a_race_and_no_failure() {
        let target = Target::new(Arch::find("gfx1100").expect("a processor"));
        let refuses = refusal(target, None);
        let round = Round::new(Fuzzer::new(target, Profile::Memory, 1, &refuses).pool(&refuses), 48, 1);
        let down = Order { turns: Turns::DOWN, ..Order::default() };
        let pair = [Order::default(), down]
            .map(|order| Opened::Emu(Emulator { options: Options { order, ..Options::default() } }));
        let mut races = 0;
        for wave in 0..round.waves() {
            let walk = round.walk(wave);
            let finding = Finding { wave, what: String::new() };
            let isolated = isolate(&round, &finding, &walk, target, &pair);
            if differs(&round.case(wave, walk.len()), target, &pair) {
                races += 1;
                assert!(isolated.is_none(), "wave {wave}: {walk:?}");
            } else {
                assert!(isolated.is_none_or(|failure| !failure.alone), "wave {wave}: {walk:?}");
            }
        }
        assert!(races > 0, "no lanes meet");
    }
}
