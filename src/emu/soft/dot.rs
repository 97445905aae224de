//! Dot products of small numbers with one rounding at the end, as the adders of gfx11 and gfx12 make them.
//!
//! The products are exact. Then all terms are aligned to a grid, that is, cut to multiples of one power of two, added as integers, and the sum
//! is rounded to nearest even. The grid is 2^-24 of the largest product by the exponents of its factors, or 2^-26 of the largest term,
//! whichever is coarser. The generations differ in how they cut:
//!
//! - gfx11 cuts magnitudes and adds in the sign of the accumulator: a term of the other sign counts as the complement of its magnitude, one unit
//!   too much, even a zero. Subnormal accumulators are zeros, so are subnormal bf16 factors, and tiny results become +0.
//! - gfx12 rounds down, in two's complement. Products are first aligned and added in pairs (eight-bit ones in fours), then with the accumulator.
//!   Subnormals count on all sides. A negative accumulator of which nothing is left counts as one unit only on the finest grids.
//!
//! A matrix instruction is a chain of these: of two products on gfx11, of four on gfx12; [`rows`] has them for whole rows. The mode register has no
//! say. Exceptions are not modelled.

pub mod rows;
#[cfg(test)]
mod tests;
pub(in crate::emu) mod words;

use super::{BF16, Env, F16, F32, Format, Fp8, Num, Round, Rules};

/// Whose adder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Adder {
    /// gfx11
    Gfx11,
    /// gfx12
    Gfx12,
}

/// What a result is narrowed to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::emu) enum Target {
    F32,
    F16 { saturate: bool },
    Bf16,
}

/// The NaN of a NaN factor, and the one of an invalid product.
const FACTOR_NAN: u64 = 0xffc0_0a3d;
const INVALID: u64 = 0xffc0_0000;

/// A factor of a product.
#[derive(Clone, Copy)]
struct Factor {
    num: Num,
    /// The exponent of its highest place: that of the smallest normal number for subnormals and zeros.
    place: i32,
    nan: bool,
    inf: bool,
}

impl Factor {
    fn of(f: Format, a: u64, flush: bool) -> Factor {
        let a = if flush { f.flush(a) } else { a };
        let num = f.unpack(a);
        Factor { num, place: num.exp + f.man as i32, nan: f.is_nan(a), inf: f.is_inf(a) }
    }

    fn of_fp8(kind: Fp8, a: u8) -> Factor {
        let num = kind.format().unpack(u64::from(a));
        let place = num.exp + kind.format().man as i32;
        Factor { num, place, nan: kind.is_nan(u64::from(a)), inf: kind.is_inf(u64::from(a)) }
    }

    fn is_zero(self) -> bool {
        self.num.sig == 0
    }

    fn product(self, other: Factor) -> Num {
        let (a, b) = (self.num, other.num);
        Num { sign: a.sign != b.sign, exp: a.exp + b.exp, sig: a.sig * b.sig }
    }
}

/// The exponent of the leading bit, for zero one below all others.
fn leading(x: Num) -> i32 {
    if x.sig == 0 { NONE } else { x.exp + 63 - x.sig.leading_zeros() as i32 }
}

/// Below all exponents.
const NONE: i32 = -2000;

/// The magnitude in units of `2^grid`, cut, and whether anything was lost. The grid is at most four below the term's unit.
fn cut(x: Num, grid: i32) -> (i64, bool) {
    let shift = x.exp - grid;
    if x.sig == 0 {
        (0, false)
    } else if shift >= 0 {
        ((x.sig << shift.min(32)) as i64, false)
    } else if shift > -64 {
        ((x.sig >> -shift) as i64, x.sig << (64 + shift) != 0)
    } else {
        (0, true)
    }
}

/// [`cut`] rounded down, with the sign.
fn cut_down(x: Num, grid: i32) -> i64 {
    let (magnitude, lost) = cut(x, grid);
    if x.sign { -magnitude - i64::from(lost) } else { magnitude }
}

/// The result where a term is not finite.
fn special(products: &[(Factor, Factor)], c: u64, invalid: u64) -> Option<u64> {
    if products.iter().any(|(a, b)| a.nan || b.nan) {
        return Some(FACTOR_NAN);
    }
    let mut inf = [F32.is_inf(c) && !F32.sign(c), F32.is_inf(c) && F32.sign(c)];
    let mut product_inf = [false; 2];
    for (a, b) in products {
        if a.inf || b.inf {
            // An infinity times zero.
            if a.is_zero() || b.is_zero() {
                return Some(invalid);
            }
            product_inf[usize::from(a.num.sign != b.num.sign)] = true;
        }
    }
    if product_inf == [true; 2] {
        return Some(invalid);
    }
    if F32.is_nan(c) {
        return Some(c | F32.quiet_bit());
    }
    inf[0] |= product_inf[0];
    inf[1] |= product_inf[1];
    match inf {
        [true, true] => Some(invalid),
        [true, false] => Some(F32.inf()),
        [false, true] => Some(F32.signed(true, F32.inf())),
        [false, false] => None,
    }
}

/// A special result in the format of the target.
fn narrow_special(target: Target, a: u64) -> u64 {
    match target {
        Target::F32 => a,
        Target::F16 { .. } if a == FACTOR_NAN => 0xfe3d,
        Target::F16 { .. } => Env::new(Rules::IEEE).convert(F32, F16, a),
        Target::Bf16 if a == FACTOR_NAN => 0xfffd,
        Target::Bf16 => a >> 16,
    }
}

