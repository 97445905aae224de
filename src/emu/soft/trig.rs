//! Sine and cosine of an angle in turns.
//!
//! The reduction is exact: the fraction of the argument is a fixed-point number, and what remains beyond the nearest quarter of a turn keeps all its
//! bits. The series run with 63 bits, so that the relative error is below 2^-60, also next to the zeros.

use super::trans::{Wide, mulhi};
use super::{Env, Format, Num};

/// For which angles a generation computes sine and cosine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turns {
    /// gfx6 to gfx8: from -256 to 256; beyond that the sine is 0 and the cosine 1.
    Reduced,
    /// From gfx9 on: all.
    Full,
}

impl Env {
    /// A function of an angle in turns.
    pub(super) fn turns(&mut self, f: Format, turns: Turns, a: u64, function: fn(Num) -> Wide) -> u64 {
        let a = self.input(f, a);
        if f.is_nan(a) {
            return self.pass_nan(f, a);
        }
        if f.is_inf(a) {
            return self.invalid(f);
        }
        let mut x = f.unpack(a);
        if turns == Turns::Reduced && f.abs(a) > f.one() + (8 << f.man) {
            x = Num { sign: false, exp: 0, sig: 1 };
        }
        let wide = function(x);
        self.pack_wide(f, wide.sign, wide.exp, wide.sig)
    }
}

/// `2 pi` in units of 2^-61.
const TWO_PI: u64 = 0xc90f_daa2_2168_c234;

/// An angle as the nearest quarter of a turn, modulo four, and what remains, at most an eighth, in units of 2^-64.
fn reduce(x: Num) -> (u64, i64) {
    let fraction = match x.exp + 64 {
        up @ 0..64 => x.sig << up,
        64.. => 0,
        // Below 2^-40 of a turn. That is not used where precision matters.
        down @ -63..0 => x.sig >> -down,
        _ => 0,
    };
    let fraction = if x.sign { fraction.wrapping_neg() } else { fraction };
    let quarter = fraction.wrapping_add(1 << 61) >> 62;
    (quarter, fraction.wrapping_sub(quarter << 62) as i64)
}

/// The square of an angle of at most an eighth of a turn, in radians, in units of 2^-64.
fn square(rest: u64) -> u64 {
    let radians = ((u128::from(rest) * u128::from(TWO_PI)) >> 61) as u64;
    mulhi(radians, radians)
}

/// `1 - square / first * (1 - square / second * (...))` in units of 2^-63, where the divisors are products of neighbours from `first` on.
fn alternating(square: u64, first: u64) -> u64 {
    const ONE: u64 = 1 << 63;
    let mut sum = ONE;
    for k in (0..10).rev() {
        let n = first + 2 * k;
        sum = ONE - mulhi(mulhi(square, sum), u64::MAX / (n * (n + 1)));
    }
    sum
}

/// The sine of `sig * 2^exp` turns, where `square` belongs to that angle.
fn sine(sign: bool, sig: u64, exp: i32, square: u64) -> Wide {
    if sig == 0 {
        return Wide { sign, exp: 0, sig: 0 };
    }
    let zeros = sig.leading_zeros();
    // 64 bits times 2^-61 times 2^-63, of which the first product loses its lower half.
    let linear = mulhi(sig << zeros, TWO_PI);
    let sig = u128::from(linear) * u128::from(alternating(square, 2));
    Wide { sign, exp: exp - zeros as i32 + 64 - 61 - 63, sig: sig | 1 }
}

/// The cosine of an angle whose square in radians this is.
fn cosine(sign: bool, rest: u64) -> Wide {
    let sig = alternating(square(rest), 1) | u64::from(rest != 0);
    Wide { sign, exp: -63, sig: u128::from(sig) }
}

/// The sine. The result of a zero is that zero; all other zeros are positive. open: below 2^23, where the machines have been seen.
pub(super) fn sine_turns(x: Num) -> Wide {
    if x.exp < -64 || x.sig == 0 {
        // The square is less than the lowest bit of the series.
        return sine(x.sign, x.sig, x.exp, 0);
    }
    let (quarter, rest) = reduce(x);
    let magnitude = rest.unsigned_abs();
    match quarter {
        0 | 2 => sine(magnitude != 0 && (rest < 0) != (quarter == 2), magnitude, -64, square(magnitude)),
        _ => cosine(quarter == 3, magnitude),
    }
}

/// The cosine. Zeros are positive.
pub(super) fn cosine_turns(x: Num) -> Wide {
    let (quarter, rest) = reduce(x);
    let magnitude = rest.unsigned_abs();
    match quarter {
        1 | 3 => sine(magnitude != 0 && (rest < 0) != (quarter == 1), magnitude, -64, square(magnitude)),
        _ => cosine(quarter == 2, magnitude),
    }
}
