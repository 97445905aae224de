//! Whether a device executes what it accepts.
//!
//! A driver without a card behind it (Mesa has one for tests) takes every program, says that it has run, and has done nothing. A run on it would wait for
//! its waves until its time is over, case after case. So a device first has to store a token that it can not have from anywhere else.

use super::Vulkan;
use crate::case::Case;
use crate::engine::{Engine, EngineError};
use crate::isa::{Arch, Target};
use std::time::Duration;

/// How long a device may go on without an answer: looked at between dispatches, so that a slow one is not cut off.
const PATIENCE: Duration = Duration::from_secs(3);

impl Vulkan {
    /// Has the device store a token.
    ///
    /// # Errors
    /// It leaves something else, or nothing; or it fails.
    pub fn prove(&mut self, token: u32) -> Result<(), EngineError> {
        let text = format!("; isa: gfx900\ns_mov_b32 s0, {token:#x}\nv_mov_b32 v0, s0\n");
        let case = Case::parse(&text, "token.s")?;
        let Some(arch) = Arch::find("gfx900") else { return Ok(()) };
        // A mistake planted on purpose is not the device's.
        let before = (self.options.timeout.replace(PATIENCE), self.fault.take());
        let ran = self.run(&case, Target::new(arch));
        (self.options.timeout, self.fault) = before;
        let left = match ran {
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
        Err(EngineError::Absent { device: self.name().to_owned(), reason })
    }
}
