//! The host's floats, where they are the hardware's.
//!
//! All of it is loops over lanes in the end: there are no branches, what is not needed is computed and not chosen. Bodies of several lines stand in
//! files by what they have in common.

mod divide;
mod dot;
mod fp8;
pub(super) mod half;
mod integral;
mod old;
mod order;
mod silicon;
#[cfg(test)]
mod tests;
mod unit;

use super::{Env, Machine, Quick, compare, integers, one_line};
use crate::emu::soft::half;
use crate::isa::sem::{Alg, Cmp};
use integral::{small_whole, snorm16, unorm16};
use std::cell::Cell;

pub use unit::Unit;

/// One lane computed with the host's arithmetic; see the [module](super).
pub struct Fast<const FLUSH: bool> {
    lane: u32,
    machine: Machine,
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
        Fast { lane, machine: Machine::default(), odd: Cell::new(0) }
    }

    #[inline(always)]
    pub(super) fn odd_if(&self, odd: bool) {
        self.odd_top(u32::from(odd).wrapping_neg());
    }

    /// Odd if the top bit is set.
    #[inline(always)]
    fn odd_top(&self, v: u32) {
        self.odd.set(self.odd.get() | v);
    }

    /// A NaN is odd.
    #[inline(always)]
    pub(super) fn odd_nan(&self, r: f32) {
        // Compares are dear where masks are registers of their own (AVX-512): it is better to count.
        self.odd_top((r.to_bits() & !TOP) + 0x007f_ffff);
    }

    /// The value is not to be had here: the lane is computed exactly.
    #[inline(always)]
    pub(super) fn leave<T: Default>(&self) -> T {
        self.odd.set(u32::MAX);
        T::default()
    }

    #[inline(always)]
    pub(super) fn zeroed(a: u32) -> u32 {
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
    pub(super) fn rs_exact(&self, r: f32) -> u32 {
        self.odd_nan(r);
        r.to_bits()
    }

    #[inline(always)]
    fn rd(&self, r: f64) -> u64 {
        self.odd_if(r.is_nan());
        r.to_bits()
    }
}

impl<const FLUSH: bool> Quick for Fast<FLUSH> {
    type Modes = Machine;
    const ALL_SIZES: bool = false;

