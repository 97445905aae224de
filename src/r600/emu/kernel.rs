//! Kernels: a meaning carried out on all 64 lanes.
//!
//! A kernel computes every lane with [`Fast`], the host's floats, and tells which lanes it was not sure of; those that matter are
//! computed again by [`Exact`] in integers. Both flush denormals and round to nearest: this machine has no modes.
//!
//! The loops run over arrays of 64 words whose addresses the compiler knows to differ, so that they become vector code.

use crate::emu::alg::{Env, Exact, Fast};
use crate::isa::sem::{Alg, Class, Meaning, Results, Shape, Sources, Visitor};
use crate::isa::{Arch, Target};
use crate::r600::sem;
use std::sync::OnceLock;

/// Lanes of a thread group.
pub const LANES: usize = 64;
/// Sources of an instruction at most.
pub const MAX_SOURCES: usize = 3;

/// A word for each lane.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Lanes(pub [u32; LANES]);

impl Lanes {
    /// All alike.
    #[must_use]
    pub const fn splat(v: u32) -> Lanes {
        Lanes([v; LANES])
    }

    /// Gives the lanes of a mask new words.
    #[inline(always)]
    pub fn put(&mut self, from: &Lanes, mask: u64) {
        if mask == u64::MAX {
            self.0 = from.0;
            return;
        }
        for (lane, (to, from)) in self.0.iter_mut().zip(&from.0).enumerate() {
            let set = u32::from(mask >> lane & 1 != 0).wrapping_neg();
            *to = (*to & !set) | (from & set);
        }
    }
}

/// What a kernel tells of the lanes, besides their results.
#[derive(Clone, Copy, Debug, Default)]
pub struct Told {
    /// Those whose result may be wrong.
    pub odd: u64,
    /// The bit that the meaning gives.
    pub bits: u64,
}

/// The lanes with the host's arithmetic.
type Quick = fn([&Lanes; MAX_SOURCES], &mut Lanes) -> Told;
/// Some lanes in integers.
type Slow = fn(&Env, [&Lanes; MAX_SOURCES], u64, &mut Lanes) -> u64;

/// A meaning carried out.
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    /// The name of the meaning.
    pub name: &'static str,
    /// The kinds of the sources.
    pub args: &'static [Class],
    /// The kinds of the results.
    pub ret: &'static [Class],
    quick: Quick,
    slow: Slow,
}

impl Kernel {
    /// The kernel of a meaning.
    #[must_use]
    pub fn of(name: &str) -> Option<&'static Kernel> {
        static TABLE: OnceLock<Vec<Kernel>> = OnceLock::new();
        let table = TABLE.get_or_init(|| {
            let mut table = Table(Vec::new());
            sem::visit(&mut table);
            table.0
        });
        table.get(sem::find(name)?.number)
    }

    /// Whether the result is a float, which factors and the clamp change.
    #[must_use]
    pub fn gives_float(&self) -> bool {
        self.ret[0].is_float()
    }

    /// Computes all lanes; those of the mask are right. The answer is the bit of each of them.
    #[inline]
    pub fn run(&self, env: &Env, src: [&Lanes; MAX_SOURCES], mask: u64, out: &mut Lanes) -> u64 {
        let told = (self.quick)(src, out);
        let odd = told.odd & mask;
        if odd == 0 {
            return told.bits;
        }
        (told.bits & !odd) | (self.slow)(env, src, odd, out)
    }
}

/// What the exact algebra wants to know: that of an early machine, of which no bits of the transcendental unit are known.
#[must_use]
pub fn env() -> Env {
    Env::new(Target::new(Arch::find("gfx600").expect("a processor of the table")))
}

struct Table(Vec<Kernel>);

impl Visitor for Table {
    fn visit<M: Meaning>(&mut self, name: &'static str) {
        self.0.push(Kernel { name, args: M::Args::CLASSES, ret: M::Ret::CLASSES, quick: quick::<M>, slow: slow::<M> });
    }
}

/// One lane of the sources.
struct Lane<'a> {
    src: [&'a Lanes; MAX_SOURCES],
    lane: usize,
}

impl<A: Alg<W = u32, D = u64, Q = [u32; 4], C = bool>> Sources<A> for Lane<'_> {
    #[inline(always)]
    fn word(&self, n: usize) -> u32 {
        self.src[n].0[self.lane]
    }
    #[inline(always)]
    fn pair(&self, n: usize) -> u64 {
        u64::from(self.src[n].0[self.lane])
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

/// The results of a lane.
#[derive(Clone, Copy, Default)]
struct LaneResult {
    word: u32,
    bit: bool,
}

impl<A: Alg<W = u32, D = u64, Q = [u32; 4], C = bool>> Results<A> for LaneResult {
    #[inline(always)]
    fn word(&mut self, v: u32) {
        self.word = v;
    }
    #[inline(always)]
    fn pair(&mut self, v: u64) {
        self.word = v as u32;
    }
    #[inline(always)]
    fn quad(&mut self, v: [u32; 4]) {
        self.word = v[0];
    }
    #[inline(always)]
    fn bit(&mut self, v: bool) {
        self.bit = v;
    }
}

/// The top bits of words, as a mask.
#[inline(always)]
fn gather(words: &[u32; LANES]) -> u64 {
    words.iter().enumerate().fold(0, |mask, (lane, word)| mask | u64::from(word >> 31) << lane)
}

fn quick<M: Meaning>(src: [&Lanes; MAX_SOURCES], out: &mut Lanes) -> Told {
    let gives_bit = M::Ret::CLASSES.len() > 1;
    let (mut odd, mut bits) = ([0; LANES], [0; LANES]);
    for lane in 0..LANES {
        let k = Fast::<true>::new(lane as u32);
        let args = M::Args::read::<Fast<true>>(&Lane { src, lane }, 0);
        let mut result = LaneResult::default();
        M::Ret::write::<Fast<true>>(M::eval(&k, args), &mut result);
        out.0[lane] = result.word;
        if gives_bit {
            bits[lane] = u32::from(result.bit).wrapping_neg();
        }
        odd[lane] = k.oddness();
    }
    let any = odd.iter().fold(0, |any, word| any | word) >> 31 != 0;
    Told { odd: if any { gather(&odd) } else { 0 }, bits: if gives_bit { gather(&bits) } else { 0 } }
}

#[cold]
#[inline(never)]
fn slow<M: Meaning>(env: &Env, src: [&Lanes; MAX_SOURCES], mask: u64, out: &mut Lanes) -> u64 {
    let (mut rest, mut bits) = (mask, 0);
    while rest != 0 {
        let lane = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let k = Exact::new(env, lane as u32);
        let args = M::Args::read::<Exact<'_>>(&Lane { src, lane }, 0);
        let mut result = LaneResult::default();
        M::Ret::write::<Exact<'_>>(M::eval(&k, args), &mut result);
        out.0[lane] = result.word;
        bits |= u64::from(result.bit) << lane;
    }
    bits
}
