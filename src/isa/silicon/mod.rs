//! The functions of the transcendental unit of gfx11 and gfx12: `2^x`, `log2`, reciprocal, roots, sine and cosine of f32, to the bit.
//!
//! Here are figures: the coefficients of the unit and the widths at which it cuts intermediate results. Both engines compute from them, each
//! with code of its own. The figures are those that AMD publishes in the emulator of ROCm's rocm-systems (`emulation/rocjitsu`: rcp, rsq,
//! sqrt, exp, log, trig), which reproduce every mantissa captured on a gfx1100 and a gfx1201, two cards that agree in all bits; for
//! reciprocals and roots the widths are those of the f64 forms there, which share the coefficients and need no list of exceptions. Other
//! generations have no public figures: what is computed for them is correctly rounded.
//!
//! **The model.** The bits of the argument that decide the rest (a mantissa, with the parity of the exponent for roots; the fraction of an
//! exponent; an eighth of a turn) are an index into a table of [`Row`]s and an offset `x` in that row. The result is
//! `constant ± linear·x ± (quadratic ± cubic·x)·x²` in fixed point, where the products keep 24 significant bits ([`KEPT`]) and the square
//! of `x` is cut to 24. What comes of it is rounded to f32: to nearest even for powers, reciprocals and roots, downwards for logarithms,
//! towards zero for sines and cosines, without regard to MODE. [`Curve`] has the widths. Logarithms next to one ([`Near`]) and small sines
//! keep more bits, in steps of four places.
//!
//! Denormals are flushed on both sides in every mode, but by the sine of angles below [`SMALL_ANGLE`], which is one product and obeys MODE.

mod rows;

pub use rows::{COSINE, SINE};

use crate::isa::Gen;
use rows::{EXP, LOG, RCP, RSQ, SQRT};

/// The coefficients of a piece of a function. The signs are those of the whole function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The value at its beginning.
    pub constant: u32,
    /// What the offset is multiplied by.
    pub linear: u32,
    /// What the square of the offset is multiplied by, at its beginning.
    pub quadratic: u32,
    /// By how much that changes with the offset.
    pub cubic: u32,
}

/// The significant bits that products keep: a product `p` is rounded to nearest even at a bit `at`, or at the next higher one from
/// `2^(at + KEPT)` on, and then counts in units of `2^at`.
pub const KEPT: u32 = 24;

/// The bit at which the product with the square is rounded.
pub const SQUARED_AT: u32 = 23;

/// A function in rows, and the widths of its evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Curve {
    /// The coefficients.
    pub rows: &'static [Row],
    /// The bits of the offset.
    pub offset: u32,
    /// What becomes of the product with the linear coefficient.
    pub linear: Linear,
    /// How many bits of the offset its square leaves out, and how many the square loses.
    pub square: [u32; 2],
    /// The cubic part of the factor of the square.
    pub cubic: Cubic,
    /// Whether the product with the square is added.
    pub bends_up: bool,
    /// The bits that the product with the square has below the sum of constant and linear part.
    pub below: u32,
    /// The bits of the value that the significand of 24 bits does not have.
    pub beyond: u32,
}

/// What becomes of the product with the linear coefficient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linear {
    /// Kept from this bit on, added to the constant; the sum loses so many bits.
    Added(u32, u32),
    /// Kept from this bit on, subtracted from the constant; the difference loses so many bits.
    Subtracted(u32, u32),
    /// Cut off at this bit and added.
    Cut(u32),
}

/// The factor of the square: quadratic coefficient and cubic part, rounded to nearest even.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cubic {
    /// Cubic coefficient times offset is added; the offset loses so many bits, the sum has so many below the quadratic coefficient.
    Added(u32, u32),
    /// Cubic coefficient times `2^n * offset + 1` is subtracted; the difference has so many bits below the quadratic coefficient.
    Subtracted(u32, u32),
}

/// `2^x` for the fraction of x in units of 2^-29.
pub const EXP_CURVE: Curve = Curve {
    rows: &EXP,
    offset: 24,
    linear: Linear::Added(23, 1),
    square: [6, 12],
    cubic: Cubic::Added(6, 7),
    bends_up: true,
    below: 8,
    beyond: 13,
};

