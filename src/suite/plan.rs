//! What there is to run: every case that some suites have for some processors, and the units in which cases run.
//!
//! An [`Entry`] is a case with all its inputs, or a file, or a program. Its name says what it is and nothing of what else is planned:
//! `alu/gfx1100-w32/v_add_f32_e64~3fa2`, `cases/gfx900-w64/loop`, `random/gfx900-w64/0007`. A [`Unit`] is some entries that run together.

use super::Suite;
use super::digest::Digest;
use super::draw::{Single, singles};
use super::single::{Batch, FEW};
use crate::asm::source::{Disk, Files};
use crate::case::{self, Case};
use crate::isa::form::Table;
use crate::isa::{Arch, Target};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What is planned.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The suites.
    pub suites: Vec<Suite>,
    /// The processors.
    pub archs: Vec<&'static Arch>,
    /// Instructions of a form beside the plain one.
    pub mixed: u32,
    /// Inputs of an instruction.
    pub inputs: u32,
    /// What chance starts from.
    pub seed: u64,
    /// Random programs of a processor and wave size.
    pub programs: u32,
    /// The files of the suites of files.
    pub files: Vec<(Suite, PathBuf)>,
}

/// A case with all its inputs, a file, or a program.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The suite.
    pub suite: Suite,
    /// The processor.
    pub target: Target,
    /// Lanes of a wave.
    pub lanes: u32,
    /// What it is called in its suite, processor and wave size: `v_add_f32_e64~3fa2`
    pub name: String,
    /// Its row; of a file its name.
    pub row: String,
    /// How its instruction is encoded: `VOP3 dpp`; nothing for files and programs.
    pub encoding: String,
    /// What it is.
    pub item: Item,
}

/// What an entry is.
#[derive(Clone, Debug)]
pub enum Item {
    /// An instruction.
    Single(Single),
    /// A case in a file.
    File(PathBuf),
    /// A random program, by what chance starts from.
    Program(u64),
}

/// Entries that run together.
#[derive(Clone, Debug)]
pub struct Unit {
    /// `alu/gfx1100-w64/v_add_f32_e64+23`, the first one and how many more; no other unit of a run has that name.
    pub name: String,
    /// The suite.
    pub suite: Suite,
    /// The processor.
    pub target: Target,
    /// Lanes of a wave.
    pub lanes: u32,
    /// What is in it.
    pub content: Content,
}

/// What a unit consists of.
#[derive(Clone, Debug)]
pub enum Content {
    /// Instructions with inputs.
    Singles(Batch),
    /// A case in a file.
    File(PathBuf),
    /// A random program, with what chance starts from.
    Program(u64),
}

/// How many instructions of a suite are one program: drivers take far longer for large programs than for several small ones.
fn together(suite: Suite) -> usize {
    match suite {
        Suite::Alu | Suite::Modes => 24,
        Suite::Lanes | Suite::Control => 12,
        Suite::Matrix | Suite::Lds => 4,
        _ => 2,
    }
}

/// An instruction of a suite gets one of so many inputs of those asked for: where each has memory of its own, they cost more.
#[must_use]
pub fn share(suite: Suite) -> u32 {
    match suite {
        Suite::Memory | Suite::Lds => 2,
        Suite::Matrix => 4,
        _ => 1,
    }
}

/// The seed of a random program of a plan; of that and its number, the seed of the plan again.
#[must_use]
pub fn program_seed(seed: u64, number: u32) -> u64 {
    seed ^ u64::from(number) << 32
}

/// `alu/gfx1100-w32`: where the names of a suite, a processor and a wave size are.
#[must_use]
pub fn group(suite: Suite, target: Target, lanes: u32) -> String {
    format!("{suite}/{}-w{lanes}", target.arch.name)
}

impl Entry {
    /// Its whole name.
    #[must_use]
    pub fn path(&self) -> String {
        format!("{}/{}", group(self.suite, self.target, self.lanes), self.name)
    }

    /// The mnemonic with its suffix; of a file its name.
    #[must_use]
    pub fn form(&self) -> &str {
        match &self.item {
            Item::Single(single) => single.form(),
            _ => &self.row,
        }
    }
}

impl Plan {
    /// Everything there is, in the order of suites, processors and wave sizes.
    #[must_use]
    pub fn entries(&self) -> Vec<Entry> {
        let files = self.read();
        let mut all = Vec::new();
        for suite in &self.suites {
            for arch in &self.archs {
                for lanes in [32, 64] {
                    if let Some(target) = Target::new(arch).wave(lanes) {
                        self.of(*suite, target, lanes, &files, &mut all);
                    }
                }
            }
        }
        all
    }

    /// The cases in the files, each read once. A file that is no case runs nowhere.
    fn read(&self) -> Vec<(Suite, &Path, Case)> {
        let wanted = self.files.iter().filter(|(suite, _)| self.suites.contains(suite));
        let case = |path: &Path| {
            let text = String::from_utf8(contents(path).ok()?).ok()?;
            Case::parse(&text, &path.to_string_lossy()).ok()
        };
        wanted.filter_map(|(suite, path)| Some((*suite, path.as_path(), case(path)?))).collect()
    }

