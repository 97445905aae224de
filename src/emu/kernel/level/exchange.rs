//! Words that go from lane to lane.

use super::super::{register, words};
#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
use super::{Avx2, Avx512};
use super::{Lanes, Level, Portable, STRIDE, Set};
use std::cell::Cell;

/// What lanes of a register get of other lanes of another one, or of the same.
pub(in crate::emu) struct Exchange<'a> {
    /// Where the register that is read begins in the file.
    pub(in crate::emu) from: u32,
    /// Where that begins which is written.
    pub(in crate::emu) to: u32,
    /// Which lane each lane reads.
    pub(in crate::emu) sources: &'a [u32; STRIDE],
    /// The lanes that read; others have zero.
    pub(in crate::emu) reads: u64,
    /// The lanes that are written.
    pub(in crate::emu) writes: u64,
}

impl Level {
    /// Gives lanes of a register what other lanes have.
    #[inline]
    #[cfg_attr(
        all(target_arch = "x86_64", not(debug_assertions)),
        allow(unsafe_code, reason = "whoever holds a level has its instructions")
    )]
    pub(in crate::emu) fn exchange(self, file: &[Cell<u32>], moved: &Exchange<'_>) {
        match self.0 {
            Set::Plain => exchange::<Portable>(file, moved),
            #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
            // SAFETY: the host has the instructions.
            Set::Avx2 => unsafe { avx2_exchange(file, moved) },
            #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
            // SAFETY: the host has the instructions.
            Set::Avx512 => unsafe { avx512_exchange(file, moved) },
        }
    }

    /// The lanes whose sources are in a mask.
    #[inline]
    #[cfg_attr(
        all(target_arch = "x86_64", not(debug_assertions)),
        allow(unsafe_code, reason = "whoever holds a level has its instructions")
    )]
    pub(in crate::emu) fn sourced(self, mask: u64, sources: &[u32; STRIDE]) -> u64 {
        match self.0 {
            Set::Plain => sourced::<Portable>(mask, sources),
            #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
            // SAFETY: the host has the instructions.
            Set::Avx2 => unsafe { avx2_sourced(mask, sources) },
            #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
            // SAFETY: the host has the instructions.
            Set::Avx512 => unsafe { avx512_sourced(mask, sources) },
        }
    }
}

#[inline(always)]
fn exchange<L: Lanes>(file: &[Cell<u32>], of: &Exchange<'_>) {
    let mut words = L::shuffle(&words(register(file, of.from as usize)), of.sources);
    if of.reads != u64::MAX {
        for (word, reads) in words.iter_mut().zip(L::spread::<STRIDE>(of.reads)) {
            *word &= reads;
        }
    }
    L::put(register(file, of.to as usize), &words, of.writes);
}

#[inline(always)]
fn sourced<L: Lanes>(mask: u64, sources: &[u32; STRIDE]) -> u64 {
    L::gather(&L::shuffle(&L::spread(mask), sources))
}

#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn avx2_exchange(file: &[Cell<u32>], moved: &Exchange<'_>) {
    exchange::<Avx2>(file, moved);
}

#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn avx2_sourced(mask: u64, sources: &[u32; STRIDE]) -> u64 {
    sourced::<Avx2>(mask, sources)
}

#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl")]
fn avx512_exchange(file: &[Cell<u32>], moved: &Exchange<'_>) {
    exchange::<Avx512>(file, moved);
}

#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl")]
fn avx512_sourced(mask: u64, sources: &[u32; STRIDE]) -> u64 {
    sourced::<Avx512>(mask, sources)
}
