//! Guest memory: from an address to words of the buffer, and bytes from there and to there.
//!
//! The regions lie one behind the other in one buffer of words, and a table says where ([`state::REGION`]). Word n of a region holds the
//! four bytes at `(base & !3) + 4 * n`. An access lies in one region, or across two that are neighbours: then a word is put together
//! from both. (Across three, which takes a region smaller than an access, it is not translated.) A store of less than a word changes its own bytes only, whatever others do to the same word at that time.

use super::Lower;
use super::helper::Helper;
use super::lanes::Fault;
use crate::isa::sem::Alg;
use crate::spirv::alg::{Pair, Truth, Word};
use crate::spirv::fault::Fault as Planted;
use crate::spirv::lanes::{DEVICE, RELAXED};
use crate::spirv::module::Id;
use crate::spirv::state::{self, push, trap};
use rspirv::spirv::Op;

const FIND: Helper = Helper { name: "find", results: 4, body: find };
const LOAD: Helper = Helper { name: "load", results: 1, body: load };
const STORE: Helper = Helper { name: "store", results: 1, body: store };
pub(super) const MERGE: Helper = Helper { name: "merge", results: 1, body: merge };

/// [`MERGE`] in LDS.
pub(super) const IN_LDS: u32 = 1;

/// Where an access lies.
#[derive(Clone, Copy)]
pub(super) struct Found {
    /// 0: nowhere, or it is not allowed. 1: in one region. 2: across two. 3: across more.
    pub(super) how: Word,
    /// The word of the buffer that holds the first byte.
    pub(super) index: Word,
    /// The word that would hold it, if the second region began before it.
    pub(super) second: Word,
    /// Bytes in the first region, if the rest is in the second.
    pub(super) split: Word,
}

impl Found {
    pub(super) fn words(&self) -> [Word; 4] {
        [self.how, self.index, self.second, self.split]
    }

    pub(super) fn of(words: &[Word]) -> Found {
        Found { how: words[0], index: words[1], second: words[2], split: words[3] }
    }
}

