//! Instructions made from the tables: for every form, every place takes every kind of operand that its field can hold, every modifier
//! takes its values, one at a time; and random combinations of them.
//!
//! A generator sets bits, not operands: what is no instruction is for the decoder to refuse. So nothing here knows the rules that the
//! laws are about.

use super::does::{Control, Does};
use super::form::{Allow, Form, Kind, Mod, NO_BIT, Slot};
use super::format::Span;

/// How many instructions to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Density {
    /// Whether wide fields take all values of interest, or a few.
    pub full: bool,
    /// Random combinations for each form.
    pub mixed: usize,
    /// What chance begins with.
    pub seed: u64,
}

/// Words enough for any instruction.
const WORDS: usize = 8;

type Words = [u32; WORDS];

/// One thing that can be chosen: what it may be. The first choice is a plain one.
struct Choice {
    options: Vec<Vec<(Span, u32)>>,
}

/// Codes of sources: registers of every kind, constants of every kind, and what lies between.
#[rustfmt::skip]
const SOURCES: &[u32] = &[
    256, 257, 258, 383, 384, 510, 511,
    0, 1, 2, 4, 8, 96, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 120, 122, 123, 124, 125, 126, 127,
    128, 129, 130, 159, 192, 193, 194, 208, 209,
    230, 231, 232, 233, 234, 235, 236, 237, 238, 239, 240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255,
];

const LITERALS: &[u32] = &[0x1234_5678, 0xffff_fabc, 0x4640_e400, 0x0000_7bff, 0x8000_0001, 0x3456, 0xdead_beef, 65];

fn literal_word(form: &Form) -> Span {
    let at = form.words * 32;
    Span::new(at + 31, at)
}

fn field_values(span: Span, full: bool) -> Vec<u32> {
    let max = span.max();
    if span.bits() <= 4 || full && span.bits() <= 9 {
        return (0..=max).collect();
    }
    let mut all = vec![0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 63, 64, 65, 127, 128, max / 2, max / 2 + 1, max - 1, max];
    all.extend((0..span.bits()).map(|b| 1 << b));
    all.extend([0x5a5a_5a5a & max, 0xa5a5_a5a5 & max, 0x0012_3456 & max]);
    all.retain(|v| *v <= max);
    all.sort_unstable();
    all.dedup();
    all
}

