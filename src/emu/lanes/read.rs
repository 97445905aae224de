//! Single lanes: from a vector register to a scalar one, and back.
//!
//! A lane is named by the low bits of a scalar, as many as the wave has lanes, and EXEC has no say: it may be inactive. Only "the first lane"
//! asks EXEC, and is lane 0 where none is active.

use crate::emu::group::Group;
use crate::emu::memory;
use crate::emu::plan::Step;
use crate::emu::wave::Wave;
use crate::fault::planted;

/// The lane that a scalar names.
fn named(wave: &Wave, step: &Step) -> usize {
    let lane = wave.s[step.src[1] as usize];
    (if planted!(LaneNotWrapped) { lane.min(wave.lanes - 1) } else { lane & (wave.lanes - 1) }) as usize
}

pub(super) fn read_first(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    let exec = wave.exec();
    let lane = if exec == 0 || planted!(FirstLaneZero) { 0 } else { exec.trailing_zeros() };
    let lane = if exec != 0 && planted!(FirstLaneLast) { exec.ilog2() } else { lane };
    wave.s[step.dst as usize] = wave.file[(step.src[0] + lane) as usize].get();
    step.next
}

pub(super) fn read_lane(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    let lane = named(wave, step);
    wave.s[step.dst as usize] = wave.file[step.src[0] as usize + lane].get();
    step.next
}

pub(super) fn copy_scalar(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    wave.s[step.dst as usize] = wave.s[step.src[0] as usize];
    step.next
}

pub(super) fn read_lds(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    wave.s[step.dst as usize] = memory::lds_direct(wave, group);
    step.next
}

pub(super) fn write_lane(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    let lane = named(wave, step);
    if wave.exec() >> lane & 1 == 0 && planted!(WritelaneByExec) {
        return step.next;
    }
    wave.file[step.dst as usize + lane].set(wave.s[step.src[0] as usize]);
    step.next
}

pub(super) fn write_lds(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let lane = named(wave, step);
    let v = memory::lds_direct(wave, group);
    wave.file[step.dst as usize + lane].set(v);
    step.next
}
