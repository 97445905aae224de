//! The comparison of translations with the emulator has teeth: wrong meanings are planted, one at a time, and each must be noticed.
//!
//! A trial is a [fault](Fault). It runs the [selection](selections) that the fault concerns, cases of `tests/cases/pass` or instructions of the suites: without
//! the fault nothing may differ, with it something must.
//!
//! A plain run takes one fault in sixteen, CI every third, and `--include-ignored` all. Without a device the tests are listed as ignored;
//! `WAVEDIFF_REQUIRE_VULKAN` makes that a failure.

#[path = "spirv/cases.rs"]
mod cases;
#[path = "spirv/engines.rs"]
mod engines;
#[path = "support/quickly.rs"]
mod quickly;
#[path = "spirv/selections.rs"]
mod selections;
#[path = "spirv/setup.rs"]
mod setup;
#[path = "support/thorough.rs"]
mod thorough;

use engines::Engines;
use libtest_mimic::{Arguments, Failed};
use quickly::compile_quickly;
use selections::{Selection, What, selection};
use std::sync::{Mutex, PoisonError};
use thorough::tries;
use wavediff::disasm;
use wavediff::isa::form::Table;
use wavediff::isa::{Arch, Target};
use wavediff::spirv::engine::Vulkan;
use wavediff::spirv::fault::Fault;
use wavediff::spirv::lanes::Model;
use wavediff::suite::draw::{Single, singles};
use wavediff::suite::judge::{Other, Part, judge};
use wavediff::suite::single::Batch;
use wavediff::suite::{Content, Processor, Suite, Unit};

/// The selections that differ in nothing without a fault.
static SOUND: Mutex<Vec<Selection>> = Mutex::new(Vec::new());

fn main() {
    compile_quickly();
    let args = Arguments::from_args();
    let gpu = setup::gpu();
    let engines = Model::ALL.map(|model| Engines::new(gpu.as_ref(), model, |_| {}));
    let step = tries(16, 3);
    let trial = |(n, &fault): (usize, &Fault)| {
        let selection = selection(fault);
        let title = format!("{}::{}", fault.group(), fault.name());
        let plain = n.is_multiple_of(step);
        engines[selection.model as usize].trial(title, plain, move |engine| plant(engine, fault, &selection))
    };
    engines::run(args, Fault::ALL.iter().enumerate().map(trial).collect());
}

/// Plants a fault: the selection differs in something with it, and in nothing without.
fn plant(engine: &mut Vulkan, fault: Fault, selection: &Selection) -> Result<(), Failed> {
    engine.fault = None;
    let sound = || SOUND.lock().unwrap_or_else(PoisonError::into_inner);
    if !sound().contains(selection) {
        if let Some(why) = differs(engine, selection)? {
            return Err(format!("differs without a fault: {why}").into());
        }
        sound().push(selection.clone());
    }
    engine.fault = Some(fault);
    let seen = differs(engine, selection);
    engine.fault = None;
    match seen? {
        Some(_) => Ok(()),
        None => Err("nothing differs".into()),
    }
}

/// What differs in a selection.
fn differs(engine: &Vulkan, selection: &Selection) -> Result<Option<String>, Failed> {
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
        What::Rows { mixed, most, .. } => {
            let target = Target::new(arch).wave(selection.lanes).ok_or("a size of waves")?;
            rows(engine, target, selection, mixed, most)
        }
        What::Memory(_, count) => rows(engine, Target::new(arch), selection, count, count),
    }
}

/// What differs in the instructions of a selection, with inputs as the suites have them.
fn rows(
    engine: &Vulkan,
    target: Target,
    selection: &Selection,
    mixed: usize,
    most: usize,
) -> Result<Option<String>, Failed> {
    /// Inputs of an instruction.
    const INPUTS: u32 = 24;
    let (arch, lanes) = (target.arch.name, selection.lanes);
    let mut some = false;
    for suite in Suite::ALL.into_iter().filter(|suite| suite.is_of_singles()) {
        let mut singles = singles(target, suite, mixed);
        singles.retain(|single| wanted(target, single, &selection.what));
        singles.truncate(most);
        if singles.is_empty() {
            continue;
        }
        some = true;
        let batch = Batch { suite, target, lanes, seed: 5, inputs: INPUTS, singles };
        let on = Processor::Waves(target, lanes);
        let unit = Unit { name: format!("{suite}/{arch}"), suite, on, content: Content::Singles(batch) };
        match judge(&unit, Other::Device(engine), Part::default()) {
            Ok(judged) => {
                if let Some(bad) = judged.verdicts.iter().find(|verdict| verdict.status.is_bad()) {
                    return Ok(Some(format!("{} `{}`: {:?}", unit.name, bad.text, bad.differences.first())));
                }
            }
            Err(error) => return Ok(Some(error.to_string())),
        }
    }
    if some { Ok(None) } else { Err("no instruction".into()) }
}

/// Whether a selection names the row of an instruction, and its form where it says one.
fn wanted(target: Target, single: &Single, what: &What) -> bool {
    let decoded = disasm::decode(Table::of(target), &single.words);
    decoded.is_ok_and(|decoded| match what {
        What::Rows { names, variant, format, .. } => {
            names.contains(&single.row)
                && variant.is_none_or(|v| decoded.form.variant == v)
                && format.is_none_or(|f| decoded.form.format.name == f)
        }
        What::Memory(names, _) => names.contains(&decoded.form.row.name_in(target.generation())),
        What::Cases(_) => false,
    })
}
