//! Buffer memory: MUBUF and MTBUF without formats.
//!
//! A lane's index and offset come from registers, as the instruction says, and the descriptor in four scalar registers makes an address of
//! them and knows what is in range ([`crate::memory::buffer`]). Words are judged one by one: those out of range load 0 and are not
//! stored. Atomics are done whole or not at all. A buffer without a format is none: it loads 0.
//!
//! What all lanes have [in common](Common) is looked at once; then addresses and what is in range of all lanes come from one loop.

use super::common::{Bytes, Done, File, STRIDE, Share, Trouble, finish, lanes, operands, result};
use super::flat::lds_base;
use super::smem::descriptor;
use super::touched::{self, Addresses, Touched};
use super::whole::row::Row;
use super::whole::{Eights, Lanes, Shape, aligned, guest, moved, with_lanes, with_lanes_in_pieces};
use super::{Access, Flags, float_rules, formatted, nothing};
use crate::each::each;
use crate::emu::group::Group;
use crate::emu::plan::{Run, Step};
use crate::emu::wave::Wave;
use crate::fault::planted;
use crate::isa::Gen;
use crate::isa::does::{Does, Half, Item, Moved, Way};
use crate::isa::row::{Inst, Traits};
use crate::memory::atomic::{Space, Width};
use crate::memory::buffer::{self, Common, Descriptor, Judge};
use crate::memory::guest::{Fault, Memory, View};

/// The function of a buffer instruction; cache control does nothing.
pub(super) fn run(row: &Inst, access: &Access) -> Option<Run> {
    let lds = access.has(Flags::LDS);
    Some(match row.does {
        Does::Idle(_) => nothing,
        Does::Atomic(_) => modify,
        Does::Load(Moved { way: Way::Formatted, .. }) if lds => formatted::to_lds,
        Does::Load(Moved { way: Way::Formatted, .. }) => formatted::load,
        Does::Store(Moved { way: Way::Formatted, .. }) => formatted::store,
        Does::Load(_) if lds => to_lds,
        Does::Load(_) => load,
        Does::Store(_) if row.traits.contains(Traits::LDS) => from_lds,
        Does::Store(_) => store,
        _ => return None,
    })
}

/// A buffer and what an instruction wants of it.
pub(super) struct Reach<'a> {
    pub(super) access: &'a Access,
    pub(super) file: File<'a>,
    pub(super) descriptor: Descriptor,
    soffset: u32,
    /// There is a buffer.
    pub(super) bound: bool,
}

/// Where all lanes are.
pub(super) struct Everywhere<const L: usize> {
    /// The addresses of their first components.
    pub(super) at: [u64; L],
    /// The active lanes that are in range.
    pub(super) inside: u64,
    /// Their components do not follow each other: what makes their addresses.
    apart: Option<Common>,
}

impl<const L: usize> Everywhere<L> {
    /// The lanes that are in range, and those that are not.
    #[inline(always)]
    pub(super) fn split<'a>(&self, lanes: &Lanes<'a, L>) -> (Option<Lanes<'a, L>>, Option<Lanes<'a, L>>) {
        (lanes.only(self.inside), lanes.only(lanes.exec & !self.inside))
    }

    /// Whether components follow each other.
    #[inline(always)]
    pub(super) fn contiguous(&self) -> bool {
        self.apart.is_none()
    }
}

/// Where a lane's components are, and which of them are in range.
pub(super) struct Reached {
    first: u64,
    /// Components follow each other in memory.
    pub(super) contiguous: bool,
    /// Bit n: component n is in range.
    pub(super) valid: u8,
    ask: buffer::Access,
}

