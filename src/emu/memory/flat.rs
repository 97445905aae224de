//! Flat, global and scratch memory.
//!
//! - *Global*: a 64-bit address in registers, or a scalar one plus a 32-bit offset in a register.
//! - *Scratch*: a 32-bit byte address in the memory of the lane, from a register, a scalar register, both or neither. Words of the lanes
//!   of a wave lie side by side: see [`Private`].
//! - *Flat*: a 64-bit address whose upper half says, lane by lane and before the offset of the instruction is added, whether it is LDS,
//!   scratch or global memory.
//!
//! Scratch begins at [`Wave::scratch`], except where programs set it in scalar registers: on gfx9 (but gfx940) FLAT_SCRATCH is the address;
//! on gfx7 and gfx8 its upper word counts 256 bytes from the hidden base of the process, which [`Wave::scratch`] holds there.

mod actions;

use super::common::{Bytes, Done, File, Share, Trouble, finish, lanes};
use super::touched::{self, Addresses, Touched};
use super::whole::{Eights, Lanes, Shape, with_lanes, with_lanes_in_pieces};
use super::{Access, Flags, TouchedSpace, float_rules, nothing};
use crate::each::{cells, each};
use crate::emu::group::{Group, refuse};
use crate::emu::plan::{Run, Step};
use crate::emu::wave::Wave;
use crate::fault::planted;
use crate::isa::does::{Does, Item, Moved, Way};
use crate::isa::row::{Family, Inst};
use crate::isa::{Gen, Variants};
use crate::launch::Apertures;
use crate::memory::atomic::float::FloatRules;
use crate::memory::atomic::{Atomic, Space, Width};
use crate::memory::guest::{self, Fault, View, Why};
use crate::memory::lds::Rules;
use crate::program::memory::transposed::{ELEMENTS, LANES, moves};
use actions::{Action, Load, LoadBlock, Modify, Places, Store, StoreBlock};

/// The function of a flat, global or scratch instruction.
pub(super) fn run(row: &Inst, access: &Access) -> Option<Run> {
    let to_lds = access.has(Flags::LDS);
    Some(match (row.family, row.does) {
        (Family::Flat, Does::Atomic(_)) => flat::<Modify>,
        (_, Does::Atomic(_)) => global::<Modify>,
        (Family::Flat, Does::Load(_)) => flat::<Load>,
        (Family::Flat, Does::Store(_)) => flat::<Store>,
        (Family::Scratch, Does::Load(_)) if to_lds => scratch_to_lds,
        (Family::Scratch, Does::Load(Moved { way: Way::Block, .. })) => scratch::<LoadBlock>,
        (Family::Scratch, Does::Store(Moved { way: Way::Block, .. })) => scratch::<StoreBlock>,
        (Family::Scratch, Does::Load(_)) => scratch::<Load>,
        (Family::Scratch, Does::Store(_)) => scratch::<Store>,
        (_, Does::Load(_)) if to_lds => global_to_lds,
        (_, Does::Load(Moved { way: Way::Block, .. })) => global::<LoadBlock>,
        (_, Does::Load(Moved { way: Way::Transposed, .. })) => transposed,
        (_, Does::Store(Moved { way: Way::Block, .. })) => global::<StoreBlock>,
        (_, Does::Load(_)) => global::<Load>,
        (_, Does::Store(_)) => global::<Store>,
        (_, Does::Idle(_)) => nothing,
        _ => return None,
    })
}

/// What an instruction does at the address of a lane.
struct Job<'a> {
    access: &'a Access,
    file: File<'a>,
    floats: FloatRules,
    m0: u32,
    /// Nobody else is in guest memory.
    alone: bool,
}

