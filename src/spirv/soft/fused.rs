//! Sums of products as the matrix cores of CDNA make them.
//!
//! gfx908 adds some products and the accumulator exactly. gfx90a multiplies and adds in f32, in pairs, without subnormals. gfx940 cuts products
//! to 24 places behind the point of the largest, adds them, and adds the sum and the accumulator once more, each rounded down.
//!
//! Of the sum of gfx940 a word has the part that the accumulator has too, in units of 2^-24; of the eight places below only the products have
//! something, which stands in a word of its own.

use super::arith::{add_under, mul_under};
use super::dot::{Factor, grid_of, regrid};
use super::fp8::Small;
use super::round::{Operand, operand, round};
use super::{BF16, F16, F32, Format, Int, Modes, Narrow, Rules, widened};

/// What is multiplied.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the names of number formats")]
pub enum Numbers {
    F16,
    Bf16,
    /// Of the 23 bits behind the point ten count.
    Xf32,
    /// Floats of eight bits: which of A and B have five exponent bits.
    Small([bool; 2]),
}

/// How products are added.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Core {
    /// Exactly.
    Exact,
    /// In pairs, as f32 without subnormals.
    Flushing,
    /// Cut.
    Cut,
}

/// The NaN that comes out.
const NAN: u32 = 0x7fc0_0000;
/// f32 as far as it counts.
const XF32: Format = Format { exp: 8, man: 10 };

impl Numbers {
    /// The bits of a number.
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Numbers::F16 | Numbers::Bf16 => 16,
            Numbers::Xf32 => 32,
            Numbers::Small(_) => 8,
        }
    }

    /// The factors in words, first product first.
    fn factors<K: Int>(self, k: &K, m: &Modes<K>, a: &[K::W], b: &[K::W]) -> Vec<(Factor<K>, Factor<K>)> {
        let half = |f, w, n| Factor::of(k, f, false, if n == 0 { w } else { k.shri(w, 16) });
        let factor = |source: usize, w: K::W, n: u32| match self {
            Numbers::F16 => half(F16, w, n),
            Numbers::Bf16 => half(BF16, w, n),
            Numbers::Xf32 => Factor::of(k, XF32, false, k.shri(w, 13)),
            Numbers::Small(bf8) => Factor::of_byte(k, Small::of(m, bf8[source]), w, n),
        };
        let of_word = |(a, b): (&K::W, &K::W)| {
            let (a, b) = (*a, *b);
            (0..32 / self.bits()).map(move |n| (a, b, n))
        };
        a.iter().zip(b).flat_map(of_word).map(|(a, b, n)| (factor(0, a, n), factor(1, b, n))).collect()
    }
}

/// `c` plus the products of the numbers in words of A and B.
pub fn add_products<K: Int>(
    k: &K,
    m: &Modes<K>,
    core: Core,
    numbers: Numbers,
    a: &[K::W],
    b: &[K::W],
    c: K::W,
) -> K::W {
    match core {
        Core::Exact => exact(k, numbers, &numbers.factors(k, m, a, b), c),
        Core::Flushing => flushing(k, numbers, a, b, c),
        Core::Cut => cut(k, numbers, &numbers.factors(k, m, a, b), c),
    }
}

/// What comes out where a product or the accumulator is not finite, and whether it is so. `overflows`: a product of 2^128 is infinite.
fn special<K: Int>(k: &K, factors: &[(Factor<K>, Factor<K>)], c: Operand<K, Narrow>, overflows: bool) -> (K::W, K::C) {
    let (mut nan, mut plus, mut minus) =
        (c.nan(k, F32), k.but_not(c.inf(k, F32), c.sign), k.both(c.inf(k, F32), c.sign));
    for (a, b) in factors {
        nan = k.either(nan, k.either(a.nan, b.nan));
        let inf = k.either(a.inf, b.inf);
        nan = k.either(nan, k.both(inf, k.either(a.zero, b.zero)));
        let term = a.product(k, b);
        let leading = k.sub(k.addi(term.exp, 31), k.clz(term.sig));
        let large = if overflows { k.morei(leading, 127) } else { k.c(false) };
        let inf = k.either(inf, k.but_not(large, k.either(a.zero, b.zero)));
        minus = k.either(minus, k.both(inf, term.sign));
        plus = k.either(plus, k.but_not(inf, term.sign));
    }
    nan = k.either(nan, k.both(plus, minus));
    let inf = k.sel(minus, k.w((F32.sign() | F32.inf()) as u32), k.w(F32.inf() as u32));
    (k.sel(nan, k.w(NAN), inf), k.either(nan, k.either(plus, minus)))
}

