//! ALU clauses: straight code of one lane.
//!
//! Lanes do not meet within a clause. So the groups stand one behind the other, for a lane that executes: registers are loaded when they are
//! first read and stored at the end, PV, PS and the address register are values. What comes of the clause are bits, whether
//! the lane goes on and whether it was killed.

use super::lower::{Lower, gives_float};
use super::mistakes::Mistake;
use super::state::{head, input};
use super::{Part, Raised};
use crate::isa::sem::Alg;
use crate::r600::emu::Stage;
use crate::r600::emu::alu::{Clause, Effect, Group, Index, Lines, Op, Place, SLOTS, Source, TRANS};
use crate::spirv::alg::{Pair, Truth, Word};
use std::collections::BTreeMap;

/// What a constant beyond the file, or beyond the locked lines of the cache, reads.
const NO_CONSTANT: u32 = 0x7fff_ffff;
/// What OMOD multiplies with.
const FACTORS: [u32; 4] = [0x3f80_0000, 0x4000_0000, 0x4080_0000, 0x3f00_0000];

/// A lane on its way through a clause.
struct Lane {
    number: Word,
    /// Elements of registers, as four times the number of the register and its own, and whether they have changed.
    registers: BTreeMap<u32, (Word, bool)>,
    /// PV and PS.
    previous: [Word; SLOTS],
    /// The address register.
    address: [Word; 4],
    predicate: Truth,
    execute: Truth,
    killed: Truth,
}

/// What an operation gave.
type Result = (Word, Truth);

