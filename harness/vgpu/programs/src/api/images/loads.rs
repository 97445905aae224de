//! Texels that shaders load, fetch and store.

use super::texel::{Box4, IMAGE, TEXTURE, Texels, text};
use super::{LACKS, Results, Sized, shape};
use crate::api::Function;
use crate::gpu::Gpu;
use crate::gpu::formats::{BLOCKS, COLOURS, DEPTHS, Format, Kind, format, sampled, stored};
use crate::gpu::image::{CUBE, CUBE_ARRAY, D1, D1_ARRAY, D2, D2_ARRAY, D3, Dim, SAMPLES, SAMPLES_ARRAY, Shape};
use crate::stop::{Done, Words, law};
use ash::vk;

pub const ALL: &[Function] = &[
    Function { name: "image_load_1d", needs: WITHOUT, run: |gpu| load(gpu, &[ONE, ONE_ARRAY], inside) },
    Function { name: "image_load_2d", needs: WITHOUT, run: |gpu| load(gpu, &[TWO, TWO_BIG], inside) },
    Function {
        name: "image_load_layers",
        needs: WITHOUT,
        run: |gpu| load(gpu, &[TWO_ARRAY, CUBES, CUBES_ARRAY], inside),
    },
    Function { name: "image_load_3d", needs: WITHOUT, run: |gpu| load(gpu, &[THREE, THREE_FLAT], inside) },
    Function { name: "image_load_outside", needs: OUTSIDE, run: |gpu| load(gpu, &EACH, around) },
    Function { name: "image_store_1d", needs: WITHOUT, run: |gpu| store(gpu, &[ONE, ONE_ARRAY], inside) },
    Function { name: "image_store_2d", needs: WITHOUT, run: |gpu| store(gpu, &[TWO, TWO_BIG], inside) },
    Function {
        name: "image_store_layers",
        needs: WITHOUT,
        run: |gpu| store(gpu, &[TWO_ARRAY, CUBES, CUBES_ARRAY], inside),
    },
    Function { name: "image_store_3d", needs: WITHOUT, run: |gpu| store(gpu, &[THREE, THREE_FLAT], inside) },
    Function { name: "image_store_alike", needs: WITHOUT, run: store_alike },
    Function { name: "image_store_outside", needs: OUTSIDE, run: |gpu| store(gpu, &EACH, around) },
    Function { name: "image_fetch_levels_1d", needs: &[], run: |gpu| fetch(gpu, sampled(), &FETCH_ONE) },
    Function { name: "image_fetch_levels_2d", needs: &[], run: |gpu| fetch(gpu, sampled(), &FETCH_TWO) },
    Function { name: "image_fetch_levels_3d", needs: &[], run: |gpu| fetch(gpu, sampled(), &FETCH_THREE) },
    Function { name: "image_fetch_large", needs: &[], run: |gpu| fetch(gpu, sampled().step_by(13), &FETCH_LARGE) },
    Function { name: "image_fetch_outside", needs: OUTSIDE, run: fetch_outside },
    Function { name: "image_fetch_depths", needs: &[], run: |gpu| fetch(gpu, DEPTHS.iter(), &FETCH_DEPTH) },
    Function {
        name: "image_fetch_blocks",
        needs: &["texture_compression_bc"],
        run: |gpu| fetch(gpu, exact_blocks(), &FETCH_TWO),
    },
    Function { name: "image_fetch_curves", needs: &["texture_compression_bc"], run: |gpu| fetch_near(gpu, curves()) },
    Function {
        name: "image_fetch_blocks_near",
        needs: &["texture_compression_bc"],
        run: |gpu| fetch_near(gpu, near()),
    },
    Function {
        name: "image_fetch_blocks_steep",
        needs: &["texture_compression_bc"],
        run: |gpu| fetch_near(gpu, steep()),
    },
    Function { name: "image_samples_4", needs: &["shader_storage_image_multisample"], run: |gpu| samples(gpu, 4) },
    Function { name: "image_samples_2", needs: &["storage_image_samples_2"], run: |gpu| samples(gpu, 2) },
    Function { name: "image_samples_8", needs: &["storage_image_samples_8"], run: |gpu| samples(gpu, 8) },
];

const WITHOUT: &[&str] =
    &["shader_storage_image_read_without_format", "shader_storage_image_write_without_format", "image_cube_array"];
const OUTSIDE: &[&str] =
    &["shader_storage_image_read_without_format", "shader_storage_image_write_without_format", "robust_image_access2"];

