//! Short ways for whole waves: texels of 32-bit words or of four unorm bytes, all of them there and in one region.
//!
//! As in [`whole`](super::super::whole), addresses come first, for all lanes at once; whatever is not as plain is left to the lanes one by
//! one. Loads take one texel a lane; samples blend four of one level, with the same arithmetic as
//! [`Resource::sample`](crate::memory::image::Resource::sample).

use super::Reach;
use super::sample::Samples;
use crate::each::each;
use crate::emu::kernel::Level;
use crate::emu::memory::Flags;
use crate::emu::memory::whole::{gathered, lanes_of, words_at};
use crate::isa::does::Conversion;
use crate::isa::image::Address;
use crate::memory::format::{Kind, Select};
use crate::memory::guest::Memory;
use crate::memory::image::sample::plus;
use crate::memory::image::sampler::{Clamp, Reduce};
use crate::memory::image::{Dim, Resource};
use crate::program::memory::image::Bits;
use std::cell::Cell;
use std::sync::atomic::AtomicU32;

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
        || match lanes {
            32 => texels::<32>(reach, resource, memory),
            _ => texels::<64>(reach, resource, memory),
        },
    )
}

#[inline(always)]
fn texels<const L: usize>(reach: &Reach<'_>, resource: &Resource, memory: &Memory) -> Option<()> {
    match (resource.format.plain_words(), resource.format.is_unorm8x4()) {
        // Two words must not be torn.
        (Some(1), _) => words::<1, L>(reach, resource, memory),
        (Some(3), _) => words::<3, L>(reach, resource, memory),
        (Some(4), _) => words::<4, L>(reach, resource, memory),
        (_, true) => bytes::<L>(reach, resource, memory),
        _ => None,
    }
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
        || match lanes {
            32 => blended::<32>(samples, resource, memory, float),
            _ => blended::<64>(samples, resource, memory, float),
        },
    )
}

#[inline(always)]
fn blended<const L: usize>(samples: &Samples<'_, '_>, resource: &Resource, memory: &Memory, float: bool) -> Option<()> {
    let (reach, sampler) = (samples.reach, &samples.sampler);
    let [width, height, _] = resource.size_of(0);
    let first = usize::from(samples.places.body.register);
    let x = along::<L>(reach, first, width, sampler.clamp[0])?;
    let y = along::<L>(reach, first + 1, height, sampler.clamp[1])?;
    let whole = resource.whole()?;
    let columns = [whole.part(0, x.texels[0])?, whole.part(0, x.texels[1])?];
    let rows = [whole.part(1, y.texels[0])?, whole.part(1, y.texels[1])?];
    let slice = whole.slices([0])?;
    let mut texels = [[0u32; L]; 4];
    for (n, texels) in texels.iter_mut().enumerate() {
        let (words, at) = words_at::<1, L>(memory, &whole.at([&columns[n & 1], &rows[n >> 1]], &slice))?;
        *texels = gathered(words, &at);
    }
    let mut weights = [[0.0; L]; 4];
    for (n, weights) in weights.iter_mut().enumerate() {
        for (lane, weight) in weights.iter_mut().enumerate() {
            let part = |axis: &Axis<L>, second| if second { axis.weight[lane] } else { 256 - axis.weight[lane] };
            *weight = f64::from(part(&x, n & 1 != 0) * part(&y, n >> 1 != 0)) * (1.0 / 65536.0);
        }
    }
    for (n, select) in selected(reach, resource) {
        let to = lanes_of::<L>(reach.file, reach.access.data, n)?;
        match select {
            Select::Component(0) if float => {
                // What has no weight does not count, be it no number; that of the two zeros which leaves the other as it is.
                let share =
                    |texel, weight| if weight == 0.0 { -0.0 } else { f64::from(f32::from_bits(texel)) * weight };
                blend(to, &weights, &texels, share, plus);
            }
            Select::Component(c) if !float => {
                let shift = 8 * c;
                let share = |texel, weight| f64::from(unorm8(texel >> shift & 0xff)) * weight;
                blend(to, &weights, &texels, share, |a, b| a + b);
            }
            other => fill(to, other, Kind::Float),
        }
    }
    Some(())
}

/// Sums of the shares that texels have by their weights.
#[inline(always)]
fn blend<const L: usize>(
    to: &[Cell<u32>; L],
    weights: &[[f64; L]; 4],
    texels: &[[u32; L]; 4],
    share: impl Fn(u32, f64) -> f64,
    plus: impl Fn(f64, f64) -> f64,
) {
    for (lane, to) in to.iter().enumerate() {
        let share = |n: usize| share(texels[n][lane], weights[n][lane]);
        let sum = plus(plus(plus(share(0), share(1)), share(2)), share(3));
        to.set((sum as f32).to_bits());
    }
}

/// A byte in 255ths: what dividing gives, for every byte.
#[inline(always)]
fn unorm8(byte: u32) -> f32 {
    (f64::from(byte) * (1.0 / 255.0)) as f32
}

/// What is the same in all lanes: no component of the texel.
#[inline(always)]
fn fill<const L: usize>(to: &[Cell<u32>; L], select: Select, kind: Kind) {
    let value = if select == Select::One { kind.one() } else { 0 };
    to.iter().for_each(|to| to.set(value));
}

