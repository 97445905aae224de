//! Integers: what the host's arithmetic in 128 bits says.

use super::super::{Modes, Operation};
use super::{I16, I32, I64, operation};

/// The operations.
#[rustfmt::skip]
pub static TABLE: &[Operation] = &[
    operation!("v_ashr_i32",   ["v_ashr_i32 {d}, {a}, {b}"], [I32, I32], 32, None, |_, v| u64::from(((v[0] as i32) >> (v[1] & 31)) as u32)),
    operation!("v_lshr_b32",   ["v_lshr_b32 {d}, {a}, {b}"], [I32, I32], 32, None, |_, v| u64::from((v[0] as u32) >> (v[1] & 31))),
    operation!("v_lshl_b32",   ["v_lshl_b32 {d}, {a}, {b}"], [I32, I32], 32, None, |_, v| u64::from((v[0] as u32) << (v[1] & 31))),
    operation!("v_ashr_i64",   ["v_ashr_i64 {d}, {a}, {b}", "v_ashrrev_i64 {d}, {b}, {a}"], [I64, I32], 64, None, |_, v| (v[0] as i64 >> (v[1] & 63)) as u64),
    operation!("v_lshr_b64",   ["v_lshr_b64 {d}, {a}, {b}", "v_lshrrev_b64 {d}, {b}, {a}"], [I64, I32], 64, None, |_, v| v[0] >> (v[1] & 63)),
    operation!("v_lshl_b64",   ["v_lshl_b64 {d}, {a}, {b}", "v_lshlrev_b64 {d}, {b}, {a}"], [I64, I32], 64, None, |_, v| v[0] << (v[1] & 63)),
    operation!("v_mov_b64",    ["v_mov_b64 {d}, {a}"], [I64], 64, None, |_, v| v[0]),
    operation!("v_lshl_add_u64", ["v_lshl_add_u64 {d}, {a}, 4, {b}"], [I64, I64], 64, None, |_, v| (v[0] << 4).wrapping_add(v[1])),
    operation!("v_lshl_add_u64 counts", ["v_lshl_add_u64 {d}, {a}, {b}, {c}"], [I64, I32, I64], 64, None, |_, v| (v[0] << small(v[1])).wrapping_add(v[2])),
    operation!("v_pk_mov_b32", ["v_pk_mov_b32 {d}, {a}, {b}"], [I64, I64], 64, None, |_, v| v[0] & LOW | v[1] << 32),
    operation!("v_pk_mov_b32 crossed", ["v_pk_mov_b32 {d}, {a}, {b} op_sel:[1,0]"], [I64, I64], 64, None, |_, v| v[0] >> 32 | v[1] << 32),
    operation!("v_pk_mov_b32 upper", ["v_pk_mov_b32 {d}, {a}, {b} op_sel:[1,1]"], [I64, I64], 64, None, |_, v| v[0] >> 32 | v[1] >> 32 << 32),
    operation!("v_mul_lo_i32", ["v_mul_lo_i32 {d}, {a}, {b}", "v_mul_lo_u32 {d}, {a}, {b}"], [I32, I32], 32, None, |_, v| v[0].wrapping_mul(v[1]) & LOW),
    operation!("v_mul_hi_i32", ["v_mul_hi_i32 {d}, {a}, {b}"], [I32, I32], 32, None, |_, v| ((signed(v[0]) * signed(v[1])) >> 32) as u64 & LOW),
    operation!("v_subrev_u16", ["v_subrev_u16 {d}, {a}, {b}"], [I16, I16], 16, None, |_, v| v[1].wrapping_sub(v[0]) & 0xffff),
    operation!("v_mad_legacy_i16", ["v_mad_legacy_i16 {d}, {a}, {b}, {c}"], [I16, I16, I16], 32, None, |_, v| v[0].wrapping_mul(v[1]).wrapping_add(v[2]) & 0xffff),
    operation!("v_mad_legacy_u16", ["v_mad_legacy_u16 {d}, {a}, {b}, {c}"], [I16, I16, I16], 32, None, |_, v| v[0].wrapping_mul(v[1]).wrapping_add(v[2]) & 0xffff),
    operation!("v_med3_i32", ["v_med3_i32 {d}, {a}, {b}, {c}"], [I32, I32, I32], 32, None, |_, v| { let mut s = [v[0] as i32, v[1] as i32, v[2] as i32]; s.sort_unstable(); u64::from(s[1] as u32) }),
    operation!("v_med3_u32", ["v_med3_u32 {d}, {a}, {b}, {c}"], [I32, I32, I32], 32, None, |_, v| { let mut s = [v[0], v[1], v[2]]; s.sort_unstable(); s[1] }),

    operation!("v_add_u32 clamp",      ["v_add_u32_e64 {d}, {a}, {b} clamp", "v_add_nc_u32_e64 {d}, {a}, {b} clamp"], [I32, I32], 32, None, |_, v| (v[0] + v[1]).min(LOW)),
    operation!("v_sub_u32 clamp",      ["v_sub_u32_e64 {d}, {a}, {b} clamp", "v_sub_nc_u32_e64 {d}, {a}, {b} clamp"], [I32, I32], 32, None, |_, v| v[0].saturating_sub(v[1])),
    operation!("v_add_i32 clamp",      ["v_add_i32 {d}, {a}, {b} clamp", "v_add_nc_i32 {d}, {a}, {b} clamp"], [I32, I32], 32, None, |_, v| word(signed(v[0]) + signed(v[1]))),
    operation!("v_sub_i32 clamp",      ["v_sub_i32 {d}, {a}, {b} clamp", "v_sub_nc_i32 {d}, {a}, {b} clamp"], [I32, I32], 32, None, |_, v| word(signed(v[0]) - signed(v[1]))),
    operation!("v_add_co_u32 clamp",   ["v_add_co_u32_e64 {d}, vcc, {a}, {b} clamp"], [I32, I32], 32, None, |_, v| (v[0] + v[1]).min(LOW)),
    operation!("v_sub_co_u32 clamp",   ["v_sub_co_u32_e64 {d}, vcc, {a}, {b} clamp"], [I32, I32], 32, None, |_, v| v[0].saturating_sub(v[1])),
    operation!("v_add_u16 clamp",      ["v_add_u16_e64 {d}, {a}, {b} clamp", "v_add_nc_u16 {d}, {a}, {b} clamp"], [I16, I16], 16, None, |_, v| (v[0] + v[1]).min(0xffff)),
    operation!("v_sub_u16 clamp",      ["v_sub_u16_e64 {d}, {a}, {b} clamp", "v_sub_nc_u16 {d}, {a}, {b} clamp"], [I16, I16], 16, None, |_, v| v[0].saturating_sub(v[1])),
    operation!("v_add_i16 clamp",      ["v_add_i16 {d}, {a}, {b} clamp", "v_add_nc_i16 {d}, {a}, {b} clamp"], [I16, I16], 16, None, |_, v| half(short(v[0]) + short(v[1]))),
    operation!("v_sub_i16 clamp",      ["v_sub_i16 {d}, {a}, {b} clamp", "v_sub_nc_i16 {d}, {a}, {b} clamp"], [I16, I16], 16, None, |_, v| half(short(v[0]) - short(v[1]))),
    operation!("v_mad_u16 clamp",      ["v_mad_u16 {d}, {a}, {b}, {c} clamp"], [I16, I16, I16], 16, None, |_, v| (v[0] * v[1] + v[2]).min(0xffff)),
    operation!("v_mad_i16 clamp",      ["v_mad_i16 {d}, {a}, {b}, {c} clamp"], [I16, I16, I16], 16, None, |_, v| half(short(v[0]) * short(v[1]) + short(v[2]))),
    operation!("v_mul_i32_i24 clamp",  ["v_mul_i32_i24_e64 {d}, {a}, {b} clamp"], [I32, I32], 32, None, |_, v| word(i24(v[0]) * i24(v[1]))),
    operation!("v_mul_u32_u24 clamp",  ["v_mul_u32_u24_e64 {d}, {a}, {b} clamp"], [I32, I32], 32, None, |_, v| ((v[0] & 0xff_ffff) * (v[1] & 0xff_ffff)).min(LOW)),
    operation!("v_mad_i32_i24 clamp",  ["v_mad_i32_i24 {d}, {a}, {b}, {c} clamp"], [I32, I32, I32], 32, None, |_, v| word(i24(v[0]) * i24(v[1]) + signed(v[2]))),
    operation!("v_mad_u32_u24 clamp",  ["v_mad_u32_u24 {d}, {a}, {b}, {c} clamp"], [I32, I32, I32], 32, None, |_, v| ((v[0] & 0xff_ffff) * (v[1] & 0xff_ffff) + v[2]).min(LOW)),
    operation!("v_mad_i64_i32",        ["v_mad_i64_i32 {d}, vcc, {a}, {b}, {c}", "v_mad_co_i64_i32 {d}, vcc, {a}, {b}, {c}"], [I32, I32, I64], 64, None, |_, v| (signed(v[0]) * signed(v[1]) + i128::from(v[2] as i64)) as u64),
    operation!("v_mad_u64_u32",        ["v_mad_u64_u32 {d}, vcc, {a}, {b}, {c}", "v_mad_co_u64_u32 {d}, vcc, {a}, {b}, {c}"], [I32, I32, I64], 64, None, |_, v| (v[0] * v[1]).wrapping_add(v[2])),
    operation!("v_mad_i64_i32 clamp",  ["v_mad_i64_i32 {d}, vcc, {a}, {b}, {c} clamp", "v_mad_co_i64_i32 {d}, vcc, {a}, {b}, {c} clamp"], [I32, I32, I64], 64, None, |_, v| (signed(v[0]) * signed(v[1]) + i128::from(v[2] as i64)).clamp(i64::MIN.into(), i64::MAX.into()) as u64),
    operation!("v_mad_u64_u32 clamp",  ["v_mad_u64_u32 {d}, vcc, {a}, {b}, {c} clamp", "v_mad_co_u64_u32 {d}, vcc, {a}, {b}, {c} clamp"], [I32, I32, I64], 64, None, |_, v| (v[0] * v[1]).saturating_add(v[2])),
    operation!("v_mad_u64_u32 carry",  ["v_mad_u64_u32 {q}, vcc, {a}, {b}, {c}; v_cndmask_b32 {d}, 0, {1}, vcc", "v_mad_co_u64_u32 {q}, vcc, {a}, {b}, {c}; v_cndmask_b32 {d}, 0, {1}, vcc"], [I32, I32, I64], 32, None, |_, v| u64::from((v[0] * v[1]).checked_add(v[2]).is_none())),

    operation!("v_qsad_pk_u16_u8",        ["v_qsad_pk_u16_u8 {q}, {a}, {b}, {c}; v_mov_b32 {d.0}, {q.0}; v_mov_b32 {d.1}, {q.1}"], [I64, I32, I64], 64, None, |_, v| sads(v, false, false)),
    operation!("v_qsad_pk_u16_u8 clamp",  ["v_qsad_pk_u16_u8 {q}, {a}, {b}, {c} clamp; v_mov_b32 {d.0}, {q.0}; v_mov_b32 {d.1}, {q.1}"], [I64, I32, I64], 64, None, |_, v| sads(v, false, true)),
    operation!("v_mqsad_pk_u16_u8",       ["v_mqsad_pk_u16_u8 {q}, {a}, {b}, {c}; v_mov_b32 {d.0}, {q.0}; v_mov_b32 {d.1}, {q.1}"], [I64, I32, I64], 64, None, |_, v| sads(v, true, false)),
    operation!("v_mqsad_pk_u16_u8 clamp", ["v_mqsad_pk_u16_u8 {q}, {a}, {b}, {c} clamp; v_mov_b32 {d.0}, {q.0}; v_mov_b32 {d.1}, {q.1}"], [I64, I32, I64], 64, None, |_, v| sads(v, true, true)),
    operation!("v_sad_u8 clamp",          ["v_sad_u8 {d}, {a}, {b}, {c} clamp"], [I32, I32, I32], 32, None, |_, v| (sad(v[0], v[1], false) + v[2]).min(LOW)),
    operation!("v_sad_u32 clamp",         ["v_sad_u32 {d}, {a}, {b}, {c} clamp"], [I32, I32, I32], 32, None, |_, v| (v[0].abs_diff(v[1]) + v[2]).min(LOW)),
    operation!("v_msad_u8 clamp",         ["v_msad_u8 {d}, {a}, {b}, {c} clamp"], [I32, I32, I32], 32, None, |_, v| (sad(v[0], v[1], true) + v[2]).min(LOW)),

    operation!("v_dot2_i32_i16",       ["v_dot2_i32_i16 {d}, {a}, {b}, {c}"], [I32, I32, I32], 32, None, |_, v| (dot(v, 16, true) + signed(v[2])) as u64 & LOW),
    operation!("v_dot2_i32_i16 clamp", ["v_dot2_i32_i16 {d}, {a}, {b}, {c} clamp"], [I32, I32, I32], 32, None, |_, v| word(dot(v, 16, true) + signed(v[2]))),
    operation!("v_dot2_u32_u16",       ["v_dot2_u32_u16 {d}, {a}, {b}, {c}"], [I32, I32, I32], 32, None, |_, v| (dot(v, 16, false) + i128::from(v[2])) as u64 & LOW),
    operation!("v_dot2_u32_u16 clamp", ["v_dot2_u32_u16 {d}, {a}, {b}, {c} clamp"], [I32, I32, I32], 32, None, |_, v| (dot(v, 16, false) + i128::from(v[2])).min(LOW.into()) as u64),
    operation!("v_dot4_i32_i8",        ["v_dot4_i32_i8 {d}, {a}, {b}, {c}", "v_dot4_i32_iu8 {d}, {a}, {b}, {c} neg_lo:[1,1,0]"], [I32, I32, I32], 32, None, |_, v| (dot(v, 8, true) + signed(v[2])) as u64 & LOW),
    operation!("v_dot4_i32_i8 clamp",  ["v_dot4_i32_i8 {d}, {a}, {b}, {c} clamp", "v_dot4_i32_iu8 {d}, {a}, {b}, {c} neg_lo:[1,1,0] clamp"], [I32, I32, I32], 32, None, |_, v| word(dot(v, 8, true) + signed(v[2]))),
    operation!("v_dot4_u32_u8",        ["v_dot4_u32_u8 {d}, {a}, {b}, {c}"], [I32, I32, I32], 32, None, |_, v| (dot(v, 8, false) + i128::from(v[2])) as u64 & LOW),
    operation!("v_dot4_u32_u8 clamp",  ["v_dot4_u32_u8 {d}, {a}, {b}, {c} clamp"], [I32, I32, I32], 32, None, |_, v| (dot(v, 8, false) + i128::from(v[2])).min(LOW.into()) as u64),
    operation!("v_dot8_i32_i4",        ["v_dot8_i32_i4 {d}, {a}, {b}, {c}", "v_dot8_i32_iu4 {d}, {a}, {b}, {c} neg_lo:[1,1,0]"], [I32, I32, I32], 32, None, |_, v| (dot(v, 4, true) + signed(v[2])) as u64 & LOW),
    operation!("v_dot8_i32_i4 clamp",  ["v_dot8_i32_i4 {d}, {a}, {b}, {c} clamp", "v_dot8_i32_iu4 {d}, {a}, {b}, {c} neg_lo:[1,1,0] clamp"], [I32, I32, I32], 32, None, |_, v| word(dot(v, 4, true) + signed(v[2]))),
    operation!("v_dot8_u32_u4",        ["v_dot8_u32_u4 {d}, {a}, {b}, {c}"], [I32, I32, I32], 32, None, |_, v| (dot(v, 4, false) + i128::from(v[2])) as u64 & LOW),
    operation!("v_dot8_u32_u4 clamp",  ["v_dot8_u32_u4 {d}, {a}, {b}, {c} clamp"], [I32, I32, I32], 32, None, |_, v| (dot(v, 4, false) + i128::from(v[2])).min(LOW.into()) as u64),
    operation!("v_dot2c_i32_i16",      ["v_mov_b32 {d}, {c}; v_dot2c_i32_i16 {d}, {a}, {b}"], [I32, I32, I32], 32, None, |_, v| (dot(v, 16, true) + signed(v[2])) as u64 & LOW),
    operation!("v_dot4c_i32_i8",       ["v_mov_b32 {d}, {c}; v_dot4c_i32_i8 {d}, {a}, {b}"], [I32, I32, I32], 32, None, |_, v| (dot(v, 8, true) + signed(v[2])) as u64 & LOW),
    operation!("v_dot8c_i32_i4",       ["v_mov_b32 {d}, {c}; v_dot8c_i32_i4 {d}, {a}, {b}"], [I32, I32, I32], 32, None, |_, v| (dot(v, 4, true) + signed(v[2])) as u64 & LOW),
    operation!("v_dot4_i32_iu8 mixed", ["v_dot4_i32_iu8 {d}, {a}, {b}, {c} neg_lo:[1,0,0]"], [I32, I32, I32], 32, None, |_, v| (parts(v, 8, true, false) + signed(v[2])) as u64 & LOW),
    operation!("v_dot4_i32_iu8 mixed otherwise", ["v_dot4_i32_iu8 {d}, {a}, {b}, {c} neg_lo:[0,1,0]"], [I32, I32, I32], 32, None, |_, v| (parts(v, 8, false, true) + signed(v[2])) as u64 & LOW),
    operation!("v_dot8_i32_iu4 mixed", ["v_dot8_i32_iu4 {d}, {a}, {b}, {c} neg_lo:[1,0,0]"], [I32, I32, I32], 32, None, |_, v| (parts(v, 4, true, false) + signed(v[2])) as u64 & LOW),
];

