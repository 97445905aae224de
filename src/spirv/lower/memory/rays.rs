//! Rays against nodes of a tree, on gfx10.3 and gfx11 ([`crate::memory::rays`] says what trees are): which of four boxes a ray goes
//! through, sorted, or where it meets a triangle.
//!
//! Descriptors are taken apart on the device. A box is a function of the module, and so is a triangle; floats are to nearest even, each
//! operation by itself, and denormals are kept. A quotient is one of f64 that is exact but for its rounding, then rounded to f32: of f32
//! that is the same as rounding once.

use super::convert::is_nan;
use super::guest::Found;
use super::helper::Helper;
use super::image::{field, part};
use super::lanes::Fault;
use super::{Lower, Lowered, floats};
use crate::isa::Gen;
use crate::isa::does::Ray as Against;
use crate::isa::image::Address;
use crate::isa::sem::{Alg, Cmp};
use crate::memory::image::fields::Fields as _;
use crate::memory::rays::fields::TreeField;
use crate::memory::rays::triangle::CORNERS;
use crate::memory::rays::{BOXES32, Flags, INVALID, NO_NUMBER};
use crate::program::memory::image::{Bits, Image};
use crate::program::{Access, Step};
use crate::spirv::alg::{Pair, Spirv, Truth, Word};
use crate::spirv::lanes::Lane;
use crate::spirv::state::trap;

/// Six planes, origin, inverse direction, extent, what the end grows by, the heuristic: whether it is hit, and its place in the order.
const BOX: Helper = Helper { name: "ray_box", results: 2, body: through };
/// Origin, direction, three corners: distance, denominator, two coordinates, whether it is hit.
const TRIANGLE: Helper = Helper { name: "ray_triangle", results: 5, body: meet };
/// Two f32: their quotient.
const DIVIDE: Helper = Helper { name: "ray_quotient", results: 1, body: divide };

const ONE: u32 = 0x3f80_0000;
const INFINITY: u32 = 0x7f80_0000;
const SIGN: u32 = 1 << 31;

/// What a descriptor says of its tree.
struct Tree {
    base: Pair,
    last: Pair,
    /// What the end of the way through a box is multiplied by.
    grow: Word,
    sort: Truth,
    heuristic: Word,
    flags: Truth,
    barycentrics: Truth,
    /// It is another descriptor.
    other: Truth,
}

/// A ray in registers.
struct Ray {
    extent: Word,
    origin: [Word; 3],
    direction: [Word; 3],
    inverse: [Word; 3],
}

/// Where a node lies and what the pointer to it says.
struct At {
    kind: Word,
    flags: Word,
    address: Pair,
    /// It is inside the tree.
    there: Truth,
}

