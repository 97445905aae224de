//! Conversions. Those to integers need no mode: they go towards zero, and what a mode would flush becomes zero anyway.

use super::{Alg, meanings};

/// The rows that read their destination although no trait says so: the old value is the last of their sources.
pub static READS_DST: &[&str] = &["v_cvt_pkaccum_u8_f32"];

/// `old` with byte `n` replaced by the lowest of `v`.
#[inline(always)]
fn insert<A: Alg>(k: &A, old: A::W, v: A::W, n: A::W) -> A::W {
    let at = k.shli(k.mask(n, 3), 3);
    k.or(k.and(old, k.not(k.shl(k.w(0xff), at))), k.shl(k.mask(v, 0xff), at))
}

/// Two floats of 8 bits out of the low half.
#[inline(always)]
fn two_of_fp8<A: Alg>(k: &A, a: A::W, bf8: bool) -> A::D {
    k.pair(k.f32_of_fp8(k.byte(a, 0), bf8), k.f32_of_fp8(k.byte(a, 1), bf8))
}

/// Two floats of 8 bits in the low half.
#[inline(always)]
fn fp8_of_two<A: Alg>(k: &A, a: A::W, b: A::W, bf8: bool) -> A::W {
    k.or(k.mask(k.fp8_of_f32(a, bf8), 0xff), k.shli(k.mask(k.fp8_of_f32(b, bf8), 0xff), 8))
}

