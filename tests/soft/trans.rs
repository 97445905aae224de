//! The transcendental functions against series with big integers, and their special values.

use num_bigint::BigInt;
use wavediff::emu::soft::{Env, F16, F32, F64, Format, Function, Rules, Turns};

use crate::Random;
use crate::oracle::{Exact, pow2};

/// Fixed point with this many bits behind the point.
const BITS: u32 = 320;

fn one() -> BigInt {
    BigInt::from(1) << BITS
}

fn times(a: &BigInt, b: &BigInt) -> BigInt {
    (a * b) >> BITS
}

/// `ln(2) = 2 * (1/3 + 1/3^3/3 + ...)`
fn ln_2() -> BigInt {
    let mut term: BigInt = one() * 2 / 3;
    let (mut sum, mut n) = (term.clone(), 3);
    while term != BigInt::ZERO {
        term /= 9;
        sum += &term / n;
        n += 2;
    }
    sum
}

/// `2 pi = 8 * (4 * arctan(1/5) - arctan(1/239))`
fn two_pi() -> BigInt {
    let arctan = |x: i32| {
        let mut term: BigInt = one() / x;
        let (mut sum, mut n) = (term.clone(), 3);
        while term != BigInt::ZERO {
            term = -term / (x * x);
            sum += &term / n;
            n += 2;
        }
        sum
    };
    (arctan(5) * 4 - arctan(239)) * 8
}

fn exp(x: &BigInt) -> BigInt {
    let (mut term, mut sum, mut n) = (one(), one(), 1);
    while term != BigInt::ZERO && term != BigInt::from(-1) {
        term = times(&term, x) / n;
        sum += &term;
        n += 1;
    }
    sum
}

/// The sum of every second term of the exponential series with alternating signs, from the zeroth or first on.
fn circular(x: &BigInt, first: i32) -> BigInt {
    let mut term = if first == 0 { one() } else { x.clone() };
    let (mut sum, mut n) = (term.clone(), first + 1);
    let square = times(x, x);
    while term != BigInt::ZERO && term != BigInt::from(-1) {
        term = -times(&term, &square) / (n * (n + 1));
        sum += &term;
        n += 2;
    }
    sum
}

fn exact(a: BigInt, scale: i64) -> Exact {
    let negative = a < BigInt::ZERO;
    Exact { negative, num: a.magnitude().clone(), den: pow2(u64::from(BITS)) }.scale(scale)
}

/// A pattern as fixed point; it has at most 149 bits behind the point.
fn fixed(f: Format, a: u64) -> BigInt {
    let x = crate::value(f, a);
    let magnitude = BigInt::from((x.num << BITS) / x.den);
    if x.negative { -magnitude } else { magnitude }
}

fn rules(f: Format) -> Rules {
    if f == F32 { Rules::FLUSH } else { Rules::IEEE }
}

struct Constants {
    ln_2: BigInt,
    two_pi: BigInt,
}

fn check(constants: &Constants, f: Format, function: Function, a: u64) {
    let x = fixed(f, if f == F32 { F32.flush(a) } else { a });
    let expected = match function {
        Function::Exp2 => {
            let whole: BigInt = &x >> BITS;
            let part = &x - (&whole << BITS);
            let scale = i64::try_from(whole).unwrap_or(1 << 20).clamp(-5000, 5000);
            exact(exp(&times(&part, &constants.ln_2)), scale)
        }
        Function::Sin(_) => exact(circular(&times(&(&x % one()), &constants.two_pi), 1), 0),
        Function::Cos(_) => exact(circular(&times(&(&x % one()), &constants.two_pi), 0), 0),
        _ => unreachable!(),
    };
    // What the series leaves of an exact zero.
    if expected.num.bits() < 100 {
        return;
    }
    let f32_first = f == F16 && function != Function::Exp2;
    let expected = expected.round(if f32_first { F32 } else { f }, rules(if f32_first { F32 } else { f }));
    let expected = if f32_first { Env::new(Rules::IEEE).convert(F32, F16, expected) } else { expected };
    let got = Env::new(rules(f)).function(f, function, a);
    assert_eq!(got, expected, "{f:?} {function:?} {a:#x}");
}

