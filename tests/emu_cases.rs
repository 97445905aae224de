//! The cases of `tests/cases` on the emulator: one named test for a file and a target.
//!
//! Those in `pass` and `images` run to their end and leave what they expect, and so do those in `rays`, `traps` and `across`, which have folders
//! of their own as long as no other engine has rays, exceptions that enter trap handlers, and groups that wait for each other; those in
//! `fail` end in the trap that they expect. A file below `fail` whose
//! name begins with `wrong_` expects what does not come: there it is the mismatch that must be found.

#[path = "support/trials.rs"]
mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use support::trial;
use wavediff::case::{Case, wave_size};
use wavediff::emu::engine::Emulator;
use wavediff::engine::Engine;
use wavediff::engine::Options;
use wavediff::engine::order::{Order, Turns};
use wavediff::isa::Target;

/// What a folder is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Pass,
    Fail,
}

fn main() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut trials = Vec::new();
    let folders = [
        (Kind::Pass, "pass"),
        (Kind::Pass, "images"),
        (Kind::Pass, "rays"),
        (Kind::Pass, "traps"),
        (Kind::Pass, "across"),
        (Kind::Fail, "fail"),
    ];
    for (kind, name) in folders {
        for path in files(&folder.join(name)) {
            let stem = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
            let title = format!("{name}::{stem}");
            match read(&path) {
                Ok(case) => {
                    let source = case.source.is_some();
                    let test =
                        move || if source { Ok(()) } else { Err(Failed::from("say where the values come from")) };
                    trials.push(Trial::test(format!("{title}::source"), test));
                    for target in case.targets() {
                        let case = case.clone();
                        let title = format!("{title}::{}-wave{}", target.arch.name, wave_size(target));
                        trials.push(trial(title, move || run(&case, target, kind)));
                    }
                }
                Err(error) => trials.push(Trial::test(title, move || Err(Failed::from(error)))),
            }
        }
    }
    support::run(&Arguments::from_args(), trials)
}

/// The cases of a folder, by name.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> =
        entries.map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "s")).collect();
    files.sort();
    files
}

fn read(path: &Path) -> Result<Case, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    Case::parse(&text, &path.to_string_lossy()).map_err(|e| e.to_string())
}

fn run(case: &Case, target: Target, kind: Kind) -> Result<(), Failed> {
    // The order of waves must not matter, nor that of lanes, nor the number of threads.
    for (threads, shuffle, turns) in
        [(1, None, Turns::default()), (1, None, Turns::DOWN), (2, Some(7), Turns::default())]
    {
        let order = Order { shuffle, turns, ..Order::default() };
        let emulator = Emulator { options: Options { threads, order, ..Options::default() } };
        let outcome = emulator.run(case, target)?;
        let mismatches = case.check(target, &outcome)?;
        let lines: Vec<String> = mismatches.iter().take(8).map(ToString::to_string).collect();
        let wrong = case.name.rsplit('/').next().is_some_and(|name| name.starts_with("wrong_"));
        if wrong {
            if mismatches.is_empty() {
                return Err("nothing differs".into());
            }
            continue;
        }
        if !lines.is_empty() {
            return Err(lines.join("\n").into());
        }
        if kind == Kind::Fail && outcome.trap.is_none() {
            return Err("no trap".into());
        }
    }
    Ok(())
}
