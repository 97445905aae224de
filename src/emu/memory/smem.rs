//! Scalar memory: SMRD and SMEM.
//!
//! The address is a base (a pair, or a descriptor's), a constant and a scalar register. Up to gfx7 the sum loses its low two bits; later each
//! part does, and gfx12 drops only what the size asks for. A buffer's range is judged dword by dword, on the offset alone.
//! EXEC does not matter. All words are loaded before the first register is written, since the base may be among them.

use super::common::{Bytes, Done, Trouble, finish};
use super::touched::{self, Touched};
use super::{Access, Flags, float_rules, nothing};
use crate::emu::group::Group;
use crate::emu::plan::{Run, Step};
use crate::emu::wave::Wave;
use crate::fault::planted;
use crate::isa::does::{Does, Item};
use crate::isa::memory::is_buffer;
use crate::isa::row::Inst;
use crate::isa::{Gen, Target};
use crate::memory::atomic::{Space, Width};
use crate::memory::buffer::Descriptor;
use crate::memory::guest::{self, Fault, Why};

/// The function of a scalar memory instruction.
pub(super) fn run(row: &Inst) -> Option<Run> {
    let buffer = is_buffer(row);
    Some(match row.does {
        Does::Atomic(_) if buffer => atomic_buffer,
        Does::Atomic(_) => atomic_pointer,
        Does::Store(_) if buffer => store_buffer,
        Does::Store(_) => store,
        Does::Load(_) if buffer => load_buffer,
        Does::Load(_) => load,
        Does::Clock => time,
        Does::WaveNumber => wave_id,
        Does::Idle(_) => nothing,
        _ => return None,
    })
}

/// The address bits that an access drops.
fn dropped(item: Item) -> u64 {
    match item {
        Item::U8 | Item::I8 => 0,
        Item::U16 | Item::I16 => 1,
        Item::Words(_) => 3,
    }
}

/// The address of an access through a pointer.
fn pointer(wave: &Wave, access: &Access) -> u64 {
    let base = wave.pair(access.base as usize);
    let register = u64::from(wave.s[access.soffset as usize]) << access.soffset_shift;
    let drop = if planted!(SmemLowBitsKept) { 0 } else { dropped(access.item) };
    let offset = access.offset as u64;
    if wave.env.target.generation() <= Gen::Gfx7 && !planted!(SmemPartsAligned) || planted!(SmemSumAligned) {
        return base.wrapping_add(offset).wrapping_add(register) & !drop;
    }
    (base & !drop).wrapping_add(offset & !drop).wrapping_add(register & !drop)
}

/// Words that a load fills.
fn count(item: Item) -> usize {
    match item {
        Item::Words(n) => usize::from(n.min(16)),
        _ => 1,
    }
}

fn fill(wave: &mut Wave, access: &Access, words: &[u32]) {
    let at = access.data as usize;
    wave.s[at..at + words.len()].copy_from_slice(words);
}

/// Does a scalar access: one lane, so to speak.
fn once(
    wave: &mut Wave,
    step: &Step,
    group: &Group<'_>,
    each: impl FnOnce(&mut Wave, &Access) -> Result<(), Trouble>,
) -> u32 {
    let Some(access) = step.memory.as_deref() else { return step.next };
    let done: Done = each(wave, access).map_err(|trouble| (trouble, 0));
    finish(wave, step, group, done)
}

fn load(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let memory = group.memory;
    once(wave, step, group, |wave, access| {
        let at = pointer(wave, access);
        let mut words = [0; 16];
        let words = &mut words[..count(access.item)];
        match access.item {
            Item::Words(_) => memory.view().load_words(at, words)?,
            item => words[0] = memory.view().load_narrow(at, item)?,
        }
        fill(wave, access, words);
        Ok(())
    })
}

fn store(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let memory = group.memory;
    once(wave, step, group, |wave, access| {
        let (at, data) = (pointer(wave, access), access.data as usize);
        memory.view().store_words(at, &wave.s[data..data + count(access.item)])?;
        Ok(())
    })
}

/// The descriptor and the offset of a buffer access.
fn buffer(wave: &Wave, access: &Access) -> Result<(Descriptor, u32), Trouble> {
    let descriptor = descriptor(wave, access.base, &wave.env.target)?;
    if access.offset < 0 {
        return Err(Trouble::Fault(Fault {
            address: descriptor.base,
            size: 4,
            access: guest::Access::Load,
            why: Why::Unmapped,
        }));
    }
    let drop = dropped(access.item) as u32;
    let register = wave.s[access.soffset as usize];
    Ok((descriptor, (access.offset as u32 & !drop).saturating_add(register & !drop)))
}

