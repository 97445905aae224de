//! Short ways for whole waves: all lanes active, aligned words, all of them in range and in one region.
//!
//! Addresses are computed and judged for all lanes first, in loops without branches that the compiler makes vector code of; then the words
//! move. Whatever is not as plain as that is left to the lanes one by one: these functions then have done nothing and say so.

use super::common::{File, STRIDE};
use crate::each::each;
use crate::fault::spoil::stored;
use crate::memory::guest::{Memory, Region, canonical};
use crate::memory::lds::{Lds, Rules};
use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};

/// Most lanes a wave has.
pub(super) const LANES: usize = 64;

/// One register in all lanes.
#[inline(always)]
pub(super) fn register(file: File<'_>, at: u32, n: u32) -> Option<&[Cell<u32>; LANES]> {
    file.0.get((at + n * STRIDE) as usize..)?.first_chunk()
}

/// Where the words of the lanes begin in LDS, into `at`; `N` words each.
#[inline(always)]
fn shared<const N: usize>(file: File<'_>, rules: &Rules, addr: u32, offset: u32, at: &mut [u32]) -> Option<()> {
    let size = 4 * N as u32;
    let last = rules.limit().checked_sub(size)?;
    let low = size.next_power_of_two() - 1;
    let registers = register(file, addr, 0)?;
    let mut bad = false;
    for (to, from) in at.iter_mut().zip(registers) {
        let address = rules.address(from.get(), offset);
        bad |= address > last || address & low != 0;
        *to = address / 4;
    }
    (!bad).then_some(())
}

/// Loads words of LDS for all lanes, from as many addresses as there are offsets.
#[inline(always)]
pub(super) fn load_shared<const N: usize, const K: usize>(
    file: File<'_>,
    (lds, rules): (&Lds, &Rules),
    (addr, offsets): (u32, [u32; K]),
    dst: u32,
    lanes: usize,
) -> Option<()> {
    let mut all = [[0; LANES]; K];
    for (at, offset) in all.iter_mut().zip(offsets) {
        shared::<N>(file, rules, addr, offset, &mut at[..lanes])?;
    }
    for (k, at) in (0..).zip(&all) {
        for n in 0..N {
            let to = register(file, dst, (k * N + n) as u32)?;
            let words = lds.words().get(n..)?;
            for (to, at) in to[..lanes].iter().zip(at) {
                // In range: the other value never comes.
                to.set(words.get(*at as usize).copied().unwrap_or(0));
            }
        }
    }
    Some(())
}

/// Stores words to LDS from all lanes. Where lanes meet, the highest wins.
#[inline(always)]
pub(super) fn store_shared<const N: usize, const K: usize>(
    file: File<'_>,
    (lds, rules): (&mut Lds, &Rules),
    (addr, offsets): (u32, [u32; K]),
    data: [u32; K],
    lanes: usize,
) -> Option<()> {
    let mut all = [[0; LANES]; K];
    for (at, offset) in all.iter_mut().zip(offsets) {
        shared::<N>(file, rules, addr, offset, &mut at[..lanes])?;
    }
    let words = lds.words_mut();
    for lane in 0..lanes {
        for (at, data) in all.iter().zip(data) {
            let to = words.get_mut(at[lane] as usize..)?.first_chunk_mut::<N>()?;
            for (n, word) in (0..).zip(to) {
                *word = file.get(data, n, lane as u32) ^ stored();
            }
        }
    }
    Some(())
}

/// One register in so many lanes.
#[inline(always)]
pub(super) fn lanes_of<const L: usize>(file: File<'_>, at: u32, n: u32) -> Option<&[Cell<u32>; L]> {
    register(file, at, n)?.first_chunk()
}

