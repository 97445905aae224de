//! The local data share of one workgroup: bytes that its waves share, run on one host thread.
//!
//! An access out of range is no fault: loads give 0, stores and atomics do nothing. Where the range ends, what an access across the
//! end does, and what becomes of low address bits differs by generation; [`Rules`] hold that for one instruction. Addresses count
//! from the beginning of the group's allocation.

use super::guest::{Access, Fault, Why};
use crate::fault::planted;
use crate::fault::spoil::stored;
use crate::isa::arch::{Gen, Target};

/// An address that no LDS has.
pub const OUT_OF_RANGE: u32 = u32::MAX;

/// How many lanes see each other in permutations of a wave of `lanes`. Compilers rely on all 64 on gfx8, gfx9 and gfx12, and on gfx10 and
/// gfx11 bring values from one half to the other by themselves (MEMORY_FACTS 14).
#[must_use]
pub fn permute_lanes(generation: Gen, lanes: u32) -> u32 {
    match generation {
        Gen::Gfx10 | Gen::Gfx11 => 32,
        Gen::Gfx6 | Gen::Gfx7 | Gen::Gfx8 | Gen::Gfx9 | Gen::Gfx12 => lanes,
    }
}

/// What append and consume add to their offset, for a group that has `bytes` of LDS. M0 is what LLVM puts a pointer into, on gfx12 too, and
/// what ACO leaves anything in, -1 up to gfx8, where it counts on the offset alone. Both work if M0 counts only where it may be a pointer:
/// a multiple of 4 inside the group's allocation.
#[must_use]
pub fn append_base(m0: u32, bytes: u32) -> u32 {
    if m0 < bytes && m0.is_multiple_of(4) { m0 } else { 0 }
}

/// How a processor treats LDS addresses: made once an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The first byte in range: 0 but in GDS.
    first: u32,
    /// The first byte out of range.
    limit: u32,
    /// A wide access across the end does nothing at all.
    whole: bool,
    /// Low address bits are dropped.
    align: bool,
    /// A negative base address is out of range, even if the offset makes it positive: a bug of gfx6.
    signed_base: bool,
}

impl Rules {
    /// For an allocation of `bytes`. Up to gfx8 `m0` limits it further; later it is ignored.
    #[must_use]
    pub fn new(target: &Target, m0: u32, bytes: u32) -> Rules {
        let generation = target.generation();
        Rules {
            first: 0,
            limit: if generation <= Gen::Gfx8 && !planted!(LdsLimitIgnored)
                || generation >= Gen::Gfx9 && planted!(LdsLimitKept)
            {
                m0.min(bytes)
            } else {
                bytes
            },
            whole: generation <= Gen::Gfx11 && !planted!(LdsEndInPart)
                || generation == Gen::Gfx12 && planted!(LdsEndWhole),
            align: generation <= Gen::Gfx8 && !planted!(LdsLowBitsKept)
                || generation >= Gen::Gfx9 && planted!(LdsLowBitsDropped),
            signed_base: generation == Gen::Gfx6 && !planted!(LdsNegativeBase),
        }
    }

    /// For the global data share of so many `bytes`, of which `m0` gives an instruction a part: its base above, its size below.
    #[must_use]
    pub fn global(target: &Target, m0: u32, bytes: u32) -> Rules {
        let (base, size) = (if planted!(GdsBaseLost) { 0 } else { m0 >> 16 }, m0 & 0xffff);
        let limit = if planted!(GdsSizeIgnored) { bytes } else { (base + size).min(bytes) };
        Rules { first: base, limit, signed_base: false, ..Rules::new(target, u32::MAX, bytes) }
    }

    /// The first byte out of range.
    #[must_use]
    #[inline]
    pub fn limit(&self) -> u32 {
        self.limit
    }

    /// The address of a register and an offset of the instruction.
    #[must_use]
    #[inline]
    pub fn address(&self, base: u32, offset: u32) -> u32 {
        if self.signed_base && base >> 31 != 0 && offset != 0 {
            OUT_OF_RANGE
        } else {
            base.wrapping_add(offset).wrapping_add(self.first)
        }
    }

    /// What is added to registers for their [addresses](Rules::address), if that is the same for all.
    #[must_use]
    #[inline(always)]
    pub fn offset(&self, bases: &[u32], offset: u32) -> Option<u32> {
        let is_same = !self.signed_base || offset == 0 || bases.iter().fold(0, |all, base| all | base) >> 31 == 0;
        is_same.then(|| offset.wrapping_add(self.first))
    }

