//! What a run of suites has: which cases of all there are, in which units, for which engine.
//!
//! A device, and the emulator against itself, gets what the command line chooses: all, what filters want, or a [sample]. A recording gets what it has of
//! that, in the units in which it was made, whatever would be a sample now.

use super::Compared;
use super::pool::{self, Work};
use super::task::{Against, Task};
use crate::common::{self, AnyArch, Usage};
use crate::engines::Lanes;
use crate::journal::{self, SuiteCoverage};
use anyhow::Result;
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use wavediff::asm::near::near_miss;
use wavediff::suite::judge::Changes;
use wavediff::suite::plan::share;
use wavediff::suite::sample::{self, choose};
use wavediff::suite::{Entry, Plan, Suite, Unit};

/// What is run, and how.
#[derive(clap::Args, Debug, Default)]
pub struct Selection {
    /// Suites [default: all]
    #[arg(value_parser = suite)]
    suites: Vec<Suite>,
    /// Processors [default: one of each generation]
    #[arg(long, value_delimiter = ',', value_parser = common::any_arch)]
    arch: Vec<AnyArch>,
    /// The Vulkan device: its number, a part of its name, or its uuid
    #[arg(long)]
    pub device: Option<String>,
    /// How the lanes of a wave are laid over a Vulkan device
    #[arg(long, value_enum, default_value_t)]
    pub lanes: Lanes,
    /// Load Vulkan's validation layer: what it says is a failure
    #[arg(long)]
    pub validate: bool,
    /// Every case, and more instructions of each form
    #[arg(long, conflicts_with_all = ["every", "sample"])]
    all: bool,
    /// One of so many cases, whatever they cost
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    every: Option<u32>,
    /// A sample for about so many seconds on two cores: every row of every suite at least [default: 120, where a device is compared]
    #[arg(long, value_name = "S", conflicts_with = "every")]
    sample: Option<u64>,
    /// Inputs of an instruction [default: 16, in a sample 8]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    inputs: Option<u32>,
    /// All cases whose row, mnemonic or name matches: v_add_f32, ^memory/gfx900
    #[arg(long, value_name = "RE")]
    filter: Option<Regex>,
    /// None of the cases whose row, mnemonic or name matches
    #[arg(long, value_name = "RE")]
    exclude: Option<Regex>,
    /// This case: alu/gfx1100-w32/v_add_f32_e64, or one of its inputs with :7 behind it
    #[arg(long, value_name = "NAME", conflicts_with_all = ["suites", "arch", "filter", "exclude", "every", "sample"])]
    case: Vec<String>,
    /// The folder with the files of the suite `cases`
    #[arg(long, value_name = "DIR", default_value = CASES)]
    cases: PathBuf,
    /// What chance starts from
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Worker processes [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// How long a unit may take, in seconds
    #[arg(long, value_name = "S", default_value_t = TIMEOUT)]
    pub timeout: u64,
}

/// Where the files of the suite `cases` are.
const CASES: &str = "tests/cases/pass";
/// Inputs of an instruction, and in a sample: there each pattern of EXEC comes once.
const INPUTS: u32 = 16;
const INPUTS_SAMPLE: u32 = 8;
/// Instructions of a form beside the plain one; and where everything runs.
const MIXED: u32 = 1;
const MIXED_ALL: u32 = 3;
/// How long a unit may take, in seconds.
pub const TIMEOUT: u64 = 180;
/// How long a sample takes on two cores, in seconds.
const SAMPLE: u64 = 120;
/// How much of the time of two cores goes into cases: the rest is starting, planning, waiting for the last one.
const CORES: u64 = 2 * 800;
/// Random programs of each processor and wave size.
const PROGRAMS: u32 = 32;
/// R600, R700, one processor of each later generation, and gfx7.
const ARCHS: &[&str] =
    &["r600", "rv770", "gfx600", "gfx700", "gfx803", "gfx900", "gfx90a", "gfx1030", "gfx1100", "gfx1200"];

fn suite(name: &str) -> Result<Suite, String> {
    Suite::find(name).ok_or_else(|| {
        let names: Vec<&str> = Suite::ALL.iter().map(|suite| suite.name()).collect();
        format!("suites are {}", names.join(", "))
    })
}

/// A unit that an engine is to run.
pub struct Planned {
    /// The unit.
    pub unit: Unit,
    /// Only these singles.
    pub only: Option<Vec<u32>>,
    /// Only this input.
    pub input: Option<u32>,
    /// What was recorded of it.
    pub recorded: Option<Changes>,
}

impl Planned {
    /// The cases that run, without inputs, with their rows.
    pub fn cases(&self) -> Vec<(String, String)> {
        let all = (0..).zip(self.unit.cases());
        all.filter(|(n, _)| self.only.as_ref().is_none_or(|only| only.contains(n))).map(|(_, case)| case).collect()
    }
}

/// What was chosen.
pub struct Chosen {
    /// The plan that it is from.
    pub plan: Plan,
    /// The entries.
    pub entries: Vec<Entry>,
    /// All that there is to choose from.
    all: Vec<Entry>,
    /// Cases of which only one input is wanted, by place in `entries`.
    inputs: BTreeMap<usize, u32>,
    /// What is not in it, in words.
    pub left_out: Option<String>,
}

impl Selection {
    /// Whether everything runs that there is: then a line of a list that nothing needed is one too many.
    pub fn is_whole(&self) -> bool {
        self.all
            && self.suites.is_empty()
            && self.arch.is_empty()
            && self.case.is_empty()
            && self.filter.is_none()
            && self.exclude.is_none()
    }

