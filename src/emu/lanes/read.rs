//! Single lanes: from a vector register to a scalar one, and back.
//!
//! A lane is named by the low bits of a scalar, as many as the wave has lanes, and EXEC has no say: it may be inactive. Only "the first lane"
//! asks EXEC, and is lane 0 where none is active.

use super::{is_lds_direct, register, scalar_at};
use crate::emu::memory;
use crate::emu::plan::{Action, Code, Planner, STOP, Step};
use crate::emu::run::Group;
use crate::emu::wave::Wave;
use crate::fault::planted;
use crate::isa::form::Slot;

/// `v_readfirstlane_b32`
pub(super) fn first_lane(planner: &mut Planner, code: &Code<'_>) -> Option<Step> {
    let [dst, value] = &code.form.slots[..] else { return None };
    source(planner, code, dst, value, read_first)
}

/// `v_readlane_b32`
pub(super) fn lane(planner: &mut Planner, code: &Code<'_>) -> Option<Step> {
    let [dst, value, lane] = &code.form.slots[..] else { return None };
    let mut step = source(planner, code, dst, value, read_lane)?;
    step.src[1] = scalar_at(planner, code, lane)?;
    Some(step)
}

/// A step that reads one lane of a vector register by `run`, or the value that all lanes would have.
fn source(
    planner: &mut Planner,
    code: &Code<'_>,
    dst: &Slot,
    value: &Slot,
    run: crate::emu::plan::Run,
) -> Option<Step> {
    let mut step = Step::new(run, code.at, STOP);
    step.dst = planner.scalar_destination(dst.span.get(code.words));
    if is_lds_direct(code, value) {
        step.run = Action::always(read_lds);
        step.reads_lds = true;
    } else if let Some(at) = register(planner, code, value) {
        step.src[0] = at;
        step.vectors = 1;
    } else {
        step.src[0] = scalar_at(planner, code, value)?;
        step.run = Action::always(copy_scalar);
    }
    step.inner = step.run;
    Some(step)
}

/// `v_writelane_b32`
pub(super) fn write(planner: &mut Planner, code: &Code<'_>) -> Option<Step> {
    let [dst, value, lane] = &code.form.slots[..] else { return None };
    let mut step = Step::new(write_lane, code.at, STOP);
    step.dst = register(planner, code, dst)?;
    step.vectors = Step::DST;
    if is_lds_direct(code, value) {
        step.run = Action::always(write_lds);
        step.reads_lds = true;
        step.inner = step.run;
    } else {
        step.src[0] = scalar_at(planner, code, value)?;
    }
    step.src[1] = scalar_at(planner, code, lane)?;
    Some(step)
}

/// The lane that a scalar names.
fn named(wave: &Wave, step: &Step) -> usize {
    let lane = wave.s[step.src[1] as usize];
    (if planted!(LaneNotWrapped) { lane.min(wave.lanes - 1) } else { lane & (wave.lanes - 1) }) as usize
}

fn read_first(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    let exec = wave.exec();
    let lane = if exec == 0 || planted!(FirstLaneZero) { 0 } else { exec.trailing_zeros() };
    let lane = if exec != 0 && planted!(FirstLaneLast) { exec.ilog2() } else { lane };
    wave.s[step.dst as usize] = wave.file[(step.src[0] + lane) as usize].get();
    step.next
}

fn read_lane(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    let lane = named(wave, step);
    wave.s[step.dst as usize] = wave.file[step.src[0] as usize + lane].get();
    step.next
}

fn copy_scalar(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    wave.s[step.dst as usize] = wave.s[step.src[0] as usize];
    step.next
}

fn read_lds(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    wave.s[step.dst as usize] = memory::lds_direct(wave, group);
    step.next
}

fn write_lane(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    let lane = named(wave, step);
    if wave.exec() >> lane & 1 == 0 && planted!(WritelaneByExec) {
        return step.next;
    }
    wave.file[step.dst as usize + lane].set(wave.s[step.src[0] as usize]);
    step.next
}

fn write_lds(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let lane = named(wave, step);
    let v = memory::lds_direct(wave, group);
    wave.file[step.dst as usize + lane].set(v);
    step.next
}
