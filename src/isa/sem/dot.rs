//! Dot products of packed words, whose halves are selected and negated already.

use super::{Alg, meanings};

/// Number `n` of `bits` bits, extended by its sign or by zeros.
#[inline(always)]
fn part<A: Alg>(k: &A, a: A::W, bits: u32, n: u32, signed: bool) -> A::W {
    if signed { k.sx(k.shri(a, bits * n), bits) } else { k.mask(k.shri(a, bits * n), (1 << bits) - 1) }
}

/// The sum of the products of numbers of `bits` bits, at most 8; `sa` and `sb` say whose are signed. It fits into a signed word.
#[inline(always)]
fn dot<A: Alg>(k: &A, a: A::W, b: A::W, bits: u32, sa: bool, sb: bool) -> A::W {
    (0..32 / bits).fold(k.w(0), |sum, n| k.add(sum, k.mul(part(k, a, bits, n, sa), part(k, b, bits, n, sb))))
}

/// `c` plus the products of the halves.
#[inline(always)]
fn dot2<A: Alg>(k: &A, a: A::W, b: A::W, c: A::W, signed: bool) -> A::W {
    let product = |n| k.mul(part(k, a, 16, n, signed), part(k, b, 16, n, signed));
    k.add(k.add(product(0), product(1)), c)
}

/// `c` plus the products of the halves, saturated.
#[inline(always)]
fn dot2_clamp<A: Alg>(k: &A, a: A::W, b: A::W, c: A::W, signed: bool) -> A::W {
    let product = |n| {
        let (a, b) = (part(k, a, 16, n, signed), part(k, b, 16, n, signed));
        if signed { k.mul_wide_s(a, b) } else { k.mul_wide_u(a, b) }
    };
    let products = k.add_d(product(0), product(1));
    if signed { k.sat_s(k.add_d(products, k.sext(c))) } else { k.sat_u(k.add_d(products, k.zext(c))) }
}

