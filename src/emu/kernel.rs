//! Kernels: a meaning carried out on all lanes of a wave.
//!
//! A kernel works on 32 lanes at a time. It copies its sources out of the register file, computes 32 results with [`Fast`], repeats with
//! [`Exact`] those lanes which `Fast` was not sure of, and writes the lanes that are asked for. The loops over lanes have no branches, so
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
    /// Lanes to write.
    pub write: u64,
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

/// What vector instructions the host has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Level {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Level {
    fn of_host() -> Level {
        #[cfg(target_arch = "x86_64")]
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
}

struct Builder {
    level: Level,
    kernels: HashMap<&'static str, Kernels>,
}

impl Visitor for Builder {
    fn visit<M: Meaning>(&mut self, name: &'static str) {
        let column = match self.level {
            Level::Plain => [plain::<M, KEEP> as Kernel, if M::FLOAT { plain::<M, FLUSH> } else { plain::<M, KEEP> }],
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => [avx2::<M, KEEP> as Kernel, if M::FLOAT { avx2::<M, FLUSH> } else { avx2::<M, KEEP> }],
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => {
                [avx512::<M, KEEP> as Kernel, if M::FLOAT { avx512::<M, FLUSH> } else { avx512::<M, KEEP> }]
            }
        };
        let exact: Kernel = if M::FLOAT { exact::<M> } else { column[KEEP] };
        let kernels =
            Kernels { column: [column[KEEP], column[FLUSH], exact], args: M::Args::CLASSES, ret: M::Ret::CLASSES };
        let before = self.kernels.insert(name, kernels);
        debug_assert!(before.is_none(), "two meanings of {name}");
    }
}

fn plain<M: Meaning, const COLUMN: usize>(io: &Io<'_>) -> u64 {
    body::<M, COLUMN>(io)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn avx2<M: Meaning, const COLUMN: usize>(io: &Io<'_>) -> u64 {
    body::<M, COLUMN>(io)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl")]
fn avx512<M: Meaning, const COLUMN: usize>(io: &Io<'_>) -> u64 {
    body::<M, COLUMN>(io)
}

fn exact<M: Meaning>(io: &Io<'_>) -> u64 {
    body::<M, EXACT>(io)
}

/// 32 words of a register.
type Words = [u32; LANES];

/// The sources of a block, copied out of the file: a source has up to four registers.
struct Block {
    words: [[Words; 4]; MAX_SOURCES],
    mask: u32,
}

impl Block {
    #[inline(always)]
    fn fetch(io: &Io<'_>, block: usize, classes: &[Class]) -> Block {
        let mut words = [[[0; LANES]; 4]; MAX_SOURCES];
        for (n, class) in classes.iter().enumerate() {
            for (dword, to) in words[n].iter_mut().enumerate().take(class.dwords()) {
                let first = io.src[n] as usize + dword * STRIDE + block * LANES;
                let from = &io.file[first..first + LANES];
                for (to, from) in to.iter_mut().zip(from) {
                    *to = from.get();
                }
            }
        }
        Block { words, mask: (io.mask >> (block * LANES)) as u32 }
    }
}

/// One lane of a block.
struct Lane<'a> {
    block: &'a Block,
    lane: usize,
}

impl<A: Alg<W = u32, D = u64, Q = [u32; 4], C = bool>> Sources<A> for Lane<'_> {
    #[inline(always)]
    fn word(&self, n: usize) -> u32 {
        self.block.words[n][0][self.lane]
    }
    #[inline(always)]
    fn pair(&self, n: usize) -> u64 {
        let words = &self.block.words[n];
        u64::from(words[0][self.lane]) | u64::from(words[1][self.lane]) << 32
    }
    #[inline(always)]
    fn quad(&self, n: usize) -> [u32; 4] {
        std::array::from_fn(|i| self.block.words[n][i][self.lane])
    }
    #[inline(always)]
    fn bit(&self, _: usize) -> bool {
        self.block.mask >> self.lane & 1 != 0
    }
}

