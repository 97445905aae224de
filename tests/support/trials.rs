//! Tests by name, for programs that make their own: which one is running, as [`wavediff::fault`] wants
//! to know, and [which of them](chosen) run.

#[path = "chosen.rs"]
mod chosen;

pub use chosen::run;

use libtest_mimic::{Failed, Trial};
use wavediff::fault::coverage;

/// A test that says when it begins.
pub fn trial(name: String, run: impl FnOnce() -> Result<(), Failed> + Send + 'static) -> Trial {
    let title = name.clone();
    Trial::test(name, move || {
        coverage::begin(&title);
        run()
    })
}
