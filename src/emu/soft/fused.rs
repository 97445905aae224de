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
//! A [`Core`] makes the sums of a row of A with many columns of B at once, so that the loops are over columns, which the compiler makes
//! vectors of.

use super::{BF16, Env, F16, F32, F64, Format, Fp8, Rules};
use crate::fault::planted;

/// The most columns.
pub const COLUMNS: usize = 32;

/// How sums are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Core {
    /// Fused multiply-adds, one after the other.
    Chain(Format),
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

/// A matrix of factors: `depth` rows, each with a place for every column.
pub struct Factors {
    depth: usize,
    columns: usize,
    /// What the adder works on: significand with its sign, exponent, as f32, or the bits.
    sig: Vec<i32>,
    exp: Vec<i32>,
    real: Vec<f32>,
    bits: Vec<u64>,
    /// Columns with something that is not finite.
    wild: Vec<bool>,
    /// The largest exponent.
    top: i32,
}

/// The exponent of a zero, so far below all others that a product with it decides nothing.
const ZERO: i32 = -1 << 12;
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

    /// Significand with its sign, exponent, and whether it is finite.
    fn parts(self, bits: u64) -> (i32, i32, bool) {
        let (f, bits, bias) = match self {
            Kind::Half(f) => (f, bits, f.bias()),
            Kind::Xf32 => (Format { exp: 8, man: 10 }, bits >> 13, F32.bias()),
            Kind::Small(fp8) => (fp8.format(), bits, fp8.bias()),
        };
        let finite = match self {
            Kind::Small(fp8) => !fp8.is_nan(bits) && !fp8.is_inf(bits),
            _ => bits & f.inf() != f.inf(),
        };
        let field = (bits & (f.sign_bit() - 1)) >> f.man;
        let fraction = bits & f.fraction();
        let sig = if field == 0 { fraction } else { fraction | 1 << f.man } as i32;
        let exp = if sig == 0 { ZERO } else { (field as i32).max(1) - bias };
        (if f.sign(bits) { -sig } else { sig }, exp, finite)
    }

    /// The number as f64.
    fn real(self, bits: u64) -> f64 {
        match self {
            Kind::Half(f) => wide(f, bits).into(),
            Kind::Xf32 => f32::from_bits(bits as u32 & !0x1fff).into(),
            Kind::Small(fp8) => f32::from_bits(fp8.decode(bits as u8) as u32).into(),
        }
    }
}

/// A number of a format as f32, exactly.
fn wide(f: Format, bits: u64) -> f32 {
    f32::from_bits(Env::new(Rules::IEEE).convert(f, F32, bits) as u32)
}

/// An f32 without subnormals: a zero of its sign.
fn flushed(v: f32) -> f32 {
    if v.abs() < f32::MIN_POSITIVE { 0.0f32.copysign(v) } else { v }
}

/// The quiet NaN without sign and payload for every NaN.
fn settled(v: f32) -> u64 {
    u64::from(if v.is_nan() { 0x7fc0_0000 } else { v.to_bits() })
}

impl Core {
    /// A matrix of factors, taken apart: the first or the second of each product.
    pub fn factors(self, second: bool, depth: usize, columns: usize, bits: Vec<u64>) -> Factors {
        let (sig, exp, real, wild) = (Vec::new(), Vec::new(), Vec::new(), vec![false; columns]);
        let mut all = Factors { depth, columns, sig, exp, real, bits, wild, top: ZERO };
        match self {
            Core::Cut(a, b, _) => {
                let kind = if second { b } else { a };
                for (n, bits) in all.bits.iter().enumerate() {
                    let (sig, exp, finite) = kind.parts(*bits);
                    all.sig.push(sig);
                    all.exp.push(exp);
                    all.wild[n % columns] |= !finite;
                    all.top = all.top.max(exp);
                }
            }
            Core::Flushing(f, _) => {
                let number = |bits: &u64| match bits & f.inf() {
                    0 if !planted!(MatrixSubnormalsCount) => 0.0,
                    _ => wide(f, *bits),
                };
                all.real = all.bits.iter().map(number).collect();
            }
            Core::Bytes => all.sig = all.bits.iter().map(|bits| i32::from(*bits as u8 as i8)).collect(),
            Core::Chain(_) | Core::Exact(..) => {}
        }
        all
    }

