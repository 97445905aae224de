//! Programs that compilers made for R600 and RV770 (`golden/oracle/r600`: Mesa and LLVM), executed: what they export is compared with
//! what the same source gives elsewhere (llvmpipe, x86-64, Python).
//!
//! A program counts if an independent model gave the expected values too (`reference: agrees`); the others are executed and may say
//! anything but panic.

#[path = "support/r600.rs"]
mod programs;

use std::collections::BTreeMap;
use wavediff::r600::emu::run;

/// Programs that do not give what is expected, each with the reason.
const FAILING: &[(&str, &str)] = &[];

#[test]
fn programs_export_what_their_sources_give() {
    let all = programs::load();
    let mut counts: BTreeMap<(&str, &str), [u32; 2]> = BTreeMap::new();
    let mut others: BTreeMap<String, u32> = BTreeMap::new();
    let mut failed = Vec::new();
    for program in &all {
        let result = run(&program.words, &program.setup);
        let difference = program.difference(&result);
        if !program.agrees {
            let what = match (&result, difference) {
                (Err(error), _) => error.to_string(),
                (_, None) => "the same".to_owned(),
                (_, Some(_)) => "differs".to_owned(),
            };
            let kind = program.reference.split(':').next().unwrap_or_default();
            *others.entry(format!("{kind}, {}: {what}", program.test)).or_default() += 1;
            continue;
        }
        let count = counts.entry((&program.origin, program.setup.machine.name())).or_default();
        count[1] += 1;
        match difference {
            None => count[0] += 1,
            Some(difference) => failed.push((program.name.as_str(), difference)),
        }
    }
    // As many as `golden/oracle/r600` has: fewer would be green for want of them.
    let total = counts.values().fold([0, 0], |sum, count| [sum[0] + count[0], sum[1] + count[1]]);
    println!("{} of {} programs give what is expected", total[0], total[1]);
    for ((origin, machine), [right, all]) in &counts {
        println!("  {origin} {machine}: {right} of {all}");
    }
    for (what, count) in &others {
        println!("  not counted: {count} {what}");
    }
    for (name, difference) in &failed {
        println!("  {name}: {difference}");
    }
    assert_eq!(total[1], 300, "programs with confirmed values");
    let mut names: Vec<&str> = failed.iter().map(|(name, _)| *name).collect();
    names.sort_unstable();
    let mut known: Vec<&str> = FAILING.iter().map(|(name, _)| *name).collect();
    known.sort_unstable();
    assert_eq!(names, known, "programs that fail (left) are not those that are known to (right)");
}
