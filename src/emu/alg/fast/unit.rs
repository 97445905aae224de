//! The functions of the transcendental unit where they are correctly rounded: in f64, then rounded to f32.
//!
//! The argument is reduced without loss, a polynomial makes the rest, with an error below 2^-46 of the value and that of some roundings. A value so
//! near to the middle between two f32 that an error could turn it ([`doubtful`]) is odd: one in half a million. Some words are decided by
//! themselves: NaNs and negative arguments of roots and logarithms are odd, zeros, denormals and infinities are chosen at the end.
//!
//! No function of the host's library and no table is used, so that all of it is vector code.

use super::{Fast, TOP, silicon};
use crate::emu::soft::{finite_half, to_half};
use crate::isa::{Gen, silicon as tables};
use std::f64::consts::TAU;

/// Whose transcendental unit computes. Kernels are compiled for either: see [`Section::Unit`](crate::isa::sem::Section::Unit).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Unit {
    /// One whose functions are correctly rounded, up to so many turns; beyond them all angles are whole turns.
    Rounded {
        /// The last angle.
        turns: f32,
    },
    /// That of gfx11 and gfx12.
    #[default]
    Silicon,
}

impl Unit {
    /// The unit of a generation.
    #[must_use]
    pub const fn of(generation: Gen) -> Unit {
        if tables::known(generation) {
            return Unit::Silicon;
        }
        // From 2^23 on there are no parts of turns: this is the number before.
        Unit::Rounded {
            turns: if matches!(generation, Gen::Gfx6 | Gen::Gfx7 | Gen::Gfx8) { 256.0 } else { 8_388_607.5 },
        }
    }

    #[inline(always)]
    fn is_silicon(self) -> bool {
        matches!(self, Unit::Silicon)
    }
}

/// `(2^x - 1) / x` from -1/2 to 1/2, from the constant term on.
const EXP2: [f64; 10] = [
    0.693_147_180_559_946_2,
    0.240_226_506_959_100_75,
    0.055_504_108_664_651_67,
    0.009_618_129_107_618_665,
    0.001_333_355_820_079_459_2,
    0.000_154_035_304_247_765_29,
    1.525_267_292_485_073_7e-5,
    1.321_545_163_322_143_4e-6,
    1.020_590_541_376_559_5e-7,
    7.070_977_866_508_138e-9,
];

/// `log2((1 + s) / (1 - s)) / s` by the square of s, for s up to that of the square root of two.
const LOG2: [f64; 7] = [
    2.885_390_081_777_927,
    0.961_796_693_924_333_5,
    0.577_078_017_246_782_2,
    0.412_198_401_974_235_7,
    0.320_616_393_526_342_3,
    0.261_444_070_063_940_44,
    0.242_918_301_352_629_7,
];

/// `sin(2 pi x) / x` by the square of x, for an eighth of a turn.
const SINE: [f64; 7] = [
    TAU,
    -41.341_702_240_399_634,
    81.605_249_275_948_04,
    -76.705_859_704_274_54,
    42.058_685_020_160_894,
    -15.093_804_209_987_114,
    3.780_868_959_302_295_7,
];

/// `(cos(2 pi x) - 1) / x^2` by the square of x, for an eighth of a turn.
const COSINE: [f64; 7] = [
    -19.739_208_802_178_716,
    64.939_394_022_668_24,
    -85.456_817_206_643_8,
    60.244_641_352_702_01,
    -26.426_253_275_854_723,
    7.903_206_911_569_678,
    -1.699_034_394_066_063_7,
];

/// What rounds a number of the size of integers to one that lies in the low bits of the sum.
const INTEGERS: f64 = 6_755_399_441_055_744.0;

const INFINITY: u32 = 0x7f80_0000;

/// How near to a middle is doubtful, in units of the last place of f64.
const DOUBT: u32 = 512;

#[inline(always)]
fn polynomial<const N: usize>(coefficients: &[f64; N], x: f64) -> f64 {
    let mut sum = coefficients[N - 1];
    for n in 1..N {
        sum = sum.mul_add(x, coefficients[N - 1 - n]);
    }
    sum
}

/// `2^x` of a number up to some hundreds.
#[inline(always)]
fn exp2(x: f64) -> f64 {
    let whole = x + INTEGERS;
    let rest = x - (whole - INTEGERS);
    let value = polynomial(&EXP2, rest).mul_add(rest, 1.0);
    f64::from_bits(value.to_bits().wrapping_add(whole.to_bits() << 52))
}

