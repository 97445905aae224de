//! What kernels find behind the dispatch pointer and the queue pointer: the AQL packet and the head of the queue.
//!
//! Kernels of versions 2 to 4 read the sizes of grid and group from the packet; on gfx7 and gfx8 they read the apertures from the
//! queue. No queue is emulated: the packet is the first of a ring, and nothing runs when it is written.

use super::{Apertures, Geometry, Kernel, Options, Scratch, put};
use crate::isa::Arch;

/// A dispatch packet in bytes.
pub const PACKET_SIZE: usize = 64;

/// The head of a queue (`amd_queue_t`) in bytes.
pub const QUEUE_SIZE: usize = 256;

/// Packets of the ring.
const RING: u32 = 64;

/// A kernel dispatch, in order, with acquire and release for the whole system.
const HEADER: u16 = 2 | 1 << 8 | 2 << 9 | 2 << 11;

/// The ring with its one packet.
pub(super) fn packets(kernel: &Kernel, geometry: &Geometry, scratch: &Scratch, lds: u32, kernarg: u64) -> Vec<u8> {
    let mut ring = vec![0; RING as usize * PACKET_SIZE];
    put(&mut ring, 0, &HEADER.to_le_bytes());
    put(&mut ring, 2, &(geometry.dimensions() as u16).to_le_bytes());
    for axis in 0..3 {
        put(&mut ring, 4 + 2 * axis, &(geometry.group[axis] as u16).to_le_bytes());
        put(&mut ring, 12 + 4 * axis, &geometry.grid[axis].to_le_bytes());
    }
    put(&mut ring, 24, &scratch.lane_bytes.to_le_bytes());
    put(&mut ring, 28, &lds.to_le_bytes());
    put(&mut ring, 32, &kernel.object.to_le_bytes());
    put(&mut ring, 40, &kernarg.to_le_bytes());
    ring
}

/// The queue: `hsa_queue_t` in the first 40 bytes, the rest for the packet processor and for kernels.
pub(super) fn queue(
    arch: &Arch,
    scratch: &Scratch,
    resource: [u32; 4],
    apertures: Apertures,
    options: &Options,
) -> Vec<u8> {
    let mut queue = vec![0; QUEUE_SIZE];
    // Features: kernel dispatch.
    put(&mut queue, 0x04, &1u32.to_le_bytes());
    put(&mut queue, 0x08, &options.layout.packets.to_le_bytes());
    put(&mut queue, 0x18, &RING.to_le_bytes());
    // One packet was written, none is read yet.
    put(&mut queue, 0x38, &1u64.to_le_bytes());
    put(&mut queue, 0x40, &((apertures.shared >> 32) as u32).to_le_bytes());
    put(&mut queue, 0x44, &((apertures.private >> 32) as u32).to_le_bytes());
    put(&mut queue, 0x88, &0x80u32.to_le_bytes());
    put(&mut queue, 0x8c, &scratch.tmpring(arch).to_le_bytes());
    for (at, word) in resource.into_iter().enumerate() {
        put(&mut queue, 0x90 + 4 * at, &word.to_le_bytes());
    }
    put(&mut queue, 0xa0, &scratch.base.to_le_bytes());
    put(&mut queue, 0xa8, &scratch.bytes().to_le_bytes());
    // As if waves had 64 lanes.
    put(&mut queue, 0xb0, &(scratch.wave_bytes / 64).to_le_bytes());
    queue
}
