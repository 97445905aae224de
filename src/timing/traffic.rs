//! Where an instruction goes in memory, as far as it takes time: lines of caches, bytes, turns of the local data share's banks; and the caches.

use super::machine::{Cache as Figures, Paths};

/// What an instruction moves.
#[derive(Clone, Debug, Default)]
pub struct Traffic {
    /// Lines of the cache that it touches first, and the one that was touched last.
    lines: Lines,
    recent: u64,
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
        self.banks.words.clear();
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
        if first != last || first != self.recent || self.lines.all().is_empty() {
            self.touch(first, last);
        }
        if self.atomic {
            self.crowd += u32::from(self.last == Some(address));
            self.last = Some(address);
        }
        self.bytes += bytes;
    }

    /// Takes in bytes of memory, of all these lanes so many, each at an offset behind an address, which is the same as if they came one by one.
    #[inline(always)]
    pub fn spread(&mut self, lanes: u64, base: u64, offsets: &[u32; 64], bytes: u32, line: u16) {
        let shift = line.trailing_zeros();
        let (before, more) = ((base & (u64::from(line) - 1)) as u32, bytes.max(1) - 1);
        // Lines by their numbers behind that of the address; and whether lanes go to the next one, too, or to more.
        let (mut numbers, mut next, mut far) = ([0; 64], [0; 64], 0);
        for ((offset, number), next) in offsets.iter().zip(&mut numbers).zip(&mut next) {
            let first = before.wrapping_add(*offset);
            *number = first >> shift;
            *next = (first.wrapping_add(more) >> shift).wrapping_sub(*number);
            far |= *next & !1 | u32::from(first < before);
        }
        if far != 0 || self.atomic {
            let at = |lane: usize| base.wrapping_add(offsets[lane].into());
            return bits_of(lanes).for_each(|lane| self.memory(at(lane), bytes, line));
        }
        // Of lanes in a row that go to one line only the first is looked at.
        let mut asked = 1 | !(lanes << 1);
        for lane in 1..64 {
            asked |= u64::from(numbers[lane] != numbers[lane - 1] || next[lane] != 0) << lane;
        }
        let (start, all) = (base >> shift, u64::MAX >> shift);
        self.lines.make_room(128);
        for lane in bits_of(lanes & asked) {
            let at = start.wrapping_add(numbers[lane].into()) & all;
            self.lines.take(at);
            if next[lane] != 0 && at != all {
                self.lines.take(at + 1);
            }
        }
        self.recent = self.lines.all().last().copied().unwrap_or(0);
        self.bytes += bytes * lanes.count_ones();
    }

    /// Takes in lines that may be new.
    #[inline]
    fn touch(&mut self, first: u64, last: u64) {
        for at in first..=last {
            self.lines.make_room(1);
            self.lines.take(at);
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
        (self.lines().len() as u64).max(bytes).max(if self.atomic { u64::from(self.crowd) } else { 0 }).max(1)
    }

    /// The lines.
    #[must_use]
    pub fn lines(&self) -> &[u64] {
        self.lines.all()
    }
}

/// Lines of a cache, each once.
#[derive(Clone, Debug, Default)]
struct Lines {
    /// They, and behind them room for more.
    places: Vec<u64>,
    count: usize,
    marks: Marks,
}

impl Lines {
    fn clear(&mut self) {
        self.marks.clear(&self.places[..self.count]);
        self.count = 0;
    }

    fn all(&self) -> &[u64] {
        &self.places[..self.count]
    }

    /// So many more may be taken in.
    #[inline(always)]
    fn make_room(&mut self, more: usize) {
        if self.places.len() < self.count + more {
            self.places.resize(2 * (self.count + more), 0);
        }
    }

    /// Takes in one that may be new. Whether it is the host's branches cannot guess: there are none.
    #[inline(always)]
    fn take(&mut self, line: u64) {
        let is_new = !self.marks.has(line) || !self.all().contains(&line);
        self.places[self.count] = line;
        self.count += usize::from(is_new);
    }
}

/// Marks of lines, a bit for many of them: one that has none is new. They are few, so that what a gather goes to does not drive them out of the
/// nearest cache of the host.
#[derive(Clone, Debug)]
struct Marks([u64; 64]);

