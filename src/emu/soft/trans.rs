//! The functions of the transcendental unit: `2^x`, `log2`, reciprocal, roots, sine and cosine.
//!
//! The machines compute f32 with one unit of error or a little more and say nothing about the bits; these are correctly rounded, with the special
//! values, the flushing and the fixed rounding of the machines; where the bits are known, on gfx11 and gfx12, [`rdna3`](super::rdna3) has them. f32: both sides always flush. f16: as the mode register says; most functions are
//! those of f32 with a second rounding (so the machines do), `2^x` and `log2` are rounded once. f64 has reciprocal and roots alone, of which
//! the machines give 24 good bits or so.
//!
//! `2^x` and `log2` are fixed point: a short table or a change of variable makes the argument small, a series of products does the rest. Each product
//! loses one unit of 2^-63 at most, which adds up to less than twelve units of the result, so that a result of 24 bits is rounded the wrong
//! way only if it lies closer than that to the middle between two neighbours. A run through all f32 arguments (the module `margins`) found
//! none nearer than 37 units for `2^x`, 5516 for `log2` and 547 for sine and cosine: every result is the correctly rounded one.

use super::trig::{cosine_turns, sine_turns};
use super::{Env, Exceptions, F16, F32, Format, Num, Round, Rules, Turns};

/// What to compute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Function {
    /// `2^x`; not for f64.
    Exp2,
    /// The logarithm to base two; not for f64.
    Log2,
    /// `1 / x`
    Rcp,
    /// `1 / sqrt(x)`
    Rsq,
    /// `sqrt(x)`
    Sqrt,
    /// The sine of an angle in turns; not for f64.
    Sin(Turns),
    /// The cosine of an angle in turns; not for f64.
    Cos(Turns),
}

/// A magnitude `sig * 2^exp` with a sign; the lowest bit of `sig` is sticky.
pub(super) struct Wide {
    pub(super) sign: bool,
    pub(super) exp: i32,
    pub(super) sig: u128,
}

impl Env {
    /// A function of the transcendental unit, correctly rounded. The rounding of the rules is ignored, and for f32 so is their flushing. For f64
    /// the functions that the machines do not have give the default NaN.
    pub fn function(&mut self, f: Format, function: Function, a: u64) -> u64 {
        let rules = Rules { round: Round::Even, ..self.rules };
        if f == F32 {
            self.function_f32(function, a)
        } else if f == F16 {
            self.under(rules, |env| env.function_f16(function, a, Env::function_f32))
        } else {
            self.under(rules, |env| match function {
                Function::Rcp => env.rcp(f, a),
                Function::Rsq => env.rsq(f, a),
                Function::Sqrt => env.sqrt(f, a),
                _ => env.invalid(f),
            })
        }
    }

    /// Of f32: to nearest, flushed on both sides.
    pub(super) fn function_f32(&mut self, function: Function, a: u64) -> u64 {
        let rules = Rules { round: Round::Even, saturate: false, ..self.rules.with_flush(true) };
        self.under(rules, |env| match function {
            Function::Rcp => env.rcp(F32, a),
            Function::Rsq => env.rsq(F32, a),
            Function::Sqrt => env.sqrt(F32, a),
            Function::Exp2 => env.exp2(F32, F32, a),
            Function::Log2 => env.log2(F32, F32, a),
            Function::Sin(turns) => env.turns(F32, turns, a, sine_turns),
            Function::Cos(turns) => env.turns(F32, turns, a, cosine_turns),
        })
    }

    /// Of f16, by means of what computes that of f32.
    pub(super) fn function_f16(
        &mut self,
        function: Function,
        a: u64,
        single: fn(&mut Env, Function, u64) -> u64,
    ) -> u64 {
        let a = self.input(F16, a);
        let wide =
            self.under(Rules { flush_in: false, flush_out: false, ..self.rules }, |env| env.convert(F16, F32, a));
        let result = match function {
            Function::Exp2 => self.under(Rules { flush_in: false, ..self.rules }, |env| env.exp2(F32, F16, wide)),
            Function::Log2 => self.log2(F32, F16, wide),
            _ => {
                let result = single(self, function, wide);
                self.convert(F32, F16, result)
            }
        };
        // The infinity of a zero saturates like an overflow.
        if self.rules.saturate && F16.is_inf(result) && F16.is_finite(a) {
            return self.overflow(F16, F16.sign(result));
        }
        result
    }

    /// `2^a`, rounded to another format.
    fn exp2(&mut self, from: Format, to: Format, a: u64) -> u64 {
        let a = self.input(from, a);
        if from.is_nan(a) {
            return self.convert_special(from, to, a);
        }
        if from.is_inf(a) {
            return if from.sign(a) { 0 } else { to.inf() };
        }
        let wide = exp2_wide(from.unpack(a));
        self.pack_wide(to, wide.sign, wide.exp, wide.sig)
    }

    /// The logarithm of `a` to base two, rounded to another format.
    fn log2(&mut self, from: Format, to: Format, a: u64) -> u64 {
        let a = self.input(from, a);
        if from.is_nan(a) {
            return self.convert_special(from, to, a);
        }
        if from.is_zero(a) {
            self.raised |= Exceptions::DIVIDE_BY_ZERO;
            return to.signed(true, to.inf());
        }
        if from.sign(a) {
            return self.invalid(to);
        }
        if from.is_inf(a) {
            return to.inf();
        }
        let x = from.unpack(a);
        let wide = log2_wide(x.sig, x.exp);
        self.pack_wide(to, wide.sign, wide.exp, wide.sig)
    }
}

