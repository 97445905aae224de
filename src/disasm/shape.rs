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

use super::Decoded;
use crate::asm::expr::NoSymbols;
use crate::asm::{Assembler, inline_of_word};
use crate::isa::form::{Form, FormFlags, Kind, Mod, NO_BIT, Slot, Table};
use crate::isa::format::Span;
use crate::isa::operand::{Part, Ty};
use crate::isa::row::{Family, Traits};
use crate::isa::{Gen, Target, Variants, regs};
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Most words of an instruction.
const WORDS: usize = 5;
/// Shapes that are remembered at once: code that a compiler made has some hundreds.
const MOST_SHAPES: usize = 1 << 16;

/// What is left of an instruction without the bits that decide nothing about its text; the last element has the form and the class of the literal.
type Shape = [u32; WORDS + 1];

/// Proves texts. One a thread: it remembers.
pub struct Prover {
    table: &'static Table,
    assembler: Assembler,
    plans: Vec<Option<Box<Plan>>>,
    classes: Vec<Classes>,
    proved: Shapes,
    /// What this one and others proved.
    shared: Proved,
}

/// Shapes that are proved.
type Shapes = HashSet<Shape, BuildHasherDefault<ShapeHasher>>;

/// What provers of one target learn from each other.
#[derive(Clone, Default)]
pub struct Proved(Arc<Mutex<Shapes>>);

impl Proved {
    fn lock(&self) -> MutexGuard<'_, Shapes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Prover {
    /// Nothing is proved yet.
    #[must_use]
    pub fn new(target: Target) -> Prover {
        Prover::beside(target, &Proved::default())
    }

    /// One of several, for the same target.
    #[must_use]
    pub fn beside(target: Target, others: &Proved) -> Prover {
        let table = Table::of(target);
        Prover {
            table,
            assembler: Assembler::new(target),
            plans: table.forms.iter().map(|_| None).collect(),
            classes: Vec::new(),
            proved: Shapes::default(),
            shared: others.clone(),
        }
    }

    /// Whether a text stands for the words of an instruction.
    ///
    /// # Errors
    /// Why it does not.
    pub fn prove(&mut self, decoded: &Decoded<'_>, text: &[u8], words: &[u32]) -> Result<(), String> {
        let Some(shape) = self.shape(decoded, words) else { return self.assemble(text, words) };
        if self.proved.contains(&shape) {
            return Ok(());
        }
        if !self.shared.lock().contains(&shape) {
            self.assemble(text, words)?;
            remember(&mut self.shared.lock(), shape);
        }
        remember(&mut self.proved, shape);
        Ok(())
    }