impl Default for Marks {
    fn default() -> Marks {
        Marks([0; _])
    }
}

impl Marks {
    /// Forgets the marks of these lines, which are all.
    fn clear(&mut self, lines: &[u64]) {
        if lines.len() < self.0.len() / 4 {
            lines.iter().for_each(|line| self.0[Self::place(*line).0] = 0);
        } else {
            self.0 = [0; _];
        }
    }

    /// The word and the bit in it.
    #[inline(always)]
    fn place(line: u64) -> (usize, u64) {
        let place = line ^ line >> 12;
        ((place >> 6) as usize % 64, 1 << (place % 64))
    }

    /// Whether there is a mark where that of a line is; it is there from now on.
    #[inline(always)]
    fn has(&mut self, line: u64) -> bool {
        let (word, bit) = Self::place(line);
        let before = self.0[word];
        self.0[word] = before | bit;
        before & bit != 0
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
    /// The turn in which a word was asked for last, by its number; none is made before one is looked for.
    seen: Vec<u32>,
    now: u32,
}

/// Words of which it is known when they were asked for last: more than a local data share has.
const SEEN: usize = 1 << 16;

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
        if last / 4 + u64::from(words) > SEEN as u64 {
            for offset in offsets {
                for lane in bits_of(active) {
                    let at = bases[lane].wrapping_add(*offset);
                    (0..words).for_each(|word| self.ask((at / 4).wrapping_add(word)));
                }
            }
            return self.end_turn();
        }
        let (mut asked, mut new) = ([0; BANKS], self.new_words());
        for offset in offsets {
            for lane in bits_of(active) {
                let first = bases[lane].wrapping_add(*offset) / 4;
                (first..first + words).for_each(|word| new.ask(word, &mut asked));
            }
        }
        self.clocks += busiest(&asked);
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
        let mut asked = [0; BANKS];
        self.words.iter().for_each(|word| asked[(word & (self.count - 1)) as usize % BANKS] += 1);
        busiest(&asked)
    }

    /// No word has been asked for in a new turn.
    #[inline(always)]
    fn new_words(&mut self) -> NewWords<'_> {
        if self.seen.is_empty() {
            // Of memory that is zero already only what is used takes pages of the host.
            self.seen = vec![0; SEEN];
        }
        self.now = self.now.wrapping_add(1);
        if self.now == 0 {
            self.seen.fill(0);
            self.now = 1;
        }
        NewWords { seen: &mut self.seen, now: self.now, banks: self.count - 1 }
    }
}

/// How many words the bank was asked for that was asked for most.
#[inline(always)]
fn busiest(asked: &[u16; BANKS]) -> u64 {
    asked.iter().fold(0, |most, asked| most.max(*asked)).into()
}

/// Which words are new in a turn.
struct NewWords<'a> {
    seen: &'a mut [u32],
    now: u32,
    banks: u32,
}

impl NewWords<'_> {
    /// A bank is asked for a word. Whether that is new the host's branches cannot guess: there are none.
    #[inline(always)]
    fn ask(&mut self, word: u32, asked: &mut [u16; BANKS]) {
        let seen = std::mem::replace(&mut self.seen[word as usize], self.now);
        asked[(word & self.banks) as usize % BANKS] += u16::from(seen != self.now);
    }
}

/// A cache that knows which lines it has.
#[derive(Clone, Debug)]
struct Cache {
    /// None is made before one is used.
    sets: Vec<Set>,
    /// Those that were used.
    used: Vec<u32>,
    count: usize,
    /// A line as a power of two of bytes.
    shift: u32,
    warm: bool,
}

/// Lines of a set.
const WAYS: usize = 4;

/// The lines of a set, the one used last first: their numbers, from one, and when they are there.
type Set = [[u64; WAYS]; 2];

/// No line. Being zero, it takes no page of the host's memory before a set is used.
const NONE: u64 = 0;
const EMPTY: Set = [[NONE; WAYS], [0; WAYS]];

impl Cache {
    fn new(figures: &Figures) -> Cache {
        let count = (figures.bytes as usize / usize::from(figures.line) / WAYS).max(1);
        Cache { sets: Vec::new(), used: Vec::new(), count, shift: figures.line.trailing_zeros(), warm: figures.warm }
    }

