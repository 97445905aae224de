//! The sums of the [adders](super) in words of 32 bits: what all terms lie within, when none is very large or very small.
//!
//! A factor is an integer and the exponent of its highest place; a product of two is a product of integers and a sum of exponents. To align a
//! term to a grid is to shift it, and the sum of all is an i32 whose conversion to f32 is the one rounding.
//!
//! - An arithmetic shift rounds down, as gfx12 does. On gfx11 a term of the other sign than the accumulator counts as the complement of its
//!   magnitude. Where the accumulator is positive, that is what a negative term as the complement of its magnitude becomes by such a shift;
//!   where it is negative, all terms are the complements of what they would be there, and so one less than their negation each.
//! - A sum that lies beyond these [bounds](FIELDS) is made in another way.

use super::Target;
use crate::emu::soft::{self, Fp8, nearest_half};
use std::ops::RangeInclusive;

/// Places are counted from here, so that they are positive, and so far from zero that no sum of a zero's place and another one is that of a product.
const PLACE: u32 = 1 << 20;
/// The sign, above the place.
const SIGN: u32 = 1 << 31;
/// The unit of a product lies so far below its highest place.
const PRODUCT: u32 = 24;
/// A grid is counted from here: the grid of a product is the sum of two places.
const GRID: i32 = (2 * PLACE + PRODUCT) as i32;
/// What makes the grid of an accumulator of its exponent's field: it lies 26 below the highest place.
const ACCUMULATOR: u32 = (GRID - 127 - 26) as u32;
/// The fields of the exponents of accumulators that are neither very large nor very small.
const FIELDS: RangeInclusive<u32> = 64..=190;
/// The places of products that are not.
const PLACES: RangeInclusive<i32> = -60..=60;

/// A factor: an integer, and above its place the sign. A zero has no place.
#[derive(Clone, Copy, Default)]
pub(in crate::emu) struct Factor {
    pub(super) integer: i32,
    pub(super) place: u32,
}

/// A format of factors.
#[derive(Clone, Copy)]
pub(in crate::emu) struct Format {
    exp: u32,
    man: u32,
    bias: i32,
    /// Whether subnormals are zeros.
    flush: bool,
}

impl Format {
    /// Of 16 bits.
    pub(in crate::emu) const fn half(f: soft::Format, flush: bool) -> Format {
        Format { exp: f.exp, man: f.man, bias: f.bias(), flush }
    }

    /// Of eight.
    pub(in crate::emu) const fn byte(fp8: Fp8) -> Format {
        Format { exp: fp8.format().exp, man: fp8.format().man, bias: fp8.bias(), flush: false }
    }

    /// Whether all products are neither very large nor very small.
    pub(in crate::emu) const fn is_small(self) -> bool {
        self.exp < 8
    }

    /// Whether subnormals are zeros.
    pub(super) const fn flushes(self) -> bool {
        self.flush
    }

    /// Whether a number has the highest exponent: with a few of eight bits, that is no finite one.
    #[inline(always)]
    pub(in crate::emu) fn is_highest(self, bits: u32) -> bool {
        let highest = (1 << self.exp) - 1;
        bits >> self.man & highest == highest
    }

    /// A finite number; its integer in units of `2^-up` of the last place.
    #[inline(always)]
    pub(in crate::emu) fn factor(self, bits: u32, up: u32) -> Factor {
        let Format { exp, man, bias, flush } = self;
        let field = bits >> man & ((1 << exp) - 1);
        let fraction = bits & ((1 << man) - 1);
        let low = if flush { 0 } else { fraction };
        let significand = if field == 0 { low } else { fraction | 1 << man };
        let sign = bits << (31 - exp - man) & SIGN;
        let negative = sign as i32 >> 31;
        let integer = ((significand << up) as i32 ^ negative) - negative;
        let place = (field.max(1) as i32 - bias + PLACE as i32) as u32;
        Factor { integer, place: if significand == 0 { sign } else { place | sign } }
    }

    /// All numbers of a word, the lowest first.
    #[inline(always)]
    pub(in crate::emu) fn factors<const N: usize>(self, word: u32, up: u32) -> [Factor; N] {
        let mut all = [Factor::default(); N];
        for (n, factor) in (0..).zip(&mut all) {
            *factor = self.factor(word >> (32 / N as u32 * n), up);
        }
        all
    }
}

/// The power of two of a highest place, divided by 2^12 so that the product of two is the unit of a product; zero for a zero.
#[inline(always)]
pub(super) fn power(place: u32) -> f64 {
    let place = place & !SIGN;
    let field = place.wrapping_sub(PLACE).wrapping_add(1023 - PRODUCT / 2);
    f64::from_bits(if place == 0 { 0 } else { u64::from(field) << 52 })
}

/// By how much the integers of one of two factors are to be larger than their last place says.
pub(in crate::emu) const fn up(of: [Format; 2]) -> u32 {
    PRODUCT - of[0].man - of[1].man
}

/// Between which exponents the places of a matrix lie, but for zeros.
#[derive(Clone, Copy)]
pub(super) struct Span {
    least: i32,
    most: i32,
}

impl Span {
    pub(super) const NONE: Span = Span { least: i32::MAX / 4, most: i32::MIN / 4 };

    /// With one factor more.
    #[inline(always)]
    pub(super) fn and(self, factor: Factor) -> Span {
        let place = (factor.place & !SIGN) as i32;
        let least = if place == 0 { i32::MAX / 4 } else { place };
        Span { least: self.least.min(least), most: self.most.max(place) }
    }

    /// Whether all products of two matrices can be added here.
    pub(super) fn fits(self, other: Span) -> bool {
        let bound = |place: i32| 2 * PLACE as i32 + place;
        self.least + other.least >= bound(*PLACES.start()) && self.most + other.most <= bound(*PLACES.end())
    }
}

