//! Forms of two words: behind the short form stands one that chooses parts of registers (SDWA) or lanes (DPP).

use super::{Row, bit, short_places};
use crate::isa::Gen;
use crate::isa::form::{Allow, Builder, DPP_MARK, DPP8_MARK, FormFlags, Kind, Mod, NO_BIT, SDWA_MARK, Slot, Variant};
use crate::isa::format::Span;
use crate::isa::operand::{Class, Ty};
use crate::isa::row::{Family, Traits};

/// The control fields of the extra word of a DPP form, `shift` bits above where they follow a single word.
pub(super) fn dpp_mods(r: &Row<'_>, f: &mut Builder, format: &str, shift: u8) {
    let extra = r.b.format(format);
    let at = |name: &str| extra.field(name).map(|s| Span { lo: s.lo + shift, ..s });
    let all = [
        (Mod::DppCtrl, "DPP_CTRL"),
        (Mod::Dpp8, "DPP8_SEL"),
        (Mod::RowMask, "ROW_MASK"),
        (Mod::BankMask, "BANK_MASK"),
        (Mod::BoundCtrl, "BOUND_CTRL"),
        (Mod::Fi, "FI"),
    ];
    for (id, name) in all {
        if let Some(span) = at(name) {
            f.mod_at(id, span);
        }
    }
    if format == "DPP8" {
        // FI is part of the marker: 0xe9 or 0xea.
        let src0 = f.field("SRC0");
        f.mod_at(Mod::Fi, src0);
    }
}

/// The SDWA form: the word behind the short one chooses bytes or halves of the registers.
pub(super) fn sdwa(r: &mut Row<'_>, op: u32) {
    let g9 = r.g >= Gen::Gfx9;
    let is_compare = r.row.family == Family::Vopc;
    let format = r.b.format(match r.row.family {
        Family::Vop1 => "VOP1",
        Family::Vop2 => "VOP2",
        _ => "VOPC",
    });
    let extra = r.b.format(if is_compare && g9 { "SDWAB" } else { "SDWA" });
    let at = |name: &str| extra.field(name).unwrap_or(Span::NONE);
    // The texts of compares before gfx9 carry no suffix.
    let suffix = if is_compare && !g9 { "" } else { "_sdwa" };
    let mut f = Builder::new(r.row, format!("{}{suffix}", r.name), format, op);
    f.flags(FormFlags::VALU | FormFlags::SUBFORM).variant(Variant::Sdwa, 2);
    short_places(r, &mut f, |r, f, i, opnd| {
        let names =
            [["SRC0", "S0", "SRC0_NEG", "SRC0_ABS", "SRC0_SEXT"], ["VSRC1", "S1", "SRC1_NEG", "SRC1_ABS", "SRC1_SEXT"]];
        let [src, scalar, neg, abs, sext] = names[i.min(1)];
        let span = if i == 0 { at(src) } else { f.field(src) };
        let mut slot = if g9 {
            let mut slot = Slot::new(Kind::SdwaSource(at(scalar)), opnd.ty, span);
            slot.allow = Allow::VGPR;
            if opnd.class != Class::Vgpr {
                slot.allow |= Allow::SGPR | Allow::INLINE;
            }
            slot
        } else {
            let mut slot = Slot::new(Kind::Vgpr, opnd.ty, span);
            slot.allow = Allow::VGPR;
            slot
        };
        if r.float_mods(opnd) {
            slot.neg = at(neg).lo;
            slot.abs = at(abs).lo;
            // What chooses between bits takes signs of integers too.
            if opnd.ty == Ty::B32 {
                slot.silent_sext = at(sext).lo;
            }
        } else if !r.has(Traits::SDWA) {
            slot.sext = at(sext).lo;
        }
        slot
    });
    if is_compare && g9 && !r.no_mask() {
        f.slots[0] = Slot::new(Kind::SdwaSdst(at("SD")), Ty::Mask, at("SDST"));
        f.know(at("SD")).know(at("SDST"));
    }
    let src0 = f.field("SRC0");
    f.fix(src0, SDWA_MARK);
    if r.sources() == 0 {
        r.add(f, &["", "_sdwa"]);
        return;
    }
    if !(is_compare && g9) {
        f.mod_at(Mod::Clamp, at("CLAMP"));
        if g9 && r.row.dst.ty.is_float() && !is_compare {
            f.mod_at(Mod::Omod, at("OMOD"));
        }
    }
    if r.has(Traits::SDWA) {
        // Conversions from 8-bit floats select a part of the source only.
        f.fix(at("DST_SEL"), 6).fix(at("DST_UNUSED"), 0);
    } else if !is_compare {
        f.mod_at(Mod::DstSel, at("DST_SEL")).mod_at(Mod::DstUnused, at("DST_UNUSED"));
    } else if !g9 {
        // A compare before gfx9 leaves the destination selectors alone: LLVM writes DWORD and PRESERVE.
        f.idle(at("DST_SEL"), 0).idle(at("DST_UNUSED"), 0);
    }
    f.mod_at(Mod::Src0Sel, at("SRC0_SEL"));
    if r.sources() > 1 {
        f.mod_at(Mod::Src1Sel, at("SRC1_SEL"));
    }
    r.add(f, &["", "_sdwa"]);
}

/// A DPP form: the word behind the short one, in the format `extra`, chooses the lanes of the first source.
pub(super) fn dpp(r: &mut Row<'_>, op: u32, extra: &'static str) {
    let format = r.b.format(match r.row.family {
        Family::Vop1 => "VOP1",
        Family::Vop2 => "VOP2",
        _ => "VOPC",
    });
    let is8 = extra == "DPP8";
    let word = r.b.format(extra);
    let at = |name: &str| word.field(name).map_or(NO_BIT, |s| s.lo);
    let suffix = if r.row.family == Family::Vopc || r.sources() == 0 { "" } else { "_dpp" };
    let mut f = Builder::new(r.row, format!("{}{suffix}", r.name), format, op);
    f.flags(FormFlags::VALU | FormFlags::SUBFORM);
    f.variant(if is8 { Variant::Dpp8 } else { Variant::Dpp }, 2);
    short_places(r, &mut f, |r, f, i, opnd| {
        let span = if i == 0 { Span::new(39, 32) } else { f.field("VSRC1") };
        let mut slot = Slot::new(Kind::Vgpr, opnd.ty, span);
        slot.allow = Allow::VGPR;
        if r.float_mods(opnd) && !is8 {
            slot.neg = at(["SRC0_NEG", "SRC1_NEG"][i.min(1)]);
            slot.abs = at(["SRC0_ABS", "SRC1_ABS"][i.min(1)]);
        }
        if opnd.ty.is_16() && r.g >= Gen::Gfx11 {
            if r.halves {
                slot.half = bit(span, 7);
            }
            slot.allow |= Allow::LO128;
        }
        slot
    });
    let src0 = f.field("SRC0");
    f.fix(src0, if is8 { DPP8_MARK } else { DPP_MARK });
    dpp_mods(r, &mut f, extra, 0);
    r.add(f, &["", "_dpp"]);
}
