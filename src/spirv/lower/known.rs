//! What registers hold, as far as it is known while words are written.
//!
//! In a [straight run](crate::spirv::module::Module::straight) of words, which no label interrupts, what was last read from a register or written to it is what it
//! holds, and need not be loaded again; a constant stays one. Of a vector register one lane's word is known at a time: whoever
//! names another lane may name the same one. In the record a place has an address, which is computed once.
//!
//! Where blocks are cut, this holds within branches and loops alone, which are not: outside of them, what is known would have to pass between segments.

use super::Lower;
use crate::spirv::alg::Word;
use crate::spirv::module::Id;
use std::cell::RefCell;

/// What a register holds in one straight run.
#[derive(Clone, Copy)]
struct Entry {
    run: u32,
    slot: Word,
    place: Option<Id>,
    value: Option<Word>,
}

const NOTHING: Entry = Entry { run: 0, slot: Word::Known(0), place: None, value: None };

/// Entries by number.
#[derive(Default)]
pub(super) struct Table(RefCell<Vec<Entry>>);

/// What is known of all registers.
#[derive(Default)]
pub(super) struct Known {
    pub(super) cells: Table,
    pub(super) vectors: Table,
}

impl Table {
    /// What is known of a register in a slot.
    fn entry(&self, run: u32, n: u32, slot: Word) -> Entry {
        let found = self.0.borrow().get(n as usize).copied().unwrap_or(NOTHING);
        if found.run == run && found.slot == slot { found } else { Entry { run, slot, ..NOTHING } }
    }

    fn keep(&self, n: u32, entry: Entry) {
        let mut all = self.0.borrow_mut();
        let n = n as usize;
        if n >= all.len() {
            all.resize(n + 1, NOTHING);
        }
        all[n] = entry;
    }
}

impl Lower<'_> {
    /// The straight run, where what is known in it may be used.
    fn run_of_words(&self) -> Option<u32> {
        (!self.cuts || self.depth.get() > 0).then(|| self.m.straight())
    }

    /// The place of a register, made now if it is not known.
    pub(super) fn known_place(&self, of: &Table, n: u32, slot: Word, make: impl FnOnce() -> Id) -> Id {
        let Some(run) = self.run_of_words() else { return make() };
        let entry = of.entry(run, n, slot);
        entry.place.unwrap_or_else(|| {
            let place = make();
            of.keep(n, Entry { place: Some(place), ..entry });
            place
        })
    }

    /// What a register holds, loaded now if it is not known.
    pub(super) fn known_value(&self, of: &Table, n: u32, slot: Word, load: impl FnOnce() -> Word) -> Word {
        let Some(run) = self.run_of_words() else { return load() };
        if let Some(value) = of.entry(run, n, slot).value {
            return value;
        }
        let value = load();
        self.now_holds(of, n, slot, value);
        value
    }

    /// A register holds a value from now on.
    pub(super) fn now_holds(&self, of: &Table, n: u32, slot: Word, value: Word) {
        if let Some(run) = self.run_of_words() {
            of.keep(n, Entry { value: Some(value), ..of.entry(run, n, slot) });
        }
    }
}
