//! Words that go between guest memory and a register, a vector of the host at a time.
//!
//! Guest memory is made of atomics, which compilers move one by one. A vector instruction moves each of its words whole too, because words are
//! aligned and none lies in two lines of the host's cache: it does what that many relaxed atomics in some order do. Compilers have no name for
//! that, so it is written in instructions; so is how the lanes of each eight lie to each other, and how words are looked up in small tables.

use super::{LANES, Lanes};
use crate::each::cells;
use crate::fault::spoil::stored;
use crate::memory::image::tiling::{Lookup, Portable, Three};
use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};

/// Loads as many words as there are cells: four, or a multiple of eight.
#[inline(always)]
pub(super) fn load<const L: usize, const N: usize>(
    lanes: &Lanes<'_, L>,
    words: &[AtomicU32],
    to: &[Cell<u32>; N],
) -> Option<()> {
    let from = words.first_chunk::<N>()?;
    if !copied(lanes, from, to) {
        for (to, from) in to.iter().zip(from) {
            to.set(from.load(Ordering::Relaxed));
        }
    }
    Some(())
}

/// Stores as many words as there are cells.
#[inline(always)]
pub(super) fn store<const L: usize, const N: usize>(
    lanes: &Lanes<'_, L>,
    from: &[Cell<u32>; N],
    words: &[AtomicU32],
) -> Option<()> {
    let to = words.first_chunk::<N>()?;
    if !copied(lanes, from, to) {
        for (to, from) in to.iter().zip(from) {
            to.store(from.get() ^ stored(), Ordering::Relaxed);
        }
    }
    Some(())
}

/// Puts a word into each cell.
#[inline(always)]
pub(super) fn put<const L: usize, const N: usize>(lanes: &Lanes<'_, L>, from: &[u32; N], to: &[Cell<u32>; N]) {
    if !copied(lanes, from, to) {
        for (to, from) in to.iter().zip(from) {
            to.set(*from);
        }
    }
}

/// Puts two rows of eight words into cells, or two words, each into eight of them.
#[inline(always)]
#[cfg_attr(
    all(target_arch = "x86_64", not(debug_assertions)),
    allow(
        unsafe_code,
        reason = "a vector is put together before it is stored: what loads it soon would wait for halves"
    )
)]
fn put_two<const L: usize, const W: usize>(
    lanes: &Lanes<'_, L>,
    [first, second]: [&impl Array<W>; 2],
    to: &[Cell<u32>; 16],
) {
    const { assert!(W == 1 || W == 8) };
    #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
    if lanes.level.has_vectors() {
        macro_rules! put {
            ($($instruction:literal)*) => {
                // SAFETY: a level with vectors has AVX2, the widest AVX-512. As many words are read as there are, and sixteen written.
                unsafe {
                    std::arch::asm!(
                        $($instruction,)*
                        first = in(reg) first.first(),
                        second = in(reg) second.first(),
                        to = in(reg) to.as_ptr().cast::<u32>().cast_mut(),
                        out("xmm0") _,
                        out("xmm1") _,
                        options(nostack, preserves_flags),
                    );
                }
            };
        }
        match (W, lanes.level.is_widest()) {
            (1, true) => put!(
                "vpbroadcastd ymm0, [{first}]" "vpbroadcastd ymm1, [{second}]"
                "vinserti64x4 zmm0, zmm0, ymm1, 1" "vmovdqu64 [{to}], zmm0"
            ),
            (1, false) => put!(
                "vpbroadcastd ymm0, [{first}]" "vpbroadcastd ymm1, [{second}]"
                "vmovdqu [{to}], ymm0" "vmovdqu [{to} + 32], ymm1"
            ),
            (_, true) => put!(
                "vmovdqu ymm0, [{first}]" "vinserti64x4 zmm0, zmm0, [{second}], 1" "vmovdqu64 [{to}], zmm0"
            ),
            (_, false) => put!(
                "vmovdqu ymm0, [{first}]" "vmovdqu ymm1, [{second}]"
                "vmovdqu [{to}], ymm0" "vmovdqu [{to} + 32], ymm1"
            ),
        }
        return;
    }
    let _ = lanes;
    for (n, to) in to.iter().enumerate() {
        to.set(if n < 8 { first.word(n % W) } else { second.word(n % W) });
    }
}

