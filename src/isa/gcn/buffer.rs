//! Buffer memory: MUBUF, MTBUF, and VBUFFER which took the place of both on gfx12.
//!
//! Data first (a destination for loads, an operand for stores and atomics), then the address, the resource and the scalar offset. Whether
//! the address is an index, an offset, both or none, whether the data goes to LDS and whether a status word (`tfe`) follows it, are bits of
//! the instruction and modifiers of the text. 16-bit data (`D16`) counts one register a component here: where the processor packs
//! them, half of that.

use crate::isa::arch::Gen;
use crate::isa::does::names::*;
use crate::isa::operand::names::*;
use crate::isa::operand::{Opnd, Part};
use crate::isa::row::names::*;
use crate::isa::row::*;

const D1: Opnd = part(Part::Data, 1);
const D2: Opnd = part(Part::Data, 2);
const D3: Opnd = part(Part::Data, 3);
const D4: Opnd = part(Part::Data, 4);
const ADDR: Opnd = part(Part::Addr, 1);
const RSRC: Opnd = part(Part::Rsrc, 4);
const SOFFSET: Opnd = part(Part::Soffset, 1);
const BUF: &[Opnd] = &[ADDR, RSRC, SOFFSET];
const BUF1: &[Opnd] = &[D1, ADDR, RSRC, SOFFSET];
const BUF2: &[Opnd] = &[D2, ADDR, RSRC, SOFFSET];
const BUF3: &[Opnd] = &[D3, ADDR, RSRC, SOFFSET];
const BUF4: &[Opnd] = &[D4, ADDR, RSRC, SOFFSET];

