//! The levels of gfx6 to gfx8.
//!
//! Level 0 comes first, each other level after the one before it, with all its slices. An image with levels is padded to powers of two.
//! Levels too small for macro tiles lie in simple ones, and on gfx6 levels too thin for thick tiles in thin ones.

use super::chips::{Chip, Generation};
use super::surface::{Surface, Unsupported};
use super::tiles::{Array, Macro, Tables, Tile};
use super::{Columns, Layout, Place, Rotation};
use crate::fault::planted;

/// The sides of a level in elements.
#[derive(Clone, Copy)]
struct Size {
    pitch: u64,
    height: u64,
    slices: u64,
}

/// The sides of a level before its mode pads them. `pitch` is that of level 0, in texels.
fn size(surface: &Surface, level: u32, pitch: u64) -> Size {
    let block = u64::from(surface.block);
    let extent = surface.extent();
    if level == 0 {
        let pad =
            |side: u64| if surface.pow2pad && !planted!(ImagePaddingIgnored) { side.next_power_of_two() } else { side };
        return Size { pitch: pad(extent.width), height: pad(extent.height), slices: pad(extent.depth) };
    }
    let side = |texels: u64| (texels >> level).max(1).div_ceil(block).next_power_of_two();
    let slices = if surface.volume { (extent.depth >> level).max(1) } else { extent.depth };
    Size { pitch: side(pitch), height: side(surface.height.into()), slices: slices.next_power_of_two() }
}

/// The array mode and thickness of a level below the first.
fn lower(chip: &Chip, tile: &Tile, size: Size, surface: &Surface, tables: &Tables) -> Tile {
    let mut tile = *tile;
    let thin = chip.generation == Generation::Gfx6;
    if thin && size.slices < tile.thickness.into() {
        tile.thickness = if size.slices >= 4 { 4 } else { 1 };
    }
    if matches!(tile.array, Array::Macro2d | Array::Macro3d) {
        let lies = tables.layout(&tile, surface.bytes, surface.samples);
        let fits = |m: &Macro| size.pitch >= 1 << m.block[0] && size.height >= 1 << m.block[1] && !m.small;
        if !lies.as_ref().is_some_and(fits) {
            tile.array = Array::Tiles;
            tile.thickness = tile.thickness.min(4);
        }
    }
    tile
}

/// Rows of linear levels are padded to 64 bytes, and levels to 256.
fn pad_linear(surface: &Surface, level: u32, mut size: Size) -> Size {
    let bytes = u64::from(surface.bytes);
    // 96 bits: pitches of 16 elements. A single level of texels gets rows of 256 bytes from drivers.
    let step = match (surface.bytes, surface.levels, surface.block) {
        (12, ..) => 16,
        (_, 1, 1) => (256 / bytes).max(8),
        _ => (64 / bytes).max(8),
    };
    let whole = (256 / bytes).max(64);
    if level > 0 || surface.pitch.is_none() {
        size.pitch = size.pitch.next_multiple_of(step);
        while !(size.pitch * size.height).is_multiple_of(whole) {
            size.pitch += step;
        }
    }
    size
}

/// Tiled levels are padded to whole blocks.
fn pad_tiled(surface: &Surface, lies: &Macro, mut size: Size) -> Size {
    let [width, height, depth] = lies.block.map(|n| 1u64 << n);
    let bytes = u64::from(surface.bytes);
    size = Size {
        pitch: size.pitch.next_multiple_of(width),
        height: size.height.next_multiple_of(height),
        slices: size.slices.next_multiple_of(depth),
    };
    if lies.array == Array::Tiles {
        while !(size.pitch * size.height * depth * bytes).is_multiple_of(256) {
            size.pitch += width;
        }
    }
    size
}

/// How the pipe and bank turn from slice to slice.
fn rotation(surface: &Surface, lies: &Macro) -> Rotation {
    let (pipes, banks) = (1 << lies.pipes, 1 << lies.banks);
    let (pipe_step, bank_step) = match lies.array {
        Array::Macro2d => (0, banks / 2 - 1),
        Array::Macro3d => ((pipes / 2u32).saturating_sub(1).max(1), 0),
        _ => return Rotation::default(),
    };
    Rotation {
        pipe: surface.swizzle & (pipes - 1),
        bank: surface.swizzle >> lies.pipes & (banks - 1),
        pipe_step,
        bank_step,
        pipes: lies.pipes,
        banks: lies.banks,
    }
}

/// The layout of an image.
pub(super) fn layout(surface: &Surface, chip: &Chip, tables: &Tables) -> Result<Layout, Unsupported> {
    let base = tables.tile(surface.mode).ok_or(Unsupported::TilingIndex(chip.name(), surface.mode))?;
    let bytes = u64::from(surface.bytes);
    let (mut matrices, mut levels, mut swizzle_bits) = (Vec::new(), Vec::new(), 0);
    let mut pitch = 0;
    let mut end = 0u64;
    for level in 0..surface.levels {
        let mut size = size(surface, level, pitch);
        if let (0, Some(given)) = (level, surface.pitch) {
            size.pitch = given.div_ceil(surface.block).into();
        }
        let tile = if level == 0 { *base } else { lower(chip, base, size, surface, tables) };
        let (mut place, columns) = if tile.array == Array::Linear {
            if surface.samples > 1 {
                return Err(surface.refused(chip));
            }
            size = pad_linear(surface, level, size);
            let row = size.pitch * bytes;
            (Place { steps: [bytes, row, row * size.height], ..Place::default() }, Columns::default())
        } else {
            let lies = tables.layout(&tile, surface.bytes, surface.samples).ok_or_else(|| surface.refused(chip))?;
            size = pad_tiled(surface, &lies, size);
            let rotation = rotation(surface, &lies);
            let block = 1 << lies.log2;
            let row = (size.pitch >> lies.block[0]) * block;
            let slice = row * (size.height >> lies.block[1]);
            if level == 0 {
                swizzle_bits = rotation.bits();
            }
            let place = Place {
                steps: [block, row, slice * u64::from(lies.splits)],
                split: slice,
                block: lies.block,
                log2: lies.log2,
                rotation,
                ..Place::default()
            };
            (place, lies.columns)
        };
        if level == 0 {
            pitch = size.pitch * u64::from(surface.block);
        }
        place.start = end.next_multiple_of((1u64 << place.log2).max(256));
        end = place.start + size.pitch * size.height * size.slices * bytes * u64::from(surface.samples);
        let index = matrices.iter().position(|c| *c == columns).unwrap_or_else(|| {
            matrices.push(columns);
            matrices.len() - 1
        });
        levels.push((place, index));
    }
    Ok(Layout::new(matrices, levels, swizzle_bits))
}
