//! Floats of the scalar unit: gfx12, and gfx11.5. A 16-bit result clears the half above it.

use super::super::reference::{self, Format, H, Op, S, Whole, arith};
use super::super::{Modes, Operation};
use super::compare::{holds, order};
use super::extremes::{max, maximum, min, minimum};
use super::{F16, F32, I32, I64, three};
use rustc_apfloat::Round;
use std::cmp::Ordering::{Equal, Greater, Less};

/// An operation in scalar registers.
macro_rules! scalar {
    ($name:expr, $code:expr, $args:expr, $bits:literal, $modes:ident, |$m:pat_param, $v:pat_param| $reference:expr) => {
        Operation {
            name: $name,
            code: &[$code],
            args: &$args,
            bits: $bits,
            flag: false,
            scalar: true,
            last: u32::MAX,
            modes: Modes::$modes,
            reference: |$m, $v| ($reference, 0),
        }
    };
}

/// A comparison, whose result is SCC.
macro_rules! compare {
    ($($name:literal $how:expr;)*) => {
        &[$(
            scalar!(concat!("s_cmp_", $name, "_f16"), concat!("s_cmp_", $name, "_f16 {a}, {b}; s_cselect_b32 {d}, 1, 0"), [F16, F16], 32, Other, |m, v| holds($how, order::<H>(m, v))),
            scalar!(concat!("s_cmp_", $name, "_f32"), concat!("s_cmp_", $name, "_f32 {a}, {b}; s_cselect_b32 {d}, 1, 0"), [F32, F32], 32, Single, |m, v| holds($how, order::<S>(m, v))),
        )*]
    };
}

/// The comparisons.
#[rustfmt::skip]
pub static COMPARE: &[Operation] = compare! {
    "lt" [Some(Less)];
    "eq" [Some(Equal)];
    "le" [Some(Less), Some(Equal)];
    "gt" [Some(Greater)];
    "lg" [Some(Less), Some(Greater)];
    "ge" [Some(Greater), Some(Equal)];
    "o"  [Some(Less), Some(Equal), Some(Greater)];
    "u"  [None];
    "nge" [Some(Less), None];
    "nlg" [Some(Equal), None];
    "ngt" [Some(Less), Some(Equal), None];
    "nle" [Some(Greater), None];
    "neq" [Some(Less), Some(Greater), None];
    "nlt" [Some(Greater), Some(Equal), None];
};

