//! Sums of products as the matrix cores of CDNA make them.
//!
//! Nobody but the hardware says how it adds; MMA-Sim (Xie and others, arXiv 2511.10909) found it out by experiments and holds its models against
//! MI100, MI250X and MI300X bit by bit. Three kinds of adders follow its description ([`Core`]):
//!
//! - gfx908 adds some products and the accumulator exactly, and rounds once;
//! - gfx90a multiplies and adds in f32, in pairs; operands that are subnormal or zero are +0, results that are subnormal zeros of their sign;
//! - gfx940 aligns products to the largest of their exponents, cuts them to 24 places behind the point, and adds them as integers. This sum
//!   (rounded down to 32 places) and the accumulator (rounded down to 24) are aligned and added, the result is rounded down to 31 places and
//!   then to nearest even. Products of eight bits have a sum for even and one for odd elements.
//!
//! f64 and f32 are chains of fused multiply-adds, integers are exact. open: which NaN comes out (here always the quiet one without sign and
//! payload), and the sign of a sum that is zero (here +, but in chains and on gfx90a).
//!
//! A [`Core`] makes the sums of a row of A with all columns of B at once: the loops are over columns,
//! without branches, calls of closures and checks of bounds, so that the compiler makes vectors of
//! them. What a loop cannot make is looked for by rows, and made once more or one by one: sums that
//! are not finite, and in [`exact`] those whose terms lie far apart.

mod cut;
mod exact;
#[cfg(test)]
mod tests;

use super::{BF16, F16, F64, Format, Fp8, finite_half};
use crate::each::each;
use crate::fault::planted;
pub(super) use cut::small;

/// The most columns; rows have a place for each, zeros behind the last one that there is.
pub const COLUMNS: usize = 32;

/// One of something for each column.
pub type Row<T> = [T; COLUMNS];

/// How sums of 32 bits are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Core {
    /// Fused multiply-adds of f32, one after the other.
    Chain,
    /// So many products and the accumulator at once, rounded once.
    Exact(Format, usize),
    /// Products of a format in f32, in pairs; so many together before the accumulator, without subnormals.
    Flushing(Format, usize),
    /// So many products, cut; then the accumulator.
    Cut(Kind, Kind, usize),
    /// Bytes with signs.
    Bytes,
}

/// What a factor is where products are cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A float of 16 bits.
    Half(Format),
    /// An f32 of which the last 13 bits do not count.
    Xf32,
    /// A number of eight bits.
    Small(Fp8),
}

/// A matrix of factors, by `k`: rows of B, columns of A. Which of its parts there are depends on the
/// adder.
#[derive(Default)]
pub struct Factors {
    /// How many columns there are. A loop over them all, whose number the compiler knows, is taken apart before it could become vector code.
    columns: usize,
    /// Chains and pairs, and sums that are cut of halves and bytes: numbers as f32.
    single: Vec<Row<f32>>,
    /// Bytes with their signs.
    whole: Vec<Row<i32>>,
    /// Exact sums, and those that are cut of others: numbers as f64. Rows of zeros fill up what is
    /// added at once.
    real: Vec<Row<f64>>,
    /// Exact sums: what the words are.
    bits: Vec<Row<u32>>,
    /// Exact sums: how many powers of two lie between the factors that are added at once, and the
    /// most of all columns.
    spans: Vec<(Row<i32>, i32)>,
    /// Sums that are cut: exponents.
    exps: Vec<Row<i16>>,
    /// Sums that are cut: the largest magnitude of each column, as the bits of an f32, and that of
    /// all.
    most: Row<u32>,
    peak: u32,
}

/// A number of a format of 16 bits as f32, exactly.
#[inline(always)]
pub(super) fn wide(f: Format, bits: u32) -> f32 {
    if f == BF16 {
        return f32::from_bits(bits << 16);
    }
    let special = f32::from_bits((bits & 0x8000) << 16 | 0x7f80_0000 | (bits & 0x3ff) << 13);
    if bits & 0x7c00 == 0x7c00 { special } else { finite_half(bits) }
}

