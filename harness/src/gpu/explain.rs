//! `wavediff gpu --explain`: a log of packets and dispatches for people.
//!
//! A submission is a heading, a packet a line; what a dispatch took from its registers stands below it.

use crate::{common, lines};
use anyhow::{Context, Result};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs::File;
use std::path::Path;
use std::process::ExitCode;

/// Words of a packet's body that are shown.
const SHOWN: usize = 12;

/// Prints a log.
pub fn run(path: &Path) -> Result<ExitCode> {
    let file = File::open(path).with_context(|| path.display().to_string())?;
    for (line, n) in lines::each(file).zip(1..) {
        let line = line.with_context(|| path.display().to_string())?;
        let entry: Value = serde_json::from_slice(&line)
            .with_context(|| format!("{}:{n}: this is no line of a log", path.display()))?;
        common::print(&explained(&entry))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn explained(entry: &Value) -> String {
    let text = |name: &str| entry[name].as_str().unwrap_or_default();
    let number = |name: &str| entry[name].as_u64().unwrap_or_default();
    match text("what") {
        "submit" => {
            let ibs = entry["ibs"].as_array().map_or(&[][..], Vec::as_slice);
            let each = ibs.iter().map(|ib| format!("{:#x} ({} words)", ib[0].as_u64().unwrap_or(0), ib[1]));
            format!("\n{} at {}: {}\n", text("ring"), number("at"), each.collect::<Vec<_>>().join(", "))
        }
        "packet" => {
            let body = entry["body"].as_array().map_or(&[][..], Vec::as_slice);
            let mut line = format!("  {:#016x}  {:<28}", number("address"), text("name"));
            for word in body.iter().take(SHOWN) {
                let _ = write!(line, " {:08x}", word.as_u64().unwrap_or(0));
            }
            if body.len() > SHOWN {
                let _ = write!(line, " and {} more", body.len() - SHOWN);
            }
            if entry["skipped"] == true {
                line.push_str("  (skipped: the predicate says so)");
            }
            line.truncate(line.trim_end().len());
            line + "\n"
        }
        "dispatch" => dispatch(entry),
        "lost" => format!("  LOST: {}\n", text("why")),
        "note" => format!("  kernel: {}\n", text("why")),
        _ => format!("  {entry}\n"),
    }
}

fn dispatch(entry: &Value) -> String {
    let registers = &entry["registers"];
    let of = |value: &Value| value.as_u64().unwrap_or_default();
    let three = |value: &Value| format!("{}x{}x{}", value[0], value[1], value[2]);
    let rsrc = &registers["rsrc"];
    let mut text = format!(
        "{:20}{} groups of {} work-items in waves of {}: {} instructions, {} us\n",
        "",
        three(&entry["groups"]),
        three(&entry["group"]),
        entry["wave"],
        entry["instructions"],
        entry["micros"],
    );
    let _ = writeln!(
        text,
        "{:20}code {:#x}, RSRC {:08x} {:08x} {:08x}, initiator {:x}",
        "",
        of(&registers["entry"]),
        of(&rsrc[0]),
        of(&rsrc[1]),
        of(&rsrc[2]),
        of(&registers["initiator"]),
    );
    // RSRC2 says how many of them there are.
    let users = (of(&rsrc[1]) >> 1 & 0x1f) as usize;
    let user = registers["user"].as_array().map_or(&[][..], Vec::as_slice);
    let shown = user.iter().take(users).map(|word| format!("{:08x}", of(word)));
    let _ = writeln!(text, "{:20}user data {}", "", shown.collect::<Vec<_>>().join(" "));
    text
}
