//! Text of single instructions to words: what [`print`](super::print) prints, read back.

use super::print::{
    CONDITIONS, COORD_TYPES, DST_SELECTS, EXPORT_SELECTS, EXPORT_TYPES, KCACHES, OFFSETS, SCALAR_SWIZZLES, SELECTS,
    SRC_SELECTS, STORE_TYPES, TEMPORARIES, UNKNOWN, VECTOR_SWIZZLES,
};
use super::program::{Inst, SOURCES, Slot, sel};
use super::text::{Line, Modifier, Parsed, fault, integer, meant, set};
use crate::isa::format::Span;
use crate::isa::r600::does::Does;
use crate::isa::r600::fetch::{DATA_FORMATS, FETCH_TYPES, NUM_FORMATS, SWAPS};
use crate::isa::r600::format::{SEMANTIC_ID, alu_op2, alu_op2_r700, alu_op3, cf, cf_alu, cf_r700};
use crate::isa::r600::format::{export_buf, export_swiz, tex, vtx};
use crate::isa::r600::{Chip, Class, Machine, Place, Row, Units};
use std::ops::Range;

/// The class and opcode that a name means, and its row if there is one.
fn find(machine: Machine, place: Place, name: &str) -> Option<(Class, u32, Option<&'static Row>)> {
    if let Some(row) = machine.named(place, name) {
        return Some((row.class, row.code(machine)?, Some(row)));
    }
    UNKNOWN.iter().filter(|(class, _)| class.place() == place).find_map(|(class, prefix)| {
        let head = name.get(..prefix.len()).filter(|head| head.eq_ignore_ascii_case(prefix))?;
        let code = integer(&name[head.len()..])?;
        Some((*class, code, machine.row(*class, code)))
    })
}

/// Whether a name is one of an instruction that stands in this place.
pub(super) fn is_name(machine: Machine, place: Place, name: &str) -> bool {
    find(machine, place, name).is_some()
}

/// The instruction that a name means, or what it may have meant.
fn lookup(machine: Machine, place: Place, line: &mut Line<'_>) -> Parsed<(Class, u32, Option<&'static Row>)> {
    let start = line.here();
    let name = line.word();
    match find(machine, place, name) {
        Some(found) => Ok(found),
        None => {
            let what = match place {
                Place::Flow => "control-flow instruction",
                Place::Alu => "ALU instruction",
                Place::Fetch => "fetch",
            };
            let hint = meant(name, machine.names(place));
            fault(line.since(start), format!("`{name}` is no {what} of {}{hint}", machine.name()))
        }
    }
}

/// A control-flow instruction as it was read.
#[derive(Debug)]
pub(super) struct FlowText {
    pub inst: Inst<2>,
    /// Whether ADDR was given.
    pub addressed: bool,
    /// The label in ADDR, and where it stands.
    pub label: Option<(String, Range<usize>)>,
    /// CNT, and where it stands.
    pub count: Option<(u32, Range<usize>)>,
}

