//! Formats of image texels: from bytes in memory to the four values in registers, and back for stores.
//!
//! A format is a *coding* (how the bits of an element become components: fields side by side as in buffers, a shared exponent, a
//! block of 4x4 texels) and a [`Kind`] (what a register holds). Up to gfx9 a descriptor names a data format and a numeric format, from
//! gfx10 one unified number counts the pairs that exist. [`rows`] lists what is executed, one format on one line with its numbers on
//! all generations; [`names`] lists what is not, so that the refusal names it: multisample masks, subsampled video, ETC2, ASTC, one-bit
//! formats and the views of one size as another.
//!
//! An *element* is what has an address: a texel, or a block of 4x4 of them. [`TexelFormat::load`] gives the components before `dst_sel`
//! picks from them; what comes behind is shared with buffers ([`format::select`](crate::memory::format::select),
//! [`format::unselect`](crate::memory::format::unselect), halves). Components the format lacks are 0, as there: drivers put the zeros and
//! ones of a missing Z or W in `dst_sel`. X is the lowest field, although names list fields from the top, and red in blocks.
//!
//! Codings of fields are those of buffers, so their arithmetic is the same code: unorm and snorm are correctly rounded quotients, which
//! is also what all cards do that were measured (Giesen, "UNORM and SNORM to float, hardware edition" and "GPU BCn decoding"). What the
//! books leave open stands in [`CHOICES`].

use crate::isa::arch::{Gen, Target, Variants};
use crate::isa::symbols::format::is_unified;
use crate::memory::format::{Format, FormatError, Kind, Layout};

mod bc;
mod bc6;
mod bc7;
pub mod blocks;
mod choices;
mod each;
mod names;
mod packed;
mod partitions;
mod rows;
pub mod srgb;

pub use choices::CHOICES;

/// How an element becomes components.
#[derive(Debug, PartialEq, Eq)]
enum Coding {
    /// Fields side by side, from bit 0 on: as in buffers.
    Fields(Layout),
    /// Unorm bytes; X, Y and Z go through the curve of sRGB.
    Srgb(Layout),
    /// 32 bits of depth as they are, then 8 of stencil.
    DepthStencil,
    /// Three mantissas of 9 bits and one exponent of 5.
    SharedExponent,
    /// A block of 4x4 texels.
    Block(Block),
}

/// A block coding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Block {
    Bc1 { srgb: bool },
    Bc2 { srgb: bool },
    Bc3 { srgb: bool },
    Bc4 { signed: bool },
    Bc5 { signed: bool },
    Bc6 { signed: bool },
    Bc7 { srgb: bool },
}

/// How the bits of an element become components, for engines that do it by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Fields side by side, from bit 0 on: so many bits each.
    Fields([u8; 4]),
    /// Unorm bytes, of which X, Y and Z go through the curve of sRGB.
    Srgb([u8; 4]),
    /// 32 bits of depth, then 8 of stencil.
    DepthStencil,
    /// Three mantissas of 9 bits and one exponent of 5.
    SharedExponent,
    /// A block of 4x4 texels: BC1 to BC7, by number; the first three and the last may be sRGB, those between have a sign.
    Block(u32, bool),
}

/// What may be done with a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    /// Loads.
    Read,
    /// Loads and stores.
    ReadWrite,
    /// Loads, and from gfx10.3 stores.
    ReadWrite103,
}

/// A way through [`TexelFormat::load`] for codings of fields that need less than the general one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Path {
    /// Fields of 32 bits that are not converted: words as they are.
    Words,
    /// Unorm bytes.
    Unorm8,
    /// All others.
    General,
}

/// One format, with its numbers. 0 is no number: INVALID has no row.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    name: &'static str,
    coding: Coding,
    kind: Kind,
    access: Access,
    path: Path,
    /// Data format and numeric format up to gfx9.
    data: u8,
    num: u8,
    /// Unified number on gfx10, and on gfx11 and gfx12.
    gfx10: u16,
    gfx11: u16,
}

