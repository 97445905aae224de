//! Guest memory: named regions of bytes which all waves share.
//!
//! A [`Memory`] is a sorted list of [`Region`]s, and a region an array of 32-bit atomics: host threads that run workgroups may race on
//! it as freely as waves of a GPU do, and nothing they do is undefined. Words are the unit since nearly all accesses of a GPU are
//! aligned words; relaxed loads and stores of them are plain moves on every host.
//!
//! What a guest may rely on:
//! - An aligned access of 32 bits is never torn, an aligned one of 64 bits through [`View::load_u64`] and [`View::store_u64`] neither.
//! - A store of a byte, of 16 bits, or of unaligned words changes its own bytes only, whatever a neighbour stores at the same time.
//! - Atomics of one width are atomic among each other. Those of 64 bits hold a lock (one of sixteen a region, a sequence lock, so that
//!   64-bit loads need none); a program that hits one place with 32-bit and 64-bit atomics at once may lose one of them.
//! - Order between places: atomics acquire and release, [`fence`] orders the rest. An engine calls it where the guest waits.
//!
//! Addresses have 48 bits, and bit 47 is the sign: `0x0000_8000_0000_0000` and `0xffff_8000_0000_0000` are two spellings of one
//! address (a buffer descriptor holds the first, a pointer the second). Other values of bits 63:48 fault.
//!
//! An access may run from one region into the next where they touch; it is then done byte by byte. Whatever is not mapped faults, and
//! a store that faults has written nothing.
//!
//! Reserving host address space with page protection was not tried: it needs `unsafe` and signals, and would make bounds page-exact
//! instead of byte-exact.

use std::sync::atomic::{AtomicU32, Ordering, fence as host_fence};

/// Orders all accesses before it against all behind it: where a guest waits for its memory operations.
pub fn fence() {
    host_fence(Ordering::SeqCst);
}

/// What an access wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// To read.
    Load,
    /// To write.
    Store,
    /// To read and write in one step.
    Atomic,
    /// To execute.
    Fetch,
}

/// Why an access cannot be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Why {
    /// No region holds all of its bytes.
    Unmapped,
    /// A region may not be written.
    ReadOnly,
    /// The kind of access needs an aligned address.
    Misaligned,
    /// Bits 63:48 are neither zero nor copies of bit 47.
    NotCanonical,
}

impl std::fmt::Display for Access {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Access::Load => "load",
            Access::Store => "store",
            Access::Atomic => "atomic",
            Access::Fetch => "instruction fetch",
        })
    }
}

impl std::fmt::Display for Why {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Why::Unmapped => "is not mapped",
            Why::ReadOnly => "is read-only",
            Why::Misaligned => "is not aligned",
            Why::NotCanonical => "is no 48-bit address",
        })
    }
}

/// An access which the machine does not complete: the guest's fault, never the tool's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("{access} of {size} bytes at {address:#x}: the address {why}")]
pub struct Fault {
    /// As the guest spelled it.
    pub address: u64,
    /// Bytes of the whole access.
    pub size: u64,
    /// What it wanted.
    pub access: Access,
    /// What was in the way.
    pub why: Why,
}

/// A region which cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MapError {
    /// No bytes.
    #[error("region `{name}` is empty")]
    Empty {
        /// The new region.
        name: String,
    },
    /// Its first or last byte is no address.
    #[error("region `{name}` of {len} bytes at {base:#x} does not fit 48-bit addresses")]
    Range {
        /// The new region.
        name: String,
        /// Its address.
        base: u64,
        /// Its length.
        len: u64,
    },
    /// A byte would belong to two regions.
    #[error("region `{name}` overlaps region `{other}`")]
    Overlap {
        /// The new region.
        name: String,
        /// The old one.
        other: String,
    },
    /// More bytes than this memory may hold, or the host has.
    #[error("region `{name}` of {len} bytes is too large: {left} bytes are left")]
    TooLarge {
        /// The new region.
        name: String,
        /// Its length.
        len: u64,
        /// What may still be mapped.
        left: u64,
    },
}

/// The bytes that all regions of a [`Memory`] may have together, unless [`Memory::with_limit`] says otherwise.
pub const LIMIT: u64 = 8 << 30;

