//! The words behind regions: a region's own, or the host's.
//!
//! A region whose words the host lends is neither copied in nor out: what a guest stores is in the host's memory at once, and
//! what others store there while the guest runs, threads or processes, the guest sees. They are atomics for that reason.
//! Regions that show the same words share their locks too, so that atomics of 64 bits are atomic among all of them.

use super::locks;
use std::any::Any;
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

/// Consecutive words, and the locks of their 64-bit places.
pub struct Words {
    first: NonNull<AtomicU32>,
    count: usize,
    /// Those of aligned 64-bit places.
    pub(super) locks: [AtomicU32; locks::COUNT],
    /// Keeps the memory there.
    _owner: Box<dyn Any + Send + Sync>,
}

// SAFETY: words are atomics, and their owner may be sent and shared.
#[allow(unsafe_code, reason = "a pointer to atomics is as good as a slice of them")]
unsafe impl Send for Words {}
// SAFETY: as above.
#[allow(unsafe_code, reason = "a pointer to atomics is as good as a slice of them")]
unsafe impl Sync for Words {}

impl Words {
    /// So many zeroes; nothing where the host has no memory for them.
    pub(super) fn zeroes(count: usize) -> Option<Arc<Words>> {
        let mut words = Vec::new();
        words.try_reserve_exact(count).ok()?;
        words.extend((0..count).map(|_| AtomicU32::new(0)));
        let first = NonNull::from(words.as_slice()).cast();
        Some(Arc::new(Words { first, count, locks: Words::locks(), _owner: Box::new(words) }))
    }

    /// Memory of the host's.
    ///
    /// # Safety
    /// At `first` are `count` words that may be read and written for as long as `owner` lives, and nobody reads or writes them but
    /// by atomics, other processes and the machine code of others apart.
    #[must_use]
    #[allow(unsafe_code, reason = "the caller lends memory")]
    pub unsafe fn lent(first: NonNull<AtomicU32>, count: usize, owner: Box<dyn Any + Send + Sync>) -> Arc<Words> {
        Arc::new(Words { first, count, locks: Words::locks(), _owner: owner })
    }

    fn locks() -> [AtomicU32; locks::COUNT] {
        [const { AtomicU32::new(0) }; locks::COUNT]
    }
}

impl Deref for Words {
    type Target = [AtomicU32];

    #[inline(always)]
    #[allow(unsafe_code, reason = "the words are those that the owner keeps")]
    fn deref(&self) -> &[AtomicU32] {
        // SAFETY: so many words are there, for as long as their owner is.
        unsafe { std::slice::from_raw_parts(self.first.as_ptr(), self.count) }
    }
}

impl std::fmt::Debug for Words {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} words", self.count)
    }
}
