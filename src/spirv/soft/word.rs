//! In what a float and its significand live: a word for the formats up to 32 bits, a pair for f64.
//!
//! What is written over [`Word`] is written once for all formats. Sign and exponent always lie in the highest word, so that most work
//! on them is work on one word in both widths.

use super::Int;

/// A width of significands. Truth values and exponents are words in both.
pub trait Word<K: Int> {
    /// The value.
    type T: Copy;
    /// Its width.
    const BITS: u32;

    /// A constant.
    fn of(k: &K, v: u64) -> Self::T;
    /// A word below zeros.
    fn zext(k: &K, a: K::W) -> Self::T;
    /// The highest word.
    fn top(k: &K, a: Self::T) -> K::W;
    /// The lowest word.
    fn low(k: &K, a: Self::T) -> K::W;
    /// A word above zeros.
    fn from_top(k: &K, a: K::W) -> Self::T;
    /// With another highest word.
    fn with_top(k: &K, a: Self::T, top: K::W) -> Self::T;
    /// Wrapping sum.
    fn add(k: &K, a: Self::T, b: Self::T) -> Self::T;
    /// Wrapping difference.
    fn sub(k: &K, a: Self::T, b: Self::T) -> Self::T;
    /// Bitwise and.
    fn and(k: &K, a: Self::T, b: Self::T) -> Self::T;
    /// Bitwise or.
    fn or(k: &K, a: Self::T, b: Self::T) -> Self::T;
    /// Complement.
    fn not(k: &K, a: Self::T) -> Self::T;
    /// Left, modulo the width.
    fn shl(k: &K, a: Self::T, n: K::W) -> Self::T;
    /// Right, modulo the width.
    fn shr(k: &K, a: Self::T, n: K::W) -> Self::T;
    /// Equal.
    fn eq(k: &K, a: Self::T, b: Self::T) -> K::C;
    /// Unsigned less.
    fn lt(k: &K, a: Self::T, b: Self::T) -> K::C;
    /// One of two.
    fn sel(k: &K, c: K::C, t: Self::T, f: Self::T) -> Self::T;
    /// Zeros above the highest set bit; the width for zero.
    fn clz(k: &K, a: Self::T) -> K::W;
    /// Zeros below the lowest set bit; the width for zero.
    fn ctz(k: &K, a: Self::T) -> K::W;
    /// The high half of the product, its lowest bit set as well if anything lies below.
    fn product(k: &K, a: Self::T, b: Self::T) -> Self::T;

    /// Zero.
    #[inline(always)]
    fn zero(k: &K, a: Self::T) -> K::C {
        Self::eq(k, a, Self::of(k, 0))
    }
    /// The sum with a truth value.
    #[inline(always)]
    fn add_c(k: &K, a: Self::T, c: K::C) -> Self::T {
        Self::add(k, a, Self::zext(k, k.bit(c)))
    }
    /// The lowest bit set if a truth value is.
    #[inline(always)]
    fn or_c(k: &K, a: Self::T, c: K::C) -> Self::T {
        Self::or(k, a, Self::zext(k, k.bit(c)))
    }
    /// Bits of the highest word set.
    #[inline(always)]
    fn or_top(k: &K, a: Self::T, bits: K::W) -> Self::T {
        Self::with_top(k, a, k.or(Self::top(k, a), bits))
    }
    /// Right by less than the width; what is lost sets the lowest bit.
    #[inline(always)]
    fn jam(k: &K, a: Self::T, n: K::W) -> Self::T {
        Self::or_c(k, Self::shr(k, a, n), k.lt_u(Self::ctz(k, a), n))
    }
}

/// Formats up to 32 bits.
pub enum Narrow {}
/// f64.
pub enum Wide {}

impl<K: Int> Word<K> for Narrow {
    type T = K::W;
    const BITS: u32 = 32;

    #[inline(always)]
    fn of(k: &K, v: u64) -> K::W {
        k.w(v as u32)
    }
    #[inline(always)]
    fn zext(_: &K, a: K::W) -> K::W {
        a
    }
    #[inline(always)]
    fn top(_: &K, a: K::W) -> K::W {
        a
    }
    #[inline(always)]
    fn low(_: &K, a: K::W) -> K::W {
        a
    }
    #[inline(always)]
    fn from_top(_: &K, a: K::W) -> K::W {
        a
    }
    #[inline(always)]
    fn with_top(_: &K, _: K::W, top: K::W) -> K::W {
        top
    }
    #[inline(always)]
    fn add(k: &K, a: K::W, b: K::W) -> K::W {
        k.add(a, b)
    }
    #[inline(always)]
    fn sub(k: &K, a: K::W, b: K::W) -> K::W {
        k.sub(a, b)
    }
    #[inline(always)]
    fn and(k: &K, a: K::W, b: K::W) -> K::W {
        k.and(a, b)
    }
    #[inline(always)]
    fn or(k: &K, a: K::W, b: K::W) -> K::W {
        k.or(a, b)
    }
    #[inline(always)]
    fn not(k: &K, a: K::W) -> K::W {
        k.not(a)
    }
    #[inline(always)]
    fn shl(k: &K, a: K::W, n: K::W) -> K::W {
        k.shl(a, n)
    }
    #[inline(always)]
    fn shr(k: &K, a: K::W, n: K::W) -> K::W {
        k.shr(a, n)
    }
    #[inline(always)]
    fn eq(k: &K, a: K::W, b: K::W) -> K::C {
        k.eq(a, b)
    }
    #[inline(always)]
    fn lt(k: &K, a: K::W, b: K::W) -> K::C {
        k.lt_u(a, b)
    }
    #[inline(always)]
    fn sel(k: &K, c: K::C, t: K::W, f: K::W) -> K::W {
        k.sel(c, t, f)
    }
    #[inline(always)]
    fn clz(k: &K, a: K::W) -> K::W {
        k.clz(a)
    }
    #[inline(always)]
    fn ctz(k: &K, a: K::W) -> K::W {
        k.ctz(a)
    }
    #[inline(always)]
    fn product(k: &K, a: K::W, b: K::W) -> K::W {
        k.or(k.mulhi_u(a, b), k.bit(k.nz(k.mul(a, b))))
    }
}

