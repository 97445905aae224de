//! LDS: bytes of the group, under the rules of a processor ([`crate::memory::lds`]). Nothing faults but a misaligned atomic. The global data share is
//! bytes as well, of which M0 says how many an instruction sees, and from where on.

use super::Lower;
use super::guest::IN_LDS;
use super::helper::Helper;
use super::lanes::Fault;
use super::{extended, mask, unit};
use crate::isa::Gen;
use crate::isa::does::Item;
use crate::isa::sem::Alg;
use crate::memory::lds::OUT_OF_RANGE;
use crate::program::{Access, Flags};
use crate::spirv::alg::{Truth, Word};
use crate::spirv::fault::Fault as Planted;
use crate::spirv::state::{head, push, trap};

const GET: Helper = Helper { name: "lds_get", results: 1, body: get };
const PUT: Helper = Helper { name: "lds_put", results: 1, body: put };

/// The group's LDS or the global data share, as one instruction sees it.
#[derive(Clone, Copy)]
pub(super) struct Share {
    /// The first word of it in the buffer.
    first: Word,
    /// The first byte in range.
    base: Word,
    /// The first byte out of range.
    limit: Word,
    /// A negative register is out of range whatever the offset.
    signed: bool,
}

impl Lower<'_> {
    /// What an instruction sees of the share that it is for.
    pub(super) fn share_of(&self, access: &Access) -> Share {
        if !access.has(Flags::GDS) {
            return self.share();
        }
        let k = self.alg(Word::Known(0));
        let base = if self.has(Planted::GdsBaseLost) { k.w(0) } else { k.shri(self.m0(), 16) };
        let (end, bytes) = (k.add(base, k.zx16(self.m0())), self.pushed(push::GDS_BYTES));
        let limit = if self.has(Planted::GdsSizeIgnored) { bytes } else { k.min_u(end, bytes) };
        Share { first: self.pushed(push::FIRST_GDS), base, limit, signed: false }
    }

    /// LDS under M0: up to gfx8 it is a limit.
    pub(super) fn share(&self) -> Share {
        let k = self.alg(Word::Known(0));
        let all = self.share_unlimited();
        let limited = self.generation() <= Gen::Gfx8 && !self.has(Planted::LdsLimitIgnored);
        if limited { Share { limit: k.min_u(self.m0(), all.limit), ..all } } else { all }
    }

    /// LDS for instructions to which M0 is an address.
    pub(super) fn share_unlimited(&self) -> Share {
        let signed = self.generation() == Gen::Gfx6;
        Share { first: self.cell(head::LDS), base: Word::Known(0), limit: self.pushed(push::LDS_BYTES), signed }
    }

    fn share_aligned(&self, at: Word, size: u32) -> Word {
        let aligned = self.generation() <= Gen::Gfx8 && !self.has(Planted::LdsUnaligned);
        let low = if aligned { size.next_power_of_two() - 1 } else { 0 };
        self.alg(Word::Known(0)).mask(at, !low)
    }
}

impl Share {
    /// The first byte out of range.
    pub(super) fn limit(&self) -> Word {
        self.limit
    }

    /// The address of a register and an offset.
    pub(super) fn address(&self, l: &Lower<'_>, register: Word, offset: u32) -> Word {
        let k = l.alg(Word::Known(0));
        let at = k.add(k.add(register, k.w(offset)), self.base);
        if self.signed && offset != 0 {
            return k.sel(k.lt_s(register, k.w(0)), k.w(OUT_OF_RANGE), at);
        }
        at
    }

    /// Whether bytes are all in range.
    fn covers(&self, l: &Lower<'_>, at: Word, size: u32) -> Truth {
        let k = l.alg(Word::Known(0));
        let fits = k.negate(k.lt_u(self.limit, k.w(size)));
        let below = k.both(fits, k.negate(k.lt_u(k.sub(self.limit, k.w(size)), at)));
        if self.base == Word::Known(0) { below } else { k.both(below, k.negate(k.lt_u(at, self.base))) }
    }

    /// Where the parts of an access lie, and whether they are in range.
    fn parts(&self, l: &Lower<'_>, at: Word, item: Item) -> Vec<(Word, Truth)> {
        let k = l.alg(Word::Known(0));
        let Item::Words(count) = item else {
            let at = l.share_aligned(at, unit(item));
            return vec![(at, self.covers(l, at, unit(item)))];
        };
        let at = l.share_aligned(at, 4 * u32::from(count));
        let all = self.covers(l, at, 4 * u32::from(count));
        // Up to gfx11 an access is in range as a whole or not at all.
        let apart = count > 1 && l.generation() >= Gen::Gfx12;
        (0..u32::from(count))
            .map(|n| {
                let part = k.add(at, k.w(4 * n));
                // Beyond the last address there is nothing, not the beginning.
                let own = || k.both(k.negate(k.lt_u(part, at)), self.covers(l, part, 4));
                (part, if apart { k.either(all, own()) } else { all })
            })
            .collect()
    }

    /// Loads what a lane moves.
    pub(super) fn load(&self, l: &Lower<'_>, at: Word, item: Item) -> Vec<Word> {
        self.load_if(l, Truth::Known(true), at, item)
    }

    /// Loads where a condition holds; else it is 0.
    pub(super) fn load_if(&self, l: &Lower<'_>, c: Truth, at: Word, item: Item) -> Vec<Word> {
        let k = l.alg(Word::Known(0));
        let load = |(at, inside)| extended(&k, item, l.call(GET, 0, &[self.first, at, k.bit(k.both(c, inside))])[0]);
        self.parts(l, at, item).into_iter().map(load).collect()
    }

    /// Stores what a lane moves, where a condition holds.
    pub(super) fn store_if(&self, l: &Lower<'_>, c: Truth, at: Word, item: Item, words: &[Word]) {
        let k = l.alg(Word::Known(0));
        for ((at, inside), v) in self.parts(l, at, item).into_iter().zip(words) {
            l.call(PUT, 0, &[self.first, at, *v, l.only(k.both(c, inside), k.w(mask(item)))]);
        }
    }

    /// The word of an atomic, whether it is in range, and the fault of a misaligned one.
    pub(super) fn atomic(&self, l: &Lower<'_>, address: Word, size: u32) -> (Word, Truth, Fault) {
        let k = l.alg(Word::Known(0));
        let at = l.share_aligned(address, size);
        let fault = if l.generation() <= Gen::Gfx8 {
            Fault::NONE
        } else {
            Fault {
                failed: k.nz(k.mask(at, size - 1)),
                kind: k.w(trap::MISALIGNED),
                address: k.zext(address),
                detail: k.w(size | trap::ATOMIC << 16),
            }
        };
        (k.add(self.first, k.shri(at, 2)), self.covers(l, at, size), fault)
    }
}

/// First word, address, whether at all: four bytes.
fn get(l: &Lower<'_>, _: u32, a: &[Word]) -> Vec<Word> {
    let k = l.alg(Word::Known(0));
    let result = l.var(k.w(0));
    l.when(k.nz(a[2]), || l.put(result, l.straddle(l.lds, k.add(a[0], k.shri(a[1], 2)), a[1])));
    vec![l.get(result)]
}

/// First word, address, value, the bits that are stored.
fn put(l: &Lower<'_>, _: u32, a: &[Word]) -> Vec<Word> {
    let k = l.alg(Word::Known(0));
    l.when(k.nz(a[3]), || l.put_bytes(IN_LDS, k.add(a[0], k.shri(a[1], 2)), a[1], a[2], a[3]));
    vec![k.w(0)]
}
