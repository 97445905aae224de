//! What can be wrong with a case.

use crate::asm::Diagnostic;
use std::fmt;

/// Why a case cannot be read, assembled or started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CaseError {
    /// The text is wrong: every error, with its place.
    #[error("{}", Lines(.0))]
    Text(Vec<Diagnostic>),
    /// The case does not run on this processor or with this wave size.
    #[error("{case} is not for {target}")]
    NotFor {
        /// The case.
        case: String,
        /// The processor.
        target: String,
    },
    /// A file that gives a buffer its contents cannot be read.
    #[error("{file}: {reason}")]
    File {
        /// The file.
        file: String,
        /// Why.
        reason: String,
    },
    /// There are too many waves, too large a group, or too much memory.
    #[error("{case}: the dispatch or its memory is too large, or empty")]
    TooLarge {
        /// The case.
        case: String,
    },
    /// A register that the processor does not have.
    #[error("{case}: {target} has no {place}; `expect[...]` says what is for which processor")]
    NoRegister {
        /// The case.
        case: String,
        /// The register, or the range.
        place: String,
        /// The processor.
        target: &'static str,
    },
    /// Two pieces of memory at one address.
    #[error("{case}: {one} and {other} overlap in memory")]
    Overlap {
        /// The case.
        case: String,
        /// One.
        one: String,
        /// The other.
        other: String,
    },
    /// A file of machine code that is none.
    #[error(
        "{file}: {bytes} bytes are no machine code: it comes in words of four bytes, at least one and at most 1 MiB"
    )]
    Code {
        /// The file.
        file: String,
        /// Its size.
        bytes: usize,
    },
    /// A label that the assembly does not have.
    #[error("{case} has no label `{label}`")]
    Label {
        /// The case.
        case: String,
        /// The label.
        label: String,
    },
    /// A trap handler, or the memory of one, whose address a register of the machine cannot hold.
    #[error("{case}: {what} begins at {at:#x}: it must lie at a multiple of 256 bytes (code: `.p2align 8`)")]
    Handler {
        /// The case.
        case: String,
        /// What.
        what: String,
        /// Where it begins.
        at: u64,
    },
    /// The text refers to something that only a linker could place.
    #[error("{case} refers to symbols outside its text; a case keeps its data in buffers")]
    NeedsLinking {
        /// The case.
        case: String,
    },
    /// A field of a descriptor that the generation does not have, or a value that does not fit into it.
    #[error("{field} of a buffer descriptor cannot be {value} on {target}")]
    Descriptor {
        /// The field.
        field: &'static str,
        /// The value.
        value: String,
        /// The processor.
        target: String,
    },
}

/// Diagnostics, one below the other.
struct Lines<'a>(&'a [Diagnostic]);

impl fmt::Display for Lines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, diagnostic) in self.0.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            write!(f, "{diagnostic}")?;
        }
        Ok(())
    }
}
