//! Shader objects: compiled shaders as bytes of the driver's own, which it gives and takes again.
//!
//! What the bytes mean is the driver's affair, and not this layer's. An object runs as a [`Pipeline`] does, with nothing bound:
//! it is given push constants, and reaches memory by addresses.

use super::device::{Device, Inner};
use super::error::Error;
use super::pipeline::{Code, Pipeline};
use ash::vk;
use std::time::{Duration, Instant};

/// What an object is made of.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// A module with an entry point `main`.
    SpirV(&'a [u32]),
    /// What [`Pipeline::binary`] gave, perhaps changed.
    Binary(&'a [u8]),
}

/// How an object is made.
#[derive(Clone, Copy, Debug)]
pub struct Object<'a> {
    /// For the validation layer.
    pub name: &'a str,
    /// Of what.
    pub source: Source<'a>,
    /// Bytes of push constants.
    pub push_bytes: u32,
    /// The size that its subgroups must have, where there is a choice.
    pub subgroup_size: Option<u32>,
}

const DOING: &str = "creating the shader object";

/// Sixteen bytes, as binaries are aligned.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
struct Line([u8; 16]);

impl Device {
    /// Makes an object.
    ///
    /// # Errors
    /// The device has none, or refuses these bytes.
    pub fn object(&self, object: &Object<'_>) -> Result<Pipeline, Error> {
        let device = &self.inner;
        device.alive(DOING)?;
        let objects = device.objects()?;
        let s = &device.caps.subgroup;
        let mut pipeline = Pipeline {
            device: device.clone(),
            handle: Code::Object(vk::ShaderEXT::null()),
            layout: vk::PipelineLayout::null(),
            set: vk::DescriptorSetLayout::null(),
            buffers: 0,
            push_bytes: object.push_bytes,
            compiled: Duration::ZERO,
        };
        let push =
            [vk::PushConstantRange::default().stage_flags(vk::ShaderStageFlags::COMPUTE).size(object.push_bytes)];
        let info = vk::PipelineLayoutCreateInfo::default().push_constant_ranges(&push);
        // SAFETY: the device lives. What is made is kept in `pipeline`, which destroys it if a later step fails.
        pipeline.layout = unsafe { device.raw.create_pipeline_layout(&info, None) }.map_err(Error::of(DOING))?;
        let size = object.subgroup_size.filter(|size| s.control && (s.min..=s.max).contains(size));
        if let (Some(wanted), None) = (object.subgroup_size, size)
            && (s.min, s.max) != (wanted, wanted)
        {
            return Err(Error::Missing {
                device: device.caps.name.clone(),
                needs: format!("subgroups of {wanted} at will"),
            });
        }
        let mut size =
            size.map(|n| vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo::default().required_subgroup_size(n));
        let lines: Vec<Line>;
        let (kind, code): (_, &[u8]) = match object.source {
            Source::SpirV(words) => (vk::ShaderCodeTypeEXT::SPIRV, bytemuck::cast_slice(words)),
            Source::Binary(bytes) => {
                lines = aligned(bytes);
                // SAFETY: lines are bytes one behind the other, as many as there are at least.
                let bytes = unsafe { std::slice::from_raw_parts(lines.as_ptr().cast(), bytes.len()) };
                (vk::ShaderCodeTypeEXT::BINARY, bytes)
            }
        };
        let mut info = vk::ShaderCreateInfoEXT::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .code_type(kind)
            .code(code)
            .name(c"main")
            .push_constant_ranges(&push);
        if let Some(size) = &mut size {
            info = info.push_next(size);
        }
        let start = Instant::now();
        // SAFETY: the device has the extension, and everything that the record points to lives until the call is over. A
        // module has to be valid, and machine code runs as it is: both are the caller's part.
        let made = unsafe { objects.create_shaders(&[info], None) };
        pipeline.compiled = start.elapsed();
        match made {
            Ok(made) => pipeline.handle = Code::Object(made[0]),
            Err((_, result)) => return Err(device.note(Error::of(DOING)(result))),
        }
        device.check()?;
        Ok(pipeline)
    }
}

fn aligned(bytes: &[u8]) -> Vec<Line> {
    let line = |piece: &[u8]| {
        let mut line = Line([0; 16]);
        line.0[..piece.len()].copy_from_slice(piece);
        line
    };
    bytes.chunks(16).map(line).collect()
}

impl Inner {
    /// The extension.
    pub(super) fn objects(&self) -> Result<&ash::ext::shader_object::Device, Error> {
        let missing = || Error::Missing { device: self.caps.name.clone(), needs: "shader objects".to_owned() };
        self.objects.as_ref().ok_or_else(missing)
    }
}

impl Pipeline {
    /// A shader object as bytes.
    ///
    /// # Errors
    /// It is a pipeline and no object, or the driver does not give it.
    pub fn binary(&self) -> Result<Vec<u8>, Error> {
        let Code::Object(object) = self.handle else {
            return Err(Error::Job("a pipeline has no bytes".to_owned()));
        };
        // SAFETY: the object lives, and is of this device.
        unsafe { self.device.objects()?.get_shader_binary_data(object) }.map_err(Error::of("reading the shader object"))
    }
}
