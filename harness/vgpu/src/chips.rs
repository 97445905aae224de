//! The chips that a virtual GPU can be: rows of data.

use wavediff::isa::Arch;

/// A chip.
#[derive(Debug)]
pub struct Chip {
    /// Its name.
    pub name: &'static str,
    /// Its processor.
    pub processor: &'static str,
    /// The clock of its counters.
    pub clock_khz: u32,
}

impl Chip {
    /// Its processor.
    #[must_use]
    pub fn arch(&self) -> &'static Arch {
        Arch::find(self.processor).unwrap_or_else(|| panic!("{}", self.processor))
    }
}

/// All of them.
pub static CHIPS: &[Chip] = &[
    Chip { name: "tahiti", processor: "gfx600", clock_khz: 27000 },
    Chip { name: "bonaire", processor: "gfx704", clock_khz: 27000 },
    Chip { name: "polaris10", processor: "gfx803", clock_khz: 27000 },
    Chip { name: "vega10", processor: "gfx900", clock_khz: 27000 },
    Chip { name: "navi10", processor: "gfx1010", clock_khz: 100_000 },
    Chip { name: "navi31", processor: "gfx1100", clock_khz: 100_000 },
    Chip { name: "gfx1201", processor: "gfx1201", clock_khz: 100_000 },
];

impl Chip {
    /// The chip of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Chip> {
        CHIPS.iter().find(|chip| chip.name == name)
    }
}
