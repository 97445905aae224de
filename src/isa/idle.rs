//! Which of the fields that an instruction does not use LLVM's disassembler looks past.
//!
//! Of some formats its tables leave such fields open, of others they ask for the value that its assembler writes. Both is taken from what
//! llvm-mc 19 does with each of these fields (`tests/idle_fields.rs`); there is no rule behind it. What executes code looks past all of them
//! ([`Form::idle`](super::form::Form::idle)).

use super::arch::Variants;
use super::format::Format;
use super::row::{Family, Inst};

/// Whose idle fields.
enum Rows {
    Any,
    Of(Family),
    Named(&'static [&'static str]),
}

/// Fields which are looked past where they are idle.
struct Past {
    on: Variants,
    /// The formats of the first words.
    formats: &'static [&'static str],
    /// The format of the extra word of SDWA or DPP, if the fields are of that.
    second: &'static [&'static str],
    rows: Rows,
    /// Their names; `""` for the bits of no field.
    fields: &'static [&'static str],
}

/// Fields of the first words.
const fn first(on: Variants, formats: &'static [&'static str], fields: &'static [&'static str]) -> Past {
    Past { on, formats, second: &[], rows: Rows::Any, fields }
}

/// Fields of the extra word.
const fn second(
    on: Variants,
    formats: &'static [&'static str],
    second: &'static [&'static str],
    fields: &'static [&'static str],
) -> Past {
    Past { second, ..first(on, formats, fields) }
}

const G8: Variants = Variants::G8;
const G9: Variants = Variants::G9;
const VEGA: Variants = Variants::VEGA;
const CDNA2: Variants = Variants::CDNA2;
const G10: Variants = Variants::G10;
const G11: Variants = Variants::G11;
const G12: Variants = Variants::G12;
const G89: Variants = G8.union(G9);
const G8VEGA: Variants = G8.union(VEGA);
const G10P: Variants = G10.union(G11).union(G12);
const ALL: Variants = G89.union(G10P);

#[rustfmt::skip]
static PAST: &[Past] = &[
    first(ALL, &["SOP1"], &["SSRC0", "SDST"]),
    first(G89, &["SOP2"], &["SDST"]),
    first(G89, &["SOPC"], &["SSRC1"]),
    first(ALL, &["SOPK"], &["SDST"]),
    first(ALL, &["SMEM"], &["", "OFFSET", "IOFFSET", "SBASE", "SDATA", "SOFFSET", "SOFFSET_EN", "NV", "SCOPE", "TH"]),
    first(G89.union(G10), &["SMEM"], &["GLC", "DLC"]),
    first(ALL, &["VOP1"], &["SRC0"]),
    first(ALL, &["VOP3", "VOP3_INTERP"], &["OP_SEL"]),
    Past { rows: Rows::Of(Family::Vopc), ..first(G10P, &["VOP3"], &["VDST"]) },
    first(ALL, &["VOP3P"], &["OP_SEL_HI"]),
    first(CDNA2, &["MAI"], &["ACC0", "ACC1", "ACC_CD"]),
    first(G11.union(G12), &["VINTERP"], &[""]),
    first(G11.union(G12), &["LDSDIR", "VDSDIR"], &["ATTR", "ATTRCHAN"]),
    first(ALL, &["DS"], &[""]),
    first(G8VEGA, &["DS"], &["ACC"]),
    first(CDNA2, &["DS"], &["GDS"]),
    first(ALL, &["MUBUF", "VBUFFER"], &["", "OFFSET", "SLC", "SOFFSET", "SRSRC", "VADDR", "VDATA"]),
    first(G8VEGA, &["MTBUF"], &[""]),
    first(ALL, &["MIMG", "VIMAGE", "VSAMPLE"], &[""]),
    first(G8VEGA, &["MIMG"], &["SCC"]),
    first(G8, &["FLAT"], &["TFE"]),
    first(ALL, &["FLAT", "GLOBAL", "SCRATCH"], &["ADDR", "DATA", "VDST"]),
    first(VEGA, &["GLOBAL", "SCRATCH"], &[""]),
    first(G11, &["SCRATCH"], &[""]),
    first(G12, &["VFLAT", "VGLOBAL", "VSCRATCH"], &["VADDR", "VSRC", "VDST", "IOFFSET"]),
    first(G12, &["VSCRATCH"], &[""]),
    first(ALL, &["EXP", "VEXPORT"], &[""]),

    second(ALL, &["VOP1", "VOP2", "VOPC", "VOP3", "VOP3B", "VOP3P"], &["SDWA", "SDWAB", "DPP", "DPP16"], &[""]),
    second(ALL, &["VOP3", "VOP3B", "VOP3P"], &["DPP16"], &["SRC0_ABS", "SRC0_NEG", "SRC1_ABS", "SRC1_NEG"]),
    second(G8, &["VOP1", "VOP2", "VOPC"], &["SDWA"], &["OMOD", "S0", "S1"]),
    second(G8, &["VOPC"], &["SDWA"], &["DST_SEL", "DST_UNUSED"]),
];

/// The bits of a form that are looked past where they are idle.
pub(super) fn looked_past(on: Variants, row: &Inst, format: &Format, extra: Option<&Format>) -> [u32; 5] {
    let mut bits = [0; 5];
    let concerns = |past: &&Past| {
        let row = match past.rows {
            Rows::Any => true,
            Rows::Of(family) => row.family == family,
            Rows::Named(names) => names.contains(&row.name),
        };
        row && past.on.contains(on) && past.formats.contains(&format.name)
    };
    for past in PAST.iter().filter(concerns) {
        let (format, shift) = match extra {
            _ if past.second.is_empty() => (format, 0),
            Some(extra) if past.second.contains(&extra.name) => (extra, 32 * (format.words - 1)),
            _ => continue,
        };
        for name in past.fields {
            match format.field(name) {
                Some(span) => span.moved(shift).set(&mut bits, u32::MAX),
                None if name.is_empty() => rest(format, shift, &mut bits),
                None => {}
            }
        }
    }
    bits
}

/// Sets the bits of the words of a format that belong to no field.
fn rest(format: &Format, shift: u8, bits: &mut [u32; 5]) {
    let mut named = [0; 5];
    named[usize::from(shift / 32)] = format.mask;
    for span in format.fields.iter().map(|field| field.span).chain([format.op]) {
        span.moved(shift).set(&mut named, u32::MAX);
    }
    // The word of SDWA or DPP is the second one of its format, which has no first.
    for word in u8::from(format.mask == 0)..format.words {
        let at = usize::from(word + shift / 32);
        bits[at] |= !named[at];
    }
}
