//! A plain `conform` has teeth: its sample notices nearly every mistake that can be planted in the translation, not only `--all`.
//!
//! What a plain run takes is listed once. A fault then runs on what of that list has the rows or cases of its [selection], and the form of those rows
//! where it names one, for seconds: what a part of the sample notices the whole does. Where the part notices nothing, the whole is run, up to its
//! first failure.
//!
//! What shows some faults are cases beside the suites ([`is_elsewhere`]); those may be missed. A slice, every so many-th fault, leaves them out.

use super::selections::{Selection, What, selection};
use libtest_mimic::Failed;
use std::path::Path;
use std::process::{Command, Output};
use wavediff::isa::form::Variant;
use wavediff::spirv::fault::Fault;

/// The environment variable that asks for a slice.
const EVERY: &str = "PLAIN_EVERY";
/// How many of the faults have to be noticed, all those among them that the suites have cases for.
const ENOUGH: usize = 120;
/// Cases of a part.
const PART: usize = 48;

/// Of how many faults a slice has one; nothing where no slice is asked for.
pub fn every() -> Result<Option<usize>, String> {
    let Ok(every) = std::env::var(EVERY) else { return Ok(None) };
    match every.parse() {
        Ok(every) if every > 0 => Ok(Some(every)),
        _ => Err(format!("{EVERY}: no number: {every}")),
    }
}

/// Every fault, or a slice of them, with a summary of which were noticed by what.
pub fn notices(every: Option<usize>) -> Result<(), Failed> {
    let listed = conform(None, &["--list"])?;
    let list = String::from_utf8(listed.stdout)?;
    let list: Vec<&str> = list.lines().collect();
    if !listed.status.success() || list.len() < 1000 {
        return Err(format!("{} cases: {}", list.len(), String::from_utf8_lossy(&listed.stderr)).into());
    }
    if every.is_none() {
        let sound = conform(None, &["--max-fail", "1"])?;
        if sound.status.code() != Some(0) {
            return Err(format!("it fails without a fault: {}", String::from_utf8_lossy(&sound.stdout)).into());
        }
    }
    let (mut noticed, mut missed, mut tried) = (0, Vec::new(), 0);
    for fault in Fault::ALL.iter().copied().step_by(every.unwrap_or(1)) {
        let selection = selection(fault);
        if every.is_some() && is_elsewhere(&selection) {
            println!("{}: left out", fault.name());
            continue;
        }
        tried += 1;
        let part = part(&list, &selection);
        let by = if !part.is_empty() && fails(Some(fault), &part)? {
            if every.is_some() && fails(None, &part)? {
                return Err(format!("{}: its part fails without it: {part:?}", fault.name()).into());
            }
            "a part"
        } else if fails(Some(fault), &[])? {
            "the whole"
        } else {
            missed.push(fault);
            "nothing"
        };
        noticed += usize::from(by != "nothing");
        println!("{}: noticed by {by}", fault.name());
    }
    let names: Vec<&str> = missed.iter().map(|fault| fault.name()).collect();
    let said = format!("a plain run notices {noticed} of {tried}, not {names:?}");
    println!("{said}");
    let holds = missed.iter().all(|fault| is_elsewhere(&selection(*fault)));
    let least = if every.is_none() { ENOUGH } else { 1 };
    if holds && noticed >= least { Ok(()) } else { Err(said.into()) }
}

/// Whether what shows a fault is in no suite.
fn is_elsewhere(selection: &Selection) -> bool {
    names(selection).iter().all(|name| name.starts_with("../"))
}

/// The rows or cases of a selection.
fn names(selection: &Selection) -> &'static [&'static str] {
    let (What::Rows { names, .. } | What::Memory(names, _) | What::Cases(names)) = selection.what;
    names
}

/// What a list has of a selection, as arguments: its rows or cases, and from everywhere some of the form that it names.
fn part<'l>(list: &[&'l str], selection: &Selection) -> Vec<&'l str> {
    let wanted = |case: &&str| names(selection).iter().any(|row| name(case).starts_with(row));
    let (mut part, others): (Vec<&str>, Vec<&str>) = list.iter().copied().partition(wanted);
    part.truncate(PART);
    if let Some(end) = form(selection) {
        let alike = |case: &&str| name(case).split('~').next().is_some_and(|form| form.ends_with(end));
        let others: Vec<&str> = others.into_iter().filter(alike).collect();
        let step = others.len().div_ceil(PART).max(1);
        let room = PART - part.len();
        part.extend(others.into_iter().step_by(step).take(room));
    }
    part.into_iter().flat_map(|case| ["--case", case]).collect()
}

/// What a case is called in its suite and processor.
fn name(case: &str) -> &str {
    case.rsplit('/').next().unwrap_or_default()
}

/// How the names of a form end, where a selection names one.
fn form(selection: &Selection) -> Option<&'static str> {
    let What::Rows { variant: Some(variant), .. } = selection.what else { return None };
    Some(match variant {
        Variant::Base => "_e64",
        Variant::Sdwa => "_sdwa",
        Variant::Dpp | Variant::Dpp8 => "_dpp",
    })
}

/// Whether cases, or the whole sample, fail with a fault or without. Cases by name get the inputs that a sample has.
fn fails(fault: Option<Fault>, part: &[&str]) -> Result<bool, Failed> {
    let inputs: &[&str] = if part.is_empty() { &[] } else { &["--inputs", "8"] };
    let output = conform(fault, &[&["--max-fail", "1"], inputs, part].concat())?;
    match output.status.code() {
        Some(code @ (0 | 1)) => Ok(code == 1),
        code => {
            let fault = fault.map_or("no fault", Fault::name);
            Err(format!("{fault}: ends with {code:?}: {}", String::from_utf8_lossy(&output.stderr)).into())
        }
    }
}

fn conform(fault: Option<Fault>, args: &[&str]) -> Result<Output, Failed> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wavediff"));
    command.args(["conform", "--engines", "emu,vulkan"]).args(args);
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
    command.env_remove("WAVEDIFF_FAULT").envs(fault.map(|fault| ("WAVEDIFF_FAULT", fault.name())));
    Ok(command.output()?)
}
