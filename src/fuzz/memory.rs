//! Loads, stores and atomics, each with instructions in front of it that keep its address where memory is.
//!
//! Every wave has a window of 4 KiB of its own in one region, and LDS of its own. Offsets are multiples of 16 below half of the window, so
//! that lanes meet wholly or not at all: who wins where they overlap in part is left open. Buffer instructions also reach beyond their
//! descriptors, for what happens then is defined. Nothing is left to the instruction itself but its data.

use super::code::{LITERAL, Writer, int};
use super::draw::{Drawn, Place, WORDS};
use super::image;
use super::operand::{self, LANE, Operand};
use crate::case::random::{Class, random};
use crate::case::value::{Descriptor, File, Lit};
use crate::case::{Buffer, Case, Init, Value, descriptor};
use crate::disasm;
use crate::engine::registers::Registers;
use crate::isa::does::atomic::Shape;
use crate::isa::does::{Does, Idle, Way};
use crate::isa::examples::modifier_values;
use crate::isa::form::{Form, Kind, Mod, Slot, Table};
use crate::isa::operand::Part;
use crate::isa::row::{Family, Traits};
use crate::isa::types::Ty;
use crate::isa::{Gen, Target};
use crate::laws::Chance;
use crate::memory::format::Format;
use crate::suite::images;

/// Bytes of a window, and of LDS.
pub(super) const WINDOW: u64 = 4096;
pub(super) const LDS: u32 = 2048;
/// The address of the window, two descriptors of it, and a small offset, in scalar registers.
const BASE: u32 = 72;
const RAW: u32 = 76;
const STRUCTURED: u32 = 80;
const SMALL: u32 = 84;
/// The address in vector registers.
const ADDRESS: u32 = 28;
/// What the small offset is.
const OFFSET: u32 = 32;

/// Which source a place counts as.
fn number(part: Part) -> Option<u8> {
    let parts = [
        Part::Addr,
        Part::Data,
        Part::Data1,
        Part::Rsrc,
        Part::Soffset,
        Part::Saddr,
        Part::Sbase,
        Part::Offset,
        Part::Sdata,
    ];
    parts.iter().position(|p| *p == part).map(|n| 8 + n as u8)
}

/// The part that a place is: those of LDS instructions are vector registers, told apart by their fields.
fn part(form: &Form, slot: &Slot) -> Option<Part> {
    match slot.kind {
        Kind::Memory(part) => Some(part),
        Kind::Vgpr => {
            let fields = [("ADDR", Part::Addr), ("DATA0", Part::Data), ("DATA1", Part::Data1)];
            fields.into_iter().find(|(name, _)| form.format.field(name) == Some(slot.span)).map(|(_, part)| part)
        }
        _ => None,
    }
}

/// As [`super::draw::source`].
pub(super) fn source(form: &Form, at: usize) -> Option<(&'static str, u8)> {
    let part = part(form, &form.slots[at])?;
    number(part).map(|number| (form.row.name, number))
}

/// The kinds of operands of a place.
pub(super) fn kinds(form: &Form, slot: &Slot) -> Vec<Operand> {
    match part(form, slot) {
        Some(Part::Addr | Part::Data | Part::Data1) => vec![Operand::Vector],
        Some(Part::Rsrc | Part::Sbase | Part::Sdata) => vec![Operand::Scalar],
        Some(Part::Soffset) if slot.span.bits() >= 8 => vec![Operand::Scalar, Operand::Int],
        Some(Part::Soffset | Part::Saddr) => vec![Operand::Scalar, Operand::Special],
        Some(Part::Offset) => vec![Operand::Int, Operand::Scalar],
        _ => Vec::new(),
    }
}

