//! Cases in assembly, which carry their expectations: `shaders/asm/*.s`.

use crate::build::Chip;
use crate::support::trial;
use libtest_mimic::{Failed, Trial};
use std::sync::Arc;
use wavediff::case::Case;
use wavediff::isa::Target;

/// A test for each case, processor and wave size.
pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for path in crate::files(&crate::shaders().join("asm"), "s") {
        let text = std::fs::read_to_string(&path).expect("a file");
        let name = path.file_stem().and_then(|stem| stem.to_str()).expect("a name").to_owned();
        let case = Case::parse(&text, &path.to_string_lossy()).unwrap_or_else(|e| panic!("{e}"));
        let case = Arc::new(case);
        for target in case.targets() {
            let wave = if target.wave32() { 32 } else { 64 };
            let chip = Chip::all().into_iter().find(|c| c.mcpu == target.arch.name && c.wave == wave);
            let Some(chip) = chip else { continue };
            let case = Arc::clone(&case);
            trials.push(trial(format!("asm/{name}::{chip}"), move || run(&case, target)));
        }
    }
    trials
}

fn run(case: &Case, target: Target) -> Result<(), Failed> {
    let outcome = crate::device::run_case(case, target)?;
    let mismatches = case.check(target, &outcome)?;
    let lines: Vec<String> = mismatches.iter().take(8).map(ToString::to_string).collect();
    if lines.is_empty() { Ok(()) } else { Err(lines.join("\n").into()) }
}
