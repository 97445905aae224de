//! Where the lines of a section begin, which of them are no instructions, and which have labels: a bit each for every word.
//!
//! Where an instruction begins is known only from the one before it. But who begins to walk in the wrong place soon steps on a right one, for
//! most instructions have one or two words. So a section is cut into stretches, which are walked over by themselves, each from its first word on
//! ([`Walk`]); when they are joined ([`Marks::join`]), in their order, a stretch into which the last line of the one before reaches is walked
//! over again, up to the first line that was found before.

use super::decode::number_and_length;
use super::extent;
use crate::isa::form::{Form, Kind, Table};

/// One bit a word.
#[derive(Clone, Debug, Default)]
struct Bits(Vec<u64>);

impl Bits {
    /// Room for so many words, none of which is marked.
    fn new(words: usize) -> Bits {
        Bits(vec![0; words.div_ceil(64)])
    }

    fn get(&self, word: usize) -> bool {
        self.0.get(word / 64).is_some_and(|bits| bits >> (word % 64) & 1 != 0)
    }

    /// Marks a word, if there is room for it.
    fn set(&mut self, word: usize) {
        if let Some(bits) = self.0.get_mut(word / 64) {
            *bits |= 1 << (word % 64);
        }
    }

    /// Takes the marks of the first words away.
    fn clear_before(&mut self, word: usize) {
        let whole = (word / 64).min(self.0.len());
        self.0[..whole].fill(0);
        if let Some(bits) = self.0.get_mut(word / 64) {
            *bits &= u64::MAX << (word % 64);
        }
    }
}

/// A walk over one stretch.
#[derive(Default)]
pub(super) struct Walk {
    /// Words of the stretch.
    own: usize,
    starts: Bits,
    data: Bits,
    /// Lines that branch: where they begin, and how far they branch from their end.
    branches: Vec<(u32, i16)>,
    /// Where the line behind the last one begins: in the stretch or a little behind it.
    end: usize,
}

impl Walk {
    /// Over no line yet of a stretch of so many words.
    pub(super) fn over(own: usize) -> Walk {
        Walk { own, starts: Bits::new(own), data: Bits::new(own), branches: Vec::new(), end: 0 }
    }

    /// Over all lines that begin in the first `own` words; those behind show how long the last one is.
    pub(super) fn of(table: &Table, words: &[u32], own: usize) -> Walk {
        let mut walk = Walk::over(own);
        walk.go(table, words, own);
        walk
    }

    /// Goes on to the last line that begins in front of a word.
    pub(super) fn go(&mut self, table: &Table, words: &[u32], to: usize) {
        while self.end < to {
            self.step(table, words);
        }
    }

    /// Goes over one line.
    #[inline(always)]
    fn step(&mut self, table: &Table, words: &[u32]) {
        let at = self.end;
        let line = &words[at..];
        self.starts.set(at);
        match number_and_length(table, line) {
            Ok((number, len)) => {
                let number = usize::from(number);
                if table.quick[number].branches {
                    self.branches.extend(distance(&table.forms[number], line).map(|distance| (at as u32, distance)));
                }
                self.end += usize::from(len);
            }
            Err(_) => {
                self.data.set(at);
                self.end += extent(table, line);
            }
        }
    }

    /// The first line begins later than was thought: what was found before it and is not on the way from there goes.
    fn enter(&mut self, table: &Table, words: &[u32], first: usize) {
        let mut again = Walk { end: first, ..Walk::over(self.own) };
        while again.end < self.own && !self.starts.get(again.end) {
            again.step(table, words);
        }
        let met = again.end;
        if met >= self.own {
            *self = again;
            return;
        }
        for (found, again) in [(&mut self.starts, &again.starts), (&mut self.data, &again.data)] {
            found.clear_before(met);
            found.0.iter_mut().zip(&again.0).for_each(|(found, again)| *found |= again);
        }
        again.branches.extend(self.branches.iter().filter(|(at, _)| *at as usize >= met));
        self.branches = again.branches;
    }
}

/// How far an instruction branches, in words from its end.
fn distance(form: &Form, words: &[u32]) -> Option<i16> {
    form.slots.iter().find(|s| s.kind == Kind::Target).map(|slot| slot.span.get(words) as u16 as i16)
}

