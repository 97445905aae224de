//! Rays: what lanes meet in nodes of a tree, and their stacks of nodes in LDS.
//!
//! Which node, how far the ray reaches, where it begins and where it goes, stand one behind the other in the address of an image instruction; the
//! descriptor of the [tree](Tree) in four scalar registers. With A16 a direction and its inverse share registers.

use super::Access;
use super::common::{Done, File, Share, Trouble, finish, lanes};
use super::touched::{self, Touched};
use crate::emu::group::Group;
use crate::emu::plan::{Run, Step};
use crate::emu::wave::Wave;
use crate::fault::planted;
use crate::isa::Gen;
use crate::isa::does::{Does, Ray as Against, Stack};
use crate::isa::image::Address;
use crate::memory::format::f16_value;
use crate::memory::guest::{Fault, View};
use crate::memory::lds::Rules;
use crate::memory::rays::meet::Met;
use crate::memory::rays::stack::{Ring, Short, Words};
use crate::memory::rays::vector::{V3, inverse, v3};
use crate::memory::rays::{self, Failed, Fetch, Ray, Tree};
use crate::program::memory::image::{Bits, Image};
use std::collections::BTreeSet;

/// The function of an instruction that holds rays against nodes, or of a stack.
pub(super) fn run(does: Does) -> Option<Run> {
    Some(match does {
        Does::Ray(_) => meet,
        Does::Stack(_) => exchange,
        _ => return None,
    })
}

impl From<Failed> for Trouble {
    fn from(failed: Failed) -> Trouble {
        match failed {
            Failed::Fault(fault) => Trouble::Fault(fault),
            Failed::Unsupported(reason) => Trouble::Unsupported(reason.to_string()),
        }
    }
}

/// The rays of a wave.
struct Rays<'a> {
    access: &'a Access,
    image: &'a Image,
    file: File<'a>,
    tree: Tree,
}

impl<'a> Rays<'a> {
    fn new(wave: &'a Wave, access: &'a Access, image: &'a Image) -> Result<Rays<'a>, Trouble> {
        let words = std::array::from_fn(|n| wave.s[access.base as usize + n]);
        let tree = Tree::decode(&words, &wave.env.target).map_err(Failed::from)?;
        Ok(Rays { access, image, file: File(&wave.file), tree })
    }

    /// A word of the address.
    fn word(&self, n: usize, lane: u32) -> u32 {
        self.image.registers.get(n).map_or(0, |register| self.file.get(*register, 0, lane))
    }

    fn vector(&self, first: usize, lane: u32) -> V3 {
        v3([0, 1, 2].map(|n| self.word(first + n, lane)))
    }

    /// A direction and its inverse, with 16 bits each.
    fn halves(&self, first: usize, lane: u32) -> [V3; 2] {
        let words = [0, 1, 2].map(|n| self.word(first + n, lane));
        let halves = words.map(|word| [word, word >> 16].map(f16_value));
        // On gfx10 one component behind the other, later a register for each.
        let [a, b] = match self.tree.generation {
            Gen::Gfx10 => {
                let all: [f32; 6] = std::array::from_fn(|n| halves[n / 2][n % 2]);
                [[all[0], all[1], all[2]], [all[3], all[4], all[5]]]
            }
            _ => [halves.map(|half| half[1]), halves.map(|half| half[0])],
        };
        if planted!(RayHalvesSwapped) { [b, a] } else { [a, b] }
    }

    /// A pointer of 32 or 64 bits, and the ray behind it.
    fn plain(&self, lane: u32) -> (u64, Ray) {
        let wide = self.image.parts.contains(Address::NODE64);
        let upper = if wide { self.word(1, lane) } else { 0 };
        let pointer = u64::from(self.word(0, lane)) | u64::from(upper) << 32;
        let at = 1 + usize::from(wide);
        let [direction, inverse] = match self.image.has(Bits::A16) {
            true => self.halves(at + 4, lane),
            false => [self.vector(at + 4, lane), self.vector(at + 7, lane)],
        };
        let extent = f32::from_bits(self.word(at, lane));
        (pointer, Ray { extent, origin: self.vector(at + 1, lane), direction, inverse })
    }

    /// The tree, who sees it, the ray. Its inverse is not among the registers.
    fn inside(&self, lane: u32) -> (u64, u8, Ray) {
        let base = u64::from(self.word(0, lane)) | u64::from(self.word(1, lane)) << 32;
        let extent = f32::from_bits(self.word(2, lane));
        let (origin, direction) = (self.vector(4, lane), self.vector(7, lane));
        (base, self.word(3, lane) as u8, Ray { extent, origin, direction, inverse: inverse(direction) })
    }

    /// What a lane meets.
    fn meet(&self, against: Against, memory: &mut impl Fetch, lane: u32) -> Result<Met, Failed> {
        match against {
            Against::One => {
                let (pointer, ray) = self.plain(lane);
                self.tree.one(memory, pointer, &ray)
            }
            Against::Two => {
                let (base, mask, ray) = self.inside(lane);
                self.tree.two(memory, base, [self.word(10, lane), self.word(11, lane)], mask, &ray)
            }
            Against::Eight => {
                let (base, mask, ray) = self.inside(lane);
                self.tree.eight(memory, base, self.word(10, lane), mask, &ray)
            }
        }
    }

    fn put(&self, lane: u32, met: &Met) {
        if let Some(Ray { origin, direction, .. }) = met.moved.filter(|_| !planted!(RayNotWritten)) {
            for (register, x) in self.image.moved_ray().iter().zip(origin.into_iter().chain(direction)) {
                self.file.set(*register, 0, lane, rays::register(x));
            }
        }
        for (n, word) in (0..u32::from(self.access.components)).zip(met.words) {
            self.file.set(self.access.data, n, lane, word);
        }
    }
}

fn meet(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let (Some(access), Some(Does::Ray(against))) = (step.memory.as_deref(), step.row.map(|row| row.does)) else {
        return step.next;
    };
    let Some(image) = access.image.as_deref().filter(|_| wave.exec() != 0) else { return step.next };
    let done = match Rays::new(wave, access, image) {
        Ok(rays) => {
            let mut view = group.memory.view();
            lanes(wave.exec(), |lane| {
                let met = rays.meet(against, &mut view, lane)?;
                rays.put(lane, &met);
                Ok::<(), Failed>(())
            })
        }
        Err(trouble) => Err((trouble, wave.exec().trailing_zeros())),
    };
    finish(wave, step, group, done)
}

/// Memory that notes what is read of it.
struct Noted<'a, 'm, P: FnMut(u64, u32)> {
    view: &'a mut View<'m>,
    put: P,
}

impl<P: FnMut(u64, u32)> Fetch for Noted<'_, '_, P> {
    fn words(&mut self, address: u64, out: &mut [u32]) -> Result<(), Fault> {
        (self.put)(address, 4 * out.len() as u32);
        self.view.words(address, out)
    }
}

/// Where rays go: the nodes of each lane.
pub(super) fn touched(
    wave: &Wave,
    against: Against,
    access: &Access,
    group: &Group<'_>,
    put: &mut impl FnMut(Touched),
) {
    let Some(image) = access.image.as_deref() else { return };
    let Ok(rays) = Rays::new(wave, access, image) else { return };
    let mut view = group.memory.view();
    for lane in touched::active(wave) {
        let note = |address, bytes| put(Touched::memory(Some(lane), address, bytes));
        // What cannot be met was noted up to there.
        let _ = rays.meet(against, &mut Noted { view: &mut view, put: note }, lane);
    }
}

impl Words for Share<'_> {
    fn get(&mut self, at: u32) -> u32 {
        self.lds.load_u32(&self.rules, at)
    }

