//! Which nodes the registers of an address name, and the ray.

use super::{Ray, Tree};
use crate::isa::Gen;
use crate::isa::does::Ray as Against;
use crate::isa::image::Address;
use crate::isa::sem::Alg;
use crate::memory::rays::{BOXES32, Flags, INSTANCE};
use crate::program::memory::image::{Bits, Image};
use crate::spirv::alg::{Pair, Spirv, Truth, Word};
use crate::spirv::lanes::Lane;
use crate::spirv::lower::Lower;
use crate::spirv::lower::memory::floats;

/// The first kind of node that has no triangles: four boxes of f16, or with short mantissas.
pub(super) const BOXES: u32 = 4;
/// A kind of which there is no node.
const NONE: u32 = 7;

/// What a pointer names: triangles (kinds 0 to 3), [`BOXES`], [`BOXES32`], an instance where there are any, or nothing.
#[derive(Clone, Copy)]
pub(super) struct At {
    pub kind: Word,
    pub unit: Pair,
}

impl At {
    pub fn is(&self, k: &Spirv<'_>, kind: u32) -> Truth {
        k.eq(self.kind, k.w(kind))
    }

    pub fn is_node(&self, k: &Spirv<'_>) -> Truth {
        k.lt_u(self.kind, k.w(NONE))
    }

    pub fn has_triangles(&self, k: &Spirv<'_>) -> Truth {
        k.lt_u(self.kind, k.w(BOXES))
    }

    pub fn has_boxes(&self, k: &Spirv<'_>) -> Truth {
        k.either(self.is(k, BOXES), self.is(k, BOXES32))
    }

    /// Nothing, where a condition holds.
    fn without(self, k: &Spirv<'_>, c: Truth) -> At {
        At { kind: k.sel(c, k.w(NONE), self.kind), ..self }
    }
}

/// What an instruction goes against.
pub(super) struct Nodes {
    pub at: [At; 2],
    pub flags: Word,
    /// Which rays see an instance or a box.
    pub mask: Word,
    /// Both are boxes and count as one node.
    pub twice: Truth,
    /// The first is a node of eight boxes that are quantised.
    pub whole: Truth,
    /// The first is a node of packed triangles, of which these are a pair.
    pub primitives: Truth,
    pub pair: Word,
    /// The last kind of node that has triangles.
    pub leaves: Word,
}

impl Nodes {
    /// There is no second node, whatever registers hold.
    pub fn is_one(&self) -> bool {
        matches!(self.at[1].kind, Word::Known(NONE))
    }
}

