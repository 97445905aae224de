//! The shapes that are proved.

use super::shape::{Shape, WORDS};

/// Shapes that are remembered at once: code that a compiler made has some hundreds.
const MOST_SHAPES: usize = 1 << 16;
/// Pairs of places for the first shapes.
const FIRST_PAIRS: usize = 1 << 10;

/// Shapes that are proved: a table with room for at least as many again, in which a shape stands in the pair that its hash says, or
/// in one behind it. Both of a pair are in one cache line, and are compared without a branch between them.
#[derive(Default)]
pub(super) struct Shapes {
    pairs: Vec<Pair>,
    taken: usize,
}

/// Two places for shapes, the first of which is taken first, and how often they were looked up.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Pair([Shape; 2], [u16; 2]);

/// Where no shape stands: no form has this number.
const VACANT: Shape = [u32::MAX; WORDS + 1];

impl Shapes {
    /// How often a shape that is there was looked up, this time too.
    #[inline]
    pub(super) fn seen(&mut self, shape: &Shape) -> Option<u16> {
        let mask = self.pairs.len().checked_sub(1)?;
        let mut at = hash(shape) as usize & mask;
        loop {
            let Pair([first, second], counts) = &mut self.pairs[at];
            if (first == shape) | (second == shape) {
                let count = &mut counts[usize::from(first != shape)];
                *count = count.saturating_add(1);
                return Some(*count);
            }
            if second[WORDS] == u32::MAX {
                return None;
            }
            at = (at + 1) & mask;
        }
    }

    /// Keeps a shape that is not there, among a bounded number of others.
    pub(super) fn insert(&mut self, shape: &Shape) {
        if self.taken == MOST_SHAPES {
            *self = Shapes::default();
        }
        if self.taken >= self.pairs.len() {
            let more = vec![Pair([VACANT; 2], [0; 2]); (2 * self.pairs.len()).max(FIRST_PAIRS)];
            let old = std::mem::replace(&mut self.pairs, more);
            old.iter().flat_map(|pair| &pair.0).filter(|shape| shape[WORDS] != u32::MAX).for_each(|old| self.put(old));
        }
        self.put(shape);
        self.taken += 1;
    }

    /// Puts a shape into the first vacant place.
    fn put(&mut self, shape: &Shape) {
        let mask = self.pairs.len() - 1;
        let mut at = hash(shape) as usize & mask;
        loop {
            if let Some(place) = self.pairs[at].0.iter_mut().find(|place| place[WORDS] == u32::MAX) {
                *place = *shape;
                return;
            }
            at = (at + 1) & mask;
        }
    }
}

/// A quick hash of a shape.
#[inline]
fn hash(shape: &Shape) -> u64 {
    const K: [u64; 3] = [0x517c_c1b7_2722_0a95, 0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f];
    let two = |at: usize| u64::from(shape[at]) | u64::from(shape[at + 1]) << 32;
    // The multiplications do not wait for each other; the upper bits of their sum depend on all bits.
    let sum = two(0).wrapping_mul(K[0]).rotate_left(32) ^ two(2).wrapping_mul(K[1]) ^ two(4).wrapping_mul(K[2]);
    sum.wrapping_mul(K[1]) >> 32
}
