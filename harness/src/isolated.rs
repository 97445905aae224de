//! `--isolate`: cases run by a [worker], so that an engine which crashes, hangs or takes too much memory is what came of one run, and not the end
//! of the program. That goes for the emulator as for drivers.
//!
//! The request says in JSON which engine is wanted and how, the case as text, and which of its targets; the answer is [`wire`]'s. The worker keeps the
//! engine that it has opened for the next request.

use crate::engines::{Device, Lanes, Name, Opened, Purpose};
use crate::run::Limits;
use crate::worker::of_emulator;
use anyhow::{Context, Result};
use clap::ValueEnum;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::time::Duration;
use wavediff::case::{Case, CaseError, Reach};
use wavediff::emu::engine::Emulator;
use wavediff::engine::Keep;
use wavediff::engine::isolate::Worker;
use wavediff::engine::{Engine, EngineError, Outcome, Support, wire};
use wavediff::isa::Target;
use wavediff::spirv::engine::support_of;

/// What requests begin with.
pub const CASE: &[u8] = b"case ";
/// How long a run may take that has no limit of its own.
const PATIENCE: Duration = Duration::from_secs(600);
/// What starting, opening the device and compiling may take beside the time that a run is given.
const START: Duration = Duration::from_secs(120);

/// An engine in a process of its own.
pub struct Isolated {
    name: String,
    is_emulator: bool,
    is_native: bool,
    device: Device,
    timeout: Option<u64>,
    /// What all requests say alike.
    request: Value,
    worker: RefCell<Worker>,
}

impl Isolated {
    /// An engine that is opened over there when it is first asked.
    pub fn new(name: &Name, device: &Device, limits: &Limits, purpose: Purpose) -> Result<Isolated> {
        let lanes = device.lanes.to_possible_value().map_or_else(String::new, |v| v.get_name().to_owned());
        let Limits { shuffle, reverse, reverse_waves, slice, threads, budget, timeout, memory } = limits;
        let request = json!({
            "engine": name.to_string(), "lanes": lanes, "validate": device.validate,
            "stats": purpose.stats, "observed": purpose.keep == Keep::Observed, "memory": memory,
            "shuffle": shuffle, "reverse": reverse, "reverse_waves": reverse_waves, "slice": slice,
            "threads": threads, "budget": budget, "timeout": timeout,
        });
        let is_emulator = *name == Name::Emu;
        let is_native = matches!(name, Name::Native(_));
        let mut args = vec!["worker".to_owned()];
        if let Some(space) = of_emulator(limits.memory).filter(|_| is_emulator) {
            args.extend(["--address-space".to_owned(), space.to_string()]);
        }
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let worker = RefCell::new(Worker::myself(&args).context("a process can not be started")?);
        Ok(Isolated {
            name: name.to_string(),
            is_emulator,
            is_native,
            device: *device,
            timeout: *timeout,
            request,
            worker,
        })
    }

    /// How long a run is waited for.
    fn limit(&self, case: &Case) -> Duration {
        let own = [self.timeout, case.timeout].into_iter().flatten().map(Duration::from_millis).min();
        own.map_or(PATIENCE, |own| own.saturating_add(START))
    }
}

impl Engine for Isolated {
    fn name(&self) -> &str {
        &self.name
    }

    fn supports(&self, case: &Case, target: Target) -> Support {
        if self.is_emulator || self.is_native {
            // What a card refuses it says when it is asked to run it.
            return Emulator::default().supports(case, target);
        }
        support_of(case, target, self.device.lanes.model())
    }

    fn run(&self, case: &Case, target: Target) -> Result<Outcome, EngineError> {
        // What is wrong with a case is found here, where its text is.
        case.program(target)?;
        case.initial(target)?;
        let mut request = self.request.clone();
        request["name"] = json!(case.name);
        request["anywhere"] = json!(case.reach == Reach::Anywhere);
        request["text"] = json!(case.to_string());
        request["target"] = json!(case.targets().iter().position(|t| *t == target));
        let request = [CASE, request.to_string().as_bytes()].concat();
        let answer = self.worker.borrow_mut().ask(&request, self.limit(case));
        let bytes = answer.map_err(|lost| lost.on(&self.name))?;
        let ran = wire::decode(&bytes).unwrap_or_else(|broken| Err(broken.on(&self.name)));
        if matches!(ran, Err(EngineError::Timeout(_) | EngineError::Crash { .. })) {
            // What hangs on a device that was given up goes with its process.
            self.worker.borrow_mut().end();
        }
        ran
    }
}

