//! Image instructions: one form each.
//!
//! The places are the fields: data, address (on gfx12 four or five fields), resource, sampler. Which of them the text has and how wide
//! they are is decided by the bits, in `asm::families::image` and `disasm::families::image`.

use crate::isa::form::{Builder, Kind, Mod, Slot, TableBuilder};
use crate::isa::image::{Address, Shape};
use crate::isa::operand::Ty;
use crate::isa::row::{Inst, Traits};
use crate::isa::{Gen, Variants};

/// The modifiers in the order of the text, with their fields.
#[rustfmt::skip]
static MODIFIERS: &[(Mod, &str)] = &[
    (Mod::Dmask, "DMASK"), (Mod::Dim, "DIM"), (Mod::Unorm, "UNRM"),
    (Mod::Glc, "GLC"), (Mod::Slc, "SLC"), (Mod::Dlc, "DLC"), (Mod::Scc, "SCC"), (Mod::Th, "TH"), (Mod::Scope, "SCOPE"),
    (Mod::R128, "R128"), (Mod::A16, "A16"), (Mod::Tfe, "TFE"), (Mod::Lwe, "LWE"), (Mod::Da, "DA"), (Mod::D16, "D16"),
];

/// Builds the form of an image row.
pub(super) fn build(b: &mut TableBuilder, row: &'static Inst, op: u32) {
    let g = b.generation();
    let shape = Shape::of(row);
    let format = b.format(match g {
        Gen::Gfx12 if shape.vsample() => "VSAMPLE",
        Gen::Gfx12 => "VIMAGE",
        _ => "MIMG",
    });
    let name = row.name_in(g);
    let mut f = Builder::new(row, name, format, op);
    let bvh = row.traits.contains(Traits::BVH);

    let mut data = Slot::new(Kind::Vgpr, Ty::B32, f.field("VDATA"));
    if let Some(acc) = format.field("ACC") {
        data.acc = acc.lo;
    }
    f.slot(data);
    if g == Gen::Gfx12 {
        for field in ["VADDR0", "VADDR1", "VADDR2", "VADDR3", "VADDR4"] {
            match format.field(field) {
                Some(span) if field != "VADDR4" || bvh => f.slot(Slot::new(Kind::Vgpr, Ty::B32, span)),
                _ => &mut f,
            };
        }
    } else {
        f.slot(Slot::new(Kind::Vgpr, Ty::B32, f.field("VADDR")));
    }
    let resource = if g == Gen::Gfx12 { "RSRC" } else { "SRSRC" };
    f.slot(Slot::new(Kind::Sgpr, if bvh { Ty::B128 } else { Ty::B256 }, f.field(resource)));
    if shape.sampler {
        let sampler = if g == Gen::Gfx12 { "SAMP" } else { "SSAMP" };
        f.slot(Slot::new(Kind::Sgpr, Ty::B128, f.field(sampler)));
    }
    if let Some(nsa) = format.field("NSA") {
        f.know(nsa);
    }
    if bvh {
        // All lanes of the mask, a resource of 128 bits; nothing else can be chosen.
        for (field, value) in [("DMASK", 15), ("R128", 1), ("UNRM", 1)] {
            if let Some(span) = format.field(field) {
                f.fix(span, value);
            }
        }
        if !shape.address.intersects(Address::DUAL | Address::WIDE) {
            f.mod_if(Mod::A16, "A16");
        }
    } else {
        for &(id, field) in MODIFIERS {
            match id {
                Mod::D16 if g < Gen::Gfx8 || !row.traits.contains(Traits::D16) => {}
                Mod::Scc if !b.target.is(Variants::G90A) => {}
                // gfx9 has no short resources: the bit says that addresses have 16 bits.
                Mod::R128 if g == Gen::Gfx9 => {
                    f.mod_at(Mod::A16, f.field("R128"));
                }
                _ => {
                    f.mod_if(id, field);
                }
            }
        }
    }
    let mut names = vec![name];
    names.extend(row.aliases.iter().filter(|(on, _)| on.contains(b.target.arch.variant)).map(|(_, n)| *n));
    b.add(f, &names);
}
