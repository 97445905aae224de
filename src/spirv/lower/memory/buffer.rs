//! Buffer memory: MUBUF and MTBUF without formats.
//!
//! Words are judged one by one: those out of range load 0 and are not stored. An access whose components are all in range and follow each
//! other is one access to guest memory, which fails as a whole; else each component is one.

use super::atomic::{ordered, registers};
use super::convert::pick;
use super::descriptor::{Ask, Descriptor};
use super::guest::Found;
use super::helper::Helper;
use super::lanes::Fault;
use super::{Lower, Lowered, extended, unit, units};
use crate::isa::Gen;
use crate::isa::does::{Does, Item};
use crate::isa::row::{Inst, Traits};
use crate::isa::sem::Alg;
use crate::memory::atomic::{Atomic, Space};
use crate::program::Step;
use crate::program::{Access, Flags};
use crate::spirv::alg::{Pair, Truth, Word};
use crate::spirv::lanes::Lane;
use crate::spirv::state::trap;

/// A buffer, and what an instruction wants of it.
pub(super) struct Reach<'a> {
    pub(super) access: &'a Access,
    pub(super) descriptor: Descriptor,
    soffset: Word,
    /// There is a buffer.
    pub(super) bound: Truth,
}

/// Where a lane's components are, and which of them are in range.
pub(super) struct Reached {
    pub(super) first: Pair,
    /// They follow each other in memory.
    pub(super) contiguous: Truth,
    /// Bit n: component n is in range.
    pub(super) valid: Word,
    ask: Ask,
    drop: Word,
}

/// What [`APART`] does.
pub(super) const LOADS: u32 = 0;
pub(super) const CHECKS: u32 = 1;
pub(super) const STORES: u32 = 2;

const APART: Helper = Helper { name: "buffer_apart", results: 7, body: apart };

/// Where a store goes: as a whole, or the components that are left.
struct ToStore {
    reached: Reached,
    found: Found,
    rest: Word,
}

