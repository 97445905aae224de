//! Samples and gathers in compute shaders.
//!
//! Coordinates keep away from where a device may choose: those of NEAREST from the borders of texels, levels from the middle between
//! two, layers likewise, gathers from borders and centres. What LINEAR gives is compared within a bound: weights have 8 bits.

use super::texel::{Box4, SAMPLED, Texels, text};
use super::{Results, Sized, shape};
use crate::api::{Function, noise};
use crate::gpu::Gpu;
use crate::gpu::formats::{Format, formats};
use crate::gpu::image::{CUBE, CUBE_ARRAY, D1, D1_ARRAY, D2, D2_ARRAY, D3, Dim, Shape};
use crate::stop::{Done, Words};
use ash::vk;

pub const ALL: &[Function] = &[
    Function {
        name: "image_nearest_1d",
        needs: MIRROR,
        run: |gpu| nearest(gpu, &[(D1, [13, 1, 1], 1, 1), (D1_ARRAY, [9, 1, 1], 3, 3)]),
    },
    Function { name: "image_nearest_2d", needs: MIRROR, run: |gpu| nearest(gpu, &[(D2, [13, 7, 1], 3, 1)]) },
    Function { name: "image_nearest_layers", needs: MIRROR, run: |gpu| nearest(gpu, &[(D2_ARRAY, [8, 5, 1], 2, 4)]) },
    Function { name: "image_nearest_3d", needs: MIRROR, run: |gpu| nearest(gpu, &[(D3, [7, 6, 5], 2, 1)]) },
    Function {
        name: "image_nearest_borders",
        needs: &["VK_EXT_border_color_swizzle"],
        run: |gpu| {
            each(
                gpu,
                &[(D1, [13, 1, 1], 1, 1), (D2, [13, 7, 1], 3, 1), (D3, [7, 6, 5], 2, 1)],
                &BELOW,
                &ADDRESSES[4..7],
                &LEVELS[..1],
            )
        },
    },
    Function {
        name: "image_nearest_cube",
        needs: &["image_cube_array"],
        run: |gpu| each(gpu, &CUBES, &FORMATS, &["REPEAT"], &LEVELS[..1]),
    },
    Function { name: "image_nearest_levels", needs: &[], run: |gpu| each(gpu, &LEVELED, &FEW, &["REPEAT"], &LEVELS) },
    Function { name: "image_nearest_ways", needs: &[], run: ways },
    Function { name: "image_nearest_unnormalized", needs: &[], run: unnormalized },
    Function { name: "image_gather", needs: &["shader_image_gather_extended", "image_cube_array"], run: gather },
    Function { name: "image_compare", needs: &["image_cube_array"], run: compare },
    Function { name: "image_gather_compare", needs: &["image_cube_array"], run: gather_compare },
    Function {
        name: "image_linear_1d",
        needs: MIRROR,
        run: |gpu| linear(gpu, &[(D1, [16, 1, 1], 3, 1), (D1_ARRAY, [13, 1, 1], 1, 3)]),
    },
    Function {
        name: "image_linear_2d",
        needs: MIRROR,
        run: |gpu| linear(gpu, &[(D2, [16, 8, 1], 3, 1), (D2, [13, 7, 1], 1, 1)]),
    },
    Function { name: "image_linear_layers", needs: MIRROR, run: |gpu| linear(gpu, &[(D2_ARRAY, [16, 8, 1], 3, 3)]) },
    Function { name: "image_linear_3d", needs: MIRROR, run: |gpu| linear(gpu, &[(D3, [8, 8, 4], 2, 1)]) },
    Function { name: "image_linear_cube", needs: &["image_cube_array"], run: |gpu| linear(gpu, &CUBES_FLAT) },
];

const MIRROR: &[&str] = &["sampler_mirror_clamp_to_edge"];

