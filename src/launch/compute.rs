//! A dispatch as the command processor of a compute or graphics ring has it: in registers.
//!
//! A driver writes `COMPUTE_*` registers and then asks for so many groups. Nothing else is known: no code object, no name, no
//! length of the code; arguments are the driver's and the shader's own affair. ABI_FACTS section 9 lists the registers.

use super::dispatch::{Dispatch, Resources};
use super::{Apertures, Fill, Geometry, Kernel, LaunchError, Options, Scratch, apertures};
use crate::fault::planted;
use crate::isa::{Arch, Gen};
use crate::memory::scratch;
use crate::object::descriptor::KernelDescriptor;
use crate::object::start;

/// What the registers hold when a dispatch begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compute {
    /// `DISPATCH_INITIATOR`.
    pub initiator: u32,
    /// What the packet asks for: groups, or work-items, or where groups end, as the initiator says.
    pub dims: [u32; 3],
    /// `START_X`, `Y`, `Z`.
    pub start: [u32; 3],
    /// `NUM_THREAD_X`, `Y`, `Z`: work-items of a full group, and of the last one.
    pub threads: [u32; 3],
    /// The address of the first instruction: `PGM_LO` and `PGM_HI`.
    pub entry: u64,
    /// `PGM_RSRC1`, `2`, `3`.
    pub rsrc: [u32; 3],
    /// `TMPRING_SIZE`.
    pub tmpring: u32,
    /// The address of scratch memory, where the hardware is told it: gfx11 and later.
    pub scratch: u64,
    /// `USER_DATA_0` and up.
    pub user: [u32; 16],
}

/// Bits of the initiator.
mod initiator {
    pub const ENABLED: u32 = 1 << 0;
    pub const PARTIAL_GROUPS: u32 = 1 << 1;
    pub const FROM_ZERO: u32 = 1 << 2;
    pub const WORK_ITEMS: u32 = 1 << 5;
    /// gfx10 and later.
    pub const WAVE32: u32 = 1 << 15;
}

impl Compute {
    /// Lanes of a wave.
    #[must_use]
    pub fn wave_size(&self, arch: &Arch) -> u32 {
        let wave32 = arch.has_wave32() && self.initiator & initiator::WAVE32 != 0;
        if wave32 && !planted!(Wave32Ignored) { 32 } else { 64 }
    }

    /// Waves that scratch memory has room for.
    #[must_use]
    pub fn scratch_waves(&self) -> u32 {
        self.tmpring & 0xfff
    }

    /// The dispatch; nothing where the registers ask for none.
    ///
    /// # Errors
    /// The sizes are none.
    pub fn dispatch(&self, arch: &'static Arch, fill: Fill) -> Result<Option<Dispatch>, LaunchError> {
        let set = |bit| self.initiator & bit != 0;
        let from_zero = set(initiator::FROM_ZERO) && !planted!(FromZeroIgnored);
        let first = if from_zero { [0; 3] } else { self.start };
        let enabled = set(initiator::ENABLED) || planted!(EnableIgnored);
        if !enabled || (0..3).any(|axis| self.dims[axis] <= first[axis]) {
            return Ok(None);
        }
        let full_mask = if arch.generation >= Gen::Gfx12 { 0x1fff } else { 0xffff };
        let group = self.threads.map(|size| size & full_mask);
        let in_items = set(initiator::WORK_ITEMS) && !planted!(WorkItemsIgnored) || planted!(GroupsAsWorkItems);
        let partial = set(initiator::PARTIAL_GROUPS) && !planted!(PartialIgnored) || planted!(PartialAlways);
        let before = if planted!(EndsAsCounts) { [0; 3] } else { first };
        let mut grid = [0u32; 3];
        for axis in 0..3 {
            let (count, full, last) = (self.dims[axis] - before[axis], group[axis], self.threads[axis] >> 16);
            let items = match count.checked_mul(full) {
                // The dimensions are work-items already.
                _ if in_items => Some(count),
                Some(all) if partial && last != 0 => Some(all - full + last.min(full)),
                all => all,
            };
            let many =
                || LaunchError::Size { what: "the grid", size: self.dims, problem: "too many work-items".into() };
            grid[axis] = items.ok_or_else(many)?;
        }
        let wave_size = self.wave_size(arch);
        let geometry = Geometry::new(grid, group, wave_size)?;
        let wave_bytes = self.scratch_wave_bytes(arch);
        let kernel = kernel(self.rsrc, arch, self.entry, wave_size, wave_bytes / wave_size);
        let group_waves = geometry.full_waves();
        let group_slots = self.scratch_waves() / group_waves.max(1);
        if kernel.descriptor.scratch() && group_slots == 0 {
            let (what, limit) = ("the waves of a group with scratch memory".to_owned(), self.scratch_waves().into());
            return Err(LaunchError::TooLarge { what, bytes: group_waves.into(), limit });
        }
        let lane_bytes = kernel.descriptor.private_segment_fixed_size();
        let scratch = Scratch { base: self.scratch, lane_bytes, wave_bytes, group_slots, group_waves };
        let users = kernel.descriptor.user_sgprs().min(self.user.len() as u32);
        let user = (0..users).zip(self.user).collect();
        let options = Options { fill, group_slots: group_slots.max(1), ..Options::default() };
        let resources = resources(&kernel, &options);
        let dispatch = Dispatch::staged(kernel, geometry, options, scratch, user, resources, Vec::new(), Vec::new());
        Ok(Some(dispatch.counting_from(first)))
    }

