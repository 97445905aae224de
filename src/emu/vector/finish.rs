//! What is done to results: output modifier, clamp, and how they meet what their registers had.

use super::pass::{each, each_in, each_pair};
use crate::emu::alg::Env;
use crate::emu::kernel::STRIDE;
use crate::emu::soft::{self, Omod, Rules};
use crate::emu::wave::Wave;
use crate::fault::planted;
use crate::isa::sem::Class;
use crate::program::{Half, Post};

/// How a result word is put into its register: shifted to the left, to the right with its sign, up to its place; then a part of it joins what
/// is kept. The numbers are the same for all lanes, so the loop over them is vector code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Merge {
    left: u32,
    right: u32,
    up: u32,
    part: u32,
    keep: u32,
}

impl Merge {
    /// The result is all of the register.
    pub const WHOLE: Merge = Merge { left: 0, right: 0, up: 0, part: u32::MAX, keep: 0 };

    /// What is done to the result of an instruction.
    #[must_use]
    pub fn of(post: &Post) -> Merge {
        let (up, width) = match (post.select, post.half) {
            (0..=3, _) if planted!(SdwaWritesLow) => (0, 8),
            (5, _) if planted!(SdwaWritesLow) => (0, 16),
            (n @ 0..=3, _) => (u32::from(n) * 8, 8),
            (4, _) => (0, 16),
            (5, _) => (16, 16),
            (_, Half::Whole) => return Merge::WHOLE,
            (_, Half::LowZero | Half::Low) => (0, 16),
            (_, Half::High) => (16, 16),
        };
        let part = (u32::MAX >> (32 - width)) << up;
        let merge = Merge { left: 0, right: 0, up, part, keep: 0 };
        match (post.select, post.unused, post.half) {
            (0..=5, 0, _) | (6.., _, Half::LowZero) => merge,
            (6.., _, Half::Low) if planted!(HalfAboveCleared) => merge,
            // The sign of what was selected fills what lies above it; below are zeros.
            (0..=5, 1, _) if planted!(SdwaUnusedNoSign) => merge,
            (0..=5, 1, _) => Merge { left: 32 - width, right: 32 - width, part: u32::MAX, ..merge },
            (0..=5, ..) if planted!(SdwaUnusedCleared) => merge,
            _ => Merge { keep: !part, ..merge },
        }
    }

    /// The word of a lane: the result, and what the register had.
    #[inline(always)]
    #[must_use]
    pub fn word(&self, new: u32, old: u32) -> u32 {
        self.raised(((new << self.left) as i32 >> self.right) as u32, old)
    }

    /// Whether no sign is spread over what the result leaves.
    #[must_use]
    pub fn is_unsigned(&self) -> bool {
        self.left | self.right == 0
    }

    /// As [`Merge::word`], where [no sign is spread](Merge::is_unsigned).
    #[inline(always)]
    #[must_use]
    pub fn raised(&self, new: u32, old: u32) -> u32 {
        new << self.up & self.part | old & self.keep
    }
}

/// Output modifier and clamp.
pub(super) fn adjust(wave: &Wave, post: &Post, class: Class, lanes: u64, at: u32) {
    if post.omod == 0 && !post.clamp {
        return;
    }
    match class {
        // Exceptions are those of the lanes that take part.
        _ if wave.watched || cfg!(debug_assertions) => adjust_lanes(wave, post, class, lanes, at as usize),
        Class::F16 => adjust_all::<16>(wave, post, at),
        Class::F64 => adjust_all::<64>(wave, post, at),
        _ => adjust_all::<32>(wave, post, at),
    }
}

/// The format of so many bits.
const fn format(width: u32) -> soft::Format {
    match width {
        16 => soft::F16,
        64 => soft::F64,
        _ => soft::F32,
    }
}

/// Output modifier and clamp of all lanes, each a loop over them: what is in a modifier is the same for all, and the format is known to the compiler.
fn adjust_all<const WIDTH: u32>(wave: &Wave, post: &Post, at: u32) {
    multiply::<WIDTH>(wave, post, at);
    let zero = wave.env.clamps_nan();
    if post.clamp && WIDTH == 64 {
        each_pair(wave, at, move |v| soft::F64.clamp(v, zero));
    } else if post.clamp {
        each(wave, [at], at, move |[v]| clamped::<WIDTH>(v, zero));
    }
}

