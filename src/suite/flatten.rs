//! A single as a case of its own: what `bisect`, `reduce` and a reader work on.
//!
//! The case gives the wave those of its registers that the instruction names or was seen to read or write, and LDS; what it does not name stays zero,
//! which nobody looks at. Singles of global memory, whose addresses are those of their stage, have no such case.

use super::Suite;
use super::single::{Batch, Ready};
use super::stage::{Place as Input, Stage, Variant};
use crate::case::isa::Isa;
use crate::case::mode::Mode;
use crate::case::value::{File, Lit};
use crate::case::{Body, Case, Init, Place, Value};
use crate::engine::registers::Registers;
use crate::isa::types::Ty;
use crate::laws::Laws;
use crate::program::named::registers;
use crate::program::place::{file, slot};

impl Batch {
    /// One input of a single as a case; nothing where it needs memory of its own.
    #[must_use]
    pub fn case(&self, input: Input) -> Option<Case> {
        if matches!(self.suite, Suite::Memory | Suite::Image) {
            return None;
        }
        let ready = self.ready();
        let Ready { program, starts, .. } = &ready;
        let stage = Stage::new(&ready, vec![input], Variant::default()).ok()?;
        let mut wave = Registers::new(self.target, self.lanes);
        stage.set_up(program, starts, 0, &mut wave);
        let single = self.singles.get(input.single as usize)?;
        let named = registers(&self.text(single), &self.target);
        let mut init = Vec::new();
        let mut put = |place, value| init.push(Init { select: Default::default(), place, value });
        for (file, begins, count) in [(File::Vector, 0, named.vgprs), (File::Accumulation, file::AGPR, named.agprs)] {
            for n in 0..count.min(256) {
                let words = (0..self.lanes as usize).map(|lane| word(wave.vgpr((begins + n) as usize, lane)));
                put(Place::Regs { file, first: n, count: 1 }, Value::List(words.collect()));
            }
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
            mode: Mode { whole: Some(wave.mode), fields: Vec::new() },
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

#[cfg(test)]
mod tests {
    use super::super::draw::Single;
    use super::super::stage::Place;
    use super::*;
    use crate::isa::{Arch, Target};
    use crate::reduce::instructions;

    /// `v_ceil_f16_e32 v0.h, 0x1234`.
    const WORDS: [u32; 2] = [0x7f00_b8ff, 0x1234];

    fn case(mattr: &str) -> (Case, Target) {
        let target = Target::new(Arch::find("gfx1100").expect("a processor")).with_mattr(mattr).expect("features");
        let single = Single { name: "v_ceil_f16_e64".to_owned(), words: WORDS.to_vec(), row: "v_ceil_f16", number: 0 };
        let batch = Batch { suite: Suite::Alu, target, lanes: 32, seed: 1, inputs: 1, singles: vec![single] };
        (batch.case(Place { single: 0, input: 0 }).expect("a case"), target)
    }

    /// llvm-mc-19 has a text of these words with `-mattr=+real-true16` alone, and then this one. What is no text is one line too.
    #[test]
    fn a_true16_instruction_with_a_literal_is_one_line_in_its_mode() {
        for (mattr, line) in [("+real-true16", "v_ceil_f16_e32 v0.h, 0x1234"), ("", ".long 0x7f00b8ff, 0x00001234")] {
            let (case, target) = case(mattr);
            assert_eq!(case.body.text, line);
            assert_eq!(case.mattr.as_deref().unwrap_or(""), mattr);
            assert_eq!(instructions(&case), 1, "{case}");
            // As a file, which somebody reads for the plain processor.
            let again = Case::parse(&case.to_string(), "a.s").expect("a case");
            let program = again.program(Target::new(target.arch)).expect("a program");
            assert_eq!(program.words()[..2], WORDS);
        }
    }
}
