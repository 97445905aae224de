//! `conform --timing FILE`: in place of values, the costs of instructions by the clock of the model, beside those that a file has of a card or of an
//! earlier run.
//!
//! Each run of a file (a processor, a size of waves) is a unit; a cost is a case, `timing/gfx906-w64/v_mul_lo_u32/rate`, which passes if it is as near
//! as `--within` says. All else is as with the suites: the journal, the reports, the lists of what is known to differ.

use super::{Args, finish};
use crate::bench::{self, compare};
use crate::common::usage;
use crate::expect::Expectations;
use crate::journal::{self, CaseResult, End, EngineInfo, Header, Journal, Line, Shown, Unit, Wanted};
use crate::timing::compare::Verdict;
use anyhow::Result;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;
use wavediff::engine::Status;
use wavediff::isa::{Arch, Target};

/// The suite in which costs are counted.
const SUITE: &str = "timing";

/// A recorded run, and what it is of.
struct Recorded<'a> {
    file: &'a Path,
    run: &'a Value,
    target: Target,
    lanes: u32,
}

impl<'a> Recorded<'a> {
    fn of(file: &'a Path, run: &'a Value) -> Result<Recorded<'a>> {
        let name = run["arch"].as_str().unwrap_or_default();
        let arch = Arch::find(name).ok_or(format!("`{name}` is no processor"));
        let lanes = run["lanes"].as_u64().unwrap_or_default() as u32;
        let target = arch
            .and_then(|arch| Target::new(arch).wave(lanes).ok_or(format!("waves of {name} do not have {lanes} lanes")));
        match target {
            Ok(target) if run["in"] == "clocks" => Ok(Recorded { file, run, target, lanes }),
            Ok(_) => usage(format!("{}: only clocks can be compared with those of the model", file.display())),
            Err(why) => usage(format!("{}: {why}", file.display())),
        }
    }

    fn engine(&self) -> EngineInfo {
        let text = |key: &str| self.run[key].as_str().unwrap_or_default().to_owned();
        EngineInfo { name: text("engine"), driver: text("source") }
    }

    /// `timing/gfx906-w64`
    fn unit(&self) -> String {
        format!("{SUITE}/{}-w{}", self.target.arch.name, self.lanes)
    }

    /// What is recorded and wanted: a name, a kind of cost, the cost.
    fn costs(&self, args: &Args) -> Vec<(&'a str, &'static str, f64)> {
        let wanted =
            |name: &str| args.selection.wants_cost(self.target.arch.name, &format!("{}/{name}", self.unit()), name);
        let all = compare::costs(self.run).map(|((name, kind), each)| (name, kind, each));
        all.filter(|(name, ..)| wanted(name)).collect()
    }

    /// Measures what is recorded, and compares.
    fn compared(&self, costs: &[(&str, &'static str, f64)], within: f64) -> Result<Unit> {
        let begin = Instant::now();
        let now = bench::clocks(self.target, |name| costs.iter().any(|(recorded, ..)| *recorded == name))?;
        let now: HashMap<_, _> =
            compare::costs(&now).map(|((name, kind), each)| ((name.to_owned(), kind), each)).collect();
        let mut unit = Unit {
            unit: self.unit(),
            suite: SUITE.to_owned(),
            arch: self.target.arch.name.to_owned(),
            lanes: self.lanes,
            engine: self.engine().name,
            ..Unit::default()
        };
        for (name, kind, then) in costs {
            let result = self.result(name, kind, now.get(&((*name).to_owned(), *kind)).copied(), *then, within);
            unit.add(name, result.status().unwrap_or(Status::Pass), 1);
            if result.status() != Some(Status::Pass) {
                unit.results.push(result);
            }
        }
        unit.seconds = begin.elapsed().as_secs_f64();
        Ok(unit)
    }

    /// What comes of a cost.
    fn result(&self, name: &str, kind: &str, now: Option<f64>, then: f64, within: f64) -> CaseResult {
        let verdict = now.map(|now| Verdict::of(now, then, within));
        let (status, reason) = match verdict {
            None => (Status::Unsupported, "it is not measured".to_owned()),
            Some(Verdict::Alike) => (Status::Pass, String::new()),
            Some(verdict) => (Status::Fail, format!("{} than recorded by more than {within} %", verdict.word())),
        };
        let clocks = |n: f64| format!("{} clocks", (n * 1000.0).round() / 1000.0);
        let differences = now.map(|now| Shown {
            place: kind.to_owned(),
            expected: clocks(now),
            got: clocks(then),
            apart: format!("{:.3} times", now / then),
        });
        CaseResult {
            case: format!("{}/{name}/{kind}", self.unit()),
            row: name.to_owned(),
            text: name.to_owned(),
            status: status.name().to_owned(),
            reason,
            count: 1,
            differences: differences.into_iter().collect(),
            again: format!(
                "wavediff bench --arch {} --wave {} --filter '^{name}$' --all --compare {}",
                self.target.arch.name,
                self.lanes,
                self.file.display()
            ),
            ..CaseResult::default()
        }
    }
}

/// Runs the subcommand for costs.
pub fn run(args: &Args) -> Result<ExitCode> {
    let start = Instant::now();
    let files = args.timing.iter().map(|file| Ok((file, compare::read(file)?))).collect::<Result<Vec<_>>>()?;
    let runs = files.iter().flat_map(|(file, recorded)| recorded.runs().iter().map(|run| (file.as_path(), run)));
    let runs = runs.map(|(file, run)| Recorded::of(file, run)).collect::<Result<Vec<_>>>()?;
    let mut wanted: Vec<_> = runs.iter().map(|run| (run, run.costs(args))).collect();
    wanted.retain(|(_, costs)| !costs.is_empty());
    if wanted.is_empty() {
        return usage("nothing is chosen: no file has a cost of these processors and names");
    }
    let mut engines = vec![EngineInfo { name: "emu".to_owned(), driver: "the model of the clock".to_owned() }];
    for (run, _) in &wanted {
        if !engines.iter().any(|engine| engine.name == run.engine().name) {
            engines.push(run.engine());
        }
    }
    let mut archs: Vec<String> = wanted.iter().map(|(run, _)| run.target.arch.name.to_owned()).collect();
    archs.dedup();
    let plan: Vec<u8> = wanted.iter().flat_map(|(run, _)| run.run.to_string().into_bytes()).collect();
    let header = Header {
        plan: format!("{:08x}", journal::line::crc32(&plan)),
        units: wanted.len() as u64,
        suites: vec![SUITE.to_owned()],
        archs,
        engines,
        ..Header::begun()
    };
    let names: Vec<String> = wanted.iter().map(|(run, _)| run.unit()).collect();
    let new = Wanted { new: args.jsonl.as_deref(), force: args.force, resume: None };
    let (mut writer, _) = journal::open(new, &header, names.iter().map(String::as_str))?;
    let mut lists = BTreeMap::new();
    let mut units = Vec::new();
    for (run, costs) in &wanted {
        let mut unit = run.compared(costs, args.within)?;
        let list = match lists.entry(unit.engine.clone()) {
            std::collections::btree_map::Entry::Occupied(list) => list.into_mut(),
            std::collections::btree_map::Entry::Vacant(place) => {
                place.insert(Expectations::load(&args.expect, &run.engine().name)?)
            }
        };
        let cases: Vec<(String, String)> =
            costs.iter().map(|(name, kind, _)| (format!("{}/{name}/{kind}", run.unit()), (*name).to_owned())).collect();
        list.unit(&mut unit, &cases);
        if let Some(writer) = &mut writer {
            writer.line(&Line::Unit(unit.clone()))?;
        }
        units.push(unit);
    }
    let end = End { interrupted: false, seconds: start.elapsed().as_secs_f64() };
    if let Some(writer) = &mut writer {
        writer.line(&Line::End(end.clone()))?;
    }
    let mut listed = true;
    for problem in lists.values().flat_map(|list| list.problems(false, std::env::var_os("CI").is_some())) {
        listed &= !problem.error;
        problem.tell();
    }
    finish(args, &Journal { header, units, end: Some(end), ..Journal::default() }, listed)
}