    fn of(&self, suite: Suite, target: Target, lanes: u32, files: &[(Suite, &Path, Case)], all: &mut Vec<Entry>) {
        let entry = |name: String, row: String, encoding: String, item| Entry {
            suite,
            target,
            lanes,
            name,
            row,
            encoding,
            item,
        };
        match suite {
            Suite::Random => all.extend((0..self.programs).map(|n| {
                let seed = program_seed(self.seed, n);
                entry(format!("{n:04}"), "program".to_owned(), String::new(), Item::Program(seed))
            })),
            Suite::Cases | Suite::Kernels => {
                let runs = |case: &Case| {
                    case.targets().iter().any(|t| t.arch.name == target.arch.name && case::wave_size(*t) == lanes)
                };
                let mine = files.iter().filter(|(of, _, case)| *of == suite && runs(case));
                all.extend(
                    mine.map(|(_, path, _)| {
                        entry(stem(path), stem(path), String::new(), Item::File(path.to_path_buf()))
                    }),
                );
            }
            _ => {
                let table = Table::of(target);
                let encodings: BTreeMap<&str, String> = table
                    .forms
                    .iter()
                    .map(|form| (form.name, format!("{} {:?}", form.format.name, form.variant)))
                    .collect();
                all.extend(singles(target, suite, self.mixed as usize).into_iter().map(|single| {
                    let encoding = encodings.get(single.form()).cloned().unwrap_or_default();
                    entry(single.name.clone(), single.row.to_owned(), encoding, Item::Single(single))
                }));
            }
        }
    }

    /// Entries in units: neighbours that are of one suite, processor and wave size. Instructions that name only low registers are among themselves, since
    /// they need less of a device.
    #[must_use]
    pub fn units(&self, entries: &[Entry]) -> Vec<Unit> {
        let mut all = Vec::new();
        for entries in entries.chunk_by(|a, b| (a.suite, a.target, a.lanes) == (b.suite, b.target, b.lanes)) {
            let Entry { suite, target, lanes, .. } = entries[0];
            let group = group(suite, target, lanes);
            let unit = |name: String, content| Unit { name: format!("{group}/{name}"), suite, target, lanes, content };
            let mut kinds: [Vec<Single>; 2] = Default::default();
            for entry in entries {
                match &entry.item {
                    Item::Single(single) => {
                        let many = Batch::vgprs_of(target, &single.words) > FEW;
                        kinds[usize::from(many)].push(single.clone());
                    }
                    Item::File(path) => all.push(unit(entry.name.clone(), Content::File(path.clone()))),
                    Item::Program(seed) => all.push(unit(entry.name.clone(), Content::Program(*seed))),
                }
            }
            for singles in kinds.iter().flat_map(|singles| singles.chunks(together(suite))) {
                let more = if singles.len() > 1 { format!("+{}", singles.len() - 1) } else { String::new() };
                let name = format!("{}{more}", singles[0].name);
                let inputs = self.inputs.max(1).div_ceil(share(suite));
                let batch = Batch { suite, target, lanes, seed: self.seed, inputs, singles: singles.to_vec() };
                all.push(unit(name, Content::Singles(batch)));
            }
        }
        all
    }

    /// What the results of units depend on, as a digest: the version, what is in them, how inputs are drawn.
    #[must_use]
    pub fn digest<'u>(units: impl IntoIterator<Item = &'u Unit>) -> String {
        let mut digest = Digest::default();
        digest.bytes(env!("CARGO_PKG_VERSION").as_bytes());
        for unit in units {
            digest.bytes(unit.name.as_bytes());
            digest.word(unit.digest());
        }
        format!("{:016x}", digest.value())
    }
}

impl Unit {
    /// `alu/gfx1100-w32`: where its names are.
    #[must_use]
    pub fn group(&self) -> String {
        group(self.suite, self.target, self.lanes)
    }

    /// The whole names of what is in it, in order, and their rows.
    #[must_use]
    pub fn cases(&self) -> Vec<(String, String)> {
        match &self.content {
            Content::Singles(batch) => {
                let group = self.group();
                batch.singles.iter().map(|single| (format!("{group}/{}", single.name), single.row.to_owned())).collect()
            }
            Content::File(path) => vec![(self.name.clone(), stem(path))],
            Content::Program(_) => vec![(self.name.clone(), "program".to_owned())],
        }
    }

    /// A digest of what the results of its cases depend on: the instructions, how their inputs are drawn, the file.
    #[must_use]
    pub fn digest(&self) -> u64 {
        let mut digest = Digest::default();
        match &self.content {
            Content::Singles(batch) => {
                digest.word(super::stage::INPUTS);
                digest.word(batch.seed);
                digest.word(batch.inputs.into());
                for single in &batch.singles {
                    digest.bytes(single.name.as_bytes());
                    single.words.iter().for_each(|word| digest.word((*word).into()));
                }
            }
            Content::File(path) => digest.bytes(&contents(path).unwrap_or_default()),
            Content::Program(seed) => {
                let text = super::judge::random(*seed, self.target).case.to_string();
                digest.bytes(text.as_bytes());
            }
        }
        digest.value()
    }
}

/// The contents of a case: of a regular file, and no more than a case may have.
pub(super) fn contents(path: &Path) -> std::io::Result<Vec<u8>> {
    Disk.read("", &path.to_string_lossy())
}

/// The name of a file without folder and end.
pub(super) fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}
