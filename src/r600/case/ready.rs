//! A case for one machine: its words, and what a run of them finds.

use super::{Bound, Case, Memory};
use crate::asm::{Diagnostic, Severity};
use crate::case::CaseError;
use crate::case::eval::{At, Buffers, eval, fill};
use crate::case::picture::{Picture, Sampling};
use crate::case::tree::Bvh;
use crate::case::value::{Descriptor, ScratchWord, Value};
use crate::isa::r600::Machine;
use crate::memory::format::Kind;
use crate::r600::assemble::{Assembly, Options, assemble};
use crate::r600::emu::image::Image;
use crate::r600::emu::vertex::Buffer;
use crate::r600::emu::{Resource, Setup};
use std::collections::BTreeMap;

/// What a run needs.
#[derive(Clone, Debug)]
pub struct Ready {
    /// The program.
    pub words: Vec<u32>,
    /// What it finds.
    pub setup: Setup,
}

/// Nothing of a case has an address: values that would need one are refused when they are read.
pub(super) struct Nowhere;

impl Buffers for Nowhere {
    fn image(&self, _: &Picture) -> [u32; 8] {
        [0; 8]
    }

    fn sampler(&self, _: &Sampling) -> [u32; 4] {
        [0; 4]
    }

    fn bvh(&self, _: &Bvh) -> [u32; 4] {
        [0; 4]
    }

    fn address(&self, _: &str) -> u64 {
        0
    }
    fn scratch(&self, _: ScratchWord) -> u128 {
        0
    }
    fn descriptor(&self, _: &Descriptor) -> u128 {
        0
    }
}

/// Where a value of a lane is asked for, for the nth element of its place.
pub(super) fn at(lane: usize, element: usize) -> At {
    At { position: lane as u64, item: lane as u64, lane: lane as u32, element: element as u64, ..At::default() }
}

/// Words from bytes; the last one may be short.
fn to_words(bytes: &[u8]) -> Vec<u32> {
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
    bytes.chunks(4).map(word).collect()
}

impl Case {
    /// The case for one machine.
    ///
    /// # Errors
    /// It is not for the machine, does not assemble, or a file can not be read.
    pub fn ready(&self, machine: Machine) -> Result<Ready, CaseError> {
        self.require(machine)?;
        let (words, fetch) = self.words(machine)?;
        let mut setup = Setup::new(machine, self.stage, self.lanes);
        setup.fetch = fetch;
        setup.valid = self.valid.unwrap_or(u64::MAX);
        setup.ngpr = self.registers.unwrap_or(setup.ngpr);
        setup.temps = self.temporaries.unwrap_or(setup.temps);
        setup.nstack = self.stack;
        setup.scratch = self.scratch;
        setup.reduction = self.reduction;
        [setup.vertex_offset, setup.instance_offset] = self.offsets;
        setup.last_is_trans = self.last_is_trans;
        setup.budget = self.budget.unwrap_or(setup.budget);
        setup.stop = self.stop;
        setup.bools = self.bools;
        setup.loops.clone_from(&self.loops);
        setup.semantics.clone_from(&self.semantics);
        for (bank, memory) in &self.banks {
            setup.banks.insert(*bank, to_words(&self.bytes(memory)?));
        }
        if let Some(memory) = &self.constants {
            let words = to_words(&self.bytes(memory)?);
            let vector = |some: &[u32]| std::array::from_fn(|n| some.get(n).copied().unwrap_or(0));
            setup.file = words.chunks(4).map(vector).collect();
        }
        let mut buffers: BTreeMap<&str, Vec<u8>> = BTreeMap::new();
        for (name, memory) in &self.buffers {
            buffers.insert(name, self.bytes(memory)?);
        }
        let bytes = |name: &str| buffers.get(name).cloned().unwrap_or_default();
        for (number, bound) in &self.resources {
            setup.resources.insert(*number, resource(bound, bytes, &self.name)?);
        }
        self.registers(machine, &mut setup);
        Ok(Ready { words, setup })
    }

    /// The words of the program, and of its fetch program.
    ///
    /// # Errors
    /// As [`Case::ready`].
    pub fn words(&self, machine: Machine) -> Result<(Vec<u32>, Vec<u32>), CaseError> {
        if let Some(file) = &self.code {
            let bytes = self.read(file)?;
            if bytes.is_empty() || bytes.len() % 4 != 0 {
                return Err(CaseError::Code { file: file.clone(), bytes: bytes.len() });
            }
            return Ok((to_words(&bytes), Vec::new()));
        }
        let (main, fetch) = self.sources();
        let fetch = fetch.map_or(Ok(Vec::new()), |text| self.assembled(machine, &text))?;
        Ok((self.assembled(machine, &main)?, fetch))
    }

