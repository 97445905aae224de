//! The square root, its reciprocal, and the reciprocal, correctly rounded.

use super::{Env, Exceptions, Format};

impl Env {
    /// The square root; of a negative number the default NaN, of -0 that.
    #[inline]
    pub fn sqrt(&mut self, f: Format, a: u64) -> u64 {
        let a = self.input(f, a);
        if f.is_nan(a) {
            return self.pass_nan(f, a);
        }
        if f.is_zero(a) {
            return a;
        }
        if f.sign(a) {
            return self.invalid(f);
        }
        if f.is_inf(a) {
            return a;
        }
        let x = f.unpack(a);
        if f.man < 32 {
            // 62 or 63 bits under the root make 31 or 32 of it.
            let up = even_shift(x.exp, x.sig.leading_zeros() as i32 - 1);
            let sig = x.sig << up;
            let root = sig.isqrt();
            self.pack(f, false, (x.exp - up) / 2, root | u64::from(root * root != sig))
        } else {
            let up = even_shift(x.exp, x.sig.leading_zeros() as i32 + 63);
            let sig = u128::from(x.sig) << up;
            let root = sig.isqrt();
            self.pack(f, false, (x.exp - up) / 2, root as u64 | u64::from(root * root != sig))
        }
    }

    /// `1 / a`; of a zero the infinity of its sign.
    #[inline]
    pub fn rcp(&mut self, f: Format, a: u64) -> u64 {
        self.div(f, f.one(), a)
    }

    /// `1 / sqrt(a)`; of a zero the infinity of its sign, of a negative number the default NaN.
    #[inline]
    pub fn rsq(&mut self, f: Format, a: u64) -> u64 {
        let a = self.input(f, a);
        if f.is_nan(a) {
            return self.pass_nan(f, a);
        }
        if f.is_zero(a) {
            self.raised |= Exceptions::DIVIDE_BY_ZERO;
            return f.signed(f.sign(a), f.inf());
        }
        if f.sign(a) {
            return self.invalid(f);
        }
        if f.is_inf(a) {
            return 0;
        }
        let x = f.unpack(a);
        let up = even_shift(x.exp, x.sig.leading_zeros() as i32);
        let (sig, exp) = (x.sig << up, x.exp - up);
        if f.man < 32 {
            let (root, exact) = inverse_root_29(sig);
            self.pack(f, false, -60 - exp / 2, root | u64::from(!exact))
        } else {
            let (root, exact) = inverse_root_59(sig);
            self.pack(f, false, -90 - exp / 2, root | u64::from(!exact))
        }
    }
}

/// `up`, or one less where that makes `exp - up` even.
#[inline]
const fn even_shift(exp: i32, up: i32) -> i32 {
    up - ((exp - up) & 1)
}

/// `floor(2^60 / sqrt(s))` of a number from 2^62 on, and whether that is exact.
#[inline]
fn inverse_root_29(s: u64) -> (u64, bool) {
    let root = ((1u128 << 120) / u128::from(s)) as u64;
    let root = root.isqrt();
    (root, u128::from(root * root) * u128::from(s) == 1 << 120)
}

/// `floor(2^90 / sqrt(s))` of a number from 2^62 on, and whether that is exact.
fn inverse_root_59(s: u64) -> (u64, bool) {
    // With e = 1 - s * y^2 the inverse root is y * (1 + e/2 + 3/8 e^2 + ...); y has 29 bits and e is below 2^-26, so that the terms left out
    // are below one unit, and the rounding of the others adds a few.
    let first = i128::from(inverse_root_29(s).0);
    let e = (1i128 << 120) - i128::from(s) * first * first;
    let high = e >> 60;
    let mut root = ((first << 30) + ((first * e) >> 91) + ((3 * first * high * high) >> 93)) as u64;
    let order = |root: u64| {
        let square = u128::from(root) * u128::from(root);
        let low = u128::from(square as u64) * u128::from(s);
        let high = (square >> 64) * u128::from(s) + (low >> 64);
        (high, low as u64).cmp(&(1 << 116, 0))
    };
    while order(root).is_gt() {
        root -= 1;
    }
    while order(root + 1).is_le() {
        root += 1;
    }
    (root, order(root).is_eq())
}
