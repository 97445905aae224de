//! Scalar float instructions. A 16-bit result clears the half above it.

use super::meanings;

meanings! {
    float F32 -> F32 {
        "s_ceil_f32"           = |k, a| k.ceil_f32(a);
        "s_floor_f32"          = |k, a| k.floor_f32(a);
        "s_trunc_f32"          = |k, a| k.trunc_f32(a);
        "s_rndne_f32"          = |k, a| k.rndne_f32(a);
    }
    float (F32, F32) -> F32 {
        "s_add_f32"            = |k, a, b| k.add_f32(a, b);
        "s_sub_f32"            = |k, a, b| k.sub_f32(a, b);
        "s_mul_f32"            = |k, a, b| k.mul_f32(a, b);
        "s_min_f32"            = |k, a, b| k.min_f32(a, b);
        "s_max_f32"            = |k, a, b| k.max_f32(a, b);
        "s_minimum_f32"        = |k, a, b| k.minimum_f32(a, b);
        "s_maximum_f32"        = |k, a, b| k.maximum_f32(a, b);
    }
    float (F32, F32, F32) -> F32 {
        "s_fmaak_f32"          = |k, a, b, c| k.fma_f32(a, b, c);
        "s_fmamk_f32"          = |k, a, b, c| k.fma_f32(a, b, c);
        "s_fmac_f32"           = |k, a, b, c| k.fma_f32(a, b, c);
    }
    float F16 -> U32 {
        "s_ceil_f16"           = |k, a| k.zx16(k.ceil_f16(a));
        "s_floor_f16"          = |k, a| k.zx16(k.floor_f16(a));
        "s_trunc_f16"          = |k, a| k.zx16(k.trunc_f16(a));
        "s_rndne_f16"          = |k, a| k.zx16(k.rndne_f16(a));
    }
    float (F16, F16) -> U32 {
        "s_add_f16"            = |k, a, b| k.zx16(k.add_f16(a, b));
        "s_sub_f16"            = |k, a, b| k.zx16(k.sub_f16(a, b));
        "s_mul_f16"            = |k, a, b| k.zx16(k.mul_f16(a, b));
        "s_min_f16"            = |k, a, b| k.zx16(k.min_f16(a, b));
        "s_max_f16"            = |k, a, b| k.zx16(k.max_f16(a, b));
        "s_minimum_f16"        = |k, a, b| k.zx16(k.minimum_f16(a, b));
        "s_maximum_f16"        = |k, a, b| k.zx16(k.maximum_f16(a, b));
    }
    float (F16, F16, F16) -> U32 {
        "s_fmac_f16"           = |k, a, b, old| k.zx16(k.fma_f16(a, b, old));
    }
    float U32 -> F32 {
        "s_cvt_f32_i32"        = |k, a| k.f32_of_i32(a);
        "s_cvt_f32_u32"        = |k, a| k.f32_of_u32(a);
        "s_cvt_hi_f32_f16"     = |k, a| k.f32_of_f16(k.shri(a, 16));
    }
    int F32 -> U32 {
        "s_cvt_i32_f32"        = |k, a| k.i32_of_f32(a);
        "s_cvt_u32_f32"        = |k, a| k.u32_of_f32(a);
    }
    float F32 -> U32 {
        "s_cvt_f16_f32"        = |k, a| k.zx16(k.f16_of_f32(a));
    }
    float F16 -> F32 {
        "s_cvt_f32_f16"        = |k, a| k.f32_of_f16(a);
    }
    float (F32, F32) -> U32 {
        "s_cvt_pk_rtz_f16_f32" = |k, a, b| k.pack(k.f16_of_f32_rtz(a), k.f16_of_f32_rtz(b));
    }
}
