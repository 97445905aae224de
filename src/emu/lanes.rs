//! Instructions that move values across lanes, between scalar and vector registers, or between registers whose numbers M0 has a say in.
//!
//! They have no kernel: what a lane gets depends on other lanes, on what is no lane at all, or EXEC does not say which lanes take part. [`TABLE`]
//! says which rows these are and how each is planned; the functions at run time are in the modules by topic.

mod cross;
mod interp;
mod read;
mod relative;
mod scalar;

use super::matrix;
use super::modes::Amount;
use super::plan::{Action, Code, From, Planner, Run, STOP, Step};
use super::run::{self, Group};
use super::wave::Wave;
use crate::isa::form::Slot;

/// Makes the step of an instruction.
type Plan = fn(&mut Planner, &Code<'_>) -> Option<Step>;

/// The rows, by the names they have in the oldest generation.
#[rustfmt::skip]
const TABLE: &[(&str, Plan)] = &[
    ("v_nop",                     |_, code| step(code, nothing)),
    ("v_pipeflush",               |_, code| step(code, nothing)),
    ("v_clrexcp",                 |_, code| step(code, clear_exceptions)),
    ("v_readfirstlane_b32",       read::first_lane),
    ("v_readlane_b32",            read::lane),
    ("v_writelane_b32",           read::write),
    ("v_permlane16_b32",          cross::row),
    ("v_permlanex16_b32",         cross::other_row),
    ("v_permlane16_var_b32",      cross::row_by_lane),
    ("v_permlanex16_var_b32",     cross::other_row_by_lane),
    ("v_permlane64_b32",          cross::half_of_wave),
    ("v_swap_b32",                cross::swap),
    ("v_swap_b16",                cross::swap_halves),
    ("v_movrels_b32",             |planner, code| relative::word(planner, code, Amount::Whole, Amount::None)),
    ("v_movreld_b32",             |planner, code| relative::word(planner, code, Amount::None, Amount::Whole)),
    ("v_movrelsd_b32",            |planner, code| relative::word(planner, code, Amount::Whole, Amount::Whole)),
    ("v_movrelsd_2_b32",          |planner, code| relative::word(planner, code, Amount::Low, Amount::High)),
    ("v_swaprel_b32",             relative::swap),
    ("v_accvgpr_read_b32",        Planner::word_move),
    ("v_accvgpr_write_b32",       Planner::word_move),
    ("v_accvgpr_mov_b32",         Planner::word_move),
    ("v_interp_p10_f32",          interp::plan),
    ("v_interp_p2_f32",           interp::plan),
    ("v_interp_p10_f16_f32",      interp::plan),
    ("v_interp_p2_f16_f32",       interp::plan),
    ("v_interp_p10_rtz_f16_f32",  interp::plan),
    ("v_interp_p2_rtz_f16_f32",   interp::plan),
    ("v_s_exp_f32",               scalar::plan),
    ("v_s_exp_f16",               scalar::plan),
    ("v_s_log_f32",               scalar::plan),
    ("v_s_log_f16",               scalar::plan),
    ("v_s_rcp_f32",               scalar::plan),
    ("v_s_rcp_f16",               scalar::plan),
    ("v_s_rsq_f32",               scalar::plan),
    ("v_s_rsq_f16",               scalar::plan),
    ("v_s_sqrt_f32",              scalar::plan),
    ("v_s_sqrt_f16",              scalar::plan),
];

/// The step of such an instruction.
pub(super) fn plan(planner: &mut Planner, code: &Code<'_>) -> Option<Step> {
    let name = code.form.row.name;
    let Some((_, plan)) = TABLE.iter().find(|(n, _)| *n == name) else { return matrix::plan(planner, code) };
    let mut step = plan(planner, code)?;
    if step.src.iter().any(|at| Planner::is_on_demand(*at)) && step.vector.is_none() {
        step.inner = step.run;
        step.run = Action::always(run::refreshed);
    }
    Some(step)
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
