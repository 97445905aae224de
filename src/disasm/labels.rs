//! Where branches lead to the beginning of a line, found in one pass.
//!
//! A branch reaches 32,768 words back and 32,767 forward. So it is enough to know of the last words where lines begin, and of the next ones which are
//! branched to: rings of bits. What grows is the list of labels alone.

/// Words that the rings hold: twice the reach of a branch.
const RING: usize = 1 << 16;

/// A bit for each of the last or next words.
struct Ring(Box<[u64; RING / 64]>);

impl Ring {
    fn new() -> Ring {
        Ring(Box::new([0; RING / 64]))
    }

    fn get(&self, word: u64) -> bool {
        let at = word as usize % RING;
        self.0[at / 64] >> (at % 64) & 1 != 0
    }

    fn set(&mut self, word: u64, on: bool) {
        let at = word as usize % RING;
        let bit = 1 << (at % 64);
        if on {
            self.0[at / 64] |= bit;
        } else {
            self.0[at / 64] &= !bit;
        }
    }
}

/// Finds labels while lines go by, first to last.
pub(super) struct Labels {
    /// Where lines begin, among the words that went by.
    starts: Ring,
    /// What is branched to, among the words to come.
    wanted: Ring,
    /// What has its label, among the words that went by.
    done: Ring,
    at: u64,
    labels: Vec<u64>,
}

impl Labels {
    pub(super) fn new() -> Labels {
        Labels { starts: Ring::new(), wanted: Ring::new(), done: Ring::new(), at: 0, labels: Vec::new() }
    }

    /// The word that comes next.
    pub(super) fn at(&self) -> u64 {
        self.at
    }

    /// A line of so many words goes by; it branches so many words from its end.
    pub(super) fn line(&mut self, words: usize, branch: Option<i16>) {
        self.begin();
        let start = self.at;
        for _ in 1..words {
            self.at += 1;
            self.starts.set(self.at, false);
            self.wanted.set(self.at, false);
        }
        self.at += 1;
        let Some(target) = branch.and_then(|distance| (start + 1).checked_add_signed(distance.into())) else { return };
        if target >= self.at {
            self.wanted.set(target, true);
        } else if self.starts.get(target) && !self.done.get(target) {
            self.done.set(target, true);
            self.labels.push(target);
        }
    }

    /// Something begins at the next word.
    fn begin(&mut self) {
        let wanted = self.wanted.get(self.at);
        self.starts.set(self.at, true);
        self.done.set(self.at, wanted);
        self.wanted.set(self.at, false);
        if wanted {
            self.labels.push(self.at);
        }
    }

    /// The words with labels, rising. One may stand behind the last line, if that is the end.
    pub(super) fn finish(mut self, whole: bool) -> Vec<u64> {
        if whole {
            self.begin();
        }
        self.labels.sort_unstable();
        self.labels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The labels of lines, each with its words and its branch.
    fn labels(lines: &[(usize, Option<i16>)], whole: bool) -> Vec<u64> {
        let mut labels = Labels::new();
        for &(words, branch) in lines {
            labels.line(words, branch);
        }
        labels.finish(whole)
    }

    #[test]
    fn only_the_beginning_of_a_line_has_a_label() {
        // A branch to itself, into a line of two words, behind it, to the end, before the beginning.
        assert_eq!(labels(&[(1, Some(-1)), (2, None)], true), [0]);
        assert_eq!(labels(&[(1, Some(1)), (2, None), (1, Some(-3))], true), [1]);
        assert_eq!(labels(&[(1, Some(2)), (2, None), (1, None)], true), [3]);
        assert_eq!(labels(&[(1, Some(1)), (1, None)], true), [2]);
        assert_eq!(labels(&[(1, Some(1)), (1, None)], false), [0u64; 0]);
        assert_eq!(labels(&[(1, Some(-2)), (1, None)], true), [0u64; 0]);
    }

    #[test]
    fn the_farthest_branches_arrive_and_the_ring_forgets() {
        let mut lines = vec![(1, Some(i16::MAX))];
        lines.extend(vec![(1, None); 32_767]);
        lines.push((1, Some(i16::MIN)));
        // A ring later the same places are words like others.
        lines.extend(vec![(1, None); 2 * RING]);
        assert_eq!(labels(&lines, true), [1, 32_768]);
    }

    #[test]
    fn a_place_has_one_label() {
        assert_eq!(labels(&[(1, None), (1, Some(-2)), (1, Some(-3)), (1, Some(0)), (1, Some(-2))], true), [0, 3, 4]);
    }
}
