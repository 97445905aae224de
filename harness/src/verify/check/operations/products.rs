//! Products with something added, fused and not; those in which zero times anything is zero; packed ones.

use super::super::reference::{
    self, D, Field, Format, H, Kind as Float, Machine, Op, S, WideHalf, arith, arith_under, flush_if, to,
};
use super::super::{Modes, Operation};
use super::{F16, F32, F64, TWO_F16, TWO_F32, operation, three};
use rustc_apfloat::Float as _;
use rustc_apfloat::ieee::{HalfS, IeeeFloat};

/// The literal of the instructions that have one.
const LITERAL: u64 = 0xc049_0fdb;
const LITERAL_16: u64 = 0xc248;

/// The operations.
#[rustfmt::skip]
pub static TABLE: &[Operation] = &[
    operation!("v_subrev_f16", ["v_subrev_f16 {d}, {a}, {b}"], [F16, F16], 16, Other, |m, v| arith::<H>(m, Op::Sub, [v[1], v[0], 0])),
    operation!("v_subrev_f32", ["v_subrev_f32 {d}, {a}, {b}"], [F32, F32], 32, Single, |m, v| arith::<S>(m, Op::Sub, [v[1], v[0], 0])),

    operation!("v_fmac_f16",  ["v_mov_b32 {d}, {c}; v_fmac_f16 {d}, {a}, {b}"], [F16, F16, F16], 16, Other, |m, v| arith::<H>(m, Op::Fma, three(v))),
    operation!("v_fmaak_f16", ["v_fmaak_f16 {d}, {a}, {b}, 0xc248"], [F16, F16], 16, Other, |m, v| arith::<H>(m, Op::Fma, [v[0], v[1], LITERAL_16])),
    operation!("v_fmamk_f16", ["v_fmamk_f16 {d}, {a}, 0xc248, {b}"], [F16, F16], 16, Other, |m, v| arith::<H>(m, Op::Fma, [v[0], LITERAL_16, v[1]])),
    operation!("v_fma_legacy_f16", ["v_fma_legacy_f16 {d}, {a}, {b}, {c}"], [F16, F16, F16], 16, Other, |m, v| arith::<H>(m, Op::Fma, three(v))),
    operation!("v_fmac_f32",  ["v_mov_b32 {d}, {c}; v_fmac_f32 {d}, {a}, {b}"], [F32, F32, F32], 32, Single, |m, v| arith::<S>(m, Op::Fma, three(v))),
    operation!("v_fmaak_f32", ["v_fmaak_f32 {d}, {a}, {b}, 0xc0490fdb"], [F32, F32], 32, Single, |m, v| arith::<S>(m, Op::Fma, [v[0], v[1], LITERAL])),
    operation!("v_fmamk_f32", ["v_fmamk_f32 {d}, {a}, 0xc0490fdb, {b}"], [F32, F32], 32, Single, |m, v| arith::<S>(m, Op::Fma, [v[0], LITERAL, v[1]])),
    operation!("v_fmac_f64",  ["v_mov_b32 {d.0}, {c.0}; v_mov_b32 {d.1}, {c.1}; v_fmac_f64 {d}, {a}, {b}"], [F64, F64, F64], 64, Other, |m, v| arith::<D>(m, Op::Fma, three(v))),

    operation!("v_mac_f32",   ["v_mov_b32 {d}, {c}; v_mac_f32 {d}, {a}, {b}"], [F32, F32, F32], 32, Single, |m, v| reference::mad(m, three(v))),
    operation!("v_madak_f32", ["v_madak_f32 {d}, {a}, {b}, 0xc0490fdb"], [F32, F32], 32, Single, |m, v| reference::mad(m, [v[0], v[1], LITERAL])),
    operation!("v_madmk_f32", ["v_madmk_f32 {d}, {a}, 0xc0490fdb, {b}"], [F32, F32], 32, Single, |m, v| reference::mad(m, [v[0], LITERAL, v[1]])),
    operation!("v_mad_f16",   ["v_mad_f16 {d}, {a}, {b}, {c}"], [F16, F16, F16], 16, Other, |m, v| mad_f16(m, three(v))),
    operation!("v_mad_legacy_f16", ["v_mad_legacy_f16 {d}, {a}, {b}, {c}"], [F16, F16, F16], 16, Other, |m, v| mad_f16(m, three(v))),
    operation!("v_mac_f16",   ["v_mov_b32 {d}, {c}; v_mac_f16 {d}, {a}, {b}"], [F16, F16, F16], 16, Other, |m, v| mad_f16(m, three(v))),
    operation!("v_madak_f16", ["v_madak_f16 {d}, {a}, {b}, 0xc248"], [F16, F16], 16, Other, |m, v| mad_f16(m, [v[0], v[1], LITERAL_16])),
    operation!("v_madmk_f16", ["v_madmk_f16 {d}, {a}, 0xc248, {b}"], [F16, F16], 16, Other, |m, v| mad_f16(m, [v[0], LITERAL_16, v[1]])),

    operation!("v_mul_legacy_f32",  ["v_mul_legacy_f32 {d}, {a}, {b}", "v_mul_dx9_zero_f32 {d}, {a}, {b}"], [F32, F32], 32, Single, |m, v| legacy(m, m.single, [v[0], v[1]])),
    operation!("v_mad_legacy_f32",  ["v_mad_legacy_f32 {d}, {a}, {b}, {c}"], [F32, F32, F32], 32, Single, |m, v| mad_legacy(m, three(v))),
    operation!("v_mac_legacy_f32",  ["v_mov_b32 {d}, {c}; v_mac_legacy_f32 {d}, {a}, {b}"], [F32, F32, F32], 32, Single, |m, v| mad_legacy(m, three(v))),
    operation!("v_fma_legacy_f32",  ["v_fma_legacy_f32 {d}, {a}, {b}, {c}", "v_fma_dx9_zero_f32 {d}, {a}, {b}, {c}"], [F32, F32, F32], 32, Single, |m, v| fma_legacy(m, three(v))),
    operation!("v_fmac_legacy_f32", ["v_mov_b32 {d}, {c}; v_fmac_legacy_f32 {d}, {a}, {b}", "v_mov_b32 {d}, {c}; v_fmac_dx9_zero_f32 {d}, {a}, {b}"], [F32, F32, F32], 32, Single, |m, v| fma_legacy(m, three(v))),

    operation!("v_mad_mix_f32",        ["v_mad_mix_f32 {d}, {a}, {b}, {c}"], [F32, F32, F32], 32, Both, |m, v| reference::mad(m, three(v))),
    operation!("v_mad_mix_f32 halves", ["v_lshlrev_b32 {t}, 16, {b}; v_mad_mix_f32 {d}, {a}, {t}, {c} op_sel:[0,1,0] op_sel_hi:[1,1,0]"], [F16, F16, F32], 32, Both, |m, v| reference::mad(m, [flushed_half(m, v[0]), flushed_half(m, v[1]), v[2]])),
    operation!("v_mad_mixlo_f16",      ["v_mad_mixlo_f16 {d}, {a}, {b}, {c}"], [F32, F32, F32], 16, Both, |m, v| mad_into_half(m, three(v))),
    operation!("v_mad_mixhi_f16",      ["v_mad_mixhi_f16 {d}, {a}, {b}, {c}; v_lshrrev_b32 {d}, 16, {d}"], [F32, F32, F32], 16, Both, |m, v| mad_into_half(m, three(v))),
    operation!("v_fma_mix_f32",        ["v_fma_mix_f32 {d}, {a}, {b}, {c}"], [F32, F32, F32], 32, Both, |m, v| arith::<S>(m, Op::Fma, three(v))),
    operation!("v_fma_mix_f32 halves", ["v_lshlrev_b32 {t}, 16, {b}; v_fma_mix_f32 {d}, {a}, {t}, {c} op_sel:[0,1,0] op_sel_hi:[1,1,0]"], [F16, F16, F32], 32, Both, |m, v| arith::<S>(m, Op::Fma, [half(m, v[0]), half(m, v[1]), v[2]])),
    operation!("v_fma_mixlo_f16",      ["v_fma_mixlo_f16 {d}, {a}, {b}, {c}"], [F32, F32, F32], 16, Both, |m, v| fma_into_half(m, three(v))),
    operation!("v_fma_mixhi_f16",      ["v_fma_mixhi_f16 {d}, {a}, {b}, {c}; v_lshrrev_b32 {d}, 16, {d}"], [F32, F32, F32], 16, Both, |m, v| fma_into_half(m, three(v))),

    operation!("v_pk_add_f16",  ["v_pk_add_f16 {d}, {a}, {b}"], [TWO_F16, TWO_F16], 32, Other, |m, v| halves::<H>(m, Op::Add, three(v))),
    operation!("v_pk_mul_f16",  ["v_pk_mul_f16 {d}, {a}, {b}"], [TWO_F16, TWO_F16], 32, Other, |m, v| halves::<H>(m, Op::Mul, three(v))),
    operation!("v_pk_fma_f16",  ["v_pk_fma_f16 {d}, {a}, {b}, {c}"], [TWO_F16, TWO_F16, TWO_F16], 32, Other, |m, v| halves::<H>(m, Op::Fma, three(v))),
    operation!("v_pk_fmac_f16", ["v_mov_b32 {d}, {c}; v_pk_fmac_f16 {d}, {a}, {b}"], [TWO_F16, TWO_F16, TWO_F16], 32, Other, |m, v| halves::<H>(m, Op::Fma, three(v))),
    operation!("v_pk_add_f32",  ["v_pk_add_f32 {d}, {a}, {b}"], [TWO_F32, TWO_F32], 64, Single, |m, v| halves::<S>(m, Op::Add, three(v))),
    operation!("v_pk_mul_f32",  ["v_pk_mul_f32 {d}, {a}, {b}"], [TWO_F32, TWO_F32], 64, Single, |m, v| halves::<S>(m, Op::Mul, three(v))),
    operation!("v_pk_fma_f32",  ["v_pk_fma_f32 {d}, {a}, {b}, {c}"], [TWO_F32, TWO_F32, TWO_F32], 64, Single, |m, v| halves::<S>(m, Op::Fma, three(v))),
    operation!("v_pk_add_f32 crossed", ["v_pk_add_f32 {d}, {a}, {b} op_sel:[1,0] op_sel_hi:[0,1]"], [TWO_F32, TWO_F32], 64, Single, |m, v| halves::<S>(m, Op::Add, [v[0].rotate_left(32), v[1], 0])),

    Operation { last: 10, ..operation!("v_dot2_f32_f16 chain",  ["v_dot2_f32_f16 {d}, {a}, {b}, {c}"], [TWO_F16, TWO_F16, F32], 32, None, |_, v| dot2(three(v))) },
    Operation { last: 10, ..operation!("v_dot2c_f32_f16 chain", ["v_mov_b32 {d}, {c}; v_dot2c_f32_f16 {d}, {a}, {b}"], [TWO_F16, TWO_F16, F32], 32, None, |_, v| dot2(three(v))) },
];

