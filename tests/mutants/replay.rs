//! The short run: each mutant of the golden file with the one test that noticed it.

use crate::evidence::{Evidence, Needs};
use crate::golden;
use crate::judge::fails;
use crate::programs;
use crate::work::each;
use libtest_mimic::Failed;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Whether what a test needs is there.
fn has(needs: Needs) -> bool {
    match needs {
        Needs::Nothing => true,
        Needs::Shared => Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/isa").is_dir(),
        Needs::Guides => has(Needs::Shared) && std::env::var_os("GUIDES").is_some(),
        Needs::Drivers => ["RADV_ICD", "LVP_ICD"].iter().all(|name| std::env::var_os(name).is_some()),
        Needs::Clang => Command::new("clang-19").arg("--version").output().is_ok_and(|done| done.status.success()),
    }
}

pub fn run() -> Result<(), Failed> {
    /// What a test may take, in milliseconds, before ten times as much and some seconds are too
    /// long.
    const MILLIS: u64 = 3_000;
    let found = golden::read()?;
    let missing: Vec<String> = crate::all_mistakes()
        .into_iter()
        .filter(|mutant| !found.contains_key(mutant))
        .map(|mutant| mutant.to_string())
        .collect();
    if !missing.is_empty() {
        return Err(format!("the golden file says nothing of {}", missing.join(", ")).into());
    }
    let programs = programs::build()?;
    let there =
        [Needs::Nothing, Needs::Shared, Needs::Guides, Needs::Clang, Needs::Drivers].map(|needs| (needs, has(needs)));
    let (mut skipped, mut with_drivers) = (0, BTreeSet::new());
    let mut runs = Vec::new();
    for (mutant, noticed) in found.iter().step_by(crate::every()?) {
        let Some(by) = noticed else { continue };
        let evidence = Evidence::of(by.program, &by.trial).ok_or_else(|| format!("{}: no evidence", by.trial))?;
        let program = programs.iter().find(|p| p.name == by.program).ok_or("a program")?;
        if there.iter().any(|(needs, there)| *needs == evidence.needs && *there) {
            runs.push((mutant, program, &by.trial));
            if evidence.needs == Needs::Drivers {
                with_drivers.insert(program.name);
            }
        } else {
            skipped += 1;
        }
    }
    // What drivers make when they are first asked is no part of a test's time.
    for program in programs.iter().filter(|program| with_drivers.contains(program.name)) {
        program.trials()?;
    }
    let passed = each(&runs, |_, (mutant, program, trial)| {
        (!fails(program, &[trial], &mutant.to_string(), MILLIS)).then(|| format!("{mutant}: {}::{trial}", program.name))
    });
    let passed: Vec<String> = passed.into_iter().flatten().collect();
    let unnoticed = found.values().filter(|by| by.is_none()).count();
    println!(
        "{} mutants planted, {skipped} left out for what their tests need, {unnoticed} known not to be noticed",
        runs.len()
    );
    if passed.is_empty() {
        return Ok(());
    }
    Err(format!("{} are not noticed any more by the test that did:\n{}", passed.len(), passed.join("\n")).into())
}
