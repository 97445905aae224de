//! Pieces of a line: what the text of all instructions has in common.

use super::print::{INDICES, TEMPORARIES};
use super::program::sel;
use crate::asm::cursor::Cursor;
use crate::isa::format::Span;
use crate::isa::r600::Format;
use std::ops::Range;

/// What is wrong with a line, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The bytes of the line that are meant.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}

/// What a parser gives. Faults are rare and lie elsewhere, so that what is right is small.
pub(super) type Parsed<T> = Result<T, Box<Fault>>;

/// A fault at a place.
#[cold]
pub(super) fn fault<T>(span: Range<usize>, message: impl Into<String>) -> Parsed<T> {
    Err(Box::new(Fault { span, message: message.into() }))
}

/// A modifier of an instruction, read up to its value.
pub(super) struct Modifier<'a> {
    /// Where it begins.
    pub start: usize,
    /// Its name as it is written, and in capitals.
    pub word: &'a str,
    pub upper: Capitals<'a>,
    /// Whether a bracket follows: it is read.
    pub call: bool,
}

/// A word in capitals, as most are written; nothing of one that is longer than any that is known.
pub(super) struct Capitals<'a> {
    word: &'a str,
    /// Its letters, where it was written in others.
    made: Option<[u8; Capitals::LONGEST]>,
}

impl<'a> Capitals<'a> {
    const LONGEST: usize = 24;
    /// No word.
    pub const NONE: Capitals<'static> = Capitals { word: "", made: None };

    #[inline]
    pub fn new(word: &'a str) -> Capitals<'a> {
        if word.bytes().any(|byte| byte.is_ascii_lowercase()) {
            Capitals::made(word)
        } else {
            Capitals { word, made: None }
        }
    }

    #[cold]
    fn made(word: &'a str) -> Capitals<'a> {
        let mut bytes = [0; Capitals::LONGEST];
        let Some(place) = bytes.get_mut(..word.len()) else { return Capitals::NONE };
        place.copy_from_slice(word.as_bytes());
        place.make_ascii_uppercase();
        Capitals { word, made: Some(bytes) }
    }

    #[inline]
    pub fn as_str(&self) -> &str {
        match &self.made {
            Some(bytes) => std::str::from_utf8(&bytes[..self.word.len()]).unwrap_or(""),
            None => self.word,
        }
    }
}

/// The last register, which is the last one of those that are temporary in a clause.
pub(super) const LAST_REGISTER: u32 = TEMPORARIES + 3;

/// A byte that is no white space, begins no comment and is no end: where it is next, it is a token's.
const DIRECT: u8 = 1;
/// A letter, a digit or an underscore.
const WORD: u8 = 2;
/// A letter, a digit or a point.
const NUMBER: u8 = 4;

/// What each byte is.
const KINDS: [u8; 256] = {
    let (mut all, mut n) = ([0; 256], 0);
    while n < 256 {
        let byte = n as u8;
        if !matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b';' | b'/') {
            all[n] |= DIRECT;
        }
        if byte.is_ascii_alphanumeric() || byte == b'_' {
            all[n] |= WORD;
        }
        if byte.is_ascii_alphanumeric() || byte == b'.' {
            all[n] |= NUMBER;
        }
        n += 1;
    }
    all
};

/// Whether a byte is of a kind.
#[inline]
fn is(byte: u8, kind: u8) -> bool {
    KINDS[usize::from(byte)] & kind != 0
}

/// A line as it is read.
#[derive(Clone)]
pub(super) struct Line<'a> {
    cur: Cursor<'a>,
    /// The same bytes, and behind them the rest of the text. Between them is the end of the line, with which every
    /// token ends.
    rest: &'a [u8],
}

