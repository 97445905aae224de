//! Guest memory for all lanes at once.
//!
//! Others may read and write there at the same time. What a guest may rely on is said in [`crate::memory::guest`], and is kept: two words
//! that lie at a multiple of eight are not torn, a narrow store changes no neighbour. For the first the locks of all places are looked at,
//! or held, together. For the second the bytes of a word that lanes behind each other store are stored together; where these are all of it,
//! that is a plain store. What lanes behind each other do to the same word by atomics is done in one step.

use super::{Eights, Lanes, Shape, aligned, by_operation, joined, moved};
use crate::each::{self, each};
use crate::emu::memory::common::STRIDE;
use crate::fault::spoil::stored;
use crate::isa::does::{Half, Item};
use crate::memory::atomic::float::FloatRules;
use crate::memory::atomic::{Atomic, Op, Width};
use crate::memory::format::Places;
use crate::memory::guest::{ADDRESS_MASK, Memory, Region, canonical};
use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};

/// Where the lanes are in a region, in range and aligned.
#[derive(Clone, Copy)]
pub(in crate::emu::memory) struct Found<'m, const L: usize> {
    region: &'m Region,
    /// Its words.
    words: &'m [AtomicU32],
    /// Bytes from the first word of the region.
    at: [u64; L],
    /// The items of the lanes follow each other, with nothing between them.
    row: bool,
}