/// The kinds of modifiers of control flow: in which classes a word or a call is known.
pub(super) fn flow(machine: Machine, line: &mut Line<'_>) -> Parsed<FlowText> {
    let (class, code, row) = lookup(machine, Place::Flow, line)?;
    let mut words = [0; 2];
    let code_field = if class == Class::CfAlu { cf_alu::CF_INST } else { cf::CF_INST };
    let start = line.here();
    set(&mut words, code_field, code, start..start + 1)?;
    cf::BARRIER.set(&mut words, 1);
    let inst = Inst::flow(machine, words);
    if (inst.class, inst.row) != (class, row) {
        return fault(start..start + 1, "this opcode is not of this class");
    }
    line.eat(b':');
    if class == Class::Export {
        export(line, inst.stores(), &mut words)?;
    }
    let format = inst.format(machine);
    let mut text = FlowText { inst, addressed: false, label: None, count: None };
    while let Some(Modifier { start, word, upper, call }) = line.modifier(format, &mut words)? {
        match (upper.as_str(), class, call) {
            ("ADDR", Class::Cf | Class::CfAlu, true) => {
                text.addressed = true;
                let at = line.here();
                if line.peek().is_ascii_digit() {
                    let field = if class == Class::CfAlu { cf_alu::ADDR } else { cf::ADDR };
                    let value = line.integer()?;
                    set(&mut words, field, value, line.since(at))?;
                } else {
                    let name = line.word();
                    if name.is_empty() {
                        return fault(at..at + 1, "expected a place or a label");
                    }
                    text.label = Some((name.to_owned(), line.since(at)));
                }
            }
            ("CNT", Class::Cf | Class::CfAlu, true) => {
                let at = line.here();
                text.count = Some((line.integer()?, line.since(at)));
            }
            ("POP_CNT", Class::Cf, true) => number(line, &mut words, cf::POP_COUNT, 0)?,
            ("CF_CONST", Class::Cf, true) => number(line, &mut words, cf::CF_CONST, 0)?,
            ("CALL_CNT", Class::Cf, true) => number(line, &mut words, cf::CALL_COUNT, 0)?,
            ("COND", Class::Cf, true) => choice(line, &mut words, cf::COND, &CONDITIONS, "condition")?,
            ("KCACHE0", Class::CfAlu, true) => kcache(line, &mut words, 0)?,
            ("KCACHE1", Class::CfAlu, true) => kcache(line, &mut words, 1)?,
            ("WATERFALL", Class::CfAlu, false) => cf_alu::USES_WATERFALL.set(&mut words, 1),
            ("ARRAY_SIZE", Class::Export, true) if inst.stores() => {
                number(line, &mut words, export_buf::ARRAY_SIZE, 1)?
            }
            ("BURST", Class::Export, true) => number(line, &mut words, export_swiz::BURST_COUNT, 1)?,
            ("ELEM_SIZE", Class::Export, true) => number(line, &mut words, export_swiz::ELEM_SIZE, 0)?,
            ("ELEM_LOOP", Class::Export, false) => export_swiz::ELEM_LOOP.set(&mut words, 1),
            ("VALID_PIX", Class::Cf | Class::Export, false) => cf::VALID_PIXEL_MODE.set(&mut words, 1),
            ("EOP" | "END_OF_PROGRAM", Class::Cf | Class::Export, false) => cf::END_OF_PROGRAM.set(&mut words, 1),
            ("EOP" | "END_OF_PROGRAM", ..) => {
                return fault(line.since(start), "an ALU clause has no bit for it; put NOP EOP behind it");
            }
            ("WHOLE_QUAD", _, false) => cf::WHOLE_QUAD_MODE.set(&mut words, 1),
            ("NO_BARRIER", _, false) => cf::BARRIER.set(&mut words, 0),
            _ => return unknown(line, start, word, FLOW_WORDS),
        }
        if call {
            line.expect(b')')?;
        }
    }
    if let Some((count, span)) = &text.count {
        set_count(machine, class, &mut words, *count, span.clone())?;
    }
    text.inst = Inst::flow(machine, words);
    Ok(text)
}

const FLOW_WORDS: &[&str] = &[
    "ADDR",
    "CNT",
    "POP_CNT",
    "CF_CONST",
    "CALL_CNT",
    "COND",
    "KCACHE0",
    "KCACHE1",
    "WATERFALL",
    "ARRAY_SIZE",
    "BURST",
    "ELEM_SIZE",
    "ELEM_LOOP",
    "VALID_PIX",
    "EOP",
    "WHOLE_QUAD",
    "NO_BARRIER",
];

/// Something that is no modifier.
fn unknown<T>(line: &mut Line<'_>, start: usize, word: &str, words: &[&str]) -> Parsed<T> {
    if word.is_empty() {
        return fault(start..start + 1, "expected a modifier");
    }
    let hint = meant(word, words.iter().copied());
    line.set_pos(start + word.len());
    fault(start..start + word.len(), format!("`{word}` is no modifier here{hint}"))
}

/// Writes how many slots or fetches a clause has.
pub(super) fn set_count(
    machine: Machine,
    class: Class,
    words: &mut [u32; 2],
    count: u32,
    span: Range<usize>,
) -> Parsed<()> {
    let most = match (class, machine.chip) {
        (Class::CfAlu, _) => 128,
        (_, Chip::R600) => 8,
        (_, Chip::R700) => 16,
    };
    if count == 0 || count > most {
        let what = if class == Class::CfAlu { "slots" } else { "fetches" };
        return fault(span, format!("a clause has 1 to {most} {what} on {}, not {count}", machine.name()));
    }
    match (class, machine.chip) {
        (Class::CfAlu, _) => cf_alu::COUNT.set(words, count - 1),
        (_, chip) => {
            cf::COUNT.set(words, (count - 1) & 7);
            if chip == Chip::R700 {
                cf_r700::COUNT_3.set(words, (count - 1) >> 3);
            }
        }
    }
    Ok(())
}

