//! What is done to operands: they are spread, halves and bytes of them chosen, their signs changed.

use super::pass::each;
use crate::emu::kernel::packed::Part;
use crate::emu::kernel::{Lanes, Pass, STRIDE, register};
use crate::emu::plan::{From, Prepare};
use crate::emu::soft;
use crate::emu::wave::Wave;
use crate::fault::planted;
use crate::program::Source;

/// The sign of a word.
const TOP: u32 = 1 << 31;

/// Operands that are spread or copied, with parts chosen and signs changed, in one pass.
pub(super) struct Simple<'a> {
    pub wave: &'a Wave,
    pub prepare: &'a [Prepare],
}

impl Pass for Simple<'_> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        for p in self.prepare {
            for dword in 0..u32::from(p.of.dwords) {
                let taken = if dword + 1 == u32::from(p.of.dwords) { p.taken } else { Taken::ALL };
                let words = match p.from {
                    From::File(at) => {
                        let from = register(&self.wave.file, (at + dword * STRIDE as u32) as usize);
                        // A shift takes as long as all else.
                        match (taken.left, taken.right) {
                            (0, 0) => std::array::from_fn(|lane| taken.shifted(from[lane].get())),
                            (0, _) => std::array::from_fn(|lane| taken.lower(from[lane].get())),
                            _ => std::array::from_fn(|lane| taken.word(from[lane].get())),
                        }
                    }
                    From::Scalar(at) => [taken.word(self.wave.s[(at + dword) as usize]); STRIDE],
                    From::LdsDirect | From::Parameter(_) => continue,
                };
                L::put(register(&self.wave.file, (p.to + dword * STRIDE as u32) as usize), &words, u64::MAX);
            }
        }
    }
}

/// Spreads scalar registers over all lanes.
#[inline(always)]
pub(super) fn spread(wave: &Wave, from: u32, to: u32, dwords: u8) {
    for dword in 0..u32::from(dwords) {
        let v = wave.s[(from + dword) as usize];
        each(wave, [], to + dword * STRIDE as u32, move |[]| v);
    }
}

/// Does to an operand what is done to it, in the word that has its sign, and brings that where it belongs.
#[inline(always)]
pub(super) fn change_operand(wave: &Wave, p: &Prepare, from: u32, to: u32) {
    if let Some(halves) = p.of.halves {
        let part = |n: u8| Part { down: u32::from(halves >> n & 1) * 16, sign: u32::from(halves >> (n + 1) & 1) << 15 };
        let (low, high) = (part(0), part(2));
        each(wave, [from], to, move |[v]| low.of(v) | high.of(v) << 16);
    } else if p.of.widen {
        widen(wave, p, from, to);
    } else if p.of.high || p.of.select != 6 || p.of.abs || p.of.neg || from != to {
        let taken = Taken::of(&p.of);
        each(wave, [from], to, move |[v]| taken.word(v));
    }
}

/// Widens a half of each lane, and changes its sign.
fn widen(wave: &Wave, p: &Prepare, from: u32, to: u32) {
    let env = &wave.env;
    let down = if p.of.high { 16 } else { 0 };
    let (and, xor) = (if p.of.abs { !TOP } else { u32::MAX }, if p.of.neg { TOP } else { 0 });
    if wave.watched || cfg!(debug_assertions) {
        // With the exceptions that it raises.
        let [from, to] = [from, to].map(|at| register(&wave.file, at as usize));
        for (from, to) in from.iter().zip(to).take(wave.lanes as usize) {
            let half = from.get() >> down & 0xffff;
            to.set(env.widen(if p.of.flush && half & 0x7c00 == 0 { half & 0x8000 } else { half }) & and ^ xor);
        }
        return;
    }
    // Where nothing is flushed all bits of zeros are looked at, which changes nothing.
    let flush = if p.of.flush || env.flushes_halves() { 0x7c00 } else { u32::MAX };
    let quiet = u32::from(env.quiets()) << 22;
    each(wave, [from], to, move |[v]| {
        let half = v >> down & 0xffff;
        let wide = soft::half(if half & flush == 0 { half & 0x8000 } else { half }).to_bits();
        let quiet = if wide & !TOP > 0x7f80_0000 { quiet } else { 0 };
        (wide | quiet) & and ^ xor
    });
}

/// What is read of a word: shifted to the left, to the right with its sign; then bits are cleared and changed. As [`Merge`](super::Merge).
/// Where nothing is shifted to the left, the sign that comes down is cleared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Taken {
    left: u32,
    right: u32,
    and: u32,
    xor: u32,
}

impl Taken {
    /// All of it.
    pub const ALL: Taken = Taken { left: 0, right: 0, and: u32::MAX, xor: 0 };

    /// What is read of an operand of one word, or of the upper word of one.
    #[must_use]
    pub fn of(p: &Source) -> Taken {
        // The lowest bit of the part, and its bits.
        let (at, width) = match p.select {
            n @ 0..=3 if planted!(SdwaByteMirrored) => (24 - u32::from(n) * 8, 8),
            n @ 0..=3 => (u32::from(n) * 8, 8),
            4 => (0, 16),
            5 => (16, 16),
            _ if p.high => (16, 16),
            _ => (0, 32),
        };
        let sign = if p.class.is_16() && !planted!(SignOfHalf) { 15 } else { 31 };
        let neg = p.neg && !(p.abs && p.only_signs() && planted!(AbsBehindNeg));
        let (abs, xor) = (u32::from(p.abs) << sign, u32::from(neg) << sign);
        if p.sext && p.select < 6 && !planted!(SdwaSextIgnored) {
            Taken { left: 32 - at - width, right: 32 - width, and: !abs, xor }
        } else {
            Taken { left: 0, right: at, and: u32::MAX >> (32 - width) & !abs, xor }
        }
    }

    /// Whether a sign is brought down.
    #[must_use]
    pub fn is_signed(&self) -> bool {
        self.left != 0
    }

    /// What is read of the word of a lane.
    #[inline(always)]
    #[must_use]
    pub fn word(&self, v: u32) -> u32 {
        self.shifted(((v << self.left) as i32 >> self.right) as u32)
    }

    /// As [`Taken::word`], where no sign is brought down.
    #[inline(always)]
    #[must_use]
    pub fn lower(&self, v: u32) -> u32 {
        self.shifted((v as i32 >> self.right) as u32)
    }

    /// The rest of it, of a word that is shifted.
    #[inline(always)]
    fn shifted(&self, v: u32) -> u32 {
        v & self.and ^ self.xor
    }
}
