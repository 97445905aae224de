//! Scalar memory: SMRD (gfx6, gfx7) and SMEM.
//!
//! The destination or data is a run of scalar registers, the base a pair or a buffer resource, the offset a constant, a register or both:
//! which of them a processor takes is decided by the format, not by the row. Stores and atomics live on gfx8 to gfx10.1 only.

use crate::isa::arch::Gen;
use crate::isa::does::names::*;
use crate::isa::operand::names::*;
use crate::isa::operand::{Class, Opnd, Part, Ty};
use crate::isa::row::names::*;
use crate::isa::row::*;

const D1: Opnd = part(Part::Sdata, 1);
const D2: Opnd = part(Part::Sdata, 2);
const D3: Opnd = part(Part::Sdata, 3);
const D4: Opnd = part(Part::Sdata, 4);
const D8: Opnd = part(Part::Sdata, 8);
const D16: Opnd = part(Part::Sdata, 16);
const PAIR: Opnd = part(Part::Sbase, 2);
const RSRC: Opnd = part(Part::Sbase, 4);
const OFFSET: Opnd = part(Part::Offset, 1);
const SOFFSET: Opnd = part(Part::Soffset, 1);
const NUMBER: Opnd = Opnd { class: Class::Number, ty: Ty::B32 };

/// Loads, stores, cache control, clocks.
#[rustfmt::skip]
pub static SMEM: &[Inst] = &[
    //                                  gfx6   gfx7   gfx8   gfx9  gfx10  gfx11  gfx12   dst    operands
    smem("s_load_dword",              [0x000, 0x000, 0x000, 0x000, 0x000, 0x000, 0x000], D1,   &[PAIR, OFFSET],                  LOAD_WORDS).renamed(&[(Gen::Gfx11, "s_load_b32")]).alias(&[(G11.union(G12), "s_load_dword")]),
    smem("s_load_dwordx2",            [0x001, 0x001, 0x001, 0x001, 0x001, 0x001, 0x001], D2,   &[PAIR, OFFSET],                  LOAD_WORDS).renamed(&[(Gen::Gfx11, "s_load_b64")]).alias(&[(G11.union(G12), "s_load_dwordx2")]),
    smem("s_load_dwordx4",            [0x002, 0x002, 0x002, 0x002, 0x002, 0x002, 0x002], D4,   &[PAIR, OFFSET],                  LOAD_WORDS).renamed(&[(Gen::Gfx11, "s_load_b128")]).alias(&[(G11.union(G12), "s_load_dwordx4")]),
    smem("s_load_dwordx8",            [0x003, 0x003, 0x003, 0x003, 0x003, 0x003, 0x003], D8,   &[PAIR, OFFSET],                  LOAD_WORDS).renamed(&[(Gen::Gfx11, "s_load_b256")]).alias(&[(G11.union(G12), "s_load_dwordx8")]),
    smem("s_load_dwordx16",           [0x004, 0x004, 0x004, 0x004, 0x004, 0x004, 0x004], D16,  &[PAIR, OFFSET],                  LOAD_WORDS).renamed(&[(Gen::Gfx11, "s_load_b512")]).alias(&[(G11.union(G12), "s_load_dwordx16")]),
    smem("s_buffer_load_dword",       [0x008, 0x008, 0x008, 0x008, 0x008, 0x008, 0x010], D1,   &[RSRC, OFFSET],                  LOAD_WORDS).renamed(&[(Gen::Gfx11, "s_buffer_load_b32")]).alias(&[(G11.union(G12), "s_buffer_load_dword")]),
    smem("s_buffer_load_dwordx2",     [0x009, 0x009, 0x009, 0x009, 0x009, 0x009, 0x011], D2,   &[RSRC, OFFSET],                  LOAD_WORDS).renamed(&[(Gen::Gfx11, "s_buffer_load_b64")]).alias(&[(G11.union(G12), "s_buffer_load_dwordx2")]),
    smem("s_buffer_load_dwordx4",     [0x00a, 0x00a, 0x00a, 0x00a, 0x00a, 0x00a, 0x012], D4,   &[RSRC, OFFSET],                  LOAD_WORDS).renamed(&[(Gen::Gfx11, "s_buffer_load_b128")]).alias(&[(G11.union(G12), "s_buffer_load_dwordx4")]),
    smem("s_buffer_load_dwordx8",     [0x00b, 0x00b, 0x00b, 0x00b, 0x00b, 0x00b, 0x013], D8,   &[RSRC, OFFSET],                  LOAD_WORDS).renamed(&[(Gen::Gfx11, "s_buffer_load_b256")]).alias(&[(G11.union(G12), "s_buffer_load_dwordx8")]),
    smem("s_buffer_load_dwordx16",    [0x00c, 0x00c, 0x00c, 0x00c, 0x00c, 0x00c, 0x014], D16,  &[RSRC, OFFSET],                  LOAD_WORDS).renamed(&[(Gen::Gfx11, "s_buffer_load_b512")]).alias(&[(G11.union(G12), "s_buffer_load_dwordx16")]),
    smem("s_memtime",                 [0x01e, 0x01e, 0x024, 0x024, 0x024,    __,    __], D2,   &[],                              CLOCK),
    smem("s_dcache_inv",              [0x01f, 0x01f, 0x020, 0x020, 0x020, 0x021, 0x021], NO,   &[],                              CACHE),
    smem("s_dcache_inv_vol",          [   __, 0x01d, 0x022, 0x022,    __,    __,    __], NO,   &[],                              CACHE),
    smem("s_store_dword",             [   __,    __, 0x010, 0x010, 0x010,    __,    __], NO,   &[D1, PAIR, OFFSET],              STORE_WORDS).on(&[G8, G9, RDNA1]),
    smem("s_store_dwordx2",           [   __,    __, 0x011, 0x011, 0x011,    __,    __], NO,   &[D2, PAIR, OFFSET],              STORE_WORDS).on(&[G8, G9, RDNA1]),
    smem("s_store_dwordx4",           [   __,    __, 0x012, 0x012, 0x012,    __,    __], NO,   &[D4, PAIR, OFFSET],              STORE_WORDS).on(&[G8, G9, RDNA1]),
    smem("s_buffer_store_dword",      [   __,    __, 0x018, 0x018, 0x018,    __,    __], NO,   &[D1, RSRC, OFFSET],              STORE_WORDS).on(&[G8, G9, RDNA1]),
    smem("s_buffer_store_dwordx2",    [   __,    __, 0x019, 0x019, 0x019,    __,    __], NO,   &[D2, RSRC, OFFSET],              STORE_WORDS).on(&[G8, G9, RDNA1]),
    smem("s_buffer_store_dwordx4",    [   __,    __, 0x01a, 0x01a, 0x01a,    __,    __], NO,   &[D4, RSRC, OFFSET],              STORE_WORDS).on(&[G8, G9, RDNA1]),
    smem("s_dcache_wb",               [   __,    __, 0x021, 0x021, 0x021,    __,    __], NO,   &[],                              CACHE).on(&[G8, G9, RDNA1]),
    smem("s_dcache_wb_vol",           [   __,    __, 0x023, 0x023,    __,    __,    __], NO,   &[],                              CACHE),
    smem("s_memrealtime",             [   __,    __, 0x025, 0x025, 0x025,    __,    __], D2,   &[],                              CLOCK),
    smem("s_atc_probe",               [   __,    __, 0x026, 0x026, 0x026, 0x022, 0x022], NO,   &[NUMBER, PAIR, OFFSET],          PREFETCH),
    smem("s_atc_probe_buffer",        [   __,    __, 0x027, 0x027, 0x027, 0x023, 0x023], NO,   &[NUMBER, RSRC, OFFSET],          PREFETCH),
    smem("s_scratch_load_dword",      [   __,    __,    __, 0x005, 0x005,    __,    __], D1,   &[PAIR, OFFSET],                  LOAD_WORDS).on(&[G9, RDNA1]).has(&[SCRATCH]),
    smem("s_scratch_load_dwordx2",    [   __,    __,    __, 0x006, 0x006,    __,    __], D2,   &[PAIR, OFFSET],                  LOAD_WORDS).on(&[G9, RDNA1]).has(&[SCRATCH]),
    smem("s_scratch_load_dwordx4",    [   __,    __,    __, 0x007, 0x007,    __,    __], D4,   &[PAIR, OFFSET],                  LOAD_WORDS).on(&[G9, RDNA1]).has(&[SCRATCH]),
    smem("s_scratch_store_dword",     [   __,    __,    __, 0x015, 0x015,    __,    __], NO,   &[D1, PAIR, OFFSET],              STORE_WORDS).on(&[G9, RDNA1]).has(&[SCRATCH]),
    smem("s_scratch_store_dwordx2",   [   __,    __,    __, 0x016, 0x016,    __,    __], NO,   &[D2, PAIR, OFFSET],              STORE_WORDS).on(&[G9, RDNA1]).has(&[SCRATCH]),
    smem("s_scratch_store_dwordx4",   [   __,    __,    __, 0x017, 0x017,    __,    __], NO,   &[D4, PAIR, OFFSET],              STORE_WORDS).on(&[G9, RDNA1]).has(&[SCRATCH]),
    smem("s_dcache_discard",          [   __,    __,    __, 0x028, 0x028,    __,    __], NO,   &[PAIR, OFFSET],                  CACHE).on(&[G9, RDNA1]),
    smem("s_dcache_discard_x2",       [   __,    __,    __, 0x029, 0x029,    __,    __], NO,   &[PAIR, OFFSET],                  CACHE).on(&[G9, RDNA1]),
    smem("s_gl1_inv",                 [   __,    __,    __,    __, 0x01f, 0x020,    __], NO,   &[],                              CACHE),
    smem("s_get_waveid_in_workgroup", [   __,    __,    __,    __, 0x02a,    __,    __], D1,   &[],                              WAVE_NUMBER).on(&[RDNA1]),
    smem("s_load_b96",                [   __,    __,    __,    __,    __,    __, 0x005], D3,   &[PAIR, OFFSET],                  LOAD_WORDS),
    smem("s_load_i8",                 [   __,    __,    __,    __,    __,    __, 0x008], D1,   &[PAIR, OFFSET],                  LOAD_I8),
    smem("s_load_u8",                 [   __,    __,    __,    __,    __,    __, 0x009], D1,   &[PAIR, OFFSET],                  LOAD_U8),
    smem("s_load_i16",                [   __,    __,    __,    __,    __,    __, 0x00a], D1,   &[PAIR, OFFSET],                  LOAD_I16),
    smem("s_load_u16",                [   __,    __,    __,    __,    __,    __, 0x00b], D1,   &[PAIR, OFFSET],                  LOAD_U16),
    smem("s_buffer_load_b96",         [   __,    __,    __,    __,    __,    __, 0x015], D3,   &[RSRC, OFFSET],                  LOAD_WORDS),
    smem("s_buffer_load_i8",          [   __,    __,    __,    __,    __,    __, 0x018], D1,   &[RSRC, OFFSET],                  LOAD_I8),
    smem("s_buffer_load_u8",          [   __,    __,    __,    __,    __,    __, 0x019], D1,   &[RSRC, OFFSET],                  LOAD_U8),
    smem("s_buffer_load_i16",         [   __,    __,    __,    __,    __,    __, 0x01a], D1,   &[RSRC, OFFSET],                  LOAD_I16),
    smem("s_buffer_load_u16",         [   __,    __,    __,    __,    __,    __, 0x01b], D1,   &[RSRC, OFFSET],                  LOAD_U16),
    smem("s_prefetch_inst",           [   __,    __,    __,    __,    __,    __, 0x024], NO,   &[PAIR, OFFSET, SOFFSET, NUMBER], PREFETCH),
    smem("s_prefetch_inst_pc_rel",    [   __,    __,    __,    __,    __,    __, 0x025], NO,   &[OFFSET, SOFFSET, NUMBER],       PREFETCH),
    smem("s_prefetch_data",           [   __,    __,    __,    __,    __,    __, 0x026], NO,   &[PAIR, OFFSET, SOFFSET, NUMBER], PREFETCH),
    smem("s_buffer_prefetch_data",    [   __,    __,    __,    __,    __,    __, 0x027], NO,   &[RSRC, OFFSET, SOFFSET, NUMBER], PREFETCH),
    smem("s_prefetch_data_pc_rel",    [   __,    __,    __,    __,    __,    __, 0x028], NO,   &[OFFSET, SOFFSET, NUMBER],       PREFETCH),
];
const _: () = check(SMEM);

