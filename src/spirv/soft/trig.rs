//! Sine and cosine of turns, correctly rounded; those of gfx11 and gfx12 are [`silicon`]'s.
//!
//! The fraction of a turn is a fixed-point number without error; the nearest quarter is taken off, and what remains, an eighth at most, has no more
//! bits than the operand. Sine and cosine of that are series in its square, with an error of less than eight units of 2^-60 of the value, next to the
//! zeros of the sine too. Among all f32 arguments the value comes no nearer to the middle of two neighbours than 547 units of 2^-63: every
//! result is the correctly rounded one.

use super::exp::shortened;
use super::root::{in_half, in_single};
use super::round::{Operand, operand, pass, round};
use super::word::{mul_dw, mulhi_d};
use super::{F32, Int, Modes, Narrow, Rules, Wide, Word, silicon};
use crate::isa::Gen;

/// `(-1)^n (8 u)^2n` of the sine over its argument, with u in turns, and so of the cosine: in units of 2^-63, the sine's divided by eight turns.
const SINE: [u64; 5] =
    [0x6487_ed51_10b4_611a, 0x0a55_de73_12df_295f, 0x0051_9af1_9dd6_ab87, 0x0001_32d2_cce6_2bd8, 0x0000_02a0_f069_0fdd];
const COSINE: [u64; 5] =
    [0x8000_0000_0000_0000, 0x277a_7993_7c8b_bcb5, 0x0207_83e1_036b_5876, 0x000a_ae9e_3f1e_5ffd, 0x0000_1e1f_5068_91bb];
/// The next four, in units of 2^-57.
const SMALL_SINE: [u32; 4] = [0x0f18_3a7f, 0x000f_47a2, 0x0000_0b7d, 0x0000_0007];
const SMALL_COSINE: [u32; 4] = [0xd368_f951, 0x00fc_e9c5, 0x0000_db71, 0x0000_0090];

/// The sine of `a` turns, `quarters` quarters further on, of f32.
fn turned<K: Int>(k: &K, m: &Modes<K>, r: &Rules<K>, a: K::W, quarters: i32) -> K::W {
    let x = operand::<K, Narrow>(k, F32, r, a);
    let (field, sig) = x.normal(k, F32);
    let exponent = k.addi(field, -F32.bias());

    // The fraction of the turn in units of 2^-64.
    let wide = k.pair(k.w(0), sig);
    let left = k.shl_d(wide, k.min_s(k.addi(exponent, 1), k.w(63)));
    let right = k.shr_d(wide, k.min_u(k.not(exponent), k.w(63)));
    let fraction = k.sel_d(k.lessi(exponent, 0), right, left);
    // Up to gfx8 angles beyond 256 turns count as none.
    let beyond =
        if m.generation <= Gen::Gfx8 { k.lt_u(k.w((F32.one() + (8 << F32.man)) as u32), x.abs) } else { k.c(false) };
    let fraction = k.sel_d(beyond, k.d(0), fraction);
    let fraction = k.sel_d(x.sign, k.sub_d(k.d(0), fraction), fraction);
    let quarter = k.shri(k.addi(k.hi(fraction), 1 << 29), 30);
    let rest = k.pair(k.lo(fraction), k.sub(k.hi(fraction), k.shli(quarter, 30)));
    let behind = k.lessi(k.hi(rest), 0);
    let rest = k.sel_d(behind, k.sub_d(k.d(0), rest), rest);
    let quarter = k.addi(quarter, quarters);

    // The rest with its highest bit at the top; of small angles that is the operand.
    let small = k.lessi(exponent, -8);
    let behind = k.sel_c(small, x.sign, behind);
    let zeros = k.clz_d(rest);
    let angle = k.sel(small, sig, k.hi(k.shl_d(rest, zeros)));
    let zeros = k.sel(small, k.not(exponent), zeros);
    // The square of eight times it, in units of 2^-64; one is a unit less.
    let square = k.shr_d(k.mul_wide_u(angle, angle), k.min_u(k.addi(k.shli(zeros, 1), -4), k.w(63)));
    let one = k.lt_u(k.w((1 << 30) - 1), k.hi(square));
    let square = k.sel_d(one, k.d(u64::MAX), k.shl_d(square, k.w(2)));

    let odd = k.nz(k.andi(quarter, 1));
    let short = k.hi(square);
    let mut tail = k.pick(odd, SMALL_COSINE[3], SMALL_SINE[3]);
    for i in (0..3).rev() {
        tail = k.sub(k.pick(odd, SMALL_COSINE[i], SMALL_SINE[i]), k.mulhi_u(short, tail));
    }
    let coefficient = |i: usize| k.sel_d(odd, k.d(COSINE[i]), k.d(SINE[i]));
    let mut sum = k.sub_d(coefficient(4), k.shr_d(mul_dw(k, square, tail), k.w(26)));
    for i in (0..4).rev() {
        sum = k.sub_d(coefficient(i), mulhi_d(k, square, sum));
    }
    // The sine is in units of 2^(-60 - zeros).
    let sine = mul_dw(k, sum, angle);
    let value = k.sel_d(odd, sum, sine);
    let unit = k.sel(odd, k.w(63), k.addi(zeros, 60));
    let none = Wide::zero(k, value);
    let high = k.clz_d(value);
    let field = k.sub(k.sub(k.w(F32.bias() as u32 + 63), high), unit);
    let field = k.sel(none, k.w(0), field);
    let lost = k.negate(k.either(odd, none));
    let sig_out = shortened(k, k.shl_d(value, high), lost);
    let turned_back = k.nz(k.andi(quarter, 2));
    let minus = k.sel_c(odd, turned_back, k.differ(turned_back, behind));
    // The sine of a zero keeps its sign, all other zeros are positive.
    let minus = if quarters == 0 { k.sel_c(none, k.both(x.zero(k), x.sign), minus) } else { k.but_not(minus, none) };

    angles(k, r, x, round::<K, Narrow>(k, F32, r, minus, field, sig_out))
}

/// The special cases of sine and cosine.
pub(super) fn angles<K: Int>(k: &K, r: &Rules<K>, x: Operand<K, Narrow>, number: K::W) -> K::W {
    let special = k.sel(x.nan(k, F32), pass::<K, Narrow>(k, F32, r, x.bits), k.w(F32.default_nan() as u32));
    k.sel(x.special(k, F32), special, number)
}

/// Sine of an f32 in turns. On gfx11 and gfx12 the mode of denormals has a say, for the smallest angles.
pub fn sin_f32<K: Int>(k: &K, m: &Modes<K>, a: K::W) -> K::W {
    if m.silicon() {
        silicon::sin(k, &m.single(k).nearest(k), a)
    } else {
        in_single(k, m, a, |r, a| turned(k, m, r, a, 0))
    }
}

/// Sine of an f16 in turns.
pub fn sin_f16<K: Int>(k: &K, m: &Modes<K>, a: K::W) -> K::W {
    in_half(k, m, a, |r, a| if m.silicon() { silicon::sin(k, r, a) } else { turned(k, m, r, a, 0) })
}

/// Cosine of an f32 in turns.
pub fn cos_f32<K: Int>(k: &K, m: &Modes<K>, a: K::W) -> K::W {
    in_single(k, m, a, |r, a| if m.silicon() { silicon::cos(k, r, a) } else { turned(k, m, r, a, 1) })
}

/// Cosine of an f16 in turns.
pub fn cos_f16<K: Int>(k: &K, m: &Modes<K>, a: K::W) -> K::W {
    in_half(k, m, a, |r, a| if m.silicon() { silicon::cos(k, r, a) } else { turned(k, m, r, a, 1) })
}
