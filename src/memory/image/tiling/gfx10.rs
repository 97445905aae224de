//! The levels of gfx10, gfx11 and gfx12.
//!
//! Levels lie from small to large, each with a pitch of its own. The smallest, from the first that fits into about half a block, share
//! one block, the *mip tail*, which comes first. All levels of a slice (of as many slices as a block is deep) come before the next slice.

use super::chips::{Chip, Generation};
use super::modes::Mode;
use super::surface::{Extent, Surface, Unsupported};
use super::{Columns, Layout, Place};
use crate::fault::planted;

/// The mode of an image.
pub(super) fn mode<'a>(surface: &Surface, chip: &'a Chip) -> Result<&'a Mode, Unsupported> {
    let mut of = chip.modes().iter().filter(|m| m.number == surface.mode).peekable();
    if of.peek().is_none() {
        return Err(Unsupported::SwizzleMode(chip.name(), surface.mode));
    }
    let serves = |m: &&Mode| {
        (if surface.volume { m.volume } else { m.flat }) && m.bytes == surface.bytes && m.samples == surface.samples
    };
    of.find(serves).ok_or_else(|| surface.refused(chip))
}

/// Bits of the base address that are inside a block. Drivers use those below bit 16 only.
pub(super) fn swizzle_bits(log2: u32) -> u64 {
    ((1 << log2) - 1) & !0xff
}

/// A linear image has one sample. Its elements may have 12 bytes too: rows are counted in bytes.
pub(super) fn check_linear(surface: &Surface, chip: &Chip) -> Result<(), Unsupported> {
    if surface.samples == 1 { Ok(()) } else { Err(surface.refused(chip)) }
}

/// The layout of an image.
pub(super) fn layout(surface: &Surface, chip: &Chip) -> Result<Layout, Unsupported> {
    if surface.mode == 0 { linear(surface, chip) } else { Ok(tiled(surface, chip, mode(surface, chip)?)) }
}

/// Rows of 256 bytes, levels from small to large. gfx12 has rows of 128 bytes in levels that are as large as if they had 256.
fn linear(surface: &Surface, chip: &Chip) -> Result<Layout, Unsupported> {
    check_linear(surface, chip)?;
    let extent = surface.extent();
    let bytes = u64::from(surface.bytes);
    let row = if chip.generation == Generation::Gfx12 { 128 } else { 256 };
    let pitch = surface
        .pitch
        .map(u64::from)
        .filter(|&p| chip.generation >= Generation::Gfx10_3 && !surface.volume && p > extent.width);
    if surface.levels > 1
        && let Some(pitch) = pitch
    {
        return Err(Unsupported::Field("linear levels and pitch", pitch as u32));
    }
    let mut end = 0;
    let mut places = Vec::new();
    let largest_first = planted!(ImageLevelsFromLargest);
    for n in (0..surface.levels).rev() {
        let level = if largest_first { surface.levels - 1 - n } else { n };
        let Extent { width, height, .. } = extent.level(level);
        let step = pitch.map_or((width * bytes).next_multiple_of(row), |p| p * bytes);
        places.push(Place { start: end, steps: [bytes, step, 0], ..Place::default() });
        end += step.next_multiple_of(256) * height;
    }
    if !largest_first {
        places.reverse();
    }
    let levels = places.into_iter().map(|p| (Place { steps: [p.steps[0], p.steps[1], end], ..p }, 0)).collect();
    Ok(Layout::new(vec![Columns::default()], levels, 0))
}

/// Levels a tail can hold at most.
pub(super) fn tail_levels(mode: &Mode) -> u32 {
    let e = if mode.thick() { mode.log2 - (mode.log2 - 8) / 3 } else { mode.log2 };
    if e <= 11 { 1 + (1 << (e - 9)) } else { e - 4 }
}

/// The largest level a tail holds: half a block. Of thick blocks it is a side by turns; halved depth is not asked for on gfx10 and later.
pub(super) fn tail_sides(mode: &Mode) -> [u64; 3] {
    let mut log2 = mode.block;
    let side = match (mode.thick(), mode.log2 % 3) {
        (false, _) | (true, 1) => 0,
        (true, 0) => 1,
        (true, _) => 2,
    };
    log2[side] = log2[side].saturating_sub(1);
    log2.map(|n| 1 << n)
}

