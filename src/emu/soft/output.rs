//! The output modifier OMOD. (CLAMP needs bits alone: [`Format::clamp`].)

use super::{Env, Format};
use crate::fault::planted;

/// A factor for the result of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Omod {
    /// 1
    #[default]
    One,
    /// 2
    Two,
    /// 4
    Four,
    /// 1/2
    Half,
}

impl Omod {
    /// From the field of the instruction; higher bits are ignored.
    #[inline]
    pub const fn from_bits(bits: u32) -> Omod {
        match bits & 3 {
            0 => Omod::One,
            1 => Omod::Two,
            2 => Omod::Four,
            _ => Omod::Half,
        }
    }
}

/// Whether OMOD has an effect. Up to gfx11 it has none with the IEEE bit set or where subnormal results of the format are kept; gfx12 has no such
/// conditions (there OMOD also forces the flush of the result before it: set [`Rules::flush_out`](super::Rules)). Packed results have no OMOD.
#[inline]
pub const fn omod_applies(gfx12: bool, ieee: bool, keeps_subnormals: bool, packed: bool) -> bool {
    !packed && (gfx12 || !ieee && !keeps_subnormals)
}

impl Env {
    /// The factor applied to a finished result, as arithmetic on the exponent field: infinities and NaNs stay, zeros and subnormals become
    /// +0, halving the smallest exponent gives a zero with sign, overflow follows the rounding.
    #[inline]
    pub fn omod(&mut self, f: Format, omod: Omod, a: u64) -> u64 {
        if omod == Omod::One || !f.is_finite(a) {
            return a;
        }
        let field = f.exponent(a);
        if field == 0 {
            if planted!(OmodDivKeepsZero) {
                return a & f.sign_bit();
            }
            return 0;
        }
        let step = f.min_normal();
        let room = f.exponent(f.max()) - field;
        match omod {
            Omod::One => a,
            Omod::Half if field == 1 => a & f.sign_bit(),
            Omod::Half => a.wrapping_sub(step),
            Omod::Two if room >= 1 => a.wrapping_add(step),
            Omod::Four if room >= 2 => a.wrapping_add(2 * step),
            Omod::Two | Omod::Four => self.overflow(f, f.sign(a)),
        }
    }
}
