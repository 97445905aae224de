//! Whole numbers and fractions, exponents and significands, and what changes a finished result.

use super::round::{abs, operand, overflow, pass, round_abs, sign, signed};
use super::{F16, F32, Format, Int, Modes, Word};
use crate::isa::Gen;

/// Where a number that is not whole goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Toward {
    /// Cut off.
    Zero,
    /// Up.
    Up,
    /// Down.
    Down,
    /// To the nearest, ties to even.
    Even,
}

/// A whole number near `a`, with the sign of `a`.
pub fn whole<K: Int, S: Word<K>>(k: &K, m: &Modes<K>, f: Format, a: S::T, to: Toward) -> S::T {
    let r = m.rules(k, f);
    let x = operand::<K, S>(k, f, &r, a);
    let field = x.field(k, f);
    // So many bits of the pattern stand for a fraction. Adding to them may carry into the exponent, as it should.
    let places = k.max_s(k.sub(k.w(f.bias() as u32 + f.man), field), k.w(0));
    let above = S::shl(k, S::of(k, u64::MAX), places);
    let below = S::not(k, above);
    let none = S::of(k, 0);
    let directed = |up: K::C| S::sel(k, up, below, none);
    let nonzero = || k.negate(x.zero(k));
    // What is added before the fraction is cut off, and whether a number below one becomes one.
    let (raise, one) = match to {
        Toward::Zero => (none, k.c(false)),
        Toward::Up => (directed(k.negate(x.sign)), k.but_not(nonzero(), x.sign)),
        Toward::Down => (directed(x.sign), k.both(nonzero(), x.sign)),
        Toward::Even => {
            let odd = k.andi(k.and(S::low(k, S::shr(k, x.abs, places)), S::low(k, below)), 1);
            let half = S::of(k, f.one() - f.step());
            (S::add(k, S::shr(k, below, k.w(1)), S::zext(k, odd)), S::lt(k, half, x.abs))
        }
    };
    let large = S::and(k, S::add(k, x.abs, raise), above);
    let small = S::sel(k, one, S::of(k, f.one()), none);
    let result = S::sel(k, k.lessi(field, f.bias()), small, large);
    let nan = pass::<K, S>(k, f, &r, x.bits);
    S::sel(k, x.nan(k, f), nan, signed::<K, S>(k, f, x.sign, result))
}

/// `a` minus its floor, never one.
pub fn fract<K: Int, S: Word<K>>(k: &K, m: &Modes<K>, f: Format, a: S::T) -> S::T {
    let r = m.rules(k, f);
    let x = operand::<K, S>(k, f, &r, a);
    let (field, sig) = x.normal(k, f);
    // The fraction of the magnitude, with the point above the highest bit.
    let exponent = k.addi(field, -f.bias());
    let small = k.lessi(exponent, 0);
    let shifted = S::shl(k, sig, k.addi(exponent, 1));
    let cut = S::jam(k, sig, k.min_u(k.not(exponent), k.w(S::BITS - 1)));
    let fraction = S::sel(k, small, cut, shifted);
    let fraction = S::sel(k, k.morei(exponent, f.man as i32), S::of(k, 0), fraction);
    let fraction = S::sel(k, x.sign, S::sub(k, S::of(k, 0), fraction), fraction);
    let zeros = S::clz(k, fraction);
    let none = S::zero(k, fraction);
    let near = k.sel(none, k.w(0), k.sub(k.w(f.bias() as u32 - 1), zeros));
    // A positive number below one stays, also where it has no place in the fixed-point fraction.
    let stays = k.but_not(small, x.sign);
    let field = k.sel(stays, field, near);
    let sig = S::sel(k, stays, sig, S::shl(k, fraction, zeros));
    let sig = S::jam(k, sig, k.w(2));
    let field = k.sel(x.zero(k), k.w(0), field);
    let result = round_abs::<K, S>(k, f, &r, k.c(false), field, sig);
    let most = S::of(k, f.one() - 1);
    let result = S::sel(k, S::lt(k, most, result), most, result);
    let special = S::sel(k, x.nan(k, f), pass::<K, S>(k, f, &r, x.bits), S::of(k, f.default_nan()));
    S::sel(k, x.special(k, f), special, result)
}

