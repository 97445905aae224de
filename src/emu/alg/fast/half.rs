//! Floats of 16 bits by those of 32, which hold two roundings apart: a sum or a product of two f16, rounded to f32, can be rounded again, and anything
//! else can if the first rounding is to [odd](to_odd).

use super::{Fast, TOP};
use crate::emu::soft::{half, nearest_half};

/// The magnitude of the smallest normal f16 as f32.
const MIN_NORMAL: u32 = 0x3880_0000;
/// The f16 infinity.
const INF: u32 = 0x7c00;

/// A float made odd where it is not exact. The top bit of `lost` is the sign of what it lacks: any further rounding to two bits less is then that of the
/// exact value.
#[inline(always)]
pub(in crate::emu::alg) fn to_odd(r: f32, lost: u32, inexact: bool) -> f32 {
    let bits = r.to_bits();
    // An even one has odd neighbours; the exact value lies between it and one of them.
    let step = if (lost ^ bits) & TOP == 0 { 1 } else { u32::MAX };
    let even = (bits & 1).wrapping_sub(1);
    f32::from_bits(if inexact { bits.wrapping_add(step & even) } else { bits })
}

/// What a sum of two floats has lost.
#[inline(always)]
pub(in crate::emu::alg) fn lost_f32(a: f32, b: f32, sum: f32) -> f32 {
    let part = sum - a;
    (a - (sum - part)) + (b - part)
}

/// As [`lost_f32`].
#[inline(always)]
pub(in crate::emu::alg) fn lost_f64(a: f64, b: f64, sum: f64) -> f64 {
    let part = sum - a;
    (a - (sum - part)) + (b - part)
}

/// What an f32 lacks to `a * b + c`, rounded: the product is exact in f64, the sum is known in two parts.
#[inline(always)]
pub(in crate::emu::alg) fn fma_lost(a: f32, b: f32, c: f32, r: f32) -> f64 {
    let (product, c) = (f64::from(a) * f64::from(b), f64::from(c));
    let sum = product + c;
    (sum - f64::from(r)) + lost_f64(product, c, sum)
}

/// The magnitude of an f32 rounded to f16 towards zero; what is too large is the largest number.
#[inline(always)]
pub(in crate::emu::alg) fn toward_zero(magnitude: u32) -> u32 {
    let significand = magnitude & 0x007f_ffff | 0x0080_0000;
    let denormal = significand >> 126u32.wrapping_sub(magnitude >> 23).min(31);
    let normal = (magnitude.wrapping_sub(0x3800_0000) >> 13).min(INF - 1);
    let finite = if magnitude < MIN_NORMAL { denormal } else { normal };
    if magnitude == 0x7f80_0000 { INF } else { finite }
}

impl<const FLUSH: bool> Fast<FLUSH> {
    /// An f32 rounded to f16; a NaN is left to the exact body.
    #[inline(always)]
    pub(in crate::emu::alg) fn narrow(&self, r: f32) -> u32 {
        self.odd_nan(r);
        let bits = r.to_bits();
        nearest_half(bits & !TOP) | bits >> 16 & 0x8000
    }

    /// As [`Fast::narrow`], with denormals flushed: what rounds up to a normal of full precision is none.
    #[inline(always)]
    fn narrow_flushed(&self, r: f32) -> u32 {
        self.odd_nan(r);
        let bits = r.to_bits();
        let magnitude = bits & !TOP;
        (if magnitude < 0x387f_f000 { 0 } else { nearest_half(magnitude) }) | bits >> 16 & 0x8000
    }

    /// An f32 towards zero to f16.
    #[inline(always)]
    pub(super) fn narrow_toward_zero(&self, a: u32) -> u32 {
        let r = self.s(a);
        self.odd_nan(r);
        let bits = r.to_bits();
        toward_zero(bits & !TOP) | bits >> 16 & 0x8000
    }

    /// A fused multiply-add: the product is exact, the sum is rounded to odd.
    #[inline(always)]
    pub(super) fn fused_f16(&self, a: u32, b: u32, c: u32) -> u32 {
        let (product, c) = (half(a) * half(b), half(c));
        let sum = product + c;
        // Of an infinity nothing is lost: that is a NaN.
        let lost = lost_f32(product, c, sum);
        self.narrow(to_odd(sum, lost.to_bits(), lost.abs() > 0.0))
    }

    /// A fused multiply-add of f32, rounded once, to f16.
    #[inline(always)]
    pub(super) fn fused_to_f16(&self, a: u32, b: u32, c: u32) -> u32 {
        let (a, b, c) = (self.s(a), self.s(b), self.s(c));
        let r = a.mul_add(b, c);
        let lost = fma_lost(a, b, c, r);
        self.narrow(to_odd(r, (lost.to_bits() >> 32) as u32, lost.abs() > 0.0))
    }

    /// An f32 that is the result of an operation, rounded again, to f16, with denormals flushed.
    #[inline(always)]
    pub(super) fn again_to_f16(&self, r: u32) -> u32 {
        self.narrow_flushed(f32::from_bits(Self::zeroed(r)))
    }

    /// The fraction; what rounds to one is the largest number below.
    #[inline(always)]
    pub(super) fn fraction_f16(&self, a: u32) -> u32 {
        let a = half(a);
        self.narrow(a - a.floor()).min(0x3bff)
    }

    /// A half as it is; a NaN is left to the exact body.
    #[inline(always)]
    pub(super) fn number_f16(&self, a: u32) -> u32 {
        self.odd_nan_f16(a);
        a & 0xffff
    }

    /// A NaN is odd.
    #[inline(always)]
    pub(super) fn odd_nan_f16(&self, a: u32) {
        self.odd_top((a & 0x7fff) + (TOP - INF - 1));
    }
}
