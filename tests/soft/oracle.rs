//! Exact arithmetic with big integers, and one rounding of it: slow, and written from the definition of the formats.

use num_bigint::BigUint;
use wavediff::emu::soft::{Format, Round, Rules};

/// A fraction with a sign.
#[derive(Clone, Debug)]
pub struct Exact {
    pub negative: bool,
    pub num: BigUint,
    pub den: BigUint,
}

pub fn big(a: u64) -> BigUint {
    BigUint::from(a)
}

pub fn pow2(n: u64) -> BigUint {
    big(1) << n
}

/// The value of a finite pattern.
pub fn value(f: Format, a: u64) -> Exact {
    let fraction = a & ((1 << f.man) - 1);
    let field = a >> f.man & ((1 << f.exp) - 1);
    assert!(field < (1 << f.exp) - 1, "finite");
    let (sig, exp) = if field == 0 { (fraction, 1) } else { (fraction | 1 << f.man, field as i64) };
    let exp = exp - ((1 << (f.exp - 1)) - 1) - f.man as i64;
    let negative = a >> (f.exp + f.man) & 1 != 0;
    if exp >= 0 {
        Exact { negative, num: big(sig) << exp as u64, den: big(1) }
    } else {
        Exact { negative, num: big(sig), den: pow2(-exp as u64) }
    }
}

impl Exact {
    pub fn neg(self) -> Exact {
        Exact { negative: !self.negative, ..self }
    }

    pub fn mul(&self, b: &Exact) -> Exact {
        Exact { negative: self.negative != b.negative, num: &self.num * &b.num, den: &self.den * &b.den }
    }

    pub fn div(&self, b: &Exact) -> Exact {
        Exact { negative: self.negative != b.negative, num: &self.num * &b.den, den: &self.den * &b.num }
    }

    /// The sum; `None` for an exact zero.
    pub fn add(&self, b: &Exact) -> Option<Exact> {
        let (x, y) = (&self.num * &b.den, &b.num * &self.den);
        let den = &self.den * &b.den;
        if self.negative == b.negative {
            let num = x + y;
            (num != big(0)).then_some(Exact { negative: self.negative, num, den })
        } else if x == y {
            None
        } else if x > y {
            Some(Exact { negative: self.negative, num: x - y, den })
        } else {
            Some(Exact { negative: b.negative, num: y - x, den })
        }
    }

    pub fn scale(mut self, n: i64) -> Exact {
        if n >= 0 {
            self.num <<= n as u64;
        } else {
            self.den <<= -n as u64;
        }
        self
    }

    /// The root to 200 bits and one more which says whether there is more.
    pub fn sqrt(&self) -> Exact {
        let shift = 2 * (self.den.bits() + 200);
        let wide = (&self.num << shift) / &self.den;
        let root = wide.sqrt();
        let rest = &root * &root != wide || (&self.num << shift) % &self.den != big(0);
        let num = (root << 1u32) + if rest { big(1) } else { big(0) };
        Exact { negative: false, num, den: pow2(shift / 2 + 1) }
    }

    /// `self / 2^exp` rounded to an integer.
    pub fn quantum(&self, exp: i64, round: Round) -> BigUint {
        let scaled = self.clone().scale(-exp);
        let (whole, rest) = (&scaled.num / &scaled.den, &scaled.num % &scaled.den);
        let twice = &rest << 1u32;
        let up = match round {
            Round::Even => twice > scaled.den || twice == scaled.den && whole.bit(0),
            Round::Up => !self.negative && rest != big(0),
            Round::Down => self.negative && rest != big(0),
            Round::Zero => false,
        };
        if up { whole + 1u32 } else { whole }
    }

    /// Rounded to a format. The value is not zero.
    pub fn round(&self, f: Format, rules: Rules) -> u64 {
        let sign = (self.negative as u64) << (f.exp + f.man);
        let bias = (1i64 << (f.exp - 1)) - 1;
        let least = 1 - bias;
        let mut exp = self.num.bits() as i64 - self.den.bits() as i64;
        if self.clone().scale(-exp).num < self.clone().scale(-exp).den {
            exp -= 1;
        }
        let man = f.man as i64;
        // Whether it is tiny is seen at full precision.
        let below = |bits: i64| self.quantum(exp - man, rules.round) < pow2(bits as u64);
        if rules.flush_out && exp < least && below(least - exp + man) {
            return sign;
        }
        let quantum = exp.max(least) - man;
        let whole = self.quantum(quantum, rules.round);
        let inf = ((1u64 << f.exp) - 1) << f.man;
        let bits = whole + (big((quantum - (least - man)) as u64) << f.man);
        if bits < big(inf) {
            return sign | bits.iter_u64_digits().next().unwrap_or(0);
        }
        let up = match rules.round {
            Round::Even => true,
            Round::Up => !self.negative,
            Round::Down => self.negative,
            Round::Zero => false,
        };
        sign | if up && !rules.saturate { inf } else { inf - 1 }
    }
}
