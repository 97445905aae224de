//! Sums and products, with one rounding and with two.

use super::round::{jam64, jam128};
use super::{Env, Format, Num, Round, Rules};

impl Env {
    /// `a + b`
    #[inline]
    pub fn add(&mut self, f: Format, a: u64, b: u64) -> u64 {
        let (a, b) = (self.input(f, a), self.input(f, b));
        if !f.is_finite(a) || !f.is_finite(b) {
            return self.add_special(f, a, b);
        }
        let (large, small) = if f.abs(a) < f.abs(b) { (f.unpack(b), f.unpack(a)) } else { (f.unpack(a), f.unpack(b)) };
        // Ten bits below the significands: no bit of a difference that cancels by more than one place is lost.
        let exp = large.exp - 10;
        let (high, low) = (large.sig << 10, jam64(small.sig << 10, (large.exp - small.exp) as u32));
        if large.sign == small.sign {
            self.pack(f, large.sign, exp, high + low)
        } else if high == low {
            f.signed(self.rules.round == Round::Down, 0)
        } else {
            self.pack(f, large.sign, exp, high - low)
        }
    }

    #[cold]
    fn add_special(&mut self, f: Format, a: u64, b: u64) -> u64 {
        if let Some(nan) = self.first_nan(f, &[a, b]) {
            nan
        } else if f.is_inf(a) && f.is_inf(b) && a != b {
            self.invalid(f)
        } else if f.is_inf(a) {
            a
        } else {
            b
        }
    }

    /// `a - b`: the sum with `b` negated. A NaN in `b` shows the other sign.
    #[inline]
    pub fn sub(&mut self, f: Format, a: u64, b: u64) -> u64 {
        self.add(f, a, f.neg(b))
    }

    /// `a * b`
    #[inline]
    pub fn mul(&mut self, f: Format, a: u64, b: u64) -> u64 {
        let (a, b) = (self.input(f, a), self.input(f, b));
        let sign = f.sign(a) != f.sign(b);
        if !f.is_finite(a) || !f.is_finite(b) {
            return self.mul_special(f, a, b);
        }
        let (x, y) = (f.unpack(a), f.unpack(b));
        if f.man < 32 {
            self.pack(f, sign, x.exp + y.exp, x.sig * y.sig)
        } else {
            self.pack_wide(f, sign, x.exp + y.exp, u128::from(x.sig) * u128::from(y.sig))
        }
    }

    #[cold]
    fn mul_special(&mut self, f: Format, a: u64, b: u64) -> u64 {
        if let Some(nan) = self.first_nan(f, &[a, b]) {
            nan
        } else if f.is_zero(a) || f.is_zero(b) {
            self.invalid(f)
        } else {
            f.signed(f.sign(a) != f.sign(b), f.inf())
        }
    }

    /// `a * b + c`, rounded once.
    #[inline]
    pub fn fma(&mut self, f: Format, a: u64, b: u64, c: u64) -> u64 {
        self.fma_into(f, f, a, b, c)
    }

    /// `a * b + c` of operands of one format, rounded once to another: V_FMA_MIXLO and V_FMA_MIXHI.
    #[inline]
    pub fn fma_into(&mut self, from: Format, to: Format, a: u64, b: u64, c: u64) -> u64 {
        let (a, b, c) = (self.input(from, a), self.input(from, b), self.input(from, c));
        self.fma_scaled(from, to, [a, b, c], 0)
    }

    /// `(a * b + c) * 2^scale` of flushed operands, rounded once.
    #[inline]
    pub(super) fn fma_scaled(&mut self, from: Format, to: Format, [a, b, c]: [u64; 3], scale: i32) -> u64 {
        if !from.is_finite(a) || !from.is_finite(b) || !from.is_finite(c) {
            let special = self.fma_special(from, a, b, c);
            return if from == to { special } else { self.convert_special(from, to, special) };
        }
        let (x, y, z) = (from.unpack(a), from.unpack(b), from.unpack(c));
        let product = Num { sign: x.sign != y.sign, exp: x.exp + y.exp + scale, sig: 0 };
        let z = Num { exp: z.exp + scale, ..z };
        if from.man < 32 {
            self.fma_narrow(to, product, x.sig * y.sig, z)
        } else {
            self.fma_wide(to, product, u128::from(x.sig) * u128::from(y.sig), z)
        }
    }

    /// Products of at most 48 bits. Both terms get bit 62 as their highest bit: where the alignment loses bits the exponents differ by
    /// more than one, so that a difference keeps 61 bits.
    #[inline]
    fn fma_narrow(&mut self, to: Format, product: Num, sig: u64, z: Num) -> u64 {
        if sig == 0 || z.sig == 0 {
            return self.fma_one_term(to, product, u128::from(sig), z);
        }
        let up = sig.leading_zeros() - 1;
        let (p, p_exp) = (sig << up, product.exp - up as i32);
        let up = z.sig.leading_zeros() - 1;
        let (c, c_exp) = (z.sig << up, z.exp - up as i32);
        let exp = p_exp.max(c_exp);
        let (p, c) = (jam64(p, (exp - p_exp) as u32), jam64(c, (exp - c_exp) as u32));
        if product.sign == z.sign {
            self.pack(to, z.sign, exp, p + c)
        } else if p == c {
            to.signed(self.rules.round == Round::Down, 0)
        } else {
            self.pack(to, if p > c { product.sign } else { z.sign }, exp, p.abs_diff(c))
        }
    }

