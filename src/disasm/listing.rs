//! A whole section as text that assembles to the same bytes.
//!
//! Two passes. The first decodes and remembers where instructions begin and where branches lead; a label is put where a branch leads to
//! the beginning of a line. The second prints. Every text is assembled again before it is shown: where LLVM's text does not say
//! all that the bits say, the words stand as `.long` with the text behind them as a comment. So the law "what is printed
//! assembles to the same bytes" holds by construction, and what it costs is the difference to [`super::print`] alone.

use super::{Decoded, Executed, decode, executed, extent, print};
use crate::asm::Assembler;
use crate::asm::expr::NoSymbols;
use crate::isa::Target;
use crate::isa::form::{FormFlags, Kind, Table};
use std::io::Write;

/// Code, and what is known about it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Source<'a> {
    /// The bytes.
    pub bytes: &'a [u8],
    /// The address of the first one, as the comments count.
    pub address: u64,
    /// Text that stands in front of what begins at an offset (labels of symbols, directives): whole lines, by rising offset. No
    /// instruction reaches over such an offset.
    pub before: &'a [(u64, String)],
    /// What a linker puts into the words at offsets: expressions to print instead of the number, by rising offset. For a branch it is the
    /// offset of the instruction.
    pub values: &'a [(u64, String)],
    /// The number of the first label.
    pub first_label: usize,
}

/// A section, decoded once: its labels are known.
pub struct Listing<'a> {
    table: &'static Table,
    assembler: Assembler,
    source: Source<'a>,
    words: Vec<u32>,
    /// Word numbers of labels, rising.
    labels: Vec<usize>,
}

/// What one place of a section turned out to be, for programs that want more than the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Instructions.
    pub instructions: usize,
    /// Words which are no instruction.
    pub data: usize,
    /// Instructions whose text would assemble to other bytes.
    pub ambiguous: usize,
}

/// The column where comments begin.
const COMMENT: usize = 60;
/// A literal that no instruction has by accident, and no inline constant.
const MARK: u32 = 0x5e17_a5ed;
const MARK_TEXT: &str = "0x5e17a5ed";

