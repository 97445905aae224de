//! The edge values of each type: where arithmetic goes wrong first. Written once, for cases and suites alike.
//!
//! Floats: both zeros, ones, the neighbours of one, the least and the largest denormal and normal number, infinities, quiet and
//! signalling NaN with payloads, halves (ties of conversions), the limits of integers, and pi.
//! Integers: zero, ones, the limits with and without a sign and their neighbours, the amounts at which shifts change (31, 32, 33, 63, 64),
//! single bits and patterns. The order is part of the case format: `edges(f32)` counts through it, lane by lane.

use crate::isa::types::Ty;

/// The edge values of a type, as bits.
#[must_use]
pub fn edges(ty: Ty) -> &'static [u64] {
    match ty {
        Ty::U8 | Ty::I8 => INT8,
        Ty::U16 | Ty::I16 => INT16,
        Ty::U32 | Ty::I32 => INT32,
        Ty::U64 | Ty::I64 => INT64,
        Ty::F16 => F16,
        Ty::Bf16 => BF16,
        Ty::F32 => F32,
        Ty::F64 => F64,
    }
}

#[rustfmt::skip]
const INT8: &[u64] = &[
    0, 1, 2, 0xff, 0xfe, 0x7f, 0x80, 0x81, 7, 8, 9, 0x55, 0xaa, 0x10,
];

#[rustfmt::skip]
const INT16: &[u64] = &[
    0, 1, 2, 0xffff, 0xfffe, 0x7fff, 0x8000, 0x8001, // zero, small, limits
    15, 16, 17, 31, 32,                              // shifts
    0xff, 0x100, 0x80, 0xff80, 0x5555, 0xaaaa,       // bytes and patterns
];

#[rustfmt::skip]
const INT32: &[u64] = &[
    0, 1, 2, 0xffff_ffff, 0xffff_fffe,               // zero and small
    0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0x7fff_fffe, // limits with a sign
    15, 16, 31, 32, 33, 63, 64,                      // shifts
    0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x0001_0000, 0xffff_8000, 0xffff_7fff, // limits of narrower types
    0x00ff_ffff, 0x0100_0000, 0x007f_ffff, 0x0080_0000, // 24 bits
    0x5555_5555, 0xaaaa_aaaa, 0x0123_4567, 0xdead_beef, // patterns
];

#[rustfmt::skip]
const INT64: &[u64] = &[
    0, 1, 2, 0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_fffe,
    0x7fff_ffff_ffff_ffff, 0x8000_0000_0000_0000, 0x8000_0000_0000_0001,
    31, 32, 33, 63, 64, 65,
    0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x1_0000_0000, 0x1_0000_0001, 0xffff_ffff_0000_0000, 0xffff_ffff_8000_0000,
    0x20_0000_0000_0000, 0x20_0000_0000_0001, // 2^53: beyond it not every integer is an f64
    0x5555_5555_5555_5555, 0xaaaa_aaaa_aaaa_aaaa, 0x0123_4567_89ab_cdef,
];

#[rustfmt::skip]
const F16: &[u64] = &[
    0x0000, 0x8000, 0x3c00, 0xbc00, 0x4000, 0xc000,  // +-0, +-1, +-2
    0x3bff, 0x3c01, 0x3800, 0x3e00, 0x4100, 0xb800,  // around 1; 0.5, 1.5, 2.5, -0.5: ties
    0x0001, 0x8001, 0x03ff, 0x83ff, 0x0400, 0x8400,  // denormals, least normal
    0x7bff, 0xfbff, 0x7c00, 0xfc00,                  // largest, infinities
    0x7e00, 0xfe00, 0x7e01, 0x7fff, 0x7c01, 0xfc01, 0x7dff, // quiet, then signalling NaN
    0x6400, 0x63ff, 0x6800, 0x77ff, 0x7800, 0x4248,  // 2^10, integers end, 2^15, pi
];

#[rustfmt::skip]
const BF16: &[u64] = &[
    0x0000, 0x8000, 0x3f80, 0xbf80, 0x4000, 0xc000,
    0x3f7f, 0x3f81, 0x3f00, 0x3fc0, 0x4020, 0xbf00,
    0x0001, 0x8001, 0x007f, 0x807f, 0x0080, 0x8080,
    0x7f7f, 0xff7f, 0x7f80, 0xff80,
    0x7fc0, 0xffc0, 0x7fc1, 0x7fff, 0x7f81, 0xff81, 0x7fbf,
    0x4049,
];

