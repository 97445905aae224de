//! What scalar, buffer, flat, global and scratch memory instructions have in common.
//!
//! Such an instruction has few opcodes and many shapes: the address may be missing, one register or two, the data may go to LDS or
//! bring a status word along, an atomic may return the old value or not. All of that is decided by single bits of the instruction on
//! one side, and by the operands and modifiers of the text on the other. So a row has one form, and encoder and decoder meet in
//! the [`Fields`] of its format and in the functions here.

use super::arch::{Gen, Target, Variants};
use super::form::Form;
use super::format::{Format, Span};
use super::operand::{Class, Opnd, Part};
use super::regs::null_code;
use super::row::{Family, Inst, Traits};
use super::symbols::cpol::{Access, Use};

/// The fields of a format which are no operand; [`Span::NONE`] where it lacks one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the manual's field names; see `format`")]
pub struct Fields {
    pub offset: Span,
    pub soffset: Span,
    pub imm: Span,
    pub soffset_en: Span,
    pub saddr: Span,
    pub sve: Span,
    pub offen: Span,
    pub idxen: Span,
    pub addr64: Span,
    pub format: Span,
    pub lds: Span,
    pub tfe: Span,
    pub acc: Span,
    pub glc: Span,
    pub slc: Span,
    pub dlc: Span,
    pub scc: Span,
    pub th: Span,
    pub scope: Span,
    pub nv: Span,
}

impl Fields {
    /// No fields at all.
    pub const NONE: Fields = {
        const N: Span = Span::NONE;
        Fields {
            offset: N,
            soffset: N,
            imm: N,
            soffset_en: N,
            saddr: N,
            sve: N,
            offen: N,
            idxen: N,
            addr64: N,
            format: N,
            lds: N,
            tfe: N,
            acc: N,
            glc: N,
            slc: N,
            dlc: N,
            scc: N,
            th: N,
            scope: N,
            nv: N,
        }
    };

    /// The fields of a format.
    #[must_use]
    pub fn of(format: &Format) -> Fields {
        let get = |name| format.field(name).unwrap_or(Span::NONE);
        Fields {
            offset: format.field("IOFFSET").unwrap_or_else(|| get("OFFSET")),
            soffset: get("SOFFSET"),
            imm: get("IMM"),
            soffset_en: get("SOFFSET_EN"),
            saddr: get("SADDR"),
            sve: get("SVE"),
            offen: get("OFFEN"),
            idxen: get("IDXEN"),
            addr64: get("ADDR64"),
            format: get("FORMAT"),
            lds: get("LDS"),
            tfe: get("TFE"),
            acc: get("ACC"),
            glc: get("GLC"),
            slc: get("SLC"),
            dlc: get("DLC"),
            scc: get("SCC"),
            th: get("TH"),
            scope: get("SCOPE"),
            nv: get("NV"),
        }
    }

    /// The cache policy of an instruction, as [`cpol`](super::symbols::cpol) counts its bits.
    #[inline]
    #[must_use]
    pub fn policy(&self, words: &[u32]) -> u32 {
        if self.scope.width != 0 {
            return self.th.get(words) | self.scope.get(words) << 3;
        }
        self.glc.get(words) | self.slc.get(words) << 1 | self.dlc.get(words) << 2 | self.scc.get(words) << 4
    }

    /// Writes a cache policy. Gives the bits that the format has no place for.
    pub fn set_policy(&self, words: &mut [u32], policy: u32) -> u32 {
        let mut rest = policy;
        let mut put = |span: Span, shift: u32| {
            span.set(words, policy >> shift);
            rest &= !(span.max() << shift);
        };
        if self.scope.width != 0 {
            put(self.th, 0);
            put(self.scope, 3);
            return rest;
        }
        put(self.glc, 0);
        put(self.slc, 1);
        put(self.dlc, 2);
        put(self.scc, 4);
        rest
    }
}

/// The first operand that is `part` of a row.
#[must_use]
pub fn operand(row: &Inst, part: Part) -> Option<Opnd> {
    std::iter::once(&row.dst).chain(row.src).copied().find(|o| o.class == Class::Part(part))
}

