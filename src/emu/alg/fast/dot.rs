//! Dot products of small floats: chains of fused multiply-adds, or the adders of gfx11 and gfx12 in [words]. What is not finite, and what is beyond
//! the bounds of those, is left to the exact body.

use super::Fast;
use crate::emu::soft::dot::words::{self, Format};
use crate::emu::soft::dot::{Adder, Target};
use crate::emu::soft::{self, BF16, F16, Fp8, half};

impl<const FLUSH: bool> Fast<FLUSH> {
    /// An accumulator, an f32, and the products of the halves of two words, by the adder of the machine.
    #[inline(always)]
    fn added(&self, adder: Adder, of: soft::Format, target: Target, a: u32, b: u32, c: u32) -> u32 {
        let gfx11 = adder == Adder::Gfx11;
        let of = Format::half(of, gfx11 && of == BF16);
        let special = |a: u32| of.is_highest(a) | of.is_highest(a >> 16);
        self.odd_if(special(a) | special(b) | !words::fits(target, gfx11, c));
        let (a, b) = (of.factors(a, words::up([of; 2])), of.factors(b, 0));
        if !of.is_small() {
            self.odd_if(!(words::is_within(a[0], b[0]) & words::is_within(a[1], b[1])));
        }
        words::rounded(
            target,
            if gfx11 { words::gfx11(target, a, b, c) } else { words::gfx12::<1, 2>(target, a, b, c) },
        )
    }

    /// A chain of fused multiply-adds without denormals, the first product first.
    #[inline(always)]
    fn chained(&self, factor: impl Fn(u32) -> u32, a: u32, b: u32, c: u32) -> u32 {
        let z = |v| f32::from_bits(Self::zeroed(v));
        [0, 16].into_iter().fold(c, |sum, down| {
            let r = z(factor(a >> down)).mul_add(z(factor(b >> down)), z(sum));
            self.odd_nan(r);
            self.flushed(r)
        })
    }

    /// `c` and the products of f16 pairs.
    #[inline(always)]
    pub(super) fn dot_f16(&self, a: u32, b: u32, c: u32) -> u32 {
        match self.machine.adder {
            None => self.chained(|v| half(if v & 0x7c00 == 0 { v & 0x8000 } else { v }).to_bits(), a, b, c),
            Some(adder) => self.added(adder, F16, Target::F32, a, b, c),
        }
    }

    /// `c` and the products of bf16 pairs.
    #[inline(always)]
    pub(super) fn dot_bf16(&self, a: u32, b: u32, c: u32) -> u32 {
        match self.machine.adder {
            None => self.chained(|v| v << 16, a, b, c),
            Some(adder) => self.added(adder, BF16, Target::F32, a, b, c),
        }
    }

    /// An f16 and the products of f16 pairs.
    #[inline(always)]
    pub(super) fn dot_into_f16(&self, a: u32, b: u32, c: u32) -> u32 {
        let adder = self.machine.adder.unwrap_or(Adder::Gfx11);
        self.added(adder, F16, Target::F16 { saturate: false }, a, b, half(c).to_bits())
    }

    /// A bf16 and the products of bf16 pairs.
    #[inline(always)]
    pub(super) fn dot_into_bf16(&self, a: u32, b: u32, c: u32) -> u32 {
        let adder = self.machine.adder.unwrap_or(Adder::Gfx11);
        self.added(adder, BF16, Target::Bf16, a, b, c << 16)
    }

    /// `c` and the products of four floats of eight bits.
    #[inline(always)]
    pub(super) fn dot_bytes(&self, a: u32, b: u32, c: u32, bf8_a: bool, bf8_b: bool) -> u32 {
        let (of_a, of_b) = (byte(bf8_a), byte(bf8_b));
        let special = |bf8: bool, of: Format, v: u32| if bf8 { of.is_highest(v) } else { v & 0x7f == 0x7f };
        let odd = [0, 8, 16, 24].iter().any(|n| special(bf8_a, of_a, a >> n) | special(bf8_b, of_b, b >> n));
        self.odd_if(!self.machine.ocp | odd | !words::fits(Target::F32, false, c));
        let (a, b) = (of_a.factors(a, words::up([of_a, of_b])), of_b.factors(b, 0));
        words::rounded(Target::F32, words::gfx12::<1, 4>(Target::F32, a, b, c))
    }
}

/// A format of eight bits of OCP.
const fn byte(bf8: bool) -> Format {
    Format::byte(if bf8 { Fp8::E5m2 } else { Fp8::E4m3 })
}
