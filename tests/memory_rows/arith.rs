//! What atomics do to numbers: integers in 128 bits, floats with LLVM's software floats.

use crate::table::Op;
use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float, Round};
use std::cmp::Ordering;

/// What float atomics do with denormals, and which minimum they know.
#[derive(Clone, Copy, Debug)]
pub struct Floats {
    /// Operands of sums and comparisons are flushed.
    pub flush_in: bool,
    /// Sums are flushed.
    pub flush_out: bool,
    /// The minimum of gfx12: every NaN loses. Before, signalling ones win.
    pub number: bool,
}

/// What replaces `mem`, whose width is `bits`.
pub fn apply(op: Op, bits: u32, mem: u64, data: u64, other: u64, floats: Floats) -> u64 {
    if op.is_float() {
        let (mem, data, other) = (u128::from(mem), u128::from(data), u128::from(other));
        return match (op, bits) {
            (Op::PkAddF16, _) => halves::<Half>(mem, data),
            (Op::PkAddBf16, _) => halves::<BFloat>(mem, data),
            (_, 32) => float::<Single>(op, mem, data, other, floats),
            _ => float::<Double>(op, mem, data, other, floats),
        } as u64;
    }
    integer(op, bits, mem.into(), data.into(), other.into())
}

fn integer(op: Op, bits: u32, m: u128, a: u128, b: u128) -> u64 {
    let modulus = 1u128 << bits;
    let signed = |x: u128| if x >= modulus / 2 { x as i128 - modulus as i128 } else { x as i128 };
    let take = |a_wins: bool| if a_wins { a } else { m };
    let result = match op {
        Op::Swap => a,
        Op::CmpSwap => take(m == b),
        Op::Add => m + a,
        Op::Sub => m + modulus - a,
        Op::RSub => a + modulus - m,
        Op::SMin => take(signed(a) < signed(m)),
        Op::SMax => take(signed(a) > signed(m)),
        Op::UMin => take(a < m),
        Op::UMax => take(a > m),
        Op::And => m & a,
        Op::Or => m | a,
        Op::Xor => m ^ a,
        Op::Inc => {
            if m >= a {
                0
            } else {
                m + 1
            }
        }
        Op::Dec => {
            if m == 0 || m > a {
                a
            } else {
                m - 1
            }
        }
        Op::SubClamp => m.saturating_sub(a),
        Op::CondSub => {
            if m < a {
                m
            } else {
                m - a
            }
        }
        Op::Wrap => {
            if m < a {
                m + b
            } else {
                m - a
            }
        }
        Op::MskOr => m & (modulus - 1 - a) | b,
        Op::CondXchg => {
            let word = |n: u32| {
                let (m, a) = (m >> n & 0xffff_ffff, a >> n & 0xffff_ffff);
                (if a >= 1 << 31 { a - (1 << 31) } else { m }) << n
            };
            word(0) + word(32)
        }
        Op::OrderedAdd => {
            let (number, sum) = (m % (1 << 32), m >> 32);
            if number == a % (1 << 32) { ((sum + (a >> 32)) << 32) + (number + 1) % (1 << 12) } else { m }
        }
        _ => unreachable!("a float"),
    };
    (result % modulus) as u64
}

fn quiet<F: Float>(bits: u128) -> u128 {
    bits | 1 << (F::PRECISION - 2)
}

fn flush<F: Float>(does: bool, x: u128) -> u128 {
    if does && F::from_bits(x).is_denormal() { x & 1 << (F::BITS - 1) } else { x }
}

/// A sum, rounded to nearest even. Of two NaNs the first survives, quiet; where there was none, it
/// is negative.
fn sum<F: Float>(data: u128, mem: u128) -> u128 {
    for x in [data, mem] {
        if F::from_bits(x).is_nan() {
            return quiet::<F>(x);
        }
    }
    let sum = F::from_bits(data).add_r(F::from_bits(mem), Round::NearestTiesToEven).value;
    if sum.is_nan() { quiet::<F>((-F::INFINITY).to_bits()) } else { sum.to_bits() }
}

fn halves<F: Float>(mem: u128, data: u128) -> u128 {
    sum::<F>(data & 0xffff, mem & 0xffff) | sum::<F>(data >> 16, mem >> 16) << 16
}

/// The order of floats with -0 below +0.
fn order<F: Float>(a: u128, b: u128) -> Ordering {
    let (x, y) = (F::from_bits(a), F::from_bits(b));
    match x.partial_cmp(&y).expect("numbers") {
        Ordering::Equal => y.is_negative().cmp(&x.is_negative()),
        order => order,
    }
}

fn float<F: Float>(op: Op, mem: u128, data: u128, other: u128, rules: Floats) -> u128 {
    let input = |x| flush::<F>(rules.flush_in, x);
    let nan = |x| F::from_bits(x).is_nan();
    match op {
        Op::FAdd => flush::<F>(rules.flush_out, sum::<F>(input(data), input(mem))),
        Op::FCmpSwap => {
            let equal = F::from_bits(input(mem)) == F::from_bits(input(other));
            if equal { input(data) } else { mem }
        }
        _ => {
            // ALU_FACTS 6: signalling NaNs first, the data before memory; else the number.
            if !rules.number
                && let Some(x) = [data, mem].into_iter().find(|x| F::from_bits(*x).is_signaling())
            {
                return quiet::<F>(x);
            }
            match (nan(data), nan(mem)) {
                (true, true) if rules.number => quiet::<F>(data),
                (true, true) | (false, true) => data,
                (true, false) => mem,
                (false, false) => {
                    let wins = if op == Op::FMin { Ordering::Less } else { Ordering::Greater };
                    if order::<F>(input(data), input(mem)) == wins { data } else { mem }
                }
            }
        }
    }
}

/// Integers of some bits that carry, are equal to limits, or change their sign.
pub fn integers(bits: u32) -> Vec<u64> {
    match bits {
        32 => vec![0, 1, 2, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xffff_ffff, 0x0001_0000, 0x1234_5678],
        _ => vec![
            0,
            1,
            0xffff_ffff,
            0x1_0000_0000,
            0x7fff_ffff_ffff_ffff,
            0x8000_0000_0000_0000,
            0xffff_ffff_0000_0000,
            u64::MAX,
            0x8000_0001_1234_5678,
        ],
    }
}

/// Floats: zeros, denormals, numbers, infinities, quiet and signalling NaNs.
pub fn floats(op: Op, bits: u32) -> Vec<u64> {
    let of = |op, bits| -> Vec<u64> {
        let (width, precision): (u32, u32) = match (op, bits) {
            (Op::PkAddF16, _) => (16, 11),
            (Op::PkAddBf16, _) => (16, 8),
            (_, 32) => (32, 24),
            _ => (64, 53),
        };
        let sign = 1u64 << (width - 1);
        let unit = 1u64 << (precision - 1);
        let infinity = sign - unit;
        let one = infinity / 2 / unit * unit;
        let quiet = infinity | (unit / 2);
        vec![
            0,
            sign,
            one,
            sign | one | (unit / 2),
            1,
            sign | (unit - 1),
            infinity,
            sign | infinity,
            quiet | 1,
            infinity | 5,
            sign | quiet | 9,
            infinity - 1,
            unit,
            sign | (unit + 1),
            one + 1,
        ]
    };
    let single = of(op, bits);
    match op {
        Op::PkAddF16 | Op::PkAddBf16 => {
            (0..single.len()).map(|n| single[n] | single[(n * 4 + 2) % single.len()] << 16).collect()
        }
        _ => single,
    }
}
