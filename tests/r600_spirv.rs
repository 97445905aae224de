//! Programs of R600 and R700 on a Vulkan device: what they leave is what the emulator leaves, to the bit, however lanes are laid over it.
//!
//! A plain run takes each case with one way to lay lanes, one compiled program in sixteen, and instructions on the first machine that has them; CI
//! takes every case each way, every second program, and instructions on all machines. Without a device the tests say so and pass;
//! `WAVEDIFF_REQUIRE_VULKAN` makes that a failure.

#[path = "r600_machine/cases.rs"]
mod cases;
#[path = "support/r600.rs"]
mod programs;
#[path = "r600_spirv/random.rs"]
mod random;
#[path = "r600_machine/ready.rs"]
mod ready;
#[path = "r600_spirv/rows.rs"]
mod rows;
#[path = "spirv/setup.rs"]
mod setup;
#[path = "support/thorough.rs"]
mod thorough;

use cases::cases;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use thorough::tries;
use wavediff::isa::r600::Place;
use wavediff::r600::Machine;
use wavediff::r600::emu::plan::Plan;
use wavediff::r600::emu::{Error, Outcome, Setup, run};
use wavediff::r600::spirv::engine::{Failure, Vulkan};
use wavediff::r600::spirv::mistakes::Mistake;
use wavediff::r600::spirv::{Lanes, translate};

/// An engine for each way to lay lanes over the device.
fn engines() -> Vec<Vulkan> {
    let Some(gpu) = setup::gpu() else { return Vec::new() };
    Lanes::ALL.into_iter().map(|lanes| Vulkan::new(gpu.open().expect("a device"), lanes)).collect()
}

/// The outcome of a run, or what is wrong with the program.
fn on_device(engine: &Vulkan, words: &[u32], setup: &Setup) -> Result<Outcome, Error> {
    match engine.run(words, setup) {
        Ok(outcome) => Ok(outcome),
        Err(Failure::Program(error)) => Err(error),
        Err(other) => panic!("{other}"),
    }
}

/// The first part in which two results differ.
fn apart(expected: &Result<Outcome, Error>, got: &Result<Outcome, Error>) -> Option<String> {
    let (a, b) = match (expected, got) {
        (Ok(a), Ok(b)) => (a, b),
        (a, b) if a == b => return None,
        (a, b) => return Some(format!("expected {:?}, got {:?}", a.as_ref().err(), b.as_ref().err())),
    };
    for (gpr, (a, b)) in a.gprs.iter().zip(&b.gprs).enumerate() {
        for (lane, (a, b)) in a.iter().zip(b).enumerate() {
            if a != b {
                return Some(format!("R{gpr} of lane {lane}: expected {a:08x?}, got {b:08x?}"));
            }
        }
    }
    let parts = [
        ("exports", format!("{:x?}", a.exports), format!("{:x?}", b.exports)),
        ("killed", format!("{:x}", a.killed), format!("{:x}", b.killed)),
        ("ring", format!("{:x?}", a.ring), format!("{:x?}", b.ring)),
        ("primitives", format!("{:?}", a.primitives), format!("{:?}", b.primitives)),
        ("scratch", format!("{:x?}", a.scratch), format!("{:x?}", b.scratch)),
        ("reduction", format!("{:x?}", a.reduction), format!("{:x?}", b.reduction)),
        ("steps", a.steps.to_string(), b.steps.to_string()),
    ];
    let found = parts.into_iter().find(|(_, a, b)| a != b);
    found.map(|(what, a, b)| format!("{what}: expected {a}, got {b}")).or((a != b).then(|| "something".to_owned()))
}

