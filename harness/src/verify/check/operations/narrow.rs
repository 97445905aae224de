//! Numbers of eight bits, normalised integers and bytes (ALU_FACTS 7).
//!
//! What a pattern of eight bits means is a table of numbers, and a conversion looks for the nearest in it.

use super::super::inputs::Kind;
use super::super::reference::{Format, Machine};
use super::super::{Modes, Operation};
use super::{F16, F32, I32, operation};

/// The operations.
#[rustfmt::skip]
pub static TABLE: &[Operation] = &[
    operation!("v_cvt_f32_fp8", ["v_cvt_f32_fp8 {d}, {a}"], [I32], 32, None, |m, v| f32_bits(FP8.number(m, v[0]))),
    operation!("v_cvt_f32_bf8", ["v_cvt_f32_bf8 {d}, {a}"], [I32], 32, None, |m, v| f32_bits(BF8.number(m, v[0]))),
    operation!("v_cvt_f32_fp8 byte 1", ["v_cvt_f32_fp8 {d}, {a} byte_sel:1", "v_cvt_f32_fp8_sdwa {d}, {a} src0_sel:BYTE_1"], [I32], 32, None, |m, v| f32_bits(FP8.number(m, v[0] >> 8))),
    operation!("v_cvt_f32_fp8 byte 2", ["v_cvt_f32_fp8 {d}, {a} byte_sel:2", "v_cvt_f32_fp8_sdwa {d}, {a} src0_sel:BYTE_2"], [I32], 32, None, |m, v| f32_bits(FP8.number(m, v[0] >> 16))),
    operation!("v_cvt_f32_bf8 byte 3", ["v_cvt_f32_bf8 {d}, {a} byte_sel:3", "v_cvt_f32_bf8_sdwa {d}, {a} src0_sel:BYTE_3"], [I32], 32, None, |m, v| f32_bits(BF8.number(m, v[0] >> 24))),
    operation!("v_cvt_pk_f32_fp8", ["v_cvt_pk_f32_fp8 {d}, {a}"], [I32], 64, None, |m, v| f32_bits(FP8.number(m, v[0])) | f32_bits(FP8.number(m, v[0] >> 8)) << 32),
    operation!("v_cvt_pk_f32_bf8", ["v_cvt_pk_f32_bf8 {d}, {a}"], [I32], 64, None, |m, v| f32_bits(BF8.number(m, v[0])) | f32_bits(BF8.number(m, v[0] >> 8)) << 32),
    operation!("v_cvt_pk_fp8_f32", ["v_cvt_pk_fp8_f32 {d}, {a}, {b}"], [F32, F32], 16, Single, |m, v| FP8.nearest(m, v[0]) | FP8.nearest(m, v[1]) << 8),
    operation!("v_cvt_pk_bf8_f32", ["v_cvt_pk_bf8_f32 {d}, {a}, {b}"], [F32, F32], 16, Single, |m, v| BF8.nearest(m, v[0]) | BF8.nearest(m, v[1]) << 8),
    operation!("v_cvt_sr_fp8_f32", ["v_cvt_sr_fp8_f32 {d}, {a}, {b}"], [F32, I32], 8, Single, |m, v| FP8.stochastic(m, v[0], v[1])),
    operation!("v_cvt_sr_bf8_f32", ["v_cvt_sr_bf8_f32 {d}, {a}, {b}"], [F32, I32], 8, Single, |m, v| BF8.stochastic(m, v[0], v[1])),
    operation!("v_cvt_sr_fp8_f32 byte 1", ["v_mov_b32 {d}, {a}; v_cvt_sr_fp8_f32 {d}, {a}, {b} byte_sel:1", "v_mov_b32 {d}, {a}; v_cvt_sr_fp8_f32 {d}, {a}, {b} op_sel:[0,0,1,0]"], [F32, I32], 32, Single, |m, v| v[0] & 0xffff_00ff | FP8.stochastic(m, v[0], v[1]) << 8),
    operation!("v_cvt_sr_bf8_f32 byte 2", ["v_mov_b32 {d}, {a}; v_cvt_sr_bf8_f32 {d}, {a}, {b} byte_sel:2", "v_mov_b32 {d}, {a}; v_cvt_sr_bf8_f32 {d}, {a}, {b} op_sel:[0,0,0,1]"], [F32, I32], 32, Single, |m, v| v[0] & 0xff00_ffff | BF8.stochastic(m, v[0], v[1]) << 16),

    operation!("v_cvt_pknorm_i16_f32", ["v_cvt_pknorm_i16_f32 {d}, {a}, {b}", "v_cvt_pk_norm_i16_f32 {d}, {a}, {b}"], [F32, F32], 32, None, |_, v| norm(single(v[0]), -1.0, 32767.0) | norm(single(v[1]), -1.0, 32767.0) << 16),
    operation!("v_cvt_pknorm_u16_f32", ["v_cvt_pknorm_u16_f32 {d}, {a}, {b}", "v_cvt_pk_norm_u16_f32 {d}, {a}, {b}"], [F32, F32], 32, None, |_, v| norm(single(v[0]), 0.0, 65535.0) | norm(single(v[1]), 0.0, 65535.0) << 16),
    operation!("v_cvt_pknorm_i16_f16", ["v_cvt_pknorm_i16_f16 {d}, {a}, {b}", "v_cvt_pk_norm_i16_f16 {d}, {a}, {b}"], [F16, F16], 32, None, |_, v| norm(half(v[0]), -1.0, 32767.0) | norm(half(v[1]), -1.0, 32767.0) << 16),
    operation!("v_cvt_pknorm_u16_f16", ["v_cvt_pknorm_u16_f16 {d}, {a}, {b}", "v_cvt_pk_norm_u16_f16 {d}, {a}, {b}"], [F16, F16], 32, None, |_, v| norm(half(v[0]), 0.0, 65535.0) | norm(half(v[1]), 0.0, 65535.0) << 16),
    operation!("v_cvt_norm_i16_f16", ["v_cvt_norm_i16_f16 {d}, {a}"], [F16], 16, None, |_, v| norm(half(v[0]), -1.0, 32767.0)),
    operation!("v_cvt_norm_u16_f16", ["v_cvt_norm_u16_f16 {d}, {a}"], [F16], 16, None, |_, v| norm(half(v[0]), 0.0, 65535.0)),
    operation!("v_cvt_pk_u8_f32", ["v_cvt_pk_u8_f32 {d}, {a}, {b}, {c}"], [F32, I32, I32], 32, None, |_, v| byte_in(single(v[0]), v[1], v[2])),
    operation!("v_cvt_pkaccum_u8_f32", ["v_mov_b32 {d}, {c}; v_cvt_pkaccum_u8_f32 {d}, {a}, {b}"], [F32, I32, I32], 32, None, |_, v| byte_in(single(v[0]), v[1], v[2])),
    operation!("v_cvt_off_f32_i4", ["v_cvt_off_f32_i4 {d}, {a}"], [I32], 32, None, |_, v| f32_bits(f64::from(((v[0] as i32) << 28) >> 28) / 16.0)),
    operation!("v_cvt_f32_ubyte0", ["v_cvt_f32_ubyte0 {d}, {a}"], [I32], 32, None, |_, v| f32_bits((v[0] & 0xff) as f64)),
    operation!("v_cvt_f32_ubyte1", ["v_cvt_f32_ubyte1 {d}, {a}"], [I32], 32, None, |_, v| f32_bits((v[0] >> 8 & 0xff) as f64)),
    operation!("v_cvt_f32_ubyte2", ["v_cvt_f32_ubyte2 {d}, {a}"], [I32], 32, None, |_, v| f32_bits((v[0] >> 16 & 0xff) as f64)),
    operation!("v_cvt_f32_ubyte3", ["v_cvt_f32_ubyte3 {d}, {a}"], [I32], 32, None, |_, v| f32_bits((v[0] >> 24 & 0xff) as f64)),
    operation!("v_frexp_exp_i32_f64", ["v_frexp_exp_i32_f64 {d}, {a}"], [Kind::Float(Format::F64)], 32, Other, |m, v| exponent(m, Format::F64, v[0])),
    operation!("v_frexp_exp_i32_f32", ["v_frexp_exp_i32_f32 {d}, {a}"], [F32], 32, Single, |m, v| exponent(m, Format::F32, v[0])),
    operation!("v_frexp_exp_i16_f16", ["v_frexp_exp_i16_f16 {d}, {a}"], [F16], 16, Other, |m, v| exponent(m, Format::F16, v[0]) & 0xffff),
    operation!("v_frexp_mant_f64", ["v_frexp_mant_f64 {d}, {a}"], [Kind::Float(Format::F64)], 64, Other, |m, v| mantissa(m, Format::F64, v[0])),
    operation!("v_frexp_mant_f32", ["v_frexp_mant_f32 {d}, {a}"], [F32], 32, Single, |m, v| mantissa(m, Format::F32, v[0])),
    operation!("v_frexp_mant_f16", ["v_frexp_mant_f16 {d}, {a}"], [F16], 16, Other, |m, v| mantissa(m, Format::F16, v[0])),
];

