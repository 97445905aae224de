//! Formats, and what MODE and the generation say about them.

use super::Int;
use crate::isa::{Gen, silicon};

/// A binary format: a sign bit, `exp` exponent bits, `man` fraction bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    /// Width of the exponent field.
    pub exp: u32,
    /// Width of the fraction field.
    pub man: u32,
}

/// Half precision.
pub const F16: Format = Format { exp: 5, man: 10 };
/// The upper half of single precision.
pub const BF16: Format = Format { exp: 8, man: 7 };
/// Single precision.
pub const F32: Format = Format { exp: 8, man: 23 };
/// Double precision.
pub const F64: Format = Format { exp: 11, man: 52 };

impl Format {
    /// What is added to the exponent of a normal number in its field.
    #[must_use]
    pub const fn bias(self) -> i32 {
        (1 << (self.exp - 1)) - 1
    }
    /// The largest value of the exponent field, which infinities and NaNs have.
    #[must_use]
    pub const fn special(self) -> i32 {
        (1 << self.exp) - 1
    }
    /// The bit of the sign.
    #[must_use]
    pub const fn sign(self) -> u64 {
        1 << (self.exp + self.man)
    }
    /// All but the sign.
    #[must_use]
    pub const fn magnitude(self) -> u64 {
        self.sign() - 1
    }
    /// The bit of a quiet NaN.
    #[must_use]
    pub const fn quiet(self) -> u64 {
        1 << (self.man - 1)
    }
    /// The bits of the fraction.
    #[must_use]
    pub const fn fraction(self) -> u64 {
        (1 << self.man) - 1
    }
    /// The smallest normal number, which is also a step of the exponent field.
    #[must_use]
    pub const fn step(self) -> u64 {
        1 << self.man
    }
    /// Infinity.
    #[must_use]
    pub const fn inf(self) -> u64 {
        self.sign() - self.step()
    }
    /// The largest number.
    #[must_use]
    pub const fn max(self) -> u64 {
        self.inf() - 1
    }
    /// 1.0
    #[must_use]
    pub const fn one(self) -> u64 {
        (self.bias() as u64) << self.man
    }
    /// The NaN that operations make: quiet, negative, without payload.
    #[must_use]
    pub const fn default_nan(self) -> u64 {
        self.sign() | self.inf() | self.quiet()
    }
    /// The highest word of a pattern.
    pub(super) const fn top(self, bits: u64) -> u32 {
        if self.man > 31 { (bits >> 32) as u32 } else { bits as u32 }
    }
    /// Where the fraction ends in the highest word.
    pub(super) const fn top_man(self) -> u32 {
        if self.man > 31 { self.man - 32 } else { self.man }
    }
}

/// MODE, a value of the running program, and the generation, known when it is translated.
pub struct Modes<K: Int> {
    /// MODE: rounding in bits 0-1 (f32) and 2-3 (f16, f64), denormals in bits 4-5 and 6-7, `DX10_CLAMP` 8, `IEEE` 9, `FP16_OVFL` 23.
    pub mode: K::W,
    /// The generation.
    pub generation: Gen,
}

impl<K: Int> Clone for Modes<K> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<K: Int> Copy for Modes<K> {}

/// How one operation treats operands and results. Not of a format: a conversion takes the first field from one and the others from another.
pub struct Rules<K: Int> {
    /// 0 to nearest even, 1 up, 2 down, 3 towards zero.
    pub round: K::W,
    /// Denormal operands become zeros of their sign.
    pub flush_in: K::C,
    /// Results that are tiny after rounding become zeros of their sign.
    pub flush_out: K::C,
    /// NaNs on their way through are quieted.
    pub quiet: K::C,
    /// Overflow gives the largest number in every rounding.
    pub saturate: K::C,
}

impl<K: Int> Clone for Rules<K> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<K: Int> Copy for Rules<K> {}

impl<K: Int> Rules<K> {
    /// The same, flushing as `flush` says on both sides.
    #[must_use]
    pub fn flushing(self, k: &K, flush: bool) -> Self {
        Rules { flush_in: k.c(flush), flush_out: k.c(flush), ..self }
    }
    /// The same, to nearest even.
    #[must_use]
    pub fn nearest(self, k: &K) -> Self {
        Rules { round: k.w(0), ..self }
    }
    /// The same, where overflow is not held back.
    #[must_use]
    pub fn unbounded(self, k: &K) -> Self {
        Rules { saturate: k.c(false), ..self }
    }
    /// To nearest even, nothing flushed, NaNs quieted: IEEE 754.
    #[must_use]
    pub fn ieee(k: &K) -> Self {
        Rules { round: k.w(0), flush_in: k.c(false), flush_out: k.c(false), quiet: k.c(true), saturate: k.c(false) }
    }
}

impl<K: Int> Modes<K> {
    fn bit(&self, k: &K, n: u32) -> K::C {
        k.nz(k.andi(self.mode, 1 << n))
    }
    fn clear(&self, k: &K, n: u32) -> K::C {
        k.eqi(k.andi(self.mode, 1 << n), 0)
    }
    /// gfx12, which has neither an IEEE nor a clamp mode.
    #[must_use]
    pub fn gfx12(&self) -> bool {
        self.generation >= Gen::Gfx12
    }
    /// gfx11 and gfx12, whose transcendental unit is known to the bit.
    #[must_use]
    pub fn silicon(&self) -> bool {
        silicon::known(self.generation)
    }
    /// Whether NaNs are quieted.
    pub fn ieee(&self, k: &K) -> K::C {
        if self.gfx12() { k.c(true) } else { self.bit(k, 9) }
    }
    /// `FP16_OVFL`.
    pub fn fp16_ovfl(&self, k: &K) -> K::C {
        self.bit(k, 23)
    }
    /// Whether clamping makes a NaN zero.
    pub fn clamps_nan(&self, k: &K) -> K::C {
        if self.gfx12() { k.c(true) } else { self.bit(k, 8) }
    }
    /// The rules of f32.
    pub fn single(&self, k: &K) -> Rules<K> {
        Rules {
            round: k.andi(self.mode, 3),
            flush_in: self.clear(k, 4),
            flush_out: self.clear(k, 5),
            quiet: self.ieee(k),
            saturate: k.c(false),
        }
    }
    /// The rules of f64.
    pub fn double(&self, k: &K) -> Rules<K> {
        Rules {
            round: k.andi(k.shri(self.mode, 2), 3),
            flush_in: self.clear(k, 6),
            flush_out: self.clear(k, 7),
            quiet: self.ieee(k),
            saturate: k.c(false),
        }
    }
    /// The rules of f16: those of f64, and `FP16_OVFL`.
    pub fn half(&self, k: &K) -> Rules<K> {
        let saturate = if self.generation >= Gen::Gfx9 { self.fp16_ovfl(k) } else { k.c(false) };
        Rules { saturate, ..self.double(k) }
    }
    /// The rules of a format.
    pub fn rules(&self, k: &K, f: Format) -> Rules<K> {
        if f == F64 {
            self.double(k)
        } else if f == F32 {
            self.single(k)
        } else {
            self.half(k)
        }
    }
}
