//! Which of the fields that an instruction does not use LLVM's disassembler looks past.
//!
//! Of some formats its tables leave such fields open, of others they ask for the value that its assembler writes. Both is taken from what
//! llvm-mc 19 does with each of these fields (`tests/idle_fields.rs`); there is no rule behind it. What executes code looks past all of them
//! ([`Form::idle`](super::form::Form::idle)).

use super::arch::Variants;
use super::format::Format;
use super::row::{Family, Inst, Traits};

/// Whose idle fields.
enum Rows {
    Any,
    Of(Family),
    /// Those whose names contain one of these.
    Like(&'static [&'static str]),
    /// Of these, those with halves to select.
    Halves(&'static [&'static str]),
    /// All but those.
    But(&'static [&'static str]),
}

/// Fields which are looked past where they are idle.
struct Past {
    on: Variants,
    /// The formats of the first words.
    formats: &'static [&'static str],
    /// Whether the fields are those of the extra word of SDWA or DPP, in one of these formats; with none of them, those of the first words of
    /// an instruction that has no such word.
    second: Option<&'static [&'static str]>,
    rows: Rows,
    /// Their names; `""` for the bits of no field.
    fields: &'static [&'static str],
}

/// Fields of the first words.
const fn first(on: Variants, formats: &'static [&'static str], fields: &'static [&'static str]) -> Past {
    Past { on, formats, second: None, rows: Rows::Any, fields }
}

/// Fields of instructions without an extra word.
const fn plain(on: Variants, formats: &'static [&'static str], fields: &'static [&'static str]) -> Past {
    Past { second: Some(&[]), ..first(on, formats, fields) }
}