impl Lower<'_> {
    /// A clause for the lanes of a mask: the lanes that it leaves on, and those that it killed.
    pub(super) fn clause(&self, clause: &Clause, lanes: Pair) -> (Pair, Pair) {
        self.before(clause);
        let through = |number| {
            let mut lane = Lane {
                number,
                registers: BTreeMap::new(),
                previous: [Word::Known(0); SLOTS],
                address: [Word::Known(0); 4],
                predicate: Truth::Known(true),
                execute: Truth::Known(true),
                killed: Truth::Known(false),
            };
            for group in &clause.groups {
                self.group(clause, group, &mut lane);
            }
            self.store(&mut lane);
            [lane.execute, lane.killed]
        };
        let tells = |op: &Op| matches!(op.effect, Effect::Predicate { execute: true, .. } | Effect::Kill);
        if clause.groups.iter().any(|group| group.ops.iter().any(tells)) {
            let [execute, killed] = self.gather(lanes, through);
            return (execute, killed);
        }
        self.each_of(lanes, |number| {
            through(number);
        });
        (lanes, (Word::Known(0), Word::Known(0)))
    }

    /// Counts the groups, up to the first source that is wrong, which is the same for all lanes.
    fn before(&self, clause: &Clause) {
        let k = self.k();
        let all = if self.has(Mistake::GroupsFree) { 0 } else { clause.groups.len() as u32 };
        let (mut count, mut code, mut wrong) = (k.w(all), k.w(0), Truth::Known(false));
        for (n, group) in clause.groups.iter().enumerate().rev() {
            let sources = group.ops.iter().flat_map(|op| &op.src[..op.sources]);
            for source in sources.rev() {
                let (c, raised) = match self.wrong(clause, source) {
                    (Truth::Known(false), _) => continue,
                    found => found,
                };
                count = k.sel(c, k.w(n as u32 + 1), count);
                code = k.sel(c, self.code(raised), code);
                wrong = k.either(c, wrong);
            }
        }
        self.spend(count);
        self.raise_if(wrong, code, self.get(head::INDEX));
    }

    /// Whether a source is wrong, and what would be.
    fn wrong(&self, clause: &Clause, source: &Source) -> (Truth, Raised) {
        let k = self.k();
        let Place::Cache { set, number, index, .. } = source.place else { return (k.c(false), Raised::Budget) };
        let lines = self.lines(clause, set);
        if lines.mode == 0 {
            return (k.c(true), Raised::NotLocked { number, indexed: index.is_some() });
        }
        let bank = lines.bank;
        let there = self.setup.banks.contains_key(&bank);
        let locked = self.locked(lines, self.in_lines(lines, number, index));
        (k.both(k.c(!there), locked), Raised::NoBank { bank })
    }

    fn group(&self, clause: &Clause, group: &Group, lane: &mut Lane) {
        let indexed = |op: &Op| op.src[..op.sources].iter().any(|source| matches!(source.place, Place::Indexed { .. }));
        if group.ops.iter().any(indexed) {
            self.store(lane);
        }
        if self.has(Mistake::GroupInOrder) && group.reduce.is_none() && group.ops.len() > 1 {
            for op in &group.ops {
                let alone = Group { ops: vec![*op], ..group.clone() };
                self.group(clause, &alone, lane);
            }
            return;
        }
        let results = self.compute(clause, group, lane);
        let now = lane.predicate;
        for op in &group.ops {
            if op.kernel.is_some() {
                self.commit(op, results[op.slot], now, lane);
            }
        }
    }

    /// The results of all operations of a group.
    fn compute(&self, clause: &Clause, group: &Group, lane: &mut Lane) -> [Result; SLOTS] {
        let k = self.k();
        let mut out = [(k.w(0), k.c(false)); SLOTS];
        for op in &group.ops {
            let Some(kernel) = op.kernel else { continue };
            let sources: Vec<Word> =
                op.src[..op.sources].iter().map(|source| self.source(clause, source, lane)).collect();
            out[op.slot] = self.meaning(kernel.name, &sources);
        }
        if let Some(kernel) = group.reduce {
            let last = if self.has(Mistake::DotWithoutW) { 3 } else { 4 };
            let all = out[1..last].iter().fold(out[0].0, |sum, (v, _)| self.meaning(kernel.name, &[sum, *v]).0);
            out[..4].iter_mut().for_each(|(v, _)| *v = all);
        }
        for op in &group.ops {
            if !op.kernel.is_some_and(|kernel| gives_float(kernel.name)) {
                continue;
            }
            let (v, _) = &mut out[op.slot];
            if op.factor != 0 && !self.has(Mistake::NoFactor) {
                *v = self.meaning("MUL_IEEE", &[*v, k.w(FACTORS[op.factor as usize & 3])]).0;
            }
            if op.clamp && !self.has(Mistake::NoClamp) {
                *v = self.meaning("CLAMP", &[*v]).0;
            }
        }
        out
    }

    /// Puts a result where it belongs.
    fn commit(&self, op: &Op, (v, bit): Result, now: Truth, lane: &mut Lane) {
        let k = self.k();
        let now = if self.has(Mistake::PredicateAtOnce) { lane.predicate } else { now };
        let goes = match op.when {
            None => k.c(true),
            Some(when) if when != self.has(Mistake::PredicateInverted) => now,
            Some(_) => k.negate(now),
        };
        let choose = |old: Truth| k.either(k.both(goes, bit), k.both(k.negate(goes), old));
        match op.effect {
            Effect::None => {}
            Effect::Predicate { predicate, execute } => {
                if predicate {
                    lane.predicate = choose(lane.predicate);
                }
                if execute {
                    lane.execute = choose(lane.execute);
                }
            }
            Effect::Kill => {
                if self.setup.stage == Stage::Ps {
                    lane.killed = k.either(lane.killed, k.both(goes, bit));
                }
            }
            Effect::Address => {
                let to = &mut lane.address[op.slot & 3];
                *to = k.sel(goes, v, *to);
                return;
            }
        }
        if op.write {
            self.write(op, v, goes, lane);
        }
        if !op.write && self.has(Mistake::MaskedKeepsPrevious) {
            return;
        }
        let previous = &mut lane.previous[op.slot];
        *previous = k.sel(goes, v, *previous);
    }

    fn write(&self, op: &Op, v: Word, goes: Truth, lane: &mut Lane) {
        let (k, (gpr, element)) = (self.k(), op.dst);
        match op.index {
            None => {
                if self.setup.has_gpr(gpr) {
                    let at = gpr * 4 + element;
                    let old = if goes == Truth::Known(true) { v } else { self.read(at, lane) };
                    lane.registers.insert(at, (k.sel(goes, v, old), true));
                }
            }
            Some(index) => {
                self.store(lane);
                // What was loaded may be another register's from here on.
                lane.registers.clear();
                let gpr = self.moved(gpr, index, lane);
                let out = self.has(Mistake::OutOfRangeWritten);
                let there = if out { k.c(true) } else { self.has_own(gpr) };
                let gpr = if out { k.sel(self.has_own(gpr), gpr, k.w(0)) } else { gpr };
                self.when(k.both(there, goes), || self.put_word(self.register_at(gpr, element, lane.number), v));
            }
        }
    }

    /// An element of a register that the program has.
    fn read(&self, at: u32, lane: &mut Lane) -> Word {
        let number = lane.number;
        let load = || (self.word(self.register_at(Word::Known(at / 4), at % 4, number)), false);
        lane.registers.entry(at).or_insert_with(load).0
    }

    /// Stores what has changed.
    fn store(&self, lane: &mut Lane) {
        for (at, (v, changed)) in &mut lane.registers {
            if std::mem::take(changed) {
                self.put_word(self.register_at(Word::Known(at / 4), at % 4, lane.number), *v);
            }
        }
    }

    fn source(&self, clause: &Clause, source: &Source, lane: &mut Lane) -> Word {
        let k = self.k();
        let v = match source.place {
            Place::Gpr(at) => self.read(at as u32, lane),
            Place::Indexed { gpr, element, index } => {
                let gpr = self.moved(gpr, index, lane);
                let gpr = k.sel(self.has_own(gpr), gpr, k.w(0));
                self.word(self.register_at(gpr, element, lane.number))
            }
            Place::Previous(n) if self.has(Mistake::ScalarIsVector) && n as usize == TRANS => lane.previous[0],
            Place::Previous(n) => lane.previous[n as usize % SLOTS],
            Place::Value(v) => k.w(v),
            Place::File { number, element, index } => {
                let index = index.map_or(k.w(0), |index| self.index(index, false, lane));
                self.constant(k.add(k.w(number), index), element)
            }
            Place::Cache { set, number, element, index } => {
                let lines = self.lines(clause, set);
                self.cached(lines, self.in_lines(lines, number, index), element)
            }
        };
        let keep = if source.abs { 0x7fff_ffff } else { u32::MAX };
        let turn = if source.neg { 1 << 31 } else { 0 };
        if self.has(Mistake::NegateFirst) {
            return k.mask(k.xor(v, k.w(turn)), keep);
        }
        k.xor(k.mask(v, keep), k.w(turn))
    }

    /// What is added to a number.
    fn index(&self, index: Index, register: bool, lane: &Lane) -> Word {
        match index {
            Index::Loop => self.get(head::INDEX),
            Index::Address(_) if register && !self.has(Mistake::RegisterByElement) => lane.address[0],
            Index::Address(element) => lane.address[usize::from(element & 3)],
        }
    }

    /// The number of a register with an index, whether there is one or not.
    fn moved(&self, gpr: u32, index: Index, lane: &Lane) -> Word {
        let k = self.k();
        k.add(k.w(gpr), self.index(index, true, lane))
    }

    /// What a constant beyond the others reads.
    fn none(&self) -> Word {
        Word::Known(if self.has(Mistake::ConstantZero) { 0 } else { NO_CONSTANT })
    }

    /// A constant of the file.
    fn constant(&self, number: Word, element: u32) -> Word {
        let k = self.k();
        let (first, count) = self.part(Part::File);
        let there = k.lt_u(number, count);
        let at = k.add(k.add(first, k.shli(k.sel(there, number, k.w(0)), 2)), k.w(element & 3));
        k.sel(there, self.found(at), self.none())
    }

    /// The lines of a set.
    fn lines<'c>(&self, clause: &'c Clause, set: u32) -> &'c Lines {
        &clause.lines[if self.has(Mistake::OneCacheSet) { 0 } else { set as usize & 1 }]
    }

    /// The number of a constant in the lines of its set.
    fn in_lines(&self, lines: &Lines, number: u32, index: Option<Index>) -> Word {
        let k = self.k();
        let moves = lines.mode == 3 && !self.has(Mistake::LinesStay);
        match index {
            None => k.w(number),
            // The lines have moved already by sixteen constants each.
            Some(_) if moves => k.add(k.w(number), k.mask(self.get(head::INDEX), 15)),
            Some(_) => k.add(k.w(number), self.get(head::INDEX)),
        }
    }

    /// Whether the lines have a constant.
    fn locked(&self, lines: &Lines, number: Word) -> Truth {
        let k = self.k();
        let one = lines.mode == 1 || lines.mode == 2 && self.has(Mistake::OneLine);
        k.lt_u(number, k.w(if one { 16 } else { 32 }))
    }

    /// A constant of the cache, of a bank that there is.
    fn cached(&self, lines: &Lines, number: Word, element: u32) -> Word {
        let k = self.k();
        let Some(bank) = self.banks.iter().position(|bank| *bank == lines.bank) else { return self.none() };
        let (first, words) = self.part(Part::Bank(bank as u32));
        let moves = lines.mode == 3 && !self.has(Mistake::LinesStay);
        let moved = if moves { k.sari(self.get(head::INDEX), 4) } else { k.w(0) };
        let line = k.add(k.w(lines.line), moved);
        let vector = k.add(k.shli(line, 4), number);
        // Vectors of which the bank has this element; a bank may end within one.
        let vectors = k.shri(k.add(words, k.w(3 - (element & 3))), 2);
        let there = k.both(k.negate(k.lt_s(line, k.w(0))), k.lt_u(vector, vectors));
        let there = k.both(there, self.locked(lines, number));
        let at = k.add(k.add(first, k.shli(k.sel(there, vector, k.w(0)), 2)), k.w(element & 3));
        k.sel(self.locked(lines, number), k.sel(there, self.found(at), k.w(0)), self.none())
    }

    /// Where something that the program finds lies, and how much there is of it.
    pub(super) fn part(&self, part: Part) -> (Word, Word) {
        (self.part_word(part, 0), self.part_word(part, 1))
    }

    /// A word of what is said of something that the program finds.
    pub(super) fn part_word(&self, part: Part, n: u32) -> Word {
        let number = match part {
            Part::File => 0,
            Part::Bank(n) => 1 + n,
            Part::Resource(n) => 1 + self.banks.len() as u32 + n,
        };
        self.found(Word::Known(input::PARTS + number * input::PART + n))
    }
}
