//! Expectations against an outcome, and two outcomes against each other.
//!
//! A value is compared by its rule, in its type, as wide as its type. All lanes are compared, also those that do not execute. What a lane
//! did not export is no zero: an expectation there is a mismatch, but where it takes anything (`_`).
//!
//! What is expected is compared, or it is a mismatch, as in [the other machines' cases](crate::case::check).

use super::place::Place;
use super::ready::{Nowhere, at};
use super::{Case, What};
use crate::case::check::MAX_MISMATCHES;
use crate::case::eval::{At, eval};
use crate::case::value::Value;
use crate::case::{CaseError, Rule, Status};
use crate::isa::r600::Machine;
use crate::r600::emu::{Error, Fault, Outcome};
use std::fmt;

/// What came of a run.
pub type Came = Result<Outcome, Error>;

/// Something that is not as expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// Another value, or what an expectation is found out by.
    Value(crate::case::Mismatch),
    /// Nothing was written where something is expected.
    Nothing {
        /// The place.
        place: String,
        /// The lane, where each has its own.
        lane: Option<u32>,
    },
    /// Another fault, a fault too many, or none where one was expected.
    Fault {
        /// What was expected, as the case has it.
        expected: Option<String>,
        /// What happened.
        got: Option<Error>,
    },
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mismatch::Value(mismatch) => mismatch.fmt(f),
            Mismatch::Nothing { place, lane } => {
                f.write_str(place)?;
                lane.map_or(Ok(()), |lane| write!(f, " lane {lane}"))?;
                f.write_str(" is expected, and nothing was written there")
            }
            Mismatch::Fault { expected: None, got: Some(got) } => write!(f, "unexpected trap: {got}"),
            Mismatch::Fault { expected, got } => {
                write!(f, "expected trap {}, got ", expected.as_deref().unwrap_or("none"))?;
                match got {
                    Some(got) => got.fmt(f),
                    None => f.write_str("none"),
                }
            }
        }
    }
}

/// The verdict that mismatches mean. An engine that gives up on its way is not wrong.
#[must_use]
pub fn verdict(mismatches: &[Mismatch]) -> Status {
    match mismatches {
        [] => Status::Pass,
        [Mismatch::Fault { got: Some(Error { fault: Fault::Unsupported { .. }, .. }), .. }, ..] => Status::Unsupported,
        [Mismatch::Fault { got: Some(_), .. }, ..] => Status::Trap,
        _ => Status::Fail,
    }
}

impl Case {
    /// Compares what came of a run with what is expected of a machine.
    ///
    /// # Errors
    /// The case is not for the machine.
    pub fn check(&self, machine: Machine, came: &Came) -> Result<Vec<Mismatch>, CaseError> {
        self.require(machine)?;
        let expects = self.expect.iter().rev().filter(|expect| expect.select.matches(machine));
        let trap = expects.map(|expect| &expect.what).find(|what| matches!(what, What::Trap { .. }));
        let outcome = match (trap, came) {
            (None, Ok(outcome)) => outcome,
            (None, Err(got)) => return Ok(vec![Mismatch::Fault { expected: None, got: Some(got.clone()) }]),
            (Some(What::Trap { kind, at }), came) => {
                let got = came.as_ref().err();
                let same = got.is_some_and(|got| got.fault.name() == *kind && at.is_none_or(|at| at == got.at));
                let at = at.map_or_else(String::new, |at| format!(" at {at}"));
                let expected = Some(format!("{kind}{at}"));
                return Ok(if same { Vec::new() } else { vec![Mismatch::Fault { expected, got: got.cloned() }] });
            }
            (Some(_), _) => return Ok(Vec::new()),
        };
        let mut found = Vec::new();
        for (place, value, rule) in self.expected(machine) {
            let mut held = Held { place, value, rule, values: 0, elements: Vec::new(), told: false };
            let before = found.len();
            held.all(outcome, self.lanes as usize, &mut found);
            if found.len() == before {
                held.close(&mut found);
            }
            if found.len() >= MAX_MISMATCHES {
                break;
            }
        }
        Ok(found)
    }
}

/// An expectation, and what it was held against.
struct Held<'c> {
    place: &'c Place,
    value: &'c Value,
    rule: Rule,
    values: u64,
    /// Which elements of a list were compared.
    elements: Vec<bool>,
    /// Whether a value was among them that the rule tells from zero.
    told: bool,
}

impl Held<'_> {
    fn all(&mut self, outcome: &Outcome, lanes: usize, found: &mut Vec<Mismatch>) {
        let per_lane = self.place.is_per_lane();
        for (n, element) in self.place.elements().each().enumerate() {
            for lane in 0..if per_lane { lanes } else { 1 } {
                // Where there are no lanes a list counts elements.
                let at = if per_lane { at(lane, n) } else { At { position: n as u64, ..At::default() } };
                self.one(outcome, lane, element, &at, found);
                if found.len() >= MAX_MISMATCHES {
                    return;
                }
            }
        }
    }

    fn one(&mut self, outcome: &Outcome, lane: usize, element: usize, at: &At, found: &mut Vec<Mismatch>) {
        let Some(expected) = eval(self.value, at, &Nowhere) else { return };
        let expected = expected as u64;
        let place = || self.place.only(element).to_string();
        let lane_of = self.place.is_per_lane().then_some(lane as u32);
        self.values += 1;
        let position = at.position as usize;
        self.elements.resize(self.elements.len().max(position + 1), false);
        self.elements[position] = true;
        let of_list = if let Value::List(list) = self.value { list.get(position) } else { None };
        let ty = of_list.unwrap_or(self.value).ty();
        let expected = expected & ty.mask();
        self.told |= self.rule.tells(ty, expected);
        let Some(got) = self.place.left(outcome, lane, element) else {
            found.push(Mismatch::Nothing { place: place(), lane: lane_of });
            return;
        };
        let got = got & ty.mask();
        if !self.rule.accepts(ty, expected, got) {
            let (place, lane, rule) = (place(), lane_of, self.rule);
            let mismatch = crate::case::Mismatch::Value { place, wave: None, lane, ty, expected, got, rule };
            found.push(Mismatch::Value(mismatch));
        }
    }

    /// An expectation without a mismatch has compared all that it says, or that is the mismatch.
    fn close(&self, found: &mut Vec<Mismatch>) {
        let list = if let Value::List(list) = self.value { list.as_slice() } else { &[] };
        if !list.is_empty() && list.iter().all(|v| *v == Value::Any) {
            return;
        }
        let place = self.place.to_string();
        let compared = |n: usize| self.elements.get(n).is_some_and(|seen| *seen);
        let left = (0..list.len()).find(|&n| list[n] != Value::Any && !compared(n));
        let wrong = if self.values == 0 {
            crate::case::Mismatch::Unchecked { place, element: None }
        } else if left.is_some() {
            crate::case::Mismatch::Unchecked { place, element: left }
        } else if !self.told {
            crate::case::Mismatch::Loose { place, rule: self.rule }
        } else {
            return;
        };
        found.push(Mismatch::Value(wrong));
    }
}
