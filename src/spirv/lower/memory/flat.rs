//! Flat, global and scratch memory.
//!
//! A lane's address is a [`Spot`]: in global memory, in LDS, in its scratch memory, or (flat) in one of them, which its upper half says.
//! Parts that a spot cannot be in are not written at all. Scratch memory of a lane lies interleaved in guest memory: word `w` of the lane
//! is word `w * lanes + lane` of the wave, so that each word is found by itself, and each byte where a word is not aligned.

use super::atomic::{bytes, ordered, registers};
use super::guest::Found;
use super::helper::Helper;
use super::lanes::Fault;
use super::lds::Share;
use super::{Lower, Lowered, extended, mask, unit, units};
use crate::isa::does::{Does, Item, Way};
use crate::isa::row::{Family, Inst};
use crate::isa::sem::Alg;
use crate::isa::{Gen, Variants};
use crate::memory::atomic::{Atomic, Space, Width};
use crate::program::Step;
use crate::program::{Access, Flags};
use crate::spirv::alg::{Pair, Truth, Word};
use crate::spirv::fault::Fault as Planted;
use crate::spirv::lanes::{Lane, Model};
use crate::spirv::module::Id;
use crate::spirv::state::{head, trap};
use rspirv::spirv::StorageClass;

const PRIVATE: Helper = Helper { name: "private", results: 5, body: private };

/// What [`PRIVATE`] does.
const LOADS: u32 = 0;
const CHECKS: u32 = 1;
const STORES: u32 = 2;

/// Where a lane's access goes.
pub(super) struct Spot {
    global: Option<(Truth, Pair)>,
    shared: Option<(Truth, Word)>,
    /// In scratch memory: where the lane's first word lies, and the lane's own address.
    private: Option<(Truth, Pair, Word)>,
}

