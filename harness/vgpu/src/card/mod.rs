//! The card: rings of packets, registers, dispatches.
//!
//! A [`Ring`] reads [packets] from command buffers and does what they say, one behind the other: it keeps
//! [registers], moves [memory](transfer), waits, and starts grids. A grid is taken from the registers by the
//! library ([`Compute`](wavediff::launch::compute::Compute)) and run by the emulator, with the [shaders] that were met before
//! kept ready. Caches need no model: all memory is the host's, and a dispatch has ended when the next packet is read.
//!
//! What goes wrong loses the device ([`Lost`]): a trap of a shader, a packet that is not known, an address that is not mapped, a
//! wait without end.

mod dispatch;
pub mod dump;
pub mod log;
pub mod packets;
pub mod registers;
mod ring;
mod sdma;
mod shaders;
pub mod transfer;

pub use ring::Ring;

use crate::chips::Chip;
use crate::fault::planted;
use log::Log;
use shaders::Shaders;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use wavediff::emu::wave::Spare;
use wavediff::memory::guest::{Fault, Memory};

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

impl std::fmt::Display for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Engine::Graphics => "gfx",
            Engine::Compute => "compute",
            Engine::Sdma => "sdma",
        })
    }
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

impl From<Fault> for Lost {
    fn from(fault: Fault) -> Lost {
        Lost(fault.to_string())
    }
}

/// What a card is told beside its chip.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where packets, dispatches and times are written.
    pub log: Option<PathBuf>,
    /// The folder for cases of dispatches that trap.
    pub dump: Option<PathBuf>,
    /// How long a ring waits, and a dispatch runs.
    pub watchdog: Duration,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { log: None, dump: None, watchdog: Duration::from_secs(120) }
    }
}

/// A card: what its rings share.
pub struct Card {
    /// What it is.
    pub chip: &'static Chip,
    settings: Settings,
    log: Option<Log>,
    shaders: Shaders,
    /// Waves between dispatches.
    spare: Spare,
    /// Threads that a dispatch may use; asking the host takes longer than a small one.
    threads: usize,
}

impl Card {
    /// A card of a chip. Where its log can not be written, it says so on the standard error and has none.
    #[must_use]
    pub fn new(chip: &'static Chip, settings: Settings) -> Arc<Card> {
        let log = settings.log.as_deref().and_then(|path| match Log::open(path) {
            Ok(log) => Some(log),
            Err(error) => {
                eprintln!("wavediff gpu: {}: {error}", path.display());
                None
            }
        });
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Arc::new(Card { chip, settings, log, shaders: Shaders::default(), spare: Spare::default(), threads })
    }

    /// The clock of the card, in its own ticks: the host's monotonic one.
    #[must_use]
    pub fn now(&self) -> u64 {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
        if planted!(ClockStands) {
            return 1;
        }
        let nanos = now.tv_sec as u128 * 1_000_000_000 + now.tv_nsec as u128;
        (nanos * u128::from(self.chip.clock_khz) / 1_000_000) as u64
    }
}
