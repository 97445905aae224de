//! Programs and instructions to text, in the style of AMD's own listings.
//!
//! ```text
//! 00 ALU: ADDR(4) CNT(3) KCACHE0(CB0:0-15)
//!      0  x: MUL          R1.x, R0.x, KC0[2].y
//!         t: RECIP_IEEE   ____, |R0.w|
//!      1  z: ADD*2        R1.z, PV.x, PS        VEC_120 CLAMP
//! 01 EXPORT_DONE: PIX0, R1.xyz1 ELEM_SIZE(3) EOP
//! ```
//!
//! The number before control flow is its place, in pairs of words, which is what ADDR counts too. A clause stands below the instruction
//! that begins it, with its groups and fetches numbered. An instruction ends with what else is in its words; a field that the syntax
//! has no words for, or an operand that is not read, is printed as `FIELD=value`. So the text gives back the words.

use super::check::check;
use super::program::{ABS, Body, Group, Inst, Program, Slot, Source, sel};
use crate::asm::diagnostic::Severity;
use crate::isa::format::Span;
use crate::isa::r600::does::{Does, Loop};
use crate::isa::r600::fetch::{DATA_FORMATS, FETCH_TYPES, NUM_FORMATS, SWAPS};
use crate::isa::r600::format::{SEMANTIC_ID, SOURCES, alu_op2, alu_op2_r700, alu_op3, cf, cf_alu, cf_r700};
use crate::isa::r600::format::{export_buf, export_swiz, tex, vtx};
use crate::isa::r600::{Chip, Class, Format, Machine};

/// Elements as selects name them: the four of the source, 0, 1, nothing that is known, and not written.
pub const SELECTS: &[u8; 8] = b"xyzw01?_";
/// What exports go to.
pub const EXPORT_TYPES: [&str; 4] = ["PIX", "POS", "PARAM", "TYPE3_"];
/// What is done to a buffer.
pub const STORE_TYPES: [&str; 4] = ["WRITE", "WRITE_IND", "READ", "READ_IND"];
/// Conditions of control flow.
pub const CONDITIONS: [&str; 4] = ["ACTIVE", "FALSE", "BOOL", "NOT_BOOL"];
/// What is added to the number of a register or constant.
pub const INDICES: [&str; 8] = ["AR.x", "AR.y", "AR.z", "AR.w", "aL", "I5", "I6", "I7"];
/// Bank swizzles of vector units.
pub const VECTOR_SWIZZLES: [&str; 6] = ["VEC_012", "VEC_021", "VEC_120", "VEC_102", "VEC_201", "VEC_210"];
/// Bank swizzles of the scalar unit.
pub const SCALAR_SWIZZLES: [&str; 4] = ["SCL_210", "SCL_122", "SCL_212", "SCL_221"];
/// Scales of the result.
pub const SCALES: [&str; 4] = ["", "*2", "*4", "/2"];
/// What opcodes without an instruction are called: this, and the number.
pub const UNKNOWN: [(Class, &str); 7] = [
    (Class::CfAlu, "CF_ALU_"),
    (Class::Cf, "CF_"),
    (Class::Export, "EXP_"),
    (Class::Op2, "OP2_"),
    (Class::Op3, "OP3_"),
    (Class::Tex, "TEX_"),
    (Class::Vtx, "VTX_"),
];
/// The first of the clause temporaries T0 to T3.
pub const TEMPORARIES: u32 = 124;

