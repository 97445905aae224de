//! A program as plain data: control flow, clauses, groups and fetches.
//!
//! An instruction is its words and its row: fields are looked at where they lie, so that nothing of it is lost. Where instructions of
//! which kind stand follows from control flow, which is read from the first word on up to where the first clause lies. Subroutines
//! behind clauses are control flow too, from the target of a call on.
//!
//! Decoding is total. A clause that does not fit (it reaches behind the program, or overlaps another one or control flow before it)
//! is none: its control-flow instruction stands alone. A group ends where LAST is set, after five instructions or with its clause;
//! literals that the clause has no room for are not there. Words that belong to nothing are kept as they are. So every list of words
//! comes back from [`Program::encode`].

use crate::isa::format::Span;
use crate::isa::r600::does::Does;
use crate::isa::r600::format::{
    ALU_ENCODING, SOURCES, alu_op2, alu_op2_r700, alu_op3, cf, cf_alu, cf_r700, export_swiz, tex,
};
use crate::isa::r600::{Chip, Class, Format, Machine, Row, Units};

/// The words of one instruction, and what they are.
#[derive(Clone, Copy, Debug)]
pub struct Inst<const N: usize> {
    /// The words.
    pub words: [u32; N],
    /// Of which kind it is.
    pub class: Class,
    /// The instruction, if the opcode is one.
    pub row: Option<&'static Row>,
}

impl<const N: usize> PartialEq for Inst<N> {
    fn eq(&self, other: &Inst<N>) -> bool {
        self.words == other.words && self.class == other.class
    }
}

impl<const N: usize> Inst<N> {
    /// The value of a field.
    #[inline]
    #[must_use]
    pub fn get(&self, field: Span) -> u32 {
        field.get(&self.words)
    }

    /// Whether a field of one bit is set.
    #[inline]
    #[must_use]
    pub fn is(&self, field: Span) -> bool {
        self.get(field) != 0
    }

    /// What it does, if the opcode is one.
    #[must_use]
    pub fn does(&self) -> Option<Does> {
        self.row.map(|row| row.does)
    }
}

impl Inst<2> {
    /// A control-flow instruction. Bit 29 of the second word says ALU, bit 28 export.
    #[must_use]
    pub fn flow(machine: Machine, words: [u32; 2]) -> Inst<2> {
        let (class, code) = match words[1] >> 28 & 3 {
            0 => (Class::Cf, cf::CF_INST.get(&words)),
            1 => (Class::Export, export_swiz::CF_INST.get(&words)),
            _ => (Class::CfAlu, cf_alu::CF_INST.get(&words)),
        };
        Inst { words, class, row: machine.row(class, code) }
    }

    /// An ALU instruction.
    #[must_use]
    pub fn alu(machine: Machine, words: [u32; 2]) -> Inst<2> {
        let (class, code) = match (ALU_ENCODING.get(&words), machine.chip) {
            (0, Chip::R600) => (Class::Op2, alu_op2::ALU_INST.get(&words)),
            (0, Chip::R700) => (Class::Op2, alu_op2_r700::ALU_INST.get(&words)),
            _ => (Class::Op3, alu_op3::ALU_INST.get(&words)),
        };
        Inst { words, class, row: machine.row(class, code) }
    }

    /// How many source fields an ALU instruction has; its row says how many of them are read.
    #[must_use]
    pub fn source_fields(&self) -> usize {
        if self.class == Class::Op3 { 3 } else { 2 }
    }

    /// A source of an ALU instruction, read or not.
    #[inline]
    #[must_use]
    pub fn source(&self, n: usize) -> Source {
        let [sel, rel, elem, neg] = SOURCE;
        // Each of them with its own bits, which are known here: so this is a shift and a mask.
        let (bits, abs) = match n {
            0 => (self.get(SOURCES[0]), self.is(ABS[0])),
            1 => (self.get(SOURCES[1]), self.is(ABS[1])),
            _ => (self.get(SOURCES[2]), false),
        };
        // They all lie as the first one.
        let first = [bits];
        Source {
            sel: sel.get(&first),
            rel: rel.get(&first) != 0,
            elem: elem.get(&first),
            neg: neg.get(&first) != 0,
            abs: abs && self.class == Class::Op2,
        }
    }

    /// What an ALU instruction reads.
    #[inline]
    pub(super) fn reads(&self) -> Reads {
        let [a, b, c] = SOURCES;
        let count = self.row.map_or(0, |row| usize::from(row.sources));
        Reads { fields: [self.get(a), self.get(b), self.get(c), 0], count }
    }