/// What may stand in the `i`th place.
fn place(form: &Form, slot: &Slot, i: usize, full: bool) -> Choice {
    let vgpr = [0, 34, 64, 98, 128, 160, 194, 224][i.min(7)];
    let sgpr = 4 + 16 * (i as u32 % 5);
    let (plain, values): (u32, Vec<u32>) = match slot.kind {
        Kind::Source if slot.span.bits() == 9 => {
            let plain = if slot.allow.intersects(Allow::VGPR | Allow::AGPR) { 256 + vgpr } else { sgpr };
            (plain, SOURCES.to_vec())
        }
        Kind::Source => (sgpr, SOURCES.iter().copied().filter(|v| *v < 256).collect()),
        Kind::Vgpr | Kind::DualVdst => (vgpr, vec![0, 1, 2, 3, 127, 128, 130, 254, 255]),
        Kind::Sgpr if slot.span.bits() == 5 => (sgpr / 4, (0..32).collect()),
        Kind::Sgpr => (sgpr, SOURCES.iter().copied().filter(|v| *v < 128).collect()),
        Kind::SdwaSource(_) => (vgpr, SOURCES.iter().map(|v| v & 255).collect()),
        Kind::SdwaSdst(_) => (sgpr, SOURCES.iter().copied().filter(|v| *v < 128).collect()),
        Kind::Memory(_) if slot.span.bits() >= 9 => (0, field_values(slot.span, full)),
        Kind::Memory(part) => {
            use crate::isa::operand::Part;
            match part {
                Part::Vdst | Part::Data | Part::Data1 | Part::Addr => (vgpr, vec![0, 1, 2, 3, 127, 254, 255]),
                Part::Rsrc if slot.span.bits() == 5 => (sgpr / 4, (0..32).collect()),
                Part::Sbase => (sgpr / 2, (0..=slot.span.max()).collect()),
                Part::Soffset => (128, SOURCES.iter().copied().filter(|v| *v <= slot.span.max()).collect()),
                _ => (sgpr, SOURCES.iter().copied().filter(|v| *v <= slot.span.max()).collect()),
            }
        }
        // The plain barrier is that of the group.
        Kind::Barrier => (193, SOURCES.iter().copied().filter(|v| *v < 256).collect()),
        Kind::PlainImm if form.row.does == Does::Control(Control::Barrier) => (0xffff, field_values(slot.span, full)),
        _ if slot.span.width == 0 => (0, Vec::new()),
        _ => (0, field_values(slot.span, full)),
    };
    let extra = match slot.kind {
        Kind::SdwaSource(scalar) | Kind::SdwaSdst(scalar) => Some(scalar),
        Kind::Attr(channel) => Some(channel),
        _ => None,
    };
    let mut options = Vec::new();
    if slot.span.width != 0 {
        options.push(vec![(slot.span, plain.min(slot.span.max()))]);
        for value in values {
            options.push(vec![(slot.span, value)]);
            if slot.kind == Kind::Source && value == 255 {
                options.extend(LITERALS.iter().map(|l| vec![(slot.span, 255), (literal_word(form), *l)]));
            }
            if let Some(extra) = extra {
                options.extend((1..=extra.max()).map(|e| vec![(slot.span, value), (extra, e)]));
            }
        }
    } else if slot.kind == Kind::Literal {
        options.extend(LITERALS.iter().map(|l| vec![(literal_word(form), *l)]));
    }
    // The bits beside a field, on the plain register and on a constant.
    let bits: Vec<Span> = [slot.neg, slot.abs, slot.sext, slot.half, slot.acc]
        .into_iter()
        .filter(|b| *b != NO_BIT)
        .map(|b| Span::new(b, b))
        .collect();
    for mask in 1u32..1 << bits.len() {
        let set = || bits.iter().enumerate().filter(move |(b, _)| mask >> b & 1 != 0).map(|(_, s)| (*s, 1));
        options.push(set().collect());
        if slot.kind == Kind::Source {
            for code in [sgpr, 129, 193, 240, 248, 255] {
                options.push(std::iter::once((slot.span, code)).chain(set()).collect());
            }
        }
    }
    Choice { options }
}

fn modifier(id: Mod, span: Span, full: bool) -> Choice {
    let values = modifier_values_of(id, span, full);
    Choice { options: values.into_iter().map(|v| vec![(span, v)]).collect() }
}

/// Values of interest of a modifier; the first is the plain one.
#[must_use]
pub(crate) fn modifier_values(id: Mod, span: Span) -> Vec<u32> {
    modifier_values_of(id, span, false)
}

fn modifier_values_of(id: Mod, span: Span, full: bool) -> Vec<u32> {
    match id {
        Mod::DppCtrl => {
            let mut all: Vec<u32> = vec![0, 0x1b, 0xe4, 0xff, 0x101, 0x10f, 0x111, 0x11f, 0x121, 0x12f];
            all.extend([
                0x130, 0x134, 0x138, 0x13c, 0x140, 0x141, 0x142, 0x143, 0x150, 0x151, 0x15f, 0x160, 0x161, 0x16f,
            ]);
            if full {
                all.extend(0..512);
            }
            all
        }
        Mod::Dpp8 => vec![0, 0xfac688, 0x7_7777, 0xff_ffff, 0x05_3977, 0xa5_a5a5],
        // DPP8 says FI in its marker.
        Mod::Fi if span.bits() > 1 => vec![0xe9, 0xea],
        Mod::RowMask | Mod::BankMask => vec![15, 0, 1, 2, 4, 8, 5, 10],
        Mod::DstSel | Mod::Src0Sel | Mod::Src1Sel => vec![6, 0, 1, 2, 3, 4, 5, 7],
        _ => field_values(span, full),
    }
}

