//! Views: some levels and layers, other components, other formats, other dimensions.

use super::loads::{fetcher, storer};
use super::texel::{Box4, Texels};
use super::{Results, Sized, shape};
use crate::api::Function;
use crate::gpu::Gpu;
use crate::gpu::formats::{Format, Kind, format, formats};
use crate::gpu::image::{CUBE, CUBE_ARRAY, D1, D1_ARRAY, D2, D2_ARRAY, D3, Dim, Shape};
use crate::stop::Words;
use ash::vk;

pub const ALL: &[Function] = &[
    Function { name: "image_view_parts", needs: &[], run: parts },
    Function { name: "image_view_parts_stored", needs: WITHOUT, run: parts_stored },
    Function { name: "image_view_components", needs: &[], run: components },
    Function { name: "image_view_formats", needs: &[], run: other_formats },
    Function { name: "image_view_formats_stored", needs: WITHOUT, run: other_formats_stored },
    Function { name: "image_view_blocks", needs: &["texture_compression_bc"], run: blocks },
];

const WITHOUT: &[&str] = &["shader_storage_image_write_without_format"];

/// One format of each number of bytes, and types.
const FORMATS: [vk::Format; 7] = [
    vk::Format::R8_UINT,
    vk::Format::R16_SNORM,
    vk::Format::R8G8B8A8_UNORM,
    vk::Format::R16G16_SINT,
    vk::Format::R32G32_SFLOAT,
    vk::Format::R16G16B16A16_UINT,
    vk::Format::R32G32B32A32_UINT,
];

/// An image, and a view of it: dimension, first level, levels, first layer, layers.
type Part = (Sized, Dim, [u32; 4]);

const PARTS: [Part; 18] = [
    ((D1, [70, 1, 1], 6, 1), D1, [2, 3, 0, 1]),
    ((D1_ARRAY, [40, 1, 1], 3, 6), D1_ARRAY, [0, 3, 2, 3]),
    ((D1_ARRAY, [40, 1, 1], 3, 6), D1, [1, 2, 5, 1]),
    ((D2, [40, 30, 1], 5, 1), D2, [1, 4, 0, 1]),
    ((D2, [40, 30, 1], 5, 1), D2, [3, 1, 0, 1]),
    ((D2, [40, 30, 1], 1, 1), D2_ARRAY, [0, 1, 0, 1]),
    ((D2, [150, 140, 1], 8, 1), D2, [2, 2, 0, 1]),
    ((D2, [16, 130, 1], 5, 1), D2, [1, 2, 0, 1]),
    ((D2_ARRAY, [24, 20, 1], 4, 7), D2_ARRAY, [1, 2, 2, 4]),
    ((D2_ARRAY, [24, 20, 1], 4, 7), D2_ARRAY, [2, 2, 6, 1]),
    ((D2_ARRAY, [24, 20, 1], 4, 7), D2, [0, 4, 3, 1]),
    ((D2_ARRAY, [70, 66, 1], 2, 3), D2, [1, 1, 2, 1]),
    ((D3, [20, 18, 9], 4, 1), D3, [1, 2, 0, 1]),
    ((D3, [40, 36, 20], 4, 1), D3, [2, 2, 0, 1]),
    ((CUBE, [16, 16, 1], 4, 6), D2, [1, 3, 4, 1]),
    ((CUBE, [16, 16, 1], 4, 6), D2_ARRAY, [0, 2, 1, 5]),
    ((CUBE_ARRAY, [12, 12, 1], 3, 12), D2_ARRAY, [1, 1, 5, 7]),
    ((CUBE_ARRAY, [12, 12, 1], 3, 12), D2, [0, 3, 11, 1]),
];

/// What a view is as an image: the shape of what it shows.
fn shown(shape: &Shape, dim: Dim, [level, levels, _, layers]: [u32; 4]) -> Shape {
    Shape { dim, size: shape.level(level), levels, layers, ..*shape }
}

/// Fetches through views of parts.
fn parts(gpu: &Gpu) -> Words {
    let mut results = Results::default();
    let nothing = gpu.zeroes(64)?;
    for (sized, dim, part) in PARTS {
        for (format, seed) in formats(&FORMATS).into_iter().zip(1300..) {
            let image = gpu.image_of(shape(sized, format).used(vk::ImageUsageFlags::SAMPLED), seed)?;
            let range = image.shape.range(part[0], part[1], part[2], part[3]);
            let view = image.view_of(dim, format.vk, range, vk::ComponentMapping::default())?;
            let shader = fetcher(gpu, format.prefix(), dim)?;
            let seen = shown(&image.shape, dim, part);
            for level in 0..seen.levels {
                let over = Box4 { level: level as i32, ..Box4::of(seen.span(level)) };
                results.add(&shader.words(format, (&view, None), &nothing, &over)?);
            }
        }
    }
    Ok(results.words)
}

