//! Loads that exchange rows and columns of a matrix (gfx12): which lane's memory an element of a register comes from.
//!
//! 32 lanes have addresses, in a wave of 64 the lower ones. Each reads eight elements of a column `k`, rows 0 to 7 or 8 to 15. What comes to
//! registers is the matrix as a matrix instruction has its rows: a lane has the number of its row in its four lowest bits.
//!
//! Which lane reads which column was measured on a gfx1201 with 32 lanes, for both sizes. With 64 lanes the lanes are taken to read the same, and
//! registers to have what matrix instructions want there.

/// The elements that a lane with an address reads.
pub const ELEMENTS: u32 = 8;
/// The lanes that have addresses.
pub const LANES: u32 = 32;

/// How the bits of two numbers make the number of a lane: where each goes that counts, from and to.
#[derive(Clone, Copy, Debug)]
pub struct Moves {
    /// Bits of the number of the lane that gets an element.
    pub lane: &'static [(u32, u32)],
    /// Bits of the number that it has there.
    pub element: &'static [(u32, u32)],
}

/// Where an element of a lane's registers comes from. `bytes`: an element is a byte, else two; `wide`: the wave has 64 lanes.
#[must_use]
pub const fn moves(bytes: bool, wide: bool) -> Moves {
    match (bytes, wide) {
        (false, false) => Moves { lane: &[(3, 3), (4, 4)], element: &[(0, 0), (1, 1), (2, 2)] },
        (true, false) => Moves { lane: &[(3, 2), (4, 4)], element: &[(0, 0), (1, 1), (2, 3)] },
        (false, true) => Moves { lane: &[(3, 3), (4, 2), (5, 4)], element: &[(0, 0), (1, 1)] },
        (true, true) => Moves { lane: &[(3, 2), (4, 4), (5, 3)], element: &[(0, 0), (1, 1)] },
    }
}

fn moved(bits: &[(u32, u32)], v: u32) -> u32 {
    bits.iter().fold(0, |to, bit| to | (v >> bit.0 & 1) << bit.1)
}

impl Moves {
    /// Where an element of a lane's registers comes from: the lane whose memory it is in, and its number there.
    #[must_use]
    pub fn source(&self, lane: u32, element: u32) -> (u32, u32) {
        (moved(self.lane, lane) | moved(self.element, element), lane % ELEMENTS)
    }

    /// The part of the lane's number that the element gives.
    #[must_use]
    pub fn of_element(&self, element: u32) -> u32 {
        moved(self.element, element)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two measurements on a gfx1201, each written down as a formula by who made it: of two bytes an element, `received(L, j) = R(8 * (L / 8) + j)[L % 8]`;
    /// of one byte, with lane L reading at `8 * L`, the byte `(L & 7) + (L >> 3 & 1) * 32 + (L >> 4 & 1) * 128 + (s & 3) * 8 + (s >> 2 & 1) * 64`.
    #[test]
    fn measured() {
        for lane in 0..LANES {
            for e in 0..ELEMENTS {
                assert_eq!(moves(false, false).source(lane, e), (8 * (lane / 8) + e, lane % 8));
                let byte = (lane & 7) + (lane >> 3 & 1) * 32 + (lane >> 4 & 1) * 128 + (e & 3) * 8 + (e >> 2 & 1) * 64;
                assert_eq!(moves(true, false).source(lane, e), (byte / 8, byte % 8));
            }
        }
    }

    /// In waves of 64 lanes what comes to registers is what matrix instructions want there (ALU_FACTS 16), of the same columns as in waves of 32.
    #[test]
    fn the_same_matrix() {
        for bytes in [false, true] {
            let of = |wide: bool, lane: u32, e: u32| moves(bytes, wide).source(lane, e);
            for row in 0..16 {
                for k in 0..16 {
                    let narrow = of(false, row + 16 * (k / 8), k % 8);
                    let group = if bytes { (k >> 3) + 2 * (k >> 2 & 1) } else { k >> 2 };
                    assert_eq!(of(true, row + 16 * group, k % 4), narrow, "{bytes} {row} {k}");
                }
            }
        }
    }

    /// Every element of memory comes to one place.
    #[test]
    fn all_of_it() {
        for (bytes, wide) in [(false, false), (false, true), (true, false), (true, true)] {
            let (lanes, each) = if wide { (64, 4) } else { (32, 8) };
            let mut all: Vec<_> =
                (0..lanes).flat_map(|lane| (0..each).map(move |e| moves(bytes, wide).source(lane, e))).collect();
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len() as u32, LANES * ELEMENTS);
            assert!(all.iter().all(|(lane, element)| *lane < LANES && *element < ELEMENTS));
        }
    }
}
