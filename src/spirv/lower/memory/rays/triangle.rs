//! Triangles: where a ray meets one, and which do not count.

use super::{INFINITY, Node, ONE, PACKED, Ray, SIGN, Tree};
use crate::isa::sem::{Alg, Cmp};
use crate::memory::rays::triangle::CORNERS;
use crate::memory::rays::{Flags, NO_NUMBER};
use crate::spirv::alg::{Spirv, Truth, Word};
use crate::spirv::lower::Lower;
use crate::spirv::lower::memory::convert::is_nan;
use crate::spirv::lower::memory::floats;
use crate::spirv::lower::memory::helper::Helper;
use crate::spirv::lower::memory::image::part;

/// Origin, direction, three corners: distance, denominator, two coordinates, whether it is hit.
const TRIANGLE: Helper = Helper { name: "ray_triangle", results: 5, body: meet };
/// Three f32, and three more: their quotients.
const DIVIDE: Helper = Helper { name: "ray_quotients", results: 3, body: divide };

/// The upper word of an infinite f64.
const INFINITE: u32 = 0x7ff0_0000;

/// Where a ray meets a triangle: numerators and their denominator.
#[derive(Clone, Copy)]
pub(super) struct Meeting {
    pub t: Word,
    pub denominator: Word,
    pub i: Word,
    pub j: Word,
    pub hit: Truth,
}

/// What a triangle says of itself.
pub(super) struct Says {
    pub both_sides: Truth,
    pub flip: Truth,
    pub procedural: Truth,
    pub opaque: Truth,
}

impl Lower<'_> {
    /// Where a ray meets three corners.
    pub(super) fn meeting(&self, ray: &Ray, corners: [[Word; 3]; 3]) -> Meeting {
        let mut args: Vec<Word> = ray.origin.into_iter().chain(ray.direction).collect();
        args.extend(corners.into_iter().flatten());
        let met = self.call(TRIANGLE, 0, &args);
        let hit = self.alg(Word::Known(0)).nz(met[4]);
        Meeting { t: met[0], denominator: met[1], i: met[2], j: met[3], hit }
    }

    /// Quotients of f32.
    pub(super) fn quotients(&self, n: [Word; 3], d: [Word; 3]) -> [Word; 3] {
        let all = self.call(DIVIDE, 0, &[n, d].concat());
        [all[0], all[1], all[2]]
    }

    /// The corners of a triangle of a node that is not packed.
    pub(super) fn corners(&self, kind: Word, node: &Node) -> [[Word; 3]; 3] {
        let k = self.alg(Word::Known(0));
        [0, 1, 2].map(|n: usize| {
            // Four bits for each kind.
            let packed = CORNERS.iter().rev().fold(0, |all, corners| all << 4 | corners[n] as u32);
            let first = k.mul(k.mask(k.shr(k.w(packed), k.shli(kind, 2)), 15), k.w(3));
            [0, 1, 2].map(|m| node.load(self, k.add(first, k.w(m))))
        })
    }

    /// The registers of a triangle that a ray meets so, by the word behind its corners. One that is not there does not count.
    pub(super) fn triangle(
        &self,
        tree: &Tree,
        (kind, flags): (Word, Word),
        (number, met): (Word, Meeting),
        there: Truth,
    ) -> [Word; 4] {
        let (k, f) = (self.alg(Word::Known(0)), floats(self));
        let byte = k.shr(number, k.shli(kind, 3));
        let is = |bit: u32| k.nz(part(&k, byte, (bit, 1)));
        let newer = if self.generation() >= PACKED { tree.flags } else { Truth::Known(false) };
        let says = Says { both_sides: is(4), flip: is(5), procedural: k.both(newer, is(6)), opaque: is(7) };
        let met = turned(&k, &f, met, byte);
        let met = select(&k, tree.flags, judged(&k, &f, met, &says, flags), met);
        let met = select(&k, there, met, culled(&k));
        let [i, j] = [met.i, met.j].map(|v| settled(&k, v));
        let signed = signed(&k, &met, &says, flags);
        let [i, j] = [k.sel(newer, signed[0], i), k.sel(newer, signed[1], j)];
        let last = [k.sel(tree.barycentrics, i, number), k.sel(tree.barycentrics, j, k.bit(met.hit))];
        [met.t, met.denominator, last[0], last[1]]
    }
}