/// Two roundings, in the mode of f16.
fn mad_f16(m: &Machine, [a, b, c]: [u64; 3]) -> u64 {
    let product = arith::<H>(m, Op::Mul, [a, b, 0]);
    arith::<H>(m, Op::Add, [product, c, 0])
}

/// The same with f32 that are always flushed.
fn always_flushed(m: &Machine) -> Field {
    Field { flush_in: true, flush_out: true, ..m.single }
}

/// A product that is +0 where a factor is zero (ALU_FACTS 4).
fn legacy(m: &Machine, field: Field, factors: [u64; 2]) -> u64 {
    let f = Format::F32;
    if factors.iter().any(|v| f.is_zero(flush_if(f, field.flush_in, *v))) {
        return 0;
    }
    arith_under::<S>(m, field, Op::Mul, [factors[0], factors[1], 0])
}

/// Such a product, rounded, and a sum.
fn mad_legacy(m: &Machine, [a, b, c]: [u64; 3]) -> u64 {
    let field = always_flushed(m);
    let product = legacy(m, field, [a, b]);
    arith_under::<S>(m, field, Op::Add, [product, c, 0])
}

/// Such a product in a fused sum.
fn fma_legacy(m: &Machine, [a, b, c]: [u64; 3]) -> u64 {
    let (f, field) = (Format::F32, always_flushed(m));
    if [a, b].iter().any(|v| f.is_zero(flush_if(f, true, *v))) {
        return arith_under::<S>(m, field, Op::Add, [0, c, 0]);
    }
    arith_under::<S>(m, field, Op::Fma, [a, b, c])
}

