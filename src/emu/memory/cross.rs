//! What moves values across lanes through the hardware of the data share: swizzle, permute, bpermute. LDS itself is not touched.
//!
//! All lanes read before any lane writes. An inactive source gives 0, an inactive destination stays. On gfx10 and gfx11 a wave of 64
//! lanes is two halves that see nothing of each other.

use super::{Access, Flags};
use crate::emu::group::Group;
use crate::emu::kernel::{Exchange, STRIDE};
use crate::emu::plan::Step;
use crate::emu::wave::{Wave, file};
use crate::fault::planted;
use crate::isa::Gen;
use crate::memory::lds::permute_lanes;

/// The lanes that the addresses of all lanes name: their numbers times 4.
fn named(wave: &Wave, access: &Access) -> [u32; STRIDE] {
    let group =
        if planted!(PermuteWholeWave) { wave.lanes } else { permute_lanes(wave.env.target.generation(), wave.lanes) };
    let offset = if planted!(PermuteOffsetLost) { 0 } else { access.offset as u32 };
    let shift = if planted!(PermuteByLane) { 0 } else { 2 };
    let mut lanes = wave.values(access.addr);
    for (lane, named) in (0..).zip(&mut lanes) {
        *named = lane & !(group - 1) | named.wrapping_add(offset) >> shift & (group - 1);
    }
    lanes
}

/// Active lanes get what their sources have, or 0 where these do not give anything.
fn gather(wave: &Wave, (from, to): (u32, u32), sources: &[u32; STRIDE], inactive: bool) {
    let reads = if inactive { u64::MAX } else { wave.active_sources(sources) };
    wave.exchange(&Exchange { from, to, sources, reads, writes: wave.exec() });
}

/// `ds_bpermute_b32`: each lane says where its value comes from.
pub(super) fn bpermute(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    let Some(access) = step.memory.as_deref() else { return step.next };
    let inactive = access.has(Flags::FETCH_INACTIVE) && !planted!(BpermuteFetchIgnored);
    let sources = named(wave, access);
    gather(wave, (access.data, access.dst), &sources, inactive || planted!(BpermuteReadsInactive));
    step.next
}

/// `ds_permute_b32`: each lane says where its value goes. The highest lane wins.
pub(super) fn permute(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    let Some(access) = step.memory.as_deref() else { return step.next };
    let (named, values, exec) = (named(wave, access), wave.values(access.data), wave.exec());
    let mut results = [0; STRIDE];
    for lane in 0..wave.lanes as usize {
        let lane = if planted!(PermuteLowestWins) { wave.lanes as usize - 1 - lane } else { lane };
        if exec >> lane & 1 != 0 {
            results[named[lane] as usize % STRIDE] = values[lane];
        }
    }
    wave.put_values(file::RESULT[0], &results);
    wave.blend(file::RESULT[0], access.dst, exec);
    step.next
}

/// `ds_swizzle_b32`: the offset says where values come from.
pub(super) fn swizzle(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    if let (Some(access), Some(sources)) = (step.memory.as_deref(), step.sources.as_deref()) {
        gather(wave, (access.addr, access.dst), sources, planted!(SwizzleReadsInactive));
    }
    step.next
}

/// Where the values of all lanes come from.
pub(super) fn swizzle_sources(offset: u32, generation: Gen) -> [u32; STRIDE] {
    std::array::from_fn(|lane| swizzled(offset, lane as u32, generation >= Gen::Gfx8))
}

/// Where a lane's value comes from. `modes`: the processor knows rotation and FFT.
fn swizzled(offset: u32, lane: u32, modes: bool) -> u32 {
    let (i, rows) = (lane & 31, lane & 32);
    let (low, middle, high) = (offset & 31, offset >> 5 & 31, offset >> 10 & 31);
    let j = match offset {
        0xe000.. if modes => {
            i.reverse_bits() >> 27 >> if planted!(SwizzleFftKept) { 0 } else { low.count_ones() } | i & low
        }
        0xc000.. if modes => {
            let n =
                if (offset >> 10 & 1 != 0) != planted!(SwizzleRotatesLeft) { middle.wrapping_neg() } else { middle };
            if planted!(SwizzleRotateUnmasked) {
                i.wrapping_add(n) & 31
            } else {
                i & low | i.wrapping_add(n) & !low & 31
            }
        }
        0x8000.. => i & !3 | offset >> (2 * if planted!(SwizzleQuadReversed) { !i & 3 } else { i & 3 }) & 3,
        _ if planted!(SwizzleXorEarly) => (i & low) ^ high | middle,
        _ => (i & low | middle) ^ high,
    };
    rows | j & 31
}

#[cfg(test)]
mod tests {
    use super::swizzled;

    #[test]
    fn modes() {
        // Quad: lanes 3, 2, 1, 0.
        assert_eq!((0..4).map(|i| swizzled(0x801b, i, true)).collect::<Vec<_>>(), [3, 2, 1, 0]);
        // Swap neighbours: and 31, xor 1.
        assert_eq!([swizzled(0x041f, 6, false), swizzled(0x041f, 39, true)], [7, 38]);
        // Rotation by 1 to either side, all lanes.
        assert_eq!([swizzled(0xc020, 31, true), swizzled(0xc420, 0, true), swizzled(0xc020, 63, true)], [0, 31, 32]);
        // FFT: bits reversed.
        assert_eq!([swizzled(0xe000, 1, true), swizzled(0xe000, 3, true), swizzled(0xe01f, 9, true)], [16, 24, 9]);
        // Before gfx8 there are quads only.
        assert_eq!(swizzled(0xe000, 5, false), 4);
    }
}
