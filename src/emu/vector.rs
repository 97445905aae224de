//! Vector instructions at run time: operands made ready, the kernel, the result finished and written.

use super::alg::Env;
use super::dpp::Dpp;
use super::group::Group;
use super::kernel::{Exchange, STRIDE};
use super::plan::{From, Prepare, Step, Vector};
use super::soft;
use super::wave::{Wave, slot};
use crate::fault::planted;
use crate::isa::sem::Class;
use crate::program::{Half, Post};
use std::cell::Cell;

/// A kernel with scalar operands, to spread over the lanes first.
pub fn with_scalars(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    if let Some(v) = &step.vector {
        for p in &v.prepare {
            if let From::Scalar(at) = p.from {
                spread(wave, at as usize, p.to as usize, usize::from(p.of.dwords));
            }
        }
    }
    step.kernel.run(wave, step, group)
}

/// A kernel with any operands, whose result is written as it is.
pub fn prepared(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    if let Some(v) = &step.vector {
        for p in &v.prepare {
            prepare(wave, p, None, group);
        }
    }
    step.kernel.run(wave, step, group)
}

/// Everything a vector instruction may need.
pub fn full(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    if let Some(v) = &step.vector {
        let write = compute(wave, step, v, group);
        finish(wave, step, v, write);
    }
    step.next
}

/// Several operations of one instruction: all read before any writes.
pub fn together(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let Some(v) = &step.vector else { return step.next };
    let first = compute(wave, step, v, group);
    if planted!(DualReadsLate) {
        finish(wave, step, v, first);
    }
    let second = v.more.as_deref().and_then(|other| {
        let w = other.vector.as_deref()?;
        Some((other, w, compute(wave, other, w, group)))
    });
    finish(wave, step, v, first);
    if let Some((other, w, write)) = second {
        // The lanes that DPP lets through are those of the first operation, which is the one that moves lanes.
        finish(wave, other, w, write & first);
    }
    step.next
}

/// Prepares the operands and runs the kernel, which leaves its result to be finished; gives the lanes that are written.
fn compute(wave: &mut Wave, step: &Step, v: &Vector, group: &mut Group<'_>) -> u64 {
    let mut write = wave.exec();
    for p in &v.prepare {
        write &= prepare(wave, p, v.dpp.as_deref(), group);
    }
    step.kernel.run(wave, step, group);
    write
}

/// Finishes a result and writes it: to a vector register, to a mask, or to both.
fn finish(wave: &mut Wave, step: &Step, v: &Vector, write: u64) {
    let class = v.class;
    if class != Class::Bit {
        adjust(wave, &v.post, class, write, step.out as usize);
        let merge = Merge::of(&v.post);
        for dword in 0..class.dwords() as u32 {
            let at = dword * STRIDE as u32;
            let (from, to) = (step.out + at, step.dst + at);
            if merge != Merge::WHOLE {
                let (new, old) = (register(wave, from), register(wave, to));
                let words: [u32; STRIDE] = std::array::from_fn(|lane| merge.word(new[lane].get(), old[lane].get()));
                for (to, v) in new.iter().zip(words) {
                    to.set(v);
                }
            }
            wave.blend(from, to, write);
        }
    }
    // Lanes that take no part leave zeros in a mask.
    write_masks(wave, step, v, write);
}

/// Writes a result that is a mask, where there is one.
#[inline(always)]
fn write_masks(wave: &mut Wave, step: &Step, v: &Vector, write: u64) {
    let mut mask = wave.mask_at(step.mask_out as usize) & write;
    if step.mask_dst != slot::SINK as u32 && planted!(MaskInactiveKept) {
        mask |= wave.mask_at(step.mask_dst as usize) & !wave.exec();
    }
    if step.mask_dst != slot::SINK as u32 && planted!(MaskCutKept) {
        mask |= wave.mask_at(step.mask_dst as usize) & wave.exec() & !write;
    }
    if step.mask_dst != slot::SINK as u32 {
        wave.set_mask(step.mask_dst as usize, mask);
    }
    if v.post.exec && !planted!(CmpxKeepsExec) {
        wave.set_exec(mask);
    }
}

/// A register of the file.
#[inline(always)]
fn register(wave: &Wave, at: u32) -> &[Cell<u32>] {
    &wave.file[at as usize..][..STRIDE]
}

/// How a result word is put into its register: shifted to the left, to the right with its sign, up to its place; then a part of it joins what
/// is kept. The numbers are the same for all lanes, so the loop over them is vector code.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Merge {
    left: u32,
    right: u32,
    up: u32,
    part: u32,
    keep: u32,
}

impl Merge {
    const WHOLE: Merge = Merge { left: 0, right: 0, up: 0, part: u32::MAX, keep: 0 };

