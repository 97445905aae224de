//! Image instructions: MIMG up to gfx11, VIMAGE and VSAMPLE on gfx12.
//!
//! A row says what its address is made of (see [`Address`]); the widths of addresses and data follow from that, the dimension and the
//! modifiers. One row is every form of the instruction: addresses as a range or a list, D16, TFE, with or without a result.

use crate::isa::arch::{Gen, Variants};
use crate::isa::does::Does;
use crate::isa::does::names::*;
use crate::isa::image::Address;
use crate::isa::operand::names::*;
use crate::isa::operand::{Opnd, Part};
use crate::isa::row::names::*;
use crate::isa::row::*;

const OFS: Address = Address::OFFSET;
const BIAS: Address = Address::BIAS;
const CMP: Address = Address::COMPARE;
const GRAD: Address = Address::GRADIENTS;
const GRAD16: Address = Address::GRADIENTS16;
const XYZ: Address = Address::COORDS;
const LOD: Address = Address::LOD;
const CLAMP: Address = Address::CLAMP;
const ZERO: Address = Address::ZERO;
const MIP: Address = Address::MIP;
const RAY: Opnd = at(&[Address::RAY]);
const RAY64: Opnd = at(&[Address::RAY, Address::NODE64]);
const RAY2: Opnd = at(&[Address::RAY, Address::DUAL]);
const RAY8: Opnd = at(&[Address::RAY, Address::WIDE]);

/// Texels: as many registers as DMASK says.
const TEXEL: Opnd = part(Part::Vdst, 4);
const V4: Opnd = part(Part::Vdst, 4);
const V10: Opnd = part(Part::Vdst, 10);
const RSRC: Opnd = part(Part::Rsrc, 8);
const NODES: Opnd = part(Part::Rsrc, 4);
const SAMP: Opnd = part(Part::Samp, 4);
/// Data of atomics: the value, or the value and what it is compared with.
const DATA1: &[Opnd] = &[part(Part::Data, 1), at(&[XYZ]), RSRC];
const DATA2: &[Opnd] = &[part(Part::Data, 2), at(&[XYZ]), RSRC];

/// gfx940 has no images.
const IMAGES: Variants = Variants::all().difference(Variants::G940);
/// gfx90a has loads, stores, atomics and `image_sample`, without the rest of sampling.
const SAMPLING: Variants = Variants::all().difference(Variants::CDNA2);

/// A load, a store, or a question about the resource.
const fn image(name: &'static str, code: [u16; 7], dst: Opnd, src: &'static [Opnd]) -> Inst {
    mimg(name, code, dst, src).on(&[IMAGES])
}

/// An atomic.
const fn atomic(name: &'static str, code: [u16; 7], src: &'static [Opnd], does: Does) -> Inst {
    mimg(name, code, NO, src).on(&[IMAGES]).has(&[ATOMIC]).does(does)
}

/// A sample.
const fn sample(name: &'static str, code: [u16; 7], src: &'static [Opnd]) -> Inst {
    mimg(name, code, TEXEL, src).on(&[SAMPLING]).has(&[SAMPLE, D16]).does(SAMPLE_TEXEL)
}

/// The level of detail that a sample would use.
const fn lod(name: &'static str, code: [u16; 7], src: &'static [Opnd]) -> Inst {
    mimg(name, code, TEXEL, src).on(&[SAMPLING]).does(SAMPLE_LEVEL)
}

/// A gather.
const fn gather(name: &'static str, code: [u16; 7], src: &'static [Opnd]) -> Inst {
    mimg(name, code, TEXEL, src).on(&[SAMPLING]).has(&[GATHER, D16]).does(GATHER_TEXELS)
}

