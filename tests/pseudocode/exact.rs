//! Exact numbers: a float is unpacked to sign, integer and power of two; sums and products are made of those without any loss, and one
//! rounding at the end packs the result. Slow, and easy to see through.

use num_bigint::BigUint;
use std::cmp::Ordering;

/// A binary format: bits of the fraction and of the exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Format {
    pub fraction: u32,
    pub exponent: u32,
}

pub const F16: Format = Format { fraction: 10, exponent: 5 };
pub const BF16: Format = Format { fraction: 7, exponent: 8 };
pub const F32: Format = Format { fraction: 23, exponent: 8 };
pub const F64: Format = Format { fraction: 52, exponent: 11 };

impl Format {
    pub fn width(self) -> u32 {
        1 + self.fraction + self.exponent
    }
    pub fn bias(self) -> i64 {
        (1 << (self.exponent - 1)) - 1
    }
    pub fn sign_bit(self) -> u64 {
        1 << (self.width() - 1)
    }
    pub fn infinity(self, negative: bool) -> u64 {
        (((1 << self.exponent) - 1) << self.fraction) | if negative { self.sign_bit() } else { 0 }
    }
    pub fn largest(self, negative: bool) -> u64 {
        self.infinity(negative) - 1
    }
    pub fn zero(self, negative: bool) -> u64 {
        if negative { self.sign_bit() } else { 0 }
    }
    pub fn quiet_bit(self) -> u64 {
        1 << (self.fraction - 1)
    }
    /// The NaN that RDNA3 makes of an invalid operation: negative, quiet, no payload.
    pub fn default_nan(self) -> u64 {
        self.infinity(true) | self.quiet_bit()
    }
    pub fn is_nan(self, bits: u64) -> bool {
        bits & !self.sign_bit() > self.infinity(false)
    }
    pub fn is_signalling(self, bits: u64) -> bool {
        self.is_nan(bits) && bits & self.quiet_bit() == 0
    }
    pub fn is_infinite(self, bits: u64) -> bool {
        bits & !self.sign_bit() == self.infinity(false)
    }
    pub fn is_zero(self, bits: u64) -> bool {
        bits & !self.sign_bit() == 0
    }
    pub fn is_denormal(self, bits: u64) -> bool {
        self.raw_exponent(bits) == 0 && !self.is_zero(bits)
    }
    pub fn negative(self, bits: u64) -> bool {
        bits & self.sign_bit() != 0
    }
    /// The biased field as it stands: 0 of zeros and denormals.
    pub fn raw_exponent(self, bits: u64) -> i64 {
        ((bits >> self.fraction) & ((1 << self.exponent) - 1)) as i64
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    Nearest,
    Up,
    Down,
    Zero,
}

/// How a result is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packing {
    pub rounding: Rounding,
    /// Results below the smallest normal number become zeros.
    pub flush: bool,
    /// Overflow gives the largest finite number in every mode (FP16_OVFL).
    pub saturate: bool,
}

/// A finite number: `magnitude * 2^power`, with a sign that zeros have too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exact {
    pub negative: bool,
    pub magnitude: BigUint,
    pub power: i64,
}

impl Exact {
    pub fn new(negative: bool, magnitude: impl Into<BigUint>, power: i64) -> Self {
        Self { negative, magnitude: magnitude.into(), power }
    }

    pub fn integer(value: i128) -> Self {
        Self::new(value < 0, value.unsigned_abs(), 0)
    }

    /// The value of finite bits.
    pub fn unpack(format: Format, bits: u64) -> Self {
        let exponent = format.raw_exponent(bits);
        let fraction = bits & ((1 << format.fraction) - 1);
        let hidden = u64::from(exponent != 0) << format.fraction;
        let power = exponent.max(1) - format.bias() - i64::from(format.fraction);
        Self::new(format.negative(bits), fraction | hidden, power)
    }

    pub fn is_zero(&self) -> bool {
        self.magnitude == BigUint::ZERO
    }

    /// The power of two of the leading bit, of a number that is not zero.
    pub fn leading(&self) -> i64 {
        self.power + self.magnitude.bits() as i64 - 1
    }

    pub fn negated(mut self) -> Self {
        self.negative = !self.negative;
        self
    }

    pub fn times(&self, other: &Self) -> Self {
        let negative = self.negative != other.negative;
        Self::new(negative, &self.magnitude * &other.magnitude, self.power + other.power)
    }

    pub fn scaled(mut self, by: i64) -> Self {
        self.power += by;
        self
    }

    /// The sum. Two zeros of opposite signs, and equal numbers of opposite signs, give a zero whose sign the rounding decides.
    pub fn plus(&self, other: &Self, rounding: Rounding) -> Self {
        let power = self.power.min(other.power);
        let a = &self.magnitude << (self.power - power) as usize;
        let b = &other.magnitude << (other.power - power) as usize;
        if self.negative == other.negative {
            return Self::new(self.negative, a + b, power);
        }
        match a.cmp(&b) {
            Ordering::Greater => Self::new(self.negative, a - b, power),
            Ordering::Less => Self::new(other.negative, b - a, power),
            Ordering::Equal => Self::new(rounding == Rounding::Down, BigUint::ZERO, 0),
        }
    }

    pub fn compare(&self, other: &Self) -> Ordering {
        let difference = self.plus(&other.clone().negated(), Rounding::Nearest);
        match (difference.is_zero(), difference.negative) {
            (true, _) => Ordering::Equal,
            (false, true) => Ordering::Less,
            (false, false) => Ordering::Greater,
        }
    }

