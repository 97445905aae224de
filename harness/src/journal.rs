//! The journal of a conformance run: what was asked, then what came of it, one JSON object a line.
//!
//! ```text
//! {"kind":"header", ..., "crc":"5f3c10aa"}     what runs: suites, processors, engines with their drivers, seed, shard
//! {"kind":"unit", ..., "crc":"09b7e2d1"}       one unit on one engine: how many cases of each row passed, and all that did not, with both values
//! {"kind":"end", ..., "crc":"c41f8e63"}        the run came to its end, or was stopped
//! ```
//!
//! Lines are written whole and flushed, so that a run that is killed loses at most the unit under way; a last line without an end is dropped when a
//! journal is read. Each line ends with a [checksum](line) of itself: one that is damaged does not count, is named wherever the journal is shown, and
//! its unit is run again by a run that goes on. The header is written twice, for without it a journal says nothing.
//!
//! A run that was resumed has several headers and ends; a unit is there once for each engine. While a run writes its journal it has a [lock](writer) on
//! it. Everything else about a run, the summary on the terminal, HTML, JUnit and comparisons, is made from this file.

pub mod line;
mod read;
mod writer;

pub use writer::{Wanted, open};

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{SystemTime, UNIX_EPOCH};
use wavediff::engine::Status;

/// The format of the lines; another one is refused.
pub const FORMAT: u32 = 2;

/// One line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Line {
    /// What runs.
    Header(Header),
    /// What came of a unit.
    Unit(Unit),
    /// The run is over.
    End(End),
}

/// What a run is made of.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// [`FORMAT`].
    pub format: u32,
    /// The version of the program.
    pub version: String,
    /// What the units depend on, as a digest: a journal is continued only by a run of the same plan.
    pub plan: String,
    /// How many units this run has (of its shard).
    pub units: u64,
    /// The suites.
    pub suites: Vec<String>,
    /// The processors.
    pub archs: Vec<String>,
    /// The engines; the first is what the others are compared with.
    pub engines: Vec<EngineInfo>,
    /// What chance starts from.
    pub seed: u64,
    /// Which part of all units, counted from 1, and of how many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<[u32; 2]>,
    /// When it began, in seconds since 1970.
    pub began: u64,
    /// The command line.
    pub command: Vec<String>,
    /// What of the suites the plan covers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub coverage: Vec<SuiteCoverage>,
    /// What was left out, and why: `no Vulkan loader`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

impl Header {
    /// Of a run of this program that begins now.
    #[must_use]
    pub fn begun() -> Header {
        Header {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            began: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
            command: std::env::args().collect(),
            ..Header::default()
        }
    }
}

/// What of a suite a plan covers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuiteCoverage {
    /// The suite.
    pub suite: String,
    /// All its rows on the processors that are asked for. Which of them were compared is in the units.
    pub rows: BTreeSet<String>,
    /// How many forms there are.
    pub forms: u64,
    /// Those that are not among the cases.
    pub missing_forms: BTreeSet<String>,
}

/// An engine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineInfo {
    /// `emu`, `vulkan:llvmpipe (LLVM 15.0.6, 256 bits)`
    pub name: String,
    /// The driver and its version; empty where there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub driver: String,
}

/// What came of a unit on an engine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Unit {
    /// `alu/gfx1100-w64/v_add_f32_e64+23`: the first of its cases, and how many more.
    pub unit: String,
    /// The suite.
    pub suite: String,
    /// The processor.
    pub arch: String,
    /// Lanes of a wave.
    pub lanes: u32,
    /// The engine that was compared with the first one.
    pub engine: String,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// Cases by row (or by name, where a case is a file) and status.
    pub rows: BTreeMap<String, BTreeMap<String, u64>>,
    /// Every case that did not pass.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<CaseResult>,
}

/// A case that did not pass.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CaseResult {
    /// The case: `alu/gfx1100-w32/v_add_f32_e64:7`, without the `:7` all its inputs.
    pub case: String,
    /// Its row.
    pub row: String,
    /// The instruction as text, or the case's file.
    pub text: String,
    /// The name of a [`Status`].
    pub status: String,
    /// Why; for what is unsupported, what it needs.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// How many cases of the unit this stands for: all input sets of an instruction that is unsupported are one line.
    pub count: u64,
    /// What the instruction read, in the first lanes that differ: `< v1 = 0x3f800000  lane 3  f32 1.0`. Beside a recording also what the emulator wrote,
    /// with `>`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<String>,
    /// Where the engines differ first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<Shown>,
    /// The command that shows it again.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub again: String,
    /// The case file that was written for it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub file: String,
}

/// A difference.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    /// `v3 lane 5`, `vcc`, `out[0x10]`
    pub place: String,
    /// What the first engine left.
    pub expected: String,
    /// What the other left.
    pub got: String,
    /// How far they are from each other: `2 ulp`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub apart: String,
}

/// The end of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct End {
    /// Somebody stopped it.
    pub interrupted: bool,
    /// How long it ran.
    pub seconds: f64,
}

impl CaseResult {
    /// The verdict.
    #[must_use]
    pub fn status(&self) -> Option<Status> {
        status(&self.status)
    }
}

/// A status by its name.
#[must_use]
pub fn status(name: &str) -> Option<Status> {
    Status::ALL.into_iter().find(|status| status.name() == name)
}

impl Unit {
    /// How many cases have a status.
    #[must_use]
    pub fn count(&self, status: Status) -> u64 {
        self.rows.values().filter_map(|row| row.get(status.name())).sum()
    }

    /// How many cases there are.
    #[must_use]
    pub fn cases(&self) -> u64 {
        self.rows.values().flat_map(BTreeMap::values).sum()
    }

    /// Counts cases of a row.
    pub fn add(&mut self, row: &str, status: Status, count: u64) {
        if count > 0 {
            *self.rows.entry(row.to_owned()).or_default().entry(status.name().to_owned()).or_default() += count;
        }
    }
}

/// A journal that was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Journal {
    /// The header; of a run that was resumed, the first one.
    pub header: Header,
    /// The units, in the order in which they came.
    pub units: Vec<Unit>,
    /// The end; nothing if the run was cut off.
    pub end: Option<End>,
    /// How many bytes of the file are whole lines.
    pub whole: u64,
    /// The numbers of the lines that are damaged, counted from 1.
    pub damaged: Vec<u64>,
    /// Whether something stands behind the last whole line: it was cut off while it was written.
    pub cut: bool,
}

#[cfg(test)]
#[path = "journal/tests.rs"]
mod tests;
