//! Vector instructions: short form, VOP3, SDWA and DPP forms, derived from one row, and those that have forms of their own.

mod dual;
mod extra;

pub(super) use dual::build_dual;

use extra::{dpp, dpp_mods, sdwa};

use crate::isa::form::{
    Allow, Builder, DPP_MARK, DPP8_MARK, FormFlags, Kind, Mod, NO_BIT, Slot, TableBuilder, Variant,
};
use crate::isa::format::{Format, Span};
use crate::isa::operand::{Class, Opnd, Ty};
use crate::isa::row::{Family, Inst, Traits};
use crate::isa::{Features, Gen, Variants};

/// What every form of a row needs to know.
struct Row<'b> {
    b: &'b mut TableBuilder,
    row: &'static Inst,
    name: &'static str,
    /// Names of the assembler: the name and its aliases.
    names: Vec<&'static str>,
    g: Gen,
    /// Halves are named in text.
    halves: bool,
}

impl Row<'_> {
    fn new<'b>(b: &'b mut TableBuilder, row: &'static Inst) -> Row<'b> {
        let g = b.generation();
        let name = row.name_in(g);
        let variant = b.target.arch.variant;
        let mut names = vec![name];
        names.extend(row.aliases.iter().filter(|(on, _)| on.contains(variant)).map(|(_, n)| *n));
        let features = b.target.features;
        let narrow = std::iter::once(&row.dst).chain(row.src).any(|o| o.ty.is_16() && o.class == Class::Plain);
        let every = features.contains(Features::HARDWARE) && g >= Gen::Gfx11 && narrow;
        let named = features.contains(Features::REAL_TRUE16) && row.traits.contains(Traits::TRUE16);
        let halves = named || row.traits.contains(Traits::HALVES) || every;
        Row { b, row, name, names, g, halves }
    }

    fn has(&self, t: Traits) -> bool {
        self.row.traits.contains(t)
    }

    /// Whether a source takes neg and abs.
    fn float_mods(&self, opnd: &Opnd) -> bool {
        (opnd.ty.is_float() && !matches!(opnd.class, Class::Literal))
            || (self.has(Traits::MODS) && opnd.class == Class::Plain)
    }

    fn is_cmpx(&self) -> bool {
        self.name.starts_with("v_cmpx") || self.name.starts_with("v_cmpsx")
    }

    /// A compare without a written mask: `v_cmpx` since gfx10 writes EXEC alone.
    fn no_mask(&self) -> bool {
        self.is_cmpx() && self.g >= Gen::Gfx10
    }

    /// Whether any operand is 64 bits wide (such instructions have no SDWA, and DPP on CDNA 2 only).
    fn is_wide(&self) -> bool {
        std::iter::once(&self.row.dst)
            .chain(self.row.src)
            .any(|o| matches!(o.class, Class::Plain | Class::Vgpr) && o.ty.dwords() > 1)
    }

    fn sources(&self) -> usize {
        self.row.src.iter().filter(|o| is_source(o)).count()
    }

    fn add(&mut self, form: Builder, suffixes: &[&str]) {
        let mut names: Vec<String> = Vec::new();
        for name in &self.names {
            // An alias with the suffix of VOP3 is a name of that form alone, with and without the suffix.
            if let Some(stem) = name.strip_suffix("_e64") {
                if suffixes == ["", "_e64"] {
                    names.extend([stem.to_owned(), (*name).to_owned()]);
                }
            } else {
                names.extend(suffixes.iter().map(|s| format!("{name}{s}")));
            }
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        self.b.add(form, &names);
    }
}

fn is_source(o: &Opnd) -> bool {
    matches!(
        o.class,
        Class::Plain
            | Class::Vgpr
            | Class::Agpr
            | Class::Sgpr
            | Class::Scalar
            | Class::AnyScalar
            | Class::VgprOrLds
            | Class::ScalarOrLds
            | Class::Matrix
            | Class::MatrixOrInline
    )
}

fn bit(span: Span, n: usize) -> u8 {
    span.lo + n as u8
}