/// A program as a listing, with the machine in its first line, and `.unchecked` in the second where it breaks rules.
#[must_use]
pub fn listing(program: &Program) -> String {
    let mut out = String::with_capacity(program.words * 24 + 64);
    out.push_str(".arch ");
    out.push_str(program.machine.name());
    out.push('\n');
    if check(program).iter().any(|finding| finding.severity == Severity::Error) {
        out.push_str(".unchecked\n");
    }
    let mut number = 0;
    let mut shown = vec![false; program.clauses.len()];
    let mut rest = program.rest.iter().peekable();
    let mut end = 0;
    for flow in &program.flow {
        while let Some((at, pair)) = rest.next_if(|(at, _)| *at < flow.at) {
            raw(&mut out, *at, *pair, &mut end);
        }
        place(&mut out, flow.at);
        end = end.max(u64::from(flow.at) + 1);
        flow_text(program.machine, &flow.inst, &mut out);
        out.push('\n');
        let Some(clause) = flow.clause.filter(|clause| !shown[*clause]) else { continue };
        shown[clause] = true;
        let clause = &program.clauses[clause];
        end = end.max(clause.extent.end());
        match &clause.body {
            Body::Alu(groups) => {
                for group in groups {
                    group_text(program.machine, group, number, &mut out);
                    number += 1;
                }
            }
            Body::Fetch(fetches) => {
                for fetch in fetches {
                    count(&mut out, number);
                    fetch_text(fetch, &mut out);
                    out.push('\n');
                    number += 1;
                }
            }
        }
    }
    for (at, pair) in rest {
        raw(&mut out, *at, *pair, &mut end);
    }
    if let Some(odd) = program.odd {
        out.push_str(".word ");
        hex(&mut out, odd);
        out.push('\n');
    }
    if end * 2 < (program.words & !1) as u64 {
        out.push_str(".size ");
        decimal(&mut out, program.words as u32);
        out.push('\n');
    }
    out
}

/// A pair of words that is no instruction; zeros need no text.
fn raw(out: &mut String, at: u32, pair: [u32; 2], end: &mut u64) {
    if pair != [0; 2] {
        *end = (*end).max(u64::from(at) + 1);
        place(out, at);
        out.push_str(".word ");
        hex(out, pair[0]);
        out.push_str(", ");
        hex(out, pair[1]);
        out.push('\n');
    }
}

/// The place of control flow.
fn place(out: &mut String, at: u32) {
    if at < 10 {
        out.push('0');
    }
    decimal(out, at);
    out.push(' ');
}

/// The number of a group or a fetch.
fn count(out: &mut String, number: u32) {
    let digits = number.checked_ilog10().unwrap_or(0) as usize + 1;
    spaces(out, 6usize.saturating_sub(digits));
    decimal(out, number);
    out.push_str("  ");
}

fn decimal(out: &mut String, value: u32) {
    if value > 9 {
        decimal(out, value / 10);
    }
    out.push(char::from(b'0' + (value % 10) as u8));
}

/// So many spaces, up to [`COLUMN`].
fn spaces(out: &mut String, count: usize) {
    const SPACES: &str = match std::str::from_utf8(&[b' '; COLUMN]) {
        Ok(spaces) => spaces,
        Err(_) => "",
    };
    out.push_str(SPACES.get(..count).unwrap_or(SPACES));
}

/// How long the names of instructions in clauses are made, so that their operands stand below each other.
const COLUMN: usize = 14;

/// Fills the column of a name that begins at `start`.
fn fill(out: &mut String, start: usize) {
    spaces(out, COLUMN.saturating_sub(out.len() - start));
    out.push(' ');
}

fn hex(out: &mut String, value: u32) {
    out.push_str("0x");
    let digits = (32 - value.leading_zeros()).div_ceil(4).max(1);
    for n in (0..digits).rev() {
        out.push(char::from(b"0123456789abcdef"[(value >> (4 * n) & 15) as usize]));
    }
}

/// Words of which fields are taken away as they are printed.
struct Left<const N: usize>([u32; N]);

impl<const N: usize> Left<N> {
    #[inline(always)]
    fn take(&mut self, field: Span) -> u32 {
        let value = field.get(&self.0);
        field.set(&mut self.0, 0);
        value
    }

    /// A word for a field of one bit that is set.
    fn flag(&mut self, out: &mut String, field: Span, word: &str) {
        if self.take(field) != 0 {
            out.push(' ');
            out.push_str(word);
        }
    }