/// A number which is no format that can be executed, or a format that cannot be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TexelError {
    /// INVALID: loads return 0, stores and atomics do nothing.
    #[error("the format is INVALID: there is no image")]
    Unbound,
    /// Reserved.
    #[error("{number} is no image format of {generation}")]
    Unknown {
        /// As encoded: the unified number or the data format.
        number: u32,
        /// Where.
        generation: &'static str,
    },
    /// Both halves have names, but the pair has no meaning that is known.
    #[error("{data} texels have no numeric format {num} on {generation}")]
    Pair {
        /// The data format.
        data: &'static str,
        /// The numeric format.
        num: &'static str,
        /// Where.
        generation: &'static str,
    },
    /// The format exists, and is not executed here.
    #[error("texels of format {0} cannot be executed")]
    Unsupported(&'static str),
    /// It can be read only.
    #[error("texels of format {0} cannot be stored")]
    ReadOnly(&'static str),
}

/// A format of image texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TexelFormat {
    row: &'static Row,
    /// See [`Format::unsigned_alpha`].
    unsigned_alpha: bool,
    storable: bool,
    bytes: u8,
}

impl TexelFormat {
    /// By the unified number of a descriptor: gfx10 and later.
    ///
    /// # Errors
    /// It is no format that can be executed.
    pub fn decode(number: u32, target: &Target) -> Result<TexelFormat, TexelError> {
        if number == 0 {
            return Err(TexelError::Unbound);
        }
        let unknown = TexelError::Unknown { number, generation: target.generation().name() };
        if !is_unified(target) {
            return Err(unknown);
        }
        // 118 rows of which common formats are the first: a search costs less than one wave's texels.
        let gfx10 = target.generation() == Gen::Gfx10;
        let numbered = |row: &&Row| u32::from(if gfx10 { row.gfx10 } else { row.gfx11 }) == number;
        match rows::ROWS.iter().find(numbered) {
            Some(row) => Ok(TexelFormat::new(row, target)),
            None => Err(names::unified(number, target).map_or(unknown, TexelError::Unsupported)),
        }
    }

    /// By the data format and the numeric format of a descriptor: up to gfx9.
    ///
    /// # Errors
    /// It is no format that can be executed.
    pub fn decode_pair(data: u32, num: u32, target: &Target) -> Result<TexelFormat, TexelError> {
        let generation = target.generation();
        let unknown = TexelError::Unknown { number: data, generation: generation.name() };
        if data == 0 {
            return Err(TexelError::Unbound);
        }
        if is_unified(target) {
            return Err(unknown);
        }
        // Other generations have no numeric format 6, or (gfx9) another.
        let known = num != 6 || generation <= Gen::Gfx7;
        let paired = |row: &&Row| known && u32::from(row.data) == data && u32::from(row.num) == num;
        if let Some(row) = rows::ROWS.iter().find(paired) {
            return Ok(TexelFormat::new(row, target));
        }
        let (name, num) = (names::data(data, target), names::num(num, target));
        Err(match (name, num) {
            ("", _) => unknown,
            _ if !rows::ROWS.iter().any(|row| u32::from(row.data) == data) => TexelError::Unsupported(name),
            (data, num) => TexelError::Pair { data, num, generation: generation.name() },
        })
    }

    /// Whether a format has this name (in lower case) on any generation.
    #[must_use]
    pub fn exists(name: &str) -> bool {
        rows::ROWS.iter().any(|row| row.name.eq_ignore_ascii_case(name))
    }

    /// The numbers of a format by its name: the unified one, or the data format and the numeric format.
    #[must_use]
    pub fn numbers(name: &str, target: &Target) -> Option<(u32, u32)> {
        let row = rows::ROWS.iter().find(|row| row.name.eq_ignore_ascii_case(name))?;
        let number = |number: u16| (number != 0).then_some((number.into(), 0));
        match target.generation() {
            Gen::Gfx10 => number(row.gfx10),
            Gen::Gfx11 | Gen::Gfx12 => number(row.gfx11),
            _ => (row.data != 0).then_some((row.data.into(), row.num.into())),
        }
    }

