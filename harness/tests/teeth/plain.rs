//! A plain `conform` has teeth: its sample notices nearly every mistake that can be planted in the translation, not only `--all`.
//!
//! What a plain run takes is listed once. A fault then runs on what of that list has the rows or cases of its [selection], for seconds: what a part of
//! the sample notices the whole does. Where the part notices nothing, the whole is run, up to its first failure.

use super::selections::{Selection, What, selection};
use libtest_mimic::Failed;
use std::path::Path;
use std::process::{Command, Output};
use wavediff::spirv::fault::Fault;

/// How many of the faults have to be noticed.
const ENOUGH: usize = 120;
/// Cases of a part.
const PART: usize = 48;

/// Every fault, with a summary of which were noticed by what.
pub fn notices() -> Result<(), Failed> {
    let listed = conform(None, &["--list"])?;
    let list = String::from_utf8(listed.stdout)?;
    let list: Vec<&str> = list.lines().collect();
    if !listed.status.success() || list.len() < 1000 {
        return Err(format!("{} cases: {}", list.len(), String::from_utf8_lossy(&listed.stderr)).into());
    }
    let sound = conform(None, &["--max-fail", "1"])?;
    if sound.status.code() != Some(0) {
        return Err(format!("it fails without a fault: {}", String::from_utf8_lossy(&sound.stdout)).into());
    }
    let mut missed = Vec::new();
    for fault in Fault::ALL {
        let part = part(&list, &selection(*fault));
        let by = if !part.is_empty() && fails(*fault, &part)? {
            "a part"
        } else if fails(*fault, &[])? {
            "the whole"
        } else {
            missed.push(fault.name());
            "nothing"
        };
        println!("{}: noticed by {by}", fault.name());
    }
    let noticed = Fault::ALL.len() - missed.len();
    println!("a plain run notices {noticed} of {}, not {missed:?}", Fault::ALL.len());
    if noticed < ENOUGH { Err(format!("{noticed} of {}, not {missed:?}", Fault::ALL.len()).into()) } else { Ok(()) }
}

/// What a list has of the rows or cases of a selection, as arguments.
fn part<'l>(list: &[&'l str], selection: &Selection) -> Vec<&'l str> {
    let (What::Rows { names, .. } | What::Memory(names, _) | What::Cases(names)) = selection.what;
    let wanted = |case: &&&str| {
        let name = case.rsplit('/').next().unwrap_or_default();
        names.iter().any(|row| name.starts_with(row))
    };
    list.iter().filter(wanted).take(PART).flat_map(|case| ["--case", case]).collect()
}

/// Whether cases, or the whole sample, fail with a fault. Cases by name get the inputs that a sample has.
fn fails(fault: Fault, part: &[&str]) -> Result<bool, Failed> {
    let inputs: &[&str] = if part.is_empty() { &[] } else { &["--inputs", "8"] };
    let output = conform(Some(fault), &[&["--max-fail", "1"], inputs, part].concat())?;
    match output.status.code() {
        Some(code @ (0 | 1)) => Ok(code == 1),
        code => {
            Err(format!("{}: ends with {code:?}: {}", fault.name(), String::from_utf8_lossy(&output.stderr)).into())
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
