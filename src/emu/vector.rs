//! Vector instructions at run time: operands made ready, the kernel, the result finished and written.

mod finish;
mod operand;
mod pass;

use super::dpp::Dpp;
use super::group::Group;
use super::kernel::{Exchange, Lanes, STRIDE, register};
use super::plan::{From, Prepare, Step, Vector};
use super::wave::{Wave, slot};
use crate::fault::planted;
use crate::isa::sem::Class;
use finish::{adjust, clamped, deliver};
use operand::{Simple, change_operand, spread};
use pass::each;

pub use finish::Merge;
pub use operand::Taken;

/// A kernel with [simple](Simple) operands, whose result is written as it is.
pub fn with_simple(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    if let Some(v) = &step.vector {
        wave.level.pass(Simple { wave, prepare: &v.prepare });
    }
    step.kernel.run(wave, step, group)
}

/// A kernel with one operand from a scalar register, whose result is written as it is.
#[inline(always)]
pub(super) fn with_scalar<L: Lanes>(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    if let Some(v) = &step.vector
        && let [Prepare { from: From::Scalar(at), to, taken, .. }] = v.prepare[..]
    {
        let word = taken.word(wave.s[at as usize]);
        L::put(register(&wave.file, to as usize), &[word; STRIDE], u64::MAX);
    }
    step.kernel.run(wave, step, group)
}

/// A kernel with operands that are read where they are, whose result is clamped, an f32, and nothing else.
#[inline(always)]
pub(super) fn with_clamp<L: Lanes>(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    step.kernel.run(wave, step, group);
    let (from, zero) = (register(&wave.file, step.out as usize), wave.env.clamps_nan());
    let words: [u32; STRIDE] = std::array::from_fn(|lane| clamped::<32>(from[lane].get(), zero));
    L::put(register(&wave.file, step.dst as usize), &words, wave.exec());
    step.next
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

/// What a kernel that takes parts of its operands does in modes for which there is none: operands are prepared and the result is finished.
pub fn in_pieces(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    match step.vector.as_ref().and_then(|v| v.in_pieces.as_deref()) {
        Some(pieces) => pieces.run.run(wave, pieces, group),
        None => step.next,
    }
}

/// Simple operands, and a result to which anything may happen.
pub fn finished(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    if let Some(v) = &step.vector {
        if !v.prepare.is_empty() {
            wave.level.pass(Simple { wave, prepare: &v.prepare });
        }
        step.kernel.run(wave, step, group);
        finish(wave, step, v, wave.exec());
    }
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
        write &= prepare(wave, p, v.dpp.as_deref(), group);
    }
    step.kernel.run(wave, step, group);
    write
}

/// Finishes a result and writes it: to a vector register, to a mask, or to both.
fn finish(wave: &mut Wave, step: &Step, v: &Vector, write: u64) {
    match v.class {
        Class::Bit => {}
        class if class.dwords() == 1 => deliver(wave, &v.post, class, [step.out, step.dst], write),
        class => {
            // Wider ones fill their registers.
            adjust(wave, &v.post, class, write, step.out);
            for at in (0..class.dwords()).map(|dword| (dword * STRIDE) as u32) {
                wave.blend(step.out + at, step.dst + at, write);
            }
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
        From::File(first) => {
            let dpp = dpp.filter(|_| p.of.permuted).map(|dpp| dpp.lanes(wave));
            let quad = p.of.quad.map(|n| (&QUADS[usize::from(n & 3)], u64::MAX, u64::MAX));
            if let Some((sources, reads, lanes)) = dpp.or(quad) {
                write = lanes;
                for dword in 0..dwords {
                    let (from, to) = (first + at(dword), p.to + at(dword));
                    wave.exchange(&Exchange { from, to, sources, reads, writes: u64::MAX });
                }
            } else {
                for dword in (0..dwords).filter(|&dword| dword != signed) {
                    each(wave, [first + at(dword)], p.to + at(dword), |[v]| v);
                }
                from = first + at(signed);
            }
        }
    }
    change_operand(wave, p, from, p.to + at(signed));
    write
}
