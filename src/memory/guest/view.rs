//! One thread's way to a [`Memory`].
//!
//! Nearly every access is an aligned word in the region of the access before. For that, a view keeps the whole words of the last
//! region as a slice: one subtraction and one comparison decide that an address is mapped, aligned and, for stores, writable. All else
//! (bytes across words, another region, a border between regions, faults) goes the long way, which decides from the beginning.

use crate::fault::spoil::stored;

use super::{Access, Fault, Memory, Ordering, Region, Stores, Why, canonical};
use std::sync::atomic::AtomicU32;

/// An access before it is done.
#[derive(Clone, Copy)]
pub(super) struct Request {
    pub(super) address: u64,
    pub(super) size: u64,
    pub(super) access: Access,
}

impl Request {
    #[cold]
    pub(super) fn fault(self, why: Why) -> Fault {
        Fault { address: self.address, size: self.size, access: self.access, why }
    }

    fn allows(self, region: &Region) -> Result<(), Fault> {
        match self.access {
            Access::Store | Access::Atomic if region.stores == Stores::Refused => Err(self.fault(Why::ReadOnly)),
            Access::Load | Access::Store | Access::Atomic | Access::Fetch => Ok(()),
        }
    }

    /// The one region of an access and its 48-bit address. `Ok(None)`: it may lie across regions.
    #[inline]
    fn region<'m>(self, view: &mut View<'m>) -> Result<(u64, Option<&'m Region>), Fault> {
        let address = canonical(self.address).ok_or_else(|| self.fault(Why::NotCanonical))?;
        let region = view.find(address, self.size);
        if let Some(region) = region {
            self.allows(region)?;
        }
        Ok((address, region))
    }

    /// Whether every byte of an access across regions may be accessed.
    pub(super) fn check(self, view: &mut View<'_>) -> Result<u64, Fault> {
        let start = canonical(self.address).ok_or_else(|| self.fault(Why::NotCanonical))?;
        let end = start.checked_add(self.size).ok_or_else(|| self.fault(Why::Unmapped))?;
        let mut at = start;
        while at < end {
            let region = view.find(at, 1).ok_or_else(|| self.fault(Why::Unmapped))?;
            self.allows(region)?;
            at = region.base + region.len;
        }
        Ok(start)
    }
}

/// Access to a [`Memory`] with the last region at hand: 64 lanes of one instruction nearly always meet the same.
#[derive(Clone, Copy, Debug)]
pub struct View<'m> {
    memory: &'m Memory,
    last: Option<&'m Region>,
    /// The words of the last region that lie in it with all bytes, and the address of the first.
    whole: &'m [AtomicU32],
    start: u64,
    /// How many of them the guest may write: all or none.
    writable: usize,
}

/// Accesses of 8, 16 and 32 bits differ in their size alone.
macro_rules! narrow {
    ($($load:ident $store:ident $type:ty;)*) => { $(
        /// Reads at any byte address.
        ///
        /// # Errors
        /// The address faults.
        #[inline]
        pub fn $load(&mut self, address: u64) -> Result<$type, Fault> {
            const SIZE: u64 = size_of::<$type>() as u64;
            let offset = address.wrapping_sub(self.start);
            if (offset & 3) + SIZE <= 4
                && let Some(word) = self.whole.get(index(offset))
            {
                return Ok((word.load(Ordering::Relaxed) >> (offset & 3) * 8) as $type);
            }
            let request = Request { address, size: SIZE, access: Access::Load };
            match request.region(self)? {
                (at, Some(region)) => Ok(region.bits(at, SIZE) as $type),
                (_, None) => Ok(self.slow_load(request)? as $type),
            }
        }

        /// Writes at any byte address.
        ///
        /// # Errors
        /// The address faults.
        #[inline]
        pub fn $store(&mut self, address: u64, value: $type) -> Result<(), Fault> {
            const SIZE: u64 = size_of::<$type>() as u64;
            let offset = address.wrapping_sub(self.start);
            if SIZE == 4
                && offset & 3 == 0
                && let Some(word) = self.whole[..self.writable].get(index(offset))
            {
                word.store(u32::from(value) ^ stored(), Ordering::Relaxed);
                return Ok(());
            }
            let request = Request { address, size: SIZE, access: Access::Store };
            match request.region(self)? {
                (at, Some(region)) => region.put(at, <$type>::MAX.into(), u32::from(value) ^ stored()),
                (_, None) => return self.slow_store(request, u64::from(u32::from(value) ^ stored())),
            }
            Ok(())
        }
    )* };
}

