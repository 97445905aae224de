//! Texel buffers: formats that are read, written and counted in.

use super::binding::{Form, Own};
use super::{Function, noise};
use crate::gpu::{Buffer, Gpu, barrier};
use crate::stop::{Call, Done, Words};
use ash::vk;

pub const ALL: &[Function] = &[
    Function { name: "texel_read_formats", needs: &[], run: read },
    Function { name: "texel_read_parts", needs: &[], run: parts },
    Function { name: "texel_write_formats", needs: &[], run: write },
    Function { name: "texel_halves", needs: &["shader_float16"], run: halves },
    Function { name: "texel_atomics", needs: &[], run: atomics },
];

/// Formats that may be read: shader, and what results are multiplied with before they are rounded (0: bits). What every device
/// has to offer (Vulkan, "Required format support"), and values that it says to the bit, or that rounding hides.
const READ: [(vk::Format, &str, u32); 22] = [
    (vk::Format::R8_UNORM, "texel_read_float", 255),
    (vk::Format::R8G8_SNORM, "texel_read_float", 127),
    (vk::Format::R8G8B8A8_UNORM, "texel_read_float", 255),
    (vk::Format::B8G8R8A8_UNORM, "texel_read_float", 255),
    (vk::Format::R8G8B8A8_SNORM, "texel_read_float", 127),
    (vk::Format::A2B10G10R10_UNORM_PACK32, "texel_read_float", 1023 * 3),
    (vk::Format::B10G11R11_UFLOAT_PACK32, "texel_read_float", 1),
    (vk::Format::R32_SFLOAT, "texel_read_float", 1),
    (vk::Format::R32G32B32A32_SFLOAT, "texel_read_float", 1),
    (vk::Format::R8_SINT, "texel_read_int", 3),
    (vk::Format::R8G8B8A8_SINT, "texel_read_int", 3),
    (vk::Format::R16G16_SINT, "texel_read_int", 3),
    (vk::Format::R16G16B16A16_SINT, "texel_read_int", 3),
    (vk::Format::R32G32_SINT, "texel_read_int", 3),
    (vk::Format::R32G32B32A32_SINT, "texel_read_int", 3),
    (vk::Format::R8_UINT, "texel_read_uint", 5),
    (vk::Format::R8G8B8A8_UINT, "texel_read_uint", 5),
    (vk::Format::A8B8G8R8_UINT_PACK32, "texel_read_uint", 5),
    (vk::Format::R16_UINT, "texel_read_uint", 5),
    (vk::Format::R16G16B16A16_UINT, "texel_read_uint", 5),
    (vk::Format::R32_UINT, "texel_read_uint", 5),
    (vk::Format::R32G32B32A32_UINT, "texel_read_uint", 5),
];

/// Formats that may be written, and their shaders.
const WRITE: [(vk::Format, &str); 7] = [
    (vk::Format::R8G8B8A8_UINT, "texel_write_alike"),
    (vk::Format::R8G8B8A8_UINT, "texel_write_rgba8ui"),
    (vk::Format::R8G8B8A8_UNORM, "texel_write_rgba8"),
    (vk::Format::R16G16B16A16_SINT, "texel_write_rgba16i"),
    (vk::Format::R32G32B32A32_SFLOAT, "texel_write_rgba32f"),
    (vk::Format::R32_UINT, "texel_write_r32ui"),
    (vk::Format::R32G32_UINT, "texel_write_rg32ui"),
];

/// Formats that are read and written in floats of 16 bits: of all components or some, those that have more bits too.
const HALVES: [(vk::Format, Option<&str>); 4] = [
    (vk::Format::R16G16B16A16_SFLOAT, Some("texel_write_rgba16f")),
    (vk::Format::R16G16_SFLOAT, Some("texel_write_rg16f")),
    (vk::Format::R16_SFLOAT, Some("texel_write_r16f")),
    (vk::Format::R32G32B32A32_SFLOAT, None),
];

/// A view, bound beside a buffer.
fn run(
    own: &Own<'_>,
    ty: vk::DescriptorType,
    texels: (&Buffer<'_>, vk::Format, u64, u64),
    beside: &Buffer<'_>,
    push: &[u32],
) -> Done<()> {
    let device = &own.gpu.device;
    let (buffer, format, offset, range) = texels;
    let info = vk::BufferViewCreateInfo::default().buffer(buffer.handle).format(format).offset(offset).range(range);
    let views = [unsafe { device.create_buffer_view(&info, None) }.call("vkCreateBufferView")?];
    let write = vk::WriteDescriptorSet::default().dst_set(own.sets[0]).descriptor_type(ty).texel_buffer_view(&views);
    unsafe { device.update_descriptor_sets(&[write], &[]) };
    let all = vk::DescriptorBufferInfo { buffer: beside.handle, offset: 0, range: vk::WHOLE_SIZE };
    own.write(0, 1, 0, vk::DescriptorType::STORAGE_BUFFER, all);
    let done = own.gpu.run(|cmd| {
        own.bind(cmd, Some(0), &[]);
        if !push.is_empty() {
            own.push(cmd, push);
        }
        own.dispatch(cmd);
        barrier(own.gpu, cmd);
    });
    unsafe { device.destroy_buffer_view(views[0], None) };
    done
}

fn own<'g>(gpu: &'g Gpu, shader: &str, ty: vk::DescriptorType, push: u32) -> Done<Own<'g>> {
    let bindings = [(ty, 1), (vk::DescriptorType::STORAGE_BUFFER, 1)];
    Own::new(gpu, shader, &Form { bindings: &bindings, sets: 1, push, ..Form::default() })
}

