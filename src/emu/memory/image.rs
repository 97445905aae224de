//! Images: texels to registers and back.
//!
//! A lane's address has coordinates of a texel, in the order x, y, z or layer or face, sample, mip level; the [descriptor](Resource) in
//! eight scalar registers knows where it lies and what its element means. Registers have the components that DMASK names, in order; with D16
//! two halves share one, except on the first gfx8 processors. What is out of range loads zeros, or the ones that the descriptor puts in.
//!
//! Decoding a descriptor is work for a few hundred texels, and loops use the same ones again and again: each thread keeps the last few.

mod filter;
mod sample;
mod texels;

use super::common::{Bytes, Done, File, Trouble, finish, lanes, operands, result};
use super::formatted::{put, registers, take};
use super::touched::{self, Addresses, Touched};
use super::whole::with_lanes_in_pieces;
use super::{Access, Flags, float_rules};
use crate::emu::group::Group;
use crate::emu::plan::{Run, Step};
use crate::emu::wave::Wave;
use crate::fault::planted;
use crate::isa::Target;
use crate::isa::does::{Conversion, Does, Texels};
use crate::isa::image::Address;
use crate::isa::row::Inst;
use crate::memory::atomic::{Space, Width};
use crate::memory::format::{self, Kind};
use crate::memory::guest::{Fault, View};
use crate::memory::image::sampler::Sampler;
use crate::memory::image::{At, Coordinates, Dim, Resource};
use crate::program::memory::image::{Bits, Image, unfit};
use std::cell::RefCell;
use std::rc::Rc;
use std::thread::LocalKey;

/// The function of an image instruction.
pub(super) fn run(row: &Inst) -> Option<Run> {
    Some(match row.does {
        Does::Atomic(_) => modify,
        Does::Texels(Texels::Load(_)) => load,
        Does::Texels(Texels::Store(_)) => store,
        Does::Texels(Texels::LoadSamples) => load_samples,
        Does::Texels(Texels::Describe) => describe,
        Does::Texels(Texels::Sample) => sample::sample,
        Does::Texels(Texels::Gather) => sample::gather,
        Does::Texels(Texels::Level) => sample::level,
        _ => return None,
    })
}

/// An image and what an instruction wants of it.
pub(super) struct Reach<'a> {
    access: &'a Access,
    image: &'a Image,
    file: File<'a>,
    /// Nothing: there is no image.
    resource: Option<Rc<Resource>>,
    /// The dimension that the coordinates are of.
    dim: Dim,
    conversion: Conversion,
    packs: bool,
    /// Whether a store [repeats](format::repeats_first) its first component.
    repeats: bool,
}

/// How many descriptors of a kind a thread keeps: those of a loop.
const KEPT: usize = 4;

/// A descriptor that a thread saw, and what it says.
struct Seen<const N: usize, D> {
    words: [u32; N],
    target: Target,
    says: D,
}

/// The last ones that a thread saw, of which the oldest goes first.
struct Last<const N: usize, D> {
    seen: [Option<Seen<N, D>>; KEPT],
    oldest: usize,
}

impl<const N: usize, D: Clone> Last<N, D> {
    const fn new() -> Last<N, D> {
        Last { seen: [const { None }; KEPT], oldest: 0 }
    }

    /// What a descriptor says, if it is among them.
    #[inline(always)]
    fn known(&self, words: &[u32; N], target: &Target) -> Option<D> {
        for seen in self.seen.iter().flatten() {
            let apart = seen.words.iter().zip(words).fold(0, |apart, (a, b)| apart | (a ^ b));
            if apart == 0 && seen.target == *target {
                return Some(seen.says.clone());
            }
        }
        None
    }

    /// Decodes a descriptor that is not.
    #[cold]
    fn decoded<E>(
        &mut self,
        words: [u32; N],
        target: Target,
        decode: impl FnOnce(&[u32; N], &Target) -> Result<D, E>,
    ) -> Result<D, E> {
        let says = decode(&words, &target)?;
        self.seen[self.oldest] = Some(Seen { words, target, says: says.clone() });
        self.oldest = (self.oldest + 1) % KEPT;
        Ok(says)
    }
}

thread_local! {
    static IMAGE: RefCell<Last<8, Option<Rc<Resource>>>> = const { RefCell::new(Last::new()) };
    static SAMPLER: RefCell<Last<4, Sampler>> = const { RefCell::new(Last::new()) };
}

