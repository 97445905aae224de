//! Dot products against the description of the adders, followed word by word with big integers.

use num_bigint::BigInt;
use wavediff::emu::soft::{Adder, BF16, F16, F32, Format, Fp8, Round, Rules, dot_f32, dot_packed, dot4_fp8};

use crate::Random;
use crate::oracle::{Exact, pow2, value};

/// All terms in units of 2^-SCALE.
const SCALE: i64 = 700;

/// A term: its value, its sign where that is zero too, and for products the sum of the factors' exponents.
#[derive(Clone)]
struct Term {
    value: BigInt,
    negative: bool,
    exponents: i64,
}

fn zero(a: &BigInt) -> bool {
    *a == BigInt::ZERO
}

fn fixed(x: &Exact) -> BigInt {
    let magnitude = BigInt::from((&x.num << SCALE as u64) / &x.den);
    if x.negative { -magnitude } else { magnitude }
}

/// The exponent of a pattern as the adders see it: that of the smallest normal number at least.
fn exponent(f: Format, a: u64) -> i64 {
    i64::from(f.exponent(a).max(1) - f.bias())
}

fn product(f: Format, a: u64, b: u64) -> Term {
    let x = value(f, a).mul(&value(f, b));
    Term { value: fixed(&x), negative: x.negative, exponents: exponent(f, a) + exponent(f, b) }
}

/// The exponent of the leading bit.
fn leading(a: &BigInt) -> i64 {
    a.bits() as i64 - 1 - SCALE
}

/// In units of `2^grid`, rounded down.
fn down(a: &BigInt, grid: i64) -> BigInt {
    a >> (SCALE + grid) as u64
}

/// In units of `2^grid`, the magnitude cut.
fn cut(a: &BigInt, grid: i64) -> BigInt {
    BigInt::from(a.magnitude() >> (SCALE + grid) as u64)
}

fn rounded(f: Format, flush_out: bool, sum: &BigInt, grid: i64) -> u64 {
    if zero(sum) {
        return 0;
    }
    let x = Exact { negative: *sum < BigInt::ZERO, num: sum.magnitude().clone(), den: pow2(0) };
    let result = x.scale(grid).round(f, Rules { flush_out, round: Round::Even, ..Rules::IEEE });
    if f.is_zero(result) { 0 } else { result }
}

fn gfx11(to: Format, floor: Option<i64>, products: &[Term], c: &Term) -> u64 {
    if zero(&c.value) && products.iter().all(|p| zero(&p.value)) {
        return 0;
    }
    let nonzero = || products.iter().filter(|p| !zero(&p.value));
    let tops = nonzero().map(|p| leading(&p.value)).chain((!zero(&c.value)).then(|| leading(&c.value))).chain(floor);
    let grid = tops.map(|top| top - 26).chain(nonzero().map(|p| p.exponents - 24)).max().expect("a term");
    // Seen with the sign of the accumulator.
    let mut sum = cut(&c.value, grid);
    for p in products {
        sum += if p.negative == c.negative { cut(&p.value, grid) } else { -cut(&p.value, grid) - 1 };
    }
    rounded(to, to == F32, &if c.negative { -sum } else { sum }, grid)
}

fn gfx12(to: Format, floor: i64, group: usize, products: &[Term], c: &Term) -> u64 {
    let grid_of = |terms: &[Term]| terms.iter().filter(|p| !zero(&p.value)).map(|p| p.exponents - 24).max();
    let top = if zero(&c.value) { floor } else { leading(&c.value).max(floor) };
    let grid = grid_of(products).into_iter().chain([top - 26]).max().expect("a term");
    let mut sum = down(&c.value, grid);
    if sum == BigInt::from(-1) && zero(&cut(&c.value, grid)) && grid > floor {
        sum = BigInt::ZERO;
    }
    for terms in products.chunks(group) {
        if let Some(inner) = grid_of(terms) {
            let part: BigInt = terms.iter().map(|p| down(&p.value, inner)).sum();
            sum += down(&(part << (SCALE + inner) as u64), grid);
        }
    }
    rounded(to, false, &sum, grid)
}

/// A number of moderate size, at times zero or subnormal.
fn factor(random: &mut Random, f: Format) -> u64 {
    let bits = random.bits();
    let spread = if bits & 0x30 == 0 { 60 } else { 9 };
    let field = match bits & 7 {
        0 => 0,
        1 if f == F16 => random.bits() % 31,
        _ => (f.bias() as u64 - 4 + random.bits() % spread).min(f.exponent(f.max()) as u64),
    };
    let fraction = if bits & 8 == 0 { random.bits() & f.fraction() } else { 0 };
    (bits >> 40 & 1) << (f.width() - 1) | field << f.man | fraction
}

