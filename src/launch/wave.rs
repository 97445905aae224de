//! The registers that a wave starts with.
//!
//! User SGPRs are packed from s0 in the order of [`super::USER_SGPRS`]; the numbers that differ from wave to wave follow at the
//! count which RSRC2 gives, not behind the last one: compilers leave gaps there on purpose. gfx12 has no such numbers in SGPRs; they
//! are in trap temporaries, which programs may read. Everything that is not named here is undefined, and [`super::Fill`] says
//! what it holds.

use super::geometry::item;
use super::kernel::UserContent;
use super::{Dispatch, Geometry, Kernel, Options, Scratch};
use crate::fault::planted;
use crate::isa::Gen;
use crate::object::start::{exceptions, group_info, ids_in_ttmps, mode, packs_ids};

/// The state of a wave before its first instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Initial {
    /// The address of the first instruction.
    pub pc: u64,
    /// The lanes that have a work-item.
    pub exec: u64,
    /// The MODE register.
    pub mode: u32,
    /// The exceptions that are enabled: bits 6:0 as in MODE (invalid, denormal, division by zero, overflow, underflow, inexact,
    /// integer division by zero), then address watch and memory violation. gfx12 keeps them outside of MODE.
    pub exceptions: u32,
    /// M0: undefined, hence from the fill.
    pub m0: u32,
    /// SGPRs that are set, with their numbers, by rising number.
    pub sgprs: Vec<(u32, u32)>,
    /// Trap temporaries that are set, with their numbers (gfx12).
    pub ttmps: Vec<(u32, u32)>,
    /// The first VGPRs: numbers of work-items. Lanes without one hold the fill.
    pub vgprs: Vec<[u32; 64]>,
    /// FLAT_SCRATCH, where the hardware sets it (gfx940, gfx11 and later) and the kernel has scratch.
    pub flat_scratch: Option<u64>,
    /// The offset of the wave's scratch memory from that of the dispatch.
    pub scratch_offset: u32,
    /// LDS of the group in bytes.
    pub lds_bytes: u32,
}

impl Dispatch {
    /// The start of a wave. Its scratch memory is that of the group's number modulo the number of slots: enough for an executor
    /// that runs groups in order, no more than [`super::Scratch::group_slots`] of them at once. None if there is no such wave.
    #[must_use]
    pub fn wave(&self, group: [u32; 3], wave_in_group: u32) -> Option<Initial> {
        let slots = u64::from(self.scratch.group_slots.max(1));
        let slot = self.geometry.index_of(group)? % slots;
        self.wave_in_slot(group, wave_in_group, slot as u32)
    }

    /// The start of a wave of a group with the scratch memory of a slot. Slots count up to [`super::Scratch::group_slots`]; no two
    /// groups may run in the same one.
    #[must_use]
    pub fn wave_in_slot(&self, group: [u32; 3], wave_in_group: u32, slot: u32) -> Option<Initial> {
        let waves = self.geometry.index_of(group).map(|_| self.geometry.waves_of(group))?;
        if wave_in_group >= waves {
            return None;
        }
        let Start { mode, exceptions, m0, with_info, with_offset, flat_scratch, .. } = self.start;
        let arch = self.kernel.arch();
        let scratch_offset = self.scratch.offset(slot, wave_in_group);
        let mut sgprs = self.start.user.clone();
        let mut ttmps = Vec::new();
        let mut ids = self.start.ids;
        if ids_in_ttmps(arch) {
            // The numbers of the group lie there, and in no SGPR.
            let id = if planted!(TtmpIdsFromZero) { group } else { self.group_id(group) };
            ttmps = self.trap_temporaries(id, wave_in_group);
            ids = [false; 3];
        }
        let with_offset = with_offset && !planted!(ScratchOffsetMissing);
        let id = if planted!(SgprIdsFromZero) { group } else { self.group_id(group) };
        let ids = ids.into_iter().zip(id);
        let info = (with_info, group_info(arch, wave_in_group, waves));
        let enabled = ids.chain([info, (with_offset, scratch_offset)]).filter(|(enabled, _)| *enabled);
        sgprs.extend((self.start.after_user..).zip(enabled.map(|(_, value)| value)));
        let of_wave = if planted!(FlatScratchOfAll) { 0 } else { scratch_offset };
        Some(Initial {
            pc: self.kernel.start(),
            exec: self.geometry.live(group, wave_in_group),
            mode,
            exceptions,
            m0,
            sgprs,
            ttmps,
            vgprs: self.work_items(group, wave_in_group),
            flat_scratch: flat_scratch.then(|| self.scratch.base.wrapping_add(of_wave.into())),
            scratch_offset,
            lds_bytes: self.resources().lds_bytes,
        })
    }

    /// gfx12: the numbers of group and wave. The halves of ttmp7 are y and z; where z is not wanted, y may be read as a whole word.
    fn trap_temporaries(&self, group: [u32; 3], wave_in_group: u32) -> Vec<(u32, u32)> {
        let [x, y, z] = group;
        let with_z = self.kernel.descriptor.workgroup_ids()[2];
        let yz = if with_z && !planted!(TtmpZLost) { y & 0xffff | z << 16 } else { y };
        let wave = if planted!(TtmpWaveLost) { 0 } else { wave_in_group };
        vec![(7, yz), (8, (wave & 31) << 25), (9, x)]
    }

