//! Vector integers of 16 bits. What lies above them is undefined in a source and ignored in a result.

use super::meanings;

meanings! {
    int U16 -> U16 {
        "v_mov_b16"              = |k, a| a;
        "v_not_b16"              = |k, a| k.not(a);
    }
    int U16 -> U32 {
        "v_cvt_i32_i16"          = |k, a| k.sx(a, 16);
        "v_cvt_u32_u16"          = |k, a| k.zx16(a);
    }
    int (U16, U16) -> U16 {
        "v_and_b16"              = |k, a, b| k.and(a, b);
        "v_or_b16"               = |k, a, b| k.or(a, b);
        "v_xor_b16"              = |k, a, b| k.xor(a, b);
        "v_subrev_u16"           = |k, a, b| k.sub(b, a);
        "v_subrev_u16 clamp"     = |k, a, b| k.sub_sat_u(k.zx16(b), k.zx16(a));
        "v_add_nc_u16"           = |k, a, b| k.add(a, b);
        "v_add_nc_u16 clamp"     = |k, a, b| k.min_u(k.add(k.zx16(a), k.zx16(b)), k.w(0xffff));
        "v_sub_nc_u16"           = |k, a, b| k.sub(a, b);
        "v_sub_nc_u16 clamp"     = |k, a, b| k.sub_sat_u(k.zx16(a), k.zx16(b));
    }
    packed (U16, U16) -> U16 {
        "v_add_u16"              = |k, a, b| k.add(a, b);
        "v_add_u16 clamp"        = |k, a, b| k.min_u(k.add(k.zx16(a), k.zx16(b)), k.w(0xffff));
        "v_sub_u16"              = |k, a, b| k.sub(a, b);
        "v_sub_u16 clamp"        = |k, a, b| k.sub_sat_u(k.zx16(a), k.zx16(b));
        "v_add_i16"              = |k, a, b| k.add(a, b);
        "v_add_i16 clamp"        = |k, a, b| k.clamp_s(k.add(k.sx(a, 16), k.sx(b, 16)), -0x8000, 0x7fff);
        "v_sub_i16"              = |k, a, b| k.sub(a, b);
        "v_sub_i16 clamp"        = |k, a, b| k.clamp_s(k.sub(k.sx(a, 16), k.sx(b, 16)), -0x8000, 0x7fff);
        "v_mul_lo_u16"           = |k, a, b| k.mul(a, b);
        "v_lshlrev_b16"          = |k, a, b| k.shl(b, k.mask(a, 15));
        "v_lshrrev_b16"          = |k, a, b| k.shr(k.zx16(b), k.mask(a, 15));
        "v_ashrrev_i16"          = |k, a, b| k.sar(k.sx(b, 16), k.mask(a, 15));
        "v_min_u16"              = |k, a, b| k.min_u(k.zx16(a), k.zx16(b));
        "v_max_u16"              = |k, a, b| k.max_u(k.zx16(a), k.zx16(b));
        "v_min_i16"              = |k, a, b| k.min_s(k.sx(a, 16), k.sx(b, 16));
        "v_max_i16"              = |k, a, b| k.max_s(k.sx(a, 16), k.sx(b, 16));
    }
    int (U16, U16, U16) -> U16 {
        "v_mad_legacy_i16"       = |k, a, b, c| k.add(k.mul(a, b), c);
        "v_mad_legacy_i16 clamp" = |k, a, b, c| k.clamp_s(k.add(k.mul(k.sx(a, 16), k.sx(b, 16)), k.sx(c, 16)), -0x8000, 0x7fff);
        "v_min3_u16"             = |k, a, b, c| k.min_u(k.min_u(k.zx16(a), k.zx16(b)), k.zx16(c));
        "v_max3_u16"             = |k, a, b, c| k.max_u(k.max_u(k.zx16(a), k.zx16(b)), k.zx16(c));
        "v_min3_i16"             = |k, a, b, c| k.min_s(k.min_s(k.sx(a, 16), k.sx(b, 16)), k.sx(c, 16));
        "v_max3_i16"             = |k, a, b, c| k.max_s(k.max_s(k.sx(a, 16), k.sx(b, 16)), k.sx(c, 16));
        "v_med3_u16"             = |k, a, b, c| k.med3_u(k.zx16(a), k.zx16(b), k.zx16(c));
        "v_med3_i16"             = |k, a, b, c| k.med3_s(k.sx(a, 16), k.sx(b, 16), k.sx(c, 16));
    }
    packed (U16, U16, U16) -> U16 {
        "v_mad_u16"              = |k, a, b, c| k.add(k.mul(a, b), c);
        "v_mad_u16 clamp"        = |k, a, b, c| k.min_u(k.add(k.mul(k.zx16(a), k.zx16(b)), k.zx16(c)), k.w(0xffff));
        "v_mad_i16"              = |k, a, b, c| k.add(k.mul(a, b), c);
        "v_mad_i16 clamp"        = |k, a, b, c| k.clamp_s(k.add(k.mul(k.sx(a, 16), k.sx(b, 16)), k.sx(c, 16)), -0x8000, 0x7fff);
    }
    int (U16, U16, U32) -> U32 {
        "v_mad_u32_u16"          = |k, a, b, c| k.add(k.mul(k.zx16(a), k.zx16(b)), c);
        "v_mad_u32_u16 clamp"    = |k, a, b, c| k.add_sat_u(k.mul(k.zx16(a), k.zx16(b)), c);
        "v_mad_i32_i16"          = |k, a, b, c| k.add(k.mul(k.sx(a, 16), k.sx(b, 16)), c);
        "v_mad_i32_i16 clamp"    = |k, a, b, c| k.add_sat_s(k.mul(k.sx(a, 16), k.sx(b, 16)), c);
    }
    int (U16, U16, Bit) -> U16 {
        "v_cndmask_b16"          = |k, a, b, c| k.sel(c, b, a);
    }
}
