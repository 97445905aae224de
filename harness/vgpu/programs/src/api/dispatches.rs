//! Dispatches: push constants, arguments that lie in memory, numbers of groups.

use super::Function;
use crate::gpu::{Gpu, Loaded, barrier};
use crate::stop::Words;
use ash::vk;

pub const ALL: &[Function] = &[
    Function { name: "dispatch_push_parts", needs: &[], run: push_parts },
    Function { name: "dispatch_indirect", needs: &[], run: indirect },
    Function { name: "dispatch_indirect_made_by_shader", needs: &[], run: made_by_shader },
    Function { name: "dispatch_nothing", needs: &[], run: nothing },
    Function { name: "dispatch_many", needs: &[], run: many },
    Function { name: "dispatch_barrier_kinds", needs: &["synchronization2"], run: barrier_kinds },
    Function { name: "dispatch_without_barriers", needs: &[], run: without_barriers },
    Function { name: "dispatch_lists", needs: &["buffer_device_address", "shader_int64"], run: lists },
];

/// Push constants changed in part; others stay, over a change of the pipeline too.
fn push_parts(gpu: &Gpu) -> Words {
    let (push, step) = (gpu.load("push_words")?, gpu.load("step")?);
    gpu.run(|cmd| {
        push.bind(cmd);
        for n in 0..8u32 {
            push.push_bytes(cmd, n * 4, &(n * 1000 + 9).to_le_bytes());
            push.dispatch(cmd, [1; 3]);
            barrier(gpu, cmd);
        }
        step.bind(cmd);
        step.dispatch(cmd, [1; 3]);
        barrier(gpu, cmd);
        push.bind(cmd);
        push.dispatch(cmd, [1; 3]);
        barrier(gpu, cmd);
    })?;
    Ok([push.outputs(), step.outputs()].concat())
}

/// Arguments at several places of a buffer, some of them zero.
fn indirect(gpu: &Gpu) -> Words {
    let count = gpu.load("count")?;
    let arguments = gpu.words(&[9, 3, 2, 1, 9, 1, 1, 1, 0, 5, 5, 9, 7, 1, 2])?;
    gpu.run(|cmd| {
        count.bind(cmd);
        for at in [4, 20, 32, 48] {
            unsafe { gpu.device.cmd_dispatch_indirect(cmd, arguments.handle, at) };
            barrier(gpu, cmd);
        }
    })?;
    Ok(count.outputs())
}

/// Arguments that a shader writes just before.
fn made_by_shader(gpu: &Gpu) -> Words {
    let (count, maker) = (gpu.load("count")?, gpu.load("counts_of_groups")?);
    gpu.run(|cmd| {
        maker.dispatch_all(cmd);
        count.bind(cmd);
        for at in 0..16 {
            unsafe { gpu.device.cmd_dispatch_indirect(cmd, maker.buffer(0, 0).handle, at * 16) };
            barrier(gpu, cmd);
        }
    })?;
    Ok([count.outputs(), maker.outputs()].concat())
}

/// Dispatches without groups.
fn nothing(gpu: &Gpu) -> Words {
    let count = gpu.load("count")?;
    gpu.run(|cmd| {
        count.bind(cmd);
        for groups in [[0, 1, 1], [1, 0, 1], [1, 1, 0], [0, 0, 0], [2, 1, 1], [5, 0, 3]] {
            count.dispatch(cmd, groups);
            barrier(gpu, cmd);
        }
    })?;
    Ok(count.outputs())
}

/// Five thousand dispatches in one command buffer, which does not fit one piece of memory.
fn many(gpu: &Gpu) -> Words {
    let count = gpu.load("count")?;
    gpu.run(|cmd| {
        count.bind(cmd);
        for n in 0..5000 {
            count.push(cmd, &[n % 17]);
            count.dispatch(cmd, [1; 3]);
            if n % 64 == 63 {
                barrier(gpu, cmd);
            }
        }
        barrier(gpu, cmd);
    })?;
    Ok(count.outputs())
}

/// Dispatches that may run at the same time.
fn without_barriers(gpu: &Gpu) -> Words {
    let all = (0..6).map(|_| gpu.load("step")).collect::<Result<Vec<Loaded<'_>>, _>>()?;
    gpu.run(|cmd| {
        for (n, step) in (1u32..).zip(&all) {
            step.bind(cmd);
            step.push(cmd, &[n * 5]);
            step.dispatch(cmd, [1; 3]);
        }
        barrier(gpu, cmd);
    })?;
    Ok(all.iter().flat_map(|step| step.outputs()).collect())
}

/// Barriers of every form: of memory, of a buffer, of execution alone; old and new.
fn barrier_kinds(gpu: &Gpu) -> Words {
    let step = gpu.load("step")?;
    let buffer = step.buffer(0, 0).handle;
    let (read, write) = (vk::AccessFlags::SHADER_READ, vk::AccessFlags::SHADER_WRITE);
    let stage = vk::PipelineStageFlags::COMPUTE_SHADER;
    gpu.run(|cmd| unsafe {
        step.bind(cmd);
        for n in 0..32u32 {
            step.push(cmd, &[n]);
            step.dispatch(cmd, [1; 3]);
            if n % 2 == 0 {
                let of = vk::BufferMemoryBarrier::default()
                    .src_access_mask(write)
                    .dst_access_mask(read | write)
                    .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
                    .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
                    .buffer(buffer)
                    .size(vk::WHOLE_SIZE);
                gpu.device.cmd_pipeline_barrier(cmd, stage, stage, vk::DependencyFlags::empty(), &[], &[of], &[]);
            } else {
                let memory = [vk::MemoryBarrier2::default()
                    .src_stage_mask(vk::PipelineStageFlags2::COMPUTE_SHADER)
                    .src_access_mask(vk::AccessFlags2::SHADER_STORAGE_WRITE)
                    .dst_stage_mask(vk::PipelineStageFlags2::COMPUTE_SHADER)
                    .dst_access_mask(vk::AccessFlags2::SHADER_STORAGE_READ | vk::AccessFlags2::SHADER_STORAGE_WRITE)];
                gpu.device.cmd_pipeline_barrier2(cmd, &vk::DependencyInfo::default().memory_barriers(&memory));
            }
        }
        barrier(gpu, cmd);
    })?;
    Ok(step.outputs())
}

/// Lists in memory whose links are addresses of the device.
fn lists(gpu: &Gpu) -> Words {
    let (nodes, result) = (gpu.zeroes(64 * 32)?, gpu.zeroes(128 * 8)?);
    for n in 0..64u32 {
        let next = if n % 9 == 8 { 0 } else { nodes.address() + u64::from((n * 29 + 7) % 64) * 32 };
        let words = [next as u32, (next >> 32) as u32, n * 1_000_003, 0, n, n * n, n ^ 5, !n];
        for (at, word) in words.iter().enumerate() {
            nodes.set_word(n as usize * 8 + at, *word);
        }
    }
    let mut list = crate::unit::Unit::parse(crate::shaders::source("address_list"));
    let address = |at: u64| [at as u32, (at >> 32) as u32];
    let push = [address(nodes.address()), address(result.address()), [64, 0]].concat();
    list.push = push.iter().flat_map(|word| word.to_le_bytes()).collect();
    list.groups = [2, 1, 1];
    Loaded::new(gpu, list)?.run()?;
    Ok(result.read())
}
