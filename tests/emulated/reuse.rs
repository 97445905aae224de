//! Waves are used again for other groups, and then hold nothing of what they held.

use wavediff::case::Case;
use wavediff::emu::engine::Emulator;
use wavediff::engine::{Engine, Options};
use wavediff::isa::{Arch, Target};
use wavediff::program::Program;
use wavediff::program::extent::Extent;

/// Programs that count in a register which nobody has set, and the register: each finds it in another way.
#[rustfmt::skip]
const COUNTERS: [(&str, &str, &str); 8] = [
    ("gfx900",  "v200", "v_add_u32 v200, v200, 1"),
    ("gfx803",  "v101", "s_mov_b32 m0, 100\nv_mov_b32 v1, 1\nv_add_u32 v1, vcc, v101, v1\nv_movreld_b32 v1, v1"),
    ("gfx900",  "v103", "s_mov_b32 s0, 100\nv_add_u32 v3, v103, 1\ns_set_gpr_idx_on s0, 8\nv_mov_b32 v3, v3\ns_set_gpr_idx_off"),
    ("gfx900",  "v150", "s_getpc_b64 s[0:1]\ns_add_u32 s0, s0, 16\ns_addc_u32 s1, s1, 0\ns_setpc_b64 s[0:1]\ns_endpgm\nv_add_u32 v150, v150, 1"),
    ("gfx900",  "v90",  "s_branch over\ns_endpgm\nover:\nv_add_u32 v90, v90, 1"),
    ("gfx90a",  "a5",   "v_accvgpr_read_b32 v0, a5\nv_add_u32 v0, v0, 1\nv_accvgpr_write_b32 a5, v0"),
    ("gfx1100", "v255", "v_add_nc_u32 v255, v255, 1"),
    ("gfx1100", "v80",  "v_dual_mov_b32 v1, 0 :: v_dual_add_nc_u32 v80, 1, v80"),
];

#[test]
fn waves_forget() {
    for (name, register, text) in COUNTERS {
        let text = format!("; isa: {name}\n; grid: 512\n; group: 64\n; expect: {register} = 1\n{text}\n");
        let case = Case::parse(&text, "reuse").expect("a case");
        let emulator = Emulator { options: Options { threads: 1, ..Options::default() } };
        let outcome = Engine::run(&emulator, &case, case.targets()[0]).expect("it runs");
        assert_eq!(outcome.trap, None, "{text}");
        assert!(outcome.waves.len() >= 8, "{text}");
        let failures = case.check(case.targets()[0], &outcome).expect("values");
        assert!(failures.is_empty(), "{text}\n{failures:?}");
    }
}

/// How far registers reach, by hand from what each program writes; what is not reached does not count.
#[test]
fn extents_are_what_is_written() {
    let all = (256, 256);
    for (name, text, expected) in [
        ("gfx900", "v_mov_b32 v5, 0\ns_endpgm\nv_mov_b32 v99, 0", (6, 0)),
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
        let target = Target::new(Arch::find(name).expect("a processor"));
        let case = Case::parse(&format!("; isa: {name}\n{text}\n"), "extent").expect("a case");
        let program = Program::new(target, &case.program(target).expect("a program").words(), 0);
        let Extent { vectors, accumulators } = program.extent(0);
        assert_eq!((vectors, accumulators), expected, "{name}: {text}");
    }
}
