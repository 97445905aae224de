//! Where an instruction goes in memory, as far as it takes time: lines of caches, bytes, turns of the local data share's banks; and the caches.

use super::machine::{Cache as Figures, Paths};

/// What an instruction moves.
#[derive(Clone, Debug, Default)]
pub struct Traffic {
    /// Lines of the cache that it touches first, each once, and the one that was touched last.
    lines: Vec<u64>,
    recent: u64,
    /// Marks of the lines: one that has none is new.
    marks: [u64; 16],
    /// Bytes of all lanes.
    bytes: u32,
    /// What the banks of the local data share were asked for.
    banks: Banks,
    /// Whether the instruction goes past the first cache: an atomic.
    pub atomic: bool,
    /// Lanes that meet others at one address, of an atomic.
    crowd: u32,
    last: Option<u64>,
}

impl Traffic {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.lines.clear();
        self.marks = [0; 16];
        self.banks.end_turn();
        (self.banks.clocks, self.banks.turn) = (0, 0);
        (self.bytes, self.crowd, self.atomic, self.last) = (0, 0, false, None);
    }

    /// Takes in bytes of memory. Lines are a power of two of bytes.
    #[inline(always)]
    pub fn memory(&mut self, address: u64, bytes: u32, line: u16) {
        let shift = line.trailing_zeros();
        let end = address.saturating_add(u64::from(bytes.max(1)) - 1);
        let (first, last) = (address >> shift, end >> shift);
        // Often many lanes in a row go to one line.
        if first != last || first != self.recent || self.lines.is_empty() {
            self.touch(first, last);
        }
        if self.atomic {
            self.crowd += u32::from(self.last == Some(address));
            self.last = Some(address);
        }
        self.bytes += bytes;
    }

    /// Takes in lines that may be new.
    fn touch(&mut self, first: u64, last: u64) {
        for at in first..=last {
            let mark = (at ^ at >> 10) as usize % (64 * self.marks.len());
            let (word, bit) = (&mut self.marks[mark / 64], 1 << (mark % 64));
            if *word & bit == 0 || !self.lines.contains(&at) {
                *word |= bit;
                self.lines.push(at);
            }
        }
        self.recent = last;
    }

    /// Takes in bytes of the local data share, of a lane; lanes come in order. As many of them as there are banks, which are a power of
    /// two, have their turn at once, fewer where they move more.
    pub fn lds(&mut self, lane: u32, address: u32, bytes: u32, banks: u8) {
        let words = bytes.div_ceil(4).max(1);
        let at_once = lanes_at_once(banks, words);
        let turn = if at_once.is_power_of_two() { lane >> at_once.trailing_zeros() } else { lane / at_once };
        if turn != self.banks.turn {
            self.banks.end_turn();
            self.banks.turn = turn;
        }
        self.banks.count = banks.into();
        for word in 0..words {
            self.banks.ask((address / 4).wrapping_add(word));
        }
        self.bytes += bytes;
    }

    /// Takes in places in the local data share, each so many bytes: of each of `lanes`, what stands there and an offset, or two of them. It
    /// is the same as if they came one by one.
    #[inline(always)]
    pub fn shared(&mut self, lanes: u64, bases: &[u32; 64], offsets: &[u32], bytes: u32, banks: u8) {
        let words = bytes.div_ceil(4).max(1);
        let at_once = lanes_at_once(banks, words) as usize;
        self.banks.count = banks.into();
        let mut first = 0;
        while first < 64 {
            let turn = first..(first + at_once).min(64);
            let active = lanes >> first & (u64::MAX >> (64 - turn.len()));
            first = turn.end;
            if active != 0 {
                self.banks.turn_of(active, &bases[turn], offsets, words);
            }
        }
    }

    /// Clocks that the local data share takes: of each turn, as many as different words of one bank are asked for.
    #[must_use]
    pub fn turns(&mut self) -> u64 {
        self.banks.end_turn();
        self.banks.clocks
    }

    /// Clocks for which it keeps the path to memory: one a line, as many as its bytes take, and one a lane that meets another at the same address of an
    /// atomic.
    #[must_use]
    pub fn clocks(&self, bandwidth: u16) -> u64 {
        let bytes = u64::from(self.bytes.div_ceil(u32::from(bandwidth.max(1))));
        (self.lines.len() as u64).max(bytes).max(if self.atomic { u64::from(self.crowd) } else { 0 }).max(1)
    }

    /// The lines.
    #[must_use]
    pub fn lines(&self) -> &[u64] {
        &self.lines
    }
}

