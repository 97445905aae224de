//! Copies between buffers and images, and from image to image.

use super::{LACKS, Results, Sized, shape};
use crate::api::{Function, noise};
use crate::gpu::Gpu;
use crate::gpu::formats::{BLOCKS, COLOURS, DEPTHS, Format, SHARED_EXPONENT, TWELVE, formats};
use crate::gpu::image::{CUBE, CUBE_ARRAY, D1, D1_ARRAY, D2, D2_ARRAY, D3, Shape};
use crate::stop::Words;
use ash::vk;

pub const ALL: &[Function] = &[
    Function { name: "image_copy_1d", needs: &[], run: |gpu| plain(gpu, colours(), &ONE) },
    Function { name: "image_copy_2d", needs: &[], run: |gpu| plain(gpu, colours(), &TWO) },
    Function { name: "image_copy_layers", needs: &[], run: |gpu| plain(gpu, colours(), &LAYERS) },
    Function { name: "image_copy_3d", needs: &[], run: |gpu| plain(gpu, colours(), &THREE) },
    Function { name: "image_copy_large", needs: &[], run: |gpu| plain(gpu, sizes(), &LARGE) },
    Function { name: "image_copy_large_layers", needs: &[], run: |gpu| plain(gpu, sizes(), &LARGE_LAYERS) },
    Function { name: "image_copy_large_3d", needs: &[], run: |gpu| plain(gpu, sizes(), &LARGE_THREE) },
    Function {
        name: "image_copy_blocks",
        needs: &["texture_compression_bc"],
        run: |gpu| plain(gpu, BLOCKS.iter(), &BC),
    },
    Function {
        name: "image_copy_blocks_large",
        needs: &["texture_compression_bc"],
        run: |gpu| plain(gpu, [&BLOCKS[0], &BLOCKS[14]].into_iter(), &LARGE),
    },
    Function { name: "image_copy_depths", needs: &[], run: |gpu| plain(gpu, DEPTHS.iter(), &DEPTH) },
    Function { name: "image_copy_rows", needs: &[], run: |gpu| rows(gpu, colours()) },
    Function { name: "image_copy_rows_of_twelve", needs: &[], run: |gpu| rows(gpu, TWELVE.iter()) },
    Function { name: "image_copy_parts", needs: &["texture_compression_bc"], run: parts },
    Function { name: "image_copy_between", needs: &["texture_compression_bc"], run: between },
];

const ONE: [Sized; 3] = [(D1, [100, 1, 1], 1, 1), (D1, [37, 1, 1], 6, 1), (D1_ARRAY, [33, 1, 1], 3, 5)];
const TWO: [Sized; 4] =
    [(D2, [8, 8, 1], 1, 1), (D2, [33, 17, 1], 6, 1), (D2, [64, 64, 1], 7, 1), (D2, [3, 50, 1], 1, 1)];
const LAYERS: [Sized; 3] = [(D2_ARRAY, [19, 13, 1], 3, 4), (CUBE, [16, 16, 1], 5, 6), (CUBE_ARRAY, [9, 9, 1], 2, 12)];
const THREE: [Sized; 3] = [(D3, [12, 10, 9], 1, 1), (D3, [33, 17, 5], 6, 1), (D3, [4, 5, 40], 3, 1)];
const LARGE: [Sized; 1] = [(D2, [300, 200, 1], 9, 1)];
const LARGE_LAYERS: [Sized; 1] = [(D2_ARRAY, [130, 140, 1], 2, 3)];
const LARGE_THREE: [Sized; 1] = [(D3, [70, 66, 16], 7, 1)];
const BC: [Sized; 4] =
    [(D2, [32, 32, 1], 1, 1), (D2, [33, 17, 1], 6, 1), (D2_ARRAY, [20, 12, 1], 3, 3), (CUBE, [16, 16, 1], 5, 6)];
const DEPTH: [Sized; 4] =
    [(D2, [16, 16, 1], 1, 1), (D2, [33, 17, 1], 1, 1), (D2, [150, 130, 1], 8, 1), (D2_ARRAY, [40, 24, 1], 1, 3)];

fn colours() -> impl Iterator<Item = &'static Format> {
    COLOURS.iter().chain([&SHARED_EXPONENT])
}

/// One format for each number of bytes.
fn sizes() -> impl Iterator<Item = &'static Format> {
    formats(&[
        vk::Format::R8_UNORM,
        vk::Format::R16_SFLOAT,
        vk::Format::R8G8B8A8_UNORM,
        vk::Format::R32G32_UINT,
        vk::Format::R32G32B32A32_SFLOAT,
    ])
    .into_iter()
}

