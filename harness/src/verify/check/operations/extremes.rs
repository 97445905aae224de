//! The smaller, the larger and the middle of operands (ALU_FACTS 6).

use super::super::reference::{Format, Machine};
use super::super::{Modes, Operation};
use super::{F16, F32, F64, TWO_F16, operation};

/// The operations.
#[rustfmt::skip]
pub static TABLE: &[Operation] = &[
    operation!("v_min_f16", ["v_min_f16 {d}, {a}, {b}", "v_min_num_f16 {d}, {a}, {b}"], [F16, F16], 16, Other, |m, v| min(m, Format::F16, v[0], v[1])),
    operation!("v_max_f16", ["v_max_f16 {d}, {a}, {b}", "v_max_num_f16 {d}, {a}, {b}"], [F16, F16], 16, Other, |m, v| max(m, Format::F16, v[0], v[1])),
    operation!("v_min_f32", ["v_min_f32 {d}, {a}, {b}", "v_min_num_f32 {d}, {a}, {b}"], [F32, F32], 32, Single, |m, v| min(m, Format::F32, v[0], v[1])),
    operation!("v_max_f32", ["v_max_f32 {d}, {a}, {b}", "v_max_num_f32 {d}, {a}, {b}"], [F32, F32], 32, Single, |m, v| max(m, Format::F32, v[0], v[1])),
    operation!("v_min_f64", ["v_min_f64 {d}, {a}, {b}", "v_min_num_f64 {d}, {a}, {b}"], [F64, F64], 64, Other, |m, v| min(m, Format::F64, v[0], v[1])),
    operation!("v_max_f64", ["v_max_f64 {d}, {a}, {b}", "v_max_num_f64 {d}, {a}, {b}"], [F64, F64], 64, Other, |m, v| max(m, Format::F64, v[0], v[1])),
    operation!("v_min_legacy_f32", ["v_min_legacy_f32 {d}, {a}, {b}"], [F32, F32], 32, Single, |_, v| legacy(v[0], v[1], false)),
    operation!("v_max_legacy_f32", ["v_max_legacy_f32 {d}, {a}, {b}"], [F32, F32], 32, Single, |_, v| legacy(v[0], v[1], true)),

    operation!("v_min3_f16", ["v_min3_f16 {d}, {a}, {b}, {c}", "v_min3_num_f16 {d}, {a}, {b}, {c}"], [F16, F16, F16], 16, Other, |m, v| min(m, Format::F16, min(m, Format::F16, v[0], v[1]), v[2])),
    operation!("v_max3_f16", ["v_max3_f16 {d}, {a}, {b}, {c}", "v_max3_num_f16 {d}, {a}, {b}, {c}"], [F16, F16, F16], 16, Other, |m, v| max(m, Format::F16, max(m, Format::F16, v[0], v[1]), v[2])),
    operation!("v_med3_f16", ["v_med3_f16 {d}, {a}, {b}, {c}", "v_med3_num_f16 {d}, {a}, {b}, {c}"], [F16, F16, F16], 16, Other, |m, v| middle(m, Format::F16, [v[0], v[1], v[2]])),
    operation!("v_min3_f32", ["v_min3_f32 {d}, {a}, {b}, {c}", "v_min3_num_f32 {d}, {a}, {b}, {c}"], [F32, F32, F32], 32, Single, |m, v| min(m, Format::F32, min(m, Format::F32, v[0], v[1]), v[2])),
    operation!("v_max3_f32", ["v_max3_f32 {d}, {a}, {b}, {c}", "v_max3_num_f32 {d}, {a}, {b}, {c}"], [F32, F32, F32], 32, Single, |m, v| max(m, Format::F32, max(m, Format::F32, v[0], v[1]), v[2])),
    operation!("v_med3_f32", ["v_med3_f32 {d}, {a}, {b}, {c}", "v_med3_num_f32 {d}, {a}, {b}, {c}"], [F32, F32, F32], 32, Single, |m, v| middle(m, Format::F32, [v[0], v[1], v[2]])),
    operation!("v_minmax_f16", ["v_minmax_f16 {d}, {a}, {b}, {c}", "v_minmax_num_f16 {d}, {a}, {b}, {c}"], [F16, F16, F16], 16, Other, |m, v| max(m, Format::F16, min(m, Format::F16, v[0], v[1]), v[2])),
    operation!("v_maxmin_f16", ["v_maxmin_f16 {d}, {a}, {b}, {c}", "v_maxmin_num_f16 {d}, {a}, {b}, {c}"], [F16, F16, F16], 16, Other, |m, v| min(m, Format::F16, max(m, Format::F16, v[0], v[1]), v[2])),
    operation!("v_minmax_f32", ["v_minmax_f32 {d}, {a}, {b}, {c}", "v_minmax_num_f32 {d}, {a}, {b}, {c}"], [F32, F32, F32], 32, Single, |m, v| max(m, Format::F32, min(m, Format::F32, v[0], v[1]), v[2])),
    operation!("v_maxmin_f32", ["v_maxmin_f32 {d}, {a}, {b}, {c}", "v_maxmin_num_f32 {d}, {a}, {b}, {c}"], [F32, F32, F32], 32, Single, |m, v| min(m, Format::F32, max(m, Format::F32, v[0], v[1]), v[2])),

    operation!("v_minimum_f16", ["v_minimum_f16 {d}, {a}, {b}"], [F16, F16], 16, Other, |m, v| minimum(m, Format::F16, v[0], v[1])),
    operation!("v_maximum_f16", ["v_maximum_f16 {d}, {a}, {b}"], [F16, F16], 16, Other, |m, v| maximum(m, Format::F16, v[0], v[1])),
    operation!("v_minimum_f32", ["v_minimum_f32 {d}, {a}, {b}"], [F32, F32], 32, Single, |m, v| minimum(m, Format::F32, v[0], v[1])),
    operation!("v_maximum_f32", ["v_maximum_f32 {d}, {a}, {b}"], [F32, F32], 32, Single, |m, v| maximum(m, Format::F32, v[0], v[1])),
    operation!("v_minimum_f64", ["v_minimum_f64 {d}, {a}, {b}"], [F64, F64], 64, Other, |m, v| minimum(m, Format::F64, v[0], v[1])),
    operation!("v_maximum_f64", ["v_maximum_f64 {d}, {a}, {b}"], [F64, F64], 64, Other, |m, v| maximum(m, Format::F64, v[0], v[1])),
    operation!("v_minimum3_f16", ["v_minimum3_f16 {d}, {a}, {b}, {c}"], [F16, F16, F16], 16, Other, |m, v| minimum(m, Format::F16, minimum(m, Format::F16, v[0], v[1]), v[2])),
    operation!("v_maximum3_f16", ["v_maximum3_f16 {d}, {a}, {b}, {c}"], [F16, F16, F16], 16, Other, |m, v| maximum(m, Format::F16, maximum(m, Format::F16, v[0], v[1]), v[2])),
    operation!("v_minimum3_f32", ["v_minimum3_f32 {d}, {a}, {b}, {c}"], [F32, F32, F32], 32, Single, |m, v| minimum(m, Format::F32, minimum(m, Format::F32, v[0], v[1]), v[2])),
    operation!("v_maximum3_f32", ["v_maximum3_f32 {d}, {a}, {b}, {c}"], [F32, F32, F32], 32, Single, |m, v| maximum(m, Format::F32, maximum(m, Format::F32, v[0], v[1]), v[2])),
    operation!("v_minimummaximum_f16", ["v_minimummaximum_f16 {d}, {a}, {b}, {c}"], [F16, F16, F16], 16, Other, |m, v| maximum(m, Format::F16, minimum(m, Format::F16, v[0], v[1]), v[2])),
    operation!("v_maximumminimum_f16", ["v_maximumminimum_f16 {d}, {a}, {b}, {c}"], [F16, F16, F16], 16, Other, |m, v| minimum(m, Format::F16, maximum(m, Format::F16, v[0], v[1]), v[2])),
    operation!("v_minimummaximum_f32", ["v_minimummaximum_f32 {d}, {a}, {b}, {c}"], [F32, F32, F32], 32, Single, |m, v| maximum(m, Format::F32, minimum(m, Format::F32, v[0], v[1]), v[2])),
    operation!("v_maximumminimum_f32", ["v_maximumminimum_f32 {d}, {a}, {b}, {c}"], [F32, F32, F32], 32, Single, |m, v| minimum(m, Format::F32, maximum(m, Format::F32, v[0], v[1]), v[2])),

    operation!("v_pk_min_f16", ["v_pk_min_f16 {d}, {a}, {b}", "v_pk_min_num_f16 {d}, {a}, {b}"], [TWO_F16, TWO_F16], 32, Other, |m, v| halves(m, v, min)),
    operation!("v_pk_max_f16", ["v_pk_max_f16 {d}, {a}, {b}", "v_pk_max_num_f16 {d}, {a}, {b}"], [TWO_F16, TWO_F16], 32, Other, |m, v| halves(m, v, max)),
    operation!("v_pk_minimum_f16", ["v_pk_minimum_f16 {d}, {a}, {b}"], [TWO_F16, TWO_F16], 32, Other, |m, v| halves(m, v, minimum)),
    operation!("v_pk_maximum_f16", ["v_pk_maximum_f16 {d}, {a}, {b}"], [TWO_F16, TWO_F16], 32, Other, |m, v| halves(m, v, maximum)),
];

