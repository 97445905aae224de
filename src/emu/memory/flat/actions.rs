//! What is done at an address: by one lane in memory of any kind, or by all lanes at once where that is plain.

use super::Job;
use crate::emu::memory::common::{Bytes, STRIDE, Trouble, operands, result};
use crate::emu::memory::whole::row::Row;
use crate::emu::memory::whole::{Eights, Lanes, guest, share};
use crate::emu::memory::{Access, Flags};
use crate::fault::planted;
use crate::isa::does::Item;
use crate::memory::atomic::Width;
use crate::memory::guest::Memory;
use crate::memory::lds::{Lds, Rules};
use std::cell::Cell;

/// Where all lanes go in guest memory.
pub(super) struct Places<const L: usize> {
    pub(super) at: [u64; L],
    /// Bytes from a word of a lane to its next one, where they do not follow each other.
    pub(super) apart: Option<u64>,
}

impl<const L: usize> Places<L> {
    /// The [`Private`] memory of each lane, at these addresses in it. Nothing where an item is no part of a word, or no words.
    #[inline(always)]
    pub(super) fn private(lanes: &Lanes<'_, L>, start: u64, own: &[u32; L]) -> Option<Places<L>> {
        // Behind the last address begins the first again.
        const TOP: u32 = u32::MAX - 16;
        let mut at = [0; L];
        for (lane, (to, own)) in (0..).zip(at.iter_mut().zip(own)) {
            *to = start.wrapping_add(lane * 4 + u64::from(own & !3) * L as u64 + u64::from(own & 3));
        }
        let odd = start & 3 != 0
            || lanes.any(
                #[inline(always)]
                |lane| own[lane] > TOP,
            );
        (!odd).then_some(Places { at, apart: Some(4 * L as u64) })
    }

    /// Up to four words that do not follow each other.
    #[inline(always)]
    fn words<'m>(
        &self,
        lanes: &Lanes<'_, L>,
        memory: &'m Memory,
        count: u8,
        apart: u64,
    ) -> Option<guest::Apart<'m, L>> {
        let mut at = [self.at; 4];
        for (n, at) in (0..u64::from(count)).zip(&mut at) {
            for at in at {
                *at = at.wrapping_add(n * apart);
            }
        }
        guest::Apart::new(lanes, memory, &at, count)
    }
}

/// Something that is done at an address, in whatever memory it is.
pub(super) trait Action {
    fn act<B: Bytes>(bytes: &mut B, at: u64, job: &Job<'_>, lane: u32) -> Result<(), Trouble>;

    /// For all lanes at once, in guest memory, where their items follow each other from an address on.
    #[inline(always)]
    fn row<const L: usize>(_: &Lanes<'_, L>, _: &Memory, _: u64, _: &Job<'_>) -> Option<()> {
        None
    }

    /// For all lanes at once, in guest memory, where their words lie in eights behind an address.
    #[inline(always)]
    fn tiles<const L: usize>(_: &Lanes<'_, L>, _: &Memory, _: (u64, Eights), _: &Job<'_>) -> Option<()> {
        None
    }

    /// For all lanes at once, in guest memory.
    #[inline(always)]
    fn whole<const L: usize>(_: &Lanes<'_, L>, _: &Memory, _: &Places<L>, _: &Job<'_>) -> Option<()> {
        None
    }

    /// For all lanes at once, in the data share.
    #[inline(always)]
    fn shared<const L: usize>(_: &Lanes<'_, L>, _: (&mut Lds, &Rules), _: &[Cell<u32>; L], _: &Job<'_>) -> Option<()> {
        None
    }
}

pub(super) struct Load;
pub(super) struct Store;
pub(super) struct Modify;
pub(super) struct LoadBlock;
pub(super) struct StoreBlock;

impl Action for Load {
    #[inline(always)]
    fn act<B: Bytes>(bytes: &mut B, at: u64, job: &Job<'_>, lane: u32) -> Result<(), Trouble> {
        let access = job.access;
        bytes.load(at, access.item, access.half, job.file, access.dst, lane)?;
        if access.has(Flags::TFE) {
            let registers = if let Item::Words(n) = access.item { u32::from(n) } else { 1 };
            job.file.set(access.dst, registers, lane, 0);
        }
        Ok(())
    }

    #[inline(always)]
    fn row<const L: usize>(lanes: &Lanes<'_, L>, memory: &Memory, start: u64, job: &Job<'_>) -> Option<()> {
        let &Access { item, half, dst, .. } = job.access;
        if job.access.has(Flags::TFE) {
            return None;
        }
        Row::new(lanes, memory, start, item)?.load(lanes, (item, half), dst)
    }

    #[inline(always)]
    fn tiles<const L: usize>(lanes: &Lanes<'_, L>, memory: &Memory, at: (u64, Eights), job: &Job<'_>) -> Option<()> {
        if job.access.has(Flags::TFE) {
            return None;
        }
        guest::load_tiles(lanes, memory, at, job.access.dst)
    }

    #[inline(always)]
    fn whole<const L: usize>(lanes: &Lanes<'_, L>, memory: &Memory, at: &Places<L>, job: &Job<'_>) -> Option<()> {
        let &Access { item, half, dst, .. } = job.access;
        if job.access.has(Flags::TFE) {
            return None;
        }
        match (item, at.apart) {
            (Item::Words(count @ 2..), Some(apart)) => at.words(lanes, memory, count, apart)?.load(lanes, dst),
            _ => guest::Found::items(lanes, memory, at.at, item)?.load(lanes, (item, half), dst),
        }
    }

