//! The host's floats, where they are the hardware's.

mod silicon;
#[cfg(test)]
mod tests;
mod unit;

use super::{compare, integers, one_line};
use crate::emu::soft::finite_half;
use crate::isa::sem::{Alg, Cmp};
use std::cell::Cell;

pub use unit::Unit;

/// One lane computed with the host's arithmetic; see the [module](super).
pub struct Fast<const FLUSH: bool> {
    lane: u32,
    unit: Unit,
    /// In the top bit: whether the result may differ. A word for each lane is vector code, a truth value becomes a branch.
    odd: Cell<u32>,
}

/// The top bit of a word.
const TOP: u32 = 1 << 31;

/// The smallest normal f32: a result that rounds up to it may have been tiny.
const MIN_NORMAL: u32 = 0x0080_0000;

impl<const FLUSH: bool> Fast<FLUSH> {
    /// The algebra of a lane.
    #[inline(always)]
    pub fn new(lane: u32) -> Self {
        // What does without the unit does not look at it.
        Fast::with(lane, Unit::Silicon)
    }

    /// The algebra of a lane beside a transcendental unit.
    #[inline(always)]
    pub fn with(lane: u32, unit: Unit) -> Self {
        Fast { lane, unit, odd: Cell::new(0) }
    }

    /// In the top bit: whether what was computed may differ from the hardware's answer.
    #[inline(always)]
    pub fn oddness(&self) -> u32 {
        self.odd.get()
    }

    #[inline(always)]
    fn odd_if(&self, odd: bool) {
        self.odd_top(u32::from(odd).wrapping_neg());
    }

    /// Odd if the top bit is set.
    #[inline(always)]
    fn odd_top(&self, v: u32) {
        self.odd.set(self.odd.get() | v);
    }

    /// A NaN is odd.
    #[inline(always)]
    fn odd_nan(&self, r: f32) {
        // Compares are dear where masks are registers of their own (AVX-512): it is better to count.
        self.odd_top((r.to_bits() & !TOP) + 0x007f_ffff);
    }

    /// The value is not to be had here: the lane is computed exactly.
    #[inline(always)]
    fn leave<T: Default>(&self) -> T {
        self.odd.set(u32::MAX);
        T::default()
    }

    #[inline(always)]
    fn zeroed(a: u32) -> u32 {
        if a & 0x7f80_0000 == 0 { a & 0x8000_0000 } else { a }
    }

    /// An f32 operand.
    #[inline(always)]
    fn s(&self, a: u32) -> f32 {
        f32::from_bits(if FLUSH { Self::zeroed(a) } else { a })
    }

    /// An f32 result.
    #[inline(always)]
    fn rs(&self, r: f32) -> u32 {
        self.odd_nan(r);
        if FLUSH { self.flushed(r) } else { r.to_bits() }
    }

    /// An f32 result with denormals flushed.
    #[inline(always)]
    fn flushed(&self, r: f32) -> u32 {
        let bits = r.to_bits();
        // Zero, where the magnitude is the smallest normal, and below the top bit where it is not.
        self.odd_top(((bits & !TOP) ^ MIN_NORMAL).wrapping_sub(1));
        Self::zeroed(bits)
    }

    /// An f32 result whose value is an operand's or a rounded operand's: never tiny by rounding.
    #[inline(always)]
    fn rs_exact(&self, r: f32) -> u32 {
        self.odd_nan(r);
        r.to_bits()
    }

    #[inline(always)]
    fn rd(&self, r: f64) -> u64 {
        self.odd_if(r.is_nan());
        r.to_bits()
    }

    /// An f16 operand as an f32, exact; infinities and NaNs are left to the exact body.
    #[inline(always)]
    fn h(&self, a: u32) -> f32 {
        self.odd_if(a & 0x7c00 == 0x7c00);
        finite_half(a)
    }