/// A magnitude in two words, of which bit 0 of the upper one is 2^unit, and something below if `more`: rounded to f32. Zero is +0.
fn rounded<K: Int>(k: &K, below: K::C, high: K::W, low: K::W, more: K::C, unit: K::W) -> K::W {
    let none = k.eqi(high, 0);
    let (upper, lower) = (k.sel(none, low, high), k.sel(none, k.w(0), low));
    let zeros = k.clz(upper);
    // A shift by 32 in two steps.
    let up = k.andi(zeros, 31);
    let carried = k.shr(k.shri(lower, 1), k.sub(k.w(31), up));
    let top = k.or(k.shl(upper, up), carried);
    let rest = k.or(k.shl(lower, up), k.andi(top, 3));
    let sig = k.or(k.shri(top, 2), k.bit(k.either(more, k.nz(rest))));
    let leading = k.sub(k.addi(unit, 31), k.add(zeros, k.pick(none, 32, 0)));
    let zero = k.eqi(k.or(high, low), 0);
    let field = k.sel(zero, k.w(0), k.addi(leading, F32.bias()));
    let sig = k.sel(zero, k.w(0), sig);
    k.sel(zero, k.w(0), round::<K, Narrow>(k, F32, &Rules::ieee(k), below, field, sig))
}

fn minus<K: Int>(k: &K, v: K::W) -> K::W {
    k.sub(k.w(0), v)
}

/// Products on the grid of the largest one, with it.
fn part<K: Int>(k: &K, factors: &[(Factor<K>, Factor<K>)]) -> (K::W, K::W) {
    let grid = grid_of(k, factors);
    let terms = factors.iter().map(|(a, b)| {
        let term = a.product(k, b);
        let magnitude = regrid(k, term.sig, k.sub(term.exp, grid));
        k.sel(term.sign, minus(k, magnitude), magnitude)
    });
    (terms.reduce(|a, b| k.add(a, b)).unwrap_or_else(|| k.w(0)), grid)
}

fn cut<K: Int>(k: &K, numbers: Numbers, factors: &[(Factor<K>, Factor<K>)], c: K::W) -> K::W {
    let c: Operand<K, Narrow> = operand(k, F32, &Rules::ieee(k), c);
    let small = matches!(numbers, Numbers::Small(_));
    let (exceptional, any) = special(k, factors, c, !small && numbers != Numbers::F16);
    let (dot, grid) = if small {
        let of = |odd: usize| {
            let factors: Vec<_> = factors.iter().skip(odd).step_by(2).copied().collect();
            part(k, &factors)
        };
        let ((even, low), (odd, high)) = (of(0), of(1));
        let grid = k.max_s(low, high);
        (k.add(regrid(k, even, k.sub(low, grid)), regrid(k, odd, k.sub(high, grid))), grid)
    } else {
        part(k, factors)
    };

    let (field, sig) = c.plain(k, F32);
    let sig = k.shli(sig, 1);
    let own = k.addi(field, -F32.bias() - 24);
    let unit = k.max_s(grid, own);
    // How far both are shifted down.
    let (of_dot, of_c) = (k.sub(unit, grid), k.sub(unit, own));
    let by = |n: K::W| k.min_s(n, k.w(31));
    let value = k.sar(k.sel(c.sign, minus(k, sig), sig), by(of_c));
    let value = if small { k.sel(k.morei(of_c, 25), k.w(0), value) } else { value };
    let high = k.add(k.sar(dot, by(of_dot)), value);
    let few = k.shl(dot, k.max_s(k.sub(k.w(8), of_dot), k.w(0)));
    let many = k.sar(dot, by(k.max_s(k.addi(of_dot, -8), k.w(0))));
    let low = k.andi(k.sel(k.lessi(of_dot, 9), few, many), 0xff);

    let below = k.lessi(high, 0);
    let magnitude = |low: K::W| {
        let borrow = k.bit(k.nz(low));
        let high = k.sel(below, k.sub(minus(k, high), borrow), high);
        (high, k.sel(below, k.andi(minus(k, low), 0xff), low))
    };
    // Rounded down to 31 places behind the point, or of the smallest normal number.
    let drop = k.max_s(k.sub(k.w(8), k.clz(magnitude(low).0)), k.w(0));
    let drop = k.max_s(drop, k.bit(k.eqi(unit, (-126i32 - 24) as u32)));
    let (high, low) = magnitude(k.and(low, k.shl(k.w(0xff), drop)));
    k.sel(any, exceptional, rounded(k, below, high, k.shli(low, 24), k.c(false), unit))
}

