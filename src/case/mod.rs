//! The case file: assembly with a header which says what state it starts in and what is expected.

mod error;

pub use error::CaseError;

/// One case, as parsed.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Its name: the file's, without the ending.
    pub name: String,
    /// The assembly, without the header.
    pub body: String,
}