const FORMATS: [vk::Format; 17] = [
    vk::Format::R8_UNORM,
    vk::Format::R8G8_SNORM,
    vk::Format::R8G8B8A8_UNORM,
    vk::Format::B8G8R8A8_UNORM,
    vk::Format::R5G6B5_UNORM_PACK16,
    vk::Format::A1R5G5B5_UNORM_PACK16,
    vk::Format::A2B10G10R10_UNORM_PACK32,
    vk::Format::R16G16B16A16_SFLOAT,
    vk::Format::R32_SFLOAT,
    vk::Format::R32G32B32A32_SFLOAT,
    vk::Format::B10G11R11_UFLOAT_PACK32,
    vk::Format::E5B9G9R9_UFLOAT_PACK32,
    vk::Format::R8G8B8A8_UINT,
    vk::Format::R16G16_SINT,
    vk::Format::R32_UINT,
    vk::Format::R32G32B32A32_SINT,
    vk::Format::A2B10G10R10_UINT_PACK32,
];
/// Formats whose fourth component lies below the others: devices without swizzles of border colours may put the 1 of opaque black
/// elsewhere.
const BELOW: [vk::Format; 3] =
    [vk::Format::B5G5R5A1_UNORM_PACK16, vk::Format::R5G5B5A1_UNORM_PACK16, vk::Format::B4G4R4A4_UNORM_PACK16];
pub const FEW: [vk::Format; 4] =
    [vk::Format::R8G8B8A8_UNORM, vk::Format::R16_SINT, vk::Format::R32G32_UINT, vk::Format::R32_SFLOAT];

const CUBES: [Sized; 2] = [(CUBE, [8, 8, 1], 3, 6), (CUBE_ARRAY, [7, 7, 1], 1, 12)];
const CUBES_FLAT: [Sized; 2] = [(CUBE, [8, 8, 1], 1, 6), (CUBE_ARRAY, [7, 7, 1], 1, 12)];
const LEVELED: [Sized; 5] = [
    (D1, [40, 1, 1], 6, 1),
    (D2, [33, 17, 1], 6, 1),
    (D2_ARRAY, [20, 12, 1], 5, 3),
    (D3, [17, 9, 5], 5, 1),
    (CUBE, [16, 16, 1], 5, 6),
];

/// How coordinates outside are meant, one letter for each direction where they differ.
const ADDRESSES: [&str; 11] = [
    "REPEAT",
    "MIRROR",
    "EDGE",
    "ONCE",
    "CLEAR",
    "BLACK",
    "WHITE",
    "repeat edge mirror",
    "edge white repeat",
    "mirror repeat once",
    "once mirror black",
];

/// Address modes and the border colour of a row.
fn addresses(row: &str, whole: bool) -> ([vk::SamplerAddressMode; 3], vk::BorderColor) {
    let mut border = vk::BorderColor::FLOAT_TRANSPARENT_BLACK;
    let mut words: Vec<&str> = row.split(' ').collect();
    words.resize(3, words[0]);
    let modes = [0, 1, 2].map(|n: usize| {
        let word = words[if words.len() > n { n } else { 0 }].to_lowercase();
        match word.as_str() {
            "repeat" => vk::SamplerAddressMode::REPEAT,
            "mirror" => vk::SamplerAddressMode::MIRRORED_REPEAT,
            "edge" => vk::SamplerAddressMode::CLAMP_TO_EDGE,
            "once" => vk::SamplerAddressMode::MIRROR_CLAMP_TO_EDGE,
            colour => {
                border = match (colour, whole) {
                    ("clear", false) => vk::BorderColor::FLOAT_TRANSPARENT_BLACK,
                    ("clear", true) => vk::BorderColor::INT_TRANSPARENT_BLACK,
                    ("black", false) => vk::BorderColor::FLOAT_OPAQUE_BLACK,
                    ("black", true) => vk::BorderColor::INT_OPAQUE_BLACK,
                    (_, false) => vk::BorderColor::FLOAT_OPAQUE_WHITE,
                    (_, true) => vk::BorderColor::INT_OPAQUE_WHITE,
                };
                vk::SamplerAddressMode::CLAMP_TO_BORDER
            }
        }
    });
    (modes, border)
}

/// Least and most level, and what is added to it.
pub type Levels = (f32, f32, f32);

pub const LEVELS: [Levels; 5] =
    [(0.0, 1000.0, 0.0), (1.0, 3.0, 0.0), (0.0, 0.25, 0.0), (0.0, 1000.0, 1.0), (2.0, 1000.0, -2.0)];

pub fn info(row: &str, whole: bool, (least, most, bias): Levels) -> vk::SamplerCreateInfo<'static> {
    let ([u, v, w], border) = addresses(row, whole);
    vk::SamplerCreateInfo::default()
        .address_mode_u(u)
        .address_mode_v(v)
        .address_mode_w(w)
        .border_color(border)
        .min_lod(least)
        .max_lod(most)
        .mip_lod_bias(bias)
}