/// Stores through views of parts, one level each.
fn parts_stored(gpu: &Gpu) -> Words {
    let mut results = Results::default();
    let nothing = gpu.zeroes(64)?;
    for (sized, dim, mut part) in PARTS {
        part[1] = 1;
        for (format, seed) in formats(&FORMATS).into_iter().zip(1400..) {
            let image = gpu.image_of(shape(sized, format).used(vk::ImageUsageFlags::STORAGE), seed)?;
            let range = image.shape.range(part[0], 1, part[2], part[3]);
            let view = image.view_of(dim, format.vk, range, vk::ComponentMapping::default())?;
            let over = Box4 { seed, ..Box4::of(shown(&image.shape, dim, part).span(0)) };
            storer(gpu, format, dim)?.run(format, (&view, None), (&nothing, &nothing), &over)?;
            results.add(&image.read()?);
        }
    }
    Ok(results.words)
}

/// Letters of components: `=` is the one that is there, 0 and 1 are numbers.
const COMPONENTS: [&str; 14] =
    ["====", "rgba", "bgra", "abgr", "rrrr", "aaaa", "0000", "1111", "10ba", "=r01", "gggr", "b1a0", "0==1", "ar=g"];

fn mapping(letters: &str) -> vk::ComponentMapping {
    let one = |n: usize| match letters.as_bytes()[n] {
        b'r' => vk::ComponentSwizzle::R,
        b'g' => vk::ComponentSwizzle::G,
        b'b' => vk::ComponentSwizzle::B,
        b'a' => vk::ComponentSwizzle::A,
        b'0' => vk::ComponentSwizzle::ZERO,
        b'1' => vk::ComponentSwizzle::ONE,
        _ => vk::ComponentSwizzle::IDENTITY,
    };
    vk::ComponentMapping { r: one(0), g: one(1), b: one(2), a: one(3) }
}

/// Components in another order.
fn components(gpu: &Gpu) -> Words {
    let chosen = [
        vk::Format::R8_UNORM,
        vk::Format::R8G8_SNORM,
        vk::Format::R8G8B8A8_UNORM,
        vk::Format::B8G8R8A8_UNORM,
        vk::Format::A8B8G8R8_SNORM_PACK32,
        vk::Format::B4G4R4A4_UNORM_PACK16,
        vk::Format::R8G8B8A8_UINT,
        vk::Format::A2B10G10R10_UINT_PACK32,
        vk::Format::R16_SINT,
        vk::Format::R16G16B16A16_SFLOAT,
        vk::Format::R32_SFLOAT,
        vk::Format::R32G32_UINT,
        vk::Format::R32G32B32A32_SINT,
        vk::Format::B10G11R11_UFLOAT_PACK32,
        vk::Format::E5B9G9R9_UFLOAT_PACK32,
    ];
    let mut results = Results::default();
    let nothing = gpu.zeroes(64)?;
    for (format, seed) in formats(&chosen).into_iter().zip(1500..) {
        let image = gpu.image_of(shape((D2, [9, 7, 1], 1, 1), format).used(vk::ImageUsageFlags::SAMPLED), seed)?;
        let shader = fetcher(gpu, format.prefix(), D2)?;
        // Components change places: all are rounded as the first is.
        let even = Format { range: [format.range[0]; 4], ..*format };
        for letters in COMPONENTS {
            let view = image.view_of(D2, format.vk, image.shape.whole(), mapping(letters))?;
            results.add(&shader.words(&even, (&view, None), &nothing, &Box4::of(image.shape.span(0)))?);
        }
    }
    Ok(results.words)
}

