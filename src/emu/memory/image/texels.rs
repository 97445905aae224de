//! Texels of all lanes at once: where they lie, and loads, stores and atomics of them.
//!
//! As in [`whole`](super::super::whole), addresses come first, then the elements, then a component after the other; whatever is not as
//! plain as that is left to the lanes one by one: levels that differ, and elements that are not all in one region.

use super::{Reach, extended};
use crate::each::{cells, each};
use crate::emu::memory::Flags;
use crate::emu::memory::formatted::each::{put_one, take};
use crate::emu::memory::formatted::registers;
use crate::emu::memory::touched::Addresses;
use crate::emu::memory::whole::guest::{Found, elements_within, words_behind, words_from};
use crate::emu::memory::whole::{Lanes, clear_others};
use crate::isa::does::{Conversion, Half, Item};
use crate::isa::image::Address;
use crate::memory::atomic::Atomic;
use crate::memory::atomic::float::FloatRules;
use crate::memory::format::{Places, Select, repeat_first, unselect_each};
use crate::memory::guest::Memory;
use crate::memory::image::whole::{Part, Whole};
use crate::memory::image::{Dim, Resource};
use crate::program::memory::image::Bits;

/// Register `n` of the addresses; inactive lanes have that of the first active one.
#[inline(always)]
pub(super) fn register<const L: usize>(reach: &Reach<'_>, lanes: &Lanes<'_, L>, n: usize) -> Option<[u32; L]> {
    let mut words = lanes.words(reach.image.registers.get(n).copied().unwrap_or(0), 0)?;
    lanes.fill(&mut words);
    Some(words)
}

/// Value `n` of the addresses.
#[inline(always)]
fn value<const L: usize>(reach: &Reach<'_>, lanes: &Lanes<'_, L>, n: usize) -> Option<[u32; L]> {
    if !reach.image.has(Bits::A16) {
        return register(reach, lanes, n);
    }
    Some(each(
        &register(reach, lanes, n / 2)?,
        #[inline(always)]
        |word| word >> (n % 2 * 16) & 0xffff,
    ))
}

/// The active lanes of which a value is below a limit.
#[inline(always)]
fn below<const L: usize>(lanes: &Lanes<'_, L>, of: &[u32; L], limit: u32) -> u64 {
    let mut outside = false;
    for v in of {
        outside |= *v >= limit;
    }
    if !outside {
        return lanes.exec;
    }
    let mut all = 0;
    for (lane, v) in of.iter().enumerate() {
        all |= u64::from(*v < limit) << lane;
    }
    all & lanes.exec
}

/// Where texels of a plane lie, from the base of the image, if all of them exist: in one piece, which is what most programs want.
#[inline(always)]
fn plane<const L: usize>(reach: &Reach<'_>, whole: &Whole<'_>, lanes: &Lanes<'_, L>) -> Option<[u32; L]> {
    let (image, are_there) = (reach.image, whole.limits()[2] != 0);
    if reach.dim != Dim::D2 || image.has(Bits::A16) || image.parts.contains(Address::MIP) || !are_there {
        return None;
    }
    if lanes.are_all() {
        let [x, y] = [0, 1].map(|n| image.registers.get(n).copied().unwrap_or(0));
        return whole.plane(lanes, [lanes.register(x, 0)?, lanes.register(y, 0)?]);
    }
    let (mut x, mut y) = (register(reach, lanes, 0)?, register(reach, lanes, 1)?);
    whole.plane(lanes, [cells(&mut x), cells(&mut y)])
}

/// Where the texels of all lanes are.
struct Texels<const L: usize> {
    /// Along x and y, of texels in blocks.
    at: [[u32; L]; 2],
    /// Bytes from the base of the image.
    offsets: [u32; L],
}

impl<const L: usize> Texels<L> {
    fn new() -> Self {
        Texels { at: [[0; L]; 2], offsets: [0; L] }
    }