impl<'a> Job<'a> {
    fn new(wave: &'a Wave, access: &'a Access, group: &Group<'_>) -> Job<'a> {
        let floats = access.atomic.map_or(FloatRules::default(), |atomic| float_rules(wave, &atomic, Space::Memory));
        Job { access, file: File(&wave.file), floats, m0: wave.m0(), alone: group.alone }
    }

    /// The global address of a lane.
    #[inline(always)]
    fn global(&self, base: u64, lane: u32) -> u64 {
        let access = self.access;
        let own = match (access.has(Flags::VADDR), access.has(Flags::SADDR)) {
            (true, false) => self.file.get64(access.addr, lane),
            (true, true) if planted!(SaddrOffsetSigned) => self.file.get(access.addr, 0, lane) as i32 as u64,
            (true, true) => u64::from(self.file.get(access.addr, 0, lane)),
            (false, _) if access.way == Way::LaneNumber => {
                u64::from(lane * if planted!(GlobalAddtidBytes) { 1 } else { 4 })
            }
            (false, _) => 0,
        };
        base.wrapping_add(own)
    }

    /// The global address of the first lane, if the items of all lanes follow each other.
    #[inline(always)]
    fn first<const L: usize>(&self, lanes: &Lanes<'_, L>, base: u64) -> Option<u64> {
        let (addr, size) = (self.access.addr, self.access.item.bytes());
        match (self.access.has(Flags::VADDR), self.access.has(Flags::SADDR)) {
            (true, false) => Some(base.wrapping_add(lanes.row_of_pairs(addr, size)?)),
            (true, true) => Some(base.wrapping_add(lanes.row(addr, 0, size)?.into())),
            (false, _) => None,
        }
    }

    /// How the lanes lie to each other that move a word each, behind an address.
    #[inline(always)]
    fn tiles<const L: usize>(&self, lanes: &Lanes<'_, L>, base: u64) -> Option<(u64, Eights)> {
        let &Access { item, addr, .. } = self.access;
        if item != Item::Words(1) || !self.access.has(Flags::VADDR) {
            return None;
        }
        let Shape::Eights(eights) = lanes.shape(lanes.register(addr, 0)?, 4) else { return None };
        let high = if self.access.has(Flags::SADDR) { 0 } else { lanes.row(addr, 1, 0)? };
        Some((base.wrapping_add(u64::from(high) << 32), eights))
    }

    /// The global addresses of all lanes.
    #[inline(always)]
    fn all<const L: usize>(&self, lanes: &Lanes<'_, L>, base: u64) -> Option<[u64; L]> {
        let access = self.access;
        Some(match (access.has(Flags::VADDR), access.has(Flags::SADDR)) {
            (true, false) => each(
                &lanes.pairs(access.addr)?,
                #[inline(always)]
                |own| base.wrapping_add(own),
            ),
            (true, true) => each(
                &lanes.words(access.addr, 0)?,
                #[inline(always)]
                |own| base.wrapping_add(u64::from(own)),
            ),
            (false, _) => std::array::from_fn(
                #[inline(always)]
                |lane| base.wrapping_add(lane as u64 * u64::from(self.step())),
            ),
        })
    }

    /// What all lanes add to the base that they share, and each of them to that: where pairs of registers have one high word, or no say.
    #[inline(always)]
    fn near<const L: usize>(&self, lanes: &Lanes<'_, L>) -> Option<(u64, [u32; L])> {
        match (self.access.has(Flags::VADDR), self.access.has(Flags::SADDR)) {
            (true, false) => {
                let (high, low) = lanes.pairs_by_high(self.access.addr)?;
                Some((u64::from(high) << 32, low))
            }
            (true, true) => Some((0, lanes.words(self.access.addr, 0)?)),
            (false, _) => Some((
                0,
                std::array::from_fn(
                    #[inline(always)]
                    |lane| lane as u32 * self.step(),
                ),
            )),
        }
    }

    /// Bytes from a lane to the next one, of those that have no address of their own.
    #[inline(always)]
    fn step(&self) -> u32 {
        if self.access.way == Way::LaneNumber { 4 } else { 0 }
    }

    /// The scratch address of a lane, in its own memory.
    #[inline(always)]
    fn private(&self, base: u32, lane: u32) -> u32 {
        let own = if self.access.has(Flags::VADDR) { self.file.get(self.access.addr, 0, lane) } else { 0 };
        base.wrapping_add(own)
    }
}

/// The part of a global address that all lanes share.
fn global_base(wave: &Wave, access: &Access) -> u64 {
    let saddr = if access.has(Flags::SADDR) { wave.pair(access.base as usize) } else { 0 };
    let saddr = if planted!(GlobalSaddrLow) { saddr & 0xffff_ffff } else { saddr };
    saddr.wrapping_add(access.offset as u64)
}

/// The part of a scratch address that all lanes share.
fn private_base(wave: &Wave, access: &Access) -> u32 {
    let saddr = if access.has(Flags::SADDR) && !planted!(ScratchSaddrLost) { wave.s[access.base as usize] } else { 0 };
    saddr.wrapping_add(access.offset as u32)
}

/// Where scratch memory of a wave begins.
pub(super) fn scratch_base(wave: &Wave) -> u64 {
    let target = &wave.env.target;
    match target.generation() {
        // FLAT_SCRATCH: bytes of a lane, then 256 bytes from the hidden base.
        Gen::Gfx6 | Gen::Gfx7 => {
            wave.scratch.wrapping_add(u64::from(wave.s[105]) << if planted!(FlatScratchUnscaled) { 0 } else { 8 })
        }
        Gen::Gfx8 => {
            wave.scratch.wrapping_add(u64::from(wave.s[103]) << if planted!(FlatScratchUnscaled) { 0 } else { 8 })
        }
        Gen::Gfx9 if !target.is(Variants::G940) => wave.pair(102),
        Gen::Gfx9 | Gen::Gfx10 | Gen::Gfx11 | Gen::Gfx12 => wave.scratch,
    }
}

/// Scratch memory of one lane: word `w` of the lane lies at word `w * lanes + lane` of the wave.
pub(super) struct Private<'a, 'm> {
    view: &'a mut View<'m>,
    /// Where the first word of the lane lies.
    start: u64,
    lanes: u64,
}

impl<'a, 'm> Private<'a, 'm> {
    fn new(view: &'a mut View<'m>, base: u64, lane: u32, lanes: u32) -> Private<'a, 'm> {
        Private { view, start: base.wrapping_add(u64::from(lane) * 4), lanes: lanes.into() }
    }

