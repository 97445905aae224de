//! Rings: jobs that a program submitted, done one after another by a thread for each ring.
//!
//! A job waits for its fences, is executed by the card, writes its sequence number where the
//! program wants it, and signals its own fence; always, also when its context is lost, so that
//! nobody waits for ever. There are no cycles of waiting: a job's fences belong to jobs that were
//! submitted before it.

use super::fence::{Fence, Fences};
use super::object::Object;
use super::space::Held;
use super::{Answer, lock};
use crate::card::{Card, Engine, Ib, Ring};
use rustix::io::Errno;
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};

/// So many jobs of a ring may wait; then the next submission does.
const QUEUE: usize = 4096;

/// A ring of an engine.
pub(crate) type RingName = (Engine, u32);

/// What sequence numbers of one ring stand for.
#[derive(Default)]
struct Sequence {
    last: u64,
    /// Those that may not be over.
    pending: BTreeMap<u64, Arc<Fence>>,
}

#[derive(Default)]
pub(crate) struct Context {
    lost: AtomicBool,
    told: AtomicBool,
    rings: Mutex<HashMap<RingName, Sequence>>,
}

impl Context {
    /// Whether a job of it was the end of the card.
    pub fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Acquire)
    }

    /// From now on it is lost.
    pub fn lose(&self) {
        self.lost.store(true, Ordering::Release);
    }

    /// Whether it is lost, but told once only.
    pub fn lost_news(&self) -> bool {
        self.is_lost() && !self.told.swap(true, Ordering::AcqRel)
    }

    fn next(&self, ring: RingName, fence: &Arc<Fence>) -> u64 {
        let mut rings = lock(&self.rings);
        let sequence = rings.entry(ring).or_default();
        sequence.pending.retain(|_, f| !f.is_signalled());
        sequence.last += 1;
        sequence.pending.insert(sequence.last, fence.clone());
        sequence.last
    }

    /// The fences of all jobs that may not be over.
    pub fn pending(&self) -> Fences {
        let rings = lock(&self.rings);
        let fences = rings.values().flat_map(|s| s.pending.values());
        fences.fold(Fences::default(), |all, fence| all.and(&fence.clone().into()))
    }

    /// The fence of a job; all ones stand for the last.
    pub fn fence(&self, ring: RingName, sequence: u64) -> Answer<Fences> {
        let rings = lock(&self.rings);
        let last = rings.get(&ring).map_or(0, |s| s.last);
        let number = if sequence == u64::MAX { last } else { sequence };
        if number > last {
            return Err(Errno::INVAL);
        }
        let fence = rings.get(&ring).and_then(|s| s.pending.get(&number));
        Ok(fence.map_or_else(Fences::default, |f| f.clone().into()))
    }
}

/// What is to be done.
pub(crate) struct Job {
    pub ibs: Vec<Ib>,
    pub space: Held,
    pub context: Arc<Context>,
    pub waits: Fences,
    /// Where the sequence number is written.
    pub user_fence: Option<(Arc<Object>, u64)>,
}

struct Submitted {
    job: Job,
    fence: Arc<Fence>,
    sequence: u64,
}

/// The rings of a device.
pub(crate) struct Rings {
    card: Arc<Card>,
    lines: Mutex<HashMap<RingName, Arc<Line>>>,
}

/// The way to the thread of a ring. Held while a job gets its number, so that numbers rise as jobs
/// come.
struct Line(Mutex<SyncSender<Submitted>>);

impl Rings {
    pub fn new(card: &Arc<Card>) -> Rings {
        Rings { card: card.clone(), lines: Mutex::new(HashMap::new()) }
    }

    /// Gives a job its number and its fence.
    pub fn submit(&self, ring: RingName, job: Job) -> Answer<(u64, Arc<Fence>)> {
        let line = self.line(ring)?;
        let sender = lock(&line.0);
        let fence = Arc::new(Fence::default());
        let sequence = job.context.next(ring, &fence);
        let submitted = Submitted { job, fence: fence.clone(), sequence };
        if let Err(refused) = sender.send(submitted) {
            // The thread is gone, which a panic of the card cannot do.
            refused.0.fence.signal();
            return Err(Errno::CANCELED);
        }
        Ok((sequence, fence))
    }

    fn line(&self, name: RingName) -> Answer<Arc<Line>> {
        let mut lines = lock(&self.lines);
        if let Some(line) = lines.get(&name) {
            return Ok(line.clone());
        }
        let (sender, receiver) = sync_channel(QUEUE);
        let ring = Ring::new(&self.card, name.0, name.1);
        let thread = std::thread::Builder::new().name(format!("vgpu {:?} {}", name.0, name.1).to_lowercase());
        without_signals(|| thread.spawn(move || work(ring, &receiver))).map_err(|_| Errno::NOMEM)?;
        let line = Arc::new(Line(Mutex::new(sender)));
        lines.insert(name, line.clone());
        Ok(line)
    }
}

/// A thread started inside takes no signals of the program.
#[allow(unsafe_code, reason = "signal masks are the C library's")]
fn without_signals<T>(start: impl FnOnce() -> T) -> T {
    // SAFETY: sets of signals are plain values, and the mask of this thread is put back.
    unsafe {
        let (mut all, mut old): (libc::sigset_t, libc::sigset_t) = (std::mem::zeroed(), std::mem::zeroed());
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut old);
        let started = start();
        libc::pthread_sigmask(libc::SIG_SETMASK, &old, std::ptr::null_mut());
        started
    }
}

/// Executes a job; gives why the card is lost, if it is.
fn execute(ring: &mut Ring, job: &Job) -> Option<String> {
    if let Some((address, size)) = job.space.gone() {
        return Some(format!(
            "memory of the program is imported that the program has no more: {size} bytes at {address:#x}"
        ));
    }
    let run = std::panic::AssertUnwindSafe(|| ring.execute(&job.ibs, &job.space));
    match std::panic::catch_unwind(run) {
        Ok(Ok(())) => None,
        Ok(Err(lost)) => Some(lost.to_string()),
        Err(_) => Some("the virtual card panicked".to_owned()),
    }
}

fn work(mut ring: Ring, jobs: &Receiver<Submitted>) {
    while let Ok(Submitted { job, fence, sequence }) = jobs.recv() {
        // Without a deadline it has no way to fail.
        let _ = job.waits.wait(i64::MAX);
        if !job.context.is_lost()
            && let Some(lost) = execute(&mut ring, &job)
        {
            // The program learns no more than that it is lost; the card has written why into its log.
            super::tell(&format!("wavediff gpu: device lost: {lost}\n"));
            job.context.lose();
        }
        if let Some((object, offset)) = &job.user_fence {
            object.store(*offset, sequence);
        }
        fence.signal();
    }
}