impl<'m, const L: usize> Found<'m, L> {
    /// From addresses, for so many bytes of this alignment.
    #[inline(always)]
    pub(in crate::emu::memory) fn new(
        lanes: &Lanes<'_, L>,
        memory: &'m Memory,
        mut at: [u64; L],
        (size, align): (u32, u32),
    ) -> Option<Found<'m, L>> {
        let (size, align) = (u64::from(size), u64::from(align));
        lanes.fill(&mut at);
        let first = at[0];
        let start = canonical(first)?;
        let region = memory.resolve(start, size)?;
        let (base, last) = (region.base(), region.len() - size);
        let (mut bad, mut apart) = (0, 0);
        for (lane, at) in (0..).zip(&mut at) {
            // All are spelled as the first one is.
            bad |= (*at ^ first) >> 48 | *at & (align - 1);
            *at &= ADDRESS_MASK;
            bad |= u64::from(at.wrapping_sub(base) > last);
            apart |= *at ^ (start + lane * size);
            *at = at.wrapping_sub(base & !3);
        }
        (bad == 0).then_some(Found { region, words: region.words(), at, row: apart == 0 })
    }

    /// From offsets behind a base: where all bytes of an extent are in one region, the offsets within it need not be looked at.
    #[inline(always)]
    pub(in crate::emu::memory) fn within(
        lanes: &Lanes<'_, L>,
        memory: &'m Memory,
        (base, extent): (u64, u32),
        offsets: &[u32; L],
        (size, align): (u32, u32),
    ) -> Option<Found<'m, L>> {
        let base = base & ADDRESS_MASK;
        let Some(region) = memory.resolve(base, extent.into()) else {
            let at = each(
                offsets,
                #[inline(always)]
                |offset| base.wrapping_add(offset.into()) & ADDRESS_MASK,
            );
            return Found::new(lanes, memory, at, (size, align));
        };
        let mut offsets = *offsets;
        lanes.fill(&mut offsets);
        let (start, first) = (base - (region.base() & !3), offsets[0]);
        let (mut at, mut apart) = ([0; L], 0);
        let mut bad = base as u32;
        for (lane, (at, offset)) in (0..).zip(at.iter_mut().zip(&offsets)) {
            bad |= offset;
            apart |= offset ^ first.wrapping_add(lane * size);
            *at = start + u64::from(*offset);
        }
        (bad & (align - 1) == 0).then_some(Found { region, words: region.words(), at, row: apart == 0 })
    }

    /// Whether stores are kept.
    #[inline(always)]
    fn is_writable(&self) -> bool {
        self.region.writable()
    }

    /// The words of each lane.
    #[inline(always)]
    fn each<const N: usize>(&self, lanes: &Lanes<'_, L>, mut with: impl FnMut(usize, &[AtomicU32; N])) {
        let words = self.words;
        lanes.each(
            #[inline(always)]
            |lane| {
                // In range: there is always something.
                let found = words.get((self.at[lane] / 4) as usize..).and_then(|words| words.first_chunk::<N>());
                if let Some(words) = found {
                    with(lane, words);
                }
            },
        );
    }

    /// The same where they follow each other.
    #[inline(always)]
    fn in_a_row<const N: usize>(&self) -> Option<&'m [[AtomicU32; N]; L]> {
        let words = self.words.get((self.at[0] / 4) as usize..)?;
        if self.row { words.as_chunks::<N>().0.first_chunk::<L>() } else { None }
    }

    /// The word of each run of active lanes that have the same one.
    #[inline(always)]
    fn runs(&self, lanes: &Lanes<'_, L>, mut with: impl FnMut(u64, &AtomicU32)) {
        let mut rest = lanes.exec;
        while rest != 0 {
            let at = self.at[rest.trailing_zeros() as usize % L];
            let mut run = 0;
            while rest != 0 && self.at[rest.trailing_zeros() as usize % L] == at {
                run |= rest & rest.wrapping_neg();
                rest &= rest - 1;
            }
            // In range: there is always something.
            if let Some(word) = self.words.get((at / 4) as usize) {
                with(run, word);
            }
        }
    }

    /// The locks of the 64-bit places.
    #[inline(always)]
    fn locks(&self) -> u16 {
        {
            let mut locks = 0;
            for at in &self.at {
                locks |= self.region.lock_bit((at / 4) as usize);
            }
            locks
        }
    }

    /// Items from addresses.
    #[inline(always)]
    pub(in crate::emu::memory) fn items(
        lanes: &Lanes<'_, L>,
        memory: &'m Memory,
        at: [u64; L],
        item: Item,
    ) -> Option<Found<'m, L>> {
        Found::new(lanes, memory, at, aligned(item))
    }

    /// Loads what the lanes move.
    #[inline(always)]
    pub(in crate::emu::memory) fn load(&self, lanes: &Lanes<'_, L>, what: (Item, Half), dst: u32) -> Option<()> {
        match what.0 {
            Item::Words(1) => self.load_words::<1>(lanes, lanes.registers(dst)?),
            Item::Words(2) => self.load_words::<2>(lanes, lanes.registers(dst)?),
            Item::Words(3) => self.load_words::<3>(lanes, lanes.registers(dst)?),
            Item::Words(4) => self.load_words::<4>(lanes, lanes.registers(dst)?),
            _ => {
                return lanes.put_narrow(
                    what,
                    dst,
                    #[inline(always)]
                    |lane| self.bits(lane),
                );
            }
        }
        Some(())
    }

    /// Stores what the lanes move.
    #[inline(always)]
    pub(in crate::emu::memory) fn store(&self, lanes: &Lanes<'_, L>, what: (Item, Half), data: u32) -> Option<()> {
        let shift = if what.1 == Half::High { 16 } else { 0 };
        match what.0 {
            Item::Words(1) => self.store_words::<1>(lanes, lanes.registers(data)?),
            Item::Words(2) => self.store_words::<2>(lanes, lanes.registers(data)?),
            Item::Words(3) => self.store_words::<3>(lanes, lanes.registers(data)?),
            Item::Words(4) => self.store_words::<4>(lanes, lanes.registers(data)?),
            Item::Words(_) => None,
            item => {
                let from = lanes.register(data, 0)?;
                self.store_bits(
                    lanes,
                    8 * item.bytes(),
                    #[inline(always)]
                    |lane| from[lane].get() >> shift,
                )
            }
        }
    }

    /// Loads words into registers, or where else each lane has its place.
    #[inline(always)]
    pub(in crate::emu::memory) fn load_words<const N: usize>(&self, lanes: &Lanes<'_, L>, to: [&[Cell<u32>; L]; N]) {
        if N == 2 {
            self.region.untorn(
                self.locks(),
                #[inline(always)]
                || self.load_plain(lanes, &to),
            );
        } else {
            self.load_plain(lanes, &to);
        }
    }

    /// The words of elements of so many bytes, by place. What is behind an element in its last word comes too.
    #[inline(always)]
    pub(in crate::emu::memory) fn elements(&self, lanes: &Lanes<'_, L>, bytes: u32, to: &mut Places<L>) -> Option<()> {
        match bytes {
            1 | 2 => lanes.each(
                #[inline(always)]
                |lane| to[0][lane] = self.bits(lane) & (u32::MAX >> (32 - 8 * bytes)),
            ),
            3 | 4 => self.load_words::<1>(lanes, cells(to)?),
            5..=8 => self.load_words::<2>(lanes, cells(to)?),
            9..=12 => self.load_words::<3>(lanes, cells(to)?),
            _ => self.load_words::<4>(lanes, cells(to)?),
        }
        Some(())
    }

    /// Stores elements of so many bytes.
    #[inline(always)]
    pub(in crate::emu::memory) fn store_elements(
        &self,
        lanes: &Lanes<'_, L>,
        bytes: u32,
        from: &mut Places<L>,
    ) -> Option<()> {
        match bytes {
            1 | 2 => self.store_bits(
                lanes,
                8 * bytes,
                #[inline(always)]
                |lane| from[0][lane],
            ),
            4 => self.store_words::<1>(lanes, cells(from)?),
            8 => self.store_words::<2>(lanes, cells(from)?),
            12 => self.store_words::<3>(lanes, cells(from)?),
            _ => self.store_words::<4>(lanes, cells(from)?),
        }
    }

    /// Single words of eights that lie in rows or at one place.
    #[inline(always)]
    fn load_eights(&self, lanes: &Lanes<'_, L>, to: &[Cell<u32>; L]) -> Option<()> {
        // What differs in the upper words is not told apart.
        if self.region.len() > u64::from(u32::MAX) {
            return None;
        }
        let mut low = each(
            &self.at,
            #[inline(always)]
            |at| at as u32,
        );
        match lanes.shape(each::cells(&mut low), 4) {
            Shape::Eights(eights) => load_eights(lanes, self.words, &eights, to),
            Shape::Row(_) | Shape::Apart => None,
        }
    }

    #[inline(always)]
    fn load_plain<const N: usize>(&self, lanes: &Lanes<'_, L>, to: &[&[Cell<u32>; L]; N]) {
        if N == 1 && !self.row && self.load_eights(lanes, to[0]).is_some() {
            return;
        }
        match self.in_a_row::<N>() {
            Some(row) => lanes.each(
                #[inline(always)]
                |lane| load(to, &row[lane], lane),
            ),
            None => self.each(
                lanes,
                #[inline(always)]
                |lane, from| load(to, from, lane),
            ),
        }
    }

    /// Stores words of registers, or of what else each lane has.
    #[inline(always)]
    pub(in crate::emu::memory) fn store_words<const N: usize>(
        &self,
        lanes: &Lanes<'_, L>,
        from: [&[Cell<u32>; L]; N],
    ) -> Option<()> {
        if !self.is_writable() {
            return None;
        }
        if N == 2 {
            self.region.holding(
                self.locks(),
                #[inline(always)]
                || self.store_plain(lanes, &from),
            );
        } else {
            self.store_plain(lanes, &from);
        }
        Some(())
    }

    #[inline(always)]
    fn store_plain<const N: usize>(&self, lanes: &Lanes<'_, L>, from: &[&[Cell<u32>; L]; N]) {
        match self.in_a_row::<N>() {
            Some(row) => lanes.each(
                #[inline(always)]
                |lane| store(from, &row[lane], lane),
            ),
            None => self.each(
                lanes,
                #[inline(always)]
                |lane, to| store(from, to, lane),
            ),
        }
    }

    /// The word of a lane that an item lies in, shifted so that it is at the lowest bits.
    #[inline(always)]
    pub(in crate::emu::memory) fn bits(&self, lane: usize) -> u32 {
        let at = self.at[lane];
        let word = self.words.get((at / 4) as usize);
        word.map_or(0, |word| word.load(Ordering::Relaxed)) >> (at % 4 * 8)
    }

    /// Stores the lowest bits of values.
    #[inline(always)]
    pub(in crate::emu::memory) fn store_bits(
        &self,
        lanes: &Lanes<'_, L>,
        bits: u32,
        value: impl Fn(usize) -> u32,
    ) -> Option<()> {
        if !self.is_writable() {
            return None;
        }
        let ones = u32::MAX >> (32 - bits);
        // The word that lanes have stored to, and what.
        let (mut index, mut mask, mut word) = ((self.at[0] / 4) as usize, 0, 0);
        lanes.each(
            #[inline(always)]
            |lane| {
                let (at, shift) = ((self.at[lane] / 4) as usize, self.at[lane] % 4 * 8);
                if at != index {
                    self.region.merge(index, mask, word);
                    (index, mask, word) = (at, 0, 0);
                }
                let part = ones << shift;
                mask |= part;
                word = word & !part | ((value(lane) ^ stored()) & ones) << shift;
            },
        );
        self.region.merge(index, mask, word);
        Some(())
    }

    /// Applies an operation to words or pairs. The operands lie behind each other in registers; what was there goes to others, where it is
    /// wanted. `alone`: nobody else is in the memory.
    #[inline(always)]
    pub(in crate::emu::memory) fn modify(
        &self,
        lanes: &Lanes<'_, L>,
        (atomic, floats): (&Atomic, FloatRules),
        operands: u32,
        result: Option<u32>,
        alone: bool,
    ) -> Option<()> {
        if !self.is_writable() {
            return None;
        }
        let (first, second) =
            (lanes.registers::<2>(operands)?, lanes.registers::<2>(operands + atomic.width.bytes() / 4 * STRIDE)?);
        let (data, other) = atomic.order(first, second);
        let to = match result {
            Some(at) => Some(lanes.registers::<2>(at)?),
            None => None,
        };
        match atomic.width {
            Width::W32 => by_operation!(atomic.op, |op| {
                let mut before = [0; L];
                if alone {
                    self.each::<1>(
                        lanes,
                        #[inline(always)]
                        |lane, [word]| {
                            let mem = word.load(Ordering::Relaxed);
                            let new = op.apply_u32(mem, data[0][lane].get(), other[0][lane].get(), floats) ^ stored();
                            word.store(new, Ordering::Relaxed);
                            if let Some([to, _]) = to {
                                to[lane].set(mem);
                            }
                        },
                    );
                    return Some(());
                }
                self.runs(
                    lanes,
                    #[inline(always)]
                    |run, word| {
                        let new = |mem| {
                            let mut mem = mem;
                            let mut rest = run;
                            while rest != 0 {
                                let lane = rest.trailing_zeros() as usize % L;
                                rest &= rest - 1;
                                before[lane] = mem;
                                mem = op.apply_u32(mem, data[0][lane].get(), other[0][lane].get(), floats) ^ stored();
                            }
                            Some(mem)
                        };
                        // It never gives up, so that there is nothing to report.
                        let _ = word.fetch_update(Ordering::AcqRel, Ordering::Acquire, new);
                    },
                );
                if let Some([to, _]) = to {
                    lanes.each(
                        #[inline(always)]
                        |lane| to[lane].set(before[lane]),
                    );
                }
            }),
            Width::W64 => {
                self.region.holding(
                    self.locks(),
                    #[inline(always)]
                    || {
                        self.each::<2>(
                            lanes,
                            #[inline(always)]
                            |lane, [low, high]| {
                                let data = joined(data[0][lane].get(), data[1][lane].get());
                                let other = joined(other[0][lane].get(), other[1][lane].get());
                                let old = joined(low.load(Ordering::Relaxed), high.load(Ordering::Relaxed));
                                let new = atomic.op.apply_u64(old, data, other, floats) ^ u64::from(stored());
                                low.store(new as u32, Ordering::Relaxed);
                                high.store((new >> 32) as u32, Ordering::Relaxed);
                                if let Some(to) = to {
                                    to[0][lane].set(old as u32);
                                    to[1][lane].set((old >> 32) as u32);
                                }
                            },
                        );
                    },
                );
            }
        }
        Some(())
    }
}

