//! The comparison of translations with the emulator has teeth: wrong meanings are planted, one at a time, and each must be noticed.
//!
//! A trial is a [fault](Fault). It runs the [selection](selections) that the fault concerns, cases of `tests/cases/pass` or programs as
//! `tests/spirv_rows.rs` makes them, or examples of memory instructions as `tests/spirv_memory.rs` does: without the fault nothing may differ, with it something must.
//!
//! Without a device the tests are listed as ignored; `WAVEDIFF_REQUIRE_VULKAN` makes that a failure.

#[path = "spirv/cases.rs"]
mod cases;
#[path = "spirv_memory/compare.rs"]
mod compare;
#[path = "spirv/rows.rs"]
mod rows;
#[path = "spirv/selections.rs"]
mod selections;
#[path = "spirv/setup.rs"]
mod setup;
#[path = "spirv_memory/stage.rs"]
mod stage;

use libtest_mimic::{Arguments, Failed, Trial};
use rows::{Draw, Sample};
use selections::{Selection, What, selection};
use stage::Stage;
use std::sync::{Arc, Mutex};
use wavediff::emu::plan::Program;
use wavediff::isa::form::Table;
use wavediff::isa::{Arch, Target};
use wavediff::spirv::engine::Vulkan;
use wavediff::spirv::fault::Fault;
use wavediff::spirv::lanes::Model;

/// What the trials share.
struct Bench {
    engines: Vec<Vulkan>,
    /// The selections that differ in nothing without a fault.
    sound: Vec<Selection>,
}

fn main() {
    let mut args = Arguments::from_args();
    args.test_threads = Some(1);
    let gpu = setup::gpu();
    let bench = gpu.as_ref().map(|gpu| {
        let engines = Model::ALL.map(|model| Vulkan::new(gpu.open().expect("a device"), model));
        Arc::new(Mutex::new(Bench { engines: engines.into(), sound: Vec::new() }))
    });
    let trial = |fault: &Fault| {
        let (fault, bench) = (*fault, bench.clone());
        let run = move || match &bench {
            Some(bench) => bench.lock().unwrap_or_else(|e| e.into_inner()).plant(fault),
            None => Ok(()),
        };
        Trial::test(format!("{}::{}", fault.group(), fault.name()), run).with_ignored_flag(gpu.is_none())
    };
    libtest_mimic::run(&args, Fault::ALL.iter().map(trial).collect()).exit();
}

impl Bench {
    fn plant(&mut self, fault: Fault) -> Result<(), Failed> {
        let selection = selection(fault);
        let engine = self.engines.iter_mut().find(|e| e.model == selection.model).ok_or("an engine")?;
        if !self.sound.contains(&selection) {
            engine.fault = None;
            if let Some(why) = differs(engine, &selection)? {
                return Err(format!("differs without a fault: {why}").into());
            }
            self.sound.push(selection.clone());
        }
        engine.fault = Some(fault);
        let seen = differs(engine, &selection);
        engine.fault = None;
        match seen? {
            Some(_) => Ok(()),
            None => Err("nothing differs".into()),
        }
    }
}

/// What differs in a selection.
fn differs(engine: &Vulkan, selection: &Selection) -> Result<Option<String>, Failed> {
    const SEED: u64 = 5;
    let arch = Arch::find(selection.arch).ok_or("a processor")?;
    match selection.what {
        What::Cases(names) => {
            for name in names {
                let case = cases::read(&cases::folder().join(format!("{name}.s")));
                let targets: Vec<Target> = case.targets().into_iter().filter(|t| t.arch.name == arch.name).collect();
                if targets.is_empty() {
                    return Err(format!("{name} is not for {}", arch.name).into());
                }
                for target in targets {
                    if let Err(why) = cases::run(engine, &case, target) {
                        return Ok(Some(why.message().unwrap_or("it fails").to_owned()));
                    }
                }
            }
            Ok(None)
        }
        What::Rows { names, variant, format, mixed, most } => {
            let target = Target::new(arch).wave(selection.lanes).ok_or("a size of waves")?;
            let draw = Draw { target, lanes: selection.lanes, mixed, model: selection.model };
            let wanted = |form: &wavediff::isa::form::Form| {
                names.contains(&form.row.name)
                    && variant.is_none_or(|v| form.variant == v)
                    && format.is_none_or(|f| form.format.name == f)
            };
            let all: Vec<Sample> = rows::samples(draw, wanted).0.into_iter().take(most).collect();
            if all.is_empty() {
                return Err("no instruction".into());
            }
            let mut chunks = all.chunks(rows::TOGETHER);
            Ok(chunks.find_map(|chunk| rows::differs(engine, target, selection.lanes, chunk, SEED)))
        }
        What::Memory(names, count) => memory(engine, arch, names, count),
    }
}

/// What differs in examples of memory instructions, with registers of several kinds.
fn memory(engine: &Vulkan, arch: &'static Arch, names: &[&str], count: usize) -> Result<Option<String>, Failed> {
    /// Instructions of a batch.
    const BATCH: usize = 2;
    let target = Program::plan(Target::new(arch), &[], 0).target;
    let table = Table::of(target);
    let forms = table.forms.iter().filter(|form| compare::is_memory(form));
    let forms = forms.filter(|form| names.contains(&form.row.name_in(target.generation())));
    let all: Vec<Vec<u32>> = forms.flat_map(|form| compare::examples(table, form, 4)).collect();
    let sample = |(kind, words): (u32, &Vec<u32>)| stage::Sample { words: words.clone(), kind };
    let samples: Vec<stage::Sample> = (1..).zip(all.iter().cycle().take(count)).map(sample).collect();
    let sound: Vec<stage::Sample> =
        samples.into_iter().filter(|sample| compare::alone(target, sample) == Ok(false)).collect();
    if sound.is_empty() {
        return Err("no instruction that goes on".into());
    }
    for samples in sound.chunks(BATCH) {
        let program = compare::program(target, samples);
        let expected = compare::emulate(&Stage::new(target, samples), samples, &program);
        let got = match compare::device(engine, &Stage::new(target, samples), samples, &program) {
            Ok(got) => got,
            Err(error) => return Ok(Some(error.to_string())),
        };
        if let Some(difference) = (0..samples.len()).find_map(|n| expected.differs(&got, n)) {
            return Ok(Some(difference));
        }
    }
    Ok(None)
}
