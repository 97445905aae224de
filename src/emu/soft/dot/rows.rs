//! The sums of matrix products: a row of A with all columns of B at once, as the [adders](super) make them.
//!
//! The loops are over columns, without branches, so that the compiler makes vectors of them. Nearly all rows are made in [words] of 32 bits; those
//! with something very large or very small in f64, whose 53 bits have room for every step: a number divided by the unit of a grid, without what
//! lies behind the point, is the number aligned to that grid.
//!
//! - A grid follows from powers of two: those of the factors ([`Terms::b_powers`]), of which the product is that of the highest place of a
//!   product, and that of the accumulator. The power of a zero is zero, and so has no say.
//! - On gfx11 a term of the other sign counts as the complement of its magnitude. With the signs `s` of a product and `t` of the accumulator
//!   that adds `(s - t) / 2` to the sum of the terms with their signs.
//! - Sums in which something is infinite or a NaN follow from the arithmetic of the host on such: rows that have any are looked at once more.

use super::words::{self, Factor, Format, Span};
use super::{Adder, FACTOR_NAN, INVALID, Target};
use crate::each::each;
use crate::emu::soft::fused::{self, Kind};
use crate::emu::soft::{BF16, F16, F32, Fp8, finite_half, to_half};

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
    real: [Row<f32>; DEPTH],
    /// What makes a [`Factor`] of each; an array for each part.
    integers: [Row<i32>; DEPTH],
    places: [Row<u32>; DEPTH],
    span: Span,
    /// Whether one is infinite or a NaN.
    strange: bool,
}

impl Factors {
    /// Numbers of a kind, whose integers are `up` larger than their last place says.
    #[inline(always)]
    fn fill(&mut self, kind: Kind, adder: Adder, up: u32, bits: &[Row<u32>]) {
        let format = format(kind, adder);
        let parts = self.integers.as_flattened_mut().iter_mut().zip(self.places.as_flattened_mut());
        let to = self.real.as_flattened_mut().iter_mut().zip(parts);
        let (mut most, mut span) = (0, Span::NONE);
        for (bits, (real, (integer, place))) in bits.as_flattened().iter().zip(to) {
            let v = number(kind, *bits).to_bits();
            let magnitude = v & !(1 << 31);
            let v = if format.flushes() && magnitude < 1 << 23 { v ^ magnitude } else { v };
            let factor = format.factor(*bits, up);
            (*real, *integer, *place) = (f32::from_bits(v), factor.integer, factor.place);
            most = most.max(magnitude);
            // What is strange lies nowhere.
            span = span.and(if magnitude < 0x7f80_0000 { factor } else { Factor::default() });
        }
        self.span = span;
        self.strange = most >= 0x7f80_0000;
    }

    /// Of no matrix.
    pub const NONE: Factors = Factors {
        depth: 0,
        real: [[0.0; COLUMNS]; DEPTH],
        integers: [[0; COLUMNS]; DEPTH],
        places: [[0; COLUMNS]; DEPTH],
        span: Span::NONE,
        strange: false,
    };
}

/// The format of a kind of halves or bytes; what is neither is taken for f16.
#[inline(always)]
fn format(kind: Kind, adder: Adder) -> Format {
    match kind {
        Kind::Half(BF16) => Format::half(BF16, adder == Adder::Gfx11),
        Kind::Half(_) | Kind::Xf32 => Format::half(F16, false),
        Kind::Small(fp8) => Format::byte(fp8),
    }
}

