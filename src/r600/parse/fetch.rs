//! Fetches of vertices and texels.

use super::{Named, choice, loop_index, number, register, selects, unknown};
use crate::isa::format::Span;
use crate::isa::r600::does::Does;
use crate::isa::r600::fetch::{DATA_FORMATS, FETCH_TYPES, NUM_FORMATS, SWAPS};
use crate::isa::r600::format::{SEMANTIC_ID, tex, vtx};
use crate::isa::r600::{Class, Machine};
use crate::r600::print::{COORD_TYPES, DST_SELECTS, OFFSETS, SRC_SELECTS};
use crate::r600::program::Inst;
use crate::r600::text::{Line, Modifier, Parsed, fault, integer, meant, set};

/// A fetch, behind its name, which begins at `start`.
pub(in crate::r600) fn fetch(
    machine: Machine,
    line: &mut Line<'_>,
    start: usize,
    (class, code, row): Named,
) -> Parsed<[u32; 4]> {
    let mut words = [0; 4];
    set(&mut words, tex::TEX_INST, code, line.since(start))?;
    let format = Inst::fetch(machine, words).format();
    let semantic = matches!(row.map(|row| row.does), Some(Does::VertexFetch { semantic: true }));
    let at = line.here();
    if semantic {
        let word = line.word();
        let id = word.get(..3).filter(|head| head.eq_ignore_ascii_case("SEM")).and_then(|_| integer(&word[3..]));
        let Some(id) = id else { return fault(line.since(at), "expected a semantic, as SEM0") };
        set(&mut words, SEMANTIC_ID, id, line.since(at))?;
    } else {
        let (gpr, index) = register(line)?;
        tex::DST_GPR.set(&mut words, gpr);
        loop_index(index, &mut words, tex::DST_REL, line.since(at))?;
    }
    for (field, select) in DST_SELECTS.into_iter().zip(selects(line, 4)?) {
        field.set(&mut words, select);
    }
    line.expect(b',')?;
    let at = line.here();
    let (gpr, index) = register(line)?;
    tex::SRC_GPR.set(&mut words, gpr);
    loop_index(index, &mut words, tex::SRC_REL, line.since(at))?;
    if class == Class::Vtx {
        let select = selects(line, 1)?[0];
        set(&mut words, vtx::SRC_SEL_X, select, line.since(at))?;
        line.expect(b',')?;
        prefixed(line, &mut words, "fc", vtx::BUFFER_ID)?;
    } else {
        for (field, select) in SRC_SELECTS.into_iter().zip(selects(line, 4)?) {
            field.set(&mut words, select);
        }
        line.expect(b',')?;
        prefixed(line, &mut words, "t", tex::RESOURCE_ID)?;
        line.expect(b',')?;
        prefixed(line, &mut words, "s", tex::SAMPLER_ID)?;
        for field in COORD_TYPES {
            field.set(&mut words, 1);
        }
    }
    while let Some(Modifier { start, word, upper, call }) = line.modifier(format, &mut words)? {
        match (upper.as_str(), class, call) {
            ("WHOLE_QUAD", _, false) => tex::FETCH_WHOLE_QUAD.set(&mut words, 1),
            ("UNNORM", Class::Tex, true) => {
                let at = line.here();
                for letter in line.word().bytes() {
                    match b"xyzw".iter().position(|known| *known == letter.to_ascii_lowercase()) {
                        Some(n) => COORD_TYPES[n].set(&mut words, 0),
                        None => return fault(line.since(at), "expected some of x, y, z and w"),
                    }
                }
            }
            ("LOD_BIAS", Class::Tex, true) => signed(line, &mut words, tex::LOD_BIAS)?,
            ("OFFSET", Class::Tex, true) => {
                for (n, field) in OFFSETS.into_iter().enumerate() {
                    if n > 0 {
                        line.expect(b',')?;
                    }
                    signed(line, &mut words, field)?;
                }
            }
            ("BC_FRAC_MODE", Class::Tex, false) => tex::BC_FRAC_MODE.set(&mut words, 1),
            ("INSTANCE", Class::Vtx, false) => vtx::FETCH_TYPE.set(&mut words, 1),
            ("NO_INDEX_OFFSET", Class::Vtx, false) => vtx::FETCH_TYPE.set(&mut words, 2),
            ("FETCH_TYPE", Class::Vtx, true) => {
                choice(line, &mut words, vtx::FETCH_TYPE, &FETCH_TYPES, "type of fetch")?
            }
            // A name first: some are digits, as codes are.
            ("FORMAT", Class::Vtx, true) => {
                let at = line.here();
                let name = line.word();
                let named = DATA_FORMATS.iter().position(|known| !known.is_empty() && known.eq_ignore_ascii_case(name));
                match named.map(|n| n as u32).or_else(|| integer(name)) {
                    Some(code) => set(&mut words, vtx::DATA_FORMAT, code, line.since(at))?,
                    None => {
                        let hint = meant(name, DATA_FORMATS.iter().copied().filter(|known| !known.is_empty()));
                        return fault(line.since(at), format!("`{name}` is no format of vertex data{hint}"));
                    }
                }
            }
            ("NUM_FORMAT", Class::Vtx, true) => {
                choice(line, &mut words, vtx::NUM_FORMAT_ALL, &NUM_FORMATS, "format of numbers")?
            }
            ("SIGNED", Class::Vtx, false) => vtx::FORMAT_COMP_ALL.set(&mut words, 1),
            ("SRF_NO_ZERO", Class::Vtx, false) => vtx::SRF_MODE_ALL.set(&mut words, 1),
            ("USE_CONST_FIELDS", Class::Vtx, false) => vtx::USE_CONST_FIELDS.set(&mut words, 1),
            ("MEGA", Class::Vtx, true) => {
                vtx::MEGA_FETCH.set(&mut words, 1);
                number(line, &mut words, vtx::MEGA_FETCH_COUNT, 0)?;
            }
            ("OFFSET", Class::Vtx, true) => number(line, &mut words, vtx::OFFSET, 0)?,
            ("ENDIAN_SWAP", Class::Vtx, true) => choice(line, &mut words, vtx::ENDIAN_SWAP, &SWAPS, "swap")?,
            ("NO_STRIDE", Class::Vtx, false) => vtx::CONST_BUF_NO_STRIDE.set(&mut words, 1),
            _ => return unknown(line, start, word, FETCH_WORDS),
        }
        if call {
            line.expect(b')')?;
        }
    }
    Ok(words)
}