/// Whether an instruction is one of those whose addresses can be kept.
pub(super) fn takes(form: &Form) -> bool {
    let kept = match form.row.does {
        Does::Load(moved) | Does::Store(moved) => {
            // What transposing loads do with some of the lanes is undefined.
            !matches!(moved.way, Way::LaneNumber | Way::Transposed) && !form.row.traits.contains(Traits::LDS)
        }
        Does::Atomic(atomic) => atomic.shape != Shape::Wave,
        Does::Idle(idle) => idle == Idle::Cache,
        Does::Lanes(_) => true,
        _ => false,
    };
    let family = matches!(
        form.row.family,
        Family::Smem | Family::Ds | Family::Mubuf | Family::Mtbuf | Family::Flat | Family::Global
    );
    let addressed =
        form.slots.iter().any(|slot| matches!(part(form, slot), Some(Part::Addr | Part::Sbase | Part::Rsrc)));
    family && addressed && kept
}

/// An instruction of a form, with the instructions that make its address.
pub(super) fn draw(
    table: &'static Table,
    form: &Form,
    forced: Option<(usize, Operand)>,
    chance: &mut Chance,
) -> Option<Drawn> {
    let g = table.target.generation();
    let writer = Writer { table };
    let mut words = [0u32; WORDS];
    words[..3].copy_from_slice(&form.base);
    let mut modifiers = 0;
    for m in &form.mods {
        let twice = form.row.traits.contains(Traits::OFFSET2);
        let some: Vec<u32> = match m.id {
            Mod::Lds | Mod::Tfe | Mod::Addr64 | Mod::Gds | Mod::Lwe | Mod::Nv | Mod::Scc => vec![0],
            // Both of the same lane, so that lanes do not meet.
            Mod::Offset0 | Mod::Offset1 if twice => vec![0],
            Mod::Offset => vec![0, 0, 16, 64, 256].into_iter().filter(|v| *v <= m.span.max() / 2).collect(),
            Mod::Format => formats(table.target, matches!(form.row.does, Does::Store(_))),
            _ => modifier_values(m.id, m.span),
        };
        let n = chance.below(some.len());
        let Some(value) = some.get(n) else { continue };
        m.span.set(&mut words, *value);
        modifiers |= u64::from(n != 0) << (m.id as u8);
    }
    let memory = form.memory;
    let (offen, idxen) = (memory.offen.get(&words) != 0, memory.idxen.get(&words) != 0);
    let mut places = Vec::new();
    let mut before = Vec::new();
    let (mut scalar_address, mut structured) = (false, false);
    for (at, slot) in form.slots.iter().enumerate() {
        let wide = u32::from(slot.ty.dwords()).max(2);
        let kinds = kinds(form, slot);
        let wanted = forced.filter(|(place, _)| *place == at).map(|(_, kind)| kind);
        let kind = wanted.or_else(|| kinds.get(chance.below(kinds.len())).copied());
        let code = match part(form, slot) {
            Some(Part::Vdst | Part::Data | Part::Data1) | None => operand::vector(wide.min(16), chance),
            Some(Part::Addr) => ADDRESS,
            Some(Part::Rsrc) => {
                structured = chance.below(2) == 1;
                (if structured { STRUCTURED } else { RAW }) / if slot.span.width == 5 { 4 } else { 1 }
            }
            Some(Part::Sbase) => (if slot.ty.dwords() == 4 { RAW } else { BASE }) / 2,
            Some(Part::Sdata) => operand::scalar(wide.max(4), chance),
            Some(Part::Saddr) if kind == Some(Operand::Scalar) => {
                scalar_address = true;
                BASE
            }
            Some(Part::Saddr) => crate::isa::memory::no_saddr(g),
            Some(Part::Soffset) => match kind {
                Some(Operand::Scalar) => SMALL,
                Some(Operand::Int) => int([0, 16, 32, 64][chance.below(4)]),
                _ => crate::isa::regs::null_code(g).map_or(SMALL, u32::from),
            },
            Some(Part::Offset) => scalar_offset(form, g, kind == Some(Operand::Scalar), &mut words, chance),
            _ => return None,
        };
        slot.span.set(&mut words, code);
        if let (Some((row, source)), Some(operand)) = (source(form, at), kind) {
            let code = if operand == Operand::Vector { 256 + code } else { code };
            places.push(Place { row, source, operand, code, ty: slot.ty, class: 0, bits: 0 });
        }
    }
    match form.row.family {
        Family::Ds => {
            if g <= Gen::Gfx8 {
                before.push(writer.sop1("s_mov_b32", crate::isa::regs::m0_code(g).into(), 193));
            }
            // Lanes of an instruction with two addresses have places of their own.
            let own = form.row.traits.contains(Traits::OFFSET2) || chance.below(2) == 0;
            before.extend(masked(writer, if own { LANE } else { operand::vector(1, chance) }, ADDRESS, 0x3f0));
        }
        Family::Flat | Family::Global => {
            before.extend(masked(writer, operand::vector(1, chance), ADDRESS, 0x7f0));
            if !scalar_address {
                before.push(writer.vop2("v_or_b32", ADDRESS, BASE, ADDRESS));
                before.push(writer.vop1("v_mov_b32", ADDRESS + 1, BASE + 1));
            }
        }
        Family::Mubuf | Family::Mtbuf => {
            let index = [0x3f, 0xff][chance.below(2)];
            // Without an index gfx6 and gfx7 do not hold the offset against the records: it must stay in the window.
            let unchecked = structured && !idxen && g <= Gen::Gfx7;
            let offset = [0x7f0, if unchecked { 0x7f0 } else { 0xff0 }][chance.below(2)];
            let first = if idxen { index } else { offset };
            before.extend(masked(writer, operand::vector(1, chance), ADDRESS, first));
            if idxen && offen {
                before.extend(masked(writer, operand::vector(1, chance), ADDRESS + 1, 0x1f0));
            }
            if !idxen && !offen {
                for slot in form.slots.iter().filter(|slot| part(form, slot) == Some(Part::Addr)) {
                    slot.span.set(&mut words, 0);
                }
            }
        }
        _ => {}
    }
    let decoded = disasm::decode(table, &words).ok().filter(|decoded| std::ptr::eq(decoded.form, form))?;
    disasm::executed(table, &words).ok()?;
    let mut all = words[..usize::from(decoded.len)].to_vec();
    if g <= Gen::Gfx11 {
        all.push(writer.sopp("s_waitcnt", 0));
    }
    Some(Drawn { before, words: all, row: form.row.name, shape: (form.format.name, form.variant), places, modifiers })
}

