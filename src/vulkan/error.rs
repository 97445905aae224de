//! What can go wrong below: one enum for the layer.
//!
//! Two of these are outcomes of a run rather than failures of the tool: a device that does not come back ([`Error::Timeout`]) and one
//! that goes down ([`Error::DeviceLost`]). [`Error::Absent`] is neither: there is nothing to run on, and whoever asked skips by name.

use ash::vk;
use std::time::Duration;

/// Why Vulkan did not do as told.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// No loader, no driver, no device, or none that was asked for.
    #[error("{what} is not there: {reason}")]
    Absent {
        /// `the Vulkan loader`, `device 3`
        what: String,
        /// Why, and what to do about it.
        reason: String,
    },
    /// The device lacks something that the job needs.
    #[error("{device} has no {needs}")]
    Missing {
        /// The device.
        device: String,
        /// `subgroups of 64`
        needs: String,
    },
    /// The device did not finish in time. It may still be running: nothing that it uses is freed, and it takes no more work.
    #[error("no answer within {0:?}")]
    Timeout(Duration),
    /// The device went down, or was given up after a timeout.
    #[error("the device is lost ({doing})")]
    DeviceLost {
        /// `waiting for the dispatch`
        doing: &'static str,
    },
    /// No memory is left, on the host or on the device.
    #[error("out of memory while {doing}: {reason}")]
    Memory {
        /// `allocating a buffer`
        doing: &'static str,
        /// Of which kind, or for what.
        reason: String,
    },
    /// The validation layer objects.
    #[error("validation: {}", .messages.join("; "))]
    Validation {
        /// What it said.
        messages: Vec<String>,
    },
    /// The driver refuses.
    #[error("{doing}: {result}")]
    Driver {
        /// `creating the pipeline`
        doing: &'static str,
        /// What it gave as the reason.
        result: vk::Result,
    },
    /// A job that does not fit its pipeline, or a range outside a buffer: a mistake of the caller.
    #[error("{0}")]
    Job(String),
}

impl Error {
    /// Sorts what a Vulkan call returned.
    pub(super) fn of(doing: &'static str) -> impl Fn(vk::Result) -> Error {
        move |result| match result {
            vk::Result::ERROR_DEVICE_LOST => Error::DeviceLost { doing },
            vk::Result::ERROR_OUT_OF_DEVICE_MEMORY | vk::Result::ERROR_OUT_OF_HOST_MEMORY => {
                Error::Memory { doing, reason: result.to_string() }
            }
            result => Error::Driver { doing, result },
        }
    }
}
