//! Scalar instructions that direct the wave or name registers by M0: SI_NOTES 6, ALU_FACTS 14.

use super::machine::{Machine, machines};
use wavediff::emu::wave::slot;
use wavediff::engine::{Stop, TrapKind};

/// Every machine that has forks.
fn forking() -> impl Iterator<Item = Machine> {
    machines(&["gfx600", "gfx700", "gfx803", "gfx900", "gfx90a", "gfx940"])
}

#[test]
fn a_field_of_a_hardware_register_is_written_and_read() {
    for machine in super::machine::MACHINES {
        // The register comes first in the text; its value second.
        let lines = [
            "s_setreg_b32 hwreg(HW_REG_MODE, 4, 4), s3",
            "s_getreg_b32 s4, hwreg(HW_REG_MODE, 0, 8)",
            "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 3",
            "s_getreg_b32 s5, hwreg(HW_REG_MODE, 0, 8)",
        ];
        let wave = machine.run(&lines, |wave| {
            wave.set_mode(0);
            wave.s[3] = 0xa5;
        });
        assert_eq!((wave.s[4], wave.s[5]), (0x50, 0x53), "{machine:?}");
    }
}

/// The mask of a fork, EXEC, and what follows at once: the lanes, whether the jump was taken, and the entry's lanes if there is one.
const FORKS: &[(u64, u64, u64, bool, Option<u64>)] = &[
    (0xff, 0x0f, 0x0f, true, None),
    (0xf0, 0x0f, 0x0f, false, None),
    (0, 0, 0, true, None),
    // The smaller side runs first.
    (0x1, 0xf, 0x1, true, Some(0xe)),
    (0x7, 0xf, 0x8, false, Some(0x7)),
    // Sides of one size: the jump is taken.
    (0x3, 0xf, 0x3, true, Some(0xc)),
];

#[test]
fn a_fork_runs_the_smaller_side_first() {
    for machine in forking() {
        for (mask, exec, now, taken, deferred) in FORKS {
            for form in ["s_cbranch_i_fork s[20:21], 2", "s_cbranch_g_fork s[20:21], s[22:23]"] {
                let lines = [form, "s_mov_b32 s30, exec_lo", "s_endpgm", "s_mov_b32 s31, exec_lo"];
                let wave = machine.run(&lines, |wave| {
                    wave.set_exec(*exec);
                    wave.set_pair(20, *mask);
                    wave.set_pair(22, 0x1000 + 3 * 4);
                    wave.s[30] = 77;
                    wave.s[31] = 77;
                });
                let (ran, not) = if *taken { (31, 30) } else { (30, 31) };
                assert_eq!((wave.s[ran], wave.s[not]), (*now as u32, 77), "{machine:?}: {form}: {mask:#x} {exec:#x}");
                assert_eq!(wave.fork_depth, u32::from(deferred.is_some()), "{machine:?}: {form}");
                if let Some(deferred) = deferred {
                    // The address of the side that waits: behind the fork, or the target.
                    let at = if *taken { 0x1004 } else { 0x100c };
                    assert_eq!((wave.pair(0), wave.pair(2)), (*deferred, at), "{machine:?}: {form}");
                }
            }
        }
    }
}

#[test]
fn both_sides_of_a_fork_run_and_join() {
    for machine in forking() {
        let lines = [
            "s_mov_b32 s8, 0",
            "s_cbranch_i_fork s[20:21], 2",
            "v_mov_b32 v1, 1",
            "s_branch 1",
            "v_mov_b32 v1, 2",
            "s_cbranch_join s8",
        ];
        let wave = machine.run(&lines, |wave| {
            wave.set_exec(0x1f);
            wave.set_pair(20, 0x3);
        });
        let v1: Vec<u32> = (0..6).map(|lane| wave.vgpr(1, lane)).collect();
        assert_eq!(v1, [2, 2, 1, 1, 1, 0], "{machine:?}");
        assert_eq!(wave.fork_depth, 0, "{machine:?}");
    }
}

