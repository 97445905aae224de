//! Floats of eight bits: the parameters of a format are the same for all lanes.

use super::{Fast, TOP};

/// A format: the width of its fraction, its bias, its largest number, and what is too large for it.
#[derive(Clone, Copy)]
struct Small {
    man: u32,
    bias: u32,
    max: u32,
    over: u32,
    /// Without a negative zero, which is the NaN.
    fnuz: bool,
}

impl Small {
    #[inline(always)]
    const fn of(ocp: bool, bf8: bool) -> Small {
        match (ocp, bf8) {
            (false, false) => Small { man: 3, bias: 8, max: 0x7f, over: 0x80, fnuz: true },
            (false, true) => Small { man: 2, bias: 16, max: 0x7f, over: 0x80, fnuz: true },
            (true, false) => Small { man: 3, bias: 7, max: 0x7e, over: 0x7f, fnuz: false },
            (true, true) => Small { man: 2, bias: 15, max: 0x7b, over: 0x7c, fnuz: false },
        }
    }

    /// A magnitude with the sign of an f32, or what stands for a NaN and for what is too large.
    #[inline(always)]
    fn finished(self, a: u32, magnitude: u32) -> u32 {
        let sign = a >> 24 & 0x80;
        let zero = if self.fnuz { 0 } else { sign };
        let number = if magnitude == 0 { zero } else { sign | magnitude };
        let number = if magnitude > self.max { self.over | sign } else { number };
        let nan = if self.fnuz { 0x80 } else { sign | 0x7f };
        if a & !TOP > 0x7f80_0000 { nan } else { number }
    }
}

impl<const FLUSH: bool> Fast<FLUSH> {
    /// Widened: the exponent is moved by a product, which is exact for subnormals too.
    #[inline(always)]
    pub(super) fn of_fp8(&self, a: u32, bf8: bool) -> u32 {
        let ocp = self.machine.ocp;
        let Small { man, bias, .. } = Small::of(ocp, bf8);
        let (sign, magnitude) = ((a & 0x80) << 24, a & 0x7f);
        let scale = f32::from_bits((254 - bias) << 23);
        let number = (f32::from_bits(magnitude << (23 - man)) * scale).to_bits();
        let payload = if bf8 { (a & 3) << 21 } else { 0 };
        let number = if ocp && bf8 && magnitude == 0x7c { 0x7f80_0000 } else { number };
        let is_nan = match (ocp, bf8) {
            (false, _) => a & 0xff == 0x80,
            (true, false) => magnitude == 0x7f,
            (true, true) => magnitude > 0x7c,
        };
        let nan = 0x7fc0_0000 | if ocp { payload } else { 0 };
        sign | if is_nan { nan } else { number }
    }

    /// Rounded to nearest even.
    #[inline(always)]
    pub(super) fn to_fp8(&self, a: u32, bf8: bool) -> u32 {
        let small = Small::of(self.machine.ocp, bf8);
        let Small { man, bias, .. } = small;
        let magnitude = a & !TOP;
        // As f16 is rounded: a sum leaves a multiple of the smallest number in the low bits.
        let unit = f32::from_bits((151 - bias - man) << 23);
        let subnormal = (f32::from_bits(magnitude) + unit).to_bits().wrapping_sub(unit.to_bits());
        let drop = 23 - man;
        let even = magnitude >> drop & 1;
        let rounded = magnitude.wrapping_add((1 << (drop - 1)) - 1 + even);
        let normal = rounded.wrapping_sub((127 - bias) << 23) >> drop;
        small.finished(a, if magnitude < (128 - bias) << 23 { subnormal } else { normal })
    }

    /// Cut off behind the sum with random bits.
    #[inline(always)]
    pub(super) fn to_fp8_by(&self, a: u32, seed: u32, bf8: bool) -> u32 {
        let small = Small::of(self.machine.ocp, bf8);
        let Small { man, bias, .. } = small;
        let magnitude = a & !TOP;
        let (field, significand) = (magnitude >> 23, magnitude & 0x007f_ffff | 0x0080_0000);
        // By how much the unit of the result is above that of the significand; for subnormal results more.
        let lacks = (128 - bias).saturating_sub(field);
        let drop = 23 - man + lacks;
        self.odd_if((drop > 32 || field == 0) & (magnitude != 0));
        let drop = drop.min(32);
        let sum = u64::from(significand) + (u64::from(seed) >> (32 - drop));
        let cut = (sum >> drop) as u32;
        let above = if lacks == 0 { field.wrapping_add(bias).wrapping_sub(128) << man } else { 0 };
        let number = if magnitude == 0 { 0 } else { cut.wrapping_add(above) };
        small.finished(a, if magnitude >= 0x7f80_0000 { u32::MAX } else { number })
    }
}
