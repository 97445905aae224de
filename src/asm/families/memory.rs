//! What the memory families share: registers, modifiers, the cache policy.

use crate::asm::error::{AsmError, AsmResult, Problem};
use crate::asm::modifiers;
use crate::asm::operand::{Operand, Parsed, Val};
use crate::isa::form::{Form, Mod};
use crate::isa::memory;
use crate::isa::regs::{Bank, Half, Reg};
use crate::isa::{Target, Variants};
use std::ops::Range;

/// All operands, or one byte where there is none.
pub(super) fn whole(p: &Parsed) -> Range<usize> {
    let start = p.ops.first().map_or(0, |o| o.start as usize);
    let end = p.ops.last().map_or(start + 1, |o| o.end as usize);
    start..end.max(start + 1)
}

/// Refuses modifiers which the form does not have.
pub(super) fn check_modifiers(form: &Form, p: &Parsed) -> AsmResult<()> {
    let foreign = p.mod_set & !form.mod_set;
    if foreign == 0 {
        return Ok(());
    }
    match p.mods.iter().find(|m| foreign & 1 << m.id as u8 != 0) {
        Some(m) => Err(AsmError::new(
            m.start as usize..m.end as usize,
            Problem::Named {
                rule: "this instruction does not have this modifier",
                name: modifiers::name_of(m.id).to_owned(),
            },
        )),
        None => Ok(()),
    }
}

/// Refuses a number of operands other than `count`.
pub(super) fn check_count(p: &Parsed, count: usize) -> AsmResult<()> {
    if p.ops.len() == count {
        return Ok(());
    }
    match p.ops.get(count) {
        Some(extra) => Err(AsmError::rule(extra.span(), "this instruction has fewer operands")),
        None => {
            let end = whole(p).end;
            Err(AsmError::expected(end, "another operand"))
        }
    }
}

/// A plain register, without neg and the like.
pub(super) fn register(op: &Operand) -> AsmResult<Reg> {
    match op.val {
        Val::Reg(reg) if !op.modified() && reg.half == Half::Whole => Ok(reg),
        _ => Err(AsmError::rule(op.span(), "a register is needed here")),
    }
}

/// A vector register tuple of `dwords` registers: its number, and whether it is one of accumulation registers.
pub(super) fn vector(target: &Target, op: &Operand, dwords: u8, acc: bool) -> AsmResult<(u32, bool)> {
    let fail = |rule| Err(AsmError::rule(op.span(), rule));
    let Ok(reg) = register(op) else { return fail("a vector register is needed here") };
    let is_acc = match reg.bank {
        Bank::Vgpr => false,
        Bank::Agpr if acc => true,
        Bank::Agpr => return fail("accumulation registers are not allowed here"),
        _ => return fail("a vector register is needed here"),
    };
    if reg.dwords != dwords {
        return fail(width_rule(dwords));
    }
    let number = u32::from(reg.code & 0xff);
    if dwords > 1 && !number.is_multiple_of(2) && target.is(Variants::CDNA2) {
        return fail("tuples of vector registers start at an even number on this processor");
    }
    Ok((number, is_acc))
}

/// The complaint about a tuple of another width.
pub(super) fn width_rule(dwords: u8) -> &'static str {
    match dwords {
        1 => "one register is needed here",
        2 => "two registers are needed here",
        3 => "three registers are needed here",
        4 => "four registers are needed here",
        5 => "five registers are needed here",
        8 => "eight registers are needed here",
        16 => "sixteen registers are needed here",
        _ => "a range of another width is needed here",
    }
}

/// A scalar register tuple of `dwords` registers that a field of seven bits can name: its code.
pub(super) fn scalar(op: &Operand, dwords: u8) -> AsmResult<u32> {
    let fail = |rule| Err(AsmError::rule(op.span(), rule));
    let Ok(reg) = register(op) else { return fail("a scalar register is needed here") };
    if !matches!(reg.bank, Bank::Sgpr | Bank::Ttmp | Bank::Special) {
        return fail("a scalar register is needed here");
    }
    if reg.code >= 128 {
        return fail("this value is no scalar register");
    }
    if reg.dwords != dwords {
        return fail(width_rule(dwords));
    }
    Ok(u32::from(reg.code))
}

/// Whether the code is that of `null`, which has any width.
pub(super) fn is_null(target: &Target, op: &Operand) -> bool {
    matches!(op.val, Val::Reg(reg) if reg.is_null(target.generation()))
}

/// The offset behind `offset:`, checked against `range`; 0 without one.
pub(super) fn offset(p: &Parsed, (min, max): (i64, i64)) -> AsmResult<u32> {
    let Some(m) = p.modifier(Mod::Offset) else { return Ok(0) };
    if m.value < min || m.value > max {
        let problem = Problem::Range { what: "the offset", value: m.value, min, max };
        return Err(AsmError::new(m.start as usize..m.end as usize, problem));
    }
    Ok(m.value as u32)
}

/// Writes the cache policy.
pub(super) fn policy(target: &Target, form: &Form, p: &Parsed, returns: bool, words: &mut [u32; 5]) -> AsmResult<()> {
    let span = if p.policy_span.is_empty() { whole(p) } else { p.policy_span.clone() };
    let bits = p.policy.finish(memory::usage(form, returns), span.clone(), target)?;
    if form.memory.set_policy(words, bits) != 0 {
        return Err(AsmError::rule(span, "this instruction does not have this cache policy"));
    }
    Ok(())
}
