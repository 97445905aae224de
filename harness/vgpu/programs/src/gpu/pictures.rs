//! The images of a shader, as its first lines say:
//!
//! ```text
//! // texture 1.0 2D R8G8B8A8_UINT 16 8 1 3 1 77   set and binding, dimension, format, width, height, depth, levels, layers, seed
//! // image 1.1 2D R32_UINT 32 6 1 1 1 78           the same, loaded and stored; it is read at the end
//! ```
//!
//! They have a set to themselves. Textures are sampled as they are: the nearest texel of the nearest level, repeated.

use super::Gpu;
use super::formats::{COLOURS, Format};
use super::image::{D1, D2, D2_ARRAY, D3, Dim, Image, Sampler, Shape, View};
use crate::stop::{Call, Done};
use ash::vk;

/// The images of a shader, in a set.
pub struct Pictures<'g> {
    gpu: &'g Gpu,
    bound: Vec<Bound<'g>>,
    pub layout: vk::DescriptorSetLayout,
    pool: vk::DescriptorPool,
    pub set: vk::DescriptorSet,
    /// Which set it is.
    pub number: u32,
}

/// An image with what it is bound by.
struct Bound<'g> {
    ty: vk::DescriptorType,
    binding: u32,
    view: View<'g>,
    sampler: Option<Sampler<'g>>,
    image: Image<'g>,
}

const TEXTURE: vk::DescriptorType = vk::DescriptorType::COMBINED_IMAGE_SAMPLER;
const IMAGE: vk::DescriptorType = vk::DescriptorType::STORAGE_IMAGE;

impl<'g> Pictures<'g> {
    /// Those of a shader, where it has some.
    pub fn of(gpu: &'g Gpu, source: &str) -> Done<Option<Pictures<'g>>> {
        let mut bound = Vec::new();
        let mut number = 0;
        for line in source.lines().map_while(|line| line.strip_prefix("//")) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [kind @ ("texture" | "image"), place, dim, format, ref sizes @ ..] = words[..] else { continue };
            let (set, binding) = place.split_once('.').expect("SET.BINDING");
            number = set.parse().expect("the number of a set");
            let ty = if kind == "texture" { TEXTURE } else { IMAGE };
            bound.push(Bound::new(
                gpu,
                ty,
                binding.parse().expect("a binding"),
                (dimension(dim), named(format)),
                sizes,
            )?);
        }
        if bound.is_empty() {
            return Ok(None);
        }
        let binding = |bound: &Bound<'_>| {
            vk::DescriptorSetLayoutBinding::default()
                .binding(bound.binding)
                .descriptor_type(bound.ty)
                .descriptor_count(1)
                .stage_flags(vk::ShaderStageFlags::COMPUTE)
        };
        let bindings: Vec<_> = bound.iter().map(binding).collect();
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        let layout =
            unsafe { gpu.device.create_descriptor_set_layout(&info, None) }.call("vkCreateDescriptorSetLayout")?;
        let sizes = [TEXTURE, IMAGE].map(|ty| vk::DescriptorPoolSize { ty, descriptor_count: bound.len() as u32 });
        let info = vk::DescriptorPoolCreateInfo::default().max_sets(1).pool_sizes(&sizes);
        let pool = unsafe { gpu.device.create_descriptor_pool(&info, None) }.call("vkCreateDescriptorPool")?;
        let layouts = [layout];
        let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&layouts);
        let set = unsafe { gpu.device.allocate_descriptor_sets(&info) }.call("vkAllocateDescriptorSets")?[0];
        bound.iter().for_each(|bound| bound.write(gpu, set));
        Ok(Some(Pictures { gpu, bound, layout, pool, set, number }))
    }

    /// What images hold that were loaded and stored.
    pub fn read(&self) -> Done<Vec<u32>> {
        let stored = self.bound.iter().filter(|bound| bound.ty == IMAGE);
        Ok(stored.map(|bound| bound.image.read()).collect::<Done<Vec<_>>>()?.concat())
    }
}

impl<'g> Bound<'g> {
    fn new(
        gpu: &'g Gpu,
        ty: vk::DescriptorType,
        binding: u32,
        (dim, format): (Dim, &'static Format),
        sizes: &[&str],
    ) -> Done<Bound<'g>> {
        let sizes: Vec<u32> = sizes.iter().map(|size| size.parse().expect("a size")).collect();
        let [width, height, depth, levels, layers, seed] = sizes[..] else { panic!("five sizes and a seed") };
        let usage = if ty == IMAGE { vk::ImageUsageFlags::STORAGE } else { vk::ImageUsageFlags::SAMPLED };
        let image = gpu.image_of(Shape::new(dim, format, [width, height, depth], levels, layers).used(usage), seed)?;
        let repeated = vk::SamplerCreateInfo::default().max_lod(vk::LOD_CLAMP_NONE);
        let sampler = if ty == TEXTURE { Some(gpu.sampler(&repeated)?) } else { None };
        Ok(Bound { ty, binding, view: image.view()?, sampler, image })
    }

    fn write(&self, gpu: &Gpu, set: vk::DescriptorSet) {
        let info = [vk::DescriptorImageInfo {
            sampler: self.sampler.as_ref().map_or(vk::Sampler::null(), |sampler| sampler.handle),
            image_view: self.view.handle,
            image_layout: vk::ImageLayout::GENERAL,
        }];
        let write = vk::WriteDescriptorSet::default().dst_set(set).dst_binding(self.binding).descriptor_type(self.ty);
        unsafe { gpu.device.update_descriptor_sets(&[write.image_info(&info)], &[]) };
    }
}

impl Drop for Pictures<'_> {
    fn drop(&mut self) {
        unsafe {
            self.gpu.device.destroy_descriptor_pool(self.pool, None);
            self.gpu.device.destroy_descriptor_set_layout(self.layout, None);
        }
    }
}

fn dimension(glsl: &str) -> Dim {
    [D1, D2, D2_ARRAY, D3]
        .into_iter()
        .find(|dim| dim.glsl == glsl)
        .unwrap_or_else(|| panic!("`{glsl}` is no dimension"))
}

fn named(name: &str) -> &'static Format {
    let known = |format: &&Format| format!("{:?}", format.vk) == name;
    COLOURS.iter().find(known).unwrap_or_else(|| panic!("`{name}` is no format of colours"))
}