/// The output modifier alone.
fn multiply<const WIDTH: u32>(wave: &Wave, post: &Post, at: u32) {
    let omod = Omod::from_bits(u32::from(post.omod));
    if omod == Omod::One || !wave.env.omod_applies(format(WIDTH)) {
        return;
    }
    let rules = wave.env.omod_rules(format(WIDTH), post.nearest);
    if WIDTH == 64 {
        // The exceptions are dropped with what collects them.
        each_pair(wave, at, move |v| soft::Env::new(rules).omod(soft::F64, omod, v));
    } else {
        let by = Factor::<WIDTH>::of(omod, rules);
        each(wave, [at], at, move |[v]| by.times(v));
    }
}

/// All that is done to a result of one word, and its way into its register: clamp, part and blend are one loop.
pub(super) fn deliver(wave: &Wave, post: &Post, class: Class, [from, to]: [u32; 2], lanes: u64) {
    let (merge, zero) = (Merge::of(post), wave.env.clamps_nan());
    match (post.clamp, class) {
        _ if wave.watched || cfg!(debug_assertions) => {
            adjust(wave, post, class, lanes, from);
            each_in(wave, lanes, [from, to], to, move |[new, old]| merge.word(new, old));
        }
        (true, Class::F16) => {
            multiply::<16>(wave, post, from);
            each_in(wave, lanes, [from, to], to, move |[new, old]| merge.word(clamped::<16>(new, zero), old));
        }
        (true, _) if merge == Merge::WHOLE => {
            multiply::<32>(wave, post, from);
            each_in(wave, lanes, [from], to, move |[new]| clamped::<32>(new, zero));
        }
        (true, _) => {
            multiply::<32>(wave, post, from);
            each_in(wave, lanes, [from, to], to, move |[new, old]| merge.word(clamped::<32>(new, zero), old));
        }
        (false, _) => {
            adjust(wave, post, class, lanes, from);
            if merge == Merge::WHOLE {
                wave.blend(from, to, lanes);
            } else if merge.is_unsigned() {
                each_in(wave, lanes, [from, to], to, move |[new, old]| merge.raised(new, old));
            } else {
                each_in(wave, lanes, [from, to], to, move |[new, old]| merge.word(new, old));
            }
        }
    }
}

/// [`soft::Format::clamp`] in words.
#[inline(always)]
pub(super) fn clamped<const WIDTH: u32>(v: u32, nan_to_zero: bool) -> u32 {
    let (one, sign) = const { (format(WIDTH).one() as u32, format(WIDTH).sign_bit() as u32) };
    let is_nan = v & !sign > const { format(WIDTH).inf() as u32 };
    let within = if WIDTH == 32 {
        // Two instructions of the host. A NaN is not above zero.
        let v = f32::from_bits(v);
        let v = if v > 0.0 { v } else { 0.0 };
        (if v < 1.0 { v } else { 1.0 }).to_bits()
    } else {
        let within = if v > one { one } else { v };
        if is_nan | (v & sign != 0) { 0 } else { within }
    };
    if is_nan & !nan_to_zero { v } else { within }
}

/// An output modifier in words, as [`soft::Env::omod`] has it: the exponent moves, and what overflows is the same for all numbers of a sign.
#[derive(Clone, Copy)]
struct Factor<const WIDTH: u32> {
    /// By how much a number grows, wrapping.
    step: u32,
    /// The least exponents for which that holds, and the first for which it does not any more.
    from: u32,
    to: u32,
    /// What becomes of positive and negative numbers beyond.
    beyond: [u32; 2],
}

