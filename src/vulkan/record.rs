//! What a run records its commands with: kept and used again, because making them costs more than a small dispatch.

use super::buffer::Buffer;
use super::device::Inner;
use super::error::Error;
use super::pipeline::Code;
use super::run::Job;
use ash::vk;
use std::sync::Arc;
use std::time::Duration;

/// A command buffer and what goes with it, for one run at a time.
pub(super) struct Recorder {
    pool: vk::CommandPool,
    pub commands: vk::CommandBuffer,
    pub fence: vk::Fence,
    /// Two timestamps, where the device has them.
    queries: vk::QueryPool,
    descriptors: vk::DescriptorPool,
    /// How many buffers a set from `descriptors` can bind.
    room: u32,
}

const DOING: &str = "preparing to record";

impl Recorder {
    pub fn new(device: &Arc<Inner>) -> Result<Recorder, Error> {
        let mut made = Recorder {
            pool: vk::CommandPool::null(),
            commands: vk::CommandBuffer::null(),
            fence: vk::Fence::null(),
            queries: vk::QueryPool::null(),
            descriptors: vk::DescriptorPool::null(),
            room: 0,
        };
        match made.fill(device) {
            Ok(()) => Ok(made),
            Err(e) => {
                made.destroy(&device.raw);
                Err(Error::of(DOING)(e))
            }
        }
    }

    fn fill(&mut self, device: &Inner) -> Result<(), vk::Result> {
        let raw = &device.raw;
        let pool = vk::CommandPoolCreateInfo::default()
            .queue_family_index(device.family)
            .flags(vk::CommandPoolCreateFlags::TRANSIENT);
        // SAFETY: the device lives; what is made is kept here and destroyed by `destroy`.
        unsafe {
            self.pool = raw.create_command_pool(&pool, None)?;
            let buffers = vk::CommandBufferAllocateInfo::default().command_pool(self.pool).command_buffer_count(1);
            self.commands = raw.allocate_command_buffers(&buffers)?[0];
            self.fence = raw.create_fence(&vk::FenceCreateInfo::default(), None)?;
            if device.caps.time.bits > 0 {
                let queries = vk::QueryPoolCreateInfo::default().query_type(vk::QueryType::TIMESTAMP).query_count(2);
                self.queries = raw.create_query_pool(&queries, None)?;
            }
        }
        Ok(())
    }

    /// Ends it. Nothing of it may be in use.
    pub fn destroy(self, raw: &ash::Device) {
        // SAFETY: the device is done with it; the command buffer goes with its pool. Vulkan ignores handles that are null.
        unsafe {
            raw.destroy_descriptor_pool(self.descriptors, None);
            raw.destroy_query_pool(self.queries, None);
            raw.destroy_fence(self.fence, None);
            raw.destroy_command_pool(self.pool, None);
        }
    }

    /// A descriptor set which binds the buffers of a job.
    fn bind(&mut self, device: &Inner, job: &Job<'_>) -> Result<vk::DescriptorSet, vk::Result> {
        let (raw, count) = (&device.raw, job.pipeline.buffers);
        // SAFETY: the set of the last run is no longer in use; layout and buffers live.
        unsafe {
            if self.room < count {
                raw.destroy_descriptor_pool(self.descriptors, None);
                self.descriptors = vk::DescriptorPool::null();
                let sizes =
                    [vk::DescriptorPoolSize::default().ty(vk::DescriptorType::STORAGE_BUFFER).descriptor_count(count)];
                let info = vk::DescriptorPoolCreateInfo::default().max_sets(1).pool_sizes(&sizes);
                self.descriptors = raw.create_descriptor_pool(&info, None)?;
                self.room = count;
            } else {
                raw.reset_descriptor_pool(self.descriptors, vk::DescriptorPoolResetFlags::empty())?;
            }
            let layouts = [job.pipeline.set];
            let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(self.descriptors).set_layouts(&layouts);
            let set = raw.allocate_descriptor_sets(&info)?[0];
            let whole =
                |buffer: &&Buffer| [vk::DescriptorBufferInfo::default().buffer(buffer.seen()).range(vk::WHOLE_SIZE)];
            let infos: Vec<_> = job.bind.iter().map(whole).collect();
            let writes: Vec<vk::WriteDescriptorSet<'_>> = infos
                .iter()
                .zip(0..)
                .map(|(info, binding)| {
                    vk::WriteDescriptorSet::default()
                        .dst_set(set)
                        .dst_binding(binding)
                        .descriptor_type(vk::DescriptorType::STORAGE_BUFFER)
                        .buffer_info(info)
                })
                .collect();
            raw.update_descriptor_sets(&writes, &[]);
            Ok(set)
        }
    }

