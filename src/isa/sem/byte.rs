//! Sums of differences and other work on bytes.

use super::{Alg, meanings};

/// The sum of the distances of four bytes.
#[inline(always)]
fn sad<A: Alg>(k: &A, a: A::W, b: A::W) -> A::W {
    let [x, y, z, w] = [0, 1, 2, 3].map(|n| k.distance(k.byte(a, n), k.byte(b, n)));
    k.add(k.add(x, y), k.add(z, w))
}

/// As [`sad`], without the bytes whose reference in `b` is zero.
#[inline(always)]
fn msad<A: Alg>(k: &A, a: A::W, b: A::W) -> A::W {
    let [x, y, z, w] = [0, 1, 2, 3].map(|n| {
        let (a, b) = (k.byte(a, n), k.byte(b, n));
        k.sel(k.nz(b), k.distance(a, b), k.w(0))
    });
    k.add(k.add(x, y), k.add(z, w))
}

/// The sum of the distances of two halves.
#[inline(always)]
fn sad16<A: Alg>(k: &A, a: A::W, b: A::W) -> A::W {
    k.add(k.distance(k.zx16(a), k.zx16(b)), k.distance(k.shri(a, 16), k.shri(b, 16)))
}

/// Four sums of distances: of the bytes of `a` from byte 0, 1, 2 and 3 on.
#[inline(always)]
fn four<A: Alg>(k: &A, a: A::D, b: A::W, masked: bool) -> [A::W; 4] {
    [0, 8, 16, 24].map(|n| {
        let a = k.lo(k.shr_d(a, k.w(n)));
        if masked { msad(k, a, b) } else { sad(k, a, b) }
    })
}

/// Four sums of distances added to the halves of `c`.
#[inline(always)]
fn qsad<A: Alg>(k: &A, a: A::D, b: A::W, c: A::D, masked: bool, clamp: bool) -> A::D {
    let [x, y, z, w] = four(k, a, b, masked);
    let half = |c, s| {
        let d = k.add(k.zx16(c), s);
        if clamp { k.min_u(d, k.w(0xffff)) } else { d }
    };
    let (lo, hi) = (k.lo(c), k.hi(c));
    k.pair(k.pack(half(lo, x), half(k.shri(lo, 16), y)), k.pack(half(hi, z), half(k.shri(hi, 16), w)))
}

/// Four sums of distances added to the words of `c`.
#[inline(always)]
fn mqsad<A: Alg>(k: &A, a: A::D, b: A::W, c: A::Q, clamp: bool) -> A::Q {
    let [x, y, z, w] = four(k, a, b, true);
    let sum = |n, s| if clamp { k.add_sat_u(k.word(c, n), s) } else { k.add(k.word(c, n), s) };
    k.quad(sum(0, x), sum(1, y), sum(2, z), sum(3, w))
}

/// The averages of four bytes, rounded up where the lowest bit of the byte of `c` says so.
#[inline(always)]
fn lerp<A: Alg>(k: &A, a: A::W, b: A::W, c: A::W) -> A::W {
    let [x, y, z, w] = [0, 1, 2, 3].map(|n| {
        let sum = k.add(k.add(k.byte(a, n), k.byte(b, n)), k.mask(k.shri(c, 8 * n), 1));
        k.shli(k.shri(sum, 1), 8 * n)
    });
    k.or(k.or(x, y), k.or(z, w))
}

/// A half as a signed number, clamped to a byte.
#[inline(always)]
fn byte_of<A: Alg>(k: &A, a: A::W) -> A::W {
    k.clamp_s(a, 0, 0xff)
}

meanings! {
    int (U32, U32, U32) -> U32 {
        "v_sad_u8"                = |k, a, b, c| k.add(sad(k, a, b), c);
        "v_sad_u8 clamp"          = |k, a, b, c| k.add_sat_u(sad(k, a, b), c);
        "v_sad_hi_u8"             = |k, a, b, c| k.add(k.shli(sad(k, a, b), 16), c);
        "v_sad_hi_u8 clamp"       = |k, a, b, c| k.add_sat_u(k.shli(sad(k, a, b), 16), c);
        "v_sad_u16"               = |k, a, b, c| k.add(sad16(k, a, b), c);
        "v_sad_u16 clamp"         = |k, a, b, c| k.add_sat_u(sad16(k, a, b), c);
        "v_sad_u32"               = |k, a, b, c| k.add(k.distance(a, b), c);
        "v_sad_u32 clamp"         = |k, a, b, c| k.add_sat_u(k.distance(a, b), c);
        "v_msad_u8"               = |k, a, b, c| k.add(msad(k, a, b), c);
        "v_msad_u8 clamp"         = |k, a, b, c| k.add_sat_u(msad(k, a, b), c);
        "v_lerp_u8"               = |k, a, b, c| lerp(k, a, b, c);
    }
    int (U64, U32, U64) -> U64 {
        "v_qsad_u8"               = |k, a, b, c| qsad(k, a, b, c, false, false);
        "v_qsad_u8 clamp"         = |k, a, b, c| qsad(k, a, b, c, false, true);
        "v_qsad_pk_u16_u8"        = |k, a, b, c| qsad(k, a, b, c, false, false);
        "v_qsad_pk_u16_u8 clamp"  = |k, a, b, c| qsad(k, a, b, c, false, true);
        "v_mqsad_pk_u16_u8"       = |k, a, b, c| qsad(k, a, b, c, true, false);
        "v_mqsad_pk_u16_u8 clamp" = |k, a, b, c| qsad(k, a, b, c, true, true);
    }
    int (U64, U32, U128) -> U128 {
        "v_mqsad_u32_u8"          = |k, a, b, c| mqsad(k, a, b, c, false);
        "v_mqsad_u32_u8 clamp"    = |k, a, b, c| mqsad(k, a, b, c, true);
    }
    // The half above is zeroed up to gfx10, and kept from then on.
    int U32 -> U32 {
        "v_sat_pk_u8_i16"         = |k, a| k.or(byte_of(k, k.sx(a, 16)), k.shli(byte_of(k, k.sari(a, 16)), 8));
    }
    int U32 -> U16 {
        "v_sat_pk_u8_i16@gfx11"   = |k, a| k.or(byte_of(k, k.sx(a, 16)), k.shli(byte_of(k, k.sari(a, 16)), 8));
    }
}
