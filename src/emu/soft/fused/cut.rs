//! Sums whose products are cut, as gfx940 makes them.
//!
//! A number divided by a power of two, without what lies behind the point, is the number cut to that
//! place. f64 has room for every step; products of halves and of bytes have it in f32 ([`Factor`]),
//! of which twice as many go into a vector.

use super::{COLUMNS, Factors, Kind, Row, in_row, is_finite, maps, power, settled, wide};
use crate::each::each;
use crate::emu::soft::{BF16, F16, F32, F64, Fp8};
use crate::fault::planted;
use std::ops::{Add, Mul};

/// The exponent of a zero, so far below all others that a product with it decides nothing.
const ZERO: i16 = -1 << 9;
/// The exponent of products that are all zero: less than any other, and still within f64.
const NOTHING: i16 = -300;
/// Of so many rows of sums exponents are looked for at once.
const ROWS: usize = 4;
/// A product of at least this power of two is infinite.
const OVERFLOW: i32 = 128;
/// More units than a calm product has: the significands of both factors are below 2. An i32 has room for the sum of sixteen.
const LIMIT: f32 = (1 << 26) as f32;
/// The exponent of the smallest normal f32.
const LEAST: i32 = 1 - F32.bias();

impl Kind {
    /// The numbers as f32, exactly, in the place of what they are made of.
    #[inline(always)]
    fn numbers(self, mut bits: Vec<Row<u32>>) -> Vec<Row<f32>> {
        macro_rules! replace {
            ($with:expr) => {
                for row in &mut bits {
                    for word in row {
                        *word = $with(*word).to_bits();
                    }
                }
            };
        }
        match self {
            Kind::Half(F16) => replace!(|bits| wide(F16, bits)),
            Kind::Half(_) => replace!(|bits| wide(BF16, bits)),
            Kind::Xf32 => replace!(|bits: u32| f32::from_bits(bits & !0x1fff)),
            Kind::Small(fp8) => replace!(|bits| small(fp8, bits)),
        }
        bytemuck::cast_vec(bits)
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

/// What the factors of products are kept as.
trait Factor: Copy + Into<f64> + Mul<Output = Self> {
    /// Sums of products that are cut: whole numbers.
    type Sum: Copy + Default + Into<f64> + Add<Output = Self::Sum>;

    /// The largest exponent of products may lie beside the smallest one of f32.
    const FAR: bool;

    /// What makes products numbers of units of the last place, by their largest exponent.
    fn unit(top: i16) -> Self;

    /// A product in such units, without what lies behind the point. Where all numbers are known to be
    /// calm, it is not looked at; else one that is not gives anything.
    fn whole<const CALM: bool>(self) -> Self::Sum;
}

impl Factor for f64 {
    type Sum = f64;
    const FAR: bool = true;

    #[inline(always)]
    fn unit(top: i16) -> f64 {
        power(24 - i32::from(top))
    }

    #[inline(always)]
    fn whole<const CALM: bool>(self) -> f64 {
        if self < 0.0 && planted!(MatrixCutDown) { self.floor() } else { self.trunc() }
    }
}

/// Halves and bytes: their products have at most 22 bits, and lie between 2^-48 and 2^34.
impl Factor for f32 {
    type Sum = i32;
    const FAR: bool = false;

    #[inline(always)]
    fn unit(top: i16) -> f32 {
        // Where all products are zero any unit does.
        f32::from_bits(((127 + 24 - i32::from(top).max(-64)) as u32) << 23)
    }

    #[inline(always)]
    #[allow(
        unsafe_code,
        reason = "the conversion of Rust asks whether each number has a place, which takes as long as all else"
    )]
    fn whole<const CALM: bool>(self) -> i32 {
        let product = if CALM || self.abs() < LIMIT { self } else { 0.0 };
        if planted!(MatrixCutDown) {
            return product.floor() as i32;
        }
        // SAFETY: it was compared with the limit; or both factors are finite, and the exponent of their product is at most the largest
        // one, so that it is below the limit.
        unsafe { product.to_int_unchecked() }
    }
}

/// Adds products that are cut, of one part of a row of A with each column of B.
#[inline(always)]
fn add_cut<F: Factor, const AT_ONCE: usize, const PARTS: usize, const CALM: bool>(
    part: usize,
    (a, row): (&[Row<F>; AT_ONCE], usize),
    b: &[Row<F>; AT_ONCE],
    columns: usize,
    tops: &Row<i16>,
) -> Row<F::Sum> {
    let mut sums = [F::Sum::default(); COLUMNS];
    for j in 0..columns {
        let unit = F::unit(tops[j]);
        let product = |n: usize| (a[n * PARTS + part][row] * unit * b[n * PARTS + part][j]).whole::<CALM>();
        let (mut even, mut odd) = (product(0), product(1));
        for n in 1..AT_ONCE / PARTS / 2 {
            even = even + product(2 * n);
            odd = odd + product(2 * n + 1);
        }
        sums[j] = even + odd;
    }
    sums
}