const ONE: Sized = (D1, [70, 1, 1], 1, 1);
const ONE_ARRAY: Sized = (D1_ARRAY, [33, 1, 1], 1, 4);
const TWO: Sized = (D2, [19, 23, 1], 1, 1);
const TWO_BIG: Sized = (D2, [72, 40, 1], 1, 1);
const TWO_ARRAY: Sized = (D2_ARRAY, [20, 9, 1], 1, 5);
const CUBES: Sized = (CUBE, [12, 12, 1], 1, 6);
const CUBES_ARRAY: Sized = (CUBE_ARRAY, [5, 5, 1], 1, 12);
const THREE: Sized = (D3, [11, 10, 9], 1, 1);
const THREE_FLAT: Sized = (D3, [40, 20, 2], 1, 1);
const EACH: [Sized; 6] = [ONE, ONE_ARRAY, TWO, TWO_ARRAY, CUBES, THREE];
const FETCH_ONE: [Sized; 2] = [(D1, [61, 1, 1], 5, 1), (D1_ARRAY, [30, 1, 1], 3, 3)];
const FETCH_TWO: [Sized; 3] = [(D2, [33, 17, 1], 6, 1), (D2_ARRAY, [16, 12, 1], 4, 3), (D2, [9, 40, 1], 1, 1)];
const FETCH_THREE: [Sized; 2] = [(D3, [17, 9, 5], 5, 1), (D3, [8, 8, 12], 2, 1)];
const FETCH_LARGE: [Sized; 1] = [(D2, [270, 150, 1], 9, 1)];
const FETCH_DEPTH: [Sized; 3] = [(D2, [33, 17, 1], 1, 1), (D2, [80, 70, 1], 5, 1), (D2_ARRAY, [20, 20, 1], 1, 3)];

/// All texels.
fn inside(shape: &Shape) -> Box4 {
    Box4::of(shape.span(0))
}

/// All texels and two around them, where the image has such a direction.
fn around(shape: &Shape) -> Box4 {
    let has = match shape.dim.glsl {
        "1D" => 1,
        "1DArray" | "2D" => 2,
        _ => 3,
    };
    let more = [0, 1, 2, 3].map(|n| u32::from(n < has) * 2);
    let span = shape.span(0);
    let size = [0, 1, 2, 3].map(|n| span[n] + 2 * more[n]);
    Box4 { from: more.map(|more| -(more as i32)), alpha: shape.format.alpha(), ..Box4::of(size) }
}

/// The shader that loads.
fn loader<'g>(gpu: &'g Gpu, format: &Format, dim: Dim) -> Done<Texels<'g>> {
    let image = format!("readonly {}image{}", format.prefix(), dim.glsl);
    let macros = [("IMAGE", image.as_str()), ("READ", "imageLoad(t, AT)")];
    Texels::new(gpu, &text("image_read", format.prefix(), dim, &macros), IMAGE)
}

/// The shader that fetches.
pub fn fetcher<'g>(gpu: &'g Gpu, prefix: &str, dim: Dim) -> Done<Texels<'g>> {
    let (image, read) = (format!("{prefix}texture{}", dim.glsl), format!("texelFetch(t, {})", dim.fetch));
    let macros = [("IMAGE", image.as_str()), ("READ", read.as_str())];
    Texels::new(gpu, &text("image_read", prefix, dim, &macros), TEXTURE)
}

/// The shader that stores.
pub fn storer<'g>(gpu: &'g Gpu, format: &Format, dim: Dim) -> Done<Texels<'g>> {
    storer_of(gpu, format, dim, "V")
}

/// One that stores something made of a value `V` of type `T`.
fn storer_of<'g>(gpu: &'g Gpu, format: &Format, dim: Dim, made: &str) -> Done<Texels<'g>> {
    let image = format!("{}image{}", format.prefix(), dim.glsl);
    let value = match format.kind {
        Kind::Uint => "k",
        Kind::Sint => "(ivec4(k) - less)",
        _ => "((vec4(k) - vec4(less)) / over)",
    };
    let ty = format!("{}vec4", format.prefix());
    let macros = [("IMAGE", image.as_str()), ("V", value), ("T", ty.as_str()), ("VALUE", made)];
    Texels::new(gpu, &text("image_write", format.prefix(), dim, &macros), IMAGE)
}