/// The descriptor in four scalar registers.
pub(super) fn descriptor(wave: &Wave, base: u32, target: &Target) -> Result<Descriptor, Trouble> {
    let at = base as usize;
    let words = std::array::from_fn(|n| wave.s[at + n]);
    Ok(Descriptor::decode(words, target)?)
}

fn load_buffer(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let memory = group.memory;
    once(wave, step, group, |wave, access| {
        let (descriptor, offset) = buffer(wave, access)?;
        let mut view = memory.view();
        let mut words = [0; 16];
        let words = &mut words[..count(access.item)];
        let size = dropped(access.item) as u32 + 1;
        let last = words.len().saturating_sub(1) as u32;
        for (n, word) in (0..).zip(words.iter_mut()) {
            let item = if let Item::Words(_) = access.item { Item::Words(1) } else { access.item };
            if planted!(ScalarAllOrNothing) && descriptor.scalar(offset, size, last).is_none() {
                continue;
            }
            if let Some(at) = descriptor.scalar(offset, size, n) {
                *word = view.load_narrow(at, item)?;
            }
        }
        fill(wave, access, words);
        Ok(())
    })
}

fn store_buffer(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let memory = group.memory;
    once(wave, step, group, |wave, access| {
        let (descriptor, offset) = buffer(wave, access)?;
        let mut view = memory.view();
        for n in 0..count(access.item) as u32 {
            if let Some(at) = descriptor.scalar(offset, 4, n) {
                view.store_u32(at, wave.s[(access.data + n) as usize])?;
            }
        }
        Ok(())
    })
}

/// Does an atomic at an address; without one it returns 0.
fn modify(wave: &mut Wave, access: &Access, group: &Group<'_>, at: Option<u64>) -> Result<(), Trouble> {
    let Some(atomic) = access.atomic else { return Ok(()) };
    let rules = float_rules(wave, &atomic, Space::Memory);
    let data = access.data as usize;
    let (first, second) = match atomic.width {
        Width::W32 => (u64::from(wave.s[data]), u64::from(wave.s[data + 1])),
        Width::W64 => (wave.pair(data), wave.pair(data + 2)),
    };
    let (data, other) = atomic.order(first, second);
    let old = match at {
        Some(at) => atomic.op.run(atomic.width, &mut group.memory.view(), at, data, other, rules)?,
        None => 0,
    };
    if access.has(Flags::RETURNS) {
        let words = [old as u32, (old >> 32) as u32];
        fill(wave, access, if atomic.width == Width::W32 { &words[..1] } else { &words });
    }
    Ok(())
}

fn atomic_pointer(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    once(wave, step, group, |wave, access| {
        let at = pointer(wave, access);
        modify(wave, access, group, Some(at))
    })
}

fn atomic_buffer(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    once(wave, step, group, |wave, access| {
        let (descriptor, offset) = buffer(wave, access)?;
        let wide = access.atomic.is_some_and(|a| a.width == Width::W64);
        let last = descriptor.scalar(offset, 4, u32::from(wide));
        modify(wave, access, group, descriptor.scalar(offset, 4, 0).filter(|_| last.is_some()))
    })
}

/// A clock which no machine has: instructions executed.
fn time(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    if let Some(access) = step.memory.as_deref() {
        let now = wave.clock();
        wave.set_pair(access.data as usize, now);
    }
    step.next
}

fn wave_id(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    if let Some(access) = step.memory.as_deref() {
        wave.s[access.data as usize] = wave.index;
    }
    step.next
}

/// Where an instruction goes.
pub(super) fn touched(wave: &Wave, access: &Access, row: &Inst, put: &mut impl FnMut(Touched)) {
    let size = touched::bytes(access);
    if !is_buffer(row) {
        return put(Touched::memory(None, pointer(wave, access), size));
    }
    let Ok((descriptor, offset)) = buffer(wave, access) else { return };
    let part = size.min(4);
    let inside = (0..size / part).filter_map(|n| descriptor.scalar(offset, part, n));
    let inside: Vec<u64> = inside.collect();
    if let Some(first) = inside.first() {
        put(Touched::memory(None, *first, part * inside.len() as u32));
    }
}
