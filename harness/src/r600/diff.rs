//! `diff`: cases of R600 and R700 on two engines.
//!
//! Lanes do not meet but in the reduction buffer, and there their order is the machine's: no other orders are tried.

use crate::run::case::complain;
use anyhow::Result;
use wavediff::engine::compare::Difference;
use wavediff::engine::{Engine, EngineError};
use wavediff::isa::r600::Machine;
use wavediff::r600::case::Case;
use wavediff::r600::engine::differences;

/// What came of both engines: the differences, or why there is nothing to compare. Nothing: the case has errors, and they have been told.
pub fn on_two(
    case: &Case,
    machine: Machine,
    [a, b]: [&dyn Engine<Case>; 2],
) -> Result<Option<Result<Vec<Difference>, EngineError>>> {
    let ran = a.run(case, machine).and_then(|x| Ok((x, b.run(case, machine)?)));
    match ran {
        Ok((x, y)) => Ok(Some(Ok(differences(case, machine, &x, &y)))),
        Err(EngineError::Case(error)) => complain(&error).map(|()| None),
        Err(error) => Ok(Some(Err(error))),
    }
}