/// The banks of the local data share: each gives one word a clock, the same to all lanes that ask for it in their turn.
#[derive(Clone, Debug, Default)]
struct Banks {
    /// How many there are.
    count: u32,
    /// The words of this turn, the lowest and the highest; the number of the turn in the instruction.
    words: Vec<u32>,
    low: u32,
    high: u32,
    turn: u32,
    /// Clocks of the turns before.
    clocks: u64,
}

/// How many lanes have their turn at once that each move so many words: one at least. The host divides slowly.
#[inline(always)]
fn lanes_at_once(banks: u8, words: u32) -> u32 {
    let lanes =
        if words.is_power_of_two() { u32::from(banks) >> words.trailing_zeros() } else { u32::from(banks) / words };
    lanes.max(1)
}

/// The numbers of a mask's bits.
pub(super) fn bits_of(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(bit)
    })
}

/// The most banks.
const BANKS: usize = 256;

impl Banks {
    #[inline]
    fn ask(&mut self, word: u32) {
        (self.low, self.high) =
            if self.words.is_empty() { (word, word) } else { (self.low.min(word), self.high.max(word)) };
        self.words.push(word);
    }

    /// A whole turn: the lanes that take part, and where all of them go.
    #[inline(always)]
    fn turn_of(&mut self, active: u64, bases: &[u32], offsets: &[u32], words: u32) {
        let (mut low, mut high) = (u32::MAX, 0);
        if active.count_ones() as usize == bases.len() {
            // Of all of them compilers make vector code.
            for at in bases {
                (low, high) = (low.min(*at), high.max(*at));
            }
        } else {
            for lane in bits_of(active) {
                (low, high) = (low.min(bases[lane]), high.max(bases[lane]));
            }
        }
        let all = offsets.iter().map(|offset| u64::from(*offset));
        let (first, last) = all.fold((u64::MAX, 0), |(low, high), at| (low.min(at), high.max(at)));
        let (first, last) = (u64::from(low) + first, u64::from(high) + last);
        // Neighbours lie in different banks.
        if last / 4 + u64::from(words) - first / 4 <= u64::from(self.count) && last <= u64::from(u32::MAX) {
            self.clocks += 1;
            return;
        }
        for offset in offsets {
            for lane in bits_of(active) {
                let at = bases[lane].wrapping_add(*offset);
                (0..words).for_each(|word| self.ask((at / 4).wrapping_add(word)));
            }
        }
        self.end_turn();
    }

    fn end_turn(&mut self) {
        // Neighbours lie in different banks.
        self.clocks += match self.words.len() {
            0 => 0,
            _ if self.high - self.low < self.count => 1,
            _ => self.most(),
        };
        self.words.clear();
    }

    /// The most different words of this turn that one bank is asked for.
    fn most(&mut self) -> u64 {
        self.words.sort_unstable();
        self.words.dedup();
        let mut asked = [0u16; BANKS];
        self.words.iter().for_each(|word| asked[(word & (self.count - 1)) as usize % BANKS] += 1);
        asked[..self.count as usize % (BANKS + 1)].iter().copied().max().unwrap_or(0).into()
    }
}

/// A cache that knows which lines it has.
#[derive(Clone, Debug)]
struct Cache {
    /// The numbers of lines, from one, by set, and when they are there; the one used last stands first. No set is made before one is used.
    sets: Vec<[(u64, u64); WAYS]>,
    count: usize,
    warm: bool,
}

/// Lines of a set.
const WAYS: usize = 4;

/// No line. Being zero, it takes no page of the host's memory before a set is used.
const NONE: u64 = 0;

impl Cache {
    fn new(figures: &Figures) -> Cache {
        let count = (figures.bytes as usize / usize::from(figures.line) / WAYS).max(1);
        Cache { sets: Vec::new(), count, warm: figures.warm }
    }

