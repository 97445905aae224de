//! What nodes of gfx12 pack: planes that are quantised or short, triangles, the turns of boxes.

use super::nodes::Nodes;
use super::triangle::{Meeting, Says, culled, judged, select, settled, signed};
use super::{INFINITY, Node, ONE, Ray, Results, Tree};
use crate::isa::sem::Alg;
use crate::memory::rays::instance::PLACE;
use crate::memory::rays::oriented::{MAGNITUDES, TURNS};
use crate::memory::rays::packed::UNTURNED;
use crate::memory::rays::primitives::{HEADER, LAST, NODE_NEXT, PAIR, PAIR_NEXT, PROCEDURAL};
use crate::memory::rays::{Flags, INVALID, Unsupported};
use crate::spirv::alg::{Spirv, Truth, Word};
use crate::spirv::lower::Lower;
use crate::spirv::lower::memory::floats;
use crate::spirv::lower::memory::helper::Helper;
use crate::spirv::lower::memory::image::part;
use rspirv::spirv::StorageClass;

/// An origin, an exponent, so many 4096ths: the plane.
pub(super) const QUANTISED_PLANE: Helper = Helper { name: "ray_plane", results: 1, body: quantised_plane };
/// A sign with its mantissa, an exponent: the plane, a lower one or an upper one.
pub(super) const SHORT_PLANE: Helper = Helper { name: "ray_short_plane", results: 1, body: short_plane };
/// A node (six words), a place, how many bits (32 at most): those bits; behind the node there are zeros.
pub(super) const BITS: Helper = Helper { name: "ray_bits", results: 1, body: bits };
/// A node (six words), a corner: where it is.
const CORNER: Helper = Helper { name: "ray_corner", results: 3, body: corner };
/// A node (six words), the number of a triangle, where the first number is, its bits, where this one is, its bits: the number.
const NUMBER: Helper = Helper { name: "ray_number", results: 1, body: number };

