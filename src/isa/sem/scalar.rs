//! Scalar instructions that compute with integers. A `Bit` is SCC.

use super::{Alg, meanings};

/// The scalar rows that read their destination although no trait says so: the old value is the last of their sources, before SCC.
pub static READS_DST: &[&str] =
    &["s_bitset0_b32", "s_bitset0_b64", "s_bitset1_b32", "s_bitset1_b64", "s_cmov_b32", "s_cmov_b64", "s_cmovk_i32"];

/// The scalar rows that read SCC, which is the last of their sources.
pub static READS_SCC: &[&str] =
    &["s_addc_u32", "s_subb_u32", "s_cselect_b32", "s_cselect_b64", "s_cmov_b32", "s_cmov_b64", "s_cmovk_i32"];

/// The lowest bit of each quad in which a bit is set.
#[inline(always)]
fn quads<A: Alg>(k: &A, a: A::W) -> A::W {
    let a = k.or(a, k.shri(a, 1));
    k.mask(k.or(a, k.shri(a, 2)), 0x1111_1111)
}

/// The lowest bit of each quad in which a bit is set.
#[inline(always)]
fn quads_d<A: Alg>(k: &A, a: A::D) -> A::D {
    let a = k.or_d(a, k.shr_d(a, k.w(1)));
    k.and_d(k.or_d(a, k.shr_d(a, k.w(2))), k.d(0x1111_1111_1111_1111))
}

/// All bits of each quad in which a bit is set.
#[inline(always)]
pub(crate) fn whole_quads<A: Alg>(k: &A, a: A::W) -> A::W {
    k.mul(quads(k, a), k.w(15))
}

/// Every fourth bit, moved together; the others must be clear.
#[inline(always)]
fn gathered<A: Alg>(k: &A, a: A::D) -> A::D {
    let step = |a, n, mask| k.and_d(k.or_d(a, k.shr_d(a, k.w(n))), k.d(mask));
    let a = step(a, 3, 0x0303_0303_0303_0303);
    let a = step(a, 6, 0x000f_000f_000f_000f);
    let a = step(a, 12, 0x0000_00ff_0000_00ff);
    step(a, 24, 0xffff)
}

/// Every bit twice.
#[inline(always)]
fn twice<A: Alg>(k: &A, a: A::W) -> A::D {
    let step = |a, n, mask| k.and_d(k.or_d(a, k.shl_d(a, k.w(n))), k.d(mask));
    let a = step(k.zext(a), 16, 0x0000_ffff_0000_ffff);
    let a = step(a, 8, 0x00ff_00ff_00ff_00ff);
    let a = step(a, 4, 0x0f0f_0f0f_0f0f_0f0f);
    let a = step(a, 2, 0x3333_3333_3333_3333);
    let a = step(a, 1, 0x5555_5555_5555_5555);
    k.or_d(a, k.shl_d(a, k.w(1)))
}

/// Zeros below the lowest set bit; all ones where none is set.
#[inline(always)]
fn ffbl_d<A: Alg>(k: &A, a: A::D) -> A::W {
    k.sel(k.nz_d(a), k.ctz_d(a), k.w(u32::MAX))
}

/// Zeros above the highest set bit; all ones where none is set.
#[inline(always)]
fn ffbh_d<A: Alg>(k: &A, a: A::D) -> A::W {
    k.sel(k.nz_d(a), k.clz_d(a), k.w(u32::MAX))
}

/// A number without its sign; the lowest number has none other.
#[inline(always)]
fn magnitude<A: Alg>(k: &A, a: A::W) -> A::W {
    k.sel(k.lt_s(a, k.w(0)), k.sub(k.w(0), a), a)
}

/// The sum, and whether it overflows as a signed number.
#[inline(always)]
fn added<A: Alg>(k: &A, a: A::W, b: A::W) -> (A::W, A::C) {
    let d = k.add(a, b);
    (d, k.overflow(a, b, d))
}

/// `a` times a power of two plus `b`, and whether it takes more than 32 bits.
#[inline(always)]
fn shift_add<A: Alg>(k: &A, a: A::W, b: A::W, n: u32) -> (A::W, A::C) {
    let d = k.add_d(k.shl_d(k.zext(a), k.w(n)), k.zext(b));
    (k.lo(d), k.nz(k.hi(d)))
}

/// The width of a field: bits 16 to 22.
#[inline(always)]
fn width<A: Alg>(k: &A, b: A::W) -> A::W {
    k.mask(k.shri(b, 16), 127)
}

/// A field of up to 127 bits, zero-extended.
#[inline(always)]
fn field_u<A: Alg>(k: &A, a: A::D, offset: A::W, width: A::W) -> A::D {
    let mask = k.sub_d(k.shl_d(k.d(1), width), k.d(1));
    k.and_d(k.shr_d(a, offset), k.sel_d(k.lt_u(width, k.w(64)), mask, k.d(u64::MAX)))
}

