//! How far the vector registers reach that a program may leave something in.
//!
//! Waves are used again for other groups, and start with zeroes. To clear all 512 registers takes longer than most short
//! kernels run, so that it is found out beforehand which ones can hold anything: those that a launch put something into, and
//! those that are [written](super::uses::Uses) on some way from the first step on.

use super::Program;
use super::place::file;

/// How many registers of each kind may hold something: one past the highest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Vector registers.
    pub vectors: u32,
    /// Accumulation registers.
    pub accumulators: u32,
}

impl Extent {
    /// All there are.
    pub const ALL: Extent = Extent { vectors: file::VGPRS, accumulators: file::NOWHERE - file::AGPR };

    /// One register; accumulation registers from 256 on.
    #[inline(always)]
    #[must_use]
    pub fn of(register: u32) -> Extent {
        match register.checked_sub(file::AGPR) {
            None => Extent { vectors: register + 1, accumulators: 0 },
            Some(accumulator) => Extent { vectors: 0, accumulators: accumulator + 1 },
        }
    }

    /// As far as either.
    #[inline(always)]
    #[must_use]
    pub fn and(self, other: Extent) -> Extent {
        Extent { vectors: self.vectors.max(other.vectors), accumulators: self.accumulators.max(other.accumulators) }
    }
}

impl Program {
    /// How far the registers reach that a wave may write which begins at a step. All, where registers or jumps are found by
    /// numbers that nobody knows beforehand.
    #[must_use]
    pub fn extent(&self, entry: u32) -> Extent {
        let mut extent = Extent::default();
        for block in self.blocks([entry]).values() {
            let mut at = block.first;
            loop {
                let uses = self.uses(&self.steps[at as usize]);
                if uses.moved || block.exits.computed {
                    return Extent::ALL;
                }
                extent = uses.writes.vectors().map(Extent::of).fold(extent, Extent::and);
                if at == block.last {
                    break;
                }
                at = self.steps[at as usize].next;
            }
        }
        extent
    }
}