/// Builds all forms of a VOP1, VOP2, VOPC or VOP3 row.
pub(super) fn build(b: &mut TableBuilder, row: &'static Inst, op: u32) {
    let mut r = Row::new(b, row);
    if row.family == Family::Vop3 {
        vop3(&mut r, op, "");
        vop3_dpp(&mut r, op);
        return;
    }
    let only_short = r.has(Traits::ONLY_E32) || r.has(Traits::MANUAL_E64);
    short(&mut r, op, "_e32");
    let promoted = match row.family {
        Family::Vopc => op,
        Family::Vop2 => op + 0x100,
        _ if matches!(r.g, Gen::Gfx8 | Gen::Gfx9) => op + 0x140,
        _ => op + 0x180,
    };
    if !only_short {
        vop3(&mut r, promoted, "_e64");
    } else if r.has(Traits::MANUAL_E64) {
        let form = vop3_form(&r, promoted, "_e64", vop3_format(&r), Variant::Base);
        r.add(form, &["_e64"]);
    }
    // Before gfx11 `v_nop` has SDWA and DPP forms, although there is nothing to select.
    let operands = r.sources() > 0 || r.row.name == "v_nop" && r.g < Gen::Gfx11;
    let sdwa_types = !r.is_wide() || r.has(Traits::SDWA);
    if (Gen::Gfx8..=Gen::Gfx10).contains(&r.g) && sdwa_types && !r.has(Traits::NO_SDWA) && operands {
        sdwa(&mut r, op);
    }
    if r.g >= Gen::Gfx8 && !r.has(Traits::NO_DPP) && operands {
        let wide = r.is_wide();
        let dpp64 = r.b.target.is(Variants::CDNA2) && r.row.family != Family::Vopc;
        // LLVM has those of compares from gfx11 on; the hardware has had them as long as the others.
        if r.g >= Gen::Gfx10 && !wide {
            dpp(&mut r, op, "DPP16");
            dpp(&mut r, op, "DPP8");
        } else if r.g < Gen::Gfx10 && (!wide || dpp64) {
            dpp(&mut r, op, "DPP");
        }
    }
    if !only_short {
        vop3_dpp(&mut r, promoted);
    }
}

fn short(r: &mut Row<'_>, op: u32, suffix: &str) {
    let format = r.b.format(match r.row.family {
        Family::Vop1 => "VOP1",
        Family::Vop2 => "VOP2",
        _ => "VOPC",
    });
    // Without operands there is nothing that tells the forms apart: the short one has the bare name.
    let bare = r.sources() == 0 && r.row.dst.class == Class::None;
    let shown = if bare || r.has(Traits::NO_SUFFIX) { "" } else { suffix };
    let mut f = Builder::new(r.row, format!("{}{shown}", r.name), format, op);
    f.flags(FormFlags::VALU);
    short_places(r, &mut f, |r, f, i, opnd| {
        let mut slot = if i == 0 {
            let mut slot = Slot::new(Kind::Source, opnd.ty, f.field("SRC0"));
            slot.allow = source_allow(r, opnd);
            slot
        } else {
            match opnd.class {
                // The lane select of readlane and writelane is a scalar in the field of a vector register.
                Class::Scalar => {
                    let mut slot = Slot::new(Kind::Source, opnd.ty, f.field("VSRC1"));
                    slot.allow = Allow::SGPR | Allow::INLINE;
                    slot
                }
                _ => {
                    let mut slot = Slot::new(Kind::Vgpr, opnd.ty, f.field("VSRC1"));
                    slot.allow = Allow::VGPR;
                    slot
                }
            }
        };
        if opnd.ty.is_16() && r.g >= Gen::Gfx11 {
            if r.halves {
                slot.half = bit(slot.span, 7);
            }
            slot.allow |= Allow::LO128;
        }
        slot
    });
    if r.row.src.iter().any(|o| o.class == Class::Literal) {
        f.flags(FormFlags::HAS_LITERAL);
    } else if f.slots.iter().any(|s| s.kind == Kind::Source && s.allow.contains(Allow::LITERAL)) {
        f.flags(FormFlags::MAY_LITERAL);
    }
    r.add(f, &["", "_e32"]);
}

/// The places of a short, SDWA or DPP form in the order of the text; `source` makes those of the sources.
fn short_places(r: &Row<'_>, f: &mut Builder, source: impl Fn(&Row<'_>, &Builder, usize, &Opnd) -> Slot) {
    if r.row.family == Family::Vopc && !r.no_mask() {
        f.slot(Slot::new(Kind::Vcc, Ty::Mask, Span::NONE));
    }
    destination(r, f);
    let mut i = 0;
    for opnd in r.row.src {
        match opnd.class {
            Class::MaskOut | Class::MaskIn => {
                f.slot(Slot::new(Kind::Vcc, Ty::Mask, Span::NONE));
                if opnd.class == Class::MaskIn {
                    f.flags(FormFlags::READS_VCC);
                }
            }
            Class::Literal => {
                f.slot(Slot::new(Kind::Literal, opnd.ty, Span::NONE));
            }
            Class::Tied | Class::None => {}
            _ if is_source(opnd) => {
                let mut slot = source(r, f, i, opnd);
                slot.source = i as u8;
                f.slot(slot);
                i += 1;
            }
            _ => unreachable!("no operand of a vector instruction: {}", r.row.name),
        }
    }
    // Unused fields of the first word are zero.
    if i == 0 {
        let span = f.field("SRC0");
        f.idle(span, 0);
    }
    if r.row.dst.class == Class::None && r.row.family != Family::Vopc {
        let span = f.field("VDST");
        f.idle(span, 0);
    }
}

