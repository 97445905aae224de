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
use super::row::{__, Family, Inst};
use super::{Features, Gen, Target, Variants};

/// The opcode of a scalar float, which manuals and compilers give to gfx11.5 and later, on the cards before where they are asked for: one of gfx1100
/// has been recorded running `s_fmamk_f32`.
fn beyond(row: &Inst, target: &Target) -> Option<u16> {
    let scalar = matches!(row.family, Family::Sop1 | Family::Sop2 | Family::Sopc);
    let newer = target.is(Variants::G1100) && row.on.contains(Variants::G1150);
    let code = row.code[Gen::Gfx11 as usize];
    (target.features.contains(Features::SALU_FLOAT) && scalar && newer && code != __).then_some(code)
}

/// Builds every form of the target, of all rows and some more.
pub(super) fn build(b: &mut TableBuilder, more: &'static [Inst]) {
    for row in gcn::rows().chain(more) {
        let Some(op) = row.opcode(b.target.arch).or_else(|| beyond(row, &b.target)) else { continue };
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
