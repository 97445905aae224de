//! The data share: loads, stores and atomics on LDS.
//!
//! An address is a register plus the offset of the instruction, 32 bits that wrap. [`Rules`] know where LDS ends and what becomes of low
//! bits. Instructions with two addresses count elements, or 64 of them, in 8-bit offsets; where both are equal only the first
//! is accessed. ADDTID instructions take M0 and the lane's number instead of a register, append and consume M0 alone.
//! GDS is bytes as LDS is, which all groups share: M0 says which of them, and from gfx11 on the first active lane alone has a say.

use super::common::{Bytes, Done, File, STRIDE, Share, Trouble, finish, lanes, operand, result};
use super::touched::{self, Places, Touched};
use super::whole::share::{self, Found};
use super::whole::with_lanes;
use super::{Access, Flags, cross, float_rules, nothing};
use crate::emu::across;
use crate::emu::group::{Group, refuse};
use crate::emu::kernel;
use crate::emu::plan::{Run, Step};
use crate::emu::wave::Wave;
use crate::engine::across::NO_GDS;
use crate::fault::planted;
use crate::isa::Gen;
use crate::isa::does::{Does, Item, Lanes, Moved, Way};
use crate::memory::atomic::float::FloatRules;
use crate::memory::atomic::{Shape, Space, Width};
use crate::memory::guest::Fault;
use crate::memory::lds::{Lds, Rules, append_base};
use std::sync::MutexGuard;

/// The function of a data share instruction.
pub(super) fn run(does: Does, access: &Access) -> Option<Run> {
    Some(match does {
        Does::Idle(_) => nothing,
        Does::Across(_) => across::run,
        Does::Lanes(Lanes::Swizzle) => cross::swizzle,
        Does::Lanes(Lanes::Permute) => cross::permute,
        Does::Lanes(Lanes::Bpermute { .. }) => cross::bpermute,
        Does::Load(Moved { way: Way::LaneNumber, .. }) => read_addtid,
        Does::Store(Moved { way: Way::LaneNumber, .. }) => write_addtid,
        Does::Load(Moved { way: Way::Two { .. }, item: Item::Words(2), .. }) => read2::<2>,
        Does::Load(Moved { way: Way::Two { .. }, .. }) => read2::<1>,
        Does::Store(Moved { way: Way::Two { .. }, item: Item::Words(2), .. }) => write2::<2>,
        Does::Store(Moved { way: Way::Two { .. }, .. }) => write2::<1>,
        Does::Load(_) => read,
        Does::Store(_) => write,
        Does::Atomic(_) => match access.atomic?.shape {
            Shape::One => modify,
            Shape::Two { .. } => modify2,
            Shape::Source => modify_source,
            Shape::Wave => modify_wave,
        },
        _ => return None,
    })
}

/// What an instruction needs at hand: its registers, LDS under its rules.
struct Bench<'a> {
    file: File<'a>,
    share: Share<'a>,
    mask: u64,
    /// It is LDS, not GDS.
    local: bool,
}

impl Bench<'_> {
    /// The address of a lane.
    #[inline(always)]
    fn address(&self, access: &Access, offset: u32, lane: u32) -> u32 {
        self.share.rules.address(self.file.get(access.addr, 0, lane), offset)
    }
}

/// Does an instruction with its bench.
#[inline(always)]
fn with(
    wave: &mut Wave,
    step: &Step,
    group: &mut Group<'_>,
    run: impl FnOnce(&mut Bench<'_>, &Access, &Wave) -> Done,
) -> u32 {
    let Some(access) = step.memory.as_deref() else { return step.next };
    let mut shared;
    let mut bench = if access.has(Flags::GDS) {
        shared = match global(group) {
            Ok(gds) => gds,
            Err(needs) => return refuse(wave, needs),
        };
        let (target, exec) = (&wave.env.target, wave.exec());
        // Append and consume count all active lanes.
        let counts = access.atomic.is_some_and(|atomic| atomic.shape == Shape::Wave);
        let alone = target.generation() >= Gen::Gfx11 && !counts && !planted!(GdsAllLanes);
        let mask = if alone { exec & exec.wrapping_neg() } else { exec };
        let rules = Rules::global(target, wave.m0(), shared.bytes());
        Bench { file: File(&wave.file), share: Share { lds: &mut shared, rules }, mask, local: false }
    } else {
        let rules = Rules::new(&wave.env.target, wave.m0(), group.lds.bytes());
        let share = Share { lds: &mut group.lds, rules };
        Bench { file: File(&wave.file), share, mask: wave.exec(), local: true }
    };
    let done = run(&mut bench, access, wave);
    finish(wave, step, group, done)
}

/// The global data share, or what is missing.
fn global<'a>(group: &Group<'a>) -> Result<MutexGuard<'a, Lds>, &'static str> {
    group.shared.ok_or(across::NO_TURNS)?.gds().ok_or(NO_GDS)
}

