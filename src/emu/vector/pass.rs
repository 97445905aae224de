//! Loops over the lanes of registers, compiled for the level of the wave.

use crate::emu::kernel::{Lanes, Pass, Register, STRIDE, register};
use crate::emu::wave::Wave;

/// Words of a register in some lanes: a function of those of others.
struct Each<'a, const COUNT: usize, F> {
    of: [&'a Register; COUNT],
    to: &'a Register,
    lanes: u64,
    word: F,
}

impl<const COUNT: usize, F: Fn([u32; COUNT]) -> u32> Pass for Each<'_, COUNT, F> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let mut words = [0; STRIDE];
        for (lane, word) in words.iter_mut().enumerate() {
            *word = (self.word)(self.of.map(|register| register[lane].get()));
        }
        L::put(self.to, &words, self.lanes);
    }
}

/// Gives all lanes of the register that begins at a word of the file a function of what others have.
#[inline(always)]
pub(super) fn each<const COUNT: usize>(wave: &Wave, of: [u32; COUNT], to: u32, word: impl Fn([u32; COUNT]) -> u32) {
    each_in(wave, u64::MAX, of, to, word);
}

/// As [`each`], in some lanes only.
#[inline(always)]
pub(super) fn each_in<const COUNT: usize>(
    wave: &Wave,
    lanes: u64,
    of: [u32; COUNT],
    to: u32,
    word: impl Fn([u32; COUNT]) -> u32,
) {
    let at = |first: u32| register(&wave.file, first as usize);
    wave.level.pass(Each { of: of.map(at), to: at(to), lanes, word });
}

/// As [`each`], of a pair of registers.
struct EachPair<'a, F> {
    of: [&'a Register; 2],
    word: F,
}

impl<F: Fn(u64) -> u64> Pass for EachPair<'_, F> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let (mut low, mut high) = ([0; STRIDE], [0; STRIDE]);
        for (lane, (low, high)) in low.iter_mut().zip(&mut high).enumerate() {
            let [of, above] = self.of.map(|register| u64::from(register[lane].get()));
            let v = (self.word)(of | above << 32);
            (*low, *high) = (v as u32, (v >> 32) as u32);
        }
        L::put(self.of[0], &low, u64::MAX);
        L::put(self.of[1], &high, u64::MAX);
    }
}

/// Gives all lanes of the pair of registers that begins at a word of the file a function of what they have.
#[inline(always)]
pub(super) fn each_pair(wave: &Wave, at: u32, word: impl Fn(u64) -> u64) {
    let of = [at, at + STRIDE as u32].map(|at| register(&wave.file, at as usize));
    wave.level.pass(EachPair { of, word });
}