    /// How many literal words have to stand behind its group for the sources of an ALU instruction, read or not: 0, 2 or 4.
    fn literal_words(&self) -> u8 {
        let fields = [
            (alu_op3::SRC0_SEL, alu_op3::SRC0_ELEM),
            (alu_op3::SRC1_SEL, alu_op3::SRC1_ELEM),
            (alu_op3::SRC2_SEL, alu_op3::SRC2_ELEM),
        ];
        let mut words = 0;
        for (n, (field, elem)) in fields.into_iter().enumerate() {
            if self.get(field) == sel::LITERAL && n < self.source_fields() {
                words = words.max(if self.get(elem) < 2 { 2 } else { 4 });
            }
        }
        words
    }

    /// Writes a source of an ALU instruction.
    #[inline]
    pub(super) fn set_source(words: &mut [u32; 2], n: usize, source: Source) {
        let [sel, rel, elem, neg] = SOURCE;
        let mut first = [0];
        sel.set(&mut first, source.sel);
        rel.set(&mut first, source.rel.into());
        elem.set(&mut first, source.elem);
        neg.set(&mut first, source.neg.into());
        match n {
            0 => SOURCES[0].set(words, first[0]),
            1 => SOURCES[1].set(words, first[0]),
            _ => SOURCES[2].set(words, first[0]),
        }
        if source.abs {
            ABS[n & 1].set(words, 1);
        }
    }

    /// How the result is scaled: 0 not, 1 by 2, 2 by 4, 3 by a half.
    #[must_use]
    pub fn output_modifier(&self, chip: Chip) -> u32 {
        match (self.class, chip) {
            (Class::Op2, Chip::R600) => self.get(alu_op2::OMOD),
            (Class::Op2, Chip::R700) => self.get(alu_op2_r700::OMOD),
            _ => 0,
        }
    }

    /// Whether the result of an ALU instruction is written to its register.
    #[must_use]
    pub fn writes(&self) -> bool {
        self.class == Class::Op3 || self.is(alu_op2::WRITE_MASK)
    }

    /// The layout of its words.
    #[must_use]
    pub fn format(&self, machine: Machine) -> &'static Format {
        use crate::isa::r600::format::{export_buf, export_swiz};
        match self.class {
            Class::CfAlu => &cf_alu::FORMAT,
            Class::Export if self.stores() => &export_buf::FORMAT,
            Class::Export => &export_swiz::FORMAT,
            Class::Op2 => machine.op2(),
            Class::Op3 => &alu_op3::FORMAT,
            _ => machine.cf(),
        }
    }

    /// Whether it is one of those that go to memory: they have an array size where exports have selects.
    #[must_use]
    pub fn stores(&self) -> bool {
        matches!(self.does(), Some(Does::Store(_)))
    }

    /// Which clause a control-flow instruction begins: of ALU slots, or of fetches.
    #[must_use]
    pub fn begins(&self, machine: Machine) -> Option<Extent> {
        match (self.class, self.does()?) {
            (_, Does::AluClause(_)) => {
                Some(Extent { kind: Kind::Alu, at: self.get(cf_alu::ADDR), count: self.get(cf_alu::COUNT) + 1 })
            }
            (_, Does::Fetches) => {
                let upper = if machine.chip == Chip::R700 { self.get(cf_r700::COUNT_3) << 3 } else { 0 };
                Some(Extent { kind: Kind::Fetch, at: self.get(cf::ADDR), count: (self.get(cf::COUNT) | upper) + 1 })
            }
            _ => None,
        }
    }

    /// Whether the program ends with it. ALU clauses have no such bit.
    #[must_use]
    pub fn ends_program(&self) -> bool {
        self.class != Class::CfAlu && self.is(cf::END_OF_PROGRAM)
    }
}

impl Inst<4> {
    /// A fetch. Vertex fetches are the first two opcodes in clauses of either kind.
    #[must_use]
    pub fn fetch(machine: Machine, words: [u32; 4]) -> Inst<4> {
        let code = tex::TEX_INST.get(&words);
        let class = if machine.row(Class::Vtx, code).is_some() { Class::Vtx } else { Class::Tex };
        Inst { words, class, row: machine.row(class, code) }
    }

    /// The layout of its words.
    #[must_use]
    pub fn format(&self) -> &'static Format {
        if self.class == Class::Vtx { &crate::isa::r600::format::vtx::FORMAT } else { &tex::FORMAT }
    }
}

/// SEL, REL, ELEM and NEG of the first source.
const SOURCE: [Span; 4] = [alu_op2::SRC0_SEL, alu_op2::SRC0_REL, alu_op2::SRC0_ELEM, alu_op2::SRC0_NEG];
/// Which of two sources are without their sign.
pub(super) const ABS: [Span; 2] = [alu_op2::SRC0_ABS, alu_op2::SRC1_ABS];