    /// When a line that it has is there, or was; a line that it has not is brought by `fetch`, and there is its clock.
    fn get(&mut self, line: u64, fetch: impl FnOnce() -> u64) -> u64 {
        // Neighbours lie in different sets, and so do those that are a power of two apart, but for some.
        let mixed = (line ^ line >> 12 ^ line >> 23) as usize;
        let at = if self.count.is_power_of_two() { mixed & (self.count - 1) } else { mixed % self.count };
        if self.sets.is_empty() {
            self.sets = vec![[(NONE, 0); WAYS]; self.count];
        }
        let (set, line) = (&mut self.sets[at], line.wrapping_add(1));
        // Which way it is the host's branches cannot guess: there are none.
        let way = (0..WAYS).rev().fold(WAYS, |way, at| if set[at].0 == line { at } else { way });
        let entry = match set.get(way) {
            Some(hit) => *hit,
            // A warm cache had it, unless it is known to have had another in its place.
            None if self.warm && set[WAYS - 1].0 == NONE => (line, 0),
            None => (line, fetch()),
        };
        for at in (1..WAYS).rev() {
            set[at] = if at <= way { set[at - 1] } else { set[at] };
        }
        set[0] = entry;
        entry.1
    }
}

/// The caches of a compute unit: its own, and its part in the one that all share.
#[derive(Clone, Debug)]
pub struct Caches {
    paths: Paths,
    vector: Cache,
    scalar: Cache,
    shared: Cache,
}

impl Caches {
    /// As they are at the beginning.
    #[must_use]
    pub fn new(paths: Paths) -> Caches {
        Caches {
            vector: Cache::new(&paths.vector),
            scalar: Cache::new(&paths.scalar),
            shared: Cache::new(&paths.shared),
            paths,
        }
    }

    /// When the last line of an instruction of the vector path comes back that goes there now.
    pub fn vector(&mut self, traffic: &Traffic, now: u64) -> u64 {
        let Caches { paths, vector, shared, .. } = self;
        let far = now + u64::from(paths.shared.latency);
        let mut last = now + u64::from(paths.vector.latency);
        for line in traffic.lines() {
            let mut fetch = || {
                let line = line * u64::from(paths.vector.line) / u64::from(paths.shared.line);
                far.max(shared.get(line, || far + u64::from(paths.beyond)))
            };
            last = last.max(if traffic.atomic { fetch() } else { vector.get(*line, fetch) });
        }
        last
    }

    /// The same of the scalar path.
    pub fn scalar(&mut self, traffic: &Traffic, now: u64) -> u64 {
        let Caches { paths, scalar, shared, .. } = self;
        let far = now + u64::from(paths.scalar_shared);
        let mut last = now + u64::from(paths.scalar.latency);
        for line in traffic.lines() {
            let fetch = || {
                let line = line * u64::from(paths.scalar.line) / u64::from(paths.shared.line);
                far.max(shared.get(line, || far + u64::from(paths.beyond)))
            };
            last = last.max(scalar.get(*line, fetch));
        }
        last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lanes that read one word take a clock, those that read neighbours too, with a stride of two words two, of 32 as many as there are lanes.
    #[test]
    fn banks_take_turns() {
        for (stride, clocks) in [(0, 1), (1, 1), (2, 2), (3, 1), (4, 4), (32, 32), (33, 1)] {
            let mut traffic = Traffic::default();
            (0..32).for_each(|lane| traffic.lds(lane, lane * stride * 4, 4, 32));
            assert_eq!(traffic.turns(), clocks, "stride {stride}");
        }
        let mut wide = Traffic::default();
        (0..64).for_each(|lane| wide.lds(lane, lane * 8, 8, 32));
        assert_eq!(wide.turns(), 4, "two words a lane");
        let mut one = Traffic::default();
        (0..64).for_each(|lane| one.lds(lane, 0, 4, 32));
        assert_eq!(one.turns(), 2, "one word, in two turns");
    }

    /// A second walk through what fits hits, and through what does not fit misses.
    #[test]
    fn caches_have_what_fits() {
        let figures = Figures { bytes: 16 << 10, line: 64, latency: 1, warm: false };
        for (lines, hits) in [(128u64, 128), (4096, 0)] {
            let mut cache = Cache::new(&figures);
            assert!((0..lines).all(|line| cache.get(line, || 7) == 7), "cold");
            assert_eq!((0..lines).filter(|line| cache.get(*line, || 9) == 7).count() as u64, hits, "{lines} lines");
        }
        let mut warm = Cache::new(&Figures { warm: true, ..figures });
        assert!((0..128).all(|line| warm.get(line, || 7) == 0), "warm");
    }
}
