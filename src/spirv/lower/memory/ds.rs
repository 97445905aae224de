//! The data share: loads, stores and atomics on LDS.

use super::atomic::{bytes, ordered, registers};
use super::lanes::Fault;
use super::lds::Share;
use super::{Lower, Lowered};
use crate::isa::Gen;
use crate::isa::does::{Across, Does, Item, Lanes, Moved, Way};
use crate::isa::row::Inst;
use crate::isa::sem::Alg;
use crate::memory::atomic::{Atomic, Shape, Space, Width};
use crate::program::Step;
use crate::program::{Access, Flags};
use crate::spirv::alg::{Pair, Truth, Word};
use crate::spirv::fault::Fault as Planted;
use crate::spirv::lanes::Lane;
use crate::spirv::state::{push, trap};

impl Lower<'_> {
    pub(super) fn data_share(&self, step: &Step, row: &'static Inst, access: &Access) -> Lowered {
        // What moves values between lanes goes to neither share.
        if !access.has(Flags::GDS) || matches!(row.does, Does::Lanes(_) | Does::Idle(_)) {
            return self.at_share(step, row, access);
        }
        if let Does::Across(across) = row.does {
            self.name_registers(across, access);
            self.ask_host(step);
            return Ok(());
        }
        let k = self.alg(Word::Known(0));
        self.leave_if(k.eq(self.pushed(push::GDS_BYTES), k.w(0)), || self.trap_here(step, trap::UNSUPPORTED));
        // Append and consume count all active lanes.
        let counts = access.atomic.is_some_and(|atomic| atomic.shape == Shape::Wave);
        if self.generation() < Gen::Gfx11 || counts || self.has(Planted::GdsAllLanes) {
            return self.at_share(step, row, access);
        }
        self.active.borrow_mut().clear();
        self.first_alone.set(true);
        let done = self.at_share(step, row, access);
        self.first_alone.set(false);
        self.active.borrow_mut().clear();
        done
    }

    /// Sees to it that records have the registers which the host looks at.
    fn name_registers(&self, across: Across, access: &Access) {
        let operand = if matches!(across, Across::Register { .. }) { access.data } else { access.addr };
        self.word_of_register(operand);
        if across.returns() {
            self.word_of_register(access.dst);
        }
        if matches!(across, Across::Register { .. }) {
            // Those of the sync may have 64 bits.
            self.word_of_register(access.dst + 1);
        }
    }

    /// An instruction on LDS, or on bytes of the global data share.
    fn at_share(&self, step: &Step, row: &'static Inst, access: &Access) -> Lowered {
        match row.does {
            Does::Idle(_) => {}
            Does::Stack(stack) => self.stack(step, access, stack),
            Does::Lanes(Lanes::Swizzle) => self.swizzle(access),
            Does::Lanes(Lanes::Permute) => self.scatter(access),
            Does::Lanes(Lanes::Bpermute { .. }) => self.gather(access),
            Does::Load(Moved { way: Way::Two { .. }, .. }) => self.share_read2(step, access),
            Does::Store(Moved { way: Way::Two { .. }, .. }) => self.share_write2(step, access),
            Does::Load(moved) => self.share_read(step, access, moved.way == Way::LaneNumber),
            Does::Store(moved) => self.share_write(step, access, moved.way == Way::LaneNumber),
            _ => {
                let Some(atomic) = &access.atomic else { return Err(format!("a translation of {}", row.name)) };
                match atomic.shape {
                    Shape::One => self.share_modify(step, access, atomic),
                    Shape::Two { .. } => self.share_modify2(step, access, atomic),
                    Shape::Source => self.share_modify_source(step, access, atomic),
                    Shape::Wave => self.share_modify_wave(step, access, atomic),
                }
            }
        }
        Ok(())
    }

    /// The address of a lane: from a register, or from M0 and the number of the lane.
    fn share_place(&self, share: &Share, access: &Access, offset: u32, by_lane: bool, lane: Lane) -> Word {
        let k = self.alg(Word::Known(0));
        if by_lane {
            let base = k.add(k.zx16(self.m0()), k.w(offset));
            return k.add(base, k.shli(lane.number, 2));
        }
        share.address(self, self.tuple(access.addr, 0, lane), offset)
    }

    fn share_read(&self, step: &Step, access: &Access, by_lane: bool) {
        let share = self.share_of(access);
        self.in_lanes(
            step,
            false,
            |lane| {
                let at = self.share_place(&share, access, access.offset as u32, by_lane, lane);
                (share.load_if(self, lane.active, at, access.item), Fault::NONE)
            },
            |lane, words, c| self.set_loaded(access.dst, access.half, access.item, lane, c, &words),
        );
    }

    fn share_write(&self, step: &Step, access: &Access, by_lane: bool) {
        let share = self.share_of(access);
        self.in_lanes(
            step,
            true,
            |lane| {
                let at = self.share_place(&share, access, access.offset as u32, by_lane, lane);
                ((at, self.stored(access.data, access.half, access.item, lane)), Fault::NONE)
            },
            |_, (at, words), c| share.store_if(self, c, at, access.item, &words),
        );
    }

    /// Both addresses of a lane.
    fn share_places(&self, share: &Share, access: &Access, lane: Lane) -> [Word; 2] {
        let scale = u32::from(self.has(Planted::LdsOffsetScaled));
        [access.offset as u32, access.offset1]
            .map(|offset| self.share_place(share, access, offset >> scale, false, lane))
    }

    fn share_read2(&self, step: &Step, access: &Access) {
        let share = self.share_of(access);
        self.in_lanes(
            step,
            false,
            |lane| {
                let load = |at| share.load_if(self, lane.active, at, access.item);
                (self.share_places(&share, access, lane).map(load).concat(), Fault::NONE)
            },
            |lane, words, c| {
                for (n, v) in (0..).zip(words) {
                    self.set_tuple(access.dst, n, lane, c, v);
                }
            },
        );
    }

    fn share_write2(&self, step: &Step, access: &Access) {
        let k = self.alg(Word::Known(0));
        let share = self.share_of(access);
        let differ = |at: [Word; 2]| k.negate(k.eq(at[0], at[1]));
        self.in_lanes(
            step,
            true,
            |lane| {
                let data = [access.data, access.data1].map(|at| self.stored(at, access.half, access.item, lane));
                ((self.share_places(&share, access, lane), data), Fault::NONE)
            },
            |_, (at, data), c| {
                share.store_if(self, c, at[0], access.item, &data[0]);
                share.store_if(self, k.both(c, differ(at)), at[1], access.item, &data[1]);
            },
        );
    }

    /// An operand of an atomic.
    pub(super) fn operand(&self, at: u32, n: u32, width: Width, lane: Lane) -> Pair {
        match width {
            Width::W32 => (self.tuple(at, n, lane), Word::Known(0)),
            Width::W64 => self.tuple64(at, n, lane),
        }
    }

    /// Writes the result of an atomic.
    pub(super) fn set_result(&self, at: u32, width: Width, lane: Lane, c: Truth, v: Pair) {
        self.set_tuple(at, 0, lane, c, v.0);
        if width == Width::W64 {
            self.set_tuple(at, 1, lane, c, v.1);
        }
    }

    fn share_modify(&self, step: &Step, access: &Access, atomic: &Atomic) {
        let k = self.alg(Word::Known(0));
        let (share, floats) = (self.share_of(access), self.float_rules(atomic, Space::Lds));
        let width = atomic.width;
        let returns = access.flags.contains(Flags::RETURNS);
        self.in_lanes(
            step,
            true,
            |lane| {
                let at = self.share_place(&share, access, access.offset as u32, false, lane);
                let (index, inside, fault) = share.atomic(self, at, bytes(width));
                let operands = (self.operand(access.data, 0, width, lane), self.operand(access.data1, 0, width, lane));
                ((index, inside, operands, k.negate(fault.failed)), fault)
            },
            |lane, (index, inside, operands, good), c| {
                self.in_turn(lane, k.both(c, good), ordered(atomic, returns), |c| {
                    let old = self.modify(atomic, true, (k.both(c, inside), index), operands, floats);
                    if returns {
                        self.set_result(access.dst, width, lane, c, old);
                    }
                });
            },
        );
    }

    /// Exchanges at two addresses; where they are equal, one exchange whose result comes twice.
    fn share_modify2(&self, step: &Step, access: &Access, atomic: &Atomic) {
        let k = self.alg(Word::Known(0));
        let (share, floats) = (self.share_of(access), self.float_rules(atomic, Space::Lds));
        let width = atomic.width;
        self.in_lanes(
            step,
            true,
            |lane| {
                let at = self.share_places(&share, access, lane);
                let same = k.eq(at[0], at[1]);
                let places = at.map(|at| share.atomic(self, at, bytes(width)));
                let data = [access.data, access.data1].map(|data| self.operand(data, 0, width, lane));
                let fault = self.first_fault(places[0].2, places[1].2);
                ((same, places, data), fault)
            },
            |lane, (same, places, data), c| {
                let zero = k.d(0);
                self.in_turn(lane, c, true, |c| {
                    let good = places.map(|(_, inside, fault)| (k.both(inside, k.negate(fault.failed)), fault));
                    let first_goes = k.both(c, good[0].0);
                    let first = self.modify(atomic, true, (first_goes, places[0].0), (data[0], zero), floats);
                    let goes = k.both(k.both(c, k.negate(same)), k.both(good[1].0, k.negate(good[0].1.failed)));
                    let second = self.modify(atomic, true, (goes, places[1].0), (data[1], zero), floats);
                    let failed = k.either(good[0].1.failed, good[1].1.failed);
                    let c = k.both(c, k.negate(failed));
                    self.set_result(access.dst, width, lane, c, first);
                    let to = access.dst + registers(width);
                    self.set_result(to, width, lane, c, k.sel_d(same, first, second));
                });
            },
        );
    }

    /// `mem[a] = op(mem[a], mem[b])`, with b some words from a.
    fn share_modify_source(&self, step: &Step, access: &Access, atomic: &Atomic) {
        let k = self.alg(Word::Known(0));
        let (share, floats) = (self.share_of(access), self.float_rules(atomic, Space::Lds));
        let offset = access.offset as u32;
        let by_register = offset >> 15 & 1 != 0;
        self.in_lanes(
            step,
            true,
            |lane| {
                let register = self.tuple(access.addr, 0, lane);
                let at = if by_register { k.mask(register, 0x1_ffff) } else { register };
                let distance =
                    if by_register { k.sari(register, 17) } else { k.w(((offset << 17) as i32 >> 17) as u32) };
                let at = share.address(self, at, 0);
                let from = k.add(at, k.shli(distance, 2));
                let (index, inside, fault) = share.atomic(self, at, bytes(atomic.width));
                ((from, index, inside, k.negate(fault.failed)), fault)
            },
            |lane, (from, index, inside, good), c| {
                self.in_turn(lane, k.both(c, good), true, |c| {
                    let words = share.load_if(self, c, from, Item::Words(registers(atomic.width) as u8));
                    let data = (words[0], words.get(1).copied().unwrap_or(Word::Known(0)));
                    self.modify(atomic, true, (k.both(c, inside), index), (data, k.d(0)), floats);
                });
            },
        );
    }

    /// Append and consume: one operation for the wave, whose result all active lanes get.
    fn share_modify_wave(&self, step: &Step, access: &Access, atomic: &Atomic) {
        let k = self.alg(Word::Known(0));
        let global = access.has(Flags::GDS);
        // M0 is a part of the address in LDS, so that it limits nothing.
        let share = if global { self.share_of(access) } else { self.share_unlimited() };
        let base = if global {
            share.address(self, k.w(0), 0)
        } else {
            // `append_base` of the emulator.
            let m0 = self.m0();
            let aligned = k.eq(k.mask(m0, 3), k.w(0));
            k.sel(k.both(aligned, k.lt_u(m0, share.limit())), m0, k.w(0))
        };
        let at = k.add(base, k.w(access.offset as u32));
        let exec = self.exec();
        let any = self.any_active();
        let floats = self.float_rules(atomic, Space::Lds);
        let words = self.once(|| {
            let (index, inside, fault) = share.atomic(self, at, bytes(atomic.width));
            let fault = Fault { failed: k.both(any, fault.failed), ..fault };
            let goes = k.both(k.both(any, inside), k.negate(fault.failed));
            let old = self.modify(atomic, true, (goes, index), (k.zext(k.popcount_d(exec)), k.d(0)), floats);
            let mut words = self.told(&fault);
            words.push(old.0);
            words
        });
        let (fault, words) = self.heard(&words);
        self.stop_for(step, &fault, self.first_lane());
        self.each_lane(|lane| self.set_tuple(access.dst, 0, lane, lane.active, words[0]));
    }
}
