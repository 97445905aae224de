//! Choices out of bytes: the first eight are a seed, each further one is a choice of its own, and behind the last of them chance goes on
//! from the seed. So eight bytes are enough for anything that is generated, and whoever grows inputs can change one choice by one byte.

use super::Chance;

/// A source of choices.
pub(super) struct Bytes<'a> {
    rest: &'a [u8],
    chance: Chance,
}

impl<'a> Bytes<'a> {
    /// Fewer than eight bytes are filled up with zeroes.
    pub(super) fn new(data: &'a [u8]) -> Bytes<'a> {
        let (seed, rest) = data.split_at(data.len().min(8));
        let seed = seed.iter().fold(0, |seed, byte| seed << 8 | u64::from(*byte));
        Bytes { rest, chance: Chance::new(seed) }
    }

    /// One byte.
    pub(super) fn byte(&mut self) -> u8 {
        match self.rest.split_first() {
            Some((first, rest)) => {
                self.rest = rest;
                *first
            }
            None => self.chance.next_u64() as u8,
        }
    }

    /// Four bytes.
    pub(super) fn word(&mut self) -> u32 {
        u32::from_le_bytes(std::array::from_fn(|_| self.byte()))
    }

    /// Eight bytes.
    pub(super) fn double(&mut self) -> u64 {
        u64::from(self.word()) << 32 | u64::from(self.word())
    }

    /// A number below `n`, which is at most 65536.
    pub(super) fn below(&mut self, n: usize) -> usize {
        let wide =
            if n <= 256 { usize::from(self.byte()) } else { usize::from(self.byte()) << 8 | usize::from(self.byte()) };
        wide % n.max(1)
    }

    /// Whether something holds which does once in `n` times.
    pub(super) fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of these.
    pub(super) fn one<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}