impl Lower<'_> {
    /// Finds the region of an access. Of no bytes: nowhere.
    pub(super) fn find(&self, at: Pair, size: Word, write: bool) -> Found {
        Found::of(&self.call(FIND, 0, &[at.0, at.1, size, Word::Known(write.into())]))
    }

    /// The fault of an access that was not found.
    pub(super) fn not_found(&self, c: Truth, found: Found, at: Pair, size: Word, kind: u32) -> Fault {
        let k = self.alg(Word::Known(0));
        let kind = k.sel(k.eq(found.how, k.w(3)), k.w(trap::UNSUPPORTED), k.w(kind));
        Fault { failed: k.both(c, k.negate(self.is_found(found))), kind, address: at, detail: size }
    }

    /// Whether an access is where it can be done.
    pub(super) fn is_found(&self, found: Found) -> Truth {
        let k = self.alg(Word::Known(0));
        k.lt_u(k.sub(found.how, k.w(1)), k.w(2))
    }

    /// The four bytes at an address; those behind the access may be anything. What was not found is 0.
    pub(super) fn load_guest(&self, found: Found, at: Pair) -> Word {
        self.load_word(found, at, 0)
    }

    /// Word `n` of an access that was found as a whole.
    pub(super) fn load_word(&self, found: Found, at: Pair, n: u32) -> Word {
        self.load_word_at(found, at, Word::Known(n))
    }

    /// A word of an access that was found as a whole.
    pub(super) fn load_word_at(&self, found: Found, at: Pair, n: Word) -> Word {
        let place = self.word_place(found, n);
        self.call(LOAD, 0, &[place[0], place[1], place[2], place[3], at.0])[0]
    }

    /// Stores the bytes of `mask`: 1, 2 or 4.
    pub(super) fn store_guest(&self, found: Found, at: Pair, value: Word, mask: Word) {
        self.store_part(found, at, 0, value, mask);
    }

    /// Stores word `n` of an access that was found as a whole.
    pub(super) fn store_word(&self, found: Found, at: Pair, n: u32, value: Word) {
        self.store_part(found, at, n, value, Word::Known(u32::MAX));
    }

    /// Stores the bytes of `mask` of word `n`.
    pub(super) fn store_part(&self, found: Found, at: Pair, n: u32, value: Word, mask: Word) {
        self.store_part_at(found, at, Word::Known(n), value, mask);
    }

    /// Stores the bytes of `mask` of a word.
    pub(super) fn store_part_at(&self, found: Found, at: Pair, n: Word, value: Word, mask: Word) {
        let place = self.word_place(found, n);
        self.call(STORE, 0, &[place[0], place[1], place[2], place[3], at.0, value, mask]);
    }

    /// How, both indices, and how many bytes of word `n` are in the first region (none or less: all are in the second).
    fn word_place(&self, found: Found, n: Word) -> [Word; 4] {
        let k = self.alg(Word::Known(0));
        let split = k.sub(found.split, k.shli(n, 2));
        [found.how, k.add(found.index, n), k.add(found.second, n), split]
    }

    /// The bytes of a word that are in the first region, as a mask.
    fn of_first(&self, how: Word, split: Word) -> Word {
        let k = self.alg(Word::Known(0));
        let bytes = k.min_s(k.max_s(split, k.w(0)), k.w(4));
        // Shifts by 32 are none.
        let some = k.shr(k.w(u32::MAX), k.shli(k.sub(k.w(4), bytes), 3));
        let some = k.sel(k.eq(bytes, k.w(0)), k.w(0), some);
        k.sel(k.eq(how, k.w(1)), k.w(u32::MAX), some)
    }

    fn load_from(&self, buffer: Id, at: Word) -> Word {
        Word::Id(self.m.load(self.word_of(buffer, at)))
    }

    /// Four bytes from a word and the next one, beginning at a byte of the first. The next one is left alone where it is not needed.
    pub(super) fn straddle(&self, buffer: Id, index: Word, byte: Word) -> Word {
        let k = self.alg(Word::Known(0));
        let shift = k.shli(k.mask(byte, 3), 3);
        let result = self.var(k.shr(self.load_from(buffer, index), shift));
        if self.has(Planted::StraddleLost) {
            return self.get(result);
        }
        self.when(k.nz(shift), || {
            let next = self.load_from(buffer, k.add(index, k.w(1)));
            let high = k.shl(next, k.sub(k.w(32), shift));
            self.put(result, k.or(self.get(result), high));
        });
        self.get(result)
    }

    /// Puts the bytes of a mask, which may lie across two words.
    pub(super) fn put_bytes(&self, lds: u32, index: Word, byte: Word, value: Word, mask: Word) {
        let k = self.alg(Word::Known(0));
        let shift = k.shli(k.mask(byte, 3), 3);
        let value = k.and(value, mask);
        self.call(MERGE, lds, &[index, k.shl(mask, shift), k.shl(value, shift)]);
        self.when(k.nz(shift), || {
            let back = k.sub(k.w(32), shift);
            self.call(MERGE, lds, &[k.add(index, k.w(1)), k.shr(mask, back), k.shr(value, back)]);
        });
    }
}

/// Address (two), size, whether it writes: the fields of [`Found`].
fn find(l: &Lower<'_>, _: u32, a: &[Word]) -> Vec<Word> {
    let k = l.alg(Word::Known(0));
    let spelled = k.either(k.eq(k.shri(a[1], 16), k.w(0)), k.eq(k.sx(a[1], 16), a[1]));
    let start = (a[0], k.zx16(a[1]));
    let end = k.add_d(start, k.zext(a[2]));
    let [met, index, second, split, bad, low] = [(); 6].map(|()| l.var(k.w(0)));
    let high = l.var(l.pushed(push::REGIONS));
    let at = [l.var(start.0), l.var(start.1)];
    let here = || (l.get(at[0]), l.get(at[1]));
    l.when(k.both(spelled, k.nz(a[2])), || {
        // The table is sorted by address: halves of it are left out until a region is met, and only its neighbour may follow.
        l.repeat(|| {
            let number = k.shri(k.add(l.get(low), l.get(high)), 1);
            let row = k.mul(number, k.w(state::REGION));
            let word = |i: u32| l.load_from(l.regions, k.add(row, k.w(i)));
            let (base, len) = ((word(0), word(1)), (word(2), word(3)));
            let before = k.ltu_d(here(), base);
            let inside = k.ltu_d(k.sub_d(here(), base), len);
            let next = k.add(number, k.w(1));
            l.put(low, k.sel(before, l.get(low), next));
            l.put(high, k.sel(before, number, k.sel(inside, k.add(number, k.w(2)), l.get(high))));
            l.when(inside, || {
                let count = k.add(l.get(met), k.w(1));
                l.put(met, count);
                // From the region's first word to that of the access, which may be before it.
                let offset = k.sub_d(start, (k.mask(base.0, !3), base.1));
                let far = k.or(k.shri(offset.0, 2), k.shli(offset.1, 30));
                let place = k.add(far, word(4));
                let first = k.eq(count, k.w(1));
                l.put(index, k.sel(first, place, l.get(index)));
                l.put(second, k.sel(first, l.get(second), place));
                l.put(split, k.sub(here().0, start.0));
                let denied = k.both(k.nz(a[3]), k.eq(word(5), k.w(0)));
                l.put(bad, k.or(l.get(bad), k.bit(denied)));
                let behind = k.add_d(base, len);
                l.put(at[0], behind.0);
                l.put(at[1], behind.1);
            });
            let more = k.both(k.lt_u(l.get(low), l.get(high)), k.lt_u(l.get(low), l.pushed(push::REGIONS)));
            k.both(more, k.ltu_d(here(), end))
        });
    });
    let met = l.get(met);
    let whole = k.both(k.nz(met), k.negate(k.ltu_d(here(), end)));
    let good = k.both(whole, k.eq(l.get(bad), k.w(0)));
    vec![k.sel(good, k.min_u(met, k.w(3)), k.w(0)), l.get(index), l.get(second), l.get(split)]
}