    /// An f32 rounded to f16; what overflows is left to the exact body.
    #[inline(always)]
    fn rh(&self, r: f32) -> u32 {
        let bits = r.to_bits();
        let magnitude = bits & 0x7fff_ffff;
        self.odd_if(magnitude >= 0x477f_f000);
        // Below the normals, a sum with 0.5 leaves the rounded multiple of 2^-24 in the low bits.
        let denormal = (f32::from_bits(magnitude) + 0.5).to_bits().wrapping_sub(0x3f00_0000);
        let even = magnitude >> 13 & 1;
        let normal = magnitude.wrapping_add(0xfff + even).wrapping_sub(0x3800_0000) >> 13;
        let rounded = if magnitude < 0x3880_0000 { denormal } else { normal };
        rounded | bits >> 16 & 0x8000
    }
}

macro_rules! left_to_exact {
    ($($name:ident ($($a:ident: $t:ty),*) -> $r:ty;)*) => {$(
        #[inline(always)]
        fn $name(&self, $($a: $t),*) -> $r {
            let _ = ($($a,)*);
            self.leave()
        }
    )*};
}

impl<const FLUSH: bool> Alg for Fast<FLUSH> {
    integers!();

    one_line! { self;
        add_f32(a: u32, b: u32) -> u32 = self.rs(self.s(a) + self.s(b));
        sub_f32(a: u32, b: u32) -> u32 = self.rs(self.s(a) - self.s(b));
        mul_f32(a: u32, b: u32) -> u32 = self.rs(self.s(a) * self.s(b));
        fma_f32(a: u32, b: u32, c: u32) -> u32 = self.rs(self.s(a).mul_add(self.s(b), self.s(c)));
        trunc_f32(a: u32) -> u32 = self.rs_exact(self.s(a).trunc());
        ceil_f32(a: u32) -> u32 = self.rs_exact(self.s(a).ceil());
        floor_f32(a: u32) -> u32 = self.rs_exact(self.s(a).floor());
        rndne_f32(a: u32) -> u32 = self.rs_exact(self.s(a).round_ties_even());

        add_f64(a: u64, b: u64) -> u64 = self.rd(f64::from_bits(a) + f64::from_bits(b));
        sub_f64(a: u64, b: u64) -> u64 = self.rd(f64::from_bits(a) - f64::from_bits(b));
        mul_f64(a: u64, b: u64) -> u64 = self.rd(f64::from_bits(a) * f64::from_bits(b));
        fma_f64(a: u64, b: u64, c: u64) -> u64 = self.rd(f64::from_bits(a).mul_add(f64::from_bits(b), f64::from_bits(c)));
        trunc_f64(a: u64) -> u64 = self.rd(f64::from_bits(a).trunc());
        ceil_f64(a: u64) -> u64 = self.rd(f64::from_bits(a).ceil());
        floor_f64(a: u64) -> u64 = self.rd(f64::from_bits(a).floor());
        rndne_f64(a: u64) -> u64 = self.rd(f64::from_bits(a).round_ties_even());

        // Of two f16, an f32 sum or product has so many bits that rounding it again does no harm.
        add_f16(a: u32, b: u32) -> u32 = self.rh(self.h(a) + self.h(b));
        sub_f16(a: u32, b: u32) -> u32 = self.rh(self.h(a) - self.h(b));
        mul_f16(a: u32, b: u32) -> u32 = self.rh(self.h(a) * self.h(b));
        trunc_f16(a: u32) -> u32 = self.rh(self.h(a).trunc());
        ceil_f16(a: u32) -> u32 = self.rh(self.h(a).ceil());
        floor_f16(a: u32) -> u32 = self.rh(self.h(a).floor());
        rndne_f16(a: u32) -> u32 = self.rh(self.h(a).round_ties_even());

        exp_f32(a: u32) -> u32 = self.exp2(a);
        exp_f16(a: u32) -> u32 = self.exp2_half(a);
        log_f32(a: u32) -> u32 = self.log2(a);
        log_f16(a: u32) -> u32 = self.log2_half(a);
        rcp_f32(a: u32) -> u32 = self.reciprocal(a);
        rcp_f16(a: u32) -> u32 = self.narrowed(self.reciprocal(self.widened(a)));
        rcp_f64(a: u64) -> u64 = self.rd(1.0 / f64::from_bits(a));
        sqrt_f32(a: u32) -> u32 = self.root(a);
        sqrt_f16(a: u32) -> u32 = self.narrowed(self.root(self.widened(a)));
        sqrt_f64(a: u64) -> u64 = self.rd(f64::from_bits(a).sqrt());
        rsq_f32(a: u32) -> u32 = self.inverse_root(a);
        rsq_f16(a: u32) -> u32 = self.narrowed(self.inverse_root(self.widened(a)));
        rsq_f64(a: u64) -> u64 = self.inverse_root_f64(a);
        sin_f32(a: u32) -> u32 = self.turned(a, false);
        sin_f16(a: u32) -> u32 = self.narrowed(self.turned(self.widened(a), false));
        cos_f32(a: u32) -> u32 = self.turned(a, true);
        cos_f16(a: u32) -> u32 = self.narrowed(self.turned(self.widened(a), true));
        finite_f32(a: u32) -> u32 = if a & !TOP == 0x7f80_0000 { a - 1 } else { a };
        finite_f64(a: u64) -> u64 = if f64::from_bits(a).is_infinite() { a - 1 } else { a };
        inf_to_zero_f32(a: u32) -> u32 = if a & !TOP == 0x7f80_0000 { a & TOP } else { a };

        f32_of_i32(a: u32) -> u32 = (a as i32 as f32).to_bits();
        f32_of_u32(a: u32) -> u32 = (a as f32).to_bits();
        f64_of_i32(a: u32) -> u64 = f64::from(a as i32).to_bits();
        f64_of_u32(a: u32) -> u64 = f64::from(a).to_bits();
        i32_of_f32(a: u32) -> u32 = f32::from_bits(a) as i32 as u32;
        u32_of_f32(a: u32) -> u32 = f32::from_bits(a) as u32;
        i32_of_f64(a: u64) -> u32 = f64::from_bits(a) as i32 as u32;
        u32_of_f64(a: u64) -> u32 = f64::from_bits(a) as u32;
    }

