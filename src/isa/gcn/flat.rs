//! Flat, global and scratch memory: VFLAT, VGLOBAL and VSCRATCH on gfx12.
//!
//! The address is a vector register or pair, a scalar one, or (scratch) both or none; bits of the instruction say which. An atomic
//! returns the old value where the cache policy says so.

use crate::isa::arch::Gen;
use crate::isa::does::names::*;
use crate::isa::operand::names::*;
use crate::isa::operand::{Opnd, Part};
use crate::isa::row::names::*;
use crate::isa::row::*;

const V1: Opnd = part(Part::Vdst, 1);
const V2: Opnd = part(Part::Vdst, 2);
const V3: Opnd = part(Part::Vdst, 3);
const V4: Opnd = part(Part::Vdst, 4);
const V32: Opnd = part(Part::Vdst, 32);
const D1: Opnd = part(Part::Data, 1);
const D2: Opnd = part(Part::Data, 2);
const D3: Opnd = part(Part::Data, 3);
const D4: Opnd = part(Part::Data, 4);
const D32: Opnd = part(Part::Data, 32);
const ADDR: Opnd = part(Part::Addr, 2);
const SADDR: Opnd = part(Part::Saddr, 2);

/// Flat: the address says whether it is global, scratch or LDS.
#[rustfmt::skip]
pub static FLAT: &[Inst] = &[
    //                                gfx6   gfx7   gfx8   gfx9  gfx10  gfx11  gfx12   dst    operands
    flat("flat_load_ubyte",         [   __, 0x008, 0x010, 0x010, 0x008, 0x010, 0x010], V1,   &[ADDR],     LOAD_U8).renamed(&[(Gen::Gfx11, "flat_load_u8")]).alias(&[(G11.union(G12), "flat_load_ubyte")]),
    flat("flat_load_sbyte",         [   __, 0x009, 0x011, 0x011, 0x009, 0x011, 0x011], V1,   &[ADDR],     LOAD_I8).renamed(&[(Gen::Gfx11, "flat_load_i8")]).alias(&[(G11.union(G12), "flat_load_sbyte")]),
    flat("flat_load_ushort",        [   __, 0x00a, 0x012, 0x012, 0x00a, 0x012, 0x012], V1,   &[ADDR],     LOAD_U16).renamed(&[(Gen::Gfx11, "flat_load_u16")]).alias(&[(G11.union(G12), "flat_load_ushort")]),
    flat("flat_load_sshort",        [   __, 0x00b, 0x013, 0x013, 0x00b, 0x013, 0x013], V1,   &[ADDR],     LOAD_I16).renamed(&[(Gen::Gfx11, "flat_load_i16")]).alias(&[(G11.union(G12), "flat_load_sshort")]),
    flat("flat_load_dword",         [   __, 0x00c, 0x014, 0x014, 0x00c, 0x014, 0x014], V1,   &[ADDR],     LOAD_WORDS).renamed(&[(Gen::Gfx11, "flat_load_b32")]).alias(&[(G11.union(G12), "flat_load_dword")]),
    flat("flat_load_dwordx2",       [   __, 0x00d, 0x015, 0x015, 0x00d, 0x015, 0x015], V2,   &[ADDR],     LOAD_WORDS).renamed(&[(Gen::Gfx11, "flat_load_b64")]).alias(&[(G11.union(G12), "flat_load_dwordx2")]),
    flat("flat_load_dwordx4",       [   __, 0x00e, 0x017, 0x017, 0x00e, 0x017, 0x017], V4,   &[ADDR],     LOAD_WORDS).renamed(&[(Gen::Gfx11, "flat_load_b128")]).alias(&[(G11.union(G12), "flat_load_dwordx4")]),
    flat("flat_load_dwordx3",       [   __, 0x00f, 0x016, 0x016, 0x00f, 0x016, 0x016], V3,   &[ADDR],     LOAD_WORDS).renamed(&[(Gen::Gfx11, "flat_load_b96")]).alias(&[(G11.union(G12), "flat_load_dwordx3")]),
    flat("flat_store_byte",         [   __, 0x018, 0x018, 0x018, 0x018, 0x018, 0x018], NO,   &[ADDR, D1], STORE_8).renamed(&[(Gen::Gfx11, "flat_store_b8")]).alias(&[(G11.union(G12), "flat_store_byte")]),
    flat("flat_store_short",        [   __, 0x01a, 0x01a, 0x01a, 0x01a, 0x019, 0x019], NO,   &[ADDR, D1], STORE_16).renamed(&[(Gen::Gfx11, "flat_store_b16")]).alias(&[(G11.union(G12), "flat_store_short")]),
    flat("flat_store_dword",        [   __, 0x01c, 0x01c, 0x01c, 0x01c, 0x01a, 0x01a], NO,   &[ADDR, D1], STORE_WORDS).renamed(&[(Gen::Gfx11, "flat_store_b32")]).alias(&[(G11.union(G12), "flat_store_dword")]),
    flat("flat_store_dwordx2",      [   __, 0x01d, 0x01d, 0x01d, 0x01d, 0x01b, 0x01b], NO,   &[ADDR, D2], STORE_WORDS).renamed(&[(Gen::Gfx11, "flat_store_b64")]).alias(&[(G11.union(G12), "flat_store_dwordx2")]),
    flat("flat_store_dwordx4",      [   __, 0x01e, 0x01f, 0x01f, 0x01e, 0x01d, 0x01d], NO,   &[ADDR, D4], STORE_WORDS).renamed(&[(Gen::Gfx11, "flat_store_b128")]).alias(&[(G11.union(G12), "flat_store_dwordx4")]),
    flat("flat_store_dwordx3",      [   __, 0x01f, 0x01e, 0x01e, 0x01f, 0x01c, 0x01c], NO,   &[ADDR, D3], STORE_WORDS).renamed(&[(Gen::Gfx11, "flat_store_b96")]).alias(&[(G11.union(G12), "flat_store_dwordx3")]),
    flat("flat_store_byte_d16_hi",  [   __,    __,    __, 0x019, 0x019, 0x024, 0x024], NO,   &[ADDR, D1], STORE_8_HI).renamed(&[(Gen::Gfx11, "flat_store_d16_hi_b8")]).alias(&[(G11.union(G12), "flat_store_byte_d16_hi")]),
    flat("flat_store_short_d16_hi", [   __,    __,    __, 0x01b, 0x01b, 0x025, 0x025], NO,   &[ADDR, D1], STORE_16_HI).renamed(&[(Gen::Gfx11, "flat_store_d16_hi_b16")]).alias(&[(G11.union(G12), "flat_store_short_d16_hi")]),
    flat("flat_load_ubyte_d16",     [   __,    __,    __, 0x020, 0x020, 0x01e, 0x01e], V1,   &[ADDR],     LOAD_U8_LO).renamed(&[(Gen::Gfx11, "flat_load_d16_u8")]).alias(&[(G11.union(G12), "flat_load_ubyte_d16")]),
    flat("flat_load_ubyte_d16_hi",  [   __,    __,    __, 0x021, 0x021, 0x021, 0x021], V1,   &[ADDR],     LOAD_U8_HI).renamed(&[(Gen::Gfx11, "flat_load_d16_hi_u8")]).alias(&[(G11.union(G12), "flat_load_ubyte_d16_hi")]),
    flat("flat_load_sbyte_d16",     [   __,    __,    __, 0x022, 0x022, 0x01f, 0x01f], V1,   &[ADDR],     LOAD_I8_LO).renamed(&[(Gen::Gfx11, "flat_load_d16_i8")]).alias(&[(G11.union(G12), "flat_load_sbyte_d16")]),
    flat("flat_load_sbyte_d16_hi",  [   __,    __,    __, 0x023, 0x023, 0x022, 0x022], V1,   &[ADDR],     LOAD_I8_HI).renamed(&[(Gen::Gfx11, "flat_load_d16_hi_i8")]).alias(&[(G11.union(G12), "flat_load_sbyte_d16_hi")]),
    flat("flat_load_short_d16",     [   __,    __,    __, 0x024, 0x024, 0x020, 0x020], V1,   &[ADDR],     LOAD_U16_LO).renamed(&[(Gen::Gfx11, "flat_load_d16_b16")]).alias(&[(G11.union(G12), "flat_load_short_d16")]),
    flat("flat_load_short_d16_hi",  [   __,    __,    __, 0x025, 0x025, 0x023, 0x023], V1,   &[ADDR],     LOAD_U16_HI).renamed(&[(Gen::Gfx11, "flat_load_d16_hi_b16")]).alias(&[(G11.union(G12), "flat_load_short_d16_hi")]),
];
const _: () = check(FLAT);

