//! Formats of images: how many bytes, what texels are, and contents whose values Vulkan determines.

use crate::unit::random;
use ash::vk;

/// What the components of a texel are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Unorm,
    Snorm,
    Uint,
    Sint,
    Float,
    /// Floats without a sign.
    Ufloat,
    Srgb,
    /// Blocks of 4x4 texels.
    Block,
    Depth,
    Stencil,
}

use Kind::{Block, Depth, Float, Sint, Snorm, Srgb, Stencil, Ufloat, Uint, Unorm};

/// A format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    pub vk: vk::Format,
    /// Bytes of a texel, or of a block.
    pub bytes: u32,
    pub kind: Kind,
    /// Largest numbers of the components; 1 where there is no such component.
    pub range: [u32; 4],
    /// Whether every device that is compared stores to it.
    pub storage: bool,
}

const fn row(vk: vk::Format, bytes: u32, kind: Kind, range: [u32; 4], storage: bool) -> Format {
    Format { vk, bytes, kind, range, storage }
}

/// Ranges of so many components.
const fn all(count: usize, range: u32) -> [u32; 4] {
    let mut ranges = [1; 4];
    let mut n = 0;
    while n < count {
        ranges[n] = range;
        n += 1;
    }
    ranges
}

/// The largest number that a float component is written with: every float format holds it, and all below.
const SMALL: u32 = 31;
const WORD: u32 = u32::MAX - 1;

/// Formats of colours.
pub const COLOURS: [Format; 58] = [
    row(vk::Format::R8_UNORM, 1, Unorm, all(1, 255), true),
    row(vk::Format::R8_SNORM, 1, Snorm, all(1, 127), true),
    row(vk::Format::R8_UINT, 1, Uint, all(1, 255), true),
    row(vk::Format::R8_SINT, 1, Sint, all(1, 127), true),
    row(vk::Format::R8G8_UNORM, 2, Unorm, all(2, 255), true),
    row(vk::Format::R8G8_SNORM, 2, Snorm, all(2, 127), true),
    row(vk::Format::R8G8_UINT, 2, Uint, all(2, 255), true),
    row(vk::Format::R8G8_SINT, 2, Sint, all(2, 127), true),
    row(vk::Format::R8G8B8A8_UNORM, 4, Unorm, all(4, 255), true),
    row(vk::Format::R8G8B8A8_SNORM, 4, Snorm, all(4, 127), true),
    row(vk::Format::R8G8B8A8_UINT, 4, Uint, all(4, 255), true),
    row(vk::Format::R8G8B8A8_SINT, 4, Sint, all(4, 127), true),
    row(vk::Format::R8G8B8A8_SRGB, 4, Srgb, all(4, 255), false),
    row(vk::Format::B8G8R8A8_UNORM, 4, Unorm, all(4, 255), true),
    row(vk::Format::B8G8R8A8_SNORM, 4, Snorm, all(4, 127), false),
    row(vk::Format::B8G8R8A8_UINT, 4, Uint, all(4, 255), false),
    row(vk::Format::B8G8R8A8_SINT, 4, Sint, all(4, 127), false),
    row(vk::Format::B8G8R8A8_SRGB, 4, Srgb, all(4, 255), false),
    row(vk::Format::A8B8G8R8_UNORM_PACK32, 4, Unorm, all(4, 255), true),
    row(vk::Format::A8B8G8R8_SNORM_PACK32, 4, Snorm, all(4, 127), true),
    row(vk::Format::A8B8G8R8_UINT_PACK32, 4, Uint, all(4, 255), true),
    row(vk::Format::A8B8G8R8_SINT_PACK32, 4, Sint, all(4, 127), true),
    row(vk::Format::A8B8G8R8_SRGB_PACK32, 4, Srgb, all(4, 255), false),
    row(vk::Format::B4G4R4A4_UNORM_PACK16, 2, Unorm, all(4, 15), false),
    row(vk::Format::R5G6B5_UNORM_PACK16, 2, Unorm, [31, 63, 31, 1], false),
    row(vk::Format::B5G6R5_UNORM_PACK16, 2, Unorm, [31, 63, 31, 1], false),
    row(vk::Format::R5G5B5A1_UNORM_PACK16, 2, Unorm, [31, 31, 31, 1], false),
    row(vk::Format::B5G5R5A1_UNORM_PACK16, 2, Unorm, [31, 31, 31, 1], false),
    row(vk::Format::A1R5G5B5_UNORM_PACK16, 2, Unorm, [31, 31, 31, 1], false),
    row(vk::Format::A2R10G10B10_UNORM_PACK32, 4, Unorm, [1023, 1023, 1023, 3], false),
    row(vk::Format::A2R10G10B10_UINT_PACK32, 4, Uint, [1023, 1023, 1023, 3], false),
    row(vk::Format::A2B10G10R10_UNORM_PACK32, 4, Unorm, [1023, 1023, 1023, 3], true),
    row(vk::Format::A2B10G10R10_UINT_PACK32, 4, Uint, [1023, 1023, 1023, 3], true),
    row(vk::Format::R16_UNORM, 2, Unorm, all(1, 65535), true),
    row(vk::Format::R16_SNORM, 2, Snorm, all(1, 32767), true),
    row(vk::Format::R16_UINT, 2, Uint, all(1, 65535), true),
    row(vk::Format::R16_SINT, 2, Sint, all(1, 32767), true),
    row(vk::Format::R16_SFLOAT, 2, Float, all(1, SMALL), true),
    row(vk::Format::R16G16_UNORM, 4, Unorm, all(2, 65535), true),
    row(vk::Format::R16G16_SNORM, 4, Snorm, all(2, 32767), true),
    row(vk::Format::R16G16_UINT, 4, Uint, all(2, 65535), true),
    row(vk::Format::R16G16_SINT, 4, Sint, all(2, 32767), true),
    row(vk::Format::R16G16_SFLOAT, 4, Float, all(2, SMALL), true),
    row(vk::Format::R16G16B16A16_UNORM, 8, Unorm, all(4, 65535), true),
    row(vk::Format::R16G16B16A16_SNORM, 8, Snorm, all(4, 32767), true),
    row(vk::Format::R16G16B16A16_UINT, 8, Uint, all(4, 65535), true),
    row(vk::Format::R16G16B16A16_SINT, 8, Sint, all(4, 32767), true),
    row(vk::Format::R16G16B16A16_SFLOAT, 8, Float, all(4, SMALL), true),
    row(vk::Format::R32_UINT, 4, Uint, all(1, WORD), true),
    row(vk::Format::R32_SINT, 4, Sint, all(1, WORD), true),
    row(vk::Format::R32_SFLOAT, 4, Float, all(1, SMALL), true),
    row(vk::Format::R32G32_UINT, 8, Uint, all(2, WORD), true),
    row(vk::Format::R32G32_SINT, 8, Sint, all(2, WORD), true),
    row(vk::Format::R32G32_SFLOAT, 8, Float, all(2, SMALL), true),
    row(vk::Format::R32G32B32A32_UINT, 16, Uint, all(4, WORD), true),
    row(vk::Format::R32G32B32A32_SINT, 16, Sint, all(4, WORD), true),
    row(vk::Format::R32G32B32A32_SFLOAT, 16, Float, all(4, SMALL), true),
    row(vk::Format::B10G11R11_UFLOAT_PACK32, 4, Ufloat, all(3, SMALL), true),
];

