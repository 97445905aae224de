//! Control flow: clauses, branches, exports.

use super::{Named, checked, choice, loop_index, number, opcode_field, register, selects, unknown};
use crate::isa::r600::format::{cf, cf_alu, cf_r700, export_buf, export_swiz};
use crate::isa::r600::{Chip, Class, Machine};
use crate::r600::print::{CONDITIONS, EXPORT_SELECTS, EXPORT_TYPES, KCACHES, STORE_TYPES};
use crate::r600::program::Inst;
use crate::r600::text::{Line, Modifier, Parsed, fault, integer, set};
use std::ops::Range;

/// A control-flow instruction as it was read.
#[derive(Debug)]
pub(in crate::r600) struct FlowText<'t> {
    pub inst: Inst<2>,
    /// Whether ADDR was given.
    pub addressed: bool,
    /// The label in ADDR, and where it begins.
    pub label: Option<(&'t str, usize)>,
    /// CNT.
    pub count: Option<u32>,
}

/// A control-flow instruction, behind its name.
pub(in crate::r600) fn flow<'t>(
    machine: Machine,
    line: &mut Line<'t>,
    named @ (class, code, _): Named,
) -> Parsed<FlowText<'t>> {
    let mut words = [0; 2];
    let code_field = opcode_field(machine, class);
    let start = line.here();
    set(&mut words, code_field, code, start..start + 1)?;
    cf::BARRIER.set(&mut words, 1);
    let Some(inst) = checked(words, named, || Inst::flow(machine, words)) else {
        return fault(start..start + 1, "this opcode is not of this class");
    };
    line.eat(b':');
    if class == Class::Export {
        export(line, inst.stores(), &mut words)?;
    }
    let format = inst.format(machine);
    let mut text = FlowText { inst, addressed: false, label: None, count: None };
    let mut count = None;
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
                    text.label = Some((name, at));
                }
            }
            ("CNT", Class::Cf | Class::CfAlu, true) => {
                let at = line.here();
                count = Some((line.integer()?, line.since(at)));
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
    if let Some((count, span)) = count {
        set_count(machine, class, &mut words, count, span)?;
        text.count = Some(count);
    }
    // A field that was written by its name may be that of the opcode.
    text.inst = if code_field.get(&words) == code { Inst { words, ..inst } } else { Inst::flow(machine, words) };
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

/// Writes how many slots or fetches a clause has.
pub(in crate::r600) fn set_count(
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
