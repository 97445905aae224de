//! Vector float arithmetic.

use super::meanings;

meanings! {
    float (F32, F32) -> F32 {
        "v_add_f32"        = |k, a, b| k.add_f32(a, b);
        "v_sub_f32"        = |k, a, b| k.sub_f32(a, b);
        "v_subrev_f32"     = |k, a, b| k.sub_f32(b, a);
        "v_mul_f32"        = |k, a, b| k.mul_f32(a, b);
    }
    float (F32, F32, F32) -> F32 {
        "v_fma_f32"        = |k, a, b, c| k.fma_f32(a, b, c);
        "v_mad_f32"        = |k, a, b, c| k.mad_f32(a, b, c);
        "v_mac_f32"        = |k, a, b, c| k.mad_f32(a, b, c);
        "v_fmac_f32"       = |k, a, b, c| k.fma_f32(a, b, c);
    }
    float (F64, F64, F64) -> F64 {
        "v_fma_f64"        = |k, a, b, c| k.fma_f64(a, b, c);
    }
}
