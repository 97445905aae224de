//! The cases of `tests/cases` on a Vulkan device, in every lane model, against the emulator.
//!
//! Blocks are cut for CPU devices, and left whole for others. A part of the cases runs the other way round too, so that a CPU device also runs what
//! cards get; and once more with every instruction in a pipeline of its own, as if each program were too large for one.
//!
//! A plain run takes every second case in one lane model, in turn, on one processor, another one for each, and every processor in some model; CI takes
//! every case, every processor in each model, and more of the other ways. `--include-ignored` takes all cases on all their processors, each in one
//! model, in turn; those of images on one processor of each generation, because drivers take seconds to compile them. `STEP` in the environment takes
//! one in so many of these.
//!
//! Without a device the tests are listed as ignored; `WAVEDIFF_REQUIRE_VULKAN` makes that a failure.

#[path = "spirv/cases.rs"]
mod cases;
#[path = "spirv/engines.rs"]
mod engines;
#[path = "support/quickly.rs"]
mod quickly;
#[path = "spirv/setup.rs"]
mod setup;
#[path = "support/step.rs"]
mod step;
#[path = "support/thorough.rs"]
mod thorough;

use engines::Engines;
use libtest_mimic::Arguments;
use quickly::compile_quickly;
use std::collections::HashSet;
use std::sync::Arc;
use step::step;
use thorough::tries;
use wavediff::case::wave_size;
use wavediff::isa::Target;
use wavediff::spirv::engine::Vulkan;
use wavediff::spirv::lanes::Model;
use wavediff::spirv::lower::Cut;
use wavediff::spirv::module::Size;

/// Blocks that are cut where a device gets whole ones, in one pipeline.
fn cut_blocks(engine: &mut Vulkan) {
    engine.cut = Cut::Always;
    engine.large = Size::MAX;
}

/// A way to run the cases.
struct Way {
    name: &'static str,
    model: Model,
    change: fn(&mut Vulkan),
    /// On every processor that a case is for, or on one.
    all: bool,
}

/// What a plain run takes.
#[derive(Default)]
struct Sample {
    /// One case in so many.
    cases: usize,
    /// One case in so many goes the other ways.
    others: usize,
    /// Whether it takes each processor in each model, or in one.
    every_model: bool,
    /// The processors that are met, with the size of waves, in which model.
    met: HashSet<(&'static str, u32, Option<Model>)>,
}

impl Sample {
    /// Whether it takes the `case`th case on the `at`th of its targets.
    fn takes(&mut self, way: &Way, case: usize, at: usize, targets: &[Target]) -> bool {
        if !way.all {
            return case.is_multiple_of(self.others);
        }
        let (target, model, models) = (targets[at], way.model as usize, Model::ALL.len());
        let turn = case.is_multiple_of(self.cases) && case % models == model && case / models % targets.len() == at;
        self.met.insert((target.arch.name, wave_size(target), self.every_model.then_some(way.model))) || turn
    }
}

fn main() {
    compile_quickly();
    let args = Arguments::from_args();
    let gpu = setup::gpu();
    let usual = Model::ALL.map(|model| Way { name: "", model, change: |_| {}, all: true });
    let others: [Way; 2] = [
        Way { name: "-cut-blocks", model: Model::Workgroup, change: cut_blocks, all: false },
        Way { name: "-in-pieces", model: Model::Subgroup, change: |engine| engine.large = Size::default(), all: false },
    ];
    let ways = usual.into_iter().chain(others).map(|way| (Engines::new(gpu.as_ref(), way.model, way.change), way));
    let ways: Vec<_> = ways.collect();
    let mut sample = tries(
        Sample { cases: 2, others: 16, every_model: false, ..Sample::default() },
        Sample { cases: 1, others: 8, every_model: true, ..Sample::default() },
    );
    let step = step();
    let mut trials = Vec::new();
    for (number, path) in cases::all().into_iter().enumerate() {
        let stem = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
        let images = cases::is_of_images(&path);
        let case = Arc::new(cases::read(&path));
        let targets = case.targets();
        for (at, target) in targets.iter().copied().enumerate().rev() {
            let first = targets[..at].iter().all(|other| other.generation() != target.generation());
            for (engines, way) in ways.iter().filter(|(_, way)| way.all || at + 1 == targets.len()) {
                let plain = sample.takes(way, number, at, &targets);
                let (round, model) = ((number + at) / Model::ALL.len(), (number + at) % Model::ALL.len());
                let turn = if way.all {
                    model == way.model as usize && round.is_multiple_of(step) && (first || !images)
                } else {
                    (number / sample.others).is_multiple_of(step)
                };
                if !plain && !turn {
                    continue;
                }
                let case = Arc::clone(&case);
                let (model, name) = (way.model.name(), way.name);
                let title = format!("{model}{name}::{stem}::{}-wave{}", target.arch.name, wave_size(target));
                trials.push(engines.trial(title, plain, move |engine| cases::run(engine, &case, target)));
            }
        }
    }
    engines::run(args, trials);
}