/// The number of the word at an offset; one that no slice has, if it is too large for the host.
#[inline]
fn index(offset: u64) -> usize {
    usize::try_from(offset >> 2).unwrap_or(usize::MAX)
}

impl<'m> View<'m> {
    pub(super) fn new(memory: &'m Memory) -> View<'m> {
        let mut view = View { memory, last: None, whole: &[], start: 0, writable: 0 };
        if let Some(first) = memory.regions().first() {
            view.enter(first);
        }
        view
    }

    /// Makes a region the last one.
    fn enter(&mut self, region: &'m Region) {
        let head = region.base.wrapping_neg() & 3;
        let count = region.len.saturating_sub(head) / 4;
        let from = usize::from(head != 0);
        self.last = Some(region);
        self.start = region.base + head;
        self.whole = region.words().get(from..from + count as usize).unwrap_or(&[]);
        self.writable = if region.writable() { self.whole.len() } else { 0 };
    }

    /// The region that holds all bytes of an access: the last one again, or found anew. The address has 48 bits.
    #[inline]
    pub fn find(&mut self, address: u64, size: u64) -> Option<&'m Region> {
        if let Some(last) = self.last.filter(|r| r.covers(address, size)) {
            return Some(last);
        }
        let found = self.memory.resolve(address, size)?;
        self.enter(found);
        Some(found)
    }

    narrow! {
        load_u8 store_u8 u8;
        load_u16 store_u16 u16;
        load_u32 store_u32 u32;
    }

    /// Reads at any byte address; never torn where it is a multiple of 8.
    ///
    /// # Errors
    /// The address faults.
    #[inline]
    pub fn load_u64(&mut self, address: u64) -> Result<u64, Fault> {
        let request = Request { address, size: 8, access: Access::Load };
        match request.region(self)? {
            (at, Some(region)) if at & 7 == 0 => Ok(region.double(at)),
            (at, Some(region)) => Ok(u64::from(region.word(at + 4)) << 32 | u64::from(region.word(at))),
            (_, None) => self.slow_load(request),
        }
    }

    /// Writes at any byte address; never torn where it is a multiple of 8.
    ///
    /// # Errors
    /// The address faults.
    #[inline]
    pub fn store_u64(&mut self, address: u64, value: u64) -> Result<(), Fault> {
        let value = value ^ u64::from(stored());
        let request = Request { address, size: 8, access: Access::Store };
        match request.region(self)? {
            (at, Some(region)) if at & 7 == 0 => {
                let _locked = region.lock(at);
                region.put_double_locked(at, value);
            }
            (at, Some(region)) => {
                region.put(at, u32::MAX, value as u32);
                region.put(at + 4, u32::MAX, (value >> 32) as u32);
            }
            (_, None) => return self.slow_store(request, value),
        }
        Ok(())
    }

    /// Reads consecutive words from any byte address.
    ///
    /// # Errors
    /// One of them faults; `out` is then unspecified.
    #[inline]
    pub fn load_words(&mut self, address: u64, out: &mut [u32]) -> Result<(), Fault> {
        self.words(address, out, Access::Load)
    }

    /// Reads consecutive words of a program.
    ///
    /// # Errors
    /// One of them faults; `out` is then unspecified.
    pub fn fetch_words(&mut self, address: u64, out: &mut [u32]) -> Result<(), Fault> {
        self.words(address, out, Access::Fetch)
    }

    #[inline]
    fn words(&mut self, address: u64, out: &mut [u32], access: Access) -> Result<(), Fault> {
        let offset = address.wrapping_sub(self.start);
        if offset & 3 == 0
            && let Some(words) = self.whole.get(index(offset)..).and_then(|rest| rest.get(..out.len()))
        {
            for (to, from) in out.iter_mut().zip(words) {
                *to = from.load(Ordering::Relaxed);
            }
            return Ok(());
        }
        let request = Request { address, size: out.len() as u64 * 4, access };
        let (start, region) = request.region(self)?;
        let Some(region) = region else {
            request.check(self)?;
            for (at, word) in (start..).step_by(4).zip(out) {
                *word = self.slow_load(Request { address: at, size: 4, access })? as u32;
            }
            return Ok(());
        };
        for (at, word) in (start..).step_by(4).zip(out) {
            *word = region.word(at);
        }
        Ok(())
    }

