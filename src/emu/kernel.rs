//! Kernels: a meaning carried out on all lanes of a wave.
//!
//! A kernel works on 32 lanes at a time. It computes 32 results with [`Fast`], repeats them with [`Exact`] if `Fast` was not sure of one, and
//! writes them all: where some lanes are to stay as they are, the result goes to a temporary first. The loops over lanes have no branches, so
//! the compiler turns them into vector code: each kernel exists once for the plain host, once for AVX2 and once for AVX-512, and the table
//! picks by what the host has.
//!
//! A meaning in which the float modes have a say has three columns: denormals kept, f32 denormals flushed (both with rounding to
//! nearest), and all other modes, which are computed by `Exact` alone.

use super::alg::{Env, Exact, Fast};
use crate::isa::sem::{self, Alg, Class, Meaning, Results, Shape, Sources, Visitor};
use std::cell::Cell;
use std::collections::HashMap;
use std::sync::OnceLock;

/// Lanes of a block.
const LANES: usize = 32;
/// Words of a vector register in the file: one a lane.
pub const STRIDE: usize = 64;
/// How many sources a meaning has at most.
pub const MAX_SOURCES: usize = 4;

/// What a kernel works on.
pub struct Io<'a> {
    /// The register file: [`STRIDE`] words a register.
    pub file: &'a [Cell<u32>],
    /// The first word of each source.
    pub src: [u32; MAX_SOURCES],
    /// The first word of the destination.
    pub dst: u32,
    /// Lanes whose result matters.
    pub active: u64,
    /// The bits of a source that is a mask.
    pub mask: u64,
    /// Blocks of 32 lanes.
    pub blocks: u32,
    /// The modes.
    pub env: &'a Env,
}

/// Carries out a meaning; gives the bits of a result that is a mask.
///
/// # Safety
/// The host must have the vector instructions the kernel was compiled for: the table gives only such kernels.
pub type Kernel = unsafe fn(&Io<'_>) -> u64;

/// The kernels of a meaning.
#[derive(Clone, Copy)]
pub struct Kernels {
    /// The name of the meaning.
    pub name: &'static str,
    /// By column of the modes.
    pub column: [Kernel; COLUMNS],
    /// The kinds of the sources.
    pub args: &'static [Class],
    /// The kinds of the results.
    pub ret: &'static [Class],
}

/// How many columns there are.
pub const COLUMNS: usize = 3;
/// Rounding to nearest, denormals kept.
pub const KEEP: usize = 0;
/// Rounding to nearest, f32 denormals flushed.
pub const FLUSH: usize = 1;
/// Every other mode.
pub const EXACT: usize = 2;

/// The kernels of the meaning called `name`.
#[must_use]
pub fn find(name: &str) -> Option<&'static Kernels> {
    static TABLE: OnceLock<HashMap<&'static str, Kernels>> = OnceLock::new();
    TABLE
        .get_or_init(|| {
            let mut table = Builder { level: Level::of_host(), kernels: HashMap::new() };
            sem::vector(&mut table);
            table.kernels
        })
        .get(name)
}

/// The code that kernels are compiled to and chosen for this host: `AVX-512`, `AVX2`, or `portable` where there is no other.
#[must_use]
pub fn host_code() -> &'static str {
    match Level::of_host() {
        Level::Plain => "portable",
        #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
        Level::Avx2 => "AVX2",
        #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
        Level::Avx512 => "AVX-512",
    }
}

/// What vector instructions the host has. A debug build is for tests and has no vector code: it would take minutes to compile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Level {
    Plain,
    #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
    Avx2,
    #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
    Avx512,
}

impl Level {
    fn of_host() -> Level {
        #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
        {
            let v3 = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("fma")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            let v4 = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl");
            if v3 && v4 {
                return Level::Avx512;
            }
            if v3 {
                return Level::Avx2;
            }
        }
        Level::Plain
    }

    /// The kernels of a meaning for denormals kept and flushed.
    fn kernels<M: Meaning>(self) -> [Kernel; 2] {
        match self {
            Level::Plain => [plain::<M, KEEP>, if M::FLOAT { plain::<M, FLUSH> } else { plain::<M, KEEP> }],
            #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
            Level::Avx2 => [avx2::<M, KEEP>, if M::FLOAT { avx2::<M, FLUSH> } else { avx2::<M, KEEP> }],
            #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
            Level::Avx512 => [avx512::<M, KEEP>, if M::FLOAT { avx512::<M, FLUSH> } else { avx512::<M, KEEP> }],
        }
    }
}

