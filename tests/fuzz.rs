//! Random programs: they end, they are the same as cases, engines agree on them, and on wrong meanings that are planted they do not.

#[path = "spirv/setup.rs"]
mod setup;

use wavediff::case::wave_size;
use wavediff::emu::engine::Emulator;
use wavediff::engine::Engine;
use wavediff::fuzz::operand::{SCALARS, VECTORS};
use wavediff::fuzz::{Fuzzer, Profile, Round, refusal};
use wavediff::isa::{Arch, Target};
use wavediff::spirv::engine::Vulkan;
use wavediff::spirv::fault::Fault;
use wavediff::spirv::lanes::Model;

const PROCESSORS: [&str; 8] = ["gfx600", "gfx700", "gfx803", "gfx900", "gfx90a", "gfx1030", "gfx1100", "gfx1200"];

fn target(name: &str) -> Target {
    let target = Target::new(Arch::find(name).expect("a processor"));
    target.wave(wave_size(target)).expect("its own size")
}

/// Pools of a profile, each with so many waves.
fn rounds(target: Target, profile: Profile, model: Option<Model>, pools: usize, waves: usize) -> Vec<Round> {
    let refuses = refusal(target, model);
    let mut fuzzer = Fuzzer::new(target, profile, 1, &refuses);
    fuzzer.snippets = 12;
    (0..pools).map(|_| Round::new(fuzzer.pool(&refuses), waves, 1)).collect()
}

#[test]
fn programs_end() {
    let emulator = Emulator::default();
    for name in PROCESSORS {
        for profile in Profile::ALL {
            for round in rounds(target(name), profile, None, 8, 100) {
                assert!(round.waves() >= 100, "{name} {profile}");
                let found = round.run(&emulator, &emulator).expect("the emulator runs");
                assert!(found.is_empty(), "{name} {profile} pool {}: {}", round.pool.number, found[0].what);
            }
        }
    }
}

#[test]
fn the_same_seed_makes_the_same_programs() {
    let words = || -> Vec<Vec<u32>> {
        Profile::ALL
            .into_iter()
            .flat_map(|profile| rounds(target("gfx1100"), profile, None, 3, 1))
            .map(|r| r.pool.program.words)
            .collect()
    };
    assert_eq!(words(), words());
}

/// A wave of a pool and its case end alike. Addresses are not those of the pool, so memory is left out.
#[test]
fn a_case_is_the_wave() {
    let emulator = Emulator::default();
    for name in PROCESSORS {
        let target = target(name);
        for profile in [Profile::Alu, Profile::Lanes, Profile::Control] {
            for round in rounds(target, profile, None, 2, 8) {
                let (ran, _) = round.on(&emulator).expect("the emulator runs");
                for wave in 0..round.waves() {
                    let case = round.case(wave, usize::MAX);
                    let outcome =
                        emulator.run(&case, target).unwrap_or_else(|e| panic!("{name} {profile}: {e}\n{case}"));
                    let (a, b) = (&ran.waves[wave], &outcome.waves[0]);
                    assert_eq!(
                        a.sgprs[..SCALARS as usize],
                        b.sgprs[..SCALARS as usize],
                        "{name} {profile} wave {wave}\n{case}"
                    );
                    assert_eq!(
                        a.vgprs[..VECTORS as usize],
                        b.vgprs[..VECTORS as usize],
                        "{name} {profile} wave {wave}\n{case}"
                    );
                    assert_eq!(
                        (a.vcc, a.exec, a.scc, a.m0, a.mode),
                        (b.vcc, b.exec, b.scc, b.m0, b.mode),
                        "{name} {profile}\n{case}"
                    );
                }
            }
        }
    }
}

/// What is written down reads back as the same case.
#[test]
fn cases_read_back() {
    for profile in Profile::ALL {
        let round = &rounds(target("gfx900"), profile, None, 1, 4)[0];
        let case = round.case(1, usize::MAX);
        let again = wavediff::case::Case::parse(&case.to_string(), "").unwrap_or_else(|e| panic!("{e}\n{case}"));
        assert_eq!(again, case);
    }
}

/// What differs on a device in some pools.
fn found(engine: &Vulkan, name: &str, profile: Profile, pools: usize) -> Option<String> {
    rounds(target(name), profile, Some(engine.model), pools, 64).into_iter().find_map(|round| {
        let found = round.run(&Emulator::default(), engine).expect("both run");
        let first = found.first()?;
        Some(format!("pool {} wave {}: {:?}: {}", round.pool.number, first.wave, round.walk(first.wave), first.what))
    })
}

/// Processors on which the engines are compared.
const COMPARED: [&str; 3] = ["gfx600", "gfx900", "gfx1100"];

/// Compares the engines on a pool of each of these.
fn agree(pools: impl Iterator<Item = (Profile, &'static str)>) {
    let Some(gpu) = setup::gpu() else { return };
    let engine = Vulkan::new(gpu.open().expect("a device"), Model::Workgroup);
    for (profile, name) in pools {
        if let Some(what) = found(&engine, name, profile, 1) {
            panic!("{name} {profile}: {what}");
        }
    }
}

/// Each profile on one processor, in turn.
#[test]
fn engines_agree() {
    agree(Profile::ALL.into_iter().zip(COMPARED.into_iter().cycle()));
}

#[test]
#[ignore = "takes a minute: each profile on each processor"]
fn engines_agree_everywhere() {
    agree(Profile::ALL.into_iter().flat_map(|profile| COMPARED.map(|name| (profile, name))));
}

#[test]
fn planted_faults_are_noticed() {
    let Some(gpu) = setup::gpu() else { return };
    let mut engine = Vulkan::new(gpu.open().expect("a device"), Model::Workgroup);
    let faults = [
        (Profile::Alu, "gfx1100", Fault::ExecIgnored),
        (Profile::Alu, "gfx600", Fault::MaskHighLost),
        (Profile::Lanes, "gfx1100", Fault::DppReadsInactive),
        (Profile::Control, "gfx1100", Fault::BranchInverted),
        (Profile::Control, "gfx600", Fault::SaveexecNew),
    ];
    for (profile, name, fault) in faults {
        engine.fault = Some(fault);
        assert!(found(&engine, name, profile, 2).is_some(), "{name} {profile} {fault:?}");
    }
}
