//! The processors, and what their texts look like.

use wavediff::isa::{Arch, Target};

/// A processor with waves of some lanes. What the models know of it is this and nothing of the
/// library's.
#[derive(Clone, Copy, Debug)]
pub struct Chip {
    pub name: &'static str,
    pub generation: u32,
    pub lanes: u32,
}

const fn chip(name: &'static str, generation: u32, lanes: u32) -> Chip {
    Chip { name, generation, lanes }
}

/// One processor of each kind, in every width of waves.
pub const CHIPS: [Chip; 12] = [
    chip("gfx600", 6, 64),
    chip("gfx700", 7, 64),
    chip("gfx803", 8, 64),
    chip("gfx900", 9, 64),
    chip("gfx90a", 9, 64),
    chip("gfx940", 9, 64),
    chip("gfx1030", 10, 32),
    chip("gfx1030", 10, 64),
    chip("gfx1100", 11, 32),
    chip("gfx1100", 11, 64),
    chip("gfx1200", 12, 32),
    chip("gfx1200", 12, 64),
];

impl Chip {
    pub fn target(self) -> Target {
        let target = Target::new(Arch::find(self.name).expect("a processor"));
        target.wave(self.lanes).unwrap_or(target)
    }

    pub fn is(self, name: &str) -> bool {
        self.name == name
    }

    /// The beginnings of the files that data may lie in: CDNA has one more from gfx90a on.
    pub fn files(self) -> &'static [u32] {
        if matches!(self.name, "gfx90a" | "gfx940") { &[0, ACCUMULATION] } else { &[0] }
    }

    /// All of [`Chip::files`], or the first only.
    pub fn files_if(self, all: bool) -> &'static [u32] {
        if all { self.files() } else { &[0] }
    }

    /// The number of M0 among scalar registers.
    pub fn m0(self) -> usize {
        if self.generation >= 11 { 125 } else { 124 }
    }

    /// What makes an atomic return.
    pub fn returning(self) -> &'static str {
        match self.generation {
            12 => "th:TH_ATOMIC_RETURN",
            9 if self.is("gfx940") => "sc0",
            _ => "glc",
        }
    }

    /// All lanes.
    pub fn all(self) -> u64 {
        if self.lanes == 64 { u64::MAX } else { u64::from(u32::MAX) }
    }

    /// All of [`Chip::masks`], or all lanes only.
    pub fn masks_if(self, all: bool) -> Vec<u64> {
        self.masks()[..if all { 5 } else { 1 }].to_vec()
    }

    /// EXEC: all lanes, one, every other, none, some.
    pub fn masks(self) -> [u64; 5] {
        [u64::MAX, 1 << 5, 0xaaaa_aaaa_aaaa_aaaa, 0, 0x9e37_79b9_7f4a_7c15].map(|mask| mask & self.all())
    }
}

/// A tuple of vector registers: `v8`, `v[8:9]`; from [`ACCUMULATION`] on those of accumulation,
/// `a8`.
pub fn v(first: u32, count: u32) -> String {
    if first >= ACCUMULATION { tuple('a', first - ACCUMULATION, count) } else { tuple('v', first, count) }
}

/// The first accumulation register.
pub const ACCUMULATION: u32 = 256;

/// A tuple of scalar registers.
pub fn s(first: u32, count: u32) -> String {
    tuple('s', first, count)
}

fn tuple(file: char, first: u32, count: u32) -> String {
    if count == 1 { format!("{file}{first}") } else { format!("{file}[{first}:{}]", first + count - 1) }
}
