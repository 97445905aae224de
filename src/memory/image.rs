//! Images: the eight words of a T#, and where the texel at some coordinates lies.
//!
//! A T# names an address, a format, a size, a [dimension](Dim), a range of mip levels and of layers, and a [layout](tiling). It is
//! [decoded](Resource::decode) once and says of every texel whether it exists and at which address its element is: a texel, or a block of
//! 4 by 4 of them. What is out of range is no fault: loads return 0, stores are dropped. What an element means is the business of the
//! [`format`].
//!
//! Without a descriptor (all words zero) there is no image: everything is out of range. Metadata that says which blocks are compressed is
//! refused: who reads past it would read something else than hardware.

pub mod choices;
pub mod fields;
pub mod format;
pub mod sample;
pub mod sampler;
pub mod tiling;

use super::format::Select;
use crate::isa::arch::{Gen, Target, Variants};
use fields::{Field, Fields};
use format::{TexelError, TexelFormat};
use tiling::{Chip, Layout, Surface};

/// A descriptor that cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsupported {
    /// It is one of a buffer, or of nothing.
    #[error("TYPE {0} of an image descriptor is no image")]
    Type(u64),
    /// Which blocks are compressed is written elsewhere.
    #[error("COMPRESSION_EN of an image descriptor (DCC, HTILE) is not supported")]
    Compressed,
    /// The format.
    #[error(transparent)]
    Format(#[from] TexelError),
    /// The layout.
    #[error(transparent)]
    Layout(#[from] tiling::Unsupported),
}

/// What kind of image a descriptor is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dim {
    /// A row of texels.
    D1,
    /// Rows of texels.
    D2,
    /// Slices of rows.
    D3,
    /// Six faces.
    Cube,
    /// Layers of a row.
    D1Array,
    /// Layers of rows.
    D2Array,
    /// Rows of texels with samples.
    Msaa,
    /// Layers of them.
    MsaaArray,
}

impl Dim {
    /// In the order in which instructions number them.
    pub const ALL: [Dim; 8] =
        [Dim::D1, Dim::D2, Dim::D3, Dim::Cube, Dim::D1Array, Dim::D2Array, Dim::Msaa, Dim::MsaaArray];

    /// By the TYPE of a descriptor.
    fn of_type(number: u64) -> Option<Dim> {
        Dim::ALL.get(usize::try_from(number.checked_sub(8)?).ok()?).copied()
    }

    /// By the number that instructions have from gfx10 on.
    #[must_use]
    pub fn of_instruction(number: u8) -> Dim {
        Dim::ALL[usize::from(number & 7)]
    }

    /// The number that instructions have.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// Whether texels have rows above each other.
    #[must_use]
    pub const fn has_rows(self) -> bool {
        !matches!(self, Dim::D1 | Dim::D1Array)
    }

    /// Coordinates of a texel in its layer.
    #[must_use]
    pub const fn axes(self) -> usize {
        match self {
            Dim::D1 | Dim::D1Array => 1,
            Dim::D3 => 3,
            _ => 2,
        }
    }

    /// Whether there are layers, or faces.
    #[must_use]
    pub const fn has_layers(self) -> bool {
        matches!(self, Dim::Cube | Dim::D1Array | Dim::D2Array | Dim::MsaaArray)
    }

    /// Whether texels have samples.
    #[must_use]
    pub const fn has_samples(self) -> bool {
        matches!(self, Dim::Msaa | Dim::MsaaArray)
    }

    /// The same with layers, or without.
    #[must_use]
    pub const fn with_layers(self, layers: bool) -> Dim {
        match (self, layers) {
            (Dim::D1 | Dim::D1Array, true) => Dim::D1Array,
            (Dim::D1 | Dim::D1Array, false) => Dim::D1,
            (Dim::D2 | Dim::D2Array, true) => Dim::D2Array,
            (Dim::D2 | Dim::D2Array, false) => Dim::D2,
            (Dim::Msaa | Dim::MsaaArray, true) => Dim::MsaaArray,
            (Dim::Msaa | Dim::MsaaArray, false) => Dim::Msaa,
            // The face is always there.
            (Dim::D3 | Dim::Cube, _) => self,
        }
    }
}

/// A texel: where it is in the view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coordinates {
    /// In its row.
    pub x: u32,
    /// Its row.
    pub y: u32,
    /// The slice, the layer or the face.
    pub z: u32,
    /// The sample.
    pub sample: u32,
    /// The mip level, from the first one of the view.
    pub level: u32,
}

