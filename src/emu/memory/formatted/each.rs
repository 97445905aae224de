//! Formats for all lanes at once: elements come together, are converted a component after the other, and go to registers; and back.
//!
//! What is not so plain is left to the lanes one by one: components that do not follow each other, and what the
//! [short ways](super::super::whole) leave to them.

use super::{Reach, Shape, is_half, supplied};
use crate::each::each;
use crate::emu::memory::whole::{Lanes, clear_others, guest};
use crate::emu::memory::{Access, Flags};
use crate::isa::does::Half;
use crate::memory::buffer::Judge;
use crate::memory::format::{Kind, Places, halves_each, repeat_first, select_each, unselect_each, widen_each};
use crate::memory::guest::Memory;

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
        let at = each(
            &everywhere.at,
            #[inline(always)]
            |at| at & !shape.drop,
        );
        // As far as they are wanted.
        let bytes = shape.wanted * shape.judged.0;
        let found = guest::Found::new(&lanes, memory, at, (bytes, if bytes > 2 { 4 } else { bytes }))?;
        found.elements(&lanes, bytes, &mut elements)?;
    }
    let mut components = shape.format.load_each(&elements);
    if everywhere.inside != lanes.exec {
        for component in &mut components {
            clear_others(component, everywhere.inside);
        }
    }
    put(lanes, reach.access, shape.format.kind, packs, &select_each(shape.selects, shape.format.kind, &components))
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
    for (n, register) in (0..).zip(&registers[..usize::from(access.components)]) {
        put_one(lanes, access, kind, packs, n, register)?;
    }
    Some(())
}

/// Writes what is in register `n` of loads, or in half of one.
#[inline(always)]
pub(in crate::emu::memory) fn put_one<const L: usize>(
    lanes: &Lanes<'_, L>,
    access: &Access,
    kind: Kind,
    packs: bool,
    n: u32,
    register: &[u32; L],
) -> Option<()> {
    let &Access { half, data, .. } = access;
    if half == Half::Whole && !access.has(Flags::D16) {
        return lanes.put_words(data, n, register);
    }
    let halves = halves_each(kind, register);
    if is_half(access) {
        return if n == 0 { lanes.put(half, data, 0, &halves) } else { Some(()) };
    }
    if packs {
        let part = if n.is_multiple_of(2) { Half::Low } else { Half::High };
        return lanes.put(part, data, n / 2, &halves);
    }
    lanes.put(Half::Whole, data, n, &halves)
}

/// Stores of all lanes.
#[inline(always)]
pub(super) fn store<const L: usize>(
    shape: &Shape,
    reach: &Reach<'_>,
    lanes: &Lanes<'_, L>,
    memory: &Memory,
    (packs, repeats): (bool, bool),
) -> Option<()> {
    let everywhere = reach.all(lanes, shape.judged, Judge::Formatted).filter(|all| all.contiguous())?;
    let (Some(inside), _) = everywhere.split(lanes) else { return Some(()) };
    let mut registers = take(lanes, reach.access, shape.format.kind, packs)?;
    if repeats {
        repeat_first(&mut registers, supplied(reach.access));
    }
    let components = unselect_each(shape.selects, &registers);
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
    found.store_elements(&inside, bytes, &mut elements)
}

/// The registers of stores; zeros where there is none.
#[inline(always)]
pub(in crate::emu::memory) fn take<const L: usize>(
    lanes: &Lanes<'_, L>,
    access: &Access,
    kind: Kind,
    packs: bool,
) -> Option<Places<L>> {
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
