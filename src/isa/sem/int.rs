//! Vector integer arithmetic of 32 and 64 bits.

use super::{Alg, meanings};

/// Of a row of four tiles those from one to another, round its end.
#[inline(always)]
fn tiles<A: Alg>(k: &A, from: A::W, to: A::W) -> A::W {
    let beyond = k.mask(k.sub(to, from), 3);
    let ones = k.shl(k.shr(k.w(0xf), k.sub(k.w(3), beyond)), from);
    k.mask(k.or(ones, k.shri(ones, 4)), 0xf)
}

/// Which of four parts of the screen a rectangle of tiles touches, whose corners are two bits each: from x and y down to x and y.
///
/// Tile (x, y) is of the part with the number {x0 ^ y1, y0 ^ x1}. So the parts of the tiles of row 0 are those of x with its two bits exchanged, and
/// those of row y the same with y in exclusive or.
#[inline(always)]
fn screen<A: Alg>(k: &A, a: A::W) -> A::W {
    let [to_y, to_x, from_y, from_x] = [0, 2, 4, 6].map(|n| k.mask(k.shri(a, n), 3));
    let (columns, rows) = (tiles(k, from_x, to_x), tiles(k, from_y, to_y));
    let outer = k.mask(columns, 0b1001);
    let inner = k.or(k.shli(k.mask(columns, 0b0010), 1), k.shri(k.mask(columns, 0b0100), 1));
    let parts = k.or(outer, inner);
    // In exclusive or with 1, and with 2.
    let even = |p| k.or(k.shli(k.mask(p, 0b0101), 1), k.mask(k.shri(p, 1), 0b0101));
    let halves = |p| k.or(k.shli(k.mask(p, 0b0011), 2), k.shri(p, 2));
    let of_row = [parts, even(parts), halves(parts), even(halves(parts))];
    let touched = (0..).zip(of_row).map(|(y, of)| k.mul(of, k.mask(k.shri(rows, y), 1)));
    touched.reduce(|a, b| k.or(a, b)).unwrap_or(k.w(0))
}

