//! Sums whose products are cut, as gfx940 makes them.
//!
//! All of it is in f64, whose 53 bits have room for every step: a number divided by a power of two,
//! without what lies behind the point, is the number cut to that place.

use super::{COLUMNS, Factors, Kind, Row, in_row, is_finite, maps, power, settled, wide};
use crate::each::each;
use crate::emu::soft::{BF16, F16, F32, F64, Fp8};
use crate::fault::planted;

/// The exponent of a zero, so far below all others that a product with it decides nothing.
const ZERO: i16 = -1 << 9;
/// The exponent of products that are all zero: less than any other, and still within f64.
const NOTHING: i16 = -300;
/// A product of at least this power of two is infinite.
const OVERFLOW: i32 = 128;
/// The exponent of the smallest normal f32.
const LEAST: i32 = 1 - F32.bias();

impl Kind {
    /// The numbers as f32, exactly.
    #[inline(always)]
    fn numbers(self, bits: &[Row<u32>]) -> Vec<Row<f32>> {
        match self {
            Kind::Half(F16) => maps(bits, |bits| wide(F16, bits)),
            Kind::Half(_) => maps(bits, |bits| wide(BF16, bits)),
            Kind::Xf32 => maps(bits, |bits| f32::from_bits(bits & !0x1fff)),
            Kind::Small(fp8) => maps(bits, |bits| small(fp8, bits)),
        }
    }

    /// The exponent of the smallest normal number.
    pub(in crate::emu::soft) fn least(self) -> i32 {
        match self {
            Kind::Half(f) => 1 - f.bias(),
            Kind::Xf32 => LEAST,
            Kind::Small(fp8) => 1 - fp8.bias(),
        }
    }
}

/// A number of eight bits as f32, without a branch: as halves are made, by moving the exponent.
#[inline(always)]
pub(in crate::emu::soft) fn small(fp8: Fp8, bits: u32) -> f32 {
    let up = f32::from_bits(((254 - fp8.bias()) as u32) << 23);
    let magnitude = f32::from_bits((bits & 0x7f) << (23 - fp8.format().man)) * up;
    let magnitude = if fp8.is_inf(bits.into()) { f32::INFINITY } else { magnitude };
    let magnitude = if fp8.is_nan(bits.into()) { f32::NAN } else { magnitude };
    f32::from_bits(magnitude.to_bits() | (bits & 0x80) << 24)
}

/// The exponent of a magnitude, as the bits of an f32.
#[inline(always)]
fn exponent(magnitude: u32) -> i32 {
    (magnitude >> 23) as i32 - F32.bias()
}

/// A matrix of factors for sums that are cut.
#[inline(always)]
pub(super) fn factors(kind: Kind, at_once: usize, bits: &[Row<u32>]) -> Factors {
    let (numbers, least) = (kind.numbers(bits), kind.least());
    let count = bits.len().next_multiple_of(at_once);
    let (mut real, mut exps) = (Vec::with_capacity(count), Vec::with_capacity(count));
    let mut most = [0; COLUMNS];
    for row in &numbers {
        real.push(each(row, f64::from));
        let magnitudes = each(row, |v| v.to_bits() & 0x7fff_ffff);
        for (most, magnitude) in most.iter_mut().zip(&magnitudes) {
            *most = (*most).max(*magnitude);
        }
        // Subnormals have the exponent of the smallest normal number.
        exps.push(each(&magnitudes, |v| if v == 0 { ZERO } else { exponent(v).max(least) as i16 }));
    }
    real.resize(count, [0.0; COLUMNS]);
    exps.resize(count, [ZERO; COLUMNS]);
    let peak = most.iter().fold(0, |peak, most| peak.max(*most));
    Factors { real, exps, most, peak, ..Factors::default() }
}

