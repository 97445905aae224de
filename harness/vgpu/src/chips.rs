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
