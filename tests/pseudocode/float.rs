//! Float operations under MODE: which NaN comes out, what is flushed, one rounding. The rules are those measured on gfx11:
//! the NaN of an invalid operation is negative and quiet; of several NaN operands the first in source order survives with its payload,
//! after an infinity times zero has been ruled out; a signalling one is quieted when MODE.IEEE is set and passes otherwise.

use super::exact::{BF16, Exact, F16, F32, Format, Packing, Rounding};
use std::cmp::Ordering;

/// The fields of MODE an instruction can see. Denormals: `true` allows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode {
    pub round32: Rounding,
    /// Of f16 and f64.
    pub round64: Rounding,
    pub denorm32_in: bool,
    pub denorm32_out: bool,
    /// Of f16 and f64.
    pub denorm64_in: bool,
    pub denorm64_out: bool,
    pub ieee: bool,
    pub dx10_clamp: bool,
    pub fp16_ovfl: bool,
}

/// What compute kernels start with: f32 denormals are flushed, f16 and f64 ones are not.
impl Default for Mode {
    fn default() -> Self {
        Self {
            round32: Rounding::Nearest,
            round64: Rounding::Nearest,
            denorm32_in: false,
            denorm32_out: false,
            denorm64_in: true,
            denorm64_out: true,
            ieee: true,
            dx10_clamp: true,
            fp16_ovfl: false,
        }
    }
}

impl Mode {
    pub fn flushes_input(&self, format: Format) -> bool {
        !if format == F32 || format == BF16 { self.denorm32_in } else { self.denorm64_in }
    }
    pub fn flushes_output(&self, format: Format) -> bool {
        !if format == F32 || format == BF16 { self.denorm32_out } else { self.denorm64_out }
    }
    pub fn rounding(&self, format: Format) -> Rounding {
        if format == F32 || format == BF16 { self.round32 } else { self.round64 }
    }
    pub fn packing(&self, format: Format) -> Packing {
        Packing {
            rounding: self.rounding(format),
            flush: self.flushes_output(format),
            saturate: self.fp16_ovfl && format == F16,
        }
    }
    pub fn quieted(&self, format: Format, bits: u64) -> u64 {
        if self.ieee && format.is_nan(bits) { bits | format.quiet_bit() } else { bits }
    }
    /// A denormal operand as the mode lets the instruction see it.
    pub fn taken(&self, format: Format, bits: u64) -> u64 {
        if format.is_denormal(bits) && self.flushes_input(format) { bits & format.sign_bit() } else { bits }
    }
    /// The first NaN of the operands, quieted as the mode says.
    pub fn first_nan(&self, format: Format, operands: &[u64]) -> Option<u64> {
        operands.iter().find(|&&bits| format.is_nan(bits)).map(|&bits| self.quieted(format, bits))
    }
}

pub fn add(format: Format, a: u64, b: u64, mode: &Mode) -> u64 {
    if let Some(nan) = mode.first_nan(format, &[a, b]) {
        return nan;
    }
    match (format.is_infinite(a), format.is_infinite(b)) {
        (true, true) if a != b => format.default_nan(),
        (true, _) => a,
        (_, true) => b,
        _ => {
            let packing = mode.packing(format);
            Exact::unpack(format, a).plus(&Exact::unpack(format, b), packing.rounding).pack(format, packing)
        }
    }
}

/// `a - b`: the sign of a NaN operand stays.
pub fn subtract(format: Format, a: u64, b: u64, mode: &Mode) -> u64 {
    let negated = if format.is_nan(b) { b } else { b ^ format.sign_bit() };
    add(format, a, negated, mode)
}

pub fn multiply(format: Format, a: u64, b: u64, mode: &Mode) -> u64 {
    if let Some(nan) = mode.first_nan(format, &[a, b]) {
        return nan;
    }
    let negative = format.negative(a) != format.negative(b);
    let (infinite, zero) = (format.is_infinite(a) || format.is_infinite(b), format.is_zero(a) || format.is_zero(b));
    match (infinite, zero) {
        (true, true) => format.default_nan(),
        (true, false) => format.infinity(negative),
        _ => Exact::unpack(format, a).times(&Exact::unpack(format, b)).pack(format, mode.packing(format)),
    }
}

pub fn fma(format: Format, a: u64, b: u64, c: u64, mode: &Mode) -> u64 {
    fma_scaled([(format, a), (format, b), (format, c)], format, |_| 0, mode)
}