    /// The numbers of work-items in VGPRs.
    fn work_items(&self, group: [u32; 3], wave_in_group: u32) -> Vec<[u32; 64]> {
        let size = self.geometry.size_of(group);
        if size == self.geometry.group {
            return self.start.items[wave_in_group as usize].clone();
        }
        work_items(&self.kernel, &self.geometry, &self.options, size, wave_in_group)
    }
}

/// What all waves of a dispatch start with.
#[derive(Clone, Debug)]
pub(super) struct Start {
    mode: u32,
    exceptions: u32,
    m0: u32,
    /// User SGPRs, with their numbers.
    user: Vec<(u32, u32)>,
    /// The SGPR behind them.
    after_user: u32,
    /// Which numbers of the group are wanted.
    ids: [bool; 3],
    /// The number of the wave in its group is wanted.
    with_info: bool,
    /// The offset of the wave's scratch memory is.
    with_offset: bool,
    /// FLAT_SCRATCH is set by the hardware.
    flat_scratch: bool,
    /// The numbers of work-items in the waves of a full group.
    items: Vec<Vec<[u32; 64]>>,
}

impl Start {
    /// Of the waves of a kernel, with these user SGPRs.
    pub(super) fn new(kernel: &Kernel, geometry: &Geometry, options: &Options, user: Vec<(u32, u32)>) -> Start {
        let (descriptor, arch) = (&kernel.descriptor, kernel.arch());
        let architected = arch.has_architected_flat_scratch();
        let waves = 0..geometry.full_waves();
        Start {
            mode: mode(descriptor),
            exceptions: exceptions(descriptor),
            m0: options.fill.sgpr(if arch.generation >= Gen::Gfx11 { 125 } else { 124 }),
            user,
            after_user: descriptor.user_sgprs(),
            ids: descriptor.workgroup_ids(),
            with_info: descriptor.field("system_sgpr_workgroup_info") == Some(1),
            with_offset: descriptor.scratch() && !architected,
            flat_scratch: descriptor.scratch() && architected,
            items: waves.map(|wave| work_items(kernel, geometry, options, geometry.group, wave)).collect(),
        }
    }
}

/// The numbers of work-items in VGPRs, for a wave of a group of this size: all in v0 with ten bits each, or one register each.
fn work_items(kernel: &Kernel, geometry: &Geometry, options: &Options, size: [u32; 3], wave: u32) -> Vec<[u32; 64]> {
    let (wanted, packed) = (kernel.descriptor.workitem_ids(), packs_ids(kernel.arch()));
    let registers = if packed { 1 } else { wanted };
    let mut vgprs: Vec<[u32; 64]> =
        (0..registers).map(|register| std::array::from_fn(|lane| options.fill.vgpr(register, lane as u32))).collect();
    let first = wave * geometry.wave_size;
    let lanes = size.iter().product::<u32>().saturating_sub(first).min(geometry.wave_size);
    for lane in 0..lanes {
        let mut item = item(size, first + lane);
        if packed {
            // What is not wanted is zero: programs then read v0 whole.
            item = std::array::from_fn(|axis| if axis < wanted as usize { item[axis] } else { 0 });
            vgprs[0][lane as usize] = item[0] | item[1] << 10 | item[2] << 20;
        } else {
            vgprs.iter_mut().zip(item).for_each(|(vgpr, number)| vgpr[lane as usize] = number);
        }
    }
    vgprs
}

/// User SGPRs. No more are set than RSRC2 counts.
pub(super) fn user_sgprs(
    kernel: &Kernel,
    geometry: &Geometry,
    options: &Options,
    scratch: &Scratch,
    kernarg: &[u8],
) -> Vec<(u32, u32)> {
    let layout = &options.layout;
    let pair = |value: u64| vec![value as u32, (value >> 32) as u32];
    let mut words = Vec::new();
    for (content, first, count) in kernel.user_sgprs() {
        let values = match content {
            UserContent::PrivateSegmentBuffer => scratch.resource(kernel).to_vec(),
            UserContent::DispatchPtr => pair(layout.packets),
            UserContent::QueuePtr => pair(layout.queue),
            UserContent::KernargPtr => pair(layout.kernarg),
            UserContent::DispatchId => pair(options.dispatch_id),
            UserContent::FlatScratchInit => pair(scratch.flat_init(kernel.arch(), layout.hidden_private_base)),
            UserContent::KernargPreload => preloaded(kernarg, kernel.preload().0, count),
            UserContent::PrivateSegmentSize => vec![scratch.lane_bytes],
        };
        words.extend((first..).zip(values));
    }
    let next = words.last().map_or(0, |&(at, _)| at + 1);
    let counts = geometry.groups().into_iter().zip(kernel.group_counts).filter(|(_, wanted)| *wanted);
    words.extend((next..).zip(counts.map(|(count, _)| count)));
    words.retain(|&(at, _)| at < kernel.descriptor.user_sgprs());
    words
}

/// Words of the argument segment; zero behind its end.
fn preloaded(kernarg: &[u8], first: u32, count: u32) -> Vec<u32> {
    let word = |at: u32| {
        let bytes = kernarg.get(4 * at as usize..).and_then(<[u8]>::first_chunk);
        bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes))
    };
    (first..first + count).map(word).collect()
}