    /// Adds the products of a column of `a` (a row of the first matrix) with each column of `b` to the sums.
    pub fn add(self, a: &Factors, row: usize, b: &Factors, sums: &mut [u64]) {
        match self {
            Core::Chain(f) => chain(f, a, row, b, sums),
            Core::Exact(f, at_once) => exact(f, at_once, a, row, b, sums),
            Core::Flushing(_, at_once) => flushing(at_once, a, row, b, sums),
            Core::Cut(x, y, at_once) => cut((x, y), at_once, a, row, b, sums),
            Core::Bytes => {
                for k in 0..b.depth {
                    let factor = a.sig[k * a.columns + row];
                    for (sum, other) in sums.iter_mut().zip(&b.sig[k * b.columns..]) {
                        *sum = u64::from((*sum as u32).wrapping_add(factor.wrapping_mul(*other) as u32));
                    }
                }
            }
        }
    }
}

fn chain(f: Format, a: &Factors, row: usize, b: &Factors, sums: &mut [u64]) {
    let mut env = Env::new(Rules::IEEE);
    for (j, sum) in sums.iter_mut().enumerate() {
        for k in 0..b.depth {
            *sum = env.fma(f, a.bits[k * a.columns + row], b.bits[k * b.columns + j], *sum);
        }
        if f.is_nan(*sum) {
            *sum = f.inf() | f.quiet_bit();
        }
    }
    debug_assert!(f == F32 || f == F64);
}

fn flushing(at_once: usize, a: &Factors, row: usize, b: &Factors, sums: &mut [u64]) {
    let mut all = [0.0f32; COLUMNS];
    let all = &mut all[..sums.len()];
    for (to, sum) in all.iter_mut().zip(&*sums) {
        let sum = f32::from_bits(*sum as u32);
        *to = if sum.abs() < f32::MIN_POSITIVE { 0.0 } else { sum };
    }
    let product = |k: usize, j: usize| flushed(a.real[k * a.columns + row] * b.real[k * b.columns + j]);
    for first in (0..b.depth).step_by(at_once) {
        for (j, sum) in all.iter_mut().enumerate() {
            let pair = |k: usize| flushed(product(k, j) + product(k + 1, j));
            let part = if at_once == 2 { pair(first) } else { flushed(pair(first) + pair(first + 2)) };
            *sum = if planted!(MatrixPairsInLine) {
                (first..first + at_once).fold(*sum, |sum, k| flushed(sum + product(k, j)))
            } else {
                flushed(*sum + part)
            };
        }
    }
    for (sum, v) in sums.iter_mut().zip(all) {
        *sum = settled(*v);
    }
}

/// The sum of a column in which something is infinite or a NaN, as arithmetic on infinities has it.
fn special(products: impl Iterator<Item = f64>, sum: u64) -> u64 {
    settled(products.fold(f64::from(f32::from_bits(sum as u32)), |all, product| all + product) as f32)
}

/// `2^exp`
fn power(exp: i32) -> f64 {
    f64::from_bits(((exp + 1023) as u64) << 52)
}

fn cut((x, y): (Kind, Kind), at_once: usize, a: &Factors, row: usize, b: &Factors, sums: &mut [u64]) {
    let columns = sums.len();
    let small = matches!(x, Kind::Small(_)) && !planted!(MatrixBytesTogether);
    for first in (0..b.depth).step_by(at_once) {
        let end = (first + at_once).min(b.depth);
        let rows = first..end;
        let mut parts = [Part::default(); 2];
        if small {
            parts[0].sum(rows.clone().step_by(2), (x, y), a, row, b, columns);
            parts[1].sum((first + 1..end).step_by(2), (x, y), a, row, b, columns);
        } else {
            parts[0].sum(rows.clone(), (x, y), a, row, b, columns);
        }
        let row_is_wild = a.wild[row] || a.top + b.top + 1 >= OVERFLOW;
        for (j, sum) in sums.iter_mut().enumerate() {
            let finite = f32::from_bits(*sum as u32).is_finite();
            if row_is_wild || b.wild[j] || !finite {
                let products = rows.clone().map(|k| {
                    let product = x.real(a.bits[k * a.columns + row]) * y.real(b.bits[k * b.columns + j]);
                    if product.abs() >= power(OVERFLOW) && !planted!(MatrixNoOverflow) {
                        product * f64::INFINITY
                    } else {
                        product
                    }
                });
                if !finite || !products.clone().all(f64::is_finite) {
                    *sum = special(products, *sum);
                    continue;
                }
            }
            let (mut dot, mut top) = (i64::from(parts[0].sums[j]), parts[0].tops[j]);
            if small {
                let (odd, odd_top) = (i64::from(parts[1].sums[j]), parts[1].tops[j]);
                let higher = top.max(odd_top);
                dot = (dot >> (higher - top).min(63)) + (odd >> (higher - odd_top).min(63));
                top = higher;
            }
            *sum = accumulated(dot, top, *sum as u32, small);
        }
    }
}

