//! Programs: machine code taken apart once, for every reader.
//!
//! A [`Program`] is a list of [`Step`]s, one for every word of the code, so that a jump needs no search: a program counter
//! is the number of a word. A step says which instruction begins there, where its operands [lie](place), what is done to
//! them before and behind the meaning of its row ([`Vector`]), how it goes to memory ([`Access`]), by what M0 and the modes
//! move its registers ([`Moves`]), and where it leads. [`flow`] makes blocks and edges of that, [`uses`] says which state
//! each step reads and writes, [`coverage`] how well it is known what it does.
//!
//! It is plain data, and knows nothing of waves, kernels or SPIR-V: the emulator binds the steps to functions, the
//! translation lowers them, and suites, traces and searches for differences read them.
//!
//! Code is decoded as the hardware reads it. A word that is no instruction has a step without a row; one whose instruction
//! nobody can execute [says so](Step::executes).

pub mod barrier;
mod build;
pub mod coverage;
mod export;
pub mod extent;
pub mod flow;
mod lanes;
mod matrix;
pub mod memory;
mod moves;
pub(crate) mod named;
mod operand;
pub mod place;
mod plane;
pub mod reach;
mod scalar;
mod traps;
pub mod uses;
mod vector;

use crate::disasm::{self, Executed};
use crate::isa::does::Does;
use crate::isa::form::{Form, Table};
use crate::isa::row::{Family, Inst};
use crate::isa::sem::Signature;
use crate::isa::{Gen, Target};
use place::{file, slot};

pub use export::Export;
pub use lanes::{BOUND_CONTROL, FETCH_INACTIVE};
pub use matrix::{Adder, Bits, Cdna, Modifiers, Redirect};
pub use memory::{Access, Flags};
pub use moves::Moves;
pub use operand::{From, Source};
pub use traps::{Handler, OUTSIDE_OF_A_HANDLER};
pub use vector::{Dpp, Half, Post, Vector};

/// How many sources a meaning has at most.
pub const MAX_SOURCES: usize = 4;

/// The number of no step.
pub const STOP: u32 = u32::MAX;

/// How many entries the stack of forks has room for: its depth is a number of three bits. Programs need no more than six,
/// because the smaller side runs first.
pub const FORKS: u32 = 7;

/// One instruction taken apart.
pub struct Step {
    /// The number of its first word.
    pub at: u32,
    /// The step that follows.
    pub next: u32,
    /// The step that a branch leads to; [`STOP`] where there is none, or it lies before the first word.
    pub target: u32,
    /// The row of the instruction; nothing where the word is none.
    pub row: Option<&'static Inst>,
    /// The form of the row that its words have.
    pub form: Option<&'static Form>,
    /// What it computes, where that is a meaning. Of an instruction with two operations, the first.
    pub meaning: Option<&'static Signature>,
    /// Whether it is known what it does, so that engines execute it.
    pub executes: bool,
    /// Where the sources lie, in the order of the meaning. Those that are [made ready](Vector::sources) lie nowhere else.
    pub src: [u32; MAX_SOURCES],
    /// Where the result goes.
    pub dst: u32,
    /// The scalar place of a mask that is read.
    pub mask_src: u32,
    /// The scalar place of a mask that is written.
    pub mask_dst: u32,
    /// Which places are vector places: a bit for each source, and [`Step::DST`] for the destination. The others are scalar.
    pub vectors: u8,
    /// A source is a value in LDS at M0, of an instruction that reads or writes one lane.
    pub reads_lds: bool,
    /// An immediate.
    pub imm: u32,
    /// What else a vector instruction needs: sources that are made ready, results that are finished, a second operation.
    pub vector: Option<Box<Vector>>,
    /// What a memory instruction needs.
    pub memory: Option<Box<Access>>,
    /// What an export needs.
    pub export: Option<Box<Export>>,
    /// Where its registers really are, if the instruction or a mode moves them at run time.
    pub moves: Option<Box<Moves>>,
}

impl Step {
    /// The destination's bit in [`Step::vectors`].
    pub const DST: u8 = 1 << MAX_SOURCES;

    /// All sources are vector places.
    pub(crate) const SOURCES: u8 = Step::DST - 1;

    /// An instruction of which nothing is known yet.
    fn new(at: u32) -> Step {
        Step {
            at,
            next: at + 1,
            target: STOP,
            row: None,
            form: None,
            meaning: None,
            executes: true,
            src: [slot::ZERO as u32; MAX_SOURCES],
            dst: slot::SINK as u32,
            mask_src: slot::ZERO as u32,
            mask_dst: slot::SINK as u32,
            vectors: 0,
            reads_lds: false,
            imm: 0,
            vector: None,
            memory: None,
            export: None,
            moves: None,
        }
    }

