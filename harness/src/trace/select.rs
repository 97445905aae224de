//! Which steps are shown: by number, by place, by label, by what they touch.

use crate::common::{self, usage};
use crate::tell;
use anyhow::Result;
use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::{Mutex, PoisonError};
use wavediff::asm::near::near_miss;
use wavediff::emu::group::Group;
use wavediff::emu::plan::Step;
use wavediff::emu::traced::Watch;
use wavediff::emu::traced::record::{Event, Recorder};
use wavediff::emu::wave::Wave;

/// One wave, or all.
#[derive(Clone, Copy, Debug)]
pub struct Which(pub Option<([u32; 3], u32)>);

/// Reads `--wave`.
pub fn wave(text: &str) -> Result<Which, String> {
    if text == "all" {
        return Ok(Which(None));
    }
    let bad = || "`all`, a number, or GROUP:WAVE, as 3:0 or 1,2,0:1".to_owned();
    let number = |text: &str| text.trim().parse::<u32>().map_err(|_| bad());
    let (group, wave) = text.split_once(':').unwrap_or(("0", text));
    let mut id = [0; 3];
    let parts: Vec<&str> = group.split(',').collect();
    if parts.len() > 3 {
        return Err(bad());
    }
    for (to, part) in id.iter_mut().zip(parts) {
        *to = number(part)?;
    }
    Ok(Which(Some((id, number(wave)?))))
}

/// What is said of a wave that was named and is not there.
pub fn no_wave<T>(([x, y, z], number): ([u32; 3], u32)) -> Result<T> {
    usage(format!("there is no wave {x},{y},{z}:{number}"))
}

/// Lanes as a mask.
#[derive(Clone, Copy, Debug)]
pub struct Lanes(pub u64);

/// Reads `--show-lanes`.
pub fn lanes(text: &str) -> Result<Lanes, String> {
    let mut mask = 0;
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let number = |text: &str| text.trim().parse::<u32>().ok().filter(|n| *n < 64);
        let bad = || "lanes from 0 to 63, as 0,3-5".to_owned();
        let (first, last) = (number(first).ok_or_else(bad)?, number(last).ok_or_else(bad)?);
        if first > last {
            return Err(bad());
        }
        mask |= (u64::MAX >> (63 - (last - first))) << first;
    }
    Ok(Lanes(mask))
}

/// Says of `--lanes`, which elsewhere lays lanes over a device, what it is called here.
pub fn not_lanes(_: &str) -> Result<String, String> {
    Err("--lanes says how lanes are laid over a device, and nothing is here; the lanes to show are --show-lanes"
        .to_owned())
}

/// Where a trace begins or ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bound {
    /// At an instruction of the wave, counted from 0.
    Number(u64),
    /// Where the wave comes to a label.
    Label(String),
}

/// Reads `--from` and `--to`.
pub fn bound(text: &str) -> Result<Bound, String> {
    match text.parse() {
        Ok(number) => Ok(Bound::Number(number)),
        Err(_) if text.starts_with(|c: char| c.is_ascii_digit() || c == '-') || text.is_empty() => {
            Err("a number of an instruction, or a label".to_owned())
        }
        Err(_) => Ok(Bound::Label(text.to_owned())),
    }
}

/// The labels of a program: names, and places in bytes from the start of the text.
pub type Labels = [(String, u64)];

/// The place of a label.
fn label(labels: &Labels, name: &str) -> Result<u64> {
    if let Some((_, pc)) = labels.iter().find(|(label, _)| label == name) {
        return Ok(*pc);
    }
    let hint = match near_miss(name, labels.iter().map(|(label, _)| label.as_str())) {
        Some(near) => format!("did you mean `{near}`?"),
        None if labels.is_empty() => "the program has none".to_owned(),
        None => format!("it has {}", some(labels.iter().map(|(label, _)| label.as_str()))),
    };
    usage(format!("there is no label `{name}`; {hint}"))
}