impl Lower<'_> {
    pub(super) fn flat(&self, step: &Step, row: &'static Inst, access: &Access) -> Lowered {
        let block = access.way == Way::Block && row.family != Family::Flat;
        let to_lds = access.flags.contains(Flags::LDS) && row.family != Family::Flat;
        match (row.does, &access.atomic) {
            (_, Some(atomic)) => self.flat_modify(step, row, access, atomic),
            (Does::Load(_), _) if access.way == Way::Transposed => self.load_transposed(step, row, access),
            (Does::Load(_), _) if to_lds => self.load_to_lds(step, row, access),
            (Does::Load(_), _) if block => self.load_block(step, row, access),
            (Does::Load(_), _) => self.flat_load(step, row, access),
            (Does::Store(_), _) if block => self.store_block(step, row, access),
            (Does::Store(_), _) => self.flat_store(step, row, access),
            (Does::Idle(_), _) => {}
            _ => return Err(format!("a translation of {}", row.name)),
        }
        Ok(())
    }

    /// Where scratch memory of the wave begins.
    fn scratch_base(&self) -> Pair {
        let k = self.alg(Word::Known(0));
        let hidden = || (self.cell(head::SCRATCH), self.cell(head::SCRATCH + 1));
        let from = |register: u32| {
            let v = self.s(register);
            k.add_d(hidden(), (k.shli(v, 8), k.shri(v, 24)))
        };
        match self.generation() {
            Gen::Gfx6 | Gen::Gfx7 => from(105),
            Gen::Gfx8 => from(103),
            Gen::Gfx9 if !self.target.is(Variants::G940) => self.s64(102),
            Gen::Gfx9 | Gen::Gfx10 | Gen::Gfx11 | Gen::Gfx12 => hidden(),
        }
    }

    /// Where a lane's access goes.
    pub(super) fn spot(&self, row: &Inst, access: &Access, lane: Lane) -> Spot {
        let k = self.alg(Word::Known(0));
        let (vector, scalar) = (access.flags.contains(Flags::VADDR), access.flags.contains(Flags::SADDR));
        let offset = if self.has(Planted::OffsetLost) { 0 } else { access.offset as u64 };
        let nowhere = Spot { global: None, shared: None, private: None };
        let yes = Truth::Known(true);
        let start = || k.add_d(self.scratch_base(), k.zext(k.shli(lane.number, 2)));
        match row.family {
            Family::Flat => {
                let address = self.tuple64(access.addr, 0, lane);
                let at = k.add_d(address, k.d(offset));
                let apertures = self.options.apertures;
                let shared = k.eq(address.1, k.w((apertures.shared >> 32) as u32));
                let private = k.both(k.negate(shared), k.eq(address.1, k.w((apertures.private >> 32) as u32)));
                // gfx12 knows 17 bits of an address in LDS.
                let kept = if self.generation() >= Gen::Gfx12 { 0x1_ffff } else { u32::MAX };
                Spot {
                    global: Some((k.negate(k.either(shared, private)), at)),
                    shared: Some((shared, k.mask(at.0, kept))),
                    private: Some((private, start(), at.0)),
                }
            }
            Family::Scratch => {
                let own = if vector { self.tuple(access.addr, 0, lane) } else { k.w(0) };
                let base = if scalar { self.s(access.base) } else { k.w(0) };
                let at = k.add(k.add(base, k.w(offset as u32)), own);
                Spot { private: Some((yes, start(), at)), ..nowhere }
            }
            _ => {
                let own = match (vector, scalar) {
                    (true, false) => self.tuple64(access.addr, 0, lane),
                    (true, true) => k.zext(self.tuple(access.addr, 0, lane)),
                    (false, _) if access.way == Way::LaneNumber => k.zext(k.shli(lane.number, 2)),
                    (false, _) => k.d(0),
                };
                let base = if scalar { self.s64(access.base) } else { k.d(0) };
                Spot { global: Some((yes, k.add_d(k.add_d(base, k.d(offset)), own))), ..nowhere }
            }
        }
    }

    /// Loads, checks or stores up to four bytes of scratch memory where a condition holds: the bytes, and what failed.
    fn private(&self, what: u32, c: Truth, (start, at): (Pair, Word), size: u32, value: Word) -> (Word, Fault) {
        let k = self.alg(Word::Known(0));
        let args = [start.0, start.1, at, self.only(c, k.w(size)), value];
        let r = self.call(PRIVATE, what, &args);
        let kind = k.w(if what == LOADS { trap::LOAD } else { trap::STORE });
        (r[4], Fault { failed: k.nz(r[0]), kind, address: (r[1], r[2]), detail: r[3] })
    }

    /// Loads what a lane moves from its spot.
    pub(super) fn spot_load(&self, spot: &Spot, share: Share, item: Item, active: Truth) -> (Vec<Word>, Fault) {
        let k = self.alg(Word::Known(0));
        let (size, count) = (unit(item), units(item));
        let mut words = vec![k.w(0); count as usize];
        let mut fault = Fault::NONE;
        let mut join = |n: usize, v: Word| words[n] = k.or(words[n], v);
        if let Some((c, at)) = spot.global {
            let c = k.both(c, active);
            let found = self.find(at, self.only(c, k.w(size * count)), false);
            fault = self.first_fault(fault, self.not_found(c, found, at, k.w(size * count), trap::LOAD));
            for n in 0..count {
                join(n as usize, self.load_word(found, at, n));
            }
        }
        if let Some((c, start, at)) = spot.private {
            let c = k.both(c, active);
            for n in 0..count {
                let place = (start, k.add(at, k.w(4 * n)));
                let (v, failed) = self.private(LOADS, c, place, size, k.w(0));
                fault = self.first_fault(fault, failed);
                join(n as usize, v);
            }
        }
        if let Some((c, at)) = spot.shared {
            for (n, v) in share.load_if(self, k.both(c, active), at, item).into_iter().enumerate() {
                join(n, v);
            }
        }
        (words.into_iter().map(|v| extended(&k, item, v)).collect(), fault)
    }

    fn flat_load(&self, step: &Step, row: &'static Inst, access: &Access) {
        let k = self.alg(Word::Known(0));
        let share = self.share();
        self.in_lanes(
            step,
            false,
            |lane| {
                let spot = self.spot(row, access, lane);
                let (words, fault) = self.spot_load(&spot, share, access.item, lane.active);
                ((words, k.negate(fault.failed)), fault)
            },
            |lane, (words, good), c| {
                let c = k.both(c, good);
                self.set_loaded(access.dst, access.half, access.item, lane, c, &words);
                if access.flags.contains(Flags::TFE) {
                    let behind = if let Item::Words(n) = access.item { u32::from(n) } else { 1 };
                    self.set_tuple(access.dst, behind, lane, c, k.w(0));
                }
            },
        );
    }

    /// Checks where a lane stores: the region of global memory, and what fails.
    fn spot_check(&self, spot: &Spot, item: Item, active: Truth) -> (Option<Found>, Fault) {
        let k = self.alg(Word::Known(0));
        let (size, count) = (unit(item), units(item));
        let mut fault = Fault::NONE;
        let found = spot.global.map(|(c, at)| {
            let c = k.both(c, active);
            let found = self.find(at, self.only(c, k.w(size * count)), true);
            fault = self.not_found(c, found, at, k.w(size * count), trap::STORE);
            found
        });
        if let Some((c, start, at)) = spot.private {
            for n in 0..count {
                let place = (start, k.add(at, k.w(4 * n)));
                let (_, failed) = self.private(CHECKS, k.both(c, active), place, size, k.w(0));
                fault = self.first_fault(fault, failed);
            }
        }
        (found, fault)
    }

    /// Stores what a lane moves; what lies before the part that fails is stored.
    fn spot_store(&self, spot: &Spot, found: Option<Found>, share: Share, item: Item, words: &[Word], c: Truth) {
        let k = self.alg(Word::Known(0));
        if let (Some((_, at)), Some(found)) = (spot.global, found) {
            let found = Found { how: self.only(c, found.how), ..found };
            match item {
                Item::Words(_) => {
                    for (n, v) in (0..).zip(words) {
                        self.store_word(found, at, n, *v);
                    }
                }
                _ if self.has(Planted::ByteMaskLost) => self.store_guest(found, at, words[0], k.w(u32::MAX)),
                _ => self.store_guest(found, at, words[0], k.w(mask(item))),
            }
        }
        if let Some((here, start, at)) = spot.private {
            let mut goes = k.both(here, c);
            for (n, v) in (0..).zip(words) {
                let place = (start, k.add(at, k.w(4 * n)));
                let (_, fault) = self.private(STORES, goes, place, unit(item), *v);
                goes = k.both(goes, k.negate(fault.failed));
            }
        }
        if let Some((here, at)) = spot.shared {
            share.store_if(self, k.both(here, c), at, item, words);
        }
    }

    fn flat_store(&self, step: &Step, row: &'static Inst, access: &Access) {
        let share = self.share();
        let item = access.item;
        self.in_lanes(
            step,
            true,
            |lane| {
                let spot = self.spot(row, access, lane);
                let (found, fault) = self.spot_check(&spot, item, lane.active);
                ((spot, found, self.stored(access.data, access.half, item, lane)), fault)
            },
            |_, (spot, found, words), c| self.spot_store(&spot, found, share, item, &words, c),
        );
    }

    /// The spot of word `n` behind another one.
    fn behind(&self, spot: &Spot, n: Word) -> Spot {
        let k = self.alg(Word::Known(0));
        let distance = k.shli(n, 2);
        Spot {
            global: spot.global.map(|(c, at)| (c, k.add_d(at, k.zext(distance)))),
            shared: spot.shared.map(|(c, at)| (c, k.add(at, distance))),
            private: spot.private.map(|(c, start, at)| (c, start, k.add(at, distance))),
        }
    }

    /// A word of a block.
    fn of_block(&self, block: Id, n: Word) -> Id {
        self.m.chain(StorageClass::Function, block, &[self.alg(Word::Known(0)).id(n)])
    }

    /// Does something for each word of a block that M0 asks for, in a loop of the device, up to the first that fails. Gives the fault, and
    /// the words that were done as bits.
    fn each_of_block(&self, active: Truth, body: impl FnOnce(Word, Truth) -> Fault) -> (Fault, Word) {
        let k = self.alg(Word::Known(0));
        let [n, done, failed, kind, low, high, detail] = [(); 7].map(|()| self.var(k.w(0)));
        let wanted = self.m0();
        self.repeat(|| {
            let number = self.get(n);
            let asked = k.nz(k.mask(k.shr(wanted, number), 1));
            let c = k.both(active, asked);
            let fault = body(number, c);
            let bit = k.shl(k.bit(k.both(c, k.negate(fault.failed))), number);
            self.put(done, k.or(self.get(done), bit));
            let noted = [(failed, k.bit(fault.failed)), (kind, fault.kind), (detail, fault.detail)];
            for (to, v) in noted.into_iter().chain([(low, fault.address.0), (high, fault.address.1)]) {
                self.put(to, v);
            }
            let next = k.add(number, k.w(1));
            self.put(n, next);
            k.both(k.lt_u(next, k.w(32)), k.negate(fault.failed))
        });
        let fault = Fault {
            failed: k.nz(self.get(failed)),
            kind: self.get(kind),
            address: (self.get(low), self.get(high)),
            detail: self.get(detail),
        };
        (fault, self.get(done))
    }

    /// So many rounds, in the model in which lanes come one by one, that a driver which counts those of all its waves must not have several.
    pub(super) fn takes_long(&self) {
        if self.options.model == Model::Serial {
            self.alone.set(true);
        }
    }

    fn load_block(&self, step: &Step, row: &'static Inst, access: &Access) {
        let k = self.alg(Word::Known(0));
        let (m, share) = (&self.m, self.share());
        let block = m.variable(m.array(m.int(), 32));
        self.takes_long();
        self.in_lanes(
            step,
            false,
            |lane| {
                let first = self.spot(row, access, lane);
                let (fault, done) = self.each_of_block(lane.active, |n, c| {
                    let (word, fault) = self.spot_load(&self.behind(&first, n), share, Item::Words(1), c);
                    m.store(self.of_block(block, n), k.id(word[0]));
                    fault
                });
                (done, fault)
            },
            |lane, done, c| {
                for n in 0..32 {
                    let v = Word::Id(m.load(self.of_block(block, k.w(n))));
                    let c = k.both(c, k.nz(k.mask(done, 1 << n)));
                    self.set_tuple(access.dst, n, lane, c, v);
                }
            },
        );
    }

    fn store_block(&self, step: &Step, row: &'static Inst, access: &Access) {
        let k = self.alg(Word::Known(0));
        let (m, share) = (&self.m, self.share());
        let block = m.variable(m.array(m.int(), 32));
        let item = Item::Words(1);
        self.takes_long();
        self.in_lanes(
            step,
            true,
            |lane| {
                let first = self.spot(row, access, lane);
                for n in 0..32 {
                    m.store(self.of_block(block, k.w(n)), k.id(self.tuple(access.data, n, lane)));
                }
                let check = |n, c| self.spot_check(&self.behind(&first, n), item, c).1;
                let (fault, done) = self.each_of_block(lane.active, check);
                ((first, done), fault)
            },
            |_, (first, done), c| {
                self.each_of_block(c, |n, c| {
                    let c = k.both(c, k.nz(k.mask(k.shr(done, n), 1)));
                    let spot = self.behind(&first, n);
                    let (found, _) = self.spot_check(&spot, item, c);
                    let v = Word::Id(m.load(self.of_block(block, n)));
                    self.spot_store(&spot, found, share, item, &[v], c);
                    Fault::NONE
                });
            },
        );
    }

    fn flat_modify(&self, step: &Step, row: &'static Inst, access: &Access, atomic: &Atomic) {
        let k = self.alg(Word::Known(0));
        let share = self.share();
        let width = atomic.width;
        let returns = access.flags.contains(Flags::RETURNS);
        let floats = self.float_rules(atomic, Space::Memory);
        let floats_of_lds = self.float_rules(atomic, Space::Lds);
        self.in_lanes(
            step,
            true,
            |lane| {
                let spot = self.spot(row, access, lane);
                let mut fault = Fault::NONE;
                let mut guest = (k.c(false), k.w(0));
                if let Some((c, at)) = spot.global {
                    let c = k.both(c, lane.active);
                    let (found, failed) = self.find_atomic(at, width, c);
                    fault = failed;
                    guest = (c, found.index);
                }
                if let Some((c, start, at)) = spot.private {
                    let c = k.both(c, lane.active);
                    let place = self.private_place(start, at);
                    let (found, failed) = self.find_atomic(place, width, c);
                    // There is no scratch memory of 64 bits at once.
                    let failed = if width == Width::W64 {
                        Fault { failed: c, kind: k.w(trap::ATOMIC), address: place, detail: k.w(8) }
                    } else {
                        failed
                    };
                    fault = self.first_fault(fault, failed);
                    guest = (k.either(guest.0, c), k.sel(c, found.index, guest.1));
                }
                let mut lds = None;
                if let Some((c, at)) = spot.shared {
                    let c = k.both(c, lane.active);
                    let (index, inside, failed) = share.atomic(self, at, bytes(width));
                    fault = self.first_fault(fault, Fault { failed: k.both(c, failed.failed), ..failed });
                    lds = Some((k.both(c, inside), index));
                }
                let other = if atomic.operands() > 1 {
                    self.operand(access.data, registers(width), width, lane)
                } else {
                    k.d(0)
                };
                let operands = (self.operand(access.data, 0, width, lane), other);
                ((guest, lds, operands, k.negate(fault.failed)), fault)
            },
            |lane, (guest, lds, operands, good), c| {
                self.in_turn(lane, k.both(c, good), ordered(atomic, returns), |c| {
                    let mut old = self.modify(atomic, false, (k.both(c, guest.0), guest.1), operands, floats);
                    if let Some((here, index)) = lds {
                        let place = (k.both(c, here), index);
                        old = k.or_d(old, self.modify(atomic, true, place, operands, floats_of_lds));
                    }
                    if returns {
                        self.set_result(access.dst, width, lane, c, old);
                    }
                });
            },
        );
    }

    /// Where LDS data of a lane goes: M0, an offset, then a word a lane.
    pub(super) fn lds_of_lane(&self, offset: i64, lane: Lane) -> Word {
        let k = self.alg(Word::Known(0));
        let base = k.add(k.zx16(self.m0()), k.w(offset as u32));
        k.add(base, k.shli(lane.number, 2))
    }

    fn load_to_lds(&self, step: &Step, row: &'static Inst, access: &Access) {
        let k = self.alg(Word::Known(0));
        let share = self.share_unlimited();
        let item = if let Item::Words(_) = access.item { Item::Words(1) } else { access.item };
        self.in_lanes(
            step,
            true,
            |lane| {
                let spot = self.spot(row, access, lane);
                let (words, fault) = self.spot_load(&spot, share, item, lane.active);
                ((words, k.negate(fault.failed)), fault)
            },
            |lane, (words, good), c| {
                let at = self.lds_of_lane(access.offset, lane);
                share.store_if(self, k.both(c, good), at, Item::Words(1), &words);
            },
        );
    }

    /// The guest address of a byte of a lane's scratch memory.
    fn private_place(&self, start: Pair, at: Word) -> Pair {
        let k = self.alg(Word::Known(0));
        if self.has(Planted::ScratchStraight) {
            return k.add_d(start, k.zext(at));
        }
        let scale = self.options.lanes.trailing_zeros();
        let word = k.mask(at, !3);
        let offset = (k.or(k.shli(word, scale), k.mask(at, 3)), k.shri(word, 32 - scale));
        k.add_d(start, offset)
    }
}

