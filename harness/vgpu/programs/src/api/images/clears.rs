//! Clears of colour images.

use super::{Results, Sized, shape};
use crate::api::Function;
use crate::gpu::Gpu;
use crate::gpu::formats::{COLOURS, Format, Kind};
use crate::gpu::image::{CUBE, D1_ARRAY, D2, D2_ARRAY, D3};
use crate::stop::Words;
use ash::vk;

pub const ALL: &[Function] = &[
    Function { name: "image_clear", needs: &[], run: |gpu| clear(gpu, plain(), &ALL_OF_IT) },
    Function { name: "image_clear_parts", needs: &[], run: |gpu| clear(gpu, plain().step_by(3), &PARTS) },
    Function { name: "image_clear_large", needs: &[], run: |gpu| clear(gpu, plain().step_by(11), &LARGE) },
    Function { name: "image_clear_curves", needs: &[], run: |gpu| clear(gpu, curves(), &ALL_OF_IT) },
];

/// Formats whose numbers are as they are.
fn plain() -> impl Iterator<Item = &'static Format> {
    COLOURS.iter().filter(|format| format.kind != Kind::Srgb)
}

/// Formats whose numbers follow a curve.
fn curves() -> impl Iterator<Item = &'static Format> {
    COLOURS.iter().filter(|format| format.kind == Kind::Srgb)
}

/// A shape, and level, levels, layer and layers of it that are cleared.
type Cleared = (Sized, [u32; 4]);

const ALL_OF_IT: [Cleared; 4] = [
    ((D2, [33, 17, 1], 1, 1), [0, 1, 0, 1]),
    ((D2_ARRAY, [16, 8, 1], 3, 2), [0, 3, 0, 2]),
    ((D3, [9, 8, 7], 2, 1), [0, 2, 0, 1]),
    ((D1_ARRAY, [50, 1, 1], 2, 2), [0, 2, 0, 2]),
];
const PARTS: [Cleared; 4] = [
    ((D2, [33, 17, 1], 5, 1), [1, 2, 0, 1]),
    ((D2_ARRAY, [16, 24, 1], 3, 5), [1, 1, 2, 2]),
    ((D3, [9, 8, 7], 3, 1), [1, 1, 0, 1]),
    ((CUBE, [20, 20, 1], 2, 6), [0, 1, 3, 1]),
];
const LARGE: [Cleared; 2] = [((D2, [200, 130, 1], 2, 1), [0, 1, 0, 1]), ((D2_ARRAY, [100, 70, 1], 1, 3), [0, 1, 1, 1])];

/// A colour that every format holds to the bit: ends of the range, and small whole numbers.
fn colour(format: &Format, n: u32) -> vk::ClearColorValue {
    let turn = |component: u32| (n + component) % 3;
    match format.kind {
        Kind::Uint => vk::ClearColorValue { uint32: [0, 1, 2, 3].map(|c| turn(c) + format.range[c as usize] % 3) },
        Kind::Sint => vk::ClearColorValue { int32: [0, 1, 2, 3].map(|c| turn(c) as i32 * 20 - 25) },
        Kind::Snorm => vk::ClearColorValue { float32: [0, 1, 2, 3].map(|c| turn(c) as f32 - 1.0) },
        Kind::Float => vk::ClearColorValue { float32: [0, 1, 2, 3].map(|c| turn(c) as f32 * 1.5 - 2.0) },
        Kind::Ufloat => vk::ClearColorValue { float32: [0, 1, 2, 3].map(|c| turn(c) as f32 * 1.5) },
        _ => vk::ClearColorValue { float32: [0, 1, 2, 3].map(|c| (turn(c) == 0) as u32 as f32) },
    }
}

fn clear(gpu: &Gpu, formats: impl Iterator<Item = &'static Format>, cleared: &[Cleared]) -> Words {
    let mut results = Results::default();
    for (format, seed) in formats.zip(500..) {
        for (sized, [level, levels, layer, layers]) in cleared {
            let image = gpu.image_of(shape(*sized, format).used(vk::ImageUsageFlags::SAMPLED), seed)?;
            let range = image.shape.range(*level, *levels, *layer, *layers);
            let colour = colour(format, seed);
            gpu.copy(|cmd| unsafe {
                let layout = vk::ImageLayout::GENERAL;
                gpu.device.cmd_clear_color_image(cmd, image.handle, layout, &colour, &[range]);
            })?;
            results.add(&image.read()?);
        }
    }
    Ok(results.words)
}