/// What is known of a section.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    words: usize,
    starts: Bits,
    data: Bits,
    /// While stretches are joined what is branched to, afterwards what has a label.
    labels: Bits,
    /// How many labels there are in front of each eight elements of the labels.
    ranks: Vec<u64>,
    /// What is branched to behind the stretches that are joined.
    ahead: Vec<u64>,
    /// Where the next line begins.
    end: usize,
}

/// Elements of bits whose labels are counted together.
const RANKED: usize = 8;

impl Marks {
    /// Joins the next stretch. All but the last have a multiple of 64 words. The words are those that were walked over.
    pub(super) fn join(&mut self, table: &Table, words: &[u32], mut walk: Walk) {
        let first = self.end - self.words;
        if first > 0 {
            walk.enter(table, words, first);
        }
        let stretch = self.words;
        self.end = stretch + walk.end.max(first);
        self.words += walk.own;
        self.starts.0.extend(walk.starts.0);
        self.data.0.extend(walk.data.0);
        self.labels.0.resize(self.starts.0.len(), 0);
        let ahead = std::mem::take(&mut self.ahead);
        let branched = walk
            .branches
            .iter()
            .filter_map(|&(at, distance)| ((stretch + at as usize + 1) as u64).checked_add_signed(distance.into()));
        for target in ahead.into_iter().chain(branched) {
            if target < self.words as u64 {
                self.labels.set(target as usize);
            } else {
                self.ahead.push(target);
            }
        }
    }

    /// All stretches are joined. A label may stand behind the last line, if that is the end of the bytes.
    pub(super) fn finish(mut self, whole: bool) -> Marks {
        for bits in [&mut self.starts, &mut self.data, &mut self.labels] {
            bits.0.resize(self.words / 64 + 1, 0);
        }
        self.starts.set(self.words);
        std::mem::take(&mut self.ahead)
            .iter()
            .filter(|to| whole && **to == self.words as u64)
            .for_each(|to| self.labels.set(*to as usize));
        self.labels.0.iter_mut().zip(&self.starts.0).for_each(|(label, start)| *label &= start);
        let mut count = 0;
        for bits in self.labels.0.chunks(RANKED) {
            self.ranks.push(count);
            count += bits.iter().map(|bits| u64::from(bits.count_ones())).sum::<u64>();
        }
        self.ranks.push(count);
        self
    }

    /// How many words there are.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// Whether the line that begins at a word is no instruction.
    #[inline(always)]
    pub(super) fn is_data(&self, word: usize) -> bool {
        self.data.get(word)
    }

    /// Whether a line with a label begins at a word.
    #[inline(always)]
    pub(super) fn is_label(&self, word: usize) -> bool {
        self.labels.get(word)
    }

    /// The number of the label at a word, where it has one.
    #[inline(always)]
    pub(super) fn label(&self, word: usize) -> Option<usize> {
        self.is_label(word).then(|| self.rank(word))
    }

    /// How many labels stand in front of a word.
    fn rank(&self, word: usize) -> usize {
        let (at, first) = (word / 64, word / 64 / RANKED * RANKED);
        let before: u32 = self.labels.0[first..at].iter().map(|bits| bits.count_ones()).sum();
        let here = (self.labels.0[at] & ((1 << (word % 64)) - 1)).count_ones();
        self.ranks[at / RANKED] as usize + (before + here) as usize
    }

    /// How many labels there are.
    pub(super) fn labels(&self) -> usize {
        self.ranks.last().map_or(0, |count| *count as usize)
    }

    /// The first line that begins at a word or behind it; the end where there is none.
    pub(super) fn start_from(&self, word: usize) -> usize {
        let mut at = word / 64;
        let Some(first) = self.starts.0.get(at) else { return self.words };
        let mut bits = first & u64::MAX << (word % 64);
        while bits == 0 {
            at += 1;
            match self.starts.0.get(at) {
                Some(next) => bits = *next,
                None => return self.words,
            }
        }
        64 * at + bits.trailing_zeros() as usize
    }

