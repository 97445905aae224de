//! `format:[BUF_FMT_32_FLOAT]`: the formats of typed buffer instructions.
//!
//! Up to gfx9 a format is a data format (bits 3:0) and a numeric format (bits 6:4), named apart. From gfx10 it is one
//! number, which counts through the pairs that exist: one table of pairs gives the numbers, the names, and the way from
//! the older names to them. gfx11 has fewer pairs, so that its numbers differ.

use super::gens;
use crate::isa::arch::{Gen, Target, Variants};
use crate::isa::text::{push_str, push_udec};

/// Before the name of a data format.
pub const DATA_PREFIX: &str = "BUF_DATA_FORMAT_";
/// Before the name of a numeric format.
pub const NUM_PREFIX: &str = "BUF_NUM_FORMAT_";
/// Before the name of a unified format.
pub const UNIFIED_PREFIX: &str = "BUF_FMT_";

/// The data formats: the row is the number.
#[rustfmt::skip]
pub static DATA: [&str; 16] = [
    "INVALID", "8", "16", "8_8", "32", "16_16", "10_11_11", "11_11_10",
    "10_10_10_2", "2_10_10_10", "8_8_8_8", "32_32", "16_16_16_16", "32_32_32", "32_32_32_32", "RESERVED_15",
];

/// The numeric formats: the row is the number. Number 6 has a name up to gfx9 only.
#[rustfmt::skip]
static NUM: [&str; 8] = ["UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "", "FLOAT"];

const TO_7: Variants = gens(Gen::Gfx6, Gen::Gfx7);
const FROM_10: Variants = gens(Gen::Gfx10, Gen::Gfx12);

/// The name of a numeric format; empty where the processor has none.
#[must_use]
pub fn num_name(num: u32, target: &Target) -> &'static str {
    match num {
        6 if target.is(TO_7) => "SNORM_OGL",
        6 if !target.is(FROM_10) => "RESERVED_6",
        _ => NUM.get(num as usize).copied().unwrap_or(""),
    }
}

const UNORM: u8 = 1 << 0;
const SNORM: u8 = 1 << 1;
const USCALED: u8 = 1 << 2;
const SSCALED: u8 = 1 << 3;
const UINT: u8 = 1 << 4;
const SINT: u8 = 1 << 5;
const FLOAT: u8 = 1 << 7;
const SIX: u8 = UNORM | SNORM | USCALED | SSCALED | UINT | SINT;
const WIDE: u8 = UINT | SINT | FLOAT;

/// The pairs: a data format in the order of the numbers, and its numeric formats on gfx10 and from gfx11.
#[rustfmt::skip]
const PAIRS: [(u8, u8, u8); 15] = [
    //               gfx10          gfx11
    (0,  /* INVALID */     UNORM,       UNORM),
    (1,  /* 8 */           SIX,         SIX),
    (2,  /* 16 */          SIX | FLOAT, SIX | FLOAT),
    (3,  /* 8_8 */         SIX,         SIX),
    (4,  /* 32 */          WIDE,        WIDE),
    (5,  /* 16_16 */       SIX | FLOAT, SIX | FLOAT),
    (6,  /* 10_11_11 */    SIX | FLOAT, FLOAT),
    (7,  /* 11_11_10 */    SIX | FLOAT, FLOAT),
    (8,  /* 10_10_10_2 */  SIX,         UNORM | SNORM | UINT | SINT),
    (9,  /* 2_10_10_10 */  SIX,         SIX),
    (10, /* 8_8_8_8 */     SIX,         SIX),
    (11, /* 32_32 */       WIDE,        WIDE),
    (12, /* 16_16_16_16 */ SIX | FLOAT, SIX | FLOAT),
    (13, /* 32_32_32 */    WIDE,        WIDE),
    (14, /* 32_32_32_32 */ WIDE,        WIDE),
];

/// Counts the pairs out: entry n is the data format in bits 3:0 and the numeric format in bits 6:4 of unified format n.
const fn unified<const N: usize>(gfx11: bool) -> [u8; N] {
    let mut list = [0; N];
    let (mut n, mut row) = (0, 0);
    while row < PAIRS.len() {
        let (data, gfx10, from_gfx11) = PAIRS[row];
        let nums = if gfx11 { from_gfx11 } else { gfx10 };
        let mut num = 0;
        while num < 8 {
            if nums >> num & 1 != 0 {
                list[n] = data | num << 4;
                n += 1;
            }
            num += 1;
        }
        row += 1;
    }
    assert!(n == N);
    list
}

static UNIFIED_GFX10: [u8; 78] = unified(false);
static UNIFIED_GFX11: [u8; 64] = unified(true);

/// The largest number that may be written.
pub const MAX: u32 = 127;

/// Whether formats are unified.
#[must_use]
pub fn is_unified(target: &Target) -> bool {
    target.is(FROM_10)
}

/// The format that is meant where none is written, and not printed: `8_UNORM`.
#[must_use]
pub const fn default(_target: &Target) -> u32 {
    1
}

/// The pairs of the unified formats, in the order of their numbers: data format in bits 3:0, numeric format in bits 6:4.
#[must_use]
pub fn pairs(target: &Target) -> &'static [u8] {
    if target.generation() == Gen::Gfx10 { &UNIFIED_GFX10 } else { &UNIFIED_GFX11 }
}

/// The encoding of a data format and a numeric format, if the pair exists.
#[must_use]
pub fn from_split(data: u32, num: u32, target: &Target) -> Option<u32> {
    let pair = data | num << 4;
    if !is_unified(target) {
        return Some(pair);
    }
    pairs(target).iter().position(|&p| u32::from(p) == pair).map(|n| n as u32)
}

/// The number of a unified format by the name behind [`UNIFIED_PREFIX`].
#[must_use]
pub fn find_unified(name: &str, target: &Target) -> Option<u32> {
    if name == DATA[0] {
        return Some(0);
    }
    let (data, num) = name.rsplit_once('_')?;
    let data = DATA.iter().skip(1).position(|&d| d == data)? + 1;
    let num = NUM.iter().position(|&n| n == num && !n.is_empty())?;
    from_split(data as u32, num as u32, target)
}

/// Appends what stands behind `format:`. LLVM prints nothing for the [`default`].
pub fn print(value: u32, target: &Target, out: &mut Vec<u8>) {
    let (data, num) = if is_unified(target) {
        match pairs(target).get(value as usize) {
            Some(&pair) => (u32::from(pair & 15), u32::from(pair >> 4)),
            None => return push_udec(out, u64::from(value)),
        }
    } else if value <= MAX {
        (value & 15, value >> 4)
    } else {
        return push_udec(out, u64::from(value));
    };
    out.push(b'[');
    if is_unified(target) {
        push_str(out, UNIFIED_PREFIX);
        push_str(out, DATA[data as usize]);
        if data != 0 {
            out.push(b'_');
            push_str(out, NUM[num as usize]);
        }
    } else {
        // A part at its default is left out, but for the default itself, which would leave nothing.
        if data != 1 || num == 0 {
            push_str(out, DATA_PREFIX);
            push_str(out, DATA[data as usize]);
        }
        if num != 0 {
            if data != 1 {
                out.push(b',');
            }
            push_str(out, NUM_PREFIX);
            push_str(out, num_name(num, target));
        }
    }
    out.push(b']');
}
