//! Words that go between guest memory and a register, a vector of the host at a time.
//!
//! Guest memory is made of atomics, which compilers move one by one. A vector instruction moves each of its words whole too, because words are
//! aligned and none lies in two lines of the host's cache: it does what that many relaxed atomics in some order do. Compilers have no name for
//! that, so it is written in instructions; so is how the lanes of each eight lie to each other.

use super::Lanes;
use crate::fault::spoil::stored;
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

/// Whether the items of each eight, of so many bytes, follow each other, and whether they are all at one place. Compilers would compare across eights.
#[inline(always)]
#[cfg_attr(
    all(target_arch = "x86_64", not(debug_assertions)),
    allow(unsafe_code, reason = "a vector is compared with its first word")
)]
pub(super) fn eights<const L: usize>(lanes: &Lanes<'_, L>, at: &[u32; L], size: u32) -> (bool, bool) {
    let (eights, steps) = (at.as_chunks::<8>().0, [0, 1, 2, 3, 4, 5, 6, 7].map(|n| n * size));
    #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
    if lanes.level.is_quick() {
        use std::arch::x86_64 as x86;
        // SAFETY: a quick level has AVX2; eight words are read.
        unsafe {
            let steps = x86::_mm256_loadu_si256(steps.as_ptr().cast());
            let (mut rows, mut same) = (x86::_mm256_setzero_si256(), x86::_mm256_setzero_si256());
            for eight in eights {
                let here = x86::_mm256_loadu_si256(eight.as_ptr().cast());
                let first = x86::_mm256_broadcastd_epi32(x86::_mm256_castsi256_si128(here));
                same = x86::_mm256_or_si256(same, x86::_mm256_xor_si256(here, first));
                rows = x86::_mm256_or_si256(rows, x86::_mm256_xor_si256(here, x86::_mm256_add_epi32(first, steps)));
            }
            return (x86::_mm256_testz_si256(rows, rows) != 0, x86::_mm256_testz_si256(same, same) != 0);
        }
    }
    let _ = lanes;
    let (mut rows, mut same) = (0, 0);
    for eight in eights {
        for (here, step) in eight.iter().zip(steps) {
            rows |= here ^ eight[0].wrapping_add(step);
            same |= here ^ eight[0];
        }
    }
    (rows == 0, same == 0)
}

/// So many words, which may be changed behind a shared reference.
trait Array<const N: usize> {
    /// The first of them.
    fn first(&self) -> *mut u32;
}

impl<const N: usize> Array<N> for [Cell<u32>; N] {
    #[inline(always)]
    fn first(&self) -> *mut u32 {
        self.as_ptr().cast_mut().cast()
    }
}

impl<const N: usize> Array<N> for [AtomicU32; N] {
    #[inline(always)]
    fn first(&self) -> *mut u32 {
        self.as_ptr().cast_mut().cast()
    }
}

/// Copies words by vectors, and says so, where the host has these. (Debug builds store word by word, because they spoil what is stored.)
#[inline(always)]
#[cfg_attr(
    all(target_arch = "x86_64", not(debug_assertions)),
    allow(unsafe_code, reason = "compilers have no vectors of atomics")
)]
fn copied<const L: usize, const N: usize>(lanes: &Lanes<'_, L>, from: &impl Array<N>, to: &impl Array<N>) -> bool {
    #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
    if lanes.level.is_quick() {
        const { assert!(N.is_multiple_of(8) || N == 4) };
        let (from, to) = (from.first(), to.first());
        macro_rules! copy {
            ($at:expr, $vector:literal) => {
                // SAFETY: a quick level has AVX2. A vector of words is read and written, of the N on both sides.
                unsafe {
                    std::arch::asm!(
                        concat!("vmovdqu ", $vector, ", [{from}]"),
                        concat!("vmovdqu [{to}], ", $vector),
                        from = in(reg) from.add($at),
                        to = in(reg) to.add($at),
                        out("xmm0") _,
                        options(nostack, preserves_flags),
                    );
                }
            };
        }
        if N == 4 {
            copy!(0, "xmm0");
        } else {
            for at in (0..N).step_by(8) {
                copy!(at, "ymm0");
            }
        }
        return true;
    }
    let _ = (lanes, from.first(), to.first());
    false
}