/// `log2(x)` lies between the two middles around the result: compared by the exponential, which costs one series each.
fn check_log(constants: &Constants, f: Format, a: u64) {
    let got = Env::new(rules(f)).function(f, Function::Log2, a);
    let x = fixed(f, a);
    // The ends of the interval that rounds to the result. Differences of one unit cover ties well enough here.
    let middle = |other: u64| (fixed(f, got) + fixed(f, other)) / 2;
    let (low, high) = if f.is_zero(got) {
        assert_eq!(a, f.one());
        return;
    } else if f.sign(got) {
        (middle(got + 1), middle(got - 1))
    } else {
        (middle(got - 1), middle(got + 1))
    };
    let power = |y: &BigInt| {
        let whole: BigInt = y >> BITS;
        let part = y - (&whole << BITS);
        let whole = i64::try_from(whole).expect("a small exponent");
        let power = exp(&times(&part, &constants.ln_2));
        if whole < 0 { power >> -whole as u64 } else { power << whole as u64 }
    };
    assert!(power(&low) <= x && x <= power(&high), "{f:?} log2 {a:#x}: {got:#x}");
}

#[test]
fn series() {
    let constants = Constants { ln_2: ln_2(), two_pi: two_pi() };
    let mut random = Random(11);
    let angles = [Function::Sin(Turns::Full), Function::Cos(Turns::Full)];
    for i in 0..4000 {
        // All exponents from 2^-40 to 2^8 and beyond.
        let field = 87 + random.bits() % if i % 4 == 0 { 100 } else { 48 };
        let a = (random.bits() & 0x807f_ffff) | field << 23;
        check(&constants, F32, Function::Exp2, a);
        for function in angles {
            check(&constants, F32, function, a);
        }
        check_log(&constants, F32, F32.abs(a));
        // Near one, where the logarithm is small.
        let near = F32.one() + (random.bits() >> (40 + i % 24)) - (random.bits() >> (40 + i % 24));
        check_log(&constants, F32, F32.abs(near));
        let a = random.finite(F16);
        check(&constants, F16, Function::Exp2, a);
        for function in angles {
            check(&constants, F16, function, a);
        }
        if !F16.is_zero(a) {
            check_log(&constants, F16, F16.abs(a));
        }
    }
    // Multiples of an eighth, and their neighbours.
    for eighths in 1..40 {
        let a = u64::from((eighths as f32 / 8.0).to_bits());
        for a in [a - 1, a, a + 1] {
            for function in angles {
                check(&constants, F32, function, a);
                check(&constants, F32, function, F32.neg(a));
            }
        }
    }
}

