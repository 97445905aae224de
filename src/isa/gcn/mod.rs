//! The rows of GCN and RDNA, by family.

pub mod buffer;
pub mod ds;
pub mod export;
pub mod flat;
pub mod image;
pub mod interp;
pub mod mai;
pub mod smem;
pub mod sop;
pub mod vinterp;
pub mod vop1;
pub mod vop2;
pub mod vop3;
pub mod vop3p;
pub mod vopc;
pub mod vopd;

use super::row::Inst;

/// All tables of rows.
pub static TABLES: &[&[Inst]] = &[
    sop::SOP2,
    sop::SOPK,
    sop::SOP1,
    sop::SOPC,
    sop::SOPP,
    smem::SMEM,
    smem::SMEM_ATOMIC,
    vop1::VOP1,
    vop2::VOP2,
    vopc::VOPC,
    vop3::VOP3,
    vop3p::VOP3P,
    mai::MAI,
    vinterp::VINTERP,
    vopd::VOPD,
    buffer::MUBUF,
    buffer::MUBUF_ATOMIC,
    buffer::MTBUF,
    flat::FLAT,
    flat::FLAT_ATOMIC,
    flat::GLOBAL,
    flat::GLOBAL_ATOMIC,
    flat::SCRATCH,
    interp::VINTRP,
    interp::VOP3_INTERP,
    interp::LDSDIR,
    ds::DS,
    image::IMAGE_LOAD_STORE,
    image::IMAGE_ATOMIC,
    image::IMAGE_SAMPLE,
    image::IMAGE_GATHER4,
    export::EXP,
];

/// Every row.
pub fn rows() -> impl Iterator<Item = &'static Inst> {
    TABLES.iter().flat_map(|t| t.iter())
}
