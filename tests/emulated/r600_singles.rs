//! Rows of R600 and R700, some of them in one program.

use wavediff::isa::r600::Machine;
use wavediff::r600::emu::run;
use wavediff::r600::singles::{TOGETHER, case, names, row_of};

/// All rows assemble and run, and each leaves something.
#[test]
fn all_rows_run() {
    for machine in [Machine::R600, Machine::RV770] {
        for names in names(machine).chunks(TOGETHER) {
            let mut moved = vec![false; names.len()];
            for input in 0..8 {
                let case = case(machine, names, 1, input);
                let ready = case.ready(machine).unwrap_or_else(|error| panic!("{error}\n{case}"));
                let outcome = run(&ready.words, &ready.setup).unwrap_or_else(|error| panic!("{error}\n{case}"));
                for (n, moved) in moved.iter_mut().enumerate() {
                    let results = (0..outcome.gprs.len()).filter(|register| row_of(*register as u32) == Some(n));
                    let mut left = results.flat_map(|register| outcome.gprs[register].iter().flatten());
                    *moved |= left.any(|word| *word != 0);
                }
            }
            let still: Vec<&&str> = names.iter().zip(&moved).filter(|(_, moved)| !**moved).map(|(n, _)| n).collect();
            assert!(still.is_empty(), "{still:?} leave nothing");
        }
    }
}
