//! All forms of a target, and the ways to them: from names, and from bits.

use super::arch::{Gen, Target};
use super::form::{Allow, Builder, Form, FormFlags, Kind, Variant};
use super::format::Format;
use super::limits::{Sets, ValueSet};
use super::regs::Names;
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

/// All forms of a target, and the ways to them: by name and by bits.
pub struct Table {
    /// The target.
    pub target: Target,
    /// Every form; the index is its number.
    pub forms: Vec<Form>,
    names: HashMap<&'static str, NameEntry, BuildNameHasher>,
    candidates: Vec<u16>,
    /// By bits 31:23 of the first word: the group of formats that begin so.
    pub(crate) groups: Box<[Group; 512]>,
    /// By group and opcode: the forms.
    pub(crate) opcodes: Vec<OpcodeForms>,
    /// The part of each form that the decoder reads.
    pub(crate) quick: Vec<Quick>,
    /// The sets of [`super::limits::Limit::set`].
    pub(crate) sets: Box<[ValueSet; 256]>,
    /// The texts of scalar operand codes.
    pub regs: Names,
}

/// Formats that share a prefix and an opcode field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    /// Selecting bits of the first word (opcode, and FLAT's segment) as up to three runs: (first bit, width).
    pub(crate) select: [(u8, u8); 3],
    /// The first entry in [`Table::opcodes`].
    pub(crate) first: u32,
    /// Where SRC0 lies, for formats with SDWA or DPP forms: 0 for none, 1 first word, 2 second word.
    pub(crate) markers: u8,
    /// Whether the first run is all there is.
    simple: bool,
    /// Whether the opcode has a bit in the second word.
    op_in_second: Option<(u8, u8)>,
}

/// What the decoder needs of a form, in one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Quick {
    /// As in the form.
    pub(crate) base: [u32; 3],
    /// As in the form.
    pub(crate) must: [u32; 3],
    /// The first limits: bit of the field (0-95), its mask, its set.
    pub(crate) limits: [(u8, u8, u16); 6],
    /// First bits of the source fields that may ask for a literal: bit 7 says that the field has eight bits, not nine; 0xff is none.
    pub(crate) literals: [u8; 3],
    /// Words without a literal.
    pub(crate) words: u8,
    /// How many limits there are; above six the form has the rest, or sources whose bank is a bit elsewhere.
    pub(crate) limit_count: u8,
    /// Whether a literal always follows.
    pub(crate) has_literal: bool,
    /// Whether the family checks its words itself.
    pub(crate) by_family: bool,
}

impl Quick {
    fn new(form: &Form) -> Quick {
        let mut limits = [(0, 0, 0); 6];
        for (to, from) in limits.iter_mut().zip(&form.limits) {
            *to = (from.word * 32 + from.shift, from.set as u8, from.mask);
        }
        let mut literals = [0xff; 3];
        let sources = form.slots.iter().filter(|s| s.kind == Kind::Source && s.allow.contains(Allow::LITERAL));
        for (to, slot) in literals.iter_mut().zip(sources) {
            *to = slot.span.lo | u8::from(slot.span.width == 8) << 7;
        }
        let scalar_sdwa = form.slots.iter().any(|s| matches!(s.kind, Kind::SdwaSource(_)));
        Quick {
            base: form.base,
            must: form.must,
            limits,
            literals,
            words: form.words,
            limit_count: if scalar_sdwa { u8::MAX } else { form.limits.len() as u8 },
            has_literal: form.flags.contains(FormFlags::HAS_LITERAL),
            by_family: form.row.family.is_joint(),
        }
    }
}

/// The forms of one opcode; [`NO_FORM`] where there is none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpcodeForms {
    pub(crate) base: u16,
    pub(crate) sdwa: u16,
    pub(crate) dpp: u16,
    pub(crate) dpp8: u16,
}

/// No form.
pub(crate) const NO_FORM: u16 = u16::MAX;

#[derive(Clone, Copy, Debug)]
struct NameEntry {
    first: u32,
    len: u16,
}

/// A quick hash for short names.
#[derive(Clone, Copy, Default)]
struct BuildNameHasher;

