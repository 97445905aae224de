//! A shader with its buffers and images on a device.

use super::pictures::Picture;
use super::{Buffer, Gpu, barrier};
use crate::stop::{Call, Done};
use crate::unit::{Bind, Kind, Unit};
use crate::{shaders, spirv};
use ash::vk;

/// A shader with its buffers and images on a device.
pub struct Loaded<'g> {
    gpu: &'g Gpu,
    pub unit: Unit,
    pub buffers: Vec<Buffer<'g>>,
    pub pipeline: vk::Pipeline,
    pub layout: vk::PipelineLayout,
    pub sets: Vec<vk::DescriptorSet>,
    pictures: Vec<Picture<'g>>,
    set_layouts: Vec<vk::DescriptorSetLayout>,
    pool: vk::DescriptorPool,
}

/// How a pipeline is made.
#[derive(Clone, Debug, Default)]
pub struct Making {
    pub flags: vk::PipelineCreateFlags,
    pub stage: vk::PipelineShaderStageCreateFlags,
    pub lanes: Option<u32>,
    pub cache: vk::PipelineCache,
}

impl Gpu {
    /// A shader by its name.
    pub fn load(&self, name: &str) -> Done<Loaded<'_>> {
        Loaded::new(self, Unit::parse(shaders::source(name)))
    }

    /// A compute pipeline of a shader.
    pub fn pipeline(&self, unit: &Unit, layout: vk::PipelineLayout, making: &Making) -> Done<vk::Pipeline> {
        self.pipeline_of(unit.source, &unit.spec, layout, making)
    }

    /// A compute pipeline of a text, with words of specialization constants.
    pub fn pipeline_of(
        &self,
        source: &str,
        spec: &[(u32, u32)],
        layout: vk::PipelineLayout,
        making: &Making,
    ) -> Done<vk::Pipeline> {
        let words = spirv::compile(source)?;
        let info = vk::ShaderModuleCreateInfo::default().code(&words);
        let module = unsafe { self.device.create_shader_module(&info, None) }.call("vkCreateShaderModule")?;
        let entries: Vec<vk::SpecializationMapEntry> = (0u32..)
            .zip(spec)
            .map(|(n, (id, _))| vk::SpecializationMapEntry { constant_id: *id, offset: n * 4, size: 4 })
            .collect();
        let data: Vec<u8> = spec.iter().flat_map(|(_, value)| value.to_le_bytes()).collect();
        let special = vk::SpecializationInfo::default().map_entries(&entries).data(&data);
        let mut size = vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo::default();
        let mut stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .flags(making.stage)
            .module(module)
            .name(c"main")
            .specialization_info(&special);
        if let Some(lanes) = making.lanes {
            size.required_subgroup_size = lanes;
            stage = stage.push_next(&mut size);
        }
        let info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout).flags(making.flags);
        let made = unsafe { self.device.create_compute_pipelines(making.cache, &[info], None) };
        unsafe { self.device.destroy_shader_module(module, None) };
        made.map(|pipelines| pipelines[0]).map_err(|(_, result)| result).call("vkCreateComputePipelines")
    }
}