/// All into an image, and all out of it.
fn plain(gpu: &Gpu, formats: impl Iterator<Item = &'static Format>, sized: &[Sized]) -> Words {
    let mut results = Results::default();
    for (format, seed) in formats.zip(100..) {
        for row in sized {
            let shape = shape(*row, format).used(vk::ImageUsageFlags::SAMPLED);
            if gpu.makes(&shape) {
                results.add(&gpu.image_of(shape, seed)?.read()?);
            } else {
                results.all(&[LACKS]);
            }
        }
    }
    Ok(results.words)
}

/// Rows of texels: the host writes them and the device reads, and the other way round.
fn rows(gpu: &Gpu, formats: impl Iterator<Item = &'static Format>) -> Words {
    let mut results = Results::default();
    for (format, seed) in formats.zip(200..) {
        for (width, height) in [(33, 17), (70, 5)] {
            let linear = Shape { linear: true, ..Shape::new(D2, format, [width, height, 1], 1, 1) };
            let shape = linear.used(vk::ImageUsageFlags::SAMPLED);
            if !gpu.makes(&shape) {
                results.all(&[LACKS]);
                continue;
            }
            let bytes = format.contents(seed, (width * height * format.bytes) as usize);
            let from_host = gpu.image(shape)?;
            let mut given = bytes.chunks((width * format.bytes) as usize);
            from_host.rows(|row| row.copy_from_slice(given.next().expect("a row")))?;
            let mut words = from_host.read()?;
            let from_device = gpu.image_of(shape, seed + 100)?;
            let mut host = Vec::new();
            from_device.rows(|row| host.extend_from_slice(row))?;
            words.extend(host.chunks(4).map(|word| word.iter().rev().fold(0, |all, byte| all << 8 | u32::from(*byte))));
            results.add(&words);
        }
    }
    Ok(results.words)
}

/// A part of an image: offset, extent, row length and height in the buffer, level, first layer and layers. In elements.
type Part = ([u32; 3], [u32; 3], u32, u32, u32, u32, u32);

const PARTS: [(Sized, [Part; 5]); 3] = [
    (
        (D2_ARRAY, [40, 30, 1], 2, 3),
        [
            ([1, 2, 0], [7, 5, 1], 0, 0, 0, 0, 1),
            ([16, 8, 0], [24, 22, 1], 31, 0, 0, 1, 1),
            ([9, 0, 0], [1, 30, 1], 4, 33, 0, 0, 3),
            ([3, 3, 0], [17, 12, 1], 20, 14, 1, 1, 2),
            ([19, 14, 0], [1, 1, 1], 0, 0, 1, 0, 1),
        ],
    ),
    (
        (D3, [20, 15, 9], 2, 1),
        [
            ([0, 0, 3], [20, 15, 1], 0, 0, 0, 0, 1),
            ([5, 6, 2], [11, 3, 6], 13, 5, 0, 0, 1),
            ([1, 1, 0], [2, 2, 9], 0, 0, 0, 0, 1),
            ([2, 1, 1], [8, 6, 3], 9, 7, 1, 0, 1),
            ([9, 6, 3], [1, 1, 1], 0, 0, 1, 0, 1),
        ],
    ),
    (
        (D2, [200, 140, 1], 3, 1),
        [
            ([100, 3, 0], [99, 70, 1], 0, 0, 0, 0, 1),
            ([0, 0, 0], [10, 140, 1], 16, 0, 0, 0, 1),
            ([60, 30, 0], [40, 40, 1], 50, 60, 1, 0, 1),
            ([11, 10, 0], [5, 25, 1], 0, 0, 1, 0, 1),
            ([7, 9, 0], [43, 26, 1], 64, 0, 2, 0, 1),
        ],
    ),
];

