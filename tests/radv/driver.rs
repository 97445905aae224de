//! What a Vulkan driver does with shaders, in a process of its own: RADV without a card compiles them, lavapipe runs them.
//!
//! `RADV_FORCE_FAMILY` gives RADV a chip that is not there ("null device"): it compiles for it and leaves binaries, and nothing can be
//! submitted. Which driver is loaded, and which chip it takes, is said by environment variables that must be set before the loader is.

// Vulkan is a C interface; each call follows the order that its specification asks for, with handles of this function alone.
#![allow(unsafe_code)]

use super::Named;
use super::unit::{Kind, Unit};
use ash::vk;
use std::error::Error;
use std::path::Path;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// A device with all features that a chain of structures asks about.
struct Gpu {
    instance: ash::Instance,
    physical: vk::PhysicalDevice,
    device: ash::Device,
    queue: vk::Queue,
    name: String,
}

impl Gpu {
    /// Opens the only device of the driver.
    fn open(entry: &ash::Entry, extensions: &[&std::ffi::CStr]) -> Result<Gpu> {
        let app = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_3);
        // SAFETY: the structures live as long as the calls.
        unsafe {
            let instance = entry.create_instance(&vk::InstanceCreateInfo::default().application_info(&app), None)?;
            let physical = *instance.enumerate_physical_devices()?.first().ok_or("the driver has no device")?;
            let properties = instance.get_physical_device_properties(physical);
            let name = properties.device_name_as_c_str()?.to_string_lossy().into_owned();
            let mut v11 = vk::PhysicalDeviceVulkan11Features::default();
            let mut v12 = vk::PhysicalDeviceVulkan12Features::default();
            let mut v13 = vk::PhysicalDeviceVulkan13Features::default();
            let mut object = vk::PhysicalDeviceShaderObjectFeaturesEXT::default();
            let mut executables = vk::PhysicalDevicePipelineExecutablePropertiesFeaturesKHR::default();
            let has_objects = extensions.contains(&ash::ext::shader_object::NAME);
            let mut all =
                vk::PhysicalDeviceFeatures2::default().push_next(&mut v11).push_next(&mut v12).push_next(&mut v13);
            if has_objects {
                all = all.push_next(&mut object);
            }
            if extensions.contains(&ash::khr::pipeline_executable_properties::NAME) {
                all = all.push_next(&mut executables);
            }
            instance.get_physical_device_features2(physical, &mut all);
            // What changes how code is compiled for the worse is left out.
            all.features.robust_buffer_access = 0;
            let priorities = [1.0];
            let queues = [vk::DeviceQueueCreateInfo::default().queue_family_index(0).queue_priorities(&priorities)];
            let names: Vec<_> = extensions.iter().map(|name| name.as_ptr()).collect();
            let info = vk::DeviceCreateInfo::default()
                .queue_create_infos(&queues)
                .enabled_extension_names(&names)
                .push_next(&mut all);
            let device = instance.create_device(physical, &info, None)?;
            let queue = device.get_device_queue(0, 0);
            Ok(Gpu { instance, physical, device, queue, name })
        }
    }

    /// The layouts of the sets of a shader.
    fn set_layouts(&self, unit: &Unit) -> Result<Vec<vk::DescriptorSetLayout>> {
        let sets = unit.binds.iter().map(|bind| bind.set + 1).max().unwrap_or(0);
        (0..sets)
            .map(|set| {
                let mut bindings: Vec<vk::DescriptorSetLayoutBinding<'_>> = Vec::new();
                for bind in unit.binds.iter().filter(|bind| bind.set == set) {
                    match bindings.last_mut() {
                        Some(last) if last.binding == bind.binding => last.descriptor_count = bind.element + 1,
                        _ => bindings.push(
                            vk::DescriptorSetLayoutBinding::default()
                                .binding(bind.binding)
                                .descriptor_type(kind(bind.kind))
                                .descriptor_count(bind.element + 1)
                                .stage_flags(vk::ShaderStageFlags::COMPUTE),
                        ),
                    }
                }
                let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
                // SAFETY: the device is open, and the bindings live as long as the call.
                Ok(unsafe { self.device.create_descriptor_set_layout(&info, None)? })
            })
            .collect()
    }
}

