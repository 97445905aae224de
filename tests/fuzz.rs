//! Random programs: they end, they are the same as cases, engines agree on them, and on wrong meanings that are planted they do not.

#[path = "native/card.rs"]
mod card;
#[path = "spirv/setup.rs"]
mod setup;
#[path = "support/thorough.rs"]
mod thorough;

use card::Emulated;
use thorough::tries;
use wavediff::case::wave_size;
use wavediff::emu::engine::Emulator;
use wavediff::engine::Engine;
use wavediff::engine::ground::Ground;
use wavediff::engine::order::Order;
use wavediff::fuzz::operand::{SCALARS, VECTORS};
use wavediff::fuzz::{Fuzzer, Profile, Round, refusal};
use wavediff::isa::form::Table;
use wavediff::isa::{Arch, Target};
use wavediff::native::{Native, admits};
use wavediff::program::Program;
use wavediff::spirv::engine::Vulkan;
use wavediff::spirv::fault::Fault;
use wavediff::spirv::lanes::Model;

const PROCESSORS: [&str; 8] = ["gfx600", "gfx700", "gfx803", "gfx900", "gfx90a", "gfx1030", "gfx1100", "gfx1200"];

fn target(name: &str) -> Target {
    let target = Target::new(Arch::find(name).expect("a processor"));
    target.wave(wave_size(target)).expect("its own size")
}

/// The profiles of which a processor has instructions.
fn profiles(target: Target) -> impl Iterator<Item = Profile> {
    let has = move |profile: &Profile| Table::of(target).forms.iter().any(|form| profile.takes(form));
    Profile::ALL.into_iter().filter(has)
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
        for profile in profiles(target(name)) {
            for round in rounds(target(name), profile, None, tries(2, 4), 100) {
                assert!(round.waves() >= 100, "{name} {profile}");
                let found = round.run(&emulator, &emulator).expect("the emulator runs");
                assert!(found.is_empty(), "{name} {profile} pool {}: {}", round.pool.number, found[0].what);
            }
        }
    }
}

