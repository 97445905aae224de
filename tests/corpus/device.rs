//! The engine's side: the runs of a unit from a code object, on the emulator or on a Vulkan device.

use crate::unit::{Arg, Unit};
use std::cell::RefCell;
use std::sync::{Mutex, OnceLock};
use std::time::Instant;
use wavediff::case::Case;
use wavediff::emu::engine::Emulator;
use wavediff::engine::order::{Order, Turns};
use wavediff::engine::stage::kernel::run_kernel;
use wavediff::engine::{Engine, EngineError, Outcome};
use wavediff::engine::{Job, Options, Ran, Runner};
use wavediff::isa::Target;
use wavediff::launch::{Buffer, Dispatch, Loaded, Value};
use wavediff::spirv::engine::{Costs, Vulkan};
use wavediff::spirv::lanes::Model;
use wavediff::vulkan;

/// Instructions of one wave: no kernel of the corpus takes as many.
const BUDGET: u64 = 20_000_000;

/// The device that `CORPUS_ENGINE=vulkan[:MODEL]` asks for, in the lane model that it names; nothing: the emulator runs the kernels.
fn device() -> Option<&'static Mutex<Vulkan>> {
    static DEVICE: OnceLock<Option<Mutex<Vulkan>>> = OnceLock::new();
    let open = || {
        let wanted = std::env::var("CORPUS_ENGINE").ok().filter(|name| name != "emu")?;
        let (name, model) = wanted.split_once(':').unwrap_or((&wanted, "workgroup"));
        assert_eq!(name, "vulkan", "CORPUS_ENGINE is emu or vulkan[:MODEL]");
        let model = Model::ALL.into_iter().find(|m| m.name() == model).expect("a lane model");
        let loaded = vulkan::Vulkan::load(&vulkan::Options::default()).unwrap_or_else(|e| panic!("{e}"));
        let choice = std::env::var("WAVEDIFF_DEVICE").unwrap_or_default();
        let opened = loaded.choose(&vulkan::Choice::parse(&choice)).and_then(vulkan::Gpu::open);
        let mut engine = Vulkan::new(opened.unwrap_or_else(|e| panic!("{e}")), model);
        if let Ok(large) = std::env::var("CORPUS_LARGE") {
            engine.large.branches = large.parse().expect("a number");
        }
        Some(Mutex::new(engine))
    };
    DEVICE.get_or_init(open).as_ref()
}

/// Runs a case.
pub fn run_case(case: &Case, target: Target) -> Result<Outcome, EngineError> {
    match device() {
        Some(device) => Engine::run(&*device.lock().unwrap_or_else(std::sync::PoisonError::into_inner), case, target),
        None => Engine::run(&Emulator::default(), case, target),
    }
}

/// Runs a unit; gives its buffers. What a device leaves is the emulator's to the bit.
pub fn run(unit: &Unit, loaded: &Loaded) -> Result<Vec<Vec<u8>>, String> {
    let options = Options { budget: Some(BUDGET), ..Options::default() };
    match device() {
        Some(device) => {
            let vulkan = device.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let timed = Timed { engine: &vulkan, costs: RefCell::default() };
            let found = run_on(&timed, &options, unit, loaded)?;
            let start = Instant::now();
            let expected = run_on(&Emulator { options }, &options, unit, loaded)?;
            let costs = timed.costs.into_inner();
            println!(
                "{}: compiled {:.1} s, ran {:.3} s in {} dispatches, {} words; the emulator ran {:.3} s",
                unit.name,
                costs.compile.as_secs_f64(),
                costs.host.as_secs_f64(),
                costs.dispatches,
                costs.words,
                start.elapsed().as_secs_f64()
            );
            for ((buffer, expected), found) in unit.buffers.iter().zip(&expected).zip(&found) {
                if let Some(at) = expected.iter().zip(found).position(|(e, f)| e != f) {
                    return Err(format!("{}: byte {at:#x} is not the emulator's", buffer.name));
                }
            }
            Ok(found)
        }
        None => {
            // No kernel leaves to chance what comes of it.
            let down = Order { turns: Turns::DOWN, ..options.order };
            let [found, other] = [options, Options { order: down, ..options }]
                .map(|options| run_on(&Emulator { options }, &options, unit, loaded));
            let (found, other) = (found?, other?);
            match unit.buffers.iter().zip(&found).zip(&other).find(|((_, a), b)| a != b) {
                Some(((buffer, _), _)) => Err(format!("{}: the order of lanes decides", buffer.name)),
                None => Ok(found),
            }
        }
    }
}

/// A device whose costs are summed up over the runs of a unit.
struct Timed<'e> {
    engine: &'e Vulkan,
    costs: RefCell<Costs>,
}

impl Runner for Timed<'_> {
    fn run(&self, job: &Job<'_>) -> Result<Ran, EngineError> {
        let ran = Runner::run(self.engine, job);
        let (mut sum, own) = (self.costs.borrow_mut(), self.engine.costs());
        sum.compile += own.compile;
        sum.host += own.host;
        sum.dispatches += own.dispatches;
        sum.words += own.words;
        ran
    }

    fn working(&self, dispatch: &wavediff::engine::dispatch::Dispatch<'_>, guest: u64) -> u64 {
        self.engine.working(dispatch, guest)
    }
}

fn run_on(runner: &dyn Runner, options: &Options, unit: &Unit, loaded: &Loaded) -> Result<Vec<Vec<u8>>, String> {
    let mut buffers: Vec<Vec<u8>> = unit.buffers.iter().map(|b| b.bytes.clone()).collect();
    for run in &unit.runs {
        let value = |arg: &Arg| match arg {
            Arg::Buffer(n) => {
                let bytes = buffers[*n].clone();
                Value::Buffer(Buffer { bytes, writable: unit.buffers[*n].writable, save: None })
            }
            Arg::Value(value) => value.clone(),
        };
        let values: Vec<Value> = run.args.iter().map(value).collect();
        let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", run.kernel);
        let mut dispatch = Dispatch::new(loaded, &run.kernel, run.grid, run.group, &values).map_err(|e| failed(&e))?;
        let outcome = run_kernel(runner, options, loaded, &mut dispatch).map_err(|e| failed(&e))?;
        if let Some(trap) = outcome.trap {
            return Err(failed(&trap));
        }
        for (output, bytes) in outcome.buffers {
            if let Some(Arg::Buffer(n)) = run.args.get(output.argument) {
                buffers[*n] = bytes;
            }
        }
    }
    Ok(buffers)
}
