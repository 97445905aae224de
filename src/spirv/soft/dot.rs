//! Dot products of small floats with one rounding at the end.
//!
//! The products are exact. All terms are cut to multiples of one power of two, the grid, and added as integers. Then the sum is rounded. gfx11
//! cuts magnitudes and adds in the sign of the accumulator, a term of the other sign as the complement of its magnitude. gfx12 rounds down,
//! and adds products, two by two or bytes four by four, on a grid of their own first. What is cut has 27 bits or so: a word is enough.
//!
//! Older generations run a chain of fused operations, as far as is known.

use super::arith::fma_into;
use super::convert::{special_narrow, widened};
use super::fp8::Small;
use super::round::{Operand, operand, pass, round, signed};
use super::{BF16, F16, F32, Format, Int, Modes, Narrow, Rules};
use crate::isa::Gen;

/// A factor of a product, `sig * 2^exp`.
pub(super) struct Factor<K: Int> {
    pub sign: K::C,
    pub sig: K::W,
    pub exp: K::W,
    /// How far above `exp` the leading bit of a normal number stands.
    pub man: u32,
    pub zero: K::C,
    pub nan: K::C,
    pub inf: K::C,
}

impl<K: Int> Clone for Factor<K> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<K: Int> Copy for Factor<K> {}

/// A term of the sum.
pub(super) struct Term<K: Int> {
    pub sign: K::C,
    pub sig: K::W,
    pub exp: K::W,
}

/// Below all exponents.
const NONE: u32 = -4096i32 as u32;
/// The NaN of a NaN factor, and the one of an invalid product.
const FACTOR_NAN: u32 = 0xffc0_0a3d;
const INVALID: u32 = 0xffc0_0000;

impl<K: Int> Factor<K> {
    /// A float of 16 bits.
    pub fn of(k: &K, f: Format, flush: bool, a: K::W) -> Factor<K> {
        let r = Rules::ieee(k).flushing(k, flush);
        let x: Operand<K, Narrow> = operand(k, f, &r, a);
        let (field, sig) = x.plain(k, f);
        let exp = k.addi(field, -f.bias() - f.man as i32);
        Factor { sign: x.sign, sig, exp, man: f.man, zero: x.zero(k), nan: x.nan(k, f), inf: x.inf(k, f) }
    }

    /// Byte `n` of a word.
    pub fn of_byte(k: &K, s: Small, a: K::W, n: u32) -> Factor<K> {
        let byte = k.andi(k.shri(a, 8 * n), 0xff);
        let abs = k.andi(byte, 0x7f);
        let field = k.shri(abs, s.man);
        let sig = k.or(k.andi(abs, (1 << s.man) - 1), k.shli(k.min_u(field, k.w(1)), s.man));
        let exp = k.addi(k.max_u(field, k.w(1)), -s.bias - s.man as i32);
        let sign = k.nz(k.andi(byte, 0x80));
        Factor { sign, sig, exp, man: s.man, zero: k.eqi(abs, 0), nan: s.nan(k, byte), inf: s.infinite(k, byte) }
    }

    pub fn product(&self, k: &K, b: &Factor<K>) -> Term<K> {
        Term { sign: k.differ(self.sign, b.sign), sig: k.mul(self.sig, b.sig), exp: k.add(self.exp, b.exp) }
    }
}

/// The finest grid of the products: 24 below the highest place of any that is not zero.
pub(super) fn grid_of<K: Int>(k: &K, factors: &[(Factor<K>, Factor<K>)]) -> K::W {
    let places = factors.iter().map(|(a, b)| {
        let place = k.addi(k.add(a.exp, b.exp), (a.man + b.man) as i32 - 24);
        k.sel(k.either(a.zero, b.zero), k.w(NONE), place)
    });
    places.reduce(|a, b| k.max_s(a, b)).unwrap_or_else(|| k.w(NONE))
}

/// A magnitude or a signed number on a coarser grid, rounded down, or a finer one, as `up` (the exponent less that of the grid) says.
pub(super) fn regrid<K: Int>(k: &K, sig: K::W, up: K::W) -> K::W {
    let down = k.min_s(k.sub(k.w(0), up), k.w(31));
    let coarser = k.sar(sig, down);
    k.sel(k.lessi(up, 0), coarser, k.shl(sig, k.min_s(up, k.w(31))))
}