impl<const WIDTH: u32> Factor<WIDTH> {
    fn of(omod: Omod, rules: Rules) -> Self {
        let f = const { format(WIDTH) };
        let (step, last) = (f.min_normal() as u32, f.exponent(f.inf()) as u32);
        let (step, from, to) = match omod {
            Omod::One => (0, 0, last),
            Omod::Two => (step, 1, last - 1),
            Omod::Four => (2 * step, 1, last - 2),
            Omod::Half => (step.wrapping_neg(), 2, last),
        };
        // Of the largest number nothing but this can become: it overflows, or, halved, is not asked for.
        let beyond = [0, f.sign_bit()].map(|sign| soft::Env::new(rules).omod(f, omod, f.max() | sign) as u32);
        Factor { step, from, to, beyond }
    }

    /// The number as it comes out.
    #[inline(always)]
    fn times(self, v: u32) -> u32 {
        let f = const { format(WIDTH) };
        let (sign, last) =
            const { (format(WIDTH).sign_bit() as u32, (format(WIDTH).inf() >> format(WIDTH).man) as u32) };
        let exponent = (v & !sign) >> f.man;
        let beyond = if v & sign != 0 { self.beyond[1] } else { self.beyond[0] };
        let r = if exponent >= self.to { beyond } else { v.wrapping_add(self.step) };
        // Halved, the least exponent leaves a zero with its sign.
        let r = if exponent < self.from { v & sign } else { r };
        let r = if exponent == 0 { 0 } else { r };
        if exponent == last { v } else { r }
    }
}

/// Output modifier and clamp, lane by lane.
fn adjust_lanes(wave: &Wave, post: &Post, class: Class, lanes: u64, at: usize) {
    let format = match class {
        Class::F16 => soft::F16,
        Class::F64 => soft::F64,
        _ => soft::F32,
    };
    let mut rest = lanes & wave.all_lanes();
    while rest != 0 {
        let lane = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let low = &wave.file[at + lane];
        let high = (class == Class::F64).then(|| &wave.file[at + STRIDE + lane]);
        let bits = u64::from(low.get()) | high.map_or(0, |high| u64::from(high.get()) << 32);
        let bits = output(&wave.env, format, post, bits);
        low.set(bits as u32);
        if let Some(high) = high {
            high.set((bits >> 32) as u32);
        }
    }
}

/// One value through the output modifier, then the clamp.
fn output(env: &Env, format: soft::Format, post: &Post, mut bits: u64) -> u64 {
    if post.omod != 0 && (env.omod_applies(format) && !planted!(OmodIgnored) || planted!(OmodWithDenormals)) {
        bits = env.omod(format, post.omod, post.nearest && !planted!(OmodOverflowByMode), bits);
    }
    if post.clamp && !planted!(ClampIgnored) {
        format.clamp(bits, env.clamps_nan() && !planted!(ClampKeepsNan))
    } else {
        bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emu::soft::Round;

    /// Every f16, and of f32 the numbers around each exponent, in every rounding, as the definitions have it.
    fn as_defined<const WIDTH: u32>(numbers: impl Iterator<Item = u32> + Clone) {
        let f = format(WIDTH);
        for zero in [false, true] {
            for v in numbers.clone() {
                assert_eq!(u64::from(clamped::<WIDTH>(v, zero)), f.clamp(v.into(), zero), "{v:#x}");
            }
        }
        for round in [Round::Even, Round::Up, Round::Down, Round::Zero] {
            for saturate in [false, true] {
                let rules = Rules { round, saturate, ..Rules::default() };
                for omod in [Omod::Two, Omod::Four, Omod::Half] {
                    let by = Factor::<WIDTH>::of(omod, rules);
                    for v in numbers.clone() {
                        let defined = soft::Env::new(rules).omod(f, omod, v.into());
                        assert_eq!(u64::from(by.times(v)), defined, "{omod:?} {round:?}: {v:#x}");
                    }
                }
            }
        }
    }

    #[test]
    fn halves_in_words() {
        as_defined::<16>(0..=0xffff);
    }

    #[test]
    fn singles_in_words() {
        let near = |at: u32| [at.wrapping_sub(2), at.wrapping_sub(1), at, at + 1, at + 0x40_0000];
        as_defined::<32>((0..512).flat_map(move |n: u32| near(n << 23)));
    }
}
