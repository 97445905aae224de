//! The functions of gfx11 and gfx12 against digests of what cards gave: all mantissas of f32 and all of f16.
//!
//! The digests are FNV-1a over the words of the results, in the order of the arguments, as ROCm's rocm-systems publishes them
//! (`emulation/rocjitsu/tests`, `transcendental_test.cpp` and its neighbours); f32 was captured on a gfx1100 and on a gfx1201, with the
//! same result on both, f16 on a gfx1201.

use wavediff::emu::soft::{Env, F16, F32, Function, Omod, Rules, Turns};

const SIN: Function = Function::Sin(Turns::Full);
const COS: Function = Function::Cos(Turns::Full);

/// The digest of the results of a function.
fn digest(function: Function, arguments: impl Iterator<Item = u32>) -> u64 {
    let mut env = Env::new(Rules::IEEE);
    fold(arguments.map(|a| env.rdna3(F32, function, u64::from(a))))
}

fn fold(words: impl Iterator<Item = u64>) -> u64 {
    words.fold(0xcbf2_9ce4_8422_2325, |digest, word| (digest ^ word).wrapping_mul(0x0100_0000_01b3))
}

const ONE: u32 = 0x3f80_0000;

#[test]
fn reciprocals() {
    assert_eq!(digest(Function::Rcp, ONE..ONE + (1 << 23)), 0xd54e_c249_9257_2df9);
}

#[test]
fn roots() {
    // Both parities of the exponent.
    assert_eq!(digest(Function::Rsq, ONE..ONE + (1 << 24)), 0x010b_c79e_b6e4_8caf);
    assert_eq!(digest(Function::Sqrt, ONE..ONE + (1 << 24)), 0x514d_49d3_1f12_176b);
}

#[test]
fn logarithms() {
    assert_eq!(digest(Function::Log2, 0x3f00_0000..0x4000_0000), 0xc33a_54ef_bae0_98be);
    assert_eq!(digest(Function::Log2, ONE..0x4000_0000), 0xdcab_e314_d296_4004);
}

#[test]
fn powers() {
    // Multiples of 2^-24 below one, of both signs.
    let multiples = |sign: u32| (0..1u32 << 24).map(move |n| (n as f32 / 16_777_216.0).to_bits() | sign);
    assert_eq!(digest(Function::Exp2, multiples(0)), 0x6895_9bb6_84f4_2e5f);
    assert_eq!(digest(Function::Exp2, multiples(1 << 31)), 0x88b7_5684_494d_b8d3);
}

/// The rules of f16 by the two bits of the mode register about its denormals, and FP16_OVFL.
fn half(keeps: u32, saturate: bool) -> Rules {
    Rules { flush_in: keeps & 1 == 0, flush_out: keeps & 2 == 0, saturate, ..Rules::IEEE }
}

fn digest_of_half(function: Function, rules: Rules) -> u64 {
    let mut env = Env::new(rules);
    fold((0..0x1_0000).map(|a| env.rdna3(F16, function, a)))
}

#[test]
fn angles_of_f16() {
    let sines = [0xbda6_2118_2e96_6565, 0xb708_bf57_6f3d_8aad, 0xbda6_2118_2e96_6565, 0xb624_5e65_a23f_99f9];
    for (keeps, sine) in (0..).zip(sines) {
        for saturate in [false, true] {
            assert_eq!(digest_of_half(SIN, half(keeps, saturate)), sine, "sin {keeps} {saturate}");
            assert_eq!(digest_of_half(COS, half(keeps, saturate)), 0xc6c3_112c_531e_4391, "cos {keeps} {saturate}");
        }
    }
}

#[test]
fn reciprocals_of_f16() {
    let digests = [
        [0x36cc_4b30_e451_54f5, 0x3f39_8012_1e8c_bcf5],
        [0x4e50_e3da_9892_a3ad, 0x8db5_cd82_83d4_aa91],
        [0x2c71_ffe2_56ab_1945, 0x73ec_6be1_844d_8945],
        [0x0667_b75d_288e_9039, 0xd9f8_9262_db73_6b55],
    ];
    for (keeps, digests) in (0..).zip(digests) {
        for (saturate, digest) in [false, true].into_iter().zip(digests) {
            assert_eq!(digest_of_half(Function::Rcp, half(keeps, saturate)), digest, "{keeps} {saturate}");
        }
    }
}

