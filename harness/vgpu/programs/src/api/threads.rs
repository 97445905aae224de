//! Threads of the host: pools of their own, one queue under a lock; or all queues.

use super::Function;
use crate::gpu::{Commands, Gpu, barrier};
use crate::stop::{Call, Done, Stop, Words};
use ash::vk;
use std::sync::Mutex;

pub const ALL: &[Function] = &[
    Function { name: "threads_one_queue", needs: &[], run: |gpu| threads(gpu, 1) },
    Function { name: "threads_all_queues", needs: &[], run: |gpu| threads(gpu, usize::MAX) },
];

/// Sixteen threads make pipelines, record and submit; each has results of its own.
fn threads(gpu: &Gpu, queues: usize) -> Words {
    let queues: Vec<_> = if queues == 1 { vec![gpu.main] } else { gpu.all.clone() };
    let locks: Vec<Mutex<()>> = queues.iter().map(|_| Mutex::new(())).collect();
    let work = |n: usize| -> Words {
        let (step, queue, lock) = (gpu.load("step")?, queues[n % queues.len()], &locks[n % queues.len()]);
        let commands = Commands::new(gpu, queue.family)?;
        for round in 0..6 {
            let buffer = [commands.record(|cmd| {
                step.bind(cmd);
                for k in 0..5 {
                    step.push(cmd, &[n as u32 * 100 + round * 10 + k]);
                    step.dispatch(cmd, [1; 3]);
                    barrier(gpu, cmd);
                }
            })?];
            let (info, fence) = (vk::SubmitInfo::default().command_buffers(&buffer), gpu.fence()?);
            {
                let _held = lock.lock().map_err(|_| Stop::Failed("a thread gave up".to_owned()))?;
                unsafe { gpu.device.queue_submit(queue.queue, &[info], fence) }.call("vkQueueSubmit")?;
            }
            gpu.wait(&[fence])?;
            unsafe { gpu.device.destroy_fence(fence, None) };
        }
        Ok(step.outputs())
    };
    let all = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..16).map(|n| scope.spawn(move || work(n))).collect();
        let joined =
            handles.into_iter().map(|h| h.join().unwrap_or_else(|_| Err(Stop::Failed("a thread panics".to_owned()))));
        joined.collect::<Done<Vec<_>>>()
    })?;
    Ok(super::digest(&all.concat()))
}
