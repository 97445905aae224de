//! Suites of conformance cases, generated from the rows and read from files.
//!
//! A *single* is the smallest case: one instruction, executed once by one wave with registers, MODE and memory of its own. Every row gives some
//! instructions ([`draw`]), every instruction some inputs ([`stage`]); all state that a wave leaves is the result ([`single`]).
//!
//! A [`Plan`] has everything that some suites have for some processors, as [entries](Entry) whose names say what they are; a [`sample`] is a part of them
//! that sees as much as a time allows. What is chosen runs in [units](Unit): singles of a processor a few at a time with all their inputs, because a device
//! wants few programs with many waves; a case in a file, and a random program, alone. A recording keeps of each case what it [changed](effects).

pub mod addresses;
pub mod contest;
pub mod digest;
pub mod draw;
pub mod effects;
pub mod flatten;
pub mod images;
pub mod judge;
pub mod plan;
mod processor;
pub mod rays;
pub mod sample;
pub mod single;
pub mod stage;

pub use plan::{Content, Entry, Item, Plan, Unit};
pub use processor::Processor;

use std::fmt;

/// What belongs together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Suite {
    /// Scalar and vector arithmetic with the modes in which kernels start.
    Alu,
    /// Float arithmetic with other rounding, denormals, IEEE, clamping of NaN, overflow.
    Modes,
    /// Instructions that look at other lanes.
    Lanes,
    /// Matrix instructions.
    Matrix,
    /// Branches.
    Control,
    /// Loads, stores and atomics of global memory, buffers, scalar memory and scratch.
    Memory,
    /// The local data share.
    Lds,
    /// Exports, and the interpolation of parameters in LDS.
    Export,
    /// Texels: loads, stores, atomics and samples of images; rays against the nodes of a tree.
    Image,
    /// Cases in files.
    Cases,
    /// Kernels in files.
    Kernels,
    /// Random programs.
    Random,
}

impl Suite {
    /// Every suite.
    pub const ALL: [Suite; 12] = [
        Suite::Alu,
        Suite::Modes,
        Suite::Lanes,
        Suite::Matrix,
        Suite::Control,
        Suite::Memory,
        Suite::Lds,
        Suite::Export,
        Suite::Image,
        Suite::Cases,
        Suite::Kernels,
        Suite::Random,
    ];

    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Suite::Alu => "alu",
            Suite::Modes => "modes",
            Suite::Lanes => "lanes",
            Suite::Matrix => "matrix",
            Suite::Control => "control",
            Suite::Memory => "memory",
            Suite::Lds => "lds",
            Suite::Export => "export",
            Suite::Image => "image",
            Suite::Cases => "cases",
            Suite::Kernels => "kernels",
            Suite::Random => "random",
        }
    }

    /// A suite by its name.
    #[must_use]
    pub fn find(name: &str) -> Option<Suite> {
        Suite::ALL.into_iter().find(|suite| suite.name() == name)
    }

    /// Whether it consists of singles.
    #[must_use]
    pub fn is_of_singles(self) -> bool {
        !matches!(self, Suite::Cases | Suite::Kernels | Suite::Random)
    }
}

impl fmt::Display for Suite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