    /// To what an access of so many bytes must be aligned so that no address bit is dropped.
    #[must_use]
    #[inline]
    pub fn alignment(&self, size: u32) -> u32 {
        if self.align { size.min(16).next_power_of_two() } else { 1 }
    }

    /// Drops low bits. 96 and 128 bits want 16 bytes.
    #[inline]
    fn aligned(&self, address: u32, size: u32) -> u32 {
        if self.align {
            address & !(size.min(if size > 8 && planted!(Lds96Aligned8) { 8 } else { 16 }).next_power_of_two() - 1)
        } else {
            address
        }
    }

    #[inline]
    fn covers(&self, address: u32, size: u32) -> bool {
        address >= self.first && u64::from(address) + u64::from(size) <= u64::from(self.limit)
    }

    /// The address of an atomic, `None` if it does nothing.
    fn atomic(&self, address: u32, size: u32) -> Result<Option<u32>, Fault> {
        let at = self.aligned(address, size);
        if at & (size - 1) != 0 {
            let address = u64::from(address);
            return Err(Fault { address, size: size.into(), access: Access::Atomic, why: Why::Misaligned });
        }
        Ok(self.covers(at, size).then_some(at))
    }
}

/// The bytes of one workgroup.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Lds {
    /// Little endian; the last one may hold bytes beyond the allocation, which no access reaches.
    words: Vec<u32>,
    bytes: u32,
}

/// Bits of a value of 1 to 4 bytes.
const fn mask(size: u32) -> u32 {
    u32::MAX >> (32 - 8 * size)
}

/// Little-endian words from bytes; the last one may be short.
pub fn put_words(words: &mut [u32], bytes: &[u8]) {
    for (word, bytes) in words.iter_mut().zip(bytes.chunks(4)) {
        *word = bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
    }
}

impl Lds {
    /// `bytes` zeros.
    #[must_use]
    pub fn new(bytes: u32) -> Lds {
        Lds { words: vec![0; bytes.div_ceil(4) as usize], bytes }
    }

    /// Bytes.
    #[must_use]
    pub fn bytes(&self) -> u32 {
        self.bytes
    }

    /// The contents.
    #[must_use]
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// For the host: the contents.
    pub fn words_mut(&mut self) -> &mut [u32] {
        &mut self.words
    }

    /// Reads up to four bytes. The caller has checked the limit, which never exceeds the words.
    #[inline]
    fn get(&self, at: u32, size: u32) -> u32 {
        let (index, shift) = ((at / 4) as usize, at % 4 * 8);
        let word = |n: usize| self.words.get(n).copied().unwrap_or(0);
        let low = word(index) >> shift;
        let both = if shift + size * 8 > 32 { low | word(index + 1) << (32 - shift) } else { low };
        both & mask(size)
    }

    /// Writes up to four bytes.
    #[inline]
    fn put(&mut self, at: u32, size: u32, value: u32) {
        let (index, shift) = ((at / 4) as usize, at % 4 * 8);
        let (bits, mask) = (u64::from(value & mask(size)) << shift, u64::from(mask(size)) << shift);
        for (word, half) in self.words.iter_mut().skip(index).zip([0, 32]) {
            *word = *word & !((mask >> half) as u32) | (bits >> half) as u32;
        }
    }

    #[inline]
    fn load(&self, rules: &Rules, address: u32, size: u32) -> u32 {
        let at = rules.aligned(address, size);
        if rules.covers(at, size) { self.get(at, size) } else { 0 }
    }

    #[inline]
    fn store(&mut self, rules: &Rules, address: u32, size: u32, value: u32) {
        let at = rules.aligned(address, size);
        if rules.covers(at, size) {
            self.put(at, size, value ^ stored());
        }
    }

    /// Reads a byte.
    #[must_use]
    pub fn load_u8(&self, rules: &Rules, address: u32) -> u8 {
        self.load(rules, address, 1) as u8
    }

    /// Reads 16 bits.
    #[must_use]
    pub fn load_u16(&self, rules: &Rules, address: u32) -> u16 {
        self.load(rules, address, 2) as u16
    }

    /// Reads 32 bits.
    #[must_use]
    #[inline]
    pub fn load_u32(&self, rules: &Rules, address: u32) -> u32 {
        if address & 3 == 0 && rules.covers(address, 4) {
            return self.words.get((address / 4) as usize).copied().unwrap_or(0);
        }
        self.load(rules, address, 4)
    }

