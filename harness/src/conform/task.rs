//! What a worker is asked to do: judge one unit. Requests and answers are JSON.
//!
//! A task has its unit whole, instructions as words, so that a worker depends on no plan; it keeps the engine that it opened.

use super::emulated;
use crate::engines::{self, Device, Lanes, Opened, Size};
use crate::journal::{CaseResult, Shown, Unit as Line};
use crate::run::Limits;
use crate::trace;
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use wavediff::emu::traced::record::{Event, Item};
use wavediff::engine::compare::Difference;
use wavediff::engine::{EngineError, Status};
use wavediff::suite::draw::Single;
use wavediff::suite::judge::{Changes, Judged, Other, Part, judge};
use wavediff::suite::plan::Rows;
use wavediff::suite::single::Batch;
use wavediff::suite::{Content, Processor, Suite, Unit};

/// Lines that are kept of what an instruction read, and of what it wrote.
const MOST: usize = 16;
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
    /// Lanes that execute together.
    pub lanes: u32,
    /// What is in it.
    pub work: Job,
    /// Only these singles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<Vec<u32>>,
    /// Only this input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<u32>,
    /// Whether what cases change is to be kept.
    #[serde(default)]
    pub record: bool,
    /// With what the emulator is compared.
    pub against: Against,
}

/// What is in a unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Job {
    /// Instructions.
    Singles {
        /// What chance starts from.
        seed: u64,
        /// How many inputs each has.
        inputs: u32,
        /// Their names and words.
        singles: Vec<(String, Vec<u32>)>,
    },
    /// Rows of R600's family.
    Rows {
        /// What chance starts from.
        seed: u64,
        /// How many inputs each has.
        inputs: u32,
        /// Their names.
        names: Vec<String>,
    },
    /// A case in a file.
    File(PathBuf),
    /// A random program, with what chance starts from.
    Program(u64),
}

impl Job {
    /// What is in a unit.
    pub fn of(unit: &Unit) -> Job {
        match &unit.content {
            Content::Singles(batch) => Job::Singles {
                seed: batch.seed,
                inputs: batch.inputs,
                singles: batch.singles.iter().map(|single| (single.name.clone(), single.words.clone())).collect(),
            },
            Content::Rows(rows) => Job::Rows {
                seed: rows.seed,
                inputs: rows.inputs,
                names: rows.names.iter().map(|name| (*name).to_owned()).collect(),
            },
            Content::File(path) => Job::File(path.clone()),
            Content::Program(seed) => Job::Program(*seed),
        }
    }

    /// A unit made of it.
    pub fn unit(&self, name: &str, suite: Suite, on: Processor) -> Result<Unit> {
        let content = match self {
            Job::Singles { seed, inputs, singles } => {
                let Processor::Waves(target, lanes) = on else { bail!("{} has no such instructions", on.name()) };
                let single = |(name, words): &(String, Vec<u32>)| {
                    Single::new(target, name.clone(), words.clone())
                        .with_context(|| format!("the words of {name} are no instruction"))
                };
                let singles = singles.iter().map(single).collect::<Result<_>>()?;
                Content::Singles(Batch { suite, target, lanes, seed: *seed, inputs: *inputs, singles })
            }
            Job::Rows { seed, inputs, names } => {
                let Processor::Groups(machine) = on else { bail!("{} has no such rows", on.name()) };
                Content::Rows(Rows::new(machine, *seed, *inputs, names))
            }
            Job::File(path) => Content::File(path.clone()),
            Job::Program(seed) => Content::Program(*seed),
        };
        Ok(Unit { name: name.to_owned(), suite, on, content })
    }
}

impl Task {
    /// A task that only opens an engine.
    pub fn nothing(against: Against) -> Task {
        let work = Job::Singles { seed: 0, inputs: 1, singles: Vec::new() };
        let (unit, suite, arch) = ("nothing".to_owned(), Suite::Alu.name().to_owned(), "gfx900".to_owned());
        Task { unit, suite, arch, lanes: 64, work, only: None, input: None, record: false, against }
    }
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
    /// A device as the card that it is, by its name.
    Native {
        /// The device.
        device: Option<String>,
    },
    /// What was recorded of the unit, by a device or by a card.
    Golden {
        /// What cases change; nothing where the unit was not recorded.
        changes: Option<Changes>,
        /// Whether by a card.
        of_card: bool,
    },
    /// Itself.
    Itself,
}

impl Against {
    /// Whether it is a device, which may hang.
    pub fn is_device(&self) -> bool {
        matches!(self, Against::Vulkan { .. } | Against::Native { .. })
    }
}

/// An answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// What came of the unit; its name, time and engine are filled in by who asked.
    pub line: Line,
    /// What cases changed on the other engine, where that was asked for.
    pub changes: Changes,
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
    engine: Option<(Against, Opened)>,
}

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
        let unit = unit(task)?;
        hang(&unit, task.only.as_deref());
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
            Against::Native { device } => {
                if self.engine.as_ref().is_none_or(|(against, _)| *against != task.against) {
                    self.engine = None;
                    let name = engines::Name::Native(device.clone());
                    let opened = Opened::open(&name, &Device::default(), &limits(), false)?;
                    self.engine = Some((task.against.clone(), opened));
                }
                self.engine.as_ref().map(|(_, opened)| opened)
            }
            _ => None,
        };
        let other = match (&task.against, opened) {
            (_, Some(Opened::Vulkan(vulkan))) => Other::Device(vulkan),
            (_, Some(Opened::Native(native))) => Other::Native(&**native),
            (Against::Golden { changes, of_card }, _) => {
                Other::Recording { changes: changes.as_ref(), of_card: *of_card }
            }
            _ => Other::Itself,
        };
        let part = Part { only: task.only.as_deref(), input: task.input, record: task.record };
        match judge(&unit, other, part) {
            Ok(judged) => {
                let events = match &task.against {
                    // What can not be told is no reason to have no verdict.
                    Against::Golden { of_card, .. } => {
                        emulated::events(&unit, *of_card, &judged.verdicts).unwrap_or_default()
                    }
                    _ => BTreeMap::new(),
                };
                Ok(reply(&unit, judged, &events))
            }
            Err(e) => {
                // What has gone down is opened again for the next one.
                self.engine = None;
                Ok(Reply { down: Some(down(&e)), ..Reply::default() })
            }
        }
    }
}