    /// A selection of everything, for so many workers.
    pub fn everything(jobs: Option<u16>) -> Selection {
        Selection { jobs, timeout: TIMEOUT, cases: CASES.into(), seed: 1, ..Selection::default() }
    }

    /// Whether it is a sample: devices take their time to compile, so that not all runs on them if nothing else is said.
    fn is_sample(&self, slow: bool) -> bool {
        let explicit = self.all || self.every.is_some() || self.filter.is_some() || !self.case.is_empty();
        self.sample.is_some() || slow && !explicit
    }

    /// What is chosen for engines that are slow, or not.
    pub fn choose(&self, slow: bool) -> Result<Chosen> {
        if !self.case.is_empty() {
            return self.named();
        }
        let sampled = self.is_sample(slow);
        let archs = match &self.arch[..] {
            // Recordings have nothing of R600 and R700: without a device there is nothing to compare these with.
            [] => ARCHS
                .iter()
                .filter_map(|name| common::any_arch(name).ok())
                .filter(|arch| slow || arch.gcn().is_some())
                .collect(),
            archs => archs.to_vec(),
        };
        let suites = if self.suites.is_empty() { Suite::ALL.to_vec() } else { self.suites.clone() };
        let mixed = if self.all { MIXED_ALL } else { MIXED };
        let plan = self.plan(suites, archs, mixed, if sampled { INPUTS_SAMPLE } else { INPUTS });
        let mut all = plan.entries();
        all.retain(|entry| self.wants(entry.suite, entry.on.name(), &entry.path(), &entry.row, entry.form()));
        if all.is_empty() {
            return common::usage(
                "nothing is chosen: no case has a row, a mnemonic or a name that --filter matches and --exclude does not",
            );
        }
        let chosen = match self.every {
            _ if sampled => choose(&all, self.seed, self.sample.unwrap_or(SAMPLE) * CORES),
            Some(every) => sample::every(&all, every),
            None => (0..all.len()).collect(),
        };
        let left_out = (chosen.len() < all.len()).then(|| {
            format!(
                "{} of {} cases: --all runs every one, --sample S more of them",
                all.len() - chosen.len(),
                all.len()
            )
        });
        let entries = chosen.into_iter().map(|n| all[n].clone()).collect();
        Ok(Chosen { plan, entries, all, inputs: BTreeMap::new(), left_out })
    }

    fn plan(&self, suites: Vec<Suite>, all: Vec<AnyArch>, mixed: u32, inputs: u32) -> Plan {
        let inputs = self.inputs.unwrap_or(inputs);
        let archs = all.iter().filter_map(|arch| arch.gcn()).collect();
        let machines = all.iter().filter_map(|arch| arch.r600()).collect();
        Plan { suites, archs, machines, mixed, inputs, seed: self.seed, programs: PROGRAMS, files: self.files() }
    }

