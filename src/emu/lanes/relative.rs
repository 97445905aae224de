//! Moves between registers whose numbers M0 is added to.

use super::cross;
use crate::emu::modes;
use crate::emu::plan::{Code, Planner, Step};
use crate::isa::does::Amount;

/// A move of one word in which M0 moves the source, the destination, or both.
pub(super) fn word(planner: &mut Planner, code: &Code<'_>, src: Amount, dst: Amount) -> Option<Step> {
    let mut step = planner.word_move(code)?;
    modes::relative(code.form, &mut step, src, dst);
    Some(step)
}

/// `v_swaprel_b32`
pub(super) fn swap(planner: &mut Planner, code: &Code<'_>) -> Option<Step> {
    let mut step = cross::pair(planner, code, cross::swap_registers)?;
    modes::relative(code.form, &mut step, Amount::Low, Amount::High);
    Some(step)
}
