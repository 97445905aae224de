//! The header of a case file: the lines at the start which are blank or begin with `;`.
//!
//! A statement ends with its line, unless a bracket is still open: then it goes on in the next line behind its `;`. To keep every
//! place in the text right, such lines are joined in a copy where the line end and the `;` are blanks; the readers of statements work
//! on pieces of the copy and know nothing of it.

use super::Body;
use super::values::{Reader, Use};
use crate::asm::{AsmError, AsmResult, Diagnostic, Severity, near};
use std::ops::Range;

/// A file taken apart.
pub(crate) struct File {
    /// The statements of the header, each with the place of its text.
    pub statements: Vec<(usize, String)>,
    /// Where the header ends.
    pub end: usize,
    /// What stands behind it.
    pub body: Body,
}

impl File {
    /// Takes a text apart.
    pub fn new(text: &str) -> File {
        let (statements, end) = statements(text);
        let (header, rest) = text.split_at_checked(end).unwrap_or((text, ""));
        let line = header.bytes().filter(|&b| b == b'\n').count() as u32 + 1;
        File { statements, end, body: Body { text: rest.trim_end().to_owned(), line } }
    }
}

/// What is noted while the statements of a header are read, whichever family they are of.
#[derive(Default)]
pub(crate) struct Notes {
    /// Errors; their spans count from the start of the file.
    pub errors: Vec<AsmError>,
    /// Keys that stand once, as they come.
    seen: Vec<&'static str>,
    /// Names of buffers that were used.
    uses: Vec<Use>,
}

impl Notes {
    /// An error in a statement that begins at a place of the file.
    pub fn error(&mut self, mut error: AsmError, base: usize) {
        error.span = error.span.start + base..error.span.end + base;
        self.errors.push(error);
    }

    /// A key that may stand once.
    pub fn once(&mut self, key: &'static str, span: Range<usize>) -> AsmResult<()> {
        if self.seen.contains(&key) {
            return Err(AsmError::rule(span, "this key was given before"));
        }
        self.seen.push(key);
        Ok(())
    }

    /// The buffers that a statement has named.
    pub fn used(&mut self, reader: &mut Reader<'_>, base: usize) {
        self.uses.extend(reader.uses.drain(..).map(|(name, span)| (name, span.start + base..span.end + base)));
    }

    /// The names that were used and that no buffer has.
    pub fn unknown<'n>(&self, buffers: impl Iterator<Item = &'n str> + Clone) -> Vec<AsmError> {
        let unknown = self.uses.iter().filter(|(name, _)| !buffers.clone().any(|known| known == name));
        unknown.map(|(name, span)| near::unknown(span.clone(), "buffer", name, buffers.clone())).collect()
    }

    /// The errors in the order of their places, as they are shown.
    pub fn diagnostics(mut self, text: &str, name: &str) -> Vec<Diagnostic> {
        self.errors.sort_by_key(|e| e.span.start);
        self.errors.truncate(MAX_ERRORS);
        self.errors.iter().map(|error| diagnostic(text, name, error)).collect()
    }
}

/// Whether a line of the body looks like one of the header with one of these keys: below the first line of code nobody reads it.
pub(crate) fn is_stray(line: &str, keys: &[&str]) -> bool {
    let Some(comment) = line.trim_start().strip_prefix(';') else { return false };
    let word = comment.trim_start().split([':', '[']).next().unwrap_or("");
    comment.contains(':') && keys.contains(&word)
}

/// What is said of such a line.
pub(crate) const STRAY: &str = "the header ends at the first line of code; this line would be ignored";

/// How many errors of a header are collected.
pub(crate) const MAX_ERRORS: usize = 50;

/// The statements of the header, each with the place of its text, and where the header ends.
pub(crate) fn statements(text: &str) -> (Vec<(usize, String)>, usize) {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut depth = 0u32;
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let line = rest.split_inclusive('\n').next().unwrap_or(rest);
        let inside = line.trim_start();
        if inside.is_empty() {
            at += line.len();
            depth = 0;
            continue;
        }
        let Some(statement) = inside.strip_prefix(';') else { break };
        let start = at + line.len() - statement.len();
        let mut statement = statement.trim_end();
        // Free text has no brackets that count.
        let free = depth == 0 && (statement.starts_with(';') || statement.trim_start().starts_with("source"));
        let (open, comment) = if free { (0, statement.len()) } else { open_brackets(statement, depth) };
        if open > 0 {
            statement = &statement[..comment];
        }
        match found.last_mut() {
            Some((first, joined)) if depth > 0 => {
                joined.extend(std::iter::repeat_n(' ', start - *first - joined.len()));
                joined.push_str(statement);
            }
            _ => found.push((start, statement.to_owned())),
        }
        depth = open;
        at += line.len();
    }
    (found, at)
}

/// How many brackets are open behind a line, and where its comment begins.
fn open_brackets(line: &str, mut depth: u32) -> (u32, usize) {
    let mut quoted = false;
    for (at, c) in line.bytes().enumerate() {
        match c {
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b';' => return (depth, at),
            b'[' | b'(' => depth += 1,
            b']' | b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    (depth, line.len())
}

/// An error, shown at its place.
fn diagnostic(text: &str, name: &str, error: &AsmError) -> Diagnostic {
    let at = error.span.start.min(text.len());
    let bytes = text.as_bytes();
    let start = bytes[..at].iter().rposition(|&b| b == b'\n').map_or(0, |p| p + 1);
    let end = bytes[at..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |p| at + p);
    Diagnostic {
        file: name.to_owned(),
        line: bytes[..at].iter().filter(|&&b| b == b'\n').count() as u32 + 1,
        column: (at - start) as u32 + 1,
        severity: Severity::Error,
        message: error.problem.to_string(),
        line_text: text.get(start..end).unwrap_or("").trim_end_matches('\r').to_owned(),
        span: at - start..error.span.end.clamp(at, end.max(at)) - start,
        notes: Vec::new(),
    }
}