const FETCH_WORDS: &[&str] = &[
    "WHOLE_QUAD",
    "UNNORM",
    "LOD_BIAS",
    "OFFSET",
    "BC_FRAC_MODE",
    "INSTANCE",
    "NO_INDEX_OFFSET",
    "FETCH_TYPE",
    "FORMAT",
    "NUM_FORMAT",
    "SIGNED",
    "SRF_NO_ZERO",
    "USE_CONST_FIELDS",
    "MEGA",
    "ENDIAN_SWAP",
    "NO_STRIDE",
];

/// `t18`: a number behind a prefix.
fn prefixed(line: &mut Line<'_>, words: &mut [u32], prefix: &str, field: Span) -> Parsed<()> {
    let at = line.here();
    let word = line.word();
    let number = word
        .get(..prefix.len())
        .filter(|head| head.eq_ignore_ascii_case(prefix))
        .and_then(|_| integer(&word[prefix.len()..]));
    match number {
        Some(number) => set(words, field, number, line.since(at)),
        None => fault(line.since(at), format!("expected `{prefix}` and a number, found `{word}`")),
    }
}

/// A signed number of a field.
fn signed(line: &mut Line<'_>, words: &mut [u32], field: Span) -> Parsed<()> {
    let at = line.here();
    let value = line.signed()?;
    let half = 1i64 << (field.bits() - 1);
    if !(-half..half).contains(&value) {
        return fault(line.since(at), format!("{value} does not fit: {} to {} do", -half, half - 1));
    }
    field.set(words, value as u32);
    Ok(())
}
