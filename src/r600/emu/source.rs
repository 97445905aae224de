//! Sources of ALU operations that are no places in the file: constants, and what has an index.

use super::alu::{Clause, Index, Lines, Place, Source};
use super::kernel::{LANES, Lanes};
use super::mistakes::Mistake;
use super::ready::{CONSTANTS, signs};
use super::{Fault, GPRS, Run};

/// What a constant beyond the file, or beyond the locked lines of the cache, reads.
const NO_CONSTANT: u32 = 0x7fff_ffff;

impl Run<'_> {
    /// Spreads the constants of a clause over the lanes. What is missing is a fault of the group that reads it first.
    pub(super) fn spread(&mut self, clause: &Clause) -> Option<(usize, Fault)> {
        for (n, constant) in clause.ready.constants.iter().enumerate() {
            match self.word(clause, &constant.source) {
                Ok(word) => {
                    let lanes = &mut self.file[CONSTANTS + n];
                    self.host.level.run(|| lanes.0.fill(word));
                }
                Err(fault) => return Some((constant.group, fault)),
            }
        }
        None
    }

    /// The word that a constant has in all lanes.
    fn word(&self, clause: &Clause, source: &Source) -> Result<u32, Fault> {
        let plain = match source.place {
            Place::Value(v) => v,
            Place::File { number, element, .. } => self.constant(i64::from(number), element),
            Place::Cache { set, number, element, index } => {
                let lines = self.lines(clause, set);
                // The lines have moved already by sixteen constants each.
                let index = match index {
                    Some(_) if lines.mode == 3 => self.flow.index.rem_euclid(16),
                    Some(_) => self.flow.index,
                    None => 0,
                };
                self.cached(lines, i64::from(number) + i64::from(index), element)?
            }
            Place::Gpr(_) | Place::Indexed { .. } | Place::Previous(_) => 0,
        };
        let [keep, turn] = signs(source);
        Ok((plain & keep) ^ turn)
    }

    /// Makes the lanes of a source that is no place in the file.
    #[inline(never)]
    pub(super) fn made(&self, clause: &Clause, source: &Source, room: &mut Lanes) -> Result<(), Fault> {
        let [keep, turn] = signs(source);
        match source.place {
            // Lanes with one index read together.
            Place::Indexed { gpr, element, index } if let Some(by) = self.same(index, true) => {
                let gpr = self.beside(gpr, by);
                if gpr.is_none() && self.setup.has(Mistake::OutOfRangeZero) {
                    room.0 = [turn; LANES];
                } else {
                    room.sign_by(self.host.level, self.gpr(gpr.unwrap_or(0), element), [keep, turn]);
                }
            }
            Place::Indexed { gpr, element, index } => {
                for (lane, to) in room.0.iter_mut().enumerate() {
                    let gpr = self.moved(gpr, index, true, lane);
                    let word = self.gpr(gpr.unwrap_or(0), element).0[lane];
                    let none = gpr.is_none() && self.setup.has(Mistake::OutOfRangeZero);
                    *to = if none { turn } else { (word & keep) ^ turn };
                }
            }
            Place::File { number, element, index: Some(index) } if let Some(by) = self.same(index, false) => {
                room.0 = [(self.constant(i64::from(number) + by, element) & keep) ^ turn; LANES];
            }
            Place::File { number, element, index: Some(index) } => {
                for (lane, to) in room.0.iter_mut().enumerate() {
                    let word = self.constant(i64::from(number) + self.index(index, false, lane), element);
                    *to = (word & keep) ^ turn;
                }
            }
            _ => room.0 = [self.word(clause, source)?; LANES],
        }
        Ok(())
    }

    /// The lines of a set.
    fn lines<'c>(&self, clause: &'c Clause, set: u32) -> &'c Lines {
        &clause.lines[if self.setup.has(Mistake::OneCacheSet) { 0 } else { set as usize & 1 }]
    }

    /// The index of a lane.
    fn index(&self, index: Index, register: bool, lane: usize) -> i64 {
        match index {
            Index::Loop => i64::from(self.flow.index),
            Index::Address(element) => i64::from(self.address(element, register).0[lane] as i32),
        }
    }

    /// The index of all lanes, if it is the same.
    pub(super) fn same(&self, index: Index, register: bool) -> Option<i64> {
        if let Index::Address(element) = index {
            let all = &self.address(element, register).0;
            if self.host.level.run(|| all.iter().fold(0, |other, word| other | (word ^ all[0]))) != 0 {
                return None;
            }
        }
        Some(self.index(index, register, 0))
    }

    /// The element of the address register that an index means: registers know X only.
    fn address(&self, element: u8, register: bool) -> &Lanes {
        let register = register && !self.setup.has(Mistake::RegisterByElement);
        &self.address[if register { 0 } else { usize::from(element & 3) }]
    }

    /// The number of a register with an index; none beyond those that the program has.
    pub(super) fn moved(&self, gpr: u32, index: Index, register: bool, lane: usize) -> Option<u32> {
        self.beside(gpr, self.index(index, register, lane))
    }

    /// The register so many behind another one; none beyond those that the program has.
    pub(super) fn beside(&self, gpr: u32, by: i64) -> Option<u32> {
        let gpr = u32::try_from(i64::from(gpr) + by).ok()?;
        (gpr < self.setup.ngpr.min(GPRS)).then_some(gpr)
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
}