/// The first of some names.
fn some<'n>(names: impl Iterator<Item = &'n str>) -> String {
    const SHOWN: usize = 8;
    let all: Vec<&str> = names.collect();
    let more = if all.len() > SHOWN { " and more" } else { "" };
    format!("{}{more}", all[..all.len().min(SHOWN)].join(", "))
}

/// Reads `--pc`: places and ranges of them, by address or label.
pub fn places(list: &[String], labels: &Labels) -> Result<Vec<RangeInclusive<u64>>> {
    let place = |text: &str| -> Result<u64> {
        let number = match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => text.parse().ok(),
        };
        number.map_or_else(|| label(labels, text), Ok)
    };
    list.iter()
        .map(|one| match one.split_once('-') {
            Some((first, last)) => Ok(place(first)?..=place(last)?),
            None => place(one).map(|at| at..=at),
        })
        .collect()
}

/// How far a wave has come.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Phase {
    #[default]
    Before,
    Inside,
    Behind,
}

/// Labels between which waves are looked at. A wave may be driven in several pieces, so that what it came to is kept.
#[derive(Default)]
pub struct Gate {
    from: Option<u64>,
    to: Option<u64>,
    phases: Mutex<HashMap<([u32; 3], u32), Phase>>,
}

impl Gate {
    /// A gate between two bounds, and the numbers that are left of them.
    pub fn new(from: &Bound, to: Option<&Bound>, labels: &Labels) -> Result<(Gate, RangeInclusive<u64>)> {
        let place = |bound: &Bound| match bound {
            Bound::Number(_) => Ok(None),
            Bound::Label(name) => label(labels, name).map(Some),
        };
        let number = |bound: &Bound| if let Bound::Number(n) = bound { Some(*n) } else { None };
        let first = number(from).unwrap_or(0);
        let last = to.and_then(number).unwrap_or(u64::MAX);
        let gate = Gate { from: place(from)?, to: to.map(place).transpose()?.flatten(), phases: Mutex::default() };
        Ok((gate, first..=last))
    }

    /// Runs something that looks at a wave through the gate.
    pub fn through(&self, who: ([u32; 3], u32), recorder: Recorder<'_>, run: impl FnOnce(&mut dyn Watch)) {
        let phases = || self.phases.lock().unwrap_or_else(PoisonError::into_inner);
        let start = if self.from.is_none() { Phase::Inside } else { Phase::Before };
        let phase = phases().get(&who).copied().unwrap_or(start);
        let mut gated = Gated { gate: self, recorder, phase };
        run(&mut gated);
        if gated.phase != phase {
            phases().insert(who, gated.phase);
        }
    }
}

struct Gated<'g, 'r> {
    gate: &'g Gate,
    recorder: Recorder<'r>,
    phase: Phase,
}

impl Watch for Gated<'_, '_> {
    fn before(&mut self, wave: &Wave, step: &Step, group: &Group<'_>) {
        if self.phase == Phase::Before && self.gate.from == Some(u64::from(step.at) * 4) {
            self.phase = Phase::Inside;
        }
        if self.phase == Phase::Inside {
            self.recorder.before(wave, step, group);
        }
    }

    fn after(&mut self, wave: &Wave, step: &Step, group: &Group<'_>) {
        if self.phase == Phase::Inside {
            self.recorder.after(wave, step, group);
            if self.gate.to == Some(u64::from(step.at) * 4) {
                self.phase = Phase::Behind;
            }
        }
    }
}

/// Registers and memory that steps must read or write to be shown.
#[derive(Debug, Default)]
pub struct Watched(Vec<String>);

/// Single registers behind a name; both halves of a mask.
fn singles(place: &str) -> Vec<String> {
    let place = place.replace(' ', "");
    if let "vcc" | "exec" = &place[..] {
        return vec![format!("{place}_lo"), format!("{place}_hi")];
    }
    let range = || -> Option<Vec<String>> {
        let (letters, inner) = place.split_once('[')?;
        let (first, last) = inner.strip_suffix(']')?.split_once(':')?;
        let (first, last) = (first.parse::<u32>().ok()?, last.parse::<u32>().ok()?);
        (first <= last && last < 1024).then(|| (first..=last).map(|n| format!("{letters}{n}")).collect())
    };
    range().unwrap_or_else(|| vec![place.clone()])
}

