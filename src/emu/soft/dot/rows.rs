//! The sums of matrix products: a row of A with all columns of B at once, as the [adders](super) make them.
//!
//! All of it is in f64, whose 53 bits have room for every step: a number divided by the unit of a grid, without what lies behind the point, is
//! the number aligned to that grid. The loops are over columns, without branches, so that the compiler makes vectors of them.
//!
//! - A grid follows from powers of two: those of the factors ([`Factors::powers`]), of which the product is that of the highest place of a
//!   product, and that of the accumulator. The power of a zero is zero, and so has no say.
//! - On gfx11 a term of the other sign counts as the complement of its magnitude. With the signs `s` of a product and `t` of the accumulator
//!   that adds `(s - t) / 2` to the sum of the terms with their signs.
//! - Sums in which something is infinite or a NaN follow from the arithmetic of the host on such: rows that have any are looked at once more.

use super::{Adder, FACTOR_NAN, INVALID, Target};
use crate::emu::soft::fused::{self, Kind};
use crate::emu::soft::{BF16, F16, F32, finite_half, to_half};

/// The columns of a matrix.
pub const COLUMNS: usize = 16;

/// The most factors of a sum.
pub const DEPTH: usize = 32;

/// One of something for each column.
pub type Row<T> = [T; COLUMNS];

/// Which row of B belongs to each element of a row of A.
pub type Order = [u8; DEPTH];

/// Every row to the element of its number.
pub const IN_ORDER: Order = {
    let mut order = [0; DEPTH];
    let mut k = 0;
    while k < DEPTH {
        order[k] = k as u8;
        k += 1;
    }
    order
};

/// What a product adds and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sums {
    adder: Adder,
    of: [Kind; 2],
    target: Target,
}

/// A matrix of factors, by `k`: rows of B, columns of A.
pub struct Factors {
    depth: usize,
    real: [Row<f64>; DEPTH],
    /// For each the power of two of its highest place, divided by 2^12; zero for zeros.
    powers: [Row<f64>; DEPTH],
    /// Whether one is infinite or a NaN.
    strange: bool,
}

impl Factors {
    /// Numbers, subnormals flushed or not, and their powers; `least` is the exponent of the smallest normal number.
    #[inline(always)]
    fn fill(&mut self, least: i32, flush: bool, bits: &[Row<u32>], number: impl Fn(u32) -> f32) {
        let to = self.real.as_flattened_mut().iter_mut().zip(self.powers.as_flattened_mut());
        let mut most = 0;
        for (bits, (real, power)) in bits.as_flattened().iter().zip(to) {
            let v = number(*bits).to_bits();
            let magnitude = v & !(1 << 31);
            let v = if flush && magnitude < 1 << 23 { v ^ magnitude } else { v };
            let field = ((magnitude >> 23) as i32 - 127).max(least) + 1023 - 12;
            *real = f64::from(f32::from_bits(v));
            *power = f64::from_bits(if v << 1 == 0 { 0 } else { (field as u64) << 52 });
            most = most.max(magnitude);
        }
        self.strange = most >= 0x7f80_0000;
    }

    /// Of no matrix.
    pub const NONE: Factors =
        Factors { depth: 0, real: [[0.0; COLUMNS]; DEPTH], powers: [[0.0; COLUMNS]; DEPTH], strange: false };
}

/// `2^exp`
const fn power(exp: i32) -> f64 {
    f64::from_bits(((exp + 1023) as u64) << 52)
}

/// The power of two at or below a magnitude; of a zero that.
#[inline(always)]
fn leading(v: f64) -> f64 {
    f64::from_bits(v.to_bits() & 0x7ff0_0000_0000_0000)
}

/// The inverse of a power of two; of zero some power, of what is not finite something.
#[inline(always)]
fn inverse(power: f64) -> f64 {
    f64::from_bits(((2 * 1023u64) << 52).wrapping_sub(power.to_bits()))
}

