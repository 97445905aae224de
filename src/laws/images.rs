//! Image descriptors and samplers of any words: what is out of range has no address, and nothing panics or goes on for ever.

use super::bytes::Bytes;
use crate::isa::{Arch, Target};
use crate::memory::guest::ADDRESS_MASK;
use crate::memory::image::fields::{Field, Fields};
use crate::memory::image::format::TexelFormat;
use crate::memory::image::sample::{Lod, Request};
use crate::memory::image::sampler::{Sampler, Unsupported};
use crate::memory::image::tiling::Portable;
use crate::memory::image::{At, Coordinates, Resource};
use std::cell::Cell;

const PROCESSORS: [&str; 9] =
    ["gfx600", "gfx704", "gfx803", "gfx900", "gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1200"];

/// How much came of some bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Words that are an image.
    pub images: u32,
    /// Coordinates that have a texel.
    pub texels: u32,
    /// Samples and gathers with a result.
    pub samples: u32,
}

/// An error of a fetch.
#[derive(Debug)]
struct Refused;

impl From<Unsupported> for Refused {
    fn from(_: Unsupported) -> Refused {
        Refused
    }
}

/// Decodes a descriptor and a sampler, and asks for addresses and samples.
///
/// # Panics
/// Where the short way to an address and the long one differ.
#[must_use]
pub fn images(data: &[u8]) -> Found {
    let mut bytes = Bytes::new(data);
    let mut found = Found::default();
    let Some(target) = Arch::find(bytes.one(&PROCESSORS)).map(Target::new) else { return found };
    let words = image(&mut bytes, &target);
    let Ok(Some(resource)) = Resource::decode(&words, &target) else { return found };
    found.images = 1;
    for _ in 0..4 {
        found.texels += u32::from(addresses(&mut bytes, &resource));
    }
    let words: [u32; 4] = std::array::from_fn(|_| bytes.word());
    if let Ok(sampler) = Sampler::decode(&words, &target) {
        found.samples = samples(&mut bytes, &resource, &sampler);
    }
    found
}

/// Words of a descriptor. Most words are no image: some fields are made likely.
fn image(bytes: &mut Bytes<'_>, target: &Target) -> [u32; 8] {
    let generation = target.generation();
    let mut words: [u32; 8] = std::array::from_fn(|_| bytes.word());
    Field::Type.set(&mut words, generation, 8 + bytes.below(8) as u64);
    if !bytes.once_in(3) {
        Field::Compressed.set(&mut words, generation, 0);
        Field::Mode.set(&mut words, generation, bytes.one(&[0, 8, 27, 9, 24]));
        let format = bytes.one(&["8_8_8_8_unorm", "32_float", "bc1_unorm", "16_16_16_16_float"]);
        if let Some((number, num)) = TexelFormat::numbers(format, target) {
            Field::Format.set(&mut words, generation, number.into());
            Field::NumFormat.set(&mut words, generation, num.into());
        }
    }
    words
}

/// Whether some coordinates have a texel.
fn addresses(bytes: &mut Bytes<'_>, resource: &Resource) -> bool {
    let mut any = || match bytes.below(3) {
        0 => bytes.below(40) as u32,
        1 => bytes.word() & 0xffff,
        _ => bytes.word(),
    };
    let (x, y) = (any(), any());
    // Few images have more than one.
    let mut mostly_first = |most: usize| if bytes.once_in(3) { bytes.below(most) as u32 } else { 0 };
    let (z, sample, level) = (mostly_first(40), mostly_first(5), mostly_first(18));
    let found = resource.at(Coordinates { x, y, z, sample, level });
    if let Some(whole) = resource.whole(level) {
        let exists = [x, y, z, sample].iter().zip(whole.limits()).all(|(n, limit)| *n < limit);
        let parts = [whole.part(&Portable, 0, &[x]), whole.part(&Portable, 1, &[y])];
        let [offset] = whole.offsets([&parts[0], &parts[1]], &whole.slices(&[z], Some(&[sample])));
        if let Some([plain]) = whole.plane(&Portable, [&[Cell::new(x)], &[Cell::new(y)]]) {
            let [first] = whole.offsets([&parts[0], &parts[1]], whole.first_slice());
            assert_eq!(plain, first, "{x} {y} {level}");
        }
        assert_eq!(exists, found.is_some(), "{x} {y} {z} {sample} {level}");
        if let Some(at) = found {
            assert!(offset <= whole.extent() - resource.format.bytes(), "{x} {y} {z} {sample} {level}");
            assert_eq!(
                whole.base().wrapping_add(offset.into()) & ADDRESS_MASK,
                at.address,
                "{x} {y} {z} {sample} {level}"
            );
        }
    }
    let _ = resource.size(level);
    found.is_some()
}

/// How many of a sample and a gather have a result.
fn samples(bytes: &mut Bytes<'_>, resource: &Resource, sampler: &Sampler) -> u32 {
    let mut float = || match bytes.below(4) {
        0 => f32::from_bits(bytes.word()),
        1 => bytes.one(&[f32::NAN, f32::INFINITY, -0.0, 1e30, f32::MAX]),
        _ => bytes.below(4000) as f32 / 1000.0 - 2.0,
    };
    let request = Request {
        at: std::array::from_fn(|_| float()),
        lod: Lod::Gradients([[float(), float(), float()], [float(), float(), float()]]),
        bias: float(),
        least: Some(float()),
        offset: [31, -32, 7],
        reference: Some(float()),
        unnormalized: false,
    };
    let reference = request.reference.filter(|_| bytes.once_in(2));
    let request = Request { reference, unnormalized: bytes.once_in(5), ..request };
    let mut fetch = |_: At, _: u32| Ok::<_, Refused>([0x5a5a_5a5a; 4]);
    let sampled = resource.sample(sampler, &request, &mut fetch).is_ok();
    let explicit = Request { lod: Lod::Explicit(request.bias), ..request };
    let gathered = resource.gather(sampler, &explicit, bytes.below(4), &mut fetch).is_ok();
    u32::from(sampled) + u32::from(gathered)
}
