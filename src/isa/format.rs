//! Microcode formats: the only place with bit numbers.
//!
//! A format is a row too: where it exists, the bits that make it what it is, where the opcode lies, and its fields. Decoder,
//! encoder and `explain` walk the same fields, so they cannot disagree. A field is up to two runs of bits, low run first; bit 0 is the
//! lowest bit of the first word in memory. VLIW machines (R600) describe their words with the same types.

use super::arch::Variants;

/// The bits of one field: `width` bits from bit `lo` on, then `width2` bits from `lo2` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// First bit.
    pub lo: u8,
    /// Number of bits.
    pub width: u8,
    /// First bit of the upper part.
    pub lo2: u8,
    /// Number of bits of the upper part; 0 for an ordinary field.
    pub width2: u8,
}

impl Span {
    /// No bits at all.
    pub const NONE: Span = Span { lo: 0, width: 0, lo2: 0, width2: 0 };

    /// The bits `hi:lo`, as manuals write them.
    #[must_use]
    pub const fn new(hi: u8, lo: u8) -> Span {
        assert!(hi >= lo && hi - lo < 32 && hi < 160);
        Span { lo, width: hi - lo + 1, lo2: 0, width2: 0 }
    }

    /// The bits `hi:lo`, with the bits `hi2:lo2` above them.
    #[must_use]
    pub const fn split(hi: u8, lo: u8, hi2: u8, lo2: u8) -> Span {
        let upper = Span::new(hi2, lo2);
        Span { lo2, width2: upper.width, ..Span::new(hi, lo) }
    }

    /// The same bits of a word further behind.
    #[must_use]
    pub const fn moved(self, by: u8) -> Span {
        Span { lo: self.lo + by, lo2: if self.width2 > 0 { self.lo2 + by } else { 0 }, ..self }
    }

    /// The number of bits.
    #[must_use]
    pub const fn bits(self) -> u32 {
        (self.width + self.width2) as u32
    }

    /// Reads the field.
    #[inline]
    #[must_use]
    pub fn get(self, words: &[u32]) -> u32 {
        let low = run(words, self.lo, self.width);
        if self.width2 == 0 { low } else { low | run(words, self.lo2, self.width2) << self.width }
    }

    /// Writes the field; bits above its width are dropped.
    #[inline]
    pub fn set(self, words: &mut [u32], value: u32) {
        put(words, self.lo, self.width, value);
        if self.width2 != 0 {
            put(words, self.lo2, self.width2, value >> self.width);
        }
    }

    /// The largest value the field holds.
    #[must_use]
    pub const fn max(self) -> u32 {
        if self.bits() >= 32 { u32::MAX } else { (1 << self.bits()) - 1 }
    }
}

/// `width` bits from bit `lo`; a run may cross a word boundary.
#[inline]
fn run(words: &[u32], lo: u8, width: u8) -> u32 {
    let at = usize::from(lo / 32);
    let low = u64::from(words[at]) | words.get(at + 1).map_or(0, |w| u64::from(*w) << 32);
    ((low >> (lo % 32)) & ((1u64 << width) - 1)) as u32
}

#[inline]
fn put(words: &mut [u32], lo: u8, width: u8, value: u32) {
    let at = usize::from(lo / 32);
    let mask = ((1u64 << width) - 1) << (lo % 32);
    let bits = (u64::from(value) << (lo % 32)) & mask;
    words[at] = words[at] & !(mask as u32) | bits as u32;
    if mask >> 32 != 0 {
        words[at + 1] = words[at + 1] & !((mask >> 32) as u32) | (bits >> 32) as u32;
    }
}

/// One named field of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The manual's name.
    pub name: &'static str,
    /// Where it lies.
    pub span: Span,
}

/// One microcode format.
#[derive(Debug, PartialEq, Eq)]
pub struct Format {
    /// The manual's name.
    pub name: &'static str,
    /// Where it exists.
    pub on: Variants,
    /// Words without a literal constant.
    pub words: u8,
    /// The bits that are always the same ...
    pub fixed: u32,
    /// ... and which bits of the first word these are.
    pub mask: u32,
    /// The opcode.
    pub op: Span,
    /// All other fields.
    pub fields: &'static [Field],
}

impl Format {
    /// The span of the field called `name`.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<Span> {
        self.fields.iter().find(|f| f.name == name).map(|f| f.span)
    }
}

/// A field `hi:lo`.
const fn f(name: &'static str, hi: u8, lo: u8) -> Field {
    Field { name, span: Span::new(hi, lo) }
}