/// Formats of typed buffers that a processor has, of all sizes; numbers that were scaled to floats can be loaded only.
fn formats(target: Target, stored: bool) -> Vec<u32> {
    const UINT: u32 = 4;
    let some = match target.generation() {
        Gen::Gfx11 | Gen::Gfx12 => vec![1, 2, 5, 7, 13, 20, 22, 29, 30, 36, 42, 43, 44, 48, 50, 56, 57, 60, 63],
        Gen::Gfx10 => vec![1, 2, 4, 6, 7, 13, 20, 22, 29, 36, 43, 44, 50, 56, 57, 61, 63, 64, 71, 74, 77],
        // The number's format stands above that of the data.
        _ => [1, 2, 3, 4, 5, 10, 11, 12, 13, 14]
            .into_iter()
            .flat_map(|data| [data | UINT << 4, data | (UINT + 1) << 4])
            .collect(),
    };
    let fits =
        |number: &u32| !stored || Format::decode(*number, &target).is_ok_and(|format| format.store([0; 4]).is_ok());
    some.into_iter().filter(fits).collect()
}

/// The offset of a scalar access: a number, or a register with one.
fn scalar_offset(form: &Form, g: Gen, register: bool, words: &mut [u32], chance: &mut Chance) -> u32 {
    let m = form.memory;
    let bytes = [0, 16, 64, 256][chance.below(4)];
    match g {
        Gen::Gfx6 | Gen::Gfx7 | Gen::Gfx8 => {
            m.imm.set(words, u32::from(!register));
            match (register, g) {
                (true, _) => SMALL,
                (false, Gen::Gfx8) => bytes,
                (false, _) => bytes / 4,
            }
        }
        Gen::Gfx9 => {
            m.imm.set(words, 1);
            if register {
                m.soffset_en.set(words, 1);
                m.soffset.set(words, SMALL);
            }
            bytes
        }
        _ => {
            m.soffset.set(words, if register { SMALL } else { crate::isa::memory::null(g) });
            bytes
        }
    }
}

