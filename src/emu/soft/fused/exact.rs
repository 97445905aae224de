//! Exact sums that are rounded once, as gfx908 makes them.
//!
//! Products of 16-bit floats are exact in f64, and so is the sum of a few of them if their
//! exponents lie near each other: all are multiples of the lowest place of the smallest one, and
//! [`room`] says how far apart they may be for 53 bits to reach from there to the leading place of
//! the sum. Such a sum and the accumulator are added, and rounded to f32; where the addition loses
//! something it is rounded to odd in between ([`to_odd`]). Where exponents lie further apart an
//! integer is made that is as wide as all of them ([`Wide`]).

use super::{COLUMNS, Factors, Row, in_row, is_finite, maps, power, settled, special, wide};
use crate::emu::soft::{F16, F32, F64, Format};
use crate::fault::planted;

/// How many products are added at once, of those that should be.
#[inline(always)]
fn added(at_once: usize) -> usize {
    if planted!(MatrixRoundedEach) { 1 } else { at_once }
}

/// A matrix of factors for exact sums.
#[inline(always)]
pub(super) fn factors(f: Format, at_once: usize, mut bits: Vec<Row<u32>>) -> Factors {
    let at_once = added(at_once);
    bits.resize(bits.len().next_multiple_of(at_once), [0; COLUMNS]);
    let mut spans = Vec::with_capacity(bits.len() / at_once);
    for rows in bits.chunks(at_once) {
        let span = span(f, rows);
        spans.push((span, span.iter().fold(0, |most, span| most.max(*span))));
    }
    Factors { real: maps(&bits, |bits| wide(f, bits).into()), bits, spans, ..Factors::default() }
}

/// The largest exponent of each column less the smallest one, of numbers that are not zero.
/// Subnormals count as one power lower than they are.
#[inline(always)]
fn span(f: Format, rows: &[Row<u32>]) -> Row<i32> {
    let (mut least, mut most) = ([u32::MAX; COLUMNS], [0; COLUMNS]);
    for row in rows {
        for ((least, most), bits) in least.iter_mut().zip(&mut most).zip(row) {
            let magnitude = bits & !(f.sign_bit() as u32);
            *most = (*most).max(magnitude);
            // A zero becomes the largest word; a power of two counts as one power lower.
            *least = (*least).min(magnitude.wrapping_sub(1));
        }
    }
    let mut spans = [0; COLUMNS];
    for (span, (least, most)) in spans.iter_mut().zip(least.iter().zip(&most)) {
        *span = (most >> f.man) as i32 - (least >> f.man) as i32;
    }
    spans
}

/// How many powers of two may lie between the factors of so many products, in rows of A and columns
/// of B together. The smallest product is a multiple of `2^(least - 2 * man)`, the sum is below
/// `at_once * 2^(most + 2)`: f64 has 53 bits from the one to the other.
const fn room(f: Format, at_once: usize) -> i32 {
    53 - 2 * f.man as i32 - 2 - at_once.next_power_of_two().trailing_zeros() as i32
}

/// Adds the products of rows of A, from one on, with each column of B to their sums, so many at
/// once.
#[inline(always)]
pub(super) fn add(f: Format, at_once: usize, a: &Factors, row: usize, b: &Factors, sums: &mut [Row<u32>]) {
    match added(at_once) {
        1 => add_some::<1, false>(f, a, row, b, sums),
        2 => add_some::<2, false>(f, a, row, b, sums),
        _ if f == F16 => add_some::<4, true>(f, a, row, b, sums),
        _ => add_some::<4, false>(f, a, row, b, sums),
    }
}

#[inline(always)]
fn add_some<const AT_ONCE: usize, const HALVES: bool>(
    f: Format,
    a: &Factors,
    first: usize,
    b: &Factors,
    sums: &mut [Row<u32>],
) {
    for (n, (factors, others)) in a.real.as_chunks().0.iter().zip(b.real.as_chunks().0).enumerate() {
        let (spans, widest) = &b.spans[n];
        for (row, sums) in (first..).zip(sums.iter_mut()) {
            let row = in_row(row);
            let before = *sums;
            if add_near::<AT_ONCE, HALVES, false>(factors, row, others, b.columns(), sums) {
                *sums = before;
                add_near::<AT_ONCE, HALVES, true>(factors, row, others, b.columns(), sums);
            }
            let room = room(f, AT_ONCE) - a.spans[n].0[row];
            if *widest > room {
                for j in (0..b.columns()).filter(|j| spans[*j] > room) {
                    let factors = (n * AT_ONCE..(n + 1) * AT_ONCE).map(|k| (a.bits[k][row], b.bits[k][j]));
                    sums[j] = add_far(f, factors, before[j]);
                }
            }
        }
    }
}