/// What a triangle gives that does not count.
pub(super) fn culled(k: &Spirv<'_>) -> Meeting {
    Meeting { t: k.w(INFINITY), denominator: k.w(ONE), i: k.w(0), j: k.w(0), hit: k.c(false) }
}

/// One of two meetings.
pub(super) fn select(k: &Spirv<'_>, c: Truth, a: Meeting, b: Meeting) -> Meeting {
    let pick = |a: Word, b: Word| k.sel(c, a, b);
    Meeting {
        t: pick(a.t, b.t),
        denominator: pick(a.denominator, b.denominator),
        i: pick(a.i, b.i),
        j: pick(a.j, b.j),
        hit: k.sel_c(c, a.hit, b.hit),
    }
}

/// A coordinate in a register.
pub(super) fn settled(k: &Spirv<'_>, v: Word) -> Word {
    k.sel(is_nan(k, v), k.w(NO_NUMBER), v)
}

/// The coordinates for the corners of the original triangle, which its byte names. A fourth corner has none.
fn turned(k: &Spirv<'_>, f: &Spirv<'_>, met: Meeting, byte: Word) -> Meeting {
    let third = f.sub_f32(f.sub_f32(met.denominator, met.i), met.j);
    let of = |shift: u32| {
        let corner = part(k, byte, (shift, 2));
        let is = |n: u32| k.eq(corner, k.w(n));
        k.sel(is(0), third, k.sel(is(1), met.i, k.sel(is(2), met.j, k.w(0))))
    };
    Meeting { i: of(0), j: of(2), ..met }
}

/// As the flags of a pointer have it: turned over, or without consequence.
pub(super) fn judged(k: &Spirv<'_>, f: &Spirv<'_>, met: Meeting, says: &Says, flags: Word) -> Meeting {
    let flag = |flag: Flags| k.nz(k.mask(flags, flag.bits().into()));
    let flip = k.differ(says.flip, flag(Flags::FLIP));
    let front = k.differ(f.cmp_f32(Cmp::Ge, met.denominator, k.w(0)), flip);
    let side = k.sel_c(front, flag(Flags::CULL_FRONT), flag(Flags::CULL_BACK));
    let both_sides = k.either(says.both_sides, flag(Flags::BOTH_SIDES));
    let of_triangle = k.either(k.both(side, k.negate(both_sides)), flag(Flags::SKIP_TRIANGLES));
    let opaque = is_opaque(k, says, flags);
    let opacity = k.sel_c(opaque, flag(Flags::CULL_OPAQUE), flag(Flags::CULL_TRANSLUCENT));
    let gone = k.sel_c(says.procedural, flag(Flags::SKIP_PROCEDURAL), of_triangle);
    let signed = |v: Word| k.xor(v, k.sel(flip, k.w(SIGN), k.w(0)));
    let own = Meeting { t: signed(met.t), denominator: signed(met.denominator), ..met };
    let procedural = Meeting { t: k.w(0), hit: k.c(true), ..culled(k) };
    let met = select(k, says.procedural, procedural, own);
    select(k, k.either(gone, opacity), culled(k), met)
}

fn is_opaque(k: &Spirv<'_>, says: &Says, flags: Word) -> Truth {
    let flag = |flag: Flags| k.nz(k.mask(flags, flag.bits().into()));
    k.either(flag(Flags::FORCE_OPAQUE), k.both(says.opaque, k.negate(flag(Flags::FORCE_TRANSLUCENT))))
}

