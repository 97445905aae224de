//! The first and the last instruction of a division. What special operands give is chosen, as everything else, without a branch.

use super::{Fast, TOP};

/// The NaN that operations make.
const NAN: u32 = 0xffc0_0000;
const INF: u32 = 0x7f80_0000;
/// The same of f64.
const NAN_64: u64 = 0xfff8 << 48;
const INF_64: u64 = 0x7ff0 << 48;
const TOP_64: u64 = 1 << 63;

/// How a format scales: by which power of two, from which difference of exponents on, and up to which field a numerator is small; and its bias.
struct Scaling {
    by: i32,
    far: i32,
    small: i32,
    bias: i32,
}

const SINGLE: Scaling = Scaling { by: 64, far: 96, small: 24, bias: 127 };
const DOUBLE: Scaling = Scaling { by: 128, far: 768, small: 53, bias: 1023 };

impl Scaling {
    /// By which powers of two denominator and numerator are scaled, of the fields of their exponents, and whether that is undone in the last step.
    #[inline(always)]
    fn of(&self, d: i32, n: i32) -> (i32, i32, bool) {
        let Scaling { by, far, small, bias } = *self;
        let delta = n - d;
        let huge = d >= 2 * bias - 1;
        // The cases from the last to the first: each hides those above it.
        let (mut by_d, mut by_n, mut undo) = if n <= small { (by, by, false) } else { (0, 0, false) };
        (by_d, by_n, undo) = if delta <= -far { (0, by, true) } else { (by_d, by_n, undo) };
        (by_d, by_n, undo) = if huge { (-by, -by, false) } else { (by_d, by_n, undo) };
        (by_d, by_n, undo) = if huge & (delta <= -far) { (-by, 0, true) } else { (by_d, by_n, undo) };
        (by_d, by_n, undo) = if d == 0 { (by, by, false) } else { (by_d, by_n, undo) };
        if delta >= far { (by, 0, true) } else { (by_d, by_n, undo) }
    }
}

impl<const FLUSH: bool> Fast<FLUSH> {
    /// An operand scaled for a division, and whether the last step undoes that.
    #[inline(always)]
    pub(super) fn scale_f32(&self, v: u32, d: u32, n: u32) -> (u32, bool) {
        let [v, d, n] = [v, d, n].map(|a| self.s(a).to_bits());
        let field = |a: u32| (a >> 23 & 0xff) as i32;
        let (by_d, by_n, undo) = SINGLE.of(field(d), field(n));
        let by = if v == d { by_d } else { by_n };
        let scaled = self.rs(f32::from_bits(v) * f32::from_bits(((by + 127) as u32) << 23));
        (if d & !TOP == 0 || n & !TOP == 0 { NAN } else { scaled }, undo)
    }

    /// As [`Fast::scale_f32`].
    #[inline(always)]
    pub(super) fn scale_f64(&self, v: u64, d: u64, n: u64) -> (u64, bool) {
        let field = |a: u64| (a >> 52 & 0x7ff) as i32;
        let (by_d, by_n, undo) = DOUBLE.of(field(d), field(n));
        let by = if v == d { by_d } else { by_n };
        let scaled = self.rd(f64::from_bits(v) * f64::from_bits(((by + 1023) as u64) << 52));
        (if d & !TOP_64 == 0 || n & !TOP_64 == 0 { NAN_64 } else { scaled }, undo)
    }

    /// A quotient with the right sign, or what special operands give.
    #[inline(always)]
    pub(super) fn fixed_f32(&self, q: u32, d: u32, n: u32) -> u32 {
        let (d, n) = (self.s(d), self.s(n));
        self.odd_nan(d);
        self.odd_nan(n);
        let sign = (d.to_bits() ^ n.to_bits()) & TOP;
        let (d, n, q) = (d.to_bits() & !TOP, n.to_bits() & !TOP, q & !TOP);
        // What is too large is infinite, what is too small zero.
        let quotient = q.min(INF);
        let quotient = if (d >> 23).wrapping_sub(n >> 23) as i32 > 150 { 0 } else { quotient };
        let quotient = if n == 0 || d == INF { 0 } else { quotient };
        let quotient = if d == 0 || n == INF { INF } else { quotient };
        let invalid = (n | d) == 0 || n == INF && d == INF;
        if invalid { NAN } else { sign | quotient }
    }

    /// As [`Fast::fixed_f32`].
    #[inline(always)]
    pub(super) fn fixed_f64(&self, q: u64, d: u64, n: u64) -> u64 {
        self.odd_if(f64::from_bits(d).is_nan() | f64::from_bits(n).is_nan());
        let sign = (d ^ n) & TOP_64;
        let (d, n, q) = (d & !TOP_64, n & !TOP_64, q & !TOP_64);
        let quotient = if q > INF_64 { INF_64 } else { q };
        let quotient = if (d >> 52) as i32 - (n >> 52) as i32 > 1075 { 0 } else { quotient };
        let quotient = if n == 0 || d == INF_64 { 0 } else { quotient };
        let quotient = if d == 0 || n == INF_64 { INF_64 } else { quotient };
        let invalid = (n | d) == 0 || n == INF_64 && d == INF_64;
        if invalid { NAN_64 } else { sign | quotient }
    }

    /// As [`Fast::fixed_f32`], but no quotient is too small.
    #[inline(always)]
    pub(super) fn fixed_f16(&self, q: u32, d: u32, n: u32) -> u32 {
        const INF: u32 = 0x7c00;
        self.odd_nan_f16(d);
        self.odd_nan_f16(n);
        let sign = (d ^ n) & 0x8000;
        let (d, n, q) = (d & 0x7fff, n & 0x7fff, q & 0x7fff);
        let quotient = if n == 0 || d == INF { 0 } else { q.min(INF) };
        let quotient = if d == 0 || n == INF { INF } else { quotient };
        let invalid = (n | d) == 0 || n == INF && d == INF;
        if invalid { 0xfe00 } else { sign | quotient }
    }
}
