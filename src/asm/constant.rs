//! Constants: which operand code or literal word a written number becomes in an operand of some type.

use crate::isa::operand::Ty;
use half::{bf16, f16};

/// The operand code of a literal constant.
pub const LITERAL: u32 = 255;

/// How a constant is encoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Constant {
    /// An operand code of its own.
    Inline(u32),
    /// A literal word.
    Literal(u32),
}

/// A number as written.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    /// Without a point.
    Int(i64),
    /// With a point.
    Float(f64),
}

/// The code of a small integer.
#[must_use]
pub fn inline_int(v: i64) -> Option<u32> {
    match v {
        0..=64 => Some(128 + v as u32),
        -16..=-1 => Some((192 - v) as u32),
        _ => None,
    }
}

/// Finds a bit pattern among the eight floats and 1/(2 pi), in that order.
fn index_of(bits: u64, table: [u64; 9], inv2pi: bool) -> Option<u32> {
    let at = table.iter().position(|t| *t == bits)?;
    (at < 8 || inv2pi).then_some(240 + at as u32)
}

const F16_BITS: [u64; 9] = [0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118];
const BF16_BITS: [u64; 9] = [0x3f00, 0xbf00, 0x3f80, 0xbf80, 0x4000, 0xc000, 0x4080, 0xc080, 0x3e22];
const F32_BITS: [u64; 9] = [
    0x3f00_0000,
    0xbf00_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x4000_0000,
    0xc000_0000,
    0x4080_0000,
    0xc080_0000,
    0x3e22_f983,
];
const F64_BITS: [u64; 9] = [
    0x3fe0_0000_0000_0000,
    0xbfe0_0000_0000_0000,
    0x3ff0_0000_0000_0000,
    0xbff0_0000_0000_0000,
    0x4000_0000_0000_0000,
    0xc000_0000_0000_0000,
    0x4010_0000_0000_0000,
    0xc010_0000_0000_0000,
    0x3fc4_5f30_6dc9_c882,
];

/// Whether `v` may be cut to `bits` bits without loss, as a signed or an unsigned number.
#[must_use]
pub fn fits(v: i64, bits: u32) -> bool {
    let signed = v >= -(1i64 << (bits - 1)) && v < 1i64 << (bits - 1);
    signed || (0..1i64 << bits).contains(&v)
}

/// The inline code of a literal word in an operand of type `ty`, if there is one.
#[must_use]
pub fn inline_of_word(ty: Ty, word: u32, inv2pi: bool) -> Option<u32> {
    let signed = i64::from(word as i32);
    match ty {
        Ty::B16 => inline_int(i64::from(word as i32)).or_else(|| index_of(u64::from(word), F32_BITS, inv2pi)),
        Ty::F16 | Ty::F16x(_) => inline_int(i64::from(word as u16 as i16))
            .filter(|_| word <= 0xffff)
            .or_else(|| index_of(u64::from(word), F16_BITS, inv2pi)),
        Ty::Bf16 | Ty::Bf16x(_) => inline_int(i64::from(word as u16 as i16))
            .filter(|_| word <= 0xffff)
            .or_else(|| index_of(u64::from(word), BF16_BITS, inv2pi)),
        Ty::PF16 | Ty::BothF16 => inline_int(signed).or_else(|| index_of(u64::from(word), F16_BITS, inv2pi)),
        Ty::PBf16 | Ty::BothBf16 => inline_int(signed).or_else(|| index_of(u64::from(word), BF16_BITS, inv2pi)),
        Ty::B64 | Ty::Mask => inline_int(i64::from(word)),
        Ty::F64 | Ty::F64x(_) => inline_int(i64::from(word)),
        _ => inline_int(signed).or_else(|| index_of(u64::from(word), F32_BITS, inv2pi)),
    }
}

/// The bits that an inline constant stands for in an operand of type `ty`; 0 for a code that is none.
#[must_use]
pub fn inline_value(code: u32, ty: Ty) -> u64 {
    let wide = ty.dwords() == 2 && !matches!(ty, Ty::D32 | Ty::DF32);
    if matches!(ty, Ty::BothF16 | Ty::BothBf16) {
        let half = inline_value(code, if ty == Ty::BothF16 { Ty::F16 } else { Ty::Bf16 }) & 0xffff;
        return half | half << 16;
    }
    match code {
        128..=192 => u64::from(code - 128),
        193..=208 => {
            let v = 192 - i64::from(code);
            if wide { v as u64 } else { u64::from(v as u32) }
        }
        240..=248 => {
            let table = match ty {
                Ty::F16 | Ty::PF16 | Ty::F16x(_) => &F16_BITS,
                Ty::Bf16 | Ty::PBf16 | Ty::Bf16x(_) => &BF16_BITS,
                _ if wide => &F64_BITS,
                _ => &F32_BITS,
            };
            table[(code - 240) as usize]
        }
        _ => 0,
    }
}

