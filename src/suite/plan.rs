//! What there is to run: every case that some suites have for some processors, and the units in which cases run.
//!
//! An [`Entry`] is a case with all its inputs, or a file, or a program. Its name says what it is and nothing of what else is planned:
//! `alu/gfx1100-w32/v_add_f32_e64~3fa2`, `cases/gfx900-w64/loop`, `random/gfx900-w64/0007`. A [`Unit`] is some entries that run together.

use super::digest::Digest;
use super::draw::{Single, singles};
use super::single::{Batch, FEW};
use super::{Processor, Suite};
use crate::asm::source::{Disk, Files};
use crate::case::{self, Case};
use crate::isa::form::Table;
use crate::isa::r600::Machine;
use crate::isa::{Arch, Target};
use crate::r600;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What is planned.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The suites.
    pub suites: Vec<Suite>,
    /// The processors.
    pub archs: Vec<&'static Arch>,
    /// The machines of R600's family.
    pub machines: Vec<Machine>,
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
    /// What it runs on.
    pub on: Processor,
    /// What it is called in its suite and processor: `v_add_f32_e64~3fa2`
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
    /// A row of R600's family.
    Row(&'static str),
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
    /// What it runs on.
    pub on: Processor,
    /// What is in it.
    pub content: Content,
}

/// What a unit consists of.
#[derive(Clone, Debug)]
pub enum Content {
    /// Instructions with inputs.
    Singles(Batch),
    /// Rows of R600's family with inputs.
    Rows(Rows),
    /// A case in a file.
    File(PathBuf),
    /// A random program, with what chance starts from.
    Program(u64),
}

/// Rows of R600's family, each with inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    /// The machine.
    pub machine: Machine,
    /// What chance starts from.
    pub seed: u64,
    /// Inputs of each.
    pub inputs: u32,
    /// Their names.
    pub names: Vec<&'static str>,
}

impl Rows {
    /// Those of the names that are rows of the machine.
    #[must_use]
    pub fn new(machine: Machine, seed: u64, inputs: u32, names: &[String]) -> Rows {
        let all = r600::singles::names(machine);
        let names = all.into_iter().filter(|name| names.iter().any(|wanted| wanted == name)).collect();
        Rows { machine, seed, inputs, names }
    }
}

/// How many instructions of a suite are one program: drivers take far longer for large programs than for several small ones.
fn together(suite: Suite) -> usize {
    match suite {
        Suite::Alu | Suite::Modes => 24,
        Suite::Lanes | Suite::Control | Suite::Export => 12,
        Suite::Matrix | Suite::Lds => 4,
        Suite::Image => 1,
        _ => 2,
    }
}

/// An instruction of a suite gets one of so many inputs of those asked for: where each has memory of its own, they cost more.
#[must_use]
pub fn share(suite: Suite) -> u32 {
    match suite {
        Suite::Memory | Suite::Lds => 2,
        Suite::Matrix | Suite::Image => 4,
        _ => 1,
    }
}

/// The seed of a random program of a plan; of that and its number, the seed of the plan again.
#[must_use]
pub fn program_seed(seed: u64, number: u32) -> u64 {
    seed ^ u64::from(number) << 32
}

/// The case file of a random program.
#[must_use]
pub fn program(on: Processor, seed: u64) -> String {
    match on {
        Processor::Waves(target, _) => super::judge::random(seed, target).case.to_string(),
        Processor::Groups(machine) => r600::random::case(machine, seed, 0).to_string(),
    }
}

/// `alu/gfx1100-w32`: where the names of a suite and a processor are.
#[must_use]
pub fn group(suite: Suite, on: Processor) -> String {
    format!("{suite}/{}", on.label())
}

impl Entry {
    /// Its whole name.
    #[must_use]
    pub fn path(&self) -> String {
        format!("{}/{}", group(self.suite, self.on), self.name)
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
    /// The names of all processors, oldest first.
    pub fn processors(&self) -> impl Iterator<Item = &'static str> {
        self.machines.iter().map(|machine| machine.name()).chain(self.archs.iter().map(|arch| arch.name))
    }

    /// Everything there is, in the order of suites, processors and wave sizes.
    #[must_use]
    pub fn entries(&self) -> Vec<Entry> {
        let files = self.read();
        let mut all = Vec::new();
        for suite in &self.suites {
            for arch in &self.archs {
                for lanes in [32, 64] {
                    if let Some(target) = Target::new(arch).wave(lanes) {
                        self.of(*suite, Processor::Waves(target, lanes), &files, &mut all);
                    }
                }
            }
            for machine in &self.machines {
                self.of(*suite, Processor::Groups(*machine), &files, &mut all);
            }
        }
        all
    }

    /// The cases in the files, each read once. A file that is no case runs nowhere.
    fn read(&self) -> Vec<(Suite, &Path, AnyCase)> {
        let wanted = self.files.iter().filter(|(suite, _)| self.suites.contains(suite));
        wanted.filter_map(|(suite, path)| Some((*suite, path.as_path(), AnyCase::read(path)?))).collect()
    }