impl Lower<'_> {
    /// Turns a ray as the boxes of a node are, if they are.
    pub(super) fn turn(&self, ray: &Ray, node: &Node, to: &Results, put: impl Fn(Ray)) {
        let k = self.alg(Word::Known(0));
        let turn = k.mask(node.load(self, k.w(7)), 0x7f);
        self.when(k.negate(k.eq(turn, k.w(UNTURNED))), || {
            let known = k.lt_u(turn, k.w(TURNS.len() as u32));
            let refused = k.or(turn, k.w(Unsupported::Turn(0).code()));
            self.put(to.refused, k.sel(known, k.w(0), refused));
            self.when(known, || put(self.turned(ray, turn)));
        });
    }

    /// The registers of an instance, if it is there, and whether the ray goes into it.
    pub(super) fn instance(
        &self,
        ray: &Ray,
        node: &Node,
        nodes: &Nodes,
        tree: &Tree,
        to: &Results,
        put: impl Fn(Ray),
    ) -> Truth {
        let (k, f) = (self.alg(Word::Known(0)), floats(self));
        let word = |n: u32| node.load(self, k.w(n));
        let [child, user] = [(word(12), word(13)), (word(14), word(15))];
        let [own, flags] = [k.shri(child.1, Flags::SHIFT - 32), nodes.flags];
        let has = |of: Word, flags: Flags| k.nz(k.mask(of, flags.bits().into()));
        // A tree whose triangles are to be skipped has none.
        let procedural = has(own, Flags::SKIP_TRIANGLES);
        let skipped = k.sel_c(procedural, has(flags, Flags::SKIP_PROCEDURAL), has(flags, Flags::SKIP_TRIANGLES));
        let unseen = k.eq(k.and(k.shri(user.1, 24), nodes.mask), k.w(0));
        let goes = k.negate(k.either(skipped, unseen));
        let forced = Flags::FORCE_OPAQUE | Flags::FORCE_TRANSLUCENT;
        let kept = k.sel(has(flags, forced), k.mask(own, !u32::from(forced.bits())), own);
        let high = k.or(k.mask(child.1, (PLACE >> 32) as u32), k.shli(k.or(kept, flags), Flags::SHIFT - 32));
        let next = k.sel(k.both(goes, k.negate(tree.compressed)), user.0, k.w(INVALID));
        self.put_words(to, 2, &[k.mask(child.0, PLACE as u32), high]);
        self.put_words(to, 6, &[k.mask(user.1, 0xff_ffff), next]);
        self.when(goes, || {
            let rows = [0, 4, 8].map(|first| [0, 1, 2, 3].map(|n| word(first + n)));
            let linear = |of: [Word; 4]| [of[0], of[1], of[2]];
            let origin = rows.map(|of| row(&f, linear(of), ray.origin, of[3]));
            let direction = rows.map(|of| row(&f, linear(of), ray.direction, k.w(0)));
            to.moved.iter().zip(origin.iter().chain(&direction)).for_each(|(to, v)| self.put(*to, settled(&k, *v)));
            self.put(to.moves, k.w(1));
            put(Ray { origin, direction, ..*ray });
        });
        goes
    }

    /// A ray in the space of turned boxes, but for its inverse.
    fn turned(&self, ray: &Ray, turn: Word) -> Ray {
        let (k, f) = (self.alg(Word::Known(0)), floats(self));
        let table = |words: &[u32], at: Word| {
            let table = self.m.table(words);
            Word::Id(self.m.load(self.m.chain(StorageClass::Private, table, &[k.id(at)])))
        };
        let packed: Vec<u32> = TURNS.iter().flat_map(|turn| [*turn as u32, (*turn >> 32) as u32]).collect();
        let at = k.shli(turn, 1);
        let packed_turn = (table(&packed, at), table(&packed, k.add(at, k.w(1))));
        let mut magnitudes = MAGNITUDES.to_vec();
        magnitudes.resize(32, 0);
        let entry = |n: u32| {
            let index = k.mask(k.shr_d(packed_turn, k.w(6 * n)).0, 63);
            k.or(table(&magnitudes, k.mask(index, 31)), k.shli(k.shri(index, 5), 31))
        };
        let rows = [0, 3, 6].map(|first| [first, first + 1, first + 2].map(entry));
        let turned = |v: [Word; 3]| rows.map(|of| row(&f, of, v, k.w(0)));
        Ray { origin: turned(ray.origin), direction: turned(ray.direction), ..*ray }
    }

    /// One by each component.
    pub(super) fn inverse(&self, of: [Word; 3]) -> [Word; 3] {
        self.quotients([Word::Known(ONE); 3], of)
    }

    /// The description of a pair of packed triangles; a node whose corners are in a form that is not published is refused.
    pub(super) fn pair(&self, node: &Node, pair: Word, to: &Results) -> Word {
        let k = self.alg(Word::Known(0));
        let unknown = k.nz(k.shri(node.load(self, k.w(0)), 31));
        self.put(to.refused, k.sel(unknown, k.w(Unsupported::Corners.code()), k.w(0)));
        node.bits(self, k.sub(k.w(1024 - PAIR), k.mul(pair, k.w(PAIR))), k.w(PAIR))
    }

    /// Some bits of a description, of its second triangle or of its first.
    fn of_triangle(&self, described: Word, second: Word, [one, two]: [u32; 2], count: u32) -> Word {
        let k = self.alg(Word::Known(0));
        let at = k.sel(k.nz(second), k.w(two), k.w(one));
        k.mask(k.shr(described, at), (1 << count) - 1)
    }

    /// The corners of a packed triangle.
    pub(super) fn packed_corners(&self, node: &Node, described: Word, second: Word) -> [[Word; 3]; 3] {
        [0, 4, 8].map(|n| {
            let mut args = node.words().to_vec();
            args.push(self.of_triangle(described, second, [17 + n, 3 + n], 4));
            let at = self.call(CORNER, 0, &args);
            [at[0], at[1], at[2]]
        })
    }

    /// The registers of a packed triangle that a ray meets so, and the word behind those of both.
    pub(super) fn primitive(
        &self,
        node: &Node,
        (pair, described, second): (Word, Word, Word),
        met: Meeting,
        flags: Word,
    ) -> [Word; 5] {
        let (k, f) = (self.alg(Word::Known(0)), floats(self));
        let of = |at: [u32; 2], count: u32| self.of_triangle(described, second, at, count);
        let procedural = k.eq(of([17, 3], 8), k.w(PROCEDURAL | PROCEDURAL << 4));
        let says = Says {
            both_sides: k.nz(of([15, 1], 1)),
            flip: Truth::Known(false),
            procedural,
            opaque: k.nz(of([16, 2], 1)),
        };
        let met = select(&k, procedural, culled(&k), met);
        let [i, j, distance] = self.quotients([met.i, met.j, met.t], [met.denominator; 3]);
        let judged = judged(&k, &f, Meeting { i, j, ..met }, &says, flags);
        // What is judged not to count is at infinity, and what programs intersect at nothing.
        let distance = k.sel(judged.hit, distance, k.w(INFINITY));
        let distance = k.sel(k.both(judged.hit, procedural), k.w(0), distance);
        let [i, j] = signed(&k, &judged, &says, flags);
        let back = k.both(k.lt_s(judged.denominator, k.w(0)), k.negate(procedural));
        let n = k.add(k.shli(pair, 1), second);
        let [width, narrow] = [32, 37].map(|at| node.bits(self, k.w(at), k.w(5)));
        let middle = node.bits(self, k.w(42), k.w(10));
        let rest = k.add(k.add(middle, width), k.mul(k.sub(k.max_u(n, k.w(1)), k.w(1)), narrow));
        let number = self.number(node, n, (middle, width), (rest, narrow));
        let last = k.or(k.shli(number, 1), k.bit(back));
        // A second triangle that is none has these words.
        let none = k.both(k.nz(second), k.eq(part(&k, described, (3, 12)), k.w(0)));
        let or = |v: Word, other: u32| k.sel(none, k.w(other), v);
        let geometry = k.or(k.shli(self.geometry(node, n), 2), self.goes_on(node, pair, described));
        [or(distance, INFINITY), or(i, ONE), or(j, ONE), or(last, 0), geometry]
    }

    /// Where a program goes on after a pair.
    fn goes_on(&self, node: &Node, pair: Word, described: Word) -> Word {
        let k = self.alg(Word::Known(0));
        let pairs = k.add(node.bits(self, k.w(28), k.w(3)), k.w(1));
        let ends = k.sel(k.eq(k.add(pair, k.w(1)), pairs), k.w(NODE_NEXT), k.w(PAIR_NEXT));
        k.sel(k.nz(k.mask(described, 1)), k.w(LAST), ends)
    }

    /// The number of the geometry of a triangle.
    fn geometry(&self, node: &Node, n: Word) -> Word {
        let k = self.alg(Word::Known(0));
        let less = |a: Word, b: Word| k.sub(k.max_u(a, b), b);
        let [width, narrow] = [20, 24].map(|at| k.shli(node.bits(self, k.w(at), k.w(4)), 1));
        let first = less(node.bits(self, k.w(42), k.w(10)), width);
        self.number(node, n, (first, width), (less(first, k.mul(n, narrow)), narrow))
    }

    fn number(&self, node: &Node, n: Word, (first, width): (Word, Word), (rest, narrow): (Word, Word)) -> Word {
        let mut args = node.words().to_vec();
        args.extend([n, first, width, rest, narrow]);
        self.call(NUMBER, 0, &args)[0]
    }
}

