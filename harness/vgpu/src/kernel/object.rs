//! Memory objects: pages that the program, the card and the kernel see at once.
//!
//! An object is memory of this process that can be shared, mapped once for the card; a program that
//! maps it gets the same pages a second time (`mremap` of a shared mapping with an old size of
//! nothing), so that an object needs no file descriptor, and lives as long as either side holds on
//! to it. Pages that nobody touches cost nothing.
//!
//! An object of *user memory* has the program's own pages. They are checked when it is made, and before
//! each job while the card is shown them ([`Object::is_gone`]); if the program unmaps them while a job
//! uses them, the next access of the card is a crash.

use super::{Answer, lock};
use rustix::io::Errno;
use rustix::mm::{MapFlags, MprotectFlags, MremapFlags, ProtFlags};
use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use wavediff::memory::guest::Words;

pub(crate) const PAGE: u64 = 4096;

/// A whole number of pages, if there is one.
pub(crate) fn pages(bytes: u64) -> Option<u64> {
    bytes.checked_next_multiple_of(PAGE)
}

/// Where an object would lie on a card: each has its own size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Heap {
    Vram,
    Gtt,
}

/// How much memory a device has, and how much of it objects have.
pub(crate) struct Budget {
    pub size: u64,
    used: [AtomicU64; 2],
}

impl Budget {
    pub fn new(size: u64) -> Budget {
        Budget { size, used: [AtomicU64::new(0), AtomicU64::new(0)] }
    }

    pub fn used(&self, heap: Heap) -> u64 {
        self.used[heap as usize].load(Ordering::Relaxed)
    }

    fn take(self: &Arc<Budget>, heap: Heap, size: u64) -> Answer<Charge> {
        let more = |used: u64| used.checked_add(size).filter(|sum| *sum <= self.size);
        let taken = self.used[heap as usize].fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
        taken.map_err(|_| Errno::NOMEM)?;
        Ok(Charge { budget: self.clone(), heap, size })
    }
}

/// A part of a budget, given back when it is dropped.
struct Charge {
    budget: Arc<Budget>,
    heap: Heap,
    size: u64,
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.budget.used[self.heap as usize].fetch_sub(self.size, Ordering::Relaxed);
    }
}

/// Our mapping of an object's pages.
struct Pages {
    base: usize,
    len: usize,
    _charge: Charge,
}

impl Drop for Pages {
    #[allow(unsafe_code, reason = "unmapping memory")]
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and words over it hold on to this value.
        let _ = unsafe { rustix::mm::munmap(self.base as *mut c_void, self.len) };
    }
}

/// What a program says about an object, for itself and for those it gives the object to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct Metadata {
    pub flags: u64,
    pub tiling: u64,
    pub bytes: u32,
    pub data: [u32; 64],
    pub pad: u32,
}

/// What a program asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct Wanted {
    pub size: u64,
    pub alignment: u64,
    pub domains: u64,
    pub flags: u64,
}

pub(crate) struct Object {
    /// Whole pages.
    pub size: u64,
    pub wanted: Wanted,
    pub words: Arc<Words>,
    pub metadata: Mutex<Metadata>,
    /// Where it lies in the render node, for those who map it; nowhere if it is the program's
    /// memory anyway.
    pub offset: Option<u64>,
    base: usize,
    /// It is the program's own memory: whether the card may write to it.
    user: Option<bool>,
}

/// Where the next object lies in the render nodes.
static NEXT_OFFSET: AtomicU64 = AtomicU64::new(1 << 32);

impl Object {
    /// New pages, all zero.
    #[allow(unsafe_code, reason = "mapping memory")]
    pub fn new(budget: &Arc<Budget>, wanted: Wanted) -> Answer<Object> {
        let size = pages(wanted.size).filter(|s| *s > 0).ok_or(Errno::INVAL)?;
        let wanted = Wanted { size, ..wanted };
        let heap = if wanted.domains & 4 != 0 { Heap::Vram } else { Heap::Gtt };
        let charge = budget.take(heap, size)?;
        let len = usize::try_from(size).map_err(|_| Errno::NOMEM)?;
        let flags = MapFlags::SHARED | MapFlags::NORESERVE;
        // SAFETY: a new mapping at an address that the host chooses.
        let base =
            unsafe { rustix::mm::mmap_anonymous(std::ptr::null_mut(), len, ProtFlags::READ | ProtFlags::WRITE, flags) };
        let base = base.map_err(|_| Errno::NOMEM)?;
        let owner = Box::new(Pages { base: base as usize, len, _charge: charge });
        let first = NonNull::new(base.cast()).ok_or(Errno::NOMEM)?;
        // SAFETY: the pages are there as long as their owner; the program's own accesses are
        // machine code of others.
        let words = unsafe { Words::lent(first, len / 4, owner) };
        let offset = Some(NEXT_OFFSET.fetch_add(size, Ordering::Relaxed));
        Ok(Object {
            size,
            wanted,
            words,
            metadata: Mutex::new(bytemuck::Zeroable::zeroed()),
            offset,
            base: base as usize,
            user: None,
        })
    }

