//! Events: set by commands and by the host, before and after what waits for them is submitted.

use super::Function;
use crate::gpu::{Commands, Gpu, PATIENCE, barrier};
use crate::stop::{Call, Done, Stop, Words, law};
use ash::vk;
use std::time::{Duration, Instant};

pub const ALL: &[Function] = &[
    Function { name: "event_set_by_commands", needs: &[], run: by_commands },
    Function { name: "event_set2", needs: &["synchronization2"], run: second_form },
    Function { name: "event_set_by_host_later", needs: &[], run: by_host_later },
    Function { name: "event_between_submits", needs: &[], run: between_submits },
    Function { name: "event_talk_while_running", needs: &[], run: talk },
];

const ALL_COMMANDS: vk::PipelineStageFlags = vk::PipelineStageFlags::ALL_COMMANDS;
const HOST: vk::PipelineStageFlags = vk::PipelineStageFlags::HOST;

fn event(gpu: &Gpu) -> Done<vk::Event> {
    unsafe { gpu.device.create_event(&vk::EventCreateInfo::default(), None) }.call("vkCreateEvent")
}

fn status(gpu: &Gpu, event: vk::Event) -> Done<bool> {
    unsafe { gpu.device.get_event_status(event) }.call("vkGetEventStatus")
}

fn wait(gpu: &Gpu, cmd: vk::CommandBuffer, events: &[vk::Event], from: vk::PipelineStageFlags) {
    let any = vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE;
    let written = if from == HOST { vk::AccessFlags::HOST_WRITE } else { vk::AccessFlags::MEMORY_WRITE };
    let memory = [vk::MemoryBarrier::default().src_access_mask(written).dst_access_mask(any)];
    unsafe { gpu.device.cmd_wait_events(cmd, events, from, ALL_COMMANDS, &memory, &[], &[]) };
}

/// Set, waited for, reset, and set again.
fn by_commands(gpu: &Gpu) -> Words {
    let (step, events) = (gpu.load("step")?, [event(gpu)?, event(gpu)?, event(gpu)?]);
    gpu.run(|cmd| unsafe {
        step.bind(cmd);
        for n in 0..6u32 {
            let one = events[n as usize % 2];
            step.push(cmd, &[n]);
            step.dispatch(cmd, [1; 3]);
            gpu.device.cmd_set_event(cmd, one, vk::PipelineStageFlags::COMPUTE_SHADER);
            wait(gpu, cmd, &[one], vk::PipelineStageFlags::COMPUTE_SHADER);
            step.dispatch(cmd, [1; 3]);
            barrier(gpu, cmd);
            if n < 4 {
                gpu.device.cmd_reset_event(cmd, one, ALL_COMMANDS);
                barrier(gpu, cmd);
            }
        }
        gpu.device.cmd_set_event(cmd, events[2], vk::PipelineStageFlags::TOP_OF_PIPE);
        gpu.device.cmd_reset_event(cmd, events[0], ALL_COMMANDS);
    })?;
    let mut words = step.outputs();
    for one in events {
        words.push(u32::from(status(gpu, one)?));
        unsafe { gpu.device.destroy_event(one, None) };
    }
    Ok(words)
}

/// The same with vkCmdSetEvent2, several at once.
fn second_form(gpu: &Gpu) -> Words {
    let (step, events) = (gpu.load("step")?, [event(gpu)?, event(gpu)?]);
    let memory = [vk::MemoryBarrier2::default()
        .src_stage_mask(vk::PipelineStageFlags2::COMPUTE_SHADER)
        .src_access_mask(vk::AccessFlags2::SHADER_WRITE)
        .dst_stage_mask(vk::PipelineStageFlags2::COMPUTE_SHADER)
        .dst_access_mask(vk::AccessFlags2::SHADER_READ | vk::AccessFlags2::SHADER_WRITE)];
    let info = vk::DependencyInfo::default().memory_barriers(&memory);
    gpu.run(|cmd| unsafe {
        step.bind(cmd);
        step.dispatch(cmd, [1; 3]);
        gpu.device.cmd_set_event2(cmd, events[0], &info);
        gpu.device.cmd_set_event2(cmd, events[1], &info);
        gpu.device.cmd_wait_events2(cmd, &events, &[info, info]);
        step.dispatch(cmd, [1; 3]);
        barrier(gpu, cmd);
        gpu.device.cmd_reset_event2(cmd, events[1], vk::PipelineStageFlags2::ALL_COMMANDS);
    })?;
    let mut words = step.outputs();
    for one in events {
        words.push(u32::from(status(gpu, one)?));
        unsafe { gpu.device.destroy_event(one, None) };
    }
    Ok(words)
}

