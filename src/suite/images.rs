//! Registers that lead an instruction of images to texels.
//!
//! As for [other memory](super::addresses), everything follows from a number: descriptors of every dimension, format and layout that a
//! processor has, such that the whole image lies in the memory of its wave; samplers of every kind; coordinates about the sides of the
//! image.

use super::addresses::vgpr;
use crate::engine::registers::Registers;
use crate::isa::does::{Does, Texels};
use crate::isa::row::Inst;
use crate::isa::{Gen, Target};
use crate::laws::Chance;
use crate::memory::atomic::Width;
use crate::memory::image::fields::{Field, Fields, SamplerField};
use crate::memory::image::format::TexelFormat;
use crate::memory::image::{Coordinates, Dim, Resource};
use crate::program::Access;
use crate::program::memory::image::{Bits, Image};
use half::f16;

/// Bytes of memory of a wave, which begin at a multiple of them.
pub const BYTES: u64 = 1 << 18;
/// Registers behind these are no place for a descriptor.
const SCALARS: u32 = 100;
/// How often a descriptor is drawn before a plain one is taken.
const DRAWS: u32 = 200;

/// Whether the descriptors of an instruction have room.
#[must_use]
pub fn has_room(access: &Access) -> bool {
    let Some(image) = access.image.as_deref() else { return false };
    // A sampler among the words of the image would change them.
    let apart = |sampler: u32| sampler + 4 <= access.base || access.base + 8 <= sampler;
    access.base + 8 <= SCALARS && image.sampler.is_none_or(|sampler| sampler + 4 <= SCALARS && apart(sampler))
}

/// What an instruction asks of its image.
struct Wanted<'a> {
    target: Target,
    row: &'static Inst,
    access: &'a Access,
    image: &'a Image,
    base: u64,
}

