//! Dual instructions (VOPD): two rows in one instruction, each with its half of the fields.

use crate::isa::Gen;
use crate::isa::form::{Allow, Builder, FormFlags, Kind, Slot, TableBuilder};
use crate::isa::format::Span;
use crate::isa::operand::{Class, Ty};
use crate::isa::row::{Family, Inst};

/// Builds every pair of dual instructions.
pub(in crate::isa::forms) fn build_dual(b: &mut TableBuilder) {
    if b.generation() < Gen::Gfx11 || !b.target.wave32() {
        return;
    }
    let rows: Vec<(&'static Inst, u32)> = crate::isa::gcn::rows()
        .filter(|r| r.family == Family::Vopd)
        .filter_map(|r| Some((r, u32::from(r.opcode(b.target.arch)?))))
        .collect();
    let format = b.format("VOPD");
    let g = b.generation();
    for (x, opx) in rows.iter().filter(|(_, op)| *op < 16) {
        for (y, opy) in &rows {
            let mut f = Builder::new(x, x.name_in(g), format, opx << 5 | opy);
            f.flags(FormFlags::VALU);
            half(&mut f, x, ["VDSTX", "SRCX0", "VSRCX1"], false);
            f.slot(Slot::new(Kind::Dual(y.name_in(g)), Ty::B32, Span::NONE));
            half(&mut f, y, ["VDSTY", "SRCY0", "VSRCY1"], true);
            let literal = x.src.iter().chain(y.src).any(|o| o.class == Class::Literal);
            f.flags(if literal { FormFlags::HAS_LITERAL } else { FormFlags::MAY_LITERAL });
            let name = format!("{} {}", x.name_in(g), y.name_in(g));
            b.add(f, &[&name]);
        }
    }
}

fn half(f: &mut Builder, row: &Inst, [vdst, src0, vsrc1]: [&str; 3], second: bool) {
    let kind = if second { Kind::DualVdst } else { Kind::Vgpr };
    let mut dst = Slot::new(kind, Ty::B32, f.field(vdst));
    dst.allow = Allow::VGPR;
    f.slot(dst);
    let mut i = 0;
    for opnd in row.src {
        match opnd.class {
            Class::Literal => {
                f.slot(Slot::new(Kind::Literal, opnd.ty, Span::NONE));
            }
            // The mask of a dual select is not written.
            Class::MaskIn => {
                f.flags(FormFlags::READS_VCC);
            }
            Class::Plain if i == 0 => {
                let mut slot = Slot::new(Kind::Source, opnd.ty, f.field(src0));
                slot.source = 0;
                f.slot(slot);
                i += 1;
            }
            Class::Plain | Class::Vgpr => {
                let mut slot = Slot::new(Kind::Vgpr, opnd.ty, f.field(vsrc1));
                slot.allow = Allow::VGPR;
                slot.source = i;
                f.slot(slot);
                i += 1;
            }
            _ => {}
        }
    }
    if i == 1 {
        let span = f.field(vsrc1);
        f.idle(span, 0);
    }
}