fn flushing<K: Int>(k: &K, numbers: Numbers, a: &[K::W], b: &[K::W], c: K::W) -> K::W {
    let r = Rules::ieee(k).flushing(k, true);
    let f = if numbers == Numbers::F16 { F16 } else { BF16 };
    // Subnormals and zeros are +0.
    let flushed = |f: Format, a: K::W| k.sel(k.eqi(k.andi(a, f.inf() as u32), 0), k.w(0), a);
    let wide = |a: K::W| {
        let a = flushed(f, k.andi(a, 0xffff));
        if f == BF16 { k.shli(a, 16) } else { widened(k, &r, a) }
    };
    let add = |a: K::W, b: K::W| add_under::<K, Narrow>(k, F32, &r, a, b);
    let pairs = a.iter().zip(b).map(|(a, b)| {
        let product = |a: K::W, b: K::W| mul_under::<K, Narrow>(k, F32, &r, wide(a), wide(b));
        add(product(*a, *b), product(k.shri(*a, 16), k.shri(*b, 16)))
    });
    let sum = pairs.reduce(add).unwrap_or_else(|| k.w(0));
    settled(k, add(flushed(F32, c), sum))
}

/// One NaN for all.
fn settled<K: Int>(k: &K, a: K::W) -> K::W {
    k.sel(k.lt_u(k.w(F32.inf() as u32), k.andi(a, F32.magnitude() as u32)), k.w(NAN), a)
}

/// All terms as digits of 16 bits, which a few terms do not make overflow.
fn exact<K: Int>(k: &K, numbers: Numbers, factors: &[(Factor<K>, Factor<K>)], c: K::W) -> K::W {
    // The smallest unit of any term; above the largest one there is room for some.
    let (lowest, digits) = if numbers == Numbers::F16 { (-149, 18) } else { (-266, 34) };
    let c: Operand<K, Narrow> = operand(k, F32, &Rules::ieee(k), c);
    let (exceptional, any) = special(k, factors, c, false);
    let (field, sig) = c.plain(k, F32);
    let own = (c.sign, sig, k.addi(field, -F32.bias() - F32.man as i32));
    let products = factors.iter().map(|(a, b)| {
        let term = a.product(k, b);
        (term.sign, term.sig, term.exp)
    });
    let terms: Vec<_> = products.chain([own]).collect();
    let digit = |n: i32| {
        let of = |(sign, sig, exp): &(K::C, K::W, K::W)| {
            let up = k.addi(*exp, -lowest - 16 * n);
            let right = k.shr(*sig, k.min_s(minus(k, up), k.w(31)));
            let left = k.shl(*sig, k.min_s(up, k.w(31)));
            let part = k.andi(k.sel(k.lessi(up, 0), right, left), 0xffff);
            k.sel(*sign, minus(k, part), part)
        };
        terms.iter().map(of).reduce(|a, b| k.add(a, b)).unwrap_or_else(|| k.w(0))
    };
    let mut carry = k.w(0);
    let mut all = Vec::with_capacity(digits);
    for n in 0..digits as i32 {
        let sum = k.add(digit(n), carry);
        all.push(k.andi(sum, 0xffff));
        carry = k.sar(sum, k.w(16));
    }
    let below = k.lessi(carry, 0);
    let mut carry = k.bit(below);
    for digit in &mut all {
        let other = k.sel(below, k.xor(*digit, k.w(0xffff)), *digit);
        let sum = k.add(other, carry);
        *digit = k.andi(sum, 0xffff);
        carry = k.shri(sum, 16);
    }
    // The highest digit that is not zero, the three below it, and whether there is anything else.
    let zero = k.w(0);
    let (mut high, mut low, mut more, mut place) = (zero, zero, k.c(false), zero);
    let at = |n: usize| all.get(n).copied().unwrap_or(zero);
    let mut under = k.c(false);
    for n in 0..all.len() {
        let back = |by: usize| n.checked_sub(by).map_or(zero, at);
        if n >= 4 {
            under = k.either(under, k.nz(at(n - 4)));
        }
        let here = k.nz(at(n));
        high = k.sel(here, k.or(k.shli(at(n), 16), back(1)), high);
        low = k.sel(here, k.or(k.shli(back(2), 16), back(3)), low);
        more = k.either(k.both(here, under), k.but_not(more, here));
        place = k.sel(here, k.w((lowest + 16 * (n as i32 - 1)) as u32), place);
    }
    k.sel(any, exceptional, rounded(k, below, high, low, more, place))
}
