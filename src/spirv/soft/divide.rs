//! Division: the three instructions from which programs build one.
//!
//! A program scales numerator and denominator where the quotient or a step on the way could overflow or lose bits (`div_scale`), refines an
//! estimate, undoes the scaling in the last step (`div_fmas`), and replaces the result where an operand is special (`div_fixup`).

use super::arith::{first_nan, fma_scaled, fma_wide, ldexp_under};
use super::round::{abs, operand, overflow, signed, tiniest};
use super::{F32, F64, Format, Int, Modes, Rules, Word};

/// The power of two that `div_scale` scales by.
fn scale(f: Format) -> i32 {
    if f == F64 { 128 } else { 64 }
}

/// `v`, which is `d` or `n`, as the division needs it, and whether the last step has to undo a scaling.
pub fn div_scale<K: Int, S: Word<K>>(k: &K, m: &Modes<K>, f: Format, v: S::T, d: S::T, n: S::T) -> (S::T, K::C) {
    let r = Rules { quiet: k.c(true), ..m.rules(k, f) };
    let [s, d, n] = [v, d, n].map(|a| operand::<K, S>(k, f, &r, a));
    let (far, small) = if f == F64 { (768, 53) } else { (96, 24) };
    let (de, ne) = (d.field(k, f), n.field(k, f));
    let delta = k.sub(ne, de);

    let up = k.w(scale(f) as u32);
    let down = k.w(-scale(f) as u32);
    let none = k.w(0);
    let above = k.morei(delta, far - 1);
    let below = k.lessi(delta, 1 - far);
    let tiny = k.eqi(de, 0);
    let huge = k.morei(de, 2 * f.bias() - 2);
    let little = k.sel(k.lessi(ne, small + 1), up, none);
    // The first row that holds decides.
    let by_d = k.sel(huge, down, k.sel(below, none, little));
    let by_d = k.sel(k.either(above, tiny), up, by_d);
    let by_n = k.sel(huge, k.sel(below, none, down), k.sel(below, up, little));
    let by_n = k.sel(above, none, k.sel(tiny, up, by_n));
    let undo = k.either(above, k.but_not(below, tiny));

    let is_d = k.both(S::eq(k, s.abs, d.abs), k.negate(k.differ(s.sign, d.sign)));
    let scaled = ldexp_under::<K, S>(k, f, &r, v, k.sel(is_d, by_d, by_n));
    let invalid = k.either(d.zero(k), n.zero(k));
    (S::sel(k, invalid, S::of(k, f.default_nan()), scaled), undo)
}

/// What the last step of a division multiplies by, as an exponent.
fn undone<K: Int, S: Word<K>>(k: &K, f: Format, c: S::T, scaled: K::C) -> K::W {
    let field = k.shri(S::top(k, abs::<K, S>(k, f, c)), f.top_man());
    let up = k.morei(field, f.bias());
    k.sel(scaled, k.pick(up, scale(f) as u32, -scale(f) as u32), k.w(0))
}

/// `a * b + c`, if `scaled` times the power of two that undoes a scaling, rounded once; operands are not flushed.
pub fn div_fmas_f32<K: Int>(k: &K, m: &Modes<K>, a: K::W, b: K::W, c: K::W, scaled: K::C) -> K::W {
    let r = Rules { flush_in: k.c(false), ..m.single(k) };
    let by = undone::<K, super::Narrow>(k, F32, c, scaled);
    fma_scaled(k, F32, F32, &r, [a, b, c], by)
}

/// [`div_fmas_f32`] of f64.
pub fn div_fmas_f64<K: Int>(k: &K, m: &Modes<K>, a: K::D, b: K::D, c: K::D, scaled: K::C) -> K::D {
    let r = Rules { flush_in: k.c(false), ..m.double(k) };
    let by = undone::<K, super::Wide>(k, F64, c, scaled);
    fma_wide(k, &r, [a, b, c], by)
}

/// The quotient of `n` and `d`, of which `q` is an estimate, with the right sign, or what special operands give.
pub fn div_fixup<K: Int, S: Word<K>>(k: &K, m: &Modes<K>, f: Format, q: S::T, d: S::T, n: S::T) -> S::T {
    let r = Rules { quiet: k.c(true), ..m.rules(k, f) };
    let [d, n] = [d, n].map(|a| operand::<K, S>(k, f, &r, a));
    let minus = k.differ(d.sign, n.sign);
    let (none, inf) = (S::of(k, 0), S::of(k, f.inf()));
    // The estimate is flushed neither as an operand nor as a result.
    let estimate = abs::<K, S>(k, f, q);
    let unbounded = k.eqi(k.shri(S::top(k, estimate), f.top_man()), f.special() as u32);
    let magnitude = S::sel(k, unbounded, overflow::<K, S>(k, f, &r, minus), estimate);
    let magnitude = if f.man > 10 {
        let apart = k.sub(n.field(k, f), d.field(k, f));
        let under = k.lessi(apart, -(f.bias() + f.man as i32));
        S::sel(k, under, tiniest::<K, S>(k, &r, minus), magnitude)
    } else {
        magnitude
    };
    let (d_zero, n_zero, d_inf, n_inf) = (d.zero(k), n.zero(k), d.inf(k, f), n.inf(k, f));
    let magnitude = S::sel(k, k.either(n_zero, d_inf), none, magnitude);
    let magnitude = S::sel(k, k.either(d_zero, n_inf), inf, magnitude);
    let invalid = k.either(k.both(n_zero, d_zero), k.both(n_inf, d_inf));
    let result = signed::<K, S>(k, f, minus, magnitude);
    let result = S::sel(k, invalid, S::of(k, f.default_nan()), result);
    first_nan(k, f, &r, &[n, d], result)
}