/// A row of a matrix by a vector, on top of a sum, from z to x.
fn row(f: &Spirv<'_>, of: [Word; 3], v: [Word; 3], sum: Word) -> Word {
    f.fma_f32(of[0], v[0], f.fma_f32(of[1], v[1], f.fma_f32(of[2], v[2], sum)))
}

fn quantised_plane(l: &Lower<'_>, _: u32, a: &[Word]) -> Vec<Word> {
    let (k, f) = (l.alg(Word::Known(0)), floats(l));
    let (origin, exponent, plane) = (a[0], a[1], a[2]);
    let first = k.sub(k.w(31), k.clz(plane));
    let field = k.add(exponent, first);
    let mantissa = k.mask(k.shl(plane, k.sub(k.w(23), first)), 0x7f_ffff);
    let bits = k.mask(k.or(k.shli(k.sub(field, k.w(12)), 23), mantissa), 0x7fff_ffff);
    let some = k.both(k.nz(plane), k.lt_s(k.w(12), field));
    vec![f.add_f32(k.sel(some, bits, k.w(0)), origin)]
}

fn short_plane(l: &Lower<'_>, upper: u32, a: &[Word]) -> Vec<Word> {
    let k = l.alg(Word::Known(0));
    let (negative, mantissa, exponent) = (part(&k, a[0], (17, 1)), k.mask(a[0], 0x1_ffff), a[1]);
    // Away from the box: lower planes that are negative, upper ones that are not.
    let away = k.eq(negative, k.w(u32::from(upper == 0)));
    let first = k.sub(k.w(31), k.clz(mantissa));
    let below = k.min_u(k.sub(k.w(16), first), exponent);
    let own = k.sub(exponent, below);
    let up = k.add(k.w(7), below);
    let lost = k.sub(k.shl(k.w(1), up), k.w(1));
    let lost = k.sel(k.both(away, k.negate(k.eq(own, k.w(0xff)))), lost, k.w(0));
    let magnitude = k.or(k.shli(own, 23), k.mask(k.or(k.shl(mantissa, up), lost), 0x7f_ffff));
    let least = k.or(k.shli(k.sub(k.max_u(exponent, k.w(17)), k.w(17)), 23), k.w(0x7f_ffff));
    let none = k.sel(away, least, k.w(0));
    let magnitude = k.sel(k.nz(mantissa), magnitude, none);
    vec![k.or(k.shli(negative, 31), magnitude)]
}

