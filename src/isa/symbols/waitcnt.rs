//! `vmcnt(0) & lgkmcnt(1)`: the counters of `s_waitcnt`.
//!
//! A counter at its largest value waits for nothing and is not printed. Bits of the immediate that belong to no counter
//! are not printed either: the text of a value is the text of `value & mask`.

use crate::isa::arch::{Gen, Target};
use crate::isa::text::{push_str, push_udec};

/// A run of bits: first bit and width.
type Bits = (u8, u8);

/// A counter.
#[derive(Debug, PartialEq, Eq)]
pub struct Counter {
    /// Its name.
    pub name: &'static str,
    /// Its low bits, by generation.
    low: [Bits; 7],
    /// The bits above them, by generation; no width where there are none.
    high: [Bits; 7],
}

/// The counters in the order in which they are printed.
#[rustfmt::skip]
pub static COUNTERS: [Counter; 3] = [
    //                          gfx6     gfx7     gfx8     gfx9     gfx10    gfx11    gfx12
    Counter { name: "vmcnt",   low:  [(0, 4),  (0, 4),  (0, 4),  (0, 4),  (0, 4),  (10, 6), (10, 6)],
                               high: [(0, 0),  (0, 0),  (0, 0),  (14, 2), (14, 2), (0, 0),  (0, 0)] },
    Counter { name: "expcnt",  low:  [(4, 3),  (4, 3),  (4, 3),  (4, 3),  (4, 3),  (0, 3),  (0, 3)],
                               high: [(0, 0); 7] },
    Counter { name: "lgkmcnt", low:  [(8, 4),  (8, 4),  (8, 4),  (8, 4),  (8, 6),  (4, 6),  (4, 6)],
                               high: [(0, 0); 7] },
];

impl Counter {
    fn bits(&self, generation: Gen) -> (Bits, Bits) {
        (self.low[generation as usize], self.high[generation as usize])
    }

    /// The largest value.
    #[must_use]
    pub fn max(&self, generation: Gen) -> u32 {
        let (low, high) = self.bits(generation);
        (1 << (low.1 + high.1)) - 1
    }

    /// Its value in an immediate.
    #[must_use]
    pub fn get(&self, imm: u32, generation: Gen) -> u32 {
        let (low, high) = self.bits(generation);
        let take = |(shift, width): Bits| imm >> shift & ((1 << width) - 1);
        take(low) | take(high) << low.1
    }

    /// An immediate with this value, of which the excess bits are dropped, in place of the old one.
    #[must_use]
    pub fn set(&self, imm: u32, value: u32, generation: Gen) -> u32 {
        let (low, high) = self.bits(generation);
        let put = |imm: u32, (shift, width): Bits, v: u32| {
            let mask = ((1 << width) - 1) << shift;
            imm & !mask | v << shift & mask
        };
        put(put(imm, low, value), high, value >> low.1)
    }
}

/// The bits of the immediate that belong to counters; all of them set is the immediate that waits for nothing.
#[must_use]
pub fn mask(target: &Target) -> u32 {
    let g = target.generation();
    COUNTERS.iter().fold(0, |imm, c| c.set(imm, c.max(g), g))
}

/// Appends the counters that wait, or all of them where none does.
pub fn print(value: u32, target: &Target, out: &mut Vec<u8>) {
    let g = target.generation();
    let mask = mask(target);
    let all = value & mask == mask;
    let mut space = false;
    for counter in &COUNTERS {
        let n = counter.get(value, g);
        if all || n != counter.max(g) {
            if space {
                out.push(b' ');
            }
            space = true;
            push_str(out, counter.name);
            out.push(b'(');
            push_udec(out, u64::from(n));
            out.push(b')');
        }
    }
}