    fn of(post: &Post) -> Merge {
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

    #[inline(always)]
    fn word(&self, new: u32, old: u32) -> u32 {
        let new = ((new << self.left) as i32 >> self.right) as u32;
        new << self.up & self.part | old & self.keep
    }
}

/// Output modifier and clamp.
fn adjust(wave: &Wave, post: &Post, class: Class, lanes: u64, at: usize) {
    if post.omod == 0 && !post.clamp {
        return;
    }
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

/// Spreads scalar registers over all lanes.
#[inline(always)]
fn spread(wave: &Wave, from: usize, to: usize, dwords: usize) {
    for dword in 0..dwords {
        let v = wave.s[from + dword];
        let at = to + dword * STRIDE;
        for cell in &wave.file[at..at + STRIDE] {
            cell.set(v);
        }
    }
}

/// The lane of each number in the quad of each lane.
static QUADS: [[u32; STRIDE]; 4] = [quads(0), quads(1), quads(2), quads(3)];

const fn quads(number: u32) -> [u32; STRIDE] {
    let mut all = [0; STRIDE];
    let mut lane = 0;
    while lane < STRIDE {
        all[lane] = lane as u32 & !3 | number;
        lane += 1;
    }
    all
}

/// Brings an operand into its temporary; gives the lanes whose result may be written.
fn prepare(wave: &mut Wave, p: &Prepare, dpp: Option<&Dpp>, group: &mut Group<'_>) -> u64 {
    let mut write = u64::MAX;
    let to = p.to as usize;
    let dwords = usize::from(p.of.dwords);
    if let From::File(at) = p.from
        && p.of.only_signs()
    {
        copy_signed(wave, p, at as usize);
        return write;
    }
    match p.from {
        From::Scalar(at) => spread(wave, at as usize, to, dwords),
        From::LdsDirect => {
            let v = super::memory::lds_direct(wave, group);
            // What is read is a word; the upper one of a pair is zero.
            for dword in 0..dwords {
                let v = if dword == 0 { v } else { 0 };
                register(wave, p.to + (dword * STRIDE) as u32).iter().for_each(|cell| cell.set(v));
            }
        }
        From::Parameter(parameter) => {
            for lane in 0..wave.lanes {
                let v = super::memory::parameter(wave, group, parameter, lane);
                register(wave, p.to)[lane as usize].set(v);
            }
        }
        From::File(at) => {
            let dpp = dpp.filter(|_| p.of.permuted).map(|dpp| dpp.lanes(wave));
            let quad = p.of.quad.map(|n| (&QUADS[usize::from(n & 3)], u64::MAX, u64::MAX));
            let moved = dpp.or(quad);
            if let Some((.., lanes)) = moved {
                write = lanes;
            }
            for dword in 0..dwords as u32 {
                let (from, to) = (at + dword * STRIDE as u32, p.to + dword * STRIDE as u32);
                match moved {
                    Some((sources, reads, _)) => {
                        wave.exchange(&Exchange { from, to, sources, reads, writes: u64::MAX });
                    }
                    None => wave.blend(from, to, u64::MAX),
                }
            }
        }
    }
    if p.of.halves.is_some() || p.of.widen {
        for low in &register(wave, p.to)[..wave.lanes as usize] {
            low.set(modify(&wave.env, low.get(), p));
        }
    } else if p.of.high || p.of.select != 6 || p.of.abs || p.of.neg {
        let part = Part::of(p);
        // Of a pair the sign is in the upper word, and nothing else is changed.
        for v in register(wave, p.to + u32::from(p.of.dwords == 2) * STRIDE as u32) {
            v.set(part.word(v.get()));
        }
    }
    write
}

/// What is read of a word: shifted to the left, to the right with its sign; then bits are cleared and changed. As [`Merge`].
struct Part {
    left: u32,
    right: u32,
    and: u32,
    xor: u32,
}

impl Part {
    fn of(p: &Prepare) -> Part {
        let (left, right, width) = match p.of.select {
            n @ 0..=3 if planted!(SdwaByteMirrored) => (u32::from(n) * 8, 24, 8),
            n @ 0..=3 => (24 - u32::from(n) * 8, 24, 8),
            4 => (16, 16, 16),
            5 => (0, 16, 16),
            _ if p.of.high => (0, 16, 16),
            _ => (0, 0, 32),
        };
        let sign = if p.of.class.is_16() && !planted!(SignOfHalf) { 15 } else { 31 };
        let ones = if p.of.sext && p.of.select < 6 && !planted!(SdwaSextIgnored) {
            u32::MAX
        } else {
            u32::MAX >> (32 - width)
        };
        Part { left, right, and: ones & !(u32::from(p.of.abs) << sign), xor: u32::from(p.of.neg) << sign }
    }

    #[inline(always)]
    fn word(&self, v: u32) -> u32 {
        ((v << self.left) as i32 >> self.right) as u32 & self.and ^ self.xor
    }
}

/// Copies a register, or a pair, with its sign changed.
fn copy_signed(wave: &Wave, p: &Prepare, at: usize) {
    let sign = if p.of.class.is_16() { 15 } else { 31 };
    let last = usize::from(p.of.dwords).saturating_sub(1);
    for dword in 0..=last {
        let (and, xor) = if dword == if planted!(SignOfPairLow) { 0 } else { last } {
            (!(u32::from(p.of.abs) << sign), u32::from(p.of.neg && !(p.of.abs && planted!(AbsBehindNeg))) << sign)
        } else {
            (u32::MAX, 0)
        };
        let (from, to) = (at + dword * STRIDE, p.to as usize + dword * STRIDE);
        let (from, to) = (&wave.file[from..from + STRIDE], &wave.file[to..to + STRIDE]);
        let words: [u32; STRIDE] = std::array::from_fn(|lane| (from[lane].get() & and) ^ xor);
        for (to, v) in to.iter().zip(words) {
            to.set(v);
        }
    }
}

/// The modifiers of packed halves, or of a half that is widened.
fn modify(env: &Env, v: u32, p: &Prepare) -> u32 {
    if let Some(halves) = p.of.halves {
        let half = |shift: u8| {
            let v = if halves >> shift & 1 != 0 { v >> 16 } else { v & 0xffff };
            v ^ u32::from(halves >> (shift + 1) & 1) << 15
        };
        return half(0) | half(2) << 16;
    }
    // A half, widened.
    let v = if p.of.high { v >> 16 } else { v & 0xffff };
    let v = env.widen(if p.of.flush && v & 0x7c00 == 0 { v & 0x8000 } else { v });
    let v = if p.of.abs { v & !(1 << 31) } else { v };
    if p.of.neg { v ^ 1 << 31 } else { v }
}
