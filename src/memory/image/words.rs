//! What the words of a T# amount to: levels, layers, pitches, where generations say them in different ways.

use super::fields::{Field, Fields};
use super::format::TexelFormat;
use super::tiling::Surface;
use super::{Dim, Unsupported};
use crate::fault::planted;
use crate::isa::arch::{Gen, Target, Variants};

/// The words of an image.
pub(super) struct Words<'w> {
    words: &'w [u32; 8],
    target: &'w Target,
    pub dim: Dim,
}

/// The layers of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layers {
    /// The first layer, or slice of a level.
    pub first: u32,
    /// The last one.
    pub last: u32,
    /// They are slices of one level of a volume.
    pub slices: bool,
}

impl<'w> Words<'w> {
    /// Whose words say that there is an image.
    pub fn new(words: &'w [u32; 8], target: &'w Target) -> Result<Words<'w>, Unsupported> {
        let number = Field::Type.get(words, target.generation());
        let dim = Dim::of_type(number).ok_or(Unsupported::Type(number))?;
        Ok(Words { words, target, dim })
    }

    /// A field, but for the address.
    pub fn get(&self, field: Field) -> u32 {
        field.get(self.words, self.target.generation()) as u32
    }

    /// The address, with what else is in its place.
    pub fn base(&self) -> u64 {
        Field::Base.get(self.words, self.target.generation()) << 8
    }

    fn is_before(&self, generation: Gen) -> bool {
        self.target.generation() < generation
    }

    /// The first level of the view and the last one. Where there are samples, the fields say something else.
    pub fn levels(&self) -> (u32, u32) {
        if self.dim.has_samples() { (0, 0) } else { (self.get(Field::BaseLevel), self.get(Field::LastLevel)) }
    }

    /// Levels of the image; up to gfx8 from that of the address to the last one of the view.
    fn all_levels(&self) -> u32 {
        match self.dim.has_samples() {
            true => 1,
            false if self.is_before(Gen::Gfx9) => self.levels().1 + 1,
            false => self.get(Field::MaxMip) + 1,
        }
    }

    pub fn samples(&self) -> u32 {
        if self.dim.has_samples() { 1 << self.get(Field::LastLevel).min(4) } else { 1 }
    }

    /// Texels from row to row, where a plain image may say it; its depth is none then.
    fn own_pitch(&self) -> Option<u32> {
        let knows = !self.is_before(Gen::Gfx11) || self.target.is(Variants::G1030);
        let plain = matches!(self.dim, Dim::D1 | Dim::D2 | Dim::Msaa);
        let low = Field::Depth.bits(self.target.generation());
        (knows && plain).then(|| (self.get(Field::Depth) | self.get(Field::Pitch) << low) + 1)
    }

    /// Slices of level 0, or layers, as the field has them.
    pub fn depth(&self) -> u32 {
        if self.own_pitch().is_some() { 1 } else { self.get(Field::Depth) + 1 }
    }

    pub fn layers(&self) -> Layers {
        let volume = self.dim == Dim::D3;
        let slices = volume && self.get(Field::Slices) == 1;
        let first = if volume && !slices { 0 } else { self.get(Field::BaseArray) };
        let last = match self.dim.has_layers() {
            true if self.is_before(Gen::Gfx9) => self.get(Field::LastArray),
            true => self.depth() - 1,
            false if volume => self.depth() - 1,
            false => first,
        };
        Layers { first, last, slices }
    }

    /// Width and height of level 0. Rows of texels are images of one row, which gfx9 says itself.
    pub fn size(&self) -> (u32, u32) {
        let rows = self.dim.has_rows() || self.target.generation() == Gen::Gfx9;
        let narrow = if planted!(ImageWidthNarrow) { 0xff } else { u32::MAX };
        ((self.get(Field::Width) & narrow) + 1, if rows { self.get(Field::Height) + 1 } else { 1 })
    }

    /// What the layout depends on.
    pub fn surface(&self, format: TexelFormat) -> Surface {
        let volume = self.dim == Dim::D3;
        let (width, height) = self.size();
        Surface {
            mode: self.get(Field::Mode),
            volume,
            bytes: format.bytes(),
            block: format.block(),
            samples: self.samples(),
            width,
            height,
            depth: match self.dim {
                // Counted in cubes.
                Dim::Cube if self.is_before(Gen::Gfx9) => 6 * self.depth(),
                _ if volume || self.is_before(Gen::Gfx9) => self.depth(),
                _ => self.layers().last + 1,
            },
            levels: self.all_levels(),
            pitch: match self.own_pitch() {
                _ if self.is_before(Gen::Gfx10) => Some(self.get(Field::Pitch) + 1),
                pitch => pitch.filter(|pitch| *pitch > width),
            },
            pow2pad: self.get(Field::Pow2Pad) != 0,
            swizzle: self.words[0],
        }
    }
}