/// How many lanes sample.
pub const LANES: u32 = 128;

/// Where in a texel samples are taken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Within {
    /// Anywhere but at its borders.
    Texel,
    /// The same, where two levels are sampled.
    Both,
    /// Not at its centre either.
    Quarter,
    /// At sixteenths, which every device holds.
    Sixteenth,
}

/// Numbers that look random.
pub struct Random {
    words: Vec<u32>,
    next: usize,
}

impl Random {
    /// So many of them.
    pub fn new(seed: u32, count: usize) -> Random {
        Random { words: noise(seed, count), next: 0 }
    }

    pub fn below(&mut self, count: u32) -> u32 {
        self.next += 1;
        (self.words[self.next - 1] >> 7) % count
    }

    /// A level, of the image or one more at each end, near a whole one, but not at it: at 0 small and large part.
    pub fn level(&mut self, shape: &Shape) -> f32 {
        let level = self.below(shape.levels + 2) as f32 - 1.0;
        level + (0.02 + self.below(77) as f32 * 0.005) * [1.0, -1.0][self.below(2) as usize]
    }

    /// A layer of so many, or one more at each end, away from the middle between two.
    pub fn layer(&mut self, count: u32) -> f32 {
        self.below(count + 2) as f32 - 1.0 + self.below(81) as f32 / 100.0 - 0.4
    }

    /// A place along so many texels, or on either side of them.
    pub fn along(&mut self, size: u32, within: Within) -> f32 {
        let texel = self.below(size * 6) as f32 - (size * 2) as f32 - (size / 2) as f32;
        texel + self.place(within)
    }

    /// A place in a texel.
    fn place(&mut self, within: Within) -> f32 {
        match within {
            Within::Texel | Within::Both => 0.04 + self.below(921) as f32 / 1000.0,
            Within::Quarter => [0.04, 0.54][self.below(2) as usize] + self.below(421) as f32 / 1000.0,
            Within::Sixteenth => self.below(16) as f32 / 16.0,
        }
    }
}

/// Coordinates of lanes: c (x, y, z and the layer behind those that the dimension has), then e: the level, a reference, and steps
/// along x and y that give the same level.
fn coordinates(shape: &Shape, seed: u32, within: Within, levels: Levels, unnormalized: bool) -> Vec<u32> {
    let mut random = Random::new(seed, LANES as usize * 16);
    let mut words = Vec::new();
    for _ in 0..LANES {
        let lod = random.level(shape);
        // The level that is sampled, and the finer one of two.
        let lambda = (lod + levels.2).clamp(levels.0, levels.1);
        let seen = if within == Within::Both { lambda.floor() } else { lambda.round() };
        let seen = seen.clamp(0.0, (shape.levels - 1) as f32);
        let size = shape.level(seen as u32);
        let mut c = [0.0f32; 4];
        let axes = shape.dim.axes();
        if shape.dim.cube() {
            let face = random.below(6);
            let mut along = || (random.below(size[0]) as f32 + random.place(within)) / size[0] as f32 * 2.0 - 1.0;
            let (s, t) = (along(), along());
            let far = 0.5 + random.below(16) as f32 / 8.0;
            let direction = match face {
                0 => [1.0, -t, -s],
                1 => [-1.0, -t, s],
                2 => [s, 1.0, t],
                3 => [s, -1.0, -t],
                4 => [s, -t, 1.0],
                _ => [-s, -t, -1.0],
            };
            (0..3).for_each(|n| c[n] = direction[n] * far);
            c[3] = random.layer(shape.layers / 6);
        } else {
            for n in 0..axes {
                let at = random.along(size[n], within);
                c[n] = if unnormalized { at } else { at / size[n] as f32 };
            }
            c[axes] = random.layer(shape.layers);
        }
        let reference = random.below(17) as f32 / 16.0;
        let step = |n: usize| (lod.exp2()) / shape.size[n] as f32;
        words.extend([c[0], c[1], c[2], c[3], lod, reference, step(0), step(1)].map(f32::to_bits));
    }
    words
}

/// The shader of a way to sample.
fn sampler<'g>(gpu: &'g Gpu, prefix: &str, dim: Dim, shadow: &str, sample: &str) -> Done<Texels<'g>> {
    let image = format!("{prefix}sampler{}{shadow}", dim.glsl);
    let macros = [("IMAGE", image.as_str()), ("C", dim.sample), ("SAMPLE", sample)];
    Texels::new(gpu, &text("image_sample", prefix, dim, &macros), SAMPLED)
}

