//! Measuring programs: each ALU row of a processor has them or a reason, they run, and they are what they say.
//!
//! That copies wait for each other, or do not, is checked of the assembled program by what its steps read and write.

use std::collections::BTreeMap;
use wavediff::emu::engine::Emulator;
use wavediff::engine::Engine;
use wavediff::isa::does::{Does, Idle};
use wavediff::isa::{Arch, Target};
use wavediff::program::uses::{Other, Set};
use wavediff::program::{Program, Step};
use wavediff::timing::probe::{FAMILIES, Kind, Probe, Reason, probes};

/// Numbers of copies.
const COPIES: [u32; 3] = [0, 4, 9];

fn target(name: &str) -> Target {
    Target::new(Arch::find(name).expect("a processor"))
}

/// What one step writes and another reads of registers and SCC.
fn meet(writes: &Set, reads: &Set) -> bool {
    let vectors = writes.vectors.iter().zip(reads.vectors).any(|(a, b)| a & b != 0);
    vectors || writes.scalars & reads.scalars != 0 || (writes.other & reads.other).contains(Other::SCC)
}

/// The steps between the two readings of the clock.
fn measured(program: &Program) -> Vec<&Step> {
    let mut at = 0;
    let mut steps = Vec::new();
    while let Some(step) = program.steps.get(at as usize) {
        steps.push(step);
        at = step.next;
    }
    let clock = |step: &&Step| program.uses(step).reads.other.contains(Other::CLOCK);
    let first = steps.iter().position(clock).expect("the first reading");
    let last = steps.iter().rposition(clock).expect("the second reading");
    steps[first + 1..last].iter().copied().filter(|step| step.does() != Some(Does::Idle(Idle::Wait))).collect()
}

/// Holds the steps of a program to what the probe says of them.
fn check(probe: &Probe, program: &Program, n: usize) {
    let name = format!("{} {} {:?}", program.target.arch.name, probe.name(), probe.kind);
    let steps = measured(program);
    let links = if probe.partner().is_some() { 2 } else { 1 };
    assert!(steps.len() > n * links, "{name}: something waits for the last copy");
    let uses: Vec<_> = steps.iter().map(|step| program.uses(step)).collect();
    for (at, step) in steps[..n * links].iter().enumerate() {
        let row = step.row.expect("a row");
        let partner = probe.partner().is_some() && at % 2 == 1;
        let first_half = probe.name().starts_with("v_dual_");
        let expected = if partner { probe.partner().expect("it") } else { probe.row };
        assert!(first_half || std::ptr::eq(row, expected), "{name}: {} stands there", row.name);
    }
    for i in 0..n * links {
        for j in i + 1..n * links {
            let meets = meet(&uses[i].writes, &uses[j].reads);
            match probe.kind {
                Kind::Latency if j == i + 1 => assert!(meets, "{name}: link {i}"),
                Kind::Latency => {}
                Kind::Rate => {
                    let far = probe.spread().is_some_and(|spread| (j - i) as u32 >= spread);
                    assert!(!meets || far, "{name}: copy {j} waits for {i}");
                }
            }
        }
    }
    // The wait reads the last result, and a scalar instruction reads that.
    let behind = &steps[n * links..];
    let last = behind.last().expect("a wait");
    assert_eq!(last.vectors, 0, "{name}: {}", program.text(last.at));
    let results = n > 0 && program.uses(steps[n * links - 1]).writes != Set::default();
    let noted = |set: &Set| set.scalars != 0 || set.vectors != [0; 8] || set.other.contains(Other::SCC);
    if results && noted(&uses[n * links - 1].writes) {
        assert!(meet(&uses[n * links - 1].writes, &uses[n * links].reads), "{name}: nobody waits for the last copy");
    }
    for pair in uses[n * links..].windows(2) {
        assert!(meet(&pair[0].writes, &pair[1].reads), "{name}: the wait is a chain");
    }
}

/// Assembles and runs the probes of a processor.
fn run(name: &str) -> BTreeMap<(Kind, Option<Reason>), Vec<&'static str>> {
    let target = target(name);
    let mut counts: BTreeMap<_, Vec<&'static str>> = BTreeMap::new();
    for (row, kind, probe) in probes(target) {
        assert!(FAMILIES.contains(&row.family));
        let reason = probe.as_ref().err().copied();
        counts.entry((kind, reason)).or_default().push(row.name);
        let Ok(probe) = probe else { continue };
        for n in COPIES {
            let what = format!("{name} {} {kind:?} {n}", probe.name());
            let case = probe.case(n).unwrap_or_else(|error| panic!("{what}: {error}\n{}", probe.source(n)));
            let text = case.program(target).unwrap_or_else(|error| panic!("{what}: {error}\n{}", probe.source(n)));
            check(&probe, &Program::new(target, &text.words(), 0), n as usize);
            let outcome = Emulator::default().run(&case, target).unwrap_or_else(|e| panic!("{what}: {e}"));
            assert_eq!(outcome.trap, None, "{what}");
            let clocks = probe.clocks(&outcome);
            // The emulator's clock moves on by so much whenever it is read.
            assert_eq!(clocks, Some(64), "{what}\n{}", probe.source(n));
            let exec = outcome.waves.first().map_or(0, |wave| wave.exec);
            assert_eq!(exec.count_ones(), outcome.waves[0].wave_size, "{what}: all lanes are on again");
        }
    }
    for ((kind, reason), rows) in &counts {
        match reason {
            None => println!("{name} {kind:?}: {} rows", rows.len()),
            Some(reason) => println!("{name} {kind:?}: {} not, {reason}: {}", rows.len(), rows.join(" ")),
        }
    }
    counts
}

#[test]
fn gfx600() {
    run("gfx600");
}

#[test]
fn gfx900() {
    run("gfx900");
}

#[test]
fn gfx1030() {
    run("gfx1030");
}

#[test]
fn gfx1100() {
    run("gfx1100");
}

#[test]
fn gfx1200() {
    run("gfx1200");
}