fn read(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    with(wave, step, group, |bench, access, wave| {
        let (file, &Access { item, half, dst, addr, .. }) = (bench.file, access);
        let whole = bench.local.then(|| {
            let Share { lds, rules } = &bench.share;
            with_lanes!(wave, |lanes| {
                let at = (lanes.register(addr, 0)?, [access.offset as u32]);
                share::load(lanes, (lds, rules), at, (item, half), dst)
            })
        });
        if whole.flatten().is_some() {
            return Ok(());
        }
        lanes(bench.mask, |lane| {
            let at = bench.address(access, access.offset as u32, lane);
            bench.share.load(at.into(), item, half, file, dst, lane)
        })
    })
}

fn write(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    with(wave, step, group, |bench, access, wave| {
        let (file, &Access { item, half, data, addr, .. }) = (bench.file, access);
        let whole = bench.local.then(|| {
            let Share { lds, rules } = &mut bench.share;
            with_lanes!(wave, |lanes| {
                let at = (lanes.register(addr, 0)?, [access.offset as u32]);
                share::store(lanes, (lds, rules), at, (item, half), data)
            })
        });
        if whole.flatten().is_some() {
            return Ok(());
        }
        lanes(bench.mask, |lane| {
            let at = bench.address(access, access.offset as u32, lane);
            bench.share.store(at.into(), item, half, file, data, lane)
        })
    })
}

/// Registers of one of two elements.
fn element(access: &Access) -> u32 {
    if access.item == Item::Words(2) { 2 } else { 1 }
}

fn read2<const N: usize>(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    with(wave, step, group, |bench, access, wave| {
        let (file, size) = (bench.file, N as u32);
        let whole = bench.local.then(|| {
            let Share { lds, rules } = &bench.share;
            with_lanes!(wave, |lanes| {
                let at = (lanes.register(access.addr, 0)?, [access.offset as u32, access.offset1]);
                share::load_words::<N, 2, _>(lanes, (lds, rules), at, access.dst)
            })
        });
        if whole.flatten().is_some() {
            return Ok(());
        }
        lanes::<Fault>(bench.mask, |lane| {
            let mut words = [0; 4];
            let (first, second) = words.split_at_mut(size as usize);
            let at = [access.offset as u32, access.offset1].map(|offset| bench.address(access, offset, lane));
            bench.share.load_words(at[0].into(), first)?;
            bench.share.load_words(at[1].into(), &mut second[..size as usize])?;
            for (n, word) in (0..2 * size).zip(words) {
                file.set(access.dst, n, lane, word);
            }
            Ok(())
        })
    })
}

fn write2<const N: usize>(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    with(wave, step, group, |bench, access, wave| {
        let (file, offsets) = (bench.file, [access.offset as u32, access.offset1]);
        let whole = (bench.local && offsets[0] != offsets[1]).then(|| {
            let Share { lds, rules } = &mut bench.share;
            with_lanes!(wave, |lanes| {
                let at = (lanes.register(access.addr, 0)?, offsets);
                let both = Found::at(lanes, rules, at, (4 * N as u32, 4))?;
                Found::store_words::<N, 2>(&both, lanes, lds, [access.data, access.data1])
            })
        });
        if whole.flatten().is_some() {
            return Ok(());
        }
        lanes::<Fault>(bench.mask, |lane| {
            let at = [access.offset as u32, access.offset1].map(|offset| bench.address(access, offset, lane));
            bench.share.store(at[0].into(), access.item, access.half, file, access.data, lane)?;
            if at[0] != at[1] || planted!(LdsSameTwice) {
                bench.share.store(
                    at[1].into(),
                    access.item,
                    access.half,
                    file,
                    if planted!(LdsSecondData) { access.data } else { access.data1 },
                    lane,
                )?;
            }
            Ok(())
        })
    })
}

/// M0 and the offset: to it the lane's number is added. M0 is no limit here.
fn addtid(access: &Access, wave: &Wave) -> u32 {
    (if planted!(AddtidWithoutM0) { 0 } else { wave.m0() & 0xffff }).wrapping_add(access.offset as u32)
}

