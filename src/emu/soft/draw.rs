//! Chance for the tests of sums, in numbers of 32 bits.

use crate::isa::examples::Chance;

/// Numbers that look random.
pub(super) struct Draw(Chance);

impl Draw {
    pub(super) fn new(seed: u64) -> Draw {
        Draw(Chance::new(seed))
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    pub(super) fn below(&mut self, n: u32) -> u32 {
        self.0.below(n as usize) as u32
    }
}
