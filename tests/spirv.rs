//! The cases of `tests/cases` on a Vulkan device, in every lane model, against the emulator.
//!
//! Blocks are cut for CPU devices, and left whole for others. A part of the cases runs the other way round too, so that a CPU device also runs what
//! cards get; and once more with every instruction in a pipeline of its own, as if each program were too large for one.
//!
//! Without a device the tests are listed as ignored; `WAVEDIFF_REQUIRE_VULKAN` makes that a failure.

#[path = "spirv/cases.rs"]
mod cases;
#[path = "spirv/setup.rs"]
mod setup;

use libtest_mimic::{Arguments, Trial};
use std::sync::{Arc, Mutex};
use wavediff::case::wave_size;
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

fn main() {
    let mut args = Arguments::from_args();
    args.test_threads = Some(1);
    let gpu = setup::gpu();
    let mut trials = Vec::new();
    let usual = Model::ALL.map(|model| Way { name: "", model, change: |_| {}, all: true });
    let others: [Way; 2] = [
        Way { name: "-cut-blocks", model: Model::Workgroup, change: cut_blocks, all: false },
        Way { name: "-in-pieces", model: Model::Subgroup, change: |engine| engine.large = Size::default(), all: false },
    ];
    for Way { name, model, change, all } in usual.into_iter().chain(others) {
        let engine = gpu.as_ref().map(|gpu| {
            let mut engine = Vulkan::new(gpu.open().expect("a device"), model);
            change(&mut engine);
            engine
        });
        let engine = Arc::new(Mutex::new(engine));
        for path in cases::files(&cases::folder()) {
            let stem = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
            let case = cases::read(&path);
            let targets = case.targets();
            let few = if all { targets.len() } else { 1 };
            for target in targets.into_iter().rev().take(few) {
                let (case, engine) = (case.clone(), engine.clone());
                let title = format!("{}{name}::{stem}::{}-wave{}", model.name(), target.arch.name, wave_size(target));
                let run = move || match &*engine.lock().expect("no panic") {
                    Some(engine) => cases::run(engine, &case, target),
                    None => Ok(()),
                };
                trials.push(Trial::test(title, run).with_ignored_flag(gpu.is_none()));
            }
        }
    }
    libtest_mimic::run(&args, trials).exit();
}
