//! Facts from elsewhere than the text: hardware captures and compiler developers' notes as `ALU_FACTS.md` and `PITFALLS.md` of `../shared`
//! collect them, and the host's own arithmetic where that is the same.

use crate::pseudocode::exact::Rounding;
use crate::pseudocode::float::Mode;
use crate::pseudocode::{Inputs, Outputs, Reference};
use crate::reference;

fn eval(reference: &Reference, name: &str, inputs: &Inputs) -> Outputs {
    reference.eval(name, inputs).unwrap_or_else(|why| panic!("{name}: {why:?}"))
}

fn d0(reference: &Reference, name: &str, s: [u64; 3], mode: Mode) -> u64 {
    let out = eval(reference, name, &Inputs { s: s.map(u128::from), mode, ..Inputs::default() });
    (out.d0 & out.d0_mask) as u64
}

fn keeping_denormals() -> Mode {
    Mode { denorm32_in: true, denorm32_out: true, ..Mode::default() }
}

/// Instruction, operands, result, under the mode compute kernels start with.
#[rustfmt::skip]
const MEASURED: &[(&str, [u64; 3], u64)] = &[
    // Flushed by default: 2.0 times the smallest denormal.
    ("V_MUL_F32", [0x4000_0000, 1, 0], 0),
    ("V_RNDNE_F32", [0x4020_0000, 0, 0], 0x4000_0000),
    ("V_RNDNE_F32", [0x4060_0000, 0, 0], 0x4080_0000),
    ("V_RNDNE_F32", [0xbe99_999a, 0, 0], 0x8000_0000),
    ("V_CEIL_F32", [0xbe99_999a, 0, 0], 0x8000_0000),
    ("V_FLOOR_F32", [0xbe99_999a, 0, 0], 0xbf80_0000),
    ("V_MIN_F32", [0, 0x8000_0000, 0], 0x8000_0000),
    ("V_MAX_F32", [0x8000_0000, 0, 0], 0),
    ("V_MAX_F32", [0x7fc0_0001, 0x3f80_0000, 0], 0x3f80_0000),
    ("V_MAX_F32", [0x3f80_0000, 0xff80_0001, 0], 0xffc0_0001),
    ("V_MED3_F32", [0x8000_0000, 0, 0x8000_0000], 0x8000_0000),
    ("V_ADD_F32", [0x7f80_0000, 0xff80_0000, 0], 0xffc0_0000),
    ("V_MUL_F32", [0x7f80_0000, 0, 0], 0xffc0_0000),
    ("V_MUL_DX9_ZERO_F32", [0x7f80_0000, 0x8000_0000, 0], 0),
    ("V_SQRT_F32", [0xbf80_0000, 0, 0], 0xffc0_0000),
    ("V_LOG_F32", [0x8000_0001, 0, 0], 0xff80_0000),
    ("V_RCP_F32", [0x8000_0000, 0, 0], 0xff80_0000),
    ("V_COS_F32", [0x7f80_0000, 0, 0], 0xffc0_0000),
    ("V_FRACT_F32", [0xb300_0000, 0, 0], 0x3f7f_ffff),
    ("V_FRACT_F32", [0xff80_0000, 0, 0], 0xffc0_0000),
    ("V_FREXP_EXP_I32_F32", [0, 0, 0], 0),
    ("V_FREXP_EXP_I32_F32", [0x4100_0000, 0, 0], 4),
    ("V_FREXP_MANT_F32", [0xc100_0000, 0, 0], 0xbf00_0000),
    ("V_CVT_I32_F32", [0x4f32_d05e, 0, 0], 0x7fff_ffff),
    ("V_CVT_U32_F32", [0xbf80_0000, 0, 0], 0),
    ("V_CVT_NEAREST_I32_F32", [0x3eff_ffff, 0, 0], 0),
    ("V_CVT_NEAREST_I32_F32", [0xbf00_0000, 0, 0], 0),
    ("V_CVT_FLOOR_I32_F32", [0xffc0_0000, 0, 0], 0x8000_0000),
    ("V_CVT_PK_RTZ_F16_F32", [0x4780_0000, 0x7f80_0000, 0], 0x7c00_7bff),
    ("V_CVT_OFF_F32_I4", [8, 0, 0], 0xbf00_0000),
    ("V_CVT_NORM_I16_F16", [0xbc00, 0, 0], 0x8001),
    ("V_SAT_PK_U8_I16", [0x0100_fffb, 0, 0], 0xff00),
    ("V_CUBEID_F32", [0x3f80_0000, 0x3f80_0000, 0xbf80_0000], 0x40a0_0000),
    ("V_CUBEMA_F32", [0x3f80_0000, 0, 0], 0x4000_0000),
    ("V_SAD_U32", [0xffff_fffb, 0, 0], 0xffff_fffb),
    ("V_BCNT_U32_B32", [0xff, 3, 0], 11),
    ("V_MUL_HI_I32_I24", [0x80_0000, 0x80_0000, 0], 0x4000),
    ("V_LSHLREV_B32", [32, 5, 0], 5),
    ("V_BFE_U32", [0xffff_ffff, 4, 0], 0),
    ("V_BFE_I32", [0x80, 4, 4], 0xffff_fff8),
    ("V_CLS_I32", [0xffff_ffff, 0, 0], 0xffff_ffff),
    ("V_PERM_B32", [0x8000_0000, 0x0000_8001, 0x0c0b_0804], 0x00ff_ff00),
    ("V_LERP_U8", [0xff00_ff01, 0xff00_0001, 0x0101_0000], 0xff00_7f01),
    ("V_ALIGNBYTE_B32", [0x1122_3344, 0x5566_7788, 5], 0x4455_6677),
    ("V_DIV_FIXUP_F32", [0x7fc0_0000, 0x3f80_0000, 0xbf80_0000], 0xff80_0000),
    // -1 + 32 + 24 as its sum of pairs is aligned.
    ("V_DOT2_F32_F16", [0x4e00_5000, 0x3c00_3c00, 0xbf80_0000], 0x425c_0001),
    ("S_ABSDIFF_I32", [0x8000_0000, 1, 0], 0x7fff_ffff),
    ("S_ABSDIFF_I32", [0x8000_0000, 0, 0], 0x8000_0000),
    ("S_BFE_U64", [0xffff_ffff_ffff_ffff, 0x28_0008, 0], 0xff_ffff_ffff),
    ("S_BFE_I32", [0x80, 0x8_0000, 0], 0xffff_ff80),
    ("S_WQM_B32", [0x0000_0210, 0, 0], 0x0000_0ff0),
    ("S_BITREPLICATE_B64_B32", [0x8000_0001, 0, 0], 0xc000_0000_0000_0003),
    ("S_QUADMASK_B64", [0xf000_0000_0000_0001, 0, 0], 0x8001),
];