/// Adds the products of rows of A, from one on, with each column of B to their sums, so many at
/// once. The sum of eight bits has one part for even and one for odd elements.
#[inline(always)]
pub(super) fn add(at_once: usize, a: &Factors, row: usize, b: &Factors, sums: &mut [Row<u32>]) {
    match at_once {
        16 if planted!(MatrixBytesTogether) => add_parts::<16, 1>(a, row, b, sums),
        16 => add_parts::<16, 2>(a, row, b, sums),
        8 => add_parts::<8, 1>(a, row, b, sums),
        _ => add_parts::<4, 1>(a, row, b, sums),
    }
}

/// Adds so many products at once, in parts that take turns, and then the accumulators.
#[inline(always)]
fn add_parts<const AT_ONCE: usize, const PARTS: usize>(a: &Factors, first: usize, b: &Factors, sums: &mut [Row<u32>]) {
    let columns = b.columns();
    let exps = a.exps.as_chunks().0.iter().zip(b.exps.as_chunks().0);
    let reals = a.real.as_chunks().0.iter().zip(b.real.as_chunks().0);
    let mut tops = vec![[[NOTHING; COLUMNS]; PARTS]; sums.len()];
    for ((a_exps, b_exps), (a_reals, b_reals)) in exps.zip(reals) {
        // All exponents first: what was just written in one width is slow to read in another.
        for (row, tops) in (first..).zip(&mut tops) {
            let row = in_row(row);
            for (part, tops) in tops.iter_mut().enumerate() {
                largest::<AT_ONCE, PARTS>(part, a_exps, row, b_exps, columns, tops);
            }
        }
        for (row, (sums, tops)) in (first..).zip(sums.iter_mut().zip(&tops)) {
            let row = in_row(row);
            let strange = is_strange(a.most[row], b.peak) || !are_finite(sums);
            // Most rows have nothing of the kind, and need no copy.
            let before = strange.then_some(*sums);
            for j in 0..columns {
                let mut sum = Part::of::<AT_ONCE, PARTS>(0, a_reals, row, b_reals, j, tops[0][j]);
                if PARTS == 2 {
                    sum = sum.join(Part::of::<AT_ONCE, PARTS>(1, a_reals, row, b_reals, j, tops[PARTS - 1][j]));
                }
                sums[j] = sum.accumulate(sums[j], AT_ONCE == 16);
            }
            if let Some(before) = before {
                add_strange(a_reals, row, b_reals, columns, &before, sums);
            }
        }
    }
}

/// The largest exponent of the products of each column, of one part of them.
#[inline(always)]
fn largest<const AT_ONCE: usize, const PARTS: usize>(
    part: usize,
    a: &[Row<i16>; AT_ONCE],
    row: usize,
    b: &[Row<i16>; AT_ONCE],
    columns: usize,
    tops: &mut Row<i16>,
) {
    for j in 0..columns {
        let mut top = NOTHING;
        for n in 0..AT_ONCE / PARTS {
            top = top.max(a[n * PARTS + part][row] + b[n * PARTS + part][j]);
        }
        tops[j] = top;
    }
}

/// Whether a product of these magnitudes may be infinite or a NaN.
#[inline(always)]
fn is_strange(a: u32, b: u32) -> bool {
    !is_finite(a) || !is_finite(b) || exponent(a) + exponent(b) + 1 >= OVERFLOW
}

/// Whether all sums of a row are finite.
#[inline(always)]
fn are_finite(sums: &Row<u32>) -> bool {
    let mut most = 0;
    for sum in sums {
        most = most.max(sum & 0x7fff_ffff);
    }
    is_finite(most)
}

/// Replaces the sums of columns in which something is infinite or a NaN: they are as arithmetic on
/// infinities has them.
#[inline(always)]
fn add_strange<const AT_ONCE: usize>(
    a: &[Row<f64>; AT_ONCE],
    row: usize,
    b: &[Row<f64>; AT_ONCE],
    columns: usize,
    before: &Row<u32>,
    sums: &mut Row<u32>,
) {
    for j in 0..columns {
        let mut all = f64::from(f32::from_bits(before[j]));
        for n in 0..AT_ONCE {
            let product = a[n][row] * b[n][j];
            let large = product.abs() >= power(OVERFLOW) && !planted!(MatrixNoOverflow);
            all += if large { product * f64::INFINITY } else { product };
        }
        sums[j] = if all.is_finite() { sums[j] } else { settled(all as f32) };
    }
}

