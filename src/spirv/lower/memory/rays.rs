//! Rays against nodes of a tree ([`crate::memory::rays`] says what trees are): which boxes a ray goes through, sorted, or where it meets
//! triangles.
//!
//! Descriptors are taken apart on the device, and so is what pointers say: two [nodes](Nodes) at most, whose kinds decide. [Boxes](boxes) of all
//! formats go through one loop, [triangles](triangle) through one function; what gfx12 [packs](packed) is unpacked by others. Floats are to
//! nearest even, each operation by itself, and denormals are kept. A quotient is one of f64 that is exact but for its rounding, then
//! rounded to f32: of f32 that is the same as rounding once.

mod boxes;
mod nodes;
mod packed;
mod triangle;

use super::guest::Found;
use super::image::{field, part};
use super::lanes::Fault;
use super::{Lower, Lowered, floats};
use crate::isa::Gen;
use crate::isa::does::Ray as Against;
use crate::isa::sem::Alg;
use crate::memory::image::fields::Fields as _;
use crate::memory::rays::fields::TreeField;
use crate::memory::rays::{BOXES32, INSTANCE, INVALID};
use crate::program::{Access, Step};
use crate::spirv::alg::{Pair, Truth, Word};
use crate::spirv::fault::Fault as Planted;
use crate::spirv::module::Id;
use crate::spirv::state::trap;
use boxes::{Boxes, format};
use nodes::{At, BOXES, Nodes};

/// The first generation that packs nodes, and whose instructions may have two.
const PACKED: Gen = Gen::Gfx12;

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
    triangles_first: Truth,
    compressed: Truth,
    precise: Truth,
    wide: Truth,
    instances: Truth,
    /// It is another descriptor.
    other: Truth,
}

/// A ray.
#[derive(Clone, Copy)]
struct Ray {
    extent: Word,
    origin: [Word; 3],
    direction: [Word; 3],
    inverse: [Word; 3],
}

/// A node in memory.
struct Node {
    found: Found,
    at: Pair,
}

impl Node {
    fn words(&self) -> [Word; 6] {
        let [a, b, c, d] = self.found.words();
        [a, b, c, d, self.at.0, self.at.1]
    }

    fn of(words: &[Word]) -> Node {
        Node { found: Found::of(words), at: (words[4], words[5]) }
    }

    fn load(&self, l: &Lower<'_>, n: Word) -> Word {
        l.load_word_at(self.found, self.at, n)
    }

    /// Some of its bits, 32 at most.
    fn bits(&self, l: &Lower<'_>, at: Word, count: Word) -> Word {
        let mut args = self.words().to_vec();
        args.extend([at, count]);
        l.call(packed::BITS, 0, &args)[0]
    }
}

/// What registers get, in variables.
struct Results {
    words: [Id; 10],
    /// A ray in the space of an instance, and whether there is one.
    moved: [Id; 6],
    moves: Id,
    /// What of a node is refused: [`crate::memory::rays::Unsupported::code`].
    refused: Id,
}