/// Flat atomics.
#[rustfmt::skip]
pub static FLAT_ATOMIC: &[Inst] = &[
    //                                  gfx6   gfx7   gfx8   gfx9  gfx10  gfx11  gfx12   dst    operands
    flat("flat_atomic_swap",          [   __, 0x030, 0x040, 0x040, 0x030, 0x033, 0x033], V1,   &[ADDR, D1], SWAP).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "flat_atomic_swap_b32")]).alias(&[(G11.union(G12), "flat_atomic_swap")]),
    flat("flat_atomic_cmpswap",       [   __, 0x031, 0x041, 0x041, 0x031, 0x034, 0x034], V1,   &[ADDR, D2], CMPSWAP).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "flat_atomic_cmpswap_b32")]).alias(&[(G11.union(G12), "flat_atomic_cmpswap")]),
    flat("flat_atomic_add",           [   __, 0x032, 0x042, 0x042, 0x032, 0x035, 0x035], V1,   &[ADDR, D1], ADD).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "flat_atomic_add_u32")]).alias(&[(G11.union(G12), "flat_atomic_add")]),
    flat("flat_atomic_sub",           [   __, 0x033, 0x043, 0x043, 0x033, 0x036, 0x036], V1,   &[ADDR, D1], SUB).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "flat_atomic_sub_u32")]).alias(&[(G11.union(G12), "flat_atomic_sub")]),
    flat("flat_atomic_smin",          [   __, 0x035, 0x044, 0x044, 0x035, 0x038, 0x038], V1,   &[ADDR, D1], SMIN).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "flat_atomic_min_i32")]).alias(&[(G11.union(G12), "flat_atomic_smin")]),
    flat("flat_atomic_umin",          [   __, 0x036, 0x045, 0x045, 0x036, 0x039, 0x039], V1,   &[ADDR, D1], UMIN).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "flat_atomic_min_u32")]).alias(&[(G11.union(G12), "flat_atomic_umin")]),
    flat("flat_atomic_smax",          [   __, 0x037, 0x046, 0x046, 0x037, 0x03a, 0x03a], V1,   &[ADDR, D1], SMAX).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "flat_atomic_max_i32")]).alias(&[(G11.union(G12), "flat_atomic_smax")]),
    flat("flat_atomic_umax",          [   __, 0x038, 0x047, 0x047, 0x038, 0x03b, 0x03b], V1,   &[ADDR, D1], UMAX).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "flat_atomic_max_u32")]).alias(&[(G11.union(G12), "flat_atomic_umax")]),
    flat("flat_atomic_and",           [   __, 0x039, 0x048, 0x048, 0x039, 0x03c, 0x03c], V1,   &[ADDR, D1], AND).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "flat_atomic_and_b32")]).alias(&[(G11.union(G12), "flat_atomic_and")]),
    flat("flat_atomic_or",            [   __, 0x03a, 0x049, 0x049, 0x03a, 0x03d, 0x03d], V1,   &[ADDR, D1], OR).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "flat_atomic_or_b32")]).alias(&[(G11.union(G12), "flat_atomic_or")]),
    flat("flat_atomic_xor",           [   __, 0x03b, 0x04a, 0x04a, 0x03b, 0x03e, 0x03e], V1,   &[ADDR, D1], XOR).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "flat_atomic_xor_b32")]).alias(&[(G11.union(G12), "flat_atomic_xor")]),
    flat("flat_atomic_inc",           [   __, 0x03c, 0x04b, 0x04b, 0x03c, 0x03f, 0x03f], V1,   &[ADDR, D1], INC).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "flat_atomic_inc_u32")]).alias(&[(G11.union(G12), "flat_atomic_inc")]),
    flat("flat_atomic_dec",           [   __, 0x03d, 0x04c, 0x04c, 0x03d, 0x040, 0x040], V1,   &[ADDR, D1], DEC).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "flat_atomic_dec_u32")]).alias(&[(G11.union(G12), "flat_atomic_dec")]),
    flat("flat_atomic_fcmpswap",      [   __, 0x03e,    __,    __, 0x03e, 0x050,    __], V1,   &[ADDR, D2], FCMPSWAP).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "flat_atomic_cmpswap_f32")]).alias(&[(G11, "flat_atomic_fcmpswap")]),
    flat("flat_atomic_fmin",          [   __, 0x03f,    __,    __, 0x03f, 0x051, 0x051], V1,   &[ADDR, D1], FMIN).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "flat_atomic_min_f32"), (Gen::Gfx12, "flat_atomic_min_num_f32")]).alias(&[(G11.union(G12), "flat_atomic_fmin"), (G12, "flat_atomic_min_f32")]),
    flat("flat_atomic_fmax",          [   __, 0x040,    __,    __, 0x040, 0x052, 0x052], V1,   &[ADDR, D1], FMAX).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "flat_atomic_max_f32"), (Gen::Gfx12, "flat_atomic_max_num_f32")]).alias(&[(G11.union(G12), "flat_atomic_fmax"), (G12, "flat_atomic_max_f32")]),
    flat("flat_atomic_swap_x2",       [   __, 0x050, 0x060, 0x060, 0x050, 0x041, 0x041], V2,   &[ADDR, D2], SWAP_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "flat_atomic_swap_b64")]).alias(&[(G11.union(G12), "flat_atomic_swap_x2")]),
    flat("flat_atomic_cmpswap_x2",    [   __, 0x051, 0x061, 0x061, 0x051, 0x042, 0x042], V2,   &[ADDR, D4], CMPSWAP_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "flat_atomic_cmpswap_b64")]).alias(&[(G11.union(G12), "flat_atomic_cmpswap_x2")]),
    flat("flat_atomic_add_x2",        [   __, 0x052, 0x062, 0x062, 0x052, 0x043, 0x043], V2,   &[ADDR, D2], ADD_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "flat_atomic_add_u64")]).alias(&[(G11.union(G12), "flat_atomic_add_x2")]),
    flat("flat_atomic_sub_x2",        [   __, 0x053, 0x063, 0x063, 0x053, 0x044, 0x044], V2,   &[ADDR, D2], SUB_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "flat_atomic_sub_u64")]).alias(&[(G11.union(G12), "flat_atomic_sub_x2")]),
    flat("flat_atomic_smin_x2",       [   __, 0x055, 0x064, 0x064, 0x055, 0x045, 0x045], V2,   &[ADDR, D2], SMIN_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "flat_atomic_min_i64")]).alias(&[(G11.union(G12), "flat_atomic_smin_x2")]),
    flat("flat_atomic_umin_x2",       [   __, 0x056, 0x065, 0x065, 0x056, 0x046, 0x046], V2,   &[ADDR, D2], UMIN_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "flat_atomic_min_u64")]).alias(&[(G11.union(G12), "flat_atomic_umin_x2")]),
    flat("flat_atomic_smax_x2",       [   __, 0x057, 0x066, 0x066, 0x057, 0x047, 0x047], V2,   &[ADDR, D2], SMAX_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "flat_atomic_max_i64")]).alias(&[(G11.union(G12), "flat_atomic_smax_x2")]),
    flat("flat_atomic_umax_x2",       [   __, 0x058, 0x067, 0x067, 0x058, 0x048, 0x048], V2,   &[ADDR, D2], UMAX_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "flat_atomic_max_u64")]).alias(&[(G11.union(G12), "flat_atomic_umax_x2")]),
    flat("flat_atomic_and_x2",        [   __, 0x059, 0x068, 0x068, 0x059, 0x049, 0x049], V2,   &[ADDR, D2], AND_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "flat_atomic_and_b64")]).alias(&[(G11.union(G12), "flat_atomic_and_x2")]),
    flat("flat_atomic_or_x2",         [   __, 0x05a, 0x069, 0x069, 0x05a, 0x04a, 0x04a], V2,   &[ADDR, D2], OR_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "flat_atomic_or_b64")]).alias(&[(G11.union(G12), "flat_atomic_or_x2")]),
    flat("flat_atomic_xor_x2",        [   __, 0x05b, 0x06a, 0x06a, 0x05b, 0x04b, 0x04b], V2,   &[ADDR, D2], XOR_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "flat_atomic_xor_b64")]).alias(&[(G11.union(G12), "flat_atomic_xor_x2")]),
    flat("flat_atomic_inc_x2",        [   __, 0x05c, 0x06b, 0x06b, 0x05c, 0x04c, 0x04c], V2,   &[ADDR, D2], INC_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "flat_atomic_inc_u64")]).alias(&[(G11.union(G12), "flat_atomic_inc_x2")]),
    flat("flat_atomic_dec_x2",        [   __, 0x05d, 0x06c, 0x06c, 0x05d, 0x04d, 0x04d], V2,   &[ADDR, D2], DEC_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "flat_atomic_dec_u64")]).alias(&[(G11.union(G12), "flat_atomic_dec_x2")]),
    flat("flat_atomic_fcmpswap_x2",   [   __, 0x05e,    __,    __, 0x05e,    __,    __], V2,   &[ADDR, D4], FCMPSWAP_X2).has(&[ATOMIC]),
    flat("flat_atomic_fmin_x2",       [   __, 0x05f,    __, 0x050, 0x05f,    __,    __], V2,   &[ADDR, D2], FMIN_X2).on(&[G7, CDNA2, G10]).has(&[ATOMIC]).renamed(&[(Gen::Gfx9, "flat_atomic_min_f64"), (Gen::Gfx10, "flat_atomic_fmin_x2")]),
    flat("flat_atomic_fmax_x2",       [   __, 0x060,    __, 0x051, 0x060,    __,    __], V2,   &[ADDR, D2], FMAX_X2).on(&[G7, CDNA2, G10]).has(&[ATOMIC]).renamed(&[(Gen::Gfx9, "flat_atomic_max_f64"), (Gen::Gfx10, "flat_atomic_fmax_x2")]),
    flat("flat_atomic_add_f32",       [   __,    __,    __, 0x04d,    __, 0x056, 0x056], V1,   &[ADDR, D1], FADD).on(&[G940, G11, G12]).has(&[ATOMIC]),
    flat("flat_atomic_pk_add_f16",    [   __,    __,    __, 0x04e,    __,    __, 0x059], V1,   &[ADDR, D1], PK_F16).on(&[G940, G12]).has(&[ATOMIC]),
    flat("flat_atomic_add_f64",       [   __,    __,    __, 0x04f,    __,    __,    __], V2,   &[ADDR, D2], FADD_X2).on(&[CDNA2]).has(&[ATOMIC]),
    flat("flat_atomic_pk_add_bf16",   [   __,    __,    __, 0x052,    __,    __, 0x05a], V1,   &[ADDR, D1], PK_BF16).on(&[G940, G12]).has(&[ATOMIC]),
    flat("flat_atomic_sub_clamp_u32", [   __,    __,    __,    __,    __,    __, 0x037], V1,   &[ADDR, D1], SUB_CLAMP).has(&[ATOMIC]).alias(&[(G12, "flat_atomic_csub_u32")]),
    flat("flat_atomic_cond_sub_u32",  [   __,    __,    __,    __,    __,    __, 0x050], V1,   &[ADDR, D1], COND_SUB).has(&[ATOMIC]),
];
const _: () = check(FLAT_ATOMIC);

