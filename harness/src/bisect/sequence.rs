//! Several cases, one behind the other on the same engines.

use super::{Args, Found, left, of, put};
use crate::engines::Opened;
use crate::run;
use anyhow::Result;
use std::collections::BTreeSet;
use std::process::ExitCode;
use wavediff::bisect::{OfCase, lines, sequence};
use wavediff::case::Case;
use wavediff::engine::EngineError;
use wavediff::engine::compare::outcomes;
use wavediff::isa::Target;

/// A case for one of the processors that were asked for.
struct One<'c> {
    case: &'c Case,
    target: Target,
}

/// Finds the first case that differs and what it needs, and its instruction.
pub fn run(args: &Args, cases: &[Case], open: &dyn Fn() -> Result<[Opened; 2]>) -> Result<ExitCode> {
    let mut all = Vec::new();
    for case in cases {
        // Of a list, those that are for another processor are left out.
        let targets = run::case::targets(case, args.arch).unwrap_or_default();
        all.extend(targets.into_iter().map(|target| One { case, target }));
    }
    let mut refused = BTreeSet::new();
    let mut differs = |list: &[usize]| -> Result<Option<usize>> {
        let engines = open()?;
        for n in list {
            match differ(&all[*n], &engines)? {
                Some(true) => return Ok(Some(*n)),
                Some(false) => {}
                None => drop(refused.insert(*n)),
            }
        }
        Ok(None)
    };
    let found = sequence(all.len(), &mut differs)?;
    let engines = open()?;
    let both = [&engines[0], &engines[1]];
    let names = both.map(|e| e.engine().name());
    let Some(needs) = found else {
        let left_out = match refused.len() {
            0 => String::new(),
            n => format!(" ({n} left out: an engine does not run them)"),
        };
        put(args, &format!("{} cases{left_out}", all.len() - refused.len()), names, &Found::Alike, &[])?;
        return Ok(ExitCode::SUCCESS);
    };
    for n in &needs.before {
        differ(&all[*n], &engines)?;
    }
    let One { case, target } = all[needs.case];
    let found = match of(&OfCase { case, target }, both, args.wave.0)? {
        Found::Equal => {
            let left = left(&OfCase { case, target }, both)?;
            Found::Whole(outcomes(case, target, &left[0], &left[1]))
        }
        found => found,
    };
    let before: Vec<&str> = needs.before.iter().map(|n| all[*n].case.name.as_str()).collect();
    let behind = if before.is_empty() { String::new() } else { format!(", behind {}", before.join(", ")) };
    let title = format!("{}: {}{behind}", case.name, run::case::target_name(target));
    put(args, &title, names, &found, &lines(case, target))?;
    Ok(ExitCode::from(1))
}

/// Whether engines leave something else of a case; none if one does not run it.
fn differ(one: &One<'_>, engines: &[Opened; 2]) -> Result<Option<bool>> {
    let One { case, target } = *one;
    match left(&OfCase { case, target }, [&engines[0], &engines[1]]) {
        Ok([x, y]) => Ok(Some(!outcomes(case, target, &x, &y).is_empty())),
        Err(EngineError::Unsupported(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
