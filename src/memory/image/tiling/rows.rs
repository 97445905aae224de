//! What a chip has of modes, as rows: for engines that lay images out by themselves, on a device.
//!
//! The rows are the data that [`Surface::layout`](super::Surface::layout) works with. How levels follow each other is not in them.

use super::chips::{Chip, Generation};
use super::gfx10::{moved, tail_entry, tail_levels, tail_sides, xors};
use super::tiles::Array;
use super::{Columns, gfx9};

/// A swizzle mode of gfx9 and later, for elements of some size.
#[derive(Clone, Debug)]
pub struct ModeRow {
    /// `SW_MODE`.
    pub mode: u32,
    /// For 2D and 1D images.
    pub flat: bool,
    /// For 3D images.
    pub volume: bool,
    /// Bytes of an element.
    pub bytes: u32,
    /// Samples of a texel.
    pub samples: u32,
    /// Width, height and depth of a block as powers of two.
    pub block: [u32; 3],
    /// Bytes of a block as a power of two.
    pub log2: u32,
    /// Bits of the base address are XORed to the offset in a block.
    pub xors: bool,
    /// Blocks have depth.
    pub thick: bool,
    /// The largest level that may share a block with smaller ones.
    pub tail: [u32; 3],
    /// So many levels do so at most; none where there is no tail.
    pub tail_levels: u32,
    /// How far the n-th level from the end of a tail is moved, on gfx10 and later; on gfx9 what is XORed to the offsets of the n-th one.
    pub tail_places: [[u32; 2]; TAIL_PLACES],
    /// The matrix.
    pub columns: Columns,
}

/// Places in a tail that can be asked for.
pub const TAIL_PLACES: usize = 16;

/// A tile mode of gfx6 to gfx8, for elements of some size: `GB_TILE_MODE`, as it is or as lower levels have it.
#[derive(Clone, Copy, Debug)]
pub struct TileRow {
    /// How tiles are arranged: 0 linear, 1 one behind the other, 2 and 3 macro tiles of 2D and 3D modes, 4 partly resident ones.
    pub array: u32,
    /// Slices in a tile.
    pub thickness: u32,
    /// Width, height and depth of a block as powers of two.
    pub block: [u32; 3],
    /// Bytes of a block as a power of two.
    pub log2: u32,
    /// Slices the parts of a deep tile lie in.
    pub splits: u32,
    /// Bits of the pipe.
    pub pipes: u32,
    /// Bits of the bank.
    pub banks: u32,
    /// Too little for the pipes and banks: levels below the first are then 1D.
    pub small: bool,
    /// The matrix.
    pub columns: Columns,
}

fn number(array: Array) -> u32 {
    match array {
        Array::Linear => 0,
        Array::Tiles => 1,
        Array::Macro2d => 2,
        Array::Macro3d => 3,
        Array::Resident => 4,
    }
}

impl Chip {
    /// The swizzle modes of gfx9 and later.
    #[must_use]
    pub fn mode_rows(&self) -> Vec<ModeRow> {
        let row = |mode: &super::modes::Mode| {
            let sides = tail_sides(mode).map(|side| side as u32);
            let [wide, high] = tail_entry(self, mode).map(|side| side as u32);
            let before = self.generation == Generation::Gfx9;
            let entry = |n: usize| gfx9::TAIL.get((n + 20).wrapping_sub(mode.log2 as usize)).map_or(0, |at| at << 8);
            ModeRow {
                mode: mode.number,
                flat: mode.flat,
                volume: mode.volume,
                bytes: mode.bytes,
                samples: mode.samples,
                block: mode.block,
                log2: mode.log2,
                xors: if before { mode.xors() } else { xors(self, mode) },
                thick: mode.thick(),
                tail: if before { sides } else { [wide, high, sides[2]] },
                tail_levels: if mode.log2 <= 8 { 0 } else { tail_levels(mode) },
                tail_places: std::array::from_fn(|n| match before {
                    true => [entry(n), 0],
                    false if mode.log2 <= 8 => [0, 0],
                    false => moved(mode, n as u32),
                }),
                columns: mode.columns,
            }
        };
        self.modes().iter().map(row).collect()
    }

    /// Entry `index` of the tile table of gfx6 to gfx8, and what it amounts to for elements of so many bytes and samples. `thickness`: as a
    /// level has it that is too thin for its tiles; `simple`: as one that is too small for macro tiles. Nothing where there is no such entry;
    /// no row where elements of that kind cannot lie so.
    #[must_use]
    pub fn tile_row(
        &self,
        index: u32,
        (bytes, samples): (u32, u32),
        thickness: Option<u32>,
        simple: bool,
    ) -> Option<(u32, u32, Option<TileRow>)> {
        let tables = self.tables()?;
        let base = tables.tile(index)?;
        let tile = base.lower(thickness.unwrap_or(base.thickness), simple);
        let row = tables.layout(&tile, bytes, samples).map(|lies| TileRow {
            array: number(tile.array),
            thickness: tile.thickness,
            block: lies.block,
            log2: lies.log2,
            splits: lies.splits,
            pipes: lies.pipes,
            banks: lies.banks,
            small: lies.small,
            columns: lies.columns,
        });
        Some((number(base.array), base.thickness, row))
    }
}