pub fn lanes() -> Box4 {
    Box4::of([LANES, 1, 1, 1])
}

/// NEAREST, of texels and levels: formats by address modes by levels.
fn each(gpu: &Gpu, sized: &[Sized], chosen: &[vk::Format], rows: &[&str], levels: &[Levels]) -> Words {
    let mut results = Results::default();
    for row in sized {
        for (format, seed) in formats(chosen).into_iter().zip(1900..) {
            let shader = sampler(gpu, format.prefix(), row.0, "", "textureLod(t, C, e.x)")?;
            let image = gpu.image_of(shape(*row, format).used(vk::ImageUsageFlags::SAMPLED), seed)?;
            let view = image.view()?;
            for address in rows {
                for levels in levels {
                    let sampler = gpu.sampler(&info(address, !format.prefix().is_empty(), *levels))?;
                    let given = gpu.words(&coordinates(&image.shape, seed, Within::Texel, *levels, false))?;
                    results.add(&shader.words(format, (&view, Some(&sampler)), &given, &lanes())?);
                }
            }
        }
    }
    Ok(results.words)
}

fn nearest(gpu: &Gpu, sized: &[Sized]) -> Words {
    each(gpu, sized, &FORMATS, &ADDRESSES, &LEVELS[..1])
}

/// A dimension with its steps, offsets, and coordinates that are divided by their last.
type Way = (Sized, &'static [&'static str]);

const WAYS: [Way; 5] = [
    (
        (D1, [40, 1, 1], 4, 1),
        &[
            "texture(t, c.x)",
            "textureGrad(t, c.x, e.z, 0)",
            "textureLodOffset(t, c.x, e.x, 3)",
            "textureGradOffset(t, c.x, 0, e.z, -8)",
            "textureProjLod(t, vec2(c.x * 4, 4), e.x)",
            "textureOffset(t, c.x, -1)",
        ],
    ),
    (
        (D1_ARRAY, [30, 1, 1], 3, 3),
        &["textureGrad(t, c.xy, e.z, 0)", "textureLodOffset(t, c.xy, e.x, -5)", "textureOffset(t, c.xy, 7)"],
    ),
    (
        (D2, [32, 16, 1], 5, 1),
        &[
            "texture(t, c.xy)",
            "textureGrad(t, c.xy, vec2(e.z, 0), vec2(0, e.w))",
            "textureLodOffset(t, c.xy, e.x, ivec2(-3, 7))",
            "textureGradOffset(t, c.xy, vec2(0, e.w), vec2(e.z, 0), ivec2(1, -8))",
            "textureProjLod(t, vec3(c.xy * 2, 2), e.x)",
            "textureProjGradOffset(t, vec4(c.xy * 8, 5, 8), vec2(e.z, 0), vec2(0, e.w), ivec2(5, 6))",
            "textureOffset(t, c.xy, ivec2(7, 7))",
        ],
    ),
    (
        (D2_ARRAY, [16, 32, 1], 4, 3),
        &[
            "textureGrad(t, c.xyz, vec2(e.z, 0), vec2(0, e.w))",
            "textureLodOffset(t, c.xyz, e.x, ivec2(4, -2))",
            "textureGradOffset(t, c.xyz, vec2(e.z, 0), vec2(0, e.w), ivec2(-8, 7))",
        ],
    ),
    (
        (D3, [16, 16, 8], 4, 1),
        &[
            "textureGrad(t, c.xyz, vec3(e.z, 0, 0), vec3(0, e.w, 0))",
            "textureLodOffset(t, c.xyz, e.x, ivec3(4, -2, 1))",
            "textureGradOffset(t, c.xyz, vec3(0, e.w, 0), vec3(e.z, 0, 0), ivec3(-8, 7, -3))",
            "textureProjLod(t, vec4(c.xyz * 2, 2), e.x)",
        ],
    ),
];

