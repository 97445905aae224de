//! Short ways for whole waves: texels of 32-bit words or of four unorm bytes, all of them there and in one region.
//!
//! As in [`whole`](super::super::whole), addresses come first, for all lanes at once; whatever is not as plain is left to the lanes one by
//! one. Loads take one texel a lane; samples blend four of one level, with the same arithmetic as
//! [`Resource::sample`](crate::memory::image::Resource::sample).

use super::Reach;
use super::sample::Samples;
use crate::emu::kernel::Level;
use crate::emu::memory::Flags;
use crate::emu::memory::whole::{LANES, region, register};
use crate::isa::does::Conversion;
use crate::isa::image::Address;
use crate::memory::format::Select;
use crate::memory::guest::Memory;
use crate::memory::image::sample::plus;
use crate::memory::image::sampler::{Clamp, Reduce};
use crate::memory::image::{Dim, Resource};
use crate::program::memory::image::Bits;
use std::sync::atomic::Ordering;

/// Loads the texels of all lanes, or does nothing.
pub(super) fn load(reach: &Reach<'_>, memory: &Memory, lanes: usize) -> Option<()> {
    let resource = reach.resource.as_deref()?;
    let plain = reach.conversion == Conversion::Format
        && !reach.image.has(Bits::A16)
        && !reach.access.flags.intersects(Flags::D16.union(Flags::TFE))
        && !reach.image.parts.contains(Address::MIP)
        && !reach.dim.has_samples()
        && reach.image.dmask != 0;
    if !plain {
        return None;
    }
    Level::of_host().run(
        #[inline(always)]
        || match (resource.format.plain_words(), resource.format.is_unorm8x4()) {
            // Two words must not be torn.
            (Some(1), _) => words::<1>(reach, resource, memory, lanes),
            (Some(3), _) => words::<3>(reach, resource, memory, lanes),
            (Some(4), _) => words::<4>(reach, resource, memory, lanes),
            (_, true) => bytes(reach, resource, memory, lanes),
            _ => None,
        },
    )
}

/// Blends four texels of a 2D image of one level for all lanes, or does nothing.
pub(super) fn bilinear(samples: &Samples<'_, '_>, memory: &Memory, lanes: usize) -> Option<()> {
    let (reach, sampler) = (samples.reach, &samples.sampler);
    let resource = reach.resource.as_deref()?;
    let float = resource.format.plain_words() == Some(1) && !resource.format.is_int();
    let parts = Address::OFFSET.union(Address::COMPARE);
    let plain = (float || resource.format.is_unorm8x4())
        && reach.dim == Dim::D2
        && resource.dim == Dim::D2
        && resource.levels() == 1
        && sampler.magnify
        && sampler.minify
        && sampler.reduce == Reduce::Blend
        && !samples.places.body.short
        && !reach.image.has(Bits::UNORM)
        && !sampler.unnormalized
        && !reach.image.parts.intersects(parts)
        && !reach.access.flags.intersects(Flags::D16.union(Flags::TFE))
        && reach.image.dmask != 0;
    if !plain {
        return None;
    }
    Level::of_host().run(
        #[inline(always)]
        || {
            let [width, height, _] = resource.size_of(0);
            let first = usize::from(samples.places.body.register);
            let x = along(reach, first, width, sampler.clamp[0], lanes)?;
            let y = along(reach, first + 1, height, sampler.clamp[1], lanes)?;
            let none = [0; LANES];
            let mut texels = [[0u32; LANES]; 4];
            let mut addresses = [0; LANES];
            for (n, texels) in texels.iter_mut().enumerate() {
                let of = [&x.texels[n & 1][..lanes], &y.texels[n >> 1][..lanes], &none[..lanes]];
                resource.all_at(of, &mut addresses[..lanes])?;
                let mut at = [0; LANES];
                let region = region::<1>(memory, &mut at[..lanes], |lane| addresses.get(lane as usize).copied())?;
                let words = region.words();
                for (texel, at) in texels.iter_mut().zip(&at) {
                    *texel = words.get(*at).map_or(0, |word| word.load(Ordering::Relaxed));
                }
            }
            let weights: [[f64; LANES]; 4] = std::array::from_fn(|n| {
                std::array::from_fn(|lane| {
                    let part =
                        |axis: &Axis, second: bool| if second { axis.weight[lane] } else { 256 - axis.weight[lane] };
                    f64::from(part(&x, n & 1 != 0) * part(&y, n >> 1 != 0)) / 65536.0
                })
            });
            for (n, select) in selected(reach, resource) {
                let to = &register(reach.file, reach.access.data, n)?[..lanes];
                let component = match select {
                    Select::Component(c) if float && c > 0 => None,
                    Select::Component(c) => Some(8 * c),
                    _ => None,
                };
                let Some(shift) = component else {
                    let constant = if select == Select::One { 1.0f32.to_bits() } else { 0 };
                    to.iter().for_each(|to| to.set(constant));
                    continue;
                };
                let value = |texel: u32| {
                    f64::from(if float { f32::from_bits(texel) } else { (texel >> shift & 0xff) as f32 / 255.0 })
                };
                // What has no weight does not count, be it no number.
                let share = |n: usize, lane: usize| match weights[n][lane] {
                    0.0 => 0.0,
                    weight => value(texels[n][lane]) * weight,
                };
                for (lane, to) in to.iter().enumerate() {
                    let sum = (0..4).fold(0.0, |sum, n| plus(sum, share(n, lane)));
                    to.set((sum as f32).to_bits());
                }
            }
            Some(())
        },
    )
}