/// Three floats with one exponent.
pub const SHARED_EXPONENT: Format = row(vk::Format::E5B9G9R9_UFLOAT_PACK32, 4, Ufloat, all(3, SMALL), false);

/// Formats of twelve bytes, which devices have in rows alone.
pub const TWELVE: [Format; 3] = [
    row(vk::Format::R32G32B32_UINT, 12, Uint, all(3, WORD), false),
    row(vk::Format::R32G32B32_SINT, 12, Sint, all(3, WORD), false),
    row(vk::Format::R32G32B32_SFLOAT, 12, Float, all(3, SMALL), false),
];

/// Formats of blocks.
pub const BLOCKS: [Format; 16] = [
    row(vk::Format::BC1_RGB_UNORM_BLOCK, 8, Block, all(3, 255), false),
    row(vk::Format::BC1_RGB_SRGB_BLOCK, 8, Block, all(3, 255), false),
    row(vk::Format::BC1_RGBA_UNORM_BLOCK, 8, Block, all(4, 255), false),
    row(vk::Format::BC1_RGBA_SRGB_BLOCK, 8, Block, all(4, 255), false),
    row(vk::Format::BC2_UNORM_BLOCK, 16, Block, all(4, 255), false),
    row(vk::Format::BC2_SRGB_BLOCK, 16, Block, all(4, 255), false),
    row(vk::Format::BC3_UNORM_BLOCK, 16, Block, all(4, 255), false),
    row(vk::Format::BC3_SRGB_BLOCK, 16, Block, all(4, 255), false),
    row(vk::Format::BC4_UNORM_BLOCK, 8, Block, all(1, 255), false),
    row(vk::Format::BC4_SNORM_BLOCK, 8, Block, all(1, 127), false),
    row(vk::Format::BC5_UNORM_BLOCK, 16, Block, all(2, 255), false),
    row(vk::Format::BC5_SNORM_BLOCK, 16, Block, all(2, 127), false),
    row(vk::Format::BC6H_UFLOAT_BLOCK, 16, Block, all(3, 1), false),
    row(vk::Format::BC6H_SFLOAT_BLOCK, 16, Block, all(3, 1), false),
    row(vk::Format::BC7_UNORM_BLOCK, 16, Block, all(4, 255), false),
    row(vk::Format::BC7_SRGB_BLOCK, 16, Block, all(4, 255), false),
];

