//! Seeded random values: part of the case format, so that the same case starts in the same state everywhere, for ever.
//!
//! The generator is splitmix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators"): its n-th output, counting from 0,
//! needs no state but the seed:
//!
//! ```text
//! z = seed + (n + 1) * 0x9e3779b97f4a7c15        (mod 2^64, as all of this)
//! z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9
//! z = (z ^ z >> 27) * 0x94d049bb133111eb
//! z ^ z >> 31
//! ```
//!
//! For a vector register n is the number of the work-item in the dispatch, plus 2^32 for every element that lies before it in a range of
//! registers. For scalar registers and memory n is the number of the element.
//! A class shapes the bits; each takes what it needs from one output.

use super::edges::edges;
use crate::isa::types::Ty;

/// What kind of random value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Any bits.
    Any,
    /// One of the edge values.
    Edge,
    /// A whole number from -16 to 16; without a sign from 0 to 32.
    Small,
    /// Integers: one bit is set.
    Bit,
    /// Floats: all but infinities and NaN.
    Finite,
    /// Floats: a normal number, every exponent equally likely.
    Normal,
    /// Floats: a number from 1/16 to 16, or its negative: sums and products stay normal.
    Near,
    /// Floats: a denormal number, not zero.
    Denormal,
    /// Floats: a NaN with any payload.
    Nan,
}

impl Class {
    /// Every class.
    pub const ALL: [Class; 9] = [
        Class::Any,
        Class::Edge,
        Class::Small,
        Class::Bit,
        Class::Finite,
        Class::Normal,
        Class::Near,
        Class::Denormal,
        Class::Nan,
    ];

    /// `denormal`
    #[must_use]
    pub fn name(self) -> &'static str {
        ["any", "edge", "small", "bit", "finite", "normal", "near", "denormal", "nan"][self as usize]
    }

    /// Whether a type has such values.
    #[must_use]
    pub fn suits(self, ty: Ty) -> bool {
        match self {
            Class::Any | Class::Edge | Class::Small => true,
            Class::Bit => ty.layout().is_none(),
            _ => ty.layout().is_some(),
        }
    }
}

/// The n-th output of splitmix64.
#[must_use]
pub fn splitmix64(seed: u64, n: u64) -> u64 {
    let z = seed.wrapping_add(n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// The n-th value of a type and class. A class that the type does not have gives any bits.
#[must_use]
pub fn random(ty: Ty, class: Class, seed: u64, n: u64) -> u64 {
    let bits = splitmix64(seed, n);
    // Halves of one output: `pick` chooses, `bits` fills.
    let pick = bits >> 32;
    let small = (pick % 33) as i64;
    match (class, ty.layout()) {
        (Class::Edge, _) => {
            let all = edges(ty);
            all[(pick % all.len() as u64) as usize]
        }
        (Class::Small, Some(_)) => ty.from_f64((small - 16) as f64),
        (Class::Small, None) if ty.is_signed() => (small - 16) as u64 & ty.mask(),
        (Class::Small, None) => small as u64,
        (Class::Bit, None) => 1 << (pick % (8 * u64::from(ty.bytes()))),
        (class, Some(layout)) => {
            let exponents = (1u64 << layout.exponent) - 1;
            let mantissa_mask = (1u64 << layout.mantissa) - 1;
            let (sign, mantissa) = (bits & layout.sign(), bits & mantissa_mask);
            // The exponent comes from bits that the mantissa does not use, but for f64, where a second output is needed.
            let free = splitmix64(!seed, n);
            let exponent = match class {
                Class::Finite => free % exponents,
                Class::Normal => 1 + free % (exponents - 1),
                Class::Near => exponents / 2 - 4 + free % 8,
                Class::Denormal => return sign | mantissa.max(1),
                Class::Nan => return sign | layout.infinity() | mantissa.max(1),
                _ => return bits & ty.mask(),
            };
            sign | exponent << layout.mantissa | mantissa
        }
        _ => bits & ty.mask(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_splitmix64() {
        // The first outputs for seed 1234567, as the reference implementation in C gives them.
        let want = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!([0, 1, 2].map(|n| splitmix64(1_234_567, n)), want);
    }

    #[test]
    fn classes_hold_what_they_say() {
        for ty in Ty::ALL {
            for class in Class::ALL.into_iter().filter(|c| c.suits(ty)) {
                for n in 0..500 {
                    let bits = random(ty, class, 7, n);
                    assert_eq!(bits & !ty.mask(), 0, "{ty} {class:?} {bits:#x}");
                    let value = ty.to_f64(bits);
                    let holds = match class {
                        Class::Any => true,
                        Class::Edge => edges(ty).contains(&bits),
                        Class::Small => value.fract() == 0.0 && (-16.0..=32.0).contains(&value),
                        Class::Bit => bits.count_ones() == 1,
                        Class::Finite => value.is_finite(),
                        Class::Normal => {
                            let l = ty.layout().expect("a float");
                            value.is_finite() && bits & l.infinity() != 0
                        }
                        Class::Near => (0.0625..16.0).contains(&value.abs()),
                        Class::Denormal => {
                            let l = ty.layout().expect("a float");
                            value != 0.0 && bits & l.infinity() == 0
                        }
                        Class::Nan => ty.is_nan(bits),
                    };
                    assert!(holds, "{ty} {class:?} {bits:#x}");
                }
            }
        }
    }
}