impl std::hash::BuildHasher for BuildNameHasher {
    type Hasher = NameHasher;
    fn build_hasher(&self) -> NameHasher {
        NameHasher(0)
    }
}

struct NameHasher(u64);

impl std::hash::Hasher for NameHasher {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 29
    }
    fn write(&mut self, bytes: &[u8]) {
        const K: u64 = 0x517c_c1b7_2722_0a95;
        for chunk in bytes.chunks(8) {
            let mut word = [0u8; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.0 = (self.0.rotate_left(5) ^ u64::from_le_bytes(word)).wrapping_mul(K);
        }
    }
}

/// Collects forms and names while a table is built.
pub struct TableBuilder {
    /// The target.
    pub target: Target,
    forms: Vec<Form>,
    names: HashMap<&'static str, Vec<u16>>,
    sets: Sets,
}

impl TableBuilder {
    /// Adds a form under the names the assembler may call it; a name that was there keeps its earlier forms first.
    pub fn add(&mut self, form: Builder, names: &[&str]) {
        let index = u16::try_from(self.forms.len()).expect("fewer than 65,535 forms");
        self.forms.push(form.finish(&mut self.sets));
        for name in names {
            if let Some(list) = self.names.get_mut(*name) {
                list.push(index);
            } else {
                self.names.insert(String::leak((*name).to_owned()), vec![index]);
            }
        }
    }

    /// Whether a name is taken.
    #[must_use]
    pub fn has_name(&self, name: &str) -> bool {
        self.names.contains_key(name)
    }

    /// The format called `name` on this processor.
    ///
    /// # Panics
    /// Where it has none: a mistake in the tables.
    #[must_use]
    pub fn format(&self, name: &str) -> &'static Format {
        self.find_format(name).unwrap_or_else(|| panic!("no format {name} on {}", self.target.arch.name))
    }

    /// The format called `name` on this processor, if it has it.
    #[must_use]
    pub fn find_format(&self, name: &str) -> Option<&'static Format> {
        use super::format::{DPP, FORMATS, SDWA};
        FORMATS.iter().chain(SDWA).chain(DPP).find(|f| f.name == name && f.on.contains(self.target.arch.variant))
    }

    /// The generation.
    #[must_use]
    pub fn generation(&self) -> Gen {
        self.target.arch.generation
    }
}

impl Table {
    /// The table of a target. Built at first use and kept for the life of the program.
    ///
    /// # Panics
    /// Never, unless another thread panicked while it built a table.
    #[must_use]
    pub fn of(target: Target) -> &'static Table {
        type Cache = Mutex<HashMap<(&'static str, u8), &'static OnceLock<Table>>>;
        static CACHE: OnceLock<Cache> = OnceLock::new();
        let cell = {
            let mut cache = CACHE.get_or_init(Cache::default).lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            *cache
                .entry((target.arch.name, target.features.bits()))
                .or_insert_with(|| Box::leak(Box::new(OnceLock::new())))
        };
        cell.get_or_init(|| Table::build(target))
    }

    fn build(target: Target) -> Table {
        let sets = Sets { target, names: Names::new(&target), list: Vec::new() };
        let mut b = TableBuilder { target, forms: Vec::with_capacity(8192), names: HashMap::new(), sets };
        super::forms::build(&mut b);
        let TableBuilder { forms, names: lists, sets, .. } = b;
        let mut names = HashMap::with_capacity_and_hasher(lists.len(), BuildNameHasher);
        let mut candidates = Vec::with_capacity(lists.len() * 2);
        for (name, list) in lists {
            names.insert(name, NameEntry { first: candidates.len() as u32, len: list.len() as u16 });
            candidates.extend(list);
        }
        let mut table = Table {
            target,
            forms,
            names,
            candidates,
            sets: fixed_sets(&sets.list),
            regs: sets.names,
            quick: Vec::new(),
            groups: Box::new(
                [Group { select: [(0, 0); 3], first: 0, markers: 0, simple: true, op_in_second: None }; 512],
            ),
            opcodes: vec![OpcodeForms { base: NO_FORM, sdwa: NO_FORM, dpp: NO_FORM, dpp8: NO_FORM }],
        };
        table.quick = table.forms.iter().map(Quick::new).collect();
        table.index_bits();
        table
    }