impl<'a> Line<'a> {
    /// A line that stands alone.
    pub fn new(line: &'a str) -> Line<'a> {
        Line { cur: Cursor::new(line), rest: line.as_bytes() }
    }

    /// A line of a text.
    #[inline]
    pub fn of(text: &'a str, span: Range<usize>) -> Line<'a> {
        let rest = text.as_bytes().get(span.start..).unwrap_or(&[]);
        Line { cur: Cursor::new(text.get(span).unwrap_or("")), rest }
    }

    /// The next eight bytes, beyond the end of the line too; zeros behind the end of the text.
    #[inline]
    fn window(&self) -> [u8; 8] {
        let ahead = self.rest.get(self.cur.pos()..).unwrap_or(&[]);
        ahead.first_chunk().copied().unwrap_or_else(|| padded(ahead))
    }

    /// A source without an element, of so many bytes.
    #[inline]
    fn whole(&mut self, sel: u32, len: usize) -> Option<(u32, u32)> {
        self.bump(len);
        Some((sel, 0))
    }

    /// `R12.x`, `T1.y`, `PV.z`, `PS`, `1.0`: the select and the element of a source as most are written. Nothing is
    /// taken where another one is next.
    #[inline(always)]
    pub fn operand(&mut self) -> Option<(u32, u32)> {
        self.peek();
        let next = self.window();
        let (sel, len) = match next {
            [b'R' | b'r', a, b'.', ..] => (digit(a)?, 3),
            [b'R' | b'r', a, b, b'.', ..] => (10 * digit(a)? + digit(b)?, 4),
            [b'R' | b'r', b'1', b, c, b'.', ..] => (three_digits(b, c)?, 5),
            [b'T' | b't', a @ b'0'..=b'3', b'.', ..] => (TEMPORARIES + digit(a)?, 3),
            [b'P', b'V', b'.', ..] | [b'p', b'v', b'.', ..] => (sel::PV, 3),
            // What has no element.
            [b'P', b'S', b',' | b'\n', ..] => return self.whole(sel::PS, 2),
            [b'0', b',' | b' ' | b'\n', ..] => return self.whole(sel::ZERO, 1),
            [b'1', b',' | b' ' | b'\n', ..] => return self.whole(sel::ONE_INT, 1),
            [b'1', b'.', b'0', b',' | b' ' | b'\n', ..] => return self.whole(sel::ONE, 3),
            [b'0', b'.', b'5', b',' | b' ' | b'\n', ..] => return self.whole(sel::HALF, 3),
            _ => return None,
        };
        let elem = element(next[len])?;
        if next[len + 1].is_ascii_alphanumeric() {
            return None;
        }
        self.bump(len + 1);
        Some((sel, elem))
    }

    /// Where the next token begins.
    #[inline]
    pub fn here(&mut self) -> usize {
        self.peek();
        self.cur.pos()
    }

    /// Where the last token ended, or the next one begins if it was looked at.
    #[inline]
    pub fn pos(&self) -> usize {
        self.cur.pos()
    }

    /// From a place to here.
    #[inline]
    pub fn since(&self, start: usize) -> Range<usize> {
        start..self.cur.pos().max(start + 1)
    }

    /// The next byte; 0 at the end. Most tokens begin at once, or behind one space.
    #[inline]
    pub fn peek(&mut self) -> u8 {
        if self.cur.at(0) == b' ' {
            self.cur.bump(1);
        }
        let next = self.cur.at(0);
        if is(next, DIRECT) { next } else { self.peek_behind() }
    }

    /// The next byte behind white space and comments.
    #[inline(never)]
    fn peek_behind(&mut self) -> u8 {
        self.skip_spaces();
        let next = self.cur.at(0);
        if is(next, DIRECT) { next } else { self.cur.peek() }
    }

    /// Goes behind spaces, which fill columns: eight at once.
    #[inline]
    fn skip_spaces(&mut self) {
        loop {
            let other = u64::from_le_bytes(self.window()) ^ u64::from_le_bytes([b' '; 8]);
            self.bump(other.trailing_zeros() as usize / 8);
            if other != 0 {
                return;
            }
        }
    }

    /// The byte so many places behind the next one.
    #[inline]
    pub fn ahead(&self, n: usize) -> u8 {
        self.cur.at(n)
    }

    #[inline]
    pub fn bump(&mut self, n: usize) {
        self.cur.bump(n);
    }

    #[inline]
    pub fn eat(&mut self, byte: u8) -> bool {
        let next = self.cur.at(0) == byte || self.peek() == byte;
        if next {
            self.bump(1);
        }
        next
    }

    pub fn set_pos(&mut self, pos: usize) {
        self.cur.set_pos(pos);
    }

    #[inline]
    pub fn at_end(&mut self) -> bool {
        self.peek() == 0
    }

    #[inline]
    pub fn expect(&mut self, byte: u8) -> Parsed<()> {
        if self.eat(byte) { Ok(()) } else { self.missing(byte) }
    }

    #[cold]
    fn missing(&mut self, byte: u8) -> Parsed<()> {
        let at = self.here();
        fault(at..at + 1, format!("expected `{}`", char::from(byte)))
    }

    /// Nothing may follow.
    pub fn end(&mut self) -> Parsed<()> {
        if self.at_end() {
            return Ok(());
        }
        let at = self.here();
        fault(at..at + 1, "this is left over")
    }

    /// Letters, digits and underscores; empty if there are none.
    #[inline]
    pub fn word(&mut self) -> &'a str {
        let start = self.here();
        let bytes = self.cur.text().get(start..).unwrap_or(&[]);
        let len = bytes.iter().position(|byte| !is(*byte, WORD)).unwrap_or(bytes.len());
        self.bump(len);
        self.cur.slice(start, start + len)
    }

    /// Whether the byte so many places behind the next one is a letter, a digit or an underscore.
    #[inline]
    pub fn in_word(&self, n: usize) -> bool {
        is(self.ahead(n), WORD)
    }

    /// The number of a register, if that is the next word, as in `R12` and `T1`.
    #[inline]
    pub fn register(&mut self) -> Option<u32> {
        match self.peek() | 0x20 {
            b'r' => self.decimal(1),
            b't' => {
                let number = u32::from(self.ahead(1).wrapping_sub(b'0'));
                if number > 3 || self.in_word(2) {
                    return None;
                }
                self.bump(2);
                Some(TEMPORARIES + number)
            }
            _ => None,
        }
    }

    /// A decimal number that begins so many bytes on and ends within four, if that is the rest of the word. Longer ones are read as other words are.
    #[inline]
    fn decimal(&mut self, first: usize) -> Option<u32> {
        let (mut number, mut n) = (0, first);
        while n < 4 && self.ahead(n).is_ascii_digit() {
            number = 10 * number + u32::from(self.ahead(n) - b'0');
            n += 1;
        }
        if n == first || self.in_word(n) {
            return None;
        }
        self.bump(n);
        Some(number)
    }

    /// The letter of an element, if that is next: 0 for x.
    #[inline]
    pub fn element(&mut self) -> Option<u32> {
        let element = element(self.peek())?;
        if self.ahead(1).is_ascii_alphanumeric() {
            return None;
        }
        self.bump(1);
        Some(element)
    }

    /// An integer without a sign.
    pub fn integer(&mut self) -> Parsed<u32> {
        let start = self.here();
        if let Some(short) = self.decimal(0) {
            return Ok(short);
        }
        let word = self.word();
        match integer(word) {
            Some(value) => Ok(value),
            None => fault(self.since(start), format!("expected a number of up to 32 bits, found `{word}`")),
        }
    }

    /// An integer with or without a sign.
    pub fn signed(&mut self) -> Parsed<i64> {
        let negative = self.eat(b'-');
        let value = i64::from(self.integer()?);
        Ok(if negative { -value } else { value })
    }

    /// A number as it stands, with point, exponent and `f`: its text.
    pub fn number(&mut self) -> &'a str {
        let start = self.here();
        let bytes = self.cur.text().get(start..).unwrap_or(&[]);
        let signed = |n: usize| {
            matches!(bytes.get(n), Some(b'-' | b'+'))
                && matches!(bytes.get(n.wrapping_sub(1)), Some(b'e' | b'E'))
                && !bytes.starts_with(b"0x")
        };
        let mut len = 0;
        loop {
            let rest = &bytes[len..];
            len += rest.iter().position(|byte| !is(*byte, NUMBER)).unwrap_or(rest.len());
            if !signed(len) {
                break;
            }
            len += 1;
        }
        self.bump(len);
        self.cur.slice(start, start + len)
    }

