//! The levels of gfx9.
//!
//! All levels share one pitch: they lie beside each other in one rectangle of blocks, the *chain*, as wide as level 0 and half as high
//! again, or the other way round. Level 1 lies beside level 0, level 2 beside level 1, and so on by turns. The smallest levels share one
//! block, the *mip tail*, at the place the walk had come to.

use super::chips::Chip;
use super::gfx10::{check_linear, mode, swizzle_bits, tail_sides};
use super::modes::Mode;
use super::surface::{Extent, Surface, Unsupported};
use super::{Columns, Layout, Place};

/// Where the levels of a tail begin, in units of 256 bytes: the first entry is that of the first level in a block of 1 MB.
pub(super) const TAIL: [u32; 16] = [2048, 1024, 512, 256, 128, 64, 32, 16, 8, 6, 5, 4, 3, 2, 1, 0];

/// The layout of an image.
pub(super) fn layout(surface: &Surface, chip: &Chip) -> Result<Layout, Unsupported> {
    if surface.mode == 0 {
        return linear(surface, chip);
    }
    let mode = mode(surface, chip)?;
    if mode.log2 <= 8 && surface.levels > 1 {
        // Such blocks have no tail, and nothing is known of chains without one.
        return Err(Unsupported::Field("256 byte blocks and level count", surface.levels));
    }
    Ok(tiled(surface, mode))
}

/// One row pitch for all levels, largest first. With levels, the pitch of the descriptor is the sum of the rows, which is known.
fn linear(surface: &Surface, chip: &Chip) -> Result<Layout, Unsupported> {
    check_linear(surface, chip)?;
    let extent = surface.extent();
    let bytes = u64::from(surface.bytes);
    let row = match surface.pitch {
        // Of texels of 96 bits the pitch counts words: drivers take what is computed.
        Some(pitch) if surface.levels == 1 && bytes != 12 => u64::from(pitch) * bytes,
        _ => (extent.width * bytes).next_multiple_of(256),
    };
    let starts = |level: u32| (0..level).map(|l| extent.level(l).height).sum::<u64>() * row;
    let slice = starts(surface.levels);
    let place = |level| (Place { start: starts(level), steps: [bytes, row, slice], ..Place::default() }, 0);
    Ok(Layout::new(vec![Columns::default()], (0..surface.levels).map(place).collect(), 0))
}

/// Along which side the chain grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Major {
    X,
    Y,
    Z,
}

/// The chain of an image: its sides in blocks, and for each level where it lies and which level of the tail it is.
struct Chain {
    major: Major,
    pitch: u64,
    height: u64,
    levels: Vec<([u64; 3], Option<u32>)>,
}

/// The first level that is in the tail, or the number of levels. Sides are padded to blocks before they are halved.
fn first_in_tail(surface: &Surface, mode: &Mode) -> u32 {
    let Extent { width, height, depth } = surface.extent();
    let [w, h, d] = mode.block.map(|n| 1u64 << n);
    let most = tail_sides(mode);
    let mut sides = [width, height, depth];
    for level in 0..surface.levels {
        if sides[0] <= most[0] && sides[1] <= most[1] && (!mode.thick() || sides[2] <= most[2]) {
            return level;
        }
        sides = [sides[0].next_multiple_of(w) / 2, sides[1].next_multiple_of(h) / 2, sides[2].next_multiple_of(d) / 2];
    }
    surface.levels
}

/// A level of so many blocks is the last before the tail.
fn before_tail(mode: &Mode, [a, b, c]: [u64; 3]) -> bool {
    match (mode.thick(), mode.log2 % 3) {
        (false, _) => a == 1 && b <= 2,
        (true, 0) => a <= 2 && b == 1 && c <= 2,
        (true, 1) => a == 1 && b <= 2 && c <= 2,
        (true, _) => a <= 2 && b <= 2 && c == 1,
    }
}

/// Lays out the levels of an image with several.
fn chain(surface: &Surface, mode: &Mode) -> Chain {
    let Extent { width, height, depth } = surface.extent();
    let blocks = |side: u64, n: usize| side.div_ceil(1 << mode.block[n]);
    let [w, h, d] = [blocks(width, 0), blocks(height, 1), blocks(depth, 2)];
    let first = first_in_tail(surface, mode);
    let major = match (mode.thick(), w < h) {
        (false, true) => Major::Y,
        (false, false) => Major::X,
        (true, true) if h >= d => Major::Y,
        (true, false) if w >= d => Major::X,
        _ => Major::Z,
    };
    if first == 0 {
        return Chain { major, pitch: w, height: h, levels: (0..surface.levels).map(|l| ([0; 3], Some(l))).collect() };
    }
    let ending = first.min(surface.levels - 1);
    let beside = |side: u64| side + if side.div_ceil(2) == 1 && ending > 2 { 2 } else { side.div_ceil(2) };
    let (pitch, high) = if major == Major::Y { (beside(w), h) } else { (w, beside(h)) };

    let mut at = [0; 3];
    let mut size = [w, h, d];
    let mut levels = vec![(at, None)];
    for level in 1..surface.levels {
        let along = match (major, matches!(level, 1 | 3)) {
            (Major::Y, true) => 0,
            (_, true) => 1,
            (Major::X, false) => 0,
            (Major::Y, false) => 1,
            (Major::Z, false) => 2,
        };
        at[along] += size[along];
        if before_tail(mode, size) {
            levels.extend((level..surface.levels).map(|l| (at, Some(l - level))));
            break;
        }
        levels.push((at, None));
        size = size.map(|s| s.div_ceil(2));
    }
    Chain { major, pitch, height: high, levels }
}

/// Blocks in a chain.
fn tiled(surface: &Surface, mode: &Mode) -> Layout {
    let extent = surface.extent();
    let block = 1u64 << mode.log2;
    let blocks = |side: u64, n: usize| side.div_ceil(1 << mode.block[n]);
    let mut chain = if surface.levels > 1 {
        chain(surface, mode)
    } else {
        Chain {
            major: Major::Y,
            pitch: blocks(extent.width, 0),
            height: blocks(extent.height, 1),
            levels: vec![([0; 3], None)],
        }
    };
    // The descriptor has the side of the chain that levels make longer.
    match (surface.pitch.map(u64::from), chain.major) {
        (Some(pitch), Major::Y) => chain.pitch = blocks(pitch, 0),
        (Some(pitch), Major::X | Major::Z) => chain.height = blocks(pitch, 1),
        (None, _) => {}
    }
    let swizzle_bits = if mode.xors() { swizzle_bits(mode.log2) } else { 0 };
    let constant = (u64::from(surface.swizzle) << 8 & swizzle_bits) as u32;
    let row = chain.pitch * block;
    let slice = row * chain.height;
    let place = |&(at, tail): &([u64; 3], Option<u32>)| {
        let [x, y, z] = at;
        let entry = tail.and_then(|n| TAIL.get((n + 20 - mode.log2) as usize)).map_or(0, |&t| t << 8);
        let place = Place {
            start: z * slice + y * row + x * block,
            steps: [block, row, slice],
            block: mode.block,
            log2: mode.log2,
            constant: constant ^ entry,
            ..Place::default()
        };
        (place, 0)
    };
    let levels = chain.levels.iter().map(place).collect();
    Layout::new(vec![mode.columns], levels, swizzle_bits)
}
