//! Samples whose level lanes find together, from how far their coordinates are apart: four that follow each other are a quad.
//!
//! The lanes of a quad lie at the corners of a parallelogram whose sides give a level that keeps away from the middle between two,
//! and each of them keeps away from the borders of texels. Devices that can not clamp a level in a shader are given the clamped level.

use super::samples::{FEW, LANES, LEVELS, Levels, OPERATIONS, Random, Within, depths, info, lanes};
use super::texel::{Box4, SAMPLED, Texels, text};
use super::{Results, Sized, shape};
use crate::api::Function;
use crate::gpu::Gpu;
use crate::gpu::formats::formats;
use crate::gpu::image::{D1, D1_ARRAY, D2, D2_ARRAY, D3, Dim, Shape};
use crate::stop::{Done, Words};
use ash::vk;

pub const ALL: &[Function] = &[
    Function { name: "image_quads", needs: QUADS, run: |gpu| sampled(gpu, &IMPLICIT, &SAMPLES) },
    Function { name: "image_quads_clamped", needs: QUADS, run: |gpu| sampled(gpu, &CLAMPED, &SAMPLES) },
    Function { name: "image_quads_compare", needs: QUADS, run: compared },
    Function { name: "image_quads_gather", needs: QUADS, run: |gpu| sampled(gpu, &GATHERED, &GATHERS) },
    Function { name: "image_quads_level", needs: QUADS, run: asked },
    Function { name: "image_quads_halves", needs: &["compute_derivative_group_linear", "shader_float16"], run: halves },
];

/// On what ways are tried.
struct Tried {
    formats: &'static [vk::Format],
    levels: &'static [Levels],
    within: Within,
}

/// With a sampler that adds nothing to the level, and one that adds 1.
const SAMPLES: Tried = Tried { formats: &FEW, levels: &[LEVELS[0], LEVELS[3]], within: Within::Texel };
/// RADV moves gathers of whole numbers by half a texel on gfx6 to gfx8, as these need it, but of the first level whichever it is.
const GATHERS: Tried = Tried {
    formats: &[vk::Format::R8G8B8A8_UNORM, vk::Format::R16G16B16A16_SFLOAT, vk::Format::R32_SFLOAT],
    levels: &[LEVELS[0]],
    within: Within::Quarter,
};

const QUADS: &[&str] = &["compute_derivative_group_linear"];

/// A way to sample.
struct Way {
    say: &'static str,
    /// What it adds to the level.
    bias: f32,
    /// The least level that it asks for.
    least: f32,
    /// What a device must have for it, and how others are asked: by a level `L`.
    lacking: Option<(&'static str, &'static str)>,
}

const fn way(say: &'static str, bias: f32) -> Way {
    Way { say, bias, least: f32::NEG_INFINITY, lacking: None }
}

/// One of the level [`CLAMP`] at least, in the text as `K`.
const fn clamped(say: &'static str, bias: f32, otherwise: &'static str) -> Way {
    Way { say, bias, least: CLAMP, lacking: Some(("shader_resource_min_lod", otherwise)) }
}

/// A gather from a level.
const fn gathered(say: &'static str, otherwise: &'static str) -> Way {
    Way { say, bias: 0.0, least: f32::NEG_INFINITY, lacking: Some(("VK_AMD_texture_gather_bias_lod", otherwise)) }
}

/// Not in the middle between two, where lanes are at it or not.
const CLAMP: f32 = 1.25;