/// An integer in units of `2^grid`, rounded. All zeros are positive.
fn round(target: Target, flush: bool, negative: bool, sum: i64, grid: i32) -> u64 {
    let sign = (sum < 0) != negative;
    let (f, flush_out, saturate) = match target {
        Target::F16 { saturate } => (F16, false, saturate),
        Target::F32 | Target::Bf16 => (F32, flush, false),
    };
    let mut env = Env::new(Rules { round: Round::Even, flush_out, saturate, ..Rules::IEEE });
    let result = env.pack(f, sign, grid, sum.unsigned_abs());
    let result = if f.is_zero(result) { 0 } else { result };
    if target == Target::Bf16 { result >> 16 } else { result }
}

fn gfx11(target: Target, products: &[(Factor, Factor)], c: u64) -> u64 {
    let c = F32.unpack(F32.flush(c));
    let terms = || products.iter().map(|(a, b)| a.product(*b));
    let c_leading = match target {
        // Even where the accumulator is zero.
        Target::F16 { .. } => leading(c).max(-14),
        Target::F32 | Target::Bf16 => leading(c),
    };
    if c.sig == 0 && terms().all(|p| p.sig == 0) {
        return 0;
    }
    let places = products.iter().filter(|(a, b)| !a.is_zero() && !b.is_zero()).map(|(a, b)| a.place + b.place - 24);
    let grid = terms().map(|p| leading(p) - 26).chain(places).fold(c_leading - 26, i32::max);
    let sum = terms().chain([c]).fold(0, |sum, term| {
        let (magnitude, _) = cut(term, grid);
        sum + if term.sign == c.sign { magnitude } else { !magnitude }
    });
    round(target, true, c.sign, sum, grid)
}

fn gfx12(target: Target, products: &[(Factor, Factor)], group: usize, c: u64) -> u64 {
    let c = F32.unpack(c);
    let lowest = if let Target::F16 { .. } = target { -14 } else { -126 };
    let grid_of = |products: &[(Factor, Factor)]| {
        let nonzero = products.iter().filter(|(a, b)| !a.is_zero() && !b.is_zero());
        nonzero.map(|(a, b)| a.place + b.place - 24).fold(NONE, i32::max)
    };
    let grid = grid_of(products).max(leading(c).max(lowest) - 26);
    let (magnitude, lost) = cut(c, grid);
    let floor = lost && (magnitude != 0 || grid <= lowest);
    let mut sum = if c.sign { -magnitude - i64::from(floor) } else { magnitude };
    for group in products.chunks(group) {
        let group_grid = grid_of(group);
        let part: i64 = group.iter().map(|(a, b)| cut_down(a.product(*b), group_grid)).sum();
        sum += cut_down(Num { sign: part < 0, exp: group_grid, sig: part.unsigned_abs() }, grid);
    }
    round(target, false, false, sum, grid)
}

/// The format of the factors.
fn half(f: Format) -> Format {
    if f == BF16 { BF16 } else { F16 }
}

fn dot(adder: Adder, target: Target, f: Format, products: &[(u64, u64)], c: u64) -> u64 {
    let mut factors = [(Factor::of(F16, 0, false), Factor::of(F16, 0, false)); 4];
    let flush = adder == Adder::Gfx11 && f == BF16;
    let factors = &mut factors[..products.len().min(4)];
    for (factor, &(a, b)) in factors.iter_mut().zip(products) {
        *factor = (Factor::of(f, a, flush), Factor::of(f, b, flush));
    }
    if let Some(result) = special(factors, c, INVALID) {
        return narrow_special(target, result);
    }
    match adder {
        Adder::Gfx11 => gfx11(target, factors, c),
        Adder::Gfx12 => gfx12(target, factors, 2, c),
    }
}

/// `c` plus the products of f16 or bf16 numbers (`f`), in f32: V_DOT2_F32_F16 and V_DOT2_F32_BF16, and a step of a matrix product: two products, on gfx12
/// in a matrix product four. More than four are ignored; a format that is neither is taken for f16.
pub fn dot_f32(adder: Adder, f: Format, products: &[(u64, u64)], c: u64) -> u64 {
    dot(adder, Target::F32, half(f), products, c)
}

/// The same with accumulator and result in the format of the factors. f16 is rounded from the sum (`saturate`: FP16_OVFL); bf16 is the f32 result
/// with its lower half cut off.
pub fn dot_packed(adder: Adder, f: Format, products: &[(u64, u64)], c: u64, saturate: bool) -> u64 {
    let f = half(f);
    let target = if f == F16 { Target::F16 { saturate } } else { Target::Bf16 };
    // The accumulator is widened without quieting it.
    let c = Env::new(Rules { quiet: false, ..Rules::IEEE }).convert(f, F32, c);
    dot(adder, target, f, products, c)
}

/// `c` plus the products of eight-bit numbers, in f32: V_DOT4_F32_FP8_BF8 and its relatives, of gfx12. An invalid product gives the NaN of a NaN factor.
pub fn dot4_fp8(a: (Fp8, [u8; 4]), b: (Fp8, [u8; 4]), c: u64) -> u64 {
    let factors: [_; 4] = std::array::from_fn(|i| (Factor::of_fp8(a.0, a.1[i]), Factor::of_fp8(b.0, b.1[i])));
    special(&factors, c, FACTOR_NAN).unwrap_or_else(|| gfx12(Target::F32, &factors, 4, c))
}

impl Env {
    /// `c` plus the products of f16 or bf16 numbers (`f`) as a chain of f32 operations, first product first, under the rules. open: how gfx9, gfx10 and
    /// CDNA compute it is not known; results may differ by a unit or two.
    pub fn dot_chain(&mut self, f: Format, products: &[(u64, u64)], c: u64) -> u64 {
        products.iter().fold(c, |sum, &(a, b)| {
            let (a, b) = (self.convert(f, F32, a), self.convert(f, F32, b));
            self.fma(F32, a, b, sum)
        })
    }
}
