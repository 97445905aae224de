//! What lavapipe gives, which every chip is compared with.
//!
//! It runs once, in parts: its compiler takes longer than all chips, and keeps one core busy, so that each trial that waits for it
//! runs a part meanwhile.

use crate::compare::{Lines, read};
use crate::runs::Setting;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// In how many parts it runs. Programs that take long follow one another, so that each part takes every so manieth.
const PARTS: usize = 8;

/// The results of some programs, as far as they were asked for.
pub struct Reference {
    names: Vec<String>,
    parts: [OnceLock<Result<Lines, String>>; PARTS],
    /// The first part that nobody has begun.
    next: AtomicUsize,
}

impl Reference {
    /// Of programs with these names.
    pub fn of(names: Vec<String>) -> Reference {
        Reference { names, parts: Default::default(), next: AtomicUsize::new(0) }
    }

    /// The names.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The results.
    pub fn lines(&self, setting: &Setting) -> Result<Lines, String> {
        let part = |n: usize| {
            self.parts[n].get_or_init(|| run(setting, &self.names, n)).as_ref().map_err(|e| format!("lavapipe: {e}"))
        };
        while let n @ ..PARTS = self.next.fetch_add(1, Ordering::Relaxed) {
            part(n)?;
        }
        // Others may be at it still.
        let mut all = Lines::new();
        for n in 0..PARTS {
            all.extend(part(n)?.clone());
        }
        Ok(all)
    }
}

/// Runs one part.
fn run(setting: &Setting, names: &[String], part: usize) -> Result<Lines, String> {
    let names = names.iter().skip(part).step_by(PARTS);
    if names.len() == 0 {
        // Without a name all would run.
        return Ok(Lines::new());
    }
    let lines = read(&setting.lavapipe(names.clone())?)?;
    match names.clone().find(|name| !lines.contains_key(*name)) {
        Some(name) => Err(format!("it ended before {name}")),
        None => Ok(lines),
    }
}