/// A field in two runs.
const fn f2(name: &'static str, hi: u8, lo: u8, hi2: u8, lo2: u8) -> Field {
    Field { name, span: Span::split(hi, lo, hi2, lo2) }
}

/// A format whose first word begins, at bit 31, with the binary digits of `prefix`.
const fn format(
    name: &'static str,
    on: Variants,
    words: u8,
    prefix: &'static str,
    op: Span,
    fields: &'static [Field],
) -> Format {
    let digits = prefix.as_bytes();
    let (mut fixed, mut mask, mut i) = (0u32, 0u32, 0);
    while i < digits.len() {
        let bit = 1u32 << (31 - i);
        match digits[i] {
            b'1' => {
                fixed |= bit;
                mask |= bit;
            }
            b'0' => mask |= bit,
            b'.' => {}
            _ => panic!("a prefix is made of 0, 1 and ."),
        }
        i += 1;
    }
    Format { name, on, words, fixed, mask, op, fields }
}

const fn op(hi: u8, lo: u8) -> Span {
    Span::new(hi, lo)
}

const V: Variants = Variants::all();
const G67: Variants = Variants::G6.union(Variants::G7);
const G89: Variants = Variants::G8.union(Variants::G9);
const G6_9: Variants = G67.union(G89);
const G10: Variants = Variants::G10;
const G11: Variants = Variants::G11;
const G12: Variants = Variants::G12;
const G10P: Variants = G10.union(G11P);
const G11P: Variants = G11.union(G12);
const G9: Variants = Variants::G9;
const VEGA: Variants = Variants::VEGA;
const G78: Variants = Variants::G7.union(Variants::G8);
const G8_9VEGA: Variants = Variants::G8.union(VEGA);

