//! Scalar transcendental functions of gfx12: done once, EXEC has no say, results of 16 bits clear the upper half. PITFALLS EX1.

use super::machine::machines;
use wavediff::emu::wave::slot;

/// Lines, what s1 holds, and what s0 holds then.
const CASES: &[(&str, u32, u32)] = &[
    ("v_s_exp_f32 s0, s1", 0x4040_0000, 0x4100_0000),
    ("v_s_log_f32 s0, s1", 0x4100_0000, 0x4040_0000),
    ("v_s_rcp_f32 s0, s1", 0x4080_0000, 0x3e80_0000),
    ("v_s_rsq_f32 s0, s1", 0x4180_0000, 0x3e80_0000),
    ("v_s_sqrt_f32 s0, s1", 0x4180_0000, 0x4080_0000),
    ("v_s_rcp_f32 s0, -|s1|", 0xc080_0000, 0xbe80_0000),
    ("v_s_rcp_f32 s0, s1 mul:4", 0x4080_0000, 0x3f80_0000),
    ("v_s_rcp_f32 s0, s1 clamp", 0x3e80_0000, 0x3f80_0000),
    ("v_s_rcp_f32 s0, 4.0", 0, 0x3e80_0000),
    ("v_s_rcp_f32 s0, 0x41000000", 0, 0x3e00_0000),
    ("v_s_exp_f16 s0, s1", 0x1234_4200, 0x4800),
    ("v_s_log_f16 s0, s1", 0x1234_4800, 0x4200),
    ("v_s_rcp_f16 s0, s1", 0x1234_4400, 0x3400),
    ("v_s_rsq_f16 s0, s1", 0x1234_4c00, 0x3400),
    ("v_s_sqrt_f16 s0, s1", 0x1234_4c00, 0x4400),
];

#[test]
fn a_scalar_is_computed_whatever_is_active() {
    for machine in machines(&["gfx1200"]) {
        for (line, source, result) in CASES {
            for exec in [u64::MAX, 0, 0xf0] {
                let wave = machine.run(&[line], |wave| {
                    wave.s[0] = u32::MAX;
                    wave.s[1] = *source;
                    wave.set_exec(exec);
                });
                assert_eq!(wave.s[0], *result, "{machine:?}: {line} with {exec:#x}");
                assert_eq!(wave.exec(), exec & wave.all_lanes(), "{machine:?}: {line}");
            }
        }
        // EXEC as the source is what it was.
        let wave = machine.run(&["v_s_rcp_f32 s0, exec_lo"], |wave| wave.s[slot::EXEC] = 0x4080_0000);
        assert_eq!(wave.s[0], 0x3e80_0000, "{machine:?}");
    }
}
