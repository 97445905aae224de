//! Triangles: where a ray meets one, and which do not count.
//!
//! A node has up to four triangles that share corners. The distance and the barycentric coordinates are fractions with one denominator,
//! which programs divide by; its sign says which side is met. A word behind the corners has a byte for each triangle: how its corners are
//! turned against those of the original, which side counts, whether it is opaque.

use super::vector::{V3, cross, dot, sub};
use super::{Flags, Ray, register};
use crate::fault::planted;

/// Where a ray meets a triangle: numerators and their denominator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// The distance.
    pub t: f32,
    /// What everything is divided by.
    pub denominator: f32,
    /// The first barycentric coordinate.
    pub i: f32,
    /// The second one.
    pub j: f32,
    /// Whether it is met at all.
    pub hit: bool,
}

impl Meeting {
    /// What a triangle gives that does not count.
    pub const CULLED: Meeting = Meeting { t: f32::INFINITY, denominator: 1.0, i: 0.0, j: 0.0, hit: false };
}

/// Which corners of a node the triangle of each kind of pointer has.
pub const CORNERS: [[usize; 3]; 4] = [[0, 1, 2], [1, 3, 2], [2, 3, 4], [2, 4, 0]];

/// The corners of a triangle of a node.
#[must_use]
pub fn corners(words: &[u32; 16], kind: usize) -> [V3; 3] {
    let corners = if planted!(RayTriangleInOrder) { [kind, kind + 1, kind + 2] } else { CORNERS[kind & 3] };
    corners.map(|corner| std::array::from_fn(|n| f32::from_bits(words[(3 * corner + n).min(15)])))
}

/// Where a ray meets a triangle. What is no number is no meeting.
#[must_use]
pub fn meet(ray: &Ray, [a, b, c]: [V3; 3]) -> Meeting {
    let (first, second, from) = (sub(b, a), sub(c, a), sub(ray.origin, a));
    let (s1, s2) = (cross(ray.direction, second), cross(from, first));
    let (t, denominator) = (dot(second, s2), dot(s1, first));
    let (i, j) = (dot(from, s1), dot(ray.direction, s2));
    let [u, v, distance] = [i, j, t].map(|numerator| numerator / denominator);
    let behind = planted!(RayBehindCounts);
    let hit = (0.0..=1.0).contains(&u) && v >= 0.0 && u + v <= 1.0 && (distance >= 0.0 || behind);
    match hit {
        true => Meeting { t, denominator, i, j, hit },
        false => Meeting { t: f32::INFINITY, denominator: 1.0, i, j, hit },
    }
}

/// What a triangle says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Says {
    /// No side of it is culled.
    pub both_sides: bool,
    /// Its back is its front.
    pub flip: bool,
    /// It is none: programs intersect what stands for it.
    pub procedural: bool,
    /// It is opaque.
    pub opaque: bool,
}

impl Says {
    /// What its byte says, beside the turn of its corners.
    #[must_use]
    pub fn of(byte: u32) -> Says {
        let is = |bit: u32| byte >> bit & 1 != 0;
        Says { both_sides: is(4), flip: is(5), procedural: is(6), opaque: is(7) }
    }
}

impl Meeting {
    /// The coordinates for the corners of the original triangle, which its byte names. A fourth corner has none.
    #[must_use]
    pub fn turned(self, byte: u32) -> Meeting {
        let of = [self.denominator - self.i - self.j, self.i, self.j, 0.0];
        let at = |shift: u32| of[(byte >> shift & 3) as usize];
        if planted!(RayTurnIgnored) { self } else { Meeting { i: at(0), j: at(2), ..self } }
    }

    /// As the flags of a pointer have it: turned over, or without consequence.
    #[must_use]
    pub fn judged(self, says: Says, flags: Flags) -> Meeting {
        let mut met = self;
        let culled = if says.procedural {
            flags.contains(Flags::SKIP_PROCEDURAL)
        } else {
            let flip = says.flip != flags.contains(Flags::FLIP);
            let front = (self.denominator >= 0.0) != flip;
            if flip && !planted!(RayFlipKeepsSigns) {
                (met.t, met.denominator) = (-met.t, -met.denominator);
            }
            let side = if front != planted!(RaySidesSwapped) { Flags::CULL_FRONT } else { Flags::CULL_BACK };
            let both = says.both_sides || flags.contains(Flags::BOTH_SIDES);
            flags.contains(side) && !both || flags.contains(Flags::SKIP_TRIANGLES)
        };
        let opacity = if flags.opaque(says.opaque) { Flags::CULL_OPAQUE } else { Flags::CULL_TRANSLUCENT };
        match culled || flags.contains(opacity) {
            true => Meeting::CULLED,
            false if says.procedural => Meeting { t: 0.0, hit: true, ..Meeting::CULLED },
            false => met,
        }
    }

    /// The coordinates as gfx12 returns them: without their signs, which say instead whether programs have to look closer.
    #[must_use]
    pub fn signed(self, says: Says, flags: Flags) -> [u32; 2] {
        let [i, j] = if says.procedural { [1.0; 2] } else { [self.i.abs(), self.j.abs()] }.map(register);
        [i | u32::from(says.procedural) << 31, j | u32::from(!flags.opaque(says.opaque)) << 31]
    }
}