/// How, both indices, split, the lower half of the address: the bytes.
fn load(l: &Lower<'_>, _: u32, a: &[Word]) -> Vec<Word> {
    let k = l.alg(Word::Known(0));
    let result = l.var(k.w(0));
    l.when(k.nz(a[0]), || {
        let first = l.of_first(a[0], a[3]);
        l.when(k.nz(first), || l.put(result, l.straddle(l.memory, a[1], a[4])));
        l.when(k.nz(k.not(first)), || {
            let v = k.and(l.straddle(l.memory, a[2], a[4]), k.not(first));
            let v = if l.has(Planted::BorderLost) { k.w(0) } else { v };
            l.put(result, k.or(k.and(l.get(result), first), v));
        });
    });
    vec![l.get(result)]
}

/// How, both indices, split, the lower half of the address, value, mask.
fn store(l: &Lower<'_>, _: u32, a: &[Word]) -> Vec<Word> {
    let k = l.alg(Word::Known(0));
    l.when(k.lt_u(k.sub(a[0], k.w(1)), k.w(2)), || {
        let first = k.and(l.of_first(a[0], a[3]), a[6]);
        let rest = k.and(a[6], k.not(first));
        l.when(k.nz(first), || l.put_bytes(0, a[1], a[4], a[5], first));
        l.when(k.nz(rest), || l.put_bytes(0, a[2], a[4], a[5], rest));
    });
    vec![k.w(0)]
}

/// Index, mask, bits: replaces the bits of the mask in a word of guest memory or LDS.
fn merge(l: &Lower<'_>, lds: u32, a: &[Word]) -> Vec<Word> {
    let (m, k) = (&l.m, l.alg(Word::Known(0)));
    let buffer = if lds == IN_LDS { l.lds } else { l.memory };
    let whole = k.eq(a[1], k.w(u32::MAX));
    l.when(whole, || m.store(l.word_of(buffer, a[0]), k.id(a[2])));
    l.when(k.both(k.negate(whole), k.nz(a[1])), || {
        let pointer = l.word_of(buffer, a[0]);
        l.exchange_loop(pointer, RELAXED, RELAXED, |old| k.or(k.and(old, k.not(a[1])), k.and(a[2], a[1])));
    });
    vec![k.w(0)]
}

impl Lower<'_> {
    /// Replaces a word by a function of it, in one step; gives what it was.
    pub(super) fn exchange_loop(&self, at: Id, order: u32, failed: u32, new: impl FnOnce(Word) -> Word) -> Word {
        let (m, k) = (&self.m, self.alg(Word::Known(0)));
        let seen = self.var(Word::Id(m.word_op(Op::AtomicLoad, &[at, m.constant(DEVICE), m.constant(RELAXED)])));
        self.repeat(|| {
            let old = self.get(seen);
            let new = k.id(new(old));
            let [scope, order, failed] = [DEVICE, order, failed].map(|v| m.constant(v));
            let now = m.word_op(Op::AtomicCompareExchange, &[at, scope, order, failed, new, k.id(old)]);
            self.put(seen, Word::Id(now));
            k.negate(k.eq(Word::Id(now), old))
        });
        self.get(seen)
    }

    /// A truth as a word that turns an access off.
    pub(super) fn only(&self, c: Truth, how: Word) -> Word {
        let k = self.alg(Word::Known(0));
        k.sel(c, how, k.w(0))
    }
}
