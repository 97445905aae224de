//! Scalar memory: the offset is a constant, a register or both, and every generation encodes that in its own way.
//!
//! gfx6 and gfx7 have one field and a bit that says which (gfx7 also a literal word), gfx8 too but in bytes; gfx9 adds a second
//! field with an enabling bit; from gfx10 on both fields always count, and `null` stands for no register.

use super::memory::{check_count, check_modifiers, is_null, offset, policy, register, scalar};
use crate::asm::error::{AsmError, AsmResult, Problem};
use crate::asm::operand::{Operand, Parsed, Val};
use crate::isa::form::{Form, Kind, Mod};
use crate::isa::memory as model;
use crate::isa::operand::Part;
use crate::isa::regs::{self, Bank};
use crate::isa::row::Traits;
use crate::isa::{Gen, Target};

/// Encodes a scalar memory instruction.
pub(in crate::asm) fn encode(target: &Target, form: &Form, p: &Parsed, words: &mut [u32; 5]) -> AsmResult<u8> {
    check_modifiers(form, p)?;
    let prefetch = form.slots.iter().any(|s| s.kind == Kind::Memory(Part::Soffset));
    let mut len = form.words;
    // An offset of 0 may be left out.
    let left_out = p.ops.len() + 1 == form.slots.len()
        && form.slots.last().is_some_and(|s| s.kind == Kind::Memory(Part::Offset))
        && p.modifier(Mod::Offset).is_none();
    if left_out {
        place_constant(target, form, 0, words);
    } else {
        check_count(p, form.slots.len())?;
    }
    for (slot, op) in form.slots.iter().zip(&p.ops) {
        let Kind::Memory(part) = slot.kind else { continue };
        let value = match part {
            Part::Sdata => data(target, op, slot.ty.dwords())?,
            Part::Sbase => base(target, op, slot.ty.dwords())?,
            Part::Number => number(target, op)?,
            Part::Soffset => offset_register(op)?,
            Part::Offset if prefetch => constant(op, model::scalar_offset_range(form, target))?,
            Part::Offset => {
                len = place_offset(target, form, p, op, words)?;
                continue;
            }
            _ => continue,
        };
        slot.span.set(words, value);
    }
    form.memory.nv.set(words, u32::from(p.flag(Mod::Nv)));
    // The data of an atomic is both operand and result: `glc` alone says that the old value is wanted.
    if model::has(form, Traits::ATOMIC) {
        let returns = p.policy.has_glc();
        policy(target, form, p, returns, words)?;
    } else {
        policy(target, form, p, false, words)?;
    }
    Ok(len)
}

/// Data or destination: `m0` and `exec` are not allowed.
fn data(target: &Target, op: &Operand, dwords: u8) -> AsmResult<u32> {
    if dwords <= 2 && is_null(target, op) {
        return register(op).map(|r| u32::from(r.code));
    }
    let code = scalar(op, dwords)?;
    let m0 = u32::from(regs::m0_code(target.generation()));
    if code == m0 || code >= 126 {
        return Err(AsmError::rule(op.span(), "m0 and exec are not allowed here"));
    }
    Ok(code)
}

/// The base: a pair, or a buffer resource. The field lacks the lowest bit: gfx10's `null` has it, later ones do not.
fn base(target: &Target, op: &Operand, dwords: u8) -> AsmResult<u32> {
    if dwords == 2 && is_null(target, op) {
        let code = model::null(target.generation());
        return match code % 2 {
            0 => Ok(code >> 1),
            _ => Err(AsmError::rule(op.span(), "null cannot be encoded here")),
        };
    }
    Ok(scalar(op, dwords)? >> 1)
}

/// A plain number: the kind of a probe, the length of a prefetch.
fn number(target: &Target, op: &Operand) -> AsmResult<u32> {
    let max = if target.generation() == Gen::Gfx12 { 31 } else { 127 };
    constant(op, (0, max))
}

fn constant(op: &Operand, (min, max): (i64, i64)) -> AsmResult<u32> {
    match op.val {
        Val::Int(value) if !op.modified() && !op.lit => {
            if value < min || value > max {
                let problem = Problem::Range { what: "the number", value, min, max };
                return Err(AsmError::new(op.span(), problem));
            }
            Ok(value as u32)
        }
        Val::Expr(_) => Err(AsmError::rule(op.span(), "this value must be known here")),
        _ => Err(AsmError::rule(op.span(), "a whole number is needed here")),
    }
}

fn offset_register(op: &Operand) -> AsmResult<u32> {
    match op.val {
        Val::Reg(reg) if matches!(reg.bank, Bank::Sgpr | Bank::Ttmp | Bank::Special) => scalar(op, 1),
        _ => Err(AsmError::rule(op.span(), "a scalar register is needed here")),
    }
}

/// Encodes the offset operand and `offset:`; gives the number of words.
fn place_offset(target: &Target, form: &Form, p: &Parsed, op: &Operand, words: &mut [u32; 5]) -> AsmResult<u8> {
    let m = form.memory;
    let g = target.generation();
    let range = model::scalar_offset_range(form, target);
    if let Val::Reg(_) = op.val {
        let code = offset_register(op)?;
        let both = p.modifier(Mod::Offset).is_some();
        let value = offset(p, range)?;
        match g {
            Gen::Gfx6 | Gen::Gfx7 | Gen::Gfx8 => m.offset.set(words, code),
            Gen::Gfx9 if both => {
                m.imm.set(words, 1);
                m.soffset_en.set(words, 1);
                m.soffset.set(words, code);
                m.offset.set(words, value);
            }
            Gen::Gfx9 => m.offset.set(words, code),
            Gen::Gfx10 | Gen::Gfx11 | Gen::Gfx12 => {
                m.soffset.set(words, code);
                m.offset.set(words, value);
            }
        }
        return Ok(form.words);
    }
    if let Some(extra) = p.modifier(Mod::Offset) {
        let span = extra.start as usize..extra.end as usize;
        return Err(AsmError::rule(span, "offset: goes with an offset register only"));
    }
    let value = constant(op, range)?;
    Ok(place_constant(target, form, value, words))
}

/// Encodes an offset that is a constant alone; gives the number of words.
fn place_constant(target: &Target, form: &Form, value: u32, words: &mut [u32; 5]) -> u8 {
    let m = form.memory;
    match target.generation() {
        Gen::Gfx7 if value > 0xff => {
            m.offset.set(words, 0xff);
            words[1] = value;
            return form.words + 1;
        }
        Gen::Gfx6 | Gen::Gfx7 | Gen::Gfx8 | Gen::Gfx9 => m.imm.set(words, 1),
        g @ (Gen::Gfx10 | Gen::Gfx11 | Gen::Gfx12) => m.soffset.set(words, model::null(g)),
    }
    m.offset.set(words, value);
    form.words
}