/// A product: an integer, and where it lies.
#[inline(always)]
fn product(a: Factor, b: Factor) -> (i32, u32) {
    (a.integer.wrapping_mul(b.integer), a.place.wrapping_add(b.place))
}

/// Whether a product is neither very large nor very small; a zero is not.
#[inline(always)]
pub(in crate::emu) fn is_within(a: Factor, b: Factor) -> bool {
    let (integer, place) = product(a, b);
    let first = (2 * PLACE as i32 + *PLACES.start()) as u32;
    ((place & !SIGN).wrapping_sub(first) <= (*PLACES.end() - *PLACES.start()) as u32) | (integer == 0)
}

/// How far a term is moved down to a grid.
#[inline(always)]
fn down(grid: u32, own: u32) -> u32 {
    grid.wrapping_sub(own).min(31)
}

/// An accumulator, an f32: the significand, its grid, its sign as all bits or none.
#[inline(always)]
fn accumulator(c: u32) -> (u32, u32, i32) {
    let field = c >> 23 & 0xff;
    let significand = if field == 0 { 0 } else { (c & 0x007f_ffff | 0x0080_0000) << 3 };
    (significand, field + ACCUMULATOR, c as i32 >> 31)
}

/// The lowest grid of an accumulator, which for f16 has a say even where that is zero.
#[inline(always)]
const fn lowest(target: Target) -> u32 {
    match target {
        Target::F16 { .. } => 127 - 14 + ACCUMULATOR,
        Target::F32 | Target::Bf16 => 1 + ACCUMULATOR,
    }
}

/// A sum as gfx11 makes it, and its grid.
#[inline(always)]
pub(in crate::emu) fn gfx11<const N: usize>(target: Target, a: [Factor; N], b: [Factor; N], c: u32) -> (i32, u32) {
    let (significand, own, negative) = accumulator(c);
    let mut grid = own.max(lowest(target));
    let mut products = [(0, 0); N];
    for n in 0..N {
        products[n] = product(a[n], b[n]);
        grid = grid.max(products[n].1 & !SIGN);
    }
    let magnitude = (significand >> down(grid, own)) as i32;
    let mut sum = (magnitude ^ negative) + (negative & (1 + N as i32));
    for (integer, place) in products {
        let complement = integer + (place as i32 >> 31);
        sum += complement >> down(grid, place & !SIGN);
    }
    (sum, grid)
}

/// A sum as gfx12 makes it of so many groups of products, and its grid.
#[inline(always)]
pub(in crate::emu) fn gfx12<const GROUPS: usize, const N: usize>(
    target: Target,
    a: [Factor; N],
    b: [Factor; N],
    c: u32,
) -> (i32, u32) {
    let (significand, own, negative) = accumulator(c);
    let mut grid = own.max(lowest(target));
    let mut products = [(0, 0); N];
    let mut grids = [0; GROUPS];
    for n in 0..N {
        let (integer, place) = product(a[n], b[n]);
        products[n] = (integer, place & !SIGN);
        let group = &mut grids[n * GROUPS / N];
        *group = (*group).max(place & !SIGN);
    }
    for group in grids {
        grid = grid.max(group);
    }
    let down_to = down(grid, own);
    let signed = (significand as i32 ^ negative) - negative;
    // What is left of a negative accumulator is rounded down; nothing of it counts on the finest grids only.
    let finest = match target {
        Target::F16 { .. } => grid <= (GRID - 14) as u32,
        // Those are beyond the bounds.
        Target::F32 | Target::Bf16 => false,
    };
    let vanishes = (significand >> down_to == 0) & !finest;
    let mut sum = if vanishes { 0 } else { signed >> down_to };
    for (n, group) in grids.into_iter().enumerate() {
        let mut part = 0;
        for (integer, place) in &products[n * N / GROUPS..(n + 1) * N / GROUPS] {
            part += integer >> down(group, *place);
        }
        sum += part >> down(grid, group);
    }
    (sum, grid)
}

/// A sum, rounded. All zeros are positive.
#[inline(always)]
pub(in crate::emu) fn rounded(target: Target, (sum, grid): (i32, u32)) -> u32 {
    // Where nothing is added but zeros, the grid is so low that there is no such power of two: zero stands for it.
    let field = (grid as i32 - GRID + 127).max(0) as u32;
    let power = f32::from_bits(field << 23);
    if let Target::F16 { .. } = target {
        // The last five bits of a large sum are at most one odd one above them: that is rounded as they are.
        let odd = sum & !31 | if sum & 31 != 0 { 32 } else { 0 };
        let sum = if sum.unsigned_abs() < 1 << 20 { sum } else { odd };
        let bits = (sum as f32 * power).to_bits();
        let magnitude = nearest_half(bits & !SIGN);
        return if magnitude == 0 { 0 } else { magnitude | bits >> 16 & 0x8000 };
    }
    let bits = (sum as f32 * power + 0.0).to_bits();
    if target == Target::Bf16 { bits >> 16 } else { bits }
}

/// Whether an accumulator, an f32, lies within the bounds; below the normals zeros do, and, if they are `flushed`, all.
#[inline(always)]
pub(in crate::emu) fn fits(target: Target, flushed: bool, c: u32) -> bool {
    let field = c >> 23 & 0xff;
    let within = match target {
        Target::F16 { .. } => field != 0xff,
        Target::F32 | Target::Bf16 => field.wrapping_sub(*FIELDS.start()) <= *FIELDS.end() - *FIELDS.start(),
    };
    within | (if flushed { field == 0 } else { c << 1 == 0 })
}