/// What a descriptor says, decoded unless it is among the last ones.
#[inline(always)]
fn said<const N: usize, D: Clone, E>(
    kept: &'static LocalKey<RefCell<Last<N, D>>>,
    words: [u32; N],
    target: Target,
    decode: impl FnOnce(&[u32; N], &Target) -> Result<D, E>,
) -> Result<D, E> {
    match kept.with_borrow(|last| last.known(&words, &target)) {
        Some(known) => Ok(known),
        None => kept.with_borrow_mut(|last| last.decoded(words, target, decode)),
    }
}

/// The image in scalar registers.
#[inline(always)]
fn resource(wave: &Wave, access: &Access, image: &Image) -> Result<Option<Rc<Resource>>, Trouble> {
    let short = image.has(Bits::R128);
    let at = access.base as usize;
    let words = std::array::from_fn(|n| if short && n >= 4 { 0 } else { wave.s[at + n] });
    let decode = |words: &_, target: &_| Resource::decode(words, target).map(|resource| resource.map(Rc::new));
    said(&IMAGE, words, wave.env.target, decode).map_err(|reason| Trouble::Unsupported(reason.to_string()))
}

/// The sampler in scalar registers.
fn sampler(wave: &Wave, image: &Image) -> Result<Sampler, Trouble> {
    let at = image.sampler.unwrap_or_default() as usize;
    let words = std::array::from_fn(|n| wave.s[at + n]);
    Ok(said(&SAMPLER, words, wave.env.target, Sampler::decode)?)
}

impl<'a> Reach<'a> {
    #[inline(always)]
    fn new(wave: &'a Wave, row: &Inst, access: &'a Access) -> Result<Option<Reach<'a>>, Trouble> {
        let Some(image) = access.image.as_deref() else { return Ok(None) };
        let resource = resource(wave, access, image)?;
        let own = resource.as_ref().map_or(Dim::D2, |resource| resource.dim);
        // Up to gfx9 the descriptor says how many coordinates there are; DA, whether a layer is among them.
        let dim = image.dim.map_or_else(|| own.with_layers(image.has(Bits::ARRAY)), Dim::of_instruction);
        let conversion = match row.does {
            Does::Texels(Texels::Load(conversion) | Texels::Store(conversion)) => conversion,
            _ => Conversion::Format,
        };
        let target = &wave.env.target;
        let (packs, repeats) = (format::packs_d16(target), format::repeats_first(target));
        Ok(Some(Reach { access, image, file: File(&wave.file), resource, dim, conversion, packs, repeats }))
    }

    /// Value `n` of the address of a lane.
    #[inline(always)]
    fn value(&self, n: u32, lane: u32) -> u32 {
        let (register, shift) = if self.image.has(Bits::A16) { (n / 2, n % 2 * 16) } else { (n, 0) };
        let place = self.image.registers.get(register as usize).copied().unwrap_or(0);
        let word = self.file.get(place, 0, lane) >> shift;
        if self.image.has(Bits::A16) { word & 0xffff } else { word }
    }

    /// The texel that a lane asks for.
    #[inline(always)]
    fn coordinates(&self, lane: u32) -> Coordinates {
        let dim = self.dim;
        let mut texel = Coordinates::default();
        let mut n = 0;
        let mut next = |there: bool| {
            let value = if there { self.value(n, lane) } else { 0 };
            n += u32::from(there);
            value
        };
        texel.x = next(true);
        texel.y = next(dim.has_rows());
        texel.z = next(dim.has_layers() || dim == Dim::D3);
        texel.sample = next(dim.has_samples());
        texel.level = next(self.image.parts.contains(Address::MIP));
        texel
    }

    /// Where the texel of a lane lies.
    #[inline(always)]
    fn at(&self, lane: u32) -> Option<(&Resource, At)> {
        let resource = self.resource.as_deref()?;
        Some((resource, resource.at(self.coordinates(lane))?))
    }

    /// The components that have a register, lowest first.
    fn masked(&self) -> impl Iterator<Item = usize> + use<> {
        let mask = self.image.dmask;
        (0..4).filter(move |n| mask >> n & 1 != 0)
    }

    /// Four values of registers as the mask wants them.
    fn packed(&self, values: [u32; 4]) -> [u32; 4] {
        let mut registers = [0; 4];
        for ((place, register), n) in registers.iter_mut().enumerate().zip(self.masked()) {
            *register = values[if planted!(ImageMaskInOrder) { place } else { n }];
        }
        registers
    }

    /// What a format without numbers gives.
    fn kind(&self) -> Kind {
        match (self.conversion, &self.resource) {
            (Conversion::Format, Some(resource)) => resource.format.kind(),
            _ => Kind::Uint,
        }
    }

    /// The four values of a texel; an element that is out of range has zeros.
    fn texel(&self, view: &mut View<'_>, texel: Coordinates) -> Result<[u32; 4], Fault> {
        let Some(resource) = self.resource.as_deref() else { return Ok([0; 4]) };
        let (format, at) = (resource.format, resource.at(texel));
        let element = match at {
            Some(at) => format::read_element(view, at.address, format.bytes())?,
            None => [0; 4],
        };
        if let Conversion::Raw { signed } = self.conversion {
            return Ok(if signed { extended(element, format.bytes()) } else { element });
        }
        let components = at.map_or([0; 4], |at| format.load(&element, at.place.0, at.place.1));
        Ok(format::select(resource.dst_sel, format.kind(), components))
    }

    /// Writes the registers of a load.
    fn put(&self, lane: u32, registers: [u32; 4]) {
        put(self.file, self.access, self.kind(), self.packs, lane, registers);
        if self.access.has(Flags::TFE) && self.image.dmask != 0 {
            self.file.set(self.access.data, self::registers(self.access, self.packs), lane, 0);
        }
    }
}

