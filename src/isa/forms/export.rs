//! Exports: one form.

use crate::isa::form::{Builder, Kind, Mod, Slot, TableBuilder};
use crate::isa::operand::Ty;
use crate::isa::row::Inst;

/// Builds the form of the export row.
pub(super) fn build(b: &mut TableBuilder, row: &'static Inst, op: u32) {
    let format = b.find_format("EXP").unwrap_or_else(|| b.format("VEXPORT"));
    let name = row.name_in(b.generation());
    let mut f = Builder::new(row, name, format, op);
    f.slot(Slot::new(Kind::Uimm, Ty::B32, f.field("TGT")));
    for field in ["VSRC0", "VSRC1", "VSRC2", "VSRC3"] {
        f.slot(Slot::new(Kind::Vgpr, Ty::B32, f.field(field)));
    }
    f.know(f.field("EN"));
    f.mod_if(Mod::Done, "DONE").mod_if(Mod::Compr, "COMPR").mod_if(Mod::Vm, "VM").mod_if(Mod::RowEn, "ROW");
    let mut names = vec![name];
    names.extend(row.aliases.iter().filter(|(on, _)| on.contains(b.target.arch.variant)).map(|(_, n)| *n));
    b.add(f, &names);
}