type Ways = (Sized, &'static [Way]);

const IMPLICIT: [Ways; 5] = [
    (
        (D1, [40, 1, 1], 6, 1),
        &[
            way("texture(t, c.x)", 0.0),
            way("texture(t, c.x, 1.0)", 1.0),
            way("textureOffset(t, c.x, 3)", 0.0),
            way("textureOffset(t, c.x, -2, -1.0)", -1.0),
            way("textureProj(t, vec2(c.x * 4, 4))", 0.0),
        ],
    ),
    (
        (D1_ARRAY, [30, 1, 1], 5, 3),
        &[
            way("texture(t, c.xy)", 0.0),
            way("texture(t, c.xy, -1.0)", -1.0),
            way("textureOffset(t, c.xy, -5)", 0.0),
            way("textureOffset(t, c.xy, 6, 2.0)", 2.0),
        ],
    ),
    (
        (D2, [33, 17, 1], 6, 1),
        &[
            way("texture(t, c.xy)", 0.0),
            way("texture(t, c.xy, 1.0)", 1.0),
            way("textureOffset(t, c.xy, ivec2(-3, 7))", 0.0),
            way("textureOffset(t, c.xy, ivec2(5, -8), -2.0)", -2.0),
            way("textureProj(t, vec4(c.xy * 8, 5, 8), 1.0)", 1.0),
        ],
    ),
    (
        (D2_ARRAY, [20, 12, 1], 5, 3),
        &[
            way("texture(t, c.xyz)", 0.0),
            way("texture(t, c.xyz, -1.0)", -1.0),
            way("textureOffset(t, c.xyz, ivec2(4, -2))", 0.0),
            way("textureOffset(t, c.xyz, ivec2(-8, 7), 1.0)", 1.0),
        ],
    ),
    (
        (D3, [17, 9, 5], 5, 1),
        &[
            way("texture(t, c.xyz)", 0.0),
            way("texture(t, c.xyz, 1.0)", 1.0),
            way("textureOffset(t, c.xyz, ivec3(4, -2, 1))", 0.0),
            way("textureOffset(t, c.xyz, ivec3(-8, 7, -3), -1.0)", -1.0),
        ],
    ),
];

const CLAMPED: [Ways; 3] = [
    (
        (D1, [40, 1, 1], 6, 1),
        &[
            clamped("textureClampARB(t, c.x, K)", 0.0, "textureLod(t, c.x, L)"),
            clamped("textureOffsetClampARB(t, c.x, 3, K, -1.0)", -1.0, "textureLodOffset(t, c.x, L, 3)"),
        ],
    ),
    (
        (D2, [33, 17, 1], 6, 1),
        &[
            clamped("textureClampARB(t, c.xy, K)", 0.0, "textureLod(t, c.xy, L)"),
            clamped("textureClampARB(t, c.xy, K, -1.0)", -1.0, "textureLod(t, c.xy, L)"),
            clamped(
                "textureOffsetClampARB(t, c.xy, ivec2(3, -4), K)",
                0.0,
                "textureLodOffset(t, c.xy, L, ivec2(3, -4))",
            ),
            clamped(
                "textureOffsetClampARB(t, c.xy, ivec2(3, -4), K, 1.0)",
                1.0,
                "textureLodOffset(t, c.xy, L, ivec2(3, -4))",
            ),
            clamped("textureGradClampARB(t, c.xy, vec2(e.z, 0), vec2(0, e.w), K)", 0.0, "textureLod(t, c.xy, L)"),
            clamped(
                "textureGradOffsetClampARB(t, c.xy, vec2(0, e.w), vec2(e.z, 0), ivec2(-8, 7), K)",
                0.0,
                "textureLodOffset(t, c.xy, L, ivec2(-8, 7))",
            ),
        ],
    ),
    (
        (D3, [17, 9, 5], 5, 1),
        &[
            clamped("textureClampARB(t, c.xyz, K)", 0.0, "textureLod(t, c.xyz, L)"),
            clamped(
                "textureGradClampARB(t, c.xyz, vec3(e.z, 0, 0), vec3(0, e.w, 0), K)",
                0.0,
                "textureLod(t, c.xyz, L)",
            ),
        ],
    ),
];

const COMPARED: [Ways; 2] = [
    (
        (D2, [33, 17, 1], 5, 1),
        &[
            way("vec4(texture(t, vec3(c.xy, e.y)))", 0.0),
            way("vec4(texture(t, vec3(c.xy, e.y), 1.0))", 1.0),
            way("vec4(textureOffset(t, vec3(c.xy, e.y), ivec2(2, -3)))", 0.0),
            way("vec4(textureOffset(t, vec3(c.xy, e.y), ivec2(-7, 5), -1.0))", -1.0),
            clamped("vec4(textureClampARB(t, vec3(c.xy, e.y), K))", 0.0, "vec4(textureLod(t, vec3(c.xy, e.y), L))"),
            clamped(
                "vec4(textureClampARB(t, vec3(c.xy, e.y), K, -1.0))",
                -1.0,
                "vec4(textureLod(t, vec3(c.xy, e.y), L))",
            ),
            clamped(
                "vec4(textureOffsetClampARB(t, vec3(c.xy, e.y), ivec2(3, -4), K))",
                0.0,
                "vec4(textureLodOffset(t, vec3(c.xy, e.y), L, ivec2(3, -4)))",
            ),
            clamped(
                "vec4(textureOffsetClampARB(t, vec3(c.xy, e.y), ivec2(3, -4), K, 1.0))",
                1.0,
                "vec4(textureLodOffset(t, vec3(c.xy, e.y), L, ivec2(3, -4)))",
            ),
            clamped(
                "vec4(textureGradClampARB(t, vec3(c.xy, e.y), vec2(e.z, 0), vec2(0, e.w), K))",
                0.0,
                "vec4(textureLod(t, vec3(c.xy, e.y), L))",
            ),
            clamped(
                "vec4(textureGradOffsetClampARB(t, vec3(c.xy, e.y), vec2(0, e.w), vec2(e.z, 0), ivec2(-8, 7), K))",
                0.0,
                "vec4(textureLodOffset(t, vec3(c.xy, e.y), L, ivec2(-8, 7)))",
            ),
            way("vec4(textureGradOffset(t, vec3(c.xy, e.y), vec2(0, e.w), vec2(e.z, 0), ivec2(-8, 7)))", 0.0),
        ],
    ),
    (
        (D2_ARRAY, [20, 12, 1], 4, 3),
        &[
            way("vec4(texture(t, vec4(c.xyz, e.y)))", 0.0),
            way("vec4(textureOffset(t, vec4(c.xyz, e.y), ivec2(2, -3)))", 0.0),
        ],
    ),
];

/// Of four texels; where there is no such gather, four samples at them.
const GATHERED: [Ways; 1] = [(
    (D2, [33, 17, 1], 6, 1),
    &[
        gathered("textureGather(t, c.xy)", "FOUR(0, vec2(0))"),
        gathered("textureGatherLodAMD(t, c.xy, e.x, 2)", "FOUR(2, vec2(0))"),
        gathered("textureGatherOffset(t, c.xy, ivec2(3, -2), 3)", "FOUR(3, vec2(3, -2))"),
        gathered("textureGatherLodOffsetAMD(t, c.xy, e.x, ivec2(1, 5), 1)", "FOUR(1, vec2(1, 5))"),
    ],
)];

/// Gradients of 16 bits.
const HALVES: [Ways; 1] = [(
    (D2, [33, 17, 1], 6, 1),
    &[
        way("textureGrad(t, c.xy, vec2(X), vec2(Y))", 0.0),
        way("textureGradOffset(t, c.xy, vec2(Y), vec2(X), ivec2(1, -8))", 0.0),
        clamped("textureGradClampARB(t, c.xy, vec2(X), vec2(Y), K)", 0.0, "textureLod(t, c.xy, L)"),
        clamped(
            "textureGradOffsetClampARB(t, c.xy, vec2(Y), vec2(X), ivec2(3, -4), K)",
            0.0,
            "textureLodOffset(t, c.xy, L, ivec2(3, -4))",
        ),
    ],
)];

const COMPARED_HALVES: [Ways; 1] = [(
    (D2, [33, 17, 1], 5, 1),
    &[
        way("vec4(textureGrad(t, vec3(c.xy, e.y), vec2(X), vec2(Y)))", 0.0),
        way("vec4(textureGradOffset(t, vec3(c.xy, e.y), vec2(Y), vec2(X), ivec2(1, -8)))", 0.0),
        clamped(
            "vec4(textureGradClampARB(t, vec3(c.xy, e.y), vec2(X), vec2(Y), K))",
            0.0,
            "vec4(textureLod(t, vec3(c.xy, e.y), L))",
        ),
        clamped(
            "vec4(textureGradOffsetClampARB(t, vec3(c.xy, e.y), vec2(Y), vec2(X), ivec2(3, -4), K))",
            0.0,
            "vec4(textureLodOffset(t, vec3(c.xy, e.y), L, ivec2(3, -4)))",
        ),
    ],
)];

/// The level that is sampled where lanes find one.
fn seen(shape: &Shape, lod: f32, way: &Way, (least, most, bias): Levels) -> u32 {
    let level = (lod + way.bias + bias).clamp(least, most);
    level.max(way.least).round().clamp(0.0, (shape.levels - 1) as f32) as u32
}

/// Coordinates of the lanes of quads, as [`super::samples`] has them for lanes by themselves.
fn coordinates(shape: &Shape, seed: u32, way: &Way, levels: Levels, within: Within) -> Vec<u32> {
    let mut random = Random::new(seed, 1 << 16);
    let axes = shape.dim.axes();
    let mut words = Vec::new();
    while words.len() < LANES as usize * 8 {
        let lod = random.level(shape);
        let size = shape.level(seen(shape, lod, way, levels));
        let step = [0, 1].map(|n: usize| lod.exp2() / shape.size[n.min(axes - 1)] as f32);
        let sign = [0, 1].map(|_| [1.0, -1.0][random.below(2) as usize]);
        let mut first = [0.0f32; 4];
        for n in 0..axes {
            first[n] = random.along(size[n], within) / size[n] as f32;
        }
        first[axes] = random.layer(shape.layers);
        let quad = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]].map(|[x, y]| {
            let mut c = first;
            c[0] += x * step[0] * sign[0];
            c[1.min(axes - 1)] += y * step[1] * sign[1];
            c
        });
        let is_clear =
            |at: f32| (0.04..0.96).contains(&at) && !(within == Within::Quarter && (0.46..0.54).contains(&at));
        let inside = |c: &[f32; 4]| (0..axes).all(|n| is_clear((c[n] * size[n] as f32).rem_euclid(1.0)));
        if quad.iter().all(inside) {
            let reference = random.below(17) as f32 / 16.0;
            for c in quad {
                words.extend([c[0], c[1], c[2], c[3], lod, reference, step[0], step[1]].map(f32::to_bits));
            }
        }
    }
    words
}

