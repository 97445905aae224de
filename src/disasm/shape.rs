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
use super::lines::{Lines, Texts, texts};
use crate::asm::expr::NoSymbols;
use crate::asm::{Assembler, inline_of_word};
use crate::isa::form::{Form, FormFlags, Kind, Mod, NO_BIT, Slot, Table};
use crate::isa::format::Span;
use crate::isa::operand::{Part, Ty};
use crate::isa::row::{Family, Traits};
use crate::isa::{Gen, Target, Variants, regs};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Most words of an instruction.
const WORDS: usize = 5;
/// As many, and some more: an index of three bits needs no check.
const ROOM: usize = 8;
/// Shapes that are remembered at once: code that a compiler made has some hundreds.
const MOST_SHAPES: usize = 1 << 16;
/// Pairs of places for the first shapes.
const FIRST_PAIRS: usize = 1 << 10;

/// What is left of an instruction without the bits that decide nothing about its text; the last element has the form and the class of the literal.
type Shape = [u32; WORDS + 1];

/// Proves texts. One a thread: it remembers.
pub struct Prover {
    table: &'static Table,
    assembler: Assembler,
    lines: Lines,
    plans: Vec<Option<Box<Plan>>>,
    classes: Vec<Classes>,
    proved: Shapes,
    /// What this one and others proved.
    shared: Proved,
}

/// Shapes that are proved: a table with room for at least as many again, in which a shape stands in the pair that its hash says, or
/// in one behind it. Both of a pair are in one cache line, and are compared without a branch between them.
#[derive(Default)]
struct Shapes {
    pairs: Vec<Pair>,
    taken: usize,
}

/// Two places for shapes; the first is taken first.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Pair([Shape; 2]);

/// Where no shape stands: no form has this number.
const VACANT: Shape = [u32::MAX; WORDS + 1];

impl Shapes {
    #[inline]
    fn contains(&self, shape: &Shape) -> bool {
        let Some(mask) = self.pairs.len().checked_sub(1) else { return false };
        let mut at = hash(shape) as usize & mask;
        loop {
            let Pair([first, second]) = &self.pairs[at];
            if (first == shape) | (second == shape) {
                return true;
            }
            if second[WORDS] == u32::MAX {
                return false;
            }
            at = (at + 1) & mask;
        }
    }

    /// Keeps a shape that is not there, among a bounded number of others.
    fn insert(&mut self, shape: &Shape) {
        if self.taken == MOST_SHAPES {
            *self = Shapes::default();
        }
        if self.taken >= self.pairs.len() {
            let more = vec![Pair([VACANT; 2]); (2 * self.pairs.len()).max(FIRST_PAIRS)];
            let old = std::mem::replace(&mut self.pairs, more);
            old.iter().flat_map(|pair| &pair.0).filter(|shape| shape[WORDS] != u32::MAX).for_each(|old| self.put(old));
        }
        self.put(shape);
        self.taken += 1;
    }

    /// Puts a shape into the first vacant place.
    fn put(&mut self, shape: &Shape) {
        let mask = self.pairs.len() - 1;
        let mut at = hash(shape) as usize & mask;
        loop {
            if let Some(place) = self.pairs[at].0.iter_mut().find(|place| place[WORDS] == u32::MAX) {
                *place = *shape;
                return;
            }
            at = (at + 1) & mask;
        }
    }
}

/// A quick hash of a shape.
#[inline]
fn hash(shape: &Shape) -> u64 {
    const K: [u64; 3] = [0x517c_c1b7_2722_0a95, 0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f];
    let two = |at: usize| u64::from(shape[at]) | u64::from(shape[at + 1]) << 32;
    // The multiplications do not wait for each other; the upper bits of their sum depend on all bits.
    let sum = two(0).wrapping_mul(K[0]).rotate_left(32) ^ two(2).wrapping_mul(K[1]) ^ two(4).wrapping_mul(K[2]);
    sum.wrapping_mul(K[1]) >> 32
}

/// What provers of one target learn from each other, and the texts of its operands.
#[derive(Clone)]
pub struct Proved {
    shapes: Arc<Mutex<Shapes>>,
    texts: Texts,
}

impl Proved {
    /// Nothing yet.
    #[must_use]
    pub fn new(target: Target) -> Proved {
        Proved { shapes: Arc::default(), texts: texts(Table::of(target)) }
    }

