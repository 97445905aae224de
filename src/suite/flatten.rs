//! A single as a case of its own: what `bisect`, `reduce` and a reader work on.
//!
//! The case gives the wave those of its registers that the instruction names or was seen to read or write, and LDS; what it does not name stays zero,
//! which nobody looks at. Singles of global memory, whose addresses are those of their stage, have no such case.

use super::Suite;
use super::single::{Batch, Ready};
use super::stage::{Place as Input, Stage, Variant};
use crate::case::isa::Isa;
use crate::case::mode::Mode;
use crate::case::types::Ty;
use crate::case::value::{File, Lit};
use crate::case::{Body, Case, Init, Place, Value};
use crate::emu::traced::record::registers;
use crate::emu::wave::{Wave, slot};
use crate::laws::Laws;

impl Batch {
    /// One input of a single as a case; nothing where it needs memory of its own.
    #[must_use]
    pub fn case(&self, input: Input) -> Option<Case> {
        if self.suite == Suite::Memory {
            return None;
        }
        let ready = self.ready();
        let Ready { program, starts, .. } = &ready;
        let stage = Stage::new(&ready, vec![input], Variant::default()).ok()?;
        let mut wave = Wave::new(program, self.lanes);
        stage.set_up(program, starts, 0, &mut wave);
        let single = self.singles.get(input.single as usize)?;
        let named = registers(&self.text(single), &self.target);
        let mut init = Vec::new();
        let mut put = |place, value| init.push(Init { select: Default::default(), place, value });
        for n in 0..named.vgprs.min(256) {
            let words = (0..self.lanes as usize).map(|lane| word(wave.vgpr(n as usize, lane)));
            put(Place::Regs { file: File::Vector, first: n, count: 1 }, Value::List(words.collect()));
        }
        for n in 0..named.sgprs {
            put(Place::Regs { file: File::Scalar, first: n, count: 1 }, word(wave.s[n as usize]));
        }
        let double = |bits: u64| Value::Lit(Lit { ty: Ty::U64, bits });
        put(Place::Vcc, double(wave.pair(slot::VCC)));
        put(Place::Exec, double(wave.exec()));
        put(Place::Scc, word(wave.scc.into()));
        put(Place::M0, word(wave.m0()));
        if stage.lds() > 0 {
            let mut words = vec![0; stage.lds() as usize / 4];
            stage.fill_lds(0, &mut words);
            put(Place::Lds(0), Value::List(words.into_iter().map(word).collect()));
        }
        Some(Case {
            name: format!("{}.s", single.row),
            isa: Isa::only(self.target.arch),
            waves: vec![self.lanes],
            lds: (stage.lds() > 0).then_some(stage.lds()),
            mode: Mode { whole: Some(wave.env.mode), fields: Vec::new() },
            mattr: Case::mattr_of(self.target),
            init,
            body: Body { text: Laws::of(self.target).source(&single.words), line: 1 },
            ..Case::default()
        })
    }
}

fn word(bits: u32) -> Value {
    Value::Lit(Lit { ty: Ty::U32, bits: bits.into() })
}
