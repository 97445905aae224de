//! Transcendental functions of scalars: done once, whatever EXEC says.
//!
//! They run the kernel of the vector instruction with one active lane. As the source may be EXEC itself, it is copied before EXEC is set.

use crate::emu::group::Group;
use crate::emu::plan::Step;
use crate::emu::wave::{Wave, file, slot};

/// Where the source is copied.
pub(in crate::emu) const SOURCE: u32 = slot::SINK as u32;

/// The immediate of the step is the slot of the result, its target the slot of the source.
pub(in crate::emu) fn once(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    wave.refresh();
    wave.s[SOURCE as usize] = wave.s[step.target as usize];
    let exec = wave.pair(slot::EXEC);
    wave.set_pair(slot::EXEC, 1);
    step.inner.run(wave, step, group);
    wave.set_pair(slot::EXEC, exec);
    wave.s[step.imm as usize] = wave.file[file::RESULT[0] as usize].get();
    step.next
}
