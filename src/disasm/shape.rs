//! Proofs that a text stands for its words, made once for each shape of an instruction.
//!
//! The proof itself is plain: the text is assembled again and must give the same words. What it says depends on little of an instruction.
//! Whether its fifth or its sixth vector register is read, which of the 65,536 branch distances or offsets it has, whether a result is
//! clamped: none of this decides how the text is read. So the bits that decide nothing are left out, and what remains is the *shape*: the form,
//! its flags, and for each operand its class. A shape that was proved once holds for all instructions of it; what has no proved shape is
//! assembled. A shape that failed is not remembered, since its message names values.
//!
//! What a class keeps is what any rule looks at:
//! - scalar registers of vector instructions stay equal or different, since the constant bus counts them; special registers stay
//!   themselves, constants keep their kind and sign;
//! - dual instructions keep the banks of their registers, instructions whose result must lie apart keep all registers;
//! - registers of memory instructions stay 0 or not, since the text hides fields that nothing uses, and those of images stay odd or even
//!   where that matters, and themselves near the end of the register file: there the widths are chosen anew;
//! - literals keep the borders at which a number changes its reading, and the numbers that have an operand code;
//! - negation and magnitude stay where a constant stands, whose sign they might meet.
//!
//! `tests/shapes.rs` holds all of this against the plain proof, in both directions, on every processor.

use super::classes::{COUNTED, Classes, REGISTER, Sort, number_of, sort_of};
use crate::asm::inline_of_word;
use crate::isa::form::{Form, FormFlags, Kind, Mod, NO_BIT, Slot, Table};
use crate::isa::format::Span;
use crate::isa::operand::Ty;
use crate::isa::row::{Family, Traits};
use crate::isa::{Gen, Target};

/// Most words of an instruction.
pub(super) const WORDS: usize = 5;
/// As many, and some more: an index of three bits needs no check.
const ROOM: usize = 8;

/// What is left of an instruction without the bits that decide nothing about its text; the last element has the form and the class of the literal.
pub type Shape = [u32; WORDS + 1];

/// Words with room behind them.
#[inline]
pub(super) fn room(words: &[u32]) -> [u32; ROOM] {
    if let Some(all) = words.first_chunk() {
        return *all;
    }
    let mut all = [0; ROOM];
    all[..words.len()].copy_from_slice(words);
    all
}

/// All bits of so many words.
static OF_LENGTH: [[u32; ROOM]; 8] = {
    let mut masks = [[0; ROOM]; 8];
    let mut len = 0;
    while len <= WORDS {
        let mut word = 0;
        while word < len {
            masks[len][word] = u32::MAX;
            word += 1;
        }
        len += 1;
    }
    masks
};

fn bit(words: &[u32], bit: u8) -> bool {
    words[usize::from(bit / 32)] >> (bit % 32) & 1 != 0
}

/// Scalar registers in the order in which they come.
#[derive(Default)]
struct Seen {
    codes: [u32; 4],
    len: usize,
}

impl Seen {
    /// The number of a register: the same for the same one.
    fn rank(&mut self, code: u32) -> u32 {
        match self.codes[..self.len].iter().position(|c| *c == code) {
            Some(at) => at as u32,
            None => {
                if self.len < self.codes.len() {
                    self.codes[self.len] = code;
                    self.len += 1;
                    return self.len as u32 - 1;
                }
                // More than any instruction has: it stays itself.
                code
            }
        }
    }
}

/// A field whose value is replaced by its class.
#[derive(Clone, Copy, Default)]
pub(super) struct Place {
    pub(super) word: u8,
    pub(super) shift: u8,
    pub(super) mask: u16,
    /// The classes of its values, as a number in the list of the prover.
    pub(super) classes: u8,
    /// The bit that says that the value stays itself.
    unless: u8,
    /// 1 where the constant bus counts it.
    counted: u16,
    /// The bits of negation and magnitude, in the first two words.
    signs: u64,
}

impl Place {
    /// Whether the value stays itself.
    pub(super) fn is_itself(&self, words: &[u32]) -> bool {
        self.unless != NO_BIT && bit(words, self.unless)
    }

    /// What stands there.
    #[inline(always)]
    fn value(&self, words: &[u32]) -> u32 {
        words[usize::from(self.word) & 7] >> (self.shift & 31) & u32::from(self.mask)
    }
}

/// The offset of a memory instruction.
#[derive(Clone, Copy)]
struct Offset {
    span: Span,
    /// The bit that says that it is no register, or [`NO_BIT`].
    only_if: u8,
}

/// Most fields that classes replace.
const PLACES: usize = 8;
/// As many as nearly every form has at most.
const FIRST: usize = 4;

