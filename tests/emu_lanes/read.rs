//! Single lanes read and written: ALU_FACTS 13, PITFALLS LN1 and EX1.

use super::machine::{MACHINES, machines, mark, ramp};
use wavediff::emu::wave::slot;

/// Lines, the active lanes, and the lane of v1 that s5 holds then.
const READS: &[(&str, u64, usize)] = &[
    ("v_readfirstlane_b32 s5, v1", u64::MAX, 0),
    ("v_readfirstlane_b32 s5, v1", 0xf0, 4),
    ("v_readfirstlane_b32 s5, v1", 1 << 31, 31),
    ("v_readfirstlane_b32 s5, v1", 0, 0),
    ("v_readlane_b32 s5, v1, 3", 0, 3),
    ("v_readlane_b32 s5, v1, 3", u64::MAX, 3),
    ("v_readlane_b32 s5, v1, s2", 1, 7),
    ("v_readlane_b32 s5, v1, m0", 1, 9),
];

#[test]
fn a_lane_is_read_whether_active_or_not() {
    for machine in MACHINES {
        for (line, exec, lane) in READS {
            let wave = machine.run(&[line], |wave| {
                ramp(wave, 1);
                // The lane is named modulo the width of the wave.
                wave.s[2] = 7 + 192;
                let m0 = if wave.env.target.generation() >= wavediff::isa::Gen::Gfx11 { 125 } else { 124 };
                wave.s[m0] = 9;
                wave.set_exec(*exec);
            });
            assert_eq!(wave.s[5], mark(1, *lane), "{machine:?}: {line} with {exec:#x}");
        }
    }
}

/// Destinations and where they lie.
#[test]
fn a_lane_goes_to_any_scalar_register() {
    for machine in MACHINES {
        for (name, at) in [("s5", 5), ("vcc_lo", 106), ("vcc_hi", 107), ("exec_lo", 126), ("exec_hi", 127)] {
            let wave = machine.run(&[&format!("v_readfirstlane_b32 {name}, v1")], |wave| ramp(wave, 1));
            assert_eq!(wave.s[at], mark(1, 0), "{machine:?}: {name}");
            let wave = machine.run(&[&format!("v_readlane_b32 {name}, v1, 2")], |wave| ramp(wave, 1));
            assert_eq!(wave.s[at], mark(1, 2), "{machine:?}: {name}");
        }
        let wave = machine.run(&["v_readfirstlane_b32 m0, v1"], |wave| ramp(wave, 1));
        assert_eq!(wave.m0(), mark(1, 0), "{machine:?}: m0");
    }
}

#[test]
fn bit_five_of_a_lane_counts_in_wide_waves_alone() {
    for machine in MACHINES {
        let wave = machine.run(&["v_readlane_b32 s5, v1, 33", "v_writelane_b32 v2, 7, 34"], |wave| {
            ramp(wave, 1);
            ramp(wave, 2);
        });
        let wide = machine.lanes == 64;
        assert_eq!(wave.s[5], mark(1, if wide { 33 } else { 1 }), "{machine:?}");
        assert_eq!(wave.vgpr(2, if wide { 34 } else { 2 }), 7, "{machine:?}");
    }
}

/// Sources of a write, and what arrives.
const WRITES: &[(&str, u32)] = &[
    ("v_writelane_b32 v1, s3, 4", 0x1234_5678),
    ("v_writelane_b32 v1, -5, 4", 0xffff_fffb),
    ("v_writelane_b32 v1, 1.0, 4", 0x3f80_0000),
    ("v_writelane_b32 v1, vcc_lo, 4", 0x55),
    ("v_writelane_b32 v1, m0, 4", 0x66),
    ("v_writelane_b32 v1, 17, s4", 17),
    ("v_writelane_b32 v1, exec_lo, 4", 0),
];

#[test]
fn one_lane_is_written_whether_active_or_not() {
    for machine in MACHINES {
        for (line, v) in WRITES {
            let wave = machine.run(&[line], |wave| {
                ramp(wave, 1);
                wave.s[3] = 0x1234_5678;
                wave.s[4] = 4;
                wave.s[slot::VCC] = 0x55;
                let m0 = if wave.env.target.generation() >= wavediff::isa::Gen::Gfx11 { 125 } else { 124 };
                wave.s[m0] = 0x66;
                wave.set_exec(0);
            });
            for lane in 0..machine.lanes as usize {
                let expected = if lane == 4 { *v } else { mark(1, lane) };
                assert_eq!(wave.vgpr(1, lane), expected, "{machine:?}: {line}: lane {lane}");
            }
        }
    }
}

#[test]
fn nothing_happens() {
    for machine in MACHINES {
        let wave = machine.run(&["v_nop"], |wave| wave.set_exec(0));
        assert_eq!(wave.steps, 2, "{machine:?}");
    }
    for machine in machines(&["gfx1030", "gfx1100", "gfx1200"]) {
        machine.run(&["v_pipeflush"], |_| ());
    }
}

#[test]
fn exceptions_are_forgotten() {
    for machine in machines(&["gfx600", "gfx700", "gfx803", "gfx900", "gfx90a", "gfx940", "gfx1030"]) {
        let wave = machine.run(&["v_clrexcp", "s_getreg_b32 s1, hwreg(HW_REG_TRAPSTS)"], |wave| wave.trapsts = 0x47f);
        assert_eq!(wave.s[1], 0x400, "{machine:?}");
    }
}
