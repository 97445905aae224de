//! The vectors of `../shared/vectors`, where they are there: every line assembles to its bytes, and the bytes disassemble to the
//! canonical text; what must be refused is refused. `cargo test --release --test vectors -- gfx1100` runs one processor and prints what
//! differs, `MOST=100` more of it.

#[path = "support/check.rs"]
mod check;

use check::{Check, Kind};
use libtest_mimic::{Arguments, Trial};
use std::path::{Path, PathBuf};

const GPUS: [&str; 12] = [
    "gfx600", "gfx700", "gfx803", "gfx900", "gfx906", "gfx90a", "gfx940", "gfx1010", "gfx1030", "gfx1100", "gfx1150",
    "gfx1200",
];

fn main() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/vectors");
    let present = folder.is_dir();
    if !present {
        println!("skipped: {} is not there", folder.display());
    }
    let mut trials = Vec::new();
    for gpu in GPUS {
        for kind in [Kind::Assemble, Kind::Disassemble, Kind::Refuse] {
            let folder = folder.clone();
            let trial = Trial::test(format!("{gpu}::{}", kind.name()), move || Ok(run(&folder, gpu, kind)?));
            trials.push(trial.with_ignored_flag(!present));
        }
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn run(folder: &Path, gpu: &str, kind: Kind) -> Result<(), String> {
    let rejecting = matches!(kind, Kind::Refuse);
    let missing = || format!("no vectors of {gpu}");
    let (vectors, rejects) = if rejecting {
        (Vec::new(), check::rejects(&folder.join(format!("{gpu}.reject.tsv.zst"))).ok_or_else(missing)?)
    } else {
        (check::vectors(&folder.join(format!("{gpu}.tsv.zst"))).ok_or_else(missing)?, Vec::new())
    };
    let list = format!("vectors-{gpu}.txt");
    // Of the lines to refuse for gfx1010 one in a hundred is a compare with DPP, which the hardware has.
    let least = if rejecting { 0.98 } else { 0.999 };
    check::check(&Check { gpu, kind, vectors: &vectors, rejects: &rejects, list: &list, least })
}