meanings! {
    int F32 -> U32 {
        "v_cvt_i32_f32"          = |k, a| k.i32_of_f32(a);
        "v_cvt_u32_f32"          = |k, a| k.u32_of_f32(a);
        "v_cvt_rpi_i32_f32"      = |k, a| k.i32_of_f32_nearest(a);
    }
    float F32 -> U32 {
        "v_cvt_flr_i32_f32"      = |k, a| k.i32_of_f32_floor(a);
    }
    int F64 -> U32 {
        "v_cvt_i32_f64"          = |k, a| k.i32_of_f64(a);
        "v_cvt_u32_f64"          = |k, a| k.u32_of_f64(a);
    }
    int F16 -> U16 {
        "v_cvt_i16_f16"          = |k, a| k.i16_of_f16(a);
        "v_cvt_u16_f16"          = |k, a| k.u16_of_f16(a);
    }
    int (F32, F32) -> U32 {
        "v_cvt_pk_i16_f32"       = |k, a, b| k.pack(k.i16_of_f32(a), k.i16_of_f32(b));
        "v_cvt_pk_u16_f32"       = |k, a, b| k.pack(k.u16_of_f32(a), k.u16_of_f32(b));
    }
    float U32 -> F32 {
        "v_cvt_f32_i32"          = |k, a| k.f32_of_i32(a);
        "v_cvt_f32_u32"          = |k, a| k.f32_of_u32(a);
    }
    int U32 -> F32 {
        "v_cvt_f32_ubyte0"       = |k, a| k.f32_of_u32(k.byte(a, 0));
        "v_cvt_f32_ubyte1"       = |k, a| k.f32_of_u32(k.byte(a, 1));
        "v_cvt_f32_ubyte2"       = |k, a| k.f32_of_u32(k.byte(a, 2));
        "v_cvt_f32_ubyte3"       = |k, a| k.f32_of_u32(k.byte(a, 3));
        "v_cvt_off_f32_i4"       = |k, a| k.f32_of_i4_off(a);
    }
    int U32 -> F64 {
        "v_cvt_f64_i32"          = |k, a| k.f64_of_i32(a);
        "v_cvt_f64_u32"          = |k, a| k.f64_of_u32(a);
    }
    float U16 -> F16 {
        "v_cvt_f16_i16"          = |k, a| k.f16_of_i16(a);
        "v_cvt_f16_u16"          = |k, a| k.f16_of_u16(a);
    }
    float F32 -> F16 {
        "v_cvt_f16_f32"          = |k, a| k.f16_of_f32(a);
    }
    float F16 -> F32 {
        "v_cvt_f32_f16"          = |k, a| k.f32_of_f16(a);
    }
    float F32 -> F64 {
        "v_cvt_f64_f32"          = |k, a| k.f64_of_f32(a);
    }
    float F64 -> F32 {
        "v_cvt_f32_f64"          = |k, a| k.f32_of_f64(a);
    }
    float (F32, F32) -> U32 {
        "v_cvt_pkrtz_f16_f32"    = |k, a, b| k.pack(k.f16_of_f32_rtz(a), k.f16_of_f32_rtz(b));
        "v_cvt_pknorm_i16_f32"   = |k, a, b| k.pack(k.snorm16_of_f32(a), k.snorm16_of_f32(b));
        "v_cvt_pknorm_u16_f32"   = |k, a, b| k.pack(k.unorm16_of_f32(a), k.unorm16_of_f32(b));
    }
    float (F16, F16) -> U32 {
        "v_cvt_pknorm_i16_f16"   = |k, a, b| k.pack(k.snorm16_of_f16(a), k.snorm16_of_f16(b));
        "v_cvt_pknorm_u16_f16"   = |k, a, b| k.pack(k.unorm16_of_f16(a), k.unorm16_of_f16(b));
    }
    float F16 -> U16 {
        "v_cvt_norm_i16_f16"     = |k, a| k.snorm16_of_f16(a);
        "v_cvt_norm_u16_f16"     = |k, a| k.unorm16_of_f16(a);
    }
    float (F32, U32, U32) -> U32 {
        "v_cvt_pk_u8_f32"        = |k, a, n, old| insert(k, old, k.u8_of_f32(a), n);
        "v_cvt_pkaccum_u8_f32"   = |k, a, n, old| insert(k, old, k.u8_of_f32(a), n);
    }
    // The byte, or the half, that is read has been moved to the bottom.
    int U32 -> F32 {
        "v_cvt_f32_fp8"          = |k, a| k.f32_of_fp8(k.byte(a, 0), false);
        "v_cvt_f32_bf8"          = |k, a| k.f32_of_fp8(k.byte(a, 0), true);
    }
    int U32 -> U64 {
        "v_cvt_pk_f32_fp8"       = |k, a| two_of_fp8(k, a, false);
        "v_cvt_pk_f32_bf8"       = |k, a| two_of_fp8(k, a, true);
    }
    // A half is written, which is chosen outside.
    float (F32, F32, U32) -> U16 {
        "v_cvt_pk_fp8_f32"       = |k, a, b, old| fp8_of_two(k, a, b, false);
        "v_cvt_pk_bf8_f32"       = |k, a, b, old| fp8_of_two(k, a, b, true);
    }
    // A byte is written: the key says which.
    float (F32, U32, U32) -> U32 {
        "v_cvt_sr_fp8_f32 byte0" = |k, a, seed, old| insert(k, old, k.fp8_of_f32_sr(a, seed, false), k.w(0));
        "v_cvt_sr_fp8_f32 byte1" = |k, a, seed, old| insert(k, old, k.fp8_of_f32_sr(a, seed, false), k.w(1));
        "v_cvt_sr_fp8_f32 byte2" = |k, a, seed, old| insert(k, old, k.fp8_of_f32_sr(a, seed, false), k.w(2));
        "v_cvt_sr_fp8_f32 byte3" = |k, a, seed, old| insert(k, old, k.fp8_of_f32_sr(a, seed, false), k.w(3));
        "v_cvt_sr_bf8_f32 byte0" = |k, a, seed, old| insert(k, old, k.fp8_of_f32_sr(a, seed, true), k.w(0));
        "v_cvt_sr_bf8_f32 byte1" = |k, a, seed, old| insert(k, old, k.fp8_of_f32_sr(a, seed, true), k.w(1));
        "v_cvt_sr_bf8_f32 byte2" = |k, a, seed, old| insert(k, old, k.fp8_of_f32_sr(a, seed, true), k.w(2));
        "v_cvt_sr_bf8_f32 byte3" = |k, a, seed, old| insert(k, old, k.fp8_of_f32_sr(a, seed, true), k.w(3));
    }
}
