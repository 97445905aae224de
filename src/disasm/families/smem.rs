//! Scalar memory.

use super::memory::{policy, require, scalar, separate};
use crate::disasm::Reason;
use crate::isa::form::{Form, Kind};
use crate::isa::format::Span;
use crate::isa::memory as model;
use crate::isa::operand::Part;
use crate::isa::regs::Names;
use crate::isa::text::{push_dec, push_hex};
use crate::isa::{Gen, Target};

/// What the offset consists of.
#[derive(Clone, Copy)]
struct Offset {
    register: Option<u32>,
    constant: Option<i64>,
}

/// The fields that nothing uses: of gfx9's constant and register those which no bit asks for, and of an offset field that names a register
/// the bits above its number.
pub(in crate::disasm) fn idle(target: &Target, form: &Form, words: &[u32], each: &mut dyn FnMut(Span)) {
    let m = form.memory;
    let above_register = |bits| Span { lo: m.offset.lo + bits, width: m.offset.width - bits, ..m.offset };
    if m.offset.width == 0 || has_soffset(form) {
        return;
    }
    let by_register = m.imm.width != 0 && m.imm.get(words) == 0;
    match target.generation() {
        Gen::Gfx9 if by_register && m.soffset_en.get(words) != 0 => each(m.offset),
        Gen::Gfx8 | Gen::Gfx9 if by_register => each(above_register(7)),
        _ => {}
    }
    if target.generation() == Gen::Gfx9 && m.soffset_en.get(words) == 0 {
        each(m.soffset);
    }
}

/// Checks a scalar memory instruction.
pub(in crate::disasm) fn check(target: &Target, form: &Form, words: &[u32]) -> Result<u8, Reason> {
    let mut len = form.words;
    let Some(slot) = form.slots.iter().find(|s| s.kind == Kind::Memory(Part::Offset)) else { return Ok(len) };
    if has_soffset(form) {
        return Ok(len);
    }
    let m = form.memory;
    if target.generation() == Gen::Gfx7 && m.imm.get(words) == 0 && slot.span.get(words) == 0xff {
        len += 1;
        if words.len() < usize::from(len) {
            return Err(Reason::Truncated);
        }
    }
    let offset = offset(target, form, words);
    let is_register = |code: u32| code < 128 && !Names::of(target).get(code as u16, 1).is_empty();
    let register = if target.generation() >= Gen::Gfx10 || m.soffset_en.get(words) != 0 { m.soffset } else { m.offset };
    require(target, form, words, register, offset.register.is_none_or(is_register))?;
    let (min, max) = model::scalar_offset_range(form, target);
    require(target, form, words, m.offset, offset.constant.is_none_or(|c| c >= min && c <= max))?;
    Ok(len)
}

/// Whether the offset register is an operand of its own.
fn has_soffset(form: &Form) -> bool {
    form.slots.iter().any(|s| s.kind == Kind::Memory(Part::Soffset))
}

/// Reads the offset.
fn offset(target: &Target, form: &Form, words: &[u32]) -> Offset {
    let m = form.memory;
    let value = m.offset.get(words);
    let signed = || i64::from(model::extend(value, m.offset.width));
    let imm = m.imm.get(words) != 0;
    match target.generation() {
        Gen::Gfx6 | Gen::Gfx7 | Gen::Gfx8 if imm => Offset { register: None, constant: Some(i64::from(value)) },
        Gen::Gfx7 if value == 0xff => Offset { register: None, constant: words.get(1).map(|w| i64::from(*w)) },
        Gen::Gfx6 | Gen::Gfx7 => Offset { register: Some(value), constant: None },
        Gen::Gfx8 => Offset { register: Some(value & 0x7f), constant: None },
        Gen::Gfx9 => {
            let soffset = m.soffset.get(words);
            match (imm, m.soffset_en.get(words) != 0) {
                (true, true) => Offset { register: Some(soffset), constant: Some(signed()) },
                (true, false) => Offset { register: None, constant: Some(signed()) },
                (false, true) => Offset { register: Some(soffset), constant: None },
                (false, false) => Offset { register: Some(value & 0x7f), constant: None },
            }
        }
        g @ (Gen::Gfx10 | Gen::Gfx11 | Gen::Gfx12) => {
            let soffset = m.soffset.get(words);
            let register = (soffset != model::null(g)).then_some(soffset);
            // gfx12 has no form with a register alone.
            let constant = (register.is_none() || value != 0 || g == Gen::Gfx12).then(signed);
            Offset { register, constant }
        }
    }
}

/// Prints the operands of a scalar memory instruction.
pub(in crate::disasm) fn print(target: &Target, form: &Form, words: &[u32], out: &mut Vec<u8>) {
    let prefetch = has_soffset(form);
    for (i, slot) in form.slots.iter().enumerate() {
        let Kind::Memory(part) = slot.kind else { continue };
        separate(i, out);
        let value = slot.span.get(words);
        match part {
            Part::Sbase => scalar(target, value << 1, slot.ty.dwords(), out),
            Part::Number if value <= 64 => push_dec(out, i64::from(value)),
            Part::Number => push_hex(out, u64::from(value)),
            Part::Offset if prefetch => hex(i64::from(model::extend(value, slot.span.width)), out),
            Part::Offset => {
                let offset = offset(target, form, words);
                if let Some(code) = offset.register {
                    scalar(target, code, 1, out);
                    if offset.constant.is_some() {
                        out.extend_from_slice(b" offset:");
                    }
                }
                if let Some(constant) = offset.constant {
                    hex(constant, out);
                }
            }
            _ => scalar(target, value, slot.ty.dwords(), out),
        }
    }
    policy(target, form, words, false, out);
    if form.memory.nv.get(words) != 0 {
        out.extend_from_slice(b" nv");
    }
}

fn hex(value: i64, out: &mut Vec<u8>) {
    if value < 0 {
        out.push(b'-');
    }
    push_hex(out, value.unsigned_abs());
}
