//! Recordings of suites: made, checked, listed.

use super::{Check, List, Record, Show};
use crate::common::{self, Usage, usage};
use crate::conform::selection::work;
use crate::conform::{self, Compared, Selection};
use crate::engines::Name;
use crate::recording::{Recorded, Recording};
use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};
use wavediff::engine::Status;
use wavediff::suite::Unit;
use wavediff::suite::stage::INPUTS;

pub fn record(args: &Record) -> Result<ExitCode> {
    let (device, native) = match &args.engine {
        Name::Vulkan(device) => (device, false),
        Name::Native(device) => (device, true),
        Name::Emu => {
            return usage("what the emulator makes of its own cases is no evidence: --engine vulkan or native");
        }
    };
    let device = device.clone().or_else(|| args.selection.device.clone());
    let compared = conform::vulkan(device.clone(), &args.selection).map_err(Usage)?;
    let compared = if native { compared.into_card(device) } else { compared };
    let chosen = args.selection.choose(true)?;
    let info = compared.info.clone();
    let planned = vec![(&compared, args.selection.planned(&chosen, &compared))];
    let work = work(&planned, true);
    let stop = Arc::new(AtomicBool::new(false));
    common::listen(&stop)?;
    let mut recording = Recording {
        name: String::new(),
        engine: info.name,
        driver: info.driver,
        of_card: native,
        provenance: provenance(),
        inputs: INPUTS,
        units: Vec::new(),
    };
    let units: BTreeMap<&str, &Unit> =
        planned.iter().flat_map(|(_, all)| all.iter().map(|one| (one.unit.name.as_str(), &one.unit))).collect();
    let mut differing = 0;
    args.selection.work(&work, &stop, |line, mut changes| {
        let other = |status: Option<Status>| status.is_none_or(|status| status != Status::Unsupported);
        let failed = line.results.iter().filter(|result| other(result.status())).map(|result| result.case.as_str());
        let failed: BTreeSet<&str> = failed.collect();
        differing += failed.len();
        if !args.differing {
            changes.retain(|case, _| !failed.contains(case.as_str()));
        }
        if let Some(unit) = units.get(line.unit.as_str()).filter(|_| !changes.is_empty()) {
            recording.units.push(Recorded { unit: (*unit).clone(), stale: false, changes });
        }
        Ok(())
    })?;
    if stop.load(Ordering::Relaxed) {
        anyhow::bail!("stopped: nothing was written");
    }
    recording.save(&args.output)?;
    let kept = if args.differing { "kept" } else { "left out" };
    let text = format!(
        "{}: {} units, {} cases; {differing} differ from the emulator, {kept}\n",
        args.output.display(),
        recording.units.len(),
        recording.cases()
    );
    common::print(&text)?;
    Ok(ExitCode::from(u8::from(differing > 0 && !args.differing)))
}

/// When and with what it is made.
pub fn provenance() -> BTreeMap<String, String> {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    // The program's own path says nothing to anybody else.
    let command: Vec<String> = std::iter::once("wavediff".to_owned()).chain(std::env::args().skip(1)).collect();
    BTreeMap::from([
        ("date".to_owned(), date(seconds)),
        (
            "host".to_owned(),
            format!("{} {}, {} threads", std::env::consts::ARCH, std::env::consts::OS, common::cores()),
        ),
        ("command".to_owned(), command.join(" ")),
        ("version".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
    ])
}

/// A day of the calendar: `2026-11-22`. Days are counted in eras of 400 years that begin in March.
pub fn date(seconds: u64) -> String {
    let days = seconds / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day_of_month = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day_of_month:02}", era * 400 + year + next)
}

pub fn check(args: &Check) -> Result<ExitCode> {
    let selection = Selection::everything(args.jobs);
    let compared = Compared::of(Recording::load(&args.folder)?);
    let planned = vec![(&compared, selection.recorded(&compared))];
    let changed = compared.recording.iter().flat_map(|recording| &recording.units).filter(|unit| unit.stale).count();
    let work = work(&planned, false);
    let stop = Arc::new(AtomicBool::new(false));
    common::listen(&stop)?;
    let (mut out, mut passed, mut bad, mut not) = (String::new(), 0, 0, 0);
    selection.work(&work, &stop, |line, _| {
        passed += line.count(Status::Pass);
        for result in line.results {
            match result.status() {
                Some(status) if !status.is_bad() => not += result.count,
                _ => {
                    bad += result.count;
                    let _ = writeln!(out, "{} {} `{}`: {}", result.status, result.case, result.text, result.reason);
                }
            }
        }
        Ok(())
    })?;
    let _ = writeln!(out, "{}: {passed} cases as recorded, {bad} not, {not} not compared", args.folder.display());
    if changed > 0 {
        let _ = writeln!(out, "{changed} units of the recording are made of other cases now: record them again");
    }
    if passed == 0 && bad == 0 && changed == 0 {
        return usage(format!("{} has nothing that could be compared", args.folder.display()));
    }
    common::print(&out)?;
    Ok(ExitCode::from(u8::from(bad > 0 || changed > 0)))
}

pub fn list(args: &List) -> Result<ExitCode> {
    let mut out = String::new();
    for recording in Recording::all(&args.folder)? {
        let date = recording.provenance.get("date").map_or("", String::as_str);
        let _ = writeln!(
            out,
            "{}  {date}  {} units, {} cases  {}",
            recording.name,
            recording.units.len(),
            recording.cases(),
            recording.engine
        );
    }
    if out.is_empty() {
        let _ = writeln!(out, "no recordings in {}", args.folder.display());
    }
    common::print(&out)?;
    Ok(ExitCode::SUCCESS)
}

pub fn show(args: &Show) -> Result<ExitCode> {
    let recording = Recording::load(&args.folder)?;
    let mut out = format!("engine   {}\ndriver   {}\n", recording.engine, recording.driver);
    for (key, value) in &recording.provenance {
        let _ = writeln!(out, "{key:8} {value}");
    }
    let mut groups: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for recorded in &recording.units {
        let count = groups.entry(recorded.unit.group()).or_default();
        *count = (count.0 + 1, count.1 + recorded.changes.len());
    }
    for (group, (units, cases)) in groups {
        let _ = writeln!(out, "{group:24} {units:5} units {cases:8} cases");
    }
    common::print(&out)?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (seconds, day) in [
            (0, "1970-01-01"),
            (951_782_400, "2000-02-29"),
            (1_735_689_599, "2024-12-31"),
            (1_795_305_600, "2026-11-22"),
        ] {
            assert_eq!(date(seconds), day);
        }
    }
}