/// Formats by what shaders see of them, so that each shader is made once.
fn groups(formats: impl Iterator<Item = &'static Format>) -> Vec<Vec<&'static Format>> {
    let mut groups: Vec<Vec<&Format>> = Vec::new();
    let like = |format: &Format| (format.prefix(), if format.prefix().is_empty() { "" } else { "whole" });
    for format in formats {
        match groups.iter_mut().find(|group| like(group[0]) == like(format)) {
            Some(group) => group.push(format),
            None => groups.push(vec![format]),
        }
    }
    groups
}

fn load(gpu: &Gpu, sized: &[Sized], over: fn(&Shape) -> Box4) -> Words {
    let mut results = Results::default();
    let nothing = gpu.zeroes(64)?;
    for group in groups(stored()) {
        for row in sized {
            let shader = loader(gpu, group[0], row.0)?;
            for (format, seed) in group.iter().zip(600..) {
                let shape = shape(*row, format).used(vk::ImageUsageFlags::STORAGE);
                let image = gpu.image_of(shape, seed)?;
                let view = image.view()?;
                results.add(&shader.words(format, (&view, None), &nothing, &over(&shape))?);
            }
        }
    }
    Ok(results.words)
}

fn store(gpu: &Gpu, sized: &[Sized], over: fn(&Shape) -> Box4) -> Words {
    let mut results = Results::default();
    store_made(gpu, &mut results, groups(stored()), sized, over, "V")?;
    Ok(results.words)
}

/// Stores of components that are alike, or zero: compilers leave out what hardware fills in.
fn store_alike(gpu: &Gpu) -> Words {
    let mut results = Results::default();
    // Of formats where what fits one component fits all.
    let even = |format: &&Format| format.range.iter().all(|range| *range == 1 || *range == format.range[0]);
    for made in ["V.xxxx", "V.yxyy", "T(0, V.y, 0, V.x)", "T(V.x, 0, 0, V.x)", "T(V.xy, V.xx)"] {
        store_made(gpu, &mut results, groups(stored().filter(even)), &[ONE, TWO_ARRAY], inside, made)?;
    }
    Ok(results.words)
}

fn store_made(
    gpu: &Gpu,
    results: &mut Results,
    groups: Vec<Vec<&'static Format>>,
    sized: &[Sized],
    over: fn(&Shape) -> Box4,
    made: &str,
) -> Done<()> {
    let nothing = gpu.zeroes(64)?;
    for group in groups {
        for row in sized {
            let shader = storer_of(gpu, group[0], row.0, made)?;
            for (format, seed) in group.iter().zip(700..) {
                let shape = shape(*row, format).used(vk::ImageUsageFlags::STORAGE);
                let image = gpu.image_of(shape, seed)?;
                let view = image.view()?;
                let over = Box4 { seed: seed * 0x1001, ..over(&shape) };
                shader.run(format, (&view, None), (&nothing, &nothing), &over)?;
                results.add(&image.read()?);
            }
        }
    }
    Ok(())
}

fn fetch(gpu: &Gpu, formats: impl Iterator<Item = &'static Format>, sized: &[Sized]) -> Words {
    let mut results = Results::default();
    let nothing = gpu.zeroes(64)?;
    for group in groups(formats) {
        for row in sized {
            let shader = fetcher(gpu, group[0].prefix(), row.0)?;
            for (format, seed) in group.iter().zip(800..) {
                let shape = shape(*row, format).used(vk::ImageUsageFlags::SAMPLED);
                if !gpu.makes(&shape) {
                    results.all(&[LACKS]);
                    continue;
                }
                let image = gpu.image_of(shape, seed)?;
                let view = image.view()?;
                for level in 0..shape.levels {
                    let over = Box4 { level: level as i32, ..Box4::of(shape.span(level)) };
                    results.add(&shader.words(format, (&view, None), &nothing, &over)?);
                }
            }
        }
    }
    Ok(results.words)
}

/// Fetches around each level.
fn fetch_outside(gpu: &Gpu) -> Words {
    let mut results = Results::default();
    let nothing = gpu.zeroes(64)?;
    let sized = [(D1, [21, 1, 1], 3, 1), (D2, [18, 11, 1], 3, 1), (D2_ARRAY, [9, 9, 1], 2, 3), (D3, [7, 6, 5], 2, 1)];
    for group in groups(sampled()) {
        for row in sized {
            let shader = fetcher(gpu, group[0].prefix(), row.0)?;
            for (format, seed) in group.iter().zip(900..) {
                let shape = shape(row, format).used(vk::ImageUsageFlags::SAMPLED);
                let image = gpu.image_of(shape, seed)?;
                let view = image.view()?;
                for level in 0..shape.levels {
                    let smaller = Shape { size: shape.level(level), ..shape };
                    let over = Box4 { level: level as i32, ..around(&smaller) };
                    results.add(&shader.words(format, (&view, None), &nothing, &over)?);
                }
            }
        }
    }
    Ok(results.words)
}

/// Formats of blocks whose texels are said to the bit.
fn exact_blocks() -> impl Iterator<Item = &'static Format> {
    [vk::Format::BC6H_UFLOAT_BLOCK, vk::Format::BC6H_SFLOAT_BLOCK, vk::Format::BC7_UNORM_BLOCK].into_iter().map(format)
}