const ADDRESS_BITS: u32 = 48;
const ADDRESS_MASK: u64 = (1 << ADDRESS_BITS) - 1;

/// The 48 bits of an address that tell places apart, if the rest is as it must be.
#[must_use]
pub fn canonical(address: u64) -> Option<u64> {
    let sign_extended = ((address << 16) as i64 >> 16) as u64;
    (address >> ADDRESS_BITS == 0 || address == sign_extended).then_some(address & ADDRESS_MASK)
}

/// One buffer: bytes at consecutive addresses.
#[derive(Debug)]
pub struct Region {
    name: String,
    /// 48 bits, as everywhere below.
    base: u64,
    len: u64,
    writable: bool,
    /// Word n holds the four bytes at `(base & !3) + 4 * n`, little endian.
    words: Box<[AtomicU32]>,
    /// Sequence locks of aligned 64-bit places, chosen by address bits 6:3: odd while somebody writes.
    locks: [AtomicU32; 16],
}

impl Region {
    /// The name it was mapped under.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The first address, 48 bits.
    #[must_use]
    pub fn base(&self) -> u64 {
        self.base
    }

    /// Bytes.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Never: there are no empty regions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether the guest may write.
    #[must_use]
    pub fn writable(&self) -> bool {
        self.writable
    }

    /// Whether all bytes of an access lie inside. The address has 48 bits.
    #[must_use]
    #[inline]
    pub fn covers(&self, address: u64, size: u64) -> bool {
        let offset = address.wrapping_sub(self.base);
        offset < self.len && size <= self.len - offset
    }

    /// All bytes, as they are now.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        (self.base..self.base + self.len).map(|address| self.byte(address)).collect()
    }

    #[inline]
    fn index(&self, address: u64) -> usize {
        ((address - (self.base & !3)) >> 2) as usize
    }

    #[inline]
    fn byte(&self, address: u64) -> u8 {
        (self.words[self.index(address)].load(Ordering::Relaxed) >> ((address & 3) * 8)) as u8
    }

    /// Up to four bytes; the bits above them are those of the neighbours.
    #[inline]
    fn bits(&self, address: u64, size: u64) -> u32 {
        let (index, shift) = (self.index(address), (address & 3) * 8);
        let low = self.words[index].load(Ordering::Relaxed) >> shift;
        if shift + size * 8 <= 32 {
            return low;
        }
        // Here the shift is no zero, and the last byte of the access lies in this word, so that it exists.
        low | self.words[index + 1].load(Ordering::Relaxed) << (32 - shift)
    }

    #[inline]
    fn word(&self, address: u64) -> u32 {
        self.bits(address, 4)
    }

    /// Replaces the bits of `mask` in one word.
    #[inline]
    fn merge(&self, index: usize, mask: u32, bits: u32) {
        let word = &self.words[index];
        if mask == u32::MAX {
            return word.store(bits, Ordering::Relaxed);
        }
        // The closure never gives up, so that there is nothing to report.
        let _ = word.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |old| Some(old & !mask | bits & mask));
    }

    /// Stores the bits of `mask`, which may lie across two words.
    #[inline]
    fn put(&self, address: u64, mask: u32, bits: u32) {
        let (index, shift) = (self.index(address), (address & 3) * 8);
        let (mask, bits) = (u64::from(mask) << shift, u64::from(bits) << shift);
        self.merge(index, mask as u32, bits as u32);
        if mask >> 32 != 0 {
            self.merge(index + 1, (mask >> 32) as u32, (bits >> 32) as u32);
        }
    }

    fn lock(&self, address: u64) -> Locked<'_> {
        let lock = &self.locks[(address >> 3 & 15) as usize];
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

    /// An aligned 64-bit load: repeated until no writer was at work.
    fn double(&self, address: u64) -> u64 {
        let lock = &self.locks[(address >> 3 & 15) as usize];
        let mut tries = 0u32;
        loop {
            let before = lock.load(Ordering::Acquire);
            let value = self.double_locked(address);
            host_fence(Ordering::Acquire);
            if before & 1 == 0 && lock.load(Ordering::Relaxed) == before {
                return value;
            }
            wait(&mut tries);
        }
    }

    fn double_locked(&self, address: u64) -> u64 {
        let index = self.index(address);
        let low = self.words[index].load(Ordering::Relaxed);
        u64::from(self.words[index + 1].load(Ordering::Relaxed)) << 32 | u64::from(low)
    }

    fn put_double_locked(&self, address: u64, value: u64) {
        let index = self.index(address);
        self.words[index].store(value as u32, Ordering::Relaxed);
        self.words[index + 1].store((value >> 32) as u32, Ordering::Relaxed);
    }
}