    /// `NAME(value)` for a field that is not zero.
    fn number(&mut self, out: &mut String, field: Span, name: &str, plus: u32) {
        let value = self.take(field);
        if value != 0 {
            call(out, name, value + plus);
        }
    }

    /// `NAME(word)` for a field that is not zero.
    fn word(&mut self, out: &mut String, field: Span, name: &str, words: &[&str]) {
        let value = self.take(field);
        if value != 0 {
            open(out, name);
            match words.get(value as usize) {
                Some(word) if !word.is_empty() => out.push_str(word),
                _ => decimal(out, value),
            }
            out.push(')');
        }
    }

    /// What is left.
    fn fields(&self, out: &mut String, format: &Format) {
        if self.0 != [0; N] {
            for (name, value) in format.unpack(&self.0).filter(|field| field.1 != 0) {
                out.push(' ');
                out.push_str(name);
                out.push('=');
                if value < 10 { decimal(out, value) } else { hex(out, value) }
            }
        }
    }
}

/// `NAME(`
fn open(out: &mut String, name: &str) {
    out.push(' ');
    out.push_str(name);
    out.push('(');
}

/// `NAME(value)`
fn call(out: &mut String, name: &str, value: u32) {
    open(out, name);
    decimal(out, value);
    out.push(')');
}

/// The name of an instruction.
fn name<const N: usize>(inst: &Inst<N>, code: Span, out: &mut String) {
    if let Some(row) = inst.row {
        out.push_str(row.name);
    } else if let Some((_, prefix)) = UNKNOWN.iter().find(|(class, _)| *class == inst.class) {
        out.push_str(prefix);
        decimal(out, inst.get(code));
    }
}

/// A control-flow instruction.
pub fn flow_text(machine: Machine, inst: &Inst<2>, out: &mut String) {
    let mut left = Left(inst.words);
    match inst.class {
        Class::CfAlu => {
            name(inst, cf_alu::CF_INST, out);
            left.take(cf_alu::CF_INST);
            out.push(':');
            call(out, "ADDR", left.take(cf_alu::ADDR));
            call(out, "CNT", left.take(cf_alu::COUNT) + 1);
            for (n, [mode, bank, line]) in KCACHES.into_iter().enumerate() {
                if mode.get(&left.0) != 0 {
                    let (mode, first) = (left.take(mode), left.take(line) * 16);
                    out.push_str([" KCACHE0(CB", " KCACHE1(CB"][n]);
                    decimal(out, left.take(bank));
                    out.push(':');
                    decimal(out, first);
                    out.push('-');
                    decimal(out, first + if mode == 1 { 15 } else { 31 });
                    out.push_str(if mode == 3 { "+aL)" } else { ")" });
                }
            }
            left.flag(out, cf_alu::USES_WATERFALL, "WATERFALL");
        }
        Class::Export => export_text(inst, &mut left, out),
        _ => {
            name(inst, cf::CF_INST, out);
            left.take(cf::CF_INST);
            let does = inst.does();
            let address = left.take(cf::ADDR);
            if does == Some(Does::Fetches) {
                out.push(':');
                call(out, "ADDR", address);
                let upper = if machine.chip == Chip::R700 { left.take(cf_r700::COUNT_3) << 3 } else { 0 };
                call(out, "CNT", (left.take(cf::COUNT) | upper) + 1);
            } else if address != 0 || does.is_some_and(has_target) {
                call(out, "ADDR", address);
            }
            left.number(out, cf::POP_COUNT, "POP_CNT", 0);
            let constant = left.take(cf::CF_CONST);
            if constant != 0 || matches!(does, Some(Does::LoopStart(Loop::Counted | Loop::CountedNoIndex))) {
                call(out, "CF_CONST", constant);
            }
            left.word(out, cf::COND, "COND", &CONDITIONS);
            left.number(out, cf::CALL_COUNT, "CALL_CNT", 0);
        }
    }
    if inst.class != Class::CfAlu {
        left.flag(out, cf::VALID_PIXEL_MODE, "VALID_PIX");
    }
    left.flag(out, cf::WHOLE_QUAD_MODE, "WHOLE_QUAD");
    if left.take(cf::BARRIER) == 0 {
        out.push_str(" NO_BARRIER");
    }
    let ends = inst.class != Class::CfAlu && left.take(cf::END_OF_PROGRAM) != 0;
    left.fields(out, inst.format(machine));
    if ends {
        out.push_str(" EOP");
    }
}