meanings! {
    int U32 -> U32 {
        "v_mov_b32"                = |k, a| a;
    }
    int U32 -> U32 {
        "v_screen_partition_4se_b32" = |k, a| screen(k, a);
    }
    int U64 -> U64 {
        "v_mov_b64"                = |k, a| a;
    }
    int (U32, U32) -> U32 {
        "v_add_u32"                = |k, a, b| k.add(a, b);
        "v_add_nc_u32"             = |k, a, b| k.add(a, b);
        "v_add_u32 clamp"          = |k, a, b| k.add_sat_u(a, b);
        "v_sub_u32"                = |k, a, b| k.sub(a, b);
        "v_sub_u32 clamp"          = |k, a, b| k.sub_sat_u(a, b);
        "v_subrev_u32"             = |k, a, b| k.sub(b, a);
        "v_subrev_u32 clamp"       = |k, a, b| k.sub_sat_u(b, a);
        "v_add_i32"                = |k, a, b| k.add(a, b);
        "v_add_i32 clamp"          = |k, a, b| k.add_sat_s(a, b);
        "v_sub_i32"                = |k, a, b| k.sub(a, b);
        "v_sub_i32 clamp"          = |k, a, b| k.sub_sat_s(a, b);
        "v_mul_i32_i24"            = |k, a, b| k.mul(k.sx(a, 24), k.sx(b, 24));
        "v_mul_i32_i24 clamp"      = |k, a, b| k.sat_s(k.mul_wide_s(k.sx(a, 24), k.sx(b, 24)));
        "v_mul_hi_i32_i24"         = |k, a, b| k.mulhi_s(k.sx(a, 24), k.sx(b, 24));
        "v_mul_u32_u24"            = |k, a, b| k.mul(k.zx24(a), k.zx24(b));
        "v_mul_u32_u24 clamp"      = |k, a, b| k.sat_u(k.mul_wide_u(k.zx24(a), k.zx24(b)));
        "v_mul_hi_u32_u24"         = |k, a, b| k.mulhi_u(k.zx24(a), k.zx24(b));
        "v_mul_lo_u32"             = |k, a, b| k.mul(a, b);
        "v_mul_lo_i32"             = |k, a, b| k.mul(a, b);
        "v_mul_hi_u32"             = |k, a, b| k.mulhi_u(a, b);
        "v_mul_hi_i32"             = |k, a, b| k.mulhi_s(a, b);
        "v_min_i32"                = |k, a, b| k.min_s(a, b);
        "v_max_i32"                = |k, a, b| k.max_s(a, b);
        "v_min_u32"                = |k, a, b| k.min_u(a, b);
        "v_max_u32"                = |k, a, b| k.max_u(a, b);
        "v_cvt_pk_u16_u32"         = |k, a, b| k.pack(k.min_u(a, k.w(0xffff)), k.min_u(b, k.w(0xffff)));
        "v_cvt_pk_i16_i32"         = |k, a, b| k.pack(k.clamp_s(a, -0x8000, 0x7fff), k.clamp_s(b, -0x8000, 0x7fff));
    }
    int (U32, U32, U32) -> U32 {
        "v_mad_i32_i24"            = |k, a, b, c| k.add(k.mul(k.sx(a, 24), k.sx(b, 24)), c);
        "v_mad_i32_i24 clamp"      = |k, a, b, c| k.sat_s(k.add_d(k.mul_wide_s(k.sx(a, 24), k.sx(b, 24)), k.sext(c)));
        "v_mad_u32_u24"            = |k, a, b, c| k.add(k.mul(k.zx24(a), k.zx24(b)), c);
        "v_mad_u32_u24 clamp"      = |k, a, b, c| k.sat_u(k.add_d(k.mul_wide_u(k.zx24(a), k.zx24(b)), k.zext(c)));
        "v_add3_u32"               = |k, a, b, c| k.add(k.add(a, b), c);
        "v_xad_u32"                = |k, a, b, c| k.add(k.xor(a, b), c);
        "v_lshl_add_u32"           = |k, a, b, c| k.add(k.shl(a, b), c);
        "v_add_lshl_u32"           = |k, a, b, c| k.shl(k.add(a, b), c);
        "v_min3_i32"               = |k, a, b, c| k.min_s(k.min_s(a, b), c);
        "v_max3_i32"               = |k, a, b, c| k.max_s(k.max_s(a, b), c);
        "v_min3_u32"               = |k, a, b, c| k.min_u(k.min_u(a, b), c);
        "v_max3_u32"               = |k, a, b, c| k.max_u(k.max_u(a, b), c);
        "v_med3_i32"               = |k, a, b, c| k.med3_s(a, b, c);
        "v_med3_u32"               = |k, a, b, c| k.med3_u(a, b, c);
        "v_maxmin_u32"             = |k, a, b, c| k.min_u(k.max_u(a, b), c);
        "v_minmax_u32"             = |k, a, b, c| k.max_u(k.min_u(a, b), c);
        "v_maxmin_i32"             = |k, a, b, c| k.min_s(k.max_s(a, b), c);
        "v_minmax_i32"             = |k, a, b, c| k.max_s(k.min_s(a, b), c);
    }
    int (U32, U32, Bit) -> U32 {
        "v_cndmask_b32"            = |k, a, b, c| k.sel(c, b, a);
    }
    int (U64, U32, U64) -> U64 {
        // Counts above 4 shift by nothing.
        "v_lshl_add_u64"           = |k, a, n, c| k.add_d(k.shl_d(a, k.sel(k.lt_u(n, k.w(5)), n, k.w(0))), c);
    }
    int (U32, U32) -> (U32, Bit) {
        "v_add_i32 co"             = |k, a, b| k.add_carry(a, b);
        "v_sub_i32 co"             = |k, a, b| k.sub_borrow(a, b);
        "v_subrev_i32 co"          = |k, a, b| k.sub_borrow(b, a);
        "v_add_co_u32 co"          = |k, a, b| k.add_carry(a, b);
        "v_sub_co_u32 co"          = |k, a, b| k.sub_borrow(a, b);
        "v_subrev_co_u32 co"       = |k, a, b| k.sub_borrow(b, a);
        "v_add_i32 co clamp"       = |k, a, b| k.at_most(k.add_carry(a, b));
        "v_sub_i32 co clamp"       = |k, a, b| k.at_least(k.sub_borrow(a, b));
        "v_subrev_i32 co clamp"    = |k, a, b| k.at_least(k.sub_borrow(b, a));
        "v_add_co_u32 co clamp"    = |k, a, b| k.at_most(k.add_carry(a, b));
        "v_sub_co_u32 co clamp"    = |k, a, b| k.at_least(k.sub_borrow(a, b));
        "v_subrev_co_u32 co clamp" = |k, a, b| k.at_least(k.sub_borrow(b, a));
    }
    int (U32, U32, Bit) -> (U32, Bit) {
        "v_addc_u32 co"            = |k, a, b, c| k.add_with(a, b, c);
        "v_subb_u32 co"            = |k, a, b, c| k.sub_with(a, b, c);
        "v_subbrev_u32 co"         = |k, a, b, c| k.sub_with(b, a, c);
        "v_addc_u32 co clamp"      = |k, a, b, c| k.at_most(k.add_with(a, b, c));
        "v_subb_u32 co clamp"      = |k, a, b, c| k.at_least(k.sub_with(a, b, c));
        "v_subbrev_u32 co clamp"   = |k, a, b, c| k.at_least(k.sub_with(b, a, c));
    }
    int (U32, U32, U64) -> (U64, Bit) {
        "v_mad_u64_u32 co"         = |k, a, b, c| { let d = k.add_d(k.mul_wide_u(a, b), c); (d, k.ltu_d(d, c)) };
        "v_mad_u64_u32 co clamp"   = |k, a, b, c| {
            let d = k.add_d(k.mul_wide_u(a, b), c);
            let carry = k.ltu_d(d, c);
            (k.sel_d(carry, k.d(u64::MAX), d), carry)
        };
        // The bit is the 65th of the exact sum: its sign.
        "v_mad_i64_i32 co"         = |k, a, b, c| {
            let p = k.mul_wide_s(a, b);
            let d = k.add_d(p, c);
            (d, k.differ(k.negative_d(d), k.overflow_d(p, c, d)))
        };
        "v_mad_i64_i32 co clamp"   = |k, a, b, c| {
            let p = k.mul_wide_s(a, b);
            let d = k.add_d(p, c);
            let over = k.overflow_d(p, c, d);
            let sign = k.differ(k.negative_d(d), over);
            (k.sel_d(over, k.sel_d(sign, k.d(1 << 63), k.d(u64::MAX >> 1)), d), sign)
        };
    }
}
