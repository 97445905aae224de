//! A whole section as text that assembles to the same bytes.
//!
//! Two passes. The first finds where lines begin and where branches lead ([`super::marks`]); a label is put where a branch leads to
//! the beginning of a line. The second prints. Every text is proved before it is shown ([`super::shape`]): where LLVM's text does not say
//! all that the bits say, the words stand as `.long` with the text behind them as a comment. So the law "what is printed
//! assembles to the same bytes" holds by construction.

use super::lines::Row;
use super::marks::{Marks, Walk};
use super::prover::Prover;
use super::{Decoded, Executed, decode, executed, print};
use crate::isa::Target;
use crate::isa::form::{FormFlags, Kind, Table};
use crate::isa::table::pair;
use crate::isa::text::{eight_digits, push_hex_digits, push_udec};
use std::io::Write;
use std::iter::Peekable;
use std::slice::Iter;

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

/// A section, walked over once: its labels are known.
pub struct Listing<'a> {
    target: Target,
    source: Source<'a>,
    words: Vec<u32>,
    marks: Marks,
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
        let table = Table::of(target);
        let mut walk = Walk::over(words.len());
        for (offset, _) in source.before {
            let end = word_of(*offset, words.len());
            walk.go(table, &words[..end], end);
        }
        walk.go(table, &words, words.len());
        let mut marks = Marks::default();
        marks.join(table, &words, walk);
        let marks = marks.finish(source.bytes.len().is_multiple_of(4));
        Listing { target, source: *source, words, marks }
    }

    /// How many labels branches need.
    #[must_use]
    pub fn labels(&self) -> usize {
        self.marks.labels()
    }

    /// Appends the lines of the section.
    pub fn print(&self, out: &mut Vec<u8>) -> Counts {
        let whole = Piece {
            words: &self.words,
            first: 0,
            next: self.words.len(),
            marks: &self.marks,
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

/// Lines that follow each other: a whole section, or a piece of one.
pub(super) struct Piece<'a> {
    /// The words, and some behind them that printers may look at.
    pub(super) words: &'a [u32],
    /// The number of the first word in the section.
    pub(super) first: usize,
    /// The number of the first word behind the piece: a line ends there.
    pub(super) next: usize,
    /// What is known of the section.
    pub(super) marks: &'a Marks,
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
        let mut spare = Vec::new();
        // Where the linker puts values into words, each text may be another one; and longer addresses have no place in a row.
        let wide = self.source.address.saturating_add(4 * self.next as u64) >> 48 != 0;
        let plain = self.source.values.is_empty() && !wide;
        let mut row = [b'\t'; _];
        let lines = self.marks.lines(self.first, self.next);
        for (&at, &next) in lines.iter().zip(&lines[1..]) {
            let (at, len) = (at as usize, (next - at) as usize);
            self.open(at, &mut before, out);
            let words = &self.words[at..];
            let both = pair(words[0], words.get(1).copied().unwrap_or(0));
            if self.marks.is_data(self.first + at) {
                counts.data += len;
                let end = before.peek().map_or(self.words.len(), |(o, _)| word_of(*o, self.words.len()));
                self.data(table, at, len, &self.words[at..end], &mut spare, out);
                continue;
            }
            counts.instructions += 1;
            let number = table.number_at(both);
            if plain && let Some(text) = prover.known(number, words, both, &mut row) {
                out.extend_from_slice(self.finish(&mut row, text, at, both, &words[..len]));
                continue;
            }
            let decoded = Decoded { form: &table.forms[usize::from(number)], len: len as u8 };
            let line = out.len();
            out.push(b'\t');
            if let Err(problem) = prover.print(&decoded, words, out) {
                counts.ambiguous += 1;
                spare.clear();
                spare.extend_from_slice(&out[line + 1..]);
                out.truncate(line);
                numbers(&words[..len], out);
                self.comment(line, at, out);
                out.extend_from_slice(&spare);
                let _ = writeln!(out, " ({problem})");
                continue;
            }
            let offset = 4 * (self.first + at) as u64;
            while values.next_if(|(o, _)| *o < offset).is_some() {}
            let value = values.peek().filter(|(o, _)| *o < offset + 4 * len as u64);
            self.refer(table, &decoded, at, value.map(|v| v.1.as_str()), out, line + 1, &mut spare);
            self.comment(line, at, out);
            for word in &words[..len] {
                let mut digits = [b' '; 9];
                digits[..8].copy_from_slice(&eight_digits::<b'A'>(*word));
                out.extend_from_slice(&digits);
            }
            out.pop();
            out.push(b'\n');
        }
        if self.last {
            let end = self.next - self.first;
            self.open(end, &mut before, out);
            self.tail(end, out);
            before.for_each(|(_, lines)| out.extend_from_slice(lines.as_bytes()));
        }
        counts
    }

    /// Appends what stands in front of a line: lines of others, its label.
    #[inline(always)]
    fn open(&self, at: usize, before: &mut Peekable<Iter<'_, (u64, String)>>, out: &mut Vec<u8>) {
        let word = self.first + at;
        while let Some((_, lines)) = before.next_if(|(offset, _)| *offset <= 4 * word as u64) {
            out.extend_from_slice(lines.as_bytes());
        }
        if let Some(label) = self.marks.label(word) {
            self.push_label(label, out);
            out.extend_from_slice(b":\n");
        }
    }

    /// Appends words that are no instruction, with the reason; `words` are those and the ones behind that belong to the same part.
    fn data(&self, table: &Table, at: usize, len: usize, words: &[u32], spare: &mut Vec<u8>, out: &mut Vec<u8>) {
        let line = out.len();
        numbers(&words[..len], out);
        self.comment(line, at, out);
        if let Err(reason) = decode(table, words) {
            let _ = write!(out, "{reason}");
        }
        spare.clear();
        note_executed(table, words, spare, out);
        out.push(b'\n');
    }

    /// Appends the bytes behind the last whole word.
    fn tail(&self, end: usize, out: &mut Vec<u8>) {
        let tail = self.source.bytes;
        if tail.is_empty() {
            return;
        }
        let line = out.len();
        out.extend_from_slice(b"\t.byte ");
        for (i, byte) in tail.iter().enumerate() {
            let _ = write!(out, "{}0x{byte:02x}", if i > 0 { ", " } else { "" });
        }
        self.comment(line, end, out);
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

    /// Writes the comment of an instruction behind its text, and gives the whole line.
    #[inline(always)]
    fn finish<'r>(&self, row: &'r mut Row, text: usize, at: usize, both: u64, words: &[u32]) -> &'r [u8] {
        row[text..text + COMMENT].fill(b' ');
        let begin = (text + 1).max(COMMENT);
        let address = self.source.address.wrapping_add(4 * (self.first + at) as u64);
        row[begin..begin + ADDRESS].copy_from_slice(&shown(address));
        let first = begin + ADDRESS;
        let digits = |word: u32, at: usize, row: &mut Row| {
            row[at..at + 8].copy_from_slice(&eight_digits::<b'A'>(word));
            row[at + 8] = b' ';
        };
        // Nearly all have one or two words, and whether it is two is no branch.
        digits(both as u32, first, row);
        digits((both >> 32) as u32, first + 9, row);
        for (n, word) in words.iter().enumerate().skip(2) {
            digits(*word, first + 9 * n, row);
        }
        let end = first + 9 * words.len();
        row[end - 1] = b'\n';
        &row[..end]
    }

    /// Fills up to the column of comments, and gives the address.
    fn comment(&self, line: usize, at: usize, out: &mut Vec<u8>) {
        let begin = (line + COMMENT).max(out.len() + 1);
        out.extend_from_slice(&[b' '; COMMENT]);
        out.truncate(begin);
        let address = self.source.address.wrapping_add(4 * (self.first + at) as u64);
        if address >> 48 == 0 {
            out.extend_from_slice(&shown(address));
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
            let target = (self.first + at + 1).checked_add_signed(distance.into());
            let label = target.and_then(|word| self.marks.label(word));
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

/// Bytes of an address at the beginning of a comment.
const ADDRESS: usize = 17;

/// An address of twelve digits, as nearly every one is, at the beginning of a comment.
#[inline(always)]
fn shown(address: u64) -> [u8; ADDRESS] {
    let mut text = *b"// 000000000000: ";
    text[3..7].copy_from_slice(&eight_digits::<b'A'>((address >> 32) as u32)[4..]);
    text[7..15].copy_from_slice(&eight_digits::<b'A'>(address as u32));
    text
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
