//! The programs on a virtual GPU against lavapipe: every program, on every chip, on the graphics queue and on a compute queue. Chips for which the driver
//! compiles [as for another one](SISTERS) have one of the queues in a plain run, and no random shaders; `--include-ignored` takes all.
//!
//! Both run the same binary, which knows nothing of either, and the same SPIR-V: what lavapipe leaves in the buffers is what RADV
//! on the virtual card must leave, to the bit, unless the program says how far results may be apart. Where it is determined to the
//! bit, what lavapipe left is [recorded]; of the recording a sample is made again, and all of it with `--include-ignored`. Programs
//! that a device cannot run are named below with the feature that is missing; one more or less fails.
//!
//! ```text
//! RADV_ICD=$(.ci/mesa-backport FOLDER radeon) LVP_ICD=$(.ci/mesa-backport FOLDER) cargo test --release -p wavediff-vgpu-programs
//! VGPU_PROGRAMS="add copy_big" ... -- navi31::compute     a part of it
//! VGPU_RANDOM=1000..1200 ... -- random                     shaders that nobody thought of, other ones than the usual few
//! WAVEDIFF_UPDATE_LAVAPIPE=1 ... -- --ignored recorded      what lavapipe leaves, recorded again
//! ```
//!
//! With `VGPU_EACH=1` there is a trial for each program on [the chips that have images](IMAGES), besides: for those who plant mistakes.
//!
//! Without RADV the tests are left out by name, and with `WAVEDIFF_REQUIRE_RADV=1` they fail.

#[path = "../../../../tests/support/asked.rs"]
mod asked;
#[path = "../../../../tests/support/chosen.rs"]
mod chosen;
#[path = "equal/compare.rs"]
mod compare;
#[path = "equal/recorded.rs"]
mod recorded;
#[path = "equal/reference.rs"]
mod reference;
#[path = "equal/runs.rs"]
mod runs;
#[path = "../../../../tests/support/thorough.rs"]
mod thorough;

use compare::{compare, read};
use libtest_mimic::{Arguments, Failed, Trial};
use recorded::{Recorded, UPDATE};
use reference::Reference;
use runs::{PROGRAMS, Setting};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use thorough::tries;

/// The chips, and the programs that each cannot run.
const CHIPS: [(&str, &[&Missing]); 15] = [
    ("tahiti", &[&HALF, &SCALAR, &ATOMIC_FLOAT, &RESIDENCY, &BORDERS]),
    ("pitcairn", &[&HALF, &SCALAR, &ATOMIC_FLOAT, &RESIDENCY, &BORDERS]),
    ("bonaire", &[&HALF, &ATOMIC_FLOAT, &RESIDENCY, &BORDERS]),
    ("polaris10", &[&HALF, &ATOMIC_FLOAT, &BORDERS]),
    ("vega10", &[&ATOMIC_FLOAT, &BORDERS]),
    ("raven", &[&ATOMIC_FLOAT, &CALIBRATED, &BORDERS]),
    ("navi10", &[&ATOMIC_FLOAT]),
    ("navi14", &[&ATOMIC_FLOAT]),
    ("navi21", &[&ATOMIC_FLOAT]),
    ("vangogh", &[&ATOMIC_FLOAT]),
    ("navi31", &[]),
    ("navi33", &[]),
    ("gfx1150", &[]),
    ("gfx1200", &[]),
    ("gfx1201", &[]),
];

/// Chips for which RADV compiles what it compiles for another chip of the list.
const SISTERS: [&str; 6] = ["pitcairn", "raven", "navi14", "vangogh", "navi33", "gfx1200"];

/// Where the programs with images run too, whose names say that they have some: one chip of each layout of memory, on one of its queues.
const IMAGES: [(&str, &str); 8] = [
    ("tahiti", "graphics"),
    ("bonaire", "compute"),
    ("polaris10", "graphics"),
    ("vega10", "compute"),
    ("navi10", "graphics"),
    ("navi21", "compute"),
    ("navi31", "graphics"),
    ("gfx1201", "compute"),
];