/// A mip level of a view.
#[derive(Clone, Copy, Debug)]
struct Mip {
    /// Its number in the image.
    level: u32,
    /// Texels in each direction.
    size: [u32; 3],
}

/// Where a texel lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    /// The first byte of its element, 48 bits.
    pub address: u64,
    /// Its place in a block; 0, 0 where an element is a texel.
    pub place: (u32, u32),
}

/// A decoded T#.
#[derive(Clone, Debug)]
pub struct Resource {
    /// What kind of image it is.
    pub dim: Dim,
    /// What an element means.
    pub format: TexelFormat,
    /// Where the components of a texel come from.
    pub dst_sel: [Select; 4],
    /// Levels of the view.
    levels: Vec<Mip>,
    layout: Layout,
    base: u64,
    /// The first layer (or slice of a level) of the view, and the last.
    layers: (u32, u32),
    /// The layers of a view are slices of a volume.
    slices: bool,
    samples: u32,
    /// Which component of a border colour each component of a texel is.
    border_order: [usize; 4],
    /// The least level of detail of samples, from the first level of the view, in 256ths.
    min_lod: i32,
    generation: Gen,
}

impl Resource {
    /// Takes the words apart as a processor does. `None`: there is no image.
    ///
    /// # Errors
    /// The words ask for something that is not known or not supported.
    pub fn decode(words: &[u32; 8], target: &Target) -> Result<Option<Resource>, Unsupported> {
        if words.iter().all(|word| *word == 0) {
            return Ok(None);
        }
        let generation = target.generation();
        let get = |field: Field| field.get(words, generation);
        let small = |field: Field| get(field) as u32;
        let dim = Dim::of_type(get(Field::Type)).ok_or(Unsupported::Type(get(Field::Type)))?;
        if get(Field::Compressed) != 0 {
            return Err(Unsupported::Compressed);
        }
        let (number, num) = (small(Field::Format), small(Field::NumFormat));
        let unified = generation >= Gen::Gfx10;
        let format =
            if unified { TexelFormat::decode(number, target) } else { TexelFormat::decode_pair(number, num, target) };
        let format = match format {
            Err(TexelError::Unbound) => return Ok(None),
            format => format?,
        };
        let samples = if dim.has_samples() { 1u32 << small(Field::LastLevel).min(4) } else { 1 };
        let (base_level, last_level) =
            if dim.has_samples() { (0, 0) } else { (small(Field::BaseLevel), small(Field::LastLevel)) };
        let (width, height) = (small(Field::Width) + 1, small(Field::Height) + 1);
        let height = if dim.has_rows() || generation == Gen::Gfx9 { height } else { 1 };
        // Where a plain image has a pitch of its own, its depth is none.
        let custom = custom_pitch(target, dim)
            .then(|| small(Field::Depth) | small(Field::Pitch) << Field::Depth.bits(generation));
        let depth = if custom.is_some() { 0 } else { small(Field::Depth) };
        let volume = dim == Dim::D3;
        let slices = volume && get(Field::Slices) == 1;
        let first = if volume && !slices { 0 } else { small(Field::BaseArray) };
        let last = match generation {
            Gen::Gfx6 | Gen::Gfx7 | Gen::Gfx8 if dim.has_layers() => small(Field::LastArray),
            _ if volume || dim.has_layers() => depth,
            _ => first,
        };
        let levels_of_image = match generation {
            Gen::Gfx6 | Gen::Gfx7 | Gen::Gfx8 => last_level + 1,
            _ if dim.has_samples() => 1,
            _ => small(Field::MaxMip) + 1,
        };
        let surface = Surface {
            mode: small(Field::Mode),
            volume,
            bytes: format.bytes(),
            block: format.block(),
            samples,
            width,
            height,
            depth: if volume || generation <= Gen::Gfx8 { depth + 1 } else { last.saturating_add(1) },
            levels: levels_of_image,
            pitch: match generation {
                Gen::Gfx6 | Gen::Gfx7 | Gen::Gfx8 | Gen::Gfx9 => Some(small(Field::Pitch) + 1),
                _ => custom.map(|pitch| pitch + 1).filter(|pitch| *pitch > width),
            },
            pow2pad: get(Field::Pow2Pad) != 0,
            swizzle: words[0],
        };
        let layout = surface.layout(chip(target))?;
        let levels = (base_level..=last_level)
            .map_while(|level| {
                // Slices of a level have its depth already.
                let deep = if !volume {
                    1
                } else if slices {
                    depth + 1
                } else {
                    ((depth + 1) >> level.min(31)).max(1)
                };
                let size = [(width >> level.min(31)).max(1), (height >> level.min(31)).max(1), deep];
                layout.level(level).map(|_| Mip { level, size })
            })
            .collect();
        Ok(Some(Resource {
            dim,
            format,
            dst_sel: std::array::from_fn(|n| Select::decode(small(Field::DstSel) >> (3 * n))),
            levels,
            base: (get(Field::Base) << 8) & !layout.swizzle_bits(),
            layout,
            layers: (first, last),
            slices,
            samples,
            border_order: BORDERS[small(Field::BcSwizzle) as usize & 7],
            min_lod: small(Field::MinLod) as i32 - (base_level << 8) as i32,
            generation,
        }))
    }