/// A number, stored less `minus`.
fn number(line: &mut Line<'_>, words: &mut [u32], field: Span, minus: u32) -> Parsed<()> {
    let at = line.here();
    let value = line.integer()?;
    let span = line.since(at);
    match value.checked_sub(minus) {
        Some(stored) if stored <= field.max() => field.set(words, stored),
        _ => return fault(span, format!("{value} does not fit: {minus} to {} do", field.max() + minus)),
    }
    Ok(())
}

fn choice(line: &mut Line<'_>, words: &mut [u32], field: Span, names: &[&str], what: &str) -> Parsed<()> {
    let at = line.here();
    let value = line.choice(names, what)?;
    set(words, field, value, line.since(at))
}

/// `CB1:16-31`, `CB1:16-47`, `CB1:16-47+aL`
fn kcache(line: &mut Line<'_>, words: &mut [u32], n: usize) -> Parsed<()> {
    let [mode, bank, lock] = KCACHES[n];
    let start = line.here();
    let name = line.word();
    let digits = name.get(..2).filter(|head| head.eq_ignore_ascii_case("CB")).and_then(|_| integer(&name[2..]));
    let Some(number) = digits else {
        return fault(line.since(start), "expected a constant buffer and its constants, as CB0:0-15");
    };
    set(words, bank, number, line.since(start))?;
    line.expect(b':')?;
    let at = line.here();
    let first = line.integer()?;
    line.expect(b'-')?;
    let last = line.integer()?;
    let span = line.since(at);
    let count = u64::from(last) + 1;
    let lines = count.checked_sub(u64::from(first)).filter(|_| first % 16 == 0);
    let lines = match lines {
        Some(16) => 1,
        Some(32) => 2,
        _ => return fault(span, "a lock covers 16 or 32 constants, from a multiple of 16 on"),
    };
    set(words, lock, first / 16, span.clone())?;
    let indexed = line.eat(b'+');
    if indexed {
        let at = line.here();
        if line.index()? != 4 || lines != 2 {
            return fault(line.since(at), "only 32 constants and only aL go together");
        }
    }
    mode.set(words, if indexed { 3 } else { lines });
    Ok(())
}

/// What exports and stores have instead of an address.
fn export(line: &mut Line<'_>, stores: bool, words: &mut [u32]) -> Parsed<()> {
    let start = line.here();
    let word = line.word();
    if stores {
        let Some(kind) = STORE_TYPES.iter().position(|name| name.eq_ignore_ascii_case(word)) else {
            return fault(line.since(start), format!("`{word}` is none of WRITE, WRITE_IND, READ, READ_IND"));
        };
        export_swiz::TYPE.set(words, kind as u32);
        line.expect(b'[')?;
        number(line, words, export_swiz::ARRAY_BASE, 0)?;
        if kind & 1 != 0 {
            line.expect(b'+')?;
            let (gpr, _) = register(line)?;
            export_swiz::INDEX_GPR.set(words, gpr);
            line.expect(b'.')?;
            if !line.word().eq_ignore_ascii_case("x") {
                return fault(line.since(start), "the index is element x of its register");
            }
        }
        line.expect(b']')?;
    } else {
        let kind = EXPORT_TYPES
            .iter()
            .position(|name| word.get(..name.len()).is_some_and(|head| head.eq_ignore_ascii_case(name)));
        let base = kind.and_then(|kind| integer(&word[EXPORT_TYPES[kind].len()..]));
        let (Some(kind), Some(base)) = (kind, base) else {
            return fault(
                line.since(start),
                format!("`{word}` is no target; there are PIX0, POS60, PARAM0 and the like"),
            );
        };
        export_swiz::TYPE.set(words, kind as u32);
        set(words, export_swiz::ARRAY_BASE, base, line.since(start))?;
    }
    line.expect(b',')?;
    let at = line.here();
    let (gpr, index) = register(line)?;
    export_swiz::RW_GPR.set(words, gpr);
    loop_index(index, words, export_swiz::RW_REL, line.since(at))?;
    let selects = selects(line, 4)?;
    if stores {
        let mask = selects.iter().enumerate().fold(0, |mask, (n, select)| mask | u32::from(*select == n as u32) << n);
        if selects.iter().enumerate().any(|(n, select)| *select != n as u32 && *select != 7) {
            return fault(line.since(at), "elements of memory stand in their order: xyzw, with _ for those left out");
        }
        export_buf::COMP_MASK.set(words, mask);
    } else {
        for (field, select) in EXPORT_SELECTS.into_iter().zip(selects) {
            field.set(words, select);
        }
    }
    Ok(())
}

