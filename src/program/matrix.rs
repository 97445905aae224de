//! Matrix products of gfx11 and gfx12: where A, B, C and D begin, and the modifiers as the immediate of the step.

use super::Step;
use super::build::{Builder, Code};
use super::operand::From;
use super::place::file;
use crate::isa::does::{Does, Element};
use crate::isa::form::{Mod, Slot};
use crate::isa::operand::Ty;

/// The modifiers of a product, as the immediate of its step.
///
/// NEG_LO and NEG_HI negate even and odd elements of A and B; of C they are the sign and the absolute value. For integers
/// NEG_LO says that A or B is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modifiers(pub u32);

impl Modifiers {
    const CLAMP: u32 = 1 << 6;
    const HIGH: u32 = 1 << 7;

    fn of(code: &Code<'_>) -> Modifiers {
        let flag = |set: bool, bit: u32| if set { bit } else { 0 };
        Modifiers(
            code.modifier(Mod::NegLo)
                | code.modifier(Mod::NegHi) << 3
                | flag(code.modifier(Mod::Clamp) != 0, Modifiers::CLAMP)
                | flag(code.modifier(Mod::OpSel) >> 2 & 1 != 0, Modifiers::HIGH),
        )
    }

    /// NEG_LO for the even elements of a source, NEG_HI for the odd ones.
    #[must_use]
    pub const fn negates(self, source: u32, odd: u32) -> bool {
        self.0 >> (source + 3 * odd) & 1 != 0
    }

    /// Integers are brought into the range of the result.
    #[must_use]
    pub const fn clamps(self) -> bool {
        self.0 & Modifiers::CLAMP != 0
    }

    /// C and D of 16 bits take the upper halves of their registers.
    #[must_use]
    pub const fn high(self) -> bool {
        self.0 & Modifiers::HIGH != 0
    }
}

impl Builder {
    /// The step of a product. Beyond the last register a source is v0, and nothing is written: such a destination is
    /// [nowhere](file::NOWHERE).
    pub(super) fn product(&mut self, code: &Code<'_>) -> Option<Step> {
        let Does::Product(product) = code.form.row.does else { return None };
        let [dst, sources @ ..] = &code.form.slots[..] else { return None };
        let mut step = Step::new(code.at);
        step.vectors = 7 | Step::DST;
        step.dst = self.matrix(code, dst)?.unwrap_or(file::NOWHERE);
        for (n, place) in sources.iter().enumerate() {
            let place = if n == 2 { Slot { ty: constant(product.sum), ..*place } } else { *place };
            let at = if n == 2 && place.span.get(code.words) < 256 {
                let From::Vector(at) = self.vector_operand(code, &place, 1).0 else { return None };
                at
            } else {
                self.matrix(code, &sources[n])?.unwrap_or(0)
            };
            *step.src.get_mut(n)? = at;
        }
        step.imm = Modifiers::of(code).0;
        Some(step)
    }

    /// The first register of a place; nothing inside where its last one is beyond those that there are.
    fn matrix(&mut self, code: &Code<'_>, place: &Slot) -> Option<Option<u32>> {
        let From::Vector(at) = self.vector_operand(code, place, 1).0 else { return None };
        Some((at + u32::from(place.ty.dwords()) <= file::AGPR).then_some(at))
    }
}

/// The type of an inline constant that stands for all of C.
fn constant(element: Element) -> Ty {
    match element {
        Element::F16 => Ty::F16,
        Element::Bf16 => Ty::Bf16,
        _ => Ty::F32,
    }
}