/// An f16 as f32, flushed as the mode of f16 says; a signalling NaN becomes quiet where others do.
fn half(m: &Machine, v: u64) -> u64 {
    widened(m, flush_if(Format::F16, m.other.flush_in, v))
}

/// The same for the unfused instructions, which always flush (a comment in Mesa's ACO).
fn flushed_half(m: &Machine, v: u64) -> u64 {
    widened(m, flush_if(Format::F16, true, v))
}

fn widened(m: &Machine, v: u64) -> u64 {
    let m = Machine { other: Field { flush_in: false, ..m.other }, ..*m };
    reference::convert::<H, S>(&m, v)
}

/// v_mad_mixlo_f16: an unfused f32, converted; denormals of both formats are flushed.
fn mad_into_half(m: &Machine, args: [u64; 3]) -> u64 {
    let sum = reference::mad(m, args);
    let other = Field { flush_in: true, flush_out: true, ..m.other };
    reference::convert::<S, H>(&Machine { single: always_flushed(m), other, ..*m }, sum)
}

/// v_fma_mixlo_f16: the exact sum rounded once to f16.
fn fma_into_half(m: &Machine, args: [u64; 3]) -> u64 {
    let f = Format::F32;
    let [a, b, c] = args.map(|v| m.input(f, v));
    if f.is_inf(a) && f.is_zero(b) || f.is_zero(a) && f.is_inf(b) {
        return Format::F16.default_nan();
    }
    if let Some(nan) = [a, b, c].into_iter().find(|v| f.is_nan(*v)) {
        return reference::convert::<S, H>(m, nan);
    }
    let field = m.field(Format::F16);
    let exact = reference::sum_to_odd::<S>([a, b, c], field.round);
    if exact.is_nan() {
        return Format::F16.default_nan();
    }
    let infinite = exact.is_infinite();
    let narrow: IeeeFloat<HalfS> = to(exact, field.round);
    m.finish::<H>(field, narrow, infinite, || to::<WideHalf, _>(exact, field.round))
}

/// Both halves of packed operands.
fn halves<K: Float>(m: &Machine, op: Op, args: [u64; 3]) -> u64
where
    IeeeFloat<K::Base>: rustc_apfloat::FloatConvert<IeeeFloat<K::Wide>>,
{
    let width = K::FORMAT.width();
    let low = (1 << width) - 1;
    let [lower, upper] = [0, width].map(|by| arith::<K>(m, op, args.map(|v| v >> by & low)));
    lower | upper << width
}

/// Before gfx11: fused f32 sums, the low product first; denormals flushed (`explain --choices`). Later cards have an order of their own, which silicon
/// says in `../shared/hw`.
fn dot2([a, b, c]: [u64; 3]) -> u64 {
    let quiet = Machine::new(9, 0x3c0);
    let widen = |v: u64| widened(&quiet, flush_if(Format::F16, true, v & 0xffff));
    let low = arith::<S>(&quiet, Op::Fma, [widen(a), widen(b), c]);
    arith::<S>(&quiet, Op::Fma, [widen(a >> 16), widen(b >> 16), low])
}
