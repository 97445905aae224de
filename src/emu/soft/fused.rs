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
//! A [`Core`] makes the sums of a row of A with all columns of B at once: the loops are over columns, and without branches, so that the compiler makes
//! vectors of them. What is not finite is looked for first, and is made one by one.

use super::{BF16, F16, F32, F64, Format, Fp8, finite_half};
use crate::each::each;
use crate::fault::planted;

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

/// A matrix of factors, by `k`: rows of B, columns of A.
pub struct Factors {
    bits: Vec<Row<u32>>,
    /// What the adder works on: significands with their signs and exponents, bytes with their signs, or f32.
    sig: Vec<Row<i32>>,
    exp: Vec<Row<i32>>,
    real: Vec<Row<f32>>,
    /// Columns with something that is not finite.
    wild: Row<bool>,
    /// The largest exponent.
    top: i32,
    /// How many columns there are. A loop over them all, whose number the compiler knows, is taken apart before it could become vector code.
    columns: usize,
}

/// The exponent of a zero, so far below all others that a product with it decides nothing.
const ZERO: i32 = -1 << 9;
/// A product of at least this power of two is infinite.
const OVERFLOW: i32 = 128;

impl Kind {
    /// Bits behind the point of a significand.
    const fn places(self) -> u32 {
        match self {
            Kind::Half(f) => f.man,
            Kind::Xf32 => 10,
            Kind::Small(fp8) => fp8.format().man,
        }
    }

    /// The format as far as it counts, where it begins, and its bias.
    const fn layout(self) -> (Format, u32, i32) {
        match self {
            Kind::Half(f) => (f, 0, f.bias()),
            Kind::Xf32 => (Format { exp: 8, man: 10 }, 13, F32.bias()),
            Kind::Small(fp8) => (fp8.format(), 0, fp8.bias()),
        }
    }

    /// Whether a number is finite.
    #[inline(always)]
    fn is_finite(self, bits: u32) -> bool {
        match self {
            Kind::Small(fp8) => !fp8.is_nan(bits.into()) && !fp8.is_inf(bits.into()),
            Kind::Half(f) => bits & f.inf() as u32 != f.inf() as u32,
            Kind::Xf32 => bits & 0x7f80_0000 != 0x7f80_0000,
        }
    }

    /// The number as f64.
    fn real(self, bits: u32) -> f64 {
        match self {
            Kind::Half(f) => wide(f, bits).into(),
            Kind::Xf32 => f32::from_bits(bits & !0x1fff).into(),
            Kind::Small(fp8) => f32::from_bits(fp8.decode(bits as u8) as u32).into(),
        }
    }
}

