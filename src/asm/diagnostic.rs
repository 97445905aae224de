//! What the assembler says about a file: where, what, and the line with a mark under it.

use std::fmt;
use std::ops::Range;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// No object file.
    Error,
    /// Probably not what was meant.
    Warning,
    /// `.print`
    Note,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        })
    }
}

/// One message.
///
/// Inside an expanded macro the line number is that of the macro's definition, the text of the line is the expanded one, and
/// the notes lead to where it was called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column in bytes, from 1.
    pub column: u32,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// The line, without its end.
    pub line_text: String,
    /// The bytes of the line that are meant.
    pub span: Range<usize>,
    /// How we came here: macros, repetitions, included files; the innermost first.
    pub notes: Vec<Note>,
}

/// One step of how we came to a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column in bytes, from 1.
    pub column: u32,
    /// What happens there: "in the expansion of macro `m`".
    pub message: String,
}

/// Only the first and the last few steps of a deep recursion are shown.
const SHOWN_NOTES: usize = 8;

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}:{}:{}: {}: {}", self.file, self.line, self.column, self.severity, self.message)?;
        writeln!(f, "{}", self.line_text)?;
        let start = self.span.start.min(self.line_text.len());
        let before = self.line_text.as_bytes().get(..start).unwrap_or_default();
        // One column for each character: the bytes which continue one have none.
        let columns = |bytes: &[u8]| bytes.iter().filter(|&&b| b & 0xc0 != 0x80).count();
        for &b in before {
            if b == b'\t' {
                f.write_str("\t")?;
            } else if b & 0xc0 != 0x80 {
                f.write_str(" ")?;
            }
        }
        let marked = self.line_text.as_bytes().get(start..self.span.end.min(self.line_text.len())).unwrap_or_default();
        write!(f, "^{}", "~".repeat(columns(marked).saturating_sub(1)))?;
        let hidden = self.notes.len().saturating_sub(SHOWN_NOTES);
        for (i, note) in self.notes.iter().enumerate() {
            if hidden > 0 && i == SHOWN_NOTES / 2 {
                write!(f, "\n({hidden} more)")?;
            }
            if i < SHOWN_NOTES / 2 || i >= SHOWN_NOTES / 2 + hidden {
                write!(f, "\n{}:{}:{}: note: {}", note.file, note.line, note.column, note.message)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_the_line_and_a_mark_under_it() {
        let mut shown = Diagnostic {
            file: "a.s".into(),
            line: 3,
            column: 4,
            severity: Severity::Error,
            message: "unknown instruction `v_ad`".into(),
            line_text: "\tv_ad v0".into(),
            span: 1..5,
            notes: vec![Note { file: "b.s".into(), line: 1, column: 1, message: "included here".into() }],
        };
        assert_eq!(
            shown.to_string(),
            "a.s:3:4: error: unknown instruction `v_ad`\n\tv_ad v0\n\t^~~~\nb.s:1:1: note: included here"
        );
        shown.span = 100..200;
        shown.notes.clear();
        assert!(shown.to_string().ends_with("\n\t       ^"));
    }
}
