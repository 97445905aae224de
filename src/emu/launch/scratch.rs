//! Scratch memory: how much, where, and in which words a wave learns of it.
//!
//! Every wave that runs has a slot of `wave_bytes`; its offset from the base is the slot's number times that. Three ways lead from
//! there to addresses, and the descriptor says which one a kernel takes:
//!
//! - gfx6 to gfx10, buffer instructions: a V# of the whole memory, whose swizzle interleaves the lanes by words, and the offset of the wave;
//! - gfx7 to gfx10, flat instructions: the kernel adds the offset of the wave to the initial FLAT_SCRATCH in its user SGPRs and writes
//!   the register. On gfx7 and gfx8 the pair holds an offset and a size, later a 64-bit address;
//! - gfx940, gfx11 and later: the hardware has set FLAT_SCRATCH.

use super::{Geometry, Kernel, LaunchError, Options};
use crate::isa::{Arch, Gen};

/// The scratch memory of a dispatch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scratch {
    /// Its guest address.
    pub base: u64,
    /// Bytes of a lane.
    pub lane_bytes: u32,
    /// Bytes of a wave: those of its lanes, in whole granules.
    pub wave_bytes: u32,
    /// How many groups have slots of their own.
    pub group_slots: u32,
    /// The waves of a slot.
    pub group_waves: u32,
}

/// The unit of a wave's scratch size in bytes.
fn granule(arch: &Arch) -> u64 {
    if arch.generation >= Gen::Gfx11 { 256 } else { 1024 }
}

/// Offsets are 32 bits.
const MAX: u64 = u32::MAX as u64;

impl Scratch {
    pub(super) fn new(kernel: &Kernel, geometry: &Geometry, options: &Options) -> Result<Scratch, LaunchError> {
        let base = options.layout.scratch;
        let fixed = kernel.descriptor.private_segment_fixed_size();
        let dynamic = if kernel.dynamic_stack { options.dynamic_stack } else { 0 };
        let lane = (u64::from(fixed) + u64::from(dynamic)).next_multiple_of(4);
        let group_waves = geometry.full_waves();
        let wave = (lane * u64::from(geometry.wave_size)).next_multiple_of(granule(kernel.arch()));
        let (group, limit) = (wave.saturating_mul(group_waves.into()), options.max_scratch.min(MAX));
        if group > limit {
            let what = format!("the scratch of one group of kernel `{}`", kernel.name);
            return Err(LaunchError::TooLarge { what, bytes: group, limit });
        }
        let wanted = u64::from(options.group_slots.max(1)).min(geometry.group_count());
        let group_slots = limit.checked_div(group).map_or(wanted, |fit| fit.min(wanted)) as u32;
        Ok(Scratch { base, lane_bytes: lane as u32, wave_bytes: wave as u32, group_slots, group_waves })
    }

    /// All slots together.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        u64::from(self.wave_bytes) * u64::from(self.waves())
    }

    /// The slots of waves.
    #[must_use]
    pub fn waves(&self) -> u32 {
        self.group_slots * self.group_waves
    }

    /// The offset of a wave.
    #[must_use]
    pub fn offset(&self, slot: u32, wave_in_group: u32) -> u32 {
        let wave = slot % self.group_slots.max(1) * self.group_waves + wave_in_group;
        self.wave_bytes.wrapping_mul(wave)
    }

    /// The V# of all scratch memory. It has no bound: the wave's offset is not part of the address that is checked.
    pub(super) fn resource(&self, kernel: &Kernel) -> [u32; 4] {
        // dst_sel, format and element size are those of the drivers; lane numbers are added, 64 or 32 to a row.
        const ADD_TID: u32 = 1 << 23;
        const SWIZZLE: u32 = 1 << 31;
        let element = match kernel.arch().generation {
            Gen::Gfx6 | Gen::Gfx7 => 0x000a_7000,
            // With lane numbers, the data format is part of the stride.
            Gen::Gfx8 => 0x0008_7000,
            Gen::Gfx9 => 0x0000_7000,
            _ => 0x3101_6fac,
        };
        let row = if kernel.wave32() { 2 << 21 } else { 3 << 21 };
        [self.base as u32, (self.base >> 32) as u32 & 0xffff | SWIZZLE, u32::MAX, element | ADD_TID | row]
    }

    /// What kernels find as the initial FLAT_SCRATCH in their user SGPRs.
    pub(super) fn flat_init(&self, arch: &Arch, hidden_private_base: u64) -> u64 {
        match arch.generation {
            Gen::Gfx6 | Gen::Gfx7 | Gen::Gfx8 => {
                let offset = self.base.wrapping_sub(hidden_private_base) & MAX;
                u64::from(self.lane_bytes) << 32 | offset
            }
            _ => self.base,
        }
    }

    /// `COMPUTE_TMPRING_SIZE`.
    pub(super) fn tmpring(&self, arch: &Arch) -> u32 {
        let size = u64::from(self.wave_bytes) / granule(arch);
        self.waves().min(0xfff) | (size << 12) as u32
    }
}
