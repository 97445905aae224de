//! Whole numbers and fractions, exponents and significands of a number.

use super::convert::IntRound;
use super::{Env, Format, Num, Round};

impl Env {
    /// The largest whole number not above `a`; the sign of a zero stays.
    #[inline]
    pub fn floor(&mut self, f: Format, a: u64) -> u64 {
        self.whole(f, a, Round::Down)
    }

    /// The smallest whole number not below `a`; the sign stays, also of a zero result.
    #[inline]
    pub fn ceil(&mut self, f: Format, a: u64) -> u64 {
        self.whole(f, a, Round::Up)
    }

    /// The whole part, with the sign of `a`.
    #[inline]
    pub fn trunc(&mut self, f: Format, a: u64) -> u64 {
        self.whole(f, a, Round::Zero)
    }

    /// The nearest whole number, the even one of two, with the sign of `a`.
    #[inline]
    pub fn rndne(&mut self, f: Format, a: u64) -> u64 {
        self.whole(f, a, Round::Even)
    }

    fn whole(&mut self, f: Format, a: u64, round: Round) -> u64 {
        let a = self.input(f, a);
        if f.is_nan(a) {
            return self.pass_nan(f, a);
        }
        let x = f.unpack(a);
        if x.exp >= 0 || f.is_zero(a) {
            return a;
        }
        let (whole, _) = round.shift(x.sign, x.sig, x.exp.unsigned_abs());
        // A whole number of at most man + 1 bits has no other pattern than the exact one.
        let exact = Env::default().pack(f, x.sign, 0, whole);
        f.signed(x.sign, f.abs(exact))
    }

    /// `a - floor(a)`, always below one: +0 for whole numbers, the default NaN for infinities. Tiny negative numbers, where the exact result
    /// does not fit, are rounded, but not up to one. open: V_FRACT of gfx6 is known to give 1.0 at times, for which numbers is not.
    #[inline]
    pub fn fract(&mut self, f: Format, a: u64) -> u64 {
        let a = self.input(f, a);
        if f.is_nan(a) {
            return self.pass_nan(f, a);
        }
        if f.is_inf(a) {
            return self.invalid(f);
        }
        let x = f.unpack(a);
        let below = x.exp.unsigned_abs();
        if x.exp >= 0 || x.sig == 0 {
            return 0;
        }
        // The fraction of the magnitude, in units of 2^exp.
        let fraction = if below < 64 { x.sig & ((1 << below) - 1) } else { x.sig };
        if fraction == 0 {
            0
        } else if !x.sign {
            self.pack(f, false, x.exp, fraction)
        } else if below < 128 {
            self.pack_wide(f, false, x.exp, (1 << below) - u128::from(fraction)).min(f.one() - 1)
        } else {
            // Below 2^-75: all ones, down to more bits than any format has.
            self.pack(f, false, -64, u64::MAX).min(f.one() - 1)
        }
    }

    /// The significand of `a` between 1/2 and 1, with its sign; zeros and infinities stay.
    #[inline]
    pub fn frexp_mant(&mut self, f: Format, a: u64) -> u64 {
        let a = self.input(f, a);
        if f.is_nan(a) {
            return self.pass_nan(f, a);
        }
        if f.is_zero(a) || f.is_inf(a) {
            return a;
        }
        let Num { sign, sig, .. } = f.unpack(a);
        let sig = sig << (sig.leading_zeros() + f.man - 63);
        f.signed(sign, (sig & f.fraction()) | (f.one() - f.min_normal()))
    }

    /// The exponent that belongs to [`Env::frexp_mant`]: `floor(log2(|a|)) + 1`, 0 for zeros, `special` for infinities and NaNs: that is 0, on
    /// gfx6 -1.
    #[inline]
    pub fn frexp_exp(&mut self, f: Format, a: u64, special: i32) -> i32 {
        let a = self.input(f, a);
        if !f.is_finite(a) {
            return special;
        }
        let x = f.unpack(a);
        if x.sig == 0 { 0 } else { x.exp + 64 - x.sig.leading_zeros() as i32 }
    }

    /// The number as an integer of `bits` bits, at most 64, in two's complement if `signed`. Values out of range saturate. open: the
    /// inexact exception is raised here, the machines raise it only where CLAMP asks for it.
    #[inline]
    pub fn to_int(&mut self, f: Format, a: u64, bits: u32, signed: bool, how: IntRound) -> u64 {
        let a = self.input(f, a);
        let mask = u64::MAX >> (64 - bits.clamp(1, 64));
        // The largest magnitudes of either sign.
        let (below, above) = if signed { (mask / 2 + 1, mask / 2) } else { (0, mask) };
        let bound = |sign: bool| if sign { below.wrapping_neg() & mask } else { above };
        if f.is_nan(a) {
            self.raised |= super::Exceptions::INVALID;
            return if how == IntRound::Trunc || how == IntRound::Even { 0 } else { bound(f.sign(a)) };
        }
        let x = f.unpack(a);
        let magnitude = if f.is_inf(a) || x.exp >= 64 {
            u128::MAX
        } else if x.exp >= 0 {
            u128::from(x.sig) << x.exp
        } else {
            let drop = x.exp.unsigned_abs();
            let (whole, inexact) = match how {
                IntRound::Trunc => Round::Zero.shift(x.sign, x.sig, drop),
                IntRound::Floor => Round::Down.shift(x.sign, x.sig, drop),
                IntRound::Even => Round::Even.shift(x.sign, x.sig, drop),
                IntRound::HalfUp => half_up(x.sign, x.sig, drop),
            };
            if inexact {
                self.raised |= super::Exceptions::INEXACT;
            }
            u128::from(whole)
        };
        if magnitude > u128::from(if x.sign { below } else { above }) {
            self.raised |= super::Exceptions::INVALID;
            return bound(x.sign);
        }
        let magnitude = magnitude as u64;
        (if x.sign { magnitude.wrapping_neg() } else { magnitude }) & mask
    }
}

/// The magnitude of `floor(x + 1/2)`, where x is `sig / 2^drop` with this sign, and whether x is no whole number.
fn half_up(sign: bool, sig: u64, drop: u32) -> (u64, bool) {
    if drop > 64 {
        return (0, sig != 0);
    }
    let wide = u128::from(sig) << 64 >> drop;
    let (whole, rest) = ((wide >> 64) as u64, wide as u64);
    let up = if sign { rest > 1 << 63 } else { rest >= 1 << 63 };
    (whole + u64::from(up), rest != 0)
}
