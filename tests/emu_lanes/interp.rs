//! Interpolation of parameters in registers: ALU_FACTS 15.

use super::machine::machines;
use half::f16;

/// A line, and what lanes 4 to 7 of v4 hold then: the quad has slopes and parameters of its own. In lane l, v1 is l + 1, v2 is 10 l and v3 is 100 + l,
/// as f32 or as f16 in both halves, the upper one negated.
const CASES: &[(&str, [f32; 4])] = &[
    // v1 of lane 5 is 6, v3 of lane 4 is 104.
    ("v_interp_p10_f32 v4, v1, v2, v3", [344.0, 404.0, 464.0, 524.0]),
    // v1 of lane 6 is 7; v3 is the lane's own.
    ("v_interp_p2_f32 v4, v1, v2, v3", [384.0, 455.0, 526.0, 597.0]),
    ("v_interp_p2_f32 v4, v1, -v2, v3", [-176.0, -245.0, -314.0, -383.0]),
    ("v_interp_p10_f16_f32 v4, v11, v2, v13", [344.0, 404.0, 464.0, 524.0]),
    ("v_interp_p10_f16_f32 v4, v11, v2, v13 op_sel:[1,0,0,0]", [-136.0, -196.0, -256.0, -316.0]),
    ("v_interp_p10_f16_f32 v4, v11, v2, v13 op_sel:[0,0,1,0]", [136.0, 196.0, 256.0, 316.0]),
    ("v_interp_p10_rtz_f16_f32 v4, v11, v2, v13", [344.0, 404.0, 464.0, 524.0]),
];

#[test]
fn quads_are_interpolated() {
    for machine in machines(&["gfx1100", "gfx1200"]) {
        let setup = |wave: &mut wavediff::emu::wave::Wave| {
            for lane in 0..64 {
                let v = [lane as f32 + 1.0, 10.0 * lane as f32, 100.0 + lane as f32];
                for (n, v) in v.into_iter().enumerate() {
                    wave.set_vgpr(1 + n, lane, v.to_bits());
                    let (low, high) = (f16::from_f32(v).to_bits(), f16::from_f32(-v).to_bits());
                    wave.set_vgpr(11 + n, lane, u32::from(low) | u32::from(high) << 16);
                }
                wave.set_vgpr(4, lane, 0x1234_5678);
            }
            // Lanes that only give values need not be active.
            wave.set_exec(0xd0);
        };
        for (line, expected) in CASES {
            let wave = machine.run(&[line], setup);
            for (n, expected) in expected.iter().enumerate() {
                let expected = if n == 1 { 0x1234_5678 } else { expected.to_bits() };
                assert_eq!(wave.vgpr(4, 4 + n), expected, "{machine:?}: {line}: lane {n}");
            }
        }
        for (op_sel, expected) in [("", 0x1234_0000), (" op_sel:[0,0,0,1]", 0x5678)] {
            let wave = machine.run(&[&format!("v_interp_p2_f16_f32 v4, v11, v2, v3{op_sel}")], setup);
            let v = u32::from(f16::from_f32(384.0).to_bits());
            let v = if op_sel.is_empty() { v } else { v << 16 };
            assert_eq!(wave.vgpr(4, 4), expected | v, "{machine:?}: {op_sel}");
        }
        // 1 + 2^-11 of f16 lies between two numbers: to nearest even 1, or 1 + 2^-10 where it is a little more; toward zero 1.
        for (name, expected) in [("v_interp_p2_f16_f32", 0x3c01), ("v_interp_p2_rtz_f16_f32", 0x3c00)] {
            let wave = machine.run(&[&format!("{name} v4, v11, v2, v3")], |wave| {
                wave.set_vgpr(11, 2, 0x3c00);
                wave.set_vgpr(2, 0, (2f32.powi(-11) + 2f32.powi(-20)).to_bits());
                wave.set_vgpr(3, 0, 1f32.to_bits());
            });
            assert_eq!(wave.vgpr(4, 0), expected, "{machine:?}: {name}");
        }
    }
}

#[test]
fn the_coordinate_may_be_a_scalar() {
    // The assembler knows vector registers alone; a gfx1100 reads scalar ones too (recorded cases).
    for machine in machines(&["gfx1100"]) {
        let mut words = machine.words(&["v_interp_p10_f32 v4, v1, v2, v3"]);
        words[1] &= !(1 << 17);
        words.extend(machine.words(&["s_endpgm"]));
        let wave = machine.run_words(&words, |wave| {
            wave.set_vgpr(1, 1, 3f32.to_bits());
            wave.s[2] = 5f32.to_bits();
            wave.set_vgpr(3, 0, 7f32.to_bits());
        });
        assert_eq!(wave.vgpr(4, 2), 22f32.to_bits(), "{machine:?}: {:?}", wave.stop);
    }
}
