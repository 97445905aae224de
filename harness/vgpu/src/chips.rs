//! The chips that a virtual GPU can be: rows of data.
//!
//! A driver tells chips apart by family, revision and device number, and generations by the version
//! of the graphics engine. All else that it asks (engines, caches, clocks, firmware) may be made
//! up, and is: every chip here is a small one of its kind.

use wavediff::isa::Arch;

/// One chip.
#[derive(Debug, PartialEq, Eq)]
pub struct Chip {
    /// What `wavediff gpu` and Mesa call it.
    pub name: &'static str,
    /// What the assembler and the emulator call its processor.
    pub processor: &'static str,
    /// Family, in the driver's counting.
    pub family: u32,
    /// External revision: which member of the family.
    pub revision: u32,
    /// The device number on the PCI bus.
    pub device: u32,
    /// Version of the graphics engine: major, minor, stepping.
    pub gfx: [u32; 3],
    /// Whether it shares memory with a CPU.
    pub apu: bool,
    /// Ticks of its clock in a millisecond.
    pub clock_khz: u32,
}

const fn chip(
    name: &'static str,
    processor: &'static str,
    numbers: [u32; 3],
    gfx: [u32; 3],
    apu: bool,
    clock_khz: u32,
) -> Chip {
    let [family, revision, device] = numbers;
    Chip { name, processor, family, revision, device, gfx, apu, clock_khz }
}

/// All chips, by generation.
#[rustfmt::skip] // One chip, one line.
pub static CHIPS: &[Chip] = &[
    //   name         processor  family revision device  gfx          apu    clock
    chip("tahiti",    "gfx600",  [110,  0x05,    0x6798], [6, 0, 0],   false, 25_000),
    chip("pitcairn",  "gfx601",  [110,  0x15,    0x6818], [6, 0, 0],   false, 25_000),
    chip("bonaire",   "gfx704",  [120,  0x14,    0x6658], [7, 2, 0],   false, 25_000),
    chip("polaris10", "gfx803",  [130,  0x50,    0x67df], [8, 0, 0],   false, 25_000),
    chip("vega10",    "gfx900",  [141,  0x01,    0x687f], [9, 0, 1],   false, 27_000),
    chip("raven",     "gfx902",  [142,  0x01,    0x15d8], [9, 1, 0],   true,  100_000),
    chip("navi10",    "gfx1010", [143,  0x01,    0x731f], [10, 1, 10], false, 100_000),
    chip("navi14",    "gfx1012", [143,  0x14,    0x7340], [10, 1, 1],  false, 100_000),
    chip("navi21",    "gfx1030", [143,  0x28,    0x73bf], [10, 3, 0],  false, 100_000),
    chip("vangogh",   "gfx1033", [144,  0x01,    0x163f], [10, 3, 1],  true,  100_000),
    chip("navi31",    "gfx1100", [145,  0x01,    0x744c], [11, 0, 0],  false, 100_000),
    chip("navi33",    "gfx1102", [145,  0x10,    0x7480], [11, 0, 2],  false, 100_000),
    chip("gfx1150",   "gfx1150", [150,  0x01,    0x150e], [11, 5, 0],  true,  100_000),
    chip("gfx1200",   "gfx1200", [152,  0x40,    0x7590], [12, 0, 0],  false, 100_000),
    chip("gfx1201",   "gfx1201", [152,  0x50,    0x7550], [12, 0, 1],  false, 100_000),
];

impl Chip {
    /// Its processor.
    ///
    /// # Panics
    /// Never: a test finds all of them.
    #[must_use]
    pub fn arch(&self) -> &'static Arch {
        Arch::find(self.processor).expect("a row names a processor that there is")
    }

    /// The chip of this name, or the first with this processor.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Chip> {
        CHIPS.iter().find(|c| c.name == name).or_else(|| CHIPS.iter().find(|c| c.processor == name))
    }

    /// Vector registers of a SIMD for waves of 64 lanes, from gfx10 on for those of 32. A driver divides them by what a shader takes,
    /// and where no wave fits it has no scratch memory either. LLVM's FeatureGFX11FullVGPRs and gfx12 have half as many again.
    #[must_use]
    pub fn vector_registers(&self) -> u32 {
        match self.gfx {
            [..=9, ..] => 256,
            [11, 0, 0 | 1] | [12, ..] => 1536,
            _ => 1024,
        }
    }

    /// Where the version comes from a table in the chip, as from gfx9 on: major, minor and stepping
    /// in one number. 0 before.
    #[must_use]
    pub fn discovery(&self) -> u32 {
        let [major, minor, stepping] = self.gfx;
        if major < 9 { 0 } else { major << 16 | minor << 8 | stepping }
    }

    /// The end of the addresses that a program may give out.
    #[must_use]
    pub fn address_end(&self) -> u64 {
        match self.gfx[0] {
            ..=6 => 0xf_ffe0_0000,
            7 | 8 => 0x1f_ffe0_0000,
            _ => 0x8000_0000_0000,
        }
    }

    /// The addresses above the sign bit, from gfx9 on: first and end.
    #[must_use]
    pub fn high_addresses(&self) -> (u64, u64) {
        if self.gfx[0] < 9 { (0, 0) } else { (0xffff_8000_0000_0000, 0xffff_ffff_ffe0_0000) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_exist() {
        for chip in CHIPS {
            assert!(Arch::find(chip.processor).is_some(), "{}", chip.processor);
            assert_eq!(Chip::named(chip.name), Some(chip));
        }
    }
}
