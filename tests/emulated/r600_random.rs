//! Random programs of R600 and R700.

use std::collections::BTreeSet;
use wavediff::isa::r600::Machine;
use wavediff::r600::emu::run;
use wavediff::r600::random::{case, rows};

/// Nearly all assemble and run, and what they are made of is everything.
#[test]
fn programs_run() {
    for machine in [Machine::R600, Machine::RV770] {
        let (mut wrong, mut seen) = (Vec::new(), BTreeSet::new());
        let count = 600;
        for seed in 0..count {
            let case = case(machine, seed, 0);
            let ready = match case.ready(machine) {
                Ok(ready) => ready,
                Err(error) => {
                    wrong.push(format!("{seed}: {error}"));
                    continue;
                }
            };
            if let Err(error) = run(&ready.words, &ready.setup) {
                wrong.push(format!("{seed}: {error}\n{case}"));
            }
            let names = case.body.text.split_whitespace().map(|word| word.split(['*', '/']).next().unwrap_or(""));
            seen.extend(names.map(str::to_owned));
        }
        assert!(
            wrong.len() * 50 < count as usize,
            "{} of {count}: {}",
            wrong.len(),
            wrong[..3.min(wrong.len())].join("\n")
        );
        let missing: Vec<&str> =
            rows(machine).iter().map(|row| row.name).filter(|name| !seen.contains(*name)).collect();
        assert!(missing.is_empty(), "{missing:?} never");
    }
}
