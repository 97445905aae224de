//! Vector arithmetic of 64-bit floats.

use super::meanings;

meanings! {
    float F64 -> F64 {
        "v_fract_f64"         = |k, a| k.fract_f64(a);
        "v_trunc_f64"         = |k, a| k.trunc_f64(a);
        "v_ceil_f64"          = |k, a| k.ceil_f64(a);
        "v_floor_f64"         = |k, a| k.floor_f64(a);
        "v_rndne_f64"         = |k, a| k.rndne_f64(a);
        "v_frexp_mant_f64"    = |k, a| k.frexp_mant_f64(a);
    }
    unit F64 -> F64 {
        "v_rcp_f64"           = |k, a| k.rcp_f64(a);
        "v_rsq_f64"           = |k, a| k.rsq_f64(a);
        "v_sqrt_f64"          = |k, a| k.sqrt_f64(a);
        "v_rcp_clamp_f64"     = |k, a| k.finite_f64(k.rcp_f64(a));
        "v_rsq_clamp_f64"     = |k, a| k.finite_f64(k.rsq_f64(a));
    }
    float F64 -> U32 {
        "v_frexp_exp_i32_f64" = |k, a| k.frexp_exp_f64(a);
    }
    float (F64, F64) -> F64 {
        "v_add_f64"           = |k, a, b| k.add_f64(a, b);
        "v_mul_f64"           = |k, a, b| k.mul_f64(a, b);
        "v_min_f64"           = |k, a, b| k.min_f64(a, b);
        "v_max_f64"           = |k, a, b| k.max_f64(a, b);
        "v_min_num_f64"       = |k, a, b| k.min_f64(a, b);
        "v_max_num_f64"       = |k, a, b| k.max_f64(a, b);
        "v_minimum_f64"       = |k, a, b| k.minimum_f64(a, b);
        "v_maximum_f64"       = |k, a, b| k.maximum_f64(a, b);
    }
    float (F64, U32) -> F64 {
        "v_ldexp_f64"         = |k, a, n| k.ldexp_f64(a, n);
        "v_trig_preop_f64"    = |k, a, n| k.trig_preop_f64(a, n);
    }
    float (F64, F64, F64) -> F64 {
        "v_fma_f64"           = |k, a, b, c| k.fma_f64(a, b, c);
        "v_fmac_f64"          = |k, a, b, c| k.fma_f64(a, b, c);
        "v_div_fixup_f64"     = |k, q, d, n| k.div_fixup_f64(q, d, n);
    }
    float (F64, F64, F64) -> (F64, Bit) {
        "v_div_scale_f64 co"  = |k, v, d, n| k.div_scale_f64(v, d, n);
    }
    float (F64, F64, F64, Bit) -> F64 {
        "v_div_fmas_f64"      = |k, a, b, c, scaled| k.div_fmas_f64(a, b, c, scaled);
    }
}