    fn of(&self, suite: Suite, on: Processor, files: &[(Suite, &Path, AnyCase)], all: &mut Vec<Entry>) {
        let entry = |name: String, row: String, encoding: String, item| Entry { suite, on, name, row, encoding, item };
        match (suite, on) {
            (Suite::Random, _) => all.extend((0..self.programs).map(|n| {
                let seed = program_seed(self.seed, n);
                entry(format!("{n:04}"), "program".to_owned(), String::new(), Item::Program(seed))
            })),
            (Suite::Cases | Suite::Kernels, _) => {
                let mine = files.iter().filter(|(of, _, case)| *of == suite && case.runs_on(on));
                all.extend(
                    mine.map(|(_, path, _)| {
                        entry(stem(path), stem(path), String::new(), Item::File(path.to_path_buf()))
                    }),
                );
            }
            (Suite::Alu, Processor::Groups(machine)) => {
                let one =
                    |name: &'static str| entry(name.to_owned(), name.to_owned(), "ALU".to_owned(), Item::Row(name));
                all.extend(r600::singles::names(machine).into_iter().map(one));
            }
            (_, Processor::Groups(_)) => {}
            (_, Processor::Waves(target, _)) => {
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
        for entries in entries.chunk_by(|a, b| (a.suite, a.on) == (b.suite, b.on)) {
            let Entry { suite, on, .. } = entries[0];
            let group = group(suite, on);
            let unit = |name: String, content| Unit { name: format!("{group}/{name}"), suite, on, content };
            let mut rows: Vec<&'static str> = Vec::new();
            let mut kinds: [Vec<Single>; 2] = Default::default();
            for entry in entries {
                match &entry.item {
                    Item::Row(name) => rows.push(name),
                    Item::Single(single) => {
                        let Some(target) = on.target() else { continue };
                        let many = Batch::vgprs_of(target, &single.words) > FEW;
                        kinds[usize::from(many)].push(single.clone());
                    }
                    Item::File(path) => all.push(unit(entry.name.clone(), Content::File(path.clone()))),
                    Item::Program(seed) => all.push(unit(entry.name.clone(), Content::Program(*seed))),
                }
            }
            let more = |count: usize| if count > 1 { format!("+{}", count - 1) } else { String::new() };
            for names in rows.chunks(r600::singles::TOGETHER) {
                let Processor::Groups(machine) = on else { continue };
                let rows = Rows { machine, seed: self.seed, inputs: self.inputs.max(1), names: names.to_vec() };
                all.push(unit(format!("{}{}", names[0], more(names.len())), Content::Rows(rows)));
            }
            let Processor::Waves(target, lanes) = on else { continue };
            for singles in kinds.iter().flat_map(|singles| singles.chunks(together(suite))) {
                let name = format!("{}{}", singles[0].name, more(singles.len()));
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

impl Content {
    /// Of how many instructions with inputs it consists; none of a case that is judged as a whole.
    #[must_use]
    pub fn instructions(&self) -> usize {
        match self {
            Content::Singles(batch) => batch.singles.len(),
            Content::Rows(rows) => rows.names.len(),
            Content::File(_) | Content::Program(_) => 0,
        }
    }

    /// How many inputs each has.
    #[must_use]
    pub fn inputs(&self) -> u32 {
        match self {
            Content::Singles(batch) => batch.inputs,
            Content::Rows(rows) => rows.inputs,
            Content::File(_) | Content::Program(_) => 1,
        }
    }
}

impl Unit {
    /// `alu/gfx1100-w32`: where its names are.
    #[must_use]
    pub fn group(&self) -> String {
        group(self.suite, self.on)
    }

    /// The whole names of what is in it, in order, and their rows.
    #[must_use]
    pub fn cases(&self) -> Vec<(String, String)> {
        match &self.content {
            Content::Singles(batch) => {
                let group = self.group();
                batch.singles.iter().map(|single| (format!("{group}/{}", single.name), single.row.to_owned())).collect()
            }
            Content::Rows(rows) => {
                let group = self.group();
                rows.names.iter().map(|name| (format!("{group}/{name}"), (*name).to_owned())).collect()
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
            Content::Rows(rows) => {
                digest.word(r600::singles::INPUTS);
                digest.word(rows.seed);
                digest.word(rows.inputs.into());
                rows.names.iter().for_each(|name| digest.bytes(name.as_bytes()));
            }
            Content::File(path) => digest.bytes(&contents(path).unwrap_or_default()),
            Content::Program(seed) => digest.bytes(program(self.on, *seed).as_bytes()),
        }
        digest.value()
    }
}

/// A case of a file, whichever family it is of.
enum AnyCase {
    Waves(Case),
    Groups(r600::case::Case),
}

impl AnyCase {
    /// Reads a file; nothing if it is no case.
    fn read(path: &Path) -> Option<AnyCase> {
        let text = String::from_utf8(contents(path).ok()?).ok()?;
        let name = path.to_string_lossy();
        if r600::case::is_one(&text) {
            return r600::case::Case::parse(&text, &name).ok().map(AnyCase::Groups);
        }
        Case::parse(&text, &name).ok().map(AnyCase::Waves)
    }

    fn runs_on(&self, on: Processor) -> bool {
        match (self, on) {
            (AnyCase::Waves(case), Processor::Waves(target, lanes)) => {
                case.targets().iter().any(|t| t.arch.name == target.arch.name && case::wave_size(*t) == lanes)
            }
            (AnyCase::Groups(case), Processor::Groups(machine)) => case.machines.contains(&machine),
            _ => false,
        }
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
