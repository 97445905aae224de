//! Descriptors: dynamic offsets, arrays, templates, blocks that lie in the set.

use super::{Function, noise};
use crate::gpu::{Buffer, Gpu, Making, barrier};
use crate::shaders;
use crate::stop::{Call, Done, Words};
use ash::{khr, vk};

pub const ALL: &[Function] = &[
    Function { name: "bind_dynamic_offsets", needs: &[], run: dynamic_offsets },
    Function { name: "bind_parts_of_buffers", needs: &[], run: parts },
    Function { name: "bind_by_number", needs: NUMBERED, run: by_number },
    Function { name: "bind_inline_block", needs: &["inline_uniform_block"], run: inline_block },
    Function { name: "bind_push_descriptors", needs: &["VK_KHR_push_descriptor"], run: push_descriptors },
    Function { name: "bind_template", needs: &[], run: template },
    Function { name: "bind_sets_in_turn", needs: &[], run: in_turn },
];

const NUMBERED: &[&str] = &[
    "runtime_descriptor_array",
    "descriptor_binding_partially_bound",
    "shader_storage_buffer_array_non_uniform_indexing",
    "descriptor_binding_storage_buffer_update_after_bind",
];

const STORAGE: vk::DescriptorType = vk::DescriptorType::STORAGE_BUFFER;

/// A pipeline with one set, made by hand.
pub struct Own<'g> {
    pub gpu: &'g Gpu,
    pub set_layout: vk::DescriptorSetLayout,
    pub layout: vk::PipelineLayout,
    pub pipeline: vk::Pipeline,
    pub pool: vk::DescriptorPool,
    pub sets: Vec<vk::DescriptorSet>,
}

/// How a set is made.
#[derive(Default)]
pub struct Form<'a> {
    /// Types and counts of its bindings.
    pub bindings: &'a [(vk::DescriptorType, u32)],
    pub layout: vk::DescriptorSetLayoutCreateFlags,
    pub flags: vk::DescriptorBindingFlags,
    pub sets: u32,
    /// Bytes of push constants.
    pub push: u32,
}