#[test]
fn measured() {
    let Some(reference) = reference() else { return };
    for &(name, s, expected) in MEASURED {
        let ours = d0(&reference, name, s, Mode::default());
        assert_eq!(ours, expected, "{name} of {s:x?}: {ours:#x}, not {expected:#x}");
    }
}

#[test]
fn scc_is_a_signed_overflow_or_an_unsigned_carry() {
    let Some(reference) = reference() else { return };
    let scc = |name, a: u128, b: u128| eval(&reference, name, &Inputs { s: [a, b, 0], ..Inputs::default() }).scc;
    assert!(scc("S_ADD_I32", 0x7fff_ffff, 1) && !scc("S_ADD_I32", 0xffff_ffff, 1));
    assert!(!scc("S_ADD_U32", 0x7fff_ffff, 1) && scc("S_ADD_U32", 0xffff_ffff, 1));
    assert!(scc("S_SUB_U32", 0, 1) && !scc("S_SUB_I32", 0, 1));
}

#[test]
fn masks_are_written_at_the_lane() {
    let Some(reference) = reference() else { return };
    let inputs = Inputs { s: [5, 5, 0], lane: 37, wave_size: 64, vcc: 1 << 37, ..Inputs::default() };
    let out = eval(&reference, "V_CMP_EQ_U32", &inputs);
    assert_eq!((out.d0, out.d0_mask), (1 << 37, 1 << 37));
    let out = eval(&reference, "V_CMPX_NE_U32", &Inputs { exec: u64::MAX, ..inputs.clone() });
    assert_eq!(out.exec, !(1 << 37));
    let out = eval(&reference, "V_SUBREV_CO_CI_U32", &Inputs { s: [5, 5, 0], ..inputs.clone() });
    assert_eq!((out.d0, out.vcc), (0xffff_ffff, 1 << 37));
    let out = eval(&reference, "V_MAD_U64_U32", &Inputs { s: [3, 5, u64::MAX.into()], vcc: 0, ..inputs });
    assert_eq!((out.d0, out.vcc), (14, 1 << 37));
}

#[test]
fn branches_count_words_from_the_next_instruction() {
    let Some(reference) = reference() else { return };
    let inputs = Inputs { simm: 0x9000, pc: 0x10_0000, vcc: 1 << 40, ..Inputs::default() };
    assert_eq!(eval(&reference, "S_BRANCH", &inputs).pc, 0x10_0004 - 0x7000 * 4);
    assert_eq!(eval(&reference, "S_CBRANCH_VCCNZ", &inputs).pc, 0x10_0004);
    assert_eq!(eval(&reference, "S_CBRANCH_VCCZ", &inputs).pc, 0x10_0004 - 0x7000 * 4);
}

