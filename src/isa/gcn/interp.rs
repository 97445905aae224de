//! Parameter interpolation from LDS: VINTRP and its VOP3 form up to gfx10, LDSDIR and VDSDIR (with LDS direct loads) from gfx11.

use crate::isa::arch::{Gen, Variants};
use crate::isa::does::names::*;
use crate::isa::operand::names::*;
use crate::isa::operand::{Opnd, Part};
use crate::isa::row::names::*;
use crate::isa::row::*;

const V: Opnd = part(Part::Vdst, 1);
/// A barycentric coordinate.
const IJ: Opnd = part(Part::Data, 1);
/// Which parameter of the plane equation.
const P: Opnd = part(Part::Slot, 1);
const ATTR: Opnd = part(Part::Attr, 1);

/// Processors with parameters in LDS.
const PARAMS: Variants = Variants::all().difference(Variants::CDNA2);

/// Interpolation.
#[rustfmt::skip]
pub static VINTRP: &[Inst] = &[
    //                            gfx6   gfx7   gfx8   gfx9  gfx10  gfx11  gfx12   dst  sources
    vintrp("v_interp_p1_f32",  [0x000, 0x000, 0x000, 0x000, 0x000,    __,    __], V, &[IJ, ATTR]).does(INTERP_FIRST).on(&[PARAMS]),
    vintrp("v_interp_p2_f32",  [0x001, 0x001, 0x001, 0x001, 0x001,    __,    __], V, &[IJ, ATTR]).does(INTERP_SECOND).on(&[PARAMS]),
    vintrp("v_interp_mov_f32", [0x002, 0x002, 0x002, 0x002, 0x002,    __,    __], V, &[P, ATTR]).does(INTERP_MOVE).on(&[PARAMS]),
];
const _: () = check(VINTRP);

/// Interpolation with modifiers, and of 16 bits.
#[rustfmt::skip]
pub static VOP3_INTERP: &[Inst] = &[
    //                                       gfx6   gfx7   gfx8   gfx9  gfx10  gfx11  gfx12   dst   sources
    vop3_interp("v_interp_p1_f32",        [   __,    __, 0x270, 0x270, 0x200,    __,    __], F32, &[VF32, ATTR]).does(INTERP_FIRST).on(&[PARAMS]),
    vop3_interp("v_interp_p2_f32",        [   __,    __, 0x271, 0x271, 0x201,    __,    __], F32, &[VF32, ATTR]).does(INTERP_SECOND).on(&[PARAMS]),
    vop3_interp("v_interp_mov_f32",       [   __,    __, 0x272, 0x272, 0x202,    __,    __], F32, &[P, ATTR]).does(INTERP_MOVE).on(&[PARAMS]),
    vop3_interp("v_interp_p1ll_f16",      [   __,    __, 0x274, 0x274, 0x342,    __,    __], F32, &[VF32, ATTR]).does(INTERP_FIRST_LL).on(&[PARAMS]).has(&[HIGH, NO_SUFFIX]),
    vop3_interp("v_interp_p1lv_f16",      [   __,    __, 0x275, 0x275, 0x343,    __,    __], F32, &[VF32, ATTR, VF32]).does(INTERP_FIRST_LV).on(&[PARAMS]).has(&[HIGH, NO_SUFFIX]),
    // gfx9 changed what is left in the other half of the result, and kept the old way under another name.
    vop3_interp("v_interp_p2_f16",        [   __,    __, 0x276,    __,    __,    __,    __], F16, &[VF32, ATTR, VF32]).does(INTERP_SECOND_16).on(&[PARAMS]).has(&[HIGH, NO_OMOD, NO_SUFFIX]),
    vop3_interp("v_interp_p2_legacy_f16", [   __,    __,    __, 0x276,    __,    __,    __], F16, &[VF32, ATTR, VF32]).does(INTERP_SECOND_16).on(&[PARAMS]).has(&[HIGH, NO_OMOD, NO_SUFFIX]),
    vop3_interp("v_interp_p2_f16",        [   __,    __,    __, 0x277, 0x35a,    __,    __], F16, &[VF32, ATTR, VF32]).does(INTERP_SECOND_16).on(&[PARAMS]).has(&[HIGH, NO_OMOD, NO_SUFFIX]),
];
const _: () = check(VOP3_INTERP);

/// Loads of parameters and of LDS into vector registers.
#[rustfmt::skip]
pub static LDSDIR: &[Inst] = &[
    //                           gfx6   gfx7   gfx8   gfx9  gfx10  gfx11  gfx12   dst  sources
    ldsdir("lds_param_load",  [   __,    __,    __,    __,    __, 0x000, 0x000], V, &[ATTR]).does(PARAMETER_LOAD).renamed(&[(Gen::Gfx12, "ds_param_load")]),
    ldsdir("lds_direct_load", [   __,    __,    __,    __,    __, 0x001, 0x001], V, &[]).does(DIRECT_LOAD).renamed(&[(Gen::Gfx12, "ds_direct_load")]),
];
const _: () = check(LDSDIR);
