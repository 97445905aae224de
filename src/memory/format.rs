//! Data formats of buffers: from bytes in memory to values in registers and back.
//!
//! A format is a *layout* (which bits belong to which component: the data format) and a *kind* (what the bits of a component mean: the
//! numeric format). Up to gfx9 an instruction or descriptor names both, from gfx10 one unified number counts the pairs that exist; the
//! numbers and pairs are those of [`crate::isa::symbols::format`]. X is always the lowest field, although names list fields from the
//! top: `10_11_11` is X of 11 bits, Y of 11, Z of 10.
//!
//! A load goes `bytes -> components (`[`Format::load`]`) -> registers (`[`select`]`) -> halves (`[`halves`]`, D16 only)`, a store the same
//! way back ([`widen`], [`unselect`], [`Format::store`]). Components are 32 bits wide in between: f32 for every kind that is a number,
//! plain integers for `uint` and `sint`.
//!
//! All arithmetic is exact or rounded once, with IEEE operations of the host only; see [`super::choices`] for what the books leave open.
//! Formats of images (sRGB, shared exponent, blocks) are not here yet; [`Kind`] is open for them.

use super::guest::{Fault, View};
use crate::fault::planted;
use crate::isa::arch::{Arch, Features, Gen, Target, Variants};
use crate::isa::symbols::format as numbers;
use std::sync::LazyLock;

pub mod convert;
mod each;

pub use each::{Places, halves_each, select_each, unselect_each, widen_each};

use convert::{float_bits, float_value, int_bits, norm_bits};

/// Which bits belong to which component.
#[derive(Debug, PartialEq, Eq)]
pub struct Layout {
    /// Bits of X, Y, Z and W; 0 where there is none. X begins at bit 0, each other one behind its neighbour.
    pub bits: [u8; 4],
}

const fn layout(bits: [u8; 4]) -> Layout {
    Layout { bits }
}

/// The layouts: the row is the number of the data format, its name is that of [`numbers::DATA`].
#[rustfmt::skip]
pub static LAYOUTS: [Layout; 15] = [
    //        X   Y   Z   W
    layout([  0,  0,  0,  0]), // INVALID
    layout([  8,  0,  0,  0]), // 8
    layout([ 16,  0,  0,  0]), // 16
    layout([  8,  8,  0,  0]), // 8_8
    layout([ 32,  0,  0,  0]), // 32
    layout([ 16, 16,  0,  0]), // 16_16
    layout([ 11, 11, 10,  0]), // 10_11_11
    layout([ 10, 11, 11,  0]), // 11_11_10
    layout([  2, 10, 10, 10]), // 10_10_10_2
    layout([ 10, 10, 10,  2]), // 2_10_10_10
    layout([  8,  8,  8,  8]), // 8_8_8_8
    layout([ 32, 32,  0,  0]), // 32_32
    layout([ 16, 16, 16, 16]), // 16_16_16_16
    layout([ 32, 32, 32,  0]), // 32_32_32
    layout([ 32, 32, 32, 32]), // 32_32_32_32
];

impl Layout {
    /// Components.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.bits.iter().filter(|&&b| b != 0).count() as u32
    }

    /// Bytes of one element.
    #[must_use]
    pub fn bytes(&self) -> u32 {
        self.bits.iter().map(|&b| u32::from(b)).sum::<u32>() / 8
    }

    /// Whether components are not bytes, so that an element is moved at once.
    #[must_use]
    pub fn packed(&self) -> bool {
        self.bits.iter().any(|b| b % 8 != 0)
    }

    /// The first bit of each component.
    fn starts(&self) -> [u32; 4] {
        let mut next = 0;
        self.bits.map(|bits| {
            let start = next;
            next += u32::from(bits);
            start
        })
    }
}

