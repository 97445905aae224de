//! The vector instructions that kernels are compiled for.

mod exchange;

pub(in crate::emu) use exchange::Exchange;

use super::packed::{self, both};
use super::{
    Blend, Register, SIGNED, STRIDE, VARIANTS, WHOLE, blend, exact, is_unit, knows_f32, quick, takes_parts,
    takes_signed,
};
use crate::emu::alg::{Directed, Fast, Quick};
use crate::emu::group::Group;
use crate::emu::plan::{Action, Kernel, Step};
use crate::emu::vector;
use crate::emu::wave::Wave;
use crate::isa::sem::{Meaning, Section};
#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
use std::{arch::x86_64 as x86, cell::Cell};

/// Vector instructions that the host has. A level is to be had from here only, so whoever holds one may call its kernels.
///
/// A debug build is for tests and has no vector code: it would take minutes to compile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level(Set);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Set {
    Plain,
    #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
    Avx2,
    #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
    Avx512,
}

/// A level of which short ways are taken: by memory instructions, and by what is done before and behind a kernel.
///
/// Where there is vector code, that is not the plain one: it is what the others are compared with, and short ways are not compiled for it.
#[derive(Clone, Copy, Debug)]
pub(in crate::emu) enum Short {
    #[cfg(not(all(target_arch = "x86_64", not(debug_assertions))))]
    Plain,
    #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
    Avx2,
    #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
    Avx512,
}

impl Short {
    /// Whether there are vectors, of eight words at least. All such levels have them; who asks has other code for hosts without, which is left out here.
    #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
    #[inline(always)]
    pub(in crate::emu) const fn has_vectors(self) -> bool {
        true
    }

    /// Whether vectors have sixteen words.
    #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
    #[inline(always)]
    pub(in crate::emu) fn is_widest(self) -> bool {
        matches!(self, Short::Avx512)
    }

    /// Does work that is no kernel of this machine: what is inlined into it is compiled for the level.
    #[inline(always)]
    #[cfg_attr(
        all(target_arch = "x86_64", not(debug_assertions)),
        allow(unsafe_code, reason = "whoever holds a level has its instructions")
    )]
    pub(in crate::emu) fn run<R>(self, work: impl FnOnce() -> R) -> R {
        match self {
            #[cfg(not(all(target_arch = "x86_64", not(debug_assertions))))]
            Short::Plain => work(),
            #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
            // SAFETY: the host has the instructions.
            Short::Avx2 => unsafe { work.avx2() },
            #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
            // SAFETY: the host has the instructions.
            Short::Avx512 => unsafe { work.avx512() },
        }
    }
}

/// The variants of a meaning by its kernels for the columns of the modes and 32 or 64 lanes; modes have no say in most integer ones. Constants ask
/// which there are: kernels that nobody gets are not compiled.
macro_rules! variants {
    ($kernel:ident, $exact:path, $M:ident) => {{
        let keep: [Kernel; 2] = [$M::$kernel::<Fast<false>, 32>, $M::$kernel::<Fast<false>, 64>];
        let exact: Kernel = $exact;
        if const { is_unit::<$M>() } {
            // The unit flushes f32 in every mode, and f16 and f64 in none of these.
            Action::kernels([keep[0], keep[1], keep[0], keep[1], exact, exact, exact, exact])
        } else if const { $M::FLOAT } {
            let flush: [Kernel; 2] = if const { knows_f32::<$M>() } {
                [$M::$kernel::<Fast<true>, 32>, $M::$kernel::<Fast<true>, 64>]
            } else {
                keep
            };
            let other: Kernel = $M::$kernel::<Directed, STRIDE>;
            Action::kernels([keep[0], keep[1], flush[0], flush[1], other, other, exact, exact])
        } else {
            Action::kernels([keep[0], keep[1], keep[0], keep[1], keep[0], keep[1], keep[0], keep[1]])
        }
    }};
}

