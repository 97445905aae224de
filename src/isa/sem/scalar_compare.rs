//! Scalar compares. The `Bit` is SCC.

use super::meanings;

meanings! {
    int (U32, U32) -> Bit {
        "s_cmp_eq_i32"  = |k, a, b| k.eq(a, b);
        "s_cmp_lg_i32"  = |k, a, b| k.negate(k.eq(a, b));
        "s_cmp_gt_i32"  = |k, a, b| k.lt_s(b, a);
        "s_cmp_ge_i32"  = |k, a, b| k.negate(k.lt_s(a, b));
        "s_cmp_lt_i32"  = |k, a, b| k.lt_s(a, b);
        "s_cmp_le_i32"  = |k, a, b| k.negate(k.lt_s(b, a));
        "s_cmp_eq_u32"  = |k, a, b| k.eq(a, b);
        "s_cmp_lg_u32"  = |k, a, b| k.negate(k.eq(a, b));
        "s_cmp_gt_u32"  = |k, a, b| k.lt_u(b, a);
        "s_cmp_ge_u32"  = |k, a, b| k.negate(k.lt_u(a, b));
        "s_cmp_lt_u32"  = |k, a, b| k.lt_u(a, b);
        "s_cmp_le_u32"  = |k, a, b| k.negate(k.lt_u(b, a));
        "s_cmpk_eq_i32" = |k, a, b| k.eq(a, b);
        "s_cmpk_lg_i32" = |k, a, b| k.negate(k.eq(a, b));
        "s_cmpk_gt_i32" = |k, a, b| k.lt_s(b, a);
        "s_cmpk_ge_i32" = |k, a, b| k.negate(k.lt_s(a, b));
        "s_cmpk_lt_i32" = |k, a, b| k.lt_s(a, b);
        "s_cmpk_le_i32" = |k, a, b| k.negate(k.lt_s(b, a));
        "s_cmpk_eq_u32" = |k, a, b| k.eq(a, b);
        "s_cmpk_lg_u32" = |k, a, b| k.negate(k.eq(a, b));
        "s_cmpk_gt_u32" = |k, a, b| k.lt_u(b, a);
        "s_cmpk_ge_u32" = |k, a, b| k.negate(k.lt_u(a, b));
        "s_cmpk_lt_u32" = |k, a, b| k.lt_u(a, b);
        "s_cmpk_le_u32" = |k, a, b| k.negate(k.lt_u(b, a));
        "s_bitcmp0_b32" = |k, a, n| k.eq(k.mask(k.shr(a, n), 1), k.w(0));
        "s_bitcmp1_b32" = |k, a, n| k.nz(k.mask(k.shr(a, n), 1));
    }
    int (U64, U32) -> Bit {
        "s_bitcmp0_b64" = |k, a, n| k.eq(k.mask(k.lo(k.shr_d(a, n)), 1), k.w(0));
        "s_bitcmp1_b64" = |k, a, n| k.nz(k.mask(k.lo(k.shr_d(a, n)), 1));
    }
    int (U64, U64) -> Bit {
        "s_cmp_eq_u64"  = |k, a, b| k.eq_d(a, b);
        "s_cmp_lg_u64"  = |k, a, b| k.negate(k.eq_d(a, b));
    }
    float (F32, F32) -> Bit {
        "s_cmp_lt_f32"  = |k, a, b| k.cmp_f32(Cmp::Lt, a, b);
        "s_cmp_eq_f32"  = |k, a, b| k.cmp_f32(Cmp::Eq, a, b);
        "s_cmp_le_f32"  = |k, a, b| k.cmp_f32(Cmp::Le, a, b);
        "s_cmp_gt_f32"  = |k, a, b| k.cmp_f32(Cmp::Gt, a, b);
        "s_cmp_lg_f32"  = |k, a, b| k.cmp_f32(Cmp::Lg, a, b);
        "s_cmp_ge_f32"  = |k, a, b| k.cmp_f32(Cmp::Ge, a, b);
        "s_cmp_o_f32"   = |k, a, b| k.cmp_f32(Cmp::O, a, b);
        "s_cmp_u_f32"   = |k, a, b| k.cmp_f32(Cmp::U, a, b);
        "s_cmp_nge_f32" = |k, a, b| k.cmp_f32(Cmp::Nge, a, b);
        "s_cmp_nlg_f32" = |k, a, b| k.cmp_f32(Cmp::Nlg, a, b);
        "s_cmp_ngt_f32" = |k, a, b| k.cmp_f32(Cmp::Ngt, a, b);
        "s_cmp_nle_f32" = |k, a, b| k.cmp_f32(Cmp::Nle, a, b);
        "s_cmp_neq_f32" = |k, a, b| k.cmp_f32(Cmp::Neq, a, b);
        "s_cmp_nlt_f32" = |k, a, b| k.cmp_f32(Cmp::Nlt, a, b);
    }
    float (F16, F16) -> Bit {
        "s_cmp_lt_f16"  = |k, a, b| k.cmp_f16(Cmp::Lt, a, b);
        "s_cmp_eq_f16"  = |k, a, b| k.cmp_f16(Cmp::Eq, a, b);
        "s_cmp_le_f16"  = |k, a, b| k.cmp_f16(Cmp::Le, a, b);
        "s_cmp_gt_f16"  = |k, a, b| k.cmp_f16(Cmp::Gt, a, b);
        "s_cmp_lg_f16"  = |k, a, b| k.cmp_f16(Cmp::Lg, a, b);
        "s_cmp_ge_f16"  = |k, a, b| k.cmp_f16(Cmp::Ge, a, b);
        "s_cmp_o_f16"   = |k, a, b| k.cmp_f16(Cmp::O, a, b);
        "s_cmp_u_f16"   = |k, a, b| k.cmp_f16(Cmp::U, a, b);
        "s_cmp_nge_f16" = |k, a, b| k.cmp_f16(Cmp::Nge, a, b);
        "s_cmp_nlg_f16" = |k, a, b| k.cmp_f16(Cmp::Nlg, a, b);
        "s_cmp_ngt_f16" = |k, a, b| k.cmp_f16(Cmp::Ngt, a, b);
        "s_cmp_nle_f16" = |k, a, b| k.cmp_f16(Cmp::Nle, a, b);
        "s_cmp_neq_f16" = |k, a, b| k.cmp_f16(Cmp::Neq, a, b);
        "s_cmp_nlt_f16" = |k, a, b| k.cmp_f16(Cmp::Nlt, a, b);
    }
}
