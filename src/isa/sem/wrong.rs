//! Wrong meanings, for planting: what a name would mean if one thing in its expression were wrong.
//! See [`crate::fault`].
//!
//! They stand under the names of the right ones with `#1` behind. Where the mistake is to take
//! another row's meaning, or sources in another order, none is needed here.

use super::{Alg, Visitor, meanings};

/// Every wrong meaning of a vector instruction.
pub fn vector<V: Visitor>(v: &mut V) {
    vector::visit(v);
}

/// Every wrong meaning of a scalar instruction.
pub fn scalar<V: Visitor>(v: &mut V) {
    scalar::visit(v);
}

/// All lanes below lane `n` of 32, and that lane.
#[inline(always)]
fn up_to<A: Alg>(k: &A, n: A::W) -> A::W {
    k.sub(k.shl(k.w(2), n), k.w(1))
}

mod vector {
    use super::{meanings, up_to};

    meanings! {
        int U32 -> U32 {
            "v_ffbh_u32#1"           = |k, a| k.clz(a);
            "v_ffbl_b32#1"           = |k, a| k.ctz(a);
            "v_ffbh_i32#1"           = |k, a| k.clz(k.xor(a, k.sari(a, 31)));
            "v_sat_pk_u8_i16#1"      = |k, a| k.or(k.clamp_s(k.zx16(a), 0, 0xff), k.shli(k.clamp_s(k.shri(a, 16), 0, 0xff), 8));
        }
        int (U32, U32) -> U32 {
            "v_mbcnt_lo_u32_b32#1"   = |k, a, b| k.add(k.popcount(k.and(a, k.sel(k.low_lane(), up_to(k, k.lane()), k.w(u32::MAX)))), b);
            "v_mbcnt_hi_u32_b32#1"   = |k, a, b| k.add(k.popcount(k.and(a, k.sel(k.low_lane(), k.w(0), up_to(k, k.lane())))), b);
            "v_bcnt_u32_b32#1"       = |k, a, b| k.popcount(a);
            "v_bfm_b32#1"            = |k, a, b| k.shl(up_to(k, a), b);
            "v_mul_hi_u32#1"         = |k, a, b| k.mul(a, b);
            "v_cvt_pk_u16_u32#1"     = |k, a, b| k.pack(a, b);
        }
        int (U16, U16) -> U16 {
            "v_lshlrev_b16#1"        = |k, a, b| k.shl(b, k.mask(a, 31));
            "v_lshrrev_b16#1"        = |k, a, b| k.shr(k.zx16(b), k.mask(a, 31));
        }
        int (U32, U32, U32) -> U32 {
            "v_bfe_u32#1"            = |k, a, b, c| k.and(k.shr(a, b), k.sel(k.nz(k.mask(c, 31)), k.sub(k.shl(k.w(1), c), k.w(1)), k.w(u32::MAX)));
            "v_bfi_b32#1"            = |k, a, b, c| k.or(k.and(k.not(a), b), k.and(a, c));
            "v_alignbyte_b32#1"      = |k, a, b, c| k.lo(k.shr_d(k.pair(b, a), k.mask(c, 31)));
            "v_sad_u8#1"             = |k, a, b, c| k.add(k.distance(k.byte(a, 0), k.byte(b, 0)), c);
            "v_sad_u16#1"            = |k, a, b, c| k.add(k.distance(k.zx16(a), k.zx16(b)), c);
            "v_sad_u32#1"            = |k, a, b, c| k.add(k.sub(a, b), c);
            "v_add3_u32#1"           = |k, a, b, c| k.add(a, b);
            "v_med3_u32#1"           = |k, a, b, c| k.max_u(k.min_u(a, b), c);
            "v_lerp_u8#1"            = |k, a, b, c| {
                let [x, y, z, w] = [0, 1, 2, 3].map(|n| k.shli(k.shri(k.add(k.byte(a, n), k.byte(b, n)), 1), 8 * n));
                k.or(k.or(x, y), k.or(z, w))
            };
        }
        int (U32, U64) -> U64 {
            "v_lshlrev_b64#1"        = |k, a, b| k.shl_d(b, k.mask(a, 31));
            "v_lshrrev_b64#1"        = |k, a, b| k.shr_d(b, k.mask(a, 31));
        }
        int (U64, U32, U64) -> U64 {
            "v_lshl_add_u64#1"       = |k, a, n, c| k.add_d(k.shl_d(a, n), c);
        }
        int (U32, U32) -> (U32, Bit) {
            "v_add_co_u32 co#1"      = |k, a, b| (k.add(a, b), k.c(false));
            "v_sub_co_u32 co#1"      = |k, a, b| (k.sub(a, b), k.negate(k.lt_u(a, b)));
            "v_add_i32 co#1"         = |k, a, b| { let d = k.add(a, b); (d, k.overflow(a, b, d)) };
            "v_sub_i32 co#1"         = |k, a, b| (k.sub(a, b), k.lt_s(a, b));
        }
        int (U32, U32, Bit) -> (U32, Bit) {
            "v_addc_u32 co#1"        = |k, a, b, c| (k.add(k.add(a, b), k.sel(c, k.w(1), k.w(0))), k.lt_u(k.add(a, b), a));
            "v_subb_u32 co#1"        = |k, a, b, c| (k.sub(k.sub(a, b), k.sel(c, k.w(1), k.w(0))), k.lt_u(a, b));
            "v_addc_u32 co#2"        = |k, a, b, c| k.add_carry(a, b);
        }
        int (U32, U32, U64) -> (U64, Bit) {
            "v_mad_u64_u32 co#1"     = |k, a, b, c| (k.add_d(k.mul_wide_u(a, b), c), k.c(false));
        }
        int (U32, U32) -> U64 {
            "v_pk_mov_b32#1"         = |k, a, b| k.pair(b, a);
        }
        int U32 -> U64 {
            "v_cvt_pk_f32_fp8#1"     = |k, a| k.pair(k.f32_of_fp8(k.byte(a, 1), false), k.f32_of_fp8(k.byte(a, 0), false));
            "v_cvt_pk_f32_bf8#1"     = |k, a| k.pair(k.f32_of_fp8(k.byte(a, 1), true), k.f32_of_fp8(k.byte(a, 0), true));
        }
        int U32 -> F32 {
            "v_cvt_off_f32_i4#1"     = |k, a| k.f32_of_i4_off(k.xor(a, k.w(8)));
        }
        float (F32, U32, U32) -> U32 {
            "v_cvt_pk_u8_f32#1"      = |k, a, n, old| k.shl(k.mask(k.u8_of_f32(a), 0xff), k.shli(k.mask(n, 3), 3));
        }
        float (F32, F32) -> U32 {
            "v_cvt_pkrtz_f16_f32#1"  = |k, a, b| k.pack(k.f16_of_f32(a), k.f16_of_f32(b));
        }
        float (F32, F32, F32, Bit) -> F32 {
            "v_div_fmas_f32#1"       = |k, a, b, c, scaled| k.fma_f32(a, b, c);
            "v_div_fmas_f32#2"       = |k, a, b, c, scaled| k.div_fmas_f32(a, b, c, k.negate(scaled));
        }
        float (F64, F64, F64, Bit) -> F64 {
            "v_div_fmas_f64#1"       = |k, a, b, c, scaled| k.fma_f64(a, b, c);
        }
        float (F32, F32, F32) -> (F32, Bit) {
            "v_div_scale_f32 co#1"   = |k, v, d, n| { let (r, c) = k.div_scale_f32(v, d, n); (r, k.c(false)) };
        }
        float (F64, F64, F64) -> (F64, Bit) {
            "v_div_scale_f64 co#1"   = |k, v, d, n| { let (r, c) = k.div_scale_f64(v, d, n); (r, k.c(false)) };
        }
        float F32 -> F32 {
            "v_fract_f32#1"          = |k, a| k.sub_f32(a, k.trunc_f32(a));
            "v_frexp_mant_f32#1"     = |k, a| k.mul_f32(k.frexp_mant_f32(a), k.w(0x4000_0000));
        }
        float F32 -> U32 {
            "v_frexp_exp_i32_f32#1"  = |k, a| k.sub(k.frexp_exp_f32(a), k.w(1));
        }
        float (F32, U32) -> F32 {
            "v_ldexp_f32#1"          = |k, a, n| k.ldexp_f32(a, k.sx(n, 8));
        }
        float F64 -> U32 {
            "v_frexp_exp_i32_f64#1"  = |k, a| k.sub(k.frexp_exp_f64(a), k.w(1));
        }
        float (F16, F16) -> U32 {
            "v_pack_b32_f16#1"       = |k, a, b| k.pack(a, b);
        }
        float (F32, F32, F32) -> F32 {
            "v_med3_f32#1"           = |k, a, b, c| k.max_f32(k.min_f32(a, b), c);
            "v_fma_f32#1"            = |k, a, b, c| k.add_f32(k.mul_f32(a, b), c);
        }
        int (F32, U32) -> Bit {
            "v_cmp_class_f32#1"      = |k, a, m| k.class_f32(a, k.or(k.shri(m, 1), k.shli(k.mask(m, 1), 1)));
        }
        int (F64, U32) -> Bit {
            "v_cmp_class_f64#1"      = |k, a, m| k.class_f64(a, k.or(k.shri(m, 1), k.shli(k.mask(m, 1), 1)));
        }
        int (U32, U32, U32) -> U32 {
            "v_dot2_i32_i16#1"       = |k, a, b, c| k.add(k.mul(k.sx(a, 16), k.sx(b, 16)), c);
        }
    }
}

