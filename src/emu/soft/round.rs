//! The two ends of every operation: operands are flushed, results are rounded and flushed; and what happens to NaNs.

use super::{Env, Exceptions, Format, Round};
use crate::fault::planted;

/// `sig >> by`, with the lowest bit of the result also set if a bit was lost.
#[inline]
pub(super) const fn jam64(sig: u64, by: u32) -> u64 {
    if by == 0 {
        sig
    } else if by < 64 {
        sig >> by | (sig << (64 - by) != 0) as u64
    } else {
        (sig != 0) as u64
    }
}

/// `sig >> by`, with the lowest bit of the result also set if a bit was lost.
#[inline]
pub(super) const fn jam128(sig: u128, by: u32) -> u128 {
    if by == 0 {
        sig
    } else if by < 128 {
        sig >> by | (sig << (128 - by) != 0) as u128
    } else {
        (sig != 0) as u128
    }
}

impl Round {
    /// Whether a magnitude is to be raised by one: `odd` is its lowest bit, `rest` what lies below that bit, in units of 2^-64 of it.
    #[inline]
    pub(super) const fn raises(self, sign: bool, odd: bool, rest: u64) -> bool {
        const HALF: u64 = 1 << 63;
        match self {
            Round::Even => rest > HALF || rest == HALF && odd,
            Round::Up => !sign && rest != 0,
            Round::Down => sign && rest != 0,
            Round::Zero => false,
        }
    }

    /// `sig / 2^drop` rounded, and whether it was not exact.
    #[inline]
    pub(super) const fn shift(self, sign: bool, sig: u64, drop: u32) -> (u64, bool) {
        let (kept, rest) = match drop {
            0 => (sig, 0),
            1..=63 => (sig >> drop, sig << (64 - drop)),
            64 => (0, sig),
            _ => (0, (sig != 0) as u64),
        };
        (kept + self.raises(sign, kept & 1 != 0, rest) as u64, rest != 0)
    }
}

impl Env {
    /// An operand, flushed if the rules say so.
    #[inline]
    pub(super) fn input(&mut self, f: Format, a: u64) -> u64 {
        if f.is_subnormal(a) {
            self.raised |= Exceptions::INPUT_SUBNORMAL;
            if self.rules.flush_in {
                return if planted!(FlushedZeroPositive) { 0 } else { a & f.sign_bit() };
            }
        }
        a
    }

    /// A result that needs no rounding, flushed if the rules say so.
    #[inline]
    pub(super) fn output(&mut self, f: Format, a: u64) -> u64 {
        if f.is_subnormal(a) {
            self.raised |= Exceptions::UNDERFLOW;
            if self.rules.flush_out {
                self.raised |= Exceptions::INEXACT;
                return a & f.sign_bit();
            }
        }
        a
    }

    /// A NaN on its way through: quieted if the rules say so.
    #[inline]
    pub(super) fn pass_nan(&mut self, f: Format, nan: u64) -> u64 {
        if f.is_signalling(nan) {
            self.raised |= Exceptions::INVALID;
        }
        if self.rules.quiet { nan | f.quiet_bit() } else { nan }
    }

    /// The first NaN of the operands, if there is one.
    #[inline]
    pub(super) fn first_nan(&mut self, f: Format, operands: &[u64]) -> Option<u64> {
        let mut nans = operands.iter().copied().filter(|&a| f.is_nan(a));
        let mut nan = nans.next()?;
        if let Some(last) = nans.next()
            && planted!(SecondNanWins)
        {
            nan = last;
        }
        if operands.iter().any(|&a| f.is_signalling(a)) {
            self.raised |= Exceptions::INVALID;
        }
        Some(self.pass_nan(f, nan))
    }

    /// The NaN of an invalid operation.
    #[inline]
    pub(super) fn invalid(&mut self, f: Format) -> u64 {
        self.raised |= Exceptions::INVALID;
        if planted!(InvalidPositive) {
            return f.default_nan() & !f.sign_bit();
        }
        f.default_nan()
    }

    /// The result of an overflow.
    #[inline]
    pub(super) fn overflow(&mut self, f: Format, sign: bool) -> u64 {
        self.raised |= Exceptions::OVERFLOW | Exceptions::INEXACT;
        let to_inf = match self.rules.round {
            _ if planted!(OverflowInfinite) => true,
            Round::Even => true,
            Round::Up => !sign,
            Round::Down => sign,
            Round::Zero => false,
        };
        f.signed(sign, if to_inf && !self.rules.saturate { f.inf() } else { f.max() })
    }

    /// Rounds `sig * 2^exp`; the lowest bit of `sig` may be sticky if at least two bits more than the format's stand above it.
    #[inline]
    pub(super) fn pack(&mut self, f: Format, sign: bool, exp: i32, sig: u64) -> u64 {
        if sig == 0 {
            return f.signed(sign, 0);
        }
        let zeros = sig.leading_zeros();
        let sig = sig << zeros;
        let field = exp + (63 - zeros as i32) + f.bias();
        let drop = 63 - f.man;
        if field >= 1 {
            let (kept, inexact) = self.rules.round.shift(sign, sig, drop);
            if field > f.exponent(f.max()) {
                return self.overflow(f, sign);
            }
            // A carry out of the fraction raises the exponent.
            let bits = ((field as u64 - 1) << f.man) + kept;
            if bits >= f.inf() {
                return self.overflow(f, sign);
            }
            if inexact {
                self.raised |= Exceptions::INEXACT;
            }
            return f.signed(sign, bits);
        }
        self.pack_tiny(f, sign, field, sig)
    }

    /// [`Env::pack`] below the smallest normal number: `sig` has its highest bit set, `field` is zero or less.
    #[cold]
    fn pack_tiny(&mut self, f: Format, sign: bool, field: i32, sig: u64) -> u64 {
        let drop = 63 - f.man;
        if field == 0 && self.rules.round.shift(sign, sig, drop).0 >> (f.man + 1) != 0 {
            self.raised |= Exceptions::INEXACT;
            return f.signed(sign, f.min_normal());
        }
        self.raised |= Exceptions::UNDERFLOW;
        if self.rules.flush_out {
            self.raised |= Exceptions::INEXACT;
            return f.signed(sign, 0);
        }
        let (bits, inexact) = self.rules.round.shift(sign, sig, drop.saturating_add((1 - field) as u32));
        if inexact {
            self.raised |= Exceptions::INEXACT;
        }
        f.signed(sign, bits)
    }

    /// [`Env::pack`] of a wide integer.
    #[inline]
    pub(super) fn pack_wide(&mut self, f: Format, sign: bool, exp: i32, sig: u128) -> u64 {
        let drop = 64u32.saturating_sub(sig.leading_zeros());
        self.pack(f, sign, exp + drop as i32, jam128(sig, drop) as u64)
    }
}