/// Every format of GCN and RDNA. The order matters only for formats that share their first bits: the longer prefix comes first.
#[rustfmt::skip]
pub static FORMATS: &[Format] = &[
    format("SOP1",  V, 1, "101111101", op(15, 8),  &[f("SSRC0", 7, 0), f("SDST", 22, 16)]),
    format("SOPC",  V, 1, "101111110", op(22, 16), &[f("SSRC0", 7, 0), f("SSRC1", 15, 8)]),
    format("SOPP",  V, 1, "101111111", op(22, 16), &[f("SIMM16", 15, 0)]),
    format("SOPK",  V, 1, "1011",      op(27, 23), &[f("SIMM16", 15, 0), f("SDST", 22, 16)]),
    format("SOP2",  V, 1, "10",        op(29, 23), &[f("SSRC0", 7, 0), f("SSRC1", 15, 8), f("SDST", 22, 16)]),

    format("SMRD",  G67,      1, "11000",  op(26, 22), &[f("OFFSET", 7, 0), f("IMM", 8, 8), f("SBASE", 14, 9), f("SDST", 21, 15)]),
    format("SMEM",  Variants::G8, 2, "110000", op(25, 18), &[f("SBASE", 5, 0), f("SDATA", 12, 6), f("GLC", 16, 16), f("IMM", 17, 17), f("OFFSET", 51, 32)]),
    format("SMEM",  G9,       2, "110000", op(25, 18), &[f("SBASE", 5, 0), f("SDATA", 12, 6), f("SOFFSET_EN", 14, 14), f("NV", 15, 15), f("GLC", 16, 16), f("IMM", 17, 17), f("OFFSET", 52, 32), f("SOFFSET", 63, 57)]),
    format("SMEM",  G10,      2, "111101", op(25, 18), &[f("SBASE", 5, 0), f("SDATA", 12, 6), f("DLC", 14, 14), f("GLC", 16, 16), f("OFFSET", 52, 32), f("SOFFSET", 63, 57)]),
    format("SMEM",  G11,      2, "111101", op(25, 18), &[f("SBASE", 5, 0), f("SDATA", 12, 6), f("DLC", 13, 13), f("GLC", 14, 14), f("OFFSET", 52, 32), f("SOFFSET", 63, 57)]),
    format("SMEM",  G12,      2, "111101", op(18, 13), &[f("SBASE", 5, 0), f("SDATA", 12, 6), f("SCOPE", 22, 21), f("TH", 24, 23), f("IOFFSET", 55, 32), f("SOFFSET", 63, 57)]),

    format("VOPC",  V, 1, "0111110", op(24, 17), &[f("SRC0", 8, 0), f("VSRC1", 16, 9)]),
    format("VOP1",  V, 1, "0111111", op(16, 9),  &[f("SRC0", 8, 0), f("VDST", 24, 17)]),
    format("VOP2",  V, 1, "0",       op(30, 25), &[f("SRC0", 8, 0), f("VSRC1", 16, 9), f("VDST", 24, 17)]),

    format("VOP3P", G9,   2, "110100111", op(22, 16), &[f("VDST", 7, 0), f("NEG_HI", 10, 8), f("OP_SEL", 13, 11), f2("OP_SEL_HI", 60, 59, 14, 14), f("CLAMP", 15, 15), f("SRC0", 40, 32), f("SRC1", 49, 41), f("SRC2", 58, 50), f("NEG", 63, 61)]),
    format("VOP3P", G10P, 2, "110011000", op(22, 16), &[f("VDST", 7, 0), f("NEG_HI", 10, 8), f("OP_SEL", 13, 11), f2("OP_SEL_HI", 60, 59, 14, 14), f("CLAMP", 15, 15), f("SRC0", 40, 32), f("SRC1", 49, 41), f("SRC2", 58, 50), f("NEG", 63, 61)]),
    format("MAI",   Variants::CDNA, 2, "110100111", op(22, 16), &[f("VDST", 7, 0), f("CBSZ", 10, 8), f("ABID", 14, 11), f("ACC_CD", 15, 15), f("SRC0", 40, 32), f("SRC1", 49, 41), f("SRC2", 58, 50), f("ACC0", 59, 59), f("ACC1", 60, 60), f("BLGP", 63, 61)]),
    format("VOP3",  G67,  2, "110100",    op(25, 17), &[f("VDST", 7, 0), f("ABS", 10, 8), f("CLAMP", 11, 11), f("SRC0", 40, 32), f("SRC1", 49, 41), f("SRC2", 58, 50), f("OMOD", 60, 59), f("NEG", 63, 61)]),
    format("VOP3",  G89,  2, "110100",    op(25, 16), &[f("VDST", 7, 0), f("ABS", 10, 8), f("OP_SEL", 14, 11), f("CLAMP", 15, 15), f("SRC0", 40, 32), f("SRC1", 49, 41), f("SRC2", 58, 50), f("OMOD", 60, 59), f("NEG", 63, 61)]),
    format("VOP3",  G10P, 2, "110101",    op(25, 16), &[f("VDST", 7, 0), f("ABS", 10, 8), f("OP_SEL", 14, 11), f("CLAMP", 15, 15), f("SRC0", 40, 32), f("SRC1", 49, 41), f("SRC2", 58, 50), f("OMOD", 60, 59), f("NEG", 63, 61)]),
    format("VOP3B", G67,  2, "110100",    op(25, 17), &[f("VDST", 7, 0), f("SDST", 14, 8), f("SRC0", 40, 32), f("SRC1", 49, 41), f("SRC2", 58, 50), f("OMOD", 60, 59), f("NEG", 63, 61)]),
    format("VOP3B", G89,  2, "110100",    op(25, 16), &[f("VDST", 7, 0), f("SDST", 14, 8), f("CLAMP", 15, 15), f("SRC0", 40, 32), f("SRC1", 49, 41), f("SRC2", 58, 50), f("OMOD", 60, 59), f("NEG", 63, 61)]),
    format("VOP3B", G10P, 2, "110101",    op(25, 16), &[f("VDST", 7, 0), f("SDST", 14, 8), f("CLAMP", 15, 15), f("SRC0", 40, 32), f("SRC1", 49, 41), f("SRC2", 58, 50), f("OMOD", 60, 59), f("NEG", 63, 61)]),
    format("VINTERP", G11P, 2, "11001101", op(22, 16), &[f("VDST", 7, 0), f("WAIT_EXP", 10, 8), f("OP_SEL", 14, 11), f("CLAMP", 15, 15), f("SRC0", 40, 32), f("SRC1", 49, 41), f("SRC2", 58, 50), f("NEG", 63, 61)]),
    // The VOP3 form of parameter interpolation: the attribute lies where SRC0 is elsewhere.
    format("VOP3_INTERP", G8_9VEGA.union(Variants::CDNA2), 2, "110100", op(25, 16), &[f("VDST", 7, 0), f("ABS", 10, 8), f("OP_SEL", 14, 11), f("CLAMP", 15, 15), f("ATTR", 37, 32), f("ATTRCHAN", 39, 38), f("HIGH", 40, 40), f("VSRC", 49, 41), f("SRC2", 58, 50), f("OMOD", 60, 59), f("NEG", 63, 61)]),
    format("VOP3_INTERP", G10, 2, "110101", op(25, 16), &[f("VDST", 7, 0), f("ABS", 10, 8), f("OP_SEL", 14, 11), f("CLAMP", 15, 15), f("ATTR", 37, 32), f("ATTRCHAN", 39, 38), f("HIGH", 40, 40), f("VSRC", 49, 41), f("SRC2", 58, 50), f("OMOD", 60, 59), f("NEG", 63, 61)]),
    format("VOPD",  G11P, 2, "110010",    op(25, 17), &[f("SRCX0", 8, 0), f("VSRCX1", 16, 9), f("SRCY0", 40, 32), f("VSRCY1", 48, 41), f("VDSTY", 55, 49), f("VDSTX", 63, 56)]),

    format("VINTRP", G67.union(G10), 1, "110010", op(17, 16), &[f("VSRC", 7, 0), f("ATTRCHAN", 9, 8), f("ATTR", 15, 10), f("VDST", 25, 18)]),
    format("VINTRP", G8_9VEGA,       1, "110101", op(17, 16), &[f("VSRC", 7, 0), f("ATTRCHAN", 9, 8), f("ATTR", 15, 10), f("VDST", 25, 18)]),
    format("LDSDIR", G11, 1, "11001110", op(21, 20), &[f("VDST", 7, 0), f("ATTRCHAN", 9, 8), f("ATTR", 15, 10), f("WAIT_VDST", 19, 16)]),
    format("VDSDIR", G12, 1, "11001110", op(21, 20), &[f("VDST", 7, 0), f("ATTRCHAN", 9, 8), f("ATTR", 15, 10), f("WAIT_VDST", 19, 16), f("WAIT_VMVSRC", 23, 23)]),

    format("DS",    G67.union(G10).union(G11), 2, "110110", op(25, 18), &[f("OFFSET", 15, 0), f("OFFSET0", 7, 0), f("OFFSET1", 15, 8), f("GDS", 17, 17), f("ADDR", 39, 32), f("DATA0", 47, 40), f("DATA1", 55, 48), f("VDST", 63, 56)]),
    format("DS",    G89, 2, "110110", op(24, 17), &[f("OFFSET", 15, 0), f("OFFSET0", 7, 0), f("OFFSET1", 15, 8), f("GDS", 16, 16), f("ACC", 25, 25), f("ADDR", 39, 32), f("DATA0", 47, 40), f("DATA1", 55, 48), f("VDST", 63, 56)]),
    format("VDS",   G12, 2, "110110", op(25, 18), &[f("OFFSET", 15, 0), f("OFFSET0", 7, 0), f("OFFSET1", 15, 8), f("ADDR", 39, 32), f("DATA0", 47, 40), f("DATA1", 55, 48), f("VDST", 63, 56)]),

    format("MUBUF", G67, 2, "111000", op(24, 18), &[f("OFFSET", 11, 0), f("OFFEN", 12, 12), f("IDXEN", 13, 13), f("GLC", 14, 14), f("ADDR64", 15, 15), f("LDS", 16, 16), f("VADDR", 39, 32), f("VDATA", 47, 40), f("SRSRC", 52, 48), f("SLC", 54, 54), f("TFE", 55, 55), f("SOFFSET", 63, 56)]),
    format("MUBUF", G8_9VEGA, 2, "111000", op(24, 18), &[f("OFFSET", 11, 0), f("OFFEN", 12, 12), f("IDXEN", 13, 13), f("GLC", 14, 14), f("LDS", 16, 16), f("SLC", 17, 17), f("VADDR", 39, 32), f("VDATA", 47, 40), f("SRSRC", 52, 48), f("TFE", 55, 55), f("SOFFSET", 63, 56)]),
    format("MUBUF", Variants::CDNA2, 2, "111000", op(24, 18), &[f("OFFSET", 11, 0), f("OFFEN", 12, 12), f("IDXEN", 13, 13), f("GLC", 14, 14), f("SCC", 15, 15), f("LDS", 16, 16), f("SLC", 17, 17), f("VADDR", 39, 32), f("VDATA", 47, 40), f("SRSRC", 52, 48), f("ACC", 55, 55), f("SOFFSET", 63, 56)]),
    format("MUBUF", G10, 2, "111000", op(25, 18), &[f("OFFSET", 11, 0), f("OFFEN", 12, 12), f("IDXEN", 13, 13), f("GLC", 14, 14), f("DLC", 15, 15), f("LDS", 16, 16), f("VADDR", 39, 32), f("VDATA", 47, 40), f("SRSRC", 52, 48), f("SLC", 54, 54), f("TFE", 55, 55), f("SOFFSET", 63, 56)]),
    format("MUBUF", G11, 2, "111000", op(25, 18), &[f("OFFSET", 11, 0), f("SLC", 12, 12), f("DLC", 13, 13), f("GLC", 14, 14), f("VADDR", 39, 32), f("VDATA", 47, 40), f("SRSRC", 52, 48), f("TFE", 53, 53), f("OFFEN", 54, 54), f("IDXEN", 55, 55), f("SOFFSET", 63, 56)]),
    format("MTBUF", G67, 2, "111010", op(18, 16), &[f("OFFSET", 11, 0), f("OFFEN", 12, 12), f("IDXEN", 13, 13), f("GLC", 14, 14), f("ADDR64", 15, 15), f("FORMAT", 25, 19), f("VADDR", 39, 32), f("VDATA", 47, 40), f("SRSRC", 52, 48), f("SLC", 54, 54), f("TFE", 55, 55), f("SOFFSET", 63, 56)]),
    format("MTBUF", G8_9VEGA, 2, "111010", op(18, 15), &[f("OFFSET", 11, 0), f("OFFEN", 12, 12), f("IDXEN", 13, 13), f("GLC", 14, 14), f("FORMAT", 25, 19), f("VADDR", 39, 32), f("VDATA", 47, 40), f("SRSRC", 52, 48), f("SLC", 54, 54), f("TFE", 55, 55), f("SOFFSET", 63, 56)]),
    format("MTBUF", Variants::CDNA2, 2, "111010", op(18, 15), &[f("OFFSET", 11, 0), f("OFFEN", 12, 12), f("IDXEN", 13, 13), f("GLC", 14, 14), f("FORMAT", 25, 19), f("VADDR", 39, 32), f("VDATA", 47, 40), f("SRSRC", 52, 48), f("SCC", 53, 53), f("SLC", 54, 54), f("ACC", 55, 55), f("SOFFSET", 63, 56)]),
    format("MTBUF", G10, 2, "111010", Span::split(18, 16, 53, 53), &[f("OFFSET", 11, 0), f("OFFEN", 12, 12), f("IDXEN", 13, 13), f("GLC", 14, 14), f("DLC", 15, 15), f("FORMAT", 25, 19), f("VADDR", 39, 32), f("VDATA", 47, 40), f("SRSRC", 52, 48), f("SLC", 54, 54), f("TFE", 55, 55), f("SOFFSET", 63, 56)]),
    format("MTBUF", G11, 2, "111010", op(18, 15), &[f("OFFSET", 11, 0), f("SLC", 12, 12), f("DLC", 13, 13), f("GLC", 14, 14), f("FORMAT", 25, 19), f("VADDR", 39, 32), f("VDATA", 47, 40), f("SRSRC", 52, 48), f("TFE", 53, 53), f("OFFEN", 54, 54), f("IDXEN", 55, 55), f("SOFFSET", 63, 56)]),
    format("VBUFFER", G12, 3, "110001", op(21, 14), &[f("SOFFSET", 6, 0), f("TFE", 22, 22), f("VDATA", 39, 32), f("RSRC", 49, 41), f("SCOPE", 51, 50), f("TH", 54, 52), f("FORMAT", 61, 55), f("OFFEN", 62, 62), f("IDXEN", 63, 63), f("VADDR", 71, 64), f("IOFFSET", 95, 72)]),

    format("MIMG",  G6_9.difference(Variants::CDNA2), 2, "111100", Span::split(24, 18, 0, 0), &[f("SCC", 7, 7), f("DMASK", 11, 8), f("UNRM", 12, 12), f("GLC", 13, 13), f("DA", 14, 14), f("R128", 15, 15), f("TFE", 16, 16), f("LWE", 17, 17), f("SLC", 25, 25), f("VADDR", 39, 32), f("VDATA", 47, 40), f("SRSRC", 52, 48), f("SSAMP", 57, 53), f("D16", 63, 63)]),
    format("MIMG",  Variants::G90A, 2, "111100", Span::split(24, 18, 0, 0), &[f("SCC", 7, 7), f("DMASK", 11, 8), f("UNRM", 12, 12), f("GLC", 13, 13), f("DA", 14, 14), f("R128", 15, 15), f("ACC", 16, 16), f("LWE", 17, 17), f("SLC", 25, 25), f("VADDR", 39, 32), f("VDATA", 47, 40), f("SRSRC", 52, 48), f("SSAMP", 57, 53), f("D16", 63, 63)]),
    format("MIMG",  G10, 2, "111100", Span::split(24, 18, 0, 0), &[f("NSA", 2, 1), f("DIM", 5, 3), f("DLC", 7, 7), f("DMASK", 11, 8), f("UNRM", 12, 12), f("GLC", 13, 13), f("R128", 15, 15), f("TFE", 16, 16), f("LWE", 17, 17), f("SLC", 25, 25), f("VADDR", 39, 32), f("VDATA", 47, 40), f("SRSRC", 52, 48), f("SSAMP", 57, 53), f("A16", 62, 62), f("D16", 63, 63)]),
    format("MIMG",  G11, 2, "111100", op(25, 18), &[f("NSA", 0, 0), f("DIM", 4, 2), f("UNRM", 7, 7), f("DMASK", 11, 8), f("SLC", 12, 12), f("DLC", 13, 13), f("GLC", 14, 14), f("R128", 15, 15), f("A16", 16, 16), f("D16", 17, 17), f("VADDR", 39, 32), f("VDATA", 47, 40), f("SRSRC", 52, 48), f("TFE", 53, 53), f("LWE", 54, 54), f("SSAMP", 62, 58)]),
    format("VIMAGE",  G12, 3, "110100", op(21, 14), &[f("DIM", 2, 0), f("R128", 4, 4), f("D16", 5, 5), f("A16", 6, 6), f("DMASK", 25, 22), f("VDATA", 39, 32), f("RSRC", 49, 41), f("SCOPE", 51, 50), f("TH", 54, 52), f("TFE", 55, 55), f("VADDR4", 63, 56), f("VADDR0", 71, 64), f("VADDR1", 79, 72), f("VADDR2", 87, 80), f("VADDR3", 95, 88)]),
    format("VSAMPLE", G12, 3, "111001", op(21, 14), &[f("DIM", 2, 0), f("TFE", 3, 3), f("R128", 4, 4), f("D16", 5, 5), f("A16", 6, 6), f("UNRM", 13, 13), f("DMASK", 25, 22), f("VDATA", 39, 32), f("LWE", 40, 40), f("RSRC", 49, 41), f("SCOPE", 51, 50), f("TH", 54, 52), f("SAMP", 63, 55), f("VADDR0", 71, 64), f("VADDR1", 79, 72), f("VADDR2", 87, 80), f("VADDR3", 95, 88)]),

    format("FLAT",    G78,           2, "110111", op(24, 18), &[f("GLC", 16, 16), f("SLC", 17, 17), f("ADDR", 39, 32), f("DATA", 47, 40), f("TFE", 55, 55), f("VDST", 63, 56)]),
    format("FLAT",    VEGA,          2, "110111..........00", op(24, 18), &[f("OFFSET", 11, 0), f("GLC", 16, 16), f("SLC", 17, 17), f("ADDR", 39, 32), f("DATA", 47, 40), f("SADDR", 54, 48), f("NV", 55, 55), f("VDST", 63, 56)]),
    format("FLAT",    Variants::CDNA2, 2, "110111..........00", op(24, 18), &[f("OFFSET", 11, 0), f("GLC", 16, 16), f("SLC", 17, 17), f("SCC", 25, 25), f("ADDR", 39, 32), f("DATA", 47, 40), f("SADDR", 54, 48), f("ACC", 55, 55), f("VDST", 63, 56)]),
    format("SCRATCH", VEGA,          2, "110111..........01", op(24, 18), &[f("OFFSET", 12, 0), f("LDS", 13, 13), f("GLC", 16, 16), f("SLC", 17, 17), f("ADDR", 39, 32), f("DATA", 47, 40), f("SADDR", 54, 48), f("NV", 55, 55), f("VDST", 63, 56)]),
    format("SCRATCH", Variants::G90A, 2, "110111..........01", op(24, 18), &[f("OFFSET", 12, 0), f("LDS", 13, 13), f("GLC", 16, 16), f("SLC", 17, 17), f("SCC", 25, 25), f("ADDR", 39, 32), f("DATA", 47, 40), f("SADDR", 54, 48), f("ACC", 55, 55), f("VDST", 63, 56)]),
    format("SCRATCH", Variants::G940, 2, "110111..........01", op(24, 18), &[f("OFFSET", 12, 0), f("SVE", 13, 13), f("GLC", 16, 16), f("SLC", 17, 17), f("SCC", 25, 25), f("ADDR", 39, 32), f("DATA", 47, 40), f("SADDR", 54, 48), f("ACC", 55, 55), f("VDST", 63, 56)]),
    format("GLOBAL",  VEGA,          2, "110111..........10", op(24, 18), &[f("OFFSET", 12, 0), f("LDS", 13, 13), f("GLC", 16, 16), f("SLC", 17, 17), f("ADDR", 39, 32), f("DATA", 47, 40), f("SADDR", 54, 48), f("NV", 55, 55), f("VDST", 63, 56)]),
    format("GLOBAL",  Variants::G90A, 2, "110111..........10", op(24, 18), &[f("OFFSET", 12, 0), f("LDS", 13, 13), f("GLC", 16, 16), f("SLC", 17, 17), f("SCC", 25, 25), f("ADDR", 39, 32), f("DATA", 47, 40), f("SADDR", 54, 48), f("ACC", 55, 55), f("VDST", 63, 56)]),
    format("GLOBAL",  Variants::G940, 2, "110111..........10", op(24, 18), &[f("OFFSET", 12, 0), f("GLC", 16, 16), f("SLC", 17, 17), f("SCC", 25, 25), f("ADDR", 39, 32), f("DATA", 47, 40), f("SADDR", 54, 48), f("ACC", 55, 55), f("VDST", 63, 56)]),
    format("FLAT",    G10,           2, "110111..........00", op(24, 18), &[f("OFFSET", 10, 0), f("DLC", 12, 12), f("GLC", 16, 16), f("SLC", 17, 17), f("ADDR", 39, 32), f("DATA", 47, 40), f("SADDR", 54, 48), f("VDST", 63, 56)]),
    format("SCRATCH", G10,           2, "110111..........01", op(24, 18), &[f("OFFSET", 11, 0), f("DLC", 12, 12), f("LDS", 13, 13), f("GLC", 16, 16), f("SLC", 17, 17), f("ADDR", 39, 32), f("DATA", 47, 40), f("SADDR", 54, 48), f("VDST", 63, 56)]),
    format("GLOBAL",  G10,           2, "110111..........10", op(24, 18), &[f("OFFSET", 11, 0), f("DLC", 12, 12), f("LDS", 13, 13), f("GLC", 16, 16), f("SLC", 17, 17), f("ADDR", 39, 32), f("DATA", 47, 40), f("SADDR", 54, 48), f("VDST", 63, 56)]),
    format("FLAT",    G11,           2, "110111........00", op(24, 18), &[f("OFFSET", 11, 0), f("DLC", 13, 13), f("GLC", 14, 14), f("SLC", 15, 15), f("ADDR", 39, 32), f("DATA", 47, 40), f("SADDR", 54, 48), f("VDST", 63, 56)]),
    format("SCRATCH", G11,           2, "110111........01", op(24, 18), &[f("OFFSET", 12, 0), f("DLC", 13, 13), f("GLC", 14, 14), f("SLC", 15, 15), f("ADDR", 39, 32), f("DATA", 47, 40), f("SADDR", 54, 48), f("SVE", 55, 55), f("VDST", 63, 56)]),
    format("GLOBAL",  G11,           2, "110111........10", op(24, 18), &[f("OFFSET", 12, 0), f("DLC", 13, 13), f("GLC", 14, 14), f("SLC", 15, 15), f("ADDR", 39, 32), f("DATA", 47, 40), f("SADDR", 54, 48), f("VDST", 63, 56)]),
    format("VFLAT",    G12, 3, "11101100", op(21, 14), &[f("SADDR", 6, 0), f("VDST", 39, 32), f("SCOPE", 51, 50), f("TH", 54, 52), f("VSRC", 62, 55), f("VADDR", 71, 64), f("IOFFSET", 95, 72)]),
    format("VSCRATCH", G12, 3, "11101101", op(21, 14), &[f("SADDR", 6, 0), f("VDST", 39, 32), f("SVE", 49, 49), f("SCOPE", 51, 50), f("TH", 54, 52), f("VSRC", 62, 55), f("VADDR", 71, 64), f("IOFFSET", 95, 72)]),
    format("VGLOBAL",  G12, 3, "11101110", op(21, 14), &[f("SADDR", 6, 0), f("VDST", 39, 32), f("SCOPE", 51, 50), f("TH", 54, 52), f("VSRC", 62, 55), f("VADDR", 71, 64), f("IOFFSET", 95, 72)]),

    format("EXP", G67.union(G10), 2, "111110", Span::NONE, &[f("EN", 3, 0), f("TGT", 9, 4), f("COMPR", 10, 10), f("DONE", 11, 11), f("VM", 12, 12), f("VSRC0", 39, 32), f("VSRC1", 47, 40), f("VSRC2", 55, 48), f("VSRC3", 63, 56)]),
    format("EXP", G8_9VEGA, 2, "110001", Span::NONE, &[f("EN", 3, 0), f("TGT", 9, 4), f("COMPR", 10, 10), f("DONE", 11, 11), f("VM", 12, 12), f("VSRC0", 39, 32), f("VSRC1", 47, 40), f("VSRC2", 55, 48), f("VSRC3", 63, 56)]),
    format("EXP", G11, 2, "111110", Span::NONE, &[f("EN", 3, 0), f("TGT", 9, 4), f("DONE", 11, 11), f("ROW", 13, 13), f("VSRC0", 39, 32), f("VSRC1", 47, 40), f("VSRC2", 55, 48), f("VSRC3", 63, 56)]),
    format("VEXPORT", G12, 2, "111110", Span::NONE, &[f("EN", 3, 0), f("TGT", 9, 4), f("DONE", 11, 11), f("ROW", 13, 13), f("VSRC0", 39, 32), f("VSRC1", 47, 40), f("VSRC2", 55, 48), f("VSRC3", 63, 56)]),
];

