//! Kinds of operands, and codes of each kind.

use crate::isa::form::{Allow, Kind, Slot};
use crate::isa::{Gen, regs};
use crate::laws::Chance;

/// What stands in the place of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operand {
    /// A vector register.
    Vector,
    /// A numbered scalar register.
    Scalar,
    /// A small whole number in the code itself.
    Int,
    /// A float in the code itself.
    Float,
    /// A literal behind the instruction.
    Literal,
    /// VCC, EXEC, M0, the condition, and what else has a name.
    Special,
}

impl Operand {
    /// Every kind.
    pub const ALL: [Operand; 6] =
        [Operand::Vector, Operand::Scalar, Operand::Int, Operand::Float, Operand::Literal, Operand::Special];

    /// As reports name it.
    #[must_use]
    pub fn name(self) -> &'static str {
        ["vgpr", "sgpr", "int", "float", "literal", "special"][self as usize]
    }
}

/// Vector registers that programs use: v0 and up.
pub const VECTORS: u32 = 32;
/// The last of them is never written: 16 times the number of the lane.
pub(super) const LANE: u32 = VECTORS - 1;
/// Scalar registers that programs use: s0 and up. Those behind them belong to the pool.
pub const SCALARS: u32 = 60;

/// The code of a literal.
pub(super) const LITERAL: u32 = 255;
const VCC: u32 = 106;
const EXEC: u32 = 126;

/// The kinds that may stand in the place of a source.
pub(super) fn kinds(slot: &Slot) -> Vec<Operand> {
    let allowed = |kind: Operand| match kind {
        Operand::Vector => slot.allow.contains(Allow::VGPR) && slot.span.bits() >= 9,
        Operand::Scalar | Operand::Special => slot.allow.contains(Allow::SGPR),
        Operand::Int | Operand::Float => slot.allow.contains(Allow::INLINE),
        Operand::Literal => slot.allow.contains(Allow::LITERAL),
    };
    match slot.kind {
        Kind::Source => Operand::ALL.into_iter().filter(|kind| allowed(*kind)).collect(),
        Kind::SdwaSource(_) => {
            let scalar = |kind: &Operand| *kind != Operand::Literal && *kind != Operand::Vector && allowed(*kind);
            std::iter::once(Operand::Vector).chain(Operand::ALL.into_iter().filter(scalar)).collect()
        }
        Kind::Vgpr if slot.allow.contains(Allow::VGPR) => vec![Operand::Vector],
        Kind::Sgpr => vec![Operand::Scalar, Operand::Special],
        Kind::Literal => vec![Operand::Literal],
        _ => Vec::new(),
    }
}

/// A code of a kind; the width is in registers.
pub(super) fn code(kind: Operand, generation: Gen, dwords: u32, chance: &mut Chance) -> u32 {
    match kind {
        Operand::Vector => 256 + vector(dwords, chance),
        Operand::Scalar => scalar(dwords, chance),
        Operand::Int => 128 + chance.below(81) as u32,
        Operand::Float => 240 + chance.below(if generation >= Gen::Gfx8 { 9 } else { 8 }) as u32,
        Operand::Literal => LITERAL,
        Operand::Special => {
            let m0 = u32::from(regs::m0_code(generation));
            let null = regs::null_code(generation).map_or(VCC, u32::from);
            let all = [VCC, VCC, VCC + 1, EXEC, EXEC + 1, m0, null, 235, 236, 237, 238, 251, 252, 253];
            all[chance.below(all.len())]
        }
    }
}

/// A vector register which so many others follow. Pairs begin at even numbers, as some processors want.
pub(super) fn vector(dwords: u32, chance: &mut Chance) -> u32 {
    let at = chance.below((LANE - dwords.min(LANE - 1)) as usize) as u32;
    if dwords > 1 { at & !1 } else { at }
}

/// A scalar register which so many others follow, aligned as wide operands are.
pub(super) fn scalar(dwords: u32, chance: &mut Chance) -> u32 {
    let at = chance.below((SCALARS - dwords.min(SCALARS - 1)) as usize) as u32;
    match dwords {
        0 | 1 => at,
        2 => at & !1,
        _ => at & !3,
    }
}

/// A scalar register that a result goes to: sometimes one with a name. EXEC and M0 are written on purpose only.
pub(super) fn destination(generation: Gen, dwords: u32, chance: &mut Chance) -> u32 {
    match (chance.below(12), regs::null_code(generation)) {
        (0 | 1, _) => VCC,
        (2, Some(null)) => null.into(),
        _ => scalar(dwords, chance),
    }
}

/// Values of literals: edges of several types.
#[rustfmt::skip]
const LITERALS: &[u32] = &[
    0, 1, u32::MAX, 0x8000_0000, 0x7fff_ffff, 0x3f80_0000, 0xbf80_0000, 0x7f80_0000, 0xff80_0000, 0x7fc0_0001, 0x7f80_0001, 0x0000_0001,
    0x007f_ffff, 0x0080_0000, 0x7f7f_ffff, 0x3c00_bc00, 0x7c00_7e01, 0x0001_8400, 0x3ff0_0000, 0x7ff8_0000, 0x000f_ffff, 0x4b00_0000, 0x1f, 0x40,
];

/// A literal and the number of its class: an edge, or anything.
pub(super) fn literal(chance: &mut Chance) -> (u32, u8) {
    match chance.below(4) {
        0 => (chance.next_u64() as u32, LITERALS.len() as u8),
        _ => {
            let n = chance.below(LITERALS.len());
            (LITERALS[n], n as u8)
        }
    }
}