impl Lower<'_> {
    pub(super) fn buffer(&self, step: &Step, row: &'static Inst, access: &Access) -> Lowered {
        if let Does::Idle(_) = row.does {
            return Ok(());
        }
        let lds = access.flags.contains(Flags::LDS);
        let load = matches!(row.does, Does::Load(_));
        let typed = access.components != 0;
        let reach = self.reach(step, access);
        match &access.atomic {
            Some(atomic) => self.buffer_modify(step, &reach, atomic),
            None if typed => return self.formatted(step, &reach, load, lds),
            None if !load && row.traits.contains(Traits::LDS) => self.buffer_from_lds(step, &reach),
            None if load && lds => self.buffer_to_lds(step, &reach),
            None if load => self.buffer_load(step, &reach),
            None => self.buffer_store(step, &reach),
        }
        Ok(())
    }

    /// The buffer of an instruction.
    fn reach<'a>(&self, step: &Step, access: &'a Access) -> Reach<'a> {
        let mut descriptor = self.descriptor(access.base);
        if !access.flags.contains(Flags::IDXEN) && self.generation() >= Gen::Gfx9 {
            // Nothing is an index: see the choices of `memory`.
            descriptor.swizzled = self.alg(Word::Known(0)).both(descriptor.swizzled, descriptor.add_tid);
        }
        self.refuse(step, &descriptor, self.any_active());
        let bound = descriptor.bound(self, access.format.is_some());
        Reach { access, soffset: self.s(access.soffset), bound, descriptor }
    }

    /// Where components of a lane are. `whole`: all of them are in range, or none is. `formatted`: how they are aligned.
    pub(super) fn reached(
        &self,
        reach: &Reach<'_>,
        lane: Lane,
        (component, count): (Word, Word),
        whole: bool,
        formatted: bool,
    ) -> Reached {
        let k = self.alg(lane.number);
        let access = reach.access;
        let has = |flag| access.flags.contains(flag);
        let behind = u32::from(has(Flags::IDXEN));
        let ask = Ask {
            index: has(Flags::IDXEN).then(|| self.tuple(access.addr, 0, lane)),
            offset: if has(Flags::OFFEN) { self.tuple(access.addr, behind, lane) } else { k.w(0) },
            instruction: access.offset as u32,
            soffset: reach.soffset,
            lane: lane.number,
            component,
            count,
        };
        let all = k.sub(k.shl(k.w(1), count), k.w(1));
        let yes = Truth::Known(true);
        if has(Flags::ADDR64) {
            let pointer = self.tuple64(access.addr, 0, lane);
            let first = reach.descriptor.address64(self, pointer, &ask);
            let valid = self.only(reach.bound, all);
            return Reached { first, contiguous: yes, valid, ask, drop: k.w(0) };
        }
        let drop = if formatted { self.formatted_drop(component) } else { self.untyped_drop(component) };
        let valid = reach.descriptor.in_range(self, &ask);
        let valid = if whole { self.only(k.eq(valid, all), all) } else { valid };
        let contiguous = k.either(k.negate(reach.descriptor.swizzled), k.eq(count, k.w(1)));
        Reached {
            first: Descriptor::address_of(self, &reach.descriptor.address_words(self, &ask), k.w(0), drop),
            contiguous,
            valid: self.only(reach.bound, valid),
            ask,
            drop,
        }
    }

    /// Loads, checks or stores components one by one, those whose bits are set: what was loaded, and what failed first.
    pub(super) fn apart(
        &self,
        what: u32,
        reach: &Reach<'_>,
        reached: &Reached,
        (size, valid): (Word, Word),
        values: &[Word],
    ) -> (Vec<Word>, Fault) {
        let k = self.alg(Word::Known(0));
        let mut args = vec![size, valid, reached.first.0, reached.first.1, k.bit(reached.contiguous), reached.drop];
        args.extend(reach.descriptor.address_words(self, &reached.ask));
        args.extend((0..4).map(|n| values.get(n).copied().unwrap_or(k.w(0))));
        let r = self.call(APART, what, &args);
        let kind = if what == LOADS { trap::LOAD } else { trap::STORE };
        let kind = k.sel(k.eq(r[0], k.w(3)), k.w(trap::UNSUPPORTED), k.w(kind));
        (r[3..].to_vec(), Fault { failed: k.nz(r[0]), kind, address: (r[1], r[2]), detail: size })
    }

    /// Finds an untyped access as a whole, where that is what it is, and says which components are left to be done apart.
    fn whole(&self, reached: &Reached, lane: Lane, (size, count): (u32, u32), kind: u32) -> (Found, Word, Fault) {
        let k = self.alg(lane.number);
        let all = k.w((1 << count) - 1);
        // One component is best done as such.
        let whole = if count == 1 { k.c(false) } else { k.both(reached.contiguous, k.eq(reached.valid, all)) };
        let goes = k.both(whole, lane.active);
        let total = k.w(size * count);
        let found = self.find(reached.first, self.only(goes, total), kind == trap::STORE);
        let fault = self.not_found(goes, found, reached.first, total, kind);
        (found, self.only(k.both(lane.active, k.negate(whole)), reached.valid), fault)
    }

    /// What an untyped access loads: 0 where it is out of range.
    fn loaded(&self, reach: &Reach<'_>, lane: Lane, item: Item) -> (Vec<Word>, Fault) {
        let k = self.alg(lane.number);
        let (size, count) = (unit(item), units(item));
        let reached = self.reached(reach, lane, (k.w(size), k.w(count)), false, false);
        let (found, rest, fault) = self.whole(&reached, lane, (size, count), trap::LOAD);
        let (words, failed) = self.apart(LOADS, reach, &reached, (k.w(size), rest), &[]);
        let one = if let Item::Words(_) = item { Item::Words(1) } else { item };
        let word = |n: u32| {
            let own = words[n as usize];
            let v = if count == 1 { own } else { k.or(own, self.load_word(found, reached.first, n)) };
            extended(&k, one, v)
        };
        ((0..count).map(word).collect(), self.first_fault(fault, failed))
    }

    /// Where an untyped access stores, after a look at whether it may.
    fn to_store(&self, reach: &Reach<'_>, lane: Lane, item: Item) -> (ToStore, Fault) {
        let k = self.alg(lane.number);
        let (size, count) = (unit(item), units(item));
        let reached = self.reached(reach, lane, (k.w(size), k.w(count)), false, false);
        let (found, rest, fault) = self.whole(&reached, lane, (size, count), trap::STORE);
        let (_, failed) = self.apart(CHECKS, reach, &reached, (k.w(size), rest), &[]);
        (ToStore { reached, found, rest }, self.first_fault(fault, failed))
    }

    fn store_to(&self, reach: &Reach<'_>, to: &ToStore, item: Item, words: &[Word], c: Truth) {
        let k = self.alg(Word::Known(0));
        let ToStore { reached, found, rest } = to;
        if units(item) > 1 {
            let found = Found { how: self.only(c, found.how), ..*found };
            for (n, v) in (0..).zip(words) {
                self.store_word(found, reached.first, n, *v);
            }
        }
        self.apart(STORES, reach, reached, (k.w(unit(item)), self.only(c, *rest)), words);
    }

    /// The status word behind the registers of a load: everything was resident.
    pub(super) fn tfe(&self, access: &Access, behind: u32, lane: Lane, c: Truth) {
        if access.flags.contains(Flags::TFE) {
            self.set_tuple(access.data, behind, lane, c, Word::Known(0));
        }
    }

    fn buffer_load(&self, step: &Step, reach: &Reach<'_>) {
        let k = self.alg(Word::Known(0));
        let Access { item, half, data, .. } = *reach.access;
        self.in_lanes(
            step,
            false,
            |lane| {
                let (words, fault) = self.loaded(reach, lane, item);
                ((words, k.negate(fault.failed)), fault)
            },
            |lane, (words, good), c| {
                let c = k.both(c, good);
                self.set_loaded(data, half, item, lane, c, &words);
                self.tfe(reach.access, units(item), lane, c);
            },
        );
    }

    fn buffer_store(&self, step: &Step, reach: &Reach<'_>) {
        let Access { item, half, data, .. } = *reach.access;
        self.in_lanes(
            step,
            true,
            |lane| {
                let (to, fault) = self.to_store(reach, lane, item);
                ((to, self.stored(data, half, item, lane)), fault)
            },
            |_, (to, words), c| self.store_to(reach, &to, item, &words, c),
        );
    }

    /// Where LDS data of a lane goes. The offset of the instruction counts from gfx9 on.
    pub(super) fn buffer_lds(&self, access: &Access, lane: Lane) -> Word {
        self.lds_of_lane(if self.generation() >= Gen::Gfx9 { access.offset } else { 0 }, lane)
    }

    fn buffer_to_lds(&self, step: &Step, reach: &Reach<'_>) {
        let k = self.alg(Word::Known(0));
        let share = self.share_unlimited();
        let item = if let Item::Words(_) = reach.access.item { Item::Words(1) } else { reach.access.item };
        self.in_lanes(
            step,
            true,
            |lane| {
                let (words, fault) = self.loaded(reach, lane, item);
                ((words, k.negate(fault.failed)), fault)
            },
            |lane, (words, good), c| {
                share.store_if(self, k.both(c, good), self.buffer_lds(reach.access, lane), Item::Words(1), &words);
            },
        );
    }

    fn buffer_from_lds(&self, step: &Step, reach: &Reach<'_>) {
        let share = self.share_unlimited();
        let item = Item::Words(1);
        self.in_lanes(
            step,
            true,
            |lane| {
                let words = share.load_if(self, lane.active, self.buffer_lds(reach.access, lane), item);
                let (to, fault) = self.to_store(reach, lane, item);
                ((to, words), fault)
            },
            |_, (to, words), c| self.store_to(reach, &to, item, &words, c),
        );
    }

    fn buffer_modify(&self, step: &Step, reach: &Reach<'_>, atomic: &Atomic) {
        let k = self.alg(Word::Known(0));
        let (access, width) = (reach.access, atomic.width);
        let floats = self.float_rules(atomic, Space::Memory);
        let returns = access.flags.contains(Flags::RETURNS);
        let words = registers(width);
        self.in_lanes(
            step,
            true,
            |lane| {
                let reached = self.reached(reach, lane, (k.w(4), k.w(words)), true, false);
                let goes = k.both(k.nz(reached.valid), lane.active);
                let (found, fault) = self.find_atomic(reached.first, width, goes);
                let other = if atomic.operands() > 1 { self.operand(access.data, words, width, lane) } else { k.d(0) };
                let operands = (self.operand(access.data, 0, width, lane), other);
                ((goes, found.index, operands, k.negate(fault.failed)), fault)
            },
            |lane, (goes, index, operands, good), c| {
                self.in_turn(lane, k.both(c, good), ordered(atomic, returns), |c| {
                    let old = self.modify(atomic, false, (k.both(c, goes), index), operands, floats);
                    if returns {
                        self.set_result(access.data, width, lane, c, old);
                    }
                });
            },
        );
    }
}