impl<'g> Own<'g> {
    pub fn new(gpu: &'g Gpu, shader: &str, form: &Form<'_>) -> Done<Own<'g>> {
        Own::of_text(gpu, shaders::source(shader), form)
    }

    /// The same of a text that is in no file.
    pub fn of_text(gpu: &'g Gpu, source: &str, form: &Form<'_>) -> Done<Own<'g>> {
        let device = &gpu.device;
        let bindings: Vec<_> = (0u32..)
            .zip(form.bindings)
            .map(|(n, (ty, count))| {
                let binding = vk::DescriptorSetLayoutBinding::default().binding(n).descriptor_type(*ty);
                binding.descriptor_count(*count).stage_flags(vk::ShaderStageFlags::COMPUTE)
            })
            .collect();
        let flags = vec![form.flags; bindings.len()];
        let mut flags = vk::DescriptorSetLayoutBindingFlagsCreateInfo::default().binding_flags(&flags);
        let mut info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings).flags(form.layout);
        if !form.flags.is_empty() {
            info = info.push_next(&mut flags);
        }
        let set_layout =
            unsafe { device.create_descriptor_set_layout(&info, None) }.call("vkCreateDescriptorSetLayout")?;
        let push = [vk::PushConstantRange { stage_flags: vk::ShaderStageFlags::COMPUTE, offset: 0, size: form.push }];
        let push = if form.push == 0 { &[][..] } else { &push[..] };
        let layouts = [set_layout];
        let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&layouts).push_constant_ranges(push);
        let layout = unsafe { device.create_pipeline_layout(&info, None) }.call("vkCreatePipelineLayout")?;
        let pipeline = gpu.pipeline_of(source, &[], layout, &Making::default())?;
        let count = form.sets.max(1);
        let sizes: Vec<_> = form
            .bindings
            .iter()
            .map(|(ty, n)| vk::DescriptorPoolSize { ty: *ty, descriptor_count: n * count })
            .collect();
        let mut blocks =
            vk::DescriptorPoolInlineUniformBlockCreateInfo::default().max_inline_uniform_block_bindings(count);
        let after = form.layout.contains(vk::DescriptorSetLayoutCreateFlags::UPDATE_AFTER_BIND_POOL);
        let flags = if after {
            vk::DescriptorPoolCreateFlags::UPDATE_AFTER_BIND
        } else {
            vk::DescriptorPoolCreateFlags::empty()
        };
        let mut info = vk::DescriptorPoolCreateInfo::default().max_sets(count).pool_sizes(&sizes).flags(flags);
        if gpu.has("inline_uniform_block") {
            info = info.push_next(&mut blocks);
        }
        let pool = unsafe { device.create_descriptor_pool(&info, None) }.call("vkCreateDescriptorPool")?;
        let layouts = vec![set_layout; form.sets as usize];
        let mut sets = Vec::new();
        if form.sets > 0 {
            let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&layouts);
            sets = unsafe { device.allocate_descriptor_sets(&info) }.call("vkAllocateDescriptorSets")?;
        }
        Ok(Own { gpu, set_layout, layout, pipeline, pool, sets })
    }

    pub fn write(
        &self,
        set: usize,
        binding: u32,
        element: u32,
        ty: vk::DescriptorType,
        info: vk::DescriptorBufferInfo,
    ) {
        let info = [info];
        let write = vk::WriteDescriptorSet::default()
            .dst_set(self.sets[set])
            .dst_binding(binding)
            .dst_array_element(element)
            .descriptor_type(ty)
            .buffer_info(&info);
        unsafe { self.gpu.device.update_descriptor_sets(&[write], &[]) };
    }

    pub fn bind(&self, cmd: vk::CommandBuffer, set: Option<usize>, offsets: &[u32]) {
        let (device, point) = (&self.gpu.device, vk::PipelineBindPoint::COMPUTE);
        unsafe { device.cmd_bind_pipeline(cmd, point, self.pipeline) };
        if let Some(set) = set {
            unsafe { device.cmd_bind_descriptor_sets(cmd, point, self.layout, 0, &[self.sets[set]], offsets) };
        }
    }

    pub fn push(&self, cmd: vk::CommandBuffer, words: &[u32]) {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        unsafe { self.gpu.device.cmd_push_constants(cmd, self.layout, vk::ShaderStageFlags::COMPUTE, 0, &bytes) };
    }

    pub fn dispatch(&self, cmd: vk::CommandBuffer) {
        unsafe { self.gpu.device.cmd_dispatch(cmd, 1, 1, 1) };
        barrier(self.gpu, cmd);
    }
}

impl Drop for Own<'_> {
    fn drop(&mut self) {
        let device = &self.gpu.device;
        unsafe {
            device.destroy_pipeline(self.pipeline, None);
            device.destroy_pipeline_layout(self.layout, None);
            device.destroy_descriptor_pool(self.pool, None);
            device.destroy_descriptor_set_layout(self.set_layout, None);
        }
    }
}

fn part(buffer: &Buffer<'_>, offset: u64, range: u64) -> vk::DescriptorBufferInfo {
    vk::DescriptorBufferInfo { buffer: buffer.handle, offset, range }
}