/// MODE, BANK and ADDR of the two locked caches.
pub(super) const KCACHES: [[Span; 3]; 2] = [
    [cf_alu::KCACHE_MODE0, cf_alu::KCACHE_BANK0, cf_alu::KCACHE_ADDR0],
    [cf_alu::KCACHE_MODE1, cf_alu::KCACHE_BANK1, cf_alu::KCACHE_ADDR1],
];

/// Whether a control-flow instruction goes to its ADDR.
#[must_use]
pub fn has_target(does: Does) -> bool {
    use Does::*;
    matches!(
        does,
        Jump | Else | Push | PushElse | LoopStart(_) | LoopEnd | LoopBreak | LoopContinue | Call | Pop | KillPixels
    )
}

fn export_text(inst: &Inst<2>, left: &mut Left<2>, out: &mut String) {
    left.take(export_swiz::CF_INST);
    name(inst, export_swiz::CF_INST, out);
    out.push_str(": ");
    let (kind, base) = (left.take(export_swiz::TYPE), left.take(export_swiz::ARRAY_BASE));
    if inst.stores() {
        out.push_str(STORE_TYPES[kind as usize]);
        out.push('[');
        decimal(out, base);
        if kind & 1 != 0 {
            out.push('+');
            register(out, left.take(export_buf::INDEX_GPR), None);
            out.push_str(".x");
        }
        out.push(']');
    } else {
        out.push_str(EXPORT_TYPES[kind as usize]);
        decimal(out, base);
    }
    out.push_str(", ");
    let index = (left.take(export_swiz::RW_REL) != 0).then_some(INDICES[4]);
    register(out, left.take(export_swiz::RW_GPR), index);
    out.push('.');
    if inst.stores() {
        let mask = left.take(export_buf::COMP_MASK);
        for (n, letter) in "xyzw".chars().enumerate() {
            out.push(if mask >> n & 1 != 0 { letter } else { '_' });
        }
        call(out, "ARRAY_SIZE", left.take(export_buf::ARRAY_SIZE) + 1);
    } else {
        for field in EXPORT_SELECTS {
            out.push(char::from(SELECTS[left.take(field) as usize]));
        }
    }
    left.number(out, export_swiz::BURST_COUNT, "BURST", 1);
    left.number(out, export_swiz::ELEM_SIZE, "ELEM_SIZE", 0);
    left.flag(out, export_swiz::ELEM_LOOP, "ELEM_LOOP");
}

/// The selects of exports.
pub(super) const EXPORT_SELECTS: [Span; 4] =
    [export_swiz::SEL_X, export_swiz::SEL_Y, export_swiz::SEL_Z, export_swiz::SEL_W];

/// `R5`, `T1`, `R[5+AR.x]`
fn register(out: &mut String, number: u32, index: Option<&str>) {
    match index {
        Some(index) => {
            out.push_str("R[");
            decimal(out, number);
            out.push('+');
            out.push_str(index);
            out.push(']');
        }
        None if number >= TEMPORARIES => {
            out.push('T');
            decimal(out, number - TEMPORARIES);
        }
        None => {
            out.push('R');
            decimal(out, number);
        }
    }
}

