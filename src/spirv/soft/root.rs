//! The reciprocal, the square root and its reciprocal, correctly rounded to nearest even; those of f32 on gfx11 and gfx12 are [`silicon`]'s.
//!
//! A line through the function is the first guess, Newton's steps in 32 bits double its bits until 29 or so are right, and f64 takes one step more
//! in 64. What comes out is cut to a few bits more than the format has, always below the true value and by one or two units at most; an exact
//! remainder says by how many.
//!
//! Reciprocals are kept strictly below the true value, so that their sticky bit is always set. Where the true value has few bits (a power of two),
//! that is a number of all ones, which rounds up to it.

use super::convert::{narrowed, widened};
use super::round::{Operand, operand, overflow, pass, round, signed};
use super::word::{full_product, mul_dw, mulhi_d};
use super::{F16, F32, F64, Format, Int, Modes, Narrow, Rules, Wide, Word, silicon};

/// `2^63 / v` of a word from 2^31 on, a few units too small.
fn reciprocal<K: Int>(k: &K, v: K::W) -> K::W {
    // 24/17 - 16/17 * v, in units of 2^-32: half of the reciprocal.
    let mut x = k.sub(k.w(0x6969_6969), k.mulhi_u(v, k.w(0xf0f0_f0f1)));
    for _ in 0..3 {
        // The complement is one less than the negative, which makes up for what the product has lost.
        let rest = k.not(k.mulhi_u(x, v));
        x = k.shli(k.mulhi_u(x, rest), 1);
    }
    x
}

/// `2^47 / sqrt(v)` of a number from 2^30 to 2^32, a few units too small; `large` from 2^31 on.
fn inverse_root<K: Int>(k: &K, v: K::W, large: K::C) -> K::W {
    let slope = k.pick(large, SLOPES[1], SLOPES[0]);
    let start = k.pick(large, STARTS[1], STARTS[0]);
    let mut y = k.sub(start, k.shli(k.mulhi_u(v, slope), 1));
    for _ in 0..3 {
        // 3 - v * y^2 in units of 2^-30, less what the products have lost.
        let square = k.mulhi_u(k.mulhi_u(y, y), v);
        let factor = k.sub(k.w(0xc000_0000 - 4), square);
        y = k.shli(k.mulhi_u(y, factor), 1);
    }
    y
}

/// Lines near `1 / sqrt(m)`, in units of 2^-32, from 1 to 2 and from 2 to 4; the slopes are doubled. The first start is
/// larger than one by that.
const STARTS: [u32; 2] = [0x439d_00ff, 0xe4d4_4398];
const SLOPES: [u32; 2] = [0x929f_90f5, 0x33d3_ed3b];

/// An exponent field halved: of the root, and whether the number under the root is doubled for that.
pub(super) fn halved<K: Int>(k: &K, f: Format, field: K::W) -> (K::W, K::C) {
    let exponent = k.addi(field, -f.bias());
    (k.sari(exponent, 1), k.nz(k.andi(exponent, 1)))
}

/// The special cases of roots: NaNs, zeros (which `of_zero` says), negative numbers, infinities.
pub(super) fn rooted<K: Int, S: Word<K>>(
    k: &K,
    f: Format,
    r: &Rules<K>,
    x: Operand<K, S>,
    [of_zero, of_inf]: [u64; 2],
    number: S::T,
) -> S::T {
    let number = S::sel(k, x.inf(k, f), S::of(k, of_inf), number);
    let number = S::sel(k, x.sign, S::of(k, f.default_nan()), number);
    let zero = signed::<K, S>(k, f, x.sign, S::of(k, of_zero));
    let number = S::sel(k, x.zero(k), zero, number);
    S::sel(k, x.nan(k, f), pass::<K, S>(k, f, r, x.bits), number)
}

/// The special cases of the reciprocal.
pub(super) fn inverted<K: Int, S: Word<K>>(k: &K, f: Format, r: &Rules<K>, x: Operand<K, S>, number: S::T) -> S::T {
    let inf = S::sel(k, x.zero(k), S::of(k, f.inf()), S::of(k, 0));
    let special = k.either(x.zero(k), x.special(k, f));
    let value = S::sel(k, special, signed::<K, S>(k, f, x.sign, inf), number);
    S::sel(k, x.nan(k, f), pass::<K, S>(k, f, r, x.bits), value)
}

