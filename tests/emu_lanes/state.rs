//! The state of a wave beside its vector registers: modes and the fields of hardware registers,
//! branches on EXEC, messages.

use super::machine::{MACHINES, machines};
use wavediff::engine::registers::default_mode;

/// LLVM's guide to kernel descriptors: FLOAT_DENORM_MODE_32 flushes and FLOAT_DENORM_MODE_16_64
/// does not, rounding is to nearest, ENABLE_DX10_CLAMP and ENABLE_IEEE_MODE are set where they
/// exist, if nothing else is said.
#[test]
fn modes_of_the_beginning() {
    for machine in MACHINES {
        let expected = if machine.name == "gfx1200" { 0x0c0 } else { 0x3c0 };
        assert_eq!(default_mode(machine.target()), expected, "{machine:?}");
        let wave = machine.run(&["v_add_f32 v1, v0, v0", "v_add_f64 v[4:5], v[2:3], 0"], |wave| {
            wave.set_vgpr(0, 0, 1);
            wave.set_vgpr(2, 0, 1);
        });
        // The sum of two f32 denormals is flushed, that of f64 denormals is not.
        assert_eq!((wave.vgpr(1, 0), wave.vgpr(4, 0), wave.vgpr(5, 0)), (0, 1, 0), "{machine:?}");
    }
}

/// `hwreg(MODE, offset, width)` is that many bits from that bit on, and nothing of others; writing
/// it leaves the others.
#[test]
fn fields_of_every_width() {
    // What all processors keep in MODE: rounding, denormals.
    const MODE: u32 = 0xa6;
    for machine in MACHINES {
        for offset in 0..8 {
            for width in 1..=8 - offset {
                let field = format!("hwreg(HW_REG_MODE, {offset}, {width})");
                let mask = (1 << width) - 1;
                let lines = [
                    format!("s_getreg_b32 s4, {field}"),
                    format!("s_setreg_b32 {field}, s3"),
                    "s_getreg_b32 s5, hwreg(HW_REG_MODE, 0, 8)".into(),
                ];
                let wave = machine.run(&lines.each_ref().map(String::as_str), |wave| {
                    wave.set_mode(MODE);
                    wave.s[3] = 0x59;
                });
                let written = MODE & !(mask << offset) | (0x59 & mask) << offset;
                assert_eq!((wave.s[4], wave.s[5]), (MODE >> offset & mask, written), "{machine:?}: {field}");
            }
        }
    }
}

/// HW2: both instructions set both halves of their four bits: those of f32, and those of f16 and
/// f64.
#[test]
fn modes_of_both_widths() {
    for machine in machines(&["gfx1030", "gfx1100", "gfx1200"]) {
        for imm in 0..16 {
            for (line, expected) in [("s_round_mode", 0x50 | imm), ("s_denorm_mode", imm << 4 | 0x5)] {
                let wave = machine.run(&[&format!("{line} {imm}")], |wave| wave.set_mode(0x55));
                assert_eq!(wave.env.mode & 0xff, expected, "{machine:?}: {line} {imm}");
            }
        }
    }
}

/// A wave of 32 lanes has EXEC_LO alone.
#[test]
fn branches_look_at_the_lanes_there_are() {
    for machine in MACHINES {
        for (exec, wide) in [(0, 0), (1, 1), (1 << 31, 1), (1 << 32, u32::from(machine.lanes == 64)), (u64::MAX, 1)] {
            for (line, taken) in [("s_cbranch_execnz 1", wide), ("s_cbranch_execz 1", 1 - wide)] {
                let wave = machine.run(&[line, "s_mov_b32 s4, 0"], |wave| {
                    wave.s[4] = 1;
                    wave.set_pair(126, exec);
                });
                assert_eq!(wave.s[4], taken, "{machine:?}: {line} with {exec:#x}");
            }
        }
    }
}

/// A message goes with M0.
#[test]
fn messages() {
    for machine in MACHINES {
        let m0 = if machine.target().generation() >= wavediff::isa::Gen::Gfx11 { 125 } else { 124 };
        for value in [0, 5, 0x8000_0020] {
            let sent = machine.messages(&["s_sendmsg sendmsg(MSG_INTERRUPT)"], |wave| wave.s[m0] = value);
            assert_eq!(
                sent.iter().map(|sent| (sent.message & 15, sent.m0)).collect::<Vec<_>>(),
                [(1, value)],
                "{machine:?}"
            );
        }
    }
}

