//! A device shows that it executes what it accepts.

use super::Vulkan;
use crate::engine::EngineError;
use crate::engine::token::stored;
use crate::isa::Arch;
use std::time::Duration;

/// How long a device may go on without an answer: looked at between dispatches, so that a slow one is not cut off.
const PATIENCE: Duration = Duration::from_secs(3);

impl Vulkan {
    /// Has the device store a token.
    ///
    /// # Errors
    /// It leaves something else, or nothing; or it fails.
    pub fn prove(&mut self, token: u32) -> Result<(), EngineError> {
        let Some(arch) = Arch::find("gfx900") else { return Ok(()) };
        // A mistake planted on purpose is not the device's.
        let before = (self.options.timeout.replace(PATIENCE), self.fault.take());
        let proved = stored(self, arch, token);
        (self.options.timeout, self.fault) = before;
        proved
    }
}
