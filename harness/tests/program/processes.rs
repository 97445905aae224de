//! Processes that a process has started, and what they may take, as Linux tells of them.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Within this a process has started another one and that has begun, on a machine that does other things too.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The children of a process. Each of its threads has its own, and workers are started by any of them.
pub fn children(parent: u32) -> Vec<u32> {
    let threads = std::fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().flatten();
    let lists = threads.map(|thread| std::fs::read_to_string(thread.path().join("children")).unwrap_or_default());
    lists.flat_map(|list| list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<u32>>()).collect()
}

/// Asks until there is an answer; nothing if there is none in time.
pub fn wait_for<T>(mut ask: impl FnMut() -> Option<T>) -> Option<T> {
    let start = Instant::now();
    loop {
        let answer = ask();
        if answer.is_some() || start.elapsed() > PATIENCE {
            return answer;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The address space that a process may have, in bytes; nothing where it has no limit.
pub fn address_space(pid: u32) -> Option<u64> {
    let limits = std::fs::read_to_string(format!("/proc/{pid}/limits")).unwrap_or_default();
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// What the program grants a worker beside memory: for libraries, drivers, stacks and arenas. Written again here, after `src/worker.rs`.
pub fn mapped() -> u64 {
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    (4 << 30) + (256 << 20) * cores
}

/// Sends a signal, as `-KILL`; whether there was such a process.
pub fn signal(name: &str, pid: u32) -> bool {
    let sent = Command::new("kill").args([name, &pid.to_string()]).stderr(Stdio::null()).status();
    sent.is_ok_and(|status| status.success())
}
