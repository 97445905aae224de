//! Vector compares: every type and condition. What is done with the bit (`v_cmpx`) and with NaN (`v_cmps`) is told outside.

use super::meanings;

meanings! {
    float (F16, F16) -> Bit {
        "v_cmp_f_f16"     = |k, a, b| k.cmp_f16(Cmp::F, a, b);
        "v_cmp_lt_f16"    = |k, a, b| k.cmp_f16(Cmp::Lt, a, b);
        "v_cmp_eq_f16"    = |k, a, b| k.cmp_f16(Cmp::Eq, a, b);
        "v_cmp_le_f16"    = |k, a, b| k.cmp_f16(Cmp::Le, a, b);
        "v_cmp_gt_f16"    = |k, a, b| k.cmp_f16(Cmp::Gt, a, b);
        "v_cmp_lg_f16"    = |k, a, b| k.cmp_f16(Cmp::Lg, a, b);
        "v_cmp_ge_f16"    = |k, a, b| k.cmp_f16(Cmp::Ge, a, b);
        "v_cmp_o_f16"     = |k, a, b| k.cmp_f16(Cmp::O, a, b);
        "v_cmp_u_f16"     = |k, a, b| k.cmp_f16(Cmp::U, a, b);
        "v_cmp_nge_f16"   = |k, a, b| k.cmp_f16(Cmp::Nge, a, b);
        "v_cmp_nlg_f16"   = |k, a, b| k.cmp_f16(Cmp::Nlg, a, b);
        "v_cmp_ngt_f16"   = |k, a, b| k.cmp_f16(Cmp::Ngt, a, b);
        "v_cmp_nle_f16"   = |k, a, b| k.cmp_f16(Cmp::Nle, a, b);
        "v_cmp_neq_f16"   = |k, a, b| k.cmp_f16(Cmp::Neq, a, b);
        "v_cmp_nlt_f16"   = |k, a, b| k.cmp_f16(Cmp::Nlt, a, b);
        "v_cmp_tru_f16"   = |k, a, b| k.cmp_f16(Cmp::T, a, b);
    }
    float (F32, F32) -> Bit {
        "v_cmp_f_f32"     = |k, a, b| k.cmp_f32(Cmp::F, a, b);
        "v_cmp_lt_f32"    = |k, a, b| k.cmp_f32(Cmp::Lt, a, b);
        "v_cmp_eq_f32"    = |k, a, b| k.cmp_f32(Cmp::Eq, a, b);
        "v_cmp_le_f32"    = |k, a, b| k.cmp_f32(Cmp::Le, a, b);
        "v_cmp_gt_f32"    = |k, a, b| k.cmp_f32(Cmp::Gt, a, b);
        "v_cmp_lg_f32"    = |k, a, b| k.cmp_f32(Cmp::Lg, a, b);
        "v_cmp_ge_f32"    = |k, a, b| k.cmp_f32(Cmp::Ge, a, b);
        "v_cmp_o_f32"     = |k, a, b| k.cmp_f32(Cmp::O, a, b);
        "v_cmp_u_f32"     = |k, a, b| k.cmp_f32(Cmp::U, a, b);
        "v_cmp_nge_f32"   = |k, a, b| k.cmp_f32(Cmp::Nge, a, b);
        "v_cmp_nlg_f32"   = |k, a, b| k.cmp_f32(Cmp::Nlg, a, b);
        "v_cmp_ngt_f32"   = |k, a, b| k.cmp_f32(Cmp::Ngt, a, b);
        "v_cmp_nle_f32"   = |k, a, b| k.cmp_f32(Cmp::Nle, a, b);
        "v_cmp_neq_f32"   = |k, a, b| k.cmp_f32(Cmp::Neq, a, b);
        "v_cmp_nlt_f32"   = |k, a, b| k.cmp_f32(Cmp::Nlt, a, b);
        "v_cmp_tru_f32"   = |k, a, b| k.cmp_f32(Cmp::T, a, b);
    }
    float (F64, F64) -> Bit {
        "v_cmp_f_f64"     = |k, a, b| k.cmp_f64(Cmp::F, a, b);
        "v_cmp_lt_f64"    = |k, a, b| k.cmp_f64(Cmp::Lt, a, b);
        "v_cmp_eq_f64"    = |k, a, b| k.cmp_f64(Cmp::Eq, a, b);
        "v_cmp_le_f64"    = |k, a, b| k.cmp_f64(Cmp::Le, a, b);
        "v_cmp_gt_f64"    = |k, a, b| k.cmp_f64(Cmp::Gt, a, b);
        "v_cmp_lg_f64"    = |k, a, b| k.cmp_f64(Cmp::Lg, a, b);
        "v_cmp_ge_f64"    = |k, a, b| k.cmp_f64(Cmp::Ge, a, b);
        "v_cmp_o_f64"     = |k, a, b| k.cmp_f64(Cmp::O, a, b);
        "v_cmp_u_f64"     = |k, a, b| k.cmp_f64(Cmp::U, a, b);
        "v_cmp_nge_f64"   = |k, a, b| k.cmp_f64(Cmp::Nge, a, b);
        "v_cmp_nlg_f64"   = |k, a, b| k.cmp_f64(Cmp::Nlg, a, b);
        "v_cmp_ngt_f64"   = |k, a, b| k.cmp_f64(Cmp::Ngt, a, b);
        "v_cmp_nle_f64"   = |k, a, b| k.cmp_f64(Cmp::Nle, a, b);
        "v_cmp_neq_f64"   = |k, a, b| k.cmp_f64(Cmp::Neq, a, b);
        "v_cmp_nlt_f64"   = |k, a, b| k.cmp_f64(Cmp::Nlt, a, b);
        "v_cmp_tru_f64"   = |k, a, b| k.cmp_f64(Cmp::T, a, b);
    }
    int (U16, U16) -> Bit {
        "v_cmp_f_i16"     = |k, a, b| k.c(false);
        "v_cmp_lt_i16"    = |k, a, b| k.lt_s(k.sx(a, 16), k.sx(b, 16));
        "v_cmp_eq_i16"    = |k, a, b| k.eq(k.sx(a, 16), k.sx(b, 16));
        "v_cmp_le_i16"    = |k, a, b| k.negate(k.lt_s(k.sx(b, 16), k.sx(a, 16)));
        "v_cmp_gt_i16"    = |k, a, b| k.lt_s(k.sx(b, 16), k.sx(a, 16));
        "v_cmp_ne_i16"    = |k, a, b| k.negate(k.eq(k.sx(a, 16), k.sx(b, 16)));
        "v_cmp_ge_i16"    = |k, a, b| k.negate(k.lt_s(k.sx(a, 16), k.sx(b, 16)));
        "v_cmp_t_i16"     = |k, a, b| k.c(true);
        "v_cmp_f_u16"     = |k, a, b| k.c(false);
        "v_cmp_lt_u16"    = |k, a, b| k.lt_u(k.zx16(a), k.zx16(b));
        "v_cmp_eq_u16"    = |k, a, b| k.eq(k.zx16(a), k.zx16(b));
        "v_cmp_le_u16"    = |k, a, b| k.negate(k.lt_u(k.zx16(b), k.zx16(a)));
        "v_cmp_gt_u16"    = |k, a, b| k.lt_u(k.zx16(b), k.zx16(a));
        "v_cmp_ne_u16"    = |k, a, b| k.negate(k.eq(k.zx16(a), k.zx16(b)));
        "v_cmp_ge_u16"    = |k, a, b| k.negate(k.lt_u(k.zx16(a), k.zx16(b)));
        "v_cmp_t_u16"     = |k, a, b| k.c(true);
    }
    int (U32, U32) -> Bit {
        "v_cmp_f_i32"     = |k, a, b| k.c(false);
        "v_cmp_lt_i32"    = |k, a, b| k.lt_s(a, b);
        "v_cmp_eq_i32"    = |k, a, b| k.eq(a, b);
        "v_cmp_le_i32"    = |k, a, b| k.negate(k.lt_s(b, a));
        "v_cmp_gt_i32"    = |k, a, b| k.lt_s(b, a);
        "v_cmp_ne_i32"    = |k, a, b| k.negate(k.eq(a, b));
        "v_cmp_ge_i32"    = |k, a, b| k.negate(k.lt_s(a, b));
        "v_cmp_t_i32"     = |k, a, b| k.c(true);
        "v_cmp_f_u32"     = |k, a, b| k.c(false);
        "v_cmp_lt_u32"    = |k, a, b| k.lt_u(a, b);
        "v_cmp_eq_u32"    = |k, a, b| k.eq(a, b);
        "v_cmp_le_u32"    = |k, a, b| k.negate(k.lt_u(b, a));
        "v_cmp_gt_u32"    = |k, a, b| k.lt_u(b, a);
        "v_cmp_ne_u32"    = |k, a, b| k.negate(k.eq(a, b));
        "v_cmp_ge_u32"    = |k, a, b| k.negate(k.lt_u(a, b));
        "v_cmp_t_u32"     = |k, a, b| k.c(true);
    }
    int (U64, U64) -> Bit {
        "v_cmp_f_i64"     = |k, a, b| k.c(false);
        "v_cmp_lt_i64"    = |k, a, b| k.lts_d(a, b);
        "v_cmp_eq_i64"    = |k, a, b| k.eq_d(a, b);
        "v_cmp_le_i64"    = |k, a, b| k.negate(k.lts_d(b, a));
        "v_cmp_gt_i64"    = |k, a, b| k.lts_d(b, a);
        "v_cmp_ne_i64"    = |k, a, b| k.negate(k.eq_d(a, b));
        "v_cmp_ge_i64"    = |k, a, b| k.negate(k.lts_d(a, b));
        "v_cmp_t_i64"     = |k, a, b| k.c(true);
        "v_cmp_f_u64"     = |k, a, b| k.c(false);
        "v_cmp_lt_u64"    = |k, a, b| k.ltu_d(a, b);
        "v_cmp_eq_u64"    = |k, a, b| k.eq_d(a, b);
        "v_cmp_le_u64"    = |k, a, b| k.negate(k.ltu_d(b, a));
        "v_cmp_gt_u64"    = |k, a, b| k.ltu_d(b, a);
        "v_cmp_ne_u64"    = |k, a, b| k.negate(k.eq_d(a, b));
        "v_cmp_ge_u64"    = |k, a, b| k.negate(k.ltu_d(a, b));
        "v_cmp_t_u64"     = |k, a, b| k.c(true);
    }
    int (F16, U16) -> Bit {
        // Denormals are a class of their own in every mode.
        "v_cmp_class_f16" = |k, a, m| k.class_f16(a, k.zx16(m));
    }
    int (F32, U32) -> Bit {
        "v_cmp_class_f32" = |k, a, m| k.class_f32(a, m);
    }
    int (F64, U32) -> Bit {
        "v_cmp_class_f64" = |k, a, m| k.class_f64(a, m);
    }
}
