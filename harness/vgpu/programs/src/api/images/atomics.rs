//! Atomics on texels. What they leave and return is checked here too: not every device has those of 64 bits.

use super::loads::{fetcher, storer};
use super::texel::{Box4, IMAGE, Texels, text};
use super::{Results, Sized, shape};
use crate::api::{Function, noise};
use crate::gpu::Gpu;
use crate::gpu::formats::{Format, Kind, format};
use crate::gpu::image::{CUBE, CUBE_ARRAY, D1, D1_ARRAY, D2, D2_ARRAY, D3, SAMPLES, Shape};
use crate::stop::{Done, Words, law};
use ash::vk;

pub const ALL: &[Function] = &[
    Function { name: "image_atomics_uint", needs: &["image_cube_array"], run: |gpu| atomics(gpu, &UINT) },
    Function { name: "image_atomics_int", needs: &["image_cube_array"], run: |gpu| atomics(gpu, &INT) },
    Function { name: "image_atomics_uint64", needs: WIDE, run: |gpu| atomics(gpu, &UINT64) },
    Function { name: "image_atomics_int64", needs: WIDE, run: |gpu| atomics(gpu, &INT64) },
    Function { name: "image_atomics_samples", needs: &["shader_storage_image_multisample"], run: samples },
];

const WIDE: &[&str] = &["image_cube_array", "shader_image_int64_atomics"];

/// A type of texels: how GLSL writes image, layout, type and the widening of a word.
struct Type {
    format: Format,
    image: &'static str,
    layout: &'static str,
    word: &'static str,
    wide: &'static str,
}

const fn of(vk: vk::Format, bytes: u32, kind: Kind) -> Format {
    Format { vk, bytes, kind, range: [u32::MAX - 1; 4], storage: true }
}

/// What a word is widened by.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
const TIMES: &str = "uint64_t(x) * 0x9e3779b97f4a7c15ul";

static UINT: Type =
    Type { format: of(vk::Format::R32_UINT, 4, Kind::Uint), image: "u", layout: "r32ui", word: "uint", wide: "x" };
static INT: Type =
    Type { format: of(vk::Format::R32_SINT, 4, Kind::Sint), image: "i", layout: "r32i", word: "int", wide: "x" };
static UINT64: Type = Type {
    format: of(vk::Format::R64_UINT, 8, Kind::Uint),
    image: "u64",
    layout: "r64ui",
    word: "uint64_t",
    wide: TIMES,
};
static INT64: Type = Type {
    format: of(vk::Format::R64_SINT, 8, Kind::Sint),
    image: "i64",
    layout: "r64i",
    word: "int64_t",
    wide: TIMES,
};

const ROWS: [Sized; 8] = [
    (D1, [130, 1, 1], 1, 1),
    (D1_ARRAY, [40, 1, 1], 1, 3),
    (D2, [16, 8, 1], 1, 1),
    (D2, [150, 90, 1], 1, 1),
    (D2_ARRAY, [8, 8, 1], 1, 2),
    (D3, [8, 4, 5], 1, 1),
    (CUBE, [5, 5, 1], 1, 6),
    (CUBE_ARRAY, [4, 4, 1], 1, 12),
];

/// How many lanes.
const LANES: u32 = 64;
/// How many numbers each is given back.
const RETURNED: u32 = 8;

/// The shader of a type and a dimension.
fn shader<'g>(gpu: &'g Gpu, ty: &Type, dim: crate::gpu::image::Dim) -> Done<Texels<'g>> {
    let image = format!("{}image{}", ty.image, dim.glsl);
    let macros = [("IMAGE", image.as_str()), ("FORMAT", ty.layout), ("WORD", ty.word), ("WIDE(x)", ty.wide)];
    Texels::new(gpu, &text("image_atomic", "u", dim, &macros), IMAGE)
}

fn atomics(gpu: &Gpu, ty: &'static Type) -> Words {
    let mut results = Results::default();
    let given = noise(1200, 256);
    let beside = gpu.words(&given)?;
    for row in ROWS {
        let shader = shader(gpu, ty, row.0)?;
        let image = gpu.image_of(shape(row, &ty.format).used(vk::ImageUsageFlags::STORAGE), 1201)?;
        let view = image.view()?;
        let before = image.read()?;
        let out = gpu.zeroes((LANES * ty.format.bytes * RETURNED) as usize)?;
        // The box is the image; one group of lanes is started whatever its size, as the others have no texels of their own.
        let over = Box4::of(image.shape.span(0));
        shader.groups(&ty.format, (&view, None), (&out, &beside), &over, 1)?;
        let (after, returned) = (image.read()?, out.read());
        let (texels, returns) = model(ty, &before, &given);
        law(after == texels, || format!("{} {}: texels differ", ty.layout, row.0.glsl))?;
        law(returned == returns, || format!("{} {}: what is returned differs", ty.layout, row.0.glsl))?;
        results.add(&after);
        results.all(&returned);
    }
    Ok(results.words)
}