/// Loads, stores, questions about the resource, rays.
#[rustfmt::skip]
pub static IMAGE_LOAD_STORE: &[Inst] = &[
    //                                       gfx6   gfx7   gfx8   gfx9  gfx10  gfx11  gfx12   dst    sources
    image("image_load",                   [0x000, 0x000, 0x000, 0x000, 0x000, 0x000, 0x000], TEXEL, &[at(&[XYZ]), RSRC]).has(&[LOAD, D16]).does(LOAD_TEXEL),
    image("image_load_mip",               [0x001, 0x001, 0x001, 0x001, 0x001, 0x001, 0x001], TEXEL, &[at(&[XYZ, MIP]), RSRC]).has(&[LOAD, D16]).does(LOAD_TEXEL),
    image("image_load_pck",               [0x002, 0x002, 0x002, 0x002, 0x002, 0x002, 0x002], TEXEL, &[at(&[XYZ]), RSRC]).has(&[LOAD]).does(LOAD_RAW),
    image("image_load_pck_sgn",           [0x003, 0x003, 0x003, 0x003, 0x003, 0x003, 0x003], TEXEL, &[at(&[XYZ]), RSRC]).has(&[LOAD]).does(LOAD_RAW_SIGNED),
    image("image_load_mip_pck",           [0x004, 0x004, 0x004, 0x004, 0x004, 0x004, 0x004], TEXEL, &[at(&[XYZ, MIP]), RSRC]).has(&[LOAD]).does(LOAD_RAW),
    image("image_load_mip_pck_sgn",       [0x005, 0x005, 0x005, 0x005, 0x005, 0x005, 0x005], TEXEL, &[at(&[XYZ, MIP]), RSRC]).has(&[LOAD]).does(LOAD_RAW_SIGNED),
    image("image_store",                  [0x008, 0x008, 0x008, 0x008, 0x008, 0x006, 0x006], NO,    &[TEXEL, at(&[XYZ]), RSRC]).has(&[STORE, D16]).does(STORE_TEXEL),
    image("image_store_mip",              [0x009, 0x009, 0x009, 0x009, 0x009, 0x007, 0x007], NO,    &[TEXEL, at(&[XYZ, MIP]), RSRC]).has(&[STORE, D16]).does(STORE_TEXEL),
    image("image_store_pck",              [0x00a, 0x00a, 0x00a, 0x00a, 0x00a, 0x008, 0x008], NO,    &[TEXEL, at(&[XYZ]), RSRC]).has(&[STORE]).does(STORE_RAW),
    image("image_store_mip_pck",          [0x00b, 0x00b, 0x00b, 0x00b, 0x00b, 0x009, 0x009], NO,    &[TEXEL, at(&[XYZ, MIP]), RSRC]).has(&[STORE]).does(STORE_RAW),
    image("image_get_resinfo",            [0x00e, 0x00e, 0x00e, 0x00e, 0x00e, 0x017, 0x017], TEXEL, &[at(&[MIP]), RSRC]).does(DESCRIBE),
    image("image_msaa_load",              [   __,    __,    __,    __, 0x080,    __,    __], TEXEL, &[at(&[XYZ]), RSRC]).on(&[G1013, G1030]).has(&[LOAD, D16, MSAA]).does(LOAD_SAMPLES),
    image("image_bvh_intersect_ray",      [   __,    __,    __,    __, 0x0e6, 0x019, 0x019], V4,    &[RAY, NODES]).on(&[G1013, G1030, G11, G12]).has(&[BVH]).does(RAY_NODE),
    image("image_bvh64_intersect_ray",    [   __,    __,    __,    __, 0x0e7, 0x01a, 0x01a], V4,    &[RAY64, NODES]).on(&[G1013, G1030, G11, G12]).has(&[BVH]).does(RAY_NODE),
    image("image_msaa_load",              [   __,    __,    __,    __,    __, 0x018, 0x018], TEXEL, &[at(&[XYZ]), RSRC]).has(&[LOAD, D16, MSAA, GATHER]).does(LOAD_SAMPLES),
    // In the manual of RDNA 4; llvm-mc 19 does not know them.
    image("image_bvh_dual_intersect_ray", [   __,    __,    __,    __,    __,    __, 0x080], V10,   &[RAY2, NODES]).has(&[BVH, MANUAL]).does(RAY_NODES),
    image("image_bvh8_intersect_ray",     [   __,    __,    __,    __,    __,    __, 0x081], V10,   &[RAY8, NODES]).has(&[BVH, MANUAL]).does(RAY_EIGHT),
];
const _: () = check(IMAGE_LOAD_STORE);