struct Builder {
    level: Level,
    kernels: HashMap<&'static str, Kernels>,
}

impl Visitor for Builder {
    fn visit<M: Meaning>(&mut self, name: &'static str) {
        let [keep, flush] = self.level.kernels::<M>();
        let exact: Kernel = if M::FLOAT { exact::<M> } else { keep };
        let kernels = Kernels { name, column: [keep, flush, exact], args: M::Args::CLASSES, ret: M::Ret::CLASSES };
        let before = self.kernels.insert(name, kernels);
        debug_assert!(before.is_none(), "two meanings of {name}");
    }
}

fn plain<M: Meaning, const COLUMN: usize>(io: &Io<'_>) -> u64 {
    // Where there is vector code, hosts without it are old: their floats are computed in integers, and half the code is saved.
    if cfg!(all(target_arch = "x86_64", not(debug_assertions))) && M::FLOAT {
        return exact::<M>(io);
    }
    body::<M, COLUMN>(io)
}

#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn avx2<M: Meaning, const COLUMN: usize>(io: &Io<'_>) -> u64 {
    body::<M, COLUMN>(io)
}

#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl")]
fn avx512<M: Meaning, const COLUMN: usize>(io: &Io<'_>) -> u64 {
    body::<M, COLUMN>(io)
}

fn exact<M: Meaning>(io: &Io<'_>) -> u64 {
    (0..io.blocks as usize).fold(0, |mask, block| mask | u64::from(repeat::<M>(io, block)) << (block * LANES))
}

/// 32 words of a register.
type Words = [u32; LANES];