/// As `variants`, of kernels that take parts. In modes for which there is none, operands are prepared after all.
macro_rules! variants_of_parts {
    ($kernel:ident, $M:ident, $HOW:ident) => {{
        let keep: Kernel = $M::$kernel::<Fast<false>, $HOW>;
        if const { $M::FLOAT } {
            let flush: Kernel = if const { knows_f32::<$M>() } { $M::$kernel::<Fast<true>, $HOW> } else { keep };
            let other: Kernel = vector::in_pieces;
            Action::kernels([keep, keep, flush, flush, other, other, other, other])
        } else {
            Action::kernels([keep; VARIANTS])
        }
    }};
}

impl Level {
    /// How many levels there are.
    pub(super) const COUNT: usize = 3;

    /// The best of the host.
    #[must_use]
    pub fn of_host() -> Level {
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
                return Level(Set::Avx512);
            }
            if v3 {
                return Level(Set::Avx2);
            }
        }
        Level(Set::Plain)
    }

    /// All of the host, from the plainest to the best.
    pub fn all() -> impl Iterator<Item = Level> {
        let all = [
            Set::Plain,
            #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
            Set::Avx2,
            #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
            Set::Avx512,
        ];
        let best = Level::of_host();
        all.into_iter().map(Level).filter(move |level| level.number() <= best.number())
    }

    /// `AVX-512`, `AVX2`, or `portable` where there are none.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            Set::Plain => "portable",
            #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
            Set::Avx2 => "AVX2",
            #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
            Set::Avx512 => "AVX-512",
        }
    }

    /// What belongs to the level, of what there is for each.
    #[inline]
    pub(crate) fn pick<F>(self, plain: F, avx2: F, avx512: F) -> F {
        let _ = (&avx2, &avx512);
        match self.0 {
            Set::Plain => plain,
            #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
            Set::Avx2 => avx2,
            #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
            Set::Avx512 => avx512,
        }
    }

    /// The same for short ways, if these are taken: in a debug build never, for there mistakes are planted in the long ways.
    #[inline(always)]
    pub(in crate::emu) fn short(self) -> Option<Short> {
        match self.0 {
            #[cfg(not(all(target_arch = "x86_64", not(debug_assertions))))]
            Set::Plain => (!cfg!(debug_assertions)).then_some(Short::Plain),
            #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
            Set::Plain => None,
            #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
            Set::Avx2 => Some(Short::Avx2),
            #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
            Set::Avx512 => Some(Short::Avx512),
        }
    }

    /// Its place among the levels.
    pub(super) fn number(self) -> usize {
        self.0 as usize
    }

    /// Does work that is no kernel of this machine: what is inlined into it is compiled for the level.
    #[inline(always)]
    pub fn run<R>(self, work: impl FnOnce() -> R) -> R {
        #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
        if let Some(short) = self.short() {
            return short.run(work);
        }
        work()
    }

    /// The kernels of a meaning.
    pub(super) fn kernels<M: Meaning>(self) -> Action {
        // The library with its own tests is built beside the library: kernels would double the time.
        if const { cfg!(test) || matches!(M::SECTION, Section::Once) } {
            return Action::always(exact::<M>);
        }
        match self.0 {
            // Where there is vector code, hosts without it are old: their floats are computed in integers, and one kernel does for all sizes
            // of waves. That is a quarter of the code. So it is in debug builds: there mistakes are planted in what computes with integers.
            Set::Plain if cfg!(any(target_arch = "x86_64", debug_assertions)) => {
                Action::always(if const { M::FLOAT } { exact::<M> } else { M::plain::<Directed, STRIDE> })
            }
            Set::Plain => variants!(plain, exact::<M>, M),
            #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
            Set::Avx2 => variants!(avx2, exact::<M>, M),
            #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
            Set::Avx512 => variants!(avx512, exact::<M>, M),
        }
    }

    /// The kernels of a meaning for both halves of packed instructions; none in debug builds, which do them one after the other: there is what makes
    /// mistakes of it.
    pub(super) fn packed<M: Meaning>(self) -> Option<Action> {
        match self.0 {
            _ if cfg!(any(test, debug_assertions)) => None,
            Set::Plain if cfg!(target_arch = "x86_64") => Some(Action::always(packed::exact::<M>)),
            Set::Plain => Some(variants!(plain_both, packed::exact::<M>, M)),
            #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
            Set::Avx2 => Some(variants!(avx2_both, packed::exact::<M>, M)),
            #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
            Set::Avx512 => Some(variants!(avx512_both, packed::exact::<M>, M)),
        }
    }

    /// The kernels of a meaning that [take parts](super::PARTS), one for all sizes of waves; none in debug builds, as above.
    pub(super) fn parts<M: Meaning, const HOW: u8>(self) -> Option<Action> {
        if cfg!(any(test, debug_assertions)) {
            return None;
        }
        // What is not asked for is not compiled.
        if const { if HOW == SIGNED { takes_signed::<M>() } else { takes_parts::<M>() } } {
            match self.0 {
                Set::Plain if cfg!(target_arch = "x86_64") => None,
                Set::Plain => Some(variants_of_parts!(plain_parts, M, HOW)),
                #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
                Set::Avx2 => Some(variants_of_parts!(avx2_parts, M, HOW)),
                #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
                Set::Avx512 => Some(variants_of_parts!(avx512_parts, M, HOW)),
            }
        } else {
            None
        }
    }

    /// What spreads a scalar operand before a kernel, of a level that [has short ways](Level::short).
    pub(in crate::emu) fn with_scalar(self) -> Kernel {
        match self.0 {
            Set::Plain => vector::with_scalar::<Portable>,
            #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
            Set::Avx2 => avx2_with_scalar,
            #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
            Set::Avx512 => avx512_with_scalar,
        }
    }

    /// What clamps behind a kernel, of a level that has short ways.
    pub(in crate::emu) fn with_clamp(self) -> Kernel {
        match self.0 {
            Set::Plain => vector::with_clamp::<Portable>,
            #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
            Set::Avx2 => avx2_with_clamp,
            #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
            Set::Avx512 => avx512_with_clamp,
        }
    }

    /// Work on registers that is no kernel, compiled for the level.
    #[inline(always)]
    #[cfg_attr(
        all(target_arch = "x86_64", not(debug_assertions)),
        allow(unsafe_code, reason = "whoever holds a level has its instructions")
    )]
    pub(in crate::emu) fn pass<P: Pass>(self, pass: P) {
        match self.0 {
            Set::Plain => pass.run::<Portable>(),
            #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
            // SAFETY: the host has the instructions.
            Set::Avx2 => unsafe { avx2_pass(pass) },
            #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
            // SAFETY: the host has the instructions.
            Set::Avx512 => unsafe { avx512_pass(pass) },
        }
    }

    /// What selects between two registers by a mask.
    pub(in crate::emu) fn blend(self) -> Blend {
        match self.0 {
            Set::Plain => blend::<Portable>,
            #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
            Set::Avx2 => avx2_blend,
            #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
            Set::Avx512 => avx512_blend,
        }
    }
}