    /// The cases that `--case` names.
    fn named(&self) -> Result<Chosen> {
        let (mut all, mut inputs, mut plan) = (Vec::new(), BTreeMap::new(), None);
        for name in &self.case {
            let (path, input) = pool::split_input(name);
            let (suite, mine) = self.around(path)?;
            let entries = mine.entries();
            let Some(entry) = entries.iter().find(|entry| entry.path() == path) else {
                let names: Vec<String> = entries.iter().map(Entry::path).collect();
                let hint = near_miss(path, names.iter().map(String::as_str));
                let hint = hint.map_or(String::new(), |near| format!(" (did you mean `{near}`?)"));
                return common::usage(format!("there is no case `{path}`{hint}; --list prints all"));
            };
            if let Some(input) = input {
                if input >= mine.inputs.div_ceil(share(suite)) {
                    return common::usage(format!("`{path}` has no input {input} where --inputs is {}", mine.inputs));
                }
                inputs.insert(all.len(), input);
            }
            all.push(entry.clone());
            plan.get_or_insert(mine);
        }
        let Some(plan) = plan else { return common::usage("--case names nothing") };
        Ok(Chosen { plan, entries: all, all: Vec::new(), inputs, left_out: None })
    }

    /// All that is planned of the suite and the processor of a case, which is where `--case` looks for it.
    fn around(&self, path: &str) -> Result<(Suite, Plan)> {
        let parts: Vec<&str> = path.splitn(3, '/').collect();
        let [of, group, _] = parts[..] else {
            return common::usage(format!(
                "`{path}` is no name of a case: it is SUITE/PROCESSOR-wLANES/NAME, and --list prints all"
            ));
        };
        let suite = suite(of).map_err(Usage)?;
        let arch = group.rsplit_once("-w").map_or(group, |(arch, _)| arch);
        let arch = common::any_arch(arch).map_err(|e| Usage(format!("`{arch}` is no processor: {e}")))?;
        Ok((suite, self.plan(vec![suite], vec![arch], MIXED_ALL, INPUTS)))
    }

    /// The names that `--case` finds in the suite and on the processor of a case.
    pub fn names_around(&self, path: &str) -> HashSet<String> {
        self.around(path).map_or_else(|_| HashSet::new(), |(_, plan)| plan.entries().iter().map(Entry::path).collect())
    }

    /// What a command has to say of this one for a case of a suite to be there and to be given its time.
    pub fn said_again(&self, suite: Suite) -> Vec<String> {
        let mut words = Vec::new();
        if suite == Suite::Cases && self.cases != Path::new(CASES) {
            words.extend(["--cases".to_owned(), self.cases.display().to_string()]);
        }
        if self.timeout != TIMEOUT {
            words.extend(["--timeout".to_owned(), self.timeout.to_string()]);
        }
        words
    }

    /// Whether a case is one of those that are asked for.
    fn wants(&self, suite: Suite, arch: &str, path: &str, row: &str, form: &str) -> bool {
        (self.suites.is_empty() || self.suites.contains(&suite))
            && self.is_named(arch, &[path, row, form])
            && (self.case.is_empty() || self.case.iter().any(|case| pool::without_input(case) == path))
    }

    /// The inputs of a case that `--case` names; none where all are wanted.
    fn inputs_of(&self, path: &str) -> BTreeSet<u32> {
        let named = self.case.iter().map(|case| pool::split_input(case)).filter(|(name, _)| *name == path);
        let inputs: Option<BTreeSet<u32>> = named.map(|(_, input)| input).collect();
        inputs.unwrap_or_default()
    }

    /// Whether a cost is one of those that are asked for.
    pub fn wants_cost(&self, arch: &str, path: &str, name: &str) -> bool {
        self.is_named(arch, &[path, name])
    }

    /// Whether `--arch`, `--filter` and `--exclude` want what is of a processor and has these names.
    fn is_named(&self, arch: &str, names: &[&str]) -> bool {
        let matches = |filter: &Regex| names.iter().any(|name| filter.is_match(name));
        (self.arch.is_empty() || self.arch.iter().any(|wanted| wanted.name() == arch))
            && self.filter.as_ref().is_none_or(matches)
            && !self.exclude.as_ref().is_some_and(matches)
    }

    /// What an engine is to run.
    pub fn planned(&self, chosen: &Chosen, compared: &Compared) -> Vec<Planned> {
        match &compared.recording {
            Some(_) => self.recorded(compared),
            None => chosen.units(),
        }
    }