/// Programs that a feature is missing for.
type Missing = (&'static str, &'static [&'static str]);

const HALF: Missing = (
    "shader_float16",
    &["half_polynomial", "halves", "halves_packed", "image_quads_halves", "texel_halves", "types16"],
);
const SCALAR: Missing = ("scalar_block_layout", &["layout_scalar"]);
const RESIDENCY: Missing = ("sparse_residency_buffer", &["memory_sparse_holes", "memory_sparse_holes_written"]);
/// RADV does not trust the clocks of this chip.
const CALIBRATED: Missing = ("VK_EXT_calibrated_timestamps", &["query_calibrated"]);
const ATOMIC_FLOAT: Missing = ("shader_buffer_float32_atomic_add", &["atomic_float"]);

const BORDERS: Missing = ("VK_EXT_border_color_swizzle", &["image_nearest_borders"]);

/// Programs that lavapipe cannot run: they check their results themselves.
const LAVAPIPE: [&Missing; 4] = [
    &("residency_non_resident_strict", &["memory_sparse_holes", "memory_sparse_holes_written"]),
    &("shader_image_int64_atomics", &["image_atomics_int64", "image_atomics_uint64"]),
    &("storage_image_samples_2", &["image_samples_2"]),
    &("storage_image_samples_8", &["image_samples_8"]),
];

fn main() {
    let args = Arguments::from_args();
    let setting = Setting::find();
    let mut trials = Vec::new();
    match &setting {
        Err(reason) if std::env::var("WAVEDIFF_REQUIRE_RADV").is_ok_and(|wanted| wanted == "1") => {
            let reason = reason.clone();
            trials.push(Trial::test("driver", move || Err(Failed::from(reason))));
        }
        Err(reason) => eprintln!("left out: {reason}"),
        Ok(_) => {}
    }
    let left_out = setting.is_err();
    let setting = setting.ok().map(Arc::new);
    let reference = Arc::new(Reference::of(setting.iter().flat_map(|setting| setting.programs().to_vec())));
    // One of these takes longer than any other trial, and nobody waits for it where it comes first.
    trials.extend(recorded(setting.as_ref()));
    trials.extend(random(setting.as_ref()));
    if let Some(setting) = setting.as_ref().filter(|_| std::env::var_os(EACH).is_some()) {
        trials.extend(each(setting));
    }
    for (chip, missing) in CHIPS {
        for queue in ["graphics", "compute"] {
            let (setting, reference) = (setting.clone(), Arc::clone(&reference));
            let run = move || match &setting {
                Some(setting) => on_chip(setting, &reference, (chip, queue), missing),
                None => Ok(()),
            };
            let ignored = left_out || queue == "graphics" && SISTERS.contains(&chip);
            trials.push(Trial::test(format!("{chip}::{queue}"), run).with_ignored_flag(ignored));
        }
    }
    trials.push(Trial::test("differences_are_noticed", compare::differences_are_noticed));
    chosen::run(&args, trials)
}

/// What asks for a trial for each program.
const EACH: &str = "VGPU_EACH";

/// A trial for each program on the chips of [`IMAGES`], but for those shaders whose machine code `tests/radv.rs` runs without a virtual GPU.
fn each(setting: &Arc<Setting>) -> Vec<Trial> {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shaders/vulkan");
    let (names, recorded) = (setting.programs(), Arc::new(Recorded::read()));
    let own = names.iter().filter(|name| !shared.join(format!("{name}.comp")).is_file());
    let places = own.flat_map(|name| IMAGES.map(|(chip, queue)| (name.clone(), chip, queue)));
    let trial = |(name, chip, queue): (String, &'static str, &'static str)| {
        let setting = Arc::clone(setting);
        let recorded = Arc::clone(&recorded);
        Trial::test(format!("each::{chip}::{name}"), move || {
            let got = read(&setting.virtual_gpu(chip, queue, [&name].into_iter())?)?;
            match recorded.has(&name) {
                true if got.get(&name).is_some_and(|line| recorded.allows(&name, line)) => Ok(()),
                true => Err("it is not what is recorded of lavapipe".into()),
                false => compare(&got, &read(&setting.lavapipe_once(&name)?)?),
            }
        })
    };
    places.map(trial).collect()
}

/// Random shaders where nobody asks for others.
const RANDOM: Range<u64> = 0..24;

/// Those that are recorded.
const RECORDED: Range<u64> = 0..64;

/// Prefixes of random shaders: all, and those without sums of 16 bits.
const MADE_UP: [&str; 2] = ["random_", "random_words_"];

/// Names of random shaders.
fn made_up(prefix: &str, numbers: Range<u64>) -> impl Iterator<Item = String> {
    numbers.map(move |n| format!("{prefix}{n}"))
}

/// Trials of the recording: which programs lavapipe skips; that it leaves what is recorded, of a sample and of all.
fn recorded(setting: Option<&Arc<Setting>>) -> Vec<Trial> {
    let trial = |name: &str, step: usize| {
        let setting = setting.cloned();
        let ignored = setting.is_none() || step == 1;
        let run = move || {
            let Some(setting) = &setting else { return Ok(()) };
            let random = MADE_UP.into_iter().flat_map(|prefix| made_up(prefix, RECORDED));
            let names: Vec<String> = setting.programs().iter().cloned().chain(random).step_by(step).collect();
            let lavapipe = Reference::of(names.iter().cloned()).lines(setting, &names.iter().collect::<Vec<_>>())?;
            if step == 1 {
                compare::skipped(&lavapipe, &LAVAPIPE)?;
                if std::env::var_os(UPDATE).is_some() {
                    // Of a part, the others would be forgotten.
                    assert!(std::env::var_os(PROGRAMS).is_none(), "{UPDATE} is for all programs: without {PROGRAMS}");
                    return Ok(Recorded::write(&lavapipe)?);
                }
            }
            Ok(Recorded::read().is(&lavapipe)?)
        };
        Trial::test(name, run).with_ignored_flag(ignored)
    };
    let skipped = || {
        let (recorded, known) = (Recorded::read(), compare::lacking(&LAVAPIPE));
        let found = recorded.skipped();
        if found == known { Ok(()) } else { Err(format!("{found:?} are skipped, and {known:?} are to be").into()) }
    };
    vec![Trial::test("recorded::skipped", skipped), trial("recorded::sample", tries(32, 16)), trial("recorded::all", 1)]
}

/// Chips for which RADV gives up on some sums of 16 bits: they have random shaders without any.
const WIDE: [&str; 3] = ["tahiti", "pitcairn", "bonaire"];

/// A trial for each chip with random shaders.
fn random(setting: Option<&Arc<Setting>>) -> Vec<Trial> {
    let numbers = asked::numbers("VGPU_RANDOM", RANDOM);
    let named = |prefix| Arc::new(Reference::of(made_up(prefix, numbers.clone())));
    let [all, wide] = MADE_UP.map(named);
    let trial = |(chip, missing): (&'static str, &'static [&'static Missing])| {
        let reference = Arc::clone(if WIDE.contains(&chip) { &wide } else { &all });
        let setting = setting.cloned();
        let ignored = setting.is_none() || SISTERS.contains(&chip);
        let run = move || {
            let Some(setting) = &setting else { return Ok(()) };
            let got = read(&setting.virtual_gpu(chip, "compute", reference.names())?)?;
            compare::lacks_only(&got, missing)?;
            reference.compare(setting, &got, reference.names())
        };
        Trial::test(format!("random::{chip}"), run).with_ignored_flag(ignored)
    };
    CHIPS.into_iter().map(trial).collect()
}

/// One queue of one chip.
fn on_chip(
    setting: &Setting,
    reference: &Reference,
    (chip, queue): (&str, &str),
    missing: &[&Missing],
) -> Result<(), Failed> {
    let images = IMAGES.contains(&(chip, queue));
    let runs = |name: &String| images || !name.starts_with("image_");
    let names = || setting.programs().iter().filter(|name| runs(name));
    let got = read(&setting.virtual_gpu(chip, queue, names())?)?;
    compare::skipped(&got, missing)?;
    reference.compare(setting, &got, names())
}
