//! Whole programs by chance, as cases and as damaged code objects: they end in an outcome, the same one each time, and nothing panics. The
//! laws are those of the fuzzers (`wavediff::laws`).

use proptest::prelude::*;
use wavediff::laws;

/// Inputs on which a law was broken once, with the name of the mistake.
const EMULATE: &[(&str, &[u8])] = &[];
const LAUNCH: &[(&str, &[u8])] = &[];

#[test]
fn mistakes_stay_away() {
    for (name, data) in EMULATE {
        println!("{name}");
        laws::emulate(data);
    }
    for (name, data) in LAUNCH {
        println!("{name}");
        laws::launch_elf(data);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_program_ends_in_an_outcome(seed: u64) {
        laws::emulate(&seed.to_be_bytes());
    }

    #[test]
    fn any_code_object_is_refused_or_runs(seed: u64) {
        laws::launch_elf(&seed.to_be_bytes());
    }
}