fn read_addtid(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    with(wave, step, group, |bench, access, wave| {
        let (file, base) = (bench.file, addtid(access, wave));
        lanes(bench.mask, |lane| {
            bench.share.load(
                (base + lane * if planted!(AddtidBytes) { 1 } else { 4 }).into(),
                access.item,
                access.half,
                file,
                access.dst,
                lane,
            )
        })
    })
}

fn write_addtid(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    with(wave, step, group, |bench, access, wave| {
        let (file, base) = (bench.file, addtid(access, wave));
        lanes(bench.mask, |lane| {
            bench.share.store((base + lane * 4).into(), access.item, access.half, file, access.data, lane)
        })
    })
}

fn modify(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    with(wave, step, group, |bench, access, wave| {
        let Some(atomic) = access.atomic else { return Ok(()) };
        let (file, floats) = (bench.file, float_rules(wave, &atomic, Space::Lds));
        let whole = bench.local.then(|| {
            let Share { lds, rules } = &mut bench.share;
            let result = access.has(Flags::RETURNS).then_some(access.dst);
            let size = atomic.width.bytes();
            with_lanes!(wave, |lanes| {
                let at = (lanes.register(access.addr, 0)?, [access.offset as u32]);
                let [found] = Found::at(lanes, rules, at, (size, size))?;
                found.modify(lanes, lds, (&atomic, floats), [access.data, access.data1], result)
            })
        });
        if whole.flatten().is_some() {
            return Ok(());
        }
        lanes(bench.mask, |lane| {
            let at = bench.address(access, access.offset as u32, lane);
            let operands =
                (operand(file, access.data, atomic.width, lane), operand(file, access.data1, atomic.width, lane));
            let old = bench.share.modify(at.into(), &atomic, operands, floats)?;
            if access.has(Flags::RETURNS) {
                result(file, access.dst, atomic.width, lane, old);
            }
            Ok::<(), Trouble>(())
        })
    })
}

/// Exchanges at two addresses. Where they are equal, the first exchange alone, and its result twice.
fn modify2(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    with(wave, step, group, |bench, access, wave| {
        let Some(atomic) = access.atomic else { return Ok(()) };
        let (file, floats) = (bench.file, float_rules(wave, &atomic, Space::Lds));
        let width = atomic.width;
        lanes(bench.mask, |lane| {
            let at = [access.offset as u32, access.offset1].map(|offset| bench.address(access, offset, lane));
            let data = [access.data, access.data1].map(|data| operand(file, data, width, lane));
            let first = bench.share.modify(at[0].into(), &atomic, (data[0], 0), floats)?;
            let second =
                if at[0] == at[1] { first } else { bench.share.modify(at[1].into(), &atomic, (data[1], 0), floats)? };
            result(file, access.dst, width, lane, first);
            let second = if planted!(Xchg2FirstTwice) { first } else { second };
            result(file, access.dst + element(access) * STRIDE, width, lane, second);
            Ok::<(), Trouble>(())
        })
    })
}

/// The distance in words from the first address to the second one of a `src2` instruction.
fn distance(offset: u32, at: u32) -> u32 {
    if offset >> 15 & 1 != 0 {
        // The upper bits of the first address, of which the lower part is the address then.
        return (at as i32 >> 17) as u32;
    }
    if planted!(Src2Unsigned) {
        return offset & 0x7fff;
    }
    ((offset << 17) as i32 >> 17) as u32
}

/// `mem[a] = op(mem[a], mem[b])`, with b some words from a.
fn modify_source(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    with(wave, step, group, |bench, access, wave| {
        let Some(atomic) = access.atomic else { return Ok(()) };
        let (file, floats) = (bench.file, float_rules(wave, &atomic, Space::Lds));
        lanes(bench.mask, |lane| {
            let offset = access.offset as u32;
            let register = file.get(access.addr, 0, lane);
            let at = if offset >> 15 & 1 != 0 { register & 0x1_ffff } else { register };
            let at = bench.share.rules.address(at, 0);
            let from =
                at.wrapping_add(distance(offset, register).wrapping_mul(if planted!(Src2Bytes) { 1 } else { 4 }));
            let mut words = [0; 2];
            let words = &mut words[..if atomic.width == Width::W64 { 2 } else { 1 }];
            bench.share.load_words(from.into(), words)?;
            let data = words.iter().rev().fold(0, |all, word| all << 32 | u64::from(*word));
            bench.share.modify(at.into(), &atomic, (data, 0), floats).map(|_| ())
        })
    })
}