/// The result where a term is not finite, and whether one is.
fn special<K: Int>(
    k: &K,
    factors: &[(Factor<K>, Factor<K>)],
    c: Operand<K, Narrow>,
    invalid: u32,
) -> (K::W, K::C, K::C) {
    let no = k.c(false);
    let (mut nan, mut wrong, mut plus, mut minus) = (no, no, no, no);
    for (a, b) in factors {
        nan = k.either(nan, k.either(a.nan, b.nan));
        let inf = k.either(a.inf, b.inf);
        wrong = k.either(wrong, k.both(inf, k.either(a.zero, b.zero)));
        let below = k.differ(a.sign, b.sign);
        minus = k.either(minus, k.both(inf, below));
        plus = k.either(plus, k.but_not(inf, below));
    }
    let wrong = k.either(wrong, k.both(plus, minus));
    let c_inf = c.inf(k, F32);
    let plus = k.either(plus, k.but_not(c_inf, c.sign));
    let minus = k.either(minus, k.both(c_inf, c.sign));
    let inf = signed::<K, Narrow>(k, F32, minus, k.w(F32.inf() as u32));
    let value = k.sel(k.both(plus, minus), k.w(invalid), inf);
    let c_nan = c.nan(k, F32);
    let value = k.sel(c_nan, pass::<K, Narrow>(k, F32, &Rules::ieee(k), c.bits), value);
    let value = k.sel(wrong, k.w(invalid), value);
    let value = k.sel(nan, k.w(FACTOR_NAN), value);
    let any = k.either(k.either(nan, wrong), k.either(c_nan, k.either(plus, minus)));
    (value, nan, any)
}

/// An integer on a grid, rounded to nearest even; zeros are positive.
fn rounded<K: Int>(k: &K, f: Format, r: &Rules<K>, minus: K::C, sum: K::W, grid: K::W) -> K::W {
    let below = k.lessi(sum, 0);
    let magnitude = k.sel(below, k.sub(k.w(0), sum), sum);
    let zeros = k.clz(magnitude);
    let sig = k.shl(magnitude, k.addi(zeros, -2));
    let field = k.add(k.sub(k.w((f.bias() + 31) as u32), zeros), grid);
    let field = k.sel(k.eqi(magnitude, 0), k.w(0), field);
    let result = round::<K, Narrow>(k, f, r, k.differ(below, minus), field, sig);
    k.sel(k.eqi(k.andi(result, f.magnitude() as u32), 0), k.w(0), result)
}

/// The leading exponent of a number, and its significand and exponent as they are.
fn accumulator<K: Int>(k: &K, c: &Operand<K, Narrow>) -> (K::W, Term<K>) {
    let (field, sig) = c.plain(k, F32);
    let exp = k.addi(field, -F32.bias() - F32.man as i32);
    let leading = k.sub(k.addi(exp, 31), k.clz(sig));
    (k.sel(c.zero(k), k.w(NONE), leading), Term { sign: c.sign, sig, exp })
}

/// The sum of gfx11.
fn sum_11<K: Int>(k: &K, f: Format, r: &Rules<K>, factors: &[(Factor<K>, Factor<K>)], c: Operand<K, Narrow>) -> K::W {
    let (leading, c) = accumulator(k, &c);
    let leading = if f == F16 { k.max_s(leading, k.w(-14i32 as u32)) } else { leading };
    let grid = k.max_s(grid_of(k, factors), k.addi(leading, -26));
    let mut sum = regrid(k, c.sig, k.sub(c.exp, grid));
    let mut any = c.sig;
    for (a, b) in factors {
        let term = a.product(k, b);
        let magnitude = regrid(k, term.sig, k.sub(term.exp, grid));
        let with_sign = k.xor(magnitude, k.pick(k.differ(term.sign, c.sign), u32::MAX, 0));
        sum = k.add(sum, with_sign);
        any = k.or(any, term.sig);
    }
    let result = rounded(k, f, r, c.sign, sum, grid);
    k.sel(k.eqi(any, 0), k.w(0), result)
}

/// The sum of gfx12, of products in groups of so many.
fn sum_12<K: Int>(
    k: &K,
    f: Format,
    r: &Rules<K>,
    factors: &[(Factor<K>, Factor<K>)],
    together: usize,
    c: Operand<K, Narrow>,
) -> K::W {
    let lowest = if f == F16 { -14 } else { -126 };
    let (leading, c) = accumulator(k, &c);
    let grid = k.max_s(grid_of(k, factors), k.addi(k.max_s(leading, k.w(lowest as u32)), -26));
    // A negative accumulator of which nothing is left counts on the finest grid only.
    let up = k.sub(c.exp, grid);
    let minus = |v: K::W| k.sub(k.w(0), v);
    let floor = regrid(k, minus(c.sig), up);
    let nothing = k.both(k.eqi(regrid(k, c.sig, up), 0), k.morei(grid, lowest));
    let below = k.sel(nothing, k.w(0), floor);
    let mut sum = k.sel(c.sign, below, regrid(k, c.sig, up));
    for group in factors.chunks(together) {
        let products = grid_of(k, group);
        let mut part = k.w(0);
        for (a, b) in group {
            let term = a.product(k, b);
            let value = k.sel(term.sign, minus(term.sig), term.sig);
            part = k.add(part, regrid(k, value, k.sub(term.exp, products)));
        }
        sum = k.add(sum, regrid(k, part, k.sub(products, grid)));
    }
    rounded(k, f, r, k.c(false), sum, grid)
}

