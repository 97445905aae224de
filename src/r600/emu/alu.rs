//! ALU clauses: groups of up to five operations.
//!
//! All operations of a group read before any writes. The results of the four vector slots and of the trans slot, behind factor and clamp,
//! are PV and PS for the next group; registers are written after that, the trans slot last. What a group does to the predicate, to the
//! valid pixels and to the address register holds from the next group on; what it does to the execute mask from the end of the clause on.

use super::kernel::{Kernel, Lanes, MAX_SOURCES};
use super::mistakes::Mistake;
use super::{Fault, Run};
use crate::r600::emu::setup::Stage;

/// The vector slots and the trans slot.
pub const SLOTS: usize = 5;
/// The number of the trans slot.
pub const TRANS: usize = 4;

/// What a constant beyond the file, or beyond the locked lines of the cache, reads.
const NO_CONSTANT: u32 = 0x7fff_ffff;

/// Which index is added to an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Index {
    /// An element of the address register. Registers know X only.
    Address(u8),
    /// The index of the loop.
    Loop,
}

/// Where the value of a source comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// An element of a register, as four times its number and its own: one that the program has.
    Gpr(usize),
    /// A register with an index.
    Indexed {
        /// Its number.
        gpr: u32,
        /// Its element.
        element: u32,
        /// What is added to the number.
        index: Index,
    },
    /// A constant of the file.
    File {
        /// Its number.
        number: u32,
        /// Its element.
        element: u32,
        /// What is added to the number.
        index: Option<Index>,
    },
    /// A constant of the cache.
    Cache {
        /// Which of the two sets of lines.
        set: u32,
        /// Its number in the set.
        number: u32,
        /// Its element.
        element: u32,
        /// What is added to the number.
        index: Option<Index>,
    },
    /// A constant of the instruction.
    Value(u32),
    /// A result of the group before: PV, or PS as element 4.
    Previous(u32),
}

/// A source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Source {
    /// Where it comes from.
    pub place: Place,
    /// The sign is cleared.
    pub abs: bool,
    /// Then the sign is turned.
    pub neg: bool,
}

impl Source {
    /// The source that an instruction does not have.
    pub const NONE: Source = Source { place: Place::Value(0), abs: false, neg: false };
}

/// What an operation does besides its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing.
    None,
    /// Its bit becomes the predicate, the execute mask, or both.
    Predicate {
        /// UPDATE_PRED.
        predicate: bool,
        /// UPDATE_EXECUTE_MASK.
        execute: bool,
    },
    /// Its bit kills.
    Kill,
    /// Its result goes to the address register and nowhere else.
    Address,
}

/// An operation of a group.
#[derive(Clone, Copy, Debug)]
pub struct Op {
    /// What it computes; none for NOP.
    pub kernel: Option<&'static Kernel>,
    /// Where it runs.
    pub slot: usize,
    /// Its sources.
    pub src: [Source; MAX_SOURCES],
    /// How many of them there are.
    pub sources: usize,
    /// The register and the element that is written.
    pub dst: (u32, u32),
    /// What is added to the number of the register.
    pub index: Option<Index>,
    /// Whether a register is written.
    pub write: bool,
    /// The element that is written by all lanes that execute, as four times the number of the register and its own, where there is nothing
    /// more to be done than that.
    pub simply: Option<usize>,
    /// The value of the predicate with which it is executed.
    pub when: Option<bool>,
    /// OMOD.
    pub factor: u32,
    /// CLAMP.
    pub clamp: bool,
    /// What else it does.
    pub effect: Effect,
}

/// Operations that are executed at once.
#[derive(Clone, Debug)]
pub struct Group {
    /// In the order of the slots.
    pub ops: Vec<Op>,
    /// Whether a result has a factor or is clamped.
    pub shaped: bool,
    /// What is done with the values of the vector slots: each gets the result.
    pub reduce: Option<&'static Kernel>,
    /// Its address in the program, for messages.
    pub at: u32,
}

/// Lines of the constant cache that a clause locks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Lines {
    /// The constant buffer.
    pub bank: u32,
    /// How: not, one line, two lines, two lines behind those that the loop index passes.
    pub mode: u32,
    /// The first line.
    pub line: u32,
}

/// A clause.
#[derive(Clone, Debug)]
pub struct Clause {
    /// Its groups.
    pub groups: Vec<Group>,
    /// The lines it locks.
    pub lines: [Lines; 2],
}