/// `1 / a` of f32.
fn rcp_single<K: Int>(k: &K, r: &Rules<K>, a: K::W) -> K::W {
    let x = operand::<K, Narrow>(k, F32, r, a);
    let (field, sig) = x.normal(k, F32);
    let divisor = k.shri(sig, 8);
    let mut quotient = k.shri(reciprocal(k, sig), 4);
    let mut rest = k.sub(k.w(0), k.mul(quotient, divisor));
    for _ in 0..2 {
        let more = k.lt_u(divisor, rest);
        rest = k.sel(more, k.sub(rest, divisor), rest);
        quotient = k.add(quotient, k.bit(more));
    }
    let field = k.sub(k.w(2 * F32.bias() as u32 - 1), field);
    let sig = k.ori(k.shli(quotient, 2), 1);
    inverted::<K, Narrow>(k, F32, r, x, round::<K, Narrow>(k, F32, r, x.sign, field, sig))
}

/// `1 / a` of f64.
fn rcp_double<K: Int>(k: &K, r: &Rules<K>, a: K::D) -> K::D {
    let x = operand::<K, Wide>(k, F64, r, a);
    let (field, sig) = x.normal(k, F64);
    let divisor = k.shr_d(sig, k.w(11));
    // Of the upper word alone it may be too large by two units.
    let first = k.addi(reciprocal(k, k.hi(sig)), -4);
    // 1 - first * sig, in units of 2^-63, is small.
    let error = k.sub_d(k.d(1 << 63), mul_dw(k, sig, first));
    let second = k.add_d(k.pair(k.w(0), first), k.shl_d(mul_dw(k, error, first), k.w(1)));
    let mut quotient = k.shr_d(k.sub_d(second, k.d(16)), k.w(8));
    let mut rest = k.sub_d(k.d(0), k.mul_d(quotient, divisor));
    for _ in 0..2 {
        let more = k.ltu_d(divisor, rest);
        rest = k.sel_d(more, k.sub_d(rest, divisor), rest);
        quotient = Wide::add_c(k, quotient, more);
    }
    let field = k.sub(k.w(2 * F64.bias() as u32 - 1), field);
    let sig = k.or_d(k.shl_d(quotient, k.w(6)), k.d(1));
    inverted::<K, Wide>(k, F64, r, x, round::<K, Wide>(k, F64, r, x.sign, field, sig))
}

/// `sqrt(a)` of f32.
fn sqrt_single<K: Int>(k: &K, r: &Rules<K>, a: K::W) -> K::W {
    let x = operand::<K, Narrow>(k, F32, r, a);
    let (field, sig) = x.normal(k, F32);
    let (half, odd) = halved(k, F32, field);
    // The number under the root, in units of 2^-30; of the square of a root of 26 bits and of what is to be compared, the low words are enough.
    let v = k.sel(odd, sig, k.shri(sig, 1));
    let mut root = k.shri(k.mulhi_u(v, inverse_root(k, v, odd)), 5);
    let mut rest = k.sub(k.shli(v, 20), k.mul(root, root));
    for _ in 0..2 {
        let twice = k.shli(root, 1);
        let more = k.lt_s(twice, rest);
        rest = k.sel(more, k.sub(rest, k.ori(twice, 1)), rest);
        root = k.add(root, k.bit(more));
    }
    let sig = k.or(k.shli(root, 4), k.bit(k.nz(rest)));
    let number = round::<K, Narrow>(k, F32, r, k.c(false), k.addi(half, F32.bias()), sig);
    rooted::<K, Narrow>(k, F32, r, x, [0, F32.inf()], number)
}