/// The extra word of a sub-dword-addressing form: SRC0 of the first word is 0xf9. `SDWAB` is that of compares since gfx9.
#[rustfmt::skip]
pub static SDWA: &[Format] = &[
    format("SDWA",  G89.union(G10), 2, "", Span::NONE, &[f("SRC0", 39, 32), f("DST_SEL", 42, 40), f("DST_UNUSED", 44, 43), f("CLAMP", 45, 45), f("OMOD", 47, 46), f("SRC0_SEL", 50, 48), f("SRC0_SEXT", 51, 51), f("SRC0_NEG", 52, 52), f("SRC0_ABS", 53, 53), f("S0", 55, 55), f("SRC1_SEL", 58, 56), f("SRC1_SEXT", 59, 59), f("SRC1_NEG", 60, 60), f("SRC1_ABS", 61, 61), f("S1", 63, 63)]),
    format("SDWAB", G9.union(G10),  2, "", Span::NONE, &[f("SRC0", 39, 32), f("SDST", 46, 40), f("SD", 47, 47), f("SRC0_SEL", 50, 48), f("SRC0_SEXT", 51, 51), f("SRC0_NEG", 52, 52), f("SRC0_ABS", 53, 53), f("S0", 55, 55), f("SRC1_SEL", 58, 56), f("SRC1_SEXT", 59, 59), f("SRC1_NEG", 60, 60), f("SRC1_ABS", 61, 61), f("S1", 63, 63)]),
];

