//! Image instructions: MIMG, VIMAGE, VSAMPLE.
//!
//! The text is data, address, resource and sampler. How wide the data are follows from DMASK, D16 and TFE; how wide the address is,
//! from the parts that the instruction takes, the dimension and A16. The address is a range of registers or, from gfx10 on, a list:
//! gfx10 writes the registers behind the first into up to three more words, gfx11 four of them into one word, the last of which may
//! begin a range, and gfx12 has fields for all.

use super::super::error::{AsmError, AsmResult, Problem};
use super::super::modifiers;
use super::super::operand::{Operand, Parsed, Val};
use crate::isa::form::{Form, Kind, Mod, NO_BIT, Slot};
use crate::isa::image::{Address, Shape, list_limit};
use crate::isa::regs::{Bank, Half, Reg};
use crate::isa::row::Traits;
use crate::isa::symbols::cpol::{Access, Use};
use crate::isa::symbols::dim;
use crate::isa::{Gen, Target, Variants};
use std::ops::Range;

/// Encodes an image instruction.
pub(in crate::asm) fn encode(target: &Target, form: &Form, p: &Parsed, words: &mut [u32; 5]) -> AsmResult<u8> {
    let shape = Shape::of(form.row);
    let count = if shape.sampler { 4 } else { 3 };
    let Some(ops) = p.ops.get(..count) else {
        let end = p.ops.last().map_or(0, |o| o.end as usize);
        return Err(AsmError::rule(end..end + 1, "too few operands for this instruction"));
    };
    if let Some(extra) = p.ops.get(count) {
        return Err(AsmError::rule(extra.span(), "too many operands for this instruction"));
    }
    if let Some(op) = ops.iter().find(|o| o.modified()) {
        return Err(AsmError::rule(op.span(), "operands of image instructions have no modifiers"));
    }
    let whole = ops[0].start as usize..ops[count - 1].end as usize;
    let mods = modifiers(target, form, p, &shape, &whole, words)?;
    let at = form.slots.iter().position(|s| s.kind == Kind::Sgpr).unwrap_or(form.slots.len());
    scalar(
        &form.slots[at],
        &ops[2],
        p,
        "a resource is needed here: a range of 8 scalar registers, of 4 for rays",
        words,
    )?;
    if shape.sampler {
        scalar(&form.slots[at + 1], &ops[3], p, "a sampler is needed here: a range of 4 scalar registers", words)?;
    }
    data(target, form, &ops[0], p, &shape, &mods, words)?;
    address(target, form, &ops[1], p, &shape, &mods, words)
}

/// The modifiers that decide widths.
#[derive(Default)]
struct Mods {
    dmask: u32,
    dim: u32,
    a16: bool,
    d16: bool,
    tfe: bool,
}

/// Encodes modifiers and cache policy.
fn modifiers(
    target: &Target,
    form: &Form,
    p: &Parsed,
    shape: &Shape,
    whole: &Range<usize>,
    words: &mut [u32; 5],
) -> AsmResult<Mods> {
    let mut mods = Mods::default();
    let mut has_dim = false;
    for m in &p.mods {
        let span = m.start as usize..m.end as usize;
        let Some(slot) = form.mods.iter().find(|s| s.id == m.id) else {
            let name = modifiers::name_of(m.id).to_owned();
            return Err(AsmError::new(
                span,
                Problem::Named { rule: "this instruction does not take the modifier", name },
            ));
        };
        let max = i64::from(slot.span.max());
        if !(0..=max).contains(&m.value) {
            let what = modifiers::name_of(m.id);
            return Err(AsmError::new(span, Problem::Range { what, value: m.value, min: 0, max }));
        }
        let value = m.value as u32;
        slot.span.set(words, value);
        match m.id {
            Mod::Dmask => mods.dmask = value,
            Mod::A16 => mods.a16 = value != 0,
            Mod::D16 => mods.d16 = value != 0,
            Mod::Tfe => mods.tfe = value != 0,
            Mod::Dim => {
                (mods.dim, has_dim) = (value, true);
                if shape.traits.contains(Traits::MSAA) && !dim::is_msaa(value) {
                    return Err(AsmError::rule(span, "the dimension must be one with samples"));
                }
            }
            _ => {}
        }
    }
    if !has_dim && form.mod_set & 1 << Mod::Dim as u8 != 0 {
        return Err(AsmError::rule(whole.end..whole.end + 1, "the dimension is missing: `dim:`"));
    }
    if shape.traits.contains(Traits::BVH) {
        if p.policy_span.end != 0 {
            return Err(AsmError::rule(p.policy_span.clone(), "this instruction has no cache policy"));
        }
        return Ok(mods);
    }
    let usage = usage(shape.traits);
    let place = if p.policy_span.end == 0 { whole.clone() } else { p.policy_span.clone() };
    let policy = p.policy.finish(usage, place, target)?;
    for slot in &form.mods {
        let value = match slot.id {
            Mod::Glc => policy & 1,
            Mod::Slc => policy >> 1 & 1,
            Mod::Dlc => policy >> 2 & 1,
            Mod::Scc => policy >> 4 & 1,
            Mod::Th => policy & 7,
            Mod::Scope => policy >> 3 & 3,
            _ => continue,
        };
        slot.span.set(words, value);
    }
    if shape.traits.contains(Traits::GATHER) && mods.dmask.count_ones() != 1 {
        return Err(AsmError::rule(
            mask_span(p, whole),
            "a gather takes one component: exactly one bit of dmask must be set",
        ));
    }
    if shape.traits.contains(Traits::ATOMIC) && !matches!(mods.dmask, 1 | 3 | 15) {
        return Err(AsmError::rule(mask_span(p, whole), "the dmask of an atomic is 1, 3 or 15"));
    }
    Ok(mods)
}