/// A group, with its number.
pub fn group_text(machine: Machine, group: &Group, number: u32, out: &mut String) {
    let literals = &group.literals[..usize::from(group.literal_words)];
    let mut shown = [false; 4];
    let insts = group.insts();
    for (n, inst) in insts.iter().enumerate() {
        if n == 0 {
            count(out, number);
        } else {
            out.push_str("        ");
        }
        let slot = group.slot(n);
        out.push(slot.map_or('?', Slot::letter));
        out.push_str(": ");
        alu_text(machine, inst, slot, literals, &mut shown, out);
        if n + 1 == insts.len() && !group.is_closed() {
            out.push_str(" CONT");
        }
        out.push('\n');
    }
    let hidden = literals.iter().zip(shown).any(|(value, shown)| *value != 0 && !shown);
    if hidden || group.literal_words != group.literals_needed {
        out.push_str("           .literals");
        for (n, value) in literals.iter().enumerate() {
            out.push_str(if n == 0 { " " } else { ", " });
            hex(out, *value);
        }
        out.push('\n');
    }
}

/// An ALU instruction that stands alone: which unit executes it is not known, and LAST is printed.
pub fn alu_line(machine: Machine, inst: &Inst<2>, out: &mut String) {
    let group = Group::new(machine, std::slice::from_ref(inst), [0; 4]);
    let slot = group.slot(0);
    out.push(slot.map_or('?', Slot::letter));
    out.push_str(": ");
    alu_text(machine, inst, slot, &[], &mut [false; 4], out);
    if group.is_closed() {
        out.push_str(" LAST");
    }
}

/// An ALU instruction without its LAST.
fn alu_text(
    machine: Machine,
    inst: &Inst<2>,
    slot: Option<Slot>,
    literals: &[u32],
    shown: &mut [bool; 4],
    out: &mut String,
) {
    let mut left = Left(inst.words);
    let three = inst.class == Class::Op3;
    let code = match (three, machine.chip) {
        (true, _) => alu_op3::ALU_INST,
        (false, Chip::R600) => alu_op2::ALU_INST,
        (false, Chip::R700) => alu_op2_r700::ALU_INST,
    };
    let start = out.len();
    left.take(code);
    name(inst, code, out);
    if !three {
        let scale = if machine.chip == Chip::R600 { alu_op2::OMOD } else { alu_op2_r700::OMOD };
        out.push_str(SCALES[left.take(scale) as usize]);
    }
    fill(out, start);

    let mode = INDICES[inst.get(alu_op2::INDEX_MODE) as usize];
    let mut indexed = left.take(alu_op2::DST_REL) != 0;
    let index = indexed.then_some(mode);
    let (gpr, elem) = (left.take(alu_op2::DST_GPR), left.take(alu_op2::DST_ELEM));
    let written = three || left.take(alu_op2::WRITE_MASK) != 0;
    let own = slot.is_some_and(|slot| slot == Slot::vector(elem));
    if written || gpr != 0 || index.is_some() {
        if !written {
            out.push_str("__");
        }
        register(out, gpr, index);
        out.push('.');
        out.push(char::from(SELECTS[elem as usize]));
    } else if own || slot == Some(Slot::T) && elem == 0 {
        out.push_str("____");
    } else {
        out.push_str("__.");
        out.push(char::from(SELECTS[elem as usize]));
    }

    let sources = inst.row.map_or(inst.source_fields(), |row| usize::from(row.sources));
    for n in 0..sources {
        out.push_str(", ");
        let source = inst.source(n);
        indexed |= source.rel;
        source_text(source, mode, literals, shown, out);
        left.take(SOURCES[n]);
        if !three {
            left.take(ABS[n & 1]);
        }
    }
    if indexed {
        left.take(alu_op2::INDEX_MODE);
    }
    let swizzle = left.take(alu_op2::BANK_SWIZZLE);
    if swizzle != 0 {
        let names: &[&str] = if slot == Some(Slot::T) { &SCALAR_SWIZZLES } else { &VECTOR_SWIZZLES };
        match names.get(swizzle as usize) {
            Some(name) => {
                out.push(' ');
                out.push_str(name);
            }
            None => call(out, "BANK_SWIZZLE", swizzle),
        }
    }
    match left.take(alu_op2::PRED_SEL) {
        0 => {}
        2 => out.push_str(" PRED_ZERO"),
        3 => out.push_str(" PRED_ONE"),
        other => call(out, "PRED_SEL", other),
    }
    if !three {
        left.flag(out, alu_op2::UPDATE_EXECUTE_MASK, "UPDATE_EXEC_MASK");
        left.flag(out, alu_op2::UPDATE_PRED, "UPDATE_PRED");
    }
    left.flag(out, alu_op2::CLAMP, "CLAMP");
    left.take(alu_op2::LAST);
    left.fields(out, inst.format(machine));
}