/// Fields of the extra word.
const fn second(
    on: Variants,
    formats: &'static [&'static str],
    second: &'static [&'static str],
    fields: &'static [&'static str],
) -> Past {
    Past { second: Some(second), ..first(on, formats, fields) }
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

const SIGNS: &[&str] = &["SRC0_ABS", "SRC0_NEG", "SRC1_ABS", "SRC1_NEG"];
/// 16-bit integers with halves to select.
const INTEGERS: &[&str] = &[
    "v_mad_u16",
    "v_mad_i16",
    "v_mad_u32_u16",
    "v_mad_i32_i16",
    "v_min3_i16",
    "v_min3_u16",
    "v_max3_i16",
    "v_max3_u16",
    "v_med3_i16",
    "v_med3_u16",
];
/// Bytes to select, in bits of OP_SEL.
const BYTES: &[&str] = &["v_cvt_f32_fp8", "v_cvt_f32_bf8", "v_cvt_sr_fp8", "v_cvt_sr_bf8"];
/// Data share instructions without data in registers.
const ALONE: &[&str] = &["_src2_", "ds_gws_sema_v", "ds_gws_sema_p", "ds_gws_sema_release_all", "ds_nop"];
/// Dot products that accumulate integers.
const DOTS: &[&str] = &["v_dot2c_i32", "v_dot4c_i32", "v_dot8c_i32"];

#[rustfmt::skip]
static PAST: &[Past] = &[
    first(ALL, &["SOP1"], &["SSRC0", "SDST"]),
    first(G89, &["SOP2"], &["SDST"]),
    first(ALL, &["SOPK"], &["SDST"]),
    first(ALL, &["SMEM"], &["", "OFFSET", "IOFFSET", "SBASE", "SDATA", "SOFFSET", "SOFFSET_EN", "NV", "SCOPE", "TH"]),
    first(G89.union(G10), &["SMEM"], &["GLC", "DLC"]),
    first(ALL, &["VOP1"], &["SRC0"]),
    first(G89.union(G10).union(G11), &["VOP3", "VOP3_INTERP"], &["OP_SEL"]),
    Past { rows: Rows::But(BYTES), ..first(G12, &["VOP3"], &["OP_SEL"]) },
    Past { rows: Rows::Like(&["v_cvt_pk_u8_f32"]), ..first(ALL, &["VOP3"], &["ABS"]) },
    Past { rows: Rows::Halves(INTEGERS), ..first(G9.union(G10P), &["VOP3"], &["ABS"]) },
    Past { rows: Rows::Halves(INTEGERS), ..plain(G9.union(G10P), &["VOP3"], &["NEG"]) },
    Past { rows: Rows::Like(&["v_permlane16_b32", "v_permlanex16_b32"]), ..first(G10P, &["VOP3"], &["ABS", "NEG"]) },
    Past { rows: Rows::Like(&["v_cvt_sr_fp8", "v_cvt_sr_bf8"]), ..first(CDNA2, &["VOP3"], &["ABS", "NEG"]) },
    Past { rows: Rows::Of(Family::Vopc), ..first(G10P, &["VOP3"], &["VDST"]) },
    first(G9.union(G10).union(G11), &["VOP3P"], &["OP_SEL_HI"]),
    Past { rows: Rows::But(&["v_wmma_", "v_swmmac_", "v_dot4_f32_"]), ..first(G12, &["VOP3P"], &["OP_SEL_HI"]) },
    first(CDNA2, &["MAI"], &["ACC0", "ACC1", "ACC_CD"]),
    first(G11.union(G12), &["VINTERP"], &[""]),
    first(G11.union(G12), &["LDSDIR", "VDSDIR"], &["ATTR", "ATTRCHAN"]),
    first(ALL, &["DS"], &[""]),
    Past { rows: Rows::But(ALONE), ..first(G8VEGA, &["DS"], &["ACC"]) },
    Past { rows: Rows::But(&["ds_nop", "ds_permute_b32", "ds_bpermute_b32"]), ..first(CDNA2, &["DS"], &["GDS"]) },
    Past { rows: Rows::But(&["buffer_wbinvl1"]), ..first(G8VEGA, &["MUBUF"], &[""]) },
    Past { rows: Rows::Like(&["buffer_wbl2"]), ..first(Variants::G90A, &["MUBUF"], &["GLC", "SCC"]) },
    first(CDNA2.union(G10P), &["MUBUF", "VBUFFER"], &[""]),
    first(ALL, &["MUBUF", "VBUFFER"], &["OFFSET", "SLC", "SOFFSET", "SRSRC", "VADDR", "VDATA"]),
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
    second(ALL, &["VOP3", "VOP3B", "VOP3P"], &["DPP16"], SIGNS),
    Past { rows: Rows::Like(DOTS), ..second(ALL, &["VOP2"], &["DPP", "DPP16"], SIGNS) },
    Past { rows: Rows::Like(&["v_ldexp_f16"]), ..second(ALL, &["VOP2"], &["DPP", "DPP16"], &["SRC1_ABS"]) },
    Past { rows: Rows::Like(&["v_mov_b16"]), ..second(G10P, &["VOP1"], &["DPP16"], &["SRC0_ABS"]) },
    second(G10, &["VOPC"], &["SDWAB"], &["SDST"]),
    second(G8, &["VOP1", "VOP2", "VOPC"], &["SDWA"], &["OMOD", "S0", "S1"]),
    second(G8, &["VOPC"], &["SDWA"], &["DST_SEL", "DST_UNUSED"]),
];

/// The bits of a form that are looked past where they are idle.
pub(super) fn looked_past(on: Variants, row: &Inst, format: &Format, extra: Option<&Format>) -> [u32; 5] {
    let mut bits = [0; 5];
    let concerns = |past: &&Past| match past.rows {
        Rows::Any => true,
        Rows::Of(family) => row.family == family,
        Rows::Like(names) => names.iter().any(|name| row.name.contains(name)),
        Rows::Halves(names) => row.traits.contains(Traits::OP_SEL) && names.contains(&row.name),
        Rows::But(names) => !names.iter().any(|name| row.name.contains(name)),
    };
    // Names of rows last: to search them takes longest, and this is asked for every form.
    let here = PAST.iter().filter(|past| past.on.contains(on) && past.formats.contains(&format.name));
    for past in here.filter(concerns) {
        let (format, shift) = match (past.second, extra) {
            (None, _) | (Some([]), None) => (format, 0),
            (Some(names), Some(extra)) if names.contains(&extra.name) => (extra, 32 * (format.words - 1)),
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
