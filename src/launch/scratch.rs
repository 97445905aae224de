//! Scratch memory: how much, where, and in which words a wave learns of it.
//!
//! Every wave that runs has a slot; how programs come from there to addresses is told in [`crate::memory::scratch`], and the descriptor
//! says which way a kernel takes.

use super::{Geometry, Kernel, LaunchError, Options};
use crate::fault::planted;
use crate::isa::Arch;
use crate::memory::scratch::{self, granule};

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

/// Offsets are 32 bits.
const MAX: u64 = u32::MAX as u64;

impl Scratch {
    pub(super) fn new(kernel: &Kernel, geometry: &Geometry, options: &Options) -> Result<Scratch, LaunchError> {
        let base = options.layout.scratch;
        let fixed = kernel.descriptor.private_segment_fixed_size();
        let dynamic = if kernel.dynamic_stack { options.dynamic_stack } else { 0 };
        let lane = (u64::from(fixed) + u64::from(dynamic)).next_multiple_of(4);
        let group_waves = geometry.full_waves();
        let wave = scratch::wave_bytes(kernel.arch(), lane, geometry.wave_size);
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
        let wave_in_group = if planted!(ScratchOfGroup) { 0 } else { wave_in_group };
        let wave = slot % self.group_slots.max(1) * self.group_waves + wave_in_group;
        self.wave_bytes.wrapping_mul(wave)
    }

    /// The V# of all scratch memory.
    pub(super) fn resource(&self, kernel: &Kernel) -> [u32; 4] {
        scratch::resource(self.base, kernel.arch(), kernel.wave32())
    }

    /// What kernels find as the initial FLAT_SCRATCH in their user SGPRs.
    pub(super) fn flat_init(&self, arch: &Arch, hidden_private_base: u64) -> u64 {
        scratch::flat_init(arch, self.base, self.lane_bytes, hidden_private_base)
    }

    /// `COMPUTE_TMPRING_SIZE`.
    pub(super) fn tmpring(&self, arch: &Arch) -> u32 {
        let size = u64::from(self.wave_bytes) / granule(arch);
        self.waves().min(0xfff) | (size << 12) as u32
    }
}
