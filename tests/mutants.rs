//! Whether evidence from outside would notice a mistake: mistakes are planted in the emulator, one
//! at a time, and the tests that carry such evidence are run with each.
//!
//! Both engines take the meanings from one place, so that comparing them says nothing about those.
//! [`wavediff::fault`] has what can be planted, and `mutants/evidence.rs` which tests count and
//! what kind of evidence they are. Each of them first runs once, right, and says what it executes;
//! a mutant then runs only the tests that meet it, in processes of their own.
//!
//! - `cargo test --test mutants` looks at the tables and repeats what `golden/mutants/noticed.tsv`
//!   says: all mistakes, and a sample of the rows, each with the one test that is known to notice
//!   it.
//! - `cargo test --test mutants -- --ignored mistakes` runs all mistakes from the beginning, `rows`
//!   every part of every row on nine processors. Reports go to `target/tmp/mutants`.
//!   `WAVEDIFF_UPDATE_MUTANTS=1` writes what is found into the golden file;
//!   `WAVEDIFF_MUTANTS_EVERY=6` takes every sixth row, in minutes instead of an hour, and by the short run every sixth line;
//!   `WAVEDIFF_MUTANTS_ROWS='image_*,exp'` those of these names. `met` plants nothing: it says which evidence meets a row at all.
//!
//! Planting is for debug builds. In others only the tables are looked at.

#[path = "support/programs.rs"]
mod built;
#[path = "mutants/evidence.rs"]
mod evidence;
#[path = "mutants/golden.rs"]
mod golden;
#[path = "mutants/judge.rs"]
mod judge;
#[path = "mutants/programs.rs"]
mod programs;
#[path = "mutants/record.rs"]
mod record;
#[path = "mutants/replay.rs"]
mod replay;
#[path = "mutants/report.rs"]
mod report;
#[path = "mutants/rows.rs"]
mod rows;
#[path = "mutants/tables.rs"]
mod tables;
#[path = "support/work.rs"]
mod work;

use judge::Judge;
use libtest_mimic::{Arguments, Failed, Trial};
use record::Record;
use report::Found;
use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::Write;
use std::sync::Mutex;
use std::time::Instant;
use wavediff::fault::meanings::MEANINGS;
use wavediff::fault::{Mistake, Mutant};

/// The environment variable that asks for a sample of the rows, or of what is known.
const EVERY: &str = "WAVEDIFF_MUTANTS_EVERY";
/// The one that asks for rows by their names, with stars for any ends, and commas between.
const ROWS: &str = "WAVEDIFF_MUTANTS_ROWS";

fn main() {
    let args = Arguments { test_threads: Some(1), ..Arguments::from_args() };
    let plants = cfg!(debug_assertions);
    let planted = |name: &str, run: fn() -> Result<(), Failed>| Trial::test(name, run).with_ignored_flag(!plants);
    if !plants {
        println!("skipped: mistakes are planted in debug builds");
    }
    let mut trials = tables::trials();
    trials.push(planted("replay", replay::run));
    if plants {
        trials.push(Trial::test("mistakes", mistakes).with_ignored_flag(true));
        trials.push(Trial::test("met", met).with_ignored_flag(true));
        trials.push(Trial::test("rows", every_row).with_ignored_flag(true));
    }
    libtest_mimic::run(&args, trials).exit();
}

/// Every mistake in a meaning or in the code.
fn all_mistakes() -> Vec<Mutant> {
    let meanings = MEANINGS.iter().map(|(text, _)| text.parse().expect("a mutant"));
    // Those of dispatches are planted by `harness/vgpu/tests/teeth.rs`.
    let mistakes = Mistake::ALL.iter().filter(|mistake| mistake.group() != Mistake::DISPATCH);
    meanings.chain(mistakes.map(|mistake| Mutant::Mistake(*mistake))).collect()
}

