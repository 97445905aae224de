//! Command pools, and the barrier that lets everything see everything.

use super::Gpu;
use crate::stop::{Call, Done};
use ash::vk;

/// A pool of command buffers.
pub struct Commands<'g> {
    gpu: &'g Gpu,
    pub pool: vk::CommandPool,
}

impl<'g> Commands<'g> {
    /// A pool for the queues of a family.
    pub fn new(gpu: &'g Gpu, family: u32) -> Done<Commands<'g>> {
        let info = vk::CommandPoolCreateInfo::default()
            .queue_family_index(family)
            .flags(vk::CommandPoolCreateFlags::RESET_COMMAND_BUFFER);
        let pool = unsafe { gpu.device.create_command_pool(&info, None) }.call("vkCreateCommandPool")?;
        Ok(Commands { gpu, pool })
    }

    /// A command buffer of a level.
    pub fn allocate(&self, level: vk::CommandBufferLevel) -> Done<vk::CommandBuffer> {
        let info =
            vk::CommandBufferAllocateInfo::default().command_pool(self.pool).level(level).command_buffer_count(1);
        let buffers = unsafe { self.gpu.device.allocate_command_buffers(&info) }.call("vkAllocateCommandBuffers")?;
        Ok(buffers[0])
    }

    /// Records a primary command buffer that may be submitted many times, and at the same time.
    pub fn record(&self, record: impl FnOnce(vk::CommandBuffer)) -> Done<vk::CommandBuffer> {
        let buffer = self.allocate(vk::CommandBufferLevel::PRIMARY)?;
        let flags = vk::CommandBufferUsageFlags::SIMULTANEOUS_USE;
        let info = vk::CommandBufferBeginInfo::default().flags(flags);
        self.fill(buffer, &info, record)
    }

    /// Records a secondary command buffer.
    pub fn secondary(&self, record: impl FnOnce(vk::CommandBuffer)) -> Done<vk::CommandBuffer> {
        let buffer = self.allocate(vk::CommandBufferLevel::SECONDARY)?;
        let inherited = vk::CommandBufferInheritanceInfo::default();
        let flags = vk::CommandBufferUsageFlags::SIMULTANEOUS_USE;
        let info = vk::CommandBufferBeginInfo::default().flags(flags).inheritance_info(&inherited);
        self.fill(buffer, &info, record)
    }

    fn fill(
        &self,
        buffer: vk::CommandBuffer,
        info: &vk::CommandBufferBeginInfo<'_>,
        record: impl FnOnce(vk::CommandBuffer),
    ) -> Done<vk::CommandBuffer> {
        unsafe { self.gpu.device.begin_command_buffer(buffer, info) }.call("vkBeginCommandBuffer")?;
        record(buffer);
        unsafe { self.gpu.device.end_command_buffer(buffer) }.call("vkEndCommandBuffer")?;
        Ok(buffer)
    }
}

impl Drop for Commands<'_> {
    fn drop(&mut self) {
        unsafe { self.gpu.device.destroy_command_pool(self.pool, None) };
    }
}

/// Everything before is seen by everything after, the host too.
pub fn barrier(gpu: &Gpu, commands: vk::CommandBuffer) {
    let memory = vk::MemoryBarrier::default()
        .src_access_mask(vk::AccessFlags::MEMORY_WRITE)
        .dst_access_mask(vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE);
    let stages = vk::PipelineStageFlags::ALL_COMMANDS;
    let to = stages | vk::PipelineStageFlags::HOST;
    let none = vk::DependencyFlags::empty();
    unsafe { gpu.device.cmd_pipeline_barrier(commands, stages, to, none, &[memory], &[], &[]) };
}
