//! Nodes of gfx12 with eight boxes in 128 bytes, whose planes are quantised.
//!
//! A plane is twelve bits between an origin and the origin plus a power of two for each direction; upper planes count from one on, so that
//! a box is never empty. Children of boxes lie one behind the other, and so do all others: a child says what kind it is and how many
//! nodes lie between it and the next. One that reaches over none is around the same node as the next.

use super::boxes::Child;
use super::vector::V3;
use super::{BOXES32, INVALID};
use crate::fault::planted;

/// The turn of boxes that are not turned.
pub const UNTURNED: u32 = 0x7f;

/// A plane: so many 4096ths of a power of two behind an origin. What would be a denormal is nothing.
fn plane(origin: f32, exponent: u32, plane: u32) -> f32 {
    let offset = match plane.checked_ilog2() {
        Some(first) if exponent + first > 12 => {
            ((exponent + first - 12) << 23 | (plane << (23 - first)) & 0x7f_ffff) & 0x7fff_ffff
        }
        _ => 0,
    };
    f32::from_bits(offset) + origin
}

/// Where quantised boxes are: an origin and three exponents.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    origin: V3,
    exponents: [u32; 3],
}

impl Grid {
    /// From the words of a node: the origin, and the word with the exponents.
    #[must_use]
    pub fn of(origin: [u32; 3], packed: u32) -> Grid {
        Grid { origin: origin.map(f32::from_bits), exponents: [0, 8, 16].map(|shift| packed >> shift & 0xff) }
    }

    /// A box of three words. Its pointer is for the node to say.
    #[must_use]
    pub fn child(&self, [x, y, z]: [u32; 3]) -> Child {
        let low = [x & 0xfff, x >> 12 & 0xfff, y & 0xfff];
        let high = [y >> 12 & 0xfff, z & 0xfff, z >> 12 & 0xfff];
        let one = u32::from(!planted!(RayQuantisedEmpty));
        let planes = |of: [u32; 3]| std::array::from_fn(|n| plane(self.origin[n], self.exponents[n], of[n]));
        Child {
            pointer: INVALID,
            min: planes(low),
            max: planes(high.map(|plane| plane + one)),
            only: (x >> 24 & 15) as u8,
            mask: (y >> 24) as u8,
        }
    }
}

/// Where the children of a node are: those with boxes, and all others.
#[derive(Clone, Copy, Debug)]
pub struct Running {
    /// The next node of boxes.
    pub boxes: u32,
    /// The next one of another kind.
    pub others: u32,
}

impl Running {
    /// The pointer of a child, by its last word.
    #[must_use]
    pub fn next(&mut self, last: u32) -> u32 {
        let (kind, range) = (last >> 24 & 15, last >> 28);
        let (at, from) = if kind == BOXES32 { (self.boxes, &mut self.boxes) } else { (self.others, &mut self.others) };
        *from = from.wrapping_add(range << 4);
        at | kind
    }
}

/// A node of eight.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its boxes.
    pub children: [Child; 8],
    /// How they are turned, unless [`UNTURNED`].
    pub turn: u32,
    /// Its boxes are not sorted.
    pub unsorted: bool,
}

/// Reads a node.
#[must_use]
pub fn node(words: &[u32; 32]) -> Node {
    let packed = words[6];
    let grid = Grid::of([words[3], words[4], words[5]], packed);
    let count = 1 + (packed >> 28 & 7) as usize;
    let mut running = Running { boxes: words[0], others: words[1] };
    let children = std::array::from_fn(|n| {
        let three = [0, 1, 2].map(|m| words[8 + 3 * n + m]);
        match n < count {
            true => Child { pointer: running.next(three[2]), ..grid.child(three) },
            false => Child::NONE,
        }
    });
    Node { children, turn: words[7] & 0x7f, unsorted: packed >> 24 & 1 != 0 }
}

#[cfg(test)]
mod tests {
    use super::plane;

    /// `plane / 4096 * 2^(exponent - 127)` is exact in f64 for every plane.
    #[test]
    fn planes_are_fractions_of_a_power_of_two() {
        for exponent in [100, 127, 130, 140] {
            for n in 0..=4096 {
                let wanted = f64::from(n) / 4096.0 * 2f64.powi(exponent as i32 - 127);
                assert_eq!(f64::from(plane(0.0, exponent, n)), wanted, "{n} {exponent}");
            }
        }
        assert_eq!(plane(-2.0, 128, 2048), -1.0);
        assert_eq!(plane(7.0, 1, 1), 7.0);
    }
}