/// The worker's side: an engine that stays open.
#[derive(Default)]
pub struct Host {
    opened: Option<(Value, Opened)>,
}

impl Host {
    /// Runs what a request asks for. What is no request comes from another program; the other side sees that the answer is none.
    pub fn answer(&mut self, request: &[u8]) -> Vec<u8> {
        let Ok(request) = serde_json::from_slice::<Value>(request) else { return Vec::new() };
        let answer = self.run(&request).unwrap_or_else(|error| {
            let text = |error: anyhow::Error| EngineError::Crash {
                device: request["engine"].as_str().unwrap_or_default().to_owned(),
                doing: "opening it",
                reason: format!("{error:#}"),
            };
            Err(error.downcast::<EngineError>().unwrap_or_else(text))
        });
        wire::encode(&answer)
    }

    fn run(&mut self, request: &Value) -> Result<wire::Answer> {
        fall(request);
        let (case, target) = case(request)?;
        let mut wanted = request.clone();
        for of_case in ["name", "text", "target", "anywhere"] {
            wanted[of_case] = Value::Null;
        }
        let opened = match self.opened.take() {
            Some((known, opened)) if known == wanted => opened,
            _ => open(&wanted)?,
        };
        let answer = opened.engine().run(&case, target);
        self.opened = Some((wanted, opened));
        Ok(answer)
    }
}

fn case(request: &Value) -> Result<(Case, Target)> {
    let text = |key: &str| request[key].as_str().unwrap_or_default();
    let mut case = Case::parse(text("text"), text("name")).map_err(|e: CaseError| EngineError::Case(e))?;
    if request["anywhere"] == true {
        case.reach = Reach::Anywhere;
    }
    let number = request["target"].as_u64().unwrap_or(u64::MAX);
    let target = usize::try_from(number).ok().and_then(|n| case.targets().get(n).copied());
    Ok((case, target.context("the case has no such target")?))
}

fn open(wanted: &Value) -> Result<Opened> {
    let name = crate::engines::name(wanted["engine"].as_str().unwrap_or_default()).map_err(anyhow::Error::msg)?;
    let lanes = Lanes::from_str(wanted["lanes"].as_str().unwrap_or_default(), true).map_err(anyhow::Error::msg)?;
    let truth = |key: &str| wanted[key].as_bool().unwrap_or(false);
    let number = |key: &str| wanted[key].as_u64();
    let limits = Limits {
        shuffle: number("shuffle"),
        reverse: truth("reverse"),
        reverse_waves: truth("reverse_waves"),
        slice: number("slice"),
        threads: number("threads").and_then(|n| u32::try_from(n).ok()),
        budget: number("budget"),
        timeout: number("timeout"),
        memory: number("memory"),
    };
    let device = Device { lanes, validate: truth("validate") };
    match Opened::open(&name, &device, &limits, truth("stats")) {
        Ok(mut opened) => {
            opened.keep(if truth("observed") { Keep::Observed } else { Keep::Everything });
            Ok(opened)
        }
        Err(error) => Err(EngineError::Absent { device: name.to_string(), reason: format!("{error:#}") }.into()),
    }
}

/// Has the worker die for tests: in debug builds, on a case that the environment names.
#[cfg(debug_assertions)]
fn fall(request: &Value) {
    if std::env::var("WAVEDIFF_WORKER_DIES").is_ok_and(|name| request["name"] == name) {
        crate::tell!("the driver fell over");
        std::process::abort();
    }
}

#[cfg(not(debug_assertions))]
fn fall(_: &Value) {}
