//! Meanings as writers of SPIR-V: the same expressions that make the emulator's kernels, in the translator's [algebra](super::alg).

use super::alg::{Pair, Spirv, Truth, Word};
use crate::isa::sem::{self, Class, Meaning, Results, Shape, Signature, Sources, Visitor};
use std::sync::OnceLock;

/// A source or a result: as many words as its kind has, or a truth.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    /// The words.
    pub words: [Word; 4],
    /// The truth.
    pub bit: Truth,
}

impl Operand {
    /// Words; the others are zero.
    #[must_use]
    pub fn words(words: &[Word]) -> Operand {
        let mut all = [Word::Known(0); 4];
        all[..words.len()].copy_from_slice(words);
        Operand { words: all, bit: Truth::Known(false) }
    }

    /// A truth.
    #[must_use]
    pub fn bit(bit: Truth) -> Operand {
        Operand { words: [Word::Known(0); 4], bit }
    }
}

/// A meaning.
#[derive(Clone, Copy)]
pub struct Writer {
    /// Writes it: from sources to results.
    pub write: fn(&Spirv<'_>, &[Operand]) -> Vec<Operand>,
    /// The kinds of the sources.
    pub args: &'static [Class],
    /// The kinds of the results.
    pub ret: &'static [Class],
}

/// The writer of the meaning of a vector instruction.
#[must_use]
pub fn vector(meaning: &Signature) -> Option<&'static Writer> {
    static TABLE: OnceLock<Writers> = OnceLock::new();
    TABLE.get_or_init(|| Writers::of(sem::vector)).get(meaning.number)
}

/// The writer of the meaning of a scalar instruction.
#[must_use]
pub fn scalar(meaning: &Signature) -> Option<&'static Writer> {
    static TABLE: OnceLock<Writers> = OnceLock::new();
    TABLE.get_or_init(|| Writers::of(sem::scalar)).get(meaning.number)
}

/// Writers by the numbers of their meanings.
#[derive(Default)]
pub struct Writers(Vec<Writer>);

impl Writers {
    /// Those of the meanings that a visitor is shown.
    #[must_use]
    pub fn of(visit: fn(&mut Writers)) -> Writers {
        let mut writers = Writers::default();
        visit(&mut writers);
        writers
    }

    /// The writer of the meaning of a number.
    #[must_use]
    pub fn get(&self, number: usize) -> Option<&Writer> {
        self.0.get(number)
    }
}

impl Visitor for Writers {
    fn visit<M: Meaning>(&mut self, _: &'static str) {
        self.0.push(Writer { write: write::<M>, args: M::Args::CLASSES, ret: M::Ret::CLASSES });
    }
}

fn write<M: Meaning>(k: &Spirv<'_>, sources: &[Operand]) -> Vec<Operand> {
    let args = M::Args::read::<Spirv<'_>>(&From(sources), 0);
    let mut to = To(Vec::with_capacity(M::Ret::CLASSES.len()));
    M::Ret::write::<Spirv<'_>>(M::eval(k, args), &mut to);
    to.0
}

struct From<'a>(&'a [Operand]);

impl<'m> Sources<Spirv<'m>> for From<'_> {
    fn word(&self, n: usize) -> Word {
        self.0[n].words[0]
    }
    fn pair(&self, n: usize) -> Pair {
        (self.0[n].words[0], self.0[n].words[1])
    }
    fn quad(&self, n: usize) -> [Word; 4] {
        self.0[n].words
    }
    fn bit(&self, n: usize) -> Truth {
        self.0[n].bit
    }
}

struct To(Vec<Operand>);

impl<'m> Results<Spirv<'m>> for To {
    fn word(&mut self, v: Word) {
        self.0.push(Operand::words(&[v]));
    }
    fn pair(&mut self, v: Pair) {
        self.0.push(Operand::words(&[v.0, v.1]));
    }
    fn quad(&mut self, v: [Word; 4]) {
        self.0.push(Operand::words(&v));
    }
    fn bit(&mut self, v: Truth) {
        self.0.push(Operand::bit(v));
    }
}
