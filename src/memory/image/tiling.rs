//! Where a texel of an image lies in memory, from gfx6 to gfx12, linear and tiled.
//!
//! An image is levels, a level is slices (layers, or the depth of a 3D image), and a slice is *blocks* in rows. Inside a block the bits
//! of the coordinates are interleaved, and in most modes XORed, so that neighbours lie close and what lies apart is spread over the
//! channels of the memory. All modes come to one form, worked out once for an image ([`Surface::layout`]):
//!
//! ```text
//! offset = start + (x >> bx) * steps[0] + (y >> by) * steps[1] + (z >> bz) * steps[2]
//!        + ((M(x, y, z, sample) mod block bytes) ^ constant)
//! ```
//!
//! `M` is a matrix over bits ([`Columns`]). Coordinates are those of the level, in elements: texels, or the blocks of a block-compressed
//! format. Linear images are the same with blocks of one element and nothing inside. Three refinements are no exceptions to it:
//!
//! - levels in a *mip tail* share one block: their coordinates are moved first (`moved`, gfx10 and later), or `constant` has bits of the
//!   level (gfx9);
//! - pipe and bank bits of the base address are part of `constant`: they are XORed, never added. On gfx6 to gfx8 they and a rotation
//!   that depends on the slice are added first: see [`Rotation`];
//! - on gfx6 to gfx8 the bits of `M` above the block say in which *split* a part of a deep tile lies: `split` bytes for each.
//!
//! The offset is counted from the base address *without* the bits the image took from it: see [`Layout::swizzle_bits`].
//!
//! How levels follow each other is a small set of rules for each generation: `gfx6`, `gfx9`, `gfx10`. The matrices are rows of text
//! in `data`, taken from AMD's address library; of gfx6 to gfx8 they follow from the tile tables (`tiles`). Which modes a chip has for
//! which elements is what the rows have, and all else is refused ([`Unsupported`]): hostile descriptors end there.
//!
//! Not modelled: on gfx6 to gfx8, level 0 that is linear because it is one row of up to eight texels although a tiled mode was asked for
//! (lower levels are tiled then); tile indices the tables in `data` do not have; views of single levels there are images of their own.
//! Linear images with levels and a pitch of their own on gfx10.3 and later are refused; the pitch of gfx9 and of gfx10.3 and later has
//! been compared with nothing but what drivers program; formats of 2x1 and ASTC blocks, 96 bits from gfx9 on, stereo; any other
//! `GB_ADDR_CONFIG` than those of [`Chip`]. Compression (DCC, HTILE, CMASK, FMASK) moves no texel, but says how to read it: the caller's
//! business.

use crate::fault::planted;

mod chips;
mod gfx10;
mod gfx6;
mod gfx9;
mod matrix;
mod modes;
mod registers;
mod rows;
mod surface;
mod tiles;

pub use chips::Chip;
pub use matrix::{Columns, Lookup, Portable, Three, Threes};
pub use registers::Registers;
pub use rows::{ModeRow, TAIL_PLACES, TileRow};
pub use surface::{Surface, Unsupported};

/// How the pipe and bank bits of a level depend on the slice, on gfx6 to gfx8; elsewhere all is 0.
///
/// With `g` the slice group (`z >> bz`): the pipe is `pipe + pipe_step * g`, the bank is `bank + bank_step * g`, plus what the pipe
/// steps come to beyond the last pipe; both modulo their number. The pipe is XORed to the offset from bit 8, the bank above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Rotation {
    /// Pipe bits of the base address.
    pub pipe: u32,
    /// Bank bits of the base address.
    pub bank: u32,
    /// From slice group to slice group.
    pub pipe_step: u32,
    /// From slice group to slice group.
    pub bank_step: u32,
    /// Bits of the pipe.
    pub pipes: u32,
    /// Bits of the bank.
    pub banks: u32,
}

impl Rotation {
    /// The bits that [`Rotation::at`] can set.
    #[inline]
    pub(super) fn bits(&self) -> u64 {
        ((1 << (self.pipes + self.banks)) - 1) << 8
    }

