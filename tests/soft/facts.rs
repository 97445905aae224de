//! Facts about the machines, measured or printed, as values.

use num_bigint::BigUint;
use wavediff::emu::soft::{
    Adder, BF16, Env, Exceptions, F16, F32, F64, Format, Fp8, IntRound, NanRule, Omod, Round, Rules, dot_f32,
    dot_packed, dot4_fp8, off_f32_i4, omod_applies,
};

const NAN: u64 = 0xffc0_0000;
const INF: u64 = 0x7f80_0000;
const NEG_INF: u64 = 0xff80_0000;
const NEG_ZERO: u64 = 0x8000_0000;
const SNAN: u64 = 0x7fa0_0123;
const QNAN: u64 = 0x7fe0_0123;

fn f32(a: f32) -> u64 {
    u64::from(a.to_bits())
}

fn f16(a: f32) -> u64 {
    u64::from(half::f16::from_f32(a).to_bits())
}

fn ieee() -> Env {
    Env::new(Rules::IEEE)
}

fn rounding(round: Round) -> Env {
    Env::new(Rules::IEEE.with_round(round))
}

#[test]
fn default_nans() {
    let env = &mut ieee();
    assert_eq!(env.add(F32, INF, NEG_INF), NAN);
    assert_eq!(env.mul(F32, INF, 0), NAN);
    assert_eq!(env.fma(F32, 0, NEG_INF, QNAN), NAN, "an invalid product goes first");
    assert_eq!(env.sqrt(F32, f32(-1.0)), NAN);
    assert_eq!(env.rsq(F32, f32(-1.0)), NAN);
    assert_eq!(env.div(F16, 0, 0), 0xfe00);
    assert_eq!(env.div(F64, 0, 0), 0xfff8_0000_0000_0000);
    assert_eq!(env.raised, Exceptions::INVALID);
}

#[test]
fn the_first_nan_goes_through() {
    let env = &mut ieee();
    assert_eq!(env.add(F32, SNAN, 0xffc0_0001), QNAN);
    assert_eq!(env.fma(F32, f32(1.0), 0xffc0_0001, SNAN), 0xffc0_0001);
    assert_eq!(env.raised, Exceptions::INVALID);
    let dx = &mut Env::new(Rules { quiet: false, ..Rules::IEEE });
    assert_eq!(dx.add(F32, f32(1.0), SNAN), SNAN);
    assert_eq!(dx.convert(F16, F32, 0x7d55), 0x7faa_a000);
    assert_eq!(env.convert(F16, F32, 0x7d55), 0x7fea_a000);
    assert_eq!(dx.cube_tc(f32(1.0), SNAN, 0), F32.neg(SNAN));
    assert_eq!(env.cube_tc(f32(1.0), SNAN, 0), F32.neg(QNAN));
}

#[test]
fn overflow_and_flush() {
    let max = F16.max();
    for (round, up, down) in [
        (Round::Even, 0x7c00, 0xfc00),
        (Round::Up, 0x7c00, 0xfbff),
        (Round::Down, 0x7bff, 0xfc00),
        (Round::Zero, 0x7bff, 0xfbff),
    ] {
        let env = &mut rounding(round);
        assert_eq!(env.add(F16, max, max), up);
        assert_eq!(env.sub(F16, F16.neg(max), max), down);
        assert_eq!(env.raised, Exceptions::OVERFLOW | Exceptions::INEXACT);
        env.rules.saturate = true;
        assert_eq!(env.add(F16, max, max), 0x7bff);
        assert_eq!(env.add(F16, 0x7c00, max), 0x7c00, "an infinite operand stays infinite");
    }
    // Below the smallest normal at full precision: flushed, though as a subnormal it would round up to it.
    let (a, b) = (0x3f7f_ffff, F32.min_normal());
    assert_eq!(ieee().mul(F32, a, b), F32.min_normal());
    let flush = &mut Env::new(Rules::FLUSH);
    assert_eq!(flush.mul(F32, a, b), 0);
    assert_eq!(flush.mul(F32, a, F32.neg(b)), NEG_ZERO);
    assert_eq!(flush.mul(F32, f32(2.0), 1), 0, "a flushed operand");
    assert!(flush.raised.contains(Exceptions::INPUT_SUBNORMAL | Exceptions::UNDERFLOW));
}

