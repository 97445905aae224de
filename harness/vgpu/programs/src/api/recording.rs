//! Command buffers: secondary ones, many of them, used again.

use super::Function;
use crate::gpu::{Commands, Gpu, barrier};
use crate::stop::{Call, Done, Words};
use ash::vk;

pub const ALL: &[Function] = &[
    Function { name: "record_secondary", needs: &[], run: secondary },
    Function { name: "record_secondary_many", needs: &[], run: secondary_many },
    Function { name: "record_many_in_one_submit", needs: &[], run: many_in_one_submit },
    Function { name: "record_many_submits", needs: &[], run: many_submits },
    Function { name: "record_batches", needs: &[], run: batches },
    Function { name: "record_again", needs: &[], run: again },
    Function { name: "record_large", needs: &[], run: large },
];

/// Secondary command buffers with dispatches and copies, between commands of the primary one; one is executed twice.
fn secondary(gpu: &Gpu) -> Words {
    let (step, other) = (gpu.load("step")?, gpu.zeroes(1024)?);
    let commands = Commands::new(gpu, gpu.main.family)?;
    let work = |k: u32| {
        commands.secondary(|cmd| {
            step.bind(cmd);
            step.push(cmd, &[k]);
            step.dispatch(cmd, [1; 3]);
            barrier(gpu, cmd);
        })
    };
    let (first, second) = (work(5)?, work(6)?);
    let copy = commands.secondary(|cmd| unsafe {
        let region = vk::BufferCopy { src_offset: 0, dst_offset: 0, size: 512 };
        gpu.device.cmd_copy_buffer(cmd, step.buffer(0, 0).handle, other.handle, &[region]);
        gpu.device.cmd_fill_buffer(cmd, other.handle, 512, 256, 3);
        barrier(gpu, cmd);
    })?;
    let primary = commands.record(|cmd| unsafe {
        gpu.device.cmd_execute_commands(cmd, &[first, copy, second]);
        step.bind(cmd);
        step.dispatch(cmd, [1; 3]);
        barrier(gpu, cmd);
        gpu.device.cmd_execute_commands(cmd, &[second]);
        gpu.device.cmd_execute_commands(cmd, &[first]);
    })?;
    gpu.submit_wait(gpu.main, &[primary])?;
    Ok([step.outputs(), other.read()].concat())
}

/// A hundred secondary command buffers of some length.
fn secondary_many(gpu: &Gpu) -> Words {
    let count = gpu.load("count")?;
    let commands = Commands::new(gpu, gpu.main.family)?;
    let one = |n: u32| {
        commands.secondary(|cmd| {
            count.bind(cmd);
            for m in 0..20 {
                count.push(cmd, &[n + m]);
                count.dispatch(cmd, [1; 3]);
            }
            barrier(gpu, cmd);
        })
    };
    let all = (0..100).map(one).collect::<Done<Vec<_>>>()?;
    let primary = commands.record(|cmd| unsafe { gpu.device.cmd_execute_commands(cmd, &all) })?;
    gpu.submit_wait(gpu.main, &[primary])?;
    Ok(count.outputs())
}

fn steps(
    gpu: &Gpu,
    commands: &Commands<'_>,
    count: u32,
    step: &crate::gpu::Loaded<'_>,
) -> Done<Vec<vk::CommandBuffer>> {
    let one = |n: u32| {
        commands.record(|cmd| {
            step.bind(cmd);
            step.push(cmd, &[n]);
            step.dispatch(cmd, [1; 3]);
            barrier(gpu, cmd);
        })
    };
    (0..count).map(one).collect()
}

fn many_in_one_submit(gpu: &Gpu) -> Words {
    let (step, commands) = (gpu.load("step")?, Commands::new(gpu, gpu.main.family)?);
    let all = steps(gpu, &commands, 64, &step)?;
    gpu.submit_wait(gpu.main, &all)?;
    // Again, and in another order.
    let turned: Vec<_> = all.iter().rev().copied().collect();
    gpu.submit_wait(gpu.main, &turned)?;
    Ok(step.outputs())
}

/// Two hundred submissions, only the last with a fence.
fn many_submits(gpu: &Gpu) -> Words {
    let (step, commands) = (gpu.load("step")?, Commands::new(gpu, gpu.main.family)?);
    let all = steps(gpu, &commands, 200, &step)?;
    for one in &all {
        let one = [*one];
        let info = vk::SubmitInfo::default().command_buffers(&one);
        unsafe { gpu.device.queue_submit(gpu.main.queue, &[info], vk::Fence::null()) }.call("vkQueueSubmit")?;
    }
    // A submission of nothing is behind all that came before.
    gpu.submit_infos(gpu.main, &[])?;
    Ok(step.outputs())
}

/// Several batches in one call, empty ones among them.
fn batches(gpu: &Gpu) -> Words {
    let (step, commands) = (gpu.load("step")?, Commands::new(gpu, gpu.main.family)?);
    let all = steps(gpu, &commands, 12, &step)?;
    let mut infos: Vec<_> = all.chunks(3).map(|some| vk::SubmitInfo::default().command_buffers(some)).collect();
    infos.insert(2, vk::SubmitInfo::default());
    gpu.submit_infos(gpu.main, &infos)?;
    unsafe { gpu.device.queue_wait_idle(gpu.main.queue) }.call("vkQueueWaitIdle")?;
    Ok(step.outputs())
}

/// A command buffer that is recorded anew, a pool that is reset and trimmed.
fn again(gpu: &Gpu) -> Words {
    let (step, commands) = (gpu.load("step")?, Commands::new(gpu, gpu.main.family)?);
    for round in 0..10 {
        let all = steps(gpu, &commands, round + 1, &step)?;
        gpu.submit_wait(gpu.main, &all)?;
        let flags = if round % 2 == 0 {
            vk::CommandPoolResetFlags::RELEASE_RESOURCES
        } else {
            vk::CommandPoolResetFlags::empty()
        };
        unsafe { gpu.device.reset_command_pool(commands.pool, flags) }.call("vkResetCommandPool")?;
        unsafe { gpu.device.trim_command_pool(commands.pool, vk::CommandPoolTrimFlags::empty()) };
    }
    let one = commands.allocate(vk::CommandBufferLevel::PRIMARY)?;
    for n in 0..5 {
        let info = vk::CommandBufferBeginInfo::default().flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
        unsafe { gpu.device.begin_command_buffer(one, &info) }.call("vkBeginCommandBuffer")?;
        step.bind(one);
        step.push(one, &[n]);
        step.dispatch(one, [1; 3]);
        barrier(gpu, one);
        unsafe { gpu.device.end_command_buffer(one) }.call("vkEndCommandBuffer")?;
        gpu.submit_wait(gpu.main, &[one])?;
    }
    Ok(step.outputs())
}

/// Command buffers that are larger than a piece of memory for commands: updates carry their data.
fn large(gpu: &Gpu) -> Words {
    let buffer = gpu.zeroes(1 << 20)?;
    let bytes = crate::unit::random("u32", 71, 4096);
    gpu.run(|cmd| {
        for n in 0..400u64 {
            unsafe {
                gpu.device.cmd_update_buffer(cmd, buffer.handle, n * 2600, &bytes[..n as usize * 52 % 2048 + 52])
            };
            if n % 50 == 49 {
                barrier(gpu, cmd);
            }
        }
        barrier(gpu, cmd);
    })?;
    Ok(super::digest(&buffer.read()))
}
