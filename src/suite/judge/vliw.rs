//! Verdicts on R600 and R700: the same as for the other machines, for cases of theirs.

use super::{Judged, Other, Part, Verdict};
use crate::engine::compare::Difference;
use crate::engine::{Engine, EngineError, Status};
use crate::isa::r600::Machine;
use crate::r600::case::Case;
use crate::r600::case::check::Came;
use crate::r600::engine::{Emulator, OnDevice, differences};
use crate::r600::{random, singles};
use crate::suite::Unit;
use crate::suite::plan::{Rows, contents, stem};
use std::collections::BTreeMap;
use std::path::Path;

/// The engine on a device, one for all programs of a unit; nothing where there is no device.
fn engine(other: Other<'_>) -> Option<OnDevice> {
    let Other::Device(vulkan) = other else { return None };
    Some(OnDevice::beside(vulkan))
}

/// What another engine makes of a case.
fn got(case: &Case, machine: Machine, other: Other<'_>, device: Option<&OnDevice>) -> Result<Came, EngineError> {
    let lacks = |needs: &str| {
        let unsupported =
            crate::engine::Unsupported { instruction: machine.name().to_owned(), needs: needs.to_owned() };
        EngineError::Unsupported(unsupported)
    };
    match other {
        Other::Device(_) => device.ok_or_else(|| lacks("a device"))?.run(case, machine),
        Other::Native(_) => Err(lacks("a driver for machine code of these machines")),
        Other::Recording { .. } => Err(lacks("a recording")),
        Other::Itself => Emulator::default().run(case, machine),
    }
}

fn verdict(case: String, row: &str, status: Status, reason: String, differences: Vec<Difference>) -> Verdict {
    let (row, text) = (row.to_owned(), row.to_owned());
    Verdict { case, row, text, status, reason, count: 1, differences, reads: Vec::new() }
}

fn failed(case: String, row: &str, error: &EngineError) -> Verdict {
    let reason = match error {
        EngineError::Unsupported(unsupported) => unsupported.needs.clone(),
        error => error.to_string(),
    };
    verdict(case, row, error.status(), reason, Vec::new())
}

/// Judges rows, each with its inputs.
pub(super) fn rows(rows: &Rows, unit: &Unit, other: Other<'_>, part: Part<'_>) -> Result<Judged, EngineError> {
    let mut judged = Judged::default();
    let (group, device) = (unit.group(), engine(other));
    for input in 0..rows.inputs {
        if part.input.is_some_and(|only| only != input) {
            continue;
        }
        let case = singles::case(rows.machine, &rows.names, rows.seed, input);
        let expected = Emulator::default().run(&case, rows.machine)?;
        let wanted = |n: usize| part.only.is_none_or(|only| only.contains(&(n as u32)));
        let got = match got(&case, rows.machine, other, device.as_ref()) {
            Ok(got) => got,
            Err(error @ EngineError::Unsupported(_)) => {
                for (_, name) in rows.names.iter().enumerate().filter(|(n, _)| wanted(*n)) {
                    judged.verdicts.push(failed(format!("{group}/{name}:{input}"), name, &error));
                }
                continue;
            }
            Err(error) => return Err(error),
        };
        // What is no register's belongs to all of them.
        let mut by_row: BTreeMap<Option<usize>, Vec<Difference>> = BTreeMap::new();
        for difference in differences(&case, rows.machine, &expected, &got) {
            let register = difference.place.strip_prefix('R').and_then(|rest| rest.split('.').next()?.parse().ok());
            by_row.entry(register.and_then(singles::row_of)).or_default().push(difference);
        }
        let common = by_row.remove(&None).unwrap_or_default();
        for (n, name) in rows.names.iter().enumerate().filter(|(n, _)| wanted(*n)) {
            let mut own = by_row.remove(&Some(n)).unwrap_or_default();
            own.extend(common.iter().cloned());
            if own.is_empty() {
                judged.pass(name);
            } else {
                let case = format!("{group}/{name}:{input}");
                judged.verdicts.push(verdict(case, name, Status::Fail, String::new(), own));
            }
        }
    }
    Ok(judged)
}

/// Judges a case in a file.
pub(super) fn file(path: &Path, machine: Machine, unit: &Unit, other: Other<'_>) -> Result<Judged, EngineError> {
    let lost = |reason: String| EngineError::Absent { device: path.display().to_string(), reason };
    let bytes = contents(path).map_err(|e| lost(e.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|e| lost(e.to_string()))?;
    let case = Case::parse(&text, &path.to_string_lossy()).map_err(|e| lost(e.to_string()))?;
    Ok(whole(&stem(path), &case, machine, unit, (other, engine(other).as_ref())))
}

/// Judges a random program.
pub(super) fn program(seed: u64, machine: Machine, unit: &Unit, other: Other<'_>) -> Judged {
    // All inputs are one case: a device compiles the program once.
    let device = engine(other);
    for input in 0..random::INPUTS {
        let judged = whole("program", &random::case(machine, seed, input), machine, unit, (other, device.as_ref()));
        if !judged.verdicts.is_empty() || input + 1 == random::INPUTS {
            return judged;
        }
    }
    Judged::default()
}

/// Judges a whole case.
fn whole(
    name: &str,
    case: &Case,
    machine: Machine,
    unit: &Unit,
    (other, device): (Other<'_>, Option<&OnDevice>),
) -> Judged {
    let mut judged = Judged::default();
    let expected = match Emulator::default().run(case, machine) {
        Ok(expected) => expected,
        Err(error) => {
            judged.verdicts.push(failed(unit.name.clone(), name, &error));
            return judged;
        }
    };
    // A random program expects nothing, not even that it ends well.
    let wrong = match case.check(machine, &expected) {
        _ if case.expect.is_empty() => None,
        Ok(found) => found.first().map(ToString::to_string),
        Err(error) => Some(error.to_string()),
    };
    if let Some(wrong) = wrong {
        judged.verdicts.push(verdict(unit.name.clone(), name, Status::Fail, format!("emu: {wrong}"), Vec::new()));
        return judged;
    }
    match got(case, machine, other, device) {
        Ok(got) => match differences(case, machine, &expected, &got) {
            all if all.is_empty() => judged.pass(name),
            all => judged.verdicts.push(verdict(unit.name.clone(), name, Status::Fail, String::new(), all)),
        },
        Err(error) => judged.verdicts.push(failed(unit.name.clone(), name, &error)),
    }
    judged
}
