//! Scratch memory, as drivers lay it out and as waves learn of it.
//!
//! Every wave has a piece of whole granules; its offset from the base of all scratch memory is the number of its slot times that. Three ways
//! lead from there to addresses:
//!
//! - gfx6 to gfx10, buffer instructions: a V# of the whole memory ([`resource`]), whose swizzle interleaves the lanes by words, and the
//!   offset of the wave;
//! - gfx7 to gfx10, flat instructions: the program adds the offset of the wave to the initial FLAT_SCRATCH ([`flat_init`]) and
//!   writes the register. On gfx7 and gfx8 the pair holds an offset and a size, later a 64-bit address;
//! - gfx940, gfx11 and later: the hardware has set FLAT_SCRATCH.

use crate::isa::{Arch, Gen};

/// The unit of a wave's scratch size in bytes: that of WAVESIZE in `COMPUTE_TMPRING_SIZE` (ABI_FACTS section 8).
#[must_use]
pub fn granule(arch: &Arch) -> u64 {
    if arch.generation >= Gen::Gfx11 { 256 } else { 1024 }
}

/// The bytes of a wave whose lanes have so many each.
#[must_use]
pub fn wave_bytes(arch: &Arch, lane_bytes: u64, wave_size: u32) -> u64 {
    lane_bytes.next_multiple_of(4).saturating_mul(wave_size.into()).next_multiple_of(granule(arch))
}

/// The V# of all scratch memory. It has no bound: the wave's offset is not part of the address that is checked.
#[must_use]
pub fn resource(base: u64, arch: &Arch, wave32: bool) -> [u32; 4] {
    // dst_sel, format and element size are those of the drivers; lane numbers are added, 64 or 32 to a row.
    const ADD_TID: u32 = 1 << 23;
    const SWIZZLE: u32 = 1 << 31;
    let element = match arch.generation {
        Gen::Gfx6 | Gen::Gfx7 => 0x000a_7000,
        // With lane numbers, the data format is part of the stride.
        Gen::Gfx8 => 0x0008_7000,
        Gen::Gfx9 => 0x0000_7000,
        _ => 0x3101_6fac,
    };
    let row = if wave32 { 2 << 21 } else { 3 << 21 };
    [base as u32, (base >> 32) as u32 & 0xffff | SWIZZLE, u32::MAX, element | ADD_TID | row]
}

/// What programs find as the initial FLAT_SCRATCH in their user SGPRs.
#[must_use]
pub fn flat_init(arch: &Arch, base: u64, lane_bytes: u32, hidden_private_base: u64) -> u64 {
    match arch.generation {
        Gen::Gfx6 | Gen::Gfx7 | Gen::Gfx8 => {
            let offset = base.wrapping_sub(hidden_private_base) & u64::from(u32::MAX);
            u64::from(lane_bytes) << 32 | offset
        }
        _ => base,
    }
}

/// The two words in s0 and s1 by which RADV's shaders find it: the address in 48 bits, and the bit that makes a swizzled V# of it: 31, from gfx11
/// on 30 (ABI_FACTS section 8). gfx9 and gfx10 add 0x7fff0000 to the upper one, which gives an address only where bit 47 of it is set.
#[must_use]
pub fn ring(arch: &Arch, base: u64) -> u64 {
    let flag = if arch.generation >= Gen::Gfx11 { 1 << 62 } else { 1 << 63 };
    base & 0xffff_ffff_ffff | flag
}

/// What FLAT_SCRATCH counts from, as a wave finds it: the hardware's own base on gfx7 and gfx8, the scratch memory of the wave where
/// the hardware sets the register, and nothing in between, where programs write it.
#[must_use]
pub fn at_start(arch: &Arch, hidden_private_base: u64, of_wave: Option<u64>) -> u64 {
    match arch.generation {
        Gen::Gfx7 | Gen::Gfx8 => hidden_private_base,
        _ if arch.has_architected_flat_scratch() => of_wave.unwrap_or(0),
        _ => 0,
    }
}