/// Spins a little, then lets others run.
fn wait(tries: &mut u32) {
    *tries += 1;
    if *tries < 64 { std::hint::spin_loop() } else { std::thread::yield_now() }
}

/// A sequence lock held by a writer.
struct Locked<'a> {
    lock: &'a AtomicU32,
    free: u32,
}

impl Drop for Locked<'_> {
    fn drop(&mut self) {
        self.lock.store(self.free, Ordering::Release);
    }
}

/// All regions of a guest.
#[derive(Debug)]
pub struct Memory {
    /// By address.
    regions: Vec<Region>,
    left: u64,
}

impl Default for Memory {
    fn default() -> Self {
        Self::with_limit(LIMIT)
    }
}

impl Memory {
    /// No regions; at most [`LIMIT`] bytes.
    #[must_use]
    pub fn new() -> Memory {
        Memory::default()
    }

    /// No regions; at most `bytes`.
    #[must_use]
    pub fn with_limit(bytes: u64) -> Memory {
        Memory { regions: Vec::new(), left: bytes }
    }

    /// Adds a region of `len` zero bytes. The base may be any byte address.
    ///
    /// # Errors
    /// The region is empty, leaves the address space, overlaps another, or is too large.
    pub fn map(&mut self, name: &str, base: u64, len: u64, writable: bool) -> Result<(), MapError> {
        let owned = || name.to_owned();
        if len == 0 {
            return Err(MapError::Empty { name: owned() });
        }
        let fits = |b: &u64| len <= ADDRESS_MASK + 1 - b;
        let Some(base) = canonical(base).filter(fits) else {
            return Err(MapError::Range { name: owned(), base, len });
        };
        let at = self.regions.partition_point(|r| r.base < base);
        let before = at.checked_sub(1).and_then(|n| self.regions.get(n)).filter(|r| r.base + r.len > base);
        let behind = self.regions.get(at).filter(|r| base + len > r.base);
        if let Some(other) = before.or(behind) {
            return Err(MapError::Overlap { name: owned(), other: other.name.clone() });
        }
        let too_large = MapError::TooLarge { name: owned(), len, left: self.left };
        let count = ((base & 3) + len).div_ceil(4);
        let Some(count) = usize::try_from(count).ok().filter(|_| len <= self.left) else {
            return Err(too_large);
        };
        let mut words = Vec::new();
        if words.try_reserve_exact(count).is_err() {
            return Err(too_large);
        }
        words.extend((0..count).map(|_| AtomicU32::new(0)));
        self.left -= len;
        let locks = [const { AtomicU32::new(0) }; 16];
        let words = words.into_boxed_slice();
        self.regions.insert(at, Region { name: owned(), base, len, writable, words, locks });
        Ok(())
    }

    /// Adds a region with contents.
    ///
    /// # Errors
    /// As [`Memory::map`].
    pub fn map_bytes(&mut self, name: &str, base: u64, bytes: &[u8], writable: bool) -> Result<(), MapError> {
        self.map(name, base, bytes.len() as u64, writable)?;
        if let Some(region) = canonical(base).and_then(|base| self.resolve(base, 1)) {
            write(region, region.base, bytes);
        }
        Ok(())
    }

