//! The data share for all lanes at once.
//!
//! It is of one thread, so that nothing has to be said about order but that of the lanes: where they meet, they come from the lowest.

use super::{Eights, Lanes, by_operation, joined, moved};
use crate::fault::spoil::stored;
use crate::isa::does::{Half, Item};
use crate::memory::atomic::float::FloatRules;
use crate::memory::atomic::{Atomic, Op, Width};
use crate::memory::lds::{Lds, Rules};

/// Where a row lies in LDS: the items of all lanes follow each other, aligned and in range.
#[derive(Clone, Copy)]
pub(in crate::emu::memory) struct Row {
    /// The first byte.
    at: usize,
}

impl Row {
    /// From the address register of an instruction and an offset, for so many bytes of this alignment.
    #[inline(always)]
    pub(in crate::emu::memory) fn new<const L: usize>(
        lanes: &Lanes<'_, L>,
        rules: &Rules,
        (addr, offset): (u32, u32),
        (size, align): (u32, u32),
    ) -> Option<Row> {
        Row::at(lanes, rules, rules.address(lanes.row(addr, 0, size)?, offset), (size, align))
    }

    /// From the addresses of all lanes.
    #[inline(always)]
    pub(in crate::emu::memory) fn of<const L: usize>(
        lanes: &Lanes<'_, L>,
        rules: &Rules,
        at: &[u32; L],
        (size, align): (u32, u32),
    ) -> Option<Row> {
        let mut apart = 0;
        for (lane, here) in (0..).zip(at) {
            apart |= here ^ at[0].wrapping_add(lane * size);
        }
        if apart != 0 || !lanes.are_all() {
            return None;
        }
        Row::at(lanes, rules, at[0], (size, align))
    }

    /// From the first address.
    #[inline(always)]
    fn at<const L: usize>(_: &Lanes<'_, L>, rules: &Rules, at: u32, (size, align): (u32, u32)) -> Option<Row> {
        let low = rules.alignment(size).max(align) - 1;
        let fits = u64::from(at) + u64::from(L as u32 * size) <= rules.limit().into();
        (fits && (at | size) & low == 0).then_some(Row { at: at as usize })
    }

    /// Loads what the lanes move.
    #[inline(always)]
    pub(in crate::emu::memory) fn load<const L: usize>(
        self,
        lanes: &Lanes<'_, L>,
        lds: &Lds,
        what: (Item, Half),
        dst: u32,
    ) -> Option<()> {
        match what.0 {
            Item::Words(1) => self.load_words::<1, L>(lanes, lds, dst),
            Item::Words(2) => self.load_words::<2, L>(lanes, lds, dst),
            Item::Words(3) => self.load_words::<3, L>(lanes, lds, dst),
            Item::Words(4) => self.load_words::<4, L>(lanes, lds, dst),
            Item::U8 | Item::I8 if cfg!(target_endian = "little") => {
                let row = bytemuck::cast_slice::<u32, u8>(lds.words()).get(self.at..)?.first_chunk::<L>()?;
                lanes.put_narrow(
                    what,
                    dst,
                    #[inline(always)]
                    |lane| row[lane].into(),
                )
            }
            _ => None,
        }
    }

    /// Loads words.
    #[inline(always)]
    pub(in crate::emu::memory) fn load_words<const N: usize, const L: usize>(
        self,
        lanes: &Lanes<'_, L>,
        lds: &Lds,
        dst: u32,
    ) -> Option<()> {
        let words = lds.words().get(self.at / 4..)?.as_chunks::<L>().0.first_chunk::<N>()?;
        moved::put_wide(lanes, words, lanes.registers(dst)?);
        Some(())
    }

    /// Stores what the lanes move.
    #[inline(always)]
    pub(in crate::emu::memory) fn store<const L: usize>(
        self,
        lanes: &Lanes<'_, L>,
        lds: &mut Lds,
        (item, half): (Item, Half),
        data: u32,
    ) -> Option<()> {
        match item {
            Item::Words(1) => self.store_words::<1, L>(lanes, lds, data),
            Item::Words(2) => self.store_words::<2, L>(lanes, lds, data),
            Item::Words(3) => self.store_words::<3, L>(lanes, lds, data),
            Item::Words(4) => self.store_words::<4, L>(lanes, lds, data),
            Item::U8 | Item::I8 if cfg!(target_endian = "little") => {
                let bytes: &mut [u8] = bytemuck::cast_slice_mut(lds.words_mut());
                let row = bytes.get_mut(self.at..)?.first_chunk_mut::<L>()?;
                let shift = if half == Half::High { 16 } else { 0 };
                for (to, from) in row.iter_mut().zip(lanes.register(data, 0)?) {
                    *to = ((from.get() >> shift) ^ stored()) as u8;
                }
                Some(())
            }
            _ => None,
        }
    }

