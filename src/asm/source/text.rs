//! The text being read: a stack of frames (files, expanded macros, repetitions) and the statements of each.
//!
//! A frame is a text and a position. Lines are not counted while reading: a [`Spot`] is an offset into a text, and where the lines of
//! a text end is found out when somebody first wants to know a line's number: when something is wrong, or for a kernel's description.
//!
//! A statement ends at a newline, `;` (which starts a comment) or `//`. A block comment is white space even where it spans
//! lines, so that a statement may span lines too.

use crate::asm::diagnostic::{Diagnostic, Note, Severity};
use crate::asm::module::Location;
use std::cell::OnceCell;
use std::ops::Range;
use std::rc::Rc;

/// A text and where it came from.
#[derive(Debug)]
pub(super) struct Origin {
    /// The file; of an expansion, the one with the body.
    pub file: Rc<str>,
    /// The text, expanded.
    pub text: Rc<str>,
    /// Where the first line is in the text which this one expands; nothing for a file. Counted only when asked for.
    pub body: Option<Spot>,
    /// The lines after which the numbers start again: those of the body of a repetition; 0: never.
    pub period: u32,
    /// Why it is read, and from where.
    pub cause: Option<(String, Spot)>,
    /// Where its lines end, once somebody has asked.
    pub ends: OnceCell<Vec<usize>>,
}

/// A place in a text.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    pub origin: Rc<Origin>,
    pub at: usize,
}

impl Origin {
    /// How many lines end before an offset.
    fn ended(&self, at: usize) -> usize {
        let find = || self.text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(at, _)| at).collect();
        self.ends.get_or_init(find).partition_point(|end| *end < at)
    }

    /// The line number of an offset.
    pub fn line(&self, at: usize) -> u32 {
        let lines = self.ended(at) as u32;
        let first = self.body.as_ref().map_or(1, |body| body.origin.line(body.at));
        first + if self.period > 0 { lines % self.period } else { lines }
    }

    /// The offsets of the line around an offset, without its end.
    fn line_range(&self, at: usize) -> Range<usize> {
        let bytes = self.text.as_bytes();
        let at = at.min(bytes.len());
        let start = bytes[..at].iter().rposition(|&b| b == b'\n').map_or(0, |p| p + 1);
        let end = bytes[at..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |p| at + p);
        let end = if end > start && bytes[end - 1] == b'\r' { end - 1 } else { end };
        start..end
    }
}

impl Spot {
    /// The place, for people. The span counts from the spot.
    pub fn location(&self, span: &Range<usize>) -> Location {
        let at = self.at + span.start;
        let line = self.origin.line_range(at);
        let start = at.saturating_sub(line.start);
        Location {
            file: self.origin.file.to_string(),
            line: self.origin.line(at),
            column: start as u32 + 1,
            span: start..start + span.len(),
        }
    }

    /// A message about a span which counts from the spot.
    pub fn diagnostic(&self, severity: Severity, message: String, span: &Range<usize>) -> Diagnostic {
        let Location { file, line, column, span: shown } = self.location(span);
        let line_text = self.origin.text.get(self.origin.line_range(self.at + span.start)).unwrap_or("").to_owned();
        let mut notes = Vec::new();
        let mut cause = &self.origin.cause;
        while let Some((why, from)) = cause {
            let Location { file, line, column, .. } = from.location(&(0..1));
            notes.push(Note { file, line, column, message: why.clone() });
            cause = &from.origin.cause;
        }
        Diagnostic { file, line, column, severity, message, line_text, span: shown, notes }
    }
}

/// Why a frame is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameKind {
    /// The file itself, or an included one.
    File,
    /// A macro, or a repetition: `.exitm` leaves it.
    Expansion,
}

/// A text being read.
#[derive(Debug)]
pub(super) struct Frame {
    pub origin: Rc<Origin>,
    pub pos: usize,
    pub kind: FrameKind,
    /// How many conditionals were open when it began.
    pub conditions: usize,
}

/// Where a statement lies in a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Statement {
    pub range: Range<usize>,
    /// Where the next one starts.
    pub next: usize,
    /// A block comment or string without end.
    pub open: Option<&'static str>,
}

const PLAIN: [bool; 256] = {
    let mut t = [true; 256];
    t[b'\n' as usize] = false;
    t[b';' as usize] = false;
    t[b'/' as usize] = false;
    t[b'"' as usize] = false;
    t[b'\'' as usize] = false;
    t
};

/// The statement at a position.
pub(super) fn statement(text: &str, from: usize) -> Statement {
    let bytes = text.as_bytes();
    let mut open = None;
    let mut at = from;
    let line_end = |at: usize| bytes[at..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |p| at + p);
    // A `#` at the start of a statement makes it a comment, whatever it holds.
    let first = bytes[from..].iter().position(|b| !matches!(b, b' ' | b'\t' | b'\r')).map_or(bytes.len(), |p| from + p);
    if bytes.get(first) == Some(&b'#') {
        let end = line_end(first);
        return Statement { range: first..first, next: end + 1, open };
    }
    loop {
        while let Some(&b) = bytes.get(at) {
            if !PLAIN[b as usize] {
                break;
            }
            at += 1;
        }
        match (bytes.get(at), bytes.get(at + 1)) {
            (None | Some(b'\n'), _) => return Statement { range: from..at, next: at + 1, open },
            (Some(b';'), _) | (Some(b'/'), Some(b'/')) => {
                return Statement { range: from..at, next: line_end(at) + 1, open };
            }
            (Some(b'/'), Some(b'*')) => match bytes[at + 2..].windows(2).position(|w| w == b"*/") {
                Some(p) => at += p + 4,
                None => {
                    open = Some("the comment does not end");
                    return Statement { range: from..at, next: bytes.len(), open };
                }
            },
            (Some(b'"'), _) => {
                at += 1;
                loop {
                    match bytes.get(at) {
                        Some(b'"') => break at += 1,
                        Some(b'\\') if !matches!(bytes.get(at + 1), None | Some(b'\n')) => at += 2,
                        None | Some(b'\n') => break open = Some("the string does not end"),
                        Some(_) => at += 1,
                    }
                }
            }
            (Some(b'\''), Some(b'\\')) if bytes.get(at + 3) == Some(&b'\'') => at += 4,
            (Some(b'\''), Some(&c)) if c != b'\n' && bytes.get(at + 2) == Some(&b'\'') => at += 3,
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::statement;

    fn all(text: &str) -> Vec<&str> {
        let mut at = 0;
        let mut found = Vec::new();
        while at < text.len() {
            let s = statement(text, at);
            found.push(&text[s.range]);
            at = s.next;
        }
        found
    }

    #[test]
    fn splits() {
        assert_eq!(all("a\nb ; c\nd // e\n# \"f\n g"), ["a", "b ", "d ", "", " g"]);
        assert_eq!(all("a /* ; \n */ b\nc"), ["a /* ; \n */ b", "c"]);
        assert_eq!(all(".ascii \"a;\\\"//\", ';'\nb"), [".ascii \"a;\\\"//\", ';'", "b"]);
        assert_eq!(all(" \"a\nb"), [" \"a", "b"]);
        assert_eq!(all("a /* b\nc"), ["a "]);
        assert_eq!(all("é'é\n'\\"), ["é'é", "'\\"]);
    }
}