/// A full word.
const LOW: u64 = 0xffff_ffff;

/// The counts that the CDNA3 manual names for v_lshl_add_u64; others count as 0 (`explain --choices`).
const fn small(count: u64) -> u64 {
    if count & LOW <= 4 { count } else { 0 }
}

fn signed(v: u64) -> i128 {
    i128::from(v as i32)
}

fn short(v: u64) -> i128 {
    i128::from(v as i16)
}

fn i24(v: u64) -> i128 {
    i128::from((v << 8) as i32 >> 8)
}

/// Saturated to 32 bits with a sign.
fn word(v: i128) -> u64 {
    v.clamp(i32::MIN.into(), i32::MAX.into()) as u64 & LOW
}

/// Saturated to 16 bits with a sign.
fn half(v: i128) -> u64 {
    v.clamp(i16::MIN.into(), i16::MAX.into()) as u64 & 0xffff
}

/// The products of all parts of two words, added.
fn parts(v: &[u64; 4], bits: u32, first_signed: bool, second_signed: bool) -> i128 {
    let part = |v: u64, n: u32, signed: bool| {
        let v = v >> (n * bits) & ((1 << bits) - 1);
        if signed && v >> (bits - 1) != 0 { i128::from(v) - (1 << bits) } else { i128::from(v) }
    };
    (0..32 / bits).map(|n| part(v[0], n, first_signed) * part(v[1], n, second_signed)).sum()
}

fn dot(v: &[u64; 4], bits: u32, signed: bool) -> i128 {
    parts(v, bits, signed, signed)
}

/// The distances of the bytes of two words, added; where the second is masked, its zeros do not count.
fn sad(a: u64, b: u64, masked: bool) -> u64 {
    let bytes = |v: u64| (v as u32).to_le_bytes();
    let pairs = bytes(a).into_iter().zip(bytes(b));
    pairs.filter(|(_, b)| !masked || *b != 0).map(|(a, b)| u64::from(a.abs_diff(b))).sum()
}

/// Four of them, each a byte further on in the first operand, added to the four halves of the third.
fn sads(v: &[u64; 4], masked: bool, clamp: bool) -> u64 {
    let field = |n: u32| {
        let sum = sad(v[0] >> (8 * n), v[1], masked) + (v[2] >> (16 * n) & 0xffff);
        if clamp { sum.min(0xffff) } else { sum & 0xffff }
    };
    (0..4).map(|n| field(n) << (16 * n)).sum()
}