    /// Looks for them in the registers of the addresses: gives the level that all have, and the lanes whose texels exist.
    #[inline(always)]
    fn find<'r>(&mut self, reach: &Reach<'_>, of: &'r Resource, lanes: &Lanes<'_, L>) -> Option<(Whole<'r>, u64)> {
        let whole = of.whole(0)?;
        let plane = lanes.run(
            #[inline(always)]
            || plane(reach, &whole, lanes),
        );
        if let Some(offsets) = plane {
            self.offsets = offsets;
            return Some((whole, lanes.exec));
        }
        self.find_apart(reach, of, lanes)
    }

    /// The same of those that do not all lie in a [plane].
    #[inline(always)]
    fn find_apart<'r>(
        &mut self,
        reach: &Reach<'_>,
        of: &'r Resource,
        lanes: &Lanes<'_, L>,
    ) -> Option<(Whole<'r>, u64)> {
        let dim = reach.dim;
        let mut registers = 0..;
        let mut next = |there: bool| if there { registers.next() } else { None };
        let (_, y, z) = (next(true), next(dim.has_rows()), next(dim.has_layers() || dim == Dim::D3));
        let (sample, level) = (next(dim.has_samples()), next(reach.image.parts.contains(Address::MIP)));
        let mut whole = of.whole(0)?;
        if let Some(n) = level {
            let levels = value(reach, lanes, n)?;
            let differ = levels.iter().fold(false, |differ, other| differ | (*other != levels[0]));
            whole = of.whole((!differ).then_some(levels[0])?)?;
        }
        let limits = whole.limits();
        let mut parts: [Part<L>; 2] = Default::default();
        let mut inside = lanes.exec;
        for (axis, (part, at)) in parts.iter_mut().zip(&mut self.at).enumerate() {
            let register = if axis == 0 { Some(0) } else { y };
            inside &= lanes.run(
                #[inline(always)]
                || {
                    if let Some(n) = register {
                        *at = value(reach, lanes, n)?;
                    }
                    *part = whole.part(lanes, axis, at);
                    Some(below(lanes, at, limits[axis]))
                },
            )?;
        }
        if z.is_none() && sample.is_none() && limits[2] != 0 {
            lanes.run(
                #[inline(always)]
                || self.offsets = whole.offsets([&parts[0], &parts[1]], whole.first_slice()),
            );
            return Some((whole, inside));
        }
        inside &= lanes.run(
            #[inline(always)]
            || {
                let z = if let Some(n) = z { value(reach, lanes, n)? } else { [0; L] };
                let samples = if let Some(n) = sample { value(reach, lanes, n)? } else { [0; L] };
                self.offsets = whole.offsets([&parts[0], &parts[1]], &whole.slices(&z, Some(&samples)));
                Some(below(lanes, &z, limits[2]) & below(lanes, &samples, limits[3]))
            },
        )?;
        Some((whole, inside))
    }
}

/// The bytes of an image that a level is among.
#[inline(always)]
pub(super) fn span(whole: &Whole<'_>) -> (u64, u32) {
    (whole.base(), whole.extent())
}

/// All components of texels in blocks, which lanes of a mask have; the others have zeros.
pub(super) fn decoded<const L: usize>(
    resource: &Resource,
    elements: &Places<L>,
    [x, y]: [&[u32; L]; 2],
    mask: u64,
) -> Places<L> {
    let mut all = [[0; L]; 4];
    for lane in 0..L {
        if mask >> lane & 1 != 0 {
            let element = [0, 1, 2, 3].map(|n| elements[n][lane]);
            let components = resource.format.load(&element, x[lane], y[lane]);
            for (to, component) in all.iter_mut().zip(components) {
                to[lane] = component;
            }
        }
    }
    all
}

impl Reach<'_> {
    /// Whether components go to whole registers.
    #[inline(always)]
    fn takes_words(&self) -> bool {
        self.access.half == Half::Whole && !self.access.has(Flags::D16)
    }

    /// The status behind the registers of loads, where it is asked for: everything was resident.
    #[inline(always)]
    pub(super) fn status<const L: usize>(&self, lanes: &Lanes<'_, L>) -> Option<()> {
        match self.access.has(Flags::TFE) {
            true => lanes.put(Half::Whole, self.access.data, registers(self.access, self.packs), &[0; L]),
            false => Some(()),
        }
    }
}

/// The plainest loads, in one piece: texels of a plane, each of them a word, all of them there.
fn load_words<const L: usize>(
    reach: &Reach<'_>,
    resource: &Resource,
    lanes: &Lanes<'_, L>,
    memory: &Memory,
) -> Option<()> {
    let (format, image, kind) = (resource.format, reach.image, reach.kind());
    let whole = resource.whole(0)?;
    let words = words_from(memory, span(&whole))?;
    // A texel that is its only component, which goes to a register as it is.
    let only = image.dmask.is_power_of_two()
        && resource.dst_sel[image.dmask.trailing_zeros() as usize & 3] == Select::Component(0);
    let as_it_is = only && format.is_a_word() && reach.takes_words() && lanes.are_all();
    lanes.run(
        #[inline(always)]
        || {
            let offsets = plane(reach, &whole, lanes)?;
            if as_it_is {
                return words_behind(lanes, words, &offsets, lanes.register(reach.access.data, 0)?);
            }
            let mut elements = [[0; L]];
            words_behind(lanes, words, &offsets, cells(&mut elements[0]))?;
            for (to, n) in (0..).zip(reach.masked()) {
                let register = match resource.dst_sel[n] {
                    Select::Zero => [0; L],
                    Select::One => [kind.one(); L],
                    Select::Component(c) => format.component_each(usize::from(c & 3), &elements)?,
                };
                put_one(lanes, reach.access, kind, reach.packs, to, &register)?;
            }
            Some(())
        },
    )?;
    reach.status(lanes)
}