/// What a shape of a form keeps.
pub(super) struct Plan {
    /// The bits that stay as they are.
    keep: [u32; ROOM],
    places: [Place; PLACES],
    count: u8,
    /// The words without a literal.
    words: u8,
    offset: Option<Offset>,
    /// Whether what lies behind the words of the form is a literal.
    literal: bool,
}

impl Plan {
    pub(super) fn new(table: &Table, form: &Form, classes: &mut Vec<Classes>) -> Plan {
        let same = number_of(&table.target, Sort::Same, classes).unwrap_or_default();
        let (keep, places) = ([u32::MAX; ROOM], [Place { classes: same, unless: NO_BIT, ..Place::default() }; PLACES]);
        let mut plan = Plan { keep, places, count: 0, words: form.words, offset: None, literal: false };
        if !may_reduce(table, form) {
            return plan;
        }
        plan.literal = !form.row.family.is_joint();
        plan.offset = offset_of(table, form);
        for slot in &form.slots {
            if let Kind::Simm | Kind::Uimm | Kind::PlainImm | Kind::Target = slot.kind {
                plan.drop(slot.span);
                continue;
            }
            let Some(sort) = sort_of(&table.target, form, slot) else { continue };
            plan.place(&table.target, form, slot, sort, classes);
        }
        for m in &form.mods {
            if forgets(form, m.id) {
                plan.drop(m.span);
            }
        }
        plan
    }

    /// The shape of an instruction of so many words, which may have others behind them; `number` is that of the form.
    #[inline]
    pub(super) fn shape(&self, number: usize, len: usize, words: &[u32], classes: &[Classes]) -> Shape {
        let words = room(words);
        let mut shape = [0; ROOM];
        for (at, to) in shape.iter_mut().enumerate() {
            *to = words[at] & self.keep[at] & OF_LENGTH[len & 7][at];
        }
        let (mut counted, mut signs) = (0, 0);
        let mut put = |place: &Place| {
            let word = usize::from(place.word) & 7;
            let value = place.value(&words);
            if place.is_itself(&words) {
                shape[word] |= value << (place.shift & 31);
                return;
            }
            let class = classes[usize::from(place.classes)].of[value as usize & 0x1ff];
            counted += u16::from(class & COUNTED != 0) & place.counted;
            signs |= place.signs * u64::from(class & REGISTER != 0);
            shape[word] |= u32::from(class & 0x1ff) << (place.shift & 31);
        };
        // What a form has not of the first places says nothing, so that the number of places is no branch.
        let (first, others) = self.places.split_at(FIRST);
        first.iter().for_each(&mut put);
        others.iter().take(usize::from(self.count).saturating_sub(FIRST)).for_each(&mut put);
        shape[0] &= !(signs as u32);
        shape[1] &= !((signs >> 32) as u32);
        if counted > 1 {
            self.rank(classes, &words, &mut shape);
        }
        if let Some(span) = self.offset(&words) {
            let value = span.get(&words);
            span.set(&mut shape, value >> (span.bits() - 1) << 1 | u32::from(value != 0));
        }
        if self.has_literal(len) {
            shape[(len - 1) & 7] = literal_class(words[(len - 1) & 7]);
        }
        shape[WORDS] = number as u32;
        let [a, b, c, d, e, form, ..] = shape;
        [a, b, c, d, e, form]
    }

    /// The fields that classes replace.
    pub(super) fn places(&self) -> &[Place] {
        &self.places[..usize::from(self.count)]
    }

    /// How many registers the constant bus counts.
    pub(super) fn counted(&self, classes: &[Classes], words: &[u32]) -> u16 {
        let count = |place: &&Place| {
            let class = classes[usize::from(place.classes)].of[place.value(words) as usize & 0x1ff];
            !place.is_itself(words) && class & COUNTED != 0
        };
        self.places().iter().filter(count).map(|place| place.counted).sum()
    }

    /// Whether a shape keeps none of these bits of the first words.
    pub(super) fn forgets(&self, bits: u128) -> bool {
        self.keep.iter().take(4).rev().fold(0, |all, word| all << 32 | u128::from(*word)) & bits == 0
    }

    /// Whether the last of so many words is a literal.
    pub(super) fn has_literal(&self, len: usize) -> bool {
        self.literal && len > usize::from(self.words)
    }

    /// The offset of a memory instruction, where it is one by itself.
    pub(super) fn offset(&self, words: &[u32]) -> Option<Span> {
        let offset = self.offset.filter(|offset| offset.only_if == NO_BIT || bit(words, offset.only_if));
        offset.map(|offset| offset.span)
    }