/// What texels are afterwards, and what lanes are given back.
fn model(ty: &Type, before: &[u32], given: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let wide = ty.format.bytes == 8;
    let signed = ty.format.kind == Kind::Sint;
    let words = |bytes: &[u32]| bytes.iter().rev().fold(0u64, |all, word| all << 32 | u64::from(*word));
    let count = if wide { 2 } else { 1 };
    let mut texels: Vec<u64> = before.chunks_exact(count).map(words).collect();
    let widened = |x: u32| if wide { u64::from(x).wrapping_mul(FACTOR) } else { u64::from(x) };
    let mask = if wide { u64::MAX } else { u64::from(u32::MAX) };
    // Numbers in their order.
    let order = |x: u64| match (wide, signed) {
        (true, true) => x ^ 1 << 63,
        (false, true) => x ^ 1 << 31,
        _ => x,
    };
    let mut returns = Vec::new();
    for lane in 0..LANES {
        let x = given[lane as usize & 255] ^ lane.wrapping_mul(0x9e37_79b9);
        let mut at = |first: u32, change: &dyn Fn(u64) -> u64| {
            let place = &mut texels[(first + (x & 7)) as usize];
            *place = change(*place) & mask;
        };
        at(0, &|old| old.wrapping_add(widened(x >> 3)));
        at(8, &|old| std::cmp::min_by_key(old, widened(x), |x| order(*x)));
        at(16, &|old| std::cmp::max_by_key(old, widened(x), |x| order(*x)));
        at(24, &|old| old & widened(x | 0xff00_ff0f));
        at(32, &|old| old | widened(x & 0x010f_0011));
        at(40, &|old| old ^ widened(x));
        let own = &mut texels[48 + lane as usize];
        let mut turn = |change: &dyn Fn(u64) -> u64| {
            returns.push(*own);
            *own = change(*own) & mask;
        };
        turn(&|_| widened(x));
        turn(&|old| if lane & 1 == 0 { widened(lane) } else { old });
        turn(&|old| old.wrapping_add(widened(5)));
        turn(&|old| std::cmp::max_by_key(old, widened(9), |x| order(*x)));
        turn(&|old| std::cmp::min_by_key(old, widened(x >> 1), |x| order(*x)));
        turn(&|old| old | widened(x & 0x010f_0011));
        turn(&|old| old ^ widened(x >> 2));
        turn(&|old| old & widened(x | 0xff00_ff0f));
    }
    let split =
        |all: Vec<u64>| all.into_iter().flat_map(|x| [x as u32, (x >> 32) as u32].into_iter().take(count)).collect();
    let mut texels: Vec<u32> = split(texels);
    // What is behind the texels in the buffer.
    texels.resize(before.len(), 0);
    (texels, split(returns))
}

/// Atomics on the samples of texels.
fn samples(gpu: &Gpu) -> Words {
    let mut results = Results::default();
    let beside = gpu.words(&noise(1202, 256))?;
    for (ty, size) in [(&UINT, [8, 4, 1]), (&INT, [8, 4, 1]), (&UINT, [17, 11, 1])] {
        let format = format(ty.format.vk);
        let usage = vk::ImageUsageFlags::STORAGE | vk::ImageUsageFlags::SAMPLED;
        let shape = Shape { samples: 4, ..shape((SAMPLES, size, 1, 1), format) }.used(usage);
        let image = gpu.image(shape)?;
        let view = image.view()?;
        let out = gpu.zeroes((LANES * 4 * RETURNED) as usize)?;
        let over = Box4 { seed: 77, ..Box4::of(shape.span(0)) };
        storer(gpu, format, SAMPLES)?.run(format, (&view, None), (&out, &beside), &over)?;
        shader(gpu, ty, SAMPLES)?.groups(format, (&view, None), (&out, &beside), &over, 1)?;
        results.add(&fetcher(gpu, format.prefix(), SAMPLES)?.words(format, (&view, None), &beside, &over)?);
        results.all(&out.read());
    }
    Ok(results.words)
}
