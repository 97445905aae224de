//! All forms of a target, and the ways to them: from names, and from bits.

use super::arch::{Gen, Target};
use super::form::{Allow, Builder, DPP_MARK, DPP8_MARK, Form, FormFlags, Kind, SDWA_MARK, Slot, Variant};
use super::format::Format;
use super::limits::{EVERY_VALUE, Sets, ValueSet};
use super::regs::Names;
use super::row::{Family, Inst};
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

/// All forms of a target, and the ways to them: by name and by bits.
pub struct Table {
    /// The target.
    pub target: Target,
    /// Every form; the index is its number.
    pub forms: Vec<Form>,
    /// The number of each name: its place among the entries.
    names: HashMap<&'static str, u32, BuildNameHasher>,
    entries: Vec<NameEntry>,
    candidates: Vec<u16>,
    /// By bits 31:23 of the first word: the group of formats that begin so.
    pub(crate) groups: Box<[Group; 512]>,
    /// By group and opcode: the forms.
    pub(crate) opcodes: Vec<OpcodeForms>,
    /// The part of each form that the decoder reads.
    pub(crate) quick: Vec<Quick>,
    /// The sets of values which limits of fields name.
    pub(crate) sets: Box<[ValueSet; 256]>,
    /// The texts of scalar operand codes.
    pub regs: Names,
}

/// Formats that share a prefix and an opcode field.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Group {
    /// The first entry in [`Table::opcodes`].
    pub(crate) first: u32,
    /// The bits of the first two words that select an entry, as up to three runs: the rotation that brings a run to its place in the
    /// index, and its mask there.
    select: [(u8, u16); 3],
    /// The first bit of SRC0, which may hold a marker of SDWA or DPP.
    source: u8,
    /// All ones where there are such forms, to let the marker pass.
    marked: u8,
}

/// What the decoder needs of a form, in one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Quick {
    /// The fixed bits of the first two words.
    pub(crate) base: u64,
    /// Which bits of the first two words are fixed.
    pub(crate) must: u64,
    /// The fields that may hold the code of a literal, where there is not always one: their lowest bits ...
    pub(crate) literal_low: u64,
    /// ... and their highest.
    pub(crate) literal_high: u64,
    /// The fixed bits of the third word.
    pub(crate) base2: u32,
    /// Which bits of the third word are fixed.
    pub(crate) must2: u32,
    /// The limits: the first bit of the field and its set.
    pub(crate) limits: [(u8, u8); LIMITS],
    /// The limits that hold only where another bit is set: first bit, set, and that bit.
    pub(crate) conditional: [(u8, u8, u8); 2],
    /// Words, with the literal where there always is one.
    pub(crate) words: u8,
    /// How many limits there are.
    pub(crate) limit_count: u8,
    /// How many conditional ones.
    pub(crate) conditional_count: u8,
    /// The family, where it checks its words itself.
    pub(crate) joint: Option<Family>,
    /// Whether a place is the target of a branch.
    pub(crate) branches: bool,
}

/// The most limits that a form has.
const LIMITS: usize = 6;

impl Quick {
    fn new(form: &Form) -> Quick {
        let mut limits = [(0, EVERY_VALUE); LIMITS];
        let mut conditional = [(0, EVERY_VALUE, 0); 2];
        let (mut always, mut sometimes) = (0, 0);
        for limit in &form.limits {
            match limit.only_if {
                None => {
                    limits[always] = (limit.bit, limit.set);
                    always += 1;
                }
                Some(bit) => {
                    conditional[sometimes] = (limit.bit, limit.set, bit);
                    sometimes += 1;
                }
            }
        }
        let has_literal = form.flags.contains(FormFlags::HAS_LITERAL);
        let may_literal = |s: &&Slot| !has_literal && s.kind == Kind::Source && s.allow.contains(Allow::LITERAL);
        let (mut literal_low, mut literal_high) = (0, 0);
        for slot in form.slots.iter().filter(may_literal) {
            literal_low |= 1u64 << slot.span.lo;
            literal_high |= 1u64 << (slot.span.lo + slot.span.width - 1);
        }
        let must = |word: usize| if word < usize::from(form.words) { form.must[word] } else { 0 };
        Quick {
            base: pair(form.base[0], form.base[1]),
            must: pair(must(0), must(1)),
            literal_low,
            literal_high,
            base2: form.base[2],
            must2: must(2),
            limits,
            conditional,
            words: form.words + u8::from(has_literal),
            limit_count: always as u8,
            conditional_count: sometimes as u8,
            joint: form.row.family.is_joint().then_some(form.row.family),
            branches: form.slots.iter().any(|slot| slot.kind == Kind::Target),
        }
    }