    /// Tells the registers apart that the constant bus counts, where there are several; their class is 0, which is the first one.
    fn rank(&self, classes: &[Classes], words: &[u32], shape: &mut [u32; ROOM]) {
        let mut seen = Seen::default();
        for place in self.places() {
            let value = place.value(words);
            let class = classes[usize::from(place.classes)].of[value as usize & 0x1ff];
            if !place.is_itself(words) && class & COUNTED != 0 && place.counted != 0 {
                shape[usize::from(place.word) & 7] |= seen.rank(value) << (place.shift & 31);
            }
        }
    }

    /// Leaves a field out.
    fn drop(&mut self, span: Span) {
        let mut bits = [0; ROOM];
        span.set(&mut bits, u32::MAX);
        for (keep, bits) in self.keep.iter_mut().zip(bits) {
            *keep &= !bits;
        }
    }

    /// Replaces a field by its class, where it is in one piece.
    fn place(&mut self, target: &Target, form: &Form, slot: &Slot, sort: Sort, classes: &mut Vec<Classes>) {
        let span = slot.span;
        if span.width == 0 || span.width > 9 || span.width2 != 0 || span.lo / 32 != (span.lo + span.width - 1) / 32 {
            return;
        }
        let Some(place) = self.places.get_mut(usize::from(self.count)) else { return };
        let Some(number) = number_of(target, sort, classes) else { return };
        let scale = form.row.name.starts_with("v_div_scale");
        let signs =
            [slot.neg, slot.abs].into_iter().filter(|bit| *bit < 64 && !scale).fold(0, |all, bit| all | 1 << bit);
        *place = Place {
            word: span.lo / 32,
            shift: span.lo % 32,
            mask: span.max() as u16,
            classes: number,
            unless: if let Kind::SdwaSource(scalar) = slot.kind { scalar.lo } else { NO_BIT },
            counted: u16::from(form.flags.contains(FormFlags::VALU) && slot.source != NO_BIT),
            signs,
        };
        self.count += 1;
        self.drop(span);
    }
}

/// The offset of a memory instruction, where it is one by itself: of it stays whether it is 0, and its highest bit, which may be a sign.
fn offset_of(table: &Table, form: &Form) -> Option<Offset> {
    let m = form.memory;
    if m.offset.bits() < 2 || !form.row.family.is_joint() || form.row.family == Family::Mimg {
        return None;
    }
    // Up to gfx9 a bit says that it is no register.
    let only_if = match form.row.family {
        Family::Smem if table.target.generation() < Gen::Gfx10 && m.imm.width == 0 => return None,
        Family::Smem if table.target.generation() < Gen::Gfx10 => m.imm.lo,
        _ => NO_BIT,
    };
    Some(Offset { span: m.offset, only_if })
}

/// Whether the fields of a form may be replaced by classes: where the text leads to this form first, and where nothing compares registers.
pub(super) fn may_reduce(table: &Table, form: &Form) -> bool {
    let second = form.slots.iter().find_map(|s| if let Kind::Dual(name) = s.kind { Some(name) } else { None });
    let first = match second {
        Some(second) => table.candidates(&format!("{} {second}", form.name)).first(),
        None => table.candidates(form.name).first(),
    };
    let first = first.is_some_and(|first| std::ptr::eq(&raw const table.forms[usize::from(*first)], form));
    let apart = form.row.family == Family::Mai || form.row.traits.contains(Traits::EARLY);
    first && !apart && !form.row.traits.contains(Traits::GDS) && form.row.family != Family::Exp
}

/// Whether nothing depends on the value of a modifier.
fn forgets(form: &Form, id: Mod) -> bool {
    match id {
        Mod::Clamp | Mod::Omod | Mod::RowMask | Mod::BankMask | Mod::Offset0 | Mod::Offset1 => true,
        Mod::Unorm | Mod::Lwe | Mod::Da | Mod::R128 => true,
        Mod::Offset => !form.row.family.is_joint() && !form.row.traits.contains(Traits::SWIZZLE),
        _ => false,
    }
}

/// What a literal is to any operand: itself where a type of operands has a code for it, else the range that it lies in.
pub(super) fn literal_class(word: u32) -> u32 {
    // Of the floats only 1/(2 pi) has something in its lower half.
    let plain = word & 0xffff != 0 && (0x1_0000..0xffff_0000).contains(&word) && word != 0x3e22_f983;
    let types = [Ty::B16, Ty::F16, Ty::Bf16, Ty::B32, Ty::PF16, Ty::PBf16, Ty::B64, Ty::F64];
    match word {
        _ if !plain && types.iter().any(|ty| inline_of_word(*ty, word, true).is_some()) => word,
        ..0x8000 => 0x1000,
        0x8000..0x1_0000 => 0x8000,
        0x1_0000..0x8000_0000 => 0x1_0000,
        _ => 0x8000_0000,
    }
}
