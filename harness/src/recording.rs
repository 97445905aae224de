//! Recordings: what an engine once made of cases, so that others can be compared with it where it is not there.
//!
//! A recording is a folder: `index.txt` says on what it was made and when, and has a line for each suite and processor with the number of its units and
//! cases and a digest of its file; that is a compressed text of units:
//!
//! ```text
//! unit v_add_f32_e64+23 seed 1 inputs 4
//! single v_add_f32_e64 d5030001 00000501 : 0-3
//!  v1 0a1b2c3d 9e8f7a6b 0a1b2c3d -
//! file add_f32 tests/cases/pass/add_f32.s 6f5e4d3c2b1a0918
//!  v1 0a1b2c3d
//! program 0007 30064771073 6f5e4d3c2b1a0918
//!  s4 0a1b2c3d
//! ```
//!
//! Behind a case stand the [places](effects) that it changed, with a digest for each input that was recorded, `-` where that one did not change it. Singles
//! are there with their words, so that they are what they were whatever rows come. All is sorted: the same results are the same bytes.

use crate::conform::task::Job;
use crate::files::{self, Staged};
use anyhow::{Context, Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use wavediff::isa::{Arch, Target};
use wavediff::suite::digest::Digest;
use wavediff::suite::effects::Effects;
use wavediff::suite::judge::Changes;
use wavediff::suite::stage::INPUTS;
use wavediff::suite::{Content, Processor, Suite, Unit, plan};

/// The first line of an index.
const FIRST: &str = "wavediff recording 3";

/// How the names of engines begin that are cards.
pub const CARD: &str = "native:";

/// What was recorded.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The name of its folder.
    pub name: String,
    /// The engine.
    pub engine: String,
    /// Its driver.
    pub driver: String,
    /// Whether it is a card that ran the machine code as it is: then memory lay where a driver puts it.
    pub of_card: bool,
    /// Whatever else says where it comes from: `date`, `host`, `command`, `version`.
    pub provenance: BTreeMap<String, String>,
    /// Which way of drawing inputs it was made with: [`INPUTS`].
    pub inputs: u64,
    /// What was recorded, by unit.
    pub units: Vec<Recorded>,
}

/// What was recorded of a unit.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The unit.
    pub unit: Unit,
    /// It is not what it was: inputs are drawn in another way, a file or the making of random programs has changed.
    pub stale: bool,
    /// What was changed, by case.
    pub changes: Changes,
}

/// What an index says of a file.
struct Listed {
    /// How long its text is: it is not unpacked to more.
    bytes: u64,
    digest: u64,
}

/// The name of a suite and processor, `alu/gfx600-w64`, as what it names.
fn group(name: &str) -> Option<(Suite, Target, u32)> {
    let (suite, processor) = name.split_once('/')?;
    let (arch, lanes) = processor.rsplit_once("-w")?;
    let lanes = lanes.parse().ok()?;
    Some((Suite::find(suite)?, Target::new(Arch::find(arch)?).wave(lanes)?, lanes))
}

/// Whether a folder is a recording.
fn is_recording(folder: &Path) -> bool {
    folder.join("index.txt").is_file()
}

impl Recording {
    /// All recordings in a folder, by name; or the one that the folder is.
    pub fn all(folder: &Path) -> Result<Vec<Recording>> {
        if is_recording(folder) {
            return Ok(vec![Recording::load(folder)?]);
        }
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut folders: Vec<PathBuf> = entries.map(|e| e.path()).filter(|path| is_recording(path)).collect();
        folders.sort();
        folders.iter().map(|path| Recording::load(path)).collect()
    }

    /// Its own folder, by that of which [all](Recording::all) were read.
    pub fn folder_in(&self, folder: &Path) -> PathBuf {
        if is_recording(folder) { folder.to_owned() } else { folder.join(&self.name) }
    }