/// One set, its buffers moved along when it is bound.
fn dynamic_offsets(gpu: &Gpu) -> Words {
    let (storage, uniform) = (vk::DescriptorType::STORAGE_BUFFER_DYNAMIC, vk::DescriptorType::UNIFORM_BUFFER_DYNAMIC);
    let bindings = [(storage, 1), (uniform, 1), (storage, 1)];
    let own = Own::new(gpu, "dynamic", &Form { bindings: &bindings, sets: 1, push: 4, ..Form::default() })?;
    let (a, u, b) = (gpu.words(&noise(11, 1024))?, gpu.words(&noise(12, 1024))?, gpu.words(&noise(13, 1024))?);
    for (n, (buffer, ty)) in (0u32..).zip([(&a, storage), (&u, uniform), (&b, storage)]) {
        own.write(0, n, 0, ty, part(buffer, if n == 2 { 256 } else { 0 }, 64));
    }
    gpu.run(|cmd| {
        for n in 0..10u32 {
            own.bind(cmd, Some(0), &[n * 256, (9 - n) * 256, n % 3 * 256]);
            own.push(cmd, &[n]);
            own.dispatch(cmd);
        }
    })?;
    Ok(b.read())
}

/// The same shader on parts of one buffer: offsets that are multiples of what the device asks for.
fn parts(gpu: &Gpu) -> Words {
    let bindings = [(STORAGE, 1), (vk::DescriptorType::UNIFORM_BUFFER, 1), (STORAGE, 1)];
    let own = Own::new(gpu, "dynamic", &Form { bindings: &bindings, sets: 4, push: 4, ..Form::default() })?;
    let all = gpu.words(&noise(14, 4096))?;
    for set in 0..4 {
        for (n, (ty, _)) in (0u32..).zip(bindings) {
            own.write(set, n, 0, ty, part(&all, set as u64 * 2048 + u64::from(n) * 512, 64));
        }
    }
    gpu.run(|cmd| {
        for n in 0..12usize {
            own.bind(cmd, Some(n % 4), &[]);
            own.push(cmd, &[n as u32]);
            own.dispatch(cmd);
        }
    })?;
    Ok(all.read())
}

/// An array with holes, its places written after it was bound, at numbers that lanes differ in.
fn by_number(gpu: &Gpu) -> Words {
    let form = Form {
        bindings: &[(STORAGE, 64)],
        layout: vk::DescriptorSetLayoutCreateFlags::UPDATE_AFTER_BIND_POOL,
        flags: vk::DescriptorBindingFlags::UPDATE_AFTER_BIND | vk::DescriptorBindingFlags::PARTIALLY_BOUND,
        sets: 1,
        push: 8,
    };
    let own = Own::new(gpu, "numbered", &form)?;
    let buffers = (0..8).map(|n| gpu.words(&noise(20 + n, 64))).collect::<Done<Vec<_>>>()?;
    let commands = crate::gpu::Commands::new(gpu, gpu.main.family)?;
    let buffer = commands.record(|cmd| {
        own.bind(cmd, Some(0), &[]);
        for (into, count) in [(50, 7), (50, 3), (50, 5)] {
            own.push(cmd, &[into, count]);
            own.dispatch(cmd);
        }
    })?;
    for (n, buffer) in (0u32..).zip(&buffers) {
        own.write(0, 0, if n == 7 { 50 } else { n * 3 }, STORAGE, part(buffer, 0, vk::WHOLE_SIZE));
    }
    gpu.submit_wait(gpu.main, &[buffer])?;
    Ok(buffers[7].read())
}

fn inline_block(gpu: &Gpu) -> Words {
    let bindings = [(vk::DescriptorType::INLINE_UNIFORM_BLOCK, 64), (STORAGE, 1)];
    let own = Own::new(gpu, "inline_block", &Form { bindings: &bindings, sets: 2, ..Form::default() })?;
    let outputs = [gpu.zeroes(64)?, gpu.zeroes(64)?];
    for (set, output) in outputs.iter().enumerate() {
        let bytes = crate::unit::random("u32", 30 + set as u32, 64);
        let mut data = vk::WriteDescriptorSetInlineUniformBlock::default().data(&bytes);
        let mut write = vk::WriteDescriptorSet::default()
            .dst_set(own.sets[set])
            .descriptor_type(vk::DescriptorType::INLINE_UNIFORM_BLOCK)
            .push_next(&mut data);
        write.descriptor_count = 64;
        unsafe { gpu.device.update_descriptor_sets(&[write], &[]) };
        own.write(set, 1, 0, STORAGE, part(output, 0, vk::WHOLE_SIZE));
    }
    gpu.run(|cmd| {
        for set in 0..2 {
            own.bind(cmd, Some(set), &[]);
            own.dispatch(cmd);
        }
    })?;
    Ok(outputs.iter().flat_map(Buffer::read).collect())
}

