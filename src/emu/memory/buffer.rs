//! Buffer memory: MUBUF and MTBUF without formats.
//!
//! A lane's index and offset come from registers, as the instruction says, and the descriptor in four scalar registers makes an address of
//! them and knows what is in range ([`crate::memory::buffer`]). Words are judged one by one: those out of range load 0 and are not
//! stored. Atomics are done whole or not at all. A buffer without a format is none: it loads 0.
//!
//! Most accesses have no index and a plain descriptor. They differ in their offset only, and one comparison says whether it is in range.

use super::common::{Bytes, Done, File, Share, Trouble, finish, lanes, operands, result};
use super::flat::lds_base;
use super::smem::descriptor;
use super::touched::{self, Touched};
use super::{Access, Flags, all_lanes, float_rules, formatted, nothing, whole};
use crate::emu::group::Group;
use crate::emu::plan::{Run, Step};
use crate::emu::wave::Wave;
use crate::fault::planted;
use crate::isa::Gen;
use crate::isa::does::{Does, Item, Moved, Way};
use crate::isa::row::{Inst, Traits};
use crate::memory::atomic::{Space, Width};
use crate::memory::buffer::{self, Descriptor, Judge, Linear};
use crate::memory::guest::{Fault, View};

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
        Does::Load(moved) => match moved.item {
            Item::Words(1) => load_words::<1>,
            Item::Words(2) => load_words::<2>,
            Item::Words(3) => load_words::<3>,
            Item::Words(_) => load_words::<4>,
            _ => load_narrow,
        },
        Does::Store(_) if row.traits.contains(Traits::LDS) => from_lds,
        Does::Store(moved) => match moved.item {
            Item::Words(1) => store_words::<1>,
            Item::Words(2) => store_words::<2>,
            Item::Words(3) => store_words::<3>,
            Item::Words(_) => store_words::<4>,
            _ => store_narrow,
        },
        _ => return None,
    })
}