/// Whether a name is that of a register.
fn is_register(name: &str) -> bool {
    const SPECIAL: [&str; 10] = [
        "vcc_lo",
        "vcc_hi",
        "exec_lo",
        "exec_hi",
        "scc",
        "m0",
        "mode",
        "trapsts",
        "flat_scratch_lo",
        "flat_scratch_hi",
    ];
    let numbered = ["ttmp", "v", "s", "a"].iter().find_map(|letters| name.strip_prefix(letters));
    SPECIAL.contains(&name) || numbered.is_some_and(|n| n.parse::<u32>().is_ok_and(|n| n < 256))
}

impl Watched {
    /// Reads `--watch`; `memory` are the names of what is mapped.
    pub fn new(list: &[String], memory: &[String]) -> Result<Watched> {
        let memory: Vec<String> = memory.iter().map(|name| name.replace(' ', "")).chain(["lds".to_owned()]).collect();
        let mut all = Vec::new();
        for one in list {
            for single in singles(&one.to_ascii_lowercase()) {
                let region = memory.iter().find(|name| name.eq_ignore_ascii_case(&single)).cloned();
                if region.is_none() && !is_register(&single) {
                    let names = some(memory.iter().map(String::as_str));
                    return usage(format!(
                        "there is no `{one}` to watch: name registers, as v3,s[4:5],vcc,scc, or memory: {names}"
                    ));
                }
                all.push(region.unwrap_or(single));
            }
        }
        Ok(Watched(all))
    }

    /// Whether a step touches what is watched. Without anything to watch every step does.
    pub fn wants(&self, event: &Event) -> bool {
        let watched = |place: &str| singles(place).iter().any(|single| self.0.contains(single));
        self.0.is_empty()
            || event.reads.iter().chain(&event.writes).any(|item| watched(&item.place))
            || event.touched.iter().any(|place| place.region.as_ref().is_some_and(|(name, _)| watched(name)))
            || event.touched.iter().any(|place| {
                place.at.space == wavediff::emu::memory::TouchedSpace::Lds && self.0.iter().any(|name| name == "lds")
            })
    }
}

/// Says that nothing was shown, if so.
pub fn said(count: u64, file: &str) {
    if count == 0 {
        tell!("{}: {file}: no executed instruction is among those asked for", common::Paint::stderr().yellow("note"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_for_single_registers() {
        assert_eq!(singles("v[2:4]"), ["v2", "v3", "v4"]);
        assert_eq!(singles("vcc"), ["vcc_lo", "vcc_hi"]);
        assert_eq!(singles("arg 1"), ["arg1"]);
        let memory = ["arg 0".to_owned(), "out".to_owned()];
        let list = |text: &str| text.split(',').map(str::to_owned).collect::<Vec<_>>();
        assert!(Watched::new(&list("V3,s[4:5],vcc,scc,lds,arg0,out"), &memory).is_ok());
        for wrong in ["w3", "v256", "output", ""] {
            assert!(Watched::new(&list(wrong), &memory).is_err(), "{wrong}");
        }
    }

    #[test]
    fn places_are_numbers_ranges_and_labels() {
        let labels = [("loop".to_owned(), 8)];
        let list = |text: &str| text.split(',').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(places(&list("0x10,loop,loop-0x20"), &labels).expect("places"), [16..=16, 8..=8, 8..=32]);
        assert!(places(&list("lop"), &labels).is_err_and(|e| e.to_string().contains("did you mean `loop`?")));
        assert_eq!(bound("12"), Ok(Bound::Number(12)));
        assert_eq!(bound("loop"), Ok(Bound::Label("loop".to_owned())));
        assert!(bound("-1").is_err() && bound("1x").is_err());
    }
}