/// What the instruction does to memory. An image atomic need not say whether it returns the old value.
fn usage(traits: Traits) -> Use {
    let access = if traits.contains(Traits::ATOMIC) {
        Access::Atomic
    } else if traits.contains(Traits::STORE) {
        Access::Store
    } else {
        Access::Load
    };
    Use { access, returns: access == Access::Atomic, scalar: false, image: true }
}

fn mask_span(p: &Parsed, whole: &Range<usize>) -> Range<usize> {
    p.modifier(Mod::Dmask).map_or_else(|| whole.clone(), |m| m.start as usize..m.end as usize)
}

/// The register range of an operand; a list of consecutive registers is one.
fn range(op: &Operand, p: &Parsed, rule: &'static str) -> AsmResult<Reg> {
    match op.val {
        Val::Reg(reg) if reg.half == Half::Whole => Ok(reg),
        Val::List(first, n) => {
            let list = p.list.get(usize::from(first)..usize::from(first) + usize::from(n)).unwrap_or(&[]);
            if let [one] = list {
                return Ok(*one);
            }
            let Some(start) = list.first() else { return Err(AsmError::rule(op.span(), rule)) };
            let follow = |(i, r): (usize, &Reg)| {
                r.dwords == 1 && r.bank == start.bank && usize::from(r.code) == usize::from(start.code) + i
            };
            if !list.iter().enumerate().all(follow) {
                return Err(AsmError::rule(op.span(), "the registers of a list must follow each other"));
            }
            Ok(Reg { dwords: list.len() as u8, ..*start })
        }
        _ => Err(AsmError::rule(op.span(), rule)),
    }
}

/// Encodes a resource or sampler. A field of five bits counts in fours.
fn scalar(slot: &Slot, op: &Operand, p: &Parsed, rule: &'static str, words: &mut [u32; 5]) -> AsmResult<()> {
    let reg = range(op, p, rule)?;
    if !matches!(reg.bank, Bank::Sgpr | Bank::Ttmp) || reg.dwords != slot.ty.dwords() || !reg.code.is_multiple_of(4) {
        return Err(AsmError::rule(op.span(), rule));
    }
    let code = u32::from(reg.code);
    slot.span.set(words, if slot.span.bits() == 5 { code >> 2 } else { code });
    Ok(())
}

/// Encodes the data.
fn data(
    target: &Target,
    form: &Form,
    op: &Operand,
    p: &Parsed,
    shape: &Shape,
    mods: &Mods,
    words: &mut [u32; 5],
) -> AsmResult<()> {
    let slot = &form.slots[0];
    if op.val == Val::Off {
        if !shape.traits.contains(Traits::SAMPLE) || target.generation() < Gen::Gfx10 {
            return Err(AsmError::rule(op.span(), "this instruction needs data registers"));
        }
        // So does LLVM, which takes a sample without result for an atomic here.
        if !matches!(mods.dmask, 1 | 3 | 15) {
            return Err(AsmError::rule(op.span(), "the dmask of a sample without result is 1, 3 or 15"));
        }
        return Ok(());
    }
    let reg = range(op, p, "vector registers are needed here")?;
    match reg.bank {
        Bank::Vgpr => {}
        Bank::Agpr if slot.acc != NO_BIT => words[usize::from(slot.acc / 32)] |= 1 << (slot.acc % 32),
        _ => return Err(AsmError::rule(op.span(), "vector registers are needed here")),
    }
    aligned(target, reg, op)?;
    let need = if shape.traits.contains(Traits::BVH) {
        shape.value
    } else {
        shape.data(mods.dmask, mods.d16, mods.tfe, target)
    };
    if reg.dwords != need || shape.data_widths() & 1 << need == 0 {
        return Err(AsmError::rule(op.span(), "the number of data registers does not match dmask, d16 and tfe"));
    }
    slot.span.set(words, u32::from(reg.code - 256));
    Ok(())
}