#[test]
fn the_stack_of_forks_ends() {
    for machine in forking() {
        let mut words = machine.words(&["s_cbranch_i_fork s[40:41], 0", "s_mov_b64 exec, -1", "s_branch -3"]);
        words.extend(machine.words(&["s_endpgm"]));
        let wave = machine.run_words(&words, |wave| wave.set_pair(40, 1));
        let Some(Stop::Trap(cause)) = &wave.stop else { panic!("{machine:?}: {:?}", wave.stop) };
        assert!(matches!(cause.kind, TrapKind::BadRegister(_)), "{machine:?}: {cause}");
    }
}

/// EXEC before; how often the loop's body runs, with which EXEC each time, and EXEC behind.
const SUBVECTORS: &[(u64, &[u64])] =
    &[(0, &[]), (0xf, &[0xf]), (0xf << 32, &[0xf << 32]), (0x3_0000_0005, &[0x5, 0x3 << 32])];

#[test]
fn halves_of_a_wave_take_turns() {
    for machine in machines(&["gfx1030"]).filter(|m| m.lanes == 64) {
        for (exec, turns) in SUBVECTORS {
            let lines = [
                "s_subvector_loop_begin s8, 4",
                "s_lshl_b32 m0, s9, 1",
                "s_movreld_b64 s[20:21], exec",
                "s_add_u32 s9, s9, 1",
                "s_subvector_loop_end s8, -4",
            ];
            let wave = machine.run(&lines, |wave| wave.set_exec(*exec));
            assert_eq!(wave.s[9], turns.len() as u32, "{machine:?}: {exec:#x}");
            for (n, turn) in turns.iter().enumerate() {
                assert_eq!(wave.pair(20 + 2 * n), *turn, "{machine:?}: {exec:#x}: {n}");
            }
            assert_eq!(wave.exec(), *exec, "{machine:?}");
        }
    }
}

#[test]
fn scalars_move_relative_to_m0() {
    for machine in super::machine::MACHINES {
        let lines = [
            "s_movrels_b32 s5, s7",
            "s_movreld_b32 s50, s7",
            "s_movrels_b64 s[30:31], s[6:7]",
            "s_movreld_b64 s[60:61], s[6:7]",
        ];
        let wave = machine.run(&lines, |wave| {
            (0..90).for_each(|n| wave.s[n] = 100 + n as u32);
            let m0 = if wave.env.target.generation() >= wavediff::isa::Gen::Gfx11 { 125 } else { 124 };
            wave.s[m0] = 10;
        });
        assert_eq!((wave.s[5], wave.s[60 - 10], wave.s[60]), (117, 150, 107), "{machine:?}");
        assert_eq!((wave.s[30], wave.s[31], wave.s[70], wave.s[71]), (116, 117, 106, 107), "{machine:?}");
        // Out of range: s0 is read, nothing is written.
        let wave = machine.run(&["s_movrels_b32 s5, s7", "s_movreld_b32 s50, s7"], |wave| {
            (0..100).for_each(|n| wave.s[n] = 100 + n as u32);
            let m0 = if wave.env.target.generation() >= wavediff::isa::Gen::Gfx11 { 125 } else { 124 };
            wave.s[m0] = 100;
        });
        assert_eq!(wave.s[5], 100, "{machine:?}");
        assert_eq!(wave.s[50], 150, "{machine:?}");
    }
}

#[test]
fn answers_are_as_wide_as_the_destination() {
    for machine in machines(&["gfx1100", "gfx1200"]) {
        let lines =
            ["s_sendmsg_rtn_b32 s2, sendmsg(MSG_RTN_GET_DDID)", "s_sendmsg_rtn_b64 s[4:5], sendmsg(MSG_RTN_GET_TMA)"];
        let wave = machine.run(&lines, |wave| wave.s[2..6].fill(9));
        assert_eq!(wave.s[2..6], [0, 9, 0, 0], "{machine:?}");
        assert_eq!(wave.s[slot::VCC], 0);
    }
}
