//! Where a memory instruction goes, lane by lane: asked before it is executed, by those who look on.
//!
//! Addresses are computed by the functions that the instructions themselves use. What is out of range of a buffer touches nothing.

use super::whole::Lanes;
use super::{Access, Flags, buffer, ds, flat, image, rays, smem};
use crate::emu::group::Group;
use crate::emu::kernel::STRIDE;
use crate::emu::plan::Step;
use crate::emu::wave::Wave;
use crate::isa::does::{Does, Texels};
use crate::isa::row::Family;

/// Which memory an address is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// Guest memory, which all share.
    Memory,
    /// The local data share of the group.
    Lds,
    /// Scratch memory of the lane, which has addresses of its own.
    Scratch,
}

/// Bytes that a lane touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touched {
    /// The lane; nothing where the wave acts as one.
    pub lane: Option<u32>,
    /// Which memory.
    pub space: Space,
    /// The first byte.
    pub address: u64,
    /// Where the first byte is in guest memory, if it is there: for scratch memory another number than its own address.
    pub guest: Option<u64>,
    /// How many.
    pub bytes: u32,
}

impl Touched {
    /// Bytes of guest memory.
    pub(super) fn memory(lane: Option<u32>, address: u64, bytes: u32) -> Touched {
        Touched { lane, space: Space::Memory, address, guest: Some(address), bytes }
    }

    /// Bytes of LDS.
    pub(super) fn lds(lane: Option<u32>, address: u32, bytes: u32) -> Touched {
        Touched { lane, space: Space::Lds, address: address.into(), guest: None, bytes }
    }
}

/// Where the lanes of an instruction go in LDS, each by itself, to one place or to two.
#[derive(Clone, Debug)]
pub struct Places {
    /// The active lanes. What is said of others means nothing.
    pub lanes: u64,
    /// What stands in its register, by lane.
    pub bases: [u32; STRIDE],
    /// What is added to that at each place.
    pub offsets: [u32; 2],
    /// How many places there are, one or two.
    pub count: usize,
    /// How many bytes a lane moves at each place.
    pub bytes: u32,
}

/// Where the lanes of an instruction go in LDS if it is executed now; nothing where they go elsewhere, or not each to such places.
#[inline(always)]
#[must_use]
pub fn places(wave: &Wave, step: &Step, group: &Group<'_>) -> Option<Places> {
    let (access, row) = (step.memory.as_deref()?, step.row?);
    let plain = row.family == Family::Ds && row.does.touches_memory() && !matches!(row.does, Does::Stack(_));
    if plain { ds::places(wave, access, group) } else { None }
}

/// Where the lanes of an instruction go in guest memory, each to one place.
#[derive(Clone, Debug)]
pub struct Addresses {
    /// The active lanes. What is said of others means nothing.
    pub lanes: u64,
    /// What lies in front of all places.
    pub base: u64,
    /// Bytes from there to the first one, by lane.
    pub offsets: [u32; STRIDE],
    /// How many bytes a lane moves.
    pub bytes: u32,
}

impl Addresses {
    /// Of the lanes of a wave.
    #[inline(always)]
    pub(super) fn of<const L: usize>(lanes: &Lanes<'_, L>, base: u64, offsets: &[u32; L], bytes: u32) -> Addresses {
        let mut all = [0; STRIDE];
        all[..L].copy_from_slice(offsets);
        Addresses { lanes: lanes.exec & u64::MAX >> (STRIDE - L), base, offsets: all, bytes }
    }
}

/// Where the lanes of an instruction go in guest memory if it is executed now; nothing where they go elsewhere, or not each to one such place.
#[inline(always)]
#[must_use]
pub fn addresses(wave: &Wave, step: &Step, group: &Group<'_>) -> Option<Addresses> {
    let (access, row) = (step.memory.as_deref()?, step.row?);
    let single = matches!(row.does, Does::Load(_) | Does::Store(_) | Does::Texels(Texels::Load(_) | Texels::Store(_)));
    if !single || access.has(Flags::LDS) {
        return None;
    }
    match row.family {
        Family::Mubuf | Family::Mtbuf => buffer::addresses(wave, access),
        Family::Flat | Family::Global => flat::addresses(wave, access, row, group),
        Family::Mimg => image::addresses(wave, row, access),
        _ => None,
    }
}

/// Puts where an instruction goes if it is executed now; nothing for what is no memory instruction, or touches none.
pub fn touched(wave: &Wave, step: &Step, group: &Group<'_>, mut put: impl FnMut(Touched)) {
    let (Some(access), Some(row)) = (step.memory.as_deref(), step.row) else { return };
    if !row.does.touches_memory() {
        return;
    }
    match row.does {
        Does::Ray(against) => return rays::touched(wave, against, access, group, &mut put),
        Does::Stack(stack) => return rays::touched_stack(wave, stack, access, group, &mut put),
        _ => {}
    }
    match row.family {
        Family::Smem => smem::touched(wave, access, row, &mut put),
        Family::Ds => ds::touched(wave, access, group, &mut put),
        Family::Mubuf | Family::Mtbuf => buffer::touched(wave, access, &mut put),
        Family::Flat | Family::Global | Family::Scratch => flat::touched(wave, access, row, group, &mut put),
        Family::Mimg => image::touched(wave, row, access, &mut put),
        _ => {}
    }
}

/// The active lanes, from the lowest.
pub(super) fn active(wave: &Wave) -> impl Iterator<Item = u32> + use<> {
    let exec = wave.exec();
    (0..wave.lanes).filter(move |lane| exec >> lane & 1 != 0)
}

/// Bytes that a lane moves at once.
pub(super) fn bytes(access: &Access) -> u32 {
    access.item.bytes()
}

/// The words of LDS that loads and stores beside it go through, a word a lane.
pub(super) fn beside(wave: &Wave, access: &Access, start: u32, put: &mut impl FnMut(Touched)) {
    if access.has(Flags::LDS) {
        active(wave).for_each(|lane| put(Touched::lds(Some(lane), start.wrapping_add(4 * lane), 4)));
    }
}
