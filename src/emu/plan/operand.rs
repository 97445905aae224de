//! Operands: from their codes to where they lie.

use super::{Code, Planner};
use crate::asm::inline_value;
use crate::emu::kernel::STRIDE;
use crate::emu::wave::{file, slot};
use crate::fault::planted;
use crate::isa::form::{Kind, NO_BIT, Slot};
use crate::isa::operand::Ty;
use crate::isa::rules;
use crate::isa::sem::Class;
use crate::isa::{Gen, regs};

/// Where an operand comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum From {
    /// Vector registers, temporaries or constants: an offset into the file.
    File(u32),
    /// Scalar registers: a slot.
    Scalar(u32),
    /// A value in LDS, at M0.
    LdsDirect,
}

/// Part of a register that SDWA selects.
pub type Select = u8;

/// What must be done to an operand before a kernel reads it.
#[derive(Clone, Copy, Debug)]
pub struct Prepare {
    /// Where it comes from.
    pub from: From,
    /// Where the kernel reads it.
    pub to: u32,
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

impl Prepare {
    pub(in crate::emu) fn new(from: From, to: u32, class: Class) -> Prepare {
        Prepare {
            from,
            to,
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

    /// Whether the kernel can read the operand where it is.
    pub(in crate::emu) fn in_place(&self) -> Option<u32> {
        match self.from {
            From::File(at) if self.only_signs() && !self.abs && !self.neg => Some(at),
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

impl Planner {
    /// Whether the generation reads the first register where a scalar source is out of range; later ones read 0.
    fn reads_first(&self) -> bool {
        self.generation() < Gen::Gfx10
    }

    /// The slot of a scalar source below 256, or of the literal.
    pub(in crate::emu) fn scalar_source(&mut self, operand: u32, ty: Ty, signed: bool, literal: u32) -> u32 {
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

    /// The slot of a scalar destination.
    pub(in crate::emu) fn scalar_destination(&self, operand: u32) -> u32 {
        if Some(operand as u16) == regs::null_code(self.generation()) || operand >= 128 {
            return slot::SINK as u32;
        }
        operand
    }

    /// Whether a slot must be computed before it is read.
    pub(in crate::emu) fn is_on_demand(at: u32) -> bool {
        (slot::VCCZ..slot::SHARED).contains(&(at as usize))
    }

    /// The offset of a vector register.
    pub(in crate::emu) fn register(n: u32) -> u32 {
        n * STRIDE as u32
    }

    /// Where the operand of a vector instruction comes from, and whether it is the upper half of its register.
    pub(in crate::emu) fn vector_operand(&mut self, code: &Code<'_>, place: &Slot, dwords: u8) -> (From, bool) {
        let words = code.words;
        let field = place.span.get(words);
        let half = place.half != NO_BIT && bit(words, place.half);
        // In short forms the half is the top bit of the register's number.
        let in_number = place.half != NO_BIT && place.half == place.span.lo + 7;
        let accumulation = place.acc != NO_BIT && bit(words, place.acc) || place.allow == crate::isa::form::Allow::AGPR;
        let number = |n: u32| {
            let n = if in_number { n & 0x7f } else { n & 0xff };
            if accumulation { file::AGPR + Self::register(n) } else { Self::register(n) }
        };
        match place.kind {
            Kind::Vgpr | Kind::DualVdst => (From::File(number(field)), half),
            Kind::SdwaSource(scalar) if scalar.get(words) == 0 => (From::File(number(field)), half),
            Kind::Source if field >= 256 => (From::File(number(field)), half && (in_number || place.half != NO_BIT)),
            Kind::Source | Kind::SdwaSource(_) => {
                let half = half && !in_number;
                (self.scalar_operand(field, place.ty, dwords, code), half)
            }
            Kind::Literal => {
                let v = literal_constant(code.literal(), place.ty, false);
                (From::File(self.vector_constant(u128::from(v), dwords.max(1))), false)
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
                From::File(self.vector_constant(v, dwords.max(1)))
            }
            255 => {
                let v = u128::from(literal_constant(code.literal(), ty, signed));
                From::File(self.vector_constant(v, dwords.max(1)))
            }
            _ => From::Scalar(self.scalar_source(operand, ty, signed, code.literal())),
        }
    }
}

/// One bit of an instruction.
pub(in crate::emu) fn bit(words: &[u32], n: u8) -> bool {
    words[usize::from(n / 32)] >> (n % 32) & 1 != 0
}
