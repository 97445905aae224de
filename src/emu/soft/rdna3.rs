//! The functions of the transcendental unit with the bits of gfx11 and gfx12.
//!
//! Numbers are computed as [`silicon`] does; special values, flushing and NaNs are those of [`Env::function`]. f16 is
//! the function of f32 rounded a second time, but for `2^x` and `log2`, which round once and are exact to the bit as they are. f64 has 24 good bits
//! or so, of which nothing is taken from these machines.

use super::{Env, Exceptions, F16, F32, Format, Function, Round, Rules, silicon};
use crate::isa::silicon::{NEARLY_TWO_PI, SMALL_ANGLE};

impl Env {
    /// A function of the transcendental unit, as gfx11 and gfx12 compute it: f32 and f16 to the bit, f64 correctly rounded.
    pub fn rdna3(&mut self, f: Format, function: Function, a: u64) -> u64 {
        if f == F32 {
            self.rdna3_f32(function, a)
        } else if f == F16 {
            let rules = Rules { round: Round::Even, ..self.rules };
            self.under(rules, |env| env.function_f16(function, a, Env::rdna3_f32))
        } else {
            self.function(f, function, a)
        }
    }

    fn rdna3_f32(&mut self, function: Function, a: u64) -> u64 {
        if matches!(function, Function::Sin(_)) && F32.abs(a) < u64::from(SMALL_ANGLE) {
            // The one case in which the mode register says what is flushed.
            let rules = Rules { round: Round::Even, saturate: false, ..self.rules };
            return self.under(rules, |env| env.mul(F32, a, u64::from(NEARLY_TWO_PI)));
        }
        let bits = a as u32;
        let a = u64::from(bits);
        let result = match function {
            _ if !F32.is_finite(a) || F32.exponent(a) == 0 => None,
            Function::Exp2 => Some(silicon::exp2(bits)),
            Function::Rcp => Some(silicon::rcp(bits)),
            Function::Sin(_) => Some(silicon::turned(bits, false)),
            Function::Cos(_) => Some(silicon::turned(bits, true)),
            // Neither has one, nor has the logarithm of one digits.
            _ if F32.sign(a) => None,
            Function::Log2 => (a != F32.one()).then(|| silicon::log2(bits)),
            Function::Rsq => Some(silicon::rsq(bits)),
            Function::Sqrt => Some(silicon::sqrt(bits)),
        };
        let Some(result) = result.map(u64::from) else { return self.function_f32(function, a) };
        if !exact(function, a, result) {
            self.raised |= Exceptions::INEXACT;
        }
        match function {
            Function::Exp2 if !F32.is_finite(result) => self.raised |= Exceptions::OVERFLOW,
            Function::Exp2 | Function::Rcp if F32.is_zero(result) => self.raised |= Exceptions::UNDERFLOW,
            _ => {}
        }
        result
    }
}

/// Whether the value of a function is a number of f32 at all: the condition of the flag, open as for all of them.
fn exact(function: Function, a: u64, result: u64) -> bool {
    let x = F32.unpack(a);
    // The number is a multiple of 2^units.
    let units = x.exp + x.sig.trailing_zeros() as i32;
    let power = x.sig.is_power_of_two();
    match function {
        Function::Exp2 => units >= 0 && F32.is_finite(result) && !F32.is_zero(result),
        Function::Log2 => power,
        Function::Rcp => power && !F32.is_zero(result),
        Function::Rsq => power && units & 1 == 0,
        Function::Sqrt => {
            let root = F32.unpack(result);
            x.exp >= 2 * root.exp && root.sig * root.sig == x.sig << (x.exp - 2 * root.exp)
        }
        Function::Sin(_) | Function::Cos(_) => units >= -2,
    }
}
