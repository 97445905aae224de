//! The boxes of nodes: where they are, the way of a ray through each, and their order.

use super::packed::{QUANTISED_PLANE, SHORT_PLANE};
use super::{INFINITY, Node, PACKED, Ray, SIGN, Tree};
use crate::isa::sem::{Alg, Cmp};
use crate::memory::rays::boxes::{EIGHT, FOUR};
use crate::memory::rays::{BOXES32, Flags, INVALID, NO_NUMBER};
use crate::spirv::alg::{Spirv, Truth, Word};
use crate::spirv::lower::Lower;
use crate::spirv::lower::memory::convert::is_nan;
use crate::spirv::lower::memory::floats;
use crate::spirv::lower::memory::helper::Helper;
use crate::spirv::lower::memory::image::part;
use crate::spirv::module::Id;

/// A format, a node (six words), the number of a child: its pointer, six planes, what all in it has in common, its mask.
const CHILD: Helper = Helper { name: "ray_child", results: 9, body: child };
/// Six planes, a ray (seven words), what the end grows by, the heuristic: whether it is hit, and its place in the order.
const BOX: Helper = Helper { name: "ray_box", results: 2, body: through };

/// How boxes are stored.
pub(super) mod format {
    /// Planes of f16, and nothing else.
    pub const HALF: u32 = 0;
    /// Planes of f32.
    pub const FULL: u32 = 1;
    /// Planes with short mantissas.
    pub const PRECISE: u32 = 2;
    /// Eight that are quantised.
    pub const QUANTISED: u32 = 3;
    /// The quantised parts of an instance.
    pub const PARTS: u32 = 4;
}

/// Nodes of boxes: two of four, or one of eight.
pub(super) struct Boxes<'n> {
    pub nodes: [&'n Node; 2],
    pub formats: [Word; 2],
    pub there: [Truth; 2],
    /// The first node has eight.
    pub whole: Truth,
    pub flags: Word,
    pub mask: Word,
    /// Of boxes one behind the other that are around the same node the first counts.
    pub once: Truth,
    pub sort: Truth,
    /// All eight are sorted together.
    pub wide: Truth,
    /// The last kind of node that has triangles.
    pub leaves: Word,
}

/// A pointer, where it is to stand, and whether that is before or behind others whatever the distance.
#[derive(Clone, Copy)]
struct Place {
    pointer: Word,
    key: Word,
    rank: Word,
}

impl Lower<'_> {
    /// The pointers of boxes as they are to be visited: of two times four, or of eight.
    pub(super) fn visit(&self, tree: &Tree, ray: &Ray, boxes: &Boxes<'_>, eight: bool) -> [Word; 8] {
        let (k, f) = (self.alg(Word::Known(0)), floats(self));
        let [pointers, keys]: [[Id; 8]; 2] = [INVALID, 0].map(|v| std::array::from_fn(|_| self.var(k.w(v))));
        let [a, b] = boxes.nodes.map(Node::words);
        self.times(k.w(if eight { 8 } else { 4 }), |n| {
            let second = if eight { k.both(k.lt_u(k.w(3), n), k.negate(boxes.whole)) } else { Truth::Known(false) };
            let pick = |a: Word, b: Word| k.sel(second, b, a);
            let format = pick(boxes.formats[0], boxes.formats[1]);
            let there = k.sel_c(second, boxes.there[1], boxes.there[0]);
            self.when(there, || {
                let mut args = vec![format];
                args.extend(a.iter().zip(&b).map(|(a, b)| pick(*a, *b)));
                args.push(k.sel(second, k.sub(n, k.w(4)), n));
                let child = self.call(CHILD, 0, &args);
                let mut args = child[1..7].to_vec();
                args.extend(ray.origin.into_iter().chain(ray.inverse));
                args.extend([ray.extent, tree.grow, k.sel(boxes.sort, tree.heuristic, k.w(0))]);
                let met = self.call(BOX, 0, &args);
                // Boxes of f16 have no place for flags.
                let gone = k.both(culled(&k, child[7], boxes.flags), k.negate(k.eq(format, k.w(format::HALF))));
                let unseen = k.eq(k.and(child[8], boxes.mask), k.w(0));
                let hit = k.both(k.nz(met[0]), k.negate(k.either(gone, unseen)));
                let pointer = k.sel(hit, child[0], k.w(INVALID));
                for m in 0..if eight { 8 } else { 4 } {
                    let here = k.eq(n, k.w(m as u32));
                    self.put_if(here, pointers[m], pointer);
                    self.put_if(here, keys[m], met[1]);
                }
            });
        });
        let mut all = [0, 1, 2, 3, 4, 5, 6, 7].map(|n: usize| [pointers[n], keys[n]].map(|id| self.get(id)));
        if eight {
            let mut last = all[0][0];
            for [pointer, _] in &mut all[1..] {
                let same = k.both(boxes.once, k.eq(*pointer, last));
                last = k.sel(same, last, *pointer);
                *pointer = k.sel(same, k.w(INVALID), *pointer);
            }
        }
        let mut places = all.map(|[pointer, key]| {
            let kind = k.mask(pointer, 7);
            let first = |c: Truth| k.bit(k.both(tree.triangles_first, c));
            let missed = k.shli(k.bit(k.eq(pointer, k.w(INVALID))), 2);
            let boxes_behind = k.shli(first(k.lt_u(boxes.leaves, kind)), 1);
            // A pair of triangles stands before a single one.
            let rank = k.or(missed, k.or(boxes_behind, first(k.negate(k.eq(kind, k.w(1))))));
            Place { pointer, key, rank }
        });
        let mut sort = |network: &[(usize, usize)], at: usize, c: Truth| {
            for (a, b) in network.iter().map(|(a, b)| (a + at, b + at)) {
                (places[a], places[b]) = sorted(&k, &f, c, places[a], places[b]);
            }
        };
        sort(FOUR, 0, k.both(boxes.sort, k.negate(boxes.wide)));
        if eight {
            sort(FOUR, 4, k.both(boxes.sort, k.negate(boxes.wide)));
            sort(EIGHT, 0, k.both(boxes.sort, boxes.wide));
        }
        places.map(|place| place.pointer)
    }
}