mod scalar {
    use super::meanings;

    meanings! {
        int (U32, U32) -> (U32, Bit) {
            "s_max_i32#1"            = |k, a, b| { let first = k.lt_s(b, a); (k.sel(first, a, b), first) };
            "s_max_u32#1"            = |k, a, b| { let first = k.lt_u(b, a); (k.sel(first, a, b), first) };
            "s_min_i32#1"            = |k, a, b| { let second = k.lt_s(b, a); (k.sel(second, b, a), k.negate(second)) };
            "s_min_u32#1"            = |k, a, b| { let second = k.lt_u(b, a); (k.sel(second, b, a), k.negate(second)) };
            "s_absdiff_i32#1"        = |k, a, b| { let d = k.sub(k.max_s(a, b), k.min_s(b, a)); (d, k.lt_s(a, b)) };
            "s_lshl1_add_u32#1"      = |k, a, b| { let d = k.add(k.shli(a, 1), b); (d, k.nz(d)) };
            "s_addk_i32#1"           = |k, n, old| k.add_carry(old, n);
            "s_bfe_u32#1"            = |k, a, b| { let d = k.shr(a, b); (d, k.nz(d)) };
            "s_sub_u32#1"            = |k, a, b| (k.sub(a, b), k.negate(k.lt_u(a, b)));
            "s_and_b32#1"            = |k, a, b| { let d = k.and(a, b); (d, k.eq(d, k.w(0))) };
        }
        int (U64, U32) -> (U64, Bit) {
            "s_lshl_b64#1"           = |k, a, n| { let d = k.shl_d(a, k.mask(n, 31)); (d, k.nz_d(d)) };
            "s_lshr_b64#1"           = |k, a, n| { let d = k.shr_d(a, k.mask(n, 31)); (d, k.nz_d(d)) };
        }
        int (U64, U64) -> (U64, Bit) {
            "s_and_b64#1"            = |k, a, b| { let d = k.and_d(a, b); (d, k.nz(k.lo(d))) };
            "s_xor_b64#1"            = |k, a, b| { let d = k.xor_d(a, b); (d, k.nz(k.hi(d))) };
        }
        int (U32, U32, Bit) -> (U32, Bit) {
            "s_addc_u32#1"           = |k, a, b, scc| k.add_carry(a, b);
            "s_subb_u32#1"           = |k, a, b, scc| k.sub_borrow(a, b);
        }
        int U32 -> U32 {
            "s_flbit_i32_b32#1"      = |k, a| k.clz(a);
            "s_sext_i32_i16#1"       = |k, a| k.zx16(a);
        }
        int U32 -> (U32, Bit) {
            "s_wqm_b32#1"            = |k, a| (a, k.nz(a));
            "s_abs_i32#1"            = |k, a| (k.mask(a, 0x7fff_ffff), k.nz(a));
            "s_not_b32#1"            = |k, a| (k.not(a), k.nz(a));
        }
        float (F32, F32) -> U32 {
            "s_cvt_pk_rtz_f16_f32#1" = |k, a, b| k.pack(k.f16_of_f32(a), k.f16_of_f32(b));
        }
        float U32 -> F32 {
            "s_cvt_hi_f32_f16#1"     = |k, a| k.f32_of_f16(a);
        }
    }
}
