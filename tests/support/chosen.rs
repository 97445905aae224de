//! Which tests of a program run that makes its own.

use libtest_mimic::{Arguments, Trial};
use std::collections::HashSet;

/// The environment variable that names a file with the names of the tests to run, one a line.
pub const TRIALS: &str = "WAVEDIFF_TRIALS";

/// Runs those tests that are asked for.
pub fn run(args: &Arguments, mut trials: Vec<Trial>) -> ! {
    if let Some(path) = std::env::var_os(TRIALS) {
        let text = std::fs::read_to_string(path).expect("the names of tests");
        let wanted: HashSet<&str> = text.lines().collect();
        trials.retain(|trial| wanted.contains(trial.name()));
    }
    libtest_mimic::run(args, trials).exit()
}
