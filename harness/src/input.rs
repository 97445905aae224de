//! Machine code of a file, whatever it is: a code object, a case, or raw words.

use crate::common::{self, AnyArch, Mode, usage};
use crate::r600;
use crate::run;
use anyhow::{Context, Result};
use wavediff::case::program::Program;
use wavediff::case::{Case, wave_size};
use wavediff::isa::{Arch, Target};
use wavediff::launch::Loaded;

/// Where code is, and what it is for where the file does not say so.
#[derive(clap::Args)]
pub struct Input {
    /// A code object (ELF), a case (text), raw words, or - for standard input
    pub file: String,
    /// The processor [default for ELF files: their own; for cases: the first that they are for]
    #[arg(long, value_parser = common::any_arch)]
    pub arch: Option<AnyArch>,
    #[command(flatten)]
    mode: Mode,
    #[command(flatten)]
    pub reading: run::case::Reading,
}

/// What a file turned out to be.
pub enum Code {
    /// A code object.
    Object(Loaded),
    /// A case, and its program for one target.
    Case(Box<(Case, Program)>),
    /// Words.
    Words(Target, Vec<u32>),
}

impl Input {
    /// Whether bytes are code of R600 or R700, which is [elsewhere](r600).
    pub fn is_vliw(&self, bytes: &[u8]) -> bool {
        let named = self.arch.and_then(AnyArch::r600).is_some();
        named || wavediff::r600::object::is_one(bytes) || r600::is_case(bytes)
    }

    /// Reads what is in the file. Nothing: it is a case with errors, and they have been told.
    pub fn read(&self, bytes: Vec<u8>) -> Result<Option<Code>> {
        if bytes.starts_with(b"\x7fELF") {
            return self.object(&bytes).map(Some);
        }
        if bytes.contains(&0) || std::str::from_utf8(&bytes).is_err() {
            return self.words(&bytes).map(Some);
        }
        self.case(bytes)
    }

    fn object(&self, bytes: &[u8]) -> Result<Code> {
        let file = &self.file;
        let loaded = Loaded::load(bytes).with_context(|| format!("`{file}` can not be loaded"))?;
        if self.arch.is_some_and(|arch| arch.name() != loaded.arch().name) {
            return usage(format!("`{file}` is for {}; leave out --arch", loaded.arch().name));
        }
        if self.mode.is_given() && !loaded.kernels().is_empty() {
            return usage(format!("the kernels of `{file}` say what they are for; leave out --wave and --mattr"));
        }
        Ok(Code::Object(loaded))
    }

    /// What code is for that does not say it, on a processor.
    pub fn target(&self, arch: &'static Arch) -> Result<Target> {
        self.mode.target(arch)
    }

    fn words(&self, bytes: &[u8]) -> Result<Code> {
        let file = &self.file;
        let Some(arch) = self.arch.and_then(AnyArch::gcn) else {
            return usage(format!("which processor are the words of `{file}` for? give --arch gfx1100"));
        };
        let (words, rest) = bytes.as_chunks();
        if !rest.is_empty() {
            return usage(format!("`{file}` is {} bytes long, which are no whole words", bytes.len()));
        }
        Ok(Code::Words(self.target(arch)?, words.iter().map(|word| u32::from_le_bytes(*word)).collect()))
    }

    fn case(&self, bytes: Vec<u8>) -> Result<Option<Code>> {
        let Some(case) = run::case::read(&self.file, bytes, self.reading)? else { return Ok(None) };
        let mut targets = run::case::targets(&case, self.arch)?;
        if self.mode.mattr.is_some() {
            return usage(format!("`{}` says itself what it is for; leave out --mattr", self.file));
        }
        if let Some(lanes) = &self.mode.wave {
            targets.retain(|target| wave_size(*target).to_string() == *lanes);
        }
        let Some(target) = targets.first() else {
            return usage(format!("`{}` is for no such processor", self.file));
        };
        match case.program(*target) {
            Ok(program) => Ok(Some(Code::Case(Box::new((case, program))))),
            Err(error) => run::case::complain(&error).map(|()| None),
        }
    }
}
