//! Rays: what lanes meet in nodes of a tree, and their stacks of nodes in LDS.
//!
//! Which node, how far the ray reaches, where it begins and where it goes, stand one behind the other in the address of an image instruction; the
//! descriptor of the [tree](Tree) in four scalar registers. With A16 a direction and its inverse share registers.

use super::Access;
use super::common::{Bytes as _, Done, File, Share, Trouble, finish, lanes};
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
use crate::memory::lds::{Lds, Rules};
use crate::memory::rays::meet::Met;
use crate::memory::rays::stack::{Options, Ring, Short, Words};
use crate::memory::rays::vector::{V3, v3};
use crate::memory::rays::{Failed, Fetch, Ray, Tree};
use crate::program::memory::image::{Bits, Image};

/// The function of an instruction that holds rays against nodes.
pub(super) fn run(does: Does) -> Option<Run> {
    Some(match does {
        Does::Ray(Against::One) => one,
        Does::Ray(Against::Two) => two,
        Does::Ray(Against::Eight) => eight,
        _ => return None,
    })
}

/// The function of a stack.
pub(super) fn stack(does: Does) -> Option<Run> {
    matches!(does, Does::Stack(_)).then_some(exchange)
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
        let tree = Tree::decode(&words, &wave.env.target).map_err(|reason| Trouble::Unsupported(reason.to_string()))?;
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

    /// The tree, who sees it, the ray. Of the direction there is no inverse here.
    fn inside(&self, lane: u32) -> (u64, u8, Ray) {
        let base = u64::from(self.word(0, lane)) | u64::from(self.word(1, lane)) << 32;
        let extent = f32::from_bits(self.word(2, lane));
        let (origin, direction) = (self.vector(4, lane), self.vector(7, lane));
        (base, self.word(3, lane) as u8, Ray { extent, origin, direction, inverse: [0.0; 3] })
    }

    /// What a lane meets.
    fn meet(&self, against: Against, memory: &mut impl Fetch, lane: u32) -> Result<Met, Failed> {
        match against {
            Against::One => {
                let (pointer, ray) = self.plain(lane);
                let four = self.tree.one(memory, pointer, &ray)?;
                Ok(Met { words: std::array::from_fn(|n| if n < 4 { four[n] } else { 0 }), moved: None })
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
                self.file.set(*register, 0, lane, x.to_bits());
            }
        }
        for (n, word) in (0..u32::from(self.access.components)).zip(met.words) {
            self.file.set(self.access.data, n, lane, word);
        }
    }
}

#[inline(always)]
fn with(wave: &mut Wave, step: &Step, group: &mut Group<'_>, against: Against) -> u32 {
    let Some((access, image)) = step.memory.as_deref().and_then(|access| Some((access, access.image.as_deref()?)))
    else {
        return step.next;
    };
    if wave.exec() == 0 {
        return step.next;
    }
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

fn one(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    with(wave, step, group, Against::One)
}

fn two(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    with(wave, step, group, Against::Two)
}

fn eight(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    with(wave, step, group, Against::Eight)
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
        self.load_narrow(at.into(), crate::isa::does::Item::Words(1)).unwrap_or(0)
    }

    fn set(&mut self, at: u32, word: u32) {
        // LDS never faults.
        let _ = self.store_words(at.into(), &[word]);
    }
}

/// The nodes of a lane, and what it visited last.
fn nodes(file: File<'_>, access: &Access, stack: Stack, lane: u32) -> (u32, [u32; 8]) {
    let node = |n: usize| if n < usize::from(stack.pushes) { file.get(access.data1, n as u32, lane) } else { 0 };
    (file.get(access.data, 0, lane), std::array::from_fn(node))
}

/// Pushes and pops for a lane: gives the nodes and the register of the stack.
fn turn(
    generation: Gen,
    register: u32,
    offset: u32,
    stack: Stack,
    (visited, nodes): (u32, [u32; 8]),
    words: &mut impl Words,
) -> ([u32; 2], u32) {
    let [a, b, c, d, ..] = nodes;
    if generation <= Gen::Gfx11 {
        let mut short = Short::of(register, offset);
        let node = short.exchange(visited, &[a, b, c, d], words);
        return ([node, 0], short.register());
    }
    let mut ring = Ring::of(register, offset);
    let (nodes, options) = (&nodes[..usize::from(stack.pushes)], Options::of(offset));
    let popped = match stack.pops {
        2 => ring.exchange_two(visited, nodes, options, words),
        _ => [ring.exchange(visited, nodes, options, words), 0],
    };
    (popped, ring.register())
}

fn exchange(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let (Some(access), Some(Does::Stack(stack))) = (step.memory.as_deref(), step.row.map(|row| row.does)) else {
        return step.next;
    };
    let done: Done = {
        let target = &wave.env.target;
        let rules = Rules::new(target, wave.m0(), group.lds.bytes());
        let mut share = Share { lds: &mut group.lds, rules };
        let file = File(&wave.file);
        lanes(wave.exec(), |lane| {
            let register = file.get(access.addr, 0, lane);
            let given = nodes(file, access, stack, lane);
            let (popped, next) = turn(target.generation(), register, access.offset as u32, stack, given, &mut share);
            if !planted!(StackRegisterStays) {
                file.set(access.addr, 0, lane, next);
            }
            for (n, node) in (0..stack.pops.into()).zip(popped) {
                file.set(access.dst, n, lane, node);
            }
            Ok::<(), Trouble>(())
        })
    };
    finish(wave, step, group, done)
}

/// LDS that is only looked at: what is written is kept aside.
struct Looked<'a> {
    lds: &'a Lds,
    rules: Rules,
    written: Vec<(u32, u32)>,
    seen: Vec<u32>,
}

impl Words for Looked<'_> {
    fn get(&mut self, at: u32) -> u32 {
        self.seen.push(at);
        let written = self.written.iter().rev().find(|(place, _)| *place == at);
        written.map_or_else(|| self.lds.load_u32(&self.rules, at), |(_, word)| *word)
    }

    fn set(&mut self, at: u32, word: u32) {
        self.seen.push(at);
        self.written.push((at, word));
    }
}

/// Where stacks go: the words that each lane pushes and pops.
pub(super) fn touched_stack(
    wave: &Wave,
    stack: Stack,
    access: &Access,
    group: &Group<'_>,
    put: &mut impl FnMut(Touched),
) {
    let target = &wave.env.target;
    let file = File(&wave.file);
    for lane in touched::active(wave) {
        let rules = Rules::new(target, wave.m0(), group.lds.bytes());
        let mut looked = Looked { lds: &group.lds, rules, written: Vec::new(), seen: Vec::new() };
        let register = file.get(access.addr, 0, lane);
        let given = nodes(file, access, stack, lane);
        turn(target.generation(), register, access.offset as u32, stack, given, &mut looked);
        looked.seen.sort_unstable();
        looked.seen.dedup();
        looked.seen.into_iter().for_each(|at| put(Touched::lds(Some(lane), at, 4)));
    }
}
