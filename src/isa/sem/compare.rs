//! Vector compares: every type and condition.

use super::meanings;

meanings! {
    float (F32, F32) -> Bit {
        "v_cmp_lt_f32"    = |k, a, b| k.cmp_f32(Cmp::Lt, a, b);
        "v_cmp_gt_f32"    = |k, a, b| k.cmp_f32(Cmp::Gt, a, b);
    }
    int (U32, U32) -> Bit {
        "v_cmp_lt_u32"    = |k, a, b| k.lt_u(a, b);
        "v_cmp_gt_u32"    = |k, a, b| k.lt_u(b, a);
    }
}