/// No access leaves the memory that there is, and no format is stored that can be loaded only: those programs would trap.
#[test]
fn programs_with_memory_end_without_a_trap() {
    for name in PROCESSORS.into_iter().chain(["gfx1010"]) {
        let target = target(name);
        let refuses = refusal(target, None);
        for profile in profiles(target) {
            if !matches!(profile, Profile::Memory | Profile::Image | Profile::Export) {
                continue;
            }
            let mut fuzzer = Fuzzer::new(target, profile, 1, &refuses);
            for _ in 0..tries(50, 150) {
                let round = Round::new(fuzzer.pool(&refuses), 1, 1);
                let (ran, _) = round.on(&Emulator::default()).expect("the emulator runs");
                assert!(ran.trap.is_none(), "{name} {profile} pool {}: {:?}", round.pool.number, ran.trap);
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

/// As [`refusal`], and with all that a card of the processor refuses.
fn refused_by_a_card(target: Target) -> impl Fn(&[u32]) -> Option<String> + Copy {
    let refused = refusal(target, None);
    move |words| {
        let not_admitted = || admits(target.arch, &Program::new(target, words, 0), &[0]).err();
        refused(words).or_else(|| not_admitted().map(|missing| missing.needs))
    }
}

/// Pools that are refused nothing but the jump to an address.
fn without_jumps(target: Target, profile: Profile, pools: usize, waves: usize) -> Vec<Round> {
    let refused = refusal(target, None);
    let jumps = |words: &[u32]| {
        let text = Program::new(target, words, 0).text(0);
        text.contains("s_setpc_b64").then(|| "no jumps to addresses".to_owned())
    };
    let refuses = |words: &[u32]| refused(words).or_else(|| jumps(words));
    let mut fuzzer = Fuzzer::new(target, profile, 1, &refuses);
    fuzzer.snippets = 12;
    (0..pools).map(|_| Round::new(fuzzer.pool(&refuses), waves, 1)).collect()
}

/// Snippets are found by comparing their numbers as they are by computing their addresses: waves leave the same, but for the
/// address that they computed and the place of the end. Each snippet is gone to by some wave.
#[test]
fn walks_without_computed_jumps_are_the_same() {
    const ADDRESS: usize = SCALARS as usize;
    let emulator = Emulator::default();
    for name in PROCESSORS {
        let target = target(name);
        for profile in profiles(target) {
            let computed = rounds(target, profile, None, 2, 100);
            for (computed, compared) in computed.iter().zip(without_jumps(target, profile, 2, 100)) {
                let text = |round: &Round| round.pool.program.steps.iter().any(|step| step.exits().computed);
                assert!(text(computed) && !text(&compared), "{name} {profile}");
                for (one, other) in computed.pool.snippets.iter().zip(&compared.pool.snippets) {
                    assert_eq!(one.words, other.words, "{name} {profile}");
                }
                let gone_to: Vec<_> = (0..computed.waves()).flat_map(|wave| computed.numbers(wave).skip(1)).collect();
                let all = (0..computed.pool.snippets.len()).all(|n| gone_to.contains(&n));
                assert!(all, "{name} {profile}: a snippet that nobody goes to");
                let ((a, left), (b, right)) =
                    (computed.on(&emulator).expect("it runs"), compared.on(&emulator).expect("it runs"));
                assert!(a.trap.is_none() && b.trap.is_none() && left == right && a.waves.len() >= 100);
                for (wave, (mut a, mut b)) in a.waves.into_iter().zip(b.waves).enumerate() {
                    for state in [&mut a, &mut b] {
                        state.sgprs[ADDRESS..ADDRESS + 2].fill(0);
                        state.pc = 0;
                    }
                    assert_eq!(a, b, "{name} {profile} wave {wave}");
                }
            }
        }
    }
}

/// What runs on a card is chosen so that a card takes it, and it leaves there what it leaves on the emulator; with a mistake in
/// what a card is told to store it does not.
#[test]
fn pools_run_on_a_card() {
    for (n, name) in PROCESSORS.into_iter().enumerate() {
        let target = target(name);
        let mut card = Native::new("native".to_owned(), Emulated(target.arch, Order::default()));
        let refuses = refused_by_a_card(target);
        for profile in profiles(target) {
            let mut fuzzer = Fuzzer::new(target, profile, n as u64, &refuses);
            // A compute shader neither exports nor has parameters.
            if profile == Profile::Export && fuzzer.coverage.possible() == 0 {
                continue;
            }
            let mut round = Round::new(fuzzer.pool(&refuses), 60, 1);
            round.ground = Ground::of_driver(target.arch);
            assert!(round.waves() >= 60, "{name} {profile}: {:?}", fuzzer.coverage.left_out());
            card.spoil = None;
            let found = round.run(&Emulator::default(), &card).unwrap_or_else(|e| panic!("{name} {profile}: {e}"));
            assert!(found.is_empty(), "{name} {profile}: {:?}: {}", round.walk(found[0].wave), found[0].what);
            for (line, right, wrong) in MISTAKES {
                card.spoil = Some(Box::new(move |text| {
                    let at = text.find(line).unwrap_or_else(|| panic!("the frame has no `{line}`"));
                    text[..at].to_owned() + &text[at..].replacen(right, wrong, 1)
                }));
                let found = round.run(&Emulator::default(), &card).expect("it runs");
                assert!(!found.is_empty(), "{name} {profile}: {wrong} instead of {right} in `{line}`");
            }
        }
    }
}

/// Beginnings of lines of the epilogue, what stands in them, and what a careless hand would have written.
const MISTAKES: [(&str, &str, &str); 4] = [
    ("v_writelane_b32 v0, s2,", "s2", "s3"),
    ("v_writelane_b32 v0, vcc_hi,", "vcc_hi", "vcc_lo"),
    ("leave:\ns_cselect_b32", "1, 0", "0, 1"),
    ("buffer_store_dword v3,", "v3", "v4"),
];

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
        (Profile::Image, "gfx900", Fault::ImageMaskInOrder),
        (Profile::Image, "gfx1030", Fault::ImageLevelIgnored),
        (Profile::Export, "gfx1100", Fault::ExportIgnoresExec),
        (Profile::Export, "gfx600", Fault::ExportHalvesSwapped),
    ];
    for (profile, name, fault) in faults.into_iter().step_by(tries(2, 1)) {
        engine.fault = Some(fault);
        // A pool of images is one instruction, one of exports three.
        let pools = match profile {
            Profile::Image => 24,
            Profile::Export => 8,
            _ => 2,
        };
        assert!(found(&engine, name, profile, pools).is_some(), "{name} {profile} {fault:?}");
    }
}
