//! The stage on which singles run: registers, memory and LDS that make sense for an instruction.
//!
//! A single runs once for each of its inputs. Registers hold edge values of every type and random values, drawn from one [pool](POOL). EXEC takes
//! its patterns in turn: all lanes, one, every other, none. An instruction of memory gets two neighbouring regions of its own, scratch, and address
//! registers that lead there: now and then something unaligned, shared between lanes, over a border or out of range. Everything follows from
//! numbers: of the single, of its input, and the seed.

use super::Suite;
use super::addresses::Addresses;
use super::draw::Single;
use super::images;
use super::rays;
use super::single::{Batch, FEW, Ready};
use crate::engine::across;
use crate::engine::ground::Ground;
use crate::engine::registers::Registers;
use crate::engine::registers::STRIDE;
use crate::isa::does::Does;
use crate::isa::memory::is_buffer;
use crate::isa::row::Family;
use crate::isa::{Gen, Target, regs};
use crate::laws::Chance;
use crate::memory::guest::{MapError, Memory, Region};
use crate::program::place::{file, slot};
use crate::program::{Flags, Program};
use std::sync::LazyLock;

/// Bytes of LDS, where a suite has some.
pub const LDS: u32 = 1024;
/// Which way of drawing inputs this is: one more with every change, so that recordings made before are known for what they are.
pub const INPUTS: u64 = 4;
/// Where the memory of the inputs begins on its ground: an address register that nobody set does not lead there.
const DATA: u64 = 0x1000;
/// The first of two neighbouring regions ends inside a word.
const FIRST: u64 = 2050;
const SECOND: u64 = 3000;
/// Scratch memory of an input: 64 lanes with 64 words.
const SCRATCH_BYTES: u64 = 64 * 256;

/// Words that are edges of one type or another.
#[rustfmt::skip]
pub const EDGES: &[u32] = &[
    0, 1, 2, 3, 31, 32, 33, 63, 64, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x1_0000, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, u32::MAX,
    0x0000_0001, 0x007f_ffff, 0x0080_0000, 0x3f80_0000, 0xbf80_0000, 0x4000_0000, 0x7f7f_ffff, 0xff7f_ffff, 0x7f80_0000, 0xff80_0000,
    0x7f80_0001, 0x7fc0_0001, 0xffc1_2345, 0x8000_0000, 0x3eaa_aaab, 0x4049_0fdb, 0x3f00_0000, 0x4f00_0000, 0xcf00_0000, 0x4f80_0000,
    0x3c00_3c00, 0x7c00_fc00, 0x7e01_7c01, 0x0001_03ff, 0x8001_0400, 0x7bff_fbff, 0x3555_4248,
    0x3ff0_0000, 0xbff0_0000, 0x7ff0_0000, 0xfff8_0000, 0x7ff4_0000, 0x000f_ffff, 0x0010_0000, 0x7fef_ffff, 0x41df_ffff, 0x4340_0000,
];

/// How many words the pool has: no multiple of what a register has, so that the same word meets others.
const WORDS: usize = 65_537;

/// Words that registers are filled from: three of four are edges.
static POOL: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let mut chance = Chance::new(0x57a6e);
    let mut word = || {
        let any = chance.next_u64();
        if any.is_multiple_of(4) { (any >> 32) as u32 } else { EDGES[(any >> 32) as usize % EDGES.len()] }
    };
    // Twice as many, so that a file of registers can begin anywhere.
    let half: Vec<u32> = (0..WORDS).map(|_| word()).collect();
    [half.clone(), half].concat()
});

/// One input of one single.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// Which of the unit's singles.
    pub single: u32,
    /// Which of its inputs.
    pub input: u32,
}

impl Place {
    /// Its number among all of a unit: where its memory lies depends on nothing else.
    #[must_use]
    pub fn among(self, inputs: u32) -> u64 {
        u64::from(self.single) * u64::from(inputs) + u64::from(self.input)
    }
}