fn source_text(source: Source, index: &str, literals: &[u32], shown: &mut [bool; 4], out: &mut String) {
    use sel::*;
    if source.neg {
        out.push('-');
    }
    if source.abs {
        out.push('|');
    }
    // Which element of a constant that has none is read makes no difference, but stands in the words.
    let plain = !source.rel
        && source.elem == 0
        && !(source.neg && !source.abs && [ONE_INT, MINUS_ONE_INT].contains(&source.sel));
    let array = |out: &mut String, name: &str, number: u32| {
        out.push_str(name);
        out.push('[');
        decimal(out, number);
        if source.rel {
            out.push('+');
            out.push_str(index);
        }
        out.push(']');
    };
    let mut elem = true;
    match source.sel {
        0..KCACHE0 => register(out, source.sel, source.rel.then_some(index)),
        KCACHE0..KCACHE1 => array(out, "KC0", source.sel - KCACHE0),
        KCACHE1..192 => array(out, "KC1", source.sel - KCACHE1),
        CFILE.. => array(out, "C", source.sel - CFILE),
        ZERO..=HALF if plain => {
            out.push_str(["0", "1.0", "1", "-1", "0.5"][(source.sel - ZERO) as usize]);
            elem = false;
        }
        LITERAL if !source.rel => match literals.get(source.elem as usize) {
            Some(value) => {
                shown[source.elem as usize & 3] = true;
                out.push('(');
                hex(out, *value);
                use std::fmt::Write as _;
                // Writing to a string can not fail.
                let _ = write!(out, ", {:?})", f32::from_bits(*value));
            }
            None => out.push('L'),
        },
        PV if !source.rel => out.push_str("PV"),
        PS if !source.rel => {
            out.push_str("PS");
            elem = source.elem != 0;
        }
        _ => array(out, "SEL", source.sel),
    }
    if elem {
        out.push('.');
        out.push(char::from(SELECTS[source.elem as usize]));
    }
    if source.abs {
        out.push('|');
    }
}

/// The selects of a fetch's destination, the same in both kinds.
pub(super) const DST_SELECTS: [Span; 4] = [tex::DST_SEL_X, tex::DST_SEL_Y, tex::DST_SEL_Z, tex::DST_SEL_W];
/// The selects of the coordinates.
pub(super) const SRC_SELECTS: [Span; 4] = [tex::SRC_SEL_X, tex::SRC_SEL_Y, tex::SRC_SEL_Z, tex::SRC_SEL_W];
/// Which coordinates are normalized.
pub(super) const COORD_TYPES: [Span; 4] = [tex::COORD_TYPE_X, tex::COORD_TYPE_Y, tex::COORD_TYPE_Z, tex::COORD_TYPE_W];
/// The offsets of texels, in halves.
pub(super) const OFFSETS: [Span; 3] = [tex::OFFSET_X, tex::OFFSET_Y, tex::OFFSET_Z];