/// A sum of products that are cut: in units of the last place of their largest exponent, and the
/// power of two of that exponent.
#[derive(Clone, Copy)]
struct Part {
    units: f64,
    top: f64,
}

impl Part {
    /// The sum of the products of one part with column `j`.
    #[inline(always)]
    fn of<const AT_ONCE: usize, const PARTS: usize>(
        part: usize,
        a: &[Row<f64>; AT_ONCE],
        row: usize,
        b: &[Row<f64>; AT_ONCE],
        j: usize,
        top: i16,
    ) -> Part {
        let top = power(top.into());
        let unit = inverse(top, 24);
        let product = |n: usize| cut(a[n * PARTS + part][row] * unit * b[n * PARTS + part][j]);
        let (mut even, mut odd) = (product(0), product(1));
        for n in 1..AT_ONCE / PARTS / 2 {
            even += product(2 * n);
            odd += product(2 * n + 1);
        }
        Part { units: even + odd, top }
    }

    /// Two sums on the grid of the larger exponent, each rounded down.
    #[inline(always)]
    fn join(self, other: Part) -> Part {
        let top = higher(self.top, other.top);
        let down = |part: Part| (part.units * (part.top * inverse(top, 0))).floor();
        Part { units: down(self) + down(other), top }
    }

    /// The sum of this and an accumulator. Of products of eight bits an accumulator of which
    /// nothing is left is no term, else it is one unit down if it is negative.
    #[inline(always)]
    fn accumulate(self, c: u32, small: bool) -> u32 {
        let c = f64::from(f32::from_bits(c)) + 0.0;
        let exp = higher(f64::from_bits(c.to_bits() & F64.inf()), power(LEAST));
        let top = higher(self.top, exp);
        // The last places that are kept. The sum of the products has eight more, and seven where
        // the exponent is the least.
        let place = top * power(-24);
        let fine = higher(top * power(-32), power(LEAST - 31));
        let kept = c * inverse(top, 24);
        let kept = if planted!(MatrixSumCut) { kept.trunc() } else { kept.floor() };
        let kept = if small && exp < top * power(-25) { 0.0 } else { kept };
        let dot = (self.units * (self.top * power(-24) * inverse(fine, 0))).floor();
        (rounded_down(dot.mul_add(fine, kept * place)) as f32).to_bits()
    }
}

/// The inverse of a power of two, and so many powers more; of an infinity anything, for its sum does not count.
#[inline(always)]
fn inverse(power: f64, more: u64) -> f64 {
    f64::from_bits(((2 * 1023 + more) << 52).wrapping_sub(power.to_bits()))
}

