//! Lines in, lines out, on all cores, in order, in bounded memory.
//!
//! A piece of input is whole lines, whatever one `read` brought. A piece is flushed once it is written ([`crate::ordered`]), so a program
//! that waits for the answer to each line gets it.

use crate::common::cores;
use crate::ordered::text_in_order;
use crate::terminal::Lines;
use anyhow::{Result, bail};
use std::io::{self, Read, Write};

/// Most of what one piece holds, unless a line is longer.
const PIECE: usize = 256 << 10;
/// No line may be longer.
const LONGEST: usize = 64 << 20;

struct Input<R> {
    from: R,
    /// The beginning of a line whose end has not come yet.
    rest: Vec<u8>,
    pieces: u64,
    ended: bool,
}

impl<R: Read> Input<R> {
    fn new(from: R) -> Input<R> {
        Input { from, rest: Vec::new(), pieces: 0, ended: false }
    }

    /// Fills `piece` with whole lines and gives its number; nothing at the end.
    fn next(&mut self, piece: &mut Vec<u8>) -> Result<Option<u64>> {
        piece.clear();
        piece.append(&mut self.rest);
        while !self.ended {
            let filled = piece.len();
            piece.resize(filled + PIECE, 0);
            let got = loop {
                match self.from.read(&mut piece[filled..]) {
                    Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                    got => break got?,
                }
            };
            piece.truncate(filled + got);
            if got == 0 {
                self.ended = true;
            } else if let Some(end) = piece[filled..].iter().rposition(|&b| b == b'\n') {
                self.rest.extend_from_slice(&piece[filled + end + 1..]);
                piece.truncate(filled + end + 1);
                break;
            } else if piece.len() > LONGEST {
                bail!("a line is longer than {} MiB; break the input into lines", LONGEST >> 20);
            }
        }
        if piece.is_empty() {
            return Ok(None);
        }
        self.pieces += 1;
        Ok(Some(self.pieces - 1))
    }
}

/// Runs standard input through a function that appends the answer to one line, without its end, to the output. Every worker
/// makes its own function.
pub fn stream<F>(make: impl Fn() -> F + Sync) -> Result<()>
where
    F: FnMut(&[u8], &mut Vec<u8>),
{
    stream_from(io::stdin(), make)
}

/// The same for lines from elsewhere.
pub fn stream_from<F>(from: impl Read + Send, make: impl Fn() -> F + Sync) -> Result<()>
where
    F: FnMut(&[u8], &mut Vec<u8>),
{
    run(from, Lines::stdout(), cores(), make)
}

/// The lines themselves, without their ends, for what reads them one after the other: the logs of `gpu`, which Linux alone has.
#[cfg(any(target_os = "linux", test))]
pub fn each(from: impl Read) -> impl Iterator<Item = Result<Vec<u8>>> {
    let mut input = Input::new(from);
    let pieces = std::iter::from_fn(move || {
        let mut piece = Vec::new();
        input.next(&mut piece).map(|number| number.map(|_| piece)).transpose()
    });
    pieces.flat_map(|piece| match piece {
        Ok(piece) => {
            let lines = piece.strip_suffix(b"\n").unwrap_or(&piece);
            lines.split(|byte| *byte == b'\n').map(|line| Ok(line.to_vec())).collect::<Vec<_>>()
        }
        Err(error) => vec![Err(error)],
    })
}

fn run<R, W, F>(from: R, to: W, workers: usize, make: impl Fn() -> F + Sync) -> Result<()>
where
    R: Read + Send,
    W: Write + Send,
    F: FnMut(&[u8], &mut Vec<u8>),
{
    let mut input = Input::new(from);
    let next = |piece: &mut Vec<u8>| input.next(piece);
    text_in_order(workers, next, to, || {
        let mut answer = make();
        move |_: u64, piece: &[u8], text: &mut Vec<u8>| {
            let lines = piece.strip_suffix(b"\n").unwrap_or(piece);
            let mut start = 0;
            for end in memchr::memchr_iter(b'\n', lines).chain([lines.len()]) {
                let line = &lines[start..end];
                answer(line.strip_suffix(b"\r").unwrap_or(line), text);
                text.push(b'\n');
                start = end + 1;
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives a few bytes at a time.
    struct Drip<'a>(&'a [u8], usize);

    impl Read for Drip<'_> {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            let n = self.1.min(self.0.len()).min(to.len());
            to[..n].copy_from_slice(&self.0[..n]);
            self.0 = &self.0[n..];
            Ok(n)
        }
    }

    #[test]
    fn answers_come_in_the_order_of_the_lines() {
        let text: String = (0..10_000).map(|i| format!("{i}\n")).collect();
        for drip in [7, 1000, 1 << 20] {
            let mut out = Vec::new();
            let echo = || |line: &[u8], out: &mut Vec<u8>| out.extend_from_slice(line);
            run(Drip(text.as_bytes(), drip), &mut out, 4, echo).expect("nothing fails here");
            assert_eq!(String::from_utf8_lossy(&out), text);
        }
    }

    #[test]
    fn lines_come_one_by_one_and_one_that_is_too_long_is_an_error() {
        for drip in [1, 3, 100] {
            let lines: Result<Vec<Vec<u8>>> = each(Drip(b"a\n\nbc\nd", drip)).collect();
            assert_eq!(lines.expect("nothing fails here"), [&b"a"[..], b"", b"bc", b"d"], "{drip}");
        }
        let mut lines = each((&b"short\n"[..]).chain(io::repeat(b'x')));
        assert_eq!(lines.next().expect("a line").expect("a short one"), b"short");
        let error = lines.next().expect("an error").expect_err("no end").to_string();
        assert!(error.contains("longer than 64 MiB"), "{error}");
    }

    #[test]
    fn ends_of_lines() {
        for (from, to) in [("", ""), ("a", "<a>\n"), ("a\r\n\nb\n", "<a>\n<>\n<b>\n"), ("\n", "<>\n")] {
            let mut out = Vec::new();
            let mark = || {
                |line: &[u8], out: &mut Vec<u8>| {
                    out.push(b'<');
                    out.extend_from_slice(line);
                    out.push(b'>');
                }
            };
            run(Drip(from.as_bytes(), 100), &mut out, 2, mark).expect("nothing fails here");
            assert_eq!(String::from_utf8_lossy(&out), to);
        }
    }
}
