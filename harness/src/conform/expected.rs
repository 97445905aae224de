//! The lists of what is known to fail, applied to a run: one set of lists for each engine that is compared.

use super::pool::Work;
use super::{Args, Compared};
use crate::common::Paint;
use crate::expect::Expectations;
use crate::journal::{CaseResult, Journal, Unit as Line};
use anyhow::Result;
use std::collections::{BTreeMap, HashMap};
use wavediff::engine::Status;
use wavediff::suite::{Content, Unit};

/// The lists, and the units that they speak of.
pub struct Expected<'u> {
    lists: BTreeMap<String, Expectations>,
    units: HashMap<&'u str, &'u Unit>,
}

impl<'u> Expected<'u> {
    /// Reads the lists of the engines.
    pub fn load(args: &Args, compared: &[Compared], units: &'u [Unit]) -> Result<Expected<'u>> {
        let list = |compared: &Compared| {
            let name = compared.info.name.clone();
            Ok((name.clone(), Expectations::load(&args.expect, &name)?))
        };
        let lists = compared.iter().map(list).collect::<Result<_>>()?;
        Ok(Expected { lists, units: units.iter().map(|unit| (unit.name.as_str(), unit)).collect() })
    }

    /// Looks at what came of a unit: what a list excuses is no failure, what passes though it is listed is one.
    pub fn look_at(&mut self, line: &mut Line) {
        let Some(list) = self.lists.get_mut(&line.engine) else { return };
        let unit = self.units.get(line.unit.as_str()).copied();
        list.unit(line, |case| row(unit?, case));
    }

    /// Takes out of the work what lists say is not to be run; gives the lines of the units of which nothing is left.
    pub fn leave_out(&mut self, work: &mut Vec<Work<'_>>) -> Vec<Line> {
        let mut lines = Vec::new();
        work.retain_mut(|one| {
            let Some(list) = self.lists.get_mut(&one.engine) else { return true };
            let (count, inputs) = match &one.unit.content {
                Content::Singles(batch) => (batch.singles.len() as u32, u64::from(batch.inputs)),
                _ => (1, 1),
            };
            let mut rest = Vec::new();
            for n in 0..count {
                let case = format!("{}:{n}", one.unit.name);
                match list.skip(&case) {
                    None => rest.push(n),
                    Some(reason) => {
                        let row = row(one.unit, &case).unwrap_or_default();
                        let status = Status::Unsupported.name().to_owned();
                        one.left_out.push(CaseResult {
                            case,
                            row,
                            status,
                            reason,
                            count: inputs,
                            ..CaseResult::default()
                        });
                    }
                }
            }
            if rest.is_empty() {
                lines.push(one.line(Line::default()));
                return false;
            }
            if (rest.len() as u32) < count {
                one.task.only = Some(rest);
            }
            true
        });
        lines
    }

    /// Says what is wrong with the lists, or rewrites them. Returns whether they are as they should be.
    pub fn judge(&self, args: &Args, journal: &Journal, whole: bool) -> Result<bool> {
        let paint = Paint::stderr();
        let mut fine = true;
        for (engine, list) in &self.lists {
            if args.update_expect {
                let units: Vec<Line> = journal.units.iter().filter(|line| line.engine == *engine).cloned().collect();
                for path in list.update(&args.expect, &units, whole)? {
                    eprintln!("{} was rewritten: fill in the reasons", path.display());
                }
                continue;
            }
            for problem in list.problems(whole, std::env::var_os("CI").is_some()) {
                fine &= !problem.error;
                let word = if problem.error { paint.red("error") } else { paint.yellow("note") };
                eprintln!("{word}: {}", problem.text);
            }
        }
        Ok(fine)
    }
}

/// The row of a case of a unit: `alu/gfx1100-w64/0012:3.7`.
fn row(unit: &Unit, case: &str) -> Option<String> {
    let number = case.strip_prefix(unit.name.as_str())?.strip_prefix(':')?;
    match &unit.content {
        Content::Singles(batch) => {
            let (single, input) = number.split_once('.').unwrap_or((number, "0"));
            let known = input.parse::<u32>().is_ok_and(|input| input < batch.inputs);
            batch.singles.get(single.parse::<usize>().ok()?).filter(|_| known).map(|single| single.row.to_owned())
        }
        Content::File(path) => Some(path.file_stem()?.to_string_lossy().into_owned()),
        Content::Program(_) => Some("program".to_owned()),
    }
}
