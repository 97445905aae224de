//! The vector instructions that kernels are compiled for.

use super::{Kernel, MAX_SOURCES, VARIANTS, exact, quick};
use crate::emu::wave::Wave;
use crate::isa::sem::Meaning;
use std::cell::Cell;

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

/// The variants of a meaning by its kernel for denormals kept or flushed in 32 or 64 lanes; modes have no say in most integer ones.
macro_rules! variants {
    ($kernel:ident, $M:ident) => {{
        let keep: [Kernel; 2] = [$kernel::<$M, false, 32>, $kernel::<$M, false, 64>];
        if $M::FLOAT {
            let flush: [Kernel; 2] = [$kernel::<$M, true, 32>, $kernel::<$M, true, 64>];
            [keep[0], keep[1], flush[0], flush[1], exact::<$M>, exact::<$M>]
        } else {
            [keep[0], keep[1], keep[0], keep[1], keep[0], keep[1]]
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

    /// Its place among the levels.
    pub(super) fn number(self) -> usize {
        self.0 as usize
    }

    /// The kernels of a meaning.
    pub(super) fn kernels<M: Meaning>(self) -> [Kernel; VARIANTS] {
        match self.0 {
            // Where there is vector code, hosts without it are old: their floats are computed in integers, and half the code is saved.
            Set::Plain if M::FLOAT && cfg!(all(target_arch = "x86_64", not(debug_assertions))) => {
                [exact::<M>; VARIANTS]
            }
            Set::Plain => variants!(plain, M),
            #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
            Set::Avx2 => variants!(avx2, M),
            #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
            Set::Avx512 => variants!(avx512, M),
        }
    }
}

fn plain<M: Meaning, const FLUSH: bool, const N: usize>(
    wave: &Wave,
    file: &[Cell<u32>],
    src: &[u32; MAX_SOURCES],
    dst: u32,
    mask: u64,
) -> u64 {
    quick::<M, FLUSH, N>(wave, file, src, dst, mask)
}

#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn avx2<M: Meaning, const FLUSH: bool, const N: usize>(
    wave: &Wave,
    file: &[Cell<u32>],
    src: &[u32; MAX_SOURCES],
    dst: u32,
    mask: u64,
) -> u64 {
    quick::<M, FLUSH, N>(wave, file, src, dst, mask)
}

#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl")]
fn avx512<M: Meaning, const FLUSH: bool, const N: usize>(
    wave: &Wave,
    file: &[Cell<u32>],
    src: &[u32; MAX_SOURCES],
    dst: u32,
    mask: u64,
) -> u64 {
    quick::<M, FLUSH, N>(wave, file, src, dst, mask)
}
