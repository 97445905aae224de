//! Where registers are, and how they are read and written.
//!
//! Scalar registers and what else the head of a record has, *cells*, are variables; so are vector registers, with a word for each lane of the
//! invocation, but in the serial model, where they stay in the record. A driver that minds variables has one for all of a kind. What is
//! [known](super::known) to be in a register is not loaded.

use super::{Helper, Lower};
use crate::isa::regs;
use crate::isa::sem::Alg;
use crate::program::place::{file, slot};
use crate::spirv::alg::{Truth, Word};
use crate::spirv::fault::Fault;
use crate::spirv::lanes::{Lane, Model};
use crate::spirv::module::Id;
use crate::spirv::state::{self, head};
use rspirv::spirv::StorageClass;
use std::cell::RefCell;

const BIT: Helper = Helper { name: "bit", results: 1, body: bit };

impl Lower<'_> {
    fn cell_variable(&self, at: u32) -> Id {
        match self.scalars.get() {
            Some(all) => self.pointer_into(all, at),
            None => self.variable_of(&self.cells, at, self.m.int()),
        }
    }

    /// A pointer to a word of a variable that is several: the prologue makes it, once.
    pub(super) fn pointer_into(&self, all: Id, n: u32) -> Id {
        *self.pointers.borrow_mut().entry((all, n)).or_insert_with(|| self.m.id())
    }

    /// The variable with a number; 0 stands for none.
    fn variable_of(&self, all: &RefCell<Vec<Id>>, n: u32, ty: Id) -> Id {
        let mut all = all.borrow_mut();
        let n = n as usize;
        if n >= all.len() {
            all.resize(n + 1, 0);
        }
        if all[n] == 0 {
            all[n] = self.m.variable(ty);
        }
        all[n]
    }

    /// The variables there are, by number.
    pub(super) fn variables(all: &RefCell<Vec<Id>>) -> Vec<(u32, Id)> {
        (0..).zip(all.borrow().iter().copied()).filter(|(_, id)| *id != 0).collect()
    }

    /// A scalar of the record.
    pub(super) fn cell(&self, at: u32) -> Word {
        let load = || Word::Id(self.m.load(self.cell_variable(at)));
        self.known_value(&self.known.cells, at, Word::Known(0), load)
    }

    /// Writes a scalar of the record.
    pub(super) fn set_cell(&self, at: u32, v: Word) {
        if at.wrapping_sub(state::SGPRS + slot::EXEC as u32) < 2 {
            self.active.borrow_mut().clear();
        }
        self.m.store(self.cell_variable(at), self.alg(Word::Known(0)).id(v));
        self.now_holds(&self.known.cells, at, Word::Known(0), v);
    }

    /// A word of a scalar place.
    pub(super) fn s(&self, at: u32) -> Word {
        let k = self.alg(Word::Known(0));
        let n = at as usize;
        let half = |v: u64, n: usize| Word::Known((v >> (32 * n)) as u32);
        match n {
            0..slot::SINK => self.cell(state::SGPRS + at),
            slot::VCCZ => k.bit(self.is_zero(self.mask_at(slot::VCC as u32))),
            slot::EXECZ => k.bit(self.is_zero(self.exec())),
            slot::SCC => self.cell(head::SCC),
            slot::SHARED..slot::PRIVATE => {
                half(self.aperture(self.options.apertures.shared, n - slot::SHARED), n & 1 ^ slot::SHARED & 1)
            }
            slot::PRIVATE..slot::CONSTANTS => {
                half(self.aperture(self.options.apertures.private, n - slot::PRIVATE), n & 1 ^ slot::PRIVATE & 1)
            }
            _ if n >= slot::CONSTANTS => {
                Word::Known(self.program.scalar_constants.get(n - slot::CONSTANTS).copied().unwrap_or(0))
            }
            _ => Word::Known(0),
        }
    }

    /// Base or limit of an aperture: 4 GiB from the base.
    fn aperture(&self, base: u64, n: usize) -> u64 {
        if n < 2 { base } else { base | 0xffff_ffff }
    }

    /// Writes a slot; what is no register takes nothing.
    pub(super) fn set_s(&self, at: u32, v: Word) {
        if (at as usize) < slot::SINK {
            self.set_cell(state::SGPRS + at, v);
        }
    }

    /// Two slots.
    pub(super) fn s64(&self, at: u32) -> (Word, Word) {
        (self.s(at), self.s(at + 1))
    }

    /// Writes two slots.
    pub(super) fn set_s64(&self, at: u32, v: (Word, Word)) {
        self.set_s(at, v.0);
        if at as usize + 1 < slot::SINK && !self.has(Fault::ScalarHighKept) {
            self.set_s(at + 1, v.1);
        }
    }

    /// The condition.
    pub(super) fn scc(&self) -> Truth {
        self.alg(Word::Known(0)).nz(self.cell(head::SCC))
    }

    pub(super) fn set_scc(&self, c: Truth) {
        let k = self.alg(Word::Known(0));
        self.set_cell(head::SCC, k.bit(c));
    }

    /// M0.
    pub(super) fn m0(&self) -> Word {
        self.s(u32::from(regs::m0_code(self.generation())))
    }

    /// A mask in scalar registers: the upper half is zero in waves of 32 lanes.
    pub(super) fn mask_at(&self, at: u32) -> (Word, Word) {
        if self.options.lanes == 64 { self.s64(at) } else { (self.s(at), Word::Known(0)) }
    }

    /// Writes a mask.
    pub(super) fn set_mask(&self, at: u32, mask: (Word, Word)) {
        self.set_s(at, mask.0);
        if self.options.lanes == 64 && at as usize + 1 < slot::SINK && !self.has(Fault::MaskHighLost) {
            self.set_s(at + 1, mask.1);
        }
    }

    /// The lanes that are active.
    pub(in crate::spirv) fn exec(&self) -> (Word, Word) {
        self.mask_at(slot::EXEC as u32)
    }

    pub(super) fn is_zero(&self, mask: (Word, Word)) -> Truth {
        let k = self.alg(Word::Known(0));
        k.eq(k.or(mask.0, mask.1), k.w(0))
    }

    /// A lane's bit of a mask.
    pub(super) fn bit_of(&self, mask: (Word, Word), lane: Word) -> Truth {
        let low = self.alg(lane).lt_u(lane, Word::Known(32));
        self.bit_in_half(mask, low, lane)
    }

    /// A lane's bit of a mask, where it is known whether that is in the lower half.
    pub(in crate::spirv) fn bit_in_half(&self, mask: (Word, Word), low: Truth, lane: Word) -> Truth {
        let k = self.alg(lane);
        if self.options.model == Model::Serial {
            // It is asked for in every loop over lanes.
            return k.nz(self.call(BIT, 0, &[mask.0, mask.1, lane])[0]);
        }
        let word = if self.options.lanes == 64 { k.sel(low, mask.0, mask.1) } else { mask.0 };
        k.nz(k.and(k.shr(word, lane), k.w(1)))
    }

    /// The variable with the words of a vector register.
    fn vector_variable(&self, n: u32) -> Id {
        let ty = match self.slots() {
            1 => self.m.int(),
            slots => self.m.array(self.m.int(), slots),
        };
        self.variable_of(&self.vectors, n, ty)
    }

    /// The word of a register in the record.
    pub(super) fn word_of_register(&self, n: u32) -> Word {
        self.used.set(self.used.get().with(n));
        Word::Known(self.options.layout.register(n))
    }

    /// The first word of a register in the buffer of records: the prologue computes it, once.
    fn base_of_register(&self, n: u32) -> Word {
        let Word::Known(offset) = self.word_of_register(n) else { return Word::Known(0) };
        Word::Id(*self.bases.borrow_mut().entry(offset).or_insert_with(|| self.m.id()))
    }

    /// Whether a vector place is a register.
    pub(super) fn is_register(at: u32) -> bool {
        at < file::NOWHERE
    }

    /// A lane's word at a vector place: a register, or a constant.
    pub(in crate::spirv) fn v(&self, n: u32, lane: Lane) -> Word {
        if n >= file::CONSTANTS {
            let n = (n - file::CONSTANTS) as usize;
            return Word::Known(self.program.vector_constants.get(n).copied().unwrap_or(0));
        }
        let load = || Word::Id(self.m.load(self.vector_place(n, lane)));
        self.known_value(&self.known.vectors, n, lane.slot, load)
    }

    /// A pointer to a lane's word of a vector register: in the record, in the variable of the register, or in the one of all.
    fn vector_place(&self, n: u32, lane: Lane) -> Id {
        let k = self.alg(Word::Known(0));
        if self.options.model == Model::Serial {
            let make = || self.word_of(self.state, k.add(self.base_of_register(n), lane.number));
            return self.known_place(&self.known.vectors, n, lane.slot, make);
        }
        if self.file.get().is_some() {
            let word = k.sub(self.word_of_register(n), k.w(state::VGPRS));
            return self.word_of_file(k.shri(word, state::STRIDE.trailing_zeros()), lane.slot);
        }
        self.word_of_variable(self.vector_variable(n), lane.slot)
    }

    /// A pointer to the word of a slot.
    pub(super) fn word_of_variable(&self, variable: Id, slot: Word) -> Id {
        match (self.slots(), slot) {
            (1, _) => variable,
            (_, Word::Known(slot)) => self.pointer_into(variable, slot),
            (_, Word::Id(slot)) => self.m.chain(StorageClass::Function, variable, &[slot]),
        }
    }

    /// A pointer to the word of a register and slot in the variable of all.
    pub(super) fn word_of_file(&self, n: Word, slot: Word) -> Id {
        let k = self.alg(Word::Known(0));
        let file = self.file.get().unwrap_or_default();
        match k.add(k.mul(n, k.w(self.slots())), slot) {
            Word::Known(n) => self.pointer_into(file, n),
            n => self.m.chain(StorageClass::Function, file, &[k.id(n)]),
        }
    }

    /// A pointer to a lane's word of a vector register whose number is known at run time.
    pub(super) fn moving(&self, n: Word, lane: Lane) -> Id {
        let k = self.alg(Word::Known(0));
        if self.options.model != Model::Serial {
            return self.word_of_file(n, lane.slot);
        }
        self.recorded(k.add(k.shli(n, state::STRIDE.trailing_zeros()), k.add(k.w(state::VGPRS), lane.number)))
    }

    /// Writes a lane's word.
    pub(super) fn set_v(&self, n: u32, lane: Lane, v: Word) {
        self.m.store(self.vector_place(n, lane), self.alg(Word::Known(0)).id(v));
        self.now_holds(&self.known.vectors, n, lane.slot, v);
    }

    /// Writes a lane's word where a condition holds.
    pub(super) fn set_v_if(&self, at: u32, lane: Lane, c: Truth, v: Word) {
        if c == Truth::Known(true) {
            return self.set_v(at, lane, v);
        }
        let old = self.v(at, lane);
        self.set_v(at, lane, self.alg(lane.number).sel(c, v, old));
    }
}

/// Mask, lane: the lane's bit.
fn bit(l: &Lower<'_>, _: u32, a: &[Word]) -> Vec<Word> {
    let k = l.alg(Word::Known(0));
    let word = k.sel(k.lt_u(a[2], k.w(32)), a[0], a[1]);
    vec![k.and(k.shr(word, a[2]), k.w(1))]
}