/// A field of up to 127 bits, sign-extended.
#[inline(always)]
fn field_s<A: Alg>(k: &A, a: A::D, offset: A::W, width: A::W) -> A::D {
    let shifted = k.sar_d(a, offset);
    let unused = k.sub(k.w(64), width);
    let extended = k.sar_d(k.shl_d(shifted, unused), unused);
    k.sel_d(k.lt_u(width, k.w(64)), k.sel_d(k.nz(width), extended, k.d(0)), shifted)
}

meanings! {
    int U32 -> U32 {
        "s_mov_b32"              = |k, a| a;
        "s_movk_i32"             = |k, a| a;
        "s_brev_b32"             = |k, a| k.brev(a);
        "s_ff0_i32_b32"          = |k, a| k.ffbl(k.not(a));
        "s_ff1_i32_b32"          = |k, a| k.ffbl(a);
        "s_flbit_i32_b32"        = |k, a| k.ffbh_u(a);
        "s_flbit_i32"            = |k, a| k.ffbh_s(a);
        "s_sext_i32_i8"          = |k, a| k.sx(a, 8);
        "s_sext_i32_i16"         = |k, a| k.sx(a, 16);
    }
    int U64 -> U64 {
        "s_mov_b64"              = |k, a| a;
        "s_brev_b64"             = |k, a| k.brev_d(a);
    }
    int U64 -> U32 {
        "s_ff0_i32_b64"          = |k, a| ffbl_d(k, k.not_d(a));
        "s_ff1_i32_b64"          = |k, a| ffbl_d(k, a);
        "s_flbit_i32_b64"        = |k, a| ffbh_d(k, a);
        "s_flbit_i32_i64"        = |k, a| ffbh_d(k, k.xor_d(a, k.sar_d(a, k.w(63))));
    }
    int U32 -> U64 {
        "s_bitreplicate_b64_b32" = |k, a| twice(k, a);
    }
    int U32 -> (U32, Bit) {
        "s_not_b32"              = |k, a| { let d = k.not(a); (d, k.nz(d)) };
        "s_abs_i32"              = |k, a| { let d = magnitude(k, a); (d, k.nz(d)) };
        "s_wqm_b32"              = |k, a| { let d = whole_quads(k, a); (d, k.nz(d)) };
        "s_quadmask_b32"         = |k, a| { let d = k.lo(gathered(k, k.zext(quads(k, a)))); (d, k.nz(d)) };
        "s_bcnt0_i32_b32"        = |k, a| { let d = k.popcount(k.not(a)); (d, k.nz(d)) };
        "s_bcnt1_i32_b32"        = |k, a| { let d = k.popcount(a); (d, k.nz(d)) };
    }
    int U64 -> (U32, Bit) {
        "s_bcnt0_i32_b64"        = |k, a| { let d = k.popcount_d(k.not_d(a)); (d, k.nz(d)) };
        "s_bcnt1_i32_b64"        = |k, a| { let d = k.popcount_d(a); (d, k.nz(d)) };
    }
    int U64 -> (U64, Bit) {
        "s_not_b64"              = |k, a| { let d = k.not_d(a); (d, k.nz_d(d)) };
        "s_wqm_b64"              = |k, a| { let d = k.mul_d(quads_d(k, a), k.d(15)); (d, k.nz_d(d)) };
        "s_quadmask_b64"         = |k, a| { let d = gathered(k, quads_d(k, a)); (d, k.nz_d(d)) };
    }
    int (U32, U32) -> (U32, Bit) {
        "s_add_u32"              = |k, a, b| k.add_carry(a, b);
        "s_sub_u32"              = |k, a, b| k.sub_borrow(a, b);
        // SCC is the overflow of signed numbers.
        "s_add_i32"              = |k, a, b| added(k, a, b);
        "s_sub_i32"              = |k, a, b| { let d = k.sub(a, b); (d, k.overflow(d, b, a)) };
        "s_addk_i32"             = |k, n, old| added(k, old, n);
        // SCC tells which was chosen: of equals, the second as minimum and the first as maximum (RDNA4; older manuals leave SCC clear there).
        "s_min_i32"              = |k, a, b| { let first = k.lt_s(a, b); (k.sel(first, a, b), first) };
        "s_min_u32"              = |k, a, b| { let first = k.lt_u(a, b); (k.sel(first, a, b), first) };
        "s_max_i32"              = |k, a, b| { let second = k.lt_s(a, b); (k.sel(second, b, a), k.negate(second)) };
        "s_max_u32"              = |k, a, b| { let second = k.lt_u(a, b); (k.sel(second, b, a), k.negate(second)) };
        "s_and_b32"              = |k, a, b| { let d = k.and(a, b); (d, k.nz(d)) };
        "s_or_b32"               = |k, a, b| { let d = k.or(a, b); (d, k.nz(d)) };
        "s_xor_b32"              = |k, a, b| { let d = k.xor(a, b); (d, k.nz(d)) };
        "s_andn2_b32"            = |k, a, b| { let d = k.and(a, k.not(b)); (d, k.nz(d)) };
        "s_orn2_b32"             = |k, a, b| { let d = k.or(a, k.not(b)); (d, k.nz(d)) };
        "s_nand_b32"             = |k, a, b| { let d = k.not(k.and(a, b)); (d, k.nz(d)) };
        "s_nor_b32"              = |k, a, b| { let d = k.not(k.or(a, b)); (d, k.nz(d)) };
        "s_xnor_b32"             = |k, a, b| { let d = k.not(k.xor(a, b)); (d, k.nz(d)) };
        "s_lshl_b32"             = |k, a, n| { let d = k.shl(a, n); (d, k.nz(d)) };
        "s_lshr_b32"             = |k, a, n| { let d = k.shr(a, n); (d, k.nz(d)) };
        "s_ashr_i32"             = |k, a, n| { let d = k.sar(a, n); (d, k.nz(d)) };
        // The width is of 7 bits, and what exceeds the word is cut off.
        "s_bfe_u32"              = |k, a, b| { let d = k.lo(field_u(k, k.zext(a), k.mask(b, 31), width(k, b))); (d, k.nz(d)) };
        "s_bfe_i32"              = |k, a, b| { let d = k.lo(field_s(k, k.sext(a), k.mask(b, 31), width(k, b))); (d, k.nz(d)) };
        "s_absdiff_i32"          = |k, a, b| { let d = magnitude(k, k.sub(a, b)); (d, k.nz(d)) };
        "s_lshl1_add_u32"        = |k, a, b| shift_add(k, a, b, 1);
        "s_lshl2_add_u32"        = |k, a, b| shift_add(k, a, b, 2);
        "s_lshl3_add_u32"        = |k, a, b| shift_add(k, a, b, 3);
        "s_lshl4_add_u32"        = |k, a, b| shift_add(k, a, b, 4);
    }
    int (U32, U32) -> U32 {
        "s_mul_i32"              = |k, a, b| k.mul(a, b);
        "s_mulk_i32"             = |k, n, old| k.mul(old, n);
        "s_mul_hi_u32"           = |k, a, b| k.mulhi_u(a, b);
        "s_mul_hi_i32"           = |k, a, b| k.mulhi_s(a, b);
        "s_bfm_b32"              = |k, a, b| k.shl(k.sub(k.shl(k.w(1), a), k.w(1)), b);
        "s_pack_ll_b32_b16"      = |k, a, b| k.pack(a, b);
        "s_pack_lh_b32_b16"      = |k, a, b| k.pack(a, k.shri(b, 16));
        "s_pack_hh_b32_b16"      = |k, a, b| k.pack(k.shri(a, 16), k.shri(b, 16));
        "s_pack_hl_b32_b16"      = |k, a, b| k.pack(k.shri(a, 16), b);
        "s_bitset0_b32"          = |k, n, old| k.and(old, k.not(k.shl(k.w(1), n)));
        "s_bitset1_b32"          = |k, n, old| k.or(old, k.shl(k.w(1), n));
    }
    int (U32, U64) -> U64 {
        "s_bitset0_b64"          = |k, n, old| k.and_d(old, k.not_d(k.shl_d(k.d(1), n)));
        "s_bitset1_b64"          = |k, n, old| k.or_d(old, k.shl_d(k.d(1), n));
    }
    int (U32, U32) -> U64 {
        "s_bfm_b64"              = |k, a, b| k.shl_d(k.sub_d(k.shl_d(k.d(1), a), k.d(1)), b);
    }
    int (U64, U64) -> U64 {
        "s_add_nc_u64"           = |k, a, b| k.add_d(a, b);
        "s_sub_nc_u64"           = |k, a, b| k.sub_d(a, b);
        "s_mul_u64"              = |k, a, b| k.mul_d(a, b);
    }
    int (U64, U64) -> (U64, Bit) {
        "s_and_b64"              = |k, a, b| { let d = k.and_d(a, b); (d, k.nz_d(d)) };
        "s_or_b64"               = |k, a, b| { let d = k.or_d(a, b); (d, k.nz_d(d)) };
        "s_xor_b64"              = |k, a, b| { let d = k.xor_d(a, b); (d, k.nz_d(d)) };
        "s_andn2_b64"            = |k, a, b| { let d = k.and_d(a, k.not_d(b)); (d, k.nz_d(d)) };
        "s_orn2_b64"             = |k, a, b| { let d = k.or_d(a, k.not_d(b)); (d, k.nz_d(d)) };
        "s_nand_b64"             = |k, a, b| { let d = k.not_d(k.and_d(a, b)); (d, k.nz_d(d)) };
        "s_nor_b64"              = |k, a, b| { let d = k.not_d(k.or_d(a, b)); (d, k.nz_d(d)) };
        "s_xnor_b64"             = |k, a, b| { let d = k.not_d(k.xor_d(a, b)); (d, k.nz_d(d)) };
    }
    int (U64, U32) -> (U64, Bit) {
        "s_lshl_b64"             = |k, a, n| { let d = k.shl_d(a, n); (d, k.nz_d(d)) };
        "s_lshr_b64"             = |k, a, n| { let d = k.shr_d(a, n); (d, k.nz_d(d)) };
        "s_ashr_i64"             = |k, a, n| { let d = k.sar_d(a, n); (d, k.nz_d(d)) };
        "s_bfe_u64"              = |k, a, b| { let d = field_u(k, a, k.mask(b, 63), width(k, b)); (d, k.nz_d(d)) };
        "s_bfe_i64"              = |k, a, b| { let d = field_s(k, a, k.mask(b, 63), width(k, b)); (d, k.nz_d(d)) };
    }
    int (U32, U32, Bit) -> (U32, Bit) {
        "s_addc_u32"             = |k, a, b, scc| k.add_with(a, b, scc);
        "s_subb_u32"             = |k, a, b, scc| k.sub_with(a, b, scc);
    }
    int (U32, U32, Bit) -> U32 {
        "s_cselect_b32"          = |k, a, b, scc| k.sel(scc, a, b);
        "s_cmov_b32"             = |k, a, old, scc| k.sel(scc, a, old);
        "s_cmovk_i32"            = |k, a, old, scc| k.sel(scc, a, old);
    }
    int (U64, U64, Bit) -> U64 {
        "s_cselect_b64"          = |k, a, b, scc| k.sel_d(scc, a, b);
        "s_cmov_b64"             = |k, a, old, scc| k.sel_d(scc, a, old);
    }
    int (U32, U32) -> U32 {
        // What becomes of EXEC; where the old mask goes, and SCC, is told outside.
        "s_and_saveexec_b32"     = |k, a, e| k.and(a, e);
        "s_or_saveexec_b32"      = |k, a, e| k.or(a, e);
        "s_xor_saveexec_b32"     = |k, a, e| k.xor(a, e);
        "s_andn1_saveexec_b32"   = |k, a, e| k.and(k.not(a), e);
        "s_andn2_saveexec_b32"   = |k, a, e| k.and(a, k.not(e));
        "s_orn1_saveexec_b32"    = |k, a, e| k.or(k.not(a), e);
        "s_orn2_saveexec_b32"    = |k, a, e| k.or(a, k.not(e));
        "s_nand_saveexec_b32"    = |k, a, e| k.not(k.and(a, e));
        "s_nor_saveexec_b32"     = |k, a, e| k.not(k.or(a, e));
        "s_xnor_saveexec_b32"    = |k, a, e| k.not(k.xor(a, e));
        "s_andn1_wrexec_b32"     = |k, a, e| k.and(k.not(a), e);
        "s_andn2_wrexec_b32"     = |k, a, e| k.and(a, k.not(e));
    }
    int (U64, U64) -> U64 {
        "s_and_saveexec_b64"     = |k, a, e| k.and_d(a, e);
        "s_or_saveexec_b64"      = |k, a, e| k.or_d(a, e);
        "s_xor_saveexec_b64"     = |k, a, e| k.xor_d(a, e);
        "s_andn1_saveexec_b64"   = |k, a, e| k.and_d(k.not_d(a), e);
        "s_andn2_saveexec_b64"   = |k, a, e| k.and_d(a, k.not_d(e));
        "s_orn1_saveexec_b64"    = |k, a, e| k.or_d(k.not_d(a), e);
        "s_orn2_saveexec_b64"    = |k, a, e| k.or_d(a, k.not_d(e));
        "s_nand_saveexec_b64"    = |k, a, e| k.not_d(k.and_d(a, e));
        "s_nor_saveexec_b64"     = |k, a, e| k.not_d(k.or_d(a, e));
        "s_xnor_saveexec_b64"    = |k, a, e| k.not_d(k.xor_d(a, e));
        "s_andn1_wrexec_b64"     = |k, a, e| k.and_d(k.not_d(a), e);
        "s_andn2_wrexec_b64"     = |k, a, e| k.and_d(a, k.not_d(e));
    }
}
