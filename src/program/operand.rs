//! Operands: from their codes to where they lie.

use super::build::{Builder, Code};
use super::place::{file, slot};
use crate::asm::inline_value;
use crate::fault::planted;
use crate::isa::form::{Allow, Kind, NO_BIT, Slot};
use crate::isa::operand::Ty;
use crate::isa::rules;
use crate::isa::sem::Class;
use crate::isa::{Gen, regs};
use crate::memory::plane::Parameter;

/// Where an operand comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum From {
    /// A vector place.
    Vector(u32),
    /// A scalar place: the same in all lanes.
    Scalar(u32),
    /// A value in LDS, at M0.
    LdsDirect,
    /// A parameter in LDS, of the primitive that the lane is of.
    Parameter(Parameter),
}

/// Part of a register that SDWA selects.
pub type Select = u8;

/// A source that is more than a vector register or constant, and what is done to it before the meaning reads it.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// Which source it is.
    pub number: u8,
    /// Where it comes from.
    pub from: From,
    /// Registers.
    pub dwords: u8,
    /// What it is.
    pub class: Class,
    /// Absolute value, before negation.
    pub abs: bool,
    /// Negation.
    pub neg: bool,
    /// The upper half instead of the lower.
    pub high: bool,
    /// What SDWA selects: 0-3 a byte, 4-5 a half, 6 everything.
    pub select: Select,
    /// What SDWA selected is sign-extended.
    pub sext: bool,
    /// DPP moves this operand across lanes.
    pub permuted: bool,
    /// All lanes of a quad read this one of it: interpolation.
    pub quad: Option<u8>,
    /// An f16 that is widened to an f32: mixed precision.
    pub widen: bool,
    /// Its denormals are flushed whatever MODE says: mixed precision that is not fused.
    pub flush: bool,
    /// Two halves, chosen and negated each: packed instructions. Low: bits 0 half, 1 negate; high: bits 2 half, 3 negate.
    pub halves: Option<u8>,
}

impl Source {
    pub(super) fn new(number: usize, from: From, class: Class) -> Source {
        Source {
            number: number as u8,
            from,
            dwords: class.dwords() as u8,
            class,
            abs: false,
            neg: false,
            high: false,
            select: 6,
            sext: false,
            permuted: false,
            quad: None,
            widen: false,
            flush: false,
            halves: None,
        }
    }

    /// Whether absolute value and negation are all that is done to the operand.
    pub(crate) fn only_signs(&self) -> bool {
        let moved = self.high || self.select != 6 || self.sext || self.permuted || self.quad.is_some() || self.widen;
        !moved && self.halves.is_none()
    }

    /// Whether nothing at all is done to the operand.
    pub(crate) fn is_plain(&self) -> bool {
        self.only_signs() && !self.abs && !self.neg
    }

    /// The vector place, where the meaning can read the operand there.
    pub(super) fn in_place(&self) -> Option<u32> {
        match self.from {
            From::Vector(at) if self.is_plain() => Some(at),
            _ => None,
        }
    }
}

/// A literal word in an operand of type `ty`.
#[must_use]
pub fn literal_constant(word: u32, ty: Ty, signed: bool) -> u64 {
    match ty {
        Ty::F64 => u64::from(word) << if planted!(LiteralOfDouble) { 0 } else { 32 },
        Ty::B64 | Ty::Mask if signed && !planted!(LiteralOfPairUnsigned) => i64::from(word as i32) as u64,
        _ => u64::from(word),
    }
}

impl Builder {
    /// Whether the generation reads the first register where a scalar source is out of range; later ones read 0.
    fn reads_first(&self) -> bool {
        self.generation() < Gen::Gfx10
    }

    /// The place of a scalar source below 256, or of the literal.
    pub(super) fn scalar_source(&mut self, operand: u32, ty: Ty, signed: bool, literal: u32) -> u32 {
        let g = self.generation();
        if Some(operand as u16) == regs::null_code(g) {
            return slot::ZERO as u32;
        }
        match operand {
            0..=127 => {
                let last = operand + u32::from(ty.dwords()) - 1;
                if self.register_exists(last) {
                    operand
                } else if self.reads_first() {
                    0
                } else {
                    slot::ZERO as u32
                }
            }
            128..=208 | 240..=248 => {
                let v = inline_value(operand, ty);
                self.scalar_constant(v, 2)
            }
            235 => slot::SHARED as u32,
            236 => slot::SHARED as u32 + 2,
            237 => slot::PRIVATE as u32,
            238 => slot::PRIVATE as u32 + 2,
            251 => slot::VCCZ as u32,
            252 => slot::EXECZ as u32,
            253 => slot::SCC as u32,
            255 => self.scalar_constant(literal_constant(literal, ty, signed), 2),
            _ => slot::ZERO as u32,
        }
    }

    /// Whether a scalar operand code below 128 is a register.
    fn register_exists(&self, operand: u32) -> bool {
        operand < 128
    }

    /// The place of a scalar destination.
    pub(super) fn scalar_destination(&self, operand: u32) -> u32 {
        if Some(operand as u16) == regs::null_code(self.generation()) || operand >= 128 {
            return slot::SINK as u32;
        }
        operand
    }

    /// Where the operand of a vector instruction comes from, and whether it is the upper half of its register.
    pub(super) fn vector_operand(&mut self, code: &Code<'_>, place: &Slot, dwords: u8) -> (From, bool) {
        let words = code.words;
        let field = place.span.get(words);
        let half = place.half != NO_BIT && code.bit(place.half);
        // In short forms the half is the top bit of the register's number.
        let in_number = place.half != NO_BIT && place.half == place.span.lo + 7;
        let always = place.allow.contains(Allow::AGPR) && !place.allow.contains(Allow::VGPR);
        let accumulation = always || place.acc != NO_BIT && code.bit(place.acc);
        let number = |n: u32| {
            let n = if in_number { n & 0x7f } else { n & 0xff };
            if accumulation { file::AGPR + n } else { n }
        };
        match place.kind {
            Kind::Vgpr | Kind::DualVdst => (From::Vector(number(field)), half),
            Kind::SdwaSource(scalar) if scalar.get(words) == 0 => (From::Vector(number(field)), half),
            Kind::Source if field >= 256 => (From::Vector(number(field)), half && (in_number || place.half != NO_BIT)),
            Kind::Source | Kind::SdwaSource(_) => {
                let half = half && !in_number;
                (self.scalar_operand(field, place.ty, dwords, code), half)
            }
            Kind::Literal => {
                let v = literal_constant(code.literal(), place.ty, false);
                (From::Vector(self.vector_constant(u128::from(v), dwords.max(1))), false)
            }
            _ => (From::Scalar(slot::ZERO as u32), false),
        }
    }

    /// A scalar register or constant as the operand of a vector instruction.
    fn scalar_operand(&mut self, operand: u32, ty: Ty, dwords: u8, code: &Code<'_>) -> From {
        let signed = rules::extends_literals(code.form.row);
        match operand {
            254 => From::LdsDirect,
            128..=208 | 240..=248 => {
                let v = inline_value(operand, ty);
                let v =
                    if matches!(ty, Ty::D32 | Ty::DF32) { u128::from(v) | u128::from(v) << 32 } else { u128::from(v) };
                From::Vector(self.vector_constant(v, dwords.max(1)))
            }
            255 => {
                let v = u128::from(literal_constant(code.literal(), ty, signed));
                From::Vector(self.vector_constant(v, dwords.max(1)))
            }
            _ => From::Scalar(self.scalar_source(operand, ty, signed, code.literal())),
        }
    }
}