/// Adds products whose exponents lie near each other, and says whether the sum of any column may be
/// longer than an f64 in a way that counts: then it must be rounded to odd before it is rounded to
/// f32. Infinities and NaNs are here too: they come out of f64 as they come out of f32.
///
/// Of halves it counts where the f64 is a tie of two f32: products are multiples of 2^-48, so that a
/// sum that is no normal f32 is exact.
#[inline(always)]
fn add_near<const AT_ONCE: usize, const HALVES: bool, const TO_ODD: bool>(
    a: &[Row<f64>; AT_ONCE],
    row: usize,
    b: &[Row<f64>; AT_ONCE],
    columns: usize,
    sums: &mut Row<u32>,
) -> bool {
    let mut any = false;
    for j in 0..columns {
        // From +0: what is zero stays +0, also with an accumulator that is -0.
        let mut products = 0.0;
        for k in 0..AT_ONCE {
            products = a[k][row].mul_add(b[k][j], products);
        }
        let before = f64::from(f32::from_bits(sums[j]));
        let sum = products + before;
        if HALVES && !TO_ODD {
            const REST: u64 = (1 << (F64.man - F32.man)) - 1;
            any |= sum.to_bits() & REST == REST / 2 + 1;
            sums[j] = settled(sum as f32);
            continue;
        }
        // What the addition has lost (Knuth); a NaN where the sum is not finite.
        let other = sum - products;
        let lost = (products - (sum - other)) + (before - other);
        any |= lost != 0.0;
        sums[j] = settled(if TO_ODD { to_odd(sum, lost) } else { sum } as f32);
    }
    any
}

/// A sum that has lost something, rounded to odd: cut, and with a last bit that stands for all that
/// follow. Rounded to f32, which is much shorter, that gives the same as all bits.
#[inline(always)]
fn to_odd(sum: f64, lost: f64) -> f64 {
    let bits = sum.to_bits();
    let cut = bits.wrapping_sub((bits ^ lost.to_bits()) >> 63);
    if lost.abs() > 0.0 { f64::from_bits(cut | 1) } else { sum }
}

/// Products of 16-bit floats and an f32, added exactly: an integer as wide as all of them, in units
/// of 2^-298.
struct Wide([u64; Wide::WORDS]);

impl Wide {
    const WORDS: usize = 10;
    /// The lowest bit of the product of the smallest numbers with eight exponent bits.
    const LOWEST: i32 = -298;

    fn add(&mut self, negative: bool, sig: u64, exp: i32) {
        let up = (exp - Wide::LOWEST) as usize;
        let wide = u128::from(sig) << (up % 64);
        let mut carry = u64::from(negative);
        for (n, word) in self.0.iter_mut().enumerate() {
            let part = match n.checked_sub(up / 64) {
                Some(0) => wide as u64,
                Some(1) => (wide >> 64) as u64,
                _ => 0,
            };
            let (sum, over) = word.overflowing_add(if negative { !part } else { part });
            let (sum, again) = sum.overflowing_add(carry);
            *word = sum;
            carry = u64::from(over | again);
        }
    }

    /// The number, rounded to f32.
    fn rounded(mut self) -> f32 {
        let negative = self.0[Wide::WORDS - 1] >> 63 != 0;
        if negative {
            let mut carry = true;
            for word in &mut self.0 {
                (*word, carry) = (!*word).overflowing_add(u64::from(carry));
            }
        }
        let Some(last) = self.0.iter().rposition(|word| *word != 0) else { return 0.0 };
        // The highest bits, and whether anything is below them: rounded to f32 they give the same
        // as all bits.
        let below = if last == 0 { 0 } else { self.0[last - 1] };
        let shift = self.0[last].leading_zeros();
        let top = if shift == 0 { self.0[last] } else { self.0[last] << shift | below >> (64 - shift) };
        let rest = below << shift != 0 || self.0[..last.saturating_sub(1)].iter().any(|word| *word != 0);
        let sig = top >> 12 | u64::from(top & 0xfff != 0 || rest);
        let exp = Wide::LOWEST + 64 * last as i32 + 12 - shift as i32;
        // 52 bits are an f64, and one of the size of any f32 is far from its subnormals.
        let value = sig as f64 * power(exp);
        (if negative { -value } else { value }) as f32
    }
}

/// Adds products whose exponents are any.
#[cold]
fn add_far(f: Format, factors: impl Iterator<Item = (u32, u32)> + Clone, before: u32) -> u32 {
    let inf = f.inf() as u32;
    let calm = |(x, y): (u32, u32)| x & inf != inf && y & inf != inf;
    if !factors.clone().all(calm) || !is_finite(before) {
        return special(factors.map(|(x, y)| f64::from(wide(f, x)) * f64::from(wide(f, y))), before);
    }
    let mut all = Wide([0; Wide::WORDS]);
    for (x, y) in factors {
        let (x, y) = (f.unpack(x.into()), f.unpack(y.into()));
        all.add(x.sign != y.sign, x.sig * y.sig, x.exp + y.exp);
    }
    let c = F32.unpack(before.into());
    all.add(c.sign, c.sig, c.exp);
    settled(all.rounded())
}

#[cfg(test)]
pub(super) mod tests {
    use super::{Format, add_far};

    /// A sum, exact whatever its terms are.
    pub fn one_exact(f: Format, at_once: usize, a: &[u32], b: &[u32], c: u32) -> u32 {
        let parts = a.chunks(at_once).zip(b.chunks(at_once));
        parts.fold(c, |c, (a, b)| add_far(f, a.iter().copied().zip(b.iter().copied()), c))
    }
}