/// Sums of products that are cut, in units of 2^-24 of the largest exponent, and that exponent.
#[derive(Clone, Copy)]
struct Part {
    sums: [i32; COLUMNS],
    tops: [i32; COLUMNS],
}

impl Default for Part {
    fn default() -> Part {
        Part { sums: [0; COLUMNS], tops: [2 * ZERO; COLUMNS] }
    }
}

impl Part {
    fn sum(
        &mut self,
        rows: impl Iterator<Item = usize> + Clone,
        (x, y): (Kind, Kind),
        a: &Factors,
        row: usize,
        b: &Factors,
        columns: usize,
    ) {
        let up = 24 - x.places() - y.places();
        let line = |k: usize| k * b.columns..k * b.columns + columns;
        for k in rows.clone() {
            let exp = a.exp[k * a.columns + row];
            for (top, other) in self.tops.iter_mut().zip(&b.exp[line(k)]) {
                *top = (*top).max(exp + other);
            }
        }
        for k in rows {
            let (sig, exp) = (a.sig[k * a.columns + row], a.exp[k * a.columns + row]);
            let others = b.sig[line(k)].iter().zip(&b.exp[line(k)]);
            for ((sum, top), (other, other_exp)) in self.sums.iter_mut().zip(&self.tops).zip(others) {
                let product = sig * other;
                // What is cut is the magnitude.
                let sign = product >> 31;
                let magnitude = ((product ^ sign) - sign) << up >> (top - exp - other_exp).min(31);
                let lost = planted!(MatrixCutDown) && sign != 0;
                *sum += (magnitude ^ sign) - sign - i32::from(lost);
            }
        }
    }
}

/// A sum of products, in units of 2^-24 of `2^top`, and the accumulator. Where products are of eight bits an accumulator of which nothing is left
/// is no term, else it is one unit down if it is negative.
fn accumulated(dot: i64, top: i32, c: u32, small: bool) -> u64 {
    let field = (c >> 23 & 0xff) as i32;
    let sig = i64::from(if field == 0 { c & 0x7f_ffff } else { c & 0x7f_ffff | 1 << 23 });
    let sig = if c >> 31 != 0 { -sig } else { sig };
    let exp = field.max(1) - 127;
    let higher = top.max(exp);
    let dot = dot << 8 >> (higher - top).min(63);
    let down = (higher - exp).min(63);
    let c = match sig << 1 {
        _ if small && exp < higher - 25 => 0,
        sig if planted!(MatrixSumCut) => sig / (1 << down.min(62)),
        sig => sig >> down,
    };
    let sum = dot + (c << 8);
    // Rounded down to 31 places behind the point of the sum itself, or of the smallest normal number.
    let leading = 63 - sum.unsigned_abs().leading_zeros() as i32;
    let drop = (leading - 31).max(-126 - higher + 1).max(0).min(63);
    let sum = sum >> drop << drop;
    settled((sum as f64 * power(higher - 32)) as f32)
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

fn exact(f: Format, at_once: usize, a: &Factors, row: usize, b: &Factors, sums: &mut [u64]) {
    let at_once = if planted!(MatrixRoundedEach) { 1 } else { at_once };
    for first in (0..b.depth).step_by(at_once) {
        for (j, sum) in sums.iter_mut().enumerate() {
            let rows = first..(first + at_once).min(b.depth);
            let pairs = rows.map(|k| (a.bits[k * a.columns + row], b.bits[k * b.columns + j]));
            let wild_pair = |(x, y): (u64, u64)| x & f.inf() == f.inf() || y & f.inf() == f.inf();
            if pairs.clone().any(wild_pair) || !f32::from_bits(*sum as u32).is_finite() {
                *sum = special(pairs.map(|(x, y)| f64::from(wide(f, x)) * f64::from(wide(f, y))), *sum);
                continue;
            }
            let mut all = Wide([0; Wide::WORDS]);
            for (x, y) in pairs {
                let (x, y) = (f.unpack(x), f.unpack(y));
                all.add(x.sign != y.sign, x.sig * y.sig, x.exp + y.exp);
            }
            let c = F32.unpack(*sum);
            all.add(c.sign, c.sig, c.exp);
            *sum = settled(all.rounded());
        }
    }
    debug_assert!(f == F16 || f == BF16);
}