/// Atomics.
#[rustfmt::skip]
pub static IMAGE_ATOMIC: &[Inst] = &[
    //                                    gfx6   gfx7   gfx8   gfx9  gfx10  gfx11  gfx12   dst    sources
    atomic("image_atomic_swap",        [0x00f, 0x00f, 0x010, 0x010, 0x00f, 0x00a, 0x00a], DATA1, SWAP),
    atomic("image_atomic_cmpswap",     [0x010, 0x010, 0x011, 0x011, 0x010, 0x00b, 0x00b], DATA2, CMPSWAP),
    atomic("image_atomic_add",         [0x011, 0x011, 0x012, 0x012, 0x011, 0x00c, 0x00c], DATA1, ADD).renamed(&[(Gen::Gfx12, "image_atomic_add_uint")]).alias(&[(G12, "image_atomic_add")]),
    atomic("image_atomic_sub",         [0x012, 0x012, 0x013, 0x013, 0x012, 0x00d, 0x00d], DATA1, SUB).renamed(&[(Gen::Gfx12, "image_atomic_sub_uint")]).alias(&[(G12, "image_atomic_sub")]),
    atomic("image_atomic_rsub",        [0x013, 0x013,    __,    __,    __,    __,    __], DATA1, RSUB),
    atomic("image_atomic_smin",        [0x014, 0x014, 0x014, 0x014, 0x014, 0x00e, 0x00e], DATA1, SMIN).renamed(&[(Gen::Gfx12, "image_atomic_min_int")]).alias(&[(G12, "image_atomic_smin")]),
    atomic("image_atomic_umin",        [0x015, 0x015, 0x015, 0x015, 0x015, 0x00f, 0x00f], DATA1, UMIN).renamed(&[(Gen::Gfx12, "image_atomic_min_uint")]).alias(&[(G12, "image_atomic_umin")]),
    atomic("image_atomic_smax",        [0x016, 0x016, 0x016, 0x016, 0x016, 0x010, 0x010], DATA1, SMAX).renamed(&[(Gen::Gfx12, "image_atomic_max_int")]).alias(&[(G12, "image_atomic_smax")]),
    atomic("image_atomic_umax",        [0x017, 0x017, 0x017, 0x017, 0x017, 0x011, 0x011], DATA1, UMAX).renamed(&[(Gen::Gfx12, "image_atomic_max_uint")]).alias(&[(G12, "image_atomic_umax")]),
    atomic("image_atomic_and",         [0x018, 0x018, 0x018, 0x018, 0x018, 0x012, 0x012], DATA1, AND),
    atomic("image_atomic_or",          [0x019, 0x019, 0x019, 0x019, 0x019, 0x013, 0x013], DATA1, OR),
    atomic("image_atomic_xor",         [0x01a, 0x01a, 0x01a, 0x01a, 0x01a, 0x014, 0x014], DATA1, XOR),
    atomic("image_atomic_inc",         [0x01b, 0x01b, 0x01b, 0x01b, 0x01b, 0x015, 0x015], DATA1, INC).renamed(&[(Gen::Gfx12, "image_atomic_inc_uint")]).alias(&[(G12, "image_atomic_inc")]),
    atomic("image_atomic_dec",         [0x01c, 0x01c, 0x01c, 0x01c, 0x01c, 0x016, 0x016], DATA1, DEC).renamed(&[(Gen::Gfx12, "image_atomic_dec_uint")]).alias(&[(G12, "image_atomic_dec")]),
    atomic("image_atomic_fcmpswap",    [0x01d, 0x01d,    __,    __, 0x01d,    __,    __], DATA2, FCMPSWAP),
    atomic("image_atomic_fmin",        [0x01e, 0x01e,    __,    __, 0x01e,    __,    __], DATA1, FMIN),
    atomic("image_atomic_fmax",        [0x01f, 0x01f,    __,    __, 0x01f,    __,    __], DATA1, FMAX),
    atomic("image_atomic_add_flt",     [   __,    __,    __,    __,    __,    __, 0x083], DATA1, FADD),
    atomic("image_atomic_min_flt",     [   __,    __,    __,    __,    __,    __, 0x084], DATA1, FMIN).alias(&[(G12, "image_atomic_min_num_flt")]),
    atomic("image_atomic_max_flt",     [   __,    __,    __,    __,    __,    __, 0x085], DATA1, FMAX).alias(&[(G12, "image_atomic_max_num_flt")]),
    atomic("image_atomic_pk_add_f16",  [   __,    __,    __,    __,    __,    __, 0x086], DATA1, PK_F16),
    atomic("image_atomic_pk_add_bf16", [   __,    __,    __,    __,    __,    __, 0x087], DATA1, PK_BF16),
];
const _: () = check(IMAGE_ATOMIC);