/// Formats of one class: texels of the same size.
const CLASSES: [&[vk::Format]; 5] = [
    &[vk::Format::R8_UNORM, vk::Format::R8_SNORM, vk::Format::R8_UINT, vk::Format::R8_SINT],
    &[
        vk::Format::R8G8_UNORM,
        vk::Format::R8G8_SINT,
        vk::Format::R16_UNORM,
        vk::Format::R16_UINT,
        vk::Format::R16_SFLOAT,
        vk::Format::R5G6B5_UNORM_PACK16,
        vk::Format::A1R5G5B5_UNORM_PACK16,
    ],
    &[
        vk::Format::R8G8B8A8_UNORM,
        vk::Format::B8G8R8A8_UNORM,
        vk::Format::A8B8G8R8_SINT_PACK32,
        vk::Format::R16G16_UINT,
        vk::Format::R16G16_SFLOAT,
        vk::Format::R32_UINT,
        vk::Format::R32_SFLOAT,
        vk::Format::A2B10G10R10_UNORM_PACK32,
        vk::Format::B10G11R11_UFLOAT_PACK32,
        vk::Format::E5B9G9R9_UFLOAT_PACK32,
    ],
    &[
        vk::Format::R16G16B16A16_UNORM,
        vk::Format::R16G16B16A16_SINT,
        vk::Format::R32G32_UINT,
        vk::Format::R32G32_SFLOAT,
    ],
    &[vk::Format::R32G32B32A32_UINT, vk::Format::R32G32B32A32_SINT, vk::Format::R32G32B32A32_SFLOAT],
];

/// Every format of a class through views of every other: the contents are those of the view.
fn other_formats(gpu: &Gpu) -> Words {
    let mut results = Results::default();
    let nothing = gpu.zeroes(64)?;
    for class in CLASSES {
        for seen in formats(class) {
            let shader = fetcher(gpu, seen.prefix(), D2)?;
            for (own, seed) in formats(class).into_iter().zip(1600..) {
                let shape = shape((D2, [21, 13, 1], 2, 1), own).used(vk::ImageUsageFlags::SAMPLED);
                let image =
                    gpu.image_with(Shape { mutable: true, ..shape }, &seen.contents(seed, shape.regions().1))?;
                let view = image.view_of(D2, seen.vk, shape.whole(), vk::ComponentMapping::default())?;
                for level in 0..2 {
                    let over = Box4 { level: level as i32, ..Box4::of(shape.span(level)) };
                    results.add(&shader.words(seen, (&view, None), &nothing, &over)?);
                }
            }
        }
    }
    Ok(results.words)
}

/// The same for stores.
fn other_formats_stored(gpu: &Gpu) -> Words {
    let mut results = Results::default();
    let nothing = gpu.zeroes(64)?;
    for class in CLASSES {
        let stored = || formats(class).into_iter().filter(|format| format.storage);
        for seen in stored() {
            let shader: Texels<'_> = storer(gpu, seen, D2)?;
            for (own, seed) in stored().zip(1700..) {
                let shape = shape((D2, [21, 13, 1], 1, 1), own).used(vk::ImageUsageFlags::STORAGE);
                let image = gpu.image_of(Shape { mutable: true, ..shape }, seed)?;
                let view = image.view_of(D2, seen.vk, shape.whole(), vk::ComponentMapping::default())?;
                let over = Box4 { seed, ..Box4::of(shape.span(0)) };
                shader.run(seen, (&view, None), (&nothing, &nothing), &over)?;
                results.add(&image.read()?);
            }
        }
    }
    Ok(results.words)
}

/// Blocks through views that take them for texels, one level each.
fn blocks(gpu: &Gpu) -> Words {
    let pairs = [
        (vk::Format::BC1_RGBA_UNORM_BLOCK, vk::Format::R32G32_UINT),
        (vk::Format::BC4_UNORM_BLOCK, vk::Format::R16G16B16A16_UINT),
        (vk::Format::BC3_UNORM_BLOCK, vk::Format::R32G32B32A32_UINT),
        (vk::Format::BC7_UNORM_BLOCK, vk::Format::R32G32B32A32_UINT),
    ];
    let mut results = Results::default();
    let nothing = gpu.zeroes(64)?;
    for (own, seen) in pairs.map(|(own, seen)| (format(own), format(seen))) {
        assert_eq!(seen.kind, Kind::Uint);
        let shader = fetcher(gpu, seen.prefix(), D2)?;
        for (size, levels) in [([64, 64, 1], 5), ([68, 36, 1], 1), ([256, 128, 1], 4)] {
            let shape = shape((D2, size, levels, 1), own).used(vk::ImageUsageFlags::SAMPLED);
            let image = gpu.image_of(Shape { texels: true, ..shape }, 1800 + levels)?;
            for level in 0..levels {
                let range = shape.range(level, 1, 0, 1);
                let view = image.view_of(D2, seen.vk, range, vk::ComponentMapping::default())?;
                let [w, h, _] = shape.level(level);
                let over = Box4::of([w.div_ceil(4), h.div_ceil(4), 1, 1]);
                results.add(&shader.words(seen, (&view, None), &nothing, &over)?);
            }
        }
    }
    Ok(results.words)
}