impl<'a> Reach<'a> {
    /// The buffer of an instruction.
    #[inline(always)]
    pub(super) fn new(wave: &'a Wave, access: &'a Access) -> Result<Reach<'a>, Trouble> {
        let mut descriptor = descriptor(wave, access.base, &wave.env.target)?;
        if !access.has(Flags::IDXEN) {
            descriptor.without_index(wave.env.target.generation());
        }
        let soffset = wave.s[access.soffset as usize];
        Ok(Reach {
            access,
            file: File(&wave.file),
            soffset,
            bound: descriptor.bound(access.format.is_some()),
            descriptor,
        })
    }

    /// The offset register of a lane.
    #[inline(always)]
    fn offset(&self, lane: u32) -> u32 {
        if self.access.has(Flags::OFFEN) {
            let behind = u32::from(self.access.has(Flags::IDXEN) && !planted!(OffsetFirst));
            self.file.get(self.access.addr, behind, lane)
        } else {
            0
        }
    }

    /// Where `count` components of an untyped access or an atomic are, or of a formatted one: what is judged says which.
    #[inline(always)]
    pub(super) fn at(&self, lane: u32, component: u32, count: u32, judge: Judge) -> Reached {
        let offset = self.offset(lane);
        let index = self.access.has(Flags::IDXEN).then(|| self.file.get(self.access.addr, 0, lane));
        let instruction = if planted!(OffsetLost) { 0 } else { self.access.offset as u32 };
        let ask = buffer::Access { index, offset, instruction, soffset: self.soffset, lane, component, count, judge };
        self.general(ask, ((1u32 << count) - 1) as u8)
    }

    /// Where all lanes are, with so many components of some bytes: their addresses, and the lanes that are in range. Nothing where lanes are
    /// in range in part.
    #[inline(always)]
    pub(super) fn all<const L: usize>(
        &self,
        lanes: &Lanes<'_, L>,
        (component, count): (u32, u32),
        judge: Judge,
    ) -> Option<Everywhere<L>> {
        let (access, descriptor) = (self.access, &self.descriptor);
        let (offset, indexed) = (access.offset as u32, access.has(Flags::IDXEN));
        if access.has(Flags::TFE) {
            return None;
        }
        let exec = if self.bound { lanes.exec } else { 0 };
        let mut at = [0; L];
        if access.has(Flags::ADDR64) {
            let pointers = lanes.pairs(access.addr)?;
            at = each(
                &pointers,
                #[inline(always)]
                |pointer| descriptor.address64(pointer, offset, self.soffset, component),
            );
            return Some(Everywhere { at, inside: exec, apart: None });
        }
        let common = descriptor.common(self.soffset, offset, component, judge, indexed);
        let (index, own) = self.differing(lanes)?;
        let last = (count - 1) * component;
        let mut outside = false;
        for (lane, at) in at.iter_mut().enumerate() {
            *at = common.at(lane as u32, index[lane], own[lane], 0).0;
            outside |= !common.at(lane as u32, index[lane], own[lane], last).1;
        }
        let mut inside = exec;
        if outside && exec != 0 {
            let (mut some, mut all) = (0, 0);
            for (lane, (index, own)) in index.iter().zip(&own).enumerate() {
                let is_inside = |byte| u64::from(common.at(lane as u32, *index, *own, byte).1) << lane;
                (some, all) = (some | is_inside(0), all | is_inside(last));
            }
            if judge == Judge::Each && (some ^ all) & exec != 0 {
                return None;
            }
            inside &= all;
        }
        let apart = descriptor.swizzle.is_some() && count > 1 && judge != Judge::Atomic;
        Some(Everywhere { at, inside, apart: apart.then_some(common) })
    }

    /// Where all lanes are, as offsets behind an address, if none of them is out of range: the address, with the bytes that all of them lie in. The
    /// largest index with the largest offset says it: what is compared with limits grows with both.
    #[inline(always)]
    fn near<const L: usize>(
        &self,
        lanes: &Lanes<'_, L>,
        (component, count): (u32, u32),
    ) -> Option<((u64, u32), [u32; L])> {
        if self.is_far() {
            return None;
        }
        let (mut index, mut offsets) = self.differing(lanes)?;
        lanes.fill(&mut offsets);
        let mut most = [0, moved::most(lanes, &offsets)];
        if self.access.has(Flags::IDXEN) {
            let stride = self.descriptor.stride;
            lanes.fill(&mut index);
            most[0] = moved::most(lanes, &index);
            for (index, offset) in index.iter().zip(&mut offsets) {
                *offset = offset.wrapping_add(index.wrapping_mul(stride));
            }
        }
        Some((self.reaching(most, (component, count))?, offsets))
    }

    /// How lanes lie to each other that move a word each, behind an address, if all are in range.
    #[inline(always)]
    fn tiles<const L: usize>(&self, lanes: &Lanes<'_, L>, item: Item) -> Option<(u64, Eights)> {
        let access = self.access;
        if item != Item::Words(1) || access.has(Flags::IDXEN) || !access.has(Flags::OFFEN) || self.is_far() {
            return None;
        }
        let Shape::Eights(eights) = lanes.shape(lanes.register(access.addr, 0)?, 4) else { return None };
        Some((self.reaching([0, eights.most], (4, 1))?.0, eights))
    }

    /// Whether more than indices and offsets decide where lanes are, or what they load.
    #[inline(always)]
    fn is_far(&self) -> bool {
        let (access, descriptor) = (self.access, &self.descriptor);
        let far = access.has(Flags::TFE) || access.has(Flags::ADDR64) || !self.bound;
        far || descriptor.swizzle.is_some() || descriptor.add_tid
    }

    /// The address behind which all lanes are that are not [far](Reach::is_far), with the bytes that all of them lie in, from the largest index and
    /// the largest offset.
    #[inline(always)]
    fn reaching(&self, most: [u32; 2], (component, count): (u32, u32)) -> Option<(u64, u32)> {
        let (access, descriptor) = (self.access, &self.descriptor);
        let indexed = access.has(Flags::IDXEN);
        let stride = if indexed { descriptor.stride } else { 0 };
        let common = descriptor.common(self.soffset, access.offset as u32, component, Judge::Each, indexed);
        let last = (count - 1) * component;
        let (first, _) = common.at(0, 0, 0, 0);
        let (end, inside) = common.at(0, most[0], most[1], last);
        let apart = u64::from(most[0]) * u64::from(stride) + u64::from(most[1]) + u64::from(last);
        let extent = u32::try_from(apart + u64::from(component)).ok()?;
        (inside && end == first + apart).then_some((first, extent))
    }

    /// Where the first lane is, if the items of all lanes follow each other, with nothing between them, and all are in range. The ends say it: what
    /// lies between two lanes grows by the same from each to the next, and so does what is compared with limits.
    #[inline(always)]
    fn row<const L: usize>(&self, lanes: &Lanes<'_, L>, (component, count): (u32, u32)) -> Option<u64> {
        let (access, descriptor) = (self.access, &self.descriptor);
        if access.has(Flags::TFE) || access.has(Flags::ADDR64) || !self.bound || descriptor.swizzle.is_some() {
            return None;
        }
        let (addr, size, apart) = (access.addr, component * count, L as u32 - 1);
        let indexed = access.has(Flags::IDXEN);
        let (index, own, steps) = match (indexed, access.has(Flags::OFFEN)) {
            (false, true) => (0, lanes.row(addr, 0, size)?, (0, size)),
            (true, false) => (lanes.row(addr, 0, 1)?, 0, (1, 0)),
            (true, true) => (lanes.row(addr, 0, 1)?, lanes.row(addr, 1, 0)?, (1, 0)),
            (false, false) => return None,
        };
        let common = descriptor.common(self.soffset, access.offset as u32, component, Judge::Each, indexed);
        let (first, first_inside) = common.at(0, index, own, 0);
        let (last, last_inside) = common.at(apart, index + apart * steps.0, own + apart * steps.1, size - component);
        let in_a_row = last == first + u64::from(apart * size + size - component);
        (first_inside & last_inside & in_a_row).then_some(first)
    }

    /// In what lanes differ: their indices, and the offsets in their registers.
    #[inline(always)]
    fn differing<const L: usize>(&self, lanes: &Lanes<'_, L>) -> Option<([u32; L], [u32; L])> {
        let addr = self.access.addr;
        let indexed = self.access.has(Flags::IDXEN);
        let offset = addr + if indexed { STRIDE } else { 0 };
        Some((lanes.words_where(indexed, addr)?, lanes.words_where(self.access.has(Flags::OFFEN), offset)?))
    }

    /// Where words are that do not follow each other.
    #[inline(always)]
    fn apart<'m, const L: usize>(
        &self,
        lanes: &Lanes<'_, L>,
        memory: &'m Memory,
        common: &Common,
        count: u8,
    ) -> Option<guest::Apart<'m, L>> {
        let (index, own) = self.differing(lanes)?;
        let mut at = [[0; L]; 4];
        for (n, at) in (0..u32::from(count)).zip(&mut at) {
            for (lane, at) in at.iter_mut().enumerate() {
                *at = common.at(lane as u32, index[lane], own[lane], 4 * n).0;
            }
        }
        guest::Apart::new(lanes, memory, &at, count)
    }

    fn general(&self, ask: buffer::Access, all: u8) -> Reached {
        if self.access.has(Flags::ADDR64) {
            let pointer = self.file.get64(self.access.addr, ask.lane);
            let pointer = if planted!(Addr64Checked) { pointer & 0xffff_ffff } else { pointer };
            let offset = self.access.offset as u32;
            let first = self.descriptor.address64(pointer, offset, self.soffset, ask.component);
            return Reached { first, contiguous: true, valid: if self.bound { all } else { 0 }, ask };
        }
        let place = self.descriptor.place(&ask);
        let valid = if self.bound { place.valid } else { 0 };
        // One component has nothing that it would have to follow.
        let contiguous = self.descriptor.swizzle.is_none() || ask.count == 1;
        Reached { first: place.address, contiguous, valid, ask }
    }
}

