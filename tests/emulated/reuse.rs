//! Waves are used again for other groups, and then hold nothing of what they held.

use std::sync::Mutex;
use wavediff::case::Case;
use wavediff::emu::grid::{self, Hooks};
use wavediff::emu::group::Group;
use wavediff::emu::plan::Plan;
use wavediff::emu::wave::Wave;
use wavediff::engine::dispatch::Dispatch;
use wavediff::engine::registers::{Registers, STRIDE};
use wavediff::isa::{Arch, Target};
use wavediff::memory::guest::Memory;
use wavediff::program::Program;
use wavediff::program::extent::Extent;
use wavediff::program::place::file;

fn program(name: &str, text: &str) -> Program {
    let target = Target::new(Arch::find(name).expect("a processor"));
    let case = Case::parse(&format!("; isa: {name}\n{text}\n"), "reuse").expect("a case");
    Program::new(target, &case.program(target).expect("a program").words(), 0)
}

/// What a register holds at the end of each of eight groups, which begin at these steps.
fn left(program: &Program, register: usize, entries: [u32; 8]) -> Vec<u32> {
    let (plan, memory, all) = (Plan::new(program), Memory::new(), Mutex::new(Vec::new()));
    let setup = |[group, ..]: [u32; 3], _: u32, wave: &mut Registers| wave.pc = entries[group as usize];
    let look =
        |_: [u32; 3], waves: &[Wave], _: &Group<'_>| all.lock().expect("a list").push(waves[0].vgpr(register, 0));
    let lanes = if program.target.wave32() { 32 } else { 64 };
    let dispatch = Dispatch { groups: [8, 1, 1], ..Dispatch::of_one(program, &memory, lanes, &setup) };
    let finished = grid::run(&dispatch, &plan, &Hooks { finish: Some(&look), ..Hooks::default() });
    assert!(finished.groups.is_empty(), "no trap");
    all.into_inner().expect("a list")
}

const AGPR: usize = file::AGPR as usize;

/// Programs that count in a register which nobody has set, and the register: each finds it in another way.
#[rustfmt::skip]
const COUNTERS: [(&str, usize, &str); 8] = [
    ("gfx900",  200,      "v_add_u32 v200, v200, 1"),
    ("gfx803",  101,      "s_mov_b32 m0, 100\nv_mov_b32 v1, 1\nv_add_u32 v1, vcc, v101, v1\nv_movreld_b32 v1, v1"),
    ("gfx900",  103,      "s_mov_b32 s0, 100\nv_add_u32 v3, v103, 1\ns_set_gpr_idx_on s0, 8\nv_mov_b32 v3, v3\ns_set_gpr_idx_off"),
    ("gfx900",  150,      "s_getpc_b64 s[0:1]\ns_add_u32 s0, s0, 16\ns_addc_u32 s1, s1, 0\ns_setpc_b64 s[0:1]\ns_endpgm\nv_add_u32 v150, v150, 1"),
    ("gfx900",  90,       "s_branch over\ns_endpgm\nover:\nv_add_u32 v90, v90, 1"),
    ("gfx90a",  AGPR + 5, "v_accvgpr_read_b32 v0, a5\nv_add_u32 v0, v0, 1\nv_accvgpr_write_b32 a5, v0"),
    ("gfx1100", 255,      "v_add_nc_u32 v255, v255, 1"),
    ("gfx1100", 80,       "v_dual_mov_b32 v1, 0 :: v_dual_add_nc_u32 v80, 1, v80"),
];

#[test]
fn waves_forget() {
    for (name, register, text) in COUNTERS {
        assert_eq!(left(&program(name, text), register, [0; 8]), [1; 8], "{name}: {text}");
    }
    // Groups that begin elsewhere than the first one.
    let two = program("gfx900", "v_mov_b32 v1, 0\ns_endpgm\nv_add_u32 v100, v100, 1");
    assert_eq!(left(&two, 100, [0, 2, 2, 0, 2, 0, 2, 2]), [0, 1, 1, 0, 1, 0, 1, 1]);
}

/// Registers that were set are zero again.
#[test]
fn registers_forget() {
    let target = Target::new(Arch::find("gfx90a").expect("a processor"));
    let mut registers = Registers::new(target, 64);
    registers.set_vgprs(100, &[[7; STRIDE]; 2]);
    registers.set_vgpr(AGPR + 9, 63, 7);
    registers.set_vgpr(3, 0, 7);
    registers.reset();
    assert!(registers.file.iter().all(|cell| cell.get() == 0));
}

/// How far registers reach, by hand from what each program writes; what is not reached does not count.
#[test]
fn extents_are_what_is_written() {
    let all = (256, 256);
    for (name, text, expected) in [
        ("gfx900", "v_mov_b32 v2, 0\nv_mov_b32 v5, 0\ns_endpgm\nv_mov_b32 v99, 0", (6, 0)),
        ("gfx900", "global_load_dwordx4 v[8:11], v[0:1], off\ns_endpgm", (12, 0)),
        ("gfx900", "v_cmp_eq_u32 vcc, v77, v78\nglobal_store_dword v[50:51], v60, off\ns_endpgm", (0, 0)),
        ("gfx900", "s_cbranch_scc0 over\nv_mov_b32 v40, 0\nover:\nv_swap_b32 v2, v3\ns_endpgm", (41, 0)),
        ("gfx900", "s_setpc_b64 s[0:1]", all),
        ("gfx803", "v_movreld_b32 v0, v1\ns_endpgm", all),
        ("gfx90a", "v_accvgpr_write_b32 a7, 0\ns_endpgm", (0, 8)),
        ("gfx90a", "v_mfma_f32_32x32x8f16 a[16:31], v[0:1], v[2:3], a[0:15]\ns_endpgm", (0, 32)),
        ("gfx1100", "v_dual_mov_b32 v1, 0 :: v_dual_mov_b32 v88, 0\ns_endpgm", (89, 0)),
        ("gfx1200", "v_mov_b32 v1, 0x3f800000\ns_endpgm", (2, 0)),
    ] {
        let Extent { vectors, accumulators } = program(name, text).extent(0);
        assert_eq!((vectors, accumulators), expected, "{name}: {text}");
    }
}
