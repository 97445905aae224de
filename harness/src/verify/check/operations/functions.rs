//! Reciprocals and roots that keep results finite, or answer zero for infinity: gfx6 and gfx7. Of those whose plain form is known to other
//! tests only what they do otherwise is looked at.

use super::super::reference::{self, Format, Machine, S, read};
use super::super::{Modes, Operation};
use super::{F32, F64, operation};
use rustc_apfloat::ieee::{Quad, QuadS, SingleS};
use rustc_apfloat::{Float as _, Round};

/// The operations. Where a positive normal number is needed the operand's sign and its highest exponent bits are set so.
#[rustfmt::skip]
pub static TABLE: &[Operation] = &[
    operation!("v_rcp_legacy_f32", ["v_rcp_legacy_f32 {d}, {a}"], [F32], 32, Single, |m, v| answered_zero(reference::rcp(m, v[0]))),
    operation!("v_rcp_clamp_f32",  ["v_rcp_clamp_f32 {d}, {a}"],  [F32], 32, Single, |m, v| finite(reference::rcp(m, v[0]))),
    operation!("v_rsq_legacy_f32", ["v_rsq_legacy_f32 {d}, {a}"], [F32], 32, Single, |m, v| answered_zero(rsq(m, v[0]))),
    operation!("v_rsq_clamp_f32",  ["v_rsq_clamp_f32 {d}, {a}"],  [F32], 32, Single, |m, v| finite(rsq(m, v[0]))),
    operation!("v_exp_legacy_f32 as v_exp_f32", ["v_exp_legacy_f32 {t}, {a}; v_exp_f32 {u}, {a}; v_xor_b32 {d}, {t}, {u}"], [F32], 32, Single, |_, _| 0),
    operation!("v_log_legacy_f32 as v_log_f32", ["v_log_legacy_f32 {t}, {a}; v_log_f32 {u}, {a}; v_xor_b32 {d}, {t}, {u}"], [F32], 32, Single, |_, _| 0),
    operation!("v_log_clamp_f32 as v_log_f32",  ["v_and_b32 {x}, 0x3fffffff, {a}; v_or_b32 {x}, 0x20000000, {x}; v_log_clamp_f32 {t}, {x}; v_log_f32 {u}, {x}; v_xor_b32 {d}, {t}, {u}"], [F32], 32, Single, |_, _| 0),
    operation!("v_log_clamp_f32 of zero", ["v_log_clamp_f32 {d}, 0"], [F32], 32, Single, |_, _| 0xff7f_ffff),
    operation!("v_rcp_clamp_f64 as v_rcp_f64", ["v_and_b32 {a.1}, 0xbfffffff, {a.1}; v_or_b32 {a.1}, 0x20000000, {a.1}; v_rcp_clamp_f64 {t}, {a}; v_rcp_f64 {u}, {a}; v_xor_b32 {d.0}, {t.0}, {u.0}; v_xor_b32 {d.1}, {t.1}, {u.1}"], [F64], 64, Other, |_, _| 0),
    operation!("v_rcp_clamp_f64 of zero", ["v_rcp_clamp_f64 {d}, 0"], [F64], 64, Other, |_, _| 0x7fef_ffff_ffff_ffff),
    operation!("v_rsq_clamp_f64 as v_rsq_f64", ["v_and_b32 {a.1}, 0x3fffffff, {a.1}; v_or_b32 {a.1}, 0x20000000, {a.1}; v_rsq_clamp_f64 {t}, {a}; v_rsq_f64 {u}, {a}; v_xor_b32 {d.0}, {t.0}, {u.0}; v_xor_b32 {d.1}, {t.1}, {u.1}"], [F64], 64, Other, |_, _| 0),
    operation!("v_rsq_clamp_f64 of zero", ["v_rsq_clamp_f64 {d}, 0"], [F64], 64, Other, |_, _| 0x7fef_ffff_ffff_ffff),
];

/// Infinity becomes a zero with its sign.
fn answered_zero(v: u64) -> u64 {
    if Format::F32.is_inf(v) { v & Format::F32.sign_bit() } else { v }
}

/// Infinity becomes the largest number with its sign.
fn finite(v: u64) -> u64 {
    if Format::F32.is_inf(v) { v - 1 } else { v }
}

/// The reciprocal square root, to nearest: of the neighbours of what the host's doubles say, the one on the right side of the middle. The
/// square of the middle times the operand fits into 113 bits.
fn rsq(m: &Machine, a: u64) -> u64 {
    let f = Format::F32;
    let a = reference::flush_if(f, true, a);
    if f.is_nan(a) {
        return m.quieted(f, a);
    }
    if f.is_zero(a) {
        return f.with_sign(f.negative(a), f.inf());
    }
    if f.negative(a) {
        return f.default_nan();
    }
    if f.is_inf(a) {
        return 0;
    }
    let quad = |v: u64| reference::to::<QuadS, SingleS>(read::<S>(v), Round::NearestTiesToEven);
    let one = Quad::from_u128(1).value;
    let half = one.scalbn(-1);
    let near = u64::from(((1.0 / f64::from(f32::from_bits(a as u32)).sqrt()) as f32).to_bits());
    let beyond = |low: u64| {
        let middle = ((quad(low) + quad(low + 1)).value * half).value;
        ((middle * middle).value * quad(a)).value < one
    };
    // The middle is below the root: the upper neighbour is nearer.
    if beyond(near) {
        near + 1
    } else if beyond(near - 1) {
        near
    } else {
        near - 1
    }
}