/// The extra word of a data-parallel form, given for a first part of one word (VOP1, VOP2, VOPC): it follows that word, and
/// behind a VOP3 or VOP3P it lies 32 bits higher.
#[rustfmt::skip]
pub static DPP: &[Format] = &[
    format("DPP",   G89,  2, "", Span::NONE, &[f("SRC0", 39, 32), f("DPP_CTRL", 48, 40), f("BOUND_CTRL", 51, 51), f("SRC0_NEG", 52, 52), f("SRC0_ABS", 53, 53), f("SRC1_NEG", 54, 54), f("SRC1_ABS", 55, 55), f("BANK_MASK", 59, 56), f("ROW_MASK", 63, 60)]),
    format("DPP16", G10P, 2, "", Span::NONE, &[f("SRC0", 39, 32), f("DPP_CTRL", 48, 40), f("FI", 50, 50), f("BOUND_CTRL", 51, 51), f("SRC0_NEG", 52, 52), f("SRC0_ABS", 53, 53), f("SRC1_NEG", 54, 54), f("SRC1_ABS", 55, 55), f("BANK_MASK", 59, 56), f("ROW_MASK", 63, 60)]),
    format("DPP8",  G10P, 2, "", Span::NONE, &[f("SRC0", 39, 32), f("DPP8_SEL", 63, 40)]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_reads_what_was_written_and_nothing_else() {
        for format in FORMATS.iter().chain(SDWA).chain(DPP) {
            for field in format.fields {
                for value in [0, 1, field.span.max() / 2, field.span.max()] {
                    let mut words = [0u32; 5];
                    field.span.set(&mut words, value);
                    assert_eq!(field.span.get(&words), value, "{} {}", format.name, field.name);
                    let mut other = [u32::MAX; 5];
                    field.span.set(&mut other, value);
                    assert_eq!(field.span.get(&other), value, "{} {}", format.name, field.name);
                    let changed: u32 = other.iter().map(|w| w.count_zeros()).sum();
                    assert_eq!(changed, (field.span.max() & !value).count_ones(), "{} {}", format.name, field.name);
                }
            }
        }
    }

    #[test]
    fn fields_lie_inside_their_format_and_off_its_fixed_bits() {
        for format in FORMATS {
            for field in format.fields {
                let mut words = [0u32; 5];
                field.span.set(&mut words, u32::MAX);
                assert_eq!(words[0] & format.mask, 0, "{} {}", format.name, field.name);
                assert!(words[usize::from(format.words)..].iter().all(|w| *w == 0), "{} {}", format.name, field.name);
            }
        }
    }
}