/// What the bits of a component mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// 0 to 1.
    Unorm,
    /// -1 to 1; the lowest two numbers are both -1.
    Snorm,
    /// An unsigned integer as a float.
    Uscaled,
    /// A signed integer as a float.
    Sscaled,
    /// An unsigned integer.
    Uint,
    /// A signed integer.
    Sint,
    /// -1 to 1 without zero, as old OpenGL had it: (2n + 1) / (2^bits - 1).
    SnormOgl,
    /// A float of 32, 16, 11 or 10 bits.
    Float,
}

impl Kind {
    /// By number.
    fn decode(num: u32) -> Option<Kind> {
        Some(match num {
            0 => Kind::Unorm,
            1 => Kind::Snorm,
            2 => Kind::Uscaled,
            3 => Kind::Sscaled,
            4 => Kind::Uint,
            5 => Kind::Sint,
            6 => Kind::SnormOgl,
            7 => Kind::Float,
            _ => return None,
        })
    }

    /// Whether registers hold integers.
    #[must_use]
    pub fn is_int(self) -> bool {
        matches!(self, Kind::Uint | Kind::Sint)
    }

    /// The one of this kind: what a `dst_sel` of 1 gives.
    #[must_use]
    pub fn one(self) -> u32 {
        if self.is_int() { 1 } else { 1.0f32.to_bits() }
    }
}

/// A number which is no format that can be executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// INVALID: loads return 0, stores and atomics do nothing.
    #[error("the format is INVALID: there is no buffer")]
    Unbound,
    /// No processor of this generation gives it a meaning for buffers.
    #[error("{number} is no buffer format of {generation}")]
    Unknown {
        /// As encoded.
        number: u32,
        /// Where.
        generation: &'static str,
    },
    /// It can be read only.
    #[error("a format of kind {0:?} cannot be stored")]
    ReadOnly(Kind),
}

/// A buffer format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Which bits.
    pub layout: &'static Layout,
    /// What they mean.
    pub kind: Kind,
    /// The 2-bit component of `2_10_10_10` is read as unsigned although the kind is signed: a bug of gfx6-8.
    pub unsigned_alpha: bool,
}

/// Up to gfx9 the pairs are those that gfx10 counts; any gfx10 will do.
static GFX10: Arch = Arch { name: "", generation: Gen::Gfx10, variant: Variants::G1010, elf_mach: 0, also: &[] };

/// By data and numeric format, as one number.
static KNOWN: LazyLock<[bool; 256]> = LazyLock::new(|| {
    let mut known = [false; 256];
    for pair in numbers::pairs(&Target { arch: &GFX10, features: Features::WAVE32 }) {
        known[usize::from(*pair)] = true;
    }
    known
});

impl Format {
    /// By the number of an MTBUF instruction or of a descriptor (see [`super::buffer::Descriptor::format`]).
    ///
    /// # Errors
    /// It is no format.
    pub fn decode(number: u32, target: &Target) -> Result<Format, FormatError> {
        let generation = target.generation();
        let unknown = FormatError::Unknown { number, generation: generation.name() };
        let pair = if numbers::is_unified(target) {
            u32::from(*numbers::pairs(target).get(number as usize).ok_or(unknown)?)
        } else {
            number
        };
        let (data, num) = (pair & 15, pair >> 4);
        if data == 0 && num < 8 {
            return Err(FormatError::Unbound);
        }
        // SNORM_OGL stands beside SNORM, on the two generations that name it.
        let like = if num == 6 && generation <= Gen::Gfx7 { data | 1 << 4 } else { pair };
        if !KNOWN.get(like as usize).is_some_and(|known| *known) {
            return Err(unknown);
        }
        let kind = Kind::decode(num).ok_or(unknown)?;
        let layout = LAYOUTS.get(data as usize).ok_or(unknown)?;
        let signed = matches!(kind, Kind::Snorm | Kind::Sscaled | Kind::Sint);
        let unsigned_alpha = layout.bits[3] == 2
            && signed
            && !planted!(AlphaSigned)
            && target.is(Variants::G6.union(Variants::G7).union(Variants::G80));
        Ok(Format { layout, kind, unsigned_alpha })
    }