#[test]
fn output_modifiers() {
    let Some(reference) = reference() else { return };
    let run = |name, s: [u128; 3], mode, omod, clamp| {
        let out = eval(&reference, name, &Inputs { s, mode, omod, clamp, ..Inputs::default() });
        (out.d0 & out.d0_mask) as u64
    };
    let plain = Mode { ieee: false, ..Mode::default() };
    // Ignored with IEEE, and where denormals are results.
    assert_eq!(run("V_ADD_F32", [0x4040_0000, 0x3f80_0000, 0], Mode::default(), 1, false), 0x4080_0000);
    assert_eq!(run("V_ADD_F32", [0x4040_0000, 0x3f80_0000, 0], plain, 1, false), 0x4100_0000);
    assert_eq!(run("V_ADD_F16", [0x4200, 0x3c00, 0], plain, 1, false), 0x4400);
    // A zero loses its sign; halving the smallest normal number keeps it.
    assert_eq!(run("V_MUL_F32", [0x8000_0000, 0x3f80_0000, 0], plain, 3, false), 0);
    assert_eq!(run("V_MUL_F32", [0x8080_0000, 0x3f80_0000, 0], plain, 3, false), 0x8000_0000);
    assert_eq!(run("V_ADD_F32", [0x7fc0_0000, 0, 0], Mode::default(), 0, true), 0);
    assert_eq!(run("V_ADD_F32", [0x7fc0_0000, 0, 0], Mode { dx10_clamp: false, ..plain }, 0, true), 0x7fc0_0000);
    assert_eq!(run("V_PK_ADD_F16", [0x4400_bc00, 0, 0], plain, 0, true), 0x3c00_0000);
    assert_eq!(run("V_ADD_NC_U32", [0xffff_fff0, 0x20, 0], plain, 0, true), 0xffff_ffff);
    assert_eq!(run("V_SUB_NC_I32", [0x8000_0000, 1, 0], plain, 0, true), 0x8000_0000);
    assert_eq!(run("V_MAD_I16", [0x7fff, 0x8000, 0x7fff], plain, 0, true), 0x8000);
    assert_eq!(run("V_SAD_U8", [0xff, 0, 0xffff_ffff], plain, 0, true), 0xffff_ffff);
    assert_eq!(run("V_DOT4_U32_U8", [0xffff_ffff, 0xffff_ffff, 0xffff_0000], plain, 0, true), 0xffff_ffff);
}

#[test]
fn rounds_in_four_directions() {
    let Some(reference) = reference() else { return };
    let third =
        |round32| d0(&reference, "V_MUL_F32", [0x3eaa_aaab, 0xbeaa_aaab, 0], Mode { round32, ..Mode::default() });
    let all = [Rounding::Nearest, Rounding::Up, Rounding::Down, Rounding::Zero].map(third);
    assert_eq!(all, [0xbde3_8e3a, 0xbde3_8e39, 0xbde3_8e3a, 0xbde3_8e39]);
}

/// A fixed stream of bits, with exponents near enough that sums do not only copy an operand.
fn stream(n: u64) -> u64 {
    let mut x = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x ^= x >> 31;
    x = x.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^ x >> 29
}

#[test]
fn agrees_with_the_host() {
    let Some(reference) = reference() else { return };
    let mode = keeping_denormals();
    for n in 0..2000 {
        let [a, b, c] = [0, 1, 2].map(|i| stream(3 * n + i) as u32 & 0x83ff_ffff | 0x3e00_0000);
        let [x, y, z] = [a, b, c].map(f32::from_bits);
        let single = |name, host: f32| {
            assert_eq!(
                d0(&reference, name, [a, b, c].map(u64::from), mode),
                u64::from(host.to_bits()),
                "{name} {a:x} {b:x} {c:x}"
            );
        };
        single("V_ADD_F32", x + y);
        single("V_SUB_F32", x - y);
        single("V_SUBREV_F32", y - x);
        single("V_MUL_F32", x * y);
        single("V_FMA_F32", x.mul_add(y, z));
        single("V_MIN3_F32", x.min(y).min(z));
        single("V_FRACT_F32", (x - x.floor()).min(1.0 - f32::EPSILON / 2.0));
        single("V_TRUNC_F32", x.trunc());
        single("V_CEIL_F32", x.ceil());
        single("V_RNDNE_F32", x.round_ties_even());
        let [a, b, c] = [0, 1, 2].map(|i| stream(7 * n + i) & 0x801f_ffff_ffff_ffff | 0x3fe0_0000_0000_0000);
        let [x, y, z] = [a, b, c].map(f64::from_bits);
        let double =
            |name, host: f64| assert_eq!(d0(&reference, name, [a, b, c], mode), host.to_bits(), "{name} {a:x} {b:x}");
        double("V_ADD_F64", x + y);
        double("V_MUL_F64", x * y);
        double("V_FMA_F64", x.mul_add(y, z));
        double("V_RNDNE_F64", x.round_ties_even());
        double("V_FLOOR_F64", x.floor());
    }
}
