//! Kernels of packed instructions: one meaning for the lower and one for the upper halves, in one loop over the lanes.
//!
//! The halves of the sources are chosen and negated on the way, as the step says of each ([`Part`]); the two results are one word. Half by half, as
//! any instruction with operands to prepare is done, it would be seven loops over registers and more.

use super::{Exact, Lanes, Meaning, Quick, Register, Results, STRIDE, Shape, Sources, register};
use crate::emu::group::Group;
use crate::emu::plan::Step;
use crate::emu::wave::{Wave, slot};
use crate::isa::sem::Alg;
use crate::program::MAX_SOURCES;
use std::cell::Cell;

/// How a half is got from the word of a source: shifted down, then negated.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Part {
    /// By how much it is shifted: 0 or 16.
    pub down: u32,
    /// The bit of its sign, where that is changed.
    pub sign: u32,
}

impl Part {
    /// The half, with zeros above it.
    #[inline(always)]
    #[must_use]
    pub fn of(self, word: u32) -> u32 {
        (word >> self.down & 0xffff) ^ self.sign
    }
}

/// The parts that the meaning reads: of the lower halves, then of the upper ones.
pub type Parts = [[Part; MAX_SOURCES]; 2];

/// The sources of one half in one lane: there is no more to meanings of halves than words.
struct Half<'a> {
    words: [&'a Register; MAX_SOURCES],
    parts: &'a [Part; MAX_SOURCES],
    lane: usize,
}

impl<A: Alg<W = u32, D = u64, Q = [u32; 4], C = bool>> Sources<A> for Half<'_> {
    #[inline(always)]
    fn word(&self, n: usize) -> u32 {
        let Part { down, sign } = self.parts[n];
        (self.words[n][self.lane].get() >> down) ^ sign
    }
    #[inline(always)]
    fn pair(&self, _: usize) -> u64 {
        0
    }
    #[inline(always)]
    fn quad(&self, _: usize) -> [u32; 4] {
        [0; 4]
    }
    #[inline(always)]
    fn bit(&self, _: usize) -> bool {
        false
    }
}

/// The result of a half.
#[derive(Default)]
struct Word(u32);

impl<A: Alg<W = u32, D = u64, Q = [u32; 4], C = bool>> Results<A> for Word {
    #[inline(always)]
    fn word(&mut self, v: u32) {
        self.0 = v;
    }
    #[inline(always)]
    fn pair(&mut self, _: u64) {}
    #[inline(always)]
    fn quad(&mut self, _: [u32; 4]) {}
    #[inline(always)]
    fn bit(&mut self, _: bool) {}
}

/// The result of one half.
#[inline(always)]
fn half<M: Meaning, A: Alg<W = u32, D = u64, Q = [u32; 4], C = bool>>(k: &A, of: &Half<'_>) -> u32 {
    let mut result = Word::default();
    M::Ret::write::<A>(M::eval(k, M::Args::read::<A>(of, 0)), &mut result);
    result.0
}

/// The registers of the sources.
#[inline(always)]
fn sources<'a, M: Meaning>(file: &'a [Cell<u32>], step: &Step) -> [&'a Register; MAX_SOURCES] {
    let mut words = [register(file, step.src[0] as usize); MAX_SOURCES];
    for (word, src) in words.iter_mut().zip(step.src).take(M::Args::CLASSES.len()) {
        *word = register(file, src as usize);
    }
    words
}

/// Both halves of all lanes with the host's arithmetic; the lanes of which that is not sure exactly.
#[inline(always)]
pub(super) fn both<M: Meaning, L: Lanes, K: Quick, const N: usize>(
    wave: &mut Wave,
    step: &Step,
    _: &mut Group<'_>,
) -> u32 {
    let exec = if K::ALL_SIZES { wave.exec() } else { wave.mask_of::<N>(slot::EXEC) };
    let modes = K::modes(&wave.env);
    let Some(v) = &step.vector else { return step.next };
    let [low, high] = v.parts;
    let words = sources::<M>(&wave.file, step);
    let (mut a, mut odd) = ([0; N], [0; N]);
    for lane in 0..N {
        let k = K::of(lane as u32, modes);
        let low = half::<M, K>(&k, &Half { words, parts: &low, lane });
        let high = half::<M, K>(&k, &Half { words, parts: &high, lane });
        a[lane] = low & 0xffff | high << 16;
        odd[lane] = k.oddness();
    }
    let odd = if L::any(&odd) { L::gather(&odd) & exec } else { 0 };
    L::put(register(&wave.file, step.out as usize), &a, exec & !odd);
    if odd != 0 { some_exact::<M>(wave, step, odd) } else { step.next }
}

/// The active lanes in integers.
#[cold]
#[inline(never)]
pub(super) fn exact<M: Meaning>(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    some_exact::<M>(wave, step, wave.exec())
}

/// Some lanes in integers, one by one.
#[cold]
#[inline(never)]
fn some_exact<M: Meaning>(wave: &Wave, step: &Step, lanes: u64) -> u32 {
    let Some(v) = &step.vector else { return step.next };
    let words = sources::<M>(&wave.file, step);
    for lane in (0..STRIDE).filter(|lane| lanes >> lane & 1 != 0) {
        let k = Exact::new(&wave.env, lane as u32);
        let [low, high] = v.parts.each_ref().map(|parts| half::<M, Exact<'_>>(&k, &Half { words, parts, lane }));
        wave.file[step.out as usize + lane].set(low & 0xffff | high << 16);
    }
    step.next
}
