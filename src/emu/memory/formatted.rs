//! Buffer memory with formats: what registers hold is converted from and to what memory holds.
//!
//! MTBUF names its format; the registers are then the components in order. The format instructions of MUBUF take format and order from the
//! descriptor. An access is done whole or not at all; what is out of range loads zeros, or the ones that the descriptor puts in.
//! With D16, two halves share a register, except on the first gfx8 processors. [`each`] does all of it for all lanes at once.

pub(super) mod each;

use super::buffer::{Reach, Reached, lds_start, status, with};
use super::common::{Bytes, File, Share, Trouble, lanes};
use super::touched::{self, Addresses, Touched};
use super::whole::{with_lanes, with_lanes_in_pieces};
use super::{Access, Flags};
use crate::emu::group::Group;
use crate::emu::plan::Step;
use crate::emu::wave::Wave;
use crate::fault::planted;
use crate::isa::does::{Half, Item};
use crate::isa::{Gen, Target};
use crate::memory::buffer::Judge;
use crate::memory::format::{self, Format, FormatError, IDENTITY, Kind, Select};
use crate::memory::guest::{Fault, View};

/// How registers and memory correspond. `None`: the format is INVALID.
fn resolve(reach: &Reach<'_>, target: &Target) -> Result<Option<(Format, [Select; 4])>, Trouble> {
    let (format, selects) = match &reach.access.format {
        Some(format) => (*format, IDENTITY),
        None => (Format::decode(reach.descriptor.format, target), reach.descriptor.dst_sel),
    };
    match format {
        Ok(format) => Ok(Some((format, selects))),
        Err(FormatError::Unbound) => Ok(None),
        // Without a buffer the format does not matter.
        Err(_) if !reach.bound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// What a lane has to know of its format.
struct Shape {
    format: Format,
    selects: [Select; 4],
    /// Bytes of what is judged by itself, and how many of those are.
    judged: (u32, u32),
    /// Components (or packed elements) that a load has to read.
    wanted: u32,
    /// Address bits that are dropped: those below an element, or a word of it, where formats must be aligned.
    drop: u64,
}

impl Shape {
    fn new(target: &Target, (format, selects): (Format, [Select; 4]), registers: u8) -> Shape {
        // What no register shows is not read.
        let highest = selects[..usize::from(registers)].iter().filter_map(|select| match select {
            Select::Component(n) => Some(u32::from(*n) + 1),
            Select::Zero | Select::One => None,
        });
        let (_, wanted) = format.judged(highest.max().unwrap_or(1));
        let forced = !matches!(target.generation(), Gen::Gfx7 | Gen::Gfx8 | Gen::Gfx9) || planted!(FormatAlignedGfx9);
        let drop = if forced { u64::from(format.bytes().min(4)) - 1 } else { 0 };
        Shape { format, selects, judged: format.judged(registers.into()), wanted, drop }
    }

    /// Where the element of a lane is. It is in range or it is not.
    fn at(&self, reach: &Reach<'_>, lane: u32) -> Option<Reached> {
        let (component, count) = self.judged;
        let mut reached = reach.at(lane, component, count, Judge::Formatted);
        reached.align(self.drop);
        (reached.valid != 0).then_some(reached)
    }

    /// The components that are moved, and their first bits in the element.
    fn parts(&self, count: u32) -> impl Iterator<Item = (u32, u32)> + use<> {
        let bits = self.judged.0 * 8;
        (0..count).map(move |n| (n, n * bits))
    }

    /// The words of the element, as far as they are wanted.
    fn read(&self, reach: &Reach<'_>, view: &mut View<'_>, reached: &Reached) -> Result<[u32; 4], Fault> {
        let size = self.judged.0;
        if reached.contiguous && self.wanted * size == self.format.bytes() {
            return self.format.read(view, reached.address(reach, 0));
        }
        let mut element = [0; 4];
        for (n, bit) in self.parts(self.wanted) {
            let item = match size {
                1 => Item::U8,
                2 => Item::U16,
                _ => Item::Words(1),
            };
            element[(bit / 32) as usize] |= view.load_narrow(reached.address(reach, n), item)? << (bit % 32);
        }
        Ok(element)
    }

    /// Writes the whole element.
    fn write(&self, reach: &Reach<'_>, view: &mut View<'_>, reached: &Reached, element: [u32; 4]) -> Result<(), Fault> {
        if reached.contiguous {
            return self.format.write(view, reached.address(reach, 0), element);
        }
        let size = self.judged.0;
        for (n, bit) in self.parts(self.format.bytes() / size) {
            let at = reached.address(reach, n);
            let v = element[(bit / 32) as usize] >> (bit % 32);
            match size {
                1 => view.store_u8(at, v as u8)?,
                2 => view.store_u16(at, v as u16)?,
                _ => view.store_u32(at, v)?,
            }
        }
        Ok(())
    }

    /// The registers of a lane.
    fn fetch(&self, reach: &Reach<'_>, view: &mut View<'_>, lane: u32) -> Result<[u32; 4], Fault> {
        if !reach.bound {
            return Ok([0; 4]);
        }
        let components = match self.at(reach, lane) {
            Some(reached) => self.format.load(self.read(reach, view, &reached)?),
            None => [0; 4],
        };
        Ok(format::select(self.selects, self.format.kind, components))
    }
}

/// Whether a half is all that a load has: the first one.
#[inline(always)]
fn is_half(access: &Access) -> bool {
    access.half == Half::High || access.half == Half::Low && !access.has(Flags::D16)
}

/// How many registers a load has.
pub(super) fn registers(access: &Access, packs: bool) -> u32 {
    let count = access.components.into();
    match access.has(Flags::D16) {
        _ if is_half(access) => 1,
        true if packs => u32::div_ceil(count, 2),
        _ => count,
    }
}

/// Writes the registers of a load.
pub(super) fn put(file: File<'_>, access: &Access, kind: Kind, packs: bool, lane: u32, registers: [u32; 4]) {
    let Access { half, data, components, .. } = *access;
    let count = u32::from(components);
    let halves = format::halves(kind, registers);
    if is_half(access) {
        return file.set_half(data, lane, half, halves[0].into());
    }
    if !access.has(Flags::D16) {
        return (0..count).zip(registers).for_each(|(n, v)| file.set(data, n, lane, v));
    }
    for (n, v) in (0..count).zip(halves) {
        if packs {
            let part = if n % 2 == 0 { Half::Low } else { Half::High };
            file.set_half(data + n / 2 * super::common::STRIDE, lane, part, v.into());
        } else {
            file.set(data, n, lane, v.into());
        }
    }
}

/// The components of a store that have a register, a bit each.
pub(super) fn supplied(access: &Access) -> u8 {
    (1 << access.components) - 1
}

/// The registers of a store; zeros where there is none.
pub(super) fn take(file: File<'_>, access: &Access, kind: Kind, packs: bool, lane: u32) -> [u32; 4] {
    let Access { half, data, components, .. } = *access;
    let get = |n: u32| file.get(data, n, lane);
    let count = u32::from(components);
    let each = |of: &dyn Fn(u32) -> u16| {
        let mut halves = [0; 4];
        for (n, v) in (0..count).zip(&mut halves) {
            *v = of(n);
        }
        format::widen(kind, halves)
    };
    match (half, access.has(Flags::D16)) {
        (Half::High, _) => each(&|n| (get(n) >> 16) as u16),
        (_, true) if packs => each(&|n| (get(n / 2) >> (n % 2 * 16)) as u16),
        (_, true) | (Half::Low, _) => each(&|n| get(n) as u16),
        (Half::Whole, false) => {
            let mut registers = [0; 4];
            for (n, v) in (0..count).zip(&mut registers) {
                *v = get(n);
            }
            registers
        }
    }
}

pub(super) fn load(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    with(wave, step, group, |reach, wave, group| {
        let target = &wave.env.target;
        let packs = format::packs_d16(target);
        let mut view = group.memory.view();
        let first = wave.exec().trailing_zeros();
        let shape = resolve(reach, target).map_err(|trouble| (trouble, first))?;
        let shape = shape.map(|shape| Shape::new(target, shape, reach.access.components));
        let (memory, of) = (group.memory, shape.as_ref());
        if with_lanes!(wave, |lanes| each::load(of?, reach, lanes, memory, packs)).is_some() {
            return Ok(());
        }
        lanes::<Fault>(wave.exec(), |lane| {
            let (kind, registers) = match &shape {
                Some(shape) => (shape.format.kind, shape.fetch(reach, &mut view, lane)?),
                None => (Kind::Uint, [0; 4]),
            };
            put(reach.file, reach.access, kind, packs, lane, registers);
            status(reach, self::registers(reach.access, packs), lane);
            Ok(())
        })
    })
}

pub(super) fn store(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    with(wave, step, group, |reach, wave, group| {
        let target = &wave.env.target;
        let (packs, repeats) = (format::packs_d16(target), format::repeats_first(target));
        let mut view = group.memory.view();
        let first = wave.exec().trailing_zeros();
        let shape = resolve(reach, target).map_err(|trouble| (trouble, first))?;
        let Some(shape) = shape.map(|shape| Shape::new(target, shape, reach.access.components)) else { return Ok(()) };
        let memory = group.memory;
        if with_lanes!(wave, |lanes| each::store(&shape, reach, lanes, memory, (packs, repeats))).is_some() {
            return Ok(());
        }
        lanes(wave.exec(), |lane| {
            let Some(reached) = shape.at(reach, lane) else { return Ok::<(), Trouble>(()) };
            let mut values = take(reach.file, reach.access, shape.format.kind, packs, lane);
            if repeats {
                format::repeat_first(&mut values, supplied(reach.access));
            }
            let components = format::unselect(shape.selects, &values);
            let element = shape.format.store(components)?;
            Ok(shape.write(reach, &mut view, &reached, element)?)
        })
    })
}

/// The first component goes to LDS.
pub(super) fn to_lds(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    with(wave, step, group, |reach, wave, group| {
        let target = &wave.env.target;
        let mut view = group.memory.view();
        let first = wave.exec().trailing_zeros();
        let shape = resolve(reach, target).map_err(|trouble| (trouble, first))?;
        let shape = shape.map(|shape| Shape::new(target, shape, 1));
        let mut share = Share::unlimited(&mut group.lds, target);
        let start = lds_start(wave, reach.access);
        lanes::<Fault>(wave.exec(), |lane| {
            let v = match &shape {
                Some(shape) => shape.fetch(reach, &mut view, lane)?[0],
                None => 0,
            };
            share.store_words(start.wrapping_add(lane * 4).into(), &[v])
        })
    })
}

/// Where the elements are that lanes go to which are in range, each to one place.
#[inline(always)]
pub(super) fn addresses(reach: &Reach<'_>, wave: &Wave) -> Option<Addresses> {
    let target = &wave.env.target;
    let shape = Shape::new(target, resolve(reach, target).ok()??, reach.access.components);
    with_lanes_in_pieces!(wave, |lanes| {
        let everywhere = reach.all(lanes, shape.judged, Judge::Formatted).filter(|all| all.contiguous())?;
        let base = reach.descriptor.base;
        let behind = crate::each::each(
            &everywhere.at,
            #[inline(always)]
            |at| (at & !shape.drop).wrapping_sub(base),
        );
        let is_far = lanes.any(
            #[inline(always)]
            |lane| behind[lane] >> 32 != 0,
        );
        if is_far {
            return None;
        }
        let offsets = crate::each::each(
            &behind,
            #[inline(always)]
            |at| at as u32,
        );
        let all = Addresses::of(lanes, base, &offsets, shape.format.bytes());
        Some(Addresses { lanes: all.lanes & everywhere.inside, ..all })
    })
}

/// Where an instruction goes: the element of each lane, if it is in range.
pub(super) fn touched(reach: &Reach<'_>, wave: &Wave, put: &mut impl FnMut(Touched)) {
    let target = &wave.env.target;
    let Ok(Some(shape)) = resolve(reach, target) else { return };
    let shape = Shape::new(target, shape, reach.access.components);
    for lane in touched::active(wave) {
        let reached = shape.at(reach, lane).filter(|_| reach.bound);
        if let Some(reached) = reached {
            put(Touched::memory(Some(lane), reached.address(reach, 0), shape.format.bytes()));
        }
    }
}