/// A format of eight bits.
struct Narrow {
    /// Bits of the fraction.
    fraction: i32,
    /// What is taken from the exponent: with a negative zero, and without.
    bias: [i32; 2],
    /// Whether, with a negative zero, the largest exponent is that of an infinity and NaNs.
    infinite: bool,
}

const FP8: Narrow = Narrow { fraction: 3, bias: [7, 8], infinite: false };
const BF8: Narrow = Narrow { fraction: 2, bias: [15, 16], infinite: true };

impl Narrow {
    /// A number, without regard to what patterns stand for otherwise.
    fn plain(&self, m: &Machine, v: u64) -> f64 {
        let (exponent, fraction) = (v >> self.fraction, (v & ((1 << self.fraction) - 1)) as f64);
        let unit = 1.0 - f64::from(self.bias[usize::from(m.fnuz)]) - f64::from(self.fraction);
        let hidden = if exponent == 0 { 0.0 } else { f64::from(1 << self.fraction) };
        (hidden + fraction) * (unit + exponent.max(1) as f64 - 1.0).exp2()
    }

    /// The largest finite number.
    const fn most(&self, m: &Machine) -> u64 {
        match (m.fnuz, self.infinite) {
            (true, _) => 0x7f,
            (false, true) => 0x7b,
            (false, false) => 0x7e,
        }
    }

