//! Short stacks of nodes in LDS, one a lane: what is still to be visited.
//!
//! A box node gives several nodes. The nearest is visited next, the others are pushed, the farthest first. A stack is short: what does not fit
//! any more overwrites what lies deepest, and a program that pops more than is left has to walk back by itself, from a node to the one
//! above. Then the node that it comes from, the last one visited, is among those that the node above gives: only those behind it are pushed.
//!
//! Words of a stack lie 32 words apart, so that 32 lanes have theirs side by side. Where it begins, and how much of it is in use, a register
//! says, differently on [gfx11](Short) and on [gfx12](Ring).

use super::{INSTANCE, INVALID};
use crate::fault::planted;

/// What a pop gives when the stack is empty and nothing was lost.
pub const END: u32 = 0xffff_fffe;

/// Bytes from a word of a stack to the next.
pub const STRIDE: u32 = 128;

/// The words of LDS.
pub trait Words {
    /// Reads one.
    fn get(&mut self, at: u32) -> u32;
    /// Writes one.
    fn set(&mut self, at: u32, word: u32);
}

fn word(base: u32, index: u32) -> u32 {
    base.wrapping_add(index * if planted!(StackOneByOne) { 4 } else { STRIDE })
}

/// The stack of gfx11: a base, and a count that goes round in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Short {
    base: u32,
    count: u32,
    /// The last index.
    last: u32,
}

/// Bits of the count.
pub const COUNT: u32 = 0x3_ffff;

impl Short {
    /// From the register, and bits 13:12 of the offset: 8, 16, 32 or 64 words.
    #[must_use]
    pub fn of(register: u32, offset: u32) -> Short {
        Short { base: register >> 18 << 2, count: register & COUNT, last: (8 << (offset >> 12 & 3)) - 1 }
    }

    /// The register.
    #[must_use]
    pub fn register(&self) -> u32 {
        self.base >> 2 << 18 | self.count
    }

    fn at(&self) -> u32 {
        word(self.base, self.count & self.last)
    }

    fn push(&mut self, node: u32, words: &mut impl Words) {
        words.set(self.at(), node);
        self.count = (self.count + 1).min(COUNT);
    }

    /// Pushes what is behind the last node visited, and gives the first of it; or pops.
    pub fn exchange(&mut self, visited: u32, nodes: &[u32; 4], words: &mut impl Words) -> u32 {
        let back = visited != INVALID && !planted!(StackLastIgnored);
        if !back || nodes.contains(&visited) {
            let order = if planted!(StackNearestFirst) { *nodes } else { [nodes[3], nodes[2], nodes[1], nodes[0]] };
            for (n, node) in order.into_iter().enumerate() {
                if back && node == visited {
                    break;
                }
                match n {
                    _ if node == INVALID => {}
                    3 => return node,
                    _ => self.push(node, words),
                }
            }
        }
        if self.count == 0 {
            return END;
        }
        self.count -= 1;
        let at = self.at();
        let node = words.get(at);
        if !planted!(StackPopKeeps) {
            words.set(at, INVALID);
        }
        node
    }
}

/// The stack of gfx12: a ring that knows what it has lost, and where a tree in a tree begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ring {
    size: u32,
    base: u32,
    at: u32,
    /// How many words lie above the instance.
    above: u32,
    /// How many words there are.
    valid: u32,
    /// An instance lies in it, with words of the tree around it below.
    inside: bool,
    /// Words were overwritten that were still to be popped.
    lost: bool,
    /// The last pop left the instance.
    left: bool,
    /// A pair of triangles that is popped comes as two.
    pairs: bool,
    /// Pointers to triangles are ranges of them, which are gone through one by one.
    ranges: bool,
}

/// What stands for no node has these upper bits; the others say more.
fn is_none(node: u32) -> bool {
    node >> 3 == INVALID >> 3
}

/// The next of a range of triangles: in the same node, or the first of the next one.
fn next_of_range(node: u32, behind: bool) -> u32 {
    match (behind, node & 15) {
        (true, _) => (node & !15).wrapping_add(16),
        // The kinds of pairs are 0 to 3 and 8 to 11.
        (false, 3) => node ^ 3 ^ 8,
        (false, _) => node.wrapping_add(1),
    }
}

