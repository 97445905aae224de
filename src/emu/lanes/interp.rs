//! Interpolation of parameters that lie in registers: arithmetic on groups of four lanes.
//!
//! Lanes 0, 1 and 2 of a quad hold a parameter and its two slopes. The first pass multiplies the first slope by a coordinate and adds the parameter, the
//! second adds the second slope times the other coordinate. So this is a fused multiply-add in which some operands come from one lane of the
//! quad, active or not. Parameters of 16 bits are widened; OP_SEL chooses their halves, and that of a result of 16 bits.

use crate::emu::kernel;
use crate::emu::plan::{Action, Code, Half, Planner, Prepare, STOP, Step, Vector};
use crate::emu::run::Group;
use crate::emu::vector;
use crate::emu::wave::{Wave, file};
use crate::fault::planted;
use crate::isa::does::Interpolate;
use crate::isa::form::{Mod, NO_BIT, Slot};
use crate::isa::operand::Ty;
use crate::isa::sem::Class;

/// The sources of the first pass: slope, coordinate, parameter.
const FIRST: [Option<u8>; 3] = [Some(1), None, Some(0)];
/// The sources of the second pass: slope, coordinate, the first pass's result.
const SECOND: [Option<u8>; 3] = [Some(2), None, None];

/// The step of a pass: its meaning is a multiply-add, of which the lane of the quad that a source comes from and the sources of 16 bits follow.
pub(super) fn plan(planner: &mut Planner, code: &Code<'_>, pass: Interpolate) -> Option<Step> {
    let lanes = if pass.second { SECOND } else { FIRST };
    let (meaning, halves) = match (pass.half, pass.second) {
        (false, _) => ("v_fma_f32", [false; 3]),
        (true, false) => ("v_fma_mix_f32", [true, false, true]),
        (true, true) => ("v_fma_mixlo_f16", [true, false, false]),
    };
    let kernels = kernel::find(planner.level, meaning)?;
    let [dst, sources @ ..] = &code.form.slots[..] else { return None };
    let op_sel = planner.modifier(code, Mod::OpSel);
    let mut step = Step::new(vector::full, code.at, STOP);
    step.computes(kernels);
    step.dst = super::register(planner, code, dst)?;
    step.vectors = 7 | Step::DST;
    let mut v = Vector { args: kernels.args, ..Vector::default() };
    for (n, place) in sources.iter().enumerate().take(3) {
        let narrow = halves[n];
        let ty = if narrow { Ty::F16 } else { Ty::F32 };
        let from = planner.vector_operand(code, &Slot { ty, ..*place }, 1).0;
        let mut p = Prepare::new(from, file::source(n), Class::F32);
        p.quad = lanes[n]
            .map(|lane| if lane == 2 && planted!(InterpSlope) { 1 } else { lane })
            .filter(|_| n != 2 || !planted!(InterpOwnLane));
        p.widen = narrow;
        p.high = narrow && op_sel >> n & 1 != 0;
        p.neg = place.neg != NO_BIT && code.words[usize::from(place.neg / 32)] >> (place.neg % 32) & 1 != 0;
        step.src[n] = p.to;
        v.prepare.push(p);
    }
    let class = kernels.ret[0];
    v.post.class = Some(class);
    v.post.clamp = planner.modifier(code, Mod::Clamp) != 0;
    if class.is_16() {
        v.post.half = if op_sel >> 3 & 1 != 0 { Half::High } else { Half::Low };
    }
    step.vector = Some(Box::new(v));
    if pass.toward_zero {
        step.run = Action::always(toward_zero);
    }
    Some(step)
}

/// As the mode register says, but for the rounding.
fn toward_zero(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    const ROUNDING: u32 = 0xf;
    let mode = wave.env.mode;
    wave.set_mode(mode | ROUNDING);
    let next = step.inner.run(wave, step, group);
    wave.set_mode(mode);
    next
}
