//! Between formats, and between numbers and integers, fixed point included.

use super::{BF16, Env, F16, F32, Format, Round, Rules};

/// How a number becomes an integer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntRound {
    /// Toward zero; a NaN is 0.
    Trunc,
    /// To nearest even; a NaN is 0.
    Even,
    /// Down (V_CVT_FLR, V_CVT_FLOOR); a NaN saturates by its sign.
    Floor,
    /// `floor(x + 1/2)` of the exact sum (V_CVT_RPI, V_CVT_NEAREST); a NaN saturates by its sign.
    HalfUp,
}

impl Env {
    /// A number in another format, rounded once. `flush_in` of the rules is that of the source's field of the mode register.
    /// To the same format it flushes and quiets.
    #[inline]
    pub fn convert(&mut self, from: Format, to: Format, a: u64) -> u64 {
        let a = self.input(from, a);
        if !from.is_finite(a) {
            return self.convert_special(from, to, a);
        }
        let x = from.unpack(a);
        self.pack(to, x.sign, x.exp, x.sig)
    }

    /// Infinities stay, NaNs keep the leading bits of their payload. A payload that is lost leaves a quiet NaN.
    #[cold]
    pub(super) fn convert_special(&mut self, from: Format, to: Format, a: u64) -> u64 {
        if from.is_finite(a) {
            return self.convert(from, to, a);
        }
        let sign = from.sign(a);
        if from.is_inf(a) {
            return to.signed(sign, to.inf());
        }
        let payload = self.pass_nan(from, a) & from.fraction();
        let payload = if to.man >= from.man { payload << (to.man - from.man) } else { payload >> (from.man - to.man) };
        to.signed(sign, to.inf() | if payload == 0 { to.quiet_bit() } else { payload })
    }

    /// Two f32 as two f16, rounded toward zero, the first in the low half: V_CVT_PKRTZ. Infinities stay, NaNs are quieted.
    /// open: subnormal results are flushed as the rules say.
    #[inline]
    pub fn pkrtz(&mut self, a: u64, b: u64) -> u64 {
        let rules = Rules { round: Round::Zero, quiet: true, saturate: false, ..self.rules };
        self.under(rules, |env| env.convert(F32, F16, a) | env.convert(F32, F16, b) << 16)
    }

    /// f32 to bf16 as the conversion instructions do it: to nearest even, nothing flushed, NaNs quieted.
    #[inline]
    pub fn to_bf16(&mut self, a: u64) -> u64 {
        let rules = Rules { saturate: self.rules.saturate, ..Rules::IEEE };
        self.under(rules, |env| env.convert(F32, BF16, a))
    }

    /// f32 to bf16 with the low half of the seed added before the low half is cut off.
    #[inline]
    pub fn to_bf16_stochastic(&mut self, a: u64, seed: u32) -> u64 {
        if !F32.is_finite(a) {
            return self.to_bf16(a);
        }
        let sum = F32.abs(a) + u64::from(seed & 0xffff);
        if sum >= F32.inf() {
            return self
                .under(Rules { saturate: self.rules.saturate, ..Rules::IEEE }, |env| env.overflow(BF16, F32.sign(a)));
        }
        (F32.signed(F32.sign(a), sum)) >> 16
    }

    /// A signed integer as a number, rounded.
    #[inline]
    pub fn from_i64(&mut self, f: Format, a: i64) -> u64 {
        self.pack(f, a < 0, 0, a.unsigned_abs())
    }

    /// An unsigned integer as a number, rounded.
    #[inline]
    pub fn from_u64(&mut self, f: Format, a: u64) -> u64 {
        self.pack(f, false, 0, a)
    }