/// What 16-bit results come from, and how.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    F32,
    F16,
    Bf16,
}

/// The products of pairs in words, as many as there are, and the accumulator.
fn dot<K: Int>(k: &K, m: &Modes<K>, f: Format, target: Target, pairs: &[[K::W; 2]], c: K::W) -> K::W {
    let gfx12 = m.gfx12();
    let factor = |a| Factor::of(k, f, !gfx12 && f == BF16, a);
    let high = |a| k.shri(a, 16);
    let products = |&[a, b]: &[K::W; 2]| [(factor(a), factor(b)), (factor(high(a)), factor(high(b)))];
    let factors: Vec<_> = pairs.iter().flat_map(products).collect();
    // The accumulator as f32; a NaN is quieted later.
    let loud = Rules { quiet: k.c(false), ..Rules::ieee(k) };
    let c = match target {
        Target::F32 => c,
        Target::F16 => widened(k, &loud, c),
        Target::Bf16 => k.shli(c, 16),
    };
    let c: Operand<K, Narrow> = operand(k, F32, &Rules::ieee(k).flushing(k, !gfx12), c);
    let (exceptional, nan, any) = special(k, &factors, c, INVALID);
    let (f, rules) = match target {
        Target::F16 => (F16, Rules { saturate: m.half(k).saturate, ..Rules::ieee(k) }),
        Target::F32 | Target::Bf16 => (F32, Rules { flush_out: k.c(!gfx12), ..Rules::ieee(k) }),
    };
    let finite = if gfx12 { sum_12(k, f, &rules, &factors, 2, c) } else { sum_11(k, f, &rules, &factors, c) };
    match target {
        Target::F32 => k.sel(any, exceptional, finite),
        Target::F16 => {
            let exceptional = special_narrow(k, F32, F16, &rules, exceptional);
            k.sel(any, k.sel(nan, k.w(0xfe3d), exceptional), finite)
        }
        Target::Bf16 => k.sel(nan, k.w(0xfffd), k.shri(k.sel(any, exceptional, finite), 16)),
    }
}

/// The chain of fused operations, flushed, to nearest even.
fn chain<K: Int>(k: &K, f: Format, a: K::W, b: K::W, c: K::W) -> K::W {
    let r = Rules::ieee(k).flushing(k, true);
    let wide = |a: K::W| if f == BF16 { k.shli(a, 16) } else { widened(k, &r, a) };
    let high = |a| wide(k.shri(a, 16));
    let first = fma_into(k, F32, F32, &r, [wide(a), wide(b), c]);
    fma_into(k, F32, F32, &r, [high(a), high(b), first])
}

/// `a.lo*b.lo + a.hi*b.hi + c` of pairs of f16 or bf16 into f32.
pub fn dot2_f32<K: Int>(k: &K, m: &Modes<K>, f: Format, a: K::W, b: K::W, c: K::W) -> K::W {
    if m.generation < Gen::Gfx11 { chain(k, f, a, b, c) } else { dot(k, m, f, Target::F32, &[[a, b]], c) }
}

/// The same with an accumulator and a result of 16 bits.
pub fn dot2_packed<K: Int>(k: &K, m: &Modes<K>, f: Format, a: K::W, b: K::W, c: K::W) -> K::W {
    dot(k, m, f, packed(f), &[[a, b]], c)
}

/// What has the format of the factors.
fn packed(f: Format) -> Target {
    if f == BF16 { Target::Bf16 } else { Target::F16 }
}

/// Four products at once, which only matrix products of gfx12 have: `a` and `b` are pairs of words with two numbers each. The accumulator and the
/// result are f32, or (`narrow`) in the format of the factors.
pub fn dot4<K: Int>(k: &K, m: &Modes<K>, f: Format, narrow: bool, a: [K::W; 2], b: [K::W; 2], c: K::W) -> K::W {
    let target = if narrow { packed(f) } else { Target::F32 };
    dot(k, m, f, target, &[[a[0], b[0]], [a[1], b[1]]], c)
}

/// `c` plus the products of the bytes of `a` and `b`, floats of 8 bits; `kinds` says which have five exponent bits.
pub fn dot4_f32_fp8<K: Int>(k: &K, m: &Modes<K>, a: K::W, b: K::W, c: K::W, kinds: [bool; 2]) -> K::W {
    let [x, y] = kinds.map(|bf8| Small::of(m, bf8));
    let factors: [_; 4] =
        std::array::from_fn(|n| (Factor::of_byte(k, x, a, n as u32), Factor::of_byte(k, y, b, n as u32)));
    let rules = Rules::ieee(k);
    let c: Operand<K, Narrow> = operand(k, F32, &rules, c);
    let (exceptional, _, any) = special(k, &factors, c, FACTOR_NAN);
    k.sel(any, exceptional, sum_12(k, F32, &rules, &factors, 4, c))
}
