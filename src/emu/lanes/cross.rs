//! Values that change lanes, and registers that change places.
//!
//! All lanes are read before any is written: source and destination may be the same register.
//!
//! `v_permlane16` gives each lane the value of a lane in its own row of sixteen, `v_permlanex16` of the neighbour row; the selectors are sixteen
//! times four bits in two scalars, or the low bits of a register of the lane itself. OP_SEL holds two flags: inactive lanes are read all
//! the same ("fetch inactive"); otherwise what they would give is 0 ("bound control"), or the lane keeps its old value.

use crate::emu::group::Group;
use crate::emu::kernel::{Exchange, STRIDE};
use crate::emu::plan::Step;
use crate::emu::wave::{Wave, file};
use crate::fault::planted;
use crate::program::{BOUND_CONTROL, FETCH_INACTIVE};

/// Values of registers that are on their way.
const ASIDE: u32 = file::RESULT[0];

pub(super) fn by_scalars<const OTHER: u32>(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    let selectors = u64::from(wave.s[step.src[1] as usize]) | u64::from(wave.s[step.src[2] as usize]) << 32;
    let low = if planted!(PermlaneLowSelectors) { 7 } else { 15 };
    rows::<OTHER>(wave, step, std::array::from_fn(|lane| (selectors >> (4 * (lane & low))) as u32))
}

pub(super) fn by_register<const OTHER: u32>(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    rows::<OTHER>(wave, step, wave.values(step.src[1]))
}

/// Moves values inside rows, or between the rows whose numbers differ in the bit `OTHER` of a lane.
#[inline(always)]
fn rows<const OTHER: u32>(wave: &Wave, step: &Step, selectors: [u32; STRIDE]) -> u32 {
    let other = if OTHER != 0 && planted!(PermlaneSameRow) { 0 } else { OTHER };
    let mut sources = selectors;
    for (lane, source) in (0..).zip(&mut sources) {
        *source = (lane & !15 ^ other) | *source & 15;
    }
    let inactive = step.imm & FETCH_INACTIVE != 0 && !planted!(PermlaneFetchIgnored) || planted!(PermlaneFetchAlways);
    let bound = step.imm & BOUND_CONTROL != 0 && !planted!(PermlaneBoundIgnored);
    let reads = if inactive { u64::MAX } else { wave.active_sources(&sources) };
    let writes = wave.exec() & if bound { u64::MAX } else { reads };
    wave.exchange(&Exchange { from: step.src[0], to: step.dst, sources: &sources, reads, writes });
    step.next
}

/// The halves of a wave of 64 lanes change places; a wave of 32 does nothing.
pub(super) fn exchange_halves(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    if wave.lanes == 64 {
        let other = if planted!(Permlane64Stays) { 0 } else { 32 };
        let sources = std::array::from_fn(|lane| lane as u32 ^ other);
        let (from, to, writes) = (step.src[0], step.dst, wave.exec());
        wave.exchange(&Exchange { from, to, sources: &sources, reads: u64::MAX, writes });
    }
    step.next
}

/// Two registers change their values in the active lanes.
pub(super) fn swap_registers(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    let (a, b, exec) = (step.dst, step.src[0], wave.exec());
    wave.put_values(ASIDE, &wave.values(a));
    wave.blend(b, a, exec);
    if !planted!(SwapLosesOne) {
        wave.blend(ASIDE, b, exec);
    }
    step.next
}

/// Two halves of registers change their values: bit 0 of the immediate takes the upper one of the destination, bit 1 of the source.
pub(super) fn swap_16(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    let shift = |flag: u32| if step.imm & flag != 0 { 16 } else { 0 };
    let (to_dst, to_src) = (shift(1), shift(if planted!(SwapHalvesAlike) { 1 } else { 2 }));
    let (a, b, exec) = (step.dst, step.src[0], wave.exec());
    let (from_a, from_b) = (wave.values(a), wave.values(b));
    // One after the other: both may be halves of one register.
    for (at, shift, other, other_shift) in [(a, to_dst, from_b, to_src), (b, to_src, from_a, to_dst)] {
        let mut values = wave.values(at);
        for (value, other) in values.iter_mut().zip(other) {
            *value = *value & !(0xffff << shift) | (other >> other_shift & 0xffff) << shift;
        }
        wave.put_values(ASIDE, &values);
        wave.blend(ASIDE, at, exec);
    }
    step.next
}