/// A function that gives another one, compiled for the level that it is given: whoever calls that one says that the host has the level.
macro_rules! leveled {
    ($(#[$doc:meta])* fn $name:ident<$M:ident: $bound:path>($($arg:ident: $t:ty),*) -> $r:ty $body:block) => {
        $(#[$doc])*
        fn $name<$M: $bound>(level: $crate::emu::kernel::Level) -> unsafe fn($($t),*) -> $r {
            fn plain<$M: $bound>($($arg: $t),*) -> $r $body
            #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
            #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
            fn avx2<$M: $bound>($($arg: $t),*) -> $r $body
            #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
            #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl")]
            fn avx512<$M: $bound>($($arg: $t),*) -> $r $body
            // A build without vector code has the plain one only.
            #[cfg(not(all(target_arch = "x86_64", not(debug_assertions))))]
            use {plain as avx2, plain as avx512};
            level.pick(plain::<$M> as unsafe fn($($t),*) -> $r, avx2::<$M>, avx512::<$M>)
        }
    };
}
pub(crate) use leveled;

/// Work on registers that is no kernel: its loops are compiled for a level.
pub(in crate::emu) trait Pass {
    /// Does it with what the host has.
    fn run<L: Lanes>(self);
}

/// Masks as a word for each lane, and what is done to words under masks, with what the host has for it.
pub(in crate::emu) trait Lanes {
    /// All ones where the lane's bit is set, else zero.
    #[inline(always)]
    fn spread<const N: usize>(mask: u64) -> [u32; N] {
        let mut words = [0; N];
        for (lane, word) in words.iter_mut().enumerate() {
            let set = (mask >> (lane & 32)) as u32 & 1 << (lane & 31) != 0;
            *word = u32::from(set).wrapping_neg();
        }
        words
    }

    /// The top bits of the words, as a mask.
    #[inline(always)]
    fn gather<const N: usize>(words: &[u32; N]) -> u64 {
        words.iter().enumerate().fold(0, |mask, (lane, word)| mask | u64::from(word >> 31) << lane)
    }

    /// Whether a word has its top bit.
    #[inline(always)]
    fn any<const N: usize>(words: &[u32; N]) -> bool {
        words.iter().fold(0, |any, word| any | word) >> 31 != 0
    }

    /// The words of other lanes.
    #[inline(always)]
    fn shuffle(words: &[u32; STRIDE], sources: &[u32; STRIDE]) -> [u32; STRIDE] {
        let mut all = [0; STRIDE];
        for (to, source) in all.iter_mut().zip(sources) {
            *to = words[*source as usize % STRIDE];
        }
        all
    }

    /// Gives the lanes of a mask new words.
    #[inline(always)]
    fn put<const N: usize>(to: &Register, words: &[u32; N], lanes: u64) {
        for (lane, (to, word)) in to.iter().zip(words).enumerate() {
            if lanes >> lane & 1 != 0 {
                to.set(*word);
            }
        }
    }
}

/// Any host.
pub(super) struct Portable;

impl Lanes for Portable {}

/// Hosts with AVX2.
#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
struct Avx2;

#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
#[allow(unsafe_code, reason = "these functions are inlined into kernels for AVX2, which only such hosts have")]
impl Lanes for Avx2 {
    #[inline(always)]
    fn gather<const N: usize>(words: &[u32; N]) -> u64 {
        let mut mask = 0;
        for (n, eight) in words.as_chunks::<8>().0.iter().enumerate() {
            // SAFETY: the host has the instructions; eight words are read.
            let bits = unsafe { x86::_mm256_movemask_ps(x86::_mm256_loadu_ps(eight.as_ptr().cast())) };
            mask |= u64::from(bits as u8) << (8 * n);
        }
        mask
    }

    #[inline(always)]
    fn any<const N: usize>(words: &[u32; N]) -> bool {
        // SAFETY: the host has the instructions; eight words are read.
        unsafe {
            let mut any = x86::_mm256_setzero_ps();
            for eight in words.as_chunks::<8>().0 {
                any = x86::_mm256_or_ps(any, x86::_mm256_loadu_ps(eight.as_ptr().cast()));
            }
            x86::_mm256_movemask_ps(any) != 0
        }
    }

    #[inline(always)]
    fn put<const N: usize>(to: &Register, words: &[u32; N], lanes: u64) {
        if lanes == all::<N>() {
            for (to, eight) in to.as_chunks::<8>().0.iter().zip(words.as_chunks::<8>().0) {
                // SAFETY: the host has the instructions; eight words are read, and written to cells.
                unsafe { x86::_mm256_storeu_si256(cells(to), x86::_mm256_loadu_si256(eight.as_ptr().cast())) };
            }
        } else {
            let spread = Self::spread::<N>(lanes);
            let lanes = spread.as_chunks::<8>().0;
            for ((to, eight), lanes) in to.as_chunks::<8>().0.iter().zip(words.as_chunks::<8>().0).zip(lanes) {
                // SAFETY: the host has the instructions; eight words are read, and written to cells.
                unsafe {
                    let words = x86::_mm256_loadu_si256(eight.as_ptr().cast());
                    x86::_mm256_maskstore_epi32(cells(to), x86::_mm256_loadu_si256(lanes.as_ptr().cast()), words);
                }
            }
        }
    }
}

/// Hosts with AVX-512.
#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
struct Avx512;

#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
#[allow(unsafe_code, reason = "these functions are inlined into kernels for AVX-512, which only such hosts have")]
impl Lanes for Avx512 {
    #[inline(always)]
    fn spread<const N: usize>(mask: u64) -> [u32; N] {
        let mut words = [0; N];
        for (n, sixteen) in words.as_chunks_mut::<16>().0.iter_mut().enumerate() {
            let mask = (mask >> (16 * n)) as u16;
            // SAFETY: the host has the instructions; sixteen words are written.
            unsafe { x86::_mm512_storeu_si512(sixteen.as_mut_ptr().cast(), x86::_mm512_movm_epi32(mask)) };
        }
        words
    }

    #[inline(always)]
    fn gather<const N: usize>(words: &[u32; N]) -> u64 {
        let mut mask = 0;
        for (n, sixteen) in words.as_chunks::<16>().0.iter().enumerate() {
            // SAFETY: the host has the instructions; sixteen words are read.
            let bits = unsafe { x86::_mm512_movepi32_mask(x86::_mm512_loadu_si512(sixteen.as_ptr().cast())) };
            mask |= u64::from(bits) << (16 * n);
        }
        mask
    }

    #[inline(always)]
    fn any<const N: usize>(words: &[u32; N]) -> bool {
        // SAFETY: the host has the instructions; sixteen words are read.
        unsafe {
            let mut any = x86::_mm512_setzero_si512();
            for sixteen in words.as_chunks::<16>().0 {
                any = x86::_mm512_or_si512(any, x86::_mm512_loadu_si512(sixteen.as_ptr().cast()));
            }
            x86::_mm512_movepi32_mask(any) != 0
        }
    }

    #[inline(always)]
    fn shuffle(words: &[u32; STRIDE], sources: &[u32; STRIDE]) -> [u32; STRIDE] {
        macro_rules! load {
            ($from:expr) => {
                x86::_mm512_loadu_si512($from.as_ptr().cast())
            };
        }
        let mut all = [0; STRIDE];
        let quarters = words.as_chunks::<16>().0;
        // SAFETY: the host has the instructions; sixteen words are read at a time, and written.
        unsafe {
            let (a, b) = (load!(quarters[0]), load!(quarters[1]));
            let (c, d) = (load!(quarters[2]), load!(quarters[3]));
            for (to, at) in all.as_chunks_mut::<16>().0.iter_mut().zip(sources.as_chunks::<16>().0) {
                let at = load!(at);
                let upper = x86::_mm512_test_epi32_mask(at, x86::_mm512_set1_epi32(STRIDE as i32 / 2));
                let low = x86::_mm512_permutex2var_epi32(a, at, b);
                let high = x86::_mm512_permutex2var_epi32(c, at, d);
                x86::_mm512_storeu_si512(to.as_mut_ptr().cast(), x86::_mm512_mask_blend_epi32(upper, low, high));
            }
        }
        all
    }

    #[inline(always)]
    fn put<const N: usize>(to: &Register, words: &[u32; N], lanes: u64) {
        let sixteens = to.as_chunks::<16>().0.iter().zip(words.as_chunks::<16>().0);
        // Whole stores are seen sooner by the loads that follow.
        if lanes == all::<N>() {
            for (to, words) in sixteens {
                // SAFETY: the host has the instructions; sixteen words are read, and written to cells.
                unsafe { x86::_mm512_storeu_si512(cells(to), x86::_mm512_loadu_si512(words.as_ptr().cast())) };
            }
        } else {
            for (n, (to, words)) in sixteens.enumerate() {
                let lanes = (lanes >> (16 * n)) as u16;
                // SAFETY: the host has the instructions; sixteen words are read, and written to cells.
                unsafe {
                    x86::_mm512_mask_storeu_epi32(cells(to), lanes, x86::_mm512_loadu_si512(words.as_ptr().cast()));
                }
            }
        }
    }
}

/// All lanes, as a mask.
#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
const fn all<const N: usize>() -> u64 {
    u64::MAX >> (64 - N)
}

/// Where a vector of words begins, to be written.
#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
#[inline(always)]
fn cells<const COUNT: usize, V>(words: &[Cell<u32>; COUNT]) -> *mut V {
    words.as_ptr().cast::<V>().cast_mut()
}

/// The kernels of a meaning: the plain ones, those for parts of operands, those for both halves.
///
/// They belong to the meaning, and [`Work`] to the closure, because the compiler cuts a crate into parts by the files of the types that functions belong
/// to, and compiles these side by side. As functions of this file they were one part, four times as large as the next, for which builds waited.
#[allow(unsafe_code, reason = "whoever calls one that is unsafe holds a level with its instructions")]
trait Kernels: Meaning + Sized {
    fn plain<K: Quick, const N: usize>(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
        quick::<Self, Portable, K, N, WHOLE>(wave, step, group)
    }

    fn plain_parts<K: Quick, const HOW: u8>(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
        quick::<Self, Portable, K, STRIDE, HOW>(wave, step, group)
    }

    fn plain_both<K: Quick, const N: usize>(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
        both::<Self, Portable, K, N>(wave, step, group)
    }

    #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn avx2<K: Quick, const N: usize>(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
        quick::<Self, Avx2, K, N, WHOLE>(wave, step, group)
    }

    #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn avx2_parts<K: Quick, const HOW: u8>(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
        quick::<Self, Avx2, K, STRIDE, HOW>(wave, step, group)
    }

    #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn avx2_both<K: Quick, const N: usize>(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
        both::<Self, Avx2, K, N>(wave, step, group)
    }

    #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl")]
    unsafe fn avx512<K: Quick, const N: usize>(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
        quick::<Self, Avx512, K, N, WHOLE>(wave, step, group)
    }

    #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl")]
    unsafe fn avx512_parts<K: Quick, const HOW: u8>(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
        quick::<Self, Avx512, K, STRIDE, HOW>(wave, step, group)
    }

    #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl")]
    unsafe fn avx512_both<K: Quick, const N: usize>(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
        both::<Self, Avx512, K, N>(wave, step, group)
    }
}