/// The shader of a way on this device.
fn shader<'g>(gpu: &'g Gpu, prefix: &str, dim: Dim, shadow: &str, way: &Way, levels: Levels) -> Done<Texels<'g>> {
    let image = format!("{prefix}sampler{}{shadow}", dim.glsl);
    let say = match way.lacking {
        Some((feature, otherwise)) if !gpu.has(feature) => otherwise,
        _ => way.say,
    };
    // The sampler adds to the level behind what is said here.
    let level = format!("max(e.x + {:.2}, {:.2})", way.bias, way.least.max(0.0) - levels.2);
    let least = format!("{:.2}", way.least.max(0.0));
    let macros = [("IMAGE", image.as_str()), ("SAMPLE", say), ("K", least.as_str()), ("L", level.as_str())];
    Texels::new(gpu, &text("image_quads", prefix, dim, &macros), SAMPLED)
}

/// What each way gives on each format, in some address modes.
fn sampled(gpu: &Gpu, rows: &[Ways], on: &Tried) -> Words {
    let mut results = Results::default();
    for (row, ways) in rows {
        for (format, seed) in formats(on.formats).into_iter().zip(2500..) {
            let image = gpu.image_of(shape(*row, format).used(vk::ImageUsageFlags::SAMPLED), seed)?;
            let view = image.view()?;
            for (way, levels) in ways.iter().flat_map(|way| on.levels.iter().map(move |levels| (way, *levels))) {
                let shader = shader(gpu, format.prefix(), row.0, "", way, levels)?;
                let given = gpu.words(&coordinates(&image.shape, seed, way, levels, on.within))?;
                for address in ["repeat", "edge", "mirror"] {
                    let sampler = gpu.sampler(&info(address, !format.prefix().is_empty(), levels))?;
                    results.add(&shader.words(format, (&view, Some(&sampler)), &given, &lanes())?);
                }
            }
        }
    }
    Ok(results.words)
}