    /// Bytes of one element.
    #[must_use]
    pub fn bytes(&self) -> u32 {
        self.layout.bytes()
    }

    /// Bytes of what is judged, and aligned, by itself: a component, or the element of a packed layout.
    #[must_use]
    pub fn component_bytes(&self) -> u32 {
        if self.layout.packed() { self.layout.bytes() } else { u32::from(self.layout.bits[0]) / 8 }
    }

    /// What range checks judge when an instruction moves `registers` components: bytes of one and how many.
    #[must_use]
    pub fn judged(&self, registers: u32) -> (u32, u32) {
        let count = if self.layout.packed() { 1 } else { registers.min(self.layout.count()) };
        (self.component_bytes(), count)
    }

    /// The components of an element whose words are given, lowest byte first. Components the format lacks are 0.
    #[must_use]
    pub fn load(&self, element: [u32; 4]) -> [u32; 4] {
        let starts = self.layout.starts();
        std::array::from_fn(|n| {
            let width = u32::from(self.layout.bits[n]);
            if width == 0 {
                return 0;
            }
            value(self.kind_of(n), field(&element, starts[n], width), width)
        })
    }

    /// What the bits of a component mean.
    fn kind_of(&self, n: usize) -> Kind {
        match self.kind {
            Kind::Snorm if n == 3 && self.unsigned_alpha => Kind::Unorm,
            Kind::Sscaled if n == 3 && self.unsigned_alpha => Kind::Uscaled,
            Kind::Sint if n == 3 && self.unsigned_alpha => Kind::Uint,
            kind => kind,
        }
    }

    /// The words of an element with these components. Bytes from [`Format::bytes`] on are 0 and not to be written.
    ///
    /// # Errors
    /// The kind can be read only.
    pub fn store(&self, components: [u32; 4]) -> Result<[u32; 4], FormatError> {
        let starts = self.layout.starts();
        let mut element = [0; 4];
        for n in 0..4 {
            let width = u32::from(self.layout.bits[n]);
            let bits = match self.kind {
                _ if width == 0 => continue,
                Kind::Unorm => norm_bits(components[n], width, false),
                Kind::Snorm => norm_bits(components[n], width, true),
                Kind::Uint => int_bits(components[n], width, false),
                Kind::Sint => int_bits(components[n], width, true),
                Kind::Float => float_bits(components[n], width),
                Kind::Uscaled | Kind::Sscaled | Kind::SnormOgl => return Err(FormatError::ReadOnly(self.kind)),
            };
            // A field never crosses a word.
            element[(starts[n] / 32) as usize] |= bits << (starts[n] % 32);
        }
        Ok(element)
    }

    /// Reads one element.
    ///
    /// # Errors
    /// The address faults.
    pub fn read(&self, view: &mut View<'_>, address: u64) -> Result<[u32; 4], Fault> {
        read_element(view, address, self.bytes())
    }

    /// Writes one element and no byte besides.
    ///
    /// # Errors
    /// The address faults.
    pub fn write(&self, view: &mut View<'_>, address: u64, element: [u32; 4]) -> Result<(), Fault> {
        write_element(view, address, self.bytes(), element)
    }
}

/// The words of an element of 1, 2, 4, 8, 12 or 16 bytes, the lowest first.
///
/// # Errors
/// The address faults.
pub fn read_element(view: &mut View<'_>, address: u64, bytes: u32) -> Result<[u32; 4], Fault> {
    let mut element = [0; 4];
    match bytes {
        1 => element[0] = u32::from(view.load_u8(address)?),
        2 => element[0] = u32::from(view.load_u16(address)?),
        // An atomic may write both words.
        8 if address & 7 == 0 => {
            let both = view.load_u64(address)?;
            (element[0], element[1]) = (both as u32, (both >> 32) as u32);
        }
        _ => view.load_words(address, &mut element[..(bytes / 4) as usize])?,
    }
    Ok(element)
}

