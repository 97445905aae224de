//! Instructions that move values across lanes, between scalar and vector registers, or between registers whose numbers M0 has a say in.
//!
//! They have no kernel: what a lane gets depends on other lanes, on what is no lane at all, or EXEC does not say which lanes take part. The rows
//! say which these are ([`Lanes`]), [`plan`] how each is planned; the functions at run time are in the modules by topic.

mod cross;
mod interp;
mod read;
mod relative;
mod scalar;

use super::matrix;
use super::plan::{Action, Code, From, Planner, Run, STOP, Step};
use super::run::{self, Group};
use super::wave::Wave;
use crate::isa::does::{Does, Lanes};
use crate::isa::form::Slot;

/// The step of such an instruction.
pub(super) fn plan(planner: &mut Planner, code: &Code<'_>) -> Option<Step> {
    let mut step = match code.form.row.does {
        Does::Product(product) => return matrix::plan(planner, code, product),
        Does::Idle(_) => step(code, nothing),
        Does::Lanes(lanes) => of_lanes(planner, code, lanes),
        _ => None,
    }?;
    if step.src.iter().any(|at| Planner::is_on_demand(*at)) && step.vector.is_none() {
        step.inner = step.run;
        step.run = Action::always(run::refreshed);
    }
    Some(step)
}

fn of_lanes(planner: &mut Planner, code: &Code<'_>, lanes: Lanes) -> Option<Step> {
    match lanes {
        Lanes::ReadFirst => read::first_lane(planner, code),
        Lanes::Read => read::lane(planner, code),
        Lanes::Write => read::write(planner, code),
        Lanes::Permute16 { cross: false, by_lane: false } => cross::row(planner, code),
        Lanes::Permute16 { cross: true, by_lane: false } => cross::other_row(planner, code),
        Lanes::Permute16 { cross: false, by_lane: true } => cross::row_by_lane(planner, code),
        Lanes::Permute16 { cross: true, by_lane: true } => cross::other_row_by_lane(planner, code),
        Lanes::Permute64 => cross::half_of_wave(planner, code),
        Lanes::Swap => cross::swap(planner, code),
        Lanes::SwapHalves => cross::swap_halves(planner, code),
        Lanes::SwapRelative => relative::swap(planner, code),
        Lanes::MoveRelative { src, dst } => relative::word(planner, code, src, dst),
        Lanes::Move => planner.word_move(code),
        Lanes::Interpolate(pass) => interp::plan(planner, code, pass),
        Lanes::ScalarFunction => scalar::plan(planner, code),
        Lanes::ClearExceptions => step(code, clear_exceptions),
        // Through the hardware of LDS.
        Lanes::Swizzle | Lanes::Permute | Lanes::Bpermute { .. } => None,
    }
}

/// A step that does `run`.
fn step(code: &Code<'_>, run: Run) -> Option<Step> {
    Some(Step::new(run, code.at, STOP))
}

/// The vector register of a place, as an offset into the file; none where something else stands there.
fn register(planner: &mut Planner, code: &Code<'_>, place: &Slot) -> Option<u32> {
    match planner.vector_operand(code, place, 1).0 {
        From::File(at) => Some(at),
        From::Scalar(_) | From::LdsDirect => None,
    }
}

/// The scalar register or constant of a place, as a slot; none where it is a vector register.
fn scalar_at(planner: &mut Planner, code: &Code<'_>, place: &Slot) -> Option<u32> {
    let field = place.span.get(code.words);
    (field < 256).then(|| planner.scalar_source(field, place.ty, false, code.literal()))
}

/// The operand code of a value in LDS at M0.
const LDS_DIRECT: u32 = 254;

/// Whether a source is a value in LDS.
fn is_lds_direct(code: &Code<'_>, place: &Slot) -> bool {
    place.span.width >= 8 && place.kind == crate::isa::form::Kind::Source && place.span.get(code.words) == LDS_DIRECT
}

fn nothing(_: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    step.next
}

/// Forgets the exceptions that stuck.
fn clear_exceptions(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    /// The bits of TRAPSTS that float and integer operations set.
    const EXCEPTIONS: u32 = 0x7f;
    wave.trapsts &= !EXCEPTIONS;
    wave.env.raised.set(super::soft::Exceptions::empty());
    step.next
}