/// Whether the row has this trait.
#[inline]
#[must_use]
pub fn has(form: &Form, traits: Traits) -> bool {
    form.row.traits.contains(traits)
}

/// What an instruction does to memory; `returns` is for atomics.
#[must_use]
pub fn usage(form: &Form, returns: bool) -> Use {
    let row = form.row;
    let stores = |o: &Opnd| matches!(o.class, Class::Part(Part::Data | Part::Sdata));
    let access = if row.traits.contains(Traits::ATOMIC) {
        Access::Atomic
    } else if row.src.iter().any(stores) || row.traits.contains(Traits::STORE) {
        Access::Store
    } else {
        Access::Load
    };
    Use { access, returns, scalar: row.family == Family::Smem, image: false }
}

/// Registers of data, without the status word of `tfe`, where the row says `dwords`.
#[inline]
#[must_use]
pub fn data_dwords(row: &Inst, dwords: u8, target: &Target) -> u8 {
    if row.traits.contains(Traits::D16) && !target.is(Variants::G80) {
        return dwords.div_ceil(2);
    }
    if row.traits.contains(Traits::PER_WAVE) && !target.wave32() {
        return dwords / 2;
    }
    dwords
}

/// The code of `null` as a scalar register, or one that no field holds.
#[inline]
#[must_use]
pub fn null(generation: Gen) -> u32 {
    null_code(generation).map_or(u32::MAX, u32::from)
}

/// The code of SADDR that means "no scalar address", where a vector address is there; the older ones have no null register.
#[inline]
#[must_use]
pub fn no_saddr(generation: Gen) -> u32 {
    if generation < Gen::Gfx10 { 0x7f } else { null(generation) }
}

/// The code of SADDR in a scratch instruction with no address at all: gfx10 has no bit that says so.
#[inline]
#[must_use]
pub fn no_address(generation: Gen) -> u32 {
    if generation <= Gen::Gfx10 { 0x7f } else { null(generation) }
}

/// Whether a scratch instruction may do without any address. LLVM allows it on all of gfx10 for loads into LDS.
#[must_use]
pub fn scratch_without_address(form: &Form, target: &Target, lds: bool) -> bool {
    form.memory.sve.width != 0 || target.is(Variants::G1030) || lds && target.generation() == Gen::Gfx10
}

/// The smallest and the largest offset of a flat, global, scratch or buffer instruction.
#[must_use]
pub fn offset_range(form: &Form) -> (i64, i64) {
    let span = form.memory.offset;
    if is_signed(form) {
        let half = 1i64 << (span.width - 1);
        return (-half, half - 1);
    }
    (0, i64::from(span.max()))
}

/// Whether the offset may be negative.
#[inline]
#[must_use]
pub fn is_signed(form: &Form) -> bool {
    form.memory.offset.width == 24 || matches!(form.row.family, Family::Global | Family::Scratch)
}

/// Extends the sign of an offset of the instruction's field.
#[inline]
#[must_use]
pub fn extend(value: u32, width: u8) -> i32 {
    let shift = 32 - u32::from(width.clamp(1, 32));
    (value << shift) as i32 >> shift
}

/// The smallest and the largest constant offset of a scalar memory instruction.
#[must_use]
pub fn scalar_offset_range(form: &Form, target: &Target) -> (i64, i64) {
    let buffer = operand(form.row, Part::Sbase).is_some_and(|o| o.ty.dwords() == 4);
    match target.generation() {
        Gen::Gfx6 => (0, 0xff),
        Gen::Gfx7 => (0, 0xffff_ffff),
        Gen::Gfx8 => (0, 0xf_ffff),
        Gen::Gfx12 => (-0x80_0000, 0x7f_ffff),
        Gen::Gfx9 | Gen::Gfx10 | Gen::Gfx11 if buffer => (0, 0xf_ffff),
        Gen::Gfx9 | Gen::Gfx10 | Gen::Gfx11 => (-0x10_0000, 0xf_ffff),
    }
}

/// Whether a row of scalar memory takes a descriptor, and no pointer.
#[must_use]
pub fn is_buffer(row: &Inst) -> bool {
    row.src.iter().any(|operand| operand.class == Class::Part(Part::Sbase) && operand.ty.dwords() == 4)
}