/// A matrix of factors for sums that are cut.
#[inline(always)]
pub(super) fn factors(kind: Kind, at_once: usize, bits: Vec<Row<u32>>) -> Factors {
    let count = bits.len().next_multiple_of(at_once);
    let (mut numbers, least) = (kind.numbers(bits), kind.least());
    let mut exps = Vec::with_capacity(count);
    let mut most = [0; COLUMNS];
    for row in &numbers {
        let magnitudes = each(row, |v| v.to_bits() & 0x7fff_ffff);
        for (most, magnitude) in most.iter_mut().zip(&magnitudes) {
            *most = (*most).max(*magnitude);
        }
        // Subnormals have the exponent of the smallest normal number.
        exps.push(each(&magnitudes, |v| if v == 0 { ZERO } else { exponent(v).max(least) as i16 }));
    }
    numbers.resize(count, [0.0; COLUMNS]);
    exps.resize(count, [ZERO; COLUMNS]);
    let peak = most.iter().fold(0, |peak, most| peak.max(*most));
    let (single, real) = match kind {
        Kind::Half(F16) | Kind::Small(_) => (numbers, Vec::new()),
        Kind::Half(_) | Kind::Xf32 => (Vec::new(), maps(&numbers, f64::from)),
    };
    Factors { single, real, exps, most, peak, ..Factors::default() }
}

/// Adds the products of rows of A, from one on, with each column of B to their sums, so many at
/// once. The sum of eight bits has one part for even and one for odd elements.
#[inline(always)]
pub(super) fn add(at_once: usize, a: &Factors, row: usize, b: &Factors, sums: &mut [Row<u32>]) {
    match at_once {
        16 if planted!(MatrixBytesTogether) => add_parts::<f32, 16, 1>([&a.single, &b.single], a, row, b, sums),
        16 => add_parts::<f32, 16, 2>([&a.single, &b.single], a, row, b, sums),
        8 if b.real.is_empty() => add_parts::<f32, 8, 1>([&a.single, &b.single], a, row, b, sums),
        8 => add_parts::<f64, 8, 1>([&a.real, &b.real], a, row, b, sums),
        _ if b.real.is_empty() => add_parts::<f32, 4, 1>([&a.single, &b.single], a, row, b, sums),
        _ => add_parts::<f64, 4, 1>([&a.real, &b.real], a, row, b, sums),
    }
}

/// Adds so many products at once, in parts that take turns, and then the accumulators.
#[inline(always)]
fn add_parts<F: Factor, const AT_ONCE: usize, const PARTS: usize>(
    factors: [&[Row<F>]; 2],
    a: &Factors,
    first: usize,
    b: &Factors,
    sums: &mut [Row<u32>],
) {
    let columns = b.columns();
    let exps = a.exps.as_chunks().0.iter().zip(b.exps.as_chunks().0);
    let factors = factors[0].as_chunks().0.iter().zip(factors[1].as_chunks().0);
    for ((a_exps, b_exps), (a_factors, b_factors)) in exps.zip(factors) {
        for (first, sums) in (first..).step_by(ROWS).zip(sums.chunks_mut(ROWS)) {
            // Exponents of some rows first: what was just written in one width is slow to read in another.
            let mut tops = [[[NOTHING; COLUMNS]; PARTS]; ROWS];
            for (row, tops) in (first..).zip(&mut tops[..sums.len()]) {
                for (part, tops) in tops.iter_mut().enumerate() {
                    largest::<AT_ONCE, PARTS>(part, a_exps, in_row(row), b_exps, columns, tops);
                }
            }
            for (row, (sums, tops)) in (first..).zip(sums.iter_mut().zip(&tops)) {
                let row = in_row(row);
                let strange = is_strange(a.most[row], b.peak) || !are_finite(sums);
                // Most rows have nothing of the kind, and need no copy.
                let before = strange.then_some(*sums);
                let mut units = [[F::Sum::default(); COLUMNS]; PARTS];
                for (part, (units, tops)) in units.iter_mut().zip(tops).enumerate() {
                    let a = (a_factors, row);
                    *units = match strange {
                        false => add_cut::<F, AT_ONCE, PARTS, true>(part, a, b_factors, columns, tops),
                        true => add_cut::<F, AT_ONCE, PARTS, false>(part, a, b_factors, columns, tops),
                    };
                }
                for j in 0..columns {
                    let part = |n: usize| Part { units: units[n][j].into(), top: power(tops[n][j].into()) };
                    let sum = if PARTS == 2 { part(0).join(part(PARTS - 1)) } else { part(0) };
                    sums[j] = sum.accumulate::<F>(sums[j], AT_ONCE == 16);
                }
                if let Some(before) = before {
                    add_strange(a_factors, row, b_factors, columns, &before, sums);
                }
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
fn add_strange<F: Factor, const AT_ONCE: usize>(
    a: &[Row<F>; AT_ONCE],
    row: usize,
    b: &[Row<F>; AT_ONCE],
    columns: usize,
    before: &Row<u32>,
    sums: &mut Row<u32>,
) {
    for j in 0..columns {
        let mut all = f64::from(f32::from_bits(before[j]));
        for n in 0..AT_ONCE {
            let product = a[n][row].into() * b[n][j].into();
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
    fn accumulate<F: Factor>(self, c: u32, small: bool) -> u32 {
        let c = f64::from(f32::from_bits(c));
        let exp = f64::from_bits(c.to_bits() & F64.inf());
        let top = higher(self.top, if F::FAR { higher(exp, power(LEAST)) } else { exp });
        // The last places that are kept. The sum of the products has eight more, and seven where
        // the exponent is the least. Where that is not near, a smaller exponent is that of an
        // accumulator alone, which is kept as it is.
        let fine = if F::FAR { higher(top * power(-32), power(LEAST - 31)) } else { top * power(-32) };
        let kept = c * inverse(top, 24);
        let kept = if planted!(MatrixSumCut) { kept.trunc() } else { kept.floor() };
        let kept = if small && exp < top * power(-25) { 0.0 } else { kept };
        let dot = (self.units * (self.top * inverse(fine, 0) * power(-24))).floor();
        // No zero has a sign.
        let sum = dot.mul_add(fine, kept * (top * power(-24))) + 0.0;
        (rounded_down(sum) as f32).to_bits()
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