fn bits(l: &Lower<'_>, _: u32, a: &[Word]) -> Vec<Word> {
    let (k, node) = (l.alg(Word::Known(0)), Node::of(&a[..6]));
    let (at, count) = (a[6], a[7]);
    let word = |n: Word| {
        let v = l.var(k.w(0));
        l.when(k.lt_u(n, k.w(32)), || l.put(v, node.load(l, n)));
        l.get(v)
    };
    let (n, low) = (k.shri(at, 5), k.mask(at, 31));
    let upper = l.var(k.w(0));
    // A node may end where the bits do.
    l.when(k.lt_u(k.w(32), k.add(low, count)), || l.put(upper, word(k.add(n, k.w(1)))));
    let pair = (word(n), l.get(upper));
    let all = k.sub_d(k.shl_d(k.d(1), count), k.d(1));
    vec![k.and(k.shr_d(pair, low).0, all.0)]
}

fn corner(l: &Lower<'_>, _: u32, a: &[Word]) -> Vec<Word> {
    let (k, node, n) = (l.alg(Word::Known(0)), Node::of(&a[..6]), a[6]);
    let own = [0, 5, 10].map(|at| k.add(node.bits(l, k.w(at), k.w(5)), k.w(1)));
    let zeros = node.bits(l, k.w(15), k.w(5));
    let rest = k.sub(k.w(32), zeros);
    let shared = own.map(|own| k.sub(k.max_u(rest, own), own));
    let total = |of: [Word; 3]| k.add(k.add(of[0], of[1]), of[2]);
    let mut prefix = k.w(HEADER);
    let mut at = k.add(k.add(k.w(HEADER), total(shared)), k.mul(n, total(own)));
    (0..3)
        .map(|m| {
            let top = k.shl(node.bits(l, prefix, shared[m]), k.sub(k.w(32), shared[m]));
            let top = k.sel(k.nz(shared[m]), top, k.w(0));
            let rest = k.shl(node.bits(l, at, own[m]), zeros);
            prefix = k.add(prefix, shared[m]);
            at = k.add(at, own[m]);
            k.or(top, rest)
        })
        .collect()
}

fn number(l: &Lower<'_>, _: u32, a: &[Word]) -> Vec<Word> {
    let (k, node) = (l.alg(Word::Known(0)), Node::of(&a[..6]));
    let (n, first, width, rest, narrow) = (a[6], a[7], a[8], a[9], a[10]);
    let anchor = node.bits(l, first, width);
    let own = node.bits(l, rest, narrow);
    let upper = k.shl(k.shr(anchor, narrow), narrow);
    let v = k.sel(k.lt_u(narrow, width), k.or(upper, own), own);
    vec![k.sel(k.nz(n), v, anchor)]
}
