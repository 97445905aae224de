//! VSKIP and the GPR index mode: ALU_FACTS 14, PITFALLS RG10 and HW6.

use super::machine::{machines, mark, ramp};

#[test]
fn vector_instructions_are_skipped() {
    for machine in machines(&["gfx600", "gfx700", "gfx803", "gfx900", "gfx908", "gfx90a"]) {
        let lines = [
            "s_mov_b32 s2, 0x10",
            "s_setvskip s2, 4",
            "v_mov_b32 v1, 1",
            "v_readlane_b32 s3, v0, 0",
            "v_cmp_eq_u32 vcc, v0, v0",
            "s_mov_b32 s4, 4",
            "s_setvskip s2, 0",
            "v_mov_b32 v2, 2",
        ];
        let wave = machine.run(&lines, |wave| {
            ramp(wave, 0);
            wave.s[3] = 9;
        });
        assert_eq!((wave.vgpr(1, 0), wave.vgpr(2, 0)), (0, 2), "{machine:?}");
        assert_eq!((wave.s[3], wave.s[4], wave.s[106]), (9, 4, 0), "{machine:?}");
    }
}

#[test]
fn the_mode_register_skips_too() {
    for machine in machines(&["gfx600", "gfx803", "gfx900"]) {
        let wave = machine.run(
            &[
                "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 28, 1), 1",
                "v_mov_b32 v1, 1",
                "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 28, 1), 0",
                "v_mov_b32 v2, 2",
            ],
            |_| (),
        );
        assert_eq!((wave.vgpr(1, 0), wave.vgpr(2, 0)), (0, 2), "{machine:?}");
    }
}

/// Roles, a line, the register that changes, and the registers that its value is made of.
const INDEXED: &[(u32, &str, usize, Value)] = &[
    (1, "v_mov_b32 v5, v7", 5, Value::Is(17)),
    (8, "v_mov_b32 v5, v7", 15, Value::Is(7)),
    (9, "v_mov_b32 v5, v7", 15, Value::Is(17)),
    (0, "v_mov_b32 v5, v7", 5, Value::Is(7)),
    (15, "v_mov_b32 v5, s4", 15, Value::Constant(44)),
    (15, "v_mov_b32 v5, 3", 15, Value::Constant(3)),
    (1, "v_or_b32 v5, v7, v8", 5, Value::Or(17, 8)),
    (2, "v_or_b32 v5, v7, v8", 5, Value::Or(7, 18)),
    (11, "v_or_b32 v5, v7, v8", 15, Value::Or(17, 18)),
    (15, "v_or_b32 v5, s4, v8", 15, Value::OrConstant(44, 18)),
    (4, "v_bfi_b32 v5, 0, v8, v9", 5, Value::Is(19)),
    (2, "v_bfi_b32 v5, -1, v8, v9", 5, Value::Is(18)),
    // Beyond the last register: v0, or nothing at all.
    (1, "v_mov_b32 v5, v250", 5, Value::Is(0)),
    (8, "v_mov_b32 v250, v7", 250, Value::Is(250)),
    // Modifiers bring the operand into a temporary first.
    (9, "v_max_f32 v5, |v7|, |v7|", 15, Value::OrConstant(0, 17)),
];

#[derive(Clone, Copy)]
enum Value {
    Is(usize),
    Constant(u32),
    Or(usize, usize),
    OrConstant(u32, usize),
}

#[test]
fn registers_are_indexed_by_role() {
    for machine in machines(&["gfx803", "gfx900", "gfx908", "gfx90a", "gfx940"]) {
        for (roles, line, changed, value) in INDEXED {
            let on = format!("s_set_gpr_idx_on s2, {roles}");
            // What follows after the mode is off names its registers as they are.
            let lines = [on.as_str(), line, "s_set_gpr_idx_off", "v_mov_b32 v30, v31"];
            let wave = machine.run(&lines, |wave| {
                // A power of two above the marks, so that the words are normal floats too.
                (0..256).for_each(|register| {
                    (0..64).for_each(|lane| wave.set_vgpr(register, lane, 0x4000_0000 | mark(register, lane)));
                });
                // The index is the low byte.
                wave.s[2] = 0xff00 | 10;
                wave.s[4] = 44;
            });
            let mark = |register: usize| 0x4000_0000 | mark(register, 6);
            let expected = match *value {
                Value::Is(n) => mark(n),
                Value::Constant(v) => v,
                Value::Or(a, b) => mark(a) | mark(b),
                Value::OrConstant(v, n) => v | mark(n),
            };
            for register in 0..256 {
                let expected = match register {
                    _ if register == *changed => expected,
                    30 => mark(31),
                    _ => mark(register),
                };
                // The second source of the maximum is not indexed, and smaller.
                assert_eq!(wave.vgpr(register, 6), expected, "{machine:?}: {roles} {line}: v{register}");
            }
            assert_eq!(wave.m0(), 10 | roles << 12, "{machine:?}: {line}");
        }
    }
}

#[test]
fn the_index_and_the_roles_change_alone() {
    for machine in machines(&["gfx803", "gfx900", "gfx90a", "gfx940"]) {
        let lines = [
            "s_set_gpr_idx_on s2, 1",
            "s_set_gpr_idx_idx s3",
            "v_mov_b32 v5, v7",
            "s_set_gpr_idx_mode 8",
            "v_mov_b32 v5, v8",
        ];
        let wave = machine.run(&lines, |wave| {
            (0..256).for_each(|register| ramp(wave, register));
            wave.s[2] = 1;
            wave.s[3] = 4;
        });
        assert_eq!((wave.vgpr(5, 0), wave.vgpr(9, 0)), (mark(11, 0), mark(8, 0)), "{machine:?}");
    }
}