/// A fetch.
pub fn fetch_text(inst: &Inst<4>, out: &mut String) {
    let mut left = Left(inst.words);
    let start = out.len();
    left.take(tex::TEX_INST);
    name(inst, tex::TEX_INST, out);
    fill(out, start);
    if inst.does() == Some(Does::VertexFetch { semantic: true }) {
        out.push_str("SEM");
        decimal(out, left.take(SEMANTIC_ID));
    } else {
        let index = (left.take(tex::DST_REL) != 0).then_some(INDICES[4]);
        register(out, left.take(tex::DST_GPR), index);
    }
    out.push('.');
    for field in DST_SELECTS {
        out.push(char::from(SELECTS[left.take(field) as usize]));
    }
    out.push_str(", ");
    let index = (left.take(tex::SRC_REL) != 0).then_some(INDICES[4]);
    register(out, left.take(tex::SRC_GPR), index);
    out.push('.');
    if inst.class == Class::Vtx {
        out.push(char::from(SELECTS[left.take(vtx::SRC_SEL_X) as usize]));
        out.push_str(", fc");
        decimal(out, left.take(vtx::BUFFER_ID));
        let kind = left.take(vtx::FETCH_TYPE);
        match kind {
            0 => {}
            1 | 2 => {
                out.push(' ');
                out.push_str(FETCH_TYPES[kind as usize]);
            }
            _ => call(out, "FETCH_TYPE", kind),
        }
        left.word(out, vtx::DATA_FORMAT, "FORMAT", &DATA_FORMATS);
        left.word(out, vtx::NUM_FORMAT_ALL, "NUM_FORMAT", &NUM_FORMATS);
        left.flag(out, vtx::FORMAT_COMP_ALL, "SIGNED");
        left.flag(out, vtx::SRF_MODE_ALL, "SRF_NO_ZERO");
        left.flag(out, vtx::USE_CONST_FIELDS, "USE_CONST_FIELDS");
        if left.take(vtx::MEGA_FETCH) != 0 {
            call(out, "MEGA", left.take(vtx::MEGA_FETCH_COUNT));
        }
        left.number(out, vtx::OFFSET, "OFFSET", 0);
        left.word(out, vtx::ENDIAN_SWAP, "ENDIAN_SWAP", &SWAPS);
        left.flag(out, vtx::CONST_BUF_NO_STRIDE, "NO_STRIDE");
    } else {
        for field in SRC_SELECTS {
            out.push(char::from(SELECTS[left.take(field) as usize]));
        }
        out.push_str(", t");
        decimal(out, left.take(tex::RESOURCE_ID));
        out.push_str(", s");
        decimal(out, left.take(tex::SAMPLER_ID));
        let normal = COORD_TYPES.map(|field| left.take(field) != 0);
        if normal != [true; 4] {
            open(out, "UNNORM");
            for (letter, _) in "xyzw".chars().zip(normal).filter(|(_, normal)| !normal) {
                out.push(letter);
            }
            out.push(')');
        }
        let bias = left.take(tex::LOD_BIAS);
        if bias != 0 {
            open(out, "LOD_BIAS");
            signed(out, bias, 7);
            out.push(')');
        }
        let offsets = OFFSETS.map(|field| left.take(field));
        if offsets != [0; 3] {
            open(out, "OFFSET");
            for (n, offset) in offsets.into_iter().enumerate() {
                if n > 0 {
                    out.push_str(", ");
                }
                signed(out, offset, 5);
            }
            out.push(')');
        }
        left.flag(out, tex::BC_FRAC_MODE, "BC_FRAC_MODE");
    }
    left.flag(out, tex::FETCH_WHOLE_QUAD, "WHOLE_QUAD");
    left.fields(out, inst.format());
}

/// A signed number of so many bits.
fn signed(out: &mut String, value: u32, bits: u32) {
    let negative = value >> (bits - 1) != 0;
    if negative {
        out.push('-');
    }
    decimal(out, if negative { (1 << bits) - value } else { value });
}