    #[inline(always)]
    fn shared<const L: usize>(
        lanes: &Lanes<'_, L>,
        (lds, rules): (&mut Lds, &Rules),
        at: &[Cell<u32>; L],
        job: &Job<'_>,
    ) -> Option<()> {
        let &Access { item, half, dst, .. } = job.access;
        if job.access.has(Flags::TFE) {
            return None;
        }
        share::load(lanes, (lds, rules), (at, [0]), (item, half), dst)
    }
}

impl Action for Store {
    #[inline(always)]
    fn act<B: Bytes>(bytes: &mut B, at: u64, job: &Job<'_>, lane: u32) -> Result<(), Trouble> {
        Ok(bytes.store(at, job.access.item, job.access.half, job.file, job.access.data, lane)?)
    }

    #[inline(always)]
    fn row<const L: usize>(lanes: &Lanes<'_, L>, memory: &Memory, start: u64, job: &Job<'_>) -> Option<()> {
        let &Access { item, half, data, .. } = job.access;
        Row::new(lanes, memory, start, item)?.store(lanes, (item, half), data)
    }

    #[inline(always)]
    fn whole<const L: usize>(lanes: &Lanes<'_, L>, memory: &Memory, at: &Places<L>, job: &Job<'_>) -> Option<()> {
        let &Access { item, half, data, .. } = job.access;
        match (item, at.apart) {
            (Item::Words(count @ 2..), Some(apart)) => at.words(lanes, memory, count, apart)?.store(lanes, data),
            _ => guest::Found::items(lanes, memory, at.at, item)?.store(lanes, (item, half), data),
        }
    }

    #[inline(always)]
    fn shared<const L: usize>(
        lanes: &Lanes<'_, L>,
        (lds, rules): (&mut Lds, &Rules),
        at: &[Cell<u32>; L],
        job: &Job<'_>,
    ) -> Option<()> {
        let &Access { item, half, data, .. } = job.access;
        share::store(lanes, (lds, rules), (at, [0]), (item, half), data)
    }
}

impl Action for Modify {
    #[inline(always)]
    fn act<B: Bytes>(bytes: &mut B, at: u64, job: &Job<'_>, lane: u32) -> Result<(), Trouble> {
        let access = job.access;
        let Some(atomic) = &access.atomic else { return Ok(()) };
        let old = bytes.modify(at, atomic, operands(job.file, access.data, atomic, lane), job.floats)?;
        if access.has(Flags::RETURNS) {
            result(job.file, access.dst, atomic.width, lane, old);
        }
        Ok(())
    }

    #[inline(always)]
    fn whole<const L: usize>(lanes: &Lanes<'_, L>, memory: &Memory, at: &Places<L>, job: &Job<'_>) -> Option<()> {
        let (access, atomic) = (job.access, job.access.atomic.as_ref()?);
        let result = access.has(Flags::RETURNS).then_some(access.dst);
        if at.apart.is_some() && atomic.width == Width::W64 {
            return None;
        }
        let size = atomic.width.bytes();
        let found = guest::Found::new(lanes, memory, at.at, (size, size))?;
        found.modify(lanes, (atomic, job.floats), access.data, result, job.alone)
    }

    #[inline(always)]
    fn shared<const L: usize>(
        lanes: &Lanes<'_, L>,
        (lds, rules): (&mut Lds, &Rules),
        at: &[Cell<u32>; L],
        job: &Job<'_>,
    ) -> Option<()> {
        let (access, atomic) = (job.access, job.access.atomic.as_ref()?);
        let result = access.has(Flags::RETURNS).then_some(access.dst);
        let second = access.data + atomic.width.bytes() / 4 * STRIDE;
        let size = atomic.width.bytes();
        let [found] = share::Found::at(lanes, rules, (at, [0]), (size, size))?;
        found.modify(lanes, lds, (atomic, job.floats), [access.data, second], result)
    }
}

/// The words of a block that M0 asks for. Those left out keep their place in memory and registers.
fn block(m0: u32) -> impl Iterator<Item = u32> {
    (0..32).filter(move |n| m0 >> n & 1 != 0)
}

impl Action for LoadBlock {
    fn act<B: Bytes>(bytes: &mut B, at: u64, job: &Job<'_>, lane: u32) -> Result<(), Trouble> {
        for n in block(job.m0) {
            let mut word = [0];
            let place = if planted!(BlockPacked) { (job.m0 & ((1 << n) - 1)).count_ones() } else { n };
            bytes.load_words(at.wrapping_add(u64::from(place * 4)), &mut word)?;
            job.file.set(job.access.dst, n, lane, word[0]);
        }
        Ok(())
    }
}

impl Action for StoreBlock {
    fn act<B: Bytes>(bytes: &mut B, at: u64, job: &Job<'_>, lane: u32) -> Result<(), Trouble> {
        for n in block(job.m0) {
            bytes.store_words(at.wrapping_add(u64::from(n * 4)), &[job.file.get(job.access.data, n, lane)])?;
        }
        Ok(())
    }
}