/// The first word of an element that is smaller, extended by its sign.
fn extended(element: [u32; 4], bytes: u32) -> [u32; 4] {
    match bytes {
        1 => [element[0] as i8 as u32, 0, 0, 0],
        2 => [element[0] as i16 as u32, 0, 0, 0],
        _ => element,
    }
}

/// Does something with the image of an instruction.
#[inline(always)]
fn with(
    wave: &mut Wave,
    step: &Step,
    group: &mut Group<'_>,
    run: impl FnOnce(&Reach<'_>, &Wave, &mut Group<'_>) -> Done,
) -> u32 {
    let (Some(access), Some(row)) = (step.memory.as_deref(), step.row) else { return step.next };
    if wave.exec() == 0 {
        return step.next;
    }
    let done = match Reach::new(wave, row, access) {
        Ok(Some(reach)) => run(&reach, wave, group),
        Ok(None) => Ok(()),
        Err(trouble) => Err((trouble, wave.exec().trailing_zeros())),
    };
    finish(wave, step, group, done)
}

fn load(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    with(wave, step, group, |reach, wave, group| {
        let memory = group.memory;
        if with_lanes_in_pieces!(wave, |lanes| texels::load(reach, lanes, memory)).is_some() {
            return Ok(());
        }
        let mut view = group.memory.view();
        lanes(wave.exec(), |lane| {
            let values = match reach.image.dmask {
                // Without a component nothing is fetched, and a register is zero.
                0 => [0; 4],
                _ => reach.texel(&mut view, reach.coordinates(lane))?,
            };
            reach.put(lane, reach.packed(values));
            Ok::<(), Fault>(())
        })
    })
}

/// The samples 0 to 3 of a texel; or the four that begin at a multiple of four.
fn four_samples(of: Coordinates) -> [Coordinates; 4] {
    [0, 1, 2, 3].map(|n| Coordinates { sample: (of.sample & !3) + n, ..of })
}

/// One component of the samples 0 to 3 of a texel; or of the four that begin at a multiple of four.
fn load_samples(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    with(wave, step, group, |reach, wave, group| {
        let mut view = group.memory.view();
        let component = reach.image.dmask.trailing_zeros().min(3) as usize;
        lanes(wave.exec(), |lane| {
            let mut registers = [0; 4];
            for (texel, register) in four_samples(reach.coordinates(lane)).into_iter().zip(&mut registers) {
                *register = reach.texel(&mut view, texel)?[component];
            }
            reach.put(lane, registers);
            Ok::<(), Fault>(())
        })
    })
}