fn comparisons(gpu: &Gpu, rows: &[Ways], results: &mut Results) -> Done<()> {
    for (row, ways) in rows {
        for (format, seed) in formats(&[vk::Format::D16_UNORM, vk::Format::D32_SFLOAT]).into_iter().zip(2600..) {
            let shape = shape(*row, format).used(vk::ImageUsageFlags::SAMPLED);
            let image = gpu.image_with(shape, &depths(&shape, seed))?;
            let view = image.view()?;
            for way in *ways {
                let shader = shader(gpu, "", row.0, "Shadow", way, LEVELS[0])?;
                let given = gpu.words(&coordinates(&shape, seed, way, LEVELS[0], Within::Texel))?;
                for (operation, address) in OPERATIONS.into_iter().zip(["repeat", "edge", "mirror"].into_iter().cycle())
                {
                    let info = info(address, false, LEVELS[0]).compare_enable(true).compare_op(operation);
                    let sampler = gpu.sampler(&info)?;
                    let over = Box4 { exact: true, ..lanes() };
                    results.add(&shader.words(format, (&view, Some(&sampler)), &given, &over)?);
                }
            }
        }
    }
    Ok(())
}

fn compared(gpu: &Gpu) -> Words {
    let mut results = Results::default();
    comparisons(gpu, &COMPARED, &mut results)?;
    Ok(results.words)
}