    /// Reads 64, 96 or 128 bits at once.
    #[inline]
    pub fn load_words(&self, rules: &Rules, address: u32, out: &mut [u32]) {
        let size = out.len() as u32 * 4;
        let at = rules.aligned(address, size);
        let all = rules.covers(at, size);
        for (n, word) in (0u32..).zip(out) {
            // Beyond the last address there is nothing, not the beginning.
            let part = at.checked_add(n * 4).filter(|&part| all || !rules.whole && rules.covers(part, 4));
            *word = part.map_or(0, |part| self.get(part, 4));
        }
    }

    /// Writes a byte.
    pub fn store_u8(&mut self, rules: &Rules, address: u32, value: u8) {
        self.store(rules, address, 1, value.into());
    }

    /// Writes 16 bits.
    pub fn store_u16(&mut self, rules: &Rules, address: u32, value: u16) {
        self.store(rules, address, 2, value.into());
    }

    /// Writes 32 bits.
    #[inline]
    pub fn store_u32(&mut self, rules: &Rules, address: u32, value: u32) {
        if address & 3 == 0 && rules.covers(address, 4) {
            if let Some(word) = self.words.get_mut((address / 4) as usize) {
                *word = value ^ stored();
            }
            return;
        }
        self.store(rules, address, 4, value);
    }

    /// Writes 64, 96 or 128 bits at once.
    #[inline]
    pub fn store_words(&mut self, rules: &Rules, address: u32, words: &[u32]) {
        let size = words.len() as u32 * 4;
        let at = rules.aligned(address, size);
        let all = rules.covers(at, size);
        for (n, &word) in (0u32..).zip(words) {
            if let Some(part) = at.checked_add(n * 4).filter(|&part| all || !rules.whole && rules.covers(part, 4)) {
                self.put(part, 4, word ^ stored());
            }
        }
    }

    /// Replaces 32 bits by a function of them and returns what they were; out of range, 0.
    ///
    /// # Errors
    /// The address is not aligned, on processors that do not align it.
    pub fn rmw_u32(&mut self, rules: &Rules, address: u32, new: impl FnOnce(u32) -> u32) -> Result<u32, Fault> {
        let Some(at) = rules.atomic(address, 4)? else { return Ok(0) };
        let old = self.get(at, 4);
        self.put(at, 4, new(old) ^ stored());
        Ok(old)
    }

    /// Replaces 64 bits by a function of them and returns what they were; out of range, 0.
    ///
    /// # Errors
    /// The address is not aligned, on processors that do not align it.
    pub fn rmw_u64(&mut self, rules: &Rules, address: u32, new: impl FnOnce(u64) -> u64) -> Result<u64, Fault> {
        let Some(at) = rules.atomic(address, 8)? else { return Ok(0) };
        let old = u64::from(self.get(at + 4, 4)) << 32 | u64::from(self.get(at, 4));
        let value = new(old) ^ u64::from(stored());
        self.put(at, 4, value as u32);
        self.put(at + 4, 4, (value >> 32) as u32);
        Ok(old)
    }
}

#[cfg(test)]
mod tests {
    //! Expected values follow from bytes that count up, and from MEMORY_FACTS 14.

    use super::*;
    use crate::isa::arch::Arch;
    use proptest::prelude::*;

    fn rules(name: &str, m0: u32, bytes: u32) -> Rules {
        Rules::new(&Target::new(Arch::find(name).expect("a processor")), m0, bytes)
    }

    fn counting(bytes: u32) -> Lds {
        let mut lds = Lds::new(bytes);
        for (n, word) in (0u32..).zip(lds.words_mut()) {
            *word = 0x0302_0100 + n * 0x0404_0404;
        }
        lds
    }

    #[test]
    fn unaligned_or_aligned_down() {
        let lds = counting(64);
        let new = rules("gfx1100", 0, 64);
        assert_eq!(lds.load_u8(&new, 7), 7);
        assert_eq!(lds.load_u16(&new, 3), 0x0403);
        assert_eq!(lds.load_u32(&new, 5), 0x0807_0605);
        let mut words = [0; 4];
        lds.load_words(&new, 9, &mut words[..2]);
        assert_eq!(words[..2], [0x0c0b_0a09, 0x100f_0e0d]);
        let old = rules("gfx803", !0, 64);
        assert_eq!(lds.load_u8(&old, 7), 7);
        assert_eq!(lds.load_u16(&old, 3), 0x0302);
        assert_eq!(lds.load_u32(&old, 7), 0x0706_0504);
        lds.load_words(&old, 15, &mut words[..2]);
        assert_eq!(words[..2], [0x0b0a_0908, 0x0f0e_0d0c]);
        lds.load_words(&old, 31, &mut words);
        assert_eq!(words, [0x1312_1110, 0x1716_1514, 0x1b1a_1918, 0x1f1e_1d1c]);
        lds.load_words(&old, 31, &mut words[..3]);
        assert_eq!(words[0], 0x1312_1110);
    }