/// The contents of a buffer of texels: noise, or floats that are whole numbers.
fn contents(format: vk::Format) -> Vec<u32> {
    match format {
        vk::Format::R32_SFLOAT | vk::Format::R32G32B32A32_SFLOAT => {
            noise(81, 256).iter().map(|word| (*word as i32 >> 8) as f32).map(f32::to_bits).collect()
        }
        // Whole numbers between 8 and 1016, each with six bits behind the first (the last with five).
        vk::Format::B10G11R11_UFLOAT_PACK32 => noise(82, 256)
            .iter()
            .map(|word| {
                let small = |shift: u32| 18 + (word >> shift) % 7;
                small(0) << 6
                    | (word >> 3 & 7) << 3
                    | small(8) << 17
                    | (word >> 12 & 7) << 14
                    | small(16) << 27
                    | (word >> 20 & 3) << 25
            })
            .collect(),
        _ => noise(83, 256),
    }
}

fn read(gpu: &Gpu) -> Words {
    let ty = vk::DescriptorType::UNIFORM_TEXEL_BUFFER;
    let mut words = Vec::new();
    for (format, shader, scale) in READ {
        let (own, texels, results) = (own(gpu, shader, ty, 4)?, gpu.words(&contents(format))?, gpu.zeroes(1024)?);
        run(&own, ty, (&texels, format, 0, vk::WHOLE_SIZE), &results, &[scale])?;
        words.extend(results.read());
    }
    Ok(words)
}

/// Views of a part: reads behind its end are not made, but the size is asked for.
fn parts(gpu: &Gpu) -> Words {
    let ty = vk::DescriptorType::UNIFORM_TEXEL_BUFFER;
    let mut words = Vec::new();
    for (offset, range) in [(256, 256), (512, 512), (0, 256)] {
        let own = own(gpu, "texel_read_uint", ty, 4)?;
        let (texels, results) = (gpu.words(&noise(84, 256))?, gpu.zeroes(1024)?);
        run(&own, ty, (&texels, vk::Format::R32_UINT, offset, range), &results, &[3])?;
        words.extend(results.read());
    }
    Ok(words)
}

fn write(gpu: &Gpu) -> Words {
    let ty = vk::DescriptorType::STORAGE_TEXEL_BUFFER;
    let mut words = Vec::new();
    for (format, shader) in WRITE {
        let (own, texels, beside) =
            (own(gpu, shader, ty, 0)?, gpu.words(&contents(format))?, gpu.words(&noise(85, 64))?);
        // A barrier in the shader is between the loads of all lanes and their stores.
        let sums = matches!(format, vk::Format::R8G8B8A8_UNORM);
        if sums {
            // Whole multiples of a quarter are not among 256ths: begin with zero, so that only what is stored counts.
            (0..256).for_each(|n| texels.set_word(n, 0));
        }
        run(&own, ty, (&texels, format, 0, vk::WHOLE_SIZE), &beside, &[])?;
        let mut result = texels.read();
        if sums {
            // 0.25 and 0.75 lie between two values of eight bits; which one is taken is left to devices: both round to these.
            result
                .iter_mut()
                .for_each(|word| *word = (*word >> 2 & 0x3f3f_3f3f).wrapping_add(*word >> 1 & 0x0101_0101));
        }
        words.extend(result);
    }
    Ok(words)
}

fn halves(gpu: &Gpu) -> Words {
    let (read, written) = (vk::DescriptorType::UNIFORM_TEXEL_BUFFER, vk::DescriptorType::STORAGE_TEXEL_BUFFER);
    let mut words = Vec::new();
    for (format, shader) in HALVES {
        // From 1 to 2; as floats of 32 bits, what those of 16 hold too.
        let texels = noise(87, 256).into_iter().map(|word| match shader {
            Some(_) => word & 0x03ff_03ff | 0x3c00_3c00,
            None => word & 0x007f_e000 | 0x3f80_0000,
        });
        let (texels, results) = (gpu.words(&texels.collect::<Vec<_>>())?, gpu.zeroes(1024)?);
        run(&own(gpu, "texel_read_half", read, 0)?, read, (&texels, format, 0, vk::WHOLE_SIZE), &results, &[])?;
        words.extend(results.read());
        if let Some(shader) = shader {
            let beside = gpu.words(&noise(88, 64))?;
            run(&own(gpu, shader, written, 0)?, written, (&texels, format, 0, vk::WHOLE_SIZE), &beside, &[])?;
            words.extend(texels.read());
        }
    }
    Ok(words)
}

fn atomics(gpu: &Gpu) -> Words {
    let ty = vk::DescriptorType::STORAGE_TEXEL_BUFFER;
    let own = own(gpu, "texel_atomics", ty, 0)?;
    let (texels, beside) = (gpu.zeroes(1024)?, gpu.words(&noise(86, 64))?);
    (24..32).for_each(|n| texels.set_word(n, u32::MAX));
    run(&own, ty, (&texels, vk::Format::R32_UINT, 0, vk::WHOLE_SIZE), &beside, &[])?;
    Ok(texels.read())
}
