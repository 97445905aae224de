//! Flat, global and scratch memory: which of the addresses are there decides the form, and so does the number of operands for atomics.

use super::memory::{check_count, check_modifiers, is_null, offset, policy, scalar, vector};
use crate::asm::error::{AsmError, AsmResult};
use crate::asm::operand::{Operand, Parsed, Val};
use crate::isa::Target;
use crate::isa::form::{Form, Kind, Mod, NO_BIT};
use crate::isa::memory as model;
use crate::isa::operand::Part;
use crate::isa::row::{Family, Traits};

/// The code of `exec_hi`: older processors use it for "no scalar address".
const EXEC_HI: u32 = 127;

/// Encodes a flat, global or scratch instruction.
pub(in crate::asm) fn encode(target: &Target, form: &Form, p: &Parsed, words: &mut [u32; 5]) -> AsmResult<u8> {
    let m = form.memory;
    // Without an offset field `offset:0` says nothing, and LLVM takes it.
    if m.offset.width != 0 || p.value(Mod::Offset) != Some(0) || p.mod_set != 1 << Mod::Offset as u8 {
        check_modifiers(form, p)?;
    }
    let lds = p.flag(Mod::Lds);
    let atomic = model::has(form, Traits::ATOMIC);
    // An atomic without a result, or a load into LDS, lacks the first place.
    let returns = atomic && !model::has(form, Traits::NO_RET) && p.ops.len() == form.slots.len();
    let skip = usize::from(lds || atomic && !returns);
    check_count(p, form.slots.len() - skip)?;
    let places = || form.slots.iter().skip(skip).zip(&p.ops);
    let find = |part| places().find(|(s, _)| s.kind == Kind::Memory(part)).map(|(_, op)| op);
    let (addr, saddr) = (find(Part::Addr), find(Part::Saddr));
    let mut bank = None;
    for (slot, op) in places() {
        let Kind::Memory(part) = slot.kind else { continue };
        let value = match part {
            Part::Vdst | Part::Data => {
                let status = u8::from(part == Part::Vdst && p.flag(Mod::Tfe));
                let dwords = model::data_dwords(form.row, slot.ty.dwords(), target) + status;
                let (number, acc) = vector(target, op, dwords, slot.acc != NO_BIT)?;
                if bank.replace(acc).is_some_and(|b| b != acc) {
                    return Err(AsmError::rule(op.span(), "data and result must be of the same kind of registers"));
                }
                m.acc.set(words, u32::from(acc));
                number
            }
            Part::Addr => vector_address(target, form, op, saddr)?,
            Part::Saddr => scalar_address(target, form, op, addr, lds)?,
            _ => continue,
        };
        slot.span.set(words, value);
    }
    m.sve.set(words, u32::from(addr.is_some_and(|a| a.val != Val::Off)));
    m.lds.set(words, u32::from(lds));
    m.tfe.set(words, u32::from(p.flag(Mod::Tfe)));
    m.nv.set(words, u32::from(p.flag(Mod::Nv)));
    if m.offset.width != 0 {
        m.offset.set(words, offset(p, model::offset_range(form))?);
    }
    policy(target, form, p, returns, words)?;
    Ok(form.words)
}

/// The vector address: 64 bits alone, 32 bits beside a scalar one and in scratch.
fn vector_address(target: &Target, form: &Form, op: &Operand, saddr: Option<&Operand>) -> AsmResult<u32> {
    let dwords = match form.row.family {
        Family::Flat => 2,
        Family::Global => {
            if saddr.is_some_and(|s| s.val != Val::Off) {
                1
            } else {
                2
            }
        }
        _ if op.val == Val::Off => return Ok(0),
        _ => 1,
    };
    vector(target, op, dwords, false).map(|(number, _)| number)
}

/// The scalar address, or the code that says that there is none.
fn scalar_address(target: &Target, form: &Form, op: &Operand, addr: Option<&Operand>, lds: bool) -> AsmResult<u32> {
    let g = target.generation();
    let scratch = form.row.family == Family::Scratch;
    let no_vector = scratch && addr.is_some_and(|a| a.val == Val::Off);
    let fail = |rule| Err(AsmError::rule(op.span(), rule));
    if op.val == Val::Off {
        if !no_vector {
            return Ok(model::no_saddr(g));
        }
        if !model::scratch_without_address(form, target, lds) {
            return fail("this processor needs an address here");
        }
        return Ok(model::no_address(g));
    }
    if scratch && !no_vector && form.memory.sve.width == 0 {
        return fail("this processor has either a vector or a scalar address");
    }
    // `null` reads as 0, and is the code of `off`, where a bit or the opcode says that there is no vector address. gfx10 has no such
    // bit: `off, null` in scratch becomes `v0, off`, as with LLVM.
    if is_null(target, op) && (scratch || addr.is_none()) {
        return Ok(model::null(g));
    }
    let code = scalar(op, if scratch { 1 } else { 2 })?;
    if code == model::null(g) || scratch && code == EXEC_HI {
        return fail("this register cannot be an address");
    }
    Ok(code)
}
