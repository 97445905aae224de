//! A cursor over one statement: the bytes, and where we are.
//!
//! The assembler reads instructions straight from the text, without a token list: at two million lines a second there
//! is no time to build one. White space and `/* */` comments are skipped before every token; a `;`, `//`, or newline ends the
//! statement.

/// A position in the text of one statement.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    text: &'a [u8],
    /// The same text: pieces of it are strings without another check.
    whole: &'a str,
    pos: usize,
}

/// Which bytes may start or continue an identifier, which are white space, and of which words are made: letters, digits, underscores.
const START: u8 = 1;
const CONT: u8 = 2;
const BLANK: u8 = 4;
const WORD: u8 = 8;

const CLASS: [u8; 256] = {
    let mut t = [0u8; 256];
    let mut i = 0;
    while i < 256 {
        let c = i as u8;
        if c.is_ascii_alphabetic() || c == b'_' || c == b'.' || c == b'$' {
            t[i] = START | CONT;
        } else if c.is_ascii_digit() || c == b'@' || c == b'?' {
            t[i] = CONT;
        } else if c == b' ' || c == b'\t' || c == b'\r' {
            t[i] = BLANK;
        }
        if c.is_ascii_alphanumeric() || c == b'_' {
            t[i] |= WORD;
        }
        i += 1;
    }
    t
};

impl<'a> Cursor<'a> {
    /// A cursor at the start of a statement.
    #[must_use]
    pub fn new(text: &'a str) -> Cursor<'a> {
        Cursor { text: text.as_bytes(), whole: text, pos: 0 }
    }

    /// The byte offset in the statement.
    #[must_use]
    pub fn pos(&self) -> usize {
        self.pos
    }

    /// Goes to a position obtained from [`Cursor::pos`].
    pub fn set_pos(&mut self, pos: usize) {
        self.pos = pos.min(self.text.len());
    }

    /// The text between two positions.
    #[must_use]
    pub fn slice(&self, from: usize, to: usize) -> &'a str {
        self.whole.get(from..to).unwrap_or("")
    }

    /// The whole text of the statement.
    #[must_use]
    pub fn text(&self) -> &'a [u8] {
        self.text
    }

    /// Skips white space and block comments.
    #[inline]
    pub fn skip(&mut self) {
        self.pos = self.behind(BLANK);
        while self.at(0) == b'/' && self.at(1) == b'*' {
            self.skip_comment();
            self.pos = self.behind(BLANK);
        }
    }

    /// Where the bytes of a class end that begin here.
    #[inline]
    fn behind(&self, class: u8) -> usize {
        let mut pos = self.pos;
        while let Some(&c) = self.text.get(pos)
            && CLASS[usize::from(c)] & class != 0
        {
            pos += 1;
        }
        pos
    }

    #[cold]
    fn skip_comment(&mut self) {
        let rest = &self.text[self.pos + 2..];
        let end = rest.windows(2).position(|w| w == b"*/");
        self.pos = end.map_or(self.text.len(), |e| self.pos + 2 + e + 2);
    }

    /// The next byte after white space, or 0 at the end of the statement.
    #[inline]
    pub fn peek(&mut self) -> u8 {
        self.skip();
        match self.text.get(self.pos) {
            None | Some(b';' | b'\n') => 0,
            Some(b'/') if self.text.get(self.pos + 1) == Some(&b'/') => 0,
            Some(&c) => c,
        }
    }

    /// The byte `n` places behind the current position, without skipping; 0 behind the end.
    #[inline]
    #[must_use]
    pub fn at(&self, n: usize) -> u8 {
        self.text.get(self.pos + n).copied().unwrap_or(0)
    }

    /// Whether the statement ends here.
    #[inline]
    pub fn at_end(&mut self) -> bool {
        self.peek() == 0
    }

    /// Moves `n` bytes on.
    #[inline]
    pub fn bump(&mut self, n: usize) {
        self.pos += n;
    }

    /// Takes the byte `c` if it is next.
    #[inline]
    pub fn eat(&mut self, c: u8) -> bool {
        if self.peek() == c {
            self.pos += 1;
            true
        } else {
            false
        }
    }

    /// Takes the text `s` if it is next, byte for byte.
    pub fn eat_str(&mut self, s: &str) -> bool {
        self.skip();
        if self.text[self.pos..].starts_with(s.as_bytes()) {
            self.pos += s.len();
            true
        } else {
            false
        }
    }

    /// The identifier that is next, without taking it; empty where there is none.
    #[inline]
    pub fn peek_ident(&mut self) -> &'a str {
        self.skip();
        let start = self.pos;
        let mut end = start;
        match self.text.get(end) {
            Some(&c) if CLASS[c as usize] & START != 0 => end += 1,
            _ => return "",
        }
        while let Some(&c) = self.text.get(end) {
            if CLASS[c as usize] & CONT == 0 {
                break;
            }
            end += 1;
        }
        self.slice(start, end)
    }

    /// Takes the identifier that is next; empty where there is none.
    #[inline]
    pub fn ident(&mut self) -> &'a str {
        let id = self.peek_ident();
        self.pos += id.len();
        id
    }

    /// Takes the letters, digits and underscores that are next; empty where there are none.
    #[inline]
    pub fn word(&mut self) -> &'a str {
        self.skip();
        let start = self.pos;
        self.pos = self.behind(WORD);
        self.slice(start, self.pos)
    }

    /// Whether the byte `n` places behind the current position is a letter, a digit or an underscore.
    #[inline]
    #[must_use]
    pub fn in_word(&self, n: usize) -> bool {
        CLASS[usize::from(self.at(n))] & WORD != 0
    }

    /// Takes the identifier `word` if exactly that is next.
    pub fn eat_ident(&mut self, word: &str) -> bool {
        if self.peek_ident() == word {
            self.pos += word.len();
            true
        } else {
            false
        }
    }
}