/// A number as an integer in the order of numbers, -0 below +0.
fn rank(f: Format, v: u64) -> i64 {
    if f.negative(v) { -1 - f.abs(v) as i64 } else { f.abs(v) as i64 }
}

/// gfx6 to gfx8 leave denormals alone where nothing is computed.
fn taken(m: &Machine, f: Format, v: u64) -> u64 {
    if m.generation < 9 { v } else { m.input(f, v) }
}

const fn signalling(f: Format, v: u64) -> bool {
    f.is_nan(v) && v & f.quiet_bit() == 0
}

/// The one of two that is no NaN, or what stands for both.
fn with_nan(m: &Machine, f: Format, a: u64, b: u64) -> Option<u64> {
    let quiet = |v| v | f.quiet_bit();
    match (f.is_nan(a), f.is_nan(b)) {
        (false, false) => None,
        // With the IEEE bit signalling ones come first; gfx12 has no such bit and no such rule.
        _ if m.generation < 12 && m.quiet && signalling(f, a) => Some(quiet(a)),
        _ if m.generation < 12 && m.quiet && signalling(f, b) => Some(quiet(b)),
        (true, false) => Some(b),
        (false, true) => Some(a),
        (true, true) => Some(m.quieted(f, a)),
    }
}

pub fn min(m: &Machine, f: Format, a: u64, b: u64) -> u64 {
    let (a, b) = (taken(m, f, a), taken(m, f, b));
    with_nan(m, f, a, b).unwrap_or(if rank(f, b) < rank(f, a) { b } else { a })
}