    /// What the assembler says of the programs that is no error: rules of the machine that they break.
    #[must_use]
    pub fn warnings(&self, machine: Machine) -> Vec<Diagnostic> {
        let (main, fetch) = self.sources();
        let texts = std::iter::once(main).chain(fetch).filter(|_| self.code.is_none());
        let said = texts.flat_map(|text| self.assembly(machine, &text).diagnostics);
        said.filter(|diagnostic| diagnostic.severity != Severity::Error).collect()
    }

    /// The text of the program, and that of the fetch program, each with as many empty lines above it as there are lines in the file.
    fn sources(&self) -> (String, Option<String>) {
        let text = &self.body.text;
        let below = |line: usize, text: &str| format!("{}{text}", "\n".repeat(line));
        let above = self.body.line.saturating_sub(1) as usize;
        let Some(split) = text.lines().position(|line| line.trim() == ".fetch") else {
            return (below(above, text), None);
        };
        let some = |lines: &mut dyn Iterator<Item = &str>| lines.collect::<Vec<_>>().join("\n");
        let main = some(&mut text.lines().take(split));
        let fetch = some(&mut text.lines().skip(split + 1));
        (below(above, &main), Some(below(above + split + 1, &fetch)))
    }

    fn assembly(&self, machine: Machine, source: &str) -> Assembly {
        assemble(&self.name, source, Options { machine: Some(machine), ..Options::default() })
    }

    fn assembled(&self, machine: Machine, source: &str) -> Result<Vec<u32>, CaseError> {
        let assembly = self.assembly(machine, source);
        assembly.words.ok_or_else(|| {
            let errors = assembly.diagnostics.into_iter().filter(|d| d.severity == Severity::Error);
            CaseError::Text(errors.collect::<Vec<Diagnostic>>())
        })
    }

    /// The bytes of a piece of memory.
    fn bytes(&self, memory: &Memory) -> Result<Vec<u8>, CaseError> {
        let read = match &memory.contents {
            Some(Value::File(_, name)) => Some(self.read(name)?),
            _ => None,
        };
        let of_list = match &memory.contents {
            Some(Value::List(list)) => list.iter().map(Value::bytes).sum(),
            _ => 0,
        };
        let size = memory.size.map_or_else(|| read.as_ref().map_or(of_list as usize, Vec::len), |size| size as usize);
        if size as u64 > super::MAX_MEMORY {
            return Err(CaseError::TooLarge { case: self.name.clone() });
        }
        let mut bytes = vec![0; size];
        match (&memory.contents, read) {
            (_, Some(read)) => {
                let len = read.len().min(size);
                bytes[..len].copy_from_slice(&read[..len]);
            }
            (Some(contents), None) => fill(contents, &mut bytes, &At::default(), &Nowhere),
            (None, None) => {}
        }
        Ok(bytes)
    }

    /// Gives the registers their values, line after line.
    fn registers(&self, machine: Machine, setup: &mut Setup) {
        for init in self.init.iter().filter(|init| init.select.matches(machine)) {
            let super::Place::Register(register, elements) = init.place else { continue };
            let lanes = setup.gprs.entry(register).or_insert_with(|| vec![[0; 4]; self.lanes as usize]);
            for (lane, to) in lanes.iter_mut().enumerate() {
                for (n, element) in elements.each().enumerate() {
                    to[element] = eval(&init.value, &at(lane, n), &Nowhere).unwrap_or(0) as u32;
                }
            }
        }
    }
}

/// What is bound, with its bytes.
fn resource(bound: &Bound, bytes: impl Fn(&str) -> Vec<u8>, case: &str) -> Result<Resource, CaseError> {
    Ok(match bound {
        Bound::Vertex { buffer, stride, format } => {
            Resource::Buffer(Buffer { bytes: bytes(buffer), stride: *stride, format: *format })
        }
        Bound::Image { buffer, shape, size, format: element, repeat, compare } => {
            let wrong = |fault| CaseError::File { file: case.to_owned(), reason: format!("image({buffer}): {fault}") };
            let format = element.format().map_err(wrong)?;
            let one = if matches!(format.kind, Kind::Uint | Kind::Sint) { 1 } else { 1.0f32.to_bits() };
            let (shape, size, repeat, compare) = (*shape, *size, *repeat, *compare);
            let missing = [0, 0, 0, one];
            Resource::Image(Image { shape, size, format, missing, bytes: bytes(buffer), repeat, compare })
        }
    })
}