/// So does one that is answered: RDNA3 manual, S_SENDMSG_RTN_B32, message 130 asks for TMA.
#[test]
fn messages_with_answers() {
    for machine in machines(&["gfx1100", "gfx1200"]) {
        for line in
            ["s_sendmsg_rtn_b32 s2, sendmsg(MSG_RTN_GET_TMA)", "s_sendmsg_rtn_b64 s[2:3], sendmsg(MSG_RTN_GET_TMA)"]
        {
            let sent = machine.messages(&[line], |wave| wave.s[125] = 7);
            let sent: Vec<_> = sent.iter().map(|sent| (sent.message & 0xff, sent.m0)).collect();
            assert_eq!(sent, [(130, 7)], "{machine:?}: {line}");
        }
    }
}

/// Whether a named barrier was left; there is none to leave.
#[test]
fn no_barrier_is_left() {
    for machine in machines(&["gfx1200"]) {
        for scc in [false, true] {
            let wave = machine.run(&["s_barrier_leave"], |wave| wave.scc = scc);
            assert!(!wave.scc, "{machine:?}");
        }
    }
}

/// ALU_FACTS 14: M0[9:0] moves the source, M0[25:16] the destination.
#[test]
fn scalars_move_by_two_fields() {
    for machine in machines(&["gfx1030", "gfx1100", "gfx1200"]) {
        let m0 = if machine.target().generation() >= wavediff::isa::Gen::Gfx11 { 125 } else { 124 };
        // Beyond the last register s0 is read, and nothing is written.
        for (value, changed, from) in [
            (20 << 16 | 10, Some(25), 17),
            (0xfc00_fc00 | 20 << 16 | 10, Some(25), 17),
            (0x100, Some(5), 0),
            (0x300, Some(5), 0),
            (0x100 << 16, None, 0),
            (0x200 << 16, None, 0),
        ] {
            let wave = machine.run(&["s_movrelsd_2_b32 s5, s7"], |wave| {
                (0..104).for_each(|n| wave.s[n] = 100 + n as u32);
                wave.s[m0] = value;
            });
            for n in 0..104 {
                let holds = if changed == Some(n) { from } else { n as u32 };
                assert_eq!(wave.s[n], 100 + holds, "{machine:?}: M0 {value:#x}: s{n}");
            }
        }
    }
}

/// The index of the GPR index mode has eight bits.
#[test]
fn indices_have_eight_bits() {
    for machine in machines(&["gfx803", "gfx900", "gfx908", "gfx90a", "gfx940"]) {
        for index in [63, 64, 100, 200, 255, 256] {
            let wave = machine.run(&["s_set_gpr_idx_on s2, 1", "v_mov_b32 v250, v0", "s_set_gpr_idx_off"], |wave| {
                (0..256).for_each(|n| wave.set_vgpr(n, 0, 1000 + n as u32));
                wave.s[2] = index;
            });
            assert_eq!(wave.vgpr(250, 0), 1000 + (index & 255), "{machine:?}: {index}");
        }
    }
}

/// TRAPSTS.EXCP is sticky until it is written: bit 0 is the invalid operation, here the root of -1
/// (the manual's chapter on exceptions). Devices refuse to read it, so that this is no case.
#[test]
fn exceptions_stay_until_they_are_written() {
    for machine in MACHINES.iter().filter(|machine| machine.name != "gfx1200") {
        let lines = [
            "v_sqrt_f32 v1, v0",
            "s_getreg_b32 s4, hwreg(HW_REG_TRAPSTS, 0, 1)",
            "s_getreg_b32 s5, hwreg(HW_REG_TRAPSTS, 0, 1)",
            "s_setreg_imm32_b32 hwreg(HW_REG_TRAPSTS, 0, 7), 0",
            "s_getreg_b32 s6, hwreg(HW_REG_TRAPSTS, 0, 1)",
        ];
        let wave = machine.run(&lines, |wave| wave.set_vgpr(0, 0, (-1f32).to_bits()));
        assert_eq!((wave.s[4], wave.s[5], wave.s[6]), (1, 1, 0), "{machine:?}");
    }
}