/// Global loads and stores, cache control.
#[rustfmt::skip]
pub static GLOBAL: &[Inst] = &[
    //                                     gfx6   gfx7   gfx8   gfx9  gfx10  gfx11  gfx12   dst    operands
    global("global_load_ubyte",          [   __,    __,    __, 0x010, 0x008, 0x010, 0x010], V1,   &[ADDR, SADDR],      LOAD_U8).has(&[MAY_LDS]).renamed(&[(Gen::Gfx11, "global_load_u8")]).alias(&[(G11.union(G12), "global_load_ubyte")]),
    global("global_load_sbyte",          [   __,    __,    __, 0x011, 0x009, 0x011, 0x011], V1,   &[ADDR, SADDR],      LOAD_I8).has(&[MAY_LDS]).renamed(&[(Gen::Gfx11, "global_load_i8")]).alias(&[(G11.union(G12), "global_load_sbyte")]),
    global("global_load_ushort",         [   __,    __,    __, 0x012, 0x00a, 0x012, 0x012], V1,   &[ADDR, SADDR],      LOAD_U16).has(&[MAY_LDS]).renamed(&[(Gen::Gfx11, "global_load_u16")]).alias(&[(G11.union(G12), "global_load_ushort")]),
    global("global_load_sshort",         [   __,    __,    __, 0x013, 0x00b, 0x013, 0x013], V1,   &[ADDR, SADDR],      LOAD_I16).has(&[MAY_LDS]).renamed(&[(Gen::Gfx11, "global_load_i16")]).alias(&[(G11.union(G12), "global_load_sshort")]),
    global("global_load_dword",          [   __,    __,    __, 0x014, 0x00c, 0x014, 0x014], V1,   &[ADDR, SADDR],      LOAD_WORDS).has(&[MAY_LDS]).renamed(&[(Gen::Gfx11, "global_load_b32")]).alias(&[(G11.union(G12), "global_load_dword")]),
    global("global_load_dwordx2",        [   __,    __,    __, 0x015, 0x00d, 0x015, 0x015], V2,   &[ADDR, SADDR],      LOAD_WORDS).renamed(&[(Gen::Gfx11, "global_load_b64")]).alias(&[(G11.union(G12), "global_load_dwordx2")]),
    global("global_load_dwordx3",        [   __,    __,    __, 0x016, 0x00f, 0x016, 0x016], V3,   &[ADDR, SADDR],      LOAD_WORDS).renamed(&[(Gen::Gfx11, "global_load_b96")]).alias(&[(G11.union(G12), "global_load_dwordx3")]),
    global("global_load_dwordx4",        [   __,    __,    __, 0x017, 0x00e, 0x017, 0x017], V4,   &[ADDR, SADDR],      LOAD_WORDS).renamed(&[(Gen::Gfx11, "global_load_b128")]).alias(&[(G11.union(G12), "global_load_dwordx4")]),
    global("global_store_byte",          [   __,    __,    __, 0x018, 0x018, 0x018, 0x018], NO,   &[ADDR, D1, SADDR],  STORE_8).renamed(&[(Gen::Gfx11, "global_store_b8")]).alias(&[(G11.union(G12), "global_store_byte")]),
    global("global_store_byte_d16_hi",   [   __,    __,    __, 0x019, 0x019, 0x024, 0x024], NO,   &[ADDR, D1, SADDR],  STORE_8_HI).renamed(&[(Gen::Gfx11, "global_store_d16_hi_b8")]).alias(&[(G11.union(G12), "global_store_byte_d16_hi")]),
    global("global_store_short",         [   __,    __,    __, 0x01a, 0x01a, 0x019, 0x019], NO,   &[ADDR, D1, SADDR],  STORE_16).renamed(&[(Gen::Gfx11, "global_store_b16")]).alias(&[(G11.union(G12), "global_store_short")]),
    global("global_store_short_d16_hi",  [   __,    __,    __, 0x01b, 0x01b, 0x025, 0x025], NO,   &[ADDR, D1, SADDR],  STORE_16_HI).renamed(&[(Gen::Gfx11, "global_store_d16_hi_b16")]).alias(&[(G11.union(G12), "global_store_short_d16_hi")]),
    global("global_store_dword",         [   __,    __,    __, 0x01c, 0x01c, 0x01a, 0x01a], NO,   &[ADDR, D1, SADDR],  STORE_WORDS).renamed(&[(Gen::Gfx11, "global_store_b32")]).alias(&[(G11.union(G12), "global_store_dword")]),
    global("global_store_dwordx2",       [   __,    __,    __, 0x01d, 0x01d, 0x01b, 0x01b], NO,   &[ADDR, D2, SADDR],  STORE_WORDS).renamed(&[(Gen::Gfx11, "global_store_b64")]).alias(&[(G11.union(G12), "global_store_dwordx2")]),
    global("global_store_dwordx3",       [   __,    __,    __, 0x01e, 0x01f, 0x01c, 0x01c], NO,   &[ADDR, D3, SADDR],  STORE_WORDS).renamed(&[(Gen::Gfx11, "global_store_b96")]).alias(&[(G11.union(G12), "global_store_dwordx3")]),
    global("global_store_dwordx4",       [   __,    __,    __, 0x01f, 0x01e, 0x01d, 0x01d], NO,   &[ADDR, D4, SADDR],  STORE_WORDS).renamed(&[(Gen::Gfx11, "global_store_b128")]).alias(&[(G11.union(G12), "global_store_dwordx4")]),
    global("global_load_ubyte_d16",      [   __,    __,    __, 0x020, 0x020, 0x01e, 0x01e], V1,   &[ADDR, SADDR],      LOAD_U8_LO).renamed(&[(Gen::Gfx11, "global_load_d16_u8")]).alias(&[(G11.union(G12), "global_load_ubyte_d16")]),
    global("global_load_ubyte_d16_hi",   [   __,    __,    __, 0x021, 0x021, 0x021, 0x021], V1,   &[ADDR, SADDR],      LOAD_U8_HI).renamed(&[(Gen::Gfx11, "global_load_d16_hi_u8")]).alias(&[(G11.union(G12), "global_load_ubyte_d16_hi")]),
    global("global_load_sbyte_d16",      [   __,    __,    __, 0x022, 0x022, 0x01f, 0x01f], V1,   &[ADDR, SADDR],      LOAD_I8_LO).renamed(&[(Gen::Gfx11, "global_load_d16_i8")]).alias(&[(G11.union(G12), "global_load_sbyte_d16")]),
    global("global_load_sbyte_d16_hi",   [   __,    __,    __, 0x023, 0x023, 0x022, 0x022], V1,   &[ADDR, SADDR],      LOAD_I8_HI).renamed(&[(Gen::Gfx11, "global_load_d16_hi_i8")]).alias(&[(G11.union(G12), "global_load_sbyte_d16_hi")]),
    global("global_load_short_d16",      [   __,    __,    __, 0x024, 0x024, 0x020, 0x020], V1,   &[ADDR, SADDR],      LOAD_U16_LO).renamed(&[(Gen::Gfx11, "global_load_d16_b16")]).alias(&[(G11.union(G12), "global_load_short_d16")]),
    global("global_load_short_d16_hi",   [   __,    __,    __, 0x025, 0x025, 0x023, 0x023], V1,   &[ADDR, SADDR],      LOAD_U16_HI).renamed(&[(Gen::Gfx11, "global_load_d16_hi_b16")]).alias(&[(G11.union(G12), "global_load_short_d16_hi")]),
    global("global_load_lds_ubyte",      [   __,    __,    __, 0x026,    __,    __,    __], NO,   &[ADDR, SADDR],      LOAD_U8).on(&[G940]).has(&[LDS]),
    global("global_load_lds_sbyte",      [   __,    __,    __, 0x027,    __,    __,    __], NO,   &[ADDR, SADDR],      LOAD_I8).on(&[G940]).has(&[LDS]),
    global("global_load_lds_ushort",     [   __,    __,    __, 0x028,    __,    __,    __], NO,   &[ADDR, SADDR],      LOAD_U16).on(&[G940]).has(&[LDS]),
    global("global_load_lds_sshort",     [   __,    __,    __, 0x029,    __,    __,    __], NO,   &[ADDR, SADDR],      LOAD_I16).on(&[G940]).has(&[LDS]),
    global("global_load_lds_dword",      [   __,    __,    __, 0x02a,    __,    __,    __], NO,   &[ADDR, SADDR],      LOAD_WORDS).on(&[G940]).has(&[LDS]),
    global("global_load_dword_addtid",   [   __,    __,    __,    __, 0x016, 0x028, 0x028], V1,   &[SADDR],            LOAD_TID).on(&[G1030, G11, G12]).renamed(&[(Gen::Gfx11, "global_load_addtid_b32")]).alias(&[(G11.union(G12), "global_load_dword_addtid")]),
    global("global_store_dword_addtid",  [   __,    __,    __,    __, 0x017, 0x029, 0x029], NO,   &[D1, SADDR],        STORE_TID).on(&[G1030, G11, G12]).renamed(&[(Gen::Gfx11, "global_store_addtid_b32")]).alias(&[(G11.union(G12), "global_store_dword_addtid")]),
    global("global_inv",                 [   __,    __,    __,    __,    __,    __, 0x02b], NO,   &[],                 CACHE),
    global("global_wb",                  [   __,    __,    __,    __,    __,    __, 0x02c], NO,   &[],                 CACHE),
    global("global_wbinv",               [   __,    __,    __,    __,    __,    __, 0x04f], NO,   &[],                 CACHE),
    global("global_load_block",          [   __,    __,    __,    __,    __,    __, 0x053], V32,  &[ADDR, SADDR],      LOAD_BLOCK),
    global("global_store_block",         [   __,    __,    __,    __,    __,    __, 0x054], NO,   &[ADDR, D32, SADDR], STORE_BLOCK),
    global("global_load_tr_b128",        [   __,    __,    __,    __,    __,    __, 0x057], V4,   &[ADDR, SADDR],      LOAD_TRANSPOSED).has(&[PER_WAVE]),
    global("global_load_tr_b64",         [   __,    __,    __,    __,    __,    __, 0x058], V2,   &[ADDR, SADDR],      LOAD_TRANSPOSED).has(&[PER_WAVE]),
    // In the RDNA3 manual; llvm-mc does not have them.
    global("global_load_lds_addtid_b32", [   __,    __,    __,    __,    __, 0x02a,    __], NO,   &[SADDR],            LOAD_TID).has(&[LDS, MANUAL]),
    global("global_load_lds_u8",         [   __,    __,    __,    __,    __, 0x02d,    __], NO,   &[ADDR, SADDR],      LOAD_U8).has(&[LDS, MANUAL]),
    global("global_load_lds_i8",         [   __,    __,    __,    __,    __, 0x02e,    __], NO,   &[ADDR, SADDR],      LOAD_I8).has(&[LDS, MANUAL]),
    global("global_load_lds_u16",        [   __,    __,    __,    __,    __, 0x02f,    __], NO,   &[ADDR, SADDR],      LOAD_U16).has(&[LDS, MANUAL]),
    global("global_load_lds_i16",        [   __,    __,    __,    __,    __, 0x030,    __], NO,   &[ADDR, SADDR],      LOAD_I16).has(&[LDS, MANUAL]),
    global("global_load_lds_b32",        [   __,    __,    __,    __,    __, 0x031,    __], NO,   &[ADDR, SADDR],      LOAD_WORDS).has(&[LDS, MANUAL]),
];
const _: () = check(GLOBAL);

