//! Guest memory: named regions of bytes which all waves share.
//!
//! A [`Memory`] is a sorted list of [`Region`]s, and a region an array of 32-bit atomics ([`Words`], its own or the host's): host
//! threads that run workgroups may race on it as freely as waves of a GPU do, and nothing they do is undefined. Words are the unit
//! since nearly all accesses of a GPU are aligned words; relaxed loads and stores of them are plain moves on every host.
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

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering, fence as host_fence};

mod locks;
mod view;
mod words;

use locks::Locked;
use view::Request;
pub use view::View;
pub use words::Words;

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
/// Bits that an address has.
pub(crate) const ADDRESS_MASK: u64 = (1 << ADDRESS_BITS) - 1;

/// The 48 bits of an address that tell places apart, if the rest is as it must be.
#[must_use]
pub fn canonical(address: u64) -> Option<u64> {
    let sign_extended = ((address << 16) as i64 >> 16) as u64;
    (address >> ADDRESS_BITS == 0 || address == sign_extended).then_some(address & ADDRESS_MASK)
}

/// What becomes of stores to a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stores {
    /// They are kept.
    Kept,
    /// They fault.
    Refused,
    /// They are lost, as those to pages that nothing is bound to; what an atomic returns is read all the same.
    Dropped,
}

impl Stores {
    /// Kept, where the guest may write.
    #[must_use]
    pub fn kept(writable: bool) -> Stores {
        if writable { Stores::Kept } else { Stores::Refused }
    }
}

/// One buffer: bytes at consecutive addresses.
#[derive(Debug)]
pub struct Region {
    name: String,
    /// 48 bits, as everywhere below.
    base: u64,
    len: u64,
    stores: Stores,
    /// Word `first + n` holds the four bytes at `(base & !3) + 4 * n`, little endian.
    words: Arc<Words>,
    first: usize,
}

impl Region {
    /// The bytes from one address to another, as a region of its own.
    fn part(&self, from: u64, to: u64) -> Region {
        let first = self.first + ((from & !3) - (self.base & !3)) as usize / 4;
        let (name, stores, words) = (self.name.clone(), self.stores, self.words.clone());
        Region { name, base: from, len: to - from, stores, words, first }
    }

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
        self.stores == Stores::Kept
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
        let mut bytes = vec![0; self.len as usize];
        read(self, self.base, &mut bytes);
        bytes
    }

    /// The same, where a number that somebody wrote decides how much it is.
    ///
    /// # Errors
    /// The host has no memory for a copy.
    pub fn try_to_bytes(&self) -> Result<Vec<u8>, MapError> {
        let too_large = |_| MapError::TooLarge { name: self.name.clone(), len: self.len, left: 0 };
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(usize::try_from(self.len).unwrap_or(usize::MAX)).map_err(too_large)?;
        bytes.resize(self.len as usize, 0);
        read(self, self.base, &mut bytes);
        Ok(bytes)
    }

    /// The words behind the bytes, for engines that check addresses themselves: word n holds the four bytes at `(base & !3) + 4 * n`. Only
    /// whole words inside the region may be accessed, and only where it may be.
    #[must_use]
    #[inline(always)]
    pub fn words(&self) -> &[AtomicU32] {
        &self.words[self.first..][..word_count(self.base, self.len)]
    }

    /// The word of a number. Those who ask have found that the bytes they want of it lie inside.
    #[inline]
    fn cell(&self, index: usize) -> &AtomicU32 {
        &self.words[self.first + index]
    }

    #[inline]
    fn index(&self, address: u64) -> usize {
        ((address - (self.base & !3)) >> 2) as usize
    }

    #[inline]
    fn byte(&self, address: u64) -> u8 {
        (self.cell(self.index(address)).load(Ordering::Relaxed) >> ((address & 3) * 8)) as u8
    }

    /// Up to four bytes; the bits above them are those of the neighbours.
    #[inline]
    fn bits(&self, address: u64, size: u64) -> u32 {
        let (index, shift) = (self.index(address), (address & 3) * 8);
        let low = self.cell(index).load(Ordering::Relaxed) >> shift;
        if shift + size * 8 <= 32 {
            return low;
        }
        // Here the shift is no zero, and the last byte of the access lies in this word, so that it exists.
        low | self.cell(index + 1).load(Ordering::Relaxed) << (32 - shift)
    }

    #[inline]
    fn word(&self, address: u64) -> u32 {
        self.bits(address, 4)
    }

    /// Replaces the bits of `mask` in the word of a number, at once. Those who ask have found that the bytes lie inside.
    #[inline]
    pub fn merge(&self, index: usize, mask: u32, bits: u32) {
        if self.stores == Stores::Dropped {
            return;
        }
        let word = self.cell(index);
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
        self.lock_at(self.lock_number(self.index(address)))
    }

    /// An aligned 64-bit load.
    fn double(&self, address: u64) -> u64 {
        self.unwritten(self.lock_number(self.index(address)), || self.double_locked(address))
    }

    fn double_locked(&self, address: u64) -> u64 {
        let index = self.index(address);
        let low = self.cell(index).load(Ordering::Relaxed);
        u64::from(self.cell(index + 1).load(Ordering::Relaxed)) << 32 | u64::from(low)
    }

    fn put_double_locked(&self, address: u64, value: u64) {
        if self.stores == Stores::Dropped {
            return;
        }
        let index = self.index(address);
        self.cell(index).store(value as u32, Ordering::Relaxed);
        self.cell(index + 1).store((value >> 32) as u32, Ordering::Relaxed);
    }
}