    /// Reads one.
    pub fn load(folder: &Path) -> Result<Recording> {
        let index = folder.join("index.txt");
        let text = files::read_text(&index, files::TEXT)?;
        let no_index = || format!("{} is no index of a recording", index.display());
        let (mut recording, groups) = Recording::parse(&text).with_context(no_index)?;
        recording.name = folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        for (name, Listed { bytes: promised, digest: expected }) in groups {
            let path = folder.join(payload(&name));
            let read = || -> Result<String> {
                let bytes = files::read(&path, files::INPUT)?;
                Ok(String::from_utf8(files::unpack(&bytes, promised)?)?)
            };
            let text = read().with_context(|| format!("{} can not be read", path.display()))?;
            if digest(&text) != expected {
                bail!("{}: what is recorded of {name} does not fit its line in the index", index.display());
            }
            let of = group(&name).with_context(|| format!("{}: `{name}`", index.display()))?;
            let mut reader = Reader { of, inputs: recording.inputs, units: Vec::new(), case: None };
            for (n, line) in (1..).zip(text.lines()) {
                reader.line(line).with_context(|| format!("{}: line {n}, `{line}`", path.display()))?;
            }
            recording.units.append(&mut reader.units);
        }
        Ok(recording)
    }

    /// Reads an index: the groups with the digests of their files.
    fn parse(text: &str) -> Result<(Recording, BTreeMap<String, Listed>)> {
        let mut lines = text.lines();
        if lines.next() != Some(FIRST) {
            bail!("it does not begin with `{FIRST}`");
        }
        let mut facts = BTreeMap::new();
        let mut groups = BTreeMap::new();
        for line in lines.filter(|line| !line.is_empty()) {
            if let Some((key, value)) = line.split_once(": ") {
                facts.insert(key.to_owned(), value.to_owned());
                continue;
            }
            let parts: Vec<&str> = line.split_whitespace().collect();
            let [group, _, "units", _, "cases", bytes, "bytes", digest] = parts[..] else { bail!("`{line}`") };
            let bytes = bytes.parse().with_context(|| format!("`{line}`"))?;
            let digest = hex(digest).with_context(|| format!("`{line}`"))?;
            groups.insert(group.to_owned(), Listed { bytes, digest });
        }
        let mut take = |key: &str| facts.remove(key).with_context(|| format!("`{key}` is missing"));
        let (engine, driver) = (take("engine")?, take("driver")?);
        let of_card = engine.starts_with(CARD);
        let inputs = take("inputs")?.parse().context("`inputs`")?;
        Ok((
            Recording { name: String::new(), engine, driver, of_card, provenance: facts, inputs, units: Vec::new() },
            groups,
        ))
    }

    /// Writes it to a folder.
    pub fn save(&self, folder: &Path) -> Result<()> {
        // The files are of one recording: all take their places, or none does.
        let mut staged = Staged::default();
        std::fs::create_dir_all(folder).with_context(|| format!("{} can not be made", folder.display()))?;
        let mut index = format!("{FIRST}\nengine: {}\ndriver: {}\n", self.engine, self.driver);
        for (key, value) in &self.provenance {
            let _ = writeln!(index, "{key}: {value}");
        }
        let _ = writeln!(index, "inputs: {}\n", self.inputs);
        let mut groups: BTreeMap<String, BTreeMap<&str, &Recorded>> = BTreeMap::new();
        for recorded in &self.units {
            groups.entry(recorded.unit.group()).or_default().insert(&recorded.unit.name, recorded);
        }
        for (name, units) in groups {
            let mut text = String::new();
            units.values().for_each(|recorded| recorded.print(&mut text));
            let cases: usize = units.values().map(|recorded| recorded.changes.len()).sum();
            let (count, bytes, digest) = (units.len(), text.len(), digest(&text));
            let _ = writeln!(index, "{name:20} {count:4} units {cases:6} cases {bytes:8} bytes {digest:016x}");
            staged.add(&folder.join(payload(&name)), &zstd::encode_all(text.as_bytes(), 19)?)?;
        }
        staged.add(&folder.join("index.txt"), index.as_bytes())?;
        staged.commit()
    }

