//! Sums, products, whole numbers, conversions, and division as compilers write it.

use super::super::inputs::Kind;
use super::super::reference::{self, D, Format, H, Op, S, Whole};
use super::super::{Modes, Operation};
use super::{F16, F32, F64, I16, I32, operation, three};
use rustc_apfloat::Round;

/// Denormals on around the steps of a division, as compilers do it.
const DIVIDE_32: &str = "v_div_scale_f32 {t}, vcc, {b}, {b}, {a}; v_div_scale_f32 {u}, vcc, {a}, {b}, {a}; v_rcp_f32 {r}, {t}; \
    s_getreg_b32 s40, hwreg(HW_REG_MODE, 4, 2); s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 3; \
    v_fma_f32 {x}, -{t}, {r}, 1.0; v_fma_f32 {r}, {x}, {r}, {r}; v_mul_f32 {q}, {u}, {r}; v_fma_f32 {x}, -{t}, {q}, {u}; \
    v_fma_f32 {q}, {x}, {r}, {q}; v_fma_f32 {x}, -{t}, {q}, {u}; s_setreg_b32 hwreg(HW_REG_MODE, 4, 2), s40; \
    v_div_fmas_f32 {q}, {x}, {r}, {q}; v_div_fixup_f32 {d}, {q}, {b}, {a}";
const DIVIDE_64: &str = "v_div_scale_f64 {t}, vcc, {b}, {b}, {a}; v_rcp_f64 {r}, {t}; v_fma_f64 {x}, -{t}, {r}, 1.0; \
    v_fma_f64 {r}, {r}, {x}, {r}; v_fma_f64 {x}, -{t}, {r}, 1.0; v_fma_f64 {r}, {r}, {x}, {r}; \
    v_div_scale_f64 {u}, vcc, {a}, {b}, {a}; v_mul_f64 {q}, {u}, {r}; v_fma_f64 {x}, -{t}, {q}, {u}; \
    v_div_fmas_f64 {q}, {x}, {r}, {q}; v_div_fixup_f64 {d}, {q}, {b}, {a}";
const DIVIDE_16: &str = "v_cvt_f32_f16 {t}, {b}; v_cvt_f32_f16 {u}, {a}; v_rcp_f32 {r}, {t}; v_mul_f32 {q}, {u}, {r}; \
    v_fma_f32 {x}, -{t}, {q}, {u}; v_fma_f32 {q}, {x}, {r}, {q}; v_fma_f32 {x}, -{t}, {q}, {u}; v_mul_f32 {x}, {x}, {r}; \
    v_and_b32 {x}, 0xff800000, {x}; v_add_f32 {q}, {x}, {q}; v_cvt_f16_f32 {q}, {q}; v_div_fixup_f16 {d}, {q}, {b}, {a}";

