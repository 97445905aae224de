//! Kernels: a meaning carried out on all 64 lanes.
//!
//! A kernel computes every lane with [`Fast`], the host's floats, and tells which lanes it was not sure of; those that matter are
//! computed again by [`Exact`] in integers. Both flush denormals and round to nearest: this machine has no modes.
//!
//! The loops run over arrays of 64 words, of which the compiler makes vector code; they exist once for each [`Level`]
//! of the host, and the table has those of this one.

use crate::emu::alg::{Env, Exact, Fast, Machine, Quick as _, Unit};
use crate::emu::kernel::{Level, leveled};
use crate::isa::sem::{Alg, Class, Meaning, Results, Shape, Sources, Visitor};
use crate::isa::{Arch, Gen, Target};
use crate::r600::sem;
use std::sync::OnceLock;

/// Lanes of a thread group.
pub const LANES: usize = 64;
/// Sources of an instruction at most.
pub const MAX_SOURCES: usize = 3;

/// The lanes of a mask.
pub(super) fn each(mask: u64) -> impl Iterator<Item = usize> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        let lane = rest.trailing_zeros() as usize;
        rest &= rest.wrapping_sub(1);
        (lane < LANES).then_some(lane)
    })
}

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

    /// Gives the lanes of a mask new words, with the instructions of a level.
    #[inline]
    pub fn put_by(&mut self, level: Level, from: &Lanes, mask: u64) {
        level.run(
            #[inline(always)]
            || self.put(from, mask),
        );
    }

    /// Takes words with their signs changed, by the bits that are kept and those that are turned.
    pub(super) fn sign_by(&mut self, level: Level, from: &Lanes, [keep, turn]: [u32; 2]) {
        level.run(
            #[inline(always)]
            || self.0 = from.0.map(|word| (word & keep) ^ turn),
        );
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
    /// Whether the result of one may be wrong: in the top bit.
    pub odd: u32,
    /// The bit that the meaning gives.
    pub bits: u64,
}

/// The lanes with the host's arithmetic.
///
/// # Safety
/// The host must have the instructions that it was compiled for.
type Quick = unsafe fn(&Lanes, &Lanes, &Lanes, &mut Lanes) -> Told;
/// Which lanes are odd.
type Odd = fn([&Lanes; MAX_SOURCES]) -> u64;
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
    odd: Odd,
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
    #[inline(always)]
    #[allow(unsafe_code, reason = "kernels are compiled for vector instructions; the table holds those the host has")]
    pub fn run(&self, with: &Host, src: [&Lanes; MAX_SOURCES], mask: u64, out: &mut Lanes) -> u64 {
        let [a, b, c] = src;
        // SAFETY: the table was made for the level of the host.
        let told = unsafe { (self.quick)(a, b, c, out) };
        if told.odd == 0 { told.bits } else { self.again(with, src, mask, told, out) }
    }

    /// Computes the odd lanes of a mask again.
    #[cold]
    #[inline(never)]
    fn again(&self, with: &Host, src: [&Lanes; MAX_SOURCES], mask: u64, told: Told, out: &mut Lanes) -> u64 {
        let odd = (self.odd)(src) & mask;
        (told.bits & !odd) | (self.slow)(&with.env, src, odd, out)
    }
}

/// What computes.
#[derive(Debug)]
pub struct Host {
    /// What the exact algebra wants to know: that of an early machine, of which no bits of the transcendental unit are known.
    env: Env,
    /// The vector instructions.
    pub level: Level,
}

impl Host {
    /// This one.
    #[must_use]
    pub fn new() -> Host {
        let target = Target::new(Arch::find("gfx600").expect("a processor of the table"));
        Host { env: Env::new(target), level: Level::of_host() }
    }
}

impl Host {
    /// What a meaning gives of all lanes.
    #[must_use]
    pub fn meaning(&self, name: &str, src: [&Lanes; MAX_SOURCES]) -> Lanes {
        let mut out = Lanes::splat(0);
        if let Some(kernel) = Kernel::of(name) {
            kernel.run(self, src, u64::MAX, &mut out);
        }
        out
    }
}

