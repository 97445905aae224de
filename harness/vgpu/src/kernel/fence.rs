//! Fences and syncobjs.
//!
//! A *fence* becomes signalled once, when a job is done. A *syncobj* is a place for fences: none,
//! one, or a timeline of points, of which each is reached when its own fences and those of all
//! points before are signalled. Replacing what a syncobj holds does not concern those who wait for
//! what it held.
//!
//! Who waits, waits for the *bell*: a number that changes whenever a fence is signalled or a
//! syncobj gets another content. Nobody holds a lock meanwhile. A bell needs no lock itself, so
//! that it survives a fork.

use super::{Answer, lock};
use rustix::io::Errno;
use rustix::thread::futex;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What changes are told by.
static BELL: AtomicU32 = AtomicU32::new(0);

fn ring_bell() {
    BELL.fetch_add(1, Ordering::SeqCst);
    // It fails only for addresses that are none.
    let _ = futex::wake(&BELL, futex::Flags::PRIVATE, i32::MAX as u32);
}

/// The time of waits: nanoseconds of CLOCK_MONOTONIC.
pub(crate) fn monotonic() -> i64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    now.tv_sec.saturating_mul(1_000_000_000).saturating_add(now.tv_nsec)
}

/// Calls until something comes out, whenever anything has changed, but not past the deadline.
pub(crate) fn wait_until<T>(deadline: i64, mut ready: impl FnMut() -> Answer<Option<T>>) -> Answer<T> {
    loop {
        let seen = BELL.load(Ordering::SeqCst);
        if let Some(value) = ready()? {
            return Ok(value);
        }
        let left = u64::try_from(deadline.saturating_sub(monotonic())).unwrap_or(0);
        if left == 0 {
            return Err(Errno::TIME);
        }
        // An hour is as good as for ever, and no timeout is too large then.
        let left = Duration::from_nanos(left).min(Duration::from_secs(3600));
        let timeout = rustix::time::Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) };
        // Whatever ends the wait, the condition is looked at again.
        let _ = futex::wait(&BELL, futex::Flags::PRIVATE, seen, Some(&timeout));
    }
}

#[derive(Default)]
pub(crate) struct Fence {
    done: AtomicBool,
    /// Event files that become readable with it and with others.
    watchers: Mutex<Vec<(OwnedFd, Fences)>>,
}

impl Fence {
    pub fn is_signalled(&self) -> bool {
        self.done.load(Ordering::Acquire)
    }

    pub fn signal(&self) {
        self.done.store(true, Ordering::Release);
        let watchers = std::mem::take(&mut *lock(&self.watchers));
        watchers.into_iter().for_each(|(file, others)| others.watch(file));
        ring_bell();
    }

    /// Watches, or gives the file back if there is nothing left to watch.
    fn watch(&self, file: OwnedFd, others: Fences) -> Option<OwnedFd> {
        let mut watchers = lock(&self.watchers);
        if self.is_signalled() {
            return Some(file);
        }
        watchers.push((file, others));
        None
    }
}

fn tell(file: &OwnedFd) {
    // A file that nobody reads is full after 2^64 - 2 of these.
    let _ = rustix::io::write(file, &1u64.to_ne_bytes());
}

/// Fences that have to be signalled all. None left: signalled.
#[derive(Clone, Default)]
pub(crate) struct Fences(Vec<Arc<Fence>>);

impl From<Arc<Fence>> for Fences {
    fn from(fence: Arc<Fence>) -> Fences {
        Fences(vec![fence])
    }
}

impl Fences {
    pub fn is_signalled(&self) -> bool {
        self.0.iter().all(|f| f.is_signalled())
    }

    /// Those of others too, each once, without those that are over.
    pub fn and(mut self, others: &Fences) -> Fences {
        self.0.retain(|f| !f.is_signalled());
        for fence in others.0.iter().filter(|f| !f.is_signalled()) {
            if !self.0.iter().any(|f| Arc::ptr_eq(f, fence)) {
                self.0.push(fence.clone());
            }
        }
        self
    }

    pub fn wait(&self, deadline: i64) -> Answer<()> {
        wait_until(deadline, || Ok(self.is_signalled().then_some(())))
    }

    /// Makes a file readable once all are signalled.
    pub fn watch(&self, file: OwnedFd) {
        let mut file = file;
        for (n, fence) in self.0.iter().enumerate() {
            match fence.watch(file, Fences(self.0[n + 1..].to_vec())) {
                Some(back) => file = back,
                None => return,
            }
        }
        tell(&file);
    }
}

#[derive(Clone)]
enum Content {
    Nothing,
    Binary(Fences),
    Timeline(Timeline),
}

