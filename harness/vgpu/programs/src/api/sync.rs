//! Semaphores of both kinds between two queues, and fences.
//!
//! Where a device has one queue only (lavapipe), both are the same, and what would wait for a later submission is done in order.

use super::Function;
use crate::gpu::{Commands, Gpu, Loaded, PATIENCE, Queue, barrier};
use crate::stop::{Call, Done, Stop, Words, law};
use ash::vk;
use std::time::{Duration, Instant};

pub const ALL: &[Function] = &[
    Function { name: "sync_binary_two_queues", needs: &[], run: binary },
    Function { name: "sync_timeline_two_queues", needs: &["timeline_semaphore"], run: timeline },
    Function { name: "sync_wait_before_signal", needs: &["timeline_semaphore"], run: wait_before_signal },
    Function { name: "sync_host_signal", needs: &["timeline_semaphore"], run: host_signal },
    Function { name: "sync_submit2", needs: &["timeline_semaphore", "synchronization2"], run: submit2 },
    Function { name: "sync_all_queues", needs: &["timeline_semaphore"], run: all_queues },
    Function { name: "sync_fences", needs: &[], run: fences },
];

/// What a batch waits for and signals: semaphores with values (0: a binary one).
type Points<'a> = &'a [(vk::Semaphore, u64)];

const STAGE: vk::PipelineStageFlags = vk::PipelineStageFlags::ALL_COMMANDS;

pub fn semaphore(gpu: &Gpu, initial: Option<u64>) -> Done<vk::Semaphore> {
    let mut ty = vk::SemaphoreTypeCreateInfo::default().semaphore_type(vk::SemaphoreType::TIMELINE);
    ty.initial_value = initial.unwrap_or(0);
    let mut info = vk::SemaphoreCreateInfo::default();
    if initial.is_some() {
        info = info.push_next(&mut ty);
    }
    unsafe { gpu.device.create_semaphore(&info, None) }.call("vkCreateSemaphore")
}

fn submit(gpu: &Gpu, queue: Queue, waits: Points<'_>, work: &[vk::CommandBuffer], signals: Points<'_>) -> Done<()> {
    let split = |points: Points<'_>| points.iter().copied().unzip::<_, _, Vec<_>, Vec<_>>();
    let ((wait, wait_values), (signal, signal_values)) = (split(waits), split(signals));
    let stages = vec![STAGE; wait.len()];
    let mut values = vk::TimelineSemaphoreSubmitInfo::default()
        .wait_semaphore_values(&wait_values)
        .signal_semaphore_values(&signal_values);
    let mut info = vk::SubmitInfo::default()
        .wait_semaphores(&wait)
        .wait_dst_stage_mask(&stages)
        .command_buffers(work)
        .signal_semaphores(&signal);
    if wait_values.iter().chain(&signal_values).any(|value| *value > 0) {
        info = info.push_next(&mut values);
    }
    unsafe { gpu.device.queue_submit(queue.queue, &[info], vk::Fence::null()) }.call("vkQueueSubmit")
}

fn wait_for(gpu: &Gpu, semaphore: vk::Semaphore, value: u64) -> Done<()> {
    let (semaphores, values) = ([semaphore], [value]);
    let info = vk::SemaphoreWaitInfo::default().semaphores(&semaphores).values(&values);
    unsafe { gpu.device.wait_semaphores(&info, PATIENCE) }.call("vkWaitSemaphores")
}

/// The same work for each of the two queues.
struct Both<'g> {
    gpu: &'g Gpu,
    shader: Loaded<'g>,
    pools: [Commands<'g>; 2],
}