/// The logarithm to base two of a normal f32 without sign.
#[inline(always)]
fn log2(bits: u32) -> f64 {
    // From the root of a half to that of two.
    let exponent = bits.wrapping_sub(0x3f35_04f3) as i32 >> 23;
    let m = f64::from(f32::from_bits(bits.wrapping_sub((exponent << 23) as u32)));
    let s = (m - 1.0) / (m + 1.0);
    s.mul_add(polynomial(&LOG2, s * s), f64::from(exponent))
}

/// The sine of so many turns; with a quarter more, `1`, the cosine.
#[inline(always)]
fn sine(turns: f64, more: u64) -> f64 {
    let quarters = turns.mul_add(4.0, INTEGERS);
    let rest = (quarters - INTEGERS).mul_add(-0.25, turns);
    let quarter = quarters.to_bits().wrapping_add(more);
    let square = rest * rest;
    let (odd, even) = (rest * polynomial(&SINE, square), polynomial(&COSINE, square).mul_add(square, 1.0));
    let value = if quarter & 1 != 0 { even } else { odd };
    // All zeros are positive.
    f64::from_bits(value.to_bits() ^ (quarter & 2) << 62) + 0.0
}

/// Top bit set where the f32 that a value is rounded to is doubtful: the middle of two is a half of the 29 bits that it loses.
#[inline(always)]
fn doubtful(v: f64) -> u32 {
    let apart = ((v.to_bits() as u32) << 3).wrapping_sub(TOP) as i32;
    apart.unsigned_abs().wrapping_sub(DOUBT << 3)
}

#[inline(always)]
fn clamped(x: f64, least: f64, most: f64) -> f64 {
    let x = if x > least { x } else { least };
    if x < most { x } else { most }
}

impl<const FLUSH: bool> Fast<FLUSH> {
    /// A value as f32.
    #[inline(always)]
    fn rounded(&self, v: f64) -> f32 {
        self.odd_top(doubtful(v));
        v as f32
    }

    /// `2^a`
    #[inline(always)]
    pub(super) fn exp2(&self, a: u32) -> u32 {
        let x = f32::from_bits(a);
        self.odd_nan(x);
        if self.machine.unit.is_silicon() {
            return silicon::exp2(a);
        }
        let r = self.rounded(exp2(clamped(x.into(), -200.0, 200.0)));
        if x < -126.0 { 0 } else { r.to_bits() }
    }

    /// `2^a` of an f16.
    #[inline(always)]
    pub(super) fn exp2_half(&self, a: u32) -> u32 {
        self.halved(exp2(clamped(self.h(a).into(), -40.0, 40.0)))
    }

    /// The logarithm to base two.
    #[inline(always)]
    pub(super) fn log2(&self, a: u32) -> u32 {
        let a = if a & INFINITY == 0 { 0 } else { a };
        // A NaN, or negative.
        self.odd_top(a | ((a & !TOP) + 0x007f_ffff));
        let r = match self.machine.unit {
            Unit::Silicon => silicon::log2(a),
            Unit::Rounded { .. } => self.rounded(log2(a)).to_bits(),
        };
        let r = if a == 0 { INFINITY | TOP } else { r };
        if a == INFINITY { a } else { r }
    }

    /// The logarithm to base two of an f16.
    #[inline(always)]
    pub(super) fn log2_half(&self, a: u32) -> u32 {
        let a = self.h(a).to_bits();
        // Not positive.
        self.odd_top(a | a.wrapping_sub(1));
        self.halved(log2(a))
    }

    /// `1 / a`
    #[inline(always)]
    pub(super) fn reciprocal(&self, a: u32) -> u32 {
        if self.machine.unit.is_silicon() {
            self.odd_nan(f32::from_bits(a));
            return silicon::rcp(a);
        }
        let r = 1.0 / f32::from_bits(Self::zeroed(a));
        self.odd_nan(r);
        self.flushed(r)
    }

    /// The square root.
    #[inline(always)]
    pub(super) fn root(&self, a: u32) -> u32 {
        let a = Self::zeroed(a);
        if !self.machine.unit.is_silicon() {
            return self.rs_exact(f32::from_bits(a).sqrt());
        }
        self.odd_unless_positive(a);
        let r = silicon::sqrt(a);
        if a & !TOP == 0 || a == INFINITY { a } else { r }
    }

