//! What has been tried: pairs of a row's source and a kind of operand, and combinations of those with modifiers and classes of values.
//!
//! The pairs that there are are found by trying: an operand of the kind is drawn in the place until it makes an instruction which both engines
//! carry out. What comes next is what has been tried least.

use super::draw::{self, Drawn};
use super::operand::Operand;
use super::profile::Profile;
use crate::case::random::splitmix64;
use crate::isa::form::{Form, Table};
use crate::laws::Chance;
use std::collections::hash_map::{Entry, HashMap};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::{Hash, Hasher};

/// A source of a row and a kind of operand in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pair {
    /// The row.
    pub row: &'static str,
    /// Which of its sources; 3 is the literal that belongs to the instruction.
    pub source: u8,
    /// What stands there.
    pub operand: Operand,
}

/// A pair, where it can be had, and how often it was.
struct Wanted {
    pair: Pair,
    /// Forms, and the places in them.
    ways: Vec<(u32, u8)>,
    /// How often it was drawn.
    count: u32,
    /// Its place among those that were drawn as often.
    rank: u64,
}

/// Why an instruction cannot be tried.
pub(super) type Refuses<'a> = dyn Fn(&[u32]) -> Option<String> + 'a;

/// How often an instruction with an operand in a place is drawn, until there is none.
const TRIES: usize = 12;

/// What has been tried of what there is.
pub struct Coverage {
    table: &'static Table,
    wanted: Vec<Wanted>,
    index: HashMap<Pair, usize>,
    /// Hashes of combinations.
    seen: HashSet<u64>,
    /// Rows that cannot be tried, by reason.
    left_out: BTreeMap<String, BTreeSet<&'static str>>,
    /// Pairs that were reached by something that ran.
    reached: HashSet<Pair>,
}

impl Coverage {
    /// What there is to try.
    #[must_use]
    pub(super) fn new(table: &'static Table, profile: Profile, seed: u64, refuses: &Refuses<'_>) -> Coverage {
        let mut coverage = Coverage {
            table,
            wanted: Vec::new(),
            index: HashMap::new(),
            seen: HashSet::new(),
            left_out: BTreeMap::new(),
            reached: HashSet::new(),
        };
        for (n, form) in (0..).zip(table.forms.iter()) {
            if profile.takes(form) {
                coverage.add(n, form, seed, refuses);
            }
        }
        coverage
    }

    /// Adds what a form has to try.
    fn add(&mut self, n: u32, form: &Form, seed: u64, refuses: &Refuses<'_>) {
        let mut chance = Chance::new(seed ^ u64::from(n) << 32);
        let mut allowed = None;
        for at in 0..form.slots.len() {
            let Some((row, source)) = draw::source(form, at) else { continue };
            for operand in draw::kinds(form, at) {
                let forced = Some((at, operand));
                let drawn = (0..TRIES).find_map(|_| draw::draw(self.table, form, forced, &mut chance));
                let Some(drawn) = drawn else { continue };
                // What has no translation has none whatever stands in its places, with few exceptions, which are found when they are drawn.
                let reason = allowed.get_or_insert_with(|| refuses(&drawn.words));
                if let Some(reason) = reason {
                    self.left_out.entry(reason.clone()).or_default().insert(form.row.name);
                    return;
                }
                let pair = Pair { row, source, operand };
                let rank = hash(&(pair, seed));
                let at = at as u8;
                match self.index.entry(pair) {
                    Entry::Occupied(known) => self.wanted[*known.get()].ways.push((n, at)),
                    Entry::Vacant(new) => {
                        new.insert(self.wanted.len());
                        self.wanted.push(Wanted { pair, ways: vec![(n, at)], count: 0, rank });
                    }
                }
            }
        }
    }

    /// So many instructions that try what has been tried least.
    pub(super) fn next(&mut self, count: usize, chance: &mut Chance, refuses: &Refuses<'_>) -> Vec<Drawn> {
        let mut order: Vec<usize> = (0..self.wanted.len()).collect();
        order.sort_by_key(|n| (self.wanted[*n].count, self.wanted[*n].rank));
        let mut all = Vec::new();
        // What was drawn for one pair may have been the next one's too.
        let least = order.first().map_or(0, |n| self.wanted[*n].count);
        for pass in 0..2 {
            for &n in &order {
                if all.len() == count {
                    return all;
                }
                if pass == 0 && self.wanted[n].count > least {
                    continue;
                }
                if let Some(drawn) = self.draw(n, chance, refuses) {
                    self.note(&drawn);
                    all.push(drawn);
                }
            }
        }
        all
    }

