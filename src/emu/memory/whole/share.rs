//! The data share for all lanes at once.
//!
//! It is of one thread, so that nothing has to be said about order but that of the lanes: where they meet, they come from the lowest.

use super::{Eights, LANES, Lanes, Shape, aligned, by_operation, joined, moved};
use crate::emu::memory::common::STRIDE;
use crate::fault::spoil::stored;
use crate::isa::does::{Half, Item};
use crate::memory::atomic::float::FloatRules;
use crate::memory::atomic::{Atomic, Op, Width};
use crate::memory::lds::{Lds, Rules};
use std::cell::Cell;

/// Where lanes are: what a register says, and the offsets of the instruction.
pub(in crate::emu::memory) type At<'r, const K: usize, const L: usize> = (&'r [Cell<u32>; L], [u32; K]);

/// Loads what the lanes move.
#[inline(always)]
pub(in crate::emu::memory) fn load<const L: usize>(
    lanes: &Lanes<'_, L>,
    (lds, rules): (&Lds, &Rules),
    at: At<'_, 1, L>,
    what: (Item, Half),
    dst: u32,
) -> Option<()> {
    match what.0 {
        Item::Words(1) => load_words::<1, 1, L>(lanes, (lds, rules), at, dst),
        Item::Words(2) => load_words::<2, 1, L>(lanes, (lds, rules), at, dst),
        Item::Words(3) => load_words::<3, 1, L>(lanes, (lds, rules), at, dst),
        Item::Words(4) => load_words::<4, 1, L>(lanes, (lds, rules), at, dst),
        _ => {
            if let Some(row) = Row::of(lanes, rules, at, what.0)
                && row.load_narrow(lanes, lds, what, dst).is_some()
            {
                return Some(());
            }
            let [found] = Found::at(lanes, rules, at, aligned(what.0))?;
            found.load_narrow(lanes, lds, what, dst)
        }
    }
}

/// Loads words, for each offset into registers of its own.
#[inline(always)]
pub(in crate::emu::memory) fn load_words<const N: usize, const K: usize, const L: usize>(
    lanes: &Lanes<'_, L>,
    (lds, rules): (&Lds, &Rules),
    at: At<'_, K, L>,
    dst: u32,
) -> Option<()> {
    let size = 4 * N as u32;
    let to = |k: usize| lanes.registers::<N>(dst + k as u32 * N as u32 * STRIDE);
    match lanes.shape(at.0, size) {
        Shape::Row(first) => {
            let mut rows = [None; K];
            for (row, offset) in rows.iter_mut().zip(at.1) {
                *row = Some(Row::at::<L>(rules, rules.address(first, offset), (size, 4))?);
            }
            for (k, row) in rows.iter().enumerate() {
                (*row)?.load_words(lanes, lds, to(k)?)?;
            }
            return Some(());
        }
        Shape::Eights(eights) => {
            if let Some(tiles) = Tiles::at(rules, &eights, at.1, size, lds) {
                for k in 0..K {
                    if eights.rows {
                        tiles.load_rows(lanes, k, to(k)?)?;
                    } else {
                        tiles.load_places(lanes, k, to(k)?)?;
                    }
                }
                return Some(());
            }
        }
        Shape::Apart => {}
    }
    let all = Found::at(lanes, rules, at, (size, 4))?;
    for (k, found) in all.iter().enumerate() {
        found.load_words(lanes, lds, to(k)?);
    }
    Some(())
}

/// Stores what the lanes move.
#[inline(always)]
pub(in crate::emu::memory) fn store<const L: usize>(
    lanes: &Lanes<'_, L>,
    (lds, rules): (&mut Lds, &Rules),
    at: At<'_, 1, L>,
    what: (Item, Half),
    data: u32,
) -> Option<()> {
    if let Some(row) = Row::of(lanes, rules, at, what.0)
        && row.store(lanes, lds, what, data).is_some()
    {
        return Some(());
    }
    let [found] = Found::at(lanes, rules, at, aligned(what.0))?;
    found.store(lanes, lds, what, data)
}

/// How far the largest of some addresses may reach, so that items of so many bytes are in range at each offset from it. An address that would be
/// in range by an offset that wraps is left to the lanes.
#[inline(always)]
fn last<const K: usize>(rules: &Rules, offsets: [u32; K], size: u32) -> Option<u32> {
    let mut last = u32::MAX;
    for offset in offsets {
        last = last.min(rules.limit().checked_sub(size)?.checked_sub(rules.address(0, offset))?);
    }
    Some(last)
}

/// Where the eights of lanes begin in LDS, aligned and in range, for each offset.
struct Tiles<'l, const K: usize> {
    words: &'l [u32],
    at: [[u32; LANES / 8]; K],
}