/// Two places in their order, if they are to be sorted.
fn sorted(k: &Spirv<'_>, f: &Spirv<'_>, c: Truth, a: Place, b: Place) -> (Place, Place) {
    let nearer = k.both(k.eq(b.rank, a.rank), f.cmp_f32(Cmp::Lt, b.key, a.key));
    let swap = k.both(c, k.either(k.lt_u(b.rank, a.rank), nearer));
    let pick = |a: Place, b: Place| Place {
        pointer: k.sel(swap, b.pointer, a.pointer),
        key: k.sel(swap, b.key, a.key),
        rank: k.sel(swap, b.rank, a.rank),
    };
    (pick(a, b), pick(b, a))
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

/// What a child is, in variables until its format is known.
struct Child {
    pointer: Id,
    planes: [Id; 6],
    only: Id,
    mask: Id,
}

fn child(l: &Lower<'_>, _: u32, a: &[Word]) -> Vec<Word> {
    let (k, node, n) = (l.alg(Word::Known(0)), Node::of(&a[1..7]), a[7]);
    let child = Child {
        pointer: l.var(k.w(INVALID)),
        planes: std::array::from_fn(|_| l.var(k.w(NO_NUMBER))),
        only: l.var(k.w(0)),
        mask: l.var(k.w(u32::MAX)),
    };
    let is = |format: u32| k.eq(a[0], k.w(format));
    l.when(k.lt_u(a[0], k.w(format::PRECISE)), || plain(l, &node, n, is(format::FULL), &child));
    if l.generation() >= PACKED {
        l.when(is(format::PRECISE), || precise(l, &node, n, &child));
        l.when(k.lt_u(k.w(format::PRECISE), a[0]), || quantised(l, &node, n, is(format::PARTS), &child));
    }
    [child.pointer].into_iter().chain(child.planes).chain([child.only, child.mask]).map(|id| l.get(id)).collect()
}

/// Planes of f32, or of f16.
fn plain(l: &Lower<'_>, node: &Node, n: Word, full: Truth, to: &Child) {
    let (k, f) = (l.alg(Word::Known(0)), floats(l));
    let load = |at: Word| node.load(l, at);
    l.put(to.pointer, load(n));
    for (m, plane) in (0..).zip(to.planes) {
        let of = k.add(k.mul(n, k.w(6)), k.w(m));
        let word = load(k.add(k.w(4), k.sel(full, of, k.shri(of, 1))));
        let half = k.zx16(k.shr(word, k.shli(k.mask(of, 1), 4)));
        l.put(plane, k.sel(full, word, f.f32_of_f16(half)));
    }
    l.when(full, || l.put(to.only, k.mask(k.shr(load(k.w(28)), k.shli(n, 3)), 15)));
}

/// Planes with short mantissas; children lie one behind the other.
fn precise(l: &Lower<'_>, node: &Node, n: Word, to: &Child) {
    use crate::memory::rays::precise::{NO_CHILD, TWO_UNITS};
    let k = l.alg(Word::Known(0));
    let [first, second] = [0, 1].map(|at| node.load(l, k.w(at)));
    let kind = |m: u32| if m == 0 { k.shri(first, 29) } else { part(&k, second, (3 * (m - 1), 3)) };
    let (unit, own) = (l.var(k.mask(first, 0x1fff_ffff)), l.var(kind(0)));
    for m in 0..3 {
        let long = TWO_UNITS.into_iter().fold(Truth::Known(false), |any, two| k.either(any, k.eq(kind(m), k.w(two))));
        let before = k.lt_u(k.w(m), n);
        l.put_if(before, unit, k.add(l.get(unit), k.sel(long, k.w(2), k.w(1))));
        l.put_if(k.eq(n, k.w(m + 1)), own, kind(m + 1));
    }
    let own = l.get(own);
    let pointer = k.or(k.shli(l.get(unit), 3), own);
    l.put(to.pointer, k.sel(k.eq(own, k.w(NO_CHILD)), k.w(INVALID), pointer));
    for (m, plane) in (0..).zip(to.planes) {
        let exponent = node.bits(l, k.w(56 + 8 * (m % 3)), k.w(8));
        let block = node.bits(l, k.add(k.w(80 + 18 * m), k.mul(n, k.w(108))), k.w(18));
        l.put(plane, l.call(SHORT_PLANE, m / 3, &[block, exponent])[0]);
    }
    // The last child has no bit that says whether programs intersect all in it.
    let count = k.sel(k.eq(n, k.w(3)), k.w(3), k.w(4));
    l.put(to.only, node.bits(l, k.add(k.w(41), k.shli(n, 2)), count));
}

/// Quantised planes: of a node of eight, or of an instance.
fn quantised(l: &Lower<'_>, node: &Node, n: Word, parts: Truth, to: &Child) {
    let k = l.alg(Word::Known(0));
    let load = |of_parts: u32, of_eight: u32| node.load(l, k.sel(parts, k.w(of_parts), k.w(of_eight)));
    let packed = load(19, 6);
    let count = k.add(k.mask(k.shri(packed, 28), 7), k.w(1));
    let count = k.sel(parts, k.add(k.mask(k.shri(packed, 28), 3), k.w(1)), count);
    let first = k.sel(parts, k.w(20), k.w(8));
    l.put(to.mask, k.w(0));
    l.when(k.lt_u(n, count), || {
        let own = |m: Word, part: u32| node.load(l, k.add(first, k.add(k.mul(m, k.w(3)), k.w(part))));
        let start = |at: u32| k.sel(parts, k.w(0), node.load(l, k.w(at)));
        let [boxes, others] = [0, 1].map(|at| l.var(start(at)));
        l.times(k.add(n, k.w(1)), |m| {
            let last = own(m, 2);
            let kind = k.mask(k.shri(last, 24), 15);
            let is_box = k.eq(kind, k.w(BOXES32));
            l.put(to.pointer, k.or(k.sel(is_box, l.get(boxes), l.get(others)), kind));
            let range = k.shli(k.shri(last, 28), 4);
            l.put_if(is_box, boxes, k.add(l.get(boxes), range));
            l.put_if(k.negate(is_box), others, k.add(l.get(others), range));
        });
        let [x, y, z] = [0, 1, 2].map(|part| own(n, part));
        let low = |word: Word, at: u32| part(&k, word, (at, 12));
        let planes = [low(x, 0), low(x, 12), low(y, 0), low(y, 12), low(z, 0), low(z, 12)];
        for (m, (to, plane)) in (0..).zip(to.planes.into_iter().zip(planes)) {
            let origin = load(16 + m % 3, 3 + m % 3);
            let exponent = part(&k, packed, (8 * (m % 3), 8));
            // Upper planes count from one on.
            l.put(to, l.call(QUANTISED_PLANE, 0, &[origin, exponent, k.add(plane, k.w(m / 3))])[0]);
        }
        l.put(to.only, part(&k, x, (24, 4)));
        l.put(to.mask, k.shri(y, 24));
    });
}
