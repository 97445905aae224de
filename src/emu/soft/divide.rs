//! Division: the correctly rounded quotient, and the three instructions from which programs build one.
//!
//! A program computes `n / d` by scaling numerator and denominator where the quotient or a step on the way could overflow or lose bits
//! (`div_scale`), refining an estimate, undoing the scaling in the last step (`div_fmas`), and replacing the result where an operand is special
//! (`div_fixup`).

use super::{Env, Exceptions, Format};

/// By which power of two `div_scale` scales, from which difference of exponents on, and up to which field a numerator is small.
#[inline]
const fn scaling(f: Format) -> (i32, i32, i32) {
    if f.man > 23 { (128, 768, 53) } else { (64, 96, 24) }
}

impl Env {
    /// `n / d`
    #[inline]
    pub fn div(&mut self, f: Format, n: u64, d: u64) -> u64 {
        let (n, d) = (self.input(f, n), self.input(f, d));
        if let Some(nan) = self.first_nan(f, &[n, d]) {
            return nan;
        }
        let sign = f.sign(n) != f.sign(d);
        if f.is_zero(n) && f.is_zero(d) || f.is_inf(n) && f.is_inf(d) {
            return self.invalid(f);
        }
        if f.is_inf(n) {
            return f.signed(sign, f.inf());
        }
        if f.is_zero(n) || f.is_inf(d) {
            return f.signed(sign, 0);
        }
        if f.is_zero(d) {
            self.raised |= Exceptions::DIVIDE_BY_ZERO;
            return f.signed(sign, f.inf());
        }
        let (x, y) = (f.unpack(n), f.unpack(d));
        // The quotient gets at least man + 3 bits, its remainder becomes the sticky bit.
        let (up_x, up_y) = (x.sig.leading_zeros(), y.sig.leading_zeros() - (63 - f.man));
        let (large, small) = (x.sig << up_x, y.sig << up_y);
        let exp = x.exp - up_x as i32 - (y.exp - up_y as i32);
        if f.man < 32 {
            self.pack(f, sign, exp, (large / small) | u64::from(large % small != 0))
        } else {
            let large = u128::from(large) << 50;
            let (quotient, rest) = (large / u128::from(small), large % u128::from(small));
            self.pack(f, sign, exp - 50, quotient as u64 | u64::from(rest != 0))
        }
    }

    /// V_DIV_SCALE: `s`, which is the denominator `d` or the numerator `n`, as the division needs it, and whether `div_fmas` has to undo a
    /// scaling. A NaN is quieted whatever the rules say. open: on gfx6 the flag is known to be unusable, but not what it holds.
    pub fn div_scale(&mut self, f: Format, s: u64, d: u64, n: u64) -> (u64, bool) {
        let (s, d, n) = (self.input(f, s), self.input(f, d), self.input(f, n));
        let (scale, far, small) = scaling(f);
        let (de, ne) = (f.exponent(d), f.exponent(n));
        let delta = ne - de;
        let huge = de >= 2 * f.bias() - 1;
        // What each is scaled by, and the flag.
        let (by_d, by_n, undo) = if delta >= far {
            (scale, 0, true)
        } else if de == 0 {
            (scale, scale, false)
        } else if huge && delta <= -far {
            (-scale, 0, true)
        } else if huge {
            (-scale, -scale, false)
        } else if delta <= -far {
            (0, scale, true)
        } else if ne <= small {
            (scale, scale, false)
        } else {
            (0, 0, false)
        };
        let value = if f.is_zero(d) || f.is_zero(n) {
            self.invalid(f)
        } else if !f.is_finite(s) {
            if f.is_nan(s) { self.pass_nan(f, s) | f.quiet_bit() } else { s }
        } else {
            match if s == d { by_d } else { by_n } {
                0 => self.output(f, s),
                by => self.ldexp(f, s, by),
            }
        };
        (value, undo)
    }

    /// V_DIV_FMAS: `a * b + c`, if `undo` times the power of two that `div_scale` left, rounded once. Operands are never flushed.
    #[inline]
    pub fn div_fmas(&mut self, f: Format, a: u64, b: u64, c: u64, undo: bool) -> u64 {
        let (scale, ..) = scaling(f);
        let up = f.exponent(c) > f.bias();
        self.fma_scaled(
            f,
            f,
            [a, b, c],
            if !undo {
                0
            } else if up {
                scale
            } else {
                -scale
            },
        )
    }

    /// V_DIV_FIXUP: the quotient `q` of `n / d` with the right sign, or what the division of special operands gives. `q` is never flushed.
    /// For f16, which has no scaling, there is no test for tiny quotients.
    pub fn div_fixup(&mut self, f: Format, q: u64, d: u64, n: u64) -> u64 {
        let (d, n) = (self.input(f, d), self.input(f, n));
        // Quieted whatever the rules say.
        if let Some(nan) = self.first_nan(f, &[n, d]) {
            return nan | f.quiet_bit();
        }
        let sign = f.sign(d) != f.sign(n);
        if f.is_zero(n) && f.is_zero(d) || f.is_inf(n) && f.is_inf(d) {
            self.invalid(f)
        } else if f.is_zero(d) || f.is_inf(n) {
            if f.is_finite(n) {
                self.raised |= Exceptions::DIVIDE_BY_ZERO;
            }
            f.signed(sign, f.inf())
        } else if f.is_zero(n) || f.is_inf(d) {
            f.signed(sign, 0)
        } else if f.man > 10 && f.exponent(n) - f.exponent(d) < -(f.bias() + f.man as i32) {
            self.pack(f, sign, -2 * f.bias() - 2 * f.man as i32, 1)
        } else if !f.is_finite(q) {
            self.overflow(f, sign)
        } else {
            // A denormal quotient stays, whatever the mode.
            f.signed(sign, f.abs(q))
        }
    }
}