/// Puts a row of words into the cells of each eight, or one word into all of them: what `row` finds where the eight begins.
#[inline(always)]
pub(super) fn put_eights<'w, A: Array<W> + 'w, const W: usize, const L: usize>(
    lanes: &Lanes<'_, L>,
    at: &[u32; LANES / 8],
    to: &[Cell<u32>; L],
    row: impl Fn(u32) -> Option<&'w A>,
) -> Option<()> {
    for (at, to) in at.as_chunks::<2>().0.iter().zip(to.as_chunks::<16>().0) {
        put_two(lanes, [row(at[0])?, row(at[1])?], to);
    }
    Some(())
}

/// Words of which each lane has as many as there are registers, one lane behind the other. Vectors of the host never lie in two lines of its cache.
#[repr(align(64))]
pub(super) struct Wide<const N: usize, const L: usize>([[u32; L]; N]);

impl<const N: usize, const L: usize> Wide<N, L> {
    /// Loads them.
    #[inline(always)]
    pub(super) fn load(lanes: &Lanes<'_, L>, words: &[AtomicU32]) -> Option<Self> {
        let mut all = Wide([[0; L]; N]);
        for (n, part) in all.0.iter_mut().enumerate() {
            load(lanes, words.get(n * L..)?, cells(part))?;
        }
        Some(all)
    }

    /// Stores those of registers.
    #[inline(always)]
    pub(super) fn store(lanes: &Lanes<'_, L>, from: [&[Cell<u32>; L]; N], words: &[AtomicU32]) -> Option<()> {
        let mut all = Wide([[0; L]; N]);
        for (lane, together) in all.0.as_flattened_mut().as_chunks_mut::<N>().0.iter_mut().enumerate() {
            for (word, from) in together.iter_mut().zip(from) {
                *word = from[lane % L].get();
            }
        }
        for (n, part) in all.0.iter_mut().enumerate() {
            store(lanes, cells(part), words.get(n * L..)?)?;
        }
        Some(())
    }

    /// Puts them into registers.
    #[inline(always)]
    pub(super) fn put(&self, lanes: &Lanes<'_, L>, to: [&[Cell<u32>; L]; N]) {
        put_wide(lanes, &self.0, to);
    }
}

/// Puts such words into registers.
#[inline(always)]
pub(super) fn put_wide<const N: usize, const L: usize>(
    lanes: &Lanes<'_, L>,
    all: &[[u32; L]; N],
    to: [&[Cell<u32>; L]; N],
) {
    let mut apart = Wide([[0; L]; N]);
    for (lane, words) in all.as_flattened().as_chunks::<N>().0.iter().enumerate() {
        for (apart, word) in apart.0.iter_mut().zip(words) {
            apart[lane % L] = *word;
        }
    }
    for (apart, to) in apart.0.iter().zip(to) {
        put(lanes, apart, to);
    }
}