    /// A number as a fixed-point fraction of `bits` bits, at most 32: from 0 to 1, or if `signed` from -1 to 1, becomes 0, or the negative of the
    /// largest, to the largest integer; a NaN becomes 0. open: to nearest even; measured values exclude truncation only.
    #[inline]
    pub fn to_norm(&mut self, f: Format, a: u64, bits: u32, signed: bool) -> u32 {
        let a = self.input(f, a);
        let mask = u32::MAX >> (32 - bits.clamp(2, 32));
        let largest = if signed { mask / 2 } else { mask };
        if f.is_nan(a) || f.sign(a) && !signed {
            return 0;
        }
        let x = f.unpack(a);
        let magnitude = if f.abs(a) >= f.one() {
            largest
        } else {
            let wide = u128::from(x.sig) * u128::from(largest);
            // Less than one: the exponent is negative, and the product fits in 96 bits.
            let drop = x.exp.unsigned_abs().min(127);
            let (whole, rest) = (wide >> drop, wide & ((1 << drop) - 1));
            let half = 1u128 << (drop - 1);
            (whole + u128::from(rest > half || rest == half && whole & 1 != 0)) as u32
        };
        (if x.sign { magnitude.wrapping_neg() } else { magnitude }) & mask
    }

    /// `old` with its byte `index & 3` replaced by an f32 as an integer from 0 to 255; a NaN is 0: V_CVT_PK_U8_F32. open: the fraction
    /// is cut off, as AMD's pseudocode has it; another source says it follows the rounding of the mode register.
    #[inline]
    pub fn pk_u8(&mut self, a: u64, index: u32, old: u32) -> u32 {
        let byte = self.to_int(F32, a, 8, false, IntRound::Trunc) as u32;
        let at = 8 * (index & 3);
        old & !(0xff << at) | byte << at
    }
}

/// A finite f16 as f32, exactly, without a branch: the exponent is moved by a product with 2^112, which is exact for subnormals too.
#[inline(always)]
pub fn finite_half(a: u32) -> f32 {
    let magnitude = f32::from_bits((a & 0x7fff) << 13) * f32::from_bits(0x7780_0000);
    f32::from_bits(magnitude.to_bits() | (a & 0x8000) << 16)
}

/// An f16 as f32, exactly, without a branch: NaNs keep their payload and are not quieted.
#[inline(always)]
pub fn half(a: u32) -> f32 {
    let special = if a & 0x7c00 == 0x7c00 { 0x7f80_0000 } else { 0 };
    f32::from_bits(finite_half(a).to_bits() | special)
}

/// The magnitude of an f32 rounded to the nearest f16, without a branch; what is too large is infinite.
#[inline(always)]
pub fn nearest_half(magnitude: u32) -> u32 {
    const MIN_NORMAL: u32 = 0x3880_0000;
    const INF: u32 = 0x7c00;
    // Below the normals, a sum with 0.5 leaves the rounded multiple of 2^-24 in the low bits.
    let denormal = (f32::from_bits(magnitude) + 0.5).to_bits().wrapping_sub(0x3f00_0000);
    let even = magnitude >> 13 & 1;
    let normal = magnitude.wrapping_add(0xfff + even).wrapping_sub(0x3800_0000) >> 13;
    if magnitude < MIN_NORMAL { denormal } else { normal.min(INF) }
}

/// An f64 rounded to f16, without a branch; of a NaN something else. A large number is added, so that what f16 has no place for falls off its end.
#[inline(always)]
pub fn to_half(v: f64) -> u32 {
    let sign = (v.to_bits() >> 48) as u32 & 0x8000;
    let magnitude = v.abs();
    // By the highest place, which for subnormals is that of the smallest normal number.
    let place = f64::from_bits(magnitude.to_bits() & 0x7ff0_0000_0000_0000);
    let least = f64::from_bits((1023 - 14) << 52);
    let place = if place > least { place } else { least };
    let large = place * f64::from_bits((1023 + 52 - 10) << 52);
    let rounded = (magnitude + large) - large;
    let rounded = if rounded < 65_536.0 { rounded } else { 65_536.0 };
    // The exponent is moved by a product with 2^-112, which is exact for subnormals too.
    (rounded as f32 * f32::from_bits((127 - 112) << 23)).to_bits() >> 13 | sign
}

/// A signed nibble, in sixteenths, as f32: V_CVT_OFF_F32_I4. Only the low four bits count.
#[inline]
pub fn off_f32_i4(a: u32) -> u64 {
    Env::default().from_i64(F32, i64::from((a << 28) as i32 >> 28)).wrapping_sub(if a & 15 == 0 { 0 } else { 4 << 23 })
}