/// What a clause keeps between its groups.
#[derive(Debug)]
pub(super) struct Registers {
    /// Results of the group before.
    previous: [Box<Lanes>; SLOTS],
    /// The address register.
    address: [Lanes; 4],
}

/// Room for a group.
#[derive(Debug)]
pub(super) struct Room {
    out: [Box<Lanes>; SLOTS],
    source: [Lanes; MAX_SOURCES],
    scaled: Lanes,
    bits: [u64; SLOTS],
}

/// Results move from one place to the other by exchange.
fn boxes() -> [Box<Lanes>; SLOTS] {
    std::array::from_fn(|_| Box::new(Lanes::splat(0)))
}

static ZERO: Lanes = Lanes::splat(0);
/// What OMOD multiplies with.
static FACTORS: [Lanes; 4] =
    [Lanes::splat(0x3f80_0000), Lanes::splat(0x4000_0000), Lanes::splat(0x4080_0000), Lanes::splat(0x3f00_0000)];

impl Registers {
    pub(super) fn new() -> Registers {
        Registers { previous: boxes(), address: [const { Lanes::splat(0) }; 4] }
    }
}

impl Room {
    pub(super) fn new() -> Room {
        Room {
            out: boxes(),
            source: [const { Lanes::splat(0) }; MAX_SOURCES],
            scaled: Lanes::splat(0),
            bits: [0; SLOTS],
        }
    }
}

