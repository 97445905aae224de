//! Scalar memory: SMRD and SMEM.
//!
//! Where a wave is several invocations, all of them load, but what the first one has is handed to all: a value that another
//! wave changes meanwhile must not be different in two of them. What writes is done by the first one alone.

use super::atomic::{bytes, registers};
use super::descriptor::Descriptor;
use super::lanes::Fault;
use super::{Lower, Lowered, extended, unit};
use crate::isa::Gen;
use crate::isa::does::{Does, Item};
use crate::isa::memory::is_buffer;
use crate::isa::row::Inst;
use crate::isa::sem::Alg;
use crate::memory::atomic::{Atomic, Space, Width};
use crate::program::Step;
use crate::program::{Access, Flags};
use crate::spirv::alg::{Pair, Truth, Word};
use crate::spirv::fault::Fault as Planted;
use crate::spirv::state::{self, head, trap};

/// No lane did it.
const WAVE: Word = Word::Known(state::NO_LANE);

/// Words that an access moves.
fn count(item: Item) -> u32 {
    if let Item::Words(n) = item { u32::from(n.min(16)) } else { 1 }
}

impl Lower<'_> {
    pub(super) fn scalar_memory_access(&self, step: &Step, row: &'static Inst, access: &Access) -> Lowered {
        let buffer = is_buffer(row);
        match (row.does, &access.atomic) {
            (_, Some(atomic)) => self.scalar_atomic(step, access, atomic, buffer),
            (Does::Store(_), _) if buffer => self.scalar_buffer_store(step, access),
            (Does::Store(_), _) => self.scalar_store(step, access),
            (Does::Load(_), _) if buffer => self.scalar_buffer_load(step, access),
            (Does::Load(_), _) => self.scalar_load(step, access),
            (Does::Clock, _) => {
                let now = self.clock();
                self.set_s64(access.data, now);
            }
            (Does::WaveNumber, _) => self.set_s(access.data, self.cell(head::INDEX)),
            (Does::Idle(_), _) => {}
            _ => return Err(format!("a translation of {}", row.name)),
        }
        Ok(())
    }

    /// The address of an access through a pointer: each part loses its low bits, up to gfx7 the sum does.
    fn scalar_pointer(&self, access: &Access) -> Pair {
        let k = self.alg(Word::Known(0));
        let base = self.s64(access.base);
        let register = self.s(access.soffset);
        let scale = u32::from(access.soffset_shift);
        let register =
            if scale == 0 { k.zext(register) } else { (k.shli(register, scale), k.shri(register, 32 - scale)) };
        let drop = if self.has(Planted::SmemUnaligned) { 0 } else { unit(access.item) - 1 };
        let offset = access.offset as u64;
        let low = |a: Pair| (k.mask(a.0, !drop), a.1);
        if self.generation() <= Gen::Gfx7 {
            return low(k.add_d(k.add_d(base, k.d(offset)), register));
        }
        k.add_d(k.add_d(low(base), k.d(offset & !u64::from(drop))), low(register))
    }

    /// Writes scalar registers behind a load.
    fn fill(&self, access: &Access, words: &[Word]) {
        for (n, v) in (0..).zip(words) {
            self.set_s(access.data + n, *v);
        }
    }

    fn scalar_load(&self, step: &Step, access: &Access) {
        let k = self.alg(Word::Known(0));
        let (n, item) = (count(access.item), access.item);
        let at = self.scalar_pointer(access);
        let size = n * unit(item);
        let found = self.find(at, k.w(size), false);
        let words: Vec<Word> = (0..n).map(|n| extended(&k, item, self.load_word(found, at, n))).collect();
        self.stop_for(step, &self.not_found(Truth::Known(true), found, at, k.w(size), trap::LOAD), WAVE);
        self.fill(access, &self.agreed(&words));
    }

    fn scalar_store(&self, step: &Step, access: &Access) {
        let k = self.alg(Word::Known(0));
        let n = count(access.item);
        let words = self.once(|| {
            let at = self.scalar_pointer(access);
            let found = self.find(at, k.w(4 * n), true);
            for n in 0..n {
                self.store_word(found, at, n, self.s(access.data + n));
            }
            self.told(&self.not_found(Truth::Known(true), found, at, k.w(4 * n), trap::STORE))
        });
        self.stop_for(step, &self.heard(&words).0, WAVE);
    }

    /// The descriptor and the offset of a buffer access. Nothing where an offset below zero has stopped the wave.
    fn scalar_buffer(&self, step: &Step, access: &Access) -> Option<(Descriptor, Word)> {
        let k = self.alg(Word::Known(0));
        let descriptor = self.descriptor(access.base);
        self.refuse(step, &descriptor, Truth::Known(true));
        if access.offset < 0 {
            let kind = k.w(trap::LOAD);
            let fault = Fault { failed: Truth::Known(true), kind, address: descriptor.base, detail: k.w(4) };
            self.stop_for(step, &fault, WAVE);
            return None;
        }
        let drop = unit(access.item) - 1;
        let register = k.mask(self.s(access.soffset), !drop);
        let sum = k.add(k.w(access.offset as u32 & !drop), register);
        Some((descriptor, k.sel(k.lt_u(sum, register), k.w(u32::MAX), sum)))
    }

    fn scalar_buffer_load(&self, step: &Step, access: &Access) {
        let k = self.alg(Word::Known(0));
        let Some((descriptor, offset)) = self.scalar_buffer(step, access) else { return };
        let (item, size) = (access.item, unit(access.item));
        let mut fault = Fault::NONE;
        let mut words = Vec::new();
        for n in 0..count(item) {
            let (inside, at) = descriptor.scalar(self, offset, size, n);
            let found = self.find(at, self.only(inside, k.w(size)), false);
            fault = self.first_fault(fault, self.not_found(inside, found, at, k.w(size), trap::LOAD));
            words.push(k.sel(inside, extended(&k, item, self.load_guest(found, at)), k.w(0)));
        }
        self.stop_for(step, &fault, WAVE);
        self.fill(access, &self.agreed(&words));
    }

    fn scalar_buffer_store(&self, step: &Step, access: &Access) {
        let k = self.alg(Word::Known(0));
        let Some((descriptor, offset)) = self.scalar_buffer(step, access) else { return };
        let words = self.once(|| {
            let mut fault = Fault::NONE;
            for n in 0..count(access.item) {
                let (inside, at) = descriptor.scalar(self, offset, 4, n);
                let goes = k.both(inside, k.negate(fault.failed));
                let found = self.find(at, self.only(goes, k.w(4)), true);
                self.store_guest(found, at, self.s(access.data + n), k.w(u32::MAX));
                fault = self.first_fault(fault, self.not_found(goes, found, at, k.w(4), trap::STORE));
            }
            self.told(&fault)
        });
        self.stop_for(step, &self.heard(&words).0, WAVE);
    }

    fn scalar_atomic(&self, step: &Step, access: &Access, atomic: &Atomic, buffer: bool) {
        let k = self.alg(Word::Known(0));
        let place = if buffer {
            let Some((descriptor, offset)) = self.scalar_buffer(step, access) else { return };
            let (inside, at) = descriptor.scalar(self, offset, 4, 0);
            let (last, _) = descriptor.scalar(self, offset, 4, registers(atomic.width) - 1);
            (k.both(inside, last), at)
        } else {
            (Truth::Known(true), self.scalar_pointer(access))
        };
        let floats = self.float_rules(atomic, Space::Memory);
        let data = access.data;
        let operands = match atomic.width {
            Width::W32 => (k.zext(self.s(data)), k.zext(self.s(data + 1))),
            Width::W64 => (self.s64(data), self.s64(data + bytes(Width::W64) / 4)),
        };
        let words = self.once(|| {
            let (goes, at) = place;
            let (found, fault) = self.find_atomic(at, atomic.width, goes);
            let goes = k.both(goes, k.negate(fault.failed));
            let old = self.modify(atomic, false, (goes, found.index), operands, floats);
            let mut words = self.told(&fault);
            words.extend([old.0, old.1]);
            words
        });
        let (fault, words) = self.heard(&words);
        self.stop_for(step, &fault, WAVE);
        if access.flags.contains(Flags::RETURNS) {
            self.fill(access, &words[..registers(atomic.width) as usize]);
        }
    }
}
