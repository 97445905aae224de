//! The kernel: device files and their ioctls, which a Vulkan driver finds instead of the kernel's
//! own.
//!
//! [`calls`] are what functions of the C library ask, one for each kind of function: is this path,
//! is this descriptor ours, and what is the answer then? Nothing of a program that is not ours
//! takes a lock, allocates or changes `errno`.
//!
//! All state belongs to a process. A child of a fork has the state of its parent in its memory, but
//! none of its threads: it starts anew at its first own use, and leaves alone what it finds. A
//! child of a vfork runs in its parent's memory: it must not touch it, and does not, since its
//! number is another.
//!
//! What it is told stands in [`settings`].

use crate::card::Settings;
use crate::chips::{CHIPS, Chip};
use crate::settings;
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use std::ffi::CStr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicPtr, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

mod abi;
pub mod calls;
mod device;
mod fds;
mod fence;
mod file;
mod files;
mod info;
mod object;
mod ring;
mod space;
mod submit;
mod table;
#[cfg(test)]
mod tests;
mod user;

pub use files::Folder;

/// What a call answers: a value, or an error number.
pub type Answer<T> = Result<T, Errno>;

/// The most devices.
const MOST_DEVICES: usize = 16;

/// The value in a lock, whatever became of those who held it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// All state of a process.
struct Process {
    pid: i32,
    /// That of a process whose memory this one has a copy of, or shares.
    parent: *const Process,
    tree: files::Tree,
    devices: Vec<Arc<device::Device>>,
    fds: fds::Fds,
    log: Option<PathBuf>,
}

static PROCESS: AtomicPtr<Process> = AtomicPtr::new(std::ptr::null_mut());

// SAFETY: the pointer leads to another of the same, which is only read and never freed.
#[allow(unsafe_code, reason = "a pointer that is never freed")]
unsafe impl Sync for Process {}

impl Process {
    fn pid() -> i32 {
        rustix::process::getpid().as_raw_nonzero().get()
    }

    /// The state of this process, if it has any.
    #[allow(unsafe_code, reason = "pointers that are never freed")]
    fn existing() -> Option<&'static Process> {
        let mut process: *const Process = PROCESS.load(Ordering::Acquire);
        let pid = if process.is_null() { 0 } else { Process::pid() };
        // SAFETY: they are null, or came from boxes that were leaked.
        while let Some(known) = unsafe { process.as_ref() } {
            if known.pid == pid {
                return Some(known);
            }
            process = known.parent;
        }
        None
    }

    /// The state of this process.
    fn current() -> Answer<&'static Process> {
        let parent = PROCESS.load(Ordering::Acquire);
        if let Some(process) = Process::existing() {
            return Ok(process);
        }
        let new = Box::into_raw(Box::new(Process::new(parent)));
        // Of two threads that come here at once one is first; the other leaks what it made.
        let _ = PROCESS.compare_exchange(parent, new, Ordering::AcqRel, Ordering::Acquire);
        Process::existing().ok_or(Errno::NODEV)
    }

    fn new(parent: *const Process) -> Process {
        let path = |name: &CStr| setting(name).map(PathBuf::from);
        let is_on = |name: &CStr| setting(name).is_some_and(|value| value == "1");
        let chips = chips(&setting(settings::CHIPS).unwrap_or_default());
        let memory = setting(settings::MEMORY).and_then(|v| v.parse().ok()).unwrap_or(4096u64);
        let memory = memory.clamp(64, 1 << 24) << 20;
        let log = path(settings::LOG);
        let watchdog = setting(settings::WATCHDOG).and_then(|v| v.parse().ok()).map(Duration::from_secs);
        let watchdog = watchdog.unwrap_or(Settings::default().watchdog);
        let settings = || Settings { log: log.clone(), dump: path(settings::DUMP), watchdog };
        let sdma = is_on(settings::SDMA);
        let device =
            |(n, chip): (usize, &&'static Chip)| Arc::new(device::Device::new(n, chip, settings(), memory, sdma));
        Process {
            pid: Process::pid(),
            parent,
            tree: files::Tree::new(&chips, is_on(settings::REAL)),
            devices: chips.iter().enumerate().map(device).collect(),
            fds: fds::Fds::default(),
            log,
        }
    }
}

/// The chips of a list. Names of none are told, once.
fn chips(names: &str) -> Vec<&'static Chip> {
    let mut chips = Vec::new();
    for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        match Chip::named(name) {
            Some(chip) => chips.push(chip),
            None => {
                let known: Vec<&str> = CHIPS.iter().map(|c| c.name).collect();
                let line = format!("wavediff: no chip is called `{name}`; there are {}\n", known.join(", "));
                tell(&line);
            }
        }
    }
    chips.truncate(MOST_DEVICES);
    chips
}

/// A variable of the environment, which nothing of ours changes.
#[allow(unsafe_code, reason = "the environment is the C library's")]
fn setting(name: &CStr) -> Option<String> {
    // SAFETY: the name ends with a zero; a value stays where it is unless the program changes this
    // very variable.
    let value = unsafe { libc::getenv(name.as_ptr()) };
    // SAFETY: a value ends with a zero.
    (!value.is_null()).then(|| unsafe { CStr::from_ptr(value) }.to_string_lossy().into_owned())
}

/// Whether there are any devices: whether the program was started with any.
#[must_use]
#[allow(unsafe_code, reason = "the environment is the C library's")]
pub fn is_enabled() -> bool {
    static STATE: AtomicU8 = AtomicU8::new(0);
    match STATE.load(Ordering::Relaxed) {
        0 => {
            // SAFETY: as in `setting`; only whether there is a character is looked at.
            let on = unsafe {
                let value = libc::getenv(settings::CHIPS.as_ptr());
                !value.is_null() && *value != 0
            };
            STATE.store(if on { 1 } else { 2 }, Ordering::Relaxed);
            on
        }
        state => state == 1,
    }
}

/// Writes a line to the log, if there is one. The file is opened each time: a program may close any
/// descriptor.
fn note(line: &str) {
    let Some(log) = Process::existing().and_then(|p| p.log.as_ref()) else { return };
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::APPEND | OFlags::CLOEXEC;
    if let Ok(file) = rustix::fs::open(log, flags, Mode::from_raw_mode(0o644)) {
        let line = serde_json::json!({ "what": "note", "why": line });
        let _ = rustix::io::write(&file, format!("{line}\n").as_bytes());
    }
}

/// Writes to the program's standard error.
#[allow(unsafe_code, reason = "the number 2 is standard error")]
fn tell(line: &str) {
    // SAFETY: if nothing is open there, the write fails.
    let _ = rustix::io::write(unsafe { std::os::fd::BorrowedFd::borrow_raw(2) }, line.as_bytes());
}