/// The others.
#[rustfmt::skip]
pub static TABLE: &[Operation] = &[
    scalar!("s_add_f16", "s_add_f16 {d}, {a}, {b}", [F16, F16], 32, Other, |m, v| arith::<H>(m, Op::Add, three(v))),
    scalar!("s_sub_f16", "s_sub_f16 {d}, {a}, {b}", [F16, F16], 32, Other, |m, v| arith::<H>(m, Op::Sub, three(v))),
    scalar!("s_mul_f16", "s_mul_f16 {d}, {a}, {b}", [F16, F16], 32, Other, |m, v| arith::<H>(m, Op::Mul, three(v))),
    scalar!("s_fmac_f16", "s_mov_b32 {d}, {c}; s_fmac_f16 {d}, {a}, {b}", [F16, F16, F16], 32, Other, |m, v| arith::<H>(m, Op::Fma, three(v))),
    scalar!("s_min_f16", "s_min_num_f16 {d}, {a}, {b}", [F16, F16], 32, Other, |m, v| min(m, Format::F16, v[0], v[1])),
    scalar!("s_max_f16", "s_max_num_f16 {d}, {a}, {b}", [F16, F16], 32, Other, |m, v| max(m, Format::F16, v[0], v[1])),
    scalar!("s_minimum_f16", "s_minimum_f16 {d}, {a}, {b}", [F16, F16], 32, Other, |m, v| minimum(m, Format::F16, v[0], v[1])),
    scalar!("s_maximum_f16", "s_maximum_f16 {d}, {a}, {b}", [F16, F16], 32, Other, |m, v| maximum(m, Format::F16, v[0], v[1])),
    scalar!("s_ceil_f16",  "s_ceil_f16 {d}, {a}",  [F16], 32, Other, |m, v| reference::whole::<H>(m, Round::TowardPositive, v[0])),
    scalar!("s_floor_f16", "s_floor_f16 {d}, {a}", [F16], 32, Other, |m, v| reference::whole::<H>(m, Round::TowardNegative, v[0])),
    scalar!("s_trunc_f16", "s_trunc_f16 {d}, {a}", [F16], 32, Other, |m, v| reference::whole::<H>(m, Round::TowardZero, v[0])),
    scalar!("s_rndne_f16", "s_rndne_f16 {d}, {a}", [F16], 32, Other, |m, v| reference::whole::<H>(m, Round::NearestTiesToEven, v[0])),

    scalar!("s_add_f32", "s_add_f32 {d}, {a}, {b}", [F32, F32], 32, Single, |m, v| arith::<S>(m, Op::Add, three(v))),
    scalar!("s_sub_f32", "s_sub_f32 {d}, {a}, {b}", [F32, F32], 32, Single, |m, v| arith::<S>(m, Op::Sub, three(v))),
    scalar!("s_mul_f32", "s_mul_f32 {d}, {a}, {b}", [F32, F32], 32, Single, |m, v| arith::<S>(m, Op::Mul, three(v))),
    scalar!("s_fmac_f32", "s_mov_b32 {d}, {c}; s_fmac_f32 {d}, {a}, {b}", [F32, F32, F32], 32, Single, |m, v| arith::<S>(m, Op::Fma, three(v))),
    scalar!("s_fmaak_f32", "s_fmaak_f32 {d}, {a}, {b}, 0xc0490fdb", [F32, F32], 32, Single, |m, v| arith::<S>(m, Op::Fma, [v[0], v[1], 0xc049_0fdb])),
    scalar!("s_fmamk_f32", "s_fmamk_f32 {d}, {a}, 0xc0490fdb, {b}", [F32, F32], 32, Single, |m, v| arith::<S>(m, Op::Fma, [v[0], 0xc049_0fdb, v[1]])),
    scalar!("s_min_f32", "s_min_num_f32 {d}, {a}, {b}", [F32, F32], 32, Single, |m, v| min(m, Format::F32, v[0], v[1])),
    scalar!("s_max_f32", "s_max_num_f32 {d}, {a}, {b}", [F32, F32], 32, Single, |m, v| max(m, Format::F32, v[0], v[1])),
    scalar!("s_minimum_f32", "s_minimum_f32 {d}, {a}, {b}", [F32, F32], 32, Single, |m, v| minimum(m, Format::F32, v[0], v[1])),
    scalar!("s_maximum_f32", "s_maximum_f32 {d}, {a}, {b}", [F32, F32], 32, Single, |m, v| maximum(m, Format::F32, v[0], v[1])),
    scalar!("s_ceil_f32",  "s_ceil_f32 {d}, {a}",  [F32], 32, Single, |m, v| reference::whole::<S>(m, Round::TowardPositive, v[0])),
    scalar!("s_floor_f32", "s_floor_f32 {d}, {a}", [F32], 32, Single, |m, v| reference::whole::<S>(m, Round::TowardNegative, v[0])),
    scalar!("s_trunc_f32", "s_trunc_f32 {d}, {a}", [F32], 32, Single, |m, v| reference::whole::<S>(m, Round::TowardZero, v[0])),
    scalar!("s_rndne_f32", "s_rndne_f32 {d}, {a}", [F32], 32, Single, |m, v| reference::whole::<S>(m, Round::NearestTiesToEven, v[0])),

    scalar!("s_cvt_f32_f16",    "s_cvt_f32_f16 {d}, {a}",    [F16], 32, Both, |m, v| reference::convert::<H, S>(m, v[0])),
    scalar!("s_cvt_hi_f32_f16", "s_lshl_b32 {t}, {a}, 16; s_cvt_hi_f32_f16 {d}, {t}", [F16], 32, Both, |m, v| reference::convert::<H, S>(m, v[0])),
    scalar!("s_cvt_f16_f32",    "s_cvt_f16_f32 {d}, {a}",    [F32], 32, Both, |m, v| reference::convert::<S, H>(m, v[0])),
    scalar!("s_cvt_pk_rtz_f16_f32", "s_cvt_pk_rtz_f16_f32 {d}, {a}, {b}", [F32, F32], 32, Both, |m, v| reference::pkrtz(m, v[0], v[1])),
    scalar!("s_cvt_f32_i32",    "s_cvt_f32_i32 {d}, {a}",    [I32], 32, Single, |m, v| reference::from_int::<S>(m, i64::from(v[0] as i32))),
    scalar!("s_cvt_f32_u32",    "s_cvt_f32_u32 {d}, {a}",    [I32], 32, Single, |m, v| reference::from_int::<S>(m, i64::from(v[0] as u32))),
    scalar!("s_cvt_i32_f32",    "s_cvt_i32_f32 {d}, {a}",    [F32], 32, Single, |m, v| reference::to_int::<S>(m, v[0], 32, true, Whole::Trunc)),
    scalar!("s_cvt_u32_f32",    "s_cvt_u32_f32 {d}, {a}",    [F32], 32, Single, |m, v| reference::to_int::<S>(m, v[0], 32, false, Whole::Trunc)),

    // Integers that no text of RDNA3 has.
    scalar!("s_add_nc_u64", "s_add_nc_u64 {d}, {a}, {b}", [I64, I64], 64, None, |_, v| v[0].wrapping_add(v[1])),
    scalar!("s_sub_nc_u64", "s_sub_nc_u64 {d}, {a}, {b}", [I64, I64], 64, None, |_, v| v[0].wrapping_sub(v[1])),
    scalar!("s_mul_u64",    "s_mul_u64 {d}, {a}, {b}",    [I64, I64], 64, None, |_, v| v[0].wrapping_mul(v[1])),
    scalar!("s_ff0_i32_b32", "s_ff0_i32_b32 {d}, {a}", [I32], 32, None, |_, v| first((v[0] as u32).trailing_ones(), 32)),
    scalar!("s_ff0_i32_b64", "s_ff0_i32_b64 {d}, {a}", [I64], 32, None, |_, v| first(v[0].trailing_ones(), 64)),
    scalar!("s_max_i32 scc", "s_max_i32 {t}, {a}, {b}; s_cselect_b32 {d}, 1, 0", [I32, I32], 32, None, |_, v| u64::from(v[0] as i32 >= v[1] as i32)),
    scalar!("s_max_u32 scc", "s_max_u32 {t}, {a}, {b}; s_cselect_b32 {d}, 1, 0", [I32, I32], 32, None, |_, v| u64::from(v[0] as u32 >= v[1] as u32)),
    scalar!("s_max_i32 scc of equals", "s_max_i32 {t}, {a}, {a}; s_cselect_b32 {d}, 1, 0", [I32], 32, None, |_, _| 1),
    scalar!("s_max_u32 scc of equals", "s_max_u32 {t}, {a}, {a}; s_cselect_b32 {d}, 1, 0", [I32], 32, None, |_, _| 1),
];

/// A position, or -1 where there is none.
fn first(n: u32, bits: u32) -> u64 {
    if n == bits { 0xffff_ffff } else { n.into() }
}
