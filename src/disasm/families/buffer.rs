//! Buffer memory.

use super::memory::{offset, policy, require, scalar, separate, vector};
use crate::disasm::Reason;
use crate::isa::Target;
use crate::isa::form::{Form, Kind};
use crate::isa::format::Span;
use crate::isa::memory as model;
use crate::isa::operand::Part;
use crate::isa::regs::{Names, is_vector};
use crate::isa::row::{Family, Traits};
use crate::isa::symbols::format;

/// How many registers the address has.
fn address_dwords(form: &Form, words: &[u32]) -> u8 {
    let m = form.memory;
    (m.offen.get(words) + m.idxen.get(words) + 2 * m.addr64.get(words)) as u8
}

/// Whether the data goes to LDS by a bit of the instruction.
fn to_lds(form: &Form, words: &[u32]) -> bool {
    form.memory.lds.get(words) != 0 && model::has(form, Traits::MAY_LDS)
}

fn data_dwords(target: &Target, form: &Form, dwords: u8, words: &[u32]) -> u8 {
    model::data_dwords(form.row, dwords, target) + form.memory.tfe.get(words) as u8
}

/// The fields that nothing uses: the address that neither OFFEN nor IDXEN asks for, and the registers of data that goes to LDS.
pub(in crate::disasm) fn idle(_: &Target, form: &Form, words: &[u32], each: &mut dyn FnMut(Span)) {
    for slot in &form.slots {
        match slot.kind {
            Kind::Memory(Part::Addr) if address_dwords(form, words) == 0 => each(slot.span),
            Kind::Memory(Part::Data) if to_lds(form, words) => {
                each(slot.span);
                each(form.memory.acc);
            }
            _ => {}
        }
    }
}

/// Checks a buffer instruction.
pub(in crate::disasm) fn check(target: &Target, form: &Form, words: &[u32]) -> Result<u8, Reason> {
    let m = form.memory;
    let ask = |field, good| require(target, form, words, field, good);
    if m.lds.get(words) != 0 {
        ask(m.tfe, m.tfe.get(words) == 0)?;
    } else if m.lds.width != 0 && model::has(form, Traits::LDS) {
        ask(m.lds, false)?;
    }
    if model::has(form, Traits::NO_RET) {
        ask(m.glc, m.glc.get(words) == 0)?;
    }
    let lds = m.lds.get(words) != 0;
    for slot in &form.slots {
        let Kind::Memory(part) = slot.kind else { continue };
        let value = slot.span.get(words);
        let registers = |dwords| is_vector(target, value, dwords);
        match part {
            Part::Data if lds => {
                ask(slot.span, value == 0)?;
                ask(m.acc, m.acc.get(words) == 0)?;
            }
            Part::Data => ask(slot.span, registers(data_dwords(target, form, slot.ty.dwords(), words)))?,
            Part::Addr => {
                let dwords = address_dwords(form, words);
                ask(if m.addr64.get(words) != 0 { m.addr64 } else { m.offen }, dwords <= 2)?;
                ask(slot.span, dwords == 0 || registers(dwords))?;
            }
            _ => {}
        }
    }
    Ok(form.words)
}

/// Prints the operands of a buffer instruction.
pub(in crate::disasm) fn print(target: &Target, form: &Form, words: &[u32], out: &mut Vec<u8>) {
    let m = form.memory;
    let lds = m.lds.get(words) != 0;
    let dwords = address_dwords(form, words);
    for (index, slot) in form.slots.iter().skip(usize::from(to_lds(form, words))).enumerate() {
        let Kind::Memory(part) = slot.kind else { continue };
        let value = slot.span.get(words);
        separate(index, out);
        match part {
            Part::Data => vector(value, data_dwords(target, form, slot.ty.dwords(), words), m.acc.get(words) != 0, out),
            Part::Addr if dwords == 0 => out.extend_from_slice(b"off"),
            Part::Addr => vector(value, dwords, false, out),
            Part::Rsrc => scalar(target, if slot.span.width == 5 { value << 2 } else { value }, 4, out),
            _ => Names::of(target).get(value as u16, 1).push(out),
        }
    }
    if m.format.width != 0 {
        let value = m.format.get(words);
        if value != format::default(target) {
            out.extend_from_slice(b" format:");
            format::print(value, target, out);
        }
    }
    for (span, text) in [(m.addr64, " addr64"), (m.idxen, " idxen"), (m.offen, " offen")] {
        if span.get(words) != 0 {
            out.extend_from_slice(text.as_bytes());
        }
    }
    offset(form, words, out);
    let store_lds = lds && !model::has(form, Traits::MAY_LDS);
    if store_lds {
        out.extend_from_slice(b" lds");
    }
    policy(target, form, words, false, out);
    if m.tfe.get(words) != 0 && form.row.family == Family::Mubuf {
        out.extend_from_slice(b" tfe");
    }
    if lds && !store_lds {
        out.extend_from_slice(b" lds");
    }
}