#[test]
fn cases_leave_what_the_emulator_leaves() {
    let step = tries(2, 1);
    for (turn, engine) in engines().iter().enumerate() {
        let mut wrong = Vec::new();
        let (mut compiled, mut count) = (Duration::ZERO, 0);
        for case in cases().into_iter().skip(turn % step).step_by(step) {
            count += 1;
            let (words, setup) = (ready::words(case.machine, case.name, case.text), ready::setup(&case));
            let got = on_device(engine, &words, &setup);
            compiled += engine.costs().compile;
            let difference = ready::difference(&case, &got).or_else(|| apart(&run(&words, &setup), &got));
            wrong.extend(difference.map(|difference| format!("{}: {difference}", case.name)));
        }
        println!("{count} cases, {}; compiled in {compiled:?}", engine.lanes.name());
        assert!(wrong.is_empty(), "{}:\n{}", engine.lanes.name(), wrong.join("\n"));
    }
}

#[test]
fn what_is_wrong_is_said() {
    for engine in engines() {
        for (text, words, setup, error) in ready::faults() {
            assert_eq!(on_device(&engine, &words, &setup).map(|_| ()), Err(error), "{text}");
        }
        for lanes in [0, 65] {
            let setup = Setup { lanes, ..ready::faults().remove(0).2 };
            let words = [0, 0x8020_0000];
            assert_eq!(on_device(&engine, &words, &setup), run(&words, &setup));
        }
    }
}

/// Each program with one way to lay lanes, in turn: drivers take a second to compile one.
#[test]
fn compiled_programs_export_what_their_sources_give() {
    let (engines, all, step) = (engines(), programs::load(), tries(16, 2));
    for (turn, engine) in engines.iter().enumerate() {
        let mut wrong = Vec::new();
        let (mut compiled, mut count) = ((Duration::ZERO, Duration::ZERO), 0);
        let mut largest = (0, Duration::ZERO, String::new());
        for program in all.iter().skip(turn).step_by(engines.len() * step) {
            let got = on_device(engine, &program.words, &program.setup);
            let costs = engine.costs();
            compiled.0 += costs.compile;
            compiled.1 += costs.host;
            if costs.words > largest.0 {
                largest = (costs.words, costs.compile + costs.host, program.name.clone());
            }
            let expected = run(&program.words, &program.setup);
            let difference = if program.agrees { program.difference(&got) } else { None };
            count += u32::from(program.agrees);
            let difference = difference.or_else(|| apart(&expected, &got));
            wrong.extend(difference.map(|difference| format!("{}: {difference}", program.name)));
        }
        println!("{count} programs, {}; compiled in {compiled:?}, the largest {largest:?}", engine.lanes.name());
        assert!(wrong.is_empty(), "{}: {}\n{}", engine.lanes.name(), wrong.len(), wrong.join("\n"));
    }
}

/// Every instruction of the ALU, with and without modifiers, over all pairs of edges and over values at random: each program with
/// one way to lay lanes, as above.
#[test]
fn all_rows_leave_what_the_emulator_leaves() {
    let machines = [Machine::R600, Machine::RV770, Machine::find("r600-manual").expect("a machine")];
    let (mut met, on_all) = (BTreeSet::new(), tries(false, true));
    let programs = machines.map(|machine| rows::programs(machine, |name| met.insert(name) || on_all));
    let mut names = BTreeSet::new();
    let engines = engines();
    for (turn, engine) in engines.iter().enumerate() {
        let (mut wrong, mut compiled, mut runs) = (Vec::new(), Duration::ZERO, 0);
        for (at, (machine, programs)) in machines.into_iter().zip(&programs).enumerate() {
            for program in programs.iter().skip((turn + at) % engines.len()).step_by(engines.len()) {
                names.extend(program.rows.iter().copied());
                for setup in rows::setups(machine) {
                    let got = on_device(engine, &program.words, &setup);
                    let costs = engine.costs();
                    compiled += costs.compile;
                    runs += 1;
                    let expected = run(&program.words, &setup);
                    assert!(expected.is_ok(), "{:?}: {expected:?}", program.rows);
                    let difference = apart(&expected, &got);
                    wrong.extend(difference.map(|difference| format!("{:?}: {difference}", program.rows)));
                }
            }
        }
        println!("{} rows in {runs} runs, {}", names.len(), engine.lanes.name());
        assert!(wrong.is_empty(), "{}: {}\n{}", engine.lanes.name(), wrong.len(), wrong.join("\n"));
    }
    let all = machines.iter().flat_map(|machine| machine.names(Place::Alu)).collect::<BTreeSet<_>>();
    let missing: Vec<_> = all.iter().filter(|name| !names.contains(**name)).collect();
    assert!(names.is_empty() || missing.is_empty(), "{missing:?}");
}