#[rustfmt::skip]
const F32: &[u64] = &[
    0x0000_0000, 0x8000_0000, 0x3f80_0000, 0xbf80_0000, 0x4000_0000, 0xc000_0000, // +-0, +-1, +-2
    0x3f7f_ffff, 0x3f80_0001, 0x3f00_0000, 0x3fc0_0000, 0x4020_0000, 0xbf00_0000, // around 1; 0.5, 1.5, 2.5, -0.5: ties
    0x0000_0001, 0x8000_0001, 0x007f_ffff, 0x807f_ffff, 0x0040_0000, 0x0080_0000, 0x8080_0000, 0x0080_0001, // denormals, least normal
    0x7f7f_ffff, 0xff7f_ffff, 0x7f80_0000, 0xff80_0000,                           // largest, infinities
    0x7fc0_0000, 0xffc0_0000, 0x7fc0_0001, 0x7fff_ffff, 0x7fd5_5555,              // quiet NaN
    0x7f80_0001, 0xff80_0001, 0x7fbf_ffff, 0x7faa_aaaa,                           // signalling NaN
    0x4f00_0000, 0xcf00_0000, 0x4eff_ffff, 0x4f80_0000, 0x4f7f_ffff,              // 2^31, -2^31, 2^32 and the values below
    0x4b00_0000, 0x4b7f_ffff, 0x4b80_0000,                                        // 2^23, 2^24: integers end
    0x477f_e000, 0x477f_f000, 0x3880_0000, 0x3300_0000, 0x3380_0000,              // limits of f16: largest, tie to inf, least normal, tie to 0, least
    0x4049_0fdb, 0x5f00_0000, 0x1f80_0000,                                        // pi, 2^63, 2^-64: products underflow
];

#[rustfmt::skip]
const F64: &[u64] = &[
    0x0000_0000_0000_0000, 0x8000_0000_0000_0000, 0x3ff0_0000_0000_0000, 0xbff0_0000_0000_0000, 0x4000_0000_0000_0000,
    0x3fef_ffff_ffff_ffff, 0x3ff0_0000_0000_0001, 0x3fe0_0000_0000_0000, 0x3ff8_0000_0000_0000, 0x4004_0000_0000_0000, 0xbfe0_0000_0000_0000,
    0x0000_0000_0000_0001, 0x8000_0000_0000_0001, 0x000f_ffff_ffff_ffff, 0x800f_ffff_ffff_ffff, 0x0010_0000_0000_0000, 0x8010_0000_0000_0000,
    0x7fef_ffff_ffff_ffff, 0xffef_ffff_ffff_ffff, 0x7ff0_0000_0000_0000, 0xfff0_0000_0000_0000,
    0x7ff8_0000_0000_0000, 0xfff8_0000_0000_0000, 0x7ff8_0000_0000_0001, 0x7fff_ffff_ffff_ffff, // quiet NaN
    0x7ff0_0000_0000_0001, 0xfff0_0000_0000_0001, 0x7ff7_ffff_ffff_ffff, 0x7ff0_0000_2000_0000, // signalling NaN; one whose payload f32 can hold
    0x41e0_0000_0000_0000, 0xc1e0_0000_0000_0000, 0x41df_ffff_ffc0_0000, 0x41f0_0000_0000_0000, // 2^31, -2^31, 2^31 - 1, 2^32
    0x4330_0000_0000_0000, 0x4340_0000_0000_0000, 0x43e0_0000_0000_0000,                        // 2^52, 2^53, 2^63
    0x47ef_ffff_e000_0000, 0x47ef_ffff_f000_0000, 0x3810_0000_0000_0000, 0x36a0_0000_0000_0000, 0x3690_0000_0000_0000, // limits of f32
    0x4009_21fb_5444_2d18,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_fit_their_types_and_differ() {
        for ty in Ty::ALL {
            let all = edges(ty);
            for (i, &value) in all.iter().enumerate() {
                assert_eq!(value & !ty.mask(), 0, "{ty} {value:#x}");
                assert!(!all[..i].contains(&value), "{ty} {value:#x} is there twice");
            }
            if let Some(layout) = ty.layout() {
                let quiet = 1 << (layout.mantissa - 1);
                for want in [0, layout.sign(), 1, layout.infinity(), layout.infinity() - 1, 1 << layout.mantissa] {
                    assert!(all.contains(&want), "{ty} lacks {want:#x}");
                }
                assert!(all.iter().any(|&v| ty.is_nan(v) && v & quiet == 0), "{ty} has no signalling NaN");
            }
        }
    }
}