/// An index that must be aL, as the bit that says so.
fn loop_index(index: Option<u32>, words: &mut [u32], field: Span, span: Range<usize>) -> Parsed<()> {
    match index {
        None => Ok(()),
        Some(4) => {
            field.set(words, 1);
            Ok(())
        }
        Some(_) => fault(span, "outside of ALU clauses the index is aL"),
    }
}

/// `.xy01`: four selects, or the first `count` of them.
fn selects(line: &mut Line<'_>, count: usize) -> Parsed<[u32; 4]> {
    line.expect(b'.')?;
    let start = line.here();
    let mut selects = [0; 4];
    for select in selects.iter_mut().take(count) {
        let letter = line.ahead(0).to_ascii_lowercase();
        let Some(found) = SELECTS.iter().position(|known| *known == letter) else {
            return fault(line.since(start), format!("expected {count} of x, y, z, w, 0, 1 and _"));
        };
        *select = found as u32;
        line.bump(1);
    }
    Ok(selects)
}

/// `R5`, `T1`, `R[5+aL]`: the number, and the index.
fn register(line: &mut Line<'_>) -> Parsed<(u32, Option<u32>)> {
    let start = line.here();
    let word = line.word();
    register_of(line, start, word)
}

fn register_of(line: &mut Line<'_>, start: usize, word: &str) -> Parsed<(u32, Option<u32>)> {
    let (number, index) = match word.as_bytes() {
        [b'R' | b'r'] if line.ahead(0) == b'[' => line.bracket()?,
        [b'R' | b'r', ..] if let Some(number) = integer(&word[1..]) => (number, None),
        [b'T' | b't', ..] if let Some(number) = integer(&word[1..]).filter(|number| *number < 4) => {
            (TEMPORARIES + number, None)
        }
        _ => return fault(line.since(start), format!("`{word}` is no register; there are R0 to R127, and T0 to T3")),
    };
    if number > 127 {
        return fault(line.since(start), "registers are R0 to R127");
    }
    Ok((number, index))
}

/// A fetch.
pub(super) fn fetch(machine: Machine, line: &mut Line<'_>) -> Parsed<[u32; 4]> {
    let start = line.here();
    let (class, code, row) = lookup(machine, Place::Fetch, line)?;
    let mut words = [0; 4];
    set(&mut words, tex::TEX_INST, code, line.since(start))?;
    let format = Inst::fetch(machine, words).format();
    let semantic = matches!(row.map(|row| row.does), Some(Does::VertexFetch { semantic: true }));
    let at = line.here();
    let word = line.word();
    if semantic {
        let id = word.get(..3).filter(|head| head.eq_ignore_ascii_case("SEM")).and_then(|_| integer(&word[3..]));
        let Some(id) = id else { return fault(line.since(at), "expected a semantic, as SEM0") };
        set(&mut words, SEMANTIC_ID, id, line.since(at))?;
    } else {
        let (gpr, index) = register_of(line, at, word)?;
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

/// A literal that an ALU instruction reads.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Literal {
    /// Which source.
    pub source: usize,
    /// The value; nothing where the text leaves it to the words behind the group.
    pub value: Option<u32>,
    /// Which of the four literals; nothing where any will do.
    pub elem: Option<u32>,
    /// Where it stands.
    pub span: Range<usize>,
}

/// An ALU instruction as it was read.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AluText {
    pub inst: Inst<2>,
    /// The letter before it.
    pub slot: Option<Slot>,
    /// Its literals.
    pub literals: Vec<Literal>,
    /// The group does not end with it, though nothing follows.
    pub open: bool,
    /// Whether a bank swizzle was given.
    pub swizzled: bool,
    /// What is strange.
    pub warning: Option<(Range<usize>, String)>,
}

