//! The lists of known failures, applied to a run: one set of lists for each engine that is compared.

use super::pool::Work;
use super::{Args, Compared, Planned};
use crate::expect::Expectations;
use crate::journal::{CaseResult, Journal, Unit as Line};
use crate::tell;
use anyhow::Result;
use std::collections::{BTreeMap, HashMap};
use wavediff::engine::Status;

/// The lists, and the units that they speak of.
pub struct Expected<'u> {
    lists: BTreeMap<String, Expectations>,
    /// By engine and name.
    units: HashMap<(&'u str, &'u str), &'u Planned>,
}

impl<'u> Expected<'u> {
    /// Reads the lists of the engines.
    pub fn load(args: &Args, planned: &'u [(&'u Compared, Vec<Planned>)]) -> Result<Expected<'u>> {
        let list = |compared: &Compared| {
            let name = compared.info.name.clone();
            Ok((name.clone(), Expectations::load(&args.expect, &name)?))
        };
        let lists = planned.iter().map(|(compared, _)| list(compared)).collect::<Result<_>>()?;
        let of = |(compared, units): &'u (&'u Compared, Vec<Planned>)| {
            let engine = compared.info.name.as_str();
            units.iter().map(move |planned| ((engine, planned.unit.name.as_str()), planned))
        };
        Ok(Expected { lists, units: planned.iter().flat_map(of).collect() })
    }

    /// Looks at what came of a unit: what a list excuses is no failure, what passes though it is listed is one.
    pub fn look_at(&mut self, line: &mut Line) {
        let Some(list) = self.lists.get_mut(&line.engine) else { return };
        let planned = self.units.get(&(line.engine.as_str(), line.unit.as_str()));
        list.unit(line, &planned.map_or_else(Vec::new, |planned| planned.cases()));
    }

    /// Takes out of the work what lists say is not to be run; gives the lines of the units of which nothing is left.
    pub fn leave_out(&mut self, work: &mut Vec<Work<'_>>) -> Vec<Line> {
        let mut lines = Vec::new();
        work.retain_mut(|one| {
            let Some(list) = self.lists.get_mut(&one.engine) else { return true };
            let inputs = u64::from(one.unit.content.inputs());
            let all = one.unit.cases();
            let count = all.len();
            let mut rest = Vec::new();
            for (n, (case, row)) in (0..).zip(all) {
                if one.task.only.as_ref().is_some_and(|only| !only.contains(&n)) {
                    continue;
                }
                match list.skip(&case, &row) {
                    None => rest.push(n),
                    Some(reason) => {
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
            if rest.len() < count {
                one.task.only = Some(rest);
            }
            true
        });
        lines
    }

    /// Says what is wrong with the lists, or rewrites them. Returns whether they are as they should be.
    pub fn judge(&self, args: &Args, journal: &Journal, whole: bool) -> Result<bool> {
        let mut fine = true;
        for (engine, list) in &self.lists {
            if args.update_expect {
                let units: Vec<Line> = journal.units.iter().filter(|line| line.engine == *engine).cloned().collect();
                for path in list.update(&args.expect, &units, whole)? {
                    tell!("{} was rewritten: fill in the reasons", path.display());
                }
                continue;
            }
            for problem in list.problems(whole, std::env::var_os("CI").is_some()) {
                fine &= !problem.error;
                problem.tell();
            }
        }
        Ok(fine)
    }
}
