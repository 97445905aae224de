//! What a program must keep to, and what compilers keep to.

use super::program::{Group, Program};
use crate::asm::diagnostic::Severity;
use crate::isa::r600::Machine;

/// Something that is wrong or strange.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The pair of words that is meant.
    pub at: u32,
    /// How bad it is.
    pub severity: Severity,
    /// What it is.
    pub message: String,
}

/// Everything that is wrong or strange in a program.
#[must_use]
pub fn check(_program: &Program) -> Vec<Finding> {
    Vec::new()
}

/// Bank swizzles with which a group reads all its sources in three cycles.
#[must_use]
pub fn find_swizzles(_machine: Machine, _group: &Group) -> Option<Vec<u32>> {
    None
}