impl<K: Int> Word<K> for Wide {
    type T = K::D;
    const BITS: u32 = 64;

    #[inline(always)]
    fn of(k: &K, v: u64) -> K::D {
        k.d(v)
    }
    #[inline(always)]
    fn zext(k: &K, a: K::W) -> K::D {
        k.zext(a)
    }
    #[inline(always)]
    fn top(k: &K, a: K::D) -> K::W {
        k.hi(a)
    }
    #[inline(always)]
    fn low(k: &K, a: K::D) -> K::W {
        k.lo(a)
    }
    #[inline(always)]
    fn from_top(k: &K, a: K::W) -> K::D {
        k.pair(k.w(0), a)
    }
    #[inline(always)]
    fn with_top(k: &K, a: K::D, top: K::W) -> K::D {
        k.pair(k.lo(a), top)
    }
    #[inline(always)]
    fn add(k: &K, a: K::D, b: K::D) -> K::D {
        k.add_d(a, b)
    }
    #[inline(always)]
    fn sub(k: &K, a: K::D, b: K::D) -> K::D {
        k.sub_d(a, b)
    }
    #[inline(always)]
    fn and(k: &K, a: K::D, b: K::D) -> K::D {
        k.and_d(a, b)
    }
    #[inline(always)]
    fn or(k: &K, a: K::D, b: K::D) -> K::D {
        k.or_d(a, b)
    }
    #[inline(always)]
    fn not(k: &K, a: K::D) -> K::D {
        k.not_d(a)
    }
    #[inline(always)]
    fn shl(k: &K, a: K::D, n: K::W) -> K::D {
        k.shl_d(a, n)
    }
    #[inline(always)]
    fn shr(k: &K, a: K::D, n: K::W) -> K::D {
        k.shr_d(a, n)
    }
    #[inline(always)]
    fn eq(k: &K, a: K::D, b: K::D) -> K::C {
        k.eq_d(a, b)
    }
    #[inline(always)]
    fn lt(k: &K, a: K::D, b: K::D) -> K::C {
        k.ltu_d(a, b)
    }
    #[inline(always)]
    fn sel(k: &K, c: K::C, t: K::D, f: K::D) -> K::D {
        k.sel_d(c, t, f)
    }
    #[inline(always)]
    fn clz(k: &K, a: K::D) -> K::W {
        k.clz_d(a)
    }
    #[inline(always)]
    fn ctz(k: &K, a: K::D) -> K::W {
        k.ctz_d(a)
    }
    #[inline(always)]
    fn product(k: &K, a: K::D, b: K::D) -> K::D {
        let (high, low) = full_product(k, a, b);
        Self::or_c(k, high, k.nz(k.or(k.lo(low), k.hi(low))))
    }
}

/// Both halves of a product of pairs, the higher first.
pub(super) fn full_product<K: Int>(k: &K, a: K::D, b: K::D) -> (K::D, K::D) {
    let (a0, a1, b0, b1) = (k.lo(a), k.hi(a), k.lo(b), k.hi(b));
    let (p00, p01, p10, p11) = (k.mul_wide_u(a0, b0), k.mul_wide_u(a0, b1), k.mul_wide_u(a1, b0), k.mul_wide_u(a1, b1));
    // No sum of a product and a word overflows.
    let middle = k.add_d(p01, k.zext(k.hi(p00)));
    let second = k.add_d(p10, k.zext(k.lo(middle)));
    let high = k.add_d(k.add_d(p11, k.zext(k.hi(middle))), k.zext(k.hi(second)));
    (high, k.pair(k.lo(p00), k.lo(second)))
}

/// The high half of a product of pairs.
pub(super) fn mulhi_d<K: Int>(k: &K, a: K::D, b: K::D) -> K::D {
    full_product(k, a, b).0
}

/// The product of a pair and a word without its lowest word.
pub(super) fn mul_dw<K: Int>(k: &K, a: K::D, b: K::W) -> K::D {
    k.add_d(k.mul_wide_u(k.hi(a), b), k.zext(k.mulhi_u(k.lo(a), b)))
}