/// The largest word, and the bits that any has, if each word of an eight is so much more than the one before. Compilers would compare across
/// eights.
#[inline(always)]
#[cfg_attr(
    all(target_arch = "x86_64", not(debug_assertions)),
    allow(unsafe_code, reason = "a vector is compared with its first word")
)]
pub(super) fn eights<const L: usize>(lanes: &Lanes<'_, L>, at: &impl Array<L>, step: u32) -> Option<(u32, u32)> {
    #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
    if lanes.level.has_vectors() {
        use std::arch::x86_64 as x86;
        // SAFETY: a level with vectors has AVX2; eight words are read, of the L that there are.
        unsafe {
            let steps = x86::_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
            let steps = x86::_mm256_mullo_epi32(steps, x86::_mm256_set1_epi32(step.cast_signed()));
            let (mut apart, mut most) = (x86::_mm256_setzero_si256(), x86::_mm256_setzero_si256());
            let mut bits = most;
            for n in (0..L).step_by(8) {
                let here = x86::_mm256_loadu_si256(at.first().add(n).cast());
                let first = x86::_mm256_broadcastd_epi32(x86::_mm256_castsi256_si128(here));
                apart = x86::_mm256_or_si256(apart, x86::_mm256_xor_si256(here, x86::_mm256_add_epi32(first, steps)));
                most = x86::_mm256_max_epu32(most, here);
                bits = x86::_mm256_or_si256(bits, here);
            }
            if x86::_mm256_testz_si256(apart, apart) == 0 {
                return None;
            }
            let most = reduced(
                most,
                #[inline(always)]
                |a, b| x86::_mm256_max_epu32(a, b),
            );
            let bits = reduced(
                bits,
                #[inline(always)]
                |a, b| x86::_mm256_or_si256(a, b),
            );
            return Some((most, bits));
        }
    }
    let _ = lanes;
    let (mut apart, mut most, mut bits) = (0, 0, 0);
    for lane in 0..L {
        let here = at.word(lane);
        apart |= here ^ at.word(lane & !7).wrapping_add((lane as u32 % 8).wrapping_mul(step));
        (most, bits) = (most.max(here), bits | here);
    }
    (apart == 0).then_some((most, bits))
}

/// What comes of all words of a vector.
#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
#[inline(always)]
#[allow(unsafe_code, reason = "words of a vector change places")]
unsafe fn reduced(
    all: std::arch::x86_64::__m256i,
    with: impl Fn(std::arch::x86_64::__m256i, std::arch::x86_64::__m256i) -> std::arch::x86_64::__m256i,
) -> u32 {
    use std::arch::x86_64 as x86;
    // SAFETY: the caller has AVX2.
    unsafe {
        // With the other half, the other quarter, the other eighth.
        let all = with(all, x86::_mm256_permute2x128_si256::<1>(all, all));
        let all = with(all, x86::_mm256_shuffle_epi32::<0b01_00_11_10>(all));
        let all = with(all, x86::_mm256_shuffle_epi32::<0b10_11_00_01>(all));
        x86::_mm256_cvtsi256_si32(all).cast_unsigned()
    }
}

/// The largest of some numbers. Compilers make a chain of one by one of it.
#[inline(always)]
#[cfg_attr(
    all(target_arch = "x86_64", not(debug_assertions)),
    allow(unsafe_code, reason = "numbers are compared a vector at a time")
)]
pub(in crate::emu::memory) fn most<const L: usize>(lanes: &Lanes<'_, L>, of: &[u32; L]) -> u32 {
    #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
    if lanes.level.has_vectors() {
        use std::arch::x86_64 as x86;
        // SAFETY: a level with vectors has AVX2; eight words are read.
        unsafe {
            let mut most = x86::_mm256_setzero_si256();
            for eight in of.as_chunks::<8>().0 {
                most = x86::_mm256_max_epu32(most, x86::_mm256_loadu_si256(eight.as_ptr().cast()));
            }
            return reduced(
                most,
                #[inline(always)]
                |a, b| x86::_mm256_max_epu32(a, b),
            );
        }
    }
    let _ = lanes;
    of.iter().fold(0, |most, here| most.max(*here))
}

