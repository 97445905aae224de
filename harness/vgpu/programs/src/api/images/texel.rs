//! Shaders of texels: a text with macros, the image it reads or writes, and a box of positions, one lane each.

use crate::api::binding::{Form, Own};
use crate::gpu::formats::{Format, Kind};
use crate::gpu::image::{Dim, Sampler, View};
use crate::gpu::{Buffer, Gpu, barrier};
use crate::shaders;
use crate::stop::Done;
use ash::vk;

const STORAGE: vk::DescriptorType = vk::DescriptorType::STORAGE_BUFFER;
pub const IMAGE: vk::DescriptorType = vk::DescriptorType::STORAGE_IMAGE;
pub const TEXTURE: vk::DescriptorType = vk::DescriptorType::SAMPLED_IMAGE;
pub const SAMPLED: vk::DescriptorType = vk::DescriptorType::COMBINED_IMAGE_SAMPLER;

/// Whether shaders see floats, which they multiply and round where the format is one of fractions.
fn words(prefix: &str) -> &'static str {
    if prefix.is_empty() { "(exact != 0 ? floatBitsToUint(v) : uvec4(ivec4(round(v * over))))" } else { "uvec4(v)" }
}

/// A shader's text with its macros, those of a format and a dimension before all: VEC, WORDS, AT.
pub fn text(shader: &str, prefix: &str, dim: Dim, macros: &[(&str, &str)]) -> String {
    let vector = format!("{prefix}vec4");
    let mut lines = String::new();
    let own = [("VEC", vector.as_str()), ("WORDS", words(prefix)), ("AT", dim.at)];
    for (name, value) in own.iter().chain(macros) {
        lines.push_str(&format!("#define {name} {value}\n"));
    }
    let source = shaders::source(shader);
    let after = source.find("void main").expect("a main function");
    let before = source[..after].find("layout(").expect("a layout");
    format!("{}{lines}{}", &source[..before], &source[before..])
}

/// A box of positions, and what is done at each.
#[derive(Clone, Copy, Debug, Default)]
pub struct Box4 {
    pub from: [i32; 4],
    pub size: [u32; 4],
    pub level: i32,
    pub seed: u32,
    /// Whether the fourth component of what lies outside is compared.
    pub alpha: bool,
    /// Whether floats are compared by bits.
    pub exact: bool,
}

impl Box4 {
    pub fn of(size: [u32; 4]) -> Box4 {
        Box4 { size, alpha: true, ..Box4::default() }
    }

    pub fn lanes(&self) -> u32 {
        self.size.iter().product()
    }

    fn push(&self, format: &Format) -> Vec<u32> {
        let range = format.range;
        let (span, less, over): ([u32; 4], [i32; 4], [f32; 4]) = match format.kind {
            Kind::Unorm => (range, [0; 4], range.map(|r| r as f32)),
            Kind::Snorm => (range.map(|r| 2 * r), range.map(|r| r as i32), range.map(|r| r as f32)),
            Kind::Sint if range[0] > 0xffff => (range, [0; 4], [1.0; 4]),
            Kind::Sint => (range.map(|r| 2 * r + 1), range.map(|r| r as i32 + 1), [1.0; 4]),
            Kind::Float => (range.map(|r| 2 * r), range.map(|r| r as i32), [1.0; 4]),
            _ => (range, [0; 4], if format.normalized() { range.map(|r| r as f32) } else { [1.0; 4] }),
        };
        let exact = self.exact || !format.normalized();
        let mut words: Vec<u32> = self.from.iter().map(|at| *at as u32).collect();
        words.extend(self.size);
        words.extend(span);
        words.extend(less.map(|less| less as u32));
        words.extend(over.map(f32::to_bits));
        words.extend([u32::from(self.alpha), u32::from(exact), self.level as u32, self.seed]);
        words
    }
}

/// A pipeline on an image, a buffer that it writes, and one that it reads.
pub struct Texels<'g> {
    own: Own<'g>,
    ty: vk::DescriptorType,
}

impl<'g> Texels<'g> {
    pub fn new(gpu: &'g Gpu, text: &str, ty: vk::DescriptorType) -> Done<Texels<'g>> {
        let bindings = [(ty, 1), (STORAGE, 1), (STORAGE, 1)];
        let own = Own::of_text(gpu, text, &Form { bindings: &bindings, sets: 1, push: 96, ..Form::default() })?;
        Ok(Texels { own, ty })
    }

    /// Runs it over a box.
    pub fn run(
        &self,
        format: &Format,
        view: (&View<'_>, Option<&Sampler<'_>>),
        buffers: (&Buffer<'_>, &Buffer<'_>),
        over: &Box4,
    ) -> Done<()> {
        self.groups(format, view, buffers, over, over.lanes().div_ceil(64))
    }

    /// Runs so many groups of it.
    pub fn groups(
        &self,
        format: &Format,
        (view, sampler): (&View<'_>, Option<&Sampler<'_>>),
        (out, given): (&Buffer<'_>, &Buffer<'_>),
        over: &Box4,
        groups: u32,
    ) -> Done<()> {
        let gpu = self.own.gpu;
        let info = [vk::DescriptorImageInfo {
            sampler: sampler.map_or(vk::Sampler::null(), |sampler| sampler.handle),
            image_view: view.handle,
            image_layout: vk::ImageLayout::GENERAL,
        }];
        let write = vk::WriteDescriptorSet::default().dst_set(self.own.sets[0]).descriptor_type(self.ty);
        unsafe { gpu.device.update_descriptor_sets(&[write.image_info(&info)], &[]) };
        for (n, buffer) in [(1, out), (2, given)] {
            let all = vk::DescriptorBufferInfo { buffer: buffer.handle, offset: 0, range: vk::WHOLE_SIZE };
            self.own.write(0, n, 0, STORAGE, all);
        }
        gpu.run(|cmd| {
            barrier(gpu, cmd);
            self.own.bind(cmd, Some(0), &[]);
            self.own.push(cmd, &over.push(format));
            unsafe { gpu.device.cmd_dispatch(cmd, groups, 1, 1) };
            barrier(gpu, cmd);
        })
    }

    /// What it writes: four words for each lane.
    pub fn words(
        &self,
        format: &Format,
        view: (&View<'_>, Option<&Sampler<'_>>),
        given: &Buffer<'_>,
        over: &Box4,
    ) -> Done<Vec<u32>> {
        let out = self.own.gpu.zeroes(over.lanes() as usize * 16)?;
        self.run(format, view, (&out, given), over)?;
        Ok(out.read())
    }
}
