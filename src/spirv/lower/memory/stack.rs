//! Short stacks of nodes in LDS, one a lane ([`crate::memory::rays::stack`] says what they are): each lane pushes and pops by itself.
//!
//! What the offset says is known, so that pushes are written out one behind the other; what the register says is in variables.

use super::Lower;
use super::lanes::Fault;
use super::lds::Share;
use crate::isa::Gen;
use crate::isa::does::{Item, Stack};
use crate::isa::sem::Alg;
use crate::memory::rays::stack::{COUNT, END, STRIDE};
use crate::memory::rays::{INSTANCE, INVALID};
use crate::program::{Access, Step};
use crate::spirv::alg::{Spirv, Truth, Word};
use crate::spirv::fault::Fault as Planted;
use crate::spirv::module::Id;

impl Lower<'_> {
    /// Pushes nodes and pops some.
    pub(super) fn stack(&self, step: &Step, access: &Access, stack: Stack) {
        let share = self.share();
        let offset = access.offset as u32;
        self.in_lanes(
            step,
            true,
            |lane| {
                let nodes = (0..u32::from(stack.pushes)).map(|n| self.tuple(access.data1, n, lane)).collect();
                let [register, visited] = [access.addr, access.data].map(|at| self.tuple(at, 0, lane));
                let turn = Turn { l: self, k: self.alg(Word::Known(0)), share, visited, nodes };
                ((turn, register), Fault::NONE)
            },
            |lane, (turn, register), c| {
                let (popped, register) = match self.generation() {
                    Gen::Gfx12 => turn.ring(register, offset, stack.pops, c),
                    _ => turn.short(register, offset, c),
                };
                self.set_tuple(access.addr, 0, lane, c, register);
                for (n, node) in (0..).zip(popped) {
                    self.set_tuple(access.dst, n, lane, c, node);
                }
            },
        );
    }
}

/// What a lane brings to its stack.
struct Turn<'a, 'b> {
    l: &'a Lower<'b>,
    k: Spirv<'a>,
    share: Share,
    visited: Word,
    nodes: Vec<Word>,
}

impl Turn<'_, '_> {
    fn is(&self, truth: Id) -> Truth {
        self.k.nz(self.l.get(truth))
    }

    fn load(&self, c: Truth, base: Word, index: Word) -> Word {
        self.share.load_if(self.l, c, self.word(base, index), Item::Words(1))[0]
    }

    fn store(&self, c: Truth, base: Word, index: Word, node: Word) {
        self.share.store_if(self.l, c, self.word(base, index), Item::Words(1), &[node]);
    }

    fn word(&self, base: Word, index: Word) -> Word {
        self.k.add(base, self.k.mul(index, self.k.w(STRIDE)))
    }

    fn any(&self, matches: impl Fn(Word) -> Truth) -> Truth {
        self.nodes.iter().fold(Truth::Known(false), |any, node| self.k.either(any, matches(*node)))
    }

    /// The stack of gfx11: what is popped, and the register.
    fn short(&self, register: Word, offset: u32, c: Truth) -> (Vec<Word>, Word) {
        let Turn { l, k, visited, .. } = self;
        let base = k.shli(k.shri(register, 18), 2);
        let last = (8 << (offset >> 12 & 3)) - 1;
        let count = l.var(k.mask(register, COUNT));
        let at = || k.mask(l.get(count), last);
        let back = k.both(k.c(!l.has(Planted::StackVisitedForgotten)), k.negate(k.eq(*visited, k.w(INVALID))));
        let is_visited = |node: Word| k.both(back, k.eq(node, *visited));
        // Pushing goes on until the node is met that was visited.
        let goes = l.var(k.bit(k.either(k.negate(back), self.any(is_visited))));
        for node in self.nodes[1..].iter().rev() {
            l.put(goes, k.bit(k.both(self.is(goes), k.negate(is_visited(*node)))));
            let pushes = k.both(c, k.both(self.is(goes), k.negate(k.eq(*node, k.w(INVALID)))));
            self.store(pushes, base, at(), *node);
            l.put_if(pushes, count, k.min_u(k.add(l.get(count), k.w(1)), k.w(COUNT)));
        }
        let nearest = self.nodes[0];
        let stays = k.negate(k.either(is_visited(nearest), k.eq(nearest, k.w(INVALID))));
        let given = k.both(self.is(goes), stays);
        let empty = k.eq(l.get(count), k.w(0));
        let pops = k.negate(k.either(given, empty));
        l.put_if(pops, count, k.sub(l.get(count), k.w(1)));
        let pops = k.both(c, pops);
        let node = self.load(pops, base, at());
        self.store(pops, base, at(), k.w(INVALID));
        let popped = k.sel(given, nearest, k.sel(empty, k.w(END), node));
        (vec![popped], k.or(k.shli(k.shri(register, 18), 18), l.get(count)))
    }