fn store(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    with(wave, step, group, |reach, wave, group| {
        let memory = group.memory;
        if with_lanes_in_pieces!(wave, |lanes| texels::store(reach, lanes, memory)).is_some() {
            return Ok(());
        }
        let mut view = group.memory.view();
        lanes(wave.exec(), |lane| {
            let Some((resource, at)) = reach.at(lane) else { return Ok::<(), Trouble>(()) };
            let registers = take(reach.file, reach.access, reach.kind(), reach.packs, lane);
            let mut values = [0; 4];
            for (register, n) in registers.into_iter().zip(reach.masked()) {
                values[n] = register;
            }
            if reach.repeats {
                format::repeat_first(&mut values, reach.image.dmask);
            }
            let element = match reach.conversion {
                Conversion::Format => {
                    let components = format::unselect(resource.dst_sel, &values);
                    resource.format.store(components).map_err(|reason| Trouble::Unsupported(reason.to_string()))?
                }
                Conversion::Raw { .. } => values,
            };
            Ok(format::write_element(&mut view, at.address, resource.format.bytes(), element)?)
        })
    })
}

/// The size of a mip level.
fn describe(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    with(wave, step, group, |reach, wave, _| {
        lanes(wave.exec(), |lane| {
            let size = reach.resource.as_ref().map_or([0; 4], |resource| resource.size(reach.value(0, lane)));
            reach.put(lane, reach.packed(size));
            Ok::<(), Fault>(())
        })
    })
}

fn modify(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    with(wave, step, group, |reach, wave, group| {
        let Some(atomic) = reach.access.atomic else { return Ok(()) };
        let bytes = if atomic.width == Width::W64 { 8 } else { 4 };
        let first = wave.exec().trailing_zeros();
        if let Some(resource) = reach.resource.as_deref().filter(|of| of.format.atomic_bytes() != Some(bytes)) {
            return Err((Trouble::Unsupported(unfit(atomic.width, resource.format)), first));
        }
        let floats = float_rules(wave, &atomic, Space::Memory);
        let whole = (group.memory, group.alone);
        if with_lanes_in_pieces!(wave, |lanes| texels::modify(reach, lanes, whole, (&atomic, floats))).is_some() {
            return Ok(());
        }
        let mut view = group.memory.view();
        let data = reach.access.data;
        lanes(wave.exec(), |lane| {
            let old = match reach.at(lane) {
                Some((_, at)) => view.modify(at.address, &atomic, operands(reach.file, data, &atomic, lane), floats)?,
                None => 0,
            };
            if reach.access.has(Flags::RETURNS) {
                result(reach.file, data, atomic.width, lane, old);
            }
            Ok::<(), Trouble>(())
        })
    })
}

/// Whether an instruction goes to no texel, whatever its coordinates are.
fn stays(row: &Inst, image: &Image) -> bool {
    match row.does {
        Does::Texels(Texels::Describe | Texels::Level) => true,
        // Without a component nothing is fetched.
        Does::Texels(Texels::Load(_)) => image.dmask == 0,
        _ => false,
    }
}

/// Where the elements are that the lanes of a load or store go to which are in range, each to one place.
#[inline(always)]
pub(super) fn addresses(wave: &Wave, row: &Inst, access: &Access) -> Option<Addresses> {
    let reach = Reach::new(wave, row, access).ok()??;
    let resource = reach.resource.as_deref().filter(|_| !stays(row, reach.image))?;
    let bytes = resource.format.bytes();
    with_lanes_in_pieces!(wave, |lanes| texels::addresses(&reach, resource, lanes, bytes))
}

/// Where an instruction goes: the elements of each lane, if they are in range.
pub(super) fn touched(wave: &Wave, row: &Inst, access: &Access, put: &mut impl FnMut(Touched)) {
    let Ok(Some(reach)) = Reach::new(wave, row, access) else { return };
    let count = match row.does {
        _ if stays(row, reach.image) => return,
        Does::Texels(Texels::Sample) => return sample::touched(&reach, wave, false, put),
        Does::Texels(Texels::Gather) => return sample::touched(&reach, wave, true, put),
        Does::Texels(Texels::LoadSamples) => 4,
        _ => 1,
    };
    let Some(resource) = reach.resource.as_deref() else { return };
    for lane in touched::active(wave) {
        let texel = reach.coordinates(lane);
        let texels = if count == 1 { [texel; 4] } else { four_samples(texel) };
        for texel in &texels[..count] {
            if let Some(at) = resource.at(*texel) {
                put(Touched::memory(Some(lane), at.address, resource.format.bytes()));
            }
        }
    }
}