meanings! {
    int (U32, U32, U32) -> U32 {
        "v_dot2_i32_i16"          = |k, a, b, c| dot2(k, a, b, c, true);
        "v_dot2_i32_i16 clamp"    = |k, a, b, c| dot2_clamp(k, a, b, c, true);
        "v_dot2_u32_u16"          = |k, a, b, c| dot2(k, a, b, c, false);
        "v_dot2_u32_u16 clamp"    = |k, a, b, c| dot2_clamp(k, a, b, c, false);
        "v_dot2c_i32_i16"         = |k, a, b, c| dot2(k, a, b, c, true);
        "v_dot2c_i32_i16 clamp"   = |k, a, b, c| dot2_clamp(k, a, b, c, true);
        "v_dot4_i32_i8"           = |k, a, b, c| k.add(dot(k, a, b, 8, true, true), c);
        "v_dot4_i32_i8 clamp"     = |k, a, b, c| k.add_sat_s(dot(k, a, b, 8, true, true), c);
        "v_dot4_u32_u8"           = |k, a, b, c| k.add(dot(k, a, b, 8, false, false), c);
        "v_dot4_u32_u8 clamp"     = |k, a, b, c| k.add_sat_u(dot(k, a, b, 8, false, false), c);
        "v_dot4c_i32_i8"          = |k, a, b, c| k.add(dot(k, a, b, 8, true, true), c);
        "v_dot4c_i32_i8 clamp"    = |k, a, b, c| k.add_sat_s(dot(k, a, b, 8, true, true), c);
        "v_dot8_i32_i4"           = |k, a, b, c| k.add(dot(k, a, b, 4, true, true), c);
        "v_dot8_i32_i4 clamp"     = |k, a, b, c| k.add_sat_s(dot(k, a, b, 4, true, true), c);
        "v_dot8_u32_u4"           = |k, a, b, c| k.add(dot(k, a, b, 4, false, false), c);
        "v_dot8_u32_u4 clamp"     = |k, a, b, c| k.add_sat_u(dot(k, a, b, 4, false, false), c);
        "v_dot8c_i32_i4"          = |k, a, b, c| k.add(dot(k, a, b, 4, true, true), c);
        "v_dot8c_i32_i4 clamp"    = |k, a, b, c| k.add_sat_s(dot(k, a, b, 4, true, true), c);
        // Whether `a` and `b` are signed is a matter of their negation bits: `su` is the key of a signed `a` and an unsigned `b`.
        "v_dot4_i32_iu8 uu"       = |k, a, b, c| k.add(dot(k, a, b, 8, false, false), c);
        "v_dot4_i32_iu8 uu clamp" = |k, a, b, c| k.add_sat_s(dot(k, a, b, 8, false, false), c);
        "v_dot4_i32_iu8 us"       = |k, a, b, c| k.add(dot(k, a, b, 8, false, true), c);
        "v_dot4_i32_iu8 us clamp" = |k, a, b, c| k.add_sat_s(dot(k, a, b, 8, false, true), c);
        "v_dot4_i32_iu8 su"       = |k, a, b, c| k.add(dot(k, a, b, 8, true, false), c);
        "v_dot4_i32_iu8 su clamp" = |k, a, b, c| k.add_sat_s(dot(k, a, b, 8, true, false), c);
        "v_dot4_i32_iu8 ss"       = |k, a, b, c| k.add(dot(k, a, b, 8, true, true), c);
        "v_dot4_i32_iu8 ss clamp" = |k, a, b, c| k.add_sat_s(dot(k, a, b, 8, true, true), c);
        "v_dot8_i32_iu4 uu"       = |k, a, b, c| k.add(dot(k, a, b, 4, false, false), c);
        "v_dot8_i32_iu4 uu clamp" = |k, a, b, c| k.add_sat_s(dot(k, a, b, 4, false, false), c);
        "v_dot8_i32_iu4 us"       = |k, a, b, c| k.add(dot(k, a, b, 4, false, true), c);
        "v_dot8_i32_iu4 us clamp" = |k, a, b, c| k.add_sat_s(dot(k, a, b, 4, false, true), c);
        "v_dot8_i32_iu4 su"       = |k, a, b, c| k.add(dot(k, a, b, 4, true, false), c);
        "v_dot8_i32_iu4 su clamp" = |k, a, b, c| k.add_sat_s(dot(k, a, b, 4, true, false), c);
        "v_dot8_i32_iu4 ss"       = |k, a, b, c| k.add(dot(k, a, b, 4, true, true), c);
        "v_dot8_i32_iu4 ss clamp" = |k, a, b, c| k.add_sat_s(dot(k, a, b, 4, true, true), c);
    }
    float (U32, U32, F32) -> F32 {
        "v_dot2_f32_f16"          = |k, a, b, c| k.dot2_f32_f16(a, b, c);
        "v_dot2c_f32_f16"         = |k, a, b, c| k.dot2_f32_f16(a, b, c);
        "v_dot2acc_f32_f16"       = |k, a, b, c| k.dot2_f32_f16(a, b, c);
        "v_dot2_f32_bf16"         = |k, a, b, c| k.dot2_f32_bf16(a, b, c);
        "v_dot2acc_f32_bf16"      = |k, a, b, c| k.dot2_f32_bf16(a, b, c);
        "v_dot4_f32_fp8_fp8"      = |k, a, b, c| k.dot4_f32_fp8(a, b, c, false, false);
        "v_dot4_f32_fp8_bf8"      = |k, a, b, c| k.dot4_f32_fp8(a, b, c, false, true);
        "v_dot4_f32_bf8_fp8"      = |k, a, b, c| k.dot4_f32_fp8(a, b, c, true, false);
        "v_dot4_f32_bf8_bf8"      = |k, a, b, c| k.dot4_f32_fp8(a, b, c, true, true);
    }
    float (U32, U32, F16) -> F16 {
        "v_dot2_f16_f16"          = |k, a, b, c| k.dot2_f16_f16(a, b, c);
    }
    float (U32, U32, U16) -> U16 {
        "v_dot2_bf16_bf16"        = |k, a, b, c| k.dot2_bf16_bf16(a, b, c);
    }
}
