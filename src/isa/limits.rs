//! Fields which do not take every value: what the decoder checks beyond fixed bits.
//!
//! A set of values is 512 bits; the few dozen different sets of a processor are shared by its forms.

use super::arch::{Gen, Target, Variants};
use super::form::{Allow, DPP8_MARK, Kind, Mod, ModSlot, NO_BIT, Slot, Variant};
use super::format::Span;
use super::memory;
use super::operand::{Part, Ty};
use super::regs::{self, Names};
use super::row::{Family, Inst, Traits};
use super::symbols;
use super::table::BuildNameHasher;
use std::collections::HashMap;
use std::mem::{Discriminant, discriminant};

/// A field of at most nine bits in one word which takes only the values of a set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit {
    /// The first bit of the field.
    pub(crate) bit: u8,
    /// Index into [`Table::sets`](super::table::Table::sets).
    pub(crate) set: u8,
    /// The bit that must be set for the limit to hold, where there is one.
    pub(crate) only_if: Option<u8>,
}

/// A set of values below 512. Whether a value is in a set of narrower fields follows from its low bits, so that nine bits of
/// the words may be looked up as they are, whatever the width of the field.
pub(crate) type ValueSet = [u64; 8];

/// The index of the set of all values.
pub(crate) const EVERY_VALUE: u8 = 0;

/// Whether a field is in one piece and has values below 512.
fn is_short(span: Span) -> bool {
    (1..=9).contains(&span.width) && span.width2 == 0 && span.lo / 32 == (span.lo + span.width - 1) / 32
}

/// Makes the sets of values that fields take.
pub(super) struct Sets {
    /// For which processor and mode.
    pub(super) target: Target,
    /// The texts of scalar operand codes.
    pub(super) names: Names,
    /// The sets.
    pub(super) list: Vec<ValueSet>,
    /// Sets of operand codes that were made before, by all that they depend on.
    of_codes: HashMap<Codes, u8, BuildNameHasher>,
    /// Sets of the values of modifiers, by what they depend on besides the modifier and its field.
    of_mods: HashMap<(Mod, Span, u32), u8, BuildNameHasher>,
}

/// What the codes that a place takes depend on: its kind, of memory instructions the part and whether they are scratch ones, how many registers,
/// what may stand there, whether a bit of the field says which half it is, and the width of the field.
type Codes = (Discriminant<Kind>, Option<(Part, bool)>, u8, Allow, bool, u8);

impl Sets {
    /// For a target, with the set of all values.
    pub(super) fn new(target: Target) -> Sets {
        Sets {
            target,
            names: Names::new(&target),
            list: vec![[u64::MAX; 8]],
            of_codes: HashMap::default(),
            of_mods: HashMap::default(),
        }
    }

    fn limit(&mut self, span: Span, ok: impl Fn(&Sets, u16) -> bool) -> Option<Limit> {
        if !is_short(span) {
            return None;
        }
        let mut set = [0u64; 8];
        for v in 0..512 {
            if ok(self, v & ((1 << span.width) - 1)) {
                set[usize::from(v / 64)] |= 1 << (v % 64);
            }
        }
        let index = self.list.iter().position(|s| *s == set).unwrap_or_else(|| {
            self.list.push(set);
            self.list.len() - 1
        });
        let set = u8::try_from(index).expect("at most 256 sets");
        (set != EVERY_VALUE).then_some(Limit { bit: span.lo, set, only_if: None })
    }

    /// The operand codes that a place takes.
    pub(super) fn of_slot(&mut self, slot: &Slot, row: &Inst) -> Option<Limit> {
        let (part, only_if) = match slot.kind {
            Kind::Source | Kind::Vgpr | Kind::Sgpr => (None, None),
            Kind::SdwaSource(scalar) => (None, Some(scalar.lo)),
            Kind::Memory(part) => (Some((part, row.family == Family::Scratch)), None),
            _ => return self.of_place(slot, row),
        };
        if !is_short(slot.span) {
            return None;
        }
        let in_field = slot.half == slot.span.lo + 7;
        let codes = (discriminant(&slot.kind), part, self.dwords(slot.ty), slot.allow, in_field, slot.span.width);
        let set = match self.of_codes.get(&codes) {
            Some(set) => *set,
            None => {
                let set = self.of_place(slot, row).map_or(EVERY_VALUE, |limit| limit.set);
                self.of_codes.insert(codes, set);
                set
            }
        };
        (set != EVERY_VALUE).then_some(Limit { bit: slot.span.lo, set, only_if })
    }

    /// Registers of a type.
    fn dwords(&self, ty: Ty) -> u8 {
        match ty {
            Ty::Mask if self.target.wave32() => 1,
            ty => ty.dwords(),
        }
    }

