//! What carries out an injection: a device, or whatever can stand in for one.

use super::inject::Injection;
use crate::engine::EngineError;
use crate::isa::Arch;
use crate::memory::guest::Memory;
use std::time::Duration;

/// Something that executes machine code which is injected.
pub trait Card {
    /// Its processor.
    fn arch(&self) -> &'static Arch;

    /// Where waves of groups of so many, of so many lanes, find what they are given.
    ///
    /// # Errors
    /// It has no such waves, or its driver is not known.
    fn users(&self, lanes: u32, waves: u32) -> Result<super::frame::Users, EngineError>;

    /// The address at which so many words of state will lie.
    ///
    /// # Errors
    /// There is no room.
    fn place(&self, words: usize) -> Result<u64, EngineError>;

    /// Tells that what was run did not come to its end: the next run needs a fresh device.
    fn spoilt(&self) {}

    /// Carries it out. State and memory hold what was left.
    ///
    /// # Errors
    /// It failed, or did not come back in time.
    fn run(&self, load: Load<'_>) -> Result<Times, EngineError>;
}

/// One dispatch of a card.
pub struct Load<'l> {
    /// The code.
    pub injection: &'l Injection,
    /// How many groups.
    pub groups: u32,
    /// Waves of a group.
    pub waves: u32,
    /// Blocks of waves, LDS of groups, counters: what [`Card::place`] was asked for.
    pub state: &'l mut [u32],
    /// Guest memory.
    pub memory: &'l Memory,
    /// Where LDS and scratch are to appear in the flat address space.
    pub apertures: crate::launch::Apertures,
    /// How long it may take.
    pub timeout: Duration,
}

/// How long a dispatch took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// By the device's timestamps; nothing where it has none.
    pub device: Option<Duration>,
}
