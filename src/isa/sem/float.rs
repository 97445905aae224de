//! Vector arithmetic of 32-bit floats.

use super::meanings;

meanings! {
    float F32 -> F32 {
        "v_fract_f32"          = |k, a| k.fract_f32(a);
        "v_trunc_f32"          = |k, a| k.trunc_f32(a);
        "v_ceil_f32"           = |k, a| k.ceil_f32(a);
        "v_floor_f32"          = |k, a| k.floor_f32(a);
        "v_rndne_f32"          = |k, a| k.rndne_f32(a);
        "v_frexp_mant_f32"     = |k, a| k.frexp_mant_f32(a);
    }
    unit F32 -> F32 {
        "v_exp_f32"            = |k, a| k.exp_f32(a);
        "v_log_f32"            = |k, a| k.log_f32(a);
        "v_rcp_f32"            = |k, a| k.rcp_f32(a);
        "v_rsq_f32"            = |k, a| k.rsq_f32(a);
        "v_sqrt_f32"           = |k, a| k.sqrt_f32(a);
        "v_sin_f32"            = |k, a| k.sin_f32(a);
        "v_cos_f32"            = |k, a| k.cos_f32(a);
        "v_rcp_iflag_f32"      = |k, a| k.rcp_f32(a);
        // Early instructions which keep results finite, or answer zero for infinity.
        "v_exp_legacy_f32"     = |k, a| k.exp_f32(a);
        "v_log_legacy_f32"     = |k, a| k.log_f32(a);
        "v_log_clamp_f32"      = |k, a| k.finite_f32(k.log_f32(a));
        "v_rcp_clamp_f32"      = |k, a| k.finite_f32(k.rcp_f32(a));
        "v_rsq_clamp_f32"      = |k, a| k.finite_f32(k.rsq_f32(a));
        "v_rcp_legacy_f32"     = |k, a| k.inf_to_zero_f32(k.rcp_f32(a));
        "v_rsq_legacy_f32"     = |k, a| k.inf_to_zero_f32(k.rsq_f32(a));
    }
    once F32 -> F32 {
        "v_s_exp_f32"          = |k, a| k.exp_f32(a);
        "v_s_log_f32"          = |k, a| k.log_f32(a);
        "v_s_rcp_f32"          = |k, a| k.rcp_f32(a);
        "v_s_rsq_f32"          = |k, a| k.rsq_f32(a);
        "v_s_sqrt_f32"         = |k, a| k.sqrt_f32(a);
    }
    float F32 -> U32 {
        "v_frexp_exp_i32_f32"  = |k, a| k.frexp_exp_f32(a);
    }
    float (F32, F32) -> F32 {
        "v_add_f32"            = |k, a, b| k.add_f32(a, b);
        "v_sub_f32"            = |k, a, b| k.sub_f32(a, b);
        "v_subrev_f32"         = |k, a, b| k.sub_f32(b, a);
        "v_mul_f32"            = |k, a, b| k.mul_f32(a, b);
        "v_mul_legacy_f32"     = |k, a, b| k.mul_legacy_f32(a, b);
        "v_mul_dx9_zero_f32"   = |k, a, b| k.mul_legacy_f32(a, b);
        "v_min_f32"            = |k, a, b| k.min_f32(a, b);
        "v_max_f32"            = |k, a, b| k.max_f32(a, b);
        "v_min_legacy_f32"     = |k, a, b| k.min_legacy_f32(a, b);
        "v_max_legacy_f32"     = |k, a, b| k.max_legacy_f32(a, b);
        "v_minimum_f32"        = |k, a, b| k.minimum_f32(a, b);
        "v_maximum_f32"        = |k, a, b| k.maximum_f32(a, b);
    }
    float (F32, U32) -> F32 {
        "v_ldexp_f32"          = |k, a, n| k.ldexp_f32(a, n);
    }
    float (F32, F32, F32) -> F32 {
        "v_mad_f32"            = |k, a, b, c| k.mad_f32(a, b, c);
        "v_mac_f32"            = |k, a, b, c| k.mad_f32(a, b, c);
        "v_madmk_f32"          = |k, a, b, c| k.mad_f32(a, b, c);
        "v_madak_f32"          = |k, a, b, c| k.mad_f32(a, b, c);
        "v_mad_mix_f32"        = |k, a, b, c| k.mad_f32(a, b, c);
        "v_fma_f32"            = |k, a, b, c| k.fma_f32(a, b, c);
        "v_fmac_f32"           = |k, a, b, c| k.fma_f32(a, b, c);
        "v_fmamk_f32"          = |k, a, b, c| k.fma_f32(a, b, c);
        "v_fmaak_f32"          = |k, a, b, c| k.fma_f32(a, b, c);
        "v_fma_mix_f32"        = |k, a, b, c| k.fma_f32(a, b, c);
        "v_mad_legacy_f32"     = |k, a, b, c| k.mad_legacy_f32(a, b, c);
        "v_mac_legacy_f32"     = |k, a, b, c| k.mad_legacy_f32(a, b, c);
        "v_fma_legacy_f32"     = |k, a, b, c| k.fma_legacy_f32(a, b, c);
        "v_fmac_legacy_f32"    = |k, a, b, c| k.fma_legacy_f32(a, b, c);
        "v_mullit_f32"         = |k, a, b, c| k.mullit_f32(a, b, c);
        "v_div_fixup_f32"      = |k, q, d, n| k.div_fixup_f32(q, d, n);
        "v_cubeid_f32"         = |k, x, y, z| k.cubeid_f32(x, y, z);
        "v_cubesc_f32"         = |k, x, y, z| k.cubesc_f32(x, y, z);
        "v_cubetc_f32"         = |k, x, y, z| k.cubetc_f32(x, y, z);
        "v_cubema_f32"         = |k, x, y, z| k.cubema_f32(x, y, z);
        "v_min3_f32"           = |k, a, b, c| k.min_f32(k.min_f32(a, b), c);
        "v_max3_f32"           = |k, a, b, c| k.max_f32(k.max_f32(a, b), c);
        "v_med3_f32"           = |k, a, b, c| k.med3_f32(a, b, c);
        "v_minmax_f32"         = |k, a, b, c| k.max_f32(k.min_f32(a, b), c);
        "v_maxmin_f32"         = |k, a, b, c| k.min_f32(k.max_f32(a, b), c);
        "v_minimum3_f32"       = |k, a, b, c| k.minimum_f32(k.minimum_f32(a, b), c);
        "v_maximum3_f32"       = |k, a, b, c| k.maximum_f32(k.maximum_f32(a, b), c);
        "v_minimummaximum_f32" = |k, a, b, c| k.maximum_f32(k.minimum_f32(a, b), c);
        "v_maximumminimum_f32" = |k, a, b, c| k.minimum_f32(k.maximum_f32(a, b), c);
    }
    float (F32, F32, F32) -> (F32, Bit) {
        "v_div_scale_f32 co"   = |k, v, d, n| k.div_scale_f32(v, d, n);
    }
    float (F32, F32, F32, Bit) -> F32 {
        "v_div_fmas_f32"       = |k, a, b, c, scaled| k.div_fmas_f32(a, b, c, scaled);
    }
}