/// The significand in [0.5, 1), with the sign; zeros and infinities as they are.
pub fn frexp_mant<K: Int, S: Word<K>>(k: &K, m: &Modes<K>, f: Format, a: S::T) -> S::T {
    let r = m.rules(k, f);
    let x = operand::<K, S>(k, f, &r, a);
    let (_, sig) = x.normal(k, f);
    let fraction = S::shr(k, S::shl(k, sig, k.w(1)), k.w(S::BITS - f.man));
    let number = S::or_top(k, fraction, k.w(f.top(f.one() - f.step())));
    let stays = k.either(x.zero(k), x.special(k, f));
    let abs = S::sel(k, stays, x.abs, number);
    let nan = pass::<K, S>(k, f, &r, x.bits);
    S::sel(k, x.nan(k, f), nan, signed::<K, S>(k, f, x.sign, abs))
}

/// The exponent that belongs to [`frexp_mant`].
pub fn frexp_exp<K: Int, S: Word<K>>(k: &K, m: &Modes<K>, f: Format, a: S::T) -> K::W {
    let x = operand::<K, S>(k, f, &m.rules(k, f), a);
    let (field, _) = x.normal(k, f);
    let special = if m.generation == Gen::Gfx6 && f != F16 { u32::MAX } else { 0 };
    let number = k.sel(x.zero(k), k.w(0), k.addi(field, 1 - f.bias()));
    k.sel(x.special(k, f), k.w(special), number)
}

/// An infinity becomes the largest number of its sign.
pub fn finite<K: Int, S: Word<K>>(k: &K, f: Format, a: S::T) -> S::T {
    let inf = S::eq(k, abs::<K, S>(k, f, a), S::of(k, f.inf()));
    S::sel(k, inf, S::sub(k, a, S::of(k, 1)), a)
}

/// An infinity becomes the zero of its sign.
pub fn inf_to_zero<K: Int>(k: &K, a: K::W) -> K::W {
    let inf = k.eqi(k.andi(a, F32.magnitude() as u32), F32.inf() as u32);
    k.sel(inf, k.andi(a, F32.sign() as u32), a)
}

/// Whether an output modifier has an effect.
pub fn omod_applies<K: Int>(k: &K, m: &Modes<K>, f: Format) -> K::C {
    if m.gfx12() { k.c(true) } else { k.but_not(m.rules(k, f).flush_out, m.ieee(k)) }
}

/// A finished result times 2 (1), times 4 (2), or half of it (3): arithmetic on the exponent. Denormals become +0, the half of the smallest
/// normal number a zero with its sign. If `nearest`, it overflows to infinity in every rounding.
pub fn omod<K: Int, S: Word<K>>(k: &K, m: &Modes<K>, f: Format, omod: u8, nearest: bool, a: S::T) -> S::T {
    let factor = omod & 3;
    if factor == 0 {
        return a;
    }
    let (minus, abs) = (sign::<K, S>(k, f, a), abs::<K, S>(k, f, a));
    let field = k.shri(S::top(k, abs), f.top_man());
    let step = f.top(f.step());
    let moved = |by: u32| S::with_top(k, abs, k.add(S::top(k, abs), k.w(by)));
    let value = if factor == 3 {
        S::sel(k, k.eqi(field, 1), S::of(k, 0), moved(step.wrapping_neg()))
    } else {
        let by = u32::from(factor);
        let rules = if nearest { m.rules(k, f).nearest(k) } else { m.rules(k, f) };
        let over = k.morei(field, f.special() - 1 - by as i32);
        S::sel(k, over, overflow::<K, S>(k, f, &rules, minus), moved(by * step))
    };
    let value = signed::<K, S>(k, f, minus, value);
    let value = S::sel(k, k.eqi(field, 0), S::of(k, 0), value);
    S::sel(k, k.eqi(field, f.special() as u32), a, value)
}

/// Into 0 to 1, -0 to +0; a NaN becomes +0 if the mode says so.
pub fn clamp<K: Int, S: Word<K>>(k: &K, m: &Modes<K>, f: Format, a: S::T) -> S::T {
    let (minus, abs) = (sign::<K, S>(k, f, a), abs::<K, S>(k, f, a));
    let one = S::of(k, f.one());
    let nan = S::lt(k, S::of(k, f.inf()), abs);
    let number = S::sel(k, S::lt(k, one, abs), one, abs);
    let number = S::sel(k, minus, S::of(k, 0), number);
    S::sel(k, nan, S::sel(k, m.clamps_nan(k), S::of(k, 0), a), number)
}