    fn number(&self, m: &Machine, v: u64) -> f64 {
        let v = v & 0xff;
        let sign = if v >> 7 != 0 { -1.0 } else { 1.0 };
        match v & 0x7f {
            0 if m.fnuz && v != 0 => f64::from_bits(0xfff8_0000_0000_0000),
            magnitude if magnitude <= self.most(m) => sign * self.plain(m, magnitude),
            0x7c if self.infinite => sign * f64::INFINITY,
            // The payload is that of the fraction.
            magnitude => {
                let payload = if self.infinite { (magnitude & 3) << 50 } else { 0 };
                f64::from_bits((v >> 7) << 63 | 0x7ff8_0000_0000_0000 | payload)
            }
        }
    }

    /// What stands for an f32 that is no number, or too large.
    fn beyond(&self, m: &Machine, a: u64) -> u64 {
        let (f, sign) = (Format::F32, a >> 31 << 7);
        if f.is_nan(a) {
            if m.fnuz { 0x80 } else { sign | 0x7f }
        } else if m.saturate {
            sign | self.most(m)
        } else if m.fnuz {
            0x80
        } else {
            sign | if self.infinite { 0x7c } else { 0x7f }
        }
    }

    /// With its sign; there is a negative zero or none.
    fn signed(&self, m: &Machine, a: u64, magnitude: u64) -> u64 {
        if magnitude == 0 && m.fnuz { 0 } else { a >> 31 << 7 | magnitude }
    }

    /// The nearest number, the even one of two.
    fn nearest(&self, m: &Machine, a: u64) -> u64 {
        let x = single(a).abs();
        // One more than the largest stands for all that is above.
        let next = self.most(m) + 1;
        if !x.is_finite() || x >= self.plain(m, next) {
            return self.beyond(m, a);
        }
        let distance = |v: u64| (x - self.plain(m, v)).abs();
        let best =
            (0..=next).min_by(|p, q| distance(*p).total_cmp(&distance(*q)).then((p & 1).cmp(&(q & 1)))).unwrap_or(0);
        if best == next { self.beyond(m, a) } else { self.signed(m, a, best) }
    }

