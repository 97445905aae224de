//! Formats for all lanes at once: elements come together, are converted a component after the other, and go to registers; and back.
//!
//! What is not so plain is left to the lanes one by one: components that do not follow each other, and what the
//! [short ways](super::super::whole) leave to them.

use super::{Reach, Shape};
use crate::each::each;
use crate::emu::memory::whole::{Lanes, guest};
use crate::emu::memory::{Access, Flags};
use crate::isa::does::Half;
use crate::memory::buffer::Judge;
use crate::memory::format::{Kind, halves_each, select_each, unselect_each, widen_each};
use crate::memory::guest::Memory;
use std::cell::Cell;

/// Words of the same place in the elements of all lanes, by place; or components, or registers.
type Places<const L: usize> = [[u32; L]; 4];

/// The first places, to be read and written.
#[inline(always)]
fn cells<const N: usize, const L: usize>(of: &mut Places<L>) -> Option<[&[Cell<u32>; L]; N]> {
    let mut places = of.iter_mut();
    let mut cells = [cells_of(places.next()?)?; N];
    for cell in &mut cells[1..] {
        *cell = cells_of(places.next()?)?;
    }
    Some(cells)
}

#[inline(always)]
fn cells_of<const L: usize>(place: &mut [u32; L]) -> Option<&[Cell<u32>; L]> {
    Cell::from_mut(&mut place[..]).as_slice_of_cells().first_chunk()
}

/// Loads of all lanes.
#[inline(always)]
pub(super) fn load<const L: usize>(
    shape: &Shape,
    reach: &Reach<'_>,
    lanes: &Lanes<'_, L>,
    memory: &Memory,
    packs: bool,
) -> Option<()> {
    let everywhere = reach.all(lanes, shape.judged, Judge::Formatted).filter(|all| all.contiguous() && reach.bound)?;
    let mut elements = [[0; L]; 4];
    if let (Some(lanes), _) = everywhere.split(lanes) {
        fetch(
            shape,
            &lanes,
            memory,
            each(
                &everywhere.at,
                #[inline(always)]
                |at| at & !shape.drop,
            ),
            &mut elements,
        )?;
    }
    let mut components = shape.format.load_each(&elements);
    if everywhere.inside != lanes.exec {
        for component in &mut components {
            for (lane, v) in component.iter_mut().enumerate() {
                *v = if everywhere.inside >> lane & 1 != 0 { *v } else { 0 };
            }
        }
    }
    put(lanes, reach.access, shape.format.kind, packs, &select_each(shape.selects, shape.format.kind, &components))
}

/// The words of elements, as far as they are wanted; words of which only a part is wanted come whole.
#[inline(always)]
fn fetch<const L: usize>(
    shape: &Shape,
    lanes: &Lanes<'_, L>,
    memory: &Memory,
    at: [u64; L],
    elements: &mut Places<L>,
) -> Option<()> {
    let bytes = shape.wanted * shape.judged.0;
    let found = guest::Found::new(lanes, memory, at, (bytes, if bytes > 2 { 4 } else { bytes }))?;
    match bytes {
        1 | 2 => lanes.each(
            #[inline(always)]
            |lane| elements[0][lane] = found.bits(lane) & (u32::MAX >> (32 - 8 * bytes)),
        ),
        3 | 4 => found.load_words::<1>(lanes, cells(elements)?),
        5..=8 => found.load_words::<2>(lanes, cells(elements)?),
        9..=12 => found.load_words::<3>(lanes, cells(elements)?),
        _ => found.load_words::<4>(lanes, cells(elements)?),
    }
    Some(())
}

/// Writes the registers of loads.
#[inline(always)]
fn put<const L: usize>(
    lanes: &Lanes<'_, L>,
    access: &Access,
    kind: Kind,
    packs: bool,
    registers: &Places<L>,
) -> Option<()> {
    let &Access { half, data, components, .. } = access;
    let count = usize::from(components);
    if half == Half::High || half == Half::Low && !access.has(Flags::D16) {
        lanes.put(half, data, 0, &halves_each(kind, &registers[0]))?;
    } else if !access.has(Flags::D16) {
        for (n, register) in (0..).zip(&registers[..count]) {
            lanes.put(Half::Whole, data, n, register)?;
        }
    } else if packs {
        for (n, pair) in (0..).zip(registers[..count].chunks(2)) {
            let low = halves_each(kind, &pair[0]);
            lanes.put(Half::Low, data, n, &low)?;
            if let Some(high) = pair.get(1) {
                lanes.put(Half::High, data, n, &halves_each(kind, high))?;
            }
        }
    } else {
        for (n, register) in (0..).zip(&registers[..count]) {
            lanes.put(Half::Whole, data, n, &halves_each(kind, register))?;
        }
    }
    Some(())
}

/// Stores of all lanes.
#[inline(always)]
pub(super) fn store<const L: usize>(
    shape: &Shape,
    reach: &Reach<'_>,
    lanes: &Lanes<'_, L>,
    memory: &Memory,
    packs: bool,
) -> Option<()> {
    let everywhere = reach.all(lanes, shape.judged, Judge::Formatted).filter(|all| all.contiguous())?;
    let (Some(inside), _) = everywhere.split(lanes) else { return Some(()) };
    let registers = take(lanes, reach.access, shape.format.kind, packs)?;
    let components = unselect_each(shape.selects, &registers, usize::from(reach.access.components));
    let mut elements = shape.format.store_each(&components).ok()?;
    let (at, bytes) = (
        each(
            &everywhere.at,
            #[inline(always)]
            |at| at & !shape.drop,
        ),
        shape.format.bytes(),
    );
    let found = guest::Found::new(&inside, memory, at, (bytes, bytes.min(4)))?;
    match bytes {
        1 | 2 => found.store_bits(
            &inside,
            8 * bytes,
            #[inline(always)]
            |lane| elements[0][lane],
        ),
        4 => found.store_words::<1>(&inside, cells(&mut elements)?),
        8 => found.store_words::<2>(&inside, cells(&mut elements)?),
        12 => found.store_words::<3>(&inside, cells(&mut elements)?),
        _ => found.store_words::<4>(&inside, cells(&mut elements)?),
    }
}

/// The registers of stores.
#[inline(always)]
fn take<const L: usize>(lanes: &Lanes<'_, L>, access: &Access, kind: Kind, packs: bool) -> Option<Places<L>> {
    let &Access { half, data, components, .. } = access;
    let is_short = half != Half::Whole || access.has(Flags::D16);
    let mut registers = [[0; L]; 4];
    for (n, to) in (0..u32::from(components)).zip(&mut registers) {
        // Where a register has two, and from which bit on.
        let (n, shift) = match half {
            Half::High => (n, 16),
            _ if packs && access.has(Flags::D16) => (n / 2, n % 2 * 16),
            _ => (n, 0),
        };
        *to = lanes.words(data, n)?;
        if is_short {
            *to = widen_each(
                kind,
                &each(
                    to,
                    #[inline(always)]
                    |word| word >> shift,
                ),
            );
        }
    }
    Some(registers)
}