/// Formats whose texels are said to the bit but for a curve.
fn curves() -> impl Iterator<Item = &'static Format> {
    COLOURS.iter().filter(|format| format.kind == Kind::Srgb).chain([format(vk::Format::BC7_SRGB_BLOCK)])
}

/// Formats of blocks between whose ends a device interpolates, in steps of 255.
fn near() -> impl Iterator<Item = &'static Format> {
    let chosen = [
        vk::Format::BC1_RGB_UNORM_BLOCK,
        vk::Format::BC1_RGBA_UNORM_BLOCK,
        vk::Format::BC2_UNORM_BLOCK,
        vk::Format::BC3_UNORM_BLOCK,
        vk::Format::BC4_UNORM_BLOCK,
        vk::Format::BC5_UNORM_BLOCK,
    ];
    chosen.into_iter().map(format)
}

/// The same with larger steps, and with a curve behind.
fn steep() -> impl Iterator<Item = &'static Format> {
    BLOCKS.iter().filter(|block| exact_blocks().chain(near()).chain(curves()).all(|other| other != *block))
}

/// Texels of each level, as they are.
fn fetch_near(gpu: &Gpu, formats: impl Iterator<Item = &'static Format>) -> Words {
    let mut results = Results::default();
    let nothing = gpu.zeroes(64)?;
    let shader = fetcher(gpu, "", D2)?;
    for (format, seed) in formats.zip(1000..) {
        let shape = shape((D2, [20, 12, 1], 3, 1), format).used(vk::ImageUsageFlags::SAMPLED);
        let image = gpu.image_of(shape, seed)?;
        let view = image.view()?;
        for level in 0..shape.levels {
            let over = Box4 { level: level as i32, exact: true, ..Box4::of(shape.span(level)) };
            results.all(&shader.words(format, (&view, None), &nothing, &over)?);
        }
    }
    Ok(results.words)
}

/// Texels of many samples: stored, loaded and fetched. What comes back is checked here too: not every device has these numbers.
fn samples(gpu: &Gpu, count: u32) -> Words {
    let mut results = Results::default();
    let nothing = gpu.zeroes(64)?;
    for group in groups(stored()) {
        for (row, size) in
            [((SAMPLES, [13, 9, 1], 1, 1), [13, 9, 1]), ((SAMPLES_ARRAY, [40, 21, 1], 1, 3), [40, 21, 3])]
        {
            let (storer, loader) = (storer(gpu, group[0], row.0)?, loader(gpu, group[0], row.0)?);
            let fetcher = fetcher(gpu, group[0].prefix(), row.0)?;
            for (format, seed) in group.iter().zip(1100..) {
                let usage = vk::ImageUsageFlags::STORAGE | vk::ImageUsageFlags::SAMPLED;
                let shape = Shape { samples: count, ..shape(row, format) }.used(usage);
                if !gpu.makes(&shape) {
                    results.all(&[LACKS]);
                    continue;
                }
                let image = gpu.image(shape)?;
                let view = image.view()?;
                let over = Box4 { seed, ..Box4::of([size[0], size[1], size[2], count]) };
                storer.run(format, (&view, None), (&nothing, &nothing), &over)?;
                let loaded = loader.words(format, (&view, None), &nothing, &over)?;
                let fetched = fetcher.words(format, (&view, None), &nothing, &over)?;
                law(loaded == fetched, || format!("{:?}: loads differ from fetches", format.vk))?;
                let differ = loaded.chunks(4).filter(|texel| *texel != &loaded[..4]).count();
                law(differ > loaded.len() / 16, || format!("{:?}: {differ} texels differ", format.vk))?;
                results.add(&loaded);
            }
        }
    }
    Ok(results.words)
}