/// Parts into an image, each from its place in a buffer; then parts out of it.
fn parts(gpu: &Gpu) -> Words {
    let mut results = Results::default();
    for format in sizes().chain([&BLOCKS[2], &BLOCKS[6]]) {
        let block = format.block();
        for (sized, parts) in PARTS {
            if block > 1 && sized.0 == D3 {
                continue;
            }
            let (dim, [w, h, d], levels, layers) = sized;
            let shape = shape((dim, [w * block, h * block, d], levels, layers), format);
            let mut at = 48;
            let regions = parts.map(|(offset, extent, row, height, level, first, count)| {
                let step = |[x, y, z]: [u32; 3]| [x * block, y * block, z];
                let ([x, y, z], [width, rows, depth]) = (step(offset).map(|at| at as i32), step(extent));
                let region = vk::BufferImageCopy {
                    buffer_offset: at,
                    buffer_row_length: row * block,
                    buffer_image_height: height * block,
                    image_subresource: shape.layers(level, first, count),
                    image_offset: vk::Offset3D { x, y, z },
                    image_extent: vk::Extent3D { width, height: rows, depth },
                };
                let elements = row.max(extent[0]) * height.max(extent[1]) * extent[2] * count;
                at = (at + u64::from(elements * format.bytes) + 7).next_multiple_of(u64::from(format.bytes).max(4));
                region
            });
            let from = gpu.words(&noise(300, at as usize / 4))?;
            let image = gpu.image_of(shape, 301)?;
            image.write(&from, &regions)?;
            let mut words = image.read()?;
            let to = gpu.words(&noise(302, at as usize / 4))?;
            image.read_into(&to, &regions)?;
            words.extend(to.read());
            results.add(&words);
        }
    }
    Ok(results.words)
}

/// Where from and where to in a copy between images: offsets in elements and layers, then the extent in elements of the source,
/// and how many layers. A layer of a 2D image and a slice of a 3D one stand for each other.
struct Between {
    from: (vk::Format, Sized),
    to: (vk::Format, Sized),
    /// Level, first layer, offset: of both.
    ends: [(u32, u32, [i32; 3]); 2],
    /// In elements.
    extent: [u32; 3],
    layers: [u32; 2],
}

const fn same(
    format: vk::Format,
    sized: Sized,
    ends: [(u32, u32, [i32; 3]); 2],
    extent: [u32; 3],
    layers: u32,
) -> Between {
    Between { from: (format, sized), to: (format, sized), ends, extent, layers: [layers; 2] }
}

const SMALL: Sized = (D2, [40, 30, 1], 3, 1);
const STACK: Sized = (D2_ARRAY, [40, 30, 1], 2, 6);
const BOX: Sized = (D3, [40, 30, 6], 2, 1);
const WIDE: Sized = (D2, [260, 140, 1], 2, 1);

