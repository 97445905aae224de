//! Forks of gfx6 to gfx9, and scalar registers whose numbers M0 is added to.
//!
//! A register chosen at run time is a choice among all of them: such instructions are rare, and the registers stay variables of their own.

use super::Lower;
use crate::isa::regs;
use crate::isa::sem::Alg;
use crate::program::FORKS;
use crate::program::Step;
use crate::program::place::slot;
use crate::spirv::alg::{Pair, Truth, Word};
use crate::spirv::fault::Fault;
use crate::spirv::state::{head, trap};

impl Lower<'_> {
    /// How many numbered scalar registers there are.
    fn scalars(&self) -> u32 {
        u32::from(regs::sgpr_count(self.generation()))
    }

    /// A scalar register `by` behind another, and whether it is a numbered one with room for `dwords`.
    fn relative(&self, first: u32, by: Word, dwords: u32) -> (Word, Truth) {
        let k = self.alg(Word::Known(0));
        let by = if self.has(Fault::MovrelIgnored) { k.w(0) } else { by };
        let at = k.add(k.w(first), by);
        (at, k.lt_u(at, k.w(self.scalars() + 1 - dwords)))
    }

    /// The scalar register with a number.
    fn chosen(&self, at: Word) -> Word {
        let k = self.alg(Word::Known(0));
        (0..self.scalars()).fold(k.w(0), |v, n| k.sel(k.eq(at, k.w(n)), self.s(n), v))
    }

    /// Writes the scalar register with a number where a condition holds.
    fn set_chosen(&self, at: Word, c: Truth, v: Word) {
        let k = self.alg(Word::Known(0));
        for n in 0..self.scalars() {
            let mine = k.both(c, k.eq(at, k.w(n)));
            self.set_s(n, k.sel(mine, v, self.s(n)));
        }
    }

    /// `s_movrels`: out of range, the first register is read.
    pub(super) fn movrels(&self, step: &Step, dwords: u32) {
        let k = self.alg(Word::Known(0));
        let (at, there) = self.relative(step.src[0], self.m0(), dwords);
        let beyond = if self.has(Fault::MovrelBeyond) { u32::MAX } else { 0 };
        let at = k.sel(there, at, k.w(beyond));
        let words: Vec<Word> = (0..dwords).map(|n| self.chosen(k.add(at, k.w(n)))).collect();
        for (n, word) in (0..).zip(words) {
            self.set_s(step.dst + n, word);
        }
    }

    /// `s_movreld`
    pub(super) fn movreld(&self, step: &Step, dwords: u32) {
        let k = self.alg(Word::Known(0));
        let (at, there) = self.relative(step.dst, self.m0(), dwords);
        // Both may name the same registers: all are read before any is written.
        let words: Vec<Word> = (0..dwords).map(|n| self.s(step.src[0] + n)).collect();
        for (n, v) in (0..).zip(words) {
            self.set_chosen(k.add(at, k.w(n)), there, v);
        }
    }

    /// `s_movrelsd_2_b32`
    pub(super) fn movrelsd_2(&self, step: &Step) {
        let k = self.alg(Word::Known(0));
        let m0 = self.m0();
        let (from, readable) = self.relative(step.src[0], k.mask(m0, 0x3ff), 1);
        let v = self.chosen(k.sel(readable, from, k.w(0)));
        let (to, there) = self.relative(step.dst, k.mask(k.shri(m0, 16), 0x3ff), 1);
        self.set_chosen(to, there, v);
    }

    /// Splits EXEC: the larger side is put on a stack in scalar registers, the smaller one runs first.
    pub(super) fn fork(&self, step: &Step, mask: Pair, target: Pair) {
        let k = self.alg(Word::Known(0));
        let exec = self.exec();
        let (pass, fail) = (k.and_d(mask, exec), k.and_d(k.not_d(mask), exec));
        let behind = k.d(self.program.address_of(step.next));
        let (all_pass, all_fail) = (k.eq_d(pass, exec), k.eq_d(fail, exec));
        let splits = k.negate(k.either(all_pass, all_fail));
        let depth = self.cell(head::FORKS);
        let full = k.both(splits, k.negate(k.lt_u(depth, k.w(FORKS))));
        self.leave_if(full, || self.trap_here(step, trap::FORKS));
        let passes_later = k.lt_u(k.popcount_d(fail), k.popcount_d(pass));
        let passes_later = if self.has(Fault::ForkSidesSwapped) { k.negate(passes_later) } else { passes_later };
        let deferred = k.sel_d(passes_later, pass, fail);
        let at = k.sel_d(passes_later, target, behind);
        for entry in 0..FORKS {
            let mine = k.both(splits, k.eq(depth, k.w(entry)));
            for (n, word) in (0..).zip([deferred.0, deferred.1, at.0, at.1]) {
                let to = 4 * entry + n;
                self.set_s(to, k.sel(mine, word, self.s(to)));
            }
        }
        self.set_cell(head::FORKS, k.add(depth, k.bit(splits)));
        let now = k.sel_d(passes_later, fail, pass);
        self.set_mask(slot::EXEC as u32, k.sel_d(splits, now, exec));
        let first = k.sel_d(passes_later, behind, target);
        self.jump(step, k.sel_d(all_pass, target, k.sel_d(all_fail, behind, first)));
    }

    /// Takes the side from the stack that still has to run.
    pub(super) fn join(&self, step: &Step) {
        let k = self.alg(Word::Known(0));
        let depth = self.cell(head::FORKS);
        let done = k.either(k.eq(depth, self.s(step.src[0])), k.eq(depth, k.w(0)));
        let left = k.sub(depth, k.bit(k.negate(done)));
        if !self.has(Fault::ForkDepthKept) {
            self.set_cell(head::FORKS, left);
        }
        let word = |n: u32| (0..FORKS).fold(k.w(0), |v, entry| k.sel(k.eq(left, k.w(entry)), self.s(4 * entry + n), v));
        let (mask, to) = ((word(0), word(1)), (word(2), word(3)));
        self.set_mask(slot::EXEC as u32, k.sel_d(done, self.exec(), mask));
        self.jump(step, k.sel_d(done, k.d(self.program.address_of(step.next)), to));
    }
}
