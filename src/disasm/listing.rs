//! A whole section as text that assembles to the same bytes.
//!
//! Two passes. The first decodes and remembers where branches lead; a label is put where a branch leads to
//! the beginning of a line. The second prints. Every text is proved before it is shown ([`super::shape`]): where LLVM's text does not say
//! all that the bits say, the words stand as `.long` with the text behind them as a comment. So the law "what is printed
//! assembles to the same bytes" holds by construction.

use super::decode::number_and_length;
use super::labels::Labels;
use super::shape::Prover;
use super::{Decoded, Executed, decode, executed, extent, print};
use crate::isa::Target;
use crate::isa::form::{Form, FormFlags, Kind, Table};
use crate::isa::text::{eight_digits, push_hex_digits, push_udec};
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
    target: Target,
    source: Source<'a>,
    words: Vec<u32>,
    /// Word numbers of labels, rising.
    labels: Vec<u64>,
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
        let words = words_of(source.bytes);
        let mut labels = Labels::new();
        let mut before = source.before.iter().peekable();
        let table = Table::of(target);
        let mut at = 0;
        while at < words.len() {
            while before.next_if(|(offset, _)| *offset <= 4 * at as u64).is_some() {}
            let end = before.peek().map_or(words.len(), |(offset, _)| word_of(*offset, words.len()));
            at += note(table, &words[at..end], &mut labels);
        }
        let labels = labels.finish(source.bytes.len().is_multiple_of(4));
        Listing { target, source: *source, words, labels }
    }

    /// How many labels branches need.
    #[must_use]
    pub fn labels(&self) -> usize {
        self.labels.len()
    }

    /// Appends the lines of the section.
    pub fn print(&self, out: &mut Vec<u8>) -> Counts {
        let whole = Piece {
            words: &self.words,
            first: 0,
            stop: self.words.len(),
            labels: &self.labels,
            source: &Source { bytes: &self.source.bytes[4 * self.words.len()..], ..self.source },
            last: true,
        };
        whole.print(Table::of(self.target), &mut Prover::new(self.target), out)
    }
}

/// Bytes as words; what is less than a word is left out.
pub(super) fn words_of(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}

/// Notes the line at the beginning of `words`, and gives its words.
pub(super) fn note(table: &Table, words: &[u32], labels: &mut Labels) -> usize {
    let Ok((number, len)) = number_and_length(table, words) else {
        let len = extent(table, words);
        labels.line(len, None);
        return len;
    };
    let (number, len) = (usize::from(number), usize::from(len));
    labels.line(len, table.quick[number].branches.then(|| distance(&table.forms[number], words)).flatten());
    len
}

/// How far an instruction branches, in words from its end.
fn distance(form: &Form, words: &[u32]) -> Option<i16> {
    form.slots.iter().find(|s| s.kind == Kind::Target).map(|slot| slot.span.get(words) as u16 as i16)
}

/// Lines that follow each other: a whole section, or a piece of one.
pub(super) struct Piece<'a> {
    /// The words, and some behind them that show how long the last instruction is.
    pub(super) words: &'a [u32],
    /// The number of the first word in the section.
    pub(super) first: u64,
    /// The first word behind the piece: an instruction ends there.
    pub(super) stop: usize,
    /// Word numbers of all labels of the section, rising.
    pub(super) labels: &'a [u64],
    /// What is known; of the bytes those behind the last word of the section.
    pub(super) source: &'a Source<'a>,
    /// Whether the section ends with the piece.
    pub(super) last: bool,
}