impl Lower<'_> {
    /// The nodes and the ray of a lane, from the registers of the address.
    pub(super) fn nodes(&self, tree: &Tree, image: &Image, against: Against, lane: Lane) -> (Nodes, Ray) {
        let k = self.alg(lane.number);
        let word = |n: usize| image.registers.get(n).map_or(k.w(0), |at| self.v(*at, lane));
        let three = |first: usize| [0, 1, 2].map(|n| word(first + n));
        if against == Against::One {
            let wide = image.parts.contains(Address::NODE64);
            let pointer = (word(0), if wide { word(1) } else { k.w(0) });
            let at = 1 + usize::from(wide);
            let [direction, inverse] = match image.has(Bits::A16) {
                true => self.ray_halves(three(at + 4)),
                false => [three(at + 4), three(at + 7)],
            };
            let ray = Ray { extent: word(at), origin: three(at + 1), direction, inverse };
            return (self.one_node(tree, pointer), ray);
        }
        // The inverse is for those who know where the ray goes through boxes.
        let ray = Ray { extent: word(2), origin: three(4), direction: three(7), inverse: [k.w(0); 3] };
        let base = (word(0), word(1));
        let nodes = match against {
            Against::Two => self.two_nodes(tree, base, [word(10), word(11)]),
            _ => self.node_of_eight(tree, base, word(10)),
        };
        (Nodes { mask: k.mask(word(3), 0xff), ..nodes }, ray)
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

    /// Two nodes of which nothing special is known, under the flags of a pointer.
    fn plain_nodes(&self, tree: &Tree, at: [At; 2], high: Word) -> Nodes {
        let (k, no) = (self.alg(Word::Known(0)), Truth::Known(false));
        let flags = k.sel(tree.flags, k.shri(high, Flags::SHIFT - 32), k.w(0));
        let (mask, pair, leaves) = (k.w(0xff), k.w(0), k.w(3));
        Nodes { at, flags, mask, twice: no, whole: no, primitives: no, pair, leaves }
    }

    /// The place in a pointer of 64 bits, without its flags.
    fn pointed(&self, pointer: Pair) -> Pair {
        let k = self.alg(Word::Known(0));
        (pointer.0, k.mask(pointer.1, (1 << (Flags::SHIFT - 32)) - 1))
    }

    /// A node by a pointer of 32 bits or 64.
    fn one_node(&self, tree: &Tree, pointer: Pair) -> Nodes {
        let k = self.alg(Word::Known(0));
        let place = if self.generation() == Gen::Gfx10 { pointer } else { self.pointed(pointer) };
        let own = At { kind: k.mask(pointer.0, 7), unit: k.shr_d(place, k.w(3)) };
        let none = At { kind: Word::Known(NONE), unit: own.unit };
        self.plain_nodes(tree, [own.without(&k, own.is(&k, INSTANCE)), none], pointer.1)
    }

    /// A node of a tree with a pointer of its own.
    fn node_of(&self, base: Pair, pointer: Word) -> At {
        let k = self.alg(Word::Known(0));
        let unit = k.add_d(k.shr_d(self.pointed(base), k.w(3)), k.zext(k.shri(pointer, 3)));
        At { kind: k.mask(pointer, 7), unit }
    }

    fn two_nodes(&self, tree: &Tree, base: Pair, pointers: [Word; 2]) -> Nodes {
        let k = self.alg(Word::Known(0));
        let [a, b] = pointers.map(|pointer| self.node_of(base, pointer));
        let [first, second] = [a, b].map(|at| at.is(&k, INSTANCE));
        // One instance at a time, and nothing beside it.
        let counts = k.both(tree.instances, k.negate(second));
        let a = a.without(&k, k.both(first, k.negate(counts)));
        let b = b.without(&k, k.either(second, k.both(first, tree.instances)));
        self.plain_nodes(tree, [a, b], base.1)
    }

    /// A node of eight boxes, or of two triangles.
    fn node_of_eight(&self, tree: &Tree, base: Pair, pointer: Word) -> Nodes {
        let k = self.alg(Word::Known(0));
        let own = self.node_of(base, pointer);
        let plain = k.negate(tree.compressed);
        let packed = |c: Truth| k.both(tree.compressed, c);
        // Of nodes that are not packed, 2 and 3 are boxes twice, and 1 is the second of two triangles, which comes with the first.
        let [full, precise, second] = [2, 3, 1].map(|kind| k.both(plain, own.is(&k, kind)));
        let twice = k.either(full, precise);
        let boxes = k.sel(full, k.w(BOXES32), k.w(BOXES));
        let either =
            |boxes_: Word, triangle: u32, else_: Word| k.sel(twice, boxes_, k.sel(second, k.w(triangle), else_));
        let step = k.sel(full, k.w(2), k.bit(precise));
        let primitives = packed(own.has_triangles(&k));
        // Eight kinds of pointers lead to a node of triangles.
        let unit = k.sel_d(primitives, self.node_of(base, k.mask(pointer, !15)).unit, own.unit);
        let nothing = k.either(
            packed(k.either(own.has_triangles(&k), own.is(&k, BOXES))),
            k.both(own.is(&k, INSTANCE), k.negate(tree.instances)),
        );
        let first = At { kind: either(boxes, 0, own.kind), unit }.without(&k, nothing);
        let other = At { kind: either(boxes, 1, k.w(NONE)), unit: k.add_d(unit, k.zext(step)) };
        Nodes {
            twice,
            whole: packed(own.is(&k, BOXES32)),
            primitives,
            pair: k.or(k.mask(pointer, 3), k.shri(k.mask(pointer, 8), 1)),
            leaves: k.sel(tree.compressed, k.w(3), k.w(1)),
            ..self.plain_nodes(tree, [first, other], base.1)
        }
    }
}
