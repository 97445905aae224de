//! `wavediff report merge`: the shards of one plan as the run that they are parts of.
//!
//! Units come sorted by name, so that merged shards and a whole run are compared line by line. A unit that several journals have is taken once, if what came
//! of it is the same; times are not results. A header says how many units there are, not which, so that what is missing is counted.

use super::tally;
use super::text::counted;
use crate::journal::{End, Header, Journal, Unit};
use anyhow::{Context, Result, bail};
use std::collections::{BTreeMap, BTreeSet};

/// What shards make together.
#[derive(Debug)]
pub struct Merged {
    /// The run.
    pub journal: Journal,
    /// What a whole run would have beside it.
    pub missing: Vec<String>,
}

/// Merges journals, each with the name of its file.
pub fn merge(parts: &[(String, Journal)]) -> Result<Merged> {
    let (first, rest) = parts.split_first().context("there is nothing to merge")?;
    for (name, part) in rest {
        let (a, b) = (&first.1.header, &part.header);
        let differs = |what: &str, a: &str, b: &str| -> Result<()> {
            if a != b {
                bail!("{name} is of another run than {}: {what} {b}, not {a}", first.0);
            }
            Ok(())
        };
        differs("plan", &a.plan, &b.plan)?;
        differs("seed", &a.seed.to_string(), &b.seed.to_string())?;
        differs("version", &a.version, &b.version)?;
        let of = |header: &Header| header.shard.map_or("no shards".to_owned(), |[_, n]| format!("{n} shards"));
        if a.shard.is_some() && b.shard.is_some() {
            differs("parts:", &of(a), &of(b))?;
        }
    }
    let units = units(parts)?;
    let header = header(parts);
    let mut journal = Journal { end: end(parts), header, units, ..Journal::default() };
    journal.header.units = journal.header.units.max(tally::units(&journal));
    let missing = missing(parts);
    // Whoever reads the result must see that it is not all.
    union(&mut journal.header.left_out, &missing);
    Ok(Merged { journal, missing })
}

/// All units, each once, by name and then in the order of engines.
fn units(parts: &[(String, Journal)]) -> Result<Vec<Unit>> {
    let mut all: BTreeMap<(&str, &str), (&str, &Unit)> = BTreeMap::new();
    for (name, part) in parts {
        for unit in &part.units {
            if let Some((other, before)) = all.insert((&unit.unit, &unit.engine), (name, unit)) {
                let untimed = |unit: &Unit| Unit { seconds: 0.0, ..unit.clone() };
                if untimed(before) != untimed(unit) {
                    bail!("{} on {} is in {other} and in {name}, and not the same", unit.unit, unit.engine);
                }
                // The first one stays, as in a journal that has it twice.
                all.insert((&unit.unit, &unit.engine), (other, before));
            }
        }
    }
    Ok(all.into_values().map(|(_, unit)| unit.clone()).collect())
}

/// Adds what a list does not have.
fn union<T: Clone + PartialEq>(all: &mut Vec<T>, more: &[T]) {
    for one in more {
        if !all.contains(one) {
            all.push(one.clone());
        }
    }
}

fn header(parts: &[(String, Journal)]) -> Header {
    let mut header = parts.first().map(|p| p.1.header.clone()).unwrap_or_default();
    for (_, part) in parts {
        let other = &part.header;
        union(&mut header.suites, &other.suites);
        union(&mut header.archs, &other.archs);
        union(&mut header.engines, &other.engines);
        union(&mut header.left_out, &other.left_out);
        header.began = header.began.min(other.began);
    }
    let shards: BTreeMap<Option<[u32; 2]>, u64> = parts.iter().map(|(_, p)| (p.header.shard, p.header.units)).collect();
    header.units = match shards.get(&None) {
        Some(whole) => *whole,
        None => shards.values().sum(),
    };
    header.command = unsharded(&header.command);
    header.shard = None;
    header
}

/// A command line without its `--shard`.
fn unsharded(command: &[String]) -> Vec<String> {
    let mut words = command.iter();
    let mut all = Vec::new();
    while let Some(word) = words.next() {
        if word == "--shard" {
            words.next();
        } else if !word.starts_with("--shard=") {
            all.push(word.clone());
        }
    }
    all
}

/// The whole ends when its last part does; each took its own time, beside the others.
fn end(parts: &[(String, Journal)]) -> Option<End> {
    let ends: Option<Vec<&End>> = parts.iter().map(|(_, part)| part.end.as_ref()).collect();
    let ends = ends?;
    let seconds = ends.iter().map(|end| end.seconds).fold(0.0, f64::max);
    Some(End { interrupted: ends.iter().any(|end| end.interrupted), seconds })
}

/// What a whole run would have beside what is there.
fn missing(parts: &[(String, Journal)]) -> Vec<String> {
    let mut all = Vec::new();
    let mut there: BTreeSet<u32> = BTreeSet::new();
    let mut of = 0;
    for (name, part) in parts {
        if let Some([k, n]) = part.header.shard {
            there.insert(k);
            of = n;
        }
        let whole = part.header.shard.is_none();
        let (done, wanted) = (tally::units(part), part.header.units);
        let cut = if part.end.is_none() { ", and was cut off" } else { "" };
        if done < wanted {
            all.push(format!("{name} has {done} of {}{cut}", counted(wanted, "unit")));
        } else if part.end.is_none() {
            all.push(format!("{name} has all its units, but no end"));
        }
        if whole {
            there.extend(1..=of);
        }
    }
    let whole = parts.iter().any(|(_, p)| p.header.shard.is_none());
    let absent: Vec<u32> = if whole { Vec::new() } else { (1..=of).filter(|k| !there.contains(k)).collect() };
    all.extend(absent.iter().map(|k| format!("shard {k}/{of} is not there")));
    all
}