impl<'g> Loaded<'g> {
    /// Buffers, sets and the pipeline.
    pub fn new(gpu: &'g Gpu, unit: Unit) -> Done<Loaded<'g>> {
        unit.needs.iter().try_for_each(|name| gpu.need(name))?;
        let buffers = unit.binds.iter().map(|bind| gpu.filled(&bind.bytes)).collect::<Done<Vec<_>>>()?;
        let pictures = Picture::all(gpu, unit.source)?;
        let places: Vec<Place> =
            unit.binds.iter().map(Place::of).chain(pictures.iter().map(|picture| picture.place)).collect();
        let set_layouts = set_layouts(gpu, &places)?;
        let stages = vk::ShaderStageFlags::COMPUTE;
        let push = [vk::PushConstantRange { stage_flags: stages, offset: 0, size: unit.push.len() as u32 }];
        let push = if unit.push.is_empty() { &[][..] } else { &push[..] };
        let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&set_layouts).push_constant_ranges(push);
        let layout = unsafe { gpu.device.create_pipeline_layout(&info, None) }.call("vkCreatePipelineLayout")?;
        let flags = if unit.base.is_some() { vk::PipelineCreateFlags::DISPATCH_BASE } else { Default::default() };
        let pipeline = gpu.pipeline(&unit, layout, &Making { flags, ..Making::default() })?;
        // A pool is of something, where nothing is bound too.
        let types = places.iter().map(|place| place.ty).chain([vk::DescriptorType::STORAGE_BUFFER]);
        let sizes: Vec<_> = types.map(|ty| vk::DescriptorPoolSize { ty, descriptor_count: 1 }).collect();
        let info = vk::DescriptorPoolCreateInfo::default().max_sets(set_layouts.len().max(1) as u32).pool_sizes(&sizes);
        let pool = unsafe { gpu.device.create_descriptor_pool(&info, None) }.call("vkCreateDescriptorPool")?;
        let mut sets = Vec::new();
        if !set_layouts.is_empty() {
            let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&set_layouts);
            sets = unsafe { gpu.device.allocate_descriptor_sets(&info) }.call("vkAllocateDescriptorSets")?;
        }
        for (bind, buffer) in unit.binds.iter().zip(&buffers) {
            let info = [vk::DescriptorBufferInfo { buffer: buffer.handle, offset: 0, range: vk::WHOLE_SIZE }];
            unsafe { gpu.device.update_descriptor_sets(&[Place::of(bind).write(&sets).buffer_info(&info)], &[]) };
        }
        for picture in &pictures {
            let info = [picture.info()];
            unsafe { gpu.device.update_descriptor_sets(&[picture.place.write(&sets).image_info(&info)], &[]) };
        }
        Ok(Loaded { gpu, unit, buffers, pipeline, layout, sets, pictures, set_layouts, pool })
    }

    /// Binds all that a dispatch needs.
    pub fn bind(&self, commands: vk::CommandBuffer) {
        let (device, point) = (&self.gpu.device, vk::PipelineBindPoint::COMPUTE);
        unsafe { device.cmd_bind_pipeline(commands, point, self.pipeline) };
        if !self.sets.is_empty() {
            unsafe { device.cmd_bind_descriptor_sets(commands, point, self.layout, 0, &self.sets, &[]) };
        }
        if !self.unit.push.is_empty() {
            self.push_bytes(commands, 0, &self.unit.push);
        }
    }

    /// Other push constants.
    pub fn push(&self, commands: vk::CommandBuffer, words: &[u32]) {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.push_bytes(commands, 0, &bytes);
    }

    /// Other push constants from some byte on.
    pub fn push_bytes(&self, commands: vk::CommandBuffer, at: u32, bytes: &[u8]) {
        let stages = vk::ShaderStageFlags::COMPUTE;
        unsafe { self.gpu.device.cmd_push_constants(commands, self.layout, stages, at, bytes) };
    }

    /// So many groups.
    pub fn dispatch(&self, commands: vk::CommandBuffer, [x, y, z]: [u32; 3]) {
        unsafe { self.gpu.device.cmd_dispatch(commands, x, y, z) };
    }

    /// The dispatches that the first lines ask for.
    pub fn dispatch_all(&self, commands: vk::CommandBuffer) {
        self.bind(commands);
        for _ in 0..self.unit.repeat {
            match self.unit.base {
                None => self.dispatch(commands, self.unit.groups),
                Some([bx, by, bz]) => {
                    let [x, y, z] = self.unit.groups;
                    unsafe { self.gpu.device.cmd_dispatch_base(commands, bx, by, bz, x, y, z) };
                }
            }
            barrier(self.gpu, commands);
        }
    }

    /// Runs it once; what the outputs hold, and behind them the images that are stored.
    pub fn run(&self) -> Done<Vec<u32>> {
        self.gpu.run(|commands| self.dispatch_all(commands))?;
        let mut words = self.outputs();
        for picture in &self.pictures {
            words.extend(picture.read()?);
        }
        Ok(words)
    }

    /// A buffer.
    pub fn buffer(&self, set: u32, binding: u32) -> &Buffer<'g> {
        let at = self.unit.binds.iter().position(|bind| (bind.set, bind.binding) == (set, binding));
        &self.buffers[at.expect("a buffer of the shader")]
    }

    /// The outputs, one behind the other.
    pub fn outputs(&self) -> Vec<u32> {
        let pairs = self.unit.binds.iter().zip(&self.buffers);
        pairs.filter(|(bind, _)| bind.output).flat_map(|(_, buffer)| buffer.read()).collect()
    }
}

impl Drop for Loaded<'_> {
    fn drop(&mut self) {
        let device = &self.gpu.device;
        unsafe {
            device.destroy_pipeline(self.pipeline, None);
            device.destroy_pipeline_layout(self.layout, None);
            device.destroy_descriptor_pool(self.pool, None);
            self.set_layouts.iter().for_each(|layout| device.destroy_descriptor_set_layout(*layout, None));
        }
    }
}

/// Where something is bound, and as what.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub set: u32,
    pub binding: u32,
    pub element: u32,
    pub ty: vk::DescriptorType,
}

impl Place {
    /// That of a buffer.
    fn of(bind: &Bind) -> Place {
        let ty = match bind.kind {
            Kind::Storage => vk::DescriptorType::STORAGE_BUFFER,
            Kind::Uniform => vk::DescriptorType::UNIFORM_BUFFER,
        };
        Place { set: bind.set, binding: bind.binding, element: bind.element, ty }
    }

    /// A write to it, of nothing yet.
    fn write<'a>(&self, sets: &[vk::DescriptorSet]) -> vk::WriteDescriptorSet<'a> {
        vk::WriteDescriptorSet::default()
            .dst_set(sets[self.set as usize])
            .dst_binding(self.binding)
            .dst_array_element(self.element)
            .descriptor_type(self.ty)
    }
}

/// The layouts of all sets; elements of an array stand one behind the other.
fn set_layouts(gpu: &Gpu, places: &[Place]) -> Done<Vec<vk::DescriptorSetLayout>> {
    let sets = places.iter().map(|place| place.set + 1).max().unwrap_or(0);
    let layout = |set| {
        let mut bindings: Vec<vk::DescriptorSetLayoutBinding<'_>> = Vec::new();
        for place in places.iter().filter(|place| place.set == set) {
            match bindings.last_mut() {
                Some(last) if last.binding == place.binding => last.descriptor_count = place.element + 1,
                _ => bindings.push(
                    vk::DescriptorSetLayoutBinding::default()
                        .binding(place.binding)
                        .descriptor_type(place.ty)
                        .descriptor_count(place.element + 1)
                        .stage_flags(vk::ShaderStageFlags::COMPUTE),
                ),
            }
        }
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        unsafe { gpu.device.create_descriptor_set_layout(&info, None) }.call("vkCreateDescriptorSetLayout")
    };
    (0..sets).map(layout).collect()
}