/// What the source selects mean.
pub mod sel {
    /// The first constant of the first locked cache; there are 32.
    pub const KCACHE0: u32 = 128;
    /// The first constant of the second locked cache; there are 32.
    pub const KCACHE1: u32 = 160;
    /// 0.0
    pub const ZERO: u32 = 248;
    /// 1.0
    pub const ONE: u32 = 249;
    /// The integer 1.
    pub const ONE_INT: u32 = 250;
    /// The integer -1.
    pub const MINUS_ONE_INT: u32 = 251;
    /// 0.5
    pub const HALF: u32 = 252;
    /// A literal of the group; ELEM says which.
    pub const LITERAL: u32 = 253;
    /// The result of the vector unit ELEM in the group before.
    pub const PV: u32 = 254;
    /// The result of t in the group before.
    pub const PS: u32 = 255;
    /// The first of 256 constants of the constant file.
    pub const CFILE: u32 = 256;
}

/// A source of an ALU instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// What is read; see [`sel`].
    pub sel: u32,
    /// Whether the index is added.
    pub rel: bool,
    /// Which element.
    pub elem: u32,
    /// Negated, after `abs`.
    pub neg: bool,
    /// Without its sign.
    pub abs: bool,
}

/// The sources that an ALU instruction reads, as they stand in its words: without absolute values.
#[derive(Clone, Copy)]
pub(super) struct Reads {
    fields: [u32; 4],
    /// How many they are.
    pub count: usize,
}

impl Reads {
    /// Source `n`.
    #[inline]
    pub fn get(&self, n: usize) -> Source {
        let [sel, rel, elem, neg] = SOURCE;
        let bits = [self.fields[n & 3]];
        Source {
            sel: sel.get(&bits),
            rel: rel.get(&bits) != 0,
            elem: elem.get(&bits),
            neg: neg.get(&bits) != 0,
            abs: false,
        }
    }
}

/// A unit of the group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Slot {
    /// The vector unit of the first element.
    X,
    /// Of the second one.
    Y,
    /// Of the third one.
    Z,
    /// Of the fourth one.
    W,
    /// The scalar (transcendental) unit.
    T,
}

impl Slot {
    /// All of them.
    pub const ALL: [Slot; 5] = [Slot::X, Slot::Y, Slot::Z, Slot::W, Slot::T];

    /// The letter before an instruction.
    #[must_use]
    pub fn letter(self) -> char {
        ['x', 'y', 'z', 'w', 't'][self as usize]
    }

    /// The unit of an element.
    #[must_use]
    pub fn vector(elem: u32) -> Slot {
        Slot::ALL[elem as usize & 3]
    }
}

/// Instructions that execute at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Group {
    insts: [Inst<2>; 5],
    slots: [Option<Slot>; 5],
    len: u8,
    /// How many literal words stand behind the instructions: 0, 2 or 4.
    pub literal_words: u8,
    /// How many there should be, which the end of the clause may prevent.
    pub literals_needed: u8,
    /// The literals; those that are not there are 0.
    pub literals: [u32; 4],
}

impl Group {
    /// A group of up to five instructions, with room for literals as they need it.
    #[must_use]
    pub fn new(machine: Machine, insts: &[Inst<2>], literals: [u32; 4]) -> Group {
        Group::of(machine, insts.iter().copied(), literals)
    }

    /// A group of the first five instructions.
    pub(super) fn of(machine: Machine, insts: impl Iterator<Item = Inst<2>>, literals: [u32; 4]) -> Group {
        let nothing = Inst { words: [0; 2], class: Class::Op2, row: None };
        let mut group =
            Group { insts: [nothing; 5], slots: [None; 5], len: 0, literal_words: 0, literals_needed: 0, literals };
        for (place, inst) in group.insts.iter_mut().zip(insts) {
            *place = inst;
            group.len += 1;
        }
        group.assign(machine.chip);
        if group.is_closed() {
            group.literals_needed = group.insts().iter().map(Inst::literal_words).max().unwrap_or(0);
        }
        group.literal_words = group.literals_needed;
        group
    }