fn kind(kind: Kind) -> vk::DescriptorType {
    match kind {
        Kind::Storage => vk::DescriptorType::STORAGE_BUFFER,
        Kind::Uniform => vk::DescriptorType::UNIFORM_BUFFER,
    }
}

fn push_ranges(unit: &Unit) -> Vec<vk::PushConstantRange> {
    let range = vk::PushConstantRange::default().stage_flags(vk::ShaderStageFlags::COMPUTE);
    let size = unit.push.len() as u32;
    if size == 0 { Vec::new() } else { vec![range.size(size)] }
}

/// SPIR-V as words.
fn words(path: &Path) -> Result<Vec<u32>> {
    let bytes = std::fs::read(path)?;
    Ok(bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
}

/// Whether the driver is there, and has what a task needs.
pub fn probe(task: &str) -> Result<()> {
    // SAFETY: the loader is that of the system.
    let entry = unsafe { ash::Entry::load()? };
    let objects = [ash::ext::shader_object::NAME];
    Gpu::open(&entry, if task == "compile" { &objects } else { &[] }).map(|_| ())
}

/// Compiles `NAME.spv` of a folder for each shader, and leaves `NAME.object` (a shader object's binary) and `NAME.cache` (the data of a
/// pipeline cache) in another, and `NAME.latency`, the clocks that the compiler reckons with. A shader that the driver refuses leaves
/// `NAME.error`.
pub fn compile(units: &[Named], from: &Path, to: &Path) -> Result<()> {
    // SAFETY: the loader is that of the system.
    let entry = unsafe { ash::Entry::load()? };
    let gpu = Gpu::open(&entry, &[ash::ext::shader_object::NAME, ash::khr::pipeline_executable_properties::NAME])?;
    println!("{}", gpu.name);
    for unit in units {
        let code = words(&from.join(format!("{}.spv", unit.name)))?;
        if let Some(latency) = latency(&gpu, unit, &code)? {
            std::fs::write(to.join(format!("{}.latency", unit.name)), latency.to_string())?;
        }
        match object(&gpu, unit, &code) {
            Ok(bytes) => std::fs::write(to.join(format!("{}.object", unit.name)), bytes)?,
            Err(error) => std::fs::write(to.join(format!("{}.error", unit.name)), error.to_string())?,
        }
        if let Ok(bytes) = cache(&gpu, unit, &code) {
            std::fs::write(to.join(format!("{}.cache", unit.name)), bytes)?;
        }
    }
    Ok(())
}

/// The binary of a shader object.
fn object(gpu: &Gpu, unit: &Unit, code: &[u32]) -> Result<Vec<u8>> {
    let layouts = gpu.set_layouts(unit)?;
    let ranges = push_ranges(unit);
    let bytes: Vec<u8> = code.iter().flat_map(|word| word.to_le_bytes()).collect();
    let info = vk::ShaderCreateInfoEXT::default()
        .stage(vk::ShaderStageFlags::COMPUTE)
        .code_type(vk::ShaderCodeTypeEXT::SPIRV)
        .code(&bytes)
        .name(c"main")
        .set_layouts(&layouts)
        .push_constant_ranges(&ranges);
    let objects = ash::ext::shader_object::Device::new(&gpu.instance, &gpu.device);
    // SAFETY: everything that the structure points to lives as long as the calls.
    unsafe {
        let shader = objects.create_shaders(&[info], None).map_err(|(_, error)| error)?[0];
        let binary = objects.get_shader_binary_data(shader)?;
        objects.destroy_shader(shader, None);
        Ok(binary)
    }
}

/// A compute pipeline of a shader.
fn pipeline(
    gpu: &Gpu,
    unit: &Unit,
    code: &[u32],
    cache: vk::PipelineCache,
    flags: vk::PipelineCreateFlags,
) -> Result<(vk::Pipeline, vk::PipelineLayout)> {
    let layouts = gpu.set_layouts(unit)?;
    let ranges = push_ranges(unit);
    // SAFETY: everything that the structures point to lives as long as the calls.
    unsafe {
        let layout = vk::PipelineLayoutCreateInfo::default().set_layouts(&layouts).push_constant_ranges(&ranges);
        let layout = gpu.device.create_pipeline_layout(&layout, None)?;
        let module = gpu.device.create_shader_module(&vk::ShaderModuleCreateInfo::default().code(code), None)?;
        let stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .module(module)
            .name(c"main");
        let info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout).flags(flags);
        let made = gpu.device.create_compute_pipelines(cache, &[info], None).map_err(|(_, error)| error)?;
        Ok((made[0], layout))
    }
}