    /// How many cases there are.
    pub fn cases(&self) -> usize {
        self.units.iter().map(|recorded| recorded.changes.len()).sum()
    }
}

/// The file that has the cases of a suite and processor: `alu-gfx1100-w32.zst`.
fn payload(group: &str) -> String {
    format!("{}.zst", group.replace('/', "-"))
}

fn digest(text: &str) -> u64 {
    Digest::of_bytes(text.as_bytes())
}

fn hex(text: &str) -> Result<u64> {
    Ok(u64::from_str_radix(text, 16)?)
}

impl Recorded {
    /// The unit as lines.
    fn print(&self, out: &mut String) {
        let name = self.unit.name.rsplit('/').next().unwrap_or_default();
        let alone = |out: &mut String| {
            for (place, digest) in self.changes.values().flatten() {
                let _ = writeln!(out, " {place} {digest:08x}");
            }
        };
        match &self.unit.content {
            Content::Singles(batch) => {
                let _ = writeln!(out, "unit {name} seed {} inputs {}", batch.seed, batch.inputs);
                for (single, (case, _)) in batch.singles.iter().zip(self.unit.cases()) {
                    let of = |input: u32| Some((input, self.changes.get(&format!("{case}:{input}"))?));
                    let inputs: Vec<(u32, &Effects)> = (0..batch.inputs).filter_map(of).collect();
                    let words: Vec<String> = single.words.iter().map(|word| format!("{word:08x}")).collect();
                    let numbers: Vec<u32> = inputs.iter().map(|(input, _)| *input).collect();
                    let _ = writeln!(out, "single {} {} : {}", single.name, words.join(" "), ranges(&numbers));
                    let places: BTreeSet<&String> = inputs.iter().flat_map(|(_, effects)| effects.keys()).collect();
                    for place in places {
                        let _ = write!(out, " {place}");
                        for (_, effects) in &inputs {
                            let _ = match effects.get(place) {
                                Some(digest) => write!(out, " {digest:08x}"),
                                None => write!(out, " -"),
                            };
                        }
                        out.push('\n');
                    }
                }
            }
            // Engines that are recorded run none of these.
            Content::Rows(_) => {}
            Content::File(path) => {
                let _ = writeln!(out, "file {name} {} {:016x}", path.display(), self.unit.digest());
                alone(out);
            }
            Content::Program(seed) => {
                let _ = writeln!(out, "program {name} {seed} {:016x}", self.unit.digest());
                alone(out);
            }
        }
    }
}

/// `0-3,7`
fn ranges(numbers: &[u32]) -> String {
    let runs = numbers.chunk_by(|a, b| a + 1 == *b);
    let text = |run: &[u32]| match run {
        [one] => one.to_string(),
        run => format!("{}-{}", run[0], run[run.len() - 1]),
    };
    let all: Vec<String> = runs.map(text).collect();
    if all.is_empty() { "none".to_owned() } else { all.join(",") }
}

/// The numbers of `0-3,7`, of which none may be beyond a limit.
fn numbers(text: &str, limit: u32) -> Result<Vec<u32>> {
    if text == "none" {
        return Ok(Vec::new());
    }
    let mut all = Vec::new();
    for run in text.split(',') {
        let (first, last) = run.split_once('-').unwrap_or((run, run));
        let (first, last): (u32, u32) = (first.parse()?, last.parse()?);
        if last >= limit {
            bail!("input {last} of {limit}");
        }
        all.extend(first..=last);
    }
    Ok(all)
}