/// Writes an element of so many bytes and no byte besides.
///
/// # Errors
/// The address faults.
pub fn write_element(view: &mut View<'_>, address: u64, bytes: u32, element: [u32; 4]) -> Result<(), Fault> {
    match bytes {
        1 => view.store_u8(address, element[0] as u8),
        2 => view.store_u16(address, element[0] as u16),
        8 if address & 7 == 0 => view.store_u64(address, u64::from(element[0]) | u64::from(element[1]) << 32),
        _ => view.store_words(address, &element[..(bytes / 4) as usize]),
    }
}

/// Bits of a field which crosses no word.
fn field(element: &[u32; 4], start: u32, width: u32) -> u32 {
    let word = element[(start / 32) as usize] >> (start % 32);
    if width == 32 { word } else { word & ((1 << width) - 1) }
}

/// `1 / (2^n - 1)`.
static SHARES: [f64; 33] = {
    let (mut all, mut n) = ([0.0; 33], 1);
    while n < 33 {
        all[n] = 1.0 / ((1u64 << n) - 1) as f64;
        n += 1;
    }
    all
};

/// The same of few bits in two parts: of the first the product with a number of `n` bits is exact.
static PARTS: [[f32; 2]; 11] = {
    let (mut all, mut n) = ([[0.0; 2]; 11], 1);
    while n < all.len() {
        let most = f32::from_bits((SHARES[n] as f32).to_bits() >> n << n);
        all[n] = [most, (SHARES[n] - most as f64) as f32];
        n += 1;
    }
    all
};

/// What makes shares of numbers of `n` bits: quotients with `2^n - 1`, correctly rounded.
trait Share: Copy {
    /// The share of a number.
    fn of(self, number: i32) -> f32;
}

/// Of 24 bits at most the product is within 2^-51 of the quotient, which is at least 2^-50 away from what lies in the middle between two f32
/// (both relative): rounding it gives the same, without a division.
impl Share for f64 {
    #[inline(always)]
    fn of(self, number: i32) -> f32 {
        (f64::from(number) * self) as f32
    }
}

/// [Few](PARTS) bits need no f64: the test of them all is `norms_are_nearest_and_come_back`.
impl Share for [f32; 2] {
    #[inline(always)]
    fn of(self, number: i32) -> f32 {
        number as f32 * self[0] + number as f32 * self[1]
    }
}

/// What makes shares of a kind's numbers of some width; of few bits by two parts.
#[inline(always)]
fn shares(kind: Kind, width: u32) -> (Option<[f32; 2]>, f64) {
    let n = (width - u32::from(kind == Kind::Snorm)) as usize;
    (PARTS.get(n).copied(), SHARES[n % 33])
}

/// The value of a field in a register.
fn value(kind: Kind, bits: u32, width: u32) -> u32 {
    match shares(kind, width) {
        (Some(share), _) => value_by(share, kind, bits, width),
        (None, share) => value_by(share, kind, bits, width),
    }
}

/// The same by what makes its shares.
#[inline(always)]
fn value_by(share: impl Share, kind: Kind, bits: u32, width: u32) -> u32 {
    let signed = (bits << (32 - width)) as i32 >> (32 - width);
    // Numerators and denominators have 24 bits at most: they are exact.
    let top = |bits: u32| ((1u64 << bits) - 1) as f32;
    match kind {
        Kind::Uint => bits,
        Kind::Sint if planted!(SintUnsigned) => bits,
        Kind::Sint => signed as u32,
        Kind::Float => float_value(bits, width),
        Kind::Unorm if planted!(UnormByPower) => (bits as f32 / (top(width) + 1.0)).to_bits(),
        Kind::Unorm => share.of(bits as i32).to_bits(),
        Kind::Snorm => share.of(signed).max(if planted!(SnormLowest) { -2.0 } else { -1.0 }).to_bits(),
        Kind::SnormOgl => ((2 * signed + 1) as f32 / top(width)).to_bits(),
        Kind::Uscaled if planted!(ScaledNormal) => bits,
        Kind::Uscaled => (bits as f32).to_bits(),
        Kind::Sscaled => (signed as f32).to_bits(),
    }
}