/// Gradients of 16 bits, of colours and of comparisons.
fn halves(gpu: &Gpu) -> Words {
    let mut results = Results { words: sampled(gpu, &HALVES, &SAMPLES)?, ..Results::default() };
    comparisons(gpu, &COMPARED_HALVES, &mut results)?;
    Ok(results.words)
}

/// The level that lanes find, and the one that is sampled: as whole numbers.
fn asked(gpu: &Gpu) -> Words {
    let mut results = Results::default();
    let rows = [
        ((D1, [40, 1, 1], 6, 1), "vec4(round(textureQueryLod(t, c.x)), 0, 0)"),
        ((D1_ARRAY, [30, 1, 1], 5, 3), "vec4(round(textureQueryLod(t, c.x)), 0, 0)"),
        ((D2, [33, 17, 1], 6, 1), "vec4(round(textureQueryLod(t, c.xy)), 0, 0)"),
        ((D2_ARRAY, [20, 12, 1], 5, 3), "vec4(round(textureQueryLod(t, c.xy)), 0, 0)"),
        ((D3, [17, 9, 5], 5, 1), "vec4(round(textureQueryLod(t, c.xyz)), 0, 0)"),
    ];
    for (row, say) in rows {
        let way = way(say, 0.0);
        for (format, seed) in formats(&[vk::Format::R8G8B8A8_UNORM]).into_iter().zip(2700..) {
            let image = gpu.image_of(shape(row, format).used(vk::ImageUsageFlags::SAMPLED), seed)?;
            let view = image.view()?;
            for levels in LEVELS {
                let shader = shader(gpu, "", row.0, "", &way, levels)?;
                let sampler = gpu.sampler(&info("repeat", false, levels))?;
                let given = gpu.words(&coordinates(&image.shape, seed, &way, levels, Within::Texel))?;
                let over = Box4 { exact: true, ..lanes() };
                results.all(&shader.words(format, (&view, Some(&sampler)), &given, &over)?);
            }
        }
    }
    Ok(results.words)
}
