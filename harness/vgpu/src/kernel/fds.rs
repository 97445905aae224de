//! Descriptors: which of them are ours, and what they stand for.
//!
//! Every descriptor of ours is a real one (an empty memory file), so that its number is nobody
//! else's. Whether a number is ours is a bit of a fixed table: who asks for a number of somebody
//! else takes no lock and allocates nothing.

use super::Answer;
use super::fence::{Fences, Syncobj};
use super::file::File;
use super::object::Object;
use rustix::fs::MemfdFlags;
use rustix::io::Errno;
use std::collections::HashMap;
use std::ffi::CStr;
use std::os::fd::{AsRawFd, IntoRawFd, OwnedFd};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

/// Numbers that can be ours.
const MOST: usize = 1 << 16;

/// A bit for each number.
static OURS: [AtomicU64; MOST / 64] = [const { AtomicU64::new(0) }; MOST / 64];

/// Whether a descriptor may be ours. After a fork it may not be, all the same.
#[inline]
pub(crate) fn is_candidate(fd: i32) -> bool {
    let fd = fd as u32 as usize;
    OURS.get(fd / 64).is_some_and(|bits| bits.load(Ordering::Acquire) >> (fd % 64) & 1 != 0)
}

/// What a descriptor stands for. Duplicates stand for the same thing.
#[derive(Clone)]
pub(crate) enum Entry {
    /// An open device file.
    Card(Arc<File>),
    /// A memory object.
    Buffer(Arc<Object>),
    Syncobj(Arc<Syncobj>),
    SyncFile(Fences),
}

#[derive(Default)]
pub(crate) struct Fds(RwLock<HashMap<i32, Entry>>);

impl Fds {
    pub fn get(&self, fd: i32) -> Option<Entry> {
        if !is_candidate(fd) {
            return None;
        }
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(&fd).cloned()
    }

    /// Gives a descriptor a meaning and to the program.
    pub fn add(&self, fd: OwnedFd, entry: Entry) -> Answer<i32> {
        if fd.as_raw_fd() as usize >= MOST {
            return Err(Errno::MFILE);
        }
        let number = fd.into_raw_fd();
        self.set(number, Some(entry));
        Ok(number)
    }

    /// Gives a number a meaning, or takes it away. Numbers too large for the table stay without.
    pub fn set(&self, fd: i32, entry: Option<Entry>) {
        let number = fd as u32 as usize;
        let Some(bits) = OURS.get(number / 64) else { return };
        let mut entries = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let old = match entry {
            Some(entry) => {
                bits.fetch_or(1 << (number % 64), Ordering::AcqRel);
                entries.insert(fd, entry)
            }
            None => {
                bits.fetch_and(!(1 << (number % 64)), Ordering::AcqRel);
                entries.remove(&fd)
            }
        };
        // A file that ends may take time, and other locks.
        drop(entries);
        drop(old);
    }

    /// All numbers of ours in a range.
    pub fn inside(&self, first: u32, last: u32) -> Vec<i32> {
        let entries = self.0.read().unwrap_or_else(PoisonError::into_inner);
        entries.keys().copied().filter(|fd| (first..=last).contains(&(*fd as u32))).collect()
    }
}

/// A descriptor whose number is nobody else's.
pub(crate) fn placeholder(name: &CStr, flags: i32) -> Answer<OwnedFd> {
    let flags = if flags & libc::O_CLOEXEC != 0 { MemfdFlags::CLOEXEC } else { MemfdFlags::empty() };
    rustix::fs::memfd_create(name, flags)
}

/// What is wrong with a descriptor that is not ours: that it is none, or that it is something else.
#[allow(unsafe_code, reason = "asks whether a number is a descriptor")]
pub(crate) fn foreign(fd: i32) -> Errno {
    if fd < 0 {
        return Errno::BADF;
    }
    // SAFETY: it is only asked for its flags.
    let fd = unsafe { std::os::fd::BorrowedFd::borrow_raw(fd) };
    match rustix::io::fcntl_getfd(fd) {
        Ok(_) => Errno::INVAL,
        Err(error) => error,
    }
}