/// A number of that.
#[inline(always)]
fn number(kind: Kind, bits: u32) -> f32 {
    match kind {
        Kind::Half(BF16) => fused::wide(BF16, bits),
        Kind::Half(_) | Kind::Xf32 => fused::wide(F16, bits),
        Kind::Small(fp8) => fused::small(fp8, bits),
    }
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
        let bits = &bits[..bits.len().min(DEPTH)];
        let up = if source == 0 { words::up(self.of.map(|kind| format(kind, self.adder))) } else { 0 };
        factors.depth = bits.len();
        // In each case the compiler knows the kind.
        match self.of[source] {
            Kind::Half(BF16) => factors.fill(Kind::Half(BF16), self.adder, up, bits),
            Kind::Half(_) | Kind::Xf32 => factors.fill(Kind::Half(F16), self.adder, up, bits),
            Kind::Small(Fp8::E4m3) => factors.fill(Kind::Small(Fp8::E4m3), self.adder, up, bits),
            Kind::Small(Fp8::E5m2) => factors.fill(Kind::Small(Fp8::E5m2), self.adder, up, bits),
            Kind::Small(other) => factors.fill(Kind::Small(other), self.adder, up, bits),
        }
    }

    /// Adds the products of rows of A with the columns of B to their sums.
    #[inline(always)]
    pub fn add(self, a: &Factors, b: &Factors, lines: &mut [Line<'_>]) {
        const HALF: Target = Target::F16 { saturate: false };
        let small = matches!(self.of[0], Kind::Small(_));
        match (self.adder, self.target) {
            (Adder::Gfx11, Target::F32) => add::<Gfx11, 2>(Target::F32, INVALID, a, b, lines),
            (Adder::Gfx11, Target::F16 { .. }) => add::<Gfx11, 2>(HALF, INVALID, a, b, lines),
            (Adder::Gfx11, Target::Bf16) => add::<Gfx11, 2>(Target::Bf16, INVALID, a, b, lines),
            (Adder::Gfx12, Target::F32) if small => add::<Gfx12<1>, 4>(Target::F32, FACTOR_NAN, a, b, lines),
            (Adder::Gfx12, Target::F32) => add::<Gfx12<2>, 4>(Target::F32, INVALID, a, b, lines),
            (Adder::Gfx12, Target::F16 { .. }) => add::<Gfx12<2>, 4>(HALF, INVALID, a, b, lines),
            (Adder::Gfx12, Target::Bf16) => add::<Gfx12<2>, 4>(Target::Bf16, INVALID, a, b, lines),
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

/// How so many products at once are added to an accumulator.
trait Adds<const AT_ONCE: usize> {
    /// Whether tiny accumulators and sums are zeros.
    const FLUSH: bool;
    /// In words: a sum, and its grid.
    fn in_words(target: Target, a: [Factor; AT_ONCE], b: [Factor; AT_ONCE], c: u32) -> (i32, u32);
    /// The sum of column `j`, exactly.
    fn in_f64(terms: &Terms<AT_ONCE>, j: usize, c: f64, target: Target) -> f64;
}

struct Gfx11;

/// Of so many groups of products.
struct Gfx12<const GROUPS: usize>;

/// The rows of B for some elements of a row of A.
#[inline(always)]
fn partners<const AT_ONCE: usize>(line: &Line<'_>, first: usize) -> [usize; AT_ONCE] {
    let mut rows = [0; AT_ONCE];
    for (n, row) in rows.iter_mut().enumerate() {
        *row = usize::from(line.order[first + n]).min(DEPTH - 1);
    }
    rows
}

/// Adds so many products at once to the accumulators of each line, until there are none left.
#[inline(always)]
fn add<A: Adds<AT_ONCE>, const AT_ONCE: usize>(
    target: Target,
    invalid: u64,
    a: &Factors,
    b: &Factors,
    lines: &mut [Line<'_>],
) {
    let (in_words, strange) = (a.span.fits(b.span), a.strange || b.strange);
    for first in (0..a.depth.min(DEPTH)).step_by(AT_ONCE) {
        let first = first.min(DEPTH - AT_ONCE);
        // All lines take a step before one takes the next, which has to wait for it.
        for line in &mut *lines {
            let before = line.sums;
            if !(in_words && add_words::<A, AT_ONCE>(target, a, b, line, first)) {
                add_any::<A, AT_ONCE>(target, a, b, line, first);
            }
            if strange || !are_finite(target, &before) {
                add_strange::<AT_ONCE>(target, invalid as u32, a, b, line, first, &before);
            }
        }
    }
}

/// A step in words, if all accumulators are such that it can be made.
#[inline(always)]
fn add_words<A: Adds<AT_ONCE>, const AT_ONCE: usize>(
    target: Target,
    of_a: &Factors,
    of_b: &Factors,
    line: &mut Line<'_>,
    first: usize,
) -> bool {
    let row = line.row.min(COLUMNS - 1);
    let mut a = [Factor::default(); AT_ONCE];
    let mut b = [(&of_b.integers[0], &of_b.places[0]); AT_ONCE];
    for (n, k) in partners::<AT_ONCE>(line, first).into_iter().enumerate() {
        a[n] = Factor { integer: of_a.integers[first + n][row], place: of_a.places[first + n][row] };
        b[n] = (&of_b.integers[k], &of_b.places[k]);
    }
    let (before, mut sums, mut beyond) = (line.sums, [0; COLUMNS], 0);
    for j in 0..COLUMNS {
        let c = wide(target, before[j]);
        let mut column = [Factor::default(); AT_ONCE];
        for n in 0..AT_ONCE {
            column[n] = Factor { integer: b[n].0[j], place: b[n].1[j] };
        }
        sums[j] = words::rounded(target, A::in_words(target, a, column, c));
        // Of what is strange something else is made afterwards.
        beyond |= u32::from(!words::fits(target, A::FLUSH, c) & !is_strange(c));
    }
    if beyond == 0 {
        line.sums = sums;
    }
    beyond == 0
}

/// The factors of a step in f64.
struct Terms<const AT_ONCE: usize> {
    a: [f64; AT_ONCE],
    b: [Row<f64>; AT_ONCE],
    /// For each the power of two of its highest place, divided by 2^12; zero for zeros.
    a_powers: [f64; AT_ONCE],
    b_powers: [Row<f64>; AT_ONCE],
}

impl<const AT_ONCE: usize> Terms<AT_ONCE> {
    #[inline(always)]
    fn of(a: &Factors, b: &Factors, line: &Line<'_>, first: usize) -> Self {
        let row = line.row.min(COLUMNS - 1);
        let (none, of_none) = ([0.0; AT_ONCE], [[0.0; COLUMNS]; AT_ONCE]);
        let mut terms = Terms { a: none, b: of_none, a_powers: none, b_powers: of_none };
        for (n, k) in partners::<AT_ONCE>(line, first).into_iter().enumerate() {
            (terms.a[n], terms.a_powers[n]) = (a.real[first + n][row].into(), words::power(a.places[first + n][row]));
            (terms.b[n], terms.b_powers[n]) = (each(&b.real[k], f64::from), each(&b.places[k], words::power));
        }
        terms
    }
}

/// A step wherever the numbers lie.
#[inline(always)]
fn add_any<A: Adds<AT_ONCE>, const AT_ONCE: usize>(
    target: Target,
    a: &Factors,
    b: &Factors,
    line: &mut Line<'_>,
    first: usize,
) {
    let terms = Terms::of(a, b, line, first);
    let mut sums = [0; COLUMNS];
    for (j, (sum, before)) in sums.iter_mut().zip(&line.sums).enumerate() {
        let c = f64::from(f32::from_bits(wide(target, *before)));
        *sum = narrow(target, A::FLUSH, A::in_f64(&terms, j, c, target));
    }
    line.sums = sums;
}

/// Whether an f32 is infinite or a NaN.
#[inline(always)]
fn is_strange(bits: u32) -> bool {
    bits & 0x7f80_0000 == 0x7f80_0000
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

impl Adds<2> for Gfx11 {
    const FLUSH: bool = true;

    #[inline(always)]
    fn in_words(target: Target, a: [Factor; 2], b: [Factor; 2], c: u32) -> (i32, u32) {
        words::gfx11(target, a, b, c)
    }

    #[inline(always)]
    fn in_f64(terms: &Terms<2>, j: usize, c: f64, target: Target) -> f64 {
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
}

impl<const GROUPS: usize> Adds<4> for Gfx12<GROUPS> {
    const FLUSH: bool = false;

    #[inline(always)]
    fn in_words(target: Target, a: [Factor; 4], b: [Factor; 4], c: u32) -> (i32, u32) {
        words::gfx12::<GROUPS, 4>(target, a, b, c)
    }

    #[inline(always)]
    fn in_f64(terms: &Terms<4>, j: usize, c: f64, target: Target) -> f64 {
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

/// Replaces the sums of columns in which something is infinite or a NaN, of the products or of what was there before.
#[inline(always)]
fn add_strange<const AT_ONCE: usize>(
    target: Target,
    invalid: u32,
    a: &Factors,
    b: &Factors,
    line: &mut Line<'_>,
    first: usize,
    before: &Row<u32>,
) {
    let (rows, mut sums) = (partners::<AT_ONCE>(line, first), line.sums);
    let row = line.row.min(COLUMNS - 1);
    for j in 0..COLUMNS {
        let (mut products, mut factor_nan) = (0.0, false);
        for (n, k) in rows.iter().enumerate() {
            let (a, b) = (a.real[first + n][row], b.real[*k][j]);
            products += f64::from(a) * f64::from(b);
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
    line.sums = sums;
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