/// Where the lane's memory begins (two), its own address, bytes, value: whether it failed, where (two), how many bytes, what was loaded.
/// An aligned word is one piece, all else goes byte by byte.
fn private(l: &Lower<'_>, what: u32, a: &[Word]) -> Vec<Word> {
    let k = l.alg(Word::Known(0));
    let [failed, low, high, result, n] = [(); 5].map(|()| l.var(k.w(0)));
    let whole = k.both(k.eq(a[3], k.w(4)), k.eq(k.mask(a[2], 3), k.w(0)));
    let piece = k.sel(whole, k.w(4), k.w(1));
    let part = k.sel(whole, k.w(u32::MAX), k.w(0xff));
    l.when(k.nz(a[3]), || {
        l.repeat(|| {
            let done = l.get(n);
            let place = l.private_place((a[0], a[1]), k.add(a[2], done));
            let found = l.find(place, piece, what != LOADS);
            let shift = k.shli(done, 3);
            match what {
                LOADS => {
                    let v = k.and(l.load_guest(found, place), part);
                    l.put(result, k.or(l.get(result), k.shl(v, shift)));
                }
                STORES => l.store_guest(found, place, k.shr(a[4], shift), part),
                _ => {}
            }
            l.put(failed, k.bit(k.negate(l.is_found(found))));
            l.put(low, place.0);
            l.put(high, place.1);
            let next = k.add(done, piece);
            l.put(n, next);
            k.both(k.lt_u(next, a[3]), l.is_found(found))
        });
    });
    vec![l.get(failed), l.get(low), l.get(high), piece, l.get(result)]
}
