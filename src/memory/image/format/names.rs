//! Names: of formats that exist and are not executed, and of what pairs are made of up to gfx9.

use crate::isa::arch::{Gen, Target, Variants};

/// Unified formats that are not executed, with their numbers on gfx10, and on gfx11 and gfx12; 0 where there is none.
#[rustfmt::skip]
static UNIFIED: [(&str, u16, u16); 135] = [
    // name                     gfx10, gfx11
    ("6E4_FLOAT",                  131, 227),
    ("1_UNORM",                    138,  73),
    ("1_REVERSED_UNORM",           139,  74),
    ("GB_GR_UNORM",                147,  82),
    ("GB_GR_SNORM",                148,  83),
    ("GB_GR_UINT",                 149,  84),
    ("GB_GR_SRGB",                 150,  85),
    ("BG_RG_UNORM",                151,  86),
    ("BG_RG_SNORM",                152,  87),
    ("BG_RG_UINT",                 153,  88),
    ("BG_RG_SRGB",                 154,  89),
    ("FMASK8_S2_F1",               156,   0),
    ("FMASK8_S4_F1",               157,   0),
    ("FMASK8_S8_F1",               158,   0),
    ("FMASK8_S2_F2",               159,   0),
    ("FMASK8_S4_F2",               160,   0),
    ("FMASK8_S4_F4",               161,   0),
    ("FMASK16_S16_F1",             162,   0),
    ("FMASK16_S8_F2",              163,   0),
    ("FMASK32_S16_F2",             164,   0),
    ("FMASK32_S8_F4",              165,   0),
    ("FMASK32_S8_F8",              166,   0),
    ("FMASK64_S16_F4",             167,   0),
    ("FMASK64_S16_F8",             168,   0),
    ("ETC2_RGB_UNORM",             183,   0),
    ("ETC2_RGB_SRGB",              184,   0),
    ("ETC2_RGBA_UNORM",            185,   0),
    ("ETC2_RGBA_SRGB",             186,   0),
    ("ETC2_R_UNORM",               187,   0),
    ("ETC2_R_SNORM",               188,   0),
    ("ETC2_RG_UNORM",              189,   0),
    ("ETC2_RG_SNORM",              190,   0),
    ("ETC2_RGBA1_UNORM",           191,   0),
    ("ETC2_RGBA1_SRGB",            192,   0),
    ("ASTC_2D_LDR_4X4",            193,   0),
    ("ASTC_2D_LDR_5X4",            194,   0),
    ("ASTC_2D_LDR_5X5",            195,   0),
    ("ASTC_2D_LDR_6X5",            196,   0),
    ("ASTC_2D_LDR_6X6",            197,   0),
    ("ASTC_2D_LDR_8X5",            198,   0),
    ("ASTC_2D_LDR_8X6",            199,   0),
    ("ASTC_2D_LDR_8X8",            200,   0),
    ("ASTC_2D_LDR_10X5",           201,   0),
    ("ASTC_2D_LDR_10X6",           202,   0),
    ("ASTC_2D_LDR_10X8",           203,   0),
    ("ASTC_2D_LDR_10X10",          204,   0),
    ("ASTC_2D_LDR_12X10",          205,   0),
    ("ASTC_2D_LDR_12X12",          206,   0),
    ("ASTC_2D_HDR_4X4",            207,   0),
    ("ASTC_2D_HDR_5X4",            208,   0),
    ("ASTC_2D_HDR_5X5",            209,   0),
    ("ASTC_2D_HDR_6X5",            210,   0),
    ("ASTC_2D_HDR_6X6",            211,   0),
    ("ASTC_2D_HDR_8X5",            212,   0),
    ("ASTC_2D_HDR_8X6",            213,   0),
    ("ASTC_2D_HDR_8X8",            214,   0),
    ("ASTC_2D_HDR_10X5",           215,   0),
    ("ASTC_2D_HDR_10X6",           216,   0),
    ("ASTC_2D_HDR_10X8",           217,   0),
    ("ASTC_2D_HDR_10X10",          218,   0),
    ("ASTC_2D_HDR_12X10",          219,   0),
    ("ASTC_2D_HDR_12X12",          220,   0),
    ("ASTC_2D_LDR_SRGB_4X4",       221,   0),
    ("ASTC_2D_LDR_SRGB_5X4",       222,   0),
    ("ASTC_2D_LDR_SRGB_5X5",       223,   0),
    ("ASTC_2D_LDR_SRGB_6X5",       224,   0),
    ("ASTC_2D_LDR_SRGB_6X6",       225,   0),
    ("ASTC_2D_LDR_SRGB_8X5",       226,   0),
    ("ASTC_2D_LDR_SRGB_8X6",       227,   0),
    ("ASTC_2D_LDR_SRGB_8X8",       228,   0),
    ("ASTC_2D_LDR_SRGB_10X5",      229,   0),
    ("ASTC_2D_LDR_SRGB_10X6",      230,   0),
    ("ASTC_2D_LDR_SRGB_10X8",      231,   0),
    ("ASTC_2D_LDR_SRGB_10X10",     232,   0),
    ("ASTC_2D_LDR_SRGB_12X10",     233,   0),
    ("ASTC_2D_LDR_SRGB_12X12",     234,   0),
    ("ASTC_3D_LDR_3X3X3",          235,   0),
    ("ASTC_3D_LDR_4X3X3",          236,   0),
    ("ASTC_3D_LDR_4X4X3",          237,   0),
    ("ASTC_3D_LDR_4X4X4",          238,   0),
    ("ASTC_3D_LDR_5X4X4",          239,   0),
    ("ASTC_3D_LDR_5X5X4",          240,   0),
    ("ASTC_3D_LDR_5X5X5",          241,   0),
    ("ASTC_3D_LDR_6X5X5",          242,   0),
    ("ASTC_3D_LDR_6X6X5",          243,   0),
    ("ASTC_3D_LDR_6X6X6",          244,   0),
    ("ASTC_3D_HDR_3X3X3",          245,   0),
    ("ASTC_3D_HDR_4X3X3",          246,   0),
    ("ASTC_3D_HDR_4X4X3",          247,   0),
    ("ASTC_3D_HDR_4X4X4",          248,   0),
    ("ASTC_3D_HDR_5X4X4",          249,   0),
    ("ASTC_3D_HDR_5X5X4",          250,   0),
    ("ASTC_3D_HDR_5X5X5",          251,   0),
    ("ASTC_3D_HDR_6X5X5",          252,   0),
    ("ASTC_3D_HDR_6X6X5",          253,   0),
    ("ASTC_3D_HDR_6X6X6",          254,   0),
    ("ASTC_3D_LDR_SRGB_3X3X3",     255,   0),
    ("ASTC_3D_LDR_SRGB_4X3X3",     256,   0),
    ("ASTC_3D_LDR_SRGB_4X4X3",     257,   0),
    ("ASTC_3D_LDR_SRGB_4X4X4",     258,   0),
    ("ASTC_3D_LDR_SRGB_5X4X4",     259,   0),
    ("ASTC_3D_LDR_SRGB_5X5X4",     260,   0),
    ("ASTC_3D_LDR_SRGB_5X5X5",     261,   0),
    ("ASTC_3D_LDR_SRGB_6X5X5",     262,   0),
    ("ASTC_3D_LDR_SRGB_6X6X5",     263,   0),
    ("ASTC_3D_LDR_SRGB_6X6X6",     264,   0),
    ("MM_8_UNORM",                 265, 207),
    ("MM_8_UINT",                  266, 208),
    ("MM_8_8_UNORM",               267, 209),
    ("MM_8_8_UINT",                268, 210),
    ("MM_8_8_8_8_UNORM",           269, 211),
    ("MM_8_8_8_8_UINT",            270, 212),
    ("MM_VYUY8_UNORM",             271, 213),
    ("MM_VYUY8_UINT",              272, 214),
    ("MM_10_11_11_UNORM",          273, 215),
    ("MM_10_11_11_UINT",           274, 216),
    ("MM_2_10_10_10_UNORM",        275, 217),
    ("MM_2_10_10_10_UINT",         276, 218),
    ("MM_16_16_16_16_UNORM",       277, 219),
    ("MM_16_16_16_16_UINT",        278, 220),
    ("MM_10_IN_16_UNORM",          279,  90),
    ("MM_10_IN_16_UINT",           280,  91),
    ("MM_10_IN_16_16_UNORM",       281,  92),
    ("MM_10_IN_16_16_UINT",        282,  93),
    ("MM_10_IN_16_16_16_16_UNORM", 283,  94),
    ("MM_10_IN_16_16_16_16_UINT",  284,  95),
    ("7E3_FLOAT",                  285, 228),
    ("YCBCR_UNORM",                286, 205),
    ("YCBCR_SRGB",                 287, 206),
    ("MM_12_IN_16_UNORM",          288, 221),
    ("MM_12_IN_16_UINT",           289, 222),
    ("MM_12_IN_16_16_UNORM",       290, 223),
    ("MM_12_IN_16_16_UINT",        291, 224),
    ("MM_12_IN_16_16_16_16_UNORM", 292, 225),
    ("MM_12_IN_16_16_16_16_UINT",  293, 226),
];