/// The words from a base on, if they are all in one region.
#[inline(always)]
pub(in crate::emu::memory) fn words_from(memory: &Memory, (base, extent): (u64, u32)) -> Option<&[AtomicU32]> {
    let at = base & ADDRESS_MASK;
    let region = memory.resolve(at, extent.into()).filter(|_| at & 3 == 0)?;
    region.words().get(((at - (region.base() & !3)) / 4) as usize..)
}

/// Loads elements of so many bytes, by place, from offsets behind a base: see [`Found::within`]. What the places of other lanes get may be
/// anything.
#[inline(always)]
pub(in crate::emu::memory) fn elements_within<const L: usize>(
    lanes: &Lanes<'_, L>,
    memory: &Memory,
    place: (u64, u32),
    offsets: &mut [u32; L],
    bytes: u32,
    to: &mut Places<L>,
) -> Option<()> {
    if bytes == 4
        && let Some(words) = words_from(memory, place)
    {
        lanes.fill(offsets);
        return words_behind(lanes, words, offsets, each::cells(&mut to[0]));
    }
    Found::within(lanes, memory, place, offsets, (bytes, bytes.min(4)))?.elements(lanes, bytes, to)
}

/// A word at each offset. Where eights have words in a row, or fours, or twos, as in most tiles, these are moved at once. Whether that may be so
/// the first ones tell.
#[inline(always)]
pub(in crate::emu::memory) fn words_behind<const L: usize>(
    lanes: &Lanes<'_, L>,
    words: &[AtomicU32],
    offsets: &[u32; L],
    to: &[Cell<u32>; L],
) -> Option<()> {
    let may_be = |run: usize| offsets[run - 1].wrapping_sub(offsets[0]) == 4 * (run as u32 - 1);
    let done = may_be(8) && moved::runs::<8, L>(lanes, words, offsets, to)?
        || may_be(4) && moved::runs::<4, L>(lanes, words, offsets, to)?
        || may_be(2) && moved::runs::<2, L>(lanes, words, offsets, to)?
        || moved::runs::<1, L>(lanes, words, offsets, to)?;
    done.then_some(())
}