/// Global atomics.
#[rustfmt::skip]
pub static GLOBAL_ATOMIC: &[Inst] = &[
    //                                        gfx6   gfx7   gfx8   gfx9  gfx10  gfx11  gfx12   dst    operands
    global("global_atomic_swap",            [   __,    __,    __, 0x040, 0x030, 0x033, 0x033], V1,   &[ADDR, D1, SADDR], SWAP).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "global_atomic_swap_b32")]).alias(&[(G11.union(G12), "global_atomic_swap")]),
    global("global_atomic_cmpswap",         [   __,    __,    __, 0x041, 0x031, 0x034, 0x034], V1,   &[ADDR, D2, SADDR], CMPSWAP).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "global_atomic_cmpswap_b32")]).alias(&[(G11.union(G12), "global_atomic_cmpswap")]),
    global("global_atomic_add",             [   __,    __,    __, 0x042, 0x032, 0x035, 0x035], V1,   &[ADDR, D1, SADDR], ADD).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "global_atomic_add_u32")]).alias(&[(G11.union(G12), "global_atomic_add")]),
    global("global_atomic_sub",             [   __,    __,    __, 0x043, 0x033, 0x036, 0x036], V1,   &[ADDR, D1, SADDR], SUB).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "global_atomic_sub_u32")]).alias(&[(G11.union(G12), "global_atomic_sub")]),
    global("global_atomic_smin",            [   __,    __,    __, 0x044, 0x035, 0x038, 0x038], V1,   &[ADDR, D1, SADDR], SMIN).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "global_atomic_min_i32")]).alias(&[(G11.union(G12), "global_atomic_smin")]),
    global("global_atomic_umin",            [   __,    __,    __, 0x045, 0x036, 0x039, 0x039], V1,   &[ADDR, D1, SADDR], UMIN).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "global_atomic_min_u32")]).alias(&[(G11.union(G12), "global_atomic_umin")]),
    global("global_atomic_smax",            [   __,    __,    __, 0x046, 0x037, 0x03a, 0x03a], V1,   &[ADDR, D1, SADDR], SMAX).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "global_atomic_max_i32")]).alias(&[(G11.union(G12), "global_atomic_smax")]),
    global("global_atomic_umax",            [   __,    __,    __, 0x047, 0x038, 0x03b, 0x03b], V1,   &[ADDR, D1, SADDR], UMAX).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "global_atomic_max_u32")]).alias(&[(G11.union(G12), "global_atomic_umax")]),
    global("global_atomic_and",             [   __,    __,    __, 0x048, 0x039, 0x03c, 0x03c], V1,   &[ADDR, D1, SADDR], AND).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "global_atomic_and_b32")]).alias(&[(G11.union(G12), "global_atomic_and")]),
    global("global_atomic_or",              [   __,    __,    __, 0x049, 0x03a, 0x03d, 0x03d], V1,   &[ADDR, D1, SADDR], OR).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "global_atomic_or_b32")]).alias(&[(G11.union(G12), "global_atomic_or")]),
    global("global_atomic_xor",             [   __,    __,    __, 0x04a, 0x03b, 0x03e, 0x03e], V1,   &[ADDR, D1, SADDR], XOR).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "global_atomic_xor_b32")]).alias(&[(G11.union(G12), "global_atomic_xor")]),
    global("global_atomic_inc",             [   __,    __,    __, 0x04b, 0x03c, 0x03f, 0x03f], V1,   &[ADDR, D1, SADDR], INC).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "global_atomic_inc_u32")]).alias(&[(G11.union(G12), "global_atomic_inc")]),
    global("global_atomic_dec",             [   __,    __,    __, 0x04c, 0x03d, 0x040, 0x040], V1,   &[ADDR, D1, SADDR], DEC).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "global_atomic_dec_u32")]).alias(&[(G11.union(G12), "global_atomic_dec")]),
    global("global_atomic_add_f32",         [   __,    __,    __, 0x04d,    __,    __,    __], V1,   &[ADDR, D1, SADDR], never(FADD)).on(&[G908]).has(&[ATOMIC, NO_RET]),
    global("global_atomic_add_f32",         [   __,    __,    __, 0x04d,    __, 0x056, 0x056], V1,   &[ADDR, D1, SADDR], FADD).on(&[CDNA2, G11, G12]).has(&[ATOMIC]),
    global("global_atomic_pk_add_f16",      [   __,    __,    __, 0x04e,    __,    __,    __], V1,   &[ADDR, D1, SADDR], never(PK_F16)).on(&[G908]).has(&[ATOMIC, NO_RET]),
    global("global_atomic_pk_add_f16",      [   __,    __,    __, 0x04e,    __,    __, 0x059], V1,   &[ADDR, D1, SADDR], PK_F16).on(&[CDNA2, G12]).has(&[ATOMIC]),
    global("global_atomic_add_f64",         [   __,    __,    __, 0x04f,    __,    __,    __], V2,   &[ADDR, D2, SADDR], FADD_X2).on(&[CDNA2]).has(&[ATOMIC]),
    global("global_atomic_min_f64",         [   __,    __,    __, 0x050, 0x05f,    __,    __], V2,   &[ADDR, D2, SADDR], FMIN_X2).on(&[CDNA2, G10]).has(&[ATOMIC]).renamed(&[(Gen::Gfx10, "global_atomic_fmin_x2")]),
    global("global_atomic_max_f64",         [   __,    __,    __, 0x051, 0x060,    __,    __], V2,   &[ADDR, D2, SADDR], FMAX_X2).on(&[CDNA2, G10]).has(&[ATOMIC]).renamed(&[(Gen::Gfx10, "global_atomic_fmax_x2")]),
    global("global_atomic_pk_add_bf16",     [   __,    __,    __, 0x052,    __,    __, 0x05a], V1,   &[ADDR, D1, SADDR], PK_BF16).on(&[G940, G12]).has(&[ATOMIC]),
    global("global_atomic_swap_x2",         [   __,    __,    __, 0x060, 0x050, 0x041, 0x041], V2,   &[ADDR, D2, SADDR], SWAP_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "global_atomic_swap_b64")]).alias(&[(G11.union(G12), "global_atomic_swap_x2")]),
    global("global_atomic_cmpswap_x2",      [   __,    __,    __, 0x061, 0x051, 0x042, 0x042], V2,   &[ADDR, D4, SADDR], CMPSWAP_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "global_atomic_cmpswap_b64")]).alias(&[(G11.union(G12), "global_atomic_cmpswap_x2")]),
    global("global_atomic_add_x2",          [   __,    __,    __, 0x062, 0x052, 0x043, 0x043], V2,   &[ADDR, D2, SADDR], ADD_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "global_atomic_add_u64")]).alias(&[(G11.union(G12), "global_atomic_add_x2")]),
    global("global_atomic_sub_x2",          [   __,    __,    __, 0x063, 0x053, 0x044, 0x044], V2,   &[ADDR, D2, SADDR], SUB_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "global_atomic_sub_u64")]).alias(&[(G11.union(G12), "global_atomic_sub_x2")]),
    global("global_atomic_smin_x2",         [   __,    __,    __, 0x064, 0x055, 0x045, 0x045], V2,   &[ADDR, D2, SADDR], SMIN_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "global_atomic_min_i64")]).alias(&[(G11.union(G12), "global_atomic_smin_x2")]),
    global("global_atomic_umin_x2",         [   __,    __,    __, 0x065, 0x056, 0x046, 0x046], V2,   &[ADDR, D2, SADDR], UMIN_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "global_atomic_min_u64")]).alias(&[(G11.union(G12), "global_atomic_umin_x2")]),
    global("global_atomic_smax_x2",         [   __,    __,    __, 0x066, 0x057, 0x047, 0x047], V2,   &[ADDR, D2, SADDR], SMAX_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "global_atomic_max_i64")]).alias(&[(G11.union(G12), "global_atomic_smax_x2")]),
    global("global_atomic_umax_x2",         [   __,    __,    __, 0x067, 0x058, 0x048, 0x048], V2,   &[ADDR, D2, SADDR], UMAX_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "global_atomic_max_u64")]).alias(&[(G11.union(G12), "global_atomic_umax_x2")]),
    global("global_atomic_and_x2",          [   __,    __,    __, 0x068, 0x059, 0x049, 0x049], V2,   &[ADDR, D2, SADDR], AND_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "global_atomic_and_b64")]).alias(&[(G11.union(G12), "global_atomic_and_x2")]),
    global("global_atomic_or_x2",           [   __,    __,    __, 0x069, 0x05a, 0x04a, 0x04a], V2,   &[ADDR, D2, SADDR], OR_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "global_atomic_or_b64")]).alias(&[(G11.union(G12), "global_atomic_or_x2")]),
    global("global_atomic_xor_x2",          [   __,    __,    __, 0x06a, 0x05b, 0x04b, 0x04b], V2,   &[ADDR, D2, SADDR], XOR_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "global_atomic_xor_b64")]).alias(&[(G11.union(G12), "global_atomic_xor_x2")]),
    global("global_atomic_inc_x2",          [   __,    __,    __, 0x06b, 0x05c, 0x04c, 0x04c], V2,   &[ADDR, D2, SADDR], INC_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "global_atomic_inc_u64")]).alias(&[(G11.union(G12), "global_atomic_inc_x2")]),
    global("global_atomic_dec_x2",          [   __,    __,    __, 0x06c, 0x05d, 0x04d, 0x04d], V2,   &[ADDR, D2, SADDR], DEC_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "global_atomic_dec_u64")]).alias(&[(G11.union(G12), "global_atomic_dec_x2")]),
    global("global_atomic_csub",            [   __,    __,    __,    __, 0x034, 0x037, 0x037], V1,   &[ADDR, D1, SADDR], returning(SUB_CLAMP)).on(&[G1030, G11, G12]).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "global_atomic_csub_u32"), (Gen::Gfx12, "global_atomic_sub_clamp_u32")]).alias(&[(G11.union(G12), "global_atomic_csub"), (G12, "global_atomic_csub_u32")]),
    global("global_atomic_fcmpswap",        [   __,    __,    __,    __, 0x03e, 0x050,    __], V1,   &[ADDR, D2, SADDR], FCMPSWAP).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "global_atomic_cmpswap_f32")]).alias(&[(G11, "global_atomic_fcmpswap")]),
    global("global_atomic_fmin",            [   __,    __,    __,    __, 0x03f, 0x051, 0x051], V1,   &[ADDR, D1, SADDR], FMIN).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "global_atomic_min_f32"), (Gen::Gfx12, "global_atomic_min_num_f32")]).alias(&[(G11.union(G12), "global_atomic_fmin"), (G12, "global_atomic_min_f32")]),
    global("global_atomic_fmax",            [   __,    __,    __,    __, 0x040, 0x052, 0x052], V1,   &[ADDR, D1, SADDR], FMAX).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "global_atomic_max_f32"), (Gen::Gfx12, "global_atomic_max_num_f32")]).alias(&[(G11.union(G12), "global_atomic_fmax"), (G12, "global_atomic_max_f32")]),
    global("global_atomic_fcmpswap_x2",     [   __,    __,    __,    __, 0x05e,    __,    __], V2,   &[ADDR, D4, SADDR], FCMPSWAP_X2).has(&[ATOMIC]),
    global("global_atomic_cond_sub_u32",    [   __,    __,    __,    __,    __,    __, 0x050], V1,   &[ADDR, D1, SADDR], COND_SUB).has(&[ATOMIC]),
    global("global_atomic_ordered_add_b64", [   __,    __,    __,    __,    __,    __, 0x073], V2,   &[ADDR, D2, SADDR], returning(ORDERED_X2)).has(&[ATOMIC]),
];
const _: () = check(GLOBAL_ATOMIC);