impl Reached {
    /// All components are in range, and follow each other.
    #[inline(always)]
    pub(super) fn simple(&self) -> Option<u64> {
        (self.contiguous && self.valid == ((1u32 << self.ask.count) - 1) as u8).then_some(self.first)
    }

    /// Drops low bits of an address that a format wants aligned.
    pub(super) fn align(&mut self, drop: u64) {
        if self.contiguous {
            self.first &= !drop;
        }
    }

    /// The address of component `n`, if it is in range.
    #[inline(always)]
    pub(super) fn component(&self, reach: &Reach<'_>, n: u32) -> Option<u64> {
        (self.valid >> n & 1 != 0).then(|| self.address(reach, n))
    }

    /// The address of component `n`, in range or not.
    #[inline(always)]
    pub(super) fn address(&self, reach: &Reach<'_>, n: u32) -> u64 {
        let distance = n * self.ask.component;
        if self.contiguous {
            self.first.wrapping_add(distance.into())
        } else {
            reach.descriptor.address(&self.ask, distance)
        }
    }
}

/// Does something for each lane with the buffer of an instruction.
#[inline(always)]
pub(super) fn with(
    wave: &mut Wave,
    step: &Step,
    group: &mut Group<'_>,
    run: impl FnOnce(&Reach<'_>, &Wave, &mut Group<'_>) -> Done,
) -> u32 {
    let Some(access) = step.memory.as_deref() else { return step.next };
    if wave.exec() == 0 {
        return step.next;
    }
    let done = match Reach::new(wave, access) {
        Ok(reach) => run(&reach, wave, group),
        Err(trouble) => Err((trouble, wave.exec().trailing_zeros())),
    };
    finish(wave, step, group, done)
}