    #[test]
    fn the_end() {
        let mut lds = counting(32);
        let mut words = [7; 4];
        for name in ["gfx900", "gfx1030", "gfx1100"] {
            lds.load_words(&rules(name, 0, 32), 24, &mut words);
            assert_eq!(words, [0; 4], "{name}");
        }
        let gfx12 = rules("gfx1200", 0, 32);
        lds.load_words(&gfx12, 24, &mut words);
        assert_eq!(words, [0x1b1a_1918, 0x1f1e_1d1c, 0, 0]);
        assert_eq!(lds.load_u32(&gfx12, 29), 0);
        assert_eq!(lds.load_u32(&gfx12, 28), 0x1f1e_1d1c);
        lds.load_words(&gfx12, !3, &mut words);
        assert_eq!(words, [0; 4]);
        lds.store_words(&rules("gfx1100", 0, 32), 24, &[1, 2, 3]);
        assert_eq!(lds, counting(32));
        lds.store_words(&gfx12, 24, &[1, 2, 3]);
        assert_eq!(lds.words()[6..], [1, 2]);
        assert_eq!(lds.rmw_u32(&gfx12, 32, |_| 5), Ok(0));
        assert_eq!(lds.rmw_u64(&gfx12, 24, |x| x + 1), Ok(2 << 32 | 1));
        assert_eq!(lds.words()[6..], [2, 2]);
    }

    #[test]
    fn m0_limits_old_chips() {
        let lds = counting(32);
        for (name, expect) in [("gfx600", 0), ("gfx701", 0), ("gfx803", 0), ("gfx900", 0x1312_1110)] {
            assert_eq!(lds.load_u32(&rules(name, 16, 32), 16), expect, "{name}");
            assert_eq!(lds.load_u32(&rules(name, 16, 32), 12), 0x0f0e_0d0c, "{name}");
            assert_eq!(lds.load_u32(&rules(name, !0, 32), 16), 0x1312_1110, "{name}");
        }
    }

    #[test]
    fn negative_bases() {
        assert_eq!(rules("gfx600", !0, 32).address(-4i32 as u32, 8), OUT_OF_RANGE);
        assert_eq!(rules("gfx700", !0, 32).address(-4i32 as u32, 8), 4);
        assert_eq!(counting(32).load_u8(&rules("gfx600", !0, 32), OUT_OF_RANGE), 0);
    }

    #[test]
    fn misaligned_atomics() {
        let mut lds = counting(32);
        assert_eq!(lds.rmw_u32(&rules("gfx803", !0, 32), 6, |x| x), Ok(0x0706_0504));
        let fault = lds.rmw_u64(&rules("gfx900", 0, 32), 4, |x| x);
        assert_eq!(fault, Err(Fault { address: 4, size: 8, access: Access::Atomic, why: Why::Misaligned }));
    }

    proptest! {
        /// Against plain bytes on a processor which aligns nothing.
        #[test]
        fn behaves_as_bytes(len in 0u32..50, steps in prop::collection::vec((any::<u32>(), 0usize..6, any::<u32>()), 1..50)) {
            let rules = rules("gfx1100", 0, len);
            let mut lds = Lds::new(len);
            let mut model = vec![0u8; len as usize];
            for (address, kind, value) in steps {
                let at = if address % 5 == 0 { address } else { address % 60 };
                let size = [1u32, 2, 4, 8, 12, 16][kind];
                let words = [value, !value, value ^ 77, value.wrapping_add(9)];
                let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).take(size as usize).collect();
                match kind {
                    0 => lds.store_u8(&rules, at, value as u8),
                    1 => lds.store_u16(&rules, at, value as u16),
                    2 => lds.store_u32(&rules, at, value),
                    _ => lds.store_words(&rules, at, &words[..size as usize / 4]),
                }
                let end = u64::from(at) + u64::from(size);
                let inside = end <= u64::from(len);
                if inside {
                    model[at as usize..end as usize].copy_from_slice(&bytes);
                }
                prop_assert_eq!(lds.load_u8(&rules, at), model.get(at as usize).copied().unwrap_or(0));
                let mut back = [1; 4];
                lds.load_words(&rules, at, &mut back);
                if u64::from(at) + 16 > u64::from(len) {
                    prop_assert_eq!(back, [0; 4]);
                }
                let stored: Vec<u8> = lds.words().iter().flat_map(|w| w.to_le_bytes()).take(len as usize).collect();
                prop_assert_eq!(&stored, &model);
            }
        }
    }
}
