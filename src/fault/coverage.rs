//! What a test has met: the rows it executed, the parts of their results, their meanings, the
//! places of mistakes.
//!
//! In debug builds the environment variable `WAVEDIFF_COVERAGE` names a file to which a line is
//! added when something is met for the first time since the last [`begin`].

use super::{Mistake, Part};
use std::collections::HashSet;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Instant;

/// The environment variable that names the file.
pub const COVERAGE: &str = "WAVEDIFF_COVERAGE";

/// What can be met.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Item {
    /// A row, a processor, and a part of what it did; none where nothing is known yet.
    Row(&'static str, &'static str, Option<Part>),
    /// A meaning.
    Meaning(&'static str),
    /// The place of a mistake.
    Mistake(Mistake),
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Item::Row(row, arch, part) => write!(f, "row\t{}@{}/{}", row, arch, part.map_or("", Part::name)),
            Item::Meaning(name) => write!(f, "meaning\t{name}"),
            Item::Mistake(mistake) => write!(f, "mistake\t{}", mistake.name()),
        }
    }
}

struct Record {
    file: File,
    trial: String,
    since: Instant,
    seen: HashSet<Item>,
}

fn record() -> Option<&'static Mutex<Record>> {
    static RECORD: OnceLock<Option<Mutex<Record>>> = OnceLock::new();
    if !cfg!(debug_assertions) {
        return None;
    }
    let open = || {
        let path = std::env::var_os(COVERAGE)?;
        let file = OpenOptions::new().create(true).append(true).open(path).ok()?;
        Some(Mutex::new(Record { file, trial: String::new(), since: Instant::now(), seen: HashSet::new() }))
    };
    RECORD.get_or_init(open).as_ref()
}

/// Whether anything is recorded.
#[must_use]
pub fn is_on() -> bool {
    record().is_some()
}

/// What follows belongs to a test; the one before has ended, and its time is noted. For programs
/// that run several; where each runs alone, its name is known to whoever runs it.
pub fn begin(trial: &str) {
    if let Some(record) = record() {
        let mut record = record.lock().unwrap_or_else(PoisonError::into_inner);
        let millis = record.since.elapsed().as_millis();
        if !record.trial.is_empty() {
            let line = format!("{}\ttime\t{millis}\n", record.trial);
            let _ = record.file.write_all(line.as_bytes());
        }
        (record.trial, record.since) = (trial.to_owned(), Instant::now());
        record.seen.clear();
    }
}

/// Something was met: gives whether for the first time.
pub(crate) fn met(item: impl FnOnce() -> Item) -> bool {
    let Some(record) = record() else { return false };
    let item = item();
    let mut record = record.lock().unwrap_or_else(PoisonError::into_inner);
    if !record.seen.insert(item) {
        return false;
    }
    let line = format!("{}\t{item}\n", record.trial);
    // What is not recorded is not run: then a mistake counts as unnoticed, which somebody will look
    // at.
    let _ = record.file.write_all(line.as_bytes());
    true
}
