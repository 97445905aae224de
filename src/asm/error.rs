//! What can be wrong with a text, and how it is shown.
//!
//! A [`Problem`] is data: the layers below the program never format text. The span counts bytes of the statement; the source
//! layer adds file and line.

use std::ops::Range;

/// A problem and where it is.
#[derive(Clone, Debug, PartialEq)]
pub struct AsmError {
    /// Bytes of the statement, from its first byte.
    pub span: Range<usize>,
    /// What is wrong.
    pub problem: Problem,
}

/// The result of every step of the assembler.
pub type AsmResult<T> = Result<T, AsmError>;

/// What is wrong.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Problem {
    /// No such instruction on any processor, or not on this one.
    #[error("unknown instruction `{name}`{}", hint(.near))]
    UnknownMnemonic {
        /// As written.
        name: String,
        /// "did you mean", or where it exists.
        near: Option<String>,
    },
    /// Something else was expected.
    #[error("expected {0}")]
    Expected(&'static str),
    /// A number which does not fit.
    #[error("{what} must be in {min}..={max}, not {value}")]
    Range {
        /// What the number is.
        what: &'static str,
        /// As written.
        value: i64,
        /// Smallest.
        min: i64,
        /// Largest.
        max: i64,
    },
    /// A name that this place does not know.
    #[error("unknown {what} `{name}`{}", hint(.near))]
    UnknownName {
        /// What kind of name was looked for.
        what: &'static str,
        /// As written.
        name: String,
        /// A near miss.
        near: Option<String>,
    },
    /// A rule of the hardware or of the syntax that the operands break; the text says which.
    #[error("{0}")]
    Rule(&'static str),
    /// As [`Problem::Rule`], with the name it is about.
    #[error("{rule}: `{name}`")]
    Named {
        /// The rule.
        rule: &'static str,
        /// What breaks it.
        name: String,
    },
}

#[allow(clippy::ref_option, reason = "called from the derive with a reference to the field")]
fn hint(near: &Option<String>) -> String {
    near.as_ref().map_or_else(String::new, |n| format!(" ({n})"))
}

impl AsmError {
    /// A problem at a span.
    #[must_use]
    pub fn new(span: Range<usize>, problem: Problem) -> AsmError {
        AsmError { span, problem }
    }

    /// `expected ...` at one position.
    #[must_use]
    pub fn expected(pos: usize, what: &'static str) -> AsmError {
        AsmError { span: pos..pos + 1, problem: Problem::Expected(what) }
    }

    /// A broken rule at a span.
    #[must_use]
    pub fn rule(span: Range<usize>, rule: &'static str) -> AsmError {
        AsmError { span, problem: Problem::Rule(rule) }
    }
}

impl std::fmt::Display for AsmError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.problem.fmt(f)
    }
}

impl std::error::Error for AsmError {}