/// Samples.
#[rustfmt::skip]
pub static IMAGE_SAMPLE: &[Inst] = &[
    //                                      gfx6   gfx7   gfx8   gfx9  gfx10  gfx11  gfx12   dst    sources
    sample("image_sample",               [0x020, 0x020, 0x020, 0x020, 0x020, 0x01b, 0x01b], &[at(&[XYZ]), RSRC, SAMP]).on(&[IMAGES]),
    sample("image_sample_cl",            [0x021, 0x021, 0x021, 0x021, 0x021, 0x040, 0x040], &[at(&[XYZ, CLAMP]), RSRC, SAMP]),
    sample("image_sample_d",             [0x022, 0x022, 0x022, 0x022, 0x022, 0x01c, 0x01c], &[at(&[GRAD, XYZ]), RSRC, SAMP]),
    sample("image_sample_d_cl",          [0x023, 0x023, 0x023, 0x023, 0x023, 0x041, 0x041], &[at(&[GRAD, XYZ, CLAMP]), RSRC, SAMP]),
    sample("image_sample_l",             [0x024, 0x024, 0x024, 0x024, 0x024, 0x01d, 0x01d], &[at(&[XYZ, LOD]), RSRC, SAMP]),
    sample("image_sample_b",             [0x025, 0x025, 0x025, 0x025, 0x025, 0x01e, 0x01e], &[at(&[BIAS, XYZ]), RSRC, SAMP]),
    sample("image_sample_b_cl",          [0x026, 0x026, 0x026, 0x026, 0x026, 0x042, 0x042], &[at(&[BIAS, XYZ, CLAMP]), RSRC, SAMP]),
    sample("image_sample_lz",            [0x027, 0x027, 0x027, 0x027, 0x027, 0x01f, 0x01f], &[at(&[XYZ, ZERO]), RSRC, SAMP]),
    sample("image_sample_c",             [0x028, 0x028, 0x028, 0x028, 0x028, 0x020, 0x020], &[at(&[CMP, XYZ]), RSRC, SAMP]),
    sample("image_sample_c_cl",          [0x029, 0x029, 0x029, 0x029, 0x029, 0x043, 0x043], &[at(&[CMP, XYZ, CLAMP]), RSRC, SAMP]),
    sample("image_sample_c_d",           [0x02a, 0x02a, 0x02a, 0x02a, 0x02a, 0x021, 0x021], &[at(&[CMP, GRAD, XYZ]), RSRC, SAMP]),
    sample("image_sample_c_d_cl",        [0x02b, 0x02b, 0x02b, 0x02b, 0x02b, 0x044, 0x044], &[at(&[CMP, GRAD, XYZ, CLAMP]), RSRC, SAMP]),
    sample("image_sample_c_l",           [0x02c, 0x02c, 0x02c, 0x02c, 0x02c, 0x022, 0x022], &[at(&[CMP, XYZ, LOD]), RSRC, SAMP]),
    sample("image_sample_c_b",           [0x02d, 0x02d, 0x02d, 0x02d, 0x02d, 0x023, 0x023], &[at(&[BIAS, CMP, XYZ]), RSRC, SAMP]),
    sample("image_sample_c_b_cl",        [0x02e, 0x02e, 0x02e, 0x02e, 0x02e, 0x045, 0x045], &[at(&[BIAS, CMP, XYZ, CLAMP]), RSRC, SAMP]),
    sample("image_sample_c_lz",          [0x02f, 0x02f, 0x02f, 0x02f, 0x02f, 0x024, 0x024], &[at(&[CMP, XYZ, ZERO]), RSRC, SAMP]),
    sample("image_sample_o",             [0x030, 0x030, 0x030, 0x030, 0x030, 0x025, 0x025], &[at(&[OFS, XYZ]), RSRC, SAMP]),
    sample("image_sample_cl_o",          [0x031, 0x031, 0x031, 0x031, 0x031, 0x046, 0x046], &[at(&[OFS, XYZ, CLAMP]), RSRC, SAMP]),
    sample("image_sample_d_o",           [0x032, 0x032, 0x032, 0x032, 0x032, 0x026, 0x026], &[at(&[OFS, GRAD, XYZ]), RSRC, SAMP]),
    sample("image_sample_d_cl_o",        [0x033, 0x033, 0x033, 0x033, 0x033, 0x047, 0x047], &[at(&[OFS, GRAD, XYZ, CLAMP]), RSRC, SAMP]),
    sample("image_sample_l_o",           [0x034, 0x034, 0x034, 0x034, 0x034, 0x027, 0x027], &[at(&[OFS, XYZ, LOD]), RSRC, SAMP]),
    sample("image_sample_b_o",           [0x035, 0x035, 0x035, 0x035, 0x035, 0x028, 0x028], &[at(&[OFS, BIAS, XYZ]), RSRC, SAMP]),
    sample("image_sample_b_cl_o",        [0x036, 0x036, 0x036, 0x036, 0x036, 0x048, 0x048], &[at(&[OFS, BIAS, XYZ, CLAMP]), RSRC, SAMP]),
    sample("image_sample_lz_o",          [0x037, 0x037, 0x037, 0x037, 0x037, 0x029, 0x029], &[at(&[OFS, XYZ, ZERO]), RSRC, SAMP]),
    sample("image_sample_c_o",           [0x038, 0x038, 0x038, 0x038, 0x038, 0x02a, 0x02a], &[at(&[OFS, CMP, XYZ]), RSRC, SAMP]),
    sample("image_sample_c_cl_o",        [0x039, 0x039, 0x039, 0x039, 0x039, 0x049, 0x049], &[at(&[OFS, CMP, XYZ, CLAMP]), RSRC, SAMP]),
    sample("image_sample_c_d_o",         [0x03a, 0x03a, 0x03a, 0x03a, 0x03a, 0x02b, 0x02b], &[at(&[OFS, CMP, GRAD, XYZ]), RSRC, SAMP]),
    sample("image_sample_c_d_cl_o",      [0x03b, 0x03b, 0x03b, 0x03b, 0x03b, 0x04a, 0x04a], &[at(&[OFS, CMP, GRAD, XYZ, CLAMP]), RSRC, SAMP]),
    sample("image_sample_c_l_o",         [0x03c, 0x03c, 0x03c, 0x03c, 0x03c, 0x02c, 0x02c], &[at(&[OFS, CMP, XYZ, LOD]), RSRC, SAMP]),
    sample("image_sample_c_b_o",         [0x03d, 0x03d, 0x03d, 0x03d, 0x03d, 0x02d, 0x02d], &[at(&[OFS, BIAS, CMP, XYZ]), RSRC, SAMP]),
    sample("image_sample_c_b_cl_o",      [0x03e, 0x03e, 0x03e, 0x03e, 0x03e, 0x04b, 0x04b], &[at(&[OFS, BIAS, CMP, XYZ, CLAMP]), RSRC, SAMP]),
    sample("image_sample_c_lz_o",        [0x03f, 0x03f, 0x03f, 0x03f, 0x03f, 0x02e, 0x02e], &[at(&[OFS, CMP, XYZ, ZERO]), RSRC, SAMP]),
    lod("image_get_lod",                 [0x060, 0x060, 0x060, 0x060, 0x060, 0x038, 0x038], &[at(&[XYZ]), RSRC, SAMP]),
    sample("image_sample_cd",            [0x068, 0x068, 0x068, 0x068, 0x068,    __,    __], &[at(&[GRAD, XYZ]), RSRC, SAMP]),
    sample("image_sample_cd_cl",         [0x069, 0x069, 0x069, 0x069, 0x069,    __,    __], &[at(&[GRAD, XYZ, CLAMP]), RSRC, SAMP]),
    sample("image_sample_c_cd",          [0x06a, 0x06a, 0x06a, 0x06a, 0x06a,    __,    __], &[at(&[CMP, GRAD, XYZ]), RSRC, SAMP]),
    sample("image_sample_c_cd_cl",       [0x06b, 0x06b, 0x06b, 0x06b, 0x06b,    __,    __], &[at(&[CMP, GRAD, XYZ, CLAMP]), RSRC, SAMP]),
    sample("image_sample_cd_o",          [0x06c, 0x06c, 0x06c, 0x06c, 0x06c,    __,    __], &[at(&[OFS, GRAD, XYZ]), RSRC, SAMP]),
    sample("image_sample_cd_cl_o",       [0x06d, 0x06d, 0x06d, 0x06d, 0x06d,    __,    __], &[at(&[OFS, GRAD, XYZ, CLAMP]), RSRC, SAMP]),
    sample("image_sample_c_cd_o",        [0x06e, 0x06e, 0x06e, 0x06e, 0x06e,    __,    __], &[at(&[OFS, CMP, GRAD, XYZ]), RSRC, SAMP]),
    sample("image_sample_c_cd_cl_o",     [0x06f, 0x06f, 0x06f, 0x06f, 0x06f,    __,    __], &[at(&[OFS, CMP, GRAD, XYZ, CLAMP]), RSRC, SAMP]),
    sample("image_sample_d_g16",         [   __,    __,    __,    __, 0x0a2, 0x039, 0x039], &[at(&[GRAD16, XYZ]), RSRC, SAMP]),
    sample("image_sample_d_cl_g16",      [   __,    __,    __,    __, 0x0a3, 0x05f, 0x05f], &[at(&[GRAD16, XYZ, CLAMP]), RSRC, SAMP]),
    sample("image_sample_c_d_g16",       [   __,    __,    __,    __, 0x0aa, 0x03a, 0x03a], &[at(&[CMP, GRAD16, XYZ]), RSRC, SAMP]),
    sample("image_sample_c_d_cl_g16",    [   __,    __,    __,    __, 0x0ab, 0x054, 0x054], &[at(&[CMP, GRAD16, XYZ, CLAMP]), RSRC, SAMP]),
    sample("image_sample_d_o_g16",       [   __,    __,    __,    __, 0x0b2, 0x03b, 0x03b], &[at(&[OFS, GRAD16, XYZ]), RSRC, SAMP]),
    sample("image_sample_d_cl_o_g16",    [   __,    __,    __,    __, 0x0b3, 0x055, 0x055], &[at(&[OFS, GRAD16, XYZ, CLAMP]), RSRC, SAMP]),
    sample("image_sample_c_d_o_g16",     [   __,    __,    __,    __, 0x0ba, 0x03c, 0x03c], &[at(&[OFS, CMP, GRAD16, XYZ]), RSRC, SAMP]),
    sample("image_sample_c_d_cl_o_g16",  [   __,    __,    __,    __, 0x0bb, 0x056, 0x056], &[at(&[OFS, CMP, GRAD16, XYZ, CLAMP]), RSRC, SAMP]),
    sample("image_sample_cd_g16",        [   __,    __,    __,    __, 0x0e8,    __,    __], &[at(&[GRAD16, XYZ]), RSRC, SAMP]),
    sample("image_sample_cd_cl_g16",     [   __,    __,    __,    __, 0x0e9,    __,    __], &[at(&[GRAD16, XYZ, CLAMP]), RSRC, SAMP]),
    sample("image_sample_c_cd_g16",      [   __,    __,    __,    __, 0x0ea,    __,    __], &[at(&[CMP, GRAD16, XYZ]), RSRC, SAMP]),
    sample("image_sample_c_cd_cl_g16",   [   __,    __,    __,    __, 0x0eb,    __,    __], &[at(&[CMP, GRAD16, XYZ, CLAMP]), RSRC, SAMP]),
    sample("image_sample_cd_o_g16",      [   __,    __,    __,    __, 0x0ec,    __,    __], &[at(&[OFS, GRAD16, XYZ]), RSRC, SAMP]),
    sample("image_sample_cd_cl_o_g16",   [   __,    __,    __,    __, 0x0ed,    __,    __], &[at(&[OFS, GRAD16, XYZ, CLAMP]), RSRC, SAMP]),
    sample("image_sample_c_cd_o_g16",    [   __,    __,    __,    __, 0x0ee,    __,    __], &[at(&[OFS, CMP, GRAD16, XYZ]), RSRC, SAMP]),
    sample("image_sample_c_cd_cl_o_g16", [   __,    __,    __,    __, 0x0ef,    __,    __], &[at(&[OFS, CMP, GRAD16, XYZ, CLAMP]), RSRC, SAMP]),
];
const _: () = check(IMAGE_SAMPLE);

