//! Images, views and samplers.
//!
//! Images lie in the layout GENERAL all their life and may be used by every queue family. Copies into them go to a queue that
//! cannot draw, where there is one: a driver may make draws of them on others. Depths and stencils too: Vulkan wants a queue that
//! draws for those (VUID 07739, until `VK_KHR_maintenance10`), but the drivers that are compared copy them on every queue.

use super::formats::Format;
use super::{Buffer, Gpu, Queue, barrier};
use crate::stop::{Call, Done};
use ash::vk;
use std::ptr::NonNull;

/// What an image is, for Vulkan and in GLSL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dim {
    /// What types of GLSL end with.
    pub glsl: &'static str,
    pub view: vk::ImageViewType,
    /// Where a texel is: `p` holds x, y, layer or z, and the sample.
    pub at: &'static str,
    /// The same for `texelFetch`.
    pub fetch: &'static str,
    /// Where a sample is taken: `c` holds coordinates and the layer behind them.
    pub sample: &'static str,
}

pub const D1: Dim = Dim { glsl: "1D", view: vk::ImageViewType::TYPE_1D, at: "p.x", fetch: "p.x, level", sample: "c.x" };
pub const D1_ARRAY: Dim =
    Dim { glsl: "1DArray", view: vk::ImageViewType::TYPE_1D_ARRAY, at: "p.xy", fetch: "p.xy, level", sample: "c.xy" };
pub const D2: Dim =
    Dim { glsl: "2D", view: vk::ImageViewType::TYPE_2D, at: "p.xy", fetch: "p.xy, level", sample: "c.xy" };
pub const D2_ARRAY: Dim = Dim {
    glsl: "2DArray",
    view: vk::ImageViewType::TYPE_2D_ARRAY,
    at: "p.xyz",
    fetch: "p.xyz, level",
    sample: "c.xyz",
};
pub const D3: Dim =
    Dim { glsl: "3D", view: vk::ImageViewType::TYPE_3D, at: "p.xyz", fetch: "p.xyz, level", sample: "c.xyz" };
pub const CUBE: Dim =
    Dim { glsl: "Cube", view: vk::ImageViewType::CUBE, at: "p.xyz", fetch: "p.xyz, level", sample: "c.xyz" };
pub const CUBE_ARRAY: Dim =
    Dim { glsl: "CubeArray", view: vk::ImageViewType::CUBE_ARRAY, at: "p.xyz", fetch: "p.xyz, level", sample: "c" };
pub const SAMPLES: Dim =
    Dim { glsl: "2DMS", view: vk::ImageViewType::TYPE_2D, at: "p.xy, p.w", fetch: "p.xy, p.w", sample: "" };
pub const SAMPLES_ARRAY: Dim = Dim {
    glsl: "2DMSArray",
    view: vk::ImageViewType::TYPE_2D_ARRAY,
    at: "p.xyz, p.w",
    fetch: "p.xyz, p.w",
    sample: "",
};

impl Dim {
    fn ty(&self) -> vk::ImageType {
        match self.view {
            vk::ImageViewType::TYPE_1D | vk::ImageViewType::TYPE_1D_ARRAY => vk::ImageType::TYPE_1D,
            vk::ImageViewType::TYPE_3D => vk::ImageType::TYPE_3D,
            _ => vk::ImageType::TYPE_2D,
        }
    }

    /// How many coordinates say where a texel of a layer is.
    pub fn axes(&self) -> usize {
        match self.ty() {
            vk::ImageType::TYPE_1D => 1,
            vk::ImageType::TYPE_2D => 2,
            _ => 3,
        }
    }

    pub fn cube(&self) -> bool {
        matches!(self.view, vk::ImageViewType::CUBE | vk::ImageViewType::CUBE_ARRAY)
    }
}

/// What an image is made of.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub dim: Dim,
    pub format: &'static Format,
    pub size: [u32; 3],
    pub levels: u32,
    pub layers: u32,
    pub samples: u32,
    /// Rows of texels, where the host sees them.
    pub linear: bool,
    /// Whether views may have other formats.
    pub mutable: bool,
    /// Whether a view may take a block for a texel.
    pub texels: bool,
    pub usage: vk::ImageUsageFlags,
}