    /// Levels of the view.
    #[must_use]
    pub fn levels(&self) -> u32 {
        self.levels.len() as u32
    }

    /// Texels of a level in each direction.
    #[must_use]
    pub fn size_of(&self, level: u32) -> [u32; 3] {
        self.levels.get(level as usize).map_or([1; 3], |mip| mip.size)
    }

    /// Samples of a texel.
    #[must_use]
    pub fn samples(&self) -> u32 {
        self.samples
    }

    /// Where a texel lies; `None`: out of range.
    #[must_use]
    #[inline]
    pub fn at(&self, texel: Coordinates) -> Option<At> {
        let mip = self.levels.get(texel.level as usize)?;
        let [width, height, depth] = mip.size;
        let (first, last) = self.layers;
        let layer = if self.dim == Dim::D3 && !self.slices {
            (texel.z < depth).then_some(texel.z)?
        } else {
            texel.z.checked_add(first).filter(|layer| *layer <= last)?
        };
        if texel.x >= width || texel.y >= height || texel.sample >= self.samples {
            return None;
        }
        let (x, y, place) = match self.format.block() {
            1 => (texel.x, texel.y, (0, 0)),
            block => (texel.x / block, texel.y / block, (texel.x % block, texel.y % block)),
        };
        let level = self.layout.level(mip.level)?;
        let address = self.base.wrapping_add(level.offset(x, y, layer, texel.sample)) & ADDRESS;
        Some(At { address, place })
    }

    /// What `image_get_resinfo` says of a level: width, height, depth or layers, levels.
    #[must_use]
    pub fn size(&self, level: u32) -> [u32; 4] {
        let levels = self.levels.len() as u32;
        let Some(mip) = self.levels.get(level as usize) else { return [0, 0, 0, levels] };
        let [width, height, depth] = mip.size;
        let layers = (self.layers.1 + 1).saturating_sub(self.layers.0);
        let third = match self.dim {
            Dim::D3 if !self.slices => depth,
            Dim::D1 | Dim::D2 | Dim::Msaa => 1,
            _ => layers,
        };
        [width, height, third, levels]
    }

    /// The processor that it is a descriptor of.
    #[must_use]
    pub fn generation(&self) -> Gen {
        self.generation
    }
}

/// The orders of BC_SWIZZLE, by number.
const BORDERS: [[usize; 4]; 8] = {
    const XYZW: [usize; 4] = [0, 1, 2, 3];
    [XYZW, [0, 3, 1, 2], [3, 2, 1, 0], [3, 0, 1, 2], [2, 1, 0, 3], [1, 0, 3, 2], XYZW, XYZW]
};

const ADDRESS: u64 = (1 << 48) - 1;

/// How the memory of a processor is divided: where no card's own figures matter, one pipe and one bank, as GB_ADDR_CONFIG 0 has it.
#[must_use]
pub fn chip(target: &Target) -> &'static Chip {
    let name = match target.generation() {
        Gen::Gfx6 => "tahiti",
        Gen::Gfx7 => "bonaire",
        Gen::Gfx8 => "polaris10",
        Gen::Gfx9 => "vega10_gb0",
        Gen::Gfx10 if target.is(Variants::G1030) => "navi21_gb0",
        Gen::Gfx10 => "navi10_gb0",
        Gen::Gfx11 => "navi31_gb0",
        Gen::Gfx12 => "gfx1201",
    };
    Chip::find(name).unwrap_or_else(|| unreachable!("the chips have a row for {name}"))
}

/// Whether a plain image may say how far apart its rows are.
fn custom_pitch(target: &Target, dim: Dim) -> bool {
    let knows = match target.generation() {
        Gen::Gfx10 => target.is(Variants::G1030),
        Gen::Gfx11 | Gen::Gfx12 => true,
        _ => false,
    };
    knows && matches!(dim, Dim::D1 | Dim::D2 | Dim::Msaa)
}