#[test]
fn output_modifiers() {
    let env = &mut ieee();
    assert_eq!(env.omod(F32, Omod::Two, f32(3.0)), f32(6.0));
    assert_eq!(env.omod(F32, Omod::Four, f32(-3.0)), f32(-12.0));
    assert_eq!(env.omod(F32, Omod::Half, f32(3.0)), f32(1.5));
    for a in [0, NEG_ZERO, 1, NEG_ZERO | 1] {
        assert_eq!(env.omod(F32, Omod::Two, a), 0, "zeros and subnormals lose their sign");
    }
    assert_eq!(env.omod(F32, Omod::Half, F32.neg(F32.min_normal())), NEG_ZERO);
    assert_eq!(env.omod(F32, Omod::Two, NEG_INF), NEG_INF);
    assert_eq!(env.omod(F32, Omod::Two, SNAN), SNAN);
    assert_eq!(env.omod(F32, Omod::Four, F32.max() - F32.min_normal()), INF);
    assert_eq!(rounding(Round::Zero).omod(F64, Omod::Four, F64.neg(F64.max())), F64.neg(F64.max()));
    assert_eq!(F32.clamp(NAN, true), 0);
    assert_eq!(F32.clamp(NAN, false), NAN);
    assert_eq!(F32.clamp(NEG_ZERO, true), 0);
    assert_eq!(F32.clamp(f32(1.5), true), f32(1.0));
    assert_eq!(F16.clamp(f16(0.5), true), f16(0.5));
    assert!(!omod_applies(false, true, false, false) && !omod_applies(false, false, true, false));
    assert!(omod_applies(false, false, false, false) && omod_applies(true, false, true, false));
    assert!(!omod_applies(true, false, false, true));
}

/// A row of the table: exponent fields of denominator and numerator, the powers of two, the flag.
fn scale_row(f: Format, de: i32, ne: i32, by_d: i32, by_n: i32, flag: bool) {
    let (d, n) = ((de as u64) << f.man | 5, (ne as u64) << f.man | 9);
    let env = &mut ieee();
    let (sd, fd) = env.div_scale(f, d, d, n);
    let (sn, fn_) = env.div_scale(f, n, d, n);
    let expected = |a, by| ieee().ldexp(f, a, by);
    assert_eq!((sd, sn, fd, fn_), (expected(d, by_d), expected(n, by_n), flag, flag), "{f:?} {de} {ne}");
}

#[test]
fn div_scale() {
    for (f, sc, far, small) in [(F32, 64, 96, 24), (F64, 128, 768, 53)] {
        let (bias, top) = (f.bias(), f.exponent(f.max()));
        scale_row(f, bias, bias + far, sc, 0, true);
        scale_row(f, bias, bias + far - 1, 0, 0, false);
        scale_row(f, 0, far, sc, 0, true);
        scale_row(f, 0, far - 1, sc, sc, false);
        scale_row(f, top, top - far, -sc, 0, true);
        scale_row(f, top - 1, top - 1 - far, -sc, 0, true);
        scale_row(f, top, top - far + 1, -sc, -sc, false);
        scale_row(f, top - 2, top - 2 - far, 0, sc, true);
        scale_row(f, small + 1, small, sc, sc, false);
        scale_row(f, small + 1, small + 1, 0, 0, false);
        scale_row(f, 2, small, sc, sc, false);
        let one = f.one();
        let env = &mut ieee();
        assert_eq!(env.div_scale(f, one, 0, one), (f.default_nan(), true), "a zero denominator");
        assert_eq!(env.div_scale(f, one, one, 0), (f.default_nan(), f.bias() >= far));
        assert_eq!(env.div_scale(f, f.inf(), one, f.inf()).0, f.inf());
        let flush = &mut Env::new(Rules::FLUSH);
        assert_eq!(flush.div_scale(f, 1, 1, one), (f.default_nan(), true), "a subnormal denominator, flushed");
    }
}

#[test]
fn div_fmas() {
    let env = &mut ieee();
    for (f, sc) in [(F32, 64), (F64, 128)] {
        let one = f.one();
        let two = one + f.min_normal();
        let below = two - 1;
        let scaled = |a, by| ieee().ldexp(f, a, by);
        assert_eq!(env.div_fmas(f, one, one, one, false), two);
        assert_eq!(env.div_fmas(f, one, 0, two, true), scaled(two, sc), "from two on up");
        assert_eq!(env.div_fmas(f, one, 0, below, true), scaled(below, -sc));
        // One rounding at the end: half a unit of the subnormal result is not lost before.
        let tiny = ieee().ldexp(f, one, 2 - f.bias() - f.man as i32);
        assert_eq!(env.div_fmas(f, tiny, one, 0, true), 0);
    }
}