    /// `[5]`, `[5+AR.x]`, `[AR.x+5]`: the number, and which index is added.
    pub fn bracket(&mut self) -> Parsed<(u32, Option<u32>)> {
        self.expect(b'[')?;
        let (mut number, mut index) = (0, None);
        loop {
            if self.peek().is_ascii_digit() {
                number = self.integer()?;
            } else {
                index = Some(self.index()?);
            }
            if !self.eat(b'+') {
                break;
            }
        }
        self.expect(b']')?;
        Ok((number, index))
    }

    /// The name of an index.
    pub fn index(&mut self) -> Parsed<u32> {
        let start = self.here();
        self.word();
        if self.ahead(0) == b'.' {
            self.bump(1);
            self.word();
        }
        let span = self.since(start);
        let name = self.cur.slice(span.start, span.end);
        match INDICES.iter().position(|known| known.eq_ignore_ascii_case(name)) {
            Some(mode) => Ok(mode as u32),
            None => fault(span, format!("`{name}` is no index; there are AR.x, AR.y, AR.z, AR.w and aL")),
        }
    }

    /// One of some words; the number of it.
    pub fn choice(&mut self, names: &[&str], what: &str) -> Parsed<u32> {
        let start = self.here();
        let word = self.word();
        let found = names.iter().position(|name| !name.is_empty() && name.eq_ignore_ascii_case(word));
        match found.map(|n| n as u32).or_else(|| integer(word)) {
            Some(value) => Ok(value),
            None => fault(self.since(start), format!("`{word}` is no {what}{}", meant(word, names.iter().copied()))),
        }
    }