    /// Where the lines between two of their beginnings begin, the second too, counted from the first.
    pub(super) fn lines(&self, from: usize, to: usize) -> Vec<u32> {
        let mut lines = Vec::with_capacity(to - from + 1);
        for at in from / 64..=to / 64 {
            let mut bits = self.starts.0.get(at).copied().unwrap_or(0);
            while bits != 0 {
                let word = 64 * at + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                if (from..=to).contains(&word) {
                    lines.push((word - from) as u32);
                }
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::{Arch, Target};

    /// `s_nop 0`, of one word.
    const NOP: u32 = 0xbf80_0000;
    /// `s_mov_b32 s0, 0xbf800000`: two words, of which the second would be an instruction too.
    const MOVE: [u32; 2] = [0xbe80_03ff, NOP];

    /// `s_branch`.
    fn branch(distance: i16) -> u32 {
        0xbf82_0000 | u32::from(distance as u16)
    }

    /// The words with labels, of a section in stretches of so many words.
    fn labels(words: &[u32], stretch: usize, whole: bool) -> Vec<usize> {
        let table = Table::of(Target::new(Arch::find("gfx600").expect("a processor")));
        let mut marks = Marks::default();
        for first in (0..words.len()).step_by(stretch) {
            let words = &words[first..];
            let own = stretch.min(words.len());
            marks.join(table, words, Walk::of(table, words, own));
        }
        let marks = marks.finish(whole);
        let found: Vec<usize> = (0..=words.len()).filter(|word| marks.is_label(*word)).collect();
        let numbers: Vec<usize> = found.iter().filter_map(|word| marks.label(*word)).collect();
        assert_eq!(numbers, (0..marks.labels()).collect::<Vec<_>>());
        found
    }

    #[test]
    fn only_the_beginning_of_a_line_has_a_label() {
        // A branch to itself, into a line of two words, behind it, to the end, before the beginning.
        let one = |distance: i16, rest: &[u32]| [&[branch(distance)], rest].concat();
        assert_eq!(labels(&one(-1, &MOVE), 64, true), [0]);
        assert_eq!(labels(&[&one(1, &MOVE)[..], &[branch(-3)]].concat(), 64, true), [1]);
        assert_eq!(labels(&one(2, &[&MOVE[..], &[NOP]].concat()), 64, true), [3]);
        assert_eq!(labels(&one(1, &[NOP]), 64, true), [2]);
        assert_eq!(labels(&one(1, &[NOP]), 64, false), [0usize; 0]);
        assert_eq!(labels(&one(-2, &[NOP]), 64, true), [0usize; 0]);
        assert_eq!(labels(&[NOP, branch(-2), branch(-3), branch(0), branch(-2)], 64, true), [0, 3, 4]);
    }

    #[test]
    fn the_farthest_branches_arrive() {
        let mut words = vec![branch(i16::MAX)];
        words.extend(vec![NOP; 32_767]);
        words.push(branch(i16::MIN));
        words.extend(vec![NOP; 70_000]);
        for stretch in [64, 4096, 1 << 20] {
            assert_eq!(labels(&words, stretch, true), [1, 32_768], "stretches of {stretch} words");
        }
    }

    #[test]
    fn a_stretch_that_was_walked_over_out_of_step_is_walked_over_again() {
        let table = Table::of(Target::new(Arch::find("gfx600").expect("a processor")));
        // Moves with a literal that would be a move with a literal itself, all out of step in the second stretch, but for its end.
        let mut words = vec![NOP];
        words.extend(vec![MOVE[0]; 126]);
        words.extend([NOP, NOP, branch(-3), branch(-2)]);
        let whole = Walk::of(table, &words, words.len());
        let mut marks = Marks::default();
        for first in [0, 64] {
            let rest = &words[first..];
            let own = if first == 0 { 64 } else { rest.len() };
            marks.join(table, rest, Walk::of(table, rest, own));
        }
        let marks = marks.finish(true);
        let lines = marks.lines(0, words.len());
        let told: Vec<u32> =
            (0..words.len() as u32).filter(|at| whole.starts.get(*at as usize)).chain([words.len() as u32]).collect();
        assert_eq!(lines, told);
        let alone = Walk::of(table, &words[64..], words.len() - 64);
        assert!(alone.starts.get(0) && !whole.starts.get(64), "the second stretch begins inside an instruction");
    }
}
