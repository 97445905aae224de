//! Choices among numbers, by integers of the same order: -0 lies below +0. NaNs are left to the exact body.

use super::{Fast, TOP};

/// An f16 as an integer of the same order.
#[inline(always)]
fn rank_16(a: u32) -> i32 {
    let a = (a << 16) as i32 >> 16;
    a ^ (a >> 31 & 0x7fff)
}

/// The f16 of such an integer.
#[inline(always)]
fn of_rank_16(rank: i32) -> u32 {
    (rank ^ (rank >> 31 & 0x7fff)) as u32 & 0xffff
}

/// An f32 as an integer of the same order, or back.
#[inline(always)]
fn rank_32(a: u32) -> i32 {
    let a = a as i32;
    a ^ (a >> 31 & i32::MAX)
}

/// An f64 as an integer of the same order, or back.
#[inline(always)]
fn rank_64(a: u64) -> i64 {
    let a = a as i64;
    a ^ (a >> 63 & i64::MAX)
}

/// The middle one.
#[inline(always)]
fn middle<T: Ord + Copy>(a: T, b: T, c: T) -> T {
    a.min(b).max(a.max(b).min(c))
}

impl<const FLUSH: bool> Fast<FLUSH> {
    #[inline(always)]
    fn rank_f16(&self, a: u32) -> i32 {
        self.odd_nan_f16(a);
        rank_16(a)
    }

    /// Whether operands of a choice are flushed is a matter of the generation: a denormal is odd where they may be.
    #[inline(always)]
    fn rank_f32(&self, a: u32) -> i32 {
        self.odd_nan(f32::from_bits(a));
        if FLUSH {
            self.odd_if((a & !TOP).wrapping_sub(1) < 0x007f_ffff);
        }
        rank_32(a)
    }

    /// Of an operand that is flushed.
    #[inline(always)]
    fn rank_flushed(&self, a: u32) -> i32 {
        let a = self.s(a);
        self.odd_nan(a);
        rank_32(a.to_bits())
    }

    #[inline(always)]
    fn rank_f64(&self, a: u64) -> i64 {
        self.odd_if(f64::from_bits(a).is_nan());
        rank_64(a)
    }

    /// The lesser of two.
    #[inline(always)]
    pub(super) fn least_f16(&self, a: u32, b: u32) -> u32 {
        of_rank_16(self.rank_f16(a).min(self.rank_f16(b)))
    }

    /// The greater of two.
    #[inline(always)]
    pub(super) fn greatest_f16(&self, a: u32, b: u32) -> u32 {
        of_rank_16(self.rank_f16(a).max(self.rank_f16(b)))
    }

    /// The median.
    #[inline(always)]
    pub(super) fn middle_f16(&self, a: u32, b: u32, c: u32) -> u32 {
        of_rank_16(middle(self.rank_f16(a), self.rank_f16(b), self.rank_f16(c)))
    }

    /// The lesser of two that are flushed.
    #[inline(always)]
    pub(super) fn least_f32(&self, a: u32, b: u32) -> u32 {
        rank_32(self.rank_flushed(a).min(self.rank_flushed(b)) as u32) as u32
    }

    /// The greater of two that are flushed.
    #[inline(always)]
    pub(super) fn greatest_f32(&self, a: u32, b: u32) -> u32 {
        rank_32(self.rank_flushed(a).max(self.rank_flushed(b)) as u32) as u32
    }

    /// The median.
    #[inline(always)]
    pub(super) fn middle_f32(&self, a: u32, b: u32, c: u32) -> u32 {
        rank_32(middle(self.rank_f32(a), self.rank_f32(b), self.rank_f32(c)) as u32) as u32
    }

    /// The lesser of two.
    #[inline(always)]
    pub(super) fn least_f64(&self, a: u64, b: u64) -> u64 {
        rank_64(self.rank_f64(a).min(self.rank_f64(b)) as u64) as u64
    }

    /// The greater of two.
    #[inline(always)]
    pub(super) fn greatest_f64(&self, a: u64, b: u64) -> u64 {
        rank_64(self.rank_f64(a).max(self.rank_f64(b)) as u64) as u64
    }

    /// The median.
    #[inline(always)]
    pub(super) fn middle_f64(&self, a: u64, b: u64, c: u64) -> u64 {
        rank_64(middle(self.rank_f64(a), self.rank_f64(b), self.rank_f64(c)) as u64) as u64
    }

    /// Old choices give the second where either is a NaN.
    #[inline(always)]
    pub(super) fn chosen_legacy(&self, a: u32, b: u32, first: impl Fn(f32, f32) -> bool) -> u32 {
        if FLUSH {
            let denormal = |a: u32| (a & !TOP).wrapping_sub(1) < 0x007f_ffff;
            self.odd_if(denormal(a) | denormal(b));
        }
        if first(f32::from_bits(a), f32::from_bits(b)) { a } else { b }
    }

    /// Whether a number is of one of the classes of a mask, by its fields: bits in front of the quiet one, the smallest normal, infinity.
    #[inline(always)]
    pub(super) fn classed(sign: bool, magnitude: u64, min_normal: u64, inf: u64, mask: u32) -> bool {
        let rank = u32::from(magnitude != 0) + u32::from(magnitude >= min_normal) + u32::from(magnitude >= inf);
        let signed = if sign { 5 - rank } else { 6 + rank };
        let quiet = u32::from(magnitude & min_normal >> 1 != 0);
        mask >> if magnitude > inf { quiet } else { signed } & 1 != 0
    }
}