    /// Which unit executes which instruction: t what only t can do, the unit of its element what only that one can do; all others too,
    /// or t where that unit is taken (also the last one: CONFIG.ALU_INST_PREFER_VECTOR as all compilers assume it).
    fn assign(&mut self, chip: Chip) {
        // A bit for each unit.
        let mut taken = 0u8;
        let len = usize::from(self.len);
        for (inst, place) in self.insts[..len].iter().zip(&mut self.slots) {
            let vector = Slot::vector(inst.get(alu_op2::DST_ELEM));
            let slot = match inst.row.map_or(Units::Any, |row| row.units(chip)) {
                Units::Trans => Slot::T,
                Units::Any if taken & 1 << vector as u8 != 0 => Slot::T,
                _ => vector,
            };
            let bit = 1 << slot as u8;
            *place = (taken & bit == 0).then_some(slot);
            taken |= bit;
        }
    }

    /// The instructions in the order of their words.
    #[must_use]
    pub fn insts(&self) -> &[Inst<2>] {
        &self.insts[..usize::from(self.len)]
    }

    /// The unit of the instruction `n`; nothing where two want the same one.
    #[must_use]
    pub fn slot(&self, n: usize) -> Option<Slot> {
        self.slots.get(n).copied().flatten()
    }

    /// The instruction of a unit.
    #[must_use]
    pub fn in_slot(&self, slot: Slot) -> Option<&Inst<2>> {
        self.insts().iter().zip(self.slots).find(|(_, at)| *at == Some(slot)).map(|(inst, _)| inst)
    }

    /// How many slots of two words it takes of its clause.
    #[must_use]
    pub fn size(&self) -> u32 {
        u32::from(self.len) + u32::from(self.literal_words / 2)
    }

    /// Whether the hardware sees its end: the last instruction says so.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.insts().last().is_some_and(|inst| inst.is(alu_op2::LAST))
    }
}

/// Of what a clause is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// ALU groups.
    Alu,
    /// Fetches.
    Fetch,
}

/// Where a clause lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Extent {
    /// Of what it is made.
    pub kind: Kind,
    /// The first pair of words.
    pub at: u32,
    /// Slots of two words, or fetches of four.
    pub count: u32,
}

impl Extent {
    /// The first pair behind it.
    #[must_use]
    pub fn end(self) -> u64 {
        let size = if self.kind == Kind::Alu { 1 } else { 2 };
        u64::from(self.at) + u64::from(self.count) * size
    }
}

/// What a clause holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// Groups.
    Alu(Vec<Group>),
    /// Fetches.
    Fetch(Vec<Inst<4>>),
}

/// A clause.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    /// Where it lies.
    pub extent: Extent,
    /// What it holds.
    pub body: Body,
}

/// A control-flow instruction in its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flow {
    /// Which pair of words it is.
    pub at: u32,
    /// The instruction.
    pub inst: Inst<2>,
    /// Its clause, as an index; nothing where it begins none, or one that does not fit.
    pub clause: Option<usize>,
}

/// A program.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// For what it was decoded.
    pub machine: Machine,
    /// Control flow, by place.
    pub flow: Vec<Flow>,
    /// Clauses, in the order in which control flow names them first.
    pub clauses: Vec<Clause>,
    /// Pairs of words that are neither, with their places.
    pub rest: Vec<(u32, [u32; 2])>,
    /// How many words there are.
    pub words: usize,
    /// The last word of an odd number of them.
    pub odd: Option<u32>,
}

/// What a pair of words is known to be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Unknown,
    Flow,
    /// The clause of this number begins.
    Begin(u32),
    Clause,
}

impl Program {
    /// Takes words apart.
    #[must_use]
    pub fn decode(machine: Machine, words: &[u32]) -> Program {
        let (pairs, odd) = words.as_chunks::<2>();
        let mut program = Program {
            machine,
            flow: Vec::with_capacity(16),
            clauses: Vec::with_capacity(8),
            rest: Vec::new(),
            words: words.len(),
            odd: odd.first().copied(),
        };
        let mut marks = vec![Mark::Unknown; pairs.len()];
        let mut calls = Vec::new();
        let mut next = Some(0);
        while let Some(start) = next {
            for at in start..pairs.len() {
                if marks[at] != Mark::Unknown {
                    break;
                }
                marks[at] = Mark::Flow;
                let inst = Inst::flow(machine, pairs[at]);
                let mut clause = None;
                if let Some(extent) = inst.begins(machine) {
                    let end = usize::try_from(extent.end()).unwrap_or(usize::MAX);
                    clause = match marks.get_mut(extent.at as usize..end) {
                        Some([Mark::Begin(n), ..]) => {
                            Some(*n as usize).filter(|n| program.clauses[*n].extent == extent)
                        }
                        Some(place) if place.iter().all(|mark| *mark == Mark::Unknown) => {
                            let number = program.clauses.len();
                            place.fill(Mark::Clause);
                            place[0] = Mark::Begin(number as u32);
                            let body = body(machine, extent.kind, &pairs[extent.at as usize..end]);
                            program.clauses.push(Clause { extent, body });
                            Some(number)
                        }
                        _ => None,
                    };
                }
                if inst.does() == Some(Does::Call) {
                    calls.push(inst.get(cf::ADDR) as usize);
                }
                program.flow.push(Flow { at: at as u32, inst, clause });
            }
            next = calls.pop();
        }
        program.flow.sort_by_key(|flow| flow.at);
        let unknown = marks.iter().zip(pairs).enumerate().filter(|(_, (mark, _))| **mark == Mark::Unknown);
        program.rest = unknown.map(|(at, (_, pair))| (at as u32, *pair)).collect();
        program
    }

