//! What is in the registers while an instruction is measured.

/// Numbers of a kind, a word for each register and lane.
#[derive(Clone, Copy, Debug)]
pub enum Values {
    /// Between 1 and 2.
    F32,
    /// Pairs of f16 with magnitudes from 1 to 2 and both signs.
    F16,
    /// From 1 on, in pairs of registers with the low word in an even one.
    F64,
    /// All bits, but few in v3, which counts.
    Integers,
    /// In v0 and v6 an offset of so many bytes a lane; in v7 the high word of an address; numbers elsewhere.
    Offsets(u32),
}

impl Values {
    /// What a register has in a lane.
    #[inline]
    pub fn of(self, register: usize, lane: usize) -> u32 {
        let (r, l) = (register as u32, lane as u32);
        let number = (1.0 + 0.01 * lane as f32 / (register + 1) as f32).to_bits();
        let half = |n: u32| 0x3c00 + (l * 37 + n * 113) % 0x400 + (l & 1) * 0x8000;
        match self {
            Values::F32 => number,
            Values::F16 => half(r) | half(r + 9) << 16,
            Values::F64 if r % 2 == 0 => l * 77 + r,
            Values::F64 => 0x3ff0_0000 + l * 0x333 + r,
            Values::Integers if r == 3 => l % 7,
            Values::Integers => l.wrapping_mul(0x9e37_79b1).wrapping_add(r * 0x0123_4567),
            Values::Offsets(bytes) if r == 0 || r == 6 => l * bytes,
            Values::Offsets(_) if r == 7 => 1,
            Values::Offsets(_) => number,
        }
    }
}