/// A number of a format of 16 bits as f32, exactly.
#[inline(always)]
fn wide(f: Format, bits: u32) -> f32 {
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
fn maps<U: Copy + Default>(rows: &[Row<u32>], f: impl Fn(u32) -> U + Copy) -> Vec<Row<U>> {
    let mut all = Vec::with_capacity(rows.len());
    for row in rows {
        all.push(each(row, f));
    }
    all
}

impl Core {
    /// A matrix of factors, taken apart: the first or the second of each product.
    #[inline(always)]
    pub fn factors(self, second: bool, bits: Vec<Row<u32>>, columns: usize) -> Factors {
        let (mut sig, mut exp, mut real) = (Vec::new(), Vec::new(), Vec::new());
        let (mut wild, mut top) = ([false; COLUMNS], ZERO);
        match self {
            Core::Cut(a, b, _) => {
                let kind = if second { b } else { a };
                let (f, first, bias) = kind.layout();
                (sig, exp) = (Vec::with_capacity(bits.len()), Vec::with_capacity(bits.len()));
                for row in &bits {
                    let field = |bits: u32| (bits >> first >> f.man) as i32 & ((1 << f.exp) - 1);
                    let significand = |bits: u32| {
                        let magnitude =
                            (bits >> first & f.fraction() as u32) as i32 | i32::from(field(bits) != 0) << f.man;
                        if bits >> first & f.sign_bit() as u32 != 0 { -magnitude } else { magnitude }
                    };
                    let exponent = |bits: u32| if significand(bits) == 0 { ZERO } else { field(bits).max(1) - bias };
                    let exponents = each(row, exponent);
                    top = exponents.iter().fold(top, |top, exp| top.max(*exp));
                    wild.iter_mut().zip(row).for_each(|(wild, bits)| *wild |= !kind.is_finite(*bits));
                    sig.push(each(row, significand));
                    exp.push(exponents);
                }
            }
            Core::Flushing(f, _) => {
                let number = |bits: u32| match bits & f.inf() as u32 {
                    0 if !planted!(MatrixSubnormalsCount) => 0.0,
                    _ => wide(f, bits),
                };
                real = maps(&bits, number);
            }
            Core::Exact(f, _) => real = maps(&bits, |bits| wide(f, bits)),
            Core::Bytes => sig = maps(&bits, |bits| i32::from(bits as u8 as i8)),
            Core::Chain => real = maps(&bits, f32::from_bits),
        }
        Factors { bits, sig, exp, real, wild, top, columns: columns.min(COLUMNS) }
    }

    /// Adds the products of a row of A (`row` of `a`) with each column of `b` to its sum.
    #[inline(always)]
    pub fn add(self, a: &Factors, row: usize, b: &Factors, sums: &mut Row<u32>) {
        let columns = b.columns;
        match self {
            Core::Chain => {
                let mut all = each(sums, f32::from_bits);
                for (a, b) in a.real.iter().zip(&b.real) {
                    let a = a[row];
                    for (sum, b) in all[..columns].iter_mut().zip(b) {
                        *sum = a.mul_add(*b, *sum);
                    }
                }
                *sums = each(&all, settled);
            }
            Core::Exact(f, at_once) => exact(f, at_once, a, row, b, sums),
            // No sum of products of halves is subnormal: they are multiples of 2^-48, and so is what an accumulator of their size leaves, but for
            // bits which are no smaller than 2^-72.
            Core::Flushing(F16, at_once) => flushing(at_once, a, row, b, sums, |v| v),
            Core::Flushing(_, at_once) => flushing(at_once, a, row, b, sums, flushed),
            Core::Cut(x, y, at_once) => cut((x, y), at_once, a, row, b, sums),
            Core::Bytes => {
                let mut all = *sums;
                for (a, b) in a.sig.iter().zip(&b.sig) {
                    let a = a[row];
                    for (sum, b) in all[..columns].iter_mut().zip(b) {
                        *sum = sum.wrapping_add(a.wrapping_mul(*b) as u32);
                    }
                }
                *sums = all;
            }
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
        let a = a.real[k][row];
        each(&b.real[k], |b| flushed(a * b))
    };
    let add = |mut a: Row<f32>, b: Row<f32>| {
        for (a, b) in a.iter_mut().zip(&b) {
            *a = flushed(*a + b);
        }
        a
    };
    for first in (0..b.real.len()).step_by(at_once) {
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

fn is_finite(sum: u32) -> bool {
    sum & 0x7f80_0000 != 0x7f80_0000
}

#[inline(always)]
fn cut(kinds: (Kind, Kind), at_once: usize, a: &Factors, row: usize, b: &Factors, sums: &mut Row<u32>) {
    let small = matches!(kinds.0, Kind::Small(_)) && !planted!(MatrixBytesTogether);
    for first in (0..b.sig.len()).step_by(at_once) {
        let end = (first + at_once).min(b.sig.len());
        let mut dot = Part::default();
        if small {
            let mut odd = Part::default();
            dot.sum((first..end).step_by(2), kinds, a, row, b);
            odd.sum((first + 1..end).step_by(2), kinds, a, row, b);
            dot.join(&odd);
        } else {
            dot.sum(first..end, kinds, a, row, b);
        }
        let before = *sums;
        dot.accumulate(sums, small);
        let strange = a.wild[row] || a.top + b.top + 1 >= OVERFLOW;
        if strange || b.wild.contains(&true) || before.iter().any(|sum| !is_finite(*sum)) {
            for j in (0..COLUMNS).filter(|j| strange || b.wild[*j] || !is_finite(before[*j])) {
                let factors = (first..end).map(|k| (a.bits[k][row], b.bits[k][j]));
                sums[j] = strange_sum(kinds, factors, before[j]).unwrap_or(sums[j]);
            }
        }
    }
}

/// The sum of a column in which something is not finite; nothing if all of it is.
#[cold]
fn strange_sum((x, y): (Kind, Kind), factors: impl Iterator<Item = (u32, u32)> + Clone, before: u32) -> Option<u32> {
    let products = factors.map(|(a, b)| {
        let product = x.real(a) * y.real(b);
        let large = product.abs() >= power(OVERFLOW) && !planted!(MatrixNoOverflow);
        if large { product * f64::INFINITY } else { product }
    });
    let calm = is_finite(before) && products.clone().all(f64::is_finite);
    (!calm).then(|| special(products, before))
}

/// Sums of products that are cut, in units of 2^-24 of the largest exponent, and that exponent.
struct Part {
    sums: Row<i32>,
    tops: Row<i32>,
}

impl Default for Part {
    fn default() -> Part {
        Part { sums: [0; COLUMNS], tops: [2 * ZERO; COLUMNS] }
    }
}

impl Part {
    #[inline(always)]
    fn sum(
        &mut self,
        rows: impl Iterator<Item = usize> + Clone,
        (x, y): (Kind, Kind),
        a: &Factors,
        row: usize,
        b: &Factors,
    ) {
        let up = 24 - x.places() - y.places();
        // Of their own, so that nothing else can be meant by them: the loops become vector code.
        let (mut sums, mut tops) = (self.sums, self.tops);
        for k in rows.clone() {
            let exp = a.exp[k][row];
            for (top, other) in tops[..b.columns].iter_mut().zip(&b.exp[k]) {
                *top = (*top).max(exp + other);
            }
        }
        for k in rows {
            let (sig, exp) = (a.sig[k][row], a.exp[k][row]);
            let others = b.sig[k].iter().zip(&b.exp[k]);
            for ((sum, top), (other, other_exp)) in sums[..b.columns].iter_mut().zip(&tops).zip(others) {
                let product = sig * other;
                // What is cut is the magnitude.
                let sign = product >> 31;
                let magnitude = ((product ^ sign) - sign) as u32;
                let down = (top - exp - other_exp).min(31) as u32;
                let magnitude = (magnitude << up >> (down & 31)) as i32;
                let lost = planted!(MatrixCutDown) && sign != 0;
                *sum += (magnitude ^ sign) - sign - i32::from(lost);
            }
        }
        (self.sums, self.tops) = (sums, tops);
    }

    /// Two sums on the grid of the larger exponent, each rounded down.
    #[inline(always)]
    fn join(&mut self, other: &Part) {
        let others = other.sums.iter().zip(&other.tops);
        for ((sum, top), (other, other_top)) in self.sums.iter_mut().zip(&mut self.tops).zip(others) {
            let higher = (*top).max(*other_top);
            let down = |sum: i32, top: i32| sum >> ((higher - top).min(31) & 31);
            *sum = down(*sum, *top) + down(*other, *other_top);
            *top = higher;
        }
    }

    /// Adds these sums to accumulators. Of products of eight bits an accumulator of which nothing is left is no term, else it is one unit down if it
    /// is negative. Doubles have room for all places of the sum, which has 40 bits at most.
    #[inline(always)]
    fn accumulate(&self, sums: &mut Row<u32>, small: bool) {
        for (c, (dot, top)) in sums.iter_mut().zip(self.sums.iter().zip(&self.tops)) {
            let field = (*c >> 23 & 0xff) as i32;
            let sig = (*c & 0x7f_ffff) as i32 | i32::from(field != 0) << 23;
            let sig = if *c >> 31 != 0 { -sig } else { sig };
            let exp = field.max(1) - 127;
            let higher = (*top).max(exp);
            // In units of 2^-32 and 2^-24 of the higher exponent.
            let dot = (f64::from(*dot) * power(8 - (higher - top).min(1000))).floor();
            let kept = f64::from(sig) * power(1 - (higher - exp));
            let kept = if planted!(MatrixSumCut) { kept.trunc() } else { kept.floor() };
            let kept = if small && exp < higher - 25 { 0.0 } else { kept };
            let sum = dot + 256.0 * kept;
            // Rounded down to 31 places behind the point of the sum itself, or of the smallest normal number.
            let leading = (sum.to_bits() >> 52 & 0x7ff) as i32 - 1023;
            let drop = (leading - 31).max(i32::from(higher == -126));
            let sum = (sum * power(-drop)).floor() * power(drop);
            *c = settled((sum * power(higher - 32)) as f32);
        }
    }
}

/// Exact sums. Most are exact in doubles too, which their errors tell: those are made for all columns at once.
#[inline(always)]
fn exact(f: Format, at_once: usize, a: &Factors, row: usize, b: &Factors, sums: &mut Row<u32>) {
    let at_once = if planted!(MatrixRoundedEach) { 1 } else { at_once };
    for first in (0..b.bits.len()).step_by(at_once) {
        let rows = first..(first + at_once).min(b.bits.len());
        let (mut all, mut lost) = (each(sums, |sum| f64::from(f32::from_bits(sum))), [0.0f64; COLUMNS]);
        for k in rows.clone() {
            let factor = f64::from(a.real[k][row]);
            for ((all, lost), b) in all[..b.columns].iter_mut().zip(&mut lost).zip(&b.real[k]) {
                let product = factor * f64::from(*b);
                let sum = *all + product;
                // What the addition has lost (Knuth): nothing, or something that is not zero, or a NaN.
                let other = sum - *all;
                *lost += ((*all - (sum - other)) + (product - other)).abs();
                *all = sum;
            }
        }
        let before = *sums;
        // A zero is +0.
        *sums = each(&all, |sum| if sum == 0.0 { 0 } else { settled(sum as f32) });
        for j in (0..COLUMNS).filter(|j| lost[*j] != 0.0) {
            sums[j] = one_exact(f, rows.clone().map(|k| (a.bits[k][row], b.bits[k][j])), before[j]);
        }
    }
}

/// Products of 16-bit floats and an f32, added exactly: an integer as wide as all of them, in units of 2^-298.
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
        // The highest bits, and whether anything is below them: rounded to f32 they give the same as all bits.
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

/// An exact sum, whatever its terms are.
#[cold]
fn one_exact(f: Format, factors: impl Iterator<Item = (u32, u32)> + Clone, before: u32) -> u32 {
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