/// The name of a unified format that is not executed.
pub(super) fn unified(number: u32, target: &Target) -> Option<&'static str> {
    let gfx10 = target.generation() == Gen::Gfx10;
    let named = |&&(_, ten, eleven): &&(&str, u16, u16)| u32::from(if gfx10 { ten } else { eleven }) == number;
    // The headers reserve what is behind it before gfx10.3 (Mesa names some otherwise: they are none of its formats).
    const LAST_OF_GFX10_1: u32 = 284;
    if number == 0 || gfx10 && number > LAST_OF_GFX10_1 && !target.is(Variants::G1030) {
        return None;
    }
    UNIFIED.iter().find(named).map(|&(name, ..)| name)
}

/// Data formats of gfx6 to gfx8: the row is the number. Nothing where it is reserved.
#[rustfmt::skip]
static DATA: [&str; 64] = [
    "INVALID", "8", "16", "8_8", "32", "16_16", "10_11_11", "11_11_10", "10_10_10_2", "2_10_10_10", "8_8_8_8",
    "32_32", "16_16_16_16", "32_32_32", "32_32_32_32", "",
    "5_6_5", "1_5_5_5", "5_5_5_1", "4_4_4_4", "8_24", "24_8", "X24_8_32", "", "", "", "", "", "", "", "", "",
    "GB_GR", "BG_RG", "5_9_9_9", "BC1", "BC2", "BC3", "BC4", "BC5", "BC6", "BC7", "", "", "FMASK8_S2_F1",
    "FMASK8_S4_F1", "FMASK8_S8_F1", "FMASK8_S2_F2",
    "FMASK8_S4_F2", "FMASK8_S4_F4", "FMASK16_S16_F1", "FMASK16_S8_F2", "FMASK32_S16_F2", "FMASK32_S8_F4",
    "FMASK32_S8_F8", "FMASK64_S16_F4", "FMASK64_S16_F8", "4_4", "6_5_5", "1", "1_REVERSED", "32_AS_8",
    "32_AS_8_8", "32_AS_32_32_32_32",
];