/// The results of a block.
struct Out {
    words: [Words; 4],
    mask: u32,
}

struct OutLane<'a> {
    out: &'a mut Out,
    lane: usize,
}

impl<A: Alg<W = u32, D = u64, Q = [u32; 4], C = bool>> Results<A> for OutLane<'_> {
    #[inline(always)]
    fn word(&mut self, v: u32) {
        self.out.words[0][self.lane] = v;
    }
    #[inline(always)]
    fn pair(&mut self, v: u64) {
        self.out.words[0][self.lane] = v as u32;
        self.out.words[1][self.lane] = (v >> 32) as u32;
    }
    #[inline(always)]
    fn quad(&mut self, v: [u32; 4]) {
        for (to, v) in self.out.words.iter_mut().zip(v) {
            to[self.lane] = v;
        }
    }
    #[inline(always)]
    fn bit(&mut self, v: bool) {
        let bit = 1 << self.lane;
        self.out.mask = self.out.mask & !bit | u32::from(v) << self.lane;
    }
}

#[inline(always)]
fn body<M: Meaning, const COLUMN: usize>(io: &Io<'_>) -> u64 {
    let mut mask = 0;
    for block in 0..io.blocks as usize {
        let sources = Block::fetch(io, block, M::Args::CLASSES);
        let mut out = Out { words: [[0; LANES]; 4], mask: 0 };
        let active = (io.active >> (block * LANES)) as u32;
        let mut again = if COLUMN == EXACT { active } else { fast::<M, COLUMN>(&sources, &mut out, block) & active };
        while again != 0 {
            let lane = again.trailing_zeros() as usize;
            again &= again - 1;
            with_exact::<M>(io.env, &sources, &mut out, block, lane);
        }
        store(io, block, &out, M::Ret::CLASSES);
        mask |= u64::from(out.mask) << (block * LANES);
    }
    mask
}

/// All lanes with the host's arithmetic; gives the lanes that are odd.
#[inline(always)]
fn fast<M: Meaning, const COLUMN: usize>(sources: &Block, out: &mut Out, block: usize) -> u32 {
    match COLUMN {
        KEEP => fast_with::<M, false>(sources, out, block),
        _ => fast_with::<M, true>(sources, out, block),
    }
}

#[inline(always)]
fn fast_with<M: Meaning, const FLUSH: bool>(sources: &Block, out: &mut Out, block: usize) -> u32 {
    let mut odd = 0;
    for lane in 0..LANES {
        let k = Fast::<FLUSH>::new((block * LANES + lane) as u32);
        let args = M::Args::read::<Fast<FLUSH>>(&Lane { block: sources, lane }, 0);
        let result = M::eval(&k, args);
        M::Ret::write::<Fast<FLUSH>>(result, &mut OutLane { out, lane });
        odd |= u32::from(k.is_odd()) << lane;
    }
    odd
}

/// One lane in integers.
#[inline(never)]
fn with_exact<M: Meaning>(env: &Env, sources: &Block, out: &mut Out, block: usize, lane: usize) {
    let k = Exact::new(env, (block * LANES + lane) as u32);
    let args = M::Args::read::<Exact<'_>>(&Lane { block: sources, lane }, 0);
    let result = M::eval(&k, args);
    M::Ret::write::<Exact<'_>>(result, &mut OutLane { out, lane });
}

/// Writes the lanes that are asked for.
#[inline(always)]
fn store(io: &Io<'_>, block: usize, out: &Out, classes: &[Class]) {
    let write = (io.write >> (block * LANES)) as u32;
    for (dword, words) in out.words.iter().enumerate().take(classes[0].dwords()) {
        let first = io.dst as usize + dword * STRIDE + block * LANES;
        let to = &io.file[first..first + LANES];
        if write == u32::MAX {
            for (to, v) in to.iter().zip(words) {
                to.set(*v);
            }
        } else {
            for (lane, (to, v)) in to.iter().zip(words).enumerate() {
                to.set(if write >> lane & 1 != 0 { *v } else { to.get() });
            }
        }
    }
}