impl Ring {
    /// From the register, and the offset: its bits 4:0 are how many words there are, bits 8 and 9 ask for pairs and ranges.
    #[must_use]
    pub fn of(register: u32, offset: u32) -> Ring {
        let bits = |low: u32, count: u32| register >> low & ((1 << count) - 1);
        let flag = |bit: u32| bits(bit, 1) != 0;
        Ring {
            size: offset & 31,
            base: bits(15, 14) << 2,
            at: bits(10, 5),
            above: bits(5, 5),
            valid: bits(0, 5),
            inside: flag(29),
            lost: flag(30),
            // For the next pop to say.
            left: false,
            pairs: offset >> 8 & 1 != 0,
            ranges: offset >> 9 & 1 != 0,
        }
    }

    /// The register.
    #[must_use]
    pub fn register(&self) -> u32 {
        let flags = [(self.left, 31), (self.lost, 30), (self.inside, 29)];
        let fields = self.base >> 2 << 15 | self.at << 10 | self.above << 5 | self.valid;
        flags.into_iter().fold(fields, |all, (is, bit)| all | u32::from(is) << bit)
    }

    fn push(&mut self, node: u32, words: &mut impl Words) {
        self.lost |= self.valid == self.size && !planted!(RingNothingLost);
        if self.size == 0 {
            return;
        }
        words.set(word(self.base, self.at), node);
        self.at = if self.at + 1 >= self.size { 0 } else { self.at + 1 };
        self.inside &= self.above != self.size;
        self.above = (self.above + 1).min(self.size);
        self.valid = (self.valid + 1).min(self.size);
    }

    fn below(&self) -> u32 {
        self.at.checked_sub(1).unwrap_or(self.size.saturating_sub(1))
    }

    fn pop(&mut self, words: &mut impl Words) -> u32 {
        if self.valid == 0 {
            (self.left, self.inside) = (false, false);
            return if self.lost { INVALID } else { END };
        }
        self.left = self.above == 0 && self.inside && !planted!(RingNeverLeaves);
        self.inside &= !self.left;
        self.above = self.above.saturating_sub(1);
        self.valid -= 1;
        self.at = self.below();
        let node = words.get(word(self.base, self.at));
        if node & 7 == INSTANCE {
            // Two trees are as much as it can tell apart: what belongs to a third is forgotten.
            if self.inside {
                self.valid = self.above;
                self.lost = true;
            }
            self.inside = true;
            self.above = 0;
        }
        node
    }

    /// Pops, but nothing that leads to another tree.
    fn pop_here(&mut self, words: &mut impl Words) -> u32 {
        if self.above == 0 && self.inside || self.valid == 0 {
            return INVALID;
        }
        let at = self.below();
        let node = words.get(word(self.base, at));
        if node & 7 == INSTANCE {
            return INVALID;
        }
        self.at = at;
        self.above = self.above.saturating_sub(1);
        self.valid -= 1;
        node
    }

    /// Pushes nodes, the last first, up to the one visited. What stands for no node may say that those before it do not count.
    fn push_all(&mut self, visited: u32, nodes: &[u32], words: &mut impl Words) {
        let (back, ranges) = (!is_none(visited), self.ranges);
        if ranges && !back && visited & 4 == 0 {
            // A range of triangles, the last of the nodes, is gone through: what was visited says how, or that it has ended.
            if let [.., node] = *nodes
                && visited & 2 == 0
                && !is_none(node)
            {
                let stays = planted!(RingRangeStays);
                self.push(if stays { node } else { next_of_range(node, visited & 1 != 0) }, words);
            }
            return;
        }
        let leaf = |node: u32| ranges && node & 7 <= 3;
        let matches = |node: u32| back && (node == visited || leaf(node));
        if back && !leaf(visited) && !nodes.iter().any(|node| matches(*node)) {
            return;
        }
        // Of the lower four nodes, and of the upper ones.
        let mut skipped = [false; 2];
        for (n, &node) in nodes.iter().enumerate().rev() {
            match node {
                _ if matches(node) => return,
                _ if skipped[usize::from(n >= 4)] => {}
                _ if is_none(node) => skipped = [skipped[0] || node & 2 == 0, skipped[1] || node & 4 == 0],
                _ => self.push(node, words),
            }
        }
    }

    /// Pushes nodes, and pops one.
    pub fn exchange(&mut self, visited: u32, nodes: &[u32], words: &mut impl Words) -> u32 {
        self.push_all(visited, nodes, words);
        self.pop(words)
    }

    /// Pushes nodes, and pops two, if the second is of the same tree; a single one is the first.
    pub fn exchange_two(&mut self, visited: u32, nodes: &[u32], words: &mut impl Words) -> [u32; 2] {
        self.push_all(visited, nodes, words);
        let node = self.pop(words);
        if self.pairs && node & 7 == 1 {
            return [node & !7, node];
        }
        match self.pop_here(words) {
            INVALID => [node, INVALID],
            other => [other, node],
        }
    }
}