/// Copies both ways.
const COPIES: vk::ImageUsageFlags = vk::ImageUsageFlags::from_raw(
    vk::ImageUsageFlags::TRANSFER_SRC.as_raw() | vk::ImageUsageFlags::TRANSFER_DST.as_raw(),
);

impl Shape {
    pub const fn new(dim: Dim, format: &'static Format, size: [u32; 3], levels: u32, layers: u32) -> Shape {
        Shape {
            dim,
            format,
            size,
            levels,
            layers,
            samples: 1,
            linear: false,
            mutable: false,
            texels: false,
            usage: COPIES,
        }
    }

    /// Used for more.
    pub fn used(self, usage: vk::ImageUsageFlags) -> Shape {
        Shape { usage: self.usage | usage, ..self }
    }

    /// Width, height and depth of a level.
    pub fn level(&self, level: u32) -> [u32; 3] {
        self.size.map(|size| (size >> level).max(1))
    }

    /// How far positions go in x, y, layer or z, and the sample.
    pub fn span(&self, level: u32) -> [u32; 4] {
        let [w, h, d] = self.level(level);
        match self.dim.view {
            vk::ImageViewType::TYPE_1D => [w, 1, 1, 1],
            vk::ImageViewType::TYPE_1D_ARRAY => [w, self.layers, 1, 1],
            vk::ImageViewType::TYPE_3D => [w, h, d, 1],
            vk::ImageViewType::TYPE_2D => [w, h, 1, self.samples],
            _ => [w, h, self.layers, self.samples],
        }
    }

    /// Bytes of all layers of a level.
    fn bytes(&self, level: u32) -> usize {
        let [w, h, d] = self.level(level);
        let block = self.format.block();
        (w.div_ceil(block) * h.div_ceil(block) * d * self.layers * self.format.bytes) as usize
    }

    /// All levels one behind the other in a buffer, and how many bytes they are.
    pub fn regions(&self) -> (Vec<vk::BufferImageCopy>, usize) {
        let mut at = 0;
        let regions = (0..self.levels)
            .map(|level| {
                let [width, height, depth] = self.level(level);
                let region = vk::BufferImageCopy::default()
                    .buffer_offset(at as u64)
                    .image_subresource(self.layers(level, 0, self.layers))
                    .image_extent(vk::Extent3D { width, height, depth });
                at = (at + self.bytes(level)).next_multiple_of(if self.format.bytes == 12 { 48 } else { 16 });
                region
            })
            .collect();
        (regions, at)
    }

    /// Layers of a level.
    pub fn layers(&self, level: u32, first: u32, count: u32) -> vk::ImageSubresourceLayers {
        vk::ImageSubresourceLayers {
            aspect_mask: self.format.aspect(),
            mip_level: level,
            base_array_layer: first,
            layer_count: count,
        }
    }

    /// All of it.
    pub fn whole(&self) -> vk::ImageSubresourceRange {
        self.range(0, self.levels, 0, self.layers)
    }

    pub fn range(&self, level: u32, levels: u32, layer: u32, layers: u32) -> vk::ImageSubresourceRange {
        vk::ImageSubresourceRange {
            aspect_mask: self.format.aspect(),
            base_mip_level: level,
            level_count: levels,
            base_array_layer: layer,
            layer_count: layers,
        }
    }

    fn flags(&self) -> vk::ImageCreateFlags {
        let mut flags = vk::ImageCreateFlags::empty();
        if self.dim.cube() {
            flags |= vk::ImageCreateFlags::CUBE_COMPATIBLE;
        }
        if self.mutable || self.texels {
            flags |= vk::ImageCreateFlags::MUTABLE_FORMAT;
        }
        if self.texels {
            flags |= vk::ImageCreateFlags::BLOCK_TEXEL_VIEW_COMPATIBLE;
        }
        flags
    }

    fn tiling(&self) -> vk::ImageTiling {
        if self.linear { vk::ImageTiling::LINEAR } else { vk::ImageTiling::OPTIMAL }
    }
}

/// An image with memory of its own.
pub struct Image<'g> {
    gpu: &'g Gpu,
    pub shape: Shape,
    pub handle: vk::Image,
    memory: vk::DeviceMemory,
}

/// A view of an image.
pub struct View<'g> {
    gpu: &'g Gpu,
    pub handle: vk::ImageView,
}