impl Lower<'_> {
    /// An instruction that holds the ray of each lane against a node, or two.
    pub(super) fn rays(&self, step: &Step, access: &Access, against: Against) -> Lowered {
        let Some(image) = access.image.as_deref() else { return Err("an address of rays".to_owned()) };
        let tree = self.tree(access);
        let k = self.alg(Word::Known(0));
        self.in_lanes(
            step,
            false,
            |lane| {
                let (nodes, ray) = self.nodes(&tree, image, against, lane);
                let to = Results {
                    words: std::array::from_fn(|_| self.var(k.w(INVALID))),
                    moved: std::array::from_fn(|_| self.var(k.w(0))),
                    moves: self.var(k.w(0)),
                    refused: self.var(k.w(0)),
                };
                let fault = self.met(&tree, &nodes, &ray, k.both(lane.active, k.negate(tree.other)), &to);
                let refused =
                    |failed: Truth, detail: Word| Fault { failed, kind: k.w(trap::UNSUPPORTED), detail, ..Fault::NONE };
                let code = self.get(to.refused);
                let fault = self.first_fault(refused(tree.other, k.w(0)), fault);
                let fault = self.first_fault(fault, refused(k.nz(code), code));
                ((to, k.negate(fault.failed)), fault)
            },
            |lane, (to, good), c| {
                let c = k.both(c, good);
                let moves = k.both(c, k.nz(self.get(to.moves)));
                for (register, v) in image.moved_ray().iter().zip(to.moved) {
                    self.set_tuple(*register, 0, lane, moves, self.get(v));
                }
                for (n, v) in (0..access.components.into()).zip(to.words) {
                    self.set_tuple(access.data, n, lane, c, self.get(v));
                }
            },
        );
        Ok(())
    }

    fn tree(&self, access: &Access) -> Tree {
        let (k, f, generation) = (self.alg(Word::Known(0)), floats(self), self.generation());
        let words: Vec<Word> = (0..4).map(|n| self.s(access.base + n)).collect();
        let get = |of: TreeField| field(&k, generation, &words, of);
        let is = |of: TreeField| k.nz(get(of));
        // A whole word, and the lower bits of the next one.
        let long = |of: TreeField| {
            let [low, high] = of.pieces(generation);
            let high = part(&k, words[usize::from(high.word)], (high.low.into(), high.count.into()));
            (words[usize::from(low.word)], high)
        };
        // One and so many times 2^-24, rounded.
        let grown = f.mul_f32(f.f32_of_u32(get(TreeField::Grow)), k.w((127 - 24) << 23));
        Tree {
            base: k.shl_d(long(TreeField::Base), k.w(8)),
            last: long(TreeField::Size),
            grow: if self.has(Planted::RayGrowLost) { k.w(ONE) } else { f.add_f32(k.w(ONE), grown) },
            sort: if self.has(Planted::BoxesUnsorted) { Truth::Known(false) } else { is(TreeField::Sort) },
            heuristic: get(TreeField::Heuristic),
            flags: is(TreeField::PointerFlags),
            barycentrics: is(TreeField::Barycentrics),
            triangles_first: is(TreeField::TrianglesFirst),
            compressed: is(TreeField::Compressed),
            precise: is(TreeField::Precise),
            wide: is(TreeField::WideSort),
            instances: is(TreeField::Instances),
            other: k.negate(k.eq(get(TreeField::Type), k.w(8))),
        }
    }

    /// Fetches a node of so many bytes, where that is needed: the node, and what failed.
    fn fetch_node(&self, tree: &Tree, unit: Pair, size: Word, goes: Truth) -> (Node, Fault) {
        let k = self.alg(Word::Known(0));
        // Addresses have 48 bits.
        let at = k.add_d(tree.base, k.shl_d(unit, k.w(6)));
        let at = (at.0, k.zx16(at.1));
        let found = self.find(at, self.only(goes, size), false);
        let fault = self.not_found(goes, found, at, size, trap::LOAD);
        (Node { found, at }, fault)
    }

    /// Holds a ray against nodes: what registers get, and what failed.
    fn met(&self, tree: &Tree, nodes: &Nodes, ray: &Ray, goes: Truth, to: &Results) -> Fault {
        let k = self.alg(Word::Known(0));
        let [a, b] = &nodes.at;
        let there =
            [a, b].map(|at| k.either(k.c(self.has(Planted::RaySizeIgnored)), k.negate(k.ltu_d(tree.last, at.unit))));
        let long = k.either(a.is(&k, BOXES32), nodes.primitives);
        let long = k.either(long, k.both(a.is(&k, INSTANCE), tree.compressed));
        let size = |long: Truth| k.sel(long, k.w(128), k.w(64));
        let first = k.either(a.is_node(&k), nodes.primitives);
        let (first_node, fault) = self.fetch_node(tree, a.unit, size(long), k.both(goes, k.both(first, there[0])));
        let (second_node, fault) = match &b.kind {
            Word::Known(_) => (Node::of(&first_node.words()), fault),
            _ => {
                let fetches = k.both(goes, k.both(b.is_node(&k), there[1]));
                let (node, other) = self.fetch_node(tree, b.unit, size(b.is(&k, BOXES32)), fetches);
                (node, self.first_fault(fault, other))
            }
        };
        self.when(k.both(goes, k.negate(fault.failed)), || {
            let found = [(&first_node, there[0]), (&second_node, there[1])];
            self.put_boxes(tree, nodes, ray, found, to);
            self.put_triangles(tree, nodes, ray, found, to);
        });
        fault
    }

    /// What registers get of triangles: of a loop over two, for what is to be done is long.
    fn put_triangles(&self, tree: &Tree, nodes: &Nodes, ray: &Ray, found: [(&Node, Truth); 2], to: &Results) {
        let k = self.alg(Word::Known(0));
        let packs = nodes.primitives != Truth::Known(false);
        let [a, b] = &nodes.at;
        let second_too = b.has_triangles(&k) != Truth::Known(false);
        let missed = [INFINITY, 0, 0, 0, INFINITY, 0, 0, 0].map(|v| k.w(v));
        self.when(nodes.primitives, || self.put_words(to, 0, &missed));
        self.times(k.w(if second_too || packs { 2 } else { 1 }), |n| {
            let second = k.both(k.nz(n), k.negate(nodes.primitives));
            let pick = |of: [Word; 2]| k.sel(second, of[1], of[0]);
            let [own, other] = found.map(|(node, _)| node.words());
            let node = Node::of(&own.into_iter().zip(other).map(|(own, other)| pick([own, other])).collect::<Vec<_>>());
            let there = k.sel_c(second, found[1].1, found[0].1);
            let kind = pick([a.kind, b.kind]);
            let plain = k.both(k.lt_u(kind, k.w(BOXES)), k.negate(nodes.primitives));
            self.when(k.either(plain, k.both(nodes.primitives, there)), || {
                let corners: [_; 9] = std::array::from_fn(|_| self.var(k.w(0)));
                let put = |all: [[Word; 3]; 3]| {
                    corners.iter().zip(all.iter().flatten()).for_each(|(to, v)| self.put(*to, *v))
                };
                let [number, geometry, described] = [0, INVALID, 0].map(|v| self.var(k.w(v)));
                self.when(k.both(plain, there), || {
                    put(self.corners(kind, &node));
                    self.put(number, node.load(self, k.w(15)));
                    self.put(geometry, node.load(self, k.w(14)));
                });
                if packs {
                    self.when(nodes.primitives, || {
                        self.put(described, self.pair(&node, nodes.pair, to));
                        put(self.packed_corners(&node, self.get(described), n));
                    });
                }
                let [a, b, c] = [0, 3, 6].map(|first| [0, 1, 2].map(|m| self.get(corners[first + m])));
                let met = self.meeting(ray, [a, b, c]);
                let four = self.triangle(tree, (kind, nodes.flags), (self.get(number), met), there);
                let words: [_; 5] = std::array::from_fn(|m| self.var(*four.get(m).unwrap_or(&self.get(geometry))));
                if packs {
                    self.when(nodes.primitives, || {
                        let all = self.primitive(&node, (nodes.pair, self.get(described), n), met, nodes.flags);
                        words.iter().zip(all).for_each(|(to, v)| self.put(*to, v));
                    });
                }
                let words = words.map(|word| self.get(word));
                self.when(k.eq(n, k.w(0)), || {
                    self.put_words(to, 0, &words[..4]);
                    self.put_words(to, 8, &words[4..]);
                });
                self.when(k.nz(n), || {
                    self.put_words(to, 4, &words[..4]);
                    self.put_words(to, 9, &words[4..]);
                });
            });
        });
    }

    fn put_words(&self, to: &Results, first: usize, words: &[Word]) {
        to.words[first..].iter().zip(words).for_each(|(to, v)| self.put(*to, *v));
    }

    /// What registers get of boxes, and of an instance.
    fn put_boxes(&self, tree: &Tree, nodes: &Nodes, ray: &Ray, found: [(&Node, Truth); 2], to: &Results) {
        let k = self.alg(Word::Known(0));
        let packs = self.generation() >= PACKED;
        let [a, b] = &nodes.at;
        let of_boxes = |n: usize| k.both(nodes.at[n].has_boxes(&k), found[n].1);
        let mut boxes = Boxes {
            nodes: found.map(|(node, _)| node),
            formats: nodes.at.each_ref().map(|at| self.format_of(tree, nodes, at)),
            there: [of_boxes(0), of_boxes(1)],
            whole: nodes.whole,
            flags: nodes.flags,
            mask: k.sel(nodes.whole, nodes.mask, k.w(0xff)),
            once: k.either(nodes.whole, nodes.twice),
            sort: tree.sort,
            wide: k.both(tree.wide, k.either(nodes.whole, k.both(a.has_boxes(&k), b.has_boxes(&k)))),
            leaves: nodes.leaves,
        };
        let mut through = *ray;
        let mut parts = Truth::Known(false);
        if packs {
            let (node, there) = found[0];
            let own = [ray.origin, ray.direction].map(|v| v.map(|v| self.var(v)));
            let put = |ray: Ray| {
                let all = [ray.origin, ray.direction];
                own.iter().flatten().zip(all.iter().flatten()).for_each(|(to, v)| self.put(*to, *v));
            };
            let [unsorted, is_instance] = [(); 2].map(|()| self.var(k.w(0)));
            self.when(k.both(nodes.whole, there), || {
                self.put(unsorted, k.mask(k.shri(node.load(self, k.w(6)), 24), 1));
                self.turn(ray, node, to, put);
            });
            self.when(k.both(a.is(&k, INSTANCE), there), || {
                let moved = self.instance(ray, node, nodes, tree, to, put);
                self.put(is_instance, k.bit(k.both(moved, tree.compressed)));
            });
            let [origin, direction] = own.map(|v| v.map(|v| self.get(v)));
            // Only an instruction with one node has the inverse in its registers.
            let inverse = if nodes.is_one() { ray.inverse } else { self.inverse(direction) };
            through = Ray { origin, direction, inverse, ..*ray };
            parts = k.nz(self.get(is_instance));
            boxes.sort = k.both(tree.sort, k.eq(self.get(unsorted), k.w(0)));
            boxes.formats[0] = k.sel(parts, k.w(format::PARTS), boxes.formats[0]);
            boxes.there[0] = k.either(boxes.there[0], parts);
            boxes.whole = k.either(boxes.whole, parts);
            boxes.once = k.either(boxes.once, parts);
            boxes.flags = k.sel(parts, k.w(0), boxes.flags);
            boxes.mask = k.sel(parts, nodes.mask, boxes.mask);
            boxes.wide = k.either(boxes.wide, k.both(parts, tree.wide));
        }
        self.when(k.either(boxes.there[0], boxes.there[1]), || {
            let pointers = self.visit(tree, &through, &boxes, packs);
            self.when(a.has_boxes(&k), || self.put_words(to, 0, &pointers[..4]));
            self.when(k.either(b.has_boxes(&k), nodes.whole), || self.put_words(to, 4, &pointers[4..]));
            // Of the parts of an instance the low bytes.
            self.when(parts, || {
                let bytes = pointers[..4].iter().rev().map(|pointer| k.mask(*pointer, 0xff));
                let word = bytes.fold(k.w(0), |all, byte| k.or(k.shli(all, 8), byte));
                self.put_words(to, 7, &[word]);
            });
        });
    }

    fn format_of(&self, tree: &Tree, nodes: &Nodes, at: &At) -> Word {
        let k = self.alg(Word::Known(0));
        let full = k.sel(nodes.whole, k.w(format::QUANTISED), k.w(format::FULL));
        let short = k.sel(k.either(tree.precise, nodes.twice), k.w(format::PRECISE), k.w(format::HALF));
        k.sel(at.is(&k, BOXES), short, full)
    }
}