pub fn max(m: &Machine, f: Format, a: u64, b: u64) -> u64 {
    let (a, b) = (taken(m, f, a), taken(m, f, b));
    with_nan(m, f, a, b).unwrap_or(if rank(f, b) > rank(f, a) { b } else { a })
}

/// The first NaN, quieted, before any number.
fn propagated(f: Format, a: u64, b: u64) -> Option<u64> {
    [a, b].into_iter().find(|v| f.is_nan(*v)).map(|v| v | f.quiet_bit())
}

pub fn minimum(m: &Machine, f: Format, a: u64, b: u64) -> u64 {
    let (a, b) = (m.input(f, a), m.input(f, b));
    propagated(f, a, b).unwrap_or(if rank(f, b) < rank(f, a) { b } else { a })
}

pub fn maximum(m: &Machine, f: Format, a: u64, b: u64) -> u64 {
    let (a, b) = (m.input(f, a), m.input(f, b));
    propagated(f, a, b).unwrap_or(if rank(f, b) > rank(f, a) { b } else { a })
}

fn middle(m: &Machine, f: Format, v: [u64; 3]) -> u64 {
    let mut v = v.map(|v| taken(m, f, v));
    if v.iter().any(|v| f.is_nan(*v)) {
        return min(m, f, min(m, f, v[0], v[1]), v[2]);
    }
    v.sort_by_key(|v| rank(f, *v));
    v[1]
}

/// `a < b ? a : b` and `a >= b ? a : b` as the host has them: with a NaN the second.
fn legacy(a: u64, b: u64, larger: bool) -> u64 {
    let (x, y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
    if larger && x >= y || !larger && x < y { a } else { b }
}

fn halves(m: &Machine, v: &[u64; 4], op: fn(&Machine, Format, u64, u64) -> u64) -> u64 {
    let half = |by: u32| op(m, Format::F16, v[0] >> by & 0xffff, v[1] >> by & 0xffff);
    half(0) | half(16) << 16
}
