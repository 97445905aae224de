//! The tests of the card have teeth: mistakes are planted in it, one at a time, and a test notices each.
//!
//! What is planted are the card's own mistakes ([`wavediff_vgpu::fault`]) and those of dispatches in the library
//! ([`wavediff::fault::Mistake::DISPATCH`]): how packets are read, what registers mean, how groups begin. A trial runs the programs of
//! [`PROGRAMS`] with a mistake, and passes when one of their tests fails; it says which. Without a mistake all pass.
//!
//! Mistakes exist in debug builds only; in others the trials are listed as ignored.

#[path = "../../../tests/support/programs.rs"]
mod built;

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::Command;
use wavediff::fault::{MUTANT, Mistake};
use wavediff_vgpu::fault;

/// The programs whose tests count. The last takes seconds, and runs where the others notice nothing.
const PROGRAMS: [&str; 3] = ["packets", "waves", "many"];
/// How many tests are named that notice a mistake.
const NAMED: usize = 3;
/// Tests of random streams: they ask for no more than an end.
const RANDOM: &str = "streams_of";

fn main() {
    let args = Arguments { test_threads: Some(1), ..Arguments::from_args() };
    let plants = cfg!(debug_assertions);
    if !plants {
        println!("skipped: mistakes are planted in debug builds");
    }
    let own = fault::Mistake::ALL.iter().map(|mistake| (format!("gpu:{}", mistake.name()), mistake.wrong()));
    let dispatch = Mistake::ALL.iter().filter(|mistake| mistake.group() == Mistake::DISPATCH);
    let all: Vec<(String, &str)> = own.chain(dispatch.map(|m| (m.name().to_owned(), m.group()))).collect();
    let mut trials = vec![Trial::test("enough", {
        let count = all.len();
        move || if count >= 20 { Ok(()) } else { Err(format!("only {count} mistakes").into()) }
    })];
    let listing = args.list || !plants;
    let programs = if listing { Ok(Vec::new()) } else { programs() };
    let none = programs.clone();
    trials.push(Trial::test("none", move || sound(&none?)).with_ignored_flag(!plants));
    trials.extend(all.into_iter().map(|(name, wrong)| {
        let programs = programs.clone();
        Trial::test(name.clone(), move || bites(&programs?, &name, wrong)).with_ignored_flag(!plants)
    }));
    libtest_mimic::run(&args, trials).exit();
}

/// The programs, in their order.
fn programs() -> Result<Vec<PathBuf>, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let paths = built::build(&PROGRAMS.map(|name| (folder, name)))?;
    Ok(PROGRAMS.iter().filter_map(|name| paths.get(*name).cloned()).collect())
}

/// The tests of the programs that fail with a mistake, or with none.
fn failing(programs: &[PathBuf], mistake: Option<&str>) -> Result<Vec<String>, Failed> {
    let mut failing = Vec::new();
    for (n, program) in programs.iter().enumerate() {
        if n == PROGRAMS.len() - 1 && !failing.is_empty() {
            break;
        }
        let mut command = Command::new(program);
        command.args(["--skip", RANDOM]).env_remove(MUTANT).envs(mistake.map(|name| (MUTANT, name)));
        let output = command.output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let line = |line: &str| Some(line.strip_prefix("test ")?.strip_suffix(" ... FAILED")?.to_owned());
        let before = failing.len();
        failing.extend(text.lines().filter_map(line));
        if !output.status.success() && failing.len() == before {
            // It ended by a signal: that is noticed, but not by a test.
            return Err(format!("{} ends with {}: {text}", program.display(), output.status).into());
        }
    }
    Ok(failing)
}

fn sound(programs: &[PathBuf]) -> Result<(), Failed> {
    match failing(programs, None)? {
        failing if failing.is_empty() => Ok(()),
        failing => Err(format!("without a mistake, {}", failing.join(", ")).into()),
    }
}

fn bites(programs: &[PathBuf], name: &str, wrong: &str) -> Result<(), Failed> {
    let failing = failing(programs, Some(name))?;
    if failing.is_empty() {
        return Err(format!("nothing notices it: {wrong}").into());
    }
    let others = failing.len().saturating_sub(NAMED);
    let more = if others > 0 { format!(" and {others} more") } else { String::new() };
    println!("{name}: {}{more}", failing[..failing.len() - others].join(", "));
    Ok(())
}
