//! Floating-point atomics, on bits.
//!
//! Sums are those of the host, whose f32 and f64 addition rounds to nearest even as these atomics always do; everything else (flushed
//! denormals, NaNs, order of zeros) is written out. The rounding mode of the host is never touched. Operand order is that of the
//! manual's `src + tmp`: data first, memory second.

use super::Op;
use crate::fault::planted;

/// What becomes of denormals, after MODE and the processor have been asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct FloatRules {
    /// Operands are flushed to zero: in sums, and in comparisons (whose result is nevertheless the operand as it was).
    pub flush_in: bool,
    /// Sums are flushed to zero.
    pub flush_out: bool,
}

/// A binary float.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Float {
    sign: u64,
    infinity: u64,
    /// The mantissa's upper bit.
    quiet: u64,
}

pub(super) const F32: Float = Float { sign: 1 << 31, infinity: 0xff << 23, quiet: 1 << 22 };
pub(super) const F64: Float = Float { sign: 1 << 63, infinity: 0x7ff << 52, quiet: 1 << 51 };

impl Float {
    #[inline]
    fn is_nan(self, x: u64) -> bool {
        x & !self.sign > self.infinity
    }

    #[inline]
    fn is_signalling(self, x: u64) -> bool {
        self.is_nan(x) && x & self.quiet == 0
    }

    #[inline]
    fn flush(self, flush: bool, x: u64) -> u64 {
        if flush && x & self.infinity == 0 { x & self.sign } else { x }
    }

    /// A number that orders as the floats do, -0 below +0. Not for NaNs.
    #[inline]
    fn order(self, x: u64) -> i64 {
        let magnitude = (x & !self.sign) as i64;
        if x & self.sign != 0 { -magnitude - 1 } else { magnitude }
    }
}

/// The default NaN is negative, as silicon of gfx11 and gfx12 has it.
const DEFAULT_NAN_32: u32 = 0xffc0_0000;

/// `mem + data`.
#[inline]
pub(super) fn add(f: Float, rules: FloatRules, mem: u64, data: u64) -> u64 {
    let (a, b) = (f.flush(rules.flush_in, data), f.flush(rules.flush_in, mem));
    if f.is_nan(a) || f.is_nan(b) {
        return f.quiet | if f.is_nan(a) { a } else { b };
    }
    let sum = if f == F32 {
        u64::from((f32::from_bits(a as u32) + f32::from_bits(b as u32)).to_bits())
    } else {
        (f64::from_bits(a) + f64::from_bits(b)).to_bits()
    };
    if f.is_nan(sum) { f.sign | f.infinity | f.quiet } else { f.flush(rules.flush_out, sum) }
}

/// The value that replaces `mem`.
#[inline]
pub(super) fn min_max(f: Float, rules: FloatRules, op: Op, mem: u64, data: u64) -> u64 {
    let number = matches!(op, Op::FMinNum | Op::FMaxNum);
    match (f.is_nan(data), f.is_nan(mem)) {
        (true, true) if number => return data | f.quiet,
        (true, _) if !number && f.is_signalling(data) && !planted!(FminSignalingLoses) => return data | f.quiet,
        (_, true) if !number && f.is_signalling(mem) => return mem | f.quiet,
        (false, true) if planted!(FminNanWins) => return mem,
        (true, true) | (false, true) => return data,
        (true, false) => return mem,
        (false, false) => {}
    }
    let (a, b) = (f.order(f.flush(rules.flush_in, data)), f.order(f.flush(rules.flush_in, mem)));
    if (mem | data) & !f.sign == 0 && planted!(FminZerosEqual) {
        return mem;
    }
    let wins = if matches!(op, Op::FMax | Op::FMaxNum) != planted!(FminIsFmax) { a > b } else { a < b };
    f.flush(rules.flush_in && planted!(FminFlushes), if wins { data } else { mem })
}

/// `mem == other ? data : mem`.
#[inline]
pub(super) fn cmpswap(f: Float, rules: FloatRules, mem: u64, data: u64, other: u64) -> u64 {
    let (a, b) = (f.flush(rules.flush_in, mem), f.flush(rules.flush_in, other));
    let zeros = (a | b) & !f.sign == 0 && !planted!(FcmpZerosDiffer);
    let equal = (!f.is_nan(a) && !f.is_nan(b) || planted!(FcmpNanEqual)) && (a == b || zeros);
    if equal { f.flush(rules.flush_in, data) } else { mem }
}

/// Both halves of a register.
pub(super) fn pk_add(mem: u32, data: u32, add: fn(u16, u16) -> u16) -> u32 {
    let high = if planted!(PkAddLow) { (mem >> 16) as u16 } else { add((mem >> 16) as u16, (data >> 16) as u16) };
    u32::from(high) << 16 | u32::from(add(mem as u16, data as u16))
}

/// The sum in f32 has 24 bits: at least twice the 11 of f16 and two more, so that rounding twice is as rounding once.
pub(super) fn add_f16(mem: u16, data: u16) -> u16 {
    let nan = |x: u16| x & 0x7fff > 0x7c00;
    if nan(data) || nan(mem) {
        return 0x0200 | if nan(data) { data } else { mem };
    }
    let sum = half::f16::from_bits(data).to_f32() + half::f16::from_bits(mem).to_f32();
    if sum.is_nan() { (DEFAULT_NAN_32 >> 16) as u16 & 0x8000 | 0x7e00 } else { half::f16::from_f32(sum).to_bits() }
}

/// As [`add_f16`], for the 8 bits of bf16.
pub(super) fn add_bf16(mem: u16, data: u16) -> u16 {
    let wide = |x: u16| f32::from_bits(u32::from(x) << 16);
    let nan = |x: u16| x & 0x7fff > 0x7f80;
    if nan(data) || nan(mem) {
        return 0x0040 | if nan(data) { data } else { mem };
    }
    let sum = wide(data) + wide(mem);
    if sum.is_nan() { (DEFAULT_NAN_32 >> 16) as u16 } else { half::bf16::from_f32(sum).to_bits() }
}