impl Lower<'_> {
    /// An instruction that holds the ray of each lane against a node.
    pub(super) fn rays(&self, step: &Step, access: &Access, against: Against) -> Lowered {
        let Some(image) = access.image.as_deref() else { return Err("an address of rays".to_owned()) };
        if against != Against::One || self.generation() == Gen::Gfx12 {
            return Err("rays against nodes of gfx12".to_owned());
        }
        let tree = self.tree(access);
        let k = self.alg(Word::Known(0));
        self.in_lanes(
            step,
            false,
            |lane| {
                let refused = Fault { failed: tree.other, kind: k.w(trap::UNSUPPORTED), ..Fault::NONE };
                let (pointer, ray) = self.ray(image, lane);
                let at = self.node_at(&tree, pointer);
                let goes = k.both(lane.active, k.negate(tree.other));
                let (words, fault) = self.node(&tree, &at, &ray, goes);
                let fault = self.first_fault(refused, fault);
                ((words, k.negate(fault.failed)), fault)
            },
            |lane, (words, good), c| {
                for (n, v) in (0..access.components.into()).zip(words) {
                    self.set_tuple(access.data, n, lane, k.both(c, good), v);
                }
            },
        );
        Ok(())
    }

    fn tree(&self, access: &Access) -> Tree {
        let (k, f, generation) = (self.alg(Word::Known(0)), floats(self), self.generation());
        let words: Vec<Word> = (0..4).map(|n| self.s(access.base + n)).collect();
        let get = |of: TreeField| field(&k, generation, &words, of);
        // A whole word, and the lower bits of the next one.
        let long = |of: TreeField| {
            let [low, high] = of.pieces(generation);
            let high = part(&k, words[usize::from(high.word)], (high.low.into(), high.count.into()));
            (words[usize::from(low.word)], high)
        };
        let base = long(TreeField::Base);
        // One and so many times 2^-24, rounded.
        let grown = f.mul_f32(f.f32_of_u32(get(TreeField::Grow)), k.w((127 - 24) << 23));
        Tree {
            base: k.shl_d(base, k.w(8)),
            last: long(TreeField::Size),
            grow: f.add_f32(k.w(ONE), grown),
            sort: k.nz(get(TreeField::Sort)),
            heuristic: get(TreeField::Heuristic),
            flags: k.nz(get(TreeField::PointerFlags)),
            barycentrics: k.nz(get(TreeField::Barycentrics)),
            other: k.negate(k.eq(get(TreeField::Type), k.w(8))),
        }
    }

    /// The pointer of a lane, of 32 bits or 64, and its ray.
    fn ray(&self, image: &Image, lane: Lane) -> (Pair, Ray) {
        let k = self.alg(lane.number);
        let word = |n: usize| image.registers.get(n).map_or(k.w(0), |at| self.v(*at, lane));
        let three = |first: usize| [0, 1, 2].map(|n| word(first + n));
        let wide = image.parts.contains(Address::NODE64);
        let at = 1 + usize::from(wide);
        let [direction, inverse] = match image.has(Bits::A16) {
            true => self.ray_halves(three(at + 4)),
            false => [three(at + 4), three(at + 7)],
        };
        let pointer = (word(0), if wide { word(1) } else { k.w(0) });
        (pointer, Ray { extent: word(at), origin: three(at + 1), direction, inverse })
    }

    /// A direction and its inverse, with 16 bits each: on gfx10 one component behind the other, later a register for each.
    fn ray_halves(&self, words: [Word; 3]) -> [[Word; 3]; 2] {
        let (k, f) = (self.alg(Word::Known(0)), floats(self));
        let half = |n: usize| f.f32_of_f16(k.zx16(k.shri(words[n / 2], n as u32 % 2 * 16)));
        match self.generation() {
            Gen::Gfx10 => [[0, 1, 2].map(half), [3, 4, 5].map(half)],
            _ => [[1, 3, 5].map(half), [0, 2, 4].map(half)],
        }
    }

    /// Where a pointer leads.
    fn node_at(&self, tree: &Tree, pointer: Pair) -> At {
        let k = self.alg(Word::Known(0));
        let flags = k.shri(pointer.1, Flags::SHIFT - 32);
        let place = match self.generation() {
            Gen::Gfx10 => pointer,
            _ => (pointer.0, k.mask(pointer.1, (1 << (Flags::SHIFT - 32)) - 1)),
        };
        let unit = k.shr_d(place, k.w(3));
        // Addresses have 48 bits.
        let address = k.add_d(tree.base, k.shl_d(unit, k.w(6)));
        At {
            kind: k.mask(pointer.0, 7),
            flags: k.sel(tree.flags, flags, k.w(0)),
            address: (address.0, k.zx16(address.1)),
            there: k.negate(k.ltu_d(tree.last, unit)),
        }
    }

    /// What a lane gets of a node, and what failed.
    fn node(&self, tree: &Tree, at: &At, ray: &Ray, goes: Truth) -> ([Word; 4], Fault) {
        let k = self.alg(Word::Known(0));
        let is_triangle = k.lt_u(at.kind, k.w(4));
        let is_full = k.eq(at.kind, k.w(BOXES32));
        let fetched = k.both(at.there, k.lt_u(at.kind, k.w(BOXES32 + 1)));
        let size = k.sel(is_full, k.w(128), k.w(64));
        let goes = k.both(goes, fetched);
        let found = self.find(at.address, self.only(goes, size), false);
        let fault = self.not_found(goes, found, at.address, size, trap::LOAD);
        let results: [_; 4] = std::array::from_fn(|_| self.var(k.w(INVALID)));
        let put = |words: [Word; 4]| results.into_iter().zip(words).for_each(|(to, v)| self.put(to, v));
        self.when(k.both(goes, self.is_found(found)), || {
            self.when(is_triangle, || put(self.triangle(tree, at, ray, found)));
            self.when(k.negate(is_triangle), || put(self.boxes(tree, at, ray, (found, is_full))));
        });
        // Behind the tree there are no triangles, and the number of one that is not there is 0.
        self.when(k.both(is_triangle, k.negate(at.there)), || put([k.w(INFINITY), k.w(ONE), k.w(0), k.w(0)]));
        (results.map(|result| self.get(result)), fault)
    }

    /// The pointers of four boxes.
    fn boxes(&self, tree: &Tree, at: &At, ray: &Ray, (found, full): (Found, Truth)) -> [Word; 4] {
        let (k, f) = (self.alg(Word::Known(0)), floats(self));
        let load = |n: Word| self.load_word_at(found, at.address, n);
        let only = self.var(k.w(0));
        self.when(full, || self.put(only, load(k.w(28))));
        let mut all = [0, 1, 2, 3].map(|n: u32| {
            let pointer = load(k.w(n));
            let plane = |m: u32| {
                let of = 6 * n + m;
                let word = load(k.sel(full, k.w(4 + of), k.w(4 + of / 2)));
                k.sel(full, word, f.f32_of_f16(k.zx16(k.shri(word, of % 2 * 16))))
            };
            let mut args: Vec<Word> = (0..6).map(plane).collect();
            args.extend(ray.origin.into_iter().chain(ray.inverse));
            args.extend([ray.extent, tree.grow, k.sel(tree.sort, tree.heuristic, k.w(0))]);
            let met = self.call(BOX, 0, &args);
            let culled = culled(&k, k.mask(k.shri(self.get(only), 8 * n), 15), at.flags);
            let hit = k.both(k.nz(met[0]), k.negate(k.both(full, culled)));
            [k.sel(hit, pointer, k.w(INVALID)), met[1]]
        });
        for (a, b) in [(0, 2), (1, 3), (0, 1), (2, 3), (1, 2)] {
            let [[first, before], [second, key]] = [all[a], all[b]];
            let missed = |pointer: Word| k.eq(pointer, k.w(INVALID));
            let sooner = f.cmp_f32(Cmp::Lt, key, before);
            let sooner = k.either(
                k.both(missed(first), k.negate(missed(second))),
                k.both(k.negate(k.differ(missed(first), missed(second))), sooner),
            );
            let swap = k.both(tree.sort, sooner);
            all[a] = [k.sel(swap, second, first), k.sel(swap, key, before)];
            all[b] = [k.sel(swap, first, second), k.sel(swap, before, key)];
        }
        all.map(|[pointer, _]| pointer)
    }

    /// Distance, denominator, two coordinates, or the number and whether it is hit.
    fn triangle(&self, tree: &Tree, at: &At, ray: &Ray, found: Found) -> [Word; 4] {
        let (k, f) = (self.alg(Word::Known(0)), floats(self));
        let load = |n: Word| self.load_word_at(found, at.address, n);
        let mut args: Vec<Word> = ray.origin.into_iter().chain(ray.direction).collect();
        for n in 0..3 {
            // Four bits for each kind.
            let packed = CORNERS.iter().rev().fold(0, |all, corners| all << 4 | corners[n] as u32);
            let corner = k.mask(k.shr(k.w(packed), k.shli(at.kind, 2)), 15);
            args.extend((0..3).map(|m| load(k.add(k.mul(corner, k.w(3)), k.w(m)))));
        }
        let number = load(k.w(15));
        let byte = k.shr(number, k.shli(at.kind, 3));
        let met = self.call(TRIANGLE, 0, &args);
        let (t, denominator, hit) = (met[0], met[1], met[4]);
        // The coordinates for the corners of the original triangle. A fourth corner has none.
        let third = f.sub_f32(f.sub_f32(denominator, met[2]), met[3]);
        let turned = |shift: u32| {
            let corner = part(&k, byte, (shift, 2));
            let later = k.sel(k.eq(corner, k.w(2)), met[3], k.w(0));
            k.sel(k.eq(corner, k.w(0)), third, k.sel(k.eq(corner, k.w(1)), met[2], later))
        };
        let flag = |flags: Flags| k.nz(k.mask(at.flags, flags.bits().into()));
        let says = |bit: u32| k.nz(part(&k, byte, (bit, 1)));
        let flip = k.both(tree.flags, k.differ(says(5), flag(Flags::FLIP)));
        let front = k.differ(f.cmp_f32(Cmp::Ge, denominator, k.w(0)), flip);
        let side = k.either(k.both(front, flag(Flags::CULL_FRONT)), k.both(k.negate(front), flag(Flags::CULL_BACK)));
        let both_sides = k.either(says(4), flag(Flags::BOTH_SIDES));
        let opaque = k.either(flag(Flags::FORCE_OPAQUE), k.both(says(7), k.negate(flag(Flags::FORCE_TRANSLUCENT))));
        let opacity =
            k.either(k.both(opaque, flag(Flags::CULL_OPAQUE)), k.both(k.negate(opaque), flag(Flags::CULL_TRANSLUCENT)));
        let gone = k.either(k.both(side, k.negate(both_sides)), k.either(flag(Flags::SKIP_TRIANGLES), opacity));
        let gone = k.both(tree.flags, gone);
        let signed = |v: Word| k.xor(v, k.sel(flip, k.w(SIGN), k.w(0)));
        let or = |v: Word, other: u32| k.sel(gone, k.w(other), v);
        let [i, j] = [turned(0), turned(2)].map(|v| or(k.sel(is_nan(&k, v), k.w(NO_NUMBER), v), 0));
        let last = [k.sel(tree.barycentrics, i, number), k.sel(tree.barycentrics, j, or(hit, 0))];
        [or(signed(t), INFINITY), or(signed(denominator), ONE), last[0], last[1]]
    }
}