/// The clocks that the compiler reckons a wave of a shader to take, if it says so and takes the shader.
fn latency(gpu: &Gpu, unit: &Unit, code: &[u32]) -> Result<Option<u64>> {
    let flags = vk::PipelineCreateFlags::CAPTURE_STATISTICS_KHR;
    let Ok((made, _)) = pipeline(gpu, unit, code, vk::PipelineCache::null(), flags) else { return Ok(None) };
    let executables = ash::khr::pipeline_executable_properties::Device::new(&gpu.instance, &gpu.device);
    let info = vk::PipelineExecutableInfoKHR::default().pipeline(made);
    // SAFETY: the pipeline has statistics, as it was asked to, and numbers among them are of 64 bits.
    unsafe {
        let all = executables.get_pipeline_executable_statistics(&info)?;
        let found = all.iter().find(|one| one.name_as_c_str() == Ok(c"Latency"));
        Ok(found.map(|one| one.value.u64))
    }
}

/// The data of a pipeline cache that has one pipeline.
fn cache(gpu: &Gpu, unit: &Unit, code: &[u32]) -> Result<Vec<u8>> {
    // SAFETY: the cache is destroyed when nothing uses it any more.
    unsafe {
        let cache = gpu.device.create_pipeline_cache(&vk::PipelineCacheCreateInfo::default(), None)?;
        pipeline(gpu, unit, code, cache, vk::PipelineCreateFlags::empty())?;
        let data = gpu.device.get_pipeline_cache_data(cache)?;
        gpu.device.destroy_pipeline_cache(cache, None);
        Ok(data)
    }
}

/// Runs the shaders of a folder, and leaves their outputs, one behind the other, as `NAME.out` in another.
pub fn run(units: &[Named], from: &Path, to: &Path) -> Result<()> {
    // SAFETY: the loader is that of the system.
    let entry = unsafe { ash::Entry::load()? };
    let gpu = Gpu::open(&entry, &[])?;
    println!("{}", gpu.name);
    for unit in units {
        let code = words(&from.join(format!("{}.spv", unit.name)))?;
        match dispatch(&gpu, unit, &code) {
            Ok(bytes) => std::fs::write(to.join(format!("{}.out", unit.name)), bytes)?,
            Err(error) => std::fs::write(to.join(format!("{}.error", unit.name)), error.to_string())?,
        }
    }
    Ok(())
}