impl Piece<'_> {
    /// Appends the lines.
    pub(super) fn print(&self, table: &Table, prover: &mut Prover, out: &mut Vec<u8>) -> Counts {
        let mut counts = Counts::default();
        let mut before = self.source.before.iter().peekable();
        let mut values = self.source.values.iter().peekable();
        let mut label = self.labels.partition_point(|word| *word < self.first);
        let mut labelled = self.labels.get(label);
        let mut spare = Vec::new();
        let mut at = 0;
        loop {
            let offset = 4 * (self.first + at as u64);
            while let Some((_, lines)) = before.next_if(|(o, _)| *o <= offset) {
                out.extend_from_slice(lines.as_bytes());
            }
            if at >= self.stop && !self.last {
                break;
            }
            if labelled.is_some_and(|word| 4 * word == offset) {
                self.push_label(label, out);
                out.extend_from_slice(b":\n");
                label += 1;
                labelled = self.labels.get(label);
            }
            if at >= self.stop {
                break;
            }
            let end = before.peek().map_or(self.words.len(), |(o, _)| word_of(*o, self.words.len()));
            let words = &self.words[at..end];
            while values.next_if(|(o, _)| *o < offset).is_some() {}
            let line = out.len();
            let decoded = match decode(table, words) {
                Ok(decoded) => decoded,
                Err(reason) => {
                    let len = extent(table, words);
                    counts.data += len;
                    numbers(&words[..len], out);
                    self.comment(line, at, out);
                    let _ = write!(out, "{reason}");
                    spare.clear();
                    note_executed(table, words, &mut spare, out);
                    out.push(b'\n');
                    at += len;
                    continue;
                }
            };
            counts.instructions += 1;
            let len = usize::from(decoded.len);
            out.push(b'\t');
            let text = out.len();
            prover.print(&decoded, words, out);
            if let Err(problem) = prover.prove(&decoded, &out[text..], words) {
                counts.ambiguous += 1;
                spare.clear();
                spare.extend_from_slice(&out[text..]);
                out.truncate(line);
                numbers(&words[..len], out);
                self.comment(line, at, out);
                out.extend_from_slice(&spare);
                let _ = writeln!(out, " ({problem})");
                at += len;
                continue;
            }
            let value = values.peek().filter(|(o, _)| *o < offset + 4 * len as u64);
            self.refer(table, &decoded, at, value.map(|v| v.1.as_str()), out, text, &mut spare);
            self.comment(line, at, out);
            for word in &words[..len] {
                let mut digits = [b' '; 9];
                digits[..8].copy_from_slice(&eight_digits::<b'A'>(*word));
                out.extend_from_slice(&digits);
            }
            out.pop();
            out.push(b'\n');
            at += len;
        }
        if self.last {
            self.tail(out);
            for (_, lines) in before {
                out.extend_from_slice(lines.as_bytes());
            }
        }
        counts
    }

    /// Appends the bytes behind the last whole word.
    fn tail(&self, out: &mut Vec<u8>) {
        let tail = self.source.bytes;
        if tail.is_empty() {
            return;
        }
        let line = out.len();
        out.extend_from_slice(b"\t.byte ");
        for (i, byte) in tail.iter().enumerate() {
            let _ = write!(out, "{}0x{byte:02x}", if i > 0 { ", " } else { "" });
        }
        self.comment(line, self.stop, out);
        out.extend_from_slice(b"less than a word\n");
    }

    fn push_label(&self, n: usize, out: &mut Vec<u8>) {
        let n = self.source.first_label + n;
        out.extend_from_slice(b".L");
        for limit in [1000, 100, 10] {
            if n < limit {
                out.push(b'0');
            }
        }
        push_udec(out, n as u64);
    }

    /// Fills up to the column of comments, and gives the address.
    fn comment(&self, line: usize, at: usize, out: &mut Vec<u8>) {
        let begin = (line + COMMENT).max(out.len() + 1);
        out.extend_from_slice(&[b' '; COMMENT]);
        out.truncate(begin);
        let address = self.source.address.wrapping_add(4 * (self.first + at as u64));
        // Nearly every address has twelve digits, and then all is in its place.
        let mut text = *b"// 000000000000: ";
        text[3..7].copy_from_slice(&eight_digits::<b'A'>((address >> 32) as u32)[4..]);
        text[7..15].copy_from_slice(&eight_digits::<b'A'>(address as u32));
        if address >> 48 == 0 {
            out.extend_from_slice(&text);
        } else {
            out.extend_from_slice(b"// ");
            push_hex_digits(out, address, 12);
            out.extend_from_slice(b": ");
        }
    }

    /// Puts names in the place of numbers in the text that begins at `text`: the label of a branch, the expression of a literal.
    #[expect(clippy::too_many_arguments, reason = "two buffers, and where in one of them")]
    fn refer(
        &self,
        table: &Table,
        decoded: &Decoded<'_>,
        at: usize,
        value: Option<&str>,
        out: &mut Vec<u8>,
        text: usize,
        spare: &mut Vec<u8>,
    ) {
        let form = decoded.form;
        if let Some(slot) = form.slots.last().filter(|s| s.kind == Kind::Target) {
            let distance = slot.span.get(&self.words[at..]) as u16 as i16;
            let target = (self.first + at as u64 + 1).checked_add_signed(distance.into());
            let label = target.and_then(|t| self.labels.binary_search(&t).ok());
            let operand = out[text..].iter().rposition(|&b| b == b' ').map_or(out.len(), |p| text + p + 1);
            if let Some(value) = value {
                out.truncate(operand);
                out.extend_from_slice(value.as_bytes());
            } else if let Some(n) = label {
                out.truncate(operand);
                self.push_label(n, out);
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
        print(table, decoded, &words[..len], spare);
        let found = spare.windows(MARK_TEXT.len()).position(|w| w == MARK_TEXT.as_bytes());
        let Some(found) = found.filter(|&p| p > 0 && spare[p - 1] == b' ') else { return };
        if form.slots.iter().any(|s| s.ty.is_16() && s.kind == Kind::Source) {
            return;
        }
        out.truncate(text);
        out.extend_from_slice(&spare[..found]);
        out.extend_from_slice(value.as_bytes());
        out.extend_from_slice(&spare[found + MARK_TEXT.len()..]);
    }
}

/// What words without a text of their own are to the hardware, if they are an instruction.
fn note_executed(table: &Table, words: &[u32], text: &mut Vec<u8>, out: &mut Vec<u8>) {
    if let Ok(Executed { decoded, words }) = executed(table, words) {
        print(table, &decoded, &words, text);
        let _ = write!(out, "; executed as {}", String::from_utf8_lossy(text));
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