    /// The next modifier of an instruction, up to its value; nothing at the end of the line. Fields that are written by their names
    /// are taken on the way.
    #[inline]
    pub fn modifier(&mut self, format: &Format, words: &mut [u32]) -> Parsed<Option<Modifier<'a>>> {
        while !self.at_end() {
            self.eat(b',');
            let start = self.here();
            let word = self.word();
            if self.peek() == b'=' && self.field(format, word, start, words)? {
                continue;
            }
            let call = self.peek() == b'(';
            if call {
                self.bump(1);
            }
            return Ok(Some(Modifier { start, word, upper: Capitals::new(word), call }));
        }
        Ok(None)
    }

    /// `FIELD=value` of a format, for what the syntax has no words for: whether it has the field.
    fn field(&mut self, format: &Format, name: &str, start: usize, words: &mut [u32]) -> Parsed<bool> {
        let Some(field) = format.field(name) else { return Ok(false) };
        self.bump(1);
        let value = self.integer()?;
        set(words, field, value, self.since(start))?;
        Ok(true)
    }
}

/// Bytes with zeros behind them.
#[cold]
fn padded(bytes: &[u8]) -> [u8; 8] {
    std::array::from_fn(|n| bytes.get(n).copied().unwrap_or(0))
}

/// The value of a digit.
#[inline]
fn digit(byte: u8) -> Option<u32> {
    let value = byte.wrapping_sub(b'0');
    (value < 10).then_some(value.into())
}

/// The number of a register from 100 on, by its last digits.
#[inline]
fn three_digits(b: u8, c: u8) -> Option<u32> {
    let number = 100 + 10 * digit(b)? + digit(c)?;
    (number <= LAST_REGISTER).then_some(number)
}

/// The number of an element's letter: 0 for x.
#[inline]
fn element(letter: u8) -> Option<u32> {
    const NUMBERS: [u8; 256] = {
        let (mut all, mut n) = ([4; 256], 0);
        while n < 4 {
            let letter = super::print::SELECTS[n];
            all[letter as usize] = n as u8;
            all[letter.to_ascii_uppercase() as usize] = n as u8;
            n += 1;
        }
        all
    };
    let number = NUMBERS[usize::from(letter)];
    (number < 4).then_some(number.into())
}

/// Writes a field, if the value fits.
#[inline]
pub(super) fn set(words: &mut [u32], field: Span, value: u32, span: Range<usize>) -> Parsed<()> {
    if value > field.max() {
        return fault(span, format!("{value} is too large: the field holds up to {}", field.max()));
    }
    field.set(words, value);
    Ok(())
}

/// The integer of a word.
pub(super) fn integer(word: &str) -> Option<u32> {
    match word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
        Some(digits) if !digits.starts_with('+') => u32::from_str_radix(digits, 16).ok(),
        None if word.starts_with(|c: char| c.is_ascii_digit()) => word.parse().ok(),
        _ => None,
    }
}

/// `; did you mean ...?`, where a name comes near.
pub(super) fn meant<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    let near = crate::asm::near::near_miss(word, names);
    near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_are_taken_whole_or_not_at_all() {
        let read = |text| {
            let mut line = Line::new(text);
            (line.operand(), line.pos())
        };
        for (text, operand, len) in [
            ("R7.x, R8.y", (7, 0), 4),
            ("r127.W", (127, 3), 6),
            ("T3.z CLAMP", (127, 2), 4),
            ("PV.y", (sel::PV, 1), 4),
            ("PS,", (sel::PS, 0), 2),
            ("1.0,", (sel::ONE, 0), 3),
        ] {
            assert_eq!(read(text), (Some(operand), len), "{text}");
        }
        for text in [
            "", "R128.x", "R254.x", "R255.x", "R1000.x", "T4.x", "R1.xy", "R1.q", "R1 .x", "PV", "PS.x", "10,", "1.05,",
        ] {
            assert_eq!(read(text), (None, 0), "{text}");
        }
    }

    #[test]
    fn spaces_end_where_their_line_ends() {
        let text = format!("x{}\n y", " ".repeat(20));
        let mut line = Line::of(&text, 0..21);
        line.bump(1);
        assert!(line.at_end());
        assert_eq!(line.here(), 21);
    }
}