/// `x: MUL R0.x, R1.x, R2.x`
pub(super) fn alu(machine: Machine, line: &mut Line<'_>) -> Parsed<AluText> {
    let start = line.here();
    let slot = match line.peek().to_ascii_lowercase() {
        letter @ (b'x' | b'y' | b'z' | b'w' | b't') => Slot::ALL.into_iter().find(|slot| slot.letter() as u8 == letter),
        b'?' => None,
        _ => return fault(start..start + 1, "expected a slot: x, y, z, w or t"),
    };
    line.bump(1);
    line.expect(b':')?;
    let name_at = line.here();
    let (class, code, row) = lookup(machine, Place::Alu, line)?;
    let name_span = line.since(name_at);
    let three = class == Class::Op3;
    let (code_field, scale) = match (three, machine.chip) {
        (true, _) => (alu_op3::ALU_INST, None),
        (false, Chip::R600) => (alu_op2::ALU_INST, Some(alu_op2::OMOD)),
        (false, Chip::R700) => (alu_op2_r700::ALU_INST, Some(alu_op2_r700::OMOD)),
    };
    let mut words = [0; 2];
    set(&mut words, code_field, code, name_span.clone())?;
    let format = {
        let inst = Inst::alu(machine, words);
        if (inst.class, inst.row) != (class, row) {
            return fault(name_span, "this opcode is not of this class");
        }
        inst.format(machine)
    };
    let scaled = match (line.ahead(0), line.ahead(1)) {
        (b'*', b'2') => 1,
        (b'*', b'4') => 2,
        (b'/', b'2') => 3,
        _ => 0,
    };
    if scaled != 0 {
        line.bump(2);
        match scale {
            Some(field) => field.set(&mut words, scaled),
            None => return fault(line.since(name_at), "an instruction with three sources has no output modifier"),
        }
    }
    let mut text = AluText {
        inst: Inst::alu(machine, words),
        slot,
        literals: Vec::new(),
        open: false,
        swizzled: false,
        warning: None,
    };
    let mut index = None;
    destination(line, three, slot, &mut words, &mut index)?;
    let sources = row.map_or(if three { 3 } else { 2 }, |row| usize::from(row.sources));
    for n in 0..sources {
        line.expect(b',')?;
        source(line, n, three, &mut words, &mut index, &mut text)?;
    }
    while let Some(Modifier { start, word, upper, call }) = line.modifier(format, &mut words)? {
        match (upper.as_str(), call) {
            ("CLAMP", false) => alu_op2::CLAMP.set(&mut words, 1),
            ("LAST", false) => alu_op2::LAST.set(&mut words, 1),
            ("CONT", false) => text.open = true,
            ("PRED_ZERO", false) => alu_op2::PRED_SEL.set(&mut words, 2),
            ("PRED_ONE", false) => alu_op2::PRED_SEL.set(&mut words, 3),
            ("PRED_SEL", true) => number(line, &mut words, alu_op2::PRED_SEL, 0)?,
            ("UPDATE_EXEC_MASK", false) if !three => alu_op2::UPDATE_EXECUTE_MASK.set(&mut words, 1),
            ("UPDATE_PRED", false) if !three => alu_op2::UPDATE_PRED.set(&mut words, 1),
            ("BANK_SWIZZLE", true) => {
                text.swizzled = true;
                number(line, &mut words, alu_op2::BANK_SWIZZLE, 0)?;
            }
            (name, false) => {
                let vector = VECTOR_SWIZZLES.iter().position(|known| *known == name);
                let scalar = SCALAR_SWIZZLES.iter().position(|known| *known == name);
                let Some(swizzle) = vector.or(scalar) else { return unknown(line, start, word, ALU_WORDS) };
                if slot.is_some_and(|slot| (slot == Slot::T) != scalar.is_some()) {
                    let message =
                        format!("{name} is a swizzle of {}", if scalar.is_some() { "slot t" } else { "vector slots" });
                    text.warning = Some((line.since(start), message));
                }
                text.swizzled = true;
                alu_op2::BANK_SWIZZLE.set(&mut words, swizzle as u32);
            }
            _ => return unknown(line, start, word, ALU_WORDS),
        }
        if call {
            line.expect(b')')?;
        }
    }
    if let Some(row) = row {
        let units = row.units(machine.chip);
        let wrong = match (units, slot) {
            (Units::Trans, Some(Slot::X | Slot::Y | Slot::Z | Slot::W)) => Some("only slot t can do it"),
            (Units::Vector | Units::Reduction, Some(Slot::T)) => Some("slot t can not do it"),
            _ => None,
        };
        if let Some(wrong) = wrong {
            return fault(name_span, format!("{} on {}: {wrong}", row.name, machine.name()));
        }
    }
    text.inst = Inst::alu(machine, words);
    Ok(text)
}

