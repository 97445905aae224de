//! Machine code of any length to the text of [`super::listing`], in bounded memory and on many threads.
//!
//! Where an instruction begins is known only from the one before it. So the bytes are read twice: a [`Survey`] walks over all of them, finds the
//! labels, and cuts them into pieces that begin with an instruction; then any thread makes the text of any piece. What stays in memory is
//! the labels, a number for each piece, and the pieces that are under way.

use super::labels::Labels;
use super::listing::{Counts, Piece, Source, note, words_of};
use super::shape::{Proved, Prover};
use crate::isa::Target;
use crate::isa::form::Table;

/// Words of a piece: its text is about a quarter of a million bytes, which a core's cache holds.
const PIECE: u64 = 1 << 12;
/// Words behind an instruction that show all there is to know of it.
const AHEAD: usize = 8;

/// The first walk over the bytes.
pub struct Survey {
    table: &'static Table,
    labels: Labels,
    pieces: Vec<u64>,
    piece: u64,
    /// Bytes that are not walked over yet.
    rest: Vec<u8>,
}

impl Survey {
    /// Nothing is read yet.
    #[must_use]
    pub fn new(target: Target) -> Survey {
        Survey::with_pieces(target, PIECE)
    }

    /// The same with pieces of so many words.
    #[must_use]
    pub fn with_pieces(target: Target, words: u64) -> Survey {
        let piece = words.max(1);
        Survey { table: Table::of(target), labels: Labels::new(), pieces: Vec::new(), piece, rest: Vec::new() }
    }

    /// Walks over the next bytes.
    pub fn read(&mut self, bytes: &[u8]) {
        self.rest.extend_from_slice(bytes);
        self.walk(AHEAD);
    }

    /// Walks over what is there, but for so many words at the end.
    fn walk(&mut self, ahead: usize) {
        let words = words_of(&self.rest);
        let mut at = 0;
        while at + ahead < words.len() {
            if self.pieces.last().is_none_or(|last| self.labels.at() - last >= self.piece) {
                self.pieces.push(self.labels.at());
            }
            at += note(self.table, &words[at..], &mut self.labels);
        }
        self.rest.drain(..4 * at);
    }

    /// What was found.
    #[must_use]
    pub fn finish(mut self) -> Pieces {
        self.walk(0);
        let bytes = 4 * self.labels.at() + self.rest.len() as u64;
        if self.pieces.is_empty() {
            self.pieces.push(0);
        }
        let labels = self.labels.finish(self.rest.is_empty());
        let proved = Proved::new(self.table.target);
        Pieces { table: self.table, labels, pieces: self.pieces, bytes, proved }
    }
}

/// The pieces of a section, each of which can be printed by itself.
pub struct Pieces {
    table: &'static Table,
    labels: Vec<u64>,
    pieces: Vec<u64>,
    bytes: u64,
    proved: Proved,
}

impl Pieces {
    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.pieces.len()
    }

    /// The bytes of all pieces.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Where a piece begins, where the next one does, and up to where its printer reads: byte offsets.
    #[must_use]
    pub fn extent(&self, piece: usize) -> (u64, u64, u64) {
        let end = self.pieces.get(piece + 1).map_or(self.bytes, |word| 4 * word);
        (4 * self.pieces[piece], end, self.bytes.min(end + 4 * AHEAD as u64))
    }

    /// Who prints pieces: one a thread.
    #[must_use]
    pub fn prover(&self) -> Prover {
        Prover::beside(self.table.target, &self.proved)
    }

    /// Appends the lines of a piece, of which these are the bytes, as far as [`Pieces::extent`] says.
    pub fn print(&self, piece: usize, bytes: &[u8], prover: &mut Prover, out: &mut Vec<u8>) -> Counts {
        let (start, end, _) = self.extent(piece);
        let words = words_of(bytes);
        let last = piece + 1 == self.pieces.len();
        let stop = ((end - start) / 4) as usize;
        let source = Source { bytes: if last { &bytes[4 * stop..] } else { &[] }, ..Source::default() };
        let lines = Piece { words: &words, first: start / 4, stop, labels: &self.labels, source: &source, last };
        lines.print(self.table, prover, out)
    }
}