    /// The guest address of a byte of the lane. Its own addresses have 32 bits and wrap.
    #[inline(always)]
    fn place(&self, at: u64) -> u64 {
        let at = u64::from(at as u32);
        self.start.wrapping_add((at & !3) * if planted!(ScratchStraight) { 1 } else { self.lanes } + (at & 3))
    }
}

impl Bytes for Private<'_, '_> {
    fn load_u8(&mut self, at: u64) -> Result<u8, Fault> {
        self.view.load_u8(self.place(at))
    }
    fn load_u16(&mut self, at: u64) -> Result<u16, Fault> {
        Ok(u16::from_le_bytes([self.load_u8(at)?, self.load_u8(at + 1)?]))
    }
    #[inline(always)]
    fn load_words(&mut self, at: u64, out: &mut [u32]) -> Result<(), Fault> {
        for (at, word) in (at..).step_by(4).zip(out) {
            *word = if at & 3 == 0 {
                self.view.load_u32(self.place(at))?
            } else {
                u32::from(self.load_u16(at)?) | u32::from(self.load_u16(at + 2)?) << 16
            };
        }
        Ok(())
    }
    fn store_u8(&mut self, at: u64, v: u8) -> Result<(), Fault> {
        self.view.store_u8(self.place(at), v)
    }
    fn store_u16(&mut self, at: u64, v: u16) -> Result<(), Fault> {
        for (n, byte) in (0..).zip(v.to_le_bytes()) {
            self.store_u8(at + n, byte)?;
        }
        Ok(())
    }
    #[inline(always)]
    fn store_words(&mut self, at: u64, words: &[u32]) -> Result<(), Fault> {
        for (at, &word) in (at..).step_by(4).zip(words) {
            if at & 3 == 0 {
                self.view.store_u32(self.place(at), word)?;
            } else {
                self.store_u16(at, word as u16)?;
                self.store_u16(at + 2, (word >> 16) as u16)?;
            }
        }
        Ok(())
    }
    fn modify(&mut self, at: u64, atomic: &Atomic, operands: (u64, u64), floats: FloatRules) -> Result<u64, Trouble> {
        let place = self.place(at);
        if atomic.width == Width::W64 {
            return Err(Trouble::Fault(Fault {
                address: place,
                size: 8,
                access: guest::Access::Atomic,
                why: Why::Unmapped,
            }));
        }
        Bytes::modify(self.view, place, atomic, operands, floats)
    }
}

/// An instruction in global memory.
fn global<A: Action>(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let Some(access) = step.memory.as_deref() else { return step.next };
    let (job, base, memory) = (Job::new(wave, access, group), global_base(wave, access), group.memory);
    let whole = with_lanes!(&*wave, |lanes| {
        let row = job.first(lanes, base).and_then(|start| A::row(lanes, memory, start, &job));
        if row.is_some() {
            return row;
        }
        let tiles = job.tiles(lanes, base).and_then(|tiles| A::tiles(lanes, memory, tiles, &job));
        if tiles.is_some() {
            return tiles;
        }
        A::whole(lanes, memory, &Places { at: job.all(lanes, base)?, apart: None }, &job)
    });
    if whole.is_some() {
        return step.next;
    }
    let mut view = group.memory.view();
    let done = lanes(wave.exec(), |lane| A::act(&mut view, job.global(base, lane), &job, lane));
    finish(wave, step, group, done)
}

/// A load of a matrix whose rows and columns are exchanged. Without active lanes it is nothing, with some of them undefined.
fn transposed(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let Some(access) = step.memory.as_deref() else { return step.next };
    if wave.exec() == 0 {
        return step.next;
    }
    if wave.exec() != wave.all_lanes() && !planted!(TransposedPartly) {
        let needs = "EXEC with all lanes or none: what a transposing load does else is undefined";
        return refuse(wave, needs);
    }
    let (job, base) = (Job::new(wave, access, group), global_base(wave, access));
    let mut view = group.memory.view();
    let (bytes, count) = (access.item.bytes() == ELEMENTS, access.item.bytes() as usize / 4);
    let mut read = [[0u32; 4]; LANES as usize];
    let done = lanes(u64::from(u32::MAX), |lane| {
        Bytes::load_words(&mut view, job.global(base, lane), &mut read[lane as usize][..count])
    });
    if done.is_ok() {
        let moves = moves(bytes && !planted!(TransposedBytesAsHalves), wave.lanes == 64);
        let (each, per_word) = (ELEMENTS * LANES / wave.lanes, if bytes { 4 } else { 2 });
        for lane in 0..wave.lanes {
            for n in 0..each / per_word {
                let word = (0..per_word).fold(0, |word, part| {
                    let (from, element) = moves.source(lane, n * per_word + part);
                    let bits = 32 / per_word;
                    let there = read[from as usize][(element / per_word) as usize] >> (element % per_word * bits);
                    word | (there & (u32::MAX >> (32 - bits))) << (part * bits)
                });
                job.file.set(access.dst, n, lane, word);
            }
        }
    }
    finish(wave, step, group, done)
}

/// An instruction in scratch memory.
fn scratch<A: Action>(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let Some(access) = step.memory.as_deref() else { return step.next };
    let (job, base, start) = (Job::new(wave, access, group), private_base(wave, access), scratch_base(wave));
    let memory = group.memory;
    let whole = with_lanes!(&*wave, |lanes| {
        let own = lanes.words_where(access.has(Flags::VADDR), access.addr)?;
        A::whole(
            lanes,
            memory,
            &Places::private(
                lanes,
                start,
                &each(
                    &own,
                    #[inline(always)]
                    |own| base.wrapping_add(own),
                ),
            )?,
            &job,
        )
    });
    if whole.is_some() {
        return step.next;
    }
    let mut view = group.memory.view();
    let done = lanes(wave.exec(), |lane| {
        let mut bytes = Private::new(&mut view, start, lane, wave.lanes);
        A::act(&mut bytes, job.private(base, lane).into(), &job, lane)
    });
    finish(wave, step, group, done)
}

/// An instruction in whatever memory the address says.
fn flat<A: Action>(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let Some(access) = step.memory.as_deref() else { return step.next };
    let (job, start, target) = (Job::new(wave, access, group), scratch_base(wave), &wave.env.target);
    let shared = Job {
        floats: access.atomic.map_or(FloatRules::default(), |atomic| float_rules(wave, &atomic, Space::Lds)),
        ..Job::new(wave, access, group)
    };
    let rules = Rules::new(target, job.m0, group.lds.bytes());
    let apertures = match group.apertures {
        Apertures { shared, private } if planted!(AperturesSwapped) => Apertures { shared: private, private: shared },
        apertures => apertures,
    };
    // gfx12 knows 17 bits of an address in LDS.
    let kept = if target.generation() >= Gen::Gfx12 && !planted!(FlatLds32) { 0x1_ffff } else { u32::MAX };
    let (memory, lds) = (group.memory, &mut group.lds);
    let whole = with_lanes!(&*wave, |lanes| {
        let first = lanes.row_of_pairs(access.addr, access.item.bytes());
        let elsewhere = |own: u64| [apertures.shared >> 32, apertures.private >> 32].contains(&(own >> 32));
        if let Some(own) = first.filter(|own| !elsewhere(*own))
            && A::row(lanes, memory, own.wrapping_add(access.offset as u64), &job).is_some()
        {
            return Some(());
        }
        let own = lanes.pairs(access.addr)?;
        let at = each(
            &own,
            #[inline(always)]
            |own| own.wrapping_add(access.offset as u64),
        );
        let (in_lds, own_memory) = (apertures.shared >> 32, apertures.private >> 32);
        // Guest memory and the lanes' own go one way, which is then compiled once.
        let places = if !lanes.any(
            #[inline(always)]
            |lane| (own[lane] >> 32 == in_lds) | (own[lane] >> 32 == own_memory),
        ) {
            Places { at, apart: None }
        } else if !lanes.any(
            #[inline(always)]
            |lane| own[lane] >> 32 != in_lds,
        ) {
            let mut at = each(
                &at,
                #[inline(always)]
                |at| at as u32 & kept,
            );
            return A::shared(lanes, (lds, &rules), cells(&mut at), &shared);
        } else if !lanes.any(
            #[inline(always)]
            |lane| (own[lane] >> 32 != own_memory) | (own[lane] >> 32 == in_lds),
        ) {
            let own = each(
                &at,
                #[inline(always)]
                |at| at as u32,
            );
            Places::private(lanes, start, &own)?
        } else {
            return None;
        };
        A::whole(lanes, memory, &places, &job)
    });
    if whole.is_some() {
        return step.next;
    }
    let mut view = group.memory.view();
    let done = lanes(wave.exec(), |lane| {
        let address = job.file.get64(access.addr, lane);
        let at = address.wrapping_add(access.offset as u64);
        let address = if planted!(ApertureWithOffset) { at } else { address };
        if address >> 32 == apertures.shared >> 32 {
            let mut share = Share { lds: &mut group.lds, rules };
            A::act(&mut share, u64::from(at as u32 & kept), &shared, lane)
        } else if address >> 32 == apertures.private >> 32 {
            let mut bytes = Private::new(&mut view, start, lane, wave.lanes);
            A::act(&mut bytes, u64::from(at as u32), &job, lane)
        } else {
            A::act(&mut view, at, &job, lane)
        }
    });
    finish(wave, step, group, done)
}

/// Where LDS loads of a wave go: M0, the offset of the instruction, then a word a lane.
pub(super) fn lds_base(wave: &Wave, offset: i64) -> u32 {
    (if planted!(LdsBaseWithoutM0) { 0 } else { wave.m0() & 0xffff }).wrapping_add(offset as u32)
}

/// A load from global memory into LDS.
fn global_to_lds(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let Some(access) = step.memory.as_deref() else { return step.next };
    let (job, base) = (Job::new(wave, access, group), global_base(wave, access));
    let mut view = group.memory.view();
    let mut share = Share::unlimited(&mut group.lds, &wave.env.target);
    let to = lds_base(wave, access.offset);
    let done = lanes(wave.exec(), |lane| {
        let word = view.load_narrow(job.global(base, lane), access.item)?;
        share.store_words(to.wrapping_add(lane * 4).into(), &[word])
    });
    finish(wave, step, group, done)
}

/// A load from scratch memory into LDS.
fn scratch_to_lds(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let Some(access) = step.memory.as_deref() else { return step.next };
    let (job, base, start) = (Job::new(wave, access, group), private_base(wave, access), scratch_base(wave));
    let mut view = group.memory.view();
    let mut share = Share::unlimited(&mut group.lds, &wave.env.target);
    let to = lds_base(wave, access.offset);
    let done: Done = lanes(wave.exec(), |lane| {
        let mut bytes = Private::new(&mut view, start, lane, wave.lanes);
        let word = bytes.load_narrow(job.private(base, lane).into(), access.item)?;
        share.store_words(to.wrapping_add(lane * 4).into(), &[word])
    });
    finish(wave, step, group, done)
}

/// Where the lanes of a load or store go, each to one place, if that is global memory.
#[inline(always)]
pub(super) fn addresses(wave: &Wave, access: &Access, row: &Inst, group: &Group<'_>) -> Option<Addresses> {
    let bytes = touched::bytes(access);
    if access.way == Way::Transposed || bytes == 0 {
        return None;
    }
    let job = Job::new(wave, access, group);
    with_lanes_in_pieces!(wave, |lanes| {
        let (own, offsets) = job.near(lanes)?;
        let Apertures { shared, private } = group.apertures;
        let is_elsewhere = row.family == Family::Flat && [shared, private].iter().any(|at| at >> 32 == own >> 32);
        let base = (!is_elsewhere).then(|| global_base(wave, access).wrapping_add(own))?;
        Some(Addresses::of(lanes, base, &offsets, bytes))
    })
}

/// Where an instruction goes.
pub(super) fn touched(wave: &Wave, access: &Access, row: &Inst, group: &Group<'_>, put: &mut impl FnMut(Touched)) {
    let (job, size, start) = (Job::new(wave, access, group), touched::bytes(access), scratch_base(wave));
    if size == 0 {
        return;
    }
    // Words of a lane's scratch memory lie apart.
    let mut words: Vec<Touched> = Vec::new();
    let mut private = |lane: u32, at: u32| {
        for n in 0..size.div_ceil(4) {
            let at = at.wrapping_add(4 * n);
            let first = start.wrapping_add(u64::from(lane) * 4);
            let guest = first.wrapping_add(u64::from(at & !3) * u64::from(wave.lanes) + u64::from(at & 3));
            let bytes = size.min(4);
            words.push(Touched {
                lane: Some(lane),
                space: TouchedSpace::Scratch,
                address: at.into(),
                guest: Some(guest),
                bytes,
            });
        }
    };
    let reads = if access.way == Way::Transposed { LANES } else { u32::MAX };
    for lane in touched::active(wave).filter(|lane| *lane < reads) {
        match row.family {
            Family::Scratch => private(lane, job.private(private_base(wave, access), lane)),
            Family::Global => put(Touched::memory(Some(lane), job.global(global_base(wave, access), lane), size)),
            _ => {
                let address = job.file.get64(access.addr, lane);
                let at = address.wrapping_add(access.offset as u64);
                if address >> 32 == group.apertures.shared >> 32 {
                    put(Touched::lds(Some(lane), at as u32, size));
                } else if address >> 32 == group.apertures.private >> 32 {
                    private(lane, at as u32);
                } else {
                    put(Touched::memory(Some(lane), at, size));
                }
            }
        }
    }
    // Word by word, so that lanes stand side by side.
    let each = size.div_ceil(4) as usize;
    (0..each).flat_map(|n| words.iter().skip(n).step_by(each)).for_each(|word| put(*word));
    touched::beside(wave, access, lds_base(wave, access.offset), put);
}
