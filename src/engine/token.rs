//! Whether an engine executes what it accepts.
//!
//! A driver without a card behind it (Mesa has one for tests) takes every program, says that it has run, and has done nothing. A run on it would wait for
//! its waves until its time is over, case after case. So a device first has to store a token that it can not have from anywhere else.

use super::{Engine, EngineError};
use crate::case::Case;
use crate::isa::{Arch, Target};

/// Has an engine store a token, in a program for a processor.
///
/// # Errors
/// It leaves something else, or nothing; or it fails.
pub fn stored(engine: &dyn Engine, arch: &'static Arch, token: u32) -> Result<(), EngineError> {
    let text = format!("; isa: {}\ns_mov_b32 s0, {token:#x}\nv_mov_b32 v0, s0\n", arch.name);
    let case = Case::parse(&text, "token.s")?;
    let left = match engine.run(&case, Target::new(arch)) {
        // What the device lacks is said where it is needed.
        Err(EngineError::Unsupported(_)) => return Ok(()),
        ran => ran?,
    };
    let wave = left.waves.first();
    let stored = wave.and_then(|wave| Some((wave.sgpr(0)?, wave.vgpr(0, 0)?)));
    if left.trap.is_none() && stored == Some((token, token)) {
        return Ok(());
    }
    let did = match (&left.trap, stored) {
        (Some(trap), _) => trap.kind.to_string(),
        (None, Some((scalar, vector))) => format!("it left {scalar:#x} and {vector:#x}"),
        (None, None) => "it left nothing".to_owned(),
    };
    let reason = format!("it accepts programs and does not execute them: of one that stores {token:#x}, {did}");
    Err(EngineError::Absent { device: engine.name().to_owned(), reason })
}