    /// Records a job: copies in, the dispatch between two timestamps, copies out. `used` names each of its buffers once.
    pub fn record(&mut self, device: &Inner, job: &Job<'_>, used: &[&Buffer]) -> Result<(), vk::Result> {
        let raw = &device.raw;
        let set = if job.bind.is_empty() { None } else { Some(self.bind(device, job)?) };
        let timed = self.queries != vk::QueryPool::null();
        let begin = vk::CommandBufferBeginInfo::default().flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
        let copies: Vec<_> = used.iter().filter_map(|buffer| buffer.copy_in()).collect();
        // SAFETY: the recorder is used by this run alone and its last commands are done; everything that is recorded lives until this run
        // returns, because the job borrows it.
        unsafe {
            raw.reset_command_pool(self.pool, vk::CommandPoolResetFlags::empty())?;
            raw.begin_command_buffer(self.commands, &begin)?;
            if timed {
                raw.cmd_reset_query_pool(self.commands, self.queries, 0, 2);
            }
            // What an earlier run left on the device, and what is copied now, is seen by the copies and by the dispatch.
            self.barrier(raw, vk::PipelineStageFlags::TRANSFER);
            for (from, to, size) in copies {
                raw.cmd_copy_buffer(self.commands, from, to, &[vk::BufferCopy::default().size(size)]);
            }
            self.barrier(raw, vk::PipelineStageFlags::COMPUTE_SHADER);
            if timed {
                raw.cmd_write_timestamp(self.commands, vk::PipelineStageFlags::BOTTOM_OF_PIPE, self.queries, 0);
            }
            match (job.pipeline.handle, &device.objects) {
                (Code::Pipeline(pipeline), _) => {
                    raw.cmd_bind_pipeline(self.commands, vk::PipelineBindPoint::COMPUTE, pipeline);
                }
                (Code::Object(object), Some(objects)) => {
                    objects.cmd_bind_shaders(self.commands, &[vk::ShaderStageFlags::COMPUTE], &[object]);
                }
                (Code::Object(_), None) => {}
            }
            let layout = job.pipeline.layout;
            if let Some(set) = set {
                let point = vk::PipelineBindPoint::COMPUTE;
                raw.cmd_bind_descriptor_sets(self.commands, point, layout, 0, &[set], &[]);
            }
            if !job.push.is_empty() {
                raw.cmd_push_constants(self.commands, layout, vk::ShaderStageFlags::COMPUTE, 0, job.push);
            }
            let [x, y, z] = job.groups;
            raw.cmd_dispatch(self.commands, x, y, z);
            if timed {
                raw.cmd_write_timestamp(self.commands, vk::PipelineStageFlags::BOTTOM_OF_PIPE, self.queries, 1);
            }
            self.barrier(raw, vk::PipelineStageFlags::TRANSFER | vk::PipelineStageFlags::HOST);
            for (from, to, size) in used.iter().filter_map(|buffer| buffer.copy_out()) {
                raw.cmd_copy_buffer(self.commands, from, to, &[vk::BufferCopy::default().size(size)]);
            }
            self.barrier(raw, vk::PipelineStageFlags::HOST);
            raw.end_command_buffer(self.commands)
        }
    }

    /// Everything before it is done and seen by what is behind it in these stages.
    fn barrier(&self, raw: &ash::Device, then: vk::PipelineStageFlags) {
        let mut access = vk::AccessFlags::empty();
        for (stage, may) in [
            (vk::PipelineStageFlags::TRANSFER, vk::AccessFlags::TRANSFER_READ | vk::AccessFlags::TRANSFER_WRITE),
            (vk::PipelineStageFlags::COMPUTE_SHADER, vk::AccessFlags::SHADER_READ | vk::AccessFlags::SHADER_WRITE),
            (vk::PipelineStageFlags::HOST, vk::AccessFlags::HOST_READ),
        ] {
            if then.contains(stage) {
                access |= may;
            }
        }
        let before = vk::PipelineStageFlags::COMPUTE_SHADER | vk::PipelineStageFlags::TRANSFER;
        let wrote = vk::AccessFlags::SHADER_WRITE | vk::AccessFlags::TRANSFER_WRITE;
        let memory = [vk::MemoryBarrier::default().src_access_mask(wrote).dst_access_mask(access)];
        // SAFETY: the command buffer is being recorded.
        unsafe {
            raw.cmd_pipeline_barrier(self.commands, before, then, vk::DependencyFlags::empty(), &memory, &[], &[]);
        }
    }

    /// How long the dispatch took, by the device's clock.
    pub fn elapsed(&self, device: &Inner) -> Option<Duration> {
        if self.queries == vk::QueryPool::null() {
            return None;
        }
        let mut ticks = [0u64; 2];
        // SAFETY: the commands which write both timestamps are done.
        unsafe { device.raw.get_query_pool_results(self.queries, 0, &mut ticks, vk::QueryResultFlags::TYPE_64) }
            .ok()?;
        Some(super::timing::between(ticks, &device.caps.time))
    }
}
