//! Microcode formats of R600 and R700: the only place with their bit numbers.
//!
//! A format is a list of fields, which together are all bits of its words: what the manual reserves is a field too, so that whatever
//! stands in an instruction has a name. Each field is a constant of its format's module. Bits are numbered as the manual does it: the
//! word, then the bits in it.

use crate::isa::format::{Field, Span};

/// One microcode format.
#[derive(Debug, PartialEq, Eq)]
pub struct Format {
    /// The manual's name.
    pub name: &'static str,
    /// How many words.
    pub words: u8,
    /// All fields, from the lowest bit on.
    pub fields: &'static [Field],
}

impl Format {
    /// The field called `name`.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<Span> {
        self.fields.iter().find(|field| field.name.eq_ignore_ascii_case(name)).map(|field| field.span)
    }

    /// The words with these fields, all others zero; nothing if there is no such field.
    #[must_use]
    pub fn pack<const N: usize>(&self, fields: &[(&str, u32)]) -> Option<[u32; N]> {
        let mut words = [0; N];
        for (name, value) in fields {
            self.field(name)?.set(&mut words, *value);
        }
        Some(words)
    }

    /// All fields with their values.
    pub fn unpack<'a>(&'a self, words: &'a [u32]) -> impl Iterator<Item = (&'static str, u32)> + 'a {
        self.fields.iter().map(|field| (field.name, field.span.get(words)))
    }
}