/// Data formats of gfx9.
#[rustfmt::skip]
static DATA_GFX9: [&str; 64] = [
    "INVALID", "8", "16", "8_8", "32", "16_16", "10_11_11", "11_11_10", "10_10_10_2", "2_10_10_10", "8_8_8_8",
    "32_32", "16_16_16_16", "32_32_32", "32_32_32_32", "",
    "5_6_5", "1_5_5_5", "5_5_5_1", "4_4_4_4", "8_24", "24_8", "X24_8_32", "8_AS_8_8_8_8", "ETC2_RGB",
    "ETC2_RGBA", "ETC2_R", "ETC2_RG", "ETC2_RGBA1", "", "", "6E4",
    "GB_GR", "BG_RG", "5_9_9_9", "BC1", "BC2", "BC3", "BC4", "BC5", "BC6", "BC7", "16_AS_32_32",
    "16_AS_16_16_16_16", "16_AS_32_32_32_32", "FMASK", "ASTC_2D_LDR", "ASTC_2D_HDR",
    "ASTC_2D_LDR_SRGB", "ASTC_3D_LDR", "ASTC_3D_HDR", "ASTC_3D_LDR_SRGB", "N_IN_16", "N_IN_16_16",
    "N_IN_16_16_16_16", "N_IN_16_AS_16_16_16_16", "", "4_4", "6_5_5", "", "", "8_AS_32", "8_AS_32_32",
    "32_AS_32_32_32_32",
];

/// Numeric formats.
#[rustfmt::skip]
static NUM: [&str; 16] = [
    "UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "SNORM_OGL", "FLOAT",
    "RESERVED_8", "SRGB", "UBNORM", "UBNORM_OGL", "UBINT", "UBSCALED", "RESERVED_14", "RESERVED_15",
];

/// The name of a data format up to gfx9; empty where there is none.
pub(super) fn data(data: u32, target: &Target) -> &'static str {
    let table = match target.generation() {
        Gen::Gfx9 => &DATA_GFX9,
        // Stoney has ETC2 as gfx9 has it.
        _ if target.is(Variants::G81) && (24..29).contains(&data) => &DATA_GFX9,
        _ => &DATA,
    };
    table.get(data as usize).copied().unwrap_or("")
}

/// The name of a numeric format up to gfx9.
pub(super) fn num(num: u32, target: &Target) -> &'static str {
    match (num, target.generation()) {
        (6, Gen::Gfx8) => "RESERVED_6",
        (6, Gen::Gfx9) => "UNORM_UINT",
        (10..14, Gen::Gfx9) => ["RESERVED_10", "RESERVED_11", "RESERVED_12", "RESERVED_13"][num as usize - 10],
        _ => NUM.get(num as usize).copied().unwrap_or("RESERVED"),
    }
}
