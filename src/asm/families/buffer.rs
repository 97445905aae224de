//! Buffer memory: the modifiers `idxen`, `offen` and `addr64` say what the address operand is, `lds` and `tfe` change the data.

use super::memory::{check_count, check_modifiers, offset, policy, register, scalar, vector};
use crate::asm::constant::{self, Constant, Number};
use crate::asm::error::{AsmError, AsmResult};
use crate::asm::operand::{Operand, Parsed, Val};
use crate::isa::form::{Form, Kind, Mod, NO_BIT};
use crate::isa::format::Span;
use crate::isa::memory as model;
use crate::isa::operand::{Part, Ty};
use crate::isa::regs::Bank;
use crate::isa::row::Traits;
use crate::isa::symbols::format;
use crate::isa::{Gen, Target};

/// The code of `src_scc`.
const SRC_SCC: u16 = 253;

/// Encodes a buffer instruction.
pub(in crate::asm) fn encode(target: &Target, form: &Form, p: &Parsed, words: &mut [u32; 5]) -> AsmResult<u8> {
    check_modifiers(form, p)?;
    let m = form.memory;
    let lds = p.flag(Mod::Lds);
    let tfe = p.flag(Mod::Tfe);
    if let Some(at) =
        p.modifier(Mod::Tfe).filter(|t| t.value != 0 && (lds || form.row.dst.ty == Ty::B32 && is_store(form)))
    {
        return Err(AsmError::rule(
            at.start as usize..at.end as usize,
            "the status word of tfe goes with loads into registers",
        ));
    }
    // With the modifier, what is loaded has no operand.
    let to_lds = lds && model::has(form, Traits::MAY_LDS);
    let skip = usize::from(to_lds);
    check_count(p, form.slots.len() - skip)?;
    if model::has(form, Traits::LDS) && m.lds.width != 0 && !lds {
        let end = super::memory::whole(p).end;
        return Err(AsmError::expected(end, "the modifier lds"));
    }
    for (slot, op) in form.slots.iter().skip(skip).zip(&p.ops) {
        let Kind::Memory(part) = slot.kind else { continue };
        let value = match part {
            Part::Data => {
                let dwords = model::data_dwords(form.row, slot.ty.dwords(), target) + u8::from(tfe);
                let (number, acc) = vector(target, op, dwords, slot.acc != NO_BIT)?;
                if acc {
                    m.acc.set(words, 1);
                }
                number
            }
            Part::Addr => address(target, form, p, op)?,
            Part::Rsrc => {
                let code = scalar(op, 4)?;
                // Before gfx12 the field counts in groups of four.
                if slot.span.width == 5 { code >> 2 } else { code }
            }
            Part::Soffset => scalar_offset(target, op, slot.span)?,
            _ => continue,
        };
        slot.span.set(words, value);
    }
    m.offset.set(words, offset(p, model::offset_range(form))?);
    m.offen.set(words, u32::from(p.flag(Mod::Offen)));
    m.idxen.set(words, u32::from(p.flag(Mod::Idxen)));
    m.addr64.set(words, u32::from(p.flag(Mod::Addr64)));
    m.lds.set(words, u32::from(lds));
    m.tfe.set(words, u32::from(tfe));
    if m.format.width != 0 {
        let value = p.value(Mod::Format).map_or(format::default(target), |v| v as u32);
        m.format.set(words, value);
    }
    policy(target, form, p, returns(target, form, p), words)?;
    Ok(form.words)
}

fn is_store(form: &Form) -> bool {
    form.row.dst.class == crate::isa::operand::Class::None
}

/// Whether an atomic is to return the old value: the operands are the same, so only the policy tells.
fn returns(target: &Target, form: &Form, p: &Parsed) -> bool {
    model::has(form, Traits::ATOMIC)
        && !model::has(form, Traits::NO_RET)
        && target.generation() != Gen::Gfx12
        && p.policy.has_glc()
}

/// The address: a register for `idxen` or `offen`, two for both or `addr64`, none without.
fn address(target: &Target, form: &Form, p: &Parsed, op: &Operand) -> AsmResult<u32> {
    let (idxen, offen, addr64) = (p.flag(Mod::Idxen), p.flag(Mod::Offen), p.flag(Mod::Addr64));
    let fail = |rule| Err(AsmError::rule(op.span(), rule));
    if addr64 && (idxen || offen) {
        return fail("addr64 does not go with idxen or offen");
    }
    let dwords = if addr64 { 2 } else { u8::from(idxen) + u8::from(offen) };
    match (&op.val, dwords) {
        (Val::Off, 0) => Ok(0),
        (Val::Off, _) => fail("idxen, offen and addr64 need a vector address"),
        (_, 0) if form.memory.addr64.width != 0 => fail("a vector address needs idxen, offen or addr64"),
        (_, 0) => fail("a vector address needs idxen or offen"),
        _ => vector(target, op, dwords, false).map(|(number, _)| number),
    }
}

/// The scalar offset: a register, and up to gfx11 an inline constant.
fn scalar_offset(target: &Target, op: &Operand, span: Span) -> AsmResult<u32> {
    let fail = |rule| Err(AsmError::rule(op.span(), rule));
    if op.modified() || op.lit {
        return fail("operand modifiers are not allowed here");
    }
    let number = match op.val {
        Val::Reg(reg) if span.width == 8 => {
            register(op)?;
            if !matches!(reg.bank, Bank::Sgpr | Bank::Ttmp | Bank::Special) || reg.code == 254 {
                return fail("a scalar register or an inline constant is needed here");
            }
            if reg.dwords != 1 {
                return fail("one register is needed here");
            }
            return Ok(u32::from(reg.code));
        }
        // LLVM 19 takes this value and drops the top bit of its code, which leaves that of m0.
        Val::Reg(reg) if reg.code == SRC_SCC => return Ok(u32::from(SRC_SCC) & span.max()),
        Val::Reg(_) => return scalar(op, 1),
        _ if span.width != 8 => return fail("a scalar register or null is needed here"),
        Val::Int(v) => Number::Int(v),
        Val::Float(v) => Number::Float(v),
        _ => return fail("a scalar register or an inline constant is needed here"),
    };
    match constant::encode(number, Ty::B32, target.generation() >= Gen::Gfx8, false) {
        Some(Constant::Inline(code)) => Ok(code),
        _ => fail("a literal constant is not allowed here"),
    }
}