#[test]
fn div_fixup() {
    let env = &mut ieee();
    let [one, two, seven] = [1.0, 2.0, 7.0].map(f32);
    assert_eq!(env.div_fixup(F32, f32(-3.5), two, seven), f32(3.5), "the sign is that of the operands");
    assert_eq!(env.div_fixup(F32, f32(3.5), F32.neg(two), seven), f32(-3.5));
    assert_eq!(env.div_fixup(F32, one, 0, 0), NAN);
    assert_eq!(env.div_fixup(F32, one, NEG_INF, INF), NAN);
    assert_eq!(env.div_fixup(F32, one, NEG_ZERO, one), NEG_INF);
    assert_eq!(env.div_fixup(F32, one, F32.neg(two), INF), NEG_INF);
    assert_eq!(env.div_fixup(F32, one, two, NEG_ZERO), NEG_ZERO);
    assert_eq!(env.div_fixup(F32, one, INF, one), 0);
    assert_eq!(env.div_fixup(F32, one, 0x7fc0_0001, 0xffc0_0002), 0xffc0_0002, "the numerator's NaN goes first");
    assert_eq!(env.div_fixup(F32, NAN, two, F32.neg(one)), NEG_INF, "a NaN estimate of finite operands");
    for (f, least) in [(F32, 150), (F64, 1075)] {
        let d = ((f.exponent(f.max()) as u64) << f.man) | 3;
        let n = |delta: i32| ((f.exponent(f.max()) - delta) as u64) << f.man | 7;
        let q = f.one();
        assert_eq!(ieee().div_fixup(f, q, d, n(least)), q);
        assert_eq!(ieee().div_fixup(f, q, d, n(least + 1)), 0);
        assert_eq!(rounding(Round::Up).div_fixup(f, q, d, n(least + 1)), 1);
        assert_eq!(rounding(Round::Down).div_fixup(f, q, d, f.neg(n(least + 1))), f.neg(1));
        assert_eq!(Env::new(Rules::FLUSH.with_round(Round::Up)).div_fixup(f, q, d, n(least + 1)), 0);
    }
    let mut saturating = Env::new(Rules { saturate: true, ..Rules::IEEE });
    assert_eq!(saturating.div_fixup(F16, 0x7c00, f16(1.0), f16(2.0)), 0x7bff);
    assert_eq!(env.div_fixup(F16, 5, 0x7bff, 1), 5, "f16 has no row for tiny quotients");
}

/// The division that compilers emit gives the correctly rounded quotient, with the estimate off by a unit in either direction.
#[test]
fn divisions_as_programs_make_them() {
    let mut random = crate::Random(5);
    for f in [F32, F64] {
        for i in 0..20_000 {
            let (n, d) = (random.bits() >> (64 - f.width()), random.bits() >> (64 - f.width()));
            let env = &mut ieee();
            let (ds, _) = env.div_scale(f, d, d, n);
            let (ns, flag) = env.div_scale(f, n, d, n);
            let mut r = env.rcp(f, ds);
            if f == F32 && f.is_finite(r) && !f.is_zero(r) {
                r = r + i % 3 - 1;
            }
            let minus = f.neg(ds);
            let one = f.one();
            let mut e = env.fma(f, minus, r, one);
            r = env.fma(f, e, r, r);
            let mut q = env.mul(f, ns, r);
            e = env.fma(f, minus, q, ns);
            q = env.fma(f, e, r, q);
            e = env.fma(f, minus, q, ns);
            let q = env.div_fmas(f, e, r, q, flag);
            let q = env.div_fixup(f, q, d, n);
            let exact = ieee().div(f, n, d);
            assert!(q == exact || f.is_nan(q) && f.is_nan(exact), "{f:?} {n:#x} / {d:#x}: {q:#x} {exact:#x}");
        }
    }
}

/// 2/pi to 1400 bits from Machin's formula.
fn two_over_pi(bits: u32) -> BigUint {
    let guard = bits + 64;
    let arctan = |x: u32| {
        let mut term = (BigUint::from(1u32) << guard) / x;
        let (mut sum, mut less, mut n) = (term.clone(), BigUint::from(0u32), 3u32);
        while term != BigUint::from(0u32) {
            term /= x * x;
            let part = &term / n;
            if n % 4 == 3 {
                less += part
            } else {
                sum += part
            }
            n += 2;
        }
        sum - less
    };
    let quarter = arctan(5) * 4u32 - arctan(239);
    // 2 / pi = 1 / (2 * quarter)
    ((BigUint::from(1u32) << (2 * guard)) / (quarter * 2u32)) >> (guard - bits)
}

#[test]
fn trig_preop() {
    let env = &mut ieee();
    // Measured: |1.0| with segments 0 to 2, and a large operand.
    let one = 0x3ff0_0000_0000_0000;
    assert_eq!(env.trig_preop(one, 0), 1071931184 << 32 | 1841940610);
    assert_eq!(env.trig_preop(one, 1), 1016375280 << 32 | 2640267220);
    assert_eq!(env.trig_preop(one, 2), 961179360 << 32 | 1840335564);
    assert_eq!(env.trig_preop(0x43b0_0000_0000_0000, 0), 1065864219 << 32 | 1920082089);
    assert_eq!(env.trig_preop(0x7ff0_0000_0000_0001, 0), 0x7ff8_0000_0000_0001);
    let table = two_over_pi(1201);
    for exponent in [0u64, 1, 1023, 1077, 1078, 1100, 1500, 1967, 1968, 2000, 2046, 2047] {
        for segment in 0..32u32 {
            let shift = 53 * segment + (exponent as u32).saturating_sub(1077);
            // Bits shift + 1 to shift + 53 behind the point.
            let window = (&table << 2000u32 >> (1201 + 2000 - shift - 53)) % (BigUint::from(1u32) << 53u32);
            let window = window.iter_u64_digits().next().unwrap_or(0);
            let window = env.from_u64(F64, window);
            let scale = if exponent >= 1968 { 128 } else { 0 } - 53 - shift as i32;
            // LLVM's constant folding: "return 0 for outbound segment (hardware behavior)", when two words of its table of 37 are not left.
            let expected = if shift / 32 + 2 >= 37 { 0 } else { env.ldexp(F64, window, scale) };
            assert_eq!(env.trig_preop(exponent << 52, segment), expected, "{exponent} {segment}");
            assert_eq!(env.trig_preop(exponent << 52 | 1 << 63, segment), expected);
        }
    }
}