    /// Fills the tables that lead from bits to forms.
    fn index_bits(&mut self) {
        // Formats by prefix: a longer prefix wins over a shorter one that contains it.
        let mut by_prefix: Vec<(u32, u32, Vec<usize>)> = Vec::new();
        for (i, form) in self.forms.iter().enumerate() {
            let mask = form.format.mask & 0xff80_0000;
            let fixed = form.format.fixed & 0xff80_0000;
            match by_prefix.iter_mut().find(|(m, f, _)| *m == mask && *f == fixed) {
                Some(entry) => entry.2.push(i),
                None => by_prefix.push((mask, fixed, vec![i])),
            }
        }
        by_prefix.sort_by_key(|(mask, ..)| mask.count_ones());
        for (mask, fixed, members) in by_prefix {
            let format = self.forms[members[0]].format;
            let mut select = [(0, 0); 3];
            let mut op_in_second = None;
            if format.op.width != 0 {
                select[0] = (format.op.lo, format.op.width);
            }
            if format.op.width2 != 0 {
                if format.op.lo2 < 32 {
                    select[1] = (format.op.lo2, format.op.width2);
                } else {
                    op_in_second = Some((format.op.lo2 - 32, format.op.width2));
                }
            }
            let segment = format.mask & 0x007f_ffff;
            if segment != 0 {
                select[2] = (segment.trailing_zeros() as u8, segment.count_ones() as u8);
            }
            let bits: u32 =
                select.iter().map(|s| u32::from(s.1)).sum::<u32>() + op_in_second.map_or(0, |s| u32::from(s.1));
            let first = self.opcodes.len();
            self.opcodes
                .resize(first + (1 << bits), OpcodeForms { base: NO_FORM, sdwa: NO_FORM, dpp: NO_FORM, dpp8: NO_FORM });
            let simple = select[1].1 == 0 && select[2].1 == 0 && op_in_second.is_none();
            let g = Group { select, first: first as u32, markers: 0, simple, op_in_second };
            let mut markers = 0;
            for i in members {
                let form = &self.forms[i];
                let at = g.entry(form.base[0], form.base[1]);
                let entry = &mut self.opcodes[at];
                let place = match form.variant {
                    Variant::Base => &mut entry.base,
                    Variant::Sdwa => &mut entry.sdwa,
                    Variant::Dpp => &mut entry.dpp,
                    Variant::Dpp8 => &mut entry.dpp8,
                };
                if *place == NO_FORM {
                    *place = i as u16;
                }
                if form.variant != Variant::Base {
                    markers = if form.format.words == 1 { 1 } else { 2 };
                }
            }
            for (high, group) in (0u32..).zip(self.groups.iter_mut()) {
                if (high << 23) & mask == fixed {
                    *group = Group { markers, ..g };
                }
            }
        }
    }

    /// The forms a name may mean, best first.
    #[must_use]
    #[inline]
    pub fn candidates(&self, name: &str) -> &[u16] {
        match self.names.get(name) {
            Some(e) => &self.candidates[e.first as usize..e.first as usize + usize::from(e.len)],
            None => &[],
        }
    }

    /// Every name of the assembler.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.names.keys().copied()
    }
}

/// The sets in a table that a byte indexes without a check.
fn fixed_sets(list: &[ValueSet]) -> Box<[ValueSet; 256]> {
    assert!(list.len() <= 256, "the index of a set has eight bits");
    let mut all = Box::new([[0; 8]; 256]);
    all[..list.len()].copy_from_slice(list);
    all
}

impl Group {
    /// The entry in [`Table::opcodes`] for the first two words.
    #[inline]
    pub(crate) fn entry(&self, first: u32, second: u32) -> usize {
        if self.simple {
            let (lo, width) = self.select[0];
            return (self.first + ((first >> lo) & ((1u32 << width) - 1))) as usize;
        }
        let mut at = self.first;
        let mut shift = 0;
        for (lo, width) in self.select {
            at += ((first >> lo) & ((1u32 << width) - 1)) << shift;
            shift += u32::from(width);
        }
        if let Some((lo, width)) = self.op_in_second {
            at += ((second >> lo) & ((1u32 << width) - 1)) << shift;
        }
        at as usize
    }
}