/// The largest level that enters the tail.
pub(super) fn tail_entry(chip: &Chip, mode: &Mode) -> [u64; 2] {
    let [width, height, _] = tail_sides(mode);
    // Stencil enters the tail with the depth it belongs to. navi10 alone does not do so.
    let together = mode.depth() && chip.generation < Generation::Gfx12 && chip.generation != Generation::Gfx10;
    match mode.bytes {
        1 if together => [width / 2, height / 2],
        2 if together => [width / 2, height],
        _ => [width, height],
    }
}

/// Whether bits of the base address are XORed to the offset in a block. gfx12 modes have no XOR in their names; those of more than 256
/// bytes take it.
pub(super) fn xors(chip: &Chip, mode: &Mode) -> bool {
    if chip.generation == Generation::Gfx12 { mode.log2 > 8 } else { mode.xors() }
}

/// The first level that is in the tail, or the number of levels.
fn first_in_tail(surface: &Surface, chip: &Chip, mode: &Mode) -> u32 {
    if mode.log2 <= 8 || surface.levels == 1 {
        return surface.levels;
    }
    let [width, height] = tail_entry(chip, mode);
    let fits = |&level: &u32| {
        let e = surface.extent().level(level);
        e.width <= width && e.height <= height && surface.levels - level <= tail_levels(mode)
    };
    (0..surface.levels).find(fits).unwrap_or(surface.levels)
}

/// How far the n-th level from the end of a tail is moved along x and y.
pub(super) fn moved(mode: &Mode, n: u32) -> [u32; 2] {
    let offset = if n > 6 { 16u32.checked_shl(n).unwrap_or(0) } else { n << 8 };
    // Offsets of 256 bytes and more interleave y and x.
    let every_other = |from: u32| (0..6).fold(0, |all, b| all | (offset >> (from + 2 * b) & 1) << b);
    let (mut x, mut y) = (every_other(9), every_other(8));
    if mode.log2 % 2 == 1 {
        (x, y) = (y, x);
        if mode.bytes.ilog2() % 2 == 1 {
            (x, y) = (x >> 1, y << 1 | x & 1);
        }
    }
    // The 256 bytes of a micro block.
    let [wide, high] = match (mode.thick(), mode.bytes.ilog2()) {
        (false, n) => [4 - n / 2, 4 - n.div_ceil(2)],
        (true, 0) => [3, 2],
        (true, 1 | 2) => [2, 2],
        (true, 3) => [2, 1],
        (true, _) => [1, 1],
    };
    [x << wide, y << high]
}

/// Blocks, the tail first.
fn tiled(surface: &Surface, chip: &Chip, mode: &Mode) -> Layout {
    let extent = surface.extent();
    let block = 1u64 << mode.log2;
    let first = first_in_tail(surface, chip, mode);
    let swizzle_bits = if xors(chip, mode) { swizzle_bits(mode.log2) } else { 0 };
    let constant = u64::from(surface.swizzle) << 8 & swizzle_bits;
    let common = Place {
        steps: [block, block, 0],
        block: mode.block,
        log2: mode.log2,
        constant: constant as u32,
        ..Place::default()
    };
    let mut end = if first < surface.levels { block } else { 0 };
    let mut places: Vec<Place> = Vec::new();
    for level in (0..first).rev() {
        let Extent { width, height, .. } = extent.level(level);
        let (columns, rows) = (width.div_ceil(1 << mode.block[0]), height.div_ceil(1 << mode.block[1]));
        places.push(Place { start: end, steps: [block, columns * block, 0], ..common });
        end += columns * rows * block;
    }
    places.reverse();
    places.extend((first..surface.levels).map(|level| {
        let n = (tail_levels(mode) - 1).saturating_sub(level - first);
        Place { moved: if planted!(ImageTailInPlace) { [0, 0] } else { moved(mode, n) }, ..common }
    }));
    places.iter_mut().for_each(|p| p.steps[2] = end);
    let levels = places.into_iter().map(|p| (p, 0)).collect();
    Layout::new(vec![mode.columns], levels, swizzle_bits)
}
