//! What llvm-mc said about instructions generated from the rows (`golden/oracle/vectors`, see its README): the same law as in
//! `vectors.rs`, for a clone that has nothing else. `ORACLE=DIR` takes the files from elsewhere, such as a survey of all lines.

#[path = "support/check.rs"]
mod check;

use check::{Check, Kind};
use libtest_mimic::{Arguments, Trial};
use std::path::{Path, PathBuf};

fn main() {
    let folder = std::env::var_os("ORACLE")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("golden/oracle/vectors"), PathBuf::from);
    let mut gpus: Vec<String> = std::fs::read_dir(&folder)
        .expect("the oracle's folder")
        .filter_map(|e| e.ok()?.file_name().to_str()?.strip_suffix(".reject.tsv.zst").map(str::to_owned))
        .collect();
    gpus.sort();
    assert!(!gpus.is_empty(), "no vectors in {}", folder.display());
    let mut trials = Vec::new();
    for gpu in gpus {
        for kind in [Kind::Assemble, Kind::Disassemble, Kind::Refuse] {
            let (gpu, folder) = (gpu.clone(), folder.clone());
            trials.push(Trial::test(format!("{gpu}::{}", kind.name()), move || Ok(run(&folder, &gpu, kind)?)));
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
    let list = format!("oracle-{gpu}.txt");
    // Two texts in a hundred are LLVM's quirks (16-bit integers and float constants); see the reasons.
    let least = match kind {
        Kind::Assemble => 0.999,
        Kind::Disassemble => 0.98,
        Kind::Refuse => 0.4,
    };
    check::check(&Check { gpu, kind, vectors: &vectors, rejects: &rejects, list: &list, least })
}
