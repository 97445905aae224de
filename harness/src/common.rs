//! What the subcommands share: targets, input and output, errors and exit codes.

pub use crate::terminal::{Paint, print};

use crate::{files, tell, terminal};
use anyhow::{Context, Result};
use std::fmt;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use wavediff::asm::near::near_miss;
use wavediff::isa::r600::Machine;
use wavediff::isa::{ARCHS, Arch, Target};

/// A command line that does not make sense: exit code 2.
#[derive(Debug)]
pub struct Usage(pub String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// Nothing was compared, or not with what was asked for: exit code 3.
#[derive(Debug)]
pub struct NotCompared(pub String);

/// The exit code of a run that compared nothing.
pub const NOT_COMPARED: u8 = 3;

impl fmt::Display for NotCompared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "nothing was compared: {}", self.0)
    }
}

impl std::error::Error for NotCompared {}

/// An error of the command line.
pub fn usage<T>(message: impl Into<String>) -> Result<T> {
    Err(Usage(message.into()).into())
}

/// Shows an error and says which exit code it means. A reader who went away is no error.
pub fn report(error: &anyhow::Error) -> ExitCode {
    let broken = |e: &(dyn std::error::Error + 'static)| {
        e.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == ErrorKind::BrokenPipe)
    };
    if error.chain().any(broken) {
        return ExitCode::SUCCESS;
    }
    let paint = Paint::stderr();
    // A cause that its consequence quotes is not said twice.
    let mut message = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !message.contains(&cause) {
            message.push_str(": ");
            message.push_str(&cause);
        }
    }
    tell!("{}: {message}", paint.red("error"));
    match error {
        error if error.is::<Usage>() => ExitCode::from(2),
        error if error.is::<NotCompared>() => ExitCode::from(NOT_COMPARED),
        _ => ExitCode::from(1),
    }
}

/// Reads `--arch`: a processor, or a product name.
pub fn arch(name: &str) -> Result<&'static Arch, String> {
    let lower = name.to_ascii_lowercase();
    Arch::find(&lower).ok_or_else(|| {
        let names = ARCHS.iter().flat_map(|a| std::iter::once(a.name).chain(a.also.iter().copied()));
        match near_miss(&lower, names) {
            Some(near) => format!("did you mean `{near}`? `wavediff isa` lists the processors"),
            None => "`wavediff isa` lists the processors".to_owned(),
        }
    })
}

/// A processor of any family.
#[derive(Clone, Copy, Debug)]
pub enum AnyArch {
    /// GCN or RDNA.
    Gcn(&'static Arch),
    /// R600 or R700.
    R600(Machine),
}

impl AnyArch {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            AnyArch::Gcn(arch) => arch.name,
            AnyArch::R600(machine) => machine.name(),
        }
    }

    /// The machine, where it is R600 or R700.
    pub fn r600(self) -> Option<Machine> {
        match self {
            AnyArch::Gcn(_) => None,
            AnyArch::R600(machine) => Some(machine),
        }
    }

    /// The processor, where it is GCN or RDNA.
    pub fn gcn(self) -> Option<&'static Arch> {
        match self {
            AnyArch::Gcn(arch) => Some(arch),
            AnyArch::R600(_) => None,
        }
    }
}

/// Reads `--arch` where R600 and R700 are known too.
pub fn any_arch(name: &str) -> Result<AnyArch, String> {
    match Machine::find(&name.to_ascii_lowercase()) {
        Some(machine) => Ok(AnyArch::R600(machine)),
        None => arch(name).map(AnyArch::Gcn),
    }
}

/// Reads a number of bytes: `1048576`, `512M`, `4G`.
pub fn size(text: &str) -> Result<u64, String> {
    let bad = || "a number of bytes, as 1048576, 512M or 4G".to_owned();
    let text = text.trim().trim_end_matches(['B', 'b', 'i']);
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return Err(bad()),
    };
    let number: u64 = digits.parse().map_err(|_| bad())?;
    number.checked_mul(1 << shift).ok_or_else(bad)
}

/// What code is written for, beside the processor.
#[derive(clap::Args, Debug)]
pub struct Mode {
    /// Lanes of a wave: 32 or 64 [default: 32 from gfx10 on, else 64]
    #[arg(long, value_name = "LANES", value_parser = ["32", "64"])]
    pub wave: Option<String>,
    /// LLVM features that change the syntax: +wavefrontsize32, +wavefrontsize64, +real-true16, +salu-float
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub mattr: Option<String>,
}

impl Mode {
    /// Whether anything is said.
    pub fn is_given(&self) -> bool {
        self.wave.is_some() || self.mattr.is_some()
    }

    /// The target on a processor.
    pub fn target(&self, arch: &'static Arch) -> Result<Target> {
        let mut target = Target::new(arch);
        if let Some(list) = &self.mattr {
            target = target.with_mattr(list).map_err(|e| Usage(format!("--mattr: {e}")))?;
        }
        if let Some(lanes) = &self.wave {
            let lanes = if lanes == "32" { 32 } else { 64 };
            let Some(with) = target.wave(lanes) else {
                return usage(format!("{} has waves of 64 lanes only; leave out --wave 32", arch.name));
            };
            target = with;
        }
        Ok(target)
    }
}

/// Reads a file, or standard input where the name is `-`.
pub fn read(name: &str) -> Result<Vec<u8>> {
    if name == "-" {
        return files::read_from(io::stdin().lock(), "standard input", files::INPUT);
    }
    files::read(Path::new(name), files::INPUT)
}

/// Writes data to a file, or to standard output where there is no name.
pub fn write(name: Option<&Path>, bytes: &[u8]) -> Result<()> {
    match name {
        Some(name) if name != Path::new("-") => files::write(name, bytes),
        _ => terminal::data(bytes),
    }
}

/// Threads to work with.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Ctrl-C ends a run after what is under way; a second one ends it at once.
pub fn listen(stop: &Arc<AtomicBool>) -> Result<()> {
    let stop = stop.clone();
    ctrlc::set_handler(move || {
        if stop.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        tell!("ending after what is under way; once more to end at once");
    })
    .context("Ctrl-C can not be listened to")
}
