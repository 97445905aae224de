//! Random operands, most of them where something happens.

use super::reference::{Format, product};

/// What an operand is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Float(Format),
    /// An integer of so many bits.
    Int(u32),
    /// A power of two for ldexp of a format.
    Exponent(Format),
    /// One of the two operands behind it.
    Either(Format),
    /// A flag.
    Flag,
    /// Two floats, the first in the lower half.
    Two(Format),
}

impl Kind {
    /// Registers it takes.
    pub fn dwords(self) -> usize {
        match self {
            Kind::Float(Format::F64) | Kind::Either(Format::F64) | Kind::Two(Format::F32 | Format::F64) => 2,
            Kind::Int(bits) if bits > 32 => 2,
            _ => 1,
        }
    }
}

/// Splitmix.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// Below `n`, near enough.
    fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u64
    }

    /// From `-n` to `n`.
    fn around(&mut self, n: i64) -> i64 {
        self.below(2 * n as u64 + 1) as i64 - n
    }

    /// Puts a number together; the exponent is kept in the range of finite numbers.
    fn build(&mut self, f: Format, exponent: i64, man: u64) -> u64 {
        let exponent = exponent.clamp(0, f.top() as i64 - 1) as u64;
        let sign = if self.next() & 1 != 0 { f.sign_bit() } else { 0 };
        sign | exponent << f.man() | man & (f.min_normal() - 1)
    }

    /// A number of any class.
    fn float(&mut self, f: Format) -> u64 {
        let p = i64::from(f.man()) + 4;
        let bits = self.next();
        let mask = f.sign_bit() | (f.sign_bit() - 1);
        match self.below(10) {
            0..=2 => bits & mask,
            3 => {
                let quiet = f.min_normal() / 2;
                let edges = [
                    0,
                    1,
                    f.min_normal() - 1,
                    f.min_normal(),
                    f.min_normal() + 1,
                    f.one() - 1,
                    f.one(),
                    f.one() + 1,
                    f.inf() - 1,
                    f.inf(),
                    f.inf() | 1,
                    f.inf() | quiet,
                    f.inf() | quiet | 5,
                    f.one() - f.min_normal(),
                    f.one() + f.min_normal(),
                    f.inf() | (quiet - 1),
                ];
                let v = edges[self.below(edges.len() as u64) as usize];
                if bits & 1 != 0 { v | f.sign_bit() } else { v }
            }
            4 => {
                let e = f.bias() + self.around(p);
                self.build(f, e, bits)
            }
            5 => {
                let e = self.below(p as u64) as i64;
                self.build(f, e, bits)
            }
            6 => {
                let e = f.top() as i64 - 1 - self.below(8) as i64;
                self.build(f, e, bits)
            }
            7 => {
                // Few bits, or all but few.
                let one = |r: &mut Random| 1u64 << r.below(u64::from(f.man()));
                let man = one(self) ^ one(self) ^ one(self);
                let man = if bits & 1 != 0 { man } else { man.wrapping_neg() };
                let e = if bits & 2 != 0 { f.bias() + self.around(p) } else { self.below(f.top()) as i64 };
                self.build(f, e, man)
            }
            8 => {
                // Half way, or next to it, for whoever keeps fewer bits.
                let cut = match self.below(4) {
                    0 => 29,
                    1 => 13,
                    2 => 42,
                    _ => 1 + self.below(u64::from(f.man())) as u32,
                };
                let cut = cut.min(f.man());
                let man = (bits & !((1 << cut) - 1) | 1 << (cut - 1)).wrapping_add(self.around(1) as u64);
                // At the edges of what may be converted to: f16, f32, integers.
                let e = f.bias()
                    + match self.below(8) {
                        0 => 15,
                        1 => -14,
                        2 => -24,
                        3 => 127,
                        4 => -126,
                        5 => -149,
                        6 => 31,
                        _ => self.around(p),
                    };
                let e = e + self.around(2);
                self.build(f, e, man)
            }
            _ => {
                // Whole numbers and halves, and their neighbours.
                let e = f.bias() + self.below(34) as i64 - 1;
                let keep = u64::from(f.man()).saturating_sub((e - f.bias() + 1).max(0) as u64);
                let man = (bits & !((1 << keep) - 1)).wrapping_add(self.around(1) as u64);
                self.build(f, e, man)
            }
        }
    }

    fn int(&mut self, bits: u32) -> u64 {
        let mask = u64::MAX >> (64 - bits);
        let v = match self.below(4) {
            0 => self.next(),
            1 => self.next() >> self.below(64),
            2 => (1u64 << self.below(u64::from(bits))).wrapping_add(self.around(2) as u64),
            // Half way between two floats of fewer bits.
            _ => {
                let cut = 1 + self.below(u64::from(bits) - 1);
                (self.next() & !((1 << cut) - 1) | 1 << (cut - 1)).wrapping_add(self.around(1) as u64)
            }
        };
        let v = if self.next() & 1 != 0 { v.wrapping_neg() } else { v };
        v & mask
    }

    fn exponent(&mut self, f: Format, a: u64) -> u64 {
        let n = match self.below(4) {
            0 => self.next() as i32,
            1 => self.around(2 * f.bias() + 60) as i32,
            // To the edges of the format.
            2 => (1 - f.field(a) + self.around(i64::from(f.man()) + 4)) as i32,
            _ => (f.top() as i64 - f.field(a) + self.around(3)) as i32,
        };
        u64::from(n as u32)
    }

    /// The operands of one operation.
    pub fn operands(&mut self, kinds: &[Kind]) -> [u64; 4] {
        let mut v = [0; 4];
        for (n, kind) in kinds.iter().enumerate() {
            v[n] = match *kind {
                Kind::Float(f) | Kind::Either(f) => self.float(f),
                Kind::Int(bits) => self.int(bits),
                Kind::Exponent(f) => self.exponent(f, v[0]),
                Kind::Flag => self.next() & 1,
                Kind::Two(f) => self.float(f) | self.float(f) << f.width(),
            };
        }
        match *kinds {
            [Kind::Float(f), Kind::Float(_), ref rest @ ..] => {
                self.related(f, &mut v, rest.first() == Some(&Kind::Float(f)))
            }
            [Kind::Either(f), ..] => {
                // Denominator and numerator: exponents at the thresholds.
                if self.below(2) == 0 {
                    let apart = [0, 96, 768, 24, 53, f.bias(), 2 * f.bias() - 1, 150, 1075][self.below(9) as usize];
                    let far = if self.next() & 1 != 0 { apart } else { -apart };
                    let (e, man) = (f.field(v[1]) + far + self.around(2), self.next());
                    v[2] = self.build(f, e, man);
                }
                v[0] = if self.next() & 1 != 0 { v[1] } else { v[2] };
            }
            _ => {}
        }
        v
    }

    /// Makes operands meet: products and quotients at the edges of the format, sums that cancel.
    fn related(&mut self, f: Format, v: &mut [u64; 4], addend: bool) {
        let p = i64::from(f.man());
        let man = self.next();
        match self.below(8) {
            // a * b near the smallest numbers.
            0 => {
                let e = f.bias() - f.field(v[0]) + self.around(p + 4);
                v[1] = self.build(f, e, man);
            }
            // a * b near the largest.
            1 => {
                let e = f.top() as i64 + f.bias() - f.field(v[0]) + self.around(3);
                v[1] = self.build(f, e, man);
            }
            // a / b near the smallest, and near the largest.
            2 => {
                let e = f.field(v[0]) + f.bias() + self.around(p + 4);
                v[1] = self.build(f, e, man);
            }
            3 => {
                let e = f.field(v[0]) - f.bias() + self.around(p + 4);
                v[1] = self.build(f, e, man);
            }
            // a + b with some bits in common, or none.
            4 => {
                let e = f.field(v[0]) + self.around(p + 3);
                v[1] = self.build(f, e, man);
            }
            5 => v[1] = (v[0] ^ f.sign_bit()).wrapping_add(self.around(3) as u64) & (f.sign_bit() | (f.sign_bit() - 1)),
            _ => {}
        }
        if addend {
            let man = self.next();
            let product = product(f, v[0], v[1]);
            match self.below(4) {
                0 => {
                    v[2] = (product ^ f.sign_bit()).wrapping_add(self.around(3) as u64)
                        & (f.sign_bit() | (f.sign_bit() - 1))
                }
                1 => {
                    let e = f.field(product) + self.around(2 * p + 4);
                    v[2] = self.build(f, e, man);
                }
                _ => {}
            }
        }
    }
}