/// What singles run on.
pub struct Stage<'u> {
    suite: Suite,
    /// The processor.
    pub target: Target,
    lanes: u32,
    seed: u64,
    singles: &'u [Single],
    /// How many vector registers are filled; the others are zero.
    pub vgprs: u32,
    inputs: u32,
    /// Which input runs in which group.
    pub places: Vec<Place>,
    /// Guest memory; nothing in it where no instruction wants any.
    pub memory: Memory,
    /// Where memory lies.
    pub ground: Ground,
    variant: Variant,
}

/// How inputs are changed, to see what an instruction does with them.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// The lanes that may be active.
    pub only: u64,
    /// What holds complements.
    pub inverted: Inverted,
}

/// Which memories hold the complements of what they usually hold.
#[derive(Clone, Copy, Debug, Default)]
pub struct Inverted {
    /// Guest memory.
    pub guest: bool,
    /// LDS.
    pub lds: bool,
}

/// What is added to the bits of a memory.
fn flip(inverted: bool) -> u64 {
    if inverted { u64::MAX } else { 0 }
}

impl Default for Variant {
    fn default() -> Variant {
        Variant { only: u64::MAX, inverted: Inverted::default() }
    }
}

impl<'u> Stage<'u> {
    /// A stage for some inputs of some singles.
    ///
    /// # Errors
    /// There are more inputs than guest memory has room for.
    pub fn new(ready: &Ready<'u>, places: Vec<Place>, variant: Variant) -> Result<Stage<'u>, MapError> {
        let Batch { suite, target, lanes, seed, inputs, ref singles } = *ready.batch;
        let vgprs = ready.program.vgprs;
        let mut memory = Memory::new();
        let flip = flip(variant.inverted.guest);
        if matches!(suite, Suite::Memory | Suite::Image) {
            for place in &places {
                let n = place.among(inputs);
                let kind = kind(singles, *place);
                let mut chance = Chance::new(seed ^ u64::from(kind));
                let base = first(&ready.ground, n, kind);
                if is_of_rays(&ready.program, &ready.starts, *place) {
                    let nodes = rays::nodes(target.generation());
                    memory.map_bytes("nodes", texels(&ready.ground, n), &nodes, true)?;
                    continue;
                }
                let mut map = |base: u64, len: u64| {
                    let words = (0..len.div_ceil(8)).flat_map(|_| (chance.next_u64() ^ flip).to_le_bytes());
                    let bytes: Vec<u8> = words.take(len as usize).collect();
                    memory.map_bytes(&format!("{base:x}"), base, &bytes, true)
                };
                if suite == Suite::Image {
                    map(texels(&ready.ground, n), images::BYTES)?;
                    continue;
                }
                map(base, FIRST)?;
                map(base + FIRST, SECOND)?;
                map(scratch(&ready.ground, n), SCRATCH_BYTES)?;
            }
        }
        if ready.program.across {
            let mut chance = Chance::new(seed ^ 0x9d5);
            let bytes: Vec<u8> = (0..LDS / 8).flat_map(|_| (chance.next_u64() ^ flip).to_le_bytes()).collect();
            memory.map_bytes(across::BUFFER, ready.ground.first, &bytes, true)?;
        }
        let ground = ready.ground;
        Ok(Stage { suite, target, lanes, seed, singles, vgprs, inputs, places, memory, ground, variant })
    }

    /// How many accumulation registers are filled.
    #[must_use]
    pub fn agprs(&self) -> u32 {
        if self.target.generation() == Gen::Gfx9 && self.vgprs > FEW { 256 } else { 0 }
    }

    /// Bytes of LDS of a group.
    #[must_use]
    pub fn lds(&self) -> u32 {
        if matches!(self.suite, Suite::Alu | Suite::Modes | Suite::Control | Suite::Matrix | Suite::Image) {
            0
        } else {
            LDS
        }
    }

    /// The first contents of the LDS of a group.
    pub fn fill_lds(&self, group: u32, words: &mut [u32]) {
        let place = self.places.get(group as usize).copied().unwrap_or(Place { single: 0, input: 0 });
        let mut chance = Chance::new(self.seed ^ u64::from(kind(self.singles, place)) << 16);
        let ((kept, set), flip) = (tamed(self.suite, kind(self.singles, place)), flip(self.variant.inverted.lds));
        words.fill_with(|| (chance.next_u64() ^ flip) as u32 & kept | set);
    }

    /// The memory of a group: names, which say nothing of the group, and regions.
    pub fn regions(&self, group: usize) -> impl Iterator<Item = (&'static str, &Region)> {
        let place = self.places.get(group).copied().unwrap_or(Place { single: 0, input: 0 });
        let number = place.among(self.inputs);
        let base = first(&self.ground, number, kind(self.singles, place));
        let base = if self.suite == Suite::Image { texels(&self.ground, number) } else { base };
        let all = [("memory", base), ("behind", base + FIRST), ("scratch", scratch(&self.ground, number))];
        let global = self.memory.find(across::BUFFER).map(|region| (across::BUFFER, region));
        all.into_iter().filter_map(|(name, base)| Some((name, self.memory.region_at(base)?))).chain(global)
    }

    /// Gives the wave of a group its registers. `starts` says where the singles begin in the program.
    pub fn set_up(&self, program: &Program, starts: &[u32], group: usize, wave: &mut Registers) {
        let Some(place) = self.places.get(group) else { return };
        let kind = kind(self.singles, *place);
        let generation = self.target.generation();
        let mut chance = Chance::new(self.seed ^ u64::from(kind) << 20);
        wave.pc = starts[place.single as usize];
        let from = chance.below(WORDS);
        let words = &POOL[from..];
        let (kept, set) = tamed(self.suite, kind);
        let registers = (0..self.vgprs).chain((file::AGPR..).take(self.agprs() as usize));
        for (n, words) in registers.zip(words.chunks_exact(STRIDE)) {
            let cells = &wave.file[n as usize * STRIDE..][..self.lanes as usize];
            for (cell, word) in cells.iter().zip(words) {
                cell.set(word & kept | set);
            }
        }
        let from = chance.below(WORDS);
        wave.s[..slot::SINK].copy_from_slice(&POOL[from..from + slot::SINK]);
        let m0 = usize::from(regs::m0_code(generation));
        wave.s[m0] = chance.below(8) as u32;
        if self.suite == Suite::Export {
            // Where parameters begin, and where primitives do.
            wave.s[m0] =
                [0, 0x1_0000, 0x5555_0080, 0x7fff_0000, 0x0003_0044, u32::MAX, 4, 0x0400_0200][kind as usize % 8];
        }
        if let Some(null) = regs::null_code(generation) {
            wave.s[usize::from(null)] = 0;
        }
        wave.scc = chance.below(2) == 1;
        let all = u64::MAX >> (64 - self.lanes);
        let any = chance.next_u64();
        wave.set_exec(
            [u64::MAX, any, 0xaaaa_5555_aaaa_5555, 1, u64::MAX, any & all >> 7, 1 << (self.lanes - 1), 0]
                [kind as usize % 8]
                & all,
        );
        if self.suite == Suite::Modes {
            // Rounding and denormals, IEEE and clamp, FP16_OVFL.
            let any = chance.next_u64() as u32;
            wave.mode = any & 0xff | (any & 0x300) | (any >> 12 & 1) << 23;
        }
        if matches!(self.suite, Suite::Memory | Suite::Lds | Suite::Lanes | Suite::Image) {
            self.set_up_access(program, starts, (group, kind), wave);
        }
        wave.set_exec(wave.exec() & self.variant.only);
    }

    fn set_up_access(&self, program: &Program, starts: &[u32], (group, kind): (usize, u32), wave: &mut Registers) {
        let step = &program.steps[starts[self.places[group].single as usize] as usize];
        let (Some(access), Some(family)) = (step.memory.as_deref(), step.family()) else { return };
        if kind % 3 != 1 {
            wave.set_exec(u64::MAX >> (64 - self.lanes));
        }
        wave.s[usize::from(regs::m0_code(self.target.generation()))] = match access.has(Flags::GDS) {
            // A base and a size.
            true => [LDS, 0x0040_0200, 0x0010_0040, 0x03f0_ffff][(kind / 2 % 4) as usize],
            false => [u32::MAX, 600, 64, 0x1_0010][(kind / 2 % 4) as usize],
        };
        let number = self.places[group].among(self.inputs);
        if let (Suite::Image, Some(row)) = (self.suite, step.row) {
            let texels = texels(&self.ground, number);
            return match row.does {
                Does::Ray(_) => rays::put(wave, access, self.lanes, texels, kind),
                _ => images::put(wave, row, access, self.lanes, texels, kind),
            };
        }
        if let Some(Does::Stack(stack)) = step.row.map(|row| row.does) {
            // One lane's alone: there is no room for more.
            let (lane, mut chance) = (kind % self.lanes, Chance::new(u64::from(kind) << 8 | 77));
            let base = (kind % 4 != 3).then(|| chance.below(LDS as usize / 4) as u32 * 4);
            rays::put_stack(wave, (access, stack), lane, base, &mut chance);
            return wave.set_exec(1 << lane);
        }
        let addresses = Addresses {
            target: self.target,
            lanes: self.lanes,
            apertures: self.ground.apertures,
            flat_scratch: self.ground.flat_scratch,
        };
        let mut base = first(&self.ground, number, kind);
        if family == Family::Smem && step.row.is_some_and(is_buffer) {
            // Above the address a descriptor has other things.
            base &= (1 << 48) - 1;
        }
        addresses.put(wave, (access, family), (base, scratch(&self.ground, number)), kind);
    }
}

/// Which bits of the words that registers are filled from are kept, and which are set. Of the edges so many are infinite or no numbers that hardly a
/// matrix product of floats would be a number; so of four inputs three are finite in every format, two of them of one order of magnitude.
fn tamed(suite: Suite, kind: u32) -> (u32, u32) {
    match kind % 4 {
        _ if !matches!(suite, Suite::Matrix | Suite::Export) => (u32::MAX, 0),
        0 => (u32::MAX, 0),
        1 => (0xbfbf_bfbf, 0),
        _ => (0xbfbf_bfbf, 0x3838_3838),
    }
}

/// The number that the inputs of a place follow from.
fn kind(singles: &[Single], place: Place) -> u32 {
    let number = singles.get(place.single as usize).map_or(0, |single| single.number);
    // Inputs of one single, and the first ones of neighbours, differ in all the ways that are counted through.
    number.wrapping_add(place.input.wrapping_mul(0x9e5))
}

/// Whether a place is of an instruction that holds rays against nodes.
fn is_of_rays(program: &Program, starts: &[u32], place: Place) -> bool {
    let row = starts.get(place.single as usize).and_then(|start| program.steps.get(*start as usize)?.row);
    row.is_some_and(|row| matches!(row.does, Does::Ray(_)))
}

/// Where the memory of a group begins: at any byte.
fn first(ground: &Ground, group: u64, kind: u32) -> u64 {
    ground.first + DATA + group * ground.apart + u64::from(kind / 2 % 4)
}

/// Where the texels of a group begin.
fn texels(ground: &Ground, group: u64) -> u64 {
    (ground.first + group * ground.apart).next_multiple_of(images::BYTES) + images::BYTES
}

/// Where the scratch memory of a group begins.
fn scratch(ground: &Ground, group: u64) -> u64 {
    ground.first + DATA + group * ground.apart + ground.scratch
}
