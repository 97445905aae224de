//! The tests that carry evidence from outside, and of what kind it is.

/// Where expected values come from, the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Kind {
    /// From silicon, or from a program that others wrote: compilers, software floats, arbitrary
    /// precision, drivers.
    Independent,
    /// From the pseudo-code of AMD's guides, which others wrote and we interpret.
    Text,
    /// From a formula or a table that somebody here has worked out.
    ByHand,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Independent, Self::Text, Self::ByHand];

    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Independent => "independent",
            Self::Text => "guide-text",
            Self::ByHand => "by-hand",
        }
    }

    /// By its name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// How a program is told which of its tests to run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Harness {
    /// By their names: Rust's own.
    Libtest,
    /// By a file with their names, as `tests/support/chosen.rs` reads it.
    Trials,
    /// The same, of a program whose tests are processes that do not know which test they are.
    Alone,
}

/// What must be there for a test to say anything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Needs {
    Nothing,
    /// `../shared`.
    Shared,
    /// The pseudo-code of the guides that are not in `../shared`.
    Guides,
    /// clang 19, which compiles the corpus.
    Clang,
    /// RADV, which compiles shaders, and lavapipe, which runs them.
    Drivers,
}

/// Tests of one program with evidence of one kind.
pub struct Evidence {
    /// The program: `tests/NAME.rs`.
    pub program: &'static str,
    /// How the names of its tests begin.
    pub trials: &'static str,
    pub kind: Kind,
    pub harness: Harness,
    pub needs: Needs,
}

const fn evidence(program: &'static str, trials: &'static str, kind: Kind, harness: Harness, needs: Needs) -> Evidence {
    Evidence { program, trials, kind, harness, needs }
}

use Harness::{Alone, Libtest, Trials};
use Kind::{ByHand, Independent, Text};
use Needs::{Clang, Drivers, Guides, Nothing, Shared};

/// The tests. Of the lines that a test fits, the first counts; a test that fits none is no
/// evidence.
#[rustfmt::skip]
pub const EVIDENCE: &[Evidence] = &[
    // The interpreter of the guides, instruction by instruction.
    evidence("reference",      "rdna3_later",   Text,        Libtest, Guides),
    evidence("reference",      "rdna4",         Text,        Libtest, Guides),
    evidence("reference",      "cdna4",         Text,        Libtest, Guides),
    evidence("reference",      "",              Text,        Libtest, Shared),
    // LLVM's software floats.
    evidence("verify",         "",              Independent, Libtest, Nothing),
    // Big integers, the host's floats, values of cards.
    evidence("soft",           "facts::",       ByHand,      Libtest, Nothing),
    evidence("soft",           "dot::",         ByHand,      Libtest, Nothing),
    evidence("soft",           "",              Independent, Libtest, Nothing),
    // Kernels by clang for the GPU and for the host. Of some of them clang knows the operands alone: what these should do the host is told by us.
    evidence("corpus",         "asm/",          ByHand,      Trials,  Nothing),
    evidence("corpus",         "image/gathers", ByHand,      Trials,  Clang),
    evidence("corpus",         "image/coarse",  ByHand,      Trials,  Clang),
    evidence("corpus",         "image/compared", ByHand,     Trials,  Clang),
    evidence("corpus",         "lanes/interp",  ByHand,      Trials,  Clang),
    evidence("corpus",         "",              Independent, Trials,  Clang),
    // Shaders by RADV for the GPU, beside lavapipe: two shaders lie here, all are compiled where the drivers are.
    evidence("radv",           "recorded::",    Independent, Trials,  Nothing),
    evidence("radv",           "shaders::",     Independent, Trials,  Drivers),
    // Programs of Vulkan, with images and texel buffers, by RADV on a virtual GPU, beside lavapipe.
    evidence("equal",          "each::",        Independent, Alone,   Drivers),
    evidence("equal",          "random::",      Independent, Alone,   Drivers),
    // Places by AMD's calculator, sums by MMA-Sim, which its authors hold against silicon.
    evidence("matrix",         "",              Independent, Libtest, Nothing),
    // Where texels lie by AMD's address library, and what their bytes mean to others.
    evidence("tiling",         "descriptors::", Independent, Libtest, Nothing),
    evidence("tiling",         "sampled",       Independent, Libtest, Nothing),
    evidence("texels",         "",              Independent, Libtest, Nothing),
    // States that cards left: case files, and programs with the registers they leave.
    evidence("recordings",     "",              Independent, Libtest, Shared),
    evidence("silicon",        "",              Independent, Trials,  Shared),
    // Cases with a source.
    evidence("emu_cases",      "pass::transposing_loads::", Independent, Trials, Nothing),
    evidence("emu_cases",      "pass::",        ByHand,      Trials,  Nothing),
    evidence("emu_cases",      "fail::",        ByHand,      Trials,  Nothing),
    evidence("emu_cases",      "images::",      ByHand,      Trials,  Nothing),
    evidence("emu_cases",      "traps::",       ByHand,      Trials,  Nothing),
    evidence("emu_cases",      "rays::",        ByHand,      Trials,  Nothing),
    // What the names of samples and gathers say, on an image whose texels say where they are.
    evidence("image_ways",     "",              ByHand,      Libtest, Nothing),
    // Trees of boxes and triangles, gone through by programs, against sums of whole numbers.
    evidence("rays",           "",              ByHand,      Libtest, Nothing),
    evidence("emu_cases",      "across::",      ByHand,      Trials,  Nothing),
    evidence("across",         "",              ByHand,      Libtest, Nothing),
    evidence("emu_lanes",      "coverage::",    ByHand,      Libtest, Nothing),
    evidence("emu_lanes",      "",              ByHand,      Libtest, Nothing),
    evidence("emu_memory",     "",              ByHand,      Libtest, Nothing),
    evidence("memory_formats", "",              ByHand,      Libtest, Nothing),
    // Memory rows: float atomics by LLVM's software floats, what the guides' texts say, formulas.
    evidence("memory_rows",    "floats::",      Independent, Trials,  Nothing),
    evidence("memory_rows",    "text::",        Text,        Trials,  Guides),
    evidence("memory_rows",    "rows::",        ByHand,      Trials,  Nothing),
    // What clang and the HSA tables say of the beginning of a launch.
    evidence("launch",         "clang::",       Independent, Libtest, Clang),
    evidence("launch",         "",              ByHand,      Libtest, Nothing),
];

impl Evidence {
    /// The line that a test fits.
    pub fn of(program: &str, trial: &str) -> Option<&'static Evidence> {
        EVIDENCE.iter().find(|line| line.program == program && trial.starts_with(line.trials))
    }

    /// The programs, each once.
    pub fn programs() -> Vec<(&'static str, Harness)> {
        let mut all: Vec<(&str, Harness)> = Vec::new();
        for line in EVIDENCE {
            if !all.iter().any(|(name, _)| *name == line.program) {
                all.push((line.program, line.harness));
            }
        }
        all
    }
}
