//! `2^x` and the logarithm to base two, rounded once to f16 or f32, to nearest even; those of f32 on gfx11 and gfx12 are [`silicon`]'s.
//!
//! Both are fixed point with an error of less than eight units of 2^-63 (`2^x`) and of 2^-53 (`log2`) of the value. Among all f32 arguments the value
//! comes no nearer to the middle of two neighbours than 37 units of 2^-63 and 5516 units of it, that is 2^-50: every result is the correctly
//! rounded one.

use super::root::{in_half_wide, in_single};
use super::round::{Operand, operand, pass, round, signed};
use super::word::{mul_dw, mulhi_d};
use super::{F16, F32, Format, Int, Modes, Narrow, Rules, Wide, Word, silicon};

/// One of several constants by the low bits of an index.
pub(super) fn look_up<K: Int, S: Word<K>>(k: &K, table: &[u64], index: K::W) -> S::T {
    let mut level: Vec<S::T> = table.iter().map(|&v| S::of(k, v)).collect();
    let mut bit = 1;
    while level.len() > 1 {
        let odd = k.nz(k.andi(index, bit));
        level = level.chunks(2).map(|p| p.get(1).map_or(p[0], |&t| S::sel(k, odd, t, p[0]))).collect();
        bit *= 2;
    }
    level[0]
}

/// A pair with its highest bit at the top as a significand to be rounded.
pub(super) fn shortened<K: Int>(k: &K, sig: K::D, lost: K::C) -> K::W {
    let below = k.nz(k.or(k.lo(sig), k.andi(k.hi(sig), 3)));
    k.or(k.shri(k.hi(sig), 2), k.bit(k.either(below, lost)))
}

/// `2^(i/8)` in units of 2^-63.
const POWERS: [u64; 8] = [
    0x8000_0000_0000_0000,
    0x8b95_c1e3_ea8b_d6e7,
    0x9837_f051_8db8_a96f,
    0xa5fe_d6a9_b151_38ea,
    0xb504_f333_f9de_6484,
    0xc567_2a11_5506_dadd,
    0xd744_fcca_d69d_6af4,
    0xeac0_c6e7_dd24_392f,
];
/// The natural logarithm of two in units of 2^-64.
const LN_2: u64 = 0xb172_17f7_d1cf_79ac;
/// `1 / n!` for 2 to 5, in units of 2^-64.
const INVERSE_FACTORIALS: [u64; 4] =
    [0x8000_0000_0000_0000, 0x2aaa_aaaa_aaaa_aaab, 0x0aaa_aaaa_aaaa_aaab, 0x0222_2222_2222_2222];
/// `1 / n!` for 6 to 10, in units of 2^-41.
const SMALL_INVERSE_FACTORIALS: [u32; 5] = [0xb60b_60b6, 0x1a01_a01a, 0x0340_3403, 0x005c_778f, 0x0009_3f28];

/// `2^a` of an f32, as a number of another format.
fn exp_into<K: Int>(k: &K, to: Format, r: &Rules<K>, a: K::W) -> K::W {
    let x = operand::<K, Narrow>(k, F32, r, a);
    let (field, sig) = x.normal(k, F32);
    // In units of 2^-54. From 512 on the result is beyond every format anyway; what is lost of numbers below 2^-31 does not show beside one.
    let exponent = k.min_s(k.addi(field, -F32.bias()), k.w(8));
    let down = k.min_u(k.sub(k.w(9), exponent), k.w(63));
    let fixed = k.shr_d(k.pair(k.w(0), sig), down);
    let fixed = k.sel_d(x.sign, k.sub_d(k.d(0), fixed), fixed);
    let whole = k.sari(k.hi(fixed), 22);
    // An eighth of the way to the next power is looked up, the rest, times ln 2, goes into the exponential series: below 0.087.
    let fraction = k.shl_d(fixed, k.w(10));
    let power = look_up::<K, Wide>(k, &POWERS, k.shri(k.hi(fraction), 29));
    let rest = k.pair(k.lo(fraction), k.andi(k.hi(fraction), (1 << 29) - 1));
    let z = mulhi_d(k, rest, k.d(LN_2));
    let short = k.hi(z);
    let mut tail = k.w(SMALL_INVERSE_FACTORIALS[4]);
    for &c in SMALL_INVERSE_FACTORIALS[..4].iter().rev() {
        tail = k.add(k.w(c), k.mulhi_u(short, tail));
    }
    let [second, third, fourth, fifth] = INVERSE_FACTORIALS.map(|c| k.d(c));
    let mut sum = k.add_d(fifth, k.shr_d(mul_dw(k, z, tail), k.w(9)));
    for c in [fourth, third, second] {
        sum = k.add_d(c, mulhi_d(k, z, sum));
    }
    let excess = k.add_d(z, mulhi_d(k, mulhi_d(k, z, z), sum));
    let value = k.add_d(power, mulhi_d(k, power, excess));
    let inexact = k.nz(k.or(k.lo(fraction), k.hi(fraction)));
    let number = round::<K, Narrow>(k, to, r, k.c(false), k.addi(whole, to.bias()), shortened(k, value, inexact));
    powers(k, to, r, x, number)
}