/// Loads of all lanes.
#[inline(always)]
pub(super) fn load<const L: usize>(reach: &Reach<'_>, lanes: &Lanes<'_, L>, memory: &Memory) -> Option<()> {
    let resource = reach.resource.as_deref().filter(|_| reach.image.dmask != 0)?;
    let (format, bytes) = (resource.format, resource.format.bytes());
    let mut texels = Texels::new();
    let (whole, inside) = if bytes == 4 && reach.conversion == Conversion::Format {
        if load_words(reach, resource, lanes, memory).is_some() {
            return Some(());
        }
        texels.find_apart(reach, resource, lanes)?
    } else {
        texels.find(reach, resource, lanes)?
    };
    let mut elements = [[0; L]; 4];
    if let Some(lanes) = lanes.only(inside) {
        lanes.run(
            #[inline(always)]
            || elements_within(&lanes, memory, span(&whole), &mut texels.offsets, bytes, &mut elements),
        )?;
    }
    let is_block = format.block() > 1 && reach.conversion == Conversion::Format;
    if is_block {
        elements = decoded(resource, &elements, [&texels.at[0], &texels.at[1]], inside);
    }
    let kind = reach.kind();
    for (to, n) in (0..).zip(reach.masked()) {
        lanes.run(
            #[inline(always)]
            || {
                let component = match (reach.conversion, resource.dst_sel[n]) {
                    // One is one, whether the texel is there or not.
                    (Conversion::Format, Select::One) => {
                        return put_one(lanes, reach.access, kind, reach.packs, to, &[kind.one(); L]);
                    }
                    (Conversion::Format, Select::Zero) => None,
                    (Conversion::Format, Select::Component(c)) => Some(usize::from(c & 3)),
                    (Conversion::Raw { .. }, _) => Some(n),
                };
                let mut register = match (component, reach.conversion) {
                    (None, _) => [0; L],
                    (Some(0), Conversion::Raw { signed: true }) => each(
                        &elements[0],
                        #[inline(always)]
                        |word| extended([word, 0, 0, 0], bytes)[0],
                    ),
                    (Some(c), Conversion::Format) if !is_block => format.component_each(c, &elements)?,
                    (Some(c), _) => elements[c],
                };
                if inside != lanes.exec {
                    clear_others(&mut register, inside);
                }
                put_one(lanes, reach.access, kind, reach.packs, to, &register)
            },
        )?;
    }
    reach.status(lanes)
}

/// Where the texels are of all lanes that go to some.
#[inline(always)]
pub(super) fn addresses<const L: usize>(
    reach: &Reach<'_>,
    resource: &Resource,
    lanes: &Lanes<'_, L>,
    bytes: u32,
) -> Option<Addresses> {
    let mut texels = Texels::new();
    let (whole, inside) = texels.find(reach, resource, lanes)?;
    let all = Addresses::of(lanes, whole.base(), &texels.offsets, bytes);
    Some(Addresses { lanes: all.lanes & inside, ..all })
}

/// Stores of all lanes.
#[inline(always)]
pub(super) fn store<const L: usize>(reach: &Reach<'_>, lanes: &Lanes<'_, L>, memory: &Memory) -> Option<()> {
    let resource = reach.resource.as_deref()?;
    let mut texels = Texels::new();
    let (whole, inside) = texels.find(reach, resource, lanes)?;
    let Some(inside) = lanes.only(inside) else { return Some(()) };
    let mut elements = [[0; L]; 4];
    lanes.run(
        #[inline(always)]
        || {
            let taken = take(lanes, reach.access, reach.kind(), reach.packs)?;
            for (register, n) in taken.iter().zip(reach.masked()) {
                elements[n] = *register;
            }
            if reach.repeats {
                repeat_first(&mut elements, reach.image.dmask);
            }
            Some(())
        },
    )?;
    if reach.conversion == Conversion::Format {
        lanes.run(
            #[inline(always)]
            || {
                elements = resource.format.store_each(&unselect_each(resource.dst_sel, &elements)).ok()?;
                Some(())
            },
        )?;
    }
    let bytes = resource.format.bytes();
    lanes.run(
        #[inline(always)]
        || {
            let found = Found::within(&inside, memory, span(&whole), &texels.offsets, (bytes, bytes.min(4)))?;
            found.store_elements(&inside, bytes, &mut elements)
        },
    )
}

/// Atomics of all lanes, on texels that are fit for them.
#[inline(always)]
pub(super) fn modify<const L: usize>(
    reach: &Reach<'_>,
    lanes: &Lanes<'_, L>,
    (memory, alone): (&Memory, bool),
    rules: (&Atomic, FloatRules),
) -> Option<()> {
    let resource = reach.resource.as_deref()?;
    let (access, bytes) = (reach.access, rules.0.width.bytes());
    let mut texels = Texels::new();
    let (whole, inside) = texels.find(reach, resource, lanes)?;
    let result = access.has(Flags::RETURNS).then_some(access.data);
    if let Some(inside) = lanes.only(inside) {
        lanes.run(
            #[inline(always)]
            || {
                let found = Found::within(&inside, memory, span(&whole), &texels.offsets, (bytes, bytes))?;
                found.modify(&inside, rules, access.data, result, alone)
            },
        )?;
    }
    match (lanes.only(lanes.exec & !inside), result) {
        (Some(outside), Some(at)) => outside.clear((Item::Words((bytes / 4) as u8), Half::Whole), at),
        _ => Some(()),
    }
}