/// A sampler.
pub struct Sampler<'g> {
    gpu: &'g Gpu,
    pub handle: vk::Sampler,
}

impl Gpu {
    /// The queue that copies into images.
    pub fn copying(&self) -> Queue {
        let draws = |queue: &Queue| self.families[queue.family as usize].queue_flags.contains(vk::QueueFlags::GRAPHICS);
        if draws(&self.main) && !draws(&self.other) { self.other } else { self.main }
    }

    /// Records one command buffer for the queue that copies into images, submits it and waits.
    pub fn copy(&self, record: impl FnOnce(vk::CommandBuffer)) -> Done<()> {
        let queue = self.copying();
        let commands = super::Commands::new(self, queue.family)?;
        let buffer = commands.record(|cmd| {
            barrier(self, cmd);
            record(cmd);
            barrier(self, cmd);
        })?;
        self.submit_wait(queue, &[buffer])
    }

    /// Whether the device makes such an image.
    pub fn makes(&self, shape: &Shape) -> bool {
        let limits = unsafe {
            self.instance.get_physical_device_image_format_properties(
                self.physical,
                shape.format.vk,
                shape.dim.ty(),
                shape.tiling(),
                shape.usage,
                shape.flags(),
            )
        };
        let samples = vk::SampleCountFlags::from_raw(shape.samples);
        limits.is_ok_and(|limits| {
            limits.max_mip_levels >= shape.levels
                && limits.max_array_layers >= shape.layers
                && limits.sample_counts.contains(samples)
        })
    }

    /// An image without contents.
    pub fn image(&self, shape: Shape) -> Done<Image<'_>> {
        let [width, height, depth] = shape.size;
        let mut families = vec![self.main.family, self.copying().family];
        families.dedup();
        let sharing = if families.len() > 1 { vk::SharingMode::CONCURRENT } else { vk::SharingMode::EXCLUSIVE };
        let info = vk::ImageCreateInfo::default()
            .flags(shape.flags())
            .image_type(shape.dim.ty())
            .format(shape.format.vk)
            .extent(vk::Extent3D { width, height, depth })
            .mip_levels(shape.levels)
            .array_layers(shape.layers)
            .samples(vk::SampleCountFlags::from_raw(shape.samples))
            .tiling(shape.tiling())
            .usage(shape.usage)
            .sharing_mode(sharing)
            .queue_family_indices(&families);
        let handle = unsafe { self.device.create_image(&info, None) }.call("vkCreateImage")?;
        let needs = unsafe { self.device.get_image_memory_requirements(handle) };
        let wanted = if shape.linear {
            vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT
        } else {
            vk::MemoryPropertyFlags::DEVICE_LOCAL
        };
        let allocate = vk::MemoryAllocateInfo::default()
            .allocation_size(needs.size)
            .memory_type_index(self.memory_type(needs.memory_type_bits, wanted)?);
        let memory = unsafe { self.device.allocate_memory(&allocate, None) }.call("vkAllocateMemory")?;
        unsafe { self.device.bind_image_memory(handle, memory, 0) }.call("vkBindImageMemory")?;
        let image = Image { gpu: self, shape, handle, memory };
        self.copy(|cmd| image.begin(cmd))?;
        Ok(image)
    }

    /// An image with contents in all levels.
    pub fn image_of(&self, shape: Shape, seed: u32) -> Done<Image<'_>> {
        let (_, bytes) = shape.regions();
        self.image_with(shape, &shape.format.contents(seed, bytes))
    }

    /// An image with these bytes in all levels.
    pub fn image_with(&self, shape: Shape, bytes: &[u8]) -> Done<Image<'_>> {
        let image = self.image(shape)?;
        image.write(&self.filled(bytes)?, &shape.regions().0)?;
        Ok(image)
    }

    /// A sampler.
    pub fn sampler(&self, info: &vk::SamplerCreateInfo<'_>) -> Done<Sampler<'_>> {
        let handle = unsafe { self.device.create_sampler(info, None) }.call("vkCreateSampler")?;
        Ok(Sampler { gpu: self, handle })
    }
}