/// `1 / m` for the fraction of m in units of 2^-23: from a half to one.
pub const RCP_CURVE: Curve = Curve {
    rows: &RCP,
    offset: 18,
    linear: Linear::Subtracted(14, 1),
    square: [1, 10],
    cubic: Cubic::Subtracted(2, 12),
    bends_up: true,
    below: 6,
    beyond: 11,
};

/// `1 / sqrt(m)`, from 1 to 2 and then from 2 to 4: from a half to one.
pub const RSQ_CURVE: Curve = Curve {
    rows: &RSQ,
    offset: 18,
    linear: Linear::Subtracted(13, 2),
    square: [1, 10],
    cubic: Cubic::Subtracted(2, 11),
    bends_up: true,
    below: 7,
    beyond: 12,
};

/// `sqrt(m)`, from 1 to 2 and then from 2 to 4.
pub const SQRT_CURVE: Curve = Curve {
    rows: &SQRT,
    offset: 19,
    linear: Linear::Added(16, 1),
    square: [2, 10],
    cubic: Cubic::Subtracted(1, 11),
    bends_up: false,
    below: 7,
    beyond: 12,
};

/// `log2(m)` for the fraction of m, in units of 2^-35. The last row replaces the upper half of row 1, with offsets from the same beginning.
pub const LOG_CURVE: Curve = Curve {
    rows: &LOG,
    offset: 18,
    linear: Linear::Cut(16),
    square: [0, 12],
    cubic: Cubic::Subtracted(1, 22),
    bends_up: false,
    below: 5,
    beyond: 0,
};

/// The row that replaces the upper half of row 1, and the first fraction of that.
pub const LOG_SPLIT: (u32, u32) = (32, 3 << 17);

/// A logarithm next to one: of `1 + d * 2^-23` or `1 - d * 2^-24`. The offset is the distance `d`; one of few bits is moved up by four, eight,
/// twelve or sixteen, and the value has as many bits more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Near {
    /// The first distance.
    pub from: u32,
    /// The coefficients; the constant is negative below one.
    pub row: Row,
}

/// The distances that count as near, on either side.
pub const NEAR: u32 = 1 << 18;

/// The bits that a distance is moved up towards.
pub const NEAR_BITS: u32 = 18;

/// Above one: the logarithm in units of 2^-35, cut off, and then one unit of f32 more.
pub const ABOVE_ONE: [Near; 3] = [
    near(0, 0, 12_102_203, 12_102_094, 1_999_052),
    near(1 << 16, 192, 12_102_186, 12_097_614, 1_948_887),
    near(1 << 17, 2_856, 12_102_072, 12_084_310, 1_883_467),
];

/// Below one: the magnitude of the logarithm in units of 2^-34, rounded up.
pub const BELOW_ONE: [Near; 2] =
    [near(0, 0, 12_102_203, 12_101_979, 2_035_248), near(1 << 17, 100, 12_102_221, 12_097_323, 2_088_428)];

const fn near(from: u32, constant: u32, linear: u32, quadratic: u32, cubic: u32) -> Near {
    Near { from, row: Row { constant, linear, quadratic, cubic } }
}

/// The magnitude below which a sine is one product: of 3/8192 of a turn.
pub const SMALL_ANGLE: u32 = 0x39c0_0000;

/// What the sine of a small angle is multiplied by, somewhat less than two pi.
pub const NEARLY_TWO_PI: u32 = 0x40c9_0fd5;

/// The distance from the nearest half turn, in units of 2^-31 turns, below which a cosine is one; for a sine, from the nearest quarter.
pub const FLAT: u32 = 46_592;

/// Whether a generation has these bits.
#[must_use]
pub const fn known(generation: Gen) -> bool {
    matches!(generation, Gen::Gfx11 | Gen::Gfx12)
}

/// Whether a row, or the meaning of one, is a function of the transcendental unit, of whatever format: `v_rcp_iflag_f32`, `v_s_exp_f16`.
#[must_use]
pub fn computes(name: &str) -> bool {
    let words = name.strip_prefix("v_").map(|rest| rest.strip_prefix("s_").unwrap_or(rest));
    let function = words.and_then(|words| words.split('_').next()).unwrap_or_default();
    matches!(function, "exp" | "log" | "rcp" | "rsq" | "sqrt" | "sin" | "cos")
}

/// Whether a row has the bits of the silicon on a generation: functions of f32, and of f16, which follow from those.
#[must_use]
pub fn to_the_bit(name: &str, generation: Gen) -> bool {
    known(generation) && computes(name) && !name.ends_with("_f64")
}
