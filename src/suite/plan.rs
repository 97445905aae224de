//! The list of units that some suites have for some processors.

use super::Suite;
use super::draw::{Single, singles};
use super::single::{Batch, Digest, FEW};
use crate::case::Case;
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
    /// One of so many units is taken, evenly.
    pub every: u32,
    /// What chance starts from.
    pub seed: u64,
    /// Programs by chance.
    pub programs: u32,
    /// The files of the suites of files.
    pub files: Vec<(Suite, PathBuf)>,
}

/// One unit.
#[derive(Clone, Debug)]
pub struct Unit {
    /// `alu/gfx1100-w64/0012`, `cases/gfx900-w64/loop`
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
    /// A program by chance, with what chance starts from.
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

/// How many inputs of those asked for an instruction of a suite gets: each has memory of its own.
fn inputs(suite: Suite, asked: u32) -> u32 {
    if matches!(suite, Suite::Memory | Suite::Lds | Suite::Matrix) { asked.div_ceil(4) } else { asked }
}

impl Plan {
    /// All its units, in the order of suites, processors, wave sizes and numbers.
    #[must_use]
    pub fn units(&self) -> Vec<Unit> {
        let mut all = Vec::new();
        for suite in &self.suites {
            for arch in &self.archs {
                for lanes in [32, 64] {
                    if let Some(target) = Target::new(arch).wave(lanes) {
                        all.extend(self.units_of(*suite, target, lanes));
                    }
                }
            }
        }
        all
    }

    /// The units of a suite, a processor and a wave size.
    #[must_use]
    pub fn units_of(&self, suite: Suite, target: Target, lanes: u32) -> Vec<Unit> {
        let group = format!("{suite}/{}-w{lanes}", target.arch.name);
        let every = self.every.max(1) as usize;
        let unit = |name: String, content| Unit { name: format!("{group}/{name}"), suite, target, lanes, content };
        match suite {
            Suite::Random => {
                let number = |n: u32| unit(format!("{n:04}"), Content::Program(self.seed ^ u64::from(n) << 32));
                (0..self.programs).step_by(every).map(number).collect()
            }
            Suite::Cases | Suite::Kernels => {
                let files = self.files.iter().filter(|(of, _)| *of == suite).map(|(_, path)| path);
                let for_it = files.filter(|path| runs_on(path, target, lanes));
                for_it.map(|path| unit(stem(path), Content::File(path.clone()))).collect()
            }
            _ => {
                let batch = |(n, singles): (usize, Vec<Single>)| {
                    let inputs = inputs(suite, self.inputs.max(1));
                    let batch = Batch { suite, target, lanes, seed: self.seed, inputs, singles };
                    unit(format!("{n:04}"), Content::Singles(batch))
                };
                chunks(suite, target, lanes, self.mixed).into_iter().enumerate().step_by(every).map(batch).collect()
            }
        }
    }

    /// What the results depend on, as a digest: version, plan, files.
    #[must_use]
    pub fn digest(&self) -> String {
        let mut digest = Digest::default();
        let Plan { suites, archs, mixed, inputs, every, seed, programs, files } = self;
        let names: Vec<&str> = suites.iter().map(|s| s.name()).chain(archs.iter().map(|a| a.name)).collect();
        digest.bytes(
            format!("{} {names:?} {mixed} {inputs} {every} {seed} {programs}", env!("CARGO_PKG_VERSION")).as_bytes(),
        );
        for (_, path) in files {
            digest.bytes(stem(path).as_bytes());
            digest.bytes(&std::fs::read(path).unwrap_or_default());
        }
        format!("{:016x}", digest.value())
    }
}

impl Unit {
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
                    digest.word(single.number.into());
                    single.words.iter().for_each(|word| digest.word((*word).into()));
                }
            }
            Content::File(path) => digest.bytes(&std::fs::read(path).unwrap_or_default()),
            Content::Program(seed) => digest.word(*seed),
        }
        digest.value()
    }
}

/// The singles of a suite in units: those that name only low registers among themselves, since they need less of a device.
fn chunks(suite: Suite, target: Target, lanes: u32, mixed: u32) -> Vec<Vec<Single>> {
    let mut kinds: BTreeMap<bool, Vec<Single>> = BTreeMap::new();
    for single in singles(target, suite, mixed as usize) {
        let batch = Batch { suite, target, lanes, seed: 0, inputs: 1, singles: vec![single] };
        let many = batch.vgprs() > FEW;
        kinds.entry(many).or_default().extend(batch.singles);
    }
    kinds.values().flat_map(|singles| singles.chunks(together(suite))).map(<[Single]>::to_vec).collect()
}

/// Whether a case runs on a processor with waves of a size. A file that is no case runs nowhere.
fn runs_on(path: &Path, target: Target, lanes: u32) -> bool {
    let Ok(text) = std::fs::read_to_string(path) else { return false };
    let Ok(case) = Case::parse(&text, &path.to_string_lossy()) else { return false };
    case.targets().iter().any(|t| t.arch.name == target.arch.name && crate::case::wave_size(*t) == lanes)
}

/// The name of a file without folder and end.
fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}