/// Bytes of a component, the components that are moved, the address of the first (two), whether they follow each other, the low bits that
/// are dropped, the words of an address, four values: what failed, where (two), what was loaded (four).
fn apart(l: &Lower<'_>, what: u32, a: &[Word]) -> Vec<Word> {
    let k = l.alg(Word::Known(0));
    let (size, words, values) = (a[0], &a[6..15], &a[15..19]);
    let bits = k.shr(k.w(u32::MAX), k.sub(k.w(32), k.shli(k.min_u(size, k.w(4)), 3)));
    let [failed, low, high] = [(); 3].map(|()| l.var(k.w(0)));
    let results = [(); 4].map(|()| l.var(k.w(0)));
    let left = l.var(a[1]);
    l.when(k.nz(a[1]), || {
        l.repeat(|| {
            let rest = l.get(left);
            let n = k.ctz(rest);
            let distance = k.mul(n, size);
            let behind = k.add_d((a[2], a[3]), k.zext(distance));
            let own = Descriptor::address_of(l, words, distance, a[5]);
            let at = k.sel_d(k.either(k.nz(a[4]), k.eq(n, k.w(0))), behind, own);
            let found = l.find(at, size, what != LOADS);
            let good = l.is_found(found);
            match what {
                LOADS => {
                    let v = k.and(l.load_guest(found, at), bits);
                    for (to, result) in (0..).zip(results) {
                        l.put(result, k.sel(k.eq(n, k.w(to)), v, l.get(result)));
                    }
                }
                STORES => l.store_guest(found, at, pick(&k, values, n), bits),
                _ => {}
            }
            // What failed: 3 where it is not translated.
            let why = k.sel(k.eq(found.how, k.w(3)), k.w(3), k.w(1));
            l.put(failed, k.sel(good, k.w(0), why));
            l.put(low, at.0);
            l.put(high, at.1);
            let more = k.and(rest, k.sub(rest, k.w(1)));
            l.put(left, more);
            k.both(good, k.nz(more))
        });
    });
    let mut out = vec![l.get(failed), l.get(low), l.get(high)];
    out.extend(results.map(|result| l.get(result)));
    out
}