    /// What is XORed to offsets in the blocks of a slice group.
    #[must_use]
    pub fn at(&self, group: u32) -> u32 {
        let steps = self.pipe_step.wrapping_mul(group);
        let pipe = self.pipe.wrapping_add(steps) & ((1 << self.pipes) - 1);
        let bank = self.bank.wrapping_add(self.bank_step.wrapping_mul(group)).wrapping_add(steps >> self.pipes);
        (pipe | (bank & ((1 << self.banks) - 1)) << self.pipes) << 8
    }
}

/// The numbers of a level: see the form at the head of the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Place {
    /// Where the level begins.
    pub start: u64,
    /// Bytes from block to block along x, y and z.
    pub steps: [u64; 3],
    /// Bytes from split to split.
    pub split: u64,
    /// Width, height and depth of a block as powers of two: `bx`, `by` and `bz`.
    pub block: [u32; 3],
    /// Bytes of a block as a power of two; 0 of a linear level, which has nothing inside its blocks.
    pub log2: u32,
    /// Added to x and y before anything else.
    pub moved: [u32; 2],
    /// The constant that is XORed to offsets in a block, apart from the rotation.
    pub constant: u32,
    /// The part of the constant that depends on the slice.
    pub rotation: Rotation,
}

/// How an image lies in memory: [`Surface::layout`] makes it.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Different ones: at most four.
    columns: Vec<(Columns, Threes)>,
    /// With the index of the columns.
    levels: Vec<(Place, usize)>,
    swizzle_bits: u64,
}

/// A level of an image.
#[derive(Clone, Copy, Debug)]
pub struct Level<'a> {
    /// Its numbers.
    pub place: &'a Place,
    /// Its matrix.
    pub columns: &'a Columns,
    /// The same, as many lanes use it.
    pub threes: &'a Threes,
}

impl Layout {
    /// Of matrices, and levels with the index of theirs.
    fn new(columns: Vec<Columns>, levels: Vec<(Place, usize)>, swizzle_bits: u64) -> Layout {
        let columns = columns.into_iter().map(|columns| (columns, Threes::of(&columns))).collect();
        Layout { columns, levels, swizzle_bits }
    }

    /// A level of the image, counted from that of the base address.
    #[must_use]
    pub fn level(&self, level: u32) -> Option<Level<'_>> {
        let (place, columns) = self.levels.get(level as usize)?;
        let (columns, threes) = self.columns.get(*columns)?;
        Some(Level { place, columns, threes })
    }

    /// The bits of the base address that are no address, but part of the constants: `(base & !bits) + offset` is where a texel lies.
    #[must_use]
    pub fn swizzle_bits(&self) -> u64 {
        self.swizzle_bits
    }
}

impl Level<'_> {
    /// Where an element lies, from the base of the image without [`Layout::swizzle_bits`]. Coordinates outside the level give some
    /// offset, which may be that of another element.
    #[must_use]
    pub fn offset(&self, x: u32, y: u32, z: u32, sample: u32) -> u64 {
        let p = self.place;
        let [x, y] = [x.wrapping_add(p.moved[0]), y.wrapping_add(p.moved[1])];
        let blocks = [x >> p.block[0], y >> p.block[1], z >> p.block[2]];
        let along = |n: usize| u64::from(blocks[n]).wrapping_mul(p.steps[n]);
        let m = self.columns.at(x, y, z, sample);
        let turned = p.rotation.at(if planted!(ImageRotationLost) { 0 } else { blocks[2] });
        let inside = m & ((1 << p.log2) - 1);
        let inside = if planted!(ImageXorAdded) { inside + p.constant + turned } else { inside ^ p.constant ^ turned };
        let split = u64::from(m >> p.log2).wrapping_mul(p.split);
        [along(0), along(1), along(2), split, inside.into()].into_iter().fold(p.start, u64::wrapping_add)
    }
}