    /// The plain proof: whether a text assembles to these words.
    ///
    /// # Errors
    /// Why it does not.
    pub fn assemble(&self, text: &[u8], words: &[u32]) -> Result<(), String> {
        let text = std::str::from_utf8(text).unwrap_or_default();
        match self.assembler.encode(text, &NoSymbols) {
            Ok(e) if e.fixup.is_none() && e.words[..usize::from(e.len)] == *words => Ok(()),
            Ok(_) => Err("this text assembles to other bytes".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// The shape of an instruction of this table.
    pub fn shape(&mut self, decoded: &Decoded<'_>, words: &[u32]) -> Option<Shape> {
        let len = usize::from(decoded.len);
        let form = decoded.form;
        let number =
            (std::ptr::from_ref(form).addr()).wrapping_sub(self.table.forms.as_ptr().addr()) / size_of::<Form>();
        let plan = self.plans.get_mut(number)?;
        let plan = plan.get_or_insert_with(|| Box::new(Plan::new(self.table, form, &mut self.classes)));
        let mut shape = [0; WORDS + 1];
        for ((to, from), keep) in shape.iter_mut().zip(words.get(..len)?).zip(plan.keep) {
            *to = from & keep;
        }
        shape[WORDS] = number as u32;
        let mut seen = Seen::default();
        for place in &plan.places {
            let value = words[usize::from(place.word)] >> place.shift & place.mask;
            if place.unless != NO_BIT && bit(words, place.unless) {
                shape[usize::from(place.word)] |= value << place.shift;
                continue;
            }
            let class = self.classes[usize::from(place.classes)].of[value as usize & 0x1ff];
            let mut kept = u32::from(class & 0x1ff);
            if class & COUNTED != 0 && place.counted {
                kept = seen.rank(value);
            }
            if class & REGISTER != 0 {
                shape[0] &= !(place.signs as u32);
                shape[1] &= !((place.signs >> 32) as u32);
            }
            shape[usize::from(place.word)] |= kept << place.shift;
        }
        if let Some(Offset { span, only_if }) = plan.offset
            && (only_if == NO_BIT || bit(words, only_if))
        {
            let value = span.get(words);
            span.set(&mut shape, value >> (span.bits() - 1) << 1 | u32::from(value != 0));
        }
        if plan.literal && len > usize::from(form.words) {
            shape[len - 1] = literal_class(words[len - 1]);
        }
        Some(shape)
    }
}

fn bit(words: &[u32], bit: u8) -> bool {
    words[usize::from(bit / 32)] >> (bit % 32) & 1 != 0
}

/// Keeps a shape, among a bounded number of others.
fn remember(shapes: &mut Shapes, shape: Shape) {
    if shapes.len() == MOST_SHAPES {
        shapes.clear();
    }
    shapes.insert(shape);
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

/// A class is a register that the constant bus may count.
const COUNTED: u16 = 1 << 15;
/// A class is a register: a sign in front of it meets no other sign.
const REGISTER: u16 = 1 << 14;

/// The class of each value of a field. A class is one of its values, with flags.
#[derive(Clone, PartialEq, Eq)]
struct Classes {
    of: Box<[u16; 512]>,
}

impl Classes {
    fn new(of: impl Fn(u16) -> u16) -> Classes {
        Classes { of: Box::new(std::array::from_fn(|value| of(value as u16))) }
    }
}

/// A field whose value is replaced by its class.
struct Place {
    word: u8,
    shift: u8,
    mask: u32,
    /// The classes of its values, as a number in the list of the prover.
    classes: u8,
    /// The bit that says that the value stays itself.
    unless: u8,
    /// Whether the constant bus counts it.
    counted: bool,
    /// The bits of negation and magnitude, in the first two words.
    signs: u64,
}

/// The offset of a memory instruction.
#[derive(Clone, Copy)]
struct Offset {
    span: Span,
    /// The bit that says that it is no register, or [`NO_BIT`].
    only_if: u8,
}

/// What a shape of a form keeps.
struct Plan {
    /// The bits that stay as they are.
    keep: [u32; WORDS],
    places: Vec<Place>,
    offset: Option<Offset>,
    /// Whether what lies behind the words of the form is a literal.
    literal: bool,
}

impl Plan {
    fn new(table: &Table, form: &Form, classes: &mut Vec<Classes>) -> Plan {
        let mut plan = Plan { keep: [u32::MAX; WORDS], places: Vec::new(), offset: None, literal: false };
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
            let Some(of) = classes_of(&table.target, form, slot) else { continue };
            plan.place(form, slot, of, classes);
        }
        for m in &form.mods {
            if forgets(form, m.id) {
                plan.drop(m.span);
            }
        }
        plan
    }

    /// Leaves a field out.
    fn drop(&mut self, span: Span) {
        let mut bits = [0; WORDS];
        span.set(&mut bits, u32::MAX);
        for (keep, bits) in self.keep.iter_mut().zip(bits) {
            *keep &= !bits;
        }
    }

    /// Replaces a field by its class, where it is in one piece.
    fn place(&mut self, form: &Form, slot: &Slot, of: Classes, classes: &mut Vec<Classes>) {
        let span = slot.span;
        if span.width == 0 || span.width > 9 || span.width2 != 0 || span.lo / 32 != (span.lo + span.width - 1) / 32 {
            return;
        }
        let number = classes.iter().position(|c| *c == of).unwrap_or_else(|| {
            classes.push(of);
            classes.len() - 1
        });
        let Ok(number) = u8::try_from(number) else { return };
        self.drop(span);
        let scale = form.row.name.starts_with("v_div_scale");
        let signs =
            [slot.neg, slot.abs].into_iter().filter(|bit| *bit < 64 && !scale).fold(0, |all, bit| all | 1 << bit);
        self.places.push(Place {
            word: span.lo / 32,
            shift: span.lo % 32,
            mask: span.max(),
            classes: number,
            unless: if let Kind::SdwaSource(scalar) = slot.kind { scalar.lo } else { NO_BIT },
            counted: form.flags.contains(FormFlags::VALU) && slot.source != NO_BIT,
            signs,
        });
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
fn may_reduce(table: &Table, form: &Form) -> bool {
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

/// The classes of the values of a place, where it has any.
fn classes_of(target: &Target, form: &Form, slot: &Slot) -> Option<Classes> {
    let half = if slot.half != NO_BIT && slot.half == slot.span.lo + 7 { 0x80 } else { 0 };
    let sgprs = regs::sgpr_count(target.generation());
    // Resources and samplers are counted in fours where their field is short, bases in twos.
    let scalar = |shift: u16| {
        let plain = move |code| code << shift < sgprs || shift == 0 && TRAP.contains(&code);
        Classes::new(move |code| if plain(code) { COUNTED | REGISTER } else { code })
    };
    let in_fours = if slot.span.width == 5 { 2 } else { 0 };
    let dual = form.row.family == Family::Vopd;
    let vector = move |n: u16| REGISTER | if dual { n & 3 } else { n & half };
    // Registers without a meaning of their own, small integers, floats, by their signs: their texts differ in the number alone.
    let other = move |code: u16| match code {
        129..=192 => 129,
        193..=208 => 193,
        240 | 242 | 244 | 246 => 240,
        241 | 243 | 245 | 247 => 241,
        _ if code < sgprs || TRAP.contains(&code) => COUNTED | REGISTER,
        _ => code,
    };
    Some(match slot.kind {
        Kind::Source => Classes::new(move |code| if code < 256 { other(code) } else { 256 | vector(code & 0xff) }),
        Kind::SdwaSource(_) => Classes::new(move |n| vector(n & 0xff)),
        Kind::Vgpr if form.row.family == Family::Mimg => {
            let paired = target.is(Variants::CDNA2);
            Classes::new(move |n| if n < END { n.min(if paired { 2 - n % 2 } else { 1 }) } else { n })
        }
        Kind::Vgpr => Classes::new(move |n| vector(n & 0xff)),
        Kind::DualVdst => Classes::new(|_| 0),
        Kind::Sgpr => scalar(in_fours),
        Kind::Memory(Part::Vdst | Part::Data | Part::Data1 | Part::Addr) => Classes::new(|n| n.min(1)),
        Kind::Memory(Part::Rsrc | Part::Samp) => scalar(in_fours),
        Kind::Memory(Part::Sbase) => scalar(1),
        Kind::Memory(Part::Sdata | Part::Saddr) => scalar(0),
        Kind::Memory(Part::Soffset) => Classes::new(move |code| if code < 256 { other(code) } else { code }),
        _ => return None,
    })
}

/// Trap temporaries, and on older processors the addresses of trap handlers.
const TRAP: std::ops::Range<u16> = 108..124;

/// From here on the registers of an image may end behind the last one.
const END: u16 = 256 - 32;

/// What a literal is to any operand: itself where a type of operands has a code for it, else the range that it lies in.
fn literal_class(word: u32) -> u32 {
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

/// A quick hash of a few words.
#[derive(Default)]
struct ShapeHasher(u64);

impl Hasher for ShapeHasher {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        const K: u64 = 0x517c_c1b7_2722_0a95;
        for chunk in bytes.chunks_exact(8) {
            let word = chunk.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte));
            self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(K);
        }
    }
}