impl<'l, const K: usize> Tiles<'l, K> {
    /// From where they begin without the offsets.
    #[inline(always)]
    fn at(rules: &Rules, eights: &Eights, offsets: [u32; K], size: u32, lds: &'l Lds) -> Option<Tiles<'l, K>> {
        let words = lds.words();
        let (mut at, mut odd) = ([eights.first; K], eights.bits);
        for (at, offset) in at.iter_mut().zip(offsets) {
            let behind = rules.address(0, offset);
            odd |= behind;
            for at in at {
                *at = at.wrapping_add(behind) / 4;
            }
        }
        let low = rules.alignment(size).max(4) - 1;
        // No byte in range lies behind the last word.
        let all = words.len() >= (rules.limit() / 4) as usize;
        (all && odd & low == 0 && eights.most <= last(rules, offsets, size)?).then_some(Tiles { words, at })
    }

    /// Loads words that follow each other from lane to lane.
    #[inline(always)]
    fn load_rows<const N: usize, const L: usize>(
        &self,
        lanes: &Lanes<'_, L>,
        k: usize,
        to: [&[Cell<u32>; L]; N],
    ) -> Option<()> {
        if N == 1 {
            return self.load_eights::<8, L>(lanes, (k, 0), to[0]);
        }
        for (n, at) in self.at[k].iter().take(L / 8).enumerate() {
            let from = self.words.get(*at as usize..)?.as_chunks::<N>().0.first_chunk::<8>()?;
            for (word, to) in to.iter().enumerate() {
                for (to, from) in to.as_chunks::<8>().0.get(n)?.iter().zip(from) {
                    to.set(from[word]);
                }
            }
        }
        Some(())
    }

    /// Loads the words of each eight, which are the same for its lanes.
    #[inline(always)]
    fn load_places<const N: usize, const L: usize>(
        &self,
        lanes: &Lanes<'_, L>,
        k: usize,
        to: [&[Cell<u32>; L]; N],
    ) -> Option<()> {
        for (n, to) in to.iter().enumerate() {
            self.load_eights::<1, L>(lanes, (k, n), to)?;
        }
        Some(())
    }

    /// Loads a row of words for each eight, or one for all its lanes, so many behind where it begins.
    #[inline(always)]
    #[allow(unsafe_code, reason = "that all words exist is found out once")]
    fn load_eights<const W: usize, const L: usize>(
        &self,
        lanes: &Lanes<'_, L>,
        (k, behind): (usize, usize),
        to: &[Cell<u32>; L],
    ) -> Option<()> {
        moved::put_eights(
            lanes,
            &self.at[k],
            to,
            #[inline(always)]
            |at| {
                // SAFETY: an eight is in range with its items, to which these words belong, and what is in range exists.
                Some(unsafe { &*self.words.as_ptr().add(at as usize + behind).cast::<[u32; W]>() })
            },
        )
    }
}

/// Where a row lies in LDS: the items of all lanes follow each other, aligned and in range.
#[derive(Clone, Copy)]
struct Row {
    /// The first byte.
    at: usize,
}

impl Row {
    /// From what a register says and the offset of the instruction.
    #[inline(always)]
    fn of<const L: usize>(lanes: &Lanes<'_, L>, rules: &Rules, at: At<'_, 1, L>, item: Item) -> Option<Row> {
        Row::at::<L>(rules, rules.address(lanes.row_of(at.0, item.bytes())?, at.1[0]), aligned(item))
    }

    /// From the first address.
    #[inline(always)]
    fn at<const L: usize>(rules: &Rules, at: u32, (size, align): (u32, u32)) -> Option<Row> {
        let low = rules.alignment(size).max(align) - 1;
        let fits = u64::from(at) + u64::from(L as u32 * size) <= rules.limit().into();
        (fits && (at | size) & low == 0).then_some(Row { at: at as usize })
    }

    /// Loads words.
    #[inline(always)]
    fn load_words<const N: usize, const L: usize>(
        self,
        lanes: &Lanes<'_, L>,
        lds: &Lds,
        to: [&[Cell<u32>; L]; N],
    ) -> Option<()> {
        let words = lds.words().get(self.at / 4..)?.as_chunks::<L>().0.first_chunk::<N>()?;
        moved::put_wide(lanes, words, to);
        Some(())
    }

    /// Loads bytes.
    #[inline(always)]
    fn load_narrow<const L: usize>(self, lanes: &Lanes<'_, L>, lds: &Lds, what: (Item, Half), dst: u32) -> Option<()> {
        if !matches!(what.0, Item::U8 | Item::I8) || cfg!(target_endian = "big") {
            return None;
        }
        let row = bytemuck::cast_slice::<u32, u8>(lds.words()).get(self.at..)?.first_chunk::<L>()?;
        lanes.put_narrow(
            what,
            dst,
            #[inline(always)]
            |lane| row[lane].into(),
        )
    }

    /// Stores what the lanes move.
    #[inline(always)]
    fn store<const L: usize>(
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
    /// From what a register says and the offsets of the instruction, for so many bytes of this alignment at each.
    #[inline(always)]
    pub(in crate::emu::memory) fn at<const K: usize>(
        lanes: &Lanes<'_, L>,
        rules: &Rules,
        (register, offsets): At<'_, K, L>,
        (size, align): (u32, u32),
    ) -> Option<[Found<L>; K]> {
        let mut base = [0; L];
        for (base, cell) in base.iter_mut().zip(register) {
            *base = cell.get();
        }
        lanes.fill(&mut base);
        let last = last(rules, offsets, size)?;
        let low = rules.alignment(size).max(align) - 1;
        let first = rules.address(0, offsets[0]);
        for offset in offsets {
            if (offset ^ offsets[0]) & low != 0 {
                return None;
            }
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

    /// Loads bytes or halves.
    #[inline(always)]
    fn load_narrow(&self, lanes: &Lanes<'_, L>, lds: &Lds, what: (Item, Half), dst: u32) -> Option<()> {
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

    /// Stores what the lanes move.
    #[inline(always)]
    fn store(&self, lanes: &Lanes<'_, L>, lds: &mut Lds, what: (Item, Half), data: u32) -> Option<()> {
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
    fn load_words<const N: usize>(&self, lanes: &Lanes<'_, L>, lds: &Lds, to: [&[Cell<u32>; L]; N]) {
        let words = lds.words();
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