/// Scratch loads and stores.
#[rustfmt::skip]
pub static SCRATCH: &[Inst] = &[
    //                                      gfx6   gfx7   gfx8   gfx9  gfx10  gfx11  gfx12   dst    operands
    scratch("scratch_load_ubyte",         [   __,    __,    __, 0x010, 0x008, 0x010, 0x010], V1,   &[ADDR, SADDR],      LOAD_U8).has(&[MAY_LDS]).renamed(&[(Gen::Gfx11, "scratch_load_u8")]).alias(&[(G11.union(G12), "scratch_load_ubyte")]),
    scratch("scratch_load_sbyte",         [   __,    __,    __, 0x011, 0x009, 0x011, 0x011], V1,   &[ADDR, SADDR],      LOAD_I8).has(&[MAY_LDS]).renamed(&[(Gen::Gfx11, "scratch_load_i8")]).alias(&[(G11.union(G12), "scratch_load_sbyte")]),
    scratch("scratch_load_ushort",        [   __,    __,    __, 0x012, 0x00a, 0x012, 0x012], V1,   &[ADDR, SADDR],      LOAD_U16).has(&[MAY_LDS]).renamed(&[(Gen::Gfx11, "scratch_load_u16")]).alias(&[(G11.union(G12), "scratch_load_ushort")]),
    scratch("scratch_load_sshort",        [   __,    __,    __, 0x013, 0x00b, 0x013, 0x013], V1,   &[ADDR, SADDR],      LOAD_I16).has(&[MAY_LDS]).renamed(&[(Gen::Gfx11, "scratch_load_i16")]).alias(&[(G11.union(G12), "scratch_load_sshort")]),
    scratch("scratch_load_dword",         [   __,    __,    __, 0x014, 0x00c, 0x014, 0x014], V1,   &[ADDR, SADDR],      LOAD_WORDS).has(&[MAY_LDS]).renamed(&[(Gen::Gfx11, "scratch_load_b32")]).alias(&[(G11.union(G12), "scratch_load_dword")]),
    scratch("scratch_load_dwordx2",       [   __,    __,    __, 0x015, 0x00d, 0x015, 0x015], V2,   &[ADDR, SADDR],      LOAD_WORDS).renamed(&[(Gen::Gfx11, "scratch_load_b64")]).alias(&[(G11.union(G12), "scratch_load_dwordx2")]),
    scratch("scratch_load_dwordx3",       [   __,    __,    __, 0x016, 0x00f, 0x016, 0x016], V3,   &[ADDR, SADDR],      LOAD_WORDS).renamed(&[(Gen::Gfx11, "scratch_load_b96")]).alias(&[(G11.union(G12), "scratch_load_dwordx3")]),
    scratch("scratch_load_dwordx4",       [   __,    __,    __, 0x017, 0x00e, 0x017, 0x017], V4,   &[ADDR, SADDR],      LOAD_WORDS).renamed(&[(Gen::Gfx11, "scratch_load_b128")]).alias(&[(G11.union(G12), "scratch_load_dwordx4")]),
    scratch("scratch_store_byte",         [   __,    __,    __, 0x018, 0x018, 0x018, 0x018], NO,   &[ADDR, D1, SADDR],  STORE_8).renamed(&[(Gen::Gfx11, "scratch_store_b8")]).alias(&[(G11.union(G12), "scratch_store_byte")]),
    scratch("scratch_store_byte_d16_hi",  [   __,    __,    __, 0x019, 0x019, 0x024, 0x024], NO,   &[ADDR, D1, SADDR],  STORE_8_HI).renamed(&[(Gen::Gfx11, "scratch_store_d16_hi_b8")]).alias(&[(G11.union(G12), "scratch_store_byte_d16_hi")]),
    scratch("scratch_store_short",        [   __,    __,    __, 0x01a, 0x01a, 0x019, 0x019], NO,   &[ADDR, D1, SADDR],  STORE_16).renamed(&[(Gen::Gfx11, "scratch_store_b16")]).alias(&[(G11.union(G12), "scratch_store_short")]),
    scratch("scratch_store_short_d16_hi", [   __,    __,    __, 0x01b, 0x01b, 0x025, 0x025], NO,   &[ADDR, D1, SADDR],  STORE_16_HI).renamed(&[(Gen::Gfx11, "scratch_store_d16_hi_b16")]).alias(&[(G11.union(G12), "scratch_store_short_d16_hi")]),
    scratch("scratch_store_dword",        [   __,    __,    __, 0x01c, 0x01c, 0x01a, 0x01a], NO,   &[ADDR, D1, SADDR],  STORE_WORDS).renamed(&[(Gen::Gfx11, "scratch_store_b32")]).alias(&[(G11.union(G12), "scratch_store_dword")]),
    scratch("scratch_store_dwordx2",      [   __,    __,    __, 0x01d, 0x01d, 0x01b, 0x01b], NO,   &[ADDR, D2, SADDR],  STORE_WORDS).renamed(&[(Gen::Gfx11, "scratch_store_b64")]).alias(&[(G11.union(G12), "scratch_store_dwordx2")]),
    scratch("scratch_store_dwordx3",      [   __,    __,    __, 0x01e, 0x01f, 0x01c, 0x01c], NO,   &[ADDR, D3, SADDR],  STORE_WORDS).renamed(&[(Gen::Gfx11, "scratch_store_b96")]).alias(&[(G11.union(G12), "scratch_store_dwordx3")]),
    scratch("scratch_store_dwordx4",      [   __,    __,    __, 0x01f, 0x01e, 0x01d, 0x01d], NO,   &[ADDR, D4, SADDR],  STORE_WORDS).renamed(&[(Gen::Gfx11, "scratch_store_b128")]).alias(&[(G11.union(G12), "scratch_store_dwordx4")]),
    scratch("scratch_load_ubyte_d16",     [   __,    __,    __, 0x020, 0x020, 0x01e, 0x01e], V1,   &[ADDR, SADDR],      LOAD_U8_LO).renamed(&[(Gen::Gfx11, "scratch_load_d16_u8")]).alias(&[(G11.union(G12), "scratch_load_ubyte_d16")]),
    scratch("scratch_load_ubyte_d16_hi",  [   __,    __,    __, 0x021, 0x021, 0x021, 0x021], V1,   &[ADDR, SADDR],      LOAD_U8_HI).renamed(&[(Gen::Gfx11, "scratch_load_d16_hi_u8")]).alias(&[(G11.union(G12), "scratch_load_ubyte_d16_hi")]),
    scratch("scratch_load_sbyte_d16",     [   __,    __,    __, 0x022, 0x022, 0x01f, 0x01f], V1,   &[ADDR, SADDR],      LOAD_I8_LO).renamed(&[(Gen::Gfx11, "scratch_load_d16_i8")]).alias(&[(G11.union(G12), "scratch_load_sbyte_d16")]),
    scratch("scratch_load_sbyte_d16_hi",  [   __,    __,    __, 0x023, 0x023, 0x022, 0x022], V1,   &[ADDR, SADDR],      LOAD_I8_HI).renamed(&[(Gen::Gfx11, "scratch_load_d16_hi_i8")]).alias(&[(G11.union(G12), "scratch_load_sbyte_d16_hi")]),
    scratch("scratch_load_short_d16",     [   __,    __,    __, 0x024, 0x024, 0x020, 0x020], V1,   &[ADDR, SADDR],      LOAD_U16_LO).renamed(&[(Gen::Gfx11, "scratch_load_d16_b16")]).alias(&[(G11.union(G12), "scratch_load_short_d16")]),
    scratch("scratch_load_short_d16_hi",  [   __,    __,    __, 0x025, 0x025, 0x023, 0x023], V1,   &[ADDR, SADDR],      LOAD_U16_HI).renamed(&[(Gen::Gfx11, "scratch_load_d16_hi_b16")]).alias(&[(G11.union(G12), "scratch_load_short_d16_hi")]),
    scratch("scratch_load_lds_ubyte",     [   __,    __,    __, 0x026,    __,    __,    __], NO,   &[ADDR, SADDR],      LOAD_U8).on(&[G940]).has(&[LDS]),
    scratch("scratch_load_lds_sbyte",     [   __,    __,    __, 0x027,    __,    __,    __], NO,   &[ADDR, SADDR],      LOAD_I8).on(&[G940]).has(&[LDS]),
    scratch("scratch_load_lds_ushort",    [   __,    __,    __, 0x028,    __,    __,    __], NO,   &[ADDR, SADDR],      LOAD_U16).on(&[G940]).has(&[LDS]),
    scratch("scratch_load_lds_sshort",    [   __,    __,    __, 0x029,    __,    __,    __], NO,   &[ADDR, SADDR],      LOAD_I16).on(&[G940]).has(&[LDS]),
    scratch("scratch_load_lds_dword",     [   __,    __,    __, 0x02a,    __,    __,    __], NO,   &[ADDR, SADDR],      LOAD_WORDS).on(&[G940]).has(&[LDS]),
    scratch("scratch_load_block",         [   __,    __,    __,    __,    __,    __, 0x053], V32,  &[ADDR, SADDR],      LOAD_BLOCK),
    scratch("scratch_store_block",        [   __,    __,    __,    __,    __,    __, 0x054], NO,   &[ADDR, D32, SADDR], STORE_BLOCK),
    // In the RDNA3 manual; llvm-mc does not have them.
    scratch("scratch_load_lds_u8",        [   __,    __,    __,    __,    __, 0x02d,    __], NO,   &[ADDR, SADDR],      LOAD_U8).has(&[LDS, MANUAL]),
    scratch("scratch_load_lds_i8",        [   __,    __,    __,    __,    __, 0x02e,    __], NO,   &[ADDR, SADDR],      LOAD_I8).has(&[LDS, MANUAL]),
    scratch("scratch_load_lds_u16",       [   __,    __,    __,    __,    __, 0x02f,    __], NO,   &[ADDR, SADDR],      LOAD_U16).has(&[LDS, MANUAL]),
    scratch("scratch_load_lds_i16",       [   __,    __,    __,    __,    __, 0x030,    __], NO,   &[ADDR, SADDR],      LOAD_I16).has(&[LDS, MANUAL]),
    scratch("scratch_load_lds_b32",       [   __,    __,    __,    __,    __, 0x031,    __], NO,   &[ADDR, SADDR],      LOAD_WORDS).has(&[LDS, MANUAL]),
];
const _: () = check(SCRATCH);
