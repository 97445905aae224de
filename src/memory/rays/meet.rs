//! What a pointer names, and what registers get of it.
//!
//! Four registers: of boxes the pointers that are hit, of a triangle distance, denominator and two coordinates (or its number and whether it is
//! hit). Instructions of two nodes and of eight have ten: four for each node or triangle, and two behind them.

use super::boxes::{Child, Visit, full, half};
use super::instance::Instance;
use super::packed::{self, Grid, Running};
use super::primitives::{Primitives, pair_of};
use super::triangle::{Meeting, Says, corners, meet};
use super::{BOXES32, Failed, Fetch, Flags, INSTANCE, INVALID, Ray, Tree, oriented, precise, register};
use crate::fault::planted;
use crate::isa::Gen;
use std::array::from_fn;

/// The first kind that has no triangles: four boxes of f16 or with short mantissas.
const BOXES: u32 = 4;
/// Kinds of `image_bvh8`: twice four boxes, one behind the other.
const BOXES32_TWICE: u32 = 2;
const PRECISE_TWICE: u32 = 3;

/// Four registers of nothing.
const NOTHING: [u32; 4] = [INVALID; 4];

/// Where a node lies, and what the pointer to it says.
#[derive(Clone, Copy, Debug)]
struct At {
    unit: u64,
    kind: u32,
    flags: Flags,
}

/// What an instruction gives, in as many registers as it has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Met {
    /// The registers.
    pub words: [u32; 10],
    /// The ray in the space of the instance, if that was met.
    pub moved: Option<Ray>,
}

impl Met {
    /// What is not there, or is no node for this instruction.
    pub const NOTHING: Met = Met { words: [INVALID; 10], moved: None };

    fn of(first: [u32; 4], second: [u32; 4], last: [u32; 2]) -> Met {
        let mut words = [INVALID; 10];
        words[..4].copy_from_slice(&first);
        words[4..8].copy_from_slice(&second);
        words[8..].copy_from_slice(&last);
        Met { words, moved: None }
    }

    /// The pointers of eight boxes.
    fn boxes(all: [u32; 8]) -> Met {
        Met { words: from_fn(|n| all.get(n).copied().unwrap_or(INVALID)), moved: None }
    }
}

impl Tree {
    fn flags(&self, pointer: u64) -> Flags {
        if self.flags { Flags::of(pointer) } else { Flags::empty() }
    }

    /// Holds a ray against a node. The pointer may have 32 bits or 64.
    ///
    /// # Errors
    /// Memory does not allow it.
    pub fn one(&self, memory: &mut impl Fetch, pointer: u64, ray: &Ray) -> Result<Met, Failed> {
        let place = if self.generation >= Gen::Gfx11 { pointer & ((1 << Flags::SHIFT) - 1) } else { pointer };
        let at = At { unit: place >> 3, kind: pointer as u32 & 7, flags: self.flags(pointer) };
        let (four, _) = self.node(memory, at, ray, 3)?;
        Ok(Met::of(four, NOTHING, [INVALID; 2]))
    }

    /// Where a node of a tree with its own pointer lies.
    fn at(&self, base: u64, pointer: u32) -> At {
        let unit = ((base & ((1 << Flags::SHIFT) - 1)) >> 3) + u64::from(pointer >> 3);
        At { unit, kind: pointer & 7, flags: self.flags(base) }
    }

    /// The registers of a node, and the number of a triangle's geometry.
    fn node(&self, memory: &mut impl Fetch, at: At, ray: &Ray, leaves: u32) -> Result<([u32; 4], u32), Failed> {
        if at.kind < BOXES {
            return self.triangle(memory, at, ray);
        }
        let visit = Visit { tree: self, ray, leaves };
        Ok((self.four(memory, at)?.map_or(NOTHING, |children| visit.boxes(&children)), INVALID))
    }

    /// The boxes of a node of four, without those that are culled.
    fn four(&self, memory: &mut impl Fetch, at: At) -> Result<Option<[Child; 4]>, Failed> {
        let children = match at.kind {
            BOXES if self.precise => self.fetch::<16>(memory, at.unit)?.map(|words| precise::boxes(&words)),
            BOXES => return Ok(self.fetch::<16>(memory, at.unit)?.map(|words| half(&words))),
            BOXES32 => self.fetch::<32>(memory, at.unit)?.map(|words| full(&words)),
            _ => None,
        };
        Ok(children.map(|children| seen(children, at.flags, u8::MAX)))
    }

