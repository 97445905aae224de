//! From rows to forms: one file a kind of machine part.

mod ds;
mod export;
mod image;
mod interp;
mod memory;
mod scalar;
mod valu;

use super::form::TableBuilder;
use super::gcn;
use super::row::Family;

/// Builds every form of the target.
pub(super) fn build(b: &mut TableBuilder) {
    for row in gcn::rows() {
        let Some(op) = row.opcode(b.target.arch) else { continue };
        let op = u32::from(op);
        match row.family {
            Family::Sop1 | Family::Sop2 | Family::Sopk | Family::Sopc | Family::Sopp => scalar::build(b, row, op),
            Family::Vop1 | Family::Vop2 | Family::Vopc | Family::Vop3 => valu::build(b, row, op),
            Family::Vop3p => valu::build_packed(b, row, op),
            Family::Mai => valu::build_matrix(b, row, op),
            Family::Vinterp => valu::build_vinterp(b, row, op),
            Family::Smem | Family::Mubuf | Family::Mtbuf | Family::Flat | Family::Global | Family::Scratch => {
                memory::build(b, row, op);
            }
            Family::Vopd => {}
            Family::Vintrp => interp::build(b, row, op),
            Family::Vop3Interp => interp::build_vop3(b, row, op),
            Family::Ldsdir => interp::build_ldsdir(b, row, op),
            Family::Ds => ds::build(b, row, op),
            Family::Mimg => image::build(b, row, op),
            Family::Exp => export::build(b, row, op),
        }
    }
    valu::build_dual(b);
}