    /// The stack of gfx12: what is popped, and the register.
    fn ring(&self, register: Word, offset: u32, pops: u8, c: Truth) -> (Vec<Word>, Word) {
        let (l, k) = (self.l, &self.k);
        let field = |low: u32, mask: u32| l.var(k.mask(k.shri(register, low), mask));
        let ring = Ring {
            turn: self,
            size: offset & 31,
            base: k.shli(k.mask(k.shri(register, 15), 0x3fff), 2),
            at: field(10, 31),
            above: field(5, 31),
            valid: field(0, 31),
            inside: field(29, 1),
            lost: field(30, 1),
            left: l.var(k.w(0)),
            c,
        };
        ring.push_all(offset >> 9 & 1 != 0);
        let node = ring.pop();
        let popped = if pops == 2 { ring.second(node, offset >> 8 & 1 != 0) } else { vec![node] };
        (popped, ring.register(register))
    }
}

/// The stack of gfx12 of a lane: how many words, and the fields of its register.
struct Ring<'t, 'a, 'b> {
    turn: &'t Turn<'a, 'b>,
    size: u32,
    base: Word,
    at: Id,
    above: Id,
    valid: Id,
    inside: Id,
    lost: Id,
    left: Id,
    /// The lane takes part.
    c: Truth,
}

