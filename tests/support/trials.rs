//! Tests by name, for programs that make their own: which of them run, and which one is running, as
//! [`wavediff::fault`] wants to know.

use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::HashSet;
use wavediff::fault::coverage;

/// The environment variable that names a file with the names of the tests to run, one a line.
pub const TRIALS: &str = "WAVEDIFF_TRIALS";

/// A test that says when it begins.
pub fn trial(name: String, run: impl FnOnce() -> Result<(), Failed> + Send + 'static) -> Trial {
    let title = name.clone();
    Trial::test(name, move || {
        coverage::begin(&title);
        run()
    })
}

/// Runs those tests that are asked for.
pub fn run(args: &Arguments, mut trials: Vec<Trial>) -> ! {
    if let Some(path) = std::env::var_os(TRIALS) {
        let text = std::fs::read_to_string(path).expect("the names of tests");
        let wanted: HashSet<&str> = text.lines().collect();
        trials.retain(|trial| wanted.contains(trial.name()));
    }
    libtest_mimic::run(args, trials).exit()
}