/// Ways to say coordinates and levels.
fn ways(gpu: &Gpu) -> Words {
    let mut results = Results::default();
    for (row, ways) in WAYS {
        for (format, seed) in formats(&FEW).into_iter().zip(2000..) {
            let image = gpu.image_of(shape(row, format).used(vk::ImageUsageFlags::SAMPLED), seed)?;
            let view = image.view()?;
            for way in ways {
                let shader = sampler(gpu, format.prefix(), row.0, "", way)?;
                // Without a level it is the first.
                let at = if way.contains("Lod") || way.contains("Grad") {
                    image.shape
                } else {
                    Shape { levels: 1, ..image.shape }
                };
                for address in ["repeat", "edge", "white", "mirror"] {
                    let sampler = gpu.sampler(&info(address, !format.prefix().is_empty(), LEVELS[0]))?;
                    let given = gpu.words(&coordinates(&at, seed, Within::Texel, LEVELS[0], false))?;
                    results.add(&shader.words(format, (&view, Some(&sampler)), &given, &lanes())?);
                }
            }
        }
    }
    Ok(results.words)
}

/// Coordinates in texels.
fn unnormalized(gpu: &Gpu) -> Words {
    let mut results = Results::default();
    for row in [(D1, [33, 1, 1], 1, 1), (D2, [13, 21, 1], 1, 1)] {
        for (format, seed) in formats(&FORMATS).into_iter().zip(2100..) {
            let shader = sampler(gpu, format.prefix(), row.0, "", "textureLod(t, C, 0)")?;
            let image = gpu.image_of(shape(row, format).used(vk::ImageUsageFlags::SAMPLED), seed)?;
            let view = image.view()?;
            for address in ["edge", "clear", "white", "edge black edge"] {
                let info = info(address, !format.prefix().is_empty(), (0.0, 0.0, 0.0));
                let sampler = gpu.sampler(&info.unnormalized_coordinates(true))?;
                let given = gpu.words(&coordinates(&image.shape, seed, Within::Texel, LEVELS[0], true))?;
                results.add(&shader.words(format, (&view, Some(&sampler)), &given, &lanes())?);
            }
        }
    }
    Ok(results.words)
}

/// A way to gather, and the component that it gathers.
const GATHERS: [(&str, usize); 8] = [
    ("textureGather(t, C)", 0),
    ("textureGather(t, C, 1)", 1),
    ("textureGather(t, C, 2)", 2),
    ("textureGather(t, C, 3)", 3),
    ("textureGatherOffset(t, C, ivec2(3, -2), 1)", 1),
    ("textureGatherOffset(t, C, ivec2(int(i % 16) - 8, 7 - int(i / 8)), 0)", 0),
    ("textureGatherOffsets(t, C, ivec2[4](ivec2(0, 0), ivec2(-8, 7), ivec2(2, 1), ivec2(-1, -5)), 3)", 3),
    ("textureGather(t, C, 0)", 0),
];

/// Four texels of which a sample is made.
fn gather(gpu: &Gpu) -> Words {
    let mut results = Results::default();
    let sized =
        [(D2, [13, 9, 1], 2, 1), (D2_ARRAY, [8, 8, 1], 1, 3), (CUBE, [8, 8, 1], 1, 6), (CUBE_ARRAY, [5, 5, 1], 1, 12)];
    for row in sized {
        for (format, seed) in formats(&FORMATS).into_iter().zip(2200..) {
            let image = gpu.image_of(shape(row, format).used(vk::ImageUsageFlags::SAMPLED), seed)?;
            let view = image.view()?;
            let at = Shape { levels: 1, ..image.shape };
            for (way, component) in GATHERS.into_iter().filter(|(way, _)| !row.0.cube() || !way.contains("Offset")) {
                let shader = sampler(gpu, format.prefix(), row.0, "", way)?;
                let even = Format { range: [format.range[component]; 4], ..*format };
                let rows: &[&str] = if row.0.cube() { &["edge"] } else { &["repeat", "edge", "white", "mirror"] };
                for address in rows {
                    let sampler = gpu.sampler(&info(address, !format.prefix().is_empty(), LEVELS[0]))?;
                    // At the edges of a cube, texels of other faces count: which ones at its corners is left to devices.
                    let given = gpu.words(&coordinates(&at, seed, Within::Quarter, LEVELS[0], false))?;
                    let given = if row.0.cube() { inner(gpu, &at, seed)? } else { given };
                    results.add(&shader.words(&even, (&view, Some(&sampler)), &given, &lanes())?);
                }
            }
        }
    }
    Ok(results.words)
}