/// Submitted first, allowed later.
fn by_host_later(gpu: &Gpu) -> Words {
    let (step, go) = (gpu.load("step")?, event(gpu)?);
    let before = step.outputs();
    let (commands, fence) = (Commands::new(gpu, gpu.main.family)?, gpu.fence()?);
    let work = [commands.record(|cmd| {
        wait(gpu, cmd, &[go], HOST);
        step.bind(cmd);
        step.dispatch(cmd, [1; 3]);
        barrier(gpu, cmd);
    })?];
    let info = vk::SubmitInfo::default().command_buffers(&work);
    unsafe { gpu.device.queue_submit(gpu.main.queue, &[info], fence) }.call("vkQueueSubmit")?;
    std::thread::sleep(Duration::from_millis(50));
    law(step.outputs() == before, || "the shader ran before the event was set".to_owned())?;
    let early = unsafe { gpu.device.get_fence_status(fence) }.call("vkGetFenceStatus")?;
    law(!early, || "the fence signals before the event was set".to_owned())?;
    // Words that the host writes before it sets the event are seen.
    step.buffer(0, 0).set_word(3, 0x1234);
    unsafe { gpu.device.set_event(go) }.call("vkSetEvent")?;
    gpu.wait(&[fence])?;
    unsafe { gpu.device.reset_event(go) }.call("vkResetEvent")?;
    law(!status(gpu, go)?, || "the event was reset and is set".to_owned())?;
    unsafe {
        gpu.device.destroy_event(go, None);
        gpu.device.destroy_fence(fence, None);
    }
    Ok(step.outputs())
}

/// Set by one submission, waited for by the next.
fn between_submits(gpu: &Gpu) -> Words {
    let (step, there) = (gpu.load("step")?, event(gpu)?);
    let commands = Commands::new(gpu, gpu.main.family)?;
    let first = commands.record(|cmd| {
        step.bind(cmd);
        step.dispatch(cmd, [1; 3]);
        unsafe { gpu.device.cmd_set_event(cmd, there, vk::PipelineStageFlags::COMPUTE_SHADER) };
    })?;
    let second = commands.record(|cmd| {
        wait(gpu, cmd, &[there], vk::PipelineStageFlags::COMPUTE_SHADER);
        step.bind(cmd);
        step.dispatch(cmd, [1; 3]);
        barrier(gpu, cmd);
    })?;
    let (first, second) = ([first], [second]);
    let infos = [&first, &second].map(|work| vk::SubmitInfo::default().command_buffers(work));
    gpu.submit_infos(gpu.main, &infos)?;
    unsafe { gpu.device.destroy_event(there, None) };
    Ok(step.outputs())
}

/// Host and device talk while one command buffer runs: what the device wrote is read through a mapping, answered, and read by it.
fn talk(gpu: &Gpu) -> Words {
    let step = gpu.load("step")?;
    let turns = (0..4).map(|_| Ok((event(gpu)?, event(gpu)?))).collect::<Done<Vec<_>>>()?;
    let (commands, fence) = (Commands::new(gpu, gpu.main.family)?, gpu.fence()?);
    let work = [commands.record(|cmd| {
        step.bind(cmd);
        for (asked, answered) in &turns {
            step.dispatch(cmd, [1; 3]);
            barrier(gpu, cmd);
            unsafe { gpu.device.cmd_set_event(cmd, *asked, ALL_COMMANDS) };
            wait(gpu, cmd, &[*answered], HOST);
        }
        step.dispatch(cmd, [1; 3]);
        barrier(gpu, cmd);
    })?];
    let info = vk::SubmitInfo::default().command_buffers(&work);
    unsafe { gpu.device.queue_submit(gpu.main.queue, &[info], fence) }.call("vkQueueSubmit")?;
    let mut words = Vec::new();
    for (asked, answered) in &turns {
        let begun = Instant::now();
        while !status(gpu, *asked)? {
            if begun.elapsed() > Duration::from_nanos(PATIENCE) {
                return Err(Stop::Failed("the device does not say a word".to_owned()));
            }
            std::thread::sleep(Duration::from_micros(200));
        }
        let said = step.buffer(0, 0).word(17);
        words.push(said);
        step.buffer(0, 0).set_word(17, said ^ 0xffff);
        unsafe { gpu.device.set_event(*answered) }.call("vkSetEvent")?;
    }
    gpu.wait(&[fence])?;
    unsafe {
        turns.iter().for_each(|(a, b)| [a, b].iter().for_each(|one| gpu.device.destroy_event(**one, None)));
        gpu.device.destroy_fence(fence, None);
    }
    words.extend(step.outputs());
    Ok(words)
}