/// The copies between images. Sizes of formats with blocks are counted in blocks.
const BETWEEN: [Between; 22] = [
    same(vk::Format::R8_UNORM, SMALL, [(0, 0, [0; 3]), (0, 0, [0; 3])], [40, 30, 1], 1),
    same(vk::Format::R8_UINT, SMALL, [(0, 0, [3, 4, 0]), (0, 0, [20, 11, 0])], [17, 19, 1], 1),
    same(vk::Format::R16_SFLOAT, SMALL, [(0, 0, [1, 1, 0]), (1, 0, [2, 3, 0])], [18, 12, 1], 1),
    same(vk::Format::R8G8B8A8_UNORM, SMALL, [(1, 0, [5, 5, 0]), (0, 0, [25, 20, 0])], [15, 10, 1], 1),
    same(vk::Format::R8G8B8A8_SRGB, SMALL, [(2, 0, [0; 3]), (1, 0, [1, 1, 0])], [10, 7, 1], 1),
    same(vk::Format::A2B10G10R10_UNORM_PACK32, SMALL, [(0, 0, [0; 3]), (0, 0, [8, 8, 0])], [32, 22, 1], 1),
    same(vk::Format::B10G11R11_UFLOAT_PACK32, SMALL, [(0, 0, [0; 3]), (0, 0, [8, 8, 0])], [32, 22, 1], 1),
    same(vk::Format::R5G6B5_UNORM_PACK16, SMALL, [(0, 0, [0; 3]), (0, 0, [8, 8, 0])], [32, 22, 1], 1),
    same(vk::Format::E5B9G9R9_UFLOAT_PACK32, SMALL, [(0, 0, [0; 3]), (0, 0, [8, 8, 0])], [32, 22, 1], 1),
    same(vk::Format::R32G32_SFLOAT, STACK, [(0, 1, [0; 3]), (0, 2, [4, 4, 0])], [33, 21, 1], 4),
    same(vk::Format::R32G32B32A32_UINT, STACK, [(1, 0, [1, 2, 0]), (1, 3, [0, 0, 0])], [19, 13, 1], 3),
    same(vk::Format::R16G16_SNORM, BOX, [(0, 0, [1, 2, 1]), (0, 0, [5, 1, 0])], [30, 20, 5], 1),
    same(vk::Format::R32_SFLOAT, BOX, [(1, 0, [0; 3]), (0, 0, [20, 15, 3])], [20, 15, 3], 1),
    same(vk::Format::R8G8B8A8_UINT, WIDE, [(0, 0, [0; 3]), (0, 0, [1, 0, 0])], [259, 140, 1], 1),
    same(vk::Format::BC1_RGBA_UNORM_BLOCK, SMALL, [(0, 0, [1, 2, 0]), (0, 0, [8, 9, 0])], [20, 18, 1], 1),
    same(vk::Format::BC7_UNORM_BLOCK, STACK, [(0, 1, [0; 3]), (1, 2, [0; 3])], [20, 15, 1], 2),
    Between {
        from: (vk::Format::R8G8B8A8_UNORM, SMALL),
        to: (vk::Format::R32_UINT, WIDE),
        ends: [(0, 0, [0; 3]), (0, 0, [200, 100, 0])],
        extent: [40, 30, 1],
        layers: [1; 2],
    },
    Between {
        from: (vk::Format::R16G16_SFLOAT, WIDE),
        to: (vk::Format::A8B8G8R8_SRGB_PACK32, STACK),
        ends: [(0, 0, [13, 27, 0]), (0, 5, [2, 2, 0])],
        extent: [38, 28, 1],
        layers: [1; 2],
    },
    Between {
        from: (vk::Format::R32G32_UINT, SMALL),
        to: (vk::Format::BC1_RGB_UNORM_BLOCK, SMALL),
        ends: [(0, 0, [0; 3]), (0, 0, [7, 7, 0])],
        extent: [33, 23, 1],
        layers: [1; 2],
    },
    Between {
        from: (vk::Format::BC3_UNORM_BLOCK, SMALL),
        to: (vk::Format::R32G32B32A32_SINT, SMALL),
        ends: [(0, 0, [5, 5, 0]), (1, 0, [0; 3])],
        extent: [20, 15, 1],
        layers: [1; 2],
    },
    Between {
        from: (vk::Format::R16_UINT, STACK),
        to: (vk::Format::R16_UINT, BOX),
        ends: [(0, 1, [0; 3]), (0, 0, [6, 6, 2])],
        extent: [34, 24, 1],
        layers: [4, 1],
    },
    Between {
        from: (vk::Format::R8G8B8A8_SINT, BOX),
        to: (vk::Format::R8G8B8A8_SINT, STACK),
        ends: [(0, 0, [3, 0, 1]), (0, 0, [0, 3, 0])],
        extent: [37, 27, 5],
        layers: [1, 5],
    },
];

fn between(gpu: &Gpu) -> Words {
    let mut results = Results::default();
    for row in &BETWEEN {
        let made = |(format, (dim, [w, h, d], levels, layers)): (vk::Format, Sized), seed| {
            let format = crate::gpu::formats::format(format);
            let block = format.block();
            let shape = shape((dim, [w * block, h * block, d], levels, layers), format);
            gpu.image_of(shape.used(vk::ImageUsageFlags::SAMPLED), seed)
        };
        let (from, to) = (made(row.from, 401)?, made(row.to, 402)?);
        let end = |image: &crate::gpu::image::Image<'_>, n: usize| {
            let (level, first, [x, y, z]) = row.ends[n];
            let block = image.shape.format.block() as i32;
            let layers = image.shape.layers(level, first, row.layers[n]);
            (layers, vk::Offset3D { x: x * block, y: y * block, z })
        };
        let ((src, src_offset), (dst, dst_offset)) = (end(&from, 0), end(&to, 1));
        let block = from.shape.format.block();
        let [width, height, depth] = row.extent;
        // From layers into slices, the extent's depth is that of slices.
        let depth = depth.max(if row.layers[0] == row.layers[1] { 1 } else { row.layers[0] });
        let region = vk::ImageCopy::default()
            .src_subresource(src)
            .src_offset(src_offset)
            .dst_subresource(dst)
            .dst_offset(dst_offset)
            .extent(vk::Extent3D { width: width * block, height: height * block, depth });
        gpu.copy(|cmd| unsafe {
            let layout = vk::ImageLayout::GENERAL;
            gpu.device.cmd_copy_image(cmd, from.handle, layout, to.handle, layout, &[region]);
        })?;
        results.add(&to.read()?);
    }
    Ok(results.words)
}