    #[inline(always)]
    fn lane(&self) -> u32 {
        self.lane
    }

    /// Flushes whatever the mode says; see the notes on `v_mad_f32`.
    #[inline(always)]
    fn mad_f32(&self, a: u32, b: u32, c: u32) -> u32 {
        let z = |v| f32::from_bits(Self::zeroed(v));
        let product = z(a) * z(b);
        self.odd_nan(product);
        let product = f32::from_bits(self.flushed(product));
        let sum = product + z(c);
        self.odd_nan(sum);
        self.flushed(sum)
    }

    #[inline(always)]
    fn mul_legacy_f32(&self, a: u32, b: u32) -> u32 {
        let (a, b) = (self.s(a), self.s(b));
        if a == 0.0 || b == 0.0 { 0 } else { self.rs(a * b) }
    }

    #[inline(always)]
    fn min_f32(&self, a: u32, b: u32) -> u32 {
        let (x, y) = (f32::from_bits(a), f32::from_bits(b));
        self.odd_if(x.is_nan() | y.is_nan() | FLUSH & (x.is_subnormal() | y.is_subnormal()));
        if x == y {
            a | b
        } else if x < y {
            a
        } else {
            b
        }
    }
    #[inline(always)]
    fn max_f32(&self, a: u32, b: u32) -> u32 {
        let (x, y) = (f32::from_bits(a), f32::from_bits(b));
        self.odd_if(x.is_nan() | y.is_nan() | FLUSH & (x.is_subnormal() | y.is_subnormal()));
        if x == y {
            a & b
        } else if x > y {
            a
        } else {
            b
        }
    }
    #[inline(always)]
    fn min_f64(&self, a: u64, b: u64) -> u64 {
        let (x, y) = (f64::from_bits(a), f64::from_bits(b));
        self.odd_if(x.is_nan() | y.is_nan());
        if x == y {
            a | b
        } else if x < y {
            a
        } else {
            b
        }
    }
    #[inline(always)]
    fn max_f64(&self, a: u64, b: u64) -> u64 {
        let (x, y) = (f64::from_bits(a), f64::from_bits(b));
        self.odd_if(x.is_nan() | y.is_nan());
        if x == y {
            a & b
        } else if x > y {
            a
        } else {
            b
        }
    }

