//! Pieces of a line: what the text of all instructions has in common.

use super::print::INDICES;
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

/// A line as it is read.
#[derive(Clone)]
pub(super) struct Line<'a> {
    cur: Cursor<'a>,
}

impl<'a> Line<'a> {
    pub fn new(text: &'a str) -> Line<'a> {
        Line { cur: Cursor::new(text) }
    }

    /// Where the next token begins.
    #[inline]
    pub fn here(&mut self) -> usize {
        self.cur.skip();
        self.cur.pos()
    }

    /// From a place to here.
    #[inline]
    pub fn since(&self, start: usize) -> Range<usize> {
        start..self.cur.pos().max(start + 1)
    }

    /// The next byte; 0 at the end.
    #[inline]
    pub fn peek(&mut self) -> u8 {
        self.cur.peek()
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
        self.cur.eat(byte)
    }

    pub fn set_pos(&mut self, pos: usize) {
        self.cur.set_pos(pos);
    }

    #[inline]
    pub fn at_end(&mut self) -> bool {
        self.cur.at_end()
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
        self.cur.word()
    }

    /// The number of a register, if that is the next word, as in `R12`.
    #[inline]
    pub fn register(&mut self) -> Option<u32> {
        if self.peek() | 0x20 == b'r' { self.decimal(1) } else { None }
    }

    /// A decimal number that begins so many bytes on and ends within four, if that is the rest of the word. Longer ones are read as other words are.
    #[inline]
    fn decimal(&mut self, first: usize) -> Option<u32> {
        let (mut number, mut n) = (0, first);
        while n < 4 && self.ahead(n).is_ascii_digit() {
            number = 10 * number + u32::from(self.ahead(n) - b'0');
            n += 1;
        }
        if n == first || self.cur.in_word(n) {
            return None;
        }
        self.bump(n);
        Some(number)
    }

    /// The letter of an element, if that is next: 0 for x.
    #[inline]
    pub fn element(&mut self) -> Option<u32> {
        const LETTERS: [u8; 256] = {
            let (mut all, mut n) = ([4; 256], 0);
            while n < 4 {
                let letter = super::print::SELECTS[n];
                all[letter as usize] = n as u8;
                all[letter.to_ascii_uppercase() as usize] = n as u8;
                n += 1;
            }
            all
        };
        let element = LETTERS[usize::from(self.peek())];
        if element > 3 || self.ahead(1).is_ascii_alphanumeric() {
            return None;
        }
        self.bump(1);
        Some(element.into())
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
        let mut n = 0;
        loop {
            let c = self.cur.at(n);
            let exponent =
                n > 0 && matches!(self.cur.at(n - 1), b'e' | b'E') && !self.cur.slice(start, start + 2).eq("0x");
            if !(c.is_ascii_alphanumeric() || c == b'.' || (c == b'-' || c == b'+') && exponent) {
                break;
            }
            n += 1;
        }
        self.cur.bump(n);
        self.cur.slice(start, start + n)
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
    pub fn modifier(&mut self, format: &Format, words: &mut [u32]) -> Parsed<Option<Modifier<'a>>> {
        while !self.at_end() {
            self.eat(b',');
            let start = self.here();
            let word = self.word();
            if self.field(format, word, start, words)? {
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

    /// `FIELD=value` of a format, for what the syntax has no words for.
    fn field(&mut self, format: &Format, name: &str, start: usize, words: &mut [u32]) -> Parsed<bool> {
        if self.peek() != b'=' {
            return Ok(false);
        }
        let Some(field) = format.field(name) else { return Ok(false) };
        self.bump(1);
        let value = self.integer()?;
        set(words, field, value, self.since(start))?;
        Ok(true)
    }
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