    /// Has no lines, as at the beginning.
    fn clear(&mut self) {
        self.used.drain(..).for_each(|at| self.sets[at as usize] = EMPTY);
    }

    /// Makes the sets, if there are none.
    #[inline]
    fn open(&mut self) -> Open<'_> {
        if self.sets.is_empty() {
            self.sets = vec![EMPTY; self.count];
        }
        let mask = if self.count.is_power_of_two() { self.count - 1 } else { usize::MAX };
        Open { sets: &mut self.sets, used: &mut self.used, mask, shift: self.shift, warm: self.warm }
    }
}

/// A cache in use.
struct Open<'a> {
    sets: &'a mut [Set],
    used: &'a mut Vec<u32>,
    /// What is left of a number by the count of sets, if that is a power of two.
    mask: usize,
    shift: u32,
    warm: bool,
}

impl Open<'_> {
    /// When a line that it has is there, or was; a line that it has not is brought by `fetch`, and there is its clock.
    #[inline(always)]
    fn get(&mut self, line: u64, fetch: impl FnOnce() -> u64) -> u64 {
        // Neighbours lie in different sets, and so do those that are a power of two apart, but for some.
        let mut at = (line ^ line >> 12 ^ line >> 23) as usize & self.mask;
        if at >= self.sets.len() {
            at %= self.sets.len();
        }
        let ([lines, when], line) = (&mut self.sets[at], line.wrapping_add(1));
        if lines[0] == line {
            return when[0];
        }
        // Which way it is the host's branches cannot guess: they are asked only whether it is one.
        if (lines[1] == line) | (lines[2] == line) | (lines[3] == line) {
            let way = 1 + usize::from(lines[1] != line) + usize::from(lines[1] != line && lines[2] != line);
            let clock = when[way];
            for at in (1..WAYS).rev() {
                lines[at] = if at <= way { lines[at - 1] } else { lines[at] };
                when[at] = if at <= way { when[at - 1] } else { when[at] };
            }
            (lines[0], when[0]) = (line, clock);
            return clock;
        }
        // A warm cache had it, unless it is known to have had another in its place.
        let had = lines[WAYS - 1] == NONE && begins(at, lines[0] == NONE, self.used, self.warm);
        let clock = if had { 0 } else { fetch() };
        *lines = [line, lines[0], lines[1], lines[2]];
        *when = [clock, when[0], when[1], when[2]];
        clock
    }

    /// When a line comes from here, of a cache with lines of other sizes: at one clock, or at another one from behind.
    #[inline(always)]
    fn fetch(&mut self, line: u64, shift: u32, (here, behind): (u64, u64)) -> u64 {
        here.max(self.get(line << shift >> self.shift, || behind))
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

    /// They are as they are at the beginning.
    pub fn clear(&mut self) {
        [&mut self.vector, &mut self.scalar, &mut self.shared].into_iter().for_each(Cache::clear);
    }

    /// When the last line of an instruction of the vector path comes back that goes there now.
    pub fn vector(&mut self, traffic: &Traffic, now: u64) -> u64 {
        let Caches { paths, vector, shared, .. } = self;
        let far = now + u64::from(paths.shared.latency);
        let last = last(traffic, traffic.atomic, [vector, shared], (far, far + u64::from(paths.beyond)));
        last.max(now + u64::from(paths.vector.latency))
    }

    /// The same of the scalar path.
    pub fn scalar(&mut self, traffic: &Traffic, now: u64) -> u64 {
        let Caches { paths, scalar, shared, .. } = self;
        let far = now + u64::from(paths.scalar_shared);
        let last = last(traffic, false, [scalar, shared], (far, far + u64::from(paths.beyond)));
        last.max(now + u64::from(paths.scalar.latency))
    }
}

/// A set that is not full takes a line in: notes it if that is its first one, and says whether it had the line before it was known to.
#[cold]
fn begins(set: usize, is_first: bool, used: &mut Vec<u32>, warm: bool) -> bool {
    if is_first {
        used.push(set as u32);
    }
    warm
}

