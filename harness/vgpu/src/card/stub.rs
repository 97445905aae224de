//! Stands in for the card until it is there.

use super::{Engine, Ib, Lost, Space};
use crate::chips::Chip;
use std::path::PathBuf;
use std::sync::Arc;

/// Where a card tells what it does.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// A file for lines.
    pub log: Option<PathBuf>,
    /// A folder for command buffers and shaders.
    pub dump: Option<PathBuf>,
}

/// One card.
#[derive(Debug)]
pub struct Card {
    chip: &'static Chip,
}

impl Card {
    /// A card of this kind.
    #[must_use]
    pub fn new(chip: &'static Chip, _settings: Settings) -> Arc<Card> {
        Arc::new(Card { chip })
    }

    /// Ticks of its clock.
    #[must_use]
    pub fn now(&self) -> u64 {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
        let nanoseconds = now.tv_sec as u128 * 1_000_000_000 + now.tv_nsec as u128;
        (nanoseconds * u128::from(self.chip.clock_khz) / 1_000_000) as u64
    }
}

/// One ring.
#[derive(Debug)]
pub struct Ring;

impl Ring {
    /// A ring of a card.
    #[must_use]
    pub fn new(_card: &Arc<Card>, _engine: Engine, _index: u32) -> Ring {
        Ring
    }

    /// Does nothing.
    ///
    /// # Errors
    /// None.
    pub fn execute(&mut self, _ibs: &[Ib], _space: &dyn Space) -> Result<(), Lost> {
        Ok(())
    }
}