/// Descriptors that commands carry.
fn push_descriptors(gpu: &Gpu) -> Words {
    let form = Form {
        bindings: &[(STORAGE, 1)],
        layout: vk::DescriptorSetLayoutCreateFlags::PUSH_DESCRIPTOR_KHR,
        push: 4,
        ..Form::default()
    };
    let own = Own::new(gpu, "step", &form)?;
    let functions = khr::push_descriptor::Device::new(&gpu.instance, &gpu.device);
    let buffers = (0..3).map(|n| gpu.words(&noise(40 + n, 256))).collect::<Done<Vec<_>>>()?;
    gpu.run(|cmd| {
        own.bind(cmd, None, &[]);
        for n in 0..9 {
            let info = [part(&buffers[n % 3], 0, vk::WHOLE_SIZE)];
            let write = vk::WriteDescriptorSet::default().descriptor_type(STORAGE).buffer_info(&info);
            let point = vk::PipelineBindPoint::COMPUTE;
            unsafe { functions.cmd_push_descriptor_set(cmd, point, own.layout, 0, &[write]) };
            own.push(cmd, &[n as u32]);
            own.dispatch(cmd);
        }
    })?;
    Ok(buffers.iter().flat_map(Buffer::read).collect())
}

/// Descriptors by a template.
fn template(gpu: &Gpu) -> Words {
    let bindings = [(STORAGE, 1), (STORAGE, 1)];
    let own = Own::new(gpu, "mix", &Form { bindings: &bindings, sets: 1, push: 4, ..Form::default() })?;
    let size = size_of::<vk::DescriptorBufferInfo>();
    let entries = [0, 1].map(|n| {
        let entry =
            vk::DescriptorUpdateTemplateEntry::default().dst_binding(n).descriptor_type(STORAGE).descriptor_count(1);
        entry.offset(n as usize * size).stride(size)
    });
    let info = vk::DescriptorUpdateTemplateCreateInfo::default()
        .descriptor_update_entries(&entries)
        .template_type(vk::DescriptorUpdateTemplateType::DESCRIPTOR_SET)
        .descriptor_set_layout(own.set_layout);
    let template = unsafe { gpu.device.create_descriptor_update_template(&info, None) }
        .call("vkCreateDescriptorUpdateTemplate")?;
    let (a, b) = (gpu.words(&noise(50, 256))?, gpu.words(&noise(51, 256))?);
    let data = [part(&a, 256, 256), part(&b, 0, 256)];
    unsafe { gpu.device.update_descriptor_set_with_template(own.sets[0], template, data.as_ptr().cast()) };
    gpu.run(|cmd| {
        own.bind(cmd, Some(0), &[]);
        own.push(cmd, &[77]);
        own.dispatch(cmd);
    })?;
    unsafe { gpu.device.destroy_descriptor_update_template(template, None) };
    Ok(b.read())
}

/// A hundred sets, bound one after the other.
fn in_turn(gpu: &Gpu) -> Words {
    let own = Own::new(gpu, "step", &Form { bindings: &[(STORAGE, 1)], sets: 100, push: 4, ..Form::default() })?;
    let all = gpu.words(&noise(60, 25 * 256))?;
    (0..100).for_each(|set| own.write(set, 0, 0, STORAGE, part(&all, set as u64 % 25 * 1024, 1024)));
    gpu.run(|cmd| {
        for set in 0..100 {
            own.bind(cmd, Some(set), &[]);
            own.push(cmd, &[set as u32]);
            own.dispatch(cmd);
        }
    })?;
    Ok(super::digest(&all.read()))
}