/// gfx90a reads ranges of vector registers in pairs.
fn aligned(target: &Target, reg: Reg, op: &Operand) -> AsmResult<()> {
    if target.is(Variants::CDNA2) && reg.dwords > 1 && !reg.code.is_multiple_of(2) {
        return Err(AsmError::rule(op.span(), "vector register ranges start at an even number on this processor"));
    }
    Ok(())
}

const MISMATCH: &str = "the number of address registers does not match the instruction, dim and a16";
const VECTOR: &str = "the address must be vector registers";

/// Encodes the address; gives the number of words.
fn address(
    target: &Target,
    form: &Form,
    op: &Operand,
    p: &Parsed,
    shape: &Shape,
    mods: &Mods,
    words: &mut [u32; 5],
) -> AsmResult<u8> {
    let g = target.generation();
    let mismatch = || Err(AsmError::rule(op.span(), MISMATCH));
    let vector = |reg: &Reg| reg.bank == Bank::Vgpr && reg.half == Half::Whole;
    let first = &form.slots[1];
    let need = shape.address.registers(mods.dim, mods.a16);
    let list = match op.val {
        Val::List(at, n) if n > 1 && g >= Gen::Gfx10 => p.list.get(usize::from(at)..usize::from(at) + usize::from(n)),
        _ => None,
    };
    let Some(list) = list else {
        let reg = range(op, p, VECTOR)?;
        if !vector(&reg) {
            return Err(AsmError::rule(op.span(), VECTOR));
        }
        aligned(target, reg, op)?;
        let exists = reg.dwords < 32 && shape.address_widths() & 1 << reg.dwords != 0;
        let fits = match g {
            Gen::Gfx12 => reg.dwords == 1 && need == 1,
            // A range of eight may stand for five to seven, for which there were no names once.
            Gen::Gfx10 | Gen::Gfx11 => reg.dwords == need || reg.dwords == 8 && (5..=7).contains(&need),
            _ => true,
        };
        if !exists || !fits {
            return mismatch();
        }
        first.span.set(words, u32::from(reg.code - 256));
        return Ok(form.words);
    };
    if let Some(bad) = list.iter().find(|r| !vector(r)) {
        let rule = if bad.half == Half::Whole { VECTOR } else { "the address must be whole registers" };
        return Err(AsmError::rule(op.span(), rule));
    }
    let n = list.len() as u8;
    if shape.address.contains(Address::RAY) && g >= Gen::Gfx11 {
        let parts = shape.address.ray(mods.a16);
        if !list.iter().map(|r| r.dwords).eq(parts.into_iter().filter(|w| *w > 0)) {
            return mismatch();
        }
    } else {
        let limit = list_limit(target, shape);
        let tail = if g >= Gen::Gfx11 && need > limit { need - limit + 1 } else { 1 };
        let (_, most) = if shape.address.contains(Address::RAY) { (0, 12) } else { shape.list() };
        let (rest, last) = list.split_at(list.len() - 1);
        if n + tail - 1 != need
            || need > most
            || n > limit
            || rest.iter().any(|r| r.dwords != 1)
            || last[0].dwords != tail
        {
            return mismatch();
        }
    }
    let number = |r: &Reg| u32::from(r.code - 256);
    if g == Gen::Gfx12 {
        for (slot, reg) in form.slots[1..].iter().take_while(|s| s.kind == Kind::Vgpr).zip(list) {
            slot.span.set(words, number(reg));
        }
        return Ok(form.words);
    }
    first.span.set(words, number(&list[0]));
    for (i, reg) in list[1..].iter().enumerate() {
        words[2 + i / 4] |= number(reg) << (8 * (i % 4));
    }
    let more = (n + 2) / 4;
    if let Some(nsa) = form.format.field("NSA") {
        nsa.set(words, if g == Gen::Gfx10 { u32::from(more) } else { 1 });
    }
    Ok(form.words + more)
}
