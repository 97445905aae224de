//! The log of a card: JSON lines of packets, dispatches and what went wrong, for `wavediff gpu --explain` and other tools.

use serde::Serialize;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use wavediff::launch::compute::Compute;

/// A line.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case", tag = "what")]
pub enum Entry<'a> {
    /// A submission begins.
    Submit {
        /// The ring: `navi31 gfx 0`.
        ring: &'a str,
        /// The card's clock.
        at: u64,
        /// Addresses and lengths of its command buffers.
        ibs: Vec<(u64, u32)>,
    },
    /// A packet.
    Packet {
        /// The ring.
        ring: &'a str,
        /// Where it lies.
        address: u64,
        /// Its name.
        name: &'a str,
        /// Its body.
        body: &'a [u32],
        /// Whether a predicate skips it.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        skipped: bool,
    },
    /// A dispatch that has ended.
    Dispatch {
        /// The ring.
        ring: &'a str,
        /// The card's clock at its end.
        at: u64,
        /// What the registers held.
        #[serde(with = "Registers")]
        registers: Compute,
        /// Groups.
        groups: [u32; 3],
        /// Work-items of a group.
        group: [u32; 3],
        /// Lanes of a wave.
        wave: u32,
        /// Instructions of all waves.
        instructions: u64,
        /// How long it took on the host.
        micros: u64,
    },
    /// The device is lost.
    Lost {
        /// The ring.
        ring: &'a str,
        /// The card's clock.
        at: u64,
        /// Why.
        why: &'a str,
    },
}

/// How the registers of a dispatch are written: the fields of [`Compute`], which knows no JSON.
#[derive(Serialize)]
#[serde(remote = "Compute")]
struct Registers {
    initiator: u32,
    dims: [u32; 3],
    start: [u32; 3],
    threads: [u32; 3],
    entry: u64,
    rsrc: [u32; 3],
    tmpring: u32,
    scratch: u64,
    user: [u32; 16],
}

/// A log that is open.
pub struct Log(Mutex<File>);

impl Log {
    /// Appends to a file: several cards, and processes, may write to one.
    ///
    /// # Errors
    /// It can not be opened.
    pub fn open(path: &Path) -> std::io::Result<Log> {
        Ok(Log(Mutex::new(OpenOptions::new().create(true).append(true).open(path)?)))
    }

    /// Writes a line at once. A disk that is full is no reason to lose a device.
    pub fn write(&self, entry: &Entry<'_>) {
        let Ok(mut line) = serde_json::to_vec(entry) else { return };
        line.push(b'\n');
        let _ = self.0.lock().unwrap_or_else(PoisonError::into_inner).write_all(&line);
    }
}