/// Encodes a number for an operand of type `ty`; `None` where no encoding says what was written.
///
/// `modified` says that neg or abs stands before it: an integer in an f64 operand is ambiguous then.
#[must_use]
pub fn encode(number: Number, ty: Ty, inv2pi: bool, modified: bool) -> Option<Constant> {
    match number {
        Number::Int(v) => match ty {
            Ty::B64 | Ty::F64 | Ty::F64x(_) | Ty::Mask => {
                if let Some(code) = inline_int(v).or_else(|| index_of(v as u64, F64_BITS, inv2pi)) {
                    return Some(Constant::Inline(code));
                }
                (fits(v, 32) && !(modified && ty == Ty::F64)).then_some(Constant::Literal(v as u32))
            }
            Ty::B16 | Ty::F16 | Ty::Bf16 => {
                if !fits(v, 16) {
                    return None;
                }
                let bits = v as u64 & 0xffff;
                let code = match ty {
                    Ty::B16 => inline_int(v),
                    Ty::F16 => inline_int(i64::from(v as i16)).or_else(|| index_of(bits, F16_BITS, inv2pi)),
                    _ => inline_int(i64::from(v as i16)).or_else(|| index_of(bits, BF16_BITS, inv2pi)),
                };
                Some(code.map_or(Constant::Literal(bits as u32), Constant::Inline))
            }
            // Small integers of matrices of halves are those of 32 bits.
            Ty::F16x(_) | Ty::Bf16x(_) if inline_int(v).is_some() => inline_int(v).map(Constant::Inline),
            _ => {
                if !fits(v, 32) {
                    return None;
                }
                Some(word(ty, v as u32, inv2pi))
            }
        },
        Number::Float(f) => match ty {
            Ty::B64 | Ty::Mask => index_of(f.to_bits(), F64_BITS, inv2pi)
                .or_else(|| (f.to_bits() == 0).then_some(128))
                .map(Constant::Inline),
            Ty::F64 | Ty::F64x(_) => {
                let bits = f.to_bits();
                let code = index_of(bits, F64_BITS, inv2pi).or_else(|| (bits == 0).then_some(128));
                Some(code.map_or(Constant::Literal((bits >> 32) as u32), Constant::Inline))
            }
            Ty::F16 | Ty::F16x(_) | Ty::PF16 | Ty::BothF16 => {
                let h = f16::from_f64(f);
                if !kept(f, h.to_f64(), f64::from(f16::MIN_POSITIVE.to_f32())) {
                    return None;
                }
                Some(word(ty, u32::from(h.to_bits()), inv2pi))
            }
            Ty::Bf16 | Ty::Bf16x(_) | Ty::PBf16 | Ty::BothBf16 => {
                let h = bf16::from_f64(f);
                if !kept(f, h.to_f64(), f64::from(f32::MIN_POSITIVE)) {
                    return None;
                }
                // 1/(2 pi) as f32 prints it is the inline constant, although rounding to bf16 gives another number.
                let bits = if f.to_bits() == 0x3fc4_5f30_6725_feed { 0x3e22 } else { u32::from(h.to_bits()) };
                Some(word(ty, bits, inv2pi))
            }
            _ => {
                let s = f as f32;
                if !kept(f, f64::from(s), f64::from(f32::MIN_POSITIVE)) {
                    return None;
                }
                Some(word(ty, s.to_bits(), inv2pi))
            }
        },
    }
}

fn word(ty: Ty, bits: u32, inv2pi: bool) -> Constant {
    inline_of_word(ty, bits, inv2pi).map_or(Constant::Literal(bits), Constant::Inline)
}

/// Rounding is allowed, overflow and loss of precision to a denormal are not.
fn kept(exact: f64, rounded: f64, min_normal: f64) -> bool {
    if exact.is_infinite() || exact.is_nan() {
        return true;
    }
    if rounded.is_infinite() {
        return false;
    }
    exact == rounded || rounded.abs() >= min_normal
}

/// The word of a mandatory literal (`v_fmaak_f32`).
#[must_use]
pub fn mandatory(number: Number, ty: Ty) -> Option<u32> {
    match (number, ty) {
        (Number::Int(v), Ty::F16) => fits(v, 16).then_some(v as u32 & 0xffff),
        (Number::Int(v), _) => fits(v, 32).then_some(v as u32),
        (Number::Float(f), Ty::F16) => {
            let h = f16::from_f64(f);
            kept(f, h.to_f64(), f64::from(f16::MIN_POSITIVE.to_f32())).then(|| u32::from(h.to_bits()))
        }
        (Number::Float(f), _) => {
            kept(f, f64::from(f as f32), f64::from(f32::MIN_POSITIVE)).then(|| (f as f32).to_bits())
        }
    }
}

/// The literal word which `lit(1.5)` means in an operand of type `ty`, even where an inline constant would do.
#[must_use]
pub fn mandatory_of(number: Number, ty: Ty) -> Option<u32> {
    match (number, ty) {
        (Number::Float(f), Ty::F64 | Ty::B64) => Some((f.to_bits() >> 32) as u32),
        (Number::Float(f), Ty::Bf16 | Ty::PBf16 | Ty::BothBf16) => Some(u32::from(bf16::from_f64(f).to_bits())),
        (Number::Float(_), Ty::F16 | Ty::PF16 | Ty::BothF16) => mandatory(number, Ty::F16),
        _ => mandatory(number, Ty::F32),
    }
}