    /// Pages of the program.
    #[allow(unsafe_code, reason = "lending memory of the program")]
    pub fn of_user(address: u64, size: u64, writable: bool) -> Answer<Object> {
        if size == 0 || !(address | size).is_multiple_of(PAGE) {
            return Err(Errno::INVAL);
        }
        if !is_mapped(address, size, writable)? {
            return Err(Errno::FAULT);
        }
        let first = NonNull::new(address as *mut _).ok_or(Errno::FAULT)?;
        // SAFETY: the pages are mapped; that they stay so, the program promises a kernel too.
        let words = unsafe { Words::lent(first, (size / 4) as usize, Box::new(())) };
        let wanted = Wanted { size, alignment: PAGE, domains: 2, flags: 0 };
        let metadata = Mutex::new(bytemuck::Zeroable::zeroed());
        Ok(Object { size, wanted, words, metadata, offset: None, base: address as usize, user: Some(writable) })
    }

    /// Where it was and how long, if it is memory of the program's that the program has no more.
    pub fn is_gone(&self) -> Option<(u64, u64)> {
        let (address, writable) = (self.base as u64, self.user?);
        (is_mapped(address, self.size, writable) == Ok(false)).then_some((address, self.size))
    }

    /// Maps pages of the object into the program, as `mmap` does.
    #[allow(unsafe_code, reason = "mapping memory where the program wants it")]
    pub fn map(&self, address: *mut c_void, len: usize, prot: i32, flags: i32, from: u64) -> Answer<*mut c_void> {
        let size = pages(len as u64).filter(|s| *s > 0).ok_or(Errno::INVAL)?;
        if !from.is_multiple_of(PAGE)
            || from.checked_add(size).is_none_or(|end| end > self.size)
            || self.offset.is_none()
        {
            return Err(Errno::INVAL);
        }
        if !matches!(flags & libc::MAP_TYPE, libc::MAP_SHARED | libc::MAP_SHARED_VALIDATE) {
            return Err(Errno::INVAL);
        }
        let place = MapFlags::from_bits_retain(
            (flags & (libc::MAP_FIXED | libc::MAP_FIXED_NOREPLACE | libc::MAP_32BIT)) as u32,
        );
        let reserved = place | MapFlags::PRIVATE | MapFlags::NORESERVE;
        let (len, base) = (size as usize, (self.base + from as usize) as *mut c_void);
        // SAFETY: the program asked for this range, and with MAP_FIXED for the end of what was
        // there. The pages that come there are those of our mapping, which stays.
        unsafe {
            let there = rustix::mm::mmap_anonymous(address, len, ProtFlags::empty(), reserved)?;
            let moved = rustix::mm::mremap_fixed(base, 0, len, MremapFlags::MAYMOVE, there).and_then(|there| {
                rustix::mm::mprotect(there, len, MprotectFlags::from_bits_retain(prot as u32))?;
                Ok(there)
            });
            if moved.is_err() {
                let _ = rustix::mm::munmap(there, len);
            }
            moved
        }
    }

    /// Whether all bytes of a range are inside.
    pub fn holds(&self, offset: u64, size: u64) -> bool {
        offset.checked_add(size).is_some_and(|end| end <= self.size)
    }

    /// Writes an aligned 64-bit number, low half last: who polls the low half sees all of it.
    pub fn store(&self, offset: u64, value: u64) {
        let first = (offset / 4) as usize;
        if let (Some(low), Some(high)) = (self.words.get(first), self.words.get(first + 1)) {
            high.store((value >> 32) as u32, Ordering::Release);
            low.store(value as u32, Ordering::Release);
        }
    }

    pub fn set_metadata(&self, metadata: Metadata) {
        *lock(&self.metadata) = metadata;
    }
}