impl Run<'_> {
    /// Executes a clause for the lanes of a mask: the execute mask that it leaves.
    pub(super) fn clause(&mut self, clause: &Clause, active: u64) -> Result<u64, Fault> {
        let (mut predicate, mut execute, mut active) = (active, active, active);
        // Nothing is kept from clause to clause.
        self.registers.previous.iter_mut().for_each(|lanes| lanes.0.fill(0));
        self.registers.address.iter_mut().for_each(|lanes| lanes.0.fill(0));
        for group in &clause.groups {
            self.spend()?;
            self.compute(clause, group)?;
            self.commit(group, active, &mut predicate, &mut execute);
            if self.setup.has(Mistake::MaskAtOnce) {
                active = execute;
            }
        }
        Ok(execute)
    }

    /// The results of all operations of a group.
    fn compute(&mut self, clause: &Clause, group: &Group) -> Result<(), Fault> {
        if self.setup.has(Mistake::GroupInOrder) {
            let mut room = Box::new(Room::new());
            for op in &group.ops {
                let alone = Group { ops: vec![*op], shaped: group.shaped, reduce: None, at: group.at };
                let alone = if group.reduce.is_some() { group } else { &alone };
                self.compute_in(clause, alone, &mut room)?;
                if op.write && op.index.is_none() {
                    self.write(op, &room.out[op.slot], self.flow.lanes & self.flow.active);
                }
            }
            self.room = Some(room);
            return Ok(());
        }
        let mut room = self.room.take().unwrap_or_else(|| Box::new(Room::new()));
        let result = self.compute_in(clause, group, &mut room);
        self.room = Some(room);
        result
    }

    fn compute_in(&self, clause: &Clause, group: &Group, room: &mut Room) -> Result<(), Fault> {
        for op in &group.ops {
            let Some(kernel) = op.kernel else { continue };
            let mut src = [&ZERO; MAX_SOURCES];
            for ((to, from), room) in src.iter_mut().zip(&op.src[..op.sources]).zip(&mut room.source) {
                *to = self.source(clause, from, room)?;
            }
            room.bits[op.slot] = kernel.run(&self.host, src, self.flow.lanes, &mut room.out[op.slot]);
        }
        if let Some(kernel) = group.reduce {
            let (sum, rest) = room.out.split_at_mut(1);
            let last = if self.setup.has(Mistake::DotWithoutW) { 2 } else { 3 };
            for next in &rest[..last] {
                room.scaled.clone_from(&sum[0]);
                kernel.run(&self.host, [&room.scaled, next, &ZERO], self.flow.lanes, &mut sum[0]);
            }
            for to in &mut rest[..3] {
                to.clone_from(&sum[0]);
            }
        }
        if !group.shaped {
            return Ok(());
        }
        for op in &group.ops {
            if (op.factor | u32::from(op.clamp)) == 0 || !op.kernel.is_some_and(Kernel::gives_float) {
                continue;
            }
            let out = &mut room.out[op.slot];
            if op.factor != 0 && !self.setup.has(Mistake::NoFactor) {
                room.scaled.clone_from(out);
                let factor = &FACTORS[op.factor as usize & 3];
                self.scale.run(&self.host, [&room.scaled, factor, &ZERO], self.flow.lanes, out);
            }
            if op.clamp && !self.setup.has(Mistake::NoClamp) {
                room.scaled.clone_from(out);
                self.clamp.run(&self.host, [&room.scaled, &ZERO, &ZERO], self.flow.lanes, out);
            }
        }
        Ok(())
    }

    /// The lanes of a source: where they lie, or in the room given.
    #[inline(always)]
    fn source<'a>(&'a self, clause: &Clause, source: &Source, room: &'a mut Lanes) -> Result<&'a Lanes, Fault> {
        match source.place {
            Place::Gpr(n) if !source.abs && !source.neg => Ok(&self.gprs[n]),
            _ => self.made(clause, source, room),
        }
    }

    /// The lanes of a source that is no plain register.
    #[inline(never)]
    fn made<'a>(&'a self, clause: &Clause, source: &Source, room: &'a mut Lanes) -> Result<&'a Lanes, Fault> {
        let plain: &Lanes = match source.place {
            Place::Gpr(n) => &self.gprs[n],
            Place::Previous(n) => &self.registers.previous[n as usize % SLOTS],
            Place::Value(v) => {
                self.fill(room, v);
                return Ok(self.modified(room, source));
            }
            Place::Cache { set, number, element, index: None } => {
                self.fill(room, self.cached(self.lines(clause, set), i64::from(number), element)?);
                return Ok(self.modified(room, source));
            }
            Place::File { number, element, index: None } => {
                self.fill(room, self.constant(i64::from(number), element));
                return Ok(self.modified(room, source));
            }
            Place::Indexed { gpr, element, index } => {
                for (lane, to) in room.0.iter_mut().enumerate() {
                    let gpr = self.moved(gpr, index, true, lane);
                    *to = self.gpr(gpr.unwrap_or(0), element).0[lane];
                    if gpr.is_none() && self.setup.has(Mistake::OutOfRangeZero) {
                        *to = 0;
                    }
                }
                return Ok(self.modified(room, source));
            }
            Place::File { number, element, index: Some(index) } => {
                for (lane, to) in room.0.iter_mut().enumerate() {
                    *to = self.constant(i64::from(number) + self.index(index, false, lane), element);
                }
                return Ok(self.modified(room, source));
            }
            Place::Cache { set, number, element, index: Some(_) } => {
                let lines = self.lines(clause, set);
                // The lines have moved already by sixteen constants each.
                let index = if lines.mode == 3 { self.flow.index.rem_euclid(16) } else { self.flow.index };
                self.fill(room, self.cached(lines, i64::from(number) + i64::from(index), element)?);
                return Ok(self.modified(room, source));
            }
        };
        if !(source.abs | source.neg) {
            return Ok(plain);
        }
        let (keep, turn) = signs(source);
        self.host.level.run(|| {
            for (to, from) in room.0.iter_mut().zip(&plain.0) {
                *to = (from & keep) ^ turn;
            }
        });
        Ok(room)
    }

    /// All lanes alike.
    fn fill(&self, room: &mut Lanes, v: u32) {
        self.host.level.run(|| room.0.fill(v));
    }

    /// Clears and turns signs, as the source says.
    fn modified<'r>(&self, room: &'r mut Lanes, source: &Source) -> &'r Lanes {
        if source.abs | source.neg {
            let (keep, turn) = signs(source);
            self.host.level.run(|| room.0.iter_mut().for_each(|word| *word = (*word & keep) ^ turn));
        }
        room
    }

    /// The lines of a set.
    fn lines<'c>(&self, clause: &'c Clause, set: u32) -> &'c Lines {
        &clause.lines[if self.setup.has(Mistake::OneCacheSet) { 0 } else { set as usize & 1 }]
    }

    /// The index of a lane.
    fn index(&self, index: Index, register: bool, lane: usize) -> i64 {
        match index {
            Index::Loop => i64::from(self.flow.index),
            Index::Address(element) => {
                let register = register && !self.setup.has(Mistake::RegisterByElement);
                let element = if register { 0 } else { usize::from(element & 3) };
                i64::from(self.registers.address[element].0[lane] as i32)
            }
        }
    }

    /// The number of a register with an index; none beyond those that the program has.
    fn moved(&self, gpr: u32, index: Index, register: bool, lane: usize) -> Option<u32> {
        let gpr = u32::try_from(i64::from(gpr) + self.index(index, register, lane)).ok()?;
        (gpr < self.setup.ngpr.min(super::GPRS)).then_some(gpr)
    }

    /// A constant of the file.
    fn constant(&self, number: i64, element: u32) -> u32 {
        let vector = usize::try_from(number).ok().and_then(|n| self.setup.file.get(n));
        let none = if self.setup.has(Mistake::ConstantZero) { 0 } else { NO_CONSTANT };
        vector.map_or(none, |vector| vector[element as usize & 3])
    }

    /// A constant of the cache.
    fn cached(&self, lines: &Lines, number: i64, element: u32) -> Result<u32, Fault> {
        let locked = match lines.mode {
            0 => return Err(Fault::NotLocked { number }),
            1 => 16,
            2 if self.setup.has(Mistake::OneLine) => 16,
            _ => 32,
        };
        if !(0..locked).contains(&number) {
            return Ok(NO_CONSTANT);
        }
        let bank = self.setup.banks.get(&lines.bank).ok_or(Fault::NoBank { bank: lines.bank })?;
        let moved = if lines.mode == 3 { i64::from(self.flow.index).div_euclid(16) } else { 0 };
        let vector = (i64::from(lines.line) + moved) * 16 + number;
        let word = usize::try_from(vector * 4 + i64::from(element)).ok();
        Ok(word.and_then(|word| bank.get(word)).copied().unwrap_or(0))
    }

    /// Puts the results of a group where they belong.
    fn commit(&mut self, group: &Group, active: u64, predicate: &mut u64, execute: &mut u64) {
        let Some(mut room) = self.room.take() else { return };
        let now = *predicate;
        for op in &group.ops {
            if let Some(to) = op.simply {
                let out = &mut room.out[op.slot];
                self.gprs[to].put_by(self.host.level, out, if active == self.flow.lanes { u64::MAX } else { active });
                // Inactive lanes read nothing of it.
                std::mem::swap(&mut self.registers.previous[op.slot], out);
                continue;
            }
            if op.kernel.is_none() {
                continue;
            }
            let now = if self.setup.has(Mistake::PredicateAtOnce) { *predicate } else { now };
            let lanes = match op.when {
                None => active,
                Some(when) if when != self.setup.has(Mistake::PredicateInverted) => active & now,
                Some(_) => active & !now,
            };
            let (out, bits) = (&room.out[op.slot], room.bits[op.slot]);
            match op.effect {
                Effect::None => {}
                Effect::Predicate { predicate: to_predicate, execute: to_execute } => {
                    if to_predicate {
                        *predicate = (*predicate & !lanes) | (bits & lanes);
                    }
                    if to_execute {
                        *execute = (*execute & !lanes) | (bits & lanes);
                    }
                }
                Effect::Kill => {
                    if self.setup.stage == Stage::Ps {
                        self.flow.valid &= !(bits & lanes);
                    }
                }
                Effect::Address => {
                    self.registers.address[op.slot & 3].put(out, lanes);
                    continue;
                }
            }
            if op.write {
                self.write(op, out, lanes);
            }
            if op.slot == TRANS && op.write && self.setup.has(Mistake::VectorSeesTrans) {
                self.registers.previous[op.dst.1 as usize & 3].put(out, lanes);
            }
            if self.setup.has(Mistake::MaskedKeepsPrevious) && !op.write {
                continue;
            }
            let previous = &mut self.registers.previous[op.slot];
            if op.when.is_none() {
                // Inactive lanes read nothing of it.
                std::mem::swap(previous, &mut room.out[op.slot]);
            } else {
                previous.put_by(self.host.level, out, lanes);
            }
        }
        self.room = Some(room);
    }

    fn write(&mut self, op: &Op, out: &Lanes, lanes: u64) {
        let (gpr, element) = op.dst;
        match op.index {
            None => {
                if self.has(gpr) {
                    // Lanes that there are not may hold anything.
                    let lanes = if lanes == self.flow.lanes { u64::MAX } else { lanes };
                    let to = &mut self.gprs[(gpr * 4 + element) as usize];
                    to.put_by(self.host.level, out, lanes);
                }
            }
            Some(index) => {
                for lane in 0..super::kernel::LANES {
                    if lanes >> lane & 1 != 0
                        && let Some(gpr) = self.moved(gpr, index, true, lane)
                    {
                        self.gprs[(gpr * 4 + element) as usize].0[lane] = out.0[lane];
                    }
                }
            }
        }
    }
}

/// The bits that a source keeps, then those that it turns.
fn signs(source: &Source) -> (u32, u32) {
    (if source.abs { 0x7fff_ffff } else { u32::MAX }, if source.neg { 0x8000_0000 } else { 0 })
}