fn choices(form: &Form, full: bool) -> Vec<Choice> {
    let mut all: Vec<Choice> = form.slots.iter().enumerate().map(|(i, s)| place(form, s, i, full)).collect();
    all.extend(form.mods.iter().map(|m| modifier(m.id, m.span, full)));
    // Bits that mean something and belong to no place and no modifier.
    let mut rest: [u32; 3] = std::array::from_fn(|i| !(form.must[i] | form.idle[i]));
    let mut clear = |span: Span| {
        let mut words: Words = [0; WORDS];
        span.set(&mut words, u32::MAX);
        for (r, w) in rest.iter_mut().zip(words) {
            *r &= !w;
        }
    };
    for slot in &form.slots {
        clear(slot.span);
        for bit in [slot.neg, slot.abs, slot.sext, slot.half, slot.acc].into_iter().filter(|b| *b != NO_BIT) {
            clear(Span::new(bit, bit));
        }
        if let Kind::SdwaSource(span) | Kind::SdwaSdst(span) | Kind::Attr(span) = slot.kind {
            clear(span);
        }
    }
    for m in &form.mods {
        clear(m.span);
    }
    for (w, bits) in rest.iter().enumerate().take(usize::from(form.words)) {
        for b in (0..32u8).filter(|b| bits >> b & 1 != 0) {
            let bit = w as u8 * 32 + b;
            let span = Span::new(bit, bit);
            let set = (form.base[w] >> b) & 1;
            all.push(Choice { options: vec![vec![(span, set)], vec![(span, set ^ 1)]] });
        }
    }
    all.retain(|c| !c.options.is_empty());
    all
}

/// A small, good and repeatable source of chance (splitmix64).
pub struct Chance(u64);

impl Chance {
    /// Chance that begins with a number.
    #[must_use]
    pub fn new(seed: u64) -> Chance {
        Chance(seed)
    }

    /// The next number.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next_u64() % n.max(1) as u64) as usize
    }
}

/// The plain instruction of a form: the first choice everywhere.
fn plain(form: &Form, choices: &[Choice]) -> Words {
    let mut plain: Words = [0; WORDS];
    plain[..3].copy_from_slice(&form.base);
    // Behind the words of the form: a literal, or more addresses of an image instruction.
    for w in &mut plain[usize::from(form.words)..] {
        *w = 0x1234_5678;
    }
    for choice in choices {
        for (span, value) in &choice.options[0] {
            span.set(&mut plain, *value);
        }
    }
    plain
}

/// The plain instruction with some other choices.
fn mixed(plain: Words, choices: &[Choice], chance: &mut Chance) -> Words {
    let mut words = plain;
    for choice in choices {
        // Most things stay plain: where all were drawn, few would be instructions.
        if chance.below(3) == 0 {
            for (span, value) in &choice.options[chance.below(choice.options.len())] {
                span.set(&mut words, *value);
            }
        }
    }
    words
}

/// Random words that are likely to be an instruction of the form. What follows them is arbitrary.
pub fn instruction(form: &Form, chance: &mut Chance) -> [u32; WORDS] {
    let choices = choices(form, false);
    mixed(plain(form, &choices), &choices, chance)
}

/// Calls `each` with words that are likely to be instructions of the form. What follows them is arbitrary.
pub fn instructions(form: &Form, density: Density, each: &mut dyn FnMut(&[u32])) {
    let choices = choices(form, density.full);
    let plain = plain(form, &choices);
    each(&plain);
    for choice in &choices {
        for option in &choice.options[1..] {
            let mut words = plain;
            for (span, value) in option {
                span.set(&mut words, *value);
            }
            each(&words);
        }
    }
    let mut chance = Chance::new(density.seed ^ u64::from(form.base[0]) << 32 ^ u64::from(form.base[1]));
    for _ in 0..density.mixed {
        each(&mixed(plain, &choices, &mut chance));
    }
}