/// `a * b + c` of operands in formats of their own, times a power of two, rounded once to `to`.
pub fn fma_scaled(of: [(Format, u64); 3], to: Format, scale: impl Fn(u64) -> i64, mode: &Mode) -> u64 {
    let [(fa, a), (fb, b), (fc, c)] = of;
    let infinite = fa.is_infinite(a) || fb.is_infinite(b);
    if infinite && (fa.is_zero(a) || fb.is_zero(b)) {
        return to.default_nan();
    }
    if let Some(&(format, nan)) = of.iter().find(|(format, bits)| format.is_nan(*bits)) {
        return convert_nan(format, to, mode.quieted(format, nan));
    }
    let negative = fa.negative(a) != fb.negative(b);
    match (infinite, fc.is_infinite(c)) {
        (true, true) if negative != fc.negative(c) => to.default_nan(),
        (true, _) => to.infinity(negative),
        (_, true) => to.infinity(fc.negative(c)),
        _ => {
            let packing = mode.packing(to);
            let product = Exact::unpack(fa, a).times(&Exact::unpack(fb, b));
            product.plus(&Exact::unpack(fc, c), packing.rounding).scaled(scale(c)).pack(to, packing)
        }
    }
}

/// `None` of an unordered pair.
pub fn compare(format: Format, a: u64, b: u64) -> Option<Ordering> {
    if format.is_nan(a) || format.is_nan(b) {
        return None;
    }
    // As sign and magnitude, with the two zeros equal.
    let key = |bits: u64| {
        let size = (bits & !format.sign_bit()) as i128;
        if format.negative(bits) { -size } else { size }
    };
    Some(key(a).cmp(&key(b)))
}

/// The payload of a NaN in another format: its leading bits stay leading.
pub fn convert_nan(from: Format, to: Format, bits: u64) -> u64 {
    let payload = bits & ((1 << from.fraction) - 1);
    let payload = if to.fraction >= from.fraction {
        payload << (to.fraction - from.fraction)
    } else {
        payload >> (from.fraction - to.fraction)
    };
    // A payload that is cut away whole would leave an infinity.
    let payload = if payload == 0 { to.quiet_bit() } else { payload };
    to.infinity(from.negative(bits)) | payload
}

/// A float in another format; a NaN is quieted as the mode says.
pub fn convert(from: Format, to: Format, bits: u64, mode: &Mode) -> u64 {
    convert_raw(from, to, mode.quieted(from, bits), mode)
}

/// The same without quieting: what `64'F(..)` of the text means, which tests for signalling NaNs look through.
pub fn convert_raw(from: Format, to: Format, bits: u64, mode: &Mode) -> u64 {
    if from == to {
        bits
    } else if from.is_nan(bits) {
        convert_nan(from, to, bits)
    } else if from.is_infinite(bits) {
        to.infinity(from.negative(bits))
    } else if to.fraction > from.fraction && to.exponent >= from.exponent {
        // Widening is exact, and nothing is flushed on the way.
        Exact::unpack(from, bits).pack(to, Packing { rounding: Rounding::Nearest, flush: false, saturate: false })
    } else {
        Exact::unpack(from, bits).pack(to, mode.packing(to))
    }
}

/// An integral float in a direction; `Rounding::Zero` truncates, `Down` is the floor.
pub fn integral(format: Format, bits: u64, rounding: Rounding, mode: &Mode) -> u64 {
    if format.is_nan(bits) || format.is_infinite(bits) {
        return mode.quieted(format, bits);
    }
    let whole = Exact::unpack(format, bits).rounded_to(0, rounding);
    whole.pack(format, Packing { rounding: Rounding::Zero, flush: false, saturate: false })
}

/// A float as an integer between two bounds: rounded, saturated, NaN to 0.
pub fn to_integer(format: Format, bits: u64, rounding: Rounding, bounds: (i128, i128)) -> i128 {
    if format.is_nan(bits) {
        0
    } else if format.is_infinite(bits) {
        if format.negative(bits) { bounds.0 } else { bounds.1 }
    } else {
        Exact::unpack(format, bits).rounded_to(0, rounding).to_integer().clamp(bounds.0, bounds.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_nans_the_first_survives() {
        let mode = Mode::default();
        assert_eq!(add(F32, 0x7fc0_0001, 0xffc0_0002, &mode), 0x7fc0_0001);
        assert_eq!(fma(F32, 0x7f80_0000, 0, 0x7fc0_0005, &mode), 0xffc0_0000);
        assert_eq!(add(F32, 0x3f80_0000, 0xff80_0002, &mode), 0xffc0_0002);
        assert_eq!(add(F32, 0x3f80_0000, 0xff80_0002, &Mode { ieee: false, ..mode }), 0xff80_0002);
    }

    #[test]
    fn fma_agrees_with_the_host() {
        let mode = Mode { denorm32_in: true, denorm32_out: true, ..Mode::default() };
        let values = [0x3f80_0001, 0xbf80_0003, 0x0080_0000, 0x7f00_0000, 0x0000_0007, 0x3380_0000, 0x8000_0000u32];
        for a in values {
            for b in values {
                for c in values {
                    let host = f32::from_bits(a).mul_add(f32::from_bits(b), f32::from_bits(c));
                    assert_eq!(
                        fma(F32, a.into(), b.into(), c.into(), &mode),
                        u64::from(host.to_bits()),
                        "{a:x} {b:x} {c:x}"
                    );
                }
            }
        }
    }
}
