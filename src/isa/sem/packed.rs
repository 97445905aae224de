//! Packed instructions: which meaning is applied to each half, or to each word.

use super::meanings;

/// What a packed instruction of 16-bit halves does to each: its name and the name of the meaning.
#[rustfmt::skip]
pub static PACKED: &[(&str, &str)] = &[
    ("v_pk_mad_i16",     "v_mad_i16"),
    ("v_pk_mad_u16",     "v_mad_u16"),
    ("v_pk_mul_lo_u16",  "v_mul_lo_u16"),
    ("v_pk_add_i16",     "v_add_i16"),
    ("v_pk_sub_i16",     "v_sub_i16"),
    ("v_pk_add_u16",     "v_add_u16"),
    ("v_pk_sub_u16",     "v_sub_u16"),
    ("v_pk_lshlrev_b16", "v_lshlrev_b16"),
    ("v_pk_lshrrev_b16", "v_lshrrev_b16"),
    ("v_pk_ashrrev_i16", "v_ashrrev_i16"),
    ("v_pk_min_i16",     "v_min_i16"),
    ("v_pk_max_i16",     "v_max_i16"),
    ("v_pk_min_u16",     "v_min_u16"),
    ("v_pk_max_u16",     "v_max_u16"),
    ("v_pk_add_f16",     "v_add_f16"),
    ("v_pk_mul_f16",     "v_mul_f16"),
    ("v_pk_fma_f16",     "v_fma_f16"),
    ("v_pk_fmac_f16",    "v_fmac_f16"),
    ("v_pk_min_f16",     "v_min_f16"),
    ("v_pk_max_f16",     "v_max_f16"),
    ("v_pk_minimum_f16", "v_minimum_f16"),
    ("v_pk_maximum_f16", "v_maximum_f16"),
];

/// What a packed instruction of 32-bit words does to each: its name and the name of the meaning.
#[rustfmt::skip]
pub static PACKED32: &[(&str, &str)] = &[
    ("v_pk_add_f32",     "v_add_f32"),
    ("v_pk_mul_f32",     "v_mul_f32"),
    ("v_pk_fma_f32",     "v_fma_f32"),
];

/// The rows that read their destination although no trait says so: the old value is the last of their sources.
pub static READS_DST: &[&str] = &["v_pk_fmac_f16"];

meanings! {
    // Of each source the one word that `op_sel` selects is given: of the first it becomes the low word, of the second the high one.
    int (U32, U32) -> U64 {
        "v_pk_mov_b32" = |k, a, b| k.pair(a, b);
    }
}
