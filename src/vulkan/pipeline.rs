//! Compute pipelines: SPIR-V made ready to run.
//!
//! One layout serves all: storage buffers at set 0, bindings 0 to n - 1, and push constants. The driver's own cache, which the device keeps, makes
//! the second pipeline of the same words cheap; there is no other cache above it, because suites hardly run a program twice.

use super::device::{Device, Health, Inner};
use super::error::Error;
use ash::vk;
use std::ffi::CString;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What a pipeline is made of.
#[derive(Clone, Debug)]
pub struct Shader<'a> {
    /// For reports and for the validation layer.
    pub name: &'a str,
    /// The module, in SPIR-V.
    pub words: &'a [u32],
    /// The entry point in it.
    pub entry: &'a str,
    /// Specialization constants by their ids.
    pub constants: &'a [(u32, Constant)],
    /// How many storage buffers it binds, from binding 0 of set 0 on.
    pub buffers: u32,
    /// How many bytes of push constants it takes: whole words.
    pub push_bytes: u32,
    /// The size that its subgroups must have.
    pub subgroup_size: Option<u32>,
    /// All lanes of its subgroups must be there; the group's first dimension is a multiple of the subgroup then.
    pub full_subgroups: bool,
}

impl<'a> Shader<'a> {
    /// A module whose entry point is `main`, with nothing bound.
    #[must_use]
    pub fn new(name: &'a str, words: &'a [u32]) -> Shader<'a> {
        Shader {
            name,
            words,
            entry: "main",
            constants: &[],
            buffers: 0,
            push_bytes: 0,
            subgroup_size: None,
            full_subgroups: false,
        }
    }
}

/// A specialization constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constant {
    /// 32 bits of any type; for booleans 0 or 1.
    Bits32(u32),
    /// 64 bits of any type.
    Bits64(u64),
}

/// SPIR-V made ready to run. It is used by [`Device::run`].
pub struct Pipeline {
    pub(super) device: Arc<Inner>,
    pub(super) handle: Code,
    pub(super) layout: vk::PipelineLayout,
    pub(super) set: vk::DescriptorSetLayout,
    pub(super) buffers: u32,
    pub(super) push_bytes: u32,
    pub(super) compiled: Duration,
}

/// What runs.
#[derive(Clone, Copy)]
pub(super) enum Code {
    Pipeline(vk::Pipeline),
    Object(vk::ShaderEXT),
}

const DOING: &str = "creating the pipeline";

impl Device {
    /// Makes a pipeline. This is where a driver compiles; it may take long, and drivers have crashed here.
    ///
    /// # Errors
    /// [`Error::Missing`] if the device lacks what the shader asks for beside its capabilities, which only the validation layer checks.
    pub fn pipeline(&self, shader: &Shader<'_>) -> Result<Pipeline, Error> {
        let device = &self.inner;
        device.alive(DOING)?;
        let size = self.required_size(shader)?;
        let mut pipeline = Pipeline {
            device: device.clone(),
            handle: Code::Pipeline(vk::Pipeline::null()),
            layout: vk::PipelineLayout::null(),
            set: vk::DescriptorSetLayout::null(),
            buffers: shader.buffers,
            push_bytes: shader.push_bytes,
            compiled: Duration::ZERO,
        };
        let bindings: Vec<vk::DescriptorSetLayoutBinding<'_>> = (0..shader.buffers)
            .map(|binding| {
                vk::DescriptorSetLayoutBinding::default()
                    .binding(binding)
                    .descriptor_type(vk::DescriptorType::STORAGE_BUFFER)
                    .descriptor_count(1)
                    .stage_flags(vk::ShaderStageFlags::COMPUTE)
            })
            .collect();
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        // SAFETY: the device lives. What is made is kept in `pipeline`, which destroys it if a later step fails.
        pipeline.set = unsafe { device.raw.create_descriptor_set_layout(&info, None) }.map_err(Error::of(DOING))?;
        let sets = [pipeline.set];
        let push =
            [vk::PushConstantRange::default().stage_flags(vk::ShaderStageFlags::COMPUTE).size(shader.push_bytes)];
        let mut info = vk::PipelineLayoutCreateInfo::default().set_layouts(&sets);
        if shader.push_bytes > 0 {
            info = info.push_constant_ranges(&push);
        }
        // SAFETY: as above.
        pipeline.layout = unsafe { device.raw.create_pipeline_layout(&info, None) }.map_err(Error::of(DOING))?;

        let info = vk::ShaderModuleCreateInfo::default().code(shader.words);
        // SAFETY: the device lives. The words have to be valid SPIR-V: that is the caller's part, and the validation layer's to check.
        let module = unsafe { device.raw.create_shader_module(&info, None) }.map_err(Error::of(DOING))?;
        device.name(module, shader.name);
        let start = Instant::now();
        let made = compile(device, shader, size, module, pipeline.layout);
        pipeline.compiled = start.elapsed();
        // SAFETY: pipelines do not need their module once they are made.
        unsafe { device.raw.destroy_shader_module(module, None) };
        let made = made.map_err(|e| device.note(e))?;
        pipeline.handle = Code::Pipeline(made);
        device.name(made, shader.name);
        device.check()?;
        Ok(pipeline)
    }