/// Runs one and gives its outputs. Buffers lie in one piece of memory, each at a multiple of 256 bytes.
fn dispatch(gpu: &Gpu, unit: &Unit, code: &[u32]) -> Result<Vec<u8>> {
    const APART: u64 = 256;
    let device = &gpu.device;
    let mut offsets = Vec::new();
    let mut size = 0;
    for bind in &unit.binds {
        offsets.push(size);
        size += (bind.bytes.len() as u64).next_multiple_of(APART);
    }
    // SAFETY: handles are used while they live, by this thread alone; the memory is mapped for as long as it is.
    unsafe {
        let usage = vk::BufferUsageFlags::STORAGE_BUFFER | vk::BufferUsageFlags::UNIFORM_BUFFER;
        let buffer = device.create_buffer(&vk::BufferCreateInfo::default().size(size.max(APART)).usage(usage), None)?;
        let needs = device.get_buffer_memory_requirements(buffer);
        let memory = gpu.instance.get_physical_device_memory_properties(gpu.physical);
        let wanted = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
        let fits = |n: &u32| {
            needs.memory_type_bits >> n & 1 == 1 && memory.memory_types[*n as usize].property_flags.contains(wanted)
        };
        let index = (0..memory.memory_type_count).find(fits).ok_or("no memory that the host sees")?;
        let info = vk::MemoryAllocateInfo::default().allocation_size(needs.size).memory_type_index(index);
        let memory = device.allocate_memory(&info, None)?;
        device.bind_buffer_memory(buffer, memory, 0)?;
        let mapped = device.map_memory(memory, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty())?.cast::<u8>();
        for (bind, offset) in unit.binds.iter().zip(&offsets) {
            mapped.add(*offset as usize).copy_from_nonoverlapping(bind.bytes.as_ptr(), bind.bytes.len());
        }
        let (made, layout) = pipeline(gpu, unit, code, vk::PipelineCache::null(), vk::PipelineCreateFlags::empty())?;
        let layouts = gpu.set_layouts(unit)?;
        let sizes = [vk::DescriptorType::STORAGE_BUFFER, vk::DescriptorType::UNIFORM_BUFFER]
            .map(|ty| vk::DescriptorPoolSize::default().ty(ty).descriptor_count(64));
        let pool = device
            .create_descriptor_pool(&vk::DescriptorPoolCreateInfo::default().max_sets(8).pool_sizes(&sizes), None)?;
        let sets = if layouts.is_empty() {
            Vec::new()
        } else {
            let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&layouts);
            device.allocate_descriptor_sets(&info)?
        };
        for (bind, offset) in unit.binds.iter().zip(&offsets) {
            let info =
                [vk::DescriptorBufferInfo::default().buffer(buffer).offset(*offset).range(bind.bytes.len() as u64)];
            let write = vk::WriteDescriptorSet::default()
                .dst_set(sets[bind.set as usize])
                .dst_binding(bind.binding)
                .dst_array_element(bind.element)
                .descriptor_type(kind(bind.kind))
                .buffer_info(&info);
            device.update_descriptor_sets(&[write], &[]);
        }
        let commands = device.create_command_pool(&vk::CommandPoolCreateInfo::default(), None)?;
        let info = vk::CommandBufferAllocateInfo::default().command_pool(commands).command_buffer_count(1);
        let command = device.allocate_command_buffers(&info)?[0];
        device.begin_command_buffer(command, &vk::CommandBufferBeginInfo::default())?;
        device.cmd_bind_pipeline(command, vk::PipelineBindPoint::COMPUTE, made);
        if !sets.is_empty() {
            device.cmd_bind_descriptor_sets(command, vk::PipelineBindPoint::COMPUTE, layout, 0, &sets, &[]);
        }
        if !unit.push.is_empty() {
            device.cmd_push_constants(command, layout, vk::ShaderStageFlags::COMPUTE, 0, &unit.push);
        }
        let [x, y, z] = unit.groups;
        device.cmd_dispatch(command, x, y, z);
        device.end_command_buffer(command)?;
        let commands = [command];
        let submit = [vk::SubmitInfo::default().command_buffers(&commands)];
        device.queue_submit(gpu.queue, &submit, vk::Fence::null())?;
        device.queue_wait_idle(gpu.queue)?;
        let mut all = Vec::new();
        for (bind, offset) in unit.binds.iter().zip(&offsets).filter(|(bind, _)| bind.output) {
            let bytes = std::slice::from_raw_parts(mapped.add(*offset as usize), bind.bytes.len());
            all.extend_from_slice(bytes);
        }
        Ok(all)
    }
}