/// Loads and stores, and cache control.
#[rustfmt::skip]
pub static MUBUF: &[Inst] = &[
    //                                      gfx6   gfx7   gfx8   gfx9  gfx10  gfx11  gfx12   dst    operands
    mubuf("buffer_load_format_x",         [0x000, 0x000, 0x000, 0x000, 0x000, 0x000, 0x000], D1,   BUF,              LOAD_FORMAT).has(&[MAY_LDS]),
    mubuf("buffer_load_format_xy",        [0x001, 0x001, 0x001, 0x001, 0x001, 0x001, 0x001], D2,   BUF,              LOAD_FORMAT),
    mubuf("buffer_load_format_xyz",       [0x002, 0x002, 0x002, 0x002, 0x002, 0x002, 0x002], D3,   BUF,              LOAD_FORMAT),
    mubuf("buffer_load_format_xyzw",      [0x003, 0x003, 0x003, 0x003, 0x003, 0x003, 0x003], D4,   BUF,              LOAD_FORMAT),
    mubuf("buffer_store_format_x",        [0x004, 0x004, 0x004, 0x004, 0x004, 0x004, 0x004], NO,   BUF1,             STORE_FORMAT),
    mubuf("buffer_store_format_xy",       [0x005, 0x005, 0x005, 0x005, 0x005, 0x005, 0x005], NO,   BUF2,             STORE_FORMAT),
    mubuf("buffer_store_format_xyz",      [0x006, 0x006, 0x006, 0x006, 0x006, 0x006, 0x006], NO,   BUF3,             STORE_FORMAT),
    mubuf("buffer_store_format_xyzw",     [0x007, 0x007, 0x007, 0x007, 0x007, 0x007, 0x007], NO,   BUF4,             STORE_FORMAT),
    mubuf("buffer_load_ubyte",            [0x008, 0x008, 0x010, 0x010, 0x008, 0x010, 0x010], D1,   BUF,              LOAD_U8).has(&[MAY_LDS]).renamed(&[(Gen::Gfx11, "buffer_load_u8")]).alias(&[(G11.union(G12), "buffer_load_ubyte")]),
    mubuf("buffer_load_sbyte",            [0x009, 0x009, 0x011, 0x011, 0x009, 0x011, 0x011], D1,   BUF,              LOAD_I8).has(&[MAY_LDS]).renamed(&[(Gen::Gfx11, "buffer_load_i8")]).alias(&[(G11.union(G12), "buffer_load_sbyte")]),
    mubuf("buffer_load_ushort",           [0x00a, 0x00a, 0x012, 0x012, 0x00a, 0x012, 0x012], D1,   BUF,              LOAD_U16).has(&[MAY_LDS]).renamed(&[(Gen::Gfx11, "buffer_load_u16")]).alias(&[(G11.union(G12), "buffer_load_ushort")]),
    mubuf("buffer_load_sshort",           [0x00b, 0x00b, 0x013, 0x013, 0x00b, 0x013, 0x013], D1,   BUF,              LOAD_I16).has(&[MAY_LDS]).renamed(&[(Gen::Gfx11, "buffer_load_i16")]).alias(&[(G11.union(G12), "buffer_load_sshort")]),
    mubuf("buffer_load_dword",            [0x00c, 0x00c, 0x014, 0x014, 0x00c, 0x014, 0x014], D1,   BUF,              LOAD_WORDS).has(&[MAY_LDS]).renamed(&[(Gen::Gfx11, "buffer_load_b32")]).alias(&[(G11.union(G12), "buffer_load_dword")]),
    mubuf("buffer_load_dwordx2",          [0x00d, 0x00d, 0x015, 0x015, 0x00d, 0x015, 0x015], D2,   BUF,              LOAD_WORDS).renamed(&[(Gen::Gfx11, "buffer_load_b64")]).alias(&[(G11.union(G12), "buffer_load_dwordx2")]),
    mubuf("buffer_load_dwordx4",          [0x00e, 0x00e, 0x017, 0x017, 0x00e, 0x017, 0x017], D4,   BUF,              LOAD_WORDS).renamed(&[(Gen::Gfx11, "buffer_load_b128")]).alias(&[(G11.union(G12), "buffer_load_dwordx4")]),
    mubuf("buffer_load_dwordx3",          [0x00f, 0x00f, 0x016, 0x016, 0x00f, 0x016, 0x016], D3,   BUF,              LOAD_WORDS).renamed(&[(Gen::Gfx11, "buffer_load_b96")]).alias(&[(G11.union(G12), "buffer_load_dwordx3")]),
    mubuf("buffer_store_byte",            [0x018, 0x018, 0x018, 0x018, 0x018, 0x018, 0x018], NO,   BUF1,             STORE_8).renamed(&[(Gen::Gfx11, "buffer_store_b8")]).alias(&[(G11.union(G12), "buffer_store_byte")]),
    mubuf("buffer_store_short",           [0x01a, 0x01a, 0x01a, 0x01a, 0x01a, 0x019, 0x019], NO,   BUF1,             STORE_16).renamed(&[(Gen::Gfx11, "buffer_store_b16")]).alias(&[(G11.union(G12), "buffer_store_short")]),
    mubuf("buffer_store_dword",           [0x01c, 0x01c, 0x01c, 0x01c, 0x01c, 0x01a, 0x01a], NO,   BUF1,             STORE_WORDS).renamed(&[(Gen::Gfx11, "buffer_store_b32")]).alias(&[(G11.union(G12), "buffer_store_dword")]),
    mubuf("buffer_store_dwordx2",         [0x01d, 0x01d, 0x01d, 0x01d, 0x01d, 0x01b, 0x01b], NO,   BUF2,             STORE_WORDS).renamed(&[(Gen::Gfx11, "buffer_store_b64")]).alias(&[(G11.union(G12), "buffer_store_dwordx2")]),
    mubuf("buffer_store_dwordx4",         [0x01e, 0x01e, 0x01f, 0x01f, 0x01e, 0x01d, 0x01d], NO,   BUF4,             STORE_WORDS).renamed(&[(Gen::Gfx11, "buffer_store_b128")]).alias(&[(G11.union(G12), "buffer_store_dwordx4")]),
    mubuf("buffer_store_dwordx3",         [0x01f, 0x01f, 0x01e, 0x01e, 0x01f, 0x01c, 0x01c], NO,   BUF3,             STORE_WORDS).renamed(&[(Gen::Gfx11, "buffer_store_b96")]).alias(&[(G11.union(G12), "buffer_store_dwordx3")]),
    mubuf("buffer_wbinvl1_sc",            [0x070,    __,    __,    __,    __,    __,    __], NO,   &[],              CACHE),
    mubuf("buffer_wbinvl1",               [0x071, 0x071, 0x03e, 0x03e,    __,    __,    __], NO,   &[],              CACHE),
    mubuf("buffer_wbinvl1_vol",           [   __, 0x070, 0x03f, 0x03f,    __,    __,    __], NO,   &[],              CACHE),
    mubuf("buffer_load_format_d16_x",     [   __,    __, 0x008, 0x008, 0x080, 0x008, 0x008], D1,   BUF,              LOAD_FORMAT_LO).has(&[D16]).renamed(&[(Gen::Gfx11, "buffer_load_d16_format_x")]).alias(&[(G11.union(G12), "buffer_load_format_d16_x")]),
    mubuf("buffer_load_format_d16_xy",    [   __,    __, 0x009, 0x009, 0x081, 0x009, 0x009], D2,   BUF,              LOAD_FORMAT_LO).has(&[D16]).renamed(&[(Gen::Gfx11, "buffer_load_d16_format_xy")]).alias(&[(G11.union(G12), "buffer_load_format_d16_xy")]),
    mubuf("buffer_load_format_d16_xyz",   [   __,    __, 0x00a, 0x00a, 0x082, 0x00a, 0x00a], D3,   BUF,              LOAD_FORMAT_LO).has(&[D16]).renamed(&[(Gen::Gfx11, "buffer_load_d16_format_xyz")]).alias(&[(G11.union(G12), "buffer_load_format_d16_xyz")]),
    mubuf("buffer_load_format_d16_xyzw",  [   __,    __, 0x00b, 0x00b, 0x083, 0x00b, 0x00b], D4,   BUF,              LOAD_FORMAT_LO).has(&[D16]).renamed(&[(Gen::Gfx11, "buffer_load_d16_format_xyzw")]).alias(&[(G11.union(G12), "buffer_load_format_d16_xyzw")]),
    mubuf("buffer_store_format_d16_x",    [   __,    __, 0x00c, 0x00c, 0x084, 0x00c, 0x00c], NO,   BUF1,             STORE_FORMAT_LO).has(&[D16]).renamed(&[(Gen::Gfx11, "buffer_store_d16_format_x")]).alias(&[(G11.union(G12), "buffer_store_format_d16_x")]),
    mubuf("buffer_store_format_d16_xy",   [   __,    __, 0x00d, 0x00d, 0x085, 0x00d, 0x00d], NO,   BUF2,             STORE_FORMAT_LO).has(&[D16]).renamed(&[(Gen::Gfx11, "buffer_store_d16_format_xy")]).alias(&[(G11.union(G12), "buffer_store_format_d16_xy")]),
    mubuf("buffer_store_format_d16_xyz",  [   __,    __, 0x00e, 0x00e, 0x086, 0x00e, 0x00e], NO,   BUF3,             STORE_FORMAT_LO).has(&[D16]).renamed(&[(Gen::Gfx11, "buffer_store_d16_format_xyz")]).alias(&[(G11.union(G12), "buffer_store_format_d16_xyz")]),
    mubuf("buffer_store_format_d16_xyzw", [   __,    __, 0x00f, 0x00f, 0x087, 0x00f, 0x00f], NO,   BUF4,             STORE_FORMAT_LO).has(&[D16]).renamed(&[(Gen::Gfx11, "buffer_store_d16_format_xyzw")]).alias(&[(G11.union(G12), "buffer_store_format_d16_xyzw")]),
    mubuf("buffer_store_lds_dword",       [   __,    __, 0x03d, 0x03d,    __,    __,    __], NO,   &[RSRC, SOFFSET], STORE_WORDS).has(&[LDS]),
    mubuf("buffer_store_byte_d16_hi",     [   __,    __,    __, 0x019, 0x019, 0x024, 0x024], NO,   BUF1,             STORE_8_HI).renamed(&[(Gen::Gfx11, "buffer_store_d16_hi_b8")]).alias(&[(G11.union(G12), "buffer_store_byte_d16_hi")]),
    mubuf("buffer_store_short_d16_hi",    [   __,    __,    __, 0x01b, 0x01b, 0x025, 0x025], NO,   BUF1,             STORE_16_HI).renamed(&[(Gen::Gfx11, "buffer_store_d16_hi_b16")]).alias(&[(G11.union(G12), "buffer_store_short_d16_hi")]),
    mubuf("buffer_load_ubyte_d16",        [   __,    __,    __, 0x020, 0x020, 0x01e, 0x01e], D1,   BUF,              LOAD_U8_LO).renamed(&[(Gen::Gfx11, "buffer_load_d16_u8")]).alias(&[(G11.union(G12), "buffer_load_ubyte_d16")]),
    mubuf("buffer_load_ubyte_d16_hi",     [   __,    __,    __, 0x021, 0x021, 0x021, 0x021], D1,   BUF,              LOAD_U8_HI).renamed(&[(Gen::Gfx11, "buffer_load_d16_hi_u8")]).alias(&[(G11.union(G12), "buffer_load_ubyte_d16_hi")]),
    mubuf("buffer_load_sbyte_d16",        [   __,    __,    __, 0x022, 0x022, 0x01f, 0x01f], D1,   BUF,              LOAD_I8_LO).renamed(&[(Gen::Gfx11, "buffer_load_d16_i8")]).alias(&[(G11.union(G12), "buffer_load_sbyte_d16")]),
    mubuf("buffer_load_sbyte_d16_hi",     [   __,    __,    __, 0x023, 0x023, 0x022, 0x022], D1,   BUF,              LOAD_I8_HI).renamed(&[(Gen::Gfx11, "buffer_load_d16_hi_i8")]).alias(&[(G11.union(G12), "buffer_load_sbyte_d16_hi")]),
    mubuf("buffer_load_short_d16",        [   __,    __,    __, 0x024, 0x024, 0x020, 0x020], D1,   BUF,              LOAD_U16_LO).renamed(&[(Gen::Gfx11, "buffer_load_d16_b16")]).alias(&[(G11.union(G12), "buffer_load_short_d16")]),
    mubuf("buffer_load_short_d16_hi",     [   __,    __,    __, 0x025, 0x025, 0x023, 0x023], D1,   BUF,              LOAD_U16_HI).renamed(&[(Gen::Gfx11, "buffer_load_d16_hi_b16")]).alias(&[(G11.union(G12), "buffer_load_short_d16_hi")]),
    mubuf("buffer_load_format_d16_hi_x",  [   __,    __,    __, 0x026, 0x026, 0x026, 0x026], D1,   BUF,              LOAD_FORMAT_HI).renamed(&[(Gen::Gfx11, "buffer_load_d16_hi_format_x")]).alias(&[(G11.union(G12), "buffer_load_format_d16_hi_x")]),
    mubuf("buffer_store_format_d16_hi_x", [   __,    __,    __, 0x027, 0x027, 0x027, 0x027], NO,   BUF1,             STORE_FORMAT_HI).renamed(&[(Gen::Gfx11, "buffer_store_d16_hi_format_x")]).alias(&[(G11.union(G12), "buffer_store_format_d16_hi_x")]),
    mubuf("buffer_wbl2",                  [   __,    __,    __, 0x028,    __,    __,    __], NO,   &[],              CACHE).on(&[CDNA2]).has(&[SCOPED]),
    mubuf("buffer_inv",                   [   __,    __,    __, 0x029,    __,    __,    __], NO,   &[],              CACHE).on(&[G940]).has(&[SCOPED]),
    mubuf("buffer_invl2",                 [   __,    __,    __, 0x029,    __,    __,    __], NO,   &[],              CACHE).on(&[G90A]),
    mubuf("buffer_gl0_inv",               [   __,    __,    __,    __, 0x071, 0x02b,    __], NO,   &[],              CACHE),
    mubuf("buffer_gl1_inv",               [   __,    __,    __,    __, 0x072, 0x02c,    __], NO,   &[],              CACHE),
    mubuf("buffer_load_lds_u8",           [   __,    __,    __,    __,    __, 0x02d,    __], NO,   BUF,              LOAD_U8).has(&[LDS]),
    mubuf("buffer_load_lds_i8",           [   __,    __,    __,    __,    __, 0x02e,    __], NO,   BUF,              LOAD_I8).has(&[LDS]),
    mubuf("buffer_load_lds_u16",          [   __,    __,    __,    __,    __, 0x02f,    __], NO,   BUF,              LOAD_U16).has(&[LDS]),
    mubuf("buffer_load_lds_i16",          [   __,    __,    __,    __,    __, 0x030,    __], NO,   BUF,              LOAD_I16).has(&[LDS]),
    mubuf("buffer_load_lds_b32",          [   __,    __,    __,    __,    __, 0x031,    __], NO,   BUF,              LOAD_WORDS).has(&[LDS]),
    mubuf("buffer_load_lds_format_x",     [   __,    __,    __,    __,    __, 0x032,    __], NO,   BUF,              LOAD_FORMAT).has(&[LDS]),
];
const _: () = check(MUBUF);