/// Coordinates whose four texels lie in one face.
fn inner<'g>(gpu: &'g Gpu, shape: &Shape, seed: u32) -> Done<crate::gpu::Buffer<'g>> {
    let words = coordinates(shape, seed, Within::Quarter, LEVELS[0], false);
    let size = shape.size[0] as f32;
    let mut inner = Vec::new();
    for lane in words.chunks(8) {
        let mut c = [0, 1, 2].map(|n| f32::from_bits(lane[n]));
        let far = c.iter().fold(0.0f32, |far, x| far.max(x.abs()));
        for x in &mut c {
            // The texel that is not the outermost.
            let at = (*x / far + 1.0) * size / 2.0;
            if x.abs() < far {
                *x = ((at.clamp(1.0 + at.fract(), size - 2.0 + at.fract())) / size * 2.0 - 1.0) * far;
            }
        }
        inner.extend(c.map(f32::to_bits));
        inner.extend(&lane[3..]);
    }
    gpu.words(&inner)
}

pub const OPERATIONS: [vk::CompareOp; 8] = [
    vk::CompareOp::NEVER,
    vk::CompareOp::LESS,
    vk::CompareOp::EQUAL,
    vk::CompareOp::LESS_OR_EQUAL,
    vk::CompareOp::GREATER,
    vk::CompareOp::NOT_EQUAL,
    vk::CompareOp::GREATER_OR_EQUAL,
    vk::CompareOp::ALWAYS,
];

/// Depths in sixteenths, which references are too, and of 16 bits between them.
pub fn depths(shape: &Shape, seed: u32) -> Vec<u8> {
    let words = noise(seed, shape.regions().1 / 4).into_iter();
    let fixed = |word: u32| match shape.format.bytes {
        4 => ((word >> 10) % 17) as f32 / 16.0,
        _ => 0.0,
    };
    match shape.format.bytes {
        4 => words.map(fixed).map(f32::to_bits).flat_map(u32::to_le_bytes).collect(),
        _ => words.flat_map(|word| (word & 0xf000_f000 | 0x0800_0800).to_le_bytes()).collect(),
    }
}

/// Comparisons: each way and operation.
fn compared(gpu: &Gpu, rows: &[(Sized, &[&str])], within: Within) -> Words {
    let mut results = Results::default();
    for (row, ways) in rows {
        for (format, seed) in formats(&[vk::Format::D16_UNORM, vk::Format::D32_SFLOAT]).into_iter().zip(2300..) {
            let shape = shape(*row, format).used(vk::ImageUsageFlags::SAMPLED);
            let image = gpu.image_with(shape, &depths(&shape, seed))?;
            let view = image.view()?;
            for way in *ways {
                let shader = sampler(gpu, "", row.0, "Shadow", way)?;
                let at = if way.contains("e.x") || way.contains("Grad") { shape } else { Shape { levels: 1, ..shape } };
                for (operation, address) in
                    OPERATIONS.into_iter().zip(["repeat", "edge", "white", "black"].into_iter().cycle())
                {
                    let info = info(address, false, LEVELS[0]).compare_enable(true).compare_op(operation);
                    let sampler = gpu.sampler(&info)?;
                    let given = if row.0.cube() && within == Within::Quarter {
                        inner(gpu, &at, seed)?
                    } else {
                        gpu.words(&coordinates(&at, seed, within, LEVELS[0], false))?
                    };
                    let over = Box4 { exact: true, ..lanes() };
                    results.add(&shader.words(format, (&view, Some(&sampler)), &given, &over)?);
                }
            }
        }
    }
    Ok(results.words)
}

fn compare(gpu: &Gpu) -> Words {
    let rows: [(Sized, &[&str]); 4] = [
        (
            (D2, [33, 17, 1], 4, 1),
            &[
                "vec4(textureLod(t, vec3(c.xy, e.y), e.x))",
                "vec4(texture(t, vec3(c.xy, e.y)))",
                "vec4(textureGrad(t, vec3(c.xy, e.y), vec2(e.z, 0), vec2(0, e.w)))",
                "vec4(textureLodOffset(t, vec3(c.xy, e.y), e.x, ivec2(2, -3)))",
            ],
        ),
        (
            (D2_ARRAY, [20, 12, 1], 3, 3),
            &[
                "vec4(texture(t, vec4(c.xyz, e.y)))",
                "vec4(textureGrad(t, vec4(c.xyz, e.y), vec2(e.z, 0), vec2(0, e.w)))",
            ],
        ),
        ((CUBE, [8, 8, 1], 1, 6), &["vec4(texture(t, vec4(c.xyz, e.y)))"]),
        ((CUBE_ARRAY, [6, 6, 1], 1, 12), &["vec4(texture(t, c, e.y))"]),
    ];
    compared(gpu, &rows, Within::Texel)
}