    /// What a recording has of what is asked for, as far as it is still what it was. A case of which some inputs are wanted is alone with each of them.
    pub fn recorded(&self, compared: &Compared) -> Vec<Planned> {
        let mut all = Vec::new();
        let units = compared.recording.iter().flat_map(|recording| &recording.units);
        for recorded in units.filter(|recorded| !recorded.stale) {
            let unit = &recorded.unit;
            let cases = unit.cases();
            let wanted = |(path, row): &(String, String)| {
                let form = path.rsplit('/').next().and_then(|name| name.split('~').next()).unwrap_or_default();
                self.wants(unit.suite, unit.on.name(), path, row, form)
            };
            let plain = |unit, only, input| Planned { unit, only, input, recorded: Some(recorded.changes.clone()) };
            let mut only = Vec::new();
            for (n, case) in (0..).zip(&cases).filter(|(_, case)| wanted(case)) {
                let inputs = if unit.content.instructions() > 0 { self.inputs_of(&case.0) } else { BTreeSet::new() };
                for input in &inputs {
                    let unit = of_input(Unit { name: case.0.clone(), ..unit.clone() }, Some(*input));
                    all.push(plain(unit, Some(vec![n]), Some(*input)));
                }
                if inputs.is_empty() {
                    only.push(n);
                }
            }
            if !only.is_empty() {
                let only = (only.len() < cases.len()).then_some(only);
                all.push(plain(unit.clone(), only, None));
            }
        }
        all
    }

    /// Has work done by workers, with a sign of life.
    pub fn work(
        &self,
        work: &[Work<'_>],
        stop: &AtomicBool,
        mut each: impl FnMut(journal::Unit, Changes) -> Result<()>,
    ) -> Result<()> {
        let jobs = self.jobs.map_or_else(common::cores, usize::from);
        let mut progress = super::progress::Progress::new(work.len());
        let limit = Duration::from_secs(self.timeout);
        let done = pool::run(work, jobs, limit, stop, |event| match event {
            pool::Event::Done(line, changes) => {
                progress.done();
                each(line, changes)
            }
            pool::Event::Waiting => {
                progress.waiting();
                Ok(())
            }
        });
        progress.finish();
        done
    }

    /// The files of the suites of files, where the program is started beside them.
    fn files(&self) -> Vec<(Suite, PathBuf)> {
        let mut all = Vec::new();
        let folders = [
            (Suite::Cases, self.cases.as_path()),
            (Suite::Cases, Path::new("tests/cases/r600")),
            (Suite::Kernels, Path::new("shaders")),
        ];
        for (suite, folder) in folders {
            collect(folder, suite, &mut all);
        }
        all.sort();
        all
    }
}

fn collect(folder: &Path, suite: Suite, all: &mut Vec<(Suite, PathBuf)>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, suite, all);
        } else if path.extension().is_some_and(|end| end == "s") {
            all.push((suite, path));
        }
    }
}

/// What a whole run is, of which shards are parts.
pub struct About {
    /// A digest of its units.
    pub digest: String,
    /// What of all there is they cover.
    pub coverage: Vec<SuiteCoverage>,
}

impl Chosen {
    /// What units make a whole run.
    pub fn about(&self, planned: &[(&Compared, Vec<Planned>)]) -> About {
        let units = planned.iter().flat_map(|(_, units)| units.iter().map(|planned| &planned.unit));
        About { digest: Plan::digest(units), coverage: self.coverage(planned) }
    }

    /// What of all there is some units cover, as the journal has it.
    fn coverage(&self, planned: &[(&Compared, Vec<Planned>)]) -> Vec<SuiteCoverage> {
        let units = planned.iter().flat_map(|(_, units)| units);
        let names: BTreeSet<String> = units.flat_map(Planned::cases).map(|(name, _)| name).collect();
        let line = |(suite, found): (Suite, sample::Coverage)| SuiteCoverage {
            suite: suite.name().to_owned(),
            forms: found.forms.len() as u64,
            missing_forms: found.forms.into_iter().filter(|(_, there)| !there).map(|(name, _)| name).collect(),
            rows: found.rows.into_keys().collect(),
        };
        sample::coverage(&self.all, |name| names.contains(name)).into_iter().map(line).collect()
    }

    /// The entries in units. A case of which one input is wanted is alone.
    fn units(&self) -> Vec<Planned> {
        let plain = |unit, input| Planned { unit, only: None, input, recorded: None };
        if self.inputs.is_empty() {
            return self.plan.units(&self.entries).into_iter().map(|unit| plain(unit, None)).collect();
        }
        let alone = |(n, entry): (usize, &Entry)| {
            let (units, input) = (self.plan.units(std::slice::from_ref(entry)), self.inputs.get(&n).copied());
            units.into_iter().map(move |unit| plain(of_input(unit, input), input))
        };
        self.entries.iter().enumerate().flat_map(alone).collect()
    }
}

