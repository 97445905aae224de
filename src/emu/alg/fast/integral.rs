//! Whole numbers, exponents and significands, fixed point.

use super::{Fast, TOP};
use crate::emu::soft::half;

/// A power of two.
#[inline(always)]
const fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// The whole part of a magnitude, as large as a word allows.
#[inline(always)]
fn whole(a: u32) -> u32 {
    let (field, significand) = (a >> 23 & 0xff, a & 0x007f_ffff | 0x0080_0000);
    let right = significand >> 150u32.wrapping_sub(field).min(31);
    let left = significand << (field.wrapping_sub(150) & 31);
    let value = if field >= 150 { left } else { right };
    if field >= 159 { u32::MAX } else { value }
}

/// The whole part, towards zero, between two small bounds; of a NaN 0. In the low bits of a word.
#[inline(always)]
pub(super) fn small_whole(a: f32, low: f32, high: f32) -> u32 {
    /// Its unit is one, so that the low bits of a sum are a whole number.
    const UNIT: f32 = 12_582_912.0;
    let number = if a.is_nan() { 0.0 } else { a };
    let bounded = if number < low { low } else { number };
    let bounded = if bounded > high { high } else { bounded };
    (bounded.trunc() + UNIT).to_bits().wrapping_sub(UNIT.to_bits())
}

/// A fraction of `largest`, to the nearest even: of the magnitude, which is at most one.
#[inline(always)]
fn fraction_of(a: f32, largest: f64) -> u32 {
    let magnitude = a.abs();
    let bounded = if magnitude < 1.0 { magnitude } else { 1.0 };
    // The product is exact; with 2^52 its whole part is in the low bits.
    let rounded = (f64::from(bounded) * largest + power(52)).to_bits() as u32;
    if a.is_nan() { 0 } else { rounded }
}

/// Fixed point of 16 bits with a sign.
#[inline(always)]
pub(super) fn snorm16(a: f32) -> u32 {
    let magnitude = fraction_of(a, 32767.0);
    (if a.to_bits() & TOP != 0 { magnitude.wrapping_neg() } else { magnitude }) & 0xffff
}

/// Fixed point of 16 bits.
#[inline(always)]
pub(super) fn unorm16(a: f32) -> u32 {
    if a.to_bits() & TOP != 0 { 0 } else { fraction_of(a, 65535.0) }
}

/// A number and the exponent that it lacks, so that denormals are normal.
#[inline(always)]
fn normal_f32(a: f32) -> (u32, u32) {
    let denormal = a.to_bits() & 0x7f80_0000 == 0;
    if denormal { ((a * 16_777_216.0).to_bits(), 24) } else { (a.to_bits(), 0) }
}

/// As [`normal_f32`].
#[inline(always)]
fn normal_f64(a: f64) -> (u64, u32) {
    let denormal = a.to_bits() >> 52 & 0x7ff == 0;
    if denormal { ((a * power(54)).to_bits(), 54) } else { (a.to_bits(), 0) }
}

impl<const FLUSH: bool> Fast<FLUSH> {
    /// Towards zero, saturating.
    #[inline(always)]
    pub(super) fn unsigned(a: u32) -> u32 {
        if a > 0x7f80_0000 { 0 } else { whole(a) }
    }

    /// Towards zero, saturating.
    #[inline(always)]
    pub(super) fn signed(a: u32) -> u32 {
        let magnitude = whole(a).min(0x7fff_ffff + (a >> 31));
        let signed = if a & TOP != 0 { magnitude.wrapping_neg() } else { magnitude };
        if a & !TOP > 0x7f80_0000 { 0 } else { signed }
    }

    /// The significand between 1/2 and 1; zeros and infinities stay.
    #[inline(always)]
    pub(super) fn significand_f32(&self, a: u32) -> u32 {
        let a = self.s(a);
        self.odd_nan(a);
        let (bits, _) = normal_f32(a);
        let keeps = bits & !TOP == 0 || bits & !TOP == 0x7f80_0000;
        if keeps { bits } else { bits & 0x807f_ffff | 0x3f00_0000 }
    }