    /// The size of subgroups that has to be asked for, if any.
    fn required_size(&self, shader: &Shader<'_>) -> Result<Option<u32>, Error> {
        let caps = &self.inner.caps;
        let missing = |needs: String| Err(Error::Missing { device: caps.name.clone(), needs });
        if shader.buffers > caps.limits.storage_buffers {
            return missing(format!("{} storage buffers, but {}", shader.buffers, caps.limits.storage_buffers));
        }
        if shader.push_bytes > caps.limits.push_bytes {
            return missing(format!("{} bytes of push constants, but {}", shader.push_bytes, caps.limits.push_bytes));
        }
        if !shader.push_bytes.is_multiple_of(4) {
            return Err(Error::Job(format!("{} bytes of push constants are no whole words", shader.push_bytes)));
        }
        if shader.full_subgroups && !caps.subgroup.full {
            return missing("full subgroups".to_owned());
        }
        let s = &caps.subgroup;
        match shader.subgroup_size {
            Some(size) if s.control && (s.min..=s.max).contains(&size) => Ok(Some(size)),
            Some(size) if s.min == size && s.max == size => Ok(None),
            Some(size) => missing(format!("subgroups of {size} at will")),
            None => Ok(None),
        }
    }
}

fn compile(
    device: &Inner,
    shader: &Shader<'_>,
    size: Option<u32>,
    module: vk::ShaderModule,
    layout: vk::PipelineLayout,
) -> Result<vk::Pipeline, Error> {
    let entry = CString::new(shader.entry).map_err(|_| Error::Job(format!("no entry point: {:?}", shader.entry)))?;
    let (entries, data) = specialization(shader.constants);
    let special = vk::SpecializationInfo::default().map_entries(&entries).data(&data);
    let mut size =
        size.map(|n| vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo::default().required_subgroup_size(n));
    let mut stage = vk::PipelineShaderStageCreateInfo::default()
        .stage(vk::ShaderStageFlags::COMPUTE)
        .module(module)
        .name(&entry)
        .specialization_info(&special);
    if shader.full_subgroups {
        stage.flags |= vk::PipelineShaderStageCreateFlags::REQUIRE_FULL_SUBGROUPS;
    }
    if let Some(size) = &mut size {
        stage = stage.push_next(size);
    }
    let info = [vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout)];
    // SAFETY: the device, its cache, module and layout live, and everything that the record points to does until the call is over.
    match unsafe { device.raw.create_compute_pipelines(device.cache, &info, None) } {
        Ok(made) => Ok(made[0]),
        Err((_, result)) => Err(Error::of(DOING)(result)),
    }
}

/// Constants as Vulkan takes them: where each lies in a row of bytes.
fn specialization(constants: &[(u32, Constant)]) -> (Vec<vk::SpecializationMapEntry>, Vec<u8>) {
    let mut data = Vec::new();
    let entries = constants
        .iter()
        .map(|(id, constant)| {
            let offset = data.len();
            match constant {
                Constant::Bits32(bits) => data.extend(bits.to_ne_bytes()),
                Constant::Bits64(bits) => data.extend(bits.to_ne_bytes()),
            }
            vk::SpecializationMapEntry { constant_id: *id, offset: offset as u32, size: data.len() - offset }
        })
        .collect();
    (entries, data)
}

impl Pipeline {
    /// How long the driver took to make it.
    #[must_use]
    pub fn compiled(&self) -> Duration {
        self.compiled
    }
}

impl Drop for Pipeline {
    fn drop(&mut self) {
        if self.device.health() == Health::Hung {
            return;
        }
        // SAFETY: no run uses it: runs borrow their pipeline until the device is done. Vulkan ignores handles that are null.
        unsafe {
            match (self.handle, &self.device.objects) {
                (Code::Pipeline(pipeline), _) => self.device.raw.destroy_pipeline(pipeline, None),
                (Code::Object(object), Some(objects)) => objects.destroy_shader(object, None),
                (Code::Object(_), None) => {}
            }
            self.device.raw.destroy_pipeline_layout(self.layout, None);
            self.device.raw.destroy_descriptor_set_layout(self.set, None);
        }
    }
}