/// The status word behind `registers` registers of data: everything was resident.
#[inline(always)]
pub(super) fn status(reach: &Reach<'_>, registers: u32, lane: u32) {
    if reach.access.has(Flags::TFE) && !planted!(StatusKept) {
        reach.file.set(reach.access.data, registers, lane, 0);
    }
}

/// Bytes of what a lane moves at once.
fn size(item: Item) -> u32 {
    match item {
        Item::U8 | Item::I8 => 1,
        Item::U16 | Item::I16 => 2,
        Item::Words(_) => 4,
    }
}

/// A byte, a half or a word; out of range it is 0.
#[inline(always)]
fn narrow(reach: &Reach<'_>, view: &mut View<'_>, lane: u32) -> Result<u32, Fault> {
    let item = reach.access.item;
    match reach.at(lane, size(item), 1, Judge::Each).component(reach, 0) {
        Some(at) => view.load_narrow(at, item),
        None => Ok(0),
    }
}

/// Components of what a lane moves: their bytes, and how many there are.
fn components(item: Item) -> (u32, u32) {
    (size(item), item.bytes() / size(item))
}

fn load(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    with(wave, step, group, |reach, wave, group| {
        let (memory, &Access { item, half, data, .. }) = (group.memory, reach.access);
        let whole = with_lanes!(wave, |lanes| {
            if let Some(start) = reach.row(lanes, components(item))
                && let Some(row) = Row::new(lanes, memory, start, item)
                && row.load(lanes, (item, half), data).is_some()
            {
                return Some(());
            }
            if let Some(tiles) = reach.tiles(lanes, item)
                && guest::load_tiles(lanes, memory, tiles, data).is_some()
            {
                return Some(());
            }
            if let Some((place, offsets)) = reach.near(lanes, components(item))
                && let Some(found) = guest::Found::within(lanes, memory, place, &offsets, aligned(item))
            {
                return found.load(lanes, (item, half), data);
            }
            let everywhere = reach.all(lanes, components(item), Judge::Each)?;
            let (inside, outside) = everywhere.split(lanes);
            if let Some(lanes) = inside {
                match (&everywhere.apart, item) {
                    (Some(common), Item::Words(count)) => {
                        reach.apart(&lanes, memory, common, count)?.load(&lanes, data)?
                    }
                    _ => guest::Found::items(&lanes, memory, everywhere.at, item)?.load(&lanes, (item, half), data)?,
                }
            }
            outside.map_or(Some(()), |lanes| lanes.clear((item, half), data))
        });
        if whole.is_some() {
            return Ok(());
        }
        let mut view = group.memory.view();
        lanes::<Fault>(wave.exec(), |lane| {
            let Item::Words(count) = item else {
                let v = narrow(reach, &mut view, lane)?;
                reach.file.set_half(data, lane, half, v);
                status(reach, 1, lane);
                return Ok(());
            };
            let reached = reach.at(lane, 4, count.into(), Judge::Each);
            let mut words = [0; 4];
            let words = &mut words[..usize::from(count)];
            if let Some(at) = reached.simple() {
                Bytes::load_words(&mut view, at, words)?;
            } else {
                for (n, word) in (0..).zip(&mut *words) {
                    if let Some(at) = reached.component(reach, n) {
                        *word = view.load_u32(at)?;
                    }
                }
            }
            for (n, word) in (0..).zip(words) {
                reach.file.set(data, n, lane, *word);
            }
            status(reach, count.into(), lane);
            Ok(())
        })
    })
}

