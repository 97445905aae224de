//! Loads, stores, atomics and samples of images, each behind instructions that make its descriptors and coordinates.
//!
//! Every wave has memory of its own, where the whole image of each instruction lies; descriptors are those of the
//! [suite](crate::suite::images) of images, with literals for all but the address. Coordinates are some bits of any register: numbers about
//! the sides of an image, or floats on both sides of 1. Stores and atomics are of one lane, since who wins where lanes meet is left open.

use super::code::{EXEC, LITERAL, Writer};
use super::draw::{Drawn, Place, WORDS};
use super::operand::{self, LANE, Operand};
use super::pool::LANES;
use crate::disasm;
use crate::isa::Gen;
use crate::isa::does::{Does, Texels};
use crate::isa::examples::modifier_values;
use crate::isa::form::{Form, Kind, Mod, Table};
use crate::isa::row::Family;
use crate::laws::Chance;
use crate::program::Program;
use crate::program::memory::image::Bits;
use crate::suite::images;

/// The address of the memory of a wave without its low eight bits, as descriptors have it; the descriptors; in scalar registers.
pub(super) const BASE: u32 = 72;
const IMAGE: u32 = 76;
const SAMPLER: u32 = 84;
/// The first register of an address in vector registers.
const ADDRESS: u32 = 16;

/// The masks of a coordinate, and the bits that are set behind it: of numbers, of floats between 0.5 and 2, each also as two halves.
const NUMBERS: [(u32, u32); 2] = [(0x1f, 0), (0x001f_001f, 0)];
const FLOATS: [(u32, u32); 2] = [(0x80ff_ffff, 0x3f00_0000), (0x87ff_87ff, 0x3800_3800)];

/// An address as descriptors have it: 48 bits without the low eight.
pub(super) fn base(address: u64) -> u64 {
    address >> 8 & ((1 << 40) - 1)
}

/// Whether an instruction is one of those whose texels can be kept.
pub(super) fn takes(form: &Form) -> bool {
    form.row.family == Family::Mimg && matches!(form.row.does, Does::Texels(_) | Does::Atomic(_))
}

/// As [`super::draw::source`]: data and address.
pub(super) fn source(form: &Form, at: usize) -> Option<(&'static str, u8)> {
    (form.slots[at].kind == Kind::Vgpr && at < 2).then_some((form.row.name, 8 + at as u8))
}

/// An instruction of a form, with the instructions that make its descriptors and coordinates.
pub(super) fn draw(table: &'static Table, form: &Form, chance: &mut Chance) -> Option<Drawn> {
    let (target, writer) = (table.target, Writer { table });
    let mut words = [0u32; WORDS];
    words[..3].copy_from_slice(&form.base);
    let mut modifiers = 0;
    for m in &form.mods {
        let some = match m.id {
            Mod::Tfe | Mod::Lwe | Mod::R128 | Mod::Scc => vec![0],
            Mod::Dmask => vec![15, 1, 3, 1 + chance.below(15) as u32],
            _ => modifier_values(m.id, m.span),
        };
        let n = chance.below(some.len());
        let Some(value) = some.get(n) else { continue };
        m.span.set(&mut words, *value);
        modifiers |= u64::from(n != 0) << (m.id as u8);
    }
    let any = |chance: &mut Chance| chance.below(LANE as usize - 5) as u32;
    if let Some(list) = form.format.field("NSA").filter(|_| chance.below(2) == 1) {
        list.set(&mut words, 1);
        words[2] = (0..4).fold(0, |all, n| all | any(chance) << (8 * n));
    }
    let mut scalars = [IMAGE, SAMPLER].into_iter();
    let mut places = Vec::new();
    for (at, slot) in form.slots.iter().enumerate() {
        let code = match slot.kind {
            Kind::Sgpr => scalars.next()? / if slot.span.bits() == 5 { 4 } else { 1 },
            _ if at == 1 => ADDRESS,
            _ => any(chance),
        };
        slot.span.set(&mut words, code);
        if let Some((row, source)) = source(form, at) {
            let operand = Operand::Vector;
            places.push(Place { row, source, operand, code: 256 + code, ty: slot.ty, class: 0, bits: 0 });
        }
    }
    let decoded = disasm::decode(table, &words).ok().filter(|decoded| std::ptr::eq(decoded.form, form))?;
    disasm::executed(table, &words).ok()?;
    let mut all = words[..usize::from(decoded.len)].to_vec();
    let program = Program::new(target, &all, 0);
    let access = program.steps.first().filter(|step| step.executes)?.memory.as_deref()?;
    let image = access.image.as_deref()?;
    if image.registers.iter().any(|register| *register >= LANE) {
        return None;
    }
    // Any address will do here; the wave's own takes its place.
    let (resource, sampler) = images::descriptors(target, form.row, access, images::BYTES, chance)?;
    if !images::is_inside(&resource, &target, images::BYTES) {
        return None;
    }
    let mut before = vec![
        writer.sop1("s_mov_b32", IMAGE, BASE),
        writer.sop2("s_or_b32", IMAGE + 1, BASE + 1, LITERAL),
        resource[1] & !0xff,
    ];
    let rest = (IMAGE + 2..).zip(&resource[2..]).chain((SAMPLER..).zip(sampler.iter().flatten()));
    before.extend(rest.flat_map(|(register, word)| writer.mov(register, *word)));
    let kinds = if image.sampler.is_some() { FLOATS } else { NUMBERS };
    let (mask, bits) = kinds[usize::from(image.has(Bits::A16))];
    for &register in &image.registers {
        before.extend([writer.vop2("v_and_b32", register, LITERAL, operand::vector(1, chance)), mask]);
        before.extend([writer.vop2("v_or_b32", register, LITERAL, register), bits]);
    }
    let alone = matches!(form.row.does, Does::Texels(Texels::Store(_)) | Does::Atomic(_));
    if alone {
        let lane = chance.below(64);
        let lane = if target.wave32() { lane % 32 } else { lane };
        before
            .extend((EXEC..).zip([1u64 << lane, (1 << lane) >> 32]).flat_map(|(to, bits)| writer.mov(to, bits as u32)));
    }
    if target.generation() <= Gen::Gfx11 {
        all.push(writer.sopp("s_waitcnt", 0));
    }
    if alone {
        all.push(writer.mask1("s_mov", EXEC, LANES));
    }
    Some(Drawn { before, words: all, row: form.row.name, shape: (form.format.name, form.variant), places, modifiers })
}
