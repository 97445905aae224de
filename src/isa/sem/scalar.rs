//! Scalar instructions that compute. A `Bit` is SCC.

use super::meanings;

meanings! {
    int U32 -> U32 {
        "s_mov_b32"    = |k, a| a;
    }
    int (U32, U32) -> (U32, Bit) {
        "s_add_u32"    = |k, a, b| k.add_carry(a, b);
        "s_and_b32"    = |k, a, b| { let d = k.and(a, b); (d, k.nz(d)) };
    }
    int (U32, U32) -> Bit {
        "s_cmp_lt_u32" = |k, a, b| k.lt_u(a, b);
        "s_cmp_lg_u32" = |k, a, b| k.negate(k.eq(a, b));
    }
}
