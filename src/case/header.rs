//! The header of a case file: the lines at the start which are blank or begin with `;`.
//!
//! A statement ends with its line, unless a bracket is still open: then it goes on in the next line behind its `;`. To keep every
//! place in the text right, such lines are joined in a copy where the line end and the `;` are blanks; the readers of statements work
//! on pieces of the copy and know nothing of it.

use super::Body;
use crate::asm::{AsmError, Diagnostic, Severity};

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

/// Errors of a header in the order of their places, as they are shown.
pub(crate) fn diagnostics(text: &str, name: &str, mut errors: Vec<AsmError>) -> Vec<Diagnostic> {
    errors.sort_by_key(|e| e.span.start);
    errors.truncate(MAX_ERRORS);
    errors.iter().map(|error| diagnostic(text, name, error)).collect()
}

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