/// Atomics: with `glc` (or the return hint) the data is replaced by the old value.
#[rustfmt::skip]
pub static MUBUF_ATOMIC: &[Inst] = &[
    //                                    gfx6   gfx7   gfx8   gfx9  gfx10  gfx11  gfx12   dst    operands
    mubuf("buffer_atomic_swap",         [0x030, 0x030, 0x040, 0x040, 0x030, 0x033, 0x033], NO,   BUF1, SWAP).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "buffer_atomic_swap_b32")]).alias(&[(G11.union(G12), "buffer_atomic_swap")]),
    mubuf("buffer_atomic_cmpswap",      [0x031, 0x031, 0x041, 0x041, 0x031, 0x034, 0x034], NO,   BUF2, CMPSWAP).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "buffer_atomic_cmpswap_b32")]).alias(&[(G11.union(G12), "buffer_atomic_cmpswap")]),
    mubuf("buffer_atomic_add",          [0x032, 0x032, 0x042, 0x042, 0x032, 0x035, 0x035], NO,   BUF1, ADD).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "buffer_atomic_add_u32")]).alias(&[(G11.union(G12), "buffer_atomic_add")]),
    mubuf("buffer_atomic_sub",          [0x033, 0x033, 0x043, 0x043, 0x033, 0x036, 0x036], NO,   BUF1, SUB).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "buffer_atomic_sub_u32")]).alias(&[(G11.union(G12), "buffer_atomic_sub")]),
    mubuf("buffer_atomic_smin",         [0x035, 0x035, 0x044, 0x044, 0x035, 0x038, 0x038], NO,   BUF1, SMIN).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "buffer_atomic_min_i32")]).alias(&[(G11.union(G12), "buffer_atomic_smin")]),
    mubuf("buffer_atomic_umin",         [0x036, 0x036, 0x045, 0x045, 0x036, 0x039, 0x039], NO,   BUF1, UMIN).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "buffer_atomic_min_u32")]).alias(&[(G11.union(G12), "buffer_atomic_umin")]),
    mubuf("buffer_atomic_smax",         [0x037, 0x037, 0x046, 0x046, 0x037, 0x03a, 0x03a], NO,   BUF1, SMAX).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "buffer_atomic_max_i32")]).alias(&[(G11.union(G12), "buffer_atomic_smax")]),
    mubuf("buffer_atomic_umax",         [0x038, 0x038, 0x047, 0x047, 0x038, 0x03b, 0x03b], NO,   BUF1, UMAX).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "buffer_atomic_max_u32")]).alias(&[(G11.union(G12), "buffer_atomic_umax")]),
    mubuf("buffer_atomic_and",          [0x039, 0x039, 0x048, 0x048, 0x039, 0x03c, 0x03c], NO,   BUF1, AND).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "buffer_atomic_and_b32")]).alias(&[(G11.union(G12), "buffer_atomic_and")]),
    mubuf("buffer_atomic_or",           [0x03a, 0x03a, 0x049, 0x049, 0x03a, 0x03d, 0x03d], NO,   BUF1, OR).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "buffer_atomic_or_b32")]).alias(&[(G11.union(G12), "buffer_atomic_or")]),
    mubuf("buffer_atomic_xor",          [0x03b, 0x03b, 0x04a, 0x04a, 0x03b, 0x03e, 0x03e], NO,   BUF1, XOR).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "buffer_atomic_xor_b32")]).alias(&[(G11.union(G12), "buffer_atomic_xor")]),
    mubuf("buffer_atomic_inc",          [0x03c, 0x03c, 0x04b, 0x04b, 0x03c, 0x03f, 0x03f], NO,   BUF1, INC).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "buffer_atomic_inc_u32")]).alias(&[(G11.union(G12), "buffer_atomic_inc")]),
    mubuf("buffer_atomic_dec",          [0x03d, 0x03d, 0x04c, 0x04c, 0x03d, 0x040, 0x040], NO,   BUF1, DEC).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "buffer_atomic_dec_u32")]).alias(&[(G11.union(G12), "buffer_atomic_dec")]),
    mubuf("buffer_atomic_fcmpswap",     [0x03e, 0x03e,    __,    __, 0x03e, 0x050,    __], NO,   BUF2, FCMPSWAP).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "buffer_atomic_cmpswap_f32")]).alias(&[(G11, "buffer_atomic_fcmpswap")]),
    mubuf("buffer_atomic_fmin",         [0x03f, 0x03f,    __,    __, 0x03f, 0x051, 0x051], NO,   BUF1, FMIN).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "buffer_atomic_min_f32"), (Gen::Gfx12, "buffer_atomic_min_num_f32")]).alias(&[(G11.union(G12), "buffer_atomic_fmin"), (G12, "buffer_atomic_min_f32")]),
    mubuf("buffer_atomic_fmax",         [0x040, 0x040,    __,    __, 0x040, 0x052, 0x052], NO,   BUF1, FMAX).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "buffer_atomic_max_f32"), (Gen::Gfx12, "buffer_atomic_max_num_f32")]).alias(&[(G11.union(G12), "buffer_atomic_fmax"), (G12, "buffer_atomic_max_f32")]),
    mubuf("buffer_atomic_swap_x2",      [0x050, 0x050, 0x060, 0x060, 0x050, 0x041, 0x041], NO,   BUF2, SWAP_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "buffer_atomic_swap_b64")]).alias(&[(G11.union(G12), "buffer_atomic_swap_x2")]),
    mubuf("buffer_atomic_cmpswap_x2",   [0x051, 0x051, 0x061, 0x061, 0x051, 0x042, 0x042], NO,   BUF4, CMPSWAP_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "buffer_atomic_cmpswap_b64")]).alias(&[(G11.union(G12), "buffer_atomic_cmpswap_x2")]),
    mubuf("buffer_atomic_add_x2",       [0x052, 0x052, 0x062, 0x062, 0x052, 0x043, 0x043], NO,   BUF2, ADD_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "buffer_atomic_add_u64")]).alias(&[(G11.union(G12), "buffer_atomic_add_x2")]),
    mubuf("buffer_atomic_sub_x2",       [0x053, 0x053, 0x063, 0x063, 0x053, 0x044, 0x044], NO,   BUF2, SUB_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "buffer_atomic_sub_u64")]).alias(&[(G11.union(G12), "buffer_atomic_sub_x2")]),
    mubuf("buffer_atomic_smin_x2",      [0x055, 0x055, 0x064, 0x064, 0x055, 0x045, 0x045], NO,   BUF2, SMIN_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "buffer_atomic_min_i64")]).alias(&[(G11.union(G12), "buffer_atomic_smin_x2")]),
    mubuf("buffer_atomic_umin_x2",      [0x056, 0x056, 0x065, 0x065, 0x056, 0x046, 0x046], NO,   BUF2, UMIN_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "buffer_atomic_min_u64")]).alias(&[(G11.union(G12), "buffer_atomic_umin_x2")]),
    mubuf("buffer_atomic_smax_x2",      [0x057, 0x057, 0x066, 0x066, 0x057, 0x047, 0x047], NO,   BUF2, SMAX_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "buffer_atomic_max_i64")]).alias(&[(G11.union(G12), "buffer_atomic_smax_x2")]),
    mubuf("buffer_atomic_umax_x2",      [0x058, 0x058, 0x067, 0x067, 0x058, 0x048, 0x048], NO,   BUF2, UMAX_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "buffer_atomic_max_u64")]).alias(&[(G11.union(G12), "buffer_atomic_umax_x2")]),
    mubuf("buffer_atomic_and_x2",       [0x059, 0x059, 0x068, 0x068, 0x059, 0x049, 0x049], NO,   BUF2, AND_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "buffer_atomic_and_b64")]).alias(&[(G11.union(G12), "buffer_atomic_and_x2")]),
    mubuf("buffer_atomic_or_x2",        [0x05a, 0x05a, 0x069, 0x069, 0x05a, 0x04a, 0x04a], NO,   BUF2, OR_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "buffer_atomic_or_b64")]).alias(&[(G11.union(G12), "buffer_atomic_or_x2")]),
    mubuf("buffer_atomic_xor_x2",       [0x05b, 0x05b, 0x06a, 0x06a, 0x05b, 0x04b, 0x04b], NO,   BUF2, XOR_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "buffer_atomic_xor_b64")]).alias(&[(G11.union(G12), "buffer_atomic_xor_x2")]),
    mubuf("buffer_atomic_inc_x2",       [0x05c, 0x05c, 0x06b, 0x06b, 0x05c, 0x04c, 0x04c], NO,   BUF2, INC_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "buffer_atomic_inc_u64")]).alias(&[(G11.union(G12), "buffer_atomic_inc_x2")]),
    mubuf("buffer_atomic_dec_x2",       [0x05d, 0x05d, 0x06c, 0x06c, 0x05d, 0x04d, 0x04d], NO,   BUF2, DEC_X2).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "buffer_atomic_dec_u64")]).alias(&[(G11.union(G12), "buffer_atomic_dec_x2")]),
    mubuf("buffer_atomic_fcmpswap_x2",  [0x05e, 0x05e,    __,    __, 0x05e,    __,    __], NO,   BUF4, FCMPSWAP_X2).has(&[ATOMIC]),
    mubuf("buffer_atomic_fmin_x2",      [0x05f, 0x05f,    __, 0x050, 0x05f,    __,    __], NO,   BUF2, FMIN_X2).on(&[G6, G7, CDNA2, G10]).has(&[ATOMIC]).renamed(&[(Gen::Gfx9, "buffer_atomic_min_f64"), (Gen::Gfx10, "buffer_atomic_fmin_x2")]),
    mubuf("buffer_atomic_fmax_x2",      [0x060, 0x060,    __, 0x051, 0x060,    __,    __], NO,   BUF2, FMAX_X2).on(&[G6, G7, CDNA2, G10]).has(&[ATOMIC]).renamed(&[(Gen::Gfx9, "buffer_atomic_max_f64"), (Gen::Gfx10, "buffer_atomic_fmax_x2")]),
    mubuf("buffer_atomic_add_f32",      [   __,    __,    __, 0x04d,    __,    __,    __], NO,   BUF1, never(FADD)).on(&[G908]).has(&[ATOMIC, NO_RET]),
    mubuf("buffer_atomic_add_f32",      [   __,    __,    __, 0x04d,    __, 0x056, 0x056], NO,   BUF1, FADD).on(&[CDNA2, G11, G12]).has(&[ATOMIC]),
    mubuf("buffer_atomic_pk_add_f16",   [   __,    __,    __, 0x04e,    __,    __,    __], NO,   BUF1, never(PK_F16)).on(&[G908]).has(&[ATOMIC, NO_RET]),
    mubuf("buffer_atomic_pk_add_f16",   [   __,    __,    __, 0x04e,    __,    __, 0x059], NO,   BUF1, PK_F16).on(&[CDNA2, G12]).has(&[ATOMIC]),
    mubuf("buffer_atomic_add_f64",      [   __,    __,    __, 0x04f,    __,    __,    __], NO,   BUF2, FADD_X2).on(&[CDNA2]).has(&[ATOMIC]),
    mubuf("buffer_atomic_csub",         [   __,    __,    __,    __, 0x034, 0x037, 0x037], NO,   BUF1, returning(SUB_CLAMP)).on(&[G1030, G11, G12]).has(&[ATOMIC]).renamed(&[(Gen::Gfx11, "buffer_atomic_csub_u32"), (Gen::Gfx12, "buffer_atomic_sub_clamp_u32")]).alias(&[(G11.union(G12), "buffer_atomic_csub"), (G12, "buffer_atomic_csub_u32")]),
    mubuf("buffer_atomic_cond_sub_u32", [   __,    __,    __,    __,    __,    __, 0x050], NO,   BUF1, COND_SUB).has(&[ATOMIC]),
    mubuf("buffer_atomic_pk_add_bf16",  [   __,    __,    __,    __,    __,    __, 0x05a], NO,   BUF1, PK_BF16).has(&[ATOMIC]),
    // CLRX and the SI manual have these; llvm-mc does not.
    mubuf("buffer_atomic_rsub",         [0x034,    __,    __,    __,    __,    __,    __], NO,   BUF1, RSUB).has(&[ATOMIC, MANUAL]),
    mubuf("buffer_atomic_rsub_x2",      [0x054,    __,    __,    __,    __,    __,    __], NO,   BUF2, RSUB_X2).has(&[ATOMIC, MANUAL]),
];
const _: () = check(MUBUF_ATOMIC);