impl Wanted<'_> {
    fn generation(&self) -> Gen {
        self.target.generation()
    }

    fn fits(&self, format: TexelFormat) -> bool {
        match (self.row.does, &self.access.atomic) {
            (_, Some(atomic)) => format.atomic_bytes() == Some(if atomic.width == Width::W64 { 8 } else { 4 }),
            (Does::Texels(Texels::Store(_)), _) => format.is_storable(),
            _ => true,
        }
    }

    /// A drawn descriptor; nothing where it is none, or the image does not lie in memory as a whole.
    fn draw(&self, chance: &mut Chance) -> Option<[u32; 8]> {
        let g = self.generation();
        let mut words = [0; 8];
        let mut set = |field: Field, v: u64| field.set(&mut words, g, v);
        let mut below = |n: u64| chance.next_u64() % n;
        let dim = match self.image.dim {
            Some(dim) => Dim::of_instruction(dim),
            None => Dim::ALL[below(8) as usize].with_layers(self.image.has(Bits::ARRAY)),
        };
        let samples = dim.has_samples();
        let (number, num) = match g {
            Gen::Gfx10 => (1 + below(182), 0),
            Gen::Gfx11 | Gen::Gfx12 => (1 + below(122), 0),
            _ => (1 + below(63), [0, 1, 2, 3, 4, 5, 6, 7, 9][below(9) as usize]),
        };
        set(Field::Base, self.base >> 8);
        set(Field::Format, number);
        set(Field::NumFormat, num);
        let (width, levels) = (below(40), if samples { below(4) } else { below(6) });
        set(Field::Width, width);
        set(Field::Height, below(24));
        set(Field::DstSel, if below(3) == 0 { below(1 << 12) } else { 0o7654 });
        set(Field::LastLevel, levels);
        set(Field::MaxMip, levels);
        set(Field::BaseLevel, if samples { 0 } else { below(levels + 1) / 2 });
        set(Field::Mode, if below(3) == 0 { if g <= Gen::Gfx8 { 8 } else { 0 } } else { below(32) });
        set(Field::Pow2Pad, u64::from(levels > 0));
        set(Field::Type, 8 + u64::from(dim.number()));
        set(Field::Depth, if dim == Dim::Cube && g > Gen::Gfx8 { 5 } else { below(6) });
        set(Field::LastArray, below(6));
        if g <= Gen::Gfx9 {
            set(Field::Pitch, (width + 1).next_multiple_of(64) - 1);
        }
        let resource = Resource::decode(&words, &self.target).ok()??;
        (self.fits(resource.format) && self.lies_inside(&resource, &words)).then_some(words)
    }

    /// Whether the corners of every level, and a block behind them, are inside.
    fn lies_inside(&self, resource: &Resource, words: &[u32; 8]) -> bool {
        const BLOCK: u64 = 1 << 16;
        let linear = Field::Mode.get(words, self.generation()) == if self.generation() <= Gen::Gfx8 { 8 } else { 0 };
        let end = self.base + BYTES - if linear { 16 } else { BLOCK };
        (0..resource.levels()).all(|level| {
            let [width, height, slices, _] = resource.size(level);
            (0..8u32).all(|corner| {
                let side = |n: u32, size: u32| if corner >> n & 1 == 0 { 0 } else { size.saturating_sub(1) };
                let [x, y, z] = [side(0, width), side(1, height), side(2, slices)];
                (0..8).all(|sample| {
                    let at = resource.at(Coordinates { x, y, z, sample, level });
                    at.is_none_or(|at| at.address >= self.base && at.address <= end)
                })
            })
        })
    }

    /// An image of a few words, of any processor.
    fn plain(&self) -> [u32; 8] {
        let g = self.generation();
        let wide = self.access.atomic.as_ref().is_some_and(|atomic| atomic.width == Width::W64);
        let name = if wide { "32_32_uint" } else { "32_uint" };
        let (number, num) = TexelFormat::numbers(name, &self.target).unwrap_or_default();
        let mut words = [0; 8];
        for (field, v) in [
            (Field::Base, self.base >> 8),
            (Field::Format, number.into()),
            (Field::NumFormat, num.into()),
            (Field::Width, 15),
            (Field::Height, 3),
            (Field::Pitch, if g <= Gen::Gfx9 { 63 } else { 0 }),
            (Field::DstSel, 0o7654),
            (Field::Mode, if g <= Gen::Gfx8 { 8 } else { 0 }),
            (Field::Type, 8 + u64::from(self.image.dim.unwrap_or(Dim::D2.number()))),
            (Field::Depth, 5),
            (Field::LastArray, 5),
        ] {
            field.set(&mut words, g, v);
        }
        words
    }
}

/// A drawn sampler, whose border colour is in no table.
fn sampler(target: Target, chance: &mut Chance) -> [u32; 4] {
    use SamplerField::{
        BorderIndex, BorderType, LodBias, MaxAniso, MinLod, NoCubeWrap, Reduce, Truncate, Unnormalized,
    };
    let mut words = [0; 4];
    for field in SamplerField::ALL {
        let v = chance.next_u64();
        let bits = (1 << field.bits(target.generation())) - 1;
        let v = match field {
            MaxAniso | BorderIndex => 0,
            BorderType | Reduce => [0, 0, 1, 2][v as usize % 4],
            Unnormalized | Truncate | NoCubeWrap | LodBias | MinLod if !v.is_multiple_of(4) => 0,
            _ => v >> 8 & bits,
        };
        field.set(&mut words, target.generation(), v);
    }
    words
}

/// A descriptor of an image that an instruction may have, which lies as a whole in the memory from `base` on, and a sampler where it has one.
#[must_use]
pub fn descriptors(
    target: Target,
    row: &'static Inst,
    access: &Access,
    base: u64,
    chance: &mut Chance,
) -> Option<([u32; 8], Option<[u32; 4]>)> {
    let image = access.image.as_deref().filter(|_| has_room(access))?;
    let wanted = Wanted { target, row, access, image, base };
    let words = (0..DRAWS).find_map(|_| wanted.draw(chance)).unwrap_or_else(|| wanted.plain());
    Some((words, image.sampler.map(|_| sampler(target, chance))))
}