#[test]
fn powers_and_logarithms_of_f16() {
    // Without and with FP16_OVFL, by the bits about denormals, by the output modifier: none, mul:2, mul:4, div:2.
    let flushed = [0x0b72_f56e_5a6d_7814, 0xe4ea_4ced_067c_3750, 0xcfcd_3f09_5731_76b0];
    let most = [0xe391_1d20_7367_6194, 0xeb9c_191e_40f9_2250, 0xb315_2a70_f19f_46b0];
    let powers = [
        ([0xa9b6_8cfe_7b83_72d8, 0xa9b6_8cfe_7b83_72d8, 0x7a49_d817_5530_c589, 0x7a49_d817_5530_c589], [flushed; 4]),
        ([0xbdc5_546b_38d1_82d8, 0xbdc5_546b_38d1_82d8, 0x36d6_4dcb_7d64_d589, 0x36d6_4dcb_7d64_d589], [most; 4]),
    ];
    let [flushed, kept] = [
        [0x4a1c_0bff_99c9_3029, 0x92ae_e0e3_8077_4429, 0xa50f_91f3_a56d_d829],
        [0xaaf4_1f23_8807_1943, 0x6eb7_cb2e_b667_6143, 0x04a7_a440_7b6b_6943],
    ];
    let [most_flushed, most_kept] = [
        [0x9b02_5637_254c_d829, 0xa55c_770d_b2b8_c429, 0x22a3_4e92_1f10_3029],
        [0x5f44_fd3d_7afc_cb2b, 0xa835_61af_3a08_4b2b, 0xf19c_f0fb_96af_3b2b],
    ];
    let logarithms = [
        (
            [0x7b13_9780_c1be_cc29, 0xab56_1022_e31b_a143, 0x7b13_9780_c1be_cc29, 0xab56_1022_e31b_a143],
            [flushed, kept, flushed, kept],
        ),
        (
            [0x3999_dfce_791d_6c29, 0xab21_f15c_2191_eb2b, 0x3999_dfce_791d_6c29, 0xab21_f15c_2191_eb2b],
            [most_flushed, most_kept, most_flushed, most_kept],
        ),
    ];
    for (function, digests) in [(Function::Exp2, powers), (Function::Log2, logarithms)] {
        for (saturate, (plain, modified)) in [false, true].into_iter().zip(digests) {
            for (keeps, (plain, modified)) in (0..).zip(plain.into_iter().zip(modified)) {
                let rules = half(keeps, saturate);
                assert_eq!(digest_of_half(function, rules), plain, "{function:?} {keeps} {saturate}");
                for (omod, digest) in [Omod::Two, Omod::Four, Omod::Half].into_iter().zip(modified) {
                    // The modifier of gfx12 flushes what comes before it.
                    let mut env = Env::new(Rules { flush_out: true, ..rules });
                    let results = (0..0x1_0000).map(|a| {
                        let result = env.rdna3(F16, function, a);
                        env.omod(F16, omod, result)
                    });
                    assert_eq!(fold(results), digest, "{function:?} {omod:?} {keeps} {saturate}");
                }
            }
        }
    }
}

/// The measured product for small angles, and that it keeps subnormals where the mode does.
#[test]
fn small_sines() {
    let sine = |a: u64, rules| Env::new(rules).rdna3(F32, SIN, a);
    assert_eq!(sine(0x3980_0000, Rules::IEEE), 0x3ac9_0fd5);
    assert_eq!(sine(0x0080_0000, Rules::FLUSH), 0x01c9_0fd5);
    assert_eq!(sine(4, Rules::IEEE), 25);
    assert_eq!(sine(4, Rules::FLUSH), 0);
    assert_eq!(sine(0x39bf_ffff, Rules::IEEE), 0x3b16_cbdf);
}

/// The bits of the cards never differ from the correctly rounded result by more than the manuals allow, and often by that.
#[test]
fn one_unit() {
    let mut random = crate::Random(12);
    let mut differ = 0;
    for _ in 0..100_000 {
        let a = random.bits() & 0x7fff_ffff;
        for function in [Function::Exp2, Function::Log2, Function::Rcp, Function::Rsq, Function::Sqrt] {
            let mut env = Env::new(Rules::IEEE);
            let (rounded, silicon) = (env.function(F32, function, a), env.rdna3(F32, function, a));
            assert!(rounded.abs_diff(silicon) <= 1, "{function:?} {a:#x}: {rounded:#x}, {silicon:#x}");
            differ += u32::from(rounded != silicon);
        }
    }
    assert!(differ > 10_000, "{differ} of 500000 differ");
}