/// Loads the word at each offset of eights.
#[inline(always)]
fn load_eights<const L: usize>(
    lanes: &Lanes<'_, L>,
    words: &[AtomicU32],
    eights: &Eights,
    to: &[Cell<u32>; L],
) -> Option<()> {
    if eights.rows {
        moved::put_eights(
            lanes,
            &eights.first,
            to,
            #[inline(always)]
            |at| words.get((at / 4) as usize..)?.first_chunk::<8>(),
        )
    } else {
        moved::put_eights(
            lanes,
            &eights.first,
            to,
            #[inline(always)]
            |at| words.get((at / 4) as usize..)?.first_chunk::<1>(),
        )
    }
}

/// Loads words of eights behind an address.
#[inline(always)]
pub(in crate::emu::memory) fn load_tiles<const L: usize>(
    lanes: &Lanes<'_, L>,
    memory: &Memory,
    (base, mut eights): (u64, Eights),
    dst: u32,
) -> Option<()> {
    let mut least = eights.first[0];
    for first in &eights.first {
        least = least.min(*first);
    }
    for first in &mut eights.first {
        *first -= least;
    }
    let start = canonical(base.wrapping_add(least.into()))?;
    let region = memory.resolve(start, u64::from(eights.most - least) + 4)?;
    let first = ((start - (region.base() & !3)) / 4) as usize;
    let words = region.words().get(first..).filter(|_| (base as u32 | eights.bits) & 3 == 0)?;
    load_eights(lanes, words, &eights, lanes.register(dst, 0)?)
}