    /// Random bits added to those that are cut off: the seed's highest, as many as these.
    fn stochastic(&self, m: &Machine, a: u64, seed: u64) -> u64 {
        let x = single(a).abs();
        if !x.is_finite() {
            return self.beyond(m, a);
        }
        let below = (0..=self.most(m)).rev().find(|v| self.plain(m, *v) <= x).unwrap_or(0);
        // The part of a step that is above the number below, and that of the seed, in exact binary fractions.
        let step = self.plain(m, below + 1) - self.plain(m, below);
        let over = (x - self.plain(m, below)) / step;
        let lost = self.lost_bits(m, a);
        let random = (seed >> (32 - lost.min(32))) as f64 / f64::from(lost.min(32)).exp2();
        let up = over + random >= 1.0;
        let magnitude = below + u64::from(up);
        if magnitude > self.most(m) { self.beyond(m, a) } else { self.signed(m, a, magnitude) }
    }

    /// How many bits of an f32 are below the last one of the result.
    fn lost_bits(&self, m: &Machine, a: u64) -> u32 {
        let exponent = Format::F32.field(a).max(1) as i32 - 127;
        let least = 1 - self.bias[usize::from(m.fnuz)];
        (23 - self.fraction + (least - exponent).max(0)) as u32
    }
}

fn single(v: u64) -> f64 {
    f64::from(f32::from_bits(v as u32))
}

/// An f16, exactly.
fn half(v: u64) -> f64 {
    let (f, sign) = (Format::F16, if v >> 15 & 1 != 0 { -1.0 } else { 1.0 });
    let fraction = (v & 0x3ff) as f64;
    sign * match f.field(v) {
        31 if f.is_nan(v) => f64::NAN,
        31 => f64::INFINITY,
        0 => fraction * (-24f64).exp2(),
        e => (1024.0 + fraction) * (e as f64 - 25.0).exp2(),
    }
}

/// The bits of a number that is an f32.
fn f32_bits(v: f64) -> u64 {
    u64::from((v as f32).to_bits())
}

/// A normalised integer, to the nearest even one.
fn norm(v: f64, least: f64, scale: f64) -> u64 {
    let v = if v.is_nan() { 0.0 } else { v.clamp(least, 1.0) };
    (v * scale).round_ties_even() as i64 as u64 & 0xffff
}

/// A byte of a word replaced: the fraction cut off (`explain --choices`).
fn byte_in(v: f64, at: u64, word: u64) -> u64 {
    let shift = 8 * (at & 3);
    let byte = v.clamp(0.0, 255.0) as u64;
    word & !(0xff << shift) | byte << shift
}

/// The exponent of a number whose mantissa lies between a half and one.
fn exponent(m: &Machine, f: Format, v: u64) -> u64 {
    let v = m.input(f, v);
    if f.is_zero(v) || f.is_nan(v) || f.is_inf(v) {
        // gfx6 has another number for what is none (CLRX).
        return if m.generation == 6 && !f.is_zero(v) { 0xffff_ffff } else { 0 };
    }
    let magnitude = f.abs(v);
    let leading =
        if f.field(v) == 0 { 64 - i64::from(magnitude.leading_zeros()) - i64::from(f.man()) } else { f.field(v) };
    (leading - f.bias() + 1) as u64 & 0xffff_ffff
}

/// That mantissa.
fn mantissa(m: &Machine, f: Format, v: u64) -> u64 {
    let v = m.input(f, v);
    if f.is_nan(v) {
        return m.quieted(f, v);
    }
    if f.is_zero(v) || f.is_inf(v) {
        return v;
    }
    let magnitude = f.abs(v);
    let fraction = if f.field(v) == 0 { magnitude << (magnitude.leading_zeros() - (63 - f.man())) } else { magnitude };
    f.with_sign(f.negative(v), (f.bias() as u64 - 1) << f.man() | fraction & (f.min_normal() - 1))
}
