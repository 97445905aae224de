//! Kernels: a meaning carried out on all lanes of a wave.
//!
//! A kernel computes the results of all lanes, 32 or 64, with [`Fast`], and if `Fast` was sure of them writes them over the destination; else
//! [`Exact`] computes the active lanes one by one. Where some lanes are to stay as they are, the destination is a temporary.
//!
//! One loop over the lanes evaluates the meaning once, into arrays that the compiler should keep in vector registers. For that
//! - the number of lanes is a constant, and the arrays are known to be written as a whole. So there is a kernel for each size of wave;
//! - there are 64 turns where the wave has so many lanes: loops over blocks of 32 were unrolled before they were vector code;
//! - what the lanes have in common is a sum of words: the odd lanes in the top bit ([`Fast::oddness`]), a mask as a word with its bit for
//!   each lane. A sum of truth values became a branch for every pair of lanes;
//! - the file is an argument of its own: of a pointer found in the wave the compiler asks at run time whether it leads into the arrays, which
//!   then stay in memory;
//! - results are copied and gathered by iterators: loops by index were unrolled lane by lane, and took eight times as long.
//!
//! Also tried and slower: an opaque number of lanes, results behind references, a second loop for the bits of a result.
//!
//! Each kernel exists once for the plain host, once for AVX2 and once for AVX-512; programs are planned with those of one [`Level`].
//!
//! A meaning in which the float modes have a say has three columns: denormals kept, f32 denormals flushed (both with rounding to
//! nearest), and all other modes, which are computed by `Exact` alone.

mod level;

use super::alg::{Exact, Fast};
use super::wave::Wave;
use crate::isa::sem::{self, Alg, Class, Meaning, Results, Shape, Sources, Visitor};
use std::cell::Cell;
use std::collections::HashMap;
use std::sync::OnceLock;

pub use level::Level;

/// Words of a vector register in the file: one a lane.
pub const STRIDE: usize = 64;
/// How many sources a meaning has at most.
pub const MAX_SOURCES: usize = 4;

/// Carries out a meaning for all lanes of a wave: takes its file, the first words of the sources and of the destination in it, and the bits of
/// a source that is a mask; gives the bits of a result that is a mask.
///
/// # Safety
/// The host must have the vector instructions the kernel was compiled for: the table gives only such kernels.
pub type Kernel = unsafe fn(&Wave, &[Cell<u32>], &[u32; MAX_SOURCES], u32, u64) -> u64;

/// The kernels of a meaning.
#[derive(Clone, Copy)]
pub struct Kernels {
    /// The name of the meaning.
    pub name: &'static str,
    /// By column of the modes and size of the wave: see [`variant`].
    pub variants: [Kernel; VARIANTS],
    /// The kinds of the sources.
    pub args: &'static [Class],
    /// The kinds of the results.
    pub ret: &'static [Class],
}

/// How many columns there are.
const COLUMNS: usize = 3;
/// Rounding to nearest, denormals kept.
pub const KEEP: usize = 0;
/// Rounding to nearest, f32 denormals flushed.
pub const FLUSH: usize = 1;
/// Every other mode.
pub const EXACT: usize = 2;

/// How many kernels a meaning has: two a column.
pub const VARIANTS: usize = 2 * COLUMNS;

/// Which kernel it is for a column of the modes in a wave of so many lanes.
#[must_use]
pub const fn variant(column: usize, lanes: u32) -> usize {
    2 * column + (lanes == 64) as usize
}

/// The kernels of the meaning called `name`, as a level has them.
#[must_use]
pub fn find(level: Level, name: &str) -> Option<&'static Kernels> {
    static TABLES: [OnceLock<HashMap<&'static str, Kernels>>; Level::COUNT] = [const { OnceLock::new() }; Level::COUNT];
    TABLES[level.number()]
        .get_or_init(|| {
            let mut table = Builder { level, kernels: HashMap::new() };
            sem::vector(&mut table);
            table.kernels
        })
        .get(name)
}

struct Builder {
    level: Level,
    kernels: HashMap<&'static str, Kernels>,
}

impl Visitor for Builder {
    fn visit<M: Meaning>(&mut self, name: &'static str) {
        let kernels =
            Kernels { name, variants: self.level.kernels::<M>(), args: M::Args::CLASSES, ret: M::Ret::CLASSES };
        let before = self.kernels.insert(name, kernels);
        debug_assert!(before.is_none(), "two meanings of {name}");
    }
}

/// The active lanes in integers, one by one.
///
/// Apart from the quick way, whose results can stay in registers because nothing here asks for them.
#[cold]
#[inline(never)]
fn exact<M: Meaning>(wave: &Wave, file: &[Cell<u32>], src: &[u32; MAX_SOURCES], dst: u32, mask: u64) -> u64 {
    let sources = Registers::of::<M>(file, src, mask);
    let dwords = M::Ret::CLASSES[0].dwords();
    let mut rest = wave.exec();
    let mut bits = 0;
    while rest != 0 {
        let lane = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let k = Exact::new(&wave.env, lane as u32);
        let args = M::Args::read::<Exact<'_>>(&Lane { of: &sources, lane }, 0);
        let mut result = LaneResult::default();
        M::Ret::write::<Exact<'_>>(M::eval(&k, args), &mut result);
        for (dword, v) in result.words.iter().enumerate().take(dwords) {
            file[dst as usize + dword * STRIDE + lane].set(*v);
        }
        bits |= u64::from(result.bit) << lane;
    }
    bits
}