/// Typed loads and stores: the format is in the instruction.
#[rustfmt::skip]
pub static MTBUF: &[Inst] = &[
    //                                       gfx6   gfx7   gfx8   gfx9  gfx10  gfx11  gfx12   dst    operands
    mtbuf("tbuffer_load_format_x",         [0x000, 0x000, 0x000, 0x000, 0x000, 0x000, 0x080], D1,   BUF,  LOAD_FORMAT),
    mtbuf("tbuffer_load_format_xy",        [0x001, 0x001, 0x001, 0x001, 0x001, 0x001, 0x081], D2,   BUF,  LOAD_FORMAT),
    mtbuf("tbuffer_load_format_xyz",       [0x002, 0x002, 0x002, 0x002, 0x002, 0x002, 0x082], D3,   BUF,  LOAD_FORMAT),
    mtbuf("tbuffer_load_format_xyzw",      [0x003, 0x003, 0x003, 0x003, 0x003, 0x003, 0x083], D4,   BUF,  LOAD_FORMAT),
    mtbuf("tbuffer_store_format_x",        [0x004, 0x004, 0x004, 0x004, 0x004, 0x004, 0x084], NO,   BUF1, STORE_FORMAT),
    mtbuf("tbuffer_store_format_xy",       [0x005, 0x005, 0x005, 0x005, 0x005, 0x005, 0x085], NO,   BUF2, STORE_FORMAT),
    mtbuf("tbuffer_store_format_xyz",      [0x006, 0x006, 0x006, 0x006, 0x006, 0x006, 0x086], NO,   BUF3, STORE_FORMAT),
    mtbuf("tbuffer_store_format_xyzw",     [0x007, 0x007, 0x007, 0x007, 0x007, 0x007, 0x087], NO,   BUF4, STORE_FORMAT),
    mtbuf("tbuffer_load_format_d16_x",     [   __,    __, 0x008, 0x008, 0x008, 0x008, 0x088], D1,   BUF,  LOAD_FORMAT_LO).has(&[D16]).renamed(&[(Gen::Gfx11, "tbuffer_load_d16_format_x")]).alias(&[(G11.union(G12), "tbuffer_load_format_d16_x")]),
    mtbuf("tbuffer_load_format_d16_xy",    [   __,    __, 0x009, 0x009, 0x009, 0x009, 0x089], D2,   BUF,  LOAD_FORMAT_LO).has(&[D16]).renamed(&[(Gen::Gfx11, "tbuffer_load_d16_format_xy")]).alias(&[(G11.union(G12), "tbuffer_load_format_d16_xy")]),
    mtbuf("tbuffer_load_format_d16_xyz",   [   __,    __, 0x00a, 0x00a, 0x00a, 0x00a, 0x08a], D3,   BUF,  LOAD_FORMAT_LO).has(&[D16]).renamed(&[(Gen::Gfx11, "tbuffer_load_d16_format_xyz")]).alias(&[(G11.union(G12), "tbuffer_load_format_d16_xyz")]),
    mtbuf("tbuffer_load_format_d16_xyzw",  [   __,    __, 0x00b, 0x00b, 0x00b, 0x00b, 0x08b], D4,   BUF,  LOAD_FORMAT_LO).has(&[D16]).renamed(&[(Gen::Gfx11, "tbuffer_load_d16_format_xyzw")]).alias(&[(G11.union(G12), "tbuffer_load_format_d16_xyzw")]),
    mtbuf("tbuffer_store_format_d16_x",    [   __,    __, 0x00c, 0x00c, 0x00c, 0x00c, 0x08c], NO,   BUF1, STORE_FORMAT_LO).has(&[D16]).renamed(&[(Gen::Gfx11, "tbuffer_store_d16_format_x")]).alias(&[(G11.union(G12), "tbuffer_store_format_d16_x")]),
    mtbuf("tbuffer_store_format_d16_xy",   [   __,    __, 0x00d, 0x00d, 0x00d, 0x00d, 0x08d], NO,   BUF2, STORE_FORMAT_LO).has(&[D16]).renamed(&[(Gen::Gfx11, "tbuffer_store_d16_format_xy")]).alias(&[(G11.union(G12), "tbuffer_store_format_d16_xy")]),
    mtbuf("tbuffer_store_format_d16_xyz",  [   __,    __, 0x00e, 0x00e, 0x00e, 0x00e, 0x08e], NO,   BUF3, STORE_FORMAT_LO).has(&[D16]).renamed(&[(Gen::Gfx11, "tbuffer_store_d16_format_xyz")]).alias(&[(G11.union(G12), "tbuffer_store_format_d16_xyz")]),
    mtbuf("tbuffer_store_format_d16_xyzw", [   __,    __, 0x00f, 0x00f, 0x00f, 0x00f, 0x08f], NO,   BUF4, STORE_FORMAT_LO).has(&[D16]).renamed(&[(Gen::Gfx11, "tbuffer_store_d16_format_xyzw")]).alias(&[(G11.union(G12), "tbuffer_store_format_d16_xyzw")]),
];
const _: () = check(MTBUF);
