//! The dot product of two pairs as gfx11 adds it: the terms are cut to a common grid, those of the other sign than the accumulator's as
//! one's complements, and the sum is rounded once.

use super::eval::{Machine, Result};
use super::exact::{BF16, Exact, F32, Format, Packing, Rounding};
use super::scalar::put;
use super::value::Value;
use num_bigint::{BigInt, Sign};

const NAN_OF_A_FACTOR: u64 = 0xffc0_0a3d;

pub fn dot2(machine: &mut Machine, of: Format, accumulate: bool) -> Result<()> {
    let halves = |operand: usize| [0, 16].map(|low| (machine.s[operand] >> low) as u64 & 0xffff);
    let c = if accumulate { machine.d0 } else { machine.s[2] } as u64 & 0xffff_ffff;
    let result = step(of, halves(0), halves(1), c)?;
    put(machine, Value::float(F32, result));
    Ok(())
}

/// `a0 * b0 + a1 * b1 + c`, the last and the result in f32.
pub fn step(of: Format, a: [u64; 2], b: [u64; 2], c: u64) -> Result<u64> {
    let flushed =
        |format: Format, bits| if format.is_denormal(bits) { format.zero(format.negative(bits)) } else { bits };
    let taken = |bits| if of == BF16 { flushed(of, bits) } else { bits };
    let (a, b, c) = (a.map(taken), b.map(taken), flushed(F32, c));
    Ok(match special(of, a, b, c)? {
        Some(bits) => bits,
        None => finite(of, a, b, c),
    })
}

/// The forms with a result of 16 bits: their alignment and rounding are known too little for an answer that depends on them, so there is
/// one where all terms have the same sign, none is cut, and the sum is a number of the format.
pub fn exact_half(machine: &mut Machine, of: Format) -> Result<()> {
    let halves = |operand: usize| [0, 16].map(|low| (machine.s[operand] >> low) as u64 & 0xffff);
    let (a, b, c) = (halves(0), halves(1), machine.s[2] as u64 & 0xffff);
    if a.iter().chain(&b).chain([&c]).any(|&x| of.raw_exponent(x) > 2 * of.bias() || of.is_denormal(x)) {
        return Err("special operands".into());
    }
    let mut sum = Exact::unpack(of, c);
    let mut span = (i64::MAX, i64::MIN);
    for term in [0, 1].map(|i| Exact::unpack(of, a[i]).times(&Exact::unpack(of, b[i]))).iter().chain([&sum.clone()]) {
        if term.negative != sum.negative {
            return Err("terms of both signs".into());
        }
        if !term.is_zero() {
            let low = term.power + term.magnitude.trailing_zeros().unwrap_or(0) as i64;
            span = (span.0.min(low), span.1.max(term.leading()));
        }
    }
    for i in 0..2 {
        sum = sum.plus(&Exact::unpack(of, a[i]).times(&Exact::unpack(of, b[i])), Rounding::Nearest);
    }
    let packing = Packing { rounding: Rounding::Nearest, flush: true, saturate: false };
    let bits = if sum.is_zero() { 0 } else { sum.pack(of, packing) };
    let whole = sum.is_zero() || !of.is_infinite(bits) && Exact::unpack(of, bits).compare(&sum).is_eq();
    if !whole || span.1.saturating_sub(20) > span.0 {
        return Err("a sum that has to be cut or rounded".into());
    }
    put(machine, Value::float(of, bits));
    Ok(())
}

fn special(of: Format, a: [u64; 2], b: [u64; 2], c: u64) -> Result<Option<u64>> {
    if a.iter().chain(&b).any(|&bits| of.is_nan(bits)) {
        return Ok(Some(NAN_OF_A_FACTOR));
    }
    let mut infinities = [false; 2];
    for (&x, &y) in a.iter().zip(&b) {
        if of.is_infinite(x) || of.is_infinite(y) {
            if of.is_zero(x) || of.is_zero(y) {
                return Ok(Some(F32.default_nan()));
            }
            infinities[usize::from(of.negative(x) != of.negative(y))] = true;
        }
    }
    Ok(match infinities {
        [true, true] => Some(F32.default_nan()),
        _ if F32.is_nan(c) => Some(c | F32.quiet_bit()),
        [true, _] | [_, true] if F32.is_infinite(c) && c != F32.infinity(infinities[1]) => {
            return Err("an infinity against an infinite accumulator".into());
        }
        [true, _] | [_, true] => Some(F32.infinity(infinities[1])),
        _ if F32.is_infinite(c) => Some(c),
        _ => None,
    })
}

fn finite(of: Format, a: [u64; 2], b: [u64; 2], c: u64) -> u64 {
    let accumulator = Exact::unpack(F32, c);
    let products = [0, 1].map(|i| Exact::unpack(of, a[i]).times(&Exact::unpack(of, b[i])));
    // The exponent of a factor is that of its format: the least one for a denormal.
    let exponent = |bits: u64| of.raw_exponent(bits).max(1) - of.bias();
    let by_products = (0..2).filter(|&i| !products[i].is_zero()).map(|i| exponent(a[i]) + exponent(b[i]) - 24);
    let by_leading = products.iter().chain([&accumulator]).filter(|t| !t.is_zero()).map(|t| t.leading() - 26);
    let Some(grid) = by_products.chain(by_leading).max() else { return 0 };
    let mut sum: BigInt = accumulator.rounded_to(grid, Rounding::Zero).magnitude.into();
    for product in &products {
        let magnitude: BigInt = product.rounded_to(grid, Rounding::Zero).magnitude.into();
        if product.negative == accumulator.negative {
            sum += magnitude;
        } else {
            sum -= magnitude + 1;
        }
    }
    let below = sum.sign() == Sign::Minus;
    let total = Exact::new(below != accumulator.negative, sum.magnitude().clone(), grid);
    if total.is_zero() {
        return 0;
    }
    let bits = total.pack(F32, Packing { rounding: Rounding::Nearest, flush: true, saturate: false });
    if F32.is_zero(bits) { 0 } else { bits }
}
