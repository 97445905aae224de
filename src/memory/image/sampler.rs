//! Samplers: the four words of an S#.

use super::fields::{Fields, SamplerField};
use crate::isa::arch::{Gen, Target};

/// What becomes of a texel outside of its level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clamp {
    /// The image is repeated.
    Wrap,
    /// Every other repetition is mirrored.
    Mirror,
    /// The texel at the border.
    Edge,
    /// The one mirrored image, and the texels at its border.
    MirrorOnceEdge,
    /// The border colour, of which no more than half is blended in.
    HalfBorder,
    /// The same around the image and its mirrored one.
    MirrorOnceHalfBorder,
    /// The border colour.
    Border,
    /// The same around the image and its mirrored one.
    MirrorOnceBorder,
}

const CLAMPS: [Clamp; 8] = [
    Clamp::Wrap,
    Clamp::Mirror,
    Clamp::Edge,
    Clamp::MirrorOnceEdge,
    Clamp::HalfBorder,
    Clamp::MirrorOnceHalfBorder,
    Clamp::Border,
    Clamp::MirrorOnceBorder,
];

/// How the texels of a footprint become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduce {
    /// By their weights.
    Blend,
    /// The least.
    Min,
    /// The greatest.
    Max,
}

/// How levels are filtered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mips {
    /// The first level always.
    First,
    /// The nearest one.
    Nearest,
    /// The two around the level of detail.
    Linear,
}

/// A sampler that cannot be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsupported {
    /// The table of border colours is not known.
    #[error("BORDER_COLOR_TYPE 3 of a sampler (entry {0} of a table in memory) is not supported")]
    BorderTable(u32),
    /// A reserved filter.
    #[error("FILTER_MODE {0} of a sampler is reserved")]
    Reduce(u32),
}

/// A decoded S#.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampler {
    /// Texels outside, for each coordinate.
    pub clamp: [Clamp; 3],
    /// The comparison of depths, 0 to 7: bit 0 passes less, bit 1 equal, bit 2 greater.
    pub compare: u32,
    /// Coordinates count texels.
    pub unnormalized: bool,
    /// Coordinates are cut where one texel is taken; otherwise they are rounded to 256ths first.
    pub truncates: bool,
    /// Layers are cut as well.
    pub truncates_layers: bool,
    /// Footprints go over the edges of cubes.
    pub seamless: bool,
    /// How texels become one.
    pub reduce: Reduce,
    /// Bounds of the level of detail, in 256ths.
    pub lod: (i32, i32),
    /// Added to the level of detail, in 256ths.
    pub bias: i32,
    /// Whether texels that are larger than pixels are blended with their neighbours.
    pub magnify: bool,
    /// Whether texels that are smaller are.
    pub minify: bool,
    /// Whether slices are blended; nothing: as the rest.
    pub slices: Option<bool>,
    /// How levels are filtered.
    pub mips: Mips,
    /// The border colour.
    pub border: [f32; 4],
    /// What is wrong with it, if a texel of it is needed.
    pub border_table: Option<Unsupported>,
}

impl Sampler {
    /// Takes the words apart as a processor does.
    ///
    /// # Errors
    /// The words ask for something that is not known.
    pub fn decode(words: &[u32; 4], target: &Target) -> Result<Sampler, Unsupported> {
        use SamplerField::*;
        let generation = target.generation();
        let get = |field: SamplerField| field.get(words, generation) as u32;
        // 0 and 1 are point and linear; 2 and 3 the same with more samples along the longer side.
        let blends = |field| get(field) & 1 != 0;
        let bias = get(LodBias) << 18;
        let reduce = match get(Reduce) {
            0 => self::Reduce::Blend,
            1 => self::Reduce::Min,
            2 => self::Reduce::Max,
            reserved => return Err(Unsupported::Reduce(reserved)),
        };
        let border = match get(BorderType) {
            1 => [0.0, 0.0, 0.0, 1.0],
            2 => [1.0; 4],
            _ => [0.0; 4],
        };
        let truncates = get(Truncate) != 0;
        Ok(Sampler {
            clamp: [ClampX, ClampY, ClampZ].map(|field| CLAMPS[get(field) as usize & 7]),
            compare: get(Compare),
            unnormalized: get(Unnormalized) != 0,
            truncates,
            truncates_layers: truncates && generation <= Gen::Gfx10,
            seamless: get(NoCubeWrap) == 0,
            reduce,
            lod: (get(MinLod) as i32, get(MaxLod) as i32),
            bias: bias as i32 >> 18,
            magnify: blends(Magnify),
            minify: blends(Minify),
            slices: match get(FilterZ) {
                0 => None,
                filter => Some(filter == 2),
            },
            mips: match get(FilterMip) {
                0 => Mips::First,
                2 => Mips::Linear,
                _ => Mips::Nearest,
            },
            border,
            border_table: (get(BorderType) == 3).then(|| Unsupported::BorderTable(get(BorderIndex))),
        })
    }
}
