//! What keeps 64-bit places whole: sequence locks, one for every sixteenth block of words.
//!
//! A lock is odd while somebody writes. Who reads looks at it before and behind, and reads again if it has changed; so a reader needs none, and
//! none waits for a reader. The lanes of a wave that read or write pairs mostly do so in a few blocks: they look at all their
//! locks at once, or hold all of them, which they take in order of number so that no two threads wait for each other.

use super::{Region, host_fence};
use std::sync::atomic::{AtomicU32, Ordering};

/// A block has two to the power of so many words: as many as the lanes of a wave have side by side in pairs.
const BLOCK: u32 = 7;

/// How many locks there are.
pub(super) const COUNT: usize = 16;

/// Spins a little, then lets others run.
fn wait(tries: &mut u32) {
    *tries += 1;
    if *tries < 64 { std::hint::spin_loop() } else { std::thread::yield_now() }
}

/// A sequence lock held by a writer.
pub(super) struct Locked<'a> {
    lock: &'a AtomicU32,
    free: u32,
}

impl Drop for Locked<'_> {
    fn drop(&mut self) {
        self.lock.store(self.free, Ordering::Release);
    }
}

/// The numbers of the bits that are set, from the lowest.
fn numbers(bits: u16) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(bits), |bits| Some(bits & bits.wrapping_sub(1)))
        .take_while(|bits| *bits != 0)
        .map(|bits| bits.trailing_zeros() as usize)
}

impl Region {
    /// Which lock the place has that begins at a word.
    #[inline(always)]
    pub(super) fn lock_number(&self, index: usize) -> usize {
        (self.first + index) >> BLOCK & (COUNT - 1)
    }

    /// The same as a bit of a set of locks.
    #[must_use]
    #[inline(always)]
    pub fn lock_bit(&self, index: usize) -> u16 {
        1 << self.lock_number(index)
    }

    /// Takes a lock.
    pub(super) fn lock_at(&self, number: usize) -> Locked<'_> {
        let lock = &self.words.locks[number];
        let mut tries = 0u32;
        loop {
            let now = lock.load(Ordering::Relaxed);
            if now & 1 == 0
                && lock.compare_exchange_weak(now, now.wrapping_add(1), Ordering::Acquire, Ordering::Relaxed).is_ok()
            {
                host_fence(Ordering::Release);
                return Locked { lock, free: now.wrapping_add(2) };
            }
            wait(&mut tries);
        }
    }

    /// Reads a 64-bit place that has this lock: again, until nobody has written there meanwhile.
    #[inline]
    pub(super) fn unwritten(&self, number: usize, read: impl Fn() -> u64) -> u64 {
        let lock = &self.words.locks[number];
        let mut tries = 0u32;
        loop {
            let before = lock.load(Ordering::Acquire);
            let value = read();
            host_fence(Ordering::Acquire);
            if before & 1 == 0 && lock.load(Ordering::Relaxed) == before {
                return value;
            }
            wait(&mut tries);
        }
    }

    /// Reads 64-bit places that have these locks: again, until nobody has written there meanwhile.
    #[inline(always)]
    pub fn untorn<R>(&self, locks: u16, mut read: impl FnMut() -> R) -> R {
        let mut tries = 0u32;
        loop {
            let mut before = [0; COUNT];
            let mut free = true;
            for n in numbers(locks) {
                before[n] = self.words.locks[n].load(Ordering::Acquire);
                free &= before[n] & 1 == 0;
            }
            let value = read();
            host_fence(Ordering::Acquire);
            if free && numbers(locks).all(|n| self.words.locks[n].load(Ordering::Relaxed) == before[n]) {
                return value;
            }
            wait(&mut tries);
        }
    }

    /// Writes 64-bit places that have these locks, while nobody else does.
    #[inline(always)]
    pub fn holding<R>(&self, locks: u16, write: impl FnOnce() -> R) -> R {
        let mut held = [const { None }; COUNT];
        for n in numbers(locks) {
            held[n] = Some(self.lock_at(n));
        }
        write()
    }
}
