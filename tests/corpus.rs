//! The corpus of `shaders/`: every kernel on every processor that can run it, in waves of 32 and of 64 lanes.
//!
//! Kernels in OpenCL C (`*.cl`) are compiled by clang 19 for the processor, with the functions of libclc, and executed by the emulator.
//! What they should leave in memory is found out by the same clang, which compiles the same source for the host (`shaders/host.c` runs
//! it there). Their headers say what they are given (`unit`). Cases in assembly (`asm/*.s`) carry what they expect.
//!
//! A plain run compiles each file for every second of its processors, CI for all.
//!
//! Besides there are some kernels that are made up ([`random`]), which clang compiles for both sides too.
//!
//! `cargo test --release --test corpus -- gfx1100` runs one processor, `-- sgemm` one kernel; `CORPUS_CHIPS=gfx90a:64` others,
//! `CORPUS_FLAGS=-O0` other code, `CORPUS_ENGINE=vulkan[:MODEL]` runs them on a Vulkan device. Without clang or libclc the kernels are listed as ignored.

#[path = "support/asked.rs"]
mod asked;
#[path = "corpus/build.rs"]
mod build;
#[path = "corpus/cases.rs"]
mod cases;
#[path = "corpus/compare.rs"]
mod compare;
#[path = "corpus/device.rs"]
mod device;
#[path = "support/random/mod.rs"]
mod generator;
#[path = "corpus/host.rs"]
mod host;
#[path = "corpus/random.rs"]
mod random;
#[path = "support/trials.rs"]
mod support;
#[path = "support/thorough.rs"]
mod thorough;
#[path = "corpus/unit.rs"]
mod unit;
#[path = "corpus/values.rs"]
mod values;

use build::{Chip, LIBCLC, Objects};
use host::Host;
use libtest_mimic::Arguments;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use thorough::tries;
use unit::Unit;

/// Where the kernels are.
fn shaders() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("shaders")
}

/// The files of a folder and of the folders in it with an extension, sorted.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn main() {
    let args = Arguments::from_args();
    let mut units: Vec<Unit> = files(&shaders(), "cl").iter().map(|path| Unit::read(&shaders(), path)).collect();
    units.extend(random::sources().into_iter().map(|(name, topic, source)| Unit::parse(name, topic, source)));
    let units: Arc<[Unit]> = units.into();
    let clang = Command::new("clang-19").arg("--version").output().is_ok_and(|done| done.status.success());
    let missing = match (clang, Path::new(LIBCLC).is_file()) {
        (false, _) => Some("clang-19 is not installed"),
        (_, false) => Some("libclc-19 is not installed"),
        _ => None,
    };
    if let Some(missing) = missing {
        assert!(std::env::var_os("WAVEDIFF_REQUIRE_LLVM").is_none(), "{missing}");
        println!("skipped: {missing}");
    }
    let host = Arc::new(Host::new(Arc::clone(&units)));
    let objects = Arc::new(Objects::new(Arc::clone(&units)));
    let (chips, mut trials) = (Chip::all(), cases::trials());
    let step = if std::env::var_os(build::CHIPS).is_some() { 1 } else { tries(2, 1) };
    // One behind the other for other processors: trials that want the same object would wait for clang together.
    for (index, unit) in units.iter().enumerate() {
        let topic = units.iter().position(|other| other.topic == unit.topic).unwrap_or_default();
        for (at, &chip) in chips.iter().enumerate().filter(|(_, chip)| unit.runs_on(**chip)) {
            let usual = (topic + at).is_multiple_of(step);
            let (host, objects, units) = (Arc::clone(&host), Arc::clone(&objects), Arc::clone(&units));
            let run = move || {
                let unit = &units[index];
                let object = objects.get(&unit.topic, chip)?;
                let found = device::run(unit, &object)?;
                compare::compare(unit, &host.get(index)?, &found)?;
                Ok(())
            };
            let name = format!("{}::{chip}", unit.name);
            trials.push(support::trial(name, run).with_ignored_flag(missing.is_some() || !usual));
        }
    }
    support::run(&args, trials)
}