#[test]
fn cube_maps() {
    let env = &mut ieee();
    let [one, two] = [1.0, 2.0].map(f32);
    // Operands, and face, first and second coordinate, major axis.
    for ([x, y, z], id, sc, tc, ma) in [
        ([one, one, one], 4.0, one, F32.neg(one), f32(2.0)),
        ([one, one, F32.neg(one)], 5.0, F32.neg(one), F32.neg(one), f32(-2.0)),
        ([one, two, one], 2.0, one, one, f32(4.0)),
        ([one, F32.neg(two), one], 3.0, one, F32.neg(one), f32(-4.0)),
        ([two, one, one], 0.0, F32.neg(one), F32.neg(one), f32(4.0)),
        ([F32.neg(two), one, one], 1.0, one, F32.neg(one), f32(-4.0)),
        ([two, two, one], 2.0, two, one, f32(4.0)),
        ([0, 0, NEG_ZERO], 4.0, 0, NEG_ZERO, 0),
        ([1, 2, NEG_ZERO | 3], 4.0, 1, NEG_ZERO | 2, 0),
        ([one, one, NAN], 2.0, one, NAN, f32(2.0)),
    ] {
        assert_eq!(env.cube_id(x, y, z), f32(id));
        assert_eq!(env.cube_sc(x, y, z), sc);
        assert_eq!(env.cube_tc(x, y, z), tc);
        assert_eq!(env.cube_ma(x, y, z), ma);
    }
    assert_eq!(rounding(Round::Zero).cube_ma(0, 0, F32.max()), 0x7f7f_ffff);
    assert_eq!(rounding(Round::Down).cube_ma(0, 0, NEG_ZERO), NEG_ZERO);
    assert_eq!(env.cube_ma(0, 0, NEG_INF), NEG_INF);
    let lowest = f32(-f32::MAX);
    assert_eq!(env.mullit(two, lowest, one), lowest);
    assert_eq!(env.mullit(two, NEG_INF, one), lowest);
    assert_eq!(env.mullit(two, two, NEG_ZERO), lowest);
    assert_eq!(env.mullit(two, two, NAN), lowest);
    assert_eq!(env.mullit(0, INF, one), 0);
    assert_eq!(env.mullit(two, two, one), f32(4.0));
}

#[test]
fn legacy_products() {
    let env = &mut ieee();
    assert_eq!(env.mul_legacy(F32, NEG_ZERO, INF), 0);
    assert_eq!(env.mul_legacy(F32, NAN, 0), 0);
    assert_eq!(env.mul_legacy(F32, f32(-2.0), INF), NEG_INF);
    assert_eq!(env.mad_legacy(F32, 0, INF, NEG_ZERO), 0);
    assert_eq!(env.fma_legacy(F32, NAN, 0, NEG_ZERO), 0);
    assert_eq!(env.fma_legacy(F32, 0, INF, SNAN), QNAN);
    assert_eq!(env.fma_legacy(F32, 1, INF, f32(1.0)), f32(1.0), "flushed in any mode");
    assert_eq!(Env::new(Rules::FLUSH).mul_legacy(F32, 1, INF), 0);
    // Two roundings against one.
    let a = 0x3f80_0001;
    let square = env.mul(F32, a, a);
    assert_eq!(env.mad(F32, a, a, F32.neg(square)), 0);
    assert_eq!(env.fma(F32, a, a, F32.neg(square)), f32(2f32.powi(-46)));
}

