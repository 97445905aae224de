//! Floating point in integer arithmetic: what the machines compute, to the bit.
//!
//! **Values** are bit patterns in the low bits of a `u64`, of a [`Format`]: binary16, bfloat16, binary32, binary64. Bits above the format must
//! be zero on the way in and are zero on the way out (garbage there gives garbage, not a panic). The host's floating point is not used, nor is its environment.
//!
//! **One operation** is: flush subnormal operands, compute exactly, round once, flush a tiny result. What is flushed and how is rounded stands
//! in [`Rules`], which describe the operation and not a format: `flush_in` is about its operands, everything else about its result, so that
//! a conversion takes the first from the field of the mode register for its source and the rest from the field for its destination.
//! Source modifiers ([`Format::neg`], [`Format::abs`]) come before, output modifiers ([`Env::omod`], [`Format::clamp`]) after.
//!
//! **Exactly** means: operands become integers with an exponent (`Num`), the operation leaves an integer of up to 128 bits whose lowest bit
//! also stands for all lower bits that are not zero ("sticky"), and [`Env`]'s `pack` rounds that. Quotients and roots have their remainder as
//! sticky bit. Functions without a finite expansion (exp, log, sin, cos) are computed with a relative error below 2^-60, which decides the
//! rounding for every operand; they are what a correctly rounding machine gives ([`Env::function`]), and the real machines differ from that in
//! the last bit of some results. gfx11 and gfx12 have bits of their own, which are known ([`Env::rdna3`]).
//!
//! **Tininess** is judged after rounding to full precision with unbounded exponent: a result which is below the smallest normal then is flushed
//! even where the rounding to a subnormal would have carried it up.
//!
//! **NaN**: an operation without a NaN operand makes the negative quiet NaN; otherwise the first NaN operand goes through with sign and payload,
//! quieted if [`Rules::quiet`].
//!
//! **Exceptions** are collected in [`Env::raised`] in the order of the trap status register: input subnormal if an operand was subnormal whether or
//! not it was flushed, underflow whenever the result is tiny even if it is exact. open: no measurement of the flags themselves is known, the
//! conditions are those of the RDNA3 manual; a signalling NaN raises invalid even where it goes through unquieted.
//!
//! Lines with `open:` mark what no manual and no measurement settles.

mod arith;
mod convert;
mod cube;
mod divide;
pub mod dot;
#[cfg(test)]
mod draw;
mod format;
mod fp8;
pub mod fused;
mod integral;
#[cfg(test)]
mod margins;
mod minmax;
mod output;
mod preop;
mod rdna3;
mod root;
mod round;
pub(super) mod silicon;
mod trans;
mod trig;

pub use convert::{IntRound, finite_half, half, nearest_half, off_f32_i4, to_half};
pub use dot::{Adder, dot_f32, dot_packed, dot4_fp8};
pub use format::{BF16, F16, F32, F64, Format};
pub use fp8::Fp8;
pub use minmax::NanRule;
pub use output::{Omod, omod_applies};
pub use trans::Function;
pub use trig::Turns;

/// A rounding direction, in the order of the two bits of the mode register.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Round {
    /// To nearest, ties to even.
    #[default]
    Even,
    /// Toward plus infinity.
    Up,
    /// Toward minus infinity.
    Down,
    /// Toward zero.
    Zero,
}

impl Round {
    /// From the two bits of the mode register; higher bits are ignored.
    #[inline]
    pub const fn from_bits(bits: u32) -> Round {
        match bits & 3 {
            0 => Round::Even,
            1 => Round::Up,
            2 => Round::Down,
            _ => Round::Zero,
        }
    }
}

/// How one operation treats its operands and its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rules {
    /// The rounding of the result.
    pub round: Round,
    /// Subnormal operands become zeros of their sign.
    pub flush_in: bool,
    /// Tiny results become zeros of their sign.
    pub flush_out: bool,
    /// Signalling NaNs are quieted: the IEEE bit of the mode register, and always on gfx12.
    pub quiet: bool,
    /// Overflow of finite operands gives the largest finite number in every rounding: FP16_OVFL, for f16 and bf16 results.
    pub saturate: bool,
}

impl Rules {
    /// To nearest even, nothing flushed, NaNs quieted: IEEE 754.
    pub const IEEE: Rules =
        Rules { round: Round::Even, flush_in: false, flush_out: false, quiet: true, saturate: false };

    /// To nearest even, subnormals flushed on both sides: what operations with fixed rules use.
    pub const FLUSH: Rules = Rules { flush_in: true, flush_out: true, ..Rules::IEEE };

    /// The rules that the mode register sets for a format: bits 0 to 3 round and bits 4 to 7 let subnormals in and out, the lower half of each for f32
    /// and the upper for f64 and the formats of 16 bits; bit 23 is FP16_OVFL. `quiet` is the IEEE bit, bit 9, and always true on gfx12.
    #[inline]
    pub const fn from_mode(f: Format, mode: u32, quiet: bool) -> Rules {
        let at = if f.width() == 32 { 0 } else { 2 };
        Rules {
            round: Round::from_bits(mode >> at),
            flush_in: mode >> (4 + at) & 1 == 0,
            flush_out: mode >> (5 + at) & 1 == 0,
            quiet,
            saturate: f.width() == 16 && mode >> 23 & 1 != 0,
        }
    }

    /// The same rules with another rounding.
    #[inline]
    pub const fn with_round(self, round: Round) -> Rules {
        Rules { round, ..self }
    }

    /// The same rules, with subnormals flushed (or not) on both sides.
    #[inline]
    pub const fn with_flush(self, flush: bool) -> Rules {
        Rules { flush_in: flush, flush_out: flush, ..self }
    }
}

bitflags::bitflags! {
    /// What operations met, in the bit order of the trap status register.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct Exceptions: u8 {
        /// 0 * inf, inf - inf, 0 / 0, the root of a negative number, a signalling NaN, an integer out of range.
        const INVALID = 1;
        /// An operand was subnormal.
        const INPUT_SUBNORMAL = 1 << 1;
        /// A finite number was divided by zero.
        const DIVIDE_BY_ZERO = 1 << 2;
        /// The rounded result was larger than the largest finite number.
        const OVERFLOW = 1 << 3;
        /// The rounded result was smaller than the smallest normal number.
        const UNDERFLOW = 1 << 4;
        /// The result is not exact.
        const INEXACT = 1 << 5;
        /// An integer was divided by zero.
        const INT_DIVIDE_BY_ZERO = 1 << 6;
    }
}

/// The rules of an operation and the exceptions raised so far. All arithmetic is methods of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Env {
    /// How to operate.
    pub rules: Rules,
    /// Sticky: nothing here clears it.
    pub raised: Exceptions,
}

impl Env {
    /// Nothing raised.
    #[inline]
    pub const fn new(rules: Rules) -> Env {
        Env { rules, raised: Exceptions::empty() }
    }

    /// Runs something under other rules; exceptions are collected in this environment.
    #[inline]
    pub fn under<T>(&mut self, rules: Rules, run: impl FnOnce(&mut Env) -> T) -> T {
        let mut env = Env { rules, raised: self.raised };
        let result = run(&mut env);
        self.raised = env.raised;
        result
    }
}

/// The number `sig * 2^exp`, negative if `sign`. Zero has no exponent of interest.
#[derive(Clone, Copy, Debug)]
struct Num {
    sign: bool,
    exp: i32,
    sig: u64,
}
