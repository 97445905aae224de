//! Formats: the fields of a pattern, its special values, and what can be said and done with the bits alone.

use super::Num;

/// A binary interchange format: a sign bit, `exp` exponent bits, `man` fraction bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    /// Width of the exponent field, at least 2 and at most 11.
    pub exp: u32,
    /// Width of the fraction field, at least 2 and at most 52.
    pub man: u32,
}

/// Half precision.
pub const F16: Format = Format { exp: 5, man: 10 };
/// The upper half of single precision.
pub const BF16: Format = Format { exp: 8, man: 7 };
/// Single precision.
pub const F32: Format = Format { exp: 8, man: 23 };
/// Double precision.
pub const F64: Format = Format { exp: 11, man: 52 };

impl Format {
    /// Width of a pattern in bits.
    #[inline]
    pub const fn width(self) -> u32 {
        1 + self.exp + self.man
    }

    /// What is added to the exponent of a normal number in its field.
    #[inline]
    pub const fn bias(self) -> i32 {
        (1 << (self.exp - 1)) - 1
    }

    /// The bit of the sign.
    #[inline]
    pub const fn sign_bit(self) -> u64 {
        1 << (self.exp + self.man)
    }

    /// The bit of the fraction which makes a NaN a quiet one.
    #[inline]
    pub const fn quiet_bit(self) -> u64 {
        1 << (self.man - 1)
    }

    /// The bits of the fraction.
    #[inline]
    pub const fn fraction(self) -> u64 {
        (1 << self.man) - 1
    }

    /// Plus infinity.
    #[inline]
    pub const fn inf(self) -> u64 {
        self.sign_bit() - (1 << self.man)
    }

    /// The largest finite number.
    #[inline]
    pub const fn max(self) -> u64 {
        self.inf() - 1
    }

    /// The smallest normal number.
    #[inline]
    pub const fn min_normal(self) -> u64 {
        1 << self.man
    }

    /// 1.0
    #[inline]
    pub const fn one(self) -> u64 {
        (self.bias() as u64) << self.man
    }

    /// The NaN that operations make: quiet, negative, without payload.
    #[inline]
    pub const fn default_nan(self) -> u64 {
        self.sign_bit() | self.inf() | self.quiet_bit()
    }

    /// The pattern with this sign and the magnitude of `bits`, which has no sign.
    #[inline]
    pub(super) const fn signed(self, sign: bool, bits: u64) -> u64 {
        (sign as u64) << (self.exp + self.man) | bits
    }

    /// Whether the sign bit is set.
    #[inline]
    pub const fn sign(self, a: u64) -> bool {
        a & self.sign_bit() != 0
    }

    /// The exponent field: 0 for zeros and subnormals.
    #[inline]
    pub const fn exponent(self, a: u64) -> i32 {
        (self.abs(a) >> self.man) as i32
    }

    /// Without its sign, also of a NaN.
    #[inline]
    pub const fn abs(self, a: u64) -> u64 {
        a & (self.sign_bit() - 1)
    }

    /// With the other sign, also of a NaN.
    #[inline]
    pub const fn neg(self, a: u64) -> u64 {
        a ^ self.sign_bit()
    }

    /// Zero of either sign.
    #[inline]
    pub const fn is_zero(self, a: u64) -> bool {
        self.abs(a) == 0
    }

    /// Not zero and without a leading bit.
    #[inline]
    pub const fn is_subnormal(self, a: u64) -> bool {
        let a = self.abs(a);
        a != 0 && a < self.min_normal()
    }

    /// Neither infinite nor NaN.
    #[inline]
    pub const fn is_finite(self, a: u64) -> bool {
        self.abs(a) < self.inf()
    }

    /// Infinity of either sign.
    #[inline]
    pub const fn is_inf(self, a: u64) -> bool {
        self.abs(a) == self.inf()
    }

    /// Any NaN.
    #[inline]
    pub const fn is_nan(self, a: u64) -> bool {
        self.abs(a) > self.inf()
    }

    /// A NaN which is not quiet.
    #[inline]
    pub const fn is_signalling(self, a: u64) -> bool {
        self.is_nan(a) && a & self.quiet_bit() == 0
    }

    /// A subnormal becomes the zero of its sign.
    #[inline]
    pub const fn flush(self, a: u64) -> u64 {
        if self.is_subnormal(a) { a & self.sign_bit() } else { a }
    }

    /// The one bit of the class mask of V_CMP_CLASS: from bit 0 on signalling NaN, quiet NaN, -inf, -normal, -subnormal, -0, +0, +subnormal,
    /// +normal, +inf. open: subnormals are classified as such in every mode, not flushed first.
    #[inline]
    pub const fn classify(self, a: u64) -> u32 {
        if self.is_nan(a) {
            return if self.is_signalling(a) { 1 } else { 2 };
        }
        let rank = if self.is_inf(a) {
            3
        } else if self.is_zero(a) {
            0
        } else if self.is_subnormal(a) {
            1
        } else {
            2
        };
        if self.sign(a) { 1 << (5 - rank) } else { 1 << (6 + rank) }
    }

    /// The CLAMP output modifier: into 0 to 1, where -0 becomes +0; a NaN becomes +0 if `nan_to_zero` (the DX10_CLAMP bit, and always on
    /// gfx12) and else stays.
    #[inline]
    pub const fn clamp(self, a: u64, nan_to_zero: bool) -> u64 {
        if self.is_nan(a) {
            if nan_to_zero { 0 } else { a }
        } else if self.sign(a) {
            0
        } else if a > self.one() {
            self.one()
        } else {
            a
        }
    }

    /// An infinity as the zero of its sign: results of V_RCP_LEGACY and V_RSQ_LEGACY.
    #[inline]
    pub const fn inf_to_zero(self, a: u64) -> u64 {
        if self.is_inf(a) { a & self.sign_bit() } else { a }
    }

    /// An infinity as the largest finite number of its sign: results of V_RCP_CLAMP, V_RSQ_CLAMP and V_LOG_CLAMP.
    #[inline]
    pub const fn inf_to_max(self, a: u64) -> u64 {
        if self.is_inf(a) { a - 1 } else { a }
    }

    /// A finite number as an integer with an exponent.
    #[inline]
    pub(super) const fn unpack(self, a: u64) -> Num {
        let field = self.exponent(a);
        let fraction = a & self.fraction();
        let (field, sig) = if field == 0 { (1, fraction) } else { (field, fraction | 1 << self.man) };
        Num { sign: self.sign(a), exp: field - self.bias() - self.man as i32, sig }
    }

    /// An order of all patterns that are no NaN, with -0 below +0.
    #[inline]
    pub(super) const fn rank(self, a: u64) -> i64 {
        let magnitude = self.abs(a) as i64;
        if self.sign(a) { !magnitude } else { magnitude }
    }
}
