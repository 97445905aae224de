//! What a case that did not pass gets on its way into the journal: the [command](super::again) that shows it again, and, if it differs, a case file.
//!
//! Every report is made from the journal, today's and that of somebody who has only the journal; so both are there before a line is written.

use super::again::Again;
use super::pool::{single_of, split_input};
use super::{Args, Compared, Planned};
use crate::files;
use crate::journal::Unit as Line;
use anyhow::{Context, Result};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use wavediff::engine::Status;
use wavediff::suite::stage::Place;
use wavediff::suite::{Content, Unit, plan};

/// Completes the results of a run.
pub struct Failures<'r> {
    /// Where case files go, if anywhere.
    folder: Option<&'r Path>,
    again: Again<'r>,
    /// By engine and name.
    units: HashMap<(&'r str, &'r str), (&'r Compared, &'r Unit)>,
    /// The cases, without inputs, of which there is a file.
    kept: HashSet<String>,
}

impl<'r> Failures<'r> {
    /// For a run that has these units.
    pub fn new(args: &'r Args, planned: &'r [(&'r Compared, Vec<Planned>)]) -> Failures<'r> {
        let of = |(compared, units): &'r (&'r Compared, Vec<Planned>)| {
            let compared: &'r Compared = compared;
            let engine = compared.info.name.as_str();
            units.iter().map(move |planned| ((engine, planned.unit.name.as_str()), (compared, &planned.unit)))
        };
        Failures {
            folder: args.failures.as_deref(),
            again: Again::new(args),
            units: planned.iter().flat_map(of).collect(),
            kept: HashSet::new(),
        }
    }

    /// Completes the results of a unit.
    pub fn complete(&mut self, line: &mut Line) -> Result<()> {
        let found = self.units.get(&(line.engine.as_str(), line.unit.as_str())).copied();
        let Some((compared, unit)) = found else { return Ok(()) };
        for result in line.results.iter_mut().filter(|result| result.again.is_empty()) {
            result.again = self.again.command(compared, unit, result);
        }
        self.keep(unit, line)
    }

    /// Writes a case for each instruction, of its first input that differs, and for each random program that differs or with which the engine went down.
    fn keep(&mut self, unit: &Unit, line: &mut Line) -> Result<()> {
        let Some(folder) = self.folder else { return Ok(()) };
        for result in &mut line.results {
            let (name, input) = split_input(&result.case);
            let wanted = matches!(result.status(), Some(Status::Fail | Status::Crash | Status::Timeout));
            if !wanted || self.kept.contains(name) {
                continue;
            }
            let Some(text) = text(unit, name, input) else { continue };
            self.kept.insert(name.to_owned());
            let of = input.map_or(String::new(), |input| format!(".{input}"));
            let path = folder.join(format!("{}{of}.s", name.replace(['/', '~'], "-")));
            std::fs::create_dir_all(folder).with_context(|| format!("{} can not be made", folder.display()))?;
            files::write(&path, text.as_bytes())?;
            result.file = path.display().to_string();
        }
        Ok(())
    }
}

/// A case as a file; nothing for what is a file already, and for what is not a case of its own.
fn text(unit: &Unit, name: &str, input: Option<u32>) -> Option<String> {
    match (&unit.content, input) {
        (Content::Singles(batch), Some(input)) => {
            Some(batch.case(Place { single: single_of(unit, name)?, input })?.to_string())
        }
        (Content::Program(seed), _) => Some(plan::program(unit.on, *seed)),
        _ => None,
    }
}