/// The first places, to be read and written.
#[inline(always)]
fn cells<const N: usize, const L: usize>(of: &mut Places<L>) -> Option<[&[Cell<u32>; L]; N]> {
    let mut places = of.iter_mut();
    let mut all = [each::cells(places.next()?); N];
    for cells in &mut all[1..] {
        *cells = each::cells(places.next()?);
    }
    Some(all)
}

/// Up to four words of each lane that do not follow each other.
pub(in crate::emu::memory) struct Apart<'m, const L: usize> {
    region: &'m Region,
    /// By number of the word.
    at: [[u64; L]; 4],
    count: usize,
}

impl<'m, const L: usize> Apart<'m, L> {
    /// From the addresses of so many words. All are in one region.
    #[inline(always)]
    pub(in crate::emu::memory) fn new(
        lanes: &Lanes<'_, L>,
        memory: &'m Memory,
        at: &[[u64; L]; 4],
        count: u8,
    ) -> Option<Apart<'m, L>> {
        let first = Found::items(lanes, memory, at[0], Item::Words(1))?;
        let (region, count) = (first.region, usize::from(count));
        let mut found = Apart { region, at: [first.at; 4], count };
        for (to, at) in found.at.iter_mut().zip(at).take(count).skip(1) {
            let next = Found::items(lanes, memory, *at, Item::Words(1))?;
            if !std::ptr::eq(next.region, region) {
                return None;
            }
            *to = next.at;
        }
        Some(found)
    }

    /// Loads them.
    #[inline(always)]
    pub(in crate::emu::memory) fn load(&self, lanes: &Lanes<'_, L>, dst: u32) -> Option<()> {
        let (words, to) = (self.region.words(), lanes.registers::<4>(dst)?);
        lanes.each(
            #[inline(always)]
            |lane| {
                for (at, to) in self.at.iter().zip(to).take(self.count) {
                    let word = words.get((at[lane] / 4) as usize);
                    // In range: there is always something.
                    to[lane].set(word.map_or(0, |word| word.load(Ordering::Relaxed)));
                }
            },
        );
        Some(())
    }

    /// Stores them: all of a lane before those of the next one, for they may meet.
    #[inline(always)]
    pub(in crate::emu::memory) fn store(&self, lanes: &Lanes<'_, L>, data: u32) -> Option<()> {
        if !self.region.writable() {
            return None;
        }
        let (words, from) = (self.region.words(), lanes.registers::<4>(data)?);
        lanes.each(
            #[inline(always)]
            |lane| {
                for (at, from) in self.at.iter().zip(from).take(self.count) {
                    if let Some(word) = words.get((at[lane] / 4) as usize) {
                        word.store(from[lane].get() ^ stored(), Ordering::Relaxed);
                    }
                }
            },
        );
        Some(())
    }
}

/// Loads the words of a lane.
#[inline(always)]
fn load<const N: usize, const L: usize>(to: &[&[Cell<u32>; L]; N], from: &[AtomicU32; N], lane: usize) {
    for (to, from) in to.iter().zip(from) {
        to[lane].set(from.load(Ordering::Relaxed));
    }
}

/// Stores the words of a lane.
#[inline(always)]
fn store<const N: usize, const L: usize>(from: &[&[Cell<u32>; L]; N], to: &[AtomicU32; N], lane: usize) {
    for (to, from) in to.iter().zip(from) {
        to.store(from[lane].get() ^ stored(), Ordering::Relaxed);
    }
}
