//! The stage on which singles run: registers, memory and LDS that make sense for an instruction.
//!
//! A single runs once for each of its inputs. Registers hold edge values of every type and values by chance, drawn from one [pool](POOL). EXEC takes
//! its patterns in turn: all lanes, one, every other, none. An instruction of memory gets two neighbouring regions of its own, scratch, and address
//! registers that lead there: now and then something unaligned, shared between lanes, over a border or out of range. Everything follows from
//! numbers: of the single, of its input, and the seed.

use super::Suite;
use super::draw::Single;
use super::single::Batch;
use crate::emu::kernel::STRIDE;
use crate::emu::launch;
use crate::emu::memory::{Access, Flags};
use crate::emu::plan::Program;
use crate::emu::run::Apertures;
use crate::emu::wave::{Wave, slot};
use crate::isa::row::Family;
use crate::isa::{Gen, Target, regs};
use crate::laws::Chance;
use crate::memory::guest::{MapError, Memory, Region};
use std::sync::LazyLock;

/// Bytes of LDS, where a suite has some.
pub const LDS: u32 = 1024;
/// Where the memory of the inputs begins, and how far that of one is from the next: an address register that nobody set does not lead there.
const DATA: u64 = 0x10_0000_1000;
const APART: u64 = 1 << 34;
/// The first of two neighbouring regions ends inside a word.
const FIRST: u64 = 2050;
const SECOND: u64 = 3000;
/// Scratch memory of an input, from the beginning of its memory: 64 lanes with 64 words.
const SCRATCH: u64 = 1 << 33;
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
    target: Target,
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
    /// Where LDS and scratch appear in the flat address space.
    pub apertures: Apertures,
}

impl<'u> Stage<'u> {
    /// A stage for some inputs of some singles.
    ///
    /// # Errors
    /// There are more inputs than guest memory has room for.
    pub fn new(batch: &'u Batch, places: Vec<Place>) -> Result<Stage<'u>, MapError> {
        let Batch { suite, target, lanes, seed, inputs, ref singles } = *batch;
        let vgprs = batch.vgprs();
        let mut memory = Memory::new();
        if matches!(suite, Suite::Memory) {
            for place in &places {
                let n = place.among(inputs);
                let kind = kind(singles, *place);
                let mut chance = Chance::new(seed ^ u64::from(kind));
                let base = first(n, kind);
                let mut map = |base: u64, len: u64| {
                    let bytes: Vec<u8> = (0..len).map(|_| chance.next_u64() as u8).collect();
                    memory.map_bytes(&format!("{base:x}"), base, &bytes, true)
                };
                map(base, FIRST)?;
                map(base + FIRST, SECOND)?;
                map(scratch(n), SCRATCH_BYTES)?;
            }
        }
        let apertures = launch::apertures(target.arch);
        Ok(Stage { suite, target, lanes, seed, singles, vgprs, inputs, places, memory, apertures })
    }

    /// Bytes of LDS of a group.
    #[must_use]
    pub fn lds(&self) -> u32 {
        if matches!(self.suite, Suite::Alu | Suite::Modes | Suite::Control | Suite::Matrix) { 0 } else { LDS }
    }

    /// The first contents of the LDS of a group.
    pub fn fill_lds(&self, group: u32, words: &mut [u32]) {
        let place = self.places.get(group as usize).copied().unwrap_or(Place { single: 0, input: 0 });
        let mut chance = Chance::new(self.seed ^ u64::from(kind(self.singles, place)) << 16);
        words.fill_with(|| chance.next_u64() as u32);
    }

    /// The memory of a group: names, which say nothing of the group, and regions.
    pub fn regions(&self, group: usize) -> impl Iterator<Item = (&'static str, &Region)> {
        let place = self.places.get(group).copied().unwrap_or(Place { single: 0, input: 0 });
        let number = place.among(self.inputs);
        let base = first(number, kind(self.singles, place));
        let all = [("memory", base), ("behind", base + FIRST), ("scratch", scratch(number))];
        all.into_iter().filter_map(|(name, base)| Some((name, self.memory.resolve(base, 1)?)))
    }

    /// Gives the wave of a group its registers. `starts` says where the singles begin in the program.
    pub fn set_up(&self, program: &Program, starts: &[u32], group: usize, wave: &mut Wave) {
        let Some(place) = self.places.get(group) else { return };
        let kind = kind(self.singles, *place);
        let generation = self.target.generation();
        let mut chance = Chance::new(self.seed ^ u64::from(kind) << 20);
        wave.pc = starts[place.single as usize];
        let from = chance.below(WORDS);
        let words = &POOL[from..];
        for (cells, words) in
            wave.file[..self.vgprs as usize * STRIDE].chunks_exact(STRIDE).zip(words.chunks_exact(STRIDE))
        {
            for (cell, word) in cells.iter().zip(words).take(self.lanes as usize) {
                cell.set(*word);
            }
        }
        let from = chance.below(WORDS);
        wave.s[..slot::SINK].copy_from_slice(&POOL[from..from + slot::SINK]);
        let m0 = usize::from(regs::m0_code(generation));
        wave.s[m0] = chance.below(8) as u32;
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
            wave.set_mode(any & 0xff | (any & 0x300) | (any >> 12 & 1) << 23);
        }
        if matches!(self.suite, Suite::Memory | Suite::Lds | Suite::Lanes) {
            self.set_up_access(program, starts, (group, kind), wave);
        }
    }

