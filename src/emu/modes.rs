//! Steps whose registers a mode or M0 moves at run time, or that a mode skips: see [`program::Moves`].

use super::group::Group;
use super::kernel::STRIDE;
use super::plan::{Action, From, Step, Vector};
use super::wave::{Wave, file};
use crate::fault::planted;
use crate::isa::does::Amount;
use crate::isa::symbols::hwreg::mode::{GPR_INDEX, VSKIP};
use crate::program;

/// How the operands of a step move.
pub struct Moves {
    /// What the step does when its operands are where they belong.
    pub(super) run: Action,
    /// How they move.
    pub(super) of: program::Moves,
}

impl Amount {
    /// What it is of M0.
    fn of(self, m0: u32) -> u32 {
        match self {
            Amount::None => 0,
            Amount::Whole => m0 & if planted!(VectorAmountLow) { 0x7 } else { u32::MAX },
            Amount::Low => m0 >> if planted!(VectorAmountsSwapped) { 16 } else { 0 } & 0x3ff,
            Amount::High => m0 >> if planted!(VectorAmountsSwapped) { 0 } else { 16 } & 0x3ff,
        }
    }
}

/// A step whose operands move, or that may be skipped.
pub(super) fn run(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let Some(moves) = &step.moves else { return step.next };
    let mode = if moves.of.modes { wave.env.mode } else { 0 };
    if mode >> VSKIP & 1 != 0 && !planted!(VskipIgnored) {
        return step.next;
    }
    let m0 = wave.m0();
    let enabled = if moves.of.indexed && mode >> GPR_INDEX & 1 != 0 { (m0 >> 12 & 15) as u8 } else { 0 };
    let reversed = enabled.reverse_bits() >> 4;
    let enabled = if enabled != 0 && planted!(IndexRolesReversed) { reversed } else { enabled };
    if enabled == 0 && moves.of.src == Amount::None && moves.of.dst == Amount::None {
        return moves.run.run(wave, step, group);
    }
    let shift = Shift { moves: &moves.of, enabled, m0 };
    match shift.step(step) {
        Some(moved) => moves.run.run(wave, &moved, group),
        None => step.next,
    }
}

/// Operands on their way.
struct Shift<'a> {
    moves: &'a program::Moves,
    enabled: u8,
    m0: u32,
}

impl Shift<'_> {
    /// The register `by` behind the one at an offset, if there are as many as the operand has; none behind the last.
    fn register(at: u32, by: u32, dwords: u8) -> Option<u32> {
        let first = (at / STRIDE as u32).wrapping_add(by);
        let end = (u64::from(first) + u64::from(dwords)) * STRIDE as u64;
        (end <= u64::from(file::AGPR)).then(|| first * STRIDE as u32)
    }

    fn index(&self, role: u8) -> u32 {
        if self.enabled & role != 0 { self.m0 & if planted!(IndexSixBits) { 0x3f } else { 0xff } } else { 0 }
    }

    fn dst(&self, at: u32) -> Option<u32> {
        let by = self.moves.dst.of(self.m0).wrapping_add(if planted!(IndexDstStays) {
            0
        } else {
            self.index(program::Moves::DST_ROLE)
        });
        if at >= file::AGPR { Some(at) } else { Self::register(at, by, self.moves.dst_dwords) }
    }

    fn source(&self, n: usize, at: u32) -> Option<u32> {
        let own = if self.moves.roles[n] == program::Moves::DST_ROLE { self.moves.dst } else { self.moves.src };
        let by = own.of(self.m0).wrapping_add(self.index(self.moves.roles[n]));
        if at >= file::AGPR {
            return Some(at);
        }
        match Self::register(at, by, self.moves.dwords[n]) {
            Some(at) => Some(at),
            None if self.moves.swaps => None,
            None => Some(if planted!(VectorBeyondKept) { at } else { 0 }),
        }
    }

    /// The step with its operands moved; none where it must not be executed.
    fn step(&self, step: &Step) -> Option<Step> {
        let mut src = step.src;
        for (n, at) in src.iter_mut().enumerate() {
            if step.vectors >> n & 1 != 0 {
                *at = self.source(n, *at)?;
            }
        }
        let dst = if step.vectors & program::Step::DST != 0 { self.dst(step.dst)? } else { step.dst };
        let vector = match &step.vector {
            Some(v) => Some(Box::new(self.vector(v, step.vectors)?)),
            None => None,
        };
        let out = if step.out == step.dst { dst } else { step.out };
        Some(Step { dst, out, src, vector, memory: None, export: None, moves: None, sources: None, ..*step })
    }

    fn vector(&self, v: &Vector, vectors: u8) -> Option<Vector> {
        let mut prepare = v.prepare.clone();
        for p in &mut prepare {
            if let From::File(at) = p.from {
                p.from = From::File(self.source(usize::from(p.of.number), at)?);
            }
        }
        let more = match &v.more {
            Some(other) => Some(Box::new(self.step(&Step { vectors, ..copy(other) })?)),
            None => None,
        };
        // What takes parts is never moved.
        Some(Vector { prepare, more, dpp: v.dpp.clone(), in_pieces: None, ..*v })
    }
}

/// A step without what memory instructions need.
fn copy(step: &Step) -> Step {
    let vector = step.vector.as_ref().map(|v| {
        Box::new(Vector {
            prepare: v.prepare.clone(),
            more: v.more.as_deref().map(|other| Box::new(copy(other))),
            dpp: v.dpp.clone(),
            in_pieces: None,
            ..**v
        })
    });
    Step { vector, memory: None, export: None, moves: None, sources: None, ..*step }
}