    /// `1 / sqrt(a)`
    #[inline(always)]
    pub(super) fn inverse_root(&self, a: u32) -> u32 {
        let a = Self::zeroed(a);
        self.odd_unless_positive(a);
        let r = match self.machine.unit {
            Unit::Silicon => silicon::rsq(a),
            Unit::Rounded { .. } => {
                let x = f32::from_bits(a);
                // A step of Newton's doubles the good bits.
                let (wide, root) = (f64::from(x), f64::from(1.0 / x.sqrt()));
                let rest = (wide * root).mul_add(-root, 1.0);
                self.rounded((0.5 * root).mul_add(rest, root)).to_bits()
            }
        };
        let r = if a & !TOP == 0 { a | INFINITY } else { r };
        if a == INFINITY { 0 } else { r }
    }

    /// Odd if a number is neither a zero nor positive.
    #[inline(always)]
    fn odd_unless_positive(&self, a: u32) {
        let negative = a & (a & !TOP).wrapping_neg();
        self.odd_top(negative | ((a & !TOP) + 0x007f_ffff));
    }

    /// The sine of `a` turns, or the cosine.
    #[inline(always)]
    pub(super) fn turned(&self, a: u32, cosine: bool) -> u32 {
        let x = f32::from_bits(a);
        // An infinity, or a NaN.
        self.odd_top((a & !TOP) + 0x0080_0000);
        let Unit::Rounded { turns } = self.machine.unit else {
            // The product that a small sine is may have denormals that the mode has a say in.
            self.odd_if(!cosine & x.is_subnormal());
            return silicon::turned(a, cosine);
        };
        let a = Self::zeroed(a);
        let x = f32::from_bits(a);
        // Whole turns are nothing; those beyond what the unit takes are as good.
        let x = if x.abs() > turns { 1.0 } else { x };
        let r = self.rounded(sine(x.into(), u64::from(cosine))).to_bits();
        if !cosine & (a & !TOP == 0) { a } else { r }
    }

    /// A value as f16, rounded once. What overflows is left to the exact body.
    #[inline(always)]
    fn halved(&self, v: f64) -> u32 {
        self.odd_if(v.abs() >= 65_520.0);
        to_half(v)
    }

    /// A finite f16 as f32; the others are left to the exact body.
    #[inline(always)]
    fn h(&self, a: u32) -> f32 {
        self.odd_if(a & 0x7c00 == 0x7c00);
        finite_half(a)
    }

    /// An f16 as f32, for the functions that compute that.
    #[inline(always)]
    pub(super) fn widened(&self, a: u32) -> u32 {
        self.h(a).to_bits()
    }

    /// What these give, rounded once more.
    #[inline(always)]
    pub(super) fn narrowed(&self, r: u32) -> u32 {
        self.narrow(f32::from_bits(r))
    }

    /// `1 / sqrt(a)` of an f64.
    ///
    /// The root of the significand is right but for its last bits. The square of that in two parts leaves a rest from which these follow; what
    /// is then rounded is wrong by less than 2^-100.
    #[inline(always)]
    pub(super) fn inverse_root_f64(&self, a: u64) -> u64 {
        const SIGN: u64 = 1 << 63;
        const HIGHEST: u64 = 0x7ff << 52;
        let exponent = a >> 52 & 0x7ff;
        let parity = (exponent + 1) & 1;
        let x = f64::from_bits(a & !(0xfff << 52) | (1023 + parity) << 52);
        let root = 1.0 / x.sqrt();
        let square = root * root;
        let below = root.mul_add(root, -square);
        let rest = x.mul_add(-below, x.mul_add(-square, 1.0));
        let more = 0.5 * root * rest;
        let error = f64::from_bits((1023 - 100) << 52);
        let r = root + (more + error);
        let zero = a & !SIGN == 0;
        let denormal = (exponent == 0) & !zero;
        let nan = a & !SIGN > HIGHEST;
        self.odd_if((r != root + (more - error)) | denormal | nan | (a & SIGN != 0 && !zero));
        // Half of the exponent, with half of the bias of 1023, less the parity.
        let half = (exponent + 1 - parity) / 2;
        let r = r.to_bits().wrapping_add(512u64.wrapping_sub(half) << 52);
        let r = if zero { a | HIGHEST } else { r };
        if a == HIGHEST { 0 } else { r }
    }
}