fn store(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    with(wave, step, group, |reach, wave, group| {
        let (memory, &Access { item, half, data, .. }) = (group.memory, reach.access);
        let whole = with_lanes!(wave, |lanes| {
            if let Some(start) = reach.row(lanes, components(item))
                && let Some(row) = Row::new(lanes, memory, start, item)
                && row.store(lanes, (item, half), data).is_some()
            {
                return Some(());
            }
            if let Some((place, offsets)) = reach.near(lanes, components(item))
                && let Some(found) = guest::Found::within(lanes, memory, place, &offsets, aligned(item))
            {
                return found.store(lanes, (item, half), data);
            }
            let everywhere = reach.all(lanes, components(item), Judge::Each)?;
            if let (Some(lanes), _) = everywhere.split(lanes) {
                match (&everywhere.apart, item) {
                    (Some(common), Item::Words(count)) => {
                        reach.apart(&lanes, memory, common, count)?.store(&lanes, data)?
                    }
                    _ => guest::Found::items(&lanes, memory, everywhere.at, item)?.store(&lanes, (item, half), data)?,
                }
            }
            Some(())
        });
        if whole.is_some() {
            return Ok(());
        }
        let mut view = group.memory.view();
        lanes(wave.exec(), |lane| {
            let Item::Words(count) = item else {
                return match reach.at(lane, size(item), 1, Judge::Each).component(reach, 0) {
                    Some(at) => view.store(at, item, half, reach.file, data, lane),
                    None => Ok(()),
                };
            };
            let reached = reach.at(lane, 4, count.into(), Judge::Each);
            let words: [u32; 4] =
                std::array::from_fn(|n| if n < usize::from(count) { reach.file.get(data, n as u32, lane) } else { 0 });
            let words = &words[..usize::from(count)];
            if let Some(at) = reached.simple() {
                return Bytes::store_words(&mut view, at, words);
            }
            for (n, word) in (0..).zip(words) {
                if let Some(at) = reached.component(reach, n) {
                    view.store_u32(at, *word)?;
                }
            }
            Ok(())
        })
    })
}

/// Where LDS data of a wave begins. The offset of the instruction counts from gfx9 on.
pub(super) fn lds_start(wave: &Wave, access: &Access) -> u32 {
    lds_base(wave, if wave.env.target.generation() >= Gen::Gfx9 && !planted!(LdsOffsetOld) { access.offset } else { 0 })
}

fn to_lds(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    with(wave, step, group, |reach, wave, group| {
        let mut view = group.memory.view();
        let mut share = Share::unlimited(&mut group.lds, &wave.env.target);
        let start = lds_start(wave, reach.access);
        lanes(wave.exec(), |lane| {
            let v = narrow(reach, &mut view, lane)?;
            share.store_words(start.wrapping_add(lane * if planted!(ToLdsBytes) { 1 } else { 4 }).into(), &[v])
        })
    })
}