    /// The words.
    #[must_use]
    pub fn encode(&self) -> Vec<u32> {
        let mut words = vec![0; self.words];
        let mut put = |at: u32, what: &[u32]| {
            let start = at as usize * 2;
            if let Some(place) = words.get_mut(start..start + what.len()) {
                place.copy_from_slice(what);
            }
        };
        for flow in &self.flow {
            put(flow.at, &flow.inst.words);
        }
        for clause in &self.clauses {
            let mut at = clause.extent.at;
            match &clause.body {
                Body::Alu(groups) => {
                    for group in groups {
                        for inst in group.insts() {
                            put(at, &inst.words);
                            at += 1;
                        }
                        put(at, &group.literals[..usize::from(group.literal_words)]);
                        at += u32::from(group.literal_words / 2);
                    }
                }
                Body::Fetch(fetches) => {
                    for fetch in fetches {
                        put(at, &fetch.words);
                        at += 2;
                    }
                }
            }
        }
        for (at, pair) in &self.rest {
            put(*at, pair);
        }
        if let (Some(odd), Some(last)) = (self.odd, words.last_mut()) {
            *last = odd;
        }
        words
    }

    /// The index in [`Program::flow`] of the instruction at a place.
    #[must_use]
    pub fn flow_at(&self, at: u32) -> Option<usize> {
        self.flow.binary_search_by_key(&at, |flow| flow.at).ok()
    }
}

/// What a clause of these words holds.
fn body(machine: Machine, kind: Kind, pairs: &[[u32; 2]]) -> Body {
    match kind {
        Kind::Alu => Body::Alu(groups(machine, pairs)),
        Kind::Fetch => {
            let (fetches, _) = pairs.as_chunks::<2>();
            Body::Fetch(fetches.iter().map(|[a, b]| Inst::fetch(machine, [a[0], a[1], b[0], b[1]])).collect())
        }
    }
}

/// The groups of an ALU clause.
fn groups(machine: Machine, pairs: &[[u32; 2]]) -> Vec<Group> {
    // Most groups are of two pairs or more.
    let mut groups = Vec::with_capacity(pairs.len().div_ceil(2));
    let mut rest = pairs;
    while !rest.is_empty() {
        let len = rest.iter().take(5).position(|pair| pair[0] >> 31 != 0).map_or(rest.len().min(5), |last| last + 1);
        let mut group = Group::of(machine, rest[..len].iter().map(|pair| Inst::alu(machine, *pair)), [0; 4]);
        rest = &rest[len..];
        let literals = rest.len().min(usize::from(group.literals_needed / 2));
        group.literal_words = literals as u8 * 2;
        for (n, pair) in rest[..literals].iter().enumerate() {
            group.literals[2 * n..2 * n + 2].copy_from_slice(pair);
        }
        rest = &rest[literals..];
        groups.push(group);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `a + b` of a pixel, and an export, as LLVM makes them.
    #[test]
    fn a_program_comes_apart_and_together() {
        let words = [4, 0xa000_0000, 0xc000_0000, 0x9420_0688, 0, 0x8020_0000, 0, 0, 0x8080_2cfe, 0x0000_0010, 7, 8, 9];
        let program = Program::decode(Machine::R600, &words);
        assert_eq!(
            program.flow.iter().map(|flow| flow.inst.row.map(|row| row.name)).collect::<Vec<_>>(),
            [Some("ALU"), Some("EXPORT_DONE"), Some("NOP"), Some("NOP")]
        );
        let Body::Alu(groups) = &program.clauses[0].body else { panic!("an ALU clause") };
        assert_eq!(groups[0].in_slot(Slot::X).and_then(|inst| inst.row).map(|row| row.name), Some("ADD"));
        assert_eq!(program.rest, [(5, [7, 8])]);
        assert_eq!(program.encode(), words);
    }
}