/// The special cases of `2^x`.
pub(super) fn powers<K: Int>(k: &K, to: Format, r: &Rules<K>, x: Operand<K, Narrow>, number: K::W) -> K::W {
    let number = k.sel(x.inf(k, F32), k.pick(x.sign, 0, to.inf() as u32), number);
    k.sel(x.nan(k, F32), nan_into(k, to, r, x), number)
}

/// A NaN of f32 in another format.
fn nan_into<K: Int>(k: &K, to: Format, r: &Rules<K>, x: Operand<K, Narrow>) -> K::W {
    if to == F32 { pass::<K, Narrow>(k, F32, r, x.bits) } else { super::convert::special_narrow(k, F32, to, r, x.bits) }
}

/// About `256 / m` for m from 1 to 2 in sixteenths, exactly that at both ends.
const FACTORS: [u64; 17] = [256, 241, 228, 216, 205, 195, 186, 178, 171, 164, 158, 152, 146, 141, 137, 132, 128];
/// The logarithms of `256 / FACTORS` to base two, in units of 2^-62.
const LOGARITHMS: [u64; 17] = [
    0,
    0x0593_389b_019c_55ad,
    0x0ab1_ee14_ffd6_5906,
    0x0faf_ec54_831f_1a48,
    0x1483_65e6_95d7_96aa,
    0x1921_8009_24dd_3b7f,
    0x1d7e_6c0a_bc35_78c4,
    0x218d_955e_18ab_2df4,
    0x2541_e786_80e0_b71e,
    0x291d_de32_62f3_21a8,
    0x2c8e_db31_5b32_1326,
    0x3021_f4a3_7ecb_faee,
    0x33d9_ea17_e87e_2681,
    0x3711_9734_556a_4251,
    0x39b9_d7a4_6e73_2954,
    0x3d28_a591_4e20_4f1a,
    0x4000_0000_0000_0000,
];
/// `1 / (n ln 2)` for 1 to 5, in units of 2^-62.
const SERIES: [u64; 5] =
    [0x5c55_1d94_ae0b_f85e, 0x2e2a_8eca_5705_fc2f, 0x1ec7_09dc_3a03_fd75, 0x1715_4765_2b82_fe17, 0x1277_6c50_ef9b_fe79];
/// `1 / (n ln 2)` for 6 to 11, in units of 2^-30.
const SMALL_SERIES: [u32; 6] = [0x0f63_84ee, 0x0d30_bb15, 0x0b8a_a3b3, 0x0a42_589f, 0x093b_b628, 0x0864_d425];