/// `buffer_store_lds_dword`: the other way round.
fn from_lds(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    with(wave, step, group, |reach, wave, group| {
        let mut view = group.memory.view();
        let mut share = Share::unlimited(&mut group.lds, &wave.env.target);
        let start = lds_start(wave, reach.access);
        lanes(wave.exec(), |lane| {
            let v = share.load_narrow(start.wrapping_add(lane * 4).into(), Item::Words(1))?;
            match reach.at(lane, 4, 1, Judge::Each).component(reach, 0) {
                Some(at) => view.store_u32(at, v),
                None => Ok(()),
            }
        })
    })
}

fn modify(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    with(wave, step, group, |reach, wave, group| {
        let access = reach.access;
        let Some(atomic) = &access.atomic else { return Ok(()) };
        let floats = float_rules(wave, atomic, Space::Memory);
        let words = if atomic.width == Width::W64 { 2 } else { 1 };
        let (memory, alone) = (group.memory, group.alone);
        let whole = with_lanes!(wave, |lanes| {
            let everywhere = reach.all(lanes, (4, words), Judge::Atomic)?;
            let (inside, outside) = everywhere.split(lanes);
            let result = access.has(Flags::RETURNS).then_some(access.data);
            if let Some(lanes) = inside {
                let found = guest::Found::new(&lanes, memory, everywhere.at, (4 * words, 4 * words))?;
                found.modify(&lanes, (atomic, floats), access.data, result, alone)?;
            }
            match (outside, result) {
                (Some(lanes), Some(at)) => lanes.clear((Item::Words(words as u8), Half::Whole), at),
                _ => Some(()),
            }
        });
        if whole.is_some() {
            return Ok(());
        }
        let mut view = group.memory.view();
        lanes(wave.exec(), |lane| {
            let old = match reach.at(lane, 4, words, Judge::Atomic).component(reach, 0) {
                Some(at) => view.modify(at, atomic, operands(reach.file, access.data, atomic, lane), floats)?,
                None => 0,
            };
            if access.has(Flags::RETURNS) {
                result(reach.file, access.data, atomic.width, lane, old);
            }
            Ok::<(), Trouble>(())
        })
    })
}

/// Where the lanes of a load or store go, each to one place, if all are in range; of those that go to elements of a format, those that are.
#[inline(always)]
pub(super) fn addresses(wave: &Wave, access: &Access) -> Option<Addresses> {
    let reach = Reach::new(wave, access).ok()?;
    if access.way == Way::Formatted {
        return formatted::addresses(&reach, wave);
    }
    let (bytes, part) = (touched::bytes(access), size(access.item));
    if bytes == 0 {
        return None;
    }
    with_lanes_in_pieces!(wave, |lanes| {
        let ((start, _), offsets) = reach.near(lanes, (part, bytes / part))?;
        // Of what is not aligned low bits may be dropped.
        let low = offsets.iter().fold(start as u32, |low, offset| low | offset);
        (low & (aligned(access.item).1 - 1) == 0).then_some(())?;
        Some(Addresses::of(lanes, start, &offsets, bytes))
    })
}

/// Where an instruction goes: what of it is in range.
pub(super) fn touched(wave: &Wave, access: &Access, put: &mut impl FnMut(Touched)) {
    let is_formatted = access.way == Way::Formatted;
    let part = if is_formatted || access.atomic.is_some() { 4 } else { size(access.item) };
    let count = touched::bytes(access) / part;
    let Ok(reach) = Reach::new(wave, access) else { return };
    if count == 0 {
        return;
    }
    if is_formatted {
        formatted::touched(&reach, wave, put);
    } else {
        let judge = if access.atomic.is_some() { Judge::Atomic } else { Judge::Each };
        for lane in touched::active(wave) {
            let reached = reach.at(lane, part, count, judge);
            match reached.simple() {
                Some(at) => put(Touched::memory(Some(lane), at, part * count)),
                None if judge == Judge::Atomic => {
                    let at = reached.component(&reach, 0);
                    at.into_iter().for_each(|at| put(Touched::memory(Some(lane), at, part * count)));
                }
                None => {
                    let inside = (0..count).filter_map(|n| reached.component(&reach, n));
                    inside.for_each(|at| put(Touched::memory(Some(lane), at, part)));
                }
            }
        }
    }
    touched::beside(wave, access, lds_start(wave, access), put);
}