    /// Stores words.
    #[inline(always)]
    fn store_words<const N: usize, const L: usize>(self, lanes: &Lanes<'_, L>, lds: &mut Lds, data: u32) -> Option<()> {
        let from = lanes.registers::<N>(data)?;
        let row = lds.words_mut().get_mut(self.at / 4..)?.as_chunks_mut::<N>().0.first_chunk_mut::<L>()?;
        for (lane, to) in row.iter_mut().enumerate() {
            for (to, from) in to.iter_mut().zip(from) {
                *to = from[lane].get() ^ stored();
            }
        }
        Some(())
    }
}

/// Where the lanes are in LDS: bytes, in range and aligned.
#[derive(Clone, Copy)]
pub(in crate::emu::memory) struct Found<const L: usize> {
    at: [u32; L],
}

impl<const L: usize> Found<L> {
    /// From the address register of an instruction and its offsets, for so many bytes of this alignment at each.
    #[inline(always)]
    pub(in crate::emu::memory) fn at<const K: usize>(
        lanes: &Lanes<'_, L>,
        rules: &Rules,
        (addr, offsets): (u32, [u32; K]),
        (size, align): (u32, u32),
    ) -> Option<[Found<L>; K]> {
        let mut base = lanes.words(addr, 0)?;
        lanes.fill(&mut base);
        // A base that would be in range by an offset that wraps is left to the lanes.
        let last = offsets.iter().try_fold(u32::MAX, |last: u32, offset| {
            Some(last.min(rules.limit().checked_sub(size)?.checked_sub(rules.address(0, *offset))?))
        })?;
        let low = rules.alignment(size).max(align) - 1;
        let first = rules.address(0, offsets[0]);
        if offsets.iter().any(|offset| (offset ^ offsets[0]) & low != 0) {
            return None;
        }
        let (mut most, mut odd) = (0, 0);
        for here in &base {
            most = most.max(*here);
            odd |= here.wrapping_add(first);
        }
        if most > last || odd & low != 0 {
            return None;
        }
        let mut all = [Found { at: base }; K];
        for (found, offset) in all.iter_mut().zip(offsets) {
            let behind = rules.address(0, offset);
            for at in &mut found.at {
                *at = at.wrapping_add(behind);
            }
        }
        Some(all)
    }

    /// From addresses.
    #[inline(always)]
    pub(in crate::emu::memory) fn new(
        lanes: &Lanes<'_, L>,
        rules: &Rules,
        mut at: [u32; L],
        (size, align): (u32, u32),
    ) -> Option<Found<L>> {
        lanes.fill(&mut at);
        let last = rules.limit().checked_sub(size)?;
        let low = rules.alignment(size).max(align) - 1;
        let mut bad = false;
        for here in &at {
            bad |= (*here > last) | (here & low != 0);
        }
        (!bad).then_some(Found { at })
    }

    /// Loads what the lanes move.
    #[inline(always)]
    pub(in crate::emu::memory) fn load(
        &self,
        lanes: &Lanes<'_, L>,
        lds: &Lds,
        what: (Item, Half),
        dst: u32,
    ) -> Option<()> {
        match what.0 {
            Item::Words(1) => self.load_words::<1>(lanes, lds, dst),
            Item::Words(2) => self.load_words::<2>(lanes, lds, dst),
            Item::Words(3) => self.load_words::<3>(lanes, lds, dst),
            Item::Words(4) => self.load_words::<4>(lanes, lds, dst),
            _ => {
                let words = lds.words();
                lanes.put_narrow(
                    what,
                    dst,
                    #[inline(always)]
                    |lane| {
                        let at = self.at[lane];
                        words.get((at / 4) as usize).copied().unwrap_or(0) >> (at % 4 * 8)
                    },
                )
            }
        }
    }

    /// Stores what the lanes move.
    #[inline(always)]
    pub(in crate::emu::memory) fn store(
        &self,
        lanes: &Lanes<'_, L>,
        lds: &mut Lds,
        what: (Item, Half),
        data: u32,
    ) -> Option<()> {
        match what.0 {
            Item::Words(1) => Found::store_words::<1, 1>(&[*self], lanes, lds, [data]),
            Item::Words(2) => Found::store_words::<2, 1>(&[*self], lanes, lds, [data]),
            Item::Words(3) => Found::store_words::<3, 1>(&[*self], lanes, lds, [data]),
            Item::Words(4) => Found::store_words::<4, 1>(&[*self], lanes, lds, [data]),
            _ => self.store_narrow(lanes, lds, what, data),
        }
    }

    /// Loads words.
    #[inline(always)]
    pub(in crate::emu::memory) fn load_words<const N: usize>(
        &self,
        lanes: &Lanes<'_, L>,
        lds: &Lds,
        dst: u32,
    ) -> Option<()> {
        let (to, words) = (lanes.registers::<N>(dst)?, lds.words());
        let eights = lanes.eights(&self.at, 4 * N as u32);
        if eights != Eights::Apart {
            for (n, at) in self.at.as_chunks::<8>().0.iter().enumerate() {
                let from = words.get((at[0] / 4) as usize..)?.as_chunks::<N>().0;
                for (word, to) in to.iter().enumerate() {
                    let to = to.get(8 * n..)?.first_chunk::<8>()?;
                    if eights == Eights::Same {
                        let same = from.first()?[word];
                        to.iter().for_each(
                            #[inline(always)]
                            |to| to.set(same),
                        );
                    } else {
                        for (to, from) in to.iter().zip(from.first_chunk::<8>()?) {
                            to.set(from[word]);
                        }
                    }
                }
            }
            return Some(());
        }
        lanes.each(
            #[inline(always)]
            |lane| {
                // In range: there is always something.
                if let Some(from) = words.get((self.at[lane] / 4) as usize..).and_then(|words| words.first_chunk::<N>())
                {
                    for (to, from) in to.iter().zip(from) {
                        to[lane].set(*from);
                    }
                }
            },
        );
        Some(())
    }