    /// Whether a source field of these first two words holds 255, the code of a literal.
    ///
    /// After the exclusive or, such a field is zero: taking one away borrows from all of its bits.
    #[inline(always)]
    pub(crate) fn asks_literal(&self, both: u64) -> bool {
        let rest = both ^ self.literal_low.wrapping_mul(255);
        rest.wrapping_sub(self.literal_low) & !rest & self.literal_high != 0
    }
}

/// Two words as one value.
#[inline(always)]
pub(crate) const fn pair(first: u32, second: u32) -> u64 {
    first as u64 | (second as u64) << 32
}

/// The forms of one opcode, by [`Variant`]; [`NO_FORM`] where there is none. What has no form of its own has the plain one.
type OpcodeForms = [u16; 4];

/// No form.
pub(crate) const NO_FORM: u16 = u16::MAX;

#[derive(Clone, Copy, Debug)]
struct NameEntry {
    first: u32,
    len: u16,
}

/// A quick hash for short names and small values.
#[derive(Clone, Copy, Default)]
pub(super) struct BuildNameHasher;

impl std::hash::BuildHasher for BuildNameHasher {
    type Hasher = NameHasher;
    fn build_hasher(&self) -> NameHasher {
        NameHasher(0)
    }
}

pub(super) struct NameHasher(u64);

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
    /// The number of each name.
    names: HashMap<&'static str, u32, BuildNameHasher>,
    /// By these numbers, how many forms a name may mean.
    counts: Vec<u16>,
    /// Which name may mean which form, in the order in which they came.
    meant: Vec<(u32, u16)>,
    sets: Sets,
}