    /// Bytes of scratch memory of a wave: WAVESIZE counts granules, in a field that grew twice.
    fn scratch_wave_bytes(&self, arch: &Arch) -> u32 {
        let bits = match arch.generation {
            Gen::Gfx12 => 18,
            Gen::Gfx11 => 15,
            _ => 13,
        };
        let bits = if planted!(TmpringNarrow) { 13 } else { bits };
        let granule = if planted!(TmpringUnits) { 1024 } else { scratch::granule(arch) };
        (self.tmpring >> 12 & ((1 << bits) - 1)) * granule as u32
    }
}

/// A shader as a kernel: what RSRC1, RSRC2 and RSRC3 say, in the place where kernels say it.
pub(super) fn kernel(rsrc: [u32; 3], arch: &'static Arch, entry: u64, wave_size: u32, lane_bytes: u32) -> Kernel {
    let mut bytes = *start::words(rsrc, arch).bytes();
    bytes[4..8].copy_from_slice(&lane_bytes.to_le_bytes());
    if wave_size == 32 {
        // Waves of 32 lanes are asked for by the dispatch, not by RSRC1 (ABI_FACTS section 8); kernels ask by this bit.
        bytes[57] |= 1 << 2;
    }
    Kernel {
        name: "main".to_owned(),
        object: entry,
        entry,
        descriptor: KernelDescriptor::parse(&bytes, arch),
        group_counts: [false; 3],
        wave_size,
        dynamic_stack: false,
        metadata: None,
    }
}

/// What its waves have.
pub(super) fn resources(kernel: &Kernel, options: &Options) -> Resources {
    let (arch, descriptor) = (kernel.arch(), &kernel.descriptor);
    let lds = start::lds_bytes(descriptor);
    Resources {
        wave_size: kernel.wave_size,
        sgprs: descriptor.sgprs(),
        vgprs: descriptor.vgprs(),
        accum_offset: descriptor.accum_offset(),
        shared_vgprs: 8 * descriptor.field("shared_vgpr_count").unwrap_or(0),
        lds_bytes: lds,
        lds_allocated: lds,
        dynamic_lds: 0,
        wgp_mode: descriptor.field("workgroup_processor_mode") == Some(1),
        // The graphics driver's, though RADV's programs reach LDS and scratch by instructions of their own.
        apertures: if arch.generation >= Gen::Gfx9 { Apertures::GRAPHICS } else { apertures(arch) },
        hidden_private_base: options.layout.hidden_private_base,
        fill: options.fill,
    }
}