#[test]
fn minimum_and_maximum() {
    let env = &mut ieee();
    let one = f32(1.0);
    for rule in [NanRule::Ieee, NanRule::Dx, NanRule::Number, NanRule::Propagate] {
        assert_eq!(env.min(F32, rule, 0, NEG_ZERO), NEG_ZERO);
        assert_eq!(env.max(F32, rule, 0, NEG_ZERO), 0);
        assert_eq!(env.max(F32, rule, NEG_ZERO, 0), 0);
        assert_eq!(env.med3(F32, rule, NEG_ZERO, 0, NEG_ZERO), NEG_ZERO);
        assert_eq!(env.med3(F32, rule, f32(3.0), f32(2.0), one), f32(2.0));
    }
    let other = 0xffc0_0042;
    for (rule, quiet_first, signalling_second, both, both_signalling) in [
        (NanRule::Ieee, one, QNAN, other, QNAN),
        (NanRule::Dx, one, one, other, SNAN),
        (NanRule::Number, one, one, other, QNAN),
        (NanRule::Propagate, other, QNAN, other, QNAN),
    ] {
        assert_eq!(env.min(F32, rule, other, one), quiet_first, "{rule:?}");
        assert_eq!(env.max(F32, rule, one, SNAN), signalling_second, "{rule:?}");
        assert_eq!(env.max(F32, rule, other, QNAN), both, "{rule:?}");
        assert_eq!(env.max(F32, rule, SNAN, 0x7f80_0001), both_signalling, "{rule:?}");
    }
    assert_eq!(env.min(F32, NanRule::Ieee, other, SNAN), QNAN);
    assert_eq!(env.min(F32, NanRule::Propagate, other, SNAN), other, "source order");
    assert_eq!(env.med3(F32, NanRule::Number, f32(3.0), NAN, one), one);
    let flush = &mut Env::new(Rules::FLUSH);
    assert_eq!(flush.atomic_min(F32, 2, 1), 2, "equal once flushed");
    assert_eq!(flush.atomic_min(F32, one, 1), 1, "but stored as it is");
    assert_eq!(env.atomic_min(F32, 2, 1), 1);
    assert_eq!(env.atomic_max(F32, QNAN, one), one);
    assert_eq!(env.atomic_max(F32, one, SNAN), QNAN);
    assert_eq!(env.min_legacy(F32, NAN, one), one);
    assert_eq!(env.min_legacy(F32, one, NAN), NAN);
    assert_eq!(env.max_legacy(F32, NAN, one), one);
    assert_eq!(env.max_legacy(F32, one, NAN), NAN);
    assert_eq!(env.max_legacy(F32, 0, NEG_ZERO), 0);
    assert_eq!(env.min_legacy(F32, NEG_ZERO, 0), 0);
    assert_eq!(env.min(F32, NanRule::Ieee, 1, 2), 1);
    assert_eq!(Env::new(Rules::FLUSH).min(F32, NanRule::Ieee, NEG_ZERO | 1, 2), NEG_ZERO);
}

#[test]
fn classes() {
    let cases = [SNAN, QNAN, NEG_INF, f32(-1.0), NEG_ZERO | 1, NEG_ZERO, 0, 1, f32(1.0), INF];
    for (bit, a) in cases.into_iter().enumerate() {
        assert_eq!(F32.classify(a), 1 << bit);
    }
}

#[test]
fn integers() {
    let env = &mut ieee();
    let to = |env: &mut Env, a: f32, bits, signed, how| env.to_int(F32, f32(a), bits, signed, how);
    assert_eq!(to(env, 3e9, 32, true, IntRound::Trunc), 0x7fff_ffff);
    assert_eq!(to(env, -3e9, 32, true, IntRound::Trunc), 0x8000_0000);
    assert_eq!(to(env, -1.0, 32, false, IntRound::Trunc), 0);
    assert_eq!(to(env, 2.9, 32, true, IntRound::Trunc), 2);
    assert_eq!(to(env, -2.9, 32, true, IntRound::Trunc), 0xffff_fffe);
    assert_eq!(to(env, -50.7, 16, true, IntRound::Trunc), 0xffce);
    for nan in [NAN, 0x7fc0_0000] {
        assert_eq!(env.to_int(F32, nan, 32, true, IntRound::Trunc), 0);
    }
    for how in [IntRound::Floor, IntRound::HalfUp] {
        assert_eq!(env.to_int(F32, NAN, 32, true, how), 0x8000_0000);
        assert_eq!(env.to_int(F32, 0x7fc0_0000, 32, true, how), 0x7fff_ffff);
    }
    for (a, floor, half_up) in [
        (2.5, 2, 3),
        (-2.5, -3, -2),
        (-2.6, -3, -3),
        (0.49999997, 0, 0),
        (-0.5, -1, 0),
        (f32::from_bits(0x8000_0001), -1, 0),
        (8388609.0, 8388609, 8388609),
    ] {
        assert_eq!(to(env, a, 32, true, IntRound::Floor) as u32 as i32, floor, "{a}");
        assert_eq!(to(env, a, 32, true, IntRound::HalfUp) as u32 as i32, half_up, "{a}");
    }
    assert_eq!(Env::new(Rules::FLUSH).to_int(F32, NEG_ZERO | 1, 32, true, IntRound::Floor), 0);
    assert_eq!(env.from_u64(F64, 0xffff_ffff), 0x41ef_ffff_ffe0_0000);
    assert_eq!(env.from_i64(F32, 42), f32(42.0));
    assert_eq!(rounding(Round::Zero).from_u64(F32, 0xffff_ffff), 0x4f7f_ffff);
    for code in 0..16 {
        let signed = if code < 8 { code } else { code - 16 };
        assert_eq!(off_f32_i4(code as u32 | 0xffff_fff0), f32(signed as f32 / 16.0));
    }
    assert_eq!(env.pk_u8(f32(128.5), 0, 0), 128);
    assert_eq!(env.pk_u8(f32(300.0), 6, 0x1122_3344), 0x11ff_3344);
    assert_eq!(env.pk_u8(NAN, 1, 0x1122_3344), 0x1122_0044);
}

