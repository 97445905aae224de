//! What interpolation needs beside its meanings: arithmetic on groups of four lanes.
//!
//! Lanes 0, 1 and 2 of a quad hold a parameter and its two slopes. The first pass multiplies the first slope by a coordinate and adds the parameter, the
//! second adds the second slope times the other coordinate. So this is a fused multiply-add in which some operands come from one lane of the
//! quad, active or not. Parameters of 16 bits are widened; OP_SEL chooses their halves, and that of a result of 16 bits.

use crate::emu::group::Group;
use crate::emu::plan::Step;
use crate::emu::wave::Wave;
use crate::fault::planted;
use crate::memory::plane;

/// As the mode register says, but for the rounding.
pub(in crate::emu) fn toward_zero(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    const ROUNDING: u32 = 0xf;
    let mode = wave.env.mode;
    wave.set_mode(mode | ROUNDING);
    let next = step.inner.run(wave, step, group);
    wave.set_mode(mode);
    next
}

/// For all lanes of the quads of which one is active.
pub(in crate::emu) fn whole_quads(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let exec = wave.exec();
    wave.set_exec(if planted!(QuadsByLane) { exec } else { plane::quads(exec) });
    let next = step.inner.run(wave, step, group);
    wave.set_exec(exec);
    next
}
