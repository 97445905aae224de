//! What is done to results: output modifier, clamp, and how they meet what their registers had.

use super::pass::{each, each_pair};
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
        let new = ((new << self.left) as i32 >> self.right) as u32;
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
    let env = &wave.env;
    if post.omod != 0 && env.omod_applies(format(WIDTH)) {
        let rules = env.omod_rules(format(WIDTH), post.nearest);
        match Omod::from_bits(u32::from(post.omod)) {
            Omod::One => {}
            Omod::Two => multiply::<WIDTH>(wave, rules, Omod::Two, at),
            Omod::Four => multiply::<WIDTH>(wave, rules, Omod::Four, at),
            Omod::Half => multiply::<WIDTH>(wave, rules, Omod::Half, at),
        }
    }
    match env.clamps_nan() {
        _ if !post.clamp => {}
        true => change::<WIDTH>(wave, at, |v| const { format(WIDTH) }.clamp(v, true)),
        false => change::<WIDTH>(wave, at, |v| const { format(WIDTH) }.clamp(v, false)),
    }
}

/// Multiplies all lanes of a result. The exceptions are dropped with what collects them.
#[inline(always)]
fn multiply<const WIDTH: u32>(wave: &Wave, rules: Rules, omod: Omod, at: u32) {
    change::<WIDTH>(wave, at, move |v| soft::Env::new(rules).omod(const { format(WIDTH) }, omod, v));
}

/// Gives all lanes of a result a function of what they have.
#[inline(always)]
fn change<const WIDTH: u32>(wave: &Wave, at: u32, value: impl Fn(u64) -> u64) {
    if WIDTH == 64 {
        each_pair(wave, at, value);
    } else {
        each(wave, [at], at, move |[v]| value(u64::from(v)) as u32);
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
