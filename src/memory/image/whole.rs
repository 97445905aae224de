//! A level of an image for many lanes at once: where their texels lie is what is [part](Whole::part) of each coordinate, put together.
//!
//! The functions do to every lane what [`Resource::at`] does to one. Offsets have 32 bits here: a level that needs more has no such way.
//! Nothing asks whether a texel exists but [`Whole::limits`], which says how many there are along each coordinate.

use super::tiling::{Columns, Level, Lookup, Place};
use super::{Mip, Resource};
use crate::each::{cells, each};
use std::cell::Cell;

/// A level of an image whose offsets have 32 bits.
#[derive(Clone, Copy)]
pub struct Whole<'r> {
    resource: &'r Resource,
    mip: &'r Mip,
    level: Level<'r>,
    extent: u32,
}

/// What coordinates of `L` lanes along one axis add to offsets: bytes of whole blocks, and the product with the matrix.
#[derive(Clone, Copy, Debug)]
pub struct Part<const L: usize> {
    blocks: [u32; L],
    bits: [u32; L],
}

impl<const L: usize> Default for Part<L> {
    fn default() -> Self {
        Part { blocks: [0; L], bits: [0; L] }
    }
}

/// Of slices and samples, what is XORed by the rotation of slices too.
#[derive(Clone, Copy, Debug)]
pub struct Slices<const L: usize> {
    part: Part<L>,
    turns: [u32; L],
}

impl<const L: usize> Default for Slices<L> {
    fn default() -> Self {
        Slices { part: Part::default(), turns: [0; L] }
    }
}

impl Resource {
    /// A level of the view, unless it is too large.
    #[inline(always)]
    #[must_use]
    pub fn whole(&self, level: u32) -> Option<Whole<'_>> {
        let mip = self.levels.get(level as usize)?;
        Some(Whole { resource: self, mip, level: self.layout.level(mip.level)?, extent: mip.extent? })
    }
}

impl Level<'_> {
    /// The bytes from the base in which all elements are, of so many along x and y, with z below another number; nothing where they are more
    /// than 32 bits count.
    pub(super) fn extent(&self, [width, height, depth]: [u32; 3], element: u32) -> Option<u32> {
        let Place { start, steps, split, block, log2, moved, constant, rotation } = self.place;
        let last = [(width - 1).checked_add(moved[0])?, (height - 1).checked_add(moved[1])?, depth.saturating_sub(1)];
        let mut end = *start;
        for ((last, block), step) in last.iter().zip(block).zip(steps) {
            end = end.checked_add(u64::from(last >> block).checked_mul(*step)?)?;
        }
        let Columns { x, y, z, sample } = self.columns;
        let splits = [&x[..], y, z, sample].into_iter().flatten().fold(0, |all, column| all | column) >> log2;
        end = end.checked_add(u64::from(splits).checked_mul(*split)?)?;
        let inside = u64::from(((1u32 << log2) - 1) | constant) | rotation.bits();
        u32::try_from(end.checked_add(inside)?.checked_add(element.into())?).ok()
    }
}

