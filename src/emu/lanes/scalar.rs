//! Transcendental functions of scalars: done once, whatever EXEC says.
//!
//! They run the kernel of the vector instruction with one active lane. As the source may be EXEC itself, it is copied before EXEC is set.

use crate::emu::plan::{Action, Code, From, Half, Planner, Step};
use crate::emu::run::Group;
use crate::emu::wave::{Wave, file, slot};

/// Where the source is copied.
const SOURCE: u32 = slot::SINK as u32;

/// The step: its immediate is the slot of the result, its target the slot of the source.
pub(super) fn plan(planner: &mut Planner, code: &Code<'_>) -> Option<Step> {
    let mut step = planner.scalar_function(code)?;
    step.imm = planner.scalar_destination(code.form.slots.first()?.span.get(code.words));
    step.target = slot::ZERO as u32;
    if let Some(v) = &mut step.vector {
        if v.post.half != Half::Whole {
            v.post.half = Half::LowZero;
        }
        for p in &mut v.prepare {
            if let From::Scalar(at) = p.from {
                step.target = at;
                p.from = From::Scalar(SOURCE);
            }
        }
    }
    if !Planner::is_on_demand(step.target) {
        step.inner = step.run;
    }
    step.run = Action::always(once);
    Some(step)
}

fn once(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    wave.refresh();
    wave.s[SOURCE as usize] = wave.s[step.target as usize];
    let exec = wave.pair(slot::EXEC);
    wave.set_pair(slot::EXEC, 1);
    step.inner.run(wave, step, group);
    wave.set_pair(slot::EXEC, exec);
    wave.s[step.imm as usize] = wave.file[file::RESULT[0] as usize].get();
    step.next
}
