//! Whole random programs, as cases and as damaged code objects: they end in an outcome, the same one in every loop, and nothing panics.
//! The laws are those of the fuzzers (`wavediff::laws`). Mistakes that they found have tests of their own.

use proptest::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};
use wavediff::asm::Assembler;
use wavediff::asm::source::assemble;
use wavediff::case::Case;
use wavediff::emu::engine::Emulator;
use wavediff::emu::group::{self, Group};
use wavediff::emu::plan::Plan;
use wavediff::emu::traced;
use wavediff::emu::wave::Wave;
use wavediff::engine::Engine;
use wavediff::engine::Options;
use wavediff::engine::dispatch::Limits;
use wavediff::engine::order::Order;
use wavediff::engine::{Stop, TrapKind};
use wavediff::isa::{Arch, Target};
use wavediff::laws;
use wavediff::memory::guest::Memory;
use wavediff::memory::lds::Lds;
use wavediff::program::Program;

fn target(name: &str) -> Target {
    Target::new(Arch::find(name).expect("a processor"))
}

/// The words of a program's text.
fn words(target: Target, lines: &str) -> Vec<u32> {
    let module = assemble("program.s", lines, &Assembler::new(target), target).expect("assembly");
    let bytes = &module.sections.iter().find(|s| s.name == ".text").expect("code").bytes;
    bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}

#[test]
fn the_clock_is_the_same_in_every_loop() {
    for (name, read) in [
        ("gfx803", "s_memtime s[0:1]"),
        ("gfx1030", "s_getreg_b32 s0, hwreg(HW_REG_SHADER_CYCLES)"),
        ("gfx1200", "s_sendmsg_rtn_b64 s[0:1], sendmsg(MSG_RTN_GET_REALTIME)"),
    ] {
        let case = Case::parse(&format!("; observe: s[0:1]\ns_nop 0\ns_nop 0\n{read}\n"), "clock.s").expect("a case");
        let sgprs = [false, true].map(|stats| {
            let emulator = Emulator { options: Options { stats, ..Options::default() } };
            emulator.run(&case, target(name)).expect("an outcome").waves[0].sgprs.clone()
        });
        assert_eq!(sgprs[0], sgprs[1], "{name}");
        assert_ne!(sgprs[0][0], 0, "{name}");
    }
}

#[test]
fn a_budget_that_is_spent_where_the_code_ends_is_the_same_trap_in_every_loop() {
    let program = Program::new(target("gfx900"), &[0xbf80_0000], 0);
    let memory = Memory::new();
    let plan = Plan::new(&program);
    let mut group = Group::of_one(&plan, &memory, Lds::new(0));
    let limits = Limits { instructions: 1, ..Limits::default() };
    let (mut bare, mut watched) = (Wave::new(&plan, 64), Wave::new(&plan, 64));
    group::wave(&mut bare, &mut group, limits);
    traced::wave(&mut watched, &mut group, limits, &mut ());
    for wave in [bare, watched] {
        assert_eq!(wave.stop, Some(Stop::Trap(Box::new(TrapKind::Budget { limit: 1 }.into()))));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_program_ends_in_an_outcome(seed: u64) {
        laws::emulate(&seed.to_be_bytes());
    }

    #[test]
    fn any_code_object_is_refused_or_runs(seed: u64) {
        laws::launch_elf(&seed.to_be_bytes());
    }
}

#[test]
fn blocks_are_cut_where_labels_lead_and_behind_what_leaves() {
    let lines = "
        s_mov_b32 s0, 0
        again:
        s_add_u32 s0, s0, 1
        s_cmp_lt_u32 s0, 9
        s_cbranch_scc1 again
        s_cbranch_execz out
        s_swappc_b64 s[2:3], s[4:5]
        out:
        s_endpgm
        s_nop 0
        ";
    let target = target("gfx900");
    let words = words(target, lines);
    let program = Program::new(target, &words, 0);
    let blocks = program.blocks([0]);
    let found: Vec<_> = blocks.values().map(|b| (b.first, b.last, b.exits.next, b.exits.target)).collect();
    // By hand: the label cuts the first block behind the move; nobody comes to the last word.
    let expected = [
        (0, 0, Some(1), None),
        (1, 3, Some(4), Some(1)),
        (4, 4, Some(5), Some(6)),
        (5, 5, Some(6), None),
        (6, 6, None, None),
    ];
    assert_eq!(found, expected);
    assert!(blocks[&5].exits.computed && blocks[&6].exits.stops);
    // A trap handler is entered from anywhere: a block begins there.
    let handled: Vec<u32> = Program::new(target, &words, 0).handled_by(2, 0, 0).blocks([0]).into_keys().collect();
    assert_eq!(handled, [0, 1, 2, 4, 5, 6]);
    // Begun in the middle of the loop, the same words are other blocks.
    let middle: Vec<u32> = program.blocks([2]).into_keys().collect();
    assert_eq!(middle, [1, 2, 4, 5, 6]);
}

#[test]
fn steps_are_bounded_where_no_way_leads_back() {
    let target = target("gfx900");
    let most = |lines: &str, entry| Program::new(target, &words(target, lines), 0).most_steps(entry);
    assert_eq!(most("s_nop 0\ns_mov_b32 s0, 0x12345\ns_endpgm", 0), Some(4));
    assert_eq!(most("s_cbranch_scc1 out\ns_nop 0\nout: s_endpgm", 0), Some(3));
    assert_eq!(most("again: s_nop 0\ns_cbranch_scc1 again\ns_endpgm", 0), None);
    assert_eq!(most("s_nop 0\nagain: s_branch again", 0), None);
    assert_eq!(most("s_setpc_b64 s[0:1]", 0), None);
    // Nobody comes back to a loop that lies before.
    assert_eq!(most("again: s_nop 0\ns_cbranch_scc1 again\ns_endpgm", 2), Some(3));
}

/// A dispatch has threads where it has something for them to do. That its steps are few can be told of a program without loops.
#[test]
fn short_dispatches_start_no_threads() {
    let threads = |groups: u32, shuffle, code: &str| {
        let text = format!("; grid: {}\n; group: 64\n{code}", groups * 64);
        let case = Case::parse(&text, "threads.s").expect("a case");
        let order = Order { shuffle, ..Order::default() };
        let emulator = Emulator { options: Options { threads: 4, order, ..Options::default() } };
        let begun = AtomicU32::new(0);
        let make = |_| {
            begun.fetch_add(1, Ordering::Relaxed);
            Box::new(group::wave) as _
        };
        let outcome = emulator.run_case(&case, target("gfx900"), Some(&make)).expect("an outcome");
        assert_eq!((outcome.trap, outcome.stats.wave_instructions > 0), (None, true));
        begun.into_inner()
    };
    let few = "v_mov_b32 v0, 0\ns_endpgm\n";
    assert_eq!(threads(8, None, few), 1);
    assert_eq!(threads(1 << 14, None, few), 4);
    assert_eq!(
        threads(8, None, "s_mov_b32 s0, 0\nagain: s_add_u32 s0, s0, 1\ns_cmp_lt_u32 s0, 9\ns_cbranch_scc1 again\n"),
        4
    );
    // No more than groups, and with all of them for who wants other orders than the usual.
    assert_eq!(threads(2, Some(1), few), 2);
    assert_eq!(threads(8, Some(1), few), 4);
}
