//! Formats of vertex data: what the field DATA_FORMAT holds. The manual has no list; these are the numbers that compilers use.

/// Names by code, as instructions name them; an empty name is no format.
pub static DATA_FORMATS: [&str; 64] = {
    let mut names = [""; 64];
    let mut at = 0;
    while at < FORMATS.len() {
        names[FORMATS[at].0 as usize] = FORMATS[at].1;
        at += 1;
    }
    names
};

#[rustfmt::skip]
const FORMATS: &[(u8, &str)] = &[
    (1,  "8"),              (2,  "4_4"),            (3,  "3_3_2"),          (5,  "16"),
    (6,  "16_FLOAT"),       (7,  "8_8"),            (8,  "5_6_5"),          (9,  "6_5_5"),
    (10, "1_5_5_5"),        (11, "4_4_4_4"),        (12, "5_5_5_1"),        (13, "32"),
    (14, "32_FLOAT"),       (15, "16_16"),          (16, "16_16_FLOAT"),    (17, "8_24"),
    (18, "8_24_FLOAT"),     (19, "24_8"),           (20, "24_8_FLOAT"),     (21, "10_11_11"),
    (22, "10_11_11_FLOAT"), (23, "11_11_10"),       (24, "11_11_10_FLOAT"), (25, "2_10_10_10"),
    (26, "8_8_8_8"),        (27, "10_10_10_2"),     (28, "X24_8_32_FLOAT"), (29, "32_32"),
    (30, "32_32_FLOAT"),    (31, "16_16_16_16"),    (32, "16_16_16_16_FLOAT"), (34, "32_32_32_32"),
    (35, "32_32_32_32_FLOAT"), (37, "1"),           (39, "GB_GR"),          (40, "BG_RG"),
    (41, "32_AS_8"),        (42, "32_AS_8_8"),      (43, "5_9_9_9_SHAREDEXP"), (44, "8_8_8"),
    (45, "16_16_16"),       (46, "16_16_16_FLOAT"), (47, "32_32_32"),       (48, "32_32_32_FLOAT"),
];

/// What becomes of the numbers (NUM_FORMAT_ALL).
pub static NUM_FORMATS: [&str; 4] = ["NORM", "INT", "SCALED", "3"];

/// Which offset the index gets (FETCH_TYPE).
pub static FETCH_TYPES: [&str; 4] = ["VERTEX", "INSTANCE", "NO_INDEX_OFFSET", "3"];

/// How bytes are swapped (ENDIAN_SWAP).
pub static SWAPS: [&str; 4] = ["NONE", "8IN16", "8IN32", "3"];
