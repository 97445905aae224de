//! What stands around the blocks: registers come from the record of the wave, and go back to it.
//!
//! What the blocks use is known when they have been written; so what stands before them is written last.

use super::Lower;
use crate::isa::sem::Alg;
use crate::spirv::alg::Word;
use crate::spirv::fault::Fault;
use crate::spirv::module::Id;
use crate::spirv::state::{self, head};
use rspirv::spirv::{Op, StorageClass};

impl Lower<'_> {
    /// Computes the addresses that the blocks and the prologue name.
    pub(super) fn addresses(&self) {
        let (m, k) = (&self.m, self.alg(Word::Known(0)));
        let ty = m.pointer(StorageClass::Function, m.int());
        for ((all, n), id) in self.pointers.borrow().iter() {
            m.effect(Op::AccessChain, &[ty, *id, *all, m.constant(*n)]);
        }
        for (offset, id) in self.bases.borrow().iter() {
            m.effect(Op::IAdd, &[m.int(), *id, self.record.get(), m.constant(*offset)]);
        }
        let passing = self.passing.take();
        if !passing.is_empty() {
            let all = m.variable(m.array(m.int(), passing.len() as u32));
            for (n, id) in (0..).zip(&passing) {
                m.effect(Op::AccessChain, &[ty, *id, all, m.constant(n)]);
            }
            // A driver leaves it one variable if its words are counted through.
            self.each_below(passing.len() as u32, |n| {
                m.store(m.chain(StorageClass::Function, all, &[k.id(n)]), m.constant(0));
            });
        }
    }

    /// Loads what the blocks use.
    pub(super) fn prologue(&self) {
        self.begin_exchange();
        let (m, k) = (&self.m, self.alg(Word::Known(0)));
        if let Some(all) = self.scalars.get() {
            self.each_below(state::VGPRS, |n| {
                m.store(m.chain(StorageClass::Function, all, &[k.id(n)]), m.load(self.recorded(n)));
            });
            if self.has(Fault::PrologueWithoutMode) {
                self.set_cell(head::MODE, k.w(0));
            }
        }
        for (at, variable) in Self::variables(&self.cells) {
            let lost = at == head::MODE && self.has(Fault::PrologueWithoutMode);
            let v = if lost { Word::Known(0) } else { self.peek(at) };
            m.store(variable, k.id(v));
        }
        self.each_register(|place, record| m.store(place, m.load(record)));
    }

    /// Every vector register that is in a variable, in every slot: its place, and its word in the record.
    fn each_register(&self, each: impl Fn(Id, Id)) {
        let k = self.alg(Word::Known(0));
        let variables = Self::variables(&self.vectors);
        if !variables.is_empty() {
            self.each_slot(|number, slot| {
                for (n, variable) in &variables {
                    let at = k.add(self.word_of_register(*n), number);
                    each(self.word_of_variable(*variable, slot), self.recorded(at));
                }
            });
        }
        if self.file.get().is_none() {
            return;
        }
        let one = |n: Word| {
            self.each_slot(|number, slot| {
                let at = k.add(k.w(state::VGPRS), k.add(k.shli(n, state::STRIDE.trailing_zeros()), number));
                each(self.word_of_file(n, slot), self.recorded(at));
            });
        };
        match self.options.layout.registers() {
            0 => {}
            all if self.cuts || self.slots() > 1 => self.each_below(all, one),
            all => (0..all).map(Word::Known).for_each(one),
        }
    }

    /// Stores it again. Of the scalars, which all lanes have alike, lane 0 stores one copy.
    pub(super) fn epilogue(&self) {
        let k = self.alg(Word::Known(0));
        // All lanes have read the record before the first one writes it.
        self.barrier();
        self.each_register(|place, record| self.m.store(record, self.m.load(place)));
        let first = self.leads();
        if self.scalars.get().is_some() && self.has(Fault::EpilogueWithoutScc) {
            self.set_cell(head::SCC, self.peek(head::SCC));
        }
        self.when(first, || {
            if let Some(all) = self.scalars.get() {
                self.each_below(state::VGPRS, |n| {
                    let v = self.m.load(self.m.chain(StorageClass::Function, all, &[k.id(n)]));
                    self.m.store(self.recorded(n), v);
                });
            }
            for (at, variable) in Self::variables(&self.cells) {
                if at == head::SCC && self.has(Fault::EpilogueWithoutScc) {
                    continue;
                }
                self.m.store(self.recorded(Word::Known(at)), self.m.load(variable));
            }
        });
    }
}