/// Puts some bits of a vector register into another.
fn masked(writer: Writer, from: u32, to: u32, mask: u32) -> Vec<u32> {
    vec![writer.vop2("v_and_b32", to, LITERAL, from), mask]
}

/// What waves of a pool find in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contents {
    pub seed: u64,
    /// Images lie there.
    pub texels: bool,
}

impl Contents {
    /// Bytes of what a wave has of its own.
    pub fn window(self) -> u64 {
        if self.texels { images::BYTES } else { WINDOW }
    }

    /// The windows of so many waves.
    pub fn windows(self, waves: usize) -> Vec<u8> {
        let words = self.window() / 4;
        let word = |n: u64| random(Ty::U32, Class::Any, self.seed + n / words, n % words) as u32;
        (0..waves as u64 * words).flat_map(|n| word(n).to_le_bytes()).collect()
    }

    /// LDS of any wave.
    pub fn lds(self, words: &mut [u32]) {
        for (n, word) in (0..u64::from(LDS / 4)).zip(words) {
            *word = random(Ty::U32, Class::Any, !self.seed, n) as u32;
        }
    }

    /// The registers that lead a wave to its window, which is one of those from `first` on.
    pub fn fill(self, first: u64, wave_number: u64, wave: &mut Registers) {
        let address = first + wave_number * self.window();
        if self.texels {
            wave.set_pair(image::BASE as usize, image::base(address));
            return;
        }
        wave.set_pair(BASE as usize, address);
        for (at, described) in described() {
            let words = descriptor::words(&described, address, WINDOW, wave.target).unwrap_or_default();
            wave.s[at as usize..][..4].copy_from_slice(&words);
        }
        wave.s[SMALL as usize] = OFFSET;
    }

    /// The same in a case.
    pub fn put(self, wave_number: u64, case: &mut Case) {
        let random = |seed| Value::Random(Ty::U32, seed, Class::Any);
        let regs = |first, count| crate::case::Place::Regs { file: File::Scalar, first, count };
        case.buffers.push(Buffer {
            name: NAME.to_owned(),
            size: Some(self.window() as u32),
            writable: true,
            behind: false,
            at: self.texels.then_some(TEXELS),
            contents: Some(random(self.seed + wave_number)),
        });
        case.lds = Some(LDS);
        let literal = |ty, bits| Value::Lit(Lit { ty, bits });
        let mut all = vec![(crate::case::Place::Lds(0), random(!self.seed))];
        if self.texels {
            all.push((regs(image::BASE, 2), literal(Ty::U64, image::base(TEXELS))));
        } else {
            all.push((regs(BASE, 2), Value::Address(NAME.to_owned(), 0)));
            all.push((regs(SMALL, 1), literal(Ty::U32, OFFSET.into())));
            all.extend(described().map(|(at, described)| (regs(at, 4), Value::Descriptor(Box::new(described)))));
        }
        case.init.extend(all.into_iter().map(|(place, value)| Init { select: Default::default(), place, value }));
    }
}

const NAME: &str = "data";
/// Where the images of a case lie: at a multiple of what a layout may want.
const TEXELS: u64 = 0x10_0000_0000;

/// The descriptors: half of the window, as bytes and as records.
fn described() -> [(u32, Descriptor); 2] {
    let raw = Descriptor { buffer: NAME.to_owned(), records: Some(2048), ..Descriptor::default() };
    let structured = Descriptor { stride: Some(16), records: Some(128), ..raw.clone() };
    [(RAW, raw), (STRUCTURED, structured)]
}
