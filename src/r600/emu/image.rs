//! Texture fetches: texels of linear images, the nearest one.
//!
//! There is one level, no filter but the nearest texel, and coordinates are clamped to the edge or repeated. What the hardware does with
//! the bits of a coordinate below a texel is not known: the texel is the floor of the coordinate times the size, by the floats of the
//! machine (`TEXEL` of the [meanings](crate::r600::sem)).

use super::kernel::{Host, Lanes};
use crate::memory::format::Format;

/// What the coordinates of an image mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A row.
    D1,
    /// Rows.
    D2,
    /// Slices of rows.
    D3,
    /// Layers that are rows.
    D1Array,
    /// Layers of rows.
    D2Array,
    /// Six faces: +x, -x, +y, -y, +z, -z.
    Cube,
}

impl Shape {
    /// Coordinates inside of a layer.
    #[must_use]
    pub fn dimensions(self) -> usize {
        match self {
            Shape::D1 | Shape::D1Array => 1,
            Shape::D2 | Shape::D2Array | Shape::Cube => 2,
            Shape::D3 => 3,
        }
    }

    /// Which coordinate is the number of a layer.
    #[must_use]
    pub fn layer(self) -> Option<usize> {
        match self {
            Shape::D1Array => Some(1),
            Shape::D2Array | Shape::Cube => Some(2),
            Shape::D1 | Shape::D2 | Shape::D3 => None,
        }
    }
}

/// When a comparison with a texel gives one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it: the reference against the texel")]
pub enum Compare {
    Never,
    Less,
    Equal,
    LessEqual,
    Greater,
    NotEqual,
    GreaterEqual,
    Always,
}

impl Compare {
    /// The meaning that says whether it holds, of a reference and a texel, or the other way round; or what it always gives.
    ///
    /// # Errors
    /// It asks nothing.
    pub fn meaning(self) -> Result<(&'static str, bool), bool> {
        match self {
            Compare::Never => Err(false),
            Compare::Less => Ok(("SETGT", true)),
            Compare::Equal => Ok(("SETE", false)),
            Compare::LessEqual => Ok(("SETGE", true)),
            Compare::Greater => Ok(("SETGT", false)),
            Compare::NotEqual => Ok(("SETNE", false)),
            Compare::GreaterEqual => Ok(("SETGE", false)),
            Compare::Always => Err(true),
        }
    }
}

/// Texels.
#[derive(Clone, PartialEq, Debug)]
pub struct Image {
    /// What the coordinates mean.
    pub shape: Shape,
    /// Width, height, and depth or layers; 1 where there is none.
    pub size: [u32; 3],
    /// The format of a texel.
    pub format: Format,
    /// What a texel gives for the components that the format lacks.
    pub missing: [u32; 4],
    /// Row after row, slice after slice, without gaps.
    pub bytes: Vec<u8>,
    /// Coordinates beyond the edges are repeated, and not clamped.
    pub repeat: bool,
    /// What SAMPLE_C asks.
    pub compare: Compare,
}

impl Image {
    /// The texel at whole coordinates; none beyond the edges.
    #[must_use]
    pub fn texel(&self, at: [i64; 3]) -> Option<[u32; 4]> {
        let mut index = 0u64;
        for n in (0..3).rev() {
            let (at, size) = (u64::try_from(at[n]).ok()?, u64::from(self.size[n]));
            if at >= size {
                return None;
            }
            index = index.checked_mul(size)?.checked_add(at)?;
        }
        let count = self.format.bytes() as usize;
        let from = usize::try_from(index).ok()?.checked_mul(count)?;
        let bytes = self.bytes.get(from..from.checked_add(count)?)?;
        let mut raw = [0; 16];
        raw[..count].copy_from_slice(bytes);
        let word = |n: usize| u32::from_le_bytes([raw[4 * n], raw[4 * n + 1], raw[4 * n + 2], raw[4 * n + 3]]);
        let values = self.format.load(std::array::from_fn(word));
        Some(std::array::from_fn(|n| if self.format.layout.bits[n] == 0 { self.missing[n] } else { values[n] }))
    }

    /// The whole coordinates of the texels nearest to coordinates, which are there if the image [is whole](Image::is_whole). A bit of
    /// `normal` says that a coordinate counts sizes and not texels; offsets count half texels.
    pub(super) fn nearest(&self, host: &Host, from: &[Lanes; 4], normal: [bool; 4], offsets: [i32; 3]) -> [Lanes; 3] {
        let mut at = [const { Lanes::splat(0) }; 3];
        for n in 0..self.shape.dimensions() {
            let size = self.size[n].max(1);
            let face = (self.shape == Shape::Cube).then(|| host.meaning("FACE", [&from[n], &ZERO, &ZERO]));
            let scale = if normal[n] { host.meaning("UINT_TO_FLT", [&Lanes::splat(size), &ZERO, &ZERO]) } else { ONE };
            let offset = Lanes::splat((offsets[n] as f32 * 0.5).to_bits());
            at[n] = host.meaning("TEXEL", [face.as_ref().unwrap_or(&from[n]), &scale, &offset]);
            at[n].0.iter_mut().for_each(|texel| *texel = within(*texel as i32, size, self.repeat));
        }
        if let Some(n) = self.shape.layer() {
            at[n] = host.meaning("LAYER", [&from[n], &ZERO, &ZERO]);
            at[n].0.iter_mut().for_each(|layer| *layer = within(*layer as i32, self.layers().max(1), false));
        }
        at
    }

    /// Whether there are bytes for all texels, and a texel.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        let texels = self.size.iter().try_fold(1u64, |all, size| all.checked_mul(u64::from(*size)));
        let bytes = texels.and_then(|texels| texels.checked_mul(u64::from(self.format.bytes())));
        bytes.is_some_and(|bytes| bytes > 0 && bytes <= self.bytes.len() as u64)
    }

    /// Layers or slices.
    #[must_use]
    pub fn layers(&self) -> u32 {
        if self.shape == Shape::D1Array { self.size[1] } else { self.size[2] }
    }
}

const ZERO: Lanes = Lanes::splat(0);
const ONE: Lanes = Lanes::splat(0x3f80_0000);

/// A coordinate within a size: repeated, or the nearest edge.
fn within(at: i32, size: u32, repeats: bool) -> u32 {
    let (at, size) = (i64::from(at), i64::from(size));
    (if repeats { at.rem_euclid(size) } else { at.clamp(0, size - 1) }) as u32
}