#[test]
fn normalised_integers() {
    let env = &mut ieee();
    for (a, signed, unsigned) in
        [(1.0, 0x7fff, 0xffff), (-1.0, 0x8001, 0), (0.5, 0x4000, 0x8000), (5.0, 0x7fff, 0xffff), (-0.25, 0xe000, 0)]
    {
        assert_eq!(env.to_norm(F32, f32(a), 16, true), signed, "{a}");
        assert_eq!(env.to_norm(F32, f32(a), 16, false), unsigned, "{a}");
        assert_eq!(env.to_norm(F16, f16(a), 16, true), signed, "{a}");
    }
    assert_eq!(env.to_norm(F32, NAN, 16, true), 0);
    assert_eq!(env.to_norm(F32, NEG_INF, 16, true), 0x8001);
    assert_eq!(env.to_norm(F32, 1, 16, true), 0);
}

#[test]
fn narrow_conversions() {
    let env = &mut ieee();
    assert_eq!(env.pkrtz(f32(1.0), f32(2.0)), 0x4000_3c00);
    assert_eq!(env.pkrtz(f32(1e6), f32(-1e6)), 0xfbff_7bff);
    assert_eq!(env.pkrtz(INF, SNAN), 0x7f00_7c00);
    assert_eq!(env.pkrtz(f32(1.99999), f32(6e-8)), 0x0001_3fff, "into subnormals too");
    assert_eq!(env.convert(F16, F32, 1), 0x3380_0000);
    assert_eq!(env.to_bf16(0x3f80_8000), 0x3f80, "ties to even");
    assert_eq!(env.to_bf16(0x3f81_8000), 0x3f82);
    assert_eq!(env.to_bf16(0x0000_8001), 1);
    assert_eq!(env.to_bf16(0x7f80_0001) & 0x7f, 0x40);
    assert_eq!(env.to_bf16(F32.max()), 0x7f80);
    assert_eq!(Env::new(Rules { saturate: true, ..Rules::IEEE }).to_bf16(F32.max()), 0x7f7f);
    assert_eq!(env.to_bf16_stochastic(0x3f80_8000, 0xffff_7fff), 0x3f80);
    assert_eq!(env.to_bf16_stochastic(0x3f80_8000, 0x8000), 0x3f81);
    // All of bf16 against cutting and against adding half.
    let mut random = crate::Random(6);
    for _ in 0..50_000 {
        let a = random.bits() >> 32;
        if F32.is_finite(a) {
            let down = Env::new(Rules::IEEE.with_round(Round::Zero)).convert(F32, BF16, a);
            assert_eq!(down, a >> 16);
            assert_eq!(env.to_bf16(a), (a + 0x7fff + (a >> 16 & 1)) >> 16);
        }
    }
}

#[test]
fn eight_bits() {
    const ALL: [Fp8; 4] = [Fp8::E4m3Fnuz, Fp8::E5m2Fnuz, Fp8::E4m3, Fp8::E5m2];
    for (kind, largest, one, least) in [
        (Fp8::E4m3Fnuz, 240.0, 0x40, -10),
        (Fp8::E5m2Fnuz, 57344.0, 0x40, -17),
        (Fp8::E4m3, 448.0, 0x38, -9),
        (Fp8::E5m2, 57344.0, 0x3c, -16),
    ] {
        assert_eq!(kind.decode(one), f32(1.0));
        assert_eq!(kind.decode(1), f32(2f32.powi(least)));
        assert_eq!(kind.decode(kind.encode(INF, true)), f32(largest));
        assert_eq!(kind.decode(kind.encode(f32(-1e9), true)), f32(-largest));
    }
    // Where there is no saturation, and of a NaN, and of a negative number that becomes zero.
    for (kind, overflow, nan, zero) in [
        (Fp8::E4m3Fnuz, 0x80, 0x80, 0),
        (Fp8::E5m2Fnuz, 0x80, 0x80, 0),
        (Fp8::E4m3, 0xff, 0xff, 0x80),
        (Fp8::E5m2, 0xfc, 0xff, 0x80),
    ] {
        assert_eq!(kind.encode(f32(-1e9), false), overflow);
        assert_eq!(kind.encode(NEG_INF, false), overflow);
        assert_eq!(kind.encode(NAN, true), nan);
        assert_eq!(kind.encode(f32(-1e-9), false), zero);
        assert_eq!(kind.encode(NEG_ZERO, false), zero);
    }
    assert_eq!(Fp8::E5m2.encode(0x4770_0000, false), 0x7c, "61440, as measured");
    assert_eq!(Fp8::E5m2.encode(f32(1.0), false), 0x3c);
    for kind in ALL {
        // Every number is itself, and halves go to the even one.
        let numbers: Vec<u8> = (0..0x80).filter(|&a| F32.is_finite(kind.decode(a))).collect();
        for &a in &numbers {
            assert_eq!(kind.encode(kind.decode(a), false), a, "{kind:?}");
            assert_eq!(kind.encode_stochastic(kind.decode(a), u32::MAX, false), a, "{kind:?}");
        }
        for pair in numbers.windows(2) {
            let [low, high] = [0, 1].map(|i| f64::from(f32::from_bits(kind.decode(pair[i]) as u32)));
            let middle = f32(((low + high) / 2.0) as f32);
            assert_eq!(kind.encode(middle, false), pair[usize::from(pair[0] & 1 != 0)], "{kind:?}");
            assert_eq!(kind.encode(middle - 1, false), pair[0]);
            assert_eq!(kind.encode(middle + 1, false), pair[1]);
            assert_eq!(kind.encode_stochastic(middle, 0x7fff_ffff, false), pair[0]);
            assert_eq!(kind.encode_stochastic(middle, 0x8000_0000, false), pair[1]);
        }
    }
    assert_eq!(Fp8::E5m2.decode(0xfc), NEG_INF);
    assert!(
        F32.is_nan(Fp8::E5m2.decode(0x7d))
            && F32.is_nan(Fp8::E4m3.decode(0xff))
            && F32.is_nan(Fp8::E4m3Fnuz.decode(0x80))
    );
}