#[test]
fn special_values() {
    let of =
        |function, a: f32| f32::from_bits(Env::new(Rules::IEEE).function(F32, function, u64::from(a.to_bits())) as u32);
    let (sin, cos) = (Function::Sin(Turns::Full), Function::Cos(Turns::Full));
    let inf = f32::INFINITY;
    let nan = 0xffc0_0000u32;
    let tiny = f32::from_bits(1);
    // Zero, -zero, a subnormal, -subnormal, inf, -inf, -1.
    for (function, expected) in [
        (Function::Exp2, [1.0, 1.0, 1.0, 1.0, inf, 0.0, 0.5]),
        (Function::Log2, [-inf, -inf, -inf, -inf, inf, f32::from_bits(nan), f32::from_bits(nan)]),
        (Function::Rcp, [inf, -inf, inf, -inf, 0.0, -0.0, -1.0]),
        (Function::Rsq, [inf, -inf, inf, -inf, 0.0, f32::from_bits(nan), f32::from_bits(nan)]),
        (Function::Sqrt, [0.0, -0.0, 0.0, -0.0, inf, f32::from_bits(nan), f32::from_bits(nan)]),
        (sin, [0.0, -0.0, 0.0, -0.0, f32::from_bits(nan), f32::from_bits(nan), 0.0]),
        (cos, [1.0, 1.0, 1.0, 1.0, f32::from_bits(nan), f32::from_bits(nan), 1.0]),
    ] {
        for (a, expected) in [0.0, -0.0, tiny, -tiny, inf, -inf, -1.0].into_iter().zip(expected) {
            assert_eq!(of(function, a).to_bits(), expected.to_bits(), "{function:?} {a:e}");
        }
        assert_eq!(of(function, f32::from_bits(0x7fa0_0123)).to_bits(), 0x7fe0_0123);
    }
    for (function, a, expected) in [
        (Function::Exp2, 100.0, 2f32.powi(100)),
        (Function::Exp2, -100.0, 2f32.powi(-100)),
        (Function::Exp2, -126.5, 0.0),
        (Function::Exp2, 128.0, inf),
        (Function::Exp2, 1e-30, 1.0),
        (Function::Exp2, -1e30, 0.0),
        (Function::Log2, 4.0, 2.0),
        (Function::Log2, 1.0, 0.0),
        (Function::Log2, 0.125, -3.0),
        (Function::Rcp, 2.0, 0.5),
        (Function::Rsq, 4.0, 0.5),
        (Function::Sqrt, 0.25, 0.5),
        (sin, 0.25, 1.0),
        (sin, 0.75, -1.0),
        (sin, 132000.0, 0.0),
        (sin, f32::MAX, 0.0),
        (sin, -f32::MAX, 0.0),
        (cos, 0.25, 0.0),
        (cos, 0.5, -1.0),
        (cos, f32::MAX, 1.0),
        (Function::Sin(Turns::Reduced), 256.25, 0.0),
        (Function::Cos(Turns::Reduced), -256.25, 1.0),
        (Function::Sin(Turns::Reduced), 255.25, 1.0),
    ] {
        assert_eq!(of(function, a).to_bits(), expected.to_bits(), "{function:?} {a:e}");
    }
}

#[test]
fn f16_and_f64() {
    let saturating = Rules { saturate: true, ..Rules::IEEE };
    let of = |rules, function, a| Env::new(rules).function(F16, function, a);
    assert_eq!(of(Rules::IEEE, Function::Rcp, 0), 0x7c00);
    assert_eq!(of(saturating, Function::Rcp, 0), 0x7bff);
    assert_eq!(of(saturating, Function::Rcp, 0x8000), 0xfbff);
    assert_eq!(of(saturating, Function::Exp2, 0x7c00), 0x7c00);
    assert_eq!(of(saturating, Function::Exp2, 0x7bff), 0x7bff);
    assert_eq!(of(Rules::IEEE, Function::Sqrt, 1), 0x0c00, "a subnormal counts");
    assert_eq!(of(Rules::FLUSH, Function::Sqrt, 1), 0);
    assert_eq!(of(Rules::IEEE, Function::Exp2, 0xce00), 1, "2^-24");
    assert_eq!(of(Rules::FLUSH, Function::Exp2, 0xce00), 0);
    assert_eq!(of(Rules::IEEE, Function::Log2, 1), 0xce00);
    assert_eq!(of(Rules::IEEE, Function::Sin(Turns::Full), 0x7c00), 0xfe00);
    let mut env = Env::new(Rules::IEEE);
    assert_eq!(env.function(F64, Function::Rsq, 4f64.to_bits()), 0.5f64.to_bits());
    assert_eq!(env.function(F64, Function::Rcp, 3f64.to_bits()), (1.0 / 3.0f64).to_bits());
    // All of f16: two roundings of roots and reciprocals are as good as one.
    for a in 1..0x7c00 {
        let wide = Env::new(Rules::IEEE).convert(F16, F64, a);
        for (function, exact) in [
            (Function::Rcp, (1.0 / f64::from_bits(wide)).to_bits()),
            (Function::Sqrt, f64::from_bits(wide).sqrt().to_bits()),
        ] {
            let expected = Env::new(Rules::IEEE).convert(F64, F32, exact);
            let expected = Env::new(Rules::IEEE).convert(F32, F16, expected);
            assert_eq!(of(Rules::IEEE, function, a), expected, "{function:?} {a:#x}");
        }
    }
}
