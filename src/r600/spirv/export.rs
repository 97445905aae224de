//! What leaves a program, and the buffers it reads again.
//!
//! Which targets an export goes to is known beforehand: each has its place in the record. Addresses of streams and of the ring are not:
//! what goes there is an entry of the log with what each lane wrote, and the host carries the log out in its order.

use super::blocks::Onward;
use super::lower::Lower;
use super::mistakes::Mistake;
use super::state::{EXPORT, LANES, head, log};
use crate::isa::r600::does::Space;
use crate::isa::sem::Alg;
use crate::r600::emu::plan::{Export, Memory, Select};
use crate::r600::emu::{Fault, Stage, Target};
use crate::spirv::alg::{Pair, Truth, Word};

/// 1.0.
const ONE: u32 = 0x3f80_0000;

/// The target of an export, which has the right kind.
pub(super) fn target(export: &Export, n: u32) -> Option<Target> {
    match export.kind {
        0 => Some(Target::Pixel(export.base + n)),
        1 => Some(Target::Position(export.base + n)),
        2 => Some(Target::Parameter(export.base + n)),
        _ => None,
    }
}

impl Lower<'_> {
    /// The register of an export or import: one out of range is register 0.
    fn nth(&self, gpr: u32, indexed: bool, n: u32) -> Word {
        let k = self.k();
        let index = if indexed { self.get(head::INDEX) } else { k.w(0) };
        let gpr = k.add(k.w(gpr + n), index);
        k.sel(self.has_gpr(gpr), gpr, k.w(0))
    }

    /// An export of the lanes that execute and are valid.
    pub(super) fn export(&self, export: &Export, lanes: Pair) -> Onward {
        if !matches!(self.setup.stage, Stage::Ps | Stage::Vs | Stage::Dc) {
            return self.bad(&Fault::Stage { what: "EXPORT" });
        }
        let k = self.k();
        let valid = if self.has(Mistake::KilledExport) { lanes } else { k.and_d(lanes, self.mask(head::VALID)) };
        for n in 0..export.count {
            let place = target(export, n).and_then(|to| self.layout.targets.iter().position(|known| *known == to));
            let Some(place) = place else {
                return self.bad(&Fault::Reserved { field: "TYPE", value: export.kind });
            };
            let first = self.layout.export(place as u32);
            let gpr = self.nth(export.gpr, export.indexed, if self.has(Mistake::BurstRepeats) { 0 } else { n });
            self.each_of(valid, |lane| {
                let at = |word: u32| k.add(k.w(first + word * LANES), lane);
                // That there was an export, though of nothing.
                let mut written = 1 << 4;
                for (element, select) in (0..).zip(export.selects) {
                    let v = match select {
                        Select::Masked => continue,
                        Select::Zero | Select::One if self.has(Mistake::SelectsIgnored) => self.vector(gpr, lane)[0],
                        Select::Element(n) => self.word(self.register_at(gpr, n, lane)),
                        Select::Zero => k.w(0),
                        Select::One => k.w(ONE),
                    };
                    self.put_word(at(element), v);
                    written |= 1 << element;
                }
                let mask = at(EXPORT - 1);
                self.put_word(mask, k.or(self.word(mask), k.w(written)));
            });
        }
        Onward::Next
    }

    /// Writes or reads a buffer.
    pub(super) fn memory(&self, memory: &Memory, lanes: Pair) -> Onward {
        let k = self.k();
        let lanes = k.and_d(lanes, self.mask(head::VALID));
        match memory.space {
            Space::Scratch | Space::Reduction if memory.words != 4 => {
                let what = "a scratch or reduction buffer of elements that are not four words";
                return self.bad(&Fault::Unsupported { what });
            }
            Space::Stream(stream) => self.logged(memory, u32::from(stream), lanes),
            Space::Ring => self.logged(memory, log::RING, lanes),
            Space::Scratch => self.each_of(lanes, |lane| self.elements(memory, lane)),
            Space::Reduction if memory.reads => self.each_of(lanes, |lane| self.elements(memory, lane)),
            Space::Reduction => self.one_by_one(lanes, |lane| self.elements(memory, lane)),
        }
        if memory.space == Space::Reduction {
            self.barrier();
        }
        Onward::Next
    }

    /// The index of a lane.
    fn element_index(&self, memory: &Memory, lane: Word) -> Word {
        let k = self.k();
        let index = memory.index_gpr.map_or(k.w(0), |gpr| {
            let gpr = if self.setup.has_gpr(gpr) { gpr } else { 0 };
            self.word(self.register_at(k.w(gpr), 0, lane))
        });
        if memory.moves { k.add(index, self.get(head::INDEX)) } else { index }
    }

    /// How far behind the base the element of a number lies, and whether it is one.
    fn beyond(&self, memory: &Memory, index: Word, n: u32) -> (Word, Truth) {
        let k = self.k();
        let four = matches!(memory.space, Space::Scratch | Space::Reduction);
        // The base counts elements of scratch and reduction buffers, and words of streams and rings.
        let unit = if four { 1 } else { memory.words };
        let beyond = k.mul(k.add(index, k.w(n)), k.w(unit));
        let limited = (four || memory.size > 1) && !self.has(Mistake::ArraySizeIgnored);
        (beyond, if limited { k.lt_u(beyond, k.w(memory.size)) } else { k.c(true) })
    }

    /// Elements of the scratch buffer or the reduction buffer.
    fn elements(&self, memory: &Memory, lane: Word) {
        let k = self.k();
        let scratch = memory.space == Space::Scratch;
        let count = self.get(if scratch { head::SCRATCH } else { head::REDUCTION });
        let reduction = k.w(self.layout.reduction());
        let index = self.element_index(memory, lane);
        for n in 0..memory.count {
            let (beyond, there) = self.beyond(memory, index, n);
            let at = k.add(k.w(memory.base), beyond);
            let there = k.both(there, k.lt_u(at, count));
            let gpr = self.nth(memory.gpr, memory.indexed, n);
            self.when(there, || {
                for element in 0..4 {
                    let word = k.add(k.shli(at, 2), k.w(element));
                    let place = if scratch {
                        let first = k.add(reduction, k.shli(self.get(head::REDUCTION), 2));
                        k.add(k.add(first, k.mul(word, k.w(LANES))), lane)
                    } else {
                        k.add(reduction, word)
                    };
                    let register = self.register_at(gpr, element, lane);
                    if memory.reads {
                        self.put_word(register, self.word(place));
                    } else if memory.mask >> element & 1 != 0 {
                        self.put_word(place, self.word(register));
                    }
                }
            });
        }
    }

    /// Words of streams and of the ring.
    fn logged(&self, memory: &Memory, what: u32, lanes: Pair) {
        let k = self.k();
        for n in 0..memory.count {
            let gpr = self.nth(memory.gpr, memory.indexed, n);
            self.each_of(lanes, |lane| {
                let index = self.element_index(memory, lane);
                let (beyond, there) = self.beyond(memory, index, n);
                self.when(there, || {
                    let address = k.add(k.w(memory.base), beyond);
                    self.note(lane, what, memory.mask, address, Some(self.vector(gpr, lane)));
                });
            });
            self.put(head::LOGGED, k.add(self.get(head::LOGGED), k.w(1)));
        }
    }

    /// Notes a vertex, the end of a strip, or both.
    pub(super) fn emit(&self, vertex: bool, cut: bool, lanes: Pair) {
        let k = self.k();
        let lanes = k.and_d(lanes, self.mask(head::VALID));
        for (what, says) in [(log::EMIT, vertex), (log::CUT, cut)] {
            if says {
                self.each_of(lanes, |lane| self.note(lane, what, 0, k.w(0), None));
                self.put(head::LOGGED, k.add(self.get(head::LOGGED), k.w(1)));
            }
        }
    }

    /// Writes what a lane has to say into the next entry of the log.
    fn note(&self, lane: Word, what: u32, mask: u32, address: Word, words: Option<[Word; 4]>) {
        let k = self.k();
        let entry = k.mul(self.get(head::LOGGED), k.w(log::WORDS * LANES));
        let first = k.add(k.add(entry, k.w(self.layout.log())), lane);
        let at = |n: u32| k.add(first, k.w(n * LANES));
        self.put_word(at(0), k.w(log::WRITTEN | what << 4 | mask));
        self.put_word(at(1), address);
        for (n, word) in (2..).zip(words.into_iter().flatten()) {
            self.put_word(at(n), word);
        }
    }
}