    /// Stores words at one place each, or at several.
    #[inline(always)]
    pub(in crate::emu::memory) fn store_words<const N: usize, const K: usize>(
        places: &[Found<L>; K],
        lanes: &Lanes<'_, L>,
        lds: &mut Lds,
        data: [u32; K],
    ) -> Option<()> {
        let mut from = [lanes.registers::<N>(data[0])?; K];
        for (from, data) in from.iter_mut().zip(data) {
            *from = lanes.registers::<N>(data)?;
        }
        let words = lds.words_mut();
        lanes.each(
            #[inline(always)]
            |lane| {
                for (place, from) in places.iter().zip(&from) {
                    let to =
                        words.get_mut((place.at[lane] / 4) as usize..).and_then(|words| words.first_chunk_mut::<N>());
                    if let Some(to) = to {
                        for (to, from) in to.iter_mut().zip(from) {
                            *to = from[lane].get() ^ stored();
                        }
                    }
                }
            },
        );
        Some(())
    }

    /// Stores bytes or halves.
    #[inline(always)]
    fn store_narrow(&self, lanes: &Lanes<'_, L>, lds: &mut Lds, (item, half): (Item, Half), data: u32) -> Option<()> {
        let from = lanes.register(data, 0)?;
        let shift = if half == Half::High { 16 } else { 0 };
        // A byte is a store of its own to the host too: words would wait for each other.
        match item {
            Item::U8 | Item::I8 => {
                let bytes: &mut [u8] = bytemuck::cast_slice_mut(lds.words_mut());
                let end = if cfg!(target_endian = "big") { 3 } else { 0 };
                lanes.each(
                    #[inline(always)]
                    |lane| {
                        if let Some(to) = bytes.get_mut((self.at[lane] ^ end) as usize) {
                            *to = ((from[lane].get() >> shift) ^ stored()) as u8;
                        }
                    },
                );
            }
            Item::U16 | Item::I16 => {
                let halves: &mut [u16] = bytemuck::cast_slice_mut(lds.words_mut());
                let end = if cfg!(target_endian = "big") { 1 } else { 0 };
                lanes.each(
                    #[inline(always)]
                    |lane| {
                        if let Some(to) = halves.get_mut(((self.at[lane] / 2) ^ end) as usize) {
                            *to = ((from[lane].get() >> shift) ^ stored()) as u16;
                        }
                    },
                );
            }
            Item::Words(_) => return None,
        }
        Some(())
    }

    /// Applies an operation to words or pairs. Both operands lie in registers; what was there goes to others, where it is wanted.
    #[inline(always)]
    pub(in crate::emu::memory) fn modify(
        &self,
        lanes: &Lanes<'_, L>,
        lds: &mut Lds,
        (atomic, floats): (&Atomic, FloatRules),
        operands: [u32; 2],
        result: Option<u32>,
    ) -> Option<()> {
        let (first, second) = (lanes.registers::<2>(operands[0])?, lanes.registers::<2>(operands[1])?);
        let ((data, other), words) = (atomic.order(first, second), lds.words_mut());
        let to = match result {
            Some(at) => Some(lanes.registers::<2>(at)?),
            None => None,
        };
        match atomic.width {
            Width::W32 => by_operation!(atomic.op, |op| {
                lanes.each(
                    #[inline(always)]
                    |lane| {
                        if let Some(word) = words.get_mut((self.at[lane] / 4) as usize) {
                            let old = *word;
                            *word = op.apply_u32(old, data[0][lane].get(), other[0][lane].get(), floats) ^ stored();
                            if let Some(to) = to {
                                to[0][lane].set(old);
                            }
                        }
                    },
                )
            }),
            Width::W64 => lanes.each(
                #[inline(always)]
                |lane| {
                    let pair = words.get_mut((self.at[lane] / 4) as usize..).and_then(|words| words.first_chunk_mut());
                    if let Some([low, high]) = pair {
                        let old = joined(*low, *high);
                        let data = joined(data[0][lane].get(), data[1][lane].get());
                        let other = joined(other[0][lane].get(), other[1][lane].get());
                        let new = atomic.op.apply_u64(old, data, other, floats) ^ u64::from(stored());
                        (*low, *high) = (new as u32, (new >> 32) as u32);
                        if let Some(to) = to {
                            to[0][lane].set(old as u32);
                            to[1][lane].set((old >> 32) as u32);
                        }
                    }
                },
            ),
        }
        Some(())
    }
}