    /// The boxes of two nodes of four; of what is not there, none.
    fn both(&self, memory: &mut impl Fetch, [a, b]: [At; 2]) -> Result<[Child; 8], Failed> {
        let [a, b] = [self.four(memory, a)?, self.four(memory, b)?].map(|four| four.unwrap_or([Child::NONE; 4]));
        Ok(from_fn(|n| if n < 4 { a[n] } else { b[n - 4] }))
    }

    fn triangle(&self, memory: &mut impl Fetch, at: At, ray: &Ray) -> Result<([u32; 4], u32), Failed> {
        let words = self.fetch::<16>(memory, at.unit)?;
        let (geometry, number) = words.map_or((INVALID, 0), |words| (words[14], words[15]));
        let byte = number >> (8 * at.kind);
        let newer = self.flags && self.generation >= Gen::Gfx12;
        let mut says = Says::of(byte);
        says.procedural &= newer;
        let met = match &words {
            None => Meeting::CULLED,
            Some(_) if says.procedural => Meeting::CULLED.judged(says, at.flags),
            Some(words) => {
                let met = meet(ray, corners(words, at.kind as usize)).turned(byte);
                if self.flags { met.judged(says, at.flags) } else { met }
            }
        };
        let [i, j] = match self.barycentrics {
            true if newer => met.signed(says, at.flags),
            true => [register(met.i), register(met.j)],
            false => [number, met.hit.into()],
        };
        Ok(([met.t.to_bits(), met.denominator.to_bits(), i, j], geometry))
    }

    /// Holds a ray against two nodes.
    ///
    /// # Errors
    /// Memory does not allow it.
    pub fn two(
        &self,
        memory: &mut impl Fetch,
        base: u64,
        pointers: [u32; 2],
        mask: u8,
        ray: &Ray,
    ) -> Result<Met, Failed> {
        self.pair(memory, pointers.map(|pointer| self.at(base, pointer)), mask, ray, 3)
    }

    fn pair(&self, memory: &mut impl Fetch, [a, b]: [At; 2], mask: u8, ray: &Ray, leaves: u32) -> Result<Met, Failed> {
        if a.kind == INSTANCE && self.instances {
            return match b.kind {
                // One at a time.
                INSTANCE => Ok(Met::NOTHING),
                _ => self.instance(memory, a, mask, ray),
            };
        }
        let are_boxes = |at: At| matches!(at.kind, BOXES | BOXES32);
        if self.wide && are_boxes(a) && are_boxes(b) {
            let children = self.both(memory, [a, b])?;
            return Ok(Met::boxes(Visit { tree: self, ray, leaves }.boxes(&children)));
        }
        let [first, second] = [self.node(memory, a, ray, leaves)?, self.node(memory, b, ray, leaves)?];
        Ok(Met::of(first.0, second.0, [first.1, second.1]))
    }

    /// Holds a ray against a node of eight boxes or of two triangles.
    ///
    /// # Errors
    /// Memory does not allow it, or what lies there cannot be followed.
    pub fn eight(&self, memory: &mut impl Fetch, base: u64, pointer: u32, mask: u8, ray: &Ray) -> Result<Met, Failed> {
        let at = self.at(base, pointer);
        if self.compressed {
            return match at.kind {
                kind if kind < BOXES => self.primitives(memory, self.at(base, pointer & !15), pair_of(pointer), ray),
                BOXES32 => self.quantised(memory, at, mask, ray),
                INSTANCE if self.instances => self.instance(memory, at, mask, ray),
                _ => Ok(Met::NOTHING),
            };
        }
        // Of these nodes only two kinds are triangles.
        let (kind, step) = match at.kind {
            BOXES32_TWICE => (BOXES32, 2),
            PRECISE_TWICE => (BOXES, 1),
            // The second of a pair comes with the first.
            1 => return self.pair(memory, [At { kind: 0, ..at }, at], mask, ray, 1),
            _ => return self.pair(memory, [at, At { kind: 7, ..at }], mask, ray, 1),
        };
        let both = [0, step].map(|step| At { unit: at.unit + step, kind, flags: at.flags });
        let children = Tree { precise: true, ..*self }.both(memory, both)?;
        Ok(Met::boxes(Visit { tree: self, ray, leaves: 1 }.eight(&children)))
    }

