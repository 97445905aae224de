//! Registers relative to M0, and accumulation registers: ALU_FACTS 14, RDNA3_NOTES 2 for what is out of range.

use super::machine::{Machine, lanes, machines, mark, ramp};
use wavediff::emu::wave::{Wave, file};
use wavediff::isa::Gen;

fn moving() -> impl Iterator<Item = Machine> {
    machines(&["gfx600", "gfx700", "gfx803", "gfx1030", "gfx1100", "gfx1200"])
}

fn set_m0(wave: &mut Wave, v: u32) {
    let code = if wave.env.target.generation() >= Gen::Gfx11 { 125 } else { 124 };
    wave.s[code] = v;
}

/// A line, M0, the register that changes if any, and the register whose ramp it holds then.
const MOVES: &[(&str, u32, Option<usize>, usize)] = &[
    ("v_movrels_b32 v5, v7", 10, Some(5), 17),
    ("v_movreld_b32 v5, v7", 10, Some(15), 7),
    ("v_movrelsd_b32 v5, v7", 10, Some(15), 17),
    // The sum has 32 bits.
    ("v_movrels_b32 v5, v7", u32::MAX, Some(5), 6),
    // A source beyond the last register is v0; such a destination is not written.
    ("v_movrels_b32 v5, v7", 249, Some(5), 0),
    ("v_movreld_b32 v5, v7", 251, None, 0),
    ("v_movrelsd_b32 v5, v7", 250, Some(255), 0),
];

/// The same on gfx10 and later: two fields of M0.
const FIELDS: &[(&str, u32, Option<usize>, usize)] = &[
    ("v_movrelsd_2_b32 v5, v7", 20 << 16 | 10, Some(25), 17),
    ("v_movrelsd_2_b32 v5, v7", 0xfc00_fc00 | 20 << 16 | 10, Some(25), 17),
    ("v_movrelsd_2_b32 v5, v7", 0x3ff << 16, None, 0),
    ("v_movrelsd_2_b32 v5, v7", 0x3ff, Some(5), 0),
];

fn check(machine: Machine, (line, m0, changed, from): (&str, u32, Option<usize>, usize)) {
    let wave = machine.run(&[line], |wave| {
        (0..256).for_each(|register| ramp(wave, register));
        set_m0(wave, m0);
    });
    for register in 0..256 {
        let holds = if changed == Some(register) { from } else { register };
        assert_eq!(wave.vgpr(register, 3), mark(holds, 3), "{machine:?}: {line} with {m0:#x}: v{register}");
    }
}

#[test]
fn m0_moves_registers() {
    for machine in moving() {
        MOVES.iter().for_each(|case| check(machine, *case));
    }
    for machine in machines(&["gfx1030", "gfx1100", "gfx1200"]) {
        FIELDS.iter().for_each(|case| check(machine, *case));
    }
}

#[test]
fn a_moved_destination_takes_scalars_and_constants() {
    for machine in moving() {
        // M0 is a second scalar value: earlier processors read one alone.
        let two = machine.target().generation() >= Gen::Gfx10;
        let line = if two { "v_movreld_b32 v5, s4" } else { "v_movreld_b32 v5, 61" };
        let wave = machine.run(&[line, "v_movreld_b32 v6, 1.0"], |wave| {
            wave.s[4] = 61;
            set_m0(wave, 2);
        });
        assert_eq!((wave.vgpr(7, 9), wave.vgpr(8, 9)), (61, 0x3f80_0000), "{machine:?}");
    }
}

#[test]
fn relative_registers_change_places() {
    for machine in machines(&["gfx1030", "gfx1100", "gfx1200"]) {
        let wave = machine.run(&["v_swaprel_b32 v5, v7"], |wave| {
            (0..256).for_each(|register| ramp(wave, register));
            set_m0(wave, 20 << 16 | 10);
        });
        assert_eq!((wave.vgpr(25, 1), wave.vgpr(17, 1)), (mark(17, 1), mark(25, 1)), "{machine:?}");
    }
}

#[test]
fn accumulation_registers_are_read_and_written() {
    for machine in machines(&["gfx908", "gfx90a"]) {
        let lines = [
            "v_accvgpr_write_b32 a3, v1",
            "v_accvgpr_write_b32 a4, 5",
            "v_accvgpr_read_b32 v2, a3",
            "v_accvgpr_read_b32 v3, a4",
        ];
        let wave = machine.run(&lines, |wave| {
            ramp(wave, 1);
            ramp(wave, 2);
            wave.set_exec(0xff);
        });
        for lane in 0..64 {
            let expected = if lane < 8 { (mark(1, lane), 5) } else { (mark(2, lane), 0) };
            assert_eq!((wave.vgpr(2, lane), wave.vgpr(3, lane)), expected, "{machine:?}: {lane}");
        }
        assert_eq!(wave.file[file::AGPR as usize + 3 * 64].get(), mark(1, 0), "{machine:?}");
    }
    for machine in machines(&["gfx90a"]) {
        let wave = machine
            .run(&["v_accvgpr_write_b32 a3, v1", "v_accvgpr_mov_b32 a9, a3", "v_accvgpr_read_b32 v2, a9"], |wave| {
                ramp(wave, 1)
            });
        assert_eq!(lanes(&wave, 2), lanes(&wave, 1), "{machine:?}");
    }
}