fn gather_compare(gpu: &Gpu) -> Words {
    let rows: [(Sized, &[&str]); 4] = [
        ((D2, [33, 17, 1], 1, 1), &["textureGather(t, c.xy, e.y)", "textureGatherOffset(t, c.xy, e.y, ivec2(-3, 5))"]),
        ((D2_ARRAY, [12, 9, 1], 1, 3), &["textureGather(t, c.xyz, e.y)"]),
        ((CUBE, [8, 8, 1], 1, 6), &["textureGather(t, c.xyz, e.y)"]),
        ((CUBE_ARRAY, [6, 6, 1], 1, 12), &["textureGather(t, c, e.y)"]),
    ];
    compared(gpu, &rows, Within::Quarter)
}

/// Filters: of texels where they are small, where they are large, of levels.
const FILTERS: [(vk::Filter, vk::Filter, vk::SamplerMipmapMode); 5] = [
    (vk::Filter::LINEAR, vk::Filter::LINEAR, vk::SamplerMipmapMode::NEAREST),
    (vk::Filter::LINEAR, vk::Filter::LINEAR, vk::SamplerMipmapMode::LINEAR),
    (vk::Filter::NEAREST, vk::Filter::NEAREST, vk::SamplerMipmapMode::LINEAR),
    (vk::Filter::NEAREST, vk::Filter::LINEAR, vk::SamplerMipmapMode::NEAREST),
    (vk::Filter::LINEAR, vk::Filter::NEAREST, vk::SamplerMipmapMode::NEAREST),
];

/// Samples between texels and levels: formats by filters by address modes, texels of little contrast.
fn linear(gpu: &Gpu, sized: &[Sized]) -> Words {
    let chosen =
        [vk::Format::R8G8B8A8_UNORM, vk::Format::R8_UNORM, vk::Format::R16G16B16A16_SFLOAT, vk::Format::R32_SFLOAT];
    let mut results = Results::default();
    for row in sized {
        for (format, seed) in formats(&chosen).into_iter().zip(2400..) {
            let shader = sampler(gpu, "", row.0, "", "textureLod(t, C, e.x)")?;
            let shape = shape(*row, format).used(vk::ImageUsageFlags::SAMPLED);
            let image = gpu.image_with(shape, &pale(&shape, seed))?;
            let view = image.view()?;
            for (large, small, levels) in FILTERS {
                let rows: &[&str] =
                    if row.0.cube() { &["edge"] } else { &["repeat", "mirror", "edge", "white", "once"] };
                for address in rows {
                    let info = info(address, false, LEVELS[0]).mag_filter(large).min_filter(small).mipmap_mode(levels);
                    let sampler = gpu.sampler(&info)?;
                    // Where NEAREST may be used too, its borders are kept away from.
                    let given = if row.0.cube() {
                        inner(gpu, &Shape { levels: 1, ..shape }, seed)?
                    } else {
                        let within = if large == small && large == vk::Filter::LINEAR {
                            Within::Sixteenth
                        } else {
                            Within::Both
                        };
                        gpu.words(&coordinates(&shape, seed, within, LEVELS[0], false)[..256])?
                    };
                    let over = Box4 { exact: true, ..Box4::of([32, 1, 1, 1]) };
                    results.all(&shader.words(format, (&view, Some(&sampler)), &given, &over)?);
                }
            }
        }
    }
    Ok(results.words)
}

/// Texels between 3/8 and 5/8.
fn pale(shape: &Shape, seed: u32) -> Vec<u8> {
    let words = noise(seed, shape.regions().1 / 4).into_iter();
    match shape.format.vk {
        vk::Format::R32_SFLOAT => {
            words.map(|word| (0.375 + (word >> 8 & 63) as f32 / 256.0).to_bits()).flat_map(u32::to_le_bytes).collect()
        }
        // 1/2 to 5/8.
        vk::Format::R16G16B16A16_SFLOAT => {
            words.flat_map(|word| (word & 0x00ff_00ff | 0x3800_3800).to_le_bytes()).collect()
        }
        _ => words.flat_map(|word| (word & 0x3f3f_3f3f).wrapping_add(0x6060_6060).to_le_bytes()).collect(),
    }
}
