//! Exports: what lanes hold goes to a list of the wave, which lies behind the messages.
//!
//! A wave has room for a number of exports that the host chooses. It counts them in its record, further than there is room, so that the
//! host sees what was lost. An export is the step, EXEC and M0, and behind them four elements of each lane.

use super::{Lower, Lowered};
use crate::isa::sem::Alg;
use crate::program::Step;
use crate::spirv::alg::Word;
use crate::spirv::fault::Fault;
use crate::spirv::state::{export, head, push};

impl Lower<'_> {
    /// An export of the active lanes.
    pub(super) fn exports(&self, step: &Step) -> Lowered {
        let Some(of) = step.export.as_deref() else { return Err("an export".to_owned()) };
        let m = &self.m;
        let k = self.alg(Word::Known(0));
        let (count, room) = (self.cell(head::EXPORTS), self.pushed(push::EXPORTS));
        let there = k.lt_u(count, room);
        let number = k.add(k.mul(self.cell(head::NUMBER), room), count);
        let first = k.add(k.mul(number, k.w(export::WORDS)), self.pushed(push::FIRST_EXPORT));
        let put = |at: u32, word: Word| m.store(self.word_of(self.messages, k.add(first, k.w(at))), k.id(word));
        let exec = self.exec();
        let m0 = if of.row { self.m0() } else { k.w(0) };
        self.when(k.both(self.leads(), there), || {
            for (at, word) in [(export::STEP, k.w(step.at)), (export::EXEC, exec.0), (export::EXEC + 1, exec.1)] {
                put(at, word);
            }
            put(export::M0, m0);
        });
        self.each_lane(|lane| {
            let k = self.alg(lane.number);
            let active = if self.has(Fault::ExportIgnoresExec) { k.c(true) } else { lane.active };
            self.when(k.both(active, there), || {
                for n in 0..export::ELEMENTS {
                    let Some((register, high)) = of.element(n) else { continue };
                    let word = self.v(register, lane);
                    let high = high != self.has(Fault::ExportHalvesSwapped);
                    let value = match (of.half, high) {
                        (false, _) => word,
                        (true, false) => k.zx16(word),
                        (true, true) => k.shri(word, 16),
                    };
                    let at = k.add(k.shli(lane.number, 2), k.w(export::LANES + n));
                    m.store(self.word_of(self.messages, k.add(first, at)), k.id(value));
                }
            });
        });
        self.set_cell(head::EXPORTS, k.add(count, k.w(1)));
        Ok(())
    }
}
