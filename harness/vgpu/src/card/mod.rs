//! The card: rings of packets, registers, dispatches.

use std::sync::Arc;
use wavediff::memory::guest::Memory;

/// A command buffer: where it lies and how long it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ib {
    /// Its GPU address, in either spelling.
    pub address: u64,
    /// Its length.
    pub dwords: u32,
}

/// Which engine of the card a ring belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Engine {
    /// The graphics ring: packets with the state of graphics and of compute.
    Graphics,
    /// A compute ring.
    Compute,
    /// A copy engine.
    Sdma,
}

/// What a ring sees of memory: the address space of a file, as it is now.
pub trait Space: Sync {
    /// All mappings. The answer holds on to what it shows, so that an unmapping does not take it away from a job.
    fn memory(&self) -> Arc<Memory>;
}

/// Why a ring does not go on: the device is lost.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Lost(pub String);

mod stub;
pub use stub::{Card, Ring, Settings};
