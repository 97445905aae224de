//! Sections being filled, and the fields which get their values at the end.
//!
//! Bytes are final when they are written, except those of a [`Late`] field. [`resolve`] gives it, at the end of the file, a
//! number or a relocation, by the rules of LLVM's ELF writer: a difference to the field's own section is relative to
//! the field; symbols which no other file sees are named by their section; a variant (`@rel32@lo`) always relocates.
//!
//! Four rules are ours. A branch to a global label in the same section is resolved here: LLVM leaves `R_AMDGPU_REL16` to
//! the linker, which computes the same number. A branch to a symbol that `.globl` announces and nobody defines is left to the
//! linker, where LLVM refuses it. A literal which is a number in the end (`.set` behind its use) is that number, where
//! LLVM relocates it against nothing; and what does not fit its field is an error, where LLVM cuts it off.

use super::symbols::{Def, Linear, Node, Place, Symbols, Term};
use super::text::Spot;
use crate::asm::module::{Binding, RelocationKind, Section, SectionFlags, SectionKind};
use std::collections::HashMap;
use std::ops::Range;

/// How many bytes all sections together may have.
pub(super) const MAX_BYTES: u64 = 256 << 20;

/// A field whose value is not known yet.
#[derive(Debug)]
pub(super) struct Late {
    pub place: Place,
    pub kind: LateKind,
    pub node: Node,
    pub spot: Spot,
    pub span: Range<usize>,
}

/// How the value goes into the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LateKind {
    /// So many bytes.
    Data(u8),
    /// The literal of an instruction; a symbol alone means its distance from here (`true`).
    Literal(bool),
    /// Bits 15:0, in words from behind the field.
    Branch,
}

/// What a late field turned out to be.
#[derive(Debug, PartialEq)]
pub(super) enum Resolved {
    Bytes(u64, u8),
    Relocate { kind: RelocationKind, target: Target, addend: i64 },
}

/// What a relocation names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Symbol(usize),
    Section(usize),
    None,
}

/// The sections.
#[derive(Debug)]
pub(super) struct Layout {
    pub sections: Vec<Section>,
    /// Which section has a name.
    pub names: HashMap<String, usize>,
    pub current: usize,
    pub previous: Option<usize>,
    pub stack: Vec<(usize, Option<usize>)>,
    pub late: Vec<Late>,
    pub total: u64,
}

impl Layout {
    pub fn new() -> Layout {
        let text = Section {
            name: ".text".into(),
            kind: SectionKind::ProgBits,
            flags: SectionFlags::ALLOC | SectionFlags::EXEC,
            align: 4,
            entry_size: 0,
            bytes: Vec::new(),
            relocations: Vec::new(),
        };
        let names = HashMap::from([(text.name.clone(), 0)]);
        let (stack, late) = (Vec::new(), Vec::new());
        Layout { sections: vec![text], names, current: 0, previous: None, stack, late, total: 0 }
    }

    /// Where the next byte goes.
    pub fn here(&self) -> Place {
        Place { section: self.current, offset: self.sections[self.current].bytes.len() as u64 }
    }

    pub fn section(&mut self) -> &mut Section {
        &mut self.sections[self.current]
    }

    /// Makes a section current.
    pub fn switch(&mut self, section: usize) {
        self.previous = Some(self.current);
        self.current = section;
    }

    /// Says that so many more bytes are coming.
    pub fn reserve(&mut self, len: u64) -> Result<(), &'static str> {
        self.total = self.total.saturating_add(len);
        if self.total > MAX_BYTES { Err("the sections of a file have at most 256 MiB") } else { Ok(()) }
    }

    pub fn emit(&mut self, bytes: &[u8]) -> Result<(), &'static str> {
        self.reserve(bytes.len() as u64)?;
        let section = self.section();
        if section.kind == SectionKind::NoBits && bytes.iter().any(|&b| b != 0) {
            return Err("a section without bits in the file (@nobits) can only hold zeroes");
        }
        section.bytes.extend_from_slice(bytes);
        Ok(())
    }

    /// `count` times the low `size` bytes of `value`.
    pub fn fill(&mut self, count: u64, size: u8, value: u64) -> Result<(), &'static str> {
        let pattern = value.to_le_bytes();
        let pattern = &pattern[..usize::from(size.min(8))];
        let len = count.saturating_mul(pattern.len() as u64);
        self.reserve(len)?;
        let section = self.section();
        if pattern.iter().all(|&b| b == 0) {
            section.bytes.resize(section.bytes.len() + len as usize, 0);
        } else if section.kind == SectionKind::NoBits && count > 0 {
            return Err("a section without bits in the file (@nobits) can only hold zeroes");
        } else {
            for _ in 0..count {
                section.bytes.extend_from_slice(pattern);
            }
        }
        Ok(())
    }

    /// Goes to a multiple of `align`. Code is filled with `s_nop 0` (behind zeroes up to a whole word) unless a value is given.
    pub fn align(&mut self, align: u64, fill: Option<u64>, size: u8, max: u64) -> Result<(), &'static str> {
        let here = self.here().offset;
        let padding = here.next_multiple_of(align) - here;
        let section = self.section();
        section.align = section.align.max(align);
        let code = section.flags.contains(SectionFlags::EXEC) && size == 1 && fill.unwrap_or(0) == 0;
        if padding == 0 || (max > 0 && padding > max) {
            return Ok(());
        }
        if code {
            self.fill(padding % 4, 1, 0)?;
            return self.fill(padding / 4, 4, 0xbf80_0000);
        }
        if !padding.is_multiple_of(u64::from(size)) {
            return Err("the padding is not a multiple of the size of the fill value");
        }
        let fill = if self.section().kind == SectionKind::NoBits { 0 } else { fill.unwrap_or(0) };
        self.fill(padding / u64::from(size), size, fill)
    }
}