/// Judges mutants on all cores. A run that was cut off goes on where it was, as long as the tests are
/// the same.
fn judge_all(judge: &Judge<'_>, mutants: &[Mutant]) -> Result<Found, Failed> {
    let start = Instant::now();
    let path = judge.record.journal();
    let mut found = golden::parse(&std::fs::read_to_string(&path).unwrap_or_default())?;
    let rest: Vec<&Mutant> = mutants.iter().filter(|mutant| !found.contains_key(mutant)).collect();
    let journal = Mutex::new((OpenOptions::new().create(true).append(true).open(path)?, 0usize));
    let noticed = work::each(&rest, |_, mutant| {
        let noticed = judge.judge(mutant);
        let line = report::line(mutant, &noticed);
        let (file, done) = &mut *journal.lock().expect("no panic");
        let _ = file.write_all(line.as_bytes());
        *done += 1;
        if done.is_multiple_of(200) {
            println!("{done} of {} in {} s", rest.len(), start.elapsed().as_secs());
        }
        noticed
    });
    let wanted: BTreeSet<&Mutant> = mutants.iter().collect();
    found.retain(|mutant, _| wanted.contains(mutant));
    found.extend(rest.into_iter().cloned().zip(noticed));
    Ok(found)
}

fn mistakes() -> Result<(), Failed> {
    let programs = programs::build()?;
    let record = Record::make(&programs)?;
    record.say_missing(&programs);
    let judge = Judge { programs: &programs, record: &record };
    let found = judge_all(&judge, &all_mistakes())?;
    report::mistakes(&found);
    Ok(golden::check(&found)?)
}

/// One of so many is wanted.
fn every() -> Result<usize, String> {
    let Ok(every) = std::env::var(EVERY) else { return Ok(1) };
    every.parse().ok().filter(|n| *n > 0).ok_or_else(|| format!("{EVERY}: no number: {every}"))
}

/// Of the rows those with some names, or each so many-th and those of the golden file, where a variable asks for no more.
fn sample(mut rows: Vec<rows::Row>) -> Result<Vec<rows::Row>, String> {
    if let Ok(patterns) = std::env::var(ROWS) {
        rows.retain(|row| patterns.split(',').any(|pattern| rows::fits(pattern, row.name)));
        return if rows.is_empty() { Err(format!("{ROWS}: no row is named so: {patterns}")) } else { Ok(rows) };
    }
    let every = every()?;
    let kept = |n: usize, row: &rows::Row| n.is_multiple_of(every) || row.mutants().any(|m| golden::is_kept(&m));
    Ok(rows.into_iter().enumerate().filter(|(n, row)| kept(*n, row)).map(|(_, row)| row).collect())
}

/// Rows in an order of which any beginning is a sample: what a run that is cut off leaves in its journal says something about all.
fn spread(rows: Vec<rows::Row>) -> Vec<rows::Row> {
    const STEP: usize = 64;
    let mut numbered: Vec<_> = rows.into_iter().enumerate().collect();
    numbered.sort_by_key(|(n, _)| n % STEP);
    numbered.into_iter().map(|(_, row)| row).collect()
}

fn every_row() -> Result<(), Failed> {
    let programs = programs::build()?;
    let record = Record::make(&programs)?;
    record.say_missing(&programs);
    let judge = Judge { programs: &programs, record: &record };
    let rows = spread(sample(rows::all(&record))?);
    let mutants: Vec<Mutant> = rows.iter().flat_map(rows::Row::mutants).collect();
    println!("{} rows on processors, {} mutants", rows.len(), mutants.len());
    let found = judge_all(&judge, &mutants)?;
    report::rows("rows", &rows, &found);
    Ok(golden::check(&found)?)
}

/// Who might notice a wrong row: the best evidence that meets it at all. Where that is too little, nothing needs to be planted to know that a
/// test is missing.
fn met() -> Result<(), Failed> {
    let programs = programs::build()?;
    let record = Record::make(&programs)?;
    record.say_missing(&programs);
    let judge = Judge { programs: &programs, record: &record };
    let rows = sample(rows::all(&record))?;
    let mutants = rows.iter().flat_map(rows::Row::mutants);
    let found = mutants.map(|mutant| {
        let best = judge.met(&mutant);
        (mutant, best)
    });
    report::rows("met", &rows, &found.collect());
    Ok(())
}