/// Append and consume: one operation for the wave, whose result all active lanes get.
fn modify_wave(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let target = wave.env.target;
    with(wave, step, group, |bench, access, wave| {
        let Some(atomic) = access.atomic else { return Ok(()) };
        if bench.mask == 0 {
            return Ok(());
        }
        let offset = access.offset as u32;
        let at = if access.has(Flags::GDS) {
            bench.share.rules.address(0, offset)
        } else {
            // M0 is a part of the address, so that it limits nothing.
            let bytes = bench.share.lds.bytes();
            bench.share.rules = Rules::new(&target, u32::MAX, bytes);
            let base = append_base(wave.m0(), bytes);
            if planted!(AppendWithoutM0) { offset } else { base.wrapping_add(offset) }
        };
        let count = if planted!(AppendCountsAll) { wave.all_lanes() } else { bench.mask }.count_ones().into();
        let old = bench.share.modify(at.into(), &atomic, (count, 0), FloatRules::default());
        let old = old.map_err(|trouble| (trouble, bench.mask.trailing_zeros()))?;
        let file = bench.file;
        lanes::<Fault>(bench.mask, |lane| {
            file.set(access.dst, 0, lane, old as u32);
            Ok(())
        })
    })
}

/// Where an instruction goes.
pub(super) fn touched(wave: &Wave, access: &Access, group: &Group<'_>, put: &mut impl FnMut(Touched)) {
    if access.has(Flags::GDS) {
        return;
    }
    let (file, size, bytes) = (File(&wave.file), touched::bytes(access), group.lds.bytes());
    let offset = access.offset as u32;
    if access.has(Flags::TOGETHER) {
        // Append and consume touch one word for all; the others move values between lanes.
        if access.atomic.is_some() && wave.exec() != 0 {
            let base = append_base(wave.m0(), bytes);
            put(Touched::lds(None, base.wrapping_add(offset), size));
        }
        return;
    }
    if let Some((offsets, count)) = offsets(access) {
        let rules = Rules::new(&wave.env.target, wave.m0(), bytes);
        for lane in touched::active(wave) {
            let register = file.get(access.addr, 0, lane);
            let [first, second] = offsets.map(|offset| rules.address(register, offset));
            put(Touched::lds(Some(lane), first, size));
            if count == 2 && second != first {
                put(Touched::lds(Some(lane), second, size));
            }
        }
        return;
    }
    for lane in touched::active(wave) {
        if access.way == Way::LaneNumber {
            put(Touched::lds(Some(lane), addtid(access, wave) + 4 * lane, size));
        } else {
            let register = file.get(access.addr, 0, lane);
            let at = if offset >> 15 & 1 != 0 { register & 0x1_ffff } else { register };
            put(Touched::lds(Some(lane), at, size));
            put(Touched::lds(Some(lane), at.wrapping_add(distance(offset, register).wrapping_mul(4)), size));
        }
    }
}

/// The offsets of the addresses that lanes go to, and whether that is one or two. Nothing where M0 or the data have a say in that, or where
/// lanes act together.
#[inline(always)]
fn offsets(access: &Access) -> Option<([u32; 2], usize)> {
    let by_data = access.atomic.is_some_and(|atomic| atomic.shape == Shape::Source);
    let others = access.has(Flags::GDS) || access.has(Flags::TOGETHER) || access.way == Way::LaneNumber || by_data;
    let count = if matches!(access.way, Way::Two { .. }) { 2 } else { 1 };
    (!others).then_some(([access.offset as u32, access.offset1], count))
}

/// Where lanes go; nothing where that is not as far from all their registers.
#[inline(always)]
pub(super) fn places(wave: &Wave, access: &Access, group: &Group<'_>) -> Option<Places> {
    let (offsets, count) = offsets(access)?;
    let rules = Rules::new(&wave.env.target, wave.m0(), group.lds.bytes());
    let registers = wave.file[access.addr as usize..].first_chunk::<{ kernel::STRIDE }>()?;
    let bases = std::array::from_fn(|lane| registers[lane].get());
    let lanes = wave.exec() & u64::MAX >> (64 - wave.lanes);
    let offsets = [rules.offset(&bases, offsets[0])?, rules.offset(&bases, offsets[1])?];
    Some(Places { lanes, bases, offsets, count, bytes: touched::bytes(access) })
}
