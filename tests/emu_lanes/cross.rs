//! Permutes and swaps: ALU_FACTS 13, PITFALLS LN10.

use super::machine::{Machine, lanes, machines, mark, ramp};

/// The machines with `v_permlane16_b32`.
fn permuting() -> impl Iterator<Item = Machine> {
    machines(&["gfx1030", "gfx1100", "gfx1200"])
}

/// Selectors that turn the sixteen lanes of a row around: lane 0 takes 15, lane 15 takes 0.
const REVERSE: [u32; 2] = [0x89ab_cdef, 0x0123_4567];

/// The operands' flags, which inactive lanes are read, and what stands for others: none is the old value.
const FLAGS: &[(&str, bool, Option<u32>)] = &[
    ("", false, None),
    (" op_sel:[1,0]", true, None),
    (" op_sel:[0,1]", false, Some(0)),
    (" op_sel:[1,1]", true, Some(0)),
];

/// What a permute should leave in v2 that had a ramp, from a ramp in v1.
fn permuted(machine: Machine, exec: u64, other: usize, inactive: bool, rest: Option<u32>) -> Vec<u32> {
    (0..machine.lanes as usize)
        .map(|lane| {
            let source = (lane & !15 ^ other) | (15 - (lane & 15));
            match (exec >> lane & 1, exec >> source & 1 == 1 || inactive) {
                (0, _) => mark(2, lane),
                (_, true) => mark(1, source),
                (_, false) => rest.unwrap_or(mark(2, lane)),
            }
        })
        .collect()
}

#[test]
fn rows_are_permuted() {
    for machine in permuting() {
        for (name, other) in [("v_permlane16_b32", 0), ("v_permlanex16_b32", 16)] {
            for (flags, inactive, rest) in FLAGS {
                for exec in [u64::MAX, 0x0f0f_1234_ffff_00ff, 0] {
                    let wave = machine.run(&[&format!("{name} v2, v1, s0, s1{flags}")], |wave| {
                        ramp(wave, 1);
                        ramp(wave, 2);
                        wave.s[..2].copy_from_slice(&REVERSE);
                        wave.set_exec(exec);
                    });
                    let expected = permuted(machine, exec, other, *inactive, *rest);
                    assert_eq!(lanes(&wave, 2), expected, "{machine:?}: {name}{flags} with {exec:#x}");
                }
            }
        }
    }
}

#[test]
fn a_permute_may_write_what_it_reads() {
    for machine in permuting() {
        // 4 in every selector but those of constants, which are sign-extended.
        let wave = machine.run(&["v_permlane16_b32 v1, v1, 0, 0"], |wave| ramp(wave, 1));
        let expected: Vec<u32> = (0..machine.lanes as usize).map(|lane| mark(1, lane & !15)).collect();
        assert_eq!(lanes(&wave, 1), expected, "{machine:?}");
    }
}

#[test]
fn selectors_may_lie_in_a_register() {
    for machine in machines(&["gfx1200"]) {
        for (name, other) in [("v_permlane16_var_b32", 0), ("v_permlanex16_var_b32", 16)] {
            for (flags, inactive, rest) in FLAGS {
                let exec = 0xff00_f0f0_ffff_3c3c;
                let wave = machine.run(&[&format!("{name} v2, v1, v3{flags}")], |wave| {
                    ramp(wave, 1);
                    ramp(wave, 2);
                    for lane in 0..64 {
                        // The low four bits count.
                        wave.set_vgpr(3, lane, 15 - lane as u32 % 16 + 16 * lane as u32);
                    }
                    wave.set_exec(exec);
                });
                let expected = permuted(machine, exec, other, *inactive, *rest);
                assert_eq!(lanes(&wave, 2), expected, "{machine:?}: {name}{flags}");
            }
        }
    }
}

#[test]
fn halves_of_a_wave_change_places() {
    for machine in machines(&["gfx1100", "gfx1200"]) {
        let exec = 0x0000_0003_ffff_fff0;
        let wave = machine.run(&["v_permlane64_b32 v2, v1"], |wave| {
            ramp(wave, 1);
            ramp(wave, 2);
            wave.set_exec(exec);
        });
        // Inactive lanes are read; a wave of 32 lanes does nothing.
        let moves = |lane: usize| machine.lanes == 64 && exec >> lane & 1 == 1;
        let expected: Vec<u32> =
            (0..machine.lanes as usize).map(|l| if moves(l) { mark(1, l ^ 32) } else { mark(2, l) }).collect();
        assert_eq!(lanes(&wave, 2), expected, "{machine:?}");
    }
}

#[test]
fn registers_change_places_in_active_lanes() {
    for machine in machines(&["gfx900", "gfx908", "gfx90a", "gfx1030", "gfx1100", "gfx1200"]) {
        let exec = 0x5555_5555_5555_5555;
        let wave = machine.run(&["v_swap_b32 v1, v2"], |wave| {
            ramp(wave, 1);
            ramp(wave, 2);
            wave.set_exec(exec);
        });
        for lane in 0..machine.lanes as usize {
            let (a, b) = if lane % 2 == 0 { (2, 1) } else { (1, 2) };
            assert_eq!((wave.vgpr(1, lane), wave.vgpr(2, lane)), (mark(a, lane), mark(b, lane)), "{machine:?}: {lane}");
        }
    }
}

/// Halves of v1 and v2 that change places, and what is in the registers then; they were 0x1111_aaaa and 0x2222_bbbb.
const HALVES: &[(u32, u32, u32, u32)] = &[
    (0, 0, 0x1111_bbbb, 0x2222_aaaa),
    (1, 0, 0xbbbb_aaaa, 0x2222_1111),
    (0, 1, 0x1111_2222, 0xaaaa_bbbb),
    (1, 1, 0x2222_aaaa, 0x1111_bbbb),
];

#[test]
fn halves_of_registers_change_places() {
    for machine in machines(&["gfx1100", "gfx1200"]) {
        for (dst, src, first, second) in HALVES {
            // VOP1 with opcode 0x66: the upper half is the top bit of a register's number.
            let word = 0x7e00_0000 | (1 | dst << 7) << 17 | 0x66 << 9 | 0x100 | 2 | src << 7;
            let mut words = vec![word];
            words.extend(machine.words(&["s_endpgm"]));
            let wave = machine.run_words(&words, |wave| {
                wave.set_vgpr(1, 0, 0x1111_aaaa);
                wave.set_vgpr(2, 0, 0x2222_bbbb);
            });
            assert_eq!(
                (wave.vgpr(1, 0), wave.vgpr(2, 0)),
                (*first, *second),
                "{machine:?}: {dst} {src}: {:?}",
                wave.stop
            );
        }
    }
}
