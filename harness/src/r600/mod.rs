//! R600 and R700 on the command line: where a subcommand meets their code, their cases or their `--arch`, it goes on here.
//!
//! - [`text`]: `asm`, `disasm`, `explain`;
//! - [`run`], [`diff`], [`trace`], [`scan`], [`bisect`]: cases;
//! - [`fuzz`]: random programs.
//!
//! A case is known by its header ([`is_case`]); the other machines' cases and theirs may stand side by side on a command line.

pub mod bisect;
pub mod diff;
pub mod fuzz;
pub mod run;
pub mod scan;
pub mod text;
pub mod trace;

use crate::common::{AnyArch, usage};
use crate::engines::{Device, Name, Opened};
use crate::run::Limits;
use crate::run::case::{Reading, complain};
use anyhow::{Context, Result, bail};
use std::time::Duration;
use wavediff::engine::Engine;
use wavediff::isa::r600::Machine;
pub use wavediff::r600::case::Case;
use wavediff::r600::case::is_one;
use wavediff::r600::engine::{Emulator, OnDevice};

/// Whether bytes are a case of these machines.
pub fn is_case(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(is_one)
}

/// Reads a case; its errors are shown.
pub fn read(name: &str, bytes: &[u8], reading: Reading) -> Result<Option<Case>> {
    let text = std::str::from_utf8(bytes).with_context(|| format!("`{name}` is not text"))?;
    match Case::parse(text, if name == "-" { "<stdin>" } else { name }) {
        Ok(mut case) => {
            case.reach = reading.reach();
            Ok(Some(case))
        }
        Err(error) => complain(&error).map(|()| None),
    }
}

/// The machines to run for.
pub fn machines(case: &Case, arch: Option<AnyArch>) -> Result<Vec<Machine>> {
    let chosen = match arch {
        None => case.machines.clone(),
        Some(AnyArch::R600(machine)) => case.machines.iter().copied().filter(|known| *known == machine).collect(),
        Some(AnyArch::Gcn(arch)) => bail!("`{}` is not for {}", case.name, arch.name),
    };
    if let (true, Some(AnyArch::R600(machine))) = (chosen.is_empty(), arch) {
        bail!("`{}` is not for {}", case.name, machine.name());
    }
    Ok(chosen)
}

/// An engine that runs these cases.
pub fn engine(name: &Name, device: &Device, limits: &Limits) -> Result<Box<dyn Engine<Case>>> {
    match name {
        Name::Emu => Ok(Box::new(Emulator { budget: limits.budget })),
        Name::Vulkan(_) => {
            let Opened::Vulkan(opened) = Opened::open(name, device, limits, false)? else {
                return usage(format!("{name} is no Vulkan device"));
            };
            let mut engine = OnDevice::beside(&opened);
            engine.budget = limits.budget;
            if let Some(time) = limits.timeout {
                engine.limit(Duration::from_millis(time));
            }
            Ok(Box::new(engine))
        }
        Name::Native(_) => usage("no driver takes machine code of R600 and R700: engines are emu and vulkan"),
    }
}
