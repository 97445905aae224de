//! Fields which do not take every value: what the decoder checks beyond fixed bits.
//!
//! A set of values is 512 bits; the few dozen different sets of a processor are shared by its forms.

use super::arch::{Target, Variants};
use super::form::{Allow, Kind, Mod, ModSlot, NO_BIT, Slot, Variant};
use super::format::Span;
use super::operand::Ty;
use super::regs::Names;
use super::row::Inst;
use super::symbols;

/// A field of at most nine bits in one word which takes only the values of a set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit {
    pub(crate) word: u8,
    pub(crate) shift: u8,
    pub(crate) mask: u16,
    /// Index into [`Table::sets`].
    pub(crate) set: u16,
}

/// A set of values below 512.
pub(crate) type ValueSet = [u64; 8];

/// Makes the sets of values that fields take.
pub(super) struct Sets {
    /// For which processor and mode.
    pub(super) target: Target,
    /// The texts of scalar operand codes.
    pub(super) names: Names,
    /// The sets.
    pub(super) list: Vec<ValueSet>,
}

impl Sets {
    fn limit(&mut self, span: Span, ok: impl Fn(&Sets, u16) -> bool) -> Option<Limit> {
        if span.width == 0 || span.width > 9 || span.width2 != 0 || span.lo / 32 != (span.lo + span.width - 1) / 32 {
            return None;
        }
        let mut set = [0u64; 8];
        for v in 0..1u16 << span.width {
            if ok(self, v) {
                set[usize::from(v / 64)] |= 1 << (v % 64);
            }
        }
        let count: u32 = set.iter().map(|w| w.count_ones()).sum();
        if count == 1 << span.width {
            return None;
        }
        let index = self.list.iter().position(|s| *s == set).unwrap_or_else(|| {
            self.list.push(set);
            self.list.len() - 1
        });
        Some(Limit { word: span.lo / 32, shift: span.lo % 32, mask: (1 << span.width) - 1, set: index as u16 })
    }

    /// The operand codes that a place takes.
    pub(super) fn of_slot(&mut self, slot: &Slot) -> Option<Limit> {
        let dwords = match slot.ty {
            Ty::Mask if self.target.wave32() => 1,
            ty => ty.dwords(),
        };
        let aligned = self.target.is(Variants::CDNA2) && dwords > 1;
        let in_field = slot.half != NO_BIT && slot.half == slot.span.lo + 7;
        let vgpr = move |n: u16| n + u16::from(dwords) <= 256 && (!aligned || n.is_multiple_of(2));
        match slot.kind {
            Kind::Source => self.limit(slot.span, |s, code| match code {
                256.. => {
                    slot.allow.intersects(Allow::VGPR | Allow::AGPR)
                        && vgpr(code - 256)
                        && (in_field || !slot.allow.contains(Allow::LO128) || code < 384)
                }
                255 => slot.allow.contains(Allow::LITERAL),
                254 => slot.allow.contains(Allow::LDS) && !s.names.get(code, 1).is_empty(),
                128..=208 | 240..=248 => slot.allow.contains(Allow::INLINE) && !s.names.get(code, 1).is_empty(),
                _ => slot.allow.contains(Allow::SGPR) && s.scalar(code, dwords),
            }),
            Kind::Vgpr if !in_field => {
                self.limit(slot.span, |_, n| vgpr(n) && (!slot.allow.contains(Allow::LO128) || n < 128))
            }
            // The destination of an SDWA compare, and above it the bit that says that it is not `vcc`.
            Kind::SdwaSdst(bit) => self.limit(Span { width: slot.span.width + bit.width, ..slot.span }, |s, code| {
                if code < 128 { code == 0 } else { s.scalar(code - 128, dwords) }
            }),
            Kind::Sgpr => self.limit(slot.span, |s, code| code < 128 && s.scalar(code, dwords)),
            Kind::Attr(_) => self.limit(slot.span, |_, n| n <= 32),
            Kind::InterpSlot => self.limit(slot.span, |_, v| v <= 2),
            Kind::Barrier => self.limit(slot.span, |_, code| matches!(code, 125 | 128..=208)),
            _ => None,
        }
    }

    /// Whether a scalar code names a register of that width.
    fn scalar(&self, code: u16, dwords: u8) -> bool {
        match dwords {
            1 | 2 => !self.names.get(code, dwords).is_empty(),
            // Wider ranges start at a multiple of four.
            _ => {
                code < 128
                    && code.is_multiple_of(4)
                    && (code..code + u16::from(dwords)).all(|c| c < 128 && !self.names.get(c, 1).is_empty())
            }
        }
    }

    /// The values that a modifier takes.
    pub(super) fn of_mod(&mut self, m: ModSlot, row: &Inst, slots: &[Slot], variant: Variant) -> Option<Limit> {
        let target = self.target;
        match m.id {
            Mod::DppCtrl => {
                let wide = slots.iter().any(|s| matches!(s.kind, Kind::Vgpr) && s.ty.dwords() == 2);
                self.limit(m.span, |_, v| {
                    symbols::dpp::is_valid(u32::from(v), &target)
                        && (!wide || symbols::dpp::valid_for_64_bits(u32::from(v)))
                })
            }
            Mod::DstSel | Mod::Src0Sel | Mod::Src1Sel => self.limit(m.span, |_, v| v < 7),
            Mod::DstUnused => self.limit(m.span, |_, v| v < 3),
            Mod::NegLo | Mod::NegHi => self.limit(m.span, |_, v| u32::from(v) & !row.negatable() == 0),
            Mod::Fi if variant == Variant::Dpp8 => self.limit(m.span, |_, v| matches!(v, 0xe9 | 0xea)),
            Mod::OpSel if m.span.width == 4 => {
                let sources = row.selectors();
                self.limit(m.span, |_, v| v & 7 & !((1 << sources) - 1) == 0)
            }
            _ => None,
        }
    }
}