/// Whether words follow each other in runs of so many.
#[inline(always)]
#[cfg_attr(
    all(target_arch = "x86_64", not(debug_assertions)),
    allow(unsafe_code, reason = "a vector is compared with the first words of its runs")
)]
fn are_runs<const RUN: usize, const L: usize>(lanes: &Lanes<'_, L>, at: &[u32; L]) -> bool {
    let steps = [0, 1, 2, 3].map(|n| 4 * (n % RUN as u32));
    match RUN {
        1 => return true,
        8 => return eights(lanes, at, 4).is_some(),
        _ => const { assert!(matches!(RUN, 1 | 2 | 4 | 8)) },
    }
    #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
    if lanes.level.has_vectors() {
        use std::arch::x86_64 as x86;
        // SAFETY: a level with vectors has AVX2; eight words are read, and four.
        unsafe {
            let steps = x86::_mm256_broadcastsi128_si256(x86::_mm_loadu_si128(steps.as_ptr().cast()));
            let mut apart = x86::_mm256_setzero_si256();
            for eight in at.as_chunks::<8>().0 {
                let here = x86::_mm256_loadu_si256(eight.as_ptr().cast());
                let first = match RUN {
                    2 => x86::_mm256_shuffle_epi32::<0b10_10_00_00>(here),
                    _ => x86::_mm256_shuffle_epi32::<0>(here),
                };
                apart = x86::_mm256_or_si256(apart, x86::_mm256_xor_si256(here, x86::_mm256_add_epi32(first, steps)));
            }
            return x86::_mm256_testz_si256(apart, apart) != 0;
        }
    }
    let mut apart = 0;
    for run in at.as_chunks::<RUN>().0 {
        for (here, step) in run.iter().zip(steps) {
            apart |= here ^ run[0].wrapping_add(step);
        }
    }
    apart == 0
}

/// Loads the word at each offset, and says so, if words follow each other in runs of so many.
#[inline(always)]
#[allow(unsafe_code, reason = "that all words exist is found out once")]
pub(super) fn runs<const RUN: usize, const L: usize>(
    lanes: &Lanes<'_, L>,
    words: &[AtomicU32],
    at: &[u32; L],
    to: &[Cell<u32>; L],
) -> Option<bool> {
    if !are_runs::<RUN, L>(lanes, at) {
        return Some(false);
    }
    let mut last = 0;
    for at in at {
        last = last.max(at / 4);
    }
    // A run that begins so near the end of all offsets would wrap.
    words.get(last as usize).filter(|_| last < u32::MAX / 4 - RUN as u32)?;
    for (to, at) in to.as_chunks::<RUN>().0.iter().zip(at.as_chunks::<RUN>().0) {
        // SAFETY: the words of a run are those at its offsets, of which none is behind one that exists.
        let from = unsafe { &*words.as_ptr().add((at[0] / 4) as usize).cast::<[AtomicU32; RUN]>() };
        if RUN == 1 || !copied(lanes, from, to) {
            for (to, from) in to.iter().zip(from) {
                to.set(from.load(Ordering::Relaxed));
            }
        }
    }
    Some(true)
}

impl<const L: usize> Lookup for Lanes<'_, L> {
    #[inline(always)]
    #[cfg_attr(
        all(target_arch = "x86_64", not(debug_assertions)),
        allow(unsafe_code, reason = "a table of eight words is a vector, from which an instruction chooses")
    )]
    fn flip<const N: usize>(&self, all: &mut [u32; N], tables: &[Three], of: &[Cell<u32>; N]) {
        #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
        if self.level.has_vectors() && N.is_multiple_of(8) {
            use std::arch::x86_64 as x86;
            // By how many tables there are, which the compiler then keeps in registers.
            macro_rules! flip {
                ($tables:expr) => {
                    for (all, of) in all.as_chunks_mut::<8>().0.iter_mut().zip(of.as_chunks::<8>().0) {
                        // SAFETY: a level with vectors has AVX2; eight words are read from each, and written.
                        unsafe {
                            let mut number = x86::_mm256_loadu_si256(of.as_ptr().cast());
                            let mut flipped = x86::_mm256_loadu_si256(all.as_ptr().cast());
                            for table in $tables {
                                let table = x86::_mm256_loadu_si256(table.as_ptr().cast());
                                let chosen = x86::_mm256_permutevar8x32_epi32(table, number);
                                flipped = x86::_mm256_xor_si256(flipped, chosen);
                                number = x86::_mm256_srli_epi32::<3>(number);
                            }
                            x86::_mm256_storeu_si256(all.as_mut_ptr().cast(), flipped);
                        }
                    }
                };
            }
            match tables {
                [] => {}
                [a] => flip!([a]),
                [a, b] => flip!([a, b]),
                [a, b, c] => flip!([a, b, c]),
                [a, b, c, d] => flip!([a, b, c, d]),
                more => flip!(more),
            }
            return;
        }
        Portable.flip(all, tables, of);
    }
}