impl<'g> Both<'g> {
    fn new(gpu: &'g Gpu) -> Done<Both<'g>> {
        let pools = [Commands::new(gpu, gpu.main.family)?, Commands::new(gpu, gpu.other.family)?];
        Ok(Both { gpu, shader: gpu.load("mix")?, pools })
    }

    fn queue(&self, side: usize) -> Queue {
        if side == 0 { self.gpu.main } else { self.gpu.other }
    }

    fn work(&self, side: usize, k: u32) -> Done<vk::CommandBuffer> {
        self.pools[side].record(|cmd| {
            self.shader.bind(cmd);
            self.shader.push(cmd, &[k]);
            self.shader.dispatch(cmd, [4, 1, 1]);
            barrier(self.gpu, cmd);
        })
    }
}

fn idle(gpu: &Gpu) -> Done<()> {
    unsafe { gpu.device.device_wait_idle() }.call("vkDeviceWaitIdle")
}

/// Turn by turn, a binary semaphore each way.
fn binary(gpu: &Gpu) -> Words {
    let both = Both::new(gpu)?;
    let there = [semaphore(gpu, None)?, semaphore(gpu, None)?];
    for n in 0..20usize {
        let (side, work) = (n % 2, both.work(n % 2, n as u32)?);
        let wait = [(there[1 - side], 0)];
        submit(gpu, both.queue(side), if n == 0 { &[] } else { &wait }, &[work], &[(there[side], 0)])?;
    }
    // The last one is waited for by a batch without work.
    submit(gpu, gpu.main, &[(there[1], 0)], &[], &[])?;
    idle(gpu)?;
    there.iter().for_each(|one| unsafe { gpu.device.destroy_semaphore(*one, None) });
    Ok(both.shader.outputs())
}

/// Turn by turn, one timeline whose values say whose turn it is.
fn timeline(gpu: &Gpu) -> Words {
    let (both, turn) = (Both::new(gpu)?, semaphore(gpu, Some(5))?);
    for n in 0..20usize {
        let work = both.work(n % 2, n as u32)?;
        let now = 5 + n as u64 * 3;
        submit(gpu, both.queue(n % 2), &[(turn, now)], &[work], &[(turn, now + 3)])?;
    }
    wait_for(gpu, turn, 65)?;
    let value = unsafe { gpu.device.get_semaphore_counter_value(turn) }.call("vkGetSemaphoreCounterValue")?;
    idle(gpu)?;
    unsafe { gpu.device.destroy_semaphore(turn, None) };
    Ok([both.shader.outputs(), vec![value as u32]].concat())
}

/// One queue waits for what is only later submitted to the other.
fn wait_before_signal(gpu: &Gpu) -> Words {
    let (both, turn) = (Both::new(gpu)?, semaphore(gpu, Some(0))?);
    let (late, early) = (both.work(1, 100)?, both.work(0, 7)?);
    let first = || submit(gpu, both.queue(1), &[(turn, 1)], &[late], &[(turn, 2)]);
    let second = || submit(gpu, both.queue(0), &[], &[early], &[(turn, 1)]);
    if gpu.main.queue == gpu.other.queue {
        second()?;
        first()?;
    } else {
        first()?;
        std::thread::sleep(Duration::from_millis(30));
        second()?;
    }
    wait_for(gpu, turn, 2)?;
    idle(gpu)?;
    unsafe { gpu.device.destroy_semaphore(turn, None) };
    Ok(both.shader.outputs())
}

/// The host signals what both queues wait for, and waits itself; before that nothing may have run.
fn host_signal(gpu: &Gpu) -> Words {
    let (both, turn) = (Both::new(gpu)?, semaphore(gpu, Some(0))?);
    let before = both.shader.outputs();
    let (a, b) = (both.work(0, 3)?, both.work(1, 4)?);
    submit(gpu, both.queue(0), &[(turn, 10)], &[a], &[(turn, 20)])?;
    submit(gpu, both.queue(1), &[(turn, 20)], &[b], &[(turn, 30)])?;
    std::thread::sleep(Duration::from_millis(30));
    law(both.shader.outputs() == before, || "work ran before it was allowed to".to_owned())?;
    let info = vk::SemaphoreSignalInfo::default().semaphore(turn).value(10);
    unsafe { gpu.device.signal_semaphore(&info) }.call("vkSignalSemaphore")?;
    wait_for(gpu, turn, 30)?;
    idle(gpu)?;
    unsafe { gpu.device.destroy_semaphore(turn, None) };
    Ok(both.shader.outputs())
}

/// vkQueueSubmit2 with a binary semaphore and a timeline at once.
fn submit2(gpu: &Gpu) -> Words {
    let both = Both::new(gpu)?;
    let (plain, turn) = (semaphore(gpu, None)?, semaphore(gpu, Some(0))?);
    let stage = vk::PipelineStageFlags2::ALL_COMMANDS;
    let point =
        |semaphore, value| vk::SemaphoreSubmitInfo::default().semaphore(semaphore).value(value).stage_mask(stage);
    for n in 0..6usize {
        let work = [vk::CommandBufferSubmitInfo::default().command_buffer(both.work(n % 2, n as u32)?)];
        let waits = [point(turn, n as u64), point(plain, 0)];
        let signals = [point(turn, n as u64 + 1), point(plain, 0)];
        let info = vk::SubmitInfo2::default()
            .wait_semaphore_infos(if n == 0 { &waits[..1] } else { &waits })
            .command_buffer_infos(&work)
            .signal_semaphore_infos(if n == 5 { &signals[..1] } else { &signals });
        unsafe { gpu.device.queue_submit2(both.queue(n % 2).queue, &[info], vk::Fence::null()) }
            .call("vkQueueSubmit2")?;
    }
    wait_for(gpu, turn, 6)?;
    idle(gpu)?;
    [plain, turn].iter().for_each(|one| unsafe { gpu.device.destroy_semaphore(*one, None) });
    Ok(both.shader.outputs())
}

/// Every queue that computes takes its turns; how many there are does not show.
fn all_queues(gpu: &Gpu) -> Words {
    let (shader, turn) = (gpu.load("mix")?, semaphore(gpu, Some(0))?);
    let pools = gpu.all.iter().map(|queue| Commands::new(gpu, queue.family)).collect::<Done<Vec<_>>>()?;
    for n in 0..24usize {
        let at = n % pools.len();
        let work = pools[at].record(|cmd| {
            shader.bind(cmd);
            shader.push(cmd, &[n as u32]);
            shader.dispatch(cmd, [4, 1, 1]);
            barrier(gpu, cmd);
        })?;
        submit(gpu, gpu.all[at], &[(turn, n as u64)], &[work], &[(turn, n as u64 + 1)])?;
    }
    wait_for(gpu, turn, 24)?;
    idle(gpu)?;
    unsafe { gpu.device.destroy_semaphore(turn, None) };
    Ok(shader.outputs())
}

/// Fences that are asked again and again, waited for one of many, reset, made signalled.
fn fences(gpu: &Gpu) -> Words {
    let both = Both::new(gpu)?;
    let info = vk::FenceCreateInfo::default().flags(vk::FenceCreateFlags::SIGNALED);
    let made = unsafe { gpu.device.create_fence(&info, None) }.call("vkCreateFence")?;
    gpu.wait(&[made])?;
    let status = |fence| unsafe { gpu.device.get_fence_status(fence) }.call("vkGetFenceStatus");
    law(status(made)?, || "a fence that was made signalled is not".to_owned())?;
    unsafe { gpu.device.reset_fences(&[made]) }.call("vkResetFences")?;
    law(!status(made)?, || "a fence that was reset is signalled".to_owned())?;
    let short = unsafe { gpu.device.wait_for_fences(&[made], true, 1_000_000) };
    law(short == Err(vk::Result::TIMEOUT), || format!("a wait for nothing gives {short:?}"))?;

    let fences = (0..4).map(|_| gpu.fence()).collect::<Done<Vec<_>>>()?;
    for (n, fence) in fences.iter().enumerate() {
        let work = [both.work(0, n as u32)?];
        let info = vk::SubmitInfo::default().command_buffers(&work);
        unsafe { gpu.device.queue_submit(gpu.main.queue, &[info], *fence) }.call("vkQueueSubmit")?;
    }
    unsafe { gpu.device.wait_for_fences(&fences, false, PATIENCE) }.call("vkWaitForFences")?;
    let begun = Instant::now();
    while !status(fences[3])? {
        if begun.elapsed() > Duration::from_nanos(PATIENCE) {
            return Err(Stop::Failed("the fence does not signal".to_owned()));
        }
        std::thread::yield_now();
    }
    // What is submitted first has ended when the last has.
    gpu.wait(&fences)?;
    fences.iter().chain([&made]).for_each(|fence| unsafe { gpu.device.destroy_fence(*fence, None) });
    Ok(both.shader.outputs())
}
