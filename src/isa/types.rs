//! The types of values: how wide they are, how they are written, and how far apart two of them are.
//!
//! A value is bits; its type says how many, how people read them, and what a distance is. Floats are read and written through `f64`,
//! which holds all values of the narrower types; 64-bit ones directly.

use half::{bf16, f16};
use std::fmt;

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Ty {
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    U64,
    I64,
    F16,
    Bf16,
    F32,
    F64,
}

/// Sign, exponent and mantissa of a float type, as widths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Bits of the exponent.
    pub exponent: u32,
    /// Bits of the mantissa that are kept.
    pub mantissa: u32,
}

impl Layout {
    /// The bits of infinity, which are also those of the largest exponent.
    #[must_use]
    pub fn infinity(self) -> u64 {
        ((1 << self.exponent) - 1) << self.mantissa
    }

    /// The bit of the sign.
    #[must_use]
    pub fn sign(self) -> u64 {
        1 << (self.exponent + self.mantissa)
    }
}

impl Ty {
    /// Every type.
    pub const ALL: [Ty; 12] =
        [Ty::U8, Ty::I8, Ty::U16, Ty::I16, Ty::U32, Ty::I32, Ty::U64, Ty::I64, Ty::F16, Ty::Bf16, Ty::F32, Ty::F64];

    /// `u32`
    #[must_use]
    pub fn name(self) -> &'static str {
        ["u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "f16", "bf16", "f32", "f64"][self as usize]
    }

    /// The type of a name.
    #[must_use]
    pub fn find(name: &str) -> Option<Ty> {
        Ty::ALL.into_iter().find(|ty| ty.name() == name)
    }

    /// How many bytes it has.
    #[must_use]
    pub fn bytes(self) -> u32 {
        match self {
            Ty::U8 | Ty::I8 => 1,
            Ty::U16 | Ty::I16 | Ty::F16 | Ty::Bf16 => 2,
            Ty::U32 | Ty::I32 | Ty::F32 => 4,
            Ty::U64 | Ty::I64 | Ty::F64 => 8,
        }
    }

    /// All bits of it.
    #[must_use]
    pub fn mask(self) -> u64 {
        u64::MAX >> (64 - 8 * self.bytes())
    }

    /// Whether it is an integer with a sign.
    #[must_use]
    pub fn is_signed(self) -> bool {
        matches!(self, Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64)
    }

    /// The layout of a float; nothing for an integer.
    #[must_use]
    pub fn layout(self) -> Option<Layout> {
        match self {
            Ty::F16 => Some(Layout { exponent: 5, mantissa: 10 }),
            Ty::Bf16 => Some(Layout { exponent: 8, mantissa: 7 }),
            Ty::F32 => Some(Layout { exponent: 8, mantissa: 23 }),
            Ty::F64 => Some(Layout { exponent: 11, mantissa: 52 }),
            _ => None,
        }
    }

    /// Whether the bits are a NaN of this type.
    #[must_use]
    pub fn is_nan(self, bits: u64) -> bool {
        self.layout().is_some_and(|l| bits & (l.sign() - 1) > l.infinity())
    }

    /// The bits of a number: integers wrap, floats round to nearest.
    #[must_use]
    pub fn from_f64(self, value: f64) -> u64 {
        match self {
            Ty::F16 => f16::from_f64(value).to_bits().into(),
            Ty::Bf16 => bf16::from_f64(value).to_bits().into(),
            Ty::F32 => (value as f32).to_bits().into(),
            Ty::F64 => value.to_bits(),
            _ => value as i128 as u64 & self.mask(),
        }
    }

    /// The number that bits of a float stand for; integers as far as `f64` goes.
    #[must_use]
    pub fn to_f64(self, bits: u64) -> f64 {
        match self {
            Ty::F16 => f16::from_bits(bits as u16).to_f64(),
            Ty::Bf16 => bf16::from_bits(bits as u16).to_f64(),
            Ty::F32 => f32::from_bits(bits as u32).into(),
            Ty::F64 => f64::from_bits(bits),
            _ if self.is_signed() => self.sign_extended(bits) as f64,
            _ => (bits & self.mask()) as f64,
        }
    }

    /// The bits as a signed number.
    #[must_use]
    pub fn sign_extended(self, bits: u64) -> i64 {
        let spare = 64 - 8 * self.bytes();
        ((bits << spare) as i64) >> spare
    }

    /// How many values of a float type lie between two: both zeros are one value. `None` for integers and NaN.
    #[must_use]
    pub fn ulps(self, a: u64, b: u64) -> Option<u64> {
        let layout = self.layout()?;
        if self.is_nan(a) || self.is_nan(b) {
            return None;
        }
        let order = |bits: u64| {
            let magnitude = i128::from(bits & (layout.sign() - 1));
            if bits & layout.sign() == 0 { magnitude } else { -magnitude }
        };
        u64::try_from((order(a) - order(b)).unsigned_abs()).ok()
    }

    /// Bits in hex, as wide as the type.
    #[must_use]
    pub fn hex(self, bits: u64) -> String {
        format!("{:#0width$x}", bits & self.mask(), width = 2 + 2 * self.bytes() as usize)
    }

    /// Bits as people read them: `-1.5`, `nan`, `42`.
    #[must_use]
    pub fn show(self, bits: u64) -> String {
        match self {
            _ if self.is_nan(bits) => "nan".to_owned(),
            Ty::F32 => format!("{:?}", f32::from_bits(bits as u32)),
            Ty::F16 | Ty::Bf16 => format!("{:?}", self.to_f64(bits) as f32),
            Ty::F64 => format!("{:?}", f64::from_bits(bits)),
            _ if self.is_signed() => self.sign_extended(bits).to_string(),
            _ => (bits & self.mask()).to_string(),
        }
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_cross_zero() {
        assert_eq!(Ty::F32.ulps(0x8000_0001, 1), Some(2));
        assert_eq!(Ty::F32.ulps(0x8000_0000, 0), Some(0));
        assert_eq!(Ty::F64.ulps(0xfff0 << 48, 0x7ff0 << 48), Some(2 * (0x7ff0 << 48)));
        assert_eq!(Ty::F16.ulps(0x7c01, 0x7c00), None);
        assert_eq!(Ty::U32.ulps(1, 2), None);
    }

    #[test]
    fn bits_of_numbers() {
        assert_eq!(Ty::F16.from_f64(1.0), 0x3c00);
        assert_eq!(Ty::Bf16.from_f64(-2.0), 0xc000);
        assert_eq!(Ty::I16.from_f64(-1.0), 0xffff);
        assert_eq!(Ty::F32.show(0x7fc0_0001), "nan");
        assert_eq!(Ty::I8.show(0x80), "-128");
        assert_eq!(Ty::F16.hex(1), "0x0001");
    }
}
