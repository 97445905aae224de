//! Vector instructions at run time: operands made ready, the kernel, the result finished and written.

use super::alg::Env;
use super::group::Group;
use super::kernel::packed::Part;
use super::kernel::{Lanes, Pass, Register, STRIDE, register};
use super::plan::{From, Prepare, Step, Vector};
use super::soft::{self, Omod};
use super::wave::{Wave, slot};
use crate::fault::planted;
use crate::isa::sem::Class;
use crate::program::{Dpp, Half, Post};

/// A kernel with scalar operands, to spread over the lanes first.
pub fn with_scalars(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    if let Some(v) = &step.vector {
        for p in &v.prepare {
            if let From::Scalar(at) = p.from {
                spread(wave, at, p.to, p.of.dwords);
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

/// Several operations of one instruction that can be done one after the other, the second first if it would read what the first writes.
pub fn in_turn<const SECOND_FIRST: bool>(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let Some(v) = &step.vector else { return step.next };
    let Some(other) = &v.more else { return step.next };
    for p in v.prepare.iter().chain(other.vector.iter().flat_map(|w| &w.prepare)) {
        prepare(wave, p, None, group);
    }
    let (first, last) = if SECOND_FIRST { (&**other, step) } else { (step, &**other) };
    first.kernel.run(wave, first, group);
    last.kernel.run(wave, last, group);
    step.next
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
        write &= prepare(wave, p, v.dpp, group);
    }
    step.kernel.run(wave, step, group);
    write
}

/// Finishes a result and writes it: to a vector register, to a mask, or to both.
fn finish(wave: &mut Wave, step: &Step, v: &Vector, write: u64) {
    let class = v.class;
    if class != Class::Bit {
        adjust(wave, &v.post, class, write, step.out);
        let merge = Merge::of(&v.post);
        for dword in 0..class.dwords() as u32 {
            let at = dword * STRIDE as u32;
            let (from, to) = (step.out + at, step.dst + at);
            if merge != Merge::WHOLE {
                each(wave, [from, to], from, |[new, old]| merge.word(new, old));
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

/// Words of a register, lane by lane: a function of those of others.
struct Each<'a, const COUNT: usize, F> {
    of: [&'a Register; COUNT],
    to: &'a Register,
    word: F,
}

impl<const COUNT: usize, F: Fn([u32; COUNT]) -> u32> Pass for Each<'_, COUNT, F> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let mut words = [0; STRIDE];
        for (lane, word) in words.iter_mut().enumerate() {
            *word = (self.word)(self.of.map(|register| register[lane].get()));
        }
        L::put(self.to, &words, u64::MAX);
    }
}

/// Gives all lanes of the register that begins at a word of the file a function of what others have.
#[inline(always)]
fn each<const COUNT: usize>(wave: &Wave, of: [u32; COUNT], to: u32, word: impl Fn([u32; COUNT]) -> u32) {
    let at = |first: u32| register(&wave.file, first as usize);
    wave.level.pass(Each { of: of.map(at), to: at(to), word });
}

/// As [`each`], of a pair of registers.
struct EachPair<'a, F> {
    of: [&'a Register; 2],
    word: F,
}

impl<F: Fn(u64) -> u64> Pass for EachPair<'_, F> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let (mut low, mut high) = ([0; STRIDE], [0; STRIDE]);
        for (lane, (low, high)) in low.iter_mut().zip(&mut high).enumerate() {
            let [of, above] = self.of.map(|register| u64::from(register[lane].get()));
            let v = (self.word)(of | above << 32);
            (*low, *high) = (v as u32, (v >> 32) as u32);
        }
        L::put(self.of[0], &low, u64::MAX);
        L::put(self.of[1], &high, u64::MAX);
    }
}

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
fn adjust(wave: &Wave, post: &Post, class: Class, lanes: u64, at: u32) {
    if post.omod == 0 && !post.clamp {
        return;
    }
    match class {
        // Exceptions are those of the lanes that take part.
        _ if wave.watched || cfg!(debug_assertions) => adjust_lanes(wave, post, class, lanes, at as usize),
        Class::F16 => adjust_all(wave, soft::F16, post, at),
        Class::F64 => adjust_all(wave, soft::F64, post, at),
        _ => adjust_all(wave, soft::F32, post, at),
    }
}

/// Output modifier and clamp of all lanes, each a loop over them: what is in a modifier is the same for all.
#[inline(always)]
fn adjust_all(wave: &Wave, f: soft::Format, post: &Post, at: u32) {
    let env = &wave.env;
    if post.omod != 0 && env.omod_applies(f) {
        let rules = env.omod_rules(f, post.nearest);
        // The exceptions are dropped with what collects them.
        match Omod::from_bits(u32::from(post.omod)) {
            Omod::One => {}
            Omod::Two => change(wave, f, at, |v| soft::Env::new(rules).omod(f, Omod::Two, v)),
            Omod::Four => change(wave, f, at, |v| soft::Env::new(rules).omod(f, Omod::Four, v)),
            Omod::Half => change(wave, f, at, |v| soft::Env::new(rules).omod(f, Omod::Half, v)),
        }
    }
    if post.clamp {
        let zero = env.clamps_nan();
        change(wave, f, at, |v| f.clamp(v, zero));
    }
}

/// Gives all lanes of a result a function of what they have.
#[inline(always)]
fn change(wave: &Wave, f: soft::Format, at: u32, value: impl Fn(u64) -> u64) {
    if f == soft::F64 {
        let of = [at, at + STRIDE as u32].map(|at| register(&wave.file, at as usize));
        wave.level.pass(EachPair { of, word: value });
    } else {
        each(wave, [at], at, |[v]| value(u64::from(v)) as u32);
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

/// Spreads scalar registers over all lanes.
#[inline(always)]
fn spread(wave: &Wave, from: u32, to: u32, dwords: u8) {
    for dword in 0..u32::from(dwords) {
        let v = wave.s[(from + dword) as usize];
        each(wave, [], to + dword * STRIDE as u32, |[]| v);
    }
}

/// Brings an operand into its temporary; gives the lanes whose result may be written.
fn prepare(wave: &mut Wave, p: &Prepare, dpp: Option<Dpp>, group: &mut Group<'_>) -> u64 {
    let mut write = u64::MAX;
    let dwords = u32::from(p.of.dwords);
    let at = |dword: u32| dword * STRIDE as u32;
    // The word that has the sign, of a pair the upper one, is brought there by what changes it.
    let signed = if dwords == 2 && !(p.of.only_signs() && planted!(SignOfPairLow)) { 1 } else { 0 };
    let mut from = p.to + at(signed);
    match p.from {
        From::Scalar(scalar) => spread(wave, scalar, p.to, p.of.dwords),
        From::LdsDirect => {
            // What is read is a word; the upper one of a pair is zero.
            let v = super::memory::lds_direct(wave, group);
            (0..dwords).for_each(|dword| each(wave, [], p.to + at(dword), |[]| if dword == 0 { v } else { 0 }));
        }
        From::Parameter(parameter) => {
            for lane in 0..wave.lanes {
                let v = super::memory::parameter(wave, group, parameter, lane);
                register(&wave.file, p.to as usize)[lane as usize].set(v);
            }
        }
        From::File(first) => match (dpp.filter(|_| p.of.permuted), p.of.quad) {
            (Some(dpp), _) => write = permute(wave, dpp, first as usize, p.to as usize, dwords as usize),
            (None, Some(n)) => (0..dwords).for_each(|dword| {
                let [from, to] = [first, p.to].map(|of| register(&wave.file, (of + at(dword)) as usize));
                let words: [u32; STRIDE] = std::array::from_fn(|lane| from[lane & !3 | usize::from(n)].get());
                to.iter().zip(words).for_each(|(to, v)| to.set(v));
            }),
            (None, None) => {
                for dword in (0..dwords).filter(|&dword| dword != signed) {
                    each(wave, [first + at(dword)], p.to + at(dword), |[v]| v);
                }
                from = first + at(signed);
            }
        },
    }
    change_operand(wave, p, from, p.to + at(signed));
    write
}

/// Does to an operand what is done to it, in the word that has its sign, and brings that where it belongs.
#[inline(always)]
fn change_operand(wave: &Wave, p: &Prepare, from: u32, to: u32) {
    if let Some(halves) = p.of.halves {
        let part = |n: u8| Part { down: u32::from(halves >> n & 1) * 16, sign: u32::from(halves >> (n + 1) & 1) << 15 };
        let (low, high) = (part(0), part(2));
        each(wave, [from], to, |[v]| low.of(v) | high.of(v) << 16);
    } else if p.of.widen {
        widen(wave, p, from, to);
    } else if p.of.high || p.of.select != 6 || p.of.abs || p.of.neg || from != to {
        let taken = Taken::of(p);
        each(wave, [from], to, |[v]| taken.word(v));
    }
}

/// Widens a half of each lane, and changes its sign.
fn widen(wave: &Wave, p: &Prepare, from: u32, to: u32) {
    let env = &wave.env;
    let down = if p.of.high { 16 } else { 0 };
    let (and, xor) = (!(u32::from(p.of.abs) << 31), u32::from(p.of.neg) << 31);
    let flushed = |v: u32, flush: bool| if flush && v & 0x7c00 == 0 { v & 0x8000 } else { v };
    if wave.watched || cfg!(debug_assertions) {
        // With the exceptions that it raises.
        let [from, to] = [from, to].map(|at| register(&wave.file, at as usize));
        for (from, to) in from.iter().zip(to).take(wave.lanes as usize) {
            to.set(env.widen(flushed(from.get() >> down & 0xffff, p.of.flush)) & and ^ xor);
        }
        return;
    }
    let (flush, quiet) = (p.of.flush || env.flushes_halves(), u32::from(env.quiets()) << 22);
    each(wave, [from], to, |[v]| {
        let wide = soft::half(flushed(v >> down & 0xffff, flush));
        let wide = if wide.is_nan() { wide.to_bits() | quiet } else { wide.to_bits() };
        wide & and ^ xor
    });
}

/// What is read of a word: shifted to the left, to the right with its sign; then bits are cleared and changed. As [`Merge`].
struct Taken {
    left: u32,
    right: u32,
    and: u32,
    xor: u32,
}

impl Taken {
    fn of(p: &Prepare) -> Taken {
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
        let neg = p.of.neg && !(p.of.abs && p.of.only_signs() && planted!(AbsBehindNeg));
        Taken { left, right, and: ones & !(u32::from(p.of.abs) << sign), xor: u32::from(neg) << sign }
    }

    #[inline(always)]
    fn word(&self, v: u32) -> u32 {
        ((v << self.left) as i32 >> self.right) as u32 & self.and ^ self.xor
    }
}

/// Moves lanes as DPP says; gives the lanes that may be written.
fn permute(wave: &Wave, dpp: Dpp, from: usize, to: usize, dwords: usize) -> u64 {
    let exec = wave.exec();
    let lanes = wave.lanes;
    let mut write = 0u64;
    for lane in 0..lanes {
        let (source, valid, zero) = source_lane(dpp, lane, lanes, exec);
        for dword in 0..dwords {
            let v = if zero || !valid { 0 } else { wave.file[from + dword * STRIDE + source as usize].get() };
            wave.file[to + dword * STRIDE + lane as usize].set(v);
        }
        write |= u64::from(valid || zero) << lane;
    }
    if let Dpp::Sixteen { rows, banks, .. } = dpp {
        for lane in 0..lanes {
            let row = rows >> (lane / 16) & 1 != 0 || planted!(DppRowMaskIgnored);
            let bank = banks >> (lane % 16 / 4) & 1 != 0 || planted!(DppBankMaskIgnored);
            if !row || !bank {
                write &= !(1 << lane);
            }
        }
    }
    write
}

/// Which lane a lane reads, whether it may, and whether it reads 0 instead.
fn source_lane(dpp: Dpp, lane: u32, lanes: u32, exec: u64) -> (u32, bool, bool) {
    match dpp {
        Dpp::Eight { lanes: select, inactive } => {
            let at = if planted!(Dpp8Reversed) { !lane & 7 } else { lane & 7 };
            let source = lane & !7 | select >> (3 * at) & 7;
            let active = exec >> source & 1 != 0 || inactive && !planted!(Dpp8FetchIgnored);
            (source, active, !active && !planted!(Dpp8InactiveKeeps))
        }
        Dpp::Sixteen { control, bound, inactive, .. } => {
            let (source, in_range) = dpp16_source(u32::from(control), lane, lanes);
            let reads = in_range
                && (exec >> source & 1 != 0 || inactive && !planted!(DppFetchIgnored) || planted!(DppReadsInactive));
            (source, reads, !reads && bound && !planted!(DppBoundIgnored))
        }
    }
}

/// The source lane of a DPP control word, and whether there is one.
fn dpp16_source(control: u32, lane: u32, lanes: u32) -> (u32, bool) {
    let (row, i) = (lane & !15, lane & 15);
    let n = control & 15;
    match control {
        0x000..=0x0ff if planted!(DppQuadReversed) => (lane & !3 | control >> (2 * (!lane & 3)) & 3, true),
        0x000..=0x0ff => (lane & !3 | control >> (2 * (lane & 3)) & 3, true),
        0x101..=0x10f if planted!(DppRowShiftsSwapped) => (row | i.wrapping_sub(n) & 15, i >= n),
        0x101..=0x10f => (row | (i + n) & 15, i + n < 16 || planted!(DppRowShlWraps)),
        0x111..=0x11f => (row | i.wrapping_sub(n) & 15, i >= n || planted!(DppRowShrWraps)),
        0x121..=0x12f if planted!(DppRowRorLeft) => (row | (i + n) & 15, true),
        0x121..=0x12f => (row | i.wrapping_sub(n) & 15, true),
        0x130 => ((lane + 1) % lanes, lane + 1 < lanes || planted!(DppWaveShlWraps)),
        0x134 => ((lane + 1) % lanes, lane + 1 < lanes || !planted!(DppWaveRolStops)),
        0x138 => (lane.wrapping_sub(1) % lanes, lane > 0 || planted!(DppWaveShrWraps)),
        0x13c => (lane.wrapping_sub(1) % lanes, true),
        0x140 => (if planted!(DppMirrorHalf) { lane ^ 7 } else { row | (15 - i) }, true),
        0x141 => (if planted!(DppHalfMirrorQuad) { lane ^ 3 } else { lane ^ 7 }, true),
        0x142 if planted!(DppRowBcast15First) => (row.wrapping_sub(16) % lanes, row > 0),
        0x142 => (row.wrapping_sub(1) % lanes, row > 0),
        0x143 => (31, lane >= 32 || lane >= 16 && planted!(DppRowBcast31Early)),
        0x150..=0x15f => (if planted!(DppRowShareFirstRow) { lane & !31 | n } else { row | n }, true),
        0x160..=0x16f => (if planted!(DppRowXmaskAdds) { row | (i + n) & 15 } else { row | i ^ n }, true),
        _ => (lane, false),
    }
}
