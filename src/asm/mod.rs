//! Text to machine code.
//!
//! - [`cursor`], [`expr`]: reading tokens and expressions from one statement;
//! - [`error`], [`diagnostic`]: what can be wrong with it, and how that is shown;
//! - [`symbols`]: names inside operands: registers of the hardware, messages, counters, formats, lane controls;
//! - [`near`]: what a misspelt name may have meant;
//! - `inst`: one instruction: candidates by mnemonic, operands matched against their forms;
//! - [`source`]: whole files: labels, symbols, sections, macros, conditionals, data, kernel descriptors.

mod constant;
pub mod cursor;
pub mod diagnostic;
pub mod error;
pub mod expr;
mod families;
pub mod inst;
mod matcher;
mod modifiers;
pub mod module;
pub mod near;
pub mod operand;
mod rules;
pub mod source;
pub mod symbols;

pub use constant::{inline_of_word, inline_value};
pub use diagnostic::{Diagnostic, Severity};
pub use error::{AsmError, AsmResult, Problem};
pub use inst::Assembler;

use expr::Expr;
use std::ops::Range;

/// The words of one instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Encoded {
    /// The words; what lies behind `len` is zero.
    pub words: [u32; 5],
    /// How many there are.
    pub len: u8,
    /// What the end of the source still has to fill in.
    pub fixup: Option<Fixup>,
}

/// A value that was not known when the instruction was encoded.
#[derive(Clone, Debug, PartialEq)]
pub struct Fixup {
    /// The word it goes into.
    pub word: u8,
    /// How.
    pub kind: FixupKind,
    /// The value.
    pub expr: Box<Expr>,
    /// Where it stands in the statement.
    pub span: Range<usize>,
}

/// Where a late value goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixupKind {
    /// Bits 15:0: the distance in words from the end of the (one-word) instruction to the target, signed.
    Branch,
    /// The whole word: a literal constant, or a relocation in an object file.
    Literal,
}
