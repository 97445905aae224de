//! The suites of single instructions on a Vulkan device, in every lane model, against the emulator: what `wavediff conform` runs, without its workers.
//!
//! Drivers take their time to compile so many floats in integers: one unit in `SUITES_EVERY` is run (96), and 1 runs all. `SUITES_ARCH=gfx600,gfx1100`
//! chooses processors, and the filter of the command line models, processors and suites: `subgroup::gfx1100::alu`.
//!
//! A plain run takes each suite of half of the processors in one lane model, in turn, CI of all processors; `--include-ignored` in all three.
//!
//! Without a device the tests are listed as ignored; `WAVEDIFF_REQUIRE_VULKAN` makes that a failure.

#[path = "support/quickly.rs"]
mod quickly;
#[path = "spirv/setup.rs"]
mod setup;
#[path = "support/thorough.rs"]
mod thorough;

use libtest_mimic::{Arguments, Failed, Trial};
use quickly::compile_quickly;
use std::sync::Arc;
use thorough::tries;
use wavediff::isa::Arch;
use wavediff::spirv::engine::Vulkan;
use wavediff::spirv::lanes::Model;
use wavediff::suite::judge::{Other, Part, judge};
use wavediff::suite::{Plan, Suite, Unit};
use wavediff::vulkan::Gpu;

/// One of each generation.
const ARCHS: &str = "gfx600,gfx700,gfx803,gfx900,gfx90a,gfx1030,gfx1100,gfx1200";

fn main() {
    compile_quickly();
    let args = Arguments::from_args();
    let gpu = setup::gpu().map(Arc::new);
    let every = std::env::var("SUITES_EVERY").ok().and_then(|n| n.parse().ok()).unwrap_or(96);
    let archs = std::env::var("SUITES_ARCH").unwrap_or_else(|_| ARCHS.to_owned());
    let gpu_is_missing = gpu.is_none();
    let step = tries(2, 1);
    let mut trials = Vec::new();
    for model in Model::ALL {
        for (row, arch) in archs.split(',').map(|name| Arch::find(name).expect("a processor")).enumerate() {
            for (column, suite) in Suite::ALL.into_iter().filter(|suite| suite.is_of_singles()).enumerate() {
                let gpu = gpu.clone();
                let title = format!("{}::{}::{suite}", model.name(), arch.name);
                let run = move || gpu.as_ref().map_or(Ok(()), |gpu| compare(gpu, model, arch, suite, every));
                let (turn, round) = ((row + column) % Model::ALL.len(), row / Model::ALL.len() + column);
                let plain = turn == model as usize && round.is_multiple_of(step);
                trials.push(Trial::test(title, run).with_ignored_flag(gpu_is_missing || !plain));
            }
        }
    }
    libtest_mimic::run(&args, trials).exit();
}

/// Units of a suite, in waves of each size that the processor has. Which ones depends on the model, so that between them the models see more.
fn compare(gpu: &Gpu, model: Model, arch: &'static Arch, suite: Suite, every: u32) -> Result<(), Failed> {
    let engine = Vulkan::new(gpu.open().map_err(|e| e.to_string())?, model);
    let plan = Plan {
        suites: vec![suite],
        archs: vec![arch],
        machines: Vec::new(),
        mixed: 1,
        inputs: 16,
        seed: 1,
        programs: 0,
        files: Vec::new(),
    };
    let entries = plan.entries();
    let units = plan.units(&entries);
    let first = model as usize * every as usize / Model::ALL.len();
    for lanes in [32, 64] {
        let mine: Vec<&Unit> = units.iter().filter(|unit| unit.on.lanes() == lanes).collect();
        for unit in mine.iter().skip(first.min(mine.len().saturating_sub(1))).step_by(every as usize) {
            let judged = judge(unit, Other::Device(&engine), Part::default())?;
            if let Some(bad) = judged.verdicts.iter().find(|verdict| verdict.status.is_bad()) {
                return Err(format!("{} `{}`: {:?}", bad.case, bad.text, bad.differences.first()).into());
            }
        }
    }
    Ok(())
}