    #[inline(always)]
    fn fma_f16(&self, a: u32, b: u32, c: u32) -> u32 {
        let (a, b, c) = (self.h(a), self.h(b), self.h(c));
        // The product is exact. Where the sum is not, rounding it again does harm only on a tie, or among the denormals.
        let product = a * b;
        let sum = product + c;
        let inexact = f64::from(product) + f64::from(c) != f64::from(sum);
        self.odd_if(inexact & ((sum.to_bits() & 0x1fff == 0x1000) | (sum.abs() < f32::from_bits(0x3880_0000))));
        self.rh(sum)
    }

    #[inline(always)]
    fn cmp_f32(&self, op: Cmp, a: u32, b: u32) -> bool {
        let (a, b) = (self.s(a), self.s(b));
        compare(op, a < b, a == b, a > b)
    }
    #[inline(always)]
    fn cmp_f64(&self, op: Cmp, a: u64, b: u64) -> bool {
        let (a, b) = (f64::from_bits(a), f64::from_bits(b));
        compare(op, a < b, a == b, a > b)
    }
    #[inline(always)]
    fn cmp_f16(&self, op: Cmp, a: u32, b: u32) -> bool {
        let (a, b) = (self.h(a), self.h(b));
        compare(op, a < b, a == b, a > b)
    }

    #[inline(always)]
    fn fract_f32(&self, a: u32) -> u32 {
        let a = self.s(a);
        let r = a - a.floor();
        self.odd_if(!a.is_finite());
        self.rs(if r >= 1.0 { f32::from_bits(0x3f7f_ffff) } else { r })
    }
    #[inline(always)]
    fn fract_f64(&self, a: u64) -> u64 {
        let a = f64::from_bits(a);
        let r = a - a.floor();
        self.odd_if(!a.is_finite());
        self.rd(if r >= 1.0 { f64::from_bits(0x3fef_ffff_ffff_ffff) } else { r })
    }

    #[inline(always)]
    fn div_fmas_f32(&self, a: u32, b: u32, c: u32, scaled: bool) -> u32 {
        let denormal = |v: u32| v & 0x7f80_0000 == 0 && v & 0x007f_ffff != 0;
        self.odd_if(scaled | FLUSH & (denormal(a) | denormal(b) | denormal(c)));
        self.fma_f32(a, b, c)
    }
    #[inline(always)]
    fn div_fmas_f64(&self, a: u64, b: u64, c: u64, scaled: bool) -> u64 {
        self.odd_if(scaled);
        self.fma_f64(a, b, c)
    }

    #[inline(always)]
    fn f32_of_f16(&self, a: u32) -> u32 {
        // A denormal f16 is a normal f32.
        self.h(a).to_bits()
    }
    #[inline(always)]
    fn f16_of_f32(&self, a: u32) -> u32 {
        self.rh(self.s(a))
    }
    #[inline(always)]
    fn f64_of_f32(&self, a: u32) -> u64 {
        self.rd(f64::from(self.s(a)))
    }
    #[inline(always)]
    fn f32_of_f64(&self, a: u64) -> u32 {
        self.rs(f64::from_bits(a) as f32)
    }
    #[inline(always)]
    fn i32_of_f32_floor(&self, a: u32) -> u32 {
        let a = self.s(a);
        self.odd_if(a.is_nan());
        a.floor() as i32 as u32
    }
    #[inline(always)]
    fn i32_of_f32_nearest(&self, a: u32) -> u32 {
        let a = self.s(a);
        self.odd_if(a.is_nan());
        (f64::from(a) + 0.5).floor() as i32 as u32
    }

    /// The answer is a truth value, which says nothing by itself: the lane is odd.
    #[inline(always)]
    fn div_scale_f32(&self, _: u32, _: u32, _: u32) -> (u32, bool) {
        self.leave()
    }
    #[inline(always)]
    fn div_scale_f64(&self, _: u64, _: u64, _: u64) -> (u64, bool) {
        self.leave()
    }

