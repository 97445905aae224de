//! From words to steps.

use super::place::{file, slot};
use super::{Program, Step, memory, moves};
use crate::disasm::{self, Decoded};
use crate::isa::form::{Form, Mod, Table};
use crate::isa::row::{Family, Inst};
use crate::isa::sem::{self, Signature};
use crate::isa::{Gen, Target};
use std::collections::HashMap;

/// Takes a program apart.
pub(super) fn program(table: &'static Table, words: &[u32], base: u64) -> Program {
    let target = table.target;
    let mut builder = Builder::new(table);
    let mut steps: Vec<Step> = (0..words.len()).map(|at| builder.step(&words[at..], at as u32)).collect();
    moves::wrap(target, words, &mut steps);
    Program {
        target,
        table,
        base,
        words: words.to_vec(),
        steps,
        scalar_constants: builder.scalars,
        vector_constants: builder.vectors,
        vgprs: file::VGPRS,
        reads_exceptions: builder.reads_exceptions,
        handler: None,
        across: builder.across,
    }
}

/// A program under construction.
pub(super) struct Builder {
    pub(super) target: Target,
    table: &'static Table,
    pub(super) reads_exceptions: bool,
    /// It has instructions of the global data share or its wave sync.
    pub(super) across: bool,
    scalars: Vec<u32>,
    scalar_at: HashMap<(u64, u8), u32>,
    vectors: Vec<u32>,
    vector_at: HashMap<(u128, u8), u32>,
    /// Meanings that were looked for: by the row, what distinguishes its use, and whether it saturates.
    meanings: HashMap<(*const Inst, &'static str, bool), Option<&'static Signature>>,
}

/// One instruction while its step is made.
pub(super) struct Code<'a> {
    pub(super) form: &'static Form,
    /// Its words, and what follows.
    pub(super) words: &'a [u32],
    /// Its length in words.
    pub(super) len: u8,
    /// The number of its first word.
    pub(super) at: u32,
}

impl Code<'_> {
    /// The literal constant, if a source asks for it.
    pub(super) fn literal(&self) -> u32 {
        self.words.get(usize::from(self.form.words)).copied().unwrap_or(0)
    }

    /// The value of a modifier; 0 where the form has none.
    pub(super) fn modifier(&self, id: Mod) -> u32 {
        self.form.mods.iter().find(|m| m.id == id).map_or(0, |m| m.span.get(self.words))
    }

    /// Whether the form has a modifier.
    pub(super) fn has_modifier(&self, id: Mod) -> bool {
        self.form.mods.iter().any(|m| m.id == id)
    }

    /// One bit of the instruction.
    pub(super) fn bit(&self, n: u8) -> bool {
        self.words[usize::from(n / 32)] >> (n % 32) & 1 != 0
    }
}

impl Builder {
    /// Of a program that has no steps yet.
    pub(super) fn new(table: &'static Table) -> Builder {
        Builder {
            target: table.target,
            table,
            reads_exceptions: false,
            across: false,
            scalars: Vec::new(),
            scalar_at: HashMap::new(),
            vectors: Vec::new(),
            vector_at: HashMap::new(),
            meanings: HashMap::new(),
        }
    }

    /// The step of the instruction at the beginning of `words`.
    pub(super) fn step(&mut self, words: &[u32], at: u32) -> Step {
        let Ok(executed) = disasm::executed(self.table, words) else { return Step::new(at) };
        let Decoded { form, len } = executed.decoded;
        let code = Code { form, words: &executed.words, len, at };
        let known = self.known(&code);
        let executes = known.is_some();
        let mut step = known.unwrap_or_else(|| Step::new(at));
        step.executes = executes;
        step.next = at + u32::from(len);
        step.row = Some(form.row);
        step.form = Some(form);
        step
    }

    /// The step of an instruction of which it is known what it does.
    fn known(&mut self, code: &Code<'_>) -> Option<Step> {
        use Family::*;
        match code.form.row.family {
            Sop1 | Sop2 | Sopk | Sopc | Sopp => self.scalar(code),
            Vop1 | Vop2 | Vopc | Vop3 | Vop3p | Mai | Vinterp | Vintrp | Vop3Interp | Ldsdir => self.vector(code),
            Vopd => self.dual(code),
            Smem | Ds | Mubuf | Mtbuf | Flat | Global | Scratch | Mimg => memory::step(self, code),
            Exp => self.export(code),
        }
    }

    pub(super) fn generation(&self) -> Gen {
        self.target.generation()
    }

    /// The meaning of the row of a vector instruction.
    pub(super) fn meaning(
        &mut self,
        row: &'static Inst,
        word: &'static str,
        clamp: bool,
    ) -> Option<&'static Signature> {
        let arch = self.target.arch;
        let find = || sem::find::candidates(row, arch, word, clamp).find_map(|name| sem::signature::vector(&name));
        *self.meanings.entry((row, word, clamp)).or_insert_with(find)
    }

    /// The meaning of the row of a scalar instruction.
    pub(super) fn scalar_meaning(&mut self, row: &'static Inst) -> Option<&'static Signature> {
        let arch = self.target.arch;
        let find = || sem::find::candidates(row, arch, "", false).find_map(|name| sem::signature::scalar(&name));
        *self.meanings.entry((row, "", false)).or_insert_with(find)
    }

    /// The place of a scalar constant of one or two words.
    pub(super) fn scalar_constant(&mut self, v: u64, dwords: u8) -> u32 {
        let next = (slot::CONSTANTS + self.scalars.len()) as u32;
        let scalars = &mut self.scalars;
        *self.scalar_at.entry((v, dwords)).or_insert_with(|| {
            scalars.push(v as u32);
            // A pair may be read where one word was meant: the upper word is always there.
            scalars.push((v >> 32) as u32);
            next
        })
    }

    /// The place of a vector constant of up to four words.
    pub(super) fn vector_constant(&mut self, v: u128, dwords: u8) -> u32 {
        let next = file::CONSTANTS + self.vectors.len() as u32;
        let vectors = &mut self.vectors;
        *self.vector_at.entry((v, dwords)).or_insert_with(|| {
            vectors.extend((0..dwords).map(|i| (v >> (32 * u32::from(i))) as u32));
            next
        })
    }
}
