//! What a descriptor says of an image, and which of it is refused.

use super::chips::{Chip, Generation};
use super::{Layout, gfx6, gfx9, gfx10};
use std::fmt;

/// What the layout of an image depends on: the fields of its T#, and a little that the T# implies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Surface {
    /// `SW_MODE`; of gfx6 to gfx8 `TILING_INDEX`.
    pub mode: u32,
    /// A 3D image. 1D images are as 2D images of height 1.
    pub volume: bool,
    /// Bytes of an element: a texel, or block side of a block-compressed format. 12 is for linear images only.
    pub bytes: u32,
    /// Texels along a side of an element: 1, or 4 for block-compressed formats.
    pub block: u32,
    /// Samples of a texel: images that have more than one have a single level.
    pub samples: u32,
    /// Texels of level 0 (gfx6 to gfx8: of the level the base address is that of).
    pub width: u32,
    /// Texels of level 0.
    pub height: u32,
    /// Depth of level 0 of a 3D image, else layers (faces of cubes are layers). Layers count on gfx6 to gfx8 only.
    pub depth: u32,
    /// Levels of the whole image, not of a view of it (gfx6 to gfx8: from the level of the base address on).
    pub levels: u32,
    /// What the T# says of the pitch, plus one, where it has it; without it, the pitch is the least that the mode allows. On gfx6 to
    /// gfx8 drivers choose larger ones (scanout, samples): there it is to be given always.
    ///
    /// gfx6 to gfx8: texels of a row of level 0, also of block-compressed formats. gfx9: elements of a row, or with levels those of the
    /// whole chain along its shorter side (`EPITCH`). gfx10.3 and later: elements of a row of a linear 2D image that is no array; it
    /// counts where it is larger than the width.
    pub pitch: Option<u32>,
    /// `POW2_PAD` of gfx6 to gfx8: level 0 is padded to powers of two, as images with levels are.
    pub pow2pad: bool,
    /// Dword 0, the base address from bit 8 up: pipe and bank bits are in it. Those count that lie inside a block: see
    /// [`Layout::swizzle_bits`].
    pub swizzle: u32,
}

/// A descriptor whose image has no layout that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsupported {
    /// A swizzle mode the chip does not have, for anything.
    SwizzleMode(&'static str, u32),
    /// An entry of the tile table nothing is known of.
    TilingIndex(&'static str, u32),
    /// The mode exists, but not for such images.
    Use {
        /// The chip.
        chip: &'static str,
        /// The mode.
        mode: u32,
        /// 3D.
        volume: bool,
        /// Bytes of an element.
        bytes: u32,
        /// Samples.
        samples: u32,
    },
    /// A field with a value that no descriptor has, or none that is known.
    Field(&'static str, u32),
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Unsupported::SwizzleMode(chip, mode) => {
                write!(f, "SW_MODE {mode} of an image descriptor does not exist on {chip}")
            }
            Unsupported::TilingIndex(chip, index) => {
                write!(f, "TILING_INDEX {index} of an image descriptor is not supported for {chip}")
            }
            Unsupported::Use { chip, mode, volume, bytes, samples } => {
                let dimensions = if volume { "3D" } else { "2D" };
                write!(
                    f,
                    "mode {mode} of a {dimensions} image of {bytes} bytes and {samples} samples does not exist on {chip}"
                )
            }
            Unsupported::Field(name, value) => write!(f, "an image with {name} {value} is not supported"),
        }
    }
}

impl std::error::Error for Unsupported {}

/// Elements of an image.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    pub width: u64,
    pub height: u64,
    pub depth: u64,
}

impl Extent {
    /// The sides of a level, as gfx9 and later count them: rounded up when halved.
    pub fn level(self, level: u32) -> Self {
        let half = |side: u64| (side + (1 << level) - 1) >> level;
        Extent { width: half(self.width), height: half(self.height), depth: half(self.depth) }
    }
}

impl Surface {
    /// Whether all fields are such that an image can be: after this, no product of them leaves 64 bits.
    fn check(&self) -> Result<(), Unsupported> {
        let side = |n: u32| (1..=1 << 16).contains(&n);
        let fields = [
            ("element size", self.bytes, matches!(self.bytes, 1 | 2 | 4 | 8 | 12 | 16)),
            ("block side", self.block, matches!(self.block, 1 | 4)),
            ("sample count", self.samples, matches!(self.samples, 1 | 2 | 4 | 8)),
            ("width", self.width, side(self.width)),
            ("height", self.height, side(self.height)),
            ("depth", self.depth, (1..=1 << 14).contains(&self.depth)),
            ("level count", self.levels, (1..=if self.samples > 1 { 1 } else { 16 }).contains(&self.levels)),
            // 16 bits of chain are twice the largest image.
            ("pitch", self.pitch.unwrap_or(1), self.pitch.is_none_or(|p| (1..=1 << 18).contains(&p))),
        ];
        match fields.iter().find(|(_, _, good)| !good) {
            Some(&(name, value, _)) => Err(Unsupported::Field(name, value)),
            None => Ok(()),
        }
    }

    /// Elements of level 0.
    pub(super) fn extent(&self) -> Extent {
        let elements = |texels: u32| u64::from(texels.div_ceil(self.block));
        Extent { width: elements(self.width), height: elements(self.height), depth: self.depth.into() }
    }

    /// The mode is not for such an image.
    pub(super) fn refused(&self, chip: &Chip) -> Unsupported {
        let Surface { mode, volume, bytes, samples, .. } = *self;
        Unsupported::Use { chip: chip.name(), mode, volume, bytes, samples }
    }

    /// Where the levels of the image lie, and how.
    ///
    /// # Errors
    ///
    /// If the chip has no such mode for such an image, or a field has a value that no image has.
    pub fn layout(&self, chip: &Chip) -> Result<Layout, Unsupported> {
        self.check()?;
        match (chip.tables(), chip.generation) {
            (Some(tables), _) => gfx6::layout(self, chip, tables),
            (None, Generation::Gfx9) => gfx9::layout(self, chip),
            (None, _) => gfx10::layout(self, chip),
        }
    }
}