impl TableBuilder {
    /// Adds a form under the names the assembler may call it; a name that was there keeps its earlier forms first.
    pub fn add(&mut self, form: Builder, names: &[&str]) {
        let index = u16::try_from(self.forms.len()).expect("fewer than 65,535 forms");
        self.forms.push(form.finish(&mut self.sets));
        for name in names {
            let number = self.names.get(*name).copied().unwrap_or_else(|| {
                let number = self.counts.len() as u32;
                self.names.insert(String::leak((*name).to_owned()), number);
                self.counts.push(0);
                number
            });
            self.counts[number as usize] += 1;
            self.meant.push((number, index));
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
        cell.get_or_init(|| Table::build(target, &[]))
    }

    /// The table of a target with some rows more: to try a row before it stands in a file. It is kept for the life of the program.
    #[must_use]
    pub fn with_rows(target: Target, rows: &'static [Inst]) -> &'static Table {
        Box::leak(Box::new(Table::build(target, rows)))
    }

    fn build(target: Target, more: &'static [Inst]) -> Table {
        let sets = Sets::new(target);
        let (names, counts, meant) = (HashMap::default(), Vec::new(), Vec::with_capacity(8192));
        let mut b = TableBuilder { target, forms: Vec::with_capacity(4096), names, counts, meant, sets };
        super::forms::build(&mut b, more);
        let TableBuilder { forms, names, counts, meant, sets, .. } = b;
        let mut entries: Vec<NameEntry> = Vec::with_capacity(counts.len());
        let mut first = 0;
        for len in counts {
            entries.push(NameEntry { first, len: 0 });
            first += u32::from(len);
        }
        let mut candidates = vec![NO_FORM; meant.len()];
        for (name, form) in meant {
            let NameEntry { first, len } = &mut entries[name as usize];
            candidates[*first as usize + usize::from(*len)] = form;
            *len += 1;
        }
        let mut table = Table {
            target,
            forms,
            names,
            entries,
            candidates,
            sets: fixed_sets(&sets.list),
            regs: sets.names,
            quick: Vec::new(),
            groups: Box::new([Group::default(); 512]),
            opcodes: vec![[NO_FORM; 4]],
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
            let segment = format.mask & 0x007f_ffff;
            let runs = [
                (format.op.lo, format.op.width),
                (format.op.lo2, format.op.width2),
                (segment.trailing_zeros() as u8 % 32, segment.count_ones() as u8),
            ];
            let first = self.opcodes.len();
            let mut g = Group { first: first as u32, ..Group::default() };
            let mut bits = 0;
            for (run, (lo, width)) in g.select.iter_mut().zip(runs) {
                *run = ((lo.wrapping_sub(bits)) % 64, ((1 << width) - 1) << bits);
                bits += width;
            }
            self.opcodes.resize(first + (1 << bits), [NO_FORM; 4]);
            for i in members {
                let form = &self.forms[i];
                let place = &mut self.opcodes[g.entry(pair(form.base[0], form.base[1]))][form.variant as usize];
                if *place == NO_FORM {
                    *place = i as u16;
                }
                if form.variant != Variant::Base {
                    g.marked = u8::MAX;
                    g.source = if form.format.words == 1 { 0 } else { 32 };
                }
            }
            for entry in &mut self.opcodes[first..] {
                let plain = entry[0];
                entry.iter_mut().filter(|form| **form == NO_FORM).for_each(|form| *form = plain);
            }
            for (high, group) in (0u32..).zip(self.groups.iter_mut()) {
                if (high << 23) & mask == fixed {
                    *group = g;
                }
            }
        }
    }

    /// The number of the form that the first two words of an instruction of this table ask for.
    #[inline(always)]
    pub(crate) fn number_at(&self, both: u64) -> u16 {
        let group = &self.groups[(both as u32 >> 23) as usize];
        self.opcodes[group.entry(both)][group.variant(both)]
    }

    /// The number of one of the forms of this table.
    #[must_use]
    #[inline]
    pub fn number(&self, form: &Form) -> usize {
        std::ptr::from_ref(form).addr().wrapping_sub(self.forms.as_ptr().addr()) / size_of::<Form>()
    }

    /// The forms a name may mean, best first.
    #[must_use]
    #[inline]
    pub fn candidates(&self, name: &str) -> &[u16] {
        let Some(number) = self.names.get(name) else { return &[] };
        let NameEntry { first, len } = self.entries[*number as usize];
        &self.candidates[first as usize..][..usize::from(len)]
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

/// The variant of a form by the nine bits of its SRC0.
static MARKERS: [u8; 512] = {
    let mut markers = [Variant::Base as u8; 512];
    markers[SDWA_MARK as usize] = Variant::Sdwa as u8;
    markers[DPP_MARK as usize] = Variant::Dpp as u8;
    markers[DPP8_MARK as usize] = Variant::Dpp8 as u8;
    markers[DPP8_MARK as usize + 1] = Variant::Dpp8 as u8;
    markers
};

impl Group {
    /// The entry in [`Table::opcodes`] for the first two words.
    #[inline]
    pub(crate) fn entry(&self, both: u64) -> usize {
        let run = |(rotation, mask): (u8, u16)| both.rotate_right(u32::from(rotation)) as u32 & u32::from(mask);
        let [a, b, c] = self.select.map(run);
        (self.first + a + b + c) as usize
    }

    /// Which form of its opcode the first two words ask for.
    #[inline]
    pub(crate) fn variant(&self, both: u64) -> usize {
        usize::from(MARKERS[(both >> (self.source & 63)) as usize & 0x1ff] & self.marked) & 3
    }
}