    fn set(&mut self, at: u32, word: u32) {
        self.lds.store_u32(&self.rules, at, word);
    }
}

/// The stacks of a wave.
struct Stacks<'a> {
    access: &'a Access,
    stack: Stack,
    generation: Gen,
    file: File<'a>,
}

impl<'a> Stacks<'a> {
    fn new(wave: &'a Wave, access: &'a Access, stack: Stack) -> Stacks<'a> {
        Stacks { access, stack, generation: wave.env.target.generation(), file: File(&wave.file) }
    }

    /// Pushes and pops for a lane: gives the nodes and the register of the stack.
    fn turn(&self, lane: u32, words: &mut impl Words) -> ([u32; 2], u32) {
        let (access, offset) = (self.access, self.access.offset as u32);
        let [register, visited] = [access.addr, access.data].map(|at| self.file.get(at, 0, lane));
        let pushes = usize::from(self.stack.pushes);
        let nodes: [u32; 8] =
            std::array::from_fn(|n| if n < pushes { self.file.get(access.data1, n as u32, lane) } else { 0 });
        if self.generation <= Gen::Gfx11 {
            let mut short = Short::of(register, offset);
            let node = short.exchange(visited, &[nodes[0], nodes[1], nodes[2], nodes[3]], words);
            return ([node, 0], short.register());
        }
        let mut ring = Ring::of(register, offset);
        let nodes = &nodes[..pushes];
        let popped = match self.stack.pops {
            2 => ring.exchange_two(visited, nodes, words),
            _ => [ring.exchange(visited, nodes, words), 0],
        };
        (popped, ring.register())
    }

    fn put(&self, lane: u32, (popped, register): ([u32; 2], u32)) {
        if !planted!(StackRegisterStays) {
            self.file.set(self.access.addr, 0, lane, register);
        }
        for (n, node) in (0..self.stack.pops.into()).zip(popped) {
            self.file.set(self.access.dst, n, lane, node);
        }
    }
}

fn exchange(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let (Some(access), Some(Does::Stack(stack))) = (step.memory.as_deref(), step.row.map(|row| row.does)) else {
        return step.next;
    };
    let done: Done = {
        let rules = Rules::new(&wave.env.target, wave.m0(), group.lds.bytes());
        let mut share = Share { lds: &mut group.lds, rules };
        let stacks = Stacks::new(wave, access, stack);
        lanes(wave.exec(), |lane| {
            stacks.put(lane, stacks.turn(lane, &mut share));
            Ok::<(), Trouble>(())
        })
    };
    finish(wave, step, group, done)
}

/// LDS that notes which words are asked for.
struct Seen<'a> {
    share: Share<'a>,
    places: BTreeSet<u32>,
}

impl Words for Seen<'_> {
    fn get(&mut self, at: u32) -> u32 {
        self.places.insert(at);
        self.share.get(at)
    }

    fn set(&mut self, at: u32, word: u32) {
        self.places.insert(at);
        self.share.set(at, word);
    }
}

/// Where stacks go: the words that each lane pushes and pops, on a copy of LDS.
pub(super) fn touched_stack(
    wave: &Wave,
    stack: Stack,
    access: &Access,
    group: &Group<'_>,
    put: &mut impl FnMut(Touched),
) {
    let mut copy = group.lds.clone();
    let rules = Rules::new(&wave.env.target, wave.m0(), copy.bytes());
    let mut seen = Seen { share: Share { lds: &mut copy, rules }, places: BTreeSet::new() };
    let stacks = Stacks::new(wave, access, stack);
    for lane in touched::active(wave) {
        stacks.turn(lane, &mut seen);
        std::mem::take(&mut seen.places).into_iter().for_each(|at| put(Touched::lds(Some(lane), at, 4)));
    }
}
