//! Images: the eight words of a T#, and where the texel at some coordinates lies.
//!
//! A T# names an address, a format, a size, a [dimension](Dim), a range of mip levels and of layers, and a [layout](tiling). It is
//! [decoded](Resource::decode) once and says of every texel whether it exists and at which address its element is: a texel, or a block of
//! 4 by 4 of them. What is out of range is no fault: loads return 0, stores are dropped. What an element means is the business of the
//! [`mod@format`].
//!
//! Without a descriptor (all words zero) there is no image: everything is out of range. Metadata that says which blocks are compressed is
//! refused: who reads past it would read something else than hardware.

pub mod choices;
pub mod fields;
pub mod format;
pub mod sample;
pub mod sampler;
pub mod tiling;
pub mod whole;
mod words;

use self::whole::Slices;
use super::format::Select;
use super::guest::ADDRESS_MASK;
use crate::fault::planted;
use crate::isa::arch::{Gen, Target, Variants};
use fields::Field;
use format::{TexelError, TexelFormat};
use tiling::{Chip, Layout};
use words::{Layers, Words};

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
    /// Bytes from the base in which they are, where 32 bits count these.
    extent: Option<u32>,
    /// What its first slice adds to where texels lie, where 32 bits are enough.
    first: Slices<1>,
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
    layers: Layers,
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
        let words = Words::new(words, target)?;
        if target.generation() >= Gen::Gfx8 && words.get(Field::Compressed) != 0 {
            return Err(Unsupported::Compressed);
        }
        let (number, num) = (words.get(Field::Format), words.get(Field::NumFormat));
        let format = match target.generation() >= Gen::Gfx10 {
            true => TexelFormat::decode(number, target),
            false => TexelFormat::decode_pair(number, num, target),
        };
        let format = match format {
            Err(TexelError::Unbound) => return Ok(None),
            format => format?,
        };
        let layout = words.surface(format).layout(chip(target))?;
        let (dim, layers, (width, height)) = (words.dim, words.layers(), words.size());
        let (base_level, last_level) = words.levels();
        let minified = |side: u32, level: u32| {
            let up = if planted!(ImageLevelsRoundUp) { (1 << level.min(16)) - 1 } else { 0 };
            ((side + up) >> level.min(31)).max(1)
        };
        let depth = |level| match (dim, layers.slices) {
            (Dim::D3, false) => minified(words.depth(), level),
            // Slices of a level have its depth already.
            (Dim::D3, true) => words.depth(),
            _ => 1,
        };
        let mip = |level| Mip {
            level,
            size: [minified(width, level), minified(height, level), depth(level)],
            extent: None,
            first: Slices::default(),
        };
        let mut resource = Resource {
            dim,
            format,
            dst_sel: std::array::from_fn(|n| Select::decode(words.get(Field::DstSel) >> (3 * n))),
            levels: (base_level..=last_level).take_while(|level| layout.level(*level).is_some()).map(mip).collect(),
            base: words.base() & !layout.swizzle_bits(),
            layout,
            layers,
            samples: words.samples(),
            border_order: BORDERS[words.get(Field::BcSwizzle) as usize & 7],
            min_lod: words.get(Field::MinLod) as i32 - (base_level << 8) as i32,
            generation: target.generation(),
        };
        for n in 0..resource.levels.len() {
            resource.levels[n].extent = resource.extent(&resource.levels[n]);
            if let Some(first) = resource.whole(n as u32).map(|whole| whole.slices(&[0], None)) {
                resource.levels[n].first = first;
            }
        }
        Ok(Some(resource))
    }

    /// The extent of a level.
    fn extent(&self, mip: &Mip) -> Option<u32> {
        let [width, height, depth] = mip.size;
        let elements = |texels: u32| texels.div_ceil(self.format.block());
        let size = [elements(width), elements(height), self.layers.first + self.deep(depth)];
        self.layout.level(mip.level)?.extent(size, self.format.bytes())
    }

    /// How many coordinates along z there are in a level of so many slices, from 0 on.
    #[inline]
    fn deep(&self, depth: u32) -> u32 {
        let layers = self.layers;
        if self.dim == Dim::D3 && !layers.slices { depth } else { (layers.last + 1).saturating_sub(layers.first) }
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

    /// Where a texel lies; `None`: out of range.
    #[must_use]
    #[inline]
    pub fn at(&self, texel: Coordinates) -> Option<At> {
        let mip = self.levels.get(if planted!(ImageMipIgnored) { 0 } else { texel.level as usize })?;
        let [width, height, depth] = mip.size;
        let texel = match planted!(ImageOutsideClamped) {
            true => Coordinates {
                x: texel.x.min(width - 1),
                y: texel.y.min(height - 1),
                z: texel.z.min(self.layers.last.saturating_sub(self.layers.first).max(depth - 1)),
                ..texel
            },
            false => texel,
        };
        let Layers { first, last, slices } = self.layers;
        let layer = if self.dim == Dim::D3 && !slices {
            (texel.z < depth).then_some(texel.z)?
        } else {
            texel.z.checked_add(first).filter(|layer| *layer <= last)?
        };
        let layer = if planted!(ImageLayerFirst) { first } else { layer };
        if texel.x >= width || texel.y >= height || texel.sample >= self.samples {
            return None;
        }
        let (x, y, place) = match self.format.block() {
            1 => (texel.x, texel.y, (0, 0)),
            block => (texel.x / block, texel.y / block, (texel.x % block, texel.y % block)),
        };
        let level = self.layout.level(mip.level)?;
        let address = self.base.wrapping_add(level.offset(x, y, layer, texel.sample)) & ADDRESS_MASK;
        Some(At { address, place })
    }

    /// What `image_get_resinfo` says of a level: width, height, depth or layers, levels.
    #[must_use]
    pub fn size(&self, level: u32) -> [u32; 4] {
        let levels = self.levels.len() as u32;
        let Some(mip) = self.levels.get(level as usize) else { return [0, 0, 0, levels] };
        let [width, height, depth] = mip.size;
        let third = match self.dim {
            Dim::D1 | Dim::D2 | Dim::Msaa => 1,
            _ => self.deep(depth),
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
pub(crate) const BORDERS: [[usize; 4]; 8] = {
    const XYZW: [usize; 4] = [0, 1, 2, 3];
    [XYZW, [0, 3, 1, 2], [3, 2, 1, 0], [3, 0, 1, 2], [2, 1, 0, 3], [1, 0, 3, 2], XYZW, XYZW]
};

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