/// The sources of a block where they lie in the file: up to four registers each.
struct Block<'a> {
    words: [[&'a Register; 4]; MAX_SOURCES],
    /// The first lane of the block.
    first: usize,
    /// The bits of a mask, one a lane.
    bits: Words,
}

/// A register in the file.
type Register = [Cell<u32>; STRIDE];

/// The register that begins at a word of the file.
#[inline(always)]
fn register(file: &[Cell<u32>], first: usize) -> &Register {
    // Plans name no register beyond the file.
    file[first..first + STRIDE].first_chunk().expect("a slice of as many words")
}

impl<'a> Block<'a> {
    #[inline(always)]
    fn of(io: &Io<'a>, block: usize, classes: &[Class]) -> Block<'a> {
        let nothing = register(io.file, 0);
        let mut all = [[nothing; 4]; MAX_SOURCES];
        for (n, class) in classes.iter().enumerate() {
            for (dword, to) in all[n].iter_mut().enumerate().take(class.dwords()) {
                *to = register(io.file, io.src[n] as usize + dword * STRIDE);
            }
        }
        let mut bits = [0; LANES];
        if classes.contains(&Class::Bit) {
            let mask = (io.mask >> (block * LANES)) as u32;
            for (lane, bit) in bits.iter_mut().enumerate() {
                *bit = mask >> lane & 1;
            }
        }
        Block { words: all, first: block * LANES, bits }
    }
}

/// One lane of a block.
struct Lane<'a, 'b> {
    block: &'b Block<'a>,
    lane: usize,
}

impl<A: Alg<W = u32, D = u64, Q = [u32; 4], C = bool>> Sources<A> for Lane<'_, '_> {
    #[inline(always)]
    fn word(&self, n: usize) -> u32 {
        self.block.words[n][0][self.block.first + self.lane].get()
    }
    #[inline(always)]
    fn pair(&self, n: usize) -> u64 {
        let words = &self.block.words[n];
        let at = self.block.first + self.lane;
        u64::from(words[0][at].get()) | u64::from(words[1][at].get()) << 32
    }
    #[inline(always)]
    fn quad(&self, n: usize) -> [u32; 4] {
        std::array::from_fn(|i| self.block.words[n][i][self.block.first + self.lane].get())
    }
    #[inline(always)]
    fn bit(&self, _: usize) -> bool {
        self.block.bits[self.lane] != 0
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

/// The lanes whose word is 1; all words are 0 or 1.
///
/// A loop that sets bits of one word is no vector code for the compiler; one that writes a word a lane is, and so is this.
#[inline(always)]
fn packed(words: &Words) -> u32 {
    let mut mask = 0;
    for (lane, word) in words.iter().enumerate() {
        mask |= word << lane;
    }
    mask
}

#[inline(always)]
fn body<M: Meaning, const COLUMN: usize>(io: &Io<'_>) -> u64 {
    let dwords = M::Ret::CLASSES[0].dwords();
    let has_bit = M::Ret::CLASSES.contains(&Class::Bit);
    let mut mask = 0;
    for block in 0..STRIDE / LANES {
        if block >= io.blocks as usize {
            break;
        }
        // Arrays of their own, not one of arrays: those that a meaning does not use vanish.
        let (mut a, mut b, mut c, mut d, mut bits) = ([0; LANES], [0; LANES], [0; LANES], [0; LANES], [0; LANES]);
        let mut out = [&mut a, &mut b, &mut c, &mut d];
        let odd = if COLUMN == KEEP {
            fast::<M, false>(io, block, &mut out, &mut bits)
        } else {
            fast::<M, true>(io, block, &mut out, &mut bits)
        };
        let bits = if odd {
            // One odd lane is rare, and where there is one there are more: all are repeated.
            repeat::<M>(io, block)
        } else {
            for (dword, values) in out.iter().enumerate().take(dwords) {
                let to = &register(io.file, io.dst as usize + dword * STRIDE)[block * LANES..][..LANES];
                for (to, v) in to.iter().zip(values.iter()) {
                    to.set(*v);
                }
            }
            if has_bit { packed(&bits) } else { 0 }
        };
        mask |= u64::from(bits) << (block * LANES);
    }
    mask
}

/// All lanes with the host's arithmetic; says whether one is odd.
///
/// Each loop has one array to write and at most one sum to carry along: that is what the compiler makes vector code of. So the words and the bits of a
/// result come from two loops, of which each computes what it needs.
#[inline(always)]
fn fast<M: Meaning, const FLUSH: bool>(io: &Io<'_>, block: usize, out: &mut [&mut Words; 4], bits: &mut Words) -> bool {
    let sources = Block::of(io, block, M::Args::CLASSES);
    let dwords = M::Ret::CLASSES[0].dwords();
    let mut any = 0;
    if dwords != 0 {
        for lane in 0..LANES {
            let (result, odd) = one::<M, FLUSH>(&sources, block, lane);
            for (to, v) in out.iter_mut().zip(result.words).take(dwords) {
                to[lane] = v;
            }
            any |= u32::from(odd);
        }
    }
    if M::Ret::CLASSES.contains(&Class::Bit) {
        #[allow(clippy::needless_range_loop, reason = "the lane is more than an index")]
        for lane in 0..LANES {
            let (result, odd) = one::<M, FLUSH>(&sources, block, lane);
            bits[lane] = u32::from(result.bit);
            any |= u32::from(odd);
        }
    }
    any != 0
}

/// One lane with the host's arithmetic, and whether it is odd.
#[inline(always)]
fn one<M: Meaning, const FLUSH: bool>(sources: &Block<'_>, block: usize, lane: usize) -> (LaneResult, bool) {
    let k = Fast::<FLUSH>::new((block * LANES + lane) as u32);
    let args = M::Args::read::<Fast<FLUSH>>(&Lane { block: sources, lane }, 0);
    let mut result = LaneResult::default();
    M::Ret::write::<Fast<FLUSH>>(M::eval(&k, args), &mut result);
    (result, k.is_odd())
}

/// The active lanes of a block in integers, written one by one; gives the bits of a result that is a mask.
///
/// Apart from the quick way, whose results can stay in registers because nothing here asks for them.
#[cold]
#[inline(never)]
fn repeat<M: Meaning>(io: &Io<'_>, block: usize) -> u32 {
    let sources = Block::of(io, block, M::Args::CLASSES);
    let dwords = M::Ret::CLASSES[0].dwords();
    let mut rest = (io.active >> (block * LANES)) as u32;
    let mut mask = 0;
    while rest != 0 {
        let lane = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let k = Exact::new(io.env, (block * LANES + lane) as u32);
        let args = M::Args::read::<Exact<'_>>(&Lane { block: &sources, lane }, 0);
        let mut result = LaneResult::default();
        M::Ret::write::<Exact<'_>>(M::eval(&k, args), &mut result);
        for (dword, v) in result.words.iter().enumerate().take(dwords) {
            io.file[io.dst as usize + dword * STRIDE + block * LANES + lane].set(*v);
        }
        mask |= u32::from(result.bit) << lane;
    }
    mask
}