/// Whether the flags of a pointer say that nothing in a box counts, which says what all in it has in common.
fn culled(k: &Spirv<'_>, only: Word, flags: Word) -> Truth {
    let flag = |flag: Flags| k.nz(k.mask(flags, flag.bits().into()));
    let has = |bit: u32| k.nz(part(k, only, (bit, 1)));
    let [force_opaque, force_translucent] = [Flags::FORCE_OPAQUE, Flags::FORCE_TRANSLUCENT].map(flag);
    let all_opaque = k.both(k.either(has(0), force_opaque), k.negate(force_translucent));
    let all_translucent = k.both(k.either(has(1), force_translucent), k.negate(force_opaque));
    let of_opacity =
        k.either(k.both(all_opaque, flag(Flags::CULL_OPAQUE)), k.both(all_translucent, flag(Flags::CULL_TRANSLUCENT)));
    let of_kind = k.either(k.both(has(2), flag(Flags::SKIP_TRIANGLES)), k.both(has(3), flag(Flags::SKIP_PROCEDURAL)));
    k.either(of_opacity, of_kind)
}

/// The smaller or the larger of two numbers; what is no number does not count, where there is another.
fn extreme(f: &Spirv<'_>, op: Cmp, a: Word, b: Word) -> Word {
    let first = f.either(is_nan(f, b), f.cmp_f32(op, a, b));
    f.sel(f.both(first, f.negate(is_nan(f, a))), a, b)
}

