//! Which tests meet what: each is run once, right, and says which rows it executes, which meanings,
//! and which places of mistakes it passes.

use crate::evidence::{Evidence, Kind};
use crate::programs::{Ended, Program, folder};
use crate::rows::PROCESSORS;
use crate::work::each;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use wavediff::fault::coverage::COVERAGE;
use wavediff::isa::Arch;

/// A test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trial {
    /// Its program's number.
    pub program: usize,
    pub name: String,
    /// How long it takes.
    pub millis: u64,
}

/// What all tests meet.
#[derive(Default)]
pub struct Record {
    pub trials: Vec<Trial>,
    /// Where it is kept.
    path: PathBuf,
    /// By what is met, as [`wavediff::fault::coverage`] writes it: the numbers of the tests.
    met: BTreeMap<String, Vec<u32>>,
}

/// Tests of one program that run together.
struct Job {
    program: usize,
    names: Vec<String>,
}

/// How many tests of a program that can say which one is running run in one process.
const TOGETHER: usize = 60;
/// Nothing takes longer.
const MOST: Duration = Duration::from_secs(1200);

impl Record {
    /// The tests that meet something.
    pub fn of(&self, item: &str) -> &[u32] {
        self.met.get(item).map_or(&[], Vec::as_slice)
    }

    /// Says which evidence is not at hand: then what it alone would notice counts as not noticed.
    pub fn say_missing(&self, programs: &[Program]) {
        let met: BTreeSet<u32> = self.met.values().flatten().copied().collect();
        let kinds: BTreeSet<Kind> = met
            .iter()
            .map(|number| &self.trials[*number as usize])
            .filter_map(|trial| Evidence::of(programs[trial.program].name, &trial.name))
            .map(|evidence| evidence.kind)
            .collect();
        for kind in Kind::ALL.iter().filter(|kind| !kinds.contains(kind)) {
            println!("skipped: no test at hand is evidence of the kind {} (are the facts in ../shared?)", kind.name());
        }
    }

    /// Where runs of the same tests are noted.
    pub fn journal(&self) -> PathBuf {
        self.path.with_extension("journal")
    }

    /// Runs all tests, or reads what they met when they last ran.
    pub fn make(programs: &[Program]) -> Result<Record, String> {
        // What a program prepares at its first run, it prepares here, where nothing takes it for a hang.
        let trials: Vec<Vec<String>> = programs.iter().map(Program::trials).collect::<Result<_, _>>()?;
        let path = kept(programs);
        if let Ok(text) = std::fs::read_to_string(&path) {
            return Ok(Record { path, ..Record::read(&text) });
        }
        let mut jobs = Vec::new();
        for (number, (program, names)) in programs.iter().zip(trials).enumerate() {
            let together = if program.harness == crate::evidence::Harness::Trials { TOGETHER } else { 1 };
            jobs.extend(names.chunks(together).map(|names| Job { program: number, names: names.to_vec() }));
        }
        println!("{} processes that record what tests meet, into {}", jobs.len(), path.display());
        let texts = each(&jobs, |number, job| record(&programs[job.program], job, number));
        let mut text = String::new();
        for one in texts {
            text += &one?;
        }
        std::fs::write(&path, &text).map_err(|e| e.to_string())?;
        Ok(Record { path, ..Record::read(&text) })
    }

    /// Lines of the program's number, the test, and what [`wavediff::fault::coverage`] writes
    /// behind it.
    fn read(text: &str) -> Record {
        let mut record = Record::default();
        let mut numbers: HashMap<(usize, &str), u32> = HashMap::new();
        for line in text.lines() {
            let mut parts = line.splitn(3, '\t');
            let (Some(program), Some(name), Some(item)) = (parts.next(), parts.next(), parts.next()) else { continue };
            let program = program.parse().unwrap_or(0);
            let trial = *numbers.entry((program, name)).or_insert_with(|| {
                record.trials.push(Trial { program, name: name.to_owned(), millis: 10 });
                record.trials.len() as u32 - 1
            });
            match item.strip_prefix("time\t") {
                Some(millis) => record.trials[trial as usize].millis = millis.parse().unwrap_or(10),
                None => {
                    let met = record.met.entry(on_its_kind(item)).or_default();
                    if met.last() != Some(&trial) {
                        met.push(trial);
                    }
                }
            }
        }
        record
    }
}

/// What is met on a processor is met on [the one of its kind](PROCESSORS): no row tells those of a variant apart.
fn on_its_kind(item: &str) -> String {
    let of_kind = || {
        let (row, rest) = item.strip_prefix("row\t")?.split_once('@')?;
        let (arch, part) = rest.split_once('/')?;
        let variant = Arch::find(arch)?.variant;
        let kind = PROCESSORS.iter().find(|name| Arch::find(name).is_some_and(|arch| arch.variant == variant))?;
        Some(format!("row\t{row}@{kind}/{part}"))
    };
    of_kind().unwrap_or_else(|| item.to_owned())
}

/// Where it is kept: under a name that changes with the programs.
fn kept(programs: &[Program]) -> PathBuf {
    let mut hasher = DefaultHasher::new();
    // Tests leave out what rests on facts that are not at hand.
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared")).exists().hash(&mut hasher);
    for program in programs {
        let about = std::fs::metadata(&program.path).ok();
        (program.name, about.as_ref().map(|a| a.len()), about.and_then(|a| a.modified().ok())).hash(&mut hasher);
    }
    folder().join(format!("record-{:016x}.tsv", hasher.finish()))
}

/// Runs a job; gives its lines.
fn record(program: &Program, job: &Job, number: usize) -> Result<String, String> {
    let path = folder().join(format!("met-{}-{number}", std::process::id()));
    let names: Vec<&str> = job.names.iter().map(String::as_str).collect();
    let start = Instant::now();
    let ended = program.run(&names, &[(COVERAGE, &path.to_string_lossy())], MOST);
    let millis = start.elapsed().as_millis();
    if ended != Ended::Passed {
        return Err(format!("{} fails without a mistake: {ended:?}, among {}", program.name, names.join(" ")));
    }
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let _ = std::fs::remove_file(&path);
    let mut lines = String::new();
    // A test that runs alone need not say its name.
    let only = names.first().filter(|_| names.len() == 1);
    for line in text.lines() {
        let Some((trial, item)) = line.split_once('\t') else { continue };
        let trial = only.copied().unwrap_or(trial);
        if !trial.is_empty() {
            lines += &format!("{}\t{trial}\t{item}\n", job.program);
        }
    }
    if let Some(only) = only {
        lines += &format!("{}\t{only}\ttime\t{millis}\n", job.program);
    }
    Ok(lines)
}