/// `sqrt(a)` of f64.
fn sqrt_double<K: Int>(k: &K, r: &Rules<K>, a: K::D) -> K::D {
    let x = operand::<K, Wide>(k, F64, r, a);
    let (field, sig) = x.normal(k, F64);
    let (half, odd) = halved(k, F64, field);
    // In units of 2^-62.
    let v = k.sel_d(odd, sig, k.shr_d(sig, k.w(1)));
    let inverse = inverse_root(k, k.hi(v), odd);
    // A root of 32 bits, and the rest over twice the root.
    let first = k.shli(k.mulhi_u(k.hi(v), inverse), 1);
    let rest = k.sub_d(v, k.mul_wide_u(first, first));
    let second = k.add_d(k.pair(k.w(0), first), mul_dw(k, rest, inverse));
    let mut root = k.shr_d(k.sub_d(second, k.d(64)), k.w(8));
    let mut rest = k.sub_d(k.pair(k.w(0), k.shli(k.lo(v), 16)), k.mul_d(root, root));
    for _ in 0..2 {
        let twice = k.shl_d(root, k.w(1));
        let more = k.ltu_d(twice, rest);
        rest = k.sel_d(more, k.sub_d(rest, k.or_d(twice, k.d(1))), rest);
        root = Wide::add_c(k, root, more);
    }
    let sig = Wide::or_c(k, k.shl_d(root, k.w(6)), k.nz(k.or(k.lo(rest), k.hi(rest))));
    let number = round::<K, Wide>(k, F64, r, k.c(false), k.addi(half, F64.bias()), sig);
    rooted::<K, Wide>(k, F64, r, x, [0, F64.inf()], number)
}

/// `1 / sqrt(a)` of f32.
fn rsq_single<K: Int>(k: &K, r: &Rules<K>, a: K::W) -> K::W {
    let x = operand::<K, Narrow>(k, F32, r, a);
    let (field, sig) = x.normal(k, F32);
    let (half, odd) = halved(k, F32, field);
    let v = k.sel(odd, sig, k.shri(sig, 1));
    let mut root = k.shri(inverse_root(k, v, odd), 6);
    // 1 - v * root^2, in units of 2^-75, fits in a pair.
    let v = k.shri(v, 7);
    let square = k.mul_wide_u(root, root);
    let product = k.add_d(k.mul_wide_u(k.lo(square), v), k.pair(k.w(0), k.mul(k.hi(square), v)));
    let mut rest = k.sub_d(k.d(0), product);
    for _ in 0..2 {
        let step = k.mul_wide_u(k.ori(k.shli(root, 1), 1), v);
        let more = k.ltu_d(step, rest);
        rest = k.sel_d(more, k.sub_d(rest, step), rest);
        root = k.add(root, k.bit(more));
    }
    let field = k.sub(k.w(F32.bias() as u32 - 1), half);
    let sig = k.ori(k.shli(root, 4), 1);
    let number = round::<K, Narrow>(k, F32, r, k.c(false), field, sig);
    rooted::<K, Narrow>(k, F32, r, x, [F32.inf(), 0], number)
}

/// `1 / sqrt(a)` of f64.
fn rsq_double<K: Int>(k: &K, r: &Rules<K>, a: K::D) -> K::D {
    let x = operand::<K, Wide>(k, F64, r, a);
    let (field, sig) = x.normal(k, F64);
    let (half, odd) = halved(k, F64, field);
    let v = k.sel_d(odd, sig, k.shr_d(sig, k.w(1)));
    let first = inverse_root(k, k.hi(v), odd);
    // e = 1 - v * first^2, in units of 2^-62, and first * (1 + e/2).
    let error = k.sub_d(k.d(1 << 62), mulhi_d(k, k.mul_wide_u(first, first), v));
    let second = k.add_d(k.pair(k.w(0), first), k.shl_d(mul_dw(k, error, first), k.w(1)));
    let mut root = k.shr_d(k.sub_d(second, k.d(64)), k.w(8));
    // 1 - v * root^2, in units of 2^-164, fits in four words.
    let v = k.shr_d(v, k.w(10));
    let (high, low) = full_product(k, root, root);
    let (middle, low) = full_product(k, low, v);
    let high = k.add_d(k.mul_d(high, v), middle);
    let mut rest = (Wide::add_c(k, k.not_d(high), Wide::zero(k, low)), k.sub_d(k.d(0), low));
    for _ in 0..2 {
        let (high, low) = full_product(k, Wide::or_c(k, k.shl_d(root, k.w(1)), k.c(true)), v);
        let more = k.either(k.ltu_d(high, rest.0), k.both(k.eq_d(high, rest.0), k.ltu_d(low, rest.1)));
        let less = k.sub_d(k.sub_d(rest.0, high), k.zext(k.bit(k.ltu_d(rest.1, low))));
        rest = (k.sel_d(more, less, rest.0), k.sel_d(more, k.sub_d(rest.1, low), rest.1));
        root = Wide::add_c(k, root, more);
    }
    let field = k.sub(k.w(F64.bias() as u32 - 1), half);
    let sig = k.or_d(k.shl_d(root, k.w(6)), k.d(1));
    let number = round::<K, Wide>(k, F64, r, k.c(false), field, sig);
    rooted::<K, Wide>(k, F64, r, x, [F64.inf(), 0], number)
}

