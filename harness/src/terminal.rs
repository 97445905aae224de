//! The one way of text to people: standard output and standard error, with control sequences made visible.
//!
//! Names of files and devices, messages of drivers and texts of cases come from anywhere, and a terminal obeys what is in them: colours, titles, answers
//! typed as if by the user, text that runs backwards. So all text goes through [`clean`], which writes such characters out as `\u001b`, as JSON does, so
//! that JSON stays what it was. Colours of the program itself are made by [`Paint`] as marks with a number that only this process knows; `clean` makes sequences of them, and of nothing else.
//! Data (bytes, JSON, listings) goes to files and pipes as it is, and to a terminal as text does.
//!
//! `print!` and its kin are refused by a lint in `main.rs`: [`print`], [`data`] and [`tell!`](crate::tell) are what there is.

use anyhow::Result;
use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;

/// Writes a line to standard error.
#[macro_export]
macro_rules! tell {
    ($($arg:tt)*) => { $crate::terminal::tell(format_args!($($arg)*)) };
}

/// What [`tell!`](crate::tell) does. Nobody can be told that standard error is gone.
pub fn tell(text: fmt::Arguments<'_>) {
    let text = format!("{text}\n");
    let _ = io::stderr().lock().write_all(clean(&text).as_bytes());
}

/// Writes text to standard output.
pub fn print(text: &str) -> Result<()> {
    out(clean(text).as_bytes())
}

/// Writes data to standard output: as it is, unless that is a terminal.
pub fn data(bytes: &[u8]) -> Result<()> {
    if io::stdout().is_terminal() { print(&String::from_utf8_lossy(bytes)) } else { out(bytes) }
}

fn out(bytes: &[u8]) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()?;
    Ok(())
}

/// Standard output for data that comes in whole lines.
pub struct Lines {
    to: io::Stdout,
    terminal: bool,
}

impl Lines {
    /// Standard output.
    pub fn stdout() -> Lines {
        Lines { to: io::stdout(), terminal: io::stdout().is_terminal() }
    }
}

impl Write for Lines {
    fn write(&mut self, lines: &[u8]) -> io::Result<usize> {
        if !self.terminal {
            return self.to.write(lines);
        }
        self.to.write_all(clean(&String::from_utf8_lossy(lines)).as_bytes())?;
        Ok(lines.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Whether a terminal does something at a character, beside showing it: controls, and marks that turn the direction of text.
fn acts(c: char) -> bool {
    let turns = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || c.is_control() && c != '\n' && c != '\t'
}

/// Text as it may be shown: characters that act are written out, marks of [`Paint`] become the sequences that they stand for.
pub fn clean(text: &str) -> Cow<'_, str> {
    if !text.contains(acts) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(at) = rest.find(acts) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some((code, behind)) = rest.strip_prefix(mark()).and_then(|rest| rest.split_once('m')) {
            let _ = write!(out, "\x1b[{code}m");
            rest = behind;
            continue;
        }
        let mut chars = rest.chars();
        if let Some(c) = chars.next() {
            // None of them is beyond four digits.
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// What the marks of this process begin with.
fn mark() -> &'static str {
    static MARK: OnceLock<String> = OnceLock::new();
    MARK.get_or_init(|| format!("\x1b{:016x};", RandomState::new().build_hasher().finish()))
}

/// Colours, where somebody sees them and has not said no.
#[derive(Clone, Copy)]
pub struct Paint(bool);

impl Paint {
    /// For standard error.
    pub fn stderr() -> Paint {
        Paint(io::stderr().is_terminal() && wanted())
    }

    /// For standard output.
    pub fn stdout() -> Paint {
        Paint(io::stdout().is_terminal() && wanted())
    }

    /// For what is no terminal.
    pub fn never() -> Paint {
        Paint(false)
    }

    fn paint(self, code: &str, text: &str) -> String {
        if self.0 { format!("{mark}{code}m{text}{mark}0m", mark = mark()) } else { text.to_owned() }
    }

    /// An error.
    pub fn red(self, text: &str) -> String {
        self.paint("1;31", text)
    }

    /// A warning.
    pub fn yellow(self, text: &str) -> String {
        self.paint("1;33", text)
    }

    /// What counts.
    pub fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }
}

/// <https://no-color.org>: any value but the empty one.
fn wanted() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()) && std::env::var_os("TERM").is_none_or(|t| t != "dumb")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_acts_gets_through() {
        let mut all: String = (0..=0x10_ffff).filter_map(char::from_u32).collect();
        assert!(!clean(&all).contains(acts));
        all.retain(|c| !acts(c));
        assert_eq!(clean(&all), all);
        assert!(matches!(clean("plain\ttext, Größe 5 µs\n"), Cow::Borrowed(_)));
        assert_eq!(
            clean("a\x1b]0;title\x07b\r\u{9b}31mc\u{202e}"),
            "a\\u001b]0;title\\u0007b\\u000d\\u009b31mc\\u202e"
        );
    }

    /// A colour of the program is one, and what is inside it is clean; one that was in a name is none.
    #[test]
    fn only_the_colours_of_the_program_are_colours() {
        let painted = Paint(true).red("evil\x1b[32m");
        assert_eq!(clean(&painted), "\x1b[1;31mevil\\u001b[32m\x1b[0m");
        assert_eq!(clean("\x1b[1;31mred\x1b[0m"), "\\u001b[1;31mred\\u001b[0m");
        assert_eq!(clean(&Paint(false).red("plain")), "plain");
        // A mark that is cut off is none.
        assert!(!clean(mark()).contains(acts));
    }
}
