//! The global data share on a Vulkan device against the emulator: every instruction of the data share that takes `gds`, with drawn operands, offsets,
//! bases and sizes, one wave after the other on the same bytes. Each lane model has a third of them, another one on the next processor. A plain run takes
//! one third on each processor, CI two of them.
//!
//! What instructions should leave is in the cases of `tests/cases/across`, which `tests/spirv.rs` runs on devices too; so it does those of the wave sync,
//! of ordered counts and of barriers whose signals are counted.
//!
//! Without a device the tests are listed as ignored; `WAVEDIFF_REQUIRE_VULKAN` makes that a failure.

#[path = "spirv/engines.rs"]
mod engines;
#[path = "support/quickly.rs"]
mod quickly;
#[path = "spirv/setup.rs"]
mod setup;
#[path = "support/thorough.rs"]
mod thorough;

use engines::Engines;
use libtest_mimic::{Arguments, Failed};
use quickly::compile_quickly;
use std::collections::BTreeSet;
use thorough::tries;
use wavediff::case::wave_size;
use wavediff::emu::engine::Emulator;
use wavediff::isa::does::{Does, Way};
use wavediff::isa::form::{Form, Mod, Table};
use wavediff::isa::{Arch, Target};
use wavediff::spirv::engine::Vulkan;
use wavediff::spirv::lanes::Model;
use wavediff::suite::Suite;
use wavediff::suite::draw::global_singles;
use wavediff::suite::single::Batch;

/// One processor of each generation that takes `gds`.
static PROCESSORS: &[&str] = &["gfx600", "gfx700", "gfx803", "gfx900", "gfx1030", "gfx1100"];

/// Inputs of each instruction.
const INPUTS: u32 = 4;
/// Instructions of a program: all of its waves are on the device as records.
const PART: usize = 24;

/// The rows that take `gds` and go to memory. Lanes with numbers for addresses have M0 for a base, which cannot be said of this share.
fn rows(target: Target) -> BTreeSet<&'static str> {
    let takes = |form: &&Form| {
        let by_lane = matches!(form.row.does, Does::Load(moved) | Does::Store(moved) if moved.way == Way::LaneNumber);
        form.mods.iter().any(|m| m.id == Mod::Gds)
            && !by_lane
            && !matches!(form.row.does, Does::Across(_) | Does::Lanes(_))
    };
    Table::of(target).forms.iter().filter(takes).map(|form| form.row.name).collect()
}

fn compare(engine: &Vulkan, target: Target, share: usize) -> Result<(), Failed> {
    let singles = global_singles(target, 0);
    let found: BTreeSet<&str> = singles.iter().map(|single| single.row).collect();
    let other: Vec<&str> = rows(target).symmetric_difference(&found).copied().collect();
    if !other.is_empty() {
        return Err(format!("nothing of {other:?}").into());
    }
    for (n, part) in (0..).zip(singles.chunks(PART)).skip(share).step_by(Model::ALL.len()) {
        let (suite, lanes) = (Suite::Lds, wave_size(target));
        let batch = Batch { suite, target, lanes, seed: n, inputs: INPUTS, singles: part.to_vec() };
        let (ready, places) = (batch.ready(), batch.places());
        let (ours, theirs) = (ready.run(&Emulator::default(), &places)?, ready.run(engine, &places)?);
        assert_eq!((ours.len(), theirs.len()), (places.len(), places.len()));
        for ((a, b), place) in ours.iter().zip(&theirs).zip(places) {
            if let Some(first) = a.differences(b).first() {
                let text = batch.text(&batch.singles[place.single as usize]);
                return Err(format!("`{text}`, input {}: {first:?}", place.input).into());
            }
        }
    }
    Ok(())
}

fn main() {
    compile_quickly();
    let args = Arguments::from_args();
    let gpu = setup::gpu();
    let mut trials = Vec::new();
    for model in Model::ALL {
        let engines = Engines::new(gpu.as_ref(), model, |_| {});
        for (n, arch) in PROCESSORS.iter().enumerate() {
            let target = Target::new(Arch::find(arch).expect(arch));
            let share = (n + model as usize) % Model::ALL.len();
            let title = format!("{}::{arch}", model.name());
            let plain = (n + model as usize) % Model::ALL.len() < tries(1, 2);
            trials.push(engines.trial(title, plain, move |engine| compare(engine, target, share)));
        }
    }
    engines::run(args, trials);
}