fn through(l: &Lower<'_>, _: u32, a: &[Word]) -> Vec<Word> {
    let (k, f) = (l.alg(Word::Known(0)), floats(l));
    let [min, max, origin, inverse] = [0, 3, 6, 9].map(|at| [a[at], a[at + 1], a[at + 2]]);
    let (extent, grow, heuristic) = (a[12], a[13], a[14]);
    let ways = [0, 1, 2].map(|n| {
        let [low, high] = [min[n], max[n]].map(|plane| f.mul_f32(f.sub_f32(plane, origin[n]), inverse[n]));
        let forward = f.cmp_f32(Cmp::Ge, inverse[n], k.w(0));
        [k.sel(forward, low, high), k.sel(forward, high, low)]
    });
    let all = |op: Cmp, of: usize| ways.iter().map(|way| way[of]).reduce(|a, b| extreme(&f, op, a, b));
    let [first, last] = [all(Cmp::Gt, 0), all(Cmp::Lt, 1)].map(|v| v.unwrap_or(k.w(NO_NUMBER)));
    let none = k.either(is_nan(&k, first), is_nan(&k, last));
    let enter = k.sel(none, k.w(INFINITY), extreme(&f, Cmp::Gt, first, k.w(0)));
    let leave = k.sel(none, k.w(SIGN | INFINITY), extreme(&f, Cmp::Lt, last, extent));
    let middle = f.add_f32(k.sel(is_nan(&k, first), k.w(0), first), k.sel(is_nan(&k, last), k.w(INFINITY), last));
    let key = k.sel(k.eq(heuristic, k.w(2)), middle, enter);
    let key = k.sel(k.eq(heuristic, k.w(1)), f.sub_f32(enter, leave), key);
    let hit = f.cmp_f32(Cmp::Le, enter, f.mul_f32(leave, grow));
    vec![k.bit(hit), key]
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
    let [u, v, distance] = [i, j, t].map(|numerator| l.call(DIVIDE, 0, &[numerator, denominator])[0]);
    let from_zero = |v: Word| f.cmp_f32(Cmp::Ge, v, k.w(0));
    let to_one = |v: Word| f.cmp_f32(Cmp::Le, v, k.w(ONE));
    let inside = k.both(k.both(from_zero(u), to_one(u)), k.both(from_zero(v), to_one(f.add_f32(u, v))));
    let hit = k.both(inside, from_zero(distance));
    vec![k.sel(hit, t, k.w(INFINITY)), k.sel(hit, denominator, k.w(ONE)), i, j, k.bit(hit)]
}

fn divide(l: &Lower<'_>, _: u32, a: &[Word]) -> Vec<Word> {
    let (k, f) = (l.alg(Word::Known(0)), floats(l));
    let [n, d] = [a[0], a[1]].map(|v| f.f64_of_f32(v));
    let inverse = f.rcp_f64(d);
    let near = f.mul_f64(n, inverse);
    // What is left of the numerator corrects the last bit, where there are only numbers that are not zero.
    let minus = (d.0, k.xor(d.1, k.w(SIGN)));
    let exact = f.fma_f64(f.fma_f64(minus, near, n), inverse, near);
    let field = k.mask(near.1, INFINITY_64);
    let number = k.both(k.nz(field), k.negate(k.eq(field, k.w(INFINITY_64))));
    vec![f.f32_of_f64(k.sel_d(number, exact, near))]
}

/// The upper word of an infinite f64.
const INFINITY_64: u32 = 0x7ff0_0000;
