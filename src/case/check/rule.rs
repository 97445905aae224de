//! How closely a value is met.

use crate::isa::types::Ty;
use std::fmt;

/// How closely a value is met. The default is to the bit; of several tolerances one is enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Rule {
    /// Floats may be so many values apart; both zeros are one value.
    pub ulp: u64,
    /// Floats may differ by so much: the bits of an `f64`, so that rules can be compared. Zero: not at all.
    pub abs: u64,
    /// Any NaN will do where a NaN is expected.
    pub nan_any: bool,
}

impl Rule {
    /// The most values that floats may be apart: those of one power of two. A distance beyond it says nothing of the value.
    #[must_use]
    pub fn max_ulp(ty: Ty) -> u64 {
        ty.layout().map_or(0, |layout| 1 << layout.mantissa)
    }

    /// Whether one value does for another.
    #[must_use]
    pub fn accepts(&self, ty: Ty, expected: u64, got: u64) -> bool {
        (expected ^ got) & ty.mask() == 0
            || self.nan_any && ty.is_nan(expected) && ty.is_nan(got)
            || self.ulp > 0 && ty.ulps(expected, got).is_some_and(|apart| apart <= self.ulp)
            || self.abs > 0 && self.is_near(ty, expected, got)
    }

    /// Infinities are near nothing but themselves, and NaNs near nothing.
    fn is_near(&self, ty: Ty, expected: u64, got: u64) -> bool {
        let apart = (ty.to_f64(expected) - ty.to_f64(got)).abs();
        ty.layout().is_some() && apart <= f64::from_bits(self.abs)
    }

    /// Whether the rule tells a value from an untouched zero. An absolute tolerance that swallows what is expected does not.
    #[must_use]
    pub fn tells(&self, ty: Ty, expected: u64) -> bool {
        let zero = expected & ty.mask() == 0;
        self.abs == 0 || zero || !self.is_near(ty, expected, 0)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ulp > 0 {
            write!(f, ", ulp({})", self.ulp)?;
        }
        if self.abs > 0 {
            write!(f, ", abs({:?})", f64::from_bits(self.abs))?;
        }
        f.write_str(if self.nan_any { ", nan_any" } else { "" })
    }
}