const ALU_WORDS: &[&str] = &[
    "CLAMP",
    "LAST",
    "CONT",
    "PRED_ZERO",
    "PRED_ONE",
    "PRED_SEL",
    "UPDATE_EXEC_MASK",
    "UPDATE_PRED",
    "BANK_SWIZZLE",
    "VEC_012",
    "VEC_021",
    "VEC_120",
    "VEC_102",
    "VEC_201",
    "VEC_210",
    "SCL_210",
    "SCL_122",
    "SCL_212",
    "SCL_221",
];

/// `R1.x`, `____`, `__.y`, `__R1.x`, `R[1+AR.x].x`
fn destination(
    line: &mut Line<'_>,
    three: bool,
    slot: Option<Slot>,
    words: &mut [u32; 2],
    index: &mut Option<u32>,
) -> Parsed<()> {
    let start = line.here();
    let word = line.word();
    let masked = word.strip_prefix("__");
    if masked.is_some() && three {
        return fault(
            line.since(start),
            "an instruction with three sources has no write mask; name a register that is free",
        );
    }
    if masked == Some("__") {
        let own = slot.filter(|slot| *slot != Slot::T).map_or(0, |slot| slot as u32);
        alu_op2::DST_ELEM.set(words, own);
        return Ok(());
    }
    if !three && masked.is_none() {
        alu_op2::WRITE_MASK.set(words, 1);
    }
    if masked != Some("") {
        let (gpr, found) = register_of(line, start, masked.unwrap_or(word))?;
        alu_op2::DST_GPR.set(words, gpr);
        if let Some(mode) = found {
            alu_op2::DST_REL.set(words, 1);
            use_index(words, index, mode, line.since(start))?;
        }
    }
    let select = element(line)?;
    if slot.is_some_and(|slot| slot != Slot::T && slot != Slot::vector(select)) {
        let letters = (slot.map_or('?', Slot::letter), char::from(SELECTS[select as usize]));
        return fault(line.since(start), format!("slot {} writes element {0}, not {}", letters.0, letters.1));
    }
    alu_op2::DST_ELEM.set(words, select);
    Ok(())
}

/// `.x`
fn element(line: &mut Line<'_>) -> Parsed<u32> {
    line.expect(b'.')?;
    let start = line.here();
    let letter = line.ahead(0).to_ascii_lowercase();
    match SELECTS[..4].iter().position(|known| *known == letter) {
        Some(elem) if !line.ahead(1).is_ascii_alphanumeric() => {
            line.bump(1);
            Ok(elem as u32)
        }
        _ => {
            line.word();
            fault(line.since(start), "expected one element: x, y, z or w")
        }
    }
}

/// All operands of an instruction with an index have the same one.
fn use_index(words: &mut [u32; 2], index: &mut Option<u32>, mode: u32, span: Range<usize>) -> Parsed<()> {
    if index.is_some_and(|other| other != mode) {
        return fault(span, "an instruction has one index for all its operands");
    }
    *index = Some(mode);
    alu_op2::INDEX_MODE.set(words, mode);
    Ok(())
}