/// The words of a region in which all lanes have `N`, and which of them are the first ones.
#[inline(always)]
pub(super) fn words_at<'m, const N: usize, const L: usize>(
    memory: &'m Memory,
    addresses: &[u64; L],
) -> Option<(&'m [AtomicU32], [usize; L])> {
    let size = 4 * N as u64;
    let region = memory.resolve(canonical(addresses[0])?, size)?;
    let (base, last) = (region.base(), region.len() - size);
    let bad = |address: u64| address.wrapping_sub(base) > last || address & 3 != 0;
    if addresses.iter().fold(false, |any, address| any | bad(*address)) {
        return None;
    }
    let start = base & !3;
    Some((region.words(), each(addresses, |address| (address.wrapping_sub(start) / 4) as usize)))
}

/// Words by their numbers. Where four lanes have four words in a row, they are looked for once.
#[inline(always)]
pub(super) fn gathered<const L: usize>(words: &[AtomicU32], at: &[usize; L]) -> [u32; L] {
    const RUN: usize = 4;
    let mut all = [0; L];
    for (to, at) in all.as_chunks_mut::<RUN>().0.iter_mut().zip(at.as_chunks::<RUN>().0) {
        let mut in_a_row = true;
        for n in 1..RUN {
            in_a_row &= at[n] == at[0].wrapping_add(n);
        }
        if in_a_row && let Some(words) = words.get(at[0]..).and_then(|words| words.first_chunk::<RUN>()) {
            for n in 0..RUN {
                to[n] = words[n].load(Ordering::Relaxed);
            }
        } else {
            for n in 0..RUN {
                // In range: the other value never comes.
                to[n] = words.get(at[n]).map_or(0, |word| word.load(Ordering::Relaxed));
            }
        }
    }
    all
}

/// The region of the words of all lanes; where in it they begin goes into `at`.
#[inline(always)]
pub(super) fn region<'m, const N: usize>(
    memory: &'m Memory,
    at: &mut [usize],
    address: impl Fn(u32) -> Option<u64>,
) -> Option<&'m Region> {
    let size = 4 * N as u64;
    let region = memory.resolve(canonical(address(0)?)?, size)?;
    let (base, last) = (region.base(), region.len() - size);
    let start = base & !3;
    let mut bad = false;
    for (lane, to) in (0..).zip(at) {
        let address = address(lane)?;
        bad |= address.wrapping_sub(base) > last || address & 3 != 0;
        *to = (address.wrapping_sub(start) / 4) as usize;
    }
    (!bad).then_some(region)
}

/// Loads words of guest memory for all lanes. Not two: they must not be torn.
#[inline(always)]
pub(super) fn load<const N: usize>(
    memory: &Memory,
    file: File<'_>,
    dst: u32,
    lanes: usize,
    address: impl Fn(u32) -> Option<u64>,
) -> Option<()> {
    let mut at = [0; LANES];
    let region = region::<N>(memory, &mut at[..lanes], address)?;
    for n in 0..N {
        let to = register(file, dst, n as u32)?;
        let words = region.words().get(n..)?;
        for (to, at) in to[..lanes].iter().zip(at) {
            to.set(words.get(at).map_or(0, |word| word.load(Ordering::Relaxed)));
        }
    }
    Some(())
}

/// Stores words of all lanes to guest memory. Not two: they must not be torn.
#[inline(always)]
pub(super) fn store<const N: usize>(
    memory: &Memory,
    file: File<'_>,
    data: u32,
    lanes: usize,
    address: impl Fn(u32) -> Option<u64>,
) -> Option<()> {
    let mut at = [0; LANES];
    let region = region::<N>(memory, &mut at[..lanes], address)?;
    if !region.writable() {
        return None;
    }
    let words = region.words();
    for (lane, at) in (0..).zip(&at[..lanes]) {
        let to = words.get(*at..)?.first_chunk::<N>()?;
        for (n, word) in (0..).zip(to) {
            word.store(file.get(data, n, lane) ^ stored(), Ordering::Relaxed);
        }
    }
    Some(())
}
