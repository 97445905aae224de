//! What lavapipe gives, which every chip is compared with: as [recorded], and run where that does not decide.

use crate::compare::{Line, Lines, compare, read};
use crate::recorded::{Recorded, UPDATE};
use crate::runs::Setting;
use libtest_mimic::Failed;
use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// The results of some programs, as far as they were asked for.
pub struct Reference {
    recorded: Recorded,
    programs: BTreeMap<String, Program>,
}

/// A program that lavapipe runs once, whoever asks for it.
#[derive(Default)]
struct Program {
    /// Whether somebody does it.
    begun: AtomicBool,
    line: OnceLock<Result<Line, String>>,
}

impl Reference {
    /// Of programs with these names.
    pub fn of(names: impl IntoIterator<Item = String>) -> Reference {
        let programs = names.into_iter().map(|name| (name, Program::default())).collect();
        Reference { recorded: Recorded::read(), programs }
    }

    /// The names.
    pub fn names(&self) -> impl Iterator<Item = &String> {
        self.programs.keys()
    }

    /// Whether a chip left what it should of these programs.
    pub fn compare<'n>(
        &self,
        setting: &Setting,
        got: &Lines,
        names: impl Iterator<Item = &'n String>,
    ) -> Result<(), Failed> {
        let known = |name: &str| got.get(name).is_some_and(|line| self.recorded.allows(name, line));
        let unsure: Vec<&String> = names.filter(|name| !known(name)).collect();
        compare(got, &self.lines(setting, &unsure)?)?;
        match unsure.into_iter().find(|name| self.recorded.has(name)) {
            Some(name) => {
                Err(format!("{name} is as lavapipe has it, and the recording is not: {UPDATE}=1 records it").into())
            }
            None => Ok(()),
        }
    }

    /// The results of some programs, as lavapipe gives them now. What nobody has begun comes first, so that trials that run at the same time
    /// share the work.
    pub fn lines(&self, setting: &Setting, names: &[&String]) -> Result<Lines, String> {
        let line = |name: &String| self.programs[name].line.get_or_init(|| run(setting, name));
        for name in names.iter().filter(|name| !self.programs[**name].begun.swap(true, Ordering::Relaxed)) {
            line(name);
        }
        names
            .iter()
            .map(|name| Ok(((*name).clone(), line(name).clone().map_err(|e| format!("lavapipe: {e}"))?)))
            .collect()
    }
}

/// Runs one.
fn run(setting: &Setting, name: &String) -> Result<Line, String> {
    read(&setting.lavapipe([name].into_iter())?)?.remove(name).ok_or_else(|| format!("it ended before {name}"))
}
