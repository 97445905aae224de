//! Cases on engines, and two outcomes side by side.
//!
//! The emulator and the translation are engines of this machine's [cases](super::case) as they are of the other machines'. What two engines left is compared to the bit,
//! but where the case expects a value by a wider rule.

use super::case::check::Came;
use super::case::{Case, Place};
use super::emu::{self, Outcome};
use super::spirv::Lanes;
use super::spirv::engine::{Failure, Vulkan};
use crate::case::value::Value;
use crate::engine::compare::{Difference, said};
use crate::engine::{Engine, EngineError, Subject, Support, Unsupported};
use crate::isa::r600::Machine;
use crate::isa::types::Ty;
use crate::spirv::lanes::Model;
use crate::vulkan::Device;
use std::collections::BTreeSet;
use std::time::Duration;

impl Subject for Case {
    type Target = Machine;
    type Outcome = Came;
}

/// The emulator as an engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Emulator {
    /// Instructions of control flow, groups and fetches at most, where the case says nothing.
    pub budget: Option<u64>,
}

impl Engine<Case> for Emulator {
    fn name(&self) -> &str {
        "emu"
    }

    fn supports(&self, _: &Case, _: Machine) -> Support {
        Support::Exact
    }

    fn run(&self, case: &Case, machine: Machine) -> Result<Came, EngineError> {
        let mut ready = case.ready(machine)?;
        if let (Some(budget), None) = (self.budget, case.budget) {
            ready.setup.budget = budget;
        }
        Ok(emu::run(&ready.words, &ready.setup))
    }
}

/// A Vulkan device as an engine.
pub struct OnDevice {
    name: String,
    vulkan: Vulkan,
    /// Instructions of control flow, groups and fetches at most, where the case says nothing.
    pub budget: Option<u64>,
}

impl OnDevice {
    /// An engine on a device.
    #[must_use]
    pub fn new(device: Device, lanes: Lanes) -> OnDevice {
        OnDevice { name: format!("vulkan:{}", device.name()), vulkan: Vulkan::new(device, lanes), budget: None }
    }

    /// The engine on the device of another machine's engine, with lanes laid as it does: where a subgroup is a wave there, a workgroup is a thread
    /// group here.
    #[must_use]
    pub fn beside(other: &crate::spirv::engine::Vulkan) -> OnDevice {
        let lanes = if other.model == Model::Serial { Lanes::Serial } else { Lanes::Workgroup };
        OnDevice::new(other.device(), lanes)
    }

    /// How long a run may take.
    pub fn limit(&mut self, timeout: Duration) {
        self.vulkan.timeout = timeout;
    }
}

impl Engine<Case> for OnDevice {
    fn name(&self) -> &str {
        &self.name
    }

    fn supports(&self, _: &Case, _: Machine) -> Support {
        Support::Exact
    }

    fn run(&self, case: &Case, machine: Machine) -> Result<Came, EngineError> {
        let mut ready = case.ready(machine)?;
        if let (Some(budget), None) = (self.budget, case.budget) {
            ready.setup.budget = budget;
        }
        match self.vulkan.run(&ready.words, &ready.setup) {
            Ok(outcome) => Ok(Ok(outcome)),
            Err(Failure::Program(error)) => Ok(Err(error)),
            Err(Failure::Refused(refused)) => {
                let instruction = machine.name().to_owned();
                Err(Unsupported { instruction, needs: refused.to_string() }.into())
            }
            Err(Failure::Device(error)) => Err(error.on(&self.name)),
            Err(Failure::Timeout(time)) => Err(EngineError::Timeout(time)),
            Err(error @ Failure::Record { .. }) => Err(EngineError::Crash {
                device: self.name.clone(),
                doing: "reading what it left",
                reason: error.to_string(),
            }),
        }
    }
}

/// Where the outcomes of a case differ: faults first, then registers, exports, and what else a program leaves.
#[must_use]
pub fn differences(case: &Case, machine: Machine, a: &Came, b: &Came) -> Vec<Difference> {
    let (a, b) = match (a, b) {
        (Ok(a), Ok(b)) => (a, b),
        (Err(a), Err(b)) if a == b => return Vec::new(),
        _ => {
            let text = |came: &Came| came.as_ref().map_or_else(ToString::to_string, |_| "no trap".to_owned());
            return vec![said("trap", [text(a), text(b)])];
        }
    };
    let mut all = Vec::new();
    for place in places(a).into_iter().chain(places(b)).collect::<BTreeSet<Place>>() {
        each(case, machine, &place, [a, b], &mut all);
    }
    if a.steps != b.steps {
        all.push(said("steps", [a.steps.to_string(), b.steps.to_string()]));
    }
    all
}

/// Everything that an outcome has.
fn places(outcome: &Outcome) -> Vec<Place> {
    use super::case::Elements;
    let mut all = vec![Place::Killed, Place::Primitives];
    all.extend((0..outcome.gprs.len() as u32).map(|n| Place::Register(n, Elements::ALL)));
    for to in outcome.exports.keys() {
        all.extend([Place::Export(*to, Elements::ALL), Place::Mask(*to)]);
    }
    let ring: BTreeSet<u32> = outcome.ring.iter().flat_map(|lane| lane.keys().copied()).collect();
    all.extend(ring.into_iter().map(Place::Ring));
    let scratch = outcome.scratch.iter().map(Vec::len).max().unwrap_or(0) as u32;
    all.extend((0..scratch).map(|n| Place::Scratch(n, Elements::ALL)));
    all.extend((0..outcome.reduction.len() as u32).map(|n| Place::Reduction(n, Elements::ALL)));
    all
}

/// Where two outcomes differ in a place.
fn each(case: &Case, machine: Machine, place: &Place, [a, b]: [&Outcome; 2], all: &mut Vec<Difference>) {
    let lanes = if place.is_per_lane() { a.gprs.first().map_or(0, Vec::len) } else { 1 };
    for element in place.elements().each() {
        for lane in 0..lanes {
            let left = [a, b].map(|outcome| place.left(outcome, lane, element));
            if left[0] == left[1] {
                continue;
            }
            let one = place.only(element);
            let lane = place.is_per_lane().then_some(lane as u32);
            let (ty, accepted) = looked_at(case, machine, &one, left);
            if accepted {
                continue;
            }
            let text = left
                .iter()
                .any(Option::is_none)
                .then(|| left.map(|word| word.map_or_else(|| "nothing".to_owned(), |word| format!("{word:#x}"))));
            let values = left.map(|word| word.unwrap_or(0));
            all.push(Difference { place: one.to_string(), wave: None, lane, values, text, ty });
        }
    }
}

/// The type in which a case looks at an element, and whether its rule takes one value for the other.
fn looked_at(case: &Case, machine: Machine, one: &Place, left: [Option<u64>; 2]) -> (Option<Ty>, bool) {
    let covers = |place: &Place| {
        let same = place.only(0) == one.only(0);
        same && one.elements().each().all(|element| place.elements().each().any(|known| known == element))
    };
    let expected = case.expected(machine).into_iter().rev().find(|(place, ..)| covers(place));
    if let Some((_, value, rule)) = expected {
        let ty = if *value == Value::Any { None } else { Some(value.ty()) };
        let accepted = match (ty, left) {
            (Some(ty), [Some(a), Some(b)]) => rule.accepts(ty, a & ty.mask(), b & ty.mask()),
            _ => false,
        };
        return (ty, accepted);
    }
    (case.observe.iter().find(|observe| covers(&observe.place)).and_then(|observe| observe.ty), false)
}