/// The higher one of two numbers, in one instruction.
#[inline(always)]
fn higher(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

impl Sums {
    /// Of the products of two kinds of numbers, as f32 or, if `packed`, in the format of the factors.
    #[must_use]
    pub fn new(adder: Adder, of: [Kind; 2], packed: bool) -> Sums {
        let target = match of[0] {
            Kind::Half(BF16) if packed => Target::Bf16,
            Kind::Half(_) if packed => Target::F16 { saturate: false },
            _ => Target::F32,
        };
        Sums { adder, of, target }
    }

    /// Takes a matrix apart: A or B.
    ///
    /// One loop over all of it: of sixteen turns, whose number it knows, the compiler does not make vector code.
    #[inline(always)]
    pub fn take(self, source: usize, bits: &[Row<u32>], factors: &mut Factors) {
        let kind = self.of[source];
        let flush = self.adder == Adder::Gfx11 && kind == Kind::Half(BF16);
        let bits = &bits[..bits.len().min(DEPTH)];
        factors.depth = bits.len();
        match kind {
            Kind::Half(BF16) => factors.fill(kind.least(), flush, bits, |bits| fused::wide(BF16, bits)),
            Kind::Half(_) => factors.fill(kind.least(), false, bits, |bits| fused::wide(F16, bits)),
            Kind::Small(fp8) => factors.fill(kind.least(), false, bits, |bits| fused::small(fp8, bits)),
            Kind::Xf32 => factors.fill(kind.least(), false, bits, f32::from_bits),
        }
    }

    /// Adds the products of rows of A with the columns of B to their sums.
    #[inline(always)]
    pub fn add(self, a: &Factors, b: &Factors, lines: &mut [Line<'_>]) {
        const HALF: Target = Target::F16 { saturate: false };
        let small = matches!(self.of[0], Kind::Small(_));
        match (self.adder, self.target) {
            (Adder::Gfx11, Target::F32) => add::<2>(gfx11, Target::F32, true, INVALID, a, b, lines),
            (Adder::Gfx11, Target::F16 { .. }) => add::<2>(gfx11, HALF, false, INVALID, a, b, lines),
            (Adder::Gfx11, Target::Bf16) => add::<2>(gfx11, Target::Bf16, true, INVALID, a, b, lines),
            (Adder::Gfx12, Target::F32) if small => add::<4>(gfx12::<1>, Target::F32, false, FACTOR_NAN, a, b, lines),
            (Adder::Gfx12, Target::F32) => add::<4>(gfx12::<2>, Target::F32, false, INVALID, a, b, lines),
            (Adder::Gfx12, Target::F16 { .. }) => add::<4>(gfx12::<2>, HALF, false, INVALID, a, b, lines),
            (Adder::Gfx12, Target::Bf16) => add::<4>(gfx12::<2>, Target::Bf16, false, INVALID, a, b, lines),
        }
    }
}

/// A row of the result.
#[derive(Clone, Copy)]
pub struct Line<'a> {
    /// The row of A.
    pub row: usize,
    /// The rows of B, which are not in order where A is sparse.
    pub order: &'a Order,
    /// The accumulators, which become the sums.
    pub sums: Row<u32>,
}

/// The factors of a step: some elements of a row of A, and as many rows of B.
struct Terms<'a, const AT_ONCE: usize> {
    a: [f64; AT_ONCE],
    a_powers: [f64; AT_ONCE],
    b: [&'a Row<f64>; AT_ONCE],
    b_powers: [&'a Row<f64>; AT_ONCE],
}

impl<'a, const AT_ONCE: usize> Terms<'a, AT_ONCE> {
    #[inline(always)]
    fn of(a: &'a Factors, b: &'a Factors, line: &Line<'_>, first: usize) -> Self {
        let row = line.row.min(COLUMNS - 1);
        let mut terms = Terms {
            a: [0.0; AT_ONCE],
            a_powers: [0.0; AT_ONCE],
            b: [&b.real[0]; AT_ONCE],
            b_powers: [&b.powers[0]; AT_ONCE],
        };
        for n in 0..AT_ONCE {
            let k = usize::from(line.order[first + n]).min(DEPTH - 1);
            (terms.a[n], terms.a_powers[n]) = (a.real[first + n][row], a.powers[first + n][row]);
            (terms.b[n], terms.b_powers[n]) = (&b.real[k], &b.powers[k]);
        }
        terms
    }
}

/// Adds so many products at once to the accumulators of each line, until there are none left.
#[inline(always)]
fn add<const AT_ONCE: usize>(
    sum: impl Fn(&Terms<'_, AT_ONCE>, usize, f64, Target) -> f64,
    target: Target,
    flush: bool,
    invalid: u64,
    a: &Factors,
    b: &Factors,
    lines: &mut [Line<'_>],
) {
    for first in (0..a.depth.min(DEPTH)).step_by(AT_ONCE) {
        // All lines take a step before one takes the next, which has to wait for it.
        for line in &mut *lines {
            let terms = Terms::of(a, b, line, first.min(DEPTH - AT_ONCE));
            let (before, mut sums) = (line.sums, [0; COLUMNS]);
            for j in 0..COLUMNS {
                let c = f64::from(f32::from_bits(wide(target, before[j])));
                sums[j] = narrow(target, flush, sum(&terms, j, c, target));
            }
            line.sums = sums;
            if a.strange || b.strange || !are_finite(target, &before) {
                add_strange(target, invalid as u32, &terms, &before, &mut line.sums);
            }
        }
    }
}

/// Whether all accumulators are finite.
#[inline(always)]
fn are_finite(target: Target, row: &Row<u32>) -> bool {
    let (magnitude, inf) = match target {
        Target::F32 => (u32::MAX >> 1, 0x7f80_0000),
        Target::Bf16 => (0x7fff, 0x7f80),
        Target::F16 { .. } => (0x7fff, 0x7c00),
    };
    let mut most = 0;
    for c in row {
        most = most.max(c & magnitude);
    }
    most < inf
}

/// The sum of column `j`, exactly, as gfx11 makes it.
#[inline(always)]
fn gfx11(terms: &Terms<'_, 2>, j: usize, c: f64, target: Target) -> f64 {
    let c = if c.abs() < f64::from(f32::MIN_POSITIVE) { 0.0f64.copysign(c) } else { c };
    // For f16 even where the accumulator is zero.
    let least = if matches!(target, Target::F16 { .. }) { power(-14) } else { 0.0 };
    let mut grid = higher(leading(c), least) * power(-26);
    for n in 0..2 {
        grid = higher(grid, terms.a_powers[n] * terms.b_powers[n][j]);
    }
    let unit = inverse(grid);
    let mut sum = (c * unit).trunc() - 1.0f64.copysign(c);
    for n in 0..2 {
        let product = terms.a[n] * terms.b[n][j];
        sum += (product * unit).trunc() + 0.5f64.copysign(product);
    }
    sum * grid
}

/// The sum of column `j`, exactly, as gfx12 makes it of so many groups of products.
#[inline(always)]
fn gfx12<const GROUPS: usize>(terms: &Terms<'_, 4>, j: usize, c: f64, target: Target) -> f64 {
    let least = power(if matches!(target, Target::F16 { .. }) { -14 } else { -126 });
    let mut grid = higher(leading(c), least) * power(-26);
    let mut grids = [0.0; GROUPS];
    for n in 0..4 {
        let own = &mut grids[n * GROUPS / 4];
        *own = higher(*own, terms.a_powers[n] * terms.b_powers[n][j]);
        grid = higher(grid, *own);
    }
    let unit = inverse(grid);
    let kept = c * unit;
    // What is left of a negative accumulator is rounded down; nothing of it counts on the finest grids only.
    let mut sum = if kept > -1.0 && grid > least { kept.trunc() } else { kept.floor() };
    for (group, own) in grids.iter().enumerate() {
        let own_unit = inverse(*own);
        let mut part = 0.0;
        for n in group * 4 / GROUPS..(group + 1) * 4 / GROUPS {
            part += (terms.a[n] * terms.b[n][j] * own_unit).floor();
        }
        sum += (part * (own * unit)).floor();
    }
    sum * grid
}

/// An accumulator or sum as an f32.
#[inline(always)]
fn wide(target: Target, bits: u32) -> u32 {
    match target {
        Target::F32 => bits,
        Target::Bf16 => bits << 16,
        Target::F16 { .. } if bits & 0x7c00 == 0x7c00 => (bits & 0x8000) << 16 | 0x7f80_0000 | (bits & 0x3ff) << 13,
        Target::F16 { .. } => finite_half(bits).to_bits(),
    }
}

/// A sum, rounded. All zeros are positive.
#[inline(always)]
fn narrow(target: Target, flush: bool, sum: f64) -> u32 {
    if matches!(target, Target::F16 { .. }) {
        let bits = to_half(sum);
        // Nothing but the sign.
        return if bits == 0x8000 { 0 } else { bits };
    }
    // With 24 bits what is larger is a normal number.
    let tiny = flush && sum.abs() < power(-126) - power(-151);
    let bits = if tiny { 0 } else { (sum as f32 + 0.0).to_bits() };
    if target == Target::Bf16 { bits >> 16 } else { bits }
}

/// Replaces the sums of columns in which something is infinite or a NaN.
#[inline(always)]
fn add_strange<const AT_ONCE: usize>(
    target: Target,
    invalid: u32,
    terms: &Terms<'_, AT_ONCE>,
    before: &Row<u32>,
    sums: &mut Row<u32>,
) {
    for j in 0..COLUMNS {
        let (mut products, mut factor_nan) = (0.0, false);
        for n in 0..AT_ONCE {
            let (a, b) = (terms.a[n], terms.b[n][j]);
            products += a * b;
            factor_nan |= a.is_nan() | b.is_nan();
        }
        let c = wide(target, before[j]);
        let all = products + f64::from(f32::from_bits(c));
        let special = if factor_nan {
            FACTOR_NAN as u32
        } else if products.is_nan() {
            invalid
        } else if f32::from_bits(c).is_nan() {
            c | F32.quiet_bit() as u32
        } else if all.is_nan() {
            invalid
        } else {
            F32.inf() as u32 | (all.to_bits() >> 63 << 31) as u32
        };
        sums[j] = if all.is_finite() { sums[j] } else { narrow_special(target, special) };
    }
}

/// What is not finite, in the format of the target.
#[inline(always)]
fn narrow_special(target: Target, special: u32) -> u32 {
    let nan = special == FACTOR_NAN as u32;
    match target {
        Target::F32 => special,
        Target::Bf16 if nan => 0xfffd,
        Target::Bf16 => special >> 16,
        Target::F16 { .. } if nan => 0xfe3d,
        Target::F16 { .. } => special >> 16 & 0x8000 | 0x7c00 | special >> 13 & 0x3ff,
    }
}
