//! The smallest case in which two engines still differ.
//!
//! First the guilty clause is tried alone, in the state that it met. Then lines of the assembly are dropped as long as what is left assembles
//! and shows a difference of the same kind; loops and branches go with their labels, around what stands in them. Then values at the start,
//! constants, what is bound, lanes.

use super::bisect::{Found, Pair, compare, find};
use super::case::{Case, Expect, Place, Select, What};
use crate::bisect::ddmin::ddmin;
use crate::case::value::{Lit, Value};
use crate::case::{Body, Rule};
use crate::engine::EngineError;
use crate::engine::compare::Difference;
use crate::isa::r600::Machine;
use crate::isa::types::Ty;

/// What must stay: whether it is a trap that one engine has and the other has not.
fn traps(differences: &[Difference]) -> bool {
    differences.iter().any(|difference| difference.place == "trap")
}

/// Makes a case smaller that shows a difference; nothing if it shows none.
///
/// # Errors
/// An engine does not run it.
pub fn reduce(
    case: &Case,
    machine: Machine,
    engines: Pair<'_>,
    seen: &mut dyn FnMut(&Case),
) -> Result<Option<Case>, EngineError> {
    let first = compare(case, machine, engines)?;
    if first.is_empty() {
        return Ok(None);
    }
    let wanted = traps(&first);
    let mut still = |candidate: &Case| -> Result<bool, EngineError> {
        seen(candidate);
        match compare(candidate, machine, engines) {
            Ok(found) => Ok(!found.is_empty() && traps(&found) == wanted),
            Err(EngineError::Case(_) | EngineError::Unsupported(_)) => Ok(false),
            Err(error) => Err(error),
        }
    };
    let mut small = Case { machines: vec![machine], ..case.clone() };
    if let Found::At(point) = find(&small, machine, engines)?
        && let Some(alone) = point.alone
        && still(&alone)?
    {
        small = alone;
    }
    small = without_lines(&small, &mut still)?;
    while let Some(fewer) = without_a_jump(&small, &mut still)? {
        small = without_lines(&fewer, &mut still)?;
    }
    for simpler in SIMPLER {
        loop {
            let mut candidate = small.clone();
            if !simpler(&mut candidate) || candidate == small || !still(&candidate)? {
                break;
            }
            small = candidate;
        }
    }
    for n in (0..small.init.len()).rev() {
        let mut candidate = small.clone();
        candidate.init.remove(n);
        if still(&candidate)? {
            small = candidate;
        }
    }
    // What has lost its values may need fewer lines.
    small = without_lines(&small, &mut still)?;
    expect(&mut small, machine, engines)?;
    Ok(Some(small))
}

/// One step towards a simpler case; whether there is one.
type Simpler = fn(&mut Case) -> bool;

const SIMPLER: [Simpler; 7] = [
    |case| case.resources.pop_last().is_some(),
    |case| case.buffers.pop().is_some(),
    |case| case.banks.pop_last().is_some(),
    |case| case.constants.take().is_some(),
    |case| case.loops.pop_last().is_some(),
    |case| case.valid.take().is_some(),
    |case| {
        case.lanes /= 2;
        case.lanes >= 1
    },
];

/// The case without the lines that it does not need.
fn without_lines(case: &Case, still: &mut dyn FnMut(&Case) -> Result<bool, EngineError>) -> Result<Case, EngineError> {
    let lines: Vec<&str> = case.body.text.lines().collect();
    let with = |kept: &[usize]| {
        let text: Vec<&str> = kept.iter().map(|n| lines[*n]).collect();
        Case { body: Body { text: text.join("\n"), line: case.body.line }, ..case.clone() }
    };
    let kept = ddmin::<EngineError>(lines.len(), &mut |lists| {
        for (n, list) in lists.iter().enumerate() {
            if still(&with(list))? {
                return Ok(Some(n));
            }
        }
        Ok(None)
    })?;
    Ok(with(&kept))
}

/// The labels that a line speaks of: the one that it is, and the one that it leads to.
fn labels(line: &str) -> impl Iterator<Item = &str> {
    let led_to = line.split("ADDR(").skip(1).filter_map(|rest| rest.split(')').next());
    line.trim().strip_suffix(':').filter(|name| !name.contains(' ')).into_iter().chain(led_to)
}

/// The case without a loop or a branch around what stands in it: without two labels, one named behind the other, and all that leads to
/// them; nothing where none can go.
fn without_a_jump(
    case: &Case,
    still: &mut dyn FnMut(&Case) -> Result<bool, EngineError>,
) -> Result<Option<Case>, EngineError> {
    let lines: Vec<&str> = case.body.text.lines().collect();
    let mut names: Vec<&str> = Vec::new();
    for name in lines.iter().flat_map(|line| labels(line)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    for pair in names.windows(2) {
        let rest = lines.iter().copied().filter(|line| !labels(line).any(|name| pair.contains(&name)));
        let text = rest.collect::<Vec<_>>().join("\n");
        let candidate = Case { body: Body { text, line: case.body.line }, ..case.clone() };
        if still(&candidate)? {
            return Ok(Some(candidate));
        }
    }
    Ok(None)
}

/// Expects what the first engine leaves where they differ.
fn expect(case: &mut Case, machine: Machine, engines: Pair<'_>) -> Result<(), EngineError> {
    case.expect.clear();
    case.observe.clear();
    let found = compare(case, machine, engines)?;
    let came = engines[0].run(case, machine)?;
    let outcome = match came {
        Ok(outcome) => outcome,
        Err(error) => {
            let what = What::Trap { kind: error.fault.name(), at: Some(error.at) };
            case.expect.push(Expect { select: Select::default(), what });
            return Ok(());
        }
    };
    let mut places: Vec<Place> = Vec::new();
    for difference in &found {
        if let Ok(observe) = super::case::Observe::parse(&difference.place)
            && !places.contains(&observe.place)
        {
            places.push(observe.place);
        }
    }
    for place in places {
        let element = place.elements().each().next().unwrap_or(0);
        let lanes = if place.is_per_lane() { case.lanes as usize } else { 1 };
        let ty: Ty = place.integer();
        let value = |lane| match place.left(&outcome, lane, element) {
            Some(bits) => Value::Lit(Lit { ty, bits }),
            None => Value::Any,
        };
        let list: Vec<Value> = (0..lanes).map(value).collect();
        if list.iter().all(|value| *value == Value::Any) {
            continue;
        }
        let value = if place.is_per_lane() { Value::List(list) } else { list[0].clone() };
        let what = What::Value { place, value, rule: Rule::default() };
        case.expect.push(Expect { select: Select::default(), what });
    }
    Ok(())
}