impl<'a> Listing<'a> {
    /// Reads a section.
    #[must_use]
    pub fn new(target: Target, source: &Source<'a>) -> Listing<'a> {
        let words = source.bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
        let assembler = Assembler::new(target);
        let mut listing = Listing { table: Table::of(target), assembler, source: *source, words, labels: Vec::new() };
        listing.find_labels();
        listing
    }

    /// How many labels branches need.
    #[must_use]
    pub fn labels(&self) -> usize {
        self.labels.len()
    }

    fn find_labels(&mut self) {
        let mut starts = vec![false; self.words.len() + 1];
        let mut targets = Vec::new();
        let mut before = self.source.before.iter().peekable();
        let mut at = 0;
        while at < self.words.len() {
            starts[at] = true;
            while before.next_if(|(offset, _)| *offset <= 4 * at as u64).is_some() {}
            let end = before.peek().map_or(self.words.len(), |(offset, _)| word_of(*offset, self.words.len()));
            let Ok(decoded) = decode(self.table, &self.words[at..end]) else {
                at += extent(self.table, &self.words[at..end]);
                continue;
            };
            targets.extend(self.target_of(&decoded, at));
            at += usize::from(decoded.len);
        }
        // A label may stand behind the last instruction, if that is the end.
        starts[self.words.len()] = self.source.bytes.len().is_multiple_of(4);
        targets.retain(|&t| starts[t]);
        targets.sort_unstable();
        targets.dedup();
        self.labels = targets;
    }

    /// The word that a branch at a word leads to, if it lies in the section.
    fn target_of(&self, decoded: &Decoded<'_>, at: usize) -> Option<usize> {
        let slot = decoded.form.slots.iter().find(|s| s.kind == Kind::Target)?;
        let distance = slot.span.get(&self.words[at..]) as u16 as i16;
        (at + 1).checked_add_signed(distance.into()).filter(|&t| t <= self.words.len())
    }

    /// Appends the lines of the section.
    pub fn print(&self, out: &mut Vec<u8>) -> Counts {
        let mut counts = Counts::default();
        let mut before = self.source.before.iter().peekable();
        let mut values = self.source.values.iter().peekable();
        let mut labels = self.labels.iter().enumerate().peekable();
        let (mut text, mut spare) = (Vec::new(), Vec::new());
        let mut at = 0;
        loop {
            let offset = 4 * at as u64;
            while let Some((_, lines)) = before.next_if(|(o, _)| *o <= offset) {
                out.extend_from_slice(lines.as_bytes());
            }
            if let Some((n, _)) = labels.next_if(|(_, word)| **word == at) {
                self.push_label(n, out);
                out.extend_from_slice(b":\n");
            }
            if at >= self.words.len() {
                break;
            }
            let end = before.peek().map_or(self.words.len(), |(o, _)| word_of(*o, self.words.len()));
            let words = &self.words[at..end];
            while values.next_if(|(o, _)| *o < offset).is_some() {}
            text.clear();
            let line = out.len();
            let decoded = match decode(self.table, words) {
                Ok(decoded) => decoded,
                Err(reason) => {
                    let len = extent(self.table, words);
                    counts.data += len;
                    numbers(&words[..len], out);
                    self.comment(line, at, out);
                    let _ = write!(out, "{reason}");
                    self.note_executed(words, &mut text, out);
                    out.push(b'\n');
                    at += len;
                    continue;
                }
            };
            counts.instructions += 1;
            let len = usize::from(decoded.len);
            print(self.table, &decoded, words, &mut text);
            let problem = self.problem(&text, &words[..len]);
            let Some(problem) = problem else {
                let value = values.peek().filter(|(o, _)| *o < offset + 4 * len as u64);
                self.refer(&decoded, at, value.map(|v| v.1.as_str()), &mut text, &mut spare);
                out.push(b'\t');
                out.extend_from_slice(&text);
                self.comment(line, at, out);
                for (i, word) in words[..len].iter().enumerate() {
                    let _ = write!(out, "{}{word:08X}", if i > 0 { " " } else { "" });
                }
                out.push(b'\n');
                at += len;
                continue;
            };
            counts.ambiguous += 1;
            numbers(&words[..len], out);
            self.comment(line, at, out);
            out.extend_from_slice(&text);
            let _ = writeln!(out, " ({problem})");
            at += len;
        }
        let tail = &self.source.bytes[4 * self.words.len()..];
        if !tail.is_empty() {
            let line = out.len();
            out.extend_from_slice(b"\t.byte ");
            for (i, byte) in tail.iter().enumerate() {
                let _ = write!(out, "{}0x{byte:02x}", if i > 0 { ", " } else { "" });
            }
            self.comment(line, at, out);
            out.extend_from_slice(b"less than a word\n");
        }
        for (_, lines) in before {
            out.extend_from_slice(lines.as_bytes());
        }
        counts
    }

    /// What words without a text of their own are to the hardware, if they are an instruction.
    fn note_executed(&self, words: &[u32], text: &mut Vec<u8>, out: &mut Vec<u8>) {
        if let Ok(Executed { decoded, words }) = executed(self.table, words) {
            print(self.table, &decoded, &words, text);
            let _ = write!(out, "; executed as {}", String::from_utf8_lossy(text));
        }
    }

    fn push_label(&self, n: usize, out: &mut Vec<u8>) {
        let _ = write!(out, ".L{:04}", self.source.first_label + n);
    }

    /// Fills up to the column of comments, and gives the address.
    fn comment(&self, line: usize, at: usize, out: &mut Vec<u8>) {
        let column = out.len() - line;
        out.resize(out.len() + COMMENT.saturating_sub(column).max(1), b' ');
        let _ = write!(out, "// {:012X}: ", self.source.address.wrapping_add(4 * at as u64));
    }

    /// Why a text does not stand for its words, if so.
    fn problem(&self, text: &[u8], words: &[u32]) -> Option<String> {
        let text = std::str::from_utf8(text).unwrap_or_default();
        match self.assembler.encode(text, &NoSymbols) {
            Ok(e) if e.fixup.is_none() && e.words[..usize::from(e.len)] == *words => None,
            Ok(_) => Some("this text assembles to other bytes".to_owned()),
            Err(error) => Some(error.to_string()),
        }
    }

    /// Puts names in the place of numbers: the label of a branch, the expression of a literal.
    fn refer(&self, decoded: &Decoded<'_>, at: usize, value: Option<&str>, text: &mut Vec<u8>, spare: &mut Vec<u8>) {
        let form = decoded.form;
        if form.slots.last().is_some_and(|s| s.kind == Kind::Target) {
            let label = self.target_of(decoded, at).and_then(|t| self.labels.binary_search(&t).ok());
            let operand = text.iter().rposition(|&b| b == b' ').map_or(text.len(), |p| p + 1);
            if let Some(value) = value {
                text.truncate(operand);
                text.extend_from_slice(value.as_bytes());
            } else if let Some(n) = label {
                text.truncate(operand);
                self.push_label(n, text);
            }
            return;
        }
        let Some(value) = value else { return };
        let may = FormFlags::HAS_LITERAL | FormFlags::MAY_LITERAL;
        if decoded.len < 2 || !form.flags.intersects(may) {
            return;
        }
        // Print once more with a literal that is easy to find.
        let mut words = [0; 5];
        let len = usize::from(decoded.len);
        words[..len].copy_from_slice(&self.words[at..at + len]);
        words[len - 1] = MARK;
        spare.clear();
        print(self.table, decoded, &words[..len], spare);
        let found = spare.windows(MARK_TEXT.len()).position(|w| w == MARK_TEXT.as_bytes());
        let Some(found) = found.filter(|&p| p > 0 && spare[p - 1] == b' ') else { return };
        if form.slots.iter().any(|s| s.ty.is_16() && s.kind == Kind::Source) {
            return;
        }
        text.clear();
        text.extend_from_slice(&spare[..found]);
        text.extend_from_slice(value.as_bytes());
        text.extend_from_slice(&spare[found + MARK_TEXT.len()..]);
    }
}

/// Appends words as numbers.
fn numbers(words: &[u32], out: &mut Vec<u8>) {
    out.extend_from_slice(b"\t.long ");
    for (i, word) in words.iter().enumerate() {
        let _ = write!(out, "{}0x{word:08x}", if i > 0 { ", " } else { "" });
    }
}

fn word_of(offset: u64, words: usize) -> usize {
    usize::try_from(offset / 4).map_or(words, |w| w.min(words))
}