/// The high half of a product.
#[inline]
pub(super) const fn mulhi(a: u64, b: u64) -> u64 {
    ((a as u128 * b as u128) >> 64) as u64
}

/// `2^(i/16)` in units of 2^-63.
const ROOTS: [u64; 16] = [
    0x8000_0000_0000_0000,
    0x85aa_c367_cc48_7b14,
    0x8b95_c1e3_ea8b_d6e6,
    0x91c3_d373_ab11_c336,
    0x9837_f051_8db8_a96f,
    0x9ef5_3260_91a1_11ad,
    0xa5fe_d6a9_b151_38ea,
    0xad58_3eea_42a1_4ac6,
    0xb504_f333_f9de_6484,
    0xbd08_a39f_580c_36be,
    0xc567_2a11_5506_dadd,
    0xce24_8c15_1f84_80e3,
    0xd744_fcca_d69d_6af4,
    0xe0cc_deec_2a94_e111,
    0xeac0_c6e7_dd24_392e,
    0xf525_7d15_2486_cc2c,
];

/// The natural logarithm of two, in units of 2^-64.
const LN_2: u64 = 0xb172_17f7_d1cf_79ab;

/// `2 / ln(2)` in units of 2^-62.
const TWO_OVER_LN_2: u64 = 0xb8aa_3b29_5c17_f0bb;

/// `2^64 / n`, for n from 1 on (where it is one unit less).
const RECIPROCALS: [u64; 28] = {
    let mut table = [u64::MAX; 28];
    let mut n = 2;
    while n < 28 {
        table[n] = ((1u128 << 64) / n as u128) as u64;
        n += 1;
    }
    table
};

/// `2^x`, for a significand of 24 bits at most.
pub(super) fn exp2_wide(x: Num) -> Wide {
    // The argument in units of 2^-64. What falls below that is less than the distance of 1 to any neighbour; from 2^13 on the result is
    // beyond every format.
    let (fixed, lost) = match x.exp + 64 {
        up @ 0..=90 if x.sig >> 24 == 0 => (i128::from(x.sig) << up, false),
        0.. => (1 << 77, false),
        down @ -63..0 => (i128::from(x.sig >> -down), x.sig << (64 + down) != 0),
        _ => (0, x.sig != 0),
    };
    let fixed = (if x.sign { -fixed } else { fixed }).clamp(-1 << 77, 1 << 77);
    let (whole, fraction) = ((fixed >> 64) as i32, fixed as u64);
    let sig = exp2_fraction(fraction) | u64::from(lost || fraction != 0);
    Wide { sign: false, exp: whole - 63, sig: u128::from(sig) }
}

/// `2^x` in units of 2^-63, for x in units of 2^-64: a table for the first four bits, the series of the exponential function for the rest.
fn exp2_fraction(x: u64) -> u64 {
    const ONE: u64 = 1 << 63;
    let z = mulhi(x << 4 >> 4, LN_2);
    // z is below 0.0434: z^11 / 11! is below 2^-75.
    let mut sum = ONE;
    for n in (2..=10).rev() {
        sum = ONE + mulhi(mulhi(z, sum), RECIPROCALS[n]);
    }
    sum = ONE + mulhi(z, sum);
    // Both factors are in units of 2^-63, the product is below two.
    mulhi(ROOTS[(x >> 60) as usize], sum) << 1
}

/// The logarithm to base two of `sig * 2^exp`; `sig` has 24 bits at most and is not zero.
///
/// With s = (m - 1) / (m + 1), log2(m) = 2 / ln(2) * (s + s^3/3 + s^5/5 ...), for m between the roots of 1/2 and 2, where |s| < 0.1716.
pub(super) fn log2_wide(sig: u64, exp: i32) -> Wide {
    let up = sig.leading_zeros() - 40;
    let (m, exp) = (sig << up, exp - up as i32);
    // m is from 2^23 to 2^24; one stands for 1 in the same units.
    let one: u64 = if m > 0x00b5_04f3 { 1 << 24 } else { 1 << 23 };
    let exp = exp + if m > 0x00b5_04f3 { 24 } else { 23 };
    let difference = m.abs_diff(one);
    if difference == 0 {
        return Wide { sign: exp < 0, exp: 0, sig: u128::from(exp.unsigned_abs()) };
    }
    let negative = m < one;
    // s = q * 2^(-24 - zeros), with at least 62 bits.
    let zeros = difference.leading_zeros();
    let (n, d) = (difference << zeros, m + one);
    let q = ((n / d) << 24) | (((n % d) << 24) / d);
    let s = q >> (zeros - 40);
    let s2 = mulhi(s, s);
    // s2^13 is below 2^-66.
    let mut sum = RECIPROCALS[25] >> 1;
    for k in (1..12).rev() {
        sum = (RECIPROCALS[2 * k + 1] >> 1) + mulhi(s2, sum);
    }
    sum = (1 << 63) + mulhi(s2, sum);
    let log = u128::from(q) * u128::from(mulhi(TWO_OVER_LN_2, sum));
    let log_exp = -24 - zeros as i32 - 61;
    if exp == 0 {
        return Wide { sign: negative, exp: log_exp, sig: log | 1 };
    }
    let fraction = (log >> (-64 - log_exp)) as i128;
    let total = (i128::from(exp) << 64) + if negative { -fraction } else { fraction };
    Wide { sign: total < 0, exp: -64, sig: total.unsigned_abs() | 1 }
}
