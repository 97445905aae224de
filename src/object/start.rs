//! What the hardware puts into registers before a wave starts, as `COMPUTE_PGM_RSRC1`, `2` and `3` ask for it.
//!
//! The three words are those of a kernel descriptor, of a driver's registers and of the `rsrc:` line of a case; nothing here knows which.

use super::descriptor::KernelDescriptor;
use crate::fault::planted;
use crate::isa::{Arch, Gen, Variants};

/// The words as a descriptor that says nothing else.
#[must_use]
pub fn words(rsrc: [u32; 3], arch: &'static Arch) -> KernelDescriptor {
    let mut bytes = [0; super::descriptor::SIZE];
    // ABI_FACTS section 2: RSRC3 stands before the other two.
    for (at, word) in [(48, rsrc[0]), (52, rsrc[1]), (44, rsrc[2])] {
        bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
    }
    KernelDescriptor::parse(&bytes, arch)
}

/// The MODE register at the start of a wave.
///
/// Rounding 3:0 and denormals 7:4 on all machines; DX10_CLAMP 8, IEEE 9, DEBUG (later TRAP_AFTER_INST) 11 and enabled exceptions
/// from 12 before gfx12; FP16_OVFL 23 from gfx9 on. DISABLE_PERF is bit 27.
#[must_use]
pub fn mode(descriptor: &KernelDescriptor) -> u32 {
    let arch = descriptor.arch();
    let bit = |name, at: u32| u32::from(descriptor.field(name) == Some(1)) << at;
    let mut mode = u32::from(descriptor.float_mode());
    mode |= bit("dx10_clamp", 8) | bit("ieee_mode", 9) | bit("fp16_overflow", 23) | bit("disable_perf", 27);
    if arch.generation < Gen::Gfx12 {
        // gfx6 has no exceptions for addresses.
        let kinds = if arch.generation == Gen::Gfx6 { 0x7f } else { 0x1ff };
        mode |= bit("debug_mode", 11) | (exceptions(descriptor) & kinds) << 12;
    }
    mode
}

/// The exceptions that are enabled: those of floats and integers in bits 6:0, then address watch and memory violation.
#[must_use]
pub fn exceptions(descriptor: &KernelDescriptor) -> u32 {
    let rsrc2 = descriptor.rsrc2();
    rsrc2 >> 24 & 0x7f | (rsrc2 >> 13 & 3) << 7
}

/// Whether the numbers of a work-item share one VGPR.
#[must_use]
pub fn packs_ids(arch: &Arch) -> bool {
    (Variants::CDNA2.contains(arch.variant) || arch.generation >= Gen::Gfx11) && !planted!(IdsApart)
}

/// Whether the numbers of a group lie in trap temporaries, and in no SGPR (ABI_FACTS section 4).
#[must_use]
pub fn ids_in_ttmps(arch: &Arch) -> bool {
    arch.generation >= Gen::Gfx12
}

/// The workgroup info (TG_SIZE): first wave 31, waves of the group 5:0, the wave's number in 11:6, where ACO looks for it in waves of 64 lanes, and
/// from gfx10.3 also in 24:20, where it looks for the number of a subgroup.
#[must_use]
pub fn group_info(arch: &Arch, wave: u32, waves: u32) -> u32 {
    let wave = if planted!(InfoWithoutWave) { 0 } else { wave };
    let old = arch.generation < Gen::Gfx10 || Variants::RDNA1.contains(arch.variant);
    let number = (wave & 63) << 6 | if old { 0 } else { (wave & 31) << 20 };
    u32::from(wave == 0) << 31 | number | waves & 63
}

/// The bytes of LDS that RSRC2 asks for; a kernel descriptor asks elsewhere. Granules are of 256 bytes on gfx6, of 512 on all others:
/// also on gfx11 and gfx12, whose hardware allocates by 1024 (VGPU_FACTS section 5.3).
#[must_use]
pub fn lds_bytes(descriptor: &KernelDescriptor) -> u32 {
    let granule = match descriptor.arch().generation {
        Gen::Gfx6 if !planted!(LdsUnitsOfGfx6) => 256,
        Gen::Gfx11 if planted!(LdsUnitsOfGfx11) => 1024,
        _ => 512,
    };
    (descriptor.rsrc2() >> 15 & 0x1ff) * granule
}