/// Programs at random end as they do on the emulator: most of them with a fault, the others with all that they leave.
#[test]
fn random_programs_end_alike() {
    let mut ends: BTreeMap<String, u32> = BTreeMap::new();
    for engine in engines() {
        let mut wrong = Vec::new();
        for (n, (words, setup)) in random::programs(tries(4, 20)).enumerate() {
            let expected = run(&words, &setup);
            let end = expected.as_ref().map_or_else(|error| format!("{:?}", error.fault), |_| "an outcome".to_owned());
            let end = end.split([' ', '{']).next().unwrap_or_default().to_owned();
            *ends.entry(end).or_default() += 1;
            let difference = apart(&expected, &on_device(&engine, &words, &setup));
            wrong.extend(difference.map(|difference| format!("{n}: {difference}")));
        }
        assert!(wrong.is_empty(), "{}: {}\n{}", engine.lanes.name(), wrong.len(), wrong.join("\n"));
    }
    println!("{ends:?}");
}

/// Every mistake that is planted in the translation is noticed, by a case or a program.
#[test]
fn mistakes_are_noticed() {
    if !cfg!(debug_assertions) {
        println!("skipped: mistakes are planted in debug builds");
        return;
    }
    let Some(mut engine) = engines().into_iter().next() else { return };
    let mut all: Vec<(String, Vec<u32>, Setup)> = cases()
        .into_iter()
        .map(|case| (case.name.to_owned(), ready::words(case.machine, case.name, case.text), ready::setup(&case)))
        .collect();
    all.extend(ready::faults().into_iter().map(|(text, words, setup, _)| (text.to_owned(), words, setup)));
    all.extend(random::programs(40).enumerate().map(|(n, (words, setup))| (format!("random {n}"), words, setup)));
    all.iter_mut().for_each(|(_, _, setup)| setup.budget = setup.budget.min(20_000));
    let right = |program: (String, Vec<u32>, Setup)| (module(&program.1, &program.2, engine.lanes, None), program);
    let mut all: Vec<_> = all.into_iter().map(right).collect();
    // Devices take their time to compile large ones.
    all.sort_by_key(|(right, _)| right.len());
    let mut missed = Vec::new();
    for &mistake in Mistake::ALL {
        engine.mistake = Some(mistake);
        let noticed = all.iter().find(|(right, (_, words, setup))| {
            // What does not change the module no run could notice.
            module(words, setup, engine.lanes, Some(mistake)) != *right
                && apart(&run(words, setup), &on_device(&engine, words, setup)).is_some()
        });
        println!("{mistake:?}: {}", noticed.map_or("missed", |(_, (name, ..))| name));
        missed.extend(noticed.is_none().then_some(mistake));
    }
    println!("{} mistakes", Mistake::ALL.len());
    assert_eq!(missed, []);
}

/// The module of a program.
fn module(words: &[u32], setup: &Setup, lanes: Lanes, mistake: Option<Mistake>) -> Vec<u32> {
    let plan = Plan::new(setup.machine, words, setup);
    let fetch = Plan::new(setup.machine, &setup.fetch, setup);
    translate(&plan, &fetch, setup, lanes, mistake).expect("a translation").words
}

/// A run that stops is at the same place on both engines, wherever that is.
#[test]
fn runs_stop_where_they_are_told() {
    for engine in engines() {
        for case in cases().iter().step_by(tries(16, 4)) {
            let (words, setup) = (ready::words(case.machine, case.name, case.text), ready::setup(case));
            for stop in [0, 1, 2, 3, 5, 8, 13] {
                let setup = Setup { stop: Some(stop), ..setup.clone() };
                let apart = apart(&run(&words, &setup), &on_device(&engine, &words, &setup));
                assert_eq!(apart, None, "{} behind {stop}", case.name);
            }
        }
    }
}