/// So many words, which may be read.
pub(super) trait Array<const N: usize> {
    /// The first of them.
    fn first(&self) -> *const u32;

    /// One of them.
    fn word(&self, n: usize) -> u32;
}

impl<const N: usize> Array<N> for [u32; N] {
    #[inline(always)]
    fn first(&self) -> *const u32 {
        self.as_ptr()
    }

    #[inline(always)]
    fn word(&self, n: usize) -> u32 {
        self[n]
    }
}

/// So many words, which may be changed behind a shared reference.
trait Shared<const N: usize>: Array<N> {}

impl<const N: usize> Array<N> for [Cell<u32>; N] {
    #[inline(always)]
    fn first(&self) -> *const u32 {
        self.as_ptr().cast()
    }

    #[inline(always)]
    fn word(&self, n: usize) -> u32 {
        self[n].get()
    }
}

impl<const N: usize> Shared<N> for [Cell<u32>; N] {}

impl<const N: usize> Array<N> for [AtomicU32; N] {
    #[inline(always)]
    fn first(&self) -> *const u32 {
        self.as_ptr().cast()
    }

    #[inline(always)]
    fn word(&self, n: usize) -> u32 {
        self[n].load(Ordering::Relaxed)
    }
}

impl<const N: usize> Shared<N> for [AtomicU32; N] {}

/// Copies words by vectors, and says so, where the host has these. (Debug builds store word by word, because they spoil what is stored.)
#[inline(always)]
#[cfg_attr(
    all(target_arch = "x86_64", not(debug_assertions)),
    allow(unsafe_code, reason = "compilers have no vectors of atomics")
)]
fn copied<const L: usize, const N: usize>(lanes: &Lanes<'_, L>, from: &impl Array<N>, to: &impl Shared<N>) -> bool {
    #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
    if lanes.level.has_vectors() {
        let (from, to) = (from.first(), to.first().cast_mut());
        // All are loaded before any is stored: what loads a vector soon waits for a store of as much, and two smaller ones are not put together.
        macro_rules! copy {
            ($at:expr, $move:literal, $($vector:literal at $bytes:literal)*) => {
                // SAFETY: a level with vectors has AVX2, the widest AVX-512. Vectors of words are read and written, of the N on both sides.
                unsafe {
                    std::arch::asm!(
                        $(concat!($move, " ", $vector, ", [{from} + ", $bytes, "]"),)*
                        $(concat!($move, " [{to} + ", $bytes, "], ", $vector),)*
                        from = in(reg) from.add($at),
                        to = in(reg) to.add($at),
                        out("xmm0") _,
                        out("xmm1") _,
                        out("xmm2") _,
                        out("xmm3") _,
                        options(nostack, preserves_flags),
                    );
                }
            };
        }
        const { assert!(N.is_multiple_of(8) || N <= 4) };
        match N {
            2 => copy!(0, "vmovq", "xmm0" at 0),
            4 => copy!(0, "vmovdqu", "xmm0" at 0),
            32 if lanes.level.is_widest() => copy!(0, "vmovdqu64", "zmm0" at 0 "zmm1" at 64),
            64 if lanes.level.is_widest() => {
                copy!(0, "vmovdqu64", "zmm0" at 0 "zmm1" at 64 "zmm2" at 128 "zmm3" at 192);
            }
            32 | 64 => {
                for at in (0..N).step_by(32) {
                    copy!(at, "vmovdqu", "ymm0" at 0 "ymm1" at 32 "ymm2" at 64 "ymm3" at 96);
                }
            }
            _ => {
                for at in (0..N).step_by(8) {
                    copy!(at, "vmovdqu", "ymm0" at 0);
                }
            }
        }
        return true;
    }
    let _ = (lanes, from.first(), to.first());
    false
}