/// The words that have bytes of a region.
fn word_count(base: u64, len: u64) -> usize {
    ((base & 3) + len).div_ceil(4) as usize
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
        let (at, base) = self.place(name, base, len)?;
        let words = Some(word_count(base, len)).filter(|_| len <= self.left).and_then(Words::zeroes);
        let Some(words) = words else {
            return Err(MapError::TooLarge { name: name.to_owned(), len, left: self.left });
        };
        self.left -= len;
        let stores = Stores::kept(writable);
        self.regions.insert(at, Region { name: name.to_owned(), base, len, stores, words, first: 0 });
        Ok(())
    }

    /// Adds a region that shows words of others, from a byte offset on; base, offset and length are multiples of four. They count
    /// towards no limit.
    ///
    /// # Errors
    /// As [`Memory::map`]; it is too large where there are not so many words.
    pub fn map_words(
        &mut self,
        name: &str,
        base: u64,
        words: &Arc<Words>,
        offset: u64,
        len: u64,
        stores: Stores,
    ) -> Result<(), MapError> {
        let owned = || name.to_owned();
        if (base | offset | len) & 3 != 0 {
            return Err(MapError::Range { name: owned(), base, len });
        }
        let (at, base) = self.place(name, base, len)?;
        let there = (words.len() as u64 * 4).saturating_sub(offset);
        if len > there {
            return Err(MapError::TooLarge { name: owned(), len, left: there });
        }
        let (words, first) = (words.clone(), (offset / 4) as usize);
        self.regions.insert(at, Region { name: owned(), base, len, stores, words, first });
        Ok(())
    }

    /// Where a new region goes among the others, and its address in 48 bits.
    fn place(&self, name: &str, base: u64, len: u64) -> Result<(usize, u64), MapError> {
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
        match before.or(behind) {
            Some(other) => Err(MapError::Overlap { name: owned(), other: other.name.clone() }),
            None => Ok((at, base)),
        }
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

    /// These regions, and what others have where these have nothing; both show the words that they showed.
    #[must_use]
    pub fn over(&self, below: &Memory) -> Memory {
        let mut regions: Vec<Region> = self.regions.iter().map(|r| r.part(r.base, r.base + r.len)).collect();
        for region in &below.regions {
            let (mut from, end) = (region.base, region.base + region.len);
            let first = self.regions.partition_point(|r| r.base + r.len <= from);
            for above in self.regions[first..].iter().take_while(|r| r.base < end) {
                if above.base > from {
                    regions.push(region.part(from, above.base));
                }
                from = above.base + above.len;
            }
            if from < end {
                regions.push(region.part(from, end));
            }
        }
        regions.sort_by_key(|region| region.base);
        Memory { regions, left: self.left }
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

    /// The one region where an address lies, in whichever spelling.
    #[must_use]
    pub fn region_at(&self, address: u64) -> Option<&Region> {
        self.resolve(canonical(address)?, 1)
    }

    /// A way to access this memory which remembers the region it met last: one a wave, or one an instruction.
    #[must_use]
    #[inline]
    pub fn view(&self) -> View<'_> {
        View::new(self)
    }

    /// For the host: bytes as they are now.
    ///
    /// # Errors
    /// Not all of them are mapped.
    pub fn read_bytes(&self, address: u64, out: &mut [u8]) -> Result<(), Fault> {
        let request = Request { address, size: out.len() as u64, access: Access::Load };
        let start = request.check(&mut self.view())?;
        let mut view = self.view();
        let (mut rest, mut at) = (out, start);
        while !rest.is_empty() {
            let region = view.find(at, 1).ok_or(request.fault(Why::Unmapped))?;
            let here = (region.base + region.len - at).min(rest.len() as u64);
            let (now, later) = rest.split_at_mut(here as usize);
            read(region, at, now);
            (rest, at) = (later, at + here);
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

/// Reads bytes inside a region, those of whole words together.
fn read(region: &Region, address: u64, bytes: &mut [u8]) {
    let head = ((4 - (address & 3)) & 3).min(bytes.len() as u64) as usize;
    let (head, rest) = bytes.split_at_mut(head);
    let first = address + head.len() as u64;
    for (at, byte) in (address..).zip(head) {
        *byte = region.byte(at);
    }
    let (words, tail) = rest.as_chunks_mut::<4>();
    let behind = first + 4 * words.len() as u64;
    let from = region.words().get(((first - (region.base & !3)) / 4) as usize..).unwrap_or_default();
    for (bytes, word) in words.iter_mut().zip(from) {
        *bytes = word.load(Ordering::Relaxed).to_le_bytes();
    }
    for (at, byte) in (behind..).zip(tail) {
        *byte = region.byte(at);
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

#[cfg(test)]
mod tests;
