//! Instructions that move values across lanes, or between scalar and vector registers.

use super::plan::{Code, Planner, Step};

/// The step of such an instruction.
pub(super) fn plan(_: &mut Planner, _: &Code<'_>) -> Option<Step> {
    None
}