/// Atomics: with `glc` they return the old value into the data.
#[rustfmt::skip]
pub static SMEM_ATOMIC: &[Inst] = &[
    //                                   gfx6   gfx7   gfx8   gfx9  gfx10  gfx11  gfx12   dst    operands
    smem("s_buffer_atomic_swap",       [   __,    __,    __, 0x040, 0x040,    __,    __], NO,   &[D1, RSRC, OFFSET], SWAP).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_buffer_atomic_cmpswap",    [   __,    __,    __, 0x041, 0x041,    __,    __], NO,   &[D2, RSRC, OFFSET], CMPSWAP).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_buffer_atomic_add",        [   __,    __,    __, 0x042, 0x042,    __,    __], NO,   &[D1, RSRC, OFFSET], ADD).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_buffer_atomic_sub",        [   __,    __,    __, 0x043, 0x043,    __,    __], NO,   &[D1, RSRC, OFFSET], SUB).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_buffer_atomic_smin",       [   __,    __,    __, 0x044, 0x044,    __,    __], NO,   &[D1, RSRC, OFFSET], SMIN).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_buffer_atomic_umin",       [   __,    __,    __, 0x045, 0x045,    __,    __], NO,   &[D1, RSRC, OFFSET], UMIN).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_buffer_atomic_smax",       [   __,    __,    __, 0x046, 0x046,    __,    __], NO,   &[D1, RSRC, OFFSET], SMAX).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_buffer_atomic_umax",       [   __,    __,    __, 0x047, 0x047,    __,    __], NO,   &[D1, RSRC, OFFSET], UMAX).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_buffer_atomic_and",        [   __,    __,    __, 0x048, 0x048,    __,    __], NO,   &[D1, RSRC, OFFSET], AND).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_buffer_atomic_or",         [   __,    __,    __, 0x049, 0x049,    __,    __], NO,   &[D1, RSRC, OFFSET], OR).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_buffer_atomic_xor",        [   __,    __,    __, 0x04a, 0x04a,    __,    __], NO,   &[D1, RSRC, OFFSET], XOR).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_buffer_atomic_inc",        [   __,    __,    __, 0x04b, 0x04b,    __,    __], NO,   &[D1, RSRC, OFFSET], INC).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_buffer_atomic_dec",        [   __,    __,    __, 0x04c, 0x04c,    __,    __], NO,   &[D1, RSRC, OFFSET], DEC).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_buffer_atomic_swap_x2",    [   __,    __,    __, 0x060, 0x060,    __,    __], NO,   &[D2, RSRC, OFFSET], SWAP_X2).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_buffer_atomic_cmpswap_x2", [   __,    __,    __, 0x061, 0x061,    __,    __], NO,   &[D4, RSRC, OFFSET], CMPSWAP_X2).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_buffer_atomic_add_x2",     [   __,    __,    __, 0x062, 0x062,    __,    __], NO,   &[D2, RSRC, OFFSET], ADD_X2).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_buffer_atomic_sub_x2",     [   __,    __,    __, 0x063, 0x063,    __,    __], NO,   &[D2, RSRC, OFFSET], SUB_X2).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_buffer_atomic_smin_x2",    [   __,    __,    __, 0x064, 0x064,    __,    __], NO,   &[D2, RSRC, OFFSET], SMIN_X2).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_buffer_atomic_umin_x2",    [   __,    __,    __, 0x065, 0x065,    __,    __], NO,   &[D2, RSRC, OFFSET], UMIN_X2).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_buffer_atomic_smax_x2",    [   __,    __,    __, 0x066, 0x066,    __,    __], NO,   &[D2, RSRC, OFFSET], SMAX_X2).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_buffer_atomic_umax_x2",    [   __,    __,    __, 0x067, 0x067,    __,    __], NO,   &[D2, RSRC, OFFSET], UMAX_X2).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_buffer_atomic_and_x2",     [   __,    __,    __, 0x068, 0x068,    __,    __], NO,   &[D2, RSRC, OFFSET], AND_X2).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_buffer_atomic_or_x2",      [   __,    __,    __, 0x069, 0x069,    __,    __], NO,   &[D2, RSRC, OFFSET], OR_X2).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_buffer_atomic_xor_x2",     [   __,    __,    __, 0x06a, 0x06a,    __,    __], NO,   &[D2, RSRC, OFFSET], XOR_X2).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_buffer_atomic_inc_x2",     [   __,    __,    __, 0x06b, 0x06b,    __,    __], NO,   &[D2, RSRC, OFFSET], INC_X2).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_buffer_atomic_dec_x2",     [   __,    __,    __, 0x06c, 0x06c,    __,    __], NO,   &[D2, RSRC, OFFSET], DEC_X2).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_atomic_swap",              [   __,    __,    __, 0x080, 0x080,    __,    __], NO,   &[D1, PAIR, OFFSET], SWAP).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_atomic_cmpswap",           [   __,    __,    __, 0x081, 0x081,    __,    __], NO,   &[D2, PAIR, OFFSET], CMPSWAP).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_atomic_add",               [   __,    __,    __, 0x082, 0x082,    __,    __], NO,   &[D1, PAIR, OFFSET], ADD).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_atomic_sub",               [   __,    __,    __, 0x083, 0x083,    __,    __], NO,   &[D1, PAIR, OFFSET], SUB).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_atomic_smin",              [   __,    __,    __, 0x084, 0x084,    __,    __], NO,   &[D1, PAIR, OFFSET], SMIN).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_atomic_umin",              [   __,    __,    __, 0x085, 0x085,    __,    __], NO,   &[D1, PAIR, OFFSET], UMIN).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_atomic_smax",              [   __,    __,    __, 0x086, 0x086,    __,    __], NO,   &[D1, PAIR, OFFSET], SMAX).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_atomic_umax",              [   __,    __,    __, 0x087, 0x087,    __,    __], NO,   &[D1, PAIR, OFFSET], UMAX).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_atomic_and",               [   __,    __,    __, 0x088, 0x088,    __,    __], NO,   &[D1, PAIR, OFFSET], AND).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_atomic_or",                [   __,    __,    __, 0x089, 0x089,    __,    __], NO,   &[D1, PAIR, OFFSET], OR).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_atomic_xor",               [   __,    __,    __, 0x08a, 0x08a,    __,    __], NO,   &[D1, PAIR, OFFSET], XOR).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_atomic_inc",               [   __,    __,    __, 0x08b, 0x08b,    __,    __], NO,   &[D1, PAIR, OFFSET], INC).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_atomic_dec",               [   __,    __,    __, 0x08c, 0x08c,    __,    __], NO,   &[D1, PAIR, OFFSET], DEC).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_atomic_swap_x2",           [   __,    __,    __, 0x0a0, 0x0a0,    __,    __], NO,   &[D2, PAIR, OFFSET], SWAP_X2).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_atomic_cmpswap_x2",        [   __,    __,    __, 0x0a1, 0x0a1,    __,    __], NO,   &[D4, PAIR, OFFSET], CMPSWAP_X2).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_atomic_add_x2",            [   __,    __,    __, 0x0a2, 0x0a2,    __,    __], NO,   &[D2, PAIR, OFFSET], ADD_X2).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_atomic_sub_x2",            [   __,    __,    __, 0x0a3, 0x0a3,    __,    __], NO,   &[D2, PAIR, OFFSET], SUB_X2).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_atomic_smin_x2",           [   __,    __,    __, 0x0a4, 0x0a4,    __,    __], NO,   &[D2, PAIR, OFFSET], SMIN_X2).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_atomic_umin_x2",           [   __,    __,    __, 0x0a5, 0x0a5,    __,    __], NO,   &[D2, PAIR, OFFSET], UMIN_X2).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_atomic_smax_x2",           [   __,    __,    __, 0x0a6, 0x0a6,    __,    __], NO,   &[D2, PAIR, OFFSET], SMAX_X2).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_atomic_umax_x2",           [   __,    __,    __, 0x0a7, 0x0a7,    __,    __], NO,   &[D2, PAIR, OFFSET], UMAX_X2).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_atomic_and_x2",            [   __,    __,    __, 0x0a8, 0x0a8,    __,    __], NO,   &[D2, PAIR, OFFSET], AND_X2).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_atomic_or_x2",             [   __,    __,    __, 0x0a9, 0x0a9,    __,    __], NO,   &[D2, PAIR, OFFSET], OR_X2).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_atomic_xor_x2",            [   __,    __,    __, 0x0aa, 0x0aa,    __,    __], NO,   &[D2, PAIR, OFFSET], XOR_X2).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_atomic_inc_x2",            [   __,    __,    __, 0x0ab, 0x0ab,    __,    __], NO,   &[D2, PAIR, OFFSET], INC_X2).on(&[G9, RDNA1]).has(&[ATOMIC]),
    smem("s_atomic_dec_x2",            [   __,    __,    __, 0x0ac, 0x0ac,    __,    __], NO,   &[D2, PAIR, OFFSET], DEC_X2).on(&[G9, RDNA1]).has(&[ATOMIC]),
];
const _: () = check(SMEM_ATOMIC);
