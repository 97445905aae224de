//! Boxes: the way of a ray through each, and the order in which programs should visit them.
//!
//! A box has two planes for each direction. The ray is between them from one distance to another, and in the box where it is between all of
//! them. A ray along a plane has no distance from it (0 by infinity): the other directions decide. Boxes that are missed become pointers that
//! lead nowhere, and stand last after sorting.

use super::vector::V3;
use super::{Flags, INVALID, Ray, Tree};
use crate::fault::planted;

/// By what boxes are sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heuristic {
    /// Where the ray enters.
    Closest,
    /// The length of the way through, the longest first.
    Largest,
    /// The middle of the way through, as if the ray had neither beginning nor end.
    Midpoint,
}

impl Heuristic {
    /// By its number.
    #[must_use]
    pub fn of(number: u64) -> Heuristic {
        match number {
            1 if !planted!(RayHeuristicIgnored) => Heuristic::Largest,
            2 if !planted!(RayHeuristicIgnored) => Heuristic::Midpoint,
            _ => Heuristic::Closest,
        }
    }
}

/// A box of a node, and what is in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Child {
    /// The node that the box is around.
    pub pointer: u32,
    /// The lower planes.
    pub min: V3,
    /// The upper ones.
    pub max: V3,
    /// What all in it has in common: opaque, not opaque, triangles, what programs intersect; a bit each.
    pub only: u8,
    /// Which rays see it.
    pub mask: u8,
}

impl Child {
    /// Nothing.
    pub const NONE: Child = Child { pointer: INVALID, min: [f32::NAN; 3], max: [f32::NAN; 3], only: 0, mask: 0 };

    /// Whether the flags of a pointer say that nothing in it counts.
    #[must_use]
    pub fn culled(&self, flags: Flags) -> bool {
        let [opaque, translucent, triangles, procedural] = [0, 1, 2, 3].map(|bit| self.only >> bit & 1 != 0);
        let [force_opaque, force_translucent] =
            [Flags::FORCE_OPAQUE, Flags::FORCE_TRANSLUCENT].map(|flag| flags.contains(flag));
        let all_opaque = (opaque || force_opaque) && !force_translucent;
        let all_translucent = (translucent || force_translucent) && !force_opaque;
        all_opaque && flags.contains(Flags::CULL_OPAQUE)
            || all_translucent && flags.contains(Flags::CULL_TRANSLUCENT)
            || triangles && flags.contains(Flags::SKIP_TRIANGLES)
            || procedural && flags.contains(Flags::SKIP_PROCEDURAL)
    }
}

/// The way of a ray through a box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Way {
    /// Where it is in the box and on the ray.
    pub inside: [f32; 2],
    /// As if the ray had neither beginning nor end.
    pub whole: [f32; 2],
}

/// The way of a ray between two planes for each direction.
#[must_use]
pub fn way(ray: &Ray, min: V3, max: V3) -> Way {
    let (mut near, mut far) = ([0.0; 3], [0.0; 3]);
    for n in 0..3 {
        let [low, high] = [min[n], max[n]].map(|plane| (plane - ray.origin[n]) * ray.inverse[n]);
        let forward = ray.inverse[n] >= 0.0 || planted!(RayBoxForward);
        (near[n], far[n]) = if forward { (low, high) } else { (high, low) };
    }
    // A distance that is no number does not count, where there is another.
    let counts = |x: f32, y: f32| planted!(RayNanCounts) && (x.is_nan() || y.is_nan());
    let larger = |x: f32, y: f32| if counts(x, y) { f32::NAN } else { x.max(y) };
    let smaller = |x: f32, y: f32| if counts(x, y) { f32::NAN } else { x.min(y) };
    let first = near.into_iter().reduce(larger).unwrap_or(f32::NAN);
    let last = far.into_iter().reduce(smaller).unwrap_or(f32::NAN);
    let inside = match first.is_nan() || last.is_nan() {
        true => [f32::INFINITY, f32::NEG_INFINITY],
        false if planted!(RayExtentIgnored) => [first.max(0.0), last],
        false => [first.max(0.0), last.min(ray.extent)],
    };
    let whole = [if first.is_nan() { 0.0 } else { first }, if last.is_nan() { f32::INFINITY } else { last }];
    Way { inside, whole }
}

/// A pointer and where it is to stand.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// Whatever the distance: hit before missed, and triangles before boxes, if the tree says so.
    rank: u8,
    key: f32,
    pointer: u32,
}

