//! Values that change lanes, and registers that change places.
//!
//! All lanes are read before any is written: source and destination may be the same register.
//!
//! `v_permlane16` gives each lane the value of a lane in its own row of sixteen, `v_permlanex16` of the neighbour row; the selectors are sixteen
//! times four bits in two scalars, or the low bits of a register of the lane itself. OP_SEL holds two flags: inactive lanes are read all
//! the same ("fetch inactive"); otherwise what they would give is 0 ("bound control"), or the lane keeps its old value.

use crate::emu::group::Group;
use crate::emu::kernel::STRIDE;
use crate::emu::plan::Step;
use crate::emu::wave::Wave;
use crate::fault::planted;
use crate::program::{BOUND_CONTROL, FETCH_INACTIVE};

/// The values of all lanes.
type Values = [u32; STRIDE];

/// The values of a register, by lane.
fn values(wave: &Wave, at: u32) -> Values {
    let cells = &wave.file[at as usize..at as usize + STRIDE];
    std::array::from_fn(|lane| cells[lane].get())
}

/// Writes a lane of a register.
fn put(wave: &Wave, at: u32, lane: u32, v: u32) {
    wave.file[(at + lane) as usize].set(v);
}

/// The active lanes, in order.
fn active(wave: &Wave) -> impl Iterator<Item = u32> + use<> {
    let exec = wave.exec();
    (0..wave.lanes).filter(move |lane| exec >> lane & 1 != 0)
}

pub(super) fn by_scalars<const OTHER: u32>(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    let selectors = u64::from(wave.s[step.src[1] as usize]) | u64::from(wave.s[step.src[2] as usize]) << 32;
    rows::<OTHER>(wave, step, |lane| {
        (selectors >> (4 * (lane & if planted!(PermlaneLowSelectors) { 7 } else { 15 }))) as u32
    })
}

pub(super) fn by_register<const OTHER: u32>(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    let selectors = values(wave, step.src[1]);
    rows::<OTHER>(wave, step, |lane| selectors[lane as usize])
}

/// Moves values inside rows, or between the rows whose numbers differ in the bit `OTHER` of a lane.
fn rows<const OTHER: u32>(wave: &mut Wave, step: &Step, selector: impl Fn(u32) -> u32) -> u32 {
    let from = values(wave, step.src[0]);
    let exec = wave.exec();
    for lane in active(wave) {
        let other = if OTHER != 0 && planted!(PermlaneSameRow) { 0 } else { OTHER };
        let source = (lane & !15 ^ other) | selector(lane) & 15;
        if exec >> source & 1 != 0
            || step.imm & FETCH_INACTIVE != 0 && !planted!(PermlaneFetchIgnored)
            || planted!(PermlaneFetchAlways)
        {
            put(wave, step.dst, lane, from[source as usize]);
        } else if step.imm & BOUND_CONTROL != 0 && !planted!(PermlaneBoundIgnored) {
            put(wave, step.dst, lane, 0);
        }
    }
    step.next
}

/// The halves of a wave of 64 lanes change places; a wave of 32 does nothing.
pub(super) fn exchange_halves(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    if wave.lanes == 64 {
        let from = values(wave, step.src[0]);
        for lane in active(wave) {
            put(wave, step.dst, lane, from[(lane ^ if planted!(Permlane64Stays) { 0 } else { 32 }) as usize]);
        }
    }
    step.next
}

pub(super) fn swap_registers(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    exchange(wave, step.dst, step.src[0]);
    step.next
}

/// Two registers change their values in the active lanes.
fn exchange(wave: &Wave, a: u32, b: u32) {
    for lane in active(wave) {
        let (a, b) = (&wave.file[(a + lane) as usize], &wave.file[(b + lane) as usize]);
        if planted!(SwapLosesOne) {
            a.set(b.get());
        } else {
            a.swap(b);
        }
    }
}

/// Two halves of registers change their values: bit 0 of the immediate takes the upper one of the destination, bit 1 of the source.
pub(super) fn swap_16(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    let shift = |flag: u32| if step.imm & flag != 0 { 16 } else { 0 };
    let (to_dst, to_src) = (shift(1), shift(if planted!(SwapHalvesAlike) { 1 } else { 2 }));
    for lane in active(wave) {
        let (a, b) = (&wave.file[(step.dst + lane) as usize], &wave.file[(step.src[0] + lane) as usize]);
        let (x, y) = (a.get() >> to_dst & 0xffff, b.get() >> to_src & 0xffff);
        a.set(a.get() & !(0xffff << to_dst) | y << to_dst);
        b.set(b.get() & !(0xffff << to_src) | x << to_src);
    }
    step.next
}