/// Gathers.
#[rustfmt::skip]
pub static IMAGE_GATHER4: &[Inst] = &[
    //                                  gfx6   gfx7   gfx8   gfx9  gfx10  gfx11  gfx12   dst    sources
    gather("image_gather4",          [0x040, 0x040, 0x040, 0x040, 0x040, 0x02f, 0x02f], &[at(&[XYZ]), RSRC, SAMP]),
    gather("image_gather4_cl",       [0x041, 0x041, 0x041, 0x041, 0x041, 0x060, 0x060], &[at(&[XYZ, CLAMP]), RSRC, SAMP]),
    gather("image_gather4_l",        [0x044, 0x044, 0x044, 0x044, 0x044, 0x030, 0x030], &[at(&[XYZ, LOD]), RSRC, SAMP]),
    gather("image_gather4_b",        [0x045, 0x045, 0x045, 0x045, 0x045, 0x031, 0x031], &[at(&[BIAS, XYZ]), RSRC, SAMP]),
    gather("image_gather4_b_cl",     [0x046, 0x046, 0x046, 0x046, 0x046, 0x061, 0x061], &[at(&[BIAS, XYZ, CLAMP]), RSRC, SAMP]),
    gather("image_gather4_lz",       [0x047, 0x047, 0x047, 0x047, 0x047, 0x032, 0x032], &[at(&[XYZ, ZERO]), RSRC, SAMP]),
    gather("image_gather4_c",        [0x048, 0x048, 0x048, 0x048, 0x048, 0x033, 0x033], &[at(&[CMP, XYZ]), RSRC, SAMP]),
    gather("image_gather4_c_cl",     [0x049, 0x049, 0x049, 0x049, 0x049, 0x062, 0x062], &[at(&[CMP, XYZ, CLAMP]), RSRC, SAMP]),
    gather("image_gather4_c_l",      [0x04c, 0x04c, 0x04c, 0x04c, 0x04c, 0x063, 0x063], &[at(&[CMP, XYZ, LOD]), RSRC, SAMP]),
    gather("image_gather4_c_b",      [0x04d, 0x04d, 0x04d, 0x04d, 0x04d, 0x064, 0x064], &[at(&[BIAS, CMP, XYZ]), RSRC, SAMP]),
    gather("image_gather4_c_b_cl",   [0x04e, 0x04e, 0x04e, 0x04e, 0x04e, 0x065, 0x065], &[at(&[BIAS, CMP, XYZ, CLAMP]), RSRC, SAMP]),
    gather("image_gather4_c_lz",     [0x04f, 0x04f, 0x04f, 0x04f, 0x04f, 0x034, 0x034], &[at(&[CMP, XYZ, ZERO]), RSRC, SAMP]),
    gather("image_gather4_o",        [0x050, 0x050, 0x050, 0x050, 0x050, 0x035, 0x035], &[at(&[OFS, XYZ]), RSRC, SAMP]),
    gather("image_gather4_cl_o",     [0x051, 0x051, 0x051, 0x051, 0x051,    __,    __], &[at(&[OFS, XYZ, CLAMP]), RSRC, SAMP]),
    gather("image_gather4_l_o",      [0x054, 0x054, 0x054, 0x054, 0x054,    __,    __], &[at(&[OFS, XYZ, LOD]), RSRC, SAMP]),
    gather("image_gather4_b_o",      [0x055, 0x055, 0x055, 0x055, 0x055,    __,    __], &[at(&[OFS, BIAS, XYZ]), RSRC, SAMP]),
    gather("image_gather4_b_cl_o",   [0x056, 0x056, 0x056, 0x056, 0x056,    __,    __], &[at(&[OFS, BIAS, XYZ, CLAMP]), RSRC, SAMP]),
    gather("image_gather4_lz_o",     [0x057, 0x057, 0x057, 0x057, 0x057, 0x036, 0x036], &[at(&[OFS, XYZ, ZERO]), RSRC, SAMP]),
    gather("image_gather4_c_o",      [0x058, 0x058, 0x058, 0x058, 0x058,    __,    __], &[at(&[OFS, CMP, XYZ]), RSRC, SAMP]),
    gather("image_gather4_c_cl_o",   [0x059, 0x059, 0x059, 0x059, 0x059,    __,    __], &[at(&[OFS, CMP, XYZ, CLAMP]), RSRC, SAMP]),
    gather("image_gather4_c_l_o",    [0x05c, 0x05c, 0x05c, 0x05c, 0x05c,    __,    __], &[at(&[OFS, CMP, XYZ, LOD]), RSRC, SAMP]),
    gather("image_gather4_c_b_o",    [0x05d, 0x05d, 0x05d, 0x05d, 0x05d,    __,    __], &[at(&[OFS, BIAS, CMP, XYZ]), RSRC, SAMP]),
    gather("image_gather4_c_b_cl_o", [0x05e, 0x05e, 0x05e, 0x05e, 0x05e,    __,    __], &[at(&[OFS, BIAS, CMP, XYZ, CLAMP]), RSRC, SAMP]),
    gather("image_gather4_c_lz_o",   [0x05f, 0x05f, 0x05f, 0x05f, 0x05f, 0x037, 0x037], &[at(&[OFS, CMP, XYZ, ZERO]), RSRC, SAMP]),
    gather("image_gather4h",         [   __,    __,    __, 0x042, 0x061, 0x090, 0x090], &[at(&[XYZ]), RSRC, SAMP]).does(GATHER_ROW),
];
const _: () = check(IMAGE_GATHER4);
