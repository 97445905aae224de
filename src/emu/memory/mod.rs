//! Memory instructions.

use super::plan::{Code, Planner, Step};
use super::run::Group;
use super::wave::Wave;

/// What a memory instruction needs.
#[derive(Debug)]
pub struct Access {}

/// The step of a memory instruction.
pub(super) fn plan(_: &mut Planner, _: &Code<'_>) -> Option<Step> {
    None
}

/// What LDS_DIRECT reads.
pub(super) fn lds_direct(_: &mut Wave, _: &mut Group<'_>) -> u32 {
    0
}