/// One axis of the footprints of all lanes.
struct Axis {
    texels: [[u32; LANES]; 2],
    weight: [u32; LANES],
}

/// The texels around a coordinate of all lanes; nothing where one lies further outside than one repetition.
#[inline(always)]
fn along(reach: &Reach<'_>, n: usize, size: u32, clamp: Clamp, lanes: usize) -> Option<Axis> {
    let from = register(reach.file, *reach.image.registers.get(n)?, 0)?;
    let (size, edge) = (size as i32, clamp == Clamp::Edge);
    if !edge && clamp != Clamp::Wrap {
        return None;
    }
    let mut axis = Axis { texels: [[0; LANES]; 2], weight: [0; LANES] };
    let mut bad = false;
    for (lane, from) in from[..lanes].iter().enumerate() {
        let at = f32::from_bits(from.get()) * size as f32;
        // The number of 256ths is exact in f32 below 2^15 texels.
        bad |= at.is_nan() || at.abs() >= 32768.0;
        let fixed = (at * 256.0).round_ties_even() as i32 - 128;
        axis.weight[lane] = (fixed & 255) as u32;
        for (n, texels) in (0..).zip(&mut axis.texels) {
            let texel = (fixed >> 8) + n;
            let within = if edge {
                texel.clamp(0, size - 1)
            } else {
                texel + if texel < 0 { size } else { 0 } - if texel >= size { size } else { 0 }
            };
            bad |= !(0..size).contains(&within);
            texels[lane] = within as u32;
        }
    }
    (!bad).then_some(axis)
}

/// The words of all lanes begin at these of a region.
#[inline(always)]
fn found<'m, const N: usize>(
    reach: &Reach<'_>,
    resource: &Resource,
    memory: &'m Memory,
    at: &mut [usize],
) -> Option<&'m [std::sync::atomic::AtomicU32]> {
    let lanes = at.len();
    let mut coordinates = [[0; LANES]; 3];
    let dim = reach.dim;
    let there = [true, dim.has_rows(), dim.has_layers() || dim == Dim::D3];
    let mut registers = reach.image.registers.iter();
    for (to, _) in coordinates.iter_mut().zip(there).filter(|(_, there)| *there) {
        let from = register(reach.file, *registers.next()?, 0)?;
        to.iter_mut().zip(from).for_each(|(to, from)| *to = from.get());
    }
    let mut addresses = [0; LANES];
    let of = coordinates.each_ref().map(|all| &all[..lanes]);
    resource.all_at(of, &mut addresses[..lanes])?;
    let region = region::<N>(memory, at, |lane| addresses.get(lane as usize).copied())?;
    Some(region.words())
}

/// The components of registers, lowest first, as the mask names them.
#[inline(always)]
fn selected<'r>(reach: &'r Reach<'_>, resource: &'r Resource) -> impl Iterator<Item = (u32, Select)> + 'r {
    (0..).zip(reach.masked().map(|n| resource.dst_sel[n]))
}

/// Components that are words.
#[inline(always)]
fn words<const N: usize>(reach: &Reach<'_>, resource: &Resource, memory: &Memory, lanes: usize) -> Option<()> {
    let mut at = [0; LANES];
    let words = found::<N>(reach, resource, memory, &mut at[..lanes])?;
    for (n, select) in selected(reach, resource) {
        let to = &register(reach.file, reach.access.data, n)?[..lanes];
        match select {
            Select::Component(c) if usize::from(c) < N => {
                let words = words.get(usize::from(c)..)?;
                for (to, at) in to.iter().zip(&at) {
                    to.set(words.get(*at).map_or(0, |word| word.load(Ordering::Relaxed)));
                }
            }
            Select::One => to.iter().for_each(|to| to.set(resource.format.kind().one())),
            Select::Zero | Select::Component(_) => to.iter().for_each(|to| to.set(0)),
        }
    }
    Some(())
}

/// Four unorm bytes in a word.
#[inline(always)]
fn bytes(reach: &Reach<'_>, resource: &Resource, memory: &Memory, lanes: usize) -> Option<()> {
    let mut at = [0; LANES];
    let words = found::<1>(reach, resource, memory, &mut at[..lanes])?;
    let mut texels = [0; LANES];
    for (texel, at) in texels.iter_mut().zip(&at) {
        *texel = words.get(*at).map_or(0, |word| word.load(Ordering::Relaxed));
    }
    for (n, select) in selected(reach, resource) {
        let to = &register(reach.file, reach.access.data, n)?[..lanes];
        match select {
            Select::Component(c) => {
                for (to, texel) in to.iter().zip(&texels) {
                    to.set(((texel >> (8 * c) & 0xff) as f32 / 255.0).to_bits());
                }
            }
            Select::One => to.iter().for_each(|to| to.set(1.0f32.to_bits())),
            Select::Zero => to.iter().for_each(|to| to.set(0)),
        }
    }
    Some(())
}
