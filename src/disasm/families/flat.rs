//! Flat, global and scratch memory.

use super::memory::{offset, policy, require, scalar, separate, vector};
use crate::disasm::Reason;
use crate::isa::form::{Form, Kind};
use crate::isa::format::Span;
use crate::isa::memory as model;
use crate::isa::operand::Part;
use crate::isa::regs::is_vector;
use crate::isa::row::{Family, Traits};
use crate::isa::symbols::cpol::ATOMIC_RETURN;
use crate::isa::{Gen, Target};

/// The addresses which an instruction has: registers of the vector address, and the code of the scalar one.
#[derive(Clone, Copy)]
struct Address {
    vector: u8,
    scalar: Option<u32>,
}

fn address(target: &Target, form: &Form, words: &[u32]) -> Address {
    let m = form.memory;
    let g = target.generation();
    let has_saddr = m.saddr.width != 0;
    let code = m.saddr.get(words);
    let scalar = (has_saddr && code != model::no_saddr(g)).then_some(code);
    match form.row.family {
        Family::Flat => Address { vector: 2, scalar: None },
        Family::Global => Address { vector: if scalar.is_some() { 1 } else { 2 }, scalar },
        // A bit says whether there is a vector address ...
        _ if m.sve.width != 0 => Address { vector: m.sve.get(words) as u8, scalar },
        // ... or, before there was one, it is there where no scalar one is.
        _ if g == Gen::Gfx10 && code == model::no_address(g) => Address { vector: 0, scalar: None },
        _ => Address { vector: u8::from(scalar.is_none()), scalar },
    }
}

/// Whether an atomic returns the old value.
fn returns(form: &Form, words: &[u32]) -> bool {
    model::has(form, Traits::ATOMIC) && form.memory.policy(words) & ATOMIC_RETURN != 0
}

/// Whether the first place, that of the result, is there.
fn has_result(form: &Form, words: &[u32]) -> bool {
    if model::has(form, Traits::ATOMIC) { returns(form, words) } else { form.memory.lds.get(words) == 0 }
}

/// The register that a status word adds to what is loaded.
fn status(form: &Form, part: Part, words: &[u32]) -> u8 {
    u8::from(part == Part::Vdst && form.memory.tfe.get(words) != 0)
}

/// The fields that nothing uses: the result of what returns none, and the vector address of what has a scalar one alone.
pub(in crate::disasm) fn idle(target: &Target, form: &Form, words: &[u32], each: &mut dyn FnMut(Span)) {
    for slot in &form.slots {
        match slot.kind {
            Kind::Memory(Part::Vdst) if !has_result(form, words) => each(slot.span),
            Kind::Memory(Part::Addr) if address(target, form, words).vector == 0 => each(slot.span),
            _ => {}
        }
    }
    if form.memory.lds.get(words) != 0 {
        each(form.memory.acc);
    }
}

/// Checks a flat, global or scratch instruction.
pub(in crate::disasm) fn check(target: &Target, form: &Form, words: &[u32]) -> Result<u8, Reason> {
    let m = form.memory;
    let ask = |field, good| require(target, form, words, field, good);
    let address = address(target, form, words);
    let result = has_result(form, words);
    let lds = m.lds.get(words) != 0;
    if model::has(form, Traits::NO_RET) {
        ask(if m.glc.width != 0 { m.glc } else { m.th }, !result)?;
    }
    ask(m.acc, !lds || m.acc.get(words) == 0)?;
    let mut seen_addr = false;
    for slot in &form.slots {
        let Kind::Memory(part) = slot.kind else { continue };
        let value = slot.span.get(words);
        match part {
            Part::Vdst if !result => {}
            Part::Vdst | Part::Data => {
                let dwords = model::data_dwords(form.row, slot.ty.dwords(), target) + status(form, part, words);
                ask(slot.span, is_vector(target, value, dwords))?;
            }
            Part::Addr if address.vector == 0 => seen_addr = true,
            Part::Addr => {
                seen_addr = true;
                ask(slot.span, is_vector(target, value, address.vector))?;
            }
            _ => {}
        }
    }
    if form.row.family == Family::Scratch && seen_addr && address.vector == 0 && address.scalar.is_none() {
        ask(m.saddr, model::scratch_without_address(form, target, lds))?;
    }
    Ok(form.words)
}

/// Prints the operands of a flat, global or scratch instruction.
pub(in crate::disasm) fn print(target: &Target, form: &Form, words: &[u32], out: &mut Vec<u8>) {
    let address = address(target, form, words);
    let acc = form.memory.acc.get(words) != 0;
    let skip = model::has(form, Traits::ATOMIC) || form.memory.lds.width != 0;
    let skip = usize::from(skip && !has_result(form, words));
    for (i, slot) in form.slots.iter().skip(skip).enumerate() {
        let Kind::Memory(part) = slot.kind else { continue };
        separate(i, out);
        let value = slot.span.get(words);
        match part {
            Part::Vdst | Part::Data => {
                let dwords = model::data_dwords(form.row, slot.ty.dwords(), target) + status(form, part, words);
                vector(value, dwords, acc, out);
            }
            Part::Addr if address.vector == 0 => out.extend_from_slice(b"off"),
            Part::Addr => vector(value, address.vector, false, out),
            _ => match address.scalar {
                Some(code) => scalar(target, code, if form.row.family == Family::Scratch { 1 } else { 2 }, out),
                None => out.extend_from_slice(b"off"),
            },
        }
    }
    offset(form, words, out);
    policy(target, form, words, returns(form, words), out);
    if form.memory.lds.get(words) != 0 {
        out.extend_from_slice(b" lds");
    }
    if form.memory.tfe.get(words) != 0 {
        out.extend_from_slice(b" tfe");
    }
    if form.memory.nv.get(words) != 0 {
        out.extend_from_slice(b" nv");
    }
}
