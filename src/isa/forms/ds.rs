//! Data share instructions: one form each.

use crate::isa::Variants;
use crate::isa::form::{Allow, Builder, Kind, Mod, Slot, TableBuilder};
use crate::isa::operand::{Class, Opnd, Part};
use crate::isa::row::{Inst, Traits};

/// Builds the form of a data share row.
pub(super) fn build(b: &mut TableBuilder, row: &'static Inst, op: u32) {
    let g = b.generation();
    let format = b.find_format("DS").unwrap_or_else(|| b.format("VDS"));
    let name = row.name_in(g);
    let mut f = Builder::new(row, name, format, op);
    let has = |t| row.traits.contains(t);
    let accumulators = b.target.is(Variants::CDNA2);
    let place = |opnd: &Opnd| -> Option<Slot> {
        let Class::Part(part) = opnd.class else { return None };
        let field = match part {
            Part::Vdst => "VDST",
            Part::Data => "DATA0",
            Part::Data1 => "DATA1",
            _ => "ADDR",
        };
        let mut slot = Slot::new(Kind::Vgpr, opnd.ty, format.field(field)?);
        slot.allow = Allow::VGPR;
        // All data of one instruction are vector registers, or all accumulation registers. The data of GWS stand in the place of the address.
        if accumulators && (field != "ADDR" || has(Traits::GDS)) {
            slot.allow |= Allow::AGPR;
            slot.acc = format.field("ACC")?.lo;
        }
        Some(slot)
    };
    for slot in std::iter::once(&row.dst).chain(row.src).filter_map(place) {
        f.slot(slot);
    }
    if has(Traits::OFFSET2) {
        f.mod_if(Mod::Offset0, "OFFSET0").mod_if(Mod::Offset1, "OFFSET1");
    } else if !has(Traits::NO_ADDR) {
        f.mod_if(Mod::Offset, "OFFSET");
    }
    // gfx90a and its successors have no GDS memory, but the GWS barriers.
    if has(Traits::GDS) || !has(Traits::NO_GDS) && !has(Traits::NO_ADDR) && !accumulators {
        f.mod_if(Mod::Gds, "GDS");
    }
    if has(Traits::GDS) {
        f.fix(f.field("GDS"), 1);
    }
    let mut names = vec![name];
    names.extend(row.aliases.iter().filter(|(on, _)| on.contains(b.target.arch.variant)).map(|(_, n)| *n));
    b.add(f, &names);
}
