//! Values that change lanes, and registers that change places.
//!
//! All lanes are read before any is written: source and destination may be the same register.
//!
//! `v_permlane16` gives each lane the value of a lane in its own row of sixteen, `v_permlanex16` of the neighbour row; the selectors are sixteen
//! times four bits in two scalars, or the low bits of a register of the lane itself. OP_SEL holds two flags: inactive lanes are read all
//! the same ("fetch inactive"); otherwise what they would give is 0 ("bound control"), or the lane keeps its old value.

use super::{register, scalar_at};
use crate::emu::kernel::STRIDE;
use crate::emu::plan::{Code, From, Planner, Run, STOP, Step};
use crate::emu::run::Group;
use crate::emu::wave::Wave;
use crate::fault::planted;
use crate::isa::form::Mod;

/// OP_SEL: inactive lanes are read.
const FETCH_INACTIVE: u32 = 1;
/// OP_SEL: what is not read is 0.
const BOUND_CONTROL: u32 = 2;

/// The values of all lanes.
type Values = [u32; STRIDE];

/// `v_permlane16_b32`
pub(super) fn row(planner: &mut Planner, code: &Code<'_>) -> Option<Step> {
    permute(planner, code, by_scalars::<0>)
}

/// `v_permlanex16_b32`
pub(super) fn other_row(planner: &mut Planner, code: &Code<'_>) -> Option<Step> {
    permute(planner, code, by_scalars::<16>)
}

/// `v_permlane16_var_b32`
pub(super) fn row_by_lane(planner: &mut Planner, code: &Code<'_>) -> Option<Step> {
    permute(planner, code, by_register::<0>)
}

/// `v_permlanex16_var_b32`
pub(super) fn other_row_by_lane(planner: &mut Planner, code: &Code<'_>) -> Option<Step> {
    permute(planner, code, by_register::<16>)
}

/// `v_permlane64_b32`
pub(super) fn half_of_wave(planner: &mut Planner, code: &Code<'_>) -> Option<Step> {
    pair(planner, code, exchange_halves)
}

/// `v_swap_b32`
pub(super) fn swap(planner: &mut Planner, code: &Code<'_>) -> Option<Step> {
    pair(planner, code, swap_registers)
}

/// `v_swap_b16`
pub(super) fn swap_halves(planner: &mut Planner, code: &Code<'_>) -> Option<Step> {
    let [dst, src] = &code.form.slots[..] else { return None };
    let mut step = Step::new(swap_16, code.at, STOP);
    let (From::File(to), high_dst) = planner.vector_operand(code, dst, 1) else { return None };
    let (From::File(from), high_src) = planner.vector_operand(code, src, 1) else { return None };
    step.dst = to;
    step.src[0] = from;
    step.imm = u32::from(high_dst) | u32::from(high_src) << 1;
    Some(step)
}

/// A step with a destination and one source, both vector registers.
pub(super) fn pair(planner: &mut Planner, code: &Code<'_>, run: Run) -> Option<Step> {
    let [dst, src] = &code.form.slots[..] else { return None };
    let mut step = Step::new(run, code.at, STOP);
    step.dst = register(planner, code, dst)?;
    step.src[0] = register(planner, code, src)?;
    step.vectors = 1 | Step::DST;
    Some(step)
}

fn permute(planner: &mut Planner, code: &Code<'_>, run: Run) -> Option<Step> {
    let (dst, sources) = code.form.slots.split_first()?;
    let (value, selectors) = sources.split_first()?;
    let mut step = Step::new(run, code.at, STOP);
    step.dst = register(planner, code, dst)?;
    step.src[0] = register(planner, code, value)?;
    for (to, place) in step.src[1..].iter_mut().zip(selectors) {
        *to = if selectors.len() == 2 { scalar_at(planner, code, place)? } else { register(planner, code, place)? };
    }
    step.vectors = if selectors.len() == 2 { 1 | Step::DST } else { 3 | Step::DST };
    step.imm = planner.modifier(code, Mod::OpSel) & (FETCH_INACTIVE | BOUND_CONTROL);
    Some(step)
}

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

fn by_scalars<const OTHER: u32>(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    let selectors = u64::from(wave.s[step.src[1] as usize]) | u64::from(wave.s[step.src[2] as usize]) << 32;
    rows::<OTHER>(wave, step, |lane| {
        (selectors >> (4 * (lane & if planted!(PermlaneLowSelectors) { 7 } else { 15 }))) as u32
    })
}

fn by_register<const OTHER: u32>(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
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
fn exchange_halves(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
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
pub(super) fn exchange(wave: &Wave, a: u32, b: u32) {
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
fn swap_16(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
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
