//! Vector bit operations: logic, shifts, fields, counts.

use super::{Alg, meanings};

/// All lanes below lane `n` of 32.
#[inline(always)]
fn below<A: Alg>(k: &A, n: A::W) -> A::W {
    k.sub(k.shl(k.w(1), n), k.w(1))
}

/// A field of `width` bits from bit `offset` on, both modulo 32, zero-extended.
#[inline(always)]
fn field_u<A: Alg>(k: &A, a: A::W, offset: A::W, width: A::W) -> A::W {
    k.and(k.shr(a, offset), below(k, width))
}

/// A field of `width` bits from bit `offset` on, both modulo 32, sign-extended.
#[inline(always)]
fn field_s<A: Alg>(k: &A, a: A::W, offset: A::W, width: A::W) -> A::W {
    let unused = k.sub(k.w(0), width);
    let extended = k.sar(k.shl(k.sar(a, offset), unused), unused);
    k.sel(k.nz(k.mask(width, 31)), extended, k.w(0))
}

/// The byte that a selector of `v_perm_b32` picks from the eight bytes of `{hi, lo}`.
#[inline(always)]
fn permuted<A: Alg>(k: &A, hi: A::W, lo: A::W, s: A::W) -> A::W {
    let of = |bit: u32| k.sel(k.nz(k.mask(s, bit)), hi, lo);
    let byte = k.mask(k.shr(of(4), k.shli(k.mask(s, 3), 3)), 0xff);
    // 8 to 11: the sign of an odd byte, eightfold.
    let odd = k.shl(of(2), k.sel(k.nz(k.mask(s, 1)), k.w(0), k.w(16)));
    let signs = k.mask(k.sari(odd, 31), 0xff);
    let constant = k.sel(k.eq(s, k.w(12)), k.w(0), k.w(0xff));
    k.sel(k.lt_u(s, k.w(8)), byte, k.sel(k.lt_u(s, k.w(12)), signs, constant))
}

/// Four bytes of `{a, b}` by four selectors.
#[inline(always)]
fn perm<A: Alg>(k: &A, a: A::W, b: A::W, c: A::W) -> A::W {
    let byte = |n| k.shli(permuted(k, a, b, k.byte(c, n)), 8 * n);
    k.or(k.or(byte(0), byte(1)), k.or(byte(2), byte(3)))
}

meanings! {
    int U32 -> U32 {
        "v_not_b32"          = |k, a| k.not(a);
        "v_bfrev_b32"        = |k, a| k.brev(a);
        "v_ffbh_u32"         = |k, a| k.ffbh_u(a);
        "v_ffbl_b32"         = |k, a| k.ffbl(a);
        "v_ffbh_i32"         = |k, a| k.ffbh_s(a);
    }
    int (U32, U32) -> U32 {
        "v_and_b32"          = |k, a, b| k.and(a, b);
        "v_or_b32"           = |k, a, b| k.or(a, b);
        "v_xor_b32"          = |k, a, b| k.xor(a, b);
        "v_xnor_b32"         = |k, a, b| k.not(k.xor(a, b));
        "v_lshl_b32"         = |k, a, b| k.shl(a, b);
        "v_lshlrev_b32"      = |k, a, b| k.shl(b, a);
        "v_lshr_b32"         = |k, a, b| k.shr(a, b);
        "v_lshrrev_b32"      = |k, a, b| k.shr(b, a);
        "v_ashr_i32"         = |k, a, b| k.sar(a, b);
        "v_ashrrev_i32"      = |k, a, b| k.sar(b, a);
        "v_bfm_b32"          = |k, a, b| k.shl(below(k, a), b);
        "v_bcnt_u32_b32"     = |k, a, b| k.add(k.popcount(a), b);
        "v_mbcnt_lo_u32_b32" = |k, a, b| k.add(k.popcount(k.and(a, k.sel(k.low_lane(), below(k, k.lane()), k.w(u32::MAX)))), b);
        "v_mbcnt_hi_u32_b32" = |k, a, b| k.add(k.popcount(k.and(a, k.sel(k.low_lane(), k.w(0), below(k, k.lane())))), b);
    }
    int (U32, U32, U32) -> U32 {
        "v_bfe_u32"          = |k, a, b, c| field_u(k, a, b, c);
        "v_bfe_i32"          = |k, a, b, c| field_s(k, a, b, c);
        "v_bfi_b32"          = |k, a, b, c| k.or(k.and(a, b), k.and(k.not(a), c));
        "v_alignbit_b32"     = |k, a, b, c| k.lo(k.shr_d(k.pair(b, a), k.mask(c, 31)));
        "v_alignbyte_b32"    = |k, a, b, c| k.lo(k.shr_d(k.pair(b, a), k.shli(k.mask(c, 3), 3)));
        "v_perm_b32"         = |k, a, b, c| perm(k, a, b, c);
        "v_lshl_or_b32"      = |k, a, b, c| k.or(k.shl(a, b), c);
        "v_and_or_b32"       = |k, a, b, c| k.or(k.and(a, b), c);
        "v_or3_b32"          = |k, a, b, c| k.or(k.or(a, b), c);
        "v_xor3_b32"         = |k, a, b, c| k.xor(k.xor(a, b), c);
    }
    int (U64, U32) -> U64 {
        "v_lshl_b64"         = |k, a, b| k.shl_d(a, b);
        "v_lshr_b64"         = |k, a, b| k.shr_d(a, b);
        "v_ashr_i64"         = |k, a, b| k.sar_d(a, b);
    }
    int (U32, U64) -> U64 {
        "v_lshlrev_b64"      = |k, a, b| k.shl_d(b, a);
        "v_lshrrev_b64"      = |k, a, b| k.shr_d(b, a);
        "v_ashrrev_i64"      = |k, a, b| k.sar_d(b, a);
    }
}
