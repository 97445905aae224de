//! Bisection and reduction of random programs in which an engine is wrong.

use wavediff::case::Body;
use wavediff::engine::EngineError;
use wavediff::engine::{Engine, Subject, Support};
use wavediff::isa::r600::Machine;
use wavediff::r600::bisect::{Found, Pair, compare, find, instructions};
use wavediff::r600::case::Case;
use wavediff::r600::engine::Emulator;
use wavediff::r600::random;
use wavediff::r600::reduce::reduce;

/// An engine that is wrong: its MAX_DX10 is a MIN_DX10.
struct Wrong;

impl Engine<Case> for Wrong {
    fn name(&self) -> &str {
        "wrong"
    }
    fn supports(&self, _: &Case, _: Machine) -> Support {
        Support::Exact
    }
    fn run(&self, case: &Case, machine: Machine) -> Result<<Case as Subject>::Outcome, EngineError> {
        // The mistake is in the text: an instruction takes the place of another.
        let text = case.body.text.replace(" MAX_DX10", " MIN_DX10");
        let body = Body { text, line: case.body.line };
        Emulator::default().run(&Case { body, ..case.clone() }, machine)
    }
}

/// Of random programs in which a wrong engine differs each is blamed on the instruction that is wrong, and comes down to it.
#[test]
fn what_is_wrong_is_found_and_left_alone() {
    let (machine, good) = (Machine::R600, Emulator::default());
    let engines: Pair<'_> = [&good, &Wrong];
    let (mut found, mut in_groups) = (0, 0);
    for seed in 0..200 {
        let case = random::case(machine, seed, 0);
        if !compare(&case, machine, engines).is_ok_and(|differences| !differences.is_empty()) {
            continue;
        }
        found += 1;
        let Ok(Found::At(point)) = find(&case, machine, engines) else { panic!("{seed}: not found\n{case}") };
        // A clause that needs the index of a loop does not show it alone.
        if point.group.is_some() {
            assert!(point.text.contains("MAX_DX10"), "{}", point.text);
            in_groups += 1;
        }
        let small = reduce(&case, machine, engines, &mut |_| {}).expect("engines").expect("a difference");
        assert!(small.body.text.contains("MAX_DX10"), "{small}");
        assert!(instructions(&small, machine) <= 10, "{seed}: {} instructions\n{small}", instructions(&small, machine));
        let came = good.run(&small, machine).expect("an outcome");
        assert_eq!(small.check(machine, &came).expect("a case"), [], "{small}");
        let came = Wrong.run(&small, machine).expect("an outcome");
        assert_ne!(small.check(machine, &came).expect("a case"), [], "{small}");
    }
    assert!(found >= 5 && 2 * in_groups > found, "{found} programs show it, {in_groups} in a group");
}