/// The higher one of two numbers, in one instruction: there are no NaNs whose sums count.
#[inline(always)]
fn higher(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// A product without what lies behind the point.
#[inline(always)]
fn cut(product: f64) -> f64 {
    if product < 0.0 && planted!(MatrixCutDown) { product.floor() } else { product.trunc() }
}

/// A number with 31 places behind its leading one: the next lower of these.
#[inline(always)]
fn rounded_down(v: f64) -> f64 {
    const REST: i64 = (1 << (52 - 31)) - 1;
    let bits = v.to_bits() as i64;
    // Down is away from zero where the sign is set.
    f64::from_bits(((bits + (bits >> 63 & REST)) & !REST) as u64)
}

#[cfg(test)]
pub(super) mod tests {
    use super::{Kind, power, settled};
    use crate::emu::soft::F32;

    /// Significand with its sign and exponent of a number, and the bits behind its point; else what
    /// it is, if it is not finite.
    fn parts(kind: Kind, bits: u32) -> Result<(i64, i32, u32), f64> {
        let (f, bits, bias) = match kind {
            Kind::Half(f) => (f, bits, f.bias()),
            Kind::Xf32 => (F32, bits & !0x1fff, F32.bias()),
            Kind::Small(_) if bits == 0x80 => return Err(f64::NAN),
            Kind::Small(fp8) => (fp8.format(), bits, fp8.bias()),
        };
        let bits = u64::from(bits);
        let (field, fraction) = ((bits & f.inf()) >> f.man, bits & f.fraction());
        let sign = if bits & f.sign_bit() != 0 { -1 } else { 1 };
        if !matches!(kind, Kind::Small(_)) && bits & f.inf() == f.inf() {
            return Err(if fraction != 0 { f64::NAN } else { sign as f64 * f64::INFINITY });
        }
        let significand = (u64::from(field != 0) << f.man | fraction) as i64;
        Ok((sign * significand, field.max(1) as i32 - bias, f.man))
    }

    fn real(number: Result<(i64, i32, u32), f64>) -> f64 {
        number.map_or_else(|special| special, |(sig, exp, man)| sig as f64 * power(exp - man as i32))
    }

    /// A sum of products, cut to 24 places of the largest exponent, and that exponent.
    fn sum(kinds: [Kind; 2], terms: impl Iterator<Item = (u32, u32)>) -> (i64, i32) {
        let product = |(a, b)| {
            let ((a, e, m), (b, f, n)) = (parts(kinds[0], a).ok()?, parts(kinds[1], b).ok()?);
            (a * b != 0).then_some((i128::from(a * b), e + f, m + n))
        };
        let products: Vec<_> = terms.filter_map(product).collect();
        let top = products.iter().map(|(_, exp, _)| *exp).max().unwrap_or(-10_000);
        let cut = |(sig, exp, places): &(i128, i32, u32)| {
            // Division drops places of the magnitude.
            let down = *places as i32 - 24 + top - exp;
            if down <= 0 { sig << -down } else { sig / (1i128 << down.min(100)) }
        };
        (products.iter().map(|product| cut(product) as i64).sum(), top)
    }

    /// A sum in integers, as gfx940 makes it.
    pub fn one_cut(kinds: [Kind; 2], at_once: usize, a: &[u32], b: &[u32], c: u32) -> u32 {
        let terms: Vec<_> = a.iter().copied().zip(b.iter().copied()).collect();
        terms.chunks(at_once).fold(c, |c, terms| one_time(kinds, at_once == 16, terms, c))
    }

    fn one_time(kinds: [Kind; 2], small: bool, terms: &[(u32, u32)], c: u32) -> u32 {
        let products = terms.iter().map(|(a, b)| real(parts(kinds[0], *a)) * real(parts(kinds[1], *b)));
        let products = products.map(|v| if v.abs() >= power(128) { v * f64::INFINITY } else { v });
        let all = products.fold(f64::from(f32::from_bits(c)), |all, v| all + v);
        if !all.is_finite() {
            return settled(all as f32);
        }
        let (dot, top) = if small {
            let half = |first: usize| sum(kinds, terms.iter().skip(first).step_by(2).copied());
            let ((even, e), (odd, f)) = (half(0), half(1));
            let top = e.max(f);
            ((even >> (top - e).min(63)) + (odd >> (top - f).min(63)), top)
        } else {
            sum(kinds, terms.iter().copied())
        };
        let Ok((sig, exp, _)) = parts(Kind::Half(F32), c) else { return 0 };
        let higher = top.max(exp);
        let dot = (i128::from(dot) << 8) >> (higher - top).min(100);
        let kept = (sig << 1) >> (higher - exp).min(63);
        let kept = if small && exp < higher - 25 { 0 } else { kept };
        let all = dot + (i128::from(kept) << 8);
        let leading = 127 - all.unsigned_abs().leading_zeros() as i32;
        let drop = (leading - 31).max(i32::from(higher == -126));
        ((((all >> drop) << drop) as f64 * power(higher - 32)) as f32).to_bits()
    }
}