    fn set_up_access(&self, program: &Program, starts: &[u32], (group, kind): (usize, u32), wave: &mut Wave) {
        let step = &program.steps[starts[self.places[group].single as usize] as usize];
        let (Some(access), Some(family)) = (step.memory.as_deref(), step.family()) else { return };
        if kind % 3 != 1 {
            wave.set_exec(u64::MAX >> (64 - self.lanes));
        }
        wave.s[usize::from(regs::m0_code(self.target.generation()))] =
            [u32::MAX, 600, 64, 0x1_0010][(kind / 2 % 4) as usize];
        let number = self.places[group].among(self.inputs);
        let scratch = scratch(number);
        wave.scratch = scratch;
        match self.target.generation() {
            Gen::Gfx6 | Gen::Gfx7 => scalar(wave, 105, 0),
            Gen::Gfx8 => scalar(wave, 103, 0),
            Gen::Gfx9 => pair(wave, 102, scratch),
            _ => {}
        }
        let base = first(number, kind);
        // Atomics want aligned addresses.
        let base = if access.atomic.is_some() || kind.is_multiple_of(2) { (base + 7) & !7 } else { base };
        self.addresses(wave, access, family, base, kind);
    }

    /// Where a lane's data is, from the beginning of the group's memory.
    fn offset(kind: u32, lane: u32) -> u32 {
        match kind % 6 {
            0 => lane * 16,
            1 => lane * 17,
            2 => 64,
            3 => lane * 7 % 13 * 16,
            // Over the border of the regions.
            4 => 1650 + lane * 17,
            _ => lane * 24 + 8,
        }
    }

    fn addresses(&self, wave: &mut Wave, access: &Access, family: Family, base: u64, kind: u32) {
        let has = |flag| access.flags.contains(flag);
        let aligned = |v: u32| if access.atomic.is_some() { v & !7 } else { v };
        let offset = |lane: u32| aligned(Self::offset(kind, lane));
        let vector = |at: u32, n: u32, lane: u32, v: u32| {
            let register = at / 64 + n;
            if register < 256 {
                wave.set_vgpr(register as usize, lane as usize, v);
            }
        };
        let instruction = access.offset as u64;
        match family {
            Family::Ds => {
                for lane in 0..self.lanes {
                    let at = offset(lane).wrapping_sub(if kind.is_multiple_of(2) { access.offset as u32 } else { 0 });
                    vector(access.addr, 0, lane, at);
                }
            }
            Family::Flat | Family::Global => {
                let split = has(Flags::SADDR);
                for lane in 0..self.lanes {
                    let at = u64::from(offset(lane));
                    let whole = match (family, kind / 3 % 4, lane % 3) {
                        (Family::Flat, 1, 0) => self.apertures.shared + at % 1000,
                        (Family::Flat, 1, 1) | (Family::Flat, 2, _) => self.apertures.private + at % 200,
                        _ => base.wrapping_add(at).wrapping_sub(instruction),
                    };
                    let whole = if split { at } else { whole };
                    vector(access.addr, 0, lane, whole as u32);
                    if !split {
                        vector(access.addr, 1, lane, (whole >> 32) as u32);
                    }
                }
                if split {
                    pair(wave, access.base, base.wrapping_sub(instruction));
                }
            }
            Family::Scratch => {
                let register = if has(Flags::SADDR) { 4u32.wrapping_sub(access.offset as u32) } else { 0 };
                let own = if has(Flags::SADDR) { 0 } else { access.offset as u32 };
                for lane in 0..self.lanes {
                    vector(access.addr, 0, lane, (offset(lane) % 200).wrapping_sub(own));
                }
                if has(Flags::SADDR) {
                    scalar(wave, access.base, register);
                }
            }
            Family::Smem => {
                let name_is_buffer = access.base;
                scalar(wave, access.soffset, kind % 7 * 8);
                // A descriptor and a pointer are alike in their first two words.
                pair(wave, name_is_buffer, base);
                if (access.base as usize) + 4 <= 100 {
                    scalar(wave, access.base + 2, [2048, 64, 20][(kind % 3) as usize]);
                    scalar(wave, access.base + 3, 0x0002_4fac);
                }
            }
            _ => self.buffer(wave, access, base, kind),
        }
    }