    /// The multiple of `2^power` next to the number in a direction.
    pub fn rounded_to(&self, power: i64, rounding: Rounding) -> Self {
        if self.power >= power {
            return Self::new(self.negative, &self.magnitude << (self.power - power) as usize, power);
        }
        let cut = (power - self.power) as usize;
        let mut kept = &self.magnitude >> cut;
        let lost = &self.magnitude - (&kept << cut);
        let half = (BigUint::from(1u32) << cut).cmp(&(&lost << 1usize));
        let away = match rounding {
            Rounding::Nearest => half == Ordering::Less || half == Ordering::Equal && kept.bit(0),
            Rounding::Up => !self.negative && lost != BigUint::ZERO,
            Rounding::Down => self.negative && lost != BigUint::ZERO,
            Rounding::Zero => false,
        };
        if away {
            kept += 1u32;
        }
        Self::new(self.negative, kept, power)
    }

    /// Whether the number lies halfway between two multiples of `2^power`.
    pub fn halfway(&self, power: i64) -> bool {
        let twice = self.rounded_to(power - 1, Rounding::Zero);
        twice.compare(self) == Ordering::Equal && twice.magnitude.bit(0)
    }

    /// One rounding to a format. Tininess is judged after rounding to full precision with an unbounded exponent.
    pub fn pack(&self, format: Format, packing: Packing) -> u64 {
        if self.is_zero() {
            return format.zero(self.negative);
        }
        let fraction = i64::from(format.fraction);
        let lowest = 1 - format.bias();
        let full = self.rounded_to(self.leading() - fraction, packing.rounding);
        if full.leading() < lowest && packing.flush {
            return format.zero(self.negative);
        }
        let power = (self.leading() - fraction).max(lowest - fraction);
        let kept = self.rounded_to(power, packing.rounding);
        if kept.is_zero() {
            return format.zero(self.negative);
        }
        if kept.leading() > format.bias() {
            let toward = match packing.rounding {
                Rounding::Nearest => true,
                Rounding::Up => !self.negative,
                Rounding::Down => self.negative,
                Rounding::Zero => false,
            };
            let infinite = toward && !packing.saturate;
            return if infinite { format.infinity(self.negative) } else { format.largest(self.negative) };
        }
        let exponent = kept.leading().max(lowest);
        let digits = kept.rounded_to(exponent - fraction, Rounding::Zero).magnitude;
        let digits = digits.iter_u64_digits().next().unwrap_or(0);
        let hidden = 1 << format.fraction;
        let field = if digits & hidden == 0 { 0 } else { (exponent + format.bias()) as u64 };
        format.zero(self.negative) | field << format.fraction | digits & (hidden - 1)
    }

    /// The integer part toward zero.
    pub fn truncated(&self) -> Self {
        self.rounded_to(0, Rounding::Zero)
    }

    /// The number as an integer, of one that has no fraction; saturated to what an `i128` holds.
    pub fn to_integer(&self) -> i128 {
        let whole = self.truncated();
        let mut digits = whole.magnitude.iter_u64_digits();
        let (low, high) = (digits.next().unwrap_or(0), digits.next().unwrap_or(0));
        let size = if whole.magnitude.bits() > 126 { 1 << 126 } else { i128::from(high) << 64 | i128::from(low) };
        if whole.negative { -size } else { size }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RNE: Packing = Packing { rounding: Rounding::Nearest, flush: false, saturate: false };

    #[test]
    fn agrees_with_the_host_to_nearest() {
        let bits =
            [0x3f80_0000, 0x0000_0001, 0x8000_0001, 0x7f7f_ffff, 0x00ff_ffff, 0x4b7f_ffff, 0xbf80_0001, 0x3380_0000];
        for a in bits {
            for b in bits {
                let (x, y) = (f32::from_bits(a), f32::from_bits(b));
                let (p, q) = (Exact::unpack(F32, a.into()), Exact::unpack(F32, b.into()));
                assert_eq!(p.plus(&q, Rounding::Nearest).pack(F32, RNE), u64::from((x + y).to_bits()), "{x} + {y}");
                assert_eq!(p.times(&q).pack(F32, RNE), u64::from((x * y).to_bits()), "{x} * {y}");
            }
        }
    }

    #[test]
    fn agrees_with_the_half_crate() {
        for bits in (0..=u32::MAX).step_by(0x1_2345) {
            let value = f32::from_bits(bits);
            if value.is_finite() {
                let ours = Exact::unpack(F32, bits.into()).pack(F16, RNE);
                assert_eq!(ours, u64::from(half::f16::from_f32(value).to_bits()), "{value}");
            }
        }
    }

    #[test]
    fn directed_roundings_overflow_toward_their_side_only() {
        let huge = Exact::new(true, 1u32, 200);
        let pack = |rounding| huge.pack(F32, Packing { rounding, ..RNE });
        assert_eq!([pack(Rounding::Nearest), pack(Rounding::Down)], [0xff80_0000; 2]);
        assert_eq!([pack(Rounding::Up), pack(Rounding::Zero)], [0xff7f_ffff; 2]);
    }

    #[test]
    fn tininess_is_judged_after_rounding_with_an_unbounded_exponent() {
        // Rounds up to the smallest normal number as a denormal would, but not with 24 bits: flushed.
        let below = Exact::new(false, (1u64 << 30) - 33, -156);
        assert_eq!(below.pack(F32, RNE), 0x0080_0000);
        assert_eq!(below.pack(F32, Packing { flush: true, ..RNE }), 0);
        let nearer = Exact::new(false, (1u64 << 30) - 1, -156);
        assert_eq!(nearer.pack(F32, Packing { flush: true, ..RNE }), 0x0080_0000);
    }
}