/// The operations.
#[rustfmt::skip]
pub static TABLE: &[Operation] = &[
    operation!("v_add_f16", ["v_add_f16 {d}, {a}, {b}"], [F16, F16], 16, Other, |m, v| reference::arith::<H>(m, Op::Add, three(v))),
    operation!("v_sub_f16", ["v_sub_f16 {d}, {a}, {b}"], [F16, F16], 16, Other, |m, v| reference::arith::<H>(m, Op::Sub, three(v))),
    operation!("v_mul_f16", ["v_mul_f16 {d}, {a}, {b}"], [F16, F16], 16, Other, |m, v| reference::arith::<H>(m, Op::Mul, three(v))),
    operation!("v_fma_f16", ["v_fma_f16 {d}, {a}, {b}, {c}"], [F16, F16, F16], 16, Other, |m, v| reference::arith::<H>(m, Op::Fma, three(v))),
    operation!("v_add_f32", ["v_add_f32 {d}, {a}, {b}"], [F32, F32], 32, Single, |m, v| reference::arith::<S>(m, Op::Add, three(v))),
    operation!("v_sub_f32", ["v_sub_f32 {d}, {a}, {b}"], [F32, F32], 32, Single, |m, v| reference::arith::<S>(m, Op::Sub, three(v))),
    operation!("v_mul_f32", ["v_mul_f32 {d}, {a}, {b}"], [F32, F32], 32, Single, |m, v| reference::arith::<S>(m, Op::Mul, three(v))),
    operation!("v_fma_f32", ["v_fma_f32 {d}, {a}, {b}, {c}"], [F32, F32, F32], 32, Single, |m, v| reference::arith::<S>(m, Op::Fma, three(v))),
    operation!("v_mad_f32", ["v_mad_f32 {d}, {a}, {b}, {c}"], [F32, F32, F32], 32, Single, |m, v| reference::mad(m, three(v))),
    operation!("v_add_f64", ["v_add_f64 {d}, {a}, {b}"], [F64, F64], 64, Other, |m, v| reference::arith::<D>(m, Op::Add, three(v))),
    operation!("v_sub_f64", ["v_add_f64 {d}, {a}, -{b}"], [F64, F64], 64, Other, |m, v| reference::arith::<D>(m, Op::Sub, three(v))),
    operation!("v_mul_f64", ["v_mul_f64 {d}, {a}, {b}"], [F64, F64], 64, Other, |m, v| reference::arith::<D>(m, Op::Mul, three(v))),
    operation!("v_fma_f64", ["v_fma_f64 {d}, {a}, {b}, {c}"], [F64, F64, F64], 64, Other, |m, v| reference::arith::<D>(m, Op::Fma, three(v))),

    operation!("v_floor_f16", ["v_floor_f16 {d}, {a}"], [F16], 16, Other, |m, v| reference::whole::<H>(m, Round::TowardNegative, v[0])),
    operation!("v_ceil_f16", ["v_ceil_f16 {d}, {a}"], [F16], 16, Other, |m, v| reference::whole::<H>(m, Round::TowardPositive, v[0])),
    operation!("v_trunc_f16", ["v_trunc_f16 {d}, {a}"], [F16], 16, Other, |m, v| reference::whole::<H>(m, Round::TowardZero, v[0])),
    operation!("v_rndne_f16", ["v_rndne_f16 {d}, {a}"], [F16], 16, Other, |m, v| reference::whole::<H>(m, Round::NearestTiesToEven, v[0])),
    operation!("v_fract_f16", ["v_fract_f16 {d}, {a}"], [F16], 16, Other, |m, v| reference::fract::<H>(m, v[0])),
    operation!("v_ldexp_f16", ["v_ldexp_f16 {d}, {a}, {b}"], [F16, Kind::Exponent(Format::F16)], 16, Other, |m, v| reference::ldexp::<H>(m, v[0], i32::from(v[1] as i16))),
    operation!("v_floor_f32", ["v_floor_f32 {d}, {a}"], [F32], 32, Single, |m, v| reference::whole::<S>(m, Round::TowardNegative, v[0])),
    operation!("v_ceil_f32", ["v_ceil_f32 {d}, {a}"], [F32], 32, Single, |m, v| reference::whole::<S>(m, Round::TowardPositive, v[0])),
    operation!("v_trunc_f32", ["v_trunc_f32 {d}, {a}"], [F32], 32, Single, |m, v| reference::whole::<S>(m, Round::TowardZero, v[0])),
    operation!("v_rndne_f32", ["v_rndne_f32 {d}, {a}"], [F32], 32, Single, |m, v| reference::whole::<S>(m, Round::NearestTiesToEven, v[0])),
    operation!("v_fract_f32", ["v_fract_f32 {d}, {a}"], [F32], 32, Single, |m, v| reference::fract::<S>(m, v[0])),
    operation!("v_ldexp_f32", ["v_ldexp_f32 {d}, {a}, {b}"], [F32, Kind::Exponent(Format::F32)], 32, Single, |m, v| reference::ldexp::<S>(m, v[0], v[1] as i32)),
    operation!("v_floor_f64", ["v_floor_f64 {d}, {a}"], [F64], 64, Other, |m, v| reference::whole::<D>(m, Round::TowardNegative, v[0])),
    operation!("v_ceil_f64", ["v_ceil_f64 {d}, {a}"], [F64], 64, Other, |m, v| reference::whole::<D>(m, Round::TowardPositive, v[0])),
    operation!("v_trunc_f64", ["v_trunc_f64 {d}, {a}"], [F64], 64, Other, |m, v| reference::whole::<D>(m, Round::TowardZero, v[0])),
    operation!("v_rndne_f64", ["v_rndne_f64 {d}, {a}"], [F64], 64, Other, |m, v| reference::whole::<D>(m, Round::NearestTiesToEven, v[0])),
    operation!("v_fract_f64", ["v_fract_f64 {d}, {a}"], [F64], 64, Other, |m, v| reference::fract::<D>(m, v[0])),
    operation!("v_ldexp_f64", ["v_ldexp_f64 {d}, {a}, {b}"], [F64, Kind::Exponent(Format::F64)], 64, Other, |m, v| reference::ldexp::<D>(m, v[0], v[1] as i32)),

    operation!("v_cvt_f32_f16", ["v_cvt_f32_f16 {d}, {a}"], [F16], 32, Both, |m, v| reference::convert::<H, S>(m, v[0])),
    operation!("v_cvt_f16_f32", ["v_cvt_f16_f32 {d}, {a}"], [F32], 16, Both, |m, v| reference::convert::<S, H>(m, v[0])),
    operation!("v_cvt_f64_f32", ["v_cvt_f64_f32 {d}, {a}"], [F32], 64, Both, |m, v| reference::convert::<S, D>(m, v[0])),
    operation!("v_cvt_f32_f64", ["v_cvt_f32_f64 {d}, {a}"], [F64], 32, Both, |m, v| reference::convert::<D, S>(m, v[0])),
    operation!("v_cvt_pkrtz_f16_f32", ["v_cvt_pkrtz_f16_f32 {d}, {a}, {b}", "v_cvt_pk_rtz_f16_f32 {d}, {a}, {b}"], [F32, F32], 32, Both, |m, v| reference::pkrtz(m, v[0], v[1])),
    operation!("v_cvt_f16_i16", ["v_cvt_f16_i16 {d}, {a}"], [I16], 16, Other, |m, v| reference::from_int::<H>(m, i64::from(v[0] as i16))),
    operation!("v_cvt_f16_u16", ["v_cvt_f16_u16 {d}, {a}"], [I16], 16, Other, |m, v| reference::from_int::<H>(m, i64::from(v[0] as u16))),
    operation!("v_cvt_f32_i32", ["v_cvt_f32_i32 {d}, {a}"], [I32], 32, Single, |m, v| reference::from_int::<S>(m, i64::from(v[0] as i32))),
    operation!("v_cvt_f32_u32", ["v_cvt_f32_u32 {d}, {a}"], [I32], 32, Single, |m, v| reference::from_int::<S>(m, i64::from(v[0] as u32))),
    operation!("v_cvt_f64_i32", ["v_cvt_f64_i32 {d}, {a}"], [I32], 64, Other, |m, v| reference::from_int::<D>(m, i64::from(v[0] as i32))),
    operation!("v_cvt_f64_u32", ["v_cvt_f64_u32 {d}, {a}"], [I32], 64, Other, |m, v| reference::from_int::<D>(m, i64::from(v[0] as u32))),
    operation!("v_cvt_i16_f16", ["v_cvt_i16_f16 {d}, {a}"], [F16], 16, Other, |m, v| reference::to_int::<H>(m, v[0], 16, true, Whole::Trunc)),
    operation!("v_cvt_u16_f16", ["v_cvt_u16_f16 {d}, {a}"], [F16], 16, Other, |m, v| reference::to_int::<H>(m, v[0], 16, false, Whole::Trunc)),
    operation!("v_cvt_i32_f32", ["v_cvt_i32_f32 {d}, {a}"], [F32], 32, Single, |m, v| reference::to_int::<S>(m, v[0], 32, true, Whole::Trunc)),
    operation!("v_cvt_u32_f32", ["v_cvt_u32_f32 {d}, {a}"], [F32], 32, Single, |m, v| reference::to_int::<S>(m, v[0], 32, false, Whole::Trunc)),
    operation!("v_cvt_floor_i32_f32", ["v_cvt_floor_i32_f32 {d}, {a}", "v_cvt_flr_i32_f32 {d}, {a}"], [F32], 32, Single, |m, v| reference::to_int::<S>(m, v[0], 32, true, Whole::Floor)),
    operation!("v_cvt_nearest_i32_f32", ["v_cvt_nearest_i32_f32 {d}, {a}", "v_cvt_rpi_i32_f32 {d}, {a}"], [F32], 32, Single, |m, v| reference::to_int::<S>(m, v[0], 32, true, Whole::Nearest)),
    operation!("v_cvt_pk_i16_f32", ["v_cvt_pk_i16_f32 {d}, {a}, {b}"], [F32, F32], 32, Single, |m, v| reference::to_int::<S>(m, v[0], 16, true, Whole::Trunc) | reference::to_int::<S>(m, v[1], 16, true, Whole::Trunc) << 16),
    operation!("v_cvt_pk_u16_f32", ["v_cvt_pk_u16_f32 {d}, {a}, {b}"], [F32, F32], 32, Single, |m, v| reference::to_int::<S>(m, v[0], 16, false, Whole::Trunc) | reference::to_int::<S>(m, v[1], 16, false, Whole::Trunc) << 16),
    operation!("v_cvt_i32_f64", ["v_cvt_i32_f64 {d}, {a}"], [F64], 32, Other, |m, v| reference::to_int::<D>(m, v[0], 32, true, Whole::Trunc)),
    operation!("v_cvt_u32_f64", ["v_cvt_u32_f64 {d}, {a}"], [F64], 32, Other, |m, v| reference::to_int::<D>(m, v[0], 32, false, Whole::Trunc)),

    // gfx11 and gfx12 have the bits of their silicon.
    Operation { last: 10, ..operation!("v_rcp_f32", ["v_rcp_f32 {d}, {a}"], [F32], 32, Single, |m, v| reference::rcp(m, v[0])) },
    Operation { last: 10, ..operation!("v_sqrt_f32", ["v_sqrt_f32 {d}, {a}"], [F32], 32, Single, |m, v| reference::sqrt(m, v[0])) },

    Operation {
        name: "v_div_scale_f32", code: &["v_div_scale_f32 {d}, vcc, {a}, {b}, {c}; v_cndmask_b32 {e}, 0, {1}, vcc"],
        args: &[Kind::Either(Format::F32), F32, F32], bits: 32, flag: true, scalar: false, last: u32::MAX, modes: Modes::Single,
        reference: |m, v| { let (r, c) = reference::div_scale::<S>(m, three(v)); (r, u64::from(c)) },
    },
    Operation {
        name: "v_div_scale_f64", code: &["v_div_scale_f64 {d}, vcc, {a}, {b}, {c}; v_cndmask_b32 {e}, 0, {1}, vcc"],
        args: &[Kind::Either(Format::F64), F64, F64], bits: 64, flag: true, scalar: false, last: u32::MAX, modes: Modes::Other,
        reference: |m, v| { let (r, c) = reference::div_scale::<D>(m, three(v)); (r, u64::from(c)) },
    },
    operation!("v_div_fmas_f32", ["v_cmp_ne_u32 vcc, 0, {f}; v_div_fmas_f32 {d}, {a}, {b}, {c}"], [F32, F32, F32, Kind::Flag], 32, Single, |m, v| reference::div_fmas::<S>(m, three(v), v[3] != 0)),
    operation!("v_div_fmas_f64", ["v_cmp_ne_u32 vcc, 0, {f}; v_div_fmas_f64 {d}, {a}, {b}, {c}"], [F64, F64, F64, Kind::Flag], 64, Other, |m, v| reference::div_fmas::<D>(m, three(v), v[3] != 0)),
    operation!("v_div_fixup_f16", ["v_div_fixup_f16 {d}, {a}, {b}, {c}"], [F16, F16, F16], 16, Other, |m, v| reference::div_fixup::<H>(m, three(v))),
    operation!("v_div_fixup_f32", ["v_div_fixup_f32 {d}, {a}, {b}, {c}"], [F32, F32, F32], 32, Single, |m, v| reference::div_fixup::<S>(m, three(v))),
    operation!("v_div_fixup_f64", ["v_div_fixup_f64 {d}, {a}, {b}, {c}"], [F64, F64, F64], 64, Other, |m, v| reference::div_fixup::<D>(m, three(v))),

    operation!("division_f16", [DIVIDE_16], [F16, F16], 16, Nearest, |m, v| reference::quotient::<H>(m, v[0], v[1])),
    operation!("division_f32", [DIVIDE_32], [F32, F32], 32, Nearest, |m, v| reference::quotient::<S>(m, v[0], v[1])),
    operation!("division_f64", [DIVIDE_64], [F64, F64], 64, Nearest, |m, v| reference::quotient::<D>(m, v[0], v[1])),
];