/// Reads the lines of a file.
struct Reader {
    of: (Suite, Target, u32),
    inputs: u64,
    units: Vec<Recorded>,
    /// The case whose places come, and its inputs that were recorded.
    case: Option<(String, Vec<u32>)>,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<()> {
        if let Some(line) = line.strip_prefix(' ') {
            return self.place(line);
        }
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["unit", name, "seed", seed, "inputs", inputs] => {
                let inputs: u32 = inputs.parse()?;
                if inputs > 4096 {
                    bail!("{inputs} inputs are more than there can be");
                }
                let job = Job::Singles { seed: seed.parse()?, inputs, singles: Vec::new() };
                self.begin(name, &job, self.inputs != INPUTS)
            }
            ["single", name, ref rest @ ..] => {
                let [words @ .., ":", inputs] = rest else { bail!("`:` is missing") };
                let words = words.iter().map(|word| Ok(u32::from_str_radix(word, 16)?)).collect::<Result<Vec<_>>>()?;
                self.single(name, words, inputs)
            }
            ["file", name, path, made_of] => self.alone(name, &Job::File(path.into()), made_of),
            ["program", name, seed, made_of] => self.alone(name, &Job::Program(seed.parse()?), made_of),
            _ => bail!("it is neither a unit nor a case"),
        }
    }

    fn begin(&mut self, name: &str, job: &Job, stale: bool) -> Result<()> {
        let (suite, target, lanes) = self.of;
        let on = Processor::Waves(target, lanes);
        let unit = job.unit(&format!("{}/{name}", plan::group(suite, on)), suite, on)?;
        self.units.push(Recorded { unit, stale, changes: Changes::new() });
        self.case = None;
        Ok(())
    }

    fn alone(&mut self, name: &str, job: &Job, made_of: &str) -> Result<()> {
        self.begin(name, job, false)?;
        let Some(recorded) = self.units.last_mut() else { return Ok(()) };
        recorded.stale = recorded.unit.digest() != hex(made_of)?;
        recorded.changes.insert(recorded.unit.name.clone(), Effects::new());
        self.case = Some((recorded.unit.name.clone(), Vec::new()));
        Ok(())
    }

    fn single(&mut self, name: &str, words: Vec<u32>, inputs: &str) -> Result<()> {
        let group = self.units.last().map(|recorded| recorded.unit.group()).context("no unit is begun")?;
        let Some(Recorded { unit, changes, .. }) = self.units.last_mut() else { bail!("no unit is begun") };
        let Some(target) = unit.on.target() else { bail!("recordings are of processors with waves") };
        let Content::Singles(batch) = &mut unit.content else { bail!("the unit is not one of instructions") };
        let single = wavediff::suite::draw::Single::new(target, name.to_owned(), words);
        batch.singles.push(single.context("the words are no instruction")?);
        let case = format!("{group}/{name}");
        let inputs = numbers(inputs, batch.inputs)?;
        changes.extend(inputs.iter().map(|input| (format!("{case}:{input}"), Effects::new())));
        self.case = Some((case, inputs));
        Ok(())
    }

    fn place(&mut self, line: &str) -> Result<()> {
        let (Some((case, inputs)), Some(recorded)) = (&self.case, self.units.last_mut()) else {
            bail!("no case is begun")
        };
        let words: Vec<&str> = line.split(' ').collect();
        let alone = matches!(recorded.unit.content, Content::File(_) | Content::Program(_));
        let (place, digests) = match words[..] {
            // Names of places may have a blank, where there is one digest.
            [ref place @ .., digest] if alone => (place.join(" "), vec![digest]),
            [place, ref digests @ ..] => (place.to_owned(), digests.to_vec()),
            [] => bail!("no place"),
        };
        let names: Vec<String> = match alone {
            true => vec![case.clone()],
            false => inputs.iter().map(|input| format!("{case}:{input}")).collect(),
        };
        if names.len() != digests.len() {
            bail!("{} digests for {} inputs", digests.len(), names.len());
        }
        for (name, digest) in names.into_iter().zip(digests).filter(|(_, digest)| *digest != "-") {
            let digest = u32::from_str_radix(digest, 16)?;
            recorded.changes.entry(name).or_default().insert(place.clone(), digest);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two instructions of which one was recorded with some of its inputs, and a case in a file.
    fn example() -> Recording {
        let target = Target::new(Arch::find("gfx900").expect("a processor"));
        let add = ("v_add_f32_e32".to_owned(), vec![0x0200_0501]);
        let sub = ("v_sub_f32_e32~12ab".to_owned(), vec![0x0400_0501]);
        let job = Job::Singles { seed: 3, inputs: 4, singles: vec![add, sub] };
        let unit =
            job.unit("alu/gfx900-w64/v_add_f32_e32+1", Suite::Alu, Processor::Waves(target, 64)).expect("a unit");
        let effects = |places: &[(&str, u32)]| -> Effects {
            places.iter().map(|(place, digest)| ((*place).to_owned(), *digest)).collect()
        };
        let name = |case: &str| format!("alu/gfx900-w64/{case}");
        let changes = Changes::from([
            (name("v_add_f32_e32:0"), effects(&[("v0", 0x1234)])),
            (name("v_add_f32_e32:1"), effects(&[])),
            (name("v_add_f32_e32:3"), effects(&[("v0", u32::MAX), ("status", 5)])),
        ]);
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let file = Job::File(path.into())
            .unit("cases/gfx900-w64/Cargo", Suite::Cases, Processor::Waves(target, 64))
            .expect("a unit");
        let left = Changes::from([(file.name.clone(), effects(&[("buffer out", 7), ("s0", 8)]))]);
        Recording {
            name: format!("wavediff-recording-{}-{:?}", std::process::id(), std::thread::current().id()),
            engine: "vulkan:some device".to_owned(),
            of_card: false,
            driver: "a driver".to_owned(),
            provenance: BTreeMap::from([("date".to_owned(), "2026-11-22".to_owned())]),
            inputs: INPUTS,
            units: vec![Recorded { unit, stale: false, changes }, Recorded { unit: file, stale: false, changes: left }],
        }
    }

    fn folder(recording: &Recording) -> PathBuf {
        std::env::temp_dir().join(&recording.name)
    }

    #[test]
    fn what_is_saved_is_loaded() {
        let mut recording = example();
        let folder = folder(&recording);
        recording.save(&folder).expect("a folder");
        let loaded = Recording::load(&folder).expect("a recording");
        recording.name = folder.file_name().expect("a name").to_string_lossy().into_owned();
        assert_eq!(format!("{loaded:?}"), format!("{recording:?}"));
        std::fs::remove_dir_all(&folder).expect("the folder");
    }

    #[test]
    fn a_file_that_does_not_fit_its_digest_is_refused() {
        let recording = example();
        let folder = folder(&recording);
        recording.save(&folder).expect("a folder");
        let other = Recording { units: recording.units[..1].to_vec(), ..recording.clone() };
        let mut less = other.clone();
        less.units[0].changes.pop_first();
        let beside = folder.join("beside");
        less.save(&beside).expect("a folder");
        std::fs::copy(beside.join("alu-gfx900-w64.zst"), folder.join("alu-gfx900-w64.zst")).expect("a file");
        let error = Recording::load(&folder).expect_err("a digest that does not fit");
        assert!(format!("{error:#}").contains("alu/gfx900-w64 does not fit"), "{error:#}");
        std::fs::remove_dir_all(&folder).expect("the folder");
    }

    #[test]
    fn what_was_made_otherwise_is_stale() {
        let mut recording = example();
        recording.inputs += 1;
        let folder = folder(&recording);
        recording.save(&folder).expect("a folder");
        let loaded = Recording::load(&folder).expect("a recording");
        assert_eq!(loaded.units.iter().map(|unit| unit.stale).collect::<Vec<_>>(), [true, false]);
        std::fs::remove_dir_all(&folder).expect("the folder");
    }

    #[test]
    fn numbers_are_read_as_they_are_written() {
        for all in [&[][..], &[0], &[0, 1, 2], &[0, 2, 3, 5]] {
            assert_eq!(numbers(&ranges(all), 6).expect("numbers"), all);
        }
        assert!(numbers("0-4294967295", 6).is_err());
    }
}
