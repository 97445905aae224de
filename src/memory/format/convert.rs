//! Conversions between 32-bit registers and narrow fields. Floats of 16, 11 and 10 bits have five bits of exponent (bias 15) and
//! differ in the mantissa; those below 16 bits have no sign.

use crate::fault::planted;

/// Mantissa bits of a float field.
#[inline(always)]
const fn mantissa(width: u32) -> u32 {
    if width == 16 { 10 } else { width - 5 }
}

/// A float field as f32: exact, with denormals; a NaN keeps its bits.
#[inline(always)]
pub(super) fn float_value(bits: u32, width: u32) -> u32 {
    if width == 32 {
        return bits;
    }
    let m = mantissa(width);
    let sign = if width == 16 { (bits & 0x8000) << 16 } else { 0 };
    let (exponent, fraction) = (bits >> m & 31, bits & ((1 << m) - 1));
    let magnitude = match exponent {
        // fraction * 2^(-14 - m): an integer of ten bits times a power of two is exact in f32.
        0 => (fraction as f32 * f32::from_bits((127 - 14 - m) << 23)).to_bits(),
        31 => 0x7f80_0000 | fraction << (23 - m),
        _ => (exponent + 127 - 15) << 23 | fraction << (23 - m),
    };
    sign | magnitude
}

/// An f32 as a float field, rounded to nearest even. Without a sign, what is negative becomes 0.
#[inline(always)]
pub(super) fn float_bits(f32_bits: u32, width: u32) -> u32 {
    if width == 32 {
        return f32_bits;
    }
    let negative = f32_bits >> 31 != 0;
    let magnitude = f32_bits & 0x7fff_ffff;
    match width {
        16 => narrow(magnitude, 10, true) | u32::from(negative) << 15,
        _ if negative && magnitude <= 0x7f80_0000 && !planted!(SmallFloatSigned) => 0,
        _ => narrow(magnitude, mantissa(width), true),
    }
}

/// An f32 as f16, cut: what does not fit becomes the largest number, infinity stays.
#[must_use]
#[inline(always)]
pub fn f16_toward_zero(f32_bits: u32) -> u16 {
    let magnitude = narrow(f32_bits & 0x7fff_ffff, 10, planted!(D16Rounded));
    (magnitude | (f32_bits >> 31) << 15) as u16
}

/// The magnitude of an f32 with five bits of exponent and `m` of mantissa, to nearest even or toward zero.
#[inline(always)]
fn narrow(magnitude: u32, m: u32, nearest: bool) -> u32 {
    let infinity = 31 << m;
    if magnitude >= 0x7f80_0000 {
        let fraction = magnitude & 0x007f_ffff;
        // A NaN whose kept bits are all 0 stays a NaN.
        let kept = fraction >> (23 - m);
        return infinity | if fraction != 0 && kept == 0 { 1 } else { kept };
    }
    let exponent = (magnitude >> 23) as i32 - 127 + 15;
    let significand = magnitude & 0x007f_ffff | if magnitude >> 23 != 0 { 0x0080_0000 } else { 0 };
    // Denormals lose one bit more for every step below the smallest exponent.
    let shift = (23 - m) + (1 - exponent).max(0) as u32;
    let (whole, rest, half) = match shift {
        0..=31 => (significand >> shift, significand & ((1 << shift) - 1), 1 << (shift - 1)),
        _ => return 0,
    };
    let up = nearest && (rest > half || rest == half && whole & 1 != 0);
    // The hidden bit counts as one step of the exponent, as does a carry out of the mantissa.
    let steps = (exponent - 1).max(0) as u32;
    let rounded = (steps << m) + whole + u32::from(up);
    match rounded >= infinity {
        false => rounded,
        true if nearest && !planted!(HalfOverflowMax) => infinity,
        true => infinity - 1,
    }
}

/// An f32 as a normalised field of at most 24 bits: clamped, NaN as 0, rounded to nearest even. The product has 48 bits at most, so that f64
/// has it exact, and the rounded one fits an i32, which hosts convert to at once.
#[inline(always)]
pub(super) fn norm_bits(f32_bits: u32, width: u32, signed: bool) -> u32 {
    let x = f64::from(f32::from_bits(f32_bits));
    if x.is_nan() {
        return 0;
    }
    let (low, scale) = if signed { (-1.0, (1u64 << (width - 1)) - 1) } else { (0.0, (1u64 << width) - 1) };
    let scaled = x.clamp(low, 1.0) * scale as f64;
    let rounded = if planted!(UnormTruncated) { scaled.trunc() } else { scaled.round_ties_even() };
    rounded as i32 as u32 & (u32::MAX >> (32 - width))
}

/// An integer as a narrower one, clamped to its range.
#[inline(always)]
pub(super) fn int_bits(register: u32, width: u32, signed: bool) -> u32 {
    let all = u32::MAX >> (32 - width);
    if planted!(IntegersWrap) {
        return register & all;
    }
    if !signed {
        return register.min(all);
    }
    let top = (all >> 1) as i32;
    (register as i32).clamp(-top - 1, top) as u32 & all
}