/// What a field is at the end of the file.
pub(super) fn resolve(symbols: &Symbols, late: &Late) -> Result<Resolved, String> {
    let value = symbols.value(&late.node).map_err(|f| f.message())?;
    match late.kind {
        LateKind::Branch => branch(symbols, late, value),
        LateKind::Data(size) => data(symbols, late, value, size, false),
        LateKind::Literal(relative) => data(symbols, late, value, 4, relative),
    }
}

fn branch(symbols: &Symbols, late: &Late, value: Linear) -> Result<Resolved, String> {
    let field = late.place;
    let Some(term) = value.plus else {
        if value.minus.is_some() {
            return Err("a branch needs a label".into());
        }
        return in_range(value.number).map(|v| Resolved::Bytes(v, 2));
    };
    if value.minus.is_some() {
        return Err("a branch needs a label".into());
    }
    let weak = term.symbol.is_some_and(|id| symbols.list[id].binding == Some(Binding::Weak));
    let Some(place) = term.place.filter(|place| place.section == field.section && !weak && term.variant.0.is_none())
    else {
        if let Some(id) = term.symbol
            && term.place.is_none()
            && symbols.list[id].binding.is_none()
        {
            return Err(format!(
                "undefined label `{}` (`.globl` says that another file defines it)",
                symbols.list[id].name
            ));
        }
        return Ok(relocate(symbols, term, value.number, RelocationKind::Rel16));
    };
    let distance = (place.offset as i64).wrapping_add(value.number).wrapping_sub(field.offset as i64 + 4);
    if distance % 4 != 0 {
        return Err(format!("the target is {distance} bytes away, which is not a whole number of words"));
    }
    in_range(distance / 4).map(|v| Resolved::Bytes(v, 2))
}

fn in_range(words: i64) -> Result<u64, String> {
    match i16::try_from(words) {
        Ok(words) => Ok(words as u16 as u64),
        Err(_) => Err(format!("the target is {words} words away; a branch reaches from -32768 to 32767")),
    }
}

fn data(symbols: &Symbols, late: &Late, value: Linear, size: u8, relative: bool) -> Result<Resolved, String> {
    let field = late.place;
    let number = |value: i64| {
        let bits = u32::from(size) * 8;
        let fits = bits >= 64 || (value >= -(1 << (bits - 1)) && value < 1 << bits);
        if fits {
            Ok(Resolved::Bytes(value as u64, size))
        } else {
            Err(format!("{value} does not fit into {bits} bits"))
        }
    };
    let (term, addend, relative) = match (value.plus, value.minus) {
        (None, None) => return number(value.number),
        (Some(plus), None) if relative && !absolute_variant(plus) => (plus, value.number, true),
        (Some(plus), None) => (plus, value.number, false),
        (Some(plus), Some(minus)) => match minus.place {
            Some(place) if place.section == field.section && minus.variant.0.is_none() && !relative => {
                (plus, value.number.wrapping_add(field.offset as i64 - place.offset as i64), true)
            }
            _ => return Err("the subtracted symbol must be a label of this section".into()),
        },
        (None, Some(_)) => return Err("a symbol can not be subtracted from a number".into()),
    };
    if let Some(place) = term.place
        && relative
        && late.kind != LateKind::Data(8)
        && place.section == field.section
        && term.variant.0.is_none()
        && !term.symbol.is_some_and(|id| seen_elsewhere(symbols, id))
    {
        return number((place.offset as i64).wrapping_add(addend).wrapping_sub(field.offset as i64));
    }
    let kind = match (size, relative) {
        (4, true) => RelocationKind::Rel32,
        (4, false) => RelocationKind::Abs32,
        (8, true) => RelocationKind::Rel64,
        (8, false) => RelocationKind::Abs64,
        _ => {
            let name = term.symbol.map_or("", |id| &symbols.list[id].name);
            return Err(format!("there is no relocation of {size} bytes for `{name}`"));
        }
    };
    Ok(relocate(symbols, term, addend, kind))
}

fn absolute_variant(term: Term) -> bool {
    matches!(term.variant.0, Some(RelocationKind::Abs32Lo | RelocationKind::Abs32Hi))
}

/// Whether another file may see, or replace, a symbol.
fn seen_elsewhere(symbols: &Symbols, id: usize) -> bool {
    let entry = &symbols.list[id];
    !matches!(entry.def, Def::Label(_) | Def::Node(_)) || entry.binding.is_some_and(|b| b != Binding::Local)
}

fn relocate(symbols: &Symbols, term: Term, addend: i64, kind: RelocationKind) -> Resolved {
    let kind = term.variant.0.unwrap_or(kind);
    let got = matches!(kind, RelocationKind::GotPcRel | RelocationKind::GotPcRel32Lo | RelocationKind::GotPcRel32Hi);
    match (term.symbol, term.place) {
        (Some(id), place) if place.is_none() || got || seen_elsewhere(symbols, id) => {
            Resolved::Relocate { kind, target: Target::Symbol(id), addend }
        }
        (_, Some(place)) => Resolved::Relocate {
            kind,
            target: Target::Section(place.section),
            addend: addend.wrapping_add(place.offset as i64),
        },
        (_, None) => Resolved::Relocate { kind, target: Target::None, addend },
    }
}