macro_rules! format {
    ($(#[$doc:meta])* $module:ident, $name:literal, $words:literal words: $($field:ident $word:literal[$hi:literal:$lo:literal])*) => {
        $(#[$doc])*
        pub mod $module {
            use super::{Field, Format, Span};
            $(
                #[doc = concat!("Word ", $word, ", bits ", $hi, ":", $lo, ".")]
                pub const $field: Span = Span::new($hi, $lo).moved($word * 32);
            )*
            #[doc = concat!("The format ", $name, ".")]
            pub static FORMAT: Format = Format {
                name: $name,
                words: $words,
                fields: &[$(Field { name: stringify!($field), span: $field }),*],
            };
        }
    };
}

format! {
    /// Control flow.
    cf, "CF_DWORD", 2 words:
    ADDR 0[31:0]
    POP_COUNT 1[2:0] CF_CONST 1[7:3] COND 1[9:8] COUNT 1[12:10] CALL_COUNT 1[18:13] RSVD 1[20:19]
    END_OF_PROGRAM 1[21:21] VALID_PIXEL_MODE 1[22:22] CF_INST 1[29:23] WHOLE_QUAD_MODE 1[30:30] BARRIER 1[31:31]
}

format! {
    /// Control flow of R700: one more bit of COUNT.
    cf_r700, "CF_DWORD", 2 words:
    ADDR 0[31:0]
    POP_COUNT 1[2:0] CF_CONST 1[7:3] COND 1[9:8] COUNT 1[12:10] CALL_COUNT 1[18:13] COUNT_3 1[19:19] RSVD 1[20:20]
    END_OF_PROGRAM 1[21:21] VALID_PIXEL_MODE 1[22:22] CF_INST 1[29:23] WHOLE_QUAD_MODE 1[30:30] BARRIER 1[31:31]
}

format! {
    /// Control flow that begins an ALU clause.
    cf_alu, "CF_ALU_DWORD", 2 words:
    ADDR 0[21:0] KCACHE_BANK0 0[25:22] KCACHE_BANK1 0[29:26] KCACHE_MODE0 0[31:30]
    KCACHE_MODE1 1[1:0] KCACHE_ADDR0 1[9:2] KCACHE_ADDR1 1[17:10] COUNT 1[24:18] USES_WATERFALL 1[25:25] CF_INST 1[29:26]
    WHOLE_QUAD_MODE 1[30:30] BARRIER 1[31:31]
}

format! {
    /// Exports, with selects for the elements.
    export_swiz, "CF_ALLOC_IMP_EXP_DWORD_SWIZ", 2 words:
    ARRAY_BASE 0[12:0] TYPE 0[14:13] RW_GPR 0[21:15] RW_REL 0[22:22] INDEX_GPR 0[29:23] ELEM_SIZE 0[31:30]
    SEL_X 1[2:0] SEL_Y 1[5:3] SEL_Z 1[8:6] SEL_W 1[11:9] RSVD 1[15:12]
    ELEM_LOOP 1[16:16] BURST_COUNT 1[20:17] END_OF_PROGRAM 1[21:21] VALID_PIXEL_MODE 1[22:22] CF_INST 1[29:23]
    WHOLE_QUAD_MODE 1[30:30] BARRIER 1[31:31]
}

format! {
    /// Streams, rings, scratch and reduction buffers, with an array size and a mask of elements.
    export_buf, "CF_ALLOC_IMP_EXP_DWORD_BUF", 2 words:
    ARRAY_BASE 0[12:0] TYPE 0[14:13] RW_GPR 0[21:15] RW_REL 0[22:22] INDEX_GPR 0[29:23] ELEM_SIZE 0[31:30]
    ARRAY_SIZE 1[11:0] COMP_MASK 1[15:12]
    ELEM_LOOP 1[16:16] BURST_COUNT 1[20:17] END_OF_PROGRAM 1[21:21] VALID_PIXEL_MODE 1[22:22] CF_INST 1[29:23]
    WHOLE_QUAD_MODE 1[30:30] BARRIER 1[31:31]
}

format! {
    /// ALU with up to two sources, on R600.
    alu_op2, "ALU_DWORD_OP2", 2 words:
    SRC0_SEL 0[8:0] SRC0_REL 0[9:9] SRC0_ELEM 0[11:10] SRC0_NEG 0[12:12]
    SRC1_SEL 0[21:13] SRC1_REL 0[22:22] SRC1_ELEM 0[24:23] SRC1_NEG 0[25:25]
    INDEX_MODE 0[28:26] PRED_SEL 0[30:29] LAST 0[31:31]
    SRC0_ABS 1[0:0] SRC1_ABS 1[1:1] UPDATE_EXECUTE_MASK 1[2:2] UPDATE_PRED 1[3:3] WRITE_MASK 1[4:4] FOG_MERGE 1[5:5]
    OMOD 1[7:6] ALU_INST 1[17:8] BANK_SWIZZLE 1[20:18] DST_GPR 1[27:21] DST_REL 1[28:28] DST_ELEM 1[30:29] CLAMP 1[31:31]
}

format! {
    /// ALU with up to two sources, on R700: no FOG_MERGE, and one more bit of ALU_INST.
    alu_op2_r700, "ALU_DWORD_OP2", 2 words:
    SRC0_SEL 0[8:0] SRC0_REL 0[9:9] SRC0_ELEM 0[11:10] SRC0_NEG 0[12:12]
    SRC1_SEL 0[21:13] SRC1_REL 0[22:22] SRC1_ELEM 0[24:23] SRC1_NEG 0[25:25]
    INDEX_MODE 0[28:26] PRED_SEL 0[30:29] LAST 0[31:31]
    SRC0_ABS 1[0:0] SRC1_ABS 1[1:1] UPDATE_EXECUTE_MASK 1[2:2] UPDATE_PRED 1[3:3] WRITE_MASK 1[4:4]
    OMOD 1[6:5] ALU_INST 1[17:7] BANK_SWIZZLE 1[20:18] DST_GPR 1[27:21] DST_REL 1[28:28] DST_ELEM 1[30:29] CLAMP 1[31:31]
}

format! {
    /// ALU with three sources: bits 17:15 of the second word are not all zero.
    alu_op3, "ALU_DWORD_OP3", 2 words:
    SRC0_SEL 0[8:0] SRC0_REL 0[9:9] SRC0_ELEM 0[11:10] SRC0_NEG 0[12:12]
    SRC1_SEL 0[21:13] SRC1_REL 0[22:22] SRC1_ELEM 0[24:23] SRC1_NEG 0[25:25]
    INDEX_MODE 0[28:26] PRED_SEL 0[30:29] LAST 0[31:31]
    SRC2_SEL 1[8:0] SRC2_REL 1[9:9] SRC2_ELEM 1[11:10] SRC2_NEG 1[12:12] ALU_INST 1[17:13]
    BANK_SWIZZLE 1[20:18] DST_GPR 1[27:21] DST_REL 1[28:28] DST_ELEM 1[30:29] CLAMP 1[31:31]
}

format! {
    /// Vertex fetches. The destination is a register, or for SEMFETCH a semantic in the same bits and the one above them.
    vtx, "VTX_DWORD", 4 words:
    VTX_INST 0[4:0] FETCH_TYPE 0[6:5] FETCH_WHOLE_QUAD 0[7:7] BUFFER_ID 0[15:8] SRC_GPR 0[22:16] SRC_REL 0[23:23]
    SRC_SEL_X 0[25:24] MEGA_FETCH_COUNT 0[31:26]
    DST_GPR 1[6:0] DST_REL 1[7:7] RSVD1 1[8:8] DST_SEL_X 1[11:9] DST_SEL_Y 1[14:12] DST_SEL_Z 1[17:15] DST_SEL_W 1[20:18]
    USE_CONST_FIELDS 1[21:21] DATA_FORMAT 1[27:22] NUM_FORMAT_ALL 1[29:28] FORMAT_COMP_ALL 1[30:30] SRF_MODE_ALL 1[31:31]
    OFFSET 2[15:0] ENDIAN_SWAP 2[17:16] CONST_BUF_NO_STRIDE 2[18:18] MEGA_FETCH 2[19:19] RSVD2 2[31:20]
    DWORD3 3[31:0]
}

format! {
    /// Texture fetches.
    tex, "TEX_DWORD", 4 words:
    TEX_INST 0[4:0] BC_FRAC_MODE 0[5:5] RSVD0 0[6:6] FETCH_WHOLE_QUAD 0[7:7] RESOURCE_ID 0[15:8] SRC_GPR 0[22:16] SRC_REL 0[23:23]
    RSVD00 0[31:24]
    DST_GPR 1[6:0] DST_REL 1[7:7] RSVD1 1[8:8] DST_SEL_X 1[11:9] DST_SEL_Y 1[14:12] DST_SEL_Z 1[17:15] DST_SEL_W 1[20:18]
    LOD_BIAS 1[27:21] COORD_TYPE_X 1[28:28] COORD_TYPE_Y 1[29:29] COORD_TYPE_Z 1[30:30] COORD_TYPE_W 1[31:31]
    OFFSET_X 2[4:0] OFFSET_Y 2[9:5] OFFSET_Z 2[14:10] SAMPLER_ID 2[19:15]
    SRC_SEL_X 2[22:20] SRC_SEL_Y 2[25:23] SRC_SEL_Z 2[28:26] SRC_SEL_W 2[31:29]
    DWORD3 3[31:0]
}

/// The semantic that SEMFETCH looks its destination up by: DST_GPR and DST_REL as one number.
pub const SEMANTIC_ID: Span = Span::new(7, 0).moved(32);

/// Bits 17:15 of the second word of an ALU instruction: zero with up to two sources.
pub const ALU_ENCODING: Span = Span::new(17, 15).moved(32);

/// The three sources of ALU instructions: SEL, REL, ELEM and NEG of each, which lie as those of the first do.
pub const SOURCES: [Span; 3] = [Span::new(12, 0), Span::new(25, 13), Span::new(12, 0).moved(32)];

/// Every format.
pub static FORMATS: &[&Format] = &[
    &cf::FORMAT,
    &cf_r700::FORMAT,
    &cf_alu::FORMAT,
    &export_swiz::FORMAT,
    &export_buf::FORMAT,
    &alu_op2::FORMAT,
    &alu_op2_r700::FORMAT,
    &alu_op3::FORMAT,
    &vtx::FORMAT,
    &tex::FORMAT,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_all_bits_of_a_format_in_order() {
        for format in FORMATS {
            let mut next = 0;
            for field in format.fields {
                assert_eq!(u32::from(field.span.lo), next, "{} {}", format.name, field.name);
                next += field.span.bits();
            }
            assert_eq!(next, 32 * u32::from(format.words), "{}", format.name);
        }
    }

    #[test]
    fn fields_of_one_name_lie_in_one_place_on_both_chips_where_code_says_so() {
        for field in alu_op2::FORMAT.fields {
            match alu_op2_r700::FORMAT.field(field.name) {
                Some(span) => {
                    assert_eq!(span != field.span, ["OMOD", "ALU_INST"].contains(&field.name), "{}", field.name)
                }
                None => assert_eq!(field.name, "FOG_MERGE"),
            }
        }
        for field in cf::FORMAT.fields.iter().filter(|field| field.name != "RSVD") {
            assert_eq!(cf_r700::FORMAT.field(field.name), Some(field.span), "{}", field.name);
        }
    }

    #[test]
    fn sources_lie_as_the_first_one() {
        let first = [alu_op3::SRC0_SEL, alu_op3::SRC0_REL, alu_op3::SRC0_ELEM, alu_op3::SRC0_NEG];
        let second = [alu_op3::SRC1_SEL, alu_op3::SRC1_REL, alu_op3::SRC1_ELEM, alu_op3::SRC1_NEG];
        let third = [alu_op3::SRC2_SEL, alu_op3::SRC2_REL, alu_op3::SRC2_ELEM, alu_op3::SRC2_NEG];
        for (source, fields) in SOURCES.iter().zip([first, second, third]) {
            for (field, like) in fields.into_iter().zip(first) {
                assert_eq!(field, like.moved(source.lo));
            }
        }
    }

    /// Bytes as LLVM 19 writes them for the R600 (`llc -mtriple=r600 -mcpu=r600 -show-mc-encoding`): a MUL of a group, and the ALU
    /// clause instruction with both constant caches locked.
    #[test]
    fn fields_pack_as_llvm_packs_them() {
        let mul = [
            ("SRC0_SEL", 1),
            ("SRC1_SEL", 2),
            ("SRC1_ELEM", 2),
            ("LAST", 1),
            ("WRITE_MASK", 1),
            ("ALU_INST", 1),
            ("DST_GPR", 5),
            ("DST_ELEM", 1),
        ];
        assert_eq!(alu_op2::FORMAT.pack(&mul), Some([0x8100_4001, 0x20a0_0110]));
        let nonzero: Vec<_> =
            alu_op2::FORMAT.unpack(&[0x8100_4001, 0x20a0_0110]).filter(|field| field.1 != 0).collect();
        assert_eq!(nonzero, mul);
        assert_eq!(alu_op2::FORMAT.pack::<2>(&[("VDST", 0)]), None);
    }
}