    fn new(row: &'static Row, target: &Target) -> TexelFormat {
        let signed = matches!(row.kind, Kind::Snorm | Kind::Sscaled | Kind::Sint);
        let two_bits = matches!(&row.coding, Coding::Fields(layout) if layout.bits[3] == 2);
        let storable = match row.access {
            Access::Read => false,
            Access::ReadWrite => true,
            Access::ReadWrite103 => target.generation() >= Gen::Gfx11 || target.is(Variants::G1030),
        };
        // The bug of gfx6-8 is that of buffers: drivers offer no such images there, linear or tiled (RADV).
        let buggy = Variants::G6.union(Variants::G7).union(Variants::G80);
        let bytes = match &row.coding {
            Coding::Fields(layout) | Coding::Srgb(layout) => layout.bytes(),
            Coding::SharedExponent => 4,
            Coding::DepthStencil | Coding::Block(Block::Bc1 { .. } | Block::Bc4 { .. }) => 8,
            Coding::Block(_) => 16,
        };
        TexelFormat { row, unsigned_alpha: two_bits && signed && target.is(buggy), storable, bytes: bytes as u8 }
    }

    /// As the vendor's headers call it, without their prefix: `8_8_8_8_SRGB`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.row.name
    }

    /// Bytes of an element.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> u32 {
        self.bytes.into()
    }

    /// Texels of an element in each of x and y: 1, or 4 of a block.
    #[must_use]
    #[inline]
    pub fn block(&self) -> u32 {
        if matches!(self.row.coding, Coding::Block(_)) { 4 } else { 1 }
    }

    /// How elements are coded.
    #[must_use]
    pub fn shape(&self) -> Shape {
        match &self.row.coding {
            Coding::Fields(layout) => Shape::Fields(layout.bits),
            Coding::Srgb(layout) => Shape::Srgb(layout.bits),
            Coding::DepthStencil => Shape::DepthStencil,
            Coding::SharedExponent => Shape::SharedExponent,
            Coding::Block(block) => match *block {
                Block::Bc1 { srgb } => Shape::Block(1, srgb),
                Block::Bc2 { srgb } => Shape::Block(2, srgb),
                Block::Bc3 { srgb } => Shape::Block(3, srgb),
                Block::Bc4 { signed } => Shape::Block(4, signed),
                Block::Bc5 { signed } => Shape::Block(5, signed),
                Block::Bc6 { signed } => Shape::Block(6, signed),
                Block::Bc7 { srgb } => Shape::Block(7, srgb),
            },
        }
    }

    /// Whether the component of two bits is unsigned although the kind is signed: see [`Format::unsigned_alpha`].
    #[must_use]
    pub fn unsigned_alpha(&self) -> bool {
        self.unsigned_alpha
    }

    /// What registers hold: what a `dst_sel` of 1 gives, how halves are made. That of sRGB is unorm.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.row.kind
    }

    /// Whether registers hold integers.
    #[must_use]
    pub fn is_int(&self) -> bool {
        self.row.kind.is_int()
    }

    /// Whether X, Y and Z are read through the curve of sRGB.
    #[must_use]
    pub fn is_srgb(&self) -> bool {
        use Block::{Bc1, Bc2, Bc3, Bc7};
        match self.row.coding {
            Coding::Srgb(_) => true,
            Coding::Block(Bc1 { srgb } | Bc2 { srgb } | Bc3 { srgb } | Bc7 { srgb }) => srgb,
            _ => false,
        }
    }

    /// Components, from X on; what is behind them loads as 0.
    #[must_use]
    pub fn components(&self) -> u32 {
        match &self.row.coding {
            Coding::Fields(layout) | Coding::Srgb(layout) => layout.count(),
            Coding::DepthStencil | Coding::Block(Block::Bc5 { .. }) => 2,
            Coding::SharedExponent | Coding::Block(Block::Bc6 { .. }) => 3,
            Coding::Block(Block::Bc4 { .. }) => 1,
            Coding::Block(_) => 4,
        }
    }

    /// Whether a depth buffer may have this format. The depth of `24_8` is Y, that of the others is X.
    #[must_use]
    pub fn is_depth(&self) -> bool {
        let names = ["16_UNORM", "32_FLOAT", "32_FLOAT_CLAMP", "8_24_UNORM", "24_8_UNORM", "X24_8_32_FLOAT"];
        names.contains(&self.row.name)
    }

    /// Whether the reference of a comparison is clamped to 0 to 1 first: depth that is unorm, or was when it was made.
    #[must_use]
    pub fn clamps_reference(&self) -> bool {
        self.row.kind == Kind::Unorm || self.row.name == "32_FLOAT_CLAMP"
    }

    /// Bytes of the one value that an atomic operation takes the element for, if it can.
    #[must_use]
    pub fn atomic_bytes(&self) -> Option<u32> {
        // The RDNA3 manual: on surfaces of 32 and 64 bits a texel, each treated as a single component.
        match self.row.coding {
            Coding::Fields(_) if self.storable && matches!(self.bytes(), 4 | 8) => Some(self.bytes()),
            _ => None,
        }
    }

    /// Whether texels can be stored.
    #[must_use]
    pub fn is_storable(&self) -> bool {
        self.storable
    }

    /// The components of a texel; the words of the element, the lowest first. What is behind [`TexelFormat::bytes`] does not matter, nor do `x` and `y` (0 to 3) where
    /// it is a texel itself.
    #[must_use]
    #[inline]
    pub fn load(&self, element: &[u32; 4], x: u32, y: u32) -> [u32; 4] {
        match &self.row.coding {
            Coding::Fields(layout) => match self.row.path {
                Path::Words => packed::words_of(layout, element),
                Path::Unorm8 => packed::unorm8(layout, element),
                Path::General => self.fields(layout).load(*element),
            },
            Coding::Srgb(layout) => srgb::load(packed::bytes_of(layout, element), true),
            Coding::DepthStencil => packed::depth_stencil(element),
            Coding::SharedExponent => packed::shared_exponent(element[0]),
            Coding::Block(block) => {
                let bits = element.iter().rev().fold(0, |bits, word| bits << 32 | u128::from(*word));
                block.load(bits, (x & 3) + 4 * (y & 3))
            }
        }
    }

    /// The words of an element with these components. What is behind [`TexelFormat::bytes`] is 0 and not to be written.
    ///
    /// # Errors
    /// It can be read only.
    pub fn store(&self, components: [u32; 4]) -> Result<[u32; 4], TexelError> {
        let read_only = TexelError::ReadOnly(self.row.name);
        match &self.row.coding {
            _ if !self.storable => Err(read_only),
            Coding::Fields(layout) => self.fields(layout).store(components).map_err(|_: FormatError| read_only),
            Coding::SharedExponent => Ok([packed::shared_exponent_bits(components), 0, 0, 0]),
            Coding::Srgb(layout) => Ok([srgb::store(layout.count(), components), 0, 0, 0]),
            _ => Err(read_only),
        }
    }

    /// The same fields in a buffer.
    fn fields(&self, layout: &'static Layout) -> Format {
        Format { layout, kind: self.row.kind, unsigned_alpha: self.unsigned_alpha }
    }
}

impl Block {
    /// A texel by its place in the block, row by row.
    fn load(self, block: u128, texel: u32) -> [u32; 4] {
        // Blocks of 8 bytes, or a block that is two of them.
        let (low, high) = (block as u64, (block >> 64) as u64);
        match self {
            Block::Bc1 { srgb } => srgb::load(bc::color(low, texel, true), srgb),
            Block::Bc2 { srgb } => {
                let [r, g, b, _] = bc::color(high, texel, false);
                srgb::load([r, g, b, bc::explicit_alpha(low, texel)], srgb)
            }
            Block::Bc3 { srgb } => {
                let [r, g, b, _] = bc::color(high, texel, false);
                srgb::load([r, g, b, bc::alpha(low, texel)], srgb)
            }
            Block::Bc4 { signed } => [bc::single(low, texel, signed), 0, 0, 0],
            Block::Bc5 { signed } => [bc::single(low, texel, signed), bc::single(high, texel, signed), 0, 0],
            Block::Bc6 { signed } => bc6::load(block, texel, signed),
            Block::Bc7 { srgb } => srgb::load(bc7::texel(block, texel), srgb),
        }
    }
}

#[cfg(test)]
mod tests;
