//! What a worker is asked to do: judge one unit. Requests and answers are JSON.
//!
//! A task describes its unit by the plan's numbers, so that a worker makes the unit by itself; it keeps the units of the suite, processor and wave size
//! that it made last, and the engines that it opened.

use crate::engines::{self, Device, Lanes, Opened, Size};
use crate::journal::{CaseResult, Shown, Unit as Line};
use crate::run::Limits;
use anyhow::{Context, Result, anyhow};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use wavediff::engine::compare::Difference;
use wavediff::engine::{EngineError, Status};
use wavediff::isa::{Arch, Target};
use wavediff::suite::judge::{Digests, Judged, Other, judge};
use wavediff::suite::{Plan, Suite, Unit};

/// How many differences of a case are kept.
const SHOWN: usize = 8;

/// A unit to judge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// The unit's name.
    pub unit: String,
    /// Its suite.
    pub suite: String,
    /// Its processor.
    pub arch: String,
    /// Lanes of its waves.
    pub lanes: u32,
    /// The numbers of the plan.
    pub plan: Numbers,
    /// The file, for suites of files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// Only these singles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<Vec<u32>>,
    /// With what the emulator is compared.
    pub against: Against,
}

/// The numbers of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Numbers {
    /// [`Plan::mixed`]
    pub mixed: u32,
    /// [`Plan::inputs`]
    pub inputs: u32,
    /// [`Plan::seed`]
    pub seed: u64,
    /// [`Plan::programs`]
    pub programs: u32,
}

/// With what the emulator is compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Against {
    /// A Vulkan device, by its name.
    Vulkan {
        /// The device.
        device: Option<String>,
        /// How lanes are laid over it.
        lanes: Lanes,
        /// With the validation layer.
        validate: bool,
    },
    /// What was recorded of the unit.
    Golden(Option<Digests>),
    /// Itself.
    Itself,
}

/// An answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// What came of the unit; its name, time and engine are filled in by who asked.
    pub line: Line,
    /// Digests of what the other engine left.
    pub digests: Digests,
    /// An engine went down inside the worker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub down: Option<Down>,
}

/// How an engine went down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Down {
    /// The name of a status.
    pub status: String,
    /// What was said.
    pub reason: String,
}

/// A worker's memory.
#[derive(Default)]
pub struct Serving {
    units: Option<(Key, Vec<Unit>)>,
    engine: Option<(Against, Opened)>,
}

/// What the units that are kept depend on.
#[derive(PartialEq)]
struct Key(String, String, u32, Numbers, Option<PathBuf>);

impl Serving {
    /// Answers a request.
    pub fn answer(&mut self, request: &[u8]) -> Vec<u8> {
        let task = serde_json::from_slice::<Task>(request).context("no task");
        let reply = task.and_then(|task| self.judge(&task)).unwrap_or_else(|e| Reply {
            down: Some(Down { status: Status::Crash.name().to_owned(), reason: format!("{e:#}") }),
            ..Reply::default()
        });
        serde_json::to_vec(&reply).unwrap_or_default()
    }

    fn judge(&mut self, task: &Task) -> Result<Reply> {
        let unit = self.unit(task)?;
        let opened = match &task.against {
            Against::Vulkan { device, lanes, validate } => {
                if self.engine.as_ref().is_none_or(|(against, _)| *against != task.against) {
                    self.engine = None;
                    let name = engines::Name::Vulkan(device.clone());
                    let device = Device { lanes: *lanes, validate: *validate };
                    self.engine = Some((task.against.clone(), Opened::open(&name, &device, &limits(), false)?));
                }
                let size = if unit.suite.is_of_singles() { Size::Short } else { Size::Any };
                self.engine.as_mut().map(|(_, opened)| {
                    opened.suit(*lanes, size);
                    &*opened
                })
            }
            _ => None,
        };
        let other = match (&task.against, opened) {
            (_, Some(Opened::Vulkan(vulkan))) => Other::Device(vulkan),
            (Against::Golden(digests), _) => Other::Recording(digests.as_ref()),
            _ => Other::Itself,
        };
        match judge(&unit, other, task.only.as_deref()) {
            Ok(judged) => Ok(reply(&unit, judged)),
            Err(e) => {
                // What has gone down is opened again for the next one.
                self.engine = None;
                Ok(Reply { down: Some(down(&e)), ..Reply::default() })
            }
        }
    }

    fn unit(&mut self, task: &Task) -> Result<Unit> {
        let Numbers { mixed, inputs, seed, programs } = task.plan;
        let key = Key(task.suite.clone(), task.arch.clone(), task.lanes, task.plan, task.file.clone());
        if self.units.as_ref().is_none_or(|(known, _)| *known != key) {
            let suite = Suite::find(&task.suite).context("no such suite")?;
            let arch = Arch::find(&task.arch).context("no such processor")?;
            let target = Target::new(arch).wave(task.lanes).context("no such waves")?;
            let files = task.file.iter().map(|file| (suite, file.clone())).collect();
            let plan = Plan { suites: vec![suite], archs: vec![arch], mixed, inputs, every: 1, seed, programs, files };
            self.units = Some((key, plan.units_of(suite, target, task.lanes)));
        }
        let units = self.units.as_ref().map(|(_, units)| units.as_slice()).unwrap_or_default();
        units
            .iter()
            .find(|unit| unit.name == task.unit)
            .cloned()
            .ok_or_else(|| anyhow!("there is no unit {}", task.unit))
    }
}

/// Workers run one thing at a time, on one thread.
fn limits() -> Limits {
    Limits { threads: Some(1), ..Limits::default() }
}

fn down(error: &EngineError) -> Down {
    Down { status: error.status().name().to_owned(), reason: error.to_string() }
}

fn reply(unit: &Unit, judged: Judged) -> Reply {
    let mut line = Line { unit: unit.name.clone(), ..Line::default() };
    for (row, count) in &judged.passed {
        line.add(row, Status::Pass, *count);
    }
    for verdict in judged.verdicts {
        line.add(&verdict.row, verdict.status, verdict.count);
        line.results.push(CaseResult {
            case: format!("{}:{}", unit.name, verdict.case),
            row: verdict.row,
            text: verdict.text,
            status: verdict.status.name().to_owned(),
            reason: verdict.reason,
            count: verdict.count,
            differences: verdict.differences.iter().take(SHOWN).map(shown).collect(),
            again: String::new(),
        });
    }
    Reply { line, digests: judged.digests, down: None }
}

fn shown(difference: &Difference) -> Shown {
    let lane = difference.lane.map_or(String::new(), |lane| format!(" lane {lane}"));
    let place = format!("{}{lane}", difference.place);
    let [expected, got] = difference.text.clone().unwrap_or_else(|| difference.values.map(|v| format!("{v:#x}")));
    Shown { place, expected, got }
}
