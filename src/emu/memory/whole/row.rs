//! Items of all lanes that follow each other in guest memory, with nothing between them: nearly all that programs do there.
//!
//! Where the first one lies says all. Bytes and halves are then whole words, so that storing them is no matter of neighbours.

use super::Lanes;
use super::moved::{self, Wide};
use crate::fault::spoil::stored;
use crate::isa::does::{Half, Item};
use crate::memory::guest::{Memory, Region, canonical};
use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};

/// Where a row lies: in one region, from a whole word on.
pub(in crate::emu::memory) struct Row<'m> {
    region: &'m Region,
    /// Its words, and the number of the first of them.
    words: &'m [AtomicU32],
    first: usize,
}

impl<'m> Row<'m> {
    /// From the address of the first item.
    #[inline(always)]
    pub(in crate::emu::memory) fn new<const L: usize>(
        _: &Lanes<'_, L>,
        memory: &'m Memory,
        start: u64,
        item: Item,
    ) -> Option<Row<'m>> {
        let size = L * item.bytes() as usize;
        let start = canonical(start).filter(|start| start & 3 == 0)?;
        let region = memory.resolve(start, size as u64)?;
        let first = ((start - (region.base() & !3)) / 4) as usize;
        Some(Row { region, words: region.words().get(first..)?.get(..size / 4)?, first })
    }

    /// The locks of the 64-bit places. A row of pairs is no longer than a block, so that the first and the last have all.
    #[inline(always)]
    fn locks(&self) -> u16 {
        self.region.lock_bit(self.first) | self.region.lock_bit(self.first + self.words.len() - 1)
    }

    /// Loads what the lanes move.
    #[inline(always)]
    pub(in crate::emu::memory) fn load<const L: usize>(
        &self,
        lanes: &Lanes<'_, L>,
        (item, half): (Item, Half),
        dst: u32,
    ) -> Option<()> {
        match item {
            Item::Words(1) => moved::load(lanes, self.words, lanes.register(dst, 0)?)?,
            Item::Words(2) => {
                let all = self.region.untorn(
                    self.locks(),
                    #[inline(always)]
                    || Wide::<2, L>::load(lanes, self.words),
                )?;
                all.put(lanes, lanes.registers(dst)?);
            }
            Item::Words(3) => Wide::<3, L>::load(lanes, self.words)?.put(lanes, lanes.registers(dst)?),
            Item::Words(4) => Wide::<4, L>::load(lanes, self.words)?.put(lanes, lanes.registers(dst)?),
            Item::Words(_) => return None,
            Item::U8 | Item::I8 => return split::<4, L>(self.words, lanes, (item, half), dst),
            Item::U16 | Item::I16 => return split::<2, L>(self.words, lanes, (item, half), dst),
        }
        Some(())
    }

    /// Stores what the lanes move.
    #[inline(always)]
    pub(in crate::emu::memory) fn store<const L: usize>(
        &self,
        lanes: &Lanes<'_, L>,
        (item, half): (Item, Half),
        data: u32,
    ) -> Option<()> {
        if !self.region.writable() {
            return None;
        }
        match item {
            Item::Words(1) => moved::store(lanes, lanes.register(data, 0)?, self.words)?,
            Item::Words(2) => {
                let from = lanes.registers(data)?;
                self.region.holding(
                    self.locks(),
                    #[inline(always)]
                    || Wide::<2, L>::store(lanes, from, self.words),
                )?;
            }
            Item::Words(3) => Wide::<3, L>::store(lanes, lanes.registers(data)?, self.words)?,
            Item::Words(4) => Wide::<4, L>::store(lanes, lanes.registers(data)?, self.words)?,
            Item::Words(_) => return None,
            Item::U8 | Item::I8 => join::<4, L>(self.words, lanes.register(data, 0)?, half),
            Item::U16 | Item::I16 => join::<2, L>(self.words, lanes.register(data, 0)?, half),
        }
        Some(())
    }
}

/// Loads words of which so many lanes have a part each.
#[inline(always)]
fn split<const PARTS: usize, const L: usize>(
    words: &[AtomicU32],
    lanes: &Lanes<'_, L>,
    what: (Item, Half),
    dst: u32,
) -> Option<()> {
    let mut parts = [0; L];
    for (parts, word) in parts.as_chunks_mut::<PARTS>().0.iter_mut().zip(words) {
        let word = word.load(Ordering::Relaxed);
        for (n, part) in parts.iter_mut().enumerate() {
            *part = word >> (n * (32 / PARTS));
        }
    }
    lanes.put_narrow(
        what,
        dst,
        #[inline(always)]
        |lane| parts[lane],
    )
}

/// Stores words of which so many lanes have a part each.
#[inline(always)]
fn join<const PARTS: usize, const L: usize>(words: &[AtomicU32], from: &[Cell<u32>; L], half: Half) {
    let (bits, shift) = (32 / PARTS, if half == Half::High { 16 } else { 0 });
    for (word, from) in words.iter().zip(from.as_chunks::<PARTS>().0) {
        let mut joined = 0;
        for (n, part) in from.iter().enumerate() {
            joined |= ((part.get() >> shift ^ stored()) & (u32::MAX >> (32 - bits))) << (n * bits);
        }
        word.store(joined, Ordering::Relaxed);
    }
}