fn destination(r: &Row<'_>, f: &mut Builder) {
    let dst = r.row.dst;
    match dst.class {
        Class::None => {}
        Class::Sgpr => {
            let mut slot = Slot::new(Kind::Sgpr, dst.ty, f.field("VDST"));
            slot.allow = Allow::SGPR;
            // The transcendental functions of scalars run under EXEC, and do not write it.
            if r.row.src.iter().any(|o| o.class == Class::AnyScalar) {
                slot.allow |= Allow::NO_EXEC;
            }
            f.slot(slot);
        }
        Class::Agpr => {
            let mut slot = Slot::new(Kind::Vgpr, dst.ty, f.field("VDST"));
            slot.allow = Allow::AGPR;
            f.slot(slot);
        }
        _ => {
            let span = f.field("VDST");
            let mut slot = Slot::new(Kind::Vgpr, dst.ty, span);
            slot.allow = Allow::VGPR;
            if dst.ty.is_16() && r.g >= Gen::Gfx11 {
                if r.halves {
                    slot.half = bit(span, 7);
                }
                slot.allow |= Allow::LO128;
            }
            f.slot(slot);
        }
    }
}

/// What a first source, or any source of VOP3, may be.
fn source_allow(r: &Row<'_>, opnd: &Opnd) -> Allow {
    let lds = if r.g <= Gen::Gfx10 { Allow::LDS } else { Allow::empty() };
    match opnd.class {
        Class::Vgpr => Allow::VGPR,
        Class::Agpr => Allow::AGPR,
        Class::Sgpr => Allow::SGPR,
        Class::Scalar => Allow::SGPR | Allow::INLINE,
        Class::AnyScalar => Allow::SCALAR,
        Class::VgprOrLds => Allow::VGPR | lds,
        Class::ScalarOrLds => Allow::SCALAR | lds,
        _ => Allow::ANY | lds,
    }
}