/// A source.
fn source(
    line: &mut Line<'_>,
    n: usize,
    three: bool,
    words: &mut [u32; 2],
    index: &mut Option<u32>,
    text: &mut AluText,
) -> Parsed<()> {
    use sel::*;
    let [sel_field, rel_field, elem_field, neg_field] = SOURCES[n];
    let start = line.here();
    let mut negative = line.eat(b'-');
    let abs = line.eat(b'|');
    if abs && three {
        return fault(line.since(start), "an instruction with three sources has no absolute values");
    }
    let inner = if abs { line.eat(b'-') } else { false };
    let first = line.peek();
    let mut elem = 0;
    if inner && !first.is_ascii_digit() {
        return fault(line.since(start), "the sign stands before the absolute value: -|R0.x|");
    }
    let sel = if first == b'(' {
        line.bump(1);
        let at = line.here();
        let value = match literal(line.number()) {
            Some((value, _)) => value,
            None => return fault(line.since(at), "expected a number"),
        };
        if line.eat(b',') {
            // What the bits are as a float, for readers.
            let at = line.here();
            let minus = line.eat(b'-');
            let shown = line.number();
            let float = shown.parse::<f32>().or_else(|_| shown.trim_end_matches(['f', 'F']).parse());
            let bits = float.map(|float| if minus { -float } else { float }.to_bits());
            if bits.as_ref() != Ok(&value) && !f32::from_bits(value).is_nan() {
                text.warning =
                    Some((line.since(at), format!("this is not what {value:#x} is as a float; the bits count")));
            }
        }
        line.expect(b')')?;
        let named = line.peek() == b'.';
        if named {
            elem = element(line)?;
        }
        let span = line.since(start);
        text.literals.push(Literal { source: n, value: Some(value), elem: named.then_some(elem), span });
        LITERAL
    } else if first.is_ascii_digit() {
        let number = line.number();
        let Some((value, float)) = literal(number) else {
            return fault(line.since(start), format!("`{number}` is no number of 32 bits"));
        };
        let hexadecimal = number.starts_with("0x") || number.starts_with("0X");
        let minus = if abs { inner } else { negative };
        match (float, value) {
            _ if hexadecimal && !minus => {
                text.literals.push(Literal { source: n, value: Some(value), elem: None, span: line.since(start) });
                LITERAL
            }
            (_, 0) if !hexadecimal => ZERO,
            (true, 0x3f80_0000) => ONE,
            (true, 0x3f00_0000) => HALF,
            (false, 1) if !minus => ONE_INT,
            (false, 1) => {
                if !abs {
                    negative = false;
                }
                MINUS_ONE_INT
            }
            _ => {
                let value = match (minus, float) {
                    (false, _) => value,
                    (true, true) => value ^ 1 << 31,
                    (true, false) => value.wrapping_neg(),
                };
                if !abs {
                    negative = false;
                }
                text.literals.push(Literal { source: n, value: Some(value), elem: None, span: line.since(start) });
                LITERAL
            }
        }
    } else {
        let at = line.here();
        let word = line.word();
        let bracketed = line.ahead(0) == b'[';
        let array = match word.to_ascii_uppercase().as_str() {
            "KC0" if bracketed => Some((KCACHE0, 32)),
            "KC1" if bracketed => Some((KCACHE1, 32)),
            "C" if bracketed => Some((CFILE, 256)),
            "SEL" if bracketed => Some((0, 512)),
            _ => None,
        };
        let (sel, found) = match (array, word) {
            (Some((base, size)), _) => {
                let (number, found) = line.bracket()?;
                if number >= size {
                    return fault(line.since(at), format!("`{word}` has {size} elements"));
                }
                (base + number, found)
            }
            (None, "PV" | "pv") => (PV, None),
            (None, "PS" | "ps") => (PS, None),
            (None, "L" | "l") => (LITERAL, None),
            (None, _) if word.starts_with(['R', 'r', 'T', 't']) => register_of(line, at, word)?,
            (None, _) => {
                let span = line.since(at);
                return fault(
                    span,
                    format!("`{word}` is no source; there are R0.x, KC0[0].x, C[0].x, PV.x, PS, numbers"),
                );
            }
        };
        if let Some(mode) = found {
            rel_field.set(words, 1);
            use_index(words, index, mode, line.since(at))?;
        }
        if sel != PS || line.peek() == b'.' {
            elem = element(line)?;
        }
        if sel == LITERAL && array.is_none() {
            text.literals.push(Literal { source: n, value: None, elem: Some(elem), span: line.since(at) });
        }
        sel
    };
    if abs {
        line.expect(b'|')?;
    }
    sel_field.set(words, sel);
    elem_field.set(words, elem);
    neg_field.set(words, u32::from(negative));
    if abs {
        [alu_op2::SRC0_ABS, alu_op2::SRC1_ABS][n & 1].set(words, 1);
    }
    Ok(())
}

/// The bits of a number, and whether it is a float.
fn literal(text: &str) -> Option<(u32, bool)> {
    if let Some(value) = integer(text) {
        return Some((value, false));
    }
    let digits = text.trim_end_matches(['f', 'F']);
    let value: f32 = digits.parse().ok().filter(|_| digits.starts_with(|c: char| c.is_ascii_digit()))?;
    Some((value.to_bits(), true))
}