/// Depths and stencils, one aspect each.
pub const DEPTHS: [Format; 3] = [
    row(vk::Format::D16_UNORM, 2, Depth, all(1, 65535), false),
    row(vk::Format::D32_SFLOAT, 4, Depth, all(1, 1), false),
    row(vk::Format::S8_UINT, 1, Stencil, all(1, 255), false),
];

/// A format of those above.
pub fn format(vk: vk::Format) -> &'static Format {
    let mut all = COLOURS.iter().chain(&BLOCKS).chain(&DEPTHS).chain(&TWELVE).chain([&SHARED_EXPONENT]);
    all.find(|format| format.vk == vk).unwrap_or_else(|| panic!("{vk:?} is in no row"))
}

/// Those of some names.
pub fn formats(vk: &[vk::Format]) -> Vec<&'static Format> {
    vk.iter().map(|vk| format(*vk)).collect()
}

/// Those that every device stores to.
pub fn stored() -> impl Iterator<Item = &'static Format> {
    COLOURS.iter().filter(|format| format.storage)
}

/// Colours whose texels are numbers that Vulkan says to the bit, or that rounding hides.
pub fn sampled() -> impl Iterator<Item = &'static Format> {
    COLOURS.iter().filter(|format| format.kind != Srgb).chain([&SHARED_EXPONENT])
}

impl Format {
    /// How wide and high an element is.
    pub fn block(&self) -> u32 {
        if self.kind == Block { 4 } else { 1 }
    }

    pub fn aspect(&self) -> vk::ImageAspectFlags {
        match self.kind {
            Depth => vk::ImageAspectFlags::DEPTH,
            Stencil => vk::ImageAspectFlags::STENCIL,
            _ => vk::ImageAspectFlags::COLOR,
        }
    }

    /// What types of GLSL begin with.
    pub fn prefix(&self) -> &'static str {
        match self.kind {
            Uint | Stencil => "u",
            Sint => "i",
            _ => "",
        }
    }

    /// Whether shaders see whole numbers that are divided: what they read is multiplied again and rounded.
    pub fn normalized(&self) -> bool {
        matches!(self.kind, Unorm | Snorm) || [vk::Format::D16_UNORM, vk::Format::BC7_UNORM_BLOCK].contains(&self.vk)
    }

    /// Whether there is a fourth component.
    pub fn alpha(&self) -> bool {
        let one_bit =
            [vk::Format::R5G5B5A1_UNORM_PACK16, vk::Format::B5G5R5A1_UNORM_PACK16, vk::Format::A1R5G5B5_UNORM_PACK16];
        self.range[3] > 1 || one_bit.contains(&self.vk)
    }

    /// So many bytes of texels: noise, and floats that are numbers and not too small.
    pub fn contents(&self, seed: u32, bytes: usize) -> Vec<u8> {
        let noise = random("u32", seed, bytes.next_multiple_of(4));
        let words = noise.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word));
        let fixed = |fix: fn(u32) -> u32| words.clone().map(fix).flat_map(u32::to_le_bytes).collect();
        let mut bytes_of: Vec<u8> = match (self.kind, self.vk) {
            (Float, vk::Format::R16_SFLOAT | vk::Format::R16G16_SFLOAT | vk::Format::R16G16B16A16_SFLOAT) => {
                // Exponents between 8 and 15 of 31.
                fixed(|word| word & 0xbfff_bfff | 0x2000_2000)
            }
            (Float, _) => fixed(|word| ((word as i32 >> 8) as f32).to_bits()),
            (Depth, vk::Format::D32_SFLOAT) => fixed(|word| ((word >> 8) as f32 / 16_777_216.0).to_bits()),
            // Exponents between 8 and 15 of 31.
            (Ufloat, vk::Format::B10G11R11_UFLOAT_PACK32) => {
                fixed(|word| word & !(0x10 << 6 | 0x10 << 17 | 0x10 << 27) | 8 << 6 | 8 << 17 | 8 << 27)
            }
            _ => noise,
        };
        bytes_of.truncate(bytes);
        bytes_of
    }
}