#[test]
fn parts_of_numbers() {
    for f in [F16, F32, F64] {
        let env = &mut ieee();
        let one = f.one();
        let half = one - f.min_normal();
        assert_eq!(env.frexp_mant(f, one), half);
        assert_eq!(env.frexp_exp(f, one, 0), 1);
        assert_eq!(env.frexp_mant(f, f.neg(1)), f.neg(half), "a subnormal");
        assert_eq!(env.frexp_exp(f, 1, 0), 2 - f.bias() - f.man as i32);
        assert_eq!(env.frexp_mant(f, f.inf()), f.inf());
        assert_eq!(env.frexp_mant(f, f.sign_bit()), f.sign_bit());
        assert_eq!((env.frexp_exp(f, f.inf(), 0), env.frexp_exp(f, f.default_nan(), -1)), (0, -1));
        assert_eq!(Env::new(Rules::FLUSH).frexp_exp(f, 1, 0), 0);
        let largest = one - 1;
        for round in [Round::Even, Round::Up, Round::Down, Round::Zero] {
            let env = &mut rounding(round);
            assert_eq!(env.fract(f, f.neg(1)), largest);
            assert_eq!(env.fract(f, f.neg(one)), 0);
            assert_eq!(env.fract(f, f.sign_bit()), 0);
            assert_eq!(env.fract(f, f.neg(half)), half);
            assert_eq!(env.fract(f, f.inf()), f.default_nan());
        }
    }
    let env = &mut ieee();
    assert_eq!(env.fract(F32, f32(3.75)), f32(0.75));
    assert_eq!(env.fract(F32, f32(-3.75)), f32(0.25));
    // 1 - 2^-25 * 3: between two numbers.
    let a = f32(-3.0 * 2f32.powi(-26));
    assert_eq!(env.fract(F32, a), 0x3f7f_ffff);
    assert_eq!(rounding(Round::Zero).fract(F32, a), 0x3f7f_ffff);
    for (a, rounded) in [(2.5, 2.0), (3.5, 4.0), (4.5, 4.0), (-0.3, -0.0), (0.5, 0.0), (1e9, 1e9)] {
        assert_eq!(env.rndne(F32, f32(a)), f32(rounded));
    }
    assert_eq!(env.floor(F32, NEG_ZERO | 1), f32(-1.0));
    assert_eq!(env.ceil(F32, f32(-0.5)), NEG_ZERO);
    assert_eq!(Env::new(Rules::FLUSH).floor(F32, NEG_ZERO | 1), NEG_ZERO);
}