/// A function of f32 in the mode that these functions have: to nearest, flushed on both sides.
pub(super) fn in_single<K: Int>(k: &K, m: &Modes<K>, a: K::W, function: impl Fn(&Rules<K>, K::W) -> K::W) -> K::W {
    function(&m.single(k).nearest(k).flushing(k, true), a)
}

/// A function of f32 as one of f16: widened, computed, rounded again.
pub(super) fn in_half<K: Int>(k: &K, m: &Modes<K>, a: K::W, function: impl Fn(&Rules<K>, K::W) -> K::W) -> K::W {
    let r = m.half(k).nearest(k);
    let result = function(&r.unbounded(k).flushing(k, true), widened(k, &r, a));
    saturated(k, &r, a, narrowed(k, &r, result))
}

/// A function that rounds once to f16: only its operand is widened.
pub(super) fn in_half_wide<K: Int>(k: &K, m: &Modes<K>, a: K::W, function: impl Fn(&Rules<K>, K::W) -> K::W) -> K::W {
    let r = m.half(k).nearest(k);
    let result = function(&Rules { flush_in: k.c(false), ..r }, widened(k, &r, a));
    saturated(k, &r, a, result)
}

/// The infinity that a finite f16 gives saturates like an overflow.
pub(super) fn saturated<K: Int>(k: &K, r: &Rules<K>, a: K::W, result: K::W) -> K::W {
    let (x, y) = (operand::<K, Narrow>(k, F16, r, a), operand::<K, Narrow>(k, F16, r, result));
    let made = k.but_not(k.both(r.saturate, y.inf(k, F16)), x.special(k, F16));
    let most = signed::<K, Narrow>(k, F16, y.sign, overflow::<K, Narrow>(k, F16, r, y.sign));
    k.sel(made, most, result)
}

macro_rules! roots {
    ($($(#[$doc:meta])* $name:ident = $single:ident $double:ident;)*) => {$(
        $(#[$doc])*
        pub mod $name {
            use super::*;
            /// Of f16.
            pub fn f16<K: Int>(k: &K, m: &Modes<K>, a: K::W) -> K::W {
                in_half(k, m, a, |r, a| if m.silicon() { silicon::$name(k, r, a) } else { $single(k, r, a) })
            }
            /// Of f32.
            pub fn f32<K: Int>(k: &K, m: &Modes<K>, a: K::W) -> K::W {
                in_single(k, m, a, |r, a| if m.silicon() { silicon::$name(k, r, a) } else { $single(k, r, a) })
            }
            /// Of f64.
            pub fn f64<K: Int>(k: &K, m: &Modes<K>, a: K::D) -> K::D {
                $double(k, &m.double(k).nearest(k), a)
            }
        }
    )*};
}

roots! {
    /// Reciprocal.
    rcp = rcp_single rcp_double;
    /// Square root.
    sqrt = sqrt_single sqrt_double;
    /// Reciprocal of the square root.
    rsq = rsq_single rsq_double;
}
