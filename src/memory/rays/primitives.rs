//! Triangles of gfx12, packed into 128 bytes: up to sixteen corners, up to eight pairs of triangles.
//!
//! A header of 52 bits says how wide everything is. Coordinates that all corners begin alike with stand once, what is left of each follows;
//! zeros that all end with stand nowhere. From the other end grow the descriptions of pairs, 29 bits each: which corners, which are opaque,
//! whether the range ends here. Between the two, about a middle that the header names, are the numbers of the triangles and of
//! their geometries: the first in full, of the others perhaps only the lower bits.

use super::triangle::Says;
use super::vector::V3;
use super::{Unsupported, bits};
use crate::fault::planted;

/// Bits of the header.
pub const HEADER: u32 = 52;
/// Bits of the description of a pair.
pub const PAIR: u32 = 29;
/// A program goes on to the next pair, to the next node, or that was the last.
pub const PAIR_NEXT: u32 = 0;
/// See [`PAIR_NEXT`].
pub const NODE_NEXT: u32 = 1;
/// See [`PAIR_NEXT`].
pub const LAST: u32 = 3;
/// Both first corners of what is no triangle.
pub const PROCEDURAL: u32 = 15;

/// A node.
#[derive(Clone, Copy, Debug)]
pub struct Primitives<'a> {
    words: &'a [u32; 32],
}

impl<'a> Primitives<'a> {
    /// A node of these words.
    ///
    /// # Errors
    /// Its corners are stored in a way that is not published.
    pub fn new(words: &'a [u32; 32]) -> Result<Primitives<'a>, Unsupported> {
        if words[0] >> 31 != 0 { Err(Unsupported::Corners) } else { Ok(Primitives { words }) }
    }

    fn bits(self, at: u32, count: u32) -> u32 {
        bits(self.words, at, count)
    }

    /// How many bits of a coordinate each corner has.
    fn own(self, n: u32) -> u32 {
        1 + self.bits(5 * n, 5)
    }

    /// With how many zeros all coordinates end.
    fn zeros(self) -> u32 {
        self.bits(15, 5)
    }

    /// How many bits of a coordinate all corners share.
    fn shared(self, n: u32) -> u32 {
        (32 - self.zeros()).saturating_sub(self.own(n))
    }

    /// A corner.
    fn corner(self, n: u32) -> V3 {
        let total = |of: &dyn Fn(u32) -> u32| (0..3).map(of).sum::<u32>();
        let mut prefix = HEADER;
        let mut at = HEADER + total(&|n| self.shared(n)) + n * total(&|n| self.own(n));
        std::array::from_fn(|n| {
            let n = n as u32;
            let (shared, own) = (self.shared(n), self.own(n));
            let top = self.bits(prefix, shared).checked_shl(32 - shared).unwrap_or(0);
            let rest = self.bits(at, own) << self.zeros();
            prefix += shared;
            at += own;
            f32::from_bits(if planted!(RayPrefixLost) { rest } else { top | rest })
        })
    }

    fn pairs(self) -> u32 {
        1 + self.bits(28, 3)
    }

    /// The description of a pair.
    fn pair(self, pair: u32) -> u32 {
        self.bits(1024 - PAIR * (pair + 1), PAIR)
    }

    /// The three corners of a triangle of a pair, by number.
    fn numbers(self, pair: u32, second: bool) -> [u32; 3] {
        let first = if second { 3 } else { 17 };
        [0, 4, 8].map(|n| self.pair(pair) >> (first + n) & 15)
    }

    /// Whether a pair has a second triangle: one that has three times corner 0 is none.
    #[must_use]
    pub fn is_pair(self, pair: u32) -> bool {
        self.numbers(pair, true) != [0; 3]
    }

    /// The corners of a triangle.
    #[must_use]
    pub fn corners(self, pair: u32, second: bool) -> [V3; 3] {
        self.numbers(pair, second).map(|n| self.corner(n))
    }

    /// What a triangle says of itself.
    #[must_use]
    pub fn says(self, pair: u32, second: bool) -> Says {
        let [a, b, _] = self.numbers(pair, second);
        let is = |bit: u32| self.pair(pair) >> bit & 1 != 0;
        let (both_sides, opaque) = if second { (is(1), is(2)) } else { (is(15), is(16)) };
        Says { both_sides, flip: false, procedural: a == PROCEDURAL && b == PROCEDURAL, opaque }
    }

    /// A number that the first triangle has in full; the others may share its upper bits. `first` and `rest` are where they are.
    fn number(self, n: u32, (first, width): (u32, u32), (rest, narrow): (u32, u32)) -> u32 {
        let anchor = self.bits(first, width);
        if n == 0 {
            return anchor;
        }
        let own = self.bits(rest, narrow);
        match narrow < width && !planted!(RayAnchorIgnored) {
            true => anchor >> narrow << narrow | own,
            false => own,
        }
    }

    fn middle(self) -> u32 {
        self.bits(42, 10)
    }

    /// The number of a triangle in its geometry.
    #[must_use]
    pub fn primitive(self, pair: u32, second: bool) -> u32 {
        let (n, width, narrow) = (2 * pair + u32::from(second), self.bits(32, 5), self.bits(37, 5));
        let rest = self.middle() + width + n.saturating_sub(1) * narrow;
        self.number(n, (self.middle(), width), (rest, narrow))
    }

    /// The number of its geometry.
    #[must_use]
    pub fn geometry(self, pair: u32, second: bool) -> u32 {
        let (n, width, narrow) = (2 * pair + u32::from(second), 2 * self.bits(20, 4), 2 * self.bits(24, 4));
        let first = self.middle().saturating_sub(width);
        self.number(n, (first, width), (first.saturating_sub(n * narrow), narrow))
    }

    /// Where a program goes on after a pair: 0 at the next pair, 1 at the next node, 3 nowhere.
    #[must_use]
    pub fn next(self, pair: u32) -> u32 {
        match self.pair(pair) & 1 {
            1 => LAST,
            _ if pair + 1 == self.pairs() && !planted!(RayNodeNeverEnds) => NODE_NEXT,
            _ => PAIR_NEXT,
        }
    }
}

/// Which pair of a node a pointer names.
#[must_use]
pub fn pair_of(pointer: u32) -> u32 {
    pointer & 3 | (pointer & 8) >> 1
}