    /// The operand codes that a place takes, made anew.
    fn of_place(&mut self, slot: &Slot, row: &Inst) -> Option<Limit> {
        let dwords = self.dwords(slot.ty);
        let aligned = self.target.is(Variants::CDNA2) && dwords > 1;
        let in_field = slot.half != NO_BIT && slot.half == slot.span.lo + 7;
        let vgpr = move |n: u16| n + u16::from(dwords) <= 256 && (!aligned || n.is_multiple_of(2));
        // Resources and samplers are counted in fours where their field is short.
        let in_fours = if slot.span.width == 5 { 2 } else { 0 };
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
            // Where the bit says that it is not a vector register.
            Kind::SdwaSource(scalar) => {
                let limit = self.limit(slot.span, |s, code| match code {
                    254 | 255 => false,
                    128..=208 | 240..=248 => slot.allow.contains(Allow::INLINE) && !s.names.get(code, 1).is_empty(),
                    _ => slot.allow.contains(Allow::SGPR) && !s.names.get(code, 1).is_empty(),
                })?;
                Some(Limit { only_if: Some(scalar.lo), ..limit })
            }
            Kind::Vgpr if !in_field => {
                self.limit(slot.span, |_, n| vgpr(n) && (!slot.allow.contains(Allow::LO128) || n < 128))
            }
            // The destination of an SDWA compare, and above it the bit that says that it is not `vcc`.
            Kind::SdwaSdst(bit) => self.limit(Span { width: slot.span.width + bit.width, ..slot.span }, |s, code| {
                code < 128 || s.scalar(code - 128, dwords)
            }),
            Kind::Sgpr => self.limit(slot.span, |s, code| {
                s.register(code << in_fours, dwords) && !(slot.allow.contains(Allow::NO_EXEC) && regs::is_exec(code))
            }),
            Kind::Memory(part) => self.of_part(part, slot, row),
            Kind::Attr(_) => self.limit(slot.span, |_, n| n <= 32),
            Kind::InterpSlot => self.limit(slot.span, |_, v| v <= 2),
            Kind::Barrier => self.limit(slot.span, |_, code| matches!(code, 125 | 128..=208)),
            _ => None,
        }
    }

    /// What a place of a memory instruction takes at most, whatever stands in the others.
    fn of_part(&mut self, part: Part, slot: &Slot, row: &Inst) -> Option<Limit> {
        let target = self.target;
        let g = target.generation();
        let dwords = slot.ty.dwords();
        let in_fours = if slot.span.width == 5 { 2 } else { 0 };
        match part {
            Part::Rsrc => self.limit(slot.span, |s, code| s.register(code << in_fours, 4)),
            Part::Sbase => self.limit(slot.span, |s, code| s.register(code << 1, dwords)),
            Part::Sdata => {
                let m0 = regs::m0_code(g);
                self.limit(slot.span, |s, code| s.register(code, dwords) && code != m0 && code < 126)
            }
            // A constant may stand there too, but none of LDS.
            Part::Soffset if slot.span.width == 8 => {
                self.limit(slot.span, |s, code| code != 254 && !s.names.get(code, 1).is_empty())
            }
            Part::Soffset => self.limit(slot.span, |s, code| s.register(code, 1)),
            Part::Saddr => {
                let scratch = row.family == Family::Scratch;
                let none =
                    |code| code == memory::no_saddr(g) || scratch && g == Gen::Gfx10 && code == memory::no_address(g);
                let dwords = if scratch { 1 } else { 2 };
                self.limit(slot.span, |s, code| {
                    none(u32::from(code)) || s.register(code, dwords) && (!scratch || code != 0x7f)
                })
            }
            Part::Number if g == Gen::Gfx12 => self.limit(slot.span, |_, n| n <= 31),
            _ => None,
        }
    }

    /// Whether a code names a scalar register of that width which may be written too.
    fn register(&self, code: u16, dwords: u8) -> bool {
        code < 128 && self.scalar(code, dwords)
    }

    /// Whether a scalar code names a register, or a value like one, of that width.
    fn scalar(&self, code: u16, dwords: u8) -> bool {
        match dwords {
            1 | 2 => !self.names.get(code, dwords).is_empty(),
            _ => regs::is_wide_scalar(&self.target, u32::from(code), dwords),
        }
    }

    /// The values that a modifier takes.
    pub(super) fn of_mod(&mut self, m: ModSlot, row: &Inst, slots: &[Slot], variant: Variant) -> Option<Limit> {
        let wide = || slots.iter().any(|s| matches!(s.kind, Kind::Vgpr) && s.ty.dwords() == 2);
        let about = match m.id {
            Mod::DppCtrl => wide().into(),
            Mod::NegLo | Mod::NegHi => row.negatable(),
            Mod::Fi => (variant == Variant::Dpp8).into(),
            // LLVM, which knows no selectors of these, looks past the bits.
            Mod::OpSel if row.traits.contains(Traits::OP_SEL10) => return None,
            Mod::OpSel => row.selectors() as u32,
            Mod::DstSel | Mod::Src0Sel | Mod::Src1Sel | Mod::DstUnused => 0,
            _ => return None,
        };
        let key = (m.id, m.span, about);
        let set = match self.of_mods.get(&key) {
            Some(set) => *set,
            None => {
                let set = self.of_values(m, about).map_or(EVERY_VALUE, |limit| limit.set);
                self.of_mods.insert(key, set);
                set
            }
        };
        (set != EVERY_VALUE).then_some(Limit { bit: m.span.lo, set, only_if: None })
    }

    /// The values that a modifier takes, made anew; `about` is what else they depend on.
    fn of_values(&mut self, m: ModSlot, about: u32) -> Option<Limit> {
        let target = self.target;
        match m.id {
            Mod::DppCtrl => self.limit(m.span, |_, v| {
                symbols::dpp::is_valid(u32::from(v), &target)
                    && (about == 0 || symbols::dpp::valid_for_64_bits(u32::from(v)))
            }),
            Mod::DstSel | Mod::Src0Sel | Mod::Src1Sel => self.limit(m.span, |_, v| v < 7),
            Mod::DstUnused => self.limit(m.span, |_, v| v < 3),
            Mod::NegLo | Mod::NegHi => self.limit(m.span, |_, v| u32::from(v) & !about == 0),
            Mod::Fi if about != 0 => self.limit(m.span, |_, v| (DPP8_MARK..=DPP8_MARK + 1).contains(&u32::from(v))),
            Mod::OpSel if m.span.width == 4 => self.limit(m.span, |_, v| v & 7 & !((1 << about) - 1) == 0),
            _ => None,
        }
    }
}
