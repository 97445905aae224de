//! Registers whose numbers M0 is added to, and vector instructions that a mode skips.
//!
//! Where a step's registers move, each is a number known at run time: the place of the step and what M0 and the modes add. A source beyond the last
//! register is v0; with such a destination nothing is written. All lanes move alike, so that all of it is scalar.

use super::{Lower, Lowered};
use crate::isa::does::Amount;
use crate::isa::sem::Alg;
use crate::isa::symbols::hwreg::mode::{GPR_INDEX, VSKIP};
use crate::program::Moves;
use crate::program::Step;
use crate::program::place::file;
use crate::spirv::alg::{Truth, Word};
use crate::spirv::fault::Fault;
use crate::spirv::lanes::Lane;
use crate::spirv::state::head;

/// By how much the registers of a step move.
#[derive(Clone, Copy)]
pub(in crate::spirv) struct Shift {
    sources: [Word; 4],
    dwords: [u8; 4],
    dst: Word,
    dst_dwords: u8,
    swaps: bool,
}

impl Lower<'_> {
    /// Lowers a vector step with its registers moved, and skipped where a mode says so.
    pub(super) fn moved(&self, step: &Step, lower: impl FnOnce(&Self) -> Lowered) -> Lowered {
        let Some(moves) = step.moves.as_deref() else { return lower(self) };
        let k = self.alg(Word::Known(0));
        let mut done = Ok(());
        let mode = self.cell(head::MODE);
        let bit = |n: u32| k.nz(k.mask(mode, 1 << n));
        let runs = if moves.modes { k.negate(bit(VSKIP)) } else { Truth::Known(true) };
        self.when(runs, || {
            let shift = self.shift_of(moves, bit(GPR_INDEX));
            if moves.indexed || moves.src != Amount::None || moves.dst != Amount::None {
                *self.shift.borrow_mut() = Some(shift);
            }
            done = lower(self);
            *self.shift.borrow_mut() = None;
        });
        done
    }

    fn shift_of(&self, moves: &Moves, index_mode: Truth) -> Shift {
        let k = self.alg(Word::Known(0));
        let m0 = self.m0();
        let own = |amount: Amount| match amount {
            Amount::None => k.w(0),
            Amount::Whole => m0,
            Amount::Low => k.mask(m0, 0x3ff),
            Amount::High => k.mask(k.shri(m0, 16), 0x3ff),
        };
        let index = |role: u8| {
            if !moves.indexed {
                return k.w(0);
            }
            let enabled = k.both(index_mode, k.nz(k.mask(k.shri(m0, 12), role.into())));
            k.sel(enabled, k.mask(m0, 0xff), k.w(0))
        };
        let source = |n: usize| {
            let amount = if moves.roles[n] == Moves::DST_ROLE { moves.dst } else { moves.src };
            if self.has(Fault::VectorMoveIgnored) { k.w(0) } else { k.add(own(amount), index(moves.roles[n])) }
        };
        Shift {
            sources: [0, 1, 2, 3].map(source),
            dwords: moves.dwords,
            dst: k.add(own(moves.dst), index(Moves::DST_ROLE)),
            dst_dwords: moves.dst_dwords,
            swaps: moves.swaps,
        }
    }

    /// A register moved, and whether there is one.
    fn moved_register(&self, at: u32, by: Word, dwords: u8) -> (Word, Truth) {
        let k = self.alg(Word::Known(0));
        let first = k.add(k.w(at), by);
        (first, k.lt_u(first, k.w(257 - u32::from(dwords))))
    }

    /// Word `n` of a register moved; of v0 where there is none.
    fn moved_word(&self, at: u32, by: Word, dwords: u8, n: u32, lane: Lane) -> Word {
        let k = self.alg(Word::Known(0));
        let (first, there) = self.moved_register(at, by, dwords);
        let register = k.add(k.sel(there, first, k.w(0)), k.w(n));
        Word::Id(self.m.load(self.moving(register, lane)))
    }

    /// Word `n` of source `number` of a vector instruction.
    pub(in crate::spirv) fn source(&self, number: usize, at: u32, n: u32, lane: Lane) -> Word {
        let shift = *self.shift.borrow();
        match shift {
            Some(shift) if at < file::AGPR => {
                self.moved_word(at, shift.sources[number & 3], shift.dwords[number & 3], n, lane)
            }
            // A constant is the same word in every register of its own.
            _ => self.v(at + n, lane),
        }
    }

    /// Word `n` of the destination as it is.
    pub(super) fn old(&self, at: u32, n: u32, lane: Lane) -> Word {
        let shift = *self.shift.borrow();
        match shift {
            Some(shift) if at < file::AGPR => self.moved_word(at, shift.dst, shift.dst_dwords, n, lane),
            _ => self.v(at + n, lane),
        }
    }

    /// Writes word `n` of the destination where a condition holds.
    pub(super) fn write_to(&self, at: u32, n: u32, lane: Lane, c: Truth, v: Word) {
        let shift = *self.shift.borrow();
        match shift {
            Some(shift) if at < file::AGPR => {
                let k = self.alg(Word::Known(0));
                let (first, there) = self.moved_register(at, shift.dst, shift.dst_dwords);
                let register = k.add(first, k.w(n));
                let (register, there) = if self.has(Fault::VectorMoveBeyond) {
                    (k.sel(there, register, k.w(n)), k.c(true))
                } else {
                    (register, there)
                };
                self.when(k.both(c, there), || {
                    self.m.store(self.moving(register, lane), k.id(v));
                    self.m.begin_straight();
                });
            }
            _ => self.set_v_if(at + n, lane, c, v),
        }
    }

    /// Two registers change their values in the active lanes: nothing happens where one of them is beyond the last.
    pub(super) fn swap(&self, step: &Step) {
        let shift = *self.shift.borrow();
        let k = self.alg(Word::Known(0));
        let registers = shift.filter(|shift| shift.swaps).map(|shift| {
            let a = self.moved_register(step.dst, shift.dst, shift.dst_dwords);
            let b = self.moved_register(step.src[0], shift.sources[0], shift.dwords[0]);
            (a.0, b.0, k.both(a.1, b.1))
        });
        self.each_lane(|lane| match registers {
            Some((a, b, there)) => self.when(k.both(lane.active, there), || {
                let (a, b) = (self.moving(a, lane), self.moving(b, lane));
                let (x, y) = (self.m.load(a), self.m.load(b));
                self.m.store(a, y);
                self.m.store(b, x);
                self.m.begin_straight();
            }),
            None => {
                let (a, b) = (self.v(step.dst, lane), self.v(step.src[0], lane));
                self.set_v_if(step.dst, lane, lane.active, b);
                let a = if self.has(Fault::SwapLosesOne) { b } else { a };
                self.set_v_if(step.src[0], lane, lane.active, a);
            }
        });
    }
}