    /// An operation on vector registers, whose result goes nowhere yet.
    fn computing(at: u32, meaning: &'static Signature) -> Step {
        Step {
            meaning: Some(meaning),
            src: [file::NOWHERE; MAX_SOURCES],
            dst: file::NOWHERE,
            vectors: Step::SOURCES | Step::DST,
            ..Step::new(at)
        }
    }

    /// The family of the instruction.
    #[must_use]
    pub fn family(&self) -> Option<Family> {
        self.row.map(|row| row.family)
    }

    /// What its row says that it does.
    #[must_use]
    pub fn does(&self) -> Option<Does> {
        self.row.map(|row| row.does)
    }

    /// The second operation of an instruction that has two.
    #[must_use]
    pub fn second(&self) -> Option<&Step> {
        self.vector.as_deref()?.more.as_deref()
    }
}

/// Code taken apart.
pub struct Program {
    /// What it is for.
    pub target: Target,
    /// The instructions that there are.
    table: &'static Table,
    /// The address of its first word.
    pub base: u64,
    /// Its words.
    pub words: Vec<u32>,
    /// A step a word.
    pub steps: Vec<Step>,
    /// The words of scalar constants, by their places behind [`slot::CONSTANTS`].
    pub scalar_constants: Vec<u32>,
    /// The words of vector constants, by their places behind [`file::CONSTANTS`].
    pub vector_constants: Vec<u32>,
    /// How many vector registers waves are given or name, no accumulation registers among them. All of either, where nothing
    /// else is known.
    pub vgprs: u32,
    /// Whether it reads the exceptions that float operations raise: then all of them are computed where exceptions are seen.
    pub reads_exceptions: bool,
    /// The trap handler, where there is one.
    pub handler: Option<Handler>,
    /// Whether groups may have to wait for each other, or share more than memory: the global data share and its wave sync.
    pub across: bool,
}

impl Program {
    /// Takes `words` apart for a target, with the first word at the guest address `base`.
    #[must_use]
    pub fn new(target: Target, words: &[u32], base: u64) -> Program {
        Program::of(Table::of(target.executing()), words, base)
    }

    /// As [`Program::new`], with the instructions of a table.
    #[must_use]
    pub fn of(table: &'static Table, words: &[u32], base: u64) -> Program {
        build::program(table, words, base)
    }

    /// The same program for waves that begin with a MODE. GPR index mode and VSKIP, which MODE may have, are else looked at
    /// only where the program sets them.
    #[must_use]
    pub fn beginning_with(mut self, mode: u32) -> Program {
        if moves::begins_in(self.target, mode) {
            moves::wrap_all(&mut self.steps);
        }
        self
    }

    /// The step at a guest address; [`STOP`] where there is no code.
    #[must_use]
    pub fn step_at(&self, address: u64) -> u32 {
        // The two lowest bits of the program counter are always zero.
        // Addresses have 48 bits, however the others are spelled.
        let offset = ((address & !3).wrapping_sub(self.base) & 0xffff_ffff_ffff) / 4;
        if offset < self.steps.len() as u64 { offset as u32 } else { STOP }
    }

    /// The guest address of a step.
    #[must_use]
    pub fn address_of(&self, step: u32) -> u64 {
        self.base.wrapping_add(u64::from(step) * 4)
    }

    /// What a program reads as the address of a step: gfx12 leaves the sign of the 48 bits to it (LLVM's GetPCZeroExtension).
    #[must_use]
    pub fn read_pc(&self, step: u32) -> u64 {
        let address = self.address_of(step);
        if self.target.generation() == Gen::Gfx12 { address & 0xffff_ffff_ffff } else { address }
    }

    /// The text of the instruction at a step.
    #[must_use]
    pub fn text(&self, step: u32) -> String {
        // The longest instruction and the word behind it, not all that is left of a long program.
        const WORDS: usize = 8;
        let Some(words) = self.words.get(step as usize..) else { return String::new() };
        let words = &words[..words.len().min(WORDS)];
        let table = self.table;
        // As the disassembler has it, where it does.
        let read = disasm::decode(table, words).map(|decoded| (decoded, words.to_vec()));
        let read = read.or_else(|_| disasm::executed(table, words).map(|e| (e.decoded, e.words.to_vec())));
        match read {
            Ok((decoded, mut words)) => {
                // Families look at a word behind their own.
                words.resize(words.len().max(usize::from(decoded.len) + 1), 0);
                let mut text = Vec::new();
                disasm::print(table, &decoded, &words, &mut text);
                String::from_utf8_lossy(&text).into_owned()
            }
            Err(reason) => format!(".long {:#010x} ; {reason}", words.first().copied().unwrap_or(0)),
        }
    }

    /// The instruction at a step.
    ///
    /// # Errors
    /// Why there is none.
    pub fn executed(&self, step: u32) -> Result<Executed<'static>, disasm::Reason> {
        disasm::executed(self.table, self.words.get(step as usize..).unwrap_or_default())
    }
}