fn vop3_format(r: &Row<'_>) -> &'static Format {
    let carry = r.row.src.iter().any(|o| o.class == Class::MaskOut);
    r.b.format(if carry { "VOP3B" } else { "VOP3" })
}

/// A VOP3 form.
fn vop3(r: &mut Row<'_>, op: u32, suffix: &'static str) {
    let base = vop3_form(r, op, suffix, vop3_format(r), Variant::Base);
    r.add(base, &["", "_e64"]);
}

/// The DPP forms of a VOP3 form, on gfx11 and later.
fn vop3_dpp(r: &mut Row<'_>, op: u32) {
    let format = vop3_format(r);
    if r.g >= Gen::Gfx11 && !r.is_wide() && !r.has(Traits::NO_DPP) && r.sources() > 0 {
        for (variant, extra) in [(Variant::Dpp, "DPP16"), (Variant::Dpp8, "DPP8")] {
            let mut f = vop3_form(r, op, "_e64_dpp", format, variant);
            dpp_mods(r, &mut f, extra, 32);
            r.add(f, &["", "_e64", "_e64_dpp"]);
        }
    }
}

fn vop3_form(r: &Row<'_>, op: u32, suffix: &str, format: &'static Format, variant: Variant) -> Builder {
    let is_dpp = variant != Variant::Base;
    let shown = if r.has(Traits::NO_SUFFIX) && !r.has(Traits::MANUAL_E64) { "" } else { suffix };
    let mut f = Builder::new(r.row, format!("{}{shown}", r.name), format, op);
    f.flags(FormFlags::VALU | FormFlags::VOP3);
    let vdst = f.field("VDST");
    let op_sel = format.field("OP_SEL");
    if r.row.family == Family::Vopc || r.row.dst.class == Class::MaskOut {
        if r.no_mask() {
            f.idle(vdst, 0x7e);
        } else {
            let mut slot = Slot::new(Kind::Sgpr, Ty::Mask, vdst);
            slot.allow = Allow::SGPR;
            f.slot(slot);
        }
    } else {
        destination(r, &mut f);
        if let Some(slot) = f.slots.last_mut() {
            slot.allow -= Allow::LO128;
            slot.half = match op_sel {
                Some(sel) if r.halves && r.row.dst.ty.is_16() => bit(sel, 3),
                _ => NO_BIT,
            };
            if slot.half != NO_BIT {
                let half = slot.half;
                f.know(Span::new(half, half));
            }
        }
        if r.row.dst.class == Class::None {
            f.idle(vdst, 0);
        }
    }
    let neg = f.field("NEG");
    let abs = format.field("ABS");
    let mut any_float = false;
    let mut i = 0;
    for opnd in r.row.src {
        match opnd.class {
            Class::MaskOut => {
                let mut slot = Slot::new(Kind::Sgpr, Ty::Mask, f.field("SDST"));
                slot.allow = Allow::SGPR;
                f.slot(slot);
            }
            Class::Tied | Class::None => {}
            _ => {
                let span = f.field(["SRC0", "SRC1", "SRC2"][i]);
                let mut slot = Slot::new(Kind::Source, opnd.ty, span);
                slot.source = i as u8;
                slot.allow = if opnd.class == Class::MaskIn { Allow::SGPR } else { source_allow(r, opnd) };
                if r.g < Gen::Gfx10 {
                    slot.allow -= Allow::LITERAL;
                }
                if opnd.class != Class::MaskIn && r.float_mods(opnd) {
                    slot.neg = bit(neg, i);
                    if let Some(abs) = abs {
                        slot.abs = bit(abs, i);
                    }
                    any_float = true;
                }
                if let Some(sel) = op_sel
                    && r.halves
                    && opnd.ty.is_16()
                {
                    slot.half = bit(sel, i);
                }
                if is_dpp {
                    slot.allow -= Allow::LITERAL | Allow::LDS;
                    if i == 0 {
                        f.fix(span, if variant == Variant::Dpp { DPP_MARK } else { DPP8_MARK });
                        slot.kind = Kind::Vgpr;
                        slot.span = Span::new(71, 64);
                        slot.allow = Allow::VGPR;
                    } else if i == 1 && !r.b.target.is(Variants::G1150.union(Variants::G12)) {
                        slot.allow -= Allow::SGPR | Allow::INLINE;
                    }
                }
                f.slot(slot);
                i += 1;
            }
        }
    }
    if !is_dpp && f.slots.iter().any(|s| s.kind == Kind::Source && s.allow.contains(Allow::LITERAL)) {
        f.flags(FormFlags::MAY_LITERAL);
    }
    // Modifiers, in the order of the text: op_sel, (byte_sel,) clamp, omod.
    if let Some(sel) = op_sel
        && (r.has(Traits::OP_SEL) && r.g >= Gen::Gfx9 || r.has(Traits::OP_SEL10) && r.g == Gen::Gfx10 || r.halves)
    {
        f.mod_at(Mod::OpSel, sel);
    }
    if r.has(Traits::BYTE_SEL)
        && let Some(sel) = op_sel
    {
        // A source byte is selected by OP_SEL[1:0], the high bit first; a result byte by OP_SEL[3:2].
        let of_result = r.name.starts_with("v_cvt_sr_");
        let (low, high) = if of_result { (sel.lo + 2, sel.lo + 3) } else { (sel.lo + 1, sel.lo) };
        f.mod_at(Mod::ByteSel, Span::split(low, low, high, high));
    }
    let float_result = r.row.dst.ty.is_float() && r.row.dst.class == Class::Plain;
    // Integers saturate from gfx8 on, be they made of floats or not.
    let saturates = r.g >= Gen::Gfx8 && (any_float || r.has(Traits::CLAMP));
    let clamp = (float_result || saturates) && !r.has(Traits::NO_CLAMP);
    // A compare signals with its clamp bit from gfx8 on.
    let clamp = clamp && (r.row.family != Family::Vopc || r.g >= Gen::Gfx8);
    if clamp {
        f.mod_if(Mod::Clamp, "CLAMP");
    }
    if float_result && !r.has(Traits::NO_OMOD) || r.has(Traits::OMOD) {
        f.mod_if(Mod::Omod, "OMOD");
    }
    if is_dpp {
        f.variant(variant, 3);
        f.flags(FormFlags::SUBFORM);
    }
    f
}

/// Builds the forms of a packed (VOP3P) row.
pub(super) fn build_packed(b: &mut TableBuilder, row: &'static Inst, op: u32) {
    let mut r = Row::new(b, row);
    let wave32 = r.b.target.wave32();
    if r.has(Traits::W32) && !wave32 || r.has(Traits::W64) && !r.b.target.wave64() {
        return;
    }
    let base = packed_form(&r, op, Variant::Base);
    r.add(base, &["", "_e64"]);
    if r.g >= Gen::Gfx11 && r.has(Traits::DPP) {
        for (variant, extra) in [(Variant::Dpp, "DPP16"), (Variant::Dpp8, "DPP8")] {
            let mut f = packed_form(&r, op, variant);
            dpp_mods(&r, &mut f, extra, 32);
            r.add(f, &["", "_e64_dpp", "_dpp"]);
        }
    }
}

fn packed_form(r: &Row<'_>, op: u32, variant: Variant) -> Builder {
    let is_dpp = variant != Variant::Base;
    let format = r.b.format("VOP3P");
    let suffix = if is_dpp { "_e64_dpp" } else { "" };
    let mut f = Builder::new(r.row, format!("{}{suffix}", r.name), format, op);
    f.flags(FormFlags::VALU | FormFlags::VOP3);
    let mix = r.has(Traits::MIX);
    let matrix = r.name.starts_with("v_wmma") || r.name.starts_with("v_swmmac");
    let (neg, neg_hi) = (f.field("NEG"), f.field("NEG_HI"));
    let (op_sel, op_sel_hi) = (f.field("OP_SEL"), f.field("OP_SEL_HI"));
    destination(r, &mut f);
    if let Some(slot) = f.slots.last_mut() {
        slot.allow -= Allow::LO128;
    }
    let mut i = 0;
    for opnd in r.row.src {
        if !is_source(opnd) {
            continue;
        }
        let span = f.field(["SRC0", "SRC1", "SRC2"][i]);
        let mut slot = Slot::new(Kind::Source, opnd.ty, span);
        slot.source = i as u8;
        slot.allow = match opnd.class {
            Class::Matrix => Allow::VGPR,
            Class::MatrixOrInline => Allow::VGPR | Allow::INLINE,
            _ => source_allow(r, opnd),
        };
        if r.g < Gen::Gfx10 {
            slot.allow -= Allow::LITERAL;
        }
        if mix {
            slot.neg = bit(neg, i);
            slot.abs = bit(neg_hi, i);
        }
        if is_dpp {
            slot.allow -= Allow::LITERAL | Allow::LDS;
            if i == 0 {
                f.fix(span, if variant == Variant::Dpp { DPP_MARK } else { DPP8_MARK });
                slot.kind = Kind::Vgpr;
                slot.span = Span::new(71, 64);
                slot.allow = Allow::VGPR;
            } else if i == 1 || !mix && r.row.name != "v_dot2_f32_f16" {
                slot.allow = Allow::VGPR;
            }
        }
        f.slot(slot);
        i += 1;
    }
    if !is_dpp && f.slots.iter().any(|s| s.kind == Kind::Source && s.allow.contains(Allow::LITERAL)) {
        f.flags(FormFlags::MAY_LITERAL);
    }
    // Unused bits of OP_SEL_HI are set, as LLVM sets them.
    if !matrix {
        let all = op_sel_hi;
        let unused = 7 & !((1u32 << i) - 1);
        if unused & 4 != 0 {
            f.idle(Span::new(all.lo2, all.lo2), 1);
        }
        if unused & 2 != 0 {
            f.idle(Span::new(all.lo + 1, all.lo + 1), 1);
        }
    }
    let narrow = |span: Span| Span { width: i as u8, width2: 0, ..span };
    let hi = if i == 3 { op_sel_hi } else { narrow(op_sel_hi) };
    if r.has(Traits::KEY8) || r.has(Traits::KEY16) {
        f.mod_at(Mod::IndexKey, Span { width: if r.has(Traits::KEY8) { 2 } else { 1 }, ..op_sel });
    } else if !r.has(Traits::OP_SEL) && !matrix {
        f.idle(op_sel_hi, 7);
    } else if r.has(Traits::OP_SEL) {
        f.mod_at(Mod::OpSel, narrow(op_sel));
        f.mod_at(Mod::OpSelHi, hi);
    }
    if matrix && !r.has(Traits::OP_SEL) {
        // The unused selector bits of matrix instructions: op_sel_hi reads as all halves.
        f.idle(op_sel_hi, 7);
    }
    if !mix && r.has(Traits::NEG) {
        f.mod_at(Mod::NegLo, narrow(neg)).mod_at(Mod::NegHi, narrow(neg_hi));
    } else if r.has(Traits::NEG_LO) {
        f.mod_at(Mod::NegLo, narrow(neg));
    }
    if r.has(Traits::CLAMP) {
        f.mod_if(Mod::Clamp, "CLAMP");
    }
    if is_dpp {
        f.variant(variant, 3);
        f.flags(FormFlags::SUBFORM);
    }
    f
}

/// Builds the forms of a matrix instruction of CDNA.
pub(super) fn build_matrix(b: &mut TableBuilder, row: &'static Inst, op: u32) {
    let mut r = Row::new(b, row);
    let format = r.b.format("MAI");
    let mut f = Builder::new(r.row, r.name, format, op);
    f.flags(FormFlags::VALU);
    let unified = r.b.target.is(Variants::CDNA2);
    let acc_cd = f.field("ACC_CD");
    let mut dst = Slot::new(Kind::Vgpr, row.dst.ty, f.field("VDST"));
    dst.allow = match row.dst.class {
        Class::Agpr => Allow::AGPR,
        Class::Matrix if unified => Allow::AGPR | Allow::VGPR,
        Class::Matrix => Allow::AGPR,
        _ => Allow::VGPR,
    };
    if row.dst.class == Class::Matrix && unified {
        dst.acc = acc_cd.lo;
    }
    f.slot(dst);
    let acc = [f.field("ACC0").lo, f.field("ACC1").lo, acc_cd.lo];
    for (i, opnd) in row.src.iter().filter(|o| is_source(o)).enumerate() {
        let mut slot = Slot::new(Kind::Source, opnd.ty, f.field(["SRC0", "SRC1", "SRC2"][i]));
        slot.source = i as u8;
        slot.allow = match opnd.class {
            Class::Agpr => Allow::AGPR,
            Class::Matrix => Allow::AGPR | Allow::VGPR,
            Class::MatrixOrInline if unified => Allow::AGPR | Allow::VGPR | Allow::INLINE,
            Class::MatrixOrInline => Allow::AGPR | Allow::INLINE,
            Class::Vgpr => Allow::VGPR,
            _ => Allow::VGPR | Allow::SGPR | Allow::INLINE,
        };
        if matches!(opnd.class, Class::Matrix) || opnd.class == Class::MatrixOrInline && unified {
            slot.acc = acc[i];
        } else if opnd.class == Class::Agpr {
            f.fix(Span::new(acc[i], acc[i]), 1);
        }
        f.slot(slot);
    }
    if r.name.starts_with("v_accvgpr") {
        // The unused selector bits are set, as in packed instructions.
        for bit in [14, 59, 60] {
            f.idle(Span::new(bit, bit), 1);
        }
    }
    if !r.has(Traits::NO_CLAMP) {
        f.mod_if(Mod::Cbsz, "CBSZ").mod_if(Mod::Abid, "ABID");
        if r.has(Traits::NEG) {
            f.mod_if(Mod::Neg, "BLGP");
        } else if !r.has(Traits::KEY8) {
            f.mod_if(Mod::Blgp, "BLGP");
        }
    }
    r.add(f, &[""]);
}

/// Builds the form of a parameter interpolation of gfx11 and later.
pub(super) fn build_vinterp(b: &mut TableBuilder, row: &'static Inst, op: u32) {
    let mut r = Row::new(b, row);
    let format = r.b.format("VINTERP");
    let mut f = Builder::new(r.row, r.name, format, op);
    f.flags(FormFlags::VALU);
    let mut dst = Slot::new(Kind::Vgpr, row.dst.ty, f.field("VDST"));
    dst.allow = Allow::VGPR;
    f.slot(dst);
    let neg = f.field("NEG");
    for (i, opnd) in row.src.iter().filter(|o| is_source(o)).enumerate() {
        let mut slot = Slot::new(Kind::Source, opnd.ty, f.field(["SRC0", "SRC1", "SRC2"][i]));
        slot.source = i as u8;
        slot.allow = Allow::VGPR;
        slot.neg = bit(neg, i);
        f.slot(slot);
    }
    f.mod_if(Mod::Clamp, "CLAMP");
    // Halves are selected where there are any.
    if r.has(Traits::OP_SEL) {
        f.mod_if(Mod::OpSel, "OP_SEL");
    }
    f.mod_if(Mod::WaitExp, "WAIT_EXP");
    r.add(f, &[""]);
}