    /// Products of at most 106 bits, the same with 128 bits.
    #[inline]
    fn fma_wide(&mut self, to: Format, product: Num, sig: u128, z: Num) -> u64 {
        if sig == 0 || z.sig == 0 {
            return self.fma_one_term(to, product, sig, z);
        }
        let up = sig.leading_zeros() - 1;
        let (p, p_exp) = (sig << up, product.exp - up as i32);
        let up = z.sig.leading_zeros() + 63;
        let (c, c_exp) = (u128::from(z.sig) << up, z.exp - up as i32);
        let exp = p_exp.max(c_exp);
        let (p, c) = (jam128(p, (exp - p_exp) as u32), jam128(c, (exp - c_exp) as u32));
        if product.sign == z.sign {
            self.pack_wide(to, z.sign, exp, p + c)
        } else if p == c {
            to.signed(self.rules.round == Round::Down, 0)
        } else {
            self.pack_wide(to, if p > c { product.sign } else { z.sign }, exp, p.abs_diff(c))
        }
    }

    #[cold]
    fn fma_one_term(&mut self, to: Format, product: Num, sig: u128, z: Num) -> u64 {
        if sig != 0 {
            self.pack_wide(to, product.sign, product.exp, sig)
        } else if z.sig != 0 || product.sign == z.sign {
            self.pack(to, z.sign, z.exp, z.sig)
        } else {
            to.signed(self.rules.round == Round::Down, 0)
        }
    }

    /// An invalid product goes before a NaN addend.
    #[cold]
    fn fma_special(&mut self, f: Format, a: u64, b: u64, c: u64) -> u64 {
        if f.is_inf(a) && f.is_zero(b) || f.is_zero(a) && f.is_inf(b) {
            return self.invalid(f);
        }
        if let Some(nan) = self.first_nan(f, &[a, b, c]) {
            return nan;
        }
        if f.is_inf(a) || f.is_inf(b) {
            let product = f.signed(f.sign(a) != f.sign(b), f.inf());
            if f.is_inf(c) && c != product { self.invalid(f) } else { product }
        } else {
            c
        }
    }

    /// `a * b + c` with the product rounded, and flushed, as well: V_MAD of gfx6 to gfx10.1. The machines flush
    /// f32 there in every mode: the rules must say so. open: whether they do so for f16.
    #[inline]
    pub fn mad(&mut self, f: Format, a: u64, b: u64, c: u64) -> u64 {
        let product = self.mul(f, a, b);
        self.add(f, product, c)
    }

    /// `a * b`, where zero times anything is +0: V_MUL_LEGACY, V_MUL_DX9_ZERO.
    #[inline]
    pub fn mul_legacy(&mut self, f: Format, a: u64, b: u64) -> u64 {
        let (x, y) = (self.input(f, a), self.input(f, b));
        if f.is_zero(x) || f.is_zero(y) { 0 } else { self.mul(f, x, y) }
    }

    /// [`Env::mul_legacy`], rounded, then the sum, rounded: V_MAD_LEGACY, V_MAC_LEGACY.
    #[inline]
    pub fn mad_legacy(&mut self, f: Format, a: u64, b: u64, c: u64) -> u64 {
        let product = self.mul_legacy(f, a, b);
        self.add(f, product, c)
    }

    /// `a * b + c` rounded once, where a product with zero is +0: V_FMA_LEGACY, V_FMA_DX9_ZERO. Subnormals are flushed on both sides whatever the
    /// rules say, as measured on gfx12. open: gfx10 and gfx11 are taken to do the same.
    #[inline]
    pub fn fma_legacy(&mut self, f: Format, a: u64, b: u64, c: u64) -> u64 {
        let rules = Rules { flush_in: true, flush_out: true, ..self.rules };
        self.under(rules, |env| {
            if f.is_zero(f.flush(a)) || f.is_zero(f.flush(b)) { env.add(f, 0, c) } else { env.fma(f, a, b, c) }
        })
    }

    /// `a * 2^n`, rounded once. For f16 the machine takes the low half of the exponent operand as a signed number.
    #[inline]
    pub fn ldexp(&mut self, f: Format, a: u64, n: i32) -> u64 {
        let a = self.input(f, a);
        if f.is_nan(a) {
            return self.pass_nan(f, a);
        }
        if !f.is_finite(a) {
            return a;
        }
        let x = f.unpack(a);
        // No number stays finite or above zero beyond that.
        self.pack(f, x.sign, x.exp + n.clamp(-8192, 8192), x.sig)
    }
}