/// Where a register of a formatted access comes from: `dst_sel`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Select {
    /// Nothing.
    Zero,
    /// The one of the format's kind.
    One,
    /// Component 0 to 3: X, Y, Z, W.
    Component(u8),
}

/// Typed and untyped instructions: registers are components.
pub const IDENTITY: [Select; 4] =
    [Select::Component(0), Select::Component(1), Select::Component(2), Select::Component(3)];

impl Select {
    /// By the three bits of a descriptor.
    #[must_use]
    pub const fn decode(code: u32) -> Select {
        match code & 7 {
            1 => Select::One,
            4..=7 => Select::Component(code as u8 & 3),
            _ => Select::Zero,
        }
    }
}

/// The registers of a load. With components of 0 this is also what a load out of range gives.
#[must_use]
pub fn select(selects: [Select; 4], kind: Kind, components: [u32; 4]) -> [u32; 4] {
    selects.map(|select| match select {
        Select::Zero => 0,
        Select::One if planted!(SelectOneFloat) => 1.0f32.to_bits(),
        Select::One => kind.one(),
        Select::Component(n) => components[usize::from(n & 3)],
    })
}

/// The components of a store: each is the first of the registers that a load would fill from it, else 0.
#[must_use]
pub fn unselect(selects: [Select; 4], registers: &[u32]) -> [u32; 4] {
    let mut components = [0; 4];
    for (&select, &register) in selects.iter().zip(registers).rev() {
        if let Select::Component(n) = select {
            let n = if planted!(SelectBackwards) { n.wrapping_sub(1) } else { n };
            components[usize::from(n & 3)] = register;
        }
    }
    components
}

/// Registers of a D16 load: floats are cut to f16, integers to 16 bits.
#[must_use]
pub fn halves(kind: Kind, registers: [u32; 4]) -> [u16; 4] {
    registers.map(|r| if kind.is_int() { r as u16 } else { convert::f16_toward_zero(r) })
}

/// Registers of a D16 store, as wide ones.
#[must_use]
pub fn widen(kind: Kind, halves: [u16; 4]) -> [u32; 4] {
    halves.map(|h| match kind {
        Kind::Uint => u32::from(h),
        Kind::Sint if planted!(D16IntegersAsFloats) => u32::from(h),
        Kind::Sint => h as i16 as i32 as u32,
        _ => float_value(u32::from(h), 16),
    })
}

/// An f16 as f32, which is exact.
#[must_use]
pub fn f16_value(bits: u32) -> f32 {
    f32::from_bits(float_value(bits & 0xffff, 16))
}

/// Whether D16 data is two components a register, the first one low. Otherwise each has the low half of its own.
#[must_use]
pub fn packs_d16(target: &Target) -> bool {
    (target.generation() >= Gen::Gfx9 || target.is(Variants::G81)) && !planted!(D16Unpacked)
}

/// Whether a store takes the first component that has a register for those that have none. Otherwise they are zeros.
///
/// Mesa relies on both: it leaves out zeros up to gfx11, and from gfx12 on what is like the first component.
#[must_use]
pub fn repeats_first(target: &Target) -> bool {
    target.generation() >= Gen::Gfx12 && !planted!(StoreFilledWithZeros)
}

/// The four components of a store that [repeats the first](repeats_first) of those that have a register, whose bits are set; the others are zeros, and
/// stay so where no bit is.
pub fn repeat_first<T: Copy>(components: &mut [T; 4], supplied: u8) {
    let first = components[supplied.trailing_zeros().min(3) as usize];
    let others = components.iter_mut().zip(0..).filter(|(_, n)| supplied >> n & 1 == 0);
    others.for_each(|(component, _)| *component = first);
}

#[cfg(test)]
mod tests;