#[test]
fn dot_products() {
    let pair = |a: [f32; 2], b: [f32; 2]| [(f16(a[0]), f16(b[0])), (f16(a[1]), f16(b[1]))];
    let witness = pair([32.0, 24.0], [1.0, 1.0]);
    assert_eq!(dot_f32(Adder::Gfx11, F16, &witness, f32(-1.0)), f32(55.000004));
    assert_eq!(dot_f32(Adder::Gfx12, F16, &witness, f32(-1.0)), f32(55.0));
    for adder in [Adder::Gfx11, Adder::Gfx12] {
        // Measured on gfx1100.
        assert_eq!(dot_f32(adder, F16, &[(0x3c00, 0x4200), (0x4000, 0x4400)], 0), f32(11.0));
        assert_eq!(dot_f32(adder, BF16, &[(0x3f80, 0x3f80), (0x3f80, 0x4000)], 0), f32(3.0));
        assert_eq!(dot_packed(adder, F16, &[(0x3c00, 0x4000), (0x4000, 0x4200)], 0, false), 18432);
        assert_eq!(dot_packed(adder, F16, &[(0x3c00, 0x3c00), (0x3c00, 0x3c00)], 0x4200, false), 17664);
        assert_eq!(dot_f32(adder, F16, &[(0x3c00, 0x4200), (0x4000, 0x4400)], f32(10.0)), f32(21.0));
        assert_eq!(dot_f32(adder, F16, &[(0x3800, 0x4000), (0xbc00, 0x4200)], 0), f32(-2.0));
        // Specials, in their order.
        let one = (0x3c00, 0x3c00);
        assert_eq!(dot_f32(adder, F16, &[(0x7e00, 0), (0x7c00, 0)], INF), 0xffc0_0a3d);
        assert_eq!(dot_packed(adder, F16, &[(0x7d00, 0), one], 0, false), 0xfe3d);
        assert_eq!(dot_packed(adder, BF16, &[(0x7fc0, 0), (0, 0)], 0, false), 0xfffd);
        assert_eq!(dot_f32(adder, F16, &[(0x7c00, 0x8000), one], SNAN), NAN);
        assert_eq!(dot_f32(adder, F16, &[(0x7c00, 0x3c00), (0xfc00, 0x3c00)], SNAN), NAN);
        assert_eq!(dot_f32(adder, F16, &[(0x7c00, 0x3c00), one], SNAN), QNAN);
        assert_eq!(dot_f32(adder, F16, &[(0x7c00, 0x3c00), one], NEG_INF), NAN);
        assert_eq!(dot_f32(adder, F16, &[(0x7c00, 0xbc00), one], 0), NEG_INF);
        assert_eq!(dot_f32(adder, F16, &[(0, 0x8000), (0x8000, 0)], NEG_ZERO), 0, "all zeros");
        assert_eq!(dot_packed(adder, F16, &[(0x7bff, 0x7bff), one], 0, false), 0x7c00);
        assert_eq!(dot_packed(adder, F16, &[(0x7bff, 0x7bff), one], 0, true), 0x7bff);
        // f16 subnormals are exact.
        assert_eq!(dot_f32(adder, F16, &[(1, 1), (0, 0)], 0), f32(2f32.powi(-48)));
    }
    // bf16 subnormals and subnormal accumulators.
    assert_eq!(dot_f32(Adder::Gfx11, BF16, &[(1, 0x3f80), (0, 0)], 0), 0);
    assert_eq!(dot_f32(Adder::Gfx12, BF16, &[(1, 0x3f80), (0, 0)], 0), 0x1_0000);
    assert_eq!(dot_f32(Adder::Gfx11, F16, &[(0, 0), (0, 0)], 5), 0);
    assert_eq!(dot_f32(Adder::Gfx12, F16, &[(0, 0), (0, 0)], 5), 5);
    // A product of zero with the other sign takes a unit away on gfx11: 1 - 2^-26 rounds back, 2^-26 units matter near a power of two from above.
    assert_eq!(dot_f32(Adder::Gfx11, F16, &[(0x8000, 0x3c00), (0, 0)], f32(1.0)), f32(1.0));
    // Four products cancel before the accumulator is added.
    let four = [(f16(2048.0), f16(1.0)), (f16(-2048.0), f16(1.0)), (f16(1.0), f16(1.0)), (f16(0.5), f16(1.0))];
    assert_eq!(dot_f32(Adder::Gfx12, F16, &four, f32(0.25)), f32(1.75));
    let eight = |kind: Fp8, a: [f32; 4]| (kind, a.map(|a| kind.encode(f32(a), false)));
    assert_eq!(
        dot4_fp8(eight(Fp8::E4m3, [1.0, 2.0, 3.0, 4.0]), eight(Fp8::E5m2, [1.0, -1.0, 0.5, 2.0]), f32(10.0)),
        f32(18.5)
    );
    assert_eq!(dot4_fp8(eight(Fp8::E4m3, [0.0; 4]), (Fp8::E5m2, [0x7c, 0, 0, 0]), 0), 0xffc0_0a3d);
    let env = &mut ieee();
    assert_eq!(env.dot_chain(F16, &witness, f32(-1.0)), f32(55.0));
}

/// Where no term is cut both adders give the rounded sum.
#[test]
fn dot_products_of_small_integers() {
    let mut random = crate::Random(7);
    for _ in 0..20_000 {
        let mut number = || (random.bits() % 61) as f32 - 30.0;
        let [a, b, c, d, e] = std::array::from_fn(|_| number());
        let products = [(f16(a), f16(b)), (f16(c), f16(d))];
        assert_eq!(dot_f32(Adder::Gfx12, F16, &products, f32(e)) as u32, (a * b + c * d + e + 0.0).to_bits());
        // The complement takes at most two units of the grid, 2^-24 of the largest product.
        let gfx11 = f32::from_bits(dot_f32(Adder::Gfx11, F16, &products, f32(e)) as u32);
        assert!((gfx11 - (a * b + c * d + e)).abs() < 1e-3, "{a} * {b} + {c} * {d} + {e}: {gfx11}");
    }
}
