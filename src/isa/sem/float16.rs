//! Vector arithmetic of 16-bit floats.

use super::meanings;

meanings! {
    float F16 -> F16 {
        "v_fract_f16"            = |k, a| k.fract_f16(a);
        "v_trunc_f16"            = |k, a| k.trunc_f16(a);
        "v_ceil_f16"             = |k, a| k.ceil_f16(a);
        "v_floor_f16"            = |k, a| k.floor_f16(a);
        "v_rndne_f16"            = |k, a| k.rndne_f16(a);
        "v_frexp_mant_f16"       = |k, a| k.frexp_mant_f16(a);
    }
    unit F16 -> F16 {
        "v_exp_f16"              = |k, a| k.exp_f16(a);
        "v_log_f16"              = |k, a| k.log_f16(a);
        "v_rcp_f16"              = |k, a| k.rcp_f16(a);
        "v_rsq_f16"              = |k, a| k.rsq_f16(a);
        "v_sqrt_f16"             = |k, a| k.sqrt_f16(a);
        "v_sin_f16"              = |k, a| k.sin_f16(a);
        "v_cos_f16"              = |k, a| k.cos_f16(a);
    }
    once F16 -> F16 {
        "v_s_exp_f16"            = |k, a| k.exp_f16(a);
        "v_s_log_f16"            = |k, a| k.log_f16(a);
        "v_s_rcp_f16"            = |k, a| k.rcp_f16(a);
        "v_s_rsq_f16"            = |k, a| k.rsq_f16(a);
        "v_s_sqrt_f16"           = |k, a| k.sqrt_f16(a);
    }
    float F16 -> U16 {
        "v_frexp_exp_i16_f16"    = |k, a| k.frexp_exp_f16(a);
    }
    float (F16, F16) -> F16 {
        "v_sub_f16"              = |k, a, b| k.sub_f16(a, b);
        "v_subrev_f16"           = |k, a, b| k.sub_f16(b, a);
    }
    packed_float (F16, F16) -> F16 {
        "v_add_f16"              = |k, a, b| k.add_f16(a, b);
        "v_mul_f16"              = |k, a, b| k.mul_f16(a, b);
        "v_min_f16"              = |k, a, b| k.min_f16(a, b);
        "v_max_f16"              = |k, a, b| k.max_f16(a, b);
        "v_minimum_f16"          = |k, a, b| k.minimum_f16(a, b);
        "v_maximum_f16"          = |k, a, b| k.maximum_f16(a, b);
    }
    float (F16, U16) -> F16 {
        "v_ldexp_f16"            = |k, a, n| k.ldexp_f16(a, k.sx(n, 16));
    }
    float (F16, F16) -> U32 {
        "v_pack_b32_f16"         = |k, a, b| k.pack(k.canonical_f16(a), k.canonical_f16(b));
    }
    float (F16, F16, F16) -> F16 {
        "v_mad_f16"              = |k, a, b, c| k.mad_f16(a, b, c);
        "v_mac_f16"              = |k, a, b, c| k.mad_f16(a, b, c);
        "v_madmk_f16"            = |k, a, b, c| k.mad_f16(a, b, c);
        "v_madak_f16"            = |k, a, b, c| k.mad_f16(a, b, c);
        "v_mad_legacy_f16"       = |k, a, b, c| k.mad_f16(a, b, c);
        "v_fmamk_f16"            = |k, a, b, c| k.fma_f16(a, b, c);
        "v_fmaak_f16"            = |k, a, b, c| k.fma_f16(a, b, c);
        "v_fma_legacy_f16"       = |k, a, b, c| k.fma_f16(a, b, c);
        "v_div_fixup_f16"        = |k, q, d, n| k.div_fixup_f16(q, d, n);
        "v_div_fixup_legacy_f16" = |k, q, d, n| k.div_fixup_f16(q, d, n);
        "v_min3_f16"             = |k, a, b, c| k.min_f16(k.min_f16(a, b), c);
        "v_max3_f16"             = |k, a, b, c| k.max_f16(k.max_f16(a, b), c);
        "v_med3_f16"             = |k, a, b, c| k.med3_f16(a, b, c);
        "v_minmax_f16"           = |k, a, b, c| k.max_f16(k.min_f16(a, b), c);
        "v_maxmin_f16"           = |k, a, b, c| k.min_f16(k.max_f16(a, b), c);
        "v_minimum3_f16"         = |k, a, b, c| k.minimum_f16(k.minimum_f16(a, b), c);
        "v_maximum3_f16"         = |k, a, b, c| k.maximum_f16(k.maximum_f16(a, b), c);
        "v_minimummaximum_f16"   = |k, a, b, c| k.maximum_f16(k.minimum_f16(a, b), c);
        "v_maximumminimum_f16"   = |k, a, b, c| k.minimum_f16(k.maximum_f16(a, b), c);
    }
    packed_float (F16, F16, F16) -> F16 {
        "v_fma_f16"              = |k, a, b, c| k.fma_f16(a, b, c);
        "v_fmac_f16"             = |k, a, b, c| k.fma_f16(a, b, c);
    }
    float (F32, F32, F32) -> F16 {
        // The half of the register is chosen outside.
        "v_mad_mixlo_f16"        = |k, a, b, c| k.mad_f16_of_f32(a, b, c);
        "v_mad_mixhi_f16"        = |k, a, b, c| k.mad_f16_of_f32(a, b, c);
        "v_fma_mixlo_f16"        = |k, a, b, c| k.fma_f16_of_f32(a, b, c);
        "v_fma_mixhi_f16"        = |k, a, b, c| k.fma_f16_of_f32(a, b, c);
    }
}