/// An f32 without subnormals: a zero of its sign.
#[inline(always)]
fn flushed(v: f32) -> f32 {
    if v.abs() < f32::MIN_POSITIVE { 0.0f32.copysign(v) } else { v }
}

/// The quiet NaN without sign and payload for every NaN.
#[inline(always)]
fn settled(v: f32) -> u32 {
    if v.is_nan() { 0x7fc0_0000 } else { v.to_bits() }
}

/// The same of all rows.
#[inline(always)]
fn maps<T: Copy, U: Copy + Default>(rows: &[Row<T>], f: impl Fn(T) -> U) -> Vec<Row<U>> {
    let mut all = vec![[U::default(); COLUMNS]; rows.len()];
    for (to, row) in all.iter_mut().zip(rows) {
        for (to, of) in to.iter_mut().zip(row) {
            *to = f(*of);
        }
    }
    all
}

/// The number of a column, of which the compiler sees that a row has it: elements of A are then
/// taken from memory into vectors as they are needed, without a look at bounds.
#[inline(always)]
fn in_row(n: usize) -> usize {
    n.min(COLUMNS - 1)
}

/// Some of the rows that there are, if any.
#[inline(always)]
fn chosen<T: Copy>(all: &[Row<T>], rows: &[usize]) -> Vec<Row<T>> {
    let mut some = Vec::with_capacity(rows.len());
    for row in rows {
        some.extend(all.get(*row));
    }
    some
}

impl Factors {
    /// How many columns there are: the compiler sees that it is no more than a row has.
    #[inline(always)]
    fn columns(&self) -> usize {
        self.columns.min(COLUMNS)
    }

    /// Some of the rows of B, one after the other: for adders of gfx940, which alone has matrices of
    /// which some elements are left out. What is said of columns is then about more rows than there
    /// are, which does no harm.
    #[inline(always)]
    pub fn chosen(&self, rows: &[usize]) -> Factors {
        Factors {
            single: chosen(&self.single, rows),
            whole: chosen(&self.whole, rows),
            real: chosen(&self.real, rows),
            exps: chosen(&self.exps, rows),
            most: self.most,
            peak: self.peak,
            columns: self.columns,
            ..Factors::default()
        }
    }
}

impl Core {
    /// A matrix of factors, taken apart: the first or the second of each product.
    #[inline(always)]
    pub fn factors(self, second: bool, bits: Vec<Row<u32>>, columns: usize) -> Factors {
        let mut factors = match self {
            Core::Cut(a, b, at_once) => cut::factors(if second { b } else { a }, at_once, bits),
            Core::Exact(f, at_once) => exact::factors(f, at_once, bits),
            Core::Flushing(f, _) => {
                let number = |bits: u32| match bits & f.inf() as u32 {
                    0 if !planted!(MatrixSubnormalsCount) => 0.0,
                    _ => wide(f, bits),
                };
                Factors { single: maps(&bits, number), ..Factors::default() }
            }
            Core::Bytes => Factors { whole: maps(&bits, |bits| i32::from(bits as u8 as i8)), ..Factors::default() },
            Core::Chain => Factors { single: maps(&bits, f32::from_bits), ..Factors::default() },
        };
        factors.columns = columns.min(COLUMNS);
        factors
    }

    /// Adds the products of rows of A, from `row` of `a` on, with each column of `b` to their sums.
    #[inline(always)]
    pub fn add(self, a: &Factors, row: usize, b: &Factors, sums: &mut [Row<u32>]) {
        match self {
            Core::Exact(f, at_once) => exact::add(f, at_once, a, row, b, sums),
            Core::Cut(.., at_once) => cut::add(at_once, a, row, b, sums),
            _ => {
                for (row, sums) in (row..).zip(sums) {
                    self.add_row(a, row, b, sums);
                }
            }
        }
    }

