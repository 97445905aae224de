//! What went wrong below, as what an engine reports.

use crate::engine::EngineError;
use crate::vulkan::Error;

impl Error {
    /// What the layer above reports, for a device of this name.
    #[must_use]
    pub fn on(self, device: &str) -> EngineError {
        let device = device.to_owned();
        match self {
            Error::Absent { what, reason } => EngineError::Absent { device: what, reason },
            Error::Missing { needs, .. } => EngineError::Absent { device, reason: format!("it has no {needs}") },
            Error::Timeout(limit) => EngineError::Timeout(limit),
            Error::DeviceLost { doing } | Error::Driver { doing, .. } | Error::Memory { doing, .. } => {
                EngineError::Crash { device, doing, reason: self.to_string() }
            }
            Error::Validation { .. } => EngineError::Crash { device, doing: "validating", reason: self.to_string() },
            Error::Job(reason) => EngineError::Crash { device, doing: "preparing the job", reason },
        }
    }
}
