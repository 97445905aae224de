//! The images of a shader, as its first lines say:
//!
//! ```text
//! // texture 1.0 2D R8G8B8A8_UINT 16 8 1 3 1 77   set and binding, dimension, format, width, height, depth, levels, layers, seed
//! // image 1.1 2D R32_UINT 32 6 1 1 1 78           the same, loaded and stored; it is read at the end
//! ```
//!
//! Textures are sampled as they are: the nearest texel of the nearest level, repeated.

use super::Gpu;
use super::formats::{COLOURS, Format};
use super::image::{D1, D2, D2_ARRAY, D3, Dim, Image, Sampler, Shape, View};
use super::loaded::Place;
use crate::stop::Done;
use ash::vk;

/// An image with what it is bound by.
pub struct Picture<'g> {
    pub place: Place,
    view: View<'g>,
    sampler: Option<Sampler<'g>>,
    image: Image<'g>,
}

const TEXTURE: vk::DescriptorType = vk::DescriptorType::COMBINED_IMAGE_SAMPLER;
const IMAGE: vk::DescriptorType = vk::DescriptorType::STORAGE_IMAGE;

impl<'g> Picture<'g> {
    /// Those of a shader.
    pub fn all(gpu: &'g Gpu, source: &str) -> Done<Vec<Picture<'g>>> {
        let mut all = Vec::new();
        for line in source.lines().map_while(|line| line.strip_prefix("//")) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [kind @ ("texture" | "image"), place, dim, format, ref sizes @ ..] = words[..] else { continue };
            let (set, binding) = place.split_once('.').expect("SET.BINDING");
            let [set, binding] = [set, binding].map(|number| number.parse().expect("a number"));
            let ty = if kind == "texture" { TEXTURE } else { IMAGE };
            all.push(Picture::new(gpu, Place { set, binding, element: 0, ty }, dimension(dim), named(format), sizes)?);
        }
        Ok(all)
    }

    fn new(gpu: &'g Gpu, place: Place, dim: Dim, format: &'static Format, sizes: &[&str]) -> Done<Picture<'g>> {
        let sizes: Vec<u32> = sizes.iter().map(|size| size.parse().expect("a size")).collect();
        let [width, height, depth, levels, layers, seed] = sizes[..] else { panic!("five sizes and a seed") };
        let usage = if place.ty == IMAGE { vk::ImageUsageFlags::STORAGE } else { vk::ImageUsageFlags::SAMPLED };
        let image = gpu.image_of(Shape::new(dim, format, [width, height, depth], levels, layers).used(usage), seed)?;
        let repeated = vk::SamplerCreateInfo::default().max_lod(vk::LOD_CLAMP_NONE);
        let sampler = if place.ty == TEXTURE { Some(gpu.sampler(&repeated)?) } else { None };
        Ok(Picture { place, view: image.view()?, sampler, image })
    }

    /// What a descriptor of it says.
    pub fn info(&self) -> vk::DescriptorImageInfo {
        vk::DescriptorImageInfo {
            sampler: self.sampler.as_ref().map_or(vk::Sampler::null(), |sampler| sampler.handle),
            image_view: self.view.handle,
            image_layout: vk::ImageLayout::GENERAL,
        }
    }

    /// What it holds, of one that is loaded and stored.
    pub fn read(&self) -> Done<Vec<u32>> {
        if self.place.ty == IMAGE { self.image.read() } else { Ok(Vec::new()) }
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