    /// The same of one row, where all of them are made alike.
    #[inline(always)]
    fn add_row(self, a: &Factors, row: usize, b: &Factors, sums: &mut Row<u32>) {
        let columns = b.columns();
        match self {
            Core::Chain => {
                let mut all = each(sums, f32::from_bits);
                for (a, b) in a.single.iter().zip(&b.single) {
                    let a = a[row];
                    for (sum, b) in all[..columns].iter_mut().zip(b) {
                        *sum = a.mul_add(*b, *sum);
                    }
                }
                *sums = each(&all, settled);
            }
            // No sum of products of halves is subnormal: they are multiples of 2^-48, and so is what an accumulator of their size leaves, but for
            // bits which are no smaller than 2^-72.
            Core::Flushing(F16, at_once) => flushing(at_once, a, row, b, sums, |v| v),
            Core::Flushing(_, at_once) => flushing(at_once, a, row, b, sums, flushed),
            Core::Bytes => {
                let mut all = *sums;
                for (a, b) in a.whole.iter().zip(&b.whole) {
                    let a = a[row];
                    for (sum, b) in all[..columns].iter_mut().zip(b) {
                        *sum = sum.wrapping_add(a.wrapping_mul(*b) as u32);
                    }
                }
                *sums = all;
            }
            Core::Exact(..) | Core::Cut(..) => {}
        }
    }
}

/// Fused multiply-adds of f64, one after the other, as [`Core::add`] has them of f32.
#[inline(always)]
pub fn chain_f64(a: &[Row<u64>], row: usize, b: &[Row<u64>], sums: &mut Row<u64>) {
    let mut all = each(sums, f64::from_bits);
    for (a, b) in a.iter().zip(b) {
        let a = f64::from_bits(a[row]);
        all.iter_mut().zip(b).for_each(|(sum, b)| *sum = a.mul_add(f64::from_bits(*b), *sum));
    }
    *sums = each(&all, |sum| if sum.is_nan() { F64.inf() | F64.quiet_bit() } else { sum.to_bits() });
}

#[inline(always)]
fn flushing(
    at_once: usize,
    a: &Factors,
    row: usize,
    b: &Factors,
    sums: &mut Row<u32>,
    flushed: impl Fn(f32) -> f32 + Copy,
) {
    let mut all = each(sums, |sum| {
        let sum = f32::from_bits(sum);
        if sum.abs() < f32::MIN_POSITIVE { 0.0 } else { sum }
    });
    let product = |k: usize| {
        let a = a.single[k][row];
        each(&b.single[k], |b| flushed(a * b))
    };
    let add = |mut a: Row<f32>, b: Row<f32>| {
        for (a, b) in a.iter_mut().zip(&b) {
            *a = flushed(*a + b);
        }
        a
    };
    for first in (0..b.single.len()).step_by(at_once) {
        if planted!(MatrixPairsInLine) {
            all = (first..first + at_once).fold(all, |all, k| add(all, product(k)));
            continue;
        }
        let pair = add(product(first), product(first + 1));
        let part = if at_once == 2 { pair } else { add(pair, add(product(first + 2), product(first + 3))) };
        all = add(all, part);
    }
    *sums = each(&all, settled);
}

/// The sum of a column in which something is infinite or a NaN, as arithmetic on infinities has it.
fn special(products: impl Iterator<Item = f64>, sum: u32) -> u32 {
    settled(products.fold(f64::from(f32::from_bits(sum)), |all, product| all + product) as f32)
}

/// `2^exp`
#[inline(always)]
fn power(exp: i32) -> f64 {
    f64::from_bits(((exp + 1023) as u64) << 52)
}

#[inline(always)]
fn is_finite(sum: u32) -> bool {
    sum & 0x7f80_0000 != 0x7f80_0000
}
