//! What moves values across lanes through the hardware of the data share: swizzle, permute, bpermute. LDS itself is not touched.
//!
//! All lanes read before any lane writes. An inactive source gives 0, an inactive destination stays. On gfx10 and gfx11 a wave of 64
//! lanes is two halves that see nothing of each other.

use super::common::File;
use super::{Access, Flags};
use crate::emu::group::Group;
use crate::emu::plan::Step;
use crate::emu::wave::Wave;
use crate::fault::planted;
use crate::isa::Gen;
use crate::memory::lds::permute_lanes;

/// Moves values: `moves` fills the results from what each lane has in the source register (0 where it is inactive).
#[inline(always)]
fn exchange(
    wave: &mut Wave,
    step: &Step,
    source: impl Fn(&Access) -> u32,
    moves: impl FnOnce(&Lanes<'_>, &mut [u32; 64]),
) -> u32 {
    let Some(access) = step.memory.as_deref() else { return step.next };
    let (file, exec) = (File(&wave.file), wave.exec());
    let mut results = [0; 64];
    let group =
        if planted!(PermuteWholeWave) { wave.lanes } else { permute_lanes(wave.env.target.generation(), wave.lanes) };
    let lanes = Lanes { file, exec, access, source: source(access), lanes: wave.lanes, group };
    moves(&lanes, &mut results);
    for lane in 0..wave.lanes {
        if exec >> lane & 1 != 0 {
            file.set(access.dst, 0, lane, results[lane as usize]);
        }
    }
    step.next
}

/// The lanes before the exchange.
struct Lanes<'a> {
    file: File<'a>,
    exec: u64,
    access: &'a Access,
    source: u32,
    lanes: u32,
    group: u32,
}

impl Lanes<'_> {
    fn active(&self, lane: u32) -> bool {
        self.exec >> (lane & 63) & 1 != 0
    }

    /// A lane's value.
    fn value(&self, lane: u32) -> u32 {
        self.file.get(self.source, 0, lane & 63)
    }

    /// The lane that a lane's address names: its number times 4.
    fn named(&self, lane: u32) -> u32 {
        let address = self.file.get(self.access.addr, 0, lane).wrapping_add(if planted!(PermuteOffsetLost) {
            0
        } else {
            self.access.offset as u32
        });
        lane & !(self.group - 1) | address >> if planted!(PermuteByLane) { 0 } else { 2 } & (self.group - 1)
    }
}

/// `ds_bpermute_b32`: each lane says where its value comes from.
pub(super) fn bpermute(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    exchange(
        wave,
        step,
        |access| access.data,
        |lanes, results| {
            for lane in 0..lanes.lanes {
                let from = lanes.named(lane);
                if lanes.active(from)
                    || lanes.access.has(Flags::FETCH_INACTIVE) && !planted!(BpermuteFetchIgnored)
                    || planted!(BpermuteReadsInactive)
                {
                    results[lane as usize] = lanes.value(from);
                }
            }
        },
    )
}

/// `ds_permute_b32`: each lane says where its value goes. The highest lane wins.
pub(super) fn permute(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    exchange(
        wave,
        step,
        |access| access.data,
        |lanes, results| {
            for lane in 0..lanes.lanes {
                let lane = if planted!(PermuteLowestWins) { lanes.lanes - 1 - lane } else { lane };
                if lanes.active(lane) {
                    results[lanes.named(lane) as usize] = lanes.value(lane);
                }
            }
        },
    )
}

/// `ds_swizzle_b32`: the offset says where values come from.
pub(super) fn swizzle(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    let modes = wave.env.target.generation() >= Gen::Gfx8;
    exchange(
        wave,
        step,
        |access| access.addr,
        |lanes, results| {
            for lane in 0..lanes.lanes {
                let from = swizzled(lanes.access.offset as u32, lane, modes);
                if lanes.active(from) || planted!(SwizzleReadsInactive) {
                    results[lane as usize] = lanes.value(from);
                }
            }
        },
    )
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
