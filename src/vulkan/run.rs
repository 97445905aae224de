//! Running a pipeline once, and waiting for it.
//!
//! A run is one submission: copies to the device, the dispatch between two timestamps, copies back, and a fence. The host waits for the fence as long as
//! the job allows. What a run does to the health of the device is told in [`device`](super::device).

use super::buffer::Buffer;
use super::device::Device;
use super::error::Error;
use super::pipeline::Pipeline;
use super::record::Recorder;
use super::timing::Times;
use ash::vk;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

/// One dispatch.
#[derive(Clone)]
pub struct Job<'a> {
    /// What to run.
    pub pipeline: &'a Pipeline,
    /// The storage buffers of set 0, from binding 0 on.
    pub bind: &'a [&'a Buffer],
    /// Buffers that are reached by their address alone.
    pub reach: &'a [&'a Buffer],
    /// Push constants.
    pub push: &'a [u8],
    /// How many groups, by dimension.
    pub groups: [u32; 3],
    /// How long the host waits.
    pub timeout: Duration,
}

impl<'a> Job<'a> {
    /// A job of one group, without push constants, that may take a minute.
    #[must_use]
    pub fn new(pipeline: &'a Pipeline, bind: &'a [&'a Buffer]) -> Job<'a> {
        Job { pipeline, bind, reach: &[], push: &[], groups: [1; 3], timeout: Duration::from_secs(60) }
    }
}

impl Device {
    /// Runs a job and waits until it is done. The buffers hold what it left.
    ///
    /// # Errors
    /// [`Error::Timeout`] and [`Error::DeviceLost`] are outcomes of the program that ran; after either the device takes no more work.
    pub fn run(&self, job: &Job<'_>) -> Result<Times, Error> {
        let device = &self.inner;
        device.alive("starting a run")?;
        self.check(job)?;
        let mut used: Vec<&Buffer> = Vec::with_capacity(job.bind.len() + job.reach.len());
        for buffer in job.bind.iter().chain(job.reach) {
            if !used.iter().any(|known| std::ptr::eq(*known, *buffer)) {
                used.push(buffer);
            }
        }
        let mut recorder = device.recorder()?;
        match self.submit(&mut recorder, job, &used) {
            Ok(host) => {
                let times = Times { device: recorder.elapsed(device), host };
                device.recycle(recorder);
                device.check()?;
                Ok(times)
            }
            Err(e) => {
                let e = device.note(e);
                // A device that hangs may be using it, and goes without freeing anything.
                if !matches!(e, Error::Timeout(_)) {
                    recorder.destroy(&device.raw);
                }
                Err(e)
            }
        }
    }

    fn submit(&self, recorder: &mut Recorder, job: &Job<'_>, used: &[&Buffer]) -> Result<Duration, Error> {
        let device = &self.inner;
        recorder.record(device, job, used).map_err(Error::of("recording"))?;
        // What the validation layer objects to is not run.
        device.check()?;
        let commands = [recorder.commands];
        let info = [vk::SubmitInfo::default().command_buffers(&commands)];
        let start = Instant::now();
        {
            let queue = device.queue.lock().unwrap_or_else(PoisonError::into_inner);
            // SAFETY: the queue is locked, the fence is not signalled, and the commands are recorded and not in use.
            unsafe { device.raw.queue_submit(*queue, &info, recorder.fence) }.map_err(Error::of("submitting"))?;
        }
        let limit = u64::try_from(job.timeout.as_nanos()).unwrap_or(u64::MAX);
        // SAFETY: the fence is of this device.
        match unsafe { device.raw.wait_for_fences(&[recorder.fence], true, limit) } {
            Ok(()) => {}
            Err(vk::Result::TIMEOUT) => return Err(Error::Timeout(job.timeout)),
            Err(e) => return Err(Error::of("waiting for the dispatch")(e)),
        }
        let host = start.elapsed();
        device.doom("waiting for the dispatch")?;
        // SAFETY: the fence is signalled, so that nothing uses it.
        unsafe { device.raw.reset_fences(&[recorder.fence]) }.map_err(Error::of("waiting for the dispatch"))?;
        Ok(host)
    }

    /// What would be undefined, or make no sense.
    fn check(&self, job: &Job<'_>) -> Result<(), Error> {
        let device = &self.inner;
        let wrong = |text: String| Err(Error::Job(text));
        let here = |other| Arc::ptr_eq(other, device);
        if !here(&job.pipeline.device) || !job.bind.iter().chain(job.reach).all(|b| here(b.device())) {
            return wrong("a pipeline or a buffer of another device".to_owned());
        }
        if job.bind.len() != job.pipeline.buffers as usize {
            return wrong(format!("{} buffers for a pipeline that binds {}", job.bind.len(), job.pipeline.buffers));
        }
        if job.push.len() != job.pipeline.push_bytes as usize {
            let (has, wants) = (job.push.len(), job.pipeline.push_bytes);
            return wrong(format!("{has} bytes of push constants for a pipeline that takes {wants}"));
        }
        let limits = &device.caps.limits;
        let missing = |needs: String| Err(Error::Missing { device: device.caps.name.clone(), needs });
        if job.groups.iter().zip(&limits.groups).any(|(groups, most)| groups > most) {
            return missing(format!("{:?} groups, but {:?}", job.groups, limits.groups));
        }
        if let Some(buffer) = job.bind.iter().find(|b| b.len() as u64 > u64::from(limits.storage_range)) {
            let (name, len, most) = (buffer.name(), buffer.len(), limits.storage_range);
            return missing(format!("storage buffers of {len} bytes (`{name}`), but {most}"));
        }
        Ok(())
    }
}