fn accumulator(random: &mut Random) -> u64 {
    let bits = random.bits();
    let field = match bits & 7 {
        0 => 0,
        1 => random.bits() % 255,
        _ => 110 + random.bits() % 40,
    };
    (bits >> 40 & 1) << 31 | field << 23 | if bits & 8 == 0 { random.bits() & 0x7f_ffff } else { 0 }
}

#[test]
fn as_described() {
    let mut random = Random(21);
    for i in 0..40_000 {
        let f = if i % 2 == 0 { F16 } else { BF16 };
        let operands: [(u64, u64); 4] = std::array::from_fn(|_| (factor(&mut random, f), factor(&mut random, f)));
        let c = accumulator(&mut random);
        let term = |f: Format, c| {
            let x = value(f, c);
            Term { value: fixed(&x), negative: x.negative, exponents: 0 }
        };
        let flush = |a| if f == BF16 { f.flush(a) } else { a };
        let flushed: Vec<Term> = operands.iter().map(|&(a, b)| product(f, flush(a), flush(b))).collect();
        let kept: Vec<Term> = operands.iter().map(|&(a, b)| product(f, a, b)).collect();
        let what = format!("{f:?} {operands:x?} {c:#x}");
        let two = &operands[..2];
        let expected = gfx11(F32, None, &flushed[..2], &term(F32, F32.flush(c)));
        assert_eq!(dot_f32(Adder::Gfx11, f, two, c), expected, "gfx11 {what}");
        assert_eq!(dot_f32(Adder::Gfx12, f, two, c), gfx12(F32, -126, 2, &kept[..2], &term(F32, c)), "gfx12 {what}");
        assert_eq!(dot_f32(Adder::Gfx12, f, &operands, c), gfx12(F32, -126, 2, &kept, &term(F32, c)), "four {what}");
        let small = factor(&mut random, f);
        let what = format!("{what} {small:#x}");
        if f == F16 {
            let c = term(F16, small);
            let expected = gfx11(F16, Some(-14), &flushed[..2], &c);
            assert_eq!(dot_packed(Adder::Gfx11, f, two, small, false), expected, "gfx11 packed {what}");
            let expected = gfx12(F16, -14, 2, &kept[..2], &c);
            assert_eq!(dot_packed(Adder::Gfx12, f, two, small, false), expected, "gfx12 packed {what}");
        } else {
            let expected = gfx11(F32, None, &flushed[..2], &term(BF16, flush(small))) >> 16;
            assert_eq!(dot_packed(Adder::Gfx11, f, two, small, false), expected, "gfx11 packed {what}");
            let expected = gfx12(F32, -126, 2, &kept[..2], &term(BF16, small)) >> 16;
            assert_eq!(dot_packed(Adder::Gfx12, f, two, small, false), expected, "gfx12 packed {what}");
        }
    }
}

#[test]
fn eight_bits_as_described() {
    let mut random = Random(22);
    for _ in 0..20_000 {
        let kinds: [Fp8; 2] = std::array::from_fn(|_| if random.bits() & 1 == 0 { Fp8::E4m3 } else { Fp8::E5m2 });
        let bytes: [[u8; 4]; 2] =
            std::array::from_fn(|_| random.bits().to_le_bytes()[..4].try_into().unwrap_or_default());
        if (0..2).any(|i| bytes[i].iter().any(|&a| !F32.is_finite(kinds[i].decode(a)))) {
            continue;
        }
        let c = accumulator(&mut random);
        let place = |kind: Fp8, a: u8| match kind {
            Fp8::E5m2 => i64::from((a & 0x7f) >> 2).max(1) - 15,
            _ => i64::from((a & 0x7f) >> 3).max(1) - 7,
        };
        let terms: Vec<Term> = (0..4)
            .map(|i| {
                let x = value(F32, kinds[0].decode(bytes[0][i])).mul(&value(F32, kinds[1].decode(bytes[1][i])));
                let exponents = place(kinds[0], bytes[0][i]) + place(kinds[1], bytes[1][i]);
                Term { value: fixed(&x), negative: x.negative, exponents }
            })
            .collect();
        let x = value(F32, c);
        let expected = gfx12(F32, -126, 4, &terms, &Term { value: fixed(&x), negative: x.negative, exponents: 0 });
        assert_eq!(dot4_fp8((kinds[0], bytes[0]), (kinds[1], bytes[1]), c), expected, "{kinds:?} {bytes:x?} {c:#x}");
    }
}