impl Ring<'_, '_, '_> {
    fn register(&self, before: Word) -> Word {
        let (l, k) = (self.turn.l, &self.turn.k);
        let fields =
            [(self.valid, 0), (self.above, 5), (self.at, 10), (self.inside, 29), (self.lost, 30), (self.left, 31)];
        let base = k.mask(before, 0x3fff << 15);
        fields.into_iter().fold(base, |all, (field, low)| k.or(all, k.shli(l.get(field), low)))
    }

    fn is_zero(&self, field: Id) -> Truth {
        self.turn.k.eq(self.turn.l.get(field), self.turn.k.w(0))
    }

    fn push(&self, c: Truth, node: Word) {
        let (l, k) = (self.turn.l, &self.turn.k);
        let size = k.w(self.size);
        let full = k.eq(l.get(self.valid), size);
        l.put(self.lost, k.or(l.get(self.lost), k.bit(k.both(c, full))));
        if self.size == 0 {
            return;
        }
        self.turn.store(k.both(self.c, c), self.base, l.get(self.at), node);
        let next = k.add(l.get(self.at), k.w(1));
        l.put_if(c, self.at, k.sel(k.lt_u(next, size), next, k.w(0)));
        let same = k.negate(k.eq(l.get(self.above), size));
        l.put_if(c, self.inside, k.bit(k.both(self.turn.is(self.inside), same)));
        for count in [self.above, self.valid] {
            l.put_if(c, count, k.min_u(k.add(l.get(count), k.w(1)), size));
        }
    }

    fn below(&self) -> Word {
        let (l, k) = (self.turn.l, &self.turn.k);
        k.sel(self.is_zero(self.at), k.w(self.size.saturating_sub(1)), k.sub(l.get(self.at), k.w(1)))
    }

    /// One less, but not below zero.
    fn lower(&self, c: Truth, count: Id) {
        let (l, k) = (self.turn.l, &self.turn.k);
        l.put_if(k.both(c, k.negate(self.is_zero(count))), count, k.sub(l.get(count), k.w(1)));
    }

    fn pop(&self) -> Word {
        let (turn, l, k) = (self.turn, self.turn.l, &self.turn.k);
        let empty = self.is_zero(self.valid);
        let some = k.negate(empty);
        let leaves = k.both(some, k.both(self.is_zero(self.above), turn.is(self.inside)));
        l.put(self.left, k.bit(leaves));
        l.put_if(k.either(empty, leaves), self.inside, k.w(0));
        self.lower(some, self.above);
        self.lower(some, self.valid);
        l.put_if(some, self.at, self.below());
        let node = turn.load(k.both(self.c, some), self.base, l.get(self.at));
        let instance = k.both(some, k.eq(k.mask(node, 7), k.w(INSTANCE)));
        // Two trees are as much as it can tell apart: what belongs to a third is forgotten.
        let third = k.both(instance, turn.is(self.inside));
        l.put_if(third, self.valid, l.get(self.above));
        l.put_if(third, self.lost, k.w(1));
        l.put_if(instance, self.inside, k.w(1));
        l.put_if(instance, self.above, k.w(0));
        k.sel(some, node, k.sel(turn.is(self.lost), k.w(INVALID), k.w(END)))
    }

    /// Behind a node that was popped another one, if it is of the same tree.
    fn second(&self, node: Word, pairs: bool) -> Vec<Word> {
        let (turn, l, k) = (self.turn, self.turn.l, &self.turn.k);
        let pair = if pairs { k.eq(k.mask(node, 7), k.w(1)) } else { Truth::Known(false) };
        let leaves = k.both(self.is_zero(self.above), turn.is(self.inside));
        let there = k.negate(k.either(pair, k.either(leaves, self.is_zero(self.valid))));
        let at = self.below();
        let found = turn.load(k.both(self.c, there), self.base, at);
        let goes = k.both(there, k.negate(k.eq(k.mask(found, 7), k.w(INSTANCE))));
        l.put_if(goes, self.at, at);
        self.lower(goes, self.above);
        self.lower(goes, self.valid);
        let other = k.both(goes, k.negate(k.eq(found, k.w(INVALID))));
        let first = k.sel(pair, k.mask(node, !7), k.sel(other, found, node));
        vec![first, k.sel(k.either(pair, other), node, k.w(INVALID))]
    }

    /// Pushes nodes, the last first, up to the one visited. What stands for no node may say that those before it do not count.
    fn push_all(&self, ranges: bool) {
        let (turn, l, k) = (self.turn, self.turn.l, &self.turn.k);
        let visited = turn.visited;
        let none = |node: Word| k.eq(k.shri(node, 3), k.w(INVALID >> 3));
        let flag = |node: Word, bit: u32| k.nz(k.mask(node, bit));
        let back = k.negate(none(visited));
        let leaf = |node: Word| if ranges { k.negate(flag(node, 4)) } else { Truth::Known(false) };
        let matches = |node: Word| k.both(back, k.either(k.eq(node, visited), leaf(node)));
        let known = k.either(leaf(visited), turn.any(matches));
        let through = if ranges { k.negate(k.either(back, flag(visited, 4))) } else { Truth::Known(false) };
        // A range of triangles, the last of the nodes, is gone through: what was visited says how, or that it has ended.
        if let (true, Some(&node)) = (ranges, turn.nodes.last()) {
            let more = k.negate(k.either(flag(visited, 2), none(node)));
            let whole = k.add(k.mask(node, !15), k.w(16));
            // The kinds of pairs are 0 to 3 and 8 to 11.
            let third = k.eq(k.mask(node, 15), k.w(3));
            let one = k.sel(third, k.xor(node, k.w(3 ^ 8)), k.add(node, k.w(1)));
            self.push(k.both(through, more), k.sel(flag(visited, 1), whole, one));
        }
        let goes = l.var(k.bit(k.both(k.negate(through), k.either(k.negate(back), known))));
        // Of the lower four nodes, and of the upper ones.
        let skipped = [(); 2].map(|()| l.var(k.w(0)));
        for (n, &node) in turn.nodes.iter().enumerate().rev() {
            l.put(goes, k.bit(k.both(turn.is(goes), k.negate(matches(node)))));
            let counts = k.both(turn.is(goes), k.negate(turn.is(skipped[usize::from(n >= 4)])));
            let ends = k.both(counts, none(node));
            for (half, bit) in skipped.into_iter().zip([2, 4]) {
                l.put_if(k.both(ends, k.negate(flag(node, bit))), half, k.w(1));
            }
            self.push(k.both(counts, k.negate(none(node))), node);
        }
    }
}