#[derive(Clone, Default)]
struct Timeline {
    /// Up to here all points are reached.
    reached: u64,
    /// By number, without those that are reached. Each has the fences that no point before it has.
    points: Vec<(u64, Fences)>,
}

impl Timeline {
    fn settle(&mut self) {
        let over = self.points.iter().take_while(|(_, f)| f.is_signalled()).count();
        if let Some((point, _)) = self.points.drain(..over).next_back() {
            self.reached = point;
        }
    }

    fn last(&self) -> u64 {
        self.points.last().map_or(self.reached, |p| p.0)
    }

    fn add(&mut self, point: u64, fences: &Fences) {
        self.settle();
        let point = point.max(self.last());
        let known = |f: &&Arc<Fence>| self.points.iter().any(|(_, p)| p.0.iter().any(|k| Arc::ptr_eq(k, f)));
        let new = fences.0.iter().filter(|f| !f.is_signalled() && !known(f)).cloned().collect();
        self.points.push((point, Fences(new)));
        self.settle();
    }

    fn find(&mut self, point: u64) -> Option<Fences> {
        self.settle();
        if self.last() < point {
            return None;
        }
        if point != 0 && point <= self.reached {
            return Some(Fences::default());
        }
        let until = if point == 0 { self.points.len() } else { self.points.partition_point(|p| p.0 < point) + 1 };
        Some(Fences(self.points[..until].iter().flat_map(|(_, f)| f.0.iter().cloned()).collect()))
    }
}

/// A place for fences that has a handle.
pub(crate) struct Syncobj(Mutex<Content>);

/// What a syncobj holds.
impl Syncobj {
    pub fn new(signalled: bool) -> Syncobj {
        Syncobj(Mutex::new(if signalled { Content::Binary(Fences::default()) } else { Content::Nothing }))
    }

    /// Puts fences there, or with none takes them away.
    pub fn replace(&self, fences: Option<Fences>) {
        *lock(&self.0) = fences.map_or(Content::Nothing, Content::Binary);
        ring_bell();
    }

    /// Adds a point; point 0 replaces everything.
    pub fn add(&self, point: u64, fences: Fences) {
        if point == 0 {
            return self.replace(Some(fences));
        }
        self.add_point(point, &fences);
    }

    /// Adds a point, of whatever number. Numbers never fall: a lower one counts as the last.
    pub fn add_point(&self, point: u64, fences: &Fences) {
        let mut content = lock(&self.0);
        match &mut *content {
            Content::Nothing => {
                let mut timeline = Timeline::default();
                timeline.add(point, fences);
                *content = Content::Timeline(timeline);
            }
            Content::Binary(old) => {
                let both = std::mem::take(old).and(fences);
                let mut timeline = Timeline::default();
                timeline.add(point, &both);
                *content = Content::Timeline(timeline);
            }
            Content::Timeline(timeline) => timeline.add(point, fences),
        }
        drop(content);
        ring_bell();
    }

    /// The fences of a point, if somebody put them there; point 0 asks for all.
    pub fn find(&self, point: u64) -> Option<Fences> {
        match &mut *lock(&self.0) {
            Content::Nothing => None,
            Content::Binary(fences) => (point == 0).then(|| fences.clone()),
            Content::Timeline(timeline) => timeline.find(point),
        }
    }

    /// The same, but waits until it is there.
    pub fn find_submitted(&self, point: u64, deadline: i64) -> Answer<Fences> {
        wait_until(deadline, || Ok(self.find(point)))
    }

    /// The last point that is reached, or the last one that is there.
    pub fn query(&self, submitted: bool) -> u64 {
        match &mut *lock(&self.0) {
            Content::Timeline(timeline) => {
                timeline.settle();
                if submitted { timeline.last() } else { timeline.reached }
            }
            _ => 0,
        }
    }
}

/// What a wait waits for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wait {
    /// All, not any.
    pub all: bool,
    /// Also for syncobjs to get a fence at all.
    pub submit: bool,
    /// Only for that.
    pub available: bool,
}