/// The network that sorts four.
pub const FOUR: &[(usize, usize)] = &[(0, 2), (1, 3), (0, 1), (2, 3), (1, 2)];
/// The network that sorts eight.
#[rustfmt::skip]
pub const EIGHT: &[(usize, usize)] = &[
    (0, 2), (1, 3), (4, 6), (5, 7),  (0, 1), (2, 3), (4, 5), (6, 7),  (1, 2), (5, 6),
    (0, 4), (1, 5), (2, 6), (3, 7),  (2, 4), (3, 5),  (1, 2), (3, 4), (5, 6),
];

fn sort(places: &mut [Place], network: &[(usize, usize)]) {
    let network = if planted!(RaySortShort) { &network[..network.len() - 1] } else { network };
    for &(a, b) in network {
        let [first, second] = [places[a], places[b]];
        if second.rank < first.rank || second.rank == first.rank && second.key < first.key {
            places.swap(a, b);
        }
    }
}

/// How a ray goes through the boxes of a node, and how those are sorted.
#[derive(Clone, Copy, Debug)]
pub struct Visit<'a> {
    /// The tree.
    pub tree: &'a Tree,
    /// The ray, in the space of the boxes.
    pub ray: &'a Ray,
    /// The last kind of node that has triangles.
    pub leaves: u32,
}

impl Visit<'_> {
    fn place(&self, child: &Child) -> Place {
        let way = way(self.ray, child.min, child.max);
        let [enter, leave] = way.inside;
        // As much is missed by rounding as is hit by it: what is equal is hit.
        let hit = child.pointer != INVALID && enter <= leave * self.tree.grow;
        let key = match self.tree.sort {
            Some(Heuristic::Largest) => enter - leave,
            Some(Heuristic::Midpoint) => way.whole[0] + way.whole[1],
            Some(Heuristic::Closest) | None => enter,
        };
        Place { rank: 0, key, pointer: if hit { child.pointer } else { INVALID } }
    }

    fn ranked(&self, place: Place) -> Place {
        let first = self.tree.triangles_first && !planted!(RayTrianglesLate);
        let kind = place.pointer & 7;
        // A pair of triangles stands before a single one.
        let rank = u8::from(place.pointer == INVALID) << 2
            | u8::from(first && kind > self.leaves) << 1
            | u8::from(first && kind != 1);
        Place { rank, ..place }
    }

    /// The pointers of four boxes, or of two times four that are sorted together if the tree says so.
    #[must_use]
    pub fn boxes<const N: usize>(&self, children: &[Child; N]) -> [u32; N] {
        let places = children.each_ref().map(|child| self.place(child));
        self.sorted(places)
    }

    /// The pointers of a node of eight. Of boxes one behind the other that are around the same node, the first counts.
    #[must_use]
    pub fn eight(&self, children: &[Child; 8]) -> [u32; 8] {
        let mut places = children.each_ref().map(|child| self.place(child));
        let mut last = places[0].pointer;
        for place in &mut places[1..] {
            if place.pointer == last && !planted!(RayTwiceTheSame) {
                place.pointer = INVALID;
            } else {
                last = place.pointer;
            }
        }
        self.sorted(places)
    }

    fn sorted<const N: usize>(&self, places: [Place; N]) -> [u32; N] {
        let mut places = places.map(|place| self.ranked(place));
        if self.tree.sort.is_some() {
            match N {
                8 if self.tree.wide => sort(&mut places, EIGHT),
                _ => places.chunks_exact_mut(4).for_each(|four| sort(four, FOUR)),
            }
        }
        places.map(|place| place.pointer)
    }
}

/// The boxes of a node with planes of f32.
#[must_use]
pub fn full(words: &[u32; 32]) -> [Child; 4] {
    std::array::from_fn(|n| {
        let plane = |m: usize| f32::from_bits(words[4 + 6 * n + m]);
        Child {
            pointer: words[n],
            min: [plane(0), plane(1), plane(2)],
            max: [plane(3), plane(4), plane(5)],
            only: (words[28] >> (8 * n)) as u8 & 15,
            mask: u8::MAX,
        }
    })
}

/// The boxes of a node with planes of f16.
#[must_use]
pub fn half(words: &[u32; 16]) -> [Child; 4] {
    std::array::from_fn(|n| {
        let plane = |m: usize| {
            let at = 6 * n + m;
            crate::memory::format::f16_value(words[4 + at / 2] >> (at % 2 * 16) & 0xffff)
        };
        Child {
            pointer: words[n],
            min: [plane(0), plane(1), plane(2)],
            max: [plane(3), plane(4), plane(5)],
            only: 0,
            mask: u8::MAX,
        }
    })
}
