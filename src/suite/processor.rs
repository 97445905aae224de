//! What cases run on: a processor with the size of its waves, or a machine of R600's family.

use crate::isa::r600::Machine;
use crate::isa::{Arch, Target};

/// What a case runs on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Processor {
    /// GCN and RDNA, with so many lanes in a wave.
    Waves(Target, u32),
    /// R600 and R700: thread groups of 64 lanes.
    Groups(Machine),
}

impl Processor {
    /// A processor by its name and the size of its waves.
    #[must_use]
    pub fn find(name: &str, lanes: u32) -> Option<Processor> {
        if let Some(machine) = Machine::find(name) {
            return Some(Processor::Groups(machine));
        }
        Some(Processor::Waves(Target::new(Arch::find(name)?).wave(lanes)?, lanes))
    }

    /// Its name: `gfx1100`, `r600`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Processor::Waves(target, _) => target.arch.name,
            Processor::Groups(machine) => machine.name(),
        }
    }

    /// Lanes that execute together.
    #[must_use]
    pub fn lanes(self) -> u32 {
        match self {
            Processor::Waves(_, lanes) => lanes,
            Processor::Groups(_) => crate::r600::case::MAX_LANES,
        }
    }

    /// The target, where it has waves.
    #[must_use]
    pub fn target(self) -> Option<Target> {
        match self {
            Processor::Waves(target, _) => Some(target),
            Processor::Groups(_) => None,
        }
    }

    /// As names of cases have it: `gfx1100-w32`, `r600`.
    #[must_use]
    pub fn label(self) -> String {
        match self {
            Processor::Waves(target, lanes) => format!("{}-w{lanes}", target.arch.name),
            Processor::Groups(machine) => machine.name().to_owned(),
        }
    }
}