    left_to_exact! {
        minimum_f16(a: u32, b: u32) -> u32;
        min_f16(a: u32, b: u32) -> u32;
        max_f16(a: u32, b: u32) -> u32;
        minimum_f32(a: u32, b: u32) -> u32;
        minimum_f64(a: u64, b: u64) -> u64;
        maximum_f16(a: u32, b: u32) -> u32;
        maximum_f32(a: u32, b: u32) -> u32;
        maximum_f64(a: u64, b: u64) -> u64;
        fract_f16(a: u32) -> u32;
        frexp_mant_f16(a: u32) -> u32;
        frexp_mant_f32(a: u32) -> u32;
        frexp_mant_f64(a: u64) -> u64;
        div_fixup_f16(q: u32, d: u32, n: u32) -> u32;
        div_fixup_f32(q: u32, d: u32, n: u32) -> u32;
        div_fixup_f64(q: u64, d: u64, n: u64) -> u64;
        med3_f16(a: u32, b: u32, c: u32) -> u32;
        med3_f32(a: u32, b: u32, c: u32) -> u32;
        med3_f64(a: u64, b: u64, c: u64) -> u64;
        mad_f16(a: u32, b: u32, c: u32) -> u32;
        mad_legacy_f32(a: u32, b: u32, c: u32) -> u32;
        fma_legacy_f32(a: u32, b: u32, c: u32) -> u32;
        min_legacy_f32(a: u32, b: u32) -> u32;
        max_legacy_f32(a: u32, b: u32) -> u32;
        frexp_exp_f16(a: u32) -> u32;
        frexp_exp_f32(a: u32) -> u32;
        frexp_exp_f64(a: u64) -> u32;
        ldexp_f16(a: u32, n: u32) -> u32;
        ldexp_f32(a: u32, n: u32) -> u32;
        ldexp_f64(a: u64, n: u32) -> u64;
        trig_preop_f64(a: u64, segment: u32) -> u64;
        cubeid_f32(x: u32, y: u32, z: u32) -> u32;
        cubesc_f32(x: u32, y: u32, z: u32) -> u32;
        cubetc_f32(x: u32, y: u32, z: u32) -> u32;
        cubema_f32(x: u32, y: u32, z: u32) -> u32;
        mullit_f32(a: u32, b: u32, c: u32) -> u32;
        f16_of_f32_rtz(a: u32) -> u32;
        f16_of_i16(a: u32) -> u32;
        f16_of_u16(a: u32) -> u32;
        i16_of_f16(a: u32) -> u32;
        u16_of_f16(a: u32) -> u32;
        i16_of_f32(a: u32) -> u32;
        u16_of_f32(a: u32) -> u32;
        f32_of_i4_off(a: u32) -> u32;
        snorm16_of_f32(a: u32) -> u32;
        unorm16_of_f32(a: u32) -> u32;
        snorm16_of_f16(a: u32) -> u32;
        unorm16_of_f16(a: u32) -> u32;
        u8_of_f32(a: u32) -> u32;
        fma_f16_of_f32(a: u32, b: u32, c: u32) -> u32;
        mad_f16_of_f32(a: u32, b: u32, c: u32) -> u32;
        canonical_f16(a: u32) -> u32;
        dot2_f32_f16(a: u32, b: u32, c: u32) -> u32;
        dot2_f32_bf16(a: u32, b: u32, c: u32) -> u32;
        dot2_f16_f16(a: u32, b: u32, c: u32) -> u32;
        dot2_bf16_bf16(a: u32, b: u32, c: u32) -> u32;
        class_f16(a: u32, mask: u32) -> bool;
        class_f32(a: u32, mask: u32) -> bool;
        class_f64(a: u64, mask: u32) -> bool;
        dot4_f32_fp8(a: u32, b: u32, c: u32, bf8_a: bool, bf8_b: bool) -> u32;
        f32_of_fp8(a: u32, bf8: bool) -> u32;
        fp8_of_f32(a: u32, bf8: bool) -> u32;
        fp8_of_f32_sr(a: u32, seed: u32, bf8: bool) -> u32;
    }
}
