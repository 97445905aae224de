//! Comparison, the smaller and the larger, and the middle one.

use crate::fault::planted;
use std::cmp::Ordering;

use super::{Env, Format};

/// What minimum and maximum do with NaNs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NanRule {
    /// gfx6 to gfx11 with the IEEE bit: the first signalling NaN, quieted; otherwise the operand that is no NaN, or else the first.
    Ieee,
    /// gfx6 to gfx11 without it: the operand that is no NaN, or else the first, as it is.
    Dx,
    /// gfx12 `_num`: the operand that is no NaN, or else the first, quieted.
    Number,
    /// `minimum` and `maximum`: the first NaN, quieted.
    Propagate,
}

impl Env {
    /// How the operands compare after flushing; `None` if one is a NaN. Zeros are equal.
    #[inline]
    pub fn compare(&mut self, f: Format, a: u64, b: u64) -> Option<Ordering> {
        let (a, b) = (self.input(f, a), self.input(f, b));
        if f.is_nan(a) || f.is_nan(b) {
            if f.is_signalling(a) || f.is_signalling(b) {
                self.raised |= super::Exceptions::INVALID;
            }
            None
        } else if f.is_zero(a) && f.is_zero(b) {
            Some(Ordering::Equal)
        } else {
            Some(f.rank(a).cmp(&f.rank(b)))
        }
    }

    /// The smaller operand, -0 below +0. Operands are flushed by the rules (gfx6 to gfx8 never flush here), the result is not.
    /// open: the order of zeros on gfx6 to gfx8.
    #[inline]
    pub fn min(&mut self, f: Format, rule: NanRule, a: u64, b: u64) -> u64 {
        self.extremum(f, rule, a, b, false)
    }

    /// The larger operand, as [`Env::min`].
    #[inline]
    pub fn max(&mut self, f: Format, rule: NanRule, a: u64, b: u64) -> u64 {
        self.extremum(f, rule, a, b, true)
    }

    #[inline]
    fn extremum(&mut self, f: Format, rule: NanRule, a: u64, b: u64, larger: bool) -> u64 {
        let (a, b) = (self.input(f, a), self.input(f, b));
        if f.is_nan(a) || f.is_nan(b) {
            return self.extremum_nan(f, rule, a, b);
        }
        if f.is_zero(a) && f.is_zero(b) && planted!(MinOfZeros) {
            return a;
        }
        if (f.rank(b) > f.rank(a)) == larger && a != b { b } else { a }
    }

    #[cold]
    fn extremum_nan(&mut self, f: Format, rule: NanRule, a: u64, b: u64) -> u64 {
        let signalling = f.is_signalling(a) || f.is_signalling(b);
        if signalling {
            self.raised |= super::Exceptions::INVALID;
        }
        let (first, other) = if f.is_nan(a) { (a, b) } else { (b, a) };
        let number = !f.is_nan(other);
        match rule {
            NanRule::Ieee if signalling && !planted!(MinOfSignaling) => {
                (if f.is_signalling(a) { a } else { b }) | f.quiet_bit()
            }
            NanRule::Propagate => first | f.quiet_bit(),
            NanRule::Ieee | NanRule::Dx | NanRule::Number if number => other,
            NanRule::Dx => a,
            NanRule::Ieee | NanRule::Number => a | f.quiet_bit(),
        }
    }

    /// The operand in the middle, -0 below +0; with a NaN the minimum of all three.
    /// open: measured on gfx12 only; compilers assume other results for NaNs before.
    #[inline]
    pub fn med3(&mut self, f: Format, rule: NanRule, a: u64, b: u64, c: u64) -> u64 {
        let (a, b, c) = (self.input(f, a), self.input(f, b), self.input(f, c));
        if f.is_nan(a) || f.is_nan(b) || f.is_nan(c) {
            let two = self.min(f, rule, a, b);
            return self.min(f, rule, two, c);
        }
        let (low, high) = if f.rank(b) < f.rank(a) { (b, a) } else { (a, b) };
        if f.rank(c) <= f.rank(low) {
            low
        } else if f.rank(c) >= f.rank(high) {
            high
        } else {
            c
        }
    }

    /// The smaller of the value in memory and the operand, as float atomics leave it: flushed for the comparison alone. Between equals the value in
    /// memory stays.
    #[inline]
    pub fn atomic_min(&mut self, f: Format, old: u64, new: u64) -> u64 {
        let least = self.min(f, NanRule::Ieee, old, new);
        self.unflushed(f, least, old, new)
    }

    /// The larger one, as [`Env::atomic_min`].
    #[inline]
    pub fn atomic_max(&mut self, f: Format, old: u64, new: u64) -> u64 {
        let largest = self.max(f, NanRule::Ieee, old, new);
        self.unflushed(f, largest, old, new)
    }

    /// The operand from which a flushed result came; NaNs stay as the result has them.
    #[inline]
    fn unflushed(&mut self, f: Format, result: u64, old: u64, new: u64) -> u64 {
        if f.is_nan(result) {
            result
        } else if self.input(f, old) == result {
            old
        } else {
            new
        }
    }

    /// `a < b ? a : b`, a NaN in either gives `b`: V_MIN_LEGACY.
    #[inline]
    pub fn min_legacy(&mut self, f: Format, a: u64, b: u64) -> u64 {
        if self.compare(f, a, b) == Some(Ordering::Less) { self.input(f, a) } else { self.input(f, b) }
    }

    /// `a >= b ? a : b`, a NaN in either gives `b`: V_MAX_LEGACY.
    #[inline]
    pub fn max_legacy(&mut self, f: Format, a: u64, b: u64) -> u64 {
        if matches!(self.compare(f, a, b), Some(Ordering::Greater | Ordering::Equal)) {
            self.input(f, a)
        } else {
            self.input(f, b)
        }
    }
}