/// The logarithm of an f32 to base two, as a number of another format.
fn log_into<K: Int>(k: &K, to: Format, r: &Rules<K>, a: K::W) -> K::W {
    let x = operand::<K, Narrow>(k, F32, r, a);
    let (field, sig) = x.normal(k, F32);
    let exponent = k.addi(field, -F32.bias());
    // The significand times a short number is near one: t above it, or below, in units of 2^-31 and exactly, at most 1/32.
    let short = k.shri(sig, 8);
    let index = k.addi(k.shri(k.addi(short, 1 << 18), 19), -16);
    let product = k.mul(short, look_up::<K, Narrow>(k, &FACTORS, index));
    let base = look_up::<K, Wide>(k, &LOGARITHMS, index);
    let minus = k.negate(k.lessi(product, 0));
    let t = k.andi(product, 0x7fff_ffff);
    let t = k.sel(minus, k.sub(k.w(1 << 31), t), t);

    // log2(1 + t) / t, by powers of -t, in units of 2^-30 and then of 2^-62.
    let power = k.shli(k.sel(minus, t, k.sub(k.w(0), t)), 4);
    let mut tail = k.w(SMALL_SERIES[5]);
    for &c in SMALL_SERIES[..5].iter().rev() {
        tail = k.add(k.w(c), k.sari(k.mulhi_s(tail, power), 3));
    }
    let mut sum = k.pair(k.w(0), tail);
    let t32 = k.shli(t, 1);
    for &c in SERIES.iter().rev() {
        let step = mul_dw(k, sum, t32);
        sum = k.sel_d(minus, k.add_d(k.d(c), step), k.sub_d(k.d(c), step));
    }
    // t has no bits to lose once its zeros are gone: in units of 2^(-61 - zeros).
    let zeros = k.clz(t);
    let near = mul_dw(k, sum, k.shl(t, zeros));

    // Where the rest of the logarithm is not zero: in units of 2^-62 up to one, of 2^-54 beyond.
    let part = k.shr_d(near, k.addi(zeros, -1));
    let part = k.sel_d(minus, k.sub_d(base, part), k.add_d(base, part));
    let up = k.eqi(exponent, 0);
    let down = k.eqi(exponent, u32::MAX);
    let small = k.sub_d(part, k.pair(k.w(0), k.pick(down, 1 << 30, 0)));
    let raised = k.shr_d(k.add_d(part, k.d(1 << 62)), k.w(8));
    let large = k.add_d(raised, k.pair(k.w(0), k.shli(k.addi(exponent, -1), 22)));
    let is_small = k.either(up, down);
    let total = k.sel_d(is_small, small, large);
    let below = k.lessi(k.hi(total), 0);
    let total = k.sel_d(below, k.sub_d(k.d(0), total), total);
    let one = k.either(k.both(up, k.eqi(index, 0)), k.both(down, k.eqi(index, 16)));
    let total = k.sel_d(one, near, total);
    let below = k.sel_c(one, k.both(minus, k.nz(t)), below);
    let unit = k.sel(one, k.addi(zeros, 61), k.pick(is_small, 62, 54));

    let none = Wide::zero(k, total);
    let high = k.clz_d(total);
    let field = k.sub(k.sub(k.w(to.bias() as u32 + 63), high), unit);
    let sig = shortened(k, k.shl_d(total, high), k.c(false));
    let number = round::<K, Narrow>(k, to, r, below, k.sel(none, k.w(0), field), sig);
    logarithms(k, to, r, x, number)
}

/// The special cases of the logarithm.
pub(super) fn logarithms<K: Int>(k: &K, to: Format, r: &Rules<K>, x: Operand<K, Narrow>, number: K::W) -> K::W {
    let number = k.sel(x.inf(k, F32), k.w(to.inf() as u32), number);
    let number = k.sel(x.sign, k.w(to.default_nan() as u32), number);
    let number = k.sel(x.zero(k), signed::<K, Narrow>(k, to, k.c(true), k.w(to.inf() as u32)), number);
    k.sel(x.nan(k, F32), nan_into(k, to, r, x), number)
}

/// 2 to the power of an f32.
pub fn exp_f32<K: Int>(k: &K, m: &Modes<K>, a: K::W) -> K::W {
    in_single(k, m, a, |r, a| if m.silicon() { silicon::exp(k, r, a) } else { exp_into(k, F32, r, a) })
}

/// 2 to the power of an f16.
pub fn exp_f16<K: Int>(k: &K, m: &Modes<K>, a: K::W) -> K::W {
    in_half_wide(k, m, a, |r, a| exp_into(k, F16, r, a))
}

/// The logarithm of an f32 to base two.
pub fn log_f32<K: Int>(k: &K, m: &Modes<K>, a: K::W) -> K::W {
    in_single(k, m, a, |r, a| if m.silicon() { silicon::log(k, r, a) } else { log_into(k, F32, r, a) })
}

/// The logarithm of an f16 to base two.
pub fn log_f16<K: Int>(k: &K, m: &Modes<K>, a: K::W) -> K::W {
    in_half_wide(k, m, a, |r, a| log_into(k, F16, r, a))
}