    /// The instruction with a pair that has most in it that is new.
    fn draw(&mut self, n: usize, chance: &mut Chance, refuses: &Refuses<'_>) -> Option<Drawn> {
        /// How much more a new pair is worth than a new combination.
        const PAIR: usize = 64;
        let mut drawn: Vec<(usize, Drawn)> = Vec::new();
        for _ in 0..TRIES {
            let wanted = &self.wanted[n];
            let (form, at) = wanted.ways[chance.below(wanted.ways.len())];
            let forced = Some((usize::from(at), wanted.pair.operand));
            let form = &self.table.forms[form as usize];
            let Some(one) = draw::draw(self.table, form, forced, chance) else { continue };
            let news = pairs(&one).filter(|pair| self.index.get(pair).is_some_and(|n| self.wanted[*n].count == 0));
            let combinations = combinations(&one).filter(|key| !self.seen.contains(key));
            drawn.push((news.count() * PAIR + combinations.count(), one));
        }
        drawn.sort_by_key(|(worth, _)| std::cmp::Reverse(*worth));
        for (_, one) in drawn {
            match refuses(&one.words) {
                None => return Some(one),
                Some(reason) => {
                    self.left_out.entry(reason).or_default().insert(one.row);
                }
            }
        }
        // Next time others come first.
        self.wanted[n].count += 1;
        None
    }

    /// Takes an instruction as drawn.
    fn note(&mut self, drawn: &Drawn) {
        for pair in pairs(drawn) {
            if let Some(n) = self.index.get(&pair) {
                self.wanted[*n].count += 1;
            }
        }
        self.seen.extend(combinations(drawn));
    }

    /// Takes pairs as reached: a program with them ran.
    pub(super) fn reach(&mut self, pairs: &[Pair]) {
        let known = pairs.iter().filter(|pair| self.index.contains_key(pair));
        self.reached.extend(known);
    }

    /// Takes values of a class as tried in a place.
    pub(super) fn value(&mut self, shape: u64, source: u8, class: u8) {
        self.seen.insert(hash(&(shape, source, class)));
    }

    /// How many pairs were reached.
    #[must_use]
    pub fn reached(&self) -> usize {
        self.reached.len()
    }

    /// How many pairs there are.
    #[must_use]
    pub fn possible(&self) -> usize {
        self.wanted.len()
    }

    /// How many combinations with modifiers and values were tried.
    #[must_use]
    pub fn combinations(&self) -> usize {
        self.seen.len()
    }

    /// The pairs that were not reached.
    pub fn open(&self) -> impl Iterator<Item = Pair> + '_ {
        self.wanted.iter().map(|w| w.pair).filter(|pair| !self.reached.contains(pair))
    }

    /// The rows that cannot be tried, by reason.
    #[must_use]
    pub fn left_out(&self) -> &BTreeMap<String, BTreeSet<&'static str>> {
        &self.left_out
    }
}

/// The pairs of an instruction.
pub(super) fn pairs(drawn: &Drawn) -> impl Iterator<Item = Pair> + '_ {
    drawn.places.iter().map(|p| Pair { row: p.row, source: p.source, operand: p.operand })
}

/// What tells instructions apart that do the same in other forms.
pub(super) fn shape(drawn: &Drawn) -> u64 {
    hash(&(drawn.row, drawn.shape.0, drawn.shape.1 as u8))
}

/// The combinations that an instruction tries: each place with its kind and modifiers, and all modifiers together.
fn combinations(drawn: &Drawn) -> impl Iterator<Item = u64> + '_ {
    let shape = shape(drawn);
    let class = |p: &draw::Place| if p.operand == Operand::Literal { p.class } else { 0 };
    let of_places = drawn.places.iter().map(move |p| hash(&(shape, p.row, p.source, p.operand, p.bits, class(p))));
    of_places.chain(std::iter::once(hash(&(shape, drawn.modifiers))))
}

/// FNV-1a: the same everywhere and for ever, as the order of what is tried depends on it.
struct Fnv(u64);

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        // The upper bits of FNV depend little on the last bytes.
        splitmix64(self.0, 0)
    }
}

fn hash(of: &impl Hash) -> u64 {
    let mut hasher = Fnv(0xcbf2_9ce4_8422_2325);
    of.hash(&mut hasher);
    hasher.finish()
}