    #[inline(always)]
    fn modes(env: &Env) -> Machine {
        env.machine()
    }
    #[inline(always)]
    fn beside(machine: Machine, unit: Unit) -> Machine {
        Machine { unit, ..machine }
    }
    #[inline(always)]
    fn of(lane: u32, machine: Machine) -> Self {
        Fast { lane, machine, odd: Cell::new(0) }
    }
    #[inline(always)]
    fn oddness(&self) -> u32 {
        self.odd.get()
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
        add_f16(a: u32, b: u32) -> u32 = self.narrow(half(a) + half(b));
        sub_f16(a: u32, b: u32) -> u32 = self.narrow(half(a) - half(b));
        mul_f16(a: u32, b: u32) -> u32 = self.narrow(half(a) * half(b));
        fma_f16(a: u32, b: u32, c: u32) -> u32 = self.fused_f16(a, b, c);
        mad_f16(a: u32, b: u32, c: u32) -> u32 = self.add_f16(self.mul_f16(a, b), c);
        trunc_f16(a: u32) -> u32 = self.narrow(half(a).trunc());
        ceil_f16(a: u32) -> u32 = self.narrow(half(a).ceil());
        floor_f16(a: u32) -> u32 = self.narrow(half(a).floor());
        rndne_f16(a: u32) -> u32 = self.narrow(half(a).round_ties_even());
        fract_f16(a: u32) -> u32 = self.fraction_f16(a);
        canonical_f16(a: u32) -> u32 = self.number_f16(a);
        fma_f16_of_f32(a: u32, b: u32, c: u32) -> u32 = self.fused_to_f16(a, b, c);
        mad_f16_of_f32(a: u32, b: u32, c: u32) -> u32 = self.again_to_f16(self.mad_f32(a, b, c));

        min_f16(a: u32, b: u32) -> u32 = self.least_f16(a, b);
        max_f16(a: u32, b: u32) -> u32 = self.greatest_f16(a, b);
        minimum_f16(a: u32, b: u32) -> u32 = self.least_f16(a, b);
        maximum_f16(a: u32, b: u32) -> u32 = self.greatest_f16(a, b);
        minimum_f32(a: u32, b: u32) -> u32 = self.least_f32(a, b);
        maximum_f32(a: u32, b: u32) -> u32 = self.greatest_f32(a, b);
        minimum_f64(a: u64, b: u64) -> u64 = self.least_f64(a, b);
        maximum_f64(a: u64, b: u64) -> u64 = self.greatest_f64(a, b);
        med3_f16(a: u32, b: u32, c: u32) -> u32 = self.middle_f16(a, b, c);
        med3_f32(a: u32, b: u32, c: u32) -> u32 = self.middle_f32(a, b, c);
        med3_f64(a: u64, b: u64, c: u64) -> u64 = self.middle_f64(a, b, c);
        min_legacy_f32(a: u32, b: u32) -> u32 = self.chosen_legacy(a, b, |a, b| a < b);
        max_legacy_f32(a: u32, b: u32) -> u32 = self.chosen_legacy(a, b, |a, b| a >= b);
        class_f16(a: u32, mask: u32) -> bool = Self::classed(a & 0x8000 != 0, u64::from(a & 0x7fff), 0x400, 0x7c00, mask);
        class_f32(a: u32, mask: u32) -> bool = Self::classed(a & TOP != 0, u64::from(a & !TOP), 0x0080_0000, 0x7f80_0000, mask);
        class_f64(a: u64, mask: u32) -> bool = Self::classed(a >> 63 != 0, a & (u64::MAX >> 1), 1 << 52, 0x7ff << 52, mask);

        frexp_mant_f16(a: u32) -> u32 = self.significand_f16(a);
        frexp_mant_f32(a: u32) -> u32 = self.significand_f32(a);
        frexp_mant_f64(a: u64) -> u64 = self.significand_f64(a);
        frexp_exp_f16(a: u32) -> u32 = Self::exponent_f16(a);
        frexp_exp_f32(a: u32) -> u32 = self.exponent_f32(a);
        frexp_exp_f64(a: u64) -> u32 = self.exponent_f64(a);
        ldexp_f16(a: u32, n: u32) -> u32 = self.scaled_f16(a, n);
        ldexp_f32(a: u32, n: u32) -> u32 = self.scaled_f32(a, n);
        ldexp_f64(a: u64, n: u32) -> u64 = self.scaled_f64(a, n);
        div_scale_f32(v: u32, d: u32, n: u32) -> (u32, bool) = self.scale_f32(v, d, n);
        div_scale_f64(v: u64, d: u64, n: u64) -> (u64, bool) = self.scale_f64(v, d, n);
        div_fixup_f16(q: u32, d: u32, n: u32) -> u32 = self.fixed_f16(q, d, n);
        div_fixup_f32(q: u32, d: u32, n: u32) -> u32 = self.fixed_f32(q, d, n);
        div_fixup_f64(q: u64, d: u64, n: u64) -> u64 = self.fixed_f64(q, d, n);
        mad_legacy_f32(a: u32, b: u32, c: u32) -> u32 = self.mad_of_old(a, b, c);
        fma_legacy_f32(a: u32, b: u32, c: u32) -> u32 = self.fma_of_old(a, b, c);
        mullit_f32(a: u32, b: u32, c: u32) -> u32 = self.lit(a, b, c);
        cubeid_f32(x: u32, y: u32, z: u32) -> u32 = Self::face(x, y, z);
        cubesc_f32(x: u32, y: u32, z: u32) -> u32 = self.first_on_face(x, y, z);
        cubetc_f32(x: u32, y: u32, z: u32) -> u32 = self.second_on_face(x, y, z);
        cubema_f32(x: u32, y: u32, z: u32) -> u32 = self.twice_the_axis(x, y, z);
        finite_f32(a: u32) -> u32 = if a & !TOP == 0x7f80_0000 { a - 1 } else { a };
        finite_f64(a: u64) -> u64 = if a << 1 == 0x7ff << 53 { a - 1 } else { a };
        inf_to_zero_f32(a: u32) -> u32 = if a & !TOP == 0x7f80_0000 { a & TOP } else { a };

        f32_of_f16(a: u32) -> u32 = self.rs_exact(half(a));
        f16_of_f32(a: u32) -> u32 = self.narrow(self.s(a));
        f16_of_f32_rtz(a: u32) -> u32 = self.narrow_toward_zero(a);
        f16_of_i16(a: u32) -> u32 = self.narrow(f32::from(a as i16));
        f16_of_u16(a: u32) -> u32 = self.narrow(f32::from(a as u16));
        i16_of_f16(a: u32) -> u32 = small_whole(half(a), -32768.0, 32767.0) & 0xffff;
        u16_of_f16(a: u32) -> u32 = small_whole(half(a), 0.0, 65535.0);
        i16_of_f32(a: u32) -> u32 = small_whole(f32::from_bits(a), -32768.0, 32767.0) & 0xffff;
        u16_of_f32(a: u32) -> u32 = small_whole(f32::from_bits(a), 0.0, 65535.0);
        u8_of_f32(a: u32) -> u32 = small_whole(f32::from_bits(a), 0.0, 255.0);
        f32_of_i4_off(a: u32) -> u32 = (((a << 28) as i32 >> 28) as f32 * 0.0625).to_bits();
        snorm16_of_f32(a: u32) -> u32 = snorm16(f32::from_bits(a));
        unorm16_of_f32(a: u32) -> u32 = unorm16(f32::from_bits(a));
        snorm16_of_f16(a: u32) -> u32 = snorm16(half(a));
        unorm16_of_f16(a: u32) -> u32 = unorm16(half(a));
        f32_of_fp8(a: u32, bf8: bool) -> u32 = self.of_fp8(a, bf8);
        fp8_of_f32(a: u32, bf8: bool) -> u32 = self.to_fp8(a, bf8);
        fp8_of_f32_sr(a: u32, seed: u32, bf8: bool) -> u32 = self.to_fp8_by(a, seed, bf8);

        dot2_f32_f16(a: u32, b: u32, c: u32) -> u32 = self.dot_f16(a, b, c);
        dot2_f32_bf16(a: u32, b: u32, c: u32) -> u32 = self.dot_bf16(a, b, c);
        dot2_f16_f16(a: u32, b: u32, c: u32) -> u32 = self.dot_into_f16(a, b, c);
        dot2_bf16_bf16(a: u32, b: u32, c: u32) -> u32 = self.dot_into_bf16(a, b, c);
        dot4_f32_fp8(a: u32, b: u32, c: u32, bf8_a: bool, bf8_b: bool) -> u32 = self.dot_bytes(a, b, c, bf8_a, bf8_b);

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

        f32_of_i32(a: u32) -> u32 = (a as i32 as f32).to_bits();
        f32_of_u32(a: u32) -> u32 = (a as f32).to_bits();
        f64_of_i32(a: u32) -> u64 = f64::from(a as i32).to_bits();
        f64_of_u32(a: u32) -> u64 = f64::from(a).to_bits();
        i32_of_f32(a: u32) -> u32 = Self::signed(a);
        u32_of_f32(a: u32) -> u32 = Self::unsigned(a);
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
        let (a, b) = (half(a), half(b));
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

    left_to_exact! {
        trig_preop_f64(a: u64, segment: u32) -> u64;
    }
}
