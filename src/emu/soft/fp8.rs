//! Numbers of eight bits.
//!
//! There are two families: one (FNUZ) has no infinities, no negative zero and a single NaN where that would be; the other (OCP) has a negative zero, and
//! its narrower half infinities like the larger formats.

use super::{F32, Format, Round};

/// A format of eight bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fp8 {
    /// FP8 of gfx940 to gfx942: 4 exponent bits, bias 8, largest 240.
    E4m3Fnuz,
    /// BF8 of gfx940 to gfx942: 5 exponent bits, bias 16, largest 57344.
    E5m2Fnuz,
    /// FP8 of gfx950 and gfx12: 4 exponent bits, bias 7, no infinity, largest 448.
    E4m3,
    /// BF8 of gfx950 and gfx12: 5 exponent bits, bias 15, with infinities, largest 57344.
    E5m2,
}

impl Fp8 {
    /// The widths of the fields.
    pub(super) const fn format(self) -> Format {
        match self {
            Fp8::E4m3Fnuz | Fp8::E4m3 => Format { exp: 4, man: 3 },
            Fp8::E5m2Fnuz | Fp8::E5m2 => Format { exp: 5, man: 2 },
        }
    }

    const fn is_fnuz(self) -> bool {
        matches!(self, Fp8::E4m3Fnuz | Fp8::E5m2Fnuz)
    }

    pub(super) const fn bias(self) -> i32 {
        self.format().bias() + self.is_fnuz() as i32
    }

    /// The largest finite number.
    const fn max(self) -> u64 {
        match self {
            Fp8::E4m3Fnuz | Fp8::E5m2Fnuz => 0x7f,
            Fp8::E4m3 => 0x7e,
            Fp8::E5m2 => 0x7b,
        }
    }

    /// Whether the pattern is a NaN.
    pub(super) const fn is_nan(self, a: u64) -> bool {
        match self {
            Fp8::E4m3Fnuz | Fp8::E5m2Fnuz => a & 0xff == 0x80,
            Fp8::E4m3 => a & 0x7f == 0x7f,
            Fp8::E5m2 => a & 0x7f > 0x7c,
        }
    }

    /// Whether the pattern is an infinity.
    pub(super) const fn is_inf(self, a: u64) -> bool {
        matches!(self, Fp8::E5m2) && a & 0x7f == 0x7c
    }

    /// The number as f32, exactly. open: a NaN becomes a quiet one with the sign, in E5M2 also with the payload.
    pub fn decode(self, a: u8) -> u64 {
        let a = u64::from(a);
        let f = self.format();
        let sign = a & 0x80 != 0;
        if self.is_nan(a) {
            let payload = if self == Fp8::E5m2 { (a & 3) << 21 } else { 0 };
            return F32.signed(sign, F32.inf() | F32.quiet_bit() | payload);
        }
        if self.is_inf(a) {
            return F32.signed(sign, F32.inf());
        }
        let (field, fraction) = ((a & 0x7f) >> f.man, a & f.fraction());
        let (field, sig) = if field == 0 { (1, fraction) } else { (field, fraction | 1 << f.man) };
        if sig == 0 {
            return F32.signed(sign, 0);
        }
        // The leading bit of the significand goes to place 23.
        let up = sig.leading_zeros() - 40;
        let exp = field as i32 - self.bias() - f.man as i32 - up as i32;
        F32.signed(sign, ((exp + 150) as u64 - 1) << 23).wrapping_add(sig << up)
    }

    /// An f32 as the nearest number, the even one of two. `saturate` (FP16_OVFL) makes overflow and infinities the largest finite number.
    pub fn encode(self, a: u64, saturate: bool) -> u8 {
        self.narrow(a, saturate, |sig, drop| Round::Even.shift(false, sig, drop).0)
    }

    /// An f32 with random bits, the high ones of the seed, added to the bits that are then cut off. open: below the 32nd bit from the lowest
    /// subnormal the seed is taken to be that far up as well.
    pub fn encode_stochastic(self, a: u64, seed: u32, saturate: bool) -> u8 {
        self.narrow(a, saturate, |sig, drop| match drop {
            0..=32 => (sig + (u64::from(seed) >> (32 - drop))) >> drop,
            33..=63 => ((u128::from(sig) + (u128::from(seed) << (drop - 32))) >> drop) as u64,
            _ => 0,
        })
    }

    fn narrow(self, a: u64, saturate: bool, cut: impl Fn(u64, u32) -> u64) -> u8 {
        let f = self.format();
        let sign = u64::from(F32.sign(a)) << 7;
        if F32.is_nan(a) {
            return if self.is_fnuz() { 0x80 } else { sign as u8 | 0x7f };
        }
        let x = F32.unpack(a);
        let least = 1 - self.bias() - f.man as i32;
        // The unit of the result: as far below the leading bit as the fraction is wide, or the smallest.
        let leading = x.exp + 63 - x.sig.leading_zeros() as i32;
        let unit = (leading - f.man as i32).max(least);
        let bits = if F32.is_inf(a) {
            u64::MAX
        } else if x.sig == 0 {
            0
        } else {
            // 24 bits lose at least the 20 that the fraction has more.
            cut(x.sig, (unit - x.exp) as u32) + (((unit - least) as u64) << f.man)
        };
        if bits > self.max() {
            return (match self {
                _ if saturate => sign | self.max(),
                Fp8::E4m3Fnuz | Fp8::E5m2Fnuz => 0x80,
                Fp8::E4m3 => sign | 0x7f,
                Fp8::E5m2 => sign | 0x7c,
            }) as u8;
        }
        if bits == 0 && self.is_fnuz() { 0 } else { (sign | bits) as u8 }
    }
}