    fn quantised(&self, memory: &mut impl Fetch, at: At, mask: u8, ray: &Ray) -> Result<Met, Failed> {
        let Some(words) = self.fetch::<32>(memory, at.unit)? else {
            return Ok(Met::NOTHING);
        };
        let node = packed::node(&words);
        let turned = match node.turn {
            packed::UNTURNED => *ray,
            _ if planted!(RayTurnOfBoxesIgnored) => *ray,
            turn => oriented::turned(ray, turn)?,
        };
        let tree = Tree { sort: self.sort.filter(|_| !node.unsorted), ..*self };
        let visit = Visit { tree: &tree, ray: &turned, leaves: 3 };
        Ok(Met::boxes(visit.eight(&seen(node.children, at.flags, mask))))
    }

    fn primitives(&self, memory: &mut impl Fetch, at: At, pair: u32, ray: &Ray) -> Result<Met, Failed> {
        let Some(words) = self.fetch::<32>(memory, at.unit)? else {
            let missed = [f32::INFINITY.to_bits(), 0, 0, 0];
            return Ok(Met::of(missed, missed, [INVALID; 2]));
        };
        let node = Primitives::new(&words)?;
        let triangle = |second: bool| {
            let says = node.says(pair, second);
            let met = if says.procedural { Meeting::CULLED } else { meet(ray, node.corners(pair, second)) };
            let met = Meeting { i: met.i / met.denominator, j: met.j / met.denominator, ..met };
            let met = met.judged(says, at.flags);
            let [i, j] = met.signed(says, at.flags);
            let back = u32::from(met.denominator.is_sign_negative() && !says.procedural);
            [(met.t / met.denominator).to_bits(), i, j, node.primitive(pair, second) << 1 | back]
        };
        let second = match node.is_pair(pair) {
            true => triangle(true),
            false => [f32::INFINITY.to_bits(), 1f32.to_bits(), 1f32.to_bits(), 0],
        };
        let last = [false, true].map(|second| node.geometry(pair, second) << 2 | node.next(pair));
        Ok(Met::of(triangle(false), second, last))
    }

    fn instance(&self, memory: &mut impl Fetch, at: At, mask: u8, ray: &Ray) -> Result<Met, Failed> {
        let fetched = match self.compressed {
            true => self.fetch::<32>(memory, at.unit)?,
            false => self.fetch::<16>(memory, at.unit)?.map(|half| from_fn(|n| half.get(n).copied().unwrap_or(0))),
        };
        let Some(words) = fetched else { return Ok(Met::NOTHING) };
        let instance = Instance::of(&words);
        let moved = (!instance.culled(mask, at.flags)).then(|| instance.moved(ray));
        let next = match &moved {
            None => INVALID,
            Some(moved) if self.compressed => self.parts(&words, mask, moved),
            Some(_) => instance.root,
        };
        let pointer = instance.pointer(at.flags);
        let first = [INVALID, INVALID, pointer as u32, (pointer >> 32) as u32];
        Ok(Met { moved, ..Met::of(first, [INVALID, INVALID, instance.user(), next], [INVALID; 2]) })
    }

    /// The parts of an instance's tree whose boxes a ray meets: the low bytes of their pointers.
    fn parts(&self, words: &[u32; 32], mask: u8, ray: &Ray) -> u32 {
        let packed = words[19];
        let grid = Grid::of([words[16], words[17], words[18]], packed);
        let mut running = Running { boxes: 0, others: 0 };
        let mut children = [Child::NONE; 8];
        for (n, child) in children.iter_mut().take(1 + (packed >> 28 & 3) as usize).enumerate() {
            let three = [0, 1, 2].map(|m| words[20 + 3 * n + m]);
            *child = Child { pointer: running.next(three[2]), ..grid.child(three) };
        }
        let visit = Visit { tree: self, ray, leaves: 3 };
        let pointers = visit.eight(&seen(children, Flags::empty(), mask));
        pointers[..4].iter().rev().fold(0, |all, pointer| all << 8 | pointer & 0xff)
    }
}

/// Children without those that flags cull, and those that a mask does not see.
fn seen<const N: usize>(children: [Child; N], flags: Flags, mask: u8) -> [Child; N] {
    let mask = if planted!(RayMaskIgnored) { u8::MAX } else { mask };
    children.map(|child| match child.culled(flags) || child.mask & mask == 0 {
        true => Child { pointer: INVALID, ..child },
        false => child,
    })
}
