//! Machine code of any length to the text of [`super::listing`], on many threads and in little memory.
//!
//! The bytes are read twice. A [`Survey`] finds where lines begin and which of them have labels ([`super::marks`]): it is made of stretches, each of which
//! any thread walks over. Then any thread makes the text of any of the [`Pieces`]. What stays in memory is three bits for each word, and what
//! is under way.

use super::listing::{Counts, Piece, Source, words_of};
use super::marks::{Marks, Walk};
use super::prover::{Proved, Prover};
use crate::isa::Target;
use crate::isa::form::Table;

/// Words of a piece: its text is about a quarter of a million bytes, which a core's cache holds.
const PIECE: usize = 1 << 12;
/// Words of a stretch.
const STRETCH: usize = 1 << 14;
/// Words behind an instruction that show all there is to know of it.
const AHEAD: usize = 8;

/// The first walk over the bytes.
pub struct Survey {
    walker: Walker,
    marks: Marks,
    piece: usize,
    /// All bytes that were walked over.
    bytes: u64,
    /// Bytes that were read, and are not walked over yet.
    rest: Vec<u8>,
}

/// Who walks over stretches.
#[derive(Clone, Copy)]
pub struct Walker {
    table: &'static Table,
    stretch: usize,
}

/// A stretch that was walked over.
#[derive(Default)]
pub struct Walked {
    words: Vec<u32>,
    bytes: usize,
    walk: Walk,
}

impl Walker {
    /// The bytes of a stretch, and of what is looked at behind it.
    #[must_use]
    pub fn bytes(&self) -> (usize, usize) {
        (4 * self.stretch, 4 * AHEAD)
    }

    /// Walks over a stretch. What follows it stands behind; the last one may have fewer bytes.
    #[must_use]
    pub fn walk(&self, bytes: &[u8]) -> Walked {
        let words = words_of(bytes);
        let own = words.len().min(self.stretch);
        let walk = Walk::of(self.table, &words, own);
        Walked { words, bytes: bytes.len().min(4 * self.stretch), walk }
    }
}

impl Survey {
    /// Nothing is read yet.
    #[must_use]
    pub fn new(target: Target) -> Survey {
        Survey::with_sizes(target, STRETCH, PIECE)
    }

    /// The same with stretches, of a multiple of 64, and pieces of so many words.
    #[must_use]
    pub fn with_sizes(target: Target, stretch: usize, piece: usize) -> Survey {
        let walker = Walker { table: Table::of(target), stretch: stretch.max(1).next_multiple_of(64) };
        Survey { walker, marks: Marks::default(), piece: piece.max(1), bytes: 0, rest: Vec::new() }
    }

    /// Walks over the next bytes, which are any number.
    pub fn read(&mut self, bytes: &[u8]) {
        self.rest.extend_from_slice(bytes);
        let (own, ahead) = self.walker.bytes();
        self.walk(own + ahead);
    }

    /// Walks over stretches while at least so many bytes are left.
    fn walk(&mut self, least: usize) {
        let (own, ahead) = self.walker.bytes();
        let mut at = 0;
        while self.rest.len() - at >= least {
            let end = self.rest.len().min(at + own + ahead);
            self.join(self.walker.walk(&self.rest[at..end]));
            at = self.rest.len().min(at + own);
        }
        self.rest.drain(..at);
    }

    /// Who walks over stretches beside this one, which then takes them in by [`Survey::join`].
    #[must_use]
    pub fn walker(&self) -> Walker {
        self.walker
    }

    /// Takes in the next stretch.
    pub fn join(&mut self, walked: Walked) {
        self.bytes += walked.bytes as u64;
        self.marks.join(self.walker.table, &walked.words, walked.walk);
    }

    /// What was found.
    #[must_use]
    pub fn finish(mut self) -> Pieces {
        self.walk(1);
        let table = self.walker.table;
        let marks = self.marks.finish(self.bytes.is_multiple_of(4));
        Pieces { table, marks, piece: self.piece, bytes: self.bytes, proved: Proved::new(table.target) }
    }
}

/// The pieces of a section, each of which can be printed by itself.
pub struct Pieces {
    table: &'static Table,
    marks: Marks,
    piece: usize,
    bytes: u64,
    proved: Proved,
}

impl Pieces {
    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.marks.words().div_ceil(self.piece).max(1)
    }

    /// The bytes of all pieces.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The words where a piece begins and where the next one does.
    fn words(&self, piece: usize) -> (usize, usize) {
        (self.marks.start_from(piece * self.piece), self.marks.start_from((piece + 1) * self.piece))
    }

    /// Whether a piece is the last one.
    fn is_last(&self, piece: usize) -> bool {
        piece + 1 == self.count()
    }

    /// Where a piece begins, where the next one does, and up to where its printer reads: byte offsets.
    #[must_use]
    pub fn extent(&self, piece: usize) -> (u64, u64, u64) {
        let (first, next) = self.words(piece);
        let end = if self.is_last(piece) { self.bytes } else { 4 * next as u64 };
        (4 * first as u64, end, self.bytes.min(end + 4 * AHEAD as u64))
    }

    /// Who prints pieces: one a thread.
    #[must_use]
    pub fn prover(&self) -> Prover {
        Prover::beside(self.table.target, &self.proved)
    }

    /// Appends the lines of a piece, of which these are the bytes, as far as [`Pieces::extent`] says.
    pub fn print(&self, piece: usize, bytes: &[u8], prover: &mut Prover, out: &mut Vec<u8>) -> Counts {
        let (first, next) = self.words(piece);
        let last = self.is_last(piece);
        let source = Source { bytes: if last { &bytes[4 * (next - first)..] } else { &[] }, ..Source::default() };
        let lines = Piece { words: &words_of(bytes), first, next, marks: &self.marks, source: &source, last };
        lines.print(self.table, prover, out)
    }
}
