//! Vector instructions at run time: operands made ready, the kernel, the result finished and written.

mod finish;
mod operand;
mod pass;

use super::group::Group;
use super::kernel::{STRIDE, register};
use super::plan::{From, Prepare, Step, Vector};
use super::wave::{Wave, slot};
use crate::fault::planted;
use crate::isa::sem::Class;
use crate::program::Dpp;
use finish::adjust;
use operand::{Signs, change_operand, spread};
use pass::each;

pub use finish::Merge;
pub use operand::Signing;

/// A kernel with operands of which at most the signs are changed.
pub fn with_signs(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    if let Some(v) = &step.vector {
        wave.level.pass(Signs { wave, prepare: &v.prepare });
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
                each(wave, [from, to], from, move |[new, old]| merge.word(new, old));
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
            for dword in 0..dwords {
                let v = if dword == 0 { v } else { 0 };
                each(wave, [], p.to + at(dword), move |[]| v);
            }
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