    fn lock(&self) -> MutexGuard<'_, Shapes> {
        self.shapes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Prover {
    /// Nothing is proved yet.
    #[must_use]
    pub fn new(target: Target) -> Prover {
        Prover::beside(target, &Proved::new(target))
    }

    /// One of several, for the same target.
    #[must_use]
    pub fn beside(target: Target, others: &Proved) -> Prover {
        let table = Table::of(target);
        Prover {
            table,
            assembler: Assembler::new(target),
            lines: Lines::new(table, &others.texts),
            plans: table.forms.iter().map(|_| None).collect(),
            classes: Vec::new(),
            proved: Shapes::default(),
            shared: others.clone(),
        }
    }

    /// Appends the text of an instruction, which is not proved yet.
    #[inline]
    pub fn print(&mut self, decoded: &Decoded<'_>, words: &[u32], out: &mut Vec<u8>) {
        self.lines.print(decoded, words, out);
    }

    /// Whether a text stands for the words of an instruction, which may have others behind them.
    ///
    /// # Errors
    /// Why it does not.
    #[inline]
    pub fn prove(&mut self, decoded: &Decoded<'_>, text: &[u8], words: &[u32]) -> Result<(), String> {
        match self.shape(decoded, words) {
            Some(shape) if self.proved.contains(&shape) => Ok(()),
            shape => self.prove_first(shape, text, &words[..usize::from(decoded.len)]),
        }
    }

    /// Proves what this one did not prove yet.
    #[cold]
    fn prove_first(&mut self, shape: Option<Shape>, text: &[u8], words: &[u32]) -> Result<(), String> {
        let Some(shape) = shape else { return self.assemble(text, words) };
        if !self.shared.lock().contains(&shape) {
            self.assemble(text, words)?;
            let mut shared = self.shared.lock();
            // Another one may have proved it meanwhile.
            if !shared.contains(&shape) {
                shared.insert(&shape);
            }
        }
        self.proved.insert(&shape);
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

    /// The shape of an instruction of this table; its words may have others behind them.
    #[inline]
    pub fn shape(&mut self, decoded: &Decoded<'_>, words: &[u32]) -> Option<Shape> {
        let len = usize::from(decoded.len);
        let form = decoded.form;
        let number = self.table.number(form);
        let plan = self.plans.get_mut(number)?;
        let plan = plan.get_or_insert_with(|| Box::new(Plan::new(self.table, form, &mut self.classes)));
        let words = room(words);
        let mut shape = [0; ROOM];
        for (at, to) in shape.iter_mut().enumerate() {
            *to = words[at] & plan.keep[at] & OF_LENGTH[len & 7][at];
        }
        let (mut counted, mut signs) = (0, 0);
        let mut put = |place: &Place| {
            let word = usize::from(place.word) & 7;
            let value = place.value(&words);
            if place.unless != NO_BIT && bit(&words, place.unless) {
                shape[word] |= value << (place.shift & 31);
                return;
            }
            let class = self.classes[usize::from(place.classes)].of[value as usize & 0x1ff];
            counted += class >> 15 & place.counted;
            signs |= place.signs * u64::from(class >> 14 & 1);
            shape[word] |= u32::from(class & 0x1ff) << (place.shift & 31);
        };
        // What a form has not of the first places says nothing, so that the number of places is no branch.
        let (first, others) = plan.places.split_at(FIRST);
        first.iter().for_each(&mut put);
        others.iter().take(usize::from(plan.count).saturating_sub(FIRST)).for_each(&mut put);
        shape[0] &= !(signs as u32);
        shape[1] &= !((signs >> 32) as u32);
        if counted > 1 {
            plan.rank(&self.classes, &words, &mut shape);
        }
        if let Some(Offset { span, only_if }) = plan.offset
            && (only_if == NO_BIT || bit(&words, only_if))
        {
            let value = span.get(&words);
            span.set(&mut shape, value >> (span.bits() - 1) << 1 | u32::from(value != 0));
        }
        if plan.literal && len > usize::from(plan.words) {
            shape[(len - 1) & 7] = literal_class(words[(len - 1) & 7]);
        }
        shape[WORDS] = number as u32;
        shape.first_chunk().copied()
    }
}

/// Words with room behind them.
#[inline]
fn room(words: &[u32]) -> [u32; ROOM] {
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

/// A class is a register that the constant bus may count; its value is 0.
const COUNTED: u16 = 1 << 15;
/// A class is a register: a sign in front of it meets no other sign.
const REGISTER: u16 = 1 << 14;

/// The class of each value of a field. A class is one of its values, with flags.
struct Classes {
    sort: Sort,
    of: Box<[u16; 512]>,
}

/// What the classes of a field are made by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    /// Codes of sources, by the bits that a vector register keeps.
    Source(u16),
    /// Vector registers, by the bits that they keep.
    Vector(u16),
    /// Registers of an image: whether odd and even ones differ.
    Image(bool),
    /// Scalar registers that are counted in so many powers of two.
    Scalar(u16),
    /// 0 and anything else.
    Nothing,
    /// One class.
    Same,
    /// Scalar codes of a memory instruction.
    Offset,
}

/// A field whose value is replaced by its class.
#[derive(Clone, Copy, Default)]
struct Place {
    word: u8,
    shift: u8,
    mask: u16,
    /// The classes of its values, as a number in the list of the prover.
    classes: u8,
    /// The bit that says that the value stays itself.
    unless: u8,
    /// 1 where the constant bus counts it.
    counted: u16,
    /// The bits of negation and magnitude, in the first two words.
    signs: u64,
}

impl Place {
    /// What stands there.
    #[inline(always)]
    fn value(&self, words: &[u32; ROOM]) -> u32 {
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
struct Plan {
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
    fn new(table: &Table, form: &Form, classes: &mut Vec<Classes>) -> Plan {
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

    /// Tells the registers apart that the constant bus counts, where there are several; their class is 0, which is the first one.
    fn rank(&self, classes: &[Classes], words: &[u32; ROOM], shape: &mut [u32; ROOM]) {
        let mut seen = Seen::default();
        for place in &self.places[..usize::from(self.count)] {
            let value = place.value(words);
            let class = classes[usize::from(place.classes)].of[value as usize & 0x1ff];
            let itself = place.unless != NO_BIT && bit(words, place.unless);
            if !itself && class & COUNTED != 0 && place.counted != 0 {
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

/// The number of classes in a list, to which they are added where they are missing.
fn number_of(target: &Target, sort: Sort, classes: &mut Vec<Classes>) -> Option<u8> {
    let number = classes.iter().position(|c| c.sort == sort).unwrap_or_else(|| {
        classes.push(Classes::new(target, sort));
        classes.len() - 1
    });
    u8::try_from(number).ok()
}

/// What the classes of the values of a place are made by, where it has any.
fn sort_of(target: &Target, form: &Form, slot: &Slot) -> Option<Sort> {
    let half = if slot.half != NO_BIT && slot.half == slot.span.lo + 7 { 0x80 } else { 0 };
    // Resources and samplers are counted in fours where their field is short, bases in twos.
    let in_fours = if slot.span.width == 5 { 2 } else { 0 };
    let bits = if form.row.family == Family::Vopd { 3 } else { half };
    Some(match slot.kind {
        Kind::Source => Sort::Source(bits),
        Kind::Vgpr if form.row.family == Family::Mimg => Sort::Image(target.is(Variants::CDNA2)),
        Kind::Vgpr | Kind::SdwaSource(_) => Sort::Vector(bits),
        Kind::DualVdst => Sort::Same,
        Kind::Sgpr => Sort::Scalar(in_fours),
        Kind::Memory(Part::Vdst | Part::Data | Part::Data1 | Part::Addr) => Sort::Nothing,
        Kind::Memory(Part::Rsrc | Part::Samp) => Sort::Scalar(in_fours),
        Kind::Memory(Part::Sbase) => Sort::Scalar(1),
        Kind::Memory(Part::Sdata | Part::Saddr) => Sort::Scalar(0),
        Kind::Memory(Part::Soffset) => Sort::Offset,
        _ => return None,
    })
}

impl Classes {
    fn new(target: &Target, sort: Sort) -> Classes {
        let sgprs = regs::sgpr_count(target.generation());
        let plain = |code, shift: u16| code << shift < sgprs || shift == 0 && TRAP.contains(&code);
        // Registers without a meaning of their own, small integers, floats, by their signs: their texts differ in the number alone.
        let scalar = |code: u16| match code {
            129..=192 => 129,
            193..=208 => 193,
            240 | 242 | 244 | 246 => 240,
            241 | 243 | 245 | 247 => 241,
            _ if plain(code, 0) => COUNTED | REGISTER,
            _ => code,
        };
        let of = |n: u16| match sort {
            Sort::Source(_) | Sort::Offset if n < 256 => scalar(n),
            Sort::Source(bits) => 256 | REGISTER | n & bits,
            Sort::Offset => n,
            Sort::Vector(bits) => REGISTER | n & bits,
            Sort::Image(_) if n >= END => n,
            Sort::Image(paired) => n.min(if paired { 2 - n % 2 } else { 1 }),
            Sort::Scalar(shift) if plain(n, shift) => COUNTED | REGISTER,
            Sort::Scalar(_) => n,
            Sort::Nothing => n.min(1),
            Sort::Same => 0,
        };
        Classes { sort, of: Box::new(std::array::from_fn(|n| of(n as u16))) }
    }
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