    fn buffer(&self, wave: &mut Wave, access: &Access, base: u64, kind: u32) {
        let has = |flag| access.flags.contains(flag);
        let vector = |n: u32, lane: u32, v: u32| {
            let register = access.addr / 64 + n;
            if register < 256 {
                wave.set_vgpr(register as usize, lane as usize, v);
            }
        };
        let behind = u32::from(has(Flags::IDXEN));
        for lane in 0..self.lanes {
            let offset = Self::offset(kind, lane) & if access.atomic.is_some() { !7 } else { !0 };
            if has(Flags::ADDR64) {
                vector(0, lane, offset);
                vector(1, lane, 0);
                continue;
            }
            if has(Flags::IDXEN) {
                vector(0, lane, lane / (1 + kind % 3));
            }
            if has(Flags::OFFEN) {
                vector(behind, lane, if has(Flags::IDXEN) { offset % 24 } else { offset });
            }
        }
        scalar(wave, access.soffset, kind % 5 * 4);
        if access.base as usize + 4 > 100 {
            return;
        }
        let mut chance = Chance::new(u64::from(kind) + 5);
        let mut below = |n: usize| chance.below(n) as u32;
        let generation = self.target.generation();
        let stride = [0, 16, 4, 20][below(4) as usize];
        let swizzle = if below(4) == 0 { 1 << if generation >= Gen::Gfx11 { 30 } else { 31 } } else { 0 };
        let records = if stride == 0 { 1500 } else { 60 };
        let formats: &[u32] = match generation {
            Gen::Gfx10 => &[1, 2, 4, 6, 7, 13, 20, 22, 29, 36, 43, 44, 50, 56, 57, 61, 63, 64, 71, 74, 77],
            Gen::Gfx11 | Gen::Gfx12 => &[1, 2, 5, 7, 13, 20, 22, 29, 30, 36, 42, 43, 44, 48, 50, 56, 57, 60, 63],
            _ => &[],
        };
        let format = if formats.is_empty() {
            let (data, number) = (1 + below(14), [0, 1, 4, 5, 7][below(5) as usize]);
            number << 12 | data << 15
        } else {
            formats[below(formats.len()) as usize] << 12
        };
        let selects = [0xfac, 0xfac, 0x2c8 | 5 << 9, 0x3ac][below(4) as usize];
        let add_tid = if below(6) == 0 { 1 << 23 } else { 0 };
        let oob = if generation >= Gen::Gfx10 { below(4) << 28 } else { 0 };
        let index_stride = below(4) << 21;
        let element = if generation <= Gen::Gfx8 { below(4) << 19 } else { 0 };
        let high = (base >> 32) as u32 | stride << 16 | swizzle;
        let words = [base as u32, high, records, selects | format | add_tid | oob | index_stride | element];
        for (n, v) in (0..).zip(words) {
            scalar(wave, access.base + n, v);
        }
        // Where lanes may overlap in part, one lane alone: else who wins is left open.
        if swizzle != 0 || stride == 4 || add_tid != 0 {
            wave.set_exec(1 << (kind % 32));
        }
    }
}

/// The number that the inputs of a place follow from.
fn kind(singles: &[Single], place: Place) -> u32 {
    let number = singles.get(place.single as usize).map_or(0, |single| single.number);
    // Inputs of one single, and the first ones of neighbours, differ in all the ways that are counted through.
    number.wrapping_add(place.input.wrapping_mul(0x9e5))
}

/// Where the memory of a group begins: at any byte.
fn first(group: u64, kind: u32) -> u64 {
    DATA + group * APART + u64::from(kind / 2 % 4)
}

/// Where the scratch memory of a group begins.
fn scratch(group: u64) -> u64 {
    DATA + group * APART + SCRATCH
}

/// Writes a scalar register, if it is one.
fn scalar(wave: &mut Wave, at: u32, v: u32) {
    if (at as usize) < slot::VCC {
        wave.s[at as usize] = v;
    }
}

fn pair(wave: &mut Wave, at: u32, v: u64) {
    scalar(wave, at, v as u32);
    scalar(wave, at + 1, (v >> 32) as u32);
}
