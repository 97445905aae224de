//! Exports, and the interpolation of parameters, each behind instructions that set M0.
//!
//! LDS holds the parameters of primitives: M0 says where they begin and, a bit for each quad, where another primitive does; an instruction that
//! loads from LDS directly finds an address there. Any M0 means something. What a wave exports is part of what is compared.

use super::code::{LITERAL, Writer};
use super::draw::{Drawn, Place, WORDS};
use super::operand::{self, Operand};
use crate::disasm;
use crate::isa::examples::modifier_values;
use crate::isa::form::{Form, Kind, NO_BIT, Table};
use crate::isa::row::Family;
use crate::isa::{Gen, regs};
use crate::laws::Chance;

/// Whether an instruction is one of these.
pub(super) fn takes(form: &Form) -> bool {
    matches!(form.row.family, Family::Exp | Family::Vintrp | Family::Vop3Interp | Family::Ldsdir)
}

/// As [`super::draw::source`]. A destination counts too, for some of them have nothing else.
pub(super) fn source(form: &Form, at: usize) -> Option<(&'static str, u8)> {
    let slot = &form.slots[at];
    let number = if slot.source == NO_BIT { 8 + at as u8 } else { slot.source };
    is_register(form, at).then_some((form.row.name, number))
}

/// Whether a place holds a vector register and nothing else.
fn is_register(form: &Form, at: usize) -> bool {
    matches!(form.slots[at].kind, Kind::Vgpr) || operand::kinds(&form.slots[at]) == [Operand::Vector]
}

/// An instruction of a form, with the instructions that set M0.
pub(super) fn draw(table: &'static Table, form: &Form, chance: &mut Chance) -> Option<Drawn> {
    let (g, writer) = (table.target.generation(), Writer { table });
    let mut words = [0u32; WORDS];
    words[..3].copy_from_slice(&form.base);
    let mut modifiers = 0;
    for m in &form.mods {
        let values = modifier_values(m.id, m.span);
        let n = chance.below(values.len());
        let Some(value) = values.get(n) else { continue };
        m.span.set(&mut words, *value);
        modifiers |= u64::from(n != 0) << (m.id as u8);
    }
    if let Some(enabled) = form.format.field("EN") {
        enabled.set(&mut words, [15, 15, chance.below(16) as u32][chance.below(3)]);
    }
    let mut places = Vec::new();
    for (at, slot) in form.slots.iter().enumerate() {
        let any = chance.next_u64() as u32;
        match source(form, at) {
            Some((row, source)) => {
                let register = operand::vector(slot.ty.dwords().into(), chance);
                let code = if slot.span.bits() >= 9 { 256 + register } else { register };
                slot.span.set(&mut words, code);
                let operand = Operand::Vector;
                places.push(Place { row, source, operand, code: 256 + register, ty: slot.ty, class: 0, bits: 0 });
            }
            None => {
                if let Kind::Attr(channel) = slot.kind {
                    channel.set(&mut words, any >> 8 & channel.max());
                }
                // The decoder refuses what there is not.
                slot.span.set(&mut words, any & slot.span.max());
            }
        }
    }
    let decoded = disasm::decode(table, &words).ok().filter(|decoded| std::ptr::eq(decoded.form, form))?;
    disasm::executed(table, &words).ok()?;
    let mut all = words[..usize::from(decoded.len)].to_vec();
    if g <= Gen::Gfx11 {
        all.push(writer.sopp("s_waitcnt", 0));
    }
    // Parameters begin in the first half of LDS, mostly; addresses of words and of bytes.
    let m0 = chance.next_u64() as u32;
    let m0 = [m0 & 0xffff_03fc, m0 & 0x7_03ff, m0][chance.below(3)];
    let before = vec![writer.sop1("s_mov_b32", regs::m0_code(g).into(), LITERAL), m0];
    Some(Drawn { before, words: all, row: form.row.name, shape: (form.format.name, form.variant), places, modifiers })
}