/// Whether the program has all these pages, and may read (and write) them.
fn is_mapped(address: u64, size: u64, writable: bool) -> Answer<bool> {
    let Some(end) = address.checked_add(size) else { return Ok(false) };
    let maps = super::files::contents(c"/proc/self/maps")?;
    let mut covered = address;
    for line in maps.split(|b| *b == b'\n') {
        let Some((from, to, rights)) = std::str::from_utf8(line).ok().and_then(range) else { continue };
        if from <= covered && covered < to && rights.starts_with('r') && (!writable || rights[1..].starts_with('w')) {
            covered = to;
        }
    }
    Ok(covered >= end)
}

/// First and last address of a line of `/proc/self/maps`, and the rights.
fn range(line: &str) -> Option<(u64, u64, &str)> {
    let mut fields = line.split_ascii_whitespace();
    let (from, to) = fields.next()?.split_once('-')?;
    Some((u64::from_str_radix(from, 16).ok()?, u64::from_str_radix(to, 16).ok()?, fields.next()?))
}

#[cfg(test)]
#[allow(unsafe_code, reason = "looks at mapped memory")]
mod tests {
    use super::*;

    fn wanted(size: u64) -> Wanted {
        Wanted { size, alignment: 0, domains: 4, flags: 0 }
    }

    #[test]
    fn a_program_sees_the_words_of_the_card() -> Answer<()> {
        let budget = Arc::new(Budget::new(1 << 30));
        let object = Object::new(&budget, wanted(3 * PAGE - 5))?;
        let at = object.map(std::ptr::null_mut(), PAGE as usize + 1, libc::PROT_READ, libc::MAP_SHARED, PAGE)?;
        object.store(PAGE + 8, 0x1122_3344_5566_7788);
        drop(object);
        // SAFETY: two pages are mapped there, whatever became of the object.
        assert_eq!(unsafe { at.cast::<u64>().add(1).read_volatile() }, 0x1122_3344_5566_7788);
        assert_eq!(budget.used(Heap::Vram), 0);
        // SAFETY: nobody uses them any more.
        unsafe { rustix::mm::munmap(at, 2 * PAGE as usize) }
    }

    #[test]
    fn a_mapping_ends_where_the_object_does() -> Answer<()> {
        let object = Object::new(&Arc::new(Budget::new(1 << 30)), wanted(PAGE))?;
        let map = |len: u64, flags, from| object.map(std::ptr::null_mut(), len as usize, 3, flags, from);
        for (len, flags, from) in [
            (PAGE + 1, libc::MAP_SHARED, 0),
            (1, libc::MAP_SHARED, PAGE),
            (1, libc::MAP_SHARED, 8),
            (0, libc::MAP_SHARED, 0),
            (u64::MAX, libc::MAP_SHARED, 0),
            (1, libc::MAP_PRIVATE, 0),
        ] {
            assert_eq!(map(len, flags, from).err(), Some(Errno::INVAL), "{len:#x} {from:#x}");
        }
        Ok(())
    }

    #[test]
    fn memory_is_limited() {
        let budget = Arc::new(Budget::new(4 * PAGE));
        let first = Object::new(&budget, wanted(3 * PAGE));
        assert!(first.is_ok());
        assert_eq!(Object::new(&budget, wanted(2 * PAGE)).err(), Some(Errno::NOMEM));
        assert_eq!(Object::new(&budget, wanted(u64::MAX)).err(), Some(Errno::INVAL));
        assert_eq!(Object::new(&budget, wanted(u64::MAX - PAGE)).err(), Some(Errno::NOMEM));
        drop(first);
        assert!(Object::new(&budget, wanted(4 * PAGE)).is_ok());
    }

    #[test]
    fn user_memory_is_checked() {
        let pages = vec![0u8; 4 * PAGE as usize];
        let first = (pages.as_ptr() as u64).next_multiple_of(PAGE);
        assert!(Object::of_user(first, 2 * PAGE, true).is_ok());
        assert_eq!(Object::of_user(first + 1, PAGE, true).err(), Some(Errno::INVAL));
        assert_eq!(Object::of_user(PAGE, PAGE, true).err(), Some(Errno::FAULT));
        assert_eq!(Object::of_user(u64::MAX - PAGE + 1, PAGE, true).err(), Some(Errno::FAULT));
        let code = user_memory_is_checked as *const () as u64 & !(PAGE - 1);
        assert_eq!(Object::of_user(code, PAGE, true).err(), Some(Errno::FAULT));
        assert!(Object::of_user(code, PAGE, false).is_ok());
    }
}