    /// The exponent that belongs to the significand.
    #[inline(always)]
    pub(super) fn exponent_f32(&self, a: u32) -> u32 {
        let (bits, lacks) = normal_f32(self.s(a));
        let field = bits >> 23 & 0xff;
        let exponent = field.wrapping_sub(126 + lacks);
        let special = if field == 0xff { self.machine.no_exponent } else { exponent };
        if bits & !TOP == 0 { 0 } else { special }
    }

    /// As [`Fast::significand_f32`].
    #[inline(always)]
    pub(super) fn significand_f64(&self, a: u64) -> u64 {
        let a = f64::from_bits(a);
        self.odd_if(a.is_nan());
        let (bits, _) = normal_f64(a);
        let magnitude = bits << 1;
        let keeps = magnitude == 0 || magnitude == 0x7ff << 53;
        if keeps { bits } else { bits & !(0x7ff << 52) | 0x3fe << 52 }
    }

    /// As [`Fast::exponent_f32`].
    #[inline(always)]
    pub(super) fn exponent_f64(&self, a: u64) -> u32 {
        let (bits, lacks) = normal_f64(f64::from_bits(a));
        let field = (bits >> 52) as u32 & 0x7ff;
        let exponent = field.wrapping_sub(1022 + lacks);
        let special = if field == 0x7ff { self.machine.no_exponent } else { exponent };
        if bits << 1 == 0 { 0 } else { special }
    }

    /// As [`Fast::significand_f32`]: a denormal f16 is a normal f32.
    #[inline(always)]
    pub(super) fn significand_f16(&self, a: u32) -> u32 {
        self.odd_nan_f16(a);
        let magnitude = a & 0x7fff;
        let significand = a & 0x8000 | 0x3800 | half(a).to_bits() >> 13 & 0x3ff;
        if magnitude == 0 || magnitude == 0x7c00 { a & 0xffff } else { significand }
    }

    /// As [`Fast::exponent_f32`]; the special one is zero in all generations.
    #[inline(always)]
    pub(super) fn exponent_f16(a: u32) -> u32 {
        let magnitude = a & 0x7fff;
        let exponent = (half(magnitude).to_bits() >> 23).wrapping_sub(126);
        if magnitude == 0 || magnitude >= 0x7c00 { 0 } else { exponent }
    }

    /// Times a power of two, exactly, as far as an f32 can come of it.
    #[inline(always)]
    pub(in crate::emu::alg) fn scaled_wide(a: f32, n: u32) -> f64 {
        // No number stays finite or above zero beyond that.
        f64::from(a) * power((n as i32).clamp(-400, 400))
    }

    /// Times a power of two.
    #[inline(always)]
    pub(super) fn scaled_f32(&self, a: u32, n: u32) -> u32 {
        self.rs(Self::scaled_wide(self.s(a), n) as f32)
    }

    /// As [`Fast::scaled_f32`].
    #[inline(always)]
    pub(super) fn scaled_f16(&self, a: u32, n: u32) -> u32 {
        let exponent = (n as u16 as i16).clamp(-100, 100);
        self.narrow(half(a) * f32::from_bits(((i32::from(exponent) + 127) as u32) << 23))
    }

    /// Times a power of two, by the exponent; what is below the normals comes down there by a product that rounds.
    #[inline(always)]
    pub(super) fn scaled_f64(&self, a: u64, n: u32) -> u64 {
        /// How far a number is put above where it belongs, and the way down.
        const ABOVE: i32 = 1000;
        let number = f64::from_bits(a);
        self.odd_if(number.is_nan());
        let (bits, lacks) = normal_f64(number);
        let sign = a & 1 << 63;
        let field = (bits >> 52) as i32 & 0x7ff;
        let to = field + (n as i32).clamp(-4096, 4096) - lacks as i32;
        let with = |field: i32| bits & !(0x7ff << 52) | (field as u64) << 52;
        let below = (f64::from_bits(with((to + ABOVE).clamp(1, ABOVE))) * power(-ABOVE)).to_bits();
        let normal = with(to.clamp(0, 0x7ff));
        let finite = if to >= 1 { normal } else { below };
        let finite = if to >= 0x7ff { sign | 0x7ff << 52 } else { finite };
        // Zeros and infinities stay.
        if a << 1 == 0 || field == 0x7ff { a } else { finite }
    }
}