/// A buffer and what an instruction wants of it.
pub(super) struct Reach<'a> {
    pub(super) access: &'a Access,
    pub(super) file: File<'a>,
    pub(super) descriptor: Descriptor,
    soffset: u32,
    linear: Option<Linear>,
    /// There is a buffer.
    pub(super) bound: bool,
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
    /// The buffer of an instruction whose lanes move components of some bytes.
    #[inline(always)]
    pub(super) fn new(wave: &'a Wave, access: &'a Access, component: u32) -> Result<Reach<'a>, Trouble> {
        let mut descriptor = descriptor(wave, access.base, &wave.env.target)?;
        if !access.has(Flags::IDXEN) {
            descriptor.without_index(wave.env.target.generation());
        }
        let soffset = wave.s[access.soffset as usize];
        let plain = !access.flags.intersects(Flags::IDXEN.union(Flags::ADDR64));
        Ok(Reach {
            access,
            file: File(&wave.file),
            soffset,
            linear: if plain { descriptor.linear(soffset, access.offset as u32, component) } else { None },
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
        let all = ((1u32 << count) - 1) as u8;
        if let (Some(linear), true, true) = (self.linear, self.bound, judge == Judge::Each) {
            // What is in range as a whole; the rest takes the long way.
            if let (Some(first), Some(_)) = (linear.at(offset, 0), linear.at(offset, (count - 1) * component)) {
                return Reached { first, contiguous: true, valid: all, ask };
            }
        }
        self.general(ask, all)
    }

    /// Lanes differ in their offsets only, and there is nothing but data.
    #[inline(always)]
    fn is_plain(&self) -> bool {
        self.linear.is_some() && self.bound && !self.access.has(Flags::TFE)
    }

    /// The address of `N` words of a lane in a plain buffer, if they are in range.
    #[inline(always)]
    fn plain<const N: usize>(&self, lane: u32) -> Option<u64> {
        let (linear, offset) = (self.linear.as_ref()?, self.offset(lane));
        linear.at(offset, 4 * (N as u32 - 1))?;
        linear.at(offset, 0)
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
    component: u32,
    run: impl FnOnce(&Reach<'_>, &Wave, &mut Group<'_>) -> Done,
) -> u32 {
    let Some(access) = step.memory.as_deref() else { return step.next };
    if wave.exec() == 0 {
        return step.next;
    }
    let done = match Reach::new(wave, access, component) {
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

fn load_words<const N: usize>(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    with(wave, step, group, 4, |reach, wave, group| {
        if let Some(all) = all_lanes(wave).filter(|_| N != 2 && reach.is_plain()) {
            let data = reach.access.data;
            if whole::load::<N>(group.memory, reach.file, data, all, |lane| reach.plain::<N>(lane)).is_some() {
                return Ok(());
            }
        }
        let mut view = group.memory.view();
        lanes(wave.exec(), |lane| {
            let reached = reach.at(lane, 4, N as u32, Judge::Each);
            let mut words = [0; N];
            if let Some(at) = reached.simple() {
                Bytes::load_words(&mut view, at, &mut words)?;
            } else {
                for (n, word) in (0..).zip(&mut words) {
                    if let Some(at) = reached.component(reach, n) {
                        *word = view.load_u32(at)?;
                    }
                }
            }
            for (n, word) in (0..).zip(words) {
                reach.file.set(reach.access.data, n, lane, word);
            }
            status(reach, N as u32, lane);
            Ok::<(), Fault>(())
        })
    })
}

fn store_words<const N: usize>(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    with(wave, step, group, 4, |reach, wave, group| {
        if let Some(all) = all_lanes(wave).filter(|_| N != 2 && reach.is_plain()) {
            let data = reach.access.data;
            if whole::store::<N>(group.memory, reach.file, data, all, |lane| reach.plain::<N>(lane)).is_some() {
                return Ok(());
            }
        }
        let mut view = group.memory.view();
        lanes(wave.exec(), |lane| {
            let reached = reach.at(lane, 4, N as u32, Judge::Each);
            let words: [u32; N] = std::array::from_fn(|n| reach.file.get(reach.access.data, n as u32, lane));
            if let Some(at) = reached.simple() {
                return Bytes::store_words(&mut view, at, &words);
            }
            for (n, word) in (0..).zip(words) {
                if let Some(at) = reached.component(reach, n) {
                    view.store_u32(at, word)?;
                }
            }
            Ok(())
        })
    })
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

fn component(step: &Step) -> u32 {
    step.memory.as_deref().map_or(4, |access| size(access.item))
}

fn load_narrow(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    with(wave, step, group, component(step), |reach, wave, group| {
        let mut view = group.memory.view();
        lanes::<Fault>(wave.exec(), |lane| {
            let v = narrow(reach, &mut view, lane)?;
            reach.file.set_half(reach.access.data, lane, reach.access.half, v);
            status(reach, 1, lane);
            Ok(())
        })
    })
}

fn store_narrow(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    with(wave, step, group, component(step), |reach, wave, group| {
        let mut view = group.memory.view();
        let Access { item, half, data, .. } = *reach.access;
        lanes(wave.exec(), |lane| match reach.at(lane, size(item), 1, Judge::Each).component(reach, 0) {
            Some(at) => view.store(at, item, half, reach.file, data, lane),
            None => Ok(()),
        })
    })
}

/// Where LDS data of a wave begins. The offset of the instruction counts from gfx9 on.
pub(super) fn lds_start(wave: &Wave, access: &Access) -> u32 {
    lds_base(wave, if wave.env.target.generation() >= Gen::Gfx9 && !planted!(LdsOffsetOld) { access.offset } else { 0 })
}

fn to_lds(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    with(wave, step, group, component(step), |reach, wave, group| {
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
    with(wave, step, group, 4, |reach, wave, group| {
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
    with(wave, step, group, 4, |reach, wave, group| {
        let access = reach.access;
        let Some(atomic) = &access.atomic else { return Ok(()) };
        let floats = float_rules(wave, atomic, Space::Memory);
        let words = if atomic.width == Width::W64 { 2 } else { 1 };
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

/// Where an instruction goes: what of it is in range.
pub(super) fn touched(wave: &Wave, access: &Access, put: &mut impl FnMut(Touched)) {
    let is_formatted = access.way == Way::Formatted;
    let part = if is_formatted || access.atomic.is_some() { 4 } else { size(access.item) };
    let count = touched::bytes(access) / part;
    let Ok(reach) = Reach::new(wave, access, part) else { return };
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
