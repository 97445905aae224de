//! Waves that are paused after a prefix of their instructions, on the emulator: what bisection stands on.

use std::path::{Path, PathBuf};
use wavediff::case::Case;
use wavediff::emu::engine::Emulator;
use wavediff::engine::Options;
use wavediff::engine::{Engine, Outcome};
use wavediff::isa::{Arch, Target};

fn after(case: &Case, target: Target, pause: Option<u64>) -> Outcome {
    let emulator = Emulator { options: Options { pause, ..Options::default() } };
    emulator.run(case, target).unwrap_or_else(|e| panic!("{} {}: {e}", case.name, target.arch.name))
}

fn target(name: &str) -> Target {
    Target::new(Arch::find(name).expect("a processor"))
}

/// Two waves of which the second one is late at a barrier, and then reads what the first one has written.
const BARRIER: &str = "\
; isa: gfx900
; group: 128
; lds: 4
; s0 = wave
s_cmp_eq_u32 s0, 0
s_cbranch_scc1 first
s_nop 0
s_nop 0
s_nop 0
s_barrier
s_mov_b32 s2, 2
s_endpgm
first:
s_barrier
s_mov_b32 s1, 1
";

#[test]
fn a_tick_is_an_instruction_of_every_wave() {
    let case = Case::parse(BARRIER, "barrier.s").expect("a case");
    let places = |ticks: u64| -> Vec<u64> {
        let outcome = after(&case, target("gfx900"), Some(ticks));
        assert_eq!(outcome.trap, None);
        outcome.waves.iter().map(|w| w.pc).collect()
    };
    assert_eq!(places(0), [0, 0]);
    assert_eq!(places(2), [32, 8]);
    // The first wave waits from its third instruction on, until the second one has come to the barrier with its sixth.
    for (ticks, second) in [(3, 12), (4, 16), (5, 20), (6, 24)] {
        assert_eq!(places(ticks), [36, second], "{ticks}");
    }
    // Then both go on, one instruction at a time.
    assert_eq!(places(7), [40, 28]);
    assert_eq!(places(8), [44, 32]);
    assert_eq!(places(9), [44, 32]);
    let registers = |ticks: u64| {
        after(&case, target("gfx900"), Some(ticks)).waves.iter().map(|w| w.sgprs[1..3].to_vec()).collect::<Vec<_>>()
    };
    assert_eq!(registers(6), [[0, 0], [0, 0]]);
    assert_eq!(registers(7), [[1, 0], [0, 2]]);
}

#[test]
fn waves_behind_a_trap_go_on_when_they_are_paused() {
    let text = "; isa: gfx900\n; group: 128\n; s0 = wave\ns_cmp_eq_u32 s0, 0\ns_cbranch_scc0 other\ns_trap 1\nother:\ns_mov_b32 s1, 7\n";
    let case = Case::parse(text, "trap.s").expect("a case");
    let outcome = after(&case, target("gfx900"), Some(100));
    assert_eq!(outcome.trap.as_ref().map(|t| t.wave), Some(0));
    assert_eq!(outcome.waves.len(), 2);
    assert_eq!(outcome.waves[1].sgprs[1], 7);
    // Without a pause it ends with the trap, as always.
    assert_eq!(after(&case, target("gfx900"), None).waves.len(), 1);
}

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/pass");
    let mut all: Vec<PathBuf> = std::fs::read_dir(folder).expect("a folder").flatten().map(|e| e.path()).collect();
    all.retain(|path| path.extension().is_some_and(|e| e == "s"));
    all.sort();
    all
}

#[test]
fn prefixes_grow_by_one_instruction_a_wave_and_end_as_the_run_does() {
    let mut tried = 0;
    for path in cases() {
        let case =
            Case::parse(&std::fs::read_to_string(&path).expect("text"), &path.to_string_lossy()).expect("a case");
        let Some(target) = case.targets().last().copied() else { continue };
        let whole = after(&case, target, None);
        let mut last = 0;
        let mut ticks = 0;
        loop {
            let outcome = after(&case, target, Some(ticks));
            let steps = outcome.stats.wave_instructions;
            let waves = outcome.waves.len() as u64;
            assert!((last..=last + waves).contains(&steps), "{}: {last} to {steps} at tick {ticks}", case.name);
            last = steps;
            if outcome.stats.paused == 0 {
                if whole.trap.is_none() {
                    let mut outcome = outcome;
                    outcome.stats = whole.stats.clone();
                    assert!(outcome == whole, "{}: paused at its end it is not the same", case.name);
                }
                break;
            }
            assert!(outcome.trap.is_none() || whole.trap.is_some(), "{}", case.name);
            ticks += 1;
            if ticks > 400 {
                break;
            }
        }
        tried += 1;
    }
    assert!(tried > 80, "{tried} cases");
}