    /// Writes consecutive words at any byte address.
    ///
    /// # Errors
    /// One of them faults; then none is written.
    #[inline]
    pub fn store_words(&mut self, address: u64, words: &[u32]) -> Result<(), Fault> {
        let offset = address.wrapping_sub(self.start);
        if offset & 3 == 0
            && let Some(to) = self.whole[..self.writable].get(index(offset)..).and_then(|rest| rest.get(..words.len()))
        {
            for (to, &from) in to.iter().zip(words) {
                to.store(from ^ stored(), Ordering::Relaxed);
            }
            return Ok(());
        }
        let request = Request { address, size: words.len() as u64 * 4, access: Access::Store };
        let (start, region) = request.region(self)?;
        let Some(region) = region else {
            request.check(self)?;
            for (at, &word) in (start..).step_by(4).zip(words) {
                let word = word ^ stored();
                self.slow_store(Request { address: at, size: 4, access: Access::Store }, u64::from(word))?;
            }
            return Ok(());
        };
        for (at, &word) in (start..).step_by(4).zip(words) {
            region.put(at, u32::MAX, word ^ stored());
        }
        Ok(())
    }

    /// Replaces the 32 bits at an aligned address by a function of them, in one step, and returns what they were. The function may
    /// run more than once.
    ///
    /// # Errors
    /// The address faults, or is not aligned.
    #[inline]
    pub fn rmw_u32(&mut self, address: u64, mut new: impl FnMut(u32) -> u32) -> Result<u32, Fault> {
        let offset = address.wrapping_sub(self.start);
        let word = match self.whole[..self.writable].get(index(offset)) {
            Some(word) if offset & 3 == 0 => word,
            _ => {
                let (at, region) = self.aligned(Request { address, size: 4, access: Access::Atomic })?;
                if region.stores == Stores::Dropped {
                    return Ok(region.word(at));
                }
                region.cell(region.index(at))
            }
        };
        let done = word.fetch_update(Ordering::AcqRel, Ordering::Acquire, |old| Some(new(old) ^ stored()));
        Ok(done.unwrap_or_else(|old| old))
    }

    /// Replaces the 64 bits at an aligned address by a function of them, in one step among accesses of 64 bits, and returns what they
    /// were.
    ///
    /// # Errors
    /// The address faults, or is not aligned.
    pub fn rmw_u64(&mut self, address: u64, new: impl FnOnce(u64) -> u64) -> Result<u64, Fault> {
        let request = Request { address, size: 8, access: Access::Atomic };
        let (at, region) = self.aligned(request)?;
        let _locked = region.lock(at);
        let old = region.double_locked(at);
        region.put_double_locked(at, new(old) ^ u64::from(stored()));
        Ok(old)
    }

    #[inline]
    fn aligned(&mut self, request: Request) -> Result<(u64, &'m Region), Fault> {
        if request.address & (request.size - 1) != 0 {
            return Err(request.fault(Why::Misaligned));
        }
        let (at, region) = request.region(self)?;
        Ok((at, region.ok_or_else(|| request.fault(Why::Unmapped))?))
    }

    /// Up to eight bytes from several regions, or across words.
    #[cold]
    fn slow_load(&mut self, request: Request) -> Result<u64, Fault> {
        let start = request.check(self)?;
        let mut value = 0;
        for n in 0..request.size {
            let region = self.find(start + n, 1).ok_or_else(|| request.fault(Why::Unmapped))?;
            value |= u64::from(region.byte(start + n)) << (n * 8);
        }
        Ok(value)
    }

    #[cold]
    fn slow_store(&mut self, request: Request, value: u64) -> Result<(), Fault> {
        let start = request.check(self)?;
        for n in 0..request.size {
            let region = self.find(start + n, 1).ok_or_else(|| request.fault(Why::Unmapped))?;
            region.put(start + n, 0xff, (value >> (n * 8)) as u32 & 0xff);
        }
        Ok(())
    }
}