impl<M: Meaning> Kernels for M {}

/// Work that is no kernel.
#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
#[allow(unsafe_code, reason = "whoever calls one holds a level with its instructions")]
trait Work<R>: FnOnce() -> R + Sized {
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn avx2(self) -> R {
        self()
    }

    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl")]
    unsafe fn avx512(self) -> R {
        self()
    }
}

#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
impl<R, F: FnOnce() -> R> Work<R> for F {}

#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn avx2_pass<P: Pass>(pass: P) {
    pass.run::<Avx2>();
}

#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn avx2_blend(file: &[Cell<u32>], from: u32, to: u32, lanes: u64) {
    blend::<Avx2>(file, from, to, lanes);
}

#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl")]
fn avx512_pass<P: Pass>(pass: P) {
    pass.run::<Avx512>();
}

#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl")]
fn avx512_blend(file: &[Cell<u32>], from: u32, to: u32, lanes: u64) {
    blend::<Avx512>(file, from, to, lanes);
}

#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn avx2_with_scalar(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    vector::with_scalar::<Avx2>(wave, step, group)
}

#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn avx2_with_clamp(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    vector::with_clamp::<Avx2>(wave, step, group)
}

#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl")]
fn avx512_with_scalar(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    vector::with_scalar::<Avx512>(wave, step, group)
}

#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl")]
fn avx512_with_clamp(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    vector::with_clamp::<Avx512>(wave, step, group)
}
