//! States that cards left, as case files (`../shared/hw/silicon_gfx11_gfx12`: a Radeon PRO W7900 and an R9700, figures published in ROCm's
//! rocm-systems), on the emulator: one named test a file and target. Skipped, by name, where the files are not there.

#[path = "support/trials.rs"]
mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use wavediff::case::{Case, wave_size};
use wavediff::emu::engine::Emulator;
use wavediff::engine::Engine;
use wavediff::engine::Options;
use wavediff::isa::Target;

fn main() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/hw/silicon_gfx11_gfx12");
    let paths: Vec<PathBuf> = [folder.clone(), folder.join("exact")].iter().flat_map(|f| files(f)).collect();
    let mut trials = Vec::new();
    if paths.is_empty() {
        println!("skipped: no states recorded on silicon in {}", folder.display());
    }
    for path in paths {
        let stem = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
        let text = text_of(&path).map_err(|e| e.to_string());
        let case = text.and_then(|t| Case::parse(&t, &path.to_string_lossy()).map_err(|e| e.to_string()));
        match case {
            Ok(case) => {
                for target in case.targets() {
                    let case = case.clone();
                    let title = format!("{stem}::{}-wave{}", target.arch.name, wave_size(target));
                    trials.push(support::trial(title, move || run(&case, target)));
                }
            }
            Err(error) => trials.push(Trial::test(stem, move || Err(Failed::from(error)))),
        }
    }
    support::run(&Arguments::from_args(), trials)
}

/// The text of a case; what an R9700 (gfx1201) left is for the other processor of that generation too, which executes the same.
fn text_of(path: &Path) -> std::io::Result<String> {
    let text = std::fs::read_to_string(path)?;
    Ok(text.replacen("; isa: gfx1201", "; isa: gfx1200, gfx1201", 1))
}

/// The cases of a folder, by name.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> =
        entries.map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "s")).collect();
    files.sort();
    files
}

fn run(case: &Case, target: Target) -> Result<(), Failed> {
    let emulator = Emulator { options: Options { threads: 1, ..Options::default() } };
    let outcome = emulator.run(case, target)?;
    let mismatches = case.check(target, &outcome)?;
    let lines: Vec<String> = mismatches.iter().take(8).map(ToString::to_string).collect();
    if lines.is_empty() { Ok(()) } else { Err(lines.join("\n").into()) }
}
