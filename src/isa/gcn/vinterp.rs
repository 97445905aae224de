//! Parameter interpolation from registers (gfx11 and later).

use crate::isa::does::names::*;
use crate::isa::operand::names::*;
use crate::isa::row::names::*;
use crate::isa::row::*;

/// Interpolation.
#[rustfmt::skip]
pub static VINTERP: &[Inst] = &[
    //                                    gfx6   gfx7   gfx8   gfx9  gfx10  gfx11  gfx12   dst    sources
    vinterp("v_interp_p10_f32",         [   __,    __,    __,    __,    __, 0x000, 0x000], B32,  &[VF32, VF32, VF32]).does(interpolate(false, false, false)).has(&[READS_M0]),
    vinterp("v_interp_p2_f32",          [   __,    __,    __,    __,    __, 0x001, 0x001], B32,  &[VF32, VF32, VF32]).does(interpolate(true, false, false)).has(&[READS_M0]),
    vinterp("v_interp_p10_f16_f32",     [   __,    __,    __,    __,    __, 0x002, 0x002], B32,  &[VF32, VF32, VF32]).does(interpolate(false, true, false)).has(&[READS_M0, OP_SEL]),
    vinterp("v_interp_p2_f16_f32",      [   __,    __,    __,    __,    __, 0x003, 0x003], B32,  &[VF32, VF32, VF32]).does(interpolate(true, true, false)).has(&[READS_M0, OP_SEL]),
    vinterp("v_interp_p10_rtz_f16_f32", [   __,    __,    __,    __,    __, 0x004, 0x004], B32,  &[VF32, VF32, VF32]).does(interpolate(false, true, true)).has(&[READS_M0, OP_SEL]),
    vinterp("v_interp_p2_rtz_f16_f32",  [   __,    __,    __,    __,    __, 0x005, 0x005], B32,  &[VF32, VF32, VF32]).does(interpolate(true, true, true)).has(&[READS_M0, OP_SEL]),
];
const _: () = check(VINTERP);