impl Default for Host {
    fn default() -> Host {
        Host::new()
    }
}

struct Table(Vec<Kernel>);

impl Visitor for Table {
    fn visit<M: Meaning>(&mut self, name: &'static str) {
        self.0.push(Kernel {
            name,
            args: M::Args::CLASSES,
            ret: M::Ret::CLASSES,
            quick: quick_of::<M>(Level::of_host()),
            odd: odd_lanes::<M>,
            slow: slow::<M>,
        });
    }
}

/// The sources of one lane.
struct Lane([u32; MAX_SOURCES]);

impl<A: Alg<W = u32, D = u64, Q = [u32; 4], C = bool>> Sources<A> for Lane {
    #[inline(always)]
    fn word(&self, n: usize) -> u32 {
        self.0[n]
    }
    #[inline(always)]
    fn pair(&self, n: usize) -> u64 {
        u64::from(self.0[n])
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

leveled! {
    /// [`quick`] for the instructions of a level.
    fn quick_of<M: Meaning>(a: &Lanes, b: &Lanes, c: &Lanes, out: &mut Lanes) -> Told { quick::<M>([a, b, c], out) }
}

/// One lane with the host's arithmetic: the results, and in the top bit whether they may be wrong.
#[inline(always)]
fn lane<M: Meaning>(src: [u32; MAX_SOURCES], lane: usize) -> (LaneResult, u32) {
    // The unit is that of the next machines.
    let k = Fast::<true>::of(lane as u32, Machine { unit: Unit::of(Gen::Gfx6), ..Machine::default() });
    let args = M::Args::read::<Fast<true>>(&Lane(src), 0);
    let mut result = LaneResult::default();
    M::Ret::write::<Fast<true>>(M::eval(&k, args), &mut result);
    (result, k.oddness())
}

/// All lanes; whether any is odd, and the bits.
///
/// One loop of 64 turns, into arrays that are written as a whole: so the compiler makes vector code of it, whose
/// results stay in registers. (Loops over blocks it unrolled first, and then gathered the words of a lane from all
/// blocks.)
#[inline(always)]
fn quick<M: Meaning>(src: [&Lanes; MAX_SOURCES], out: &mut Lanes) -> Told {
    let gives_bit = M::Ret::CLASSES.len() > 1;
    let (mut words, mut marks, mut odd) = ([0; LANES], [0; LANES], 0);
    for at in 0..LANES {
        let (result, oddness) = lane::<M>(src.map(|lanes| lanes.0[at]), at);
        words[at] = result.word;
        if gives_bit {
            marks[at] = u32::from(result.bit).wrapping_neg();
        }
        odd |= oddness;
    }
    out.0 = words;
    let bits = marks.iter().enumerate().fold(0, |mask, (lane, word)| mask | u64::from(word >> 31) << lane);
    Told { odd: odd & 1 << 31, bits: if gives_bit { bits } else { 0 } }
}

/// Which lanes are odd.
#[cold]
#[inline(never)]
fn odd_lanes<M: Meaning>(src: [&Lanes; MAX_SOURCES]) -> u64 {
    (0..LANES).fold(0, |mask, at| {
        let (_, oddness) = lane::<M>(src.map(|lanes| lanes.0[at]), at);
        mask | u64::from(oddness >> 31) << at
    })
}

#[cold]
#[inline(never)]
fn slow<M: Meaning>(env: &Env, src: [&Lanes; MAX_SOURCES], mask: u64, out: &mut Lanes) -> u64 {
    let (mut rest, mut bits) = (mask, 0);
    while rest != 0 {
        let lane = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let k = Exact::new(env, lane as u32);
        let args = M::Args::read::<Exact<'_>>(&Lane(src.map(|lanes| lanes.0[lane])), 0);
        let mut result = LaneResult::default();
        M::Ret::write::<Exact<'_>>(M::eval(&k, args), &mut result);
        out.0[lane] = result.word;
        bits |= u64::from(result.bit) << lane;
    }
    bits
}
