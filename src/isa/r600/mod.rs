//! R600: VLIW machines. A trial of the layout types on them, with one ALU and one control-flow instruction.
//!
//! What fits as it is: [`Span`], [`Field`] and [`Format`], with the opcode in the second word. What does not: a format's fixed bits lie in
//! its first word, but here formats have none and are told apart by where they stand (a control-flow program names its clauses), and
//! inside an ALU clause by bits 17:15 of the second word, which are zero for two operands; these are the upper bits of the opcode field,
//! so nothing had to be added. Rows are another matter: their columns are other chips (R600, R700, Evergreen, Cayman), their operands have
//! channels and relative addressing, their modifiers belong to the group and not to the instruction. So R600 has a row type of its own, and
//! [`Inst`](crate::isa::row::Inst), its forms and their table stay what they are. [`Format::on`] is empty: the variants are GCN's.

use super::arch::Variants;
use super::format::{Field, Format, Span};

/// A field `hi:lo` of the first word.
const fn a(name: &'static str, hi: u8, lo: u8) -> Field {
    Field { name, span: Span::new(hi, lo) }
}

/// A field `hi:lo` of the second word.
const fn b(name: &'static str, hi: u8, lo: u8) -> Field {
    Field { name, span: Span::new(hi + 32, lo + 32) }
}

const fn format(name: &'static str, op: Field, fields: &'static [Field]) -> Format {
    Format { name, on: Variants::empty(), words: 2, fixed: 0, mask: 0, op: op.span, fields }
}

/// ALU_DWORD0 and ALU_DWORD1_OP2 as the R600 has them; the R700 moves OMOD and widens ALU_INST.
pub static ALU_OP2: Format = format(
    "ALU_OP2",
    b("ALU_INST", 17, 8),
    &[
        a("SRC0_SEL", 8, 0),
        a("SRC0_REL", 9, 9),
        a("SRC0_ELEM", 11, 10),
        a("SRC0_NEG", 12, 12),
        a("SRC1_SEL", 21, 13),
        a("SRC1_REL", 22, 22),
        a("SRC1_ELEM", 24, 23),
        a("SRC1_NEG", 25, 25),
        a("INDEX_MODE", 28, 26),
        a("PRED_SEL", 30, 29),
        a("LAST", 31, 31),
        b("SRC0_ABS", 0, 0),
        b("SRC1_ABS", 1, 1),
        b("UPDATE_EXECUTE_MASK", 2, 2),
        b("UPDATE_PRED", 3, 3),
        b("WRITE_MASK", 4, 4),
        b("FOG_MERGE", 5, 5),
        b("OMOD", 7, 6),
        b("BANK_SWIZZLE", 20, 18),
        b("DST_GPR", 27, 21),
        b("DST_REL", 28, 28),
        b("DST_ELEM", 30, 29),
        b("CLAMP", 31, 31),
    ],
);

/// CF_ALU_DWORD0 and CF_ALU_DWORD1: begins an ALU clause.
pub static CF_ALU: Format = format(
    "CF_ALU",
    b("CF_INST", 29, 26),
    &[
        a("ADDR", 21, 0),
        a("KCACHE_BANK0", 25, 22),
        a("KCACHE_BANK1", 29, 26),
        a("KCACHE_MODE0", 31, 30),
        b("KCACHE_MODE1", 1, 0),
        b("KCACHE_ADDR0", 9, 2),
        b("KCACHE_ADDR1", 17, 10),
        b("COUNT", 24, 18),
        b("USES_WATERFALL", 25, 25),
        b("WHOLE_QUAD_MODE", 30, 30),
        b("BARRIER", 31, 31),
    ],
);

/// One instruction.
#[derive(Debug)]
pub struct Inst {
    /// The manual's name.
    pub name: &'static str,
    /// Its format.
    pub format: &'static Format,
    /// Its opcode on the R600.
    pub code: u16,
}

/// The instructions of the trial.
#[rustfmt::skip]
pub static ROWS: &[Inst] = &[
    Inst { name: "MUL", format: &ALU_OP2, code: 1 },
    Inst { name: "ALU", format: &CF_ALU,  code: 8 },
];

impl Inst {
    /// The words with these fields; all others are zero. A name that the format does not have is no field.
    #[must_use]
    pub fn pack(&self, fields: &[(&str, u32)]) -> Option<[u32; 2]> {
        let mut words = [0; 2];
        self.format.op.set(&mut words, u32::from(self.code));
        for (name, value) in fields {
            self.format.field(name)?.set(&mut words, *value);
        }
        Some(words)
    }

    /// The fields which are not zero, if the words are this instruction.
    #[must_use]
    pub fn unpack(&self, words: [u32; 2]) -> Option<Vec<(&'static str, u32)>> {
        (self.format.op.get(&words) == u32::from(self.code)).then(|| {
            self.format.fields.iter().map(|f| (f.name, f.span.get(&words))).filter(|(_, value)| *value != 0).collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes as LLVM 19 writes them for the R600 (`llc -mtriple=r600 -mcpu=r600 -show-mc-encoding`): a MUL of a group, and the ALU clause
    /// instruction with both constant caches locked.
    #[test]
    fn one_alu_and_one_control_flow_instruction_pack_as_llvm_packs_them() {
        let fields = [
            ("SRC0_SEL", 1),
            ("SRC1_SEL", 2),
            ("SRC1_ELEM", 2),
            ("LAST", 1),
            ("WRITE_MASK", 1),
            ("DST_GPR", 5),
            ("DST_ELEM", 1),
        ];
        assert_eq!(ROWS[0].pack(&fields), Some([0x8100_4001, 0x20a0_0110]));
        assert_eq!(ROWS[0].unpack([0x8100_4001, 0x20a0_0110]).as_deref(), Some(fields.as_slice()));
        let fields = [
            ("ADDR", 0x10),
            ("KCACHE_BANK0", 1),
            ("KCACHE_BANK1", 2),
            ("KCACHE_MODE0", 1),
            ("KCACHE_MODE1", 2),
            ("KCACHE_ADDR0", 3),
            ("KCACHE_ADDR1", 4),
            ("COUNT", 5),
            ("BARRIER", 1),
        ];
        assert_eq!(ROWS[1].pack(&fields), Some([0x4840_0010, 0xa014_100e]));
        assert_eq!(ROWS[1].unpack([0x4840_0010, 0xa014_100e]).as_deref(), Some(fields.as_slice()));
        assert_eq!(ROWS[0].unpack([0x4840_0010, 0xa014_100e]), None);
        assert_eq!(ROWS[0].pack(&[("KCACHE_BANK0", 1)]), None);
    }

    /// Every bit of both words belongs to one field.
    #[test]
    fn fields_cover_both_words_once() {
        for row in ROWS {
            let mut all = [0u32; 2];
            row.format.op.set(&mut all, u32::MAX);
            for field in row.format.fields {
                let mut bits = [0u32; 2];
                field.span.set(&mut bits, u32::MAX);
                assert_eq!([all[0] & bits[0], all[1] & bits[1]], [0, 0], "{} {}", row.format.name, field.name);
                all = [all[0] | bits[0], all[1] | bits[1]];
            }
            assert_eq!(all, [u32::MAX; 2], "{}", row.format.name);
        }
    }
}