/// The coordinates as gfx12 returns them: without their signs, which say instead whether programs have to look closer.
pub(super) fn signed(k: &Spirv<'_>, met: &Meeting, says: &Says, flags: Word) -> [Word; 2] {
    let [i, j] = [met.i, met.j].map(|v| {
        let magnitude = k.mask(settled(k, v), !SIGN);
        k.sel(says.procedural, k.w(ONE), magnitude)
    });
    let sign = |c: Truth| k.sel(c, k.w(SIGN), k.w(0));
    [k.or(i, sign(says.procedural)), k.or(j, sign(k.negate(is_opaque(k, says, flags))))]
}

fn meet(l: &Lower<'_>, _: u32, words: &[Word]) -> Vec<Word> {
    let (k, f) = (l.alg(Word::Known(0)), floats(l));
    let [origin, direction, a, b, c] = [0, 3, 6, 9, 12].map(|at| [words[at], words[at + 1], words[at + 2]]);
    let sub = |a: [Word; 3], b: [Word; 3]| [0, 1, 2].map(|n| f.sub_f32(a[n], b[n]));
    let cross = |a: [Word; 3], b: [Word; 3]| {
        [(1, 2), (2, 0), (0, 1)].map(|(m, n)| f.sub_f32(f.mul_f32(a[m], b[n]), f.mul_f32(a[n], b[m])))
    };
    let dot = |a: [Word; 3], b: [Word; 3]| {
        let [x, y, z] = [0, 1, 2].map(|n| f.mul_f32(a[n], b[n]));
        f.add_f32(f.add_f32(x, y), z)
    };
    let (first, second, from) = (sub(b, a), sub(c, a), sub(origin, a));
    let (s1, s2) = (cross(direction, second), cross(from, first));
    let (t, denominator) = (dot(second, s2), dot(s1, first));
    let (i, j) = (dot(from, s1), dot(direction, s2));
    let [u, v, distance] = l.quotients([i, j, t], [denominator; 3]);
    let from_zero = |v: Word| f.cmp_f32(Cmp::Ge, v, k.w(0));
    let to_one = |v: Word| f.cmp_f32(Cmp::Le, v, k.w(ONE));
    let inside = k.both(k.both(from_zero(u), to_one(u)), k.both(from_zero(v), to_one(f.add_f32(u, v))));
    let hit = k.both(inside, from_zero(distance));
    vec![k.sel(hit, t, k.w(INFINITY)), k.sel(hit, denominator, k.w(ONE)), i, j, k.bit(hit)]
}

fn divide(l: &Lower<'_>, _: u32, a: &[Word]) -> Vec<Word> {
    let (k, f) = (l.alg(Word::Known(0)), floats(l));
    // A loop, for division is long, and drivers without calls write it out.
    let all: [_; 6] = std::array::from_fn(|n| l.var(a[n]));
    l.times(k.w(3), |n| {
        let pick = |first: usize| {
            let [x, y, z] = [0, 1, 2].map(|m| l.get(all[first + m]));
            k.sel(k.eq(n, k.w(0)), x, k.sel(k.eq(n, k.w(1)), y, z))
        };
        let quotient = quotient(&k, &f, pick(0), pick(3));
        for (m, to) in (0..).zip(&all[..3]) {
            l.put_if(k.eq(n, k.w(m)), *to, quotient);
        }
    });
    all[..3].iter().map(|id| l.get(*id)).collect()
}

fn quotient(k: &Spirv<'_>, f: &Spirv<'_>, n: Word, d: Word) -> Word {
    let [n, d] = [n, d].map(|v| f.f64_of_f32(v));
    let inverse = f.rcp_f64(d);
    let near = f.mul_f64(n, inverse);
    // What is left of the numerator corrects the last bit, where there are only numbers that are not zero.
    let minus = (d.0, k.xor(d.1, k.w(SIGN)));
    let exact = f.fma_f64(f.fma_f64(minus, near, n), inverse, near);
    let field = k.mask(near.1, INFINITE);
    let number = k.both(k.nz(field), k.negate(k.eq(field, k.w(INFINITE))));
    f.f32_of_f64(k.sel_d(number, exact, near))
}