impl Wait {
    /// Which one came first.
    pub fn wait(self, objects: &[(Arc<Syncobj>, u64)], deadline: i64) -> Answer<u32> {
        if objects.is_empty() {
            return Ok(0);
        }
        let mut found: Vec<Option<Fences>> = vec![None; objects.len()];
        wait_until(deadline, || {
            let mut first = None;
            let mut ready = 0;
            for (n, ((object, point), fences)) in objects.iter().zip(&mut found).enumerate() {
                if fences.is_none() {
                    *fences = object.find(*point);
                }
                match fences {
                    Some(fences) if self.available || fences.is_signalled() => {
                        first = first.or(Some(n as u32));
                        ready += 1;
                    }
                    Some(_) => {}
                    None if self.submit || self.available => {}
                    None => return Err(Errno::INVAL),
                }
            }
            Ok(first.filter(|_| !self.all || ready == objects.len()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pending() -> (Arc<Fence>, Fences) {
        let fence = Arc::new(Fence::default());
        (fence.clone(), fence.into())
    }

    const SUBMIT: Wait = Wait { all: true, submit: true, available: false };

    #[test]
    fn a_syncobj_without_a_fence_is_waited_for_only_if_asked() {
        let object = [(Arc::new(Syncobj::new(false)), 0)];
        assert_eq!(Wait::default().wait(&object, i64::MAX), Err(Errno::INVAL));
        assert_eq!(SUBMIT.wait(&object, 0), Err(Errno::TIME));
        object[0].0.replace(Some(Fences::default()));
        assert_eq!(Wait::default().wait(&object, 0), Ok(0));
    }

    #[test]
    fn a_wait_is_for_what_a_syncobj_held_when_it_began() {
        let (fence, fences) = pending();
        let object = Arc::new(Syncobj::new(false));
        object.replace(Some(fences));
        let waiter = {
            let object = object.clone();
            std::thread::spawn(move || Wait::default().wait(&[(object, 0)], monotonic() + 10_000_000_000))
        };
        std::thread::sleep(Duration::from_millis(50));
        object.replace(None);
        fence.signal();
        assert_eq!(waiter.join().ok(), Some(Ok(0)));
        assert_eq!(Wait::default().wait(&[(object, 0)], 0), Err(Errno::INVAL));
    }

    #[test]
    fn points_are_reached_in_order() {
        let object = Syncobj::new(false);
        let ((first, a), (second, b)) = (pending(), pending());
        object.add_point(3, &a);
        object.add_point(7, &b);
        assert_eq!((object.query(false), object.query(true)), (0, 7));
        second.signal();
        assert_eq!(object.query(false), 0);
        assert!(object.find(7).is_some_and(|f| !f.is_signalled()));
        assert!(object.find(8).is_none());
        first.signal();
        assert_eq!(object.query(false), 7);
        assert!(object.find(5).is_some_and(|f| f.is_signalled()));
        object.add_point(2, &Fences::default());
        assert_eq!(object.query(false), 7);
    }

    #[test]
    fn available_is_before_signalled() {
        let object = Arc::new(Syncobj::new(false));
        let (_fence, fences) = pending();
        object.add(4, fences);
        let wait = Wait { all: true, submit: true, available: true };
        assert_eq!(wait.wait(&[(object.clone(), 4)], 0), Ok(0));
        assert_eq!(wait.wait(&[(object.clone(), 5)], 0), Err(Errno::TIME));
        assert_eq!(SUBMIT.wait(&[(object, 4)], 0), Err(Errno::TIME));
    }

    #[test]
    fn any_tells_which() {
        let (objects, fences): (Vec<_>, Vec<_>) = (0..3)
            .map(|_| {
                let (fence, fences) = pending();
                let object = Arc::new(Syncobj::new(false));
                object.replace(Some(fences));
                ((object, 0), fence)
            })
            .unzip();
        fences[2].signal();
        assert_eq!(Wait::default().wait(&objects, 0), Ok(2));
        assert_eq!(Wait { all: true, ..Wait::default() }.wait(&objects, 0), Err(Errno::TIME));
    }

    #[test]
    fn a_file_is_readable_when_all_are_signalled() -> Answer<()> {
        let ((first, a), (second, b)) = (pending(), pending());
        let file = rustix::event::eventfd(0, rustix::event::EventfdFlags::NONBLOCK)?;
        let readable = || rustix::io::read(&file, &mut [0u8; 8]).is_ok();
        a.and(&b).watch(file.try_clone().map_err(|_| Errno::MFILE)?);
        second.signal();
        assert!(!readable());
        first.signal();
        assert!(readable());
        Fences::default().watch(file.try_clone().map_err(|_| Errno::MFILE)?);
        assert!(readable());
        Ok(())
    }

    #[test]
    fn copying_a_timeline_onto_itself_does_not_grow() {
        let object = Syncobj::new(false);
        let (_fence, fences) = pending();
        object.add_point(1, &fences);
        for point in 2..100 {
            let all = object.find(0).unwrap_or_default();
            assert_eq!(all.0.len(), 1);
            object.add_point(point, &all);
        }
    }
}