/// One axis of the footprints of all lanes.
struct Axis<const L: usize> {
    texels: [[u32; L]; 2],
    weight: [u32; L],
}

/// The texels around a coordinate of all lanes; nothing where one lies further outside than one repetition.
#[inline(always)]
fn along<const L: usize>(reach: &Reach<'_>, n: usize, size: u32, clamp: Clamp) -> Option<Axis<L>> {
    let from = lanes_of::<L>(reach.file, *reach.image.registers.get(n)?, 0)?;
    let (size, edge) = (size as i32, clamp == Clamp::Edge);
    if !edge && clamp != Clamp::Wrap {
        return None;
    }
    let mut bad = false;
    // A float of this size has whole numbers only, so that the sum is rounded to 256ths, in the lower bits.
    const WHOLE: f32 = 1.5 * (1 << 23) as f32;
    let mut fixed = [0; L];
    for (fixed, from) in fixed.iter_mut().zip(from) {
        let at = f32::from_bits(from.get()) * size as f32;
        bad |= at.is_nan() || at.abs() >= 16384.0;
        *fixed = (at * 256.0 + WHOLE).to_bits().wrapping_sub(WHOLE.to_bits()) as i32 - 128;
    }
    let mut axis = Axis { texels: [[0; L]; 2], weight: each(&fixed, |fixed| (fixed & 255) as u32) };
    for (n, texels) in (0..).zip(&mut axis.texels) {
        let first = each(&fixed, |fixed| (fixed >> 8) + n);
        let within = match edge {
            true => each(&first, |texel| texel.clamp(0, size - 1)),
            false => {
                each(&first, |texel| texel + if texel < 0 { size } else { 0 } - if texel >= size { size } else { 0 })
            }
        };
        bad |= within.iter().fold(false, |bad, texel| bad | !(0..size).contains(texel));
        *texels = each(&within, |texel| texel as u32);
    }
    (!bad).then_some(axis)
}

/// A register of all lanes.
#[inline(always)]
fn values<const L: usize>(reach: &Reach<'_>, at: u32) -> Option<[u32; L]> {
    let mut all = [0; L];
    for (to, from) in all.iter_mut().zip(lanes_of::<L>(reach.file, at, 0)?) {
        *to = from.get();
    }
    Some(all)
}

/// The words of the texels of all lanes, and which of them are the first ones.
#[inline(always)]
fn found<'m, const N: usize, const L: usize>(
    reach: &Reach<'_>,
    resource: &Resource,
    memory: &'m Memory,
) -> Option<(&'m [AtomicU32], [usize; L])> {
    let (dim, whole) = (reach.dim, resource.whole()?);
    let mut registers = reach.image.registers.iter();
    let mut next = || registers.next().and_then(|register| values::<L>(reach, *register));
    let x = whole.part(0, next()?)?;
    let y = whole.part(1, if dim.has_rows() { next()? } else { [0; L] })?;
    let addresses = match dim.has_layers() || dim == Dim::D3 {
        true => whole.at([&x, &y], &whole.slices(next()?)?),
        false => whole.at([&x, &y], &whole.slices([0])?),
    };
    words_at::<N, L>(memory, &addresses)
}

/// The components of registers, lowest first, as the mask names them.
#[inline(always)]
fn selected<'r>(reach: &'r Reach<'_>, resource: &'r Resource) -> impl Iterator<Item = (u32, Select)> + 'r {
    (0..).zip(reach.masked().map(|n| resource.dst_sel[n]))
}

/// Components that are words.
#[inline(always)]
fn words<const N: usize, const L: usize>(reach: &Reach<'_>, resource: &Resource, memory: &Memory) -> Option<()> {
    let (words, at) = found::<N, L>(reach, resource, memory)?;
    for (n, select) in selected(reach, resource) {
        let to = lanes_of::<L>(reach.file, reach.access.data, n)?;
        match select {
            Select::Component(c) if usize::from(c) < N => {
                let texels = gathered(words.get(usize::from(c)..)?, &at);
                to.iter().zip(texels).for_each(|(to, texel)| to.set(texel));
            }
            Select::Component(_) => fill(to, Select::Zero, resource.format.kind()),
            other => fill(to, other, resource.format.kind()),
        }
    }
    Some(())
}

/// Four unorm bytes in a word.
#[inline(always)]
fn bytes<const L: usize>(reach: &Reach<'_>, resource: &Resource, memory: &Memory) -> Option<()> {
    let (words, at) = found::<1, L>(reach, resource, memory)?;
    let texels = gathered(words, &at);
    for (n, select) in selected(reach, resource) {
        let to = lanes_of::<L>(reach.file, reach.access.data, n)?;
        match select {
            Select::Component(c) => {
                let shift = 8 * c;
                to.iter().zip(&texels).for_each(|(to, texel)| to.set(unorm8(texel >> shift & 0xff).to_bits()));
            }
            other => fill(to, other, Kind::Float),
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::unorm8;

    #[test]
    fn bytes_are_divided() {
        assert!((0..256u32).all(|byte| unorm8(byte) == byte as f32 / 255.0));
    }
}