fn unit(task: &Task) -> Result<Unit> {
    let suite = Suite::find(&task.suite).context("no such suite")?;
    let on = Processor::find(&task.arch, task.lanes).context("no such processor")?;
    task.work.unit(&task.unit, suite, on)
}

/// Workers run one thing at a time, on one thread.
fn limits() -> Limits {
    Limits { threads: Some(1), ..Limits::default() }
}

fn down(error: &EngineError) -> Down {
    Down { status: error.status().name().to_owned(), reason: error.to_string() }
}

/// What came of a unit, with what the emulator did in some of its cases, by their names.
fn reply(unit: &Unit, judged: Judged, events: &BTreeMap<String, Event>) -> Reply {
    let mut line = Line { unit: unit.name.clone(), ..Line::default() };
    for (row, count) in &judged.passed {
        line.add(row, Status::Pass, *count);
    }
    for verdict in judged.verdicts {
        line.add(&verdict.row, verdict.status, verdict.count);
        let inputs = match events.get(&verdict.case) {
            Some(event) => both(event),
            None => inputs(&verdict.reads, &verdict.differences),
        };
        line.results.push(CaseResult {
            case: verdict.case,
            row: verdict.row,
            text: verdict.text,
            status: verdict.status.name().to_owned(),
            reason: verdict.reason,
            count: verdict.count,
            inputs,
            differences: verdict.differences.iter().take(SHOWN).map(shown).collect(),
            ..CaseResult::default()
        });
    }
    Reply { line, changes: judged.changes, down: None }
}

fn shown(difference: &Difference) -> Shown {
    let lane = difference.lane.map_or(String::new(), |lane| format!(" lane {lane}"));
    let place = format!("{}{lane}", difference.place);
    let value = |bits: u64| match difference.ty {
        Some(ty) => format!("{} ({ty} {})", ty.hex(bits), ty.show(bits)),
        None => format!("{bits:#x}"),
    };
    let [expected, got] = difference.text.clone().unwrap_or_else(|| difference.values.map(value));
    let ulps = difference.ty.and_then(|ty| ty.ulps(difference.values[0], difference.values[1]));
    Shown { place, expected, got, apart: ulps.map_or(String::new(), |ulps| format!("{ulps} ulp")) }
}

/// Lanes of which is told what an instruction read.
const LANES: usize = 4;

/// The first of some lanes, as bits.
fn first(lanes: impl Iterator<Item = u32>) -> u64 {
    lanes.take(LANES).fold(0, |mask, lane| mask | 1u64 << (lane & 63))
}

/// What an instruction read in the first lanes that differ, a line for each place.
fn inputs(reads: &[Item], differences: &[Difference]) -> Vec<String> {
    let mut lanes: Vec<u32> = differences.iter().filter_map(|difference| difference.lane).collect();
    lanes.sort_unstable();
    lanes.dedup();
    lines('<', reads, first(lanes.into_iter()))
}

/// What an instruction read and what it wrote, in the first lanes that were on.
fn both(event: &Event) -> Vec<String> {
    let lanes = first((0..64u32).filter(|lane| event.exec >> lane & 1 == 1));
    [lines('<', &event.reads, lanes), lines('>', &event.writes, lanes)].concat()
}

/// Places with their values as lines, in some lanes; in all where there are none.
fn lines(mark: char, items: &[Item], lanes: u64) -> Vec<String> {
    let mut text = String::new();
    for item in items {
        trace::text::line(&mut text, mark, item, if lanes == 0 { u64::MAX } else { lanes });
    }
    text.lines().take(MOST).map(|line| line.trim().to_owned()).collect()
}

/// Has a worker hang for tests, in debug builds: on a case that the environment names. Where it also names a file, every worker does from then on,
/// whatever it is asked, as with a card that is lost.
#[cfg(debug_assertions)]
fn hang(unit: &Unit, only: Option<&[u32]>) {
    let lost = std::env::var_os("WAVEDIFF_WORKER_HANGS_FOR_ALL").map(PathBuf::from);
    let is_here = |name: String| {
        (0..).zip(unit.cases()).any(|(n, (case, _))| case == name && only.is_none_or(|only| only.contains(&n)))
    };
    let hangs = std::env::var("WAVEDIFF_WORKER_HANGS").is_ok_and(is_here);
    if hangs && let Some(file) = &lost {
        let _ = std::fs::write(file, "");
    }
    if hangs || lost.is_some_and(|file| file.exists()) {
        loop {
            std::thread::park();
        }
    }
}

#[cfg(not(debug_assertions))]
fn hang(_: &Unit, _: Option<&[u32]>) {}
