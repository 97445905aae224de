//! Exports: a target, four sources or `off`.
//!
//! EN has a bit for each source that is not `off`. A compressed export sends two registers of packed halves: its text names each twice,
//! the first in places 0 and 1, the second in places 2 and 3, and the words hold them side by side.

use super::super::error::{AsmError, AsmResult, Problem};
use super::super::modifiers;
use super::super::operand::{Operand, Parsed, Val};
use crate::isa::Target;
use crate::isa::form::{Form, Mod};
use crate::isa::regs::{Bank, Half};

/// Encodes an export.
pub(in crate::asm) fn encode(_target: &Target, form: &Form, p: &Parsed, words: &mut [u32; 5]) -> AsmResult<u8> {
    let end = p.ops.last().map_or(0, |o| o.end as usize);
    let [target, sources @ ..] = p.ops.as_slice() else {
        return Err(AsmError::expected(end, "an export target"));
    };
    if sources.len() != 4 {
        return Err(AsmError::rule(
            end..end + 1,
            "an export has a target and four sources, each a vector register or `off`",
        ));
    }
    let Val::Raw(number) = target.val else {
        return Err(AsmError::rule(target.span(), "an export target is needed here"));
    };
    form.slots[0].span.set(words, number);
    if p.policy_span.end != 0 {
        return Err(AsmError::rule(p.policy_span.clone(), "this instruction has no cache policy"));
    }
    for (i, m) in p.mods.iter().enumerate() {
        let span = m.start as usize..m.end as usize;
        let Some(slot) = form.mods.iter().find(|s| s.id == m.id) else {
            let name = modifiers::name_of(m.id).to_owned();
            return Err(AsmError::new(
                span,
                Problem::Named { rule: "this instruction does not take the modifier", name },
            ));
        };
        if m.id == Mod::Done && i != 0 {
            return Err(AsmError::rule(span, "`done` comes before the other modifiers"));
        }
        slot.span.set(words, u32::from(m.value != 0));
    }
    let mut codes = [None; 4];
    for (code, op) in codes.iter_mut().zip(sources) {
        *code = source(op)?;
    }
    let mut enabled = 0;
    if p.flag(Mod::Compr) {
        codes = [codes[0], codes[2], None, None];
        for (i, _) in codes.iter().take(2).enumerate().filter(|(_, c)| c.is_some()) {
            enabled |= 3 << (2 * i);
        }
    } else {
        for (i, _) in codes.iter().enumerate().filter(|(_, c)| c.is_some()) {
            enabled |= 1 << i;
        }
    }
    for (slot, code) in form.slots[1..].iter().zip(codes) {
        slot.span.set(words, code.unwrap_or(0));
    }
    if let Some(span) = form.format.field("EN") {
        span.set(words, enabled);
    }
    Ok(form.words)
}

/// The number of a vector register, or nothing for `off`.
fn source(op: &Operand) -> AsmResult<Option<u32>> {
    match op.val {
        Val::Off => Ok(None),
        Val::Reg(reg) if reg.bank == Bank::Vgpr && reg.dwords == 1 && reg.half == Half::Whole && !op.modified() => {
            Ok(Some(u32::from(reg.code - 256)))
        }
        _ => Err(AsmError::rule(op.span(), "a vector register or `off` is needed here")),
    }
}