/// A unit of which one input alone is wanted says so in its name: another one may be wanted too, and no two units are called alike. What is one case as a
/// whole is called what that case is.
fn of_input(unit: Unit, input: Option<u32>) -> Unit {
    match input.filter(|_| unit.content.instructions() > 0) {
        Some(input) => Unit { name: format!("{}:{input}", unit.name), ..unit },
        None => unit,
    }
}

/// The work: every unit on its engine.
pub fn work<'u>(planned: &'u [(&'u Compared, Vec<Planned>)], record: bool) -> Vec<Work<'u>> {
    let one = |compared: &Compared, planned: &'u Planned| {
        let unit = &planned.unit;
        let against = match (&compared.against, &planned.recorded) {
            (Against::Golden { of_card, .. }, Some(changes)) => {
                Against::Golden { changes: Some(changes.clone()), of_card: *of_card }
            }
            _ => compared.against.clone(),
        };
        let task = Task {
            unit: unit.name.clone(),
            suite: unit.suite.name().to_owned(),
            arch: unit.on.name().to_owned(),
            lanes: unit.on.lanes(),
            work: super::task::Job::of(unit),
            only: planned.only.clone(),
            input: planned.input,
            record,
            against,
        };
        Work { unit, task, engine: compared.info.name.clone(), left_out: Vec::new() }
    };
    planned.iter().flat_map(|(compared, units)| units.iter().map(move |unit| one(compared, unit))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::task::Job;
    use super::*;
    use crate::recording::{Recorded, Recording};
    use wavediff::isa::{Arch, Target};
    use wavediff::suite::Processor;
    use wavediff::suite::stage::INPUTS as DRAWN;

    /// A unit with its singles and the input.
    type Taken = (String, Option<Vec<u32>>, Option<u32>);

    /// Of a recording of two instructions with four inputs each, what `--case` takes.
    fn taken(case: &[&str]) -> Vec<Taken> {
        let on = Processor::Waves(Target::new(Arch::find("gfx900").expect("a processor")), 64);
        let singles = [("v_add_f32_e32", 0x0200_0501), ("v_sub_f32_e32", 0x0400_0501)];
        let singles = singles.map(|(name, word)| (name.to_owned(), vec![word])).to_vec();
        let job = Job::Singles { seed: 1, inputs: 4, singles };
        let unit = job.unit("alu/gfx900-w64/v_add_f32_e32+1", Suite::Alu, on).expect("a unit");
        let recording = Recording {
            name: "some-card".to_owned(),
            engine: "vulkan:some card".to_owned(),
            driver: String::new(),
            of_card: false,
            provenance: BTreeMap::new(),
            inputs: DRAWN,
            units: vec![Recorded { unit, stale: false, changes: Changes::new() }],
        };
        let case = case.iter().map(|name| format!("alu/gfx900-w64/{name}")).collect();
        let selection = Selection { case, ..Selection::everything(None) };
        let planned = selection.recorded(&Compared::of(recording)).into_iter();
        planned.map(|planned| (planned.unit.name, planned.only, planned.input)).collect()
    }

    #[test]
    fn of_a_recording_the_inputs_run_that_are_named() {
        let all = |only: Option<Vec<u32>>| -> Taken { ("alu/gfx900-w64/v_add_f32_e32+1".to_owned(), only, None) };
        let one = |name: &str, single: u32, input: u32| -> Taken {
            (format!("alu/gfx900-w64/{name}:{input}"), Some(vec![single]), Some(input))
        };
        assert_eq!(taken(&[]), [all(None)]);
        assert_eq!(taken(&["v_sub_f32_e32"]), [all(Some(vec![1]))]);
        assert_eq!(taken(&["v_sub_f32_e32:3"]), [one("v_sub_f32_e32", 1, 3)]);
        let several = taken(&["v_add_f32_e32:2", "v_add_f32_e32:0", "v_add_f32_e32:2", "v_sub_f32_e32"]);
        assert_eq!(several, [one("v_add_f32_e32", 0, 0), one("v_add_f32_e32", 0, 2), all(Some(vec![1]))]);
        // All inputs have this one among them.
        assert_eq!(taken(&["v_add_f32_e32:2", "v_add_f32_e32"]), [all(Some(vec![0]))]);
    }
}
