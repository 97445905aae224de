//! Interpolation from LDS, and loads from LDS: one form a row; the rows of VINTRP have a second, VOP3 form, which is a row of its own.

use crate::isa::Gen;
use crate::isa::form::{Allow, Builder, Kind, Mod, Slot, TableBuilder};
use crate::isa::format::Span;
use crate::isa::operand::{Class, Opnd, Part, Ty};
use crate::isa::row::{Inst, Traits};

/// Builds the form of a VINTRP row. From gfx8 on its name says that it is the short one.
pub(super) fn build(b: &mut TableBuilder, row: &'static Inst, op: u32) {
    let format = b.format("VINTRP");
    let short = format!("{}_e32", row.name);
    let shown = if b.generation() >= Gen::Gfx8 { short.as_str() } else { row.name };
    let mut f = Builder::new(row, shown, format, op);
    f.slot(register(f.field("VDST")));
    for opnd in row.src {
        match opnd.class {
            Class::Part(Part::Attr) => f.slot(attribute(&f)),
            Class::Part(Part::Slot) => f.slot(Slot::new(Kind::InterpSlot, Ty::B32, f.field("VSRC"))),
            _ => f.slot(register(f.field("VSRC"))),
        };
    }
    b.add(f, &[row.name, &short]);
}

/// Builds the VOP3 form. Its first source lies in the second place, and so do its modifiers.
pub(super) fn build_vop3(b: &mut TableBuilder, row: &'static Inst, op: u32) {
    let format = b.format("VOP3_INTERP");
    let long = format!("{}_e64", row.name);
    let has = |t| row.traits.contains(t);
    let mut f = Builder::new(row, if has(Traits::NO_SUFFIX) { row.name } else { &long }, format, op);
    f.slot(register(f.field("VDST")));
    let (neg, abs) = (f.field("NEG").lo, f.field("ABS").lo);
    let mut next = 1;
    for opnd in row.src {
        match opnd.class {
            Class::Part(Part::Attr) => f.slot(attribute(&f)),
            Class::Part(Part::Slot) => f.slot(Slot::new(Kind::InterpSlot, Ty::B32, f.field("VSRC"))),
            _ => {
                let span = f.field(if next == 1 { "VSRC" } else { "SRC2" });
                let slot = source(opnd, span, next, neg, abs);
                next += 1;
                f.slot(slot)
            }
        };
    }
    if has(Traits::HIGH) {
        f.mod_if(Mod::High, "HIGH");
    }
    f.mod_if(Mod::Clamp, "CLAMP");
    if !has(Traits::NO_OMOD) {
        f.mod_if(Mod::Omod, "OMOD");
    }
    b.add(f, &[row.name, &long]);
}

/// Builds the form of a load from LDS.
pub(super) fn build_ldsdir(b: &mut TableBuilder, row: &'static Inst, op: u32) {
    let format = b.find_format("LDSDIR").unwrap_or_else(|| b.format("VDSDIR"));
    let name = row.name_in(b.generation());
    let mut f = Builder::new(row, name, format, op);
    f.slot(register(f.field("VDST")));
    if !row.src.is_empty() {
        f.slot(attribute(&f));
    }
    f.mod_if(if b.generation() == Gen::Gfx12 { Mod::WaitVaVdst } else { Mod::WaitVdst }, "WAIT_VDST");
    f.mod_if(Mod::WaitVmVsrc, "WAIT_VMVSRC");
    b.add(f, &[name]);
}

fn register(span: Span) -> Slot {
    let mut slot = Slot::new(Kind::Vgpr, Ty::B32, span);
    slot.allow = Allow::VGPR;
    slot
}

fn attribute(f: &Builder) -> Slot {
    Slot::new(Kind::Attr(f.field("ATTRCHAN")), Ty::B32, f.field("ATTR"))
}

fn source(opnd: &Opnd, span: Span, n: u8, neg: u8, abs: u8) -> Slot {
    let mut slot = Slot::new(Kind::Source, opnd.ty, span);
    slot.allow = Allow::VGPR;
    slot.source = n;
    slot.neg = neg + n;
    slot.abs = abs + n;
    slot
}