/// When the last line comes through a cache, or past it, and then through the shared one, from where and from behind which lines come at two
/// clocks.
fn last(traffic: &Traffic, past: bool, [near, shared]: [&mut Cache; 2], clocks: (u64, u64)) -> u64 {
    let (mut near, mut shared) = (near.open(), shared.open());
    let (lines, shift) = (traffic.lines().iter(), near.shift);
    if past {
        lines.fold(0, |last, line| last.max(shared.fetch(*line, shift, clocks)))
    } else if shift == shared.shift {
        // Of most processors lines of both have the same numbers, of which both sets follow at once.
        lines.fold(0, |last, line| last.max(near.get(*line, || clocks.0.max(shared.get(*line, || clocks.1)))))
    } else {
        lines.fold(0, |last, line| last.max(near.get(*line, || shared.fetch(*line, shift, clocks))))
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
            let mut cache = cache.open();
            assert!((0..lines).all(|line| cache.get(line, || 7) == 7), "cold");
            assert_eq!((0..lines).filter(|line| cache.get(*line, || 9) == 7).count() as u64, hits, "{lines} lines");
        }
        let mut warm = Cache::new(&Figures { warm: true, ..figures });
        assert!((0..128).all(|line| warm.open().get(line, || 7) == 0), "warm");
    }

    /// A set has the lines that were used last, and when they came, whatever was asked for; cleared it is as it was made.
    #[test]
    fn caches_keep_what_was_used_last() {
        for warm in [false, true] {
            let mut cache = Cache::new(&Figures { bytes: 64 * WAYS as u32, line: 64, latency: 1, warm });
            for _ in 0..2 {
                // Those of a warm one that are not known may be anything, and come at clock 0.
                let mut naive: Vec<(u64, u64)> = if warm { vec![(u64::MAX, 0); WAYS] } else { Vec::new() };
                let mut line = 1u64;
                for clock in 1..2000 {
                    line = line.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                    let asked = line >> 40 & 7;
                    let known = naive.iter().position(|(known, _)| *known == asked);
                    let known = known.or(naive.iter().rposition(|(known, _)| *known == u64::MAX));
                    let when = known.map_or(clock, |at| naive.remove(at).1);
                    naive.insert(0, (asked, when));
                    naive.truncate(WAYS);
                    assert_eq!(cache.open().get(asked, || clock), when, "line {asked} at {clock}, warm: {warm}");
                }
                cache.clear();
            }
        }
    }

    /// A line comes from the cache if that has it, else from the shared one, whose lines are as long or longer, and else from behind.
    #[test]
    fn lines_come_from_the_next_that_has_them() {
        let figures = Figures { bytes: 16 << 10, line: 64, latency: 100, warm: false };
        for (line, neighbour, between) in [(128, 300, -1), (64, 300 + 500, 0)] {
            let mut caches = Caches::new(Paths {
                vector: figures,
                scalar: Figures { latency: 30, ..figures },
                shared: Figures { bytes: 1 << 20, line, latency: 300, warm: false },
                scalar_shared: 200,
                beyond: 500,
                bandwidth: 64,
                banks: 32,
                export: 16,
            });
            let mut traffic = Traffic::default();
            for (address, atomic, scalar, now, clocks) in [
                (0, false, false, 1000, 300 + 500),
                (64, false, false, 2000, neighbour),
                (0, false, false, 3000, 100),
                (4096, false, false, 4000, 300 + 500),
                // On its way for the lane before, if that brings it too.
                (4096 + 64, false, false, 4001, 300 + 500 + between),
                (0, true, false, 5000, 300),
                (0, false, true, 6000, 200),
                (0, false, true, 7000, 30),
                (8192, false, true, 8000, 200 + 500),
                // What one cache has brought, the other finds in the shared one.
                (8192, false, false, 9000, 300),
            ] {
                traffic.clear();
                traffic.atomic = atomic;
                traffic.memory(address, 4, 64);
                let arrival = if scalar { caches.scalar(&traffic, now) } else { caches.vector(&traffic, now) };
                assert_eq!(arrival as i64 - now as i64, clocks, "{address} at {now}, shared lines of {line}");
            }
        }
    }
}