impl<'g> Image<'g> {
    /// Moves it to the layout that it keeps.
    fn begin(&self, cmd: vk::CommandBuffer) {
        let to = vk::ImageMemoryBarrier::default()
            .dst_access_mask(vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE)
            .old_layout(vk::ImageLayout::UNDEFINED)
            .new_layout(vk::ImageLayout::GENERAL)
            .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .image(self.handle)
            .subresource_range(self.shape.whole());
        let stages = vk::PipelineStageFlags::ALL_COMMANDS;
        let none = vk::DependencyFlags::empty();
        unsafe { self.gpu.device.cmd_pipeline_barrier(cmd, stages, stages, none, &[], &[], &[to]) };
    }

    /// Copies regions of a buffer into it.
    pub fn write(&self, from: &Buffer<'_>, regions: &[vk::BufferImageCopy]) -> Done<()> {
        self.gpu.copy(|cmd| unsafe {
            let layout = vk::ImageLayout::GENERAL;
            self.gpu.device.cmd_copy_buffer_to_image(cmd, from.handle, self.handle, layout, regions);
        })
    }

    /// Copies regions of it into a buffer.
    pub fn read_into(&self, to: &Buffer<'_>, regions: &[vk::BufferImageCopy]) -> Done<()> {
        self.gpu.run(|cmd| {
            barrier(self.gpu, cmd);
            let layout = vk::ImageLayout::GENERAL;
            unsafe { self.gpu.device.cmd_copy_image_to_buffer(cmd, self.handle, layout, to.handle, regions) };
            barrier(self.gpu, cmd);
        })
    }

    /// All of it.
    pub fn read(&self) -> Done<Vec<u32>> {
        let (regions, bytes) = self.shape.regions();
        let to = self.gpu.zeroes(bytes)?;
        self.read_into(&to, &regions)?;
        Ok(to.read())
    }

    /// A view of all of it.
    pub fn view(&self) -> Done<View<'g>> {
        self.view_of(self.shape.dim, self.shape.format.vk, self.shape.whole(), vk::ComponentMapping::default())
    }

    /// A view.
    pub fn view_of(
        &self,
        dim: Dim,
        format: vk::Format,
        range: vk::ImageSubresourceRange,
        components: vk::ComponentMapping,
    ) -> Done<View<'g>> {
        let info = vk::ImageViewCreateInfo::default()
            .image(self.handle)
            .view_type(dim.view)
            .format(format)
            .components(components)
            .subresource_range(range);
        let handle = unsafe { self.gpu.device.create_image_view(&info, None) }.call("vkCreateImageView")?;
        Ok(View { gpu: self.gpu, handle })
    }

    /// What the host does with the rows of a linear image: each row of level 0 is given in order, with its bytes.
    pub fn rows(&self, mut each: impl FnMut(&mut [u8])) -> Done<()> {
        assert!(self.shape.linear);
        let device = &self.gpu.device;
        let flags = vk::MemoryMapFlags::empty();
        let all = unsafe { device.map_memory(self.memory, 0, vk::WHOLE_SIZE, flags) }.call("vkMapMemory")?;
        let base = NonNull::new(all.cast::<u8>()).expect("a mapping");
        let [width, height, _] = self.shape.size;
        let part = vk::ImageSubresource { aspect_mask: vk::ImageAspectFlags::COLOR, mip_level: 0, array_layer: 0 };
        let layout = unsafe { device.get_image_subresource_layout(self.handle, part) };
        for y in 0..u64::from(height) {
            let bytes = (width * self.shape.format.bytes) as usize;
            // SAFETY: Vulkan says that the row is there.
            each(unsafe {
                let row = base.as_ptr().add((layout.offset + y * layout.row_pitch) as usize);
                std::slice::from_raw_parts_mut(row, bytes)
            });
        }
        unsafe { device.unmap_memory(self.memory) };
        Ok(())
    }
}

impl Drop for Image<'_> {
    fn drop(&mut self) {
        unsafe {
            self.gpu.device.destroy_image(self.handle, None);
            self.gpu.device.free_memory(self.memory, None);
        }
    }
}

impl Drop for View<'_> {
    fn drop(&mut self) {
        unsafe { self.gpu.device.destroy_image_view(self.handle, None) };
    }
}

impl Drop for Sampler<'_> {
    fn drop(&mut self) {
        unsafe { self.gpu.device.destroy_sampler(self.handle, None) };
    }
}