/// Whether every texel of an image is in the memory from `base` on: what a [descriptor](descriptors) says of blocks that are larger than others
/// may lead behind it.
#[must_use]
pub fn is_inside(words: &[u32; 8], target: &Target, base: u64) -> bool {
    const LARGEST: u64 = 16;
    let Ok(Some(resource)) = Resource::decode(words, target) else { return false };
    (0..resource.levels()).all(|level| {
        let [width, height, slices, samples] = resource.size(level);
        (0..slices).all(|z| {
            let texels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
            texels.flat_map(|(x, y)| (0..samples).map(move |sample| (x, y, sample))).all(|(x, y, sample)| {
                let at = resource.at(Coordinates { x, y, z, sample, level });
                at.is_none_or(|at| at.address >= base && at.address + LARGEST <= base + BYTES)
            })
        })
    })
}

/// Gives a wave the registers by which an instruction finds its texels, in memory that begins at a multiple of [`BYTES`].
pub fn put(wave: &mut Registers, row: &'static Inst, access: &Access, lanes: u32, base: u64, kind: u32) {
    let (target, mut chance) = (wave.target, Chance::new(u64::from(kind) << 8 | 7));
    let Some(image) = access.image.as_deref() else { return };
    let Some((words, sampler)) = descriptors(target, row, access, base, &mut chance) else { return };
    wave.s[access.base as usize..][..8].copy_from_slice(&words);
    if let (Some(at), Some(sampler)) = (image.sampler, sampler) {
        wave.s[at as usize..][..4].copy_from_slice(&sampler);
    }
    let get = |field: Field| field.get(&words, target.generation()) as u32;
    let dim = image.dim.unwrap_or((get(Field::Type) & 7) as u8);
    let dim =
        if image.dim.is_some() { dim } else { Dim::of_instruction(dim).with_layers(image.has(Bits::ARRAY)).number() };
    let places = image.places(dim, target.generation());
    let sizes = [get(Field::Width) + 2, get(Field::Height) + 2, get(Field::Depth).min(8) + 2];
    let shift = if Dim::of_instruction(dim) == Dim::Cube { 1.0 } else { 0.0 };
    for lane in 0..lanes {
        let mut float = |low: f32, high: f32| low + (high - low) * chance.below(1 << 16) as f32 / 65536.0;
        for (n, place) in (0u8..).zip(&image.registers) {
            let word = if image.sampler.is_none() {
                let n = u32::from(n);
                let near = |n: u32, value: f32| (value * sizes.get(n as usize).copied().unwrap_or(4) as f32) as u32;
                let [a, b] = [float(0.0, 1.0), float(0.0, 1.0)];
                if image.has(Bits::A16) { near(2 * n, a) | near(2 * n + 1, b) << 16 } else { near(n, a) }
            } else if places.offset == Some(n) {
                float(0.0, 1.0).to_bits() << 7
            } else if places.compare == Some(n) {
                float(-0.2, 1.2).to_bits()
            } else {
                let gradient = places.gradients.filter(|_| n < places.body.register && places.bias != Some(n));
                let (low, high, short) = match gradient {
                    Some([run, _]) => (-0.1, 0.1, run.short),
                    None => (shift - 0.4, shift + 1.4, image.has(Bits::A16)),
                };
                let [a, b] = [float(low, high), float(low, high)];
                let half = |v: f32| u32::from(f16::from_f32(v).to_bits());
                if short { half(a) | half(b) << 16 } else { a.to_bits() }
            };
            if let Some(register) = vgpr(*place) {
                wave.set_vgpr(register, lane as usize, word);
            }
        }
    }
    // Lanes that store may meet; who wins is left open.
    if matches!(row.does, Does::Texels(Texels::Store(_))) {
        wave.set_exec(1 << (kind % lanes));
    }
}