impl Whole<'_> {
    /// How many texels there are along x, y and z, and samples of each: coordinates below have one.
    #[inline(always)]
    #[must_use]
    pub fn limits(&self) -> [u32; 4] {
        let [width, height, depth] = self.mip.size;
        [width, height, self.resource.deep(depth), self.resource.samples]
    }

    /// Where the level is: what offsets are added to.
    #[inline(always)]
    #[must_use]
    pub fn base(&self) -> u64 {
        self.resource.base
    }

    /// Bytes from there in which all of its elements are.
    #[inline(always)]
    #[must_use]
    pub fn extent(&self) -> u32 {
        self.extent
    }

    /// What the first slice adds.
    #[inline(always)]
    #[must_use]
    pub fn first_slice(&self) -> &Slices<1> {
        &self.mip.first
    }

    /// What coordinates along x or y add.
    #[inline(always)]
    #[must_use]
    pub fn part<const L: usize>(&self, host: &impl Lookup, axis: usize, of: &[u32; L]) -> Part<L> {
        let Level { place, threes, .. } = self.level;
        let (tables, moved) = if axis == 0 { (&threes.x, place.moved[0]) } else { (&threes.y, place.moved[1]) };
        // Sides of blocks are powers of two.
        let block = self.resource.format.block().trailing_zeros();
        let mut of = each(
            of,
            #[inline(always)]
            |n| (n >> block).wrapping_add(moved),
        );
        let (blocks, mut bits) = (self.blocks(axis, &of), [0; L]);
        host.flip(&mut bits, tables, cells(&mut of));
        Part { blocks, bits }
    }

    /// Bytes of the whole blocks that are before coordinates.
    #[inline(always)]
    fn blocks<const L: usize>(&self, axis: usize, of: &[u32; L]) -> [u32; L] {
        let (block, step) = (self.level.place.block[axis], self.level.place.steps[axis] as u32);
        each(
            of,
            #[inline(always)]
            |n| (n >> block).wrapping_mul(step),
        )
    }

    /// Where the texels of the first slice lie, if all of them exist: what [parts](Whole::part) and [offsets](Whole::offsets) find out in turn.
    /// `None` also where the level shares its block with others, or tiles are split.
    #[inline(always)]
    #[must_use]
    pub fn plane<const L: usize>(&self, host: &impl Lookup, [x, y]: [&[Cell<u32>; L]; 2]) -> Option<[u32; L]> {
        let (Level { place, threes, .. }, slice) = (self.level, self.first_slice());
        if place.moved != [0; 2] || place.split != 0 || self.resource.format.block() != 1 {
            return None;
        }
        let ([width, height, ..], [along, across, _]) = (self.limits(), place.steps.map(|step| step as u32));
        let start = (place.start as u32).wrapping_add(slice.part.blocks[0]);
        let (mut all, mut outside) = ([slice.part.bits[0]; L], 0);
        let is_outside = |x, y| u32::from(x >= width) | u32::from(y >= height);
        if place.log2 == 0 {
            // Blocks have one element, and nothing inside.
            for (to, (x, y)) in all.iter_mut().zip(x.iter().zip(y)) {
                let (x, y) = (x.get(), y.get());
                outside |= is_outside(x, y);
                *to = start.wrapping_add(x.wrapping_mul(along)).wrapping_add(y.wrapping_mul(across));
            }
        } else {
            let (inside, turn) = ((1u32 << place.log2) - 1, place.constant ^ slice.turns[0]);
            let [wide, high, _] = place.block;
            host.flip(&mut all, &threes.x, x);
            host.flip(&mut all, &threes.y, y);
            for (to, (x, y)) in all.iter_mut().zip(x.iter().zip(y)) {
                let (x, y) = (x.get(), y.get());
                outside |= is_outside(x, y);
                let blocks = (x >> wide).wrapping_mul(along).wrapping_add((y >> high).wrapping_mul(across));
                *to = start.wrapping_add(blocks).wrapping_add(*to & inside ^ turn);
            }
        }
        (outside == 0).then_some(all)
    }

    /// What slices or layers and samples of them add: one for all, or one each.
    #[inline(always)]
    #[must_use]
    pub fn slices<const D: usize>(&self, of: &[u32; D], samples: Option<&[u32; D]>) -> Slices<D> {
        let Level { place, columns, .. } = self.level;
        let first = self.resource.layers.first;
        let of = each(
            of,
            #[inline(always)]
            |n| n.wrapping_add(first),
        );
        let mut turns = [0; D];
        if place.rotation.bits() != 0 {
            for (turn, n) in turns.iter_mut().zip(&of) {
                *turn = place.rotation.at(n >> place.block[2]);
            }
        }
        // Linear images have nothing inside their blocks.
        let bits = if place.log2 == 0 { [0; D] } else { Columns::along(&columns.z, &of) };
        let mut part = Part { blocks: self.blocks(2, &of), bits };
        if let Some(samples) = samples {
            for (bits, of) in part.bits.iter_mut().zip(Columns::along(&columns.sample, samples)) {
                *bits ^= of;
            }
        }
        Slices { part, turns }
    }

    /// Where elements lie, from the base. Where all are in one slice, one of it is enough.
    #[inline(always)]
    #[must_use]
    pub fn offsets<const L: usize, const D: usize>(&self, [x, y]: [&Part<L>; 2], z: &Slices<D>) -> [u32; L] {
        let place = self.level.place;
        let low = (1u32 << place.log2) - 1;
        let (start, constant) = (place.start as u32, place.constant);
        let mut all = [0; L];
        for (n, to) in all.iter_mut().enumerate() {
            let slice = if D == L { n } else { 0 };
            let bits = x.bits[n] ^ y.bits[n] ^ z.part.bits[slice];
            let blocks = x.blocks[n].wrapping_add(y.blocks[n]).wrapping_add(z.part.blocks[slice]);
            let inside = bits & low ^ constant ^ z.turns[slice];
            *to = start.wrapping_add(blocks).wrapping_add(inside);
        }
        if place.split != 0 {
            let split = place.split as u32;
            for (n, to) in all.iter_mut().enumerate() {
                let slice = if D == L { n } else { 0 };
                let bits = x.bits[n] ^ y.bits[n] ^ z.part.bits[slice];
                *to = to.wrapping_add((bits >> place.log2).wrapping_mul(split));
            }
        }
        all
    }
}
