//! The fields of a form by the names that the manuals give them: those of its format, and those of the extra word of SDWA and DPP.

use crate::isa::Target;
use crate::isa::form::Form;
use crate::isa::format::{DPP, FORMATS, Field, SDWA, Span};
use crate::isa::row::{Family, Traits};

/// A field of an instruction and what it holds: what a refusal is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Held {
    /// The manual's name; empty for bits of no field.
    pub name: &'static str,
    /// Its first bit; bit 0 is the lowest bit of the first word.
    pub bit: u8,
    /// What it holds.
    pub value: u32,
}

impl std::fmt::Display for Held {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.name {
            "" => write!(f, "bit {} is {}", self.bit, self.value),
            name => write!(f, "{name} is {:#x}", self.value),
        }
    }
}

impl Held {
    /// What a span of a form holds, under the name of the field that it belongs to.
    #[must_use]
    pub fn of(target: &Target, form: &Form, words: &[u32], span: Span) -> Held {
        let field = named(target, form).find(|(_, field)| meets(*field, span));
        let (name, span) = field.unwrap_or(("", span));
        Held { name, bit: span.lo, value: get(span, words) }
    }

    /// The first field that holds one of these bits.
    pub(super) fn of_bits(target: &Target, form: &Form, words: &[u32], bits: [u32; 3]) -> Held {
        let first = (0..96u8).find(|bit| bits[usize::from(bit / 32)] >> (bit % 32) & 1 != 0).unwrap_or(0);
        Held::of(target, form, words, Span::new(first, first))
    }

    /// The name of a field as the tables have it.
    #[must_use]
    pub fn known_name(name: &str) -> Option<&'static str> {
        let mut all =
            [FORMATS, SDWA, DPP].into_iter().flatten().flat_map(|format| format.fields).map(|f: &Field| f.name);
        if name.is_empty() { Some("") } else { all.find(|known| *known == name) }
    }
}

/// The value of a field, as far as the words reach.
fn get(span: Span, words: &[u32]) -> u32 {
    let mut all = [0; 5];
    for (to, from) in all.iter_mut().zip(words) {
        *to = *from;
    }
    span.get(&all)
}

/// The fields of a form with their names.
pub(super) fn named<'f>(target: &Target, form: &'f Form) -> impl Iterator<Item = (&'static str, Span)> + use<'f> {
    let shift = 32 * (form.format.words - 1);
    let more = form.second_format(target).into_iter().flat_map(|format| format.fields);
    let more = more.map(move |field| (field.name, field.span.moved(shift)));
    let first = form.format.fields.iter().map(|field| (field.name, field.span));
    first.chain(more).filter(|(name, _)| !hidden(form, name))
}

/// Fields which are two names for the same bits: only one of them means something in an instruction.
fn hidden(form: &Form, name: &str) -> bool {
    let two = form.row.traits.contains(Traits::OFFSET2);
    form.row.family == Family::Ds && (name == "OFFSET" && two || matches!(name, "OFFSET0" | "OFFSET1") && !two)
}

/// Whether bits of a span are inside another one.
pub(super) fn meets(a: Span, b: Span) -> bool {
    let mut x = [0u32; 5];
    let mut y = [0u32; 5];
    a.set(&mut x, u32::MAX);
    b.set(&mut y, u32::MAX);
    x.iter().zip(y).any(|(x, y)| x & y != 0)
}
