//! Dual instructions of gfx11 and later: an X half (opcodes 0-15) and a Y half.

use crate::isa::arch::Gen;
use crate::isa::operand::names::*;
use crate::isa::row::names::*;
use crate::isa::row::*;

/// Halves of dual instructions.
#[rustfmt::skip]
pub static VOPD: &[Inst] = &[
    //                                gfx6   gfx7   gfx8   gfx9  gfx10  gfx11  gfx12   dst    sources
    vopd("v_dual_fmac_f32",         [   __,    __,    __,    __,    __, 0x000, 0x000], F32,  &[F32, VF32]).has(&[TIED]),
    vopd("v_dual_fmaak_f32",        [   __,    __,    __,    __,    __, 0x001, 0x001], F32,  &[F32, VF32, K32]),
    vopd("v_dual_fmamk_f32",        [   __,    __,    __,    __,    __, 0x002, 0x002], F32,  &[F32, K32, VF32]),
    vopd("v_dual_mul_f32",          [   __,    __,    __,    __,    __, 0x003, 0x003], F32,  &[F32, VF32]),
    vopd("v_dual_add_f32",          [   __,    __,    __,    __,    __, 0x004, 0x004], F32,  &[F32, VF32]),
    vopd("v_dual_sub_f32",          [   __,    __,    __,    __,    __, 0x005, 0x005], F32,  &[F32, VF32]),
    vopd("v_dual_subrev_f32",       [   __,    __,    __,    __,    __, 0x006, 0x006], F32,  &[F32, VF32]),
    vopd("v_dual_mul_dx9_zero_f32", [   __,    __,    __,    __,    __, 0x007, 0x007], F32,  &[F32, VF32]),
    vopd("v_dual_mov_b32",          [   __,    __,    __,    __,    __, 0x008, 0x008], B32,  &[B32]),
    vopd("v_dual_cndmask_b32",      [   __,    __,    __,    __,    __, 0x009, 0x009], B32,  &[B32, VB32, CI]),
    vopd("v_dual_max_f32",          [   __,    __,    __,    __,    __, 0x00a, 0x00a], F32,  &[F32, VF32]).renamed(&[(Gen::Gfx12, "v_dual_max_num_f32")]),
    vopd("v_dual_min_f32",          [   __,    __,    __,    __,    __, 0x00b, 0x00b], F32,  &[F32, VF32]).renamed(&[(Gen::Gfx12, "v_dual_min_num_f32")]),
    vopd("v_dual_dot2acc_f32_f16",  [   __,    __,    __,    __,    __, 0x00c,    __], F32,  &[RF16, VB32]).has(&[TIED]),
    // In AMD's tables of gfx12; llvm-mc 19 has it on gfx11 only. The one for bf16 it does not have at all.
    vopd("v_dual_dot2acc_f32_f16",  [   __,    __,    __,    __,    __,    __, 0x00c], F32,  &[RF16, VB32]).has(&[MANUAL, TIED]),
    vopd("v_dual_dot2acc_f32_bf16", [   __,    __,    __,    __,    __, 0x00d, 0x00d], F32,  &[RBF16, VB32]).has(&[MANUAL, TIED]),
    vopd("v_dual_add_nc_u32",       [   __,    __,    __,    __,    __, 0x010, 0x010], B32,  &[B32, VB32]),
    vopd("v_dual_lshlrev_b32",      [   __,    __,    __,    __,    __, 0x011, 0x011], B32,  &[B32, VB32]),
    vopd("v_dual_and_b32",          [   __,    __,    __,    __,    __, 0x012, 0x012], B32,  &[B32, VB32]),
];
const _: () = check(VOPD);