    /// All regions, by address.
    #[must_use]
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// The region of this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Region> {
        self.regions.iter().find(|r| r.name == name)
    }

    /// The one region that holds all bytes of an access. The address has 48 bits: see [`canonical`].
    #[must_use]
    #[inline]
    pub fn resolve(&self, address: u64, size: u64) -> Option<&Region> {
        let behind = self.regions.partition_point(|r| r.base <= address);
        let region = self.regions.get(behind.checked_sub(1)?)?;
        region.covers(address, size).then_some(region)
    }

    /// A way to access this memory which remembers the region it met last: one a wave, or one an instruction.
    #[must_use]
    #[inline]
    pub fn view(&self) -> View<'_> {
        View { memory: self, last: self.regions.first() }
    }

    /// For the host: bytes as they are now.
    ///
    /// # Errors
    /// Not all of them are mapped.
    pub fn read_bytes(&self, address: u64, out: &mut [u8]) -> Result<(), Fault> {
        let request = Request { address, size: out.len() as u64, access: Access::Load };
        let start = request.check(&mut self.view())?;
        let mut view = self.view();
        for (at, byte) in (start..).zip(out) {
            let region = view.find(at, 1).ok_or(request.fault(Why::Unmapped))?;
            *byte = region.byte(at);
        }
        Ok(())
    }

    /// For the host: writes to any region, read-only or not.
    ///
    /// # Errors
    /// Not all bytes are mapped; then none is written.
    pub fn write_bytes(&self, address: u64, bytes: &[u8]) -> Result<(), Fault> {
        // Checked as a load is, so that the flag does not matter.
        let request = Request { address, size: bytes.len() as u64, access: Access::Load };
        let as_store = |fault| Fault { access: Access::Store, ..fault };
        let start = request.check(&mut self.view()).map_err(as_store)?;
        let mut view = self.view();
        let mut rest = bytes;
        let mut at = start;
        while let (false, Some(region)) = (rest.is_empty(), view.find(at, 1)) {
            let here = (region.base + region.len - at).min(rest.len() as u64);
            let (now, later) = rest.split_at(here as usize);
            write(region, at, now);
            (rest, at) = (later, at + here);
        }
        Ok(())
    }
}

/// Writes bytes inside a region.
fn write(region: &Region, address: u64, bytes: &[u8]) {
    let head = ((4 - (address & 3)) & 3).min(bytes.len() as u64) as usize;
    let (head, rest) = bytes.split_at(head);
    let mut at = address;
    for &byte in head {
        region.put(at, 0xff, u32::from(byte));
        at += 1;
    }
    let (words, tail) = rest.as_chunks::<4>();
    for &word in words {
        region.put(at, u32::MAX, u32::from_le_bytes(word));
        at += 4;
    }
    for &byte in tail {
        region.put(at, 0xff, u32::from(byte));
        at += 1;
    }
}

/// An access before it is done.
#[derive(Clone, Copy)]
struct Request {
    address: u64,
    size: u64,
    access: Access,
}

impl Request {
    #[cold]
    fn fault(self, why: Why) -> Fault {
        Fault { address: self.address, size: self.size, access: self.access, why }
    }

    fn allows(self, region: &Region) -> Result<(), Fault> {
        match self.access {
            Access::Store | Access::Atomic if !region.writable => Err(self.fault(Why::ReadOnly)),
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
    fn check(self, view: &mut View<'_>) -> Result<u64, Fault> {
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
            let request = Request { address, size: SIZE, access: Access::Store };
            match request.region(self)? {
                (at, Some(region)) => region.put(at, <$type>::MAX.into(), value.into()),
                (_, None) => return self.slow_store(request, value.into()),
            }
            Ok(())
        }
    )* };
}

impl<'m> View<'m> {
    /// The region that holds all bytes of an access: the last one again, or found anew. The address has 48 bits.
    #[inline]
    pub fn find(&mut self, address: u64, size: u64) -> Option<&'m Region> {
        if let Some(last) = self.last.filter(|r| r.covers(address, size)) {
            return Some(last);
        }
        let found = self.memory.resolve(address, size)?;
        self.last = Some(found);
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
        let request = Request { address, size: words.len() as u64 * 4, access: Access::Store };
        let (start, region) = request.region(self)?;
        let Some(region) = region else {
            request.check(self)?;
            for (at, &word) in (start..).step_by(4).zip(words) {
                self.slow_store(Request { address: at, size: 4, access: Access::Store }, u64::from(word))?;
            }
            return Ok(());
        };
        for (at, &word) in (start..).step_by(4).zip(words) {
            region.put(at, u32::MAX, word);
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
        let request = Request { address, size: 4, access: Access::Atomic };
        let (at, region) = self.aligned(request)?;
        let word = &region.words[region.index(at)];
        let done = word.fetch_update(Ordering::AcqRel, Ordering::Acquire, |old| Some(new(old)));
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
        region.put_double_locked(at, new(old));
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

#[cfg(test)]
mod tests;