/// A register in the file.
type Register = [Cell<u32>; STRIDE];

/// The register that begins at a word of the file.
#[inline(always)]
fn register(file: &[Cell<u32>], first: usize) -> &Register {
    // Plans name no register beyond the file.
    file[first..first + STRIDE].first_chunk().expect("a slice of as many words")
}

/// The sources where they lie in the file: up to four registers each.
struct Registers<'a> {
    words: [[&'a Register; 4]; MAX_SOURCES],
    /// A word for each lane of a mask, which is not zero where the lane's bit is set.
    bits: [u32; STRIDE],
}

impl<'a> Registers<'a> {
    #[inline(always)]
    fn of<M: Meaning>(file: &'a [Cell<u32>], src: &[u32; MAX_SOURCES], mask: u64) -> Registers<'a> {
        let nothing = register(file, 0);
        let mut words = [[nothing; 4]; MAX_SOURCES];
        for (n, class) in M::Args::CLASSES.iter().enumerate() {
            for (dword, to) in words[n].iter_mut().enumerate().take(class.dwords()) {
                *to = register(file, src[n] as usize + dword * STRIDE);
            }
        }
        let mut bits = [0; STRIDE];
        if M::Args::CLASSES.contains(&Class::Bit) {
            for (lane, bit) in bits.iter_mut().enumerate() {
                *bit = (mask >> (lane & 32)) as u32 & 1 << (lane & 31);
            }
        }
        Registers { words, bits }
    }
}

/// One lane of the sources.
struct Lane<'a, 'b> {
    of: &'b Registers<'a>,
    lane: usize,
}

impl<A: Alg<W = u32, D = u64, Q = [u32; 4], C = bool>> Sources<A> for Lane<'_, '_> {
    #[inline(always)]
    fn word(&self, n: usize) -> u32 {
        self.of.words[n][0][self.lane].get()
    }
    #[inline(always)]
    fn pair(&self, n: usize) -> u64 {
        let words = &self.of.words[n];
        u64::from(words[0][self.lane].get()) | u64::from(words[1][self.lane].get()) << 32
    }
    #[inline(always)]
    fn quad(&self, n: usize) -> [u32; 4] {
        std::array::from_fn(|i| self.of.words[n][i][self.lane].get())
    }
    #[inline(always)]
    fn bit(&self, _: usize) -> bool {
        self.of.bits[self.lane] != 0
    }
}

/// The results of a lane.
#[derive(Clone, Copy, Default)]
struct LaneResult {
    words: [u32; 4],
    bit: bool,
}

impl<A: Alg<W = u32, D = u64, Q = [u32; 4], C = bool>> Results<A> for LaneResult {
    #[inline(always)]
    fn word(&mut self, v: u32) {
        self.words[0] = v;
    }
    #[inline(always)]
    fn pair(&mut self, v: u64) {
        self.words[0] = v as u32;
        self.words[1] = (v >> 32) as u32;
    }
    #[inline(always)]
    fn quad(&mut self, v: [u32; 4]) {
        self.words = v;
    }
    #[inline(always)]
    fn bit(&mut self, v: bool) {
        self.bit = v;
    }
}

/// All lanes with the host's arithmetic; if that is not sure of one, with [`exact`].
#[inline(always)]
fn quick<M: Meaning, const FLUSH: bool, const N: usize>(
    wave: &Wave,
    file: &[Cell<u32>],
    src: &[u32; MAX_SOURCES],
    dst: u32,
    mask: u64,
) -> u64 {
    let dwords = M::Ret::CLASSES[0].dwords();
    let has_bit = M::Ret::CLASSES.contains(&Class::Bit);
    let sources = Registers::of::<M>(file, src, mask);
    // Arrays of their own, not one of arrays: those that a meaning does not use vanish.
    let (mut a, mut b, mut c, mut d, mut bits) = ([0; N], [0; N], [0; N], [0; N], [0; N]);
    let mut odd = 0;
    for lane in 0..N {
        let k = Fast::<FLUSH>::new(lane as u32);
        let args = M::Args::read::<Fast<FLUSH>>(&Lane { of: &sources, lane }, 0);
        let mut result = LaneResult::default();
        M::Ret::write::<Fast<FLUSH>>(M::eval(&k, args), &mut result);
        if dwords > 0 {
            a[lane] = result.words[0];
        }
        if dwords > 1 {
            b[lane] = result.words[1];
        }
        if dwords > 2 {
            (c[lane], d[lane]) = (result.words[2], result.words[3]);
        }
        if has_bit {
            bits[lane] = u32::from(result.bit) << (lane & 31);
        }
        odd |= k.oddness();
    }
    if odd != 0 {
        // One odd lane is rare, and where there is one there are more: all are repeated.
        return exact::<M>(wave, file, src, dst, mask);
    }
    for (dword, values) in [&a, &b, &c, &d].into_iter().enumerate().take(dwords) {
        let to = &register(file, dst as usize + dword * STRIDE)[..N];
        for (to, v) in to.iter().zip(values) {
            to.set(*v);
        }
    }
    if !has_bit {
        return 0;
    }
    let word = |half: usize| u64::from(bits[32 * half..][..32].iter().fold(0, |word, bit| word | bit));
    if N > 32 { word(0) | word(1) << 32 } else { word(0) }
}
