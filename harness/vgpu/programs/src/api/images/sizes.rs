//! How large shaders say that images are.

use super::texel::{Box4, IMAGE, SAMPLED, TEXTURE, Texels, text};
use super::{Results, Sized, shape};
use crate::api::Function;
use crate::gpu::Gpu;
use crate::gpu::formats::format;
use crate::gpu::image::{CUBE, CUBE_ARRAY, D1, D1_ARRAY, D2, D2_ARRAY, D3, SAMPLES, SAMPLES_ARRAY, Shape};
use crate::stop::Words;
use ash::vk;

pub const ALL: &[Function] = &[
    Function { name: "image_size", needs: &["image_cube_array"], run: stored },
    Function { name: "image_size_levels", needs: &["image_cube_array"], run: sampled },
    Function { name: "image_size_samples", needs: &["shader_storage_image_multisample"], run: samples },
];

/// A shape, and what fills its size up to four components.
type Row = (Sized, &'static str);

const ROWS: [Row; 12] = [
    ((D1, [77, 1, 1], 7, 1), ", 0, 0, 0"),
    ((D1, [1, 1, 1], 1, 1), ", 0, 0, 0"),
    ((D1_ARRAY, [50, 1, 1], 3, 7), ", 0, 0"),
    ((D2, [300, 7, 1], 9, 1), ", 0, 0"),
    ((D2, [5, 64, 1], 1, 1), ", 0, 0"),
    ((D2_ARRAY, [13, 40, 1], 5, 9), ", 0"),
    ((D2_ARRAY, [64, 64, 1], 7, 1), ", 0"),
    ((D3, [20, 33, 9], 6, 1), ", 0"),
    ((D3, [3, 3, 60], 2, 1), ", 0"),
    ((CUBE, [24, 24, 1], 5, 6), ", 0, 0"),
    ((CUBE_ARRAY, [17, 17, 1], 4, 18), ", 0"),
    ((CUBE_ARRAY, [8, 8, 1], 1, 6), ", 0"),
];

/// imageSize of each level.
fn stored(gpu: &Gpu) -> Words {
    let mut results = Results::default();
    let nothing = gpu.zeroes(64)?;
    let format = format(vk::Format::R8G8B8A8_UINT);
    for (sized, after) in ROWS {
        let size = format!("imageSize(t){after}");
        let image = format!("writeonly uimage{}", sized.0.glsl);
        let macros = [("IMAGE", image.as_str()), ("SIZE", size.as_str())];
        let shader = Texels::new(gpu, &text("image_size", "u", sized.0, &macros), IMAGE)?;
        let image = gpu.image(shape(sized, format).used(vk::ImageUsageFlags::STORAGE))?;
        for level in 0..sized.2 {
            let range = image.shape.range(level, 1, 0, sized.3);
            let view = image.view_of(sized.0, format.vk, range, vk::ComponentMapping::default())?;
            results.all(&shader.words(format, (&view, None), &nothing, &Box4::of([1; 4]))?);
        }
    }
    Ok(results.words)
}

/// textureSize of all levels and textureQueryLevels, of views with all levels and with some.
fn sampled(gpu: &Gpu) -> Words {
    let mut results = Results::default();
    let nothing = gpu.zeroes(64)?;
    let format = format(vk::Format::R8G8B8A8_UINT);
    let sampler = gpu.sampler(&vk::SamplerCreateInfo::default())?;
    for (sized, after) in ROWS {
        let kinds = [
            ("texture", TEXTURE, format!("textureSize(t, level){after}")),
            ("sampler", SAMPLED, "textureQueryLevels(t), 0, 0, 0".to_owned()),
        ];
        let image = gpu.image(shape(sized, format).used(vk::ImageUsageFlags::SAMPLED))?;
        for (kind, ty, size) in kinds {
            let name = format!("u{kind}{}", sized.0.glsl);
            let macros = [("IMAGE", name.as_str()), ("SIZE", size.as_str())];
            let shader = Texels::new(gpu, &text("image_size", "u", sized.0, &macros), ty)?;
            let sampler = (ty == SAMPLED).then_some(&sampler);
            for first in 0..sized.2 {
                let levels = sized.2 - first - u32::from(first % 2 == 1 && first + 1 < sized.2);
                let range = image.shape.range(first, levels, 0, sized.3);
                let view = image.view_of(sized.0, format.vk, range, vk::ComponentMapping::default())?;
                // A level that lanes do not differ in.
                for level in 0..if ty == TEXTURE { levels } else { 1 } {
                    let over = Box4 { level: level as i32, ..Box4::of([1; 4]) };
                    results.all(&shader.words(format, (&view, sampler), &nothing, &over)?);
                }
            }
        }
    }
    Ok(results.words)
}

/// Sizes and numbers of samples.
fn samples(gpu: &Gpu) -> Words {
    let mut results = Results::default();
    let nothing = gpu.zeroes(64)?;
    let format = format(vk::Format::R8G8B8A8_UINT);
    let rows = [(SAMPLES, [31, 9, 1], 1, 1, ", 0"), (SAMPLES_ARRAY, [16, 20, 1], 1, 3, "")];
    for (dim, size, levels, layers, after) in rows {
        let usage = vk::ImageUsageFlags::STORAGE | vk::ImageUsageFlags::SAMPLED;
        let shape = Shape { samples: 4, ..shape((dim, size, levels, layers), format) };
        let image = gpu.image(shape.used(usage))?;
        let view = image.view()?;
        for (kind, ty, name) in [("writeonly uimage", IMAGE, "image"), ("utexture", TEXTURE, "texture")] {
            let (image, size) = (format!("{kind}{}", dim.glsl), format!("{name}Size(t){after}, {name}Samples(t)"));
            let macros = [("IMAGE", image.as_str()), ("SIZE", size.as_str())];
            let shader = Texels::new(gpu, &text("image_size", "u", dim, &macros), ty)?;
            results.all(&shader.words(format, (&view, None), &nothing, &Box4::of([1; 4]))?);
        }
    }
    Ok(results.words)
}
